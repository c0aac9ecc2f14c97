"""How fast the engine replies and how well it plays, beside its peers."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from statistics import median

from bench.peers import PEERS, Peer
from engine.position import Mark, Position, Square
from engine.search import analyse, best_moves, score
from engine.symmetry import reachable

UNFINISHED = [position for position in reachable() if not position.outcome()]
Moves = Callable[[Position], tuple[Square, ...]]

FIRST = """import time; began = time.perf_counter()
from bench.peers import PEERS, Position
PEERS[{name!r}]()(Position())
print(time.perf_counter() - began)"""

SOLVE = """import time
from engine.search import solve
began = time.perf_counter(); solve()
print(time.perf_counter() - began)"""


def speed() -> None:
    """Print the time of the first reply in a fresh process, and of later ones."""
    print("\nEngine: time to reply, median (lowest to highest)\n")
    solving = sorted(fresh(SOLVE) for _ in range(11))
    print(f"solving everything: {spread(solving)}, of 11 fresh processes, at most 25 ms\n")
    rounds = [{name: fresh(FIRST.format(name=name)) for name in PEERS} for _ in range(9)]
    print(f"{'':24} {'first, fresh process':>32} {'later':>30}")
    for name, make in PEERS.items():
        player = make()
        player(Position())
        first = sorted(one[name] for one in rounds)
        later = sorted(timed(player, position) for position in UNFINISHED[::10])
        print(f"{name:24} {spread(first):>32} {spread(later):>30}")
    print(f"\nfirst: by turns; later: each of {len(UNFINISHED[::10])} positions once")
    ratios = sorted(one["ours"] / one["OpenSpiel alpha-beta"] for one in rounds)
    low, *_, high = ratios
    between = f"{median(ratios):.2f} ({low:.2f} to {high:.2f})"
    print(f"our first reply beside OpenSpiel's by alpha-beta: {between}, at most 0.7")


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


def spread(seconds: list[float]) -> str:
    """Write a sorted list of times with units."""
    unit, factor = ("µs", 1e6) if median(seconds) < 1e-3 else ("ms", 1e3)
    low, middle, high = (
        f"{t * factor:,.{0 if t * factor >= 100 else 1}f}"
        for t in (seconds[0], median(seconds), seconds[-1])
    )
    return f"{middle} {unit} ({low} to {high})"


def strength() -> None:
    """Print, exactly, how each player fares against every line of play and against chance."""
    print("\nEngine: strength, exact\n")
    print(f"{'':24} {'lines lost':>10} {'wins first':>12} {'wins second':>12} {'fastest win':>12}")
    for name, make in PEERS.items():
        moves = best_moves if name == "ours" else only(make())
        lost = lines_lost(moves, "X") + lines_lost(moves, "O")
        first, second = chance_to_win(moves, "X"), chance_to_win(moves, "O")
        fastest = fastest_wins(moves)
        print(f"{name:24} {lost:>10} {first!s:>12} {second!s:>12} {fastest:>12.2%}")
    print("\nwins: chance against an opponent at random")


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
        all(analyse(position)[square] == score(position) for square in moves(position))
        for position in won
    ]
    return sum(found) / len(won)
