"""The parts of the game page: HTML by id. A click sends the parts that have changed.

To add a part, such as a count of the empty squares:

1. `"left": draw("left", count=9 - game.position.ply)` in `parts`;
2. `{% macro left(count) %}` in `templates/play/_parts.html`, for one element with the id `left` and
   `data-hx-swap-oob`;
3. `{{ part.left }}` where the part belongs in `templates/play/page.html`;
4. its id in `test_what_a_kind_of_click_leaves_alone_it_does_not_send`. On 320 x 568 pixels the page
   must still fit: see `tests/browser/test_game_page.py`.
"""

from __future__ import annotations

from markupsafe import Markup

from engine.hints import Hint, hint
from engine.position import OTHER, Outcome
from engine.results import results
from engine.review import Story, story
from web.play.drawn import draw
from web.play.game import Game
from web.play.said import Notice, actions, aside, badge, ending, status
from web.play.saved import stamp
from web.site.story import drawn


def parts(game: Game, notice: Notice | None = None) -> dict[str, Markup]:
    """Return the HTML of every part of the page by its id."""
    told = story(game.moves, game.human, game.set_up) if game.outcome else None
    watched = hint(game.position) if game.hint == "danger" else None
    return {
        "title": draw(
            "title", opponent=game.opponent, ending=ending(game), practice=game.set_up > 0
        ),
        "screen": draw("screen", board=str(game.position), stamp=stamp(game)),
        "you": you(game),
        "opponent": opponent(game),
        "status": status(game, told, watched, notice),
        **cells(game, told, watched),
        "lines": draw("lines", hint=watched),
        "story": draw("story", told=told, line=told and drawn(told, game.human), you=game.human),
        "aside": aside(game),
        "actions": actions(game, told),
    }


def you(game: Game) -> Markup:
    """Draw the human's seat: mark, turn, and draws against Perfect or wins against Random."""
    tally = game.tallies[game.opponent]
    return draw(
        "you",
        mark=game.human,
        to_move=not game.outcome,
        running=tally.running if ending(game) == "held" else 0,
        count=tally.drawn if game.opponent == "perfect" else tally.won,
        counted="draw" if game.opponent == "perfect" else "win",
    )


def opponent(game: Game) -> Markup:
    """Draw the opponent's seat, from which the settings open."""
    tally = game.tallies[game.opponent]
    moods = {"lost": "glad", "held": "oh", "won": "oh"}
    panel = draw(
        "panel",
        opponent=game.opponent,
        mark=OTHER[game.human],
        voice=game.voice,
        going_on=game.has_moved and not game.outcome,
        can_clear=any(tally),
    )
    return draw(
        "opponent",
        opponent=game.opponent,
        mark=OTHER[game.human],
        mood=moods.get(ending(game) or "", "calm"),
        lost=tally.lost,
        drawn=tally.drawn,
        panel=panel,
    )


def cells(game: Game, told: Story | None, watched: Hint | None) -> dict[str, Markup]:
    """Draw the nine squares."""
    position, outcome = game.position, game.outcome
    live = position.legal_moves()
    winning = position.winning_squares()
    found = results(position) if game.hint == "results" else {}
    last = game.moves[-1:] if position.turn == game.human else game.moves[-2:-1]
    return {
        f"cell-{square}": draw(
            "cell",
            square=square,
            mark=position.mark_at(square),
            human=game.human,
            live=square in live,
            state=_state(outcome, square in winning, (square,) == last),
            fresh=(square,) == last and game.last_reply == len(game.moves) - 1,
            pencil=watched.mark if watched and watched.square == square else None,
            result=found.get(square),
            badge=badge(told, square) if told else None,
        )
        for square in range(9)
    }


def _state(outcome: Outcome | None, wins: bool, last: bool) -> str:
    if not outcome:
        return "last" if last else ""
    return "settled" if not outcome.winner else "wins" if wins else "past"
