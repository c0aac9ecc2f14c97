"""A program's answers held against the mistakes with a name: which of them surely plays so?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import Any, NamedTuple

from engine.position import FULL, LINES_IN, SQUARES_IN, Position, Square, X
from engine.search import WIN, analyze, argmax, sign
from judge.mistakes import FLAT, LATER, PRINTED, changed, every

MOST = 2  # ways to name; if more fit, none is
MANY = 8  # squares to choose among

Choices = Mapping[Position, Sequence[Square]]  # the answers to each board, each once
SquareOrder = tuple[tuple[Square, ...], ...]  # by free squares, as bits: how a program goes on


class Way(NamedTuple):
    """A way to play: its mistake, and the value of each move on a board."""

    mistake: str
    values: Callable[[Position], Mapping[Square, float]]

    def best(self, position: Position) -> tuple[Square, ...]:
        """Return the squares with the highest value, in order, of a board that is not over.

        An average may be off in its last digit: since Python 3.12 sum() rounds less.
        """
        return argmax({square: round(value, 9) for square, value in self.values(position).items()})


def names_of(answers: Choices, order: SquareOrder = SQUARES_IN) -> list[str]:
    """Return the mistakes that explain all these moves.

    Boards where every square keeps the result are left out. A way that would choose nearly as many
    squares as keep the result says nothing, nor do three ways that fit alike: then none is named.

    >>> names_of({Position.parse("XX-OO----"): [2]})
    []
    """
    boards = differing(answers)
    if not boards:
        return []
    fit: dict[str, int] = {}
    is_random = any(len(given) > 1 for given in answers.values())
    for way in ways(order):
        if way.mistake not in fit and _fits(way, boards, answers, order):
            fit[way.mistake] = sum(len(way.best(board)) for board in boards) * is_random
    # Of ways that choose at random, the one that leaves least to chance explains most.
    closest = [mistake for mistake in fit if fit[mistake] == min(fit.values())]
    return closest if len(closest) <= MOST else []


def differing(answers: Choices) -> list[Position]:
    """Return the boards where squares differ in their result, those near the end first."""
    late = sorted(answers, key=lambda board: (-board.ply, board))
    return [board for board in late if len({*map(sign, analyze(board).values())}) > 1]


def fits_later(answers: Choices) -> bool:
    """Say whether a program that gives nothing away puts every win off."""
    later = next(way for way in ways() if way.mistake == LATER.name)
    return all({*answers[board]} <= {*later.best(board)} for board in answers)


def _fits(way: Way, boards: Sequence[Position], answers: Choices, order: SquareOrder) -> bool:
    """Say whether a way may make all answers, and is known by them."""
    squares = left_out = taken = may = free = 0
    before = TopologicalSorter[Square]()
    takes_first = takes_last = True
    for board in boards:
        best = sorted(way.best(board), key=order[FULL ^ (board.x | board.o)].index)
        given = answers[board]
        if not {*given} <= {*best}:
            return False
        takes_first &= given == [best[0]]
        takes_last &= given == [best[-1]]
        for square in given:
            before.add(square)
            for other in {*best} - {square}:
                before.add(other, square)
        if len(given) > 1:  # it differs when asked again
            taken, may, free = taken + len(given), may + len(best), free + len(board.legal_moves())
        values = [sign(value) for value in analyze(board).values()]
        if values.count(max(values)) > 1:
            squares += len(values)
            left_out += len(values) - len(best)
    # At random, most squares that the way may choose are taken, and the way leaves some out.
    at_random = 3 * taken >= 2 * may > MANY and 4 * may <= 3 * free
    in_order = takes_first or takes_last or _ordered(before)
    return 2 * left_out >= squares > 0 or at_random or in_order


def _ordered(before: TopologicalSorter[Square]) -> bool:
    """Say whether one order of the squares explains each choice among equals."""
    try:
        before.prepare()
    except CycleError:
        return False
    return True


@cache
def ways(order: SquareOrder = SQUARES_IN) -> tuple[Way, ...]:
    """Return each way with a name."""
    return tuple(_ways(order))


def _ways(order: SquareOrder) -> Iterator[Way]:
    """Yield the programs of each change, with turns counted, and without."""
    for scores in ({}, FLAT):
        for name, change in every():
            text = changed(PRINTED, change)
            yield Way(name, _run(changed(text, scores) if scores else text, order))


def _run(text: str, order: SquareOrder) -> Callable[[Position], Mapping[Square, float]]:
    """Return the values that a printed minimax gives to the moves of a board."""
    names: dict[str, Any] = {"WIN": WIN, "inf": inf, "won": LINES_IN.__getitem__, "is_x": is_x,
                             "free": free, "children": partial(children, order)}  # fmt: skip
    exec(text, names)
    if "kept" not in names:  # a memo of its own, which is part of the mistake
        names["value"] = cache(names["value"])
    at_the_top: Callable[[int, int], Mapping[Square, float]] = names["at_the_top"]

    def values(position: Position) -> Mapping[Square, float]:
        mine, theirs = position.x, position.o
        return at_the_top(*((mine, theirs) if position.turn == X else (theirs, mine)))

    return values


# What the printed minimax asks: `mine` and `theirs` are the marks of MAX and of MIN, as bits


def is_x(mine: int, theirs: int, is_max: bool) -> bool:
    """Say whether MAX is X, who has a mark more, or as many and the move."""
    more = mine.bit_count() - theirs.bit_count()
    return more > 0 or (more == 0 and is_max)


def free(mine: int, theirs: int) -> int:
    """Return how many squares are free."""
    return 9 - (mine | theirs).bit_count()


def children(
    order: SquareOrder, mine: int, theirs: int, is_max: bool
) -> Iterator[tuple[Square, tuple[int, int]]]:
    """Yield each free square, and the marks once it is taken."""
    for square in order[FULL ^ (mine | theirs)]:
        bit = 1 << square
        yield square, (mine | bit, theirs) if is_max else (mine, theirs | bit)
