"""Keep a seeded sample of cosmic-ray's mutations: python tools/sample.py session 100 1."""

from __future__ import annotations

import sys
from random import Random

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkResult


def main(session: str, size: str, seed: str, *paths: str) -> None:
    """Skip all pending mutations except a sample of `size` from those in `paths`, default all."""
    with use_db(session, WorkDB.Mode.open) as database:
        pending = {item.job_id: item.mutations[0] for item in database.pending_work_items}
        # Job ids differ each time; the place and kind of a mutation do not.
        mutations = sorted(
            (
                str(mutation.module_path),
                mutation.start_pos,
                mutation.operator_name,
                mutation.occurrence,
                job,
            )
            for job, mutation in pending.items()
            if str(mutation.module_path).startswith(paths or "")
        )
        sample = Random(int(seed)).sample(mutations, min(int(size), len(mutations)))
        skipped = pending.keys() - {job for *_, job in sample}
        database.set_multiple_results(skipped, WorkResult(WorkerOutcome.SKIPPED))
    print(f"{len(sample)} of {len(mutations)} mutations, seed {seed}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
