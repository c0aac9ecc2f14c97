cells = {n: " " for n in range(1, 10)}
LINES = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)]


def line_of(mark):
    return any(all(cells[n] == mark for n in line) for line in LINES)


def open_cells():
    return [n for n in cells if cells[n] == " "]


def rate(mark, depth):
    if line_of("O"):
        return 10 - depth
    if line_of("X"):
        return depth - 10
    if not open_cells():
        return 0
    rates = []
    for n in open_cells():
        cells[n] = mark
        rates.append(rate("X" if mark == "O" else "O", depth + 1))
        cells[n] = " "
    return max(rates) if mark == "O" else min(rates)


def computer_turn():
    """Put an O."""
    rated = {}
    for n in open_cells():
        cells[n] = "O"
        rated[n] = rate("X", 1)
        cells[n] = " "
    cells[max(rated, key=rated.get)] = "O"


def main():
    while open_cells():
        cells[int(input("1-9: "))] = "X"
        computer_turn()
        print(cells)


if __name__ == "__main__":
    main()
