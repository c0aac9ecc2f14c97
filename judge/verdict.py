"""The verdict on a program's answers: how all its games end, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from statistics import median
from typing import Any

from engine.position import Mark, Position, Square
from engine.review import Judgment, judge_move
from engine.search import analyze, argmax
from judge import functions, words
from judge.hearing import Hearing, is_blunder, legal_squares
from judge.lines import Fact
from judge.mistakes import LATER_WIN
from judge.observations import observations, takes_first_free
from judge.players import Player
from judge.ways import SquareOrder, boards_with_a_choice, delays_wins, explaining_mistakes
from judge.words import FAULTS, TROUBLES

UNPLAYABLE_SHARE = 10  # if more than one board in this many gets no legal move, games show nothing
FACTS_ON_FORMAT = {"scores", "always", "read as places", "read as pairs"}
ENDS = ("won", "drawn", "lost", "stopped")
FAULT_OF: dict[Judgment, str] = {
    "gave the win away": "missed_wins",
    "slower win": "slow_wins",
    "gave the draw away": "lost_draws",
    "quicker loss": "early_losses",
}


def judge(hearing: Hearing, findings: functions.Findings) -> dict[str, Any]:
    """Return the whole report as a dictionary that JSON can hold; times are in seconds."""
    player, order = hearing.player, findings.order
    answers = [
        (board, answer) for board, responses in hearing.answers.items() for answer in responses
    ]
    distinct = {(board, answer.kind, answer.number): answer.problem for board, answer in answers}
    faults = [
        (
            kind,
            str(board),
            words.fact_text(fact) if kind in TROUBLES else move_and_best_moves(board, number),
        )
        for (board, answered, number), fact in distinct.items()
        if (kind := FAULT_OF.get(judge_move(board, number)) if answered == "square" else answered)
    ]
    counts = Counter(kind for kind, *_ in faults)
    ends_by_mark = {mark: game_ends(mark, hearing) for mark in hearing.marks}
    losses = [shortest for _, shortest in ends_by_mark.values() if shortest]
    reached_count = len(hearing.reached & hearing.answers.keys())
    times = [answer.seconds for _, answer in answers] or [0.0]
    troubled = {
        board: answer.problem for board, answer in reversed(answers) if answer.kind != "square"
    }
    has_other_cause = (
        bool(troubled)
        or hearing.carry_over_count is not None
        or bool(findings.wrong)
        or any(answer.changed_board for _, answer in answers)
        or bool([*player.notes()])
        or takes_first_free([(board, answer.number) for board, answer in answers])
        or not player.may_search()  # mistakes of a search are named only if there may be one
    )
    ways = [] if has_other_cause else explanations(hearing, hearing.marks, order)
    facts = observations(hearing)
    report: dict[str, Any] = {
        "called": words.how_called(player.call) if player.call.get("kind") == "tried" else "",
        "plays_one": len(player.sides) == 1 and not player.settings.mark,
        "loaded": dict(player.loaded),
        "unwritten": unwritten(player, troubled),
        "right": list(findings.right),
        "wrong": [words.wrong_function_texts(wrong._asdict()) for wrong in findings.wrong],
        "accepts": findings.accepted_action,
        "lines": player.lines([wrong.name for wrong in findings.wrong]),
        **{end: sum(ends[end] for ends, _ in ends_by_mark.values()) for end in ENDS},
        **{kind: counts[kind] for kind in (*TROUBLES, *FAULTS)},
        "boards": len(hearing.answers),
        "asked": reached_count,
        "asked_unreached": len(hearing.answers) - reached_count,
        "troubled": len(troubled),
        "unplayable": UNPLAYABLE_SHARE * len(troubled) > len(hearing.answers),
        "seconds": sum(times),
        "median_seconds": median(times),
        "longest_seconds": max(times),
        "random": hearing.answers_vary,
        "counts_from_1": counts["illegal"] > 0
        and all(
            number - 1 in board.legal_moves()
            for board, kind, number in distinct
            if kind not in ("errors", "timeouts")
        ),
        "has_extra_answers": player.has_extra_answers,
        "restarted": words.fact_text(player.restart_reason) if player.restart_reason else "",
        "given_up": words.fact_text(player.stop_reason) if player.stop_reason else "",
        "lacks": list(player.lacks),
        "shortest_loss": min(losses, key=len, default=None),
        "plays_as": ways,
        "compared_with_ways": not has_other_cause,
        "sides": {
            mark: {end: ends[end] for end in ENDS}
            | {"plays_as": [] if ways or has_other_cause else explanations(hearing, [mark], order)}
            for mark, (ends, _) in ends_by_mark.items()
        },
        "seen": [words.fact_text(fact) for fact in facts],
        "found": [dict(zip(("kind", "board", "answer"), fault, strict=True)) for fault in faults],
    }
    return report | {"cause": cause(report, facts, troubled)}


def unwritten(player: Player, troubled: Mapping[Position, Fact]) -> list[str]:
    """Return the functions that are missing or not written yet."""
    names = [*player.unwritten]
    for kind, *values in troubled.values():
        if kind == "raised" and str(values[0]).startswith("NotImplementedError"):
            name = player.raising_function(str(values[0]))
            names += [name] * (name not in names)
    return names


def cause(
    report: Mapping[str, Any], facts: Sequence[Fact], troubled: Mapping[Position, Fact]
) -> str:
    """Return the first thing that is wrong, in a few words, or "" if it has no name."""
    for wrong in report["wrong"]:
        line = report["lines"].get(wrong["name"])
        return f"{wrong['name']}{f' (line {line})' if line else ''} is wrong"
    if report["counts_from_1"]:
        return "it numbers squares from 1, not 0"
    if report["unplayable"] or (troubled and not report["lost"]):
        causes = (words.cause_text(fact) for fact in facts if fact[0] in FACTS_ON_FORMAT)
        return next(causes, "") or words.fact_text([*troubled.values()][-1])
    sides = (report, *report["sides"].values())
    mistakes = [way["name"] for side in sides for way in side["plays_as"]]
    if report["lost"] and mistakes:
        first_line = [*report["lines"].items()][:1]
        where = "".join(f" ({name}, line {line})" for name, line in first_line)
        return "; or ".join(dict.fromkeys(mistakes)) + where
    return next(filter(None, map(words.cause_text, facts)), "") if report["lost"] else ""


def explanations(
    hearing: Hearing, marks: Sequence[Mark], order: SquareOrder
) -> list[dict[str, Any]]:
    """Return the mistakes that explain how the player plays as these marks; empty if none."""
    answers = {
        board: sorted({answer.number for answer in responses})
        for board, responses in hearing.answers.items()
        if board.turn in marks
    }
    moves = [(board, square) for board, squares in answers.items() for square in squares]
    names: Iterable[str] = ()
    if any(is_blunder(board, square) for board, square in moves):
        names = explaining_mistakes(answers, order)
    elif any(judge_move(board, square) == "slower win" for board, square in moves):
        names = [LATER_WIN.name] * delays_wins(answers)
    return [{"name": name, "of": len(boards_with_a_choice(answers))} for name in names]


def move_and_best_moves(position: Position, square: Square) -> str:
    """Return a move and the moves that score highest, as text."""
    return words.move_and_best_moves(square, argmax(analyze(position)))


def game_ends(mark: Mark, hearing: Hearing) -> tuple[Counter[str], str | None]:
    """Return how the games as `mark` end, and the moves of the shortest loss or None.

    Every reply and every answer is played; a game stops if an answer is not a legal move. Of
    equally short losses the first in square order is returned.
    """

    @cache
    def ends_from(position: Position) -> tuple[Counter[str], str | None]:
        """Return how the games from a position on end, and the shortest loss or None."""
        if outcome := position.outcome():
            end = {mark: "won", None: "drawn"}.get(outcome.winner, "lost")
            return Counter([end]), "" if end == "lost" else None
        ends, losses = Counter[str](), []
        squares = position.legal_moves()
        if position.turn == mark:
            answers = hearing.answers.get(position, [])
            ends["stopped"] += {answer.kind for answer in answers} != {"square"}
            squares = legal_squares(answers)
        for square in squares:
            child_ends, moves = ends_from(position.play(square))
            ends += child_ends
            losses += [] if moves is None else [f"{square}{moves}"]
        return ends, min(losses, key=len, default=None)

    return ends_from(Position())
