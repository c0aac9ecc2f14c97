"""Where a reader of /study stands: at a board, perhaps in a game, in a view."""

from __future__ import annotations

from itertools import takewhile, zip_longest
from typing import Any, Literal, NamedTuple, get_args

from flask import g, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from engine.notation import parse_moves, parse_swapped, to_digits
from engine.position import OTHER, SQUARES_IN, Mark, Position, Square, X
from engine.review import ReviewedMove, Story, story
from teach.estimates import limited_tree
from teach.trees import Node, Order, tree
from web.http.forms import get_capped_number, get_choice, get_single, parse_or_refuse
from web.play.opponents import OPPONENTS, OpponentName
from web.study.searchable import SearchSettings
from web.view import return_links as lesson
from web.view.return_links import left, question_left
from web.view.squares import Cell, cells_of
from web.view.story import StoryLine, draw_story

View = Literal["moves", "squares", "search"]
VIEWS: tuple[View, ...] = get_args(View)


class Place(NamedTuple):
    """Hold the board in view, the moves of the game, and what the address says of both players.

    `at` counts the `moves` on the board. A board set up has no moves. `you` is the mark of the
    reader, `difficulty` the opponent, and `game` the game left for a line of the reader's own. The
    first `set_up` moves of a practice game were not played: the game begins after them. A
    `lesson` left for this page is a screen and its state, a `question` one of practice.
    """

    position: Position
    moves: tuple[Square, ...]
    at: int
    view: View
    you: Mark | None
    difficulty: OpponentName | None
    game: tuple[Square, ...]
    set_up: int = 0
    lesson: str | None = None
    question: str | None = None

    @property
    def story(self) -> Story:
        """Return the story of the game."""
        return story(self.moves, self.you, self.set_up)

    @property
    def line(self) -> StoryLine:
        """Return the story line, with the ring at the board in view."""
        return draw_story(self.story, self.you, self.at)

    @property
    def moves_played(self) -> int:
        """Count the moves on the board that were played in the game, not set up."""
        return max(self.at - self.set_up, 0)

    @property
    def move(self) -> ReviewedMove | None:
        """Return the move that led to the board in view, None before the first."""
        return self.story.moves[self.moves_played - 1] if self.moves_played else None

    @property
    def cells(self) -> list[Cell]:
        """Return the squares of the board in view, with a link on each legal move."""
        last = self.moves[self.at - 1] if self.moves_played else None
        return [
            cell._replace(url=self.press(cell.square), hovers=self.position.turn)
            if cell.square in self.position.legal_moves()
            else cell
            for cell in cells_of(self.position, last)
        ]

    @property
    def over(self) -> bool:
        """Say whether the game has ended on this board."""
        return self.position.outcome() is not None

    @property
    def is_set_up(self) -> bool:
        """Say whether the board was set up, by moves nobody knows."""
        return self.position.ply > self.at

    @property
    def setup(self) -> str:
        """Return moves to the board as digits; for a board set up, in some order."""
        marks = zip_longest(SQUARES_IN[self.position.x], SQUARES_IN[self.position.o])
        some = tuple(square for pair in marks for square in pair if square is not None)
        return to_digits(some if self.is_set_up else self.moves[: self.at])

    def url(self, **changes: Any) -> str:
        """Return the address of the page with `changes`: `view`, `at`, a view's own."""
        where = str(self.position) if self.is_set_up else to_digits(self.moves)
        at = None if self.is_set_up else self.at
        return url_for(  # leaves out what is None
            "study.page",
            where=where or None,
            **{"at": at, "view": self.view} | changes,
            you=self.you,
            difficulty=self.difficulty,
            game=to_digits(self.game) or None,
            set_up=self.set_up or None,
            lesson=self.lesson,
            question=self.question,
        )

    @property
    def for_others(self) -> Place:
        """Return the place for whoever played no game: nobody is you there."""
        return self._replace(you=None, difficulty=None, game=())

    def press(self, *squares: Square) -> str:
        """Return the address after `squares`: in the game, or on the reader's own line.

        Raises IllegalMoveError where the rules forbid the move.
        """
        position = self.position.after(squares)
        if self.is_set_up:
            return self._replace(position=position).url()
        line = (*self.moves[: self.at], *squares)
        for game in (self.moves, self.game):
            if game[: len(line)] == line:
                return self._replace(moves=game, game=()).url(at=len(line))
        own = not (self.you or self.game) and self.at == len(self.moves)
        left = () if own else self.game or self.moves
        return self._replace(moves=line, game=left).url(at=len(line))

    def instead(self, square: Square) -> str:
        """Return the address after another move than the one that led to the board in view."""
        before = self.at - 1
        board = Position().after(self.moves[:before])
        return self._replace(position=board, at=before).press(square)

    @property
    def plus(self) -> Mark:
        """Return for whom plus is good: the side to move, or X as in the lesson and in practice."""
        return X if self.lesson or self.question else self.position.turn

    @property
    def board(self) -> Position:
        """The board in view, at which a search begins."""
        return self.position

    def root(self, settings: SearchSettings, order: Order) -> Node:
        """Return the tree below the board in view, up to a depth limit if the settings have one."""
        merged, is_max = settings.mirrors == "merged", settings.top == "max"
        if settings.depth:
            return limited_tree(self.position, settings.depth, order, merged, is_max)
        return tree(self.position, settings.scoring, order, merged, is_max)

    @property
    def back(self) -> str | None:
        """Return the address of the game left, at the move where the line began; None without."""
        if not self.game:
            return None
        same = takewhile(lambda pair: pair[0] == pair[1], zip(self.moves, self.game, strict=False))
        at = min(self.position.ply, len(self.game)) if self.is_set_up else len([*same])
        return self._replace(position=Position(), moves=self.game, game=()).url(at=at)

    @property
    def out(self) -> tuple[str, str]:
        """Return the address that leads away from here, and its words: back to what was left."""
        if self.back:
            return self.back, "Your game"
        if self.lesson:
            return lesson.back(self.lesson), "Lesson"
        if self.question:
            return lesson.back_to_question(self.question), "Question"
        return url_for("play.page"), "Game" if self.you else "Play"


def stand(where: str, args: MultiDict[str, str]) -> Place:
    """Return the place an address names; refuse nonsense with a 400 page and the reason.

    If the `game` passes through the board, show the game at that move.
    """
    is_board = bool(set(where.upper()) & set("XO-"))
    moves = () if is_board else parse_or_refuse(parse_moves, where)
    position = read_board(where.upper()) if is_board else Position()
    game = parse_or_refuse(parse_moves, get_single(args, "game") or "")
    if not moves and Position().after(game[: position.ply]) == position:
        moves, game = game, ()
    set_up = get_capped_number(args, "set_up", len(moves or game), 0)
    you = get_choice(args, "you", OTHER)
    decided = None if is_board or "at" in args else decided_at(story(moves, you, set_up), you)
    usual = position.ply if is_board else decided or len(moves)
    at = get_capped_number(args, "at", len(moves), min(usual, len(moves)))
    at = max(at, min(set_up, len(moves)))
    return Place(
        position=Position().after(moves[:at]) if moves else position,
        moves=moves,
        at=at,
        view=get_choice(args, "view", VIEWS) or ("moves" if moves else "squares"),
        you=you,
        difficulty=get_choice(args, "difficulty", OPPONENTS),
        game=game,
        set_up=set_up,
        lesson=left(args),
        question=question_left(args),
    )


def decided_at(story: Story, you: Mark | None) -> int | None:
    """Return the number of the move that tells `you` why a game ended so, None without any.

    A game lost from the first board on has no turning point: the loser's first move tells how.
    """
    if story.turning_point:
        return story.turning_point.number
    is_lost = story.is_over and story.initial_winner and story.initial_winner != you
    return next(
        (move.number for move in story.moves if is_lost and move.opponent == story.initial_winner),
        None,
    )


def read_board(board: str) -> Position:
    """Read a position; refuse any board out of reach, and offer the marks swapped where legal."""
    try:
        return parse_or_refuse(Position.parse, board)
    except BadRequest:
        if instead := parse_swapped(board):
            g.instead = url_for("study.page", where=str(instead))
        if could_be_a_board(board):
            g.set_up = url_for("study.page", set=board)
        raise


def could_be_a_board(text: str) -> bool:
    """Say whether `text` is nine of X, O and -, in reach of a game or not."""
    return len(text) == 9 and set(text) <= set("XO-")
