"""A search to watch step by step: what the last step did, and where a press leads."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from teach.scenes import Scene, scene_after
from teach.searches import ENTERED, RETURNED, Run, Step, StepKind, lines_of_step
from teach.trees import Path


class SearchState(NamedTuple):
    """A search after some steps."""

    step: int  # the number of steps done
    last: Step | None
    happening: StepKind | Literal["begin"]
    scene: Scene
    lines: tuple[int, ...]  # of the code, that did the last step
    nodes: int  # entered so far
    ends: int  # leaves among them
    ties: tuple[int, ...]  # moves of the root worth as much as the one chosen
    bounded: tuple[int, ...]  # moves of which only a bound is known, which is no better
    skip: int  # the step that returns the value of the node in view, or a cutoff before


def state_after(run: Run, step: int) -> SearchState:
    """Return the state of a search after a number of steps."""
    last = run.steps[step - 1] if step else None
    kinds = [done.kind for done in run.steps[:step]]
    return SearchState(
        step=step,
        last=last,
        happening=last.kind if last else "begin",
        scene=scene_after(run, step),
        lines=lines_of_step(run, last) if last else (),
        nodes=sum(kind in ENTERED for kind in kinds),
        ends=kinds.count("leaf"),
        ties=ties(run),
        bounded=bounded(run),
        skip=skip(run, step, last.here if last else ()),
    )


def bounded(run: Run) -> tuple[int, ...]:
    """Return the moves of the root of which only a bound is known."""
    return tuple(back.path[0] for back in moves(run) if back.bound != "exact")


def ties(run: Run) -> tuple[int, ...]:
    """Return the moves of the root that are worth as much as the one chosen."""
    return tuple(
        back.path[0]
        for back in moves(run)
        if back.path != (run.move,) and (back.value, back.bound) == (run.value, "exact")
    )


def moves(run: Run) -> list[Step]:
    """Return the steps in which the values of the root's children were returned, in order."""
    return [step for step in run.steps if step.kind in RETURNED and len(step.path) == 1]


# From step to step


def skip(run: Run, step: int, here: Path) -> int:
    """Return the step of the next cutoff below `here`, or the step that returns its value."""
    back = visits(run)[here][1]
    return next((n for n in range(step + 1, back) if run.steps[n - 1].kind == "cut"), back)


@lru_cache(maxsize=256)
def visits(run: Run) -> dict[Path, tuple[int, int]]:
    """Return the numbers of the steps that enter each node and that return its value."""
    numbered = list(enumerate(run.steps, 1))
    entered = {step.path: number for number, step in numbered if step.kind in ENTERED}
    back = {step.path: number for number, step in numbered if step.kind in (*RETURNED, "end")}
    return {path: (entered[path], back[path]) for path in entered}


def presses(run: Run, step: int) -> dict[Path, int]:
    """Return the step that a press on each searched node leads to.

    That step returns the node's value if it is past; otherwise it enters the node.
    """
    both = visits(run).items()
    return {path: back if back < step else entered for path, (entered, back) in both}
