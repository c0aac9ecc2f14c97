"""What screen readers announce on the game page: names, roles and changes."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from engine.position import SQUARE_NAMES
from tests.browser.person import RECORD_TEXTS, TWO_FRAMES, best, board, play, press, status

# Names and roles


def test_a_new_game_announces_players_question_and_choices(page: Page) -> None:
    expect(page.get_by_role("main")).to_match_aria_snapshot("""
        - heading "Tic-tac-toe" [level=1]
        - group "Board":
          - button "top left, empty"
          - button "center, empty"
          - button "bottom right, empty"
        - img "Perfect"
        - status:
          - paragraph: From an empty board, I never lose. Try for a draw.
        - img "0 of 9 squares yours"
        - text: 0 of 9 A draw earns you a square.
        - link "Today, Nov 28 Beat me"
        - group "Opponent":
          - button "Perfect" [pressed]
          - button "Hasty"
          - button "Random"
        - button "Go second"
    """)


# Announcements


def test_the_status_is_one_element_that_speaks_once_per_click(page: Page) -> None:
    status(page).evaluate(RECORD_TEXTS)
    sentences = []
    for target in (4, "Hint", "Hint", 1, "Undo"):
        press(page, target)
        page.evaluate(TWO_FRAMES)
        sentence, heard = status(page).evaluate("element => [element.innerText, element.heard]")
        sentences.append(sentence)
        assert heard == sentences


def test_replies_are_announced_with_their_square_and_ends_with_the_result(page: Page) -> None:
    play(page, best, turns=1)
    reply = SQUARE_NAMES[board(page).index("O")]
    expect(status(page)).to_contain_text(f"O: {reply}. Your move.")
    play(page, best)
    expect(status(page).get_by_role("heading", name="You stopped me.")).to_be_visible()
