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
    line_numbers: tuple[int, ...]  # of the lines of code that carried out the last step
    node_count: int  # nodes entered so far
    leaf_count: int  # leaves among them
    tied_moves: tuple[int, ...]  # root moves worth as much as the one chosen
    bounded_moves: tuple[int, ...]  # root moves for which only a bound is known
    skip_step: int  # the step that Skip leads to; see `skip_step`


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
    """Return the root moves that are worth as much as the one chosen."""
    return tuple(
        step.path[0]
        for step in root_returns(run)
        if step.path != (run.best_move,) and (step.value, step.bound) == (run.value, "exact")
    )


def root_returns(run: Run) -> list[Step]:
    """Return the steps in which the values of the root's children were returned, in order."""
    return [step for step in run.steps if step.kind in RETURNED and len(step.path) == 1]


# From step to step


def skip_step(run: Run, step_count: int, path: Path) -> int:
    """Return the number of the next cutoff in a node or below it.

    If there is none before the node returns its value, return the number of the step that does so.
    """
    _, return_number = node_steps(run)[path]
    later_numbers = range(step_count + 1, return_number)
    cutoff_numbers = (number for number in later_numbers if run.steps[number - 1].kind == "cut")
    return next(cutoff_numbers, return_number)


@lru_cache(maxsize=256)
def node_steps(run: Run) -> dict[Path, tuple[int, int]]:
    """Return the numbers of the steps that enter each node and that return its value."""
    entry_numbers, return_numbers = dict[Path, int](), dict[Path, int]()
    for number, step in enumerate(run.steps, 1):
        if step.kind in ENTERED:
            entry_numbers[step.path] = number
        if step.kind in RETURNED or step.kind == "end":
            return_numbers[step.path] = number
    return {path: (entry_numbers[path], return_numbers[path]) for path in entry_numbers}


def press_steps(run: Run, step_count: int) -> dict[Path, int]:
    """Return the number of the step that a click on each searched node leads to.

    If the node has already returned its value, that is the step that returned it; otherwise it is
    the step that enters the node.
    """
    return {
        path: return_number if return_number < step_count else entry_number
        for path, (entry_number, return_number) in node_steps(run).items()
    }
