"""The sentences at the end of a game: each is true and short."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engine.position import LINES, SQUARE_NAMES, Mark
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
from tests.sentences import NUMBER_WORDS, assert_sentences_match
from web.play import words
from web.play.ends import End, end_of
from web.play.game import Game
from web.play.page import Page
from web.play.record import Record
from web.play.squares import ALL_NINE

OF_ALL = "-of-all" if positions.is_soak else ""

# Losses


def was_lost_before(game: TextbookGame, _: re.Match[str]) -> bool:
    return not game.blunders and game.sign_before(game.human_moves[0]) < 0


def left_a_win_open(game: TextbookGame, match: re.Match[str]) -> bool:
    blunder, square = game.last_blunder, square_by_name(match[1])
    if blunder is None or square != game.moves[blunder + 1]:
        return False
    was_open = square in textbook.winning_squares(game.boards[blunder], game.opponent)
    return was_open and textbook.winner(game.boards[blunder + 2]) == game.opponent


def allowed_a_fork(game: TextbookGame, match: re.Match[str]) -> bool:
    blunder = game.last_blunder
    if blunder is None or square_by_name(match[1]) != game.moves[blunder + 1]:
        return False
    after_reply = game.boards[blunder + 2]
    threats = textbook.winning_squares(after_reply, game.opponent)
    can_win_first = bool(textbook.winning_squares(after_reply, game.human))
    return len(threats) == NUMBER_WORDS.index(match[2]) > 1 and not can_win_first


def missed_the_only_safe_square(game: TextbookGame, match: re.Match[str]) -> bool:
    blunder = game.last_blunder
    if blunder is None or int(match[1]) != blunder + 1:
        return False
    safe_squares = [square for square, score in game.scores[blunder].items() if score >= 0]
    return safe_squares == [square_by_name(match[2])]


def let_the_opponent_in(game: TextbookGame, match: re.Match[str]) -> bool:
    blunder = game.last_blunder
    if blunder is None or int(match[1]) != blunder + 1:
        return False
    is_the_square = square_by_name(match[2]) == game.moves[blunder]
    return is_the_square and game.sign_after(blunder) < 0 <= game.sign_before(blunder)


def did_not_look_either(game: TextbookGame, match: re.Match[str]) -> bool:
    blunder = game.last_blunder
    return blunder is not None and int(match[1]) == blunder + 1 and game.sign_after(blunder) < 0


CLAIMS_ON_A_LOSS: Claims = {
    r"From that board I could not lose\.": was_lost_before,
    r"I was not looking\.": lambda game, _: game.last_blunder is None,
    r"You took your time\. I took the line\.": lambda game, _: game.game.opponent_name == "hasty",
    rf"(?:I was not looking\. )?{SQUARE} was open\.": left_a_win_open,
    rf"{SQUARE} made (\w+) threats\. You had one move\.": allowed_a_fork,
    rf"At move (\d), only {SQUARE} was safe\.": missed_the_only_safe_square,
    rf"Move (\d), {SQUARE}, let me in\.": let_the_opponent_in,
    r"I was not looking\. Neither were you, at move (\d)\.": did_not_look_either,
}


# Draws and wins


def was_winning_until(game: TextbookGame, match: re.Match[str]) -> bool:
    blunder = int(match[1]) - 1
    gave_a_win_away = game.sign_before(blunder) > 0 == game.sign_after(blunder)
    return blunder == game.last_blunder and gave_a_win_away


CLAIMS_ON_A_DRAW: Claims = {
    r"You were winning until move (\d)\.": was_winning_until,
    r"The board is full\. I did not notice\.": lambda game, _: game.last_blunder is None,
    r"All that hurry for nothing\.": lambda game, _: game.last_blunder is None,
    r"And you went second\. That is harder\.": lambda game, _: (
        game.human == "O" and not game.blunders
    ),
    r"Not from an empty board, so no square\.": lambda game, _: game.game.setup_length > 0,
}


def won_by_two_threats(game: TextbookGame, _: re.Match[str]) -> bool:
    """Return whether two threats beat Hasty, who had a move before the last one."""
    threats = textbook.winning_squares(game.boards[-3], game.human)
    return game.game.opponent_name == "hasty" and len(threats) > 1


CLAIMS_ON_A_WIN: Claims = {
    r"It was there for the taking\.": lambda game, _: game.game.opponent_name == "perfect",
    r"I was not looking\. Perfect always is\.": lambda game, _: game.game.opponent_name == "random",
    r"You had two threats\. I had time for one\.": won_by_two_threats,
    r"I had not even started\.": lambda game, _: len(game.moves) == game.game.setup_length + 1,
}

CLAIMS = {"won": CLAIMS_ON_A_WIN, "drawn": CLAIMS_ON_A_DRAW, "lost": CLAIMS_ON_A_LOSS}
VERDICTS = {
    "won": ("You win.", "You beat me."),
    "drawn": ("A draw.", "You stopped me."),
    "lost": ("I win.", "I won?"),
}


def end_and_sentences(game: Game) -> tuple[End, str, str]:
    """Return the end of a game, its verdict and its explanation."""
    end = end_of(game)
    assert end
    return end, words.verdict(end), words.explanation(end)


@pytest.mark.long
def test_every_sentence_at_the_end_of_a_game_is_true_and_short() -> None:
    """The games are all 2,416 against Perfect and many others, each after another earned square."""
    assert len(all_games_against_perfect()) == 2416
    kinds, sentences = Counter[tuple[str, str]](), list[tuple[str, str]]()
    for game in (
        *all_games_against_perfect(),
        *games_against_others(),
        *games_from_set_up_boards(),
    ):
        opponent = "set up" if game.setup_length else game.opponent_name
        place = f"{opponent} {''.join(map(str, game.moves))} {game.human}"
        earned_before = Record(earned_bits=1 << (game.moves[0] + 1) % 9)
        end, verdict, sentence = end_and_sentences(replace(game, record=earned_before))
        assert len(sentence) <= MAX_LENGTH, sentence
        # The sentences on earned squares depend on the record; another test has them all.
        if not end.stopped_perfect or end.kind == "second":
            facts = TextbookGame(game)
            assert verdict in VERDICTS[facts.result], place
            assert is_true(CLAIMS[facts.result], facts, sentence), (place, sentence)
        kinds[opponent, f"{end.result} {end.kind}"] += 1
        sentences.append((place, f"{verdict} {sentence}"))
    assert_sentences_match(f"ends{OF_ALL}", sentences)
    assert min(count for kind, count in kinds.items() if kind[0] != "perfect") >= 20, kinds
    assert len(kinds) == 26, sorted(kinds)


# Earned squares

LATER_DRAWS = {
    2: "I would not call that a habit.",
    3: "Not in a row, I notice.",
    4: "I still have more.",
    5: "Now you have more.",
    6: "Three left, and I know which.",
    7: "I am down to two.",
}


def sentence_on_earned_square(before: set[int], square: int) -> str:
    """Return the sentence about a square just earned, by a rule for all 512 sets of squares."""
    earned = before | {square}
    left = {*range(9)} - earned
    if square in before:
        left_text = f"{NUMBER_WORDS[len(left)].capitalize()} to go" if left else "All nine are"
        return f"{with_article(square).capitalize()} is already yours. {left_text}."
    if not left:
        return "Not one is mine anymore."
    if len(left) == 1:
        return f"One to go: {with_article(*left)}. I will be waiting."
    lines = [{*line} for line in LINES if {*line} <= earned]
    new_lines = [line for line in lines if square in line]
    if len(new_lines) > 1:
        return f"{NUMBER_WORDS[len(new_lines)].capitalize()} lines at once. I know that trick."
    if new_lines and len(lines) > 1:
        return "Another line of three. I see what you are doing."
    if new_lines:
        return "A line of three. It only took three draws."
    if len(earned) == 1:
        return f"{with_article(square).capitalize()} is yours. Eight to go."
    return f"{NUMBER_WORDS[len(earned)].capitalize()} are yours. {LATER_DRAWS[len(earned)]}"


def with_article(square: int) -> str:
    """Return the name of a square, with an article if it needs one."""
    name = SQUARE_NAMES[square]
    return "the center" if name == "center" else name


def test_sentences_on_an_earned_square_are_true_in_all_512_states() -> None:
    """In each state, a game is drawn from each square."""
    drawn_games = {
        moves[0]: moves
        for moves in textbook.games_against_perfect("X")
        if not textbook.winner(boards_of(moves)[-1])
    }
    assert len(drawn_games) == 9
    kinds = Counter[str]()
    for bits in range(512):
        before = {square for square in range(9) if bits >> square & 1}
        for square, moves in drawn_games.items():
            game = Game(moves, record=Record(earned_bits=bits))
            end, verdict, sentence = end_and_sentences(game)
            is_ninth = len(before) == 8 and square not in before
            assert verdict == ("All nine." if is_ninth else "You stopped me.")
            assert sentence == sentence_on_earned_square(before, square), (before, square)
            assert len(sentence) <= MAX_LENGTH and end.stopped_perfect
            kinds[end.kind] += 1
    assert set(kinds) == {"last", "again", "eighth", "line", "count"}


# Single games

DRAW_AS_X, DRAW_AS_O = (0, 4, 8, 1, 7, 6, 2, 5, 3), (0, 4, 8, 2, 6, 3, 5, 7, 1)


@pytest.mark.parametrize(
    ("moves", "human", "details", "verdict", "sentence"),
    [
        (DRAW_AS_X, "X", {}, "You stopped me.", "Top left is yours. Eight to go."),
        (DRAW_AS_X, "X", {"earned_bits": 0b110},
         "You stopped me.", "A line of three. It only took three draws."),
        (DRAW_AS_X, "X", {"earned_bits": 0b1_0000_0110},
         "You stopped me.", "A line of three. It only took three draws."),
        (DRAW_AS_X, "X", {"earned_bits": 0b100_1110},
         "You stopped me.", "Two lines at once. I know that trick."),
        (DRAW_AS_X, "X", {"earned_bits": ALL_NINE - 1},
         "All nine.", "Not one is mine anymore."),
        (DRAW_AS_X, "X", {"help_used": "hint"}, "A draw.", "You used a hint, so no square."),
        (DRAW_AS_X, "X", {"help_used": "back"},
         "A draw.", "You undid a move, so no square."),
        (DRAW_AS_X, "X", {"friend_result": "lost"},
         "You stopped me.", "Your friend lost here. You did not."),
        (DRAW_AS_X, "X", {"friend_result": "held", "earned_bits": 1},
         "You stopped me.", "So did your friend."),
        (DRAW_AS_X, "X", {"friend_result": "held", "earned_bits": ALL_NINE - 1},
         "All nine.", "Not one is mine anymore."),
        (DRAW_AS_X, "X", {"friend_result": "held", "help_used": "hint"},
         "A draw.", "You used a hint, so no square."),
        (DRAW_AS_O, "O", {}, "You stopped me.", "And you went second. That is harder."),
        (DRAW_AS_O, "O", {"earned_bits": ALL_NINE},
         "You stopped me.", "And you went second. That is harder."),
        (DRAW_AS_O, "O", {"help_used": "hint"}, "A draw.", "You used a hint."),
        (DRAW_AS_O, "O", {"help_used": "back"}, "A draw.", "You undid a move."),
        (DRAW_AS_O, "O", {"friend_result": "lost"},
         "You stopped me.", "Your friend lost here. You did not."),
        # After top center, a reply that Perfect does not choose.
        ((1, 0, 6, 7, 3, 2, 4, 5, 8), "X", {"earned_bits": 0b1},
         "You stopped me.", "Two are yours. I would not call that a habit."),
        ((0, 4, 8, 1, 3, 7), "X", {"losing_streak": 1},
         "I win again.", "Shall we look at it together?"),
        ((0, 4, 8, 1, 3, 7), "X", {"losing_streak": 2}, "I win.", "Bottom center was open."),
        ((0, 4, 8, 1, 3, 7), "X", {"losing_streak": 1, "friend_result": "lost"},
         "I win.", "Your friend lost here too."),
        ((0, 4, 8, 1, 3, 7), "X", {"friend_result": "held"},
         "I win.", "Your friend got a draw here."),
    ],
)  # fmt: skip
def test_an_end_takes_earlier_games_help_and_challenges_into_account(
    moves: tuple[int, ...],
    human: Mark,
    details: dict[str, Any],
    verdict: str,
    sentence: str,
) -> None:
    record = Record(
        **{name: details.pop(name) for name in ("earned_bits", "losing_streak") if name in details}
    )
    link = (2 if human == "X" else 1) if "friend_result" in details else 0
    game = Game(moves, human=human, record=record, link_length=link, **details)
    assert end_and_sentences(game)[1:] == (verdict, sentence)


@pytest.mark.parametrize(
    ("moves", "human", "details", "verdict", "sentence"),
    [
        ((3, 6, 7, 5, 2, 0, 8, 1, 4), "X", {"opponent_name": "random"},
         "A draw.", "The board is full. I did not notice."),
        ((0, 1, 2, 6, 4, 5, 8), "O", {"opponent_name": "random"},
         "I won?", "I was not looking. Bottom right was open."),
        ((0, 1, 2, 3, 4, 5, 7, 6, 8), "X", {"opponent_name": "hasty", "setup_length": 8},
         "You win.", "I had not even started."),
        ((6, 2, 8, 3, 4, 0, 5, 7, 1), "O", {"opponent_name": "random"},
         "A draw.", "You were winning until move 8."),
        ((0, 1, 4, 8, 2, 6, 7, 5, 3), "X", {"setup_length": 2},
         "A draw.", "You were winning until move 5."),
        ((0, 1, 3, 2, 6), "O", {"setup_length": 1},
         "I win.", "At move 2, only the center was safe."),
        ((1, 4, 7, 0, 8, 6, 5, 2), "X", {"setup_length": 1},
         "I win.", "Move 3, bottom center, let me in."),
    ],
)  # fmt: skip
def test_rare_games_end_with_rare_sentences(
    moves: tuple[int, ...], human: Mark, details: dict[str, Any], verdict: str, sentence: str
) -> None:
    assert end_and_sentences(Game(moves, human=human, **details))[1:] == (verdict, sentence)


def test_a_second_winning_square_is_shown_beside_the_winning_line() -> None:
    for game in all_games_against_perfect():
        facts = TextbookGame(game)
        winning_squares: tuple[int, ...] = ()
        if facts.result == "lost":
            winning_squares = textbook.winning_squares(facts.boards[-2], facts.opponent)
        captioned = [cell.square for cell in Page(game).cells if cell.caption]
        assert captioned == [square for square in winning_squares if square != game.moves[-1]]
