def main():
    size = input("Size? ")
    grid = [["-", "-", "-"], ["-", "-", "-"], ["-", "-", "-"]]
    while any("-" in row for row in grid):
        free = [(r, c) for r in range(3) for c in range(3) if grid[r][c] == "-"]
        grid[free[0][0]][free[0][1]] = "X"
        row, column = map(int, input("Row, column? ").split(","))
        grid[row][column] = "O"


if __name__ == "__main__":
    main()
