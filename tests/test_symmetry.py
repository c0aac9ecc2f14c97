"""Rotations and reflections, for every position."""

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
from tests.positions import ALL_POSITIONS, CANONICAL, all_or_canonical


@pytest.mark.parametrize(
    ("symmetry", "image"),
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
def test_every_symmetry_does_what_its_name_says(symmetry: Symmetry, image: str) -> None:
    position = Position.parse("XO-------")
    assert str(transform(position, symmetry)) == image
    assert symmetry_between(position, Position.parse(image)) == symmetry


def test_every_symmetry_keeps_the_lines() -> None:
    for image_of in SYMMETRIES.values():
        assert {frozenset(image_of[s] for s in line) for line in LINES} == set(
            map(frozenset, LINES)
        )


def test_symmetric_positions_share_a_canonical_one_and_a_relation_to_it() -> None:
    for position in all_or_canonical(ALL_POSITIONS):
        for symmetry in SYMMETRIES:
            image = transform(position, symmetry)
            assert canonical(image) == canonical(position)
            relation = symmetry_between(position, image)
            assert relation
            assert transform(position, relation) == image


def test_other_positions_have_no_relation() -> None:
    assert symmetry_between(Position.parse("X--------"), Position.parse("-X-------")) is None


def test_every_position_is_symmetric_to_its_canonical_one() -> None:
    assert set(representatives()) == set(ALL_POSITIONS)
    assert {*map(canonical, ALL_POSITIONS)} == {*CANONICAL}
    assert len(CANONICAL) == 765


def test_merged_branches_give_the_known_number_of_boards_by_ply() -> None:
    counts, level = [], {Position()}
    while level:
        counts.append(len({*map(canonical, level)}))
        level = {child for position in level for child in branches(position).values()}
    assert counts == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]


def test_branches_are_the_legal_moves_grouped_by_symmetry_or_not() -> None:
    for position in all_or_canonical(ALL_POSITIONS):
        merged = branches(position)
        assert sorted(sum(merged, ())) == list(position.legal_moves())
        assert [squares[0] for squares in merged] == sorted(map(min, merged))
        assert len({*map(canonical, merged.values())}) == len(merged)
        for (square, *mirrors), child in merged.items():
            assert child == position.play(square)
            for mirror in mirrors:
                assert symmetry_between(child, position.play(mirror))
        expected = {(square,): position.play(square) for square in position.legal_moves()}
        assert branches(position, merges_symmetric=False) == expected
