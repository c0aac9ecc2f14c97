"""The opponents, a row each: how one picks its replies, and how the page shows it and speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from engine.players import Strategy, perfect_move, random_move

# How the opponent looks: half asleep, in thought, glad, bowing or startled; and so Random.
Mood = Literal["calm", "thinking", "glad", "bow", "oh", "random", "random-oh"]

Opponent = str  # the name of a row


class LastWords(NamedTuple):
    """Hold what is said at an end: a verdict and a sentence, and after a loss of the human's
    where it was let in, with %d for the number of that move.
    """

    verdict: str
    sentence: str
    let_in: str = ""


class Player(NamedTuple):
    """Hold an opponent: how it picks a reply, and what the page shows and says of it.

    A perfect one says why it moved so, and its words at an end name what decided (words.py). Any
    other needs all five words of its own: `hello` before the first move, `why` for every reply, and
    one pair for each result of the human's. After a draw that was a win before, the page says in
    place of its sentence until which move. It looks `calm` in play and at a draw, and `startled` at
    any other end.
    """

    pick: Strategy
    is_perfect: bool = False  # never gives away a win or a draw, so that a draw earns a square
    calm: Mood = "calm"
    startled: Mood = "oh"
    hello: str = ""
    why: str = ""
    won: LastWords | None = None
    drawn: LastWords | None = None
    lost: LastWords | None = None


PLAYERS: Mapping[Opponent, Player] = {
    "perfect": Player(perfect_move, is_perfect=True),
    "random": Player(
        random_move,
        calm="random",
        startled="random-oh",
        hello="I take any square. You can beat me.",
        why="I take any square. There is no why.",
        won=LastWords("You win.", "I was not looking. Perfect always is."),
        drawn=LastWords("A draw.", "No squares left. I did not notice."),
        lost=LastWords("I won?", "I was not looking.", "Nor were you, at move %d."),
    ),
}
