"""The Search view of /study over HTTP: a page of each kind, and what a step costs."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from teach.searches import FORMS
from tests.conftest import parse, text_of
from tests.pages import LARGEST
from tests.positions import one_in
from tests.sentences import as_read, assert_same

# Each is a page as it is read, in one snapshot: on its way and at its end, asked, set otherwise.
READ = """
O-XX--XOO O-XX--XOO?step=1 O-XX--XOO?step=2 O-XX--XOO?step=13&form=two O-XX--XOO?step=999
O-XX--XOO?step=last&path=54 O-XX--XOO?step=5&predict=on O-XX--XOO?step=2&predict=on
O-XX--XOO?step=7&predict=on&answer=7 O-XX--XOO?step=7&predict=on&answer=-8
O-XX--XOO?step=19&predict=on&answer=4 O-XX--XOO?algorithm=alpha-beta
O-XX--XOO?algorithm=alpha-beta&step=16&predict=on O-XX--XOO?algorithm=alpha-beta&step=17&form=two
O-XX--XOO?algorithm=alpha-beta&step=5&big=on O-XX--XOO?scoring=flat&step=last&top=min
-X---XOOX?step=50 -X---XOOX?step=last&path=2 -X---XOOX?algorithm=alpha-beta&step=23
-X---XOOX?depth=1&step=last -X-O-OXOX?mirrors=merged&step=last OX--X-OOX?scoring=flat&step=last
XXOOO-XX-?scoring=flat&step=last X---O----?step=last X---O----?counts=on X---O----?big=on&step=5
012436587?at=6&step=3&algorithm=alpha-beta&order=worst&speed=slow
--------- ---------?algorithm=alpha-beta&step=20 ---------?counts=on OX--X-OOX?counts=on
((3,5),3)?step=last -X-OOX-X-?mirrors=merged&step=last
---------?algorithm=alpha-beta&step=20&big=on
((3,12,8),(2,4,6),(14,5,2)) ((3,12,8),(2,4,6),(14,5,2))?step=last&path=21&top=min
((3,12,8),(2,4,6),(14,5,2))?step=25&predict=on
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=13
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=5&big=on
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=12&big=on&predict=on
XO---O--X?depth=5&algorithm=alpha-beta&step=42&big=on
random?levels=3&branches=2&seed=17&top=min&algorithm=alpha-beta&step=last
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=last ---------?step=last
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&step=last&top=min
---------?algorithm=alpha-beta&step=last O-XX--XOO?algorithm=alpha-beta&step=last
OXO-X----?depth=4&algorithm=alpha-beta&step=39
""".split()
PARTS = """.bar, #told, #frames > li, #wide, #curr, .sum tr, #beside p, #settings, #controls,
    .cost, .countcol a, .ways a"""
# What is drawn of a cut, of a value that comes back, and of the line of play.
DRAWN = (".lit", ".slash", ".sc", ".gone", ".edges.new .me", ".lead")


def test_each_kind_of_page_is_as_last_read(client: FlaskClient) -> None:
    found = ""
    for url in READ:
        where, _, asked = url.partition("?")
        page = parse(client.get(f"/study/{where}?view=search&{asked}"))
        read = [as_read(part) for part in page.select(PARTS)]
        drawn = [f"{look}: {len(page.select(look))}" for look in DRAWN]
        ran = [text_of(it) for it in page.select("#beside .on, #wide .vc, #wide .win")]
        nodes = [link["aria-label"] for link in page.select("#wide a")]
        nodes += [f"lit: {link['id']}" for link in page.select("a:has(.lit)")]
        lines = "\n    ".join([url, *filter(None, read), ", ".join(drawn + ran + nodes)])
        found += lines.replace(f"/study/{where}?view=search", "") + "\n"
    assert_same("search-pages", found)


def test_tree_is_the_last_step_of_search(client: FlaskClient) -> None:
    found = client.get("/study/-X---XOOX?view=tree&path=24&scoring=flat")
    assert found.status_code == 302
    where, _, query = found.headers["Location"].partition("?")
    assert where == "/study/-X---XOOX"
    assert {*query.split("&")} == {"view=search", "step=last", "path=24", "scoring=flat"}
    assert client.get(found.headers["Location"]).status_code == 200


@pytest.mark.parametrize("name", LARGEST)
def test_a_step_of_the_largest_trees_is_sent_in_seven_kilobytes(
    client: FlaskClient, name: str
) -> None:
    url, _, _ = LARGEST[name].rpartition("=")
    last = int(parse(client.get(f"{url}=last")).select("#scrub")[0]["max"])
    for step in [*one_in(24, range(last)), last]:
        for form in FORMS:
            sent = client.get(f"{url}={step}&form={form}", headers={"Accept-Encoding": "br"})
            assert len(sent.data) <= 7 * 1024, step
