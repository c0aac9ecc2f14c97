"""What the game page says and shows of a game; web/play/parts.py draws it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

from flask import url_for
from markupsafe import Markup

from engine.hints import Hint, hint
from engine.notation import to_digits
from engine.position import OTHER, Square
from engine.reasons import Reason, Why, threats, why
from engine.results import results
from engine.review import BADGES, Judgement, Reviewed, Story, story
from teach.challenge import Challenge, challenge
from web.play.game import Game, replayed
from web.play.nine import NINE, held_as
from web.play.record import Tally
from web.play.saved import stamp
from web.play.shared import Shared, shared
from web.play.values import (
    DECIDED,
    LESSONS,
    Answer,
    Buttons,
    Cause,
    Doors,
    Ending,
    Entry,
    Lesson,
    Mood,
    Nine,
    Notice,
    Panel,
    Them,
    Verdict,
    Whim,
    You,
)
from web.site.cells import Cell
from web.site.lesson import going_on
from web.site.story import StoryLine, draw_story
from web.today.routes import Door

# What a game has that comes from no game before.
OF_ITS_OWN = ("moves", "opponent", "human", "voice", "hint", "set_up")
UNPLAYED = tuple(Entry(number) for number in range(1, 10))
TWO_LINES = 78  # letters; on a phone of 390 pixels the third line begins after 80, in a wide font


@dataclass(frozen=True)
class Page:
    """Hold a game, what the last click came to, and what the page says of both.

    `site` begins the addresses that are sent to others. Screens of the lesson are `done`. The
    `door` leads to today's square; an end that answers a click has none.
    """

    game: Game
    notice: Notice | None = None
    site: str = ""
    done: frozenset[int] = frozenset()
    door: Door | None = None

    @property
    def learnt(self) -> bool:
        """Say whether the human has done the whole lesson."""
        return going_on(self.done) is None

    @cached_property
    def ending(self) -> Ending | None:
        """Return how the game ended for the human, None while it goes on."""
        if not self.game.outcome:
            return None
        if winner := self.game.outcome.winner:
            return "won" if winner == self.game.human else "lost"
        level = self.game.opponent == "perfect" and not (self.told.turn or self.told.start)
        return "held" if level else "drawn"

    @property
    def before(self) -> Tally:
        """Return the results against the opponent in earlier games."""
        return self.game.record.tallies[self.game.opponent]

    @cached_property
    def tally(self) -> Tally:
        """Return the results against the opponent."""
        return self.game.record_by_now.tallies[self.game.opponent]

    @property
    def is_first_win(self) -> bool:
        """Say whether the human has just won for the first time against the opponent."""
        return self.ending == "won" and self.game.counts and self.tally.won == 1

    @cached_property
    def told(self) -> Story:
        """Return the story of the moves played so far, with the human as its reader."""
        return story(self.game.moves, self.game.human, self.game.set_up)

    @property
    def story_line(self) -> StoryLine:
        """Return the picture of the story."""
        return draw_story(self.told, self.game.human)

    @cached_property
    def slip(self) -> Reviewed | None:
        """Return the human's move at which an ended game turned last, None without any."""
        turn = self.told.turn if self.ending else None
        return turn if turn and turn.mark == self.game.human else None

    @cached_property
    def cause(self) -> Cause:
        """Return how the `slip` let the opponent in."""
        assert self.slip, "the human has slipped"
        if self.told.followed == "now" and self.slip.holding == (self.answer.square,):
            return "open"
        return "fork" if self.told.followed == "fork" else "other"

    @property
    def lesson(self) -> Lesson | None:
        """Return the screen about the `cause`, None without, or where other slips came before.

        A slip that let the opponent in more slowly ends with two threats as well, if blocked.
        """
        last = replayed(self.game.moves[:-2])  # what the human moved on at the end
        forked = len(threats(last, OTHER[self.game.human])) > 1
        cause: Cause = "fork" if self.cause == "other" and forked else self.cause
        return LESSONS.get(cause) if self.told.turns == 1 else None

    @cached_property
    def answer(self) -> Why:
        """Return why the opponent's answer to the `slip` won."""
        assert self.slip, "the human has slipped"
        answer = self.told.moves[self.slip.number - self.game.set_up]
        return why(answer.position, answer.square)

    @property
    def asks(self) -> Challenge:
        """Return what the board asks of whoever is to move."""
        return challenge(self.game.position)

    @cached_property
    def own(self) -> list[Reviewed]:
        """Return the human's moves."""
        return [move for move in self.told.moves if move.mark == self.game.human]

    @property
    def is_asked(self) -> bool:
        """Say whether a placed board asks something: against Perfect, who keeps every result."""
        return self.game.opponent == "perfect" and not self.game.counts

    @property
    def first_try(self) -> Reviewed | None:
        """Return the human's move from a board that asks, if a choice, until the next.

        This tells whoever accepts a challenge whether the first press was right.
        """
        is_first = self.is_asked and len(self.own) == 1
        return self.own[0] if is_first and self.own[0].could_slip else None

    @property
    def asked(self) -> Challenge | None:
        """Return what a board asked that was played to an end; None where every square held."""
        if not (self.ending and self.is_asked and self.own):
            return None
        it = challenge(self.own[0].position)
        return it if it.ask != "all" else None

    def is_long(self, told: Markup) -> bool:
        """Say whether words of an end are smaller on a phone, as they could take three lines."""
        return len(told.striptags()) > TWO_LINES

    def can_name(self, squares: tuple[Square, ...]) -> bool:
        """Say whether a sentence names squares, of which it counts many."""
        return len(squares) <= 3

    @property
    def holds_the_last(self) -> bool:
        """Say whether this game holds the last of the nine squares."""
        return self.game.record_by_now.held & NINE == NINE != self.game.record.held & NINE

    @property
    def is_met(self) -> bool:
        """Say whether the human kept to the end what the board placed gave."""
        return self.ending in ("won", "held")

    @property
    def lasted(self) -> bool:
        """Say whether no move of the human's lost sooner than another would have."""
        return all(move.judgement != "quicker loss" for move in self.own)

    @property
    def is_first_held(self) -> bool:
        """Say whether the game holds a square, and none was held before as its mark."""
        before = held_as(self.game.human, self.game.record.held)
        return self.game.square_held > 0 and not before

    @property
    def is_second_loss(self) -> bool:
        """Say whether the human has lost for the second time running, by a slip to look at."""
        counted = self.ending == "lost" and self.game.counts
        return bool(counted and self.slip and self.tally.running == -2)

    @property
    def doors(self) -> Doors | None:
        """Return the doors before the first move, and one to whoever is back another day."""
        if self.door and self.ending:
            return Doors(self.door) if self.door.went == "new" else None
        begun = self.game.has_moved or self.game.set_up
        if begun or not self.door:
            return None
        return Doors(self.door, going_on(self.done), is_begun=bool(self.done))

    @property
    def mood(self) -> Mood:
        """Return how the opponent looks."""
        if self.game.opponent == "random":
            return "random"
        if self.ending:
            return "glad" if self.ending == "lost" else "calm" if self.ending == "drawn" else "oh"
        return "wide" if self.has_forked else "calm"

    @property
    def has_forked(self) -> bool:
        """Say whether the human's last move made two threats."""
        before = self.game.moves[: self.game.last_reply or 0]
        return self.game.has_moved and len(threats(replayed(before), self.game.human)) > 1

    @cached_property
    def watched(self) -> Hint | None:
        """Return what to watch for, where a hint is asked for."""
        return hint(self.game.position) if self.game.hint == "danger" else None

    @cached_property
    def says(self) -> Literal["ended", "noticed", "hinted", "hello", "replied"]:
        """Return what the status is about."""
        if self.ending:
            return "ended"
        if self.notice and self.notice not in ("undone", "back"):
            return "noticed"
        if self.game.hint != "off":
            return "hinted"
        return "replied" if self.game.has_moved and self.reply else "hello"

    @cached_property
    def alone(self) -> Page:
        """Return the page as if no games had been before, which says the same to many players."""
        alone = Game(**{name: getattr(self.game, name) for name in OF_ITS_OWN})
        return Page(alone, self.notice)

    @cached_property
    def reply(self) -> Why | Whim | None:
        """Return why the opponent replied so, None before the first reply."""
        last = self.game.last_reply
        if last is None:
            return None
        board, square = replayed(self.game.moves[:last]), self.game.moves[last]
        if self.game.opponent == "random":
            return Whim(board.turn, last + 1, square, choices=9 - last)
        return why(board, square)

    @property
    def told_before(self) -> int:
        """Count the earlier replies that were told as this one is, where that can be twice."""
        if not isinstance(self.reply, Why) or self.reply.reason not in ("blocks", "draws"):
            return 0
        earlier = self.told.moves[: self.reply.number - 1 - self.game.set_up]
        replies = [move for move in earlier if move.mark != self.game.human]
        if replies and replies[0].number < self.own[0].number:
            del replies[0]  # the opening answers nobody
        told = [as_told(why(move.position, move.square)) for move in replies]
        return told.count(as_told(self.reply))

    @property
    def said(self) -> Answer:
        """Return what the opponent says of its reply."""
        assert self.reply, "it has replied"
        return Answer(
            why=self.reply,
            speaks=self.game.voice,
            opponent=self.game.opponent,
            told_before=self.told_before,
            first_try=self.first_try,
            notice=self.notice,
        )

    @property
    def buttons(self) -> Buttons:
        """Return what the buttons do."""
        begun = self.game.has_moved or not self.game.counts
        return Buttons(
            kind="next" if self.ending else "going_on" if begun else "settings",
            human=self.game.human,
            opponent=self.game.opponent,
            is_hinted=self.game.hint != "off",
            held=self.ending == "held",
            slip=self.slip.number if self.slip else None,
        )

    @property
    def verdict(self) -> Verdict:
        """Return what title and verdict tell."""
        return Verdict(
            opponent=self.game.opponent,
            ending=self.ending,
            counts=self.game.counts,
            is_last=self.holds_the_last,
            is_accepted=self.game.usual is not None,
        )

    @property
    def you(self) -> You:
        """Return what the human's seat shows."""
        before, tally, perfect = self.before, self.tally, self.game.opponent == "perfect"
        return You(
            mark=self.game.human,
            opponent=self.game.opponent,
            is_over=self.ending is not None,
            running=tally.running if self.ending == "held" and self.game.counts else 0,
            before=before.drawn if perfect else before.won,
            now=tally.drawn if perfect else tally.won,
            held=self.game.record.held,
            inked=self.game.square_held,
        )

    @property
    def them(self) -> Them:
        """Return what the opponent's seat shows."""
        return Them(
            mark=OTHER[self.game.human],
            opponent=self.game.opponent,
            mood=self.mood,
            is_over=self.ending is not None,
            before=self.before.lost,
            now=self.tally.lost,
            drawn=self.tally.drawn,
        )

    @property
    def shares(self) -> Shared:
        """Return what is shared of the game at its end."""
        return shared(self.game)

    @property
    def nine(self) -> Nine:
        """Return what the panel of the nine squares shows."""
        game, held = self.game, self.game.record_by_now.held
        plays = game.opponent == "perfect" and game.has_moved and not self.ending
        return Nine(
            squares=held_as("X", held),
            corners=held_as("O", held),
            is_placed=plays and not game.counts,
            is_helped=plays and game.helped,
        )

    @property
    def panel(self) -> Panel:
        """Return what the panel of settings shows."""
        return Panel(
            opponent=self.game.opponent,
            human=self.game.human,
            voice=self.game.voice,
            can_clear=any(self.tally),
        )

    @property
    def cells(self) -> list[Cell]:
        """Return the nine squares."""
        game, position, live = self.game, self.game.position, self.game.position.legal_moves()
        found = results(position) if game.hint == "results" else {}
        pencil = {self.watched.square: self.watched.mark} if self.watched else {}
        return [
            Cell(
                square=square,
                mark=position.mark_at(square),
                is_button=True,
                is_live=square in live,
                pencil=pencil.get(square),
                hovers=game.human if square in live and square not in pencil else None,
                look=self._look(square),
                result=found.get(square),
                says=self._says(square) if game.outcome else "",
            )
            for square in range(9)
        ]

    @cached_property
    def winning(self) -> tuple[Square, ...]:
        """Return the squares of the lines that won, none in any other game."""
        return self.game.position.winning_squares()

    def _look(self, square: Square) -> str:
        """Return how a square looks: a reply and a line that wins draw themselves."""
        game = self.game
        if self.watched and square == self.watched.square:
            return "pencil"
        is_last = game.moves[-1:] == (square,)
        reply = " new reply" if is_last and game.last_reply == len(game.moves) - 1 else ""
        if not game.outcome:
            return f"last{reply}" if is_last else ""
        if square in self.winning:
            return f"wins{reply or ' new'}"
        return f"past{reply}" if self.winning else f"settled{reply}"

    def _says(self, square: Square) -> str:
        """Return what is heard of a square of a line that wins, or of a move that decided."""
        wins, judged = square in self.winning, self.judged.get(square)
        return (", winning line" if wins else "") + (f", {DECIDED[judged]}" if judged else "")

    @cached_property
    def decisive(self) -> tuple[Reviewed, ...]:
        """Return the move at which an ended game turned, or each only move by which it was held."""
        if not self.ending:
            return ()
        return (self.told.turn,) if self.told.turn else self.told.only

    @cached_property
    def judged(self) -> dict[Square, Judgement]:
        """Return the judgement of each decisive move by its square."""
        return {move.square: move.judgement for move in self.decisive}

    @property
    def badges(self) -> tuple[Entry, ...]:
        """Return the decisive moves."""
        return tuple(self.entries[move.number - 1] for move in self.decisive)

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the nine places of the list of moves; what a move gave away is told at the end."""
        entries = list(UNPLAYED)
        for move in self.told.moves if self.game.has_moved else ():
            is_shown = move.judgement in BADGES and (self.ending or not move.lowers_the_result)
            number, judged = move.number, move.judgement if is_shown else None
            entries[number - 1] = Entry(number, move.mark, move.square, judged)
        return entries

    @property
    def badged(self) -> tuple[Judgement, ...]:
        """Return the judgements with a badge that the list of moves tells."""
        told = {entry.judgement for entry in self.entries}
        return tuple(judgement for judgement in BADGES if judgement in told)

    @cached_property
    def ways(self) -> dict[str, str]:
        """Return by name the HTML that drawings leave room for, as many games differ in this alone.

        The `position` and the checksum of the game are sent back with each click. The others are
        addresses in Study, of the `game`, of each move by its number and of the first `try`, and
        the moves to `retry` a slip after. While the game goes on a move leads to the game up to
        there, so that its entry stays.
        """
        game, digits = self.game, to_digits(self.game.moves)
        more = f"you={game.human}&amp;difficulty={game.opponent}"
        more += f"&amp;placed={game.set_up}" if game.set_up else ""
        ways = {
            "position": str(game.position),
            "stamp": stamp(game),
            "game": f"{study()}/{digits}?{more}",
        }
        if self.first_try:
            ways["try"] = f"{study()}/{digits}?at={self.first_try.number}&amp;{more}"
        if self.slip:
            ways["retry"] = digits[: self.slip.number - 1]
        for number in range(1, len(game.moves) + 1):
            moves = digits if self.ending else digits[:number]
            ways[str(number)] = f"{study()}/{moves}?at={number}&amp;{more}"
        return ways


def as_told(it: Why) -> tuple[Reason, bool]:
    """Return the reason, and whether the move left the human a way to go wrong among draws."""
    return it.reason, it.reason == "draws" and it.chance > 0


@cache
def study() -> str:
    """Return the address of Study, which is worked out once."""
    return url_for("study.page")
