"""The opponents: how each one looks, speaks and picks its replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from engine.players import Strategy, hasty_move, perfect_move, random_move

# How a face looks: "bow" concedes, "oh" is startled.
PerfectMood = Literal["calm", "thinking", "glad", "bow", "oh"]
Mood = PerfectMood | Literal["hasty", "hasty-glad", "hasty-oh", "random", "random-oh"]

OpponentName = str  # a key of OPPONENTS


class LastWords(NamedTuple):
    """What an opponent says at the end of a game."""

    verdict: str
    sentence: str
    # Follows `sentence` if the human lost by a blunder, which was move %d. If the blunder left a
    # line open, the page names the open square instead.
    let_in: str = ""
    at_once: str = ""  # in place of `sentence` if the opponent has not moved


class Quips(NamedTuple):
    """What an opponent says about its own moves in play, each at most once a game."""

    first_move: str = ""
    blocks: str = ""  # it took a square at which the human would have won
    blocks_one_of_two: str = ""
    two_threats: str = ""  # it can now win at two squares


class Opponent(NamedTuple):
    """An opponent.

    For a perfect one, words.py says why it made a move and what decided a game. Any other needs a
    greeting, a `why` and last words for all three results, and may have quips. If the human gave
    away a win in a drawn game, the page says so in place of the sentence of `drawn`.
    """

    strategy: Strategy
    is_perfect: bool = False  # never gives away a win or a draw, so that a draw earns a square
    calm_mood: Mood = "calm"  # in play and at a draw
    beaten_mood: Mood = "oh"
    winning_mood: Mood = "glad"
    greeting: str = ""  # before the first move
    quips: Quips = Quips()
    why: str = ""  # its answer to See why
    won: LastWords | None = None  # if the human won
    drawn: LastWords | None = None
    lost: LastWords | None = None  # if the human lost


OPPONENTS: Mapping[OpponentName, Opponent] = {
    "perfect": Opponent(perfect_move, is_perfect=True),
    "hasty": Opponent(
        hasty_move,
        calm_mood="hasty",
        beaten_mood="hasty-oh",
        winning_mood="hasty-glad",
        greeting="I win if I can and block if I must. Go.",
        quips=Quips(
            first_move="There. Your move.",
            blocks="Blocked. Next.",
            blocks_one_of_two="I blocked one. Oh. There were two.",
        ),
        why="First square I saw.",
        won=LastWords(
            "You win.",
            "You had two threats. I had time for one.",
            at_once="I had not even started.",
        ),
        drawn=LastWords("A draw.", "All that hurry for nothing."),
        lost=LastWords("I win.", "You took your time. I took the line."),
    ),
    "random": Opponent(
        random_move,
        calm_mood="random",
        beaten_mood="random-oh",
        winning_mood="random-oh",
        greeting="I pick any old square. You can beat me.",
        quips=Quips(
            blocks="Was that a block? I was not looking.",
            two_threats="Two threats? Of what?",
        ),
        why="I pick any old square. There is no why.",
        won=LastWords("You win.", "I was not looking. Perfect always is."),
        drawn=LastWords("A draw.", "The board is full. I did not notice."),
        lost=LastWords("I won?", "I was not looking.", "Neither were you, at move %d."),
    ),
}
