"""What the pages say of a move, re-derived from the rules by the second implementation."""

from __future__ import annotations

from collections import Counter
from html import unescape
from types import ModuleType
from typing import get_args

import pytest

from engine.notation import replay
from engine.position import Mark, Position
from engine.reasons import allows, alternatives, threats, why
from engine.results import result
from engine.review import Verdict, review, turning_point
from engine.symmetry import reachable
from tests import claims, textbook
from tests.claims import other, wins_at
from tests.textbook import children, images, move_scores, over, sign, turn, winner

UNFINISHED = [position for position in reachable() if not position.outcome()]
MOVES = [(position, square) for position in UNFINISHED for square in position.legal_moves()]


def in_words(say: ModuleType, board: str, square: int, *to: str) -> str:
    return unescape(say.why(why(Position.parse(board), square), *to))


@pytest.mark.long
def test_the_sentences_for_every_move_of_every_position_are_true(say: ModuleType) -> None:
    found = Counter[claims.Claim]()
    moves = [(board, square) for board in textbook.every_board() for square in children(board)]
    assert len(moves) == 16_167
    for board, square in moves:
        said = in_words(say, board, square)
        proved = claims.proved(board, square, said)
        found.update(proved)
        score = move_scores(board)[square]
        assert say.arithmetic(score, result(score, turn(board))) == (  # type: ignore[arg-type]
            claims.arithmetic(score, turn(board))
        )
        for one_of in claims.owed(board, square):
            assert len(one_of.intersection(proved)) == 1, (board, square, said)
    assert set(found) == set(claims.CLAIMS.values())
    assert found[claims.wins] == 172 + 52  # those that only win, and blocks that win as well


@pytest.mark.long
@pytest.mark.parametrize("you", ["X", "O"])
def test_the_sentences_say_the_same_to_their_reader(say: ModuleType, you: str) -> None:
    every = textbook.one_of_each(textbook.every_board())
    moves = [(board, square) for board in every for square in children(board)]
    for board, square in moves:
        said = in_words(say, board, square)
        assert claims.in_third_person(in_words(say, board, square, you), you) == said
        to_random = in_words(say, board, square, you, "random")
        at_random = (
            f"{turn(board)} did not think: this was one of {len(children(board))} moves at random. "
        )
        thought = turn(board) == you or square in claims.best(board)
        told = "" if thought else at_random
        assert claims.in_third_person(to_random, you) == told + said, (board, square)


@pytest.mark.long
def test_what_a_move_gives_away_is_said_wherever_there_is_something() -> None:
    for position, square in MOVES:
        scores = move_scores(str(position))
        nothing = scores[square] == max(scores.values()) >= 0
        assert (allows(position, square) is None) == nothing


@pytest.mark.long
def test_the_first_reason_that_fits_is_the_one_given() -> None:
    for position, square in MOVES:
        board, mark = str(position), position.turn
        child, scores = children(board)[square], move_scores(board)
        safe = [s for s in scores if scores[s] >= 0]
        fits = {
            "completes": winner(child) == mark,
            "blocks": square in wins_at(board, other(mark)) and safe == [square] != list(scores),
            "forks": scores[square] == max(scores.values())
            and len(wins_at(child, mark)) > 1
            and not wins_at(child, other(mark)),
            "last": len(scores) == 1,
            "only": safe == [square],
        }
        first = next((reason for reason, holds in fits.items() if holds), None)
        top = sign(max(scores.values()))
        others = {
            "misses": scores[square] < max(scores.values()),
            "as good": square not in claims.best(board),
            "wins" if top > 0 else "resists" if top < 0 else "draws": True,
        }
        reason = first or next(reason for reason, holds in others.items() if holds)
        assert why(position, square).reason == reason, (board, square)


@pytest.mark.parametrize(
    ("moves", "you", "difficulty", "sentence"),
    [
        ("03142", "X", None, "You complete the top row now."),
        ("03142", "O", None, "X completes the top row now."),
        ("0412", "X", None, "You were about to win at top right; every other move loses."),
        ("03682", "X", None, "You threaten top centre and centre at once; O can block only one."),
        ("03682", "O", None, "X threatens top centre and centre at once; you can block only one."),
        ("013", "X", None, "You can win by turn 5 at the latest, whatever O answers; no move"),
        ("0512", "O", None, "X was about to win at top right; every other move loses. You can win"),
        ("042163587", "X", None, "It was the only square left."),
        ("04128", "X", None, "You left O's win at bottom left open. Perfect play was bottom left"),
        ("01", "X", None, "O let you force a win from middle left, centre or bottom left, by turn"),
        ("01", "X", "perfect", "O let you force a win from middle left, centre or bottom left"),
        ("01", "X", "random", "O did not think: this was one of 8 moves at random. O let you"),
        ("01", "O", "random", "You let X force a win from middle left, centre or bottom left"),
    ],
)
def test_the_sentence_speaks_to_its_reader(
    say: ModuleType, moves: str, you: str, difficulty: str | None, sentence: str
) -> None:
    *earlier, square = replay(moves)
    why_so = why(Position().after(earlier), square)
    assert unescape(say.why(why_so, you, difficulty)).startswith(sentence)


def test_threats_are_the_squares_that_would_complete_a_line() -> None:
    for mark in get_args(Mark):
        for position in UNFINISHED:
            assert list(threats(position, mark)) == wins_at(str(position), mark)
    won = Position.parse("XXXOO----")
    assert (threats(won, "X"), threats(won, "O")) == ((), (5,))


@pytest.mark.long
def test_alternatives_merge_mirror_images_and_follow_best_play_to_the_end() -> None:
    for position in UNFINISHED:
        found = alternatives(position)
        named = [square for move in found for square in (move.square, *move.mirrors)]
        assert sorted(named) == list(position.legal_moves())
        different = {min(images(str(position.play(move.square)))) for move in found}
        assert len(different) == len(found)
        assert [move.score for move in found] == sorted((m.score for m in found), reverse=True)
        for move in found:
            looks = {min(images(str(position.play(s)))) for s in (move.square, *move.mirrors)}
            assert len(looks) == 1
            assert move.line[0] == move.square
            end = position
            for square in move.line:
                end = end.play(square)
            assert over(str(end))
            assert len(move.line) == move.result.turns or not move.result.winner


@pytest.mark.long
def test_of_moves_that_come_to_the_same_the_one_played_stands_for_the_others() -> None:
    for position, square in MOVES:
        (own,) = [move for move in alternatives(position, square) if square in move.line[:1]]
        assert own.square == square
        assert own.mirrors == tuple(
            same
            for same in position.legal_moves()
            if same != square and str(position.play(same)) in images(str(position.play(square)))
        )


def test_verdicts_follow_from_the_result_before_and_after_each_move() -> None:
    moves = "031485 04215 0148 402156 0312 48203 01234 048176253"  # the last fills the board
    found = set()
    for game in map(replay, moves.split()):
        for move, judged in zip(review(game), claims.judged(game), strict=True):
            assert (move.before, move.after) == (judged.before, judged.after)
            assert move.lowers_the_result == judged.lowers
            assert move.is_mistake == (judged.after < judged.before)
            assert move.verdict == judged.verdict
            found.add(move.verdict)
    assert found == set(get_args(Verdict))


def test_the_turning_point_is_the_last_move_that_changed_the_result() -> None:
    found = set()
    for game in map(replay, ["04", "04215", "031485", "01234"]):
        reviewed = review(game)
        lowering = [move for move in reviewed if move.lowers_the_result]
        assert turning_point(reviewed) is (lowering[-1] if lowering else None)
        found.add(len(lowering))
    assert found == {0, 1, 2, 3}
