"""What the page of a run shows after a step: what was done, what is asked, what has changed."""

from __future__ import annotations

from math import isinf
from typing import Literal, NamedTuple

from engine.position import Position, Square
from teach.counts import counts
from teach.searches import (
    ALGORITHMS,
    MOST_EMPTY,
    Algorithm,
    Back,
    Counts,
    Cut,
    Enter,
    Frame,
    Path,
    Return,
    Run,
    Step,
    code,
    line,
    ordered,
    state_after,
)
from teach.trees import TreeNode, run_tree

Happening = Literal[
    "begin", "enter", "leaf", "first", "better", "as good", "no better", "cut", "end"
]
Judgement = Literal["right", "took", "kept", "neither", "is cut", "is searched", "later", "lower"]


def happening(step: Step | None) -> Happening:
    """Say what a step did, as far as it takes another sentence to tell; None is before the first.

    A value that came back is the `first` for its parent, or `better`, `as good` or `no better`
    than the best before.
    """
    match step:
        case None:
            return "begin"
        case Enter():
            return "enter" if step.value is None else "leaf"
        case Back(value=value, before=before):
            if step.improves:
                return "first" if isinf(before.best) else "better"
            return "as good" if value == before.best else "no better"
        case Cut():
            return "cut"
    return "end"


class Prediction(NamedTuple):
    """Hold what is asked before a step: each answer there is, and the right one.

    `best`: the parent's best once a value has come back, one of the values that ends have here ·
    `cut`: whether the squares that are the `rest` of a node are searched · `move`: which is played.
    """

    about: Literal["best", "cut", "move"]
    step: Step
    answers: tuple[str, ...]
    right: str
    rest: tuple[Square, ...] = ()


def prediction(run: Run, done: int) -> Prediction | None:
    """Return what to ask after so many steps: before a value returns and where there may be a cut.

    None where there is nothing to foretell.
    """
    step = run.steps[done] if done < len(run.steps) else None
    match step:
        case Back():
            ends = {s.value for s in run.steps if isinstance(s, Enter) and s.value is not None}
            answers = tuple(f"{end:.0f}" for end in sorted(ends))
            return Prediction("best", step, answers, f"{step.after.best:.0f}")
        case Cut():
            return Prediction("cut", step, ("searched", "cut"), "cut", step.rest)
        case Enter() if run.algorithm == "alpha-beta" and isinstance(run.steps[done - 1], Back):
            *above, square = step.path
            order = tuple(ordered(run.position.after(above), run.scoring, run.order))
            rest = order[order.index(square) :]
            return Prediction("cut", step, ("searched", "cut"), "searched", rest)
        case Return():
            moves = tuple(map(str, run.position.legal_moves()))
            return Prediction("move", step, moves, str(run.move))
    return None


def judge_answer(run: Run, asked: Prediction, answer: str | None) -> Judgement | None:
    """Say of an answer that it is right, or what is wrong with it; None of none.

    Wrong is to have `took` what came back though it is no better, or `kept` what was there though
    it is; `neither` is a best that it cannot be. A wrong move is worth less (`lower`), or as much,
    but found `later`.
    """
    if answer is None:
        return None
    if answer == asked.right:
        return "right"
    match asked.step:
        case Back(value=value, before=before):
            wrong: dict[float, Judgement] = {value: "took", before.best: "kept"}
            return wrong.get(float(answer), "neither")
        case Cut():
            return "is cut"
        case Return():
            return "later" if brought(run, answer).value == run.value else "lower"
    return "is searched"


def brought(run: Run, square: str) -> Back:
    """Return the step in which the value of a move of the root came back."""
    return next(back for back in moves(run) if back.path == (int(square),))


def moves(run: Run) -> list[Back]:
    """Return the steps in which the values of the moves of the root came back, in their order."""
    return [step for step in run.steps if isinstance(step, Back) and len(step.path) == 1]


class Level(NamedTuple):
    """Hold one node of the stack: its position, and what it has so far."""

    path: Path
    position: Position
    frame: Frame


class Shown(NamedTuple):
    """Hold what the page shows of a run after `step` steps.

    `at` is where the last step happened. `moves` are the steps in which the value of each move of
    the root came back; `ties` those moves that brought as much as the one settled on. `line` is the
    line of the code that did the last step, counted from 1.
    """

    step: int
    happening: Happening
    at: Position
    root: TreeNode
    levels: list[Level | None]
    code: tuple[str, ...]
    line: int | None
    so_far: Counts
    totals: dict[Algorithm, Counts]
    moves: list[Back]
    ties: list[Square]


def shown(run: Run, step: int) -> Shown:
    """Return what the page shows of a run after so many steps."""
    state = state_after(run, step)
    last = run.steps[step - 1] if step else None
    values = moves(run)
    levels = [Level(path, run.position.after(path), frame) for path, frame in state.stack.items()]
    return Shown(
        step=step,
        happening=happening(last),
        at=run.position.after(last.path if last else ()),
        root=run_tree(run, step),
        levels=[*levels, *[None] * (MOST_EMPTY + 1 - len(levels))],
        code=code(run.algorithm),
        line=line(run.algorithm, last) if last else None,
        so_far=state.counts,
        totals={name: counts(run.position, name, run.scoring, run.order) for name in ALGORITHMS},
        moves=values,
        ties=[
            m.path[0]
            for m in values
            if m.path != (run.move,) and (m.value, m.bound) == (run.value, "exact")
        ],
    )
