"""Practice: what is asked, every answer to it, every sentence, and rounds of ten."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from itertools import pairwise
from typing import Any, get_args
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from engine.notation import to_digits
from engine.position import SQUARE_NAMES, Position
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
from tests import textbook
from tests.conftest import Scripted, assert_refused, parse
from tests.html import Tag
from tests.sentences import assert_as_last_read
from web.practice.routes import FOUND, JUDGES, Round

KINDS: tuple[Kind, ...] = get_args(Kind)


@pytest.fixture(autouse=True, scope="module")
def grown_once() -> Iterator[None]:
    """Keep what is found of a position, as most tests press on from the same few hundred."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("teach.practice.rounds.grown", cache(grown))
        patch.setitem(HARDNESS, "cuts", cache(HARDNESS["cuts"]))
        yield


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
    for board in asked("moves"):
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


def test_of_two_wrong_squares_the_last_is_answered(client: FlaskClient) -> None:
    first, last, both = (
        said_on(client, f"/practise/moves/XO-XO----?p={presses}") for presses in ("2", "7", "27")
    )
    assert first != last == both


def test_a_wrong_square_is_played_out_in_pencil_and_it_asks_on(client: FlaskClient) -> None:
    soup = parse(client.get("/practise/moves/XX-OO----?p=6"))
    cells = soup.select(".board > *")
    assert [cell.name for cell in cells] == ["span"] * 2 + ["a"] + ["span"] * 2 + ["a", "span"] + [
        "a"
    ] * 2
    assert cells[6]["aria-label"] == "bottom left, X, tried: O wins"
    assert cells[5].classes == ["cell", "O", "next", "new", "t1"]  # completes the middle row
    assert cells[5]["href"] == "/practise/moves/XX-OO----?p=65"
    assert {c["aria-label"] for c in cells if c.name == "a"} == {
        f"{SQUARE_NAMES[square]}, empty{to_come}: play X here"
        for square, to_come in ((2, ""), (5, ", O would go here"), (7, ""), (8, ""))
    }
    (again,) = [a for a in soup.select("a") if a.get_text() == "Show me"]
    assert again["href"] == "/practise/moves/XX-OO----?p=6s"
    shown = parse(client.get(str(again["href"])))
    assert shown.select("#told h2")[0].get_text() == "Top right."
    assert [c["aria-label"] for c in shown.select(".wins")] == [
        "top left, X", "top centre, X", "top right, X, shown",
    ]  # fmt: skip


def test_a_fork_that_is_found_shows_where_it_wins(client: FlaskClient) -> None:
    blocks_and_forks = "XOX----O-?p=4"
    for at, wins in (("X-OO--X--?p=8", ("centre", "bottom centre")),
                     (blocks_and_forks, ("bottom left", "bottom right"))):  # fmt: skip
        soup = parse(client.get(f"/practise/moves/{at}"))
        labels = [c["aria-label"] for c in soup.select(".threat")]
        assert labels == [f"{square}, empty, X wins here" for square in wins]


@pytest.mark.parametrize(
    ("board", "asks"),
    [
        ("XX-OO----", "You are X. One square wins by force. Find it."),
        ("X--------", "You are O. One square holds the draw. Find it."),
        ("X---O---X", "You are O. 4 squares hold the draw. Find one."),
    ],
)
def test_it_says_what_the_square_to_find_does(client: FlaskClient, board: str, asks: str) -> None:
    (asked,) = parse(client.get(f"/practise/moves/{board}")).select(".q")
    assert texts(asked) == asks


def test_where_several_moves_hold_any_of_them_is_right(client: FlaskClient) -> None:
    board = "X---O---X"
    assert keepers(Position.parse(board)) == tuple(kept(board)) == (1, 3, 5, 7)
    assert said_on(client, f"/practise/moves/{board}?p=7").startswith("Bottom centre it is. ")
    assert said_on(client, f"/practise/moves/{board}?p=s").startswith("Top centre. ")


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
    for board in asked("values"):
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


def test_boxes_are_filled_from_the_bottom_in_any_order(client: FlaskClient) -> None:
    url = "/practise/values/OX--X-OOX"
    soup = parse(client.get(url))
    assert [a.get_text() for a in soup.select(".cut3 a")] == ["+1", "0", "−1"]
    assert soup.select(".is-here .pic")[0]["aria-label"] == "X top right: ?"
    top, *others = (a["href"] for a in soup.select(".tree a"))
    assert [top, *others] == [f"{url}?p={place}" for place in "312"]
    assert said_on(client, str(top)).startswith("Start at the bottom: X can only choose among")
    assert not parse(client.get(str(top))).select(".cut3, .plain")
    second = parse(client.get(str(others[0])))
    assert second.select(".cut3 a")[1]["href"] == f"{url}?p=1d"
    wrong = parse(client.get(f"{url}?p=1d0x"))
    assert [n.get_text() for n in wrong.select(".cut3 .tried")] == ["+1"]
    assert [n.classes[-1] for n in wrong.select(".pulse")] == ["new", "new"]  # both ends below
    (show,) = wrong.select(".bubble .plain")
    assert show["href"] == f"{url}?p=1d0x0s"
    end = said_on(client, f"{url}?p=1d0s2o3d")
    assert end == "0. X takes the highest of −1, 0 and −1."


def nodes_as_drawn(page: Tag) -> list[str]:
    """Return of each node, in order: the colour of its value, how it looks, the way values came."""
    return [
        " ".join(
            [
                *(c for chip in node.below(".chip") for c in chip.classes[1:] if c != "v"),
                *(look for look in node.classes if look not in "node L0 L1 L2 w1 w2 w6".split()),
                *(
                    c
                    for fork in node.below(".fork")
                    for e in fork.select(".e")
                    for c in e.classes[1:]
                ),
            ]
        )
        for node in page.select(".tree .node")
    ]


@pytest.mark.parametrize(
    ("url", "nodes"),
    [
        # Of the wrong answers the last: the end it would have come from.
        ("values/OX--X-OOX?p=0x0d", "q | q is-here | O | D pulse new | q | X | D | q | X | O"),
        ("values/OX--X-OOX?p=1d", "q | q is-here | O | D | D new up D | X dimmed | D | q | X | O"),
        (
            "values/OX--X-OOX?p=1d0s2o3d",
            "D new up D | O dimmed up O | O | D dimmed | D up D | X dimmed | D"
            " | O dimmed up O | X dimmed | O",
        ),
        (
            "cuts/XOO--X-XO?p=u",
            "q | X new is-here up X | X | covered asks | q | covered | covered"
            " | q | covered | covered",
        ),
        (
            "cuts/XOO--X-XO?p=uuuuuc",
            "X up X | X up X | X | X | D up D | D | X | D new gone up D | D | covered",
        ),
    ],
)
def test_a_tree_shows_the_values_known_and_the_ways_they_came(
    client: FlaskClient, url: str, nodes: str
) -> None:
    assert nodes_as_drawn(parse(client.get(f"/practise/{url}"))) == nodes.split(" | ")


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
    for board in asked("cuts"):
        looked, left_out, _ = drawn_ends(board)
        for end in every_way(Position.parse(board), left_out):
            assert end.values[""] == result(board)
            assert end.needed == len(looked) <= len(end.looked)
            in_vain = [b.digits for b in end.looked if b.digits in left_out]
            assert len(end.looked) == end.needed + len(in_vain)


@pytest.mark.long
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


def test_what_came_up_is_new_for_one_press(client: FlaskClient) -> None:
    pages = [client.get(f"/practise/cuts/XOO--X-XO?p={presses}") for presses in ("u", "uu", "uuu")]
    assert [len(parse(page).select(".tree .new")) for page in pages] == [2, 0, 2]


def test_a_fork_offers_to_look_or_to_cut(client: FlaskClient) -> None:
    url = "/practise/cuts/XOO--X-XO"
    first = parse(client.get(url))
    assert [a["href"] for a in first.select("#stage a")] == [f"{url}?p=u"]
    assert first.select(".asks .pic")[0]["aria-label"] == "O centre: covered"
    fork = parse(client.get(f"{url}?p=u"))
    assert [(a.get_text(), a["href"]) for a in fork.select(".bubble a")] == [
        ("Look", f"{url}?p=uu"), ("✂ Cut", f"{url}?p=uc"), ("Show me", f"{url}?p=us"),
    ]  # fmt: skip
    refused = parse(client.get(f"{url}?p=uc"))
    assert [a.get_text() for a in refused.select(".bubble a")] == ["Look", "Show me"]
    assert [texts(li) for li in refused.select(".known li")] == [
        "+1 middle left: or less", "? centre: not looked at", "? bottom left: not looked at",
    ]  # fmt: skip
    end = parse(client.get(f"{url}?p=uuuuuc"))
    assert end.select("#told h2")[0].get_text() == "You 5 boards, alpha-beta 4."
    assert len(end.select(".edges.cut")) == 1


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
    first = str(soup.select(".again a")[0]["href"])
    assert urlsplit(first).path == f"/practise/moves/{round_of('moves', 3)[2]}"
    (on,) = parse(client.get(first + "&p=s")).select(".prime")
    assert (on.get_text(), on["href"]) == ("Back to the round", over)
    found = parse(client.get("/practise/moves?round=3&done=ffffffffff"))
    assert len(found.select(".again a")) == 10
    assert "nobody could do better" in found.get_text()


def test_a_round_keeps_how_many_boards_were_looked_at_in_vain() -> None:
    judged = search(Position.parse("XOO--X-XO"), "uuuuuu")
    assert Round("cuts", 1).after(judged, "uuuuuu").done == "2"


def test_a_board_outside_of_a_round_leads_to_one(client: FlaskClient) -> None:
    (on,) = parse(client.get("/practise/moves/XX-OO----?p=2")).select(".prime")
    assert (on.get_text(), on["href"]) == ("Ten more", "/practise/moves")
    last = parse(client.get("/practise/moves?round=3&done=fffffffff&p=s")).select(".prime")
    assert last[0].get_text() == "See how it went"
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


def test_the_lesson_on_cuts_leads_to_cutting(client: FlaskClient) -> None:
    (link,) = parse(client.get("/learn/13?p=2&p=3")).select('a[href="/practise/cuts"]')
    assert link.get_text() == "Practise cutting"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("moves?round=1000", "round is a number from 0 to 999."),
        ("moves?round=1&done=fffffffffff", "done is at most 10 letters of 0f."),
        ("moves?round=1&done=1", "done is at most 10 letters of 0f."),
        ("cuts?round=1&done=f3", "done is at most 10 letters of 012f."),
        ("moves/XX-OO----?p=0", "No press on this page leads there."),
        ("moves/XX-OO----?p=55", "No press on this page leads there."),
        ("moves/XX-OO----?p=25", "No press on this page leads there."),
        ("moves/XX-OO----?p=2s", "No press on this page leads there."),
        ("moves/XXX", "A position is nine characters, each X, O or -."),
        ("moves/---------", "No move here keeps a win or a draw that another gives away."),
        ("moves/XXXOO----", "No move here keeps a win or a draw that another gives away."),
        ("values/OX--X-OOX?p=3x", "No press on this page leads there."),
        ("values/OX--X-OOX?p=4", "No press on this page leads there."),
        ("values/OX--X-OOX?p=0y", "No press on this page leads there."),
        ("values/OX--X-OOX?p=0x0x", "No press on this page leads there."),
        ("values/OX--X-OOX?p=0o0", "No press on this page leads there."),
        ("values/XX-OO----", "That tree is none to fill in."),
        ("values/XXXOO----", "That tree is none to fill in."),
        ("cuts/XOO--X-XO?p=c", "No press on this page leads there."),
        ("cuts/XOO--X-XO?p=ucc", "No press on this page leads there."),
        ("cuts/XOO--X-XO?p=uus", "No press on this page leads there."),
        ("cuts/XOO--X-XO?p=ux", "No press on this page leads there."),
        ("cuts/XOO--X-XO?p=uuucucu", "No press on this page leads there."),
        ("cuts/XX-OO----", "In that tree there is nothing to cut."),
    ],
)
def test_what_no_press_leads_to_is_refused(client: FlaskClient, url: str, reason: str) -> None:
    assert_refused(client, f"/practise/{url}", reason)
