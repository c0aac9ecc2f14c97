"""How much is done: `--short` shows that every part runs, not how fast anything is."""

is_short = False


def rounds(usual: int, short: int = 1) -> int:
    """Return the usual number of rounds; a few in the short form."""
    return short if is_short else usual
