"""What each part of the game page shows, as plain values: from equal values equal HTML is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from engine.hints import Hint
from engine.position import Mark, Square
from teach.challenge import Challenge
from web.play.ends import Ending, HowItEnded
from web.play.game import Help, HintStep, Was
from web.play.players import PLAYERS, Mood, Opponent

# What a click can come to that the board does not show.
Notice = Literal["taken", "over", "stale", "unkept", "nothing", "undone", "back"]
NOTICES: tuple[Notice, ...] = get_args(Notice)

# Why Perfect replied so, as told in one sentence.
Reason = Literal["had to", "threats", "only", "wins", "loses", "draws", "safe"]

# The screens of the lesson about how a game was lost.
LESSONS: Mapping[HowItEnded, int] = {"open": 2, "fork": 3}


class Title(NamedTuple):
    """Hold what the tab is called by."""

    ending: Ending | None
    is_held: bool
    opponent: Opponent
    has_begun: bool


class Face(NamedTuple):
    """Hold the opponent's face, and how it looked before the end was seen."""

    opponent: Opponent
    mood: Mood
    mark: Mark
    before: Mood | None


class Hello(NamedTuple):
    """Hold what the opponent says before the human's first move.

    So many squares are `held`; there are more to hold for who goes first, as the `mark` says. A
    board that was set up asks something; a link of a friend says how the friend's game `was`.
    """

    opponent: Opponent
    mark: Mark
    held: int
    is_beaten: bool
    asked: Challenge | None
    is_linked: bool
    was: Was | None
    notice: Notice | None

    @property
    def counts(self) -> bool:
        """Say whether a draw fills squares: not from a board that was set up."""
        return PLAYERS[self.opponent].fills and not self.asked

    @property
    def left(self) -> int:
        """The number of squares still to hold."""
        return 9 - self.held

    @property
    def own(self) -> str:
        """Return the opponent's own words, none where what is at stake is said."""
        return PLAYERS[self.opponent].hello


class Hinted(NamedTuple):
    """Hold a hint: what to watch for, or in the second step that all squares lead to one `end`."""

    step: HintStep
    hint: Hint
    never_slips: bool
    alike: Mark | Literal["draw", ""]


class Reply(NamedTuple):
    """Hold a reply of `mark`, and of Perfect the reason, told so often before in this game."""

    mark: Mark
    square: Square
    reason: Reason | None
    many: int
    before: int
    notice: Notice | None
    counts: bool


class You(NamedTuple):
    """Hold the human's row: the squares held, that `at_stake`, and at an end those just filled."""

    kind: Literal["start", "move", "held"]
    mark: Mark
    held: tuple[Square, ...]
    new: tuple[Square, ...]
    at_stake: Square | None
    fills: bool
    is_placed: bool
    help: Help
    won: int
    lost: int

    @property
    def left(self) -> int:
        """The number of squares still to hold."""
        return 9 - len(self.held)


class Foot(NamedTuple):
    """Hold what can be pressed before the first move: the settings, and what leads elsewhere."""

    opponents: tuple[Opponent, ...]
    opponent: Opponent
    human: Mark
    is_left: bool
    door: str
