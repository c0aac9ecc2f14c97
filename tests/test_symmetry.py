"""Turns and mirror images, for every position."""

import pytest

from engine.position import LINES, Position
from engine.symmetry import (
    SYMMETRIES,
    Symmetry,
    branches,
    canonical,
    representatives,
    symmetry_between,
    transform,
)
from tests.positions import DIFFERENT, EVERY, whole


@pytest.mark.parametrize(
    ("symmetry", "turned"),
    [
        ("identity", "XO-------"),
        ("quarter turn clockwise", "--X--O---"),
        ("half turn", "-------OX"),
        ("quarter turn counterclockwise", "---O--X--"),
        ("left-right mirror", "-OX------"),
        ("top-bottom mirror", "------XO-"),
        ("diagonal mirror", "X--O-----"),
        ("antidiagonal mirror", "-----O--X"),
    ],
)
def test_each_symmetry_is_what_its_name_says(symmetry: Symmetry, turned: str) -> None:
    position = Position.parse("XO-------")
    assert str(transform(position, symmetry)) == turned
    assert symmetry_between(position, Position.parse(turned)) == symmetry


def test_every_symmetry_keeps_the_lines() -> None:
    for goes_to in SYMMETRIES.values():
        assert {frozenset(goes_to[s] for s in line) for line in LINES} == set(map(frozenset, LINES))


def test_images_have_one_canonical_position_and_a_relation_that_leads_there() -> None:
    for position in whole(EVERY):
        for symmetry in SYMMETRIES:
            turned = transform(position, symmetry)
            assert canonical(turned) == canonical(position)
            found = symmetry_between(position, turned)
            assert found
            assert transform(position, found) == turned


def test_positions_that_are_no_images_have_no_relation() -> None:
    assert symmetry_between(Position.parse("X--------"), Position.parse("-X-------")) is None


def test_each_position_is_an_image_of_the_one_that_stands_for_it() -> None:
    assert set(representatives()) == set(EVERY)
    assert {*map(canonical, EVERY)} == {*DIFFERENT}
    assert len(DIFFERENT) == 765


def test_merged_branches_lead_to_the_known_number_of_boards_by_ply() -> None:
    counts, level = [], {Position()}
    while level:
        counts.append(len({*map(canonical, level)}))
        level = {child for position in level for child in branches(position).values()}
    assert counts == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]


def test_branches_are_the_legal_moves_grouped_by_symmetry_or_each_alone() -> None:
    for position in whole(EVERY):
        found = branches(position)
        assert sorted(sum(found, ())) == list(position.legal_moves())
        assert [squares[0] for squares in found] == sorted(map(min, found))
        assert len({*map(canonical, found.values())}) == len(found)
        for (square, *mirrors), child in found.items():
            assert child == position.play(square)
            for square in mirrors:
                assert symmetry_between(child, position.play(square))
        each = {(square,): position.play(square) for square in position.legal_moves()}
        assert branches(position, merged=False) == each
