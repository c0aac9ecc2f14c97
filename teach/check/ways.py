"""Ways to play that have a name, to tell a program which it plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from typing import Literal, NamedTuple

from engine.position import Mark, Position, Square, X
from engine.search import WIN, analyse, for_the_mover, highest, score, sign
from teach import programs

MOST = 3  # ways to name; if more fit, none is
LAST_VALUE = programs.Mistake(8, 1)
FOR_X = "as O, too, the best move for X is taken"
PERFECT, NO_TURNS = map(programs.read, ("00000", "10000"))

Values = Callable[[Position], Mapping[Square, float]]
Takes = Literal["first", "last", "own order", "any"]  # which of the moves with the highest value
OF_EQUALS: Mapping[Takes, str] = {
    "first": "",
    "last": "; of equal squares it takes the last",
    "own order": "; of equal squares it takes the first in an order of its own",
    "any": "; of equal squares it takes now this, now that",
}
BY_NUMBER: tuple[Takes, ...] = ("first", "last")
IN_AN_ORDER: tuple[Takes, ...] = (*BY_NUMBER, "own order")
SUREST_FIRST: tuple[tuple[Takes, ...], ...] = (BY_NUMBER, ("own order",), ("any",))
OF_FREE: Mapping[Takes, str] = {
    "first": "the first free square",
    "last": "the last free square",
    "own order": "the first free square in an order of its own",
}


class Way(NamedTuple):
    """Hold a value for each move, and names by which of the moves with the highest it takes."""

    values: Values
    names: Mapping[Takes, str]

    def best(self, position: Position) -> tuple[Square, ...]:
        """Return the squares with the highest value, in order, of a board that is not over."""
        return highest(self.values(position))


Choices = list[tuple[Square, tuple[Square, ...]]]


def plays_as(moves: Mapping[Position, Square]) -> list[str]:
    """Name the ways that make all these moves, fewest wrong pieces first; none of more than three.

    Ways that go by the numbers of squares come before those with an order of their own, and these
    before those with none.

    >>> plays_as({Position.parse("XX-OO----"): 2})
    []
    """
    # Values near the end are found soonest, and tell most ways apart: 0.3 s in all, not 0.5.
    late = sorted(moves, key=lambda position: -position.ply)
    fit = [(way, choices) for way in ways() if (choices := _choices(way, late, moves))]
    for kinds in SUREST_FIRST:
        names = [
            name
            for way, choices in fit
            for takes, name in way.names.items()
            if takes in kinds
            and _holds(takes, choices)
            and (takes != "any" or _tells(choices, late))
        ]
        if names:
            return names if len(names) <= MOST else []
    return []


def _choices(way: Way, boards: Iterable[Position], moves: Mapping[Position, Square]) -> Choices:
    """Return each move with the best of a way on its board; nothing if one is none of them."""
    found = []
    for board in boards:
        best = way.best(board)
        if moves[board] not in best:
            return []
        found.append((moves[board], best))
    return found


def _holds(takes: Takes, choices: Choices) -> bool:
    """Say whether all choices among best moves are made so."""
    if takes == "first":
        return all(square == best[0] for square, best in choices)
    if takes == "last":
        return all(square == best[-1] for square, best in choices)
    if takes == "own order":
        before = TopologicalSorter[Square]()
        for square, best in choices:
            for other in set(best) - {square}:
                before.add(other, square)
        try:
            before.prepare()
        except CycleError:
            return False
    return True


def _tells(choices: Choices, boards: Iterable[Position]) -> bool:
    """Say whether a way leaves out at least half of the squares where two or more are right.

    Else any player that gives nothing away plays so.
    """
    squares = left_out = 0
    for board, (_, best) in zip(boards, choices, strict=True):
        values = [sign(value) for value in analyse(board).values()]
        if values.count(max(values)) > 1:
            squares += len(values)
            left_out += len(values) - len(best)
    return 2 * left_out >= squares > 0


def ways() -> Iterator[Way]:
    """Yield each way with a name: minimax by the number of wrong pieces, then without a search."""
    searches: list[tuple[str, Values, tuple[Takes, ...]]] = [
        (programs.name(each), each.values, _known(each)) for each in programs.ways()
    ]
    # Of the 42 ways, 9 have no or one wrong piece; a mistake outside the pieces comes next.
    searches[9:9] = [
        (f"a minimax in which {mistake}", values, IN_AN_ORDER)
        for mistake, values in others().items()
    ]
    for name, values, known in searches:
        yield Way(values, {takes: f"{name}{OF_EQUALS[takes]}" for takes in known})
    ahead = "a player that sees one turn ahead: it takes a win, else"
    for values, player in ((_wins, ahead), (_all_alike, "a player that takes")):
        yield Way(values, {takes: f"{player} {free}" for takes, free in OF_FREE.items()})


@cache
def others() -> dict[str, Values]:
    """Return a minimax with each mistake that no piece in `teach.programs` makes."""
    return {
        "a draw is tested before a win": _draw_first,
        "the search stops after two turns": _searched(_right, most=2),
        "a loss counts as little as a draw": _searched(
            lambda won, turns: max(_right(won, turns), 0)
        ),
        "a later win counts for more": _searched(lambda won, turns: won * (WIN + turns)),
        "every win is counted for X, with turns": _searched(_right, for_x=True),
        FOR_X: partial(_for_x, PERFECT),
        f"turns are not counted and {FOR_X}": partial(_for_x, NO_TURNS),
    }


def _known(program: programs.Program) -> tuple[Takes, ...]:
    """Return by which choices among its best moves a program is told from others.

    If its values depend on the order of squares, by their numbers alone; by any if it never loses.
    """
    if LAST_VALUE in program.mistakes():
        return BY_NUMBER
    return (*IN_AN_ORDER, "any") if program in (PERFECT, NO_TURNS) else IN_AN_ORDER


def _draw_first(position: Position) -> dict[Square, int]:
    """Return the score of each move if a full board were a draw, line or none."""
    children = position.children()
    return {square: for_the_mover(_if_draw_first(child)) for square, child in children.items()}


@cache
def _if_draw_first(position: Position) -> int:
    if position.ply == 9:
        return 0
    return -WIN if position.outcome() else max(_draw_first(position).values())


def _right(won: int, turns: int) -> int:
    """Return the score of an end: 1, 0 or -1 after so many turns."""
    return won * (WIN - turns)


def _searched(score_of: Callable[[int, int], int], most: int = 9, for_x: bool = False) -> Values:
    """Return a minimax that scores ends so, for X or for whoever it plays.

    What is not over after so many turns counts 0.
    """

    @cache
    def below(position: Position, mark: Mark, turns: int) -> int:
        if outcome := position.outcome():
            side = X if for_x else mark
            return score_of({side: 1, None: 0}.get(outcome.winner, -1), turns)
        if turns == most:
            return 0
        pick = max if position.turn == mark else min
        return pick(below(child, mark, turns + 1) for child in position.children().values())

    def values(position: Position) -> dict[Square, int]:
        children = position.children()
        return {square: below(child, position.turn, 1) for square, child in children.items()}

    return values


def _for_x(program: programs.Program, position: Position) -> Mapping[Square, float]:
    """Return a program's value of each move to X."""
    values = program.values(position)
    return values if position.turn == X else {square: -values[square] for square in values}


def _all_alike(position: Position) -> dict[Square, int]:
    """Return 0 for each move."""
    return dict.fromkeys(position.legal_moves(), 0)


def _wins(position: Position) -> dict[Square, bool]:
    """Say of each move whether it wins at once."""
    return {square: score(child) == -WIN for square, child in position.children().items()}
