"""Ask a program every board its games come to, and again where that tells more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from engine.position import Mark, Position, Square
from engine.search import analyze, score, sign
from engine.symmetry import reachable_positions
from judge.players import Player, Response

TIMES = 10  # that a board is asked where answers are random
EARLY = 3  # that it is asked so while more than LATE squares are free: there answers take longest;
# also of a command, which may take its time on each
LATE, LAST = 6, 4  # free squares; a board with LAST or fewer is asked twice, whatever was drawn
AFRESH = 12  # boards asked in a process of their own
FEW = 4  # boards on which an answer at random may be right by chance


class Hearing:
    """Ask a player for every move as these marks, and keep the answers to each position.

    `reached` holds the positions that the player's games come to; `random` says that two answers to
    a position differ.
    """

    def __init__(self, player: Player, marks: Sequence[Mark], show: Callable[[int], None]) -> None:
        """Ask everything, and show the positions asked so far. Raises NoStart if nothing ran."""
        self.player, self.marks, self.random = player, marks, False
        self._show = show
        self.answers: dict[Position, list[Response]] = {}
        self.reached: set[Position] = set()
        starts = (Position(), *Position().children().values())
        self._reach(position for position in starts if position.turn in marks)
        for position in lost_with_a_choice():
            if position.turn in marks:
                self._ask(position)
        self.first = {board: [*answers] for board, answers in self.answers.items()}
        self.afresh = self._ask_afresh()
        if self.afresh is None:
            self._ask_again()

    def _reach(self, positions: Iterable[Position]) -> None:
        """Ask in these positions and in all that the answers lead to, against every reply."""
        met = list(positions)
        for position in met:
            if position not in self.reached:
                self.reached.add(position)
                met += replies(position, self._ask(position))

    def _ask(self, position: Position, times: int = 1) -> list[Response]:
        """Ask until so many answers came, or the player is given up; return the answers."""
        answers = self.answers.get(position, [])
        while len(answers) < times and not self.player.given_up:
            answers.append(self.player.ask(position))
            self.answers[position] = answers
            self._show(len(self.answers))
        return answers

    def _ask_afresh(self) -> int | None:
        """Ask where a result was lost once more, each board in a new copy.

        Return on how many boards, if all answers there are right then; None if not, or if there
        is nothing to ask. A program whose answers then are right keeps something from before.
        """
        blunders = sorted(
            (-board.ply, board)
            for board, answers in self.answers.items()
            if answers[0].kind == "square" and lowers(board, answers[0].number)
        )[:AFRESH]
        if any(self.answers[board][0].is_random for _, board in blunders):
            return None
        for _, board in blunders:
            for _ in range(1 if len(blunders) > FEW else TIMES):  # one at random answers otherwise
                if self.player.ask(board).number != self.answers[board][0].number:
                    return None
        for _, board in blunders:
            self.player.afresh()
            answer = self.player.ask(board)
            if answer.kind != "square" or lowers(board, answer.number):
                return None
        self.player.afresh()
        return len(blunders) or None

    def _ask_again(self) -> None:
        """Ask again wherever another answer may come, as often on every machine."""
        while waiting := [one for one in sorted(self.answers) if self._is_due(one)]:
            for position in waiting:
                if self.player.given_up:
                    return
                self._note(position, self._ask(position, self._times(position)))

    def _is_due(self, position: Position) -> bool:
        """Say whether a board is to be asked again, as none is that timed out."""
        answers = self.answers[position]
        return answers[0].kind != "timeouts" and len(answers) < self._times(position)

    def _times(self, position: Position) -> int:
        """Return how often a board is to be asked in all.

        A Python file is asked each time with another seed where a random number was drawn. Of a
        command nobody can say, so openings, which many programs choose at random, are asked again,
        and everything is once two answers differ.
        """
        free, is_random = 9 - position.ply, self.answers[position][0].is_random
        if is_random is None and (self.random or position.ply < 2):
            return EARLY
        if is_random:
            return TIMES if free <= LATE else EARLY
        return 1 + (free <= LAST)

    def _note(self, position: Position, answers: Sequence[Response]) -> None:
        """Note whether answers differ, and reach what they lead to."""
        # A time-out is no other answer.
        given = {answer[:2] for answer in answers if answer.kind != "timeouts"}
        self.random |= len(given) > 1
        if position in self.reached:
            self._reach(replies(position, answers))


@cache
def lost_with_a_choice() -> tuple[Position, ...]:
    """Return each lost position where moves lose on different turns.

    >>> len(lost_with_a_choice())
    116
    """
    found = []
    for position in reachable_positions():
        scores = set(analyze(position).values())
        if len(scores) > 1 and max(scores) < 0:
            found.append(position)
    return tuple(found)


def replies(position: Position, answers: Iterable[Response]) -> Iterator[Position]:
    """Yield each position the player has to decide after an answer and a reply."""
    for square in legal(answers):
        for reply in position.play(square).children().values():
            if not reply.outcome():
                yield reply


def legal(answers: Iterable[Response]) -> tuple[Square, ...]:
    """Return the legal moves among answers, in square order."""
    return tuple(sorted({answer.number for answer in answers if answer.kind == "square"}))


def lowers(position: Position, square: Square) -> bool:
    """Say whether a move turns a win into less, or a draw into a loss."""
    return sign(analyze(position)[square]) < sign(score(position))
