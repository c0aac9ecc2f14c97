class A:
    def get_move(self, b): return 99
