"""The 108 programs that fill five gaps with one piece each, and how many games each of them loses.

The nine lines of a program are both shown and run, so the code on a page is the code that plays.
X is MAX: as X, a program plays the first square whose `value` on line 7 is highest; as O, the first
whose value is lowest.
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
CODE_TEMPLATE = """\
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
    """A wrong piece in a gap."""

    line: int  # of the gap
    piece: int  # index of the piece in GAPS[line]


# If a program has several mistakes, the page explains only the first one in this order. It never
# explains line 3: without turns, a program still keeps every win and draw.
MISTAKES = (
    Mistake(3, 2),  # turns are not counted, with the scores of X
    Mistake(8, 1),  # the last value is kept
    Mistake(7, 1),  # the sign of every value is flipped
    Mistake(4, 1),  # both sides maximize
    Mistake(4, 2),  # MAX takes the lowest and MIN the highest
    Mistake(5, 1),  # best starts at 0
    Mistake(5, 2),  # best starts at −inf for MIN too
    Mistake(3, 1),  # turns are not counted
)


# The nodes that a program searches


class GameNode:
    """A node: a position `distance` plies below the root."""

    __slots__ = ("_children", "_winner", "is_max", "over", "value")

    def __init__(self, position: Position, distance: int, merges_symmetric: bool) -> None:
        outcome = position.outcome()
        self.over = outcome is not None
        self.is_max = position.turn == X
        self._winner = outcome.winner if outcome else None
        win_value = WIN - distance if self._winner else 0
        self.value = win_value if self._winner == X else -win_value
        self._children = tuple(
            cached_node(child, distance + 1, merges_symmetric)
            for child in _child_positions(position, merges_symmetric)
        )

    def score_of(self, mark: Mark) -> int:
        """Return 1 if `mark` has won, -1 if its opponent has, otherwise 0."""
        return {mark: 1, OTHER[mark]: -1, None: 0}[self._winner]

    def children(self) -> tuple[GameNode, ...]:
        """Return the child nodes, in square order; empty for a leaf."""
        return self._children


cached_node = cache(GameNode)  # if `merges_symmetric`, all symmetric positions share a node


@cache  # because each position occurs at several distances
def _child_positions(position: Position, merges_symmetric: bool) -> tuple[Position, ...]:
    """Return the position after each legal move, in canonical form if `merges_symmetric`."""
    children = position.children().values()
    return tuple(map(canonical, children) if merges_symmetric else children)


# The programs


class Program(NamedTuple):
    """A program: one piece in each gap."""

    pieces: tuple[int, ...]  # indices in GAPS, for lines 3, 4, 5, 7 and 8; 0 is the right piece

    @property
    def code(self) -> str:
        """The indices of the pieces as five digits; see `parse_program`."""
        return "".join(map(str, self.pieces))

    def mistakes(self) -> tuple[Mistake, ...]:
        """Return the wrong pieces, in the order of MISTAKES."""
        pieces = dict(zip(GAPS, self.pieces, strict=True))
        return tuple(mistake for mistake in MISTAKES if pieces[mistake.line] == mistake.piece)

    def lines(self) -> tuple[str, ...]:
        """Return the nine lines of code."""
        gaps = zip(GAPS.values(), self.pieces, strict=True)
        texts = [choices[piece] for choices, piece in gaps]
        return tuple(CODE_TEMPLATE.format(*texts).splitlines())

    def values(self, position: Position) -> Mapping[Square, float]:
        """Return the value that line 7 gives each move; empty once the game is over.

        >>> Program((0, 0, 2, 0, 0)).values(Position.parse("XX-OO----"))[5]
        -inf
        """
        # With a wrong line 8, the order of squares matters, so symmetric positions differ.
        merges_symmetric = self.pieces[4] == 0
        children = cached_node(position, 0, merges_symmetric).children()
        values = map(_line_7(self), children)
        return dict(zip(position.legal_moves(), values, strict=True))

    def choose(self, position: Position) -> Square:
        """Return the square the program plays. Raises ValueError once the game is over."""
        values = self.values(position)
        pick = max if position.turn == X else min
        return pick(values, key=values.__getitem__)


@lru_cache(maxsize=4)  # no more, because each function remembers up to 36,633 nodes
def _line_7(program: Program) -> Callable[[GameNode], float]:
    """Return a function that evaluates line 7 of a program for a child of the root."""
    names: dict[str, Any] = {"inf": inf, "sign": sign}
    lines = program.lines()
    exec("\n".join(lines), names)
    names["minimax"] = _memoized(names["minimax"])
    expression = lines[6].partition("=")[2]
    line_7: Callable[[GameNode], float] = eval(f"lambda child: {expression}", names)
    return line_7


def _memoized(search: Callable[[GameNode], float]) -> Callable[[GameNode], float]:
    """Return a search that remembers the value of each node.

    functools.cache would also keep a tuple for each node, and all 108 programs would take 6 s
    instead of 3.
    """
    values: dict[GameNode, float] = {}

    def minimax(node: GameNode) -> float:
        if node not in values:
            values[node] = search(node)
        return values[node]

    return minimax


@cache
def programs() -> tuple[Program, ...]:
    """Return all 108 programs, those with the fewest wrong pieces first."""
    all_pieces = product(*(range(len(pieces)) for pieces in GAPS.values()))
    return tuple(sorted(map(Program, all_pieces), key=lambda program: len(program.mistakes())))


def parse_program(code: str) -> Program:
    """Parse the code of a program, such as `02111`. Raises ValueError if no program has it."""
    for program in programs():
        if program.code == code:
            return program
    raise ValueError("a program is five digits, one for the piece in each gap")


# The games of a program


class ProgramGame(NamedTuple):
    """A game of a program.

    In a lost game, the last blunder is the move that lost it: every board after it is lost.
    """

    mark: Mark  # of the program
    moves: tuple[Square, ...] = ()
    blunder_index: int = -1  # in `moves`, of the program's last blunder; -1 if there was none
    winner: Mark | None = None

    @property
    def blunder_position(self) -> Position:
        """The board before the last blunder."""
        return Position().after(self.moves[: self.blunder_index])


class Report(NamedTuple):
    """The results of a program against every way to play, as X and as O."""

    game_count: int
    loss_count: int
    draw_count: int
    shortest_loss: ProgramGame | None  # of equally short ones, the first: X before O

    @property
    def win_count(self) -> int:
        """The number of games won."""
        return self.game_count - self.draw_count - self.loss_count


@cache
def report_on(program: Program) -> Report:
    """Return the results of a program against every way to play; the first call takes 60 ms."""
    choose = cache(program.choose)
    games = [game for mark in OTHER for game in _games(choose, ProgramGame(mark), Position())]
    lost = [game for game in games if game.winner == OTHER[game.mark]]
    return Report(
        game_count=len(games),
        loss_count=len(lost),
        draw_count=sum(game.winner is None for game in games),
        shortest_loss=min(lost, key=lambda game: len(game.moves), default=None),
    )


def _games(
    choose: Callable[[Position], Square], game: ProgramGame, position: Position
) -> Iterator[ProgramGame]:
    """Yield each way a game can continue from a position, in square order."""
    if outcome := position.outcome():
        yield game._replace(winner=outcome.winner)
        return
    if position.turn == game.mark:
        chosen_square = choose(position)
        squares: tuple[Square, ...] = (chosen_square,)
        if is_blunder(position, chosen_square):
            game = game._replace(blunder_index=len(game.moves))
    else:
        squares = position.legal_moves()
    for square in squares:
        longer_game = game._replace(moves=(*game.moves, square))
        yield from _games(choose, longer_game, position.play(square))


def is_blunder(position: Position, square: Square) -> bool:
    """Return whether a move turns a win into a draw or a loss, or a draw into a loss."""
    return sign(analyze(position)[square]) < sign(score(position))
