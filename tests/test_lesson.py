"""The lesson: what it asks, what it says of every answer, and where its numbers come from."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import inf
from time import process_time
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from flask.testing import FlaskClient

from engine.notation import to_digits
from engine.position import SQUARE_NAMES
from teach.lesson import questions
from teach.pictures import WAITED
from tests import textbook
from tests.conftest import parse
from web.learn.routes import SECTIONS, first_met

Path = textbook.Path
Answers = dict[str, str | list[str]]

NAMES = [name for names in SECTIONS.values() for name in names]
VALUE, PICK, TICK = (
    [name for name, question in questions().items() if question.kind == kind]
    for kind in ("value", "pick", "tick")
)
SHOW_ALL: Answers = dict.fromkeys(NAMES, "show")
TERMS = [
    "score", "leaf", "node", "max", "min", "minimax", "threat", "fork", "perfect-play", "depth",
    "negamax", "memo", "symmetry", "alpha-beta", "cut",
]  # fmt: skip


def ask(client: FlaskClient, answers: Answers) -> BeautifulSoup:
    response = client.get("/learn", query_string=answers)
    assert response.status_code == 200
    return parsed(response.text)


@cache
def parsed(page: str) -> BeautifulSoup:
    """Return the page, parsed once: that takes 100 ms, and nobody here changes it."""
    return BeautifulSoup(page, "html.parser")


def form(client: FlaskClient, name: str, answer: str | list[str]) -> BeautifulSoup:
    """Return the form of a question after an answer to it; to parse the whole page takes 300 ms."""
    response = client.get("/learn", query_string={name: answer})
    assert response.status_code == 200
    begin = response.text.index(f'id="q-{name}"')
    html = response.text[
        response.text.rindex("<form", 0, begin) : response.text.index("</form>", begin)
    ]
    return BeautifulSoup(html, "html.parser")


def part(soup: BeautifulSoup | Tag, css: str) -> Tag:
    found = soup.select(css)
    assert len(found) == 1, css
    return found[0]


def text(tag: Tag) -> str:
    """Return what stands there as one line."""
    return " ".join(tag.get_text().split())


def said(soup: BeautifulSoup, name: str) -> str:
    return text(part(soup, f"#said-{name}"))


def numbers(tag: Tag) -> list[float]:
    """Return the numbers that stand there; what is only subtracted has no sign."""
    found = re.findall(r"[+−]?\d[\d,]*(?:\.\d+)?", text(tag))
    return [float(number.replace("−", "-").replace(",", "")) for number in found]


def signed(number: float) -> str:
    return f"{number:+.0f}".replace("-", "−") if number else "0"


# The same by the textbook


def board_of(name: str) -> str:
    return str(questions()[name].position)


def after(board: str, path: Path) -> str:
    for square in path:
        board = textbook.children(board)[square]
    return board


def walk(board: str, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield each node below a board, itself included, in the order of a search."""
    yield path, board
    for square, child in textbook.children(board).items():
        yield from walk(child, (*path, square))


def bottom_up(board: str, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield the same in the order in which their values are known."""
    for square, child in textbook.children(board).items():
        yield from bottom_up(child, (*path, square))
    yield path, board


def worth(name: str, path: Path) -> int:
    board = board_of(name)
    return textbook.minimax(after(board, path), textbook.turn(board), len(path))


def scores(name: str) -> list[int]:
    return list(textbook.move_scores(board_of(name)).values())


def count(name: str) -> int:
    return len(list(walk(board_of(name))))


def first_highest(values: dict[int, int]) -> int:
    return max(values, key=lambda square: (values[square], -square))


@cache
def searched(board: str) -> textbook.Search:
    return textbook.Search(board, pruning=True, flat=False, order="squares")


def entered(board: str, order: str) -> int:
    search = textbook.Search(board, pruning=True, flat=False, order=order)
    return sum(step[0] == "enter" for step in search.steps)


def met_again(board: str) -> list[Path]:
    """Return the nodes whose board came up before, but none below another such."""
    met: set[str] = set()
    again: list[Path] = []
    for path, node in walk(board):
        if not any(path[: len(above)] == above for above in again):
            if node in met:
                again.append(path)
            met.add(node)
    return again


@cache
def average(board: str, mark: str) -> Fraction:
    if textbook.over(board):
        winner = textbook.winner(board)
        return Fraction(0 if winner is None else 1 if winner == mark else -1)
    below = [average(child, mark) for child in textbook.children(board).values()]
    return sum(below, Fraction()) / len(below)


@cache
def nodes_below(board: str) -> int:
    return 1 + sum(map(nodes_below, textbook.children(board).values()))


def alpha_beta_nodes(board: str, side: str, turns: int, low: float, high: float) -> list[float]:
    """Return what a board is worth and how many nodes alpha-beta enters there."""
    if textbook.over(board):
        return [textbook.minimax(board, side, turns), 1]
    nodes, best = 1.0, -inf if textbook.turn(board) == side else inf
    for child in textbook.children(board).values():
        value, more = alpha_beta_nodes(child, side, turns + 1, low, high)
        nodes += more
        if textbook.turn(board) == side:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    return [best, nodes]


def merged(board: str, levels: int = 9) -> int:
    """Count the nodes so many levels below a board and itself, moves to mirror images as one."""
    different = {min(textbook.images(child)): child for child in textbook.children(board).values()}
    return 1 + sum(merged(child, levels - 1) for child in different.values() if levels)


def right_by_the_textbook(name: str) -> list[str]:
    board = board_of(name)
    moves = textbook.move_scores(board)
    if name in VALUE:
        leaves = name == "ends"
        asked = [path for path, node in walk(board) if textbook.over(node) == leaves]
        return [str(worth(name, path)) for path in asked]
    if name in ("who", "sign"):
        return [str(moves[min(moves)] * (1 if name == "who" else -1))]
    if name == "mirror":
        one, *others = textbook.children(board).items()
        return [str(square) for square, child in others if child in textbook.images(one[1])]
    if name == "again":
        return list(map(to_digits, met_again(board)))
    if name == "cut":
        return ["cut"]
    if name == "never":
        return list(map(to_digits, sorted(searched(board).left_out)))
    flat = {square: textbook.sign(moves[square]) for square in moves}
    return [str(first_highest(flat if name == "flat" else moves))]


@pytest.mark.parametrize("name", NAMES)
def test_the_right_answers_are_those_of_the_textbook(name: str) -> None:
    assert list(questions()[name].right) == right_by_the_textbook(name)


def test_where_it_asks_what_is_cut_the_textbook_cuts_first() -> None:
    question = questions()["cut"]
    first = next(step for step in searched(board_of("cut")).steps if step[0] == "cut")
    assert question.paths == (first[1],)


def test_the_boards_are_those_the_tradition_knows() -> None:
    known = {
        "ends": ("XXOOO-XX-", [9, 0]), "who": ("O-XX--XOO", [-8, 9, -8]),
        "fill": ("XO-X-O-XO", [0, -8, 9]), "only": ("-O-XOXOX-", [-8, 0, -8]),
        "fork": ("--XXOO-XO", [7, -8, -8]), "flat": ("O--X-XOOX", [7, 9, 9]),
        "lost": ("-X---XOOX", [-8, -6, -8, -8]),
    }  # fmt: skip
    for name, (board, values) in known.items():
        assert (board_of(name), scores(name)) == (board, values)


# Before an answer


def test_nothing_is_given_away_before_an_answer(client: FlaskClient) -> None:
    soup = ask(client, {})
    assert not soup.select("[aria-invalid], [checked], [selected], .progress .done")
    for name, question in questions().items():
        assert said(soup, name) == ""
        tree = part(soup, f"#tree-{name}")
        assert not re.search("★|line of play|, best", text(tree))
        if name in VALUE:
            assert len(tree.select("select")) == len(question.right)
            assert not [select for select in tree.select("select") if "−" in select["aria-label"]]
        if name in ("only", "fork", "odds", "lost"):
            assert not tree.select(".worth")


def test_what_is_given_are_the_values_of_the_ends(client: FlaskClient) -> None:
    soup = ask(client, {})
    for name in ("who", "fill", "again", "mirror", "never"):
        ends = [
            signed(worth(name, path)) for path, node in walk(board_of(name)) if textbook.over(node)
        ]
        assert [text(tag) for tag in soup.select(f"#tree-{name} .worth")] == ends


def test_each_section_asks_before_it_tells_and_within_sixty_words(client: FlaskClient) -> None:
    soup = ask(client, {})
    for section in SECTIONS:
        first = soup.select(f"#{section} form, #{section} .words")[0]
        assert first.name == "form"
        for prompt in soup.select(f"#{section} .prompt"):
            words = text(part(soup, f"#{section} h2")) + " " + text(prompt)
            assert len(words.split()) <= 60, words


# After one


@pytest.mark.parametrize("name", NAMES)
def test_a_right_answer_is_told_so_and_shown_as_the_solution_is(
    client: FlaskClient, name: str
) -> None:
    right = form(client, name, right_by_the_textbook(name))
    shown = form(client, name, "show")
    assert said(right, name) == f"Right. {said(shown, name)}"
    assert str(part(right, f"#tree-{name}")) == str(part(shown, f"#tree-{name}"))
    for soup in (right, shown):
        assert not soup.select(f"#q-{name} :is(select, input:not([type=hidden]), button)")
        assert part(soup, f"#go-{name}").name == "a"


def test_a_solved_tree_has_the_values_of_the_textbook(client: FlaskClient) -> None:
    soup = ask(client, SHOW_ALL)
    for name in ("ends", "who", "fill", "only", "fork", "flat", "sign"):
        values = [
            worth(name, path) * (-1 if name == "sign" and len(path) % 2 else 1)
            for path, _ in walk(board_of(name))
        ]
        worths = [text(tag) for tag in soup.select(f"#tree-{name} .worth")]
        assert [worth.removeprefix("★ ") for worth in worths] == list(map(signed, values))


def test_of_the_largest_trees_two_levels_are_drawn(client: FlaskClient) -> None:
    soup = ask(client, SHOW_ALL)
    drawn = {name: soup.select(f"#tree-{name} .worth") for name in ("lost", "odds")}
    top = [path for path, _ in walk(board_of("lost")) if len(path) <= 2]
    worths = [text(tag).removeprefix("★ ") for tag in drawn["lost"]]
    assert worths == [signed(worth("lost", path)) for path in top]
    assert len(drawn["odds"]) == merged(board_of("odds"), levels=2)


def test_what_is_left_out_is_crossed_out(client: FlaskClient) -> None:
    soup = ask(client, SHOW_ALL)
    for name in ("again", "cut", "never"):
        left = met_again(board_of(name)) if name == "again" else searched(board_of(name)).left_out
        crossed = len(soup.select(f"#tree-{name} .node.cut"))
        below = len(soup.select(f"#tree-{name} .node.below-a-cut"))
        everything = [path for path, _ in walk(board_of(name))]
        out = [p for p in everything if any(p[: len(top)] == top for top in left)]
        assert (crossed, crossed + below) == (len(left), len(out))


# A wrong value


def reason(name: str, path: Path, given: str) -> str:
    """Return a part of what is to be said of a wrong value."""
    board = board_of(name)
    node, true = after(board, path), worth(name, path)
    if not given:
        return "no value yet"
    if textbook.over(node):
        same = textbook.sign(int(given)) == textbook.sign(true)
        return "count the marks" if same else "three in a row"
    below = [worth(name, (*path, square)) for square in textbook.children(node)]
    if int(given) not in below:
        return "no board right below it"
    takes = "highest" if textbook.turn(node) == textbook.turn(board) else "lowest"
    return f"There {textbook.turn(node)} chooses, and takes the {takes}"


@pytest.mark.parametrize("name", VALUE)
def test_the_first_wrong_value_is_named_and_why(client: FlaskClient, name: str) -> None:
    question = questions()[name]
    right = dict(zip(question.paths, question.right, strict=True))
    known = [path for path, _ in bottom_up(board_of(name)) if path in right]
    for number, path in enumerate(known):
        for given in {"", *question.options} - {right[path]}:
            known_first = {p: right[p] for p in known[:number]} | {path: given}
            answer = [known_first.get(p, "") for p in question.paths]
            soup = form(client, name, answer)
            message = said(soup, name)
            assert reason(name, path, given) in message
            assert message.endswith("Try again.")
            if path:
                assert SQUARE_NAMES[path[-1]] in message.partition(":")[0]
            assert signed(int(right[path])) not in re.findall(r"[+−]\d", message)
            kept = [option["value"] for option in soup.select("select [selected]")]
            assert sorted(map(str, kept)) == sorted(filter(None, answer))
            wrong = part(soup, "select[aria-invalid]")
            assert [option["value"] for option in wrong.select("[selected]")] == [given][
                : len(given)
            ]


# A wrong pick


@pytest.mark.parametrize("name", PICK)
def test_a_wrong_pick_is_told_why(client: FlaskClient, name: str) -> None:
    question = questions()[name]
    wrong = set(question.options) - set(question.right)
    assert wrong
    for option in wrong:
        soup = form(client, name, option)
        assert said(soup, name).endswith("Try again.")
        assert [tag["value"] for tag in soup.select(f"#q-{name} [checked]")] == [option]
        if name in ("only", "fork", "odds", "lost"):  # and the moves not right all lose
            square = int(option)
            board = board_of(name)
            value = textbook.move_scores(board)[square]
            other = textbook.turn(textbook.children(board)[square])
            how = {-8: "win", -6: "fork"}[value]
            assert f"{other} can now {how} at" in said(soup, name)
            boards = soup.select(f"#more-{name} .strip li")
            assert len(boards) == 10 - abs(value)
            assert SQUARE_NAMES[square] in text(boards[0])


# A wrong tick


def covered(path: Path, ticks: list[str]) -> bool:
    return any(to_digits(path).startswith(tick) for tick in ticks)


@pytest.mark.long
@pytest.mark.parametrize("name", TICK)
def test_the_first_wrong_tick_is_named_and_why(client: FlaskClient, name: str) -> None:
    board, right = board_of(name), right_by_the_textbook(name)
    paths = [path for path, _ in walk(board) if path]
    answers = [[*right, to_digits(path)] for path in paths]
    answers += [[tick for tick in right if tick != left] for left in right]
    for answer in answers:
        soup = form(client, name, ["", *answer])
        wrong = [path for path in paths if covered(path, answer) != covered(path, right)]
        if not wrong:
            assert said(soup, name).startswith("Right.")
            continue
        first = wrong[0]
        assert said(soup, name).startswith(f"{in_words(board, first)}: {told(name, first)}")
        assert part(soup, f"#tree-{name} [aria-invalid]")["value"] == to_digits(first)


def in_words(board: str, path: Path) -> str:
    turns = (textbook.turn(after(board, path[:n])) for n in range(len(path)))
    return ", ".join(f"{t} {SQUARE_NAMES[s]}" for t, s in zip(turns, path, strict=True))


def told(name: str, path: Path) -> str:
    """Return how what is to be said of a wrong tick, or of one that is missing, begins."""
    board = board_of(name)
    left_out = covered(path, right_by_the_textbook(name))
    if name == "again":
        if not left_out:
            return "this board has not come up before."
        before = next(p for p, node in walk(board) if node == after(board, path))
        return f"this board came up before, after {in_words(board, before)}."
    steps: list[Any] = searched(board).steps
    if not left_out:
        (window,) = (step[3][1:] for step in steps if step[:2] == ("enter", path))
        low, high = map(bound, window)
        return f"this one is searched. When it is its turn, α is {low} and β {high}"
    ((at, square, _, best, against, by),) = (s[1:] for s in steps if s[:2] == ("cut", path[:-1]))
    mine, other = ("MAX", "MIN") if len(path) % 2 else ("MIN", "MAX")
    return (
        f"this one is left out. By {in_words(board, (*at, square))}, {mine} has {bound(best)};"
        f" by {in_words(board, by)}, {other} has {bound(against)} already"
    )


def bound(value: float) -> str:
    return signed(value) if abs(value) < inf else "+∞" if value > 0 else "−∞"


def test_nothing_ticked_is_an_answer_too(client: FlaskClient) -> None:
    for name in TICK:
        assert "Try again." in said(ask(client, {name: ""}), name)


# Every number


def test_every_number_that_is_said_is_the_textbooks(client: FlaskClient) -> None:
    soup = ask(client, SHOW_ALL)
    lost = scores("lost")
    flat = 10 - scores("flat")[0]
    again = len({node for _, node in walk(board_of("again"))})
    sign = -scores("sign")[0]
    odds = sorted(set(scores("odds")), reverse=True)
    cut = scores("cut")[0]
    expected = {
        "ends": [1, 10, 1, 9, 0],
        "who": [scores("who")[0], *scores("who")],
        "fill": [],
        "only": scores("only"),
        "fork": scores("fork"),
        "odds": odds,
        "flat": [1, flat, *scores("flat")],
        "lost": [max(lost), 10 + max(lost), min(lost), 10 + min(lost), -1],
        "sign": [sign, max(scores("sign"))],
        "again": [count("again"), again],
        "mirror": [count("mirror"), merged(board_of("mirror"))],
        "cut": [0, cut, entered(board_of("cut"), "squares"), count("cut")],
        "never": [entered(board_of("never"), "squares"), count("never")],
    }
    for name in NAMES:
        assert numbers(part(soup, f"#said-{name}")) == expected[name], name


def test_every_other_number_of_the_page_is_the_textbooks(client: FlaskClient) -> None:
    soup = ask(client, SHOW_ALL)
    best, alpha_beta = alpha_beta_nodes(textbook.EMPTY, "X", 0, -inf, inf)
    assert best == 0
    plain = nodes_below(textbook.EMPTY)
    boards = textbook.every_board()
    costs = [plain, len(boards), len({min(textbook.images(board)) for board in boards})]
    order = "XOXOOX---"
    expected = {
        "ends": [], "chooser": [], "holds": [], "odds": [],
        "later": [max(scores("lost")), min(scores("lost"))],
        "code": [],
        "long": [plain, WAITED],
        "skip": [*(entered(order, "squares"), nodes_below(order)), entered(order, "best")],
        "end": [alpha_beta, plain],
    }  # fmt: skip
    for section, found in expected.items():
        words = [number for p in soup.select(f"#{section} .words") for number in numbers(p)]
        assert words == found, section
    for item, cost in zip(soup.select(".scale li"), costs, strict=True):
        nodes, seconds = numbers(item)
        assert nodes == cost
        assert seconds == pytest.approx(WAITED * cost / plain, abs=0.05)
        edge = float(str(part(item, "svg")["width"]))
        assert edge**2 / 88**2 == pytest.approx(cost / plain, abs=0.001)
    prompts = {name: numbers(part(soup, f"#q-{name} .prompt")) for name in NAMES}
    wins = [
        float(worth("who", (1, square)))
        for square in textbook.children(after(board_of("who"), (1,)))
    ]
    odds = board_of("odds")
    brings = {s: float(average(child, "O")) for s, child in textbook.children(odds).items()}
    assert prompts.pop("odds") == [1, -1, *(round(brings[s], 2) for s in (2, 1))]
    assert prompts.pop("who") == wins
    assert prompts.pop("ends") == [10, 10, 0, 1]
    assert prompts.pop("only") == [len(scores("only"))]
    assert prompts.pop("flat") == [1, 0, -1]
    assert prompts.pop("sign") == [worth("sign", (1,))]
    assert prompts.pop("cut") == [scores("cut")[0], worth("cut", (4, 3))]
    assert not any(prompts.values())


def test_the_four_rules_stand_side_by_side(client: FlaskClient) -> None:
    rows = form(client, "lost", "show").select(".rules-table tbody tr")
    rules = [
        lambda won, turn: won,
        lambda won, turn: 10 * won - (turn - 1),
        lambda won, turn: won * (10 - (turn - 1)),
        lambda won, turn: won * (10 - turn),
    ]
    board = board_of("lost")
    side = textbook.turn(board)

    def value(node: str, turn: int, rule: int) -> int:
        if textbook.over(node):
            winner = textbook.winner(node)
            return int(rules[rule](0 if not winner else 1 if winner == side else -1, turn))
        below = [value(child, turn + 1, rule) for child in textbook.children(node).values()]
        return max(below) if textbook.turn(node) == side else min(below)

    for rule, row in enumerate(rows):
        values = {s: value(child, 1, rule) for s, child in textbook.children(board).items()}
        played = first_highest(values)
        cells = [("✓ " if s == played else "") + signed(v) for s, v in values.items()]
        assert [text(cell) for cell in row.select("td")] == cells
    assert len(rows) == len(rules)


def test_the_code_is_what_runs(client: FlaskClient) -> None:
    soup = ask(client, {})
    listings = [listing.get_text().strip("\n") for listing in soup.select("#code .code")]
    assert [listing.split("(")[0] for listing in listings] == [
        "def minimax",
        "def negamax",
        "def random",
    ]
    assert sum(len(listing.splitlines()) for listing in listings[:2]) == 13
    assert "return rng.choice(position.legal_moves())" in listings[2]


# The address


def test_the_other_answers_are_kept(client: FlaskClient) -> None:
    """Without JavaScript a form sends what it holds; so it holds the other answers."""
    given: Answers = {"ends": ["9", "0"], "who": "7", "again": ["", "170"], "odds": "show"}
    soup = ask(client, given)
    for name in NAMES:
        hidden = soup.select(f"#kept-{name} input")
        kept: dict[str, list[str]] = {}
        for field in hidden:
            kept.setdefault(str(field["name"]), []).append(str(field["value"]))
        assert kept == {
            other: [answer] if isinstance(answer, str) else answer
            for other, answer in given.items()
            if other != name
        }


def test_it_can_be_asked_again(client: FlaskClient) -> None:
    soup = ask(client, {"ends": ["9", "0"], "who": "-8"})
    again = part(soup, "#answer-who .link")
    soup = parse(client.get(str(again["href"])))
    assert said(soup, "who") == ""
    assert said(soup, "ends").startswith("Right.")


def test_progress_shows_the_sections_done(client: FlaskClient) -> None:
    soup = ask(client, {"ends": "show", "who": "show", "only": "2", "fork": "1"})
    items = soup.select("#progress li")
    assert len(items) == len(SECTIONS) == 8
    assert [text(item) for item in items if item.get("class")] == ["What is an end worth?: done"]
    assert [part(item, "a")["href"] for item in items] == [f"#{section}" for section in SECTIONS]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"ends": "9"}, "That question takes 2 answers."),
        ({"ends": ["9", "0", "0"]}, "That question takes 2 answers."),
        ({"who": ["-8", "7"]}, "That question takes 1 answer."),
        ({"who": "+8"}, "An answer is one of -8, 7."),
        ({"who": ""}, "An answer is one of -8, 7."),
        ({"ends": ["9", "10"]}, "An answer is one of 9, 8, 0, -8, -9."),
        ({"again": ["", "99"]}, "An answer is one of 0, 01, "),
    ],
)
def test_what_is_no_answer_is_refused(client: FlaskClient, answers: Answers, reason: str) -> None:
    response = client.get("/learn", query_string=answers)
    assert response.status_code == 400
    assert reason in response.text


def test_each_term_can_be_linked_to_and_no_id_is_there_twice(client: FlaskClient) -> None:
    for answers in ({}, SHOW_ALL):
        soup = ask(client, answers)
        ids = [str(tag["id"]) for tag in soup.select("[id]")]
        assert len(ids) == len(set(ids))
        assert [str(tag["id"]) for tag in soup.select("dfn")] == sorted(TERMS, key=ids.index)
        targets = {str(tag["href"])[1:] for tag in soup.select("a[href^='#']")}
        assert targets <= set(ids)


# Weight


ALL_WRONG: Answers = {
    **{name: [""] * len(questions()[name].right) for name in VALUE},
    **{
        name: sorted(set(questions()[name].options) - set(questions()[name].right))[0]
        for name in PICK
    },
    **dict.fromkeys(TICK, ""),
}


@pytest.mark.parametrize("answers", [{}, SHOW_ALL, ALL_WRONG], ids=["none", "shown", "wrong"])
def test_the_page_is_light_and_quick(client: FlaskClient, answers: Answers) -> None:
    page = client.get("/learn", query_string=answers)
    assert len(gzip.compress(page.data)) <= 25_000
    assert min(seconds_for(client, answers) for _ in range(5)) <= 0.02


def seconds_for(client: FlaskClient, answers: Answers) -> float:
    began = process_time()
    client.get("/learn", query_string=answers)
    return process_time() - began


# What a question shows before it is answered

GIVEN = {
    "ends": "nothing", "who": "ends", "fill": "ends", "only": "nothing", "fork": "nothing",
    "odds": "nothing", "flat": "all", "lost": "nothing", "sign": "all", "again": "ends",
    "mirror": "ends", "cut": "what the search has", "never": "ends",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_question_gives_what_it_needs_and_no_more(name: str) -> None:
    before = list(questions()[name].before.walk())
    known = [node for node in before if node.value is not None]
    ends = [node for node in before if textbook.over(str(node.position))]
    match GIVEN[name]:
        case "nothing":
            assert not known
        case "ends":
            assert known == ends
        case "all":
            assert known == before
        case _:
            assert 0 < len(known) < len(before)
            assert all(node.stage in ("returned", "on the stack", "current") for node in known)
    assert not any(node.chosen or node.starred for node in before if name != "cut")


def test_a_question_about_one_node_or_square_offers_what_it_could_be() -> None:
    sign, mirror = questions()["sign"], questions()["mirror"]
    assert (sign.paths, sign.options, sign.right) == (((1,),), ("-8", "0", "8"), ("8",))
    assert (mirror.options, mirror.right) == (("2", "4"), ("2",))


def test_a_board_that_is_looked_up_leads_to_where_it_was_first_met() -> None:
    asked = questions()["again"]
    for digits in asked.right:
        path = tuple(map(int, digits))
        first, *_ = [
            p for p in asked.paths if asked.position.after(p) == asked.position.after(path)
        ]
        assert first_met(path) == first != path
