"""The named mistakes that explain a program's answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import Any, NamedTuple

from engine.position import FULL, LINES_IN, SQUARES_IN, Position, Square, X
from engine.search import WIN, analyze, argmax, sign
from judge.mistakes import IGNORE_TURNS, LATER_WIN, MINIMAX_SOURCE, all_changes, apply_change

MAX_MISTAKES = 2  # mistakes to name; if more fit, none is named
MIN_RANDOM_SQUARES = 4  # a way that chooses at random must choose from more than these

Choices = Mapping[Position, Sequence[Square]]  # the distinct answers to each board
SquareOrder = tuple[tuple[Square, ...], ...]  # by free squares, as bits: the order to try them in


class Way(NamedTuple):
    """A way to play: its mistake, and the value of each move on a board."""

    mistake: str
    values: Callable[[Position], Mapping[Square, float]]

    def best(self, position: Position) -> tuple[Square, ...]:
        """Return the squares with the highest value, on a board that is not over.

        Values are rounded, because an average may be off in its last digit.
        """
        return argmax({square: round(value, 9) for square, value in self.values(position).items()})


def explaining_mistakes(answers: Choices, order: SquareOrder = SQUARES_IN) -> list[str]:
    """Return the mistakes that explain all these moves; empty if more than two fit equally well.

    Boards where all squares have the same result are left out. `_fits` says how much evidence a way
    needs.

    >>> explaining_mistakes({Position.parse("XX-OO----"): [2]})
    []
    """
    boards = boards_with_a_choice(answers)
    if not boards:
        return []
    choice_counts: dict[str, int] = {}
    is_random = any(len(squares) > 1 for squares in answers.values())
    for way in ways(order):
        if way.mistake not in choice_counts and _fits(way, boards, answers, order):
            choice_counts[way.mistake] = sum(len(way.best(board)) for board in boards) * is_random
    # Of ways that choose at random, the one with the fewest choices explains most.
    fewest = min(choice_counts.values(), default=0)
    narrowest = [mistake for mistake, count in choice_counts.items() if count == fewest]
    return narrowest if len(narrowest) <= MAX_MISTAKES else []


def boards_with_a_choice(answers: Choices) -> list[Position]:
    """Return the boards where squares differ in their result, fullest boards first."""
    fullest_first = sorted(answers, key=lambda board: (-board.ply, board))
    return [board for board in fullest_first if len({*map(sign, analyze(board).values())}) > 1]


def delays_wins(answers: Choices) -> bool:
    """Return whether all answers are those of a program that puts wins off."""
    delaying = next(way for way in ways() if way.mistake == LATER_WIN.name)
    return all({*answers[board]} <= {*delaying.best(board)} for board in answers)


def _fits(way: Way, boards: Sequence[Position], answers: Choices, order: SquareOrder) -> bool:
    """Return whether a way explains all answers, and enough of them to be recognized."""
    square_count = excluded_count = taken_count = allowed_count = free_count = 0
    before = TopologicalSorter[Square]()
    takes_first = takes_last = True
    for board in boards:
        best = sorted(way.best(board), key=order[FULL ^ (board.x | board.o)].index)
        squares = answers[board]
        if not {*squares} <= {*best}:
            return False
        takes_first &= squares == [best[0]]
        takes_last &= squares == [best[-1]]
        for square in squares:
            before.add(square)
            for other in {*best} - {square}:
                before.add(other, square)
        if len(squares) > 1:  # answers differ when asked again
            taken_count += len(squares)
            allowed_count += len(best)
            free_count += len(board.legal_moves())
        values = [sign(value) for value in analyze(board).values()]
        if values.count(max(values)) > 1:
            square_count += len(values)
            excluded_count += len(values) - len(best)
    # If random, the answers cover most squares that the way may choose, and it excludes some.
    covers_most = 3 * taken_count >= 2 * allowed_count > 2 * MIN_RANDOM_SQUARES
    is_random = covers_most and 4 * allowed_count <= 3 * free_count
    is_in_order = takes_first or takes_last or _has_one_order(before)
    return 2 * excluded_count >= square_count > 0 or is_random or is_in_order


def _has_one_order(before: TopologicalSorter[Square]) -> bool:
    """Return whether one order of the squares explains each choice among equals."""
    try:
        before.prepare()
    except CycleError:
        return False
    return True


@cache
def ways(order: SquareOrder = SQUARES_IN) -> tuple[Way, ...]:
    """Return each way to play with a named mistake."""
    return tuple(_generate_ways(order))


def _generate_ways(order: SquareOrder) -> Iterator[Way]:
    """Yield the way of each change, first with turns counted, then without."""
    for score_change in ({}, IGNORE_TURNS):
        for name, change in all_changes():
            source = apply_change(MINIMAX_SOURCE, change)
            source = apply_change(source, score_change) if score_change else source
            yield Way(name, _compile(source, order))


def _compile(source: str, order: SquareOrder) -> Callable[[Position], Mapping[Square, float]]:
    """Return a function of the values that a printed minimax gives to the moves of a board."""
    names: dict[str, Any] = {"WIN": WIN, "inf": inf, "won": LINES_IN.__getitem__, "is_x": is_x,
                             "free": free, "children": partial(children, order)}  # fmt: skip
    exec(source, names)
    if "kept" not in names:  # otherwise its own memo is part of the mistake
        names["value"] = cache(names["value"])
    root_values: Callable[[int, int], Mapping[Square, float]] = names["root_values"]

    def values(position: Position) -> Mapping[Square, float]:
        mine, theirs = position.x, position.o
        return root_values(*((mine, theirs) if position.turn == X else (theirs, mine)))

    return values


# What the printed minimax calls: `mine` and `theirs` are the marks of MAX and of MIN, as bits


def is_x(mine: int, theirs: int, is_max: bool) -> bool:
    """Return whether MAX is X: it has one mark more, or equally many and the move."""
    more = mine.bit_count() - theirs.bit_count()
    return more > 0 or (more == 0 and is_max)


def free(mine: int, theirs: int) -> int:
    """Return the number of free squares."""
    return 9 - (mine | theirs).bit_count()


def children(
    order: SquareOrder, mine: int, theirs: int, is_max: bool
) -> Iterator[tuple[Square, tuple[int, int]]]:
    """Yield each free square, and the marks after it is taken."""
    for square in order[FULL ^ (mine | theirs)]:
        bit = 1 << square
        yield square, (mine | bit, theirs) if is_max else (mine, theirs | bit)
