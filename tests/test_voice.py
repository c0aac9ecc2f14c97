"""What the opponent says of its reply, and the hints said to the player: all of it is true."""

from __future__ import annotations

import re
from types import ModuleType
from typing import get_args

import pytest
from flask import Flask

from engine.hints import hint
from engine.players import PLAYERS
from engine.position import LINES, SQUARE_NAMES, Mark
from engine.reasons import Why, why
from engine.search import best_moves
from tests import positions, textbook
from tests.positions import UNFINISHED, whole
from tests.sentences import NUMBERS, assert_as_last_read, macros, plain
from web.play.game import Game
from web.play.page import Page


@pytest.fixture
def say(app: Flask) -> ModuleType:
    return macros(app, "play/_words.html")


# The facts that sentences tell are proved in test_reasons.py and test_hints.py.
OF_ALL = "-of-all-images" if positions.all_images else ""


@pytest.mark.long
def test_each_kind_of_sentence_of_perfect_is_as_last_read(say: ModuleType) -> None:
    assert_as_last_read(
        f"voice{OF_ALL}",
        (
            (f"{position} {SQUARE_NAMES[square]}", str(say.reason(why(position, square))))
            for position in whole(UNFINISHED)
            for square in best_moves(position)
            if not position.play(square).outcome()
        ),
    )


@pytest.mark.long
def test_each_kind_of_hint_is_as_last_read(say: ModuleType) -> None:
    told = [
        (str(position), str(say.watch(hint(position), opponent)))
        for position in whole(UNFINISHED)
        for opponent in PLAYERS
    ]
    assert_as_last_read(f"hints{OF_ALL}", told)
    assert not [said for _, said in told if "<" in plain(said)], "no tag is read"


def test_a_square_is_said_to_last_longest_where_it_does(say: ModuleType) -> None:
    for position in whole(UNFINISHED):
        scores = textbook.move_scores(str(position))
        if max(scores.values()) > -1:
            continue
        hinted = str(say.watch(hint(position), "perfect"))
        assert ("Last as long" in hinted) == (len({*scores.values()}) > 1)
        for square in best_moves(position):
            said = str(say.reason(why(position, square)))
            if "I had to" not in said:
                is_alone = [*scores.values()].count(scores[square]) == 1
                assert ("This one lasts longest" in said) == is_alone
                assert ("equally" in said) == (len({*scores.values()}) == 1)


@pytest.mark.parametrize("human", get_args(Mark))
def test_perfect_says_nothing_twice_in_a_game_and_took_what_guessing_loses_most_by(
    say: ModuleType, human: Mark
) -> None:
    ends = textbook.games_against_perfect(human)
    games = {game[:n] for game in ends for n in range(2 + (human == "O"), 9, 2)}
    told: dict[tuple[int, ...], set[str]] = {}
    for moves in sorted(games, key=len):
        page = Page(Game(moves, human=human))
        reply = page.reply
        if page.ending:
            continue
        assert isinstance(reply, Why)
        said = str(say.reason(reply, page.told_before))
        told[moves] = {part for part in re.split(r"(?<=[.:]) ", said) if "squares" not in part}
        for n in range(2, len(moves)):
            assert not told[moves] & told.get(moves[:n], set()), (moves, said)
        if "careless" in said:
            board = str(reply.position)
            below = textbook.children(board)
            chances = {s: textbook.chance_of_best(below[s]) for s in textbook.holding(board)}
            assert chances[reply.square] == max(chances.values()) > 0
    openings = {part for parts in told.values() for part in parts if " had to" in part}
    assert len(openings) == (3 if human == "X" else 2)


def test_numbers_and_lines_have_their_names(app: Flask) -> None:
    words = macros(app, "site/_words.html")
    assert [words.number(count) for count in range(10)] == NUMBERS
    rows, columns = ("top", "middle", "bottom"), ("left", "centre", "right")
    lines = [f"{name} row" for name in rows] + [f"{name} column" for name in columns]
    assert [words.line_name(line).strip() for line in LINES] == [*lines, "diagonal", "diagonal"]
