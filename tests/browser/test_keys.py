"""Keys: where they act, held down, on any keyboard layout; and where the focus is."""

from __future__ import annotations

from collections.abc import Iterable

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
    recorded_requests,
    text,
    wait_for_answer,
)
from tests.positions import sample
from web.play.game import Game
from web.play.record import Record

STUDY = "/study/42170835?you=X&difficulty=perfect&at=4"
SEARCH = "/study/-X---XOOX?view=search&step=9"
PROJECTOR = f"{SEARCH}&big=on"
SOLVED = "/practise/moves/X---O---X?round=1&done=f&p=1"
# One page of each kind that runs one of the site's scripts.
SCRIPTED_PAGES = {
    "game": "/",
    "study": STUDY,
    "search": SEARCH,
    "projector": PROJECTOR,
    "practice": SOLVED,
    "cuts": "/practise/cuts?tree=((3,5),(2,7))&top=max&p=uuuc",
    "round over": "/practise/moves?round=5&done=ff00f0ffff",
    "lesson": "/learn/2?seen=2&p=5",
    "teachers": "/learn/teach",
    "today": "/today",
}

SCROLL_POSITION = "() => [scrollX, scrollY]"


def focused(page: Page) -> str:
    """Return the id of the element with the focus, or its tag if it has no id."""
    get_name = "() => document.activeElement.id || document.activeElement.localName"
    return str(page.evaluate(get_name))


def wait_until_idle(page: Page) -> None:
    """Wait for everything that a key press may have started."""
    page.evaluate(TWO_FRAMES)
    wait_for_answer(page)


# Where keys act


@pytest.mark.parametrize("state", ["first", "mid-game", "lost"])
def test_the_board_has_the_focus_on_load_but_no_ring_until_a_key(visit: Visit, state: str) -> None:
    page = visit(game=STATES[state], screen=SMALL)
    group = page.get_by_role("group", name="Board")
    expect(group).to_be_focused()
    assert page.evaluate(SCROLL_POSITION) == [0, 0]
    expect(group).to_have_css("outline-style", "none")
    expect(group).to_have_accessible_description(text(page, "#status").replace("\n", " "))
    page.keyboard.press("Control")
    expect(group).to_have_css("outline-style", "none")
    page.keyboard.press("x")
    expect(group).to_have_css("outline-style", "solid")
    page.keyboard.press("ArrowDown")
    assert focused(page) == "cell-0"  # Tab also starts there
    expect(group).not_to_have_attribute("aria-describedby", "status")


def test_keys_work_as_soon_as_the_game_opens(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("5")
    assert answer(page)[4] == "X"
    page.reload()
    page.keyboard.press("h")
    answer(page)
    assert page.locator("#hint[aria-pressed=true]").count()


def test_an_address_with_a_fragment_moves_the_focus_elsewhere_than_to_the_first_square(
    visit: Visit,
) -> None:
    page = visit("/#cell-4")
    assert focused(page) != "board"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert focused(page) != "cell-0"


def field_script(create_field: str, focus_field: str = "field.focus()") -> str:
    """Return a script that adds an element, `field`, to a parent and puts the focus in it."""
    return f"""parentSelector => {{
        const parent = document.querySelector(parentSelector)
        {create_field}
        parent.append(field)
        {focus_field}
    }}"""


# Scripts that add elements that use keys themselves.
ADD_FIELD_SCRIPTS = {
    "input": field_script("const field = document.createElement('input')"),
    "textarea": field_script("const field = document.createElement('textarea')"),
    "select": field_script(
        "const field = document.createElement('select'); field.append(new Option('1'))"
    ),
    "contenteditable": field_script(
        "const field = document.createElement('p'); field.contentEditable = true"
    ),
    "editable as plain text": field_script(
        "const field = document.createElement('p'); field.contentEditable = 'plaintext-only'"
    ),
    "editable, but no tab stop": field_script(
        "const field = document.createElement('p');"
        "field.contentEditable = true; field.tabIndex = -1"
    ),
    "the whole page": field_script(
        "const field = new Text(''); document.designMode = 'on'",
        "document.activeElement.blur(); (parent.tabIndex < 0 ? parent : document.body).focus()",
    ),
    "text box": field_script(
        "const field = document.createElement('p'); field.tabIndex = 0; field.role = 'textbox'"
    ),
    "open shadow root": field_script(
        "const field = document.createElement('span'), inner = document.createElement('input');"
        "field.attachShadow({mode: 'open'}).append(inner)",
        "inner.focus()",
    ),
    "closed shadow root": field_script(
        "const field = document.createElement('span'), inner = document.createElement('input');"
        "field.attachShadow({mode: 'closed'}).append(inner)",
        "inner.focus()",
    ),
    "editable in a shadow root": field_script(
        "const field = document.createElement('span'), inner = document.createElement('p');"
        "inner.contentEditable = true; field.attachShadow({mode: 'open'}).append(inner)",
        "inner.focus()",
    ),
}
TYPED_TEXT = "I said 159, u, n and h."


@pytest.mark.parametrize("parent", sample(4, ["body", "#game", "#board", ".head"]))
def test_no_key_plays_while_a_field_uses_it(visit: Visit, parent: str) -> None:
    page = visit(game=STATES["mid-game"])
    before = board(page)
    leaking_fields = []
    for name, add_field in ADD_FIELD_SCRIPTS.items():
        page.evaluate(add_field, parent)
        with recorded_requests(page, "/") as urls:
            page.keyboard.type(TYPED_TEXT)
            page.evaluate(TWO_FRAMES)
        if urls or answer(page) != before or page.locator("#wrong").count():
            leaking_fields.append(name)
            page = visit(game=STATES["mid-game"])
    assert not leaking_fields


@pytest.mark.parametrize(
    "element", sample(2, [".brand", ".nav a >> nth=2", ".skip", "main", "body"])
)
def test_typing_beside_the_game_plays_nothing(visit: Visit, element: str) -> None:
    """Speech input types words wherever the focus is; see WCAG 2.1.4."""
    page = visit(game=STATES["mid-game"])
    before = board(page)
    page.evaluate("() => document.activeElement.blur()")
    if element != "body":
        page.locator(element).focus()
    with recorded_requests(page, "/") as urls:
        page.keyboard.type(TYPED_TEXT)
        page.evaluate(TWO_FRAMES)
    assert not urls
    assert answer(page) == before


def test_a_digit_and_u_work_on_every_control_of_the_game(visit: Visit) -> None:
    game = STATES["mid-game"]
    page = visit(game=game)
    for control in ("#board", "#cell-8", "#cell-0", "#undo", "#hint", "#new"):
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


# A page, a key, and what the address contains after the key is pressed there.
STEPS = [
    (STUDY, "ArrowRight", "at=5"),
    (STUDY, "ArrowLeft", "at=3"),
    (STUDY, "Home", "at=0"),
    (STUDY, "End", "at=8"),
    (SEARCH, "ArrowRight", "step=10"),
    (SEARCH, "b", "big=on"),
    (PROJECTOR, "PageDown", "step=10"),
    (PROJECTOR, "PageUp", "step=8"),
    (PROJECTOR, "b", "step=9"),
    (SOLVED, "ArrowRight", "done=ff"),
]


@pytest.mark.parametrize(("path", "key", "step"), sample(3, STEPS))
def test_keys_step_through_a_page_as_soon_as_it_is_loaded(
    visit: Visit, path: str, key: str, step: str
) -> None:
    """A clicker sends PageUp and PageDown, without a click on the page first."""
    page = visit(path)
    assert page.evaluate(SCROLL_POSITION) == [0, 0]
    page.keyboard.press(key)
    page.wait_for_url(lambda url: step in url and not url.endswith(path))


@pytest.mark.parametrize(("path", "key"), sample(5, [(path, key) for path, key, _ in STEPS]))
def test_keys_in_a_field_or_on_a_link_of_the_header_make_no_step(
    visit: Visit, path: str, key: str
) -> None:
    page = visit(path)
    for parent in sample(2, ("main", "body")):
        for add_field in ADD_FIELD_SCRIPTS.values():
            page.evaluate(add_field, parent)
            page.keyboard.press(key)
    for link in page.locator(".head a:visible").all():
        link.focus()
        page.keyboard.press(key)
    wait_until_idle(page)
    assert page.url.endswith(path)


def test_without_focus_a_letter_does_nothing_but_an_arrow_steps(visit: Visit) -> None:
    page = visit(SEARCH)
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("main")).to_have_css("outline-style", "none")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("b")
    wait_until_idle(page)
    assert page.url.endswith(SEARCH)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=10*")


def test_escape_closes_the_settings_but_not_from_a_field_elsewhere(visit: Visit) -> None:
    page = visit(SEARCH)
    page.locator("#settings").click()
    page.evaluate(ADD_FIELD_SCRIPTS["input"], "body")
    page.keyboard.press("Escape")
    expect(page.locator(".settings")).to_have_attribute("open", "")
    page.locator("#settings").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".settings")).not_to_have_attribute("open", "")


def test_keys_on_the_code_do_not_step(visit: Visit) -> None:
    page = visit(SEARCH, screen=(1280, 800))
    page.locator("#code").focus()
    page.keyboard.press("ArrowRight")
    wait_until_idle(page)
    assert page.url.endswith(SEARCH)


# Held keys


def hold(page: Page, key: str, times: int = 6) -> None:
    """Send a keydown event `times` times, as a held key does, and wait for each response."""
    for _ in range(times):
        page.keyboard.down(key)  # from the second time on, it is sent as a repeat
        wait_until_idle(page)
    page.keyboard.up(key)


@pytest.mark.parametrize(
    ("control", "key"),
    sample(2, [("#board", "u"), ("#undo", "u"), ("#undo", "Enter"), ("#cell-5", "u")]),
)
def test_a_held_key_takes_one_move_back(visit: Visit, control: str, key: str) -> None:
    page = visit(game=Game((4, 0, 1, 7), unfinished=Game((8, 4, 0, 1))))
    page.locator(control).focus()
    hold(page, key)
    assert board(page) == "O---X----"


@pytest.mark.parametrize(
    ("control", "key"),
    sample(2, [("#board", "n"), ("#new", "Enter"), ("#hint", "Enter"), ("#board", "h")]),
)
def test_a_held_key_starts_one_game_or_gets_one_hint(visit: Visit, control: str, key: str) -> None:
    page = visit(game=STATES["mid-game"])
    page.locator(control).focus()
    with recorded_requests(page, "/") as urls:
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
    assert focused(page) == "cell-2"


def test_a_held_arrow_keeps_stepping(visit: Visit) -> None:
    page = visit(STUDY)
    hold(page, "ArrowRight", 3)
    assert "at=7" in page.url


# Send a key as a repeat. Enter also clicks, as it does in a browser, unless a script prevents it.
REPEAT_KEY = """key => document.activeElement.dispatchEvent(new KeyboardEvent(
    "keydown", {key, repeat: true, bubbles: true, cancelable: true, composed: true}
)) && key == "Enter" && document.activeElement.click()"""


@pytest.mark.parametrize(
    ("path", "control", "key"),
    [
        (SOLVED, "main", "ArrowRight"),
        (PROJECTOR, "main", "b"),
        (f"{SEARCH.partition('&')[0]}&step=last", "#next", "Enter"),
    ],
)
def test_a_held_key_opens_no_other_page(visit: Visit, path: str, control: str, key: str) -> None:
    page = visit(path)
    page.locator(control).focus()
    page.evaluate(REPEAT_KEY, key)
    wait_until_idle(page)
    assert page.url.endswith(path)


# Keyboard layouts

SEND_KEY = """([key, code, modifiers]) => document.activeElement.dispatchEvent(new KeyboardEvent(
    "keydown", {key, code, bubbles: true, cancelable: true, composed: true, ...modifiers}))"""
# Send keys, and stop the clicks that they cause before the page sees them. For each key, return the
# id or the tag of what then has the focus, and of what was clicked.
FOCUSED_AND_PRESSED = f"""keys => {{
    const name = element => element?.id || element?.localName
    let pressed
    const intercept = event => {{
        pressed = event.target
        event.preventDefault()
        event.stopImmediatePropagation()
    }}
    addEventListener("click", intercept, true)
    const found = keys.map(([key, code]) => {{
        pressed = undefined
        ;({SEND_KEY})([key, code, {{}}])
        return [name(document.activeElement), name(pressed)]
    }})
    removeEventListener("click", intercept, true)
    return found
}}"""
# The square that each key of a keypad plays: 7 8 9 are its top row, as the first three squares
# are the top row of the board.
KEYPAD = {f"Numpad{digit}": square for square, digit in enumerate("789456123")}
# By keyboard layout, what the keys of the digits 1 to 9 type.
DIGITS = {
    "Latin": "123456789",
    "Persian": "۱۲۳۴۵۶۷۸۹",
    "Arabic": "١٢٣٤٥٦٧٨٩",
    "Devanagari": "१२३४५६७८९",
    "full width": "１２３４５６７８９",  # noqa: RUF001
    "French": "&é\"'(-è_ç",
    "Czech": "+ěščřžýáí",
}


def focused_and_pressed(page: Page, keys: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return what has the focus and what is pressed after each key, without a response to it."""
    found: list[list[str]] = page.evaluate(FOCUSED_AND_PRESSED, [*keys])
    return found


def test_digits_of_any_keyboard_layout_press_their_square(visit: Visit) -> None:
    page = visit()
    for layout, digits in DIGITS.items():
        square_by_key = {(key, f"Digit{n}"): n - 1 for n, key in enumerate(digits, 1)}
        if layout not in ("French", "Czech"):  # their keypads have Latin digits
            codes = [f"Numpad{n}" for n in range(1, 10)]
            square_by_key |= {
                (key, code): KEYPAD[code] for key, code in zip(digits, codes, strict=True)
            }
        expected = [[f"cell-{square}"] * 2 for square in square_by_key.values()]
        assert focused_and_pressed(page, square_by_key) == expected, layout


def test_a_keypad_with_num_lock_off_moves_the_focus_and_plays_nothing(visit: Visit) -> None:
    page = visit()
    page.locator("#cell-4").focus()
    for key, code, square in (
        ("End", "Numpad1", 5),
        ("Home", "Numpad7", 3),
        ("ArrowUp", "Numpad8", 0),
    ):
        page.evaluate(SEND_KEY, [key, code, {}])
        assert focused(page) == f"cell-{square}"
    assert board(page) == "---------"


# By keyboard layout, what the keys of H, N and U type.
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


def test_h_n_and_u_press_their_button_on_any_keyboard_layout(visit: Visit) -> None:
    page = visit(game=STATES["mid-game"])
    for layout, letters in LETTERS.items():
        keys = [*zip(letters, ("KeyH", "KeyN", "KeyU"), strict=True)]
        pressed = [button for _, button in focused_and_pressed(page, keys)]
        assert pressed == ["hint", "new", "undo"], layout


def test_a_latin_letter_counts_wherever_its_key_is(visit: Visit) -> None:
    """On a Dvorak keyboard, N is on the key of L, and B on the key of N."""
    page = visit(game=STATES["mid-game"])
    before = board(page)
    page.evaluate(SEND_KEY, ["b", "KeyN", {}])
    assert answer(page) == before
    page.evaluate(SEND_KEY, ["n", "KeyL", {}])
    assert answer(page) == "---------"


def test_a_digit_with_shift_or_control_plays_nothing(visit: Visit) -> None:
    page = visit(game=STATES["mid-game"])
    before = board(page)
    page.evaluate(SEND_KEY, ["#", "Digit3", {"shiftKey": True}])
    page.evaluate(SEND_KEY, ["6", "Digit6", {"ctrlKey": True}])
    assert answer(page) == before


def test_b_closes_the_projector_on_any_layout(visit: Visit) -> None:
    page = visit(PROJECTOR)
    keys = [(key, "KeyB") for key in "bBиβלلอ"]
    assert focused_and_pressed(page, keys) == [["main", "big"]] * len(keys)
    page.keyboard.press("b")
    page.wait_for_url(lambda url: "big" not in url)


# Events that no person sends

SEND_STRANGE_EVENTS = """() => {
    const types = ["keydown", "keyup", "click", "focusin", "pointerdown"]
    const keys = ['"', "'", "\\\\", "]", "*", " ", "", "\u00e9", "Dead", "Process", "Unidentified"]
    const targets = [window, document, document.documentElement, document.body,
        document.activeElement, document.querySelector("main a, main button"), new Text("x")]
    document.body.append(targets.at(-1))
    for (const target of targets) {
        for (const type of types) target.dispatchEvent(new Event(type, {bubbles: true}))
        for (const key of keys) target.dispatchEvent(new KeyboardEvent("keydown",
            {key, code: key && "Digit3", bubbles: true, cancelable: true}))
        target.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true}))
    }
}"""


@pytest.mark.parametrize("name", sample(2, [*SCRIPTED_PAGES]))
def test_no_event_makes_a_script_throw(visit: Visit, name: str, browser_errors: list[str]) -> None:
    page = visit(SCRIPTED_PAGES[name], game=Game(DRAWN_GAME, record=Record(losing_streak=1)))
    page.evaluate(SEND_STRANGE_EVENTS)
    wait_until_idle(page)
    assert not [error for error in browser_errors if "script" in error]
