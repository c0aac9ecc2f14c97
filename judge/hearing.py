"""Ask a program about every board its games reach, and again if its answer may change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from engine.position import Mark, Position, Square
from engine.search import analyze, score, sign
from engine.symmetry import reachable_positions
from judge.players import Player, Response

RANDOM_REPEATS = 10  # times to ask about a board if answers are random
# Times to ask on boards with many free squares, where answers take longest; also times to ask a
# command, which may be slow on every board.
EARLY_REPEATS = 3
MAX_FREE_FOR_RANDOM_REPEATS = 6  # free squares; up to here, random answers get RANDOM_REPEATS
MAX_FREE_TO_ASK_TWICE = 4  # free squares; up to here, a player is asked twice about each board
MAX_RECHECKED_BOARDS = 12  # blunders to ask about again in new processes
MAX_CHANCE_BLUNDERS = 4  # on this many or fewer, random answers may be right by chance


class Hearing:
    """A player's answers on every board its games reach, and on lost boards with a choice.

    `answers_vary` says whether two answers on one board differed.
    """

    def __init__(self, player: Player, marks: Sequence[Mark], show: Callable[[int], None]) -> None:
        """Ask the player, and show how many boards it has been asked about.

        Raises UntestableError if the program cannot be tested.
        """
        self.player, self.marks, self.answers_vary = player, marks, False
        self._show = show
        self.answers: dict[Position, list[Response]] = {}
        self.reached: set[Position] = set()  # by the player's games
        starts = (Position(), *Position().children().values())
        self._reach(position for position in starts if position.turn in marks)
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

    def _ask(self, position: Position, times: int = 1) -> list[Response]:
        """Return the answers on a board; ask until there are `times`, unless asking has stopped."""
        answers = self.answers.get(position, [])
        while len(answers) < times and not self.player.stop_reason:
            answers.append(self.player.ask(position))
            self.answers[position] = answers
            self._show(len(self.answers))
        return answers

    def _ask_in_new_processes(self) -> int | None:
        """Ask again about boards where the first answer gave away a win or a draw.

        If the same process repeats its answers but new ones are right on every board, return the
        number of boards: the program carries something over from board to board. Otherwise return
        None.
        """
        blunders = sorted(
            (-board.ply, board)
            for board, answers in self.answers.items()
            if answers[0].kind == "square" and is_blunder(board, answers[0].number)
        )[:MAX_RECHECKED_BOARDS]
        if any(self.answers[board][0].is_random for _, board in blunders):
            return None
        for _, board in blunders:
            if self.player.ask(board).number != self.answers[board][0].number:
                return None
        # A few random answers may be right by chance, so if there are only a few boards, the
        # program is asked about each several times. Most programs are wrong again the first time.
        for _ in range(1 if len(blunders) > MAX_CHANCE_BLUNDERS else RANDOM_REPEATS):
            for _, board in blunders:
                self.player.restart()
                answer = self.player.ask(board)
                if answer.kind != "square" or is_blunder(board, answer.number):
                    return None
        self.player.restart()
        return len(blunders) or None

    def _ask_again(self) -> None:
        """Ask again wherever the answer may change, the same number of times on every machine."""
        while due_positions := [board for board in sorted(self.answers) if self._is_due(board)]:
            for position in due_positions:
                if self.player.stop_reason:
                    return
                self._record(position, self._ask(position, self._times(position)))

    def _is_due(self, position: Position) -> bool:
        """Return whether to ask about a board again; never if its first answer timed out."""
        answers = self.answers[position]
        return answers[0].kind != "timeouts" and len(answers) < self._times(position)

    def _times(self, position: Position) -> int:
        """Return how often to ask about a board in total.

        A Python file that drew a random number is asked again with other seeds. A command may draw
        one unseen, so it is asked again on openings, which many programs choose at random, and on
        every board once two answers differ.
        """
        free, is_random = 9 - position.ply, self.answers[position][0].is_random
        if is_random is None and (self.answers_vary or position.ply < 2):
            return EARLY_REPEATS
        if is_random:
            return RANDOM_REPEATS if free <= MAX_FREE_FOR_RANDOM_REPEATS else EARLY_REPEATS
        return 1 + (free <= MAX_FREE_TO_ASK_TWICE)

    def _record(self, position: Position, answers: Sequence[Response]) -> None:
        """Record whether answers differ, and ask about the positions they lead to."""
        # A timeout does not count as a different answer.
        given = {(answer.kind, answer.number) for answer in answers if answer.kind != "timeouts"}
        self.answers_vary |= len(given) > 1
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
