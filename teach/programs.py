"""The search put together: the 108 programs that five gaps allow, and what each of them loses.

The nine lines of a program are both shown and run, so a page cannot show code that plays
differently. MAX is X throughout the lesson: as X a program plays the first square with the highest
`value` on line 7 at the root, and as O the first with the lowest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from math import inf
from typing import Any, NamedTuple

from engine.position import OTHER, Mark, Position, Square, X
from engine.search import WIN, analyze, score, sign
from engine.symmetry import canonical

GAPS = {  # by line: the pieces for the gap, the right one first
    3: ("node.value", "sign(node.value)", 'node.score_of("X")'),
    4: ("max if node.is_max else min", "max", "min if node.is_max else max"),
    5: ("-inf if pick is max else inf", "0", "-inf"),
    7: ("minimax(child)", "-minimax(child)"),
    8: ("pick(best, value)", "value"),
}
LINES = """\
def minimax(node):
    if node.over:
        return {}
    pick = {}
    best = {}
    for child in node.children():
        value = {}
        best = {}
    return best"""


class Mistake(NamedTuple):
    """A wrong piece."""

    line: int  # of the gap
    piece: int  # index of the piece in GAPS[line]


# How a program with each mistake plays; of several mistakes, the first here is named.
MISTAKES = {
    Mistake(3, 2): "every win is counted for X",
    Mistake(8, 1): "the last value is kept",
    Mistake(7, 1): "every value is turned round",
    Mistake(4, 1): "both sides maximise",
    Mistake(4, 2): "MAX takes the lowest and MIN the highest",
    Mistake(5, 1): "the best starts at 0",
    Mistake(5, 2): "the best starts at −inf for MIN, too",
    Mistake(3, 1): "turns are not counted",
}


# The nodes searched


class Reached:
    """A node: a position, `distance` turns below the board to decide on."""

    __slots__ = ("_below", "_winner", "is_max", "over", "value")

    def __init__(self, position: Position, distance: int, merged: bool) -> None:
        outcome = position.outcome()
        self.over = outcome is not None
        self.is_max = position.turn == X
        self._winner = outcome.winner if outcome else None
        won = WIN - distance if self._winner else 0
        self.value = won if self._winner == X else -won
        self._below = tuple(node(child, distance + 1, merged) for child in _after(position, merged))

    def score_of(self, mark: Mark) -> int:
        """Return 1 if `mark` has won, -1 if its opponent has, otherwise 0."""
        return {mark: 1, OTHER[mark]: -1, None: 0}[self._winner]

    def children(self) -> tuple[Reached, ...]:
        """Return the child nodes, in square order; empty for a leaf."""
        return self._below


node = cache(Reached)  # if `merged`, a node stands for all symmetric positions


@cache  # a position comes up at several distances
def _after(position: Position, merged: bool) -> tuple[Position, ...]:
    """Return the position after each legal move, in canonical form if `merged`."""
    below = position.children().values()
    return tuple(map(canonical, below) if merged else below)


# The programs


class Program(NamedTuple):
    """A program: one piece in each gap."""

    pieces: tuple[int, ...]  # their indices in GAPS, for lines 3, 4, 5, 7 and 8; 0 is right

    @property
    def code(self) -> str:
        """The pieces as the five digits that `read_program` reads."""
        return "".join(map(str, self.pieces))

    def mistakes(self) -> tuple[Mistake, ...]:
        """Return the wrong pieces, the one to name first."""
        made = {Mistake(line, piece) for line, piece in zip(GAPS, self.pieces, strict=True)}
        return tuple(mistake for mistake in MISTAKES if mistake in made)

    def lines(self) -> tuple[str, ...]:
        """Return the nine lines, as they run."""
        chosen = zip(GAPS.values(), self.pieces, strict=True)
        return tuple(LINES.format(*(gap[piece] for gap, piece in chosen)).splitlines())

    def values(self, position: Position) -> Mapping[Square, float]:
        """Return the `value` on line 7 of each move at the root; empty once the game is over.

        >>> Program((0, 0, 2, 0, 0)).values(Position.parse("XX-OO----"))[5]
        -inf
        """
        value, merged = _line_7(self), self.pieces[4] == 0  # otherwise the order of squares matters
        below = node(position, 0, merged).children()
        return dict(zip(position.legal_moves(), map(value, below), strict=True))

    def choose(self, position: Position) -> Square:
        """Return the square the program plays. Raises ValueError once the game is over."""
        values, pick = self.values(position), max if position.turn == X else min
        return pick(values, key=values.__getitem__)


@lru_cache(maxsize=4)  # each remembers up to 36,633 nodes
def _line_7(program: Program) -> Callable[[Reached], float]:
    """Return a function that runs the piece on line 7 on a child."""
    names: dict[str, Any] = {"inf": inf, "sign": sign}
    lines = program.lines()
    exec("\n".join(lines), names)
    names["minimax"] = _remembered(names["minimax"])
    line_7: Callable[[Reached], float] = eval(f"lambda child: {lines[6].partition('=')[2]}", names)
    return line_7


def _remembered(search: Callable[[Reached], float]) -> Callable[[Reached], float]:
    """Return the search with memoization.

    functools.cache would keep a tuple for each node: all 108 programs run in 3 s, instead of 6.
    """
    known: dict[Reached, float] = {}

    def minimax(node: Reached) -> float:
        if node not in known:
            known[node] = search(node)
        return known[node]

    return minimax


@cache
def programs() -> tuple[Program, ...]:
    """Return all 108 programs, those with the fewest wrong pieces first."""
    every = map(Program, product(*(range(len(pieces)) for pieces in GAPS.values())))
    return tuple(sorted(every, key=lambda program: len(program.mistakes())))


def read_program(code: str) -> Program:
    """Return the program of a code such as `02111`. Raises ValueError if there is none."""
    for program in programs():
        if program.code == code:
            return program
    raise ValueError("a program is five digits, which name a piece of each gap")


# The games of a program


class Trial(NamedTuple):
    """A game of a program.

    The last blunder in a lost game is the move that lost: every board after it is lost.
    """

    mark: Mark  # of the program
    moves: tuple[Square, ...] = ()
    at: int = -1  # moves before its last blunder; -1 if there was none
    winner: Mark | None = None

    @property
    def slip(self) -> Position:
        """The board on which the last blunder was made."""
        return Position().after(self.moves[: self.at])


class Report(NamedTuple):
    """The results of a program against every way to play, as X and as O."""

    games: int
    lost: int
    drawn: int
    shortest: Trial | None  # the shortest lost game; of equals, the first as X, in square order

    @property
    def won(self) -> int:
        """The number of games won."""
        return self.games - self.drawn - self.lost


@cache
def report_on(program: Program) -> Report:
    """Return the results of a program against every way to play; the first call takes 60 ms."""
    choose = cache(program.choose)
    games = [game for mark in OTHER for game in _games(choose, Trial(mark), Position())]
    lost = [game for game in games if game.winner == OTHER[game.mark]]
    return Report(
        games=len(games),
        lost=len(lost),
        drawn=sum(game.winner is None for game in games),
        shortest=min(lost, key=lambda game: len(game.moves), default=None),
    )


def _games(
    choose: Callable[[Position], Square], game: Trial, position: Position
) -> Iterator[Trial]:
    """Yield each way a game can continue from a position, in square order."""
    if outcome := position.outcome():
        yield game._replace(winner=outcome.winner)
        return
    squares = position.legal_moves()
    if position.turn == game.mark:
        squares = (choose(position),)
        game = game._replace(at=len(game.moves)) if blunders(position, *squares) else game
    for square in squares:
        further = game._replace(moves=(*game.moves, square))
        yield from _games(choose, further, position.play(square))


def blunders(position: Position, square: Square) -> bool:
    """Return whether a move scores less than the best, on a board that is not lost."""
    return analyze(position)[square] < score(position) >= 0
