"""Four ways to score the same ends, and the move each would play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from engine.position import OTHER, Position, Square
from engine.reasons import threats
from engine.search import WIN
from teach.trees import SCORINGS, tree

Rule = Literal["flat", "score less depth", "ten less depth", "turns"]


# The value of an end to MAX, who has won (1), drawn (0) or lost (-1) `depth` turns below the move:
# a line that the move itself completes is at depth 0, which is turn 1.
RULES: dict[Rule, Callable[[int, int], int]] = {
    "flat": lambda won, depth: won,
    "score less depth": lambda won, depth: 10 * won - depth,
    "ten less depth": lambda won, depth: won * (10 - depth),
    "turns": lambda won, depth: won * (10 - (depth + 1)),
}


class Pick(NamedTuple):
    """Hold the value of each move by a rule, and the square it plays: the first of the highest.

    `open` are the squares at which the opponent then wins at once.
    """

    rule: Rule
    values: dict[Square, int]
    square: Square
    open: tuple[Square, ...]

    @property
    def ties(self) -> int:
        """Count the moves with the same value as the move played, itself included."""
        return list(self.values.values()).count(self.values[self.square])

    @property
    def loses(self) -> bool:
        """Say whether the move played loses, as "score less depth" counts: -10 or less."""
        return self.values[self.square] <= -WIN


@lru_cache(maxsize=64)
def picks(position: Position) -> tuple[Pick, ...]:
    """Return what each rule picks; nothing where counting turns changes no move."""
    flat, counted = (tree(position, scoring, "best").below[:1] for scoring in SCORINGS)
    if [node.path for node in flat] == [node.path for node in counted]:
        return ()
    return tuple(_pick(position, rule) for rule in RULES)


def _pick(root: Position, rule: Rule) -> Pick:
    @cache
    def worth(position: Position) -> int:
        if outcome := position.outcome():
            won = {root.turn: 1, OTHER[root.turn]: -1, None: 0}[outcome.winner]
            return RULES[rule](won, position.ply - root.ply - 1)
        pick = max if position.turn == root.turn else min
        return pick(map(worth, position.children().values()))

    values = {square: worth(child) for square, child in root.children().items()}
    square = max(values, key=values.__getitem__)
    after = root.play(square)
    return Pick(
        rule=rule,
        values=values,
        square=square,
        open=() if after.outcome() else threats(after, OTHER[root.turn]),
    )
