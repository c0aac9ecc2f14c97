"""The screens with a small tree of boards: choices, values and cutoffs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from engine.notation import signed, to_digits
from engine.position import SQUARE_NAMES, O, Position, X
from engine.reasons import threats
from engine.search import WIN, best_moves
from teach.lesson.boards import MAIN_BOARD, play_to_end
from teach.lesson.screen import WORDS, Bubble, Card, Link, SmallBoard, State, TreeScreen
from teach.markings import (
    CUT_OFF,
    RESULT_CHIPS,
    UNKNOWN,
    Chip,
    DrawnTree,
    Marking,
    passed_up,
    rejected,
    score_chip,
)
from teach.searches import run
from teach.trees import Node, Path, value

# The trees


def build_tree(
    root: Position, order: Mapping[str, str] = {}, path: Path = (), fill_depth: int = 0
) -> Node:
    """Return the tree below a board.

    From `fill_depth` on, a board with one empty square is shown with that last move played.
    `order` gives the order of moves on some boards, by path; the others are in square order.
    """
    if len(path) >= fill_depth and len(root.legal_moves()) == 1:
        root = root.play(*root.legal_moves())
    squares = map(int, order.get(to_digits(path)) or to_digits(root.legal_moves()))
    return Node(
        path=path,
        content=root,
        value=value(root, root.ply, "flat"),
        is_max=root.turn == X,
        below=tuple(build_tree(root.play(s), order, (*path, s), fill_depth) for s in squares),
    )


class Markings(defaultdict[str, Marking]):
    """How each node of a tree is drawn, by path; at first only the chips of `nodes`."""

    def __init__(
        self, nodes: Iterable[Node] = (), chip: Callable[[int], Chip] = score_chip
    ) -> None:
        super().__init__(Marking, {node.digits: {"chip": chip(node.value)} for node in nodes})

    def on(self, tree: Node) -> DrawnTree:
        """Return a tree with these markings."""
        return DrawnTree(tree, self)

    def mark_choice(self, node: Node, is_new: bool = False) -> None:
        """Mark which child of a node is taken."""
        for child in node.below:
            self[child.digits].pop("role", None)
            if not child.below:
                self[child.digits]["role"] = "irrelevant"
        edge = passed_up(score_chip(node.value))
        chosen_marking: Marking = {"role": "chosen", "edge": edge, "is_new": is_new}
        self[chosen_child(node).digits] |= chosen_marking


def chosen_child(node: Node) -> Node:
    """Return the child taken by the side to choose: the first of the best."""
    pick = max if node.mover == X else min
    return pick(node.below, key=lambda child: child.value)


def move_name(path: str) -> str:
    """Return the square of the move that leads to a node."""
    return SQUARE_NAMES[int(path[-1])]


def tip_position(tree: Node, path: str) -> int:
    """Return the horizontal position of a node, in twelfths of the tree's width."""
    leaves = tree.leaves
    indexes = [n for n, leaf in enumerate(leaves) if leaf.digits.startswith(path)]
    return round((indexes[0] + indexes[-1] + 1) * 6 / len(leaves))


# 4: Who chooses?


def who_chooses(state: State) -> TreeScreen:
    """Return screen 4: O's choice below each of X's moves, then X's choice among them."""
    words, tree, tried = WORDS["4"], build_tree(MAIN_BOARD), state.tried
    markings = Markings(tree.walk(), RESULT_CHIPS.__getitem__)
    chosen_leaves = {node.digits: chosen_child(node).digits for node in tree.below}
    open_moves = [move for move, leaf in chosen_leaves.items() if leaf not in state.kept]
    best = chosen_child(tree).digits
    is_done, is_early = best in state.kept, bool(open_moves) and len(tried) == 1
    here = open_moves[0] if open_moves and len(tried) < 2 else tried[:1]
    for node in tree.below:
        _mark_move(markings, node, state, here, open_moves)
    if is_done or (tried and not open_moves):
        shown = here or best
        markings[shown] |= {"edge": passed_up(markings[shown]["chip"]), "is_new": True}
    if is_done:
        markings[best] |= {"press": None, "role": "chosen"}
    else:
        markings[""]["chip"] = UNKNOWN
    question = "" if is_done else words["move_question"]
    if open_moves:
        question = words["leaf_question"].format(name=move_name(here).capitalize())
    return TreeScreen(
        words=words if open_moves else words | {"intro": words["findings"]},
        tree=markings.on(tree),
        bubble=Bubble(
            tip_position(tree, here) if here else 0,
            _remark(words, state, is_early, is_done),
            question,
            is_right=bool(state.kept) and not tried,
        ),
        note=words["note"] if not state.kept and not tried else "",
        findings=tuple(
            (
                markings[move]["chip"],
                move_name(move),
                "" if move in open_moves else words["remarks"][leaf],
            )
            for move, leaf in chosen_leaves.items()
        ),
        is_solved=is_done,
    )


def _mark_move(
    markings: Markings, node: Node, state: State, here: str, open_moves: list[str]
) -> None:
    """Mark one of X's moves on screen 4, and the two leaves below it."""
    move, tried, chosen_leaf = node.digits, state.tried, chosen_child(node)
    markings[move]["press"] = state.choose(move, is_right=not open_moves and node.value == 0)
    if move not in open_moves:
        markings.mark_choice(node, is_new=state.last == chosen_leaf.digits)
        if not open_moves and len(state.kept) <= 3:
            markings[move]["role"] = "candidate"
        return
    markings[move]["chip"] = UNKNOWN
    if move == here:
        markings[move]["role"] = "in view"
    for child in node.below:
        marking = markings[child.digits]
        marking["press"] = state.choose(child.digits, is_right=child is chosen_leaf)
        if move == here:
            marking["role"] = "candidate"
        if len(tried) == 1:
            marking["pulses"] = "node"
        if child.digits == tried:
            marking |= {"edge": rejected(RESULT_CHIPS[child.value]), "is_new": True}
            markings[move]["pulses"] = "badge"


def _remark(words: Mapping[str, Any], state: State, is_early: bool, is_done: bool) -> str:
    """Return the remark on the last guess.

    After a right guess the bubble moves on to another board, so the remark names the old one.
    """
    remark: str = words["early"] if is_early else words["remarks"].get(state.last, "")
    if is_done or state.tried or not remark:
        return remark
    return f"**{move_name(state.last[0]).capitalize()}:** {remark}"


# 5: Give it numbers


def give_it_numbers(state: State) -> TreeScreen:
    """Return screen 5: four values, of which the first is given and three are to be filled in."""
    words, tree = WORDS["5"], build_tree(MAIN_BOARD)
    markings = Markings(tree.walk())
    boxes = {node.digits: node for node in tree.below} | {"top": tree}
    filled = {tree.below[0].digits, *state.kept}
    open_boxes = [name for name in boxes if name not in filled]
    here = state.at or next(iter(open_boxes), "")
    tried, _, wrong_value = state.tried.partition(".")
    for name, node in boxes.items():
        marking = markings[node.digits]
        if name in filled:
            markings.mark_choice(node, is_new=state.last == name)
        elif name == here:
            marking |= {"chip": UNKNOWN, "role": "in view"}
        else:
            press = state.attempt("top") if name == "top" else State(kept=state.kept, at=name)
            marking |= {"chip": UNKNOWN, "press": press}
    if state.tried:
        _pulse_below(markings, boxes[tried], wrong_value, open_boxes)
    is_asked = here and state.tried in ("", "top")
    return TreeScreen(
        words=words,
        tree=markings.on(tree),
        bubble=Bubble(
            tip=tip_position(tree, boxes[here].digits) if here and boxes[here].path else 0,
            remark=_remark(words, state, is_early=state.tried == "top", is_done=not here),
            question=words["questions"][boxes[here].mover] if is_asked else "",
            choices=_value_links(boxes[here], here, state) if here else (),
            is_right=bool(state.kept) and not state.tried,
        ),
        is_solved=not here,
    )


def _pulse_below(markings: Markings, node: Node, wrong_value: str, open_boxes: list[str]) -> None:
    """Make the children with a wrong value pulse, or all children if none has it."""
    below = [child for child in node.below if wrong_value or child.digits in open_boxes]
    equal_children = [child for child in below if str(child.value) == wrong_value]
    for child in equal_children or below:
        markings[child.digits]["pulses"] = "chip"
    if equal_children:
        markings[node.digits]["pulses"] = "badge"


def _value_links(node: Node, name: str, state: State) -> tuple[Link, ...]:
    """Return links for the three values to choose from."""
    right = State(kept=(*state.kept, name))
    return tuple(
        Link(signed(n), right if n == node.value else state.attempt(f"{name}.{n}"), favored=side)
        for n, side in ((1, "X"), (0, ""), (-1, "O"))
    )


# 6: On your own

SIX = Position.parse("--XXOO-XO")
FORKS = (SIX, 0), (MAIN_BOARD, 5)  # two threats, which win on this screen and lose on screen 2


def on_your_own(state: State) -> TreeScreen:
    """Return screen 6: each of X's moves shows its value once it is clicked."""
    tree = build_tree(SIX)
    markings = Markings(tree.walk())
    back = state.take_back(state.tried, kept_count=1) if state.tried else state
    if not state.kept:
        markings[""]["chip"] = UNKNOWN
    cards: tuple[Card, ...] = ()
    for node in tree.below:
        move, marking = node.digits, markings[node.digits]
        if move == state.last:
            cards = _own_cards(node, back if state.tried else None)
            for at in (node, *(leaf for leaf in node.below if leaf.value == node.value)):
                edge = passed_up(marking["chip"])
                markings[at.digits] |= {"edge": edge, "role": "chosen", "is_new": True}
        elif move not in state.kept:
            press = back.choose(move, is_right=node is chosen_child(tree))
            marking |= {"press": press, "role": "candidate"}
        if not state.kept and move not in (state.last, *state.seen):
            marking["chip"] = UNKNOWN
    words = WORDS["6"]
    pair = tuple(
        SmallBoard(forked := board.play(to), to, said, threats(forked, board.turn))
        for (board, to), said in zip(FORKS, words["pair"], strict=True)
    )
    words = words | {"card": words["card"] | {"boards": pair}}
    return TreeScreen(words=words, tree=markings.on(tree), cards=cards, is_solved=bool(state.kept))


def _own_cards(node: Node, back: State | None) -> tuple[Card, ...]:
    """Return the card that answers a move on screen 6; a losing move can be taken `back`."""
    words, score = WORDS["6"], signed(node.value)
    if back:
        reply = move_name(chosen_child(node).digits)
        return (Card(f"{score}.", words["wrong"].format(reply=reply), O, back=back),)
    return (Card(words["right"].format(score=score), is_right=True),)


# 9: Losing? Last longest

LOST_POSITION = Position.parse("OX--O--X-")


@cache
def lost_tree(path: Path = ()) -> Node:
    """Return the tree of a lost board: its moves and the best reply to each, with turns counted."""
    position = LOST_POSITION.after(path)
    moves = {0: position.legal_moves(), 1: best_moves(position)[:1]}.get(len(path), ())
    return Node(
        path=path,
        content=position,
        value=value(position, len(path), "depth"),
        is_max=position.turn == X,
        below=tuple(lost_tree((*path, square)) for square in moves),
    )


def losing_last_longest(state: State) -> TreeScreen:
    """Return screen 9: five losing moves, the reply to each, and the move X takes."""
    words, top = WORDS["9"], lost_tree()
    opened = [node for node in top.below if node.digits in state.seen]
    shown = top.at((int(state.at),)) if state.at else None
    has_opened_all = len(opened) == len(top.below)
    is_done = chosen_child(top).digits in state.kept
    markings = Markings(opened)
    for node in top.below:
        markings[node.digits]["press"] = _after_click(node, state, has_opened_all)
        is_asked = not is_done and (has_opened_all or node not in opened)
        if node == shown:
            markings[node.digits]["role"] = "in view"
        elif is_asked:
            markings[node.digits]["role"] = "candidate"
        if node in opened:
            markings.mark_choice(node, is_new=node == shown)
        else:
            markings[node.digits]["chip"] = UNKNOWN
            markings[node.below[0].digits] = {"is_covered": True}
    markings[""]["chip"] = UNKNOWN
    if is_done:
        markings[""]["chip"] = score_chip(top.value)
        markings[chosen_child(top).digits] |= {
            "role": "chosen",
            "edge": passed_up(score_chip(top.value)),
            "is_new": True,
        }
    return TreeScreen(
        words=words | {"intro": words["all" if has_opened_all else "after"]} if opened else words,
        tree=markings.on(top),
        bubble=_last_longest_bubble(state, shown, has_opened_all, is_done) if opened else None,
        findings=tuple((score_chip(node.value), move_name(node.digits), "") for node in opened),
        is_solved=is_done,
    )


def _after_click(node: Node, state: State, has_opened_all: bool) -> State:
    """Return the state after a click on a move: opened or, once all are open, chosen."""
    if has_opened_all:
        return state._replace(at="").choose(node.digits, is_right=node is chosen_child(lost_tree()))
    opened, quick_losses = {*state.seen, node.digits}, _quick_losses()
    if len(opened & quick_losses) > 1:  # two make the point; the others count as seen
        opened |= quick_losses
    return State(tuple(sorted(opened)), at=node.digits)


def _quick_losses() -> set[str]:
    """Return the moves of screen 9 that lose sooner than necessary."""
    return {node.digits for node in lost_tree().below if node.value < lost_tree().value}


def _last_longest_bubble(
    state: State, shown: Node | None, has_opened_all: bool, is_done: bool
) -> Bubble:
    """Return screen 9's bubble: the value of the move in view, or the verdict on X's choice."""
    words = WORDS["9"]
    remark = words["right"] if is_done else words["low"] if state.tried else ""
    next_request = words["rest" if _quick_losses() <= {*state.seen} else "another"]
    question = "" if is_done else words["question"] if has_opened_all else next_request
    if not shown:
        return Bubble(0, remark, question, is_right=is_done)
    is_late = shown.value == lost_tree().value
    facts = {"value": signed(shown.value), "turns": WIN + shown.value}
    return Bubble(
        tip_position(lost_tree(), shown.digits),
        words["late" if is_late else "soon"].format(**facts),
        question,
        boards=play_to_end(shown.below[0].position, 3) if is_late else (),
    )


# 12 and 13: pruning


def split_leaves(tree: Node) -> tuple[list[Node], list[Node]]:
    """Return the leaves that alpha-beta evaluates, and those that it prunes."""
    evaluated_paths = {step.path for step in run(tree, "alpha-beta").steps if step.kind == "leaf"}
    evaluated = [leaf for leaf in tree.leaves if leaf.path in evaluated_paths]
    return evaluated, [leaf for leaf in tree.leaves if leaf.path not in evaluated_paths]


AT_MOST = Chip("≤ −1", O)  # O has found a win, which the remaining leaves cannot take away


def prune_boards(state: State) -> TreeScreen:
    """Return the first part of screen 12: set a covered leaf, prune it, then prune another."""
    words, tree = WORDS["12"], build_tree(MAIN_BOARD, {"": "325", "5": "32"})
    sure, first, later = tree.below
    is_cut, is_done = "cut" in state.kept, "too" in state.kept
    markings = Markings(tree.walk())
    pruned_marking = Marking(is_covered=True, role="irrelevant", edge=CUT_OFF)
    markings.mark_choice(sure)
    markings.mark_choice(first)
    markings[first.digits]["chip"] = AT_MOST
    if not is_done:
        markings[""]["chip"] = Chip("≥ 0", "nobody")  # middle right may still be better
    if is_cut:
        markings.mark_choice(later, is_new=not is_done)
        markings[later.digits]["chip"] = AT_MOST
        markings[first.below[1].digits] = pruned_marking | {"is_new": not is_done}
        markings[later.below[1].digits] = {
            "is_covered": True,
            "role": "candidate",
            "cover_text": "?",
        }
        if is_done:
            markings[later.below[1].digits] = pruned_marking | {"is_new": True}
        else:
            markings[later.digits]["role"] = "in view"
    else:
        markings[first.digits]["role"] = "in view"
        for node in later.walk():
            markings[node.digits] = {"chip": UNKNOWN, "is_covered": not node.below}
            if node.below:
                markings[node.digits]["role"] = "irrelevant"
    chips = score_chip(0), score_chip(-1), score_chip(-1) if is_cut else UNKNOWN
    texts = words["findings_cut" if is_cut else "findings"]
    prune_link = Link(words["prune"], state.press("too"), is_action=True)
    tip = tip_position(tree, later.below[1].digits)
    second_bubble = Bubble(tip, words["too"], choices=(prune_link,))
    bubble = second_bubble if is_cut else _dial(markings, tree, state)
    return TreeScreen(
        words=words,
        bubble=None if is_done else bubble,
        tree=markings.on(tree),
        findings=tuple((chip, "", text) for chip, text in zip(chips, texts, strict=True)),
        cards=(Card("", words["done"], is_right=True),) if is_done else (),
        onward=Link(words["onward"], State(at="numbers")) if is_done else None,
    )


def _dial(markings: Markings, tree: Node, state: State) -> Bubble:
    """Mark the number set under the cover, and return a bubble that offers other numbers.

    Once it is clear that none of them matters, it also offers to prune.
    """
    words, node = WORDS["12"], tree.below[1]
    end, covered = node.below
    chips = {n: score_chip(int(n)) for n in words["dial"]}
    markings[covered.digits] = {"is_covered": True, "role": "candidate", "cover_text": "?"}
    if state.last:
        markings[node.digits]["chip"] = score_chip(node.value)
        markings[covered.digits]["cover_text"] = chips[state.last].text
        if int(state.last) < node.value:
            markings[node.digits]["chip"] = chips[state.last]
            markings[end.digits].pop("edge")
            markings[end.digits]["role"] = "irrelevant"
            markings[covered.digits] |= {"edge": passed_up(chips[state.last]), "is_new": True}
    choices = [
        Link(chip.text, state.press(n), is_current=n == state.last, favored=chip.favored)
        for n, chip in chips.items()
    ]
    can_prune = "-5" in state.kept and len(state.kept) > 1
    if can_prune:
        choices.append(Link(words["prune"], state.press("cut"), is_action=True))
    remark = words["begin"]
    if state.last:
        remark = words["dial"][state.last]
        remark += words["idle" if can_prune else "another" if "-5" in state.kept else "five"]
    return Bubble(tip_position(tree, covered.digits), remark, "", tuple(choices))


def tree_with_first(first: str) -> Node:
    """Return the tree of MAIN_BOARD with one of X's moves first, and O's strongest reply first."""
    moves = first + to_digits(MAIN_BOARD.legal_moves()).replace(first, "")
    return build_tree(MAIN_BOARD, {"": moves, "3": "52", "5": "32"})


def the_best_first(state: State) -> TreeScreen:
    """Return screen 13: the same tree, searched in the order that the learner chooses."""
    words, first = WORDS["13"], state.last
    tree = tree_with_first(first)
    best = chosen_child(tree).digits
    markings = Markings(tree.walk() if first else ())
    for leaf in split_leaves(tree)[1] if first else ():
        markings[leaf.digits] = {"chip": UNKNOWN, "role": "irrelevant", "edge": CUT_OFF}
        markings[leaf.digits[:-1]]["chip"] = AT_MOST
    for node in tree.below:
        if node.digits != first:
            markings[node.digits] |= {"role": "candidate", "press": state.press(node.digits)}
    evaluated = {move: split_leaves(tree_with_first(move))[0] for move in sorted(state.kept)}
    counts = tuple(
        (move_name(move), len(leaves), move == first) for move, leaves in evaluated.items()
    )
    remark = words["best" if first == best else "other"]
    is_done = best in state.kept and len(state.kept) > 1
    return TreeScreen(
        words=words | {"intro": words["solved"]} if is_done else words,
        tree=markings.on(tree),
        bubble=Bubble(2, remark, words["another"]) if first and not is_done else None,
        is_solved=is_done,
        counts=() if is_done else counts,
    )
