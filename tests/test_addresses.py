"""What docs/teach.md says that an address may say, compared with what the pages read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from flask import Flask, Request
from flask.testing import FlaskClient
from werkzeug.datastructures import ImmutableMultiDict

from tests.conftest import parse, text_of
from tests.serving import ROOT

DOCS = (ROOT / "docs/teach.md").read_text()
HEADS = {
    "searches": "A search",
    "random": "A random tree",
    "set-up": "Set up a tree",
    "practice": "Puzzles",
    "sheets": "A worksheet",
    "boards": "A board or a game",
    "screens": "A screen",
}
SECOND = "((3,12,8),(2,4,6),(14,5,2))"
LOT = {"seed", "levels", "branches"}
# By the section, addresses that read all its names; to the first each value is added.
PAGES = {
    "searches": f"""/study/OX--X-OOX?view=search /study/{SECOND}?view=search /study/random?seed=1
        /study/---------?view=search""",
    "random": """/study/random?seed=1 /practise/values?seed=1 /practise/cuts?seed=1
        /study/tree?seed=1""",
    "set-up": "/study/tree?seed=1 /study/tree?values=3+x",
    "practice": f"""/practise/values?tree={SECOND} /practise/cuts?tree={SECOND}
        /practise/cuts?seed=1 /practise/moves?round=1&done=ffffffffff""",
    "sheets": "/learn/sheet?tree=1+2 /learn/sheet?seed=1 /learn/sheet?round=1",
    "boards": """/study/0428?you=X /study/0428?view=squares /study/OX--X-OOX?view=moves
        /study/42170835?at=5&view=moves""",
    "screens": "/learn/4?p=23",
}
# To what a value is added that the first address has already, or that needs another page.
ALONE = {
    "view": "/study/OX--X-OOX?you=X",
    "you": "/study/OX--X-OOX?view=search",
    "seed": "/study/random?top=max",
    "top": f"/study/{SECOND}?view=search",
    "round": "/practise/cuts?p=",
}
# Read there, but said in the section of another page.
ELSEWHERE = {
    "searches": LOT,
    "set-up": LOT | {"you"},
    "practice": LOT | {"algorithm", "question"},
}


class Read(ImmutableMultiDict[str, str]):
    """Keep the names that are asked for."""

    names: set[str]

    def getlist(self, key: Any, *rest: Any) -> list[Any]:
        self.names.add(key)
        return super().getlist(key, *rest)

    def __contains__(self, key: object) -> bool:
        self.names.add(str(key))
        return super().__contains__(key)


@pytest.fixture
def read(app: Flask, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the names that are read of an address, from now on."""

    class Noting(Request):
        parameter_storage_class = Read

    monkeypatch.setattr(app, "request_class", Noting)
    Read.names = set()
    return Read.names


class Row(NamedTuple):
    """A name, the values it takes ("" if they are described in words), and the usual one."""

    name: str
    values: str
    usual: str


def rows(name: str) -> Iterator[Row]:
    """Read what docs/teach.md lists in a section, and what it says that links carry."""
    (section,) = re.findall(rf"^### {HEADS[name]}.*?(?=^###|\Z)", DOCS, re.DOTALL | re.MULTILINE)
    for key, told in re.findall(r"^- `(\w+)`: (.*)$", section, re.MULTILINE):
        values = re.match(r"(\*{0,2}[a-z0-9-]+\*{0,2}( · \S+)+|0 to \d+|on)(?=:|$)", told)
        usual = re.search(r"\*\*(.+?)\*\*", told)
        yield Row(key, values[0].replace("*", "") if values else "", usual[1] if usual else "")
    carried = re.findall(r"also carry (.*)", section)
    yield from (Row(key, "", "") for text in carried for key in re.findall(r"`(\w+)`", text))


@pytest.mark.parametrize("name", PAGES)
def test_docs_list_exactly_the_parameters_that_pages_read(
    client: FlaskClient, read: set[str], name: str
) -> None:
    listed = {row.name for row in rows(name)}
    found = set[str]()
    for url in PAGES[name].split():
        read.clear()
        assert client.get(url).status_code in (200, 400), url
        assert name != "random" or listed <= read, url
        found |= read
    assert name == "random" or found - ELSEWHERE.get(name, set()) == listed


@pytest.mark.parametrize("name", PAGES)
def test_listed_values_are_accepted_others_refused_and_the_bold_one_is_the_default(
    client: FlaskClient, name: str
) -> None:
    get = cache(client.get)
    for key, values, usual in rows(name):
        base = ALONE.get(key, PAGES[name].split()[0])
        last = re.match(r"0 to (\d+)", values)
        taken = ["0", last[1]] if last else values.split(" · ") if values else []
        for value in taken:
            assert get(f"{base}&{key}={value}").status_code == 200, (key, value)
        refused = get(f"{base}&{key}={int(last[1]) + 1 if last else 'other'}").text
        if taken:
            assert re.search(f"I cannot make sense of that.[^.]*{key} (is|1 or 2)", refused), key
        if taken and not last and (offered := re.search(rf"{key} is one of ([^.]+)\.", refused)):
            assert {*offered[1].split(", ")} == {*taken}, key
        if usual:
            found = (get(url) for url in (base, f"{base}&{key}={usual}"))
            assert len({text_of(parse(page)) for page in found}) == 1, key
