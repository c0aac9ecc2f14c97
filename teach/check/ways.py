"""Ways to play that have a name, to tell a program which it plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Literal, NamedTuple

from engine.position import Position, Square, X
from engine.search import WIN, for_the_mover, highest, score
from teach import programs

MOST = 3  # ways to name; if more fit, none is
TELLING = 0.75  # of all moves, those that a way may make at most, for its name to tell anything
LAST_VALUE, MINUS_INF = programs.Mistake(8, 1), programs.Mistake(5, 2)
FOR_X = "as O, too, the best move for X is taken"
PERFECT, NO_TURNS = map(programs.read, ("00000", "10000"))

Values = Callable[[Position], Mapping[Square, float]]


class Way(NamedTuple):
    """Hold a name, a value for each move, and which of the moves with the highest is played."""

    name: str
    values: Values
    takes: Literal["first", "last", "any"]

    def may_play(self, position: Position) -> tuple[Square, ...]:
        """Return the squares that it may play on a board that is not over: one, if not any."""
        best = highest(self.values(position))
        return {"first": best[:1], "last": best[-1:], "any": best}[self.takes]


def plays_as(moves: Mapping[Position, Square]) -> list[str]:
    """Name the ways that make all these moves, fewest wrong pieces first; none of more than three.

    If none does by square order, name the search of whose best moves, the fewest, these are some.

    >>> plays_as({Position.parse("XX-OO----"): 2})
    []
    """
    # Values near the end are found soonest, and tell most ways apart: 0.3 s in all, not 0.5.
    late = sorted(moves, key=lambda position: -position.ply)
    fit = [way for way in ways() if all(moves[board] in way.may_play(board) for board in late)]
    if names := [way.name for way in fit if way.takes != "any"]:
        return names if len(names) <= MOST else []
    sizes = {way.name: sum(len(way.may_play(board)) for board in moves) for way in fit}
    most = TELLING * sum(len(board.legal_moves()) for board in moves)
    return [name for name in sorted(sizes, key=sizes.__getitem__)[:1] if sizes[name] <= most]


def ways() -> Iterator[Way]:
    """Yield each way with a name: minimax by the number of wrong pieces, then without a search."""
    searches = [(programs.name(each), each.values, _tells(each)) for each in programs.ways()]
    # Of the 42 ways, 9 have no or one wrong piece; a mistake outside the pieces comes next.
    searches[9:9] = [
        ("a minimax in which a draw is tested before a win", _draw_first, True),
        (f"a minimax in which {FOR_X}", partial(_for_x, PERFECT), True),
        (f"a minimax in which turns are not counted and {FOR_X}", partial(_for_x, NO_TURNS), True),
    ]
    for name, values, tells in searches:
        yield Way(name, values, "first")
        yield Way(f"{name}; of equal squares it takes the last", values, "last")
        if tells:
            yield Way(f"{name}; of equal squares it has an order of its own", values, "any")
    for takes in ("first", "last"):
        free = f"the {takes} free square"
        yield Way(f"a player that sees one turn ahead: it takes a win, else {free}", _wins, takes)
        yield Way(f"a player that takes {free}", _all_alike, takes)


def _tells(program: programs.Program) -> bool:
    """Say whether a program is told from others by its best moves, whichever of them it plays.

    Not if values depend on the order of squares, or if most are −inf, or with three mistakes.
    """
    mistakes = {*program.mistakes()}
    return len(mistakes) < 3 and not mistakes & {LAST_VALUE, MINUS_INF}


def _draw_first(position: Position) -> dict[Square, int]:
    """Return the score of each move if a full board were a draw, line or none."""
    children = position.children()
    return {square: for_the_mover(_if_draw_first(child)) for square, child in children.items()}


@cache
def _if_draw_first(position: Position) -> int:
    if position.ply == 9:
        return 0
    return -WIN if position.outcome() else max(_draw_first(position).values())


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
