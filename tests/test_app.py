"""The routes: what a page holds, what a fragment holds, and what bad input gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask, request
from flask.testing import FlaskClient

from app import create_app
from tests import textbook
from tests.conftest import CELLS, HTMX, KEY, Scripted, board_of, game_of, parse, status_of
from web.play.game import Game
from web.play.parts import stamp

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
    assert status_of(soup) == "You are X. Your turn."
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
    assert [li.get_text() for li in soup.select("#more li")] == [
        "X top left",
        "O centre",
        "X top centre",
        "O bottom right",
    ]


@pytest.mark.parametrize(
    ("moves", "human", "difficulty", "sentence"),
    [
        ("", "X", "random", "You are X. Your turn."),
        ("4", "O", "random", "X: centre. You are O. Your turn."),
        ("04", "X", "random", "O: centre. Your turn."),
        ("031", "O", "random", "X: top centre. Your turn."),
        ("03142", "O", "random", "X: top right. You lost: X took the top row."),
        ("031485", "X", "random", "O: middle right. You lost: O took the middle row."),
        (
            "031485",
            "O",
            "perfect",
            "O: middle right. Your first win. You win: O took the middle row.",
        ),
        ("012436587", "X", "random", "X: bottom centre. A draw."),
        (
            "012436587",
            "X",
            "perfect",
            "X: bottom centre. Nobody can do better. A draw: Perfect could not beat you.",
        ),
    ],
)
def test_the_status_says_where_the_game_stands(
    client: FlaskClient, resume: Resume, moves: str, human: str, difficulty: str, sentence: str
) -> None:
    resume(moves, difficulty, human)
    assert status_of(parse(client.get("/"))) == sentence


def test_two_lines_at_once_are_both_drawn_and_told_of_each_square(
    client: FlaskClient, resume: Resume
) -> None:
    resume("012365874")
    soup = parse(client.get("/"))
    assert status_of(soup).endswith("You win: X took two lines.")
    assert len(soup.select("#strike path")) == 2
    winning = soup.select('[aria-label$="X, winning line"]')
    assert [cell["id"] for cell in winning] == ["cell-0", "cell-2", "cell-4", "cell-6", "cell-8"]


def test_a_draw_from_a_position_set_up_is_just_a_draw(client: FlaskClient) -> None:
    client.post("/new", data={"moves": "04216358", "mark": "X", "difficulty": "perfect"})
    client.post("/move", data={"square": "7", "position": str(game_of(client).position)})
    soup = parse(client.get("/"))
    assert status_of(soup) == "X: bottom centre. A draw."
    assert not soup.select("#strike *")


def test_only_the_first_win_against_an_opponent_is_called_that(
    client: FlaskClient, resume: Resume
) -> None:
    for counts, first in (("0 4 2 3 0 0", True), ("1 0 0 0 0 0", False)):
        resume("03142", counts=counts)
        assert ("Your first win." in status_of(parse(client.get("/")))) == first


def test_the_score_is_of_this_opponent_and_hidden_until_there_is_one(
    client: FlaskClient, resume: Resume
) -> None:
    def score() -> str:
        return parse(client.get("/")).select("#score")[0].get_text()

    assert score() == "Perfect never loses. Try, and see why."
    resume("", "random")
    assert score() == "Random picks any square. You can win."
    for difficulty in ("random", "perfect"):
        resume("04", difficulty)
        assert score() == ""
    resume("4", "perfect", "O", counts="1 2 3 0 0 0")
    assert score() == "Perfect never loses. Try, and see why."
    resume("04", "random", counts="1 2 3 0 10 400")
    assert score() == "You (X) 1 draws 2 Random (O) 3"
    resume("4", "perfect", "O", counts="1 2 3 0 10 400")
    assert score() == "You (O) 0 draws 10 Perfect (X) 400"
    resume("03142", "random", counts="1 2 3 0 10 400")
    assert score() == "You (X) 2 draws 2 Random (O) 3"


def test_the_title_says_how_the_game_ended(client: FlaskClient, resume: Resume) -> None:
    for moves, difficulty, human, title in (
        ("04", "random", "X", "Tic-tac-toe"),
        ("03142", "random", "X", "You win · Tic-tac-toe"),
        ("03142", "random", "O", "You lost · Tic-tac-toe"),
        ("042163587", "perfect", "X", "Draw · Tic-tac-toe"),
        ("042163587", "random", "X", "Draw · Tic-tac-toe"),
    ):
        resume(moves, difficulty, human)
        assert [tag.get_text() for tag in parse(client.get("/")).select("title")] == [title]


# Fragments

KINDS = {
    # kind of move: (moves so far, opponent, human), route, form, cells changed
    "an ordinary move": ("", "random", "X", "/move", {"square": "8"}, {8, 0}),
    "a move that wins": ("0314", "random", "X", "/move", {"square": "2"}, {0, 1, 2, 5, 6, 7, 8}),
    "a move that loses": ("0314", "perfect", "X", "/move", {"square": "8"}, {2, 3, 4, 5, 6, 7, 8}),
    "a ninth square that draws": ("04216358", "perfect", "X", "/move", {"square": "7"}, {7}),
    "a first move as O": ("4", "perfect", "O", "/move", {"square": "0"}, {0, 1}),
    "a new game": ("0418", "random", "X", "/new", {}, {0, 1, 4, 8}),
    "a new game after the end": ("03142", "random", "X", "/new", {}, set(range(9))),
    "a new game as O": ("", "random", "X", "/new", {"mark": "O"}, set(range(9))),
    "a new opponent": ("0418", "random", "X", "/new", {"difficulty": "perfect"}, {0, 1, 4, 8}),
    "a take back": ("0418", "random", "X", "/undo", {}, {1, 8}),
    "a take back of the end": ("03142", "random", "X", "/undo", {}, {0, 1, 2, 5, 6, 7, 8}),
    "a take back with nothing to take": ("4", "random", "O", "/undo", {}, set()),
    "a choice of what is chosen": ("04", "random", "X", "/new", {"difficulty": "random"}, set()),
    "results": ("0314", "random", "X", "/results", {"show": "yes"}, {2, 5, 6, 7, 8}),
    "results again": ("0314", "random", "X", "/results", {"show": "no"}, set()),
    "no reasons": ("04", "random", "X", "/reasons", {"show": "no"}, set()),
    "a taken square": ("04", "random", "X", "/move", {"square": "4"}, set()),
    "a move after the end": ("03142", "random", "X", "/move", {"square": "8"}, set()),
}


def test_what_a_kind_of_click_leaves_alone_it_does_not_send(
    client: FlaskClient, resume: Resume
) -> None:
    resume("04")
    sent = parts_sent(client, "/move", square="1", position="X---O----")
    assert set(sent) == {"screen", "status", "cell-1", "cell-2", "reason", "more"}
    sent = parts_sent(client, "/new", position=str(game_of(client).position), difficulty="random")
    assert set(sent) == {"status"}
    sent = parts_sent(client, "/reasons", position=str(game_of(client).position), show="no")
    assert set(sent) == {"screen", "status", "reason"}


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
    assert len(cells_in(sent)) == 2


@pytest.mark.parametrize(
    ("url", "form"),
    [("/move", {"square": "1"}), ("/new", {}), ("/undo", {}), ("/results", {"show": "yes"})],
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
    ("/results", {"show": "yes"}),
    ("/reasons", {"show": "no"}),
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


def test_a_game_that_was_set_up_says_that_it_does_not_count(
    client: FlaskClient, resume: Resume
) -> None:
    def shown() -> bool:
        return "practice" in parse(client.get("/")).select("#score")[0].get_text()

    resume("04")
    assert not shown()
    client.post("/new", data={"moves": "041"})
    assert shown()
    client.post("/new")
    assert not shown()


def test_how_to_read_the_results_is_there_while_they_are(
    client: FlaskClient, resume: Resume
) -> None:
    def more() -> str:
        return parse(client.get("/")).select("#more")[0].get_text()

    resume("04", settings="shown told")
    assert "What each square leads to" in more()
    assert "how many of O's answers keep it: top centre 1 of 6, top right 1 of 6" in more()
    resume("03142", settings="shown told")
    assert "leads to" not in more()
    resume("01", settings="shown told")
    assert "answers" in more()
    client.post("/results", data={"show": "no"})
    assert "answers" not in more()


def test_a_notice_that_is_none_is_not_said(client: FlaskClient) -> None:
    page = parse(client.get(f"/?notice=<b>hello</b>&stamp={stamp(Game())}"))
    assert status_of(page) == "You are X. Your turn."


def test_a_notice_is_said_only_of_the_game_it_was_given_about(
    client: FlaskClient, resume: Resume
) -> None:
    resume("04")
    undone = client.post("/undo").headers["Location"]
    assert status_of(parse(client.get(undone))) == "Taken back. You are X. Your turn."
    assert status_of(parse(client.get("/?notice=undone"))) == "You are X. Your turn."
    resume("031425"[:5])
    assert "You win" in status_of(parse(client.get(undone)))


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
    assert "Your turn." in sent["status"]
    assert "moved on" not in sent["status"]
    assert game_of(client).moves == ((0, 4) if square == "0" else (0, 8, 1, 4))


# Settings


def test_a_setting_left_out_of_a_new_game_stays(client: FlaskClient) -> None:
    client.post("/new", data={"difficulty": "random", "mark": "O"})
    client.post("/new")
    game = game_of(client)
    assert (game.difficulty, game.human, len(game.moves)) == ("random", "O", 1)
    client.post("/new", data={"mark": "X"})
    game = game_of(client)
    assert (game.difficulty, game.human, len(game.moves)) == ("random", "X", 0)


def test_settings_are_open_until_the_first_move(client: FlaskClient, resume: Resume) -> None:
    for moves, human, is_open in (
        ("", "X", True),
        ("4", "O", True),
        ("04", "X", False),
        ("408", "O", False),
        ("03142", "X", False),
    ):
        resume(moves, human=human)
        (settings,) = parse(client.get("/")).select("#settings")
        assert settings.has_attr("open") == is_open
        assert (
            settings.summary and settings.summary.get_text() == f"Against Random, you are {human}"
        )


def test_what_is_chosen_can_be_pressed_and_does_nothing(
    client: FlaskClient, resume: Resume
) -> None:
    resume("04", before="/perfect O 0 408")
    game = game_of(client)
    soup = parse(client.get("/"))
    chosen = soup.select("[aria-pressed=true]")
    assert [button["id"] for button in chosen] == ["difficulty-random", "mark-X"]
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
    assert "Back to the game before. Your turn." in parse_text(sent["status"])
    assert game_of(client) == game


def test_there_is_no_take_back_where_there_is_nothing_to_take_back(
    client: FlaskClient, resume: Resume
) -> None:
    for moves, human in (("", "X"), ("4", "O")):
        resume(moves, human=human)
        assert not parse(client.get("/")).select("#undo")
    resume("04")
    assert [button.get_text() for button in parse(client.get("/")).select("#undo")] == ["Take back"]


def test_a_new_game_is_offered_once_it_would_be_another(
    client: FlaskClient, resume: Resume
) -> None:
    for moves, offered in (("", ""), ("04", "new"), ("03142", "again")):
        resume(moves)
        buttons = parse(client.get("/")).select("#new, #again")
        assert "".join(str(button["id"]) for button in buttons) == offered


# Reasons


def reason_on(client: FlaskClient) -> str:
    return parse(client.get("/")).select("#reason")[0].get_text(" ", strip=True)


def test_each_reply_comes_with_its_reason_and_the_way_to_all_of_it(
    client: FlaskClient, resume: Resume
) -> None:
    resume("", "perfect")
    assert reason_on(client) == "Learn how Perfect decides, ten minutes"
    sent = parts_sent(client, "/move", square="0", position=EMPTY)
    assert "O centre: the only one of 8 moves that does not lose. Why?" in parse_text(
        sent["reason"]
    )
    (link,) = parse(client.get("/")).select("#reason a")
    assert link["href"] == "/why/04?you=X&difficulty=perfect"
    assert client.get(str(link["href"])).status_code == 200


@pytest.mark.parametrize(
    ("moves", "difficulty", "human", "sentence"),
    [
        #  X | X | O    O blocks
        #    | O |
        ("0412", "perfect", "X", "O top right: you were about to win there."),
        ("0412", "random", "X", "O top right: a lucky block: you were about to win there."),
        #  X | X | O    O blocks, with two of its own in the column
        #    |   | O
        ("0512", "perfect", "X", "O top right: you were about to win there, and now it can win."),
        #  X | O | X
        #  O | X |
        ("01234", "perfect", "O", "X centre: it threatens bottom left and bottom right; you can"),
        ("01234", "random", "O", "X centre: by luck it threatens bottom left and bottom right;"),
        (
            "0",
            "perfect",
            "O",
            "X top left: one of 9 moves that draw; a random player would lose to it",
        ),
        ("0", "random", "O", "X top left: picked at random; no move has a better result."),
        ("01", "random", "X", "O top centre: picked at random; now you can win."),
        ("04", "random", "X", "O centre: by luck the only one of 8 moves that does not lose."),
    ],
)
def test_the_reason_is_one_short_sentence(
    client: FlaskClient, resume: Resume, moves: str, difficulty: str, human: str, sentence: str
) -> None:
    resume(moves, difficulty=difficulty, human=human)
    assert reason_on(client).startswith(sentence)
    assert reason_on(client).removesuffix(" Why? ×").count(".") == 1


def test_reasons_can_be_switched_off_for_good_and_on_again(
    client: FlaskClient, resume: Resume
) -> None:
    resume("04")
    client.post("/reasons", data={"show": "no"})
    assert reason_on(client) == "Show reasons"
    client.post("/move", data={"square": "1", "position": "X---O----"})
    client.post("/new")
    assert reason_on(client) == "Show reasons"
    client.post("/reasons", data={"show": "yes"})
    client.post("/move", data={"square": "0", "position": EMPTY})
    assert "O top centre" in reason_on(client)


@pytest.mark.parametrize("data", [{}, {"show": "maybe"}])
def test_reasons_are_shown_or_not(client: FlaskClient, data: dict[str, str]) -> None:
    assert client.post("/reasons", data=data).status_code == 400


@pytest.mark.parametrize(
    ("moves", "human", "sentence"),
    [
        #  X | X | X
        #  O | O |
        ("03142", "X", "Turning point: O middle left gave the draw away."),
        (
            "031485",
            "X",
            "Turning point: your X bottom right gave a win away and let O win at middle right.",
        ),
        (
            "031485",
            "O",
            "Turning point: X bottom right gave a win away and let you win at middle right.",
        ),
        ("041263578", "X", "No turning point: nobody gave a win or a draw away."),
    ],
)
def test_the_end_says_where_the_game_turned(
    client: FlaskClient, resume: Resume, moves: str, human: str, sentence: str
) -> None:
    for settings in ("hidden told", "hidden untold"):
        resume(moves, human=human, settings=settings)
        where = parse(client.get("/")).select("#reason a")
        assert reason_on(client).removesuffix(" See it") == sentence
        assert bool(where) == ("Turning" in sentence)
        for link in where:  # to the very move
            page, _, move = str(link["href"]).partition("#")
            (item,) = parse(client.get(page)).select(f"#{move}[aria-current]")
            square = sentence.partition(": ")[2].removeprefix("your ").partition(" gave")[0]
            assert square in " ".join(item.get_text(" ", strip=True).split())


def test_a_move_that_was_set_up_is_not_called_the_players(
    client: FlaskClient, resume: Resume
) -> None:
    for given, whose in ((5, ""), (4, "your ")):
        resume("031485", human="X", given=given)
        assert reason_on(client).startswith(f"Turning point: {whose}X bottom right ")


@pytest.mark.parametrize("given", [0, 2])
def test_a_game_that_was_set_up_is_nobodys_to_the_pages_about_it(
    client: FlaskClient, resume: Resume, given: int
) -> None:
    about = "#review, #reason a, #more a[href^='/tree']"
    for moves in ("0314", "031485"):  # going on, and over
        resume(moves, human="X", given=given)
        links = [str(a["href"]) for a in parse(client.get("/")).select(about)]
        assert len(links) == 2
        assert all(("you=X" in link) == (given == 0) for link in links)
        assert all("you=O" not in link for link in links)


# Perfect, through every line of play


def games_against_perfect(client: FlaskClient, rng: Scripted, human: str) -> Iterator[Game]:
    """Play each of the human's moves against each reply perfect may choose; yield every end.

    The game lives in the cookie, so going back to a position is putting its cookie back.
    """

    def after(cookie: str | None, url: str, form: dict[str, str]) -> Iterator[Game]:
        pick, choices = 0, 1
        while pick < choices:
            rng.pick, rng.offered = pick, ()
            client.delete_cookie("session")
            if cookie:
                client.set_cookie("session", cookie)
            assert client.post(url, data=form, headers=HTMX).status_code == 200
            choices = len(rng.offered)
            yield from play_on(client.get_cookie("session").value)  # type: ignore[union-attr]
            pick += 1

    def play_on(cookie: str) -> Iterator[Game]:
        game = game_of(client)
        if game.position.outcome():
            yield game
        for square in game.position.legal_moves():
            form = {"square": str(square), "position": str(game.position)}
            yield from after(cookie, "/move", form)

    yield from after(None, "/new", {"mark": human})


def lines_by_the_textbook(human: str, board: str = EMPTY) -> Iterator[tuple[int, ...]]:
    """Yield the same games as moves, from the second implementation of the rules."""
    children, scores = textbook.children(board), textbook.move_scores(board)
    squares = list(scores)
    if textbook.turn(board) != human and squares:
        squares = [square for square in scores if scores[square] == max(scores.values())]
        chances = {square: textbook.chance_after(children[square]) for square in squares}
        squares = [square for square in squares if chances[square] == max(chances.values())]
    if not children:
        yield ()
    for square in squares:
        for line in lines_by_the_textbook(human, children[square]):
            yield (square, *line)


@pytest.mark.long
@pytest.mark.parametrize("human", ["X", "O"])
def test_no_line_of_play_beats_perfect(client: FlaskClient, rng: Scripted, human: str) -> None:
    games = list(games_against_perfect(client, rng, human))
    assert sorted(game.moves for game in games) == sorted(lines_by_the_textbook(human))
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
        ("/position//X---O----", 404),
        ("/position/X---O----//", 404),
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
    for url in ("/", "/?notice=taken", "/why/04", "/nowhere"):
        assert "Set-Cookie" not in client.get(url).headers


def test_asking_for_the_head_of_a_page_tells_the_same_of_it(client: FlaskClient) -> None:
    for url in ("/", "/proof", "/why/04", "/static/play.css", "/nowhere"):
        head, page = client.head(url), client.get(url)
        assert head.status_code == page.status_code
        assert head.headers.get("ETag") == page.headers.get("ETag")
        assert head.headers["Cache-Control"] == page.headers["Cache-Control"]


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
@pytest.mark.parametrize("url", ["/proof", "/why/04", "/static/play.css"])
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
    answer = client.post("/results", data={"show": "yes"}, headers=zipped)
    assert answer.headers["Content-Encoding"] == "gzip"


def test_the_page_holds_no_inline_script_or_style(client: FlaskClient) -> None:
    soup = parse(client.get("/"))
    assert not soup.select("style, [style], script:not([src])")


def test_no_page_is_padded_with_what_stands_around_the_tags_of_its_template(
    client: FlaskClient,
) -> None:
    for url in ("/", "/why/04", "/tree/X---O----", "/proof", "/nowhere"):
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
