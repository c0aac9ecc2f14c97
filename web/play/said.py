"""What the game page says: how the game stands or ended, the moves, the buttons."""

from __future__ import annotations

from typing import Literal, get_args

from markupsafe import Markup

from engine.hints import Hint
from engine.position import Position, Square
from engine.reasons import why
from engine.review import BADGES, Story, story
from web.play.drawn import draw
from web.play.game import Game

# What a click can come to that the board does not show.
Notice = Literal["taken", "over", "stale", "unkept", "nothing", "undone", "back"]
NOTICES: tuple[Notice, ...] = get_args(Notice)

# How a game ended for the human; held is a draw against Perfect, in a game that counts.
Ending = Literal["won", "held", "drawn", "lost"]


def ending(game: Game) -> Ending | None:
    """Return how the game ended for the human, None while it goes on."""
    if not game.outcome:
        return None
    if winner := game.outcome.winner:
        return "won" if winner == game.human else "lost"
    return "held" if game.opponent == "perfect" and not game.set_up else "drawn"


def status(game: Game, told: Story | None, watched: Hint | None, notice: Notice | None) -> Markup:
    """Draw the status: how the game ended, a notice, a hint, or the words of the opponent."""
    end, last = ending(game), game.last_reply
    if end and told:
        return draw(
            "ended",
            notice=notice,
            ending=end,
            opponent=game.opponent,
            human=game.human,
            practice=game.set_up > 0,
            first=end == "won" and not game.set_up and game.tallies[game.opponent].won == 1,
            told=told,
            moves=game.moves,
            you=game.human,
            placed=game.set_up,
            voice=game.voice,
        )
    if notice and notice not in ("undone", "back"):
        return draw("noticed", notice=notice)
    if game.hint != "off":
        return draw("hinted", hint=watched)
    if last is None or not game.has_moved:
        square = None if last is None else game.moves[last]
        return draw(
            "hello",
            notice=notice,
            opponent=game.opponent,
            human=game.human,
            square=square,
            practice=game.set_up > 0,
            drawn=game.tallies[game.opponent].drawn,
            beaten=game.has_beaten_perfect,
            voice=game.voice,
            unfinished=bool(game.unfinished) and not game.has_moved,
        )
    return draw(
        "replied",
        notice=notice,
        opponent=game.opponent,
        why=why(Position().after(game.moves[:last]), game.moves[last]),
        moves=game.moves[: last + 1],
        you=game.human,
        placed=game.set_up,
        voice=game.voice,
    )


def badge(told: Story, square: Square) -> str | None:
    """Return the badge of a square at the end: of the move that turned the game, or held."""
    moves = (told.turn,) if told.turn else told.only[-1:]
    return next((BADGES[move.judgement] for move in moves if move.square == square), None)


def aside(game: Game) -> Markup:
    """Draw the moves, or before the first the way to the lesson, for windows with room."""
    return draw(
        "aside",
        opponent=game.opponent,
        moves=story(game.moves, None, game.set_up).moves if game.has_moved else (),
        game=game.moves,
        you=game.human,
        placed=game.set_up,
    )


def actions(game: Game, told: Story | None) -> Markup:
    """Draw the buttons: settings before the first move, then the game's, then the ways on."""
    if told:
        return draw(
            "next",
            opponent=game.opponent,
            human=game.human,
            moves=game.moves,
            you=game.human,
            placed=game.set_up,
            held=ending(game) == "held",
            retry=_retry(game, told),
        )
    if not game.has_moved and not game.set_up:
        return draw("settings", opponent=game.opponent, human=game.human)
    return draw("actions", hint=game.hint != "off")


def _retry(game: Game, told: Story) -> int | None:
    """Return the number of the move by which the human gave the game away, None without any."""
    turn = told.turn
    return turn.number if turn and turn.mark == game.human else None
