"""As in the textbook: utility(state, player), and other names."""
EMPTY = " "


def to_move(state):
    return "X" if state.count("X") == state.count("O") else "O"


def actions(state):
    return [i for i in range(9) if state[i] == EMPTY]


def result(state, a):
    return state[:a] + to_move(state) + state[a + 1:]


def utility(state, player):
    for i, j, k in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
        if state[i] != EMPTY and state[i] == state[j] == state[k]:
            return 1 if state[i] == player else -1
    return 0


def terminal_test(state):
    return utility(state, "X") != 0 or not actions(state)


def max_value(state, player):
    if terminal_test(state):
        return utility(state, player)
    return max(min_value(result(state, a), player) for a in actions(state))


def min_value(state, player):
    if terminal_test(state):
        return utility(state, player)
    return min(max_value(result(state, a), player) for a in actions(state))


def minimax_decision(state):
    player = to_move(state)
    return max(actions(state), key=lambda a: min_value(result(state, a), player))
