"""Screen 12: pruning boards, then the textbook tree with windows, then a cutoff for O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from teach.lesson.screen import WORDS, Bubble, Card, Link, State, TreeScreen
from teach.lesson.trees import Markings, prune_boards, tip_position
from teach.markings import CUT_OFF, NOT_SEARCHED, NUMBER_PASSED_UP, Chip, Marking, number_chip
from teach.numbers import EXAMPLE, number_tree
from teach.searches import ENTERED, IMPROVED, Frame, run
from teach.trees import Node, Path

TEXTBOOK = number_tree(EXAMPLE)
TIE = number_tree((0, (0, 0)), is_max=False)  # O is sure of 0 at the root, X of 0 below
LAST_LEAF_VALUE = 5  # shown instead of TIE's last 0, to show that it doesn't matter
_, C, D = TEXTBOOK.below
_, B = TIE.below


def what_cannot_matter(state: State) -> TreeScreen:
    """Return screen 12, in the part that is open."""
    parts: Mapping[str, Callable[[State], TreeScreen]] = {
        "numbers": textbook_tree,
        "other": cutoff_for_o,
    }
    return parts.get(state.view, prune_boards)(state)


def textbook_tree(state: State) -> TreeScreen:
    """Return the second part: prune at C, read α and β, then look at the last leaf of D."""
    words = WORDS["12"] | WORDS["12"]["numbers"]
    is_pruned, is_at_d, is_done = (press in state.kept_presses for press in ("cut", "next", "last"))
    last_node = D.below[1] if is_at_d else C if is_pruned else C.below[0]
    markings = searched_markings(TEXTBOOK, TEXTBOOK if is_done else last_node, is_pruned)
    bubble, answer, onward = None, "", None
    if is_done:
        answer, onward = words["done"], Link(words["to_other"], State(view="other"))
    elif is_at_d:
        look_link = Link(words["look"], state.press("last"), is_action=True)
        prune_link = Link(words["prune"], state.attempt("cut"), is_action=True)
        text = words["early"] if state.wrong_press else words["at_d"]
        bubble = _ask(markings, TEXTBOOK, D, text, (look_link, prune_link))
    elif is_pruned:
        markings[C.digits]["role"] = "in view"
        answer, onward = words["named"], Link(words["to_d"], state.press("next"))
    else:
        bubble = _look_or_prune(markings, TEXTBOOK, C, words, state)
        if state.kept_presses:  # the learner has looked at the next leaf, which changes nothing
            markings[C.below[1].digits] = {"role": "irrelevant"}
    return TreeScreen(
        words=words | {"intro": words["rule"]} if is_pruned else words,
        bubble=bubble,
        tree=markings.on(TEXTBOOK),
        cards=(Card("", answer, is_right=True),) if answer else (),
        onward=onward,
    )


def cutoff_for_o(state: State) -> TreeScreen:
    """Return the third part: O is at the root, and α = β is enough to prune."""
    words, is_pruned = WORDS["12"] | WORDS["12"]["other"], "cut" in state.kept_presses
    markings = searched_markings(TIE, TIE if is_pruned else B.below[0], shows_windows=True)
    first_leaf, covered = B.below
    bubble = None if is_pruned else _look_or_prune(markings, TIE, B, words, state)
    if bubble and state.kept_presses:
        markings[B.digits]["chip"] = number_chip(LAST_LEAF_VALUE)
        markings[first_leaf.digits] = {"role": "irrelevant"}
        markings[covered.digits] = {
            "is_covered": True,
            "cover_text": str(LAST_LEAF_VALUE),
            "edge": NUMBER_PASSED_UP,
            "is_new": True,
        }
    return TreeScreen(
        words=words,
        bubble=bubble,
        tree=markings.on(TIE),
        cards=(Card(words["done"], is_right=True),) if is_pruned else (),
        is_solved=is_pruned,
    )


def searched_markings(tree: Node, last_node: Node, shows_windows: bool) -> Markings:
    """Return the markings of a tree after alpha-beta's last step at `last_node`.

    Nodes not entered yet are pale, and pruned ones are covered.
    """
    markings, frames = Markings(), dict[Path, Frame]()
    steps = run(tree, "alpha-beta").steps
    (*_, step_count) = (n for n, step in enumerate(steps, 1) if step.path == last_node.path)
    for n, step in enumerate(steps[:step_count], 1):
        if step.kind in ENTERED:
            frames[step.path] = step.after
        if step.stack_top != step.path:  # a value was returned to the parent
            frames[step.stack_top] = step.after
            _mark_value(markings, tree.at(step.path), step.value, step.bound == "exact")
            _mark_value(markings, tree.at(step.stack_top), step.after.best, False)
        if step.kind in IMPROVED:
            for child in tree.at(step.stack_top).below:
                if child.digits in markings:
                    markings[child.digits].pop("edge", None)
            markings[tree.at(step.path).digits]["edge"] = NUMBER_PASSED_UP
        if step.kind == "cut":
            for number in step.pruned_moves:
                pruned_marking: Marking = {
                    "is_covered": True,
                    "role": "irrelevant",
                    "edge": CUT_OFF,
                    "is_new": n == step_count,
                }
                markings[tree.at((*step.path, number)).digits] = pruned_marking
        if step.kind == "end":
            _mark_value(markings, tree, step.value, True)
    for node in tree.walk():
        if node.path in frames and node.below and shows_windows:
            markings[node.digits]["frame"] = frames[node.path]
        elif node.path not in frames and node.digits not in markings:
            markings[node.digits] = {
                "is_covered": not node.below,
                "role": "not searched",
                "edge": NOT_SEARCHED,
            }
    return markings


def _mark_value(markings: Markings, node: Node, value: float, is_exact: bool) -> None:
    """Show the value of an inner node, or a bound if it is only the best so far."""
    if node.below:
        bound_sign = "" if is_exact else "≥ " if node.is_max else "≤ "
        markings[node.digits]["chip"] = Chip(bound_sign + number_chip(int(value)).text, "nobody")


def _look_or_prune(
    markings: Markings, tree: Node, node: Node, words: Mapping[str, Any], state: State
) -> Bubble:
    """Return the choice to look at a node's next leaf or to prune; after a look, only to prune."""
    prune_link = Link(words["prune"], State(kept_presses=("cut",), view=state.view), is_action=True)
    if state.kept_presses:
        return _ask(markings, tree, node, words["looked"], (prune_link,))
    look_link = Link(words["look"], state.press("look"), is_action=True)
    return _ask(markings, tree, node, words["begin"], (look_link, prune_link))


def _ask(
    markings: Markings, tree: Node, node: Node, remark: str, choices: tuple[Link, ...]
) -> Bubble:
    """Mark a node and its next leaf, and return a bubble that points to that leaf."""
    markings[node.digits]["role"] = "in view"
    leaf = next(leaf for leaf in node.below if markings[leaf.digits].get("is_covered"))
    markings[leaf.digits] = {"is_covered": True, "role": "candidate", "cover_text": "?"}
    return Bubble(tip_position(tree, leaf.digits), remark, choices=choices)
