"""Mistakes with a name, each as a way to play, to be named where a program surely plays so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
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
FOR_OTHER = "it takes the best move for the other side"
ONE_END = "an end counts the same, whoever is to move"

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
    ONE_END: (
        "a negamax that scores an end for one side alone: score it for the side to move, -1 if the"
        " other has just won"
    ),
    LATER: "turns added where they are taken off, or the other way round",
    "a win counts on a full board alone": "a search that plays on where somebody has won",
    "a draw is tested before a win": "“full” before “three in a row”: the ninth mark can win",
    "the first value is returned": (
        "a `return` inside the loop: it belongs after the loop; or alpha and beta the wrong way"
        " round, which ends each loop at once"
    ),
    "the values of all replies are added up": (
        "sum where max or min belongs: whoever is to move takes one reply, the best for that side"
    ),
    "the opponent's replies are averaged": (
        "an average where min belongs: the opponent takes one reply, the best for that side"
    ),
    "a win found first ends the loop, for MIN, too": (
        "a `return` at the highest value there is, on the opponent's boards, too"
    ),
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
    FOR_OTHER: (
        "a minus left out at the top: the value that comes back is the opponent's; or min where max"
        " belongs there"
    ),
    "as X, too, it takes the best move for O": "a program that plays O only: judge it with --as O",
    "it takes a win, else the first free square": "a search that stops after one move",
}

OTHERS = {  # what reports say beside: what to look for where a program plays as none of these
    "it takes the first free square": (
        "a loop that ends after the first move; a mark not taken back; bounds kept from"
        " another move; a value that is never handed up; a memo whose key says too little"
    ),
    "read as a place among the free squares": (
        "the place of the best score in a list, where the square in that place is meant"
    ),
    "read as (column, row)": "a row and a column the wrong way round",
    "each answer less one is a legal move": "1 to 9 where 0 to 8 is asked for",
    "returned nothing (None)": (
        "a branch without a `return`, or no move better than the best so far"
    ),
    "a score, not a move?": "`return best` where the move that brought it belongs",
    "print the number alone on its line": (
        "`move: 0` where `0` is asked for, or a prompt before it"
    ),
    "it keeps something from before": "a list, a dict or a memo that outlives a game",
}

Choices = Mapping[Position, Sequence[Square]]  # the answers to each board, each once
Order = tuple[tuple[Square, ...], ...]  # free squares as a program goes through them, by their bits


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


def table() -> str:
    """Return the table of docs/check.md: what a report says, and what to look for."""
    rows = {"In the report": "Look for", "---": "---"} | LOOK | OTHERS
    lines = [f"| {name.replace('{n}', '2 turns')} | {look} |\n" for name, look in rows.items()]
    return "".join(lines).replace("| --- | --- |", "|---|---|")


def named(answers: Choices, order: Order = SQUARES_IN) -> list[tuple[str, ...]]:
    """Return the mistakes of the ways that make all these moves, those with the fewest mistakes.

    Boards where every square keeps the result are left out. A way that would choose nearly as many
    squares as keep the result tells nothing, nor do three ways that fit alike: then none is named.

    >>> named({Position.parse("XX-OO----"): [2]})
    []
    """
    told = differing(answers)
    if not told:
        return []
    fit: dict[tuple[str, ...], int] = {}
    is_random = any(len(given) > 1 for given in answers.values())
    for way in ways(order):
        if fit and len(way.mistakes) > len(next(iter(fit))):
            break
        if way.mistakes not in fit and _fits(way, told, answers, order):
            fit[way.mistakes] = sum(len(way.best(board)) for board in told) * is_random
    # Of ways that choose at random, the one that leaves least to chance explains most.
    closest = [mistakes for mistakes in fit if fit[mistakes] == min(fit.values())]
    return closest if len(closest) <= MOST else []


def differing(answers: Choices) -> list[Position]:
    """Return the boards where squares differ in their result, those near the end first."""
    late = sorted(answers, key=lambda board: (-board.ply, board))
    return [board for board in late if len({*map(sign, analyse(board).values())}) > 1]


def fits_later(answers: Choices) -> bool:
    """Say whether a program that gives nothing away puts every win off."""
    later = Way((LATER,), _search(SQUARES_IN, _later))
    return all({*answers[board]} <= {*later.best(board)} for board in answers)


def _fits(way: Way, boards: Sequence[Position], answers: Choices, order: Order) -> bool:
    """Say whether a way may make all answers, and is told by them."""
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
        values = [sign(value) for value in analyse(board).values()]
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
def ways(order: Order = SQUARES_IN) -> tuple[Way, ...]:
    """Return each way with a name, those with the fewest mistakes first."""
    return tuple(sorted(_ways(order), key=lambda way: len(way.mistakes)))


def _to_the_side_to_move(program: programs.Program, position: Position) -> Mapping[Square, float]:
    """Return the values of a program that calls itself MAX, as X and as O."""
    return program.values(position, max_is=position.turn)


def _ways(order: Order) -> Iterator[Way]:
    search = partial(_search, order)
    for program in programs.ways_to_play():
        mistakes = tuple(m for m in program.mistakes() if m != NO_TURNS)
        if 0 < len(mistakes) <= MISTAKES:
            values = partial(_to_the_side_to_move, program)
            yield Way(tuple(programs.MISTAKES[m] for m in mistakes), values)
    for right in (_right, _flat):
        for mistake, score in SCORES.items():
            yield Way((mistake,), search(partial(score, right)))
        for own in (X, O):
            yield Way((ONE_END,), _one_end(search, right, own))
        for mistake, mistaken in SEARCHES:
            yield Way((mistake,), search(right, **mistaken))
        for most in range(1, 9):
            turns = f"{most} turn{'s' * (most > 1)}"
            yield Way((f"it looks {turns} ahead",), search(right, most=most))
        yield Way(("as O, too, it takes the best move for X",), _for(X, search(right)))
        yield Way(("as X, too, it takes the best move for O",), _for(O, search(right)))
        yield Way((FOR_OTHER,), _for_other(search(right)))
        for both in (False, True):
            yield Way(("deeper calls overwrite its move",), _overwritten(order, right, both))
        yield Way(("it picks among bounds",), _bounds(order, right))
    yield Way((LATER,), search(_later))
    yield Way(("it takes a win, else the first free square",), search(_flat, most=1))


# Scores of an end: 1 for a win of the program, -1 for a loss, after so many turns

Score = Callable[[int, int], float]
Values = Callable[[Position], Mapping[Square, float]]
Pick = Callable[[Sequence[float]], float]


def _right(won: int, turns: int) -> float:
    return won * (WIN - turns)


def _flat(won: int, turns: int) -> float:
    return won


def _later(won: int, turns: int) -> float:
    return won * (WIN + turns)


SCORES: dict[str, Callable[[Score, int, int], float]] = {
    "every win is counted as its own": lambda score, won, turns: score(abs(won), turns),
    "a loss counts as little as a draw": lambda score, won, turns: score(max(won, 0), turns),
    "a win counts as a loss, and a loss as a win": lambda score, won, turns: score(-won, turns),
}


def _one_end(search: Callable[[Score], Values], score: Score, own: Mark) -> Values:
    """Return the values of a negamax whose ends count as won for one side, as lost for the other.

    The turned values of MIN and MAX make each end of `own` a win, and each of the other a loss.
    """
    wins = search(lambda won, turns: score(abs(won), turns))
    losses = search(lambda won, turns: score(-abs(won), turns))
    return lambda position: (wins if position.turn == own else losses)(position)


# The searches, each with one mistake


def _first(values: Sequence[float]) -> float:
    return values[0]


def _unless_won(values: Sequence[float]) -> float:
    return values[0] if values[0] > 0 else min(values)


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _last(values: Sequence[float]) -> float:
    return values[-1]


SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("every win is counted for X", {"for_x": True}),
    ("a draw is tested before a win", {"draw_first": True}),
    ("a win counts on a full board alone", {"plays_on": True}),
    ("the best starts at 0", {"low": lambda values: min(0, *values)}),
    ("the best starts at 0", {"high": lambda values: max(0, *values)}),
    ("the first value is returned", {"low": _first}),
    ("the first value is returned", {"high": _first}),
    ("the first value is returned", {"low": _first, "high": _first}),
    ("the values of all replies are added up", {"low": sum, "high": sum}),
    ("the opponent's replies are averaged", {"low": _average}),
    ("the opponent's replies are averaged", {"low": _average, "high": _average}),
    ("a win found first ends the loop, for MIN, too", {"low": _unless_won}),
    (LAST, {"low": _last}),
    (LAST, {"high": _last}),
    ("a comparison stands the wrong way round", {"low": lambda _: inf}),
    ("a comparison stands the wrong way round", {"high": lambda _: -inf}),
    ("after its own move it moves again", {"again": True}),
    ("every mark in the search is its own", {"own_marks": True}),
    ("one side moves on alone", {"alone": True}),
    ("one side moves on alone", {"own_after": True}),
    ("one side moves on alone", {"alone": True, "again": True}),
]


def _search(
    order: Order,
    score: Score,
    low: Pick = min,
    high: Pick = max,
    for_x: bool = False,
    draw_first: bool = False,
    plays_on: bool = False,
    again: bool = False,
    alone: bool = False,
    own_after: bool = False,
    own_marks: bool = False,
    most: int = 9,
) -> Values:
    """Return the values of a minimax with mistakes.

    `low` and `high` pick the value MIN and MAX hand up; `again`: MAX moves after MAX's first move;
    `alone`: the side after the first move never changes; `own_after`: MAX moves on after MIN.
    """

    @cache
    def value(mine: int, theirs: int, is_max: bool, turns: int, flip: bool) -> float:
        is_full = mine | theirs == FULL
        if draw_first and is_full:
            return 0
        end = _end(score, *((theirs, mine) if flip else (mine, theirs)), turns)
        if is_full or turns == most or (end is not None and not plays_on):
            return end or 0
        below = _below(order, mine, theirs, is_max or own_marks)
        return (high if is_max else low)(
            [value(*child, own_after or is_max == alone, turns + 1, flip) for _, child in below]
        )

    def values(position: Position) -> dict[Square, float]:
        flip = for_x and position.turn == O
        below = _below(order, *sides(position), True)
        return {square: value(*child, again, 1, flip) for square, child in below}

    return values


def _overwritten(order: Order, score: Score, both: bool) -> Values:
    """Return 1 for the square left in a variable that all levels write, or all of MAX's."""

    @cache
    def left(mine: int, theirs: int, is_max: bool, turns: int) -> tuple[float, Square | None]:
        """Return the value, and the last square that any level below has written."""
        end = _end(score, mine, theirs, turns)
        if end is not None:
            return end, None
        best, written = -inf if is_max else inf, None
        for square, child in _below(order, mine, theirs, is_max):
            value, deeper = left(*child, not is_max, turns + 1)
            written = written if deeper is None else deeper
            if value > best if is_max else value < best:
                best = value
                if is_max or both:
                    written = square
        return best, written

    def values(position: Position) -> dict[Square, float]:
        _, last = left(*sides(position), True, 0)
        return {square: float(square == last) for square in position.legal_moves()}

    return values


def _bounds(order: Order, score: Score) -> Values:
    """Return the value that alpha-beta finds for each move: beside the best, a bound."""

    def bound(mine: int, theirs: int, is_max: bool, turns: int, alpha: float, beta: float) -> float:
        end = _end(score, mine, theirs, turns)
        if end is not None:
            return end
        for _, child in _below(order, mine, theirs, is_max):
            value = bound(*child, not is_max, turns + 1, alpha, beta)
            alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
            if alpha >= beta:
                break
        return alpha if is_max else beta

    def values(position: Position) -> dict[Square, float]:
        found: dict[Square, float] = {}
        for square, child in _below(order, *sides(position), True):
            best = max(found.values(), default=-inf)
            found[square] = bound(*child, False, 1, best, inf)
        return found

    return values


def sides(position: Position) -> tuple[int, int]:
    """Return the marks of the side to move, and of the other, as bits."""
    return (position.x, position.o) if position.turn == X else (position.o, position.x)


def _end(score: Score, mine: int, theirs: int, turns: int) -> float | None:
    """Return the value of marks that are over, None while the game goes on."""
    won = 1 if LINES_IN[mine] else -bool(LINES_IN[theirs])
    return score(won, turns) if won or mine | theirs == FULL else None


def _below(
    order: Order, mine: int, theirs: int, is_own: bool
) -> Iterator[tuple[Square, tuple[int, int]]]:
    """Yield each free square, and the marks once it is taken."""
    for square in order[FULL ^ (mine | theirs)]:
        bit = 1 << square
        yield square, (mine | bit, theirs) if is_own else (mine, theirs | bit)


def _for_other(search: Values) -> Values:
    """Return the values of each move to the other side."""
    return lambda position: {square: -value for square, value in search(position).items()}


def _for(mark: Mark, search: Values) -> Values:
    """Return the values of each move to one mark, whoever is to move."""

    def values(position: Position) -> Mapping[Square, float]:
        own = search(position)
        return own if position.turn == mark else {square: -own[square] for square in own}

    return values
