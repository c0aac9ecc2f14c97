"""Hints, for every position, against the textbook."""

from collections import Counter

from engine.hints import Hint, hint
from tests import textbook
from tests.positions import UNFINISHED, all_or_canonical


def test_every_hint_is_true() -> None:
    kinds = Counter[str]()
    for position in all_or_canonical(UNFINISHED):
        found = hint(position)
        kinds[found.kind] += 1
        assert_true(found, str(position))
    assert set(kinds) == {"win", "block", "lost", "force", "fork", "careful", "safe"}


def assert_true(found: Hint, board: str) -> None:
    me = textbook.turn(board)
    you = textbook.other(me)
    scores = textbook.move_scores(board)
    top = max(scores.values())
    holding = textbook.sound_moves(board)
    counted = [s for s in scores if scores[s] == top] if top < 0 else holding
    assert (found.sound_count, found.move_count) == (len(counted), len(scores)), board
    own_wins, foe_wins = textbook.winning_squares(board, me), textbook.winning_squares(board, you)
    assert found.mark == (me if found.kind in ("win", "force", "safe", "lost") else you), board
    assert found.kind == "fork" or not (found.forces_fork or found.threat_count)
    assert (found.kind == "win") == bool(own_wins), board
    if found.kind == "win":
        assert found.square == own_wins[0]
        return
    assert (found.kind == "lost") == (top < 0), board
    assert (found.kind == "force") == (top > 0 and not foe_wins), board
    if found.kind == "lost":
        assert found.square == counted[0], "it must be the square that lasts longest"
    if found.kind == "block":
        assert (found.square,) == foe_wins == holding, board
    if found.kind == "safe":
        assert (len(holding), top) == (len(scores), 0)
    if found.kind == "careful":
        assert (len(holding) < len(scores), top, foe_wins) == (True, 0, ()), board
    if found.kind == "fork":
        assert_fork(found, board, scores)


def assert_fork(found: Hint, board: str, scores: dict[int, int]) -> None:
    """Assert that the opponent would fork there, and that a move that allows this loses."""
    assert found.square is not None
    me, you = textbook.turn(board), found.mark
    forked = board[: found.square] + you + board[found.square + 1 :]
    assert len(textbook.winning_squares(forked, you)) == found.threat_count >= 2, board
    forks = Counter(
        square
        for child in textbook.children(board).values()
        if max(textbook.move_scores(child).values(), default=0) == 7
        for square in textbook.best(child)
    )
    assert found.square == min(forks, key=lambda square: (-forks[square], square)), board
    driving = [
        move
        for move, child in textbook.children(board).items()
        if scores[move] < 0 and textbook.winning_squares(child, me) == (found.square,)
    ]
    assert found.forces_fork == bool(driving), board
