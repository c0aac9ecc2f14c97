"""The engines that are compared, ours among them, each with a function that sets it up.

An engine is imported only when it is set up, so that its first reply includes the import.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.position import SQUARES_IN, Position, Square

# An engine takes a position and returns the square that it plays.
Engine = Callable[[Position], Square]


def ours() -> Engine:
    """Return this project's perfect player, which searches only as far as a reply needs."""
    from engine.players import perfect_move

    rng = Random(0)
    return lambda position: perfect_move(position, rng)


def plain_minimax() -> Engine:
    """Return plain minimax: without a memo or pruning, and with scores of 1, 0 and -1."""

    def value(position: Position) -> int:
        if outcome := position.outcome():
            return -1 if outcome.winner else 0
        return max(-value(child) for child in position.children().values())

    def play(position: Position) -> Square:
        children = position.children()
        return max(children, key=lambda square: -value(children[square]))

    return play


def easyai_negamax_6() -> Engine:
    """Return easyAI's Negamax at depth 6, as in its documentation, with its own tic-tac-toe."""
    from easyAI import AI_Player, Negamax
    from easyAI.games import TicTacToe

    search = Negamax(6)
    game = TicTacToe([AI_Player(search), AI_Player(search)])

    def play(position: Position) -> Square:
        players = {None: 0, "X": 1, "O": 2}
        game.board = [players[position.mark_at(square)] for square in range(9)]
        game.current_player = players[position.turn]
        return int(search(game)) - 1  # easyAI numbers the squares from 1

    return play


def openspiel_alpha_beta() -> Engine:
    """Return OpenSpiel's alpha-beta search, without a depth limit."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = pyspiel.load_game("tic_tac_toe")

    def play(position: Position) -> Square:
        state = _openspiel_state(game, position)
        player = state.current_player()
        _, action = alpha_beta_search(game, state=state, maximizing_player_id=player)
        return int(action)

    return play


def openspiel_minimax_solver() -> Engine:
    """Return OpenSpiel's MinimaxSolver, which solves every position before it plays."""
    import pyspiel
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    game = pyspiel.load_game("tic_tac_toe")
    solver = MinimaxSolver("tic_tac_toe")
    solver.solve()

    def play(position: Position) -> Square:
        state = _openspiel_state(game, position)
        values = solver.action_values_from_state(state)
        return int(max(state.legal_actions(), key=lambda action: values[action]))

    return play


def _openspiel_state(game: Any, position: Position) -> Any:
    """Return a position as a state of OpenSpiel.

    A state is reached by moves, whose order makes no difference as long as X and O take turns.
    """
    x_squares, o_squares = SQUARES_IN[position.x], SQUARES_IN[position.o]
    state = game.new_initial_state()
    for ply in range(position.ply):
        state.apply_action((x_squares, o_squares)[ply % 2][ply // 2])
    return state


OURS = "this engine"
REFERENCE = "OpenSpiel, alpha-beta"  # the engine whose first reply is compared with ours
ENGINES: dict[str, Callable[[], Engine]] = {
    OURS: ours,
    "plain minimax": plain_minimax,
    "easyAI, Negamax 6": easyai_negamax_6,
    REFERENCE: openspiel_alpha_beta,
    "OpenSpiel, MinimaxSolver": openspiel_minimax_solver,
}
