"""The Search view of /study over HTTP: a page of each kind, links, questions and refusals."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.position import Position
from teach.guesses import cut_off
from teach.numbers import number_tree
from teach.searches import ALGORITHMS, FORMS, Algorithm, Run, code, lines, met_after, run
from teach.trees import tree
from tests import textbook
from tests.conftest import assert_refused, parse, text_of
from tests.html import Tag
from tests.pages import LARGEST
from tests.positions import one_in
from tests.test_searches import SECOND, run_of
from tests.test_watch import own, signed

CLASSIC, LOST = "O-XX--XOO", "-X---XOOX"
NUMBERS = "((3,12,8),(2,4,6),(14,5,2))"


def address(where: str, **asked: object) -> str:
    return f"/study/{where}?view=search" + "".join(f"&{name}={asked[name]}" for name in asked)


@pytest.fixture(scope="module")
def classic(app: Flask) -> list[Tag]:
    """Return the page after each step of minimax on the classic picture."""
    client, last = app.test_client(), len(run(tree(Position.parse(CLASSIC)), "minimax").steps)
    return [parse(client.get(address(CLASSIC, step=step))) for step in range(last + 1)]


# A search, step by step


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("where", [CLASSIC, NUMBERS, "---------"])
def test_every_step_shows_the_stack_the_window_the_line_and_the_counts(
    client: FlaskClient, where: str, form: str
) -> None:
    for step in (0, 1, 5, 10, 13, "last"):
        page = parse(client.get(address(where, algorithm="alpha-beta", form=form, step=step)))
        search = run_of_page(where)
        done = len(search.steps) if step == "last" else int(step)
        check_stack(search, done, page.select("#frames > li"), own if where == NUMBERS else signed)
        shown = [text_of(on) for on in page.select("#beside .on, #within .on")]
        listing = code("alpha-beta", "two" if form == "two" else "one")
        last = search.steps[done - 1 : done] if done else ()
        ran = [lines(search, step, "two" if form == "two" else "one")[0] for step in last]
        assert shown == [" ".join(listing[number - 1].split()) for number in ran] * 2
        entered = [each for each in search.steps[:done] if each.kind in ("enter", "leaf")]
        leaves = sum(each.kind == "leaf" for each in entered)
        counted = text_of(page.select_one("#beside .so"))
        assert counted.startswith(f"{len(entered)} ")
        assert f"{leaves} of {len(search.root.leaves)}" in counted


def run_of_page(where: str) -> Run:
    if where == NUMBERS:
        return run(number_tree(SECOND), "alpha-beta")
    if where == CLASSIC:
        return run_of(Position.parse(CLASSIC), "alpha-beta", "depth", "squares")
    return run(cut_off(Position(), 2), "alpha-beta")


def check_stack(search: Run, step: int, rows: list[Tag], number: object) -> None:
    """Check the rows: who picks on each level, and best and window of each fork on the stack."""
    assert callable(number)
    stack = {path: it.frame for path, it in met_after(search, step).items() if it.frame}
    now = [level for level, row in enumerate(rows) if row.classes == ["now"]]
    assert now == [max(len(stack) - 1, 0)]
    for level, row in enumerate(rows[:-1]):
        assert ("MAX", "MIN")[level % 2] in text_of(row) or "over" in text_of(row)
    for (path, frame), row in zip(stack.items(), rows, strict=False):
        if not search.root.at(path).over:
            ends = [number(e) if abs(e) < 1000 else "+∞" if e > 0 else "−∞" for e in frame[1:]]
            assert f"[{ends[0]}, {ends[1]}]" in text_of(row)
            best = number(frame.best) if abs(frame.best) < 1000 else "?"
            assert best in text_of(row)


def test_a_cut_lights_what_it_is_held_against_and_is_drawn_with_strokes_and_scissors(
    client: FlaskClient,
) -> None:
    search = run_of(Position.parse(LOST), "alpha-beta", "depth", "squares")
    (number, *_) = (n for n, step in enumerate(search.steps, 1) if step.kind == "cut")
    for step in (number - 1, number, number + 1):
        page = parse(client.get(address(LOST, algorithm="alpha-beta", step=step)))
        assert bool(page.select("#wide .mini.lit, .vc.lit")) == (step == number)
    page = parse(client.get(address(NUMBERS, algorithm="alpha-beta", step=13)))
    assert [text_of(lit) for lit in page.select(".vc.lit")] == ["3", "3"]
    assert len(page.select("#wide .slash")) == len(page.select("#wide .sc")) == 1
    assert len(page.select("#wide .gone")) == 2
    assert [text_of(it) for it in page.select("#wide .win")] == ["[3, +∞]", "[3, 2]"]
    assert "≤ 2" in [text_of(it) for it in page.select("#wide .vc")]
    legend = text_of(page.select_one(".drawn .legend"))
    assert "MAX MIN [α, β] window ≤ ≥ bound cut" in legend


@pytest.mark.parametrize("where", [NUMBERS, LOST, "---------"])
def test_a_window_belongs_to_alpha_beta_alone(client: FlaskClient, where: str) -> None:
    for algorithm in ALGORITHMS:
        page = parse(client.get(address(where, algorithm=algorithm, step=5)))
        assert bool(page.select(".win")) == (algorithm == "alpha-beta")
        assert page.select("#wide .lead")


def test_the_value_that_comes_back_travels_up_its_line(classic: list[Tag]) -> None:
    steps = run(tree(Position.parse(CLASSIC)), "minimax").steps
    for done, page in zip(steps[:-1], classic[1:-1], strict=True):
        assert bool(page.select("#wide .edges.new .me")) == (done.kind not in ("enter", "leaf"))


def test_back_skip_next_and_the_slider_lead_where_they_say(classic: list[Tag]) -> None:
    last = 20
    assert len(classic) == last + 1
    for step, page in enumerate(classic):
        links = {a["id"]: a.get("href") for a in page.select("#controls .row a")}
        back = address(CLASSIC, step=step - 1) if step > 1 else address(CLASSIC)
        assert links["back"] == (back if step else None)
        on = address(CLASSIC, step=step + 1) if step < last else address(CLASSIC)
        assert links["next"] == on
        (slider,) = page.select("#scrub")
        assert (slider["value"], slider["max"]) == (str(step), str(last))
    assert classic[2].select("#skip")[0]["href"] == address(CLASSIC, step=9)  # its value is back


@pytest.mark.parametrize("where", ["012436587", NUMBERS])
def test_every_control_keeps_the_search_and_the_game(client: FlaskClient, where: str) -> None:
    kept = {"algorithm": "alpha-beta", "order": "worst", "speed": "slow"}
    game = {"at": "6"} if where != NUMBERS else {"top": "min"}
    asked = kept | game
    url = f"/study/{where}?view=search&step=3&" + "&".join(f"{k}={v}" for k, v in asked.items())
    page = parse(client.get(url))
    inside = [link["href"] for link in page.select("#settings a, #beside a")]
    for link in page.select("#controls a[href], #wide a, #beside a, #settings a"):
        if "counts=on" in link["href"]:
            continue
        found = dict(re.findall(r"(\w+)=([\w-]+)", link["href"]))
        assert found["view"] == "search" and found.items() >= game.items()
        changed = {name for name in kept if found.get(name) != kept[name]}
        assert len(changed) <= (1 if link["href"] in inside else 0)
    fields = {field["name"]: field["value"] for field in page.select("#scrubber input")}
    assert fields == {"view": "search", "step": "3", **asked}
    assert unquote(page.select("#scrubber")[0]["action"]) == f"/study/{where}"


def test_the_same_board_by_the_other_algorithm_is_a_link_with_the_counts(
    client: FlaskClient,
) -> None:
    (link,) = parse(client.get(address(LOST, step=50))).select("#beside a")
    assert text_of(link) == "The same by alpha-beta: 35 of 47 boards"
    there = parse(client.get(link["href"]))
    assert text_of(there.select_one("#scrubber small")) == "0 of 74"
    (back,) = there.select("#beside a")
    assert text_of(back) == "The same by minimax: 47 boards, not 35"
    begin = parse(client.get(address(LOST, algorithm="alpha-beta")))
    assert text_of(begin.select_one("#curr .same")) == "α: what O is sure of β: what X is sure of"
    numbers = parse(client.get(address(NUMBERS, algorithm="alpha-beta", step=13)))
    assert text_of(numbers.select_one("#beside a")) == "The same by minimax: 13 nodes, not 11"


@pytest.mark.long
def test_nothing_to_cut_is_said_only_of_this_order_or_of_no_order(client: FlaskClient) -> None:
    """Of 'OX--X-OOX', flat, alpha-beta cuts nothing in square order, and much best first."""
    for board in ("OX--X-OOX", "XXOOO-XX-", CLASSIC):
        for scoring in ("depth", "flat"):
            page = parse(client.get(address(board, scoring=scoring, step="last")))
            counts = {}
            for order in ("squares", "best", "worst"):
                below = textbook.in_order(textbook.tree_of(board, scoring == "flat"), order)
                steps = textbook.Search(below, pruning=True).steps
                counts[order] = sum(step[0] == "enter" for step in steps)
            every = sum(1 for _ in textbook.nodes_of(textbook.tree_of(board)))
            said = text_of(page.select_one("#beside p small"))
            if counts["squares"] < every:
                assert said.startswith("The same by alpha-beta")
            elif min(counts.values()) < every:
                assert said == (
                    "Alpha-beta cuts nothing in this order. In another: "
                    f"{min(counts.values())} of {every} boards"
                )
            else:
                assert said == "Alpha-beta finds nothing to cut here, in no order."


# The last step is the tree


def test_at_the_last_step_each_node_can_be_pressed_and_is_told_with_its_value(
    client: FlaskClient,
) -> None:
    page = parse(client.get(address(LOST, step="last", path=2)))
    links = {a["aria-label"]: a["href"] for a in page.select("#wide a")}
    assert links["O top right: −6"] == address(LOST, step="last", path=2)
    assert links["The board: −6"] == address(LOST, step="last")
    assert "To middle left, −8" in links
    said = text_of(page.select_one("#told"))
    assert said == ("O top right: only centre still wins for X , on turn 4. O has nothing better.")
    early = parse(client.get(address(LOST, step=50)))
    assert "path=" not in "".join(a["href"] for a in early.select("#wide a"))
    numbers = parse(client.get(address(NUMBERS, step="last", path=21)))
    assert text_of(numbers.select_one("#told")) == "A leaf of D : 5 . D has better: 2."


def test_tree_is_the_last_step_of_search(client: FlaskClient) -> None:
    found = client.get("/study/-X---XOOX?view=tree&path=24&scoring=flat")
    assert found.status_code == 302
    where, _, query = found.headers["Location"].partition("?")
    assert where == "/study/-X---XOOX"
    asked = {"view=search", "step=last", "path=24", "scoring=flat"}
    assert {*query.split("&")} == asked
    assert client.get(found.headers["Location"]).status_code == 200


def test_mirror_images_once_stays_a_setting(client: FlaskClient) -> None:
    alike = parse(client.get(address("-X-O-OXOX", mirrors="merged", step="last")))
    assert len(alike.select("#wide [role=listitem]")) < len(
        parse(client.get(address("-X-O-OXOX", step="last"))).select("#wide [role=listitem]")
    )


@pytest.mark.parametrize("where", [LOST, "X---O----"])
def test_max_is_whoever_decides_unless_min_is_on_top_and_the_page_says_who(
    client: FlaskClient, where: str
) -> None:
    turn = textbook.turn(where)
    for top, of_max in ((None, turn), ("min", textbook.other(turn))):
        page = parse(client.get(address(where, step="last", **({"top": top} if top else {}))))
        assert f"{of_max} is MAX" in text_of(page.select_one(".ttl .whose"))
        assert f"{of_max} picks the highest · MAX" in text_of(page.select_one("#frames"))
        now = page.select_one("#settings nav[aria-label=MAX] [aria-current]")
        assert text_of(now) == f"{of_max} is MAX"
        assert all(("top=min" in a["href"]) == bool(top) for a in page.select("#controls a[href]"))


# Boards cut off


def test_a_board_cut_off_shows_its_guess_and_offers_its_depths(client: FlaskClient) -> None:
    page = parse(client.get(address("---------", algorithm="alpha-beta", step=20)))
    rows = [text_of(row) for row in page.select(".sum tbody tr")]
    assert rows == ["X 0 3 3", "O 0 2 2"]
    assert [text_of(it) for it in page.select(".vc.bare")] == [
        "+1",
        "0",
        "−1",
        "+1",
        "0",
        "−1",
        "+1",
        "?",
    ]
    names = [text_of(a) for a in page.select("#settings nav[aria-label=Depth] a")]
    assert names == ["Depth 1", "Depth 2"]
    assert_refused(client, address("---------", depth=3), "depth 1 or 2 can be drawn")
    small = parse(client.get(address(LOST, depth=1, step="last")))
    assert "guess" in text_of(small.select_one("#frames"))


@pytest.mark.parametrize(("board", "nodes"), [("---------", "549,946"), ("X---O----", "7,332")])
def test_what_a_search_to_the_ends_costs_is_told_beside(
    client: FlaskClient, board: str, nodes: str
) -> None:
    page = parse(client.get(address(board, counts="on")))
    assert f"Minimax would enter {nodes} boards" in text_of(page.select_one("#told"))
    assert client.get(page.select("#told a")[0]["href"]).status_code == 200
    (ways,) = [a["href"] for a in page.select(".countcol .prime")]
    assert client.get(ways).status_code == 200


# Predict


def said(client: FlaskClient, where: str, step: int, **more: object) -> Tag:
    return parse(client.get(address(where, predict="on", step=step, **more)))


def test_predicting_the_answers_stand_in_place_of_the_controls(client: FlaskClient) -> None:
    page = said(client, CLASSIC, 7)
    assert text_of(page.select_one("#told")).endswith("whose best is −8. What is it then?")
    assert said(client, CLASSIC, 2).select("#next") and not said(client, CLASSIC, 2).select(
        ".answers"
    )
    answers = [text_of(answer) for answer in page.select("#controls .answers a")]
    assert answers == ["−8", "+7", "+9", "Show me"] and not page.select("#next, #play")
    assert "Try again." in text_of(said(client, CLASSIC, 7, answer=7).select_one("#told"))
    right = said(client, CLASSIC, 7, answer=-8)
    assert text_of(right.select_one("#told")).startswith("Right. Back to O : middle right")
    assert right.select("#next")[0]["href"] == address(CLASSIC, predict="on", step=8)
    assert text_of(said(client, CLASSIC, 19, answer=4).select_one("#next")) == "Start again"
    cut = parse(client.get(address(CLASSIC, algorithm="alpha-beta", predict="on", step=16)))
    assert [text_of(a) for a in cut.select(".answers a")] == ["Searched", "Cut", "Show me"]
    moves = [text_of(a) for a in said(client, NUMBERS, 25).select(".answers a")]
    assert moves == ["B", "C", "D", "Show me"]
    values = [text_of(a) for a in said(client, NUMBERS, 5).select(".answers a")]
    assert len(values) <= 6 and "3" in values


# On a beamer


@pytest.mark.parametrize("where", [NUMBERS, CLASSIC, "X---O----"])
def test_on_a_beamer_are_a_sentence_the_tree_the_code_and_two_steps(
    client: FlaskClient, where: str
) -> None:
    page = parse(client.get(address(where, algorithm="alpha-beta", big="on", step=5)))
    assert page.select("main.big")
    assert not page.select("#frames, .tabs, #curr, #scrubber, #settings")
    links = {a["id"]: a.get("href") for a in page.select("#controls a")}
    assert links == {
        "back": address(where, algorithm="alpha-beta", big="on", step=4),
        "next": address(where, algorithm="alpha-beta", big="on", step=6),
        "big": address(where, algorithm="alpha-beta", step=5),
    }


# What a step costs


@pytest.mark.parametrize("name", LARGEST)
def test_a_step_of_the_largest_tree_of_each_kind_is_sent_in_seven_kilobytes(
    client: FlaskClient, name: str
) -> None:
    url, _, _ = LARGEST[name].rpartition("=")
    last = int(parse(client.get(f"{url}=last")).select("#scrub")[0]["max"])
    for step in [*one_in(24, range(last)), last]:
        for form in FORMS:
            sent = client.get(f"{url}={step}&form={form}", headers={"Accept-Encoding": "br"})
            assert len(sent.data) <= 7 * 1024, step


# What cannot be meant


@pytest.mark.parametrize(
    ("where", "query", "reason"),
    [
        (CLASSIC, "algorithm=negamax", "algorithm is one of"),
        (CLASSIC, "step=-1", "step is a number"),
        (CLASSIC, "answer=cut", "Nothing is asked"),
        (CLASSIC, "predict=on&step=7&answer=3", "answer is one of"),
        (CLASSIC, "path=1", "at the last step"),
        (CLASSIC, "step=last&path=0", "path leads to"),
        (CLASSIC, "step=last&path=x", "path leads to"),
        (CLASSIC, "depth=0", "depth"),
        (CLASSIC, "mirrors=some", "mirrors is one of"),
        (NUMBERS, "top=left", "top is one of"),
        (NUMBERS, "step=last&path=23", "path leads to"),
        ("((3,12,8)", "", "is missing at the end"),
        ("((3,x),2)", "", "“x” is no number"),
        ("(" * 10_000, "", "At most 600 characters"),
        ("(" * 500, "", "At most 5 levels"),
        (f"({'9' * 400},1)", "", "A number is from"),
    ],
)
def test_nonsense_is_refused_with_the_reason(
    client: FlaskClient, where: str, query: str, reason: str
) -> None:
    assert_refused(client, f"/study/{where}?view=search&{query}", reason)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_step_past_the_end_is_the_end(client: FlaskClient, algorithm: Algorithm) -> None:
    page = parse(client.get(address(CLASSIC, algorithm=algorithm, step=999)))
    assert text_of(page.select_one("#told")).startswith("All are back. X picks the highest: centre")
