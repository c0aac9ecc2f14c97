"""A search to watch step by step: its state after a step, and the step that a click leads to."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from teach.scenes import Scene, scene_after
from teach.searches import ENTERED, RETURNED, Run, Step, StepKind, lines_of_step
from teach.trees import Path


class SearchState(NamedTuple):
    """A search after some steps."""

    step_count: int  # the number of steps done
    last_step: Step | None
    last_kind: StepKind | Literal["begin"]  # of the last step
    scene: Scene
    line_numbers: tuple[int, ...]  # of the lines of code that took the last step
    node_count: int  # nodes entered so far
    leaf_count: int  # leaves among them
    tied_moves: tuple[int, ...]  # moves at the root worth as much as the one chosen
    bounded_moves: tuple[int, ...]  # root moves for which only a bound is known
    # Where Skip leads: the next cutoff in the node in view, or the step that returns its value.
    skip_step: int


def state_after(run: Run, step_count: int) -> SearchState:
    """Return the state of a search after a number of steps."""
    last_step = run.steps[step_count - 1] if step_count else None
    kinds = [step.kind for step in run.steps[:step_count]]
    return SearchState(
        step_count=step_count,
        last_step=last_step,
        last_kind=last_step.kind if last_step else "begin",
        scene=scene_after(run, step_count),
        line_numbers=lines_of_step(run, last_step) if last_step else (),
        node_count=sum(kind in ENTERED for kind in kinds),
        leaf_count=kinds.count("leaf"),
        tied_moves=tied_moves(run),
        bounded_moves=bounded_moves(run),
        skip_step=skip_step(run, step_count, last_step.stack_top if last_step else ()),
    )


def bounded_moves(run: Run) -> tuple[int, ...]:
    """Return the root moves for which only a bound is known."""
    return tuple(step.path[0] for step in root_returns(run) if step.bound != "exact")


def tied_moves(run: Run) -> tuple[int, ...]:
    """Return the moves at the root that are worth as much as the one chosen."""
    return tuple(
        step.path[0]
        for step in root_returns(run)
        if step.path != (run.best_move,) and (step.value, step.bound) == (run.value, "exact")
    )


def root_returns(run: Run) -> list[Step]:
    """Return the steps in which the values of the root's children were returned, in order."""
    return [step for step in run.steps if step.kind in RETURNED and len(step.path) == 1]


# From step to step


def skip_step(run: Run, step: int, path: Path) -> int:
    """Return the number of the next step that is a cutoff in a node, or that returns its value."""
    end = node_steps(run)[path][1]
    return next((n for n in range(step + 1, end) if run.steps[n - 1].kind == "cut"), end)


@lru_cache(maxsize=256)
def node_steps(run: Run) -> dict[Path, tuple[int, int]]:
    """Return the numbers of the steps that enter each node and that return its value."""
    numbered = list(enumerate(run.steps, 1))
    entered = {step.path: number for number, step in numbered if step.kind in ENTERED}
    returned = {step.path: number for number, step in numbered if step.kind in (*RETURNED, "end")}
    return {path: (entered[path], returned[path]) for path in entered}


def press_steps(run: Run, step: int) -> dict[Path, int]:
    """Return the number of the step that a click on each searched node leads to.

    If the node has already returned its value, that is the step that returned it; otherwise it is
    the step that enters the node.
    """
    return {
        path: returned if returned < step else entered
        for path, (entered, returned) in node_steps(run).items()
    }
