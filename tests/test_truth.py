"""Sentences are true, over every board or game in which they can appear."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

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
from tests.positions import UNFINISHED, UNFINISHED_CANONICAL, all_or_canonical, sample
from tests.sentences import NUMBER_WORDS, plain_text
from tests.textbook import children, is_over, move_scores, sign
from web.study import words
from web.study.moves_view import moves_view
from web.study.place import parse_place
from web.study.quiz import Quiz, parse_quiz
from web.study.squares_view import squares_view
from web.view import mistakes

LATE = [position for position in UNFINISHED_CANONICAL if position.ply >= 5]


def moves_with_sentences() -> Iterator[tuple[ReviewedMove, str]]:
    """Yield each reviewed move with the sentence about it: its reason, or what it gave away."""
    for _, move in reviewed_moves():
        reason = explain(move.position, move.square)
        if move.is_blunder:
            assert reason.concession, move
            sentence = mistakes.concession_text(reason.concession, move.square, move.number, None)
        else:
            sentence = words.reason(reason, move.judgment, move.number, None)
        yield move, sentence


def answers(quiz: Quiz, answer: str = "") -> Iterator[str]:
    """Yield the answers that solve the question, some after wrong ones."""
    yield from (f"{answer}{square}" for square in quiz.open_squares if square in quiz.right_squares)
    wrong = [square for square in quiz.open_squares if square not in quiz.right_squares]
    for square in wrong[:1]:
        yield from answers(quiz.after_guess(square), f"{answer}{square}")


@pytest.mark.long
def test_study_names_the_better_move_only_if_no_quiz_is_left(app: Flask) -> None:
    named_count, mismatch_count = 0, 0
    blunders = [(game, move) for game, move in reviewed_moves() if move.is_blunder]
    with app.test_request_context():
        for game, move in sample(8, blunders):
            board, where = str(move.position), to_digits((*game, move.square))
            args = MultiDict({"at": str(move.number)})
            values = moves_view(parse_place(where, args), args)[1]
            child = children(board)[move.square]
            sound_moves = textbook.sound_moves(board)
            missed_block = move.score_after < 0 and sound_moves == textbook.best(child)
            only_one_was_wrong = len(sound_moves) == len(move_scores(board)) - 1
            mismatch_count += values["names_better_moves"] != (missed_block or only_one_was_wrong)
            named_count += missed_block
    assert named_count and not mismatch_count


@pytest.mark.long
def test_study_resumes_no_finished_game(app: Flask) -> None:
    finished_count = 0
    blunders = [(game, move) for game, move in reviewed_moves() if move.is_blunder]
    with app.test_request_context():
        for game, move in sample(8, blunders):
            where = to_digits((*game, move.square))
            for answer in ("show", *answers(parse_quiz(move, ""))):
                args = MultiDict({"at": str(move.number), "answer": answer})
                resume_moves = moves_view(parse_place(where, args), args)[1]["resume_moves"]
                finished_count += is_over(str(Position().after(map(int, resume_moves))))
    assert not finished_count


SAFE = r"\. (?:Only (?P<one>[^.]+)|(?P<some>[^.]+)) (?:would have won|was safe|were safe)\."


@pytest.mark.long
def test_every_card_on_a_mistake_names_the_right_squares(client: FlaskClient) -> None:
    """If the next step asks for the squares, the card names them only once "Which?" is opened."""
    counts = dict.fromkeys(("all", "named", "to open"), 0)
    blunders = [(game, move) for game, move in reviewed_moves() if move.is_blunder]
    for game, move in sample(30, blunders):
        board, where = str(move.position), to_digits((*game, move.square))
        page = parse(client.get(f"/study/{where}?at={move.number}"))
        text = plain_text(str(page.select("#told")[0]))
        right = {SQUARE_NAMES[square] for square in textbook.sound_moves(board)}
        match = re.search(SAFE, text)
        assert match, text
        if match["some"] == f"{move.mark}’s other {NUMBER_WORDS[len(right)]} squares":
            counts["all"] += 1
            assert len(right) == len(children(board)) - 1
        elif answer := re.search(r"Which\? ([^.]+)\.", text):
            counts["to open"] += 1
            assert squares_in(answer[1]) == right
            assert not squares_in(match[0])
            assert "open" not in page.select("#told details")[0].attrs
            assert page.select("#better") and "Retry" not in plain_text(str(page))
        else:
            counts["named"] += 1
            assert squares_in(match["one"] or match["some"]) == right
        if "Which?" not in text:  # the next step does not ask for what was told
            assert f"Retry move {move.number}" in plain_text(str(page)) and not page.select(
                "#better"
            )
    assert all(counts.values()), counts


def test_study_asks_nothing_that_the_end_of_the_game_revealed(app: Flask) -> None:
    """O played middle left instead of the center. X was not told so, and still has to find it."""
    cases = [("8342", "O", False), ("8342607", "O", True), ("8342607", "X", False)]
    with app.test_request_context():
        for moves, you, is_told in cases:
            args = MultiDict({"at": "2", "you": you})
            assert moves_view(parse_place(moves, args), args)[1]["names_better_moves"] == is_told, (
                moves,
                you,
            )


def test_a_loss_to_a_double_threat_links_to_the_lesson_on_it(
    client: FlaskClient, resume: Resume
) -> None:
    resume("14753268", "perfect")
    for you, leads in (("X", ["/learn/3?from=game"]), ("O", [])):
        card = parse(client.get(f"/study/14753268?at=3&you={you}")).select("#told")[0]
        links = [link for link in card.select("a") if link.get_text() == "two threats"]
        assert [link["href"] for link in links] == leads


INSTEAD = r"other move loses\. After ([^,]+), for example, [XO] plays ([^:]+?)(?: and |: )"
FIRST = r"can win (?:at|in) ([^.:]+): |wins? (?:with|for) [^.]+\. After ([^,]+), for example, "
BLOCK = r"(?:must block (?P<block>[^;.]+)[;.] then (?:[XO] plays )?(?P<fork>[^;:.]+?)"
BLOCK += r"(?: makes|:) (?P<count>\w+) threats)"
AFTER = r"(?:whatever [XO] replies, (?:[XO] then makes )?(?P<two>\w+) threats"
AFTER += (
    r"(?: follow| at once)\. If [XO] takes (?P<answer>[^,]+), they come (?:at|in) (?P<at>[^,.]+))"
)


@pytest.mark.long
def test_every_plan_that_is_shown_wins_against_every_reply() -> None:
    """Plans follow a winning move, a blunder, and the alternatives to an only move."""
    kinds = Counter[str]()
    for move, sentence in moves_with_sentences():
        after = children(str(move.position))[move.square]
        if match := re.search(INSTEAD, sentence):
            for name in match.groups():
                after = children(str(move.position) if name == match[1] else after)[
                    square_named(name)
                ]
            kinds["instead"] += 1
        elif match := re.search(FIRST, sentence):
            assert square_named(match[1] or match[2]) in textbook.best(after)
            after = children(after)[square_named(match[1] or match[2])]
            kinds["first"] += 1
        if match := re.search(f"{BLOCK}|{AFTER}", sentence, re.IGNORECASE):
            loser = textbook.turn(after)
            foe = textbook.other(loser)
            threats = textbook.winning_squares(after, foe)
            assert threats == ((square_named(match["block"]),) if match["block"] else ())
            assert not textbook.winning_squares(after, loser)
            if not match["block"]:
                assert {*move_scores(after).values()} == {-6}
            after = children(after)[square_named(match["block"] or match["answer"])]
            after = children(after)[square_named(match["fork"] or match["at"])]
            count = NUMBER_WORDS.index(match["count"] or match["two"])
            assert len(textbook.winning_squares(after, foe)) == count > 1
            assert not textbook.winning_squares(after, loser)
            kinds["block" if match["block"] else "any"] += 1
        elif "for example, " in sentence:
            assert "two threats at once" in sentence
            assert len(textbook.winning_squares(after, textbook.other(textbook.turn(after)))) == 2
            kinds["fork"] += 1
    assert {*kinds} == {"instead", "first", "block", "any", "fork"}, kinds


def square_named(name: str) -> int:
    """Return the square with a name."""
    return SQUARE_NAMES.index(name.removeprefix("the "))


def squares_in(sentence: str) -> set[str]:
    """Return the squares that a text names."""
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
    block_count = 0
    for move, sentence in moves_with_sentences():
        scores = move_scores(str(move.position))
        if "%" in sentence and not move.is_blunder:
            all_draw = {*scores.values()} == {0}
            among = r"draw\. (None|This one) beats" if all_draw else "Of these, "
            compared = r"would beat Random in [\d.]+% of games, this one in [\d.]+%"
            assert re.search(f"{compared}|{among}", sentence), sentence
        if "any other move would have lost" in sentence and not move.is_blunder:
            block_count += 1
            assert max(score for square, score in scores.items() if square != move.square) < 0
            assert (move.score_after > 0) == ("at once" in sentence)
    assert block_count


def test_slow_wins_and_early_losses_name_the_best_move() -> None:
    judgments = set()
    for move, sentence in moves_with_sentences():
        if move.judgment in ("slower win", "quicker loss"):
            judgments.add(move.judgment)
            match = re.search(
                r"[^.]+ would have (won at once|made two threats|won sooner|lasted longer)\.",
                sentence,
            )
            assert match, sentence
            best = textbook.best(str(move.position))
            assert squares_in(match[0]) == {SQUARE_NAMES[square] for square in best}
    assert len(judgments) == 2


@pytest.mark.parametrize("view", ["moves", "squares", "search"])
def test_a_finished_board_has_no_side_to_move_and_no_children(
    client: FlaskClient, view: str
) -> None:
    mismatches = 0
    for board in sample(6, [*textbook.one_image_of_each(filter(is_over, textbook.all_boards()))]):
        text = plain_text(client.get(f"/study/{board}?view={view}").text)
        mismatches += bool(re.search(r"to move|[Ss]tep back|search are there", text))
    assert not mismatches
    played = plain_text(client.get(f"/study/03142?at=5&view={view}").text)
    assert ("or step back" in played) == (view != "moves")


def test_alpha_beta_never_visits_more_and_best_first_usually_fewest() -> None:
    more_count, fewer_count = 0, 0
    for position in LATE:
        for scoring in SCORINGS:
            in_order, best_first = (
                count_nodes(position, "alpha-beta", scoring, order) for order in ("squares", "best")
            )
            assert max(in_order, best_first) <= minimax_node_count(position)
            more_count += best_first > in_order
            fewer_count += best_first < in_order
    assert 0 < more_count < fewer_count
    text = WORDS["terms"]["alpha-beta"]["text"]
    assert "never more nodes" in text
    assert "usually fewest when the best move is searched first" in text


def test_picking_among_bounds_loses_as_screen_12_says() -> None:
    """Some move returns the same value as the best one but is worth less."""
    fooled_count = 0
    for position in LATE:
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


def test_o_beats_random_more_often_by_risking_the_draw() -> None:
    """Perfect wins 866 of 945 as O; a player that takes risks can win 887.

    So `perfect-play` claims only to be best among players that never give away a win or a draw.
    """

    @cache
    def best_chance(board: str) -> Fraction:
        """Return the best chance to win of the side that just moved, even if it risks a loss."""
        if is_over(board):
            return Fraction(textbook.winner(board) is not None)
        chances = [
            max(map(best_chance, children(b).values()), default=0) for b in children(board).values()
        ]
        return Fraction(sum(chances), len(chances))

    replies = [
        max(map(best_chance, children(board).values()))
        for board in children(textbook.EMPTY).values()
    ]
    first, second = best_chance("X--------"), sum(replies, Fraction()) / 9
    assert (first, second) == (Fraction(191, 192), Fraction(887, 945))
    perfect = WORDS["terms"]["perfect-play"]["text"]
    assert perfect.startswith("Never giving away a win or a draw")
