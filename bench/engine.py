"""How fast the engine replies and how well it plays, beside its peers."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from statistics import median

from bench.effort import rounds
from bench.peers import BESIDE, OURS, PEERS, Peer
from bench.rows import Figures, shown
from engine.position import OTHER, Mark, Position, Square
from engine.search import analyze, best_moves, score
from engine.symmetry import reachable_positions

UNFINISHED = [position for position in reachable_positions() if not position.outcome()]
Moves = Callable[[Position], tuple[Square, ...]]

FIRST = """import time; began = time.perf_counter()
from bench.peers import PEERS, Position
PEERS[{name!r}]()(Position())
print(time.perf_counter() - began)"""

SOLVE = """import time
from engine.search import solve
began = time.perf_counter(); solve()
print(time.perf_counter() - began)"""


def measure() -> Figures:
    """Measure how fast each engine replies, and how well it plays, by its name."""
    peers = {name: make for name, make in PEERS.items() if is_here(make)}
    solving = [fresh(SOLVE) * 1000 for _ in range(rounds(11))]
    turns = [{n: fresh(FIRST.format(name=n)) for n in peers} for _ in range(rounds(9))]
    figures: Figures = {}
    for name, make in peers.items():
        player = make()
        player(Position())
        first = spread([one[name] for one in turns])
        later = spread([timed(player, position) for position in UNFINISHED[::10]])
        moves = best_moves if name == OURS else only(player)
        figures[name] = " | ".join((first, later, *strength(moves)))
    figures["engine.solve"] = solving
    if BESIDE in peers:
        figures["engine.beside"] = [one[OURS] / one[BESIDE] for one in turns]
    return figures


def is_here(make: Callable[[], Peer]) -> bool:
    """Return whether an engine is installed: `make bench` installs all."""
    try:
        make()
    except ImportError:
        return False
    return True


def fresh(script: str) -> float:
    """Run a script that prints seconds in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def timed(player: Peer, position: Position) -> float:
    began = time.perf_counter()
    player(position)
    return time.perf_counter() - began


def spread(seconds: Sequence[float]) -> str:
    """Return the median of times and between what they are, in µs or ms."""
    unit, factor = ("µs", 1e6) if median(seconds) < 1e-3 else ("ms", 1e3)
    return shown([time * factor for time in seconds], unit)


def strength(moves: Moves) -> tuple[str, ...]:
    """Return, exactly, the games lost, the chance to win against a random player, and speed."""
    lost = lines_lost(moves, "X") + lines_lost(moves, "O")
    chances = (str(chance_to_win(moves, mark)) for mark in OTHER)
    return str(lost), *chances, f"{fastest_wins(moves):.1%}".replace(".0%", "%")


def only(player: Peer) -> Moves:
    """Take a player's one move for each position, asked for once."""
    return cache(lambda position: (player(position),))


def lines_lost(moves: Moves, me: Mark) -> int:
    """Count the games that `me` loses over every reply of the opponent and every own choice."""

    @cache
    def lost(position: Position) -> int:
        if outcome := position.outcome():
            return outcome.winner not in (me, None)
        squares = moves(position) if position.turn == me else position.legal_moves()
        return sum(lost(position.play(square)) for square in squares)

    return lost(Position())


def chance_to_win(moves: Moves, me: Mark) -> Fraction:
    """Return how likely `me` wins where the opponent picks any move, all equally likely."""

    @cache
    def chance(position: Position) -> Fraction:
        if outcome := position.outcome():
            return Fraction(outcome.winner == me)
        squares = moves(position) if position.turn == me else position.legal_moves()
        return sum((chance(position.play(s)) for s in squares), Fraction()) / len(squares)

    return chance(Position())


def fastest_wins(moves: Moves) -> float:
    """Return the share of won positions in which the move wins as soon as can be."""
    won = [position for position in UNFINISHED if score(position) > 0]
    found = [
        all(analyze(position)[square] == score(position) for square in moves(position))
        for position in won
    ]
    return sum(found) / len(won)
