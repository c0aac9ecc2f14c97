"""Ways to play with a named mistake, and which of these mistakes explain a program's answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import Any, NamedTuple

from engine.position import FULL, LINES_IN, SQUARES_IN, Position, Square, X
from engine.search import WIN, analyze, argmax, sign
from judge.mistakes import IGNORE_TURNS, LATER_WIN, MINIMAX_SOURCE, all_changes, apply_change

MAX_MISTAKES = 2  # mistakes to name; if more explain the answers equally well, none is named
MAX_CHANCE_SQUARES = 4  # allowed on all boards together; random answers may fit these by chance

Choices = Mapping[Position, Sequence[Square]]  # the distinct answers to each board
# The order in which a program tries the free squares, for each set of free squares as bits.
SquareOrder = tuple[tuple[Square, ...], ...]


class Way(NamedTuple):
    """A way to play with a mistake."""

    mistake: str  # its name
    values: Callable[[Position], Mapping[Square, float]]  # returns the value of each move

    def best_squares(self, position: Position) -> tuple[Square, ...]:
        """Return the squares with the highest value, on a board that is not over.

        Values are rounded, because an average may be off in its last digit.
        """
        return argmax({square: round(value, 9) for square, value in self.values(position).items()})


def explaining_mistakes(answers: Choices, order: SquareOrder = SQUARES_IN) -> list[str]:
    """Return the mistakes that explain all these answers; empty if more than two do equally well.

    Boards where all squares have the same result are left out. `_fits` says how much evidence a way
    needs.

    >>> explaining_mistakes({Position.parse("XX-OO----"): [2]})
    []
    """
    boards = boards_with_a_choice(answers)
    if not boards:
        return []
    fitting_ways: dict[str, Way] = {}
    for way in ways(order):
        if way.mistake not in fitting_ways and _fits(way, boards, answers, order):
            fitting_ways[way.mistake] = way
    mistakes = [*fitting_ways]
    if mistakes and any(len(squares) > 1 for squares in answers.values()):
        # Of the ways that fit random answers, the one that allows the fewest squares explains most.
        allowed_counts = {
            mistake: sum(len(way.best_squares(board)) for board in boards)
            for mistake, way in fitting_ways.items()
        }
        fewest = min(allowed_counts.values())
        mistakes = [mistake for mistake in mistakes if allowed_counts[mistake] == fewest]
    return mistakes if len(mistakes) <= MAX_MISTAKES else []


def boards_with_a_choice(answers: Choices) -> list[Position]:
    """Return the boards where not all squares have the same result, fullest boards first."""
    fullest_first = sorted(answers, key=lambda board: (-board.ply, board))
    return [board for board in fullest_first if len({*map(sign, analyze(board).values())}) > 1]


def delays_wins(answers: Choices) -> bool:
    """Return whether all answers are those of a program that puts wins off."""
    delaying_way = next(way for way in ways() if way.mistake == LATER_WIN.name)
    return all({*answers[board]} <= {*delaying_way.best_squares(board)} for board in answers)


def _fits(way: Way, boards: Sequence[Position], answers: Choices, order: SquareOrder) -> bool:
    """Return whether a way explains all answers, and the answers are enough to recognize it by."""
    allowed: dict[Position, Sequence[Square]] = {}
    for board in boards:
        best_squares = way.best_squares(board)
        if not {*answers[board]} <= {*best_squares}:
            return False
        allowed[board] = best_squares
    return (
        _excludes_half(allowed)
        or _is_random_choice(answers, allowed)
        or _follows_an_order(answers, allowed, order)
    )


def _excludes_half(allowed: Choices) -> bool:
    """Return whether a way excludes half of the free squares of boards where several are sound."""
    square_count = excluded_count = 0
    for board, squares in allowed.items():
        results = [sign(value) for value in analyze(board).values()]
        if results.count(max(results)) > 1:
            square_count += len(results)
            excluded_count += len(results) - len(squares)
    return 2 * excluded_count >= square_count > 0


def _is_random_choice(answers: Choices, allowed: Choices) -> bool:
    """Return whether a program chooses at random from the squares that a way allows.

    Its answers must cover at least two thirds of these squares, and the way must exclude at least
    a quarter of the free ones. Only boards with several answers count.
    """
    boards = [board for board in allowed if len(answers[board]) > 1]
    answered_count = sum(len(answers[board]) for board in boards)
    allowed_count = sum(len(allowed[board]) for board in boards)
    free_count = sum(len(board.legal_moves()) for board in boards)
    return (
        3 * answered_count >= 2 * allowed_count > 2 * MAX_CHANCE_SQUARES
        and 4 * allowed_count <= 3 * free_count
    )


def _follows_an_order(answers: Choices, allowed: Choices, order: SquareOrder) -> bool:
    """Return whether the answers choose among the allowed squares in a fixed order.

    They take always the first or always the last in `order`, or there is an order of the nine
    squares in which they always take the first.
    """
    takes_first = takes_last = True
    predecessors = TopologicalSorter[Square]()
    for board, squares in allowed.items():
        ordered = sorted(squares, key=order[FULL ^ (board.x | board.o)].index)
        takes_first &= answers[board] == [ordered[0]]
        takes_last &= answers[board] == [ordered[-1]]
        for square in answers[board]:
            predecessors.add(square)
            for other in {*squares} - {square}:
                predecessors.add(other, square)
    return takes_first or takes_last or _is_acyclic(predecessors)


def _is_acyclic(predecessors: TopologicalSorter[Square]) -> bool:
    """Return whether some order of the squares puts each after all of its predecessors."""
    try:
        predecessors.prepare()
    except CycleError:
        return False
    return True


@cache
def ways(order: SquareOrder = SQUARES_IN) -> tuple[Way, ...]:
    """Return the ways to play with a named mistake, one or more for each mistake."""
    return tuple(_generate_ways(order))


def _generate_ways(order: SquareOrder) -> Iterator[Way]:
    """Yield a way for each change: first all that count turns, then all that ignore them."""
    for counts_turns in (True, False):
        for name, change in all_changes():
            source = apply_change(MINIMAX_SOURCE, change)
            if not counts_turns:
                source = apply_change(source, IGNORE_TURNS)
            yield Way(name, _compile(source, order))


def _compile(source: str, order: SquareOrder) -> Callable[[Position], Mapping[Square, float]]:
    """Return a function that gives the value of each move on a board, from a minimax's source."""
    names: dict[str, Any] = {"WIN": WIN, "inf": inf, "won": LINES_IN.__getitem__, "is_x": is_x,
                             "free": free, "children": partial(children, order)}  # fmt: skip
    exec(source, names)
    if "memo" not in names:  # if the source has a memo of its own, that is part of the mistake
        names["value"] = cache(names["value"])
    root_values: Callable[[int, int], Mapping[Square, float]] = names["root_values"]

    def values(position: Position) -> Mapping[Square, float]:
        if position.turn == X:
            return root_values(position.x, position.o)
        return root_values(position.o, position.x)

    return values


# Functions that the source of the minimax calls: `mine` and `theirs` are the marks of MAX and of
# MIN, as bits


def is_x(mine: int, theirs: int, is_max: bool) -> bool:
    """Return whether MAX is X: it has more marks, or as many as MIN and is to move."""
    lead = mine.bit_count() - theirs.bit_count()
    return lead > 0 or (lead == 0 and is_max)


def free(mine: int, theirs: int) -> int:
    """Return the number of free squares."""
    return 9 - (mine | theirs).bit_count()


def children(
    order: SquareOrder, mine: int, theirs: int, is_max: bool
) -> Iterator[tuple[Square, tuple[int, int]]]:
    """Yield each free square, and the marks of both sides after it is taken."""
    for square in order[FULL ^ (mine | theirs)]:
        bit = 1 << square
        yield square, (mine | bit, theirs) if is_max else (mine, theirs | bit)
