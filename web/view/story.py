"""The picture of a game: a lane for each result that occurred, and a point for each board."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import OTHER, Mark
from engine.review import Story
from web.view import mistakes

# All lengths are in the units of the picture's viewBox.
MAX_HALF_WIDTH = 165  # half the width of the picture, before it is rounded down to whole steps
TOP = 10  # from the upper edge to the first lane


class Lane(NamedTuple):
    """The height of a result in the picture."""

    winner: Mark | None  # None for a draw
    y: int


class Slope(NamedTuple):
    """A line from one point to the next, or to a loss that a side avoided."""

    winner: Mark
    x: int
    y: int
    to_x: int
    to_y: int


class Point(NamedTuple):
    """The board after a move."""

    number: int  # of the move; for the first point, the number of moves that were set up
    x: int
    y: int
    winner: Mark | None  # with perfect play from this board
    look: str  # "turn" for the turning point, otherwise the mark that gives the color, or ""
    is_start: bool  # whether no move of the game has been made
    is_big: bool  # whether the move is one of the deciding moves
    has_ring: bool  # whether this is the board in view
    label: str  # empty if the point has none
    label_y: float  # of the baseline


class StoryLine(NamedTuple):
    """The picture of a game, from left to right."""

    width: int
    height: int
    draw_y: int  # the height of a draw, at which the colored areas end
    lanes: tuple[Lane, ...]
    win_slopes: tuple[Slope, ...]  # to each board that one side wins; the area beside it is colored
    dips: tuple[Slope, ...]  # to each loss avoided; only the reader's, if the reader played
    points: tuple[Point, ...]
    sentence: str  # the story in one sentence, for screen readers


def draw_story(story: Story, you: Mark | None, number_in_view: int) -> StoryLine:
    """Return the story line, with the ring at the board after the move with this number."""
    moves, top_side = story.moves, you or "X"
    winners = [story.initial_winner, *(move.winner for move in moves)]
    avoided = story.critical_moves if story.is_over else ()
    occurring = {None, *winners, *(move.opponent for move in avoided)}
    lanes = [lane for lane in (top_side, None, OTHER[top_side]) if lane in occurring]
    gap = 30 if len(lanes) == 2 else 21
    heights = {lane: TOP + gap * row for row, lane in enumerate(lanes)}
    half_step = MAX_HALF_WIDTH // len(winners)
    xs = [half_step + 2 * half_step * index for index in range(len(winners))]
    start = moves[0].number - 1 if moves else 0
    deciding_moves = story.only_moves or story.critical_moves[-1:]
    if story.turning_point:
        deciding_moves = (story.turning_point,)

    def point(index: int) -> Point:
        move, winner, number = moves[index - 1] if index else None, winners[index], start + index
        is_big, has_ring = move in deciding_moves, number == number_in_view
        if is_big and story.turning_point:
            look, label = "turn", f"{number}??"
        elif move and move in avoided:
            look, label = move.mark, str(number)
        else:
            look, label = winner or "", str(number)
        is_label_below = winner != lanes[-1] or len(lanes) == 1
        # A baseline is 22 units below its point or 11.5 above, and 2 more beside a larger ring.
        extra = 2 if has_ring and is_big else 0
        return Point(
            number=number,
            x=xs[index],
            y=heights[winner],
            winner=winner,
            look=look,
            is_start=index == 0,
            is_big=is_big,
            has_ring=has_ring,
            label=label if is_big or index in (1, len(moves)) else "",
            label_y=heights[winner] + (22 + extra if is_label_below else -11.5 - extra),
        )

    return StoryLine(
        width=2 * half_step * len(winners),
        height=2 * TOP + gap * (len(lanes) - 1),
        draw_y=heights[None],
        lanes=tuple(Lane(lane, heights[lane]) for lane in lanes),
        win_slopes=tuple(
            Slope(winner, xs[index], heights[winners[index]], xs[index + 1], heights[winner])
            for index, winner in enumerate(winners[1:])
            if winner
        ),
        dips=tuple(
            Slope(
                move.opponent,
                xs[move.number - start - 1],
                heights[None],
                xs[move.number - start],
                heights[move.opponent],
            )
            for move in avoided
        ),
        points=tuple(map(point, range(len(winners)))),
        sentence=mistakes.story_sentence(story, you),
    )
