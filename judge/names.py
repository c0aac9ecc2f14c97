"""What the names in a file say: of functions that pick a move, of parameters, of variables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.source import Source

SURE = (
    "choose bestmove findbestmove getbestmove aimove getaimove computermove getcomputermove"
    " getmove choosemove compmove aiturn computerturn botmove cpumove bestspot"
).split()
SEARCHES = ("minimax", "alphabeta", "negamax", "minmax")
DECIDES = {"move", "turn", "play", "action", "choice", "square", "spot", "cell", "decision"}
BY_PROGRAM = {"ai", "bot", "computer", "comp", "cpu", "machine", "agent", "robot", "com", "pc"}
PICKS = BY_PROGRAM | {"best", "find", "get", "choose", "next", "optimal", "smart", "pick",
                      "select", "decide", "minimax", "make", "calculate"}  # fmt: skip
NOT = {"human", "player", "user", "valid", "available", "possible", "legal", "undo", "is", "print",
       "show", "draw", "random", "all", "free", "empty", "check", "opponent", "on", "last",
       "moves", "score", "value", "input", "switch"}  # fmt: skip
WEAK = {"random", "human", "easy", "dumb"}
HUMAN = {"human", "hu", "user", "person", "you", "opponent", "opp", "enemy", "foe", "other"}
BOARDS = {"board", "grid", "state", "cells", "squares", "field", "tiles", "brd", "bo", "matrix",
          "game", "b", "s", "position", "spaces", "tablero"}  # fmt: skip
SIDES = {"player", "mark", "letter", "symbol", "turn", "me", "piece", "sign", "current", "who",
         "m", "side", "marker", "token", "mover", "char", "p", "maximizer", "choice", "color",
         "colour"}  # fmt: skip
MAXIMIZING = {"maxplayer", "maxturn", "max", "maxi", "mx"}
DEPTHS = {"depth", "level", "ply", "d", "n"}
TURNS = {"turn", "currentplayer", "current", "playerturn", "whoseturn", "currentturn",
         "nextplayer", "activeplayer", "tomove", "currentmark"}  # fmt: skip
EMPTY = {"empty", "none", "blank", "free", "e", "n"}
BEGINS = {"initial", "init", "create", "new", "make", "empty", "start", "starting", "fresh"}
BEGUN = {"board", "state", "grid"}


def plain(name: str) -> str:
    """Return a name in small letters, without underscores."""
    return name.replace("_", "").lower()


def words(name: str) -> list[str]:
    """Return the words a name is made of.

    >>> words("getAIMove"), words("best_move")
    (['get', 'ai', 'move'], ['best', 'move'])
    """
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+", name)
    return [part.lower() for part in parts]


def rank_of(name: str, owner: str) -> int:
    """Return how likely a function picks a move, 0 most; 9 if it does not."""
    said = {*words(name)}
    if plain(name) in SURE:
        return 0 if plain(name) == "choose" else 1
    if said & PICKS and said & DECIDES and not said & NOT:
        return 2
    if is_search(name):
        return 3
    if said & NOT:
        return 9
    of_program = {*words(owner)} & BY_PROGRAM and said & (PICKS | DECIDES)
    return 4 if said & BY_PROGRAM or of_program or len(said & PICKS) > 1 else 9


def is_search(call: str) -> bool:
    """Say whether a name is that of a search, which may return a score."""
    name = plain(call.rpartition(".")[2])
    return name == "max" or any(one in name for one in SEARCHES)


def bound(
    given: Sequence[tuple[str, bool]], is_held: bool, source: Source, call: str
) -> tuple[list[tuple[str, ...]], str]:
    """Return for each parameter the values to try, or the name of an unknown parameter.

    `is_held` says that the file has a board of its own, so that no parameter need be one.
    """
    said = [{*words(name)} for name, _ in given]
    of_program = any(one & BY_PROGRAM for one in said)
    has_board = any(one & (BOARDS - {"b", "s"}) for one in said)
    found: list[tuple[str, ...]] = []
    for place, ((name, must), one) in enumerate(zip(given, said, strict=True)):
        small = plain(name)
        values: tuple[str, ...]
        is_searched = True  # a value that its search hands down: left out where there is a default
        if small == "alpha" or (small == "a" and place):
            values = ("-inf",)
        elif small == "beta" or (small == "b" and place and has_board):
            values = ("inf",)
        elif one & BOARDS and ("board",) not in found:
            values, is_searched = ("board",), False
        elif one & DEPTHS:
            values = {"up": ("0",), "down": ("empties",)}.get(
                source.steps(call, name), ("0", "empties", "9")
            )
        elif small.startswith("ismax") or "maximi" in small or small in MAXIMIZING:
            values = ("x to move", "true", "mark")
        else:
            is_searched = False
            if "is" in one and one & (BY_PROGRAM | HUMAN):
                values = ("true",) if one & BY_PROGRAM else ("false",)
            elif one & {"x", "xs"} and one & {"turn", "is", "to"}:
                values = ("x to move",)
            elif one & (HUMAN | {"h"}) or ("player" in one and of_program and not one & BY_PROGRAM):
                values = ("other", "other letter")
            elif one & (SIDES | BY_PROGRAM | {"c"}):
                values = ("mark", "letter")
            elif not must:
                break
            elif place or is_held:
                return [], name
            else:
                values = ("board",)
        if is_searched and not must:
            break  # the rest have defaults
        found.append(values)
    return found, ""


def kind_of(name: str) -> str:
    """Return whether a parameter is a board, a side, or neither is known."""
    said = {*words(name)}
    if said & BOARDS:
        return "board"
    if plain(name) in ("alpha", "beta"):
        return plain(name)
    return "side" if said & (SIDES | BY_PROGRAM | HUMAN) else ""
