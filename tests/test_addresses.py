"""The address parameters that docs/teach.md lists, compared with those that pages read."""

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
HEADINGS = {
    "searches": "A search",
    "random": "A random tree",
    "set-up": "Set up a tree",
    "practice": "Puzzles",
    "sheets": "A worksheet",
    "boards": "A board or a game",
    "screens": "A screen",
}
TREE = "((3,12,8),(2,4,6),(14,5,2))"
RANDOM_TREE = {"seed", "levels", "branches"}
# For each section, addresses that together read all its parameters; values are added to the first.
PAGES = {
    "searches": f"""/study/OX--X-OOX?view=search /study/{TREE}?view=search /study/random?seed=1
        /study/---------?view=search""",
    "random": """/study/random?seed=1 /practise/values?seed=1 /practise/cuts?seed=1
        /study/tree?seed=1""",
    "set-up": "/study/tree?seed=1 /study/tree?values=3+x",
    "practice": f"""/practise/values?tree={TREE} /practise/cuts?tree={TREE}
        /practise/cuts?seed=1 /practise/moves?round=1&done=ffffffffff""",
    "sheets": "/learn/sheet?tree=1+2 /learn/sheet?seed=1 /learn/sheet?round=1",
    "boards": """/study/0428?you=X /study/0428?view=squares /study/OX--X-OOX?view=moves
        /study/42170835?at=5&view=moves""",
    "screens": "/learn/4?p=23",
}
# By parameter, another address for its values, if the first has the parameter or cannot use it.
OTHER_ADDRESSES = {
    "view": "/study/OX--X-OOX?you=X",
    "you": "/study/OX--X-OOX?view=search",
    "seed": "/study/random?top=max",
    "top": f"/study/{TREE}?view=search",
    "round": "/practise/cuts?p=",
}
# Parameters that the pages of a section read, but that another section lists.
ELSEWHERE = {
    "searches": RANDOM_TREE,
    "set-up": RANDOM_TREE | {"you"},
    "practice": RANDOM_TREE | {"algorithm", "question"},
}


class RecordingDict(ImmutableMultiDict[str, str]):
    """A dictionary that records the names that are read."""

    names: set[str]

    def getlist(self, key: Any, *rest: Any) -> list[Any]:
        self.names.add(key)
        return super().getlist(key, *rest)

    def __contains__(self, key: object) -> bool:
        self.names.add(str(key))
        return super().__contains__(key)


@pytest.fixture
def params_read(app: Flask, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the parameters that pages read from now on."""

    class RecordingRequest(Request):
        parameter_storage_class = RecordingDict

    monkeypatch.setattr(app, "request_class", RecordingRequest)
    RecordingDict.names = set()
    return RecordingDict.names


class Row(NamedTuple):
    """A parameter, its values ("" if they are described in words), and its default."""

    name: str
    values: str
    default: str


def rows(name: str) -> Iterator[Row]:
    """Yield the parameters that docs/teach.md lists in a section, and those that links carry."""
    (section,) = re.findall(rf"^### {HEADINGS[name]}.*?(?=^###|\Z)", DOCS, re.DOTALL | re.MULTILINE)
    for key, description in re.findall(r"^- `(\w+)`: (.*)$", section, re.MULTILINE):
        values = re.match(r"(\*{0,2}[a-z0-9-]+\*{0,2}( · \S+)+|0 to \d+|on)(?=:|$)", description)
        default = re.search(r"\*\*(.+?)\*\*", description)
        yield Row(key, values[0].replace("*", "") if values else "", default[1] if default else "")
    carried = re.findall(r"also carry (.*)", section)
    yield from (Row(key, "", "") for text in carried for key in re.findall(r"`(\w+)`", text))


@pytest.mark.parametrize("name", PAGES)
def test_docs_list_exactly_the_parameters_that_pages_read(
    client: FlaskClient, params_read: set[str], name: str
) -> None:
    listed = {row.name for row in rows(name)}
    read_names = set[str]()
    for url in PAGES[name].split():
        params_read.clear()
        assert client.get(url).status_code in (200, 400), url
        assert name != "random" or listed <= params_read, url
        read_names |= params_read
    assert name == "random" or read_names - ELSEWHERE.get(name, set()) == listed


@pytest.mark.parametrize("name", PAGES)
def test_docs_list_the_values_and_the_default_of_each_parameter(
    client: FlaskClient, name: str
) -> None:
    get = cache(client.get)
    for key, values, default in rows(name):
        base = OTHER_ADDRESSES.get(key, PAGES[name].split()[0])
        last = re.match(r"0 to (\d+)", values)
        accepted = ["0", last[1]] if last else values.split(" · ") if values else []
        for value in accepted:
            assert get(f"{base}&{key}={value}").status_code == 200, (key, value)
        refused = get(f"{base}&{key}={int(last[1]) + 1 if last else 'other'}").text
        if accepted:
            reason = f"I cannot make sense of that.[^.]*{key} (must be|1 or 2)"
            assert re.search(reason, refused), key
        offered = re.search(rf"{key} must be one of: ([^.]+)\.", refused)
        if accepted and not last and offered:
            assert {*offered[1].split(", ")} == {*accepted}, key
        if default:
            found = (get(url) for url in (base, f"{base}&{key}={default}"))
            assert len({text_of(parse(page)) for page in found}) == 1, key
