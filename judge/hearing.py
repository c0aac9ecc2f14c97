"""Ask a program about every board its games reach, and again if its answer may change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from engine.position import Mark, Position, Square
from engine.search import analyze, score, sign
from engine.symmetry import reachable_positions
from judge.players import Player, Response

RANDOM_REPEATS = 10  # times to ask about a board if answers are random
SLOW_REPEATS = 3  # times to ask a command, or about a board where random answers may take long
MAX_FREE_FOR_RANDOM_REPEATS = 6  # free squares; up to here, random answers get RANDOM_REPEATS
MAX_FREE_TO_ASK_TWICE = 4  # free squares; up to here, a player is asked twice about each board
MAX_RECHECKED_BOARDS = 12  # boards with a blunder to ask about again in new processes
MAX_CHANCE_BLUNDERS = 4  # on this many or fewer, random answers may be right by chance


class Hearing:
    """A player's answers on every board its games reach, and on lost boards with a choice."""

    def __init__(
        self, player: Player, marks: Sequence[Mark], show_count: Callable[[int], None]
    ) -> None:
        """Ask the player, and show how many boards it has been asked about.

        Raises UntestableError if the program cannot be tested.
        """
        self.player, self.marks = player, marks
        self._show_count = show_count
        self.answers: dict[Position, list[Response]] = {}
        self.answers_vary = False  # whether two answers on one board differed
        self.reached: set[Position] = set()  # by the player's games
        first_positions = (Position(), *Position().children().values())
        self._reach(position for position in first_positions if position.turn in marks)
        for position in lost_with_a_choice():
            if position.turn in marks:
                self._ask(position)
        self.carry_over_count = self._ask_in_new_processes()
        if self.carry_over_count is None:
            self._ask_again()

    def _reach(self, positions: Iterable[Position]) -> None:
        """Ask about these positions and all that follow from the answers and every reply."""
        queue = list(positions)
        for position in queue:
            if position not in self.reached:
                self.reached.add(position)
                queue += positions_after(position, self._ask(position))

    def _ask(self, position: Position, count: int = 1) -> list[Response]:
        """Ask about a board until there are `count` answers or asking has stopped; return them."""
        answers = self.answers.get(position, [])
        while len(answers) < count and not self.player.stop_reason:
            answers.append(self.player.ask(position))
            self.answers[position] = answers
            self._show_count(len(self.answers))
        return answers

    def _ask_in_new_processes(self) -> int | None:
        """Ask again about boards where the first answer gave away a win or a draw.

        If the same process repeats its answers but new ones are right on every board, return the
        number of boards: the program carries something over from board to board. Otherwise return
        None.
        """
        blunders = [
            board
            for board, answers in self.answers.items()
            if answers[0].kind == "square" and is_blunder(board, answers[0].number)
        ]
        # Programs answer the fullest boards fastest.
        boards = sorted(blunders, key=lambda board: (-board.ply, board))[:MAX_RECHECKED_BOARDS]
        if any(self.answers[board][0].is_random for board in boards):
            return None
        for board in boards:
            if self.player.ask(board).number != self.answers[board][0].number:
                return None
        # A few random answers may be right by chance, so if there are only a few boards, the
        # program is asked about each several times. Most programs are wrong again the first time.
        for _ in range(1 if len(boards) > MAX_CHANCE_BLUNDERS else RANDOM_REPEATS):
            for board in boards:
                self.player.restart()
                answer = self.player.ask(board)
                if answer.kind != "square" or is_blunder(board, answer.number):
                    return None
        self.player.restart()
        return len(boards) or None

    def _ask_again(self) -> None:
        """Ask again wherever the answer may change, the same number of times on every machine."""
        while due_positions := [board for board in sorted(self.answers) if self._is_due(board)]:
            for position in due_positions:
                if self.player.stop_reason:
                    return
                self._record(position, self._ask(position, self._wanted_count(position)))

    def _is_due(self, position: Position) -> bool:
        """Return whether to ask about a board again; never if its first answer timed out."""
        answers = self.answers[position]
        return answers[0].kind != "timeouts" and len(answers) < self._wanted_count(position)

    def _wanted_count(self, position: Position) -> int:
        """Return how many answers there should be on a board.

        A Python file that drew a random number is asked again with other seeds. A command may draw
        one unseen, so it is asked again on openings, which many programs choose at random, and on
        every board once two answers differ.
        """
        free_count, is_random = 9 - position.ply, self.answers[position][0].is_random
        if is_random is None and (self.answers_vary or position.ply < 2):
            return SLOW_REPEATS
        if is_random:
            return RANDOM_REPEATS if free_count <= MAX_FREE_FOR_RANDOM_REPEATS else SLOW_REPEATS
        return 2 if free_count <= MAX_FREE_TO_ASK_TWICE else 1

    def _record(self, position: Position, answers: Sequence[Response]) -> None:
        """Record whether answers differ, and ask about the positions they lead to."""
        # A timeout does not count as a different answer.
        distinct = {(answer.kind, answer.number) for answer in answers if answer.kind != "timeouts"}
        self.answers_vary |= len(distinct) > 1
        if position in self.reached:
            self._reach(positions_after(position, answers))


@cache
def lost_with_a_choice() -> tuple[Position, ...]:
    """Return the lost positions in which some moves lose later than others.

    >>> len(lost_with_a_choice())
    116
    """
    positions = []
    for position in reachable_positions():
        scores = set(analyze(position).values())
        if len(scores) > 1 and max(scores) < 0:
            positions.append(position)
    return tuple(positions)


def positions_after(position: Position, answers: Iterable[Response]) -> Iterator[Position]:
    """Yield each position the player faces after an answer and a reply."""
    for square in legal_squares(answers):
        for reply in position.play(square).children().values():
            if not reply.outcome():
                yield reply


def legal_squares(answers: Iterable[Response]) -> tuple[Square, ...]:
    """Return the legal moves among answers, in square order."""
    return tuple(sorted({answer.number for answer in answers if answer.kind == "square"}))


def is_blunder(position: Position, square: Square) -> bool:
    """Return whether a move turns a win into a draw or a loss, or a draw into a loss."""
    return sign(analyze(position)[square]) < sign(score(position))
