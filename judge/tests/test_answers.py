"""Which boards a player is asked about, what its answers show, and which mistake explains them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine.position import SQUARES_IN, Position, Square
from judge import functions
from judge.hearing import Hearing
from judge.observations import observations
from judge.players import Response
from judge.tests.support import (
    FAULTS,
    InstantPlayer,
    assert_report_matches,
    best,
    hearing_of,
    player_path,
    report_on,
    worst,
)
from judge.ways import explaining_mistakes, ways
from judge.words import fact_text
from tests import positions, textbook
from tests.positions import UNFINISHED_CANONICAL


@pytest.mark.long
@pytest.mark.parametrize("answers_vary", [False, True])
def test_a_command_is_asked_again_on_openings_and_endings_or_everywhere(
    answers_vary: bool,
) -> None:
    rng = Random(1) if answers_vary else None
    player = InstantPlayer(lambda board: (rng.choice if rng else min)(board.legal_moves()[:2]))
    hearing = Hearing(player, ("X", "O"), lambda board_count: None)
    assert hearing.answers_vary == answers_vary
    times = {0: 3, 1: 3, **dict.fromkeys((5, 6, 7, 8), 2)}  # by the marks on the board
    for board, answers in hearing.answers.items():
        assert len(answers) == (3 if answers_vary else times.get(board.ply, 1))


def test_a_timeout_is_not_a_different_answer_and_is_not_asked_again() -> None:
    late = Position.parse("XO-------")

    def first_time(board: Position) -> Square:
        return (
            textbook.best(str(board))[0] if player.ask_counts[board] == 1 and board != late else -1
        )

    player = InstantPlayer(first_time)
    hearing = Hearing(player, ("X",), lambda board_count: None)
    assert not hearing.answers_vary
    assert player.ask_counts[late] == 1 and player.ask_counts[Position()] == 3
    assert {player.ask_counts[board] for board in hearing.answers if board.ply > 4} == {2}


def test_a_program_that_times_out_when_asked_again_is_given_up() -> None:
    player = InstantPlayer(
        lambda board: best(str(board)) if player.ask_counts[board] == 1 else give_up()
    )

    def give_up() -> Square:
        player.stop_reason = ("three timeouts",)
        return -1

    Hearing(player, ("X",), lambda board_count: None)
    assert {*player.ask_counts.values()} == {1, 2} and [*player.ask_counts.values()].count(2) == 1


def test_a_random_answer_is_not_taken_for_state_carried_over() -> None:
    slip = Position().play(4)

    def one_slip(board: Position) -> Square:
        return (worst if board == slip and player.ask_counts[slip] == 1 else best)(str(board))

    player = InstantPlayer(one_slip)
    hearing = Hearing(player, ("O",), lambda board_count: None)
    assert hearing.carry_over_count is None and hearing.answers_vary


def test_a_program_that_is_wrong_again_is_not_asked_more_often() -> None:
    slip = Position().play(4)
    player = InstantPlayer(lambda board: (worst if board == slip else best)(str(board)))
    hearing = Hearing(player, ("O",), lambda board_count: None)
    assert hearing.carry_over_count is None and not hearing.answers_vary
    assert player.ask_counts[slip] == 3 + 2  # as an opening; and again, also in a new process


def test_boards_that_a_restart_corrects_are_asked_in_ten_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slip, starts = Position().play(4), [0]
    monkeypatch.setattr(
        InstantPlayer, "restart", lambda player: starts.append(player.ask_counts[slip])
    )
    player = InstantPlayer(
        lambda board: (worst if board == slip and len(starts) == 1 else best)(str(board))
    )
    assert Hearing(player, ("O",), lambda board_count: None).carry_over_count == 1
    assert starts == [0, *range(2, 13)]


def test_every_random_answer_is_played_on_and_no_mistake_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("judge.hearing.RANDOM_REPEATS", 3)
    report = report_on("--as", "X", player_path("random_any"))
    assert report["random"] and report["plays_as"] == [] and report["exit"] == 1
    assert report["seen"][-1] == fact_text(("random",))
    assert all(report[key] for key in ("won", "drawn", "lost", "shortest_loss", *FAULTS))


def never_8(board: str) -> int:
    return min(textbook.children(board), key=lambda square: (square == 8, square))


def never_blocks_246(board: str) -> int:
    """Complete or block any line except 2-4-6; otherwise take the first free square."""
    for mark in (textbook.turn(board), textbook.other(textbook.turn(board))):
        for square in textbook.winning_squares(board, mark):
            if any(row != "246" and {board[int(n)] for n in row if int(n) != square} == {mark}
                   for row in textbook.LINES if str(square) in row):  # fmt: skip
                return square
    line = [(board[2] + board[4] + board[6]).replace("-", "") in ("XX", "OO")]
    return min(
        textbook.children(board), key=lambda square: (line[0] and square in (2, 4, 6), square)
    )


def completes_and_never_blocks(board: str) -> int:
    return (*textbook.winning_squares(board, textbook.turn(board)), worst(board))[0]


def sees_wins_and_threats(board: str) -> int:
    mark = textbook.turn(board)
    near = [
        *textbook.winning_squares(board, mark),
        *textbook.winning_squares(board, textbook.other(mark)),
    ]
    return (near or [worst(board)])[0]


PLAYERS: dict[str, Callable[[str], int]] = {
    "plays well": best,
    "takes 8 last": never_8,
    "never completes nor blocks 2-4-6": never_blocks_246,
    "completes and never blocks": completes_and_never_blocks,
    "counts the free squares": lambda board: [*textbook.children(board)].index(best(board)),
    "says 4": lambda board: 4,
    "says 9, and leaves marks": lambda board: 9,
    "sees wins and threats": sees_wins_and_threats,
    "any that holds": lambda board: Random().choice(textbook.sound_moves(board)),
    "well as X alone": lambda board: (best if textbook.turn(board) == "X" else worst)(board),
}


def test_observations_match_the_snapshot() -> None:
    report = {name: [*map(fact_text, observations(hearing_of(PLAYERS[name])))] for name in PLAYERS}
    assert_report_matches(
        "check-seen", "".join("\n  ".join([name, *report[name]]) + "\n" for name in PLAYERS)
    )


# The ways to play

LATE = [board for board in UNFINISHED_CANONICAL if board.ply >= 5]


def test_no_mistake_is_named_for_a_random_sound_player() -> None:
    for seed in range(40 if positions.is_soak else 4):
        choice = Random(seed).choice
        assert (
            explaining_mistakes(
                {board: [choice(textbook.sound_moves(str(board)))] for board in LATE}
            )
            == []
        )
    assert explaining_mistakes({}) == []


def test_a_mistake_is_found_behind_random_answers_unless_one_contradicts() -> None:
    [way] = [way for way in ways() if way.mistake == "deeper calls overwrite its move"][:1]
    answers = {board: list(way.best_squares(board)) for board in LATE}
    assert way.mistake in explaining_mistakes(answers)
    board = next(b for b in LATE if len(textbook.sound_moves(str(b))) < len(b.legal_moves()) > 3)
    answers[board] = list(board.legal_moves())
    assert way.mistake not in explaining_mistakes(answers)


def test_a_mistake_is_found_in_any_fixed_order_of_squares_but_not_without() -> None:
    order = [4, 8, 1, 6, 3, 2, 0, 5, 7]
    mistake = "even as O, it takes X's best move"
    [way] = [way for way in ways() if way.mistake == mistake][1:]
    assert mistake in explaining_mistakes(
        {b: [min(way.best_squares(b), key=order.index)] for b in LATE}
    )
    assert (
        explaining_mistakes(
            {b: [Random(n).choice(way.best_squares(b))] for n, b in enumerate(LATE)}
        )
        == []
    )


def test_the_order_of_squares_helps_to_find_the_mistake() -> None:
    as_a_set = tuple(free[len(free) // 2 :] + free[: len(free) // 2] for free in SQUARES_IN)
    mistake = "the first value is returned"
    way = next(way for way in ways(as_a_set) if way.mistake == mistake)
    answers = {board: [way.best_squares(board)[0]] for board in LATE}
    assert mistake in explaining_mistakes(answers, as_a_set) and mistake not in explaining_mistakes(
        answers
    )


@pytest.mark.parametrize(
    ("kind", "correct", "value", "fact"),
    [
        ("squares", [0], 5, ("returned", "5")),
        ("squares", [0], [[0, 0]], ()),
        ("mark", None, "X", ("returned", "X")),
        ("mark", "O", "X", ("returned", "X")),
    ],
)
def test_the_answer_of_a_function_is_compared_with_the_correct_one(
    kind: str, correct: object, value: object, fact: object
) -> None:
    result = {"value": value, "raised": None, "mark": value, "shown": value}
    assert functions._wrong_answer(kind, correct, result, Position()) == fact


def test_a_changed_board_is_the_only_observation() -> None:
    hearing = hearing_of(lambda board: 0, ())
    board = Position.parse("XX-OO----")
    hearing.answers = {board: [Response("square", 8, (), 0, changed_board="XXXOO----")]}
    assert observations(hearing) == [("board changed", "XXXOO----", 1, 1, str(board))]


def test_answers_that_look_like_scores_are_observed() -> None:
    hearing = hearing_of(best)
    score = Response("illegal", -1, ("score", "0"), 0)
    hearing.answers = {Position(): [score], Position().play(0): [score]}
    assert observations(hearing)[0] == ("scores", 2, 2)
    hearing.answers[Position()] = [Response("square", 4, (), 0)]
    assert observations(hearing)[0] == ("scores", 1, 2)
