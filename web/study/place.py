"""The place that a Study address names: a view of a board, which may be in a game."""

from __future__ import annotations

from itertools import takewhile, zip_longest
from typing import Any, Literal, NamedTuple, get_args

from flask import g, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from engine.notation import parse_moves, parse_swapped, to_digits
from engine.position import OTHER, SQUARES_IN, Mark, Position, Square
from engine.review import ReviewedMove, Story, story
from teach.estimates import limited_tree
from teach.trees import Node, Order, tree
from web.http.forms import get_capped_number, get_choice, get_single, parse_or_refuse
from web.play.opponents import OPPONENTS, OpponentName
from web.study.searchable import SearchSettings
from web.view.return_links import get_question, get_screen, question_url, screen_url
from web.view.squares import Cell, cells_of
from web.view.story import StoryLine, draw_story

View = Literal["moves", "squares", "search"]
VIEWS: tuple[View, ...] = get_args(View)


class Place(NamedTuple):
    """A parsed Study address: a view of a board, which may be in a game."""

    position: Position  # the board in view
    moves: tuple[Square, ...]  # the whole game or line in view; empty for a board that was set up
    move_count: int  # moves before the board in view; `at` in the address
    view: View
    you: Mark | None  # the reader's side
    opponent_name: OpponentName | None  # in the reader's game
    reader_game: tuple[Square, ...]  # the reader's own game, if another line is in view
    setup_length: int = 0  # moves before the game began, in a practice game
    lesson: str | None = None  # the screen that the reader came from, with its state
    question: str | None = None  # the question of the puzzles that the reader came from

    @property
    def story(self) -> Story:
        """The story of the game."""
        return story(self.moves, self.you, self.setup_length)

    @property
    def story_line(self) -> StoryLine:
        """The picture of the game, with a ring at the board in view."""
        return draw_story(self.story, self.you, self.move_count)

    @property
    def played_count(self) -> int:
        """The number of moves on the board that were played, not set up."""
        return max(self.move_count - self.setup_length, 0)

    @property
    def last_move(self) -> ReviewedMove | None:
        """The last move on the board in view, or None if there is none."""
        return self.story.moves[self.played_count - 1] if self.played_count else None

    @property
    def cells(self) -> list[Cell]:
        """The squares of the board in view, with a link on each legal move."""
        last_square = self.moves[self.move_count - 1] if self.played_count else None
        cells = cells_of(self.position, last_square)
        for square in self.position.legal_moves():
            url = self.url_after(square)
            cells[square] = cells[square]._replace(url=url, hover=self.position.turn)
        return cells

    @property
    def is_over(self) -> bool:
        """Whether the game is over on the board in view."""
        return self.position.outcome() is not None

    @property
    def is_set_up(self) -> bool:
        """Whether the board was set up, so that its moves are unknown."""
        return self.position.ply > self.move_count

    @property
    def moves_to_board(self) -> str:
        """Moves that lead to the board, as digits; one possible order if it was set up."""
        if not self.is_set_up:
            return to_digits(self.moves[: self.move_count])
        pairs = zip_longest(SQUARES_IN[self.position.x], SQUARES_IN[self.position.o])
        return to_digits(tuple(square for pair in pairs for square in pair if square is not None))

    def url(self, **changes: Any) -> str:
        """Return the address, with `changes` to `view`, `at` or the parameters of a view."""
        where = str(self.position) if self.is_set_up else to_digits(self.moves)
        args = {"at": None if self.is_set_up else self.move_count, "view": self.view} | changes
        return url_for(  # omits values that are None
            "study.page",
            where=where or None,
            **args,
            you=self.you,
            difficulty=self.opponent_name,
            game=to_digits(self.reader_game) or None,
            set_up=self.setup_length or None,
            lesson=self.lesson,
            question=self.question,
        )

    @property
    def for_others(self) -> Place:
        """The place for readers who did not play the game."""
        return self._replace(you=None, opponent_name=None, reader_game=())

    def url_after(self, *squares: Square) -> str:
        """Return the address after more moves.

        If these are the next moves of a game in the address, the new address stays in that game;
        otherwise, the moves start or extend a line of their own. Raises IllegalMoveError if a move
        is illegal.
        """
        position = self.position.after(squares)
        if self.is_set_up:
            return self._replace(position=position).url()
        line = (*self.moves[: self.move_count], *squares)
        for game in (self.moves, self.reader_game):
            if game[: len(line)] == line:
                return self._replace(moves=game, reader_game=()).url(at=len(line))
        has_readers_game = self.you or self.reader_game
        if not has_readers_game and self.move_count == len(self.moves):
            return self._replace(moves=line).url(at=len(line))  # the line grows at its end
        original_game = self.reader_game or self.moves
        return self._replace(moves=line, reader_game=original_game).url(at=len(line))

    def url_replacing_last(self, square: Square) -> str:
        """Return the address after a different move in place of the last one."""
        move_count = self.move_count - 1
        position = Position().after(self.moves[:move_count])
        return self._replace(position=position, move_count=move_count).url_after(square)

    @property
    def board(self) -> Position:
        """The board in view, at the root of a search."""
        return self.position

    def root(self, settings: SearchSettings, order: Order) -> Node:
        """Return the tree below the board in view, up to a depth limit if the settings have one."""
        merges_symmetric = settings.mirrors == "merged"
        if settings.depth:
            return limited_tree(self.position, settings.depth, order, merges_symmetric)
        return tree(self.position, settings.scoring, order, merges_symmetric)

    @property
    def game_url(self) -> str | None:
        """The address of the reader's game, at the board where this line leaves it.

        From a board that was set up, it leads to the board of the game with as many marks. None if
        the game is already in view, or there is none.
        """
        if not self.reader_game:
            return None
        if self.is_set_up:
            move_count = min(self.position.ply, len(self.reader_game))
        else:
            pairs = zip(self.moves, self.reader_game, strict=False)
            move_count = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        place = self._replace(position=Position(), moves=self.reader_game, reader_game=())
        return place.url(at=move_count)

    @property
    def way_back(self) -> tuple[str, str]:
        """The address and text of the link back: to the reader's game in Study, or out of Study."""
        if self.game_url:
            return self.game_url, "Your game"
        if self.lesson:
            return screen_url(self.lesson), "Lesson"
        if self.question:
            return question_url(self.question), "Question"
        return url_for("play.page"), "Game" if self.you else "Play"


def parse_place(where: str, args: MultiDict[str, str]) -> Place:
    """Parse the place that an address names; an invalid one gets a 400 page with the reason.

    If the game in the address passes through the board, the place belongs to that game.
    """
    is_board = bool(set(where.upper()) & set("XO-"))
    moves = () if is_board else parse_or_refuse(parse_moves, where)
    position = parse_board(where.upper()) if is_board else Position()
    reader_game = parse_or_refuse(parse_moves, get_single(args, "game") or "")
    if not moves and Position().after(reader_game[: position.ply]) == position:
        moves, reader_game = reader_game, ()
    setup_length = get_capped_number(args, "set_up", len(moves or reader_game), 0)
    you = get_choice(args, "you", OTHER)
    decisive_number = None
    if not is_board and "at" not in args:
        decisive_number = decisive_move_number(story(moves, you, setup_length), you)
    default_count = position.ply if is_board else decisive_number or len(moves)
    move_count = get_capped_number(args, "at", len(moves), min(default_count, len(moves)))
    move_count = max(move_count, min(setup_length, len(moves)))
    return Place(
        position=Position().after(moves[:move_count]) if moves else position,
        moves=moves,
        move_count=move_count,
        view=get_choice(args, "view", VIEWS) or ("moves" if moves else "squares"),
        you=you,
        opponent_name=get_choice(args, "difficulty", OPPONENTS),
        reader_game=reader_game,
        setup_length=setup_length,
        lesson=get_screen(args),
        question=get_question(args),
    )


def decisive_move_number(story: Story, you: Mark | None) -> int | None:
    """Return the number of the move that explains the result to `you`, or None if there is none.

    That is the turning point or, in a practice game that was lost from the start, the loser's first
    move.
    """
    if story.turning_point:
        return story.turning_point.number
    winner = story.initial_winner
    if not story.is_over or not winner or winner == you:
        return None
    return next((move.number for move in story.moves if move.opponent == winner), None)


def parse_board(board: str) -> Position:
    """Parse a position; an invalid one gets a 400 page, with links to fix it if possible."""
    try:
        return parse_or_refuse(Position.parse, board)
    except BadRequest:
        if swapped_position := parse_swapped(board):
            g.swapped_url = url_for("study.page", where=str(swapped_position))
        if is_board_text(board):
            g.set_up_url = url_for("study.page", set=board)
        raise


def is_board_text(text: str) -> bool:
    """Return whether a text is nine characters, each X, O or -."""
    return len(text) == 9 and set(text) <= set("XO-")
