"""Practice: its questions, every answer to them, every sentence, and rounds of ten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import product
from math import inf
from random import Random
from typing import Any, get_args
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from engine.position import SQUARE_NAMES, Position
from teach.lesson.trees import build_tree
from teach.numbers import format_tree, node_names, parse_tree
from teach.puzzles import cuts, rounds
from teach.puzzles.cuts import CutPuzzle, CutRemark
from teach.puzzles.moves import Consequence, consequence, move_puzzle, saving_moves
from teach.puzzles.random_trees import PuzzleTree, draw_value_tree, random_tree
from teach.puzzles.rounds import (
    MIN_FIRST,
    ROUNDS,
    Kind,
    Question,
    asks_for_numbers,
    positions_by_difficulty,
    round_questions,
)
from teach.puzzles.values import ADDRESS_KEYS, value_choices, value_puzzle
from teach.scenes import scene_after
from teach.searches import RETURNED, run
from tests import positions, textbook
from tests.conftest import ScriptedRandom, parse, text_of
from tests.positions import UNFINISHED, all_or_canonical, sample
from tests.sentences import (
    NUMBERS,
    assert_sentences_match,
)
from web.puzzles import words
from web.puzzles.routes import EXAMPLE_TREE, Round
from web.view.right_move import pressable_cells
from web.view.words import elsewhere_sentence, wrong_square_sentence

KINDS: tuple[Kind, ...] = get_args(Kind)


@cache
def boards_asked(kind: Kind, difficulty: str | None = None) -> list[str]:
    """Return all boards that are asked, in every orientation."""
    return [
        str(position)
        for name, groups in positions_by_difficulty(kind).items()
        if difficulty in (None, name)
        for images in groups
        for position in images
    ]


def one_of_each(kind: Kind) -> list[str]:
    """Return one orientation of each board that is asked; which one varies from board to board."""
    groups = [images for groups in positions_by_difficulty(kind).values() for images in groups]
    return [str(images[n % len(images)]) for n, images in enumerate(groups)]


def boards_to_test(kind: Kind) -> list[str]:
    """Return the boards to test completely; in `make soak` in every orientation."""
    return boards_asked(kind) if positions.is_soak else one_of_each(kind)


def result(board: str) -> int:
    """Return the value of a board for X, by the textbook."""
    return textbook.sign(textbook.minimax(board, "X"))


# Find the only move


def right_squares(board: str) -> tuple[int, ...]:
    """Return the moves that keep a win or a draw that others give away, by the textbook."""
    moves = textbook.children(board)
    keep = textbook.sound_moves(board) if moves else ()
    return keep if len(keep) < len(moves) else ()


def find_difficulty(board: str) -> str:
    (square,) = right_squares(board)
    child = textbook.children(board)[square]
    if textbook.winner(child):
        return "completes"
    mark, other = textbook.turn(board), textbook.turn(child)
    others = [v for s, v in textbook.move_scores(board).items() if s != square]
    if square in textbook.winning_squares(board, other) and max(others) < 0:
        return "blocks"
    is_fork = len(textbook.winning_squares(child, mark)) > 1
    return "forks" if is_fork and textbook.move_scores(board)[square] == 7 else "quiet"


@pytest.mark.long
def test_there_are_166_wins_and_63_draws_to_find() -> None:
    boards = {min(textbook.symmetric_boards(board)) for board in textbook.all_boards()}
    only = {b for b in boards if len(right_squares(b)) == 1 and len(textbook.children(b)) >= 3}
    wins = {board for board in only if max(textbook.move_scores(board).values()) > 0}
    assert (len(wins), len(only - wins)) == (166, 63)
    for board in boards:
        assert saving_moves(Position.parse(board)) == right_squares(board)
    assert sorted(boards_asked("moves")) == sorted(
        {i for board in only for i in textbook.symmetric_boards(board)}
    )
    for difficulty in {*ROUNDS["moves"]}:
        assert {find_difficulty(board) for board in boards_asked("moves", difficulty)} == {
            difficulty
        }


def find_questions() -> Iterator[tuple[str, str, str, tuple[int, ...]]]:
    """Yield each board with a choice, its two sides, and the squares that keep the result."""
    for board in map(str, all_or_canonical(UNFINISHED)):
        if right := right_squares(board):
            you = textbook.turn(board)
            yield board, you, textbook.other(you), right


def is_true_refutation(
    board: str, square: int, follow_up: Consequence, sentence: str, they: str
) -> bool:
    """Return whether the sentence about a wrong square is true; `follow_up` is what it allows."""
    below = textbook.children(board)[square]
    you, other = textbook.turn(board), textbook.turn(below)
    s = "" if they == "I" else "s"
    after = textbook.children(below)[follow_up.reply]

    def has_two_wins(board: str) -> bool:
        return len(textbook.winning_squares(board, other)) == 2 and not textbook.winning_squares(
            board, you
        )

    def can_fork(board: str) -> bool:
        return any(map(has_two_wins, textbook.children(board).values()))

    def named(square: int) -> str:
        return "the center" if square == 4 else SQUARE_NAMES[square]

    blocks = follow_up.reply in textbook.winning_squares(below, you)
    first = f"{they} block{s}" if blocks else f"{they} take{s} {named(follow_up.reply)}"
    now = " or ".join(map(named, textbook.winning_squares(below, other)))
    must = textbook.winning_squares(after, other)
    return {
        f"{they} win{s} at {now}.": bool(now),
        f"{first}, and then {they} can win in two places.": has_two_wins(after),
        f"{they} make{s} you block, and then {they} can win in two places.": (
            len(must) == 1
            and not textbook.winning_squares(after, you)
            and can_fork(textbook.children(after).get(must[0], after))
        ),
        f"Whatever you reply, {they} can then win in two places.": (
            not must and all(map(can_fork, textbook.children(after).values()))
        ),
        f"{first}, and your win is gone.": (
            max(textbook.move_scores(board).values()) > 0
            and textbook.move_scores(board)[square] == 0
            and follow_up.reply in textbook.best(below)
        ),
    }[sentence]


@pytest.mark.parametrize(
    ("board", "square", "sentence"),
    [
        ("----X----", 1, "I make you block, and then I can win in two places."),
        ("-X-O-----", 5, "I take bottom right, and your win is gone."),
        ("OX---X---", 2, "I take the center, and then I can win in two places."),
        ("OX---X---", 3, "Whatever you reply, I can then win in two places."),
        ("XO-X-X-O-", 8, "I win at the center or bottom left."),
    ],
)
def test_every_kind_of_refutation_has_an_example(board: str, square: int, sentence: str) -> None:
    assert wrong_square_sentence(consequence(Position.parse(board), square), "I") == sentence


@pytest.mark.long
def test_the_answer_to_every_wrong_square_is_true() -> None:
    """On the pages of puzzles X or O replies; in a game, Perfect does, and says "I"."""
    sentences = set[str]()
    for board, you, other, right in find_questions():
        position = Position.parse(board)
        for square in {*textbook.children(board)} - {*right}:
            follow_up = consequence(position, square)
            for they in (other, "I"):
                text = wrong_square_sentence(follow_up, they)
                assert is_true_refutation(board, square, follow_up, text, they), (
                    board,
                    square,
                    text,
                )
                assert len(text) <= 60
                sentences.add(kind(text))
            judged = move_puzzle(position, str(square))
            assert (judged.wrong_squares, judged.found_square) == ((square,), None)
            cells = pressable_cells(judged, follow_up)
            assert [c.square for c in cells if c.is_button] == [
                empty for empty in textbook.children(board) if empty != square
            ]
            wins = textbook.winning_squares(textbook.children(board)[square], other)
            marks = dict(enumerate(board)) | {square: you}
            marks |= {c.square: c.pencil for c in cells if c.pencil}
            then = [c.square for c in cells if c.wins_for]
            full = "".join(marks[n] for n in range(9))
            assert {*then} <= {*textbook.winning_squares(full, other)}, (
                "they must win with the marks in pencil"
            )
            assert not wins or then == [*wins]
            shown = [c.square for c in cells if c.pencil or c.wins_for]
            assert sorted(follow_up.squares) == shown
            assert [cells[s].order for s in follow_up.squares] == [*range(len(follow_up.squares))]
    assert len(sentences) == 2 * 8


def kind(text: str) -> str:
    return re.sub(r"\b(?:the )?(?:top|middle|bottom) ?(?:left|center|right)|the center", "SQUARE",
                  re.sub(r"\b[XO]\b", "SIDE", text))  # fmt: skip


def test_statements_about_all_wrong_squares_are_true() -> None:
    for board, _, other, right in find_questions():
        scores = textbook.move_scores(board)
        wins = max(scores.values()) > 0
        count = f"{NUMBERS[len(right)].capitalize()} squares {'win' if wins else 'keep the draw'}. "
        text = elsewhere_sentence(right, wins, other)
        rest = [scores[square] for square in scores if square not in right]
        assert text == (count if len(right) > 1 else "") + (
            "Anywhere else, your win is gone." if wins else f"Anywhere else, {other} wins."
        )
        assert max(rest) <= 0 if wins else max(rest) < 0
        assert len(text) <= 60


# Trees

LETTERS = {"x": 1, "d": 0, "o": -1}  # in an address


def boards_in(board: str) -> int:
    return 1 + sum(map(boards_in, textbook.children(board).values()))


@pytest.mark.long
def test_trees_with_values_to_fill_in_have_5_to_16_boards() -> None:
    for difficulty, fewest in (("5", 5), ("10", 6), ("12", 11), ("16", 14)):
        assert {boards_in(board) for board in boards_asked("values", difficulty)} <= {
            *range(fewest, int(difficulty) + 1)
        }
    assert sorted(boards_asked("values")) == sorted(
        board
        for board in textbook.all_boards()
        if board.count("-") in (2, 3)
        and len({result(child) for child in textbook.children(board).values()}) > 1
        and 5 <= boards_in(board) <= 16
    )


# Numbers


def puzzle_trees(kind: Kind, rounds: int = 20) -> list[PuzzleTree]:
    """Return the number trees of some rounds."""
    questions = [question for number in range(rounds) for question in round_questions(kind, number)]
    return [question for question in questions if isinstance(question, PuzzleTree)]


@pytest.mark.parametrize("difficulty", ["2 levels", "3 levels", "4 levels"])
def test_values_to_fill_in_are_spread_over_the_tree(difficulty: str) -> None:
    for seed in range(60):  # of trees with three nodes and three leaves, one in nine would fail
        tree = draw_value_tree(difficulty, Random(seed), is_max=True, nth=seed % 2)
        inner = [node for node in tree.root.walk() if node.below and node.path]
        places = {[child.value for child in node.below].index(node.value) for node in inner}
        assert len(places) > 1


def fill_right(question: Question) -> str:
    """Return the presses that fill in every value of a tree on the first try."""
    nodes = value_puzzle(question, "").nodes
    letters = [next(key for key, v in value_choices(n).items() if v == n.value) for n in nodes]
    return "".join(f"{place}{letter}" for place, letter in zip(ADDRESS_KEYS, letters, strict=False))


def board_values(board: str, path: str = "") -> Iterator[tuple[str, int]]:
    """Yield the values of a tree as drawn, by path; the last square is filled in two plies down."""
    below = textbook.children(board)
    if len(path) == 2 and below:
        (board,), below = below.values(), {}
    yield path, result(board)
    for square, child in below.items():
        yield from board_values(child, f"{path}{square}")


def number_values(tree: PuzzleTree) -> Iterator[tuple[str, int]]:
    """Yield the values of a tree of numbers, by path."""
    for path, node in textbook.walk_tree(textbook.tree_of_values(tree.values)):
        is_max = (len(path) % 2 == 0) == tree.is_max
        yield "".join(map(str, path)), textbook.minimax_value(node, is_max)


@pytest.mark.long
def test_every_value_in_every_tree_is_judged() -> None:
    largest = random_tree(4, 3, 17, is_max=True)  # with 22 inner nodes
    questions: list[Question] = [
        *map(Position.parse, boards_to_test("values")),
        *puzzle_trees("values", 2),
        largest,
    ]
    for question in questions:
        is_tree, presses = isinstance(question, PuzzleTree), fill_right(question)
        values = (
            number_values(question)
            if isinstance(question, PuzzleTree)
            else board_values(str(question))
        )
        nodes = value_puzzle(question, "").nodes
        assert {node.digits: node.value for node in nodes[-1].walk()} == dict(values)
        for at, node in enumerate(nodes):
            place, right = presses[2 * at], presses[2 * at + 1]
            below = dict.fromkeys(child.value for child in node.below)
            offered = dict(zip(ADDRESS_KEYS, below, strict=False)) if is_tree else LETTERS
            assert (value_choices(node), offered[right]) == (offered, node.value)
            for letter, value in offered.items():
                judged = value_puzzle(question, f"{presses[: 2 * at]}{place}{letter}")
                assert judged.last_node and judged.last_node.path == node.path
                is_wrong = value != node.value
                assert (node.path in [known.path for known in judged.known_nodes]) != is_wrong
                assert [(node.path, v) for node, v in judged.wrong_values] == [
                    (node.path, value)
                ] * is_wrong
        assert value_puzzle(question, presses).open_node is None


# Cut


def pruned_nodes(tree: PuzzleTree) -> tuple[set[tuple[int, ...]], textbook.Search]:
    """Return the nodes that alpha-beta prunes, by the textbook, and the textbook's search."""
    searched = textbook.Search(
        textbook.tree_of_values(tree.values), pruning=True, is_max=tree.is_max
    )
    return searched.pruned_paths, searched


def cut_difficulty(tree: PuzzleTree) -> str:
    """Return the hardest kind of cutoff in a tree, by the textbook; see ROUNDS."""
    gone, searched = pruned_nodes(tree)
    cuts = [step for step in searched.steps if step.kind == "cut"]
    if any(len(cut.bound_source) < len(cut.path) for cut in cuts):
        return "deep"
    if any(cut.value == cut.bound_value for cut in cuts):
        return "tie"
    leaves = [[leaf for leaf in tree.root.leaves if is_below(leaf.path, {g})] for g in gone]
    parents = {g[:-1] for g in gone}
    max_pruned = max((sum(len(ls) for g, ls in zip(gone, leaves, strict=True) if g[:-1] == parent)
                      for parent in parents), default=0)  # fmt: skip
    return "early" if max_pruned > 1 else "late" if cuts else "none"


def is_below(path: tuple[int, ...], nodes: set[tuple[int, ...]]) -> bool:
    return any(path[: len(node)] == node for node in nodes)


def test_a_round_of_cutoffs_has_every_kind_and_varied_first_trees() -> None:
    """All have values from -9 to 9, and the first tree asks as soon as it can."""
    for number in range(8):
        trees = [tree for tree in round_questions("cuts", number) if isinstance(tree, PuzzleTree)]
        assert [cut_difficulty(tree) for tree in trees] == [*ROUNDS["cuts"]]
        assert [n for n, tree in enumerate(trees) if not tree.is_max] == [*MIN_FIRST["cuts"]]
        assert {leaf.value for tree in trees for leaf in tree.root.leaves} <= {*range(-9, 10)}
        assert len({tuple(len(node.below) for node in tree.root.below) for tree in trees[:4]}) == 4
        assert cuts.cut_puzzle(trees[0], "uu").node_to_decide


def every_press(
    tree: PuzzleTree, now: CutPuzzle, presses: str = ""
) -> Iterator[tuple[CutPuzzle, str, CutPuzzle]]:
    """Yield each press that pages offer, with the puzzle before and after it."""
    for press in now.offered_presses:
        then = cuts.cut_puzzle(tree, presses + press)
        yield now, press, then
        if press != "s":  # which shows the right answer
            yield from every_press(tree, then, presses + press)


@pytest.mark.long
def test_every_path_through_every_tree_is_judged_by_alpha_beta() -> None:
    deep = map(as_max, sample(2, (DEEP, LECTURED)))
    for tree in (*sample(6, puzzle_trees("cuts", 2)), EXAMPLE_TREE, *deep):
        gone, searched = pruned_nodes(tree)
        for now, press, then in every_press(tree, cuts.cut_puzzle(tree, "")):
            assert now.next_leaf and isinstance(then.last_remark, CutRemark)
            can_cut = is_below(now.next_leaf.path, gone)
            assert now.node_to_decide or not can_cut
            if not now.node_to_decide:
                verdict = "looked"
            elif can_cut:
                verdict = "in vain" if press == "u" else "cut"
            else:
                verdict = "not yet" if press == "c" else "went on"
            assert then.last_remark.verdict == verdict
            assert then.has_mistake == (now.has_mistake or verdict in ("in vain", "not yet"))
            if then.last_remark.bound_node:  # the remark states what held before the press
                best_and_bound = (
                    now.best_values[then.last_remark.node.path],
                    now.best_values[then.last_remark.bound_node.path],
                )
                assert (then.last_remark.best, then.last_remark.bound) == best_and_bound
            assert_finished_nodes_are_true(tree, then)
            if not then.next_leaf:
                assert then.best_values[()] == tree.root.value == searched.value
                wrong = [leaf for leaf in then.seen_leaves if is_below(leaf.path, gone)]
                assert len(then.seen_leaves) == then.needed_count + len(wrong)
                left = [leaf for node in then.pruned_nodes for leaf in node.leaves]
                assert {*then.seen_leaves, *left} == {*tree.root.leaves}
                if not wrong:
                    assert {node.path for node in then.pruned_nodes} == gone
                    left_open = [step for step in searched.steps if step.bound != "exact"]
                    bounds = {
                        path: known for path, known in then.certain_values.items() if known[0]
                    }
                    assert bounds == {
                        step.path: (SIGNS[step.bound], step.value) for step in left_open
                    }


def assert_finished_nodes_are_true(tree: PuzzleTree, now: CutPuzzle) -> None:
    """Check each value and bound of the finished nodes against the tree."""
    known_leaves = {leaf.path for leaf in now.seen_leaves}
    known_leaves |= {leaf.path for cut in now.pruned_nodes for leaf in cut.leaves}
    for node in tree.root.walk():
        sign, known = now.certain_values.get(node.path, ("", node.value))
        assert {"": known == node.value, "≤": known >= node.value, "≥": known <= node.value}[sign]
        if all(leaf.path in known_leaves for leaf in node.leaves):
            assert node.path in now.certain_values or node.path not in now.best_values


def as_max(tree: str) -> PuzzleTree:
    values = parse_tree(tree).values
    assert values
    return PuzzleTree(values)


# E is cut off at 4, but D takes 7 from F. If D, which is MAX, showed "≤ 4" after its first child,
# it would teach learners to prune wrongly.
DEEP = "((6,9),(((4,8),(9,7)),5,1),3)"
LECTURED = "((5,7),(((3,9),(8,6)),4),((6,2),(7,(1,2)),9),-3)"
SIGNS = {"exact": "", "at most": "≤", "at least": "≥"}


@pytest.mark.long
def test_after_each_right_answer_practice_shows_the_step_of_study() -> None:
    for tree in (*sample(6, puzzle_trees("cuts", 2)), EXAMPLE_TREE, *map(as_max, (DEEP, LECTURED))):
        searched = run(tree.root, "alpha-beta")
        kinds = [step.kind for step in searched.steps]
        # A press passes values up until there is another leaf to look at or branch to prune.
        pauses = [
            n for n in range(1, len(kinds)) if kinds[n - 1] in RETURNED and kinds[n] not in RETURNED
        ]
        presses = cut_right(tree)
        for n, step in zip(range(1, len(presses) + 1), pauses, strict=True):
            now, scene = cuts.cut_puzzle(tree, presses[:n]), scene_after(searched, step)
            inner = [node.path for node in tree.root.walk() if node.below]
            worths = {path: scene.known_value(tree.root.at(path)) for path in inner}
            assert {
                path: now.certain_values[path] for path in inner if path in now.certain_values
            } == {
                path: (SIGNS[worth.bound], worth.value) for path, worth in worths.items() if worth
            }
            assert {*now.pruned_nodes} == {
                node for node in tree.root.walk() if scene.stage(node) == "pruned"
            }
            frames = {path: state.last_frame for path, state in scene.states.items()}
            assert now.windows == {path: frame for path, frame in frames.items() if frame}


def cut_right(
    tree: PuzzleTree, shown: bool = False, asks_to_set: bool = False, asks_window: bool = False
) -> str:
    """Return the presses that prune as alpha-beta does, or ask to be shown each answer."""
    presses = ""
    gone, _ = pruned_nodes(tree)
    while leaf := (now := cuts.cut_puzzle(tree, presses, asks_to_set, asks_window)).next_leaf:
        if now.question:
            right_press = {end: press for press, end in now.question.choices.items()}
            presses += "s" if shown else right_press[right_end(tree, now)]
            continue
        right = "c" if is_below(leaf.path, gone) else "u"
        if now.cover_numbers and "c" not in now.offered_presses:
            presses += next(press for press in now.cover_numbers if press not in now.cover_presses)
            continue
        presses += "s" if shown and now.node_to_decide else right
    return presses


def right_end(tree: PuzzleTree, now: CutPuzzle) -> float:
    """Return the right bound: the best that MAX, or MIN, has on the path from the root."""
    assert now.question
    end, node = now.question.end, now.question.node
    path_nodes = [tree.root.at(node.path[:length]) for length in range(len(node.path) + 1)]
    same_side = [
        node for node in path_nodes if node.is_max == (end == "α") and node.path in now.best_values
    ]
    bests = [now.best_values[node.path] for node in same_side]
    return max(bests, default=-inf) if end == "α" else min(bests, default=inf)


@pytest.mark.long
def test_four_questions_of_a_round_ask_for_the_window_before_a_cutoff() -> None:
    asked_of = [nth for nth in range(10) if rounds.asks_for_window("cuts", nth)]
    assert asked_of == [6, 7, 8, 9] and not rounds.asks_for_window("values", 9)
    remarks = set[str]()
    for number in range(24 if positions.is_soak else 4):
        for nth in asked_of:
            tree = round_questions("cuts", number)[nth]
            assert isinstance(tree, PuzzleTree)
            remarks |= {
                re.sub(r"\*\*.*?\*\*|[αβ]|MAX|MIN", "#", remark)
                for remark in answers_of_windows(tree)
            }
    assert len(remarks) == 3, remarks


def answers_of_windows(tree: PuzzleTree) -> Iterator[str]:
    """Answer the questions about α and β, wrongly and rightly; yield the remark on each answer."""
    presses = next("u" * n for n in range(9) if cuts.cut_puzzle(tree, "u" * n).node_to_decide)
    for end in "αβ":
        now = cuts.cut_puzzle(tree, presses, asks_for_window=True)
        assert now.question and now.question.end == end
        right, frame = right_end(tree, now), now.windows[now.question.node.path]
        assert right == (frame.alpha if end == "α" else frame.beta)
        assert {-inf, inf, right} <= {*now.question.choices.values()}
        (right_press,) = (press for press, value in now.question.choices.items() if value == right)
        for press in now.question.choices:
            then = cuts.cut_puzzle(tree, presses + press, asks_for_window=True)
            assert (then.has_mistake, then.seen_leaves) == (press != right_press, now.seen_leaves)
            assert press == right_press or press not in then.offered_presses
            yield words.cut_reason(then, node_names(tree.root))
        shown = cuts.cut_puzzle(tree, presses + "s", asks_for_window=True)
        presses += right_press
        assert shown.question == cuts.cut_puzzle(tree, presses, asks_for_window=True).question
    done = cuts.cut_puzzle(tree, presses, asks_for_window=True)
    assert not done.question and done.node_to_decide and not done.has_mistake


def test_a_window_in_question_is_hidden_until_it_is_answered(
    client: FlaskClient,
) -> None:
    url, presses = "/practise/cuts?round=3&done=ffffff&p=", "u"
    while not (page := parse(client.get(url + presses))).select(".choices"):
        presses += "u"
    windows = [text_of(page.select(".is-here > .window")[0])]
    for _ in range(2):
        (show,) = [a for a in page.select("#told a") if text_of(a) == "Show me"]
        page = parse(client.get(str(show["href"])))
        windows.append(text_of(page.select(".is-here > .window")[0]))
    assert windows[0] == "[?, ?]" and windows[1].endswith(", ?]") and "?" not in windows[2]
    assert "look, or prune?" in text_of(page.select_one("#told"))


def trees_to_set(rounds: int) -> list[PuzzleTree]:
    """Return the trees of new rounds that ask for numbers under a cutoff."""
    nth = ROUNDS["cuts"].index("deep")
    questions = [round_questions("cuts", number)[nth] for number in range(rounds)]
    return [tree for tree in questions if isinstance(tree, PuzzleTree)]


def with_leaf(values: Any, path: tuple[int, ...], number: int) -> Any:
    """Return nested numbers with one of them replaced."""
    if not path:
        return number
    at, *rest = path
    return (*values[:at], with_leaf(values[at], tuple(rest), number), *values[at + 1 :])


def test_no_value_under_the_first_deep_cutoff_changes_the_root() -> None:
    for tree in trees_to_set(12):
        now = cuts.cut_puzzle(tree, "uu", asks_for_numbers=True)
        assert now.next_leaf and now.node_to_decide and now.offered_presses == "ml"
        top = textbook.minimax_value(textbook.tree_of_values(tree.values), tree.is_max)
        for number in range(-30, 31):
            other = textbook.tree_of_values(with_leaf(tree.values, now.next_leaf.path, number))
            assert textbook.minimax_value(other, tree.is_max) == top
        for press, number in now.cover_numbers.items():
            remark = cuts.cut_puzzle(tree, f"uu{press}", asks_for_numbers=True).last_remark
            assert isinstance(remark, CutRemark)
            assert (remark.set_to, remark.bound_node) == (number, tree.root)
            assert (number < remark.best) == (press == "l")
        both = cuts.cut_puzzle(tree, "uulm", asks_for_numbers=True)
        assert both.offered_presses == "mlc" and not both.has_mistake
        assert (
            cuts.cut_puzzle(tree, "uulmc", asks_for_numbers=True).pruned_nodes
            == cuts.cut_puzzle(tree, "uuc").pruned_nodes
        )
        with pytest.raises(ValueError, match="nothing on this page"):
            cuts.cut_puzzle(tree, "uuc", asks_for_numbers=True)


def test_only_the_first_deep_cutoff_of_a_round_has_numbers_under_it() -> None:
    questions = [(kind, nth) for kind in ROUNDS for nth in range(10)]
    assert [place for place in questions if asks_for_numbers(*place)] == [("cuts", 7)]


def test_every_kind_of_answer_matches_the_snapshot() -> None:
    sentences = list[tuple[str, str]]()
    filled: list[Question] = [
        *map(Position.parse, one_of_each("values")),
        *puzzle_trees("values", 1),
    ]
    for question in filled:
        named = node_names(question.root) if isinstance(question, PuzzleTree) else {}
        presses = fill_right(question)
        for n, node in enumerate(value_puzzle(question, "").nodes):
            for letter in value_choices(node):
                pressed = f"{presses[: 2 * n + 1]}{letter}"
                text = words.value_reason(value_puzzle(question, pressed), named)
                sentences.append((f"{question} {pressed}", text))
    for found_count, kind in product((0, 4, 8, 10), KINDS):
        state = Round(kind, 1, "f" * found_count + "0" * (10 - found_count))
        sentences.append((f"{kind} {found_count}", words.comment(kind, found_count, state.grade)))
    other_tree = PuzzleTree(((3,), (5, 2)))
    sentences.append(
        (
            f"{other_tree}",
            words.value_reason(value_puzzle(other_tree, "00"), node_names(other_tree.root)),
        )
    )
    for tree in (*puzzle_trees("cuts", 1), EXAMPLE_TREE):
        presses = cut_right(tree)
        for at in range(len(presses)):
            for press in cuts.cut_puzzle(tree, presses[:at]).offered_presses:
                text = words.cut_reason(
                    cuts.cut_puzzle(tree, presses[:at] + press), node_names(tree.root)
                )
                sentences.append((f"{format_tree(tree.values)} {presses[:at]}{press}", text))
    for tree in trees_to_set(3):
        for presses in ("uum", "uul"):
            text = words.cut_reason(
                cuts.cut_puzzle(tree, presses, asks_for_numbers=True), node_names(tree.root)
            )
            sentences.append((f"{format_tree(tree.values)} {presses}", text))
    for tree in trees_to_set(3):
        sentences += [
            (f"{format_tree(tree.values)} window", text) for text in answers_of_windows(tree)
        ]
    assert_sentences_match(
        "puzzles-said", ((where, text.replace("**", "")) for where, text in sentences)
    )


# Pages

# For the start of each address, its endings.
ADDRESSES = {
    "": ".",
    "cuts?round=3": ". &done=fffffff&p=u &done=f0f0ffffff",
    "cuts?tree=((3,5),(2,7))&p=": "uuu uuuc uuuu",
    "cuts?tree=((3,5),(4,1))&top=max&p=": "uuuc",
    # A cutoff by a bound three levels up, after numbers were put under it.
    "cuts?round=3&done=fffffff&p=": "uu uu1 uuss uussm uussml uussmlc",
    # E has 2 or less, so D has, although nothing is pruned below D.
    "cuts?tree=(4,(((2,-4),1),7),(9,9))&p=": "uucuu",
    f"cuts?tree={DEEP}&p=": "uuuc uuucu uuucuu",
    # The remark on a look states the bounds before it; those after it read like a reason to prune.
    f"cuts?tree={LECTURED}&p=": "uuuuuu uuuuuuu uuuuuuuuuucu uuuuuuuuuuuuu",
    # One useless look opens all remaining leaves.
    "cuts?tree=(7,(4,6,-7))&p=": "uuu",
    "cuts?tree=(7,(4,6,-7,2))&p=": "uuu",
    "values?round=3": ". &done=ffffffff&p=0 &done=f0fffffff0&best=9",
    "values?tree=(3,5)&top=min": ". &p=01 &p=00",
    "values?levels=3&branches=3&seed=2&p=": "00112232425261708191a1",  # of 13 forks
    "values/OX--X-OOX": ". ?p=1 ?p=3 ?p=1d ?p=1d0x ?p=0x0d ?p=1d0s2o3d",
    "moves/XX-OO----": ". ?p=6 ?p=6s ?p=2",
    "moves/X--------": ".",
    "moves/X---O---X": ". ?p=7 ?p=s",
    "moves/XO-XO----?p=": "2 7 52 27",
    "moves/X-OO--X--?p=": "8",
    "moves/XOX----O-?p=": "4",
    "moves?round=3&done=": "fffffffff&p=s ff0fff0f00 ffffffffff",
    "moves/O-X-O--X-?round=3&done=ff0fff0f00&p=": "s",
}


def test_every_state_of_a_question_has_one_main_button(client: FlaskClient) -> None:
    for url in (way + on.strip(".") for way in ADDRESSES for on in ADDRESSES[way].split(" ")):
        page = parse(client.get(f"/practise/{url}".rstrip("/")))
        assert len(page.select("h1")) == 1, url
        presses = page.select(".board a, .tree a, #told a, .prime, .kinds a, .again a")
        assert presses or page.select("form"), url


# Rounds


@pytest.mark.long
def test_a_round_has_ten_different_questions_easy_ones_first() -> None:
    for kind in KINDS:
        asked_in = [round_questions(kind, number) for number in sample(3, range(30))]
        assert len({*asked_in}) == len(asked_in)
        for questions in asked_in:
            boards = [str(question) for question in questions if isinstance(question, Position)]
            assert len({min(textbook.symmetric_boards(board)) for board in boards}) == len(boards)
            for question, difficulty in zip(questions, ROUNDS[kind], strict=True):
                assert isinstance(question, PuzzleTree) or str(question) in boards_asked(
                    kind, difficulty
                )
            if kind == "moves":
                continue
            roots = [
                question.root
                if isinstance(question, PuzzleTree)
                else build_tree(question, fill_depth=2)
                for question in questions
            ]
            numbers = [sorted(leaf.value for leaf in root.leaves) for root in roots]
            assert len({*map(tuple, numbers)}) == 10
            if kind == "values":
                assert [root.height for root in roots[::2]] == [2, 2, 3, 3, 4]
                assert sum(not root.is_max for root in roots) == 2


def presses_of(kind: Kind, question: Question, is_right: bool, nth: int) -> str:
    """Return the presses that answer rightly or, if not `is_right`, ask to be shown the answer."""
    if isinstance(question, PuzzleTree) and kind == "cuts":
        sets, asks = asks_for_numbers(kind, nth), rounds.asks_for_window(kind, nth)
        return cut_right(question, not is_right, sets, asks)
    if kind == "values":
        shown = "".join(f"{ADDRESS_KEYS[n]}s" for n in range(len(value_puzzle(question, "").nodes)))
        return fill_right(question) if is_right else shown
    return str(right_squares(str(question))[0]) if is_right else "s"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_round_is_saved(client: FlaskClient, kind: Kind) -> None:
    """Two of three questions are answered rightly: 7 in one round, 6 in another."""
    for number, found_count in ((1, 7), (0, 6)):
        done = ""
        for question in round_questions(kind, number):
            is_right = (number + len(done)) % 3 > 0
            presses = presses_of(kind, question, is_right, len(done))
            page = parse(client.get(f"/practise/{kind}?round={number}&done={done}&p={presses}"))
            done, (button,) = done + ("f" if is_right else "0"), page.select(".prime")
            url = f"/practise/{kind}?round={number}&done={done}"
            assert (button.get("href", url), button["data-key"]) == (url, "ArrowRight")
        data = {field["name"]: field["value"] for field in page.select("form [name]")}
        assert data == {"round": str(number), "done": done}
        response = client.post(f"/practise/{kind}/done", data=data)
        assert (response.status_code, response.headers["Location"]) == (303, f"{url}&best=7")
        end = parse(client.get(response.headers["Location"]))
        assert text_of(end.select("h1")[0]) == f"{found_count} of 10 on the first try · best 7"
        missed = end.select(".again a")
        assert len(missed) == 10 - found_count
        for link in missed:
            again = client.get(link["href"])
            assert again.status_code == 200 and "first try" not in again.text


def test_every_study_view_links_back_to_the_question(client: FlaskClient) -> None:
    for question in (
        "/practise/values?round=2&p=0s1s2s",
        "/practise/cuts?tree=((3,5),(2,7))&top=min&p=uuus",
    ):
        (watch,) = parse(client.get(question)).select("#foot a[href^='/study']")
        study = parse(client.get(watch["href"]))
        views = [parse(client.get(a["href"])) for a in study.select(".tabs a[href^='/study']")]
        for page in (study, *views):
            (back,) = page.select(".back")
            assert (back["href"], text_of(back)) == (question, "‹ Question")


def test_study_links_to_the_question_it_was_opened_from(client: FlaskClient) -> None:
    page = parse(client.get("/study/OX--X-OOX?view=squares&question=values/OX--X-OOX?p=1"))
    assert [
        a
        for a in page.select("a[href='/practise/values/OX--X-OOX?p=1']")
        if "Question" in text_of(a)
    ]


# What a session has saved of earlier rounds, the kind and outcomes of a new one, and its best then.
SAVED: list[tuple[dict[str, Any], str, str, str]] = [
    *[({"best": best}, "moves", "f000000000", "1")
      for best in ({"moves": 99}, "x", {"moves": "a"}, None)],
    ({"best": {"moves": 8}}, "moves", "ff0fffffff", "9"),
    ({"best": {"moves": 8, "cuts": 9}}, "cuts", "ff0f0fffff", "9"),
    ({}, "cuts", "0000000000", "0"),
]  # fmt: skip


def test_the_best_round_of_each_kind_is_saved_and_shown(client: FlaskClient) -> None:
    for before, kind, done, best in SAVED:
        with client.session_transaction() as session:
            session.clear()
            session.update(before)
        response = client.post(f"/practise/{kind}/done", data={"round": "1", "done": done})
        over = f"/practise/{kind}?round=1&done={done}&best={best}"
        assert response.headers["Location"] == over
        assert f"best {best}" in text_of(parse(client.get(over)).select_one("h1"))
    by_a_link = parse(client.get("/practise/cuts?round=1&done=ff0f0fffff"))
    assert "best" not in text_of(by_a_link.select_one("h1")), (
        "a round opened by a link must not be saved"
    )


def test_a_round_can_start_anywhere_and_be_bookmarked(
    client: FlaskClient, rng: ScriptedRandom
) -> None:
    rng.pick = -1
    response = client.get("/practise/cuts")
    assert response.headers["Location"] == f"/practise/cuts?round={rounds.ROUND_COUNT - 1}"
    assert response.headers["Cache-Control"] == "no-store"
    page = client.get(response.headers["Location"])
    assert page.headers["Cache-Control"].startswith("public")
    assert "Question 1 of 10, 0 found so far" in page.text


@pytest.mark.parametrize("kind", ["values", "cuts"])
def test_a_seed_gives_each_student_a_tree_and_stays_in_every_link(
    client: FlaskClient, kind: Kind
) -> None:
    query, same = "levels=3&branches=2&seed=17", random_tree(3, 2, 17, is_max=False)
    named = client.get(f"/practise/{kind}?tree={format_tree(same.values)}&top=min").text
    page = client.get(f"/practise/{kind}?{query}&top=min")
    assert page.text.replace(escape(query), "") == named.replace(
        f"tree={format_tree(same.values)}", ""
    )
    while links := parse(page).select("#told a.plain") or parse(page).select("#stage .tree a"):
        assert links[0]["href"].startswith(f"/practise/{kind}?{query}&top=min&p=")
        page = client.get(links[0]["href"])
    (watch,) = (a["href"] for a in parse(page).select(".foot a") if text_of(a) == "See why")
    assert watch.startswith(f"/study/random?{query}&top=min&view=search")
    study = parse(client.get(watch))
    assert "A random tree, seed 17 · MIN at the root" in text_of(study)
    for link in study.select(".bar a, #next"):
        assert query in unquote(link["href"]) and client.get(link["href"]).status_code == 200


def test_no_numbers_are_asked_for_under_a_cutoff_by_the_parent() -> None:
    """Those are for deep cutoffs, where a learner may doubt that the leaf cannot matter."""
    tree = PuzzleTree(((3, 5), (2, 7)), True)
    puzzle = cuts.cut_puzzle(tree, "uuu", asks_for_numbers=True)
    assert "c" in puzzle.offered_presses and not puzzle.cover_numbers
