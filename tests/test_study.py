"""The page on which a board is studied: where it stands, and what Moves and Squares tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from gzip import decompress
from itertools import product
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from engine.notation import replay, to_digits
from engine.position import SQUARE_NAMES, Mark, Position
from engine.reasons import why
from engine.results import holding_moves
from engine.review import review, story
from engine.search import analyse
from tests import textbook
from tests.conftest import assert_refused, game_of, parse, text_of
from tests.games import Game, games_at_random, one_game_to_each_board
from tests.html import Tag
from tests.positions import EVERY
from tests.sentences import assert_as_last_read
from tests.textbook import best, children, holding, move_scores, other, over, sign, turn, wins_at
from web.study.moves_view import moves_view
from web.study.place import Place, stand
from web.study.quiz import Quiz, ask
from web.study.squares_view import rows, squares_view

# X    X    O    A lost game: X top left, on move 5, makes a threat; O blocks it at
# X    X    O    bottom right and has two of its own. O wins on move 8.
#      O    O
LOST = "42170835"
HELD = "421735806"  # a draw in which X had one way on move 7


def board_on(page: Tag) -> str:
    return "".join(str(page.select(f"#cell-{n}")[0]["data-mark"]) or "-" for n in range(9))


def told(page: Tag) -> str:
    return " ".join(page.select("#told")[0].get_text(" ").split())


def follow(client: FlaskClient, page: Tag, css: str) -> Tag:
    link = page.select(css)[0]
    response = client.get(str(link["href"]))
    assert response.status_code == 200, link
    return parse(response)


def view_on(page: Tag) -> str:
    return page.select(".tabs [aria-current]")[0].get_text().lower()


# Where the page stands


def test_a_lost_game_opens_at_the_move_where_it_turned(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{LOST}?you=X&difficulty=perfect"))
    assert view_on(page) == "moves"
    assert board_on(page) == "XXO-X--O-"
    assert page.select(".steps b")[0].get_text() == "Move 5 of 8"
    assert page.select(".whose")[0].get_text() == "You were X, against Perfect"
    assert told(page).startswith("Move 5: here it turned Top left makes a threat, so O must go")


@pytest.mark.parametrize(
    ("url", "board", "view"),
    [
        ("/study", "---------", "squares"),
        ("/study/---------", "---------", "squares"),
        ("/study/X---O----", "X---O----", "squares"),
        ("/study/x---o----", "X---O----", "squares"),
        (f"/study/{HELD}", "OXOXXOXOX", "moves"),
        ("/study/042", "X-X-O----", "moves"),
        ("/study/042?at=1", "X--------", "moves"),
        ("/study/042?at=0&view=squares", "---------", "squares"),
        ("/study/042?at=77", "X-X-O----", "moves"),
        ("/study/X---O----?at=9", "X---O----", "squares"),
        ("/study/X---O----?game=048", "X---O----", "moves"),
        ("/study/X---O----?game=148&view=squares", "X---O----", "squares"),
        ("/study/-X--O----?game=048&view=squares", "-X--O----", "squares"),
    ],
)
def test_an_address_names_a_game_or_a_board(
    client: FlaskClient, url: str, board: str, view: str
) -> None:
    page = parse(client.get(url))
    assert (board_on(page), view_on(page)) == (board, view)


@pytest.mark.parametrize(
    ("url", "board"),
    [
        # A game goes on: a mark shows under the pointer on what may be played.
        ("048", "X | O may | O may | O may | O | O may | O may | O may | X last"),
        # Its last move was a mistake: the fork of X is pencilled in, with the squares it threatens.
        ("04862", "X | X threat | X next | | O | X threat | O last ?? | | X"),
        ("04862?view=squares", "X | | ★ | | O | | O last | | X"),
        # A line goes on, each move with its mark and number.
        (
            "048?view=squares&line=1",
            "X | O next 4 | X next 7 | X next 9 | O | O next 8 | O next 6 | X next 5 | X last",
        ),
        # One move wins at once.
        ("03142?at=4", "X | X | X threat | O | O last | | | |"),
        # A game won, and one drawn.
        ("03142?at=5", "X wins | X wins | X wins ✓ | O past | O past | past | past | past | past"),
        ("421735806", "O | X | O | X | X | O | X last | O | X"),
        # The reader looks for the reason: what O answers. The answer shown makes two threats.
        (f"{LOST}?answer=", "X last ?? | X | O | ask | X | ask | ask | O | ask"),
        (f"{LOST}?answer=show", "X last ?? | X | O | | X | O threat | O threat | O | O next"),
        # The reader looks for a better move. The last of two wrong ones is played out.
        ("01?answer=25", "X | ?? | X next | ask | ask | O next | ask | ask | ask"),
        ("01?answer=257", "X | ?? | X next | ask | ask | | ask | O next | ask"),
        ("01?answer=show", "X | ?? | | | ★ | | | |"),
    ],
)
def test_the_large_board_says_by_colour_and_badge_what_each_square_is(
    client: FlaskClient, url: str, board: str
) -> None:
    cells = parse(client.get(f"/study/{url}")).select("#board .cell")
    shown = [[*cell.classes[1:], *(b.get_text() for b in cell.select(".glyph"))] for cell in cells]
    assert shown == [words.split() for words in board.split("|")]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("/study/99", "A move is a digit from 0 to 8."),
        ("/study/00", "Top left is taken."),
        ("/study/0", "at is a number"),
        ("/study/XX-------", "X moves first and the sides take turns"),
        ("/study/X---O---", "A position is nine characters"),
        ("/study/04?view=why", "view is one of moves, squares, tree, search."),
        ("/study/04?you=Y", "you is one of X, O."),
        ("/study/04?difficulty=hard", "difficulty is one of random, perfect."),
        ("/study/04?game=zz", "A move is a digit from 0 to 8."),
        ("/study/04?at=1&at=2", "at was given 2 times"),
        ("/study?set=XO", "set is nine characters"),
        ("/study?set=O---------", "set is nine characters"),
        (f"/study/{LOST}?at=4&answer=", "at names none"),
        ("/study?view=moves&answer=", "at names none"),
        (f"/study/{LOST}?answer=0", "squares that may still be tried"),
        (f"/study/{LOST}?answer=33", "squares that may still be tried"),
        (f"/study/{LOST}?answer=83", "squares that may still be tried"),
        (f"/study/{LOST}?answer=?", "squares that may still be tried"),
        (f"/study/{LOST}?answer=shown", "squares that may still be tried"),
        ("/study/04?view=squares&line=0", "line is one of 1, 2, 3, 5, 6, 7, 8."),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_reason_and_the_ways_on(
    client: FlaskClient, url: str, reason: str
) -> None:
    for asked in [url] if "at is" not in reason else [f"{url}?at={n}" for n in ("-1", "x", "")]:
        assert_refused(client, asked, reason)
        ways = {link["href"] for link in parse(client.get(asked)).select("main a")}
        assert {"/", "/learn"} <= ways


def test_a_board_that_o_began_is_offered_with_the_marks_swapped(client: FlaskClient) -> None:
    links = parse(client.get("/study/O--------")).select("main a[href^='/study']")
    assert [link["href"] for link in links] == ["/study/X--------", "/study?set=O--------"]
    assert not parse(client.get("/study/XX-------")).select("main a[href^='/study/']")
    assert parse(client.get("/study/XX")).select("main a[href^='/study']") == []


def test_a_view_never_changes_the_board(client: FlaskClient) -> None:
    for url in ("/study", f"/study/{LOST}?you=X&at=3", "/study/X---O----"):
        page = parse(client.get(url))
        for view in ("moves", "squares"):
            there = follow(client, page, f"#view-{view}")
            assert (board_on(there), view_on(there)) == (board_on(page), view)
            back = there.select(f"#view-{view_on(page)}")[0]["href"]
            assert board_on(parse(client.get(str(back)))) == board_on(page)


def test_the_steps_lead_through_the_game_and_the_last_two_end_with_it(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{LOST}?at=0&you=X"))
    boards = [str(Position().after(replay(LOST)[:at])) for at in range(9)]
    for at, board in enumerate(boards):
        assert board_on(page) == board
        keys = [str(link["data-key"]) for link in page.select(".steps a")]
        assert keys == ["Home", "ArrowLeft"] * (at > 0) + ["ArrowRight", "End"] * (at < 8)
        assert page.select(".points [aria-current]")[0]["id"] == f"point-{at}"
        assert board_on(follow(client, page, "#point-5")) == boards[5]
        assert board_on(follow(client, page, "#move-2")) == boards[2]
        if at < 8:
            assert board_on(follow(client, page, "#step-last")) == boards[-1]
            page = follow(client, page, "#step-next")
    for link in page.select(".steps a, .points a, .moves a"):
        assert link["data-hx-replace-url"] == "true"


def test_without_a_game_moves_says_why_it_is_empty(client: FlaskClient) -> None:
    page = parse(client.get("/study/X---O----?view=moves"))
    assert told(page).startswith("No moves here This board was set up, so nobody knows the moves")
    assert not page.select(".steps, .story, .moves")
    assert "Before the first move" in told(parse(client.get("/study?view=moves")))


@pytest.mark.parametrize("view", ["tree", "search"])
def test_on_a_finished_board_tree_and_search_say_so(client: FlaskClient, view: str) -> None:
    for game, end in ((LOST, "O won: right column."), (HELD, "A draw.")):
        page = parse(client.get(f"/study/{game}?at=9&view={view}"))
        reason = f"No move is left, so there is no {view} below this board."
        assert told(page).startswith(f"{end} {reason}")
        assert view_on(page) == view


# A press on the board


def places(app: Flask) -> Iterator[Place]:
    """Yield places in games at random, with a reader and without, and on boards set up."""
    rng = Random(5)
    with app.test_request_context():
        for you, difficulty in product((None, "X", "O"), (None, "perfect")):
            known = {"you": you, "difficulty": difficulty}
            args: MultiDict[str, str] = MultiDict({k: v for k, v in known.items() if v})
            for game in rng.sample([*one_game_to_each_board()], 40):
                for at in range(len(game) + 1):
                    yield stand(to_digits(game), MultiDict({**args, "at": str(at)}))
                yield stand(str(Position().after(game)), args)


def opened(app: Flask, url: str) -> Place:
    """Return the place to which an address leads."""
    parts = urlsplit(url)
    args = MultiDict(parse_qsl(parts.query))
    return stand(parts.path.removeprefix("/study").removeprefix("/"), args)


@pytest.mark.long
def test_a_press_goes_on_in_the_game_or_on_a_line_of_ones_own_that_leads_back(app: Flask) -> None:
    for place in places(app):
        assert opened(app, place.url()) == place
        for square in place.position.legal_moves():
            there = opened(app, place.press(square))
            assert there.position == place.position.play(square)
            assert (there.view, there.you) == (place.view, place.you)
            if place.is_set_up:
                assert there.is_set_up or there.position.ply == 0
                continue
            on = place.moves[place.at : place.at + 1] == (square,)
            assert there.moves == (place.moves if on else (*place.moves[: place.at], square))
            left = not on and bool(place.you or place.at < len(place.moves))
            assert there.game == (place.moves if left else ())
            if there.back:
                assert opened(app, there.back) == place._replace(view=there.view)
            else:
                assert not left


def test_a_line_that_comes_back_to_the_game_is_the_game_again(app: Flask) -> None:
    with app.test_request_context():
        line = stand("4217", MultiDict({"game": LOST, "at": "3"}))
        assert opened(app, line.press(7)).moves == replay("4217")
        line = stand("421", MultiDict({"game": LOST}))
        there = opened(app, line.press(7))
        assert (there.moves, there.at, there.game) == (replay(LOST), 4, ())


def test_a_board_set_up_leads_back_to_the_game_it_was_left_for(client: FlaskClient) -> None:
    page = parse(client.get("/study/X---O----?game=148&you=X"))
    assert page.select(".whose")[0].get_text() == "A line of your own, X to move"
    assert board_on(follow(client, page, ".gameback a")) == "-X--O----"


def test_play_on_starts_a_practice_game_from_the_board(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{LOST}?at=5&you=X"))
    form = page.select("form[action='/new']")[0]
    data = {str(field["name"]): str(field["value"]) for field in form.select("[name]")}
    assert data == {"moves": LOST[:5], "mark": "X"}
    client.post("/new", data=data)
    game = game_of(client)
    assert (game.moves[:5], game.set_up, game.human) == (replay(LOST[:5]), 5, "X")
    set_up = parse(client.get("/study/X---O---X?view=moves")).select("[name=moves]")[0]["value"]
    assert Position().after(replay(str(set_up))) == Position.parse("X---O---X")


# Moves


def test_a_perfect_draw_is_praised_with_the_only_moves_found(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{HELD}?you=X&difficulty=perfect"))
    assert told(page) == (
        "A perfect draw You never let Perfect in. Only bottom right would do at move 7."
    )
    marks = {
        int(move.select("i")[0].get_text()): move.select("b [aria-hidden]")[0].get_text()
        for move in page.select(".moves a")
        if move.select("b")
    }
    assert marks == {4: "!", 6: "!", 7: "!", 8: "!"}
    assert page.select(".movekey")[0].get_text() == "! only move"


def test_a_title_names_the_move_the_squares_or_the_question(client: FlaskClient) -> None:
    titles = [
        parse(client.get(url)).select("title")[0].get_text().partition(" · ")[0]
        for url in (
            f"/study/{LOST}",
            f"/study/{LOST}?at=8",
            f"/study/{LOST}?view=squares&at=4",
            f"/study/{LOST}?answer=",
            "/study",
            "/study?set=---------",
        )
    ]
    assert titles == [
        "Move 5, X top left",
        "Move 8, O middle right",
        "Squares of -XO-X--O-",
        "Find a better move than move 5, X top left",
        "Squares of the empty board",
        "Set up a board",
    ]


@cache
def moves_up_to_symmetry() -> list[tuple[Game, int]]:
    """Return each move of each position up to symmetry, with a game to the position."""
    found: dict[tuple[str, str], tuple[Game, int]] = {}
    for game in one_game_to_each_board():
        board = str(Position().after(game))
        for square, child in children(board).items():
            key = min(zip(textbook.images(board), textbook.images(child), strict=True))
            found.setdefault(key, (game, square))
    return [*found.values()]


@pytest.mark.long
def test_what_a_move_gave_away_is_played_out_on_the_board(app: Flask) -> None:
    with app.test_request_context():
        for game, square in moves_up_to_symmetry():
            args = MultiDict({"at": str(len(game) + 1)})
            place = stand(to_digits((*game, square)), args)
            before, board = str(Position().after(game)), str(place.position)
            cells = moves_view(place, args)[1]["cells"]
            wins = tuple(cell.square for cell in cells if cell.wins_for)
            (pencil,) = [c.square for c in cells if c.pencil] or [None]
            scores = move_scores(before)
            if sign(scores[square]) == -1 < sign(max(scores.values())):
                for cell in cells:
                    assert cell.pencil in (None, turn(board))
                    assert cell.wins_for in (None, turn(board))
                after = board if pencil is None else children(board)[pencil]
                assert pencil is None or pencil in holding(board)
                forced = pencil is not None and len(wins_at(after, turn(board))) > 1
                assert wins == (wins_at(after, turn(board)) if pencil is None or forced else ())
            elif scores[square] < 0:
                assert (wins, pencil) == (wins_at(board, turn(board)), None)
            else:
                mine = wins_at(board, turn(before))
                forks = len(mine) > 1 and not wins_at(board, turn(board)) and not over(board)
                assert (wins, pencil) == (mine if forks else (), None)
            assert cells[square].badge == {
                "wins": "✓", "only move": "!", "lost the draw": "??", "lost the win": "??",
            }.get(review((*game, square))[-1].judgement)  # fmt: skip


@pytest.mark.parametrize(
    ("url", "words", "view"),
    [
        (f"/study/{LOST}?you=X&difficulty=perfect", "How Perfect saw it", "search"),
        (f"/study/{LOST}", "How O saw it", "search"),
        ("/study/01?you=O&difficulty=random", "How X saw it", "squares"),
    ],
)
def test_a_lost_move_leads_to_the_search_of_the_reply_where_that_can_be_watched(
    client: FlaskClient, url: str, words: str, view: str
) -> None:
    page = parse(client.get(url))
    (link,) = page.select("#saw")
    assert link.get_text() == words
    there = follow(client, page, "#saw")
    assert view_on(there) == view
    if view == "search":
        assert told(there).startswith("All are back. O picks the highest: bottom right, +7 .")
    assert str(link["href"]).split("&")[0].endswith(f"at={len(replay(url[7:].split('?')[0])[:5])}")
    assert not parse(client.get("/study/01?you=X")).select("#saw")


# Find a better move


def test_where_every_square_left_holds_the_question_is_how_the_other_side_answers(
    client: FlaskClient,
) -> None:
    lost = parse(client.get(f"/study/{LOST}?you=X"))
    assert lost.select("#better")[0].get_text() == "Why did it lose?"
    four = "Middle left, middle right, bottom left and bottom right held."
    assert four in told(lost)
    page = follow(client, lost, "#better")
    assert told(page) == (
        "You went top left. Where must O answer? The other four held. Why did this one not?"
    )
    assert [cell["id"] for cell in page.select(".ask")] == ["cell-3", "cell-5", "cell-6", "cell-8"]
    wrong = follow(client, page, "#cell-3")
    assert told(wrong).startswith("Not middle left : you then win at once. You went top left.")
    assert wrong.select("#cell-3 .chip")[0].get_text() == "X wins"
    right = follow(client, wrong, "#cell-8")
    assert told(right).startswith("Bottom right. Top left makes a threat, so O must go bottom")
    assert [cell["id"] for cell in right.select(".threat")] == ["cell-5", "cell-6"]
    assert not right.select(".ask, .cell .chip")
    assert told(follow(client, page, "#show")) == told(right)
    assert told(follow(client, page, "#leave")).startswith("Move 5: here it turned")


def test_a_wrong_square_is_played_out_and_the_right_one_explained(client: FlaskClient) -> None:
    page = parse(client.get("/study/01?you=O&answer="))
    assert told(page) == "Which square holds? One of the other seven held."
    wrong = follow(client, page, "#cell-8")
    assert told(wrong).startswith("Bottom right does not. X can force a win by move 7: first")
    assert wrong.select("#cell-8.next, #cell-2.next.ask")
    open_ = parse(client.get("/study/0182?at=4&answer=3"))  # X would win in the centre, which holds
    assert "win open." in told(open_) and not open_.select(".threat, .lead")
    again = follow(client, wrong, "#cell-3")
    assert {c["id"] for c in again.select(".cell:has(.chip)")} == {"cell-8"}
    right = follow(client, again, "#cell-4")
    assert told(right) == "Centre holds. X would win after any other move."
    assert right.select("[name=moves]")[0]["value"] == "04"
    shown = follow(client, again, "#show")
    assert told(shown) == told(right)
    assert shown.select("[name=moves]")[0]["value"] == "0"
    assert shown.select("#cell-4 .glyph")[0].get_text() == "★"


def test_of_a_mistake_of_the_other_side_the_way_on_is_to_play_from_it(client: FlaskClient) -> None:
    for you, filled in (("X", "Why did it lose?"), ("O", "Play on from here")):
        page = parse(client.get(f"/study/{LOST}?you={you}&at=5"))
        assert [one.get_text() for one in page.select("main .prime")] == [filled]
        assert page.select("#better")


def test_the_move_of_the_game_is_marked_among_the_squares(client: FlaskClient) -> None:
    for at, move in ((0, "top left"), (1, "centre"), (2, "top right")):
        page = parse(client.get(f"/study/042?at={at}&view=squares"))
        marked = [em.parent for em in page.select("em") if "· played" in em.get_text()]
        assert {row.get_text(" ").strip()[: len(move)] for row in marked if row} == {move}, at


def test_play_goes_on_from_the_better_move_if_found_else_from_before(client: FlaskClient) -> None:
    for game, answer, words, moves in (
        ("0482?at=4", "1", "Top centre holds. Four of six squares hold the draw.", "0481"),
        ("0482?at=4", "show", "Top centre, middle left, middle right and bottom centre", "048"),
        (f"{LOST}?at=5", "8", "Bottom right. Top left makes a threat", LOST[:4]),
    ):
        page = parse(client.get(f"/study/{game}&answer={answer}"))
        assert told(page).startswith(words)
        assert page.select("[name=moves]")[0]["value"] == moves


@cache
def mistakes() -> list[Quiz]:
    moves = [review((*game, square))[-1] for game, square in moves_up_to_symmetry()]
    return [ask(move, "") for move in moves if move.lowers_the_result]


def replies(quiz: Quiz) -> Iterator[Quiz]:
    """Yield the questions after each wrong answer to the move, where that is asked."""
    if quiz.asks == "reason":
        yield from (quiz.press(square) for square in quiz.open if square not in quiz.right)


@pytest.mark.long
def test_every_answer_to_every_mistake_is_judged_by_the_result_it_keeps() -> None:
    asked = set()
    for quiz in mistakes():
        asked.add(quiz.asks)
        board = str(quiz.position)
        if quiz.asks == "reason":
            before = str(quiz.move.position)
            assert {*move_scores(before)} - {quiz.move.square} == {*holding(before)}
        for square in quiz.open:
            pressed = quiz.press(square)
            assert (pressed.found == square) == (square in holding(board))
            assert pressed.answered == (square in holding(board))
            if not pressed.answered:
                assert square not in pressed.open or pressed.asks != quiz.asks
                assert {*pressed.open} & {*pressed.right}, "an answer is left"
    assert asked == {"move", "reason"}


@pytest.mark.long
def test_a_wrong_answers_refutation_never_names_a_right_square(app: Flask) -> None:
    say: Any = app.jinja_env.get_template("study/_words.html").module
    for quiz in mistakes():
        for square in quiz.open:
            wrong = quiz.press(square)
            if wrong.allows:
                said = say.gave(wrong.allows, square, wrong.move.number, None, wrong.tells)
                named = re.findall("|".join(sorted(SQUARE_NAMES, key=len)[::-1]), said)
                assert not {SQUARE_NAMES[right] for right in wrong.right} & {*named}


# Squares


def test_each_square_shows_its_result_and_the_best_a_star(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{LOST}?at=4&view=squares&you=X"))
    chips = {
        cell["id"]: cell.select(".chip")[0].get_text() for cell in page.select(".cell:has(.chip)")
    }
    assert chips == {
        "cell-0": "O wins", "cell-3": "draw", "cell-5": "draw", "cell-6": "draw", "cell-8": "draw",
    }  # fmt: skip
    assert [c["id"] for c in page.select(".cell:has(.glyph)")] == ["cell-3", "cell-5", "cell-8"]
    assert told(page) == "Four of five hold the draw Press a square to play on."
    assert page.select(".plus")[0].get_text().endswith("plus is good for X")
    text = [" ".join(row.get_text(" ").split()) for row in page.select(".squares a")]
    holds = "only 1 of O's 4 replies holds: middle right"
    assert text[0] == f"draw middle left ★ 87.5 % against random {holds} 0"
    wins = "only 1 of O's 4 replies wins: bottom right"
    assert text[-1] == f"O wins top left 75 % against random · yours {wins} −6"


def test_a_row_shows_the_line_that_follows_in_pencil_by_number(client: FlaskClient) -> None:
    page = parse(client.get(f"/study/{LOST}?at=4&view=squares&you=X"))
    shown = follow(client, page, "#row-0")
    assert told(shown).startswith("Top left: O wins on move 8")
    numbers = {cell["id"]: cell.select(".glyph")[0].get_text() for cell in shown.select(".next")}
    assert (numbers["cell-0"], numbers["cell-8"], len(numbers)) == ("5", "6", 4)
    assert shown.select("#row-0[aria-current]")
    assert board_on(shown) == board_on(page)


def test_mirror_images_are_marked_as_the_same(client: FlaskClient) -> None:
    page = parse(client.get("/study"))
    assert [row.select("b")[0].get_text() for row in page.select(".squares a")] == [
        "top left ★", "centre", "top centre",
    ]  # fmt: skip
    assert (
        page.select(".squares em:not(.odds)")[0].get_text()
        == "= top right, bottom left and bottom right"
    )


@pytest.mark.long
def test_the_rows_of_every_position_are_those_of_the_textbook(app: Flask) -> None:
    with app.test_request_context():
        for position in EVERY:
            board = str(position)
            found = rows(stand(board, MultiDict()))
            scores = move_scores(board)
            named = [square for row in found for square in (row.why.square, *row.mirrors)]
            assert sorted(named) == sorted(scores)
            looks = [
                {min(textbook.images(children(board)[s])) for s in (row.why.square, *row.mirrors)}
                for row in found
            ]
            assert sum(map(len, looks)) == len(looks) == len(set.union(set(), *looks))
            for row in found:
                move, child = row.why, children(board)[row.why.square]
                assert move.score == scores[move.square]
                winner = turn(board) if move.score > 0 else other(turn(board))
                expected = (winner, 10 - abs(move.score)) if move.score else (None, 0)
                assert move.result == expected
                assert row.of == len(children(child))
                assert row.replies == (holding(child) if row.of else ())
                assert move.chance == textbook.chance_of_best(child)
                assert move.best == tuple(best(board))
                assert bool(move.lines) == (textbook.winner(child) is not None)
            order = [(-row.why.score, -row.why.chance) for row in found]
            assert order == sorted(order)


@pytest.mark.long
def test_every_line_that_follows_is_best_play_to_the_end(app: Flask) -> None:
    with app.test_request_context():
        for position in textbook.one_of_each(textbook.every_board()):
            place = stand(position, MultiDict())
            for square in children(position):
                line = squares_view(place, MultiDict({"line": str(square)}))[1]["line"]
                board = children(position)[line[0]]
                assert line[0] == square
                for answer in line[1:]:
                    assert answer in best(board)
                    board = children(board)[answer]
                assert over(board)


# Setting up


def test_a_press_cycles_a_square_through_x_o_and_empty(client: FlaskClient) -> None:
    page = parse(client.get("/study?set=---------"))
    for board in ("X--------", "O--------", "---------"):
        page = follow(client, page, "#cell-0")
        assert board_on(page) == board
    full = parse(client.get("/study?set=XXXXXXXXX"))
    for square in range(9):
        there = board_on(follow(client, full, f"#cell-{square}"))
        assert [n for n in range(9) if there[n] == "O"] == [square] and len(there) == 9


def test_a_board_that_no_game_reaches_says_why_and_leads_nowhere(client: FlaskClient) -> None:
    response = client.get("/study?set=O--------")
    page = parse(response)
    assert response.status_code == 200
    assert told(page).startswith("No game gets here X moves first and the sides take turns")
    assert [a["href"] for a in page.select("#told a")] == ["/study/X--------"]
    assert not page.select("a.prime")
    assert (
        board_on(follow(client, parse(client.get("/study?set=XO-------")), "a.prime"))
        == "XO-------"
    )
    assert "The game is over here" in told(parse(client.get("/study?set=XXXOO----")))
    assert not parse(client.get("/study?set=XX-------")).select("#told a")


# What must hold


STATES = [
    "/study", f"/study/{LOST}?you=X&difficulty=perfect", f"/study/{LOST}?you=X&answer=3",
    f"/study/{LOST}?at=4&view=squares", "/study/15?view=squares", "/study/01?answer=85",
    "/study?set=XO-------", "/study/X---O----",
]  # fmt: skip


@pytest.mark.parametrize("url", STATES)
def test_a_page_depends_on_its_address_alone_and_is_small(
    app: Flask, client: FlaskClient, url: str
) -> None:
    response = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    assert "Set-Cookie" not in response.headers
    assert len(response.data) < 6000
    assert app.test_client().get(url).text == decompress(response.data).decode()


JUNK = ["00", "048048", "031425", "0123456780", "x", "%00", "9", "-1", "٣", "0" * 1_900, "..", "'"]


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("query", ["", "?view=squares", "?view=tree", "?game=0"])
def test_nonsense_gets_a_400_page_with_the_reason(
    client: FlaskClient, junk: str, query: str
) -> None:
    response = client.get(f"/study/{junk}{query}")
    assert response.status_code in ([400, 404] if junk == ".." else [400])
    assert parse(response).select_one("h1")


# What is said


def sentences(app: Flask) -> Iterator[tuple[str, str]]:
    """Yield what Moves and Squares say of every move and board up to symmetry, and of games."""
    say: Any = app.jinja_env.get_template("study/_words.html").module
    tell: Any = app.jinja_env.get_template("site/_story.html").module
    readers: list[tuple[Mark | None, str | None]]
    readers = [(None, None), ("X", "perfect"), ("O", "random")]
    for game, square in moves_up_to_symmetry():
        where = to_digits((*game, square))
        move = review((*game, square))[-1]
        reason = why(move.position, square)
        held = holding_moves(analyse(move.position))
        yield where, "title: " + say.title(move, reason, None)
        if not move.lowers_the_result:
            for you, level in readers:
                yield where, "why: " + say.reason(reason, move.judgement, move.number, you, level)
            continue
        quiz = ask(move, "")
        yield where, "held: " + say.held(held, reason.choices - 1, move.before > 0)
        if quiz.asks == "reason":
            yield where, "named: " + say.held(held, reason.choices - 1, move.before > 0, True)
        answers = [wrong.allows for wrong in replies(quiz) if wrong.allows]
        for you, _ in readers:
            yield where, "gave: " + say.gave(move.allows, square, move.number, you)
            yield where, "hint: " + say.gave(move.allows, square, move.number, you, False)
            for allows in answers:
                yield where, "not: " + say.why_not(allows, square, move.number + 1, you, False)
                yield where, "not: " + say.why_not(allows, square, move.number + 1, you, True)
    for where in textbook.one_of_each(textbook.every_board()):
        place = stand(where, MultiDict())
        values = squares_view(place, MultiDict())[1]
        outcome, mark = place.position.outcome(), place.position.turn
        held, free, result = (values[name] for name in ("held", "free", "result"))
        yield where, "squares: " + say.squares_title(held, free, result, outcome, mark)
        for row in values["rows"]:
            yield where, "row: " + say.allows(row)
    for game in games_at_random(1000):
        where = to_digits(game)
        for you, level in readers:
            told = story(game, you)
            yield where, "story: " + tell.sentence(told, you)
            if told.is_over and not told.turn:
                yield where, "praise: " + say.praise(told, you, level)


def test_the_story_of_a_practice_game_begins_at_the_board_that_was_placed(
    client: FlaskClient,
) -> None:
    url = "/study/0143268?you=X&difficulty=perfect&placed=2"
    page = parse(client.get(url))  # O top centre, which lost, was placed
    assert text_of(page.select_one("#told h2")) == "Move 7 wins"
    assert page.select(".story svg")[0]["aria-label"] == "You were winning from the start."
    assert [link["id"] for link in page.select(".points a")] == [f"point-{n}" for n in range(2, 8)]
    assert [link["id"] for link in page.select(".moves a")] == [f"move-{n}" for n in range(3, 8)]
    start = parse(client.get(str(page.select("#step-first")[0]["href"])))
    assert text_of(start.select_one("#told h2")) == "The board it began with"
    assert text_of(start.select_one(".steps b")) == "Start"
    assert start.select(".cell:not(.may)")
    assert not start.select(".glyph, .last, #step-back")
    assert parse(client.get(f"{url}&at=0")).select("#told") == start.select("#told")


@pytest.mark.long
def test_each_kind_of_sentence_is_as_last_read(app: Flask) -> None:
    with app.test_request_context():
        assert_as_last_read("study", sentences(app))
