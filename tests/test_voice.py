"""What the opponent says during a game, and its hints: each sentence is true and short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple, get_args

import pytest

from engine.hints import hint
from engine.position import LINES, SQUARE_NAMES, Mark, Position
from tests import positions, textbook
from tests.conftest import ScriptedRandom
from tests.games import boards_of, one_game_to_each_board
from tests.positions import UNFINISHED, all_or_canonical
from tests.sentences import NUMBER_WORDS, assert_sentences_match
from web.play import words
from web.play.game import Game, HintLevel, SharedResult
from web.play.opponents import OPPONENTS, OpponentName
from web.play.page import Page
from web.play.record import Record
from web.play.squares import ALL_NINE
from web.view.words import line_names, number

MAX_LENGTH = 60  # characters of a sentence

# The note on the square at stake


@pytest.mark.parametrize("earned_bits", [0, 1 << 4, ALL_NINE])
def test_a_game_that_does_not_count_promises_no_square(earned_bits: int) -> None:
    """Taking back the first move leaves an empty board, or for O only the opponent's mark."""
    record = Record(earned_bits=earned_bits)
    game = Game(record=record, help_used="back")
    assert words.row_note(game) == "No square this game."
    assert words.row_note(replace(game, help_used="")) != words.row_note(game)
    for first_move in (0, 4):
        game_as_o = Game((first_move,), human="O", record=record, help_used="back")
        assert words.row_note(game_as_o) == "Go first to earn squares."


GAME_FOR_TOP_LEFT = Game((0, 4, 8, 1))  # a draw would earn the square


def test_help_costs_the_square_at_stake_and_the_note_says_so() -> None:
    game = GAME_FOR_TOP_LEFT
    assert words.row_note(game) == "A draw earns you this square."
    assert game.at_stake == 0 and game.undo_forfeits
    for helped_game in (game.with_hint("danger"), game.undo().play(8, ScriptedRandom())):
        assert words.row_note(helped_game) == "You are X. No square this game."
        assert (helped_game.at_stake, helped_game.forfeited_square) == (None, 0)
        assert not helped_game.undo_forfeits
    assert words.NOTICES["forfeited"] == "As you like. No square this game."


@pytest.mark.parametrize(
    "game",
    [
        replace(GAME_FOR_TOP_LEFT, record=Record(earned_bits=1)),  # top left is already earned
        Game((0, 4, 8), human="O"),
        replace(GAME_FOR_TOP_LEFT, setup_length=2),
        replace(GAME_FOR_TOP_LEFT, opponent_name="random"),
    ],
)
def test_help_costs_nothing_if_no_square_is_at_stake(game: Game) -> None:
    assert (game.at_stake, game.undo_forfeits) == (None, False)
    assert words.row_note(game.with_hint("danger")) == f"You are {game.human}."


def test_a_hint_that_every_square_is_safe_costs_nothing() -> None:
    for moves in textbook.games_against_perfect("X"):
        for move_count in range(2, len(moves), 2):
            game = Game(moves[:move_count])
            scores = textbook.move_scores(str(game.position))
            are_all_safe = {*scores.values()} == {0}
            for level in get_args(HintLevel):
                is_paid = game.with_hint(level).help_used == "hint"
                assert is_paid == (level != "off" and not are_all_safe), (game.moves, level)


# Comments on the last move


class Reply:
    """A reply of the opponent, and the facts that a comment on it may claim."""

    def __init__(self, game: Game) -> None:
        self.game, self.square = game, game.moves[-1]
        self.human, self.opponent = game.human, textbook.other(game.human)
        *_, self.before, self.after = boards_of(game.moves)
        self.scores = textbook.move_scores(self.before)
        self.score, self.best_score = self.scores[self.square], max(self.scores.values())
        self.human_threats = textbook.winning_squares(self.before, self.human)
        self.own_threats = textbook.winning_squares(self.after, self.opponent)

    @property
    def is_block(self) -> bool:
        """Whether the human would have won on this square."""
        return self.square in self.human_threats

    @property
    def is_only_safe_square(self) -> bool:
        """Whether the opponent would have lost on every other square."""
        return [square for square, score in self.scores.items() if score >= 0] == [self.square]

    @property
    def has_fork(self) -> bool:
        """Whether the opponent has several threats, and the human cannot win first."""
        can_human_win = bool(textbook.winning_squares(self.after, self.human))
        return len(self.own_threats) > 1 and not can_human_win

    @property
    def perfect_claims(self) -> Mapping[str, bool]:
        """Whether each comment of Perfect would be true."""
        is_forced_block = self.is_block and self.is_only_safe_square
        threat_count = NUMBER_WORDS[len(self.own_threats)].capitalize()
        can_human_lose = bool(textbook.chance_with_best_moves(self.after))
        return {
            "I had to. You would have won there.": is_forced_block,
            "I had to, again.": is_forced_block,
            "And again.": is_forced_block,
            f"{threat_count} threats now. You have one move.": self.has_fork,
            "Every other square lost.": self.is_only_safe_square,
            "Again, every other square lost.": self.is_only_safe_square,
            "I win from here, whatever you do.": self.score > 0 and len(self.own_threats) < 2,
            "From here you cannot go wrong.": self.best_score == 0 and not can_human_lose,
            "": self.best_score == 0,  # an ordinary move
        }


def beginnings(game: Game) -> list[Game]:
    """Return the game as it was after each reply of the opponent, up to its last move."""
    first_count = 2 if game.human == "X" else 1
    counts = range(first_count, len(game.moves) + 1, 2)
    return [replace(game, moves=game.moves[:move_count]) for move_count in counts]


@cache
def comments_of_perfect() -> Mapping[Game, str]:
    """Return the comments on the replies of Perfect in every game.

    A game as O begins with Perfect's opening move, which is not a reply.
    """
    replies = {
        Game(moves[:move_count], human=human)
        for human in get_args(Mark)
        for moves in textbook.games_against_perfect(human)
        for move_count in range(2 if human == "X" else 3, len(moves), 2)
    }
    return {game: Page(game).comment for game in replies}


@pytest.mark.long
def test_comments_of_perfect_are_true_and_short() -> None:
    for game, comment in comments_of_perfect().items():
        assert Reply(game).perfect_claims[comment], (game.moves, comment)
        assert len(comment) <= MAX_LENGTH


@pytest.mark.long
def test_perfect_makes_no_comment_twice_in_a_game() -> None:
    comments = comments_of_perfect()
    for game, comment in comments.items():
        earlier_comments = [comments.get(beginning) for beginning in beginnings(game)[:-1]]
        assert not comment or comment not in earlier_comments, (game.moves, comment)


@pytest.mark.long
def test_comments_of_perfect_match_the_snapshot() -> None:
    sentences = [
        ("".join(map(str, game.moves)) + game.human, comment)
        for game, comment in comments_of_perfect().items()
    ]
    assert_sentences_match("voice", sentences)


class Quip(NamedTuple):
    """A comment of Hasty or Random; empty after most moves."""

    text: str
    reply: Reply
    earlier_texts: list[str]  # the comments made earlier in the game

    @property
    def is_true(self) -> bool:
        """Whether the comment is true of the reply, or its absence is as it should be."""
        reply = self.reply
        has_blocked_before = any("lock" in text for text in self.earlier_texts)
        claims = {
            "There. Your move.": len(reply.game.moves) <= 2 and not reply.human_threats,
            "Blocked. Next.": reply.is_block,
            "Was that a block? I was not looking.": reply.is_block,
            "I blocked one. Oh. There were two.": reply.is_block and len(reply.human_threats) == 2,
            "Two threats? Of what?": len(reply.own_threats) == 2,
            "": not reply.is_block or reply.game.opponent_name == "random" or has_blocked_before,
        }
        return claims[self.text]


@cache
def quips(opponent: OpponentName, human: Mark) -> list[Quip]:
    """Return the comments of an opponent on its replies to random moves."""
    rng = Random(5)
    found = []
    for _ in range(1000):
        game = Game().start_next(opponent, human, rng)
        while not game.outcome:
            game = game.play(rng.choice(game.position.legal_moves()), rng)
            if not game.outcome:
                *earlier_texts, text = (Page(earlier).comment for earlier in beginnings(game))
                found.append(Quip(text, Reply(game), earlier_texts))
    return found


for_hasty_and_random_on_each_side = pytest.mark.parametrize(
    ("opponent", "human"), [*product(("hasty", "random"), get_args(Mark))]
)


@for_hasty_and_random_on_each_side
def test_comments_of_hasty_and_random_are_true(opponent: OpponentName, human: Mark) -> None:
    for quip in quips(opponent, human):
        assert quip.is_true, (quip.reply.game.moves, quip.text)


@for_hasty_and_random_on_each_side
def test_hasty_and_random_make_no_comment_twice_in_a_game(
    opponent: OpponentName, human: Mark
) -> None:
    for quip in quips(opponent, human):
        assert not quip.text or quip.text not in quip.earlier_texts, quip.reply.game.moves


@for_hasty_and_random_on_each_side
def test_hasty_and_random_make_each_of_their_comments_often(
    opponent: OpponentName, human: Mark
) -> None:
    counts = Counter(quip.text for quip in quips(opponent, human))
    # Only Hasty comments on its first move, which is a reply only if it goes second.
    has_comment_on_first_move = opponent == "hasty" and human == "X"
    assert len(counts) == (4 if has_comment_on_first_move else 3)
    assert min(counts.values()) >= 20, counts


def test_perfect_says_when_no_square_can_lose_anymore() -> None:
    """X | X | O
    O | O | X
    X | O |     O could have gone bottom right as well."""
    assert Page(Game((0, 4, 1, 2, 6, 3, 5, 7))).comment == "From here you cannot go wrong."


# Hints; test_hints.py tests the facts behind them

SNAPSHOT_SUFFIX = "-of-all-images" if positions.is_soak else ""


@pytest.mark.long
def test_every_kind_of_hint_matches_the_snapshot_and_is_short() -> None:
    sentences = []
    for position in all_or_canonical(UNFINISHED):
        for is_perfect in (True, False):
            sentences.append((str(position), words.hint_sentence(hint(position), is_perfect)))
    assert_sentences_match(f"hints{SNAPSHOT_SUFFIX}", sentences)
    assert max(len(sentence) for _, sentence in sentences) <= MAX_LENGTH


@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ("---------", "No danger here: every square is safe."),
        ("XOXOOX-XO", "One square left, and it keeps the draw."),
        ("X--------", "Careful: only one of eight squares is safe."),
        ("----X----", "Careful: only four of eight squares are safe."),
        ("-X--O----", "Careful: one of seven squares loses."),
        ("-X-O-----", "You can force a win. Aim for two threats."),
        ("-X-OX---O", "You win at bottom center."),
        ("XO------X", "Watch the center: I win there next."),
        ("XO-----X-", "Watch bottom left: I could make two threats there."),
        ("XOX------", "Do not force me to the center: I get two threats there."),
        ("X-O-----X", "Every square loses now. The center lasts longest."),
        ("XO--O-XX-", "Every square loses now, all equally fast."),
    ],
)
def test_every_kind_of_hint_has_an_example(board: str, sentence: str) -> None:
    assert words.hint_sentence(hint(Position.parse(board)), is_perfect=True) == sentence


def test_the_square_that_lasts_longest_is_named_if_there_is_one() -> None:
    sentences = set()
    for position in all_or_canonical(UNFINISHED):
        scores = textbook.move_scores(str(position))
        best_score = max(scores.values())
        if best_score < 0:
            sentence = words.hint_sentence(hint(position), is_perfect=True)
            best_squares = [square for square in scores if scores[square] == best_score]
            assert sentence == sentence_on_longest_defenses(best_squares, len(scores))
            sentences.add(sentence)
    assert len(sentences) > 2


def sentence_on_longest_defenses(best_squares: list[int], move_count: int) -> str:
    """Return the hint on a lost board: there is one best square, or all squares are equal."""
    if len(best_squares) == move_count:
        return "Every square loses now, all equally fast."
    (square,) = best_squares
    name = "The center" if square == 4 else SQUARE_NAMES[square].capitalize()
    return f"Every square loses now. {name} lasts longest."


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ((0, 1, 2, 3, 4, 5, 7, 6), None),
        ((0, 4), "Every square keeps the draw."),
        ((0, 1, 4, 2), None),
    ],
)
def test_squares_show_their_results_only_if_these_differ(
    moves: tuple[int, ...], sentence: str | None
) -> None:
    page = Page(Game(moves, setup_length=len(moves), hint="results"))
    scores = textbook.move_scores(str(page.game.position))
    is_shared = len({textbook.sign(score) for score in scores.values()}) == 1
    assert (len(page.possible_winners) == 1) == is_shared
    assert all(cell.result for cell in page.cells if cell.is_live) != is_shared
    if sentence:
        assert page.hint_sentence == sentence


def test_the_sentence_on_equal_results_is_from_the_side_of_the_human() -> None:
    assert words.results_sentence({"X"}, "X") == "Every square wins."
    assert words.results_sentence({"X"}, "O") == "Every square loses."


# Greetings and notices


def check_greeting(earned_bits: int, human: Mark, greeting: str) -> None:
    """Check the greeting of a game from an empty board, after earning some squares."""
    moves = () if human == "X" else (0,)
    game = Game(moves, human=human, record=Record(earned_bits=earned_bits))
    assert words.greeting(game) == greeting
    assert len(greeting) <= MAX_LENGTH


@pytest.mark.parametrize(
    ("earned_bits", "human", "greeting"),
    [
        (0, "X", "From an empty board, I never lose. Try for a draw."),
        (1, "X", "One is yours. Eight are still mine."),
        (0b11111111, "X", "One is still mine: bottom right. Come and take it."),
        (ALL_NINE & ~(1 << 4), "X", "One is still mine: the center. Come and take it."),
        (ALL_NINE, "X", "All nine are yours. I would like one back."),
        (0, "O", "I went first. A draw is the best you can do."),
        (ALL_NINE, "O", "I went first. A draw is the best you can do."),
    ],
)
def test_every_kind_of_greeting_has_an_example(
    earned_bits: int, human: Mark, greeting: str
) -> None:
    check_greeting(earned_bits, human, greeting)


def test_the_greeting_counts_the_earned_squares() -> None:
    for earned_bits in range(1, ALL_NINE):
        earned_count = earned_bits.bit_count()
        if earned_count < 8:
            earned = NUMBER_WORDS[earned_count].capitalize()
            verb = "is" if earned_count == 1 else "are"
            left = NUMBER_WORDS[9 - earned_count].capitalize()
            check_greeting(earned_bits, "X", f"{earned} {verb} yours. {left} are still mine.")


@pytest.mark.parametrize(
    ("friend_result", "greeting"),
    [
        ("lost", "Your friend lost from here. Can you stop me?"),
        ("held", "Your friend got a draw from here. Can you?"),
        (None, "Someone started here. Can you stop me?"),
    ],
)
def test_the_greeting_of_a_challenge_says_how_the_friend_did(
    friend_result: SharedResult | None, greeting: str
) -> None:
    challenge = Game((0, 4), link_length=2, friend_result=friend_result)
    assert words.greeting(challenge) == greeting


def test_the_greeting_on_a_board_that_was_set_up_is_short() -> None:
    for moves in one_game_to_each_board():
        if moves and not textbook.is_over(boards_of(moves)[-1]):
            human: Mark = "X" if len(moves) % 2 == 0 else "O"
            for opponent in OPPONENTS:
                game = Game(moves, opponent, human, setup_length=len(moves))
                assert len(words.greeting(game)) <= MAX_LENGTH


def test_every_notice_is_short() -> None:
    assert max(map(len, words.NOTICES.values())) <= MAX_LENGTH


def test_numbers_and_lines_have_their_names() -> None:
    assert [number(count) for count in range(10)] == NUMBER_WORDS
    rows = [f"{name} row" for name in ("top", "middle", "bottom")]
    columns = [f"{name} column" for name in ("left", "center", "right")]
    names = [*rows, *columns, "diagonal", "diagonal"]
    assert [line_names([line]) for line in LINES] == names
