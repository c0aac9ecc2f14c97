"""The page about testing your own program, and the file it offers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient

from judge.pack import packed
from judge.tests.test_alone import check_everyday_use
from teach.lesson.screens import SOLVED
from tests.conftest import parse
from tests.serving import ROOT, Site


def test_the_page_shows_the_report_of_the_judge(client: FlaskClient) -> None:
    shown = parse(client.get("/learn/check")).select(".terminal > div")
    words = [word for part in shown for word in part.get_text(" ").split()]
    example = (ROOT / "judge/example.txt").read_text()
    assert Counter(words) == Counter(example.partition("\f")[0].split())


def test_a_report_links_to_the_board_before_the_mistake(client: FlaskClient) -> None:
    report = " ".join((ROOT / "judge/example.txt").read_text().split())
    sentences = r"played square \d \((.+?)\); only square \d \((.+?)\) keeps .* mistake: (\S+)"
    match = re.search(sentences, report)
    assert match
    wrong, right, address = match.groups()
    page = parse(client.get(address))
    [played] = page.select(".squares a:has(em) b")
    assert [played.get_text(), page.select(".squares b")[0].get_text()[:-2]] == [wrong, right]


def test_the_page_starts_with_the_download_and_the_command(client: FlaskClient) -> None:
    page = parse(client.get("/learn/check"))
    parts = page.select("main h1, main .act, main pre, main p:not(:has(.act))")
    heading, button, command, *_ = parts
    assert heading.get_text() == "Test your own program"
    assert button["href"] == "/judge.pyz"
    assert command.get_text() == "python judge.pyz my_player.py"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/learn", "Why does my program lose?"),
        ("/learn/write", "Test your own program ›"),
        ("/learn/end", "Test your own program ›"),
        ("/learn/teach", "How it works"),
    ],
)
def test_other_pages_link_to_it(client: FlaskClient, address: str, words: str) -> None:
    links = parse(client.get(address)).select('a[href="/learn/check"]')
    assert words in [link.get_text().strip() for link in links]


def test_screen_10_of_the_lesson_links_to_it(client: FlaskClient) -> None:
    [way] = parse(client.get(f"/learn/10?{SOLVED['10']}")).select('button[value="check"]')
    assert way.get_text() == "Test your own"
    sent = client.post("/learn/10/done", data={"next": "check", "state": SOLVED["10"]})
    assert sent.headers["Location"] == "/learn/check"


def test_the_site_serves_the_manual(client: FlaskClient) -> None:
    [link] = parse(client.get("/learn/check")).select("main p.muted a")
    sent = client.get(str(link["href"]))
    assert sent.mimetype == "text/plain" and sent.text == (ROOT / "judge/manual.md").read_text()


def test_the_file_is_sent_whole_only_once(client: FlaskClient) -> None:
    [link] = parse(client.get("/learn/check")).select(".act[download]")
    sent = client.get(str(link["href"]))
    assert sent.data == packed() and sent.mimetype == "application/octet-stream"
    assert sent.headers["Content-Disposition"] == "attachment; filename=judge.pyz"
    assert sent.headers["Cache-Control"] == "public, max-age=3600"
    again = client.get("/judge.pyz", headers={"If-None-Match": sent.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.soak
def test_the_downloaded_file_tests_programs_of_every_kind(tmp_path: Path) -> None:
    with Site().serving() as site, urlopen(f"{site.url}/judge.pyz") as sent:
        (tmp_path / "judge.pyz").write_bytes(sent.read())
    check_everyday_use(tmp_path)
