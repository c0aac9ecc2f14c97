"""What a program is asked, and what comes of the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from statistics import median
from time import monotonic
from typing import Any

from engine.position import SQUARE_NAMES, Mark, Position, Square
from engine.review import Judgement, judged
from engine.search import analyse, highest
from engine.symmetry import reachable
from teach.check.ask import Answer, Player
from teach.check.ways import plays_as

AGAIN = 2.0  # seconds to ask again in
TIMES = 10  # that a board is asked where answers differ

ENDS = ("won", "drawn", "lost", "stopped")
TROUBLES = {"illegal": "Illegal answers", "errors": "Errors", "timeouts": "Time-outs"}
FAULTS = {
    "missed_wins": "Missed wins (from won to not won)",
    "slow_wins": "Slow wins (won later than could be)",
    "lost_draws": "Lost draws (from drawn to lost)",
    "early_losses": "Early losses (in lost positions, met or not: sooner than need be)",
}

FAULT_OF: dict[Judgement, str] = {
    "lost the win": "missed_wins",
    "slower win": "slow_wins",
    "lost the draw": "lost_draws",
    "quicker loss": "early_losses",
}


class Exam:
    """Ask a player for every move as these marks, and keep the answers to each position.

    `reached` holds the positions that the player's games come to; `random` says that two answers to
    a position differ.
    """

    def __init__(self, player: Player, marks: Sequence[Mark], tell: Callable[[int], None]) -> None:
        """Ask everything, and tell the positions asked so far. Raises NoStart if it never ran."""
        self.player, self.marks, self.random = player, marks, False
        self._tell = tell
        self.answers: dict[Position, list[Answer]] = {}
        self.reached: set[Position] = set()
        starts = (Position(), *Position().children().values())
        self._reach(position for position in starts if position.turn in marks)
        for position in lost_with_a_choice():
            if position.turn in marks:
                self._ask(position)
        self._ask_again()

    def _reach(self, positions: Iterable[Position]) -> None:
        """Ask in these positions and in all that the answers lead to, against every reply."""
        met = list(positions)
        for position in met:
            if position not in self.reached:
                self.reached.add(position)
                met += replies(position, self._ask(position))

    def _ask(self, position: Position, times: int = 1) -> list[Answer]:
        """Ask until there are so many answers, or the player is given up; return the answers."""
        answers = self.answers.get(position, [])
        while len(answers) < times and not self.player.given_up:
            answers.append(self.player.ask(position))
            self.answers[position] = answers
            self._tell(len(self.answers))
        return answers

    def _ask_again(self) -> None:
        """Ask each position again, the quickest first, for 2 seconds at most.

        Where an answer differs, and from then on everywhere, ask ten times.
        """
        end, done = monotonic() + AGAIN, set[Position]()
        while waiting := sorted(
            (answers[0].seconds, position)
            for position, answers in self.answers.items()
            if position not in done and answers[0].kind != "timeouts"
        ):
            for seconds, position in waiting:
                if self.player.given_up or monotonic() + seconds > end:
                    return
                done.add(position)
                answers = self._ask(position, TIMES if self.random else 2)
                # A time-out is no other answer.
                given = {answer[:2] for answer in answers if answer.kind != "timeouts"}
                if not self.random and len(given) > 1:
                    self.random, done = True, {position}
                    self._ask(position, TIMES)
                if position in self.reached:
                    self._reach(replies(position, answers))


@cache
def lost_with_a_choice() -> tuple[Position, ...]:
    """Return each lost position where moves lose on different turns.

    >>> len(lost_with_a_choice())
    116
    """
    found = []
    for position in reachable():
        scores = set(analyse(position).values())
        if len(scores) > 1 and max(scores) < 0:
            found.append(position)
    return tuple(found)


def replies(position: Position, answers: Iterable[Answer]) -> Iterator[Position]:
    """Yield each position the player has to decide after an answer and a reply."""
    for square in legal(answers):
        for reply in position.play(square).children().values():
            if not reply.outcome():
                yield reply


def legal(answers: Iterable[Answer]) -> tuple[Square, ...]:
    """Return the legal moves among answers, in square order."""
    return tuple(sorted({answer.number for answer in answers if answer.kind == "square"}))


def judge(exam: Exam) -> dict[str, Any]:
    """Return all there is to tell, as JSON holds it; times are seconds."""
    answers = [(board, answer) for board, given in exam.answers.items() for answer in given]
    once = {(board, *answer[:2]): answer.came for board, answer in answers}
    found = [
        (kind, str(board), came if kind in TROUBLES else better(board, number))
        for (board, answered, number), came in once.items()
        if (kind := FAULT_OF.get(judged(board, number)) if answered == "square" else answered)
    ]
    counts = Counter(kind for kind, *_ in found)
    played = {mark: games(mark, exam) for mark in exam.marks}
    lost = [shortest for _, shortest in played.values() if shortest]
    ways = known_ways(exam, exam.marks)
    asked = len(exam.reached & exam.answers.keys())
    times = [answer.seconds for _, answer in answers]
    return {
        **{end: sum(ends[end] for ends, _ in played.values()) for end in ENDS},
        **{kind: counts[kind] for kind in (*TROUBLES, *FAULTS)},
        "asked": asked,
        "asked_beside": len(exam.answers) - asked,
        "seconds": sum(times),
        "median_seconds": median(times),
        "longest_seconds": max(times),
        "random": exam.random,
        "counts_from_1": counts["illegal"] > 0
        and all(
            number - 1 in board.legal_moves()
            for board, kind, number in once
            if kind not in ("errors", "timeouts")
        ),
        "says_more": exam.player.says_more,
        "started_anew": exam.player.anew,
        "given_up": exam.player.given_up,
        "shortest_loss": min(lost, key=len, default=None),
        "plays_as": ways,
        "sides": {
            mark: {end: ends[end] for end in ENDS}
            | {"plays_as": [] if ways else known_ways(exam, [mark])}
            for mark, (ends, _) in played.items()
        },
        "found": [dict(zip(("kind", "board", "came"), each, strict=True)) for each in found],
    }


def known_ways(exam: Exam, marks: Sequence[Mark]) -> list[dict[str, Any]]:
    """Name the ways in which the player plays as these marks, with the positions of its games.

    Return none if an answer there is no legal move, or if the player is random.
    """
    given = {board: answers for board, answers in exam.answers.items() if board.turn in marks}
    kinds = {answer.kind for answers in given.values() for answer in answers}
    if exam.random or kinds != {"square"}:
        return []
    names = plays_as({board: answers[0].number for board, answers in given.items()})
    asked = len(exam.reached & given.keys())
    return [{"name": name, "agree": asked, "of": asked} for name in names]


def better(position: Position, square: Square) -> str:
    """Return a move and those that score highest.

    >>> better(Position.parse("XX-OO----"), 8)
    'bottom right (8); better: top right (2)'
    """
    best = ", ".join(map(named, highest(analyse(position))))
    return f"{named(square)}; better: {best}"


def named(square: Square) -> str:
    """Return a square by name and number."""
    return f"{SQUARE_NAMES[square]} ({square})"


def games(mark: Mark, exam: Exam) -> tuple[Counter[str], str | None]:
    """Count the games as `mark` by how they end, and return the moves of the shortest lost, if any.

    All replies and all answers are played; a game stops where no legal move comes. Of games as
    short the first in square order is returned.
    """

    @cache
    def below(position: Position) -> tuple[Counter[str], str | None]:
        """Return the same of the games that go on from a position."""
        if outcome := position.outcome():
            end = {mark: "won", None: "drawn"}.get(outcome.winner, "lost")
            return Counter([end]), "" if end == "lost" else None
        ends, lost = Counter[str](), []
        squares = position.legal_moves()
        if position.turn == mark:
            answers = exam.answers.get(position, [])
            ends["stopped"] += {answer.kind for answer in answers} != {"square"}
            squares = legal(answers)
        for square in squares:
            more, moves = below(position.play(square))
            ends += more
            lost += [] if moves is None else [f"{square}{moves}"]
        return ends, min(lost, key=len, default=None)

    return below(Position())
