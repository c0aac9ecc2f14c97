"""The windows of alpha-beta, from α to β, with which it enters each node."""

from __future__ import annotations

from collections.abc import Mapping

from teach.scenes import format_value
from teach.searches import ENTERED, Frame, run
from teach.trees import Node, Path


def entry_windows(root: Node) -> Mapping[Path, Frame]:
    """Return the window with which alpha-beta enters each node; pruned nodes are missing."""
    return {step.path: step.after for step in run(root, "alpha-beta").steps if step.kind in ENTERED}


def format_window(frame: Frame, in_number_tree: bool = True) -> str:
    """Format the window of a node; in a tree of boards, positive numbers have a plus sign.

    >>> format_window(Frame(best=3, alpha=3))
    '[3, +∞]'
    """
    return (
        f"[{format_value(frame.alpha, in_number_tree)}, {format_value(frame.beta, in_number_tree)}]"
    )
