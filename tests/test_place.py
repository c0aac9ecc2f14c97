"""One place to stand: five pages about one position, and a way through the game it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from flask.testing import FlaskClient

from engine.position import Position
from engine.symmetry import reachable
from tests import claims, textbook
from tests.conftest import assert_refused, game_of, parse
from web.study.place import some_moves_to

PAGES = {"why": "Why", "position": "Results", "tree": "Tree", "run": "Run", "review": "Review"}

#  X | O |      O wins down the centre
#  X | O |
#    | O | X
LOST = "048137"


def get(client: FlaskClient, url: str) -> BeautifulSoup:
    response = client.get(url)
    assert response.status_code == 200, url
    return parse(response)


def tabs(soup: BeautifulSoup) -> dict[str, str | None]:
    """Return the address of each tab by its name, None of one that leads nowhere."""
    links = soup.select("nav[aria-label='This position'] a")
    return {a.get_text(): str(a["href"]) if a.has_attr("href") else None for a in links}


def here(soup: BeautifulSoup) -> list[str]:
    return [a.get_text() for a in soup.select("nav[aria-label='This position'] [aria-current]")]


def step(soup: BeautifulSoup) -> tuple[str | None, str, str | None]:
    """Return what leads to the move before, which move it is, and what leads to the next."""
    before, after = soup.select(".stepper a")
    which = soup.select_one(".stepper span")
    assert which
    return link(before), which.get_text(), link(after)


def link(a: Tag) -> str | None:
    assert a.has_attr("href") != a.has_attr("aria-disabled")
    return str(a["href"]) if a.has_attr("href") else None


def unfinished() -> Iterator[Position]:
    return (position for position in reachable() if not position.outcome())


# Tabs


@pytest.mark.parametrize("page", ["why", "position", "tree", "run"])
@pytest.mark.parametrize("board", ["O-XX--XOO", "---------"])
def test_without_a_game_a_position_has_four_pages_that_lead_to_each_other(
    client: FlaskClient, page: str, board: str
) -> None:
    soup = get(client, f"/{page}/{board}")
    assert tabs(soup) == {
        **{name: f"/{path}/{board}" for path, name in PAGES.items()},
        "Review": None,
    }
    assert here(soup) == [PAGES[page]]
    assert not soup.select(".stepper")


@pytest.mark.parametrize("page", ["position", "tree", "run"])
def test_in_a_game_one_is_told_why_the_move_it_went_on_with_was_played(
    client: FlaskClient, page: str
) -> None:
    on_the_way = tabs(get(client, f"/{page}/{Position().after([0, 4, 8])}?game={LOST}"))
    assert str(on_the_way["Why"]).partition("?")[0] == "/why/0481"


@pytest.mark.parametrize("page", ["position", "tree", "run"])
def test_of_a_position_where_the_game_is_over_nobody_asks_why(
    client: FlaskClient, page: str
) -> None:
    soup = get(client, f"/{page}/XXXOO----")
    assert tabs(soup) == {
        **{name: f"/{path}/XXXOO----" for path, name in PAGES.items()},
        "Why": None,
        "Review": None,
    }
    assert not soup.select(".place form")


@pytest.mark.parametrize("number", range(1, 7))
def test_a_tab_changes_the_page_and_never_the_place(client: FlaskClient, number: int) -> None:
    first = get(client, f"/why/{LOST[:number]}?game={LOST}&you=X&difficulty=perfect")
    addresses = tabs(first)
    board = str(Position().after(map(int, LOST[: number - 1])))
    for page, name in PAGES.items():
        address = addresses[name]
        assert address
        soup = get(client, address)
        assert tabs(soup) == addresses
        assert here(soup) == [name]
        assert step(soup)[1] == f"Move {number} of 6"
        kept = parse_qs(urlsplit(address).query)
        assert kept["you"] == ["X"] and kept["difficulty"] == ["perfect"]
        if page not in ("why", "review"):
            assert urlsplit(address).path == f"/{page}/{board}"
            assert kept["game"] == [LOST]


# Through the game


@pytest.mark.parametrize("page", PAGES.values())
def test_the_steps_lead_through_a_finished_game_and_back(client: FlaskClient, page: str) -> None:
    url = tabs(get(client, f"/why/{LOST[0]}?game={LOST}&you=O"))[page]
    way = [url]
    while url:
        before, which, after = step(get(client, url))
        assert which == f"Move {len(way)} of 6"
        assert before == (way[-2] if way[1:] else None)
        way.append(after)
        url = after
    assert len(way) == 7 and way[-1] is None


@pytest.mark.parametrize("page", ["Why", "Results", "Tree", "Run"])
def test_after_the_last_move_of_a_game_that_goes_on_comes_the_move_to_make(
    client: FlaskClient, page: str
) -> None:
    url = tabs(get(client, "/why/0481"))[page]
    assert url
    _, which, after = step(get(client, url))
    assert which == "Move 4 of 4" and after
    soup = get(client, after)
    assert step(soup) == (url, "After 4 moves", None)
    assert here(soup) == [page]
    review = tabs(soup)["Review"]
    assert review == "/review/0481?move=4#move-4"
    assert step(get(client, review))[1:] == ("Move 4 of 4", None)


def test_a_review_begins_where_the_game_turned_and_else_at_its_end(client: FlaskClient) -> None:
    assert step(get(client, f"/review/{LOST}"))[1] == "Move 5 of 6"
    assert step(get(client, "/review/0412"))[1] == "Move 4 of 4"
    marked = get(client, f"/review/{LOST}?move=2").select(".reviewed > [aria-current]")
    assert [item["id"] for item in marked] == ["move-2"]
    assert client.get(f"/review/{LOST}?move=7").status_code == 400


def test_who_leaves_the_game_is_led_back_to_it(client: FlaskClient) -> None:
    (away,) = [
        str(a["href"])
        for a in get(client, f"/position/X---O---X?game={LOST}&you=X").select(".map a")
        if "/position/XO" not in str(a["href"]) and "/position/X-O" in str(a["href"])
    ]
    soup = get(client, away)
    assert not soup.select(".stepper")
    back = soup.select_one(".place a")
    assert back and back.get_text() == "‹ Back to the game: move 5 of 6"
    assert step(get(client, str(back["href"])))[1] == "Move 5 of 6"


def test_at_the_end_of_a_game_one_is_led_to_its_last_move(client: FlaskClient) -> None:
    board = Position().after(map(int, LOST))
    soup = get(client, f"/position/{board}?game={LOST}")
    assert step(soup) == (f"/position/{Position().after(map(int, LOST[:5]))}?game={LOST}",
                          "After 6 moves", None)  # fmt: skip
    assert tabs(soup)["Why"] == f"/why/{LOST}?game={LOST}"
    beyond = get(client, f"/position/XO-XOX-O-?game={LOST}").select_one(".place a")
    assert beyond and beyond.get_text() == "‹ Back to the game: move 6 of 6"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("game=00", "Top left is taken."),
        ("game=04&game=04", "game was given 2 times"),
        ("you=Z", "you is one of X, O."),
        ("difficulty=easy", "difficulty is one of random, perfect."),
    ],
)
@pytest.mark.parametrize("page", ["position", "tree", "run", "why"])
def test_nonsense_about_the_game_is_refused(
    client: FlaskClient, page: str, query: str, reason: str
) -> None:
    assert_refused(client, f"/{page}/O-XX--XOO?{query}", reason)


def test_why_of_a_board_is_why_perfect_play_moves_as_it_does(client: FlaskClient) -> None:
    heading = get(client, "/why/O-XX--XOO").select_one("h1")
    assert heading and heading.get_text() == "Why X centre?"
    for board in ("---------", "X--------", "X---O----", "XO-------"):
        heading = get(client, f"/why/{board}").select_one("h1")
        mark, square = textbook.turn(board), min(claims.best(board))
        assert heading and heading.get_text() == f"Why {mark} {claims.NAMES[square]}?"
    over = client.get("/why/XXXOO----")
    assert over.status_code == 400
    assert "The game is over: there is no move to explain." in parse(over).get_text()
    began = client.get("/why/O--------")
    assert began.status_code == 400
    assert [a["href"] for a in parse(began).select("main p a:not(.action)")] == ["/why/X--------"]


# Playing from there


@pytest.mark.parametrize("page", ["why", "position", "tree", "run"])
@pytest.mark.parametrize("you", ["", "&you=O"])
def test_a_game_starts_from_the_board_of_each_page(
    client: FlaskClient, page: str, you: str
) -> None:
    board = Position().after(map(int, "840"))  # and by the moves of its game
    soup = get(client, f"/{page}/{board}?game=8401{you}" if page != "why" else f"/why/8401?{you}")
    form = soup.select_one(".place form")
    assert form and form.get_text().strip() == "Play from here as O"
    data = {str(field["name"]): str(field["value"]) for field in form.select("[name]")}
    assert client.post(str(form["action"]), data=data).status_code == 303
    game = game_of(client)
    assert (game.moves, game.given, game.human) == ((8, 4, 0), 3, "O")


def test_from_the_empty_board_a_new_game_starts_as_the_settings_say(client: FlaskClient) -> None:
    client.post("/new", data={"mark": "O"})
    client.post("/move", data={"square": client.get("/").text and "8"})
    form = get(client, "/position/---------").select_one(".place form")
    assert form
    data = {str(field["name"]): str(field["value"]) for field in form.select("[name]")}
    client.post(str(form["action"]), data=data)
    assert (game_of(client).human, len(game_of(client).moves)) == ("O", 1)


def test_any_position_that_goes_on_is_reached_by_some_moves() -> None:
    for position in unfinished():
        assert Position().after(some_moves_to(position)) == position


# Any position


def test_results_are_played_on_square_by_square_from_the_empty_board(client: FlaskClient) -> None:
    url = "/position/---------"
    for square in map(int, LOST):
        (url,) = [
            str(a["href"])
            for number, a in squares(get(client, url))
            if number == square and a.has_attr("href")
        ]
    assert url == f"/position/{Position().after(map(int, LOST))}"
    assert "O won: centre column." in get(client, url).get_text()


def squares(soup: BeautifulSoup) -> Iterator[tuple[int, Tag]]:
    for number, cell in enumerate(soup.select(".map > div > div")):
        if a := cell.select_one("a"):
            yield number, a


@pytest.mark.parametrize("given", ["X---O----", "x---o----"])
def test_a_form_takes_nine_characters(client: FlaskClient, given: str) -> None:
    form = get(client, "/position/---------").select_one("form.find")
    assert form
    (field,) = form.select("input[name]")
    asked = client.get(str(form["action"]), query_string={str(field["name"]): given})
    assert (asked.status_code, asked.location) == (302, "/position/X---O----")


def test_the_form_refuses_what_is_no_position_and_wants_one(client: FlaskClient) -> None:
    wrong = client.get("/position", query_string={"board": "XX"}, follow_redirects=True)
    assert wrong.status_code == 400
    assert "A position is nine characters" in parse(wrong).get_text()
    assert client.get("/position").status_code == 400
    for board in ("", "a/b", "/", "."):
        assert_refused(client, f"/position?board={board}", "A position is nine characters")


# Words


FIRST = {
    "/learn": "How a computer finds the best move, in 8 short sections",
    "/why/04": "What the move was for, and what every other would have led to.",
    "/why/X---O----": "What the move that perfect play makes here is for, and what every",
    "/position/X---O----": "What playing each empty square leads to with perfect play",
    "/tree/O-XX--XOO": "Every way to play on from here, and what it is worth",
    "/tree/---------": "The next two turns from here; each board leads on, and what it is worth",
    "/run/O-XX--XOO": "A minimax search of this board, step by step.",
    "/run/---------": "The minimax search of this board enters 549,946 nodes",
    "/review/048137": "Beside each move stands what perfect play on both sides led to",
    "/proof": "Two lists that prove it: one answer for each position that can come up",
    "/practise/X---O---X": "Press the square that you would play against perfect play.",
}


@pytest.mark.parametrize(("url", "sentence"), FIRST.items())
def test_a_page_says_first_what_it_shows(client: FlaskClient, url: str, sentence: str) -> None:
    said = get(client, url).select("main p")[0].get_text()
    assert " ".join(said.split()).startswith(sentence)


def test_the_terms_of_a_page_are_links_to_the_lesson(client: FlaskClient) -> None:
    known = {f"/learn#{tag['id']}" for tag in get(client, "/learn").select("main dfn[id]")}
    for url in set(FIRST) - {"/learn"}:
        terms = [str(a["href"]) for a in get(client, url).select("main a.term")]
        without_the_game = {urlsplit(term)._replace(query="").geturl() for term in terms}
        assert without_the_game and without_the_game <= known, url
        assert len(terms) == len(set(terms)), url
