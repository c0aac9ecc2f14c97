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
from engine.search import best_moves
from engine.symmetry import image
from teach.proof import LineMove, Proof, Reply, line, proof
from tests import textbook
from tests.conftest import parse
from tests.html import Tag

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


def test_each_decision_stands_under_the_opening_that_first_meets_it(
    page: Tag, found: Proof
) -> None:
    numbers = [decision.number for decision in found.decisions]
    assert numbers == list(range(1, len(numbers) + 1))
    for chapter in found.chapters:
        first, *rest = chapter.decisions
        assert first.number == chapter.opening.decision
        within = {reply.decision for one in chapter.decisions for reply in one.replies}
        assert {decision.number for decision in rest} <= within
    folds = [
        (fold.select("summary")[0].get_text(), [item["id"] for item in fold.select("ol > li")])
        for fold in page.select(f"#{found.mark} > details")
    ]
    assert [ids for _, ids in folds] == [
        [f"{found.mark}-{decision.number}" for decision in chapter.decisions]
        for chapter in found.chapters
    ]
    contents = page.select(f"nav[aria-label='Contents'] a[href^='#{found.mark}-']")
    assert [(link.get_text(), link["href"]) for link in contents] == [
        (title, f"#{ids[0]}") for title, ids in folds
    ]


def test_a_line_that_is_worked_follows_the_proof_to_its_end(found: Proof) -> None:
    for opening in openings(found):
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


def openings(found: Proof) -> tuple[Reply, ...]:
    return tuple(chapter.opening for chapter in found.chapters)


def worked() -> tuple[LineMove, ...]:
    return line(proof("X"), openings(proof("X"))[-1])


def test_one_line_is_worked_with_a_board_that_is_turned(page: Tag) -> None:
    (section,) = [s for s in page.select("section") if "One line" in s.select("h2")[0].get_text()]
    boards = [str(pic["href"]).removeprefix("/study/") for pic in section.select("ol > li > a.pic")]
    assert boards == [str(step.position) for step in worked()]
    turned = [step for step in worked() if step.symmetry not in (None, "identity")]
    assert turned
    for step in turned:
        assert f"the {step.symmetry} takes it to this board" in section.get_text()
    assert "Each answer of X has" in section.get_text()
    decisions = [str(a["href"]) for a in section.select("li a:not(.pic)")]
    assert decisions == [f"#X-{step.decision}" for step in worked() if step.decision]


def test_the_counts_and_the_answers_are_the_engines(found: Proof) -> None:
    assert found is proof(found.mark)  # kept for every reader
    winners = Counter(textbook.winner(str(ending)) for ending in found.endings)
    assert winners == {found.mark: len(found.endings) - found.drawn, None: found.drawn}
    for decision in found.decisions:
        assert decision.answer in best_moves(decision.position)
        assert decision.after == decision.position.play(decision.answer)
    counts = (len(found.decisions), len(found.endings), found.drawn)
    assert counts == {"X": (52, 28, 2), "O": (79, 31, 3)}[found.mark]


def test_replies_that_come_to_the_same_are_listed_once_with_their_symmetry(found: Proof) -> None:
    for replies in (openings(found), *(decision.replies for decision in found.decisions)):
        boards = {min(textbook.images(str(reply.position))) for reply in replies}
        assert len(boards) == len(replies)
        for reply in replies:
            assert (reply.decision is None) == (reply.symmetry is None)
            assert (reply.decision is None) == textbook.over(str(reply.position))
            if reply.decision and reply.symmetry:
                listed = found.decisions[reply.decision - 1]
                assert image(listed.position, reply.symmetry) == reply.position


def test_the_page_says_how_the_board_of_a_decision_is_turned(page: Tag, found: Proof) -> None:
    lists = [() if found.start else openings(found), *(one.replies for one in found.decisions)]
    replies = [reply for replies in lists for reply in replies if reply.decision]
    items = page.select(f"#{found.mark} ul.replies > li:has(> a)")
    assert [item.get_text().partition(": ")[2] for item in items] == [
        f"{reply.decision}{f', {reply.symmetry}' if reply.symmetry != 'identity' else ''}"
        for reply in replies
    ]
