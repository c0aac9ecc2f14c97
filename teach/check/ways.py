"""Ways to play that have a name, to tell a program which it plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import NamedTuple

from engine.position import Position, Square, X
from engine.search import WIN, for_the_mover, score
from teach import programs

MOST = 3  # ways to name; if more fit, none is
FOR_X = "as O, too, the best move for X is taken"
PERFECT, NO_TURNS = map(programs.read, ("00000", "10000"))


class Way(NamedTuple):
    """Hold a name, a value for each move, and whether of equal moves the last is played."""

    name: str
    values: Callable[[Position], Mapping[Square, float]]
    takes_last: bool

    def choose(self, position: Position) -> Square:
        """Return the square played on a board that is not over."""
        values = self.values(position)
        return max(sorted(values, reverse=self.takes_last), key=values.__getitem__)


def plays_as(moves: Mapping[Position, Square]) -> list[str]:
    """Name the ways that make all these moves, fewest wrong pieces first; none of more than three.

    >>> plays_as({Position.parse("XX-OO----"): 2})
    []
    """
    fit = [way.name for way in ways() if all(way.choose(board) == moves[board] for board in moves)]
    return fit if len(fit) <= MOST else []


def ways() -> Iterator[Way]:
    """Yield each way with a name: minimax by the number of wrong pieces, then without a search."""
    searches = [(programs.name(program), program.values) for program in programs.ways()]
    # Of the 42 ways, 9 have no or one wrong piece; a mistake outside the pieces comes next.
    searches[9:9] = [
        ("a minimax in which a draw is tested before a win", _draw_first),
        (f"a minimax in which {FOR_X}", partial(_for_x, PERFECT)),
        (f"a minimax in which turns are not counted and {FOR_X}", partial(_for_x, NO_TURNS)),
    ]
    for name, values in searches:
        yield Way(name, values, takes_last=False)
        yield Way(f"{name}; of equal squares it takes the last", values, takes_last=True)
    for which, last in (("first", False), ("last", True)):
        free = f"the {which} free square"
        yield Way(f"a player that sees one turn ahead: it takes a win, else {free}", _wins, last)
        yield Way(f"a player that takes {free}", lambda p: dict.fromkeys(p.legal_moves(), 0), last)


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


def _wins(position: Position) -> dict[Square, bool]:
    """Say of each move whether it wins at once."""
    return {square: score(child) == -WIN for square, child in position.children().items()}
