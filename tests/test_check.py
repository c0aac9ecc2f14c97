"""The page on having a program of one's own judged, and the judge that it hands out."""

from __future__ import annotations

from collections import Counter

from flask.testing import FlaskClient

from judge.pack import packed
from tests.conftest import parse
from tests.serving import ROOT


def test_the_page_shows_what_the_judge_writes(client: FlaskClient) -> None:
    shown = parse(client.get("/learn/check")).select(".terminal > div")
    words = [word for part in shown for word in part.get_text(" ").split()]
    example = (ROOT / "judge/example.txt").read_text()
    assert Counter(words) == Counter(example.partition("\f")[0].split())


def test_the_judge_is_sent_and_once_only(client: FlaskClient) -> None:
    [link] = parse(client.get("/learn/check")).select(".act[download]")
    sent = client.get(str(link["href"]))
    assert sent.data == packed() and sent.mimetype == "application/octet-stream"
    assert sent.headers["Content-Disposition"] == "attachment; filename=judge.pyz"
    assert sent.headers["Cache-Control"] == "public, max-age=3600"
    again = client.get("/judge.pyz", headers={"If-None-Match": sent.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
