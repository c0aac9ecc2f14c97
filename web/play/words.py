"""What the game says, as plain text: no sentence is longer than 60 letters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, assert_never

from engine.hints import Hint
from engine.position import LINES, OTHER, SQUARE_NAMES, Line, Mark, O, Square
from engine.reasons import Explanation, ForcedWin, Plan
from engine.review import Story
from teach.challenge import challenge
from web.play.ends import End, end_of
from web.play.game import FriendResult, Game
from web.play.opponents import LastWords
from web.view import invitation
from web.view.words import COULD, listed, number, the, times, upper

# What a click came to, if the board does not show it.
Notice = Literal["taken", "over", "stale", "unkept", "nothing", "undone", "back"]
NOTICES: Mapping[Notice, str] = {
    "taken": "That square is taken. Choose an empty one.",
    "over": "The game is over. Start a new one.",
    "stale": "Another tab moved on. This is the board now.",
    "unkept": "Not kept: playing on needs cookies. This is a new game.",
    "nothing": "There is nothing to take back yet.",
    "undone": "As you like.",
    "back": "Back to the game before.",
}


def notice(kind: Notice, counted: bool) -> str:
    """Return what a click came to; a game that counted no longer does after a move taken back."""
    return NOTICES[kind] + (" Now it does not count." if kind == "undone" and counted else "")


def title(game: Game) -> str:
    """Return the title of the browser's tab."""
    name, end = upper(game.opponent_name), end_of(game)
    if not end:
        return f"You against {name}" if game.is_beginning else "Your move"
    match end.ending:
        case "won":
            return f"You beat {name}"
        case "lost":
            return f"{name} wins"
        case "drawn":
            return "You held Perfect" if end.is_stopped else "A draw"
        case _:
            assert_never(end.ending)


# Before the first move


def hello(game: Game) -> str:
    """Return what the opponent says before the human's first move."""
    if game.link_length:
        return friends_request(game.friend_result)
    if game.setup_length:
        own = "We go on from here." if game.opponent.greeting else ""
        return own or invitation.sentences(challenge(game.position))
    if game.opponent.greeting:
        return game.opponent.greeting
    earned, left = game.record.earned.bit_count(), 9 - game.record.earned.bit_count()
    if earned and game.can_earn:
        if not left:
            return "All nine are yours. I would like one back."
        return f"{upper(_are(earned))} yours. {upper(_are(left))} still mine."
    if game.record.has_beaten_perfect:
        return "Nobody has beaten me from the empty board."
    return "I have never lost. Hold me to a draw, if you can."


def friends_request(was: FriendResult | None) -> str:
    """Return what a link asks for, after how the friend's game went; None says nothing of it."""
    match was:
        case "lost":
            return "Your friend lost from here. Can you hold me?"
        case "held":
            return "Your friend held me from here. Can you?"
        case None:
            return "Somebody began here. Can you hold me?"
        case _:
            assert_never(was)


def _are(count: int) -> str:
    return f"{number(count)} {'is' if count == 1 else 'are'}"


# The human's row


def row(game: Game) -> str:
    """Return whose move it is, or before the first move how many squares are held."""
    if not (game.is_beginning and game.is_contest):
        return "Your move"
    return f"{game.record.earned.bit_count()} of 9 held"


def note(game: Game) -> str:
    """Return what a draw earns, or otherwise how earlier games went."""
    record, you = game.record, f"You are {game.human}."
    if game.is_beginning and game.is_contest and not game.help_used:
        return _offer(game)
    if game.at_stake is not None:
        return f"Without help, a draw fills {the(game.at_stake)}."
    if not game.counts:
        return you
    if not game.opponent.is_perfect:
        tally = f" {record.wins} won, {record.losses} lost."
        return you + (tally if record.wins or record.losses else "")
    if game.help_used:
        return f"{you} Now it does not count."
    return f"{you} {record.earned.bit_count()} of 9 held."


def _offer(game: Game) -> str:
    if game.human == O:
        return "Go first to win squares."
    if not game.record.earned:
        return "Begin anywhere. A draw fills that square."
    has_all = game.record.earned.bit_count() == 9
    return "Begin anywhere." if has_all else "Begin on a square without a ✓."


# In play


def heard(game: Game) -> str:
    """Return where the opponent went, for a screen reader."""
    assert game.last_reply_index is not None, "the opponent has moved"
    return f"{OTHER[game.human]}: {SQUARE_NAMES[game.moves[game.last_reply_index]]}. Your move."


def reply(move: Explanation, times_before: int) -> str:
    """Return why Perfect moved so, which it has said before in this game; empty for no reason."""
    match move.reason:
        case "blocks" if move.score <= 0:
            first, again = "I had to. You would have won here.", "Again I had to."
            return (first, again, "Once more I had to.")[min(times_before, 2)]
        case "blocks" | "forks" if len(move.threats) > 1:
            return f"{upper(number(len(move.threats)))} threats now. You have one move."
        case "only":
            return f"{'Again only' if times_before else 'Only'} this square did not lose."
        case "blocks" | "forks" | "wins":
            return "From here I win, whatever you do."
        case "resists":
            return "Every square of mine loses now."
        case "draws" if not (move.win_chance or times_before):
            return "You cannot go wrong any more."
        case "draws":
            return f"I had {number(len(move.equal_moves))} safe squares."
        case "completes" | "last" | "misses" | "as good":
            return ""  # the game is over, or the move is one that Perfect does not choose
        case _:
            assert_never(move.reason)


def hinted(hint: Hint, by_perfect: bool) -> str:
    """Return what to watch for; Perfect will find it, any other opponent may."""
    at = "" if hint.square is None else the(hint.square)
    choices, threats = number(hint.move_count), number(hint.threats)
    match hint.kind:
        case "win":
            return f"You win at {at}."
        case "block":
            return f"Mind {at}: I {'win' if by_perfect else 'could win'} there next."
        case "lost":
            lasts = f"{upper(at)} lasts" if hint.sound_count < hint.move_count else "None lasts"
            longest = "longest" if hint.sound_count < hint.move_count else "longer"
            return f"Every square loses now. {lasts} {longest}."
        case "force":
            return "You can force a win: make two threats."
        case "fork" if hint.forces_fork:
            return f"Do not force me to {at}: that makes {threats} threats."
        case "fork":
            return f"Mind {at}: there I would make {threats} threats."
        case "careful" if hint.sound_count == hint.move_count - 1:
            return f"Careful: one of {choices} squares loses."
        case "careful":
            hold = "holds" if hint.sound_count == 1 else "hold"
            return f"Careful: only {number(hint.sound_count)} of {choices} squares {hold}."
        case "safe" if hint.move_count == 1:
            return "One square is left, and it holds the draw."
        case "safe":
            return "Nothing to fear: every square holds the draw."
        case _:
            assert_never(hint.kind)


def results_shown(winners: Collection[Mark | None], you: Mark) -> str:
    """Return what the squares lead to, given who wins after any of them; None is a draw."""
    if len(winners) > 1:
        return "This is what each square leads to."
    if None in winners:
        return "Every square holds the draw."
    return f"Every square {'wins' if you in winners else 'loses'}."


# At an end


def verdict(end: End) -> str:
    """Return how a game ended, in two or three words."""
    if end.own_words:
        return end.own_words.verdict
    match end.ending:
        case "won":
            return "You beat me."
        case "lost":
            return "That is twice." if end.is_second_loss else "I win."
        case "drawn" if end.kind == "drawn":
            return "A draw."
        case "drawn":
            return "All nine." if end.kind == "last" else "You held me."
        case _:
            assert_never(end.ending)


def explanation(end: End) -> str:
    """Return what decided a game, in one sentence."""
    if end.own_words:
        return _own_explanation(end, end.own_words)
    return "Shall we look together?" if end.is_second_loss else _decided(end)


def _own_explanation(end: End, words: LastWords) -> str:
    """Return the sentence of an opponent with words of its own."""
    if end.ending == "drawn" and end.move_number:
        return _decided(end)
    if end.kind == "open":
        return f"{words.sentence} {_decided(end)}"
    if end.ending == "lost" and end.move_number and words.let_in:
        return f"{words.sentence} {words.let_in % end.move_number}"
    return words.sentence


def _decided(end: End) -> str:
    at = "" if end.square is None else the(end.square)
    match end.kind:
        case "won":
            return "It was there to be taken."
        case "drawn":
            return f"You were winning until move {end.move_number}."
        case "open":
            return f"You left {at} open."
        case "fork":
            return f"{upper(at)} made {number(end.threat_count)} threats. You had one move."
        case "only":
            return f"At move {end.move_number} only {at} was safe."
        case "let in":
            return f"Move {end.move_number}, {at}, let me in."
        case "no way":
            return "From that board I could not lose."
        case "set up":
            return "Not from the first move, so no square is filled."
        case "helped":
            help = "a hint" if end.help_used == "hint" else "a move taken back"
            return f"With {help}, so it does not count."
        case "second":
            return "And you went second. That is harder."
        case "friend" if end.ending == "lost":
            went = "lost here, too" if end.friend_result == "lost" else "held me here"
            return f"Your friend {went}."
        case "friend" if end.friend_result == "lost":
            return "Your friend lost here. You did not."
        case "friend":
            return "Your friend held me here. Now so do you."
        case "last":
            return "You have held me from every square there is."
        case "again":
            left = f"{_are(end.left_count)} left" if end.left_count else "all nine are yours"
            return f"You hold {at} already. {upper(left)}."
        case "count":
            return f"{upper(at)} is yours. {upper(number(end.left_count))} to go."
        case "tempted":
            return f"At move {end.move_number} one square lost. You took another."
        case "narrow":
            yours = "You took it." if end.only_count == 1 else "Both times yours."
            return f"{times(end.only_count)} only one square was safe. {yours}"
        case _:
            assert_never(end.kind)


# Explanation a game went as it did, or why the opponent replied so


def left_open(line: Line, square: Square) -> str:
    """Return that the human played elsewhere than into the opponent's line."""
    return f"I had two {direction(line)}. You went {the(square)}."


def forks(win: ForcedWin) -> str:
    """Return where the opponent makes its threats."""
    return f"{upper(the(win.first))} makes {number(len(win.threats))} threats. You can block one."


def forced(plan: Plan) -> str:
    """Return how the opponent wins by a plan."""
    threats = number(len(plan.threats))
    if plan.is_forced:
        return f"You must block {the(plan.reply)}. Then I make {threats} threats."
    return f"Whatever you answer, I make {threats} threats."


def missed(win: ForcedWin) -> str:
    """Return how the human could have won."""
    return f"Here you could have {COULD[win.kind]}."


def no_mistake(end: End, story: Story) -> str:
    """Return how a game went that no mistake of the human's decided."""
    if story.turning_point:
        lets = "you win" if end.ending == "won" else "a win slip"
        return f"At move {story.turning_point.number} I let {lets}."
    match end.ending:
        case "won":
            return "You were winning from the start."
        case "lost":
            return "From that board I could not lose."
        case "drawn":
            moves = story.only_moves or story.critical_moves
            if not moves:
                return "A draw all the way. Nothing you could take lost."
            risk = "One safe square" if story.only_moves else "You could have lost"
            numbers = listed(move.number for move in moves)
            return f"A draw all the way. {risk} at move{'s' * (len(moves) > 1)} {numbers}."
        case _:
            assert_never(end.ending)


def had_to(line: Line, square: Square) -> str:
    """Return that the opponent had to play into the human's line."""
    return f"You had two {direction(line)}. I had to go {SQUARE_NAMES[square]}."


def threatens(squares: Collection[Square]) -> str:
    """Return at how many squares the opponent can win."""
    return f"I can win at {number(len(squares))} squares. You can block one."


def would_lose(square: Square) -> str:
    """Return that the opponent would lose at another square."""
    return f"At {the(square)} I would lose. The pencil shows how."


def is_lost() -> str:
    """Return that every move of the opponent's loses."""
    return "Here you can win. The pencil shows how."


def had_choice(safe_count: int, choice_count: int) -> str:
    """Return how many of its squares kept the draw for the opponent."""
    if safe_count == choice_count:
        return "All my squares held the draw."
    return f"{upper(number(safe_count))} of my squares held the draw. The others lost."


def direction(line: Line) -> str:
    """Return which way a line runs.

    >>> direction((0, 4, 8))
    'on a diagonal'
    """
    return ("in a row", "in a column", "on a diagonal")[LINES.index(line) // 3]
