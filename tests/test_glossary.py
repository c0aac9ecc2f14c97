"""The glossary: its pictures match the textbook, and its terms are the standard ones."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

import pytest
from flask.testing import FlaskClient

from engine.position import LINES
from teach.lesson.screen import WORDS
from teach.lesson.terms import terms
from teach.markings import CUT_OFF, Marking
from tests import textbook
from tests.conftest import text_of
from tests.lesson_pages import open_page


def test_every_term_has_a_picture_few_words_and_a_link(client: FlaskClient) -> None:
    page = open_page(client, "words")
    for id_, term in WORDS["terms"].items():
        (entry,) = page.select(f"#{id_}")
        assert len(term["text"].split()) <= 31, id_
        assert entry.select(".drawings > :is(.tree, .mini)")
        (link,) = entry.select("a")
        assert client.get(link["href"]).status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        *("ply", "utility", "terminal node", "evaluation function", "window", "horizon"),
        *("move ordering", "transposition table", "expectimax", "root", "leaf", "cutoff"),
    ],
)
def test_the_glossary_has_the_standard_term(client: FlaskClient, name: str) -> None:
    assert name in text_of(open_page(client, "words").select_one("main")).lower()


# Trees: the root has two children, with two leaves each

LEAVES = ((3, 12), (2, 4))
LEFT, RIGHT = (min(leaves) for leaves in LEAVES)
SEARCH = textbook.Windows({move: dict(enumerate(leaves)) for move, leaves in enumerate(LEAVES)})


def markings_of(id_: str) -> Mapping[str, Marking]:
    """Return the markings of the tree that illustrates a term, by the digits of a path."""
    drawn_tree = terms()[id_].tree
    assert drawn_tree and terms()[id_].names
    return drawn_tree.markings


def chips_of(id_: str) -> dict[str, str]:
    """Return the texts of the chips in the tree of a term, by the digits of a path."""
    markings = markings_of(id_).items()
    return {digits: marking["chip"].text for digits, marking in markings if "chip" in marking}


def test_minimax_and_negamax_show_the_values_of_the_inner_nodes() -> None:
    root = max(LEFT, RIGHT)
    assert chips_of("minimax") == {"": f"{root}", "0": f"{LEFT}", "1": f"{RIGHT}"}
    assert chips_of("negamax") == {"": f"{root}", "0": f"−{LEFT}", "1": f"−{RIGHT}"}


def test_expectimax_shows_the_means_of_the_leaves() -> None:
    left, right = (sum(leaves) / 2 for leaves in LEAVES)
    assert chips_of("expectimax") == {
        "": f"{max(left, right):g}",
        "0": f"{left:g}",
        "1": f"{right:g}",
    }


def test_alpha_and_beta_show_the_bounds_before_the_last_leaf() -> None:
    assert chips_of("alpha")[""] == f"≥ {LEFT}"
    assert chips_of("beta")["1"] == f"≤ {LEAVES[1][0]}"


def test_cutoff_prunes_the_last_leaf_which_cannot_change_the_root() -> None:
    markings = markings_of("cutoff").items()
    pruned = [digits for digits, marking in markings if marking.get("edge") == CUT_OFF]
    assert pruned == ["11"]
    assert LEAVES[1][0] <= LEFT


@pytest.mark.parametrize(("move", "window"), [(0, (-inf, inf)), (1, (LEFT, inf))])
def test_window_shows_the_windows_on_entry(move: int, window: tuple[float, float]) -> None:
    frame = markings_of("window")[str(move)]["frame"]
    assert frame and (frame.alpha, frame.beta) == SEARCH.on_entry[move,] == window


# Boards


def test_estimates_count_the_open_lines() -> None:
    """Each line with only this mark counts 1."""
    (picture,) = terms()["estimate"].boards
    for square, (text, side) in picture.values.items():
        line_count = sum(square in line for line in LINES)
        assert (text, side) == (f"~+{line_count}", "X")


def test_scores_are_for_x() -> None:
    for picture in (*terms()["score"].boards, *terms()["memo"].boards):
        board = str(picture.board)
        sign = 1 if textbook.turn(board) == "X" else -1
        for square, score in textbook.move_scores(board).items():
            text, _ = picture.values[square]
            assert int(text.replace("−", "-")) == sign * score


def test_the_fork_is_made_by_its_last_move() -> None:
    """Before that move, X could not win at once."""
    (picture,) = terms()["fork"].boards
    assert picture.last_square is not None and len(picture.threatened) == 2
    squares = list(str(picture.board))
    squares[picture.last_square] = "-"
    assert not textbook.winning_squares("".join(squares), "X")


# Definitions that hold in every setting


def test_a_leaf_at_a_depth_limit_is_not_called_a_terminal_node() -> None:
    leaf = terms()["leaf"]
    assert not leaf.book and "depth limit" in leaf.text


def test_other_names_of_a_cutoff_are_in_its_text() -> None:
    cutoff = terms()["cutoff"]
    assert not cutoff.book and "Also called" in cutoff.text


def test_a_value_equal_to_a_bound_changes_nothing_as_the_glossary_says() -> None:
    text = terms()["window"].text
    assert "only a value between them" in text and "brackets" in text
    search = textbook.Windows({0: {0: 3, 1: 12}, 1: {0: 3, 1: 4}})
    assert search.on_exit[1,] == (3, 3) and search.value == 3


def test_the_horizon_effect_is_said_to_postpone_a_loss() -> None:
    assert "postpone" in terms()["horizon"].text


def test_perfect_play_in_books_is_said_to_ask_for_less_than_that_of_perfect() -> None:
    assert "stop there" in terms()["perfect-play"].text
