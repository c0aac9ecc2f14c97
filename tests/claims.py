"""What the pages say, sentence by sentence, re-derived from the rules without the engine.

A claim is a pattern of one sentence, and what has to hold of a move where that is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from tests.textbook import (
    ROWS,
    chance_after,
    children,
    every_game,
    images,
    move_scores,
    over,
    sign,
    turn,
    winner,
)

NAMES = [
    "top left", "top centre", "top right",
    "middle left", "centre", "middle right",
    "bottom left", "bottom centre", "bottom right",
]  # fmt: skip


def other(mark: str) -> str:
    return "O" if mark == "X" else "X"


def wins_at(board: str, mark: str) -> list[int]:
    """Return the empty squares where `mark` would win, were it its move."""
    return [
        square
        for square in range(9)
        if board[square] == "-" and winner(board[:square] + mark + board[square + 1 :]) == mark
    ]


def squares(text: str) -> list[int]:
    return [NAMES.index(name) for name in re.split(", | and | or ", text)]


def line_name(row: str) -> str:
    """Name a line from the names of its squares: what two of them share, or else the diagonal."""
    line = [int(square) for square in row]
    words = [set(NAMES[square].split()) for square in line if square != 4]
    shared = words[0] & words[1]
    if 4 in line and not shared:
        shared = {"middle"} if 3 in line else {"centre"} if 1 in line else set()
    rows = ("top", "middle", "bottom")
    return next((f"{w} {'row' if w in rows else 'column'}" for w in shared), "diagonal")


def line_names(board: str, mark: str, the: str = "") -> str:
    lines = [row for row in ROWS if {board[int(square)] for square in row} == {mark}]
    if lines == ["048", "246"]:
        return "both diagonals"
    return " and ".join(f"{the}{line_name(line)}" for line in lines)


def percent(chance: Fraction) -> str:
    return f"{float(100 * chance):.1f}".removesuffix(".0") + " %"


def highest(board: str) -> list[int]:
    scores = move_scores(board)
    return [square for square in scores if scores[square] == max(scores.values())]


def chances(board: str) -> dict[int, Fraction]:
    """Return the moves that score highest with their chance against a random opponent."""
    return {square: chance_after(children(board)[square]) for square in highest(board)}


def best(board: str) -> list[int]:
    """Return the moves that perfect play chooses among; none once over."""
    found = chances(board)
    return [square for square in found if found[square] == max(found.values())]


# How a side wins

WIN = (
    r"(?:w[io]n at (?P<now>[a-z ,]+)"
    r"|fork(?:ed)? at (?P<fork>[a-z ]+), threatening (?P<threats>[a-z ,]+?)"
    r"(?:, or at (?P<more>[a-z ,]+))?"
    r"|forced? a win from (?P<force>[a-z ,]+), by turn (?P<turns>\d) at the latest)"
)


def wins_so(board: str, said: re.Match[str], earlier: int = 0) -> bool:
    """Say whether the side to move on `board` wins so, by all the moves that win as soon."""
    mark, scores = turn(board), move_scores(board)
    top = max(scores.values())
    if said["now"]:
        return squares(said["now"]) == wins_at(board, mark) == highest(board)
    if said["fork"]:
        forks = squares(said["fork"]) + (squares(said["more"]) if said["more"] else [])
        threats = {square: wins_at(children(board)[square], mark) for square in forks}
        return (
            forks == highest(board)
            and not wins_at(board, mark)
            and all(len(made) > 1 for made in threats.values())
            and not any(wins_at(children(board)[square], other(mark)) for square in forks)
            and squares(said["threats"]) == threats[forks[0]]
        )
    turns = int(said["turns"]) - earlier
    return squares(said["force"]) == highest(board) and top == 10 - turns and 3 < turns < 10


# What is said of a move

Claim = Callable[[str, int, "re.Match[str]"], bool]


def completes(board: str, square: int, said: re.Match[str]) -> bool:
    child, mark = children(board)[square], turn(board)
    return winner(child) == said[1] == mark and said[2] == line_names(child, mark, "the ")


def blocks(board: str, square: int, said: re.Match[str]) -> bool:
    threat = NAMES.index(said[2]) == square and square in wins_at(board, said[1])
    scores = move_scores(board)
    rest = [scores[s] for s in scores if s != square]
    return said[1] == other(turn(board)) and threat and scores[square] >= 0 > max(rest)


def forks(board: str, square: int, said: re.Match[str]) -> bool:
    child, mark = children(board)[square], turn(board)
    made = wins_at(child, mark)
    return (
        (said[1], said[3]) == (mark, other(mark))
        and squares(said[2]) == made
        and square in highest(board)
        and len(made) > 1
        and not wins_at(child, other(mark))
    )


def last(board: str, square: int, said: re.Match[str]) -> bool:
    return board.count("-") == 1


def only(board: str, square: int, said: re.Match[str]) -> bool:
    """It would say too little of a move that wins."""
    scores = move_scores(board)
    safe = [s for s in scores if scores[s] >= 0]
    return int(said[1]) == len(scores) and safe == [square] and scores[square] == 0


def draws(board: str, square: int, said: re.Match[str]) -> bool:
    found = chances(board)
    return (
        square in best(board)
        and move_scores(board)[square] == 0
        and int(said[1]) == len(found) > 1
        and said[2].startswith("this one") == (len(best(board)) == 1)
        and said[3] == percent(found[square]) != percent(Fraction(0))
    )


def draws_without_hope(board: str, square: int, said: re.Match[str]) -> bool:
    found, scores = chances(board), move_scores(board)
    return (
        square in found
        and scores[square] == 0
        and int(said[1]) == len(found) > 1
        and not any(found.values())
    )


def wins(board: str, square: int, said: re.Match[str]) -> bool:
    mark, score = turn(board), move_scores(board)[square]
    sooner = score < max(move_scores(board).values())
    sides = (said[1], said[3]) == (mark, other(mark))
    return sides and score == 10 - int(said[2]) > 0 and not (said[4] and sooner)


def resists(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    return scores[square] == max(scores.values()) < 0 and len(scores) > 1


def as_good(board: str, square: int, said: re.Match[str]) -> bool:
    scores, found = move_scores(board), highest(board)
    drawn = len(found) == int(said[1]) if said[1] else False
    value = max(scores.values())
    return square in found and square not in best(board) and (drawn if value == 0 else value < 0)


def prefers(board: str, square: int, said: re.Match[str]) -> bool:
    found, preferred = chances(board), best(board)
    return (
        square in found.keys() - set(preferred)
        and squares(said[1]) == preferred
        and (said[2], said[3]) == (percent(found[preferred[0]]), percent(found[square]))
        and said[2] != said[3]
    )


def can_now(board: str, square: int, said: re.Match[str]) -> bool:
    """Say that nothing was better."""
    mine = said["they"] == other(turn(board)) and square in highest(board)
    return mine and wins_so(children(board)[square], said, earlier=1)


def left_open(board: str, square: int, said: re.Match[str]) -> bool:
    they = other(turn(board))
    found = squares(said["open"])
    return (
        (said["side"], said["they"]) == (turn(board), they)
        and found == wins_at(children(board)[square], they)
        and set(found) <= set(wins_at(board, they))
        and bool(said["s"]) == (len(found) > 1)
        and square not in highest(board)
    )


def let(board: str, square: int, said: re.Match[str]) -> bool:
    sides = (said["side"], said["they"]) == (turn(board), other(turn(board)))
    avoidable = square not in highest(board)
    return sides and avoidable and wins_so(children(board)[square], said, earlier=1)


def still_wins(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    late = square not in highest(board)
    return said[1] == turn(board) and late and scores[square] == 10 - int(said[2]) > 0


def gave_away(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    return said[1] == turn(board) and scores[square] == 0 < max(scores.values())


def could_have(board: str, square: int, said: re.Match[str]) -> bool:
    return said["side"] == turn(board) and square not in highest(board) and wins_so(board, said)


def holds_out(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    longest = max(scores.values())
    later = scores[square] < longest == int(said[2]) - 10 < 0
    return later and squares(said[1]) == best(board)


def keeps_draw(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    return scores[square] < max(scores.values()) == 0 and squares(said[1]) == best(board)


CLAIMS: dict[str, Claim] = {
    r"(\w) completes (.+) now\.": completes,
    r"(\w) was about to win at (.+); every other move loses\.": blocks,
    r"(\w) threatens (.+) at once; (\w) can block only one\.": forks,
    r"It was the only square left\.": last,
    r"Of (\d) moves it is the only one that does not lose\.": only,
    r"(\d) moves draw; none of them beats even a random opponent any more\.": draws_without_hope,
    r"(\d) moves draw; (this one beats a random opponent most often"
    r"|none beats a random opponent more often than this one) \((.+)\)\.": draws,
    r"(\w) can win by turn (\d) at the latest, whatever (\w) answers"
    r"(; no move wins sooner)?\.": wins,
    r"Every move loses; none lasts longer than this one\.": resists,
    r"(?:Every move loses, and none lasts longer|(\d) moves draw):"
    r" against perfect play this one is as good as any\.": as_good,
    r"Perfect play prefers (.+), which beats a random opponent more often"
    r" \((.+) against (.+)\)\.": prefers,
    rf"(?P<they>\w) can now {WIN}\.": can_now,
    r"(?P<side>\w) left (?P<they>\w)'s win(?P<s>s?) at (?P<open>[a-z ,]+) open\.": left_open,
    rf"(?P<side>\w) let (?P<they>\w) {WIN}\.": let,
    r"(\w) can still win, by turn (\d) at the latest\.": still_wins,
    r"(\w) gave away a win\.": gave_away,
    rf"(?P<side>\w) could have {WIN}\.": could_have,
    r"Every move loses; perfect play was (.+),"
    r" which holds out until turn (\d) at least\.": holds_out,
    r"Perfect play was (.+), which keeps the draw\.": keeps_draw,
}


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=\.) (?=[A-Z\d])", text)


def proved(board: str, square: int, text: str, claims: dict[str, Claim] = CLAIMS) -> list[Claim]:
    """Return what `text` claims of a move, each proved; raise AssertionError for what is not so."""
    found = []
    for sentence in sentences(text):
        matches = [(re.fullmatch(pattern, sentence), claim) for pattern, claim in claims.items()]
        ((said, claim),) = [(said, claim) for said, claim in matches if said]
        assert claim(board, square, said), (board, square, sentence)
        found.append(claim)
    return found


def owed(board: str, square: int) -> list[set[Claim]]:
    """Return what is to be said of a move: of each set one.

    Of a losing move what it allows, of one that is not the best what was better, and of a block
    that wins that it does.
    """
    scores = move_scores(board)
    score, top = scores[square], max(scores.values())
    found: list[set[Claim]] = []
    if score < 0:
        found.append({can_now} if score == top else {left_open, let})
    if score < top:
        found.append({could_have} if top > 0 else {keeps_draw} if top == 0 else {holds_out})
    elif square not in best(board):
        found.append({prefers})
    elif score > 0:
        found.append({completes, forks, wins})
    return found


# What the game page says in short: of a move of the computer, which is "it", to the other side.
# Each claim holds of moves with one result only, so that none of them says too little.


def blocks_you(board: str, square: int, said: re.Match[str]) -> bool:
    score = move_scores(board)[square]
    about_to = square in wins_at(board, other(turn(board)))
    return about_to and square in best(board) and score >= 0 and bool(said[1]) == (score > 0)


def threatens(board: str, square: int, said: re.Match[str]) -> bool:
    """Say whether it wins at one of the squares named, whatever the answer."""
    child, it, you = children(board)[square], turn(board), other(turn(board))
    made, answers = wins_at(child, it), children(child).values()
    return (
        square in best(board)
        and squares(said[1]) == made
        and len(made) > 1
        and not any(winner(answer) == you for answer in answers)
        and all(wins_at(answer, it) for answer in answers)
    )


def does_not_lose(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    rest = [scores[s] for s in scores if s != square]
    return int(said[1]) == len(scores) and scores[square] == 0 > max(rest)


def can_win(board: str, square: int, said: re.Match[str]) -> bool:
    scores = move_scores(board)
    return scores[square] == max(scores.values()) > 0


def none_holds_out(board: str, square: int, said: re.Match[str]) -> bool:
    return square in best(board) and move_scores(board)[square] < 0


def draw_in_short(board: str, square: int, said: re.Match[str]) -> bool:
    drawing = chances(board)
    return (
        move_scores(board)[square] == max(move_scores(board).values()) == 0
        and int(said[1]) == len(drawing) > 1
    )


def none_wins_more_often(board: str, square: int, said: re.Match[str]) -> bool:
    drawing = chances(board)
    return draw_in_short(board, square, said) and drawing[square] == max(drawing.values()) > 0


def none_can_win(board: str, square: int, said: re.Match[str]) -> bool:
    """However both go on: it would say too little of one that wins by a mistake."""
    ends = [end for move in chances(board) for end in every_game(children(board)[move])]
    return draw_in_short(board, square, said) and turn(board) not in map(winner, ends)


# Of a move at random: what it comes to, and the best there is
AT_RANDOM: dict[str, Callable[[int, int], bool]] = {
    "it could have won sooner": lambda score, top: 0 < score < top,
    "it missed a win": lambda score, top: score == 0 < top,
    "it missed a win, and now you can win": lambda score, top: score < 0 < top,
    "now you can win": lambda score, top: score < 0 == top,
    "now you can win sooner": lambda score, top: score < top < 0,
    "it loses anyway, and nothing holds out longer": lambda score, top: score == top < 0,
    "no move has a better result": lambda score, top: score == top == 0,
}


def at_random(holds: Callable[[int, int], bool]) -> Claim:
    def claim(board: str, square: int, said: re.Match[str]) -> bool:
        scores = move_scores(board)
        return holds(scores[square], max(scores.values()))

    return claim


IN_SHORT: dict[str, dict[str, Claim]] = {
    "perfect": {
        r"you were about to win there(, and now it can win)?\.": blocks_you,
        r"it threatens (.+); you can block only one\.": threatens,
        r"the only one of (\d) moves that does not lose\.": does_not_lose,
        r"it can win from here, whatever you answer\.": can_win,
        r"it loses whatever it plays; nothing holds out longer\.": none_holds_out,
        r"one of (\d) moves that draw; a random player would lose to it most often\.": (
            none_wins_more_often
        ),
        r"one of (\d) moves that draw; none can win any more\.": none_can_win,
    },
    "random": {
        r"a lucky block: you were about to win there(, and now it can win)?\.": blocks_you,
        r"by luck it threatens (.+); you can block one\.": threatens,
        r"by luck the only one of (\d) moves that does not lose\.": does_not_lose,
        r"by luck it can win from here, whatever you answer\.": can_win,
        **{rf"picked at random; {said}\.": at_random(holds) for said, holds in AT_RANDOM.items()},
    },
}


# To whom it is said

THIRD_PERSON = {
    # what the reader is told of the mark it plays: what others are
    r"\bYou complete\b": "{} completes",
    r"\bYou threaten\b": "{} threatens",
    r"\bYou were\b": "{} was",
    r"\bYou (can|could|left|let|gave|won|never)\b": r"{} \1",
    r"\bleft your (wins?)\b": r"left {}'s \1",
    r"\blet you\b": "let {}",
    r"\bwhatever you answer\b": "whatever {} answers",
    r"; you can block\b": "; {} can block",
}


def in_third_person(text: str, you: str) -> str:
    """Say of `you` what was said to it; raise AssertionError where it is still spoken to."""
    for said, means in THIRD_PERSON.items():
        text = re.sub(said, means.format(you), text)
    assert not re.search(r"\byou\b|\byour\b", text, re.IGNORECASE), text
    return text


# What makes the best moves better

PREFERENCES: dict[str, Callable[[list[int], list[int], list[int]], bool]] = {
    # each is given the moves with the best result, those of them that score highest, the best
    r"The only move that (wins|does not lose)\.": lambda good, high, best: len(good) == 1,
    r"The (\d) moves that (win, win equally soon|draw are equally good)\.": (
        lambda good, high, best: good == high == best != good[:1]
    ),
    r"Of the moves that win, (this one|these) wins? soonest\.": (
        lambda good, high, best: good != high == best
    ),
    r"Of the moves that draw, all as good against perfect play,"
    r" (this one|these) beats? a random opponent most often\.": (
        lambda good, high, best: good == high != best
    ),
    r"Every move loses, and none is better than another\.": (
        lambda good, high, best: good == high == best
    ),
    r"Every move loses; (this one|these) lasts? longest\.": (
        lambda good, high, best: good != high == best
    ),
    r"Every move loses; of those that last longest,"
    r" (this one|these) beats? a random opponent most often\.": (
        lambda good, high, best: high != best
    ),
}


def preference_is_so(board: str, text: str) -> bool:
    scores = move_scores(board)
    top = max(scores.values())
    good = [square for square in scores if sign(scores[square]) == sign(top)]
    ((said, holds),) = [
        (said, holds)
        for pattern, holds in PREFERENCES.items()
        if (said := re.fullmatch(pattern, text))
    ]
    result = re.search(r"win|does not lose|draw|Every move loses", text)
    assert result
    right_result = {"win": top > 0, "Every move loses": top < 0}.get(result[0], top == 0)
    one = re.search(r"this one (wins|beats|lasts)\b", text)
    number = next((int(group) for group in said.groups() if group and group.isdigit()), None)
    return (
        right_result
        and holds(good, highest(board), best(board))
        and (
            not re.search("this one|these (win|beat|last)", text)
            or bool(one) == (len(best(board)) == 1)
        )
        and number in (None, len(good))
    )


# The same at the prompt, by whether they win (1), draw (0) or lose (-1)
AT_THE_PROMPT: dict[str, Callable[[int, list[int], list[int], list[int]], bool]] = {
    "nothing else wins": lambda top, good, high, best: top == 1 == len(good),
    "every move that wins, wins as soon": (
        lambda top, good, high, best: top == 1 < len(good) and good == high == best
    ),
    "nothing else wins as soon": lambda top, good, high, best: top == 1 and good != high == best,
    "everything else loses": lambda top, good, high, best: top == 0 and len(good) == 1,
    "every move that draws is as good": (
        lambda top, good, high, best: top == 0 and good == high == best and len(good) > 1
    ),
    "no other move that draws beats a random opponent as often": (
        lambda top, good, high, best: top == 0 and high != best
    ),
    "every move loses, and none is better": (
        lambda top, good, high, best: top == -1 and good == high == best
    ),
    "every move loses, and no other as late": (
        lambda top, good, high, best: top == -1 and good != high == best
    ),
    "every move loses, and of those that lose as late no other beats a random opponent as often": (
        lambda top, good, high, best: top == -1 and high != best
    ),
}


def prompt_is_so(board: str, text: str) -> bool:
    scores = move_scores(board)
    top = sign(max(scores.values()))
    good = [square for square in scores if sign(scores[square]) == top]
    return AT_THE_PROMPT[text](top, good, highest(board), best(board))


# What else stands on the page of a move


def arithmetic(score: int, mark: str) -> str:
    if score == 0:
        return "0: a draw; neither side can force a win."
    turns, won = 10 - abs(score), mark if score > 0 else other(mark)
    sum_ = f"+{score} = 10 − {turns}" if score > 0 else f"−{-score} = {turns} − 10"
    when = {1: "wins on turn 1, which is this move", 2: "can win on turn 2, which is the next"}
    late = f"can win by turn {turns} at the latest, counting this move as 1"
    return f"{sum_}: {won} {when.get(turns, late)}. A turn is one mark."


@cache
def nodes(board: str) -> int:
    return sum(1 + nodes(child) for child in children(board).values())


@cache
def below(board: str) -> frozenset[str]:
    found = children(board).values()
    return frozenset(found).union(*map(below, found))


def listed(names: list[int], word: str) -> str:
    *most, end = [NAMES[square] for square in names]
    return f"{', '.join(most)} {word} {end}" if most else end


def count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' if number != 1 else ''}"


def why_is_so(board: str, square: int, said: list[str]) -> bool:
    """Say whether what the page of a move says after how to read it is so."""
    mark, score = turn(board), move_scores(board)[square]
    reason, numbers, sum_, perfect, legend = said
    assert numbers.startswith("The number on a square is its score")
    opening = f"{mark} {NAMES[square]}. "
    best_are = f"Perfect play here is {listed(best(board), 'or')}. "
    size = (
        f"The tree below this position has {count(nodes(board), 'node')},"
        f" {count(len(below(board)), 'different position')}."
    )
    preference = perfect.removeprefix(best_are).removesuffix(size).strip()
    return (
        reason.startswith(opening)
        and bool(proved(board, square, reason.removeprefix(opening)))
        and sum_ == arithmetic(score, mark)
        and perfect == f"{best_are}{preference}{' ' if preference else ''}{size}"
        and (preference_is_so(board, preference) if len(move_scores(board)) > 1 else not preference)
        and legend == "What each move leads to where both sides go on perfectly."
    )


def same_as(board: str, square: int) -> list[int]:
    """Return the other moves that lead to the same board, turned or mirrored."""
    looks = {child: sorted(images(child)) for child in children(board).values()}
    own = looks[children(board)[square]]
    return [s for s, child in children(board).items() if looks[child] == own and s != square]


def alternatives_are_so(board: str, square: int, groups: dict[str, list[str]]) -> bool:
    """Say whether the moves listed below each result are those that lead to it, the played one
    for those it is one with.
    """
    expected: dict[str, list[str]] = {}
    seen: set[int] = set()
    scores = move_scores(board)
    for move in sorted(scores, key=lambda s: -scores[s]):
        if move in seen:
            continue
        same = same_as(board, move)
        name = square if square in same else move
        rest = sorted({move, *same} - {name})
        seen |= {move, *same}
        played = " · played" if name == square else ""
        also = (
            f", ×{len(rest) + 1}: the same, turned or mirrored, at {listed(rest, 'and')}"
            if rest
            else ""
        )
        leads = result_in_words(scores[move], turn(board))
        expected.setdefault(leads, []).append(f"{NAMES[name]}{played}{also}")
    return list(groups.items()) == list(expected.items())


# What is said of a game


def result_in_words(score: int, mark: str, draw: str = "Draw") -> str:
    if score == 0:
        return draw
    turns = 10 - abs(score)
    won = mark if score > 0 else other(mark)
    return f"{won} wins {'now' if turns == 1 else f'in {turns}'}"


class Judged:
    """Hold one move of a game and what it comes to."""

    def __init__(self, ply: int, board: str, square: int) -> None:
        scores = move_scores(board)
        self.ply, self.board, self.square, self.mark = ply, board, square, turn(board)
        self.before, self.after = max(scores.values()), scores[square]
        self.lowers = sign(self.after) < sign(self.before)
        holding = [value for value in scores.values() if sign(value) == sign(self.before)]
        self.verdict = (
            "wins" if winner(children(board)[square])
            else "blunder" if self.lowers and self.after < 0
            else "missed win" if self.lowers
            else "slower win" if 0 < self.after < self.before
            else "quicker loss" if self.after < self.before
            else "lost already" if self.before < 0
            else "only move" if len(holding) == 1 < len(scores)
            else "fine"
        )  # fmt: skip


def judged(game: tuple[int, ...]) -> list[Judged]:
    board, found = "-" * 9, []
    for ply, square in enumerate(game):
        found.append(Judged(ply, board, square))
        board = children(board)[square]
    return found


def ending(board: str, you: str | None) -> str:
    if not over(board):
        return "The game is not over yet."
    if won := winner(board):
        return f"{'You' if won == you else won} won: {line_names(board, won)}."
    return "A draw."


def kept(moves: list[Judged], you: str | None) -> str:
    said = []
    for mark in [you] if you else ["X", "O"]:
        own = [move for move in moves if move.mark == mark]
        given = [
            f"a {'win' if m.before > 0 else 'draw'} on move {m.ply + 1}" for m in own if m.lowers
        ]
        listed = " and ".join([", ".join(given[:-1]), given[-1]] if given[1:] else given)
        did = f"gave away {listed}" if given else "never gave away a win or a draw"
        if own:
            said.append(f"{'You' if you else mark} {did}.")
    return " ".join(said)


def turning_point(moves: list[Judged], you: str | None) -> str:
    lowering = [move for move in moves if move.lowers]
    if not lowering:
        return "No turning point: no move lowered its side's result."
    move = lowering[-1]
    before, after = (result_in_words(n, move.mark, "a draw") for n in (move.before, move.after))
    name = f"{'your ' if move.mark == you else ''}{move.mark} {NAMES[move.square]}"
    return (
        f"The turning point was move {move.ply + 1}, {name}: {before} before it, {after} with it."
    )


def turned(game: tuple[int, ...], you: str) -> str:
    """Return where a game turned, in short, and what the last such move gave away."""
    lowering = [move for move in judged(game) if move.lowers]
    if not lowering:
        return "No turning point: nobody gave a win or a draw away."
    move = lowering[-1]
    child, they = children(move.board)[move.square], other(move.mark)
    wins = wins_at(child, they)  # at once, as it is their turn
    assert turn(child) == they and set(wins) <= set(wins_at(move.board, they))
    did = {
        (1, 0, False): "gave a win away",
        (1, -1, False): "gave a win away, and the draw too",
        (1, -1, True): "gave a win away and let {} win at {}",
        (0, -1, False): "gave the draw away",
        (0, -1, True): "let {} win at {}",
    }[sign(move.before), sign(move.after), bool(wins)]
    at = " or ".join(NAMES[square] for square in wins)
    who = "you" if they == you else they
    your = "your " if move.mark == you else ""
    return f"Turning point: {your}{move.mark} {NAMES[move.square]} {did.format(who, at)}."


GLYPHS = {
    "wins": "✓",
    "blunder": "??",
    "missed win": "?",
    "slower win": "?!",
    "quicker loss": "?!",
    "only move": "!",
    "lost already": "·",
    "fine": "✓",
}


def review(game: tuple[int, ...], you: str | None) -> list[str]:
    """Return every paragraph of the review of a game, nothing tried again."""
    moves = judged(game)
    end = children(moves[-1].board)[moves[-1].square]
    said = [
        "Beside each move stands what perfect play on both sides led to before it → after it. In 2"
        " means: with the second mark from there, this move being the first.",
        f"{ending(end, you)} {kept(moves, you)}",
        turning_point(moves, you),
    ]
    for move in moves:
        reader = " (you)" if move.mark == you else ""
        before, after = (result_in_words(score, move.mark) for score in (move.before, move.after))
        said.append(
            f"{move.ply + 1}. {move.mark} {NAMES[move.square]}{reader}"
            f" {GLYPHS[move.verdict]} {move.verdict}"
        )
        said.append(f"{before} → {after} · Why?")
        if move.after < move.before:
            said.append(f"Find a better move for {move.mark}.")
            said.append("Show the solution Skip")
    return said


def lanes(game: tuple[int, ...]) -> str:
    """Return who wins with perfect play, from the empty board on, as it is told in words."""
    results = [result_in_words(sign(move.after) * 9, move.mark) for move in judged(game)]
    return ", ".join(["draw", *(said.removesuffix(" now").lower() for said in results)])
