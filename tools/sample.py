"""Keep a seeded sample of cosmic-ray's mutations: python tools/sample.py session 100 1."""

from __future__ import annotations

import sys
from random import Random

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkResult


def main(session: str, size: str, seed: str, *paths: str) -> None:
    """Draw a sample of the pending mutations, and mark all others as skipped.

    The sample has `size` mutations, or all if there are fewer. If `paths` are given, it is drawn
    only from files whose path starts with one of them.
    """
    with use_db(session, WorkDB.Mode.open) as database:
        pending = {item.job_id: item.mutations[0] for item in database.pending_work_items}
        # Job ids are new in each session. Sorted by place and kind, the mutations always have the
        # same order, so that a seed always draws the same sample.
        candidates = sorted(
            (
                str(mutation.module_path),
                mutation.start_pos,
                mutation.operator_name,
                mutation.occurrence,
                job_id,
            )
            for job_id, mutation in pending.items()
            if not paths or str(mutation.module_path).startswith(paths)
        )
        sample = Random(int(seed)).sample(candidates, min(int(size), len(candidates)))
        skipped_ids = pending.keys() - {job_id for *_, job_id in sample}
        database.set_multiple_results(skipped_ids, WorkResult(WorkerOutcome.SKIPPED))
    print(f"{len(sample)} of {len(candidates)} mutations, seed {seed}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
