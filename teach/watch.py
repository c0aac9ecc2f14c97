"""A search watched step by step: what a step did, and where a press leads."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from teach.scenes import Scene, scene_after
from teach.searches import BACK, ENTERED, Run, Step, StepKind, lines
from teach.trees import Path


class SearchState(NamedTuple):
    """Hold a search after `step` steps, the last of which is `last`, done by the first of `lines`.

    `ties` are the moves that brought as much as the move settled on, and `bounded` those of which
    only a bound is known, which is no better. `skip` is the step in which the value of the node in
    view comes back, or a cut before.
    """

    step: int
    last: Step | None
    happening: StepKind | Literal["begin"]
    scene: Scene
    lines: tuple[int, ...]
    nodes: int
    ends: int
    ties: tuple[int, ...]
    bounded: tuple[int, ...]
    skip: int


def state_after(run: Run, step: int) -> SearchState:
    """Return what there is to see of a run after so many steps."""
    last = run.steps[step - 1] if step else None
    kinds = [done.kind for done in run.steps[:step]]
    return SearchState(
        step=step,
        last=last,
        happening=last.kind if last else "begin",
        scene=scene_after(run, step),
        lines=lines(run, last) if last else (),
        nodes=sum(kind in ENTERED for kind in kinds),
        ends=kinds.count("leaf"),
        ties=ties(run),
        bounded=bounded(run),
        skip=skip(run, step, last.here if last else ()),
    )


def bounded(run: Run) -> tuple[int, ...]:
    """Return the moves of the root with a cut below: no better than the move settled on."""
    return tuple(back.path[0] for back in moves(run) if back.bound != "exact")


def ties(run: Run) -> tuple[int, ...]:
    """Return the moves of the root that brought as much as the move settled on."""
    return tuple(
        back.path[0]
        for back in moves(run)
        if back.path != (run.move,) and (back.value, back.bound) == (run.value, "exact")
    )


def moves(run: Run) -> list[Step]:
    """Return the steps in which the values of the moves of the root came back, in their order."""
    return [step for step in run.steps if step.kind in BACK and len(step.path) == 1]


# From step to step


def skip(run: Run, step: int, here: Path) -> int:
    """Return the number of the next cut below `here`, else of the step that brings its value."""
    back = visits(run)[here][1]
    return next((n for n in range(step + 1, back) if run.steps[n - 1].kind == "cut"), back)


@lru_cache(maxsize=256)
def visits(run: Run) -> dict[Path, tuple[int, int]]:
    """Return how many steps are done once each node is entered, and once its value is back."""
    numbered = list(enumerate(run.steps, 1))
    entered = {step.path: number for number, step in numbered if step.kind in ENTERED}
    back = {step.path: number for number, step in numbered if step.kind in (*BACK, "end")}
    return {path: (entered[path], back[path]) for path in entered}


def presses(run: Run, step: int) -> dict[Path, int]:
    """Return the step that a press on each node leads to; none for a node never searched.

    The press leads to where the value came back, or, where that has just been, was entered. A node
    still searched, or yet to be, leads to where it is entered.
    """
    both = visits(run).items()
    return {path: back if back < step else entered for path, (entered, back) in both}
