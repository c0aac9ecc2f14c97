"""The puzzle "Find the only move": which boards are asked, and each answer to a wrong square."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from engine.position import SQUARE_NAMES, Position
from teach.puzzles.moves import Consequence, consequence, move_puzzle, saving_moves
from teach.puzzles.rounds import ROUNDS
from tests import textbook
from tests.positions import UNFINISHED, all_or_canonical
from tests.puzzle_answers import boards_asked, sound_squares
from tests.sentences import NUMBER_WORDS
from web.view.right_move import pressable_cells
from web.view.words import elsewhere_sentence, wrong_square_sentence

MAX_LENGTH = 60  # characters of a sentence


def difficulty_of(board: str) -> str:
    """Return how hard it is to find the only move of a board; see ROUNDS."""
    (square,) = sound_squares(board)
    child = textbook.children(board)[square]
    if textbook.winner(child):
        return "completes"
    mark, opponent = textbook.turn(board), textbook.turn(child)
    scores = textbook.move_scores(board)
    best_other_score = max(scores[other] for other in scores if other != square)
    if square in textbook.winning_squares(board, opponent) and best_other_score < 0:
        return "blocks"
    is_fork = len(textbook.winning_squares(child, mark)) > 1
    return "forks" if is_fork and scores[square] == 7 else "quiet"


@pytest.mark.long
def test_there_are_166_wins_and_63_draws_to_find() -> None:
    boards = {min(textbook.symmetric_boards(board)) for board in textbook.all_boards()}
    for board in boards:
        assert saving_moves(Position.parse(board)) == sound_squares(board)
    with_only_move = {
        board
        for board in boards
        if len(sound_squares(board)) == 1 and len(textbook.children(board)) >= 3
    }
    wins = {board for board in with_only_move if max(textbook.move_scores(board).values()) > 0}
    assert (len(wins), len(with_only_move - wins)) == (166, 63)
    images = {image for board in with_only_move for image in textbook.symmetric_boards(board)}
    assert sorted(boards_asked("moves")) == sorted(images)


@pytest.mark.long
def test_every_board_has_the_difficulty_of_its_list() -> None:
    for difficulty in {*ROUNDS["moves"]}:
        difficulties = {difficulty_of(board) for board in boards_asked("moves", difficulty)}
        assert difficulties == {difficulty}


# Wrong squares


class WrongSquare:
    """A wrong square, the line of play that refutes it, and the facts that a sentence may claim."""

    def __init__(self, board: str, square: int) -> None:
        self.board, self.square = board, square
        self.mark, self.other = textbook.turn(board), textbook.other(textbook.turn(board))
        self.child = textbook.children(board)[square]
        self.refutation: Consequence = consequence(Position.parse(board), square)
        self.after_reply = textbook.children(self.child)[self.refutation.reply]

    def is_true(self, sentence: str, subject: str) -> bool:
        """Return whether a sentence is true; its subject is "X", "O" or "I"."""
        s = "" if subject == "I" else "s"
        reply = self.refutation.reply
        if reply in textbook.winning_squares(self.child, self.mark):
            reply_clause = f"{subject} block{s}"
        else:
            reply_clause = f"{subject} take{s} {square_name(reply)}"
        wins = " or ".join(map(square_name, textbook.winning_squares(self.child, self.other)))
        claims = {
            f"{subject} win{s} at {wins}.": bool(wins),
            f"{reply_clause}, and then {subject} can win in two places.": self.has_two_wins(
                self.after_reply
            ),
            f"{subject} make{s} you block, and then {subject} can win in two places.": (
                self.forces_a_block_before_a_fork()
            ),
            f"Whatever you reply, {subject} can then win in two places.": self.can_fork_anyway(),
            f"{reply_clause}, and your win is gone.": self.gives_a_win_away(),
        }
        return claims[sentence]

    def has_two_wins(self, board: str) -> bool:
        """Return whether the other side can win in two places and is not about to lose."""
        wins = textbook.winning_squares(board, self.other)
        return len(wins) == 2 and not textbook.winning_squares(board, self.mark)

    def can_fork(self, board: str) -> bool:
        """Return whether the side to move can reach two wins."""
        return any(map(self.has_two_wins, textbook.children(board).values()))

    def forces_a_block_before_a_fork(self) -> bool:
        """Return whether the reply threatens to win, and a fork follows the only block."""
        children = textbook.children(self.after_reply)  # none if the reply ends the game
        threats = textbook.winning_squares(self.after_reply, self.other)
        can_win = textbook.winning_squares(self.after_reply, self.mark)
        if not children or len(threats) != 1 or can_win:
            return False
        return self.can_fork(children[threats[0]])

    def can_fork_anyway(self) -> bool:
        """Return whether the reply threatens nothing yet, and every answer to it allows a fork."""
        if textbook.winning_squares(self.after_reply, self.other):
            return False
        return all(map(self.can_fork, textbook.children(self.after_reply).values()))

    def gives_a_win_away(self) -> bool:
        """Return whether the board was won, is drawn after the square, and the reply keeps that."""
        scores = textbook.move_scores(self.board)
        is_won, is_drawn = max(scores.values()) > 0, scores[self.square] == 0
        return is_won and is_drawn and self.refutation.reply in textbook.best(self.child)


class Board(NamedTuple):
    """A board on which some moves are better than others."""

    board: str
    other: str  # the side that is not to move
    sound: tuple[int, ...]  # the squares that keep the result

    @property
    def wrong_squares(self) -> set[int]:
        return {*textbook.children(self.board)} - {*self.sound}


def boards_with_a_choice() -> Iterator[Board]:
    """Yield each board on which some moves give away what others keep."""
    for board in map(str, all_or_canonical(UNFINISHED)):
        if sound := sound_squares(board):
            yield Board(board, textbook.other(textbook.turn(board)), sound)


def square_name(square: int) -> str:
    """Return the name of a square as a sentence has it."""
    return "the center" if square == 4 else SQUARE_NAMES[square]


def sentence_kind(text: str) -> str:
    """Return a sentence without the names of its squares and sides."""
    squares = r"\b(?:the )?(?:top|middle|bottom) ?(?:left|center|right)|the center"
    return re.sub(squares, "SQUARE", re.sub(r"\b[XO]\b", "SIDE", text))


@pytest.mark.parametrize(
    ("board", "square", "sentence"),
    [
        ("----X----", 1, "I make you block, and then I can win in two places."),
        ("-X-O-----", 5, "I take bottom right, and your win is gone."),
        ("OX---X---", 2, "I take the center, and then I can win in two places."),
        ("OX---X---", 3, "Whatever you reply, I can then win in two places."),
        ("XO-X-X-O-", 8, "I win at the center or bottom left."),
    ],
)
def test_every_kind_of_refutation_has_an_example(board: str, square: int, sentence: str) -> None:
    assert wrong_square_sentence(consequence(Position.parse(board), square), "I") == sentence


@pytest.mark.long
def test_the_answer_to_every_wrong_square_is_true() -> None:
    """In a puzzle, X or O replies; in a game, Perfect does, and says "I"."""
    kinds = set[str]()
    for board in boards_with_a_choice():
        for square in board.wrong_squares:
            wrong = WrongSquare(board.board, square)
            for subject in (board.other, "I"):
                sentence = wrong_square_sentence(wrong.refutation, subject)
                assert wrong.is_true(sentence, subject), (board, square, sentence)
                assert len(sentence) <= MAX_LENGTH
                kinds.add(sentence_kind(sentence))
    assert len(kinds) == 2 * 8


@pytest.mark.long
def test_the_board_after_every_wrong_square_shows_its_refutation() -> None:
    for board in boards_with_a_choice():
        position = Position.parse(board.board)
        for square in board.wrong_squares:
            puzzle, wrong = move_puzzle(position, str(square)), WrongSquare(board.board, square)
            assert (puzzle.wrong_squares, puzzle.found_square) == ((square,), None)
            cells = pressable_cells(puzzle, wrong.refutation)
            untried = [empty for empty in textbook.children(board.board) if empty != square]
            assert [cell.square for cell in cells if cell.is_button] == untried
            marked_squares = [cell.square for cell in cells if cell.pencil or cell.wins_for]
            assert sorted(wrong.refutation.squares) == marked_squares
            orders = [cells[shown].order for shown in wrong.refutation.squares]
            assert orders == [*range(len(orders))]
            winning_squares = [cell.square for cell in cells if cell.wins_for]
            marks = {**dict(enumerate(board.board)), square: wrong.mark}
            marks |= {cell.square: cell.pencil for cell in cells if cell.pencil}
            board_in_pencil = "".join(marks[n] for n in range(9))
            assert {*winning_squares} <= {*textbook.winning_squares(board_in_pencil, board.other)}
            if wins_at_once := textbook.winning_squares(wrong.child, board.other):
                assert winning_squares == [*wins_at_once]


def test_statements_about_all_wrong_squares_are_true() -> None:
    for board in boards_with_a_choice():
        scores = textbook.move_scores(board.board)
        is_win = max(scores.values()) > 0
        sentence = elsewhere_sentence(board.sound, is_win, board.other)
        result = "your win is gone" if is_win else f"{board.other} wins"
        expected = f"Anywhere else, {result}."
        if len(board.sound) > 1:
            count = NUMBER_WORDS[len(board.sound)].capitalize()
            expected = f"{count} squares {'win' if is_win else 'keep the draw'}. {expected}"
        assert sentence == expected
        best_wrong = max(scores[square] for square in board.wrong_squares)
        assert best_wrong <= 0 if is_win else best_wrong < 0
        assert len(sentence) <= MAX_LENGTH
