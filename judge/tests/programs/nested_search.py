class Engine:
    """Plays whichever side is to move; board is a list of lists with 'X', 'O' and None."""
    @staticmethod
    def win(b):
        for l in ([(0,0),(0,1),(0,2)],[(1,0),(1,1),(1,2)],[(2,0),(2,1),(2,2)],[(0,0),(1,0),(2,0)],[(0,1),(1,1),(2,1)],[(0,2),(1,2),(2,2)],[(0,0),(1,1),(2,2)],[(0,2),(1,1),(2,0)]):
            m = {b[r][c] for r, c in l}
            if len(m) == 1 and m != {None}:
                return m.pop()
    def find_best_move(self, board):
        n = sum(c is not None for r in board for c in r)
        me = "XO"[n % 2]
        def mm(n):
            w = self.win(board)
            if w: return 1 if w == me else -1
            if n == 9: return 0
            vals = []
            for r in range(3):
                for c in range(3):
                    if board[r][c] is None:
                        board[r][c] = "XO"[n % 2]
                        vals.append(mm(n + 1))
                        board[r][c] = None
            return min(vals) if "XO"[n % 2] == me else max(vals)
        best, mv = -2, None
        for r in range(3):
            for c in range(3):
                if board[r][c] is None:
                    board[r][c] = me
                    v = mm(n + 1)
                    board[r][c] = None
                    if v > best: best, mv = v, (r, c)
        return mv
