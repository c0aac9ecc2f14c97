"""The lesson: what every click shows and says, and that all its numbers are right."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from html import unescape
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.position import LINES, SQUARE_NAMES, Position
from teach.lesson import alpha_beta, boards, machine
from teach.lesson.boards import MAIN_BOARD
from teach.lesson.screen import WORDS, Card, Screen, State, next_states
from teach.lesson.screens import (
    LAST_SCREEN,
    SOLVING_QUERIES,
    screen,
    seconds,
    states,
    total_minutes,
)
from teach.lesson.terms import terms
from teach.markings import CUT_OFF
from teach.trees import tree
from tests import positions, textbook
from tests.conftest import Resume, game_of, parse, text_of
from tests.counts import search_costs
from tests.html import Tag
from tests.sentences import assert_matches_snapshot, board_text, page_text, part_text, tree_text
from tests.serving import ROOT

NUMBERS = [str(n) for n in range(1, LAST_SCREEN + 1)]


def open_screen(client: FlaskClient, address: str) -> Tag:
    response = client.get(f"/learn/{address}".rstrip("/"))
    assert response.status_code == 200, address
    return parse(response)


def texts(page: Tag, selector: str) -> str:
    return ", ".join(text_of(tag) for tag in page.select(selector))


# Sentences in every state, and pages in some


def sentences_of_screen(lesson_screen: Screen) -> list[str]:
    """Return all sentences of a screen."""
    rule, parts = lesson_screen.rule or Card(""), vars(lesson_screen)
    bubble = parts.get("bubble")
    return [
        *((bubble.remark, bubble.question) if bubble else ()),
        *(text for card in lesson_screen.cards for text in (card.title, card.text)),
        *(
            small.caption
            for part in (bubble, *lesson_screen.cards)
            if part
            for small in part.boards
        ),
        *(rule.title, rule.text),
        parts.get("question", ""),
        lesson_screen.note,
        *(remark for *_, remark in parts.get("findings", ())),
    ]


def test_the_sentences_of_every_state_match_the_snapshot() -> None:
    first_queries: dict[tuple[str, str], str] = {}
    for name in NUMBERS:
        for state, lesson_screen in sorted(states(name).items(), key=lambda item: item[0].query):
            first_queries.setdefault(
                (name, " · ".join(filter(None, sentences_of_screen(lesson_screen)))),
                state.query or "begins",
            )
    summary = (f"{name} {query}\n    {text}\n" for (name, text), query in first_queries.items())
    assert_matches_snapshot("lesson-said", "".join(summary))


STATES = [
    *NUMBERS, *(f"{name}?{query}" for name, query in SOLVING_QUERIES.items()),
    "1?p=1", "2?seen=2&p=3&p=2", "3?p=3", "4?p=23&p=35", "4?p=23&p=35&p=53&try=5", "5?try=5.1&at=5",
    "6?try=1", "7?p=0", "7?p=1", "7?p=2&p=6", "8?seen=1&seen=5", "9?seen=8&at=8",
    "9?seen=2&seen=3&seen=5&seen=6&seen=8&try=2", "10?p=4&p=7&try=1",
    "12?p=-5", "12?p=-5&p=0", "12?p=-5&p=0&p=cut", "12?p=-5&p=0&p=cut&p=too",
    "12?at=numbers", "12?p=look&at=numbers", "12?p=cut&at=numbers", "12?p=cut&p=next&at=numbers",
    "12?p=cut&p=next&try=cut&at=numbers", "12?p=cut&p=next&p=last&at=numbers",
    "12?at=other", "12?p=look&at=other", "9?seen=2&seen=3&seen=5&seen=6&at=3",
    "13?p=2", "14?p=4&p=1&p=6",
]  # fmt: skip


def test_every_kind_of_page_matches_its_snapshot_and_is_small(client: FlaskClient) -> None:
    snapshot = ""
    for address in STATES:
        response = client.get(f"/learn/{address}")
        assert len(gzip.compress(response.data)) < 4096, address
        page = parse(response)
        looks = page.select(".bubble, .over, .pulse, .tick, .spent")
        shown = [address, board_text(page), tree_text(page), texts(page, "main svg text")]
        shown += [", ".join(" ".join(tag.classes) for tag in looks)]
        shown += [f"heard: {part_text(page.select('#after[role=status]')[0])}"]
        snapshot += "\n    ".join(filter(None, shown)) + f"\n{page_text(page)}"
    assert_matches_snapshot("lesson-screens", snapshot)


def test_links_away_from_a_solved_screen_return_to_the_same_state(client: FlaskClient) -> None:
    for n in NUMBERS:
        page = open_screen(client, f"{n}?{SOLVING_QUERIES[n]}")
        assert not page.select("header a.back, #foot a, .card a:not([href^='/learn'])")
        for button in page.select("button[name=next]"):
            sent = {"next": button["value"], "state": SOLVING_QUERIES[n]}
            to = client.post(f"/learn/{n}/done", data=sent).headers["Location"]
            if "lesson=" in to:
                linked_page = parse(client.get(to))
                back = {link["href"] for link in linked_page.select(f"a[href^='/learn/{n}?']")}
                assert back == {f"/learn/{n}?{SOLVING_QUERIES[n]}"}
                assert "‹ Lesson" in linked_page.get_text()


@pytest.mark.parametrize("n", positions.sample(3, NUMBERS))
def test_every_link_of_a_screen_works(client: FlaskClient, n: str) -> None:
    for query in ("", SOLVING_QUERIES[n]):
        for origin in ("", "from=game", f"to={n}"):
            page = parse(client.get(f"/learn/{n}?{query}&{origin}".replace("?&", "?")))
            for link in page.select("main a"):
                assert client.get(link["href"], follow_redirects=True).status_code == 200, link
            for button in page.select("#foot button[name=next]"):
                sent = {field["name"]: field["value"] for field in page.select("#foot input")}
                sent["next"] = button["value"]
                response = client.post(f"/learn/{n}/done", data=sent, follow_redirects=True)
                assert response.status_code == 200, button


def test_solving_a_screen_is_saved_and_opening_one_is_not(client: FlaskClient) -> None:
    for n in NUMBERS:
        unsolved, solved = client.get(f"/learn/{n}"), client.get(f"/learn/{n}?{SOLVING_QUERIES[n]}")
        assert "afterSettle" in solved.text and "afterSettle" not in unsolved.text
        assert "Set-Cookie" not in solved.headers
        response = client.post(f"/learn/{n}/done", headers={"HX-Request": "true"})
        assert (response.status_code, response.data) == (204, b"")
    index = client.get("/learn").text
    assert "14 of 14 done" in index and "Done. Play Perfect" in index


def test_the_way_back_returns_to_the_same_screen_and_state(client: FlaskClient) -> None:
    watched = "/study/OX--X-OOX?view=search&scoring=flat&lesson=10%3Fp%3D4"
    repair = "/learn/write?l4=0&lesson=10%3Fp%3D4"
    for url in (watched, f"{watched}&step=5", repair, f"{repair}&run=on"):
        text = client.get(url).text
        assert 'href="/learn/10?p=4"' in text
        assert not re.search("alpha.?beta", text, re.I), "it must not be named before screen 12"
        assert 'class="point"' not in text, "▲ must not be explained before screen 12"
    text = client.get(watched.replace("10%3Fp%3D4", "13")).text
    assert "Alpha-beta prunes nothing" in text and 'class="point"' in text
    assert 'href="/learn/9"' in client.get("/study?lesson=9").text
    for lesson in ("15", "x", "10?p=3", "9?at=2"):
        assert client.get("/study", query_string={"lesson": lesson}).status_code == 400


@pytest.mark.parametrize("start", ["/learn/end", "/learn"])
def test_the_game_after_the_lesson_is_a_new_one_against_perfect(
    client: FlaskClient, resume: Resume, start: str
) -> None:
    resume("03142", opponent="perfect")
    with client.session_transaction() as session:
        session["done"] = "123456789abcde"
    form = parse(client.get(start)).select("form[action='/new']")[0]
    data = {str(field["name"]): str(field["value"]) for field in form.select("[name]")}
    client.post("/new", data=data)
    game = game_of(client)
    assert (game.moves, game.opponent_name) == ((), "perfect")


@pytest.mark.long
@pytest.mark.parametrize("name", NUMBERS)
def test_the_end_can_be_reached_from_every_state(client: FlaskClient, name: str) -> None:
    screens = states(name)
    following = {state: {*next_states(lesson_screen)} for state, lesson_screen in screens.items()}
    for n, (state, lesson_screen) in enumerate(screens.items()):
        assert screen(name, state) == lesson_screen
        assert lesson_screen.is_solved or following[state] - {state}, "it must not be a dead end"
        later = [screens[to] for to in following[state] if lesson_screen.is_solved]
        assert all(after.is_solved or after.onward for after in later), (
            "what is solved must stay solved"
        )
        if n % (1 + len(screens) // (20 if positions.is_soak else 6)) == 0:
            page = client.get(f"/learn/{name}?{state.query}").text
            assert {*map(unescape, re.findall(rf'href="(/learn/{name}\?.*?)"', page))} == {
                f"/learn/{name}?{to.query}#stage" for to in following[state] if to.query
            }
            ids = re.findall(r'\sid="(.*?)"', page)
            assert len(ids) == len({*ids}), "each id must be used once"
    can_end = {state for state, lesson_screen in screens.items() if lesson_screen.is_solved}
    while more := {state for state in screens.keys() - can_end if can_end & following[state]}:
        can_end |= more
    assert can_end == {*screens}, "every state must lead to the end"


@pytest.mark.parametrize("n", NUMBERS)
def test_a_screen_starts_with_few_words(client: FlaskClient, n: str) -> None:
    page = open_screen(client, n)
    for hidden in page.select(
        ".tree, .chip, .code, .unseen, svg, .cell, .act, .who, .choices, .legend, .findings"
    ):
        hidden.remove()
    assert 12 <= len(text_of(page.select_one("main")).split()) <= 45


def sentences_in(words: Any) -> Iterator[str]:
    """Yield the sentences of a screen, except those on buttons."""
    for text in words.values():
        if isinstance(text, dict):
            yield from sentences_in(text)
        elif isinstance(text, str):
            yield from re.split(r"(?<=[.?!:])\s+", text.replace("**", ""))


@pytest.mark.parametrize("n", NUMBERS)
def test_no_sentence_takes_more_than_two_lines_on_a_phone(n: str) -> None:
    """A line of 390 px has about 42 characters, minus those lost by wrapping."""
    assert not [text for text in sentences_in(WORDS[n]) if len(text) > 80]


# The numbers


def flat(board: str, side: str = "X") -> int:
    return textbook.sign(textbook.minimax(board, side))


def parts_of(name: str) -> Mapping[State, Any]:
    """Return a screen in every state, as Any, because its parts depend on its kind."""
    return states(name)


@pytest.mark.parametrize("name", NUMBERS)
def test_every_value_in_every_tree_matches_the_textbook(name: str) -> None:
    for lesson_screen in states(name).values():
        tree = vars(lesson_screen).get("tree")
        for node in tree.root.walk() if tree and tree.root.has_board else ():
            with_turns = textbook.minimax(str(node.position), "X", len(node.path))
            assert node.value == (with_turns if name == "9" else flat(str(node.position)))
            assert node.mover == (textbook.turn(str(node.position)) if node.below else None)
            assert node.is_max == (textbook.turn(str(node.position)) == "X")
            squares = {child.path[-1] for child in node.below}
            if name == "9" and node.path and node.below:
                scores = textbook.move_scores(str(node.position))
                assert [scores[answer] for answer in squares] == [max(scores.values())]
            elif node.below:
                assert squares == {*textbook.children(str(node.position))}


def test_windows_and_bounds_on_screen_12_match_the_textbook(client: FlaskClient) -> None:
    """The windows are those after the search; until then, a bound is only the best so far."""
    tree: dict[int, textbook.Tree] = {
        0: {0: 3, 1: 12, 2: 8},
        1: {0: 2, 1: 4, 2: 6},
        2: {0: 14, 1: 5, 2: 2},
    }
    searched = textbook.Windows(tree)
    assert searched.value == 3 and searched.pruned_children == {(1,): ((1, 1), (1, 2)), (2,): ()}
    page = open_screen(client, "12?p=cut&p=next&p=last&at=numbers")
    windows = [text_of(tag) for tag in page.select(".window")]
    assert windows == ["[3, +∞]", "[−∞, 3]", "[3, 2]", "[3, 2]"]
    assert {path: (a, b) for path, (a, b) in searched.on_exit.items() if len(path) < 2} == {
        (): (3, inf),
        (0,): (-inf, 3),
        (1,): (3, 2),
        (2,): (3, 2),
    }
    shown = [text_of(chip) for chip in page.select(".worth > .chip")]
    assert shown == ["3", "3", "≤ 2", "2"]
    covered = page.select(".covered > .shape")
    assert [cover["id"] for cover in covered] == ["n11", "n12"]
    before_last = open_screen(client, "12?p=cut&p=next&at=numbers")
    assert [text_of(chip) for chip in before_last.select(".worth > .chip")] == [
        "≥ 3",
        "3",
        "≤ 2",
        "≤ 5",
    ]
    words = WORDS["12"]["numbers"]
    assert "7 of 9 leaves were enough" in words["done"]
    assert searched.pruned_children[2,] == () and "nothing is left to prune" in words["done"]
    assert len(searched.on_entry) - 4 == 7
    alpha, beta = textbook.Windows({**tree, 2: {0: 14, 1: 5}}).on_exit[2,]
    assert f"At _D_, α is {alpha} and β is {beta}" in words["at_d"]
    assert textbook.Windows({**tree, 2: {0: 14, 1: 5, 2: 4}}).value == 4, "as `early` says"


def test_alpha_beta_prunes_on_a_tie_as_screen_12_says() -> None:
    """It does so whatever value is covered."""
    for covered in range(-9, 10):
        below: textbook.Tree = {0: 0, 1: {0: 0, 1: covered}}
        tie = textbook.Windows(below, is_max=False)
        assert (tie.value, tie.on_exit[1,], tie.pruned_children) == (0, (0, 0), {(1,): ((1, 1),)})
        lower = textbook.Windows({0: 0, 1: {0: -1, 1: covered}}, is_max=False)
        assert lower.pruned_children.get((1,), ()) == ()
    assert alpha_beta.TIE_TREE.value == 0 and not alpha_beta.TIE_TREE.is_max


def random_win_chance(board: str, side: str) -> Fraction:
    below = textbook.children(board).values()
    if not below:
        return Fraction(textbook.winner(board) == side)
    return sum((random_win_chance(child, side) for child in below), Fraction()) / len(below)


def test_the_odds_on_screen_7_are_right_and_the_tempting_square_loses() -> None:
    board, words = str(boards.TASK_7.root), WORDS["7"]
    scores = textbook.move_scores(board)
    assert scores == {0: 0, 1: -6, 2: -4, 4: -6, 6: 0, 8: -4}
    chances = {
        square: random_win_chance(below, "O") for square, below in textbook.children(board).items()
    }
    assert max(chances, key=lambda square: chances[square]) == int(boards.TEMPTING_SQUARE) == 2
    assert chances[2] == Fraction(1, 2)
    assert "If both guess, top right wins half the games." in words["intro"]
    assert all(chances[draw] < chances[2] for draw in (0, 6))
    assert "top right wins more often" in words["answers"]["1 right"]["text"]


def test_top_right_on_screen_7_runs_into_a_fork_in_three_presses() -> None:
    board = textbook.children(str(boards.TASK_7.root))[2]
    for square in (8, 6, 4):  # X bottom right, O stops it, X center
        scores = textbook.move_scores(board)
        assert [square for square, score in scores.items() if score == max(scores.values())] == [
            square
        ]
        board = textbook.children(board)[square]
    assert len(textbook.winning_squares(board, "X")) == 2
    assert (
        "".join(cell.mark or "-" for cell in parts_of("7")[State(kept_presses=("2", "6"))].board)
        == board
    )
    for last in textbook.children(board):
        shown = parts_of("7")[State(kept_presses=("2", "6", str(last)))]
        assert textbook.winner("".join(cell.mark or "-" for cell in shown.board)) == "X"


def test_finding_the_draw_first_on_screen_7_leads_on_to_top_right() -> None:
    after_draw = parts_of("7")[State(kept_presses=("0",))]
    assert after_draw.onward and not after_draw.is_solved
    next_screen = parts_of("7")[after_draw.onward.state]
    assert next_screen.board[2].mark == "O" and not next_screen.is_solved and not next_screen.onward
    assert parts_of("7")[State(("0",), ("2", "6", "0"))].is_solved


BOARD_TASKS = {
    "1": boards.TASK_1,
    "2": boards.TASK_2,
    "7": boards.TASK_7,
    "8": boards.TASK_8,
    "14": boards.TASK_14,
}


def test_every_reply_keeps_the_best_result_of_its_side() -> None:
    for name in (*BOARD_TASKS, "3"):
        for state, lesson_screen in parts_of(name).items():
            marks = "".join(cell.mark or "-" for cell in lesson_screen.board)
            if len(state.kept_presses) == 1 and not textbook.is_over(marks):
                task = BOARD_TASKS.get(
                    name, boards.TASK_3_SECOND if state.view else boards.TASK_3_FIRST
                )
                assert flat(marks) == flat(
                    textbook.children(str(task.root))[int(state.kept_presses[0])]
                )


def test_screen_8_prefers_fast_wins_and_screen_9_late_losses() -> None:
    assert textbook.move_scores(str(boards.TASK_8.root)) == {0: -8, 1: 7, 5: 9}
    counted = {0: "−8", 1: "7", 5: "★ 9"}
    for state, lesson_screen in parts_of("8").items():
        chips = {
            (square, cell.chip.text) for square, cell in enumerate(lesson_screen.board) if cell.chip
        }
        assert state.view != "turns" or chips <= {*counted.items()}
        open_cells = [cell for cell in lesson_screen.board if cell.press]
        leads_on = lesson_screen.is_solved or lesson_screen.onward
        assert not (leads_on and open_cells), (
            "no square may be asked for once the next step is shown"
        )
    board = "OX--O--X-"
    scores = textbook.move_scores(board)
    assert scores == {2: -8, 3: -8, 5: -8, 6: -8, 8: -6}
    answers = textbook.move_scores(textbook.children(board)[8])
    assert [square for square in answers if answers[square] > 0] == [6] and len(answers) == 4
    shown = parts_of("9")[State(seen_presses=("8",), view="8")]
    answer = textbook.children(textbook.children(board)[8])[6]
    assert str(shown.tree.root.at((8, 6)).position) == answer
    line = [answer, *(str(small.position) for small in shown.bubble.boards)]
    assert textbook.winner(line[-1]) == "O" and len(line) == 4 - 1
    for before, after in pairwise(line):
        scored = textbook.move_scores(before)
        (last,) = (n for n in range(9) if before[n] != after[n])
        assert scored[last] == max(scored.values())
    for square in set(scores) - {8}:
        below = textbook.move_scores(textbook.children(board)[square])
        assert sorted(below.values())[-2:] != [9, 9] and 9 in below.values()


def test_on_screen_9_all_five_moves_open_before_x_chooses() -> None:
    for state, lesson_screen in parts_of("9").items():
        has_opened_all = len(state.seen_presses) == 5
        assert not (lesson_screen.is_solved and (not has_opened_all or state.view))
        markings = lesson_screen.tree.markings
        moves = [path for path in markings if len(path) == 1 and markings[path].get("edge")]
        assert moves == (["8"] if lesson_screen.is_solved else [])


def test_board_counts_in_the_lesson_match_the_searches() -> None:
    plain, alpha_beta, best_first, memoized, symmetric = search_costs(Position(), "flat")
    assert [*WORDS["13"]["card"]["bars"].values()] == [plain, alpha_beta, best_first]
    assert [*WORDS["11"]["boards"].values()] == [plain, memoized, symmetric]


def test_areas_on_screen_11_are_in_proportion(client: FlaskClient) -> None:
    for bet in ("5", "50", "500"):
        screen = open_screen(client, f"11?p={bet}")
        boards = [*WORDS["11"]["boards"].values(), int(bet) * 1000]
        sides = [float(str(rect["width"])) for rect in screen.select(".areas rect")]
        assert [(side / 200) ** 2 * 549_946 for side in sides] == pytest.approx(boards, rel=0.02)
        assert text_of(screen.select_one("li.bet")) == f"{bet},000 your bet"


@pytest.mark.parametrize(
    ("first", "leaf_count", "node_count"), [(3, 4, 10), (2, 5, 12), (5, 5, 12)]
)
def test_the_number_of_leaves_visited_depends_on_the_first_move(
    client: FlaskClient, first: int, leaf_count: int, node_count: int
) -> None:
    below = textbook.ordered_tree(textbook.tree_of(str(MAIN_BOARD), flat=True), "best")
    assert isinstance(below, dict)
    moves = (first, *sorted({*below} - {first}))
    steps = textbook.Search({move: below[move] for move in moves}, pruning=True).steps
    kinds = [step.kind for step in steps]
    assert kinds.count("leaf") == leaf_count
    assert kinds.count("leaf") + kinds.count("enter") == node_count
    name = SQUARE_NAMES[first]
    sentences = {4: "Best move first: 4 leaves are enough.", 5: "Otherwise 5."}
    assert sentences[leaf_count] in WORDS["13"]["solved"]
    assert f"{leaf_count} leaves {name} first" in text_of(
        open_screen(client, f"13?p={first}").select_one(".counts")
    )


MAX_WORDS = (
    48,
    50,
    52,
    125,
    89,
    73,
    46,
    68,
    87,
    163,
    89,
    None,
    89,
    49,
)  # screen 12 names its terms


@pytest.mark.parametrize("n", NUMBERS)
def test_a_solved_screen_has_few_words(client: FlaskClient, n: str) -> None:
    max_count = MAX_WORDS[int(n) - 1]
    words = text_of(open_screen(client, f"{n}?{SOLVING_QUERIES[n]}").select_one("main")).split()
    assert max_count is None or len(words) <= max_count


def test_a_question_about_a_leaf_marks_the_leaf(client: FlaskClient) -> None:
    """The leaf is the last of nine, under _D_, or the last of three, under _B_."""
    for address, twelfth in (
        ("12?at=numbers", 6),
        ("12?p=cut&p=next&at=numbers", 11),
        ("12?at=other", 10),
    ):
        (bubble,) = open_screen(client, address).select(".bubble")
        assert f"twelfth-{twelfth}" in bubble.classes, address


# Around the screens


def test_next_saves_that_a_screen_is_done_and_opens_the_next(client: FlaskClient) -> None:
    for n, to in ((1, "2"), (3, "4"), (9, "10"), (13, "14"), (14, "end")):
        response = client.post(f"/learn/{n}/done")
        assert (response.status_code, response.headers["Location"]) == (303, f"/learn/{to}")
        assert response.headers["Cache-Control"] == "no-store"
    assert client.post("/learn/2/done", data={"next": "9"}).status_code == 400


def test_pages_around_the_lesson_promise_what_the_readme_promises(
    client: FlaskClient,
) -> None:
    """They are the index with five screens done, the end, and screens opened from elsewhere."""
    promised = f"bout {total_minutes()} minutes"
    assert promised in text_of(open_screen(client, "").select_one("main"))
    for n in (1, 3, 9, 13, 14):
        client.post(f"/learn/{n}/done")
    assert len(open_screen(client, "").select("main .done")) == 5
    today = [
        "1?to=6",
        "6?to=6",
        "6?p=0&to=6",
        *(f"9?{SOLVING_QUERIES['9']}&to={n}" for n in (9, 10, 11)),
    ]
    for address in ("end", *today, "3?from=game", f"2?{SOLVING_QUERIES['2']}&from=game"):
        assert len(open_screen(client, address).select("h1")) == 1, address
    assert promised in (ROOT / "README.md").read_text("utf-8")
    assert len(open_screen(client, "end").select(".grown .edge")) == LAST_SCREEN


def test_the_slowest_reader_took_at_most_a_quarter_longer_than_promised() -> None:
    readers = [sum(taken) for taken in zip(*WORDS["seconds"].values(), strict=True)]
    assert max(readers) <= 1.25 * 60 * total_minutes()


def test_every_glossary_term_has_a_picture_few_words_and_a_link(client: FlaskClient) -> None:
    page = open_screen(client, "words")
    for name, term in WORDS["terms"].items():
        (entry,) = page.select(f"#{name}")
        assert len(term["text"].split()) <= 31, name
        assert len(entry.select(".drawings > :is(.tree, .mini)")) >= 1
        (link,) = entry.select("a")
        assert client.get(str(link["href"])).status_code == 200


def test_glossary_trees_match_the_textbook() -> None:
    """They show the root value, the bounds before the last leaf, and the pruned leaf."""
    values = ((3, 12), (2, 4))
    left, right = (min(leaves) for leaves in values)
    drawn = {name: term.tree.markings for name, term in terms().items() if term.tree and term.names}
    chips = {
        name: {at: marking["chip"].text for at, marking in markings.items() if "chip" in marking}
        for name, markings in drawn.items()
    }
    assert chips["minimax"] == {"": f"{max(left, right)}", "0": f"{left}", "1": f"{right}"}
    assert chips["negamax"] == {"": f"{max(left, right)}", "0": f"−{left}", "1": f"−{right}"}
    assert chips["alpha"][""] == f"≥ {left}" and chips["beta"]["1"] == f"≤ {values[1][0]}"
    assert values[1][0] <= left, "the last leaf must not change the root"
    assert [at for at, marking in drawn["cutoff"].items() if marking.get("edge") == CUT_OFF] == [
        "11"
    ]
    means = [sum(leaves) / 2 for leaves in values]
    assert chips["expectimax"] == {
        "": f"{max(means):g}",
        "0": f"{means[0]:g}",
        "1": f"{means[1]:g}",
    }
    windows = textbook.Windows({n: dict(enumerate(leaves)) for n, leaves in enumerate(values)})
    for path, window in (((0,), (-inf, inf)), ((1,), (left, inf))):
        frame = drawn["window"][str(*path)]["frame"]
        assert frame and (frame.alpha, frame.beta) == windows.on_entry[path] == window


def test_the_glossary_uses_the_standard_terms(client: FlaskClient) -> None:
    text = text_of(open_screen(client, "words").select_one("main")).lower()
    for name in (
        *("ply", "utility", "terminal node", "evaluation function", "window", "horizon"),
        *("move ordering", "transposition table", "expectimax", "root", "leaf", "cutoff"),
    ):
        assert name in text, name


def test_the_glossary_is_right_in_every_setting() -> None:
    """Leaves at a depth limit are not terminal nodes; values equal to a bound change nothing."""
    entries = terms()
    assert not entries["leaf"].book and not entries["cutoff"].book
    assert "depth limit" in entries["leaf"].text and "Also called" in entries["cutoff"].text
    assert "only a value between them" in entries["window"].text
    assert "brackets" in entries["window"].text
    left = textbook.Windows({0: {0: 3, 1: 12}, 1: {0: 3, 1: 4}})
    assert left.on_exit[1,] == (3, 3) and left.value == 3, (
        "a value at α must be treated as one outside"
    )
    assert "postpone" in entries["horizon"].text and "stop there" in entries["perfect-play"].text


def test_glossary_estimates_count_the_open_lines() -> None:
    (picture,) = terms()["estimate"].boards
    for square, (text, side) in picture.values.items():
        lines = [line for line in LINES if square in line]
        assert (text, side) == (f"~+{len(lines)}", "X"), (
            "each line with only this mark must count 1"
        )


def test_glossary_scores_are_for_x() -> None:
    for picture in (*terms()["score"].boards, *terms()["memo"].boards):
        board = str(picture.board)
        sign = 1 if textbook.turn(board) == "X" else -1
        for square, score in textbook.move_scores(board).items():
            shown = int(picture.values[square][0].replace("−", "-"))
            assert shown == sign * score


def test_a_screen_opened_from_a_game_is_as_long_as_promised_and_returns(
    client: FlaskClient, resume: Resume
) -> None:
    """One game was lost to a fork, and one to an open line."""
    for moves, n in (("42170835", "3"), ("041236", "2")):
        resume(moves, "perfect")
        (link,) = parse(client.get("/why")).select(".status a")
        assert (link["href"], text_of(link)[:9]) == (
            f"/learn/{n}?from=game",
            f"{seconds(int(n))}-second",
        )
        page = open_screen(client, f"{n}?from=game")
        assert text_of(page.select_one(".head")) == "‹ Back to the game"
        assert all("from=game" in a["href"] for a in page.select("#stage a"))
        response = client.post(f"/learn/{n}/done", data={"next": "game"})
        assert response.headers["Location"] == "/"


def test_a_lesson_opened_from_today_ends_early(client: FlaskClient) -> None:
    for n in range(1, 6):
        page = open_screen(client, f"{n}?to=6")
        assert text_of(page.select_one(".count")) == f"{n} of 6"
        assert len(page.select(".segments i")) == 6
        assert all("to=6" in str(a["href"]) for a in page.select("#stage a, #foot a"))
        response = client.post(f"/learn/{n}/done", data={"to": "6"})
        assert response.headers["Location"] == f"/learn/{n + 1}?to=6"
    assert client.post("/learn/6/done", data={"to": "6"}).headers["Location"] == "/learn"


def test_every_link_on_the_page_for_teachers_works(client: FlaskClient) -> None:
    links = open_screen(client, "teach").select(".cards a")
    for link in links:
        assert client.get(str(link["href"]), follow_redirects=True).status_code == 200
    hrefs = {str(link["href"]) for link in links}
    assert {"/learn/sheet?seed=1&count=6", "/learn/sheet?seed=1&count=6&key=on"} <= hrefs


def test_extra_material_is_linked_below_the_screen(client: FlaskClient) -> None:
    nine_lines = open_screen(client, f"10?{SOLVING_QUERIES['10']}")
    assert "def negamax(node" in texts(nine_lines, "details .code")
    assert not open_screen(client, "4").select("details")


def test_negamax_returns_the_value_for_the_side_to_move() -> None:
    for board in ("O-XX--XOO", "OX--X-OOX", "-X---XOOX"):
        root = tree(Position.parse(board))
        assert machine.negamax(root) == max(textbook.move_scores(board).values())


def test_watch_it_run_opens_the_tree_of_its_screen(client: FlaskClient) -> None:
    """The board at the root is the same, X is MAX, and the results are 1, 0 and -1."""
    cases = (10, "run", "OX--XXOOX", "p=4"), (13, "cuts", MAIN_BOARD, "p=3")
    for n, destination, board, query in cases:
        response = client.post(f"/learn/{n}/done", data={"next": destination, "state": query})
        address = response.headers["Location"]
        page = parse(client.get(f"{address}&step=last"))
        assert f"/study/{board}?" in address
        drawn = [str(cell["class"]) for cell in page.select("#ntree .chip")]
        assert drawn and {text_of(chip) for chip in page.select("#ntree .chip")} <= {
            "+1", "0", "−1", "≤ −1",
        }  # fmt: skip
        assert text_of(page.select("#ntree .who")[0]) == ("O" if n == 10 else "X")
    assert "4 of 6" in text_of(page.select_one("#so-far")), (
        "it must search as many leaves as on screen 13"
    )


def test_the_guide_for_teachers_is_on_the_site_too(client: FlaskClient) -> None:
    (link,) = [a for a in open_screen(client, "teach").select("main a") if "guide" in text_of(a)]
    response = client.get(str(link["href"]))
    assert response.mimetype == "text/plain"
    assert response.text == (ROOT / "docs/teach.md").read_text()


def test_the_fork_of_the_glossary_is_made_by_its_last_move() -> None:
    """Before that move, X could not win at once."""
    (picture,) = terms()["fork"].boards
    assert picture.last_square is not None and len(picture.threatened) == 2
    before = list(str(picture.board))
    before[picture.last_square] = "-"
    assert not textbook.winning_squares("".join(before), "X")
