"""The sentences and links at every step of a search, against the textbook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import inf
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask, current_app
from werkzeug.datastructures import MultiDict

from engine.notation import signed
from engine.position import SQUARE_NAMES, Position
from teach.estimates import drawable_depths
from teach.numbers import node_names, parse_tree
from teach.scenes import summarize
from teach.searches import ALGORITHMS, RETURNED, Run, Step
from teach.trees import Path, tree
from teach.watch import node_steps, press_steps, state_after
from tests import textbook
from tests.positions import UNFINISHED_CANONICAL, sample
from tests.sentences import NUMBERS as WORDS
from tests.sentences import assert_sentences_match, plain_text
from tests.test_searches import ALL_SETTINGS, CLASSIC, NUMBERS, SMALL, run_of
from web.study.own import OwnTree
from web.study.place import Place
from web.study.search_view import SearchPage, search_view
from web.view import mistakes
from web.view.words import the

BOUNDED = "Bounds: |returned only (a bound, no better|bounds)"
PICK = re.compile(r" Pick a (board|node) to see its value, and why\.$")
TIED = "ties?, but came later|Tied, but later"
SQUARES = "|".join(sorted(SQUARE_NAMES, key=len, reverse=True))  # "center" is part of "top center"
LARGE = Position.parse("XO-" "-OX" "X--")  # fmt: skip


@pytest.fixture(autouse=True)
def in_a_request(app: Flask) -> Iterator[None]:
    """Run each test in one request, because one per step takes 50% longer."""
    with app.test_request_context():
        yield


class SearchReader:
    """A reader of the search page of a board or of a tree of numbers."""

    def __init__(self, board_or_tree: Position | OwnTree, **settings: object) -> None:
        self.settings = settings
        if isinstance(board_or_tree, OwnTree):
            self.place: OwnTree | Place = board_or_tree
        else:
            self.place = Place(board_or_tree, (), 0, "search", None, None, ())

    @cached_property
    def run(self) -> Run:
        return self.page(0).run

    def page(self, step: object, **more: object) -> SearchPage:
        settings = self.settings | more | {"step": step}
        _, values = search_view(self.place, MultiDict({k: str(v) for k, v in settings.items()}))
        page = values["page"]
        assert isinstance(page, SearchPage)
        return page

    def message(self, step: object, **more: object) -> str:
        page = self.page(step, **more)
        template = current_app.jinja_env.get_template("study/_search.html")
        context = {"page": page, "place": self.place, "mistakes": mistakes}
        macros: Any = template.make_module(context)
        return plain_text(macros.message())


# What is said

# Searches to read from the first step to the last, with each node clicked.
SEARCHES = """
O-XX--XOO O-XX--XOO?algorithm=alpha-beta OXX--OOX-?algorithm=alpha-beta O-XX--XOO?depth=2
XXOOO-XX- XXOOO-XX-?scoring=flat -X---XOOX -X---XOOX?scoring=flat
O--X-XOOX?scoring=flat O--X-XOOX?scoring=flat&algorithm=alpha-beta&order=worst
---------?algorithm=alpha-beta ---------?depth=1 ----X----?algorithm=alpha-beta&order=best
((3,12,8),(2,4,6),(14,5,2)) ((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta
((3,12,8),(2,4,6),(14,5,2))?algorithm=alpha-beta&top=min (3,(3,5),(3,1))?top=min
(3,(3,5))?algorithm=alpha-beta (3,(3,5),(3,5),(2,3))?algorithm=alpha-beta
(5,(((4,9),3),7),(5,6),5,(6,2))?algorithm=alpha-beta (3,(3,4),(2,1))?algorithm=alpha-beta
XOXOX----?depth=2&algorithm=alpha-beta
""".split()


def sentences_about(address: str) -> Iterator[tuple[str, str]]:
    """Yield all sentences about a search, with their places."""
    where, _, query = address.partition("?")
    settings: dict[str, object] = dict(parse_qsl(query))
    values = parse_tree(where).values if "(" in where else None
    is_max = settings.get("top") != "min"
    reader = SearchReader(OwnTree(values, is_max) if values else Position.parse(where), **settings)
    for step in range(len(reader.run.steps) + 1):
        yield f"{address} step {step}", reader.message(step)
    for node in reader.run.root.walk():
        yield f"{address} press {node.path}", reader.message("last", path=node.digits)


def test_every_kind_of_sentence_matches_the_snapshot() -> None:
    assert_sentences_match(
        "search", [sentence for address in SEARCHES for sentence in sentences_about(address)]
    )


def readers() -> Iterator[SearchReader]:
    for number, position in enumerate(sample(20, SMALL)):
        algorithm, scoring, order = ALL_SETTINGS[number % len(ALL_SETTINGS)]
        yield SearchReader(position, algorithm=algorithm, scoring=scoring, order=order)
    for number, values in enumerate(sample(6, NUMBERS[:48])):
        for algorithm in ALGORITHMS:
            yield SearchReader(OwnTree(values, number % 2 == 0), algorithm=algorithm)


@pytest.mark.long
def test_every_sentence_is_short_and_has_the_numbers_of_its_step() -> None:
    for reader in readers():
        for done, step in enumerate(reader.run.steps, 1):
            sentence = PICK.sub("", reader.message(done))
            # A tie has a reason; 125 characters still fit on three lines of a phone.
            max_length = 130 if isinstance(reader.place, OwnTree) else 115
            if "If that reached" in sentence:  # explains a deep cutoff
                max_length = 145
            elif "at best a tie" in sentence:
                max_length = max(125, max_length)
            assert len(sentence) <= max_length, sentence
            before = [other.kind for other in reader.run.steps[: done - 1]]
            check(reader.run, step, sentence, reader.settings.get("scoring") == "depth", before)


def check(
    search: Run, step: Step, sentence: str, counts_turns: bool, before_it: Sequence[str]
) -> None:
    """Check that a sentence has the values, nodes and sides of its step, and no others."""
    root = search.root
    kind, path, value, before, after, bound, pruned, source_path, limit = step
    is_own, is_max = not isinstance(root.content, Position), root.at(step.stack_top).is_max
    sides = "" if is_own else root.position.turn + textbook.other(root.position.turn)
    squares = {node.path: the(node.path[-1]) for node in root.walk() if node.path}
    names = node_names(root) if is_own else squares

    def who(path: Path) -> str:
        return names[path] if is_own else sides[len(path) % 2]

    def num(value: float) -> str:
        return signed(value).removeprefix("+") if is_own else signed(value)

    picks, other_side_picks = ("highest", r"\blow") if is_max else ("lowest", r"\bhigh")
    paths_to_name = {path, step.stack_top} if is_own else {path}
    match kind:
        case "enter":
            is_said = before_it.count("enter") < 2
            _, _, passed = sentence.partition(". The window is ")
            ends = [
                "−∞" if bound == -inf else "+∞" if bound == inf else num(bound)
                for bound in after[1:]
            ]
            window = f"{'passed down' if path else 'open'}: [{', '.join(ends)}]."
            assert passed == (window if search.algorithm == "alpha-beta" else "")
            assert who(path) in sentence
            assert (f"picks the {picks}. Best so far: none yet." in sentence) == is_said
            assert not is_own or f" {'MAX' if is_max else 'MIN'}" in sentence
        case "leaf" if is_own:
            paths_to_name = {path[:-1]}
            assert sentence == f"A leaf of {names[path[:-1]]}: {num(value)}."
        case "leaf":
            numbers = re.findall(r"[+−]\d+|\b0\b", re.sub(r"\d+ − \d+ = ", "", sentence))
            assert numbers == [signed(value)]
            assert (f"on turn {len(path)}" in sentence) == (bool(value) and counts_turns)
            assert ("wins" in sentence) == bool(value)
        case "cut":
            above, up = source_path[:-1], len(path) - len(source_path) + 1
            levels = f", {WORDS[up]} levels up," if up > 1 and not is_own else ""
            levels = " already" if up == 1 and not is_own else levels
            source = "" if is_own else f"{names[source_path]}. "
            assert sentence.startswith(f"{who(above)}{levels} has {num(limit)} from {source}")
            result_text = f"{who(path)} {'is' if is_own else 'gets'} {num(value)}"
            assert f"{result_text} or {'more' if is_max else 'less'}" in sentence
            tie = f", at best a tie, so {who(above)} gains nothing"
            assert (tie in sentence) == (value == limit and up == 1)
            first = path[: len(above) + 1]
            gains = "gain nothing" if value == limit else "not pick" if is_own else "not go there"
            deep = f"If that reached {names[first]}, "
            assert (deep in sentence and f"{who(above)} would {gains}" in sentence) == (up > 1)
            cut = (
                ", ".join(SQUARE_NAMES[left[-1]] for left in step.pruned_paths)
                if not is_own
                else ""
            )
            at = mistakes.at(pruned[0]) if not is_own else ""
            only_cut = f": {who(above)} won’t go here, so {who(path)} {at} is pruned."
            is_one = len(pruned) == 1 and value != limit and up == 1
            is_counted = not is_own and value == limit and len(pruned) > 1
            cut = f"{len(pruned)} more moves" if is_counted else cut
            assert is_own or sentence.endswith(only_cut if is_one else f". Pruned: {cut}.")
            paths_to_name = {source_path, *(() if is_counted else step.pruned_paths)} | (
                {above, path} if is_own else set()
            )
            paths_to_name |= {first} if up > 1 else set()
        case "end":
            move, paths_to_name = (search.best_move,), {node.path for node in (root, *root.below)}
            is_leaf = is_own and not root.at(move).below
            best = num(value) if is_leaf else f"{names[move]}, {num(value)}"
            assert sentence.startswith(f"The search is over. {who(())} picks the {picks}: {best}.")
            check_others(search, sentence, names)
            if counts_turns and not re.search(BOUNDED, sentence):
                check_wins(str(root.position), sentence)
        case _:
            name = "the leaf" if is_own and not root.at(path).below else names[path]
            result = f"{bound} {num(value)}" if bound != "exact" else num(value)
            assert sentence.startswith(f"Back to {who(step.stack_top)}: {name} returns {result}")
            assert ("now" in sentence) == (before.best != after.best)
            assert ("and α are" in sentence) == (before.alpha != after.alpha)
            assert ("and β are" in sentence) == (before.beta != after.beta)
            end, sign = (after.alpha, "α") if is_max else (after.beta, "β")
            is_above = after.best < end if is_max else after.best > end
            stays = f" {sign}, from above, stays {num(end)}." if is_above else ""
            is_closed = after.alpha >= after.beta and path == root.at(step.stack_top).below[-1].path
            nothing_left = " α ≥ β, but nothing is left to prune." if is_closed else ""
            assert sentence.endswith(f" {num(after.best)}.{nothing_left}{stays}")
            is_said = sum(before_it.count(kind) for kind in ("better", "no better")) < 2
            assert (f" picks the {picks}" in sentence) <= is_said or kind not in (
                "better",
                "no better",
            )
            assert ("from above" in sentence, "nothing is left" in sentence) == (
                is_above,
                is_closed,
            )
    assert not re.search(other_side_picks, sentence)
    name_pattern = r"\b[B-Z]\b|\b[A-Z]{2}\b" if is_own else SQUARES  # "A" may be a word
    names_said = {*re.findall(name_pattern, sentence if is_own else sentence.lower())}
    bare = {path: name.removeprefix("the ") for path, name in names.items()}
    expected = {bare[path] for path in paths_to_name if path in bare}
    expected = {name for name in expected if re.fullmatch(name_pattern, name)}
    assert names_said <= expected if kind == "end" else names_said == expected


def check_others(search: Run, sentence: str, names: Mapping[Path, str]) -> None:
    """Check that the last sentence leaves out no move as good, and none that is only bounded."""
    returns = [step for step in search.steps if step.kind in RETURNED and not step.stack_top]
    tied = [step for step in returns if (step.value, step.bound) == (search.value, "exact")]
    bounded = [step for step in returns if step.bound != "exact"]
    for words, steps in ((TIED, tied[1:]), (BOUNDED, bounded)):
        assert bool(re.search(words, sentence, re.IGNORECASE)) == bool(steps), sentence
        names_shown = [names[step.path].lower() in sentence.lower() for step in steps]
        leaves = [step for step in steps if not search.root.at(step.path).below]
        others = "a leaf" if len(leaves) == 1 else f"{len(leaves)} leaves"
        assert all(names_shown) or f"{len(steps)} others" in sentence or others in sentence, (
            sentence
        )


def check_wins(board: str, sentence: str) -> None:
    """Check that all winning moves are counted, even if some win later than the move picked."""
    values = textbook.move_scores(board)
    wins = [value for value in values.values() if value > 0]
    count = f"{WORDS[len(wins)].capitalize()} of {WORDS[len(values)]}"
    if len(wins) == len(values):
        count = "Both" if len(values) == 2 else f"All {WORDS[len(values)]}"
    assert (f" {count} moves win" in sentence) == (len({*wins}) > 1)


@pytest.mark.long
def test_every_estimate_is_the_difference_of_both_sides_and_not_a_win() -> None:
    for position in sample(40, UNFINISHED_CANONICAL):
        reader = SearchReader(position, depth=drawable_depths(position, merges_symmetric=True)[-1])
        for node in reader.run.root.walk():
            is_estimate = abs(node.value) < 91 and not all(
                textbook.is_over(str(leaf.position)) for leaf in node.leaves
            )
            picks = f"is {'~' * is_estimate}{signed(node.value)}: {node.mover} picks"
            assert not node.below or picks in reader.message("last", path=node.digits)
        estimate_count = 0
        for number, step in enumerate(reader.run.steps, 1):
            if step.kind == "leaf":
                page = reader.page(number)
                board = str(page.node_in_view.position)
                estimate_count += not textbook.is_over(board)
                assert page.estimate_count == estimate_count
            if step.kind == "leaf" and not textbook.is_over(board):
                x_lines, o_lines = (page.open_lines[mark].worth for mark in "XO")
                assert x_lines - o_lines == step.value == textbook.estimate(board, "X")
                assert f"{x_lines} − {o_lines} = ~{signed(step.value)}." in reader.message(number)


# What is said about a node at the end


@pytest.mark.long
def test_fastest_wins_and_better_moves_match_the_textbook_at_every_node() -> None:
    for position in SMALL[::2]:
        root = tree(position)
        for node in root.walk():
            summary, board = summarize(root, node.path), str(node.position)
            scores = textbook.move_scores(board) if node.below else {}
            top = max(scores.values(), default=0)
            assert summary.move_count == len(scores)
            assert list(summary.best_moves) == [s for s in scores if scores[s] == top]
            if top > 0:
                assert list(summary.decisive_moves) == [s for s in scores if scores[s] > 0]
            before = str(position.after(node.path[:-1]))
            siblings = textbook.move_scores(before) if node.path else {}
            best = max(siblings.values(), default=None)
            is_worse = node.path and siblings[node.path[-1]] != best
            assert list(summary.better_moves) == [
                s for s in siblings if is_worse and siblings[s] == best
            ]
            assert summary.sibling_count == len(siblings)
            assert summary.score == textbook.minimax(board, textbook.turn(board), len(node.path))


@pytest.mark.long
def test_all_winning_moves_are_counted_and_the_fastest_name_patternd() -> None:
    """On boards such as 'XX-O--O--', only the fastest winning move used to be named."""
    for position in SMALL:
        values = textbook.move_scores(str(position))
        wins = [square for square in values if values[square] > 0]
        soonest = [square for square in wins if values[square] == max(values.values())]
        if len(wins) > len(soonest):
            sentence = SearchReader(position).message("last", path="")
            count = "All" if len(wins) == len(values) else f"{WORDS[len(wins)].capitalize()} of"
            last_names = " or ".join(map(the, soonest[-2:]))
            assert sentence.startswith(
                f"{count} {WORDS[len(values)]} moves win for {position.turn}; "
            )
            assert f"soonest {', '.join(map(the, soonest[:-2]))}" in sentence
            assert last_names in sentence


# From step to step


def test_pressing_a_board_goes_to_the_step_that_entered_or_left_it() -> None:
    for kind, position in product(ALL_SETTINGS, (CLASSIC, LARGE)):
        search = run_of(position, *kind)
        kinds, steps_of = [step.kind for step in search.steps], node_steps(search)
        assert all(search.steps[n - 1].path == path for path in steps_of for n in steps_of[path])
        assert steps_of[()][1] == len(kinds)
        for step in (0, 1, len(kinds) // 2, len(kinds)):
            assert press_steps(search, step) == {
                path: back if back < step else entered for path, (entered, back) in steps_of.items()
            }
            back = steps_of[state_after(search, step).scene.path_in_view][1]
            cuts = [n for n in range(step + 1, back) if kinds[n - 1] == "cut"]
            assert state_after(search, step).skip_step == min([*cuts, back])
    assert (5, 4) not in press_steps(run_of(CLASSIC, "alpha-beta", "depth", "squares"), 3)
