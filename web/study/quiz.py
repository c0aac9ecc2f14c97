"""Find a better move: the board becomes the question, and each press is played out."""

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
from web.view.squares import Cell, cells_of, pencilled, played_out, to_come


class Quiz(NamedTuple):
    """Hold the question for a better move than `move`, or for the opponent's answer to `move`.

    Where every open square holds, the quiz asks for the answer, the `reason`; else for a better
    `move`. The question stands on `position`, where the `tried` squares are wrong. `answers` are
    all squares pressed so far, `found` the right square, and `shown` a press on Show me.
    """

    move: ReviewedMove
    asks: Literal["move", "reason"]
    position: Position
    tried: tuple[Square, ...]
    answers: tuple[Square, ...] = ()
    found: Square | None = None
    shown: bool = False

    @property
    def answered(self) -> bool:
        """Say whether the right square was found or shown."""
        return self.shown or self.found is not None

    @property
    def open(self) -> tuple[Square, ...]:
        """Return the squares to press; none once the question is answered."""
        free = self.position.legal_moves()
        return () if self.answered else tuple(s for s in free if s not in self.tried)

    @property
    def right(self) -> tuple[Square, ...]:
        """Return the squares to keep the best result."""
        return sound_moves(analyze(self.position))

    @property
    def solution(self) -> Square:
        """Return the right square that was found, else the first of the best."""
        return best_moves(self.position)[0] if self.found is None else self.found

    @property
    def better(self) -> Explanation | None:
        """Say why the better move is better; None where the reason is asked for."""
        return explain(self.position, self.solution) if self.asks == "move" else None

    @property
    def judgment(self) -> Judgment:
        """Judge the right square."""
        return judge_move(self.position, self.solution)

    @property
    def wrong(self) -> Square | None:
        """Return the square pressed last if wrong, else None."""
        return self.answers[-1] if self.answers and self.found is None else None

    @property
    def allows(self) -> Concession | None:
        """Say what a wrong move gives away, None unless a wrong move was pressed last."""
        asked = self.position if self.is_reply else self.move.position
        return None if self.wrong is None else concession(asked, self.wrong)

    @property
    def is_reply(self) -> bool:
        """Say whether the square pressed last was an answer to the move."""
        return self.asks == "reason" and bool(self.tried)

    @property
    def tells(self) -> bool:
        """Say whether to name the squares a wrong move gives away: not where one is right."""
        opened = self.allows and self.allows.allowed_win
        return not (opened and opened.shown & {*self.right})

    def press(self, square: Square) -> Quiz:
        """Return the question after a press on an `open` square."""
        pressed = self._replace(answers=(*self.answers, square))
        if square in self.right:
            return pressed._replace(found=square)
        return pressed._replace(tried=(*self.tried, square))._or_reason()

    def _or_reason(self) -> Quiz:
        """Return the question for the reason where every open square holds, else the same."""
        child = self.move.position.play(self.move.square)
        replies = analyze(child)
        can_ask = self.asks == "move" and len(sound_moves(replies)) < len(replies)
        if can_ask and {*self.open} <= {*self.right}:
            return self._replace(asks="reason", position=child, tried=())
        return self

    def cells(self, place: Place) -> list[Cell]:
        """Return the board to press on, with the last press played out in pencil.

        It is not played out onto a right square, for that would be the answer.
        """
        last = self.move.square if self.asks == "reason" else None
        cells = [self._cell(cell, place) for cell in cells_of(self.position, last)]
        turn = self.position.turn
        if self.asks == "move":
            for pressed in self.answers[-1:]:
                cells = to_come(cells, pressed, turn)
            played = played_out(cells, self.move.opponent, self.allows and self.allows.allowed_win)
            marked = {cell.square for cell in played if cell.pencil or cell.wins_for}
            return cells if marked & {*self.right} else played
        if self.answered:
            wins = threats(self.position.play(self.solution), turn)
            cells = to_come(pencilled(cells, turn, wins), self.solution, turn)
        return cells

    def _cell(self, cell: Cell, place: Place) -> Cell:
        square = cell.square
        asked = square in self.open
        known = results(self.position)
        solved = known if self.asks == "move" else ()
        with_result = solved if self.answered else self.tried
        best = best_moves(self.position) if self.shown and self.asks == "move" else ()
        return cell._replace(
            url=place.url(answer=to_digits((*self.answers, square))) if asked else None,
            result=known[square] if square in with_result else None,
            badge="??" if square == self.move.square else "★" if square in best else None,
        )


def ask(move: ReviewedMove | None, answer: str) -> Quiz:
    """Return the question about a move after an `answer`: squares as digits, or `show`.

    Refuses, with a 400 page, a question without a better move, and squares not open.
    """
    if not (move and move.is_blunder):
        abort(400, "answer belongs to a move that gave a win or a draw away: at names none.")
    quiz = Quiz(move, "move", move.position, (move.square,))._or_reason()
    if answer == "show":
        return quiz._replace(shown=True)
    for digit in answer:
        if digit not in map(str, quiz.open):
            abort(400, "answer is show, or digits of squares that may still be tried.")
        quiz = quiz.press(int(digit))
    return quiz
