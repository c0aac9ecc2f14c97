"""Keep a seeded sample of cosmic-ray's changes: python tools/sample.py session 100 1."""

from __future__ import annotations

import sys
from random import Random

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkResult


def main(session: str, size: str, seed: str, *rooms: str) -> None:
    """Skip all pending changes except a sample of `size` from those in `rooms`, by default all."""
    with use_db(session, WorkDB.Mode.open) as database:
        pending = {item.job_id: item.mutations[0] for item in database.pending_work_items}
        # Job ids differ each time; the place and kind of a change do not.
        changes = sorted(
            (str(made.module_path), made.start_pos, made.operator_name, made.occurrence, job)
            for job, made in pending.items()
            if str(made.module_path).startswith(rooms or "")
        )
        drawn = Random(int(seed)).sample(changes, min(int(size), len(changes)))
        skipped = pending.keys() - {job for *_, job in drawn}
        database.set_multiple_results(skipped, WorkResult(WorkerOutcome.SKIPPED))
    print(f"{len(drawn)} of {len(changes)} changes, seed {seed}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
