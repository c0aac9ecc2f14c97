"""Puzzles: the questions, and how presses are judged."""
