"""What is told of a program, in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, groupby
from operator import itemgetter
from textwrap import fill
from typing import Any

from engine.notation import digits
from engine.position import O, Position, X
from teach.check.judge import FAULTS, TROUBLES

MOST = 3  # boards told of each kind
FINISHED = ("won", "drawn", "lost")
FIRST_FREE = "a player that takes the first free square"
STOPS = {"illegal": "an illegal answer", "errors": "an error", "timeouts": "a time-out"}


def in_one_line(name: str, told: dict[str, Any]) -> str:
    """Return the games lost, the way of playing, what else is known, and the faults, in a line."""
    kinds = TROUBLES if told["counts_from_1"] else TROUBLES | FAULTS
    wrong = [f"{kind.replace('_', ' ')}: {told[kind]}" for kind in kinds if told[kind]]
    return "; ".join([_games(name, told), *_way(told), *_remarks(told), *wrong])


def in_words(name: str, told: dict[str, Any]) -> str:
    """Return the whole report."""
    return "\n\n".join([f"{_games(name, told)}.", *_paragraphs(told)])


def _games(name: str, told: dict[str, Any]) -> str:
    """Return the games lost, and how the others end; a game that stopped is no game survived."""
    finished, stopped = sum(told[end] for end in FINISHED), told["stopped"]
    if not finished:
        first = STOPS[next(each["kind"] for each in told["found"] if each["kind"] in STOPS)]
        stops = f"all {stopped}" if stopped > 1 else "its only one"
        return f"{name} finishes no game: {stops} stopped, the first at {first}"
    others = ", ".join(f"{told[end]} {end}" for end in ("won", "drawn") if told[end])
    ends = f" ({others})" if others else ""
    of, stops = f"{finished} games", ""
    if stopped:
        of = f"the {finished} game{'s' if finished > 1 else ''} it finished"
        stops = f"; {stopped} stopped"
    return f"{name} loses {told['lost'] or 'none'} of {of}{ends}{stops}"


def _way(told: dict[str, Any]) -> Iterator[str]:
    """Yield how the program plays, or else how as X and how as O, if known by name."""
    sides = {f"as {mark} it": side for mark, side in told["sides"].items()}
    for it, side in ({"it": told} | sides).items():
        if side["plays_as"]:
            ways = [
                f"{way['name']} ({way['agree']} of {way['of']} positions)"
                for way in side["plays_as"]
            ]
            yield f"{it} plays as {', or as '.join(ways)}"
    if told["random"]:
        yield "it is random, or keeps something from before: asked again, it answers otherwise"


def _remarks(told: dict[str, Any]) -> Iterator[str]:
    """Yield how the program answers, where that is out of the ordinary."""
    if told["counts_from_1"]:
        yield "each answer less one is a legal move: it counts squares from 1, not from 0"
    if told["says_more"]:
        yield "it printed more than one number for a board: answers may be mixed up"
    if told["started_anew"]:
        yield f"it was started anew for each board: {told['started_anew']}"
    if told["given_up"]:
        yield "it was given up after three time-outs: what was left has not been asked"


def _sides(told: dict[str, Any]) -> Iterator[str]:
    """Yield the games lost as X, and as O, if it finishes some on both sides."""
    lost = [
        f"{side['lost'] or 'none'} of {finished} as {mark}"
        for mark, side in told["sides"].items()
        if (finished := sum(side[end] for end in FINISHED))
    ]
    if len(lost) > 1:
        yield f"It loses {', '.join(lost)}."


def _paragraphs(told: dict[str, Any]) -> Iterator[str]:
    if told["lost"]:
        yield from _sides(told)
    if not any(told[key] for key in ("lost", *TROUBLES, *FAULTS)):
        yield "Perfect. It loses none, and wins as soon as it can."
    yield from _found(TROUBLES, told)
    ways = [*_way(told)]
    if told["lost"] and not ways and not any(told[kind] for kind in TROUBLES):
        ways = ["its moves tell of no single mistake: go by the boards below, and by docs/check.md"]
    for remark in (*_remarks(told), *ways):
        left = (
            " So does a search that leaves its marks on the board." if FIRST_FREE in remark else ""
        )
        yield fill(f"{remark[0].upper()}{remark[1:]}.{left}", 79)
    if not told["counts_from_1"]:  # else no square below is the one meant
        yield from _found(FAULTS, told)
        if told["shortest_loss"]:
            yield _drawn(told["shortest_loss"])
    yield (
        f"It was asked in {told['asked']} position{'s' * (told['asked'] > 1)} of its games"
        f" and in {told['asked_beside']} lost positions outside them.\nA move took "
        f"{_time(told['median_seconds'])} (the median), {_time(told['longest_seconds'])} at most."
        " It ran with all your rights."
    )


def _found(kinds: dict[str, str], told: dict[str, Any]) -> Iterator[str]:
    """Yield for each kind the number and the first boards, each with the answer."""
    for kind, name in kinds.items():
        of_kind = [each for each in told["found"] if each["kind"] == kind]
        # A random player's answers to a board stand together; the first is told.
        firsts = [next(answers) for _, answers in groupby(of_kind, itemgetter("board"))]
        came = [f"  {first['board']}  {first['came']}" for first in firsts[:MOST]]
        left = len(of_kind) - len(came)
        more = [f"  and {left} more, which --json tells"] if left else []
        if came:
            yield "\n".join([f"{name}: {len(of_kind)}", *came, *more])


def _drawn(game: str) -> str:
    """Draw a lost game, board after board."""
    _, *boards = map(str, accumulate(digits(game), Position.play, initial=Position()))
    rows = ["   ".join(" ".join(board[row : row + 3]) for board in boards) for row in (0, 3, 6)]
    loser = (X, O)[len(game) % 2]  # has not moved last
    title = f"The shortest game it loses, as {loser} (on the site: /study/{game}?you={loser}):\n"
    return "\n  ".join([title, *rows])


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.3g} ms"
