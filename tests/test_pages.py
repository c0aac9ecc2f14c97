"""The learner's pages: what they show for every position, and what they refuse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup, Tag
from flask.testing import FlaskClient

from engine.explain import review, why
from engine.position import SQUARE_NAMES, Position, reachable, replay
from engine.search import results, safe_replies
from engine.symmetry import canonical
from tests import textbook
from tests.conftest import game_of, images, parse
from tests.test_app import lines_by_the_textbook
from tests.test_explain import draw_chances

GZIP = {"Accept-Encoding": "gzip"}


def digits(moves: tuple[int, ...]) -> str:
    return "".join(map(str, moves))


def squares_on(page: str) -> list[str]:
    """Return the text of each square of the page's table; parsing 5,478 pages takes too long."""
    cells = page[page.index("<table") : page.index("</table>")].split("</td>")[:-1]
    return [" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in cells]


def text_on(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def said_of(position: Position, square: int) -> str:
    """Say what a square of a position's page should hold."""
    name = SQUARE_NAMES[square]
    if mark := position.mark_at(square):
        return f"{name}: {mark}"
    if position.outcome():
        return f"{name}: empty"
    result = results(position)[square]
    if result.winner:
        how = "now" if result.turns == 1 else f"in {result.turns}"
        return f"{name}: {result.winner} wins {how}"
    if position.ply == 8:
        return f"{name}: Draw"
    return f"{name}: Draw " + "{} of {} safe".format(*safe_replies(position, square))


@pytest.mark.long
def test_every_position_has_a_page_that_agrees_with_the_engine(client: FlaskClient) -> None:
    for position in reachable():
        response = client.get(f"/position/{position}")
        assert response.status_code == 200
        assert squares_on(response.text) == [said_of(position, square) for square in range(9)]


def test_of_the_moves_that_draw_a_page_says_what_is_true(client: FlaskClient) -> None:
    met = set()
    for position in map(Position.parse, textbook.every_board()):
        chances = draw_chances(str(position))
        if not chances or position.ply == 8 or canonical(position) != position:
            continue
        best = [square for square in chances if chances[square] == max(chances.values())]
        if len(chances) == 1:
            sentence = "The only move that does not lose."
        elif len(best) == len(chances):
            sentence = f"The {len(chances)} moves that draw are equally good."
        else:
            beat = "this one beats" if len(best) == 1 else "these beat"
            sentence = f"Of the moves that draw, {beat} a random opponent most often."
        soup = parse(client.get(f"/position/{position}"))
        assert [p.get_text() for p in soup.select("h2 + p")] == [sentence], position
        assert len(soup.select("h2 ~ ul > li")) == len(best)
        met.add(sentence[:8])
    assert len(met) >= 3


@pytest.mark.parametrize(
    "url",
    ["/why/04", "/review/0412", "/review/0412?you=X", "/position/X---O----", "/position/---------"],
)
def test_a_page_depends_on_its_url_alone_and_is_kept(client: FlaskClient, url: str) -> None:
    first = client.get(url)
    client.post("/new", data={"mark": "O"})
    again = client.get(url)
    assert first.data == again.data
    assert first.headers["Cache-Control"].startswith("public")
    assert "Cookie" not in first.headers.get("Vary", "")
    assert "Set-Cookie" not in first.headers
    unchanged = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (unchanged.status_code, unchanged.data) == (304, b"")


@pytest.mark.parametrize("encoding", ["gzip", "br", "identity"])
def test_a_kept_page_is_confirmed_in_the_encoding_it_came_in(
    client: FlaskClient, encoding: str
) -> None:
    headers = {"Accept-Encoding": encoding}
    first = client.get("/why/04", headers=headers)
    assert first.headers.get("Content-Encoding", "identity") == encoding
    again = client.get("/why/04", headers={**headers, "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


# Why there?


def test_why_gives_the_reason_the_score_map_and_the_alternatives(client: FlaskClient) -> None:
    soup = parse(client.get("/why/04?you=X"))
    reason = soup.select_one(".reason")
    assert reason
    assert reason.get_text() == "O centre. Of 8 moves it is the only one that does not lose."
    scores = [" ".join(cell.get_text(" ").split()) for cell in soup.select(".map td")]
    assert scores[0] == "top left: X"
    assert scores[4] == "centre: 0 , played"
    assert {score.partition(": ")[2] for score in scores[1:4] + scores[5:]} == {"−4"}
    caption = soup.select_one("caption")
    assert caption
    assert caption.get_text() == "MAX: O to move takes the highest"
    assert [chip.get_text() for chip in soup.select("h3")] == ["Draw", "X wins in 6"]
    names = [summary.get_text().split(",")[0] for summary in soup.select("summary")]
    assert names == ["centre · played", "top centre", "top right", "middle right", "bottom right"]
    assert (
        "The tree below this position has 59,704 nodes, 1,869 different positions."
        in soup.get_text()
    )


@pytest.mark.parametrize(
    ("moves", "arithmetic"),
    [
        ("01", "−4 = 6 − 10: X wins on turn 6, counting this move as 1. A turn is one mark."),
        ("014", "+5 = 10 − 5: X wins on turn 5, counting this move as 1. A turn is one mark."),
        ("03142", "+9 = 10 − 1: X wins on turn 1, counting this move as 1. A turn is one mark."),
        ("04", "0: a draw; neither side can force a win."),
    ],
)
def test_why_does_the_arithmetic_in_words(client: FlaskClient, moves: str, arithmetic: str) -> None:
    assert arithmetic in parse(client.get(f"/why/{moves}")).get_text()


def one_game_to_each_position() -> dict[Position, tuple[int, ...]]:
    games: dict[Position, tuple[int, ...]] = {Position(): ()}
    for position in reachable():
        for square in position.legal_moves():
            games.setdefault(position.play(square), (*games[position], square))
    return games


@pytest.mark.long
def test_there_is_a_why_in_every_position_up_to_symmetry(client: FlaskClient) -> None:
    games = one_game_to_each_position()
    unlike = {min(images(str(position))): position for position in games}
    assert len(unlike) == 765
    reasons = Counter[str]()
    for number, position in enumerate(unlike.values()):
        if moves := position.legal_moves():
            square = moves[number % len(moves)]
            response = client.get(f"/why/{digits((*games[position], square))}", headers=GZIP)
            assert response.status_code == 200
            assert len(response.data) <= 25_000
            reasons[why(position, square).reason] += 1
    assert len(reasons) == 9


# Review


@pytest.mark.long
@pytest.mark.parametrize("human", ["X", "O"])
def test_every_game_against_perfect_can_be_reviewed(client: FlaskClient, human: str) -> None:
    for game in set(lines_by_the_textbook(human)):
        response = client.get(f"/review/{digits(game)}?you={human}", headers=GZIP)
        assert response.status_code == 200
        assert len(response.data) <= 25_000
        board = textbook.EMPTY
        for move, square in zip(review(game), game, strict=True):
            scores = textbook.move_scores(board)
            lowered = textbook.sign(scores[square]) < textbook.sign(max(scores.values()))
            assert move.lowers_the_result == lowered
            assert not (lowered and textbook.turn(board) != human)
            board = textbook.children(board)[square]


def test_a_review_judges_each_move_and_sums_up(client: FlaskClient) -> None:
    soup = parse(client.get("/review/04813?you=X"))
    assert [v.get_text() for v in soup.select(".verdict")] == [
        "✓ fine",
        "! only move",
        "✓ fine",
        "✓ fine",
        "?? blunder",
    ]
    text = " ".join(soup.get_text().split())
    assert "You kept the best result on 2 of 3 moves." in text
    assert "The turning point was move 5, your X middle left: Draw before it, O wins in 2" in text
    strip = soup.select_one(".lanes svg")
    assert strip
    assert str(strip["aria-label"]).endswith("draw, draw, draw, draw, draw, O wins.")


def test_a_review_without_a_reader_speaks_of_both_sides(client: FlaskClient) -> None:
    text = parse(client.get("/review/0481")).get_text()
    assert "X kept the best result on 2 of 2 moves. O kept the best result on 2 of 2 moves." in text
    assert "No turning point" in text
    assert "your" not in text


def test_a_review_of_one_move_does_not_speak_of_who_has_not_moved(client: FlaskClient) -> None:
    text = parse(client.get("/review/0")).get_text()
    assert "X kept the best result on 1 of 1 move." in text
    assert "O kept" not in text


def try_it(client: FlaskClient, answer: str) -> BeautifulSoup:
    """Answer the blunder of a game, its fifth move."""
    soup = parse(client.get(f"/review/04813?you=X&at=4&answer={answer}"))
    (block,) = soup.select("#try-4")
    assert block.has_attr("open")
    return block  # type: ignore[return-value]


def test_the_answer_to_a_mistake_never_shows_first(client: FlaskClient) -> None:
    soup = parse(client.get("/review/04813?you=X"))
    (block,) = soup.select("#try-4")
    assert not block.has_attr("open")
    assert "★" not in block.get_text()
    assert [a.get_text() for a in block.select("td a")] == ["?"] * 4
    assert [a.get_text() for a in block.select("p a")] == ["Show the solution", "Skip"]


def test_a_wrong_answer_says_try_another(client: FlaskClient) -> None:
    block = try_it(client, "2")
    assert "Top right is no better. Try another." in block.get_text()
    assert "★" not in block.get_text()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [("7", "Bottom centre is right."), ("show", "The best moves are marked")],
)
def test_a_right_answer_and_the_solution_show_all_best_moves(
    client: FlaskClient, answer: str, sentence: str
) -> None:
    block = try_it(client, answer)
    assert sentence in block.get_text()
    stars = [" ".join(td.get_text(" ").split()) for td in block.select("td") if "★" in str(td)]
    assert stars == ["bottom centre: ★ best"]
    assert not block.select("td a")


def test_a_better_answer_that_is_not_the_best_is_told_so(client: FlaskClient) -> None:
    #  X |   | O
    #    | O |      X, to move, wins now at middle left. It played top centre, which draws;
    #  X |   |      bottom centre wins too, but later.
    soup = parse(client.get("/review/02641?at=4&answer=7"))
    assert "Bottom centre is better, but not the best. Try another." in soup.get_text()
    assert "★" not in soup.get_text()


def test_play_on_starts_a_game_from_there(client: FlaskClient) -> None:
    soup = parse(client.get("/review/04813?you=X"))
    form = soup.select("#move-4 form")[0]
    data = {str(field["name"]): str(field["value"]) for field in form.select("[name]")}
    assert data == {"moves": "0481", "mark": "X"}
    assert client.post(str(form["action"]), data=data).status_code == 303
    game = game_of(client)
    assert (game.moves, game.human) == ((0, 4, 8, 1), "X")


def test_playing_on_as_the_other_side_lets_the_computer_move_first(client: FlaskClient) -> None:
    client.post("/new", data={"moves": "0481", "mark": "O"})
    assert game_of(client).moves[:4] == (0, 4, 8, 1)
    assert len(game_of(client).moves) == 5


@pytest.mark.parametrize("moves", ["00", "x", "03142", "0123456789", "9"])
def test_no_game_starts_from_what_is_no_unfinished_game(client: FlaskClient, moves: str) -> None:
    response = client.post("/new", data={"moves": moves})
    assert response.status_code == 400
    assert parse(response).select_one("h1")


# What a player can put in these URLs

JUNK = ["00", "048048", "031425", "0123456780", "x", "%00", "9", "-1", "٣", "0" * 10_000, "..", "'"]


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("page", ["why", "review", "position", "tree", "run"])
def test_nonsense_in_a_url_gets_a_400_page_with_the_reason(
    client: FlaskClient, page: str, junk: str
) -> None:
    response = client.get(f"/{page}/{junk}")
    assert response.status_code in (400, 404)
    assert parse(response).select_one("h1")
    assert len(response.data) < 5000
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("/why/00", "Top left is taken."),
        ("/why/031425", "Middle right cannot be played: the game is over."),
        ("/why/0a", "A move is a digit from 0 to 8."),
        ("/why/04?you=Z", "you is one of X, O."),
        ("/review/04?you=", "you is one of X, O."),
        ("/review/04813?at=4", "answer is show or an empty square"),
        ("/review/04813?at=4&answer=0", "answer is show or an empty square"),
        ("/review/04813?at=4&answer=x", "answer is show or an empty square"),
        ("/review/04813?at=0&answer=1", "at names no move of this game that was a mistake."),
        ("/review/04813?at=x&answer=1", "at names no move of this game that was a mistake."),
        ("/review/04813?answer=1", "at names no move of this game that was a mistake."),
        ("/position/XXXOOO---", "Both sides have three in a row"),
        ("/position/XX", "A position is nine characters"),
        ("/tree/X--------?view=3d", "view is one of merged, all."),
        ("/tree/X--------?scoring=", "scoring is one of depth, flat."),
    ],
)
def test_a_refused_url_says_why(client: FlaskClient, url: str, reason: str) -> None:
    response = client.get(url)
    assert response.status_code == 400
    assert reason in parse(response).get_text()


def test_why_and_review_need_a_move(client: FlaskClient) -> None:
    assert client.get("/why/").status_code == 404
    assert client.get("/review/").status_code == 404


@pytest.mark.parametrize("url", ["/position/---------", "/why/04", "/why/48", "/proof"])
def test_a_page_is_a_small_download(client: FlaskClient, url: str) -> None:
    assert len(client.get(url, headers=GZIP).data) <= 25_000


# On the game page


def test_results_on_the_squares_are_a_setting_that_stays(
    client: FlaskClient, resume: Callable[..., None]
) -> None:
    resume("04")
    client.post("/results", data={"show": "yes"})
    cells = parse(client.get("/")).select(".cell")
    assert cells[1]["aria-label"] == "top centre, empty, Draw, 1 of 6 safe"
    assert cells[1].get_text(" ").split() == ["Draw", "1", "of", "6", "safe"]
    assert cells[0]["aria-label"] == "top left, X"
    client.post("/new")
    assert "safe" in parse(client.get("/")).select(".cell")[0].get_text()
    client.post("/results", data={"show": "no"})
    assert "safe" not in parse(client.get("/")).select(".cell")[0].get_text()


@pytest.mark.parametrize("data", [{}, {"show": "maybe"}])
def test_results_are_shown_or_not(client: FlaskClient, data: dict[str, str]) -> None:
    assert client.post("/results", data=data).status_code == 400


def test_the_page_links_to_the_reason_for_the_last_reply_and_at_the_end_to_the_review(
    client: FlaskClient, resume: Callable[..., None]
) -> None:
    def links() -> list[str]:
        return [str(a["href"]) for a in parse(client.get("/")).select("#why a, #learn, #learn + a")]

    assert links() == ["/tree/---------", "/proof"]
    resume("04")
    assert set(links()) == {"/why/04?you=X&difficulty=random", "/tree/X---O----", "/proof"}
    resume("03142", human="X")
    assert set(links()) == {"/why/0314?you=X&difficulty=random", "/review/03142?you=X", "/proof"}
    resume("4", human="O")
    assert set(links()) == {"/why/4?you=O&difficulty=random", "/tree/----X----", "/proof"}


def test_replay_reads_what_a_url_holds() -> None:
    assert replay("") == ()
    assert replay("048") == (0, 4, 8)
