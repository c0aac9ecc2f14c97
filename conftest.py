"""Pytest settings for both test folders: `tests/` and `judge/tests/`."""

from __future__ import annotations

import gc
import os
from time import monotonic

import pytest
from hypothesis import HealthCheck, settings

from tests import positions
from tools.browsers import PROGRAMS, chromium_error, missing_names

# A test that runs make inherits these from `make test`; make then prints every folder it enters.
for variable in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(variable, None)

START_TIME = pytest.StashKey[float]()  # in seconds, as from `monotonic`


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run everything in full")


def pytest_configure(config: pytest.Config) -> None:
    """Give hypothesis no deadline, as machines may be slow, and more examples with --soak.

    Raises UsageError if the variable CHROMIUM names no program.
    """
    if error := chromium_error():
        raise pytest.UsageError(error)
    is_soak = config.getoption("--soak")
    positions.is_soak = is_soak
    settings.register_profile(
        "ours",
        max_examples=1000 if is_soak else 100,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("ours")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the `soak` tests unless run with --soak, and tests that need a missing program."""
    missing = set(missing_names(PROGRAMS))

    def can_run(item: pytest.Item) -> bool:
        is_left_to_soak = item.get_closest_marker("soak") and not config.getoption("--soak")
        needed = {marker.args[0] for marker in item.iter_markers("needs")}
        return not (is_left_to_soak or missing & needed)

    config.hook.pytest_deselected(items=[item for item in items if not can_run(item)])
    items[:] = [item for item in items if can_run(item)]


def pytest_xdist_auto_num_workers() -> int:
    """Return one process more than there are processors, as tests often wait; at most six."""
    return min((os.cpu_count() or 1) + 1, 6)


def pytest_collection_finish() -> None:
    """Make garbage collection rare, as it took 8% of the tests' time.

    What exists by now, such as imported modules, is never examined again.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[START_TIME] = monotonic()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Print how many tests ran, for how long, and what this machine lacks."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and START_TIME in config.stash:
        minutes, seconds = divmod(round(monotonic() - config.stash[START_TIME]), 60)
        test_count = sum(len(reporter.stats.get(key, ())) for key in ("passed", "failed"))
        skips = {report.longrepr[2] for report in reporter.stats.get("skipped", ())}
        reasons = sorted(reason.removeprefix("Skipped: ") for reason in skips)
        missing = ", ".join([*missing_names(PROGRAMS), *reasons]) or "nothing"
        print(f"{test_count:,} tests in {minutes} min {seconds} s. This machine lacks {missing}.")
