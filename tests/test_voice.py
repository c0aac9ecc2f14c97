"""What the opponent says of its reply, and the hints said to the player: all of it is true."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import cast

import pytest
from flask import Flask

from engine.hints import hint
from engine.position import SQUARE_NAMES, Position
from engine.reasons import why
from tests import textbook
from tests.positions import UNFINISHED

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@pytest.fixture(scope="module")
def say(app: Flask) -> ModuleType:
    with app.app_context():
        return cast(ModuleType, app.jinja_env.get_template("play/_words.html").module)


class Reply:
    """A reply to a board, with what the textbook knows of it."""

    def __init__(self, board: str, square: int) -> None:
        self.board, self.square = board, square
        self.mark, self.child = textbook.turn(board), textbook.children(board)[square]
        self.other = textbook.turn(self.child)
        self.scores = textbook.move_scores(board)
        self.draws = [s for s, value in self.scores.items() if value == 0]

    def wins(self) -> bool:
        return self.scores[self.square] > 0

    def blocks(self) -> bool:
        return self.square in textbook.wins_at(self.board, self.other)

    def chance(self, square: int) -> float:
        return float(textbook.chance_after(textbook.children(self.board)[square]))

    def best_of_draws(self) -> bool:
        return self.chance(self.square) == max(map(self.chance, self.draws))


def count(number: str) -> int:
    return NUMBERS.index(number.lower())


# Each kind of sentence, and what has to hold where it is said.
CLAIMS: dict[str, Callable[[Reply, re.Match[str]], bool]] = {
    r"I had to: you would have won right here\.": lambda it, _: it.blocks() and not it.wins(),
    r"I had to: you would have won right here\. Now I win, whatever you do\.": lambda it, _: (
        it.blocks() and it.wins()
    ),
    r"(\w+) threats at once: (.*)\. You can block one\.": lambda it, said: (
        [SQUARE_NAMES[square] for square in textbook.wins_at(it.child, it.mark)]
        == re.split(", | and ", said[2])
        and len(textbook.wins_at(it.child, it.mark)) == count(said[1]) > 1
        and not textbook.wins_at(it.child, it.other)
    ),
    r"Of (\w+) squares, only this one does not lose\.": lambda it, said: (
        [s for s, value in it.scores.items() if value >= 0] == [it.square]
        and len(it.scores) == count(said[1])
    ),
    r"From here I win, whatever you do\.": lambda it, _: it.wins(),
    r"Every square loses\. This one lasts longest\.": lambda it, _: (
        max(it.scores.values()) == it.scores[it.square] < 0
    ),
    r"(\w+) squares? draws?\. After none of them can you go wrong any more\.": lambda it, n: (
        len(it.draws) == count(n[1]) and not any(map(it.chance, it.draws))
    ),
    r"(\w+) squares? draws?\. After this one it is easiest .* wrong\.": lambda it, said: (
        len(it.draws) == count(said[1])
        and [s for s in it.draws if it.chance(s) >= it.chance(it.square)] == [it.square]
    ),
    r"(\w+) squares? draw\w*\. After none is it easier .* wrong\.": lambda it, n: (
        len(it.draws) == count(n[1]) and it.best_of_draws() and it.scores[it.square] == 0
    ),
}


@pytest.mark.long
def test_whatever_perfect_says_of_a_reply_is_true(say: ModuleType) -> None:
    said = Counter[str]()
    for position in UNFINISHED:
        for square in position.legal_moves():
            facts = why(position, square)
            if square in facts.best and not position.play(square).outcome():
                sentence = re.sub("<[^>]+>", "", str(say.reason(facts)))
                (claim,) = [claim for claim in CLAIMS if re.fullmatch(claim, sentence)]
                found = re.fullmatch(claim, sentence)
                assert found
                assert CLAIMS[claim](Reply(str(position), square), found), (position, sentence)
                said[claim] += 1
    assert set(said) == set(CLAIMS)


def test_random_says_how_many_squares_there_were(say: ModuleType) -> None:
    facts = why(Position.parse("X--------"), 5)
    assert str(say.no_reason(facts)) == "Any square will do. I took one of eight."


def hinted(say: ModuleType, board: str) -> str:
    return re.sub("<[^>]+>", "", str(say.watch(hint(Position.parse(board)))))


# What the facts of a hint are is proved in test_hints.py; each kind has its sentence.
@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ("XX-OO----", "You can win at once: top right."),
        ("X--XO----", "Watch bottom left: there X would win."),
        ("--O----XX", "Every square loses now, if X finds the way. Last as long as you can."),
        ("X-------O", "You can win by force from here: look for two threats at once."),
        (
            "-XO-X--O-",
            "Watch bottom right: there O would threaten two lines at once. Do not drive it there.",
        ),
        (
            "X--O-XXO-",
            "Watch top right: there X would threaten three lines at once. Do not let it.",
        ),
        ("X--------", "Careful: only one of eight squares holds the draw."),
        ("-X--O----", "Careful: one of seven squares loses."),
        ("OX-------", "Careful: only four of seven squares hold the draw."),
        ("---------", "Nothing to fear: every square holds the draw."),
        ("XOXXOOOX-", "One square is left, and it draws."),
    ],
)
def test_each_kind_of_hint_has_its_sentence(say: ModuleType, board: str, sentence: str) -> None:
    assert hinted(say, board) == sentence
