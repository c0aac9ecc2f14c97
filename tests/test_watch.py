"""The sentences and links at every step of a search, against the textbook."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
from teach.searches import ALGORITHMS, RETURNED, Run
from teach.trees import Path, tree
from teach.watch import node_steps, press_steps, state_after
from tests import textbook
from tests.positions import UNFINISHED_CANONICAL, sample
from tests.sentences import NUMBER_WORDS, assert_sentences_match, plain_text
from tests.test_searches import ALL_SETTINGS, CLASSIC, MIN_WIN_VALUE, NUMBER_TREES, SMALL, run_of
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
    for number, values in enumerate(sample(6, NUMBER_TREES[:48])):
        for algorithm in ALGORITHMS:
            yield SearchReader(OwnTree(values, number % 2 == 0), algorithm=algorithm)


@pytest.mark.long
def test_every_sentence_is_short_and_says_what_its_step_did() -> None:
    for reader in readers():
        for step_number in range(1, len(reader.run.steps) + 1):
            sentence = PICK.sub("", reader.message(step_number))
            assert len(sentence) <= max_length(sentence, reader), sentence
            StepSentence(reader, step_number, sentence).check()


def max_length(sentence: str, reader: SearchReader) -> int:
    """Return how long a sentence may be, in characters; 125 fit on three lines of a phone."""
    if "If that reached" in sentence:  # explains a deep cutoff
        return 145
    if isinstance(reader.place, OwnTree):
        return 130
    return 125 if "at best a tie" in sentence else 115


class StepSentence:
    """The sentence about a step, and how it must name the step's values, nodes and sides."""

    def __init__(self, reader: SearchReader, step_number: int, sentence: str) -> None:
        self.run = reader.run
        self.step = self.run.steps[step_number - 1]
        self.sentence = sentence
        self.counts_turns = reader.settings.get("scoring") == "depth"
        self.earlier_kinds = [step.kind for step in self.run.steps[: step_number - 1]]
        self.is_of_numbers = not isinstance(self.run.root.content, Position)
        if self.is_of_numbers:
            self.names = dict(node_names(self.run.root))
        else:
            nodes = self.run.root.walk()
            self.names = {node.path: the(node.path[-1]) for node in nodes if node.path}
        self.is_max = self.run.root.at(self.step.stack_top).is_max
        self.extreme = "highest" if self.is_max else "lowest"

    def check(self) -> None:
        """Check the sentence: what it says of its step, and that it names no other node."""
        match self.step.kind:
            case "enter":
                paths = self.check_entry()
            case "leaf" if self.is_of_numbers:
                paths = self.check_number_leaf()
            case "leaf":
                paths = self.check_board_leaf()
            case "cut":
                paths = self.check_cutoff()
            case "end":
                paths = self.check_end()
            case _:
                paths = self.check_return()
        assert not re.search(r"\blow" if self.is_max else r"\bhigh", self.sentence)
        self.check_names(paths)

    def chooser(self, path: Path) -> str:
        """Return what the sentence calls the side to choose; a tree of numbers names the node."""
        if self.is_of_numbers:
            return self.names[path]
        turn = self.run.root.position.turn
        return (turn + textbook.other(turn))[len(path) % 2]

    def number(self, value: float) -> str:
        """Return a value as the sentence writes it."""
        return signed(value).removeprefix("+") if self.is_of_numbers else signed(value)

    def is_leaf(self, path: Path) -> bool:
        return not self.run.root.at(path).below

    def check_entry(self) -> set[Path]:
        """Check the sentence about a node just entered; return the nodes that it names."""
        step, sentence = self.step, self.sentence
        _, _, window = sentence.partition(". The window is ")
        ends = [
            {-inf: "−∞", inf: "+∞"}.get(end) or self.number(end)
            for end in (step.after.alpha, step.after.beta)
        ]
        source = "passed down" if step.path else "open"
        is_alpha_beta = self.run.algorithm == "alpha-beta"
        assert window == (f"{source}: [{', '.join(ends)}]." if is_alpha_beta else "")
        assert self.chooser(step.path) in sentence
        explains = f"picks the {self.extreme}. Best so far: none yet." in sentence
        assert explains == (self.earlier_kinds.count("enter") < 2)
        if self.is_of_numbers:
            assert f" {'MAX' if self.is_max else 'MIN'}" in sentence
        return {step.path}

    def check_number_leaf(self) -> set[Path]:
        """Check the sentence about a leaf of a tree of numbers; return the nodes that it names."""
        parent = self.step.path[:-1]
        assert self.sentence == f"A leaf of {self.names[parent]}: {self.number(self.step.value)}."
        return {parent}

    def check_board_leaf(self) -> set[Path]:
        """Check the sentence about a finished board; return the nodes that it names."""
        value, path = self.step.value, self.step.path
        without_calculation = re.sub(r"\d+ − \d+ = ", "", self.sentence)
        assert re.findall(r"[+−]\d+|\b0\b", without_calculation) == [signed(value)]
        says_turn = f"on turn {len(path)}" in self.sentence
        assert says_turn == (bool(value) and self.counts_turns)
        assert ("wins" in self.sentence) == bool(value)
        return {path}

    def check_cutoff(self) -> set[Path]:
        """Check the sentence about a cutoff; return the nodes that it names."""
        _, path, value, _, _, _, pruned_moves, source_path, limit = self.step
        sentence, node, number = self.sentence, self.chooser(path), self.number
        above_path = source_path[:-1]
        above = self.chooser(above_path)
        level_count = len(path) - len(source_path) + 1
        is_deep, is_tie = level_count > 1, value == limit
        if self.is_of_numbers:
            assert sentence.startswith(f"{above} has {number(limit)} from ")
        else:
            levels = f", {NUMBER_WORDS[level_count]} levels up," if is_deep else " already"
            source = f"{self.names[source_path]}. "
            assert sentence.startswith(f"{above}{levels} has {number(limit)} from {source}")
        verb = "is" if self.is_of_numbers else "gets"
        assert f"{node} {verb} {number(value)} or {'more' if self.is_max else 'less'}" in sentence
        says_tie = f", at best a tie, so {above} gains nothing" in sentence
        assert says_tie == (is_tie and not is_deep)
        # A deep cutoff is explained by what the node above would do at its child on the path.
        child_path = path[: len(above_path) + 1]
        refuses = "not pick" if self.is_of_numbers else "not go there"
        says_deep = f"If that reached {self.names[child_path]}, " in sentence
        says_why = f"{above} would {'gain nothing' if is_tie else refuses}" in sentence
        assert (says_deep and says_why) == is_deep
        paths = {source_path, child_path} if is_deep else {source_path}
        if self.is_of_numbers:
            return paths | {above_path, path} | {*self.step.pruned_paths}
        if is_tie and len(pruned_moves) > 1:
            assert sentence.endswith(f". Pruned: {len(pruned_moves)} more moves.")
            return paths
        if len(pruned_moves) == 1 and not is_tie and not is_deep:
            square = mistakes.at(pruned_moves[0])
            assert sentence.endswith(f": {above} won’t go here, so {node} {square} is pruned.")
        else:
            squares = ", ".join(SQUARE_NAMES[pruned[-1]] for pruned in self.step.pruned_paths)
            assert sentence.endswith(f". Pruned: {squares}.")
        return paths | {*self.step.pruned_paths}

    def check_end(self) -> set[Path]:
        """Check the sentence about the finished search; return the nodes that it may name."""
        move, root = (self.run.best_move,), self.run.root
        value = self.number(self.step.value)
        is_number_leaf = self.is_of_numbers and self.is_leaf(move)
        best = value if is_number_leaf else f"{self.names[move]}, {value}"
        assert self.sentence.startswith(
            f"The search is over. {self.chooser(())} picks the {self.extreme}: {best}."
        )
        check_others(self.run, self.sentence, self.names)
        if self.counts_turns and not re.search(BOUNDED, self.sentence):
            check_wins(str(root.position), self.sentence)
        return {node.path for node in (root, *root.below)}

    def check_return(self) -> set[Path]:
        """Check the sentence about a value returned to a node; return the nodes that it names."""
        kind, path, value, before, after, bound, *_ = self.step
        sentence, parent = self.sentence, self.step.stack_top
        name = "the leaf" if self.is_of_numbers and self.is_leaf(path) else self.names[path]
        result = self.number(value) if bound == "exact" else f"{bound} {self.number(value)}"
        assert sentence.startswith(f"Back to {self.chooser(parent)}: {name} returns {result}")
        assert ("now" in sentence) == (before.best != after.best)
        assert ("and α are" in sentence) == (before.alpha != after.alpha)
        assert ("and β are" in sentence) == (before.beta != after.beta)
        end, letter = (after.alpha, "α") if self.is_max else (after.beta, "β")
        is_from_above = after.best < end if self.is_max else after.best > end
        is_last_child = path == self.run.root.at(parent).below[-1].path
        is_closed = after.alpha >= after.beta and is_last_child
        closed = " α ≥ β, but nothing is left to prune." if is_closed else ""
        stays = f" {letter}, from above, stays {self.number(end)}." if is_from_above else ""
        assert sentence.endswith(f" {self.number(after.best)}.{closed}{stays}")
        assert ("nothing is left" in sentence) == is_closed
        assert ("from above" in sentence) == is_from_above
        if kind in ("better", "no better") and f" picks the {self.extreme}" in sentence:
            earlier = [kind for kind in self.earlier_kinds if kind in ("better", "no better")]
            assert len(earlier) < 2
        return {path, parent} if self.is_of_numbers else {path}

    def check_names(self, paths: set[Path]) -> None:
        """Check that the sentence names these nodes and no others; the last one may name fewer."""
        if self.is_of_numbers:
            pattern, text = r"\b[B-Z]\b|\b[A-Z]{2}\b", self.sentence  # "A" may be a word
        else:
            pattern, text = SQUARES, self.sentence.lower()
        names = {self.names[path].removeprefix("the ") for path in paths if path in self.names}
        expected = {name for name in names if re.fullmatch(pattern, name)}
        named = {*re.findall(pattern, text)}
        assert named <= expected if self.step.kind == "end" else named == expected


def check_others(search: Run, sentence: str, names: Mapping[Path, str]) -> None:
    """Check that the last sentence leaves out no move that is as good or has only a bound."""
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
    count = f"{NUMBER_WORDS[len(wins)].capitalize()} of {NUMBER_WORDS[len(values)]}"
    if len(wins) == len(values):
        count = "Both" if len(values) == 2 else f"All {NUMBER_WORDS[len(values)]}"
    assert (f" {count} moves win" in sentence) == (len({*wins}) > 1)


@pytest.mark.long
def test_every_estimate_is_the_difference_of_both_sides_and_not_a_win() -> None:
    for position in sample(40, UNFINISHED_CANONICAL):
        reader = SearchReader(position, depth=drawable_depths(position, merges_symmetric=True)[-1])
        for node in reader.run.root.walk():
            is_estimate = abs(node.value) < MIN_WIN_VALUE and not all(
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
                x_lines, o_lines = (page.open_lines[mark].points for mark in "XO")
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
            best_score = max(scores.values(), default=0)
            assert summary.move_count == len(scores)
            assert list(summary.best_moves) == [s for s in scores if scores[s] == best_score]
            if best_score > 0:
                assert list(summary.decisive_moves) == [s for s in scores if scores[s] > 0]
            before = str(position.after(node.path[:-1]))
            siblings = textbook.move_scores(before) if node.path else {}
            best_sibling = max(siblings.values(), default=None)
            is_worse = node.path and siblings[node.path[-1]] != best_sibling
            assert list(summary.better_moves) == [
                s for s in siblings if is_worse and siblings[s] == best_sibling
            ]
            assert summary.sibling_count == len(siblings)
            assert summary.score == textbook.minimax(board, textbook.turn(board), len(node.path))


@pytest.mark.long
def test_all_winning_moves_are_counted_and_the_fastest_are_named() -> None:
    """On boards such as 'XX-O--O--', only the fastest winning move used to be named."""
    for position in SMALL:
        values = textbook.move_scores(str(position))
        wins = [square for square in values if values[square] > 0]
        soonest = [square for square in wins if values[square] == max(values.values())]
        if len(wins) > len(soonest):
            sentence = SearchReader(position).message("last", path="")
            win_count = NUMBER_WORDS[len(wins)].capitalize()
            count = "All" if len(wins) == len(values) else f"{win_count} of"
            last_names = " or ".join(map(the, soonest[-2:]))
            assert sentence.startswith(
                f"{count} {NUMBER_WORDS[len(values)]} moves win for {position.turn}; "
            )
            assert f"soonest {', '.join(map(the, soonest[:-2]))}" in sentence
            assert last_names in sentence


# From step to step


def test_pressing_a_board_goes_to_the_step_that_entered_or_left_it() -> None:
    for settings, position in product(ALL_SETTINGS, (CLASSIC, LARGE)):
        search = run_of(position, *settings)
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
