"""Any sequence of requests leaves a legal game and a page that shows it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any, Literal

import pytest
from flask import Flask
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app import create_app
from engine.position import Position
from tests import positions, textbook
from tests.client import COOKIE
from tests.conftest import HTMX, KEY, board_of, game_of, parse
from web.play.game import Game

SQUARES = st.sampled_from("012345678")
Form = dict[str, str]
Result = Literal["won", "lost", "drawn"]


@cache
def app_with_real_chance() -> Flask:
    """Return an app whose random numbers no test decides; the first test that runs builds it."""
    return create_app({"TESTING": True, "SECRET_KEY": KEY})


def human_result(game: Game) -> Result | None:
    """Return the result of a game for the human, or None if it is not over."""
    outcome = game.position.outcome()
    if not outcome:
        return None
    if not outcome.winner:
        return "drawn"
    return "won" if outcome.winner == game.human else "lost"


class Player(RuleBasedStateMachine):
    """A player with one cookie and two tabs, one of which may be outdated.

    A tab is represented by the fields that each of its clicks sends.
    """

    @initialize()
    def start(self) -> None:
        """Open both tabs in a new session."""
        self.client = app_with_real_chance().test_client()
        self.load_page()
        self.old_tab = self.tab
        # By opponent and result, the number of finished games after which another was started.
        self.finished_counts: Counter[tuple[str, Result]] = Counter()

    def send(self, url: str, form: dict[str, Any], htmx: bool) -> None:
        """Send a form, with or without htmx, and load the page."""
        status = self.client.post(url, data=form, headers=HTMX if htmx else {}).status_code
        assert status == (200 if htmx else 303)
        self.load_page()

    def load_page(self) -> None:
        """Load the page and read everything that the rules need."""
        page = parse(self.client.get("/"))
        self.tab = {str(field["name"]): str(field["value"]) for field in page.select("input")}
        self.board = board_of(page)
        self.playable_count = len(page.select(".cell[name]"))

    @rule(square=SQUARES, htmx=st.booleans())
    def move(self, square: str, htmx: bool) -> None:
        before = game_of(self.client)
        self.send("/move", {**self.tab, "square": square}, htmx)
        is_legal = int(square) in before.position.legal_moves()
        assert (game_of(self.client).moves != before.moves) == is_legal

    @rule(square=SQUARES, htmx=st.booleans())
    def move_in_the_other_tab(self, square: str, htmx: bool) -> None:
        before = game_of(self.client)
        self.send("/move", {**self.old_tab, "square": square}, htmx)
        if self.old_tab["position"] != str(before.position):
            assert game_of(self.client) == before

    @rule()
    def keep_an_outdated_tab(self) -> None:
        self.old_tab = self.tab

    @rule(
        difficulty=st.sampled_from(["", "random", "hasty", "perfect"]),
        mark=st.sampled_from(["", "X", "O"]),
        htmx=st.booleans(),
    )
    def new(self, difficulty: str, mark: str, htmx: bool) -> None:
        game = game_of(self.client)
        choices = {"difficulty": difficulty, "mark": mark}
        made_choices = {name: value for name, value in choices.items() if value}
        self.send("/new", self.tab | made_choices, htmx)
        is_unchanged = difficulty in ("", game.opponent_name) and mark in ("", game.human)
        if is_unchanged and (difficulty or mark):
            assert game_of(self.client) == game
        elif result := human_result(game):
            self.finished_counts[game.opponent_name, result] += 1

    @rule(htmx=st.booleans())
    def undo(self, htmx: bool) -> None:
        before = game_of(self.client)
        self.send("/undo", self.tab, htmx)
        after = game_of(self.client)
        if before.has_moved or not before.unfinished:
            assert before.moves[: len(after.moves)] == after.moves
            assert (len(after.moves) < len(before.moves)) == before.has_moved
        else:
            assert (after.moves, after.human) == (before.unfinished.moves, before.unfinished.human)
            assert after.has_moved and not after.position.outcome()

    @rule(step=st.sampled_from(["off", "danger", "results"]), htmx=st.booleans())
    def hint(self, step: str, htmx: bool) -> None:
        self.send("/hint", {**self.tab, "hint": step}, htmx)
        game = game_of(self.client)
        assert game.hint == ("off" if game.outcome else step)

    @rule(
        url=st.sampled_from(["/move", "/new", "/undo", "/hint"]),
        form=st.dictionaries(
            st.sampled_from(["square", "position", "mark", "difficulty", "hint", "moves", "stamp"]),
            st.text(max_size=12) | st.text("XO-0123456789", max_size=10),
        ),
    )
    def forge_a_form(self, url: str, form: Form) -> None:
        before = game_of(self.client)
        response = self.client.post(url, data={**form, "position": "?"})
        assert response.status_code == 400
        assert game_of(self.client) == before
        assert self.client.post(url, data=form).status_code in (303, 400)
        if game_of(self.client) != before:
            self.start()  # because it was a valid request after all

    @rule(cookie=st.text("abcdefgh.-_", max_size=40))
    def forge_the_cookie(self, cookie: str) -> None:
        own_cookie = self.client.get_cookie(COOKIE)
        self.client.set_cookie(COOKIE, cookie)
        assert board_of(parse(self.client.get("/"))) == textbook.EMPTY
        self.client.delete_cookie(COOKIE)
        if own_cookie:
            self.client.set_cookie(COOKIE, own_cookie.value)

    @invariant()
    def the_page_shows_the_legal_game_of_the_session(self) -> None:
        game = game_of(self.client)
        assert self.board == str(game.position)
        assert Position.parse(self.board).outcome() or game.position.turn == game.human
        assert self.playable_count == len(game.position.legal_moves())

    @invariant()
    def every_finished_game_counts_once(self) -> None:
        game, counts = game_of(self.client), self.finished_counts.copy()
        if result := human_result(game):
            counts[game.opponent_name, result] += 1
        for name in ("random", "hasty"):
            tally = game.updated_record.tally(name)
            assert (tally.wins, tally.losses) == (counts[name, "won"], counts[name, "lost"])


TestPlayer = pytest.mark.long(Player.TestCase)
TestPlayer.settings = settings(
    max_examples=settings().max_examples // (8 if positions.is_soak else 16),
    stateful_step_count=20,
    deadline=None,
)
