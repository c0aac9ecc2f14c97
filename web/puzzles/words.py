"""What the puzzles say, as plain text; `names` are those of the nodes of a tree of numbers."""

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
from teach.puzzles.cuts import CutPuzzle, WindowQuestion, WindowRemark
from teach.puzzles.rounds import Kind
from teach.puzzles.values import ValuePuzzle
from teach.scenes import format_value
from teach.searches import Frame
from teach.trees import Node, Path
from web.view import words
from web.view.words import capitalized

Names = Mapping[Path, str]  # empty for a tree of boards

TITLES: Mapping[Kind, str] = {
    "moves": "Find the only move",
    "values": "Fill in the values",
    "cuts": "Prune",
}


def rich_tree(text: str, names: Names) -> Markup:
    """Return plain text about a tree as HTML; names of nodes, MAX and MIN are not translated.

    >>> rich_tree("**B** is MIN: **3**.", {(): "A"})
    Markup('<b translate="no">B</b> is <span translate="no">MIN</span>: <b>3</b>.')
    """
    if not names:
        return words.rich(text)
    text = re.sub(r"\*\*([A-Z]+)\*\*", r'<b translate="no">\1</b>', str(escape(text)))
    text = re.sub(r"\b(MAX|MIN)\b", r'<span translate="no">\1</span>', text)
    return Markup(re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text))


def figure(value: int, names: Names) -> str:
    """Return a number as text; a plus means that X gains, so a tree with names has none."""
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
    """Return who chooses at a node."""
    return _role(node) if names else node.position.turn


# The values of a tree


def value_question(node: Node, names: Names) -> str:
    """Return the question about a node."""
    if names:
        return f"{name(node, names)} is {_role(node)}. What is its value?"
    return "What is this board’s value?"


def value_reason(it: ValuePuzzle, names: Names) -> str:
    """Return why the last value is right, or why it is wrong, without giving the right one away."""
    node = it.last_node
    assert node, "a value must have been given"
    child_values, who = [child.value for child in node.below], chooser(node, names)
    all_below = _numbers(child_values, names)
    if node in it.known_nodes:
        if len(child_values) == 1 and names:
            return f"Only one node is below {name(node, names)}, so its value is {all_below} too."
        if len(child_values) == 1:
            return f"{who} has only one square left, so this board is {all_below}."
        if len({*child_values}) == 1:
            who, same = name(node, names) if names else who, _number(child_values[0], names)
            are = "Both are" if len(child_values) == 2 else "They are all"
            return f"{are} {same}, so {who} gets {same}."
        who = f"{name(node, names)} is {who} and" if names else who
        return f"{who} takes the {'highest' if node.is_max else 'lowest'} of {all_below}."
    wrong_value = it.wrong_values[-1][1]
    if wrong_value in child_values:
        return (
            f"{who} chooses here. From {all_below}, would {who} pick {_number(wrong_value, names)}?"
        )
    if len({*child_values}) > 1:
        only = _numbers([*dict.fromkeys(child_values)], names)
        return f"Only {only} are below. It must be one of them."
    return "There is no {0} below, so it can’t be {0}.".format(_number(wrong_value, names))


# A cutoff


def cut_reason(it: CutPuzzle, names: Names) -> str:
    """Return the judgment of the last guess.

    The best value of a node is a bound: MIN can only go lower, MAX only higher.
    """
    remark = it.last_remark
    if isinstance(remark, WindowRemark):
        return _window_reason(remark, names)
    assert remark, "something must have been pressed"
    node, is_max = name(remark.node, names), remark.node.is_max
    best, new_best = _number(remark.best, names), it.best_values[remark.node.path]
    if remark.bound_node is None or remark.bound is None:
        if new_best == remark.best:
            return f"{node} now has {best}."
        worse = "lower" if is_max else "higher"
        return f"{node} keeps {_number(new_best, names)}: {best} is {worse}."
    levels_up = len(remark.node.path) - len(remark.bound_node.path)
    levels = f", {words.number(levels_up)} levels up" if levels_up > 1 else ""
    bound_node, bound = name(remark.bound_node, names), _number(remark.bound, names)
    above = f"{bound_node}{levels}{',' if levels_up > 1 else ''}"
    possible_values = f"{best} or {'more' if is_max else 'less'}"
    other, tick = "less" if is_max else "more", "" if remark.is_shown else "✓ "
    match remark.verdict:
        case "set":
            assert remark.set_to is not None, "a number must have been put there"
            keeps = remark.set_to < remark.best if is_max else remark.set_to > remark.best
            value = _number(remark.best if keeps else remark.set_to, names)
            takes = f"{node} {'keeps' if keeps else 'takes'} {value}"
            extreme = "higher" if is_max else "lower"
            return f"{takes}, the {extreme} one, so {bound_node} keeps its {bound}."
        case "cut":
            return f"{tick}Pruned: {node} is {possible_values}, and {above} already has {bound}."
        case "in vain":
            unneeded_values = _numbers([leaf.value for leaf in remark.leaves_left], names)
            reason = f"{node} was {possible_values}, and {above} already had {bound}"
            return f"{unneeded_values} could not matter: {reason}."
        case "not yet":
            than = f"{other} than {bound_node}’s {bound}{levels}"
            return f"Not yet: {node} could still be {than}. Look."
        case "looked" | "went on":
            right = f"{tick}{'Look' if remark.is_shown else 'Right to look'}"
            sentence = f"{right}: {node} had {best}, {other} than {bound_node}’s {bound}{levels}."
            return (
                sentence
                if new_best == remark.best
                else f"{sentence} Now it has {_number(new_best, names)}."
            )
        case _:
            assert_never(remark.verdict)


def window_question(it: WindowQuestion, names: Names) -> str:
    """Return the question about an end of the window of a node."""
    if it.end == "β":
        return "And β, the lowest value MIN is sure of?"
    start = f"What is α at {name(it.node, names)}"
    return f"{start}, the highest value MAX is sure of on the way from the root?"


def _window_reason(it: WindowRemark, names: Names) -> str:
    who = "MAX" if it.end == "α" else "MIN"
    if it.answer == it.right_answer:
        tick = "" if it.is_shown else "✓ "
        source = name(it.source, names)
        return f"{tick}{it.end} is **{window_end(it.answer)}**: {who} has it at {source}."
    if isinf(it.answer):
        return f"Not **{window_end(it.answer)}**: {who} has a value already."
    return f"Not **{window_end(it.answer)}**: that is {'MIN' if it.end == 'α' else 'MAX'}’s."


def window_end(value: float) -> str:
    """Return an end of a window, as the choices show it."""
    return format_value(value, in_number_tree=True)


def window(frame: Frame) -> str:
    """Return the window of a node, with a question mark for an end to be found."""
    ends = ("?" if isnan(end) else window_end(end) for end in frame[1:])
    return f"[{', '.join(ends)}]"


def leaves(nodes: Sequence[Node], names: Names) -> str:
    """Return leaves by their values and parents, because two can have the same value.

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


def caption(why: Explanation, is_win: bool) -> str:
    """Return the right square of a question, and what it achieves in two or three words."""
    square = f"{why.mark} {SQUARE_NAMES[why.square]}"
    if why.reason == "completes":
        return f"{square}: wins at once"
    if len(why.threats) > 1:
        return f"{square}: two threats"
    if why.reason == "blocks":
        return f"{square}: blocks"
    return f"{square}: {'wins by force' if is_win else 'keeps the draw'}"
