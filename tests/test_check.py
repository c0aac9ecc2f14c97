"""The page about testing your own program, and the file it offers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient

from judge.pack import pyz_bytes
from judge.tests.test_alone import check_everyday_use
from teach.lesson.screens import SOLVING_QUERIES
from tests.conftest import parse
from tests.serving import ROOT, Site


def test_the_page_shows_the_judges_report(client: FlaskClient) -> None:
    lines = parse(client.get("/learn/check")).select(".terminal > div")
    words = [word for line in lines for word in line.get_text(" ").split()]
    first_report, _, _ = (ROOT / "judge/example.txt").read_text().partition("\f")
    assert Counter(words) == Counter(first_report.split())


def test_a_report_links_to_the_board_before_the_mistake(client: FlaskClient) -> None:
    report = " ".join((ROOT / "judge/example.txt").read_text().split())
    pattern = r"played square \d \((.+?)\); only square \d \((.+?)\) keeps .* mistake: (\S+)"
    match = re.search(pattern, report)
    assert match
    wrong_square, right_square, address = match.groups()
    page = parse(client.get(address))
    [played_square] = page.select(".squares a:has(em) b")
    best_square = page.select(".squares b")[0].get_text()[:-2]
    assert (played_square.get_text(), best_square) == (wrong_square, right_square)


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
def test_other_pages_link_to_the_check_page(client: FlaskClient, address: str, words: str) -> None:
    links = parse(client.get(address)).select('a[href="/learn/check"]')
    assert words in [link.get_text().strip() for link in links]


def test_screen_10_of_the_lesson_links_to_the_check_page(client: FlaskClient) -> None:
    query = SOLVING_QUERIES["10"]
    [button] = parse(client.get(f"/learn/10?{query}")).select('button[value="check"]')
    assert button.get_text() == "Test your own"
    response = client.post("/learn/10/done", data={"next": "check", "state": query})
    assert response.headers["Location"] == "/learn/check"


def test_the_site_serves_the_manual(client: FlaskClient) -> None:
    [link] = parse(client.get("/learn/check")).select("main p.muted a")
    response = client.get(str(link["href"]))
    assert response.mimetype == "text/plain"
    assert response.text == (ROOT / "judge/manual.md").read_text()


def test_the_page_offers_the_packed_judge_as_a_download(client: FlaskClient) -> None:
    [link] = parse(client.get("/learn/check")).select(".act[download]")
    response = client.get(str(link["href"]))
    assert response.data == pyz_bytes()
    assert response.mimetype == "application/octet-stream"
    assert response.headers["Content-Disposition"] == "attachment; filename=judge.pyz"


def test_the_packed_judge_is_not_sent_again_if_unchanged(client: FlaskClient) -> None:
    response = client.get("/judge.pyz")
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    again = client.get("/judge.pyz", headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.soak
def test_the_downloaded_judge_tests_programs_of_every_kind(tmp_path: Path) -> None:
    with Site().serving() as site, urlopen(f"{site.url}/judge.pyz") as response:
        (tmp_path / "judge.pyz").write_bytes(response.read())
    check_everyday_use(tmp_path)
