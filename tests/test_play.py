"""The game page: what it shows, what a click sends, and that nothing is lost or played twice."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemLoader
from markupsafe import Markup

from app import create_app
from engine.notation import replay
from engine.position import Mark
from tests import textbook
from tests.conftest import CELLS, HTMX, KEY, Scripted, board_of, game_of, parse, status_of
from tests.games import boards, one_game_to_each_board
from tests.html import Tag
from tests.sentences import as_read, assert_same, cell_as_read
from web.play.game import Game
from web.play.parts import parts
from web.play.saved import stamp

EMPTY = "---------"
Resume = Callable[..., None]
Shown = Callable[..., Tag]


@pytest.fixture
def shown(client: FlaskClient, resume: Resume) -> Shown:
    """Put a game into the client's session and return the page."""

    def page(*played: str, **more: Any) -> Tag:
        resume(*played, **more)
        return parse(client.get("/"))

    return page


def parts_sent(client: FlaskClient, url: str, **data: str) -> dict[str, str]:
    """Post as htmx does; return each id of the fragment with its HTML, having seen nothing else."""
    response = client.post(url, data=data, headers=HTMX)
    assert response.status_code == 200
    soup = parse(response)
    parts = soup.below("*")
    assert all("data-hx-swap-oob" in part.attrs or part.name == "title" for part in parts)
    ids = [name_of(part) for part in parts]
    assert len(ids) == len(set(ids))
    return {name_of(part): str(part) for part in parts}


def page_parts(client: FlaskClient) -> dict[str, str]:
    """Return each swappable part of the whole page with its HTML."""
    soup = parse(client.get("/"))
    return {name_of(part): str(part) for part in soup.select("[data-hx-swap-oob], title")}


def parse_text(html: str) -> str:
    return Tag.parse(html).get_text()


def name_of(part: Any) -> str:
    """Return the id of a part; the title, which htmx swaps by itself, needs none."""
    return str(part.get("id", part.name))


def cells_in(parts: dict[str, str]) -> set[int]:
    return {int(part[-1]) for part in parts if part in CELLS}


# The page


def test_a_new_visitor_gets_an_empty_board_and_no_cookie(client: FlaskClient) -> None:
    response = client.get("/")
    soup = parse(response)
    assert response.status_code == 200
    assert board_of(soup) == EMPTY
    assert "I have never lost. Hold me to a draw, if you can." in status_of(soup)
    assert "Set-Cookie" not in response.headers


def game(moves: str, opponent: str = "random", human: str = "X", **more: Any) -> dict[str, Any]:
    """Return what `resume` and `shown` need for a game."""
    return {"moves": moves, "opponent": opponent, "human": human, **more}


WON, LOST, HELD = game("03142"), game("42170835", "perfect"), game("421735806", "perfect")
COUNTED = {"random": [1, 2, 3, 0], "perfect": [0, 10, 400, 0]}
RAN = {"perfect": [0, 1, 7, 1]}
GAMES = [
    # While it goes on, spoken to and not; set up; with hints, and with a game to go back to.
    game(""), game("", "perfect"), game("04"), game("04", tallies=COUNTED), game("4", human="O"),
    game("4", "perfect", "O"), game("408", human="O"), game("0412", "perfect"), game("0314"),
    game("0418", "perfect", tallies=COUNTED), game("0418", "perfect", voice=False),
    game("01", set_up=2), game("0", "perfect", "O", set_up=1),
    game("4217", "perfect", hint="danger"), game("4217", "perfect", hint="results"),
    game("", unfinished={"moves": "408", "opponent": "perfect", "human": "O", "set_up": 0}),
    # Won, for the first time and again, with two lines at once, and as O, that is lost.
    WON, WON | {"tallies": COUNTED}, WON | {"tallies": {"random": [0, 4, 2, 0]}}, game("012365874"),
    WON | {"human": "O"}, game("031485"), WON | {"set_up": 2, "tallies": COUNTED},
    game("0143268", "perfect", set_up=1), game("0143268", "perfect"),
    # Lost. Who gave the game away retries, unless that move was set up.
    LOST, LOST | {"tallies": COUNTED}, LOST | {"opponent": "random"}, LOST | {"human": "O"},
    LOST | {"set_up": 4}, LOST | {"set_up": 5}, game("46718053", "perfect"),
    # A draw: held, once and running, quiet, given away, after a set-up, with two only moves.
    HELD, HELD | {"tallies": RAN}, HELD | {"opponent": "random"}, HELD | {"voice": False},
    game("012436587"), game("042163587", "perfect", set_up=2), game("045712638", "perfect"),
]  # fmt: skip


def test_the_page_of_each_kind_of_game_is_as_last_read(client: FlaskClient, shown: Shown) -> None:
    found, links = "", dict[str, str]()
    for played in GAMES:
        page = shown(**played)
        seat = " ".join(page.select("#you")[0].classes)
        parts = page.select("title, #you, #opponent > summary, .panel .top, #status, #actions")
        read = [
            " | ".join(map(cell_as_read, page.select("#board .cell"))),
            *map(as_read, parts),
            ", ".join(" ".join(move.get_text(" ").split()) for move in page.select(".moves a")),
            *(svg["aria-label"] for svg in page.select("#story svg")),
            *["lines"] * len(page.select("#lines path")),
        ]
        heading = ", ".join([*map(str, played.values()), seat])
        found += "\n    ".join([heading, *filter(None, read)]) + "\n"
        links |= {
            re.sub("[0-9]+", "#", link["href"]): link["href"] for link in page.select("main a")
        }
    assert_same("play", found)
    for link in links.values():
        assert client.get(link).status_code == 200, link


def test_the_opponent_looks_as_it_fares(shown: Shown) -> None:
    fares = (game("04", "perfect"), LOST, HELD, game("04"))
    faces = {str(shown(**played).select("#opponent summary .face")) for played in fares}
    assert len(faces) == 4


# Fragments

ALL = set(range(9))
KINDS = {
    # kind of move: (moves so far, opponent, human), route, form, cells changed
    "a first move": ("", "random", "X", "/move", {"square": "8"}, {8, 0}),
    "an ordinary move": ("04", "random", "X", "/move", {"square": "8"}, {1, 4, 8}),
    "a move that wins": ("0314", "random", "X", "/move", {"square": "2"}, ALL),
    "a move that loses": ("0314", "perfect", "X", "/move", {"square": "8"}, ALL),
    "a ninth square that draws": ("04216358", "perfect", "X", "/move", {"square": "7"}, ALL),
    "a first move as O": ("4", "perfect", "O", "/move", {"square": "0"}, {0, 1, 4}),
    "a new game": ("0418", "random", "X", "/new", {}, {0, 1, 4, 8}),
    "a new game after the end": ("03142", "random", "X", "/new", {}, ALL),
    "a new game as O": ("", "random", "X", "/new", {"mark": "O"}, ALL),
    "a new opponent": ("0418", "random", "X", "/new", {"difficulty": "perfect"}, {0, 1, 4, 8}),
    "a take back": ("0418", "random", "X", "/undo", {}, {1, 4, 8}),
    "a take back of the end": ("03142", "random", "X", "/undo", {}, ALL),
    "a take back with nothing to take": ("4", "random", "O", "/undo", {}, set()),
    "a choice of what is chosen": ("04", "random", "X", "/new", {"difficulty": "random"}, set()),
    "a hint": ("4217", "perfect", "X", "/hint", {"hint": "danger"}, {8}),
    "all results": ("0314", "random", "X", "/hint", {"hint": "results"}, {2, 5, 6, 7, 8}),
    "no hint": ("0314", "random", "X", "/hint", {"hint": "off"}, set()),
    "a quiet opponent": ("04", "random", "X", "/voice", {"voice": "off"}, set()),
    "a tally cleared": ("04", "random", "X", "/tally", {}, set()),
    "a taken square": ("04", "random", "X", "/move", {"square": "4"}, set()),
    "a move after the end": ("03142", "random", "X", "/move", {"square": "8"}, set()),
}


def test_what_a_kind_of_click_leaves_alone_it_does_not_send(
    client: FlaskClient, resume: Resume
) -> None:
    resume("04")
    sent = parts_sent(client, "/move", square="1", position="X---O----")
    assert set(sent) == {"screen", "status", "cell-1", "cell-2", "cell-4", "aside"}
    sent = parts_sent(client, "/new", position=str(game_of(client).position), difficulty="random")
    assert set(sent) == {"status"}
    sent = parts_sent(client, "/voice", position=str(game_of(client).position), voice="off")
    assert set(sent) == {"screen", "status", "opponent"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_fragment_holds_exactly_what_changed(
    client: FlaskClient, resume: Resume, kind: str
) -> None:
    moves, difficulty, human, url, form, cells = KINDS[kind]
    resume(moves, difficulty, human)
    before = page_parts(client)
    position = str(game_of(client).position)
    sent = parts_sent(client, url, position=position, **form)
    after = page_parts(client)
    assert cells_in(sent) == cells
    changed = {part for part in after if after[part] != before[part]}
    assert set(sent) == changed | {"status"}
    assert all(sent[part] == after[part] for part in changed - {"status"})


def test_the_stamp_of_the_current_page_changes_nothing_in_the_fragment(
    client: FlaskClient, shown: Shown
) -> None:
    (stamp_,) = shown("04").select("#screen [name=stamp]")
    sent = parts_sent(client, "/move", square="1", position="X---O----", stamp=str(stamp_["value"]))
    assert len(cells_in(sent)) == 3


@pytest.mark.parametrize(
    ("url", "form"),
    [("/move", {"square": "1"}), ("/new", {}), ("/undo", {}), ("/hint", {"hint": "danger"})],
)
def test_a_page_left_behind_is_brought_up_to_date_whole(
    client: FlaskClient, resume: Resume, url: str, form: dict[str, str]
) -> None:
    everything = set(page_parts(client))
    resume("04")
    assert set(parts_sent(client, url, position=EMPTY, **form)) == everything
    resume("04")
    sent = parts_sent(client, url, position="X---O----", stamp="an older one", **form)
    assert set(sent) == everything


# What can be pressed on a page besides a square; perfect is the opponent already.
BESIDE = [
    ("/undo", {}),
    ("/new", {"difficulty": "perfect"}),
    ("/hint", {"hint": "danger"}),
    ("/voice", {"voice": "off"}),
    ("/tally", {}),
]


MOVED_ON = "The game moved on in another tab. This is the current board."
TAKEN = "That square is taken. Choose an empty one."


@pytest.mark.parametrize(
    ("moves", "position", "url", "form", "said"),
    [
        ("04", "X---O----", "/move", {"square": "0"}, TAKEN),
        ("04", "X---O----", "/move", {"square": "4"}, TAKEN),
        ("03142", "XXXOO----", "/move", {"square": "8"}, "The game is over. Start a new one."),
        ("", EMPTY, "/undo", {}, "You have not moved here yet."),
        ("04", EMPTY, "/move", {"square": "8"}, MOVED_ON),
        *(("04", EMPTY, url, form, MOVED_ON) for url, form in BESIDE),
    ],
)
def test_what_cannot_be_done_is_not_done_and_said(
    client: FlaskClient,
    resume: Resume,
    moves: str,
    position: str,
    url: str,
    form: dict[str, str],
    said: str,
) -> None:
    resume(moves, "perfect")
    assert said in parts_sent(client, url, position=position, **form)["status"]
    assert game_of(client).moves == replay(moves)


@pytest.mark.parametrize(("url", "form"), [("/move", {"square": "1"}), *BESIDE])
def test_a_browser_that_keeps_no_cookie_is_told_so(
    app: Flask, url: str, form: dict[str, str]
) -> None:
    client = app.test_client(use_cookies=False)
    parts_sent(client, "/move", square="0", position=EMPTY)
    sent = parts_sent(client, url, position="X---O----", **form)
    assert "needs cookies" in sent["status"]
    answer = client.post(url, data={"position": "X---O----", **form})
    assert "needs cookies" in status_of(parse(client.get(answer.location)))


def test_a_template_that_is_edited_is_drawn_anew(tmp_path: Path) -> None:
    app = create_app({"DEBUG": True, "SECRET_KEY": KEY})
    folder = tmp_path / "templates"
    shutil.copytree(str(app.jinja_loader.searchpath[0]), folder)  # type: ignore[union-attr]
    app.jinja_loader = FileSystemLoader(folder)
    client = app.test_client()
    for name, before, url in (
        ("play/_words.html", "Hold me to a draw", "/"),
        ("play/_parts.html", "You are", "/"),
        ("site/_boards.html", "pathLength", "/study/04"),
        ("study/proof.html", "proof", "/proof"),
    ):
        client.get(url)
        file = folder / name
        file.write_text(file.read_text().replace(before, "EDITED"))
        assert "EDITED" in client.get(url).text


def test_only_a_long_fragment_is_compressed(client: FlaskClient) -> None:
    zipped = {**HTMX, "Accept-Encoding": "gzip"}
    client.post("/move", data={"square": "0", "position": EMPTY})
    form = {"square": "8", "position": str(game_of(client).position)}
    assert "Content-Encoding" not in client.post("/move", data=form, headers=zipped).headers
    answer = client.post("/hint", data={"hint": "results"}, headers=zipped)
    assert answer.headers["Content-Encoding"] == "gzip"


def test_no_page_is_padded_with_what_stands_around_the_tags_of_its_template(
    client: FlaskClient,
) -> None:
    for url in ("/", "/study/04", "/study/X---O----", "/proof", "/nowhere"):
        for line in client.get(url).text.splitlines():
            assert line.strip() and not line.startswith("   "), line


# Without JavaScript


@pytest.mark.parametrize("kind", KINDS)
def test_without_htmx_the_same_post_leads_back_to_the_page(
    client: FlaskClient, resume: Resume, kind: str
) -> None:
    moves, difficulty, human, url, form, _ = KINDS[kind]
    resume(moves, difficulty, human)
    form = {"position": str(game_of(client).position), **form}
    response = client.post(url, data=form)
    assert response.status_code == 303
    without = parse(client.get(response.headers["Location"]))

    resume(moves, difficulty, human)
    assert parse_text(parts_sent(client, url, **form)["status"]) == status_of(without)


def test_a_notice_that_is_none_is_not_said(client: FlaskClient) -> None:
    page = parse(client.get(f"/?notice=<b>hello</b>&stamp={stamp(Game())}"))
    assert status_of(page) == status_of(parse(client.get("/")))


def test_a_notice_is_said_only_of_the_game_it_was_given_about(
    client: FlaskClient, resume: Resume
) -> None:
    resume("04")
    undone = client.post("/undo").headers["Location"]
    assert "Taken back." in status_of(parse(client.get(undone)))
    assert "Taken back" not in status_of(parse(client.get("/?notice=undone")))
    resume("03142")
    assert "Taken back" not in status_of(parse(client.get(undone)))


@pytest.mark.parametrize("square", ["0", "1"])
def test_a_move_whose_answer_got_lost_may_be_sent_again(
    client: FlaskClient, resume: Resume, square: str
) -> None:
    resume("04" if square == "0" else "0814")
    before = EMPTY if square == "0" else "X-------O"
    sent = parts_sent(client, "/move", square=square, position=before)
    assert "Your move." in sent["status"]
    assert "moved on" not in sent["status"]
    assert game_of(client).moves == ((0, 4) if square == "0" else (0, 8, 1, 4))


# Settings


def test_a_setting_left_out_of_a_new_game_stays(client: FlaskClient) -> None:
    client.post("/new", data={"difficulty": "random", "mark": "O"})
    client.post("/new")
    game = game_of(client)
    assert (game.opponent, game.human, len(game.moves)) == ("random", "O", 1)
    client.post("/new", data={"mark": "X"})
    game = game_of(client)
    assert (game.opponent, game.human, len(game.moves)) == ("random", "X", 0)


def test_what_is_chosen_can_be_pressed_and_does_nothing(client: FlaskClient, shown: Shown) -> None:
    before = {"moves": "408", "opponent": "perfect", "human": "O", "set_up": 0}
    soup = shown("04", unfinished=before)
    game = game_of(client)
    chosen = soup.select("#opponent [aria-pressed=true]:not(#voice)")
    assert [button["id"] for button in chosen] == ["panel-random", "panel-X"]
    for button in chosen:  # it does not even send anything
        assert button["type"] == "button"
        assert not any(name.startswith(("data-hx-", "form")) for name in button.attrs)
    for choice in ({"difficulty": "random"}, {"mark": "X"}, {"difficulty": "random", "mark": "X"}):
        assert client.post("/new", data=choice).status_code == 303
        assert game_of(client) == game


@pytest.mark.parametrize("form", [{}, {"difficulty": "perfect"}, {"mark": "O"}])
def test_a_game_left_by_a_new_one_is_a_press_away(
    client: FlaskClient, resume: Resume, form: dict[str, str]
) -> None:
    resume("0418")
    game = game_of(client)
    client.post("/new", data=form)
    (button,) = parse(client.get("/")).select("#undo")
    assert button.get_text() == "Back to the game before"
    sent = parts_sent(client, "/undo", position=str(game_of(client).position))
    assert "Back to the game before." in parse_text(sent["status"])
    assert game_of(client) == game


# After the end


def test_retry_goes_back_to_the_board_before_the_move_that_gave_the_game_away(
    client: FlaskClient, shown: Shown
) -> None:
    (retry,) = shown(**LOST, tallies={"perfect": [0, 3, 7, 2]}).select("#retry")
    assert (retry.get_text(), retry["value"]) == ("Retry move 5", "4217")
    client.post("/new", data={str(retry["name"]): str(retry["value"])})
    game = game_of(client)
    assert (game.moves, game.set_up, game.human) == ((4, 2, 1, 7), 4, "X")
    assert game.tallies["perfect"] == (0, 3, 8, 0)  # the loss stands
    page = parse(client.get("/"))
    assert [cell["id"] for cell in page.select(".cell.last")] == ["cell-7"]  # as it was played
    assert not page.select(".cell.new")


def test_the_other_mark_is_a_press_away(client: FlaskClient, shown: Shown) -> None:
    (swap,) = shown("421735806", "perfect").select("#swap")
    client.post("/new", data={str(swap["name"]): str(swap["value"])})
    assert game_of(client).human == "O"


# Hint, voice, tally


def test_a_hint_comes_in_two_steps_and_goes_with_the_move(
    client: FlaskClient, resume: Resume
) -> None:
    resume("4217", "perfect")
    soup = parse(client.post("/hint", data={"hint": "danger"}, follow_redirects=True))
    assert "Watch bottom right: there O would threaten two lines at once." in status_of(soup)
    assert [cell["id"] for cell in soup.select(".pencil")] == ["cell-8"]
    assert soup.select("#lines path")
    (second,) = soup.select("#status button")
    soup = parse(client.post("/hint", data={"hint": str(second["value"])}, follow_redirects=True))
    chips = [
        (cell["id"], cell.select(".chip")[0].get_text()) for cell in soup.select(".cell:has(.chip)")
    ]
    draws = [(f"cell-{square}", "draw") for square in (3, 5, 6, 8)]
    assert chips == [("cell-0", "O wins"), *draws]
    assert not soup.select("#lines path")
    (button,) = soup.select("#hint")
    assert (button["aria-pressed"], button["value"]) == ("true", "off")
    form = {"square": "8", "position": "-XO-X--O-"}
    soup = parse(client.post("/move", data=form, follow_redirects=True))
    assert not soup.select(".chip")
    assert soup.select("#hint")[0]["aria-pressed"] == "false"


def test_there_is_no_hint_after_the_end(client: FlaskClient, resume: Resume) -> None:
    resume("03142")
    client.post("/hint", data={"hint": "danger"})
    assert game_of(client).hint == "off"


def test_an_opponent_told_to_be_quiet_says_nothing_until_it_may_speak(
    client: FlaskClient, resume: Resume
) -> None:
    for moves in ("0418", "421735806"):
        for voice, bubbles in (("off", 0), ("on", 1)):
            resume(moves, "perfect")
            client.post("/voice", data={"voice": voice})
            assert len(parse(client.get("/")).select("#status .says")) == bubbles


def test_clearing_the_tally_asks_once_and_leaves_the_other_opponents_alone(
    client: FlaskClient, shown: Shown
) -> None:
    soup = shown("0418", "perfect", tallies=COUNTED)
    assert soup.select("details.clear:not([open]) + #clear")
    client.post("/tally")
    game = game_of(client)
    assert game.moves == (0, 4, 1, 8)
    assert game.tallies == {"random": (1, 2, 3, 0), "perfect": (0, 0, 0, 0)}
    assert not parse(client.get("/")).select("#clear")


def test_clearing_the_tally_after_the_end_begins_a_game(
    client: FlaskClient, resume: Resume
) -> None:
    resume(**LOST, tallies=COUNTED)
    client.post("/tally")
    assert game_of(client).tallies["perfect"] == (0, 0, 0, 0)
    assert game_of(client).moves == ()


# Perfect, through every line of play


@pytest.mark.long
@pytest.mark.parametrize("human", ["X", "O"])
def test_no_line_of_play_beats_perfect(rng: Scripted, human: Mark) -> None:
    def go_on(game: Game) -> Iterator[Game]:
        if game.outcome:
            yield game
        for square in game.position.legal_moves():
            yield from each_reply(partial(game.play, square))

    def each_reply(step: Callable[[Scripted], Game]) -> Iterator[Game]:
        rng.pick, choices = 0, 1
        picks = 0
        while picks < choices:
            rng.pick, rng.offered = picks, ()
            game = step(rng)
            choices = len(rng.offered)
            yield from go_on(game)
            picks += 1

    games = list(each_reply(lambda rng: Game().start("perfect", human, rng)))
    expected = textbook.games_against_perfect(human)
    assert sorted(game.moves for game in games) == sorted(expected)
    assert not [game for game in games if game.tallies["perfect"].won]


# From a board that was placed


def words_for(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


@pytest.mark.long
def test_what_is_said_after_a_practice_game_is_true_of_the_moves_played(
    app: Flask, rng: Scripted
) -> None:
    with app.test_request_context():
        going_on = (board for board in textbook.every_board() if not textbook.over(board))
        unlike = {*textbook.one_of_each(going_on)}
        placed_games = [game for game in one_game_to_each_board() if boards(game)[-1] in unlike]
        for placed, human in product(placed_games, get_args(Mark)):
            board = boards(placed)[-1]
            for moves in textbook.games_against_perfect(human, board):
                game = Game((*placed, *moves), "perfect", human, set_up=len(placed))
                faults = false_sayings(game, parts(game))
                assert not faults, (board, game.moves, faults)
                if textbook.winner(boards(game.moves)[-1]) == human:
                    assert "never lost" not in parts(game.start("perfect", human, rng))["status"]


def false_sayings(game: Game, page: dict[str, Markup]) -> list[str]:
    """Return what the page says at the end of a practice game without its being so."""
    start = game.set_up
    scores = [*map(textbook.move_scores, boards(game.moves)[start:-1])]
    results = [textbook.sign(max(found.values())) for found in scores]
    lowering = {
        start + n
        for n, (found, square) in enumerate(zip(scores, game.moves[start:], strict=True), 1)
        if textbook.sign(found[square]) < results[n - 1]
    }
    own = {n for n in lowering if (n % 2 == 1) == (game.human == "X")}
    is_level = not (any(results) or lowering)
    said = parse_text(page["status"])
    badges = [square for square in range(9) if ">??<" in page[f"cell-{square}"]]
    numbers = {int(n) for n in re.findall("[Mm]oves? ([0-9])", said)}
    let_in = {int(n) for n in re.findall("let me in at move ([0-9])", said)}
    turned = re.findall("turned (.*?),", said)
    is_true = {
        "moves": all(n > start for n in numbers),
        "let in": let_in <= own,
        "level": is_level or not re.search("Level,? to", said),
        "turned": turned == ([words_for(len(lowering))] if len(lowering) > 1 else []),
        "until": "Level until" not in said or (not results[0] and len(lowering) == 1),
        "badge": badges == [game.moves[n - 1] for n in sorted(lowering)[-1:]],
        "list": not re.findall(f"<i>[1-{start}]</i>" if start else "<i>0", page["aside"]),
        "first": "first win" not in said,
    }
    return [name for name, holds in is_true.items() if not holds]


@pytest.mark.parametrize("opponent", ["perfect", "random"])
def test_a_win_is_called_the_first_where_it_is(shown: Shown, opponent: str) -> None:
    for moves, human in product(("03142", "031485", "012436587"), ("X", "O")):
        for before, set_up in product((0, 1), (0, 2)):
            tallies = {opponent: [before, 3, 4, 0]}
            page = shown(moves, opponent, human, set_up=set_up, tallies=tallies)
            first = human == {"03142": "X", "031485": "O"}.get(moves) and not (before or set_up)
            assert ("Your first win." in status_of(page)) == first


# Bad input


@pytest.mark.parametrize(
    "data", ["X---O----", {"moves": [0, 4]}, {"board": "X---O----"}, [], 3, None]
)
def test_an_outdated_session_means_a_new_game(client: FlaskClient, data: object) -> None:
    with client.session_transaction() as session:
        session["game"] = data
    assert board_of(parse(client.get("/"))) == EMPTY
    sent = parts_sent(client, "/move", square="0", position="X---O----")
    assert "The game was not kept" in sent["status"]
    assert len(cells_in(parts_sent(client, "/move", square="0", position=EMPTY))) == 2


def test_a_mistake_of_ours_gets_a_page_and_costs_no_game(
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
