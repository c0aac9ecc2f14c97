"""The screens with a small tree of boards: choices, values and cutoffs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from engine.notation import signed, to_digits
from engine.position import SQUARE_NAMES, O, Position, Square, X
from engine.reasons import threats
from engine.search import WIN, best_moves
from teach.lesson.boards import MAIN_BOARD, play_to_end
from teach.lesson.screen import (
    WORDS,
    Bubble,
    Card,
    Finding,
    LeafCount,
    Link,
    SmallBoard,
    State,
    TreeScreen,
)
from teach.markings import (
    CUT_OFF,
    RESULT_CHIPS,
    UNKNOWN,
    Chip,
    DrawnTree,
    Marking,
    backed_up,
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
    """What is known about each node of a tree, by path; at first, only the values of `nodes`."""

    def __init__(
        self, nodes: Iterable[Node] = (), chip: Callable[[int], Chip] = score_chip
    ) -> None:
        super().__init__(Marking, {node.digits: {"chip": chip(node.value)} for node in nodes})

    def on(self, tree: Node) -> DrawnTree:
        """Return a tree with these markings."""
        return DrawnTree(tree, self)

    def mark_choice(self, node: Node, is_new: bool = False) -> None:
        """Mark the child whose value a node takes as chosen; its other leaves become irrelevant."""
        for child in node.below:
            self[child.digits].pop("role", None)
            if not child.below:
                self[child.digits]["role"] = "irrelevant"
        edge = backed_up(score_chip(node.value))
        chosen_marking: Marking = {"role": "chosen", "edge": edge, "is_new": is_new}
        self[chosen_child(node).digits] |= chosen_marking


def chosen_child(node: Node) -> Node:
    """Return the child taken by the side to choose: the first of the best."""
    pick = max if node.mover == X else min
    return pick(node.below, key=lambda child: child.value)


def move_name(path: str) -> str:
    """Return the name of the square played by the last move of a path."""
    return SQUARE_NAMES[int(path[-1])]


def tip_position(tree: Node, path: str) -> int:
    """Return the horizontal position of a node, in twelfths of the tree's width."""
    leaves = tree.leaves
    # A node is centered above its leaves, and all leaves are equally wide.
    indexes = [index for index, leaf in enumerate(leaves) if leaf.digits.startswith(path)]
    return round((indexes[0] + indexes[-1] + 1) / 2 * 12 / len(leaves))


# Screen 4: Who chooses? A press is a path: of one digit for a move of X, of two for a leaf.


def who_chooses(state: State) -> TreeScreen:
    """Return screen 4: O's choice below each of X's moves, then X's choice among them."""
    words, tree, wrong_press = WORDS["4"], build_tree(MAIN_BOARD), state.wrong_press
    chosen_leaves = {node.digits: chosen_child(node).digits for node in tree.below}
    open_moves = [move for move, leaf in chosen_leaves.items() if leaf not in state.kept_presses]
    best_move = chosen_child(tree).digits
    is_done = best_move in state.kept_presses
    # A wrong leaf brings its move into view, but a move of X that is pressed too early does not.
    move_in_view = open_moves[0] if open_moves and len(wrong_press) < 2 else wrong_press[:1]
    markings = Markings(tree.walk(), RESULT_CHIPS.__getitem__)
    for node in tree.below:
        _mark_move(markings, node, state, move_in_view, open_moves)
    if is_done or (wrong_press and not open_moves):
        picked_move = move_in_view or best_move
        edge = backed_up(markings[picked_move]["chip"])
        markings[picked_move] |= {"edge": edge, "is_new": True}
    if is_done:
        markings[best_move] |= {"target": None, "role": "chosen"}
    else:
        markings[""]["chip"] = UNKNOWN
    return TreeScreen(
        words=words if open_moves else words | {"intro": words["findings"]},
        tree=markings.on(tree),
        bubble=_choice_bubble(state, tree, move_in_view, open_moves, is_done),
        note=words["note"] if not state.kept_presses and not wrong_press else "",
        findings=tuple(
            Finding(
                markings[move]["chip"],
                move_name(move),
                "" if move in open_moves else words["remarks"][leaf],
            )
            for move, leaf in chosen_leaves.items()
        ),
        is_solved=is_done,
    )


def _mark_move(
    markings: Markings, node: Node, state: State, move_in_view: str, open_moves: list[str]
) -> None:
    """Mark one of X's moves on screen 4, and the two leaves below it."""
    move, wrong_press, chosen_leaf = node.digits, state.wrong_press, chosen_child(node)
    markings[move]["target"] = state.choose(move, is_right=not open_moves and node.value == 0)
    if move not in open_moves:
        markings.mark_choice(node, is_new=state.last_press == chosen_leaf.digits)
        has_chosen_for_x = len(state.kept_presses) > 3  # the first three choose for O
        if not open_moves and not has_chosen_for_x:
            markings[move]["role"] = "candidate"
        return
    markings[move]["chip"] = UNKNOWN
    if move == move_in_view:
        markings[move]["role"] = "in view"
    for leaf in node.below:
        marking = markings[leaf.digits]
        marking["target"] = state.choose(leaf.digits, is_right=leaf is chosen_leaf)
        if move == move_in_view:
            marking["role"] = "candidate"
        if len(wrong_press) == 1:  # a move of X, too early
            marking["pulsing_part"] = "node"
        if leaf.digits == wrong_press:
            marking |= {"edge": rejected(RESULT_CHIPS[leaf.value]), "is_new": True}
            markings[move]["pulsing_part"] = "badge"


def _choice_bubble(
    state: State, tree: Node, move_in_view: str, open_moves: list[str], is_done: bool
) -> Bubble:
    """Return screen 4's bubble, at the move in view or, if there is none, without a tip."""
    words, is_early = WORDS["4"], bool(open_moves) and len(state.wrong_press) == 1
    question = "" if is_done else words["move_question"]
    if open_moves:
        question = words["leaf_question"].format(name=move_name(move_in_view).capitalize())
    return Bubble(
        tip_position(tree, move_in_view) if move_in_view else 0,
        _remark(words, state, is_early, is_done),
        question,
        is_right=bool(state.kept_presses) and not state.wrong_press,
    )


def _remark(words: Mapping[str, Any], state: State, is_early: bool, is_done: bool) -> str:
    """Return the remark on the last press of screen 4 or 5.

    After a right press the bubble moves on to another board, so the remark names the old one.
    """
    remark: str = words["early"] if is_early else words["remarks"].get(state.last_press, "")
    if is_done or state.wrong_press or not remark:
        return remark
    return f"**{move_name(state.last_press[0]).capitalize()}:** {remark}"


# Screen 5: Put numbers on it. The name of a box is the path of its node, or `top` at the root. A
# kept press is a box; a wrong press is a box and a value (`3.1`), or `top` if it came too early.


def put_numbers_on_it(state: State) -> TreeScreen:
    """Return screen 5: four values, of which the first is given and three are to be filled in."""
    words, tree = WORDS["5"], build_tree(MAIN_BOARD)
    boxes = {node.digits: node for node in tree.below} | {"top": tree}
    filled_boxes = {tree.below[0].digits, *state.kept_presses}
    open_boxes = [box for box in boxes if box not in filled_boxes]
    box_in_view = state.view or next(iter(open_boxes), "")
    is_done, is_early = not box_in_view, state.wrong_press == "top"
    markings = Markings(tree.walk())
    for box, node in boxes.items():
        marking = markings[node.digits]
        if box in filled_boxes:
            markings.mark_choice(node, is_new=state.last_press == box)
        elif box == box_in_view:
            marking |= {"chip": UNKNOWN, "role": "in view"}
        elif box == "top":
            marking |= {"chip": UNKNOWN, "target": state.attempt("top")}
        else:
            next_state = State(kept_presses=state.kept_presses, view=box)
            marking |= {"chip": UNKNOWN, "target": next_state}
    if state.wrong_press:
        wrong_box, _, wrong_value = state.wrong_press.partition(".")
        _pulse_below(markings, boxes[wrong_box], wrong_value, open_boxes)
    bubble = Bubble(
        tip=0,
        remark=_remark(words, state, is_early, is_done),
        is_right=bool(state.kept_presses) and not state.wrong_press,
    )
    if not is_done:
        node = boxes[box_in_view]
        has_question = is_early or not state.wrong_press
        bubble = bubble._replace(
            tip=tip_position(tree, node.digits) if node.path else 0,
            question=words["questions"][node.mover] if has_question else "",
            choices=_value_links(node, box_in_view, state),
        )
    return TreeScreen(words=words, tree=markings.on(tree), bubble=bubble, is_solved=is_done)


def _pulse_below(markings: Markings, node: Node, wrong_value: str, open_boxes: list[str]) -> None:
    """Make the children pulse that show why a press is wrong.

    Those that have the wrong value pulse, or all if none has it. Without a wrong value, `node` was
    opened too early, and those still to be filled in pulse.
    """
    below = [child for child in node.below if wrong_value or child.digits in open_boxes]
    equal_children = [child for child in below if str(child.value) == wrong_value]
    for child in equal_children or below:
        markings[child.digits]["pulsing_part"] = "chip"
    if equal_children:
        markings[node.digits]["pulsing_part"] = "badge"


def _value_links(node: Node, box: str, state: State) -> tuple[Link, ...]:
    """Return links for the three values to choose from."""
    links = []
    for score, favored in ((1, "X"), (0, ""), (-1, "O")):
        next_state = state.attempt(f"{box}.{score}")
        if score == node.value:
            next_state = State(kept_presses=(*state.kept_presses, box))
        links.append(Link(signed(score), next_state, favored=favored))
    return tuple(links)


# Screen 6: On your own

SCREEN_6_BOARD = Position.parse("--XXOO-XO")
# Two boards, each with a move that makes two threats: on screen 6 O can't win first, on screen 2
# it can.
FORKS = ((SCREEN_6_BOARD, 0), (MAIN_BOARD, 5))


def on_your_own(state: State) -> TreeScreen:
    """Return screen 6: each of X's moves shows its value once it is clicked."""
    tree = build_tree(SCREEN_6_BOARD)
    markings = Markings(tree.walk())
    back = state.take_back(state.wrong_press, kept_count=1) if state.wrong_press else state
    if not state.kept_presses:
        markings[""]["chip"] = UNKNOWN
    cards: tuple[Card, ...] = ()
    for node in tree.below:
        move, marking = node.digits, markings[node.digits]
        if move == state.last_press:
            cards = (_move_card(node, back if state.wrong_press else None),)
            _mark_chosen_move(markings, node)
        elif move not in state.kept_presses:
            next_state = back.choose(move, is_right=node is chosen_child(tree))
            marking |= {"target": next_state, "role": "candidate"}
        if not state.kept_presses and move not in (state.last_press, *state.seen_presses):
            marking["chip"] = UNKNOWN
    words = WORDS["6"]
    return TreeScreen(
        words=words | {"card": words["card"] | {"boards": _fork_boards(words["pair"])}},
        tree=markings.on(tree),
        cards=cards,
        is_solved=bool(state.kept_presses),
    )


def _mark_chosen_move(markings: Markings, node: Node) -> None:
    """Mark a move of screen 6 as chosen, and each leaf below it that has the same value."""
    equal_leaves = [leaf for leaf in node.below if leaf.value == node.value]
    edge = backed_up(markings[node.digits]["chip"])
    for chosen_node in (node, *equal_leaves):
        markings[chosen_node.digits] |= {"edge": edge, "role": "chosen", "is_new": True}


def _move_card(node: Node, back: State | None) -> Card:
    """Return the card that answers a move on screen 6; only a losing one can be taken `back`."""
    words, score = WORDS["6"], signed(node.value)
    if back is None:
        return Card(words["right"].format(score=score), is_right=True)
    reply = move_name(chosen_child(node).digits)
    return Card(f"{score}.", words["wrong"].format(reply=reply), winner=O, back=back)


def _fork_boards(captions: Iterable[str]) -> tuple[SmallBoard, ...]:
    """Return the boards after both forks, with the threats that each makes."""
    boards = []
    for (board, square), caption in zip(FORKS, captions, strict=True):
        position = board.play(square)
        boards.append(SmallBoard(position, square, caption, threats(position, board.turn)))
    return tuple(boards)


# Screen 9: Losing? Make it last

LOST_POSITION = Position.parse("OX--O--X-")


@cache
def lost_tree(path: Path = ()) -> Node:
    """Return the tree of a lost board: its moves and the best reply to each, with turns counted."""
    position = LOST_POSITION.after(path)
    squares: tuple[Square, ...] = ()
    if not path:
        squares = position.legal_moves()
    elif len(path) == 1:
        squares = best_moves(position)[:1]
    return Node(
        path=path,
        content=position,
        value=value(position, len(path), "depth"),
        is_max=position.turn == X,
        below=tuple(lost_tree((*path, square)) for square in squares),
    )


def make_it_last(state: State) -> TreeScreen:
    """Return screen 9: five losing moves, the reply to each, and the move X takes."""
    words, tree = WORDS["9"], lost_tree()
    opened_nodes = [node for node in tree.below if node.digits in state.seen_presses]
    node_in_view = tree.at((int(state.view),)) if state.view else None
    has_opened_all = len(opened_nodes) == len(tree.below)
    best_child = chosen_child(tree)
    is_done = best_child.digits in state.kept_presses
    markings = Markings(opened_nodes)
    for node in tree.below:
        marking = markings[node.digits]
        marking["target"] = _after_click(node, state, has_opened_all)
        if node == node_in_view:
            marking["role"] = "in view"
        elif not is_done and (has_opened_all or node not in opened_nodes):
            marking["role"] = "candidate"
        if node in opened_nodes:
            markings.mark_choice(node, is_new=node == node_in_view)
        else:
            marking["chip"] = UNKNOWN
            markings[node.below[0].digits] = {"is_covered": True}
    markings[""]["chip"] = UNKNOWN
    if is_done:
        chip = score_chip(tree.value)
        markings[""]["chip"] = chip
        markings[best_child.digits] |= {"role": "chosen", "edge": backed_up(chip), "is_new": True}
    bubble = None
    if opened_nodes:
        words = words | {"intro": words["all" if has_opened_all else "after"]}
        bubble = _loss_bubble(state, node_in_view, has_opened_all, is_done)
    return TreeScreen(
        words=words,
        tree=markings.on(tree),
        bubble=bubble,
        findings=tuple(
            Finding(score_chip(node.value), move_name(node.digits), "") for node in opened_nodes
        ),
        is_solved=is_done,
    )


def _after_click(node: Node, state: State, has_opened_all: bool) -> State:
    """Return the state after a click on a move: opened or, once all are open, chosen."""
    if has_opened_all:
        is_right = node is chosen_child(lost_tree())
        return state._replace(view="").choose(node.digits, is_right)
    opened_moves, quick_losses = {*state.seen_presses, node.digits}, _quick_losses()
    if len(opened_moves & quick_losses) > 1:  # two make the point, so the others open with them
        opened_moves |= quick_losses
    return State(tuple(sorted(opened_moves)), view=node.digits)


def _quick_losses() -> set[str]:
    """Return the moves of screen 9 that lose sooner than necessary."""
    return {node.digits for node in lost_tree().below if node.value < lost_tree().value}


def _loss_bubble(
    state: State, node_in_view: Node | None, has_opened_all: bool, is_done: bool
) -> Bubble:
    """Return screen 9's bubble: the value of the move in view, or the verdict on X's choice."""
    words = WORDS["9"]
    if is_done:
        question = ""
    elif has_opened_all:
        question = words["question"]
    else:
        only_last_is_left = _quick_losses() <= {*state.seen_presses}
        question = words["rest" if only_last_is_left else "another"]
    if not node_in_view:
        remark = words["low"] if state.wrong_press else ""
        return Bubble(0, words["right"] if is_done else remark, question, is_right=is_done)
    loses_last = node_in_view.value == lost_tree().value
    facts = {"value": signed(node_in_view.value), "turns": WIN + node_in_view.value}
    return Bubble(
        tip_position(lost_tree(), node_in_view.digits),
        words["late" if loses_last else "soon"].format(**facts),
        question,
        boards=play_to_end(node_in_view.below[0].position, 3) if loses_last else (),
    )


# Screen 12: pruning boards. The trees of numbers that follow are in alpha_beta.py.

AT_MOST_MINUS_1 = Chip("≤ −1", O)  # O has found a win, which no other leaf can take away
LOW_NUMBER = "-5"  # the number for under the cover that is lower than what O has found


def prune_boards(state: State) -> TreeScreen:
    """Return the first part of screen 12: try numbers for a leaf, prune it, then prune another."""
    words, tree = WORDS["12"], build_tree(MAIN_BOARD, {"": "325", "5": "32"})
    middle_left, top_right, middle_right = tree.below
    has_pruned_one, has_pruned_both = "cut" in state.kept_presses, "too" in state.kept_presses
    markings = Markings(tree.walk())
    markings.mark_choice(middle_left)
    markings.mark_choice(top_right)
    markings[top_right.digits]["chip"] = AT_MOST_MINUS_1
    if not has_pruned_both:
        markings[""]["chip"] = Chip("≥ 0", "nobody")  # middle right may still be better
    if has_pruned_one:
        _mark_pruned(markings, top_right, is_new=not has_pruned_both)
        markings.mark_choice(middle_right, is_new=not has_pruned_both)
        markings[middle_right.digits]["chip"] = AT_MOST_MINUS_1
    bubble = None
    if has_pruned_both:
        _mark_pruned(markings, middle_right, is_new=True)
    elif has_pruned_one:
        bubble = _offer_second_cutoff(markings, tree, state)
    else:
        _cover_subtree(markings, middle_right)
        markings[top_right.digits]["role"] = "in view"
        bubble = _offer_numbers(markings, tree, state)
    chips = score_chip(0), score_chip(-1), score_chip(-1) if has_pruned_one else UNKNOWN
    texts = words["findings_cut" if has_pruned_one else "findings"]
    return TreeScreen(
        words=words,
        bubble=bubble,
        tree=markings.on(tree),
        findings=tuple(Finding(chip, "", text) for chip, text in zip(chips, texts, strict=True)),
        cards=(Card("", words["done"], is_right=True),) if has_pruned_both else (),
        onward=Link(words["onward"], State(view="numbers")) if has_pruned_both else None,
    )


def _mark_pruned(markings: Markings, node: Node, is_new: bool) -> None:
    """Mark the second leaf of a node as pruned."""
    markings[node.below[1].digits] = {
        "is_covered": True,
        "role": "irrelevant",
        "edge": CUT_OFF,
        "is_new": is_new,
    }


def _cover_subtree(markings: Markings, subtree: Node) -> None:
    """Cover the leaves of a subtree, which the search has not reached yet."""
    for node in subtree.walk():
        markings[node.digits] = {"chip": UNKNOWN, "is_covered": not node.below}
        if node.below:
            markings[node.digits]["role"] = "irrelevant"


def _offer_second_cutoff(markings: Markings, tree: Node, state: State) -> Bubble:
    """Cover the last leaf below middle right, and return a bubble that offers to prune it."""
    words, middle_right = WORDS["12"], tree.below[2]
    markings[middle_right.digits]["role"] = "in view"
    covered_leaf = middle_right.below[1].digits
    markings[covered_leaf] = {"is_covered": True, "role": "candidate", "cover_text": "?"}
    prune_link = Link(words["prune"], state.press("too"), is_action=True)
    return Bubble(tip_position(tree, covered_leaf), words["too"], choices=(prune_link,))


def _offer_numbers(markings: Markings, tree: Node, state: State) -> Bubble:
    """Mark the number put under the cover, if any, and return a bubble that offers all of them.

    Once the low number and another have been tried, the bubble also offers to prune.
    """
    words, node, number = WORDS["12"], tree.below[1], state.last_press
    open_leaf, covered_leaf = node.below
    chips = {press: score_chip(int(press)) for press in words["dial"]}
    markings[covered_leaf.digits] = {"is_covered": True, "role": "candidate", "cover_text": "?"}
    if number:
        markings[node.digits]["chip"] = score_chip(node.value)
        markings[covered_leaf.digits]["cover_text"] = chips[number].text
        if int(number) < node.value:
            markings[node.digits]["chip"] = chips[number]
            markings[open_leaf.digits].pop("edge")
            markings[open_leaf.digits]["role"] = "irrelevant"
            markings[covered_leaf.digits] |= {"edge": backed_up(chips[number]), "is_new": True}
    choices = [
        Link(chip.text, state.press(press), is_current=press == number, favored=chip.favored)
        for press, chip in chips.items()
    ]
    has_set_low = LOW_NUMBER in state.kept_presses
    can_prune = has_set_low and len(state.kept_presses) > 1
    if can_prune:
        choices.append(Link(words["prune"], state.press("cut"), is_action=True))
        request = words["idle"]
    else:
        request = words["another" if has_set_low else "five"]
    remark = words["dial"][number] + request if number else words["begin"]
    return Bubble(tip_position(tree, covered_leaf.digits), remark, choices=tuple(choices))


# Screen 13: Best move first


def split_leaves(tree: Node) -> tuple[list[Node], list[Node]]:
    """Return the leaves that alpha-beta evaluates, and those that it prunes."""
    evaluated_paths = {step.path for step in run(tree, "alpha-beta").steps if step.kind == "leaf"}
    evaluated = [leaf for leaf in tree.leaves if leaf.path in evaluated_paths]
    return evaluated, [leaf for leaf in tree.leaves if leaf.path not in evaluated_paths]


def tree_with_first(move: str) -> Node:
    """Return the tree of MAIN_BOARD with X's `move` first, if any, and O's best replies first."""
    moves = move + to_digits(MAIN_BOARD.legal_moves()).replace(move, "")
    return build_tree(MAIN_BOARD, {"": moves, "3": "52", "5": "32"})


def best_move_first(state: State) -> TreeScreen:
    """Return screen 13: the same tree, searched in the order that the learner chooses."""
    words, first_move = WORDS["13"], state.last_press
    tree = tree_with_first(first_move)
    best_move = chosen_child(tree).digits
    markings = Markings()
    if first_move:
        markings = Markings(tree.walk())
        _, pruned_leaves = split_leaves(tree)
        for leaf in pruned_leaves:
            markings[leaf.digits] = {"chip": UNKNOWN, "role": "irrelevant", "edge": CUT_OFF}
            markings[leaf.digits[:-1]]["chip"] = AT_MOST_MINUS_1
    for node in tree.below:
        if node.digits != first_move:
            markings[node.digits] |= {"role": "candidate", "target": state.press(node.digits)}
    is_done = best_move in state.kept_presses and len(state.kept_presses) > 1
    bubble = None
    if first_move and not is_done:
        remark = words["best" if first_move == best_move else "other"]
        bubble = Bubble(2, remark, words["another"])  # at the first of the three moves
    return TreeScreen(
        words=words | {"intro": words["solved"]} if is_done else words,
        tree=markings.on(tree),
        bubble=bubble,
        is_solved=is_done,
        leaf_counts=() if is_done else _leaf_counts(state),
    )


def _leaf_counts(state: State) -> tuple[LeafCount, ...]:
    """Return the number of leaves evaluated with each of the moves that the learner put first."""
    counts = []
    for move in sorted(state.kept_presses):
        evaluated_leaves, _ = split_leaves(tree_with_first(move))
        is_in_view = move == state.last_press
        counts.append(LeafCount(move_name(move), len(evaluated_leaves), is_in_view))
    return tuple(counts)
