"""How fast the engine replies and how well it plays, compared with other engines."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from statistics import median

from bench.effort import amount
from bench.peers import ENGINES, OURS, REFERENCE, Engine
from bench.rows import Figures, format_figure
from engine.position import Mark, O, Position, Square, X
from engine.search import analyze, best_moves, score
from engine.symmetry import reachable_positions

UNFINISHED_POSITIONS = [position for position in reachable_positions() if not position.outcome()]
# The moves that an engine chooses from in a position.
MovesOf = Callable[[Position], tuple[Square, ...]]

# These scripts run in new processes and print how many seconds they took.
FIRST_REPLY_SCRIPT = """import time; start_time = time.perf_counter()
from bench.peers import ENGINES, Position
ENGINES[{name!r}]()(Position())
print(time.perf_counter() - start_time)"""
SOLVE_SCRIPT = """import time
from engine.search import solve
start_time = time.perf_counter(); solve()
print(time.perf_counter() - start_time)"""


def measure_engines() -> Figures:
    """Measure the speed and strength of each engine, and how fast ours solves the game."""
    set_ups = {name: set_up for name, set_up in ENGINES.items() if is_installed(set_up)}
    solve_times = [run_timed(SOLVE_SCRIPT) * 1000 for _ in range(amount(11))]
    scripts = {name: FIRST_REPLY_SCRIPT.format(name=name) for name in set_ups}
    first_replies = [{name: run_timed(scripts[name]) for name in scripts} for _ in range(amount(9))]
    figures: Figures = {}
    for name, set_up in set_ups.items():
        engine = set_up()
        engine(Position())  # so that what it prepares for its first reply is not measured again
        first_cell = format_times([seconds[name] for seconds in first_replies])
        later_cell = format_times(
            [reply_time(engine, board) for board in UNFINISHED_POSITIONS[::10]]
        )
        moves_of = best_moves if name == OURS else memoize(engine)
        figures[name] = " | ".join((first_cell, later_cell, *strength(moves_of)))
    figures["engine.solve"] = solve_times
    if REFERENCE in set_ups:
        figures["engine.beside"] = [seconds[OURS] / seconds[REFERENCE] for seconds in first_replies]
    return figures


def is_installed(set_up: Callable[[], Engine]) -> bool:
    """Return whether the package of an engine is installed, as it is by `make bench`."""
    try:
        set_up()
    except ImportError:
        return False
    return True


def run_timed(script: str) -> float:
    """Run a script in a new process, and return the seconds that it prints."""
    result = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return float(result.stdout)


def reply_time(engine: Engine, position: Position) -> float:
    """Let an engine reply, and return the seconds that it took."""
    start_time = time.perf_counter()
    engine(position)
    return time.perf_counter() - start_time


def format_times(seconds: Sequence[float]) -> str:
    """Return the median of some times with the lowest and the highest, in µs or ms."""
    unit, factor = ("µs", 1e6) if median(seconds) < 1e-3 else ("ms", 1e3)
    return format_figure([value * factor for value in seconds], unit)


def strength(moves_of: MovesOf) -> tuple[str, ...]:
    """Return how well an engine plays, as the last four cells of its row in the table.

    These are the games that it loses, its chances of beating a random player as X and as O, and how
    often it wins as fast as possible. They are computed exactly, not measured.
    """
    lost_count = count_lost_games(moves_of, X) + count_lost_games(moves_of, O)
    chances = (str(chance_to_win(moves_of, mark)) for mark in (X, O))
    return str(lost_count), *chances, f"{fastest_win_share(moves_of):.1%}".replace(".0%", "%")


def memoize(engine: Engine) -> MovesOf:
    """Return a function that gives an engine's one move in a position, computed only once."""
    return cache(lambda position: (engine(position),))


def count_lost_games(moves_of: MovesOf, side: Mark) -> int:
    """Return how many games an engine loses as `side`, over all replies and its own choices."""

    @cache
    def losses_from(position: Position) -> int:
        if outcome := position.outcome():
            return outcome.winner not in (side, None)
        squares = moves_of(position) if position.turn == side else position.legal_moves()
        return sum(losses_from(position.play(square)) for square in squares)

    return losses_from(Position())


def chance_to_win(moves_of: MovesOf, side: Mark) -> Fraction:
    """Return the chance that an engine wins as `side` if its opponent plays at random."""

    @cache
    def chance(position: Position) -> Fraction:
        if outcome := position.outcome():
            return Fraction(outcome.winner == side)
        squares = moves_of(position) if position.turn == side else position.legal_moves()
        return sum((chance(position.play(s)) for s in squares), Fraction()) / len(squares)

    return chance(Position())


def fastest_win_share(moves_of: MovesOf) -> float:
    """Return the share of won positions in which an engine wins as soon as possible."""
    won_positions = [position for position in UNFINISHED_POSITIONS if score(position) > 0]
    fastest_count = sum(
        all(analyze(position)[square] == score(position) for square in moves_of(position))
        for position in won_positions
    )
    return fastest_count / len(won_positions)
