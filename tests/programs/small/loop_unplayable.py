board = [' '] * 9
marks = 'X', 'O'
for n in range(9):
    x = input()
