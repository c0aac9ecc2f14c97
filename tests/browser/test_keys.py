"""Keys: where they act, held down, on any keyboard layout; and where the focus is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.person import (
    DRAWN_GAME,
    SMALL,
    STATES,
    TWO_FRAMES,
    answer,
    board,
    press,
    requests_below,
    text,
    wait_for_answer,
)
from tests.positions import sample
from web.play.game import Game
from web.play.record import Record

STUDY = "/study/42170835?you=X&difficulty=perfect&at=4"
SEARCH = "/study/-X---XOOX?view=search&step=9"
BIG = f"{SEARCH}&big=on"
FOUND = "/practise/moves/X---O---X?round=1&done=f&p=1"
# One page of each kind that runs one of the site's scripts.
SCRIPTED = {
    "game": "/",
    "study": STUDY,
    "search": SEARCH,
    "projector": BIG,
    "practice": FOUND,
    "cuts": "/practise/cuts?tree=((3,5),(2,7))&top=max&p=uuuc",
    "round over": "/practise/moves?round=5&done=ff00f0ffff",
    "lesson": "/learn/2?seen=2&p=5",
    "teachers": "/learn/teach",
    "today": "/today",
}

FOCUS = "() => document.activeElement.id || document.activeElement.localName"
SCROLL = "() => [scrollX, scrollY]"


def focus(page: Page) -> str:
    return str(page.evaluate(FOCUS))


# Where keys act


@pytest.mark.parametrize("state", ["first", "mid-game", "lost"])
def test_the_board_has_the_focus_on_load_but_no_ring_until_a_key(visit: Visit, state: str) -> None:
    page = visit(game=STATES[state], screen=SMALL)
    group = page.get_by_role("group", name="Board")
    expect(group).to_be_focused()
    assert page.evaluate(SCROLL) == [0, 0]
    expect(group).to_have_css("outline-style", "none")
    expect(group).to_have_accessible_description(text(page, "#status").replace("\n", " "))
    page.keyboard.press("Control")
    expect(group).to_have_css("outline-style", "none")
    page.keyboard.press("x")
    expect(group).to_have_css("outline-style", "solid")
    page.keyboard.press("ArrowDown")
    assert focus(page) == "cell-0"  # Tab also starts there
    expect(group).not_to_have_attribute("aria-describedby", "status")


def test_keys_work_as_soon_as_the_game_opens(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("5")
    assert answer(page)[4] == "X"
    page.reload()
    page.keyboard.press("h")
    answer(page)
    assert page.locator("#hint[aria-pressed=true]").count()


def test_an_address_with_a_fragment_keeps_the_focus_there(visit: Visit) -> None:
    page = visit("/#cell-4")
    assert focus(page) != "board"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert focus(page) != "cell-0"


# Scripts, each of which adds an element that uses keys itself, and focuses it.
FIELDS = {
    name: f"""where => {{
        const host = document.querySelector(where)
        {made}
        host.append(made)
        {focused}
    }}"""
    for name, (made, focused) in {
        "input": ("const made = document.createElement('input')", "made.focus()"),
        "textarea": ("const made = document.createElement('textarea')", "made.focus()"),
        "select": (
            "const made = document.createElement('select'); made.append(new Option('1'))",
            "made.focus()",
        ),
        "contenteditable": (
            "const made = document.createElement('p'); made.contentEditable = true",
            "made.focus()",
        ),
        "editable in part": (
            "const made = document.createElement('p'); made.contentEditable = 'plaintext-only'",
            "made.focus()",
        ),
        "editable, by script alone": (
            "const made = document.createElement('p');"
            "made.contentEditable = true; made.tabIndex = -1",
            "made.focus()",
        ),
        "the whole page": (
            "const made = new Text(''); document.designMode = 'on'",
            "document.activeElement.blur(); (host.tabIndex < 0 ? host : document.body).focus()",
        ),
        "text box": (
            "const made = document.createElement('p'); made.tabIndex = 0; made.role = 'textbox'",
            "made.focus()",
        ),
        "open shadow root": (
            "const made = document.createElement('span'), field = document.createElement('input');"
            "made.attachShadow({mode: 'open'}).append(field)",
            "field.focus()",
        ),
        "closed shadow root": (
            "const made = document.createElement('span'), field = document.createElement('input');"
            "made.attachShadow({mode: 'closed'}).append(field)",
            "field.focus()",
        ),
        "editable in a shadow root": (
            "const made = document.createElement('span'), field = document.createElement('p');"
            "field.contentEditable = true; made.attachShadow({mode: 'open'}).append(field)",
            "field.focus()",
        ),
    }.items()
}
TYPED = "I said 159, u, n and h."


@pytest.mark.parametrize("where", sample(2, ["body", "#game", "#board", ".head"]))
def test_no_key_plays_while_something_else_uses_it(visit: Visit, where: str) -> None:
    page = visit(game=STATES["mid-game"])
    before = board(page)
    leaked = []
    for name, add_field in FIELDS.items():
        page.evaluate(add_field, where)
        with requests_below(page, "/") as urls:
            page.keyboard.type(TYPED)
            page.evaluate(TWO_FRAMES)
        if urls or answer(page) != before or page.locator("#wrong").count():
            leaked.append(name)
            page = visit(game=STATES["mid-game"])
    assert not leaked


@pytest.mark.parametrize("where", sample(2, [".brand", ".nav a >> nth=2", ".skip", "main", "body"]))
def test_typing_beside_the_game_plays_nothing(visit: Visit, where: str) -> None:
    """Speech input types words wherever the focus is; see WCAG 2.1.4."""
    page = visit(game=STATES["mid-game"])
    before = board(page)
    page.evaluate("() => document.activeElement.blur()")
    if where != "body":
        page.locator(where).focus()
    with requests_below(page, "/") as urls:
        page.keyboard.type(TYPED)
        page.evaluate(TWO_FRAMES)
    assert not urls
    assert answer(page) == before


def test_every_control_of_the_game_reacts_to_its_keys(visit: Visit) -> None:
    game = STATES["mid-game"]
    controls = ["#board", "#cell-8", "#cell-0", "#undo", "#hint", "#new"]
    for control in controls:
        page = visit(game=game)
        page.locator(control).focus()
        page.keyboard.press("8")
        assert answer(page)[7] == "X", control
        page.locator(control).focus()
        page.keyboard.press("u")
        assert answer(page) == str(game.position), control


def test_typing_replaces_the_text_of_a_game_to_share(visit: Visit) -> None:
    page = visit(game=STATES["stopped"], new=True)
    page.evaluate("() => { navigator.clipboard.writeText = async () => { throw Error() } }")
    page.locator("#share").click()
    field = page.get_by_label("To copy")
    expect(field).to_be_focused()
    before = board(page)
    page.keyboard.type("nuw1")
    page.keyboard.press("Home")
    expect(field).to_be_focused()
    assert answer(page) == before


STEPS = [
    (STUDY, "ArrowRight", "at=5"),
    (STUDY, "ArrowLeft", "at=3"),
    (STUDY, "Home", "at=0"),
    (STUDY, "End", "at=8"),
    (SEARCH, "ArrowRight", "step=10"),
    (SEARCH, "b", "big=on"),
    (BIG, "PageDown", "step=10"),
    (BIG, "PageUp", "step=8"),
    (BIG, "b", "step=9"),
    (FOUND, "ArrowRight", "done=ff"),
]


@pytest.mark.parametrize(("path", "key", "then"), sample(3, STEPS))
def test_keys_step_through_a_page_from_its_load_but_not_in_a_field(
    visit: Visit, path: str, key: str, then: str
) -> None:
    """A clicker sends PageUp and PageDown, without a click on the page first."""
    page = visit(path)
    assert page.evaluate(SCROLL) == [0, 0]
    for where in ("main", "body"):
        for add_field in FIELDS.values():
            page.evaluate(add_field, where)
            page.keyboard.press(key)
    for link in page.locator(".head a:visible").all():
        link.focus()
        page.keyboard.press(key)
    page.evaluate(TWO_FRAMES)
    wait_for_answer(page)
    here = page.url.partition("/")[2]
    assert page.url.endswith(path), here
    page.reload()
    page.keyboard.press(key)
    page.wait_for_url(lambda url: then in url and not url.endswith(path))


def test_letters_do_nothing_without_focus(visit: Visit) -> None:
    page = visit(SEARCH)
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("main")).to_have_css("outline-style", "none")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("b")
    page.evaluate(TWO_FRAMES)
    wait_for_answer(page)
    assert page.url.endswith(SEARCH)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=10*")


def test_escape_in_another_field_closes_nothing(visit: Visit) -> None:
    page = visit(SEARCH)
    page.locator("#settings").click()
    page.evaluate(FIELDS["input"], "body")
    page.keyboard.press("Escape")
    expect(page.locator(".settings")).to_have_attribute("open", "")
    page.locator("#settings").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".settings")).not_to_have_attribute("open", "")


def test_keys_scroll_the_code_without_stepping(visit: Visit) -> None:
    page = visit(SEARCH, screen=(1280, 800))
    page.locator("#code").focus()
    page.keyboard.press("ArrowRight")
    page.evaluate(TWO_FRAMES)
    wait_for_answer(page)
    assert page.url.endswith(SEARCH)


# Held keys


def hold(page: Page, key: str, times: int = 6) -> None:
    """Hold a key down: each further press is a repeat, after the response to the last."""
    for _ in range(times):
        page.keyboard.down(key)
        page.evaluate(TWO_FRAMES)
        wait_for_answer(page)
    page.keyboard.up(key)


@pytest.mark.parametrize(
    ("on", "key"), [("#board", "u"), ("#cell-5", "u"), ("#undo", "u"), ("#undo", "Enter")]
)
def test_a_held_key_takes_one_move_back(visit: Visit, on: str, key: str) -> None:
    page = visit(game=Game((4, 0, 1, 7), unfinished=Game((8, 4, 0, 1))))
    page.locator(on).focus()
    hold(page, key)
    assert board(page) == "O---X----"


@pytest.mark.parametrize(
    ("on", "key"), [("#board", "n"), ("#new", "Enter"), ("#board", "h"), ("#hint", "Enter")]
)
def test_a_held_key_starts_one_game_and_asks_for_one_hint(visit: Visit, on: str, key: str) -> None:
    page = visit(game=STATES["mid-game"])
    page.locator(on).focus()
    with requests_below(page, "/") as urls:
        hold(page, key)
    assert len([url for url in urls if url.endswith(("/new", "/hint", "/move"))]) == 1


def test_a_held_digit_plays_once_without_an_error(visit: Visit) -> None:
    page = visit()
    hold(page, "5")
    assert board(page).count("X") == 1
    assert not page.locator("#wrong").count()


def test_a_held_arrow_keeps_moving_over_the_board(visit: Visit) -> None:
    page = visit()
    page.locator("#cell-0").focus()
    hold(page, "ArrowRight", 2)
    assert focus(page) == "cell-2"


def test_a_held_arrow_keeps_stepping_and_starts_nothing(visit: Visit) -> None:
    page = visit(STUDY)
    hold(page, "ArrowRight", 3)
    assert "at=7" in page.url
    for path, on, key in (
        (FOUND, "main", "ArrowRight"),
        (BIG, "main", "b"),
        (f"{SEARCH.partition('&')[0]}&step=last", "#next", "Enter"),
    ):
        page = visit(path)
        page.locator(on).focus()
        page.evaluate(
            """key => document.activeElement.dispatchEvent(new KeyboardEvent(
            "keydown", {key, repeat: true, bubbles: true, cancelable: true, composed: true}
        )) && key == "Enter" && document.activeElement.click()""",
            key,
        )
        page.evaluate(TWO_FRAMES)
        wait_for_answer(page)
        assert page.url.endswith(path), key


# Keyboard layouts

SEND = """([key, code, more]) => document.activeElement.dispatchEvent(new KeyboardEvent(
    "keydown", {key, code, bubbles: true, cancelable: true, composed: true, ...more}))"""
# A keypad has 7 8 9 in its top row, where the board has its first three squares.
KEYPAD = {f"Numpad{digit}": square for square, digit in enumerate("789456123")}
DIGITS = {
    "Latin": "123456789",
    "Persian": "۱۲۳۴۵۶۷۸۹",
    "Arabic": "١٢٣٤٥٦٧٨٩",
    "Devanagari": "१२३४५६७८९",
    "full width": "１２３４５６７８９",  # noqa: RUF001
    "French": "&é\"'(-è_ç",
    "Czech": "+ěščřžýáí",
}


@pytest.mark.parametrize("layout", sample(6, [*DIGITS]))
def test_digits_of_any_keyboard_layout_play_their_square(visit: Visit, layout: str) -> None:
    page = visit()
    for square, key in enumerate(DIGITS[layout]):
        codes = {f"Digit{square + 1}": square}
        if layout not in ("French", "Czech"):
            codes |= {f"Numpad{square + 1}": KEYPAD[f"Numpad{square + 1}"]}
        for code, expected in codes.items():
            page.evaluate(SEND, [key, code, {}])
            assert focus(page) == f"cell-{expected}", (key, code)
            assert answer(page)[expected] == "X"
            press(page, "Undo")


def test_a_keypad_with_num_lock_off_plays_nothing(visit: Visit) -> None:
    page = visit()
    page.locator("#cell-4").focus()
    for key, code, then in (
        ("End", "Numpad1", 5),
        ("Home", "Numpad7", 3),
        ("ArrowUp", "Numpad8", 0),
    ):
        page.evaluate(SEND, [key, code, {}])
        assert focus(page) == f"cell-{then}"
    assert board(page) == "---------"


LETTERS = {
    "Latin": "hnu",
    "Latin, capitals": "HNU",
    "Cyrillic": "ртг",
    "Greek": "ηνθ",
    "Hebrew": "ימו",
    "Arabic": "اىع",
    "Persian": "ادع",
    "Thai": "้ืี",
}


@pytest.mark.parametrize("layout", sample(2, [*LETTERS]))
def test_h_n_and_u_work_on_a_non_latin_layout(visit: Visit, layout: str) -> None:
    hint, new, undo = list(LETTERS[layout])
    page = visit(game=STATES["mid-game"])
    before = board(page)
    page.evaluate(SEND, [hint, "KeyH", {}])
    answer(page)
    assert page.locator("#hint[aria-pressed=true]").count()
    page.evaluate(SEND, [undo, "KeyU", {}])
    assert answer(page).count("-") == before.count("-") + 2
    page.evaluate(SEND, [new, "KeyN", {}])
    assert answer(page) == "---------"


def test_a_latin_letter_counts_wherever_its_key_is(visit: Visit) -> None:
    """On a Dvorak keyboard, N is on the key of L, and B on the key of N."""
    page = visit(game=STATES["mid-game"])
    before = board(page)
    page.evaluate(SEND, ["b", "KeyN", {}])
    page.evaluate(SEND, ["!", "Digit1", {"shiftKey": True}])
    page.evaluate(SEND, ["9", "Digit9", {"ctrlKey": True}])
    assert answer(page) == before
    page.evaluate(SEND, ["n", "KeyL", {}])
    assert answer(page) == "---------"


def test_b_closes_the_projector_on_any_layout(visit: Visit) -> None:
    for key in "bBиβלلอ":
        page = visit(BIG)
        page.evaluate(SEND, [key, "KeyB", {}])
        page.wait_for_url(lambda url: "big" not in url)


# Events that no person sends

STRANGE = """() => {
    const events = ["keydown", "keyup", "click", "focusin", "pointerdown"]
    const keys = ['"', "'", "\\\\", "]", "*", " ", "", "\u00e9", "Dead", "Process", "Unidentified"]
    const at = [window, document, document.documentElement, document.body,
        document.activeElement, document.querySelector("main a, main button"), new Text("x")]
    document.body.append(at.at(-1))
    for (const target of at) {
        for (const type of events) target.dispatchEvent(new Event(type, {bubbles: true}))
        for (const key of keys) target.dispatchEvent(new KeyboardEvent("keydown",
            {key, code: key && "Digit3", bubbles: true, cancelable: true}))
        target.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true}))
    }
}"""


@pytest.mark.parametrize("kind", SCRIPTED)
def test_no_event_makes_a_script_throw(visit: Visit, kind: str, browser_errors: list[str]) -> None:
    page = visit(SCRIPTED[kind], game=Game(DRAWN_GAME, record=Record(losing_streak=1)))
    page.evaluate(STRANGE)
    page.evaluate(TWO_FRAMES)
    wait_for_answer(page)
    assert not [error for error in browser_errors if "script" in error]
