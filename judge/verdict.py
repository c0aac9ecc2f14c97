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
from judge.players import Player, Response
from judge.ways import SquareOrder, boards_with_a_choice, delays_wins, explaining_mistakes
from judge.words import GAME_RESULTS, MOVE_FAULTS, TROUBLES

# A program without a legal move on more than one board in this many is unplayable: its games would
# show nothing.
UNPLAYABLE_ONE_IN = 10
# The facts on how answers are read.
FACTS_ON_FORMAT = {"scores", "always", "read as indices", "read as pairs"}
ENDS = (*GAME_RESULTS, "stopped")
MOVE_FAULT_BY_JUDGMENT: dict[Judgment, str] = {
    "gave the win away": "missed_wins",
    "slower win": "slow_wins",
    "gave the draw away": "lost_draws",
    "quicker loss": "early_losses",
}

Answers = Sequence[tuple[Position, Response]]  # each answer, with its board
Problems = Mapping[Position, Fact]  # what went wrong on each board that got no legal move


def judge(hearing: Hearing, findings: functions.Findings) -> dict[str, Any]:
    """Return the whole report as a dictionary that JSON can hold; times are in seconds."""
    answers = [
        (board, answer) for board, responses in hearing.answers.items() for answer in responses
    ]
    # Reversed, so that of several problems on a board the first is kept. The first board is last.
    problems = {
        board: answer.problem for board, answer in reversed(answers) if answer.kind != "square"
    }
    faults = find_faults(answers)
    fault_counts = Counter(fault["kind"] for fault in faults)
    ends_by_mark = {mark: game_ends(mark, hearing) for mark in hearing.marks}
    losses = [shortest for _, shortest in ends_by_mark.values() if shortest]
    facts = observations(hearing)
    report: dict[str, Any] = {
        **program_report(hearing.player, findings, problems),
        **{end: sum(ends[end] for ends, _ in ends_by_mark.values()) for end in ENDS},
        **{kind: fault_counts[kind] for kind in (*TROUBLES, *MOVE_FAULTS)},
        **answer_report(hearing, answers, problems),
        "shortest_loss": min(losses, key=len, default=None),
        **mistake_report(
            hearing,
            {mark: ends for mark, (ends, _) in ends_by_mark.items()},
            findings.order,
            is_explained_otherwise=has_other_cause(hearing, findings, answers),
        ),
        "seen": [words.fact_text(fact) for fact in facts],
        "found": faults,
    }
    return report | {"cause": cause(report, facts, problems)}


def find_faults(answers: Answers) -> list[dict[str, str]]:
    """Return the answers that are not legal moves or could be better, each once for its board."""
    distinct = {(board, answer.kind, answer.number): answer.problem for board, answer in answers}
    faults = []
    for (board, answer_kind, number), problem in distinct.items():
        if answer_kind != "square":
            kind, text = str(answer_kind), words.fact_text(problem)
        elif fault_kind := MOVE_FAULT_BY_JUDGMENT.get(judge_move(board, number)):
            kind, text = fault_kind, move_and_best_moves(board, number)
        else:
            continue
        faults.append({"kind": kind, "board": str(board), "answer": text})
    return faults


def has_other_cause(hearing: Hearing, findings: functions.Findings, answers: Answers) -> bool:
    """Return whether anything but a mistake of the search may explain the answers."""
    player = hearing.player
    return (
        any(answer.kind != "square" or answer.changed_board for _, answer in answers)
        or hearing.carry_over_count is not None
        or bool(findings.wrong)
        or bool([*player.source_faults()])
        or takes_first_free([(board, answer.number) for board, answer in answers])
        or not player.may_search()
    )


def program_report(
    player: Player, findings: functions.Findings, problems: Problems
) -> dict[str, Any]:
    """Return the part of the report on how a program is called, and on its functions."""
    return {
        "called": words.call_sentence(player.call) if player.call.get("kind") == "tried" else "",
        "plays_one": len(player.sides) == 1 and not player.settings.mark,
        "loaded": dict(player.load_result),
        "unwritten": unwritten_functions(player, problems),
        "right": list(findings.right),
        "wrong": [words.wrong_function_texts(wrong._asdict()) for wrong in findings.wrong],
        "accepts": findings.accepted_action,
        "lines": player.function_lines([wrong.name for wrong in findings.wrong]),
    }


def answer_report(hearing: Hearing, answers: Answers, problems: Problems) -> dict[str, Any]:
    """Return the part of the report on how many boards were asked, and how a program answered."""
    player = hearing.player
    reached_count = len(hearing.reached & hearing.answers.keys())
    times = [answer.seconds for _, answer in answers] or [0.0]
    return {
        "boards": len(hearing.answers),
        "asked": reached_count,
        "asked_unreached": len(hearing.answers) - reached_count,
        "troubled": len(problems),
        "unplayable": UNPLAYABLE_ONE_IN * len(problems) > len(hearing.answers),
        "seconds": sum(times),
        "median_seconds": median(times),
        "longest_seconds": max(times),
        "random": hearing.answers_vary,
        "counts_from_1": counts_from_1(answers),
        "has_extra_answers": player.has_extra_answers,
        "restarted": words.fact_text(player.restart_reason) if player.restart_reason else "",
        "given_up": words.fact_text(player.stop_reason) if player.stop_reason else "",
        "lacks": list(player.missing_limits),
    }


def counts_from_1(answers: Answers) -> bool:
    """Return whether some numbers are illegal, but every number minus 1 is a legal move."""
    numbers = [
        (board, answer.number)
        for board, answer in answers
        if answer.kind not in ("errors", "timeouts")
    ]
    return any(answer.kind == "illegal" for _, answer in answers) and all(
        number - 1 in board.legal_moves() for board, number in numbers
    )


def mistake_report(
    hearing: Hearing,
    ends_by_mark: Mapping[Mark, Counter[str]],
    order: SquareOrder,
    *,
    is_explained_otherwise: bool,
) -> dict[str, Any]:
    """Return the part of the report on the mistakes that explain how a program plays.

    If no mistake explains both sides together, each side is explained by itself. Nothing is
    explained if the answers have another cause.
    """

    def plays_as(marks: Sequence[Mark]) -> list[dict[str, Any]]:
        return [] if is_explained_otherwise else explanations(hearing, marks, order)

    ways = plays_as(hearing.marks)
    return {
        "plays_as": ways,
        "compared_with_ways": not is_explained_otherwise,
        "sides": {
            mark: {end: ends[end] for end in ENDS} | {"plays_as": [] if ways else plays_as([mark])}
            for mark, ends in ends_by_mark.items()
        },
    }


def unwritten_functions(player: Player, problems: Problems) -> list[str]:
    """Return the functions that are missing, are stubs, or raise NotImplementedError."""
    names = [*player.unwritten_functions]
    for fact_name, *values in problems.values():
        if fact_name == "raised" and str(values[0]).startswith("NotImplementedError"):
            name = player.raising_function(str(values[0]))
            if name not in names:
                names.append(name)
    return names


def cause(report: Mapping[str, Any], facts: Sequence[Fact], problems: Problems) -> str:
    """Return the first thing that is wrong, in a few words, or "" if it has no name."""
    if report["wrong"]:
        name = report["wrong"][0]["name"]
        line = report["lines"].get(name)
        return f"{name} (line {line}) is wrong" if line else f"{name} is wrong"
    if report["counts_from_1"]:
        return "it numbers squares from 1, not 0"
    if report["unplayable"] or (problems and not report["lost"]):
        causes = (words.cause_text(fact) for fact in facts if fact[0] in FACTS_ON_FORMAT)
        return next(causes, "") or words.fact_text([*problems.values()][-1])
    sides = (report, *report["sides"].values())
    mistakes = [way["name"] for side in sides for way in side["plays_as"]]
    if report["lost"] and mistakes:
        text = "; or ".join(dict.fromkeys(mistakes))
        name, line = next(iter(report["lines"].items()), ("", 0))
        return f"{text} ({name}, line {line})" if name else text
    return next(filter(None, map(words.cause_text, facts)), "") if report["lost"] else ""


def explanations(
    hearing: Hearing, marks: Sequence[Mark], order: SquareOrder
) -> list[dict[str, Any]]:
    """Return the mistakes that explain how the player plays as these marks, if any.

    In each entry, `of` is the number of boards whose squares differ in their result.
    """
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
        names = [LATER_WIN.name] if delays_wins(answers) else []
    return [{"name": name, "of": len(boards_with_a_choice(answers))} for name in names]


def move_and_best_moves(position: Position, square: Square) -> str:
    """Return a move and the moves that score highest, as text."""
    return words.move_and_best_moves(square, argmax(analyze(position)))


def game_ends(mark: Mark, hearing: Hearing) -> tuple[Counter[str], str | None]:
    """Return how the games as `mark` end, and the moves of the shortest loss or None.

    Every reply and every answer is played; a game stops if an answer is not a legal move. Of
    equally short losses, the first in square order is returned.
    """

    @cache
    def ends_from(position: Position) -> tuple[Counter[str], str | None]:
        """Return how the games that go on from a position end, and the shortest loss or None."""
        if outcome := position.outcome():
            end = {mark: "won", None: "drawn"}.get(outcome.winner, "lost")
            return Counter([end]), "" if end == "lost" else None
        ends, losses = Counter[str](), list[str]()
        squares = position.legal_moves()
        if position.turn == mark:
            answers = hearing.answers.get(position, [])
            if {answer.kind for answer in answers} != {"square"}:
                ends["stopped"] += 1
            squares = legal_squares(answers)
        for square in squares:
            child_ends, moves = ends_from(position.play(square))
            ends += child_ends
            if moves is not None:
                losses.append(f"{square}{moves}")
        return ends, min(losses, key=len, default=None)

    return ends_from(Position())
