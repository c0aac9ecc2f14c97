"""The game page: what it shows, what a click sends, and that nothing is lost or played twice."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, get_args

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import ChoiceLoader, FileSystemLoader

from app import create_app
from engine.position import SQUARE_NAMES, Mark
from tests import positions, textbook
from tests.conftest import (
    CELLS,
    HTMX,
    KEY,
    Resume,
    Scripted,
    board_of,
    game_of,
    parse,
    status_of,
)
from tests.games import boards, games_at_random, one_game_to_each_board
from tests.html import Tag
from tests.positions import one_in
from tests.sentences import NUMBERS, as_read, assert_same, board_as_read, macros, plain
from tests.sentences import kind as kind_of
from web.play.game import Game
from web.play.nine import BITS, NINE
from web.play.page import Page
from web.play.record import Record, Tally
from web.play.saved import stamp, to_values
from web.play.values import Cause
from web.site import compression

EMPTY = "---------"
Shown = Callable[..., Tag]


@pytest.fixture
def shown(client: FlaskClient, resume: Resume) -> Shown:
    """Put a game and the screens done of the lesson into the client's session; return the page."""

    def page(*played: str, done: str = "", **more: Any) -> Tag:
        resume(*played, **more)
        with client.session_transaction() as session:
            session["done"] = done
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


def page_parts(page: Tag) -> dict[str, str]:
    """Return each swappable part of the whole page with its HTML."""
    return {name_of(part): str(part) for part in page.select("[data-hx-swap-oob], title")}


def name_of(part: Any) -> str:
    """Return the id of a part; the title, which htmx swaps by itself, needs none."""
    return str(part.get("id", part.name))


# The page


def test_a_new_visitor_gets_an_empty_board_and_no_cookie(client: FlaskClient) -> None:
    response = client.get("/")
    assert (response.status_code, board_of(parse(response))) == (200, EMPTY)
    assert "Set-Cookie" not in response.headers


def game(moves: str, opponent: str = "random", human: str = "X", **more: Any) -> dict[str, Any]:
    """Return what `resume` and `shown` need for a game."""
    return {"moves": moves, "opponent": opponent, "human": human, **more}


WON, LOST, HELD = game("03142"), game("42170835", "perfect"), game("421735806", "perfect")
COUNTED = {"random": [1, 2, 3, 0], "perfect": [0, 10, 400, 0]}
RAN = {"perfect": [0, 1, 7, 1]}
ONE_BEFORE = {"moves": "408", "opponent": "perfect", "human": "O", "set_up": 0}
SOME_HELD = sum(BITS["X", square] for square in (0, 1, 4, 8)) | BITS["O", 6]
CHALLENGE = game("048", "perfect", "O", set_up=1, before=["random", "X"])
GAMES = [
    # While it goes on, spoken to and not; set up; with hints, and with a game to go back to.
    game(""), game("", "perfect"), game("04"), game("04", tallies=COUNTED), game("4", human="O"),
    game("4", "perfect", "O"), game("408", human="O"), game("0412", "perfect"), game("0314"),
    game("0412", "perfect", tallies=COUNTED), game("0412", "perfect", voice=False),
    game("01", set_up=2), game("0", "perfect", "O", set_up=1),
    game("4217", "perfect", set_up=4), game("4217", "perfect", hint="danger"),
    game("4217", "perfect", hint="results"),
    game("", unfinished=ONE_BEFORE), game("", unfinished=ONE_BEFORE, done="2"),
    # With some screens of the lesson done, and all.
    *(game("", done=done) for done in ("1", "13", "23456789abcde", "123456789abde")),
    game("04", done="1"), game("", "perfect", done="123456789abcde"),
    # What a move gave away is told once a game has ended.
    game("0482"), game("0482637"), game("04826", human="O"), game("0482637", human="O"),
    # With squares held, none, some and all, or in a game that holds none.
    game("5408", "perfect", helped=True), game("5408", "perfect", helped=False, set_up=1),
    game("54", "perfect", helped=False, held=SOME_HELD),
    game("408217356", "perfect", helped=False, held=NINE & ~BITS["X", 4] | BITS["O", 6]),
    game("408217356", "perfect", helped=False, held=NINE | BITS["O", 6]),
    game("408217356", "perfect", helped=False, held=NINE & ~BITS["X", 4] & ~1 | BITS["O", 6]),
    # Won, for the first time and again, with two lines at once, and as O, that is lost.
    WON, WON | {"tallies": COUNTED}, WON | {"tallies": {"random": [0, 4, 2, 0]}}, game("012365874"),
    WON | {"human": "O"}, game("031485"), WON | {"set_up": 2, "tallies": COUNTED},
    game("0143268", "perfect", set_up=4),
    # A challenge: a press that was wrong, lost by it, and held.
    *(CHALLENGE | {"moves": moves} for moves in ("023", "0236458", "041263578")),
    # Lost. Who gave the game away retries, unless that move was set up.
    LOST, LOST | {"tallies": COUNTED}, LOST | {"opponent": "random"}, game("42170835", human="O"),
    game("04356", "perfect", "O"),  # the square left open that alone held
    *(LOST | {"tallies": {"perfect": [0, 3, 7, -lost]}, "set_up": set_up}
      for lost, set_up in ((1, 0), (2, 0), (1, 4), (2, 4))),
    WON | {"tallies": {"random": [1, 3, 4, 0]}}, game("031485", human="O"),
    LOST | {"set_up": 4}, LOST | {"set_up": 5}, game("46718053", "perfect"),
    # A draw: held, once and running, quiet, given away, after a set-up, with two only moves.
    HELD, HELD | {"tallies": RAN}, HELD | {"opponent": "random"}, HELD | {"voice": False},
    game("012436587"), game("042173586", "perfect", set_up=2), game("045712638", "perfect"),
]  # fmt: skip


def test_the_page_of_each_kind_of_game_is_as_last_read(client: FlaskClient, shown: Shown) -> None:
    found, links = "", dict[str, str]()
    for played in GAMES:
        page = shown(**played)
        seat = " ".join(page.select("#you")[0].classes)
        parts = "title, #you, #nine, #opponent > summary, .panel .top, #status, .doors"
        read = [
            board_as_read(page),
            *map(as_read, page.select(f"{parts}, #movekey, #actions")),
            ", ".join(" ".join(move.get_text(" ").split()) for move in page.select(".moves a")),
            *(svg["aria-label"] for svg in page.select("#story svg")),
            *["lines"] * len(page.select("#lines path")),
            " ".join(square["class"] for square in page.select("#you rect")),
        ]
        heading = ", ".join([*map(str, played.values()), seat])
        found += "\n    ".join([heading, *filter(None, read)]) + "\n"
        links |= {
            re.sub("[0-9]+", "#", link["href"]): link["href"] for link in page.select("main a")
        }
    assert_same("play", found)
    inside = [link for link in links.values() if link.startswith("#")]
    assert inside and all(parse(client.get("/")).select(link) for link in inside)
    for link in {*links.values()} - {*inside}:
        assert client.get(link).status_code == 200, link


def test_the_opponent_looks_as_it_fares(shown: Shown) -> None:
    """Perfect is startled by two threats that were made, and not by those that were placed.

    X | O | ·
    · | X | ·
    X | · | O"""
    forked = [game("014862", "perfect", set_up=set_up) for set_up in (2, 6)]
    fares = (*forked, game("04", "perfect"), LOST, HELD, game("04"))
    made, placed, *others = (str(shown(**it).select("#opponent .face")[0]) for it in fares)
    assert placed == others[0] and len({made, *others}) == 5


# Fragments

# What can be pressed on a page besides a square; perfect is the opponent already.
BESIDE = [
    ("/undo", {}),
    ("/new", {"difficulty": "perfect"}),
    ("/hint", {"hint": "danger"}),
    ("/voice", {"voice": "off"}),
    ("/tally", {}),
]

# What was played, where a press sends what: the answers stand in a snapshot.
MOVE, TALLIES = "/move", {"tallies": COUNTED}
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
    "a new game on a square to hold": (game("5408", "perfect"), "/new", {"square": "3"}),
    "a new game as X": (game("4", human="O"), "/new", {"mark": "X"}),
    "a new opponent": (game("0418"), "/new", {"difficulty": "perfect"}),
    "the same opponent": (game("04"), "/new", {"difficulty": "random"}),
    "the same mark": (game("04", unfinished=ONE_BEFORE), "/new", {"mark": "X"}),
    "the same of both": (game("04"), "/new", {"difficulty": "random", "mark": "X"}),
    "a retry": (LOST | {"tallies": {"perfect": [0, 3, 7, 2]}}, "/new", {"moves": "4217"}),
    "a practice game that ends at once": (game(""), "/new", {"moves": "0142", "mark": "O"}),
    "a practice game": (game("04"), "/new", {"moves": "4217", "mark": "X"}),
    "a challenge": (game("04"), "/new", {"moves": "0", "square": "4"}),
    "a challenge after the end": (WON, "/new", {"moves": "0", "square": "4"}),
    "a challenge sent again": (CHALLENGE, "/new", {"moves": "0", "square": "4"}),
    "another square of a challenge": (CHALLENGE, "/new", {"moves": "0", "square": "8"}),
    "another challenge": (CHALLENGE, "/new", {"moves": "8", "square": "4"}),
    "a challenge taken back": (CHALLENGE, "/undo", {}),
    "a retry in a challenge": (CHALLENGE, "/new", {"moves": "04"}),
    "a new game after a challenge": (CHALLENGE, "/new", {}),
    "a new opponent after a challenge":
        (CHALLENGE, "/new", {"difficulty": "perfect", "fresh": "on"}),
    "the other mark": (HELD, "/new", {"mark": "O"}),
    "a take back": (game("0418"), "/undo", {}),
    "a take back of the end": (game("03142"), "/undo", {}),
    "a take back with nothing to take": (game("4", human="O"), "/undo", {}),
    "back to the game before": (game("", unfinished=ONE_BEFORE), "/undo", {}),
    "a hint": (game("4217", "perfect"), "/hint", {"hint": "danger"}),
    "all results": (game("4217", "perfect", hint="danger"), "/hint", {"hint": "results"}),
    "no hint": (game("0314"), "/hint", {"hint": "off"}),
    "a hint after the end": (game("03142"), "/hint", {"hint": "danger"}),
    "a quiet opponent": (game("0412", "perfect"), "/voice", {"voice": "off"}),
    "a quiet opponent after the end": (HELD, "/voice", {"voice": "off"}),
    "an opponent that speaks again": (HELD | {"voice": False}, "/voice", {"voice": "on"}),
    "a tally cleared": (game("0412", "perfect") | TALLIES, "/tally", {}),
    "a tally cleared after the end": (LOST | TALLIES, "/tally", {}),
    **{f"{url} on a page left behind": (game("04", "perfect"), url, {"position": EMPTY, **form})
       for url, form in [("/move", {"square": "8"}), *BESIDE]},
    **{f"{url} on an older page of this board": (game("04"), url, {"stamp": "older", **form})
       for url, form in [("/move", {"square": "8"}), *BESIDE]},
}  # fmt: skip


def test_a_click_sends_exactly_what_changed_and_without_htmx_leads_to_the_same_page(
    client: FlaskClient, resume: Resume, shown: Shown
) -> None:
    found = ""
    for kind, (played, url, form) in CLICKS.items():
        before, was = page_parts(shown(**played)), game_of(client)
        looked_at = {"position": str(was.position), "stamp": stamp(was)}
        form = form if "position" in form else looked_at | form
        sent, game = parts_sent(client, url, **form), game_of(client)

        resume(**played)
        response = client.post(url, data=form)
        assert response.status_code == 303
        without = parse(client.get(response.headers["Location"]))
        assert game_of(client) == game, kind
        assert status_of(without) == Tag.parse(sent["status"]).get_text(), kind

        after, is_stale = page_parts(without), not looked_at.items() <= form.items()
        changed = {part for part in after if is_stale or after[part] != before[part]}
        assert set(sent) == changed | {"status"}, kind
        assert all(sent[part] == after[part] for part in changed - {"status"}), kind

        then, values = to_values(was), to_values(game)
        new = {name: value for name, value in values.items() if value != then[name]}
        names = "everything" if set(sent) >= set(before) else " ".join(sorted(sent))
        status = as_read(without.select("#status")[0])
        found += "\n    ".join([kind, f"sent: {names}", f"said: {status}", f"game: {new}"]) + "\n"
    assert_same("clicks", found)


def test_a_browser_without_cookies_is_told_so(app: Flask) -> None:
    client = app.test_client(use_cookies=False)
    for url, form in [("/move", {"square": "1"}), *BESIDE]:
        client.post("/move", data={"square": "0", "position": EMPTY})
        form = {"position": "X---O----", **form}
        assert "needs cookies" in parts_sent(client, url, **form)["status"]
        answer = client.post(url, data=form)
        assert "needs cookies" in status_of(parse(client.get(answer.location)))


def test_a_template_that_is_edited_is_drawn_anew(tmp_path: Path) -> None:
    app = create_app({"DEBUG": True, "SECRET_KEY": KEY})
    original, client = app.jinja_loader, app.test_client()
    assert original
    app.jinja_loader = ChoiceLoader([FileSystemLoader(tmp_path), original])
    for name, before, url in (
        ("play/_words.html", "Hold me to a draw", "/"),
        ("learn/words.html", "Words", "/learn/words"),
    ):
        text, file = original.get_source(app.jinja_env, name)[0], tmp_path / name
        file.parent.mkdir()
        for edited in (text, text.replace(before, "EDITED"), text):
            file.write_text(edited)
            assert ("EDITED" in client.get(url).text) == (edited != text)


def test_only_a_long_fragment_is_compressed_and_sooner_than_a_page(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    qualities = []

    def compress(content: bytes, quality: int, lgwin: int) -> bytes:
        qualities.append(quality)
        return bytes(brotli.compress(content, quality=quality, lgwin=lgwin))

    monkeypatch.setattr(compression, "brotli", SimpleNamespace(compress=compress))
    for coding, unpack in (("br", brotli.decompress), ("gzip", gzip.decompress)):
        zipped = {**HTMX, "Accept-Encoding": coding}
        client.post("/new")
        client.post("/move", data={"square": "0", "position": EMPTY})
        form = {"square": "8", "position": str(game_of(client).position)}
        assert "Content-Encoding" not in client.post("/move", data=form, headers=zipped).headers
        answer = client.post("/hint", data={"hint": "results"}, headers=zipped)
        assert answer.headers["Content-Encoding"] == coding
        assert len(unpack(answer.data)) > len(answer.data)
    client.get("/", headers={"Accept-Encoding": "br"})
    click, page = qualities
    assert click < page


def test_no_page_is_padded_with_what_is_around_its_templates_tags(client: FlaskClient) -> None:
    for url in ("/", "/study/04", "/study/X---O----", "/proof", "/nowhere"):
        for line in client.get(url).text.splitlines():
            assert line.strip() and not line.startswith("   "), line


# Without JavaScript


def test_a_notice_is_said_of_its_own_game_alone(client: FlaskClient, resume: Resume) -> None:
    resume("04")
    undone = client.post("/undo").headers["Location"]
    assert "Taken back." in status_of(parse(client.get(undone)))
    for url in ("/?notice=undone", f"/?notice=<b>hello</b>&stamp={stamp(game_of(client))}"):
        assert status_of(parse(client.get(url))) == status_of(parse(client.get("/")))
    resume("03142")
    assert "Taken back" not in status_of(parse(client.get(undone)))


# Settings


def test_what_is_chosen_can_be_pressed_and_sends_nothing_and_clearing_asks_once(
    shown: Shown,
) -> None:
    soup = shown("04", unfinished=ONE_BEFORE, **TALLIES)
    chosen = soup.select("#opponent [aria-pressed=true]")
    assert [button["id"] for button in chosen] == ["panel-random", "panel-X"]
    for button in chosen:
        assert button["type"] == "button"
        assert not any(name.startswith(("data-hx-", "form")) for name in button.attrs)
    assert soup.select("details.clear:not([open]) + #clear")


# Perfect, through every line of play


@pytest.mark.long
@pytest.mark.parametrize("human", ["X", "O"])
def test_no_line_of_play_beats_perfect(rng: Scripted, human: Mark) -> None:
    def each_reply(step: Callable[[Scripted], Game]) -> Iterator[Game]:
        """Yield the game after each of the replies that there are to choose from."""
        rng.pick, rng.offered = 0, ()
        yield step(rng)
        for pick in range(1, len(rng.offered)):
            rng.pick = pick
            yield step(rng)

    games = [*each_reply(lambda rng: Game().start("perfect", human, rng))]
    for game in games:
        for square in game.position.legal_moves():
            games += each_reply(partial(game.play, square))
    ended = [game for game in games if game.outcome]
    assert sorted(game.moves for game in ended) == sorted(textbook.games_against_perfect(human))
    assert not any(game.record_by_now.tallies["perfect"].won for game in ended)


# From a board that was placed


@pytest.mark.long
def test_what_is_said_after_a_practice_game_is_true_of_its_moves(app: Flask, rng: Scripted) -> None:
    rooms = ("play/_words.html", "site/_story.html", "site/_mistakes.html")
    say, tell, mistakes = (macros(app, name) for name in rooms)
    going_on = (board for board in textbook.every_board() if not textbook.over(board))
    unlike = {*textbook.one_of_each(going_on)}
    placed_games = [game for game in one_game_to_each_board() if boards(game)[-1] in unlike]
    came = set[str]()
    for placed, human in product(one_in(4, placed_games), get_args(Mark)):
        board = boards(placed)[-1]
        for moves in one_in(3, [*textbook.games_against_perfect(human, board)]):
            page = Page(Game((*placed, *moves), "perfect", human, set_up=len(placed)))
            faults = false_sayings(page, say.farewell(page) + tell.sentence(page.told, human))
            assert not faults, (board, page.game.moves, faults)
            answer = plain(mistakes.came(page.asked, page, "me")) if page.asked else ""
            expected = came_of(page)
            came.add(kind_of(answer))
            is_same = is_so(page, answer) if expected.endswith(": ") else answer == expected
            assert is_same and answer.startswith(expected), (board, page.game.moves, answer)
            if page.ending == "won":
                later = Page(page.game.start("perfect", human, rng))
                assert "never lost" not in say.hello(later)
    assert len(came) > 38


def came_of(page: Page) -> str:
    """Answer by the textbook what a placed board asked, in its terms; "" where all squares held."""
    moves, human, way = page.game.moves, page.game.human, boards(page.game.moves)
    own = [n for n in range(page.game.set_up, len(moves)) if textbook.turn(way[n]) == human]
    if not (page.game.set_up and own):
        return ""
    tried = [(textbook.move_scores(way[n]), moves[n]) for n in own]
    (scores, first), right = tried[0], textbook.holding(way[own[0]])
    best, count = textbook.sign(max(scores.values())), len(right)
    if best < 0:
        longest = all(found[square] == max(found.values()) for found, square in tried)
        return f"Every square lost. {'Nobody' if longest else 'You'} could have lasted longer."
    if count == len(scores):
        return ""
    slips = [n + 1 for n, (found, at) in zip(own, tried, strict=True)
             if textbook.sign(found[at]) < textbook.sign(max(found.values()))]  # fmt: skip
    then = f" Your last mistake was move {slips[-1]}." if len(slips) > 1 else ""
    if slips and first in right:
        return f"Right until move {slips[0]}{'.' if then else ': '}{then}"
    only = [n for n in own if not best and len(textbook.holding(way[n])) == 1 < 9 - n]
    later = ("", "once", "twice", "three times", "four times")[len(only) - (own[0] in only)]
    met = f". Then {later} only one square was safe." if later else "."
    threats = textbook.wins_at(way[own[0] + 2], textbook.other(human)) if slips else ()
    some, held = count not in (1, len(scores) - 1), "won" if best else "held the draw"
    if not best and not some and len(threats) > 1 and page.ending == "lost":
        then = f" Then {named(moves[own[0] + 1])} gave me {NUMBERS[len(threats)]} threats."
    if count == 1:
        found = f", and you found it{met}" if first in right else f": {named(right[0])}.{then}"
        return f"One square {held}{found}"
    if not some:
        (slip,) = {*scores} - {*right}
        came = f"did not take it{met}" if first in right else f"took it.{then}"
        return f"Only {named(slip)} {'gave the win away' if best else 'lost'}, and you {came}"
    names = " and ".join(", ".join(map(SQUARE_NAMES.__getitem__, right)).rsplit(", ", 1))
    came = f": {names}" if count < 4 and not then else f", but not {named(first)}"
    came = f", and you took one{met}" if first in right else f"{came}.{then}"
    return f"{NUMBERS[count].capitalize()} of {NUMBERS[len(scores)]} {held}{came}"


def named(square: int) -> str:
    return f"{'the ' if square == 4 else ''}{SQUARE_NAMES[square]}"


def false_sayings(page: Page, said: str) -> list[str]:
    """Return what is said at the end of a practice game without its being so."""
    moves, way, start = page.game.moves, boards(page.game.moves), page.game.set_up
    scores = [*map(textbook.move_scores, way[start:-1])]
    results = [textbook.sign(max(found.values())) for found in scores]
    tried = enumerate(zip(scores, moves[start:], results, strict=True), start + 1)
    lowering = [n for n, (found, at, best) in tried if textbook.sign(found[at]) < best]
    own = {n for n in lowering if (n % 2 == 1) == (page.game.human == "X")}
    let_in = {int(n) for n in re.findall("last mistake was move ([0-9])", said)}
    times = ["twice" if len(lowering) == 2 else f"{NUMBERS[len(lowering)]} times"]
    is_true = {
        "moves": all(int(n) > start for n in re.findall("[Mm]oves? ([0-9])", said)),
        "let in": let_in <= own,
        "level": not any(results) or "A draw all" not in said,
        "turned": re.findall("turned (.*?),", said) == (times if len(lowering) > 1 else []),
        "until": "A draw until" not in said or (not results[0] and len(lowering) == 1),
        "badge": [s for s, said in page.judged.items() if said.startswith("gave")]
        == [moves[n - 1] for n in lowering[-1:]],
        "list": all(move.number > start for move in page.told.moves),
        "first": not page.is_first_win,
    }
    return [name for name, holds in is_true.items() if not holds]


# What is said at an end


def squares_named(text: str) -> tuple[int, ...]:
    names = sorted(SQUARE_NAMES, key=len, reverse=True)
    return tuple(SQUARE_NAMES.index(name) for name in re.findall("|".join(names), text))


def numbers(text: str) -> list[int]:
    return [NUMBERS.index(word) for word in text.lower().split() if word in NUMBERS]


def is_so(page: Page, said: str) -> bool:
    """Say whether it is true how a game was lost: until when, by what, what was right instead."""
    moves, human = page.game.moves, page.game.human
    number = max(int(digit) for digit in re.findall("[0-9]", said))
    before, after = boards(moves)[number - 1 : number + 1]
    answered, foe = textbook.children(after)[moves[number]], textbook.other(human)
    scores, holding = textbook.move_scores(before), textbook.holding(before)
    begins, because = said.split(": ")
    named = squares_named(because)
    gave_a_win = "winning" in begins or "win away" in begins
    lets_in = scores[moves[number - 1]] < 0 or page.ending == "drawn"
    if max(scores.values()) < 0 or moves[number - 1] in holding or not lets_in:
        return False
    if not re.match("Right|.*turned", begins) and gave_a_win != (max(scores.values()) > 0):
        return False
    if "open" in because:
        return named == holding == (moves[number],) and textbook.winner(answered) == foe
    if "threats" in because:
        played = named == moves[number - 1 : number + 1]
        return played and numbers(because) == [len(textbook.wins_at(answered, foe))] > [1]
    kept = "would have won." if max(scores.values()) > 0 else "(was|were) safe."
    if re.search(f"{kept}$", because):
        is_all = len(scores) == len(holding) + 1
        is_right = named == holding if named else numbers(because) == [len(holding)]
        return is_right and (("other" in because) == is_all or named == holding[:1])
    return False


@pytest.mark.long
def test_what_is_said_of_a_game_lost_or_held_is_so_and_never_twice_alike(app: Flask) -> None:
    say, mistakes = macros(app, "play/_words.html"), macros(app, "site/_mistakes.html")
    rng, said = Random(3), set[str]()
    games = {human: [*textbook.games_against_perfect(human)] for human in get_args(Mark)}
    played = [Game(moves, "perfect", human) for human in games for moves in one_in(2, games[human])]
    ended = [
        game
        for game in games_at_random(1500 if positions.all_images else 600)
        if textbook.over(boards(game)[-1])
    ]
    played += [Game(moves, "random", rng.choice(get_args(Mark))) for moves in ended]
    for game in played:
        page, later = (
            Page(replace(game, record=Record().tallied(game.opponent, Tally(0, n, n))))
            for n in (0, 1)
        )
        if page.ending == "lost":
            them = say.opponent(page)
            both = [str(mistakes.slipped(it, them)) for it in (page, later)]
            assert is_so(page, both[0]) and is_so(later, both[1]), (game.moves, both)
            assert both[0] != both[1]
            assert page.slip, "so it was lost"
            short = str(mistakes.in_short(page, them))
            held = textbook.holding(boards(game.moves)[page.slip.number - 1])
            assert both[0].endswith(short[1:]) or numbers(short) == [len(held)]
            assert len(short) <= 40, "a line of a phone"
            said.add(page.cause)
            threats = textbook.wins_at(boards(game.moves)[-3], textbook.other(game.human))
            slow = page.cause == "other" and len(threats) > 1
            screen = {"open": 2, "fork": 3}.get("fork" if slow else page.cause)
            leads_to = page.lesson.screen if page.lesson else None
            assert leads_to == (screen if page.told.turns == 1 else None)
            if slow and page.lesson:
                said.add("slow fork")
        elif page.ending == "held":
            both = [str(say.farewell(it)) for it in (page, later)]
            assert both[0] != both[1] and str(say.hello(page)) != str(say.hello(later))
            end = boards(game.moves)[-1]
            assert all(game.human in (end[int(square)] for square in row) for row in textbook.ROWS)
            own = range("XO".index(game.human), 9, 2)
            tries = [textbook.move_scores(boards(game.moves)[number]) for number in own]
            only = [found for found in tries if sum(value >= 0 for value in found.values()) == 1]
            saved = sum(len(found) > 1 for found in only)
            times = {1: "Once only", 2: "Twice only"}.get(saved)
            assert (
                str(say.saved(page.told)).startswith(times or ("No square", "At move", "Twice you"))
                or numbers(str(say.saved(page.told)))[0] == saved
            )
            assert len(str(say.saved(page.told))) <= 45, "a line of a phone"
            if at := re.match(r"At move (\d) (\w+) squares? lost", str(say.saved(page.told))):
                losing = [value < 0 for value in tries[(int(at[1]) - 1) // 2].values()]
                lost = [sum(value < 0 for value in found.values()) for found in tries]
                assert numbers(at[2]) == [sum(losing)] and len([*filter(None, lost)]) == 1
                said.add("at one move")
            said.add(f"saved {saved}")
    assert said > set(get_args(Cause)) | {"saved 1", "saved 2", "at one move", "slow fork"}


# Bad input


def test_an_outdated_session_means_a_new_game(client: FlaskClient) -> None:
    outdated: tuple[object, ...] = ("X---O----", {"moves": [0, 4]}, [], None)
    for data in outdated:
        with client.session_transaction() as session:
            session["game"] = data
        assert board_of(parse(client.get("/"))) == EMPTY
        sent = parts_sent(client, "/move", square="0", position="X---O----")
        assert "The game was not kept" in sent["status"]
        assert len({*CELLS} & {*parts_sent(client, "/move", square="0", position=EMPTY)}) == 2


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
