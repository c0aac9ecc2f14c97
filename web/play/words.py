"""The sentences of the game, as plain text of at most 60 characters each."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, assert_never

from engine.hints import Hint
from engine.position import LINES, OTHER, SQUARE_NAMES, Line, Mark, O, Square, X
from engine.reasons import Explanation, ForcedWin, Plan
from engine.review import Story
from teach.challenge import challenge
from web.play.ends import End, end_of
from web.play.game import Game, SharedResult
from web.play.opponents import LastWords, Quips
from web.play.squares import earned_squares
from web.view import invitation
from web.view.words import (
    MISSED_WIN_PHRASES,
    capitalized,
    counted_games,
    listed,
    number,
    the,
    times,
)

# What the page says after a click whose result the board does not show.
Notice = Literal["taken", "over", "stale", "unkept", "nothing", "undone", "forfeited", "back"]
NOTICES: Mapping[Notice, str] = {
    "taken": "That square is taken. Choose an empty one.",
    "over": "The game is over. Start a new one.",
    "stale": "That page was out of date. Here is the board now.",
    "unkept": "I cannot keep a game without cookies. Here is a new one.",
    "nothing": "Nothing to undo yet.",
    "undone": "As you like.",
    "forfeited": "As you like. No square this game.",
    "back": "Back to your earlier game.",
}


def title(game: Game) -> str:
    """Return the title of the browser's tab, without the name of the site."""
    name, end = capitalized(game.opponent_name), end_of(game)
    if not end:
        return f"You vs. {name}" if game.is_beginning else "Your move"
    match end.result:
        case "won":
            return f"You beat {name}"
        case "lost":
            return f"{name} wins"
        case "drawn":
            return "You stopped Perfect" if end.stopped_perfect else "A draw"
        case _:
            assert_never(end.result)


# Before the first move


def greeting(game: Game) -> str:
    """Return what the opponent says before the human's first move."""
    if game.link_length:
        return friends_request(game.friend_result)
    if game.setup_length:
        if game.opponent.greeting:
            return "We carry on from here."
        return invitation.sentences(challenge(game.position))
    if game.opponent.greeting:
        return game.opponent.greeting
    if game.human == O:
        return "I went first. A draw is the best you can do."
    if game.record.earned_bits:
        return _earned_greeting(earned_squares(game.record.earned_bits))
    return "From an empty board, I never lose. Try for a draw."


def _earned_greeting(earned: tuple[Square, ...]) -> str:
    """Return what Perfect says about the squares earned, at least one."""
    unearned = [square for square in range(9) if square not in earned]
    if not unearned:
        return "All nine are yours. I would like one back."
    if len(unearned) == 1:
        return f"One is still mine: {the(unearned[0])}. Come and take it."
    yours, mine = _count_with_verb(len(earned)), _count_with_verb(len(unearned))
    return f"{capitalized(yours)} yours. {capitalized(mine)} still mine."


def friends_request(friend_result: SharedResult | None) -> str:
    """Return what a friend's link asks, given how the friend's game ended; None if unknown."""
    match friend_result:
        case "lost":
            return "Your friend lost from here. Can you stop me?"
        case "held":
            return "Your friend got a draw from here. Can you?"
        case None:
            return "Someone started here. Can you stop me?"
        case _:
            assert_never(friend_result)


def _count_with_verb(count: int) -> str:
    """Return "one is", "two are", and so on."""
    return f"{number(count)} {'is' if count == 1 else 'are'}"


# The human's row


def row_title(game: Game) -> str:
    """Return whose move it is; before the first move, the squares earned, the wins or the mark."""
    if not game.is_beginning:
        return "Your move"
    if game.is_contest:
        return count_text(game.record.earned_bits.bit_count())
    tally = game.record.tally(game.opponent_name)
    return counted_games(tally.wins, "win") if any(tally[1:]) else f"You are {game.human}"


def row_note(game: Game) -> str:
    """Return the note under the title: what a draw earns, or how earlier games went."""
    tally, you_are = game.record.tally(game.opponent_name), f"You are {game.human}."
    if game.at_stake is not None:
        return "A draw earns you this square."
    if game.forfeited_square is not None:
        return f"{you_are} No square this game."
    if game.is_beginning and game.is_contest:
        return _offer(game)
    if game.is_beginning:
        losses = f"{counted_games(tally.losses, 'loss')} vs. {capitalized(game.opponent_name)}"
        return losses if any(tally[1:]) else "Three in a row wins."
    if game.counts and any(tally[1:]):
        wins, losses = counted_games(tally.wins, "win"), counted_games(tally.losses, "loss")
        return f"{you_are} {wins}, {losses}."
    return you_are


def _offer(game: Game) -> str:
    """Return what a draw would earn, before the first move of a game against Perfect."""
    if game.help_used and game.human == X:
        return "No square this game."
    if game.human == O:
        return "Go first to earn squares."
    return "yours" if game.record.earned_bits else "A draw earns you a square."


def count_text(square_count: int) -> str:
    """Return how many of the nine squares are earned, as text."""
    return f"{square_count} of 9"


def count_captions(end: End | None, own_count: int, friend_count: int) -> tuple[str, str]:
    """Return the captions of the two counts: the human's squares and the friend's."""
    if not end:
        return "You", "Your friend"
    own_caption = "You lead" if own_count > friend_count else "You"
    friend_caption = "Your friend leads" if own_count < friend_count else "Your friend"
    return own_caption, friend_caption


# In play


def announce_reply(game: Game) -> str:
    """Return the opponent's reply, for a screen reader."""
    assert game.last_reply_index is not None, "the opponent must have moved"
    return f"{OTHER[game.human]}: {SQUARE_NAMES[game.moves[game.last_reply_index]]}. Your move."


def comment(move: Explanation, times_before: int) -> str:
    """Return why Perfect made a move; empty if there is nothing to remark.

    `times_before` is how many of Perfect's earlier replies had the same reason; a sentence that
    would be repeated is reworded.
    """
    match move.reason:
        case "blocks" if move.score <= 0:
            variants = ("I had to. You would have won there.", "I had to, again.", "And again.")
            return variants[min(times_before, 2)]
        case "blocks" | "forks" if len(move.threats) > 1:
            return f"{capitalized(number(len(move.threats)))} threats now. You have one move."
        case "only":
            return f"{'Again, every' if times_before else 'Every'} other square lost."
        case "blocks" | "forks" | "wins":
            return "I win from here, whatever you do."
        case "resists":
            return "Whatever I play now, I lose."
        case "draws" if not (move.win_chance or times_before):
            return "From here you cannot go wrong."
        case "draws" | "completes" | "last" | "misses" | "as good":
            return ""  # ordinary, or the game is over, or a move that Perfect does not choose
        case _:
            assert_never(move.reason)


def quip(quips: Quips, *, is_first: bool, human_threat_count: int, new_threat_count: int) -> str:
    """Return what an imperfect opponent says about its move; empty for most moves.

    `human_threat_count` is how many threats the human had before the move; 0 if the move blocked
    none of them.
    """
    if new_threat_count == 2 and quips.two_threats:
        return quips.two_threats
    if human_threat_count == 2 and quips.blocks_one_of_two:
        return quips.blocks_one_of_two
    if human_threat_count:
        return quips.blocks
    return quips.first_move if is_first else ""


def hint_sentence(hint: Hint, is_perfect: bool) -> str:
    """Return what to watch for.

    It says that a perfect opponent will take its chance, and that any other may.
    """
    square_name = "" if hint.square is None else the(hint.square)
    threats = f"{number(hint.threat_count)} threats"
    match hint.kind:
        case "win":
            return f"You win at {square_name}."
        case "block":
            return f"Watch {square_name}: I {'win' if is_perfect else 'could win'} there next."
        case "lost":
            if hint.sound_count == hint.move_count:
                return "Every square loses now, all equally fast."
            return f"Every square loses now. {capitalized(square_name)} lasts longest."
        case "force":
            return "You can force a win. Aim for two threats."
        case "fork" if hint.forces_fork:
            return f"Do not force me to {square_name}: I get {threats} there."
        case "fork":
            return f"Watch {square_name}: I could make {threats} there."
        case "careful" if hint.sound_count == hint.move_count - 1:
            return f"Careful: one of {number(hint.move_count)} squares loses."
        case "careful":
            verb = "is" if hint.sound_count == 1 else "are"
            safe_squares = f"{number(hint.sound_count)} of {number(hint.move_count)} squares"
            return f"Careful: only {safe_squares} {verb} safe."
        case "safe" if hint.move_count == 1:
            return "One square left, and it keeps the draw."
        case "safe":
            return "No danger here: every square is safe."
        case _:
            assert_never(hint.kind)


def results_sentence(winners: Collection[Mark | None], human: Mark) -> str:
    """Return what the squares lead to, given who wins after each of them; None is a draw."""
    if len(winners) > 1:
        return "Here is where each square leads."
    if None in winners:
        return "Every square keeps the draw."
    return f"Every square {'wins' if human in winners else 'loses'}."


# At the end of a game


def verdict(end: End) -> str:
    """Return how a game ended, in two or three words."""
    if end.own_words:
        return end.own_words.verdict
    match end.result:
        case "won":
            return "You beat me."
        case "lost":
            return "I win again." if end.is_second_loss else "I win."
        case "drawn" if end.kind == "last":
            return "All nine."
        case "drawn":
            return "You stopped me." if end.stopped_perfect else "A draw."
        case _:
            assert_never(end.result)


def explanation(end: End) -> str:
    """Return the sentence under the verdict: usually what decided the game."""
    if end.own_words:
        return _own_explanation(end, end.own_words)
    return "Shall we look at it together?" if end.is_second_loss else _deciding_sentence(end)


def _own_explanation(end: End, last_words: LastWords) -> str:
    """Return the explanation of an opponent that has last words of its own."""
    if end.result == "drawn" and end.move_number:
        return _deciding_sentence(end)
    if end.is_won_at_once and last_words.at_once:
        return last_words.at_once
    if end.kind == "open" and last_words.let_in:
        return f"{last_words.sentence} {_deciding_sentence(end)}"
    if end.result == "lost" and end.move_number and last_words.let_in:
        return f"{last_words.sentence} {last_words.let_in % end.move_number}"
    return last_words.sentence


# After a draw that earned a square but completed no line, by the number of squares earned.
COUNT_REMARKS = {
    2: "Two are yours. I would not call that a habit.",
    3: "Three are yours. Not in a row, I notice.",
    4: "Four are yours. I still have more.",
    5: "Five are yours. Now you have more.",
    6: "Six are yours. Three left, and I know which.",
    7: "Seven are yours. I am down to two.",
}


def _deciding_sentence(end: End) -> str:
    """Return what decided the game, or what a draw earned or did not earn."""
    square_name = "" if end.square is None else the(end.square)
    help_phrase = "used a hint" if end.help_used == "hint" else "undid a move"
    match end.kind:
        case "won":
            return "It was there for the taking."
        case "drawn":
            return f"You were winning until move {end.move_number}."
        case "open":
            return f"{capitalized(square_name)} was open."
        case "fork":
            threats = f"{number(end.threat_count)} threats"
            return f"{capitalized(square_name)} made {threats}. You had one move."
        case "only":
            return f"At move {end.move_number}, only {square_name} was safe."
        case "let in":
            return f"Move {end.move_number}, {square_name}, let me in."
        case "no way":
            return "From that board I could not lose."
        case "set up":
            return "Not from an empty board, so no square."
        case "helped" if end.human == O:
            return f"You {help_phrase}."
        case "helped":
            return f"You {help_phrase}, so no square."
        case "second":
            return "And you went second. That is harder."
        case "friend" if end.result == "lost":
            verb_phrase = "lost here too" if end.friend_result == "lost" else "got a draw here"
            return f"Your friend {verb_phrase}."
        case "friend" if end.friend_result == "lost":
            return "Your friend lost here. You did not."
        case "friend":
            return "So did your friend."
        case "last":
            return "Not one is mine anymore."
        case "again":
            rest = f"{number(end.unearned_count)} to go" if end.unearned_count else "all nine are"
            return f"{capitalized(square_name)} is already yours. {capitalized(rest)}."
        case "eighth":
            assert end.unearned_square is not None, "one square must be left"
            return f"One to go: {the(end.unearned_square)}. I will be waiting."
        case "line" if end.new_line_count > 1:
            return f"{capitalized(number(end.new_line_count))} lines at once. I know that trick."
        case "line" if end.old_line_count:
            return "Another line of three. I see what you are doing."
        case "line":
            return "A line of three. It only took three draws."
        case "count" if end.earned_count == 1:
            return f"{capitalized(square_name)} is yours. Eight to go."
        case "count":
            return COUNT_REMARKS[end.earned_count]
        case _:
            assert_never(end.kind)


# Why a game ended as it did, or why the opponent made its reply


def open_line_sentence(line: Line) -> str:
    """Return what the blunder was: the human left the opponent's line open."""
    return f"I had two {direction(line)}. You did not block."


def fork_sentence(win: ForcedWin) -> str:
    """Return the sentence on the opponent's fork: its square, and how many threats it makes."""
    fork = capitalized(the(win.followed_square))
    return f"{fork} makes {number(len(win.threats))} threats. You can block one."


def forced_win_sentence(plan: Plan) -> str:
    """Return how the opponent wins by a plan."""
    threats = f"{number(len(plan.threats))} threats"
    if plan.is_forced:
        return f"You must block {the(plan.reply)}. Then I make {threats}."
    return f"Whatever you reply, I make {threats}."


def missed_win_sentence(win: ForcedWin) -> str:
    """Return how the human could have won."""
    return f"Here you could have {MISSED_WIN_PHRASES[win.kind]}."


def no_blunder_sentence(end: End, story: Story) -> str:
    """Return how a game went, if no blunder by the human decided it."""
    if story.turning_point:
        phrase = "you win" if end.result == "won" else "a win slip"
        return f"At move {story.turning_point.number} I let {phrase}."
    match end.result:
        case "won":
            return "You were winning from the start."
        case "lost":
            return "From that board I could not lose."
        case "drawn":
            moves = story.only_moves or story.critical_moves
            if not moves:
                return "A draw all the way. You had no losing move."
            numbers = f"move{'s' * (len(moves) > 1)} {listed(move.number for move in moves)}"
            if story.only_moves:
                return f"{times(len(moves))}, only one square was safe, at {numbers}."
            return f"A draw all the way. You could have lost at {numbers}."
        case _:
            assert_never(end.result)


def block_sentence(line: Line, square: Square) -> str:
    """Return why the reply was forced: it blocked the human's line."""
    return f"You had two {direction(line)}. I had to block {the(square)}."


def threats_sentence(squares: Collection[Square]) -> str:
    """Return the sentence on the squares at which the opponent can win."""
    return f"I can win at {number(len(squares))} squares. You can block one."


def losing_square_sentence(square: Square) -> str:
    """Return why another square was worse: the opponent would have lost there."""
    return f"At {the(square)} I would have lost. See the pencil."


def lost_position_sentence() -> str:
    """Return the comment on a reply when every move of the opponent loses."""
    return "You can win here. See the pencil."


def safe_squares_sentence(safe_count: int, choice_count: int) -> str:
    """Return the sentence on the opponent's squares that kept the draw, and on the others."""
    if safe_count == choice_count:
        return "All my squares were safe."
    return f"{capitalized(number(safe_count))} of my squares were safe. The others lost."


def direction(line: Line) -> str:
    """Return which way a line runs.

    >>> direction((0, 4, 8))
    'on a diagonal'
    """
    return ("in a row", "in a column", "on a diagonal")[LINES.index(line) // 3]


# What is sent to others


def share_lines(result: SharedResult, earned_count: int) -> tuple[str, str, str]:
    """Return the text beside the three rows of the human's squares."""
    if result == "lost":
        return f"Tic-tac-toe: {earned_count} of 9.", "It beat me here.", "Can you stop it?"
    if earned_count == 9:
        return "Tic-tac-toe: all nine.", "It has none left.", "Can you stop it?"
    return f"Tic-tac-toe: {earned_count} of 9.", "I stopped it here.", "Can you?"


def answer_lines(
    result: SharedResult,
    friend_result: SharedResult,
    own_count: int,
    friend_count: int,
    next_square: Square | None,
) -> tuple[str, str, str]:
    """Return the text beside the three rows in an answer to a friend.

    It ends with the square that the friend is to try next, if there is one.
    """
    too = " too" if result == friend_result else ""
    own_result = f"I stopped it{too}." if result == "held" else f"It beat me{too}."
    score = (
        f"{own_count} each."
        if own_count == friend_count
        else f"{own_count} to your {friend_count}."
    )
    turn = "Your turn." if next_square is None else f"Now you: {SQUARE_NAMES[next_square]}."
    return own_result, score, turn


def plain_share_lines(result: SharedResult) -> tuple[str, ...]:
    """Return the text sent about a game, without the nine squares."""
    if result == "held":
        return "Tic-tac-toe: I stopped it here.", "Can you?"
    return "Tic-tac-toe: it beat me here.", "Can you stop it?"
