"""The tree as pages draw it, and what four ways to score it choose, against the textbook."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise, product

import pytest

from engine.position import Position
from engine.search import best_moves
from engine.symmetry import canonical
from teach.rules import Rule, picks
from teach.searches import (
    ALGORITHMS,
    ORDERS,
    SCORINGS,
    Algorithm,
    Order,
    Path,
    Scoring,
    is_small,
    run,
)
from teach.trees import TreeNode, run_tree, tree
from tests import textbook
from tests.positions import TO_PLAY, UNFINISHED

SMALL = [position for position in TO_PLAY if position.ply >= 5]
MERGED = [True, False]

CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip


def worth(root: Position, node: TreeNode, scoring: Scoring) -> int:
    """Return what a node is worth to the side to move at the root, as the textbook has it."""
    return textbook.worth(str(node.position), root.turn, len(node.path), scoring == "flat")


def line_of(root: TreeNode) -> list[TreeNode]:
    """Return the chosen nodes, each a child of the one before."""
    chosen = [node for node in root.walk() if node.chosen]
    for above, below in pairwise(chosen):
        assert below in above.below
    return chosen


# What is drawn


@pytest.mark.long
@pytest.mark.parametrize("merged", MERGED)
@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_node_has_the_textbooks_value_the_highest_or_lowest_of_those_below(
    merged: bool, scoring: Scoring
) -> None:
    for root in TO_PLAY:
        for node in tree(root, merged, scoring).walk():
            assert node.position == root.after(node.path)
            assert (node.stage, node.bound) == ("searched", "exact")
            assert node.value == worth(root, node, scoring)
            if node.below:
                pick = max if len(node.path) % 2 == 0 else min
                assert node.value == pick(child.value or 0 for child in node.below)


@pytest.mark.long
def test_up_to_four_empty_squares_a_tree_is_whole_and_above_it_has_one_level() -> None:
    for root in UNFINISHED:
        nodes = list(tree(root, merged=False, scoring="depth").walk())
        assert is_small(root) == (str(root).count("-") <= 4)
        if is_small(root):
            whole = [path for path, _ in every_node(str(root))]
            assert [node.path for node in nodes] == whole
            assert sum(not node.below for node in nodes) <= 24
        else:
            assert max(len(node.path) for node in nodes) == 1
            assert [len(node.below) for node in nodes[:1]] == [str(root).count("-")]


def every_node(board: str, path: Path = ()) -> list[tuple[Path, str]]:
    below = [every_node(child, (*path, s)) for s, child in textbook.children(board).items()]
    return [(path, board), *(node for nodes in below for node in nodes)]


@pytest.mark.long
def test_merged_nodes_stand_for_all_their_mirror_images() -> None:
    for root in TO_PLAY:
        for node in tree(root, merged=True, scoring="depth").walk():
            shown = [(node.path[-1], *node.mirrors) for node in node.below]
            if shown:
                assert sorted(sum(shown, ())) == list(node.position.legal_moves())
            for squares, child in zip(shown, node.below, strict=True):
                same = {canonical(node.position.play(square)) for square in squares}
                assert same == {canonical(child.position)}
            assert len({canonical(child.position) for child in node.below}) == len(shown)


@pytest.mark.long
def test_the_line_of_best_play_is_one_that_perfect_play_might_take() -> None:
    for root, merged in product(TO_PLAY, MERGED):
        line = line_of(tree(root, merged, "depth"))
        assert len({node.value for node in line}) == 1
        for above, node in pairwise(line):
            assert {node.path[-1], *node.mirrors} & set(best_moves(above.position))
        assert line[-1].position.outcome() or not is_small(root)


def test_flat_scores_go_for_the_first_of_equals() -> None:
    #    | X |       O to move has lost whatever it does.
    #    |   | X
    #  O | O | X
    position = Position.parse("-X---XOOX")
    assert [node.path for node in line_of(tree(position, False, "flat"))][1] == (0,)
    assert [node.path for node in line_of(tree(position, False, "depth"))][1] == (2,)


def test_a_finished_game_is_a_tree_of_one_node() -> None:
    (only,) = tree(Position.parse("XXXOO----"), merged=True, scoring="depth").walk()
    assert (only.path, only.value, only.below) == ((), -10, ())


# A search on its way


@pytest.mark.long
@pytest.mark.parametrize(
    ("algorithm", "scoring", "order"), list(product(ALGORITHMS, SCORINGS, ORDERS))
)
def test_after_every_step_each_node_is_where_the_textbooks_search_has_it(
    algorithm: Algorithm, scoring: Scoring, order: Order
) -> None:
    for root in SMALL[::12]:
        recorded = run(root, algorithm, scoring, order)
        search = textbook.Search(str(root), algorithm == "alpha-beta", scoring == "flat", order)
        paths = sorted(path for path, _ in every_node(str(root)))
        known: Known = {}
        for number, step in enumerate(search.steps, start=1):
            note(known, step)
            drawn = list(run_tree(recorded, number).walk())
            assert sorted(node.path for node in drawn) == paths
            for node in drawn:
                assert (node.stage, node.value, node.bound) == told_of(known, node.path)


Known = dict[Path, tuple[str, object, object]]


def note(known: Known, step: tuple[object, ...]) -> None:
    """Bring what is known of each node up to date with a step of the textbook's search."""
    match step:
        case "enter", tuple(path), value, _:
            known[path] = ("searched", value, "exact")
        case "back", tuple(path), value, bound, _, _:
            known[path] = ("searched", value, bound)
        case "cut", tuple(path), _, tuple(rest), _, _, _:
            known |= {(*path, square): ("cut", None, "exact") for square in rest}
        case "return", (), value:
            known[()] = ("searched", value, "exact")


def told_of(known: Known, path: Path) -> tuple[str, object, object]:
    if path in known:
        return known[path]
    above = [known.get(path[:turns], ("", None, None))[0] for turns in range(len(path))]
    return ("below a cut" if "cut" in above else "waiting", None, "exact")


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_line_of_play_is_the_one_that_brought_the_current_node_its_best(
    algorithm: Algorithm,
) -> None:
    for root in SMALL[::20]:
        recorded = run(root, algorithm, "depth", "squares")
        book = textbook.Search(str(root), algorithm == "alpha-beta", False, "squares")
        for step, stack in enumerate(book.stacks, 1):
            current, best = stack[-1] if stack else ((), recorded.value)
            line = line_of(run_tree(recorded, step))
            assert line[0].path == current
            if line[1:]:
                assert {node.value for node in line[1:]} == {best}
                assert line[-1].position.outcome()
            else:
                assert abs(best) > 99 or line[0].position.outcome()
        through = line_of(run_tree(recorded, len(recorded.steps)))
        assert through[1].path == (recorded.move,)


def test_play_goes_on_from_the_place_in_view() -> None:
    position = Position.parse("-X---XOOX")
    whole = tree(position, merged=False, scoring="depth", here=(0, 3))
    assert [node.path for node in line_of(whole)] == [(0, 3), (0, 3, 2), (0, 3, 2, 4)]


def test_the_order_of_the_search_is_the_order_of_the_nodes() -> None:
    first, *rest = run_tree(run(CLASSIC, "minimax", "depth", "best"), 0).below
    assert first.path == (4,)
    assert [node.path for node in rest] == [(1,), (5,)]


# Four ways to score the same ends

Score = Callable[[int, int], int]

# What an end is worth to the side that decides: it has won (1), lost (-1) or drawn on this turn.
BOOKS: dict[Rule, Score] = {
    "flat": lambda won, turn: won,
    "score less depth": lambda won, turn: 10 * won - turn + 1,
    "ten less depth": lambda won, turn: (11 - turn) * won,
    "turns": lambda won, turn: (10 - turn) * won,
}


def by_the_book(board: str, score: Score) -> dict[int, int]:
    """Value each move of a board by plain minimax with any score for its ends."""
    side = textbook.turn(board)

    @cache
    def value(board: str, turn: int) -> int:
        if textbook.over(board):
            winner = textbook.winner(board)
            return score(0 if winner is None else 1 if winner == side else -1, turn)
        pick = max if textbook.turn(board) == side else min
        return pick(value(child, turn + 1) for child in textbook.children(board).values())

    return {square: value(child, 1) for square, child in textbook.children(board).items()}


@pytest.mark.long
def test_each_rule_values_every_move_as_the_book_does_and_takes_the_first_of_the_highest() -> None:
    for position in TO_PLAY:
        found = picks(position)
        flat, turns = (by_the_book(str(position), BOOKS[rule]) for rule in ("flat", "turns"))
        differ = max(flat, key=flat.__getitem__) != max(turns, key=turns.__getitem__)
        assert [pick.rule for pick in found] == (list(BOOKS) if differ else []), position
        for pick in found:
            values = by_the_book(str(position), BOOKS[pick.rule])
            top = max(values.values())
            assert pick.values == values
            assert pick.square == min(square for square in values if values[square] == top)
            assert pick.ties == sum(value == top for value in values.values())
            after = position.play(pick.square)
            opponent_wins = [
                square
                for square, board in textbook.children(str(after)).items()
                if textbook.winner(board)
            ]
            assert list(pick.open) == opponent_wins


def test_there_is_nothing_to_choose_once_a_game_is_over() -> None:
    assert picks(Position.parse("XXXOO----")) == ()


def test_the_fatalist_does_not_block_where_x_is_about_to_win_in_two_ways() -> None:
    #    | X |       O to move. X wins at top right now; block it, and X takes the centre and
    #    |   | X     threatens two.
    #  O | O | X
    found = {pick.rule: pick for pick in picks(Position.parse("-X---XOOX"))}
    assert {rule: pick.square for rule, pick in found.items()} == {
        "flat": 0,
        "score less depth": 4,  # it hurries to lose
        "ten less depth": 2,
        "turns": 2,
    }
    assert found["flat"].values == {0: -1, 2: -1, 3: -1, 4: -1}
    assert found["turns"].values == {0: -8, 2: -6, 3: -8, 4: -8}
    assert {rule: pick.open for rule, pick in found.items()} == {
        "flat": (2,),
        "score less depth": (2,),
        "ten less depth": (),
        "turns": (),
    }
