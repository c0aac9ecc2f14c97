"""What the pages say of a move, re-derived from the rules by the second implementation."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import cast, get_args

import pytest
from flask import Flask

from engine.explain import (
    alternatives,
    review,
    threats,
    turning_point,
    why,
)
from engine.position import LINES, SQUARE_NAMES, Mark, Position, reachable, replay
from engine.search import results, safe_replies
from tests import textbook
from tests.conftest import images
from tests.textbook import children, move_scores, over, sign, turn, winner

UNFINISHED = [position for position in reachable() if not position.outcome()]
MOVES = [(position, square) for position in UNFINISHED for square in position.legal_moves()]


@pytest.fixture(scope="module")
def say(app: Flask) -> ModuleType:
    with app.app_context():
        return cast(ModuleType, app.jinja_env.get_template("_words.html").module)


def other(mark: str) -> str:
    return "O" if mark == "X" else "X"


def wins_at(board: str, mark: str) -> list[int]:
    """Return the empty squares where `mark` would win, were it its move."""
    return [
        square
        for square in range(9)
        if board[square] == "-" and winner(board[:square] + mark + board[square + 1 :]) == mark
    ]


def squares(text: str) -> list[int]:
    return [SQUARE_NAMES.index(name) for name in re.split(", | and | or ", text)]


def line_name(line: tuple[int, ...]) -> str:
    """Name a line from the names of its squares: what two of them share, or else the diagonal."""
    words = [set(SQUARE_NAMES[square].split()) for square in line if square != 4]
    shared = words[0] & words[1]
    if 4 in line and not shared:
        shared = {"middle"} if 3 in line else {"centre"} if 1 in line else set()
    rows = ("top", "middle", "bottom")
    return next((f"{w} {'row' if w in rows else 'column'}" for w in shared), "diagonal")


def percent(chance: Fraction) -> str:
    return f"{float(100 * chance):.1f}".removesuffix(".0") + " %"


Claim = Callable[[str, int, "re.Match[str]"], bool]


def completes(board: str, square: int, said: re.Match[str]) -> bool:
    child = children(board)[square]
    lines = [line for line in LINES if {child[s] for s in line} == {turn(board)}]
    return said[1] == turn(board) and said[2] == (
        "both diagonals" if lines == [(0, 4, 8), (2, 4, 6)] else " and ".join(map(line_name, lines))
    )


def blocks(board: str, square: int, said: re.Match[str]) -> bool:
    threat = SQUARE_NAMES.index(said[2]) == square and square in wins_at(board, said[1])
    scores = move_scores(board)
    rest = [scores[s] for s in scores if s != square]
    return said[1] == other(turn(board)) and threat and scores[square] >= 0 > max(rest)


def forks(board: str, square: int, said: re.Match[str]) -> bool:
    child, mark = children(board)[square], turn(board)
    made = wins_at(child, mark)
    return (
        (said[1], said[3]) == (mark, other(mark))
        and squares(said[2]) == made
        and move_scores(board)[square] == max(move_scores(board).values())
        and len(made) > 1
        and not wins_at(child, other(mark))
    )


def last(board: str, square: int, said: re.Match[str]) -> bool:
    return board.count("-") == 1


def only(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    return int(said[1]) == len(scores) and [s for s in scores if scores[s] >= 0] == [square]


def draw_chances(board: str) -> dict[int, Fraction]:
    """Return the drawing moves, none if there is a better one, with their chance of a win."""
    scores = move_scores(board)
    drawing = [square for square in scores if scores[square] == max(scores.values()) == 0]
    return {square: textbook.chance_after(children(board)[square]) for square in drawing}


def draws(board: str, square: int, said: re.Match[str]) -> bool:
    chances = draw_chances(board)
    best = [s for s in chances if chances[s] == max(chances.values())]
    return (
        square in best
        and int(said[1]) == len(chances) > 1
        and said[2].startswith("this one") == (len(best) == 1)
        and said[3] == percent(chances[square]) != percent(Fraction(0))
    )


def draws_without_hope(board: str, square: int, said: re.Match[str]) -> bool:
    chances = draw_chances(board)
    return square in chances and int(said[1]) == len(chances) > 1 and not any(chances.values())


def draws_less(board: str, square: int, said: re.Match[str]) -> bool:
    chances = draw_chances(board)
    best = [s for s in chances if chances[s] == max(chances.values())]
    return (
        square in chances.keys() - set(best)
        and int(said[1]) == len(chances)
        and squares(said[2]) == best
        and (said[3], said[4]) == (percent(chances[best[0]]), percent(chances[square]))
        and said[3] != said[4]
    )


def wins(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    return (said[1], said[3]) == (turn(board), other(turn(board))) and (
        scores[square] == max(scores.values()) == 10 - int(said[2])
    )


def resists(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    return scores[square] == max(scores.values()) < 0


def misses(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    best = [s for s in scores if scores[s] == max(scores.values())]
    chances = {s: textbook.chance_after(children(board)[s]) for s in best}
    return (
        square not in best
        and int(said[1]) == len(scores)
        and squares(said[2]) == [s for s in best if chances[s] == max(chances.values())]
    )


# In the order in which they are to be said: the first that fits.
CLAIMS: dict[str, Claim] = {
    r"(\w) completes the (.+) now\.": completes,
    r"(\w) was about to win at (.+); every other move loses\.": blocks,
    r"(\w) threatens (.+) at once; (\w) can block only one\.": forks,
    r"It was the only square left\.": last,
    r"Of (\d) moves it is the only one that does not lose\.": only,
    r"(\d) moves draw; none of them beats even a random opponent any more\.": draws_without_hope,
    r"(\d) moves draw; (this one beats a random opponent most often"
    r"|none beats a random opponent more often than this one) \((.+)\)\.": draws,
    r"(\w) wins on turn (\d) whatever (\w) answers; no move wins sooner\.": wins,
    r"Every move loses; none lasts longer than this one\.": resists,
    r"This was not the best of (\d) moves; perfect play was (.+)\.": misses,
    r"(\d) moves draw; perfect play was (.+), which beats a random opponent more often"
    r" \((.+) against (.+)\)\.": draws_less,
}


@pytest.mark.long
def test_the_sentence_for_every_move_of_every_position_is_true(say: ModuleType) -> None:
    kinds = set()
    for position, square in MOVES:
        sentence = str(say.why(why(position, square)))
        (pattern,) = [pattern for pattern in CLAIMS if re.fullmatch(pattern, sentence)]
        said = re.fullmatch(pattern, sentence)
        assert said
        assert CLAIMS[pattern](str(position), square, said), (str(position), square, sentence)
        kinds.add(pattern)
    assert kinds == set(CLAIMS)


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
        others = ("misses", "wins" if top > 0 else "resists" if top < 0 else "draws")
        given = why(position, square).reason
        assert given == first or (first is None and given in others), (board, square)


@pytest.mark.parametrize(
    ("moves", "you", "difficulty", "sentence"),
    [
        ("03142", "X", None, "You complete the top row now."),
        ("03142", "O", None, "X completes the top row now."),
        ("0412", "X", None, "You were about to win at top right; every other move loses."),
        ("03682", "X", None, "You threaten top centre and centre at once; O can block only one."),
        ("03682", "O", None, "X threatens top centre and centre at once; you can block only one."),
        ("014", "X", None, "You win on turn 5 whatever O answers; no move wins sooner."),
        ("042163587", "X", None, "It was the only square left."),
        ("01", "X", None, "This was not the best of 8 moves; perfect play was centre"),
        ("01", "X", "perfect", "This was not the best of 8 moves; perfect play was centre"),
        ("01", "X", "random", "O did not think: this was one of 8 moves at random; perfect play"),
        ("01", "O", "random", "This was not the best of 8 moves; perfect play was centre"),
    ],
)
def test_the_sentence_speaks_to_its_reader(
    say: ModuleType, moves: str, you: str, difficulty: str | None, sentence: str
) -> None:
    *earlier, square = replay(moves)
    why_so = why(Position.after(earlier), square)
    assert str(say.why(why_so, you, difficulty)).startswith(sentence)


def test_results_are_the_textbooks_for_every_position() -> None:
    for position in reachable():
        board, found = str(position), results(position)
        scores = move_scores(board)
        assert set(found) == set(scores)
        for square, (won, turns) in found.items():
            value = scores[square]
            assert (won is None) == (value == 0) == (turns == 0)
            if won:
                assert value == (10 - turns if won == turn(board) else turns - 10)


def test_threats_are_the_squares_that_would_complete_a_line() -> None:
    for mark in get_args(Mark):
        for position in UNFINISHED:
            assert list(threats(position, mark)) == wins_at(str(position), mark)
    won = Position.parse("XXXOO----")
    assert (threats(won, "X"), threats(won, "O")) == ((), (5,))


def test_safe_replies_count_the_answers_that_keep_a_draw() -> None:
    for position, square in MOVES:
        child = children(str(position))[square]
        if over(child) or move_scores(str(position))[square] != 0:
            continue
        answers = move_scores(child).values()
        drawing = [value for value in answers if value == 0]
        assert safe_replies(position, square) == (len(drawing), len(answers))


def test_a_corner_leaves_one_safe_reply_and_centre_and_edge_four() -> None:
    counts = [safe_replies(Position(), square) for square in range(9)]
    corner, edge = (1, 8), (4, 8)
    assert counts == [corner, edge, corner, edge, edge, edge, corner, edge, corner]


def test_in_196_of_the_627_unfinished_positions_up_to_symmetry_results_say_nothing() -> None:
    unlike = {min(images(str(position))): position for position in UNFINISHED}
    assert len(unlike) == 627
    flat = [p for p in unlike.values() if len({sign(v) for v in move_scores(str(p)).values()}) == 1]
    assert len(flat) == 196


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


def test_verdicts_follow_from_the_result_before_and_after_each_move() -> None:
    moves = "031485 04215 0148 402156 0312 48203 01234 048176253"  # the last fills the board
    games = map(replay, moves.split())
    found = set()
    for game in games:
        board = textbook.EMPTY
        for move, square in zip(review(game), game, strict=True):
            scores = move_scores(board)
            best, value = max(scores.values()), scores[square]
            assert (move.before, move.after) == (best, value)
            assert move.lowers_the_result == (sign(value) < sign(best))
            assert move.is_mistake == (value < best)
            keeps = [v for v in scores.values() if sign(v) == sign(best)]
            if sign(value) < sign(best):
                assert move.verdict == ("blunder" if value < 0 else "missed win")
            elif value < best:
                assert move.verdict == ("slower win" if value > 0 else "quicker loss")
            elif len(keeps) == 1 < len(scores):
                assert move.verdict == "only move"
            else:
                assert move.verdict == "fine"
            found.add(move.verdict)
            board = children(board)[square]
    assert found == {"blunder", "missed win", "slower win", "quicker loss", "only move", "fine"}


def test_the_turning_point_is_the_last_move_that_changed_the_result() -> None:
    found = set()
    for game in map(replay, ["04", "04215", "031485", "01234"]):
        reviewed = review(game)
        lowering = [move for move in reviewed if move.lowers_the_result]
        assert turning_point(reviewed) is (lowering[-1] if lowering else None)
        found.add(len(lowering))
    assert found == {0, 1, 2, 3}
