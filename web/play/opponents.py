"""The opponents: how each picks its replies, looks and speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from engine.players import Strategy, perfect_move, random_move

# The looks of an opponent's face; "bow" concedes, "oh" is startled, the last two are Random's.
Mood = Literal["calm", "thinking", "glad", "bow", "oh", "random", "random-oh"]

OpponentName = str  # a key of OPPONENTS


class LastWords(NamedTuple):
    """What an opponent says at the end of a game."""

    verdict: str
    sentence: str
    let_in: str = ""  # added if a mistake of the human's lost; %d is the number of that move


class Opponent(NamedTuple):
    """An opponent.

    For a perfect one words.py says why it moved so and what decided a game. Any other needs a
    greeting, a `why` and last words for all three results. After a draw that was a win before, the
    page says until which move, in place of their sentence.
    """

    strategy: Strategy
    is_perfect: bool = False  # never gives away a win or a draw, so that a draw earns a square
    calm: Mood = "calm"  # in play and at a draw
    startled: Mood = "oh"  # at any other end
    greeting: str = ""  # before the first move
    why: str = ""  # if asked why it moved so
    won: LastWords | None = None  # by the human
    drawn: LastWords | None = None
    lost: LastWords | None = None


OPPONENTS: Mapping[OpponentName, Opponent] = {
    "perfect": Opponent(perfect_move, is_perfect=True),
    "random": Opponent(
        random_move,
        calm="random",
        startled="random-oh",
        greeting="I take any square. You can beat me.",
        why="I take any square. There is no why.",
        won=LastWords("You win.", "I was not looking. Perfect always is."),
        drawn=LastWords("A draw.", "No squares left. I did not notice."),
        lost=LastWords("I won?", "I was not looking.", "Nor were you, at move %d."),
    ),
}
