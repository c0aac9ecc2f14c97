def next_move(board):
    i = board.index('.')
    return board[:i] + ['O' if board.count('X') > board.count('O') else 'X'] + board[i + 1:]
