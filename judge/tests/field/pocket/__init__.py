"""A pocket tic-tac-toe."""
