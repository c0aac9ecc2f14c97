"""What the opponent says during a game, and its hints: each sentence is true and short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import get_args

import pytest

from engine.hints import hint
from engine.position import LINES, SQUARE_NAMES, Mark, Position
from tests import positions, textbook
from tests.conftest import ScriptedRandom
from tests.games import boards_of, one_game_to_each_board
from tests.positions import UNFINISHED, all_or_canonical
from tests.sentences import NUMBERS, assert_sentences_match
from web.play import words
from web.play.game import FriendResult, Game, HintLevel, position_after
from web.play.opponents import OPPONENTS
from web.play.page import Page
from web.play.record import Record
from web.play.squares import ALL_NINE
from web.view.words import line_names, number


def test_a_game_that_does_not_count_promises_no_square() -> None:
    """Taking back the first move leaves an empty board, or for O only the opponent's mark."""
    for earned in (0, 1 << 4, ALL_NINE):
        game = Game(record=Record(earned_bits=earned), help_used="back")
        assert words.row_note(game) == "No square this game."
        assert words.row_note(replace(game, help_used="")) != words.row_note(game)
        for corner in (0, 4):
            second = Game((corner,), human="O", record=Record(earned_bits=earned), help_used="back")
            assert words.row_note(second) == "Go first to earn squares."


def test_the_cost_of_help_is_shown_while_a_square_is_at_stake() -> None:
    """Help costs nothing for an earned square, in a game as O, or on a board that was set up."""
    game, notice = Game((0, 4, 8, 1)), "As you like. No square this game."
    assert words.row_note(game) == "A draw earns you this square."
    assert game.at_stake == 0 and game.undo_forfeits
    for other in (game.with_hint("danger"), game.undo().play(8, ScriptedRandom())):
        assert words.row_note(other) == "You are X. No square this game."
        assert (other.at_stake, other.forfeited_square, other.undo_forfeits) == (None, 0, False)
    for free_game in (
        replace(game, record=Record(earned_bits=1)),
        Game((0, 4, 8), human="O"),
        replace(game, setup_length=2),
        replace(game, opponent_name="random"),
    ):
        assert (free_game.at_stake, free_game.undo_forfeits) == (None, False)
        assert words.row_note(free_game.with_hint("danger")) == f"You are {free_game.human}."
    assert words.NOTICES["forfeited"] == notice


def test_a_hint_that_every_square_is_safe_costs_nothing() -> None:
    for moves in textbook.games_against_perfect("X"):
        for n in range(2, len(moves), 2):
            game = Game(moves[:n])
            scores = textbook.move_scores(str(game.position))
            is_warned = {*scores.values()} != {0}
            for level in get_args(HintLevel):
                is_paid = game.with_hint(level).help_used == "hint"
                assert is_paid == (level != "off" and is_warned), (moves[:n], level)


# test_hints.py tests the facts behind the hints.
SNAPSHOT_SUFFIX = "-of-all-images" if positions.is_soak else ""
MAX_LENGTH = 60  # characters


def replies() -> Iterator[Page]:
    """Yield the page after each reply of Perfect in every game."""
    beginnings = {
        (game[:n], human)
        for human in get_args(Mark)
        for game in textbook.games_against_perfect(human)
        for n in range(2 + (human == "O"), len(game), 2)
    }
    for moves, human in sorted(beginnings):
        yield Page(Game(moves, human=human))


@pytest.mark.long
def test_comments_of_perfect_are_true_short_and_never_repeated() -> None:
    comments: dict[tuple[tuple[int, ...], Mark], str] = {}
    for page in replies():
        moves, human = page.game.moves, page.game.human
        before, after = (str(position_after(moves[:n])) for n in (len(moves) - 1, len(moves)))
        scores, foe = textbook.move_scores(before), textbook.other(human)
        score, top = scores[moves[-1]], max(scores.values())
        comment = comments[moves, human] = page.comment
        wins = textbook.winning_squares(after, foe)
        if comment in ("I had to. You would have won there.", "I had to, again.", "And again."):
            assert moves[-1] in textbook.winning_squares(before, human)
            assert [s for s in scores if scores[s] >= 0] == [moves[-1]]
        elif match := re.fullmatch(r"(\w+) threats now. You have one move.", comment):
            assert len(wins) == NUMBERS.index(match[1].lower()) > 1
            assert not textbook.winning_squares(after, human)
        elif "other square lost" in comment:
            assert [s for s in scores if scores[s] >= 0] == [moves[-1]]
        elif comment == "I win from here, whatever you do.":
            assert score > 0 and len(wins) < 2
        elif comment == "From here you cannot go wrong.":
            assert top == 0 and not textbook.chance_with_best_moves(after)
        else:
            assert not comment and top == 0, "it must be silent after an ordinary move"
        assert len(comment) <= MAX_LENGTH
        earlier = [comments.get((moves[:n], human)) for n in range(2, len(moves))]
        assert not comment or comment not in earlier, (moves, comment)
    sentences = (
        ("".join(map(str, moves)) + human, comment) for (moves, human), comment in comments.items()
    )
    assert_sentences_match("voice", sentences)


def replies_at_random(opponent: str, human: Mark) -> Iterator[Game]:
    """Yield the game after each reply of an opponent to random moves."""
    rng = Random(5)
    for _ in range(1000):
        game = Game().start_next(opponent, human, rng)
        while not game.outcome:
            game = game.play(rng.choice(game.position.legal_moves()), rng)
            if not game.outcome:
                yield game


@pytest.mark.parametrize("human", get_args(Mark))
@pytest.mark.parametrize("opponent", ["hasty", "random"])
def test_comments_of_hasty_and_random_are_true_and_said_once(opponent: str, human: Mark) -> None:
    quips = Counter[str]()
    for game in replies_at_random(opponent, human):
        quip, moves, foe = Page(game).comment, game.moves, textbook.other(human)
        before, after = (str(position_after(moves[:n])) for n in (len(moves) - 1, len(moves)))
        winning = textbook.winning_squares(before, human)
        own = range(human == "X", len(moves), 2)
        earlier = [Page(replace(game, moves=moves[: n + 1])).comment for n in own[:-1]]
        assert not quip or quip not in earlier, (moves, quip)
        quips[quip] += 1
        match quip:
            case "There. Your move.":
                assert len(moves) <= 2 and not winning
            case "Blocked. Next." | "Was that a block? I was not looking.":
                assert moves[-1] in winning
            case "I blocked one. Oh. There were two.":
                assert moves[-1] in winning and len(winning) == 2
            case "Two threats? Of what?":
                assert len(textbook.winning_squares(after, foe)) == 2
            case "":
                is_block = moves[-1] in winning
                assert (
                    not is_block or opponent == "random" or any("lock" in text for text in earlier)
                )
            case _:
                raise AssertionError(quip)
    # Only Hasty comments on its first move, which is a reply only if it goes second.
    has_first_move = opponent == "hasty" and human == "X"
    assert len(quips) == (4 if has_first_move else 3)
    assert min(quips.values()) >= 20, quips


def test_perfect_says_when_no_square_can_lose_anymore() -> None:
    """X | X | O
    O | O | X
    X | O |     O could have gone bottom right as well."""
    assert Page(Game((0, 4, 1, 2, 6, 3, 5, 7))).comment == "From here you cannot go wrong."


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
    named = Counter[str]()
    for position in all_or_canonical(UNFINISHED):
        scores = textbook.move_scores(str(position))
        if max(scores.values()) > -1:
            continue
        sentence = words.hint_sentence(hint(position), True)
        longest = [SQUARE_NAMES[s] for s in scores if scores[s] == max(scores.values())]
        named[sentence] += 1
        if len(longest) == len(scores):
            assert sentence == "Every square loses now, all equally fast."
        else:
            (name,) = longest
            the = f"the {name}" if name == "center" else name
            assert sentence == f"Every square loses now. {the.capitalize()} lasts longest."
    assert len(named) > 2


def test_a_result_that_all_squares_share_is_said_once() -> None:
    for moves, sentence in (
        ((0, 1, 2, 3, 4, 5, 7, 6), None),
        ((0, 4), "Every square keeps the draw."),
        ((0, 1, 4, 2), None),
    ):
        game = Game(moves, setup_length=len(moves), hint="results")
        page = Page(game)
        scores = textbook.move_scores(str(game.position))
        alike = len({textbook.sign(score) for score in scores.values()}) == 1
        assert (len(page.possible_winners) == 1) == alike
        assert all(cell.result for cell in page.cells if cell.is_live) != alike
        if sentence:
            assert page.hint_sentence == sentence
    assert words.results_sentence({"X"}, "X") == "Every square wins."
    assert words.results_sentence({"X"}, "O") == "Every square loses."


def test_the_greeting_counts_the_earned_squares() -> None:
    cases: list[tuple[int, Mark, str]] = [
        (0, "X", "From an empty board, I never lose. Try for a draw."),
        (1, "X", "One is yours. Eight are still mine."),
        (0b11111111, "X", "One is still mine: bottom right. Come and take it."),
        (ALL_NINE & ~(1 << 4), "X", "One is still mine: the center. Come and take it."),
        (ALL_NINE, "X", "All nine are yours. I would like one back."),
        (0, "O", "I went first. A draw is the best you can do."),
        (ALL_NINE, "O", "I went first. A draw is the best you can do."),
    ]
    for bits in range(1, ALL_NINE):
        squares = [s for s in range(9) if bits >> s & 1]
        if len(squares) < 8:
            verbs = ["is" if n == 1 else "are" for n in (len(squares), 9 - len(squares))]
            counts = [NUMBERS[n].capitalize() for n in (len(squares), 9 - len(squares))]
            greeting = f"{counts[0]} {verbs[0]} yours. {counts[1]} {verbs[1]} still mine."
            cases.append((bits, "X", greeting))
    for earned, human, greeting in cases:
        game = Game((0,) if human == "O" else (), human=human, record=Record(earned_bits=earned))
        assert words.greeting(game) == greeting
        assert len(greeting) <= MAX_LENGTH
    linked = Game((0, 4), link_length=2, friend_result="lost")
    friends: list[tuple[FriendResult | None, str]] = [
        ("lost", "Your friend lost from here. Can you stop me?"),
        ("held", "Your friend got a draw from here. Can you?"),
        (None, "Someone started here. Can you stop me?"),
    ]
    for was, greeting in friends:
        assert words.greeting(replace(linked, friend_result=was)) == greeting


def test_every_notice_and_the_greeting_of_a_board_set_up_are_short() -> None:
    for game in one_game_to_each_board():
        if game and len(game) < 9 and not textbook.is_over(boards_of(game)[-1]):
            human: Mark = "X" if len(game) % 2 == 0 else "O"
            for opponent in OPPONENTS:
                placed = Game(game, opponent, human, setup_length=len(game))
                assert len(words.greeting(placed)) <= MAX_LENGTH
    for notice in words.NOTICES:
        assert len(words.NOTICES[notice]) <= MAX_LENGTH


def test_numbers_and_lines_have_their_names() -> None:
    assert [number(count) for count in range(10)] == NUMBERS
    rows, columns = ("top", "middle", "bottom"), ("left", "center", "right")
    lines = [f"{name} row" for name in rows] + [f"{name} column" for name in columns]
    assert [line_names([line]) for line in LINES] == [*lines, "diagonal", "diagonal"]
