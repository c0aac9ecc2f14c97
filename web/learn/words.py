"""The sentences about the reader's program, and those of worksheets.

Those of the lesson are in teach/lesson/words.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.position import SQUARE_NAMES, Mark, Outcome, X
from engine.results import Result
from teach.programs import Mistake, Report
from teach.scenes import format_value
from teach.searches import run
from teach.trees import Node, Path
from teach.worksheets import cutoffs
from web.view import words

# What is wrong with each wrong piece that the page explains.
MISTAKE_SENTENCES: Mapping[Mistake, str] = {
    Mistake(8, 1): "**Line 8** keeps the last value instead of the best one, so lines 4 and 5"
    " do nothing.",
    Mistake(7, 1): "**Line 7** flips the sign at every level, so the program mistakes its own win"
    " for a loss.",
    Mistake(4, 1): "**Line 4** takes the highest on O’s boards too, as if O wanted X to win.",
    Mistake(4, 2): "**Line 4** has it backward: X gets the lowest, O the highest.",
    Mistake(5, 1): "**Line 5.** Best starts at 0, so a board where every move loses looks like a"
    " draw: the program sees two turns ahead and no further.",
    Mistake(5, 2): "**Line 5.** O starts from −∞ and finds nothing lower: every board with O to"
    " move is worth −∞.",
}


def program_instruction(gap_count: int, shows_loss: bool, shows_line: bool) -> str:
    """Return the instruction above the program.

    It is the same for right and wrong pieces until all games have been played.
    """
    sentence = "Fill in the blanks." if gap_count > 1 else "Fill in the blank."
    if shows_line:
        sentence = ""
    elif shows_loss:
        sentence = "Which piece loses the game?"
    return f"{sentence} X is **MAX**.".strip()


def other_mistakes(count: int) -> str:
    """Return a note that more than one piece is wrong, or "" if only one is, or none."""
    if count < 2:
        return ""
    blanks = f"{words.capitalized(words.number(count))} blanks"
    return f"{blanks} are wrong, and one mistake can hide another."


def verdict_sentence(report: Report) -> str:
    """Return the result of all games of a program."""
    if report.loss_count:
        return f"It loses {report.loss_count:,} game{'s' if report.loss_count > 1 else ''}."
    return "It never loses."


def game_count_sentence(report: Report) -> str:
    """Return how many games were played, and what to look at."""
    if report.loss_count:
        return f"{report.game_count:,} games played. Start with the shortest loss."
    return f"{report.game_count:,} games: every way to play against it."


def score_meanings(scores: Iterable[tuple[str, Result]], counts_turns: bool) -> str:
    """Return what some scores of a board mean."""
    meanings = []
    for score, (winner, turns) in scores:
        result = f"{winner} wins" if winner else "a draw"
        if winner and counts_turns:
            when = "with this move" if turns == 1 else f"on turn {turns} from here"
            result += f" {when} ({f'10 − {turns}' if winner == X else f'{turns} − 10'})"
        meanings.append(f"{score}: {result}")
    return f"{'; '.join(meanings)}."


def outcome_sentence(outcome: Outcome, human: Mark) -> str:
    """Return the result of a game against the program."""
    if not outcome.winner:
        return "A draw."
    return "You beat it." if outcome.winner == human else "It wins."


def outcome_comment(outcome: Outcome, human: Mark, is_right: bool) -> str:
    """Return what the result of a game says about the program, which may be right or wrong."""
    if is_right:
        if outcome.winner:
            return "Nobody beats those nine lines."
        return "Your nine lines are as good as I am."
    if outcome.winner == human:
        return "Something in it is wrong, and you made it pay."
    return "Something in it is still wrong."


# The worksheet


def worksheet_instructions(shows_key: bool, has_numbers: bool, has_boards: bool) -> str:
    """Return the instructions above the trees of a worksheet, or of its key."""
    roles = ["▲ is MAX, ▼ is MIN."] if has_numbers else []
    if has_boards:
        roles.append("On boards X is MAX: +1 if X wins, −1 if O wins, 0 for a draw.")
    task = (
        "Windows **[α, β]** are those on entry. A value with ≤ or ≥ is a bound, because of a"
        " cutoff."
        if shows_key
        else "Search from left to right. Above each inner node write α and β as alpha-beta enters"
        " it, −∞ and +∞ included. Below it write its value, or its bound (≤, ≥) if it was cut off."
        " As soon as α ≥ β, prune: cross out the branches that are left."
    )
    return " ".join([*roles, task])


def seeds_name(
    first: int, last: int, levels: int | None, branches: int | None, top: str | None
) -> str:
    """Return the name of a sheet of random trees: their seeds, and what else the address gives."""
    details = [
        f"{levels} levels" if levels else "",
        f"{branches} branches" if branches else "",
        f"{top.upper()} at the root" if top else "",
    ]
    seeds = f"Seed {first}" if first == last else f"Seeds {first}–{last}"
    return ", ".join([seeds, *filter(None, details)])


def round_name(number: int, is_cuts: bool) -> str:
    """Return the name of a sheet with the trees of a round of puzzles."""
    return f"Round {number}, {'cutoffs' if is_cuts else 'values'}"


def solution(root: Node, names: Mapping[Path, str], in_number_tree: bool) -> Iterator[str]:
    """Yield the value of a tree and the child that has it, then each cutoff and its reason."""
    record = run(root, "alpha-beta")

    def name(node: Node) -> str:
        is_letter = in_number_tree and node.below
        return f"_{names[node.path]}_" if is_letter else names[node.path]

    best_child = next(child for child in root.below if child.path[-1] == record.best_move)
    the_leaf = "the leaf " if in_number_tree and not best_child.below else ""
    value = format_value(record.value, in_number_tree)
    searched_count = sum(step.kind == "leaf" for step in record.steps)
    yield words.capitalized(
        f"{name(root)}: **{value}**, from {the_leaf}{name(best_child)}."
        f" {searched_count} of {len(root.leaves)} leaves searched."
    )
    for cutoff in cutoffs(root):
        alpha, beta = cutoff.best, cutoff.limit
        if not cutoff.node.is_max:
            alpha, beta = beta, alpha
        alpha_text, beta_text = (format_value(end, in_number_tree) for end in (alpha, beta))
        reason = f"{name(cutoff.node)}: α = {alpha_text} ≥ β = {beta_text}"
        if not cutoff.pruned:
            yield words.capitalized(f"{reason}, but nothing is left to prune.")
            continue
        if in_number_tree:
            pruned = words.listed(map(name, cutoff.pruned))
        else:
            pruned = words.listed(SQUARE_NAMES[node.path[-1]] for node in cutoff.pruned)
        are = "is" if len(cutoff.pruned) == 1 else "are"
        yield words.capitalized(f"{reason}, so {pruned} {are} pruned.")
