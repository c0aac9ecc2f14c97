"""The quiz for a better move: the reader picks a square, and the board plays out what follows."""

from __future__ import annotations

from typing import Literal, NamedTuple

from flask import abort

from engine.notation import to_digits
from engine.position import Position, Square
from engine.reasons import Concession, Explanation, concession, explain, threats
from engine.results import results, sound_moves
from engine.review import Judgment, ReviewedMove, judge_move
from engine.search import analyze, best_moves
from web.study.place import Place
from web.view.squares import Cell, cells_of, with_forced_win, with_next_mark, with_wins


class Quiz(NamedTuple):
    """A question about a mistake: which move was better, or what the opponent's best reply is.

    The reply shows why the move was a mistake. The question asks for it once every square left is
    right, because the reader could then no longer pick a wrong one.
    """

    move: ReviewedMove  # the mistake
    kind: Literal["move", "reply"]  # what the question asks for
    position: Position  # the board on which the reader picks a square
    wrong_squares: tuple[Square, ...]  # those ruled out on this board
    guesses: tuple[Square, ...] = ()  # all so far, including those before `kind` changed
    found_square: Square | None = None  # a right square, once it is found
    is_shown: bool = False  # whether the reader gave up and was shown the answer

    @property
    def is_answered(self) -> bool:
        """Whether a right square was found, or the reader gave up."""
        return self.is_shown or self.found_square is not None

    @property
    def open_squares(self) -> tuple[Square, ...]:
        """The squares that can be guessed; empty once the question is answered."""
        if self.is_answered:
            return ()
        return tuple(s for s in self.position.legal_moves() if s not in self.wrong_squares)

    @property
    def right_squares(self) -> tuple[Square, ...]:
        """The squares that keep the best possible result."""
        return sound_moves(analyze(self.position))

    @property
    def solution(self) -> Square:
        """The right square that was found, otherwise the first of the best moves."""
        return best_moves(self.position)[0] if self.found_square is None else self.found_square

    @property
    def explanation(self) -> Explanation | None:
        """Why the better move is better, or None if the question asks for the reply."""
        return explain(self.position, self.solution) if self.kind == "move" else None

    @property
    def judgment(self) -> Judgment:
        """The judgment of the right square."""
        return judge_move(self.position, self.solution)

    @property
    def last_wrong_square(self) -> Square | None:
        """The last guess if it was wrong, otherwise None."""
        return self.guesses[-1] if self.guesses and self.found_square is None else None

    @property
    def concession(self) -> Concession | None:
        """What the last guess gives away if it was wrong, otherwise None."""
        if self.last_wrong_square is None:
            return None
        board = self.position if self.has_wrong_reply else self.move.position
        return concession(board, self.last_wrong_square)

    @property
    def has_wrong_reply(self) -> bool:
        """Whether the reader has guessed a wrong reply to the mistake."""
        return self.kind == "reply" and bool(self.wrong_squares)

    @property
    def can_name_squares(self) -> bool:
        """Whether naming the win that the last guess allows keeps the answer a secret."""
        allowed_win = self.concession and self.concession.allowed_win
        return not (allowed_win and allowed_win.shown_squares & {*self.right_squares})

    def after_guess(self, square: Square) -> Quiz:
        """Return the question after a guess at an open square."""
        quiz = self._replace(guesses=(*self.guesses, square))
        if square in self.right_squares:
            return quiz._replace(found_square=square)
        return quiz._replace(wrong_squares=(*self.wrong_squares, square))._or_ask_for_reply()

    def _or_ask_for_reply(self) -> Quiz:
        """Return this question, or the one about the reply if no open square is wrong.

        If every reply is right as well, there is nothing to guess, and the question stays.
        """
        board_after = self.move.position.play(self.move.square)
        reply_scores = analyze(board_after)
        has_wrong_replies = len(sound_moves(reply_scores)) < len(reply_scores)
        are_all_squares_right = {*self.open_squares} <= {*self.right_squares}
        if self.kind == "move" and has_wrong_replies and are_all_squares_right:
            return self._replace(kind="reply", position=board_after, wrong_squares=())
        return self

    def cells(self, place: Place) -> list[Cell]:
        """Return the board of the question, with the last guess or the reply in pencil."""
        last_square = self.move.square if self.kind == "reply" else None
        cells = [self._cell(cell, place) for cell in cells_of(self.position, last_square)]
        if self.kind == "move":
            return self._with_last_guess(cells)
        return self._with_reply(cells) if self.is_answered else cells

    def _with_last_guess(self, cells: list[Cell]) -> list[Cell]:
        """Return the cells with the last guess in pencil, and how the opponent wins after it.

        The win is left out if it would mark a right square, and so give the answer away.
        """
        if self.guesses:
            cells = with_next_mark(cells, self.guesses[-1], self.position.turn)
        allowed_win = self.concession and self.concession.allowed_win
        cells_with_win = with_forced_win(cells, self.move.opponent, allowed_win)
        marked = {cell.square for cell in cells_with_win if cell.pencil or cell.wins_for}
        return cells if marked & {*self.right_squares} else cells_with_win

    def _with_reply(self, cells: list[Cell]) -> list[Cell]:
        """Return the cells with the opponent's best reply in pencil, and what it threatens."""
        opponent = self.position.turn
        wins = threats(self.position.play(self.solution), opponent)
        return with_next_mark(with_wins(cells, opponent, wins), self.solution, opponent)

    def _cell(self, cell: Cell, place: Place) -> Cell:
        """Return a cell with its link if it can be guessed, its result if known, and its badge."""
        square = cell.square
        is_open = square in self.open_squares
        return cell._replace(
            url=place.url(answer=to_digits((*self.guesses, square))) if is_open else None,
            result=results(self.position)[square] if self._shows_result(square) else None,
            badge=self._badge(square),
        )

    def _shows_result(self, square: Square) -> bool:
        """Return whether the board shows the result of a move on a square.

        Until the question is answered, only wrong guesses show theirs; then all moves do. After the
        question about the reply none does, because the reply is played out instead.
        """
        if not self.is_answered:
            return square in self.wrong_squares
        return self.kind == "move" and square in self.position.legal_moves()

    def _badge(self, square: Square) -> str | None:
        """Return the badge of a square: of the mistake, or of a best move once those are shown."""
        if square == self.move.square:
            return "??"
        shows_best_moves = self.is_shown and self.kind == "move"
        return "★" if shows_best_moves and square in best_moves(self.position) else None


def parse_quiz(move: ReviewedMove | None, answer: str) -> Quiz:
    """Parse an answer, squares as digits or `show`, and return the question about `move` after it.

    A move that is not a blunder gets a 400 page, and so does a square that is not open.
    """
    if not (move and move.is_blunder):
        abort(400, "answer needs the parameter at to name a move that gave away a win or a draw.")
    quiz = Quiz(move, "move", move.position, (move.square,))._or_ask_for_reply()
    if answer == "show":
        return quiz._replace(is_shown=True)
    for digit in answer:
        if digit not in map(str, quiz.open_squares):
            abort(400, "answer is show, or digits of squares that may still be tried.")
        quiz = quiz.after_guess(int(digit))
    return quiz
