"""The pages of a run: what is drawn, said, asked and swapped at every step."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from functools import cache
from itertools import product

import pytest
from bs4 import BeautifulSoup, Tag
from bs4.filter import SoupStrainer
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.position import OTHER, SQUARE_NAMES, Position
from engine.symmetry import branches, representatives
from teach.searches import (
    ALGORITHMS,
    ORDERS,
    SCORINGS,
    Algorithm,
    Back,
    Cut,
    Enter,
    Frame,
    Order,
    Path,
    Return,
    Run,
    Scoring,
    State,
    Step,
    code,
    line,
    run,
    state_after,
)
from teach.watch import brought
from tests import textbook
from tests.conftest import assert_refused, parse
from tests.test_tree_page import (
    CLASSIC,
    SMALL,
    Drawn,
    board_in,
    inner,
    nodes_on,
    signed,
    text_of,
)

Kind = tuple[Algorithm, Scoring, Order]
KINDS: list[Kind] = list(product(ALGORITHMS, SCORINGS, ORDERS))


# A run, step by step


def page_of(client: FlaskClient, search: Run, step: int, more: str = "") -> str:
    settings = f"algorithm={search.algorithm}&scoring={search.scoring}&order={search.order}"
    response = client.get(f"/run/{search.position}?{settings}&step={step}{more}")
    assert response.status_code == 200, response.text
    return response.text


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_every_step_is_drawn_marked_and_told(
    client: FlaskClient, request: pytest.FixtureRequest, kind: Kind
) -> None:
    """Whole in a soak, 185,000 pages; briefly, every kind of search from other positions.

    Each is from one with two and one with three empty squares, every fourth from one with four.
    """
    whole, number = request.config.getoption("--soak"), KINDS.index(kind)
    for root in SMALL if whole else SMALL[number * 7 + (number % 4 > 0) * 180 :: 180]:
        search = run(root, *kind)
        lines = code(search.algorithm)
        for step in range(len(search.steps) + 1):
            page = page_of(client, search, step)
            done = search.steps[step - 1] if step else None
            state = state_after(search, step)
            check_nodes(search, state, done, nodes_on(page))
            active = re.findall(r'<code id="line-(\d+)" aria-current="step">(.*?)\n</code>', page)
            ran = line(search.algorithm, done) if done else 0
            shown = [] if done is None else [(str(ran), lines[ran - 1])]
            assert [(n, text.replace("&gt;", ">")) for n, text in active] == shown
            assert stack_on(page) == stack_of(search, state)
            check_sentence(search, done, inner(page, "status"))
            so_far = re.findall(r"<td>(\d+)</td>", page[page.index('id="counts"') :])[:3]
            assert so_far == [str(count) for count in state.counts]


def check_nodes(search: Run, state: State, done: Step | None, drawn: dict[Path, Drawn]) -> None:
    *_, current = None, *state.stack
    line = best_line(search) if isinstance(done, Return) else []
    for path, node in drawn.items():
        standing = state.nodes.get(path)
        cut_above = any(
            state.nodes[path[:n]].stage == "cut"
            for n in range(len(path))
            if path[:n] in state.nodes
        )
        met = standing.stage if standing else "below a cut" if cut_above else "waiting"
        assert node.board == str(search.position.after(path))
        assert node.stage == ("current" if path == current else met)
        assert node.crossed == (met == "cut")
        assert node.chosen == (path in line)
        if standing is None or standing.value is None:
            assert node.worth == ""
        else:
            sign = {"exact": "", "at most": "≤ ", "at least": "≥ "}[standing.bound or "exact"]
            assert node.worth == sign + signed(standing.value)
    assert set(state.nodes) <= set(drawn)


def best_line(search: Run) -> list[Path]:
    """Follow the line settled on from the root: each time the last child that improved."""
    line: list[Path] = [()]
    while True:
        better = [
            step.path
            for step in search.steps
            if isinstance(step, Back) and step.path[:-1] == line[-1] and step.improves
        ]
        if not better:
            return line
        line.append(better[-1])


def stack_on(page: str) -> list[tuple[str, ...]]:
    """Read the call stack: the board, the side and the values of each level.

    It has room for five, whatever stands there, so that nothing below it moves.
    """
    table = page[page.index('id="stack"') :].partition("</table>")[0]
    head, body = table.split("</thead>")
    cells = re.findall(r'<th scope="col">(.*?)</th>', head, re.S)
    columns = [[board_in(cell), re.sub("<[^>]*>", "", cell).strip()] for cell in cells]
    assert head.count("<td></td>") == 1 + 5 - len(columns)  # the first is above the row's names
    for row in body.split("<tr>")[1:]:
        values = [re.sub("<[^>]*>", "", cell) for cell in row.split("<td>")[1:]]
        assert len(values) == 5 and not any(values[len(columns) :])
        for column, value in zip(columns, values, strict=False):
            column.append(value)
    return [tuple(column) for column in columns]


def stack_of(search: Run, state: State) -> list[tuple[str, ...]]:
    def values(held: Frame) -> list[str]:
        return [signed(value) for value in held[: 3 if search.algorithm == "alpha-beta" else 1]]

    return [
        (str(search.position.after(path)), "MIN" if len(path) % 2 else "MAX", *values(held))
        for path, held in state.stack.items()
    ]


def check_sentence(search: Run, done: Step | None, said: str) -> None:
    """Check that a sentence tells the numbers and squares of its step, and whose they are."""
    numbers = re.findall(r"[+−][\d∞]+|\b0\b", said.replace("10 − ", "10-").replace(" − 10", "-10"))
    if numbers:
        assert re.search(r"\bM(AX|IN)\b", said), said
    assert not re.search(r"(?<!10)-\d", said), said
    match done:
        case None:
            assert numbers == []
        case Enter((), _, held):
            assert numbers == [signed(held.best)]
        case Enter(value=value):
            assert numbers == ([] if value is None else [signed(value)])
        case Back(path, value, bound, before, after_it):
            *above, square = path
            at = search.position.after(above)
            where = f" after {OTHER[at.turn]} {SQUARE_NAMES[above[-1]]}" if above else ""
            assert f"Back to {at.turn} ({'MIN' if len(above) % 2 else 'MAX'}){where}: " in said
            assert f"{SQUARE_NAMES[square]} is worth " in said
            if done.improves and abs(before.best) < 99:
                compared = "lower" if len(above) % 2 else "higher"
                assert f"That is {compared} than {signed(before.best)}:" in said
            assert numbers[0] == signed(value)
            assert (f"worth {bound} " in said) == (bound != "exact")
            assert f"best {'is now' if done.improves else 'stays'} {signed(after_it.best)}" in said
            assert (f"from here down α, the most MAX has, is {signed(after_it.alpha)}" in said) == (
                before.alpha != after_it.alpha
            )
            assert (f"from here down β, the least MIN has, is {signed(after_it.beta)}" in said) == (
                before.beta != after_it.beta
            )
        case Cut(path, child, rest, best, against, by):
            mine, other = ("MIN", "MAX") if len(path) % 2 else ("MAX", "MIN")
            assert f"({mine}) has {signed(best)} here, by {SQUARE_NAMES[child]}" in said
            assert f"({other}) has {signed(against)} already, by {SQUARE_NAMES[by[-1]]}" in said
            assert all(SQUARE_NAMES[square] in said.rpartition("so ")[2] for square in rest)
        case Return():
            turn = search.position.turn
            assert f"{turn} (MAX) takes the highest: {SQUARE_NAMES[search.move]}." in said


def sentences(client: FlaskClient, search: Run) -> list[str]:
    return [inner(page_of(client, search, n), "status") for n in range(len(search.steps) + 1)]


def test_minimax_on_the_classic_picture_is_told_in_these_words(client: FlaskClient) -> None:
    said = sentences(client, run(Position.parse(CLASSIC), "minimax", "depth", "squares"))
    assert said[:10] == [
        "Which move is best for X? Minimax tries each, and every answer to it, to the end of every"
        " game. Nothing is searched yet.",
        "X (MAX) is to move and takes the highest value. No move has been tried yet, so its best is"
        " −∞, less than any value.",
        "X tries top centre. Now O (MIN) is to move and takes the lowest value.",
        "O answers centre. The game is over: O wins on turn 2, 2 − 10 = −8 for MAX.",
        "Back to O (MIN) after X top centre: centre is worth −8, the first value there: best is now"
        " −8.",
        "O answers middle right. Now X (MAX) is to move and takes the highest value.",
        "X answers centre. The game is over: X wins on turn 3, 10 − 3 = +7 for MAX.",
        "Back to X (MAX) after O middle right: centre is worth +7, the first value there: best is"
        " now +7.",
        "Back to O (MIN) after X top centre: middle right is worth +7. It takes the lowest: best"
        " stays −8.",
        "Back to X (MAX): top centre is worth −8, the first value there: best is now −8.",
    ]
    assert (
        said[11] == "Back to X (MAX): centre is worth +9. That is higher than −8: best is now +9."
    )
    assert said[20:] == [
        "Of top centre −8, centre +9 and middle right −8 X (MAX) takes the highest: centre."
    ]


def test_alpha_beta_says_what_it_leaves_out_and_why_it_may(client: FlaskClient) -> None:
    said = sentences(client, run(Position.parse(CLASSIC), "alpha-beta", "depth", "squares"))
    assert said[0].startswith("Which move is best for X? Alpha-beta finds what minimax finds")
    assert said[11].endswith("best is now +9. So from here down α, the most MAX has, is +9.")
    assert said[17:] == [
        "O (MIN) has +7 here, by top centre: X middle right is worth at most that, whatever else O"
        " has. X (MAX) has +9 already, by centre, and will not come here: so O centre needs no"
        " search.",
        "Back to X (MAX): middle right is worth at most +7. It takes the highest: best stays +9.",
        "Of top centre −8, centre +9 and middle right at most +7 X (MAX) takes the highest:"
        " centre.",
    ]


def test_of_equal_values_the_first_stays_and_the_page_says_so(client: FlaskClient) -> None:
    said = sentences(client, run(Position.parse("O--X-XOOX"), "minimax", "flat", "squares"))
    assert "The game is over: X wins, +1 for MAX." in said[-3]
    assert said[-2].endswith("centre is worth +1, no better than what is there: best stays +1.")
    assert said[-1].endswith("Top right and centre brought as much, but later: the first stays.")


def test_a_draw_is_nought(client: FlaskClient) -> None:
    said = sentences(client, run(Position.parse("XXOOO-XX-"), "minimax", "depth", "squares"))
    assert said[5] == "X answers middle right. The game is over: a draw, 0 for MAX."


# From step to step


def steps_of(soup: BeautifulSoup) -> dict[str, Tag]:
    return {str(a["id"]): a for a in soup.select("#steps a")}


def test_first_back_next_and_last_lead_where_they_say(client: FlaskClient) -> None:
    url = f"/run/{CLASSIC}"
    last = len(run(Position.parse(CLASSIC), "minimax", "depth", "squares").steps)
    for step in range(last + 1):
        links = steps_of(parse(client.get(f"{url}?step={step}")))
        to = {"first": 0, "back": max(step - 1, 0), "next": min(step + 1, last), "last": last}
        assert {name: a["href"] for name, a in links.items()} == {
            name: f"{url}?step={n}" if n else url for name, n in to.items()
        }
        assert {name for name in links if links[name].has_attr("aria-disabled")} == {
            name for name, n in to.items() if n == step
        }


def test_every_control_keeps_the_search(client: FlaskClient) -> None:
    asked = "algorithm=alpha-beta&scoring=flat&order=worst"
    soup = parse(client.get(f"/run/{CLASSIC}?{asked}&step=3&predict=on"))
    for link in soup.select("#run a[href]"):
        assert f"{asked}&" in f"{link['href']}&"
    fields = {str(f["name"]): str(f["value"]) for f in soup.select("#scrubber [name]")}
    assert fields.pop("step") == "3"
    assert "&".join(f"{name}={value}" for name, value in fields.items()) == f"{asked}&predict=on"
    others = [str(a["href"]).partition("?")[2] for a in soup.select(".switches a")]
    assert "scoring=flat&order=worst" in others  # minimax goes without saying
    assert "algorithm=alpha-beta&scoring=flat&order=best" in others


def run_in(answer: TestResponse) -> BeautifulSoup:
    """Return the part of a page that its steps change."""
    soup = BeautifulSoup(answer.text, "html.parser", parse_only=SoupStrainer(id="run"))
    assert len(soup.select("#run")) == 1
    return soup


def swapped(page: BeautifulSoup, answer: BeautifulSoup, ids: str) -> str:
    """Return what a run looks like once htmx has swapped those parts of an answer into it."""
    now = str(page)
    for part in ids.split(","):
        id, _, how = part.removeprefix("#").partition(":")
        old, new = str(page.find(id=id)), str(answer.find(id=id))
        if how == "innerHTML":
            new = old.partition(">")[0] + ">" + new.partition(">")[2]
        assert now.count(old) == 1
        now = now.replace(old, new)
    return now


@pytest.mark.parametrize("query", ["", "?algorithm=alpha-beta&predict=on"])
def test_a_step_swaps_all_that_it_can_change(client: FlaskClient, query: str) -> None:
    first = run_in(client.get(f"/run/---XOXXO-{query}"))
    last = run_in(client.get(str(steps_of(first)["last"]["href"])))
    ids = str(first.select("#run")[0]["data-hx-select-oob"])
    assert swapped(first, last, ids) == str(last)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_page_is_a_swap_of_at_most_six_kilobytes(
    client: FlaskClient, algorithm: Algorithm
) -> None:
    root = max(SMALL, key=lambda position: run(position, "minimax", "depth", "squares").counts)
    search = run(root, algorithm, "depth", "squares")
    assert run(root, "minimax", "depth", "squares").counts.nodes == 65
    for step in range(0, len(search.steps) + 1, 5):
        page = page_of(client, search, step, "&predict=on")
        assert len(gzip.compress(page.encode(), 6)) <= 6 * 1024
    assert len(gzip.compress(client.get(f"/tree/{root}?view=all").data, 6)) <= 6 * 1024


def test_both_algorithms_are_counted_side_by_side(client: FlaskClient) -> None:
    soup = parse(client.get("/run/---XOXXO-?step=3"))
    rows = [
        [text_of(cell) for cell in row.find_all(["th", "td"])] for row in soup.select("#counts tr")
    ]
    assert rows == [
        ["", "nodes", "leaves", "cuts"],
        ["So far", "3", "0", "0"],
        ["Minimax in all", "34", "17", "0"],
        ["Alpha-beta in all", "15", "7", "4"],
    ]


# Ask first


def right(search: Run, step: int) -> str | None:
    """Return what should be answered after so many steps, None where nothing is to be asked."""
    if step == len(search.steps):
        return None
    match search.steps[step]:
        case Back(after=held):
            return f"{held.best:.0f}"
        case Cut():
            return "cut"
        case Return():
            return str(search.move)
        case Enter() if search.algorithm == "alpha-beta" and step:
            return "searched" if isinstance(search.steps[step - 1], Back) else None
    return None


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_predict_asks_before_each_value_and_cut_and_only_the_right_answer_goes_on(
    client: FlaskClient, request: pytest.FixtureRequest, kind: Kind
) -> None:
    """Longer in a soak; briefly, each from three empty squares, one of each algorithm from four."""
    whole, number = request.config.getoption("--soak"), KINDS.index(kind)
    for root in SMALL[::15] if whole else SMALL[number * 11 + (number % 6 > 0) * 190 :: 190][:2]:
        search = run(root, *kind)
        pages = [
            page_of(client, search, step, "&predict=on") for step in range(len(search.steps) + 1)
        ]
        for step, page in enumerate(pages):
            answers, expected = re.findall(r'id="answer-(.*?)"', page), right(search, step)
            assert (expected in answers) == bool(answers) == (expected is not None)
            assert ("Show me" in page) == bool(answers)
            assert nodes_on(page) == nodes_on(page_of(client, search, step))
            for answer in answers:
                judged = page_of(client, search, step, f"&predict=on&answer={answer}")
                said, there = inner(judged, "status"), pages[step + (answer == expected)]
                assert nodes_on(judged) == nodes_on(there)
                assert inner(judged, "scrubber") == inner(there, "scrubber")
                assert said.startswith("Right. ") == (answer == expected)
                assert ("Try again." in said) == (answer != expected)


def asked(client: FlaskClient, board: str, step: int, answer: str = "", more: str = "") -> str:
    answering = f"&answer={answer}" if answer else ""
    response = client.get(f"/run/{board}?step={step}&predict=on{answering}{more}")
    return text_of(parse(response).select_one("#status"))


def test_a_wrong_value_gets_the_reason(client: FlaskClient) -> None:
    #  O |   | X     X to move has tried top centre; O has centre with −8, and middle right
    #  X |   |       comes back with +7.
    #  X | O | O
    question = "+7 comes back from middle right to O (MIN), which has −8. What is its best then?"
    assert asked(client, CLASSIC, 7).endswith(question)
    assert asked(client, CLASSIC, 7, "7") == (
        "Not +7: O (MIN) takes the lowest, and had a lower value before. Try again. " + question
    )
    assert asked(client, CLASSIC, 7, "9") == (
        "Not +9: O (MIN) has either what it had or what comes back. Try again. " + question
    )
    assert asked(client, CLASSIC, 7, "-8").startswith(
        "Right. Back to O (MIN) after X top centre: middle right is worth +7. It takes the lowest:"
        " best stays −8."
    )
    kept = asked(client, CLASSIC, 10, "-8")
    assert kept.startswith("Not −8: X (MAX) takes the highest, and what comes back is higher.")
    assert asked(client, CLASSIC, 3).endswith(
        "to O (MIN), which has no value yet. What is its best then?"
    )


def test_whether_the_rest_is_searched_is_asked_and_judged(client: FlaskClient) -> None:
    pruning = "&algorithm=alpha-beta"
    question = "O (MIN) has centre left here. Is it searched?"
    assert asked(client, CLASSIC, 16, more=pruning).endswith(question)
    assert asked(client, CLASSIC, 16, "searched", pruning) == (
        "No: O (MIN) has +7 here, and X (MAX) has +9 already. Would it still come here? Try again. "
        + question
    )
    assert asked(client, CLASSIC, 16, "cut", pruning).startswith("Right. O (MIN) has +7 here")
    early = asked(client, CLASSIC, 9, "cut", pruning)
    assert early.startswith("Not yet: α is −8 and β +∞. Between them is room")
    assert early.endswith("X (MAX) has centre and middle right left here. Are they searched?")
    assert "At most +7 comes back from middle right" in asked(client, CLASSIC, 17, more=pruning)


def test_at_the_end_the_move_is_asked(client: FlaskClient) -> None:
    question = "Every value is back. Which move does X (MAX) play?"
    assert asked(client, CLASSIC, 19).endswith(question)
    assert asked(client, CLASSIC, 19, "1") == (
        "Not top centre: it brought −8, and X (MAX) has seen more. Try again. " + question
    )
    assert asked(client, "O--X-XOOX", 15, "4", "&scoring=flat").startswith(
        "Not centre: it brought +1, but not first, and only more would have replaced what X (MAX)"
    )
    assert asked(client, CLASSIC, 19, "4").startswith("Right. Of top centre −8")


def test_what_a_move_brought_is_what_came_back_of_that_very_move() -> None:
    for position in SMALL:
        for kind in KINDS:
            search = run(position, *kind)
            for square in position.legal_moves():
                assert brought(search, str(square)).path == (square,)


# What cannot be watched


@pytest.mark.parametrize("board", ["---------", "X---O----", "XO--X----"])
def test_a_larger_search_is_counted_and_leads_to_those_that_can_be_watched(
    client: FlaskClient, board: str
) -> None:
    soup = parse(client.get(f"/run/{board}"))
    said = text_of(soup.select_one("main"))
    assert f"enters {nodes_below(board):,} nodes" in said
    assert "With 4 empty squares or fewer it can be watched" in said
    (best,) = [a for a in soup.select("p a") if text_of(a) == "Play on as both sides would"]
    assert parse(client.get(str(best["href"]))).select("#run")
    below = [str(a["href"]) for a in soup.select("a.node")]
    assert len(below) == unfinished_below(Position.parse(board), turns=2)
    while below:  # the first board each time
        soup = parse(client.get(below[0]))
        below = [str(a["href"]) for a in soup.select("a.node")]
    assert soup.select("#run")


def unfinished_below(position: Position, turns: int) -> int:
    """Count the nodes of the next turns at which there is a search, mirror images as one."""
    if not turns:
        return 0
    below = [move.position for move in branches(position) if not move.position.outcome()]
    return len(below) + sum(unfinished_below(child, turns - 1) for child in below)


def test_to_a_search_that_can_be_watched_both_sides_play_their_first_best_moves(
    client: FlaskClient,
) -> None:
    over = Counter[bool]()
    for position in sorted(set(representatives().values())):
        board = nearest = str(position)
        while nearest.count("-") > 4:
            nearest = textbook.children(nearest)[min(textbook.best(nearest))]
        if board != nearest:
            paragraphs = parse(client.get(f"/run/{board}")).select(".prose > p")
            (said,) = [p for p in paragraphs if text_of(p).startswith("With 4 empty")]
            over[textbook.over(nearest)] += 1
            if textbook.over(nearest):
                assert text_of(said).endswith(". Choose a board below.")
                assert not said.select("a")
            else:
                (best,) = said.select("a")
                assert best["href"] == f"/run/{nearest}"
    assert over[True] and over[False]


@cache
def nodes_below(board: str) -> int:
    """Count a board and every way to play on from it."""
    return 1 + sum(map(nodes_below, textbook.children(board).values()))


def test_a_finished_game_has_no_search(client: FlaskClient) -> None:
    said = text_of(parse(client.get("/run/XXXOO----")).select_one("main"))
    assert "X won: top row. There is nothing left to search." in said
    assert "MAX" not in said


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("step=21", "step is a number from 0 to 20."),
        ("step=-1", "step is a number from 0 to 20."),
        ("step=01", "step is a number from 0 to 20."),
        ("step=", "step is a number from 0 to 20."),
        ("step=1&step=2", "step was given 2 times"),
        ("algorithm=negamax", "algorithm is one of minimax, alpha-beta."),
        ("scoring=turns", "scoring is one of depth, flat."),
        ("order=random", "order is one of squares, best, worst."),
        ("predict=off", "predict is one of on."),
        ("step=3&predict=on&answer=8", "answer is one of -8, 7, 9."),
        ("step=2&predict=on&answer=8", "Nothing is asked at this step, so there is no answer."),
        ("step=3&answer=-8", "Nothing is asked at this step, so there is no answer."),
    ],
)
def test_a_run_that_cannot_be_meant_is_refused_with_the_reason(
    client: FlaskClient, query: str, reason: str
) -> None:
    assert_refused(client, f"/run/{CLASSIC}?{query}", reason)


@pytest.mark.parametrize(
    "url", [f"/run/{CLASSIC}?step=7&predict=on", f"/tree/{CLASSIC}", "/run/---------"]
)
def test_a_page_depends_on_its_url_alone_and_is_kept(client: FlaskClient, url: str) -> None:
    first = client.get(url)
    client.post("/new", data={"mark": "O"})
    assert client.get(url, headers={"HX-Request": "true"}).data == first.data
    assert first.headers["Cache-Control"].startswith("public")
    assert "HX" not in first.headers.get("Vary", "")
