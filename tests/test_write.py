"""The page Write: what it says about a program, and how it is drawn."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from math import inf

import pytest
from flask.testing import FlaskClient

from engine.notation import signed
from engine.position import Mark, Outcome, Position
from teach.lesson.screen import WORDS
from teach.programs import GAPS, Program, Report, parse_program, programs, report_on
from tests import textbook
from tests.conftest import parse, text_of
from tests.html import Tag
from tests.positions import sample
from tests.sentences import assert_matches_snapshot, page_text
from web.learn import words
from web.learn.write import (
    LEVELS,
    WriteQuery,
    board_strip,
    game_against,
    program_view,
    value_labels,
)


def open_loss(client: FlaskClient, code: str) -> Tag:
    """Open the loss of a program, with all gaps and the line to look at shown."""
    return open_program(client, "3", code, run="loss", look="on")


def open_program(client: FlaskClient, level: str, code: str, **more: str) -> Tag:
    """Open the Write page of a program at a level."""
    return parse(client.get("/learn/write", query_string=query(level, code) | more))


def query(level: str, code: str) -> dict[str, str]:
    """Return the query for a program; its first piece says whether turns count."""
    pieces = {line: int(piece) for line, piece in zip(GAPS, code, strict=True)}
    write_query = WriteQuery(
        level, {line: pieces[line] for line in LEVELS[level]}, counts_turns=code[0] == "0"
    )
    return {name: value for name, value in write_query.args.items() if value is not None}


def test_the_page_of_every_kind_of_program_matches_the_snapshot(client: FlaskClient) -> None:
    """The first and the right programs, and each mistake on its own."""
    single_mistake_codes = [
        program.code
        for program in programs()
        # Ignoring turns is the other of the two.
        if program.code[0] == "1" and len(program.mistakes()) == 2
    ]
    codes = ("12111", "00000", "10000", "01000", *single_mistake_codes)
    pages = {code: open_loss(client, code) for code in codes}
    assert_matches_snapshot("write", "".join(f"{code}\n{page_text(pages[code])}" for code in pages))
    assert all(len(gzip.compress(str(page).encode())) <= 10_000 for page in pages.values())


def test_a_gap_is_empty_until_its_piece_is_chosen(client: FlaskClient) -> None:
    page = parse(client.get("/learn/write?l5=2&l8=0"))
    assert [field["id"] for field in page.select("input[checked]")] == ["l5-2", "l8-0"]
    assert all("required" in field.attrs for field in page.select("input[type=radio]"))
    assert page_text(page) == page_text(parse(client.get("/learn/write?l5=2&l8=0&run=on")))


def test_every_line_is_shown_in_the_words_of_the_lesson_and_in_python(
    client: FlaskClient,
) -> None:
    right = open_loss(client, "10000")
    assert chosen_lines("span", right) == WORDS["10"]["lines"]
    assert chosen_lines("code", right) == [*Program((0,) * 5).lines()]
    texts = {
        label.select("code")[0].get_text(): label.select("span")[0].get_text()
        for label in right.select("label:has(code)")
    }
    assert texts == {
        "max if node.is_max else min": "the highest, O the lowest.",
        "max": "the highest, and so does O.",
        "min if node.is_max else max": "the lowest, O the highest.",
        "-inf if pick is max else inf": "nothing yet.",
        "0": "0.",
        "-inf": "−∞.",
        "minimax(child)": "by minimax,",
        "-minimax(child)": "by minimax, its sign flipped,",
        "pick(best, value)": "what line 4 picks.",
        "value": "the last.",
    }


def chosen_lines(element: str, page: Tag) -> list[str]:
    """Return the nine lines with the chosen pieces, in words ("span") or in Python ("code")."""
    chosen = f"div > {element}, label:has([checked]) > {element}"
    return [
        "".join(part.get_text() for part in line.select(chosen))
        for line in page.select("#lines > *")
    ]


def test_the_right_piece_is_not_always_listed_first(client: FlaskClient) -> None:
    gaps = open_loss(client, "00000").select(".gap")
    pieces_of = [GAPS[line] for line in LEVELS["3"]]
    labels = [[label.get_text() for label in gap.select("label code")] for gap in gaps]
    assert [sorted(pieces) for pieces in labels] == [sorted(gap) for gap in pieces_of]
    right = [pieces.index(gap[0]) for pieces, gap in zip(labels, pieces_of, strict=True)]
    assert right == [2, 1, 1, 0]


def values_for_x(board: str, counts_turns: bool) -> dict[int, int]:
    """Return the textbook's value of each move for X, with or without counting turns."""
    side = 1 if textbook.turn(board) == "X" else -1
    scores = {square: side * score for square, score in textbook.move_scores(board).items()}
    if counts_turns:
        return scores
    return {square: textbook.sign(score) for square, score in scores.items()}


def test_every_program_is_shown_beside_the_correct_values() -> None:
    boards = set()
    for program in programs():
        if not (game := report_on(program).shortest_loss):
            continue
        assert board_strip(game.moves) == [
            (square, Position().after(game.moves[:number]))
            for number, square in enumerate(game.moves, 1)
        ]
        board, view, counts_turns = (
            game.blunder_position,
            program_view(program, game.blunder_position),
            program.pieces[0] == 0,
        )
        correct_values = values_for_x(str(board), counts_turns)
        assert {s: text for s, (text, _) in view.own_values.items()} == {
            square: "∞" if value == inf else signed(value)
            for square, value in program.values(board).items()
        }
        assert {s: text for s, (text, _) in view.true_values.items()} == {
            square: signed(value) for square, value in correct_values.items()
        }
        best = (max if board.turn == "X" else min)(correct_values.values())
        assert [text for text, _ in view.scores] == [
            signed(best),
            signed(correct_values[program.choose(board)]),
        ]
        boards.add(board.turn)
    assert boards == {"X", "O"}


def test_values_have_the_color_of_the_side_they_favor() -> None:
    assert [*value_labels({0: 1, 1: -6, 2: 0, 3: inf, 4: -inf}).values()] == [
        ("+1", "X"), ("−6", "O"), ("0", ""), ("∞", "X"), ("−∞", "O"),
    ]  # fmt: skip


def test_a_checkbox_makes_turns_count_and_line_3_says_so(client: FlaskClient) -> None:
    for code, text in (("11000", "0: a draw; +1: X wins."), ("01000", "on turn")):
        counts_turns = code[0] == "0"
        page, loss = open_program(client, "3", code), open_loss(client, code)
        (box,), (lines,) = page.select("#turns"), page.select("#lines")
        assert (box["name"], box["value"]) == ("turns", "on")
        assert (box.get("checked") is not None) == counts_turns
        assert len(loss.select("input[type=hidden][name=turns]")) == counts_turns, (
            "the next run must have the same setting"
        )
        assert "return node.value" in lines.get_text()
        assert text in loss.get_text()


# All games of a program


def test_a_single_lost_game_is_in_the_singular() -> None:
    loss_counts = (0, 1, 2, 1234)
    assert [words.verdict(Report(9, loss_count, 0, None)) for loss_count in loss_counts] == [
        "It never loses.",
        "It loses 1 game.",
        "It loses 2 games.",
        "It loses 1,234 games.",
    ]


@pytest.mark.long
def test_running_a_program_shows_all_its_games_as_squares(client: FlaskClient) -> None:
    for program in sample(9, [program for program in programs() if program.pieces[0] < 2]):
        page, report = open_program(client, "3", program.code, run="on"), report_on(program)
        loss_count, game_count = f"{report.loss_count:,}", f"{report.game_count:,}"
        texts = [text_of(page.select_one(part)) for part in ("h1", "#told p", ".onward .prime")]
        assert texts == (
            [
                f"It loses {loss_count} games.",
                f"{game_count} games played. Start with the shortest loss.",
                "Show the loss",
            ]
            if report.loss_count
            else [
                "It never loses.",
                f"{game_count} games: every way to play against it.",
                "Play against it",
            ]
        )
        prime, quiet = page.select(".onward a")
        assert text_of(quiet) == "Your nine lines" and "run" not in quiet["href"]
        assert client.get(prime["href"]).status_code == 200
        counts = {
            "won": report.game_count - report.loss_count - report.draw_count,
            "drawn": report.draw_count,
        }
        counts["lost"] = report.loss_count
        legend = [text_of(span) for span in page.select("figcaption span")]
        assert legend == [f"{count} {kind}" for kind, count in counts.items()]
        squares = [
            (int(x) // 10 + n, int(y) // 10)
            for path in page.select(".field path:not(.hole)")
            for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)", str(path["d"]))
            for n in range(int(width) // 10)
        ]
        columns = max(x for x, _ in squares) + 1
        assert squares == [(n % columns, n // columns) for n in range(report.game_count)]
        assert (columns - 1) ** 2 < report.game_count <= columns**2


def test_before_a_run_nothing_reveals_which_pieces_are_right(client: FlaskClient) -> None:
    for level in LEVELS:
        texts = set()
        for program in sample(3, [program for program in programs() if fits_level(program, level)]):
            page = page_text(open_program(client, level, program.code))
            texts.add(re.sub(r"(?<=\[l\d-\d) on|(?<=l\d=)\d", "", page))
        assert len(texts) == 1


def fits_level(program: Program, level: str) -> bool:
    """Return whether a program ignores turns and is right except in the gaps of a level."""
    pieces = [*zip(GAPS, program.pieces, strict=True)][1:]
    is_right = all(not piece for line, piece in pieces if line not in LEVELS[level])
    return is_right and program.pieces[0] == 1


# Levels


def test_a_learner_starts_with_one_gap_and_may_take_two_or_four(client: FlaskClient) -> None:
    for level, lines in LEVELS.items():
        page = parse(client.get(f"/learn/write?level={level}"))
        assert [gap["id"] for gap in page.select(".gap")] == [f"line-{line}" for line in lines]
        assert not page.select("input[checked]")
        assert [link["href"] for link in page.select(".tabs a")] == [
            f"/learn/write?level={tab}" for tab in "123"
        ]


WRONG = "level=3&l4=2&l5=1&l7=1&l8=1"


def test_the_line_to_look_at_is_shown_on_request(client: FlaskClient) -> None:
    for query_text, shows_line, offers_line in (
        ("", False, False),
        (f"{WRONG}&look=on", False, False),
        (f"{WRONG}&run=loss", False, True),
        (f"{WRONG}&run=loss&look=on", True, False),
        ("level=1&l4=0&run=loss&look=on", False, False),
    ):
        page = client.get(f"/learn/write?{query_text}").text
        assert (">look here<" in page) == ("Line 8</b>" in page) == shows_line, query_text
        assert ("Four blanks are wrong" in page) == shows_line
        assert ("Show me the line" in page) == offers_line


# A game against it


def game_ends(
    program: Program, human: Mark, human_moves: tuple[int, ...] = ()
) -> Iterator[Position]:
    """Yield the end of every game that a human can play against a program."""
    end = Position().after(game_against(program, human, human_moves))
    if end.outcome():
        yield end
    for square in end.legal_moves():
        yield from game_ends(program, human, (*human_moves, square))


@pytest.mark.long
@pytest.mark.parametrize("code", ["00000", "01000"])
def test_a_program_plays_as_it_was_judged(code: str) -> None:
    program = parse_program(code)
    ends = [(end, human) for human in ("X", "O") for end in game_ends(program, human)]
    losses = [end for end, human in ends if textbook.winner(str(end)) == human]
    report = report_on(program)
    assert (len(ends), len(losses)) == (report.game_count, report.loss_count)


def test_a_game_against_a_program_is_stored_in_its_address(client: FlaskClient) -> None:
    query_template = "level=1&l4={}&you={}&moves={}"
    queries = {
        "started": query_template.format(0, "X", ""),
        "answered": query_template.format(1, "X", "4"),
        "drawn": query_template.format(0, "X", "01658"),
        "lost": query_template.format(0, "O", "12"),
        "beaten": query_template.format(1, "X", "048"),
    }
    texts = {
        name: page_text(parse(client.get(f"/learn/write/play?{query_text}")))
        for name, query_text in queries.items()
    }
    assert_matches_snapshot(
        "write-play", "".join(f"{name}\n{text}" for name, text in texts.items())
    )


def test_the_explanation_of_a_result_says_whether_the_program_is_right() -> None:
    lost, drawn = Outcome("O", ((0, 1, 2),)), Outcome(None, ())
    assert words.reason(lost, "X", is_right=True) == "Nobody beats those nine lines."
    assert words.reason(drawn, "X", is_right=True) == "Your nine lines are as good as I am."
    assert (
        words.reason(lost, "O", is_right=False) == "Something in it is wrong, and you made it pay."
    )
    assert words.reason(drawn, "X", is_right=False) == "Something in it is still wrong."
