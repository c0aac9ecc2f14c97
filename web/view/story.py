"""The story line of a game: a lane for each result touched, a point for each board."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import OTHER, Mark
from engine.review import Story

HALF = 165  # half the width of the picture, shared out whole among the points
TOP = 10  # from the upper edge to the first lane


class Lane(NamedTuple):
    """Hold the height of a result: a winner's, or None for level."""

    winner: Mark | None
    y: int


class Slope(NamedTuple):
    """Hold the line from a point to the next: one taken, or one to a loss that was avoided."""

    winner: Mark
    x: int
    y: int
    to_x: int
    to_y: int


class Point(NamedTuple):
    """Hold the board after move `number`; the first point, the start, `is_start`.

    `look` is turn for the move where the game turned, else whose colour the point has. The deciding
    point `is_big`, the board in view has a ring. Some have a `label`, at the height `label_y`.
    """

    number: int
    x: int
    y: int
    winner: Mark | None
    look: str
    is_start: bool
    is_big: bool
    has_ring: bool
    label: str
    label_y: float


class StoryLine(NamedTuple):
    """Hold the picture: `falls` were taken, `dips` avoided by the reader, `level` is their edge."""

    wide: int
    high: int
    level: int
    lanes: tuple[Lane, ...]
    falls: tuple[Slope, ...]
    dips: tuple[Slope, ...]
    points: tuple[Point, ...]


def draw_story(story: Story, you: Mark | None, at: int) -> StoryLine:
    """Return the story line, with the ring at the board after move `at`."""
    moves, first = story.moves, you or "X"
    winners = [story.initial_winner, *(move.winner for move in moves)]
    avoided = story.critical_moves if story.is_over else ()
    touched = {None, *winners, *(move.opponent for move in avoided)}
    lanes = [lane for lane in (first, None, OTHER[first]) if lane in touched]
    gap = 30 if len(lanes) == 2 else 21
    high = {lane: TOP + gap * row for row, lane in enumerate(lanes)}
    half = HALF // len(winners)
    xs = [half + 2 * half * index for index in range(len(winners))]
    start = moves[0].number - 1 if moves else 0
    big = (
        [story.turning_point]
        if story.turning_point
        else story.only_moves or story.critical_moves[-1:]
    )

    def point(index: int) -> Point:
        move, winner, number = moves[index - 1] if index else None, winners[index], start + index
        is_big = move in big
        below = winner != lanes[-1] or len(lanes) == 1
        label = f"{number}??" if is_big and story.turning_point else str(number)
        has_ring = number == at
        # A number stands 10 px off its point, and off the ring around a large one.
        away = 2 * has_ring * is_big
        return Point(
            number=number,
            x=xs[index],
            y=high[winner],
            winner=winner,
            look="turn"
            if is_big and story.turning_point
            else (move in avoided and move.mark) or winner or "",
            is_start=not index,
            is_big=is_big,
            has_ring=has_ring,
            label=label if is_big or index in (1, len(moves)) else "",
            label_y=high[winner] + (22 + away if below else -11.5 - away),
        )

    return StoryLine(
        wide=2 * half * len(winners),
        high=2 * TOP + gap * (len(lanes) - 1),
        level=high[None],
        lanes=tuple(Lane(lane, high[lane]) for lane in lanes),
        falls=tuple(
            Slope(now, xs[index], high[winners[index]], xs[index + 1], high[now])
            for index, now in enumerate(winners[1:])
            if now
        ),
        dips=tuple(
            Slope(
                move.opponent,
                xs[move.number - start - 1],
                high[None],
                xs[move.number - start],
                high[move.opponent],
            )
            for move in avoided
        ),
        points=tuple(map(point, range(len(winners)))),
    )
