"""A proof that each side can hold the draw: one answer to whatever the opponent plays."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.position import Mark, Outcome, Position, Square, X
from engine.search import best_moves
from engine.symmetry import SYMMETRIES, Symmetry, branches, canonical, relation


class Reply(NamedTuple):
    """Hold one move of the opponent, with the `mirrors` that come to the same.

    `decision` is the number of the decision that answers it, whose position `symmetry` takes to
    this one: the answer goes the same way. Both are None where the game is over.
    """

    square: Square
    mirrors: tuple[Square, ...]
    position: Position
    decision: int | None
    symmetry: Symmetry | None


class Decision(NamedTuple):
    """Hold a position, the one answer to it, and all that the opponent can do then.

    Where the answer ends the game there are no replies; `after.outcome()` says how it ended.
    """

    number: int
    position: Position
    answer: Square
    after: Position
    replies: tuple[Reply, ...]


class Chapter(NamedTuple):
    """Hold an opening, the opponent's first move, and the decisions first met after it."""

    opening: Reply
    decisions: tuple[Decision, ...]


class Proof(NamedTuple):
    """Hold a complete strategy for `mark`, up to symmetry: each decision once.

    `start` is decision 1, on the empty board, if `mark` begins.
    """

    mark: Mark
    start: Decision | None
    chapters: tuple[Chapter, ...]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Return all decisions, by their numbers."""
        start = (self.start,) if self.start else ()
        return (*start, *(decision for chapter in self.chapters for decision in chapter.decisions))

    @property
    def endings(self) -> frozenset[Position]:
        """Return the boards on which the games end; one stands for its turns and mirror images."""
        after = [decision.after for decision in self.decisions]
        replied = [reply.position for decision in self.decisions for reply in decision.replies]
        return frozenset(canonical(board) for board in (*after, *replied) if board.outcome())

    @property
    def drawn(self) -> int:
        """Count the endings that nobody wins; `mark` wins all others."""
        return sum(ending.outcome() == Outcome(None, ()) for ending in self.endings)


@cache
def proof(mark: Mark) -> Proof:
    """Return the strategy of `mark`: the first of the best moves, against every reply."""
    met: dict[Position, Position] = {}  # by the board that stands for each, in order of numbers

    def reply(squares: tuple[Square, ...], board: Position) -> Reply:
        if board.outcome():
            return Reply(squares[0], squares[1:], board, None, None)
        same = canonical(board)
        listed, number = met.setdefault(same, board), [*met].index(same) + 1
        return Reply(squares[0], squares[1:], board, number, relation(listed, board))

    def decision(number: int, position: Position) -> Decision:
        answer = best_moves(position)[0]
        after = position.play(answer)
        replies = tuple(reply(*branch) for branch in branches(after).items())
        return Decision(number, position, answer, after, replies)

    here = Position()
    if mark == X:
        met[here] = here
        here = here.play(best_moves(here)[0])
    done = len(met)
    chapters = []
    for branch in branches(here).items():
        opening, decisions = reply(*branch), []
        while done < len(met):  # it grows as replies are met
            done += 1
            decisions.append(decision(done, [*met.values()][done - 1]))
        chapters.append(Chapter(opening, tuple(decisions)))
    return Proof(mark, decision(1, Position()) if mark == X else None, tuple(chapters))


class LineMove(NamedTuple):
    """Hold a move of a line through a proof, and the board after it.

    An answer has the number of its decision, whose board `symmetry` takes to the one answered.
    """

    square: Square
    position: Position
    decision: int | None = None
    symmetry: Symmetry | None = None


def line(proof: Proof, opening: Reply) -> tuple[LineMove, ...]:
    """Return a line after an opening, to its last answer.

    Of the opponent's replies it follows one whose decision is listed turned or mirrored, if any.
    """
    moves: list[LineMove] = []
    position = Position()
    if proof.start:
        position = proof.start.after
        moves.append(LineMove(proof.start.answer, position, proof.start.number, "identity"))
    turned = SYMMETRIES["identity"]
    reply: Reply | None = opening
    while reply and reply.decision:
        listed = proof.decisions[reply.decision - 1]
        position = position.play(turned[reply.square])
        moves.append(LineMove(turned[reply.square], position))
        symmetry = relation(listed.position, position) or "identity"
        turned = SYMMETRIES[symmetry]
        position = position.play(turned[listed.answer])
        moves.append(LineMove(turned[listed.answer], position, listed.number, symmetry))
        answered = [one for one in listed.replies if one.decision]
        reply = max(answered, key=lambda one: one.symmetry != "identity", default=None)
    return tuple(moves)
