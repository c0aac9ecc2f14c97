"""The Study page: its addresses, and the views Moves and Squares."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from engine.notation import parse_moves, to_digits
from engine.position import SQUARE_NAMES, Mark, Position, Square
from engine.reasons import Concession, explain
from engine.review import ReviewedMove, story
from tests import positions, textbook
from tests.conftest import board_of, game_of, parse, text_of
from tests.games import (
    Game,
    one_game_to_each_board,
    one_game_to_each_move,
    random_games,
    reviewed_moves,
)
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
from web.study import words
from web.study.moves_view import moves_view
from web.study.place import Place, decisive_move_number, parse_place
from web.study.quiz import Quiz, parse_quiz
from web.study.squares_view import MoveRow, move_rows, squares_view
from web.view import mistakes
from web.view.story import draw_story

pytestmark = pytest.mark.usefixtures("visitor_has_played")

# X    X    O    A lost game: X top left, on move 5, makes a threat; O blocks it at
# X    X    O    bottom right and has two of its own. O wins on move 8.
#      O    O
LOST = "42170835"
DRAWN = "421735806"  # X had an only move on move 7


@pytest.fixture
def in_a_request(app: Flask) -> Iterator[None]:
    """Run a test in one request, because only there can places be parsed and addresses made."""
    with app.test_request_context():
        yield


def follow(client: FlaskClient, page: Tag, css: str) -> Tag:
    """Return the page that the first matching link leads to."""
    link = page.select(css)[0]
    response = client.get(link["href"])
    assert response.status_code == 200, link
    return parse(response)


def current_view(page: Tag) -> str:
    return page.select(".tabs [aria-current]")[0].get_text().lower()


# Pages

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


def test_every_page_is_small(client: FlaskClient) -> None:
    for address in ADDRESSES:
        assert len(gzip.compress(client.get(address).data)) < 6000, address


def test_every_kind_of_link_works(client: FlaskClient) -> None:
    """Two links are of the same kind if they differ only in numbers and boards."""
    links = dict[str, str]()
    for address in ADDRESSES:
        for link in parse(client.get(address)).select("main a"):
            links[re.sub("[0-9XO-]+", "#", link["href"])] = link["href"]
    for href in links.values():
        assert client.get(href, follow_redirects=True).status_code in (200, 400), href


def test_links_between_moves_replace_the_address_and_lead_to_the_move_in_their_id(
    client: FlaskClient,
) -> None:
    for address in ADDRESSES:
        for link in parse(client.get(address)).select(".steps a, .points a, .moves a"):
            name, _, move_count = link["id"].partition("-")
            assert name == "step" or f"?at={move_count}&" in link["href"]
            assert link["data-hx-replace-url"] == "true"


# A click on the board


@cache
def places() -> list[Place]:
    """Return places in random games, with and without a player, and on boards set up."""
    rng = Random(5)
    found = []
    for you, difficulty in product((None, "X", "O"), (None, "perfect")):
        reader = {"you": you, "difficulty": difficulty}
        args = {name: value for name, value in reader.items() if value}
        for game in rng.sample([*one_game_to_each_board()], 40 if positions.is_soak else 5):
            for move_count in range(len(game) + 1):
                args_with_count = MultiDict({**args, "at": str(move_count)})
                found.append(parse_place(to_digits(game), args_with_count))
            found.append(parse_place(str(Position().after(game)), MultiDict(args)))
    return found


def place_at(url: str) -> Place:
    """Return the place at an address."""
    parts = urlsplit(url)
    args = MultiDict(parse_qsl(parts.query))
    return parse_place(parts.path.removeprefix("/study").removeprefix("/"), args)


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_the_address_of_a_place_leads_to_it() -> None:
    for place in places():
        assert place_at(place.url()) == place


class Press(NamedTuple):
    """A press on an empty square of the board in view."""

    place: Place
    square: Square
    target: Place  # the place that it leads to

    @property
    def follows_game(self) -> bool:
        """Whether it is the next move of the game."""
        return self.place.moves[self.place.move_count :][:1] == (self.square,)

    @property
    def leaves_game(self) -> bool:
        """Whether it leaves the game for another line, though the game has a player or goes on."""
        is_at_end = self.place.move_count == len(self.place.moves)
        return not self.follows_game and bool(self.place.you or not is_at_end)


def every_press() -> Iterator[Press]:
    """Yield every press at each of `places`."""
    for place in places():
        for square in place.position.legal_moves():
            yield Press(place, square, place_at(place.url_after(square)))


def every_press_in_a_game() -> Iterator[Press]:
    """Yield every press at each of `places`, except on boards that were set up."""
    return (press for press in every_press() if not press.place.is_set_up)


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_a_press_plays_its_square_and_keeps_the_view_and_the_side_of_the_reader() -> None:
    for press in every_press():
        place, target = press.place, press.target
        assert target.position == place.position.play(press.square)
        assert (target.view, target.you) == (place.view, place.you)
        assert not place.is_set_up or target.is_set_up or target.position.ply == 0


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_a_press_continues_the_game_or_starts_a_line() -> None:
    for press in every_press_in_a_game():
        line = (*press.place.moves[: press.place.move_count], press.square)
        assert press.target.moves == (press.place.moves if press.follows_game else line)


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_a_line_that_leaves_a_game_has_a_way_back_to_it() -> None:
    for press in every_press_in_a_game():
        place, target = press.place, press.target
        assert target.reader_game == (place.moves if press.leaves_game else ())
        if target.game_url:
            assert place_at(target.game_url) == place._replace(view=target.view)
        else:
            assert not press.leaves_game


@pytest.mark.usefixtures("in_a_request")
def test_a_line_that_rejoins_the_game_is_the_game() -> None:
    line = parse_place("4217", MultiDict({"game": LOST, "at": "3"}))
    assert place_at(line.url_after(7)).moves == parse_moves("4217")
    line = parse_place("421", MultiDict({"game": LOST}))
    target = place_at(line.url_after(7))
    assert (target.moves, target.move_count, target.reader_game) == (parse_moves(LOST), 4, ())


# Play on


def fields_to_play_on(page: Tag) -> list[dict[str, str]]:
    """Return the fields of each form that starts a practice game."""
    return [
        {field["name"]: field["value"] for field in form.select("[name]")}
        for form in page.select("form[action='/new']")
    ]


@pytest.fixture
def game_url(client: FlaskClient, visitor_has_played: None) -> str:
    """The address in Study of a practice game just started from move 5 of the lost game."""
    _, play_on = fields_to_play_on(parse(client.get(f"/study/{LOST}?at=5&you=X")))
    client.post("/new", data=play_on)
    moves = game_of(client).moves
    return f"/study/{to_digits(moves)}?you=X&at={len(moves)}"


def test_a_move_can_be_retried_and_its_board_played_on(client: FlaskClient) -> None:
    retry, play_on = fields_to_play_on(parse(client.get(f"/study/{LOST}?at=5&you=X")))
    assert retry == {"moves": LOST[:4], "mark": "X"}
    assert play_on == {"moves": LOST[:5], "mark": "X"}


@pytest.mark.usefixtures("game_url")
def test_play_on_starts_a_practice_game_from_the_board(client: FlaskClient) -> None:
    game = game_of(client)
    assert (game.moves[:5], game.setup_length, game.human) == (parse_moves(LOST[:5]), 5, "X")


def test_every_move_of_a_practice_game_links_back_to_it(client: FlaskClient, game_url: str) -> None:
    for url in (game_url, game_url[:-1] + "5"):
        page = follow(client, parse(client.get(url)), "#play.prime")
        assert board_of(page) == str(game_of(client).position)


def test_pages_of_other_games_do_not_link_to_the_practice_game(
    client: FlaskClient, game_url: str
) -> None:
    for url in (game_url.replace("=X", "=O"), f"/study/{LOST[:5]}"):
        assert not parse(client.get(url)).select("#play")


def test_a_board_that_was_set_up_can_be_played_on(client: FlaskClient) -> None:
    page = parse(client.get("/study/X---O---X?view=moves"))
    moves = page.select("[name=moves]")[0]["value"]
    assert Position().after(parse_moves(moves)) == Position.parse("X---O---X")


# Moves


class MoveCard:
    """The card about a move, which plays a forced win out on the board in pencil."""

    def __init__(self, game: Game, move: ReviewedMove) -> None:
        self.move = move
        args = MultiDict({"at": str(move.number)})
        place = parse_place(to_digits((*game, move.square)), args)
        self.board_before, self.board = str(move.position), str(place.position)
        self.cells = moves_view(place, args)[1]["cells"]
        self.winning_squares = tuple(cell.square for cell in self.cells if cell.wins_for)
        pencil_cells = [cell for cell in self.cells if cell.pencil]
        self.pencil_cells = sorted(pencil_cells, key=lambda cell: cell.badge or "")

    @property
    def winner(self) -> str | None:
        """The side that can force a win after the move, or None if neither can or it is over."""
        score = move_scores(self.board_before)[self.move.square]
        if score == 0 or is_over(self.board):
            return None
        return turn(self.board_before) if score > 0 else turn(self.board)

    @property
    def last_board(self) -> str:
        """The board after all moves in pencil."""
        board = self.board
        for cell in self.pencil_cells:
            board = children(board)[cell.square]
        return board


@cache
def move_cards() -> list[MoveCard]:
    """Return the card about every sixth move, or about each in `make soak`."""
    return [MoveCard(game, move) for game, move in sample(6, reviewed_moves())]


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_nothing_is_played_out_if_nobody_can_force_a_win() -> None:
    for card in move_cards():
        if not card.winner:
            assert not card.winning_squares and not card.pencil_cells


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_moves_in_pencil_are_numbered_and_best_play() -> None:
    for card in move_cards():
        board = card.board
        for cell in card.pencil_cells:
            assert cell.pencil == turn(board)
            assert cell.badge == str(9 - board.count("-") + 1)
            scores = move_scores(board)
            assert scores[cell.square] == max(scores.values())
            board = children(board)[cell.square]


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_a_forced_win_is_played_out_until_it_cannot_be_stopped() -> None:
    """Two squares then win, or one if the winner is to move after the move itself."""
    for card in move_cards():
        if card.winner:
            board = card.last_board
            assert card.winning_squares == winning_squares(board, card.winner)
            assert {cell.wins_for for cell in card.cells} <= {None, card.winner}
            wins_at_once = turn(board) == card.winner and not card.pencil_cells
            assert card.winning_squares
            assert len(card.winning_squares) > 1 or wins_at_once
            assert wins_at_once or not winning_squares(board, other(card.winner))


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_a_move_has_the_badge_of_its_judgment() -> None:
    badges = {
        "wins": "✓",
        "only move": "!",
        "gave the draw away": "??",
        "gave the win away": "??",
    }
    for card in move_cards():
        assert card.cells[card.move.square].badge == badges.get(card.move.judgment)


@pytest.mark.long
def test_the_wins_that_a_mistake_leaves_open_are_counted() -> None:
    for _, move in reviewed_moves():
        board = str(move.position.play(move.square))
        wins = winning_squares(board, turn(board))
        if move.concession and wins:
            sentence = mistakes.concession_text(move.concession, move.square, move.number, None)
            assert sentence.startswith(f"{move.mark} left {turn(board)} ")
            assert (" a win " in sentence) == (len(wins) == 1), sentence


@pytest.mark.usefixtures("in_a_request")
@pytest.mark.parametrize(
    ("moves", "squares_in_pencil"),
    [("14753268", {5, 3, 2}), ("1470", {0, 8, 6}), ("147", {0, 8, 6})],
)
def test_among_equally_fast_wins_the_move_played_is_drawn(
    moves: str, squares_in_pencil: set[int]
) -> None:
    args = MultiDict({"at": "3"})
    cells = moves_view(parse_place(moves, args), args)[1]["cells"]
    assert {cell.square for cell in cells if cell.pencil} == squares_in_pencil


# X | O | O    X has blocked the row, and every reply loses to two threats.
# · | · | X
# · | X | ·
GAME_WITHOUT_FORCED_REPLY = "71520"


@pytest.mark.usefixtures("in_a_request")
@pytest.mark.parametrize("move_count", ["4", "5"])
def test_if_no_reply_is_forced_every_reply_is_played_out(move_count: str) -> None:
    args = MultiDict({"at": move_count})
    place = parse_place(GAME_WITHOUT_FORCED_REPLY, args)
    variations = moves_view(place, args)[1]["variations"]
    assert [reply for _, (reply, _), *_ in variations] == [3, 4, 6, 8]
    for variation in variations:
        first_square, _ = variation[0]
        _, last_board = variation[-1]
        assert first_square == 0
        assert len(variation) == 5 and textbook.winner(str(last_board)) == "X"


def test_the_page_shows_a_strip_of_boards_for_every_variation(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{GAME_WITHOUT_FORCED_REPLY}?at=5"))
    assert len(page.select(".strip")) == 4


DIGIT_HEIGHT = 12  # pixels, of a digit of 17 px on the smallest phone


def test_point_numbers_do_not_touch_their_rings() -> None:
    for game, square in sample(400, one_game_to_each_move()):
        moves = (*game, square)
        for move_count in range(len(moves) + 1):
            for point in draw_story(story(moves), None, move_count).points:
                if point.label and point.has_ring:
                    half_stroke = 1.25
                    ring_radius = (10.5 if point.is_big else 8.5) + half_stroke
                    bottom = point.label_y - point.y
                    top = bottom - DIGIT_HEIGHT
                    assert bottom < -ring_radius + 0.5 or top > ring_radius - 1.5


# Find a better move


@cache
def quizzes() -> list[Quiz]:
    """Return the quiz about each mistake."""
    return [parse_quiz(move, "") for _, move in reviewed_moves() if move.is_blunder]


def every_guess() -> Iterator[tuple[Quiz, Square, Quiz]]:
    """Yield each quiz with each guess and the quiz after it."""
    for quiz in quizzes():
        for square in quiz.open_squares:
            yield quiz, square, quiz.after_guess(square)


@pytest.mark.long
def test_a_quiz_asks_for_the_reply_if_every_other_move_was_right() -> None:
    assert {quiz.kind for quiz in quizzes()} == {"move", "reply"}
    for quiz in quizzes():
        if quiz.kind == "reply":
            board_before = str(quiz.move.position)
            other_squares = {*move_scores(board_before)} - {quiz.move.square}
            assert other_squares == {*sound_moves(board_before)}


@pytest.mark.long
def test_every_guess_is_judged_by_its_result() -> None:
    for quiz, square, next_quiz in every_guess():
        is_right = square in sound_moves(str(quiz.position))
        assert (next_quiz.found_square == square) == is_right
        assert next_quiz.is_answered == is_right


@pytest.mark.long
def test_after_a_wrong_guess_a_right_square_can_still_be_found() -> None:
    for quiz, square, next_quiz in every_guess():
        if not next_quiz.is_answered:
            assert square not in next_quiz.open_squares or next_quiz.kind != quiz.kind
            assert {*next_quiz.open_squares} & {*next_quiz.right_squares}


@pytest.mark.long
def test_the_sentence_about_a_wrong_guess_names_no_right_square() -> None:
    names = "|".join(sorted(SQUARE_NAMES, key=len, reverse=True))
    for _, square, quiz in every_guess():
        if quiz.concession:
            sentence = mistakes.concession_text(
                quiz.concession, square, quiz.move.number, None, quiz.can_name_squares
            )
            right_names = {SQUARE_NAMES[right] for right in quiz.right_squares}
            assert not right_names & {*re.findall(names, sentence)}


class ShownAnswer(NamedTuple):
    """What Show me says about a mistake on a board with several right squares."""

    board: str  # before the mistake
    text: str

    @property
    def example(self) -> Square | None:
        """The square that the text names as an example, or None if it explains all of them."""
        match = re.search(r"\. ([\w ]+), for example: ", self.text)
        return square_by_name(match[1]) if match else None

    @property
    def explained_squares(self) -> tuple[Square, ...]:
        """The squares that the text explains."""
        return sound_moves(self.board) if self.example is None else (self.example,)


def square_by_name(name: str) -> Square:
    return SQUARE_NAMES.index(name.lower().removeprefix("the "))


def shown_answers(client: FlaskClient) -> Iterator[ShownAnswer]:
    """Yield what Show me says about each mistake on a board with several right squares."""
    for game, move in reviewed_moves():
        board = str(move.position)
        if move.is_blunder and len(sound_moves(board)) > 1:
            url = f"/study/{to_digits((*game, move.square))}?answer=show"
            yield ShownAnswer(board, text_of(parse(client.get(url)).select_one("#told")))


@pytest.mark.long
def test_show_me_explains_one_square_or_all_of_them(client: FlaskClient) -> None:
    for answer in shown_answers(client):
        if answer.example is None:
            assert "this one" not in answer.text, answer
        else:
            assert answer.example in sound_moves(answer.board)


@pytest.mark.long
def test_a_block_that_show_me_demands_answers_every_square_it_explains(client: FlaskClient) -> None:
    for answer in shown_answers(client):
        if match := re.search(r"must block (?:the )?([\w ]+)\.", answer.text):
            for square in answer.explained_squares:
                threats = winning_squares(children(answer.board)[square], turn(answer.board))
                assert threats == (square_by_name(match[1]),), answer


# Squares


def rows_of(board: str) -> list[MoveRow]:
    """Return the table of moves of a board."""
    return move_rows(parse_place(board, MultiDict()))


def squares_of(row: MoveRow) -> tuple[Square, ...]:
    """Return the square of a row and those equivalent to it."""
    return (row.explanation.square, *row.mirrors)


def boards_of_the_table() -> list[str]:
    """Return half of the boards, or all in `make soak`."""
    return [str(position) for position in sample(2, all_or_canonical(ALL_POSITIONS))]


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_the_table_of_moves_has_a_row_for_each_group_of_symmetric_moves() -> None:
    for board in boards_of_the_table():
        rows = rows_of(board)
        squares = [square for row in rows for square in squares_of(row)]
        assert sorted(squares) == sorted(move_scores(board))
        child_boards = []
        for row in rows:
            children_of_row = [children(board)[square] for square in squares_of(row)]
            (canonical_child,) = {min(textbook.symmetric_boards(c)) for c in children_of_row}
            child_boards.append(canonical_child)
        assert len(child_boards) == len({*child_boards})


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_every_row_of_the_table_matches_the_textbook() -> None:
    for board in boards_of_the_table():
        for row in rows_of(board):
            check_row(board, row)


def check_row(board: str, row: MoveRow) -> None:
    """Check what a row says of its move and of the replies to it."""
    move = row.explanation
    child, mover = children(board)[move.square], turn(board)
    assert move.score == move_scores(board)[move.square]
    winner = mover if move.score > 0 else other(mover)
    assert move.result == ((winner, 10 - abs(move.score)) if move.score else (None, 0))
    assert row.reply_count == len(children(child))
    assert row.sound_replies == (sound_moves(child) if row.reply_count else ())
    assert move.win_chance == textbook.chance_with_best_moves(child)
    assert move.best_moves == tuple(best(board))
    assert bool(move.completed_lines) == (textbook.winner(child) is not None)


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_the_table_of_moves_is_sorted_best_first() -> None:
    for board in boards_of_the_table():
        moves = [row.explanation for row in rows_of(board)]
        ranks = [(move.score, move.win_chance) for move in moves]
        assert ranks == sorted(ranks, reverse=True)


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_every_continuation_is_best_play_to_the_end() -> None:
    for root in sample(8, [*textbook.one_image_of_each(textbook.all_boards())]):
        place = parse_place(root, MultiDict())
        for square, child in children(root).items():
            line = squares_view(place, MultiDict({"line": str(square)}))[1]["line"]
            assert line[0] == square
            board = child
            for next_square in line[1:]:
                assert next_square in best(board)
                board = children(board)[next_square]
            assert is_over(board)


def squares_before(game: Game, move: ReviewedMove) -> dict[str, Any]:
    """Return the values of the view Squares just before a move of a game."""
    args = MultiDict({"at": str(len(game)), "view": "squares"})
    place = parse_place(to_digits((*game, move.square)), args)
    return squares_view(place, args)[1]


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_the_squares_view_plays_out_a_blunder_and_its_punishment() -> None:
    for game, move in sample(3, reviewed_moves()):
        if move.is_blunder:
            values, board = squares_before(game, move), str(move.position)
            child = children(board)[move.square]
            first, reply, *_ = values["line"]
            assert first == move.square and values["is_played"] and reply in best(child)
            scores = move_scores(board)
            assert textbook.sign(scores[first]) < textbook.sign(max(scores.values()))
            pencil_marks = {cell.square: cell.pencil for cell in values["cells"] if cell.pencil}
            assert (pencil_marks[first], pencil_marks[reply]) == (turn(board), turn(child))


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_the_squares_view_plays_out_no_other_move_until_a_square_is_picked() -> None:
    for game, move in sample(3, reviewed_moves()):
        if not move.is_blunder:
            values = squares_before(game, move)
            assert not values["line"] and values["search_url"] is None


# Sentences

PREPOSITION_OR_ARTICLE = re.compile(
    r"\b(?:in|at) (?=the center|top|middle|bottom)|\b[Tt]he (?=center)"
)
# The side of the reader and the opponent, as in an address.
READERS: list[tuple[Mark | None, str | None]] = [(None, None), ("X", "perfect"), ("O", "random")]


def kind_of(sentence: str) -> str:
    """Return the kind of a sentence, the same whether or not a square is the center."""
    return sentence_kind(PREPOSITION_OR_ARTICLE.sub("", sentence))


def every_sentence() -> Iterator[tuple[str, str]]:
    """Yield the sentences of Moves and Squares on every move, board and some games."""
    for game, move in reviewed_moves():
        for sentence in sentences_about_move(move):
            yield to_digits((*game, move.square)), sentence
    for board in textbook.one_image_of_each(textbook.all_boards()):
        for sentence in sentences_about_squares(board):
            yield board, sentence
    for game in random_games(1000):
        for sentence in sentences_about_game(game):
            yield to_digits(game), sentence


def sentences_about_move(move: ReviewedMove) -> Iterator[str]:
    """Yield the sentences on the card about a move, and in its quiz if it has one."""
    yield "title: " + words.title(move, explain(move.position, move.square), None)
    if move.is_blunder:
        yield from sentences_about_blunder(move)
    else:
        yield from sentences_about_sound_move(move)


def sentences_about_sound_move(move: ReviewedMove) -> Iterator[str]:
    """Yield the sentences on the card about a move that is not a blunder."""
    explanation = explain(move.position, move.square)
    for you, opponent in READERS:
        note = words.random_note(explanation, you, opponent)
        reason = words.reason(explanation, move.judgment, move.number, you)
        yield f"why: {note}{reason}"


def sentences_about_blunder(move: ReviewedMove) -> Iterator[str]:
    """Yield the sentences on the card about a blunder, and in its quiz."""
    quiz = parse_quiz(move, "")
    concession, square, number = move.concession, move.square, move.number
    assert concession, move
    for you, _ in READERS:
        yield "right: " + mistakes.right_squares_sentence(move, you)
        yield "gave: " + mistakes.concession_text(concession, square, number, you)
        yield "hint: " + mistakes.concession_text(concession, square, number, you, False)
    if quiz.kind == "reply" or len(move.sound_moves) <= 3:
        yield "named: " + mistakes.right_squares_sentence(move, None, True)
    for wrong_reply, (you, _), names_squares in product(
        concessions_of_wrong_replies(quiz), READERS, (False, True)
    ):
        yield "not: " + mistakes.refutation(wrong_reply, square, number + 1, you, names_squares)


def concessions_of_wrong_replies(quiz: Quiz) -> Iterator[Concession]:
    """Yield what each wrong reply gives away, if the quiz asks for the reply."""
    if quiz.kind == "reply":
        for square in quiz.open_squares:
            concession = quiz.after_guess(square).concession
            if square not in quiz.right_squares and concession:
                yield concession


def sentences_about_squares(board: str) -> Iterator[str]:
    """Yield the sentences of the view Squares of a board."""
    position = Position.parse(board)
    values = squares_view(parse_place(board, MultiDict()), MultiDict())[1]
    title = words.squares_title(
        values["sound_count"],
        values["move_count"],
        values["result"],
        position.outcome(),
        position.turn,
    )
    yield f"squares: {title}"
    for row in values["rows"]:
        yield "row: " + words.replies_clause(row)


def sentences_about_game(game: Game) -> Iterator[str]:
    """Yield the sentences about a game as a whole."""
    for you, opponent in READERS:
        summary = story(game, you)
        yield "story: " + mistakes.story_sentence(summary, you)
        if summary.is_over and not summary.turning_point:
            yield "praise: " + words.praise(summary, you, opponent)


@pytest.mark.usefixtures("in_a_request")
def test_every_kind_of_sentence_matches_the_snapshot() -> None:
    assert_sentences_match("study", every_sentence(), kind_of)


# The search from a position


def can_be_drawn(board: str) -> bool:
    """Return whether a board has at most four empty squares, or a tree small enough to draw."""
    return board.count("-") <= 4 or has_small_tree(min(textbook.symmetric_boards(board)))


@cache
def has_small_tree(board: str) -> bool:
    """Return whether the tree of a board, with symmetric moves merged, is small enough to draw."""
    tree = textbook.depth_limited_tree(board, 9, merged=True)
    nodes = [node for _, node in textbook.walk_tree(tree)]
    leaf_count = sum(isinstance(node, int) for node in nodes)
    return len(nodes) <= 90 and leaf_count <= 40


@pytest.mark.long
@pytest.mark.usefixtures("in_a_request")
def test_the_page_says_after_which_replies_the_tree_can_be_drawn() -> None:
    for position in sample(60, UNFINISHED_CANONICAL):
        board = str(position)
        for square, child in children(board).items():
            if is_over(child):
                continue
            args = MultiDict({"line": str(square)})
            values = squares_view(parse_place(board, MultiDict()), args)[1]
            assert values["is_drawable_to_the_end"] == can_be_drawn(child)
            expected = [reply for reply, after in children(child).items() if can_be_drawn(after)]
            assert [reply for reply, _ in values["drawable_replies"]] == expected


def test_one_press_searches_the_board_after_the_mistake(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{LOST}?at=4&view=squares"))
    sentence = text_of(page.select_one("#told"))
    assert sentence.startswith("Top left: O wins on move 8") and "X played this." in sentence
    assert current_view(follow(client, page, "#search")) == "search"
    assert not page.select("#ends")


def test_a_tree_too_big_to_draw_in_full_says_so(client: FlaskClient) -> None:
    page = parse(client.get("/study/01?at=1&view=squares"))
    assert "too big to draw in full" in text_of(page.select_one("#ends"))


def test_the_trees_linked_instead_of_a_big_one_need_no_estimates(client: FlaskClient) -> None:
    page = parse(client.get("/study/0418?at=2&view=squares&line=1"))
    for link in page.select("#ends a"):
        search_page = parse(client.get(link["href"]))
        assert "estimate" not in text_of(search_page.select_one("#told"))


@pytest.mark.parametrize(
    ("moves", "setup_length", "you", "number"),
    [
        ((0, 4, 8, 1, 7, 6, 2, 5, 3), 0, "X", None),  # drawn, without a mistake
        ((0, 1, 4, 8, 3, 5, 6), 0, "O", 2),  # move 2 was the turning point
        ((0, 1, 4, 8, 3, 5, 6), 2, "O", 4),  # lost from the board set up: the first move of O
        ((0, 1, 4, 8, 3, 5, 6), 2, "X", None),
    ],
)
def test_a_game_opens_at_the_move_that_explains_its_result(
    moves: tuple[int, ...], setup_length: int, you: Mark, number: int | None
) -> None:
    assert decisive_move_number(story(moves, you, setup_length), you) == number
