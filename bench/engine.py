"""How fast the engine replies and how well it plays, compared with its peers."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from statistics import median

from bench.effort import amount
from bench.peers import OURS, PEERS, REFERENCE, Peer
from bench.rows import Figures, format_figure
from engine.position import OTHER, Mark, Position, Square
from engine.search import analyze, best_moves, score
from engine.symmetry import reachable_positions

UNFINISHED = [position for position in reachable_positions() if not position.outcome()]
Moves = Callable[[Position], tuple[Square, ...]]

FIRST_REPLY = """import time; began = time.perf_counter()
from bench.peers import PEERS, Position
PEERS[{name!r}]()(Position())
print(time.perf_counter() - began)"""

SOLVE = """import time
from engine.search import solve
began = time.perf_counter(); solve()
print(time.perf_counter() - began)"""


def measure() -> Figures:
    """Measure how fast each engine replies and how well it plays; and how fast ours solves."""
    peers = {name: make for name, make in PEERS.items() if is_installed(make)}
    solve_times = [seconds_of(SOLVE) * 1000 for _ in range(amount(11))]
    scripts = {name: FIRST_REPLY.format(name=name) for name in peers}
    first_replies = [{name: seconds_of(scripts[name]) for name in peers} for _ in range(amount(9))]
    figures: Figures = {}
    for name, make in peers.items():
        player = make()
        player(Position())
        first_reply = format_times([first[name] for first in first_replies])
        later_reply = format_times([reply_time(player, position) for position in UNFINISHED[::10]])
        moves = best_moves if name == OURS else single_move(player)
        figures[name] = " | ".join((first_reply, later_reply, *strength(moves)))
    figures["engine.solve"] = solve_times
    if REFERENCE in peers:
        figures["engine.beside"] = [first[OURS] / first[REFERENCE] for first in first_replies]
    return figures


def is_installed(make: Callable[[], Peer]) -> bool:
    """Return whether an engine is installed, as it is by `make bench`."""
    try:
        make()
    except ImportError:
        return False
    return True


def seconds_of(script: str) -> float:
    """Run a script in its own process and return the seconds that it prints."""
    result = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return float(result.stdout)


def reply_time(player: Peer, position: Position) -> float:
    began = time.perf_counter()
    player(position)
    return time.perf_counter() - began


def format_times(seconds: Sequence[float]) -> str:
    """Return the median of times with the lowest and the highest, in µs or ms."""
    unit, factor = ("µs", 1e6) if median(seconds) < 1e-3 else ("ms", 1e3)
    return format_figure([time * factor for time in seconds], unit)


def strength(moves: Moves) -> tuple[str, ...]:
    """Return the exact numbers: games lost, chances to beat a random player, and fastest wins."""
    lost = games_lost(moves, "X") + games_lost(moves, "O")
    chances = (str(chance_to_win(moves, mark)) for mark in OTHER)
    return str(lost), *chances, f"{fastest_wins(moves):.1%}".replace(".0%", "%")


def single_move(player: Peer) -> Moves:
    """Return the moves of a player that always plays the same move, each computed once."""
    return cache(lambda position: (player(position),))


def games_lost(moves: Moves, me: Mark) -> int:
    """Return how many games `me` loses, over all replies and all of its own choices."""

    @cache
    def losses_from(position: Position) -> int:
        if outcome := position.outcome():
            return outcome.winner not in (me, None)
        squares = moves(position) if position.turn == me else position.legal_moves()
        return sum(losses_from(position.play(square)) for square in squares)

    return losses_from(Position())


def chance_to_win(moves: Moves, me: Mark) -> Fraction:
    """Return the chance that `me` wins if the opponent plays at random."""

    @cache
    def chance(position: Position) -> Fraction:
        if outcome := position.outcome():
            return Fraction(outcome.winner == me)
        squares = moves(position) if position.turn == me else position.legal_moves()
        return sum((chance(position.play(s)) for s in squares), Fraction()) / len(squares)

    return chance(Position())


def fastest_wins(moves: Moves) -> float:
    """Return the share of won positions in which every move wins as soon as possible."""
    won = [position for position in UNFINISHED if score(position) > 0]
    wins_fastest = [
        all(analyze(position)[square] == score(position) for square in moves(position))
        for position in won
    ]
    return sum(wins_fastest) / len(won)
