"""How a game ended for the human: the facts of one verdict and one sentence."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from engine.notation import to_digits
from engine.position import OTHER, Mark, O, Square
from engine.reasons import threats
from engine.review import ReviewedMove, Story, story
from web.play.game import Game, Help, Was, replayed
from web.play.nine import NINE, earned_squares
from web.play.players import PLAYERS, LastWords, Opponent

Ending = Literal["won", "drawn", "lost"]
HowItEnded = Literal[
    "won", "drawn", "open", "fork", "only", "let in", "no way",
    "set up", "helped", "second", "last", "friend", "again", "first", "later",
]  # fmt: skip
HELD: tuple[HowItEnded, ...] = ("second", "last", "friend", "again", "first", "later")


class End(NamedTuple):
    """Hold how a game ended, and what its one sentence names.

    Lost: a square was left `open`; the answer to the last mistake made two threats (`fork`); an
    `only` square was safe at that mistake, or several were (`let in`); there was `no way` out of
    the board set up. So many losses against Perfect were running (`losing`). Drawn by a mistake, or
    against Random: `drawn`. Held, where no square is filled: from moves `set up`, or `helped`, or
    by who went `second`. Otherwise the `last` square left, a square of a `friend`, held `again`,
    the `first`, or a `later` square; the `new` squares are filled, and so many are `left`.

    The sentence may name a `square`, the `number` of a move, and how `many` squares lost at that
    move or, without number, how many moves alone were safe.
    """

    kind: HowItEnded
    ending: Ending
    opponent: Opponent
    human: Mark
    square: Square | None = None
    number: int | None = None
    many: int = 0
    left: int = 0
    new: tuple[Square, ...] = ()
    losing: int = 0
    help: Help = ""
    was: Was | None = None
    nine: int = 0
    link: str = ""

    @property
    def is_held(self) -> bool:
        """Whether the human drew against Perfect without help: it is told as large as can be."""
        return self.ending == "drawn" and self.kind in HELD

    @property
    def asks(self) -> bool:
        """Say whether the opponent asks to look together: from the second loss running on."""
        return self.losing > 1 and self.kind != "friend"

    @property
    def words(self) -> LastWords | None:
        """Return the opponent's own words, None where what decided is named."""
        words: LastWords | None = getattr(PLAYERS[self.opponent], self.ending)
        return words


def story_of(game: Game) -> Story:
    """Return the story of the moves played so far, with the human as its reader."""
    return story(game.moves, game.human, game.set_up)


def slip_of(game: Game) -> ReviewedMove | None:
    """Return the human's move at which an ended game turned last, None without any."""
    turn = story_of(game).turning_point if game.outcome else None
    return turn if turn and turn.mark == game.human else None


@lru_cache(maxsize=1024)  # several parts of the page ask
def end_of(game: Game) -> End | None:
    """Return how a game ended, None while it goes on."""
    if not game.outcome:
        return None
    winner, slip = game.outcome.winner, slip_of(game)
    ending: Ending = "drawn" if not winner else "won" if winner == game.human else "lost"
    end = End(
        kind="won" if winner else "drawn",
        ending=ending,
        opponent=game.opponent,
        human=game.human,
        number=slip.number if slip else None,
        help=game.helped,
        was=game.was,
        nine=game.nine,
        link=to_digits(game.moves[: game.link]),
    )
    if ending == "lost":
        return _lost(end, game, slip)
    held = ending == "drawn" and game.player.fills and not slip
    return _held(end, game) if held else end


def _lost(end: End, game: Game, slip: ReviewedMove | None) -> End:
    if not slip:
        return end._replace(kind="no way")
    answer, followed = game.moves[slip.number], story_of(game).punishment
    safe = slip.sound_moves[0] if len(slip.sound_moves) == 1 and not slip.score_before else None
    lost = end._replace(kind="let in", square=slip.square)
    if followed == "now":
        lost = end._replace(kind="open", square=answer)
    elif followed == "fork":
        count = len(threats(replayed(game.moves[: slip.number + 1]), OTHER[game.human]))
        lost = end._replace(kind="fork", square=answer, many=count)
    elif safe is not None:
        lost = end._replace(kind="only", square=safe)
    if game.was:
        lost = lost._replace(kind="friend")
    running = game.record_by_now.losing if game.counts and game.player.fills else 0
    return lost._replace(losing=running)


def _held(end: End, game: Game) -> End:
    if not game.counts:
        return end._replace(kind="set up")
    if game.helped:
        return end._replace(kind="helped")
    if game.human == O:
        return end._replace(kind="friend" if game.was else "second")
    begun, before, now = game.moves[0], game.record.held, game.record_by_now.held
    is_new, left = now != before, 9 - now.bit_count()
    kind: HowItEnded = "later" if before else "first"
    if is_new and not left:
        kind = "last"
    elif game.was:
        kind = "friend"
    elif not is_new:
        kind = "again"
    new = () if not is_new else (begun,) if left else earned_squares(NINE)
    end = end._replace(kind=kind, square=begun, left=left, new=new)
    return _how(end, story_of(game)) if kind == "later" else end


def _how(end: End, story: Story) -> End:
    """Return the end of a game held with how often it could have been lost."""
    if story.only_moves or not story.critical_moves:
        return end._replace(many=len(story.only_moves))
    last = story.critical_moves[-1]
    return end._replace(number=last.number, many=len(last.blunders))
