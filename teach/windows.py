"""The windows of alpha-beta, from α to β, with which it enters each node."""

from __future__ import annotations

from collections.abc import Mapping

from teach.scenes import format_value
from teach.searches import ENTERED, Frame, run
from teach.trees import Node, Path


def entry_windows(root: Node) -> Mapping[Path, Frame]:
    """Return the frame, and so the window, with which alpha-beta enters each node.

    Pruned nodes are missing.
    """
    steps = run(root, "alpha-beta").steps
    return {step.path: step.after for step in steps if step.kind in ENTERED}


def format_window(frame: Frame, in_number_tree: bool = True) -> str:
    """Format the window in a frame; in a tree of boards, positive numbers have a plus sign.

    >>> format_window(Frame(best=3, alpha=3))
    '[3, +∞]'
    """
    alpha = format_value(frame.alpha, in_number_tree)
    beta = format_value(frame.beta, in_number_tree)
    return f"[{alpha}, {beta}]"
