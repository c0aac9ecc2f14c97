def best_move(arr):
    return {'row': arr.index('_') // 3, 'col': arr.index('_') % 3}
