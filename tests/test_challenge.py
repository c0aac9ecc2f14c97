"""Challenges: the text about a board, its picture, its page, and the game that starts there."""

from __future__ import annotations

import os
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image, ImageChops

from app import create_app
from engine.position import SQUARE_NAMES, Position
from teach.challenge import challenge, linked_opening
from teach.today import board_of as board_of_day
from teach.today import daily_boards
from tests import textbook
from tests.conftest import KEY, Resume, board_of, game_of, parse, text_of
from tests.games import Game, boards_of, one_game_to_each_board
from tests.html import Tag
from tests.pages import DAY
from tests.positions import ALL_POSITIONS, CANONICAL, all_or_canonical
from tests.sentences import SNAPSHOTS, assert_sentences_match
from tests.serving import ROOT
from web.view import drawing, invitation
from web.view.drawing import Caption
from web.view.previews import shared_boards
from web.view.words import capitalized

# The challenge of a board


def test_the_facts_of_a_challenge_match_the_textbook() -> None:
    for position in all_or_canonical(ALL_POSITIONS):
        board, facts = str(position), challenge(position)
        scores = textbook.move_scores(board)
        assert facts.sound_count == (len(textbook.sound_moves(board)) if scores else 0), board
        assert facts.choice_count == len(scores), board
        value = textbook.minimax(board, textbook.turn(board))
        assert facts.value == textbook.sign(value), board


def test_only_the_16_boards_of_challenge_links_are_linked() -> None:
    boards = {boards_of(linked_opening(moves))[-1] for moves in one_game_to_each_board()}
    linked_boards = boards - {textbook.EMPTY}
    assert len(linked_boards) == 16
    for position in all_or_canonical(ALL_POSITIONS):
        assert challenge(position).is_linked == (str(position) in linked_boards)


def test_the_sentences_about_every_board_match_the_snapshot() -> None:
    sentences = list[tuple[str, str]]()
    for facts in map(challenge, CANONICAL):
        sentence = capitalized(invitation.fact(facts)) if facts.choice_count else ""
        headings = f"{invitation.title(facts)} {invitation.subtitle(facts)}"
        sentences.append((str(facts.position), f"{headings} {sentence}"))
    assert_sentences_match("challenge", sentences)


# Pictures


def test_a_picture_has_the_text_of_its_board_and_the_mark_to_color(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def caption_as_picture(position: Position, caption: Caption) -> bytes:
        return repr(tuple(caption)).encode()

    monkeypatch.setattr(drawing, "draw_preview", caption_as_picture)
    client = create_app({"SECRET_KEY": KEY}).test_client()
    for board, caption in {
        "---------": (None, "I have never lost.", "A draw is the best you can do."),
        "X--------": ("O", "O to move: can you stop me?", "I have never lost."),
        "X---O----": ("X", "X to move: can you stop me?", "I have never lost."),
        str(board_of_day(DAY)): ("X", "X to move: one square wins.", "Can you find it?"),
    }.items():
        assert client.get(f"/picture/{board}.png").data == repr(caption).encode()


PICTURED_BOARDS = ("---------", "X--------", "X---O----", *map(str, daily_boards()[:3]))


@pytest.mark.parametrize("board", PICTURED_BOARDS)
def test_a_picture_has_at_most_39_colors_and_30_kilobytes(client: FlaskClient, board: str) -> None:
    response = client.get(f"/picture/{board}.png")
    assert response.mimetype == "image/png"
    assert len(response.data) <= 30_000
    image = Image.open(BytesIO(response.data))
    assert image.size == (1200, 630)
    assert len(image.getcolors() or ()) <= 39


@pytest.mark.parametrize("board", PICTURED_BOARDS)
def test_a_picture_shows_each_mark_of_its_board_in_its_color(
    client: FlaskClient, board: str
) -> None:
    colors = {"X": (27, 85, 181), "O": (184, 58, 10), "-": (255, 253, 249)}
    image = Image.open(BytesIO(client.get(f"/picture/{board}.png").data)).convert("RGB")
    for square, mark in enumerate(board):
        row, column = divmod(square, 3)
        x, y = 149 + 165.6 * column, 149 + 165.6 * row  # the middle of the square
        if mark == "O":
            y -= 41  # the top of the ring, which is empty in the middle
        pixel = image.getpixel((round(x), round(y)))
        assert isinstance(pixel, tuple)
        differences = [abs(a - b) for a, b in zip(pixel, colors[mark], strict=True)]
        assert max(differences) < 12


def test_the_site_icon_is_drawn_by_the_same_code() -> None:
    stored = Image.open(ROOT / "static" / "icon.png")
    drawn = Image.open(BytesIO(drawing.draw_icon()))
    assert stored.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()


def test_a_picture_is_cached_forever_only_under_its_version(client: FlaskClient) -> None:
    (image,) = parse(client.get("/")).select("[property='og:image']")
    address = str(image["content"]).removeprefix("http://localhost")
    assert address.startswith("/picture/---------.png?v=")
    one_year = "public, max-age=31536000, immutable"
    assert client.get(address).headers["Cache-Control"] == one_year
    assert client.get(f"{address}0").headers["Cache-Control"] == "public, max-age=0"
    assert client.get(f"{address}&v=1").headers["Cache-Control"] == "public, max-age=0"


def test_a_picture_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_positions = list[Position]()

    def draw(position: Position, _: Caption) -> bytes:
        drawn_positions.append(position)
        return b"drawn"

    monkeypatch.setattr(drawing, "draw_preview", draw)
    client = create_app({"SECRET_KEY": KEY}).test_client()
    for _ in range(2):
        for board in sorted(map(str, shared_boards())):
            assert client.get(f"/picture/{board}.png").data == b"drawn"
    assert len(drawn_positions) == len({*drawn_positions}) == len(shared_boards()) == 161


def test_a_picture_of_a_board_that_is_not_shared_is_refused(client: FlaskClient) -> None:
    assert client.get("/picture/X---O---X.png").status_code == 404
    assert client.get("/picture/hello.png").status_code == 400


def test_the_preview_of_study_is_the_empty_board_and_of_today_its_board(
    client: FlaskClient,
) -> None:
    for url, board in (("/study/X---O---X", "-" * 9), ("/today", str(board_of_day(DAY)))):
        (image,) = parse(client.get(url)).select("[property='og:image']")
        assert f"/picture/{board}.png?v=" in str(image["content"])


@pytest.mark.parametrize("text", ["Égjpqy,", "one square"])
@pytest.mark.parametrize(
    ("size", "color"),
    [(drawing.LARGE_FONT, drawing.INK), (drawing.SMALL_FONT, drawing.MUTED)],
)
def test_pictures_do_not_cut_off_letters(text: str, size: int, color: str) -> None:
    """A line of text, drawn with a margin around its box, has no ink outside the box."""
    margin = 20
    box = drawing._line(text, size, color)
    pen = drawing.Pen.create((box.width + 2 * margin, box.height + 2 * margin))
    x, y = margin + drawing.TEXT_PADDING, margin + box.height / 2 - size / 9
    pen.text(x, y, text, size, color)
    paper = Image.new("RGB", pen.image.size, drawing.PAPER)
    ink = ImageChops.difference(pen.image, paper).getbbox()
    assert ink
    left, top, right, bottom = (edge / drawing.SCALE for edge in ink)
    assert left >= margin and right <= margin + box.width
    assert top >= margin and bottom <= margin + box.height


def test_a_picture_matches_its_snapshot(client: FlaskClient) -> None:
    """The picture shows this board:

    X | · | ·
    · | · | ·
    · | · | ·"""
    file = SNAPSHOTS / "preview.png"
    picture = client.get("/picture/X--------.png").data
    if os.environ.get("SNAPSHOT") == "new":
        file.write_bytes(picture)
    # At half the size, differences in font hinting disappear.
    current, stored = (
        Image.open(BytesIO(image)).convert("RGB").reduce(2)
        for image in (picture, file.read_bytes())
    )
    difference = ImageChops.difference(current, stored).convert("L")
    different_pixel_count = sum(difference.histogram()[32:])  # by at least 32 of 255
    assert different_pixel_count <= 10, "look at it, and rewrite it by SNAPSHOT=new"


# Links


def test_shared_links_are_absolute_with_the_configured_or_requested_host(
    monkeypatch: pytest.MonkeyPatch, client: FlaskClient
) -> None:
    monkeypatch.setenv("FLASK_PUBLIC_URL", "https://game.example/")
    client_of_configured_site = create_app({"SECRET_KEY": KEY}).test_client()
    for site_client, site in (
        (client_of_configured_site, "https://game.example"),
        (client, "http://other.example"),
    ):
        soup = parse(site_client.get("/", headers={"Host": "other.example"}))
        tags = {str(tag.get("property")): str(tag["content"]) for tag in soup.select("meta")[2:]}
        assert tags["og:url"] == f"{site}/"
        assert tags["og:image"].startswith(f"{site}/picture/---------.png?v=")
        assert tags["og:image:alt"] == "The empty board. I have never lost."


def test_a_cached_page_uses_the_host_of_each_request(client: FlaskClient) -> None:
    for url in ("/learn/words", "/learn/teach"):
        page_a, cached_a, page_b, cached_b = (
            client.get(url, headers={"Host": host}).text for host in ("a", "a", "b", "b")
        )
        assert page_a == cached_a != page_b == cached_b
        assert page_a.replace("//a/", "//b/") == page_b


# Challenge pages


# The moves in the address of each challenge.
LINKED_OPENINGS = "04 14 24 34 40 42 46 48 54 64 74 84 0 2 6 8".split()

RESULT_SENTENCES = {  # by the friend's result
    "": "Someone started here. Can you stop me?",
    "lost": "Your friend lost from here. Can you stop me?",
    "held": "Your friend got a draw from here. Can you?",
}
all_challenges = pytest.mark.parametrize(
    ("moves", "was"), [(moves, was) for was in RESULT_SENTENCES for moves in LINKED_OPENINGS]
)


def challenge_page(client: FlaskClient, moves: str, was: str) -> Tag:
    """Return the page of a challenge; `was` is the friend's result, or empty."""
    return parse(client.get(f"/challenge/{moves}", query_string={"was": was} if was else {}))


@all_challenges
def test_a_challenge_is_neither_stored_nor_changes_the_cookie(
    client: FlaskClient, moves: str, was: str
) -> None:
    headers = client.get(f"/challenge/{moves}", query_string={"was": was} if was else {}).headers
    assert headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in headers


@all_challenges
def test_a_challenge_shows_its_board_and_can_be_played_on_each_empty_square(
    client: FlaskClient, moves: str, was: str
) -> None:
    page = challenge_page(client, moves, was)
    board = boards_of(tuple(map(int, moves)))[-1]
    assert board_of(page) == board
    squares = [int(cell["value"]) for cell in page.select("button.cell")]
    assert squares == [*textbook.children(board)]
    form = {field["name"]: field["value"] for field in page.select("form > input")}
    assert form == {"moves": moves} | ({"was": was} if was else {})


@all_challenges
def test_a_challenge_says_how_the_friend_did_and_which_square_is_at_stake(
    client: FlaskClient, moves: str, was: str
) -> None:
    page = challenge_page(client, moves, was)
    assert text_of(page.select_one("#status")) == RESULT_SENTENCES[was]
    first = SQUARE_NAMES[int(moves[0])]
    square = "the center" if first == "center" else first
    note = "You are O." if len(moves) == 1 else f"Stop me, and {square} is yours."
    assert text_of(page.select_one(".you small")) == note


@all_challenges
def test_the_preview_of_a_challenge_has_its_sentence_and_board(
    client: FlaskClient, moves: str, was: str
) -> None:
    page = challenge_page(client, moves, was)
    tags = {tag.get("property"): tag.get("content") for tag in page.select("meta")}
    assert tags["og:title"] == f"{RESULT_SENTENCES[was]} · Tic-tac-toe"
    board = boards_of(tuple(map(int, moves)))[-1]
    assert str(tags["og:image"]).startswith(f"http://localhost/picture/{board}.png?v=")


TWO_SQUARES = "2 of 9 squares yours: top left and top center"


@pytest.fixture
def two_squares(client: FlaskClient, resume: Resume) -> None:
    """Give the client a game in which top left and top center are earned."""
    resume("40", "perfect", earned_bits=0b11)


@pytest.mark.usefixtures("two_squares")
def test_a_challenge_shows_the_squares_of_both_players(client: FlaskClient) -> None:
    page = parse(client.get("/challenge/14?was=held&nine=279"))
    own_row, friend_row = page.select(".two .nine")
    assert own_row["aria-label"] == TWO_SQUARES
    assert (
        friend_row["aria-label"] == "5 of 9 squares your friend’s: "
        "top left, top center, top right, center and bottom right; three in a row"
    )
    assert [text_of(count) for count in page.select(".two b")] == ["2 of 9", "5 of 9"]


@pytest.mark.usefixtures("two_squares")
def test_a_challenge_shows_a_friend_without_squares(client: FlaskClient) -> None:
    page = parse(client.get("/challenge/14?was=held&nine=0"))
    assert text_of(page.select_one(".you")) == "2 of 9 You 0 of 9 Your friend"


@pytest.mark.usefixtures("two_squares")
def test_a_challenge_without_the_friends_squares_says_if_its_square_is_earned(
    client: FlaskClient,
) -> None:
    page = parse(client.get("/challenge/14?was=held"))
    assert text_of(page.select_one(".you")) == "Your move Top center is already yours."


@pytest.mark.usefixtures("two_squares")
def test_a_challenge_as_o_does_not_show_the_friends_squares(client: FlaskClient) -> None:
    page = parse(client.get("/challenge/0?was=held&nine=279"))
    assert not page.select(".two")
    assert page.select(".nine")[0]["aria-label"] == TWO_SQUARES
    assert text_of(page.select_one(".you")) == "Your move You are O."


@pytest.mark.usefixtures("two_squares")
def test_looking_at_a_challenge_changes_no_game(client: FlaskClient) -> None:
    before = game_of(client)
    for address in ("14?was=held&nine=279", "14?was=held", "0?was=held&nine=279"):
        client.get(f"/challenge/{address}")
    assert game_of(client) == before


def test_try_again_returns_to_the_same_challenge(client: FlaskClient) -> None:
    """The game was lost after a move was taken back."""
    address = "/challenge/04?was=held&nine=273"
    fields = parse(client.get(address)).select("form > input")
    form = {field["name"]: field["value"] for field in fields}
    client.post("/new", data=form | {"square": "8"})
    client.post("/undo")
    for square in ("8", "3"):
        board = str(game_of(client).position)
        client.post("/move", data={"square": square, "position": board})
    assert parse(client.get("/")).select("#again")[0]["href"] == address


def test_other_openings_redirect_to_the_nearest_challenge_or_to_the_game(
    client: FlaskClient,
) -> None:
    for moves, location in {
        "": "/", "1": "/", "03142": "/", "4": "/",
        "08": "/challenge/04", "0481": "/challenge/04", "41": "/challenge/40", "48": None,
        "048": "/challenge/0", "6": None,
    }.items():  # fmt: skip
        response = client.get(f"/challenge/{moves}" if moves else "/challenge")
        assert response.headers.get("Location") == location, moves
        assert response.status_code == (302 if location else 200)


def test_a_redirect_to_a_challenge_keeps_what_the_friend_did(client: FlaskClient) -> None:
    location = client.get("/challenge/0812?was=held&nine=3").headers["Location"]
    assert location == "/challenge/04?was=held&nine=3"


# Playing a challenge


@pytest.mark.parametrize(("moves", "square"), [("04", "8"), ("0", "4")])
def test_starting_a_challenge_starts_a_game_that_counts(
    client: FlaskClient, resume: Resume, moves: str, square: str
) -> None:
    """X | · | ·   The link's X and O, and the square clicked at the lower right.
    · | O | ·
    · | · | X"""
    resume("4", "random", "O")
    form = {"moves": moves, "square": square, "was": "lost"}
    assert client.post("/new", data=form).headers["Location"] == "/"
    game = game_of(client)
    assert game.counts and (game.link_length, game.friend_result) == (len(moves), "lost")
    assert game.opponent_name == "perfect" and game.human == "XO"[len(moves) % 2]
    assert len(game.moves) == len(moves) + 2  # the square clicked and a reply
    assert "".join(map(str, game.moves)).startswith(moves + square)


@pytest.mark.parametrize(("moves", "square"), [("04", "8"), ("0", "4")])
def test_a_second_click_that_starts_a_challenge_changes_nothing(
    client: FlaskClient, moves: str, square: str
) -> None:
    form = {"moves": moves, "square": square, "was": "lost"}
    client.post("/new", data=form)
    game = game_of(client)
    assert client.post("/new", data=form).headers["Location"] == "/"
    assert game_of(client) == game


def test_taking_back_stops_at_the_moves_of_the_link_then_goes_back_to_the_unfinished_game(
    client: FlaskClient,
) -> None:
    client.post("/new", data={"moves": "04", "square": "8"})
    unfinished_moves = game_of(client).moves
    client.post("/new", data={"moves": "0", "square": "4", "was": "lost"})
    client.post("/undo")
    game = game_of(client)
    assert (game.moves, game.link_length, game.friend_result) == ((0,), 1, "lost")
    client.post("/undo")
    assert game_of(client).moves == unfinished_moves


def test_a_new_game_after_a_challenge_has_the_opponent_and_the_mark_from_before(
    client: FlaskClient, resume: Resume
) -> None:
    resume("4", "random", "O")
    client.post("/new", data={"moves": "04", "square": "8"})
    client.post("/new")
    assert (game_of(client).opponent_name, game_of(client).human) == ("random", "O")


# Openings


def unfinished_openings() -> list[Game]:
    """Return a game to each unfinished board."""
    games = one_game_to_each_board()
    return [moves for moves in games if not textbook.is_over(boards_of(moves)[-1])]


def test_every_opening_maps_to_one_of_16_challenges_or_to_none() -> None:
    challenges = {linked_opening(moves) for moves in unfinished_openings()}
    assert challenges == {(), *(tuple(map(int, moves)) for moves in LINKED_OPENINGS)}
    assert len(LINKED_OPENINGS) == 16


def test_with_o_to_move_the_challenge_is_the_corner_that_the_game_began_in() -> None:
    for moves in unfinished_openings():
        if len(moves) % 2:
            is_corner = moves[0] in textbook.best(textbook.EMPTY)
            assert linked_opening(moves) == (moves[:1] if is_corner else ())


def test_with_x_to_move_the_challenge_keeps_the_first_move_and_if_it_is_best_the_reply() -> None:
    for moves in unfinished_openings():
        if moves and len(moves) % 2 == 0:
            first_move, reply = linked_opening(moves)
            best_replies = textbook.best(textbook.children(textbook.EMPTY)[moves[0]])
            assert first_move == moves[0] and reply in best_replies
            assert reply == moves[1] or moves[1] not in best_replies


def test_a_finished_game_has_no_challenge() -> None:
    finished_games = textbook.games_against_perfect("X")
    assert {linked_opening(moves) for moves in finished_games} == {()}


# Links to Study


def test_a_shared_study_link_never_says_you(
    client: FlaskClient, app: Flask, resume: Resume
) -> None:
    """The link is to the turning point of a lost game; its address is copied from the browser."""
    resume("42170835", "perfect")
    copied_url = "/study/42170835?you=X&difficulty=perfect"
    own_page = parse(client.get(copied_url))
    (field,) = own_page.select(".share textarea")
    line, address = field.get_text().splitlines()
    assert line == "O to move: one square wins."
    assert address == "http://localhost/study/42170835?at=5&view=moves"
    assert "You were" in str(own_page)
    assert text_of(own_page.select_one(".back")) == "‹ Game"
    for url in (address.removeprefix("http://localhost"), copied_url):
        friends_page = app.test_client().get(url).text
        for phrase in ("You were", "‹ Game", "Your"):
            assert phrase not in friends_page


@pytest.mark.parametrize(
    ("moves", "you", "says_you"),
    [
        ("42", "X", True),
        ("4217", "X", True),
        ("08", "X", True),  # the unfinished game
        ("4213", "X", False),
        ("42", "O", False),
    ],
)
def test_study_says_you_only_to_the_player_of_a_game_and_is_never_stored(
    client: FlaskClient, resume: Resume, moves: str, you: str, says_you: bool
) -> None:
    unfinished = {"moves": "0814", "opponent": "random", "human": "X", "set_up": 0}
    resume("4217", "perfect", unfinished=unfinished)
    page = client.get(f"/study/{moves}?you={you}&difficulty=perfect")
    assert (f'You were <b class="{you}"' in page.text) == says_you
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["Vary"].count("Cookie") == 1
