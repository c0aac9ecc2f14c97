"""The parts of the game page, each with all that it shows: so a click gets only what changed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, get_args

from flask import current_app
from jinja2.environment import TemplateModule
from markupsafe import Markup

from engine.explain import results, safe_replies
from engine.game import Game

# The name of a macro in parts.jinja and its arguments: equal parts look the same.
Part = tuple[object, ...]

# What shows the whole game is hardly ever the same twice: not to be kept.
NEW_EACH_TIME = {"seen", "why"}

# What a click may have come to that the board does not show.
Notice = Literal["taken", "over", "stale", "lost", "nothing", "undone"]
NOTICES: tuple[Notice, ...] = get_args(Notice)

CELLS = tuple(f"cell-{square}" for square in range(9))
MOVES = tuple(f"move-{number}" for number in range(9))


def parts(game: Game) -> dict[str, Part]:
    """Return every part of the page but its status, by its id."""
    board, moves, you = str(game.position), game.moves, game.human
    outcome, tallies = game.position.outcome(), game.tallies
    lines = outcome.lines if outcome else ()
    winning = {square for line in lines for square in line}
    played = "".join(map(str, moves))
    reply = played[: len(game.last_reply)]
    found: dict[str, Part] = {
        "seen": ("seen", board, stamp(game)),
        "winning-line": ("winning_line", lines, outcome and outcome.winner),
        "difficulty-random": ("choice", "difficulty", "random", game.difficulty == "random"),
        "difficulty-perfect": ("choice", "difficulty", "perfect", game.difficulty == "perfect"),
        "mark-X": ("choice", "mark", "X", you == "X"),
        "mark-O": ("choice", "mark", "O", you == "O"),
        "undo": ("undo", game.can_undo),
        "show-results": ("show_results", game.show_results),
        "legend": ("legend", game.show_results and not outcome),
        "score-random": ("score", "random", tallies["random"]),
        "score-perfect": ("score", "perfect", tallies["perfect"]),
        "practice": ("practice", game.given > 0),
        "no-moves": ("no_moves", not moves),
        "why": ("why", you, reply, game.difficulty) if reply else ("why", you),
        "learn": ("learn", True, played, you) if outcome else ("learn", False, board),
    }
    for square, name in enumerate(CELLS):
        live = board[square] == "-" and not outcome
        found[name] = ("cell", square, board[square], you, live, square in winning)
    if game.show_results:
        for square, result in results(game.position).items():
            found[CELLS[square]] += (result, safe_replies(game.position, square))
    for number, name in enumerate(MOVES):
        found[name] = ("move", number, moves[number] if number < len(moves) else None)
    return found


def status(game: Game, notice: Notice | None) -> Part:
    """Return the sentence at the top of the page; a `notice` goes before how the game stands."""
    if notice:
        return ("status", notice)
    best = game.difficulty == "perfect" and not game.given
    return ("status", None, game.human, game.moves[-2:], game.position.outcome(), best)


def draw(parts: Iterable[Part]) -> list[Markup]:
    """Return the HTML of each part."""
    macros = current_app.jinja_env.get_template("parts.jinja").module
    return [(_draw if part[0] in NEW_EACH_TIME else _drawn)(macros, part) for part in parts]


def _draw(macros: TemplateModule, part: Part) -> Markup:
    macro, *facts = part
    drawn: Markup = getattr(macros, str(macro))(*facts)
    return drawn


# The module is part of the key, so that one edited under `make dev` is drawn anew.
_drawn = lru_cache(maxsize=8192)(_draw)


def stamp(game: Game) -> str:
    """Return a short text that differs when anything about the game does.

    The page sends it back with each click, so that a tab left behind is recognised even where
    its board happens to be the current one.
    """
    return f"{zlib.crc32(game.text.encode()):08x}"
