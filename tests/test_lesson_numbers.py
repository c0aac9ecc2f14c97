"""The numbers of the lesson: its trees, windows, scores, odds and counts match the textbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.position import SQUARE_NAMES, Position
from teach.lesson import alpha_beta, boards, machine
from teach.lesson.boards import MAIN_BOARD, BoardTask
from teach.lesson.screen import WORDS, State
from teach.lesson.screens import SCREENS, states
from teach.trees import Node, tree
from tests import textbook
from tests.conftest import text_of
from tests.counts import search_costs
from tests.lesson_pages import open_page, texts_of


def result_for_x(board: str) -> int:
    """Return 1 if X wins a board with best play, 0 for a draw, and -1 if O wins."""
    return textbook.sign(textbook.minimax(board, "X"))


def screens_of(number: str) -> Mapping[State, Any]:
    """Return a screen in every state, as Any, because its parts depend on its kind."""
    return states(number)


def marks_on(lesson_screen: Any) -> str:
    """Return the large board of a screen, as nine characters."""
    return "".join(square.mark or "-" for square in lesson_screen.board)


# Trees of boards

SCREEN_THAT_COUNTS_TURNS = "9"


def board_nodes(number: str) -> Iterator[Node]:
    """Yield the nodes of all trees of boards on a screen, in every state of the screen."""
    for lesson_screen in states(number).values():
        drawn_tree = getattr(lesson_screen, "tree", None)
        if drawn_tree and drawn_tree.root.has_board:
            yield from drawn_tree.root.walk()


@pytest.mark.parametrize("number", SCREENS)
def test_every_value_in_every_tree_matches_the_textbook(number: str) -> None:
    for node in board_nodes(number):
        board = str(node.position)
        if number == SCREEN_THAT_COUNTS_TURNS:
            assert node.value == textbook.minimax(board, "X", len(node.path))
        else:
            assert node.value == result_for_x(board)


@pytest.mark.parametrize("number", SCREENS)
def test_every_side_to_move_in_every_tree_matches_the_textbook(number: str) -> None:
    for node in board_nodes(number):
        turn = textbook.turn(str(node.position))
        assert node.mover == (turn if node.below else None)
        assert node.is_max == (turn == "X")


@pytest.mark.parametrize("number", SCREENS)
def test_every_node_has_all_its_moves_or_on_screen_9_one_best_reply(number: str) -> None:
    for node in board_nodes(number):
        squares = {child.path[-1] for child in node.below}
        scores = textbook.move_scores(str(node.position))
        if squares and node.path and number == SCREEN_THAT_COUNTS_TURNS:
            assert [scores[square] for square in squares] == [max(scores.values())]
        elif squares:
            assert squares == {*scores}


def test_negamax_returns_the_value_for_the_side_to_move() -> None:
    for board in ("O-XX--XOO", "OX--X-OOX", "-X---XOOX"):
        root = tree(Position.parse(board))
        assert machine.negamax(root) == max(textbook.move_scores(board).values())


# Boards to play on

BOARD_TASKS = {
    "1": boards.TASK_1,
    "2": boards.TASK_2,
    "7": boards.TASK_7,
    "8": boards.TASK_8,
    "14": boards.TASK_14,
}


def task_of(number: str, state: State) -> BoardTask:
    """Return the board that a state of a screen begins with; screen 3 has two."""
    if number == "3":
        return boards.TASK_3_SECOND if state.view else boards.TASK_3_FIRST
    return BOARD_TASKS[number]


@pytest.mark.parametrize("number", [*BOARD_TASKS, "3"])
def test_every_reply_keeps_the_best_result_of_its_side(number: str) -> None:
    for state, lesson_screen in screens_of(number).items():
        board = marks_on(lesson_screen)
        if len(state.kept_presses) == 1 and not textbook.is_over(board):
            root = str(task_of(number, state).root)
            board_before_reply = textbook.children(root)[int(state.kept_presses[0])]
            assert result_for_x(board) == result_for_x(board_before_reply)


def random_win_chance(board: str, side: str) -> Fraction:
    """Return the chance of a side to win if both sides play at random."""
    child_boards = textbook.children(board).values()
    if not child_boards:
        return Fraction(textbook.winner(board) == side)
    chances = (random_win_chance(child, side) for child in child_boards)
    return sum(chances, Fraction()) / len(child_boards)


BOARD_7 = str(boards.TASK_7.root)


def test_top_right_on_screen_7_loses_although_it_has_the_best_odds() -> None:
    scores = textbook.move_scores(BOARD_7)
    assert scores == {0: 0, 1: -6, 2: -4, 4: -6, 6: 0, 8: -4}
    children = textbook.children(BOARD_7)
    chances = {square: random_win_chance(child, "O") for square, child in children.items()}
    assert max(chances, key=lambda square: chances[square]) == int(boards.TEMPTING_SQUARE) == 2
    assert chances[2] == Fraction(1, 2)
    assert all(chances[drawing_square] < chances[2] for drawing_square in (0, 6))


def test_screen_7_says_that_top_right_wins_more_often() -> None:
    words = WORDS["7"]
    assert "If both guess, top right wins half the games." in words["intro"]
    assert "top right wins more often" in words["answers"]["1 right"]["text"]


def test_top_right_on_screen_7_runs_into_a_fork_in_three_presses() -> None:
    board = textbook.children(BOARD_7)[2]
    for square in (8, 6, 4):  # X bottom right, O stops it, X center
        scores = textbook.move_scores(board)
        best_squares = [other for other in scores if scores[other] == max(scores.values())]
        assert best_squares == [square]
        board = textbook.children(board)[square]
    assert len(textbook.winning_squares(board, "X")) == 2
    screens = screens_of("7")
    assert marks_on(screens[State(kept_presses=("2", "6"))]) == board
    for last_square in textbook.children(board):
        end = screens[State(kept_presses=("2", "6", str(last_square)))]
        assert textbook.winner(marks_on(end)) == "X"


def test_screen_8_prefers_fast_wins() -> None:
    assert textbook.move_scores(str(boards.TASK_8.root)) == {0: -8, 1: 7, 5: 9}
    score_chips = {(0, "−8"), (1, "7"), (5, "★ 9")}
    for state, lesson_screen in screens_of("8").items():
        squares = enumerate(lesson_screen.board)
        chips = {(number, square.chip.text) for number, square in squares if square.chip}
        assert state.view != "turns" or chips <= score_chips


BOARD_9 = "OX--O--X-"


def test_on_screen_9_bottom_right_loses_last_and_only_to_one_of_four_replies() -> None:
    assert textbook.move_scores(BOARD_9) == {2: -8, 3: -8, 5: -8, 6: -8, 8: -6}
    reply_scores = textbook.move_scores(textbook.children(BOARD_9)[8])
    assert [square for square, score in reply_scores.items() if score > 0] == [6]
    assert len(reply_scores) == 4


def test_after_any_other_square_of_screen_9_one_reply_wins_at_once() -> None:
    for square, child in textbook.children(BOARD_9).items():
        if square != 8:
            assert [*textbook.move_scores(child).values()].count(9) == 1


def test_screen_9_plays_bottom_right_out_with_the_best_moves_until_o_wins() -> None:
    lesson_screen = screens_of("9")[State(seen_presses=("8",), view="8")]
    board_after_reply = textbook.children(textbook.children(BOARD_9)[8])[6]
    assert str(lesson_screen.tree.root.at((8, 6)).position) == board_after_reply
    small_boards = [str(board.position) for board in lesson_screen.bubble.boards]
    line = [board_after_reply, *small_boards]
    assert textbook.winner(line[-1]) == "O" and len(line) == 3
    for before, after in pairwise(line):
        scores = textbook.move_scores(before)
        (square,) = (square for square in range(9) if before[square] != after[square])
        assert scores[square] == max(scores.values())


# Alpha-beta on screen 12

TREE_12: dict[int, textbook.Tree] = {
    0: {0: 3, 1: 12, 2: 8},
    1: {0: 2, 1: 4, 2: 6},
    2: {0: 14, 1: 5, 2: 2},
}
SEARCH_12 = textbook.Windows(TREE_12)
ADDRESS_BEFORE_LAST_LEAF = "12?p=cut&p=next&at=numbers"
ADDRESS_AFTER_SEARCH = "12?p=cut&p=next&p=last&at=numbers"


def test_screen_12_shows_the_windows_after_the_search(client: FlaskClient) -> None:
    windows = {path: SEARCH_12.on_exit[path] for path in [(), (0,), (1,), (2,)]}
    assert windows == {(): (3, inf), (0,): (-inf, 3), (1,): (3, 2), (2,): (3, 2)}
    page = open_page(client, ADDRESS_AFTER_SEARCH)
    assert texts_of(page, ".window") == ["[3, +∞]", "[−∞, 3]", "[3, 2]", "[3, 2]"]


def test_screen_12_covers_the_pruned_leaves(client: FlaskClient) -> None:
    assert SEARCH_12.pruned_children == {(1,): ((1, 1), (1, 2)), (2,): ()}
    page = open_page(client, ADDRESS_AFTER_SEARCH)
    assert [cover["id"] for cover in page.select(".covered > .shape")] == ["n11", "n12"]


def test_screen_12_shows_the_values_that_the_search_returns(client: FlaskClient) -> None:
    """Until a node returns, it shows its best value so far, as a bound."""
    assert SEARCH_12.value == 3
    final_page = open_page(client, ADDRESS_AFTER_SEARCH)
    assert texts_of(final_page, ".worth > .chip") == ["3", "3", "≤ 2", "2"]
    earlier_page = open_page(client, ADDRESS_BEFORE_LAST_LEAF)
    assert texts_of(earlier_page, ".worth > .chip") == ["≥ 3", "3", "≤ 2", "≤ 5"]


def test_the_sentences_of_screen_12_are_true() -> None:
    words = WORDS["12"]["numbers"]
    inner_node_count = 4
    assert len(SEARCH_12.on_entry) - inner_node_count == 7
    assert "7 of 9 leaves were enough" in words["done"]
    assert SEARCH_12.pruned_children[2,] == () and "nothing is left to prune" in words["done"]
    alpha, beta = textbook.Windows({**TREE_12, 2: {0: 14, 1: 5}}).on_exit[2,]
    assert f"At _D_, α is {alpha} and β is {beta}" in words["at_d"]


def test_if_the_last_leaf_of_screen_12_were_4_the_root_would_be_4() -> None:
    assert "If it were 4, _A_ would be 4" in WORDS["12"]["numbers"]["early"]
    assert textbook.Windows({**TREE_12, 2: {0: 14, 1: 5, 2: 4}}).value == 4


@pytest.mark.parametrize("covered_value", range(-9, 10))
def test_alpha_beta_prunes_on_a_tie_as_screen_12_says(covered_value: int) -> None:
    """It does so whatever value is covered."""
    tie_tree: textbook.Tree = {0: 0, 1: {0: 0, 1: covered_value}}
    search = textbook.Windows(tie_tree, is_max=False)
    assert (search.value, search.on_exit[1,]) == (0, (0, 0))
    assert search.pruned_children == {(1,): ((1, 1),)}


@pytest.mark.parametrize("covered_value", range(-9, 10))
def test_without_the_tie_of_screen_12_alpha_beta_prunes_nothing(covered_value: int) -> None:
    search = textbook.Windows({0: 0, 1: {0: -1, 1: covered_value}}, is_max=False)
    assert search.pruned_children.get((1,), ()) == ()


def test_the_tree_with_a_tie_on_screen_12_is_worth_0_to_min() -> None:
    assert alpha_beta.TIE_TREE.value == 0 and not alpha_beta.TIE_TREE.is_max


# Counts


def test_node_counts_in_the_lesson_match_the_searches() -> None:
    costs = search_costs(Position(), "flat")
    bars = [costs.plain, costs.alpha_beta, costs.best_first]
    assert [*WORDS["13"]["card"]["bars"].values()] == bars
    assert [*WORDS["11"]["counts"].values()] == [costs.plain, costs.memoized, costs.symmetric]


@pytest.mark.parametrize("bet", ["5", "50", "500"])
def test_areas_on_screen_11_are_in_proportion(client: FlaskClient, bet: str) -> None:
    """The square of 200 units stands for all nodes."""
    page = open_page(client, f"11?p={bet}")
    counts = [*WORDS["11"]["counts"].values(), int(bet) * 1000]
    widths = [float(rect["width"]) for rect in page.select(".areas rect")]
    areas = [(width / 200) ** 2 * 549_946 for width in widths]
    assert areas == pytest.approx(counts, rel=0.02)
    assert text_of(page.select_one("li.bet")) == f"{bet},000 your bet"


@pytest.mark.parametrize(
    ("first_move", "leaf_count", "node_count", "sentence"),
    [
        (3, 4, 10, "Best move first: 4 leaves are enough."),
        (2, 5, 12, "Otherwise 5."),
        (5, 5, 12, "Otherwise 5."),
    ],
)
def test_the_number_of_leaves_visited_depends_on_the_first_move(
    client: FlaskClient, first_move: int, leaf_count: int, node_count: int, sentence: str
) -> None:
    main_tree = textbook.ordered_tree(textbook.tree_of(str(MAIN_BOARD), flat=True), "best")
    assert isinstance(main_tree, dict)
    moves = (first_move, *sorted({*main_tree} - {first_move}))
    search = textbook.Search({move: main_tree[move] for move in moves}, pruning=True)
    kinds = [step.kind for step in search.steps]
    assert kinds.count("leaf") == leaf_count
    assert kinds.count("leaf") + kinds.count("enter") == node_count
    assert sentence in WORDS["13"]["solved"]
    counts = text_of(open_page(client, f"13?p={first_move}").select_one(".counts"))
    assert f"{leaf_count} leaves {SQUARE_NAMES[first_move]} first" in counts
