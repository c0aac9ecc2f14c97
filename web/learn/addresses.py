"""What an address may say, for the list that teachers get: as the pages read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from teach.practice import lots
from teach.practice.rounds import NUMBERS
from web.study.own import BRANCHES, LEVELS, TOPS
from web.study.place import VIEWS
from web.study.search_view import CHOICES, MIRRORS

# By the name, each value there is, and whether it is meant where nothing is said.
Offered = Mapping[str, list[tuple[str, bool]]]


def _with_usual(values: Iterable[object], usual: object) -> list[tuple[str, bool]]:
    return [(str(value), value == usual) for value in values if value is not None]


OFFERED: Offered = {
    **{name: _with_usual(values, values[0]) for name, values in CHOICES.items()},
    "top": _with_usual(TOPS, TOPS[0]),
    "mirrors": _with_usual(MIRRORS, MIRRORS[0]),
    "counts": _with_usual(["on"], None),
    "view": _with_usual(VIEWS, None),
    "levels": _with_usual(lots.LEVELS, LEVELS),
    "branches": _with_usual(lots.BRANCHES, BRANCHES),
}
SEEDS, ROUNDS = lots.SEEDS - 1, NUMBERS - 1  # the last of each
