"""The parts of the game page, each a value that says all it shows: so a click gets what changed.

Add one by adding a class here, the macro of its name in `templates/play/_parts.html`, its id to
`parts`, and its place to `templates/play/page.html`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from flask import current_app
from jinja2.environment import TemplateModule
from markupsafe import Markup

from engine.players import Difficulty
from engine.position import Line, Mark, Outcome, Square
from engine.search import Result, results
from web.game import Game, Tally

# What a click may have come to that the board does not show.
Notice = Literal["taken", "over", "stale", "lost", "nothing", "undone"]
NOTICES: tuple[Notice, ...] = get_args(Notice)


class Screen(NamedTuple):
    """What the page shows, which each click sends back."""

    board: str
    stamp: str


class Status(NamedTuple):
    """How the game stands after its `last` two moves, unless there is a notice to give."""

    notice: Notice | None
    human: Mark
    last: tuple[Square, ...]
    outcome: Outcome | None
    draw_is_best: bool


class Cell(NamedTuple):
    """One square; its `result` is there while results are shown."""

    square: Square
    mark: Mark | None
    human: Mark
    live: bool
    wins: bool
    result: Result | None


class Strike(NamedTuple):
    """The lines that won."""

    lines: tuple[Line, ...]
    winner: Mark | None


class Settings(NamedTuple):
    """The opponent and the player's mark."""

    difficulty: Difficulty
    human: Mark


class Actions(NamedTuple):
    """The buttons below the settings, and how to read the results while they are shown."""

    can_undo: bool
    show_results: bool
    legend: bool


class Learn(NamedTuple):
    """Where to go on: the review of `moves` once over, else the tree below `board`."""

    over: bool
    board: str
    moves: str
    human: Mark


class Score(NamedTuple):
    """The results so far against each opponent, and whether this game will be one of them."""

    tallies: tuple[tuple[Difficulty, Tally], ...]
    practice: bool


class Moves(NamedTuple):
    """The moves of this game."""

    moves: tuple[Square, ...]


class Why(NamedTuple):
    """The reason for the last of `moves`, the computer's reply; none before it has moved."""

    human: Mark
    moves: str
    difficulty: Difficulty


Part = Screen | Status | Cell | Strike | Settings | Actions | Learn | Score | Moves | Why


def parts(game: Game, notice: Notice | None = None) -> dict[str, Part]:
    """Return every part of the page by its id."""
    outcome = game.position.outcome()
    lines = outcome.lines if outcome else ()
    moves = "".join(map(str, game.moves))
    to_reply = moves[: len(game.moves_to_last_reply)]
    draw_is_best = game.difficulty == "perfect" and not game.given
    return {
        "screen": Screen(str(game.position), stamp(game)),
        "status": Status(notice, game.human, game.moves[-2:], outcome, draw_is_best),
        **_cells(game),
        "strike": Strike(lines, outcome and outcome.winner),
        "settings": Settings(game.difficulty, game.human),
        "actions": Actions(game.can_undo, game.show_results, game.show_results and not outcome),
        "learn": Learn(outcome is not None, str(game.position), moves, game.human),
        "score": Score(tuple(game.tallies.items()), game.given > 0),
        "moves": Moves(game.moves),
        "why": Why(game.human, to_reply, game.difficulty),
    }


def _cells(game: Game) -> dict[str, Cell]:
    position, outcome = game.position, game.position.outcome()
    winning = {square for line in outcome.lines for square in line} if outcome else set()
    found = results(position) if game.show_results else {}
    return {
        f"cell-{square}": Cell(
            square=square,
            mark=position.mark_at(square),
            human=game.human,
            live=square in position.legal_moves(),
            wins=square in winning,
            result=found.get(square),
        )
        for square in range(9)
    }


def draw(parts: Iterable[Part]) -> list[Markup]:
    """Return the HTML of each part."""
    macros = current_app.jinja_env.get_template("play/_parts.html").module
    return [_drawn(macros, type(part).__name__.lower(), part) for part in parts]


# A quarter of a click would go into drawing again what was drawn before. The macros are part of
# the key, so that a template edited under `make dev` is drawn anew; the name is, as tuples of
# different classes are equal where they hold the same.
@lru_cache(maxsize=8192)
def _drawn(macros: TemplateModule, name: str, part: Part) -> Markup:
    drawn: Markup = getattr(macros, name)(part)
    return drawn


def stamp(game: Game) -> str:
    """Return a short text that differs when anything about the game does.

    The page sends it back with each click, so that a tab left behind is recognised even where
    its board happens to be the current one.
    """
    return f"{zlib.crc32(game.text.encode()):08x}"
