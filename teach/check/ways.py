"""Mistakes with a name, each as a way to play, to be named where a program surely plays so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import Any, NamedTuple

from engine.position import FULL, LINES_IN, SQUARES_IN, Mark, O, Position, Square, X
from engine.search import WIN, analyse, highest, sign
from teach import programs

MOST = 2  # ways to name; if more fit, none is
MISTAKES = 2  # at most, in a way
MANY = 8  # squares to choose among
NO_TURNS = programs.Mistake(3, 1)
LATER = "a later win counts for more"
LAST = "the last value is kept"

LOOK = {
    "both sides maximise": "max on the opponent's boards, too",
    "MAX takes the lowest and MIN the highest": "the two the wrong way round",
    "the best starts at 0": "best = 0 where −∞ belongs, and ∞ for the opponent",
    "the best starts at −inf for MIN, too": "one −∞ for both sides",
    "every value is turned round": "a minus that is there once too often, or once too seldom",
    LAST: "best = value without a comparison",
    "every win is counted for X": "a score that asks whether X has won, not the program",
    "every win is counted as its own": "a score that asks whether somebody has won, not who",
    "a loss counts as little as a draw": "a score that knows wins alone",
    "a win counts as a loss, and a loss as a win": (
        "the sign of the score; or min and max the wrong way round, at the top, too"
    ),
    LATER: "turns added where they are taken off, or the other way round",
    "a draw is tested before a win": "“full” before “three in a row”: the ninth mark can win",
    "the first value is returned": "a `return` inside the loop: it belongs after the loop",
    "after its own move it moves again": (
        "the side handed on at the top: after the program's move the opponent is to move"
    ),
    "every mark in the search is its own": "a side that is never handed on: X, then O, then X",
    "deeper calls overwrite its move": (
        "one variable for the best move, set at every level: set it at the top alone"
    ),
    "one side moves on alone": "the same side handed to both calls: X, then O, then X",
    "a comparison stands the wrong way round": (
        "“more than” where “less than” belongs, or the other way round: the best stays what it"
        " starts with"
    ),
    "it picks among bounds": (
        "alpha-beta whose equal values are collected at the top: beside the best, an equal value is"
        " a bound, no value. Take the first, or search each move with the full window"
    ),
    "it looks {n} ahead": "a limit of depth: nine turns are all there are",
    "as O, too, it takes the best move for X": (
        "max over the moves, whoever is to move. Take max as X and min as O"
    ),
    "as X, too, it takes the best move for O": "a program that plays O only: judge it with --as O",
    "it takes a win, else the first free square": "a search that stops after one move",
}

Choices = Mapping[Position, Sequence[Square]]  # the answers to each board, each once


class Way(NamedTuple):
    """Hold a way to play: its mistakes, and the value of each move on a board."""

    mistakes: tuple[str, ...]
    values: Callable[[Position], Mapping[Square, float]]

    def best(self, position: Position) -> tuple[Square, ...]:
        """Return the squares with the highest value, in order, of a board that is not over."""
        return highest(self.values(position))


def look(mistake: str) -> str:
    """Return what to look for, for a mistake as named."""
    return LOOK.get(mistake) or LOOK["it looks {n} ahead"]


def named(answers: Choices) -> list[tuple[str, ...]]:
    """Return the mistakes of the ways that make all these moves, those with the fewest mistakes.

    Boards where every square keeps the result are left out. A way that would choose nearly as many
    squares as keep the result tells nothing, nor do three ways that fit alike: then none is named.

    >>> named({Position.parse("XX-OO----"): [2]})
    []
    """
    told = differing(answers)
    if not told:
        return []
    fit: list[tuple[str, ...]] = []
    for way in ways():
        if fit and len(way.mistakes) > len(fit[0]):
            break
        if way.mistakes not in fit and _fits(way, told, answers):
            fit.append(way.mistakes)
    return fit if len(fit) <= MOST else []


def differing(answers: Choices) -> list[Position]:
    """Return the boards where squares differ in their result, those near the end first."""
    late = sorted(answers, key=lambda board: (-board.ply, board))
    return [board for board in late if len({*map(sign, analyse(board).values())}) > 1]


def fits_later(answers: Choices) -> bool:
    """Say whether a program that gives nothing away puts every win off."""
    later = Way((LATER,), Search(_later).values)
    return all({*answers[board]} <= {*later.best(board)} for board in answers)


def _fits(way: Way, boards: Sequence[Position], answers: Choices) -> bool:
    """Say whether a way may make all answers, and is told by them."""
    squares = left_out = taken = may = free = 0
    before = TopologicalSorter[Square]()
    for board in boards:
        best = way.best(board)
        given = answers[board]
        if not {*given} <= {*best}:
            return False
        for square in given:
            before.add(square)
            for other in {*best} - {square}:
                before.add(other, square)
        if len(given) > 1:  # it differs when asked again
            taken, may, free = taken + len(given), may + len(best), free + len(board.legal_moves())
        values = [sign(value) for value in analyse(board).values()]
        if values.count(max(values)) > 1:
            squares += len(values)
            left_out += len(values) - len(best)
    # At random, most squares that the way may choose are taken, and the way leaves some out.
    at_random = 3 * taken >= 2 * may > MANY and 4 * may <= 3 * free
    return 2 * left_out >= squares > 0 or at_random or _ordered(before)


def _ordered(before: TopologicalSorter[Square]) -> bool:
    """Say whether one order of the squares explains each choice among equals."""
    try:
        before.prepare()
    except CycleError:
        return False
    return True


@cache
def ways() -> tuple[Way, ...]:
    """Return each way with a name, those with the fewest mistakes first."""
    return tuple(sorted(_ways(), key=lambda way: len(way.mistakes)))


def _ways() -> Iterator[Way]:
    for program in programs.ways_to_play():
        mistakes = tuple(m for m in program.mistakes() if m != NO_TURNS)
        if 0 < len(mistakes) <= MISTAKES:
            yield Way(tuple(programs.MISTAKES[m] for m in mistakes), program.values)
    for flat in (False, True):
        right = _flat if flat else _right

        def one(mistake: str, score: Score = right, **mistaken: Any) -> Way:
            return Way((mistake,), Search(score, **mistaken).values)

        yield one("every win is counted for X", for_x=True)
        yield one("every win is counted as its own", _own(right))
        yield one("a loss counts as little as a draw", _no_loss(right))
        yield one("a win counts as a loss, and a loss as a win", _turned(right))
        yield one("a draw is tested before a win", draw_first=True)
        for low, high in ((_first, max), (min, _first), (_first, _first)):
            yield one("the first value is returned", low=low, high=high)
        for low, high in ((_last, max), (min, _last)):
            yield one(LAST, low=low, high=high)
        for low, high in ((lambda _: inf, max), (min, lambda _: -inf)):
            yield one("a comparison stands the wrong way round", low=low, high=high)
        yield one("after its own move it moves again", again=True)
        yield one("every mark in the search is its own", own_marks=True)
        for again in (False, True):
            yield one("one side moves on alone", alone=True, again=again)
        for most in range(1, 9):
            turns = f"{most} turn{'s' * (most > 1)}"
            yield Way((f"it looks {turns} ahead",), Search(right, most=most).values)
        search = Search(right)
        yield Way(("as O, too, it takes the best move for X",), _for(X, search))
        yield Way(("as X, too, it takes the best move for O",), _for(O, search))
        for both in (False, True):
            yield Way(("deeper calls overwrite its move",), _Overwritten(right, both).values)
        yield Way(("it picks among bounds",), _Bounds(right).values)
    yield Way((LATER,), Search(_later).values)
    yield Way(("it takes a win, else the first free square",), Search(_flat, most=1).values)


# Scores of an end: 1 for a win of the program, -1 for a loss, after so many turns

Score = Callable[[int, int], float]


def _right(won: int, turns: int) -> float:
    return won * (WIN - turns)


def _flat(won: int, turns: int) -> float:
    return won


def _later(won: int, turns: int) -> float:
    return won * (WIN + turns)


def _own(score: Score) -> Score:
    return lambda won, turns: score(abs(won), turns)


def _turned(score: Score) -> Score:
    return lambda won, turns: score(-won, turns)


def _no_loss(score: Score) -> Score:
    return lambda won, turns: score(max(won, 0), turns)


# The searches, each with one mistake


def _first(values: Sequence[float]) -> float:
    return values[0]


def _last(values: Sequence[float]) -> float:
    return values[-1]


def _end(score: Score, mine: int, theirs: int, turns: int) -> float | None:
    """Return the value of marks that are over, None while the game goes on."""
    won = bool(LINES_IN[mine]) - bool(LINES_IN[theirs])
    return score(won, turns) if won or mine | theirs == FULL else None


def _below(mine: int, theirs: int, is_own: bool) -> Iterator[tuple[Square, tuple[int, int]]]:
    """Yield each free square, and the marks once it is taken."""
    for square in SQUARES_IN[FULL ^ (mine | theirs)]:
        bit = 1 << square
        yield square, (mine | bit, theirs) if is_own else (mine, theirs | bit)


class Search:
    """Hold a minimax on two sets of marks, the program's and the other's, with its mistakes.

    `low` and `high` pick the value MIN and MAX hand up; `again`: MAX moves after MAX's first move;
    `alone`: the side after the first move never changes.
    """

    def __init__(
        self,
        score: Score,
        low: Callable[[Sequence[float]], float] = min,
        high: Callable[[Sequence[float]], float] = max,
        for_x: bool = False,
        draw_first: bool = False,
        again: bool = False,
        alone: bool = False,
        own_marks: bool = False,
        most: int = 9,
    ) -> None:
        self._score, self._pick = score, (low, high)
        self._for_x, self._draw_first, self._most = for_x, draw_first, most
        self._again, self._alone, self._own_marks = again, alone, own_marks
        self._known = cache(self._value)

    def values(self, position: Position) -> dict[Square, float]:
        """Return the value of each legal move."""
        flip = self._for_x and position.turn == O
        return {
            square: self._known(*child, self._again, 1, flip)
            for square, child in _below(*sides(position), True)
        }

    def _value(self, mine: int, theirs: int, is_max: bool, turns: int, flip: bool) -> float:
        if self._draw_first and mine | theirs == FULL:
            return 0
        end = _end(self._score, *((theirs, mine) if flip else (mine, theirs)), turns)
        if end is not None or turns == self._most:
            return end or 0
        children = _below(mine, theirs, is_max or self._own_marks)
        then = is_max == self._alone
        values = [self._known(*child, then, turns + 1, flip) for _, child in children]
        return self._pick[is_max](values)


def sides(position: Position) -> tuple[int, int]:
    """Return the marks of the side to move, and of the other, as bits."""
    return (position.x, position.o) if position.turn == X else (position.o, position.x)


def _for(mark: Mark, search: Search) -> Callable[[Position], Mapping[Square, float]]:
    """Return the values of each move to one mark, whoever is to move."""

    def values(position: Position) -> Mapping[Square, float]:
        own = search.values(position)
        return own if position.turn == mark else {square: -own[square] for square in own}

    return values


class _Overwritten:
    """Hold a minimax in which one variable takes the best move of every level, or of MAX's."""

    def __init__(self, score: Score, both: bool) -> None:
        self._score, self._both, self._known = score, both, cache(self._search)

    def values(self, position: Position) -> dict[Square, float]:
        """Return 1 for the square left in the variable, 0 for the others."""
        _, last = self._known(*sides(position), True, 0)
        return {square: float(square == last) for square in position.legal_moves()}

    def _search(
        self, mine: int, theirs: int, is_max: bool, turns: int
    ) -> tuple[float, Square | None]:
        """Return the value, and the last square that any level below has written."""
        end = _end(self._score, mine, theirs, turns)
        if end is not None:
            return end, None
        best, written = -inf if is_max else inf, None
        for square, child in _below(mine, theirs, is_max):
            value, deeper = self._known(*child, not is_max, turns + 1)
            written = written if deeper is None else deeper
            if value > best if is_max else value < best:
                best = value
                if is_max or self._both:
                    written = square
        return best, written


class _Bounds:
    """Hold an alpha-beta that takes any of the moves whose values are equal at the top."""

    def __init__(self, score: Score) -> None:
        self._score = score

    def values(self, position: Position) -> dict[Square, float]:
        """Return the value that each move comes back with: beside the best, a bound."""
        values: dict[Square, float] = {}
        for square, child in _below(*sides(position), True):
            best = max(values.values(), default=-inf)
            values[square] = self._value(*child, False, 1, best, inf)
        return values

    def _value(
        self, mine: int, theirs: int, is_max: bool, turns: int, alpha: float, beta: float
    ) -> float:
        end = _end(self._score, mine, theirs, turns)
        if end is not None:
            return end
        for _, child in _below(mine, theirs, is_max):
            value = self._value(*child, not is_max, turns + 1, alpha, beta)
            alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
            if alpha >= beta:
                break
        return alpha if is_max else beta


def answers_of(given: Iterable[tuple[Position, Square]]) -> dict[Position, list[Square]]:
    """Return the answers to each board, each once, in order."""
    found: dict[Position, set[Square]] = {}
    for board, square in given:
        found.setdefault(board, set()).add(square)
    return {board: sorted(squares) for board, squares in found.items()}
