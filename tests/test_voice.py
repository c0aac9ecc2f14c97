"""What the opponent says in play, its hints and its invitations: all of it is true, and short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import get_args

import pytest
from flask import Flask

from engine.hints import hint
from engine.position import LINES, SQUARE_NAMES, Mark
from tests import positions, textbook
from tests.games import boards, one_game_to_each_board
from tests.positions import UNFINISHED, whole
from tests.sentences import NUMBERS, assert_as_last_read, macros, plain
from web.play.game import Game, Was, replayed
from web.play.nine import NINE
from web.play.page import Page
from web.play.players import PLAYERS
from web.play.record import Record
from web.play.values import NOTICES
from web.view import words


@pytest.fixture
def say(app: Flask) -> ModuleType:
    return macros(app, "play/_words.html")


def test_a_game_that_no_longer_counts_promises_no_square(say: ModuleType) -> None:
    """A first move taken back leaves an empty board, or as O the opponent's first mark alone."""
    games: list[tuple[Mark, tuple[int, ...]]] = [("X", ()), ("O", (4,)), ("O", (0,))]
    for mark, moves in games:
        for held in (0, 1 << 4, NINE):
            for notice in (None, "undone"):
                game = Game(moves, human=mark, record=Record(held=held), helped="back")
                page = Page(game, notice=notice)
                note = str(say.note(page.you))
                assert note == f"You are {mark}. Now it does not count."
                counted = Page(replace(game, helped=""))
                assert str(say.note(counted.you)) != note


# The facts that hints tell are proved in test_hints.py.
OF_ALL = "-of-all-images" if positions.all_images else ""
MOST = 60  # letters


def replies() -> Iterator[Page]:
    """Yield the page after each reply of Perfect in every game from the empty board."""
    ways = {
        (game[:n], human)
        for human in get_args(Mark)
        for game in textbook.games_against_perfect(human)
        for n in range(2 + (human == "O"), len(game), 2)
    }
    for moves, human in sorted(ways):
        yield Page(Game(moves, human=human))


@pytest.mark.long
def test_what_perfect_says_of_its_reply_is_so_short_and_never_said_twice_in_a_game(
    say: ModuleType,
) -> None:
    told: dict[tuple[tuple[int, ...], Mark], str] = {}
    for page in replies():
        moves, human = page.game.moves, page.game.human
        before, after = (str(replayed(moves[:n])) for n in (len(moves) - 1, len(moves)))
        scores, foe = textbook.move_scores(before), textbook.other(human)
        score, top = scores[moves[-1]], max(scores.values())
        said = told[moves, human] = plain(str(say.reply(page.reply)))
        wins = textbook.wins_at(after, foe)
        if "had to" in said:
            assert moves[-1] in textbook.wins_at(before, human)
            assert [s for s in scores if scores[s] >= 0] == [moves[-1]]
        elif found := re.fullmatch(r"(\w+) threats now. You have one move.", said):
            assert len(wins) == NUMBERS.index(found[1].lower()) > 1
            assert not textbook.wins_at(after, human)
        elif "only this square" in said.lower():
            assert [s for s in scores if scores[s] >= 0] == [moves[-1]]
        elif said == "From here I win, whatever you do.":
            assert score > 0 and len(wins) < 2
        elif said == "You cannot go wrong any more.":
            assert top == 0 and not textbook.chance_of_best(after)
        else:
            found = re.fullmatch(r"I had (\w+) safe squares.", said)
            held = [s for s in scores if scores[s] == 0]
            assert found and top == 0 and NUMBERS.index(found[1]) == len(held)
        assert len(said) <= MOST
        if not said.endswith("safe squares."):  # which counts other squares
            earlier = [told.get((moves[:n], human)) for n in range(2, len(moves))]
            assert said not in earlier, (moves, said)
    where = (("".join(map(str, moves)) + human, said) for (moves, human), said in told.items())
    assert_as_last_read("voice", where)


def test_perfect_says_once_no_square_loses_any_more(say: ModuleType) -> None:
    """X | X | O
    O | O | X
    X | O |     O could have gone bottom right as well."""
    reply = Page(Game((0, 4, 1, 2, 6, 3, 5, 7))).reply
    assert plain(str(say.reply(reply))) == "You cannot go wrong any more."


@pytest.mark.long
def test_each_kind_of_hint_is_as_last_read_and_short(say: ModuleType) -> None:
    told = []
    for position in whole(UNFINISHED):
        for never_slips in (True, False):
            game = Game(human=position.turn)
            hinted = Page(game).hinted._replace(hint=hint(position), never_slips=never_slips)
            told.append((str(position), plain(str(say.hinted(hinted._replace(step="danger"))))))
    assert_as_last_read(f"hints{OF_ALL}", told)
    assert max(len(said) for _, said in told) <= MOST


def test_a_square_that_lasts_longest_is_named_where_one_does(say: ModuleType) -> None:
    named = Counter[str]()
    for position in whole(UNFINISHED):
        scores = textbook.move_scores(str(position))
        if max(scores.values()) > -1:
            continue
        hinted = Page(Game()).hinted._replace(hint=hint(position), step="danger")
        said = plain(str(say.hinted(hinted)))
        longest = [SQUARE_NAMES[s] for s in scores if scores[s] == max(scores.values())]
        named[said] += 1
        if len(longest) == len(scores):
            assert said == "Every square loses now. None lasts longer."
        else:
            (name,) = longest
            the = f"the {name}" if name == "centre" else name
            assert said == f"Every square loses now. {the.capitalize()} lasts longest."
    assert len(named) > 2


def test_where_all_squares_lead_to_the_same_it_is_said_once(say: ModuleType) -> None:
    for moves, said in (
        ((0, 1, 2, 3, 4, 5, 7, 6), None),
        ((0, 4), "Every square holds the draw."),
        ((0, 1, 4, 2), None),
    ):
        game = Game(moves, set_up=len(moves), hint="results")
        page = Page(game)
        scores = textbook.move_scores(str(game.position))
        alike = len({textbook.sign(score) for score in scores.values()}) == 1
        assert bool(page.hinted.alike) == alike
        assert all(cell.result for cell in page.cells if cell.is_live) != alike
        if said:
            assert plain(str(say.hinted(page.hinted))) == said


def test_what_is_said_before_the_first_move_counts_what_is_held(say: ModuleType) -> None:
    sides: list[tuple[int, Mark, str]] = [
        (0, "X", "I have never lost. Hold me to a draw, if you can."),
        (1, "X", "One is yours. Eight are still mine."),
        (0b11111111, "X", "Eight are yours. One is still mine."),
        (NINE, "X", "All nine are yours. I would like one back."),
        (0, "O", "I have never lost. Hold me to a draw, if you can."),
        (NINE, "O", "I have never lost. Hold me to a draw, if you can."),
    ]
    for held, human, said in sides:
        game = Game((0,) if human == "O" else (), human=human, record=Record(held=held))
        assert plain(str(say.hello(Page(game).hello))) == said
        assert len(said) <= MOST
    beaten = Game(record=Record(beaten=True))
    assert plain(str(say.hello(Page(beaten).hello))).startswith(
        "Nobody has beaten me from the empty"
    )
    linked = Game((0, 4), link=2, was="lost")
    friends: list[tuple[Was | None, str]] = [
        ("lost", "Your friend lost from here. Can you hold me?"),
        ("held", "Your friend held me from here. Can you?"),
        (None, "Somebody began here. Can you hold me?"),
    ]
    for was, said in friends:
        assert plain(str(say.hello(Page(replace(linked, was=was)).hello))) == said


def test_what_a_placed_board_asks_and_every_notice_is_short(say: ModuleType) -> None:
    for game in one_game_to_each_board():
        if game and len(game) < 9 and not textbook.over(boards(game)[-1]):
            human: Mark = "X" if len(game) % 2 == 0 else "O"
            for opponent in PLAYERS:
                placed = Page(Game(game, opponent, human, set_up=len(game)))
                assert len(plain(str(say.hello(placed.hello)))) <= MOST
    for notice in NOTICES:
        assert len(plain(str(say.notice(notice, Page(Game()).hello)))) <= MOST


def test_numbers_and_lines_have_their_names() -> None:
    assert [words.number(count) for count in range(10)] == NUMBERS
    rows, columns = ("top", "middle", "bottom"), ("left", "centre", "right")
    lines = [f"{name} row" for name in rows] + [f"{name} column" for name in columns]
    assert [words.line_names([line]) for line in LINES] == [*lines, "diagonal", "diagonal"]
