"""The tree: branches, values, alpha-beta and costs, against searches written a second time."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import inf

import pytest

from engine.position import IllegalMoveError, Position, reachable
from engine.symmetry import SYMMETRIES, canonical, image, relation
from engine.tree import (
    SCORINGS,
    VIEWS,
    Cut,
    Met,
    Path,
    Scoring,
    View,
    Visit,
    arrival,
    arrivals,
    branches,
    cards,
    choices,
    cost,
    follow,
    met_before,
    value,
    warm_up,
)
from tests import textbook

pytestmark = pytest.mark.long

EVERY = list(reachable())
UNFINISHED = [position for position in EVERY if not position.outcome()]
DIFFERENT = [position for position in EVERY if position == canonical(position)]
EMPTY = Position()

children = cache(textbook.children)


# The children of a position


def test_the_merged_view_has_the_known_number_of_boards_by_ply() -> None:
    counts = []
    level = {EMPTY}
    while level:
        counts.append(len({canonical(position) for position in level}))
        level = {b.position for position in level for b in branches(position, "merged")}
    assert counts == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]


def test_merged_branches_are_the_legal_moves_grouped_by_symmetry() -> None:
    for position in EVERY:
        found = branches(position, "merged")
        groups = [(branch.square, *branch.mirrors) for branch in found]
        assert sorted(sum(groups, ())) == list(position.legal_moves())
        assert [group[0] for group in groups] == sorted(min(group) for group in groups)
        assert len({canonical(branch.position) for branch in found}) == len(found)
        for branch in found:
            assert branch.position == position.play(branch.square)
            for square in branch.mirrors:
                assert relation(branch.position, position.play(square))


@pytest.mark.parametrize("view", ["all", "alpha-beta"])
def test_the_other_views_have_a_branch_for_every_square(view: View) -> None:
    for position in EVERY:
        assert branches(position, view) == [
            (square, (), position.play(square)) for square in position.legal_moves()
        ]


# Values as seen from the root


def test_every_value_is_the_textbooks_from_any_root_above() -> None:
    for position in EVERY:
        for distance in range(position.ply + 1):
            side = position.turn if distance % 2 == 0 else "XO".replace(position.turn, "")
            exact = textbook.minimax(str(position), side, distance)
            assert value(position, distance, "depth") == exact, position
            assert value(position, distance, "flat") == textbook.sign(exact), position


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_value_is_the_highest_or_lowest_of_its_childrens(
    view: View, scoring: Scoring
) -> None:
    for position in UNFINISHED:
        below = [branch.position for branch in branches(position, view)]
        for distance in range(position.ply + 1):
            pick = min if distance % 2 else max
            values = [value(child, distance + 1, scoring) for child in below]
            assert value(position, distance, scoring) == pick(values), position


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_cards_value_is_the_highest_or_lowest_of_its_cards(
    view: View, scoring: Scoring
) -> None:
    for root in DIFFERENT:
        first = cards(root, (), view, scoring)
        if first:
            assert value(root, 0, scoring) == max(card.value for card in first)
        for card in first:
            assert card.position == root.play(card.square)
            if below := cards(root, card.path, view, scoring):
                assert card.value == min(leaf.value for leaf in below)


def test_a_leafs_number_is_the_number_that_travels_up() -> None:
    # O to move: X wins on turn 4, counted from here, and a leaf four turns down says so.
    root = Position.parse("XO--X----")
    assert value(root, 0, "depth") == 4 - 10
    assert value(follow(root, (8, 3, 5, 6)), 4, "depth") == 4 - 10
    assert value(follow(root, (8, 3, 5, 6)), 4, "flat") == -1


def test_a_path_that_breaks_the_rules_is_refused() -> None:
    paths: list[Path] = [(0,), (1, 1), (9,), (3, 1, 4, 2, 5, 6)]
    for path in paths:
        with pytest.raises(IllegalMoveError):
            cards(Position.parse("X--------"), path, "alpha-beta", "depth")
        with pytest.raises(IllegalMoveError):
            arrival(Position.parse("X--------"), path, "depth")


# Positions met before


@pytest.mark.parametrize("view", VIEWS)
def test_each_position_of_three_levels_is_new_once_and_later_names_that_place(view: View) -> None:
    for root in DIFFERENT:
        level: list[Path] = [()]
        for _ in range(3):
            below = [
                (*path, branch.square)
                for path in level
                for branch in branches(follow(root, path), view)
            ]
            new: dict[Position, Path] = {}
            for path in below:
                position = follow(root, path)
                same = canonical(position) if view == "merged" else position
                met = met_before(root, path, view)
                if same not in new:
                    assert met is None, (root, path)
                    new[same] = path
                else:
                    assert met
                    assert met.path == new[same]
                    assert image(follow(root, met.path), met.symmetry) == position
            level = list(new.values())


def test_where_a_position_was_met_before_is_told_with_the_turn_between() -> None:
    assert met_before(EMPTY, (1, 0), "merged") is None  # X top centre is another game
    assert met_before(EMPTY, (0, 1, 2), "all") is None
    assert met_before(EMPTY, (2, 1, 0), "all") == Met((0, 1, 2), "identity")
    assert met_before(EMPTY, (8, 7, 6), "merged") == Met((0, 1, 2), "half turn")
    assert met_before(EMPTY, (0, 4, 8, 3), "merged") == Met((0, 4, 8, 1), "diagonal mirror")
    assert met_before(EMPTY, (0, 4, 8, 1, 2, 3), "all") is None
    assert met_before(EMPTY, (0, 4, 8, 3, 2, 1), "all") == Met((0, 4, 8, 1, 2, 3), "identity")
    # Three levels nest below (2, 1, 0), which is where it is the first.
    assert met_before(EMPTY, (2, 1, 0, 3), "all") is None


# Alpha-beta


class Search:
    """Search with fail-hard alpha-beta as books print it, and record every node it visits."""

    def __init__(self, board: str, scoring: Scoring) -> None:
        self.side = textbook.turn(board)
        self.scoring = scoring
        self.visits: dict[Path, tuple[float, float, float]] = {}
        self.cuts: set[Path] = set()
        self.search(board, (), -inf, inf)

    def search(self, board: str, path: Path, alpha: float, beta: float) -> float:
        window = alpha, beta
        self.visits[path] = *window, 0
        replies = children(board)
        if not replies:
            found: float = textbook.minimax(board, self.side, len(path))
            if self.scoring == "flat":
                found = textbook.sign(int(found))
        elif len(path) % 2 == 0:
            found = self.maximise(replies, path, alpha, beta)
        else:
            found = self.minimise(replies, path, alpha, beta)
        self.visits[path] = *window, found
        return found

    def maximise(self, replies: dict[int, str], path: Path, alpha: float, beta: float) -> float:
        for square, reply in replies.items():
            if alpha >= beta:
                self.cuts.add((*path, square))
                continue
            alpha = max(alpha, self.search(reply, (*path, square), alpha, beta))
        return min(alpha, beta)

    def minimise(self, replies: dict[int, str], path: Path, alpha: float, beta: float) -> float:
        for square, reply in replies.items():
            if alpha >= beta:
                self.cuts.add((*path, square))
                continue
            beta = min(beta, self.search(reply, (*path, square), alpha, beta))
        return max(alpha, beta)


def as_shown(root: Position, scoring: Scoring) -> tuple[dict[Path, Visit], dict[Path, Cut]]:
    """Collect what the alpha-beta view says of every node under `root` that has a visit or cut."""
    start = arrival(root, (), scoring)
    assert isinstance(start, Visit)
    visits: dict[Path, Visit] = {(): start}
    cuts: dict[Path, Cut] = {}
    stack: list[tuple[Path, Position]] = [((), root)]
    while stack:
        path, position = stack.pop()
        for square, found in arrivals(position, len(path), visits[path], scoring).items():
            here = (*path, square)
            if isinstance(found, Cut):
                cuts[here] = found
            else:
                visits[here] = found
                stack.append((here, position.play(square)))
    return visits, cuts


@pytest.mark.parametrize("scoring", SCORINGS)
def test_what_was_searched_and_cut_is_what_a_real_alpha_beta_searches_and_cuts(
    scoring: Scoring,
) -> None:
    for root in UNFINISHED:
        real = Search(str(root), scoring)
        visits, cuts = as_shown(root, scoring)
        assert {path: visit[:3] for path, visit in visits.items()} == real.visits, root
        assert cuts.keys() == real.cuts, root


@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_cut_is_justified_by_its_bounds(scoring: Scoring) -> None:
    for root in DIFFERENT[1::5]:
        visits, cuts = as_shown(root, scoring)
        for path, cut in cuts.items():
            *above, square = path
            at = visits[tuple(above)]
            by = (*above, cut.by)
            exact = textbook.minimax(str(follow(root, by)), root.turn, len(by))
            assert cut.forced == (exact if scoring == "depth" else textbook.sign(exact))
            assert cut.by < square
            assert by in visits
            if len(above) % 2 == 0:
                assert cut.forced >= cut.had == at.beta
            else:
                assert cut.forced <= cut.had == at.alpha


@pytest.mark.parametrize("scoring", SCORINGS)
def test_a_bound_says_on_which_side_of_what_was_returned_the_value_lies(scoring: Scoring) -> None:
    kinds: Counter[str] = Counter()
    for root in DIFFERENT[1::5]:
        for path, visit in as_shown(root, scoring)[0].items():
            exact = value(follow(root, path), len(path), scoring)
            kinds[visit.bound] += 1
            if visit.bound == "exact":
                assert visit.returned == exact
                assert visit.alpha < exact < visit.beta or follow(root, path).outcome()
            elif visit.bound == "at most":
                assert exact <= visit.returned == visit.alpha
            else:
                assert exact >= visit.returned == visit.beta
    assert set(kinds) == {"exact", "at most", "at least"}


@pytest.mark.parametrize("scoring", SCORINGS)
def test_any_node_can_be_asked_how_alpha_beta_came_to_it(scoring: Scoring) -> None:
    for root in DIFFERENT[50::9]:
        visits, cuts = as_shown(root, scoring)
        for path, visit in visits.items():
            assert arrival(root, path, scoring) == visit
        for path, cut in cuts.items():
            assert arrival(root, path, scoring) == cut
            for square in follow(root, path).legal_moves():
                assert arrival(root, (*path, square), scoring) is None


def test_only_the_alpha_beta_view_shows_visits_and_cuts() -> None:
    root = Position.parse("XO--X----")
    paths: list[Path] = [(), (2,), (2, 3), (3,), (3, 2), (3, 8), (3, 2, 5)]
    for path in paths:
        for card in cards(root, path, "alpha-beta", "depth"):
            at = arrival(root, card.path, "depth")
            assert (card.visit or card.cut) == at
            assert isinstance(at, Visit) == (card.visit is not None)
            assert isinstance(at, Cut) == (card.cut is not None)
        for card in cards(root, path, "merged", "depth") + cards(root, path, "all", "depth"):
            assert (card.visit, card.cut) == (None, None)


def test_a_card_counts_what_lies_below_and_says_where_it_was_met() -> None:
    centre = cards(EMPTY, (), "merged", "depth")[2]
    assert (centre.square, centre.mirrors, centre.below) == (4, (), 55_504)
    assert cards(EMPTY, (), "merged", "depth")[0].mirrors == (2, 6, 8)
    assert cards(EMPTY, (1, 0), "all", "depth")[0].met is None
    swapped = cards(EMPTY, (2, 1), "all", "depth")[0]
    assert (swapped.square, swapped.met) == (0, Met((0, 1, 2), "identity"))
    assert cards(Position.parse("XXXOO----"), (), "all", "depth") == []


# The fatalist and the fighter


def test_they_choose_the_highest_scores_and_differ_exactly_where_the_score_map_says() -> None:
    for position in UNFINISHED:
        scores = textbook.move_scores(str(position))
        top = max(scores.values())
        same = [s for s in scores if textbook.sign(scores[s]) == textbook.sign(top)]
        found = choices(position)
        assert list(found.fatalist) == same, position
        assert list(found.fighter) == [s for s in scores if scores[s] == top], position
        assert found.differ == (len({scores[square] for square in same}) > 1), position


def test_the_fatalist_does_not_block_where_x_is_about_to_win_in_two_ways() -> None:
    # O to move. X wins at top right now; block it, and X takes the centre and threatens two.
    position = Position.parse("-X-" "--X" "OOX")  # fmt: skip
    found = choices(position)
    assert found.differ
    assert found.fatalist == (0, 2, 3, 4)
    assert found.fighter == (2,)
    assert [value(position.play(s), 1, "depth") for s in (found.fatalist[0], 2)] == [-8, -6]
    assert [value(position.play(s), 1, "flat") for s in (found.fatalist[0], 2)] == [-1, -1]


def test_two_lines_open_at_once_leave_nothing_to_choose() -> None:
    # O to move, X wins at top centre or middle right whatever O does, and on the same turn.
    found = choices(Position.parse("X-X" "-O-" "O-X"))  # fmt: skip
    assert not found.differ


# What it costs


def test_the_costs_from_the_empty_board_are_the_known_ones() -> None:
    warm_up()
    assert cost(EMPTY, "flat") == (549_946, 18_297, 2_312, 5_478, 765)
    assert cost(EMPTY, "depth") == (549_946, 20_866, 1_892, 5_478, 765)


def test_once_warmed_up_no_page_waits_for_the_costs_of_the_first_two_moves() -> None:
    cost.cache_clear()
    warm_up()
    counted = cost.cache_info().misses
    for position in EVERY:
        if position.ply <= 2:
            for scoring in SCORINGS:
                cost(position, scoring)
    assert cost.cache_info().misses == counted == 2 * (1 + 9 + 72)


@cache
def plain(board: str) -> int:
    return 1 + sum(map(plain, children(board).values()))


@cache
def below(board: str) -> frozenset[str]:
    return frozenset({board}.union(*map(below, children(board).values())))


@cache
def least(board: str) -> str:
    rows = [board[0:3], board[3:6], board[6:9]]
    images = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        images += ["".join(rows), "".join(rows[::-1])]
    return min(images)


class BestFirst(Search):
    """The same search, each side's best reply first."""

    def search(self, board: str, path: Path, alpha: float, beta: float) -> float:
        self.board = board
        return super().search(board, path, alpha, beta)

    def maximise(self, replies: dict[int, str], path: Path, alpha: float, beta: float) -> float:
        return super().maximise(self.ordered(replies), path, alpha, beta)

    def minimise(self, replies: dict[int, str], path: Path, alpha: float, beta: float) -> float:
        return super().minimise(self.ordered(replies), path, alpha, beta)

    def ordered(self, replies: dict[int, str]) -> dict[int, str]:
        scores = textbook.move_scores(self.board)
        if self.scoring == "flat":
            scores = {square: textbook.sign(scores[square]) for square in scores}
        return {s: replies[s] for s in sorted(replies, key=lambda s: (-scores[s], s))}


@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_cost_is_what_an_independent_count_gives(scoring: Scoring) -> None:
    for position in DIFFERENT[1:]:
        board = str(position)
        found = cost(position, scoring)
        assert found.plain == plain(board)
        assert found.alpha_beta == len(Search(board, scoring).visits), board
        assert found.best_first == len(BestFirst(board, scoring).visits), board
        assert found.memoised == len(below(board))
        assert found.symmetric == len(set(map(least, below(board))))


def test_mirror_images_cost_the_same_except_in_square_order() -> None:
    for position in EVERY[1:2000:7]:
        for symmetry in SYMMETRIES:
            one, other = cost(position, "flat"), cost(image(position, symmetry), "flat")
            assert (one.plain, one.memoised, one.symmetric) == (
                other.plain,
                other.memoised,
                other.symmetric,
            )


def test_no_search_visits_more_than_a_plainer_one() -> None:
    for position in EVERY:
        plain, alpha_beta, best_first, memoised, symmetric = cost(position, "depth")
        assert alpha_beta <= plain
        assert best_first <= plain
        assert symmetric <= memoised <= plain
