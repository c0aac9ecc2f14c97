"""Challenges: the text about a board, its picture and its preview."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

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
from tests.games import boards_of, one_game_to_each_board
from tests.pages import DAY
from tests.positions import ALL_POSITIONS, CANONICAL, all_or_canonical
from tests.sentences import SNAPSHOTS, assert_sentences_match
from web.view import drawing, invitation
from web.view.drawing import Caption
from web.view.previews import shared_boards
from web.view.words import capitalized

Moves = tuple[int, ...]


def test_questions_about_boards_match_the_textbook_and_the_snapshot() -> None:
    links = {boards_of(linked_opening(moves))[-1] for moves in one_game_to_each_board()} - {
        textbook.EMPTY
    }
    assert len(links) == 16
    for position in all_or_canonical(ALL_POSITIONS):
        board, challenged = str(position), challenge(position)
        scores = textbook.move_scores(board)
        sound_count = len(textbook.sound_moves(board)) if scores else 0
        value = textbook.sign(textbook.minimax(board, textbook.turn(board)))
        assert (challenged.sound_count, challenged.choice_count, challenged.value) == (
            sound_count,
            len(scores),
            value,
        ), board
        assert challenged.is_linked == (board in links)
    sentences = list[tuple[str, str]]()
    for challenged in map(challenge, CANONICAL):
        fact = capitalized(invitation.fact(challenged)) if challenged.choice_count else ""
        headings = f"{invitation.title(challenged)} {invitation.subtitle(challenged)}"
        sentences.append((str(challenged.position), f"{headings} {fact}"))
    assert_sentences_match("challenge", sentences)


def test_a_picture_has_the_text_of_its_board_and_a_mark_in_its_color(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def write(position: Position, words: Caption) -> bytes:
        return repr(tuple(words)).encode()

    monkeypatch.setattr(drawing, "draw_preview", write)
    client = create_app({"SECRET_KEY": KEY}).test_client()
    for board, words in {
        "---------": (None, "I have never lost.", "A draw is the best you can do."),
        "X--------": ("O", "O to move: can you stop me?", "I have never lost."),
        "X---O----": ("X", "X to move: can you stop me?", "I have never lost."),
        str(board_of_day(DAY)): ("X", "X to move: one square wins.", "Can you find it?"),
    }.items():
        assert client.get(f"/picture/{board}.png").data == repr(words).encode()


def test_a_picture_has_at_most_39_colors_and_30_kilobytes(client: FlaskClient) -> None:
    colors = {"X": (27, 85, 181), "O": (184, 58, 10), "-": (255, 253, 249)}
    for board in ("---------", "X--------", "X---O----", *map(str, daily_boards()[:3])):
        response = client.get(f"/picture/{board}.png")
        assert response.mimetype == "image/png"
        assert len(response.data) <= 30_000
        image = Image.open(BytesIO(response.data))
        assert image.size == (1200, 630)
        assert len(image.getcolors() or ()) <= 39
        for square, mark in enumerate(board):
            # The middle of an X, the top of a ring.
            x, y = (149 + 165.6 * at for at in (square % 3, square // 3))
            at = (x, y - 41) if mark == "O" else (x, y)
            pixel = image.convert("RGB").getpixel((round(at[0]), round(at[1])))
            assert isinstance(pixel, tuple)
            assert max(abs(a - b) for a, b in zip(pixel, colors[mark], strict=True)) < 12


def test_the_site_icon_is_drawn_by_the_same_code() -> None:
    kept = Image.open(Path(drawing.__file__).parents[2] / "static" / "icon.png")
    drawn = Image.open(BytesIO(drawing.draw_icon()))
    assert kept.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()


def test_a_picture_is_cached_forever_only_under_its_version(client: FlaskClient) -> None:
    (named,) = parse(client.get("/")).select("[property='og:image']")
    address = str(named["content"]).removeprefix("http://localhost")
    assert address.startswith("/picture/---------.png?v=")
    kept = client.get(address).headers
    assert kept["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get(f"{address}0").headers["Cache-Control"] == "public, max-age=0"
    assert client.get(f"{address}&v=1").headers["Cache-Control"] == "public, max-age=0"


def test_a_picture_is_drawn_once_and_only_for_shared_boards(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = list[Position]()

    def draw(position: Position, _: Caption) -> bytes:
        drawn.append(position)
        return b"drawn"

    monkeypatch.setattr(drawing, "draw_preview", draw)
    client = create_app({"SECRET_KEY": KEY}).test_client()
    for _ in range(2):
        for board in sorted(map(str, shared_boards())):
            assert client.get(f"/picture/{board}.png").data == b"drawn"
    assert len(drawn) == len({*drawn}) == len(shared_boards()) == 161
    assert client.get("/picture/X---O---X.png").status_code == 404
    assert client.get("/picture/hello.png").status_code == 400


def test_previews_show_the_studied_board_or_the_board_of_the_day(client: FlaskClient) -> None:
    for url, board in (("/study/X---O---X", "-" * 9), ("/today", str(board_of_day(DAY)))):
        (image,) = parse(client.get(url)).select("[property='og:image']")
        assert f"/picture/{board}.png?v=" in str(image["content"])


def test_pictures_do_not_cut_off_letters(client: FlaskClient) -> None:
    """No line of text, drawn on a large canvas, has ink outside its own box."""
    for text in ("Égjpqy,", "one square"):
        for size, color in ((drawing.LARGE_FONT, drawing.INK), (drawing.SMALL_FONT, drawing.MUTED)):
            line = drawing._line(text, size, color)
            pen = drawing.Pen.create((line.width + 40, line.height + 40))
            pen.text(20 + drawing.TEXT_PADDING, 20 + line.height / 2 - size / 9, text, size, color)
            ink = ImageChops.difference(pen.image, Image.new("RGB", pen.image.size, drawing.PAPER))
            left, top, right, bottom = ink.getbbox() or (0, 0, 0, 0)
            inside = (left / 2 >= 20, top / 2 >= 20)
            assert all(inside), (text, size)
            assert right / 2 <= 20 + line.width and bottom / 2 <= 20 + line.height, (text, size)


def test_a_picture_matches_its_snapshot(client: FlaskClient) -> None:
    """Both are compared at half the size, at which differences in font hinting disappear.

    X | · | ·
    · | · | ·
    · | · | ·"""
    file = SNAPSHOTS / "preview.png"
    picture = client.get("/picture/X--------.png").data
    if os.environ.get("SNAPSHOT") == "new":
        file.write_bytes(picture)
    current, kept = (
        Image.open(BytesIO(image)).convert("RGB").reduce(2)
        for image in (picture, file.read_bytes())
    )
    difference = ImageChops.difference(current, kept).convert("L").point([0] * 32 + [255] * 224)
    assert difference.histogram()[255] <= 10, "look at it, and rewrite it by SNAPSHOT=new"


def test_shared_links_are_absolute_with_the_configured_or_requested_host(
    monkeypatch: pytest.MonkeyPatch, client: FlaskClient
) -> None:
    monkeypatch.setenv("FLASK_PUBLIC_URL", "https://game.example/")
    for visitor, site in (
        (create_app({"SECRET_KEY": KEY}).test_client(), "https://game.example"),
        (client, "http://other.example"),
    ):
        soup = parse(visitor.get("/", headers={"Host": "other.example"}))
        tags = {str(tag.get("property")): str(tag["content"]) for tag in soup.select("meta")[2:]}
        assert tags["og:url"] == f"{site}/"
        assert tags["og:image"].startswith(f"{site}/picture/---------.png?v=")
        assert tags["og:image:alt"] == "The empty board. I have never lost."


def test_a_cached_page_uses_the_host_of_each_request(client: FlaskClient) -> None:
    for url in ("/learn/words", "/learn/teach"):
        pages = [client.get(url, headers={"Host": host}).text for host in "ab" for _ in range(2)]
        assert pages[0] == pages[1] != pages[2] == pages[3]
        assert pages[0].replace("//a/", "//b/") == pages[2]


LINKS = ("04", "14", "24", "34", "40", "42", "46", "48", "54", "64", "74", "84", "0", "2", "6", "8")


@pytest.mark.parametrize(
    ("was", "sentence"),
    [
        ("", "Someone started here. Can you stop me?"),
        ("lost", "Your friend lost from here. Can you stop me?"),
        ("held", "Your friend got a draw from here. Can you?"),
    ],
)
def test_each_challenge_link_can_earn_a_square(
    client: FlaskClient, was: str, sentence: str
) -> None:
    for moves in LINKS:
        page = client.get(f"/challenge/{moves}", query_string={"was": was} if was else {})
        assert page.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in page.headers
        soup = parse(page)
        board = boards_of(tuple(map(int, moves)))[-1]
        assert board_of(soup) == board
        assert [int(cell["value"]) for cell in soup.select("button.cell")] == [
            *textbook.children(board)
        ]
        assert text_of(soup.select_one("#status")) == sentence
        form = {field["name"]: field["value"] for field in soup.select("form > input")}
        assert form == {"moves": moves} | ({"was": was} if was else {})
        first = SQUARE_NAMES[int(moves[0])]
        square = "the center" if first == "center" else first
        note = "You are O." if len(moves) == 1 else f"Stop me, and {square} is yours."
        assert text_of(soup.select_one(".you small")) == note
        tags = {tag.get("property"): tag.get("content") for tag in soup.select("meta")}
        assert tags["og:title"] == f"{sentence} · Tic-tac-toe"
        assert str(tags["og:image"]).startswith(f"http://localhost/picture/{board}.png?v=")


def test_a_challenge_shows_the_squares_of_both_players(client: FlaskClient, resume: Resume) -> None:
    resume("40", "perfect", earned_bits=0b11)
    before = game_of(client)
    soup = parse(client.get("/challenge/14?was=held&nine=279"))
    own_row, friend_row = soup.select(".two .nine")
    assert own_row["aria-label"] == "2 of 9 squares yours: top left and top center"
    assert (
        friend_row["aria-label"] == "5 of 9 squares your friend’s: "
        "top left, top center, top right, center and bottom right; three in a row"
    )
    assert [text_of(b) for b in soup.select(".two b")] == ["2 of 9", "5 of 9"]
    page = parse(client.get("/challenge/14?was=held&nine=0"))
    assert text_of(page.select_one(".you")) == "2 of 9 You 0 of 9 Your friend"
    page = parse(client.get("/challenge/14?was=held"))
    assert text_of(page.select_one(".you")) == "Your move Top center is already yours."
    second = parse(client.get("/challenge/0?was=held&nine=279"))
    assert not second.select(".two")
    assert (
        second.select(".nine")[0]["aria-label"] == "2 of 9 squares yours: top left and top center"
    )
    assert text_of(second.select_one(".you")) == "Your move You are O."
    assert game_of(client) == before


def test_try_again_returns_to_the_same_challenge(client: FlaskClient) -> None:
    """It does so after a loss that followed a move taken back."""
    sent = "/challenge/04?was=held&nine=273"
    fields = parse(client.get(sent)).select("form > input")
    form = {field["name"]: field["value"] for field in fields}
    client.post("/new", data=form | {"square": "8"})
    client.post("/undo")
    for square in ("8", "3"):
        board = str(game_of(client).position)
        client.post("/move", data={"square": square, "position": board})
    assert parse(client.get("/")).select("#again")[0]["href"] == sent


def test_other_openings_redirect_to_the_nearest_challenge_or_to_the_game(
    client: FlaskClient,
) -> None:
    for moves, leads_to in {
        "": "/", "1": "/", "03142": "/", "4": "/",
        "08": "/challenge/04", "0481": "/challenge/04", "41": "/challenge/40", "48": None,
        "048": "/challenge/0", "6": None,
    }.items():  # fmt: skip
        response = client.get(f"/challenge/{moves}" if moves else "/challenge")
        assert response.headers.get("Location") == leads_to, moves
        assert response.status_code == (302 if leads_to else 200)
    kept = client.get("/challenge/0812?was=held&nine=3").headers["Location"]
    assert kept == "/challenge/04?was=held&nine=3"


def test_starting_a_challenge_starts_a_game_that_counts(
    client: FlaskClient, resume: Resume
) -> None:
    """X | · | ·   The link's X and O, and the square clicked at the lower right.
    · | O | ·
    · | · | X"""
    resume("4", "random", "O")
    for moves, square in (("04", "8"), ("0", "4")):
        form = {"moves": moves, "square": square, "was": "lost"}
        for _ in range(2):  # a repeated click changes nothing
            assert client.post("/new", data=form).headers["Location"] == "/"
            game = game_of(client)
            assert game.counts and (game.link_length, game.friend_result) == (len(moves), "lost")
            assert game.opponent_name == "perfect" and game.human == "XO"[len(moves) % 2]
            assert len(game.moves) == len(moves) + 2
            assert "".join(map(str, game.moves)).startswith(moves + square)
    client.post("/undo")
    game = game_of(client)
    assert (game.moves, game.link_length, game.friend_result) == ((0,), 1, "lost")
    client.post("/undo")
    assert game_of(client).moves != (0,), "the link's own moves must not be taken back"
    client.post("/new", data={"moves": "04", "square": "8"})
    client.post("/new")
    assert (game_of(client).opponent_name, game_of(client).human) == ("random", "O")


def test_every_opening_maps_to_the_nearest_of_16_challenges() -> None:
    games = [
        moves for moves in one_game_to_each_board() if not textbook.is_over(boards_of(moves)[-1])
    ]
    links = {linked_opening(moves) for moves in games}
    assert sorted(links) == [
        *[(), (0,), (0, 4), (1, 4), (2,), (2, 4), (3, 4), (4, 0), (4, 2), (4, 6), (4, 8)],
        *[(5, 4), (6,), (6, 4), (7, 4), (8,), (8, 4)],
    ]
    for moves in games:
        if len(moves) % 2:
            corner = (*moves[:1],) if moves[0] in textbook.best(textbook.EMPTY) else ()
            assert linked_opening(moves) == corner
        elif moves:
            opening = linked_opening(moves)
            best_replies = textbook.best(textbook.children(textbook.EMPTY)[moves[0]])
            assert opening[0] == moves[0] and opening[1] in best_replies
            assert opening == moves[:2] or moves[1] not in best_replies
    assert {linked_opening(moves) for moves in textbook.games_against_perfect("X")} == {()}, (
        "no opening of a finished game may be linked"
    )


def test_a_shared_study_link_never_says_you(
    client: FlaskClient, app: Flask, resume: Resume
) -> None:
    """The link is to the turning point of a lost game; its address is copied from the browser."""
    resume("42170835", "perfect")
    copied = "/study/42170835?you=X&difficulty=perfect"
    own_page = parse(client.get(copied))
    assert text_of(own_page.select_one(".back")) == "‹ Game"
    (field,) = own_page.select(".share textarea")
    line, address = field.get_text().splitlines()
    assert line == "O to move: one square wins."
    assert address == "http://localhost/study/42170835?at=5&view=moves"
    for url in (address.removeprefix("http://localhost"), copied):
        shared_page = app.test_client().get(url)
        for word in ("You were", "‹ Game", "Your"):
            assert word in str(own_page) or word == "Your"
            assert word not in shared_page.text


def test_study_says_you_only_to_the_player_and_is_then_not_cached(
    client: FlaskClient, resume: Resume
) -> None:
    left = {"moves": "0814", "opponent": "random", "human": "X", "set_up": 0}
    for moves, you, says in (
        ("42", "X", True),
        ("4217", "X", True),
        ("08", "X", True),
        ("4213", "X", False),
        ("42", "O", False),
    ):
        resume("4217", "perfect", unfinished=left)
        page = client.get(f"/study/{moves}?you={you}&difficulty=perfect")
        assert (f'You were <b class="{you}"' in page.text) == says
        assert page.headers["Cache-Control"] == "no-store"
        assert page.headers["Vary"].count("Cookie") == 1
