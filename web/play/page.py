"""What the game page says and shows of a game; web/play/parts.py draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import engine.reasons as reasons
from engine.hints import Hint, hint
from engine.position import OTHER, Mark, Square
from engine.reasons import Why, threats, why
from engine.results import results
from engine.review import Reviewed
from teach.challenge import challenge
from web.play.ends import End, end_of, slip_of
from web.play.game import Game, replayed
from web.play.nine import earned_squares
from web.play.players import PLAYERS, Mood
from web.play.saved import stamp
from web.play.shared import sent
from web.play.values import (
    Face,
    Foot,
    Hello,
    Hinted,
    Notice,
    Reason,
    Reply,
    Title,
    You,
)
from web.view.squares import Cell

# By the reason for a move of Perfect: what it says of that move.
REASONS: Mapping[reasons.Reason, Reason] = {
    "blocks": "had to",
    "forks": "threats",
    "only": "only",
    "wins": "wins",
    "resists": "loses",
    "draws": "draws",
}


@dataclass(frozen=True)
class Page:
    """Hold a game, what the last click came to, and what the page says and shows of both.

    `site` begins the addresses that are sent to others. The `door` says what today's board asks.
    """

    game: Game
    notice: Notice | None = None
    site: str = ""
    door: str = ""

    @property
    def end(self) -> End | None:
        """Return how the game ended, None while it goes on."""
        return end_of(self.game)

    @property
    def slip(self) -> Reviewed | None:
        """Return the human's move at which an ended game turned last, None without any."""
        return slip_of(self.game)

    @property
    def is_beginning(self) -> bool:
        """Say whether the human may still choose whom to play, and as what."""
        return not (self.game.has_moved or self.game.set_up or self.game.link)

    @property
    def title(self) -> Title:
        """Return what the tab is called by."""
        end = self.end
        return Title(
            ending=end.ending if end else None,
            is_held=end is not None and end.is_held,
            opponent=self.game.opponent,
            has_begun=not self.is_beginning,
        )

    @property
    def face(self) -> Face:
        """Return the opponent's face."""
        game, before = self.game, self.game.player.calm
        mood = _mood(self.end) if self.end else before
        return Face(game.opponent, mood, OTHER[game.human], before if mood != before else None)

    @property
    def hello(self) -> Hello:
        """Return what the opponent says before the human's first move."""
        game = self.game
        return Hello(
            opponent=game.opponent,
            mark=game.human,
            held=len(self._held),
            is_beaten=game.record.beaten,
            asked=challenge(game.position) if game.set_up else None,
            is_linked=game.link > 0,
            was=game.was,
            notice=self.notice,
        )

    @property
    def _held(self) -> tuple[Square, ...]:
        """The squares earned before this game."""
        return earned_squares(self.game.record.held)

    @cached_property
    def watched(self) -> Hint | None:
        """Return what to watch for, where a hint is shown."""
        return hint(self.game.position) if self.game.hint == "danger" else None

    @property
    def hinted(self) -> Hinted:
        """Return the hint that is said."""
        game = self.game
        ends = {result.winner or "draw" for result in results(game.position).values()}
        alike = ends.pop() if game.hint == "results" and len(ends) == 1 else ""
        return Hinted(game.hint, hint(game.position), game.player.fills, alike)

    @property
    def reply(self) -> Reply:
        """Return what is said of the opponent's last move."""
        game, number = self.game, self.game.last_reply
        assert number is not None, "the opponent has moved"
        first = max(game.set_up, game.link) + (game.human == "O")  # before it, no move was a reply
        theirs = [n for n in range(number % 2, number + 1, 2) if n >= first]
        facts = [why(replayed(game.moves[:n]), game.moves[n]) for n in theirs]
        last = facts[-1] if game.player.fills else None
        same = [REASONS.get(it.reason) for it in facts].count(last and REASONS.get(last.reason))
        return Reply(
            mark=OTHER[game.human],
            square=game.moves[number],
            reason=_reason(last) if last else None,
            many=(len(last.threats) if len(last.threats) > 1 else len(last.equals)) if last else 0,
            before=same - 1 if last else 0,
            notice=self.notice,
            counts=game.counts and game.player.fills,
        )

    @property
    def you(self) -> You | None:
        """Return the human's row, None where an end takes its place."""
        game, end = self.game, self.end
        if end and not end.is_held:
            return None
        return You(
            kind="held" if end else "start" if self.is_beginning else "move",
            mark=game.human,
            held=self._held,
            new=end.new if end else (),
            at_stake=self._at_stake,
            fills=game.player.fills,
            is_placed=not game.counts,
            help=game.helped,
            won=game.record.won,
            lost=game.record.lost,
        )

    @property
    def _at_stake(self) -> Square | None:
        """Return the square that a draw without help fills, None where none does."""
        game = self.game
        if self.is_beginning or game.outcome or game.helped:
            return None
        is_one = game.can_earn and game.moves[0] not in self._held
        return game.moves[0] if is_one else None

    @property
    def foot(self) -> Foot:
        """Return what can be pressed before the first move."""
        game = self.game
        return Foot(
            opponents=tuple(PLAYERS),
            opponent=game.opponent,
            human=game.human,
            is_left=game.unfinished is not None,
            door=self.door,
        )

    @property
    def badge(self) -> tuple[int, Square] | None:
        """Return the number and square of the human's move at which the game turned, if any."""
        return (self.slip.number, self.slip.square) if self.slip else None

    @property
    def screen(self) -> tuple[str, str]:
        """Return what is sent back with each click: the position and the game's stamp."""
        return str(self.game.position), stamp(self.game)

    @property
    def sent(self) -> str:
        """Return what is sent to others at a hold, nothing anywhere else."""
        return sent(self.game, self.site) if self.end and self.end.is_held else ""

    @property
    def cells(self) -> list[Cell]:
        """Return the nine squares."""
        game, position, live = self.game, self.game.position, self.game.position.legal_moves()
        chips = results(position) if game.hint == "results" and not self.hinted.alike else {}
        pencil = {self.watched.square: self.watched.mark} if self.watched else self._also_won
        starts = self.is_beginning and game.can_earn
        held = self._held if starts else ()
        return [
            Cell(
                square=square,
                mark=position.mark_at(square),
                is_button=True,
                is_live=square in live,
                pencil=pencil.get(square),
                caption="wins too" if game.outcome and square in pencil else "",
                hovers=game.human if square in live else None,
                look="held" if square in held else self._look(square),
                result=chips.get(square),
                says=self._says(square) if game.outcome else "",
            )
            for square in range(9)
        ]

    @property
    def _also_won(self) -> dict[Square, Mark]:
        """Return the squares at which the opponent, who has won, could have won as well."""
        if not (self.end and self.end.ending == "lost"):
            return {}
        last, foe = self.game.moves[-1], OTHER[self.game.human]
        before = replayed(self.game.moves[:-1])
        return {square: foe for square in threats(before, foe) if square != last}

    def _look(self, square: Square) -> str:
        """Return how a square looks: what waits its turn at an end says which one."""
        game, end = self.game, self.end
        is_last = game.moves[-1:] == (square,)
        reply = " reply" if is_last and game.last_reply == len(game.moves) - 1 else ""
        if self.watched and square == self.watched.square:
            return "first"
        if not end:
            return f"last{reply}" if is_last else ""
        wins = game.position.winning_squares()
        if square in wins:
            return f"wins nth-{wins.index(square)}{reply}"
        if end.is_held:
            theirs = " theirs" if game.position.mark_at(square) != game.human else ""
            return f"flood far-{steps(game.moves[0], square)}{theirs}{reply}"
        if square in self._also_won:
            return f"nth-{[*self._also_won].index(square)}"
        return f"past{reply}" if wins and game.position.mark_at(square) else reply.strip()

    def _says(self, square: Square) -> str:
        """Return what is heard of a square of a line that wins, or of the mistake."""
        wins = square in self.game.position.winning_squares()
        turned = self.slip is not None and square == self.slip.square
        return (", winning line" if wins else "") + (", here it turned" if turned else "")


def steps(start: Square, square: Square) -> int:
    """Count the steps, along rows and columns, from one square to another.

    >>> steps(0, 8)
    4
    """
    return abs(start % 3 - square % 3) + abs(start // 3 - square // 3)


def _mood(end: End) -> Mood:
    """Return how the opponent looks at an end."""
    if end.words:
        player = PLAYERS[end.opponent]
        return player.calm if end.ending == "drawn" else player.startled
    if end.ending == "lost":
        return "glad"
    return "bow" if end.kind == "last" else "calm" if end.kind == "drawn" else "oh"


def _reason(facts: Why) -> Reason | None:
    """Return what Perfect says of its move."""
    if facts.reason in ("blocks", "forks") and facts.score > 0:
        return "threats" if len(facts.threats) > 1 else "wins"
    if facts.reason == "draws" and not facts.chance:
        return "safe"
    return REASONS.get(facts.reason)
