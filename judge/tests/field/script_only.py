import random
b = ["-"] * 9
turn = "X"
while "-" in b:
    print(b[0:3]); print(b[3:6]); print(b[6:9])
    if turn == "X":
        i = int(input("where? "))
    else:
        i = random.choice([n for n in range(9) if b[n] == "-"])
    b[i] = turn
    turn = "O" if turn == "X" else "X"
