"""The proofs, verified by a checker that knows only the rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask

from engine.position import SQUARE_NAMES, Mark
from engine.search import best_moves
from engine.symmetry import SYMMETRIES, image
from teach.proof import Played, Proof, Reply, line, proof
from tests import textbook
from tests.conftest import parse

MARKS: tuple[Mark, ...] = ("X", "O")


# The checker: the proof as a page prints it, and what is wrong with it. No engine in here.


@dataclass(frozen=True)
class Printed:
    """Hold one decision: the board, the answer, and where every reply leads.

    `ending` says how the answer ended the game: a draw, or the winner and its lines. A reply
    leads to the number of a decision, or to such an ending.
    """

    board: str
    answer: int
    ending: str | None
    replies: dict[int, int | str]


@dataclass(frozen=True)
class Listing:
    """Hold a whole proof for `mark`: the opponent's openings, the decisions, the two counts."""

    mark: str
    openings: dict[int, int | str]
    decisions: dict[int, Printed]
    count: int
    endings: int


@dataclass
class Checker:
    """Verify a listing, knowing nothing but the rules."""

    listing: Listing
    needed: set[int] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)

    def faults(self) -> Iterator[str]:
        listing = self.listing
        if listing.mark == "X":
            yield from self.leads(textbook.EMPTY, min(listing.decisions, default=0), "the start")
        else:
            yield from self.covers(textbook.EMPTY, listing.openings, "the openings")
        for number, printed in listing.decisions.items():
            yield from self.decides(printed, f"decision {number}")
        if self.needed != set(listing.decisions):
            yield "a decision is listed that no game comes to"
        if listing.count != len(listing.decisions):
            yield f"there are {len(listing.decisions)} decisions, not {listing.count}"
        if listing.endings != len(self.ended):
            yield f"there are {len(self.ended)} endings, not {listing.endings}"

    def decides(self, printed: Printed, name: str) -> Iterator[str]:
        if not self.is_ours(printed.board):
            yield f"{name}: it is not {self.listing.mark} to move"
        elif printed.answer not in textbook.children(printed.board):
            yield f"{name}: the answer is illegal"
        else:
            after = textbook.children(printed.board)[printed.answer]
            if textbook.over(after):
                yield from self.ends(after, printed.ending, name)
            elif printed.ending is not None:
                yield f"{name}: the game is not over"
            yield from self.covers(after, printed.replies, name)

    def is_ours(self, board: str) -> bool:
        """Say whether legal play reaches the board, unfinished, with this side to move."""
        lead = board.count("X") - board.count("O")
        fits = len(board) == 9 and set(board) <= set("XO-") and lead in (0, 1)
        return fits and not textbook.over(board) and textbook.turn(board) == self.listing.mark

    def covers(self, board: str, replies: dict[int, int | str], name: str) -> Iterator[str]:
        """Check that every move on `board`, and nothing else, has its reply, which holds."""
        children = textbook.children(board)
        if replies.keys() != children.keys():
            yield f"{name}: not exactly the legal replies"
        for square in replies.keys() & children.keys():
            yield from self.leads(children[square], replies[square], f"{name}, reply {square}")

    def leads(self, board: str, target: int | str, name: str) -> Iterator[str]:
        if textbook.over(board):
            yield from self.ends(board, target, name)
        elif target not in self.listing.decisions:
            yield f"{name}: there is no decision {target}"
        else:
            assert isinstance(target, int)
            self.needed.add(target)
            if self.listing.decisions[target].board not in textbook.images(board):
                yield f"{name}: decision {target} is about another board"

    def ends(self, board: str, ending: int | str | None, name: str) -> Iterator[str]:
        self.ended.add(min(textbook.images(board)))
        if textbook.winner(board) not in (None, self.listing.mark):
            yield f"{name}: lost"
        if ending != how_it_ended(board):
            yield f"{name}: the game ends in {how_it_ended(board)}, not {ending}"


@cache
def how_it_ended(board: str) -> str:
    winner = textbook.winner(board)
    rows = [[int(square) for square in row] for row in textbook.ROWS]
    won = [row for row in rows if winner and {board[square] for square in row} == {winner}]
    lines = ["{}, {} and {}".format(*(SQUARE_NAMES[square] for square in row)) for row in won]
    return f"{winner} wins: {'; '.join(lines)}" if winner else "a draw"


def faults(listing: Listing) -> list[str]:
    return list(Checker(listing).faults())


# The proofs


def served(page: BeautifulSoup, mark: Mark) -> Listing:
    """Read a proof from the page, by what a person reads there and the links they follow."""
    (section,) = page.select(f"section#{mark}")
    decisions = {}
    for item in section.select("ol.decisions > li"):
        link, answer, ending = (
            item.select("a.pic")[0],
            item.select(".answer")[0],
            "".join(item.select("div")[0].find_all(string=True, recursive=False))
            .partition(": ")[2]
            .strip(),
        )
        decisions[int(str(item["id"]).removeprefix(f"{mark}-"))] = Printed(
            str(link["href"]).removeprefix("/study/"),
            SQUARE_NAMES.index(answer.get_text()),
            ending or None,
            targets(item.select("ul.replies > li"), mark),
        )
    return Listing(
        mark,
        targets(section.select(":scope > ul.replies > li"), mark),
        decisions,
        int(section.select("span.count")[0].get_text()),
        int(section.select("span.endings")[0].get_text()),
    )


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
def page(app: Flask) -> BeautifulSoup:
    return parse(app.test_client().get("/proof"))


@pytest.fixture(params=MARKS)
def listing(request: pytest.FixtureRequest, page: BeautifulSoup) -> Listing:
    return served(page, request.param)


@pytest.mark.long
def test_the_checker_accepts_both_proofs(listing: Listing) -> None:
    assert faults(listing) == []


def forgeries(listing: Listing) -> Iterator[Listing]:
    """Yield the listing with an answer, a decision, a reply, a board, an end or a count changed."""
    decisions = listing.decisions

    def changed(number: int, **changes: Any) -> Listing:
        forged = replace(decisions[number], **changes)
        return replace(listing, decisions={**decisions, number: forged})

    for number, decision in decisions.items():
        for square in {*range(9)} - {decision.answer}:
            yield changed(number, answer=square)
        left = {n: other for n, other in decisions.items() if n != number}
        yield replace(listing, decisions=left, count=len(left))
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
    yield replace(listing, count=listing.count + 1)
    yield replace(listing, endings=listing.endings - 1)
    yield replace(listing, decisions={**decisions, 999: decisions[1]}, count=listing.count + 1)


@pytest.mark.long
def test_the_checker_rejects_a_proof_with_any_one_thing_changed(listing: Listing) -> None:
    for forged in forgeries(listing):
        assert any(Checker(forged).faults()), forged


def test_the_checker_rejects_a_loss() -> None:
    lost = Printed("XX-O-----", 8, None, {2: "X wins: top left, top centre and top right"})
    assert "decision 1, reply 2: lost" in faults(Listing("O", {}, {1: lost}, 1, 1))


def openings(found: Proof) -> tuple[Reply, ...]:
    return tuple(chapter.opening for chapter in found.chapters)


def test_each_decision_stands_under_the_opening_after_which_it_is_first_met(
    page: BeautifulSoup,
) -> None:
    for mark in MARKS:
        found = proof(mark)
        numbers = [decision.number for decision in found.decisions]
        assert numbers == list(range(1, len(numbers) + 1))
        for chapter in found.chapters:
            first, *rest = chapter.decisions
            assert first.number == chapter.opening.decision
            within = {reply.decision for one in chapter.decisions for reply in one.replies}
            assert {decision.number for decision in rest} <= within
        folds = page.select(f"#{mark} > details")
        assert [len(fold.select("ol.decisions > li")) for fold in folds] == [
            len(chapter.decisions) for chapter in found.chapters
        ]
        contents = page.select(f"nav[aria-label='Contents'] a[href^='#{mark}-']")
        assert [link.get_text() for link in contents] == [
            fold.select("summary")[0].get_text() for fold in folds
        ]
        firsts = [f"#{fold.select('ol.decisions > li')[0]['id']}" for fold in folds]
        assert [link["href"] for link in contents] == firsts


@pytest.mark.parametrize("mark", MARKS)
def test_a_line_that_is_worked_follows_the_proof_to_its_end(mark: Mark) -> None:
    found = proof(mark)
    for opening in openings(found):
        board = textbook.EMPTY
        for step in line(found, opening):
            before, board = board, textbook.children(board)[step.square]
            assert str(step.position) == board
            assert (step.decision is not None) == (textbook.turn(before) == mark)
            if step.decision:
                listed = found.decisions[step.decision - 1]
                assert step.symmetry
                assert str(image(listed.position, step.symmetry)) == before
                assert str(image(listed.after, step.symmetry)) == board
        assert textbook.over(board)


@pytest.mark.parametrize("mark", MARKS)
def test_a_line_that_is_worked_goes_where_a_board_is_turned_if_it_can(mark: Mark) -> None:
    found = proof(mark)
    for opening in openings(found):
        steps = line(found, opening)
        for answer, reply in pairwise(steps):
            if answer.decision and answer.position != steps[0].position:
                replies = found.decisions[answer.decision - 1].replies
                going_on = [one for one in replies if one.decision]
                turning = [one for one in going_on if one.symmetry != "identity"]
                assert answer.symmetry
                goes_to = SYMMETRIES[answer.symmetry]
                assert reply.square == goes_to[(turning or going_on)[0].square]


def worked() -> tuple[Played, ...]:
    return line(proof("X"), openings(proof("X"))[-1])


def test_one_line_is_worked_with_a_board_that_is_turned(page: BeautifulSoup) -> None:
    (section,) = [s for s in page.select("section") if "One line" in s.select("h2")[0].get_text()]
    steps = section.select("ol > li")
    boards = [str(step.select("a.pic")[0]["href"]).removeprefix("/study/") for step in steps]
    assert boards == [str(step.position) for step in worked()]
    turned = [step for step in worked() if step.symmetry not in (None, "identity")]
    assert turned
    for step in turned:
        assert f"the {step.symmetry} takes it to this board" in section.get_text()
    assert "Each answer of X has" in section.get_text()
    decisions = [str(a["href"]) for a in section.select("li a:not(.pic)")]
    assert decisions == [f"#X-{step.decision}" for step in worked() if step.decision]


def test_the_page_is_small_enough_to_be_laid_out_at_once(page: BeautifulSoup) -> None:
    assert len(page.find_all(True)) < 2000


def test_the_counts_and_the_answers_are_the_engines() -> None:
    for mark in MARKS:
        found = proof(mark)
        assert found is proof(mark)  # kept for every reader
        winners = Counter(textbook.winner(str(ending)) for ending in found.endings)
        assert winners == {mark: len(found.endings) - found.drawn, None: found.drawn}
        for decision in found.decisions:
            assert decision.answer in best_moves(decision.position)
            assert decision.after == decision.position.play(decision.answer)
    counts = [(len(p.decisions), len(p.endings), p.drawn) for p in map(proof, MARKS)]
    assert counts == [(52, 28, 2), (79, 31, 3)]


def test_every_reply_names_the_symmetry_that_carries_the_answer_over() -> None:
    for mark in MARKS:
        found = proof(mark)
        for decision in found.decisions:
            for reply in (*openings(found), *decision.replies):
                if reply.decision is None:
                    assert reply.position.outcome()
                    assert reply.symmetry is None
                else:
                    assert reply.symmetry
                    listed = found.decisions[reply.decision - 1]
                    assert image(listed.position, reply.symmetry) == reply.position


def test_replies_that_come_to_the_same_are_listed_once() -> None:
    for mark in MARKS:
        found = proof(mark)
        for replies in (openings(found), *(decision.replies for decision in found.decisions)):
            boards = [min(textbook.images(str(reply.position))) for reply in replies]
            assert len(boards) == len(set(boards))
    assert [(reply.square, reply.mirrors) for reply in openings(proof("O"))] == [
        (0, (2, 6, 8)),
        (1, (3, 5, 7)),
        (4, ()),
    ]
