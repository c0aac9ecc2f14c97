"""Turns and mirror images, for every position."""

import pytest

from engine.position import LINES, Position, reachable
from engine.symmetry import SYMMETRIES, Symmetry, canonical, image, originals, relation

EVERY = list(reachable())
DIFFERENT = [position for position in EVERY if position == canonical(position)]


@pytest.mark.parametrize(
    ("symmetry", "turned"),
    [
        ("identity", "XO-------"),
        ("quarter turn", "--X--O---"),
        ("half turn", "-------OX"),
        ("three-quarter turn", "---O--X--"),
        ("left-right mirror", "-OX------"),
        ("top-bottom mirror", "------XO-"),
        ("diagonal mirror", "X--O-----"),
        ("antidiagonal mirror", "-----O--X"),
    ],
)
def test_each_symmetry_is_what_its_name_says(symmetry: Symmetry, turned: str) -> None:
    position = Position.parse("XO-------")
    assert str(image(position, symmetry)) == turned
    assert relation(position, Position.parse(turned)) == symmetry


def test_every_symmetry_keeps_the_lines() -> None:
    for goes_to in SYMMETRIES.values():
        assert {frozenset(goes_to[s] for s in line) for line in LINES} == set(map(frozenset, LINES))


def test_images_have_one_canonical_position_and_a_relation_that_leads_there() -> None:
    for position in EVERY:
        for symmetry in SYMMETRIES:
            turned = image(position, symmetry)
            assert canonical(turned) == canonical(position)
            found = relation(position, turned)
            assert found
            assert image(position, found) == turned


def test_positions_that_are_no_images_have_no_relation() -> None:
    assert relation(Position.parse("X--------"), Position.parse("-X-------")) is None
    assert len(DIFFERENT) == len(set(map(canonical, EVERY))) == 765


def test_each_position_is_the_named_image_of_the_one_that_stands_for_it() -> None:
    assert set(originals()) == set(EVERY)
    for position in EVERY:
        original, symmetry = originals()[position]
        assert original in DIFFERENT
        assert image(original, symmetry) == position
