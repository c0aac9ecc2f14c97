"""What is told of a program, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any

from engine.notation import digits
from engine.position import SQUARE_NAMES, O, Position, Square, X
from engine.review import review, turning_point
from engine.search import analyse, highest
from teach.check.judge import FAULTS, TROUBLES

MOST = 5  # boards told of where an answer was no move


def in_one_line(name: str, told: dict[str, Any]) -> str:
    """Return the games lost, how the program plays and what is wrong, in one line."""
    wrong = [f"{key.replace('_', ' ')}: {told[key]}" for key in (*TROUBLES, *FAULTS) if told[key]]
    return "; ".join([f"{name} {_games(told)}", *_way(told), *wrong])


def in_words(name: str, told: dict[str, Any]) -> str:
    """Return the whole report."""
    return "\n\n".join([f"{name} {_games(told)}.", *_paragraphs(told)])


def _games(told: dict[str, Any]) -> str:
    ends = {"won": "won", "drawn": "drawn", "stopped": "stopped without a legal move"}
    games = told["lost"] + sum(told[end] for end in ends)
    rest = ", ".join(f"{told[end]} {words}" for end, words in ends.items() if told[end])
    return f"loses {told['lost'] or 'none'} of {games} games ({rest})"


def _way(told: dict[str, Any]) -> Iterator[str]:
    """Yield how the program plays, where that has a name."""
    ways = [f"{way['name']} ({way['agree']} of {way['of']} positions)" for way in told["plays_as"]]
    if ways:
        yield f"it plays as {', or as '.join(ways)}"
    if told["random"]:
        yield "it is random: asked the same board again, it answers otherwise"


def _paragraphs(told: dict[str, Any]) -> Iterator[str]:
    if not any(told[key] for key in ("lost", *TROUBLES, *FAULTS)):
        yield "Perfect. It loses none, and wins as soon as it can."
    yield from _troubles(told)
    if told["counts_from_1"]:
        yield "Each answer less one is a legal move: it counts squares from 1, not from 0."
    if told["started_anew"]:
        yield f"It was started anew for each board: {told['started_anew']}."
    if told["given_up"]:
        yield "It was given up after three time-outs. What was left has not been asked."
    for way in _way(told):
        yield fill(f"{way[0].upper()}{way[1:]}.", 79)
    if not told["counts_from_1"]:  # else nothing below is what the program meant
        yield from _faults(told)
        if told["shortest_loss"]:
            yield shortest(digits(told["shortest_loss"]))
    yield (
        f"It was asked in {told['asked']} positions of its games"
        f" and {told['asked_beside']} lost ones beside. A move took\n{_time(told['median_seconds'])}"
        f" (the median), {_time(told['longest_seconds'])} at most. It ran with your rights."
    )


def _troubles(told: dict[str, Any]) -> Iterator[str]:
    """Yield for each kind how often no legal move came, and what came on the first boards."""
    for kind, name in TROUBLES.items():
        came = [f"  {t['board']}  {t['came']}" for t in told["troubles"] if t["kind"] == kind]
        more = [f"  and {len(came) - MOST} more: see --json"] if len(came) > MOST else []
        if came:
            yield "\n".join([f"{name}: {len(came)}", *came[:MOST], *more])


def _faults(told: dict[str, Any]) -> Iterator[str]:
    """Yield for each kind how many moves could be better, with the first drawn."""
    for kind, name in FAULTS.items():
        found = [fault for fault in told["faults"] if fault["kind"] == kind]
        if found:
            position = Position.parse(found[0]["board"])
            best = " or ".join(map(_named, highest(analyse(position))))
            move = f"{position.turn} plays {_named(found[0]['square'])}, not {best}"
            text = fill(f"{name}: {len(found)}. In the first {move}:", 79)
            yield f"{text}\n\n{_drawn([position])}"


def shortest(moves: Sequence[Square]) -> str:
    """Draw a game, the last move that made a lost board of another marked by a star."""
    turned = turning_point(review(moves))
    assert turned
    boards = [Position().after(moves[:ply]) for ply in range(1, len(moves) + 1)]
    captions = [f"{(X, O)[ply % 2]} {square}" for ply, square in enumerate(moves)]
    captions[turned.position.ply] += " *"
    mark = (X, O)[len(moves) % 2]  # who has not moved last
    return f"""The shortest game it loses, as {mark} (/study/{"".join(map(str, moves))}?you={mark}):

{_drawn(boards, captions)}

* Until here it was {"won" if turned.before > 0 else "drawn"}, from here on it is lost."""


def _drawn(boards: Sequence[Position], captions: Sequence[str] = ()) -> str:
    """Draw boards beside each other, with captions below."""
    rows = [[" ".join(str(board)[row : row + 3]) for board in boards] for row in (0, 3, 6)]
    lines = ("".join(f"  {cell:6}" for cell in row).rstrip() for row in (*rows, captions))
    return "\n".join(lines).rstrip()


def _named(square: Square) -> str:
    return f"{SQUARE_NAMES[square]} ({square})"


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"
