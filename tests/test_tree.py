"""The tree as pages show it: its nodes, what alpha-beta saw of them, who would choose which."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.position import IllegalMoveError, Position, reachable
from engine.search import results
from engine.symmetry import branches, canonical, image
from engine.trace import SCORINGS, Cut, Path, Scoring, run, value
from engine.tree import Card, Met, cards, choices, follow, met_before, searched_cards
from tests import claims, textbook

pytestmark = pytest.mark.long

EVERY = list(reachable())
UNFINISHED = [position for position in EVERY if not position.outcome()]
DIFFERENT = [position for position in EVERY if position == canonical(position)]
EMPTY = Position()
MERGED = [True, False]


# The nodes


@pytest.mark.parametrize("merged", MERGED)
@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_cards_value_is_the_highest_or_lowest_of_its_cards(
    merged: bool, scoring: Scoring
) -> None:
    for root in DIFFERENT:
        first = cards(root, (), merged, scoring)
        if first:
            best = value(root, 0, scoring)
            assert best == max(card.value for card in first)
            best_moves = claims.best(str(root))
            assert all(card.starred == (card.square in best_moves) for card in first)
        for card in first:
            assert card.position == root.play(card.square)
            if below := cards(root, card.path, merged, scoring):
                assert card.value == min(leaf.value for leaf in below)
                assert any(leaf.starred for leaf in below)


def test_a_path_that_breaks_the_rules_is_refused() -> None:
    paths: list[Path] = [(0,), (1, 1), (9,), (3, 1, 4, 2, 5, 6)]
    for path in paths:
        with pytest.raises(IllegalMoveError):
            cards(Position.parse("X--------"), path, False, "depth")


# Positions met before


@pytest.mark.parametrize("merged", MERGED)
def test_each_position_of_three_levels_is_new_once_and_later_names_that_place(merged: bool) -> None:
    for root in DIFFERENT:
        level: list[Path] = [()]
        for _ in range(3):
            below = [
                (*path, branch.square)
                for path in level
                for branch in branches(follow(root, path), merged)
            ]
            new: dict[Position, Path] = {}
            for path in below:
                position = follow(root, path)
                same = canonical(position) if merged else position
                met = met_before(root, path, merged)
                if same not in new:
                    assert met is None, (root, path)
                    new[same] = path
                else:
                    assert met
                    assert met.path == new[same]
                    assert image(follow(root, met.path), met.symmetry) == position
            level = list(new.values())


def test_where_a_position_was_met_before_is_told_with_the_turn_between() -> None:
    assert met_before(EMPTY, (1, 0), True) is None  # X top centre is another game
    assert met_before(EMPTY, (0, 1, 2), False) is None
    assert met_before(EMPTY, (2, 1, 0), False) == Met((0, 1, 2), "identity")
    assert met_before(EMPTY, (8, 7, 6), True) == Met((0, 1, 2), "half turn")
    assert met_before(EMPTY, (0, 4, 8, 3), True) == Met((0, 4, 8, 1), "diagonal mirror")
    assert met_before(EMPTY, (0, 4, 8, 1, 2, 3), False) is None
    assert met_before(EMPTY, (0, 4, 8, 3, 2, 1), False) == Met((0, 4, 8, 1, 2, 3), "identity")
    # Three levels nest below (2, 1, 0), which is where it is the first.
    assert met_before(EMPTY, (2, 1, 0, 3), False) is None


# What alpha-beta saw


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_alpha_beta_cards_show_what_the_record_says(scoring: Scoring) -> None:
    for root in UNFINISHED:
        if root.ply < 5:
            continue
        search = run(root, "alpha-beta", scoring, "squares")
        steps = iter(search.steps)
        shown = {card.path: card for card in _every_card(root, (), scoring)}
        searched = {path for path, card in shown.items() if card.enter}
        assert len(searched) == search.counts.nodes - 1
        assert sum(card.cut is not None for card in shown.values()) == sum(
            len(step.rest) for step in steps if isinstance(step, Cut)
        )
        (settled,) = [card for card in shown.values() if len(card.path) == 1 and card.starred]
        assert settled.square == search.move
        for path, card in shown.items():
            assert (card.enter is None) == (card.back is None)
            if card.back and card.enter:
                assert card.enter.path == card.back.path == path
                assert card.back.value == card.value or card.back.bound != "exact"
            if card.cut:
                assert card.cut.path == path[:-1]
                assert not card.starred


def _every_card(root: Position, path: Path, scoring: Scoring) -> Iterator[Card]:
    for card in searched_cards(root, path, scoring):
        yield card
        yield from _every_card(root, card.path, scoring)


def test_a_search_of_more_than_four_empty_squares_is_not_shown() -> None:
    with pytest.raises(ValueError, match="at most 4 empty squares"):
        searched_cards(Position.parse("X--------"), (), "depth")


def test_other_cards_show_nothing_of_a_search() -> None:
    for card in cards(Position.parse("XOXOO-X--"), (), False, "depth"):
        assert (card.enter, card.back, card.cut) == (None, None, None)


def test_a_card_counts_what_lies_below_and_says_where_it_was_met() -> None:
    centre = cards(EMPTY, (), True, "depth")[2]
    assert (centre.square, centre.mirrors, centre.below) == (4, (), 55_504)
    assert cards(EMPTY, (), True, "depth")[0].mirrors == (2, 6, 8)
    assert cards(EMPTY, (1, 0), False, "depth")[0].met is None
    swapped = cards(EMPTY, (2, 1), False, "depth")[0]
    assert (swapped.square, swapped.met) == (0, Met((0, 1, 2), "identity"))
    assert cards(Position.parse("XXXOO----"), (), False, "depth") == []


# The fatalist and the fighter


def test_they_choose_the_highest_scores_and_are_told_where_the_first_choice_differs() -> None:
    told = 0
    for position in UNFINISHED:
        board = str(position)
        scores = textbook.move_scores(board)
        top = max(scores.values())
        same = [s for s in scores if textbook.sign(scores[s]) == textbook.sign(top)]
        found = choices(position, ())
        assert (found is not None) == (scores[same[0]] < top), position
        if found:
            told += 1
            assert list(found.fatalist) == same, position
            assert list(found.fighter) == [s for s in scores if scores[s] == top], position
            assert found.fatalist_result == results(position)[same[0]]
            assert found.fighter_result == results(position)[found.fighter[0]]
            assert found.fatalist_result != found.fighter_result
            child = textbook.children(board)[same[0]]
            assert list(found.open) == claims.wins_at(child, claims.other(position.turn))
            assert not (found.open and textbook.over(child))
    assert told == 852 - 367
    assert choices(Position.parse("XXXOO----"), ()) is None


def test_their_turns_are_counted_from_the_root_as_the_cards_are() -> None:
    # O to move. X wins at top right now; block it, and X takes the centre and threatens two.
    root = Position.parse("-X---XOO-")
    below, here = choices(root, (8,)), choices(root.play(8), ())
    assert below
    assert here
    assert below.fatalist_result.turns == here.fatalist_result.turns + 1
    assert below.fighter_result.turns == here.fighter_result.turns + 1


def test_the_fatalist_does_not_block_where_x_is_about_to_win_in_two_ways() -> None:
    # O to move. X wins at top right now; block it, and X takes the centre and threatens two.
    position = Position.parse("-X-" "--X" "OOX")  # fmt: skip
    found = choices(position, ())
    assert found
    assert found.fatalist == (0, 2, 3, 4)
    assert found.fighter == (2,)
    assert found.open == (2,)
    assert [value(position.play(s), 1, "depth") for s in (found.fatalist[0], 2)] == [-8, -6]
    assert [value(position.play(s), 1, "flat") for s in (found.fatalist[0], 2)] == [-1, -1]


def test_two_lines_open_at_once_leave_nothing_to_choose() -> None:
    # O to move, X wins at top centre or middle right whatever O does, and on the same turn.
    assert choices(Position.parse("X-X" "-O-" "O-X"), ()) is None  # fmt: skip
