"""The game page: what it shows, what a click sends, and that nothing is lost or played twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask, request
from flask.testing import FlaskClient

from app import create_app
from engine.position import Mark
from tests import textbook
from tests.conftest import CELLS, HTMX, KEY, Scripted, board_of, game_of, parse, status_of
from web.play.drawn import draw
from web.play.game import Game
from web.play.saved import stamp

EMPTY = "---------"
Resume = Callable[..., None]


def parts_sent(client: FlaskClient, url: str, **data: str) -> dict[str, str]:
    """Post as htmx does; return each id of the fragment with its HTML, having seen nothing else."""
    response = client.post(url, data=data, headers=HTMX)
    assert response.status_code == 200
    soup = parse(response)
    parts = [child for child in soup.children if str(child).strip()]
    assert all(part.has_attr("data-hx-swap-oob") or part.name == "title" for part in parts)  # type: ignore[attr-defined]
    ids = [name_of(part) for part in parts]
    assert len(ids) == len(set(ids))
    return {name_of(part): str(part) for part in parts}


def page_parts(client: FlaskClient) -> dict[str, str]:
    """Return each swappable part of the whole page with its HTML."""
    soup = parse(client.get("/"))
    return {name_of(part): str(part) for part in soup.select("[data-hx-swap-oob], title")}


def seat(soup: BeautifulSoup, name: str) -> str:
    (drawn,) = soup.select(f"#{name}")
    return drawn.get_text(" ", strip=True)


def parse_text(html: str) -> str:
    return BeautifulSoup(html, "html.parser").get_text()


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
    assert "Your move" in seat(soup, "you")
    assert "Set-Cookie" not in response.headers


def test_the_page_shows_the_game_of_the_session(client: FlaskClient, resume: Resume) -> None:
    resume("0418")
    soup = parse(client.get("/"))
    assert board_of(soup) == "XX--O---O"
    assert [cell["aria-label"] for cell in soup.select(".cell")][:3] == [
        "top left, X",
        "top centre, X",
        "top right, empty",
    ]
    moves = [link.get_text() for link in soup.select("#aside .moves a")]
    assert moves[:3] == ["1top left", "2centre, only move!", "3top centre"]


@pytest.mark.parametrize(
    ("moves", "human", "opponent", "sentence"),
    [
        ("", "X", "random", "I take any square, without a thought."),
        ("4", "O", "perfect", "X: centre. Your move."),
        (
            "04",
            "X",
            "random",
            "O: centre. Your move. Any square will do. I took one of eight. Why?",
        ),
        ("0412", "X", "perfect", "I had to: you would have won right here. Why?"),
    ],
)
def test_the_status_tells_the_reply_and_what_the_opponent_says_of_it(
    client: FlaskClient, resume: Resume, moves: str, human: str, opponent: str, sentence: str
) -> None:
    resume(moves, opponent, human)
    assert sentence in status_of(parse(client.get("/")))


@pytest.mark.parametrize(
    ("moves", "human", "opponent", "verdict", "sentence"),
    [
        ("03142", "O", "random", "Random wins.", "Level until move 2."),
        ("031485", "X", "random", "Random wins.", "It turned twice, the last time at move 5"),
        ("03142", "X", "random", "You beat Random.", "Your first win. Level until move 2."),
        ("012436587", "X", "random", "A draw.", "It turned 6 times, the last time at move 8"),
        ("421735806", "X", "perfect", "You held it to a draw.", "Level to the end. Move 7 had"),
        ("42170835", "X", "perfect", "Perfect wins.", "Level until move 5. Then came the fork."),
    ],
)
def test_the_end_has_a_verdict_and_one_sentence_with_the_turning_point(
    client: FlaskClient,
    resume: Resume,
    moves: str,
    human: str,
    opponent: str,
    verdict: str,
    sentence: str,
) -> None:
    resume(moves, opponent, human)
    soup = parse(client.get("/"))
    (heading,) = soup.select("#status .verdict")
    assert heading.get_text() == verdict
    assert sentence in status_of(soup)
    assert soup.select("#story svg")
    assert str(soup.title and soup.title.string).startswith(verdict[:-1])


def test_a_practice_game_says_so_at_both_ends(client: FlaskClient, resume: Resume) -> None:
    resume("01", "perfect", set_up=2)
    assert "This is practice: it does not count." in status_of(parse(client.get("/")))
    resume("0143268", "perfect", set_up=2)
    assert "You beat Perfect from here." in status_of(parse(client.get("/")))
    resume("0143268", "perfect", set_up=1)
    soup = parse(client.get("/"))
    assert soup.title and str(soup.title.string).startswith("You beat Perfect from here")
    resume("0143268", "perfect")
    soup = parse(client.get("/"))
    assert soup.title and str(soup.title.string).startswith("You beat Perfect ·")
    resume("042163587", "perfect", set_up=2)
    assert "A draw." in status_of(parse(client.get("/")))
    resume("0", "perfect", "O", set_up=1)
    assert "This is practice: it does not count." in status_of(parse(client.get("/")))


def test_two_lines_at_once_are_both_filled(client: FlaskClient, resume: Resume) -> None:
    resume("012365874")
    winning = parse(client.get("/")).select('.wins[aria-label*="X, winning line"]')
    assert [cell["id"] for cell in winning] == ["cell-0", "cell-2", "cell-4", "cell-6", "cell-8"]


@pytest.mark.parametrize(
    ("moves", "opponent", "square", "badge"),
    [
        ("42170835", "perfect", 0, "??"),  # X top left lost the draw
        ("46718053", "perfect", 8, "??"),  # the same game, turned half round
        ("421735806", "perfect", 8, "!"),  # X bottom right was the only way to hold
        ("045712638", "perfect", 6, "!"),  # the later of two moves that had only one way
        ("31425", "random", None, ""),  # still going on
    ],
)
def test_the_board_shows_at_the_end_the_move_that_decided(
    client: FlaskClient, resume: Resume, moves: str, opponent: str, square: int, badge: str
) -> None:
    resume(moves[:4] if square is None else moves, opponent)
    badges = parse(client.get("/")).select(".cell .glyph")
    assert [badge.get_text() for badge in badges] == ([badge] if badge else [])
    for found in badges:
        assert found.parent and found.parent["id"] == f"cell-{square}"


def test_only_the_first_win_against_an_opponent_is_called_that(
    client: FlaskClient, resume: Resume
) -> None:
    for moves, counts, first in (
        ("03142", [0, 4, 2, 0], True),
        ("03142", [1, 0, 0, 0], False),
        ("42170835", [0, 0, 0, 0], False),  # a loss
    ):
        resume(moves, tallies={"random": counts})
        assert ("Your first win." in status_of(parse(client.get("/")))) == first


def test_a_win_in_practice_is_no_first_win(client: FlaskClient, resume: Resume) -> None:
    resume("03142", set_up=2)
    said = status_of(parse(client.get("/")))
    assert "You beat Random from here." in said
    assert "Your first win." not in said


@pytest.mark.parametrize(
    ("moves", "human", "drawn"),
    [("04", "X", ["cell-4"]), ("408", "O", ["cell-8"]), ("042163587", "X", []), ("", "X", [])],
)
def test_the_reply_alone_draws_itself(
    client: FlaskClient, resume: Resume, moves: str, human: str, drawn: list[str]
) -> None:
    resume(moves, human=human)
    soup = parse(client.get("/"))
    cells = soup.select(".cell.new")
    assert [cell["id"] for cell in cells] == drawn
    assert soup.select(".cell.last") == cells
    assert all(cell["data-mark"] != human for cell in cells)


def test_the_seats_count_draws_and_wins_by_opponent(client: FlaskClient, resume: Resume) -> None:
    tallies = {"random": [1, 2, 3, 0], "perfect": [0, 10, 400, 0]}
    for moves, opponent, mine, theirs in (
        ("04", "random", "1wins"[:4], "3wins"),
        ("04", "perfect", "10draws", "400wins"),
        ("03142", "random", "2wins", "3wins"),
        ("42170835", "perfect", "10draws", "401wins"),
    ):
        resume(moves, opponent, tallies=tallies)
        soup = parse(client.get("/"))
        counts = [soup.select(f"#{name} data")[0].get_text() for name in ("you", "opponent")]
        assert counts == [mine, theirs]
    resume("04", "random", tallies=tallies)
    assert "2 drawn" in seat(parse(client.get("/")), "opponent")


@pytest.mark.parametrize(
    ("running", "said"), [(0, "held Perfect"), (1, "2 draws running"), (2, "3 draws running")]
)
def test_a_draw_with_perfect_fills_the_seat_and_counts_the_run(
    client: FlaskClient, resume: Resume, running: int, said: str
) -> None:
    resume("421735806", "perfect", tallies={"perfect": [0, running, 7, running]})
    soup = parse(client.get("/"))
    assert said in seat(soup, "you")
    assert soup.select("#you.won.X")
    resume("421735806", "random")
    assert not parse(client.get("/")).select("#you.won")


def test_after_the_end_nobody_is_to_move(client: FlaskClient, resume: Resume) -> None:
    for moves, to_move in (("", True), ("04", True), ("03142", False)):
        resume(moves)
        soup = parse(client.get("/"))
        assert bool(soup.select("#you.now")) == ("Your move" in seat(soup, "you")) == to_move


def test_the_opponent_looks_as_it_fares(client: FlaskClient, resume: Resume) -> None:
    faces = set()
    for moves, opponent in (
        ("04", "perfect"),
        ("42170835", "perfect"),
        ("421735806", "perfect"),
        ("04", "random"),
    ):
        resume(moves, opponent)
        (face,) = parse(client.get("/")).select("#opponent summary .face")
        faces.add(str(face))
    assert len(faces) == 4


# Fragments

KINDS = {
    # kind of move: (moves so far, opponent, human), route, form, cells changed
    "a first move": ("", "random", "X", "/move", {"square": "8"}, {8, 0}),
    "an ordinary move": ("04", "random", "X", "/move", {"square": "8"}, {1, 4, 8}),
    "a move that wins": ("0314", "random", "X", "/move", {"square": "2"}, set(range(9))),
    "a move that loses": ("0314", "perfect", "X", "/move", {"square": "8"}, set(range(9))),
    "a ninth square that draws": (
        "04216358",
        "perfect",
        "X",
        "/move",
        {"square": "7"},
        set(range(9)),
    ),
    "a first move as O": ("4", "perfect", "O", "/move", {"square": "0"}, {0, 1, 4}),
    "a new game": ("0418", "random", "X", "/new", {}, {0, 1, 4, 8}),
    "a new game after the end": ("03142", "random", "X", "/new", {}, set(range(9))),
    "a new game as O": ("", "random", "X", "/new", {"mark": "O"}, set(range(9))),
    "a new opponent": ("0418", "random", "X", "/new", {"difficulty": "perfect"}, {0, 1, 4, 8}),
    "a take back": ("0418", "random", "X", "/undo", {}, {1, 4, 8}),
    "a take back of the end": ("03142", "random", "X", "/undo", {}, set(range(9))),
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
    client: FlaskClient, resume: Resume
) -> None:
    resume("04")
    stamp_ = parse(client.get("/")).select_one("#screen [name=stamp]")
    assert stamp_
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


def test_a_stale_move_is_not_played(client: FlaskClient, resume: Resume) -> None:
    resume("04")
    sent = parts_sent(client, "/move", square="8", position=EMPTY)
    assert "The game moved on in another tab. This is the current board." in sent["status"]
    assert game_of(client).moves == (0, 4)


def test_a_stale_take_back_is_not_done(client: FlaskClient, resume: Resume) -> None:
    resume("04")
    assert "moved on" in parts_sent(client, "/undo", position=EMPTY)["status"]
    assert game_of(client).moves == (0, 4)


# What can be pressed on a page besides a square; perfect is the opponent already.
BESIDE = [
    ("/undo", {}),
    ("/new", {"difficulty": "perfect"}),
    ("/hint", {"hint": "danger"}),
    ("/voice", {"voice": "off"}),
    ("/tally", {}),
]


@pytest.mark.parametrize(("url", "form"), BESIDE)
def test_a_page_left_behind_is_told_so_whatever_is_pressed(
    client: FlaskClient, resume: Resume, url: str, form: dict[str, str]
) -> None:
    resume("04", "perfect")
    sent = parts_sent(client, url, position="-X--O----", **form)
    assert "The game moved on in another tab." in sent["status"]


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


def test_a_template_that_is_edited_is_drawn_anew(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for debug, is_drawn in ((False, False), (True, True)):
        client.get("/")
        before = draw.cache_info().misses
        monkeypatch.setattr(app, "debug", debug)
        client.get("/")
        assert (draw.cache_info().misses != before) == is_drawn


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


def test_without_cookies_or_javascript_the_page_says_what_is_wrong(app: Flask) -> None:
    client = app.test_client(use_cookies=False)
    response = client.post("/move", data={"square": "1", "position": "X---O----"})
    assert "needs cookies" in status_of(parse(client.get(response.headers["Location"])))


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


def test_settings_stand_in_place_of_the_actions_until_the_first_move(
    client: FlaskClient, resume: Resume
) -> None:
    for moves, human, shown in (
        ("", "X", ["difficulty-perfect", "difficulty-random", "mark-X", "mark-O"]),
        ("4", "O", ["difficulty-perfect", "difficulty-random", "mark-X", "mark-O"]),
        ("04", "X", ["undo", "hint", "new"]),
        ("408", "O", ["undo", "hint", "new"]),
        ("42170835", "X", ["again", "retry", "why"]),
        ("421735806", "X", ["again", "swap", "why"]),
    ):
        resume(moves, "perfect", human)
        actions = parse(client.get("/")).select("#actions button, #actions a")
        assert [action["id"] for action in actions] == shown


def test_what_is_chosen_can_be_pressed_and_does_nothing(
    client: FlaskClient, resume: Resume
) -> None:
    resume("04", unfinished={"moves": "408", "opponent": "perfect", "human": "O", "set_up": 0})
    game = game_of(client)
    soup = parse(client.get("/"))
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


def test_there_is_no_take_back_where_there_is_nothing_to_take_back(
    client: FlaskClient, resume: Resume
) -> None:
    for moves, human in (("", "X"), ("4", "O")):
        resume(moves, human=human)
        assert not parse(client.get("/")).select("#undo")
    resume("04")
    assert [button.get_text() for button in parse(client.get("/")).select("#undo")] == ["Take back"]


# After the end


def test_retry_goes_back_to_the_board_before_the_move_that_gave_the_game_away(
    client: FlaskClient, resume: Resume
) -> None:
    resume("42170835", "perfect", tallies={"perfect": [0, 3, 7, 2]})
    (retry,) = parse(client.get("/")).select("#retry")
    assert (retry.get_text(), retry["value"]) == ("Retry move 5", "4217")
    client.post("/new", data={str(retry["name"]): str(retry["value"])})
    game = game_of(client)
    assert (game.moves, game.set_up, game.human) == ((4, 2, 1, 7), 4, "X")
    assert game.tallies["perfect"] == (0, 3, 8, 0)  # the loss stands


def test_a_move_that_was_set_up_is_not_retried(client: FlaskClient, resume: Resume) -> None:
    for set_up, buttons in ((4, 1), (6, 0)):
        resume("42170835", "perfect", set_up=set_up)
        assert len(parse(client.get("/")).select("#retry")) == buttons


def test_where_no_move_gave_the_game_away_the_other_mark_is_offered(
    client: FlaskClient, resume: Resume
) -> None:
    resume("42170835", "perfect", "O")  # X gave it away
    (swap,) = parse(client.get("/")).select("#swap")
    assert swap.get_text() == "Now as X"
    resume("421735806", "perfect")
    (swap,) = parse(client.get("/")).select("#swap")
    assert swap.get_text() == "Now as O"
    client.post("/new", data={str(swap["name"]): str(swap["value"])})
    assert game_of(client).human == "O"


def test_the_end_leads_to_the_study_page(client: FlaskClient, resume: Resume) -> None:
    for set_up, reader in ((0, "?you=X"), (2, "")):
        resume("42170835", "perfect", set_up=set_up)
        links = parse(client.get("/")).select("#why, #share")
        assert [link["href"] for link in links] == [f"/study/42170835{reader}"] * 2
        assert client.get(str(links[0]["href"])).status_code == 200


def test_only_a_draw_held_against_perfect_is_looked_back_on(
    client: FlaskClient, resume: Resume
) -> None:
    for moves, opponent, words in (
        ("421735806", "perfect", "Look back"),
        ("421735806", "random", "See why"),
        ("42170835", "perfect", "See why"),
    ):
        resume(moves, opponent)
        assert parse(client.get("/")).select("#why")[0].get_text() == words


def test_why_leads_to_the_reply(client: FlaskClient, resume: Resume) -> None:
    resume("0418", "perfect")
    (link,) = parse(client.get("/")).select("#status a")
    assert link["href"] == "/study/0418?at=4&you=X&difficulty=perfect"
    assert client.get(str(link["href"])).status_code == 200


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
    chips = {
        str(chip.parent["id"]): chip.get_text()
        for chip in soup.select(".cell .chip")
        if chip.parent
    }
    assert chips == {
        "cell-0": "O wins",
        "cell-3": "draw",
        "cell-5": "draw",
        "cell-6": "draw",
        "cell-8": "draw",
    }
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
    client: FlaskClient, resume: Resume
) -> None:
    tallies = {"random": [1, 2, 3, 0], "perfect": [0, 10, 400, 2]}
    resume("0418", "perfect", tallies=tallies)
    soup = parse(client.get("/"))
    assert soup.select("details.clear:not([open]) + #clear")
    client.post("/tally")
    game = game_of(client)
    assert game.moves == (0, 4, 1, 8)
    assert game.tallies == {"random": (1, 2, 3, 0), "perfect": (0, 0, 0, 0)}
    assert not parse(client.get("/")).select("#clear")


def test_clearing_the_tally_after_the_end_begins_a_game(
    client: FlaskClient, resume: Resume
) -> None:
    resume("42170835", "perfect", tallies={"perfect": [0, 10, 400, 2]})
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


# Bad input


@pytest.mark.parametrize("square", ["0", "4"])
def test_a_taken_square_is_not_played_again(
    client: FlaskClient, resume: Resume, square: str
) -> None:
    resume("04")
    sent = parts_sent(client, "/move", square=square, position="X---O----")
    assert "That square is taken. Choose an empty one." in sent["status"]
    assert game_of(client).moves == (0, 4)


def test_no_move_is_played_after_the_end(client: FlaskClient, resume: Resume) -> None:
    resume("03142")
    sent = parts_sent(client, "/move", square="8", position="XXXOO----")
    assert "The game is over. Start a new one." in sent["status"]
    assert game_of(client).moves == (0, 3, 1, 4, 2)


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


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("//", 200),
        ("//proof", 200),
        ("//elsewhere.example", 404),
        ("/proof//", 404),
        ("/study//X---O----", 404),
        ("/study/X---O----//", 404),
        ("/static//play.css", 404),
    ],
)
def test_a_path_with_empty_parts_never_leads_to_the_host_that_was_asked_for(
    client: FlaskClient, path: str, code: int
) -> None:
    answer = client.get("/", environ_overrides={"PATH_INFO": path, "HTTP_HOST": "evil.example"})
    assert (answer.status_code, answer.headers.get("Location")) == (code, None)


def test_a_mistake_of_ours_gets_a_page_and_costs_no_game(
    client: FlaskClient, app: Flask, resume: Resume, monkeypatch: pytest.MonkeyPatch
) -> None:
    resume("04")
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr(Game, "play", lambda *_: 1 // 0)
    response = client.post("/move", data={"square": "1", "position": "X---O----"})
    assert response.status_code == 500
    assert [h1.text for h1 in parse(response).select("h1")] == ["Something went wrong."]
    assert board_of(parse(client.get("/"))) == "X---O----"
    assert game_of(client).moves == (0, 4)


# Headers


def test_looking_never_sets_the_cookie(client: FlaskClient, resume: Resume) -> None:
    resume("04")
    for url in ("/", "/?notice=taken", "/study/04", "/nowhere"):
        assert "Set-Cookie" not in client.get(url).headers


def test_asking_for_the_head_of_a_page_tells_the_same_of_it(client: FlaskClient) -> None:
    for url in ("/", "/proof", "/study/04", "/static/play.css", "/nowhere"):
        head, page = client.head(url), client.get(url)
        assert head.status_code == page.status_code
        assert head.headers.get("ETag") == page.headers.get("ETag")
        assert head.headers["Cache-Control"] == page.headers["Cache-Control"]


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
@pytest.mark.parametrize("url", ["/proof", "/study/04", "/static/play.css"])
def test_what_a_browser_has_already_is_not_sent_again(
    client: FlaskClient, url: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"Accept-Encoding": encoding}
    first = client.get(url, headers=headers)
    assert first.headers.get("Content-Encoding", "identity") == encoding
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)  # gzip writes the time into its head
    again = client.get(url, headers={**headers, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    other = client.get(url, headers={**headers, "If-None-Match": '"another"'})
    assert other.status_code == 200


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
            assert line.strip()
            assert not line.startswith("   ")


def test_over_https_the_browser_is_told_to_stay_with_it(client: FlaskClient) -> None:
    assert "Strict-Transport-Security" not in client.get("/").headers
    secure = client.get("/", base_url="https://localhost").headers
    assert secure["Strict-Transport-Security"] == "max-age=31536000"


def test_a_trusted_proxy_says_what_the_browser_asked_for() -> None:
    behind = {
        "X-Forwarded-For": "198.51.100.1",
        "X-Forwarded-Host": "play.example",
        "X-Forwarded-Proto": "https",
    }
    post = {"headers": {**behind, "Origin": "https://play.example"}}
    for proxies, code in ((0, 403), (1, 303)):
        app = create_app({"SECRET_KEY": KEY, "TRUSTED_PROXIES": proxies})
        asked_by: list[str | None] = []
        app.before_request(lambda asked_by=asked_by: asked_by.append(request.remote_addr))
        assert app.test_client().post("/new", **post).status_code == code
        headers = app.test_client().get("/", headers=behind).headers
        assert ("Strict-Transport-Security" in headers) == (proxies == 1)
        assert set(asked_by) == {"127.0.0.1"}  # whoever that claims to ask for


def test_of_what_proxies_say_only_what_the_trusted_ones_say_is_believed() -> None:
    # Each adds what it was asked for: the browser's own claim comes first, the nearest proxy last.
    for said, proxies, secure in (
        ("https, http", 1, False),
        ("https, http", 2, True),
        ("http, https", 1, True),
        ("http, https", 2, False),
        ("https, http, http", 2, False),
    ):
        app = create_app({"SECRET_KEY": KEY, "TRUSTED_PROXIES": proxies})
        headers = app.test_client().get("/", headers={"X-Forwarded-Proto": said}).headers
        assert ("Strict-Transport-Security" in headers) == secure


def test_a_server_says_that_it_is_well(client: FlaskClient) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.text) == (200, "ok\n")
    assert response.headers["Cache-Control"] == "no-store"
