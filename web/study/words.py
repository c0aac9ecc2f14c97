"""What Moves, Squares and the search of a board say, as plain text.

`you` is the reader's mark, or None if the reader plays neither side. Moves are numbered from the
start of the game.
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
    places,
    plan_clause,
    plan_sentence,
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


def title(move: ReviewedMove, explanation: Explanation, turning_point: ReviewedMove | None) -> str:
    """Return the title of the card about a move; `turning_point` is that of the game."""
    name = f"Move {move.number}"
    if move == turning_point:
        return f"{name}: the turning point"
    match move.judgment:
        case "wins":
            return f"{name} wins"
        case "fine" if explanation.reason == "last":
            return f"{name}: the last square"
        case "fine" if explanation.reason == "forks":
            return f"{name}: a fork"
        case "fine" if explanation.reason == "wins":
            return f"{name}: {move.mark} still wins"
        case "fine":
            return f"{name}: still a draw"
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


def random_note(explanation: Explanation, you: Mark | None, opponent: str | None) -> str:
    """Return a note on a move that the opponent Random chose among several; otherwise empty."""
    is_random_pick = (
        OTHER[explanation.mark] == you and opponent == "random" and explanation.move_count > 1
    )
    return "Picked at random. " if is_random_pick else ""


def reason(explanation: Explanation, judgment: Judgment, move_number: int, you: Mark | None) -> str:
    """Return the reason for the judgment of a move that is not a blunder."""
    mark = explanation.mark
    if explanation.reason == "completes":
        lines = line_names(explanation.completed_lines, "the ")
        return f"{subject(mark, you)} {verb(mark, you, 'complete')} {lines}."
    if explanation.reason == "last":
        return "It was the only square left."
    if judgment == "slower win":
        return _slower_win_reason(explanation, move_number + explanation.result.turns - 1, you)
    if explanation.score < 0:
        return _loss_reason(explanation, judgment, move_number + explanation.result.turns - 1, you)
    if explanation.reason == "blocks":
        return _block_reason(explanation, you)
    if explanation.reason == "forks":
        return capitalized(threats_clause(explanation, you))
    if explanation.score > 0:
        assert explanation.plan, "a win that takes longer than a fork must have a plan"
        others = " Any other square throws the win away." if judgment == "only move" else ""
        return capitalized(plan_sentence(explanation.plan, mark, you)) + others
    if judgment == "only move":
        assert explanation.refutation, "every other move must lose"
        return f"Any other move loses. {_refutation_sentence(explanation.refutation, mark, you)}"
    return _draw_reason(explanation, you)


def _block_reason(explanation: Explanation, you: Mark | None) -> str:
    """Return which win a move blocked and, if the mover now wins, how."""
    mark, opponent = explanation.mark, OTHER[explanation.mark]
    was = "were" if opponent == you else "was"
    threat = f"{subject(opponent, you)} {was} about to win there"
    sentence = f"{threat}: any other move would have lost."
    if len(explanation.threats) > 1:
        return f"{sentence} Now {threats_clause(explanation, you)}"
    if explanation.plan:
        return f"{sentence} Now {plan_sentence(explanation.plan, mark, you)}"
    return sentence


def _slower_win_reason(explanation: Explanation, by_move: int, you: Mark | None) -> str:
    """Return by which move the mover still wins, and which squares would have won sooner."""
    assert explanation.concession and explanation.concession.missed_win, (
        "a sooner win must have been missed"
    )
    phrases = {"now": "won at once", "fork": "made two threats", "force": "won sooner"}
    mark = explanation.mark
    wins = f"{subject(mark, you)} still {verb(mark, you, 'win')}, by move {by_move}."
    won_sooner = phrases[explanation.concession.missed_win.kind]
    return f"{wins} {capitalized(the_squares(explanation.best_moves))} would have {won_sooner}."


def _loss_reason(
    explanation: Explanation, judgment: Judgment, by_move: int, you: Mark | None
) -> str:
    """Return how the opponent wins after a move, in a position that was lost already."""
    assert explanation.concession and explanation.concession.allowed_win, "the move must lose"
    win, winner = explanation.concession.allowed_win, OTHER[explanation.mark]
    if win.kind == "now" and len(win.squares) > 1:
        threatens = f"{subject(winner, you)} {verb(winner, you, 'threaten')}"
        can_block = f"{side(explanation.mark, you)} could block only one"
        sentence = f"{threatens} to win {places(win.squares)}, and {can_block}."
    elif win.kind == "now":
        sentence = f"Now {side(winner, you)} can win {at(win.followed_square)}."
    else:
        sentence = way_to_win(win, winner, you, by_move)
    if judgment != "quicker loss":
        return sentence
    best_squares = capitalized(the_squares(explanation.best_moves))
    return f"{sentence} {best_squares} would have lasted longer."


def _refutation_sentence(refutation: tuple[Square, ForcedWin], mark: Mark, you: Mark | None) -> str:
    """Return how `mark` would lose with another move."""
    square, win = refutation
    opponent = OTHER[mark]
    plays = f"{side(opponent, you)} {verb(opponent, you, 'play')} {the(win.followed_square)}"
    start = f"After {the(square)}, for example, {plays}"
    if win.plan:
        return f"{start} and {plan_clause(win.plan, opponent, you)}"
    can_block = f"{side(mark, you)} can block only one"
    return f"{start}: {number(len(win.threats))} threats at once, and {can_block}."


def _draw_reason(explanation: Explanation, you: Mark | None) -> str:
    """Return how many squares keep the draw, and how often this one beats Random."""
    move_count, draw_count = explanation.move_count, len(explanation.equal_moves)
    do_all_draw = draw_count == move_count
    if not do_all_draw:
        count = f"{capitalized(number(draw_count))} of {number(move_count)}"
    else:
        count = "Both" if move_count == 2 else f"All {number(move_count)}"
    keep_the_draw = f"{count} squares keep the draw."
    if not explanation.best_win_chance:
        none = "Neither" if do_all_draw and move_count == 2 else "None of them"
        return f"{keep_the_draw} {none} gives {side(explanation.mark, you)} any way to win."
    chance = percent(explanation.win_chance)
    if explanation.reason == "as good":
        best_squares = capitalized(the_squares(explanation.best_moves))
        beat = f"would beat Random in {percent(explanation.best_win_chance)} of games"
        return f"{keep_the_draw} {best_squares} {beat}, this one in {chance}."
    if len(explanation.best_moves) == 1:
        square, frequency = "this one", "most often"
    else:
        square, frequency = "none", "more often than this one does"
    square = capitalized(square) if do_all_draw else f"Of these, {square}"
    return f"{keep_the_draw} {square} beats Random {frequency}: {chance} of games."


def threats_clause(explanation: Explanation, you: Mark | None) -> str:
    """Return which squares a move threatens, as a sentence without a capital letter."""
    mark = explanation.mark
    threatens = f"{side(mark, you)} {verb(mark, you, 'threaten')}"
    can_block = f"{side(OTHER[mark], you)} can block only one"
    return f"{threatens} {the_squares(explanation.threats, 'and')} at once, and {can_block}."


def praise(story: Story, you: Mark | None, opponent: str | None) -> str:
    """Return the praise at the end of a draw without a mistake."""
    sentence = "Nobody made a mistake."
    if you:
        opponent_name = capitalized(opponent) if opponent else OTHER[you]
        sentence = f"You never gave {opponent_name} a chance."
    clauses = [f"at move {move.number} only {the(move.square)}" for move in story.only_moves]
    if not clauses:
        return sentence
    clauses[0] += " was safe"
    return f"{sentence} {capitalized(', '.join(clauses))}."


# The squares of a board


def squares_title(
    sound_count: int, move_count: int, result: Result, outcome: Outcome | None, mark: Mark
) -> str:
    """Return the result of a board for `mark`, which is to move, and how many moves keep it."""
    if outcome:
        return ending_sentence(outcome)
    if result.winner and result.winner != mark:
        return "Every square loses"
    wins = "wins" if result.winner else "keeps the draw"
    win = "win" if result.winner else "keep the draw"
    if move_count == 1:
        return f"The last square {wins}"
    if sound_count == move_count:
        return f"Both {win}" if move_count == 2 else f"All {number(move_count)} {win}"
    count = f"{capitalized(number(sound_count))} of {number(move_count)}"
    return f"{count} {wins if sound_count == 1 else win}"


def replies_clause(row: MoveRow) -> str:
    """Return how many replies keep the other side's best result or, if only one does, which."""
    mark, winner = row.explanation.mark, row.explanation.result.winner
    opponent, sound_count = OTHER[mark], len(row.sound_replies)
    if row.explanation.completed_lines:
        return f"completes {line_names(row.explanation.completed_lines, 'the ')}"
    if not row.reply_count:
        return "fills the board"
    if winner == mark:
        return f"{opponent} loses no matter what"
    if row.reply_count == 1:
        return f"{opponent}’s only reply {'wins' if winner else 'keeps the draw'}"
    win = "win" if winner else "keep the draw"
    if sound_count == row.reply_count:
        every = "both" if sound_count == 2 else f"all {sound_count}"
        return f"{every} of {opponent}’s replies {win}"
    if sound_count == 1 and winner:
        return f"{opponent} wins only {at(row.sound_replies[0])}"
    if sound_count == 1:
        return f"{opponent} must take {the(row.sound_replies[0])}"
    return f"{sound_count} of {opponent}’s {row.reply_count} replies {win}"


def result_by_move(result: Result, ply: int) -> str:
    """Return a result, with the number of the move that ends the game."""
    return f"{result.winner} wins on move {ply + result.turns}" if result.winner else "a draw"


def line_caption(mark: Mark, is_played: bool) -> str:
    """Return the caption of a line in pencil, whose first move is by `mark`."""
    start = f"{mark} played this. " if is_played else ""
    return f"{start}The numbers show best play from here."


# A node of a tree of boards


def node_sentences(summary: NodeSummary, node: Node, scoring: Scoring | None) -> str:
    """Return what a solved tree says about a node; without `scoring`, turns are not counted."""
    result = _node_result(summary, node, scoring)
    if not node.path:
        return capitalized(result)
    last_mover = OTHER[node.position.turn]
    sentence = f"{last_mover} {at(node.path[-1])}: {result}"
    if summary.better_moves:
        return f"{sentence} **{last_mover} has better: {the_squares(summary.better_moves)}.**"
    # After a win, it goes without saying that nothing is better.
    if summary.sibling_count > 1 and (summary.move_count or not summary.score):
        return f"{sentence} **{last_mover} has nothing better.**"
    return sentence


def _node_result(summary: NodeSummary, node: Node, scoring: Scoring | None) -> str:
    """Return the result of a node and the moves that reach it, without a capital letter."""
    mark, turn = node.position.turn, _turn_phrase(summary.score, scoring)
    if not summary.move_count:
        ending = f"{OTHER[mark]} wins{turn}" if summary.score else "a draw"
        return f"{ending}. {_arithmetic(summary.score, scoring, node.value)}."
    if summary.score < 0:
        return _lost_node_result(summary, mark, scoring)
    if len(summary.decisive_moves) > len(summary.best_moves):
        win_count, move_count = len(summary.decisive_moves), number(summary.move_count)
        of_all = f"{number(win_count)} of {move_count}"
        count = f"all {move_count}" if win_count == summary.move_count else of_all
        soonest = f"soonest {the_squares(summary.best_moves)}{turn}"
        return f"{count} moves win for {mark}; {soonest}."
    is_only, are_all = len(summary.best_moves) == 1, _are_all_moves_best(summary)
    if is_only:
        moves = f"only {the(summary.best_moves[0])}"
    else:
        moves = "every move" if are_all else the_squares(summary.best_moves, "and")
    still = " still" if node.path else ""
    s = "s" if is_only or are_all else ""
    wins = f"win{s}" if summary.score > 0 else f"keep{s} the draw"
    return f"{moves}{still} {wins} for {mark}{turn}."


def _lost_node_result(summary: NodeSummary, mark: Mark, scoring: Scoring | None) -> str:
    """Return that `mark` loses at a node, and with which moves the game lasts longest."""
    loses = f"{mark} loses no matter what"
    if _are_all_moves_best(summary):
        return f"{loses}{_turn_phrase(summary.score, scoring)}."
    lasts = "lasts" if len(summary.best_moves) == 1 else "last"
    longest = f"{the_squares(summary.best_moves, 'and')} {lasts} longest"
    return f"{loses}; {longest}{_turn_phrase(summary.score, scoring, 'to')}."


def _are_all_moves_best(summary: NodeSummary) -> bool:
    return len(summary.best_moves) == summary.move_count


def _turn_phrase(score: int, scoring: Scoring | None, word: str = "on") -> str:
    """Return on which turn the game ends; empty for a draw, or if turns are not counted."""
    return f", {word} turn {WIN - abs(score)}" if score and scoring == "depth" else ""


def _arithmetic(score: int, scoring: Scoring | None, value: int) -> str:
    """Return the value of a leaf and, if turns are counted, how it follows from the turn."""
    if not score or scoring != "depth":
        return f"**{signed(value)}**"
    turn = WIN - abs(score)
    difference = f"{WIN} − {turn}" if value > 0 else f"{turn} − {WIN}"
    return f"{difference} = **{signed(value)}**"
