"""How the tests of both houses are run: `tests/` and `judge/tests/`."""

from __future__ import annotations

import gc
import os
from time import monotonic

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests import positions
from tools.browsers import PROGRAMS, absent, no_chromium

# Make says which directory it enters where another make has started it, as in `make test`.
for variable in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(variable, None)

BEGAN = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="try everything whole")


def pytest_configure(config: pytest.Config) -> None:
    """Let a slow machine take its time, and `make soak` try everything."""
    if why := no_chromium():
        raise pytest.UsageError(why)
    positions.all_images = config.getoption("--soak")
    examples = 1000 if config.getoption("--soak") else 100
    slow = [HealthCheck.too_slow]
    settings.register_profile(
        "ours", max_examples=examples, deadline=None, suppress_health_check=slow
    )
    settings.load_profile("ours")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to `make soak` what is its own, and what needs a program that is not here.

    `pytest_unconfigure` names the program.
    """
    missing = set(absent(PROGRAMS))

    def runs(item: pytest.Item) -> bool:
        soaks = item.get_closest_marker("soak") and not config.getoption("--soak")
        return not soaks and not missing & {one.args[0] for one in item.iter_markers("needs")}

    config.hook.pytest_deselected(items=[item for item in items if not runs(item)])
    items[:] = [item for item in items if runs(item)]


class OneBrowser(LoadScopeScheduling):
    """Give one worker all that looks at pages: one Chromium starts and not two."""

    def _split_scope(self, nodeid: str) -> str:
        looks = nodeid.startswith("tests/browser/") or nodeid.endswith("chromium]")
        return "browsers" if looks else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser | None:
    """Plan so where `make test` asks for scopes; `make soak` plans by what is left to do."""
    return OneBrowser(config, log) if config.getoption("dist") == "loadscope" else None


def pytest_collection_finish() -> None:
    """Look no more for garbage among what is there by now: that took 4 % of the tests' time."""
    gc.freeze()


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[BEGAN] = monotonic()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Say in one last line how many tests ran, how long, and what this machine lacks."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and BEGAN in config.stash:
        minutes, seconds = divmod(round(monotonic() - config.stash[BEGAN]), 60)
        ran = sum(len(reporter.stats.get(how, ())) for how in ("passed", "failed"))
        skipped = {report.longrepr[2] for report in reporter.stats.get("skipped", ())}
        reasons = sorted(reason.removeprefix("Skipped: ") for reason in skipped)
        lacks = ", ".join([*absent(PROGRAMS), *reasons]) or "nothing"
        print(f"{ran:,} tests in {minutes} min {seconds} s. This machine lacks {lacks}.")
