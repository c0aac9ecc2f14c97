"""The sentences of the page Why, during a game and after it: each is true and short."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask

from engine.position import Mark
from tests import positions, textbook
from tests.finished_games import (
    MAX_LENGTH,
    SQUARE,
    Claims,
    TextbookGame,
    all_games_against_perfect,
    games_against_others,
    games_from_set_up_boards,
    is_true,
    square_by_name,
)
from tests.games import boards_of
from tests.positions import sample
from tests.sentences import NUMBER_WORDS, assert_sentences_match
from web.play.game import Game
from web.play.opponents import OpponentName
from web.play.why import why_page

OF_ALL = "-of-all" if positions.is_soak else ""


def why_sentence(app: Flask, game: Game) -> str:
    """Return the sentence of the page Why."""
    with app.test_request_context():
        sentence: str = why_page(game, "")["sentence"]
        return sentence


def moves_named(match: re.Match[str]) -> list[int]:
    """Return the moves that a sentence names by number, counted from 0."""
    return [int(digit) - 1 for digit in re.findall(r"\d", match[0])]


# After a game


def the_opponent_let_the_human_win(game: TextbookGame, match: re.Match[str]) -> bool:
    (move,) = moves_named(match)
    is_the_opponents = move == game.blunders[-1] and move not in game.human_moves
    return is_the_opponents and (match[1] == "you win") == (game.result == "won")


def had_only_one_safe_square(game: TextbookGame, match: re.Match[str]) -> bool:
    times = {"Once": 1, "Twice": 2, "Three times": 3, "Four times": 4}[match[1]]
    is_sound = not game.blunders and not game.winner
    return is_sound and moves_named(match) == game.only_moves and len(game.only_moves) == times


def could_have_lost(game: TextbookGame, match: re.Match[str]) -> bool:
    risky_moves = [move for move in game.human_moves if game.losing_count(move)]
    is_sound = not game.blunders and not game.winner
    return is_sound and moves_named(match) == risky_moves and not game.only_moves


def could_have_won(game: TextbookGame, match: re.Match[str]) -> bool:
    blunder = game.last_blunder
    if blunder is None or game.sign_after(blunder) != 0:
        return False
    best_score = max(game.scores[blunder].values())
    how = {9: "won at once", 7: "made two threats at once"}.get(best_score, "forced a win")
    return best_score > 0 and match[1] == how


def board_after_losing_move(game: TextbookGame) -> str:
    """Return the board after the move that lost the game; "" if the human made none."""
    blunder = game.last_blunder
    if blunder is None or game.sign_after(blunder) >= 0:
        return ""
    return game.boards[blunder + 1]


def did_not_block(game: TextbookGame, match: re.Match[str]) -> bool:
    board, opponent = board_after_losing_move(game), game.opponent
    if not board:
        return False
    directions = ["in a row"] * 3 + ["in a column"] * 3 + ["on a diagonal"] * 2
    open_directions = [
        direction
        for line, direction in zip(textbook.LINES, directions, strict=True)
        if sorted(board[int(square)] for square in line) == ["-", opponent, opponent]
    ]
    return match[1] in open_directions


def can_win_at_once(board: str, game: TextbookGame) -> bool:
    return bool(textbook.winning_squares(board, game.opponent))


def allowed_a_fork(game: TextbookGame, match: re.Match[str]) -> bool:
    board, square = board_after_losing_move(game), square_by_name(match[1])
    if not board or can_win_at_once(board, game):
        return False
    threats = textbook.winning_squares(textbook.children(board)[square], game.opponent)
    return square in textbook.best(board) and len(threats) == NUMBER_WORDS.index(match[2])


def allowed_a_threat_before_a_fork(game: TextbookGame, match: re.Match[str]) -> bool:
    board = board_after_losing_move(game)
    if not board or can_win_at_once(board, game):
        return False
    return any(
        textbook.winning_squares(textbook.children(board)[reply], game.opponent)
        == (square_by_name(match[1]),)
        for reply in textbook.best(board)
    )


def was_lost_whatever_the_reply(game: TextbookGame, _: re.Match[str]) -> bool:
    board = board_after_losing_move(game)
    if not board or can_win_at_once(board, game):
        return False
    assert game.last_blunder is not None
    was_answered = len(game.moves) > game.last_blunder + 1
    return was_answered and max(textbook.move_scores(board).values()) > 0


CLAIMS: Claims = {
    r"From that board I could not lose\.": lambda game, _: (
        not game.blunders and game.result == "lost"
    ),
    r"You were winning from the start\.": lambda game, _: (
        not game.blunders and game.result == "won"
    ),
    r"At move \d I let (you win|a win slip)\.": the_opponent_let_the_human_win,
    r"(.+), only one square was safe.*": had_only_one_safe_square,
    r"A draw all the way\..*": could_have_lost,
    r"Here you could have (.+)\.": could_have_won,
    r"I had two (in a row|in a column|on a diagonal)\. You did not block\.": did_not_block,
    rf"{SQUARE} makes (\w+) threats\. You can block one\.": allowed_a_fork,
    rf"You must block {SQUARE}\. Then I make \w+ threats\.": allowed_a_threat_before_a_fork,
    r"Whatever you reply, I make \w+ threats\.": was_lost_whatever_the_reply,
}


@pytest.mark.parametrize(
    ("moves", "human", "opponent", "sentence"),
    [
        ((0, 1, 2, 4, 3, 8, 5, 6, 7), "O", "random", "Here you could have won at once."),
        ((0, 1, 2, 6, 4, 8, 7, 3, 5), "X", "random",
         "Here you could have made two threats at once."),
        ((4, 0, 8, 2), "X", "random", "I pick any old square. There is no why."),
        ((0, 1, 3), "O", "perfect", "You must block bottom left. Then I make two threats."),
        ((0, 1, 3, 6, 4), "O", "perfect", "I can win at two squares. You can block one."),
        ((1, 0, 6, 7, 4, 2, 8, 3, 5), "X", "perfect",
         "A draw all the way. You could have lost at move 3."),
        ((7, 3, 5, 6, 0, 8, 1, 4, 2), "O", "random", "Whatever you reply, I make two threats."),
    ],
)  # fmt: skip
def test_the_why_page_explains_rare_games(
    app: Flask, moves: tuple[int, ...], human: Mark, opponent: OpponentName, sentence: str
) -> None:
    assert why_sentence(app, Game(moves, opponent, human)) == sentence


def test_the_why_page_says_if_no_square_could_lose(app: Flask) -> None:
    game = Game((1, 7, 6, 0, 8, 2, 5, 4, 3), setup_length=2)
    assert why_sentence(app, game) == "A draw all the way. You had no losing move."


@pytest.mark.long
def test_the_why_page_of_a_finished_game_is_true_and_short(app: Flask) -> None:
    sentences = list[tuple[str, str]]()
    for game in (
        *sample(5, all_games_against_perfect()),
        *sample(5, games_against_others()),
        *sample(5, games_from_set_up_boards()),
    ):
        sentence = why_sentence(app, game)
        assert is_true(CLAIMS, TextbookGame(game), sentence), (game, sentence)
        assert len(sentence) <= MAX_LENGTH, sentence
        sentences.append((f"{''.join(map(str, game.moves))} {game.human}", sentence))
    assert_sentences_match(f"why-said{OF_ALL}", sentences)


# During a game


class Reply:
    """A reply of Perfect, with the boards before and after it."""

    def __init__(self, game: Game) -> None:
        *_, self.before, self.after = boards_of(game.moves)
        self.square = game.moves[-1]
        self.human, self.opponent = game.human, textbook.other(game.human)
        self.scores = textbook.move_scores(self.before)

    @property
    def is_lost_for_human(self) -> bool:
        """Whether the human loses against best play."""
        return max(textbook.move_scores(self.after).values()) < 0

    def is_explained_by(self, sentence: str) -> bool:
        """Return whether a sentence is true of the reply."""
        threats = textbook.winning_squares(self.after, self.opponent)
        if match := re.fullmatch(f"You had two .+. I had to block {SQUARE}.", sentence):
            blocked = textbook.winning_squares(self.before, self.human)
            return square_by_name(match[1]) == self.square and self.square in blocked
        if match := re.fullmatch(f"At {SQUARE} I would have lost. See the pencil.", sentence):
            return self.scores[square_by_name(match[1])] < 0 <= self.scores[self.square]
        if match := re.fullmatch(r"I can win at (\w+) squares. You can block one.", sentence):
            return len(threats) == NUMBER_WORDS.index(match[1]) > 1
        if match := re.fullmatch(rf"You must block {SQUARE}. Then I make \w+ threats.", sentence):
            return threats == (square_by_name(match[1]),) and self.is_lost_for_human
        if match := re.fullmatch(r"(\w+) of my squares were safe. The others lost.", sentence):
            safe_count = sum(score == 0 for score in self.scores.values())
            is_drawn = max(self.scores.values()) == 0
            count = NUMBER_WORDS.index(match[1].lower())
            return is_drawn and safe_count == count < len(self.scores)
        if sentence == "All my squares were safe.":
            return {*self.scores.values()} == {0}
        return sentence.startswith("Whatever you reply") and self.is_lost_for_human


def games_up_to_replies() -> Iterator[Game]:
    """Yield each game against Perfect, up to each of its replies, unless the game is over then."""
    beginnings = {
        (game.moves[:length], game.human)
        for game in all_games_against_perfect()
        for length in range(3 if game.human == "O" else 2, len(game.moves), 2)
    }
    for moves, human in sorted(beginnings):
        game = Game(moves, human=human)
        if not game.outcome:
            yield game


@pytest.mark.long
def test_the_why_page_of_a_reply_is_true_and_short(app: Flask) -> None:
    sentences = list[tuple[str, str]]()
    for game in games_up_to_replies():
        sentence = why_sentence(app, game)
        assert Reply(game).is_explained_by(sentence), (game, sentence)
        assert len(sentence) <= MAX_LENGTH, sentence
        sentences.append((f"{''.join(map(str, game.moves))} {game.human}", sentence))
    assert_sentences_match("why-said-in-play", sentences)
