from kylie_state import SmartComputerPlayer, TicTacToe


def choose(board):
    game = TicTacToe()
    game.board = [" " if mark == "-" else mark for mark in board]
    mark = "X" if board.count("X") == board.count("O") else "O"
    return SmartComputerPlayer(mark).get_move(game)
