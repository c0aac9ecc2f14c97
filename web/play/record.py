"""What games leave to those after: squares held, games counted, and whether Perfect was beaten."""

from __future__ import annotations

from typing import NamedTuple


class Record(NamedTuple):
    """Hold what earlier games came to.

    Games against opponents who fill no squares, as Random, are `won` and `lost`; so many against
    Perfect were lost running, up to the last (`losing`). The squares `held` are bits of
    `web/play/squares.py`. Whoever has `beaten` Perfect did so from a board that was set up.
    """

    won: int = 0
    lost: int = 0
    losing: int = 0
    held: int = 0
    beaten: bool = False
