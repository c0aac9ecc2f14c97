"""Games to test with, as sequences of moves: one to each board or move, and random ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from engine.review import ReviewedMove, review
from tests.textbook import EMPTY, children, is_over, symmetric_boards

Game = tuple[int, ...]  # the squares that were played


def boards_of(game: Game) -> list[str]:
    """Return the boards of a game, from the empty one to that after its last move."""
    boards = [EMPTY]
    for square in game:
        boards.append(children(boards[-1])[square])
    return boards


def one_game_to_each_board() -> Iterator[Game]:
    """Yield a game to each board that games can reach, starting with the empty board."""
    seen: set[str] = set()
    games: list[Game] = [()]
    for game in games:  # which grows while the loop runs
        board = boards_of(game)[-1]
        if board not in seen:
            seen.add(board)
            games += [(*game, square) for square in children(board)]
            yield game


@cache
def one_game_to_each_move() -> list[tuple[Game, int]]:
    """Return one of each set of symmetric moves, after a game to the position before it."""
    moves: dict[tuple[str, str], tuple[Game, int]] = {}
    for game in one_game_to_each_board():
        board = boards_of(game)[-1]
        for square, child in children(board).items():
            # The same for all symmetric moves.
            key = min(zip(symmetric_boards(board), symmetric_boards(child), strict=True))
            moves.setdefault(key, (game, square))
    return [*moves.values()]


@cache
def reviewed_moves() -> list[tuple[Game, ReviewedMove]]:
    """Return the review of each move of `one_game_to_each_move`, with the game before it."""
    return [(game, review((*game, square))[-1]) for game, square in one_game_to_each_move()]


def random_games(count: int) -> Iterator[Game]:
    """Yield random games, some of them unfinished."""
    rng = Random(22)
    for _ in range(count):
        game: Game = ()
        board = EMPTY
        while not is_over(board) and rng.random() < 0.95:
            game = (*game, rng.choice([*children(board)]))
            board = boards_of(game)[-1]
        yield game
