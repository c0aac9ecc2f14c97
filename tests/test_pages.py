"""The learner's pages: what they show for every position, and what they refuse."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from random import Random
from types import ModuleType
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from flask.testing import FlaskClient

from engine.__main__ import in_words
from engine.notation import replay
from engine.position import SQUARE_NAMES, Position
from engine.reasons import why
from engine.review import review, turning_point
from engine.symmetry import reachable
from teach.searches import SCORINGS
from tests import claims, textbook
from tests.conftest import assert_refused, game_of, parse
from tests.test_tree_page import nodes_on
from tests.textbook import images

GZIP = {"Accept-Encoding": "gzip"}


def digits(moves: tuple[int, ...]) -> str:
    return "".join(map(str, moves))


def squares_on(page: str) -> list[str]:
    """Return the text of each square of the page's map; parsing 5,478 pages takes too long."""
    _, _, board = page.partition('<div class="map')
    cells = f"<div {board}".split("</div>")
    texts = (" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in cells)
    return [text for text in texts if text][:9]


def paragraphs(page: str) -> list[str]:
    """Return the text of each paragraph; parsing so many pages takes too long."""
    found = re.findall(r"<p[ >].*?</p>", page, re.DOTALL)
    return [unescape(" ".join(re.sub("<[^>]*>", " ", said).split())) for said in found]


def text_on(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def said_of(position: Position, square: int) -> str:
    """Say what a square of a position's page should hold."""
    name = SQUARE_NAMES[square]
    if mark := position.mark_at(square):
        return f"{name}: {mark}"
    if position.outcome():
        return f"{name}: empty"
    score = textbook.move_scores(str(position))[square]
    return f"{name}: {claims.result_in_words(score, position.turn)}"


@pytest.mark.long
def test_a_page_agrees_with_the_engine_in_every_position_up_to_symmetry(
    client: FlaskClient,
) -> None:
    boards = list(textbook.one_of_each(textbook.every_board()))
    assert len(boards) == 765
    for position in map(Position.parse, boards):
        response = client.get(f"/position/{position}")
        assert response.status_code == 200
        assert squares_on(response.text) == [said_of(position, square) for square in range(9)]


def stars_at_the_prompt(board: str) -> list[int]:
    lines = in_words(Position.parse(board)).splitlines()
    return sorted(SQUARE_NAMES.index(line[2:17].strip()) for line in lines if line[:2] == "* ")


@pytest.mark.long
def test_best_is_the_same_on_every_page_and_at_the_prompt_and_says_why(client: FlaskClient) -> None:
    reasons = set()
    for number, board in enumerate(textbook.one_of_each(textbook.every_board())):
        if textbook.over(board):
            continue
        best = claims.best(board)
        page = parse(client.get(f"/position/{board}"))
        assert [li.get_text() for li in page.select(".strip li")] == [
            f"{textbook.turn(board)} {SQUARE_NAMES[square]}" for square in best
        ]
        assert stars_at_the_prompt(board) == best
        if board.count("-") > 1:
            (said,) = [p.get_text() for p in page.select("h2 + p")]
            assert claims.preference_is_so(board, said), (board, said)
            reasons.add(re.sub(r"\d|this one \w+|these \w+", "", said))
        if number % 4 == 0:  # a tree takes four times as long
            tree = client.get(f"/tree/{board}?view=all&scoring={SCORINGS[number // 4 % 2]}").text
            nodes = nodes_on(tree)
            assert [path[0] for path in nodes if nodes[path].starred] == best, board
            assert board.count("-") == 1 or said in tree
    assert len(reasons) == len(claims.AT_THE_PROMPT)


@pytest.mark.long
def test_a_page_says_how_hard_each_draw_is_to_hold(client: FlaskClient) -> None:
    for board in textbook.one_of_each(textbook.every_board()):
        found: dict[tuple[int, int], list[str]] = {}
        for square, child in textbook.children(board).items():
            replies = textbook.move_scores(child)
            if textbook.move_scores(board)[square] == 0 and replies:
                counts = list(replies.values()).count(0), len(replies)
                found.setdefault(counts, []).append(SQUARE_NAMES[square])
        page = client.get(f"/position/{board}").text
        _, _, details = page.partition("<details")
        told = [
            BeautifulSoup(li, "html.parser").get_text()
            for li in re.findall(r"<li>.*?</li>", details.partition("</details>")[0], re.S)
        ]
        assert len(told) == len(found)
        for ((kept, of), names), said in zip(sorted(found.items()), told, strict=True):
            mark = textbook.turn(board)
            assert (
                re.split(", | or ", said.removeprefix(f"After {mark} ").partition(":")[0]) == names
            )
            keep = "keeps" if kept == 1 else "keep"
            answers = "answer" if of == 1 else "answers"
            assert said.endswith(
                f": {kept} of {claims.other(mark)}'s {of} {answers} {keep} the draw."
            )


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
    scores = [" ".join(cell.get_text(" ").split()) for cell in soup.select(".map > div > div")]
    assert scores[0] == "top left: X"
    assert scores[4] == "centre: 0 , played"
    assert {score.partition(": ")[2] for score in scores[1:4] + scores[5:]} == {"−4"}
    caption = soup.select_one("figcaption")
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
        (
            "01",
            "−4 = 6 − 10: X can win by turn 6 at the latest, counting this move as 1. A turn is",
        ),
        ("014", "+5 = 10 − 5: X can win by turn 5 at the latest, counting this move as 1. A turn"),
        ("03142", "+9 = 10 − 1: X wins on turn 1, which is this move. A turn is one mark."),
        ("04128", "−8 = 2 − 10: O can win on turn 2, which is the next. A turn is one mark."),
        ("04", "0: a draw; neither side can force a win."),
    ],
)
def test_why_does_the_arithmetic_in_words(client: FlaskClient, moves: str, arithmetic: str) -> None:
    assert arithmetic in parse(client.get(f"/why/{moves}")).get_text()


def summaries(client: FlaskClient, url: str) -> list[str]:
    return [text_on(summary) for summary in parse(client.get(url)).select("#why-text summary")]


def test_of_moves_that_come_to_the_same_the_one_played_is_named_as_played(
    client: FlaskClient,
) -> None:
    #    |   |        The corners come to the same, and so do the edges.
    assert [text for text in summaries(client, "/why/8") if "played" in text] == [
        "bottom right · played , \N{MULTIPLICATION SIGN}4: the same, turned or mirrored, at"
        " top left, top right and bottom left"
    ]
    soup = parse(client.get("/why/8"))
    (opened,) = soup.select("details[open]")
    assert text_on(opened.select("li")[0]) == "X bottom right"
    assert summaries(client, "/why/0")[0].startswith("top left · played")


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ("0", "has 549,945 nodes, 5,477 different positions."),
        ("021346587", "has 1 node, 1 different position."),
    ],
)
def test_one_node_is_no_nodes(client: FlaskClient, moves: str, sentence: str) -> None:
    assert sentence in parse(client.get(f"/why/{moves}")).get_text()


# The rest of the game


def links_to(client: FlaskClient, url: str, page: str) -> list[str]:
    return [str(a["href"]) for a in parse(client.get(url)).select(f"a[href^='/{page}/']")]


def test_from_the_review_to_a_reason_and_back_the_whole_game_comes_along(
    client: FlaskClient,
) -> None:
    _, *whys = links_to(client, "/review/048137?you=X", "why")  # the first is the tab
    assert whys == [f"/why/{'048137'[:n]}?game=048137&you=X" for n in range(1, 7)]
    for number, url in enumerate(whys, 1):
        back = f"/review/048137?move={number}&you=X#move-{number}"
        assert links_to(client, url, "review") == [back]
    assert links_to(client, "/why/0481?you=X", "review") == ["/review/0481?move=4&you=X#move-4"]


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("04", "game is one that begins with these moves."),
        ("0418", "game is one that begins with these moves."),
        ("123", "game is one that begins with these moves."),
        ("04833", "Middle left is taken."),
        ("0483&game=0483", "game was given 2 times"),
        ("x", "A move is a digit from 0 to 8."),
    ],
)
@pytest.mark.parametrize("page", ["why", "review"])
def test_a_reason_and_a_review_belong_to_a_game_that_begins_with_their_moves(
    client: FlaskClient, page: str, game: str, reason: str
) -> None:
    assert_refused(client, f"/{page}/048?game={game}", reason)


def one_game_to_each_position() -> dict[Position, tuple[int, ...]]:
    games: dict[Position, tuple[int, ...]] = {Position(): ()}
    for position in reachable():
        for square in position.legal_moves():
            games.setdefault(position.play(square), (*games[position], square))
    return games


def alternatives_on(page: str) -> dict[str, list[str]]:
    """Return what is listed below each result; parsing so many pages takes too long."""
    groups = page.split("<h3>")[1:]
    found = [re.findall(r"<summary>.*?</summary>", group, re.DOTALL) for group in groups]
    texts = [[" ".join(re.sub("<[^>]*>", "", text).split()) for text in group] for group in found]
    results = [re.sub("<[^>]*>", "", group.partition("</h3>")[0]) for group in groups]
    return dict(zip(results, texts, strict=True))


@pytest.mark.long
def test_why_is_true_in_every_position_up_to_symmetry(client: FlaskClient) -> None:
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
            page = gzip.decompress(response.data).decode()
            _, *said = [text.replace(" .", ".") for text in paragraphs(page)]
            assert claims.why_is_so(str(position), square, said), (str(position), square)
            assert claims.alternatives_are_so(str(position), square, alternatives_on(page))
            reasons[why(position, square).reason] += 1
    assert len(reasons) == 10


# Review


def assert_the_review_is_true(page: str, game: tuple[int, ...], you: str | None) -> None:
    said = [re.sub(r" ([.,:])", r"\1", text) for text in paragraphs(page) if text]
    assert said == claims.review(game, you), (game, you)
    assert f"from the empty board on: {claims.lanes(game)}." in page.lower(), (game, you)


@pytest.mark.long
@pytest.mark.parametrize("human", ["X", "O"])
def test_every_sentence_of_the_review_of_every_game_against_perfect_up_to_symmetry_is_true(
    client: FlaskClient, human: str
) -> None:
    games = set(textbook.games_against_perfect(human))
    unlike = {min(textbook.images_of_game(game)) for game in games}
    assert len(games) > 1000
    for number, first in enumerate(sorted(unlike)):  # each time another of its images
        game = textbook.images_of_game(first)[number % 8]
        assert game in games
        response = client.get(f"/review/{digits(game)}?you={human}", headers=GZIP)
        assert response.status_code == 200
        assert len(response.data) <= 25_000
        assert_the_review_is_true(gzip.decompress(response.data).decode(), game, human)
        computers = [move for move in claims.judged(game) if move.mark != human]
        assert not any(move.after < move.before for move in computers)


def games_at_random(count: int) -> Iterator[tuple[int, ...]]:
    """Yield games of two who play at random, and beginnings of games."""
    rng = Random(11)
    for _ in range(count):
        board, game = textbook.EMPTY, []
        for _ in range(rng.choice([3, 9, 9, 9])):
            if below := textbook.children(board):
                game.append(rng.choice(list(below)))
                board = below[game[-1]]
        yield tuple(game)


@pytest.mark.long
def test_every_sentence_of_the_review_of_any_other_game_is_true(client: FlaskClient) -> None:
    verdicts = set()
    for number, game in enumerate(games_at_random(300)):
        you = (None, "X", "O")[number % 3]
        page = client.get(f"/review/{digits(game)}" + (f"?you={you}" if you else ""))
        assert_the_review_is_true(page.text, game, you)
        verdicts |= {move.verdict for move in claims.judged(game)}
    assert verdicts == set(claims.GLYPHS)


@pytest.mark.long
def test_where_a_game_turned_is_told_with_what_the_move_gave_away(say: ModuleType) -> None:
    for number, game in enumerate(games_at_random(300)):
        you = (None, "X", "O")[number % 3]
        lowering = [move for move in claims.judged(game) if move.lowers]
        turned = turning_point(review(game))
        assert (turned is None) == (not lowering)
        if turned:
            at = lowering[-1]
            said = unescape(say.turned(turned, you))
            your = "your " if at.mark == you else ""
            opening = f"The turning point: {your}{at.mark} {SQUARE_NAMES[at.square]}. "
            assert said.startswith(opening)
            told = said.removeprefix(opening)
            told = claims.in_third_person(told, you) if you else told
            proved = claims.proved(at.board, at.square, told)
            assert all(one_of.intersection(proved) for one_of in claims.owed(at.board, at.square))


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
    assert "You gave away a draw on move 5." in text
    assert "The turning point was move 5, your X middle left: a draw before it, O wins in 2" in text
    strip = soup.select_one(".lanes svg")
    assert strip
    assert str(strip["aria-label"]).endswith("draw, draw, draw, draw, draw, O wins.")


def test_a_review_without_a_reader_speaks_of_both_sides(client: FlaskClient) -> None:
    text = parse(client.get("/review/0481")).get_text()
    assert "X never gave away a win or a draw. O never gave away a win or a draw." in text
    assert "No turning point" in text
    assert "your" not in text


def test_a_review_of_one_move_does_not_speak_of_who_has_not_moved(client: FlaskClient) -> None:
    text = parse(client.get("/review/0")).get_text()
    assert "X never gave away a win or a draw." in text
    assert "O never" not in text


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
    assert [a.get_text() for a in block.select(".map a")] == ["?"] * 4
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
    stars = [
        " ".join(td.get_text(" ").split())
        for td in block.select(".map > div > div")
        if "★" in str(td)
    ]
    assert stars == ["bottom centre: ★ best"]
    assert not block.select(".map a")


@pytest.mark.long
def test_every_answer_to_a_mistake_is_judged_right_and_the_star_marks_the_best(
    client: FlaskClient,
) -> None:
    met = set()
    for game in games_at_random(40):
        for move in claims.judged(game):
            if move.after < move.before:
                for answer in textbook.children(move.board):
                    url = f"/review/{digits(game)}?at={move.ply}&answer={answer}"
                    met.add(answer_is_judged(client.get(url).text, move, answer))
    assert met == {"right", "as good", "better", "no better"}


def answer_is_judged(page: str, move: claims.Judged, answer: int) -> str:
    """Check what the page says of an answer, and return the verdict it has to give."""
    (block,) = re.findall(
        rf'<details class="try" id="try-{move.ply}" open>.*?</details>', page, re.S
    )
    scores, best = textbook.move_scores(move.board), claims.best(move.board)
    right = claims.highest(move.board)
    said, *more = paragraphs(block)
    name = SQUARE_NAMES[answer].capitalize()
    verdict, sentence = (
        ("right", f"{name} is right. All best moves are marked.") if answer in best
        else ("as good", f"{name} is right: against perfect play it is as good as the best,"
              " which are marked.") if answer in right
        else ("better", f"{name} is better, but others are better still. Try another.")
        if scores[answer] > move.after
        else ("no better", f"{name} is no better. Try another.")
    )  # fmt: skip
    assert said == sentence
    cells = squares_on(block)
    stars = [square for square in range(9) if cells[square].endswith("★ best")]
    ticks = [square for square in range(9) if cells[square].endswith("as good ✓")]
    if answer not in right:
        assert (stars, ticks) == ([], [])
        return verdict
    assert stars == best
    assert ticks == [square for square in right if square not in best]
    told = more[0]
    if ticks:
        told, reason, legend = re.split(r"(?<=\.) (?=Of |Every move loses; of|✓)", told)
        assert claims.preference_is_so(move.board, reason)
        assert legend == "✓ marks what is as good against perfect play."
    assert claims.proved(move.board, move.square, told)
    return verdict


def test_a_better_answer_that_is_not_the_best_is_told_so(client: FlaskClient) -> None:
    #  X |   | O
    #    | O |      X, to move, wins now at middle left. It played top centre, which draws;
    #  X |   |      bottom centre wins too, but later.
    soup = parse(client.get("/review/02641?at=4&answer=7"))
    assert "Bottom centre is better, but others are better still. Try another." in soup.get_text()
    assert "★" not in soup.get_text()


@pytest.mark.parametrize("you", [None, "X", "O"])
def test_play_on_starts_a_game_from_the_board_beside_it(
    client: FlaskClient, you: str | None
) -> None:
    soup = parse(client.get("/review/048137" + (f"?you={you}" if you else "")))
    items = soup.select(".reviewed > li")
    forms = [item.select_one("form") for item in items]
    assert [form is not None for form in forms] == [True] * 5 + [False]  # the sixth move wins
    names = [str(form["aria-label"]) for form in forms if form]
    assert names == [f"After move {number}" for number in range(1, 6)]
    for ply, (item, form) in enumerate(zip(items[:5], forms[:5], strict=True)):
        assert form
        mark = you or "OX"[ply % 2]
        assert form.get_text().strip() == f"Play on from here as {mark}"
        data = {str(field["name"]): str(field["value"]) for field in form.select("[name]")}
        shown = urlsplit(str(item.select(".mini")[0]["href"])).path.removeprefix("/position/")
        assert client.post(str(form["action"]), data=data).status_code == 303
        game = game_of(client)
        assert (str(Position().after(game.moves[: game.given])), game.human) == (shown, mark)
        assert game.position.outcome() or game.position.turn == mark


@pytest.mark.parametrize("answer", ["7", "show"])
def test_a_solved_mistake_is_played_on_from_its_solution(client: FlaskClient, answer: str) -> None:
    #  X | O |       X played middle left; bottom centre keeps the draw
    #  X | O |
    #    |   | X
    assert not parse(client.get("/review/04813?you=X&at=4&answer=2")).select("#try-4 form")
    (form,) = parse(client.get(f"/review/04813?you=X&at=4&answer={answer}")).select("#try-4 form")
    assert form["aria-label"] == "After move 5, bottom centre"
    assert form.get_text().strip() == "Play on from bottom centre as X"
    data = {str(field["name"]): str(field["value"]) for field in form.select("[name]")}
    client.post(str(form["action"]), data=data)
    game = game_of(client)
    assert (game.moves[: game.given], game.human) == ((0, 4, 8, 1, 7), "X")


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
    assert_refused(client, url, reason)


@pytest.mark.parametrize("page", ["position", "tree", "run"])
@pytest.mark.parametrize(
    ("board", "swapped"),
    [
        ("-O-------", "-X-------"),
        ("OOXX-----", None),  # not refused
        ("O-OXX--O-", "X-XOO--X-"),
        ("XXXOO-O--", "OOOXX-X--"),  # O began, and X was the first with three in a row
        ("OO-------", None),
        ("XXXOOO---", None),
        ("hello", None),
    ],
)
def test_a_board_that_o_began_is_offered_with_the_marks_swapped(
    client: FlaskClient, page: str, board: str, swapped: str | None
) -> None:
    response = client.get(f"/{page}/{board}")
    assert response.status_code == (200 if board == "OOXX-----" else 400)
    offered = [str(a["href"]) for a in parse(response).select("main p a:not(.action, .links a)")]
    if response.status_code == 400:
        assert offered == ([f"/{page}/{swapped}"] if swapped else [])
        assert all(client.get(url).status_code == 200 for url in offered)


def test_the_form_for_a_board_offers_the_same(client: FlaskClient) -> None:
    soup = parse(client.get("/position?board=OO-X-----"))
    (offered,) = [str(a["href"]) for a in soup.select("main p a:not(.action)")]
    assert offered == "/position?board=XX-O-----"
    assert client.get(offered).location == "/position/XX-O-----"


def test_nothing_is_offered_for_what_else_is_wrong(client: FlaskClient) -> None:
    response = client.get("/tree/X---O----?scoring=x")
    assert "Did O begin?" not in response.text


@pytest.mark.parametrize(
    "url",
    [
        "/why/04?you=X",
        "/review/048137?you=X&at=4&answer=show",
        "/position/X---O----",
        "/position/XXXOO----",
        "/tree/-X---XOOX",
        "/run/---XOXXO-?algorithm=alpha-beta&step=9&predict=on",
        "/run/---------",
        "/proof",
    ],
)
def test_a_board_is_no_table_and_what_needs_a_name_has_one(client: FlaskClient, url: str) -> None:
    soup = parse(client.get(url))
    assert all(table.select("th") and table.select("caption") for table in soup.select("table"))
    for board in soup.select(".map"):
        cells = [text_on(cell).partition(":")[0] for cell in board.select(":scope > div > div")]
        assert cells == list(SQUARE_NAMES)  # each square says which it is
        named = board.get("aria-label") or (board.parent and board.parent.select_one("figcaption"))
        assert named
    assert all(form.select("label") or form.get("aria-label") for form in soup.select("main form"))
    assert all(section.select_one("h2, h3") for section in soup.select("section"))


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
    assert cells[1]["aria-label"] == "top centre, empty, Draw"
    assert cells[1].get_text(" ").split() == ["Draw"]
    assert cells[0]["aria-label"] == "top left, X"
    client.post("/new")
    assert parse(client.get("/")).select(".cell")[0].get_text() == "Draw"
    client.post("/results", data={"show": "no"})
    assert parse(client.get("/")).select(".cell")[0].get_text() == ""


def test_results_are_told_from_the_players_side(
    client: FlaskClient, resume: Callable[..., None]
) -> None:
    def words() -> dict[int, str]:
        cells = parse(client.get("/")).select(".cell[name]")
        return {int(str(cell["value"])): cell.get_text() for cell in cells}

    #  X | O |      X wins now at the bottom right, or forks at the bottom left
    #    | X | O
    resume("0145", human="X", settings="shown told")
    assert words()[8] == "Win now"
    assert words()[6] == "Win in 3"
    #  X | O |      X, the computer, threatens the diagonal
    #    | X |
    resume("014", human="O", settings="shown told")
    assert words()[8].startswith("Lose in ")
    assert words()[2] == "Lose in 2"


@pytest.mark.parametrize("data", [{}, {"show": "maybe"}])
def test_results_are_shown_or_not(client: FlaskClient, data: dict[str, str]) -> None:
    assert client.post("/results", data=data).status_code == 400


def test_the_page_links_to_the_reason_for_the_last_reply_and_at_the_end_to_the_review(
    client: FlaskClient, resume: Callable[..., None]
) -> None:
    def links() -> list[str]:
        return [str(a["href"]) for a in parse(client.get("/")).select("main a")]

    assert links() == ["/learn", "/tree/---------?you=X", "/learn", "/proof"]
    resume("04")
    tree = "/tree/X---O----?game=04&you=X"
    assert links() == ["/why/04?you=X&difficulty=random", tree, "/learn", "/proof"]
    resume("03142", human="X")
    turned = "/review/03142?you=X#move-2"
    assert links() == ["/review/03142?you=X", turned, "/learn", "/proof"]
    resume("4", human="O")
    tree = "/tree/----X----?game=4&you=O"
    assert links() == ["/why/4?you=O&difficulty=random", tree, "/learn", "/proof"]


def test_replay_reads_what_a_url_holds() -> None:
    assert replay("") == ()
    assert replay("048") == (0, 4, 8)
