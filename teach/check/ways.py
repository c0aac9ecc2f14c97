"""Mistakes that have a name, each as a way to play; a program is told which it plays, if sure."""

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
LAST_VALUE = programs.Mistake(8, 1)
NO_TURNS = programs.Mistake(3, 1)
FREE = "it takes the first free square"
LATER = "a later win counts for more"

LOOK = {
    "both sides maximise": "max on the opponent's boards, too",
    "MAX takes the lowest and MIN the highest": "the two the wrong way round",
    "the best starts at 0": "best = 0 where −∞ belongs, and ∞ for the opponent",
    "the best starts at −inf for MIN, too": "one −∞ for both sides",
    "every value is turned round": "a minus that is there once too often, or once too seldom",
    "the last value is kept": "best = value without a comparison",
    "every win is counted for X": "a score that asks whether X has won, not the program",
    "every win is counted as its own": "a score that asks whether somebody has won, not who",
    "a loss counts as little as a draw": "a score that knows wins alone",
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
    "it picks among bounds": (
        "alpha-beta whose equal values are collected at the top: beside the best, an equal value is"
        " a bound, no value. Take the first, or search each move with the full window"
    ),
    "it looks {n} ahead": "a limit of depth: nine turns are all there are",
    "as O, too, it takes the best move for X": (
        "max over the moves, whoever is to move. Take max as X and min as O"
    ),
    "as X, too, it takes the best move for O": "a program that plays O only: judge it with --as O",
    FREE: "a board that is not restored: each mark a search sets must be taken back",
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
    squares = left_out = 0
    first = last = True
    before = TopologicalSorter[Square]()
    for board in boards:
        best = way.best(board)
        given = answers[board]
        if not {*given} <= {*best}:
            return False
        first &= [*given] == [best[0]]
        last &= [*given] == [best[-1]]
        for square in given:
            before.add(square)
            for other in {*best} - {square}:
                before.add(other, square)
        values = [sign(value) for value in analyse(board).values()]
        if values.count(max(values)) > 1:
            squares += len(values)
            left_out += len(values) - len(best)
    return first or last or 2 * left_out >= squares > 0 or _ordered(before)


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
    for program in programs.ways():
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
        yield one("a draw is tested before a win", draw_first=True)
        for levels in ((True, False), (True,), (False,)):  # of both sides, of MAX, or of MIN
            yield Way(("the first value is returned",), Search(right, returns=levels).values)
        yield one("after its own move it moves again", again=True)
        yield one("every mark in the search is its own", own_marks=True)
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
    yield Way((FREE,), lambda position: dict.fromkeys(position.legal_moves(), 0))
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


def _no_loss(score: Score) -> Score:
    return lambda won, turns: score(max(won, 0), turns)


# The searches, each with one mistake


class Search:
    """Hold a minimax on two sets of marks, the program's and the other's, with its mistakes."""

    def __init__(
        self,
        score: Score,
        for_x: bool = False,
        draw_first: bool = False,
        returns: tuple[bool, ...] = (),
        again: bool = False,
        own_marks: bool = False,
        most: int = 9,
    ) -> None:
        self._score, self._for_x, self._draw_first = score, for_x, draw_first
        self._returns, self._again, self._own_marks = returns, again, own_marks
        self._most = most
        self._below = cache(self._value)

    def values(self, position: Position) -> dict[Square, float]:
        """Return the value of each legal move."""
        mine, theirs = sides(position)
        flip = self._for_x and position.turn == O
        return {
            square: self._below(mine | 1 << square, theirs, self._again, 1, flip)
            for square in position.legal_moves()
        }

    def _value(self, mine: int, theirs: int, is_max: bool, turns: int, flip: bool) -> float:
        full = mine | theirs == FULL
        won = bool(LINES_IN[mine]) - bool(LINES_IN[theirs])
        if self._draw_first and full:
            return 0
        if won or full:
            return self._score(-won if flip else won, turns)
        if turns == self._most:
            return 0
        values = []
        for square in SQUARES_IN[FULL ^ (mine | theirs)]:
            bit = 1 << square
            child = (mine | bit, theirs) if is_max or self._own_marks else (mine, theirs | bit)
            values.append(self._below(*child, not is_max, turns + 1, flip))
            if is_max in self._returns:
                break
        return max(values) if is_max else min(values)


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
        self._score, self._both, self._below = score, both, cache(self._search)

    def values(self, position: Position) -> dict[Square, float]:
        """Return 1 for the square left in the variable, 0 for the others."""
        _, last = self._below(*sides(position), True, 0)
        return {square: float(square == last) for square in position.legal_moves()}

    def _search(
        self, mine: int, theirs: int, is_max: bool, turns: int
    ) -> tuple[float, Square | None]:
        """Return the value, and the last square that any level below has written."""
        won = bool(LINES_IN[mine]) - bool(LINES_IN[theirs])
        if won or mine | theirs == FULL:
            return self._score(won, turns), None
        best, written = -inf if is_max else inf, None
        for square in SQUARES_IN[FULL ^ (mine | theirs)]:
            bit = 1 << square
            child = (mine | bit, theirs) if is_max else (mine, theirs | bit)
            value, deeper = self._below(*child, not is_max, turns + 1)
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
        mine, theirs = sides(position)
        values: dict[Square, float] = {}
        for square in position.legal_moves():
            best = max(values.values(), default=-inf)
            values[square] = self._value(mine | 1 << square, theirs, False, 1, best, inf)
        return values

    def _value(
        self, mine: int, theirs: int, is_max: bool, turns: int, alpha: float, beta: float
    ) -> float:
        won = bool(LINES_IN[mine]) - bool(LINES_IN[theirs])
        if won or mine | theirs == FULL:
            return self._score(won, turns)
        for square in SQUARES_IN[FULL ^ (mine | theirs)]:
            bit = 1 << square
            child = (mine | bit, theirs) if is_max else (mine, theirs | bit)
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
