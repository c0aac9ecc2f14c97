"""Puzzles: the questions, and how guesses are judged."""
