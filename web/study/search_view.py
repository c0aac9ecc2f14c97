"""The search of any tree, step by step: of a board, of a board cut off, of one's own values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any
from urllib.parse import parse_qsl

from flask import abort
from werkzeug.datastructures import MultiDict

from engine.notation import to_digits
from engine.search import WIN
from teach import estimates
from teach.estimates import OpenLines, open_lines
from teach.marks import Tree
from teach.numbers import node_names
from teach.scenes import NodeSummary, Scene, format_value, summarize
from teach.searches import ALGORITHMS, BACK, ENTERED, Algorithm, Run, code, run
from teach.trees import ORDERS, Node, Order, Path, is_small
from teach.watch import SearchState, presses, state_after
from web.http.forms import get_capped_number, get_choice, get_single
from web.study.searchable import CHOICES, MIRRORS, TOPS, Searchable, SearchSettings
from web.view.return_links import names_cuts
from web.view.trees import MOST_FROM_AFAR, TreeLayout, searched

LAST = "last"  # as a step in an address, the last


def settings_of(place: Searchable, args: MultiDict[str, str]) -> SearchSettings:
    """Read the settings of a search; refuse nonsense with a 400 page."""
    choices, is_cut, board = dict(CHOICES), False, place.board
    if board:
        is_cut = "depth" in args or not is_small(board)
        tops = TOPS if place.plus == board.turn else TOPS[::-1]
        choices |= {"mirrors": MIRRORS[::-1] if is_cut else MIRRORS, "top": tops}
    usual: dict[str, Any] = {name: offered[0] for name, offered in choices.items()}
    values: dict[str, Any] = {
        name: get_choice(args, name, tuple(filter(None, offered))) or usual[name]
        for name, offered in choices.items()
    }
    if board and is_cut:
        drawable = estimates.drawable_depths(board, values["mirrors"] == "merged")
        values["depth"] = depth_of(args, drawable)
        usual["depth"] = None if is_small(board) else drawable[-1]
    return SearchSettings(**values, usual=usual)


def depth_of(args: MultiDict[str, str], drawable: range) -> int:
    """Return the depth asked for, the largest that can be drawn if none; refuse one too large."""
    given = get_single(args, "depth")
    if given is None:
        return drawable[-1]
    if given not in map(str, drawable):
        can = " or ".join(map(str, drawable))
        abort(400, f"From this board, depth {can} can be drawn: at most 90 boards, 40 at the end.")
    return int(given)


@dataclass(frozen=True)
class Watched:
    """Hold a search as a page shows it: the run, how far it is, and where links lead.

    At the last step each node can be pressed, and `at` is the path pressed, None without.
    """

    place: Searchable
    settings: SearchSettings
    run: Run
    shown: SearchState
    scene: Scene
    to: Callable[..., str]
    at: Path | None
    settings_open: bool

    @property
    def step(self) -> int:
        """Count the steps done."""
        return self.shown.step

    @property
    def last(self) -> int:
        """Count the steps there are."""
        return len(self.run.steps)

    @property
    def for_others(self) -> str:
        """Return the address of the page for whoever did not come by a game or a question."""
        path = None if self.at is None else to_digits(self.at)
        return addresses(self.place.for_others, self.settings)(self.step, path)

    @property
    def is_last(self) -> bool:
        """Say whether the search is over."""
        return self.step == self.last

    @cached_property
    def here(self) -> Node:
        """Return the node in view."""
        return self.run.root.at(self.scene.here)

    @property
    def above(self) -> Node | None:
        """Return the node above, None at the root."""
        return self.run.root.at(self.scene.here[:-1]) if self.scene.here else None

    @property
    def told(self) -> NodeSummary:
        """Return what there is to say of the node that was pressed."""
        return summarize(self.run.root, self.scene.here)

    @property
    def code(self) -> tuple[str, ...]:
        """Return the lines that run."""
        return code(self.run.algorithm)

    @property
    def lines(self) -> tuple[int, ...]:
        """Return the lines that ran last; none where a node was pressed, as it was long before."""
        return self.shown.lines if self.at is None else ()

    @property
    def is_closed(self) -> bool:
        """Say whether the value that came back closed the window of a node with no child left."""
        last = self.shown.last
        if not last or last.kind not in BACK or last.after.alpha < last.after.beta:
            return False
        return last.path == self.run.root.at(last.here).below[-1].path

    @cached_property
    def urls(self) -> dict[Path, str]:
        """Return where a press on each node leads: to its step, at the end to its value."""
        if self.is_last:
            nodes = self.run.root.walk()
            return {n.path: self.to(step=LAST, path=n.digits or None) for n in nodes}
        return {path: self.to(step=n) for path, n in presses(self.run, self.step).items()}

    @property
    def names(self) -> Mapping[Path, str] | None:
        """Return what the nodes of a tree of numbers are called; boards have no names."""
        return node_names(self.run.root) if self.scene.is_own else None

    @cached_property
    def tree(self) -> Tree:
        """Return the tree as it is drawn."""
        last, lit, new = self.shown.last, None, list[Path]()
        if last and self.at is None:
            changed = {"cut": last.left_out, "end": self.scene.line[1:]}
            new = [last.path] if last.kind in BACK else [*changed.get(last.kind, ())]
        if last and last.kind == "cut":
            lit = last.by if self.scene.is_own else last.by[:-1]
        drawn = searched(self.scene, self.urls, lit, new)
        return replace(drawn, pointed=self.cuts_are_named)

    @property
    def layout(self) -> TreeLayout:
        """The tree as it is laid out."""
        return TreeLayout(self.tree)

    @property
    def family(self) -> Tree:
        """Return the node in view and what is below, for a phone that has no room for more."""
        return replace(self.tree, root=self.here, open=None, deep=1)

    @property
    def form(self) -> dict[str, Any]:
        """Return the form of the slider: its address, and the fields it keeps."""
        path, _, query = self.to().partition("?")
        return {"path": path, "fields": parse_qsl(query)}

    @property
    def cuts_are_named(self) -> bool:
        """Say whether the lesson has named alpha-beta and ▲: before, neither is shown."""
        left = self.place.lesson
        return left is None or names_cuts(left)

    @property
    def other(self) -> Algorithm:
        """Name the other algorithm."""
        (other,) = (name for name in ALGORITHMS if name != self.run.algorithm)
        return other

    @property
    def total(self) -> dict[str, int]:
        """Count the nodes that each algorithm enters."""
        runs = (self.run, run(self.run.root, self.other))
        return {each.algorithm: entered(each) for each in runs}

    @cached_property
    def best_order(self) -> tuple[int, Order]:
        """Return the fewest nodes that alpha-beta enters in any order offered, and the order."""
        roots = ((self.place.root(self.settings, order), order) for order in ORDERS)
        return min((entered(run(root, "alpha-beta")), order) for root, order in roots)

    @property
    def told_root(self) -> NodeSummary:
        """Return what there is to say of the board that is decided."""
        return summarize(self.run.root, ())

    @property
    def counts_wins(self) -> bool:
        """Say whether the board decided is won, and turns are counted to the ends."""
        if self.scene.is_own or self.settings.depth or self.settings.scoring == "flat":
            return False
        return self.told_root.score > 0

    @property
    def has_later_wins(self) -> bool:
        """Say whether moves win there that are not the soonest."""
        return self.counts_wins and len(self.told_root.holding) > len(self.told_root.best)

    @property
    def cuts_many(self) -> bool:
        """Say whether the last step cut more squares than are named; a tie has longer words."""
        last = self.shown.last
        return last is not None and len(last.rest) > (2 if last.value == last.against else 4)

    @property
    def win(self) -> int:
        """Return what a win counts, from which each turn takes one."""
        return estimates.WON if self.settings.depth else WIN

    @property
    def is_estimated(self) -> bool:
        """Whether the node in view is a board at the depth limit."""
        return self.here.over and self.here.is_cut_off

    @property
    def estimates(self) -> int:
        """The number of boards estimated so far."""
        ends = [step.path for step in self.run.steps[: self.step] if step.kind == "leaf"]
        return sum(self.run.root.at(path).is_cut_off for path in ends)

    @property
    def ends_in_estimate(self) -> bool:
        """Whether the value found is an estimate, not a result."""
        return self.scene.is_estimate(self.run.root, self.run.value)

    def written(self, value: float, path: Path = ()) -> str:
        """Return a value of a node, at first of the root, as a sentence shows it."""
        node = self.run.root.at(path)
        return format_value(value, self.scene.is_own, self.scene.is_estimate(node, value))

    @property
    def lines_open(self) -> dict[str, OpenLines]:
        """The open lines of both sides on a board that is estimated."""
        return {mark: open_lines(self.here.position, mark) for mark in ("X", "O")}

    @property
    def depths(self) -> range:
        """Return the depths at which the board can be cut off and drawn."""
        merged = self.settings.mirrors == "merged"
        return estimates.drawable_depths(self.run.root.position, merged)


def entered(run: Run) -> int:
    """Count the nodes that a search entered."""
    return sum(step.kind in ENTERED for step in run.steps)


def search_view(place: Searchable, args: MultiDict[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the template that draws a search, and its values."""
    settings = settings_of(place, args)
    record = run(place.root(settings, settings.order), settings.algorithm)
    end = len(record.steps)
    step = end if get_single(args, "step") == LAST else get_capped_number(args, "step", end, 0)
    now = state_after(record, step)
    at = read_path(get_single(args, "path"), record.root, is_over=step == end)
    return "study/search.html", {
        "page": Watched(
            place=place,
            settings=settings,
            run=record,
            shown=now,
            scene=now.scene if at is None else now.scene._replace(here=at),
            to=addresses(place, settings),
            at=at,
            settings_open=bool(get_choice(args, "settings", ("open",))),
        ),
        "most_from_afar": MOST_FROM_AFAR,
    }


def read_path(digits: str | None, root: Node, is_over: bool) -> Path | None:
    """Return the path of the node pressed; refuse one that the tree has not, and one too early."""
    if digits is None:
        return None
    paths = {node.digits: node.path for node in root.walk()} if is_over else {}
    if digits not in paths:
        abort(400, "path leads to a node of this tree, at the last step.")
    return paths[digits]


def addresses(place: Searchable, settings: SearchSettings) -> Callable[..., str]:
    """Return what makes the addresses of a search: of a step, with changes to the settings."""

    @cache  # a page has some 40 links, all but 14 alike
    def before_step(**changes: object) -> str:
        return place.url(**settings.asked(**changes))

    def to(step: int | str | None = None, path: str | None = None, **changes: object) -> str:
        at = f"&step={step}" if step else ""
        return before_step(**changes) + at + (f"&path={path}" if path else "")

    return to
