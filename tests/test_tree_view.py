"""The Tree view of /study: whole trees, maps with a place in view, and first moves alone."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.position import SQUARE_NAMES, Position
from engine.results import results
from teach.scenes import told
from teach.trees import tree
from tests import textbook
from tests.conftest import assert_refused, parse, text_of
from tests.positions import TO_PLAY
from tests.sentences import plain

CLASSIC = Position.parse("O-XX--XOO")
LOST = Position.parse("-X---XOOX")


@pytest.fixture(scope="module")
def words(app: Flask) -> Any:
    with app.app_context():
        return app.jinja_env.get_template("study/_told.html").module


# What is told


@pytest.mark.long
def test_at_every_place_the_best_moves_and_what_was_better_are_the_textbooks() -> None:
    for root in TO_PLAY:
        whole = tree(root)
        for node in whole.walk():
            found, board = told(whole, node.path), str(node.position)
            scores = textbook.move_scores(board) if node.below else {}
            top = max(scores.values(), default=None)
            assert found.moves == len(scores)
            assert list(found.best) == [s for s in scores if scores[s] == top]
            before = str(root.after(node.path[:-1]))
            others = textbook.move_scores(before) if node.path else {}
            best = max(others.values(), default=None)
            worse = node.path and others[node.path[-1]] != best
            assert list(found.better) == [s for s in others if worse and others[s] == best]
            assert found.siblings == len(others)
            wins = textbook.worth(board, textbook.turn(board), len(node.path), False)
            assert found.score == wins


def test_places_are_told_in_these_words(words: Any) -> None:
    def say(root: Position, *path: int, scoring: Any = "depth") -> str:
        whole = tree(root, scoring)
        return plain(words.sentence(told(whole, path), whole.at(path), scoring))

    assert say(LOST) == "O loses whatever it plays; top right lasts longest, to turn 4."
    assert (
        say(LOST, 2)
        == "O top right: only centre still wins for X, on turn 4. O has nothing better."
    )
    assert (
        say(LOST, 0)
        == "O top left: only top right still wins for X, on turn 2. O has better: top right."
    )
    assert say(LOST, 0, 2) == "X top right: X wins, on turn 2. 2 − 10 = −8."
    assert say(LOST, 2, 4, 0) == (
        "O top left: only middle left still wins for X, on turn 4. O has nothing better."
    )
    assert say(LOST, scoring="flat") == "O loses whatever it plays."
    assert say(CLASSIC) == "Only centre wins for X, on turn 1."
    assert say(Position.parse("XXOOO-XX-"), 8, 5) == "X middle right: a draw. 0."
    assert say(Position()) == "Every move draws for X."


@pytest.mark.parametrize(
    ("board", "title"),
    [
        ("-X---XOOX", "All four moves lose"),
        ("O-XX--XOO", "One of three moves wins"),
        ("---------", "All nine moves draw"),
        ("X--------", "One of eight moves draws"),
        ("XXOOO-XX-", "One of two moves wins"),
        ("XOXXOOOX-", "The only move draws"),
    ],
)
def test_the_title_counts_the_moves_by_what_they_lead_to(
    words: Any, board: str, title: str
) -> None:
    root = Position.parse(board)
    whole = tree(root, merged=True, scoring="depth")
    assert plain(words.title(told(whole, ()))) == title
    kinds = [found.winner for found in results(root).values()]
    assert told(whole, ()).moves == len(kinds)


# What is drawn


def test_from_three_empty_squares_each_board_is_drawn_and_leads_to_its_place(
    client: FlaskClient,
) -> None:
    soup = parse(client.get(f"/study/{CLASSIC}?view=tree"))
    for drawing in ("#map", "#wide"):
        links = {str(a["aria-label"]): a["href"] for a in soup.select(f"{drawing} a")}
        assert len(links) == 10
        assert links["X top centre, O middle right: +7"] == f"/study/{CLASSIC}?view=tree&path=15"
        assert links["The board: +9"] == f"/study/{CLASSIC}?view=tree"
    there = parse(client.get(f"/study/{CLASSIC}?view=tree&path=15"))
    assert text_of(there.select_one("#told")).startswith("O middle right: only centre still wins")
    assert text_of(there.select_one("h1")) == "10 boards to the end"


def test_from_four_the_map_and_the_place_are_drawn_and_lead_up_and_down(
    client: FlaskClient,
) -> None:
    soup = parse(client.get(f"/study/{LOST}?view=tree&path=2"))
    (up,) = soup.select("#up")
    assert up["href"] == f"/study/{LOST}?view=tree"
    assert len(soup.select("svg#map")) == 1
    kids = {text_of(kid): kid["href"] for kid in soup.select("#fam .kid")}
    assert list(kids) == ["+7 top left", "+7 middle left", "−6 centre"]
    assert kids["−6 centre"] == f"/study/{LOST}?view=tree&path=24"
    assert [text_of(on) for on in soup.select("#fam .from .chip")] == ["−6"]
    assert [text_of(row) for row in soup.select(".frames > li")] == [
        "O picks the highest · MAX value −6",
        "X picks the lowest · MIN value −6",
        "O picks the highest · MAX",
        "X picks the lowest · MIN",
        "",
    ]
    folds = [str(a["aria-label"]) for a in soup.select("#wide a")][-3:]
    assert folds == ["Open top left, −8", "Open middle left, −8", "Open centre, −8"]
    rows = [text_of(row) for row in soup.select(".col-r .squares a")]
    assert rows[0] == "X wins top right on turn 4 −6"
    assert "Flat" in text_of(
        parse(client.get(f"/study/{LOST}?view=tree&scoring=flat")).select_one("main")
    )


@pytest.mark.long
def test_above_four_empty_squares_mirror_images_stand_together(
    client: FlaskClient,
) -> None:
    for position in TO_PLAY:
        if position.ply < 5:
            where = f"/{position}" if position.ply else ""
            soup = parse(client.get(f"/study{where}?view=tree"))
            (many,) = soup.select(".many")
            kids = many.select(".kid")
            names = [text_of(kid.select_one("small")) for kid in kids]
            counts = [int(name.partition("×")[2] or 1) for name in names]
            assert sum(counts) == len(position.legal_moves())
            best = {SQUARE_NAMES[s] for s in textbook.best(str(position))}
            starred = [name for name in names if "★" in name]
            assert starred and all(name.partition(" ★")[0] in best for name in starred)


def test_above_four_empty_squares_a_press_plays_on(client: FlaskClient) -> None:
    first = parse(client.get("/study?view=tree")).select(".many .kid")[0]
    assert first["href"] == "/study/0?at=1&view=tree"


def test_mirror_images_merge_where_that_is_asked(client: FlaskClient) -> None:
    for mirrors, boards in (("all", 14), ("merged", 8)):
        soup = parse(client.get(f"/study/-X-O-OXOX?view=tree&mirrors={mirrors}"))
        assert len(soup.select("#wide a")) == boards
        if mirrors == "all":  # as where nothing is asked
            usual = parse(client.get("/study/-X-O-OXOX?view=tree"))
            assert usual.select("#wide a") == soup.select("#wide a")
        (switched,) = soup.select(".col-r .more [aria-current]")[1:]
        assert ("once" in text_of(switched)) == (mirrors == "merged")


def test_settings_stay_from_place_to_place_unless_they_are_the_usual_ones(
    client: FlaskClient,
) -> None:
    for asked, kept in (
        ("scoring=flat&mirrors=merged", "&scoring=flat&mirrors=merged"),
        ("scoring=depth&mirrors=all", ""),
    ):
        soup = parse(client.get(f"/study/{LOST}?view=tree&{asked}&path=24"))
        assert [link["href"] for link in soup.select("#up")] == [
            f"/study/{LOST}?view=tree&path=2{kept}"
        ]
        assert all(str(link["href"]).endswith(kept) for link in soup.select("#wide a"))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("path=9", "path is squares, digits from 0 to 8."),
        ("path=x", "path is squares, digits from 0 to 8."),
        ("path=0", "path leads to no board of this tree."),
        ("path=1111111111111", "path leads to no board of this tree."),
        ("mirrors=3d", "mirrors is one of merged, all."),
        ("scoring=", "scoring is one of depth, flat."),
    ],
)
def test_a_place_that_cannot_be_meant_is_refused(
    client: FlaskClient, query: str, reason: str
) -> None:
    assert_refused(client, f"/study/{CLASSIC}?view=tree&{query}", reason)


def test_four_ways_to_score_the_ends_are_told_where_they_differ(client: FlaskClient) -> None:
    soup = parse(client.get(f"/study/{LOST}?view=tree"))
    ways = [text_of(way) for way in soup.select(".col-r .rules li")]
    assert len(ways) == 4
    assert ways[0].startswith("+1, 0, −1 plays top left: 4 moves are all the same to it.")
    assert "X wins at top right, not blocked" in ways[0]
    assert not parse(client.get(f"/study/{CLASSIC}?view=tree")).select(".rules")


def test_a_large_tree_has_no_place_but_its_root(client: FlaskClient) -> None:
    assert_refused(client, "/study/X--------?view=tree&path=4", "path leads to no board")
