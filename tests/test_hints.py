"""Hints, for every position, against the textbook."""

from collections import Counter

from engine.hints import Hint, hint
from tests import textbook
from tests.positions import UNFINISHED, all_or_canonical


def test_every_hint_is_true() -> None:
    kinds = Counter[str]()
    for position in all_or_canonical(UNFINISHED):
        given_hint = hint(position)
        kinds[given_hint.kind] += 1
        assert_true(given_hint, str(position))
    assert set(kinds) == {"win", "block", "lost", "force", "fork", "careful", "safe"}


def assert_true(given_hint: Hint, board: str) -> None:
    me = textbook.turn(board)
    you = textbook.other(me)
    scores = textbook.move_scores(board)
    top = max(scores.values())
    sound = textbook.sound_moves(board)
    counted = [s for s in scores if scores[s] == top] if top < 0 else sound
    assert (given_hint.sound_count, given_hint.move_count) == (len(counted), len(scores)), board
    own_wins, foe_wins = textbook.winning_squares(board, me), textbook.winning_squares(board, you)
    assert given_hint.mark == (
        me if given_hint.kind in ("win", "force", "safe", "lost") else you
    ), board
    assert given_hint.kind == "fork" or not (given_hint.forces_fork or given_hint.threat_count)
    assert (given_hint.kind == "win") == bool(own_wins), board
    if given_hint.kind == "win":
        assert given_hint.square == own_wins[0]
        return
    assert (given_hint.kind == "lost") == (top < 0), board
    assert (given_hint.kind == "force") == (top > 0 and not foe_wins), board
    if given_hint.kind == "lost":
        assert given_hint.square == counted[0], "it must be the square that lasts longest"
    if given_hint.kind == "block":
        assert (given_hint.square,) == foe_wins == sound, board
    if given_hint.kind == "safe":
        assert (len(sound), top) == (len(scores), 0)
    if given_hint.kind == "careful":
        assert (len(sound) < len(scores), top, foe_wins) == (True, 0, ()), board
    if given_hint.kind == "fork":
        assert_fork(given_hint, board, scores)


def assert_fork(given_hint: Hint, board: str, scores: dict[int, int]) -> None:
    """Assert that a hint's square makes a fork for the opponent, and that allowing it loses."""
    assert given_hint.square is not None
    me, you = textbook.turn(board), given_hint.mark
    forked = board[: given_hint.square] + you + board[given_hint.square + 1 :]
    assert len(textbook.winning_squares(forked, you)) == given_hint.threat_count >= 2, board
    forks = Counter(
        square
        for child in textbook.children(board).values()
        if max(textbook.move_scores(child).values(), default=0) == 7
        for square in textbook.best(child)
    )
    assert given_hint.square == min(forks, key=lambda square: (-forks[square], square)), board
    forcing_moves = [
        move
        for move, child in textbook.children(board).items()
        if scores[move] < 0 and textbook.winning_squares(child, me) == (given_hint.square,)
    ]
    assert given_hint.forces_fork == bool(forcing_moves), board
