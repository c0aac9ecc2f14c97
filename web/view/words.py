"""The words that sentences share, as plain text: squares, sides, counts, lines and results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import assert_never

from markupsafe import Markup, escape

from engine.position import OTHER, SQUARE_NAMES, Line, Mark, Outcome, Position, Square
from engine.results import Result
from teach.puzzles.moves import Consequence

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
LINE_NAMES: Mapping[Line, str] = {
    (0, 1, 2): "top row",
    (3, 4, 5): "middle row",
    (6, 7, 8): "bottom row",
    (0, 3, 6): "left column",
    (1, 4, 7): "center column",
    (2, 5, 8): "right column",
    (0, 4, 8): "diagonal",
    (2, 4, 6): "diagonal",
}
# What a side could have done, after "could have", by the kind of the `ForcedWin`.
MISSED_WIN_PHRASES = {
    "now": "won at once",
    "fork": "made two threats at once",
    "force": "forced a win",
}
BOTH_DIAGONALS = ((0, 4, 8), (2, 4, 6))


@lru_cache(maxsize=1024)
def rich(text: str) -> Markup:
    """Return plain text as HTML, with bold, code and colored marks; a formula stays on one line.

    Browsers must not translate marks, MAX and MIN, Greek letters, or names between underscores.

    >>> rich("**X** & O")
    Markup('<b><b class="X" translate="no">X</b></b> &amp; <b class="O" translate="no">O</b>')
    >>> rich("_A_ is 3.")
    Markup('<span translate="no">A</span> is 3.')
    """
    text = re.sub(r" ([−=≥≤]) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", str(escape(text)))
    text = re.sub(r"\b([XO])\b", r'<b class="\1" translate="no">\1</b>', text)
    untranslated = r"_([A-Z]{1,2})_|(\[α, β\]|α\s[≥=]\sβ|\b(?:MAX|MIN|[α-ω])\b)"
    text = re.sub(
        untranslated, lambda match: f'<span translate="no">{match[1] or match[2]}</span>', text
    )
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return Markup(re.sub(r"`(.+?)`", r'<code translate="no">\1</code>', text))


# Counts and lists


def capitalized(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[0].upper() + text[1:]


def number(count: int) -> str:
    """Return a count, spelled out up to nine."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def counted(count: int, noun: str) -> str:
    """Return a count and its noun.

    >>> counted(1, "square"), counted(2, "square")
    ('one square', 'two squares')
    """
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def counted_games(count: int, noun: str) -> str:
    """Return a count in digits and its noun.

    >>> counted_games(1, "win"), counted_games(2, "loss")
    ('1 win', '2 losses')
    """
    return f"{count} {noun}{'' if count == 1 else 'es' if noun.endswith('s') else 's'}"


def times(count: int) -> str:
    """Return how often something happened, with a capital letter.

    >>> times(2), times(3)
    ('Twice', 'Three times')
    """
    return {1: "Once", 2: "Twice"}.get(count) or f"{capitalized(number(count))} times"


def nth(n: int) -> str:
    """Return an ordinal, spelled out up to the eighth."""
    return ORDINALS[n - 1] if n <= len(ORDINALS) else f"{n}th"


def percent(chance: Fraction) -> str:
    """Return a chance as a percentage, to one decimal place.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 2))
    ('33.3%', '50%')
    """
    return f"{float(chance * 100):.1f}".removesuffix(".0") + "%"


def listed(items: Iterable[object], word: str = "and") -> str:
    """Return items as a sentence lists them.

    >>> listed((4, 5, 6))
    '4, 5 and 6'
    """
    *before, last = map(str, items)
    return f"{', '.join(before)} {word} {last}" if before else last


# Squares, lines and boards


def the(square: Square) -> str:
    """Return a square as a sentence names it.

    >>> the(4), the(0)
    ('the center', 'top left')
    """
    name = SQUARE_NAMES[square]
    return f"the {name}" if name == "center" else name


def squares(listed_squares: Iterable[Square], word: str = "and") -> str:
    """Return squares as a sentence lists them.

    >>> squares((0, 4), "or")
    'top left or center'
    """
    return listed((SQUARE_NAMES[square] for square in listed_squares), word)


def earned_label(
    earned: Sequence[Square], rows: Sequence[Line], whose: str = "", at_stake: Square | None = None
) -> str:
    """Return how many squares are earned, by whom, which, any row of three, and the one at stake.

    >>> earned_label((0, 4, 8), ((0, 4, 8),))
    '3 of 9 squares yours: top left, center and bottom right; three in a row'
    >>> earned_label((), (), at_stake=0)
    '0 of 9 squares yours; at stake: top left'
    """
    owner = "your friend’s" if whose == "friend" else "yours"
    names = f": {squares(earned)}" if 0 < len(earned) < 9 else ""
    row = "; three in a row" if rows and len(earned) < 9 else ""
    stake = "" if at_stake is None else f"; at stake: {SQUARE_NAMES[at_stake]}"
    return f"{len(earned)} of 9 squares {owner}{names}{row}{stake}"


def line_names(lines: Sequence[Line], article: str = "") -> str:
    """Return the names of one or two lines, each after the article.

    >>> line_names(((0, 1, 2), (0, 4, 8)), "the ")
    'the top row and the diagonal'
    """
    if lines == BOTH_DIAGONALS:
        return "both diagonals"
    return " and ".join(f"{article}{LINE_NAMES[line]}" for line in lines)


def board_in_words(position: Position) -> str:
    """Return the marks of a board, each with its square."""
    marks = ((position.mark_at(square), SQUARE_NAMES[square]) for square in range(9))
    return ", ".join(f"{mark} {name}" for mark, name in marks if mark) or "empty board"


def moves_in_words(position: Position, moves: Sequence[Square]) -> str:
    """Return the moves that follow a position, each with its mark."""
    sides = (position.turn, OTHER[position.turn])
    return ", ".join(f"{sides[n % 2]} {SQUARE_NAMES[square]}" for n, square in enumerate(moves))


# Sides and results


def side(mark: Mark, you: Mark | None) -> str:
    """Return a side within a sentence; `you` is the reader's mark, or None."""
    return "you" if mark == you else mark


def subject(mark: Mark, you: Mark | None) -> str:
    """Return a side as the subject at the start of a sentence."""
    return "You" if mark == you else mark


def winner_text(result: Result) -> str:
    """Return who wins, without the number of turns."""
    return f"{result.winner} wins" if result.winner else "draw"


def result_text(result: Result) -> str:
    """Return who wins, and in how many turns."""
    if not result.winner:
        return "draw"
    return f"{result.winner} wins {'now' if result.turns == 1 else f'in {result.turns}'}"


def ending_sentence(outcome: Outcome) -> str:
    """Return how a game ended, as a sentence."""
    return f"{outcome.winner} won: {line_names(outcome.lines)}." if outcome.winner else "A draw."


# A wrong or a right square, in a puzzle or on the board of the day


def wrong_square_sentence(consequence: Consequence, they: str) -> str:
    """Return how `they`, which is X, O or "I", would answer a wrong square."""
    s = "" if they == "I" else "s"  # the ending of each verb
    reply = f"{they} block{s}" if consequence.blocks else f"{they} take{s} {the(consequence.reply)}"
    if not consequence.win:
        return f"{reply}, and your win is gone."
    match consequence.win.kind:
        case "now":
            return f"{they} win{s} at {' or '.join(map(the, consequence.win.squares))}."
        case "fork":
            return f"{reply}, and then {they} can win in two places."
        case "force" if consequence.win.plan and consequence.win.plan.is_forced:
            return f"{they} make{s} you block, and then {they} can win in two places."
        case "force":
            return f"Whatever you reply, {they} can then win in two places."
        case _:
            assert_never(consequence.win.kind)


def elsewhere_sentence(right_squares: Sequence[Square], is_win: bool, they: str) -> str:
    """Return how many squares are right, if several are, and what happens on any other.

    `they` is the opponent, as the subject of a sentence.
    """
    count = len(right_squares)
    keep = "win" if is_win else "keep the draw"
    right = f"{capitalized(number(count))} squares {keep}. " if count > 1 else ""
    otherwise = "your win is gone" if is_win else f"{they} wins"
    return f"{right}Anywhere else, {otherwise}."
