from right_random_ties import Bot, Game


def choose(board):
    game = Game()
    cells = [" " if mark == "-" else mark for mark in board]
    game.state = [cells[:3], cells[3:6], cells[6:]]
    game.turn = "X" if board.count("X") == board.count("O") else "O"
    row, column = Bot(game).pick()
    return 3 * row + column
