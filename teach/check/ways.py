"""Ways to play that have a name, to tell a program which it plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from engine.position import Position, Square
from engine.search import WIN, for_the_mover, score, sign
from teach import programs

MOST = 3  # ways to name; if more fit, none is
Values = Callable[[Position], Mapping[Square, float]]


class Way(NamedTuple):
    """Hold a name, a value for each move, and whether of equal highest moves the last is played."""

    name: str
    values: Values
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
    # Values near the end are found soonest, and tell most ways apart.
    latest_first = sorted(moves, key=lambda position: -position.ply)
    fit = [
        way.name
        for way in ways()
        if all(way.choose(position) == moves[position] for position in latest_first)
    ]
    return fit if len(fit) <= MOST else []


def ways() -> Iterator[Way]:
    """Yield each way with a name: every minimax, fewest wrong pieces first, then the simpler."""
    searches: list[tuple[int, str, Values]] = [
        (len(program.mistakes()), programs.name(program), program.values)
        for program in programs.ways()
    ]
    wrong = "a minimax in which a draw is tested before a win"
    searches.append((1, wrong, _draw_first))
    searches.append((2, f"{wrong} and turns are not counted", _draw_first_without_turns))
    for _, name, values in sorted(searches, key=lambda search: search[0]):
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


def _draw_first_without_turns(position: Position) -> dict[Square, int]:
    return {square: sign(score) for square, score in _draw_first(position).items()}


def _wins(position: Position) -> dict[Square, int]:
    """Return 1 for each move that wins at once, else 0."""
    children = position.children()
    return {square: score(child) == -WIN for square, child in children.items()}
