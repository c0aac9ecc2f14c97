"""The search put together on its page: every program, and what the page says of it."""

from __future__ import annotations

import gzip
from math import inf
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.notation import signed
from engine.position import SQUARE_NAMES
from teach.programs import GAPS, Program, programs, read, run
from tests import textbook
from tests.conftest import assert_refused, parse
from tests.html import Tag
from tests.positions import UNFINISHED
from web.learn.write import query, shown

SENTENCES = {
    (3, 2): "Line 3 counts for X. When the program is O, it takes X's wins for its own.",
    (8, 1): "Line 8 keeps the value that came last, not the best; lines 4 and 5 play no part.",
    (7, 1): "The minus turns every value round, level by level: it takes its own win for a loss.",
    (4, 1): "Line 4 takes the highest on MIN's boards too, as if the other side wished it well.",
    (4, 2): "Line 4 has it the wrong way round: MAX gets the lowest, MIN the highest.",
    (5, 1): "From 0, no MAX board falls below 0 and no MIN board rises above:"
    " it sees two turns ahead, no further.",
    (5, 2): "MIN starts from −inf and finds nothing lower:"
    " every square that does not end the game is worth −inf.",
    (3, 1): "It counts no turns: a win later is as good as a win now.",
}


def visit(client: FlaskClient, code: str) -> Tag:
    return parse(client.get("/learn/write", query_string=query(read(code))))


def text(soup: Tag, css: str) -> list[str]:
    return [" ".join(found.get_text().split()) for found in soup.select(css)]


def test_it_opens_with_five_wrong_pieces_and_tells_of_the_first(client: FlaskClient) -> None:
    soup = parse(client.get("/learn/write"))
    assert text(soup, "h2") == ["It loses 521 of 957 games."]
    assert text(soup, "#ask") == ["Five pieces are wrong. Press better ones."]
    assert text(soup, "#bar a") == ["Look at Line 3", "Loses 521 of 957 ↓"]
    assert [link["href"] for link in soup.select("#look")] == ["#line-3"]
    assert soup.select_one("#line-3.look")
    assert text(soup, ".hint p") == [
        SENTENCES[3, 2],
        "5 pieces are wrong. They can hide each other: with one mended it may lose more.",
    ]
    assert chosen(soup) == ['node.score_of("X")', "min if node.is_max else max", "0",
                            "-minimax(child)", "value"]  # fmt: skip


def test_the_right_piece_is_not_always_the_first(client: FlaskClient) -> None:
    soup = visit(client, "00000")
    shown = [text(gap, "label") for gap in soup.select(".gap")]
    assert [sorted(labels) for labels in shown] == [sorted(gap) for gap in GAPS.values()]
    places = [labels.index(right) for labels, right in zip(shown, chosen(soup), strict=True)]
    assert places == [0, 2, 1, 1, 0]


def chosen(soup: Tag) -> list[str]:
    return text(soup, "label:has([checked])")


@pytest.mark.long
@pytest.mark.parametrize("program", programs(), ids=lambda program: program.code)
def test_every_program_has_a_page_that_tells_what_a_run_finds(
    client: FlaskClient, program: Program
) -> None:
    soup, report, mistakes = visit(client, program.code), run(program), program.mistakes()
    assert code(soup) == list(program.lines())
    assert text(soup, "#said") == text(soup, "h2") == [verdict(program)]
    assert text(soup, ".look legend span") == [f"Line {m.line}" for m in mistakes[:1]]
    said = [card.replace(f"Line {mistakes[0].line}. ", "") for card in text(soup, ".hint p")]
    assert said[:1] == [SENTENCES[mistake] for mistake in mistakes[:1]]
    assert said[1:] == [
        f"{n} pieces are wrong. They can hide each other: with one mended it may lose more."
        for n in [len(mistakes)]
        if n > 1
    ]
    if game := report.shortest:
        assert text(soup, "h3")[0].endswith(f"It plays {game.mark}.")
        slip = " ??, loses" if report.lost else " late"
        assert text(soup, ".strip li") == [
            f"{n}: {'OX'[n % 2]} {SQUARE_NAMES[square]}{slip if n == game.at + 1 else ''}"
            for n, square in enumerate(game.moves, 1)
        ]
    boards = [board for board in (game and game.slip, report.gives_up) if board]
    assert [svg["aria-label"] for svg in soup.select(".pair svg")] == [
        ", ".join(f"{SQUARE_NAMES[s]} {unbounded(value)}" for s, value in values.items())
        for board in boards
        for values in (program.values(board), textbook.move_scores(str(board)))
    ]


def unbounded(value: float) -> str:
    return "∞" if value == inf else signed(value)


def code(soup: Tag) -> list[str]:
    """Return the nine lines as they read with the pieces chosen."""
    pieces = iter(chosen(soup))
    starts = [line.select_one("[aria-hidden]") or line for line in soup.select("#lines > *")]
    return [
        start.get_text().removesuffix("look here") + (next(pieces) if start.name == "span" else "")
        for start in starts
    ]


def verdict(program: Program) -> str:
    report = run(program)
    if report.lost:
        return f"It loses {report.lost} of {report.games} games."
    perfect = "Perfect. It loses none, and wins as soon as it can."
    return "It loses none of 782 games." if program.mistakes() else perfect


def test_the_program_without_turns_wins_late_and_would_give_up(client: FlaskClient) -> None:
    soup = visit(client, "10000")
    assert text(soup, "#ask") == ["One piece is wrong. Press a better one."]
    assert text(soup, "#loses") == ["Loses none ↓"]
    assert text(soup, "h3") == [
        "It passes by a quicker win. It plays X.",
        "What it saw before move 5 plus is good for X",
        "In a lost position it plays top right and loses sooner than it need plus is good for O",
    ]
    _, drawn, slip, given_up = text(soup, ".key")
    assert drawn == (
        "Played against every way to play, from both sides; 185 of 782 drawn."
        " How many games there are depends on its own choices."
    )
    assert slip == "+9: wins with this move (10 − 1); +7: wins on turn 3 from here (10 − 3)."
    assert given_up == (
        "−6: loses on turn 4 from here (4 − 10); −8: loses on turn 2 from here (2 − 10)."
    )
    loses = visit(client, "00100")
    assert text(loses, "h3")[1] == "Lost from move 4 on: plus is good for O"
    assert text(loses, ".key")[2] == "0: draws; −6: loses on turn 4 from here (4 − 10)."


def test_the_perfect_program_leads_to_the_checker(client: FlaskClient) -> None:
    soup = visit(client, "00000")
    assert text(soup, "#ask") == ["No piece is wrong."]
    assert text(soup, "#bar a") == ["Loses none ↓"]
    assert text(soup, ".card code")[0] == "python -m teach.check path/to/my_player.py"
    assert text(soup, ".card p")[3].endswith("Any other language, too: docs/check.md.")


def test_the_lines_it_goes_on_with_play_what_a_search_finds(client: FlaskClient) -> None:
    [lines] = visit(client, "00000").select(".card pre")
    names: dict[str, Any] = {"minimax": lambda board, me: textbook.minimax(board, me, 1)}
    exec(lines.get_text(), names)
    for board in map(str, UNFINISHED):
        scores = textbook.move_scores(board)
        assert scores[names["choose"](board)] == max(scores.values())


def test_values_are_drawn_for_whom_they_are_good(client: FlaskClient) -> None:
    own, true = visit(client, "00100").select(".pair svg")
    assert [(t.get_text(), *t.classes) for t in own.select("text")] == [("0",)] * 6
    assert [(t.get_text(), *t.classes) for t in true.select("text")] == [
        ("−6", "X"), ("0",), *[("−6", "X")] * 4,
    ]  # fmt: skip
    assert [*shown({0: 1, 1: -6, 2: 0, 3: inf, 4: -inf}, "O").values()] == [
        ("+1", "O"), ("−6", "X"), ("0", ""), ("∞", "O"), ("−∞", "X"),
    ]  # fmt: skip


def test_a_gap_that_the_address_leaves_out_holds_what_it_opens_with(client: FlaskClient) -> None:
    soup = parse(client.get("/learn/write?l5=2&l8=0"))
    assert code(soup) == list(read("22210").lines())


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("l3=3", "l3 is a number from 0 to 2."),
        ("l7=2", "l7 is a number from 0 to 1."),
        ("l4=max", "l4 is a number from 0 to 2."),
        ("l5=0&l5=1", "l5 was given 2 times: give it once."),
    ],
)
def test_a_piece_that_is_none_is_refused(client: FlaskClient, query: str, reason: str) -> None:
    assert_refused(client, f"/learn/write?{query}", reason)


@pytest.mark.parametrize("url", ["/learn/write", "/learn/write?l3=1&l4=0&l5=0&l7=0&l8=0"])
def test_it_is_small_and_may_be_kept(client: FlaskClient, url: str) -> None:
    page = client.get(url)
    assert len(gzip.compress(page.data)) <= 10_000
    assert page.headers["Cache-Control"] == "public, max-age=3600"
