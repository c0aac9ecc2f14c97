board = [1, 2, 3, 4, 5, 6, 7, 8, 9]
marks = 'X', 'O'
for n in range(9):
    x = input()
