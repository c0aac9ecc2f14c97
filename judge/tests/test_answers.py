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
    MOVE_FAULTS,
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
    answer_counts = {0: 3, 1: 3, **dict.fromkeys((5, 6, 7, 8), 2)}  # by the number of marks
    for board, answers in hearing.answers.items():
        assert len(answers) == (3 if answers_vary else answer_counts.get(board.ply, 1))


def test_a_timeout_is_not_a_different_answer_and_is_not_asked_again() -> None:
    late_board = Position.parse("XO-------")

    def answer_only_once(board: Position) -> Square:
        is_late = board == late_board or player.ask_counts[board] > 1
        return -1 if is_late else best(str(board))

    player = InstantPlayer(answer_only_once)
    hearing = Hearing(player, ("X",), lambda board_count: None)
    assert not hearing.answers_vary
    assert player.ask_counts[late_board] == 1 and player.ask_counts[Position()] == 3
    assert {player.ask_counts[board] for board in hearing.answers if board.ply > 4} == {2}


def test_a_program_that_times_out_when_asked_again_is_given_up() -> None:
    def answer_only_once(board: Position) -> Square:
        if player.ask_counts[board] == 1:
            return best(str(board))
        player.stop_reason = ("three timeouts",)
        return -1

    player = InstantPlayer(answer_only_once)
    Hearing(player, ("X",), lambda board_count: None)
    assert {*player.ask_counts.values()} == {1, 2} and [*player.ask_counts.values()].count(2) == 1


def test_a_random_answer_is_not_taken_for_state_carried_over() -> None:
    blunder_board = Position().play(4)

    def blunder_at_first(board: Position) -> Square:
        is_first = board == blunder_board and player.ask_counts[board] == 1
        return worst(str(board)) if is_first else best(str(board))

    player = InstantPlayer(blunder_at_first)
    hearing = Hearing(player, ("O",), lambda board_count: None)
    assert hearing.carry_over_count is None and hearing.answers_vary


def test_a_program_that_is_wrong_again_is_not_asked_more_often() -> None:
    blunder_board = Position().play(4)
    player = InstantPlayer(lambda board: (worst if board == blunder_board else best)(str(board)))
    hearing = Hearing(player, ("O",), lambda board_count: None)
    assert hearing.carry_over_count is None and not hearing.answers_vary
    # Three times as an opening, then again in the same process and in a new one.
    assert player.ask_counts[blunder_board] == 3 + 1 + 1


def test_boards_that_a_restart_corrects_are_asked_in_ten_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blunder_board = Position().play(4)
    ask_counts_at_restarts: list[int] = []

    def restart(player: InstantPlayer) -> None:
        ask_counts_at_restarts.append(player.ask_counts[blunder_board])

    def blunder_until_restarted(board: Position) -> Square:
        is_blunder = board == blunder_board and not ask_counts_at_restarts
        return worst(str(board)) if is_blunder else best(str(board))

    monkeypatch.setattr(InstantPlayer, "restart", restart)
    player = InstantPlayer(blunder_until_restarted)
    assert Hearing(player, ("O",), lambda board_count: None).carry_over_count == 1
    # Twice in the first process, then once in each of ten; the last restart is for other boards.
    assert ask_counts_at_restarts == [*range(2, 13)]


def test_every_random_answer_is_played_on_and_no_mistake_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("judge.hearing.RANDOM_REPEATS", 3 if positions.is_soak else 2)
    report = report_on("--as", "X", player_path("random_any"))
    assert report["random"] and report["plays_as"] == [] and report["exit"] == 1
    assert report["seen"][-1] == fact_text(("random",))
    assert all(report[key] for key in ("won", "drawn", "lost", "shortest_loss", *MOVE_FAULTS))


def takes_8_last(board: str) -> int:
    """Return the first free square other than 8, if there is one."""
    return min(textbook.children(board), key=lambda square: (square == 8, square))


def overlooks_246(board: str) -> int:
    """Complete or block any line but 2-4-6, where two equal marks are never followed by a third.

    If there is nothing to complete or block, take the first free square.
    """
    mark = textbook.turn(board)
    for line_mark in (mark, textbook.other(mark)):
        for square in textbook.winning_squares(board, line_mark):
            for line in textbook.LINES:
                others = {board[int(n)] for n in line if int(n) != square}
                if str(square) in line and line != "246" and others == {line_mark}:
                    return square
    has_two_on_246 = (board[2] + board[4] + board[6]).replace("-", "") in ("XX", "OO")
    return min(
        textbook.children(board),
        key=lambda square: (has_two_on_246 and square in (2, 4, 6), square),
    )


def completes_and_never_blocks(board: str) -> int:
    """Complete a line if possible, otherwise play as badly as possible."""
    return (*textbook.winning_squares(board, textbook.turn(board)), worst(board))[0]


def sees_wins_and_threats(board: str) -> int:
    """Complete or block a line if possible, otherwise play as badly as possible."""
    mark = textbook.turn(board)
    return (
        *textbook.winning_squares(board, mark),
        *textbook.winning_squares(board, textbook.other(mark)),
        worst(board),
    )[0]


# By the name in the snapshot: the function that returns a player's answer to a board.
PLAYERS: dict[str, Callable[[str], int]] = {
    "plays well": best,
    "takes 8 last": takes_8_last,
    "never completes nor blocks 2-4-6": overlooks_246,
    "completes and never blocks": completes_and_never_blocks,
    "counts the free squares": lambda board: [*textbook.children(board)].index(best(board)),
    "says 4": lambda board: 4,
    "says 9, and leaves marks": lambda board: 9,
    "sees wins and threats": sees_wins_and_threats,
    "any that holds": lambda board: Random().choice(textbook.sound_moves(board)),
    "well as X alone": lambda board: (best if textbook.turn(board) == "X" else worst)(board),
}


def test_observations_match_the_snapshot() -> None:
    paragraphs = []
    for name, choose in PLAYERS.items():
        sentences = map(fact_text, observations(hearing_of(choose)))
        paragraphs.append("\n  ".join([name, *sentences]) + "\n")
    assert_report_matches("check-seen", "".join(paragraphs))


# The ways to play

LATE_BOARDS = [board for board in UNFINISHED_CANONICAL if board.ply >= 5]


def test_no_mistake_is_named_for_a_random_sound_player() -> None:
    for seed in range(40 if positions.is_soak else 4):
        choice = Random(seed).choice
        answers = {board: [choice(textbook.sound_moves(str(board)))] for board in LATE_BOARDS}
        assert explaining_mistakes(answers) == []


def test_no_mistake_is_named_without_answers() -> None:
    assert explaining_mistakes({}) == []


@pytest.mark.parametrize("mistake", ["deeper calls overwrite its move", "both sides maximize"])
def test_a_mistake_is_found_behind_all_its_best_squares_unless_an_answer_contradicts(
    mistake: str,
) -> None:
    """The second mistake often leaves several best squares, from which a program may draw."""
    way = next(way for way in ways() if way.mistake == mistake)
    answers = {board: list(way.best_squares(board)) for board in LATE_BOARDS}
    assert explaining_mistakes(answers) == [mistake]
    board = next(
        board
        for board in LATE_BOARDS
        if len(textbook.sound_moves(str(board))) < len(board.legal_moves()) > 3
    )
    answers[board] = list(board.legal_moves())
    assert way.mistake not in explaining_mistakes(answers)


def test_a_mistake_is_found_if_equal_squares_are_taken_in_a_fixed_order_but_not_at_random() -> None:
    order = [4, 8, 1, 6, 3, 2, 0, 5, 7]
    mistake = "even as O, it takes X's best move"
    _, way = [way for way in ways() if way.mistake == mistake]  # the second one ignores turns
    best_squares = {board: way.best_squares(board) for board in LATE_BOARDS}
    in_order = {board: [min(best_squares[board], key=order.index)] for board in LATE_BOARDS}
    assert mistake in explaining_mistakes(in_order)
    at_random = {
        board: [Random(seed).choice(best_squares[board])] for seed, board in enumerate(LATE_BOARDS)
    }
    assert explaining_mistakes(at_random) == []


def test_a_mistake_that_depends_on_the_order_of_squares_is_found_only_with_that_order() -> None:
    order = tuple(free[len(free) // 2 :] + free[: len(free) // 2] for free in SQUARES_IN)
    mistake = "the first value is returned"
    way = next(way for way in ways(order) if way.mistake == mistake)
    answers = {board: [way.best_squares(board)[0]] for board in LATE_BOARDS}
    assert mistake in explaining_mistakes(answers, order)
    assert mistake not in explaining_mistakes(answers)


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


def test_a_changed_board_is_observed_and_nothing_else() -> None:
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
