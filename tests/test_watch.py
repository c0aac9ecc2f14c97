"""What is said, asked and offered at every step of a search, against the textbook."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask, current_app
from werkzeug.datastructures import MultiDict

from engine.notation import signed
from engine.position import SQUARE_NAMES, Position
from teach.guesses import depths
from teach.numbers import names, read_tree
from teach.scenes import told
from teach.searches import ALGORITHMS, BACK, Run, Step
from teach.trees import tree
from teach.watch import (
    Rating,
    brought,
    judge_answer,
    prediction,
    presses,
    shown,
    visits,
)
from tests import textbook
from tests.positions import TO_PLAY, one_in
from tests.sentences import NUMBERS as WORDS
from tests.sentences import assert_as_last_read, plain
from tests.test_searches import CLASSIC, KINDS, NUMBERS, SMALL, Kind, run_of
from web.study.own import OwnTree
from web.study.place import Place
from web.study.search_view import Watched, search_view

BOUNDED = "Bounds: |gave (a bound|bounds): no better"
SQUARES = "|".join(sorted(SQUARE_NAMES, key=len, reverse=True))  # "centre" is part of "top centre"
LARGE = Position.parse("XO-" "-OX" "X--")  # fmt: skip
SHORT = Position.parse("XXO" "OO-" "XX-")  # fmt: skip


@pytest.fixture(autouse=True)
def in_a_request(app: Flask) -> Iterator[None]:
    """Tell all of a test in one request: each step in its own takes half as long again."""
    with app.test_request_context():
        yield


class Teller:
    """Read what the page of a search says, of a board or of one's own values."""

    def __init__(self, what: Position | OwnTree, **asked: object) -> None:
        self.asked = asked
        self.place = (
            what if isinstance(what, OwnTree) else Place(what, (), 0, "search", None, None, ())
        )

    @cached_property
    def run(self) -> Run:
        return self.page(0).run

    def page(self, step: object, **more: object) -> Watched:
        asked = self.asked | more | {"step": step}
        _, values = search_view(self.place, MultiDict({k: str(v) for k, v in asked.items()}))
        page = values["page"]
        assert isinstance(page, Watched)
        return page

    def said(self, step: object, **more: object) -> str:
        page = self.page(step, **more)
        template = current_app.jinja_env.get_template("study/_search.html")
        words: Any = template.make_module({"page": page, "place": self.place})
        return plain(words.said())


def of_kind(position: Position, kind: Kind) -> Teller:
    algorithm, scoring, order = kind
    return Teller(position, algorithm=algorithm, scoring=scoring, order=order)


def own(value: float) -> str:
    return signed(value).removeprefix("+")


# What is said

# Searches told from the first step to the last, with each question, answer and node pressed.
TOLD = """
O-XX--XOO O-XX--XOO?algorithm=alpha-beta O-XX--XOO?algorithm=alpha-beta&top=min O-XX--XOO?depth=2
XXOOO-XX- XXOOO-XX-?top=min&scoring=flat -X---XOOX -X---XOOX?scoring=flat
O--X-XOOX?scoring=flat O--X-XOOX?scoring=flat&algorithm=alpha-beta&order=worst
---------?algorithm=alpha-beta ---------?depth=1 ---------?top=min&algorithm=alpha-beta&order=best
((3,12,8),(2,4,6),(14,5,2)) ((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&top=min (3,(3,5),(3,1))?top=min
(3,(3,5))?algorithm=alpha-beta (3,(3,5),(3,5),(2,3))?algorithm=alpha-beta
(5,(((4,9),3),7),(5,6),5,(6,2))?algorithm=alpha-beta (3,(3,4),(2,1))?algorithm=alpha-beta
XOXOX----?depth=2&algorithm=alpha-beta
""".split()


def told_of(address: str) -> Iterator[tuple[str, str]]:
    """Yield all that is said of a search, and where."""
    where, _, query = address.partition("?")
    asked: dict[str, object] = dict(parse_qsl(query))
    values = read_tree(where).values if "(" in where else None
    is_max = asked.get("top") != "min"
    teller = Teller(OwnTree(values, is_max) if values else Position.parse(where), **asked)
    for step in range(len(teller.run.steps) + 1):
        yield f"{address} step {step}", teller.said(step)
        question = prediction(teller.run, step)
        if question:
            yield f"{address} step {step} asked", teller.said(step, predict="on")
            for answer in {*question.answers} - {question.right}:
                said = teller.said(step, predict="on", answer=answer)
                yield f"{address} step {step} answer {answer}", said
    for node in teller.run.root.walk():
        yield f"{address} press {node.path}", teller.said("last", path=node.digits)


def test_each_kind_of_sentence_is_as_last_read() -> None:
    told = [it for address in TOLD for it in told_of(address)]
    assert_as_last_read("search", told)
    answered = [said for where, said in told if " answer " in where]
    asked = [said for where, said in told if where.endswith(" asked")]
    assert all(said.endswith(" Try again.") for said in answered)
    assert max(map(len, asked + answered)) <= 110


@pytest.mark.long
def test_every_sentence_is_short_and_tells_the_numbers_of_its_step() -> None:
    for number, position in enumerate(one_in(20, SMALL)):
        kind = KINDS[number % len(KINDS)]
        teller = of_kind(position, kind)
        for done, step in enumerate(teller.run.steps, 1):
            said = teller.said(done)
            # A tie says why; 125 characters are three lines on a phone, too.
            assert len(said) <= (125 if "at best the same" in said else 115), said
            check(teller.run, step, said, kind[1] == "flat")


def check(search: Run, step: Step, said: str, is_flat: bool) -> None:
    """Check that a sentence tells the values, squares and sides of its step, and no others."""
    kind, path, value, before, after, bound, rest, by, against = step
    squares = set(path[-1:])
    numbers = re.findall(r"[+−][\d∞]+|\b0\b", re.sub(r"\d+ − \d+ = ", "", said))
    turn = search.root.position.turn
    sides = (turn, "XO".replace(turn, ""))
    match kind:
        case "enter":
            window = [
                signed(end) if abs(end) < 99 else "−∞" if end < 0 else "+∞" for end in after[1:]
            ]
            _, _, handed = said.partition(" Best so far: none yet.")
            how = "handed down" if path else "open"
            with_window = f" The window is {how}: [{', '.join(window)}]."
            assert abs(after.best) > 99
            assert handed == (with_window if search.algorithm == "alpha-beta" else "")
            assert f"{sides[len(path) % 2]} {'is to move and ' if not path else ''}picks" in said
        case "leaf":
            assert numbers == [signed(value)]
            assert (f"on turn {len(path)}" in said) == (bool(value) and not is_flat)
            assert ("wins" in said) == bool(value)
        case "first" | "better" | "as good" | "no better":
            mover = sides[(len(path) - 1) % 2]
            if kept := kept_from_above(search, step, signed):
                assert said.endswith(kept)
                numbers.pop()
            assert ("from above" in said) == bool(kept)
            assert said.startswith(f"Back to {mover}: {SQUARE_NAMES[path[-1]]} brings ")
            assert (f"{bound} {signed(value)}" in said) == (bound != "exact")
            assert numbers[0] == signed(value) and numbers[-1] == signed(after.best)
            assert ("now" in said) == (before.best != after.best)
            children = [child.path for child in search.root.at(path[:-1]).below]
            is_closed = after.alpha >= after.beta and path == children[-1]
            assert said.endswith("α ≥ β, but nothing is left to cut.") == is_closed
            assert ("and α are" in said) == (before.alpha != after.alpha)
            assert ("and β are" in said) == (before.beta != after.beta)
            assert ("lowest" in said) <= (len(path) % 2 == 0)
        case "cut":
            assert numbers == [signed(against), signed(value)]
            mine, theirs = sides[len(path) % 2], sides[(len(path) - 1) % 2]
            assert said.startswith(f"{theirs} has {signed(against)} by {SQUARE_NAMES[by[-1]]}; ")
            less = "less" if len(path) % 2 else "more"
            tie = f", at best the same: {theirs} gains nothing here"
            why = tie if value == against else f": {theirs} won't go here"
            assert f"{mine} takes {signed(value)} or {less}{why}" in said
            cut = ", ".join(SQUARE_NAMES[square] for square in rest)
            one = f", so {mine} in the {cut} is not looked at."
            is_one = len(rest) == 1 and value != against
            assert said.endswith(one if is_one else f". Cut: {cut}.")
            squares = {by[-1], *rest}
        case "end":
            move = SQUARE_NAMES[search.move]
            assert said.startswith(f"All values are in. {turn} picks the highest: {move}, ")
            squares = {*search.root.position.legal_moves()}
            check_others(search, said)
            if not is_flat and not re.search(BOUNDED, said):
                check_wins(str(search.root.position), said)
    named = set(re.findall(SQUARES, said.lower()))
    assert named <= {SQUARE_NAMES[square] for square in squares}
    assert kind == "end" or named == {SQUARE_NAMES[square] for square in squares}


def kept_from_above(search: Run, step: Step, told: Callable[[float], str]) -> str:
    """Return what is said of α or β where a better one came from above than a node has found."""
    best, alpha, beta = step.after
    bound, end = ("α", alpha) if search.root.at(step.here).is_max else ("β", beta)
    if not (best < alpha if bound == "α" else best > beta):
        return ""
    done = search.steps[: search.steps.index(step)]
    above = [step.here[:turns] for turns in range(len(step.here))]
    found = [it.after.best for it in done if it.kind in BACK and it.here in above]
    before = step.before.alpha if bound == "α" else step.before.beta
    assert end in found and end == before
    return f" {bound}, from above, stays {told(end)}."


def test_a_best_below_a_bound_from_far_above_leaves_that_as_it_is() -> None:
    values = read_tree("((6,9),(((4,8),(9,7)),5,1),3)").values
    assert values
    deep = Teller(OwnTree(values, True), algorithm="alpha-beta")
    said = "Back to D: E brings at most 4, the first value. Best is now 4. α, from above, stays 6."
    assert deep.said(14) == said


def check_others(search: Run, said: str) -> None:
    """Check that the last sentence leaves out no move as good, and none that is only bounded."""
    came = [step for step in search.steps if step.kind in BACK and not step.here]
    alike = [step for step in came if (step.value, step.bound) == (search.value, "exact")]
    open_ = [step for step in came if step.bound != "exact"]
    for words, steps in (("the same, later", alike[1:]), (BOUNDED, open_)):
        assert bool(re.search(words, said, re.IGNORECASE)) == bool(steps), said
        names = [SQUARE_NAMES[step.path[-1]] for step in steps]
        assert all(name in said.lower() for name in names) or f"{len(steps)} others" in said, said


def check_wins(board: str, said: str) -> None:
    """Check that all moves that win are counted where some win later than the move picked."""
    values = textbook.move_scores(board)
    wins = [value for value in values.values() if value > 0]
    count = f"{WORDS[len(wins)].capitalize()} of {WORDS[len(values)]}"
    if len(wins) == len(values):
        count = "Both" if len(values) == 2 else f"All {WORDS[len(values)]}"
    assert (f" {count} moves win" in said) == (len({*wins}) > 1)


def named(values: object) -> set[str]:
    return set(re.findall(r"\b[A-Z]{1,2}\b", str(values))) - {"MAX", "MIN"}


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_sentences_on_numbers_name_the_nodes_and_numbers_of_their_step(algorithm: Any) -> None:
    for number, values in enumerate(one_in(6, NUMBERS[:48])):
        teller = Teller(OwnTree(values, number % 2 == 0), algorithm=algorithm)
        called = names(teller.run.root)
        for done, step in enumerate(teller.run.steps, 1):
            said, role = teller.said(done), ("MIN", "MAX")[teller.run.root.at(step.here).is_max]
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
                is_closed = step.after.alpha >= step.after.beta
                last = teller.run.root.at(step.here).below[-1].path == step.path
                assert said.endswith("α ≥ β, but nothing is left to cut.") == (is_closed and last)
                said = said.removesuffix(" α ≥ β, but nothing is left to cut.")
                kept = kept_from_above(teller.run, step, own)
                assert said.endswith(kept) and ("from above" in said) == bool(kept)
                said = said.removesuffix(kept)
                assert said.rstrip(".").endswith(own(step.after.best))
            elif step.kind == "cut":
                up = len(step.path) - len(step.by) + 1
                above = called[step.by[:-1]] + (f", {WORDS[up]} levels up," if up > 1 else "")
                less = "more" if role == "MAX" else "less"
                assert said.startswith(f"{above} has {own(step.against)} from ")
                assert f". {called[step.path]} is {own(step.value)} or {less}" in said
                tie = f", at best the same: {called[step.by[:-1]]} gains nothing there."
                assert (tie in said) == (step.value == step.against)
                assert all(f"{called[path]}" in said for path in step.left_out)
            else:
                open_ = [it for it in teller.run.steps if it.kind in BACK and it.bound != "exact"]
                for path in (it.path for it in open_ if not it.here):
                    assert called[path] in said and re.search(BOUNDED, said), said


def test_a_bound_from_above_the_parent_says_how_many_levels_up() -> None:
    deep = Teller(Position.parse("OXO-X----"), depth=4, algorithm="alpha-beta")
    assert deep.said(39).startswith("X, three levels up, has +97 by middle left; O takes 0 or less")


@pytest.mark.long
def test_every_guess_is_the_difference_of_what_both_sides_have_and_no_win() -> None:
    for position in one_in(40, TO_PLAY):
        teller = Teller(position, depth=depths(position, merged=True)[-1])
        for node in teller.run.root.walk():
            said = teller.said("last", path=node.digits)
            assert not node.below or f"is {signed(node.value)}: {node.who} picks" in said
        guessed = 0
        for number, step in enumerate(teller.run.steps, 1):
            page = teller.page(number)
            if step.kind == "leaf" and not textbook.over(str(page.here.position)):
                guessed += 1
                side = position.turn
                mine, theirs = page.guess[side].worth, page.guess["XO".replace(side, "")].worth
                board = str(page.here.position)
                assert mine - theirs == step.value == textbook.guess(board, side)
                assert f"{mine} − {theirs} = {signed(step.value)}." in teller.said(number)
            assert page.guessed == guessed


# What is told of a node at the end


@pytest.mark.long
def test_at_every_node_the_soonest_wins_and_what_was_better_are_the_textbooks() -> None:
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
            assert found.score == textbook.minimax(board, textbook.turn(board), len(node.path))


@pytest.mark.long
def test_all_moves_that_win_are_counted_and_the_soonest_is_named() -> None:
    """Of boards such as 'XX-O--O--' the soonest move alone was said to win."""
    for position in SMALL:
        values = textbook.move_scores(str(position))
        wins = [square for square in values if values[square] > 0]
        soonest = [square for square in wins if values[square] == max(values.values())]
        if len(wins) > len(soonest):
            said = Teller(position).said("last", path="")
            count = "All" if len(wins) == len(values) else f"{WORDS[len(wins)].capitalize()} of"
            named = " or ".join(SQUARE_NAMES[square] for square in soonest[-2:])
            assert said.startswith(f"{count} {WORDS[len(values)]} moves win for {position.turn}; ")
            assert f"soonest {', '.join(SQUARE_NAMES[s] for s in soonest[:-2])}" in said
            assert named in said


# From step to step


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
def test_before_each_value_and_cut_one_answer_is_right(kind: Kind) -> None:
    for position in one_in(8, SMALL[KINDS.index(kind) :: 20]):
        search = run_of(position, *kind)
        for done in range(len(search.steps) + 1):
            asked, expected = prediction(search, done), right(search, done)
            assert (asked.right if asked else None) == expected
            for answer in asked.answers if asked else ():
                assert asked and judge_answer(search, asked, None) is None
                assert (judge_answer(search, asked, answer) == "right") == (answer == expected)


def test_each_move_is_judged_by_the_value_that_it_brought() -> None:
    search = run_of(CLASSIC, "minimax", "depth", "squares")
    for square in CLASSIC.legal_moves():
        assert brought(search, str(square)).path == (square,)
    wrong: list[tuple[int, str, Rating]] = [
        (7, "7", "took"), (7, "9", "neither"), (10, "-8", "kept"), (19, "1", "lower"),
    ]  # fmt: skip
    for done, answer, judgement in wrong:
        asked = prediction(search, done)
        assert asked and judge_answer(search, asked, answer) == judgement
