"""Four ways to score the same ends, and what each of them would play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from engine.position import OTHER, Position, Square
from engine.reasons import threats
from engine.results import Result, results
from teach.trees import _first

Rule = Literal["flat", "score less depth", "ten less depth", "turns"]


# What an end is worth to MAX, who has won (1), drawn (0) or lost (-1) it `depth` turns below its
# move: its own line, if completed by that move, is at depth 0, which is turn 1.
RULES: dict[Rule, Callable[[int, int], int]] = {
    "flat": lambda won, depth: won,
    "score less depth": lambda won, depth: 10 * won - depth,
    "ten less depth": lambda won, depth: won * (10 - depth),
    "turns": lambda won, depth: won * (10 - (depth + 1)),
}


class Choice(NamedTuple):
    """Say what each move is worth by a rule, and which it plays: the first of the highest.

    `result` is what that leads to against perfect play; `open` are the squares at which the
    opponent then wins at once.
    """

    rule: Rule
    values: dict[Square, int]
    square: Square
    result: Result
    open: tuple[Square, ...]

    @property
    def ties(self) -> int:
        """Count the moves worth as much as the one played, itself included."""
        return list(self.values.values()).count(self.values[self.square])


@lru_cache(maxsize=64)
def choices(position: Position) -> tuple[Choice, ...]:
    """Return what each rule chooses; none where flat scores play as those that count turns do."""
    if _first(position, "flat") == _first(position, "depth"):
        return ()
    return tuple(_choice(position, rule) for rule in RULES)


def _choice(root: Position, rule: Rule) -> Choice:
    @cache
    def worth(position: Position) -> int:
        if outcome := position.outcome():
            won = 0 if outcome.winner is None else 1 if outcome.winner == root.turn else -1
            return RULES[rule](won, position.ply - root.ply - 1)
        pick = max if position.turn == root.turn else min
        return pick(map(worth, position.children().values()))

    values = {square: worth(child) for square, child in root.children().items()}
    square = max(values, key=values.__getitem__)
    after = root.play(square)
    return Choice(
        rule=rule,
        values=values,
        square=square,
        result=results(root)[square],
        open=() if after.outcome() else threats(after, OTHER[root.turn]),
    )
