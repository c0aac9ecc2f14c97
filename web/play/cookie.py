"""A game as the plain values that the session keeps, and back."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any, get_args

from flask import session

from engine.notation import parse_squares, to_digits
from engine.position import OTHER, Mark, O, Square, X
from engine.search import analyze
from teach.challenge import link
from web.play.game import Game, Help, HintStep, Was, replayed
from web.play.opponents import PLAYERS
from web.play.record import Record
from web.play.squares import NINE

SCHEMA_VERSION = 3  # of the values; until the first release, a cookie of another is a new game


def load() -> Game:
    """Read the game of this session; where no game can be read, begin a new game."""
    return kept() or Game()


def kept() -> Game | None:
    """Read the game of this session, None where the cookie was missing, or unreadable."""
    try:
        return from_values(session.get("game"))
    except (ValueError, TypeError, KeyError):
        return None


def keep(game: Game) -> None:
    """Put `game` into the session; a cookie is sent only if the game differs."""
    values = to_values(game)
    if session.get("game") != values:
        session["game"] = values
        session.permanent = True  # until the browser drops the cookie, not only until it is closed


def has_played(moves: tuple[Square, ...], mark: Mark | None) -> bool:
    """Say whether the game of this session, or the game left for it, has these moves, as `mark`."""
    game = kept()
    games = filter(None, (game, game and game.unfinished))
    return any(it.human == mark and it.moves[: len(moves)] == moves for it in games)


def is_going_on(moves: tuple[Square, ...], mark: Mark | None) -> bool:
    """Say whether the game of this session, played as `mark`, goes on after just these moves."""
    game = kept()
    return bool(game and not game.outcome and (game.moves, game.human) == (moves, mark))


@lru_cache(maxsize=1024)  # a click asks for that of the game before, and twice for its own
def stamp(game: Game) -> str:
    """Return a checksum of the saved game.

    The page sends it back with each click; another checksum means another tab has changed the
    game, so the click is answered with every part.
    """
    return f"{zlib.crc32(repr(to_values(game)).encode()):08x}"


def to_values(game: Game) -> dict[str, Any]:
    """Return the game as texts, numbers, lists and dictionaries."""
    left = game.unfinished
    return {
        "version": SCHEMA_VERSION,
        **_written(game),
        "hint": game.hint,
        "record": list(game.record),
        "unfinished": _written(left) if left else None,
    }


def _written(game: Game) -> dict[str, Any]:
    return {
        "moves": to_digits(game.moves),
        "opponent": game.opponent,
        "human": game.human,
        "set_up": game.set_up,
        "helped": game.helped,
        "link": game.link,
        "was": game.was,
        "before": game.usual and list(game.usual),
        **({"nine": game.nine} if game.nine else {}),
    }


def from_values(values: Any) -> Game:
    """Read a game from the values of `to_values`.

    Raises ValueError, TypeError or KeyError for anything a legal game cannot have written.
    """
    _one_of((SCHEMA_VERSION,), values["version"])
    left = values["unfinished"]
    unfinished = Game(**_read(left)) if left else None
    won, lost, losing, held, beaten = values["record"]
    record = Record(
        won=_count(won),
        lost=_count(lost),
        losing=_count(losing),
        held=_count(held),
        beaten=_one_of((True, False), beaten),
    )
    game = Game(
        **_read(values),
        hint=_one_of(get_args(HintStep), values["hint"]),
        record=record,
        unfinished=unfinished,
    )
    if unfinished and (unfinished.outcome or not unfinished.has_moved):
        raise ValueError("the game to go back to was not left unfinished")
    if record.held & ~NINE:
        raise ValueError("more squares were held than there are")
    if game.hint != "off" and game.outcome:
        raise ValueError("a game that is over has no hint")
    return game


def _read(values: dict[str, Any]) -> dict[str, Any]:
    """Return the moves and settings of a game, once checked against each other."""
    read: dict[str, Any] = {
        "moves": parse_squares(values["moves"]),
        "opponent": _one_of(PLAYERS, values["opponent"]),
        "human": _one_of(OTHER, values["human"]),
        "set_up": _count(values["set_up"]),
        "helped": _one_of(get_args(Help), values["helped"]),
        "link": _count(values["link"]),
        "was": _one_of((None, *get_args(Was)), values["was"]),
        "nine": _count(values.get("nine", 0)),
    }
    if before := values["before"]:
        opponent, human = before
        read["usual"] = (_one_of(PLAYERS, opponent), _one_of(OTHER, human))
    if read["nine"] & ~NINE:
        raise ValueError("a friend holds nine squares at most")
    moves, position = read["moves"], replayed(read["moves"])
    is_over = position.outcome() is not None
    linked = moves[: read["link"]]
    of_whom = {0: read["human"], 1: O, 2: X}.get(len(linked))
    if linked != link(linked) or of_whom != read["human"] or (linked and read["set_up"]):
        raise ValueError("no link leads there")
    given = max(read["set_up"], read["link"])
    if given > len(moves) or (given == len(moves) and is_over):
        raise ValueError("what was set up was over, or is more than there is")
    if position.turn != read["human"] and not is_over:
        raise ValueError("the opponent has not replied")
    if PLAYERS[read["opponent"]].is_perfect and _slips(moves, read["human"], read["set_up"]):
        raise ValueError("Perfect let a win or a draw slip")
    return read


@lru_cache(maxsize=1024)  # a click adds two moves to those of the click before
def _slips(moves: tuple[Square, ...], human: Mark, set_up: int) -> bool:
    """Say whether a reply, after the moves set up, scores less than another would have.

    >>> _slips((0, 4), "X", 0), _slips((0, 1), "X", 0), _slips((0, 1), "X", 2)
    (False, True, False)
    """
    if len(moves) <= set_up:
        return False
    position, last = replayed(moves[:-1]), moves[-1]
    scores = analyze(position)
    blunders = position.turn != human and scores[last] < max(scores.values())
    return blunders or _slips(moves[:-1], human, set_up)


def _one_of(allowed: Any, value: Any) -> Any:
    if value not in allowed:
        raise ValueError(f"{value} is none of {allowed}")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value} is no count")
    return value
