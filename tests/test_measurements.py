"""Every figure in docs/measurements.md comes from the bench, and its limit from the code."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask

from bench.__main__ import SECTIONS
from bench.engine import strength
from bench.peers import ENGINES, OURS
from bench.rows import COLUMNS, HEAD, MEASUREMENTS_PATH, ROWS, format_limit
from bench.web import ADDRESSES
from engine.search import best_moves
from judge.players import MAX_FILE_SIZE
from teach.lesson.screen import BoardScreen, TreeScreen
from teach.lesson.screens import states
from tests.pages import PAGES
from tests.serving import ROOT
from tools.serve import OPTIONS
from web.http.files import ROOT_FILES

DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("judge/*.md")]
TABLES = [
    [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]
    for table in re.findall(r"(?:^\|.*\n)+", MEASUREMENTS_PATH.read_text(), re.MULTILINE)
]


def test_the_page_has_every_row_and_limit_of_the_bench_with_a_figure() -> None:
    _, ((*head, _), _, *rows) = TABLES
    assert head == ["what", "measured", "at most"]
    written = [(what, limit, part.strip("`")) for what, _, limit, part in rows]
    assert written == [
        (row.label, format_limit(row), key.partition(".")[0]) for key, row in ROWS.items()
    ]
    for (what, measured, *_), row in zip(rows, ROWS.values(), strict=True):
        form = rf"[\d,.]+( {row.unit})?( \(-?[\d,.]+ to [\d,.]+\))?" if row.unit else r"[\d,.]+.*"
        assert re.fullmatch(f"-?{form}|`/.*`", measured.strip("*")), what


def test_the_page_lists_every_engine_and_the_guaranteed_results() -> None:
    (head, _, *rows), _ = TABLES
    assert tuple(head) == COLUMNS
    assert [row[0] for row in rows] == [*ENGINES]
    exact = {row[0]: tuple(row[3:]) for row in rows}
    assert exact[OURS] == strength(best_moves)
    assert {row[3] for row in rows} == {"0"}, "no engine may lose a game"


def test_the_page_starts_as_the_bench_writes_it_with_every_section() -> None:
    before, _, after = HEAD.partition("{machine}")
    text = MEASUREMENTS_PATH.read_text()
    assert text.startswith(before)
    assert after in text
    assert re.findall(r"`python -m bench (\w+)`", HEAD) == [*SECTIONS]
    assert {key.partition(".")[0] for key in ROWS} == {*SECTIONS}


def test_the_most_expensive_page_is_sought_among_all_kinds(app: Flask) -> None:
    """It is sought among these pages and all pages they link to; files are not pages."""
    texts = {"learn.judge_file", "learn.manual_page", "learn.guide_page"}
    files = {"static", "healthz", *texts, *ROOT_FILES}
    to_page = app.url_map.bind("localhost").match
    pages = {*ADDRESSES} - {PAGES["error"]}
    measured = {to_page(urlsplit(address).path)[0] for address in pages}
    kinds = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    assert kinds - measured == {*files, "play.why"}  # which only redirects


# Figures with these units are measured and become outdated, except for settings.
UNITS = r"\d[\d,.]*\s?(?:ms|µs|KB|MB|words|lines of code)\b"
SETTINGS = {"16 KB": int(OPTIONS[OPTIONS.index("--http1-buffer-size") + 1]) // 1024,
            "1 MB": MAX_FILE_SIZE >> 20}  # fmt: skip


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_document_repeats_a_measured_figure(path: Path) -> None:
    figures = {*re.findall(UNITS, path.read_text())} if path != MEASUREMENTS_PATH else set()
    assert figures <= {*SETTINGS}
    assert all(int(figure.split()[0]) == value for figure, value in SETTINGS.items())


def boards_of(name: str) -> set[str]:
    """Return every board that a screen of the lesson shows large or in its tree."""
    shown_boards = set()
    for screen in states(name).values():
        if isinstance(screen, BoardScreen):
            shown_boards.add("".join(cell.mark or "-" for cell in screen.board))
        elif isinstance(screen, TreeScreen):
            shown_boards |= {str(node.content) for node in screen.tree.root.walk()}
    return shown_boards


def test_references_in_tradition_md_exist() -> None:
    text = (ROOT / "docs/tradition.md").read_text()
    references = re.findall(r"`/learn/(\d+)`\]?(?:\([^)]*\))?, `([XO-]{9})`", text)
    assert len(references) >= 6
    assert [(n, board) for n, board in references if board not in boards_of(n)] == []
