"""What the game page says in short, of each reply and of each game, re-derived from the rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

import pytest
from flask import Flask

from engine.players import PLAYERS, Difficulty
from engine.position import OTHER, Mark
from tests import claims, textbook
from tests.test_app import lines_by_the_textbook
from tests.test_pages import games_at_random, one_game_to_each_position
from web.parts import Part, Reason, Turned, draw


@pytest.fixture(autouse=True)
def within_a_request(app: Flask) -> Iterator[None]:
    """Draw within a request, as links are part of what is drawn."""
    with app.test_request_context():
        yield


def sentence_of(part: Part) -> str:
    """Return the text of what is drawn, up to its link; parsing so many takes too long."""
    (drawn,) = draw([part])
    ((said,),) = [re.findall(r"<p>(.*?)</p>", drawn)]
    return unescape(re.sub("<[^>]*>", "", said.partition(" <a ")[0]))


@pytest.mark.long
@pytest.mark.parametrize("difficulty", PLAYERS)
def test_the_reason_for_every_reply_of_either_opponent_is_true(difficulty: Difficulty) -> None:
    found: set[claims.Claim] = set()
    moves = Counter[str]()
    for position, game in one_game_to_each_position().items():
        board, mark = str(position), position.turn
        for square, child in textbook.children(board).items():
            best = square in claims.best(board)
            if textbook.over(child):
                moves["end a game"] += 1  # it is told where that turned instead
            elif best or difficulty == "random":
                said = sentence_of(Reason(True, OTHER[mark], difficulty, (*game, square)))
                opening = f"{mark} {claims.NAMES[square]}: "
                assert said.startswith(opening)
                told = said.removeprefix(opening)
                found.update(claims.proved(board, square, told, claims.IN_SHORT[difficulty]))
                moves["told"] += 1
            else:
                moves["never made"] += 1
    assert moves.total() == 16_167
    assert found == set(claims.IN_SHORT[difficulty].values())


def end_of(game: tuple[int, ...]) -> str:
    board = textbook.EMPTY
    for square in game:
        board = textbook.children(board)[square]
    return board


NOTHING, A_WIN, BOTH, A_DRAW, OPEN, A_WIN_OPEN = (
    "nobody gave a win or a draw away.",
    "gave a win away.",
    "gave a win away, and the draw too.",
    "gave the draw away.",
    "let ... win at ...",
    "gave a win away and let ... win at ...",
)


def kind(said: str) -> str:
    """Return what is said of a turning point without the move, and who could win where."""
    did = re.sub(r"^(your )?[XO] ((top|middle|bottom) \w+|centre) ", "", said.partition(": ")[2])
    return re.sub("let .* win at .*", "let ... win at ...", did)


@pytest.mark.long
@pytest.mark.parametrize("human", ["X", "O"])
def test_where_every_game_against_perfect_turned_is_true(human: Mark) -> None:
    kinds = set()
    for game in lines_by_the_textbook(human):
        said = sentence_of(Turned(human, game))
        assert said == claims.turned(game, human), game
        kinds.add(kind(said))
    assert kinds == {NOTHING, A_DRAW, OPEN}  # perfect gives nobody a win to give away


@pytest.mark.long
def test_where_a_thousand_games_at_random_turned_is_true() -> None:
    kinds = set()
    finished = [game for game in games_at_random(2000) if textbook.over(end_of(game))]
    for game in finished[:1000]:
        for human in OTHER:
            said = sentence_of(Turned(human, game))
            assert said == claims.turned(game, human), game
            kinds.add(kind(said))
    assert len(finished) >= 1000
    assert kinds == {NOTHING, A_WIN, BOTH, A_DRAW, OPEN, A_WIN_OPEN}


@pytest.mark.long
def test_where_a_game_turned_is_true_whichever_move_it_was() -> None:
    kinds = set()
    for position, earlier in one_game_to_each_position().items():
        scores = textbook.move_scores(str(position))
        for square, score in scores.items():
            if textbook.sign(score) < textbook.sign(max(scores.values())):
                game = (*earlier, square)
                said = sentence_of(Turned("X", game))
                assert said == claims.turned(game, "X"), game
                kinds.add(kind(said))
    assert kinds == {A_WIN, BOTH, A_DRAW, OPEN, A_WIN_OPEN}
