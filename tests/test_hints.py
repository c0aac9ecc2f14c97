"""The hint of every position, compared with the textbook."""

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
    """Assert that every fact of a hint is true on its board."""
    mover = textbook.turn(board)
    opponent = textbook.other(mover)
    scores = textbook.move_scores(board)
    best_score = max(scores.values())
    sound_moves = textbook.sound_moves(board)
    if best_score < 0:  # then no move is sound, and a hint counts those that lose last
        counted_moves = [square for square in scores if scores[square] == best_score]
    else:
        counted_moves = [*sound_moves]
    assert given_hint.sound_count == len(counted_moves), board
    assert given_hint.move_count == len(scores), board
    is_about_mover = given_hint.kind in ("win", "force", "safe", "lost")
    assert given_hint.mark == (mover if is_about_mover else opponent), board
    assert given_hint.kind == "fork" or not (given_hint.forces_fork or given_hint.threat_count)
    own_wins = textbook.winning_squares(board, mover)
    assert (given_hint.kind == "win") == bool(own_wins), board
    if given_hint.kind == "win":
        assert given_hint.square == own_wins[0]
        return
    threats = textbook.winning_squares(board, opponent)
    assert (given_hint.kind == "lost") == (best_score < 0), board
    assert (given_hint.kind == "force") == (best_score > 0 and not threats), board
    if given_hint.kind == "lost":
        assert given_hint.square == counted_moves[0], "it must be the square that loses last"
    elif given_hint.kind == "block":
        assert (given_hint.square,) == threats == sound_moves, board
    elif given_hint.kind == "safe":
        assert len(sound_moves) == len(scores), board
        assert best_score == 0, board
    elif given_hint.kind == "careful":
        assert len(sound_moves) < len(scores), board
        assert (best_score, threats) == (0, ()), board
    elif given_hint.kind == "fork":
        assert_fork(given_hint, board, scores)


def assert_fork(given_hint: Hint, board: str, scores: dict[int, int]) -> None:
    """Assert that a hint's square makes a fork for the opponent, and that allowing it loses."""
    assert given_hint.square is not None
    mover, opponent = textbook.turn(board), given_hint.mark
    forked_board = board[: given_hint.square] + opponent + board[given_hint.square + 1 :]
    threats = textbook.winning_squares(forked_board, opponent)
    assert len(threats) == given_hint.threat_count >= 2, board
    # For each square, how many moves allow the opponent to win there with a fork, which is
    # to win in three turns. The textbook scores such a win as 10 - 3.
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
        if scores[move] < 0 and textbook.winning_squares(child, mover) == (given_hint.square,)
    ]
    assert given_hint.forces_fork == bool(forcing_moves), board
