"""The positions there are: all, those that go on, and of each eight images one."""

from itertools import islice

from engine.symmetry import canonical, reachable

# A few more than there are, so that a broken rule fails and does not go on for ever.
EVERY = list(islice(reachable(), 6000))
UNFINISHED = [position for position in EVERY if not position.outcome()]
DIFFERENT = [position for position in EVERY if position == canonical(position)]
TO_PLAY = [position for position in DIFFERENT if not position.outcome()]
