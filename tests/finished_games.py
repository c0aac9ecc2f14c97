"""Games to explain: all against Perfect and many others, and the facts that the textbook knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from random import Random
from typing import get_args

from engine.position import SQUARE_NAMES, Mark
from tests import textbook
from tests.games import boards_of, one_game_to_each_board, random_games
from tests.positions import sample
from web.play.game import Game
from web.play.opponents import OPPONENTS

MAX_LENGTH = 60  # characters of a sentence
# A square in a sentence; "center" comes last, because it is a part of "top center".
SQUARE = "(?:the )?(" + "|".join(sorted(SQUARE_NAMES, key=len, reverse=True)) + ")"


# Games


@cache
def all_games_against_perfect() -> list[Game]:
    """Return every game against Perfect from the empty board."""
    return [
        Game(moves, human=human)
        for human in get_args(Mark)
        for moves in textbook.games_against_perfect(human)
    ]


@cache
def games_against_others() -> list[Game]:
    """Return finished random games, each as either side, and games against Hasty."""
    finished = [moves for moves in random_games(1200) if textbook.is_over(boards_of(moves)[-1])]
    games = [Game(moves, "random", human) for moves in finished for human in get_args(Mark)]
    for human in get_args(Mark):
        games += [Game(moves, "hasty", human) for moves in games_against_hasty(human)]
    return games


def games_against_hasty(human: Mark) -> Iterator[tuple[int, ...]]:
    """Yield games of a random player against Hasty, who wins or blocks if it can."""
    rng = Random(3)
    for _ in range(400):
        board, moves = textbook.EMPTY, list[int]()
        while not textbook.is_over(board):
            mark, squares = textbook.turn(board), [*textbook.children(board)]
            wins = textbook.winning_squares(board, mark)
            urgent = wins or textbook.winning_squares(board, textbook.other(mark))
            is_hastys_turn = mark != human
            moves.append(rng.choice(urgent if urgent and is_hastys_turn else squares))
            board = textbook.children(board)[moves[-1]]
        yield tuple(moves)


@cache
def games_from_set_up_boards() -> list[Game]:
    """Return games from boards set up in which the human has moved.

    Boards with few marks come with more games, as few of those games are alike.
    """
    openings = [*one_game_to_each_board()]
    short_openings = [opening for opening in openings if len(opening) in (1, 2)]
    long_openings = sample(8, [opening for opening in openings if len(opening) > 2])
    games = []
    for opening in (*short_openings, *long_openings):
        board = boards_of(opening)[-1]
        if textbook.is_over(board):
            continue
        for human in get_args(Mark):
            for moves in sample(7, [*textbook.games_against_perfect(human, board)]):
                games += [
                    Game((*opening, *moves), opponent, human, setup_length=len(opening))
                    for opponent in OPPONENTS
                ]
    return [game for game in games if game.has_moved]


# What the textbook knows of a game


class TextbookGame:
    """A finished game as the textbook sees it. Moves are counted from 0 here, from 1 on pages."""

    def __init__(self, game: Game) -> None:
        self.game, self.moves, self.human = game, game.moves, game.human
        self.opponent = textbook.other(game.human)
        self.boards = boards_of(game.moves)  # before each move, and at the end
        self.winner = textbook.winner(self.boards[-1])
        self.scores = [textbook.move_scores(board) for board in self.boards[:-1]]

    @property
    def result(self) -> str:
        """The result for the human: "won", "drawn" or "lost"."""
        if not self.winner:
            return "drawn"
        return "won" if self.winner == self.human else "lost"

    @cached_property
    def blunders(self) -> list[int]:
        """The moves of both sides that gave a win or a draw away."""
        moves = range(self.game.setup_length, len(self.moves))
        return [n for n in moves if self.sign_after(n) < self.sign_before(n)]

    @cached_property
    def human_moves(self) -> list[int]:
        """The moves of the human."""
        moves = range(self.game.setup_length, len(self.moves))
        return [n for n in moves if textbook.turn(self.boards[n]) == self.human]

    @property
    def last_blunder(self) -> int | None:
        """The last blunder of the game if it was the human's, otherwise None."""
        is_humans = self.blunders and self.blunders[-1] in self.human_moves
        return self.blunders[-1] if is_humans else None

    @property
    def only_moves(self) -> list[int]:
        """The moves of the human on boards where all moves but one lose."""
        return [n for n in self.human_moves if 0 < self.losing_count(n) == len(self.scores[n]) - 1]

    def sign_before(self, n: int) -> int:
        """Return the sign of the score before a move, for the side that moved."""
        return textbook.sign(max(self.scores[n].values()))

    def sign_after(self, n: int) -> int:
        """Return the sign of the score after a move, for the side that moved."""
        return textbook.sign(self.scores[n][self.moves[n]])

    def losing_count(self, n: int) -> int:
        """Return how many of the moves that could be played as move `n` lose."""
        return sum(score < 0 for score in self.scores[n].values())


# By the pattern of a sentence: whether it is true of a game, given what the pattern matched.
Claims = Mapping[str, Callable[[TextbookGame, re.Match[str]], bool]]


def is_true(claims: Claims, game: TextbookGame, sentence: str) -> bool:
    """Return whether a sentence matches the pattern of a claim that is true of a game."""
    for pattern, is_true_of in claims.items():
        if match := re.fullmatch(pattern, sentence, re.IGNORECASE):
            return is_true_of(game, match)
    return False


def square_by_name(name: str) -> int:
    """Return the number of a square."""
    return SQUARE_NAMES.index(name.lower())
