"""The Study page: its addresses, and the views Moves and Squares."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from itertools import product
from random import Random
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from engine.notation import parse_moves, to_digits
from engine.position import SQUARE_NAMES, Mark, Position
from engine.reasons import explain
from engine.review import story
from tests import positions, textbook
from tests.conftest import board_of, game_of, parse, text_of
from tests.games import one_game_to_each_board, one_game_to_each_move, random_games, reviewed_moves
from tests.html import Tag
from tests.positions import ALL_POSITIONS, UNFINISHED_CANONICAL, all_or_canonical, sample
from tests.sentences import assert_sentences_match, sentence_kind
from tests.textbook import (
    best,
    children,
    is_over,
    move_scores,
    other,
    sound_moves,
    turn,
    winning_squares,
)
from web.study import words as say
from web.study.moves_view import moves_view
from web.study.place import Place, parse_place
from web.study.quiz import Quiz, parse_quiz
from web.study.squares_view import move_rows, squares_view
from web.view import mistakes
from web.view.story import draw_story

pytestmark = pytest.mark.usefixtures("played")

# X    X    O    A lost game: X top left, on move 5, makes a threat; O blocks it at
# X    X    O    bottom right and has two of its own. O wins on move 8.
#      O    O
LOST = "42170835"
DRAWN = "421735806"  # X had an only move on move 7


def follow(client: FlaskClient, page: Tag, css: str) -> Tag:
    link = page.select(css)[0]
    response = client.get(str(link["href"]))
    assert response.status_code == 200, link
    return parse(response)


def view_on(page: Tag) -> str:
    return page.select(".tabs [aria-current]")[0].get_text().lower()


# The place of the page

# Boards set up, a game at each move, questions.
ADDRESSES = f"""
/study /study?view=moves /study/--------- /study/X---O---- /study/x---o---- /study/X---O----?at=9
/study/X---O----?view=moves /study/X---O----?game=048 /study/X---O----?game=148&you=X
/study/X---O----?game=148&view=squares /study/-X--O----?game=048&view=squares /study/O--------
/study/XX------- /study/XX /study/XXXOO---- /study?set=--------- /study?set=O--------
/study?set=XO------- /study?set=XXXOO---- /study?set=XX------- /study?set=--------X
/study?set=--------X&pen=O /study?set=--------O&pen=- /study?set=XXXXXXXXX&pen=O
/study/-X---XOOX?view=squares
/study/0418?at=4
/study/048 /study/048?view=squares&line=1 /study/04862 /study/04862?view=squares /study/042
/study/042?at=0&view=squares /study/042?at=1&view=squares /study/042?at=2&view=squares
/study/042?at=1 /study/042?at=77 /study/03142?at=4 /study/03142?at=5
/study/{DRAWN} /study/{DRAWN}?you=X&difficulty=perfect
/study/{DRAWN}?at=9&view=search
/study/{LOST} /study/{LOST}?at=8 /study/{LOST}?you=X /study/{LOST}?you=X&difficulty=perfect
/study/{LOST}?you=X&at=0 /study/{LOST}?you=O&at=5 /study/{LOST}?at=4&view=squares&you=X
/study/{LOST}?at=4&view=squares&line=0&you=X
/study/{LOST}?at=9&view=search
/study/01?you=O&difficulty=random /study/01?you=X
/study/{LOST}?answer= /study/{LOST}?answer=show /study/{LOST}?at=5&answer=8
/study/{LOST}?you=X&answer= /study/{LOST}?you=X&answer=3 /study/{LOST}?you=X&answer=38
/study/{LOST}?you=X&answer=show /study/01?answer=25 /study/01?answer=257 /study/01?answer=show
/study/01?you=O&answer= /study/01?you=O&answer=8 /study/01?you=O&answer=83
/study/01?you=O&answer=834 /study/0182?at=4&answer=3 /study/0482?at=4&answer=1
/study/0482?at=4&answer=show /study/0143268?you=X&difficulty=perfect&set_up=2
/study/0143268?you=X&difficulty=perfect&set_up=2&at=2
/study/0143268?you=X&difficulty=perfect&set_up=2&at=0
""".split()


def test_every_page_is_small_and_its_links_and_keys_work(client: FlaskClient) -> None:
    links = dict[str, str]()
    for url in ADDRESSES:
        response = client.get(url)
        assert len(gzip.compress(response.data)) < 6000, url
        page = parse(response)
        links |= {re.sub("[0-9XO-]+", "#", a["href"]): a["href"] for a in page.select("main a")}
        for a in page.select(".steps a, .points a, .moves a"):
            name, _, number = a["id"].partition("-")
            assert name == "step" or f"?at={number}&" in a["href"]
            assert a["data-hx-replace-url"] == "true"
    for link in links.values():
        assert client.get(link, follow_redirects=True).status_code in (200, 400), link


# A click on the board


def places(app: Flask) -> Iterator[Place]:
    """Yield places in random games, with and without a player, and on boards set up."""
    rng = Random(5)
    with app.test_request_context():
        for you, difficulty in product((None, "X", "O"), (None, "perfect")):
            known = {"you": you, "difficulty": difficulty}
            args: MultiDict[str, str] = MultiDict({k: v for k, v in known.items() if v})
            for game in rng.sample([*one_game_to_each_board()], 40 if positions.is_soak else 5):
                for at in range(len(game) + 1):
                    yield parse_place(to_digits(game), MultiDict({**args, "at": str(at)}))
                yield parse_place(str(Position().after(game)), args)


def place_at(app: Flask, url: str) -> Place:
    """Return the place at an address."""
    parts = urlsplit(url)
    args = MultiDict(parse_qsl(parts.query))
    return parse_place(parts.path.removeprefix("/study").removeprefix("/"), args)


@pytest.mark.long
def test_a_press_continues_the_game_or_starts_a_line_with_a_way_back(app: Flask) -> None:
    for place in places(app):
        assert place_at(app, place.url()) == place
        for square in place.position.legal_moves():
            target = place_at(app, place.url_after(square))
            assert target.position == place.position.play(square)
            assert (target.view, target.you) == (place.view, place.you)
            if place.is_set_up:
                assert target.is_set_up or target.position.ply == 0
                continue
            played, rest = place.moves[: place.move_count], place.moves[place.move_count :]
            follows_game = rest[:1] == (square,)
            assert target.moves == (place.moves if follows_game else (*played, square))
            leaves_game = not follows_game and bool(place.you or rest)
            assert target.reader_game == (place.moves if leaves_game else ())
            if target.game_url:
                assert place_at(app, target.game_url) == place._replace(view=target.view)
            else:
                assert not leaves_game


def test_a_line_that_rejoins_the_game_is_the_game(app: Flask) -> None:
    with app.test_request_context():
        line = parse_place("4217", MultiDict({"game": LOST, "at": "3"}))
        assert place_at(app, line.url_after(7)).moves == parse_moves("4217")
        line = parse_place("421", MultiDict({"game": LOST}))
        target = place_at(app, line.url_after(7))
        assert (target.moves, target.move_count, target.reader_game) == (parse_moves(LOST), 4, ())


def test_play_on_starts_a_practice_game_from_the_board(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{LOST}?at=5&you=X"))
    sent = [
        {str(field["name"]): str(field["value"]) for field in form.select("[name]")}
        for form in page.select("form[action='/new']")
    ]
    retry, data = sent
    assert retry == {"moves": LOST[:4], "mark": "X"}
    assert data == {"moves": LOST[:5], "mark": "X"}
    client.post("/new", data=data)
    game = game_of(client)
    assert (game.moves[:5], game.setup_length, game.human) == (parse_moves(LOST[:5]), 5, "X")
    game_url = f"/study/{to_digits(game.moves)}?you=X&at={len(game.moves)}"
    for step in (game_url, game_url[:-1] + "5"):
        back = follow(client, parse(client.get(step)), "#play.prime")
        assert board_of(back) == str(game.position)
    for elsewhere in (game_url.replace("=X", "=O"), f"/study/{LOST[:5]}"):
        assert not parse(client.get(elsewhere)).select("#play")
    set_up = parse(client.get("/study/X---O---X?view=moves")).select("[name=moves]")[0]["value"]
    assert Position().after(parse_moves(str(set_up))) == Position.parse("X---O---X")


# Moves


@pytest.mark.long
def test_a_concession_is_played_out_on_the_board(app: Flask) -> None:
    with app.test_request_context():
        for game, move in sample(6, reviewed_moves()):
            square, args = move.square, MultiDict({"at": str(move.number)})
            place = parse_place(to_digits((*game, square)), args)
            before, board = str(Position().after(game)), str(place.position)
            cells = moves_view(place, args)[1]["cells"]
            wins = tuple(cell.square for cell in cells if cell.wins_for)
            pencils = [(cell.badge, cell) for cell in cells if cell.pencil]
            value = move_scores(before)[square]
            winner = turn(before) if value > 0 else turn(board)
            if value == 0 or is_over(board):
                assert not wins and not pencils
                continue
            after = board
            for number, cell in sorted(pencils, key=lambda pencil: pencil[0] or ""):
                assert cell.pencil == turn(after)
                assert number == str(9 - after.count("-") + 1)
                scores = move_scores(after)
                assert scores[cell.square] == max(scores.values())
                after = children(after)[cell.square]
            loser = other(winner)
            assert wins == winning_squares(after, winner) and {c.wins_for for c in cells} <= {
                None,
                winner,
            }
            is_at_once = turn(after) == winner and not pencils
            assert len(wins) > 1 or (wins and is_at_once)
            assert is_at_once or not winning_squares(after, loser)
            assert cells[square].badge == {
                "wins": "✓", "only move": "!",
                "gave the draw away": "??", "gave the win away": "??",
            }.get(move.judgment)  # fmt: skip


@pytest.mark.long
def test_the_number_of_missed_wins_is_given() -> None:
    for _, move in reviewed_moves():
        after = str(move.position.play(move.square))
        if move.concession and (wins := winning_squares(after, turn(after))):
            sentence = mistakes.concession_text(move.concession, move.square, move.number, None)
            assert sentence.startswith(f"{move.mark} left {turn(after)} ")
            assert (" a win " in sentence) == (len(wins) == 1), sentence


def test_among_equally_fast_wins_the_move_played_is_drawn(app: Flask) -> None:
    with app.test_request_context():
        for moves, drawn in (("14753268", {5, 3, 2}), ("1470", {0, 8, 6}), ("147", {0, 8, 6})):
            args = MultiDict({"at": "3"})
            cells = moves_view(parse_place(moves, args), args)[1]["cells"]
            assert {cell.square for cell in cells if cell.pencil} == drawn


def test_if_no_reply_is_forced_every_reply_is_played_out(app: Flask, client: FlaskClient) -> None:
    """X | O | O   X has blocked the row, and every reply loses to two threats.
    · | · | X
    · | X | ·"""
    with app.test_request_context():
        for at in ("4", "5"):
            args = MultiDict({"at": at})
            variations = moves_view(parse_place("71520", args), args)[1]["variations"]
            assert [variation[1][0] for variation in variations] == [3, 4, 6, 8]
            for variation in variations:
                assert [square for square, _ in variation[:1]] == [0]
                assert len(variation) == 5 and textbook.winner(str(variation[-1][1])) == "X"
    strips = parse(client.get("/study/71520?at=5")).select(".strip")
    assert len(strips) == 4


def test_point_numbers_do_not_touch_their_rings() -> None:
    """A digit of 17 px is 12 px high on the smallest phone; half the ring's stroke is 1.25 px."""
    for game, square in sample(400, one_game_to_each_move()):
        moves = (*game, square)
        for at in range(len(moves) + 1):
            for point in draw_story(story(moves), None, at).points:
                if point.label and point.has_ring:
                    reaches = (10.5 if point.is_big else 8.5) + 1.25
                    low, high = point.label_y - point.y, point.label_y - point.y - 12
                    assert low < -reaches + 0.5 or high > reaches - 1.5


# Find a better move


def replies(quiz: Quiz) -> Iterator[Quiz]:
    """Yield the question after each wrong answer, if it asks for a move."""
    if quiz.kind == "reply":
        yield from (
            quiz.after_guess(square)
            for square in quiz.open_squares
            if square not in quiz.right_squares
        )


@pytest.mark.long
def test_every_answer_to_a_mistake_is_judged_by_its_result() -> None:
    """The sentence about a wrong answer never names a right square."""
    kinds = set()
    for quiz in (parse_quiz(move, "") for _, move in reviewed_moves() if move.is_blunder):
        kinds.add(quiz.kind)
        board = str(quiz.position)
        if quiz.kind == "reply":
            before = str(quiz.move.position)
            assert {*move_scores(before)} - {quiz.move.square} == {*sound_moves(before)}
        for square in quiz.open_squares:
            pressed, is_right = quiz.after_guess(square), square in sound_moves(board)
            assert ((pressed.found_square == square), pressed.is_answered) == (is_right, is_right)
            if not is_right:
                assert square not in pressed.open_squares or pressed.kind != quiz.kind
                assert {*pressed.open_squares} & {*pressed.right_squares}, (
                    "a right answer must be left"
                )
            if pressed.concession:
                number = pressed.move.number
                sentence = mistakes.concession_text(
                    pressed.concession, square, number, None, pressed.can_name_squares
                )
                named = re.findall("|".join(sorted(SQUARE_NAMES, key=len)[::-1]), sentence)
                assert not {SQUARE_NAMES[right] for right in pressed.right_squares} & {*named}
    assert kinds == {"move", "reply"}


@pytest.mark.long
def test_show_me_explains_one_square_or_all_of_them(
    client: FlaskClient,
) -> None:
    for game, move in reviewed_moves():
        board = str(move.position)
        if not move.is_blunder or len(sound_moves(board)) < 2:
            continue
        url = f"/study/{to_digits((*game, move.square))}?answer=show"
        text = text_of(parse(client.get(url)).select_one("#told"))
        named = re.search(r"\. ([\w ]+), for example: ", text)
        squares = (
            [SQUARE_NAMES.index(named[1].lower().removeprefix("the "))]
            if named
            else sound_moves(board)
        )
        assert {*squares} <= {*sound_moves(board)}
        assert named or "this one" not in text, url
        if must := re.search(r"must block (?:the )?([\w ]+)\.", text):
            for square in squares:
                after = children(board)[square]
                assert winning_squares(after, turn(board)) == (SQUARE_NAMES.index(must[1]),), url


# Squares


@pytest.mark.long
def test_the_table_of_moves_matches_the_textbook_for_every_position(app: Flask) -> None:
    with app.test_request_context():
        for position in sample(2, all_or_canonical(ALL_POSITIONS)):
            board = str(position)
            rows = move_rows(parse_place(board, MultiDict()))
            scores = move_scores(board)
            named = [square for row in rows for square in (row.explanation.square, *row.mirrors)]
            assert sorted(named) == sorted(scores)
            looks = [
                {
                    min(textbook.symmetric_boards(children(board)[s]))
                    for s in (row.explanation.square, *row.mirrors)
                }
                for row in rows
            ]
            assert sum(map(len, looks)) == len(looks) == len(set.union(set(), *looks))
            for row in rows:
                move, child = row.explanation, children(board)[row.explanation.square]
                assert move.score == scores[move.square]
                winner = turn(board) if move.score > 0 else other(turn(board))
                expected = (winner, 10 - abs(move.score)) if move.score else (None, 0)
                assert move.result == expected
                assert row.reply_count == len(children(child))
                assert row.sound_replies == (sound_moves(child) if row.reply_count else ())
                assert move.win_chance == textbook.chance_with_best_moves(child)
                assert move.best_moves == tuple(best(board))
                assert bool(move.completed_lines) == (textbook.winner(child) is not None)
            order = [(-row.explanation.score, -row.explanation.win_chance) for row in rows]
            assert order == sorted(order)


@pytest.mark.long
def test_every_continuation_is_best_play_to_the_end(app: Flask) -> None:
    with app.test_request_context():
        for position in sample(8, [*textbook.one_image_of_each(textbook.all_boards())]):
            place = parse_place(position, MultiDict())
            for square in children(position):
                line = squares_view(place, MultiDict({"line": str(square)}))[1]["line"]
                board = children(position)[line[0]]
                assert line[0] == square
                for answer in line[1:]:
                    assert answer in best(board)
                    board = children(board)[answer]
                assert is_over(board)


# What is said

AT = re.compile(r"\b(?:in|at) (?=the center|top|middle|bottom)|\b[Tt]he (?=center)")


def sentences() -> Iterator[tuple[str, str]]:
    """Yield the sentences of Moves and Squares on every move, board and some games."""
    readers: list[tuple[Mark | None, str | None]]
    readers = [(None, None), ("X", "perfect"), ("O", "random")]
    for game, move in reviewed_moves():
        square = move.square
        where = to_digits((*game, square))
        reason = explain(move.position, square)
        yield where, "title: " + say.title(move, reason, None)
        if not move.is_blunder:
            for you, level in readers:
                sentence = say.reason(reason, move.judgment, move.number, you)
                yield where, "why: " + say.random_note(reason, you, level) + sentence
            continue
        quiz = parse_quiz(move, "")
        for you, _ in readers:
            yield where, "right: " + mistakes.right_squares(move, you)
        if quiz.kind == "reply" or len(move.sound_moves) <= 3:
            yield where, "named: " + mistakes.right_squares(move, None, True)
        assert move.concession, move
        answers = [wrong.concession for wrong in replies(quiz) if wrong.concession]
        for you, _ in readers:
            yield (
                where,
                "gave: " + mistakes.concession_text(move.concession, square, move.number, you),
            )
            yield (
                where,
                "hint: "
                + mistakes.concession_text(move.concession, square, move.number, you, False),
            )
            for allows in answers:
                for named in (False, True):
                    sentence = mistakes.refutation(allows, square, move.number + 1, you, named)
                    yield where, "not: " + sentence
    for where in textbook.one_image_of_each(textbook.all_boards()):
        place = parse_place(where, MultiDict())
        values = squares_view(place, MultiDict())[1]
        outcome, mark = place.position.outcome(), place.position.turn
        sound_count, move_count, result = (
            values[name] for name in ("sound_count", "move_count", "result")
        )
        yield where, "squares: " + say.squares_title(sound_count, move_count, result, outcome, mark)
        for row in values["rows"]:
            yield where, "row: " + say.replies_clause(row)
    for game in random_games(1000):
        where = to_digits(game)
        for you, level in readers:
            summary = story(game, you)
            yield where, "story: " + mistakes.story_sentence(summary, you)
            if summary.is_over and not summary.turning_point:
                yield where, "praise: " + say.praise(summary, you, level)


def test_every_kind_of_sentence_matches_the_snapshot(app: Flask) -> None:
    with app.test_request_context():
        assert_sentences_match(
            "study", sentences(), lambda sentence: sentence_kind(AT.sub("", sentence))
        )


# The search from a position


@pytest.mark.long
def test_the_squares_view_plays_out_a_blunder_and_its_punishment(app: Flask) -> None:
    """After any other move, it plays nothing out until a square is picked."""
    with app.test_request_context():
        for game, move in sample(3, reviewed_moves()):
            args = MultiDict({"at": str(len(game)), "view": "squares"})
            place = parse_place(to_digits((*game, move.square)), args)
            values, board = squares_view(place, args)[1], str(move.position)
            if not move.is_blunder:
                assert not values["line"] and values["search_url"] is None
                continue
            first, reply = values["line"][:2]
            after = children(board)[move.square]
            assert first == move.square and values["is_played"] and reply in best(after)
            scores = move_scores(board)
            assert textbook.sign(scores[first]) < textbook.sign(max(scores.values()))
            shown = {cell.square: cell.pencil for cell in values["cells"] if cell.pencil}
            assert (shown[first], shown[reply]) == (turn(board), turn(after))


@pytest.mark.long
def test_the_page_says_after_which_replies_the_tree_can_be_drawn(app: Flask) -> None:
    with app.test_request_context():
        for position in sample(30, UNFINISHED_CANONICAL):
            for square, child in position.children().items():
                if child.outcome():
                    continue
                args = MultiDict({"line": str(square)})
                values = squares_view(parse_place(str(position), MultiDict()), args)[1]
                assert values["is_drawable_to_the_end"] == can_be_drawn(str(child))
                right = [s for s, after in children(str(child)).items() if can_be_drawn(after)]
                assert [s for s, _ in values["drawable_replies"]] == right


def can_be_drawn(board: str) -> bool:
    """Return whether a board has at most four empty squares, or a tree small enough to draw."""
    nodes = [*textbook.walk_tree(textbook.depth_limited_tree(board, 9, merged=True))]
    leaves = sum(isinstance(below, int) for _, below in nodes)
    return board.count("-") <= 4 or (len(nodes) <= 90 and leaves <= 40)


def test_one_press_searches_the_board_after_the_mistake(
    client: FlaskClient,
) -> None:
    page = parse(client.get("/study/42170835?at=4&view=squares"))
    sentence = text_of(page.select_one("#told"))
    assert sentence.startswith("Top left: O wins on move 8") and "X played this." in sentence
    search = follow(client, page, "#search")
    assert view_on(search) == "search" and not page.select("#ends")
    early = parse(client.get("/study/01?at=1&view=squares"))
    assert "too big to draw in full" in text_of(early.select_one("#ends"))
    later = parse(client.get("/study/0418?at=2&view=squares&line=1"))
    for link in later.select("#ends a"):
        drawn = client.get(str(link["href"]))
        assert "estimate" not in text_of(parse(drawn).select_one("#told"))
