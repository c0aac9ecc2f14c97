"""Sentences at the end of a game and on the Why page: each is true and short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, get_args

import pytest
from flask import Flask

from engine.position import LINES, SQUARE_NAMES, Mark
from tests import positions, textbook
from tests.games import boards_of, one_game_to_each_board, random_games
from tests.positions import sample
from tests.sentences import NUMBERS, assert_sentences_match
from web.play import words
from web.play.ends import End, end_of
from web.play.game import Game
from web.play.opponents import OPPONENTS, OpponentName
from web.play.page import Page
from web.play.record import Record
from web.play.squares import ALL_NINE
from web.play.why import why_page

MAX_LENGTH = 60  # characters
SQUARE = "(?:the )?(" + "|".join(sorted(SQUARE_NAMES, key=len, reverse=True)) + ")"

OF_ALL = "-of-all" if positions.is_soak else ""


@cache
def all_games_against_perfect() -> list[Game]:
    """Return every game against Perfect from the empty board."""
    return [
        Game(moves, human=human)
        for human in get_args(Mark)
        for moves in textbook.games_against_perfect(human)
    ]


@cache
def random_games_from_both_sides() -> list[Game]:
    """Return finished random games, each as either side, and games against Hasty."""
    ended = [moves for moves in random_games(1200) if textbook.is_over(boards_of(moves)[-1])]
    games = [Game(moves, "random", human) for moves in ended for human in get_args(Mark)]
    return games + [
        Game(moves, "hasty", human) for human in get_args(Mark) for moves in against_hasty(human)
    ]


def against_hasty(human: Mark) -> Iterator[tuple[int, ...]]:
    """Yield random games against Hasty."""
    rng = Random(3)
    for _ in range(400):
        board, moves = textbook.EMPTY, list[int]()
        while not textbook.is_over(board):
            turn = textbook.turn(board)
            urgent = textbook.winning_squares(board, turn) or textbook.winning_squares(
                board, textbook.other(turn)
            )
            free = [*textbook.children(board)]
            moves.append(rng.choice(urgent if urgent and turn != human else free))
            board = textbook.children(board)[moves[-1]]
        yield tuple(moves)


@cache
def games_from_set_up_boards() -> list[Game]:
    """Return games from boards set up in which the human has moved.

    Boards with few marks come with more games, as few of those games are alike.
    """
    games = []
    all_boards = [*one_game_to_each_board()]
    boards_with_few_marks = [placed for placed in all_boards if len(placed) in (1, 2)]
    for placed in (
        *boards_with_few_marks,
        *sample(8, [placed for placed in all_boards if len(placed) > 2]),
    ):
        board = boards_of(placed)[-1]
        if textbook.is_over(board):
            continue
        for human in get_args(Mark):
            for moves in sample(7, [*textbook.games_against_perfect(human, board)]):
                games += [
                    Game((*placed, *moves), opponent, human, setup_length=len(placed))
                    for opponent in OPPONENTS
                ]
    return [game for game in games if game.has_moved]


class TextbookGame:
    """A finished game as the textbook sees it."""

    def __init__(self, game: Game) -> None:
        self.game, self.moves, self.human = game, game.moves, game.human
        self.foe = textbook.other(game.human)
        self.boards = boards_of(game.moves)
        self.winner = textbook.winner(self.boards[-1])
        self.scores = [textbook.move_scores(board) for board in self.boards[:-1]]
        self.blunders = [
            n
            for n in range(game.setup_length, len(self.moves))
            if self.sign_of(n) < self.sign_before(n)
        ]
        self.own_indexes = [
            n
            for n in range(game.setup_length, len(self.moves))
            if textbook.turn(self.boards[n]) == self.human
        ]
        last = self.blunders[-1:]
        # The index of the last blunder, if it is the human's.
        self.blunder = last[0] if last and last[0] in self.own_indexes else None

    def sign_of(self, n: int) -> int:
        return textbook.sign(self.scores[n][self.moves[n]])

    def sign_before(self, n: int) -> int:
        return textbook.sign(max(self.scores[n].values()))

    def losing_count(self, n: int) -> int:
        return sum(score < 0 for score in self.scores[n].values())

    @property
    def only_move_indexes(self) -> list[int]:
        """The indexes of the human's only moves: every other move would have lost."""
        return [n for n in self.own_indexes if 0 < self.losing_count(n) == len(self.scores[n]) - 1]


def square_named(name: str) -> int:
    return SQUARE_NAMES.index(name.lower())


def is_true_of_a_loss(truth: TextbookGame, sentence: str) -> bool:
    """Return whether the sentence is true of a game that the human lost."""
    blunder, boards, moves = truth.blunder, truth.boards, truth.moves
    if sentence == "From that board I could not lose.":
        return not truth.blunders and truth.sign_before(truth.own_indexes[0]) < 0
    if sentence == "I was not looking.":
        return blunder is None
    if sentence == "You took your time. I took the line.":
        return truth.game.opponent_name == "hasty"
    if blunder is None:
        return False
    before, answered = boards[blunder], boards[blunder + 2]
    if match := re.fullmatch(f"(?:I was not looking. )?{SQUARE} was open.", sentence, re.I):
        square = square_named(match[1])
        was_open = square in textbook.winning_squares(before, truth.foe)
        return was_open and square == moves[blunder + 1] and textbook.winner(answered) == truth.foe
    if match := re.fullmatch(rf"{SQUARE} made (\w+) threats. You had one move.", sentence, re.I):
        threats = textbook.winning_squares(answered, truth.foe)
        helpless = not textbook.winning_squares(answered, truth.human)
        count = NUMBERS.index(match[2])
        return (
            square_named(match[1]) == moves[blunder + 1] and len(threats) == count > 1 and helpless
        )
    if match := re.fullmatch(rf"At move (\d), only {SQUARE} was safe.", sentence):
        safe = [square for square, score in truth.scores[blunder].items() if score >= 0]
        return int(match[1]) == blunder + 1 and safe == [square_named(match[2])]
    if match := re.fullmatch(rf"Move (\d), {SQUARE}, let me in.", sentence):
        is_it = int(match[1]) == blunder + 1 and square_named(match[2]) == moves[blunder]
        return is_it and truth.sign_of(blunder) < 0 <= truth.sign_before(blunder)
    match = re.fullmatch(r"I was not looking. Neither were you, at move (\d).", sentence)
    return match is not None and int(match[1]) == blunder + 1 and truth.sign_of(blunder) < 0


def is_true_of_a_draw(truth: TextbookGame, sentence: str) -> bool:
    """Return whether the sentence is true of a game that was drawn."""
    if match := re.fullmatch(r"You were winning until move (\d).", sentence):
        blunder = int(match[1]) - 1
        return blunder == truth.blunder and truth.sign_before(blunder) > 0 == truth.sign_of(blunder)
    if sentence in ("The board is full. I did not notice.", "All that hurry for nothing."):
        return truth.blunder is None
    if sentence == "And you went second. That is harder.":
        return truth.human == "O" and not truth.blunders
    if sentence == "Not from an empty board, so no square.":
        return truth.game.setup_length > 0
    return False


WIN_SENTENCES = {
    "perfect": "It was there for the taking.",
    "random": "I was not looking. Perfect always is.",
    "hasty": "You had two threats. I had time for one.",
}


def is_true_about_threats(truth: TextbookGame, sentence: str) -> bool:
    """Return whether two threats beat Hasty, if the sentence mentions threats."""
    before_reply = truth.boards[-3]
    return "threats" not in sentence or len(textbook.winning_squares(before_reply, truth.human)) > 1


def is_true_at_end(game: Game, verdict: str, sentence: str) -> bool:
    truth = TextbookGame(game)
    result = "won" if truth.winner == game.human else "lost" if truth.winner else "drawn"
    verdicts = {
        "won": {"You win.", "You beat me."},
        "lost": {"I win.", "I won?"},
        "drawn": {"A draw.", "You stopped me."},
    }
    if verdict not in verdicts[result]:
        return False
    if result == "won":
        return sentence == WIN_SENTENCES[game.opponent_name] and is_true_about_threats(
            truth, sentence
        )
    return (is_true_of_a_loss if result == "lost" else is_true_of_a_draw)(truth, sentence)


def end_sentences(game: Game) -> tuple[End, str, str]:
    end = end_of(game)
    assert end
    return end, words.verdict(end), words.explanation(end)


@pytest.mark.long
def test_every_sentence_at_the_end_of_a_game_is_true_and_short() -> None:
    """They are the 2,416 games against Perfect, and many others, each after an earned square."""
    kinds, sentences = Counter[tuple[str, str]](), list[tuple[str, str]]()
    games = [
        *all_games_against_perfect(),
        *random_games_from_both_sides(),
        *games_from_set_up_boards(),
    ]
    assert len(all_games_against_perfect()) == 2416
    for game in games:
        before = Record(earned_bits=1 << (game.moves[0] + 1) % 9)
        where = "set up" if game.setup_length else game.opponent_name
        end, verdict, sentence = end_sentences(replace(game, record=before))
        if end.is_won_at_once and game.opponent_name == "hasty":
            assert (
                sentence == "I had not even started." and len(game.moves) == game.setup_length + 1
            )
        elif not end.stopped_perfect or end.kind == "second":
            assert is_true_at_end(game, verdict, sentence), (
                game.moves,
                game.human,
                where,
                sentence,
            )
        assert len(sentence) <= MAX_LENGTH, sentence
        kinds[where, f"{end.result} {end.kind}"] += 1
        sentences.append(
            (f"{where} {''.join(map(str, game.moves))} {game.human}", f"{verdict} {sentence}")
        )
    assert_sentences_match(f"ends{OF_ALL}", sentences)
    others = {kind: count for kind, count in kinds.items() if kind[0] != "perfect"}
    assert min(others.values()) >= 20, kinds
    assert len(kinds) == 26, sorted(kinds)


X_DRAWS, O_DRAWS = (0, 4, 8, 1, 7, 6, 2, 5, 3), (0, 4, 8, 2, 6, 3, 5, 7, 1)


def count_sentence(before: set[int], square: int) -> str:
    """Return the sentence about a newly earned square, by a rule for all 512 states."""
    now, names = before | {square}, NUMBERS
    left = {*range(9)} - now
    the = [f"{'the ' * (name == 'center')}{name}" for name in SQUARE_NAMES]
    if not left:
        return "Not one is mine anymore."
    if square in before:
        return (
            f"{the[square].capitalize()} is already yours. {names[len(left)].capitalize()} to go."
        )
    if len(left) == 1:
        (last,) = left
        return f"One to go: {the[last]}. I will be waiting."
    lines = [{*line} for line in LINES if {*line} <= now]
    new = [line for line in lines if square in line]
    if len(new) > 1:
        return f"{names[len(new)].capitalize()} lines at once. I know that trick."
    if new:
        return (
            "Another line of three. I see what you are doing."
            if len(lines) > 1
            else "A line of three. It only took three draws."
        )
    if len(now) == 1:
        return f"{the[square].capitalize()} is yours. Eight to go."
    start = f"{names[len(now)].capitalize()} are yours. "
    return (
        start
        + {
            2: "I would not call that a habit.",
            3: "Not in a row, I notice.",
            4: "I still have more.",
            5: "Now you have more.",
            6: "Three left, and I know which.",
            7: "I am down to two.",
        }[len(now)]
    )


def test_sentences_on_an_earned_square_are_true_in_all_512_states() -> None:
    """In each state, a game is drawn from each square."""
    drawn = {moves[0]: moves for moves in textbook.games_against_perfect("X") if len(moves) == 9}
    drawn = {s: m for s, m in drawn.items() if not textbook.winner(boards_of(m)[-1])}
    assert len(drawn) == 9
    kinds = Counter[str]()
    for bits in range(512):
        before = {square for square in range(9) if bits >> square & 1}
        for square, moves in drawn.items():
            end, verdict, sentence = end_sentences(Game(moves, record=Record(earned_bits=bits)))
            kinds[end.kind] += 1
            assert (len(sentence) <= MAX_LENGTH, end.stopped_perfect) == (True, True)
            is_ninth = len(before) == 8 and square not in before
            assert verdict == ("All nine." if is_ninth else "You stopped me.")
            if len(before) == 9:
                assert sentence.endswith("is already yours. All nine are.")
            else:
                assert sentence == count_sentence(before, square), (before, square)
    assert set(kinds) == {"last", "again", "eighth", "line", "count"}


@pytest.mark.parametrize(
    ("moves", "human", "more", "verdict", "sentence"),
    [
        (X_DRAWS, "X", {}, "You stopped me.", "Top left is yours. Eight to go."),
        (X_DRAWS, "X", {"earned_bits": 0b110},
         "You stopped me.", "A line of three. It only took three draws."),
        (X_DRAWS, "X", {"earned_bits": 0b1_0000_0110},
         "You stopped me.", "A line of three. It only took three draws."),
        (X_DRAWS, "X", {"earned_bits": 0b100_1110},
         "You stopped me.", "Two lines at once. I know that trick."),
        (X_DRAWS, "X", {"earned_bits": ALL_NINE - 1},
         "All nine.", "Not one is mine anymore."),
        (X_DRAWS, "X", {"help_used": "hint"}, "A draw.", "You used a hint, so no square."),
        (X_DRAWS, "X", {"help_used": "back"},
         "A draw.", "You undid a move, so no square."),
        (X_DRAWS, "X", {"friend_result": "lost"},
         "You stopped me.", "Your friend lost here. You did not."),
        (X_DRAWS, "X", {"friend_result": "held", "earned_bits": 1},
         "You stopped me.", "So did your friend."),
        (X_DRAWS, "X", {"friend_result": "held", "earned_bits": ALL_NINE - 1},
         "All nine.", "Not one is mine anymore."),
        (X_DRAWS, "X", {"friend_result": "held", "help_used": "hint"},
         "A draw.", "You used a hint, so no square."),
        (O_DRAWS, "O", {}, "You stopped me.", "And you went second. That is harder."),
        (O_DRAWS, "O", {"earned_bits": ALL_NINE},
         "You stopped me.", "And you went second. That is harder."),
        (O_DRAWS, "O", {"help_used": "hint"}, "A draw.", "You used a hint."),
        (O_DRAWS, "O", {"help_used": "back"}, "A draw.", "You undid a move."),
        (O_DRAWS, "O", {"friend_result": "lost"},
         "You stopped me.", "Your friend lost here. You did not."),
        # After top left, a reply that Perfect does not choose.
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
    more: dict[str, Any],
    verdict: str,
    sentence: str,
) -> None:
    record = Record(
        **{name: more.pop(name) for name in ("earned_bits", "losing_streak") if name in more}
    )
    link = (2 if human == "X" else 1) if "friend_result" in more else 0
    game = Game(moves, human=human, record=record, link_length=link, **more)
    assert end_sentences(game)[1:] == (verdict, sentence)


@pytest.mark.parametrize(
    ("moves", "human", "more", "verdict", "sentence"),
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
    moves: tuple[int, ...], human: Mark, more: dict[str, Any], verdict: str, sentence: str
) -> None:
    assert end_sentences(Game(moves, human=human, **more))[1:] == (verdict, sentence)


# The page Why


def why_sentence(app: Flask, game: Game) -> str:
    with app.test_request_context():
        sentence: str = why_page(game, "")["sentence"]
        return sentence


def is_true_of(game: Game, sentence: str) -> bool:
    """Return whether a sentence is true of a finished game."""
    truth = TextbookGame(game)
    blunder, foe = truth.blunder, truth.foe
    if sentence == "From that board I could not lose.":
        return not truth.blunders and truth.winner == foe
    if sentence == "You were winning from the start.":
        return not truth.blunders and truth.winner == game.human
    if match := re.fullmatch(r"At move (\d) I let (you win|a win slip).", sentence):
        n = int(match[1]) - 1
        won = truth.winner == game.human
        return (
            n == truth.blunders[-1]
            and n not in truth.own_indexes
            and won == (match[2] == "you win")
        )
    if "only one square was safe" in sentence:
        times = {"Once": 1, "Twice": 2, "Three times": 3, "Four times": 4}[
            sentence.partition(",")[0]
        ]
        named = [int(digit) - 1 for digit in re.findall(r"\d", sentence)]
        return (
            named == truth.only_move_indexes
            and len(named) == times
            and not (truth.blunders or truth.winner)
        )
    if sentence.startswith("A draw all the way."):
        named = [int(digit) - 1 for digit in re.findall(r"\d", sentence)]
        tempted = [n for n in truth.own_indexes if truth.losing_count(n)]
        if truth.blunders or truth.winner:
            return False
        return named == tempted and not truth.only_move_indexes
    if blunder is None:
        return False
    after = truth.boards[blunder + 1]
    if match := re.fullmatch(r"Here you could have (.+).", sentence):
        top = max(truth.scores[blunder].values())
        result = {9: "won at once", 7: "made two threats at once"}.get(top, "forced a win")
        return truth.sign_of(blunder) == 0 < top and match[1] == result
    if truth.sign_of(blunder) >= 0:
        return False
    wins = textbook.winning_squares(after, foe)
    if match := re.fullmatch(
        r"I had two (in a row|in a column|on a diagonal). You did not block.", sentence
    ):
        lines = ["in a row"] * 3 + ["in a column"] * 3 + ["on a diagonal"] * 2
        full = [line for row, line in zip(textbook.LINES, lines, strict=True)
                if sorted(after[int(s)] for s in row) == ["-", foe, foe]]  # fmt: skip
        return match[1] in full
    if wins:
        return False
    best = textbook.best(after)
    if match := re.fullmatch(rf"{SQUARE} makes (\w+) threats. You can block one.", sentence, re.I):
        child = textbook.children(after)[square_named(match[1])]
        return square_named(match[1]) in best and len(
            textbook.winning_squares(child, foe)
        ) == NUMBERS.index(match[2])
    played = (
        textbook.children(after)[truth.moves[blunder + 1]] if len(truth.moves) > blunder + 1 else ""
    )
    if match := re.fullmatch(rf"You must block {SQUARE}. Then I make (\w+) threats.", sentence):
        return (square_named(match[1]),) in {
            textbook.winning_squares(textbook.children(after)[s], foe) for s in best
        }
    match = re.fullmatch(r"Whatever you reply, I make (\w+) threats.", sentence)
    return bool(match and played) and max(textbook.move_scores(after).values()) > 0


@pytest.mark.parametrize(
    ("moves", "human", "opponent", "sentence"),
    [
        ((0, 1, 2, 4, 3, 8, 5, 6, 7), "O", "random", "Here you could have won at once."),
        (
            (0, 1, 2, 6, 4, 8, 7, 3, 5),
            "X",
            "random",
            "Here you could have made two threats at once.",
        ),
        ((4, 0, 8, 2), "X", "random", "I pick any old square. There is no why."),
        ((0, 1, 3), "O", "perfect", "You must block bottom left. Then I make two threats."),
        ((0, 1, 3, 6, 4), "O", "perfect", "I can win at two squares. You can block one."),
        (
            (1, 0, 6, 7, 4, 2, 8, 3, 5),
            "X",
            "perfect",
            "A draw all the way. You could have lost at move 3.",
        ),
        ((7, 3, 5, 6, 0, 8, 1, 4, 2), "O", "random", "Whatever you reply, I make two threats."),
    ],
)
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
        *sample(5, random_games_from_both_sides()),
        *sample(5, games_from_set_up_boards()),
    ):
        sentence = why_sentence(app, game)
        assert is_true_of(game, sentence), (game, sentence)
        assert len(sentence) <= MAX_LENGTH, sentence
        sentences.append((f"{''.join(map(str, game.moves))} {game.human}", sentence))
    assert_sentences_match(f"why-said{OF_ALL}", sentences)


def games_up_to_replies() -> Iterator[Game]:
    """Yield each game against Perfect, up to each of its replies."""
    ways = {
        (game.moves[:n], game.human)
        for game in all_games_against_perfect()
        for n in range(2 + (game.human == "O"), len(game.moves), 2)
    }
    return (Game(moves, human=human) for moves, human in sorted(ways))


@pytest.mark.long
def test_the_why_page_of_a_reply_is_true_and_short(app: Flask) -> None:
    sentences = list[tuple[str, str]]()
    for game in games_up_to_replies():
        if game.outcome:
            continue
        sentence, way, foe = (
            why_sentence(app, game),
            boards_of(game.moves),
            textbook.other(game.human),
        )
        before, after, square = way[-2], way[-1], game.moves[-1]
        scores = textbook.move_scores(before)
        if match := re.fullmatch(f"You had two (.+). I had to block {SQUARE}.", sentence):
            assert square_named(match[2]) == square in textbook.winning_squares(before, game.human)
        elif match := re.fullmatch(f"At {SQUARE} I would have lost. See the pencil.", sentence):
            assert scores[square_named(match[1])] < 0 <= scores[square]
        elif match := re.fullmatch(r"I can win at (\w+) squares. You can block one.", sentence):
            assert len(textbook.winning_squares(after, foe)) == NUMBERS.index(match[1]) > 1
        elif match := re.fullmatch(
            rf"You must block {SQUARE}. Then I make (\w+) threats.", sentence
        ):
            assert textbook.winning_squares(after, foe) == (square_named(match[1]),)
            assert max(textbook.move_scores(after).values()) < 0
        elif match := re.fullmatch(r"(\w+) of my squares were safe. The others lost.", sentence):
            sound = [s for s in scores if scores[s] == 0 == max(scores.values())]
            assert len(sound) == NUMBERS.index(match[1].lower()) < len(scores)
        elif sentence == "All my squares were safe.":
            assert {*scores.values()} == {0}
        else:
            assert sentence.startswith("Whatever you reply")
            assert max(textbook.move_scores(after).values()) < 0
        assert len(sentence) <= MAX_LENGTH, sentence
        sentences.append((f"{''.join(map(str, game.moves))} {game.human}", sentence))
    assert_sentences_match("why-said-in-play", sentences)


def test_a_second_winning_square_is_shown_beside_the_winning_line() -> None:
    for game in all_games_against_perfect():
        cells = Page(game).cells
        also = [cell.square for cell in cells if cell.caption]
        last, foe = boards_of(game.moves)[-2], textbook.other(game.human)
        wins = (
            textbook.winning_squares(last, foe)
            if textbook.winner(boards_of(game.moves)[-1]) == foe
            else ()
        )
        assert also == [square for square in wins if square != game.moves[-1]]
