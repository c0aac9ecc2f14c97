/* Perfect, in C. */
#include <stdio.h>
#include <string.h>

static const int ROWS[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                               {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

static char winner(const char *board) {
    for (int row = 0; row < 8; row++) {
        char mark = board[ROWS[row][0]];
        if (mark != '-' && mark == board[ROWS[row][1]] && mark == board[ROWS[row][2]]) return mark;
    }
    return '-';
}

static char turn(const char *board) {
    int marks = 0;
    for (int square = 0; square < 9; square++) marks += board[square] != '-';
    return marks % 2 ? 'O' : 'X';
}

static int minimax(char *board, char me, int turns, int *move) {
    char won = winner(board), mark = turn(board);
    if (won != '-') return won == me ? 10 - turns : turns - 10;
    if (!strchr(board, '-')) return 0;
    int best = mark == me ? -99 : 99;
    for (int square = 0, below; square < 9; square++) {
        if (board[square] != '-') continue;
        board[square] = mark;
        int value = minimax(board, me, turns + 1, &below);
        board[square] = '-';
        if (mark == me ? value > best : value < best) best = value, *move = square;
    }
    return best;
}

static int choose(char *board) {
    int move = -1;
    minimax(board, turn(board), 0, &move);
    return move;
}

int main(void) {
    char board[10];
    while (scanf("%9s", board) == 1) {
        printf("%d\n", choose(board));
        fflush(stdout); /* or the answer waits until the input is closed */
    }
}
