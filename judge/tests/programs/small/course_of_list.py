def initial_state(): return [None] * 9


def player(board, action=0): return board.index(None)


def actions(board, action=0): return board.index(None)


def result(board, action=0): return board.index(None)


def winner(board, action=0): return board.index(None)


def terminal(board, action=0): return board.index(None)


def utility(board, action=0): return board.index(None)


def minimax(board, action=0): return board.index(None)
