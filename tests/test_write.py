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
from teach.programs import GAPS, Program, ProgramGame, Report, parse_program, programs, report_on
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
    """Open the shortest loss of a program, at the level with all gaps, with the line to look at."""
    return open_program(client, "3", code, run="loss", look="on")


def open_program(client: FlaskClient, level: str, code: str, **more: str) -> Tag:
    """Open the Write page of a program at a level."""
    return parse(client.get("/learn/write", query_string=query(level, code) | more))


def query(level: str, code: str) -> dict[str, str]:
    """Return the query for a program; its first piece says whether turns count."""
    pieces = {line: int(piece) for line, piece in zip(GAPS, code, strict=True)}
    chosen_pieces = {line: pieces[line] for line in LEVELS[level]}
    write_query = WriteQuery(level, chosen_pieces, counts_turns=code[0] == "0")
    return {name: value for name, value in write_query.args.items() if value is not None}


def test_the_page_of_every_kind_of_program_matches_the_snapshot(client: FlaskClient) -> None:
    pages = {code: page_text(open_loss(client, code)) for code in codes_of_every_kind()}
    assert_matches_snapshot("write", "".join(f"{code}\n{text}" for code, text in pages.items()))


def test_the_page_of_a_program_has_at_most_10_kilobytes_compressed(client: FlaskClient) -> None:
    for code in codes_of_every_kind():
        html = str(open_loss(client, code)).encode()
        assert len(gzip.compress(html)) <= 10_000


def codes_of_every_kind() -> list[str]:
    """Return the codes of right programs, of wrong ones, and of each mistake on its own."""
    single_mistakes = [
        program.code
        for program in programs()
        # These ignore turns, which counts as one more mistake.
        if program.code[0] == "1" and len(program.mistakes()) == 2
    ]
    return ["12111", "00000", "10000", "01000", *single_mistakes]


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
    labels = [[label.get_text() for label in gap.select("label code")] for gap in gaps]
    pieces = [GAPS[line] for line in LEVELS["3"]]  # in each gap, the right one first
    assert [*map(sorted, labels)] == [*map(sorted, pieces)]
    right_indices = [
        gap_labels.index(gap_pieces[0])
        for gap_labels, gap_pieces in zip(labels, pieces, strict=True)
    ]
    assert right_indices == [2, 1, 1, 0]


def values_for_x(board: str, counts_turns: bool) -> dict[int, int]:
    """Return the textbook's value of each move, from the view of X; turns may be counted."""
    side = 1 if textbook.turn(board) == "X" else -1
    scores = {square: side * score for square, score in textbook.move_scores(board).items()}
    if counts_turns:
        return scores
    return {square: textbook.sign(score) for square, score in scores.items()}


def losing_programs() -> list[tuple[Program, ProgramGame]]:
    """Return programs that lose, each with its shortest loss.

    They are all of them in `make soak`, otherwise those among a fifth of all programs.
    """
    losses = [(program, report_on(program).shortest_loss) for program in sample(5, programs())]
    return [(program, loss) for program, loss in losses if loss]


def test_a_loss_is_shown_with_the_board_after_each_move() -> None:
    for _, loss in losing_programs():
        boards = [Position().after(loss.moves[:number]) for number in range(1, len(loss.moves) + 1)]
        assert board_strip(loss.moves) == [*zip(loss.moves, boards, strict=True)]


def test_a_losing_program_is_shown_beside_the_correct_values() -> None:
    sides = set()
    for program, loss in losing_programs():
        position = loss.blunder_position
        view = program_view(program, position)
        correct_values = values_for_x(str(position), counts_turns=program.pieces[0] == 0)
        assert {square: text for square, (text, _) in view.own_values.items()} == {
            square: "∞" if value == inf else signed(value)
            for square, value in program.values(position).items()
        }
        assert {square: text for square, (text, _) in view.true_values.items()} == {
            square: signed(value) for square, value in correct_values.items()
        }
        best_value = (max if position.turn == "X" else min)(correct_values.values())
        value_of_choice = correct_values[program.choose(position)]
        assert [text for text, _ in view.scores] == [signed(best_value), signed(value_of_choice)]
        sides.add(position.turn)
    assert sides == {"X", "O"}


def test_values_have_the_color_of_the_side_they_favor() -> None:
    assert [*value_labels({0: 1, 1: -6, 2: 0, 3: inf, 4: -inf}).values()] == [
        ("+1", "X"), ("−6", "O"), ("0", ""), ("∞", "X"), ("−∞", "O"),
    ]  # fmt: skip


@pytest.mark.parametrize("code", ["11000", "01000"])
def test_a_checkbox_makes_turns_count(client: FlaskClient, code: str) -> None:
    (box,) = open_program(client, "3", code).select("#turns")
    assert (box["name"], box["value"]) == ("turns", "on")
    counts_turns = code[0] == "0"
    assert (box.get("checked") is not None) == counts_turns
    next_run = open_loss(client, code).select("input[type=hidden][name=turns]")
    assert len(next_run) == counts_turns, "the next run must have the same setting"


@pytest.mark.parametrize(
    ("code", "text"), [("11000", "0: a draw; +1: X wins."), ("01000", "on turn")]
)
def test_the_page_says_whether_turns_count(client: FlaskClient, code: str, text: str) -> None:
    (lines,) = open_program(client, "3", code).select("#lines")
    assert "return node.value" in lines.get_text()
    assert text in open_loss(client, code).get_text()


# All games of a program


def test_a_single_lost_game_is_in_the_singular() -> None:
    loss_counts = (0, 1, 2, 1234)
    assert [
        words.verdict_sentence(Report(9, loss_count, 0, None)) for loss_count in loss_counts
    ] == [
        "It never loses.",
        "It loses 1 game.",
        "It loses 2 games.",
        "It loses 1,234 games.",
    ]


def run_programs(client: FlaskClient) -> Iterator[tuple[Tag, Report]]:
    """Yield the page after a run of some programs, or in `make soak` of all, and the report."""
    runnable = [program for program in programs() if program.pieces[0] < 2]
    for program in sample(9, runnable):
        yield open_program(client, "3", program.code, run="on"), report_on(program)


@pytest.mark.long
def test_after_a_run_the_page_says_how_many_games_are_lost_and_offers_the_loss_or_a_game(
    client: FlaskClient,
) -> None:
    for page, report in run_programs(client):
        heading = "It never loses."
        sentence = f"{report.game_count:,} games: every way to play against it."
        offer = "Play against it"
        if report.loss_count:
            heading = f"It loses {report.loss_count:,} games."
            sentence = f"{report.game_count:,} games played. Start with the shortest loss."
            offer = "Show the loss"
        assert text_of(page.select_one("h1")) == heading
        assert text_of(page.select_one("#told p")) == sentence
        assert text_of(page.select_one(".onward .prime")) == offer


@pytest.mark.long
def test_after_a_run_one_link_leads_on_and_one_back_to_the_lines(client: FlaskClient) -> None:
    for page, _ in run_programs(client):
        prime, quiet = page.select(".onward a")
        assert client.get(prime["href"]).status_code == 200
        assert text_of(quiet) == "Your nine lines" and "run" not in quiet["href"]


@pytest.mark.long
def test_running_a_program_shows_all_its_games_as_squares_in_rows(client: FlaskClient) -> None:
    for page, report in run_programs(client):
        win_count = report.game_count - report.loss_count - report.draw_count
        legend = [text_of(span) for span in page.select("figcaption span")]
        assert legend == [
            f"{win_count} won",
            f"{report.draw_count} drawn",
            f"{report.loss_count} lost",
        ]
        squares = game_squares(page)
        column_count = max(column for column, _ in squares) + 1
        assert squares == [
            (index % column_count, index // column_count) for index in range(report.game_count)
        ]
        # The field is as nearly square as the number of games allows.
        assert (column_count - 1) ** 2 < report.game_count <= column_count**2


def game_squares(page: Tag) -> list[tuple[int, int]]:
    """Return the column and the row of each game, from paths of stripes, 10 px per game."""
    return [
        (int(x) // 10 + offset, int(y) // 10)
        for path in page.select(".field path:not(.hole)")
        for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)", str(path["d"]))
        for offset in range(int(width) // 10)
    ]


def test_before_a_run_nothing_reveals_which_pieces_are_right(client: FlaskClient) -> None:
    for level in LEVELS:
        texts = set()
        fitting_programs = [program for program in programs() if fits_level(program, level)]
        for program in sample(3, fitting_programs):
            text = page_text(open_program(client, level, program.code))
            # Only the pieces chosen differ, in checked inputs and in links.
            texts.add(re.sub(r"(?<=\[l\d-\d) on|(?<=l\d=)\d", "", text))
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


FOUR_MISTAKES = "level=3&l4=2&l5=1&l7=1&l8=1"


def test_the_line_to_look_at_is_shown_on_request(client: FlaskClient) -> None:
    for query_text, shows_line, offers_line in (
        ("", False, False),
        (f"{FOUR_MISTAKES}&look=on", False, False),
        (f"{FOUR_MISTAKES}&run=loss", False, True),
        (f"{FOUR_MISTAKES}&run=loss&look=on", True, False),
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
def test_the_games_against_a_program_are_those_of_its_report(code: str) -> None:
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
    snapshot = ""
    for name, query_text in queries.items():
        page = parse(client.get(f"/learn/write/play?{query_text}"))
        snapshot += f"{name}\n{page_text(page)}"
    assert_matches_snapshot("write-play", snapshot)


@pytest.mark.parametrize(
    ("winner", "human", "is_right", "sentence"),
    [
        ("O", "X", True, "Nobody beats those nine lines."),
        (None, "X", True, "Your nine lines are as good as I am."),
        ("O", "O", False, "Something in it is wrong, and you made it pay."),
        (None, "X", False, "Something in it is still wrong."),
    ],
)
def test_the_explanation_of_a_result_says_whether_the_program_is_right(
    winner: Mark | None, human: Mark, is_right: bool, sentence: str
) -> None:
    outcome = Outcome(winner, ((0, 1, 2),) if winner else ())
    assert words.outcome_comment(outcome, human, is_right) == sentence
