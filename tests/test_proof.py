"""The proofs, verified by a checker that knows only the rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from flask import Flask

from engine.position import SQUARE_NAMES, Mark
from engine.symmetry import image
from teach.proof import Proof, line, proof
from tests import textbook
from tests.conftest import parse
from tests.html import Tag
from tests.sentences import assert_same, page_as_read

MARKS: tuple[Mark, ...] = ("X", "O")


# The checker: the proof as a page prints it, and what is wrong with it. No engine in here.


class Printed(NamedTuple):
    """Hold one decision: the board, the answer, and where every reply leads.

    A reply leads to the number of a decision, or to how the game ended: a draw, or the winner and
    the lines. `ending` says so of an answer that ends the game.
    """

    board: str
    answer: int
    ending: str | None
    replies: dict[int, int | str]


class Listing(NamedTuple):
    """Hold a whole proof for `mark`, and what the opponent's openings lead to."""

    mark: str
    openings: dict[int, int | str]
    decisions: dict[int, Printed]
    counts: tuple[int, ...]  # of decisions and endings


class Checker:
    """Verify a listing, knowing nothing but the rules."""

    def __init__(self, listing: Listing) -> None:
        self.mark, self.openings, self.decisions, self.counts = listing
        self.needed, self.ended = set[int](), set[str]()

    def faults(self) -> Iterator[str]:
        if self.mark == "X":
            yield from self.leads(textbook.EMPTY, min(self.decisions, default=0))
        else:
            yield from self.covers(textbook.EMPTY, self.openings)
        for number, printed in self.decisions.items():
            yield from (f"decision {number}: {fault}" for fault in self.decides(printed))
        if self.needed != set(self.decisions):
            yield "a decision is listed that no game comes to"
        if self.counts != (found := (len(self.decisions), len(self.ended))):
            yield f"the decisions and endings are {found}, not {self.counts}"

    def decides(self, printed: Printed) -> Iterator[str]:
        """Check that one legal answer is given on a board there is, and every reply to it."""
        ours = printed.board in textbook.every_board() and textbook.turn(printed.board) == self.mark
        below = textbook.children(printed.board) if ours else {}
        if printed.answer not in below:
            yield f"{self.mark} cannot play there"
            return
        after = below[printed.answer]
        if textbook.over(after) or printed.ending:
            yield from self.ends(after, printed.ending)
        yield from self.covers(after, printed.replies)

    def covers(self, board: str, replies: dict[int, int | str]) -> Iterator[str]:
        """Check that every move on `board`, and nothing else, has its reply, which holds."""
        children = textbook.children(board)
        if replies.keys() != children.keys():
            yield "not exactly the legal replies"
        for square in replies.keys() & children.keys():
            yield from self.leads(children[square], replies[square])

    def leads(self, board: str, target: int | str) -> Iterator[str]:
        if textbook.over(board):
            yield from self.ends(board, target)
        elif not isinstance(target, int) or target not in self.decisions:
            yield f"there is no decision {target}"
        else:
            self.needed.add(target)
            if self.decisions[target].board not in textbook.images(board):
                yield f"decision {target} is about another board"

    def ends(self, board: str, ending: int | str | None) -> Iterator[str]:
        self.ended.add(min(textbook.images(board)))
        if textbook.winner(board) not in (None, self.mark):
            yield "lost"
        if ending != how_it_ended(board):
            yield f"the game ends in {how_it_ended(board)}, not {ending}"


@cache
def how_it_ended(board: str) -> str | None:
    winner = textbook.winner(board)
    rows = [[int(square) for square in row] for row in textbook.ROWS]
    won = [row for row in rows if winner and {board[square] for square in row} == {winner}]
    lines = ["{}, {} and {}".format(*(SQUARE_NAMES[square] for square in row)) for row in won]
    draw = "a draw" if textbook.over(board) else None
    return f"{winner} wins: {'; '.join(lines)}" if winner else draw


# The proofs


def served(page: Tag, mark: Mark) -> Listing:
    """Read a proof from the page, by what a person reads there and the links they follow."""
    (section,) = page.select(f"section#{mark}")
    decisions = {}
    for item in section.select("ol.decisions > li"):
        replies = "".join(listed.get_text() for listed in item.select("ul"))
        said = item.select("div")[0].get_text().removesuffix(replies)
        decisions[int(str(item["id"]).removeprefix(f"{mark}-"))] = Printed(
            str(item.select("a.pic")[0]["href"]).removeprefix("/study/"),
            SQUARE_NAMES.index(item.select(".answer")[0].get_text()),
            said.partition(": ")[2].strip() or None,
            targets(item.select("ul.replies > li"), mark),
        )
    counts = [int(section.select(f"span.{name}")[0].get_text()) for name in ("count", "endings")]
    openings = targets(page.select(f"section#{mark} > ul.replies > li"), mark)
    return Listing(mark, openings, decisions, tuple(counts))


def targets(replies: list[Tag], mark: Mark) -> dict[int, int | str]:
    found: dict[int, int | str] = {}
    for reply in replies:
        names = re.split(", | and ", reply.get_text().partition(":")[0][2:])
        links, ending = reply.select("a"), reply.select("em")
        target = ending[0].get_text() if ending else int(links[0].get_text())
        assert ending or links[0]["href"] == f"#{mark}-{target}"
        found.update({SQUARE_NAMES.index(name): target for name in names})
    return found


@pytest.fixture(scope="module")
def page(app: Flask) -> Tag:
    return parse(app.test_client().get("/proof"))


@pytest.fixture(params=MARKS)
def listing(request: pytest.FixtureRequest, page: Tag) -> Listing:
    return served(page, request.param)


@pytest.fixture(params=MARKS)
def found(request: pytest.FixtureRequest) -> Proof:
    return proof(request.param)


@pytest.mark.long
def test_the_checker_accepts_both_proofs(listing: Listing) -> None:
    assert [*Checker(listing).faults()] == []


def forgeries(listing: Listing) -> Iterator[Listing]:
    """Yield the listing with an answer, a decision, a reply, a board, an end or a count changed."""
    decisions, (count, endings) = listing.decisions, listing.counts

    def changed(number: int, **changes: Any) -> Listing:
        forged = decisions[number]._replace(**changes)
        return listing._replace(decisions={**decisions, number: forged})

    for number, decision in decisions.items():
        for square in {*range(9)} - {decision.answer}:
            yield changed(number, answer=square)
        left = {n: other for n, other in decisions.items() if n != number}
        yield listing._replace(decisions=left, counts=(len(left), endings))
        for square, target in decision.replies.items():
            replies = {s: to for s, to in decision.replies.items() if s != square}
            yield changed(number, replies=replies)
            lost = "O wins: top left, top centre and top right"
            yield changed(number, replies={**replies, square: lost})
            if isinstance(target, int):
                elsewhere = target % len(decisions) + 1
                yield changed(number, replies={**replies, square: elsewhere})
    for board in ("XX-------", "XXXOO----", "X" * 9, "?", ""):
        yield changed(1, board=board)
    yield changed(1, ending="a draw")
    yield listing._replace(counts=(count + 1, endings))
    yield listing._replace(counts=(count, endings - 1))
    yield listing._replace(decisions={**decisions, 999: decisions[1]}, counts=(count + 1, endings))


@pytest.mark.long
def test_the_checker_rejects_a_proof_with_any_one_thing_changed(listing: Listing) -> None:
    for forged in forgeries(listing):
        assert any(Checker(forged).faults()), forged


def test_the_page_is_as_last_read(page: Tag) -> None:
    """In it each decision stands under the opening that first meets it, and one line is worked."""
    assert_same("proof", page_as_read(page))


def test_a_line_that_is_worked_follows_the_proof_to_its_end(found: Proof) -> None:
    for opening in (chapter.opening for chapter in found.chapters):
        board = textbook.EMPTY
        for step in line(found, opening):
            before, board = board, textbook.children(board)[step.square]
            assert str(step.position) == board
            assert (step.decision is not None) == (textbook.turn(before) == found.mark)
            if step.decision:
                listed = found.decisions[step.decision - 1]
                assert step.symmetry
                assert str(image(listed.position, step.symmetry)) == before
                assert str(image(listed.after, step.symmetry)) == board
        assert textbook.over(board)


def test_an_ending_is_counted_as_drawn_where_nobody_wins(found: Proof) -> None:
    assert found is proof(found.mark)  # kept for every reader
    winners = Counter(textbook.winner(str(ending)) for ending in found.endings)
    assert winners == {found.mark: len(found.endings) - found.drawn, None: found.drawn}


def test_replies_that_come_to_the_same_are_listed_once_with_their_symmetry(found: Proof) -> None:
    openings = [chapter.opening for chapter in found.chapters]
    for replies in (openings, *(decision.replies for decision in found.decisions)):
        boards = {min(textbook.images(str(reply.position))) for reply in replies}
        assert len(boards) == len(replies)
        for reply in replies:
            assert (reply.decision is None) == (reply.symmetry is None)
            assert (reply.decision is None) == textbook.over(str(reply.position))
            if reply.decision and reply.symmetry:
                listed = found.decisions[reply.decision - 1]
                assert image(listed.position, reply.symmetry) == reply.position
