"""The pages of the puzzles: rounds of ten questions, their links, and every sentence."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import product
from typing import Any
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from engine.position import Position
from teach.lesson.trees import build_tree
from teach.numbers import format_tree, node_names
from teach.puzzles import cuts, rounds
from teach.puzzles.random_trees import PuzzleTree, random_tree
from teach.puzzles.rounds import ROUNDS, Kind, Question, round_questions
from teach.puzzles.values import value_choices, value_puzzle
from teach.trees import Node
from tests import textbook
from tests.conftest import ScriptedRandom, parse, text_of
from tests.html import Tag
from tests.positions import sample
from tests.puzzle_answers import (
    DEEP_TREE,
    KINDS,
    LECTURE_TREE,
    boards_asked,
    boards_in_one_orientation,
    presses_for,
    puzzle_trees,
    right_cuts,
    right_values,
    trees_with_numbers_to_set,
)
from tests.sentences import assert_sentences_match
from tests.test_cut_puzzles import remarks_on_windows
from web.puzzles import words
from web.puzzles.routes import EXAMPLE_TREE, Round

# Sentences


def sentences_about_values() -> Iterator[tuple[str, str]]:
    """Yield the remark on every value that can be chosen, with its place."""
    questions: list[Question] = [
        *map(Position.parse, boards_in_one_orientation("values")),
        *puzzle_trees("values", 1),
    ]
    for question in questions:
        names = node_names(question.root) if isinstance(question, PuzzleTree) else {}
        right_presses = right_values(question)
        for index, node in enumerate(value_puzzle(question, "").nodes):
            for letter in value_choices(node):
                presses = f"{right_presses[: 2 * index + 1]}{letter}"
                yield (
                    f"{question} {presses}",
                    words.value_reason(value_puzzle(question, presses), names),
                )
    uneven = PuzzleTree(((3,), (5, 2)))
    yield f"{uneven}", words.value_reason(value_puzzle(uneven, "00"), node_names(uneven.root))


def sentences_about_cutoffs() -> Iterator[tuple[str, str]]:
    """Yield the remark on every press on the way to the solution, with its place."""
    for tree in (*puzzle_trees("cuts", 1), EXAMPLE_TREE):
        names, place = node_names(tree.root), format_tree(tree.values)
        right_presses = right_cuts(tree)
        for count in range(len(right_presses)):
            before = right_presses[:count]
            for press in cuts.cut_puzzle(tree, before).offered_presses:
                puzzle = cuts.cut_puzzle(tree, before + press)
                yield f"{place} {before}{press}", words.cut_reason(puzzle, names)
    for tree in trees_with_numbers_to_set(3):
        names, place = node_names(tree.root), format_tree(tree.values)
        for presses in ("uum", "uul"):
            puzzle = cuts.cut_puzzle(tree, presses, asks_for_numbers=True)
            yield f"{place} {presses}", words.cut_reason(puzzle, names)
        for remark in remarks_on_windows(tree):
            yield f"{place} window", remark


def comments_on_rounds() -> Iterator[tuple[str, str]]:
    """Yield the comment on a round, for some numbers of questions found, with its place."""
    for found_count, kind in product((0, 4, 8, 10), KINDS):
        state = Round(kind, 1, "f" * found_count + "0" * (10 - found_count))
        yield f"{kind} {found_count}", words.comment(kind, found_count, state.grade)


def test_every_kind_of_answer_matches_the_snapshot() -> None:
    sentences = (*sentences_about_values(), *sentences_about_cutoffs(), *comments_on_rounds())
    assert_sentences_match(
        "puzzles-said", ((place, text.replace("**", "")) for place, text in sentences)
    )


# Pages

# The endings of some addresses, by the start that they share; a period stands for no ending.
ADDRESSES = {
    "": ".",
    "cuts?round=3": ". &done=fffffff&p=u &done=f0f0ffffff",
    "cuts?tree=((3,5),(2,7))&p=": "uuu uuuc uuuu",
    "cuts?tree=((3,5),(4,1))&top=max&p=": "uuuc",
    # A cutoff by a bound three levels up, after numbers were put under it.
    "cuts?round=3&done=fffffff&p=": "uu uu1 uuss uussm uussml uussmlc",
    # E has 2 or less, so D has too, although nothing is pruned below D.
    "cuts?tree=(4,(((2,-4),1),7),(9,9))&p=": "uucuu",
    f"cuts?tree={format_tree(DEEP_TREE.values)}&p=": "uuuc uuucu uuucuu",
    # The remark on a look states the bounds before it; those after it read like a reason to prune.
    f"cuts?tree={format_tree(LECTURE_TREE.values)}&p=": "uuuuuu uuuuuuu uuuuuuuuuucu uuuuuuuuuuuuu",
    # One useless look opens all remaining leaves.
    "cuts?tree=(7,(4,6,-7))&p=": "uuu",
    "cuts?tree=(7,(4,6,-7,2))&p=": "uuu",
    "values?round=3": ". &done=ffffffff&p=0 &done=f0fffffff0&best=9",
    "values?tree=(3,5)&top=min": ". &p=01 &p=00",
    "values?levels=3&branches=3&seed=2&p=": "00112232425261708191a1",  # of 13 inner nodes
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
    urls = [start + end.strip(".") for start, ends in ADDRESSES.items() for end in ends.split(" ")]
    for url in urls:
        page = parse(client.get(f"/practise/{url}".rstrip("/")))
        assert len(page.select("h1")) == 1, url
        presses = page.select(".board a, .tree a, #told a, .prime, .kinds a, .again a")
        assert presses or page.select("form"), url


# Rounds


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_round_has_ten_different_questions_in_the_order_of_their_difficulty(kind: Kind) -> None:
    all_questions = [round_questions(kind, number) for number in sample(3, range(30))]
    assert len({*all_questions}) == len(all_questions)
    for questions in all_questions:
        boards = [str(question) for question in questions if isinstance(question, Position)]
        assert len({min(textbook.symmetric_boards(board)) for board in boards}) == len(boards)
        for question, difficulty in zip(questions, ROUNDS[kind], strict=True):
            is_tree = isinstance(question, PuzzleTree)
            assert is_tree or str(question) in boards_asked(kind, difficulty)
        if kind != "moves":
            leaf_values = [
                sorted(leaf.value for leaf in root_of(question).leaves) for question in questions
            ]
            assert len({*map(tuple, leaf_values)}) == 10


@pytest.mark.long
def test_trees_to_fill_in_grow_and_two_have_min_at_the_root() -> None:
    for number in sample(3, range(30)):
        roots = [root_of(question) for question in round_questions("values", number)]
        assert [root.height for root in roots[::2]] == [2, 2, 3, 3, 4]
        assert sum(not root.is_max for root in roots) == 2


def root_of(question: Question) -> Node:
    """Return the root of the tree that a question is about."""
    return question.root if isinstance(question, PuzzleTree) else build_tree(question, fill_depth=2)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_the_best_round_is_saved(client: FlaskClient, kind: Kind) -> None:
    play_round(client, kind, number=1, missed_indexes=(2, 5, 8))
    end_page = play_round(client, kind, number=0, missed_indexes=(0, 3, 6, 9))
    assert text_of(end_page.select("h1")[0]) == "6 of 10 on the first try · best 7"
    missed_links = end_page.select(".again a")
    assert len(missed_links) == 4
    for link in missed_links:
        again = client.get(link["href"])
        assert again.status_code == 200 and "first try" not in again.text


def play_round(
    client: FlaskClient, kind: Kind, number: int, missed_indexes: tuple[int, ...]
) -> Tag:
    """Answer the questions of a round, ask for the answers of some, and return its last page.

    Seven are found in the best round so far.
    """
    done = ""
    for index, question in enumerate(round_questions(kind, number)):
        is_right = index not in missed_indexes
        presses = presses_for(kind, question, is_right, index)
        page = parse(client.get(f"/practise/{kind}?round={number}&done={done}&p={presses}"))
        done += "f" if is_right else "0"
        (button,) = page.select(".prime")
        url = f"/practise/{kind}?round={number}&done={done}"
        assert (button.get("href", url), button["data-key"]) == (url, "ArrowRight")
    data = {field["name"]: field["value"] for field in page.select("form [name]")}
    assert data == {"round": str(number), "done": done}
    response = client.post(f"/practise/{kind}/done", data=data)
    assert (response.status_code, response.headers["Location"]) == (303, f"{url}&best=7")
    return parse(client.get(response.headers["Location"]))


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
    links = page.select("a[href='/practise/values/OX--X-OOX?p=1']")
    assert any("Question" in text_of(link) for link in links)


# What a session has saved of earlier rounds, the kind and outcomes of a new one, and the best then.
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
        end_url = f"/practise/{kind}?round=1&done={done}&best={best}"
        assert response.headers["Location"] == end_url
        assert f"best {best}" in text_of(parse(client.get(end_url)).select_one("h1"))
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
