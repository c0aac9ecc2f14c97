"""What is said, asked and offered at every step of a search, against the textbook."""

from __future__ import annotations

import re
from functools import cached_property
from html import unescape
from itertools import product
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from engine.position import SQUARE_NAMES, Position
from teach.guesses import depths
from teach.numbers import names
from teach.scenes import told
from teach.searches import ALGORITHMS, BACK, ENTERED, Run, Step
from teach.trees import ORDERS, SCORINGS, Order, Scoring, tree
from teach.watch import (
    Judgement,
    brought,
    counterpart,
    judge_answer,
    prediction,
    presses,
    shown,
    ties,
    visits,
)
from tests import textbook
from tests.positions import TO_PLAY, one_in
from tests.test_searches import CLASSIC, KINDS, NUMBERS, SMALL, Kind, both, run_of
from web.study.own import OwnTree
from web.study.place import Place
from web.study.search_view import Watched, search_view

SQUARES = "|".join(sorted(SQUARE_NAMES, key=len, reverse=True))  # "centre" is part of "top centre"
LARGE = Position.parse("XO-" "-OX" "X--")  # fmt: skip
SHORT = Position.parse("XXO" "OO-" "XX-")  # fmt: skip
SECOND = ((3, 12, 8), (2, 4, 6), (14, 5, 2))


class Teller:
    """Read what the page of a search says, of a board or of one's own values."""

    def __init__(self, app: Flask, what: Position | OwnTree, **asked: object) -> None:
        self.app, self.asked = app, asked
        self.place: Place | OwnTree
        if isinstance(what, OwnTree):
            self.place = what
        else:
            self.place = Place(what, (), 0, "search", None, None, ())

    @cached_property
    def run(self) -> Run:
        return self.page(0).run

    def page(self, step: object, **more: object) -> Watched:
        with self.app.test_request_context():
            asked = self.asked | more | {"step": step}
            _, values = search_view(self.place, MultiDict({k: str(v) for k, v in asked.items()}))
        page = values["page"]
        assert isinstance(page, Watched)
        return page

    def said(self, step: object, **more: object) -> str:
        page = self.page(step, **more)
        with self.app.app_context():
            template = self.app.jinja_env.get_template("study/_search.html")
            words: Any = template.make_module({"page": page, "place": self.place})
            return text(words.said())


def of_kind(app: Flask, position: Position, kind: Kind) -> Teller:
    algorithm, scoring, order = kind
    return Teller(app, position, algorithm=algorithm, scoring=scoring, order=order)


def text(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", "", html)).split())


def signed(value: float) -> str:
    return f"{value:+.0f}".replace("-", "−") if value else "0"


def own(value: float) -> str:
    return signed(value).removeprefix("+")


# What is said


def said_of(search: Run, step: Step) -> tuple[object, ...]:
    """Return what the sentence on a step may depend on: of a path the length and last square.

    `check` finds every other square named.
    """
    if step.kind == "end":
        return search.move, step, ties(search)
    return len(step.path), step.path[-1:], step._replace(path=(), by=step.by[-1:])


def check(search: Run, step: Step, said: str, is_flat: bool) -> None:
    """Check that a sentence tells the values, squares and sides of its step, and no others."""
    kind, path, value, before, after, bound, rest, by, against = step
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
            assert (f"on turn {len(path)}" in said) == (bool(value) and not is_flat)
            assert ("wins" in said) == bool(value)
        case "first" | "better" | "as good" | "no better":
            mover = sides[(len(path) - 1) % 2]
            assert said.startswith(f"Back to {mover}: {SQUARE_NAMES[path[-1]]} brings ")
            assert (f"{bound} {signed(value)}" in said) == (bound != "exact")
            assert numbers[0] == signed(value) and numbers[-1] == signed(after.best)
            assert ("now" in said) == (before.best != after.best)
            assert ("α" in said) == (before.alpha != after.alpha)
            assert ("β" in said) == (before.beta != after.beta)
            assert ("lowest" in said) <= (len(path) % 2 == 0)
        case "cut":
            assert numbers == [signed(against), signed(value)]
            mine, theirs = sides[len(path) % 2], sides[(len(path) - 1) % 2]
            assert said.startswith(f"{theirs} has {signed(against)} by {SQUARE_NAMES[by[-1]]}; ")
            why = "gains nothing by coming" if value == against else "won't come"
            less = "less" if len(path) % 2 else "more"
            assert f"{mine} takes {signed(value)} or {less}: {theirs} {why}" in said
            cut = ", ".join(SQUARE_NAMES[square] for square in rest)
            one = f", so {mine} in the {cut} is not looked at."
            is_one = len(rest) == 1 and value != against
            assert said.endswith(one if is_one else f". Cut: {cut}.")
            squares = {by[-1], *rest}
        case "end":
            check_end(search, said)
            squares = {*search.root.position.legal_moves()}
    named = set(re.findall(SQUARES, said.lower()))
    assert named <= {SQUARE_NAMES[square] for square in squares}
    assert kind == "end" or named == {SQUARE_NAMES[square] for square in squares}


def check_end(search: Run, said: str) -> None:
    """Check of the last sentence what is picked, and how many moves win where all are known."""
    move = SQUARE_NAMES[search.move]
    assert said.startswith(f"All are back. {search.root.position.turn} picks the highest: {move}, ")
    values = textbook.move_scores(str(search.root.position)).values()
    if found := re.search(r"(All|\w+ of) (\w+) moves win", said):
        words = ("no", "one", "two", "three", "four")
        winning = words[sum(value > 0 for value in values)]
        assert found.group(2) == words[len(values)]
        assert found.group(1).removesuffix(" of").lower() in (winning, "all")
        assert (found.group(1) == "All") == all(value > 0 for value in values)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_every_sentence_of_every_run_is_short_and_tells_the_numbers_of_its_step(
    app: Flask, kind: Kind
) -> None:
    heard: set[object] = set()
    for position in one_in(3, SMALL[KINDS.index(kind) % 6 :: 6]):
        search = run_of(position, *kind)
        for number, step in enumerate(search.steps, 1):
            if (told := (position.turn, *said_of(search, step))) not in heard:
                heard.add(told)
                said = of_kind(app, position, kind).said(number)
                assert len(said) <= 115, said
                check(search, step, said, kind[1] == "flat")


def named(values: object) -> set[str]:
    return set(re.findall(r"\b[A-Z]{1,2}\b", str(values))) - {"MAX", "MIN"}


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_sentence_on_trees_of_numbers_names_the_nodes_and_numbers_of_its_step(
    app: Flask, algorithm: Any
) -> None:
    for values, is_max in product(one_in(4, NUMBERS[:40]), (True, False)):
        teller = Teller(app, OwnTree(values, is_max), algorithm=algorithm)
        called = names(teller.run.root)
        for number, step in enumerate(teller.run.steps, 1):
            said, role = teller.said(number), ("MIN", "MAX")[teller.run.root.at(step.here).is_max]
            assert len(said) <= 130, said
            if step.kind == "enter":
                assert named(said) - {"A"} == {called[step.path]} - {"A"} and role in said
            elif step.kind == "leaf":
                assert said == f"A leaf of {called[step.path[:-1]]}: {own(step.value)}."
            elif step.kind in BACK:
                child = teller.run.root.at(step.path)
                name = called[step.path] if child.below else "the leaf"
                bound = f"{step.bound} " if step.bound != "exact" else ""
                start = f"Back to {called[step.here]}: {name} brings {bound}{own(step.value)}"
                assert said.startswith(start)
                assert said.rstrip(".").endswith(own(step.after.best))
            elif step.kind == "cut":
                above = called[step.by[:-1]]
                less = "more" if role == "MAX" else "less"
                assert said.startswith(f"{above} has {own(step.against)} from ")
                assert f". {called[step.path]} is {own(step.value)} or {less}" in said
                assert ("gains nothing" in said) == (step.value == step.against)
                assert all(f"{called[path]}" in said for path in step.left_out)


def test_a_tree_of_ones_own_is_told_in_these_words(app: Flask) -> None:
    teller = Teller(app, OwnTree(SECOND, True), algorithm="alpha-beta")
    assert [teller.said(step) for step in (0, 1, 2, 3, 4, 6, 9, 13, 23)] == [
        "What is A worth? Alpha-beta asks as minimax does, and cuts what cannot matter.",
        "A is first: MAX picks the highest. Best so far: none yet.",
        "Down to B: MIN picks the lowest. Best so far: none yet.",
        "A leaf of B: 3.",
        "Back to B: the leaf brings 3, the first value. Best and β are now 3.",
        "Back to B: the leaf brings 12. MIN picks the lowest: best stays 3.",
        "Back to A: B brings 3, the first value. Best and α are now 3.",
        "A has 3 from B. C is 2 or less, so nothing more below C can change A: "
        "4 and 6 are not looked at.",
        "All are back. A picks the highest: B, 3.",
    ]
    assert [teller.said("last", path=path) for path in ("2", "1", "11", "", "00")] == [
        "D is 2: MIN picks the lowest of 14, 5 and 2. A has better: 3.",
        "C is 2 or less: a bound, since alpha-beta cut below. A has no need to know more.",
        "The leaf 4 was not looked at: nothing there can change the value of A.",
        "A is 3: MAX picks the highest of 3, ≤ 2 and 2.",
        "A leaf of B: 3. B has nothing better.",
    ]
    plain = Teller(app, OwnTree((3, (3, 5), (3, 1)), False))
    assert plain.said(0) == "What is A worth? Minimax looks at every leaf."
    assert plain.said("last") == "All are back. A picks the lowest: 3. C brought as much, later."
    tie = Teller(app, OwnTree((3, (3, 5)), True), algorithm="alpha-beta")
    (cut,) = (n for n, step in enumerate(tie.run.steps, 1) if step.kind == "cut")
    assert tie.said(cut) == (
        "A has 3 from a leaf. B is 3 or less: A gains nothing by coming. 5 is not looked at."
    )
    assert tie.said("last") == "All are back. A picks the highest: 3. B is only bounded: no better."


def test_a_board_cut_off_is_told_with_its_guess(app: Flask) -> None:
    teller = Teller(app, Position(), algorithm="alpha-beta")
    assert teller.said(0).startswith("Which move is best for X? Alpha-beta asks")
    assert (
        teller.said(20) == "O answers top left. Guess: X has 3 lines with one, O has 2: 3 − 2 = +1."
    )
    plain = Teller(app, Position(), depth=1)
    assert plain.said(0) == "Which move is best for X? Minimax tries 1 turn, then guesses."
    two = Teller(app, CLASSIC, depth=2)
    assert "minimax tries 2 turns" in two.said(0).lower()
    assert two.said(3) == "O answers centre and wins, on turn 2: 2 − 100 = −98."
    guesses = [two.said(n) for n, step in enumerate(two.run.steps, 1) if step.kind == "leaf"]
    assert "with two and" in " ".join(guesses)
    assert two.said("last", path="1").startswith("X top centre: only")


@pytest.mark.long
def test_every_guess_is_the_difference_of_what_both_sides_have(app: Flask) -> None:
    for position in TO_PLAY[::7]:
        teller = Teller(app, position, depth=depths(position, merged=True)[-1])
        for number, step in enumerate(teller.run.steps, 1):
            if step.kind == "leaf" and not teller.run.root.at(step.path).position.outcome():
                page = teller.page(number)
                side = position.turn
                mine, theirs = page.guess[side].worth, page.guess["XO".replace(side, "")].worth
                board = str(page.here.position)
                assert mine - theirs == step.value == textbook.guess(board, side)
                if len(teller.run.steps) < 40:
                    assert f"{mine} − {theirs} = {signed(step.value)}." in teller.said(number)


def test_minimax_on_the_classic_picture_is_told_in_these_words(app: Flask) -> None:
    teller = Teller(app, CLASSIC)
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
    teller = Teller(app, CLASSIC, algorithm="alpha-beta")
    assert [teller.said(number) for number in (0, 11, 17, 18)] == [
        "Which move is best for X? Alpha-beta asks as minimax does, and cuts what cannot matter.",
        "Back to X: centre brings +9, higher than −8. X picks the highest: best and α are now +9.",
        "X has +9 by centre; O takes +7 or less: X won't come, "
        "so O in the centre is not looked at.",
        "Back to X: middle right brings at most +7. X picks the highest: best stays +9.",
    ]


def test_of_equal_values_the_first_stays_and_the_sentence_says_so(app: Flask) -> None:
    teller = Teller(app, Position.parse("O--X-XOOX"), scoring="flat")
    last = len(teller.run.steps)
    assert teller.said(last - 1).endswith("centre brings +1, no better than +1. Best stays +1.")
    assert teller.said(last).endswith("Top right and centre brought as much, later.")
    lost = Teller(app, Position.parse("-X---XOOX"), scoring="flat")
    assert lost.said(len(lost.run.steps)).endswith("3 others brought as much, later.")


def test_a_draw_is_nought(app: Flask) -> None:
    teller = Teller(app, Position.parse("XXOOO-XX-"))
    assert teller.said(5) == "X answers middle right and the board is full: a draw, 0."


# What is told of a node at the end


@pytest.mark.long
def test_at_every_node_the_moves_that_win_the_soonest_and_what_was_better_are_the_textbooks() -> (
    None
):
    for position in SMALL[::2]:
        whole = tree(position)
        for node in whole.walk():
            found, board = told(whole, node.path), str(node.position)
            scores = textbook.move_scores(board) if node.below else {}
            top = max(scores.values(), default=0)
            assert found.moves == len(scores)
            assert list(found.best) == [s for s in scores if scores[s] == top]
            if top > 0:
                assert list(found.holding) == [s for s in scores if scores[s] > 0]
            before = str(position.after(node.path[:-1]))
            others = textbook.move_scores(before) if node.path else {}
            best = max(others.values(), default=None)
            worse = node.path and others[node.path[-1]] != best
            assert list(found.better) == [s for s in others if worse and others[s] == best]
            assert found.siblings == len(others)
            wins = textbook.worth(board, textbook.turn(board), len(node.path), False)
            assert found.score == wins


def test_places_are_told_in_these_words(app: Flask) -> None:
    lost = Teller(app, Position.parse("-X---XOOX"))
    pressed = {
        "": "O loses whatever it plays; top right lasts longest, to turn 4.",
        "2": "O top right: only centre still wins for X, on turn 4. O has nothing better.",
        "0": "O top left: two of three moves win for X; soonest top right, on turn 2."
        " O has better: top right.",
        "02": "X top right: X wins, on turn 2. 2 − 10 = −8.",
        "240": "O top left: only middle left still wins for X, on turn 4. O has nothing better.",
    }
    for path, said in pressed.items():
        assert lost.said("last", path=path) == said
    assert Teller(app, CLASSIC).said("last", path="") == "Only centre wins for X, on turn 1."
    drawn = Teller(app, Position.parse("XXOOO-XX-"))
    assert drawn.said("last", path="85") == "X middle right: a draw. 0."


@pytest.mark.long
def test_all_moves_that_win_are_counted_and_the_soonest_is_named(app: Flask) -> None:
    """Of boards such as 'XX-O--O--' the soonest move alone was said to win."""
    words = ("no", "one", "two", "three", "four")
    for position in SMALL:
        values = textbook.move_scores(str(position))
        wins = [square for square in values if values[square] > 0]
        soonest = [square for square in wins if values[square] == max(values.values())]
        if len(wins) > len(soonest):
            said = Teller(app, position).said("last", path="")
            count = "All" if len(wins) == len(values) else f"{words[len(wins)].capitalize()} of"
            named = " or ".join(SQUARE_NAMES[square] for square in soonest[-2:])
            assert said.startswith(f"{count} {words[len(values)]} moves win for {position.turn}; ")
            assert f"soonest {', '.join(SQUARE_NAMES[s] for s in soonest[:-2])}" in said
            assert named in said


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
        search = run_of(position, *kind)
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
    cut = run_of(CLASSIC, "alpha-beta", "depth", "squares")
    assert (5, 4) not in presses(cut, 3)


@pytest.mark.parametrize(("scoring", "order"), list(product(SCORINGS, ORDERS)))
@pytest.mark.parametrize("position", [CLASSIC, LARGE, SHORT], ids=str)
def test_the_other_algorithm_is_met_at_its_first_cut_else_at_the_same_step(
    position: Position, scoring: Scoring, order: Order
) -> None:
    plain, cutting = (run_of(position, name, scoring, order) for name in ALGORITHMS)
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
    for position in one_in(4, SMALL[KINDS.index(kind) :: 20]):
        search = run_of(position, *kind)
        teller = of_kind(app, position, kind)
        for done in range(len(search.steps) + 1):
            asked, expected = prediction(search, done), right(search, done)
            assert (asked.right if asked else None) == expected
            if not asked:
                continue
            assert len(teller.said(done, predict="on")) <= 110
            for answer in asked.answers:
                assert (judge_answer(search, asked, answer) == "right") == (answer == expected)
                if answer != expected:
                    said = teller.said(done, predict="on", answer=answer)
                    assert said.endswith(" Try again.")
                    assert len(said) <= 110, said


def test_each_move_is_judged_by_the_value_that_it_brought() -> None:
    search = run_of(CLASSIC, "minimax", "depth", "squares")
    for square in CLASSIC.legal_moves():
        assert brought(search, str(square)).path == (square,)


def test_a_wrong_answer_gets_the_reason_and_not_the_answer(app: Flask) -> None:
    #  O |   | X     X to move has tried top centre; O has centre with −8, and middle right
    #  X |   |       comes back with +7.
    #  X | O | O
    plain = Teller(app, CLASSIC)
    assert (
        plain.said(7, predict="on")
        == "Middle right brings +7 to O, whose best is −8. What is it then?"
    )
    assert (
        plain.said(3, predict="on")
        == "Centre brings −8 to O, whose best is none yet. What is it then?"
    )
    assert plain.said(19, predict="on") == ("Every value is back. Which move does X play?")
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
        assert plain.said(done, predict="on", answer=answer) == said + " Try again."
    flat = Teller(app, Position.parse("O--X-XOOX"), scoring="flat")
    assert flat.said(15, predict="on", answer="4").startswith(
        "Not centre: it brought +1, but later, and only more"
    )


def test_whether_the_rest_is_searched_is_asked_and_judged(app: Flask) -> None:
    teller = Teller(app, CLASSIC, algorithm="alpha-beta")
    assert teller.said(16, predict="on") == ("O has centre left here. Is it searched?")
    assert (
        teller.said(9, predict="on")
        == "X has centre and middle right left here. Are they searched?"
    )
    assert teller.said(17, predict="on").startswith("Middle right brings at most +7 to X")
    assert teller.said(16, predict="on", answer="searched") == (
        "No: O has +7 here, and X +9 already. Would X still come here? Try again."
    )
    assert teller.said(9, predict="on", answer="cut") == (
        "Not yet: α is −8 and β none yet. Between them is room, so it can matter. Try again."
    )
