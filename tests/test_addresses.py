"""The parameters of addresses that docs/teach.md lists, compared with those that pages read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from flask import Flask, Request
from flask.testing import FlaskClient
from werkzeug.datastructures import ImmutableMultiDict

from tests.conftest import parse, text_of
from tests.serving import ROOT

DOCS = (ROOT / "docs/teach.md").read_text()
# The start of each heading under which docs/teach.md lists parameters, by our name for the section.
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
RANDOM_TREE_PARAMS = {"seed", "levels", "branches"}
# For each section, addresses whose pages together read all its parameters. The tests of values and
# defaults add parameters to the first address.
ADDRESSES = {
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
# For a parameter that the first address of its section has or cannot use, another one to add to.
OTHER_ADDRESSES = {
    "view": "/study/OX--X-OOX?you=X",
    "you": "/study/OX--X-OOX?view=search",
    "seed": "/study/random?top=max",
    "top": f"/study/{TREE}?view=search",
    "round": "/practise/cuts?p=",
}
# Parameters that the pages of a section read, but that another section lists.
LISTED_ELSEWHERE = {
    "searches": RANDOM_TREE_PARAMS,
    "set-up": RANDOM_TREE_PARAMS | {"you"},
    "practice": RANDOM_TREE_PARAMS | {"algorithm", "question"},
}


class RecordingDict(ImmutableMultiDict[str, str]):
    """The parameters of an address; it records the names of those that are read."""

    names_read: set[str]

    def getlist(self, key: Any, *rest: Any) -> list[Any]:
        self.names_read.add(key)
        return super().getlist(key, *rest)

    def __contains__(self, key: object) -> bool:
        self.names_read.add(str(key))
        return super().__contains__(key)


@pytest.fixture
def params_read(app: Flask, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the parameters that pages read from now on."""

    class RecordingRequest(Request):
        parameter_storage_class = RecordingDict

    monkeypatch.setattr(app, "request_class", RecordingRequest)
    RecordingDict.names_read = set()
    return RecordingDict.names_read


class Param(NamedTuple):
    """A parameter as docs/teach.md describes it."""

    name: str
    values: list[str]  # that are listed; of a range, the first and the last
    maximum: int | None  # the last value of a range
    default: str  # "" if none is listed


def documented_params(section: str) -> Iterator[Param]:
    """Yield the parameters that docs/teach.md lists in a section, and those that links carry."""
    (text,) = re.findall(rf"^### {HEADINGS[section]}.*?(?=^###|\Z)", DOCS, re.DOTALL | re.MULTILINE)
    for name, description in re.findall(r"^- `(\w+)`: (.*)$", text, re.MULTILINE):
        yield parse_description(name, description)
    for names in re.findall(r"also carry (.*)", text):
        yield from (Param(name, [], None, "") for name in re.findall(r"`(\w+)`", names))


def parse_description(name: str, description: str) -> Param:
    """Parse a description that may start with a range or a list of values, the default in bold."""
    default = re.search(r"\*\*(.+?)\*\*", description)
    default_value = default[1] if default else ""
    if number_range := re.match(r"0 to (\d+)(?=:|$)", description):
        return Param(name, ["0", number_range[1]], int(number_range[1]), default_value)
    value_list = re.match(r"(\*{0,2}[a-z0-9-]+\*{0,2}( · \S+)+|on)(?=:|$)", description)
    values = value_list[0].replace("*", "").split(" · ") if value_list else []
    return Param(name, values, None, default_value)


def address_for(section: str, param: Param) -> str:
    """Return an address to which a value of this parameter can be added."""
    return OTHER_ADDRESSES.get(param.name, ADDRESSES[section].split()[0])


@pytest.mark.parametrize("section", [section for section in ADDRESSES if section != "random"])
def test_docs_list_exactly_the_parameters_that_pages_read(
    client: FlaskClient, params_read: set[str], section: str
) -> None:
    for url in ADDRESSES[section].split():
        assert client.get(url).status_code in (200, 400), url
    documented_names = {param.name for param in documented_params(section)}
    assert params_read - LISTED_ELSEWHERE.get(section, set()) == documented_names


def test_every_page_with_a_random_tree_reads_the_parameters_of_random_trees(
    client: FlaskClient, params_read: set[str]
) -> None:
    for url in ADDRESSES["random"].split():
        params_read.clear()
        assert client.get(url).status_code == 200, url
        assert {param.name for param in documented_params("random")} <= params_read, url


@pytest.mark.parametrize("section", ADDRESSES)
def test_pages_accept_every_documented_value(client: FlaskClient, section: str) -> None:
    for param in documented_params(section):
        for value in param.values:
            url = f"{address_for(section, param)}&{param.name}={value}"
            assert client.get(url).status_code == 200, url


@pytest.mark.parametrize("section", ADDRESSES)
def test_pages_refuse_any_other_value_and_name_the_documented_ones(
    client: FlaskClient, section: str
) -> None:
    for param in documented_params(section):
        if not param.values:
            continue
        invalid_value = "other" if param.maximum is None else param.maximum + 1
        url = f"{address_for(section, param)}&{param.name}={invalid_value}"
        page = client.get(url).text
        reason = f"I cannot make sense of that.[^.]*{param.name} (must be|1 or 2)"
        assert re.search(reason, page), url
        value_list = re.search(rf"{param.name} must be one of: ([^.]+)\.", page)
        if param.maximum is None and value_list:
            assert {*value_list[1].split(", ")} == {*param.values}, url


@pytest.mark.parametrize("section", ADDRESSES)
def test_a_page_is_the_same_with_the_documented_default(client: FlaskClient, section: str) -> None:
    for param in documented_params(section):
        if param.default:
            url = address_for(section, param)
            page = client.get(url)
            page_with_default = client.get(f"{url}&{param.name}={param.default}")
            assert text_of(parse(page_with_default)) == text_of(parse(page)), (url, param.name)
