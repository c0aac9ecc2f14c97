import sys
import pygame

pygame.init()
screen = pygame.display.set_mode((300, 300))

board = [["-", "-", "-"], ["-", "-", "-"], ["-", "-", "-"]]
PLAYER = "X"
AI = "O"


def draw():
    screen.fill((255, 255, 255))
    for i in (100, 200):
        pygame.draw.line(screen, (0, 0, 0), (i, 0), (i, 300))
        pygame.draw.line(screen, (0, 0, 0), (0, i), (300, i))
    pygame.display.flip()


def winner():
    for i in range(3):
        if board[i][0] == board[i][1] == board[i][2] != "-":
            return board[i][0]
        if board[0][i] == board[1][i] == board[2][i] != "-":
            return board[0][i]
    if board[0][0] == board[1][1] == board[2][2] != "-":
        return board[0][0]
    if board[0][2] == board[1][1] == board[2][0] != "-":
        return board[0][2]
    return None


def full():
    return all(cell != "-" for row in board for cell in row)


def minimax(is_ai):
    if winner() == AI:
        return 1
    if winner() == PLAYER:
        return -1
    if full():
        return 0
    best = -2 if is_ai else 2
    for r in range(3):
        for c in range(3):
            if board[r][c] == "-":
                board[r][c] = AI if is_ai else PLAYER
                score = minimax(not is_ai)
                board[r][c] = "-"
                best = max(best, score) if is_ai else min(best, score)
    return best


def ai_move():
    best, where = -2, None
    for r in range(3):
        for c in range(3):
            if board[r][c] == "-":
                board[r][c] = AI
                score = minimax(False)
                board[r][c] = "-"
                if score > best:
                    best, where = score, (r, c)
    if where:
        board[where[0]][where[1]] = AI


running = True
while running:
    for event in pygame.event.get():
        if event.type == pygame.QUIT:
            running = False
        elif event.type == pygame.MOUSEBUTTONDOWN:
            c, r = event.pos[0] // 100, event.pos[1] // 100
            if board[r][c] == "-":
                board[r][c] = PLAYER
                if not winner() and not full():
                    ai_move()
    draw()
pygame.quit()
sys.exit()
