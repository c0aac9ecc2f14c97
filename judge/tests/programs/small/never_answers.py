from signal import pause


def best_move(b):
    while True: pause()
