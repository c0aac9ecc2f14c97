"""What Moves and Squares say, as plain text.

`you` is the reader's mark, or None; move numbers count from the start of the game.
"""

from __future__ import annotations

from typing import assert_never

from engine.notation import signed
from engine.position import OTHER, Mark, Outcome, Square
from engine.reasons import Explanation, ForcedWin
from engine.results import Result
from engine.review import Judgment, ReviewedMove, Story
from engine.search import WIN
from teach.scenes import NodeSummary
from teach.trees import Node, Scoring
from web.study.squares_view import MoveRow
from web.view.mistakes import (
    at,
    continuation,
    places,
    plan_clause,
    the_squares,
    verb,
    way_to_win,
)
from web.view.words import (
    capitalized,
    ending_sentence,
    line_names,
    number,
    percent,
    side,
    subject,
    the,
)

# A move


def title(move: ReviewedMove, why: Explanation, turning_point: ReviewedMove | None) -> str:
    """Return the title of the card about a move; `turning_point` is that of the game."""
    name = f"Move {move.number}"
    if move == turning_point:
        return f"{name}: the turning point"
    match move.judgment:
        case "wins":
            return f"{name} wins"
        case "fine" if why.reason == "last":
            return f"{name}: the last square"
        case "fine" if why.reason == "forks":
            return f"{name}: a fork"
        case "fine":
            return (
                f"{name}: {f'{move.mark} still wins' if why.reason == 'wins' else 'still a draw'}"
            )
        case "only move":
            return f"{name}: the only move"
        case "slower win" | "quicker loss":
            return f"{name}: a {move.judgment}"
        case "lost already":
            return f"{name}: already lost"
        case "gave the draw away" | "gave the win away":
            return f"{name}: {move.judgment}"
        case _:
            assert_never(move.judgment)


def random_note(it: Explanation, you: Mark | None, opponent: str | None) -> str:
    """Return a note on a move that Random picked; empty for any other."""
    is_random_pick = OTHER[it.mark] == you and opponent == "random" and it.move_count > 1
    return "Picked at random. " if is_random_pick else ""


def reason(it: Explanation, judgment: Judgment, move_number: int, you: Mark | None) -> str:
    """Return the reason for the judgment of a move that is not a blunder."""
    mark, other = it.mark, OTHER[it.mark]
    if it.reason == "completes":
        lines = line_names(it.completed_lines, "the ")
        return f"{subject(mark, you)} {verb(mark, you, 'complete')} {lines}."
    if it.reason == "last":
        return "It was the only square left."
    if judgment == "slower win":
        return _slower_win_reason(it, move_number + it.result.turns - 1, you)
    if it.score < 0:
        return _loss_reason(it, judgment, move_number + it.result.turns - 1, you)
    if it.reason == "blocks":
        threat = f"{subject(other, you)} {'were' if other == you else 'was'} about to win there"
        blocked = f"{threat}: any other move would have lost."
        if len(it.threats) > 1:
            return f"{blocked} Now {threats_clause(it, you)}"
        return f"{blocked} Now {continuation(it.plan, mark, you)}" if it.plan else blocked
    if it.reason == "forks":
        return capitalized(threats_clause(it, you))
    if it.score > 0:
        assert it.plan, "a win that takes longer than a fork must have a plan"
        only = " Any other square throws the win away." if judgment == "only move" else ""
        return capitalized(continuation(it.plan, mark, you)) + only
    if judgment == "only move":
        assert it.refutation, "every other move must lose"
        return f"Any other move loses. {_refutation_sentence(it.refutation, mark, you)}"
    return _draw_reason(it, you)


def _slower_win_reason(it: Explanation, by_move: int, you: Mark | None) -> str:
    assert it.concession and it.concession.missed_win, "a sooner win must have been missed"
    how = {"now": "won at once", "fork": "made two threats", "force": "won sooner"}
    wins = f"{subject(it.mark, you)} still {verb(it.mark, you, 'win')}, by move {by_move}."
    sooner = how[it.concession.missed_win.kind]
    return f"{wins} {capitalized(the_squares(it.best_moves))} would have {sooner}."


def _loss_reason(it: Explanation, judgment: Judgment, by_move: int, you: Mark | None) -> str:
    assert it.concession and it.concession.allowed_win, "the move must lose"
    win, other = it.concession.allowed_win, OTHER[it.mark]
    winner = subject(other, you)
    if win.kind == "now" and len(win.squares) > 1:
        one = f"{side(it.mark, you)} could block only one"
        sentence = (
            f"{winner} {verb(other, you, 'threaten')} to win {places(win.squares)}, and {one}."
        )
    elif win.kind == "now":
        sentence = f"Now {side(other, you)} can win {at(win.first)}."
    else:
        sentence = way_to_win(win, other, you, by_move)
    if judgment != "quicker loss":
        return sentence
    return f"{sentence} {capitalized(the_squares(it.best_moves))} would have lasted longer."


def _refutation_sentence(refutation: tuple[Square, ForcedWin], mark: Mark, you: Mark | None) -> str:
    """Return how `mark` would lose with another move."""
    square, win = refutation
    other = OTHER[mark]
    plays = f"{side(other, you)} {verb(other, you, 'play')} {the(win.first)}"
    start = f"After {the(square)}, for example, {plays}"
    if win.plan:
        return f"{start} and {plan_clause(win.plan, other, you)}"
    one = f"{side(mark, you)} can block only one"
    return f"{start}: {number(len(win.threats))} threats at once, and {one}."


def _draw_reason(it: Explanation, you: Mark | None) -> str:
    """Return how many squares keep the draw, and how often this one beats Random."""
    is_all, is_sole = len(it.equal_moves) == it.move_count, len(it.best_moves) == 1
    is_both = is_all and it.move_count == 2
    if is_both:
        count = "Both"
    elif is_all:
        count = f"All {number(it.move_count)}"
    else:
        count = f"{capitalized(number(len(it.equal_moves)))} of {number(it.move_count)}"
    keeps = f"{count} squares keep the draw."
    if not it.best_win_chance:
        none = "Neither" if is_both else "None of them"
        return f"{keeps} {none} gives {side(it.mark, you)} any way to win."
    chance = percent(it.win_chance)
    if it.reason == "as good":
        best = f"{capitalized(the_squares(it.best_moves))} would beat Random"
        return f"{keeps} {best} in {percent(it.best_win_chance)} of games, this one in {chance}."
    which = "this one" if is_sole else "none"
    which = capitalized(which) if is_all else f"Of these, {which}"
    frequency = "most often" if is_sole else "more often than this one does"
    return f"{keeps} {which} beats Random {frequency}: {chance} of games."


def threats_clause(it: Explanation, you: Mark | None) -> str:
    """Return which squares a move threatens, as it may follow other words."""
    threaten, one = (
        verb(it.mark, you, "threaten"),
        f"{side(OTHER[it.mark], you)} can block only one",
    )
    return f"{side(it.mark, you)} {threaten} {the_squares(it.threats, 'and')} at once, and {one}."


def praise(story: Story, you: Mark | None, opponent: str | None) -> str:
    """Return the praise at the end of a draw without a mistake."""
    sentence = "Nobody made a mistake."
    if you:
        them = capitalized(opponent) if opponent else OTHER[you]
        sentence = f"You never gave {them} a chance."
    only = [f"at move {move.number} only {the(move.square)}" for move in story.only_moves]
    if not only:
        return sentence
    only[0] += " was safe"
    return f"{sentence} {capitalized(', '.join(only))}."


# The squares of a board


def squares_title(
    sound_count: int, move_count: int, result: Result, outcome: Outcome | None, mark: Mark
) -> str:
    """Return the result of a board for `mark`, to move, and how many of its moves keep it."""
    if outcome:
        return ending_sentence(outcome)
    if result.winner and result.winner != mark:
        return "Every square loses"
    if move_count == 1:
        return f"The last square {'wins' if result.winner else 'keeps the draw'}"
    verb = "win" if result.winner else "keep the draw"
    if sound_count == move_count:
        return f"{'Both' if move_count == 2 else f'All {number(move_count)}'} {verb}"
    verb_for_one = "wins" if result.winner else "keeps the draw"
    count = f"{capitalized(number(sound_count))} of {number(move_count)}"
    return f"{count} {verb_for_one if sound_count == 1 else verb}"


def replies_clause(row: MoveRow) -> str:
    """Return how many replies keep the other side's best result, and which, if it is only one."""
    mark, winner = row.explanation.mark, row.explanation.result.winner
    other, count = OTHER[mark], len(row.sound_replies)
    if row.explanation.completed_lines:
        return f"completes {line_names(row.explanation.completed_lines, 'the ')}"
    if not row.reply_count:
        return "fills the board"
    if winner == mark:
        return f"{other} loses no matter what"
    verb = "win" if winner else "keep the draw"
    if row.reply_count == 1:
        return f"{other}’s only reply {'wins' if winner else 'keeps the draw'}"
    if count == row.reply_count:
        return f"{'both' if count == 2 else f'all {count}'} of {other}’s replies {verb}"
    if count == 1:
        return (
            f"{other} wins only {at(row.sound_replies[0])}"
            if winner
            else f"{other} must take {the(row.sound_replies[0])}"
        )
    return f"{count} of {other}’s {row.reply_count} replies {verb}"


def result_by_move(result: Result, ply: int) -> str:
    """Return a result, with the number of the move that ends the game."""
    return f"{result.winner} wins on move {ply + result.turns}" if result.winner else "a draw"


def line_caption(mark: Mark, is_played: bool) -> str:
    """Return the caption of a line in pencil, which begins with a move by `mark`."""
    played = f"{mark} played this. " if is_played else ""
    return f"{played}The numbers show best play from here."


# A node of a tree of boards


def node_sentences(it: NodeSummary, node: Node, scoring: Scoring | None) -> str:
    """Return what a solved tree says about a node; without `scoring`, turns are not counted."""
    mark, other = node.position.turn, OTHER[node.position.turn]
    here = f"{other} {at(node.path[-1])}: " if node.path else ""
    sentence = (
        here + _node_result(it, node, mark, scoring)
        if here
        else capitalized(_node_result(it, node, mark, scoring))
    )
    if not node.path:
        return sentence
    if it.better_moves:
        return f"{sentence} **{other} has better: {the_squares(it.better_moves)}.**"
    if it.sibling_count > 1 and (it.move_count or not it.score):
        return f"{sentence} **{other} has nothing better.**"
    return sentence


def _node_result(it: NodeSummary, node: Node, mark: Mark, scoring: Scoring | None) -> str:
    is_all, is_sole = len(it.best_moves) == it.move_count, len(it.best_moves) == 1
    if not it.move_count:
        wins = f"{OTHER[mark]} wins{_turn(it.score, scoring)}" if it.score else "a draw"
        return f"{wins}. {_arithmetic(it.score, scoring, node.value)}."
    if it.score < 0:
        loses = f"{mark} loses no matter what"
        if is_all:
            return f"{loses}{_turn(it.score, scoring)}."
        longest = f"{the_squares(it.best_moves, 'and')} {'lasts' if is_sole else 'last'} longest"
        return f"{loses}; {longest}{_turn(it.score, scoring, 'to')}."
    if len(it.decisive_moves) > len(it.best_moves):
        count = (
            f"all {number(it.move_count)} moves"
            if len(it.decisive_moves) == it.move_count
            else f"{number(len(it.decisive_moves))} of {number(it.move_count)} moves"
        )
        soonest = f"soonest {the_squares(it.best_moves)}{_turn(it.score, scoring)}"
        return f"{count} win for {mark}; {soonest}."
    which = (
        "every move"
        if is_all and not is_sole
        else ("only " if is_sole else "") + the_squares(it.best_moves, "and")
    )
    still = " still" if node.path else ""
    s = "s" if is_sole or is_all else ""
    verb = f"win{s}" if it.score > 0 else f"keep{s} the draw"
    return f"{which}{still} {verb} for {mark}{_turn(it.score, scoring)}."


def _turn(score: int, scoring: Scoring | None, word: str = "on") -> str:
    return f", {word} turn {WIN - abs(score)}" if score and scoring == "depth" else ""


def _arithmetic(score: int, scoring: Scoring | None, value: int) -> str:
    if not score or scoring != "depth":
        return f"**{signed(value)}**"
    turns = WIN - abs(score)
    sum_ = f"{WIN} − {turns}" if value > 0 else f"{turns} − {WIN}"
    return f"{sum_} = **{signed(value)}**"
