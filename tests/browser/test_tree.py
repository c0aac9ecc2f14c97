"""A tree as it is drawn: levels with room for them, else an outline, and a list to listen to."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from engine.position import Position
from teach.searches import run
from tests.browser.conftest import Visit
from tests.browser.test_page import boxes

FATALIST = "/tree/-X---XOOX"
CLASSIC = "/run/O-XX--XOO"
LAST = len(run(Position.parse("O-XX--XOO"), "minimax", "depth", "squares").steps)
SCREENS = [(320, 568), (390, 844), (844, 390), (900, 700), (1280, 800)]


def middle(box: dict[str, float]) -> float:
    return box["left"] + box["width"] / 2


@pytest.mark.parametrize("width", [900, 1280, 1920])
def test_with_room_a_tree_is_drawn_as_levels(visit: Visit, width: int) -> None:
    page = visit(FATALIST)
    page.set_viewport_size({"width": width, "height": 800})
    tops: dict[int, set[int]] = {}
    for node in page.locator(".node").all():
        box = node.bounding_box()
        assert box
        depth = len(str(node.get_attribute("id"))) - 1
        tops.setdefault(depth, set()).add(round(box["y"]))
    assert all(len(level) == 1 for level in tops.values())  # one height for each level
    levels = [tops[depth].pop() for depth in sorted(tops)]
    assert len({below - above for above, below in pairwise(levels)}) == 1
    sides = [round(box["top"]) for box in boxes(page, ".sides li")]
    assert all(abs(side - level) <= 4 for side, level in zip(sides, levels, strict=False))
    pictures = sorted(
        (round(box["top"]), box["left"], box["right"]) for box in boxes(page, ".node svg")
    )
    for (top, _, right), (next_top, left, _) in pairwise(pictures):
        assert top != next_top or right <= left  # no board lies on another


def test_the_tree_of_47_nodes_fits_one_screen(visit: Visit) -> None:
    page = visit(FATALIST)
    page.set_viewport_size({"width": 1280, "height": 800})
    nodes = boxes(page, ".node")
    assert len(nodes) == 47
    assert max(box["bottom"] for box in nodes) <= 800
    assert max(box["right"] for box in nodes) <= 1280


@pytest.mark.parametrize("url", [CLASSIC, FATALIST, "/run/XO--OXX--?predict=on", "/tree/---------"])
def test_nothing_scrolls_sideways(visit: Visit, url: str) -> None:
    page = visit(url)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_on_a_phone_and_on_paper_it_is_an_outline(visit: Visit) -> None:
    page = visit(CLASSIC)
    page.set_viewport_size({"width": 390, "height": 844})
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        nodes = page.locator(".node")
        places = [node.bounding_box() for node in nodes.all()]
        assert all(above and below and above["y"] < below["y"] for above, below in pairwise(places))
        ids = nodes.evaluate_all("all => all.map(one => one.id)")
        by_depth = {len(id): place["x"] for id, place in zip(ids, places, strict=True) if place}
        assert [by_depth[depth] for depth in sorted(by_depth)] == sorted(by_depth.values())
        expect(page.locator(".sides")).to_be_hidden()
    page.set_viewport_size({"width": 1000, "height": 1400})
    expect(page.locator(".sides")).to_be_hidden()
    expect(page.locator("#steps, .controls, header").filter(visible=True)).to_have_count(0)
    assert page.locator(".node").filter(visible=True).count() == 10


def test_a_screen_reader_walks_the_tree_as_a_list_in_a_list(visit: Visit) -> None:
    page = visit(CLASSIC + f"?step={LAST}")
    expect(page.locator("#tree")).to_match_aria_snapshot("""
        - list:
          - listitem:
            - text: X to move +9 MAX
            - list:
              - listitem:
                - text: X top centre −8 MIN
                - list:
                  - listitem: O centre −8 O wins
                  - listitem:
                    - text: O middle right +7 MAX
                    - list:
                      - listitem: X centre +7 X wins
              - listitem: X centre +9 X wins, line of play
              - listitem:
                - text: X middle right −8 MIN
    """)


def test_a_node_leads_to_its_own_tree(visit: Visit) -> None:
    page = visit("/tree/---------")
    page.get_by_role("link", name=re.compile("^O centre 0 MAX, line of play")).click()
    expect(page).to_have_url(re.compile("/tree/X---O----"))
    expect(page.get_by_role("heading", level=1)).to_have_text("The game tree")
