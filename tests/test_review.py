"""The review of a game and its story, against the textbook."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.notation import parse_moves
from engine.position import Mark, Position
from engine.reasons import WinKind, concession
from engine.review import Judgment, review, story
from tests import positions
from tests.games import Game, boards_of, one_game_to_each_board, random_games
from tests.positions import UNFINISHED, all_or_canonical
from tests.textbook import children, is_over, move_scores, sign, sound_moves, turn, winner


def test_the_story_of_a_loss_names_the_turning_point_and_what_followed() -> None:
    summary = story(parse_moves("42170835"), "X")  # X top left on move 5 lets O block, and fork
    assert summary.turning_point
    assert (summary.turning_point.number, summary.blunder_count, summary.punishment) == (
        5,
        1,
        "fork",
    )
    assert (summary.turning_point.mark, summary.turning_point.opponent) == ("X", "O")
    assert (
        summary.turning_point.concession == concession(Position.parse("-XO-X--O-"), 0) is not None
    )
    assert [move.winner for move in summary.moves] == [None] * 4 + ["O"] * 4
    assert not summary.critical_moves


def judgment(board: str, square: int) -> str:
    scores = move_scores(board)
    before, after = max(scores.values()), scores[square]
    is_blunder = sign(after) < sign(before)
    return (
        "wins" if winner(children(board)[square])
        else "gave the draw away" if is_blunder and before == 0
        else "gave the win away" if is_blunder
        else "slower win" if 0 < after < before
        else "quicker loss" if after < before
        else "lost already" if before < 0
        else "only move" if len(sound_moves(board)) == 1 < len(scores)
        else "fine"
    )  # fmt: skip


@pytest.mark.long
def test_every_move_is_judged_by_the_result_before_and_after_it() -> None:
    judgments = set()
    games = {boards_of(game)[-1]: game for game in one_game_to_each_board()}
    for board in map(str, all_or_canonical(UNFINISHED)):
        game = games[board]
        for square in children(board):
            move = review((*game, square))[-1]
            scores = move_scores(board)
            assert (str(move.position), move.square) == (board, square)
            assert (move.number, move.mark) == (len(game) + 1, turn(board))
            assert (move.score_before, move.score_after) == (max(scores.values()), scores[square])
            assert move.judgment == judgment(board, square)
            assert move.could_blunder == (len(sound_moves(board)) < len(scores))
            judgments.add(move.judgment)
    assert judgments == set(get_args(Judgment))


def punishment(game: Game, number: int) -> str:
    """Return how the opponent can punish the move with this number."""
    board = boards_of(game)[number]
    if number < len(game):
        score = move_scores(board)[game[number]]
    else:
        score = max(move_scores(board).values())
    return {9: "now", 7: "fork"}.get(score, "force")


@pytest.mark.long
@pytest.mark.parametrize("you", ["X", "O", None])
def test_a_story_names_the_last_mistake_or_the_moves_that_kept_the_draw(
    you: Mark | None,
) -> None:
    kinds = set()
    for game in random_games(2000 if positions.is_soak else 600):
        boards = boards_of(game)
        judged = [judgment(*move) for move in zip(boards, game, strict=False)]
        blunders = [
            n
            for n, verdict in enumerate(judged, 1)
            if verdict in ("gave the draw away", "gave the win away")
        ]
        summary = story(game, you)
        assert summary.blunder_count == len(blunders)
        assert summary.is_over == is_over(boards[-1])
        assert (summary.turning_point.number if summary.turning_point else None) == (
            blunders[-1] if blunders else None
        )
        gave_a_win = blunders and max(move_scores(boards[blunders[-1]]).values(), default=0) > 0
        assert summary.punishment == (punishment(game, blunders[-1]) if gave_a_win else None)
        critical = [
            n
            for n in range(1, len(game) + 1)
            if not blunders
            and len(sound_moves(boards[n - 1])) < len(move_scores(boards[n - 1]))
            and you in (None, turn(boards[n - 1]))
        ]
        assert [move.number for move in summary.critical_moves] == critical
        assert [m.number for m in summary.only_moves] == [
            n for n in critical if judged[n - 1] == "only move"
        ]
        kinds.add(summary.punishment)
    assert kinds == {None, *get_args(WinKind)}
