grid = list('123456789')


def move(): pass


def ai_move():
    return next(s for s in grid if s not in 'XO')
