"""The game in the session cookie: load it, save it, and compare it with a page or a link."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any, get_args

from flask import session

from engine.notation import parse_squares, to_digits
from engine.position import OTHER, Mark, O, Square, X
from engine.search import analyze
from teach.challenge import linked_opening
from web.play.game import Game, Help, HintLevel, SharedResult, position_after
from web.play.opponents import OPPONENTS
from web.play.record import Record, Tally
from web.play.squares import ALL_NINE

SCHEMA_VERSION = 5  # until the first release, a cookie of any other version starts a new game


def load() -> Game:
    """Return the game of this session, or a new game if none can be read."""
    return load_or_none() or Game()


def load_or_none() -> Game | None:
    """Return the game of this session, or None if the cookie is missing or unreadable."""
    try:
        return from_dict(session.get("game"))
    except (ValueError, TypeError, KeyError):
        return None


def save(game: Game) -> None:
    """Save a game to the session; the cookie is sent only if the game has changed."""
    values = to_dict(game)
    if session.get("game") != values:
        session["game"] = values
        session.permanent = True  # so that the cookie outlives the browser's window


def has_played(moves: tuple[Square, ...], mark: Mark | None) -> bool:
    """Return whether the human, as `mark`, has played a game that began with `moves`.

    Both the game of this session and its unfinished game count.
    """
    saved_game = load_or_none()
    games = [saved_game, saved_game.unfinished] if saved_game else []
    return any(game.human == mark and game.moves[: len(moves)] == moves for game in games if game)


def is_in_progress(moves: tuple[Square, ...], mark: Mark | None) -> bool:
    """Return whether the human, as `mark`, is in a game that consists of exactly `moves`."""
    game = load_or_none()
    return bool(game and not game.outcome and (game.moves, game.human) == (moves, mark))


@lru_cache(maxsize=1024)  # called twice per click: for the old game and for the new one
def stamp(game: Game) -> str:
    """Return a checksum of a game.

    The page sends the stamp of its game with each click. If the saved game has another stamp,
    another tab has changed the game, and the response has every part of the page.
    """
    return f"{zlib.crc32(repr(to_dict(game)).encode()):08x}"


def to_dict(game: Game) -> dict[str, Any]:
    """Return a game as values that JSON can represent."""
    unfinished = game.unfinished
    return {
        "version": SCHEMA_VERSION,
        **_game_to_dict(game),
        "hint": game.hint,
        "record": [
            [list(tally) for tally in game.record.tallies],
            game.record.losing_streak,
            game.record.earned_bits,
        ],
        "unfinished": _game_to_dict(unfinished) if unfinished else None,
    }


def _game_to_dict(game: Game) -> dict[str, Any]:
    return {
        "moves": to_digits(game.moves),
        "opponent": game.opponent_name,
        "human": game.human,
        "set_up": game.setup_length,
        "helped": game.help_used,
        "link": game.link_length,
        "was": game.friend_result,
        "before": game.usual_settings and list(game.usual_settings),
        "nine": game.friend_bits,
    }


def from_dict(values: Any) -> Game:
    """Return the game that `to_dict` was given.

    Raises ValueError, TypeError or KeyError for anything that no legal game could have produced.
    """
    _one_of((SCHEMA_VERSION,), values["version"])
    unfinished = Game(**_parse_game(values["unfinished"])) if values["unfinished"] else None
    game = Game(
        **_parse_game(values),
        hint=_one_of(get_args(HintLevel), values["hint"]),
        record=_parse_record(values["record"]),
        unfinished=unfinished,
    )
    if unfinished and (unfinished.outcome or not unfinished.has_moved):
        raise ValueError("the unfinished game is over, or has no move to go back to")
    if game.hint != "off" and game.outcome:
        raise ValueError("a game that is over has no hint")
    return game


def _parse_record(values: list[Any]) -> Record:
    """Return the record of earlier games, each value checked."""
    tallies, losing_streak, earned_bits = values
    if _non_negative(earned_bits) & ~ALL_NINE:
        raise ValueError("a square is earned that is not on the board")
    return Record(
        tallies=tuple(
            Tally(_one_of(OPPONENTS, name), _non_negative(wins), _non_negative(losses))
            for name, wins, losses in tallies
        ),
        losing_streak=_non_negative(losing_streak),
        earned_bits=earned_bits,
    )


def _parse_game(values: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of a Game, checked one by one and against each other."""
    moves, human = parse_squares(values["moves"]), _one_of(OTHER, values["human"])
    opponent_name = _one_of(OPPONENTS, values["opponent"])
    setup_length, link_length = _non_negative(values["set_up"]), _non_negative(values["link"])
    friend_bits = None if values["nine"] is None else _non_negative(values["nine"])
    game = {
        "moves": moves,
        "opponent_name": opponent_name,
        "human": human,
        "setup_length": setup_length,
        "help_used": _one_of(get_args(Help), values["helped"]),
        "link_length": link_length,
        "friend_result": _one_of((None, *get_args(SharedResult)), values["was"]),
        "friend_bits": friend_bits,
    }
    if usual := values["before"]:
        usual_opponent, usual_mark = usual
        game["usual_settings"] = (_one_of(OPPONENTS, usual_opponent), _one_of(OTHER, usual_mark))
    if (friend_bits or 0) & ~ALL_NINE:
        raise ValueError("a friend has nine squares at most")
    _check_link(moves[:link_length], human, setup_length)
    position = position_after(moves)
    is_over = position.outcome() is not None
    opening_length = max(setup_length, link_length)
    if opening_length > len(moves) or (opening_length == len(moves) and is_over):
        raise ValueError("the board set up was over, or never reached")
    if position.turn != human and not is_over:
        raise ValueError("the opponent has not replied")
    if OPPONENTS[opponent_name].is_perfect and _opponent_missed_best(moves, human, setup_length):
        raise ValueError("Perfect did not play one of its best moves")
    return game


def _check_link(linked_moves: tuple[Square, ...], human: Mark, setup_length: int) -> None:
    """Raise ValueError if a game cannot begin with these moves of a friend's link.

    A game without a link has none of them, which is fine.
    """
    # The human continues a link of one move as O, and one of two moves as X.
    linked_human = {0: human, 1: O, 2: X}.get(len(linked_moves))
    is_set_up_too = bool(linked_moves and setup_length)
    if linked_moves != linked_opening(linked_moves) or linked_human != human or is_set_up_too:
        raise ValueError("no link leads to this board")


@lru_cache(maxsize=1024)  # a click adds only two moves to those already checked
def _opponent_missed_best(moves: tuple[Square, ...], human: Mark, setup_length: int) -> bool:
    """Return whether the opponent ever played a move that scores less than its best ones.

    Moves that were set up are not the opponent's.

    >>> _opponent_missed_best((0, 4), "X", 0), _opponent_missed_best((0, 1), "X", 0)
    (False, True)
    >>> _opponent_missed_best((0, 1), "X", 2)
    False
    """
    if len(moves) <= setup_length:
        return False
    position, last_square = position_after(moves[:-1]), moves[-1]
    scores = analyze(position)
    missed_best = position.turn != human and scores[last_square] < max(scores.values())
    return missed_best or _opponent_missed_best(moves[:-1], human, setup_length)


def _one_of(allowed: Any, value: Any) -> Any:
    if value not in allowed:
        raise ValueError(f"{value} is not one of {allowed}")
    return value


def _non_negative(value: Any) -> int:
    if type(value) is not int or value < 0:  # a bool is an int, too
        raise ValueError(f"{value} is not a whole number from 0 up")
    return value
