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
from engine.symmetry import reachable
from tests import claims, textbook
from tests.test_app import lines_by_the_textbook
from tests.test_pages import games_at_random, one_game_to_each_position
from web.play.game import Game
from web.play.parts import Part, Reason, Status, Strike, Turned, draw, more, status, strike


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
                said = sentence_of(Reason(True, difficulty, (*game, square), OTHER[mark]))
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


def test_the_end_names_the_line_that_won_or_says_that_there_are_two() -> None:
    lines = Counter[int]()
    for end in reachable():
        outcome = end.outcome()
        if outcome and (winner := outcome.winner):
            lines[len(outcome.lines)] += 1
            name = claims.line_names(str(end), winner)
            took = "two lines" if len(outcome.lines) == 2 else f"the {name}"
            last, won = (winner, 4), outcome.lines
            mine = Status(None, winner, last, False, True, "won", won, False)
            theirs = Status(None, OTHER[winner], last, True, True, "lost", won, False)
            for told, you in ((mine, "You win"), (theirs, "You lost")):
                (said,) = draw([told])
                assert f">{you}: {winner} took {took}.</strong>" in said
    assert lines == {1: 920, 2: 22}


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
        said = sentence_of(Turned(human, game, 0, human))
        assert said == claims.turned(game, human), game
        kinds.add(kind(said))
    assert kinds == {NOTHING, A_DRAW, OPEN}  # perfect gives nobody a win to give away


@pytest.mark.long
def test_where_a_thousand_games_at_random_turned_is_true() -> None:
    kinds = set()
    finished = [game for game in games_at_random(2000) if textbook.over(end_of(game))]
    for game in finished[:1000]:
        for human in OTHER:
            said = sentence_of(Turned(human, game, 0, human))
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
                said = sentence_of(Turned("X", game, 0, "X"))
                assert said == claims.turned(game, "X"), game
                kinds.add(kind(said))
    assert kinds == {A_WIN, BOTH, A_DRAW, OPEN, A_WIN_OPEN}


# What the parts are


#  X | X | O    X has lost on the diagonal, by the computer's reply
#    | O |
#  O |   | X
LOST = (0, 4, 8, 2, 1, 6)
#  X | X | X    X has won by its own move
#  O | O |
WON = (0, 3, 1, 4, 2)
#  X | X | O
#  O | O | X
#  X | O | X
DRAWN = (0, 4, 1, 2, 6, 3, 5, 7, 8)


@pytest.mark.parametrize(
    ("moves", "human", "replied"),
    [
        ((), "X", False),
        ((0, 4), "X", True),
        ((4,), "O", True),
        (LOST, "X", True),
        (WON, "X", False),
    ],
)
def test_the_status_knows_whether_the_computer_moved_last(
    moves: tuple[int, ...], human: Mark, replied: bool
) -> None:
    assert status(Game(moves, "random", human), None).replied is replied


@pytest.mark.parametrize(
    ("moves", "difficulty", "human", "struck"),
    [
        ((0, 4), "perfect", "X", Strike((), None, False)),
        (LOST, "perfect", "X", Strike(((2, 4, 6),), "O", True)),
        (WON, "random", "X", Strike(((0, 1, 2),), "X", False)),
        (WON, "random", "O", Strike(((0, 1, 2),), "X", True)),
        (DRAWN, "perfect", "X", Strike((), "X", False)),
        (DRAWN, "random", "X", Strike((), None, False)),
    ],
)
def test_what_is_struck_is_the_winners_or_a_held_draws(
    moves: tuple[int, ...], difficulty: Difficulty, human: Mark, struck: Strike
) -> None:
    assert strike(Game(moves, difficulty, human)) == struck


def test_answers_that_keep_a_draw_are_counted_of_moves_that_draw_alone() -> None:
    #  X |   |       corners lose, edges draw
    #    | O |
    #    |   | X
    shown = Game((0, 4, 8), "perfect", "O", show_results=True)
    assert {square for square, _ in more(shown).answers} == {1, 3, 5, 7}
    last = Game(DRAWN[:-1], "perfect", "X", show_results=True)
    assert more(last).answers == ()
