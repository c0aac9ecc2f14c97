"""The lesson: what each press shows and says, and that its numbers are the textbook's."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from html import unescape
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from engine.position import SQUARE_NAMES, Position
from teach import searches
from teach.counts import cost
from teach.lesson import boards, machine
from teach.lesson.boards import HEART
from teach.lesson.screen import WORDS, Card, Cell, Link, Node, Screen, State, presses
from teach.lesson.screens import LAST, MAKERS, SOLVED, screen
from tests import textbook
from tests.conftest import assert_refused, parse
from tests.html import Tag
from tests.sentences import assert_same

NUMBERS = [str(n) for n in range(1, LAST + 1)]


def read(client: FlaskClient, address: str) -> Tag:
    response = client.get(f"/learn/{address}")
    assert response.status_code == 200, address
    return parse(response)


def text(tag: Tag | None) -> str:
    assert tag
    return " ".join(tag.get_text(" ").split()).replace(" .", ".").replace(" ,", ",")


def texts(page: Tag, selector: str) -> str:
    return ", ".join(text(tag) for tag in page.select(selector))


def told(page: Tag) -> str:
    """Return all that a page says in answer, without spaces before what ends a clause."""
    said = " ".join(text(tag) for tag in page.select("#told, #after .card, #after .note"))
    return re.sub(r" ([.,:;?’])", r"\1", said)


def board(page: Tag) -> str:
    """Return the large board: nine marks, small where a line is complete, and chips in brackets."""
    cells = []
    for cell in page.select("#stage > .cell"):
        mark = next((m for m in "XO" if m in cell.classes), "-")
        chip = cell.select_one(".chip")
        cells.append(
            mark.lower() if "wins" in cell.classes else mark if not chip else f"[{text(chip)}]"
        )
    return "".join(cells)


def chips(page: Tag) -> str:
    """Return what stands at the boards of a tree, from the top, each branch down to its ends."""
    return " ".join(text(chip) for chip in page.select("#stage .node > .chip"))


# Every row of the tables of the lesson: an address, the board or the chips there, and what is said.
BOARDS = [
    ("1", "O-XX--XOO", ""),
    ("1?p=4", "O-xXx-xOO", "X wins. Take back You looked one move ahead: at the board after your"),
    ("1?p=1", "oXXXo-XOo", "O wins. Take back The centre was free for O, too."),
    ("1?p=5", "o-XXoXXOo", "O wins. Take back The centre was free for O, too."),
    ("1?seen=1", "O[O wins]XX--XOO", ""),
    ("2", "OX--X-OOX", ""),
    ("2?p=2", "oXXoX-oOX", "O wins. Take back You made one threat, a line that needs one more"),
    ("2?p=5", "oX-oXXoOX", "O wins: it was quicker. Take back Middle right made two threats"),
    ("2?seen=2&p=5", "oX[O wins]oXXoOX", "But O needed one square only: middle left."),
    ("2?p=3", "OX-XXOOOX", "O answers middle right. Take back One square is left. Press it."),
    ("2?p=3&p=2", "OXXXXOOOX", "A draw. Take back You closed O’s threat, O closed yours."),
    ("2?p=3&p=2", "OXXXXOOOX", "Try middle right as well: it makes two threats."),
    ("2?seen=5&p=3&p=2", "OXXXXOOOX", "Try top right as well."),
    ("2?seen=2&seen=3&seen=5", "OX[O wins][draw]X[O wins]OOX", ""),
    ("3", "OX--XXOOX", ""),
    ("3?p=3", "oX-oXXoOX", "O wins, and that is you. Take back X’s threats come too late: you"),
    ("3?p=2", "OXOxxxOOX", "X wins, so you lose. Take back You closed one threat, X used the"),
    ("3?at=2", "OX-XX-OOX", ""),
    ("3?p=5&at=2", "OXXXXOOOX", "A draw. Take back O cannot do better here."),
    ("3?p=2&at=2", "OXOxxxOOX", "X wins, so you lose. Take back O had a better square."),
    ("7", "X---O---X", ""),
    ("7?p=2", "X-O-O-X-X", "X took the corner opposite. Take back X has two threats. Press any"),
    ("7?p=6", "X-X-O-O-X", "X took the corner opposite."),
    ("7?p=2&p=1", "xOOxO-x-X", "X wins. Take back Those 16 games were between two who do not look"),
    ("7?p=1", "XO--O--XX", "A draw, for sure. Take back X must block, and so on to the last"),
    ("7?p=3", "X--OOX--X", "Minimax counts no chances: it asks what is certain."),
    ("7?seen=1&seen=2", "X[draw][X wins]-O---X", ""),
    ("8", "--XXO-OOX", ""),
    ("8?p=5", "--xXOxOOx", "+1, on turn 1. Take back X wins at once."),
    ("8?p=1", "OXXXO-OOX", "X has two threats. Take back O closed one. Press the other."),
    ("8?p=1&p=5", "OXxXOxOOx", "+1, on turn 3. Take back The turns: X, O, X."),
    ("8?p=0", "XoXXo-OoX", "−1. Take back O wins."),
    ("8?seen=1&seen=5", "-[★ +1]XXO[+1]OOX", "Both say +1. A program sees no difference and keeps"),
    ("8?seen=0&seen=1&seen=5&at=turns", "[−8][7]XXO[★ 9]OOX", "10 − 1 = 9, 10 − 3 = 7. ("),
    ("8?seen=0&seen=1&seen=5&at=turns", "[−8][7]XXO[★ 9]OOX", "loses on turn 2, 2 − 10 = −8."),
    ("8?seen=1&seen=5", "-[★ +1]XXO[+1]OOX", "★ marks what a program takes."),
    ("8?seen=1&seen=5&at=turns", "-[7]XXO[★ 9]OOX", "Now they differ. Count a win as 10"),
    ("14", "X--------", ""),
    ("14?p=4", "X---O---X", "X took bottom right. Do you know this board? Your turn:"),
    ("14?p=1", "XO-X-----", "X wins on turn 6. Take back This is the game X forces."),
    ("14?p=4&p=1", "XO--O--XX", "X blocks bottom centre. You had two in that line. Your"),
    ("14?p=4&p=2", "X-O-O-X-X", "X wins on turn 4. Take back X takes the corner opposite: two"),
    ("14?p=4&p=1&p=6", "XOX-O-OXX", "X blocks top right. Two squares are left. Only one"),
    ("14?p=4&p=1&p=2", "XOO-O-xxx", "X wins. Take back X completes the bottom row."),
    ("14?p=4&p=1&p=6&p=5", "XOXXOOOXX", "A draw. You chose as Perfect does, the machine on this"),
    ("14?p=4&p=1&p=6&p=3", "XOxOOxOXx", "X wins. Take back X answers middle right: the right"),
    ("14?p=4&seen=2", "X-[X wins]-O---X", "X took bottom right.")
]  # fmt: skip


@pytest.mark.parametrize(("address", "shown", "said"), BOARDS)
def test_a_square_that_is_pressed_is_answered_on_the_board(
    client: FlaskClient, address: str, shown: str, said: str
) -> None:
    page = read(client, address)
    assert board(page) == shown
    assert said in told(page) if said else not page.select("#after .card")


OPEN = "? ? O wins draw ? X wins draw ? X wins O wins"
ENDS = "? O wins O wins draw draw X wins draw O wins X wins O wins"
SUM = "? −1 −1 0 ? +1 0 ? +1 −1"
FULL = "0 −1 −1 0 0 +1 0 −1 +1 −1"
THREE = "p=23&p=35&p=53"
TREES = [
    ("4", OPEN, "Top right: which end does O choose?"),
    ("4?p=23", OPEN.replace("? O", "O wins O"), "takes it. Middle left: which end does"),
    ("4?p=35", "? ? O wins draw draw X wins draw ? X wins O wins", "Middle left: No win for O: a"),
    ("4?p=53", "? ? O wins draw ? X wins draw O wins X wins O wins", "Middle right: X’s two"),
    ("4?try=25", OPEN, "A draw? O can win here. Top right: which end does O choose?"),
    ("4?try=32", OPEN, "Then X wins. O can have a draw."),
    ("4?try=52", OPEN, "Then X wins. O can win first. X has two threats here. Middle right:"),
    ("4?p=23&p=35", ENDS[:-20] + "? X wins O wins", "X has two threats here. Middle right: which"),
    ("4?try=3", OPEN, "First choose for O, under all three boards."),
    (f"4?{THREE}", ENDS, "You know what O will do. Press X’s move."),
    (f"4?{THREE}&p=3", ENDS.replace("?", "draw"), "X can be sure of a draw, whatever O does."),
    (f"4?{THREE}&p=3", ENDS.replace("?", "draw"), "The rule. What is best for O is worst for X."),
    (f"4?{THREE}&try=2", ENDS, "A draw stands below it, but O chooses there: O wins."),
    (f"4?{THREE}&try=5", ENDS, "A win for X stands below it, but O chooses there"),
    (f"4?{THREE}&p=3&try=2", ENDS.replace("?", "draw"), "A draw stands below it, but O chooses"),
    ("5", SUM, "What does O take here?"),
    ("5?at=5", SUM, "What does O take here?"),
    ("5?p=3", SUM.replace("? +1 0", "0 +1 0"), "Middle left: O takes 0, lower than +1. What"),
    ("5?p=3&p=5", FULL.replace("0", "?", 1), "Middle right: O takes −1, lower than +1. And"),
    ("5?p=3&p=5&p=top", FULL, "X takes the highest of −1, 0 and −1. Minimax. X takes the"),
    ("5?try=5.1&at=5", SUM, "O chooses here. Of +1 and −1, would O take +1?"),
    ("5?p=3&p=5&try=top.-1", FULL.replace("0", "?", 1), "Would X take −1 where it can have 0?"),
    ("5?try=3.1", SUM, "O chooses here. Of +1 and 0, would O take +1?"),
    ("5?try=5.0&at=5", SUM, "Only +1 and −1 are below. O takes one of them."),
    ("5?try=3.-1", SUM, "Only +1 and 0 are below. O takes one of them."),
    ("5?p=3&p=5&try=top.1", FULL.replace("0", "?", 1), "Only −1 and 0 are below. X takes"),
    ("5?try=top", SUM, "X can only choose among numbers that are there. What does O"),
    ("6", "? ? +1 +1 ? −1 +1 ? −1 +1", ""),
    ("6?p=0", "+1 +1 +1 +1 −1 −1 +1 −1 −1 +1", "+1: both answers lose for O. Here two threats"),
    ("6?p=0", "+1 +1 +1 +1 −1 −1 +1 −1 −1 +1", "This move closed O’s line as well. On screen 2"),
    ("6?try=1", "? ? +1 +1 −1 −1 +1 ? −1 +1", "−1. Take back O takes top left."),
    ("6?p=0&try=1", "+1 +1 +1 +1 −1 −1 +1 −1 −1 +1", "−1. Take back O takes top left."),
    ("6?try=6", "? ? +1 +1 ? −1 +1 −1 −1 +1", "−1. Take back O takes top left."),
    ("6?seen=1&try=6", "? ? +1 +1 −1 −1 +1 −1 −1 +1", "−1. Take back O takes top left."),
    ("6?seen=1&p=0", "+1 +1 +1 +1 −1 −1 +1 −1 −1 +1", "+1: both answers lose for O."),
    ("6?seen=1", "? ? +1 +1 −1 −1 +1 ? −1 +1", ""),
    ("12", "0 0 +1 0 −1 −1 ? ? ?", ""),
    ("12?p=1", "0 0 +1 0 −1 −1 ? ? ?", "X its 0. Ends: +1, 0, −1. No end is −5."),
    ("12?p=0", "0 0 +1 0 −1 −1 ? ? ?", "O still has −1."),
    ("12?p=-5", "0 0 +1 0 −5 −1 ? ? ?", "O would take even that. But X has 0 with middle left: no"),
    ("12?p=1&p=-5", "0 0 +1 0 −5 −1 ? ? ?", "✂ Cut it"),
    ("12?p=-5&p=0&p=cut", "0 0 +1 0 −1 −1 −1 −1", "The same under middle right: O has −1. So look"),
    ("12?p=-5&p=0&p=cut", "0 0 +1 0 −1 −1 −1 −1", "That is alpha-beta: 4 ends instead of 6, the"),
    ("13", "", ""),
    ("13?p=3", "0 0 0 +1 −1 −1 ? −1 −1 ?", "The best move first: both others are cut after one"),
    ("13?p=2", "0 −1 −1 0 0 0 +1 −1 −1 ?", "−1 is a weak start: only one cut."),
    ("13?p=5", "0 −1 −1 +1 −1 −1 ? 0 0 +1", "−1 is a weak start: only one cut."),
    ("13?p=2&p=3", "0 0 0 +1 −1 −1 ? −1 −1 ?", "Nobody knows the best move beforehand, so"),
    ("10", "", ""),
    ("10?p=3", "+1 −1", "Line 3. A finished board needs no search. (+1, 0, −1 again, or 10 − n"),
    ("10?p=3&p=4", "−1 +1 −1", "of +1 and −1 it keeps −1. On X’s turn it is max: the same lines"),
    ("10?p=3&p=4&p=7", "−1 +1 −1", "That is recursion; it stops at the ends. It returns a"),
    ("10?try=1", "", "Line 1. Not this one. It takes a board."),
    ("10?try=2", "", "Line 2. Not this one. It asks whether the game is over."),
    ("10?p=3&try=3", "+1 −1", "Line 3. Not this one. It hands up what a finished board is worth."),
    ("10?try=4", "", "Not this one. It picks the lowest if it is O’s turn, the highest if"),
    ("10?try=5", "+∞", "Not this one. It starts worse than any value: −∞ for max, +∞ for min."),
    ("10?try=6", "", "Line 6. Not this one. It goes through the answers, one after the other."),
    ("10?try=7", "", "Line 7. Not this one. It calls itself for the board below."),
    ("10?try=8", "−1", "Line 8. Not this one. It keeps the better for whoever chooses."),
    ("10?p=3&p=4&p=7&try=1", "−1 +1 −1", "Line 1. It takes a board."),
    ("10?try=9", "−1", "Line 9. Not this one. It hands the value up."),
    ("11", "", ""),
    ("11?p=5", "", "549,946. It is more: nine first moves, eight answers to each, and so on."),
    ("11?p=50", "", "549,946. It is more: nine first"),
    ("11?p=500", "", "549,946. Most are boards it has met before. A memo keeps the value of"),
]  # fmt: skip


@pytest.mark.parametrize(("address", "shown", "said"), TREES)
def test_a_board_of_a_tree_or_a_line_that_is_pressed_is_answered_there(
    client: FlaskClient, address: str, shown: str, said: str
) -> None:
    page = read(client, address)
    assert chips(page) == shown
    assert said in told(page)
    heard = text(page.select_one("#after[role=status]"))
    for sentence in page.select("#told > p > span:first-child, .duo #told p"):
        assert text(sentence) in heard


@cache
def graph(name: str) -> Mapping[State, Screen]:
    """Return every state of a screen that presses lead to."""
    found: dict[State, Screen] = {}
    open_ = [State()]
    while open_:
        state = open_.pop()
        if state not in found:
            found[state] = MAKERS[name](state)
            open_ += presses(found[state])
    return found


def test_the_marks_of_a_tree_say_what_is_asked_taken_refused_and_cut(client: FlaskClient) -> None:
    page = read(client, "4?p=23&p=35")
    assert texts(page, ".is-here > .chip, .asks > .chip") == "?, X wins, O wins"
    assert texts(page, ".picked > .chip") == "O wins, draw"
    assert [str(it["href"]) for it in read(client, "6?try=1").select("#stage a")] == [
        "/learn/6?seen=1&p=0#stage",
        "/learn/6?seen=1&try=6#stage",
    ]
    for address, selector, count in (
        ("4?p=23&p=35", ".edges.up .O", 1),
        ("4?p=23&p=35", ".edges.up .D", 1),
        ("4?try=25", ".edges.back .D", 1),
        ("4?try=25", ".who.pulse", 1),
        ("4?try=2", ".pulse", 6),
        (f"4?{THREE}&try=5", ".edges.up .O", 3),
        (f"4?{THREE}&p=3", ".edges.up .D", 2),
        ("5?try=5.1&at=5", ".who.pulse, .chip.pulse", 2),
        ("5?try=3.-1", ".chip.pulse", 2),
        ("5?try=top", ".chip.pulse", 2),
        ("6?p=0", ".edges.up .X", 3),
        ("6?try=1", ".edges.up .O", 2),
        ("12?p=-5", ".edges.up .O", 1),
        ("12?p=-5&p=0&p=cut", ".edges.cut", 2),
        ("10?p=3&p=4&p=7", ".edges.down", 1),
    ):
        assert len(read(client, address).select(selector)) == count, (address, selector)


def test_screen_8_leads_from_one_win_to_the_other(client: FlaskClient) -> None:
    for address in ("8?p=5", "8?p=1&p=5"):
        way = read(client, address).select_one("#foot #on")
        assert text(way) == "One found. Now the other ›"
        assert way and str(way["href"]) == f"/learn/8?seen={address[4]}#stage"
    assert not read(client, "8?p=1").select("#on") and not read(client, "8?p=0").select("#on")
    flat = read(client, "8?seen=1&seen=5")
    assert text(flat.select_one("#foot #on")) == "Count turns ›"
    assert text(read(client, "8?seen=1&seen=5&at=turns").select_one("#next")).startswith("Next: ")


def test_screen_9_leads_down_a_tree_and_up_again(client: FlaskClient) -> None:
    top = texts(read(client, "9"), ".kid")
    assert top == "? top left, ? top right, ? middle left, ? centre"
    for square in (0, 3, 4):
        soon = read(client, f"9?seen={square}&at={square}")
        assert told(soon) == "X wins on turn 2: 2 − 10 = −8."
        assert "−8 top right" in texts(soon, ".kid.from")
        assert text(soon.select_one("#foot")) == "Back Skip ›"
    late = read(client, "9?seen=2&at=2")
    assert "Only one of X’s three answers still wins, on turn 4: 4 − 10 = −6." in told(late)
    assert texts(late, ".kid") == "+7 top left, +7 middle left, −6 centre"
    assert "Compare it: go back up, press another." in told(late)
    assert text(late.select_one("#foot")) == "Back Skip ›"
    both = read(client, "9?seen=0&seen=2&at=2")
    assert told(both).endswith("X may not see it. −6 is the highest: top right loses latest.")
    assert texts(both, "#foot button") == "See the code ›, Skip it ›"
    assert str(late.select_one("#up")["href"]) == "/learn/9?seen=2#stage"  # type: ignore[index]
    again = read(client, "9?seen=2")
    assert texts(again, ".kid .chip") == "?, −6, ?, ?"
    four = read(client, "9?seen=0&seen=2&seen=3&seen=4")
    assert (
        told(four)
        == "O takes the highest, −6: top right loses on turn 4, the other three on turn 2."
    )
    assert texts(four, ".kid.from") == "−6 top right" and not again.select(".kid.from")
    deep = read(client, "9?seen=2&at=243")
    assert told(deep) == "From here X wins, on turn 4: −6."
    assert not read(client, "9?seen=2&at=2430").select(".kid")


@pytest.mark.long
@pytest.mark.parametrize("name", NUMBERS)
def test_every_press_leads_to_a_page_and_every_page_on_to_the_end(
    client: FlaskClient, name: str
) -> None:
    states = graph(name)
    following = {state: {*presses(made)} for state, made in states.items()}
    for state, made in states.items():
        assert screen(name, state) == made
        assert made.done or following[state] - {state}, "a dead end"
        if len(state.seen) < 2:
            page = client.get(f"/learn/{name}?{state.query}").text
            assert {*map(unescape, re.findall(rf'href="(/learn/{name}\?.*?)"', page))} == {
                f"/learn/{name}?{to.query}#stage" for to in following[state] if to.query
            }
            ids = re.findall(r'\sid="(.*?)"', page)
            assert len(ids) == len({*ids}), "an id stands twice"
    able = {state for state, made in states.items() if made.done}
    while more := {state for state in states.keys() - able if able & following[state]}:
        able |= more
    assert able == {*states}, "some states never lead to the end"


def test_what_was_done_stays_done(client: FlaskClient) -> None:
    for name in NUMBERS:
        for made in graph(name).values():
            if made.done:
                later = [graph(name)[state] for state in presses(made)]
                assert all(it.done or it.on for it in later), name


@pytest.mark.parametrize("n", NUMBERS)
def test_a_screen_has_few_words_before_the_first_press(client: FlaskClient, n: str) -> None:
    page = read(client, n)
    for hidden in page.select(
        ".chip, .kids, .curr, .code, .unseen, svg, .cell, .act, .who, .cut3, .legend, .known"
    ):
        hidden.remove()
    assert 12 <= len(text(page.select_one("main")).split()) <= 45


@pytest.mark.parametrize("n", NUMBERS)
def test_a_screen_is_solved_by_the_address_that_teachers_get(client: FlaskClient, n: str) -> None:
    page = read(client, f"{n}?{SOLVED[n]}")
    assert page.select("#foot form button.prime")
    assert not read(client, n).select("#foot button")
    assert text(read(client, n).select_one("#foot .plain")) == "Skip ›"


@pytest.mark.parametrize(
    "address",
    ["1?p=0", "1?p=9", "1?seen=1&seen=1", "1?seen=5&seen=1", "2?p=3&p=5", "4?p=25", "4?p=3",
     "5?try=3.0", "8?at=turns", "9?at=2", "9?seen=0&at=01", "10?p=4", "11?p=6", "12?p=cut",
     "14?p=4&p=0", "3?at=3"]
)  # fmt: skip
def test_an_address_to_which_no_press_leads_is_refused(client: FlaskClient, address: str) -> None:
    assert_refused(client, f"/learn/{address}", "No press on this screen leads to this address.")


def test_other_nonsense_is_refused_with_its_reason(client: FlaskClient) -> None:
    assert_refused(client, "/learn/1?answer=4", "answer is nothing that a screen takes.")
    assert_refused(client, "/learn/4?try=2&try=3", "try was given 2 times")
    assert_refused(client, "/learn/7?to=6", "to is one of 7, 8,")
    for n in (0, 15):
        assert client.get(f"/learn/{n}").status_code == 404
        assert client.post(f"/learn/{n}/done").status_code == 404


# The numbers


def flat(board: str, side: str = "X") -> int:
    return textbook.sign(textbook.minimax(board, side))


@pytest.mark.parametrize("name", NUMBERS)
def test_every_value_of_every_tree_is_the_textbooks(name: str) -> None:
    for made in graph(name).values():
        for node in made.tree.walk() if made.tree else ():
            assert node.value == flat(str(node.position))
            assert node.who == (textbook.turn(str(node.position)) if node.below else None)
            if node.below:
                squares = {int(child.path[-1]) for child in node.below}
                assert squares == {*textbook.children(str(node.position))}


def by_chance(board: str, side: str) -> Fraction:
    below = textbook.children(board).values()
    if not below:
        return Fraction(textbook.winner(board) == side)
    return sum((by_chance(child, side) for child in below), Fraction()) / len(below)


def test_blind_play_wins_as_often_as_screen_7_says(client: FlaskClient) -> None:
    for square, child in textbook.children("X---O---X").items():
        games = by_chance(child, "O") * 30
        assert games == (16 if square in (2, 6) else 15)
        assert textbook.sign(textbook.move_scores("X---O---X")[square]) == (
            -1 if games == 16 else 0
        )
    say = text(read(client, "7").select_one(".say"))
    assert "a corner would win you 16 games in 30, the top centre 15" in say


PLAYS = {
    "1": boards.ONE, "2": boards.TWO, "7": boards.SEVEN, "8": boards.EIGHT, "14": boards.FOURTEEN
}  # fmt: skip


def test_each_answer_of_the_other_side_keeps_its_best_result() -> None:
    for name in ("1", "2", "3", "7", "8", "14"):
        for state, made in graph(name).items():
            marks = "".join(cell.mark or "-" for cell in made.board)
            if len(state.p) == 1 and not textbook.winner(marks) and "-" in marks:
                play = PLAYS.get(name, boards.SUPPOSE if state.at else boards.THREE)
                before = textbook.children(str(play.root))[int(state.p[0])]
                assert flat(marks) == flat(before)


def test_screen_8_counts_turns_and_screen_9_the_latest_loss() -> None:
    assert textbook.move_scores("--XXO-OOX") == {0: -8, 1: 7, 5: 9}
    assert textbook.move_scores("-X---XOOX") == {0: -8, 2: -6, 3: -8, 4: -8}
    for place in (made.picture for made in graph("9").values()):
        below = place.view()[2].below
        assert {node.path for node in below if node.worth} == {*place.known}
        for path in place.known:
            board = "-X---XOOX"
            for square in path:
                board = textbook.children(board)[square]
            (worth,) = (node.worth for node in below if node.path == path)
            assert worth.value == textbook.minimax(board, "O", len(path))


def test_a_bubble_has_its_tip_at_the_board_it_is_about(client: FlaskClient) -> None:
    for address, at in (("4", 2), ("4?p=23", 6), ("4?p=23&p=35", 10), ("5?p=3&p=5", 6), ("12", 7)):
        (bubble,) = read(client, address).select(".bubble")
        assert f"at{at}" in bubble.classes, address


def test_screen_13_is_done_once_the_best_and_another_were_first(client: FlaskClient) -> None:
    for query, done in (("p=3", False), ("p=2&p=5", False), ("p=2&p=3", True), ("p=3&p=5", True)):
        assert bool(read(client, f"13?{query}").select("#next")) == done, query


def test_the_numbers_of_boards_are_counted_by_the_searches() -> None:
    flat_cost, counted = cost(Position(), "flat"), cost(Position(), "depth")
    plain, alpha_beta, best_first, memoised, symmetric = flat_cost
    assert [*WORDS["13"]["bars"].values()] == [plain, alpha_beta, best_first]
    assert [*WORDS["11"]["boards"].values()] == [plain, memoised, symmetric]
    note = f"{counted.alpha_beta:,} with cuts, {counted.best_first:,} with the best first."
    assert note in WORDS["13"]["note"]


def test_the_areas_of_screen_11_are_in_proportion(client: FlaskClient) -> None:
    for bet in ("5", "50", "500"):
        screen = read(client, f"11?p={bet}")
        boards = [*WORDS["11"]["boards"].values(), int(bet) * 1000]
        sides = [float(str(rect["width"])) for rect in screen.select(".areas rect")]
        assert [(side / 200) ** 2 * 549_946 for side in sides] == pytest.approx(boards, rel=0.02)
        assert text(screen.select_one("li.bet")) == f"{bet} thousand your bet"


def test_the_line_and_the_bet_pressed_last_are_marked() -> None:
    for name in ("10", "11"):
        picture: Any = screen(name, State()).picture
        for link in picture if name == "10" else picture[0]:
            after: Any = screen(name, link.state).picture
            links = after if name == "10" else after[0]
            assert [each.text for each in links if each.look == "on"] == [link.text]


def test_only_the_board_in_view_has_its_value_in_the_map_of_screen_9() -> None:
    for at in ("2", "24"):
        state = screen("9", State(seen=("2",), at=at))
        drawing, *_ = cast(machine.Viewed, state.picture).view()
        assert [chip.path for chip in drawing.chips] == [tuple(map(int, at))]
        assert [card.look for card in state.cards] == ["X"]


@pytest.mark.parametrize(("first", "ends", "number"), [(3, 4, 10), (2, 5, 12), (5, 5, 12)])
def test_the_first_move_decides_how_many_ends_are_looked_at(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, first: int, ends: int, number: int
) -> None:
    best_first = textbook.squares

    def squares(board: str, order: str, flat: bool) -> tuple[int, ...]:
        found = best_first(board, order, flat)
        return (first, *sorted({*found} - {first})) if board == str(HEART) else found

    monkeypatch.setattr(textbook, "squares", squares)
    steps = textbook.Search(str(HEART), pruning=True, flat=True, order="best").steps
    entered = [step for step in steps if step[0] == "enter"]
    assert (sum(step[2] is not None for step in entered), len(entered)) == (ends, number)
    name = SQUARE_NAMES[first]
    assert f"{ends} ends {name} first" in text(read(client, f"13?p={first}").select_one(".counts"))


# Around the screens


def test_next_keeps_that_a_screen_is_done_and_leads_on(client: FlaskClient) -> None:
    start = parse(client.get("/learn"))
    assert text(start.select_one(".go")) == "Start the lesson" and not start.select("li.done")
    for n, to in ((1, "/learn/2"), (3, "/learn/4"), (9, "/learn/10"), (13, "/learn/14"), (14, "/")):
        answer = client.post(f"/learn/{n}/done")
        assert (answer.status_code, answer.headers["Location"]) == (303, to)
        assert answer.headers["Cache-Control"] == "no-store"
    skipped = client.post("/learn/9/done", data={"next": "11"})
    assert skipped.headers["Location"] == "/learn/11"
    index = client.get("/learn")
    assert index.headers["Cache-Control"] == "no-store"
    soup = parse(index)
    titles = [WORDS[n]["title"] for n in ("1", "3", "9", "13", "14")]
    assert [text(li)[2:].split(",")[0] for li in soup.select("li.done")] == titles
    assert text(soup.select_one(".go")) == "Go on: No win yet"
    assert text(soup.select_one(".prog")) == "5 of 14 done"
    assert client.get("/learn/1").headers["Cache-Control"] == "public, max-age=3600"
    assert client.post("/learn/2/done", data={"next": "9"}).status_code == 400


def test_the_index_has_fourteen_screens_in_five_groups(client: FlaskClient) -> None:
    soup = parse(client.get("/learn"))
    headings = "Play, Score, Code · skip it if you do not code, Speed, Finish, Words"
    assert texts(soup, "section:not(.narrow) h2") == headings
    links = [str(a["href"]) for a in soup.select("section:not(.narrow) li a")]
    assert [link for link in links if link != "/learn/write"] == [
        f"/learn/{n}" for n in range(1, 15)
    ]
    times = [text(small) for small in soup.select("section:not(.narrow) li small")]
    assert (times.count("1½ min"), times.count("2 min")) == (2, 1)
    assert sum(WORDS[n]["seconds"] for n in NUMBERS) == 14 * 60
    assert "Fourteen minutes;" in text(soup.select_one(".say"))


def test_a_lesson_for_today_ends_early(client: FlaskClient) -> None:
    for n in range(1, 6):
        page = read(client, f"{n}?to=6")
        assert text(page.select_one(".count")) == f"{n} of 6" and len(page.select(".segs i")) == 6
        assert all("to=6" in str(a["href"]) for a in page.select("#stage a, #foot a"))
        answer = client.post(f"/learn/{n}/done", data={"to": "6"})
        assert answer.headers["Location"] == f"/learn/{n + 1}?to=6"
    last = read(client, "6?p=0&to=6")
    assert "That is it for today." in told(last)
    assert text(last.select_one("#foot button")) == "Finish"
    assert client.post("/learn/6/done", data={"to": "6"}).headers["Location"] == "/learn"
    assert str(read(client, "6?to=6").select_one("#foot .plain")["href"]) == "/learn"  # type: ignore[index]


@pytest.mark.parametrize("end", range(9, 15))
def test_each_way_on_from_a_solved_screen_leads_to_a_page_for_today(
    client: FlaskClient, end: int
) -> None:
    for n in range(9, end + 1):
        for button in read(client, f"{n}?{SOLVED[str(n)]}&to={end}").select("#foot button"):
            data = {"to": str(end), **({"next": button["value"]} if "name" in button.attrs else {})}
            there = client.post(f"/learn/{n}/done", data=data).headers["Location"]
            assert client.get(there).status_code == 200
            assert (f"to={end}" in there) == (n < end), there


def test_each_word_has_its_meaning_and_its_screen(client: FlaskClient) -> None:
    page = read(client, "words")
    assert len(page.select(".terms > div")) == len(WORDS["terms"])
    for id_ in WORDS["terms"]:
        assert page.select_one(f"#{id_} dd") and page.select_one(f"#{id_} a[href^='/learn/']")


def test_teachers_get_every_screen_its_two_states_and_three_plans(client: FlaskClient) -> None:
    page = read(client, "teach")
    assert len(page.select(".plan")) == LAST and len(page.select(".plans li")) == 3
    for link in page.select(".plan a, .plans a"):
        assert client.get(str(link["href"])).status_code == 200
    for plan in page.select(".plan"):
        assert texts(plan, "dt") == "Aim, Ask first, They usually say"


def test_who_wants_more_finds_it_under_the_screen(client: FlaskClient) -> None:
    nine_lines = read(client, f"10?{SOLVED['10']}")
    assert "def negamax(node" in texts(nine_lines, "details .code")
    counted = cost(Position(), "depth")
    memo, symmetric = (155 * n / counted.plain for n in (counted.memoised, counted.symmetric))
    waited = texts(read(client, "11?p=5"), "details")
    assert (
        f"155 seconds for the first move of plain minimax. At that pace it is {memo:.1f}" in waited
    )
    assert f"with a memo, and {symmetric:.1f} if" in waited
    ordered = cost(Position.parse("XOXOOX---"), "depth")
    told_of = re.findall(r"\b\d+\b", texts(read(client, "13?p=2&p=3"), "details p"))
    assert told_of == [str(n) for n in (ordered.plain, ordered.alpha_beta, ordered.best_first)]
    assert not read(client, "4").select("details")


def test_negamax_gives_each_side_what_minimax_gives_max() -> None:
    for board in ("O-XX--XOO", "OX--X-OOX", "-X---XOOX"):
        root = searches.Node((), Position.parse(board), "depth", "squares", searches.Recorder())
        assert machine.negamax(root) == max(textbook.move_scores(board).values())


@pytest.mark.long
def test_pages_and_presses_are_small(client: FlaskClient) -> None:
    for n in NUMBERS:
        for query in ("", SOLVED[n]):
            page = client.get(f"/learn/{n}?{query}")
            assert len(gzip.compress(page.data)) < 4096, n


def test_the_ways_on_lead_where_they_say(client: FlaskClient) -> None:
    links = {
        text(link): str(link["href"])
        for n in ("10", "11", "13", "14")
        for link in read(client, f"{n}?{SOLVED[n]}").select(".card .row a")
    }
    assert all(client.get(url).status_code in (200, 302) for url in links.values())
    assert links["Watch it run"] == links["Watch a search"]
    assert links["Write it yourself"] == "/learn/write"
    merged = parse(client.get(links["A tree with mirror images once"]))
    assert text(merged.select_one("[aria-current]:lexbor-contains('Mirror images once')"))
    assert links["Practise cutting"].startswith("/practise/cuts")
    assert links["Watch alpha-beta in Study"].startswith("/study/---XOXXO-")
    assert links["Practise ten positions"].startswith("/practise")


# How everything is drawn


def outline(shown: Screen) -> str:
    """Write down on a line how a screen is drawn: looks, values, and where presses lead."""
    parts = [
        " ".join(shown.words["say"].split()[:6]) + " …",
        *(_cell(cell) for cell in shown.board),
        *(_node(node) for node in (shown.tree.walk() if shown.tree else ())),
        f"bubble {shown.bubble.at} {_links(shown.bubble.choices)}" if shown.bubble else "",
        f"known {' '.join(chip.text for chip, *_ in shown.known)}" if shown.known else "",
        *(f"card {card.look}{_back(card)} {len(card.boards) or ''}" for card in shown.cards),
        f"links {_links(shown.links)}" if shown.links else "",
        f"on {_links((shown.on,))}" if shown.on else "",
        "note" if shown.note else "",
        "done" if shown.done else "",
    ]
    return "; ".join(" ".join(part.split()) for part in parts if part.strip())


def _cell(cell: Cell) -> str:
    chip = f"{cell.chip.text}/{cell.chip.look}" if cell.chip else ""
    return f"{cell.mark or '-'} {cell.look} {chip} {_press(cell.press)}"


def _node(node: Node) -> str:
    chip = f"{node.chip.text}/{node.chip.look}" if node.chip else ""
    new = "new" if node.new else ""
    drawn = f"{chip} {node.look} {node.edge} {node.plate} {node.pulse} {new}"
    return f"{node.path or 'top'} {drawn} {_press(node.press)}"


def _press(state: State | None) -> str:
    return f"→{state.query}" if state else ""


def _back(card: Card) -> str:
    return f" back{_press(card.back)}" if card.back else ""


def _links(links: Iterable[Link]) -> str:
    return ", ".join(f"{link.text} {link.look}{_press(link.state)}" for link in links)


@pytest.mark.parametrize("name", [*"1234567", "8", "10", "12", "13"])
def test_every_state_is_drawn_as_it_was_last_looked_at(name: str) -> None:
    """Of the 960 states of screen 7 those are kept in which at most one square was seen."""
    states = sorted(
        (state.query, outline(shown))
        for state, shown in graph(name).items()
        if name != "7" or len(state.seen) < 2
    )
    found = "".join(f"{query or 'begins'}\n    {drawn}\n" for query, drawn in states)
    assert_same(f"lesson-{name}", found)
