"""Practice: what is asked, every answer to it, every sentence, and rounds of ten."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from itertools import pairwise
from typing import Any, cast, get_args
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import BaseLoader, ChoiceLoader, DictLoader

from engine.notation import to_digits
from engine.position import Position
from teach.lesson.trees import grown
from teach.practice.rounds import (
    HARDNESS,
    NUMBERS,
    ROUNDS,
    Cuts,
    Kind,
    fill,
    find,
    keepers,
    round_of,
    search,
    to_practise,
)
from tests import positions, textbook
from tests.conftest import Scripted, parse
from tests.html import Tag
from tests.sentences import (
    assert_as_last_read,
    assert_same,
    board_as_read,
    page_as_read,
    tree_as_read,
)
from web.practice.routes import FOUND, JUDGES, Round

KINDS: tuple[Kind, ...] = get_args(Kind)


@pytest.fixture(autouse=True, scope="module")
def grown_once() -> Iterator[None]:
    """Keep what is found of a position, as most tests press on from the same few hundred."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("teach.practice.rounds.grown", cache(grown))
        patch.setitem(HARDNESS, "cuts", cache(HARDNESS["cuts"]))
        yield


@pytest.fixture
def words_alone(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no tree, which takes most of the time, where words alone are looked at."""
    empty = {"site/_trees.html": "{% macro family() %}{{ varargs and '' }}{% endmacro %}"}
    loader = ChoiceLoader([DictLoader(empty), cast(BaseLoader, app.jinja_env.loader)])
    monkeypatch.setattr(app, "jinja_env", app.jinja_env.overlay(loader=loader))


@cache
def asked(kind: Kind, hardness: str | None = None) -> list[str]:
    """Return the boards that are asked, all images."""
    return [
        str(position)
        for name, groups in to_practise(kind).items()
        if hardness in (None, name)
        for images in groups
        for position in images
    ]


def one_each(kind: Kind) -> list[str]:
    """Return one image of each board that is asked, now this and now that."""
    groups = [images for groups in to_practise(kind).values() for images in groups]
    return [str(images[n % len(images)]) for n, images in enumerate(groups)]


def tried(kind: Kind) -> list[str]:
    """Return the boards on which everything is pressed: in `make soak` all images, else one."""
    return asked(kind) if positions.all_images else one_each(kind)


def result(board: str) -> int:
    """Return what a board is worth to X, by the textbook."""
    return textbook.sign(textbook.minimax(board, "X"))


def answers(client: FlaskClient, urls: list[str]) -> Iterator[tuple[str, str]]:
    return ((url, said_on(client, f"/practise/{url}")) for url in urls)


def said_on(client: FlaskClient, url: str) -> str:
    """Return what a page of practice answers, without the marks' colours."""
    with client.application.test_request_context(url):
        page = str(client.application.dispatch_request())  # unpacked and with no headers around it
    told = re.search(r'id="told".*?>(.*?)(?:<div class="cut3"|</div>|<a )', page, re.DOTALL)
    assert told, url
    text = re.sub(r"</?(b|span|br|i)\b[^>]*>", "", told[1])
    return unescape(" ".join(re.sub("<[^>]*>", " ", text).split()))


def texts(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split()).replace(" .", ".").replace(" ,", ",")


# Find the only move


def kept(board: str) -> list[int]:
    """Return the moves that keep a win or a draw that others give away, by the textbook."""
    results = {square: textbook.sign(v) for square, v in textbook.move_scores(board).items()}
    best = max(results.values(), default=-1)
    keep = [square for square in results if results[square] == best]
    return keep if best >= 0 and len(keep) < len(results) else []


def how_hard_to_find(board: str) -> str:
    (square,) = kept(board)
    child = textbook.children(board)[square]
    if textbook.winner(child):
        return "completes"
    mark, other = textbook.turn(board), textbook.turn(child)
    others = [v for s, v in textbook.move_scores(board).items() if s != square]
    if square in textbook.wins_at(board, other) and max(others) < 0:
        return "blocks"
    two = len(textbook.wins_at(child, mark)) > 1
    return "forks" if two and textbook.move_scores(board)[square] == 7 else "quiet"


@pytest.mark.long
def test_there_are_166_wins_and_63_draws_to_find() -> None:
    boards = {min(textbook.images(board)) for board in textbook.every_board()}
    only = {b for b in boards if len(kept(b)) == 1 and len(textbook.children(b)) >= 3}
    wins = {board for board in only if max(textbook.move_scores(board).values()) > 0}
    assert (len(wins), len(only - wins)) == (166, 63)
    assert sorted(asked("moves")) == sorted({i for board in only for i in textbook.images(board)})
    for hardness in ROUNDS["moves"]:
        assert {how_hard_to_find(board) for board in asked("moves", hardness)} == {hardness}


@pytest.mark.long
def test_every_square_of_every_position_is_judged_and_a_wrong_one_is_played_out() -> None:
    for board in tried("moves"):
        position, (right,) = Position.parse(board), kept(board)
        for square, value in textbook.move_scores(board).items():
            judged = find(position, str(square))
            if square == right:
                assert judged[1:] == ((), square, (square,))
            else:
                assert judged[1:3] == ((square,), None)
                end = str(position.after(judged.made))
                assert len(judged.made) == (10 - abs(value) if value else board.count("-"))
                assert textbook.winner(end) == (
                    textbook.other(textbook.turn(board)) if value else None
                )


@pytest.mark.long
def test_each_kind_of_sentence_about_a_move_is_as_last_read(client: FlaskClient) -> None:
    urls = [f"moves/{b}?p={square}" for b in one_each("moves") for square in textbook.children(b)]
    assert_as_last_read("practice-moves", answers(client, urls))


def test_where_several_moves_hold_any_of_them_is_right() -> None:
    board = "X---O---X"
    assert keepers(Position.parse(board)) == tuple(kept(board)) == (1, 3, 5, 7)


# Trees

LETTERS = {1: "x", 0: "d", -1: "o"}  # in an address


def textbook_tree(board: str, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the boards of a tree as drawn, by path: what is two turns down has its last square."""
    below = textbook.children(board)
    if len(path) == 2 and below:
        (board,), below = below.values(), {}
    yield path, board
    for square, child in below.items():
        yield from textbook_tree(child, f"{path}{square}")


def boards_in(board: str) -> int:
    return 1 + sum(map(boards_in, textbook.children(board).values()))


@pytest.mark.long
def test_values_are_asked_in_trees_of_5_to_16_boards_with_unlike_moves() -> None:
    for hardness, fewest in (("5", 5), ("10", 6), ("12", 11), ("16", 14)):
        assert {boards_in(board) for board in asked("values", hardness)} <= {
            *range(fewest, int(hardness) + 1)
        }
    assert sorted(asked("values")) == sorted(
        board
        for board in textbook.every_board()
        if board.count("-") in (2, 3)
        and len({result(child) for child in textbook.children(board).values()}) > 1
        and 5 <= boards_in(board) <= 16
    )


@pytest.mark.long
def test_every_value_in_every_tree_is_judged() -> None:
    for board in tried("values"):
        position = Position.parse(board)
        root = fill(position, "").root
        assert [(b.digits, str(b.position)) for b in root.walk()] == list(textbook_tree(board))
        assert all(b.value == result(str(b.position)) for b in root.walk())
        given = ""
        for place, box in enumerate(fill(position, "").boards):
            for value, letter in LETTERS.items():
                judged = fill(position, f"{given}{place}{letter}")
                assert judged.last == box
                assert (box in judged.known) == (value == box.value)
                assert judged.wrong == (() if value == box.value else ((box, value),))
            given += f"{place}{LETTERS[box.value]}"
        assert fill(position, given).at is None and not fill(position, given).wrong


@pytest.mark.long
@pytest.mark.usefixtures("words_alone")
def test_each_kind_of_sentence_about_a_value_is_as_last_read(client: FlaskClient) -> None:
    urls = []
    for board in one_each("values"):
        filled = RIGHT["values"](Position.parse(board))
        urls += [
            f"values/{board}?p={filled[:at]}{letter}"
            for at in range(1, len(filled), 2)
            for letter in LETTERS.values()
        ]
    assert_as_last_read("practice-values", answers(client, urls))


# Cut


@cache
def drawn_ends(board: str) -> tuple[list[str], set[str], Any]:
    """Return the ends that alpha-beta looks at, and leaves out, as drawn, and its search."""
    searched: Any = textbook.Search(textbook.tree_of(board, flat=True), pruning=True)
    entered = [step for step in searched.steps if step[0] == "enter" and step[2] is not None]
    left_out = {to_digits(path) for path in searched.left_out}
    return [to_digits(step[1][:2]) for step in entered], left_out, searched


def how_hard_to_cut(board: str) -> str | None:
    """Say which cuts there are, by the textbook: see ROUNDS."""
    *_, searched = drawn_ends(board)
    found, boards = set(), dict(every(board))
    for step, following in pairwise(searched.steps):
        if step[0] == "cut":
            _, path, child, _, best, against, by = step
            over = textbook.over(boards[*path, child]) or textbook.over(boards[by])
            found.add("tie" if best == against else "after a win" if over else "clear")
        elif step[0] == "back" and len(step[1]) == 2 and following[0] == "enter":
            _, alpha, _ = step[-1]
            found |= {"both"} if alpha > -9 else set()
    order = ("clear", "both", "after a win", "tie") if found != {"both"} else ()
    return next((hardness for hardness in order if hardness in found), None)


def every(board: str, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], str]]:
    yield path, board
    for square, child in textbook.children(board).items():
        yield from every(child, (*path, square))


@pytest.mark.long
def test_every_tree_that_is_asked_has_a_cut_and_four_have_a_clear_one() -> None:
    groups = to_practise("cuts")
    assert {hardness: len(group) for hardness, group in groups.items()} == {
        "clear": 4, "after a win": 109, "tie": 49, "both": 18,
    }  # fmt: skip
    for hardness in ROUNDS["cuts"]:
        assert {how_hard_to_cut(board) for board in asked("cuts", hardness)} == {hardness}
    boards = [b for b in textbook.every_board() if b.count("-") == 3 and not textbook.over(b)]
    have = {b for b in boards if how_hard_to_cut(b)}
    assert {b for b in boards if HARDNESS["cuts"](Position.parse(b))} == have
    assert {min(textbook.images(b)) for b in have} == {
        min(textbook.images(b)) for b in asked("cuts")
    }


def every_way(
    position: Position, left_out: set[str], presses: str = "", wrong: bool = False
) -> Iterator[Cuts]:
    """Press on in every way, and compare each verdict with what alpha-beta does by the textbook.

    Yield what came of each way, at its end.
    """
    now = search(position, presses)
    assert now.wrong == wrong
    for fork in now.root.below:
        seen = [result(str(b.position)) for b in fork.below or (fork,) if b in now.looked]
        assert now.values.get(fork.digits) == min(seen, default=None)
    if not (end := now.next):
        yield now
        return
    for press in now.offered:
        then = search(position, presses + press).last
        cuts = end.digits in left_out
        assert then
        if not now.asks:
            verdict = "looked"
        elif press == "c" and not cuts:
            verdict = "lowest" if then.top is None and then.best == -1 else "not yet"
        else:
            verdict = "cut" if cuts and press != "u" else "in vain" if cuts else "went on"
        best = now.values[now.asks.digits] if now.asks else None
        assert (then.verdict, then.top, then.best) == (verdict, now.values.get(""), best)
        amiss = verdict in ("in vain", "not yet")
        yield from every_way(position, left_out, presses + press, wrong or amiss)


@pytest.mark.long
def test_every_way_through_every_tree_is_judged_as_alpha_beta_goes() -> None:
    for board in tried("cuts"):
        looked, left_out, _ = drawn_ends(board)
        for end in every_way(Position.parse(board), left_out):
            assert end.values[""] == result(board)
            assert end.needed == len(looked) <= len(end.looked)
            in_vain = [b.digits for b in end.looked if b.digits in left_out]
            assert len(end.looked) == end.needed + len(in_vain)


@pytest.mark.long
@pytest.mark.usefixtures("words_alone")
def test_each_kind_of_sentence_about_a_cut_is_as_last_read(client: FlaskClient) -> None:
    urls = []
    for board in one_each("cuts"):
        pressed = as_alpha_beta(board)
        urls += [
            f"cuts/{board}?p={pressed[:at]}{press}"
            for at in range(len(pressed))
            for press in search(Position.parse(board), pressed[:at]).offered
        ]
    assert_as_last_read("practice-cuts", answers(client, urls))


# Pages

READ = """
 cuts/XOO--X-XO cuts/XOO--X-XO?p=u cuts/XOO--X-XO?p=uu cuts/XOO--X-XO?p=uuu cuts/XOO--X-XO?p=uc
 cuts/XOO--X-XO?p=uuuuuc cuts/XOO--X-XO?p=us
 moves/XX-OO---- moves/X-------- moves/X---O---X moves/X---O---X?p=7 moves/X---O---X?p=s
 moves/XX-OO----?p=6 moves/XX-OO----?p=6s moves/XX-OO----?p=2 moves/XO-XO----?p=2
 moves/XO-XO----?p=7 moves/XO-XO----?p=27 moves/X-OO--X--?p=8 moves/XOX----O-?p=4
 moves?round=3&done=fffffffff&p=s moves?round=3&done=ff0fff0f00 moves?round=3&done=ffffffffff
 values/OX--X-OOX values/OX--X-OOX?p=1 values/OX--X-OOX?p=3 values/OX--X-OOX?p=1d
 values/OX--X-OOX?p=1d0x values/OX--X-OOX?p=0x0d values/OX--X-OOX?p=1d0s2o3d
""".split()


def test_each_kind_of_page_is_as_last_read(client: FlaskClient) -> None:
    found = ""
    for url in READ:
        page = parse(client.get(f"/practise/{url}"))
        drawn = [board_as_read(page), tree_as_read(page)]
        last = [f"last square: {a['href']}" for a in page.select(".board a")[-1:]]
        for part in page.select(".board, .tree"):
            part.remove()
        found += "\n    ".join(filter(None, [url, *drawn, *last])) + f"\n{page_as_read(page)}"
    assert_same("practice-pages", found)


# Rounds


@pytest.mark.long
def test_a_round_has_ten_questions_easy_first_and_none_twice() -> None:
    for kind in KINDS:
        levels = [hardness for hardness, count in ROUNDS[kind].items() for _ in range(count)]
        assert len(levels) == 10
        for number in range(100):
            boards = [str(position) for position in round_of(kind, number)]
            assert all(b in asked(kind, h) for b, h in zip(boards, levels, strict=True))
            assert len({min(textbook.images(board)) for board in boards}) == 10
        assert round_of(kind, 7) == round_of(kind, 7) != round_of(kind, 8)
    assert len({b for n in range(100) for b in round_of("cuts", n)[:4]}) == 9


def as_alpha_beta(board: str) -> str:
    _, left_out, _ = drawn_ends(board)
    ends = [path for path, at in textbook_tree(board) if textbook.over(at)]
    return "".join("c" if path in left_out else "u" for path in ends)


# What to press at a position: what is right, and to be shown it or, in a tree to cut, to look at
# everything.
RIGHT: dict[Kind, Callable[[Position], str]] = {
    "moves": lambda position: str(kept(str(position))[0]),
    "values": lambda position: "".join(
        f"{n}{LETTERS[result(str(box.position))]}"
        for n, box in enumerate(fill(position, "").boards)
    ),
    "cuts": lambda position: as_alpha_beta(str(position)),
}
WRONG: dict[Kind, Callable[[Position], str]] = {
    "moves": lambda position: "s",
    "values": lambda position: "".join(f"{n}s" for n in range(len(fill(position, "").boards))),
    "cuts": lambda position: "u" * len(as_alpha_beta(str(position))),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_rounds_are_played_through(client: FlaskClient, kind: Kind) -> None:
    for number in range(100):
        at, boards = Round(kind, number), round_of(kind, number)
        for position in boards:
            presses = (RIGHT if right(at) else WRONG)[kind](position)
            then = at.after(JUDGES[kind](position, presses), presses)
            assert (then.done[:-1], then.done[-1] == FOUND) == (at.done, right(at))
            at = then
        end = parse(client.get(f"/practise/{kind}?round={number}&done={at.done}"))
        missed = [str(b) for b, came in zip(boards, at.done, strict=True) if came != FOUND]
        assert end.select("h1")[0].get_text() == f"{10 - len(missed)} of 10 at the first try"
        links = [urlsplit(str(a["href"])).path for a in end.select(".again a")]
        assert links == [f"/practise/{kind}/{board}" for board in missed]
        if kind == "cuts":
            needed = sum(len(drawn_ends(str(board))[0]) for board in boards)
            yours = needed + sum(int(came) for came in at.done if came != FOUND)
            said = f"You looked at {yours} boards, alpha-beta at {needed}. "
            assert texts(end.select(".q")[0]).startswith(said)


def right(at: Round) -> bool:
    """Say whether to press what is right at a question: at two of three, by turns."""
    assert at.number is not None
    return (at.number + len(at.done)) % 3 > 0


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_each_page_of_a_round_leads_on_to_what_comes_next(client: FlaskClient, kind: Kind) -> None:
    for number in range(9):  # each question three times, once with a wrong press
        at = Round(kind, number)
        for position in round_of(kind, number):
            presses = (RIGHT if right(at) else WRONG)[kind](position)
            page = client.get(f"/practise/{kind}?round={number}&done={at.done}&p={presses}").text
            (link,) = re.findall(r'data-key="ArrowRight" href="(.*?)"', page)
            at = at.after(JUDGES[kind](position, presses), presses)
            assert unescape(link) == f"/practise/{kind}?round={number}&done={at.done}"


def test_what_was_missed_can_be_tried_again_and_leads_back(client: FlaskClient) -> None:
    over = "/practise/moves?round=3&done=ff0fff0f00"
    soup = parse(client.get(over))
    assert len(soup.select(".dots .ok")) == 6 and len(soup.select(".dots .no")) == 4
    (on,) = parse(client.get(soup.select(".again a")[0]["href"] + "&p=s")).select(".prime")
    assert (on.get_text(), on["href"]) == ("Back to the round", over)


def test_a_round_keeps_how_many_boards_were_looked_at_in_vain() -> None:
    judged = search(Position.parse("XOO--X-XO"), "uuuuuu")
    assert Round("cuts", 1).after(judged, "uuuuuu").done == "2"


def test_a_board_outside_of_a_round_belongs_to_none() -> None:
    assert Round("moves").after(find(Position.parse("XX-OO----"), "2"), "2") == Round("moves")


def test_a_round_begins_anywhere_and_is_a_page_to_keep(client: FlaskClient, rng: Scripted) -> None:
    rng.pick = -1
    response = client.get("/practise/cuts")
    assert response.headers["Location"] == f"/practise/cuts?round={NUMBERS - 1}"
    assert response.headers["Cache-Control"] == "no-store"
    page = client.get(response.headers["Location"])
    assert page.headers["Cache-Control"].startswith("public")
    assert "Question 1 of 10, 0 found so far" in page.text


def test_the_three_kinds_are_named_and_led_to(client: FlaskClient) -> None:
    soup = parse(client.get("/practise"))
    assert [(a["aria-label"], a["href"]) for a in soup.select(".kinds a")] == [
        ("Start a round: Find the only move", "/practise/moves"),
        ("Start a round: Fill in the values", "/practise/values"),
        ("Start a round: Cut", "/practise/cuts"),
    ]
    assert len(soup.select(".prime")) == 1
