"""The Search view of /study: what is drawn, told, asked and linked at every step."""

from __future__ import annotations

import gzip
import re
from itertools import product

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.position import SQUARE_NAMES, Position
from teach.searches import ALGORITHMS, BACK, Algorithm, Run, code, line, met_after
from teach.searches import run as search_of
from teach.trees import ORDERS, SCORINGS, Order, Scoring, tree
from tests import textbook
from tests.conftest import assert_refused, parse, text_of
from tests.html import Tag

CLASSIC = "O-XX--XOO"
LOST = "-X---XOOX"
LARGEST = "XO--OXX--"
KINDS = list(product(ALGORITHMS, SCORINGS, ORDERS))


def run(position: Position, algorithm: Algorithm, scoring: Scoring, order: Order) -> Run:
    return search_of(tree(position, scoring, order), algorithm)


def address(board: str, **asked: object) -> str:
    return f"/study/{board}?view=search" + "".join(f"&{name}={asked[name]}" for name in asked)


def signed(value: float) -> str:
    if abs(value) > 99:
        return "−∞" if value < 0 else "+∞"
    return f"{value:+.0f}".replace("-", "−") if value else "0"


def parts(html: str) -> dict[str, Tag]:
    """Return the parts that change from step to step, by id."""
    names = "#up, #fam, #frames, #beside, #within"
    return {tag["id"]: tag for tag in Tag.parse(html).select(names)}


@pytest.fixture(scope="module")
def classic(app: Flask) -> list[Tag]:
    """Return the page after each step of minimax on the classic picture."""
    client, last = app.test_client(), len(run(Position.parse(CLASSIC), *KINDS[0]).steps)
    return [parse(client.get(address(CLASSIC, step=step))) for step in range(last + 1)]


# A search, step by step


@pytest.mark.long
@pytest.mark.parametrize(("algorithm", "scoring", "order"), KINDS)
def test_every_step_shows_the_stack_the_children_the_line_and_the_counts(
    client: FlaskClient, algorithm: Algorithm, scoring: Scoring, order: Order
) -> None:
    number = KINDS.index((algorithm, scoring, order))
    for board in (CLASSIC, (LOST, LARGEST)[number % 2]):
        search = run(Position.parse(board), algorithm, scoring, order)
        below = textbook.in_order(textbook.tree_of(board, scoring == "flat"), order)
        book = textbook.Search(below, algorithm == "alpha-beta")
        asked = {"algorithm": algorithm, "scoring": scoring, "order": order}
        for step in range(number % 3, len(search.steps) + 1, 1 if board == CLASSIC else 7):
            page = parts(client.get(address(board, **asked, step=step)).text)
            check_stack(search, step, page["frames"])
            check_place(search, step, page)
            done = search.steps[step - 1] if step else None
            marked = [text_of(on) for id in ("beside", "within") for on in page[id].select(".on")]
            ran = [" ".join(code(algorithm)[line(algorithm, done) - 1].split())] if done else []
            assert marked == ran * 2
            entered = [each for each in book.steps[:step] if each[0] == "enter"]
            leaves = sum(each[2] is not None for each in entered)
            counted = text_of(page["beside"].select_one(".so"))
            assert counted.startswith(f"{len(entered)} board")
            assert f" {leaves} of them ends" in counted


def check_stack(search: Run, step: int, frames: Tag) -> None:
    """Check the rows: who picks on each level, and best, α and β of each board on the stack."""
    met, last = met_after(search, step), search.steps[step - 1] if step else None
    stack = {path: standing.frame for path, standing in met.items() if standing.frame}
    turn = search.root.position.turn
    rows = frames.below("li")
    now = [number for number, row in enumerate(rows) if row.classes == ["now"]]
    assert now == [max(len(stack) - 1, 0)]
    sides, picks = (turn, "XO".replace(turn, "")), ("highest · MAX", "lowest · MIN")
    for level, row in enumerate(rows[:-1]):
        said = text_of(row)
        if "over" not in said:
            assert said.startswith(f"{sides[level % 2]} picks the {picks[level % 2]}")
        if level >= len(stack):
            assert "best" not in said and "α" not in said
    for (path, frame), row in zip(stack.items(), rows, strict=False):
        said = text_of(row)
        assert (signed(frame.best) if abs(frame.best) < 99 else "?") in said
        window = f"α {signed(frame.alpha)} β {signed(frame.beta)}"
        assert (window in said) == (search.algorithm == "alpha-beta")
        struck = [text_of(old) for old in row.select("s")]
        replaced = last and last.kind == "better" and path == last.path[:-1]
        assert struck == ([signed(last.before.best)] if last and replaced else [])


def check_place(search: Run, step: int, page: dict[str, Tag]) -> None:
    """Check the board in view and its children: which are known, cut, or not searched yet."""
    met = met_after(search, step)
    here = ([path for path in met if met[path].frame] or [()])[-1]
    tried = [child.path[-1] for child in search.root.at(here).below]
    kids = page["fam"].select(".kid")
    names = [text_of(kid.select_one("small")) for kid in kids]
    assert names == [SQUARE_NAMES[square] for square in tried]
    assert ("up" in page) == bool(here)
    for square, kid in zip(tried, kids, strict=True):
        standing = met[*here, square]
        chip = text_of(kid.select_one(".chip"))
        if standing.stage == "waiting":
            assert chip == "?"
        elif standing.stage == "cut":
            assert chip == "✂ cut" and "href" not in kid.attrs
        else:
            sign = {"exact": "", "at most": "≤ ", "at least": "≥ "}[standing.bound or "exact"]
            assert chip == sign + signed(standing.value or 0)


def test_a_cut_lights_the_board_that_it_is_held_against(client: FlaskClient) -> None:
    search = run(Position.parse(CLASSIC), "alpha-beta", "depth", "squares")
    (number,) = (n for n, step in enumerate(search.steps, 1) if step.kind == "cut")
    for step in (number - 1, number, number + 1):
        soup = parse(client.get(address(CLASSIC, algorithm="alpha-beta", step=step)))
        lit = [tag.name for tag in soup.select("#up .lit, #wide .mini.lit, .vc.lit")]
        assert bool(lit) == (step == number)
    soup = parse(client.get(address(CLASSIC, algorithm="alpha-beta", step=number)))
    assert text_of(soup.select_one("#map .vc.lit")) == "α +9"
    assert len(soup.select("#map .slash")) == len(soup.select("#wide .slash")) == 1
    assert len(soup.select("#wide .gone")) == 1
    search = run(Position.parse(LOST), "alpha-beta", "depth", "squares")
    deep = next(n for n, at in enumerate(search.steps, 1) if at.kind == "cut" and len(at.path) == 2)
    soup = parse(client.get(address(LOST, algorithm="alpha-beta", step=deep)))
    assert len(soup.select("#up .lit")) == 1


def test_the_value_that_comes_back_travels_up_its_line(classic: list[Tag]) -> None:
    steps = run(Position.parse(CLASSIC), "minimax", "depth", "squares").steps
    for done, soup in zip(steps[:-1], classic[1:-1], strict=True):
        assert bool(soup.select("#wide .edges.new .me")) == (done.kind in BACK)
        if done.kind in BACK:
            assert bool(soup.select("#fam .e.tried")) == (done.kind in BACK[2:])
            assert len(soup.select("#fam .kid.from")) == 1


# From step to step


def test_back_skip_next_and_the_slider_lead_where_they_say(
    classic: list[Tag],
) -> None:
    last = 20
    assert len(classic) == last + 1
    for step, soup in enumerate(classic):
        links = {a["id"]: a.get("href") for a in soup.select("#controls .row a")}
        assert links["back"] == (
            None if not step else address(CLASSIC, step=step - 1) if step > 1 else address(CLASSIC)
        )
        assert links["next"] == (
            address(CLASSIC, step=step + 1) if step < last else address(CLASSIC)
        )
        assert "data-key" in soup.select("#next")[0].attrs
        (slider,) = soup.select("#scrub")
        assert (slider["value"], slider["max"]) == (str(step), str(last))
        assert text_of(soup.select_one("#scrubber small")) == f"{step} of {last}"
    skip = classic[2].select("#skip")[0]
    assert skip["href"] == address(CLASSIC, step=9)  # where its value is back


def test_every_control_keeps_the_search_and_the_game(client: FlaskClient) -> None:
    kept = {"algorithm": "alpha-beta", "scoring": "flat", "order": "worst", "speed": "slow"}
    url = "/study/012436587?at=6&you=X&view=search&step=3&" + "&".join(
        f"{k}={v}" for k, v in kept.items()
    )
    soup = parse(client.get(url))
    for link in soup.select("#controls a[href], .kid[href], #wide a, #beside a, #settings a"):
        asked = dict(re.findall(r"(\w+)=([\w-]+)", str(link["href"])))
        assert (asked["at"], asked["you"], asked["view"]) == ("6", "X", "search")
        changed = {name for name in kept if asked.get(name) != kept[name]}
        assert len(changed) <= (1 if link in soup.select("#settings a, #beside a") else 0)
    fields = {str(f["name"]): str(f["value"]) for f in soup.select("#scrubber input")}
    assert fields == {"at": "6", "you": "X", "view": "search", "step": "3", **kept}
    assert soup.select("#scrubber")[0]["action"] == "/study/012436587"


def test_the_same_board_by_the_other_algorithm_is_a_link_with_the_counts(
    client: FlaskClient,
) -> None:
    (link,) = parse(client.get(address(LOST, step=50))).select("#beside a")
    assert text_of(link) == "The same by alpha-beta: 35 of 47 boards"
    there = parse(client.get(str(link["href"])))
    assert "won't come" in text_of(there.select_one("#told"))
    (back,) = there.select("#beside a")
    assert text_of(back) == "The same by minimax: 47 boards, not 35"
    met = parse(client.get(str(back["href"])))
    assert "Best so far: none yet." in text_of(met.select_one("#told"))
    last = parse(client.get(address(LOST, step=999)))
    assert text_of(last.select_one("#curr .same")) == text_of(link)
    assert not parse(client.get(address(LOST))).select(".same")
    begin = parse(client.get(address(LOST, algorithm="alpha-beta")))
    assert text_of(begin.select_one("#curr .same")) == ("α: what O is sure of β: what X is sure of")


def test_where_nothing_is_cut_no_other_algorithm_is_offered(client: FlaskClient) -> None:
    for algorithm in ALGORITHMS:
        page = parse(client.get(address("XXOOO-XX-", algorithm=algorithm, step=999)))
        assert not page.select("#beside a, #curr a")
        assert text_of(page.select_one("#curr .same")) == "Alpha-beta finds nothing to cut here."


def test_a_setting_leaves_the_settings_open_and_predict_is_named_above(
    client: FlaskClient,
) -> None:
    page = parse(client.get(address(CLASSIC)))
    assert not page.select("details[open]")
    (predict,) = [a for a in page.select("#settings a") if text_of(a) == "Predict"]
    there = parse(client.get(str(predict["href"])))
    assert len(there.select("details[open]")) == 2
    assert text_of(there.select_one("#line span")) == "Minimax · predict 9 lines ▾"
    assert "settings" not in str(there.select("#controls .row a")[-1]["href"])


def test_boards_can_be_walked_as_a_list_of_named_links(client: FlaskClient) -> None:
    soup = parse(client.get(address(LOST, step=50)))
    items = soup.select("#wide [role=list] > [role=listitem] > a")
    names = [str(item["aria-label"]) for item in items]
    assert names[:3] == [
        "The board: being searched",
        "O top right: being searched",
        "O top right, X top left: +7",
    ]
    assert names[-3:] == ["To top left, −8", "To middle left", "To centre"]
    assert len(items) == len({item["href"] for item in items}) == 18
    kids = [text_of(kid) for kid in soup.select("#fam li .kid")]
    assert kids == ["+7 top left", "+7 middle left", "−6 centre"]


def test_a_step_past_the_end_is_the_end(client: FlaskClient) -> None:
    soup = parse(client.get(address(CLASSIC, step=999)))
    assert text_of(soup.select_one("#told")) == "All are back. X picks the highest: centre, +9 ."


@pytest.mark.parametrize("board", [CLASSIC, LOST, LARGEST, "XO---X-XO"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_step_takes_at_most_seven_kilobytes(
    client: FlaskClient, board: str, algorithm: Algorithm
) -> None:
    last = len(run(Position.parse(board), algorithm, "depth", "squares").steps)
    for step in (*range(0, last, 12), last):
        page = client.get(address(board, algorithm=algorithm, step=step)).data
        assert len(gzip.compress(page, 6)) <= 7 * 1024


# Predict


def said(client: FlaskClient, step: int, answer: str = "", board: str = CLASSIC) -> Tag:
    more = {"answer": answer} if answer else {}
    return parse(client.get(address(board, predict="on", step=step, **more)))


def test_predicting_the_sentence_asks_and_the_answers_stand_in_place_of_the_controls(
    client: FlaskClient,
) -> None:
    soup = said(client, 7)
    assert text_of(soup.select_one("#told")).endswith("whose best is −8. What is it then?")
    answers = soup.select("#controls .answers a")
    assert [text_of(answer) for answer in answers] == ["−8", "+7", "+9", "Show me"]
    assert not soup.select("#next, #play")
    wrong = said(client, 7, "7")
    assert "Try again." in text_of(wrong.select_one("#told"))
    assert wrong.select("#answer-7")
    right = said(client, 7, "-8")
    assert text_of(right.select_one("#told")).startswith("Right. Back to O : middle right")
    assert right.select("#next")[0]["href"] == address(CLASSIC, predict="on", step=8)
    shown = said(client, 7, "show")
    assert text_of(shown.select_one("#told")).startswith("Back to O")
    last = said(client, 19, "4")
    assert text_of(last.select_one("#next")) == "Start again"
    assert said(client, 2).select("#next")[0]["href"] == address(CLASSIC, predict="on", step=3)


def test_back_up_leads_to_the_board_one_move_before(client: FlaskClient) -> None:
    above = ("O top left, X middle left", "O top left", "The board")
    for step, board in zip((6, 3, 2), above, strict=True):
        (up,) = parse(client.get(address(LOST, step=step))).select("#up")
        assert up["aria-label"] == f"Back up: {board}: being searched"


def test_at_the_end_the_move_is_asked_by_its_name(client: FlaskClient) -> None:
    answers = said(client, 19).select("#controls .answers a")
    assert [text_of(answer) for answer in answers] == [
        "Top centre",
        "Centre",
        "Middle right",
        "Show me",
    ]
    assert "it brought −8" in text_of(said(client, 19, "1").select_one("#told"))
    soup = parse(client.get(address(CLASSIC, algorithm="alpha-beta", predict="on", step=16)))
    assert [text_of(a) for a in soup.select(".answers a")] == ["Searched", "Cut", "Show me"]
    following = parse(client.get(address(LOST, predict="on", step=3, answer="show")))
    assert following.select("#next")


# What cannot be watched, and what cannot be meant


@pytest.mark.parametrize(("board", "nodes"), [("", "549,946"), ("/X---O----", "7,332")])
def test_a_larger_search_is_counted_to_scale_and_leads_to_boards_to_watch(
    client: FlaskClient, board: str, nodes: str
) -> None:
    soup = parse(client.get(f"/study{board}?view=search"))
    assert f"Minimax would enter {nodes} boards" in text_of(soup.select_one("#told"))
    counts = [int(text_of(td).replace(",", "")) for td in soup.select(".cost td")]
    sides = [float(str(rect["width"])) for rect in soup.select(".scales rect")]
    assert counts == sorted(counts, reverse=True) and sides[0] == 280
    for count, side in zip(counts, sides, strict=True):
        assert (side / sides[0]) ** 2 == pytest.approx(count / counts[0], abs=0.002)
    ways = [str(way["href"]) for way in soup.select(".ways a, .countcol .prime")]
    assert len(ways) == 10
    for way in ways:
        assert 'id="wide"' in client.get(way).text


def test_where_best_play_ends_too_soon_only_known_boards_are_offered(client: FlaskClient) -> None:
    soup = parse(client.get("/study/XX--O-O--?view=search"))  # X is about to win
    assert not soup.select(".countcol .prime")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("&step=-1", "step is a number, 0 or more."),
        ("&step=", "step is a number, 0 or more."),
        ("&step=1&step=2", "step was given 2 times"),
        ("&algorithm=negamax", "algorithm is one of minimax, alpha-beta."),
        ("&scoring=turns", "scoring is one of depth, flat."),
        ("&order=random", "order is one of squares, best, worst."),
        ("&settings=no", "settings is one of open."),
        ("&speed=none", "speed is one of slow, fast."),
        ("&predict=off", "predict is one of on."),
        ("&step=3&predict=on&answer=8", "answer is one of -8, 7, 9, show."),
        ("&step=2&predict=on&answer=8", "Nothing is asked at this step, so there is no answer."),
        ("&step=3&answer=-8", "Nothing is asked at this step, so there is no answer."),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_reason(
    client: FlaskClient, query: str, reason: str
) -> None:
    assert_refused(client, address(CLASSIC) + query, reason)
