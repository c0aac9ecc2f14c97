"""What a program is asked, and what comes of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from statistics import median
from time import monotonic
from typing import Any, NamedTuple

from engine.notation import to_digits
from engine.position import OTHER, Mark, Position, Square
from engine.search import analyse
from engine.symmetry import reachable
from teach.check.ask import Answer, Player
from teach.check.ways import plays_as

TROUBLES = {"illegal": "illegal answers", "errors": "errors", "timeouts": "time-outs"}
FAULTS = {
    "missed_wins": "missed wins (from won to not won)",
    "slow_wins": "slow wins (won later than could be)",
    "lost_draws": "lost draws (from drawn to lost)",
    "early_losses": "early losses (lost sooner than need be)",
}
AGAIN = 2.0  # seconds to ask again in
TIMES = 10  # that a board is asked where answers differ


class Exam:
    """Ask a player for every move as these marks, and keep the answers to each position.

    `reached` holds the positions that the player's games come to; `random` says that two answers to
    a position differ.
    """

    def __init__(self, player: Player, marks: Sequence[Mark]) -> None:
        """Ask everything. Raises NoStart if the player never ran."""
        self.player, self.marks, self.random = player, marks, False
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
                if not self.random and differ(answers):
                    self.random, done = True, {position}
                    self._ask(position, TIMES)
                if position in self.reached:
                    self._reach(replies(position, answers))


def lost_with_a_choice() -> Iterator[Position]:
    """Yield each lost position where moves lose on different turns.

    >>> len(list(lost_with_a_choice()))
    116
    """
    for position in reachable():
        scores = set(analyse(position).values())
        if len(scores) > 1 and max(scores) < 0:
            yield position


def replies(position: Position, answers: Iterable[Answer]) -> Iterator[Position]:
    """Yield each position the player has to decide after an answer and a reply."""
    for square in squares(answers):
        for reply in position.play(square).children().values():
            if not reply.outcome():
                yield reply


def squares(answers: Iterable[Answer]) -> list[Square]:
    """Return the legal moves among answers, in square order."""
    return sorted({a.number for a in answers if a.kind == "square" and a.number is not None})


def differ(answers: Iterable[Answer]) -> bool:
    """Say whether there are two answers; a time-out is none."""
    return len({answer[:2] for answer in answers if answer.kind != "timeouts"}) > 1


class Games(NamedTuple):
    """Count games by how they end; those stop in which no legal move comes.

    `shortest` holds the moves of the shortest lost game, of equals the first in square order.
    """

    won: int
    drawn: int
    lost: int
    stopped: int
    shortest: tuple[Square, ...] | None


def judge(exam: Exam) -> dict[str, Any]:
    """Return all there is to tell, as JSON holds it; times are seconds."""
    *ends, shortest = added(games_of(mark, exam) for mark in exam.marks)
    answered = [(position, a) for position, answers in exam.answers.items() for a in answers]
    moves = [(p, square) for p, answers in exam.answers.items() for square in squares(answers)]
    faults = [(fault, p, square) for p, square in moves if (fault := fault_of(p, square))]
    # An answer that was repeated is told once.
    troubles = {(p, a.kind, a.number): a.came for p, a in answered if a.kind != "square"}
    names = [] if exam.random or troubles else plays_as(dict(moves))
    asked = len(exam.reached & exam.answers.keys())
    times = [a.seconds for _, a in answered]
    return {
        **dict(zip(("won", "drawn", "lost", "stopped"), ends, strict=True)),
        **{key: sum(kind == key for _, kind, _ in troubles) for key in TROUBLES},
        **{key: sum(fault == key for fault, _, _ in faults) for key in FAULTS},
        "asked": asked,
        "asked_beside": len(exam.answers) - asked,
        "seconds": sum(times),
        "median_seconds": median(times),
        "longest_seconds": max(times),
        "random": exam.random,
        "counts_from_1": counts_from_1(answered),
        "started_anew": exam.player.anew,
        "given_up": exam.player.given_up,
        "shortest_loss": shortest and to_digits(shortest),
        "plays_as": [{"name": name, "agree": asked, "of": asked} for name in names],
        "troubles": [
            {"kind": kind, "board": str(p), "came": came} for (p, kind, _), came in troubles.items()
        ],
        "faults": [{"kind": fault, "board": str(p), "square": s} for fault, p, s in faults],
    }


def games_of(mark: Mark, exam: Exam) -> Games:
    """Count the games of a program as `mark`, against every reply; all its answers are played."""

    @cache
    def after(position: Position) -> Games:
        if outcome := position.outcome():
            won, lost = outcome.winner == mark, outcome.winner == OTHER[mark]
            return Games(won, not (won or lost), lost, 0, () if lost else None)
        if position.turn != mark:
            return added(earlier(move, after(child)) for move, child in position.children().items())
        answers = exam.answers.get(position, [])
        found = [earlier(move, after(position.play(move))) for move in squares(answers)]
        stops = not found or any(answer.kind != "square" for answer in answers)
        return added([*found, Games(0, 0, 0, stops, None)])

    return after(Position())


def earlier(move: Square, games: Games) -> Games:
    """Return games as they count with a move before them."""
    shortest = None if games.shortest is None else (move, *games.shortest)
    return games._replace(shortest=shortest)


def added(games: Iterable[Games]) -> Games:
    """Return the games all together."""
    won, drawn, lost, stopped, shortest = zip(*games, strict=True)
    found = [moves for moves in shortest if moves is not None]
    first = min(found, key=len, default=None)
    return Games(sum(won), sum(drawn), sum(lost), sum(stopped), first)


def fault_of(position: Position, square: Square) -> str | None:
    """Name what is wrong with a move, None if no other scores higher.

    >>> fault_of(Position.parse("XX-OO----"), 8)
    'missed_wins'
    """
    scores = analyse(position)
    best, value = max(scores.values()), scores[square]
    if value == best:
        return None
    if best > 0:
        return "slow_wins" if value > 0 else "missed_wins"
    return "early_losses" if best < 0 else "lost_draws"


def counts_from_1(answered: Iterable[tuple[Position, Answer]]) -> bool:
    """Say whether an answer is illegal, and each less one would be legal."""
    given = {(position, answer.kind, answer.number) for position, answer in answered}
    return any(kind == "illegal" for _, kind, _ in given) and all(
        number is not None and number - 1 in position.legal_moves() for position, _, number in given
    )
