"""The tree as pages draw it, and what four ways to score it choose, against the textbook."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from engine.position import Position
from engine.symmetry import canonical
from teach.rules import Rule, picks
from teach.trees import Node, is_small, tree
from tests import textbook
from tests.positions import DIFFERENT, TO_PLAY, one_in

CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip


# What is drawn


def test_up_to_four_empty_squares_a_tree_is_whole_and_above_it_has_one_level() -> None:
    for position in one_in(4, DIFFERENT):
        root = tree(position)
        assert is_small(position) == (str(position).count("-") <= 4)
        assert root.levels == 1 or is_small(position)
        assert len(root.leaves) <= 24
        assert len(root.below) == len(textbook.children(str(position)))
        for node in root.walk():
            assert node.position == position.after(node.path)
            assert node.is_max == (len(node.path) % 2 == 0)
            assert node.who == (textbook.turn(str(node.position)) if node.below else None)
            assert node.over == (
                textbook.over(str(node.position)) or (not is_small(position) and node.path != ())
            )


def test_a_node_is_found_by_its_path_and_a_board_by_its_node() -> None:
    root = tree(CLASSIC)
    assert all(root.at(node.path) is node for node in root.walk())
    with pytest.raises(KeyError):
        root.at((4, 1))
    with pytest.raises(TypeError):
        _ = Node((), None, 3, is_max=True).position


@pytest.mark.long
def test_merged_nodes_stand_for_all_their_mirror_images() -> None:
    for position in TO_PLAY:
        for node in tree(position, merged=True).walk():
            shown = [child.squares for child in node.below]
            if shown:
                assert sorted(sum(shown, ())) == list(node.position.legal_moves())
            for squares, child in zip(shown, node.below, strict=True):
                same = {canonical(node.position.play(square)) for square in squares}
                assert same == {canonical(child.position)}
            assert len({canonical(child.position) for child in node.below}) == len(shown)


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
    assert picks(Position.parse("XXXOO----")) == (), "over, so there is nothing to choose"
    for position in one_in(8, TO_PLAY):
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


def test_the_fatalist_does_not_block_where_x_is_about_to_win_in_two_ways() -> None:
    #    | X |       O to move. X wins at top right now; block it, and X takes the centre and
    #    |   | X     threatens two.
    #  O | O | X
    found = {pick.rule: pick for pick in picks(Position.parse("-X---XOOX"))}
    assert {rule: (pick.square, pick.open) for rule, pick in found.items()} == {
        "flat": (0, (2,)),
        "score less depth": (4, (2,)),  # it hurries to lose
        "ten less depth": (2, ()),
        "turns": (2, ()),
    }
    assert found["flat"].values == {0: -1, 2: -1, 3: -1, 4: -1}
    assert found["turns"].values == {0: -8, 2: -6, 3: -8, 4: -8}
