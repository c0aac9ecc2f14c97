"""What the puzzles say, with ** around bold text; `names` are those of a tree's nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isinf, isnan
from typing import Literal, assert_never

from markupsafe import Markup, escape

from engine.notation import signed
from engine.position import SQUARE_NAMES
from engine.reasons import Explanation
from teach.puzzles.cuts import CutPuzzle, CutRemark, WindowQuestion, WindowRemark
from teach.puzzles.rounds import Kind
from teach.puzzles.values import ValuePuzzle
from teach.scenes import format_value
from teach.searches import Frame
from teach.trees import Node, Path
from web.view import words
from web.view.words import capitalized

Names = Mapping[Path, str]  # by the path of the node; empty for a tree of boards

TITLES: Mapping[Kind, str] = {
    "moves": "Find the only move",
    "values": "Fill in the values",
    "cuts": "Prune",
}


def rich_tree(text: str, names: Names) -> Markup:
    """Return plain text about a tree as HTML, with names, MAX and MIN marked as not to translate.

    >>> rich_tree("**B** is MIN: **3**.", {(): "A"})
    Markup('<b translate="no">B</b> is <span translate="no">MIN</span>: <b>3</b>.')
    """
    if not names:
        return words.rich(text)
    text = re.sub(r"\*\*([A-Z]+)\*\*", r'<b translate="no">\1</b>', str(escape(text)))
    text = re.sub(r"\b(MAX|MIN)\b", r'<span translate="no">\1</span>', text)
    return Markup(re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text))


def figure(value: int, names: Names) -> str:
    """Return a value as text. A plus would say that X is favored, so a tree of numbers has none."""
    return signed(value).removeprefix("+") if names else signed(value)


def _number(value: int, names: Names) -> str:
    return f"**{figure(value, names)}**"


def _numbers(values: Sequence[int], names: Names) -> str:
    return words.listed(_number(value, names) for value in values)


def _role(node: Node) -> str:
    return "MAX" if node.is_max else "MIN"


def name(node: Node, names: Names) -> str:
    """Return the name of a node."""
    return f"**{names[node.path]}**"


def chooser(node: Node, names: Names) -> str:
    """Return who chooses at a node: MAX or MIN in a tree of numbers, X or O in a tree of boards."""
    return _role(node) if names else node.position.turn


# The values of a tree


def value_question(node: Node, names: Names) -> str:
    """Return the question about a node."""
    if names:
        return f"{name(node, names)} is {_role(node)}. What is its value?"
    return "What is this board’s value?"


def value_reason(puzzle: ValuePuzzle, names: Names) -> str:
    """Return why the last value is right, or why it is wrong, without giving the right one away."""
    node = puzzle.last_node
    assert node, "a value must have been given"
    if node in puzzle.known_nodes:
        return _right_value_reason(node, names)
    return _wrong_value_reason(node, puzzle.wrong_values[-1][1], names)


def _right_value_reason(node: Node, names: Names) -> str:
    """Return why a node has its value."""
    child_values, who = [child.value for child in node.below], chooser(node, names)
    all_values = _numbers(child_values, names)
    if len(child_values) == 1 and names:
        return f"Only one node is below {name(node, names)}, so its value is {all_values} too."
    if len(child_values) == 1:
        return f"{who} has only one square left, so this board is {all_values}."
    if len({*child_values}) == 1:
        are = "Both are" if len(child_values) == 2 else "They are all"
        value = _number(child_values[0], names)
        return f"{are} {value}, so {name(node, names) if names else who} gets {value}."
    subject = f"{name(node, names)} is {who} and" if names else who
    return f"{subject} takes the {'highest' if node.is_max else 'lowest'} of {all_values}."


def _wrong_value_reason(node: Node, wrong_value: int, names: Names) -> str:
    """Return why a node cannot have a value, without giving the right one away."""
    child_values, who = [child.value for child in node.below], chooser(node, names)
    wrong = _number(wrong_value, names)
    if wrong_value in child_values:
        all_values = _numbers(child_values, names)
        return f"{who} chooses here. From {all_values}, would {who} pick {wrong}?"
    if len({*child_values}) > 1:
        different_values = _numbers([*dict.fromkeys(child_values)], names)
        return f"Only {different_values} are below. It must be one of them."
    return f"There is no {wrong} below, so it can’t be {wrong}."


# A cutoff


def cut_reason(puzzle: CutPuzzle, names: Names) -> str:
    """Return why the last press was right or wrong, or what it changed.

    The best value of a node is a bound: MIN can only go lower, MAX only higher.
    """
    remark = puzzle.last_remark
    if isinstance(remark, WindowRemark):
        return _window_reason(remark, names)
    assert remark, "something must have been pressed"
    new_best = puzzle.best_values[remark.node.path]
    if remark.bound_node is None or remark.bound is None:
        return _new_best_sentence(remark, new_best, names)
    return _comparison_reason(remark, remark.bound_node, remark.bound, new_best, names)


def _new_best_sentence(remark: CutRemark, new_best: int, names: Names) -> str:
    """Return the sentence on a node's best value after a leaf that had to be looked at."""
    # Such a remark has the value of the leaf as `best`.
    node, leaf_value = name(remark.node, names), _number(remark.best, names)
    if new_best == remark.best:
        return f"{node} now has {leaf_value}."
    worse = "lower" if remark.node.is_max else "higher"
    return f"{node} keeps {_number(new_best, names)}: {leaf_value} is {worse}."


def _comparison_reason(
    remark: CutRemark, bound_node: Node, bound: int, new_best: int, names: Names
) -> str:
    """Return what follows from comparing the best value of a node with that of a node above."""
    node, is_max, best = name(remark.node, names), remark.node.is_max, _number(remark.best, names)
    above, above_value = name(bound_node, names), _number(bound, names)
    levels_up = len(remark.node.path) - len(bound_node.path)
    levels = f", {words.number(levels_up)} levels up" if levels_up > 1 else ""
    above_with_levels = f"{above}{levels}," if levels else above
    more, less = ("more", "less") if is_max else ("less", "more")
    possible_values = f"{best} or {more}"
    tick = "" if remark.is_shown else "✓ "
    match remark.verdict:
        case "set":
            return _cover_sentence(remark, f"{above} keeps its {above_value}", names)
        case "cut":
            has_bound = f"{above_with_levels} already has {above_value}"
            return f"{tick}Pruned: {node} is {possible_values}, and {has_bound}."
        case "in vain":
            unneeded_values = _numbers([leaf.value for leaf in remark.leaves_left], names)
            had_bound = f"{above_with_levels} already had {above_value}"
            reason = f"{node} was {possible_values}, and {had_bound}"
            return f"{unneeded_values} could not matter: {reason}."
        case "not yet":
            return (
                f"Not yet: {node} could still be {less} than {above}’s {above_value}{levels}. Look."
            )
        case "looked" | "went on":
            look = "Look" if remark.is_shown else "Right to look"
            than = f"{less} than {above}’s {above_value}{levels}"
            sentence = f"{tick}{look}: {node} had {best}, {than}."
            if new_best == remark.best:
                return sentence
            return f"{sentence} Now it has {_number(new_best, names)}."
        case _:
            assert_never(remark.verdict)


def _cover_sentence(remark: CutRemark, consequence: str, names: Names) -> str:
    """Return which value a node takes if a number is under the cover, and what follows."""
    assert remark.set_to is not None, "a number must have been put there"
    node, is_max = name(remark.node, names), remark.node.is_max
    keeps_best = remark.set_to < remark.best if is_max else remark.set_to > remark.best
    value = _number(remark.best if keeps_best else remark.set_to, names)
    clause = f"{node} {'keeps' if keeps_best else 'takes'} {value}"
    return f"{clause}, the {'higher' if is_max else 'lower'} one, so {consequence}."


def window_question(question: WindowQuestion, names: Names) -> str:
    """Return the question about an end of the window of a node."""
    if question.end == "β":
        return "And β, the lowest value MIN is sure of?"
    start = f"What is α at {name(question.node, names)}"
    return f"{start}, the highest value MAX is sure of on the way from the root?"


def _window_reason(remark: WindowRemark, names: Names) -> str:
    """Return why an answer about an end of a window is right or wrong."""
    answer = window_end(remark.answer)
    who, other = ("MAX", "MIN") if remark.end == "α" else ("MIN", "MAX")
    if remark.answer == remark.right_answer:
        tick = "" if remark.is_shown else "✓ "
        source = name(remark.source, names)
        return f"{tick}{remark.end} is **{answer}**: {who} has it at {source}."
    if isinf(remark.answer):
        return f"Not **{answer}**: {who} has a value already."
    return f"Not **{answer}**: that is {other}’s."


def window_end(value: float) -> str:
    """Return an end of a window, as the choices show it."""
    return format_value(value, in_number_tree=True)


def window(frame: Frame) -> str:
    """Return the window of a node, with a question mark for an end to be found."""
    ends = (frame.alpha, frame.beta)
    texts = ("?" if isnan(end) else window_end(end) for end in ends)
    return f"[{', '.join(texts)}]"


def leaves(nodes: Sequence[Node], names: Names) -> str:
    """Return leaves by their values and their parents, as two leaves can have the same value.

    For example: 9 below H; 0, −6 below C.
    """
    return "; ".join(
        f"{', '.join(_number(leaf.value, names) for leaf in group)} below {names[parent]}"
        for parent, group in groupby(nodes, key=lambda leaf: leaf.path[:-1])
    )


# A round


def comment(kind: Kind, right_count: int, grade: Literal["all", "most", "some"]) -> str:
    """Return Perfect's comment on a round."""
    if grade == "all":
        return "All ten. I could not have done better."
    count = capitalized(words.number(right_count)) if right_count else "None yet"
    match kind:
        case "values":
            return f"{count}. Start at the bottom, and ask each time who chooses."
        case "cuts":
            return f"{count}. Before you look, ask: can this still change the root?"
        case "moves" if grade == "most":
            return f"{count}, and you did not look at every board. I have to."
        case "moves" if right_count:
            return f"{count}. Look at every reply, and the rest will come."
        case "moves":
            return f"{count}. Look at every reply. It is all I do."
        case _:
            assert_never(kind)


def caption(explanation: Explanation, is_win: bool) -> str:
    """Return the right square of a question, and what it achieves, in at most three words."""
    square = f"{explanation.mark} {SQUARE_NAMES[explanation.square]}"
    if explanation.reason == "completes":
        return f"{square}: wins at once"
    if len(explanation.threats) > 1:
        return f"{square}: two threats"
    if explanation.reason == "blocks":
        return f"{square}: blocks"
    return f"{square}: {'wins by force' if is_win else 'keeps the draw'}"
