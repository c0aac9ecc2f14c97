"""Today: one board a day, the same for everyone, to be played to the end against Perfect."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from functools import cache
from itertools import zip_longest
from typing import NamedTuple
from zlib import crc32

from engine.position import OTHER, Mark, O, Position, Square, X
from engine.reasons import threats
from engine.results import sound_moves
from engine.search import analyze, best_moves
from engine.symmetry import SYMMETRIES, representatives, transform
from teach.puzzles.moves import UNREACHABLE, MovePuzzle

FIRST_DAY = date(2026, 11, 23)  # the day of the first board
MAX_LUCK = Fraction(1, 4)  # the highest `luck` that a board of the day may have


# The boards


def is_daily_board(position: Position) -> bool:
    """Return whether a position is a board of the day.

    Only one of several squares keeps the result, and neither side can complete a line. A player who
    completes lines, blocks, and otherwise plays at random keeps the result to the end in at most
    one game in four.

    >>> is_daily_board(Position.parse("X--------"))
    True
    """
    scores = analyze(position)
    has_only_move = len(sound_moves(scores)) == 1 < len(scores)
    has_threats = bool(threats(position, X) or threats(position, O))
    return has_only_move and not has_threats and luck(position, position.turn) <= MAX_LUCK


@cache
def luck(position: Position, human: Mark) -> Fraction:
    """Return the chance that a player who sees only threats keeps the result to the end.

    The player completes a line if possible, otherwise blocks one, otherwise plays at random.

    >>> luck(Position.parse("XO---X--O"), "X")
    Fraction(1, 5)
    """
    if position.outcome():
        return Fraction(1)
    if position.turn != human:
        return luck(position.play(perfect_reply(position)), human)
    urgent_squares = threats(position, human) or threats(position, OTHER[human])
    candidates = urgent_squares or position.legal_moves()
    sound_candidates = [square for square in sound_moves(analyze(position)) if square in candidates]
    chances = (luck(position.play(square), human) for square in sound_candidates)
    return sum(chances, Fraction(0)) / len(candidates)


def perfect_reply(position: Position) -> Square:
    """Return Perfect's reply in a game of the day: the first best square, the same for everyone."""
    return best_moves(position)[0]


@cache
def daily_boards() -> tuple[Position, ...]:
    """Return the 148 boards of the day, in order.

    They are 21 boards and their symmetric images. The first 21 days have one image of each board,
    the next days a second image of each, and so on.
    """
    candidates = filter(is_daily_board, set(representatives().values()))
    # A checksum shuffles the boards in the same way on every machine.
    boards = sorted(candidates, key=lambda board: crc32(str(board).encode()))
    images_by_board = [
        dict.fromkeys(transform(board, symmetry) for symmetry in SYMMETRIES) for board in boards
    ]
    rounds = zip_longest(*images_by_board)  # None for a board that has no more images
    return tuple(image for images in rounds for image in images if image)


def board_of(day: date) -> Position:
    """Return the board of a day; after the 148th day, the boards start over.

    >>> board_of(date(2026, 11, 23)) == board_of(date(2027, 4, 20))
    True
    """
    boards = daily_boards()
    return boards[(day - FIRST_DAY).days % len(boards)]


# The game


class DailyGame(NamedTuple):
    """The game of a day so far."""

    puzzle: MovePuzzle  # the current board, and the guesses on it
    earlier_wrong_count: int = 0  # wrong guesses on earlier boards
    last_square: Square | None = None  # the human's last right square
    reply: Square | None = None  # Perfect's reply to it

    @property
    def position(self) -> Position:
        """The current board."""
        return self.puzzle.position

    @property
    def wrong_count(self) -> int:
        """The number of wrong guesses in the whole game."""
        return self.earlier_wrong_count + len(self.puzzle.wrong_squares)

    @property
    def is_over(self) -> bool:
        """Whether the game was played to its end, or the right square was shown."""
        return self.puzzle.is_shown or self.position.outcome() is not None

    @property
    def is_flawless(self) -> bool:
        """Whether the game was finished without a wrong guess or a square that was shown."""
        return self.is_over and not (self.wrong_count or self.puzzle.is_shown)

    def after(self, press: str) -> DailyGame:
        """Return the game after a press. Raises ValueError if the press is not possible then."""
        if self.is_over:
            raise ValueError(UNREACHABLE)
        puzzle = self.puzzle.after(press)
        if puzzle.found_square is None or puzzle.is_shown:
            return self._replace(puzzle=puzzle)
        board = self.position.play(puzzle.found_square)
        reply = None if board.outcome() else perfect_reply(board)
        position = board if reply is None else board.play(reply)
        return DailyGame(_new_puzzle(position), self.wrong_count, puzzle.found_square, reply)


def _new_puzzle(position: Position) -> MovePuzzle:
    """Return the puzzle of a board without any guess."""
    return MovePuzzle(position, sound_moves(analyze(position)))


def game_after(board: Position, presses: str) -> DailyGame:
    """Return the game of a day after some presses: a digit guesses a square, `s` shows a right one.

    Raises ValueError if a press is not possible at that point.

    >>> str(game_after(Position.parse("XO---X--O"), "3").position)
    'XO-XOX--O'
    """
    game = DailyGame(_new_puzzle(board))
    for press in presses:
        game = game.after(press)
    return game
