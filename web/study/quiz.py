"""The quiz for a better move: the board asks for a square, and each answer is played out."""

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

    If every square left is right, it asks for the reply, which shows why the move was wrong.
    """

    move: ReviewedMove  # the mistake
    kind: Literal["move", "reason"]
    position: Position  # the board that asks for a square
    wrong_squares: tuple[Square, ...]  # ruled out: the mistake itself and wrong guesses
    guesses: tuple[Square, ...] = ()  # all so far, also those before `kind` changed
    found_square: Square | None = None  # a right square, once it is found
    is_shown: bool = False  # whether the reader gave up

    @property
    def is_answered(self) -> bool:
        """Whether the right square was found or shown."""
        return self.is_shown or self.found_square is not None

    @property
    def open_squares(self) -> tuple[Square, ...]:
        """The squares that can be guessed; empty once the question is answered."""
        free = self.position.legal_moves()
        return () if self.is_answered else tuple(s for s in free if s not in self.wrong_squares)

    @property
    def right_squares(self) -> tuple[Square, ...]:
        """The squares that keep the best result."""
        return sound_moves(analyze(self.position))

    @property
    def solution(self) -> Square:
        """The right square that was found, otherwise the first of the best moves."""
        return best_moves(self.position)[0] if self.found_square is None else self.found_square

    @property
    def explanation(self) -> Explanation | None:
        """Why the better move is better, or None if the question asks for the reason."""
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
        board = self.position if self.has_wrong_reply else self.move.position
        return None if self.last_wrong_square is None else concession(board, self.last_wrong_square)

    @property
    def has_wrong_reply(self) -> bool:
        """Whether the last wrong guess was a reply to the mistake."""
        return self.kind == "reason" and bool(self.wrong_squares)

    @property
    def can_name_squares(self) -> bool:
        """Whether naming the win that the last guess allows does not give the answer away."""
        allowed_win = self.concession and self.concession.allowed_win
        return not (allowed_win and allowed_win.shown_squares & {*self.right_squares})

    def after_guess(self, square: Square) -> Quiz:
        """Return the question after a guess at an open square."""
        quiz = self._replace(guesses=(*self.guesses, square))
        if square in self.right_squares:
            return quiz._replace(found_square=square)
        return quiz._replace(wrong_squares=(*self.wrong_squares, square))._or_ask_for_reason()

    def _or_ask_for_reason(self) -> Quiz:
        """Return this question, or the one about the reason if no open square is wrong."""
        child = self.move.position.play(self.move.square)
        replies = analyze(child)
        can_ask = self.kind == "move" and len(sound_moves(replies)) < len(replies)
        if can_ask and {*self.open_squares} <= {*self.right_squares}:
            return self._replace(kind="reason", position=child, wrong_squares=())
        return self

    def cells(self, place: Place) -> list[Cell]:
        """Return the board with the last guess played out in pencil.

        It is not played out if that would mark a right square, and so give the answer away.
        """
        last = self.move.square if self.kind == "reason" else None
        cells = [self._cell(cell, place) for cell in cells_of(self.position, last)]
        turn = self.position.turn
        if self.kind == "move":
            for last_guess in self.guesses[-1:]:
                cells = with_next_mark(cells, last_guess, turn)
            played = with_forced_win(
                cells, self.move.opponent, self.concession and self.concession.allowed_win
            )
            marked = {cell.square for cell in played if cell.pencil or cell.wins_for}
            return cells if marked & {*self.right_squares} else played
        if self.is_answered:
            wins = threats(self.position.play(self.solution), turn)
            cells = with_next_mark(with_wins(cells, turn, wins), self.solution, turn)
        return cells

    def _cell(self, cell: Cell, place: Place) -> Cell:
        square = cell.square
        is_open = square in self.open_squares
        known = results(self.position)
        solved_squares = known if self.kind == "move" else ()
        squares_with_result = solved_squares if self.is_answered else self.wrong_squares
        best = best_moves(self.position) if self.is_shown and self.kind == "move" else ()
        return cell._replace(
            url=place.url(answer=to_digits((*self.guesses, square))) if is_open else None,
            result=known[square] if square in squares_with_result else None,
            badge="??" if square == self.move.square else "★" if square in best else None,
        )


def parse_quiz(move: ReviewedMove | None, answer: str) -> Quiz:
    """Parse an answer, squares as digits or `show`, and return the question about `move` after it.

    Refuses, with a 400 page, a move that is not a blunder, and squares that are not open.
    """
    if not (move and move.is_blunder):
        abort(400, "answer needs the parameter at to name a move that gave away a win or a draw.")
    quiz = Quiz(move, "move", move.position, (move.square,))._or_ask_for_reason()
    if answer == "show":
        return quiz._replace(is_shown=True)
    for digit in answer:
        if digit not in map(str, quiz.open_squares):
            abort(400, "answer is show, or digits of squares that may still be tried.")
        quiz = quiz.after_guess(int(digit))
    return quiz
