"""The Search view: a search step by step, of the tree below a board or of a tree of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any
from urllib.parse import parse_qsl

from flask import abort
from werkzeug.datastructures import MultiDict

from engine.notation import to_digits
from engine.position import Square
from engine.search import WIN
from teach import estimates
from teach.estimates import OpenLines, open_lines
from teach.markings import DrawnTree
from teach.numbers import node_names
from teach.scenes import NodeSummary, Scene, format_value, summarize
from teach.searches import ALGORITHMS, ENTERED, RETURNED, Algorithm, Run, code_lines, run
from teach.trees import ORDERS, Node, Order, Path, is_small
from teach.watch import SearchState, press_steps, state_after
from web.http.forms import get_capped_number, get_choice, get_single
from web.study import words
from web.study.searchable import CHOICES, MIRRORS, Searchable, SearchSettings
from web.view.mistakes import at
from web.view.return_links import has_introduced_cutoffs
from web.view.trees import MAX_LEAVES_WITHOUT_CODE, MAX_PROJECTED_LEAVES, TreeLayout, search_tree

LAST = "last"  # in an address, in place of the number of the last step


def parse_settings(subject: Searchable, args: MultiDict[str, str]) -> SearchSettings:
    """Parse the settings of a search; an invalid one gets a 400 page."""
    board = subject.board
    has_depth_limit = board is not None and ("depth" in args or not is_small(board))
    choices = dict(CHOICES)
    if board:
        # With a depth limit, mirror images are merged by default, as the tree can then be deeper.
        choices["mirrors"] = MIRRORS[::-1] if has_depth_limit else MIRRORS
    defaults: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for name, values in choices.items():
        defaults[name] = values[0]
        settings[name] = get_choice(args, name, tuple(filter(None, values))) or values[0]
    if board and has_depth_limit:
        depths = estimates.drawable_depths(board, settings["mirrors"] == "merged")
        settings["depth"] = get_depth(args, depths)
        defaults["depth"] = None if is_small(board) else depths[-1]
    return SearchSettings(**settings, defaults=defaults)


def get_depth(args: MultiDict[str, str], drawable_depths: range) -> int:
    """Return the depth limit, by default the largest that can be drawn; refuse any other value."""
    text = get_single(args, "depth")
    if text is None:
        return drawable_depths[-1]
    if text not in map(str, drawable_depths):
        depths = " or ".join(map(str, drawable_depths))
        limit = f"at most {estimates.MAX_NODES} boards, {estimates.MAX_LEAVES} at the end"
        abort(400, f"From this board, depth {depths} can be drawn: {limit}.")
    return int(text)


@dataclass(frozen=True)
class SearchPage:
    """A search as its page shows it."""

    subject: Searchable  # what is searched
    settings: SearchSettings
    run: Run
    state: SearchState  # after the step in view
    scene: Scene
    url: Callable[..., str]  # returns the address of a step, with changes to the settings
    pressed_path: Path | None  # of the node that was clicked, once the search is over
    has_open_settings: bool

    @property
    def step(self) -> int:
        """The number of the step in view."""
        return self.state.step_count

    @property
    def step_count(self) -> int:
        """The number of steps of the search."""
        return len(self.run.steps)

    @property
    def url_for_others(self) -> str:
        """The address of the page for other readers, without this reader's game or question."""
        path = None if self.pressed_path is None else to_digits(self.pressed_path)
        return url_builder(self.subject.for_others, self.settings)(self.step, path)

    @property
    def is_last(self) -> bool:
        """Whether the search is over: its final step is in view."""
        return self.step == self.step_count

    @cached_property
    def node_in_view(self) -> Node:
        """The node in view."""
        return self.run.root.at(self.scene.path_in_view)

    @property
    def parent(self) -> Node | None:
        """The parent of the node in view, or None for the root."""
        return self.run.root.at(self.scene.path_in_view[:-1]) if self.scene.path_in_view else None

    @property
    def node_sentences(self) -> str:
        """The sentences about the node that was clicked, in a tree of boards."""
        summary = summarize(self.run.root, self.scene.path_in_view)
        scoring = None if self.settings.depth else self.settings.scoring
        return words.node_sentences(summary, self.node_in_view, scoring)

    @property
    def code(self) -> tuple[str, ...]:
        """The lines of code of the algorithm."""
        return code_lines(self.run.algorithm)

    @property
    def last_line_numbers(self) -> tuple[int, ...]:
        """The numbers of the lines of code that ran last; empty once a node was clicked."""
        return self.state.line_numbers if self.pressed_path is None else ()

    @property
    def is_cutoff_too_late(self) -> bool:
        """Whether the value of a last child has just made α ≥ β, so no child is left to prune."""
        step = self.state.last_step
        if not step or step.kind not in RETURNED or step.after.alpha < step.after.beta:
            return False
        return step.path == self.run.root.at(step.stack_top).below[-1].path

    @property
    def explains_choice(self) -> bool:
        """Whether the sentence about the step also says which side picks which value.

        It does so for the first two steps that enter an inner node, and the first two in which a
        returned value is better or worse than the best so far.
        """
        step = self.state.last_step
        kinds = ("enter",) if step and step.kind == "enter" else ("better", "no better")
        return sum(step.kind in kinds for step in self.run.steps[: self.step]) <= 2

    @cached_property
    def urls(self) -> dict[Path, str]:
        """The address that a click on each node leads to: its step, or at the end its value."""
        if self.is_last:
            nodes = self.run.root.walk()
            return {node.path: self.url(step=LAST, path=node.digits or None) for node in nodes}
        steps = press_steps(self.run, self.step)
        return {path: self.url(step=step) for path, step in steps.items()}

    @property
    def names(self) -> Mapping[Path, str] | None:
        """The names of the nodes of a tree of numbers, or None for boards, which have no names."""
        return node_names(self.run.root) if self.scene.is_number_tree else None

    @cached_property
    def tree(self) -> DrawnTree:
        """The tree as it is drawn."""
        drawn = search_tree(self.scene, self.urls, self._cutoff_source, self._changed_paths)
        has_full_width = self.settings.big == "tree"
        return replace(drawn, shows_triangles=self.may_name_cutoffs, has_full_width=has_full_width)

    @property
    def _cutoff_source(self) -> Path | None:
        """The node that justifies the cutoff in view, or None if there is no cutoff.

        In a tree of numbers, it is the node that the bound came from; in a tree of boards, it is
        the parent of that node, which shows the bound as its value.
        """
        step = self.state.last_step
        if not step or step.kind != "cut":
            return None
        return step.bound_source if self.scene.is_number_tree else step.bound_source[:-1]

    @property
    def _changed_paths(self) -> tuple[Path, ...]:
        """The nodes that the last step changed; empty once a node was clicked."""
        step = self.state.last_step
        if not step or self.pressed_path is not None:
            return ()
        if step.kind in RETURNED:
            return (step.path,)
        if step.kind == "cut":
            return tuple(step.pruned_paths)
        return self.scene.best_line[1:] if step.kind == "end" else ()

    @property
    def layout(self) -> TreeLayout:
        """The layout of the tree."""
        return TreeLayout(self.tree)

    @property
    def max_projected_leaves(self) -> int:
        """The most leaves that can be read from the back row in the projector view.

        A tree of numbers can have more if it is projected without the code. The ordinary page links
        to the view without the code if the tree is too large to have the code beside it.
        """
        can_omit_code = self.scene.is_number_tree and self.settings.big != "on"
        return MAX_LEAVES_WITHOUT_CODE if can_omit_code else MAX_PROJECTED_LEAVES

    @property
    def projector_view(self) -> str:
        """The value of `big` in the link to the projector view; "tree" leaves the code out."""
        is_large = len(self.run.root.leaves) > MAX_PROJECTED_LEAVES
        return "tree" if self.scene.is_number_tree and is_large else "on"

    @staticmethod
    def reply_place(square: Square) -> str:
        """Return where a reply goes, to follow "replies": "top left", "in the center"."""
        return at(square).removeprefix("at ")

    @property
    def local_tree(self) -> DrawnTree:
        """The node in view with its children, for a phone, which has no room for more."""
        return replace(self.tree, root=self.node_in_view, pictured_paths=None, drawn_level_count=1)

    @property
    def slider_form(self) -> dict[str, Any]:
        """The address of the slider's form, and its hidden fields."""
        path, _, query = self.url().partition("?")
        return {"path": path, "fields": parse_qsl(query)}

    @property
    def may_name_cutoffs(self) -> bool:
        """Whether the page may mention alpha-beta and show ▲.

        False only for a reader who comes from a screen of the lesson before the one on cutoffs.
        """
        screen_and_state = self.subject.lesson
        return screen_and_state is None or has_introduced_cutoffs(screen_and_state)

    @property
    def other_algorithm(self) -> Algorithm:
        """The name of the other algorithm."""
        (other,) = (name for name in ALGORITHMS if name != self.run.algorithm)
        return other

    @property
    def node_counts(self) -> dict[str, int]:
        """The number of nodes that each algorithm enters."""
        other_run = run(self.run.root, self.other_algorithm)
        return {
            self.run.algorithm: entered_count(self.run),
            other_run.algorithm: entered_count(other_run),
        }

    @cached_property
    def best_order(self) -> tuple[int, Order]:
        """The lowest number of nodes that alpha-beta enters in any order, and that order."""
        roots = ((self.subject.root(self.settings, order), order) for order in ORDERS)
        return min((entered_count(run(root, "alpha-beta")), order) for root, order in roots)

    @property
    def root_summary(self) -> NodeSummary:
        """What the tree says about the root."""
        return summarize(self.run.root, ())

    @property
    def has_fastest_win(self) -> bool:
        """Whether the root is won, and the search counts turns, so that faster wins are better."""
        if self.scene.is_number_tree or self.settings.depth or self.settings.scoring == "flat":
            return False
        return self.root_summary.score > 0

    @property
    def has_later_wins(self) -> bool:
        """Whether the root has winning moves that take longer than the fastest."""
        root = self.root_summary
        return self.has_fastest_win and len(root.decisive_moves) > len(root.best_moves)

    @property
    def has_many_pruned_moves(self) -> bool:
        """Whether the step in view pruned too many moves for its sentence to name."""
        step = self.state.last_step
        is_tie = step is not None and step.value == step.bound_value  # it takes more words
        return step is not None and len(step.pruned_moves) > (1 if is_tie else 4)

    @property
    def win_score(self) -> int:
        """The score of a win, before the turns are subtracted."""
        return estimates.WIN_VALUE if self.settings.depth else WIN

    @property
    def is_estimated(self) -> bool:
        """Whether the node in view is a board at the depth limit."""
        return self.node_in_view.over and self.node_in_view.hits_depth_limit

    @property
    def estimate_count(self) -> int:
        """The number of boards estimated so far."""
        return sum(
            self.run.root.at(step.path).hits_depth_limit
            for step in self.run.steps[: self.step]
            if step.kind == "leaf"
        )

    @property
    def ends_in_estimate(self) -> bool:
        """Whether the value found is an estimate, not a result."""
        return self.scene.is_estimate(self.run.root, self.run.value)

    def format_value(self, value: float, path: Path = ()) -> str:
        """Return a value of a node, by default of the root, as a sentence shows it."""
        node = self.run.root.at(path)
        return format_value(value, self.scene.is_number_tree, self.scene.is_estimate(node, value))

    @property
    def open_lines(self) -> dict[str, OpenLines]:
        """The open lines of each side on the board in view, by which the board is estimated."""
        return {mark: open_lines(self.node_in_view.position, mark) for mark in ("X", "O")}

    @property
    def drawable_depths(self) -> range:
        """The depth limits with which the tree can be drawn."""
        merges_symmetric = self.settings.mirrors == "merged"
        return estimates.drawable_depths(self.run.root.position, merges_symmetric)


def entered_count(run: Run) -> int:
    """Return the number of nodes that a search entered."""
    return sum(step.kind in ENTERED for step in run.steps)


def search_view(subject: Searchable, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template for a search, and its values."""
    settings = parse_settings(subject, args)
    search_run = run(subject.root(settings, settings.order), settings.algorithm)
    step_count = len(search_run.steps)
    is_last = get_single(args, "step") == LAST
    step = step_count if is_last else get_capped_number(args, "step", step_count, 0)
    state = state_after(search_run, step)
    pressed_path = parse_path(get_single(args, "path"), search_run.root, is_over=step == step_count)
    scene = state.scene if pressed_path is None else state.scene._replace(path_in_view=pressed_path)
    return "study/search.html", {
        "page": SearchPage(
            subject=subject,
            settings=settings,
            run=search_run,
            state=state,
            scene=scene,
            url=url_builder(subject, settings),
            pressed_path=pressed_path,
            has_open_settings=bool(get_choice(args, "settings", ("open",))),
        ),
    }


def parse_path(digits: str | None, root: Node, is_over: bool) -> Path | None:
    """Parse the path of the node that was clicked; refuse an unknown one, or any before the end."""
    if digits is None:
        return None
    paths_by_digits = {node.digits: node.path for node in root.walk()} if is_over else {}
    if digits not in paths_by_digits:
        abort(400, "path must lead to a node of this tree, at the last step.")
    return paths_by_digits[digits]


def url_builder(subject: Searchable, settings: SearchSettings) -> Callable[..., str]:
    """Return a function that returns the address of a step, with changes to the settings."""

    @cache  # most links of a page differ only in their step
    def base_url(**changes: object) -> str:
        return subject.url(**settings.query(**changes))

    def url(step: int | str | None = None, path: str | None = None, **changes: object) -> str:
        step_part = f"&step={step}" if step else ""
        return base_url(**changes) + step_part + (f"&path={path}" if path else "")

    return url
