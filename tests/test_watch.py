"""What is said, asked and offered at every step of a search, against the textbook."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from flask import Flask

from engine.position import SQUARE_NAMES, Position
from teach.searches import ALGORITHMS, BACK, ENTERED, Algorithm, Run, Step
from teach.searches import run as search_of
from teach.trees import ORDERS, SCORINGS, Order, Scoring, tree
from teach.watch import (
    Judgement,
    brought,
    counterpart,
    judge_answer,
    moves,
    prediction,
    presses,
    shown,
    ties,
    visits,
)
from tests.positions import TO_PLAY
from tests.test_searches import both

Kind = tuple[Algorithm, Scoring, Order]
KINDS: list[Kind] = list(product(ALGORITHMS, SCORINGS, ORDERS))
SMALL = [position for position in TO_PLAY if position.ply >= 5]
CLASSIC = Position.parse("O-X" "X--" "XOO")  # fmt: skip


def run(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Run:
    return search_of(tree(position, scoring, order), algorithm)


NAMES = "|".join(sorted(SQUARE_NAMES, key=len, reverse=True))  # "centre" is part of "top centre"
LARGE = Position.parse("XO-" "-OX" "X--")  # fmt: skip
SHORT = Position.parse("XXO" "OO-" "XX-")  # fmt: skip


class Teller:
    """Say with the page's own words what the steps of a run did, and ask what comes next."""

    def __init__(self, app: Flask, search: Run) -> None:
        self.run = search
        scoring = "depth" if any(abs(leaf.value) > 1 for leaf in search.root.leaves) else "flat"
        values = {"run": search, "scoring": scoring, "shown": {"ties": ties(search)}}
        with app.app_context():
            template = app.jinja_env.get_template("study/_search.html")
            self.words: Any = template.make_module(values)

    def sentence(self, step: Step | None) -> str:
        return text(self.words.sentence(step, step.kind if step else "begin"))

    def said(self, number: int) -> str:
        return self.sentence(self.run.steps[number - 1] if number else None)

    def ask(self, number: int) -> str:
        return text(self.words.ask(prediction(self.run, number), None))

    def judge(self, number: int, answer: str) -> str:
        asked = prediction(self.run, number)
        assert asked
        found = judge_answer(self.run, asked, answer)
        brought = next((m for m in moves(self.run) if answer == str(m.path[0])), None)
        return text(self.words.judgement(found, asked, answer, brought))


def text(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", "", html).split())


def signed(value: float) -> str:
    if abs(value) > 99:
        return "−∞" if value < 0 else "+∞"
    return f"{value:+.0f}".replace("-", "−") if value else "0"


# What is said: every sentence of every run is checked where the runs are, in test_searches


def said_by(search: Run, step: Step) -> tuple[object, ...]:
    """Return what the sentence on a step may depend on: of a path the length and last square.

    `check` finds every other square named.
    """
    if step.kind == "end":
        return search.move, step, ties(search)
    return len(step.path), step.path[-1:], step._replace(path=(), by=step.by[-1:])


def check(search: Run, step: Step, said: str) -> None:
    """Check that a sentence tells the values, squares and sides of its step, and no others."""
    kind, path, value, before, after, bound, rest, by, _ = step
    squares = set(path[-1:])
    numbers = re.findall(r"[+−][\d∞]+|\b0\b", re.sub(r"\d+ − \d+ = ", "", said))
    turn = search.root.position.turn
    sides = (turn, "XO".replace(turn, ""))
    match kind:
        case "enter":
            assert not numbers and abs(after.best) > 99
            assert said.endswith("Best so far: none yet.")
            assert f"{sides[len(path) % 2]} {'is to move and ' if not path else ''}picks" in said
        case "leaf":
            assert numbers == [signed(value)]
            assert (f"on turn {len(path)}" in said) == (bool(value) and abs(value) > 1)
            assert ("wins" in said) == bool(value)
        case "first" | "better" | "as good" | "no better":
            assert said.startswith(
                f"Back to {sides[(len(path) - 1) % 2]}: {SQUARE_NAMES[path[-1]]} "
            )
            assert " brings " in said
            assert (f"{bound} {signed(value)}" in said) == (bound != "exact")
            assert numbers[0] == signed(value)
            assert numbers[-1] == signed(after.best)
            assert ("now" in said) == (before.best != after.best)
            assert ("α" in said) == (before.alpha != after.alpha)
            assert ("β" in said) == (before.beta != after.beta)
            assert ("lowest" in said) <= (len(path) % 2 == 0)
        case "cut":
            against = after.alpha if len(path) % 2 else after.beta
            assert numbers == [signed(against), signed(value)]
            mine, theirs = sides[len(path) % 2], sides[(len(path) - 1) % 2]
            assert said.startswith(f"{theirs} has {signed(against)} by {SQUARE_NAMES[by[-1]]}; ")
            assert f"{mine} takes" in said
            why = "gains nothing by coming" if value == against else "won't come"
            assert f"or {'less' if len(path) % 2 else 'more'}: {theirs} {why}" in said
            cut = ", ".join(SQUARE_NAMES[square] for square in rest)
            one = f", so {mine} in the {cut} is not looked at."
            assert said.endswith(one if len(rest) == 1 and value != against else f". Cut: {cut}.")
            squares = {by[-1], *rest}
        case "end":
            assert numbers == [signed(value)]
            squares = {search.move, *(() if "others" in said else ties(search))}
    assert set(re.findall(NAMES, said.lower())) == {SQUARE_NAMES[square] for square in squares}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_every_sentence_of_every_run_is_short_and_tells_the_numbers_of_its_step(
    app: Flask, kind: Kind
) -> None:
    heard: set[object] = set()
    for position in SMALL:
        search, teller = run(position, *kind), None
        for step in search.steps:
            if (told := (position.turn, *said_by(search, step))) not in heard:
                heard.add(told)
                teller = teller or Teller(app, search)
                said = teller.sentence(step)
                assert len(said) <= 110, said
                check(search, step, said)


def test_minimax_on_the_classic_picture_is_told_in_these_words(app: Flask) -> None:
    teller = Teller(app, run(CLASSIC, "minimax", "depth", "squares"))
    assert [teller.said(number) for number in (*range(12), 20)] == [
        "Which move is best for X? Minimax tries each move and each answer, to the end.",
        "X is to move and picks the highest. Best so far: none yet.",
        "X tries top centre. Now O picks the lowest. Best so far: none yet.",
        "O answers centre and wins, on turn 2: 2 − 10 = −8.",
        "Back to O: centre brings −8, the first value. Best is now −8.",
        "O answers middle right. Now X picks the highest. Best so far: none yet.",
        "X answers centre and wins, on turn 3: 10 − 3 = +7.",
        "Back to X: centre brings +7, the first value. Best is now +7.",
        "Back to O: middle right brings +7. O picks the lowest: best stays −8.",
        "Back to X: top centre brings −8, the first value. Best is now −8.",
        "X tries centre and wins, on turn 1: 10 − 1 = +9.",
        "Back to X: centre brings +9, higher than −8. X picks the highest: best is now +9.",
        "All are back. X picks the highest: centre, +9.",
    ]


def test_alpha_beta_says_what_it_cuts_and_why_it_may(app: Flask) -> None:
    teller = Teller(app, run(CLASSIC, "alpha-beta", "depth", "squares"))
    assert [teller.said(number) for number in (0, 11, 17, 18)] == [
        "Which move is best for X? Alpha-beta asks as minimax does, and cuts what cannot matter.",
        "Back to X: centre brings +9, higher than −8. X picks the highest: best and α are now +9.",
        "X has +9 by centre; O takes +7 or less: X won't come, "
        "so O in the centre is not looked at.",
        "Back to X: middle right brings at most +7. X picks the highest: best stays +9.",
    ]


def test_of_equal_values_the_first_stays_and_the_sentence_says_so(app: Flask) -> None:
    teller = Teller(app, run(Position.parse("O--X-XOOX"), "minimax", "flat", "squares"))
    last = len(teller.run.steps)
    assert teller.said(last - 1).endswith("centre brings +1, no better than +1. Best stays +1.")
    assert teller.said(last).endswith("Top right and centre brought as much, later.")
    lost = Teller(app, run(Position.parse("-X---XOOX"), "minimax", "flat", "squares"))
    assert lost.said(len(lost.run.steps)).endswith("3 others brought as much, later.")


def test_a_draw_is_nought(app: Flask) -> None:
    teller = Teller(app, run(Position.parse("XXOOO-XX-"), "minimax", "depth", "squares"))
    assert teller.said(5) == "X answers middle right and the board is full: a draw, 0."


# What is seen after each step


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_after_each_step_the_last_on_the_stack_is_in_view_and_a_value_refused_is_tried(
    kind: Kind,
) -> None:
    for position in (CLASSIC, LARGE):
        search, book = both(position, *kind)
        steps: list[Any] = [("begin", (), 0), *book.steps]
        ends: list[bool] = []
        for step, stack in enumerate([(), *book.stacks]):
            seen = shown(search, step)
            name, path, value, *rest = steps[step]
            ends += [value is not None] if name == "enter" else []
            assert seen.scene.here == ([path for path, _ in stack] or [()])[-1]
            assert (seen.nodes, seen.ends) == (len(ends), sum(ends))
            assert seen.ties == ties(search)
            refused = name == "back" and rest[1][0] == rest[2][0]
            assert seen.scene.tried == (path if refused else None)


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_a_press_leads_to_where_a_board_was_entered_or_came_back(kind: Kind) -> None:
    for position in (CLASSIC, LARGE):
        search = run(position, *kind)
        for step in (0, 1, len(search.steps) // 2, len(search.steps)):
            for path, (entered, back) in visits(search).items():
                there = presses(search, step)[path]
                assert there == (back if back < step else entered)
                assert search.steps[entered - 1].path == search.steps[back - 1].path == path
            assert search.steps[visits(search)[()][1] - 1].kind == "end"
            skip = shown(search, step).skip
            back = visits(search)[shown(search, step).scene.here][1]
            cuts = [n for n in range(step + 1, back) if search.steps[n - 1].kind == "cut"]
            assert skip == min([*cuts, back])
    cut = run(CLASSIC, "alpha-beta", "depth", "squares")
    assert (5, 4) not in presses(cut, 3)


@pytest.mark.parametrize(("scoring", "order"), list(product(SCORINGS, ORDERS)))
@pytest.mark.parametrize("position", [CLASSIC, LARGE, SHORT], ids=str)
def test_the_other_algorithm_is_met_at_its_first_cut_else_at_the_same_step(
    position: Position, scoring: Scoring, order: Order
) -> None:
    plain, cutting = (run(position, name, scoring, order) for name in ALGORITHMS)
    cuts = [number for number, step in enumerate(cutting.steps, 1) if step.kind == "cut"]
    assert not (cuts and position is SHORT)
    assert counterpart(cutting, 0, plain) == 0
    for number in range(len(plain.steps) + 1):
        assert counterpart(plain, number, cutting) == (cuts[0] if cuts else number)
    for number, step in enumerate(cutting.steps, 1):
        there = plain.steps[counterpart(cutting, number, plain) - 1]
        if step.kind == "cut":
            assert there.kind in ENTERED
            assert there.path == (*step.path, step.rest[0])
        else:
            assert there.path == step.path
            assert (there.kind in ENTERED) == (step.kind in ENTERED)


# Predict


def right(search: Run, done: int) -> str | None:
    """Return what should be answered after so many steps, None where nothing is to be asked."""
    if done == len(search.steps):
        return None
    step, before = search.steps[done], search.steps[done - 1]
    match step.kind:
        case "cut":
            return "cut"
        case "end":
            return str(search.move)
        case "enter" | "leaf":
            may_be_cut = search.algorithm == "alpha-beta" and before.kind in BACK
            return "searched" if done and may_be_cut else None
    return f"{step.after.best:.0f}"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_before_each_value_and_cut_one_answer_is_right_and_each_question_is_short(
    app: Flask, kind: Kind
) -> None:
    for position in SMALL[::9]:
        search = run(position, *kind)
        teller = Teller(app, search)
        for done in range(len(search.steps) + 1):
            asked, expected = prediction(search, done), right(search, done)
            assert (asked.right if asked else None) == expected
            if not asked:
                continue
            assert len(teller.ask(done)) <= 110
            for answer in asked.answers:
                assert (judge_answer(search, asked, answer) == "right") == (answer == expected)
                if answer != expected:
                    said = teller.judge(done, answer)
                    assert said.endswith(" Try again.")
                    assert len(said) <= 110, said


def test_each_move_is_judged_by_the_value_that_it_brought() -> None:
    search = run(CLASSIC, "minimax", "depth", "squares")
    for square in CLASSIC.legal_moves():
        assert brought(search, str(square)).path == (square,)


def test_a_wrong_answer_gets_the_reason_and_not_the_answer(app: Flask) -> None:
    #  O |   | X     X to move has tried top centre; O has centre with −8, and middle right
    #  X |   |       comes back with +7.
    #  X | O | O
    plain = Teller(app, run(CLASSIC, "minimax", "depth", "squares"))
    assert plain.ask(7) == "Middle right brings +7 to O, whose best is −8. What is it then?"
    assert plain.ask(3) == "Centre brings −8 to O, whose best is none yet. What is it then?"
    assert plain.ask(19) == "Every value is back. Which move does X play?"
    wrong: list[tuple[int, str, Judgement, str]] = [
        (7, "7", "took", "Not +7: O picks the lowest, and had a lower value before."),
        (7, "9", "neither", "Not +9: O keeps the best before, or takes the value that comes back."),
        (10, "-8", "kept", "Not −8: X picks the highest, and +9 is higher."),
        (19, "1", "lower", "Not top centre: it brought −8, and X has seen more."),
    ]
    for done, answer, judgement, said in wrong:
        asked = prediction(plain.run, done)
        assert asked
        assert judge_answer(plain.run, asked, answer) == judgement
        assert judge_answer(plain.run, asked, None) is None
        assert plain.judge(done, answer) == said + " Try again."
    flat = Teller(app, run(Position.parse("O--X-XOOX"), "minimax", "flat", "squares"))
    assert flat.judge(15, "4").startswith("Not centre: it brought +1, but later, and only more")


def test_whether_the_rest_is_searched_is_asked_and_judged(app: Flask) -> None:
    teller = Teller(app, run(CLASSIC, "alpha-beta", "depth", "squares"))
    assert teller.ask(16) == "O has centre left here. Is it searched?"
    assert teller.ask(9) == "X has centre and middle right left here. Are they searched?"
    assert teller.ask(17).startswith("Middle right brings at most +7 to X")
    assert teller.judge(16, "searched") == (
        "No: O has +7 here, and X +9 already. Would X still come here? Try again."
    )
    assert teller.judge(9, "cut") == (
        "Not yet: α is −8 and β none yet. Between them is room, so it can matter. Try again."
    )
