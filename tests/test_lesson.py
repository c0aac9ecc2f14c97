"""The screens of the lesson: what they show in each state, and the pages around them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from teach.lesson.boards import MAIN_BOARD
from teach.lesson.screen import WORDS, Bubble, Finding, Screen, State, next_states
from teach.lesson.screens import (
    LAST_SCREEN,
    SCREENS,
    SOLVING_QUERIES,
    screen,
    seconds,
    states,
    total_minutes,
)
from tests import positions
from tests.conftest import Resume, game_of, parse, text_of
from tests.html import Tag
from tests.lesson_pages import open_page, solved_address, texts_of
from tests.sentences import assert_matches_snapshot, board_text, page_text, part_text, tree_text
from tests.serving import ROOT

# Sentences in every state, and pages in some


def sentences_of(lesson_screen: Screen) -> list[str]:
    """Return all sentences of a screen except those on buttons; some are empty."""
    bubble: Bubble | None = getattr(lesson_screen, "bubble", None)
    findings: tuple[Finding, ...] = getattr(lesson_screen, "findings", ())
    question: str = getattr(lesson_screen, "question", "")
    sentences = [bubble.remark, bubble.question] if bubble else []
    for card in lesson_screen.cards:
        sentences += [card.title, card.text]
    for part in (bubble, *lesson_screen.cards):
        if part:
            sentences += [board.caption for board in part.boards]
    if rule := lesson_screen.rule:
        sentences += [rule.title, rule.text]
    return [*sentences, question, lesson_screen.note, *(finding.remark for finding in findings)]


def test_the_sentences_of_every_state_match_the_snapshot() -> None:
    """Each set of sentences is listed once, with the query of the first state that has it."""
    first_queries: dict[tuple[str, str], str] = {}
    for number in SCREENS:
        for state in sorted(states(number), key=lambda state: state.query):
            sentences = " · ".join(filter(None, sentences_of(screen(number, state))))
            first_queries.setdefault((number, sentences), state.query or "begins")
    entries = [
        f"{number} {query}\n    {sentences}\n"
        for (number, sentences), query in first_queries.items()
    ]
    assert_matches_snapshot("lesson-said", "".join(entries))


STATE_ADDRESSES = [
    *SCREENS, *map(solved_address, SCREENS),
    "1?p=1", "2?seen=2&p=3&p=2", "3?p=3", "4?p=23&p=35", "4?p=23&p=35&p=53&try=5", "5?try=5.1&at=5",
    "6?try=1", "7?p=0", "7?p=1", "7?p=2&p=6", "8?seen=1&seen=5", "9?seen=8&at=8",
    "9?seen=2&seen=3&seen=5&seen=6&seen=8&try=2", "10?p=4&p=7&try=1",
    "12?p=-5", "12?p=-5&p=0", "12?p=-5&p=0&p=cut", "12?p=-5&p=0&p=cut&p=too",
    "12?at=numbers", "12?p=look&at=numbers", "12?p=cut&at=numbers", "12?p=cut&p=next&at=numbers",
    "12?p=cut&p=next&try=cut&at=numbers", "12?p=cut&p=next&p=last&at=numbers",
    "12?at=other", "12?p=look&at=other", "9?seen=2&seen=3&seen=5&seen=6&at=3",
    "13?p=2", "14?p=4&p=1&p=6",
]  # fmt: skip


def snapshot_of(address: str, page: Tag) -> str:
    """Return a page as text: its board, tree and drawings, their looks, and all its words."""
    looks = page.select(".bubble, .over, .pulse, .tick, .spent")
    lines = [
        address,
        board_text(page),
        tree_text(page),
        ", ".join(texts_of(page, "main svg text")),
        ", ".join(" ".join(tag.classes) for tag in looks),
        f"heard: {part_text(page.select('#after[role=status]')[0])}",
    ]
    return "\n    ".join(filter(None, lines)) + f"\n{page_text(page)}"


def test_every_kind_of_page_matches_its_snapshot(client: FlaskClient) -> None:
    snapshots = [snapshot_of(address, open_page(client, address)) for address in STATE_ADDRESSES]
    assert_matches_snapshot("lesson-screens", "".join(snapshots))


def test_every_kind_of_page_is_small(client: FlaskClient) -> None:
    for address in STATE_ADDRESSES:
        response = client.get(f"/learn/{address}")
        assert len(gzip.compress(response.data)) < 4096, address


# Few words


@pytest.mark.parametrize("number", SCREENS)
def test_a_screen_starts_with_few_words(client: FlaskClient, number: str) -> None:
    page = open_page(client, number)
    for element in page.select(
        ".tree, .chip, .code, .unseen, svg, .cell, .act, .who, .choices, .legend, .findings"
    ):
        element.remove()
    assert 12 <= len(text_of(page.select_one("main")).split()) <= 45


# By screen; screen 12 may have more, because it names its terms.
MAX_WORD_COUNTS = {
    "1": 48, "2": 50, "3": 52, "4": 125, "5": 89, "6": 73, "7": 46, "8": 68, "9": 87, "10": 163,
    "11": 89, "13": 89, "14": 49,
}  # fmt: skip


@pytest.mark.parametrize(("number", "max_count"), MAX_WORD_COUNTS.items())
def test_a_solved_screen_has_few_words(client: FlaskClient, number: str, max_count: int) -> None:
    page = open_page(client, solved_address(number))
    assert len(text_of(page.select_one("main")).split()) <= max_count


def sentences_in(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sentences in a table of words.toml; those in lists are not included."""
    for value in table.values():
        if isinstance(value, dict):
            yield from sentences_in(value)
        elif isinstance(value, str):
            yield from re.split(r"(?<=[.?!:])\s+", value.replace("**", ""))


@pytest.mark.parametrize("number", SCREENS)
def test_no_sentence_takes_more_than_two_lines_on_a_phone(number: str) -> None:
    """A line of 390 px has about 42 characters, minus those lost by wrapping."""
    assert not [text for text in sentences_in(WORDS[number]) if len(text) > 80]


# From state to state


@cache
def following_states(number: str) -> Mapping[State, set[State]]:
    """Return the states that a click leads to, for every state of a screen."""
    return {state: {*next_states(lesson_screen)} for state, lesson_screen in states(number).items()}


@pytest.mark.long
@pytest.mark.parametrize("number", SCREENS)
def test_a_screen_can_be_opened_in_every_state(number: str) -> None:
    for state, lesson_screen in states(number).items():
        assert screen(number, state) == lesson_screen


@pytest.mark.long
@pytest.mark.parametrize("number", SCREENS)
def test_every_state_leads_to_one_in_which_the_screen_is_solved(number: str) -> None:
    following, screens = following_states(number), states(number)
    lead_to_end = {state for state in screens if screens[state].is_solved}
    while more := {s for s in screens.keys() - lead_to_end if following[s] & lead_to_end}:
        lead_to_end |= more
    assert lead_to_end == {*screens}


@pytest.mark.long
@pytest.mark.parametrize("number", SCREENS)
def test_a_solved_screen_stays_solved_or_leads_onward(number: str) -> None:
    screens = states(number)
    for state, lesson_screen in screens.items():
        if lesson_screen.is_solved:
            next_screens = [screens[next_state] for next_state in following_states(number)[state]]
            assert all(after.is_solved or after.onward for after in next_screens)


@pytest.mark.long
@pytest.mark.parametrize("number", SCREENS)
def test_an_unsolved_screen_is_not_a_dead_end(number: str) -> None:
    for state, following in following_states(number).items():
        assert screen(number, state).is_solved or following - {state}


def sampled_states(number: str) -> list[State]:
    """Return about six states of a screen, or about twenty in `make soak`."""
    all_states = [*states(number)]
    return all_states[:: 1 + len(all_states) // (20 if positions.is_soak else 6)]


@pytest.mark.long
@pytest.mark.parametrize("number", SCREENS)
def test_a_page_links_to_the_states_that_follow(client: FlaskClient, number: str) -> None:
    for state in sampled_states(number):
        page = client.get(f"/learn/{number}?{state.query}").text
        links = {*map(unescape, re.findall(rf'href="(/learn/{number}\?.*?)"', page))}
        queries = {following.query for following in following_states(number)[state]} - {""}
        assert links == {f"/learn/{number}?{query}#stage" for query in queries}


@pytest.mark.long
@pytest.mark.parametrize("number", SCREENS)
def test_a_page_has_every_id_once(client: FlaskClient, number: str) -> None:
    for state in sampled_states(number):
        page = client.get(f"/learn/{number}?{state.query}").text
        ids = re.findall(r'\sid="(.*?)"', page)
        assert len(ids) == len({*ids})


def test_finding_the_draw_first_on_screen_7_leads_on_to_top_right() -> None:
    screens: Mapping[State, Any] = states("7")
    after_draw = screens[State(kept_presses=("0",))]
    assert after_draw.onward and not after_draw.is_solved
    next_screen = screens[after_draw.onward.state]
    assert next_screen.board[2].mark == "O" and not next_screen.is_solved and not next_screen.onward
    assert screens[State(seen_presses=("0",), kept_presses=("2", "6", "0"))].is_solved


def test_screen_8_lets_no_square_be_pressed_once_the_next_step_is_shown() -> None:
    screens: Mapping[State, Any] = states("8")
    for lesson_screen in screens.values():
        if lesson_screen.is_solved or lesson_screen.onward:
            assert not any(square.next_state for square in lesson_screen.board)


def test_screen_9_is_solved_only_after_all_five_moves_were_opened() -> None:
    for state, lesson_screen in states("9").items():
        if lesson_screen.is_solved:
            assert len(state.seen_presses) == 5 and not state.view


def test_on_screen_9_x_chooses_only_once_the_screen_is_solved() -> None:
    screens: Mapping[State, Any] = states("9")
    for lesson_screen in screens.values():
        markings = lesson_screen.tree.markings
        chosen = [path for path in markings if len(path) == 1 and markings[path].get("edge")]
        assert chosen == (["8"] if lesson_screen.is_solved else [])


@pytest.mark.parametrize(
    ("address", "twelfths"),
    [
        ("12?at=numbers", 6),  # the last leaf of nine
        ("12?p=cut&p=next&at=numbers", 11),  # the last leaf under _D_
        ("12?at=other", 10),  # the last leaf of three, under _B_
    ],
)
def test_a_question_about_a_leaf_points_to_the_leaf(
    client: FlaskClient, address: str, twelfths: int
) -> None:
    (bubble,) = open_page(client, address).select(".bubble")
    assert f"twelfth-{twelfths}" in bubble.classes


# Links and buttons


def addresses_of(number: str) -> list[str]:
    """Return addresses of a screen: begun and solved, in the lesson, from a game, from Today."""
    return [
        f"{number}?{'&'.join(filter(None, (query, origin)))}"
        for query in ("", SOLVING_QUERIES[number])
        for origin in ("", "from=game", f"to={number}")
    ]


@pytest.mark.parametrize("number", positions.sample(3, [*SCREENS]))
def test_every_link_of_a_screen_works(client: FlaskClient, number: str) -> None:
    for address in addresses_of(number):
        for link in open_page(client, address).select("main a"):
            assert client.get(link["href"], follow_redirects=True).status_code == 200, link


@pytest.mark.parametrize("number", positions.sample(3, [*SCREENS]))
def test_every_button_at_the_foot_of_a_screen_works(client: FlaskClient, number: str) -> None:
    for address in addresses_of(number):
        page = open_page(client, address)
        for button in page.select("#foot button[name=next]"):
            form = {field["name"]: field["value"] for field in page.select("#foot input")}
            form["next"] = button["value"]
            response = client.post(f"/learn/{number}/done", data=form, follow_redirects=True)
            assert response.status_code == 200, button


def test_a_solved_screen_leads_away_only_by_buttons(client: FlaskClient) -> None:
    for number in SCREENS:
        page = open_page(client, solved_address(number))
        assert not page.select("header a.back, #foot a, .card a:not([href^='/learn'])")


def test_pages_opened_from_a_solved_screen_link_back_to_its_state(client: FlaskClient) -> None:
    for number in SCREENS:
        for button in open_page(client, solved_address(number)).select("button[name=next]"):
            form = {"next": button["value"], "state": SOLVING_QUERIES[number]}
            url = client.post(f"/learn/{number}/done", data=form).headers["Location"]
            if "lesson=" in url:
                page = parse(client.get(url))
                links = {link["href"] for link in page.select(f"a[href^='/learn/{number}?']")}
                assert links == {f"/learn/{solved_address(number)}"}
                assert "‹ Lesson" in page.get_text()


SEARCH_FROM_SCREEN_10 = "/study/OX--X-OOX?view=search&scoring=flat&lesson=10%3Fp%3D4"
EXERCISE_FROM_SCREEN_10 = "/learn/write?l4=0&lesson=10%3Fp%3D4"


@pytest.mark.parametrize(
    "url",
    [
        SEARCH_FROM_SCREEN_10,
        f"{SEARCH_FROM_SCREEN_10}&step=5",
        EXERCISE_FROM_SCREEN_10,
        f"{EXERCISE_FROM_SCREEN_10}&run=on",
    ],
)
def test_a_page_opened_from_screen_10_links_back_and_names_nothing_from_later_screens(
    client: FlaskClient, url: str
) -> None:
    """Screen 12 introduces alpha-beta, and explains ▲."""
    page = client.get(url).text
    assert 'href="/learn/10?p=4"' in page
    assert not re.search("alpha.?beta", page, re.IGNORECASE)
    assert 'class="point"' not in page


def test_a_search_opened_from_screen_13_names_alpha_beta(client: FlaskClient) -> None:
    page = client.get(SEARCH_FROM_SCREEN_10.replace("10%3Fp%3D4", "13")).text
    assert "Alpha-beta prunes nothing" in page and 'class="point"' in page


def test_study_links_back_to_a_screen_without_a_state(client: FlaskClient) -> None:
    assert 'href="/learn/9"' in client.get("/study?lesson=9").text


@pytest.mark.parametrize("lesson", ["15", "x", "10?p=3", "9?at=2"])
def test_study_refuses_a_screen_or_state_that_does_not_exist(
    client: FlaskClient, lesson: str
) -> None:
    assert client.get("/study", query_string={"lesson": lesson}).status_code == 400


def watch_it_run(client: FlaskClient, number: str, destination: str, query: str) -> Tag:
    """Return the last step of the search that a button of a screen opens."""
    form = {"next": destination, "state": query}
    url = client.post(f"/learn/{number}/done", data=form).headers["Location"]
    assert f"/study/{MAIN_BOARD if number == '13' else 'OX--XXOOX'}?" in url
    return parse(client.get(f"{url}&step=last"))


@pytest.mark.parametrize(
    ("number", "destination", "query", "root_side"),
    [("10", "run", "p=4", "O"), ("13", "cuts", "p=3", "X")],
)
def test_watch_it_run_opens_the_tree_of_its_screen(
    client: FlaskClient, number: str, destination: str, query: str, root_side: str
) -> None:
    """The board at the root is the same, X is MAX, and the results are 1, 0 and -1."""
    page = watch_it_run(client, number, destination, query)
    chips = {*texts_of(page, "#ntree .chip")}
    assert chips and chips <= {"+1", "0", "−1", "≤ −1"}
    assert texts_of(page, "#ntree .who")[0] == root_side


def test_watch_it_run_searches_as_many_leaves_as_screen_13_says(client: FlaskClient) -> None:
    page = watch_it_run(client, "13", "cuts", "p=3")
    assert "4 of 6" in text_of(page.select_one("#so-far"))


def test_the_python_of_negamax_is_below_screen_10_once_it_is_solved(client: FlaskClient) -> None:
    code = ", ".join(texts_of(open_page(client, solved_address("10")), "details .code"))
    assert "def negamax(node" in code


def test_a_screen_without_extra_material_has_no_details(client: FlaskClient) -> None:
    assert not open_page(client, "4").select("details")


# Progress through the lesson


def test_opening_a_screen_saves_nothing_even_if_it_is_solved(client: FlaskClient) -> None:
    for number in SCREENS:
        assert "Set-Cookie" not in client.get(f"/learn/{solved_address(number)}").headers


def test_only_the_page_of_a_solved_screen_asks_to_be_saved(client: FlaskClient) -> None:
    """It sends a request of its own once htmx has settled the response to a click."""
    for number in SCREENS:
        assert "afterSettle" in client.get(f"/learn/{solved_address(number)}").text
        assert "afterSettle" not in client.get(f"/learn/{number}").text


def test_solving_every_screen_completes_the_lesson(client: FlaskClient) -> None:
    for number in SCREENS:
        response = client.post(f"/learn/{number}/done", headers={"HX-Request": "true"})
        assert (response.status_code, response.data) == (204, b"")
    index = client.get("/learn").text
    assert "14 of 14 done" in index and "Done. Play Perfect" in index


@pytest.mark.parametrize(
    ("number", "next_page"), [("1", "2"), ("3", "4"), ("9", "10"), ("13", "14"), ("14", "end")]
)
def test_next_opens_the_next_screen_and_after_the_last_the_end(
    client: FlaskClient, number: str, next_page: str
) -> None:
    response = client.post(f"/learn/{number}/done")
    assert (response.status_code, response.headers["Location"]) == (303, f"/learn/{next_page}")
    assert response.headers["Cache-Control"] == "no-store"


def test_a_screen_refuses_a_destination_that_it_does_not_have(client: FlaskClient) -> None:
    assert client.post("/learn/2/done", data={"next": "9"}).status_code == 400


@pytest.fixture
def five_screens_done(client: FlaskClient) -> None:
    """A visitor who has finished five screens."""
    for number in (1, 3, 9, 13, 14):
        client.post(f"/learn/{number}/done")


@pytest.mark.usefixtures("five_screens_done")
def test_the_index_marks_the_screens_that_are_done(client: FlaskClient) -> None:
    assert len(open_page(client, "").select("main .done")) == 5


@pytest.mark.usefixtures("five_screens_done")
@pytest.mark.parametrize(
    "address",
    [
        "end",
        "1?to=6",
        "6?to=6",
        "6?p=0&to=6",
        *(f"{solved_address('9')}&to={last_number}" for last_number in (9, 10, 11)),
        "3?from=game",
        f"{solved_address('2')}&from=game",
    ],
)
def test_pages_around_the_lesson_have_one_heading(client: FlaskClient, address: str) -> None:
    """They are the end, and screens opened from Today or from a game."""
    assert len(open_page(client, address).select("h1")) == 1


@pytest.mark.usefixtures("five_screens_done")
def test_the_tree_at_the_end_has_an_edge_for_every_screen(client: FlaskClient) -> None:
    assert len(open_page(client, "end").select(".grown .edge")) == LAST_SCREEN


@pytest.mark.parametrize("url", ["/learn/end", "/learn"])
def test_the_game_after_the_lesson_is_a_new_one_against_perfect(
    client: FlaskClient, resume: Resume, url: str
) -> None:
    resume("03142", opponent="perfect")
    with client.session_transaction() as session:
        session["done"] = "123456789abcde"  # all fourteen screens
    form = parse(client.get(url)).select("form[action='/new']")[0]
    client.post("/new", data={field["name"]: field["value"] for field in form.select("[name]")})
    game = game_of(client)
    assert (game.moves, game.opponent_name) == ((), "perfect")


# How long it takes


def test_the_index_and_the_readme_promise_the_same_time(client: FlaskClient) -> None:
    promise = f"bout {total_minutes()} minutes"  # after a capital or a small A
    assert promise in text_of(open_page(client, "").select_one("main"))
    assert promise in (ROOT / "README.md").read_text("utf-8")


def test_the_slowest_reader_took_at_most_a_quarter_longer_than_promised() -> None:
    seconds_of_readers = [sum(times) for times in zip(*WORDS["seconds"].values(), strict=True)]
    assert max(seconds_of_readers) <= 1.25 * 60 * total_minutes()


# Opened from elsewhere


@pytest.mark.parametrize(
    ("moves", "number"),
    [
        ("42170835", "3"),  # lost to a fork
        ("041236", "2"),  # lost to an open line
    ],
)
def test_why_links_to_the_screen_about_the_mistake_and_says_how_long_it_takes(
    client: FlaskClient, resume: Resume, moves: str, number: str
) -> None:
    resume(moves, "perfect")
    (link,) = parse(client.get("/why")).select(".status a")
    assert link["href"] == f"/learn/{number}?from=game"
    assert text_of(link).startswith(f"{seconds(int(number))}-second")


@pytest.mark.parametrize("number", ["2", "3"])
def test_a_screen_opened_from_a_game_leads_back_to_it(client: FlaskClient, number: str) -> None:
    page = open_page(client, f"{number}?from=game")
    assert text_of(page.select_one(".head")) == "‹ Back to the game"
    assert all("from=game" in link["href"] for link in page.select("#stage a"))
    response = client.post(f"/learn/{number}/done", data={"next": "game"})
    assert response.headers["Location"] == "/"


@pytest.mark.parametrize("number", range(1, 6))
def test_a_lesson_opened_from_today_has_six_screens(client: FlaskClient, number: int) -> None:
    page = open_page(client, f"{number}?to=6")
    assert text_of(page.select_one(".count")) == f"{number} of 6"
    assert len(page.select(".segments i")) == 6
    assert all("to=6" in link["href"] for link in page.select("#stage a, #foot a"))
    response = client.post(f"/learn/{number}/done", data={"to": "6"})
    assert response.headers["Location"] == f"/learn/{number + 1}?to=6"


def test_a_lesson_opened_from_today_ends_at_the_index(client: FlaskClient) -> None:
    assert client.post("/learn/6/done", data={"to": "6"}).headers["Location"] == "/learn"


# For teachers


def test_every_link_on_the_page_for_teachers_works(client: FlaskClient) -> None:
    for link in open_page(client, "teach").select(".cards a"):
        assert client.get(link["href"], follow_redirects=True).status_code == 200, link


def test_the_page_for_teachers_links_to_a_worksheet_and_its_key(client: FlaskClient) -> None:
    hrefs = {link["href"] for link in open_page(client, "teach").select(".cards a")}
    assert {"/learn/sheet?seed=1&count=6", "/learn/sheet?seed=1&count=6&key=on"} <= hrefs


def test_the_guide_for_teachers_is_on_the_site_too(client: FlaskClient) -> None:
    links = open_page(client, "teach").select("main a")
    (guide_link,) = [link for link in links if "guide" in text_of(link)]
    response = client.get(guide_link["href"])
    assert response.mimetype == "text/plain"
    assert response.text == (ROOT / "docs/teach.md").read_text()
