"""Players to compare with: each takes a position and returns the square it plays."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.position import Position, Square

Peer = Callable[[Position], Square]


def ours() -> Peer:
    """Return this project's perfect player, which searches only as far as a reply needs."""
    from engine.players import perfect_move

    rng = Random(0)
    return lambda position: perfect_move(position, rng)


def plain_minimax() -> Peer:
    """Return a plain minimax player: no memo, no pruning, and scores of 1, 0 and -1."""

    def value(position: Position) -> int:
        if outcome := position.outcome():
            return -1 if outcome.winner else 0
        return max(-value(child) for child in position.children().values())

    def play(position: Position) -> Square:
        children = position.children()
        return max(children, key=lambda square: -value(children[square]))

    return play


def easyai_negamax_6() -> Peer:
    """Return easyAI's Negamax at depth 6, as in its documentation, with its own tic-tac-toe."""
    from easyAI import AI_Player, Negamax
    from easyAI.games import TicTacToe

    search = Negamax(6)
    game = TicTacToe([AI_Player(search), AI_Player(search)])

    def play(position: Position) -> Square:
        numbers = {None: 0, "X": 1, "O": 2}
        game.board = [numbers[position.mark_at(square)] for square in range(9)]
        game.current_player = numbers[position.turn]
        return int(search(game)) - 1

    return play


def openspiel_alpha_beta() -> Peer:
    """Return OpenSpiel's alpha-beta search, without a depth limit."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = pyspiel.load_game("tic_tac_toe")

    def play(position: Position) -> Square:
        state = _state(game, position)
        player = state.current_player()
        _, action = alpha_beta_search(game, state=state, maximizing_player_id=player)
        return int(action)

    return play


def openspiel_minimax_solver() -> Peer:
    """Return OpenSpiel's MinimaxSolver, which solves every position before it plays."""
    import pyspiel
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    game = pyspiel.load_game("tic_tac_toe")
    solver = MinimaxSolver("tic_tac_toe")
    solver.solve()

    def play(position: Position) -> Square:
        state = _state(game, position)
        values = solver.action_values_from_state(state)
        return int(max(state.legal_actions(), key=lambda action: values[action]))

    return play


def _state(game: Any, position: Position) -> Any:
    """Return a position as OpenSpiel's state: its marks placed in alternation, in any order."""
    marks = {mark: [s for s in range(9) if position.mark_at(s) == mark] for mark in ("X", "O")}
    state = game.new_initial_state()
    for ply in range(position.ply):
        state.apply_action(marks["XO"[ply % 2]][ply // 2])
    return state


OURS, REFERENCE = "this engine", "OpenSpiel, alpha-beta"
PEERS: dict[str, Callable[[], Peer]] = {
    OURS: ours,
    "plain minimax": plain_minimax,
    "easyAI, Negamax 6": easyai_negamax_6,
    REFERENCE: openspiel_alpha_beta,
    "OpenSpiel, MinimaxSolver": openspiel_minimax_solver,
}
