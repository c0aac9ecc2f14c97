"""Change the code in one place at a time and see that a test fails: cosmic-ray, room by room.

    python tools/mutants.py [ROOM ...]

mutants.toml says which tests belong to which room; survivors.txt says how many changes no test can
notice, by room, and why. Exits with 1 if more survive.
"""

from __future__ import annotations

import ast
import os
import resource
import shutil
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ProcessPoolExecutor
from glob import glob
from pathlib import Path
from random import Random

from cosmic_ray.commands import execute, init
from cosmic_ray.config import load_config
from cosmic_ray.testing import run_tests
from cosmic_ray.tools.filters.operators_filter import OperatorsFilter
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkItem, WorkResult

ROOT = Path(__file__).resolve().parent.parent
CONFIG = f"{ROOT}/tools/mutants.toml"
ROOMS = tomllib.loads(Path(CONFIG).read_text())["rooms"]
LISTED = {  # by room, how many may survive: the lines that are neither indented nor a comment
    room: int(count)
    for line in Path(ROOT, "tools/survivors.txt").read_text().splitlines()
    if line and line[0] not in " #"
    for room, count in [line.split()]
}

PROCESSES = 2  # each has a room and a copy of the tree to itself
HOUR = 3600  # a room whose mutants would keep all processes busy for longer is sampled
SAMPLE, SEED = 150, 1
MEMOS = ("cache", "lru_cache")

# What makes the tests run on for ever is noticed by the processor time they take. By the clock, on
# a busy machine, 20 of 49 changes that no test had noticed yet passed for such.
LIMITED = "sh -c '(ulimit -t {}; exec {}) || {{ [ $? -lt 128 ] || echo out of time; false; }}'"


def main(rooms: list[str]) -> bool:
    """Try the mutants of each room, of all if none is named; say whether few enough survive."""
    os.chdir(ROOT)
    code = [
        "app.py",
        *(
            file
            for room in ("engine", "teach", "web")
            for file in glob(f"{room}/**/*.py", recursive=True)
        ),
    ]
    if homeless := {file for file in code if os.path.getsize(file)} - ROOMS.keys():
        sys.exit(f"mutants.toml does not say which tests belong to {', '.join(sorted(homeless))}")
    with ProcessPoolExecutor(PROCESSES) as pool:
        return all(list(pool.map(try_room, rooms or ROOMS)))


def try_room(room: str) -> bool:
    """Try the mutants of a room in a copy of the tree, so that none gets into the checkout.

    Prints what was tried, how long it took and what survives; says whether no more than listed.
    """
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT, f"{folder}/tree", ignore=shutil.ignore_patterns(".*", "__pycache__"))
        os.chdir(f"{folder}/tree")
        config = load_config(CONFIG)
        config["test-command"] = f"{sys.executable} {config['test-command']} {ROOMS[room]}"
        started, used = time.monotonic(), processor_time()
        outcome, output = run_tests(config["test-command"], HOUR)
        if outcome != TestOutcome.SURVIVED:
            sys.exit(f"{ROOMS[room]} fails before anything is changed:\n{output}")
        seconds = processor_time() - used
        config["test-command"] = LIMITED.format(round(5 + 3 * seconds), config["test-command"])
        config["timeout"] = 60 + 30 * seconds  # by the clock, for what waits for ever
        with use_db(f"{folder}/session") as database:
            init([Path(room)], database, {})
            OperatorsFilter().main([f"{folder}/session", CONFIG])
            # Most are noticed long before the last test: on average a change takes half of them.
            choose(Path(room), database, HOUR * PROCESSES / (seconds / 2))
            execute(database, config)
            return report(room, database, time.monotonic() - started)


def processor_time() -> float:
    """Return the seconds that what this process has started kept a processor busy."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def choose(room: Path, database: WorkDB, most: float) -> None:
    """Skip what only changes an annotation, or a memo, which saves time and no more.

    If more than `most` are left, try a sample of them.
    """
    nodes = list(ast.walk(ast.parse(room.read_text())))
    notes = [getattr(node, field, None) for node in nodes for field in ("annotation", "returns")]
    used = [decorator for node in nodes for decorator in getattr(node, "decorator_list", [])]
    notes += [one for one in used if ast.unparse(one).partition("(")[0] in MEMOS]
    # A decorator begins with its @.
    spans = [((n.lineno, n.col_offset - 1), (n.end_lineno, n.end_col_offset)) for n in notes if n]
    pending = {item.job_id: item.mutations[0] for item in database.pending_work_items}
    chosen = sorted(
        (one.start_pos, one.operator_name, one.occurrence, job)
        for job, one in pending.items()
        if not any(start <= one.start_pos < end for start, end in spans)
    )
    print(f"{room}: {len(chosen)} mutants", flush=True)
    if len(chosen) > most:
        chosen = Random(SEED).sample(chosen, SAMPLE)
        print(f"{room}: only a sample of {SAMPLE} of them, with seed {SEED}", flush=True)
    skipped = pending.keys() - {job for *_, job in chosen}
    database.set_multiple_results(skipped, WorkResult(WorkerOutcome.SKIPPED))


def report(room: str, database: WorkDB, seconds: float) -> bool:
    """Print how many were noticed, and which were not; say whether no more than listed."""
    results = [one for one in database.completed_work_items if one[1].test_outcome]
    survivors = {named(*one) for one in results if one[1].test_outcome == TestOutcome.SURVIVED}
    timeouts = sum(result.output.endswith(("timeout", "out of time\n")) for _, result in results)
    print(
        f"{room}: tried {len(results)} in {seconds / 60:.0f} min; {timeouts} ran out of time,"
        f" {len(survivors)} survive, {LISTED.get(room, 0)} are listed",
        *sorted(survivors),
        sep="\n\n",
        flush=True,
    )
    return len(survivors) <= LISTED.get(room, 0)


def named(item: WorkItem, result: WorkResult) -> str:
    """Name a change by what it changes: unlike a line's number, no edit elsewhere moves that."""
    where = f"{item.mutations[0].module_path} {item.mutations[0].definition_name or ''}".strip()
    lines = [f"{x[0]} {x[1:].strip()}" for x in result.diff.splitlines()[4:] if x[0] in "-+"]
    return "\n".join([where, *(line for line in lines if line[2:])])


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1:]))
