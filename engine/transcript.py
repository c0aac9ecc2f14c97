"""A search, step by step, as text: what `python -m engine BOARD --run` prints."""

from __future__ import annotations

from engine.position import OTHER, SQUARE_NAMES, Position
from engine.trace import Algorithm, Back, Cut, Enter, Path, Run, Step, run


def transcript(position: Position, algorithm: Algorithm) -> str:
    """Return every step of a search, a line each, indented by its level, and what it counts.

    It scores turns and takes the squares in order.
    Raises ValueError, with the reason, where no search is recorded: see `run`.
    """
    search = run(position, algorithm, "depth", "squares")
    lines = [
        f"{number:>3}  {'  ' * len(step.path)}{_told(search, step)}"
        for number, step in enumerate(search.steps, 1)
    ]
    counts = ", ".join(f"{name} {count}" for name, count in search.counts._asdict().items())
    sides = f"{position.turn} is MAX and takes the highest, {OTHER[position.turn]} MIN, the lowest."
    return "\n".join((sides, "", *lines, "", f"{algorithm.capitalize()}: {counts}."))


def _told(search: Run, step: Step) -> str:
    """Return what a step did."""
    at = search.position.after(step.path)
    move = f"{OTHER[at.turn]} {SQUARE_NAMES[step.path[-1]]}" if step.path else search.algorithm
    match step:
        case Enter(value=None):
            return f"{move}: {at.turn} to move, {_side(step.path)}"
        case Enter(value=value):
            outcome = at.outcome()
            ending = f"{outcome.winner} wins" if outcome and outcome.winner else "a draw"
            return f"{move}: {ending}, {value}"
        case Back(path=path, value=value, bound=bound, after=(best, alpha, beta)):
            came = f"{value}" if bound == "exact" else f"{bound} {value}"
            window = f", alpha {alpha}, beta {beta}" if search.algorithm == "alpha-beta" else ""
            return f"{move} returns {came}: {_side(path[:-1])} has {best}{window}"
        case Cut(path=path, rest=rest, best=best, against=against):
            left = ", ".join(SQUARE_NAMES[square] for square in rest)
            mine, other = _side(path), _side(path[:-1])
            return f"cut: {mine} has {best} here, {other} {against} already; not searched: {left}"
    return f"{move} returns {step.value}: {at.turn} plays {SQUARE_NAMES[search.move]}"


def _side(path: Path) -> str:
    return "MIN" if len(path) % 2 else "MAX"
