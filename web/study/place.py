"""Where a learner's page stands: at a position, and in a game if it was met in one.

The game travels in the address, so that no change of page or of move loses it: each link to a
learner's page keeps what the address of this one says of the game and its reader.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from flask import abort, g, request, url_for

from engine.notation import replay, to_digits
from engine.players import PLAYERS, Difficulty
from engine.position import OTHER, SQUARES_IN, Mark, Position, Square
from web.site.forms import chosen, one, parsed

Page = Literal["why", "position", "tree", "run", "review"]


class Place(NamedTuple):
    """Hold a position, the moves of the `game` it was met in, and what is known of that game.

    `you` is the mark of its reader, `difficulty` the opponent. `at` counts the moves that lead to
    the position. It is None where they do not: there is no game, or the reader has left it.
    """

    position: Position
    game: tuple[Square, ...]
    at: int | None
    you: Mark | None
    difficulty: Difficulty | None

    @property
    def kept(self) -> dict[str, str]:
        """Return what an address says of the game, by the names it has there."""
        known = {"game": to_digits(self.game), "you": self.you, "difficulty": self.difficulty}
        return {name: value for name, value in known.items() if value}

    @property
    def setup(self) -> str:
        """Return moves that lead here, as digits; those of the game where they do."""
        moves = some_moves_to(self.position) if self.at is None else self.game[: self.at]
        return to_digits(moves)

    @property
    def over(self) -> bool:
        """Say whether there is no move to decide here."""
        return self.position.outcome() is not None

    def step(self, by: int) -> Place | None:
        """Return the place so many moves later in the game; None beyond it, and where it is over.

        Who has left the game counts from as many moves into it.
        """
        near = min(self.position.ply, len(self.game)) if self.at is None else self.at
        if not (self.game and 0 <= near + by <= len(self.game)):
            return None
        there = self._replace(position=Position().after(self.game[: near + by]), at=near + by)
        return None if there.over else there

    def url(self, page: Page) -> str | None:
        """Return the address of a page about this place; None if there is no such page.

        That is so of the review without a game, and of why where nothing was or can be played.
        """
        played = to_digits(self.game)
        if page == "review":
            if not played:
                return None
            move = min(self.position.ply + 1, len(played))
            return url_for("study.review_page", moves=played, move=move, _anchor=f"move-{move}")
        if page != "why":
            return url_for(f"study.{page}_page", board=self.position)
        if self.at is not None and (self.at < len(played) or self.over):
            return url_for("study.why_page", moves=played[: self.at + 1])
        return None if self.over else url_for("study.why_page", moves=self.position)


def stand(position: Position, moves: str = "") -> Place:
    """Return the place of the page asked for, met in the game that its address or `moves` gives.

    From here on, the links of the page keep that game.
    """
    game = parsed(replay, one(request.args, "game") or moves)
    if not to_digits(game).startswith(moves):
        abort(400, "game is one that begins with these moves.")
    on = game and Position().after(game[: position.ply]) == position
    place = Place(
        position=position,
        game=game,
        at=position.ply if on else None,
        you=chosen(request.args, "you", OTHER),
        difficulty=chosen(request.args, "difficulty", PLAYERS),
    )
    g.place = place
    return place


def keep_the_game(endpoint: str, values: dict[str, Any]) -> None:
    """Add what the page asked for says of its game to the address of another."""
    if "place" in g:
        for name, value in g.place.kept.items():
            if name != "game" or endpoint != "study.review_page":  # there it is the path
                values.setdefault(name, value)


def some_moves_to(position: Position) -> tuple[Square, ...]:
    """Return moves that lead to a position where the game goes on; in any order they would."""
    marks = zip_longest(SQUARES_IN[position.x], SQUARES_IN[position.o])
    return tuple(square for pair in marks for square in pair if square is not None)
