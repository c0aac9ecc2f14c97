"""Screen 12: pruning boards, then the textbook tree with windows, then a cutoff for O.

The first part is in trees.py; the other two, with trees of numbers, are here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from teach.lesson.screen import WORDS, Bubble, Card, Link, State, TreeScreen
from teach.lesson.trees import Markings, prune_boards, tip_position
from teach.markings import CUT_OFF, NOT_SEARCHED, NUMBER_BACKED_UP, Chip, number_chip
from teach.numbers import EXAMPLE, number_tree
from teach.searches import ENTERED, IMPROVED, RETURNED, Frame, Step, run
from teach.trees import Node, Path

# The sentences call the root A, and the inner nodes below it B, C and D, from left to right.
TEXTBOOK_TREE = number_tree(EXAMPLE)
_, NODE_C, NODE_D = TEXTBOOK_TREE.below
TIE_TREE = number_tree((0, (0, 0)), is_max=False)  # O is sure of 0 at the root, X of 0 at B
_, TIE_NODE_B = TIE_TREE.below
# The last leaf of TIE_TREE is 0, but a learner who looks under its cover sees this number: neither
# changes the root.
NUMBER_UNDER_COVER = 5


def what_cannot_matter(state: State) -> TreeScreen:
    """Return the part of screen 12 that is in view."""
    parts: Mapping[str, Callable[[State], TreeScreen]] = {
        "numbers": textbook_tree,
        "other": cutoff_for_o,
    }
    return parts.get(state.view, prune_boards)(state)


def textbook_tree(state: State) -> TreeScreen:
    """Return the second part: prune at C, read α and β, then look at the last leaf of D."""
    words = WORDS["12"] | WORDS["12"]["numbers"]
    is_pruned, is_at_d, is_done = (press in state.kept_presses for press in ("cut", "next", "last"))
    if is_done:
        last_node = TEXTBOOK_TREE
    elif is_at_d:
        last_node = NODE_D.below[1]
    else:
        last_node = NODE_C if is_pruned else NODE_C.below[0]
    markings = searched_markings(TEXTBOOK_TREE, last_node, shows_windows=is_pruned)
    bubble, answer, onward = None, "", None
    if is_done:
        answer, onward = words["done"], Link(words["to_other"], State(view="other"))
    elif is_at_d:
        look_link = Link(words["look"], state.press("last"), is_action=True)
        prune_link = Link(words["prune"], state.attempt("cut"), is_action=True)
        text = words["early"] if state.wrong_press else words["at_d"]
        bubble = _ask(markings, TEXTBOOK_TREE, NODE_D, text, (look_link, prune_link))
    elif is_pruned:
        markings[NODE_C.digits]["role"] = "in view"
        answer, onward = words["named"], Link(words["to_d"], state.press("next"))
    else:
        bubble = _ask_to_look_or_prune(markings, TEXTBOOK_TREE, NODE_C, words, state)
        if state.kept_presses:  # the learner has looked at the next leaf, which changes nothing
            markings[NODE_C.below[1].digits] = {"role": "irrelevant"}
    return TreeScreen(
        words=words | {"intro": words["rule"]} if is_pruned else words,
        bubble=bubble,
        tree=markings.on(TEXTBOOK_TREE),
        cards=(Card("", answer, is_right=True),) if answer else (),
        onward=onward,
    )


def cutoff_for_o(state: State) -> TreeScreen:
    """Return the third part: O is at the root, and α = β is enough to prune."""
    words, is_pruned = WORDS["12"] | WORDS["12"]["other"], "cut" in state.kept_presses
    last_node = TIE_TREE if is_pruned else TIE_NODE_B.below[0]
    markings = searched_markings(TIE_TREE, last_node, shows_windows=True)
    first_leaf, covered_leaf = TIE_NODE_B.below
    bubble = None
    if not is_pruned:
        bubble = _ask_to_look_or_prune(markings, TIE_TREE, TIE_NODE_B, words, state)
    if bubble and state.kept_presses:  # the learner has looked under the cover
        markings[TIE_NODE_B.digits]["chip"] = number_chip(NUMBER_UNDER_COVER)
        markings[first_leaf.digits] = {"role": "irrelevant"}
        markings[covered_leaf.digits] = {
            "is_covered": True,
            "cover_text": str(NUMBER_UNDER_COVER),
            "edge": NUMBER_BACKED_UP,
            "is_new": True,
        }
    return TreeScreen(
        words=words,
        bubble=bubble,
        tree=markings.on(TIE_TREE),
        cards=(Card(words["done"], is_right=True),) if is_pruned else (),
        is_solved=is_pruned,
    )


def searched_markings(tree: Node, last_node: Node, shows_windows: bool) -> Markings:
    """Return the markings of a tree after alpha-beta's last step at `last_node`."""
    markings, frames = Markings(), dict[Path, Frame]()
    steps = run(tree, "alpha-beta").steps
    last_step = max(n for n, step in enumerate(steps) if step.path == last_node.path)
    for n, step in enumerate(steps[: last_step + 1]):
        if step.kind in ENTERED or step.kind in RETURNED:
            frames[step.stack_top] = step.after
        _mark_step(markings, tree, step, is_last=n == last_step)
    for node in tree.walk():
        if node.path in frames:
            if node.below and shows_windows:
                markings[node.digits]["frame"] = frames[node.path]
        elif node.digits not in markings:  # neither entered nor pruned
            markings[node.digits] = {
                "is_covered": not node.below,
                "role": "not searched",
                "edge": NOT_SEARCHED,
            }
    return markings


def _mark_step(markings: Markings, tree: Node, step: Step, is_last: bool) -> None:
    """Mark what a step of alpha-beta changes: values, a backed-up edge, or pruned children."""
    if step.kind in RETURNED:
        parent = tree.at(step.stack_top)
        _mark_value(markings, tree.at(step.path), step.value, is_exact=step.bound == "exact")
        _mark_value(markings, parent, step.after.best, is_exact=False)
        if step.kind in IMPROVED:
            for child in parent.below:
                if child.digits in markings:
                    markings[child.digits].pop("edge", None)
            markings[tree.at(step.path).digits]["edge"] = NUMBER_BACKED_UP
    elif step.kind == "cut":
        for path in step.pruned_paths:
            markings[tree.at(path).digits] = {
                "is_covered": True,
                "role": "irrelevant",
                "edge": CUT_OFF,
                "is_new": is_last,
            }
    elif step.kind == "end":
        _mark_value(markings, tree, step.value, is_exact=True)


def _mark_value(markings: Markings, node: Node, value: float, is_exact: bool) -> None:
    """Mark the value of an inner node, as a bound unless it is exact."""
    if node.below:
        bound_sign = "" if is_exact else "≥ " if node.is_max else "≤ "
        markings[node.digits]["chip"] = Chip(bound_sign + number_chip(int(value)).text, "nobody")


def _ask_to_look_or_prune(
    markings: Markings, tree: Node, node: Node, words: Mapping[str, Any], state: State
) -> Bubble:
    """Ask whether to look at a node's next leaf or to prune; after a look, only pruning is left."""
    prune_link = Link(words["prune"], State(kept_presses=("cut",), view=state.view), is_action=True)
    if state.kept_presses:
        return _ask(markings, tree, node, words["looked"], (prune_link,))
    look_link = Link(words["look"], state.press("look"), is_action=True)
    return _ask(markings, tree, node, words["begin"], (look_link, prune_link))


def _ask(
    markings: Markings, tree: Node, node: Node, remark: str, choices: tuple[Link, ...]
) -> Bubble:
    """Mark a node and its next covered leaf, and return a bubble that points to that leaf."""
    markings[node.digits]["role"] = "in view"
    leaf = next(leaf for leaf in node.below if markings[leaf.digits].get("is_covered"))
    markings[leaf.digits] = {"is_covered": True, "role": "candidate", "cover_text": "?"}
    return Bubble(tip_position(tree, leaf.digits), remark, choices=choices)
