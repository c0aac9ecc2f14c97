"""What each part of the game page shows, as plain values: from equal values equal HTML is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from engine.players import Opponent
from engine.position import Mark, Square
from engine.reasons import Why
from engine.review import Judgement, Reviewed
from teach.lesson.screen import WORDS
from web.today.routes import Door

# What a click can come to that the board does not show.
Notice = Literal["taken", "over", "stale", "unkept", "nothing", "undone", "back"]
NOTICES: tuple[Notice, ...] = get_args(Notice)

# How a game ended for the human; held is a draw against Perfect that was level all along.
Ending = Literal["won", "held", "drawn", "lost"]

# How the human let the opponent in: a square left open, a fork, or otherwise.
Cause = Literal["open", "fork", "other"]

# How Perfect looks: wide where the human has made two threats.
Mood = Literal["calm", "wide", "glad", "oh", "random"]

# What is heard of a square whose move decided the game.
DECIDED: Mapping[Judgement, str] = {
    "gave the draw away": "here it turned",
    "gave the win away": "here it turned",
    "only move": "the only move",
}


class Lesson(NamedTuple):
    """Hold the screen of the lesson about how a game was lost, and how many seconds it takes."""

    about: Cause
    screen: int
    seconds: int


LESSONS: Mapping[Cause, Lesson] = {
    "open": Lesson("open", 2, WORDS["2"]["seconds"]),
    "fork": Lesson("fork", 3, WORDS["3"]["seconds"]),
}


class Doors(NamedTuple):
    """Hold what leads to today's square and, until all are done, to the lesson's next screen."""

    today: Door
    screen: int | None = None
    is_begun: bool = False


class Verdict(NamedTuple):
    """Hold how the game ended, against whom, and whether it counts.

    `is_last`: no other of the nine squares was left. A challenge `is_accepted` where a link led to
    the board.
    """

    opponent: Opponent
    ending: Ending | None
    counts: bool
    is_last: bool
    is_accepted: bool


class You(NamedTuple):
    """Hold what the human's seat shows, and of the games `before` and now what counts there.

    Against Perfect that are draws, against Random wins. A draw just held is one of so many
    `running`. `held` are the squares held before, as bits, `inked` the one this game holds.
    """

    mark: Mark
    opponent: Opponent
    is_over: bool
    running: int
    before: int
    now: int
    held: int
    inked: int


class Them(NamedTuple):
    """Hold what the opponent's seat shows, with its wins `before` this game and now, and draws."""

    mark: Mark
    opponent: Opponent
    mood: Mood
    is_over: bool
    before: int
    now: int
    drawn: int


class Nine(NamedTuple):
    """Hold what the panel of the nine squares shows: those held, and why this game holds none."""

    squares: tuple[Square, ...]
    corners: tuple[Square, ...]
    is_placed: bool
    is_helped: bool


class Panel(NamedTuple):
    """Hold what the panel of settings shows."""

    opponent: Opponent
    human: Mark
    voice: bool
    can_clear: bool


class Whim(NamedTuple):
    """Hold a reply of Random, who has no reason: a square, taken as any of so many `choices`."""

    mark: Mark
    number: int
    square: Square
    choices: int


class Answer(NamedTuple):
    """Hold why the opponent replied so, and what it says of that, if it `speaks`.

    So many earlier replies were `told_before` by the same reason. The human's `first_try` on a
    board that asks is judged. A `notice` takes the place of all.
    """

    why: Why | Whim
    speaks: bool
    opponent: Opponent
    told_before: int
    first_try: Reviewed | None
    notice: Notice | None


class Buttons(NamedTuple):
    """Hold what the buttons do: the settings before the first move, at the end what comes next.

    `slip` is the number of the move to play again.
    """

    kind: Literal["settings", "going_on", "next"]
    human: Mark
    opponent: Opponent
    is_hinted: bool
    held: bool
    slip: int | None


class Entry(NamedTuple):
    """Hold a place in the list of moves: which `mark` the move put where, None before."""

    number: int
    mark: Mark | None = None
    square: Square | None = None
    judgement: Judgement | None = None

    @property
    def decided(self) -> str:
        """Return what a move that decided the game did."""
        assert self.judgement, "it was played"
        return DECIDED[self.judgement]
