"""Worksheets: no tree scrolls sideways in a wide window; on paper, each section is a page.

Nothing is cut off there, and nothing overlaps.
"""

from __future__ import annotations

import re
from itertools import product

import pytest

from tests.browser.conftest import Visit
from tests.browser.person import resize, set_media
from tests.positions import sample

SHEETS = {
    "the textbooks’ tree": "",
    "six small trees": "?seed=1&count=6&levels=2",
    "a branch of two leaves at the edge": "?tree=3+12+/+2+4+6+/+14+5+2&tree=3+12+8+/+2+4+6+/+14+5",
    "27 leaves": "?seed=2&levels=3&branches=3&count=2",
    "24 leaves, four levels": "?seed=3&levels=4&branches=3&count=2",
    "a round of values": "?round=1&kind=values",
    "a round of cutoffs": "?round=1&kind=cuts",
    **{f"seed {seed}": f"?seed={seed}&count=6" for seed in range(9)},
}
PAPER = (703, 1000)  # px of A4 between its margins
# Trees and sentences that overflow their exercise, and overlapping text or boxes in a tree.
FIND_FAULTS = """() => {
    const box = element => element.getBoundingClientRect(), faults = []
    for (const li of document.querySelectorAll(".exercises > li")) {
        const room = box(li)
        for (const element of li.querySelectorAll(".shape, .worth > *, .window, .solution > li")) {
            const {left, right, bottom} = box(element)
            const page = box(li.closest("section")).bottom
            if (left < room.left - 1 || right > room.right + 1)
                faults.push([li.id, element.outerHTML.slice(0, 60)])
            if (bottom > Math.min(room.bottom, page) + 1)
                faults.push([li.id, element.outerHTML.slice(0, 60)])
        }
        const parts = [...li.querySelectorAll(
            ".shape, .worth > .chip, .window, .result > span, .solution > li")]
        for (const [index, element] of parts.entries())
        for (const other of parts.slice(index + 1)) {
            const [part, next] = [box(element), box(other)]
            const width = Math.min(part.right, next.right) - Math.max(part.left, next.left)
            const height = Math.min(part.bottom, next.bottom) - Math.max(part.top, next.top)
            if (width > 2 && height > 2) faults.push([li.id, element.outerHTML, other.outerHTML])
        }
    }
    return faults
}"""


@pytest.mark.parametrize(("name", "key"), sample(20, [*product(SHEETS, ["", "key=on"])]))
def test_every_section_of_a_sheet_prints_whole_on_a_page_of_its_own(
    visit: Visit, name: str, key: str
) -> None:
    query = "&".join(filter(None, (SHEETS[name].removeprefix("?"), key)))
    page = visit(f"/learn/sheet?{query}", screen=PAPER)
    pages = page.locator("main section").count()
    for paper in sample(2, ("Letter", "A4")):  # of the two, Letter is shorter
        printed = page.pdf(format=paper)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == pages, paper
    set_media(page, media="print")
    assert page.evaluate(FIND_FAULTS) == []
    assert page.locator(".exercises .nth").count() == page.locator(".exercises > li").count()


def test_no_tree_of_a_sheet_scrolls_sideways_in_a_wide_window(visit: Visit) -> None:
    page = visit("/learn/sheet?seed=1&count=3")
    exercises = page.locator(".exercises > li")
    for width in (600, 768, 900, 1100, 1280, 1420, 1920):
        resize(page, (width, 720))
        excess = exercises.evaluate_all("all => all.map(li => li.scrollWidth - li.clientWidth)")
        assert excess == [0, 0, 0], width
