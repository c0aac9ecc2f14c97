"""The parts of the game page, as values: those that differ after a click are sent.

To add one, such as a count of the empty squares:

1. a class here whose fields say all that it shows, in values that can be hashed, `class
   Empty(NamedTuple)` with `squares: int`, and that class in the union `Part`;
2. its value in `parts`, by the id of its element: `"left": Empty(9 - game.position.ply)`; two
   classes may take turns at an id, as Reason and Turned do;
3. the macro of the class in `templates/play/_parts.html`, its name in small letters: from the value
   `it`, `{% macro empty(it) %}` draws one element with that id and `data-hx-swap-oob`;
4. its place in `templates/play/page.html`: `{{ part.left }}`;
5. its id in `tests/test_app.py`, where that lists what each kind of click sends.

`web/play/routes.py` stays as it is: it sends those parts that differ.
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
from engine.position import OTHER, Line, Mark, Position, Square
from engine.reasons import Why, threats, why
from engine.results import Result, Safe, results, safe_replies
from engine.review import Reviewed, review, turning_point
from web.play.game import Game, Tally

# What a click may have come to that the board does not show.
Notice = Literal["taken", "over", "stale", "unkept", "nothing", "undone", "back"]
NOTICES: tuple[Notice, ...] = get_args(Notice)

# How a game ended for the human; held is a draw against perfect play.
Verdict = Literal["won", "held", "drawn", "lost"]


class Title(NamedTuple):
    """What the browser's tab is called."""

    verdict: Verdict | None


class Screen(NamedTuple):
    """What the page shows, which each click sends back."""

    board: str
    stamp: str


class Score(NamedTuple):
    """The results against this opponent, once there is one."""

    difficulty: Difficulty
    human: Mark
    tally: Tally


class Intro(NamedTuple):
    """What to know where there is no score: about the opponent, until the first move.

    Or that a game which began from a position somebody chose is practice, and does not count.
    """

    about: Difficulty | Literal["practice"] | None


class Status(NamedTuple):
    """How the game stands after the `last` move, or the notice there is to give.

    `replied` says that it was the computer's; `lines` are those that won; `first` is the first win
    against this opponent.
    """

    notice: Notice | None
    human: Mark
    last: tuple[Mark, Square] | None
    replied: bool
    begun: bool
    verdict: Verdict | None
    lines: tuple[Line, ...]
    first: bool


class Cell(NamedTuple):
    """One square; `result` is there while results are shown."""

    square: Square
    mark: Mark | None
    human: Mark
    live: bool
    wins: bool
    result: Result | None


class Strike(NamedTuple):
    """The lines that won, and whether the computer's reply ended the game.

    `mark` is the winner's. A draw against perfect that counts has no lines, but the human's mark,
    as it is the best there is; any other draw has none.
    """

    lines: tuple[Line, ...]
    mark: Mark | None
    replied: bool


class Reason(NamedTuple):
    """Why the computer made the last of `moves`, where that is `told`; none before it has moved.

    `you` is whose game it is, for the link to the whole story; so it is in other parts.
    """

    told: bool
    difficulty: Difficulty
    moves: tuple[Square, ...]
    you: Mark | None

    @property
    def why(self) -> Why:
        """Find the reason, which takes a while: only where it is drawn."""
        return why(Position().after(self.moves[:-1]), self.moves[-1])


class Turned(NamedTuple):
    """Where a finished game turned, if it did. The first `given` moves were nobody's."""

    human: Mark
    moves: tuple[Square, ...]
    given: int
    you: Mark | None

    @property
    def turning_point(self) -> tuple[Reviewed, tuple[Square, ...]] | None:
        """Find the move, and the squares at which it left the other side a win."""
        move = turning_point(review(self.moves))
        if not move:
            return None
        mark, child = move.position.turn, move.position.play(move.square)
        return move, threats(child, OTHER[mark])


class Actions(NamedTuple):
    """The buttons below the board: what *Take back* takes back, and whether results are shown."""

    undo: Literal["move", "game"] | None
    show_results: bool


class Ended(NamedTuple):
    """The buttons below the board of a game that is over, and the moves there are to review."""

    moves: tuple[Square, ...]
    you: Mark | None
    can_undo: bool


class Settings(NamedTuple):
    """The opponent and the player's mark: open until the first move, and whether one was made."""

    difficulty: Difficulty
    human: Mark
    open: bool
    going_on: bool


class More(NamedTuple):
    """What waits below: the moves so far, the tree from here, and what results do not say.

    While results are shown, `answers` says of each move that draws how many replies keep the draw.
    """

    moves: tuple[Square, ...]
    board: str | None
    human: Mark
    you: Mark | None
    answers: tuple[tuple[Square, Safe], ...]


Part = (
    Title
    | Screen
    | Score
    | Intro
    | Status
    | Cell
    | Strike
    | Reason
    | Turned
    | Actions
    | Ended
    | Settings
    | More
)


def parts(game: Game, notice: Notice | None = None) -> dict[str, Part]:
    """Return every part of the page by its id."""
    over = game.outcome is not None
    return {
        "title": Title(verdict(game)),
        "screen": Screen(str(game.position), stamp(game)),
        "score": score(game),
        "status": status(game, notice),
        **cells(game),
        "strike": strike(game),
        "reason": Turned(game.human, game.moves, game.given, game.you) if over else reason(game),
        "actions": Ended(game.moves, game.you, game.has_moved) if over else actions(game),
        "settings": Settings(
            difficulty=game.difficulty,
            human=game.human,
            open=not begun(game),
            going_on=game.has_moved and not over,
        ),
        "more": more(game),
    }


def verdict(game: Game) -> Verdict | None:
    """Return how the game ended for the human, None while it goes on."""
    if not game.outcome:
        return None
    if winner := game.outcome.winner:
        return "won" if winner == game.human else "lost"
    return "held" if game.difficulty == "perfect" and not game.given else "drawn"


def begun(game: Game) -> bool:
    """Say whether the human has made a move, or has none to make."""
    return game.has_moved or game.outcome is not None


def replied(game: Game) -> bool:
    """Say whether the last move was the computer's."""
    return bool(game.moves) and game.moves == game.moves_to_last_reply


def score(game: Game) -> Score | Intro:
    """Return the results so far, or what to know where there are none."""
    tally = game.tallies[game.difficulty]
    if game.given:
        return Intro("practice")
    if any(tally):
        return Score(game.difficulty, game.human, tally)
    return Intro(None if begun(game) else game.difficulty)


def status(game: Game, notice: Notice | None) -> Status:
    """Return how the game stands."""
    end = verdict(game)
    return Status(
        notice=notice,
        human=game.human,
        last=(OTHER[game.position.turn], game.moves[-1]) if game.moves else None,
        replied=replied(game),
        begun=begun(game),
        verdict=end,
        lines=game.outcome.lines if game.outcome else (),
        first=end == "won" and not game.given and game.tallies[game.difficulty].won == 1,
    )


def strike(game: Game) -> Strike:
    """Return what to draw behind the marks once the game is over."""
    if not game.outcome:
        return Strike((), None, False)
    mark = game.human if verdict(game) == "held" else game.outcome.winner
    return Strike(game.outcome.lines, mark, replied(game))


def reason(game: Game) -> Reason:
    """Return why the computer made its last move."""
    return Reason(
        told=game.show_reasons,
        difficulty=game.difficulty,
        moves=game.moves_to_last_reply if game.show_reasons else (),
        you=game.you,
    )


def actions(game: Game) -> Actions:
    """Return the buttons of a game that goes on."""
    return Actions(
        undo="move" if game.has_moved else "game" if game.before else None,
        show_results=game.show_results,
    )


def more(game: Game) -> More:
    """Return what waits below the board and its buttons."""
    position = game.position
    shown = results(position) if game.show_results else {}
    counts = {square: safe_replies(position, square) for square in shown}
    return More(
        moves=game.moves,
        board=None if game.outcome else str(position),
        human=game.human,
        you=game.you,
        answers=tuple(
            (square, counts[square])
            for square, found in shown.items()
            if not found.winner and counts[square].replies
        ),
    )


def cells(game: Game) -> dict[str, Cell]:
    """Return the nine squares."""
    position, outcome = game.position, game.outcome
    live = position.legal_moves()
    winning = {square for line in outcome.lines for square in line} if outcome else set()
    found = results(position) if game.show_results else {}
    return {
        f"cell-{square}": Cell(
            square=square,
            mark=position.mark_at(square),
            human=game.human,
            live=square in live,
            wins=square in winning,
            result=found.get(square),
        )
        for square in range(9)
    }


def draw(parts: Iterable[Part]) -> list[Markup]:
    """Return the HTML of each part."""
    macros = current_app.jinja_env.get_template("play/_parts.html").module
    return [_drawn(macros, type(part).__name__.lower(), part) for part in parts]


# Drawings are kept, as to draw again what was drawn before would take a quarter of each click. The
# macros are part of the key, so that a template edited under `make dev` is drawn anew. So is the
# name: two parts of different classes that hold the same are equal, as tuples are.
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
