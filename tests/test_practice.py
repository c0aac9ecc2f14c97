"""Practice: what is asked, every answer to it, every sentence, and rounds of ten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape, unescape
from random import Random
from typing import Any, get_args
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.position import Position
from engine.reasons import why
from teach.lesson.trees import grown
from teach.numbers import read_tree, written
from teach.practice import cuts
from teach.practice.cuts import Cuts
from teach.practice.lots import Lot, by_lot, to_fill
from teach.practice.moves import find, keepers
from teach.practice.rounds import MIN_FIRST, NUMBERS, ROUNDS, Kind, Question, round_of, to_practise
from teach.practice.values import PLACES, choices, fill
from teach.scenes import scene_after
from teach.searches import BACK, run
from teach.trees import Node
from tests import positions, textbook
from tests.conftest import Scripted, parse, text_of
from tests.html import Tag
from tests.positions import one_in
from tests.sentences import (
    assert_as_last_read,
    assert_same,
    board_as_read,
    page_as_read,
    tree_as_read,
)
from web.practice.routes import CUT, FOUND, Round
from web.site.right_move import on_the_board

KINDS: tuple[Kind, ...] = get_args(Kind)


@pytest.fixture(autouse=True, scope="module")
def grown_once() -> Iterator[None]:
    """Keep what is found of a position, as most tests press on from the same few hundred."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("teach.practice.values.grown", cache(grown))
        yield


@cache
def asked(kind: Kind, hardness: str | None = None) -> list[str]:
    """Return the boards that are asked, all images."""
    return [
        str(position)
        for name, groups in to_practise(kind).items()
        if hardness in (None, name)
        for images in groups
        for position in images
    ]


def one_each(kind: Kind) -> list[str]:
    """Return one image of each board that is asked, now this and now that."""
    groups = [images for groups in to_practise(kind).values() for images in groups]
    return [str(images[n % len(images)]) for n, images in enumerate(groups)]


def tried(kind: Kind) -> list[str]:
    """Return the boards on which everything is pressed: in `make soak` all images, else one."""
    return asked(kind) if positions.all_images else one_each(kind)


def result(board: str) -> int:
    """Return what a board is worth to X, by the textbook."""
    return textbook.sign(textbook.minimax(board, "X"))


def answers(client: FlaskClient, urls: list[str]) -> Iterator[tuple[str, str]]:
    return ((url, said_on(client, f"/practise/{url}")) for url in urls)


def said_on(client: FlaskClient, url: str) -> str:
    """Return what a page of practice answers, without the marks' colours."""
    with client.application.test_request_context(url):
        page = str(client.application.dispatch_request())  # unpacked and with no headers around it
    told = re.search(r'id="told".*?>(.*?)(?:<div class="cut3"|</div>|<a )', page, re.DOTALL)
    assert told, url
    text = re.sub(r"</?(b|span|br|i)\b[^>]*>", "", told[1])
    return unescape(" ".join(re.sub("<[^>]*>", " ", text).split()))


# Find the only move


def kept(board: str) -> list[int]:
    """Return the moves that keep a win or a draw that others give away, by the textbook."""
    results = {square: textbook.sign(v) for square, v in textbook.move_scores(board).items()}
    best = max(results.values(), default=-1)
    keep = [square for square in results if results[square] == best]
    return keep if best >= 0 and len(keep) < len(results) else []


def how_hard_to_find(board: str) -> str:
    (square,) = kept(board)
    child = textbook.children(board)[square]
    if textbook.winner(child):
        return "completes"
    mark, other = textbook.turn(board), textbook.turn(child)
    others = [v for s, v in textbook.move_scores(board).items() if s != square]
    if square in textbook.wins_at(board, other) and max(others) < 0:
        return "blocks"
    two = len(textbook.wins_at(child, mark)) > 1
    return "forks" if two and textbook.move_scores(board)[square] == 7 else "quiet"


@pytest.mark.long
def test_there_are_166_wins_and_63_draws_to_find() -> None:
    boards = {min(textbook.images(board)) for board in textbook.every_board()}
    only = {b for b in boards if len(kept(b)) == 1 and len(textbook.children(b)) >= 3}
    wins = {board for board in only if max(textbook.move_scores(board).values()) > 0}
    assert (len(wins), len(only - wins)) == (166, 63)
    assert sorted(asked("moves")) == sorted({i for board in only for i in textbook.images(board)})
    for hardness in {*ROUNDS["moves"]}:
        assert {how_hard_to_find(board) for board in asked("moves", hardness)} == {hardness}


@pytest.mark.long
def test_every_square_of_every_position_is_judged_and_a_wrong_one_is_played_out() -> None:
    for board in tried("moves"):
        position, (right,) = Position.parse(board), kept(board)
        for square, value in textbook.move_scores(board).items():
            judged = find(position, str(square))
            if square == right:
                assert judged[1:] == ((), square, (square,))
            else:
                assert judged[1:3] == ((square,), None)
                drawn: Any = on_the_board(position, judged, False, str)
                to_press = [cell for cell in drawn["cells"] if cell.url]
                assert not any(cell.mark or cell.pencil or cell.tried for cell in to_press)
                end = board
                for square, after in drawn["strip"]:
                    end = textbook.children(end)[square]
                    assert str(after) == end
                assert len(judged.made) == (10 - abs(value) if value else board.count("-"))
                assert textbook.winner(end) == (
                    textbook.other(textbook.turn(board)) if value else None
                )


@pytest.mark.long
def test_each_kind_of_sentence_about_a_move_is_as_last_read(client: FlaskClient) -> None:
    some = one_each("moves")[::4]
    urls = [f"moves/{b}?p={square}" for b in some for square in textbook.children(b)]
    assert_as_last_read("practice-moves", answers(client, urls))


def test_where_several_moves_hold_any_of_them_is_right() -> None:
    board = "X---O---X"
    assert keepers(Position.parse(board)) == tuple(kept(board)) == (1, 3, 5, 7)


# Trees

LETTERS = {1: "x", 0: "d", -1: "o"}  # in an address


def textbook_tree(board: str, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the boards of a tree as drawn, by path: what is two turns down has its last square."""
    below = textbook.children(board)
    if len(path) == 2 and below:
        (board,), below = below.values(), {}
    yield path, board
    for square, child in below.items():
        yield from textbook_tree(child, f"{path}{square}")


def boards_in(board: str) -> int:
    return 1 + sum(map(boards_in, textbook.children(board).values()))


@pytest.mark.long
def test_values_are_asked_in_trees_of_5_to_16_boards_with_unlike_moves() -> None:
    for hardness, fewest in (("5", 5), ("10", 6), ("12", 11), ("16", 14)):
        assert {boards_in(board) for board in asked("values", hardness)} <= {
            *range(fewest, int(hardness) + 1)
        }
    assert sorted(asked("values")) == sorted(
        board
        for board in textbook.every_board()
        if board.count("-") in (2, 3)
        and len({result(child) for child in textbook.children(board).values()}) > 1
        and 5 <= boards_in(board) <= 16
    )


@pytest.mark.long
def test_every_value_in_every_tree_is_judged() -> None:
    for board in tried("values"):
        position = Position.parse(board)
        root = fill(position, "").root
        assert [(b.digits, str(b.position)) for b in root.walk()] == list(textbook_tree(board))
        assert all(b.value == result(str(b.position)) for b in root.walk())
        given = ""
        for place, box in enumerate(fill(position, "").nodes):
            for value, letter in LETTERS.items():
                judged = fill(position, f"{given}{place}{letter}")
                assert judged.last == box
                assert (box in judged.known) == (value == box.value)
                assert judged.wrong == (() if value == box.value else ((box, value),))
            given += f"{place}{LETTERS[box.value]}"
        assert fill(position, given).at is None and not fill(position, given).wrong


@pytest.mark.long
def test_each_kind_of_sentence_about_a_value_is_as_last_read(client: FlaskClient) -> None:
    urls = []
    for board in one_each("values")[::5]:
        filled = fill_right(Position.parse(board))
        urls += [
            f"values/{board}?p={filled[:at]}{letter}"
            for at in range(1, len(filled), 2)
            for letter in LETTERS.values()
        ]
    assert_as_last_read("practice-values", answers(client, urls))


# Numbers


def nested(values: Any) -> Any:
    """Return a tree of numbers as the textbook has it."""
    return values if isinstance(values, int) else dict(enumerate(map(nested, values)))


def lots(kind: Kind, rounds: int = 20) -> list[Lot]:
    """Return the trees of numbers of some rounds."""
    asked = [question for number in range(rounds) for question in round_of(kind, number)]
    return [question for question in asked if isinstance(question, Lot)]


@pytest.mark.parametrize("hardness", ["2 levels", "3 levels", "4 levels"])
def test_the_values_of_a_tree_to_fill_in_do_not_all_stand_at_one_place(hardness: str) -> None:
    for seed in range(60):  # of three forks with three leaves, one tree in nine has them so
        lot = to_fill(hardness, Random(seed), is_max=True, nth=seed % 2)
        forks = [fork for fork in lot.root.walk() if fork.below and fork.path]
        places = {[it.value for it in fork.below].index(fork.value) for fork in forks}
        assert len(places) > 1


def fill_right(question: Question) -> str:
    """Return the presses that fill in every value of a tree at the first try."""
    nodes = fill(question, "").nodes
    letters = [next(key for key, v in choices(n).items() if v == n.value) for n in nodes]
    return "".join(f"{place}{letter}" for place, letter in zip(PLACES, letters, strict=False))


@pytest.mark.long
def test_every_value_of_every_tree_of_numbers_is_judged() -> None:
    for lot in lots("values", 2):
        searched = textbook.value_of(nested(lot.values), lot.is_max)
        assert lot.root.value == searched
        given = ""
        for place, node in zip(PLACES, fill(lot, "").nodes, strict=False):
            below = [child.value for child in node.below]
            assert node.value == (max if node.is_max else min)(below)
            assert [*choices(node).values()] == [*dict.fromkeys(below)]
            for letter, value in choices(node).items():
                judged = fill(lot, given + place + letter)
                assert (node in judged.known) == (value == node.value)
            given += place + next(k for k, v in choices(node).items() if v == node.value)
        assert fill(lot, given).at is None


# Cut


def left_out(lot: Lot) -> tuple[set[tuple[int, ...]], textbook.Search]:
    """Return the nodes that alpha-beta leaves out, by the textbook, and its search."""
    searched = textbook.Search(nested(lot.values), pruning=True, is_max=lot.is_max)
    return searched.left_out, searched


def how_hard_to_cut(lot: Lot) -> str:
    """Name the hardest cut of a tree, by the textbook: see ROUNDS."""
    gone, searched = left_out(lot)
    cuts = [step for step in searched.steps if step.kind == "cut"]
    if any(len(cut.by) < len(cut.path) for cut in cuts):
        return "deep"
    if any(cut.value == cut.against for cut in cuts):
        return "tie"
    leaves = [[leaf for leaf in lot.root.leaves if is_below(leaf.path, {g})] for g in gone]
    forks = {g[:-1] for g in gone}
    most = max((sum(len(ls) for g, ls in zip(gone, leaves, strict=True) if g[:-1] == fork)
                for fork in forks), default=0)  # fmt: skip
    return "early" if most > 1 else "late" if cuts else "none"


def is_below(path: tuple[int, ...], nodes: set[tuple[int, ...]]) -> bool:
    return any(path[: len(node)] == node for node in nodes)


def test_a_round_of_cuts_has_each_kind_of_cut_and_no_value_known_to_be_the_last() -> None:
    for number in range(8):
        asked = [lot for lot in round_of("cuts", number) if isinstance(lot, Lot)]
        assert [how_hard_to_cut(lot) for lot in asked] == [*ROUNDS["cuts"]]
        assert [n for n, lot in enumerate(asked) if not lot.is_max] == [*MIN_FIRST["cuts"]]
        assert {leaf.value for lot in asked for leaf in lot.root.leaves} <= {*range(-9, 10)}


def test_the_first_trees_to_cut_differ_in_shape_and_ask_at_the_second_leaf() -> None:
    for number in range(8):
        first = [lot for lot in round_of("cuts", number)[:4] if isinstance(lot, Lot)]
        assert len({tuple(len(fork.below) for fork in lot.root.below) for lot in first}) == 4
        assert cuts.search(first[0], "uu").asks


def test_while_look_or_cut_is_asked_no_press_on_the_leaf_answers(client: FlaskClient) -> None:
    for presses, links in (("uu", 1), ("uuu", 0)):
        page = parse(client.get(f"/practise/cuts?tree=((3,5),(2,7))&p={presses}"))
        assert len(page.select("a.leaf")) == links


def test_a_win_at_once_is_called_so_and_a_right_answer_bears_no_side(client: FlaskClient) -> None:
    board = asked("moves", "completes")[0]
    assert "One square wins at once." in text_of(parse(client.get(f"/practise/moves/{board}")))
    assert not parse(client.get(f"/practise/moves/{board}?p=s")).select(".card:is(.X, .O)")


def every_way(lot: Lot, gone: set[tuple[int, ...]], presses: str = "") -> Iterator[Cuts]:
    """Press on in every way, and compare each verdict with what alpha-beta does by the textbook."""
    now = cuts.search(lot, presses)
    if not (leaf := now.next):
        yield now
        return
    for press in now.offered:
        then = cuts.search(lot, presses + press).last
        can_cut = is_below(leaf.path, gone)
        assert then
        if not now.asks:
            verdict = "looked"
        elif press == "s":
            verdict = "cut" if can_cut else "went on"
        elif press == "c":
            verdict = "cut" if can_cut else "not yet"
        else:
            verdict = "in vain" if can_cut else "went on"
        assert then.verdict == verdict
        assert now.asks or not can_cut
        if then.by:  # said of a press is what held before it
            held = now.values[then.fork.path], now.values[then.by.path]
            assert (then.best, then.against) == held
        yield from every_way(lot, gone, presses + press)


@pytest.mark.long
def test_every_way_through_every_tree_is_judged_as_alpha_beta_goes() -> None:
    for lot in one_in(2, lots("cuts", 2)):
        gone, searched = left_out(lot)
        for end in every_way(lot, gone):
            assert end.values[()] == lot.root.value == searched.value
            wrong = [leaf for leaf in end.looked if is_below(leaf.path, gone)]
            assert len(end.looked) == end.needed + len(wrong)
            assert {leaf.path for leaf in end.looked} | {
                leaf.path for node in end.gone for leaf in node.leaves
            } == {leaf.path for leaf in lot.root.leaves}
            if not wrong:
                assert {node.path for node in end.gone} == gone
                left_open = [step for step in searched.steps if step.bound in SIGNS]
                assert end.bounds == {step.path: SIGNS[step.bound] for step in left_open}


SIGNS = {"at most": "≤", "at least": "≥"}


def test_a_cut_by_a_bound_far_above_is_announced_told_and_watched(client: FlaskClient) -> None:
    deep = f"/practise/cuts?round=5&done={'f' * 7}"
    announced = "Cut what cannot change the top: forks far above count, too."
    assert announced in text_of(parse(client.get(deep)).select(".q")[0])
    cut = parse(client.get(f"{deep}&p=uuc"))
    assert "and A, three levels up, has 4 already." in text_of(cut.select("#told")[0])
    solved = parse(client.get(f"{deep}&p=uucuuuc"))
    watch = next(link for link in solved.select("#foot a") if text_of(link) == "Watch why")
    told = text_of(parse(client.get(str(watch["href"]))).select("#told")[0])
    assert told.startswith("A, three levels up, has 4 from a leaf. E is 2 or less")


def test_a_value_that_came_from_a_cut_is_a_bound_wherever_it_climbs(client: FlaskClient) -> None:
    tree = "(4,(((2,-4),1),7),(9,9))"  # E has 2 or less, so D has, though nothing is cut below D
    page = parse(client.get(f"/practise/cuts?tree={tree}&p=uucuu"))
    chips = [text_of(chip) for chip in page.select(".own .node > .chip")]
    assert chips == ["4", "≤ 2", "≤ 2", "≤ 2", "?"]


DEEP = "((6,9),(((4,8),(9,7)),5,1),3)"  # E is cut at 4, but D takes 7 of F


def test_a_fork_with_children_to_come_shows_its_best_and_no_bound(client: FlaskClient) -> None:
    """That D, MAX, had "≤ 4" of its first child taught the mistake that cuts wrongly."""
    for presses, shown in (
        ("uuuc", "6 6 ? 4 ≤ 4 ?"),
        ("uuucu", "6 6 ? 4 ≤ 4 9"),
        ("uuucuu", "6 6 7 7 ≤ 4 7"),
    ):
        page = parse(client.get(f"/practise/cuts?tree={DEEP}&p={presses}"))
        chips = [text_of(chip) for chip in page.select(".own .node > .chip")]
        assert " ".join(chips) == shown


@pytest.mark.long
def test_after_each_right_press_practice_shows_what_study_shows() -> None:
    for lot in (*one_in(2, lots("cuts", 2)), CUT, *map(as_max, (DEEP, LECTURED))):
        searched = run(lot.root, "alpha-beta")
        kinds = [step.kind for step in searched.steps]
        # A press hands a value up until something is left to look at or to cut.
        pauses = [n for n in range(1, len(kinds)) if kinds[n - 1] in BACK and kinds[n] not in BACK]
        presses = cut_right(lot)
        for n, step in zip(range(1, len(presses) + 1), pauses, strict=True):
            now, scene = cuts.search(lot, presses[:n]), scene_after(searched, step)
            forks = [node.path for node in lot.root.walk() if node.below]
            worths = {path: scene.worth(lot.root.at(path)) for path in forks}
            assert {path: now.values[path] for path in forks if path in now.values} == {
                path: worth.value for path, worth in worths.items() if worth
            }
            assert now.bounds == {
                path: SIGNS[worth.bound]
                for path, worth in worths.items()
                if worth and worth.bound != "exact"
            }
            assert {*now.gone} == {node for node in lot.root.walk() if scene.stage(node) == "cut"}


@pytest.mark.long
def test_whatever_is_pressed_each_value_and_bound_of_a_finished_fork_is_true() -> None:
    for lot in (*one_in(4, lots("cuts", 2)), CUT, *map(as_max, (DEEP, LECTURED))):
        for now in every_state(lot):
            done = finished(lot.root, now)
            assert {*now.bounds} <= done, "what is to come may be better"
            for path in done:
                value, best = lot.root.at(path).value, now.values[path]
                match now.bounds.get(path):
                    case "≤":
                        assert value <= best
                    case "≥":
                        assert value >= best
                    case _:
                        assert value == best


def finished(node: Node, now: Cuts) -> set[tuple[int, ...]]:
    """Return the nodes below which nothing is left to look at."""
    seen = {leaf.path for leaf in now.looked}
    seen |= {leaf.path for cut in now.gone for leaf in cut.leaves}
    return {
        it.path
        for it in node.walk()
        if it.path in now.values and all(leaf.path in seen for leaf in it.leaves)
    }


@pytest.mark.parametrize("weights", [(1, 1), (4, 1, 1), (1, 1, 1), (1, 2, 2, 1), (1, 3, 1, 1, 1)])
def test_the_stroke_of_a_cut_lies_across_no_line_of_a_child_looked_at(
    app: Flask, weights: tuple[int, ...]
) -> None:
    numbers: Any = app.jinja_env.get_template("site/_numbers.html").module
    middles = [
        (sum(weights[:n]) + weights[n] / 2) / sum(weights) * 100 for n in range(len(weights))
    ]
    for cut in range(1, len(weights)):
        foot_x, foot, top_x, top = map(float, re.findall(r"[\d.]+", numbers.slash(weights, cut)))
        sides = set()
        for child, middle in enumerate(middles[: cut + 1]):
            for t in (n / 100 for n in range(101)):  # along the curve from the child
                near = (1 - t) ** 3 + 3 * t * (1 - t) ** 2
                x = middle * near + 50 * (1 - near)
                y = 10 * (1 - t) ** 3 + 15 * t * (1 - t) ** 2 + 15 * t * t * (1 - t)
                if top <= y <= foot:
                    stroke = foot_x + (top_x - foot_x) * (foot - y) / (foot - top)
                    if child == cut:
                        sides.add(x > stroke)
                    else:
                        assert x < stroke - 10 / sum(weights), (weights, cut, child)
        assert sides == {True, False}, "the stroke crosses the line that is cut"


def as_max(tree: str) -> Lot:
    values = read_tree(tree).values
    assert values
    return Lot(values)


def every_state(lot: Lot, presses: str = "") -> Iterator[Cuts]:
    """Yield what is found after each row of presses that pages offer."""
    now = cuts.search(lot, presses)
    yield now
    for press in now.offered.replace("s", ""):
        yield from every_state(lot, presses + press)


LECTURED = "((5,7),(((3,9),(8,6)),4),((6,2),(7,(1,2)),9),-3)"


@pytest.mark.parametrize(
    ("presses", "said"),
    [
        ("uuuuuu", "I, MIN, had 8, more than the 5 of A, three levels up. Now it has 6."),
        ("uuuuuuu", "C, MIN, had 6, more than the 5 of A. Now it has 4."),
        ("uuuuuuuuuucu", "D, MIN, had 6, more than the 5 of A. Press"),
    ],
)
def test_a_right_look_is_told_by_what_held_before_it(
    client: FlaskClient, presses: str, said: str
) -> None:
    """What holds after the look read as a reason to cut: "C now has 4, A has 5"."""
    page = parse(client.get(f"/practise/cuts?tree={LECTURED}&p={presses}"))
    assert text_of(page.select("#told")[0]).startswith(f"✓ Right to look: {said}")


def test_what_was_looked_at_in_vain_is_told_with_its_forks(client: FlaskClient) -> None:
    page = parse(client.get(f"/practise/cuts?tree={LECTURED}&p=uuuuuuuuuuuuu"))
    assert "In vain: 9 below H; 1, 2 below J." in text_of(page.select("#told")[0])


@pytest.mark.parametrize(
    ("tree", "presses", "told"),
    [
        ("(7,(4,6,-7))", "uuu", "6 and −7 could not matter, so one Look opened both: B"),
        ("(7,(4,6,-7,2))", "uuu", "6, −7 and 2 could not matter, so one Look opened all of them:"),
        ("(7,(4,6))", "uuu", "6 could not matter: B"),
    ],
)
def test_one_look_in_vain_opens_all_that_is_left_and_says_so(
    client: FlaskClient, tree: str, presses: str, told: str
) -> None:
    page = parse(client.get(f"/practise/cuts?tree={tree}&p={presses}"))
    assert told in text_of(page.select("#told")[0])


def cut_right(lot: Lot, shown: bool = False) -> str:
    """Return the presses that cut as alpha-beta does, or ask to be shown wherever they can."""
    presses = ""
    gone, _ = left_out(lot)
    while leaf := (now := cuts.search(lot, presses)).next:
        right = "c" if is_below(leaf.path, gone) else "u"
        presses += "s" if shown and now.asks else right
    return presses


@pytest.mark.long
def test_each_kind_of_sentence_about_numbers_is_as_last_read(client: FlaskClient) -> None:
    urls = []
    for lot in (*lots("cuts", 1), CUT):
        top = "max" if lot.is_max else "min"
        pressed = cut_right(lot)
        urls += [
            f"cuts?tree={written(lot.values)}&top={top}&p={pressed[:at]}{press}"
            for at in range(len(pressed))
            for press in cuts.search(lot, pressed[:at]).offered
        ]
    for lot in lots("values", 1):
        top, filled = "max" if lot.is_max else "min", fill_right(lot)
        urls += [
            f"values?tree={written(lot.values)}&top={top}&p={filled[:at]}{letter}"
            for at in range(1, len(filled), 2)
            for letter in choices(fill(lot, filled[: at - 1]).nodes[(at - 1) // 2])
        ]
    assert_as_last_read("practice-numbers", answers(client, urls))


# Pages

READ = """
 ? cuts?round=3 cuts?round=3&done=fffffff&p=u cuts?tree=((3,5),(2,7))&p=uuu
 cuts?tree=((3,5),(2,7))&p=uuuc cuts?tree=((3,5),(2,7))&p=uuuu
 cuts?tree=((3,5),(4,1))&top=max&p=uuuc cuts?round=3&done=f2f1ffffff values?round=3
 values?round=3&done=ffffffff&p=0 values?tree=(3,5)&top=min values?tree=(3,5)&top=min&p=01
 values?tree=(3,5)&top=min&p=00 values?round=3&done=f0fffffff0&best=9 moves/XX-OO----
 moves/X-------- moves/X---O---X moves/X---O---X?p=7 moves/X---O---X?p=s moves/XX-OO----?p=6
 moves/XX-OO----?p=6s moves/XX-OO----?p=2 moves/XO-XO----?p=2 moves/XO-XO----?p=7
 moves/XO-XO----?p=52
 moves/XO-XO----?p=27 moves/X-OO--X--?p=8 moves/XOX----O-?p=4 moves?round=3&done=fffffffff&p=s
 moves?round=3&done=ff0fff0f00 moves?round=3&done=ffffffffff values/OX--X-OOX
 values/OX--X-OOX?p=1 values/OX--X-OOX?p=3 values/OX--X-OOX?p=1d values/OX--X-OOX?p=1d0x
 values/OX--X-OOX?p=0x0d values/OX--X-OOX?p=1d0s2o3d
""".split()


def test_each_kind_of_page_is_as_last_read(client: FlaskClient) -> None:
    found = ""
    for url in READ:
        page = parse(client.get(f"/practise/{url}".replace("/?", "")))
        drawn = [board_as_read(page), tree_as_read(page)]
        last = [f"last square: {a['href']}" for a in page.select(".board a")[-1:]]
        for part in page.select(".board, .tree"):
            part.remove()
        found += "\n    ".join(filter(None, [url, *drawn, *last])) + f"\n{page_as_read(page)}"
    assert_same("practice-pages", found)


# Rounds


@pytest.mark.long
def test_a_round_has_ten_questions_easy_first_and_no_numbers_twice() -> None:
    for kind in KINDS:
        for number in one_in(3, range(30)):
            asked_now = round_of(kind, number)
            assert len(asked_now) == 10
            boards = [str(it) for it in asked_now if isinstance(it, Position)]
            assert len({min(textbook.images(board)) for board in boards}) == len(boards)
            for question, hardness in zip(asked_now, ROUNDS[kind], strict=True):
                assert isinstance(question, Lot) or str(question) in asked(kind, hardness)
            if kind != "moves":
                numbers = [tuple(sorted(leaves(question))) for question in asked_now]
                assert len({*numbers}) == 10
        assert round_of(kind, 7) == round_of(kind, 7) != round_of(kind, 8)
    for number in one_in(3, range(30)):
        roots = [root(question) for question in round_of("values", number)]
        assert [node.levels for node in roots[::2]] == [2, 2, 3, 3, 4]
        assert sum(not node.is_max for node in roots) == 2
        first = [why(it, keepers(it)[0]).reason for it in round_of("moves", number)[:3]]  # type: ignore[arg-type]
        assert "completes" not in first


def root(question: Question) -> Node:
    return question.root if isinstance(question, Lot) else grown(question, filled=2)


def leaves(question: Question) -> list[int]:
    return [leaf.value for leaf in root(question).leaves]


def pressed(at: Round, question: Question) -> tuple[str, Any]:
    """Press what is right at two questions of three, else be shown; return the presses, judged."""
    if isinstance(question, Lot) and at.kind == "cuts":
        presses = cut_right(question, shown=not right(at))
        return presses, cuts.search(question, presses)
    if at.kind == "values":
        count = len(fill(question, "").nodes)
        shown = "".join(f"{PLACES[n]}s" for n in range(count))
        presses = fill_right(question) if right(at) else shown
        return presses, fill(question, presses)
    assert isinstance(question, Position)
    presses = str(kept(str(question))[0]) if right(at) else "s"
    return presses, find(question, presses)


def right(at: Round) -> bool:
    """Say whether to press what is right at a question: at two of three, by turns."""
    assert at.number is not None
    return (at.number + len(at.done)) % 3 > 0


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_rounds_are_played_through_and_the_best_is_kept(client: FlaskClient, kind: Kind) -> None:
    best, races = 0, list[int]()
    for number in range(3):
        at = Round(kind, number)
        for question in round_of(kind, number):
            presses, judged = pressed(at, question)
            page = client.get(f"/practise/{kind}?round={number}&done={at.done}&p={presses}").text
            at = at.after(judged, presses)
            if not at.is_over:
                (link,) = re.findall(r'data-key="ArrowRight" href="(.*?)"', page)
                assert unescape(link) == f"/practise/{kind}?round={number}&done={at.done}"
        form = parse(client.get(f"/practise/{kind}?round={number}&done={at.done[:-1]}&p={presses}"))
        data = {str(it["name"]): str(it["value"]) for it in form.select("form [name]")}
        assert data == {"round": str(number), "done": at.done}
        answer = client.post(f"/practise/{kind}/done", data=data)
        found = at.done.count(FOUND)
        best = max(best, found)
        over = f"/practise/{kind}?round={number}&done={at.done}&best={best}"
        if kind == "cuts" and "0" not in at.done:
            races += [sum(int(letter) for letter in at.done if letter != FOUND)]
        over += f"&race={min(races)}" if races else ""
        assert (answer.status_code, answer.headers["Location"]) == (303, over)
        end = parse(client.get(over))
        assert text_of(end.select("h1")[0]) == f"{found} of 10 at the first try · best {best}"
        assert len(end.select(".again a")) == (10 - found or 10)
        for link in end.select(".again a"):
            again = client.get(str(link["href"]))
            assert again.status_code == 200 and "first try" not in again.text


def test_what_was_missed_can_be_tried_again_and_leads_back(client: FlaskClient) -> None:
    over = "/practise/moves?round=3&done=ff0fff0f00"
    soup = parse(client.get(over))
    assert len(soup.select(".dots .ok")) == 6 and len(soup.select(".dots .no")) == 4
    (on,) = parse(client.get(soup.select(".again a")[0]["href"] + "&p=s")).select(".prime")
    assert (on.get_text(), on["href"]) == ("Back to the round", over)


ONE_EACH = (
    "/practise/moves?round=3&done=ff&p=s",
    "/practise/values?round=2&done=f&p=",
    "/practise/values?round=2&p=0s1s2s3s",
    "/practise/cuts?tree=((3,5),(2,7))&top=min&p=uuus",
    "/practise/moves/-XO-X--O-?p=s",
)


@pytest.mark.parametrize("question", ONE_EACH)
def test_study_leads_back_to_the_question_from_each_of_its_views(
    client: FlaskClient, question: str
) -> None:
    found = [str(a["href"]) for a in parse(client.get(question)).select("#foot a[href^='/study']")]
    for url in found:
        study = parse(client.get(url))
        views = [str(a["href"]) for a in study.select(".tabs a[href^='/study']")]
        for page in (study, *(parse(client.get(view)) for view in views)):
            back = page.select("a.act.round.narrow")[0]
            assert back["href"] == question
            assert back["aria-label"] == "Back to the question"


@pytest.mark.parametrize("where", ["//a.example", "moves?x=1", "cuts/../../new", "moves?p=1#"])
def test_study_leads_back_to_questions_alone(client: FlaskClient, where: str) -> None:
    for tree in ("OX--X-OOX", "((3,5),(2,7))"):
        assert client.get(f"/study/{tree}", query_string={"question": where}).status_code == 400


def test_in_study_plus_stays_good_for_x_after_a_question(client: FlaskClient) -> None:
    (link,) = parse(client.get("/practise/moves/X---O---X?p=s")).select("#foot a[href^='/study']")
    page = parse(client.get(str(link["href"])))
    assert "plus is good for X" in text_of(page)
    assert {text_of(n) for n in page.select(".squares .n.X")} == {"+6"}
    search = client.get(str(link["href"]).replace("squares", "search"))
    assert "X is MAX" in text_of(parse(search))


def test_a_fork_that_may_still_change_the_top_is_gone_on_with() -> None:
    later = cuts.search(Lot(((3, 12), (14, 5))), "uuuu")  # A has 3, C no more than 14 as yet
    assert later.last and later.last.verdict == "went on" and not later.wrong


def test_a_round_keeps_how_many_leaves_were_looked_at_in_vain() -> None:
    assert Round("cuts", 1).after(cuts.search(CUT, "uuuu"), "uuuu").done == "1"
    assert Round("cuts").after(cuts.search(CUT, "uuuu"), "uuuu") == Round("cuts")


def test_a_best_that_makes_no_sense_is_none(client: FlaskClient) -> None:
    for kept_before in ({"moves": 99}, "x", {"moves": "a"}, None):
        with client.session_transaction() as session:
            session["best"] = kept_before
        answer = client.post("/practise/moves/done", data={"round": "1", "done": "f000000000"})
        assert answer.headers["Location"].endswith("&best=1")
    assert client.post("/practise/moves/done", data={"round": "1", "done": "f"}).status_code == 400


def raced(client: FlaskClient, done: str) -> Tag:
    answer = client.post("/practise/cuts/done", data={"round": "1", "done": done})
    return parse(client.get(answer.headers["Location"]))


def test_the_closest_race_with_alpha_beta_is_kept_and_told(client: FlaskClient) -> None:
    told = [
        ("ff2f1fffff", "3 leaves more"),
        ("f9ffffffff", "3 leaves more"),
        ("fffff1ffff", "1 leaf more"),
        ("ffffffffff", "no leaf more"),
        ("9999999999", "no leaf more"),
    ]
    for done, best in told:
        assert text_of(raced(client, done).select(".race p")[0]) == (
            f"Your best: {best} than alpha-beta."
        )
    opened = client.get("/practise/cuts?round=1&done=ff2f1fffff").text
    assert "Your best" not in opened, "of a round opened by a link nothing was kept"
    assert client.get("/practise/cuts?round=1&done=ff2f1fffff&race=91").status_code == 400


def test_a_round_with_an_answer_shown_or_a_cut_too_soon_is_no_race(client: FlaskClient) -> None:
    """By Cut alone nothing is looked at in vain."""
    too_soon = 0
    for lot in (lot for lot in round_of("cuts", 1) if isinstance(lot, Lot)):
        cut = shown = ""
        while (judged := cuts.search(lot, cut)).next:
            cut += "c" if "c" in judged.offered else "u"
        too_soon += bool(judged.wrong)
        done = Round("cuts", 1).after(judged, cut).done
        assert not judged.in_vain and done == ("0" if judged.wrong else FOUND)
        while (judged := cuts.search(lot, shown)).next:
            shown += "s" if judged.asks else "u"
        assert "s" not in shown or Round("cuts", 1).after(judged, shown).done == "0"
    assert too_soon
    said = "This round does not count here: an answer was shown, or a cut came too soon."
    assert text_of(raced(client, "0000000000").select(".race p")[0]) == said
    raced(client, "f2ffffffff")
    assert text_of(raced(client, "0fffffffff").select(".race p")[0]) == (
        f"Your best: 2 leaves more than alpha-beta. {said}"
    )


def test_a_session_of_before_there_was_a_race_and_one_that_makes_no_sense_still_read(
    client: FlaskClient,
) -> None:
    for kept_before in (None, "x", -1, 91, [3]):
        with client.session_transaction() as session:
            session["best"] = {"cuts": 7}
            session["race"] = kept_before
        data = {"round": "1", "done": "f4f0000000"}
        answer = client.post("/practise/cuts/done", data=data)
        assert answer.headers["Location"].endswith("&best=7"), "a cut too soon: no race"
        answer = client.post("/practise/cuts/done", data=data | {"done": "f4ffffffff"})
        assert answer.headers["Location"].endswith("&best=9&race=4")
    moves = client.post("/practise/moves/done", data={"round": "1", "done": "ff0fffffff"})
    assert moves.headers["Location"].endswith("&best=9")


def test_a_round_begins_anywhere_and_is_a_page_to_keep(client: FlaskClient, rng: Scripted) -> None:
    rng.pick = -1
    response = client.get("/practise/cuts")
    assert response.headers["Location"] == f"/practise/cuts?round={NUMBERS - 1}"
    assert response.headers["Cache-Control"] == "no-store"
    page = client.get(response.headers["Location"])
    assert page.headers["Cache-Control"].startswith("public")
    assert "Question 1 of 10, 0 found so far" in page.text


@pytest.mark.parametrize("kind", ["values", "cuts"])
def test_a_seed_names_a_tree_for_each_pupil_and_stays_in_every_address(
    client: FlaskClient, kind: Kind
) -> None:
    lot, same = "levels=3&branches=2&seed=17", by_lot(3, 2, 17, is_max=False)
    named = client.get(f"/practise/{kind}?tree={written(same.values)}&top=min").text
    page = client.get(f"/practise/{kind}?{lot}&top=min")
    assert page.text.replace(escape(lot), "") == named.replace(f"tree={written(same.values)}", "")
    while ways := parse(page).select("#told a.plain") or parse(page).select("#stage .tree a"):
        assert ways[0]["href"].startswith(f"/practise/{kind}?{lot}&top=min&p=")
        page = client.get(ways[0]["href"])
    (watch,) = (a["href"] for a in parse(page).select(".foot a") if text_of(a) == "Watch why")
    assert watch.startswith(f"/study/random?{lot}&top=min&view=search")
    study = parse(client.get(watch))
    assert "A random tree, seed 17 · MIN first" in text_of(study)
    for way in study.select(".bar a, #next"):
        assert lot in unquote(way["href"]) and client.get(way["href"]).status_code == 200


def test_the_three_kinds_are_named_and_led_to(client: FlaskClient) -> None:
    soup = parse(client.get("/practise"))
    assert [(a["aria-label"], a["href"]) for a in soup.select(".kinds a")] == [
        ("Start a round: Find the only move", "/practise/moves"),
        ("Start a round: Fill in the values", "/practise/values"),
        ("Start a round: Cut", "/practise/cuts"),
    ]
    assert len(soup.select(".prime")) == 1


def test_as_many_forks_as_a_tree_may_have_are_filled_in(client: FlaskClient) -> None:
    fork = "((((1),2),3),4,5)"
    lot = Lot(read_tree(f"({','.join([fork] * 5)})").values or ())
    presses = fill_right(lot)
    assert len(presses) == 2 * 21 and fill(lot, presses).at is None
    tree = written(lot.values)
    assert client.get(f"/practise/values?tree={tree}&p={presses[:34]}").status_code == 200
