from enum_player import Board, Player, best_move


def choose(text):
    board = Board()
    board.cells = [{"X": Player.X, "O": Player.O, "-": None}[mark] for mark in text]
    return best_move(board, Player.X if text.count("X") == text.count("O") else Player.O)
