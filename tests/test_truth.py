"""Sentences are true, over every board or game in which they can appear."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from engine.notation import to_digits
from engine.position import SQUARE_NAMES, Position
from engine.reasons import explain
from engine.review import ReviewedMove
from teach.counts import minimax_node_count
from teach.lesson.screen import WORDS
from teach.searches import run
from teach.trees import SCORINGS, tree
from tests import textbook
from tests.conftest import Resume, parse
from tests.counts import count_nodes
from tests.games import reviewed_moves
from tests.html import Tag
from tests.positions import UNFINISHED, UNFINISHED_CANONICAL, all_or_canonical, sample
from tests.sentences import NUMBER_WORDS, plain_text
from tests.textbook import children, is_over, move_scores, sign
from web.study import words
from web.study.moves_view import moves_view
from web.study.place import parse_place
from web.study.quiz import Quiz, parse_quiz
from web.study.squares_view import squares_view
from web.view import mistakes

# With at most four empty squares, the tree of a board is small.
SMALL = [position for position in UNFINISHED_CANONICAL if position.ply >= 5]


def moves_with_sentences() -> Iterator[tuple[ReviewedMove, str]]:
    """Yield each reviewed move with the sentence about it: its reason, or what it gave away."""
    for _, move in reviewed_moves():
        explanation = explain(move.position, move.square)
        if move.is_blunder:
            concession = explanation.concession
            assert concession, move
            sentence = mistakes.concession_text(concession, move.square, move.number, None)
        else:
            sentence = words.reason(explanation, move.judgment, move.number, None)
        yield move, sentence


def solving_answers(quiz: Quiz, earlier_guesses: str = "") -> Iterator[str]:
    """Yield answers to the question of Study that solve it, some after wrong guesses."""
    right = [square for square in quiz.open_squares if square in quiz.right_squares]
    wrong = [square for square in quiz.open_squares if square not in quiz.right_squares]
    yield from (f"{earlier_guesses}{square}" for square in right)
    for square in wrong[:1]:
        yield from solving_answers(quiz.after_guess(square), f"{earlier_guesses}{square}")


@cache
def blunders() -> list[tuple[str, ReviewedMove]]:
    """Return each blunder, up to symmetry, after the digits of a game that ends with it."""
    return [
        (to_digits((*game, move.square)), move)
        for game, move in reviewed_moves()
        if move.is_blunder
    ]


def study_values(digits: str, **args: str) -> Mapping[str, Any]:
    """Return what the template of Study gets about a game; call it within a request."""
    query = MultiDict(args)
    return moves_view(parse_place(digits, query), query)[1]


# Study after a blunder


@pytest.mark.long
def test_study_names_the_better_move_only_if_no_quiz_is_left(app: Flask) -> None:
    missed_block_count = 0
    with app.test_request_context():
        for digits, move in sample(8, blunders()):
            values, board = study_values(digits, at=str(move.number)), str(move.position)
            sound_moves = textbook.sound_moves(board)
            missed_block = move.score_after < 0 and sound_moves == textbook.best(
                children(board)[move.square]
            )
            only_one_was_wrong = len(sound_moves) == len(move_scores(board)) - 1
            assert values["names_better_moves"] == (missed_block or only_one_was_wrong)
            missed_block_count += missed_block
    assert missed_block_count


@pytest.mark.long
def test_study_resumes_no_finished_game(app: Flask) -> None:
    with app.test_request_context():
        for digits, move in sample(8, blunders()):
            for answer in ("show", *solving_answers(parse_quiz(move, ""))):
                values = study_values(digits, at=str(move.number), answer=answer)
                assert not is_over(str(Position().after(map(int, values["resume_moves"]))))


SAFE = r"\. (?:Only (?P<one>[^.]+)|(?P<some>[^.]+)) (?:would have won|was safe|were safe)\."
HIDDEN = r"Which\? ([^.]+)\."  # the squares that a click on "Which?" shows


class Card(NamedTuple):
    """A page of Study about a mistake."""

    move: ReviewedMove
    page: Tag
    text: str  # of the card

    @property
    def right_squares(self) -> set[str]:
        """The names of the squares that keep the result."""
        return {SQUARE_NAMES[square] for square in textbook.sound_moves(str(self.move.position))}

    @property
    def sentence(self) -> re.Match[str]:
        """The sentence about the squares that were safe or would have won."""
        match = re.search(SAFE, self.text)
        assert match, self.text
        return match

    @property
    def counts_only(self) -> bool:
        """Whether the sentence counts the other squares, all of them right, and names none."""
        count = NUMBER_WORDS[len(self.right_squares)]
        return self.sentence["some"] == f"{self.move.mark}’s other {count} squares"

    @property
    def hidden_squares(self) -> str:
        """The squares that are named only after a click on "Which?"; empty if there are none."""
        match = re.search(HIDDEN, self.text)
        return match[1] if match else ""


@pytest.fixture(scope="module")
def cards(app: Flask) -> list[Card]:
    """Cards on some of the mistakes; in `make soak` on all."""
    client = app.test_client()
    result = []
    for digits, move in sample(30, blunders()):
        page = parse(client.get(f"/study/{digits}?at={move.number}"))
        result.append(Card(move, page, plain_text(str(page.select("#told")[0]))))
    return result


@pytest.mark.long
def test_a_card_on_a_mistake_counts_the_right_squares_only_if_one_is_wrong(
    cards: list[Card],
) -> None:
    counting = [card for card in cards if card.counts_only]
    assert counting
    for card in counting:
        assert len(card.right_squares) == len(children(str(card.move.position))) - 1


@pytest.mark.long
def test_a_card_on_a_mistake_hides_the_right_squares_if_the_next_step_asks_for_them(
    cards: list[Card],
) -> None:
    hiding = [card for card in cards if card.hidden_squares and not card.counts_only]
    assert hiding
    for card in hiding:
        assert squares_in(card.hidden_squares) == card.right_squares
        assert not squares_in(card.sentence[0])
        assert "open" not in card.page.select("#told details")[0].attrs
        assert card.page.select("#better") and "Retry" not in plain_text(str(card.page))


@pytest.mark.long
def test_any_other_card_on_a_mistake_names_the_right_squares(cards: list[Card]) -> None:
    naming = [card for card in cards if not card.hidden_squares and not card.counts_only]
    assert naming
    for card in naming:
        assert squares_in(card.sentence["one"] or card.sentence["some"]) == card.right_squares


@pytest.mark.long
def test_the_next_step_does_not_ask_for_squares_that_the_card_tells(cards: list[Card]) -> None:
    for card in cards:
        if "Which?" not in card.text:
            assert f"Retry move {card.move.number}" in plain_text(str(card.page))
            assert not card.page.select("#better")


@pytest.mark.parametrize(
    ("moves", "you", "is_told"),
    [("8342", "O", False), ("8342607", "O", True), ("8342607", "X", False)],
)
def test_study_asks_nothing_that_the_end_of_the_game_revealed(
    app: Flask, moves: str, you: str, is_told: bool
) -> None:
    """O played middle left instead of the center. X was not told so, and still has to find it."""
    with app.test_request_context():
        assert study_values(moves, at="2", you=you)["names_better_moves"] == is_told


def test_a_loss_to_a_double_threat_links_to_the_lesson_on_it(
    client: FlaskClient, resume: Resume
) -> None:
    resume("14753268", "perfect")
    for you, addresses in (("X", ["/learn/3?from=game"]), ("O", [])):
        card = parse(client.get(f"/study/14753268?at=3&you={you}")).select("#told")[0]
        links = [link for link in card.select("a") if link.get_text() == "two threats"]
        assert [link["href"] for link in links] == addresses


# Plans

# Another move instead of the only one, and the reply that refutes it
INSTEAD = r"other move loses\. After ([^,]+), for example, [XO] plays ([^:]+?)(?: and |: )"
# The reply with which a plan begins
REPLY = r"can win (?:at|in) ([^.:]+): |wins? (?:with|for) [^.]+\. After ([^,]+), for example, "
# A threat that must be blocked, and then a fork
BLOCK = r"(?:must block (?P<block>[^;.]+)[;.] then (?:[XO] plays )?(?P<block_fork>[^;:.]+?)"
BLOCK += r"(?: makes|:) (?P<block_count>\w+) threats)"
# A fork that follows any reply, with one reply as an example
ANY_REPLY = r"(?:whatever [XO] replies, (?:[XO] then makes )?(?P<count>\w+) threats"
ANY_REPLY += r"(?: follow| at once)\. If [XO] takes (?P<reply>[^,]+), "
ANY_REPLY += r"they come (?:at|in) (?P<fork>[^,.]+))"


@pytest.mark.long
def test_every_plan_that_is_shown_wins_against_every_reply() -> None:
    """Plans follow a winning move, a blunder, and the alternatives to an only move."""
    kinds = Counter[str]()
    for move, sentence in moves_with_sentences():
        board, start_kind = start_of_plan(move, sentence)
        kinds[start_kind] += 1
        if match := re.search(f"{BLOCK}|{ANY_REPLY}", sentence, re.IGNORECASE):
            check_plan(board, match)
            kinds["block" if match["block"] else "any reply"] += 1
        elif "for example, " in sentence:
            check_fork(board, sentence)
            kinds["fork"] += 1
    assert {*kinds} == {"the move", "instead", "reply", "block", "any reply", "fork"}, kinds


def start_of_plan(move: ReviewedMove, sentence: str) -> tuple[str, str]:
    """Return the board on which the plan in a sentence begins, and how it gets there.

    It begins after "the move", after a refuted move "instead", or after a "reply" to the move.
    """
    before = str(move.position)
    after = children(before)[move.square]
    if match := re.search(INSTEAD, sentence):
        after_alternative = children(before)[square_named(match[1])]
        return children(after_alternative)[square_named(match[2])], "instead"
    if match := re.search(REPLY, sentence):
        reply = square_named(match[1] or match[2])
        assert reply in textbook.best(after)
        return children(after)[reply], "reply"
    return after, "the move"


def check_plan(board: str, match: re.Match[str]) -> None:
    """Check a plan that ends with a fork: after a block, or whatever the other side replies."""
    loser = textbook.turn(board)
    winner = textbook.other(loser)
    threats = textbook.winning_squares(board, winner)
    assert not textbook.winning_squares(board, loser)
    if match["block"]:
        reply, fork = square_named(match["block"]), square_named(match["block_fork"])
        assert threats == (reply,)
    else:
        reply, fork = square_named(match["reply"]), square_named(match["fork"])
        assert not threats
        assert {*move_scores(board).values()} == {-6}  # every reply loses in four plies
    after_fork = children(children(board)[reply])[fork]
    threat_count = NUMBER_WORDS.index(match["block_count"] or match["count"])
    assert len(textbook.winning_squares(after_fork, winner)) == threat_count > 1
    assert not textbook.winning_squares(after_fork, loser)


def check_fork(board: str, sentence: str) -> None:
    """Check that the side that just moved has the two threats of a sentence."""
    assert "two threats at once" in sentence
    winner = textbook.other(textbook.turn(board))
    assert len(textbook.winning_squares(board, winner)) == 2


def square_named(name: str) -> int:
    """Return the square with a name."""
    return SQUARE_NAMES.index(name.removeprefix("the "))


def squares_in(sentence: str) -> set[str]:
    """Return the names of the squares in a text."""
    names = "|".join(sorted(SQUARE_NAMES, key=len, reverse=True))
    return {*re.findall(names, sentence.lower())}


@pytest.mark.long
def test_stars_mark_the_squares_that_perfect_chooses_from(app: Flask) -> None:
    with app.test_request_context():
        for position in sample(4, all_or_canonical(UNFINISHED)):
            values = squares_view(parse_place(str(position), MultiDict()), MultiDict())[1]
            starred = tuple(cell.square for cell in values["cells"] if cell.badge == "★")
            assert starred == textbook.best(str(position))


def test_a_percentage_says_whose_it_is_and_for_which_squares() -> None:
    for move, sentence in moves_with_sentences():
        if "%" in sentence and not move.is_blunder:
            all_draw = {*move_scores(str(move.position)).values()} == {0}
            among = r"draw\. (None|This one) beats" if all_draw else "Of these, "
            compared = r"would beat Random in [\d.]+% of games, this one in [\d.]+%"
            assert re.search(f"{compared}|{among}", sentence), sentence


def test_if_any_other_move_would_have_lost_all_others_lose() -> None:
    sentence_count = 0
    for move, sentence in moves_with_sentences():
        if "any other move would have lost" in sentence and not move.is_blunder:
            sentence_count += 1
            scores = move_scores(str(move.position))
            others = [score for square, score in scores.items() if square != move.square]
            assert max(others) < 0
            assert (move.score_after > 0) == ("at once" in sentence)
    assert sentence_count


def test_slow_wins_and_early_losses_name_the_best_move() -> None:
    better_move = r"[^.]+ would have (won at once|made two threats|won sooner|lasted longer)\."
    judgments = set()
    for move, sentence in moves_with_sentences():
        if move.judgment in ("slower win", "quicker loss"):
            judgments.add(move.judgment)
            match = re.search(better_move, sentence)
            assert match, sentence
            best = textbook.best(str(move.position))
            assert squares_in(match[0]) == {SQUARE_NAMES[square] for square in best}
    assert len(judgments) == 2


@pytest.mark.parametrize("view", ["moves", "squares", "search"])
def test_a_finished_board_has_no_side_to_move_and_no_children(
    client: FlaskClient, view: str
) -> None:
    finished_boards = filter(is_over, textbook.all_boards())
    for board in sample(6, [*textbook.one_image_of_each(finished_boards)]):
        text = plain_text(client.get(f"/study/{board}?view={view}").text)
        assert not re.search(r"to move|[Ss]tep back|search are there", text)


@pytest.mark.parametrize("view", ["moves", "squares", "search"])
def test_at_the_end_of_a_game_played_the_other_views_suggest_to_step_back(
    client: FlaskClient, view: str
) -> None:
    text = plain_text(client.get(f"/study/03142?at=5&view={view}").text)
    assert ("or step back" in text) == (view != "moves")


def test_alpha_beta_never_visits_more_and_best_first_usually_fewest() -> None:
    more_count, fewer_count = 0, 0
    for position, scoring in product(SMALL, SCORINGS):
        in_square_order = count_nodes(position, "alpha-beta", scoring, "squares")
        best_first = count_nodes(position, "alpha-beta", scoring, "best")
        assert max(in_square_order, best_first) <= minimax_node_count(position)
        more_count += best_first > in_square_order
        fewer_count += best_first < in_square_order
    assert 0 < more_count < fewer_count
    text = WORDS["terms"]["alpha-beta"]["text"]
    assert "never more nodes" in text
    assert "usually fewest when the best move is searched first" in text


def test_picking_among_bounds_loses_as_screen_12_says() -> None:
    """Some move returns the same value as the best one but is worth less."""
    fooled_count = 0
    for position in SMALL:
        search = run(tree(position, "flat", "squares"), "alpha-beta")
        returned_values = {
            step.path[0]: step.value
            for step in search.steps
            if len(step.path) == 1 and step.kind not in ("enter", "leaf", "cut")
        }
        scores = move_scores(str(position))
        fooled_count += any(
            value == search.value and sign(scores[square]) < search.value
            for square, value in returned_values.items()
        )
    assert fooled_count
    assert "mistakes a bound for a value may pick a losing move" in WORDS["12"]["more"]


@cache
def risky_win_chance(board: str) -> Fraction:
    """Return the best chance of the side that just moved to win, even if it risks a loss."""
    if is_over(board):
        return Fraction(textbook.winner(board) is not None)
    chances = [
        max(map(risky_win_chance, children(reply).values()), default=0)
        for reply in children(board).values()
    ]
    return Fraction(sum(chances), len(chances))


def test_o_beats_random_more_often_by_risking_the_draw() -> None:
    """Perfect wins 866 of 945 as O; a player that takes risks can win 887.

    So `perfect-play` claims only to be best among players that never give away a win or a draw.
    """
    chances_as_o = [
        max(map(risky_win_chance, children(board).values()))
        for board in children(textbook.EMPTY).values()
    ]
    assert risky_win_chance("X--------") == Fraction(191, 192)
    assert sum(chances_as_o, Fraction()) / 9 == Fraction(887, 945)
    perfect = WORDS["terms"]["perfect-play"]["text"]
    assert perfect.startswith("Never giving away a win or a draw")
