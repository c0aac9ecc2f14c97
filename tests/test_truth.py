"""Nothing is said that is not so: sentences over every board or game in which they can stand."""

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
from tests.counts import count
from tests.games import reviewed
from tests.positions import TO_PLAY, UNFINISHED, one_in, whole
from tests.sentences import NUMBERS, plain
from tests.textbook import children, move_scores, over, sign
from web.study import words
from web.study.moves_view import moves_view
from web.study.place import parse_place
from web.study.quiz import Quiz, parse_quiz
from web.study.squares_view import squares_view
from web.view import mistakes

SMALL = [position for position in TO_PLAY if position.ply >= 5]


def reasons() -> Iterator[tuple[ReviewedMove, str]]:
    """Yield each move as it is judged, and what is said about it: why, or what it gave away."""
    for _, move in reviewed():
        reason = explain(move.position, move.square)
        if move.is_blunder:
            assert reason.concession, move
            said = mistakes.concession(reason.concession, move.square, move.number, None)
        else:
            said = words.reason(reason, move.judgment, move.number, None)
        yield move, said


def answers(quiz: Quiz, answer: str = "") -> Iterator[str]:
    """Yield the answers that end the question, after wrong ones in one order."""
    yield from (f"{answer}{square}" for square in quiz.open_squares if square in quiz.right_squares)
    wrong = [square for square in quiz.open_squares if square not in quiz.right_squares]
    for square in wrong[:1]:
        yield from answers(quiz.after_press(square), f"{answer}{square}")


@pytest.mark.long
def test_play_goes_on_where_it_can_and_a_safe_square_left_open_is_named(app: Flask) -> None:
    named, wrong = 0, 0
    blunders = [(game, move) for game, move in reviewed() if move.is_blunder]
    with app.test_request_context():
        for game, move in one_in(8, blunders):
            board, where = str(move.position), to_digits((*game, move.square))
            args = MultiDict({"at": str(move.number)})
            values = moves_view(parse_place(where, args), args)[1]
            child = children(board)[move.square]
            left = move.score_after < 0 and textbook.holding(board) == textbook.best(child)
            all_but_one = len(textbook.holding(board)) == len(move_scores(board)) - 1
            wrong += values["names_squares"] != (left or all_but_one)
            named += left
            for answer in ("show", *answers(parse_quiz(move, ""))):
                args = MultiDict({"at": str(move.number), "answer": answer})
                go_on = moves_view(parse_place(where, args), args)[1]["go_on"]
                wrong += over(str(Position().after(map(int, go_on))))
    assert named and not wrong


SAFE = r"\. (?:Only (?P<one>[^.]+)|(?P<some>[^.]+)) (?:would have won|was safe|were safe)\."


@pytest.mark.long
def test_each_card_of_a_slip_says_by_name_what_would_have_been_right(client: FlaskClient) -> None:
    """If the way on asks for it, the answer says it once opened."""
    ways = dict.fromkeys(("all", "named", "to open"), 0)
    blunders = [(game, move) for game, move in reviewed() if move.is_blunder]
    for game, move in one_in(30, blunders):
        board, where = str(move.position), to_digits((*game, move.square))
        page = parse(client.get(f"/study/{where}?at={move.number}"))
        said = plain(str(page.select("#told")[0]))
        right = {SQUARE_NAMES[square] for square in textbook.holding(board)}
        found = re.search(SAFE, said)
        assert found, said
        if found["some"] == f"{move.mark}’s other {NUMBERS[len(right)]} squares":
            ways["all"] += 1
            assert len(right) == len(children(board)) - 1
        elif answer := re.search(r"Which\? ([^.]+)\.", said):
            ways["to open"] += 1
            assert squares_in(answer[1]) == right
            assert not squares_in(found[0])
            assert "open" not in page.select("#told details")[0].attrs
            assert page.select("#better") and "Retry" not in plain(str(page))
        else:
            ways["named"] += 1
            assert squares_in(found["one"] or found["some"]) == right
        if "Which?" not in said:  # the way on asks nothing that was told
            assert f"Retry move {move.number}" in plain(str(page)) and not page.select("#better")
    assert all(ways.values()), ways


def test_a_game_that_the_reader_lost_is_asked_nothing_that_its_end_told(app: Flask) -> None:
    """O went middle left, and not in the center; X, to whom that is not told, has all to find."""
    ways = [("8342", "O", False), ("8342607", "O", True), ("8342607", "X", False)]
    with app.test_request_context():
        for moves, you, is_told in ways:
            args = MultiDict({"at": "2", "you": you})
            assert moves_view(parse_place(moves, args), args)[1]["names_squares"] == is_told, (
                moves,
                you,
            )


def test_a_card_of_ones_own_loss_leads_from_two_threats_to_the_lesson_on_them(
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
def test_each_way_to_win_that_is_told_is_one_whatever_is_answered() -> None:
    """After a move that wins, one that gives a win away, and in place of an only move."""
    told = Counter[str]()
    for move, said in reasons():
        after = children(str(move.position))[move.square]
        if found := re.search(INSTEAD, said):
            for name in found.groups():
                after = children(str(move.position) if name == found[1] else after)[at(name)]
            told["instead"] += 1
        elif found := re.search(FIRST, said):
            assert at(found[1] or found[2]) in textbook.best(after)
            after = children(after)[at(found[1] or found[2])]
            told["first"] += 1
        if found := re.search(f"{BLOCK}|{AFTER}", said, re.IGNORECASE):
            loser = textbook.turn(after)
            foe = textbook.other(loser)
            faces = textbook.wins_at(after, foe)
            assert faces == ((at(found["block"]),) if found["block"] else ())
            assert not textbook.wins_at(after, loser)
            if not found["block"]:
                assert {*move_scores(after).values()} == {-6}
            after = children(after)[at(found["block"] or found["answer"])]
            after = children(after)[at(found["fork"] or found["at"])]
            count = NUMBERS.index(found["count"] or found["two"])
            assert len(textbook.wins_at(after, foe)) == count > 1
            assert not textbook.wins_at(after, loser)
            told["block" if found["block"] else "any"] += 1
        elif "for example, " in said:
            assert "two threats at once" in said
            assert len(textbook.wins_at(after, textbook.other(textbook.turn(after)))) == 2
            told["fork"] += 1
    assert {*told} == {"instead", "first", "block", "any", "fork"}, told


def at(name: str) -> int:
    """Return the square of a name."""
    return SQUARE_NAMES.index(name.removeprefix("the "))


def squares_in(said: str) -> set[str]:
    """Return the squares that a text names."""
    names = "|".join(sorted(SQUARE_NAMES, key=len, reverse=True))
    return {*re.findall(names, said.lower())}


@pytest.mark.long
def test_the_star_stands_at_the_squares_that_perfect_chooses_among(app: Flask) -> None:
    with app.test_request_context():
        for position in one_in(4, whole(UNFINISHED)):
            values = squares_view(parse_place(str(position), MultiDict()), MultiDict())[1]
            starred = tuple(it.square for it in values["cells"] if it.badge == "★")
            assert starred == textbook.best(str(position))


def test_a_chance_against_random_play_says_whose_and_among_which_squares() -> None:
    blocks = 0
    for move, said in reasons():
        scores = move_scores(str(move.position))
        if "%" in said and not move.is_blunder:
            all_draw = {*scores.values()} == {0}
            among = r"draw\. (None|This one) beats" if all_draw else "Of these, "
            mine = r"would beat Random in [\d.]+% of games, this one in [\d.]+%"
            assert re.search(f"{mine}|{among}", said), said
        if "any other move would have lost" in said and not move.is_blunder:
            blocks += 1
            assert max(score for square, score in scores.items() if square != move.square) < 0
            assert (move.score_after > 0) == ("at once" in said)
    assert blocks


def test_a_move_that_wins_later_or_loses_sooner_than_need_be_names_the_best() -> None:
    met = set()
    for move, said in reasons():
        if move.judgment in ("slower win", "quicker loss"):
            met.add(move.judgment)
            found = re.search(
                r"[^.]+ would have (won at once|made two threats|won sooner|lasted longer)\.", said
            )
            assert found, said
            best = textbook.best(str(move.position))
            assert squares_in(found[0]) == {SQUARE_NAMES[square] for square in best}
    assert len(met) == 2


@pytest.mark.parametrize("view", ["moves", "squares", "search"])
def test_a_finished_board_has_nobody_to_move_or_below(client: FlaskClient, view: str) -> None:
    wrong = 0
    for board in one_in(6, [*textbook.one_of_each(filter(over, textbook.every_board()))]):
        said = plain(client.get(f"/study/{board}?view={view}").text)
        wrong += bool(re.search(r"to move|[Ss]tep back|search are there", said))
    assert not wrong
    played = plain(client.get(f"/study/03142?at=5&view={view}").text)
    assert ("or step back" in played) == (view != "moves")


def test_alpha_beta_never_looks_at_more_and_best_first_usually_at_fewest() -> None:
    more, fewer = 0, 0
    for position in SMALL:
        for scoring in SCORINGS:
            in_order, best_first = (
                count(position, "alpha-beta", scoring, order) for order in ("squares", "best")
            )
            assert max(in_order, best_first) <= minimax_node_count(position)
            more += best_first > in_order
            fewer += best_first < in_order
    assert 0 < more < fewer
    said = WORDS["terms"]["alpha-beta"]["text"]
    assert "never more nodes" in said
    assert "usually fewest when the best move is searched first" in said


def test_to_pick_among_bounds_loses_as_screen_12_says() -> None:
    """On the boards of a search, some move comes back with the value kept and is worth less."""
    fooled = 0
    for position in SMALL:
        search = run(tree(position, "flat", "squares"), "alpha-beta")
        back = {
            step.path[0]: step.value
            for step in search.steps
            if len(step.path) == 1 and step.kind not in ("enter", "leaf", "cut")
        }
        scores = move_scores(str(position))
        fooled += any(
            back[square] == search.value and sign(scores[square]) < search.value for square in back
        )
    assert fooled
    assert "mistakes a bound for a value may pick a losing move" in WORDS["12"]["more"]


def test_a_player_who_may_let_a_draw_slip_beats_random_more_often_moving_second() -> None:
    """So the promise holds only for players who let no win and no draw slip."""

    @cache
    def most(board: str) -> Fraction:
        """Give the chance of the side that has just moved, whose moves are free, to win."""
        if over(board):
            return Fraction(textbook.winner(board) is not None)
        answered = [
            max(map(most, children(b).values()), default=0) for b in children(board).values()
        ]
        return Fraction(sum(answered), len(answered))

    replies = [
        max(map(most, children(board).values())) for board in children(textbook.EMPTY).values()
    ]
    first, second = most("X--------"), sum(replies, Fraction()) / 9
    assert (first, second) == (Fraction(191, 192), Fraction(887, 945))
    perfect = WORDS["terms"]["perfect-play"]["text"]
    assert perfect.startswith("Never giving away a win or a draw")
