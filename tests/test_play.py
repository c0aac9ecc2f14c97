"""The game page: what it shows, what a click sends, and that no move is lost or repeated."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.position import Mark
from tests import textbook
from tests.conftest import (
    CELL_IDS,
    HTMX,
    Resume,
    ScriptedRandom,
    board_of,
    game_of,
    parse,
    status_of,
)
from tests.html import Tag
from tests.sentences import assert_matches_snapshot, board_text, part_text
from web.http import compression
from web.play.cookie import stamp, to_dict
from web.play.game import Game
from web.play.squares import ALL_NINE

EMPTY = "---------"
OpenGame = Callable[..., Tag]


@pytest.fixture
def open_game(client: FlaskClient, resume: Resume) -> OpenGame:
    """A function that saves a game in the session and returns the game page.

    The session then has no finished screens of the lesson.
    """

    def save_and_open(**saved_game: Any) -> Tag:
        resume(**saved_game)
        with client.session_transaction() as session:
            session["done"] = ""
        return parse(client.get("/"))

    return save_and_open


def parts_sent(client: FlaskClient, url: str, **data: str) -> dict[str, str]:
    """Post as htmx does; return the HTML of each part of the fragment by its id."""
    response = client.post(url, data=data, headers=HTMX)
    assert response.status_code == 200
    parts = parse(response).select_children("*")
    assert all("data-hx-swap-oob" in part.attrs or part.name == "title" for part in parts)
    html_by_id = {part_id(part): str(part) for part in parts}
    assert len(html_by_id) == len(parts)
    return html_by_id


def page_parts(page: Tag) -> dict[str, str]:
    """Return the HTML of each part of a page that a fragment can replace, by its id."""
    return {part_id(part): str(part) for part in page.select("[data-hx-swap-oob], title")}


def part_id(part: Any) -> str:
    """Return the id of a part; the title has none, as htmx swaps it by itself."""
    return str(part.get("id", part.name))


# The page


def test_a_new_visitor_gets_an_empty_board_and_no_cookie(client: FlaskClient) -> None:
    response = client.get("/")
    assert (response.status_code, board_of(parse(response))) == (200, EMPTY)
    assert "Set-Cookie" not in response.headers


def game(moves: str, opponent: str = "random", human: str = "X", **more: Any) -> dict[str, Any]:
    """Return the arguments of `resume` and `open_game` for a game."""
    return {"moves": moves, "opponent": opponent, "human": human, **more}


WON, LOST, DRAWN = game("03142"), game("42170835", "perfect"), game("421735806", "perfect")
COUNTED: dict[str, Any] = {"tallies": [["random", 1, 2]]}
UNFINISHED = {"moves": "408", "opponent": "perfect", "human": "O", "set_up": 0}
SOME_EARNED = 0b1_0001_0011  # top left, top center, center and bottom right
CHALLENGE_AS_O = game("048", "perfect", "O", link=1, was="lost", before=["random", "X"])
CHALLENGE_AS_X = game("04", "perfect", link=2, was="lost")
GAMES = [
    # Before the first move: with some or all squares earned, as O, with an unfinished game.
    game(""), game("", **COUNTED), game("", "perfect"),
    game("", "perfect", earned_bits=SOME_EARNED), game("", "perfect", earned_bits=ALL_NINE),
    game("4", human="O"),
    game("0", "perfect", "O", earned_bits=SOME_EARNED), game("", unfinished=UNFINISHED),
    # In play: with a hint or results, after help, set up, in a challenge.
    game("04"), game("04", **COUNTED), game("408", human="O"), game("0412", "perfect"),
    game("0412", "perfect", earned_bits=SOME_EARNED),
    game("408", "perfect", "O", earned_bits=SOME_EARNED),
    game("4217", "perfect", hint="danger"), game("4217", "perfect", hint="results"),
    game("04", "perfect", hint="results"), game("0412", "perfect", helped="hint"),
    game("01", set_up=2),
    game("0148", "perfect", set_up=2), game("0", "perfect", "O", set_up=1),
    game("4217", "perfect", set_up=4),
    game("5408", "perfect", set_up=1), CHALLENGE_AS_X, CHALLENGE_AS_X | {"moves": "0481"},
    # Won: with two lines at once, from a board set up.
    WON, WON | COUNTED, game("012365874"), game("031485", human="O"), WON | {"set_up": 2},
    game("0148623", "perfect", set_up=2),
    # Lost: to an open line, to a fork, slowly, for the second and third time, from a lost board.
    game("048137", "perfect"), LOST, game("46718053", "perfect"), game("147028", "perfect"),
    LOST | {"losing_streak": 1}, LOST | {"losing_streak": 2}, LOST | {"set_up": 4},
    LOST | {"set_up": 5},
    LOST | {"opponent": "random"}, game("04356", "perfect", "O"), WON | {"human": "O"},
    CHALLENGE_AS_X | {"moves": "048137"},
    # Drawn: the first square, another, one again, the last; with help; set up; a challenge.
    DRAWN, DRAWN | {"earned_bits": SOME_EARNED & ~(1 << 4)}, DRAWN | {"earned_bits": SOME_EARNED},
    DRAWN | {"earned_bits": ALL_NINE & ~(1 << 4)}, DRAWN | {"helped": "hint"},
    DRAWN | {"opponent": "random"},
    DRAWN | {"set_up": 2}, game("012436587"), game("041263578", "perfect", "O"),
    CHALLENGE_AS_X | {"moves": "048176253"},
]  # fmt: skip


def heading_of(saved_game: dict[str, Any]) -> str:
    """Return the heading of a game in a snapshot: its values."""
    return ", ".join(map(str, saved_game.values()))


def test_the_page_of_every_kind_of_game_matches_the_snapshot(open_game: OpenGame) -> None:
    snapshot = ""
    for saved_game in GAMES:
        page = open_game(**saved_game)
        texts = [
            board_text(page),
            *map(part_text, page.select("title, #status, #you, #badge, #onward")),
            " ".join(square["class"] for square in page.select("#you rect")),
        ]
        snapshot += "\n    ".join([heading_of(saved_game), *filter(None, texts)]) + "\n"
    assert_matches_snapshot("play", snapshot)


def test_the_game_page_links_only_to_why_today_and_the_challenge(open_game: OpenGame) -> None:
    pages = [open_game(**saved_game) for saved_game in GAMES]
    links = {link["href"] for page in pages for link in page.select("main a")}
    assert links == {"/why", "/today", "/challenge/04?was=lost"}


def test_the_why_page_of_every_kind_of_game_matches_the_snapshot(
    client: FlaskClient, resume: Resume
) -> None:
    """Before the human has moved there is nothing to explain: the page redirects to the game."""
    snapshot = ""
    for saved_game in GAMES:
        resume(**saved_game)
        response = client.get("/why")
        if response.status_code == 302:
            assert response.location == "/" and not game_of(client).has_moved
            continue
        page = parse(response)
        texts = [board_text(page), *map(part_text, page.select(".status, .story, .onward"))]
        snapshot += "\n    ".join([heading_of(saved_game), *texts]) + "\n"
    assert_matches_snapshot("why", snapshot)


def test_every_link_of_the_why_page_leads_to_a_page(client: FlaskClient, resume: Resume) -> None:
    for saved_game in GAMES:
        resume(**saved_game)
        response = client.get("/why")
        if response.status_code != 302:
            for link in parse(response).select("main a"):
                assert client.get(link["href"]).status_code == 200


def test_the_opponents_face_shows_how_the_game_is_going(open_game: OpenGame) -> None:
    saved_games = (game("04", "perfect"), LOST, DRAWN, game("04"), WON)
    faces = [str(open_game(**saved_game).select("#face")[0]) for saved_game in saved_games]
    assert len({*faces}) == len(faces)


# For a game, the most visible elements and words of its page.
PAGE_LIMITS = [
    (game("", "perfect"), 48, 32),
    (game("", "perfect", earned_bits=SOME_EARNED), 59, 25),
    (game("0412", "perfect", earned_bits=SOME_EARNED), 46, 19),
    (game("048137", "perfect"), 34, 12),
    (game("048137", "perfect", losing_streak=1), 34, 15),
    (game("048176253", "perfect"), 52, 13),
    (game("048176253", "perfect", earned_bits=ALL_NINE - 1), 61, 10),
    (game("02864"), 31, 12),
]


@pytest.mark.parametrize(("saved_game", "max_elements", "max_words"), PAGE_LIMITS, ids=str)
def test_the_game_page_has_few_elements_and_words(
    open_game: OpenGame, saved_game: dict[str, Any], max_elements: int, max_words: int
) -> None:
    page = open_game(**saved_game)
    for invisible in page.select("[hidden], .unseen, .sheet, .share i"):
        invisible.remove()
    (form,) = page.select("#game")
    visible = [tag for tag in form.select("*") if tag.name not in ("input", "link")]
    assert len(visible) <= max_elements
    assert len(form.get_text(" ").split()) <= max_words


# Fragments

# Controls other than squares; Perfect is the current opponent.
OTHER_CONTROLS = [
    ("/undo", {}),
    ("/new", {"difficulty": "perfect"}),
    ("/hint", {"hint": "danger"}),
]

# By name: a game, the address that a click posts to, and the form. A snapshot has the responses.
MOVE = "/move"
CLICKS: dict[str, tuple[dict[str, Any], str, dict[str, str]]] = {
    "a first move": (game(""), MOVE, {"square": "8"}),
    "an ordinary move": (game("04"), MOVE, {"square": "8"}),
    "a move that wins": (game("0314"), MOVE, {"square": "2"}),
    "a move that loses": (game("421708", "perfect"), MOVE, {"square": "3"}),
    "a ninth square that draws": (game("04217358", "perfect"), MOVE, {"square": "6"}),
    "a first move as O": (game("4", "perfect", "O"), MOVE, {"square": "0"}),
    "a taken square": (game("04"), MOVE, {"square": "4"}),
    "a square of one's own": (game("04"), MOVE, {"square": "0"}),
    "a move after the end": (game("03142"), MOVE, {"square": "8"}),
    "a first move sent again": (game("04"), MOVE, {"square": "0", "position": EMPTY}),
    "a move sent again": (game("0814"), MOVE, {"square": "1", "position": "X-------O"}),
    "a move after a hint": (game("4217", "perfect", hint="danger"), MOVE, {"square": "8"}),
    "a new game": (game("0418"), "/new", {}),
    "a new game as before": (game("408", human="O"), "/new", {}),
    "a new game after the end": (game("03142"), "/new", {}),
    "a new game as O": (game(""), "/new", {"mark": "O"}),
    "a new game as X": (game("4", human="O"), "/new", {"mark": "X"}),
    "a new opponent": (game("0418"), "/new", {"difficulty": "perfect"}),
    "the same opponent": (game("04"), "/new", {"difficulty": "random"}),
    "the same mark": (game("04", unfinished=UNFINISHED), "/new", {"mark": "X"}),
    "the same of both": (game("04"), "/new", {"difficulty": "random", "mark": "X"}),
    "a second loss": (game("0481", "perfect", losing_streak=1), MOVE, {"square": "3"}),
    "a retry": (LOST, "/new", {"moves": "4217", "fresh": "on"}),
    "a practice game that ends at once": (game(""), "/new", {"moves": "0142", "mark": "O"}),
    "a practice game": (game("04"), "/new", {"moves": "4217", "mark": "X"}),
    "a challenge": (game("04"), "/new", {"moves": "0", "square": "4"}),
    "a challenge after the end": (WON, "/new", {"moves": "0", "square": "4"}),
    "a challenge sent again": (CHALLENGE_AS_O, "/new", {"moves": "0", "square": "4"}),
    "another square of a challenge": (CHALLENGE_AS_O, "/new", {"moves": "0", "square": "8"}),
    "another challenge": (CHALLENGE_AS_O, "/new", {"moves": "8", "square": "4"}),
    "a challenge taken back": (CHALLENGE_AS_O, "/undo", {}),
    "a retry in a challenge": (CHALLENGE_AS_O, "/new", {"moves": "04"}),
    "a new game after a challenge": (CHALLENGE_AS_O, "/new", {}),
    "a new opponent after a challenge":
        (CHALLENGE_AS_O, "/new", {"difficulty": "perfect", "fresh": "on"}),
    "the other mark": (DRAWN, "/new", {"mark": "O"}),
    "a take back": (game("0418"), "/undo", {}),
    "a take back of a first move": (game("04", "perfect"), "/undo", {}),
    "a take back of the end": (game("03142"), "/undo", {}),
    "a take back with nothing to take": (game("4", human="O"), "/undo", {}),
    "back to the game before": (game("", unfinished=UNFINISHED), "/undo", {}),
    "a hint": (game("4217", "perfect"), "/hint", {"hint": "danger"}),
    "all results": (game("4217", "perfect", hint="danger"), "/hint", {"hint": "results"}),
    "no hint": (game("0314"), "/hint", {"hint": "off"}),
    "a hint after the end": (game("03142"), "/hint", {"hint": "danger"}),
    **{f"{url} on a page left behind": (game("04", "perfect"), url, {"position": EMPTY, **form})
       for url, form in [("/move", {"square": "8"}), *OTHER_CONTROLS]},
    **{f"{url} on an older page of this board": (game("04"), url, {"stamp": "older", **form})
       for url, form in [("/move", {"square": "8"}), *OTHER_CONTROLS]},
}  # fmt: skip


class ClickResult(NamedTuple):
    """What a click does with htmx, and what the same click does without."""

    old_game: Game
    old_parts: dict[str, str]  # the HTML of each part of the page before the click, by its id
    sent_parts: dict[str, str]  # the HTML of each part of the fragment, by its id
    new_game: Game
    game_without_htmx: Game
    page_without_htmx: Tag
    is_stale: bool  # whether the click came from an older page than the current one


@pytest.fixture
def click(client: FlaskClient, open_game: OpenGame) -> Callable[[str], ClickResult]:
    """A function that makes a click of CLICKS twice, with htmx and without."""

    def click_twice(name: str) -> ClickResult:
        saved_game, url, form = CLICKS[name]
        old_parts, old_game = page_parts(open_game(**saved_game)), game_of(client)
        page_fields = {"position": str(old_game.position), "stamp": stamp(old_game)}
        form = form if "position" in form else page_fields | form
        sent_parts, new_game = parts_sent(client, url, **form), game_of(client)

        open_game(**saved_game)
        response = client.post(url, data=form)
        assert response.status_code == 303
        page_without_htmx = parse(client.get(response.headers["Location"]))
        is_stale = not page_fields.items() <= form.items()
        return ClickResult(
            old_game=old_game,
            old_parts=old_parts,
            sent_parts=sent_parts,
            new_game=new_game,
            game_without_htmx=game_of(client),
            page_without_htmx=page_without_htmx,
            is_stale=is_stale,
        )

    return click_twice


@pytest.mark.parametrize("name", CLICKS)
def test_a_click_sends_the_status_and_only_what_changed(
    click: Callable[[str], ClickResult], name: str
) -> None:
    """An older page than the current one gets every part."""
    result = click(name)
    sent, parts = result.sent_parts, page_parts(result.page_without_htmx)
    changed = {part for part in parts if result.is_stale or parts[part] != result.old_parts[part]}
    assert set(sent) == changed | {"status"}
    assert all(sent[part] == parts[part] for part in changed - {"status"})


@pytest.mark.parametrize("name", CLICKS)
def test_a_click_without_htmx_leads_to_the_same_game_and_status(
    click: Callable[[str], ClickResult], name: str
) -> None:
    result = click(name)
    assert result.game_without_htmx == result.new_game
    sent_status = Tag.parse(result.sent_parts["status"]).get_text()
    assert status_of(result.page_without_htmx) == sent_status


def test_what_each_click_sends_says_and_saves_matches_the_snapshot(
    click: Callable[[str], ClickResult],
) -> None:
    snapshot = ""
    for name in CLICKS:
        result = click(name)
        sent, old_values = result.sent_parts, to_dict(result.old_game)
        changed_values = {
            field: value
            for field, value in to_dict(result.new_game).items()
            if value != old_values[field]
        }
        part_names = "everything" if set(sent) >= set(result.old_parts) else " ".join(sorted(sent))
        status = part_text(result.page_without_htmx.select("#status")[0])
        lines = [name, f"sent: {part_names}", f"said: {status}", f"game: {changed_values}"]
        snapshot += "\n    ".join(lines) + "\n"
    assert_matches_snapshot("clicks", snapshot)


def test_a_browser_that_blocks_cookies_is_told(app: Flask) -> None:
    client = app.test_client(use_cookies=False)
    for url, form in [("/move", {"square": "1"}), *OTHER_CONTROLS]:
        client.post("/move", data={"square": "0", "position": EMPTY})
        form = {"position": "X---O----", **form}
        assert "without cookies" in parts_sent(client, url, **form)["status"]
        response = client.post(url, data=form)
        assert "without cookies" in status_of(parse(client.get(response.location)))


@pytest.mark.parametrize(
    ("coding", "decompress"), [("br", brotli.decompress), ("gzip", gzip.decompress)]
)
def test_only_long_fragments_are_compressed(
    client: FlaskClient, coding: str, decompress: Callable[[bytes], bytes]
) -> None:
    headers = {**HTMX, "Accept-Encoding": coding}
    client.post("/move", data={"square": "0", "position": EMPTY})
    form = {"square": "8", "position": str(game_of(client).position)}
    assert "Content-Encoding" not in client.post("/move", data=form, headers=headers).headers
    response = client.post("/new", data={"position": EMPTY}, headers=headers)
    assert response.headers["Content-Encoding"] == coding
    assert len(decompress(response.data)) > len(response.data)


def test_fragments_are_compressed_less_and_so_faster_than_pages(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    qualities = []

    def compress(content: bytes, quality: int, lgwin: int) -> bytes:
        qualities.append(quality)
        return bytes(brotli.compress(content, quality=quality, lgwin=lgwin))

    monkeypatch.setattr(compression, "brotli", SimpleNamespace(compress=compress))
    client.post("/move", data={"square": "0", "position": EMPTY})
    fragment_headers = {**HTMX, "Accept-Encoding": "br"}
    client.post("/new", data={"position": EMPTY}, headers=fragment_headers)
    client.get("/", headers={"Accept-Encoding": "br"})
    fragment_quality, page_quality = qualities
    assert fragment_quality < page_quality


def test_pages_have_no_blank_lines_or_indents_from_template_tags(client: FlaskClient) -> None:
    for url in ("/", "/study/04", "/study/X---O----", "/proof", "/nowhere"):
        for line in client.get(url).text.splitlines():
            assert line.strip() and not line.startswith("   "), line


# Without JavaScript


def test_a_notice_is_shown_only_with_its_own_game(client: FlaskClient, resume: Resume) -> None:
    resume("04")
    url_with_notice = client.post("/undo").headers["Location"]
    assert "As you like." in status_of(parse(client.get(url_with_notice)))
    for url in ("/?notice=undone", f"/?notice=<b>hello</b>&stamp={stamp(game_of(client))}"):
        assert status_of(parse(client.get(url))) == status_of(parse(client.get("/")))
    resume("03142")
    assert "As you like" not in status_of(parse(client.get(url_with_notice)))


# Perfect, through every line of play


@pytest.mark.long
@pytest.mark.parametrize("human", ["X", "O"])
def test_perfect_plays_exactly_the_games_of_the_textbook_so_nothing_beats_it(
    rng: ScriptedRandom, human: Mark
) -> None:
    def games_by_choice(make_game: Callable[[ScriptedRandom], Game]) -> Iterator[Game]:
        """Yield a game for each choice that Perfect has when it makes its move."""
        rng.pick, rng.offered = 0, ()
        yield make_game(rng)
        for pick in range(1, len(rng.offered)):
            rng.pick = pick
            yield make_game(rng)

    games = [*games_by_choice(lambda rng: Game().start_next("perfect", human, rng))]
    for perfect_game in games:  # which grows
        for square in perfect_game.position.legal_moves():
            games += games_by_choice(partial(perfect_game.play, square))
    finished_moves = [played.moves for played in games if played.outcome]
    assert sorted(finished_moves) == sorted(textbook.games_against_perfect(human))


# Bad input


@pytest.mark.parametrize("saved", ["X---O----", {"moves": [0, 4]}, [], None], ids=str)
def test_an_outdated_session_starts_a_new_game(client: FlaskClient, saved: object) -> None:
    with client.session_transaction() as session:
        session["game"] = saved
    assert board_of(parse(client.get("/"))) == EMPTY
    sent = parts_sent(client, "/move", square="0", position="X---O----")
    assert "I cannot keep a game" in sent["status"]
    first_move = parts_sent(client, "/move", square="0", position=EMPTY)
    assert len({*CELL_IDS} & {*first_move}) == 2  # the move and the reply


def test_a_server_error_has_a_page_and_loses_no_game(
    client: FlaskClient, app: Flask, resume: Resume, monkeypatch: pytest.MonkeyPatch
) -> None:
    resume("04")
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr(Game, "play", lambda *_: 1 // 0)
    response = client.post("/move", data={"square": "1", "position": "X---O----"})
    assert response.status_code == 500
    assert [h1.get_text() for h1 in parse(response).select("h1")] == ["Something went wrong."]
    assert board_of(parse(client.get("/"))) == "X---O----"
    assert game_of(client).moves == (0, 4)
