"""What /learn/teach says that an address may say, compared with what the pages read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from flask import Flask, Request
from flask.testing import FlaskClient
from werkzeug.datastructures import ImmutableMultiDict

from tests.conftest import parse, text_of
from tests.html import Tag

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
    "boards": """/study/0428?you=X /study/0428?view=squares /study/OX--X-OOX?view=moves
        /study/42170835?at=5&view=moves""",
    "screens": "/learn/4?p=23",
}
# To what a value is added that the first address has already, or that needs another page.
ALONE = {
    "view": "/study/OX--X-OOX?you=X",
    "you": "/study/OX--X-OOX?view=search",
    "seed": "/study/random?top=max",
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


def rows(client: FlaskClient, name: str) -> Iterator[tuple[str, Tag]]:
    (found,) = parse(client.get("/learn/teach")).select(f"#of-{name}")
    names, values = found.select("dt"), found.select("dd")
    yield from zip(map(text_of, names), values, strict=True)
    yield from ((text_of(code), code) for code in found.select("p code"))


@pytest.mark.parametrize("name", PAGES)
def test_each_name_that_pages_read_is_listed_and_no_other(
    client: FlaskClient, read: set[str], name: str
) -> None:
    listed = {key for key, _ in rows(client, name)}
    found = set[str]()
    for url in PAGES[name].split():
        read.clear()
        assert client.get(url).status_code in (200, 400), url
        assert name != "random" or listed <= read, url
        found |= read
    assert name == "random" or found - ELSEWHERE.get(name, set()) == listed


@pytest.mark.parametrize("name", PAGES)
def test_each_value_listed_is_taken_another_refused_and_the_bold_one_is_usual(
    client: FlaskClient, name: str
) -> None:
    get = cache(client.get)
    for key, row in rows(client, name):
        base = ALONE.get(key, PAGES[name].split()[0])
        values, _, _ = text_of(row).partition(":")
        last = re.match(r"0 to (\d+)", values)
        listed = re.fullmatch(r"[a-z0-9-]+( · [a-z0-9-]+)*", values) if row.name == "dd" else None
        taken = ["0", last[1]] if last else listed[0].split(" · ") if listed else []
        other = str(int(last[1]) + 1) if last else "other"
        for value in taken:
            assert get(f"{base}&{key}={value}").status_code == 200, (key, value)
        refused = get(f"{base}&{key}={other}")
        assert not taken or re.search(f"I cannot read that.[^.]*{key} (is|1 or 2)", refused.text)
        for usual in row.select("b code"):
            found = (get(url) for url in (base, f"{base}&{key}={text_of(usual)}"))
            assert len({text_of(parse(page)) for page in found}) == 1, key
