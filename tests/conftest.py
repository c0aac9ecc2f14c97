"""What the tests of the web side share."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable
from functools import partial
from random import Random
from time import monotonic
from typing import Any

import pytest
from flask import Flask
from flask.templating import Environment
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.test import TestResponse
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from app import create_app
from tests import positions
from tests.html import Tag
from tests.pages import NOW
from tools.browsers import PROGRAMS, absent, no_chromium
from web.play.cookie import from_dict
from web.play.game import Game
from web.play.record import Record

# Make says which directory it enters where another make has started it, as in `make test`.
for variable in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(variable, None)

KEY = "only for tests" * 5
HTMX = {"HX-Request": "true"}
CELLS = [f"cell-{square}" for square in range(9)]
Resume = Callable[..., None]
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


class Compiled(BytecodeCache):
    """Keep the code that templates compile to."""

    def __init__(self) -> None:
        self.code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.code:
            bucket.bytecode_from_string(self.code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.code[bucket.key] = bucket.bytecode_to_string()


# For every application: to compile all templates takes 0.9 s.
Flask.jinja_environment = staticmethod(  # type: ignore[assignment]
    partial(Environment, bytecode_cache=Compiled())
)


class Scripted(Random):
    """Take the choice that a test asks for, and remember what there was to choose from."""

    pick = 0
    offered: tuple[int, ...] = ()

    def choice(self, seq: Any) -> Any:
        self.offered = tuple(seq)
        return seq[self.pick]


@pytest.fixture(scope="session")
def rng() -> Scripted:
    return Scripted()


@pytest.fixture(scope="session")
def app(rng: Scripted) -> Flask:
    return create_app({"TESTING": True, "SECRET_KEY": KEY, "NOW": lambda: NOW}, rng)


@pytest.fixture
def client(app: Flask, rng: Scripted) -> FlaskClient:
    rng.pick = 0
    return app.test_client()


@pytest.fixture
def resume(client: FlaskClient) -> Resume:
    """Put a game into the client's session."""

    def put(moves: str, opponent: str = "random", human: str = "X", **more: Any) -> None:
        """The record is given by its fields, such as `earned`."""
        record = Record(**{name: more.pop(name) for name in Record._fields if name in more})
        played = {"moves": moves, "opponent": opponent, "human": human, "set_up": 0}
        rest = {"helped": "", "link": 0, "was": None, "before": None}
        if left := more.get("unfinished"):
            more["unfinished"] = rest | left
        kept = {"version": 3, "hint": "off", "record": list(record), "unfinished": None}
        with client.session_transaction() as session:
            session["game"] = played | rest | kept | more

    return put


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever opens a page of Study have played the game there."""
    monkeypatch.setattr("web.study.routes.has_played", lambda *_: True)


def game_of(client: FlaskClient) -> Game:
    """Return the game in the client's session; a new one where there is none."""
    with client.session_transaction() as session:
        return from_dict(session["game"]) if "game" in session else Game()


def parse(response: TestResponse) -> Tag:
    return Tag.parse(response.text)


def text_of(tag: Tag | None) -> str:
    assert tag
    return re.sub(" (?=[.,:])", "", " ".join(tag.get_text(" ").split()))


def board_of(soup: Tag) -> str:
    """Return the board a page shows, as the nine characters of a position."""
    marks = {cell["id"]: str(cell["data-mark"]) for cell in soup.select("#board .cell")}
    return "".join(marks[cell] or "-" for cell in CELLS)


def status_of(soup: Tag) -> str:
    status = soup.select("#status")
    assert len(status) == 1
    return status[0].get_text()
