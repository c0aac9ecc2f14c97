"""How much the bench measures: with `--short`, only enough to check that every section runs."""

from __future__ import annotations

is_short = False  # set by the command line


def amount(usual: int, short: int = 1) -> int:
    """Return how often or how long to measure: `usual`, or with `--short` only `short`."""
    return short if is_short else usual
