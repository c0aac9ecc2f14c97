"""Pytest settings for both test folders: `tests/` and `judge/tests/`."""

from __future__ import annotations

import gc
import os
from time import monotonic

import pytest
from hypothesis import HealthCheck, settings

from tests import positions
from tools.browsers import PROGRAMS, chromium_error, missing_programs

# Otherwise a make run by a test, itself run by `make test`, prints the directories it enters.
for variable in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(variable, None)

STARTED = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run everything in full")


def pytest_configure(config: pytest.Config) -> None:
    """Set no deadline for slow machines, and try everything in `make soak`."""
    if error := chromium_error():
        raise pytest.UsageError(error)
    positions.is_soak = config.getoption("--soak")
    examples = 1000 if config.getoption("--soak") else 100
    slow = [HealthCheck.too_slow]
    settings.register_profile(
        "ours", max_examples=examples, deadline=None, suppress_health_check=slow
    )
    settings.load_profile("ours")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect `soak` tests unless run with --soak, and tests that need a missing program."""
    missing = set(missing_programs(PROGRAMS))

    def runs(item: pytest.Item) -> bool:
        is_left_to_soak = item.get_closest_marker("soak") and not config.getoption("--soak")
        needed = {marker.args[0] for marker in item.iter_markers("needs")}
        return not (is_left_to_soak or missing & needed)

    config.hook.pytest_deselected(items=[item for item in items if not runs(item)])
    items[:] = [item for item in items if runs(item)]


def pytest_xdist_auto_num_workers() -> int:
    """Return one process more than there are processors, because tests also wait; at most six."""
    return min((os.cpu_count() or 1) + 1, 6)


def pytest_collection_finish() -> None:
    """Collect garbage more rarely, and never what exists now: it took 8% of the tests' time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[STARTED] = monotonic()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Print a last line: how many tests ran, for how long, and what this machine lacks."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and STARTED in config.stash:
        minutes, seconds = divmod(round(monotonic() - config.stash[STARTED]), 60)
        ran = sum(len(reporter.stats.get(outcome, ())) for outcome in ("passed", "failed"))
        skipped = {report.longrepr[2] for report in reporter.stats.get("skipped", ())}
        reasons = sorted(reason.removeprefix("Skipped: ") for reason in skipped)
        lacks = ", ".join([*missing_programs(PROGRAMS), *reasons]) or "nothing"
        print(f"{ran:,} tests in {minutes} min {seconds} s. This machine lacks {lacks}.")
