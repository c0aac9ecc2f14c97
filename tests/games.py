"""Sequences of moves to test with: one to every board, and random games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from engine.review import ReviewedMove, review
from tests.textbook import EMPTY, children, is_over, symmetric_boards

Game = tuple[int, ...]


def boards_of(game: Game) -> list[str]:
    boards = [EMPTY]
    for square in game:
        boards.append(children(boards[-1])[square])
    return boards


def one_game_to_each_board() -> Iterator[Game]:
    seen: set[str] = set()
    games: list[Game] = [()]
    for game in games:
        board = boards_of(game)[-1]
        if board not in seen:
            seen.add(board)
            games += [(*game, square) for square in children(board)]
            yield game


@cache
def one_game_to_each_move() -> list[tuple[Game, int]]:
    """Return each move of each position up to symmetry, with a game to the position."""
    moves: dict[tuple[str, str], tuple[Game, int]] = {}
    for game in one_game_to_each_board():
        board = boards_of(game)[-1]
        for square, child in children(board).items():
            symmetric_key = min(zip(symmetric_boards(board), symmetric_boards(child), strict=True))
            moves.setdefault(symmetric_key, (game, square))
    return [*moves.values()]


@cache
def reviewed_moves() -> list[tuple[Game, ReviewedMove]]:
    """Return each of those games with the review of its move."""
    return [(game, review((*game, square))[-1]) for game, square in one_game_to_each_move()]


def random_games(count: int) -> Iterator[Game]:
    """Yield random games, some of them unfinished."""
    rng = Random(22)
    for _ in range(count):
        game: Game = ()
        board = EMPTY
        while not is_over(board) and (rng.random() < 0.95):
            game = (*game, rng.choice([*children(board)]))
            board = boards_of(game)[-1]
        yield game
