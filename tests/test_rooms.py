"""Rooms: which module or template imports which, without a cycle."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
FLOORS = ("engine", "teach", "judge", "web")  # each asks those before it, none after
ASKED_TEMPLATE = re.compile(r"""\{% (?:extends|import|include|from) "(\w+)/""")


def asked_by(source: str) -> Iterator[str]:
    """Yield the name of each module that a module imports, and of each thing from there."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(module: str) -> str:
    """Return the room of a module: a folder such as `web.play`, or a module as `teach.trees`."""
    return ".".join(module.split(".")[:2])


@cache
def arrows() -> Mapping[str, set[str]]:
    """Return the rooms that each room asks; a room's templates belong to it."""
    found = defaultdict[str, set[str]](set)
    for path in (path for floor in FLOORS for path in (ROOT / floor).rglob("*.py")):
        if "tests" in path.relative_to(ROOT).parts:
            continue
        room = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        found[room] |= {room_of(name) for name in asked_by(path.read_text())} - {room}
    for path in (ROOT / "templates").rglob("*.html"):
        room = f"web.{path.parent.name}"
        found[room] |= {f"web.{name}" for name in ASKED_TEMPLATE.findall(path.read_text())} - {room}
    return {room: {to for to in asked if to in found} for room, asked in found.items()}


def test_packages_do_not_import_each_other() -> None:
    TopologicalSorter(arrows()).prepare()  # or CycleError, which names them


def test_imports_between_layers_run_one_way() -> None:
    for room, asked in arrows().items():
        floor = FLOORS.index(room.partition(".")[0])
        assert all(FLOORS.index(to.partition(".")[0]) <= floor for to in asked), room


def test_shared_code_imports_no_page() -> None:
    for room, may_import in (("web.http", set()), ("web.view", {"web.http"})):
        assert {to for to in arrows()[room] if to.startswith("web.")} <= may_import, room


def test_the_judge_imports_only_the_engine_and_nothing_imports_it() -> None:
    asked = {to for room, of in arrows().items() if room.startswith("judge.") for to in of}
    assert all(to.startswith(("engine.", "judge.")) for to in asked)
    asking = {room for room, of in arrows().items() if any(to.startswith("judge.") for to in of)}
    assert {room for room in asking if not room.startswith("judge.")} == set()
