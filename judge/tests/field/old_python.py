def best_move(board):
    print "thinking..."
    return board.index(" ")

if __name__ == "__main__":
    print best_move([" "] * 9)
