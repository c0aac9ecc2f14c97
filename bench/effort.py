"""How much is measured: `--short` only shows that every section runs."""

is_short = False


def rounds(usual: int, short: int = 1) -> int:
    """Return the usual number of rounds; a few in the short form."""
    return short if is_short else usual
