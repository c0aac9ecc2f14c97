"""Fixtures for all tests of the judge: short waits, and functions compared on fewer boards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge.tests.support import ALL_POSITIONS, comparing_on
from tests.positions import sample


@pytest.fixture(autouse=True)
def short_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.players.SILENCE", 0.3)
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)  # it slows every start


@pytest.fixture(autouse=True, scope="module")
def few_boards() -> Iterator[None]:
    """Compare functions on a tenth of all boards, or on all of them in `make soak`."""
    with comparing_on(sample(10, ALL_POSITIONS)):
        yield
