"""How much to measure: `--short` only checks that every section runs."""

is_short = False


def amount(usual: int, short: int = 1) -> int:
    """Return how much to measure: the usual amount, or less in the short form."""
    return short if is_short else usual
