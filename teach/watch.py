"""A search watched step by step: what a step did, what may be asked, and where a press leads."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from teach.scenes import Scene, scene_after
from teach.searches import BACK, ENTERED, Form, Kind, Run, Step, lines
from teach.trees import Path

MOST_ANSWERS = 4  # in a row on a phone, beside Show me

Rating = Literal["right", "took", "kept", "neither", "is cut", "is searched", "later", "lower"]


class Shown(NamedTuple):
    """Hold a search after `step` steps, the last of which is `last`, done by the first of `lines`.

    `ties` are the moves that brought as much as the move settled on, and `bounded` those of which
    only a bound is known, which is no better. `skip` is the step in which the value of the node in
    view comes back, or a cut before.
    """

    step: int
    last: Step | None
    happening: Kind | Literal["begin"]
    scene: Scene
    lines: tuple[int, ...]
    nodes: int
    ends: int
    ties: tuple[int, ...]
    bounded: tuple[int, ...]
    skip: int


def shown(run: Run, step: int, form: Form = "one") -> Shown:
    """Return what there is to see of a run after so many steps."""
    last = run.steps[step - 1] if step else None
    kinds = [done.kind for done in run.steps[:step]]
    return Shown(
        step=step,
        last=last,
        happening=last.kind if last else "begin",
        scene=scene_after(run, step),
        lines=lines(run, last, form) if last else (),
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


# Predict


class Prediction(NamedTuple):
    """Hold a question about the coming `step`: each answer there is, and the right one.

    `best`: the parent's best once a value has come back ·
    `cut`: whether the squares that are the `rest` of a node are searched · `move`: which is played.
    """

    about: Literal["best", "cut", "move"]
    step: Step
    answers: tuple[str, ...]
    right: str
    rest: tuple[int, ...] = ()


def prediction(run: Run, done: int) -> Prediction | None:
    """Return what to ask after so many steps: before a value returns and where there may be a cut.

    None where there is nothing to foretell.
    """
    if done == len(run.steps):
        return None
    step = run.steps[done]
    if step.kind in BACK:
        answers = tuple(f"{end:.0f}" for end in sorted(offered(run, step)))
        return Prediction("best", step, answers, f"{step.after.best:.0f}")
    if step.kind == "cut":
        return Prediction("cut", step, ("searched", "cut"), "cut", step.rest)
    if step.kind == "end":
        squares = tuple(str(child.path[0]) for child in run.root.below)
        return Prediction("move", step, squares, str(run.move))
    if run.algorithm == "alpha-beta" and done and run.steps[done - 1].kind in BACK:
        order = [child.path for child in run.root.at(step.path[:-1]).below]
        rest = tuple(path[-1] for path in order[order.index(step.path) :])
        return Prediction("cut", step, ("searched", "cut"), "searched", rest)
    return None


def offered(run: Run, step: Step) -> set[float]:
    """Return the values to choose from: those that leaves have, of many the nearest."""
    ends = {each.value for each in run.steps if each.kind == "leaf"}
    near = sorted(ends, key=lambda end: (abs(end - step.after.best), end))
    return {step.value, *near[: MOST_ANSWERS - 1]} | ({step.before.best} & ends)


def judge_answer(run: Run, asked: Prediction, answer: str | None) -> Rating | None:
    """Say of an answer that it is right, or in which way it is wrong; None of none.

    Wrong is to have `took` the value that came back though the best before is better, or `kept` the
    best before though it is worse; `neither` is any other value. A wrong move has a `lower` value,
    or the same, but found `later`.
    """
    if answer is None:
        return None
    if answer == asked.right:
        return "right"
    step = asked.step
    if asked.about == "best":
        wrong: dict[float, Rating] = {step.value: "took", step.before.best: "kept"}
        return wrong.get(float(answer), "neither")
    if asked.about == "cut":
        return "is cut" if asked.right == "cut" else "is searched"
    return "later" if brought(run, answer).value == run.value else "lower"


def brought(run: Run, square: str) -> Step:
    """Return the step in which the value of a move of the root came back."""
    return next(back for back in moves(run) if back.path == (int(square),))
