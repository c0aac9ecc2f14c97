"""How much to measure: `--short` only checks that every section runs."""

is_short = False


def rounds(usual: int, short: int = 1) -> int:
    """Return the number of rounds: the usual one, or a few in the short form."""
    return short if is_short else usual
