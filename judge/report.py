"""What is told of a program, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby, zip_longest
from operator import itemgetter
from textwrap import fill, wrap
from typing import Any

from engine.notation import digits, signed
from engine.position import SQUARE_NAMES, O, Position, Square, X
from engine.results import holding_moves
from engine.review import review, turning_point
from engine.search import analyse, score, sign
from judge.verdict import FAULTS, TROUBLES
from judge.ways import look
from teach.counts import cost

MOST = 3  # boards told of each kind
WIDTH = 79
STRIP = 8  # boards side by side
FINISHED = ("won", "drawn", "lost")
STOPS = {"illegal": "an illegal answer", "errors": "an error", "timeouts": "a time-out"}
SLOWER = {
    "missed_wins": "it lets a win go on {} board{}",
    "slow_wins": "it wins later than it could on {} board{}",
    "early_losses": "it loses sooner than it must on {} lost board{}",
}
Told = Mapping[str, Any]


def in_one_line(name: str, told: Told) -> str:
    """Return the games lost and the first thing wrong, in a line."""
    if told["counts_from_1"]:
        return f"{name}: {first_thing(told)}"
    return f"{_games(name, told)}; {first_thing(told)}"


def first_thing(told: Told) -> str:
    """Return the first thing wrong, in a few words; if nothing is, say so."""
    for wrong in told["wrong"]:
        return f"{wrong['name']} is wrong on {wrong['wrong']:,} of {wrong['of']:,} boards"
    things = [*_remarks(told), *_mistakes(told), *told["seen"]]
    troubles = [f"{kind}: {told[kind]}" for kind in TROUBLES if told[kind]]
    if troubles and not things:
        things = [f"{troubles[0]} ({next(_first_troubles(told))})"]
    if not told["lost"] and not troubles:
        lenient = [f"result: it accepts {told['accepts']}"] * bool(told["accepts"])
        started = [one for one in things if "was started" in one]
        things = lenient or [*_mistakes(told)] or started or [_slower(told)]
    return things[0] if things else "its moves tell of no single mistake"


def in_words(name: str, told: Told) -> str:
    """Return the whole report."""
    return "\n\n".join(_paragraphs(name, told))


def _paragraphs(name: str, told: Told) -> Iterator[str]:
    yield _fill(f"{name}: {told['called']}" if told["called"] else f"{name}: asked by lines.")
    yield from _functions(told)
    if not told["counts_from_1"]:
        yield _fill(f"{_games('It', told)}.{_sides(told)}")
    if not told["lost"] and not any(told[key] for key in TROUBLES):
        yield _fill(_upper(_slower(told)))
    yield from _found(TROUBLES, told)
    mistakes = [*_mistakes(told)]
    for remark in _remarks(told):
        yield _fill(_upper(remark))
    yield from map(_fill, mistakes)
    for sentence in told["seen"] if not mistakes else ():
        yield _fill(sentence)
    faults = told["lost"] and not told["counts_from_1"]
    nothing = not (told["wrong"] or mistakes or told["seen"])
    if faults and nothing and not any(told[kind] for kind in TROUBLES):
        yield "Its moves tell of no single mistake: go by the boards below, and by docs/check.md."
    if not told["counts_from_1"]:  # else no square below is the one meant
        if told["shortest_loss"]:
            yield from _shortest(told)
        elif any(told[kind] for kind in FAULTS):
            yield from _found(FAULTS, told)
    yield from map(_fill, _look(told))
    if told["accepts"]:
        yield _fill(
            f"result: it accepts {told['accepts']}. It loses no game. Raise an error where the"
            " action is not among the actions."
        )
    yield (
        _fill(
            f"It was asked in {told['asked']} position{'s' * (told['asked'] > 1)} of its games"
            f" and in {told['asked_beside']} lost positions outside them. A move took"
            f" {_time(told['median_seconds'])} (the median), {_time(told['longest_seconds'])} at"
            " most. It ran with your rights."
        )
    )
    if not any(told[key] for key in ("lost", "wrong", *TROUBLES, *FAULTS)):
        yield _next()


def _fill(text: str) -> str:
    return fill(text, WIDTH, break_on_hyphens=False)


def _upper(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _list(names: Sequence[str], last: str = "and") -> str:
    """Return names as a list in words."""
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


# Functions


def _functions(told: Told) -> Iterator[str]:
    right, wrong = told["right"], told["wrong"]
    said = [f"{_list(right)} {'are' if len(right) > 1 else 'is'} right."] if right else []
    for one in wrong:
        through = one["through"]
        also = f", and so {'are' if len(through) > 1 else 'is'} {_list(through)}" if through else ""
        said.append(f"{one['name']} is wrong on {one['wrong']:,} of {one['of']:,} boards{also}.")
    if said:
        yield _fill(" ".join(said))
    for first in wrong[:1]:
        text = f"The first: {first['says']}; {first['truth']}. {first['common']}".strip()
        rows = [" ".join(first["board"][start : start + 3]) for start in (0, 3, 6)]
        lines = zip_longest(rows, wrap(text, WIDTH - 12), fillvalue="")
        yield "\n".join(f"  {row or '':5}   {line}".rstrip() for row, line in lines)
        if told["explained"] is False:
            yield _fill(
                "That explains not all: some squares it takes lose, and a right search over these"
                " functions takes others. Look at minimax, too."
            )


# Games


def _games(name: str, told: Told) -> str:
    """Return the games lost, and how all end; a game that stopped is no game survived."""
    finished, stopped = sum(told[end] for end in FINISHED), told["stopped"]
    if not finished:
        first = STOPS[next(each["kind"] for each in told["found"] if each["kind"] in STOPS)]
        stops = f"all {stopped}" if stopped > 1 else "its only one"
        return f"{name} finishes no game: {stops} stopped, the first at {first}"
    others = ", ".join(f"{told[end]} {end}" for end in ("won", "drawn") if told[end])
    ends = f" ({others})" if others else ""
    of, stops = f"{finished} games", ""
    if stopped:
        of = f"the {finished} game{'s' if finished > 1 else ''} it finished"
        stops = f"; {stopped} stopped"
    return f"{name} loses {told['lost'] or 'none'} of {of}{ends}{stops}"


def _sides(told: Told) -> str:
    """Return the games lost as X, and as O, if it finishes some on both sides."""
    sides = [
        f"{side['lost'] or 'none'} of {finished} as {mark}"
        for mark, side in told["sides"].items()
        if (finished := sum(side[end] for end in FINISHED))
    ]
    return f" {_upper(', '.join(sides))}." if len(sides) > 1 else ""


def _slower(told: Told) -> str:
    """Return where a program that loses nothing could do better."""
    slower = {kind: told[kind] for kind in SLOWER if told[kind]}
    said = [SLOWER[kind].format(boards, "s" * (boards > 1)) for kind, boards in slower.items()]
    if not said:
        return (
            "Perfect. It never lets a win or a draw go, wins as soon as it can, and where it is"
            " lost, it lasts as long as it can."
        )
    return f"It gives no draw away; {', '.join(said)}."


def _remarks(told: Told) -> Iterator[str]:
    """Yield how the program answers, where that is out of the ordinary."""
    if told["counts_from_1"]:
        yield (
            "each answer less one is a legal move: it counts squares from 1, not from 0. Return"
            " one less, or judge it with --from 1."
        )
    if told["says_more"]:
        yield "it printed more than one number for a board: answers may be mixed up."
    if told["started_anew"]:
        yield f"it was started for each board: {told['started_anew']}."
    if told["given_up"]:
        yield "it was given up after three time-outs: what was left has not been asked."


def _mistakes(told: Told) -> Iterator[str]:
    """Yield the mistakes with a name, of both sides or of each side."""
    parts = [("", told)] + [(f"As {mark} ", side) for mark, side in told["sides"].items()]
    for side, of in parts:
        ways = of["plays_as"]
        if ways:
            names = ", or in which ".join(" and ".join(way["name"]) for way in ways)
            boards = f"on all {ways[0]['of']} boards where squares differ"
            yield _upper(f"{side}it plays as a minimax in which {names}, {boards}.")


def _look(told: Told) -> Iterator[str]:
    """Yield what to look for, and the lines where to look."""
    lines = _list([f"{name} (line {line})" for name, line in told["lines"].items()])
    where = f" In {lines}." if lines else ""
    for wrong in told["wrong"]:
        text = f"Look for: {wrong['look']}{where}" if wrong["look"] else f"Look in {lines}."
        yield from [text] * bool(wrong["look"] or lines)
        return
    named = (way for of in (told, *told["sides"].values()) for way in of["plays_as"])
    for mistake in dict.fromkeys(mistake for way in named for mistake in way["name"]):
        yield f"Look for: {look(mistake)}.{where}"


def _first_troubles(told: Told) -> Iterator[str]:
    return (f"{each['board']}: {each['came']}" for each in told["found"] if each["kind"] in STOPS)


def _found(kinds: Mapping[str, str], told: Told) -> Iterator[str]:
    """Yield for each kind the number and the first boards, each with the answer."""
    for kind, name in kinds.items():
        of_kind = [each for each in told["found"] if each["kind"] == kind]
        # A random player's answers to a board stand together; the first is told.
        firsts = [next(answers) for _, answers in groupby(of_kind, itemgetter("board"))]
        came = [f"  {first['board']}  {first['came']}" for first in firsts[:MOST]]
        left = len(of_kind) - len(came)
        more = [f"  and {left} more, which --json tells"] if left else []
        if came:
            yield "\n".join([f"{name}: {len(of_kind)}", *came, *more])


# The shortest lost game


def _shortest(told: Told) -> Iterator[str]:
    """Yield a lost game board after board, and the losing move, with the values."""
    game = told["shortest_loss"]
    moves = digits(game)
    loser = (X, O)[len(game) % 2]  # has not moved last
    turn = turning_point([one for one in review(moves) if one.mark == loser])
    assert turn, "a lost game turned"
    boards = [*map(str, accumulate(moves, Position.play, initial=Position()))][1:]
    heads = [
        f"{n} {X if n % 2 else O}{' ??' * (n == turn.number)}" for n in range(1, len(game) + 1)
    ]
    heads[-1] += " wins"
    yield _fill(f"The shortest, as {loser} (on the site: /study/{game}?you={loser}):")
    for start in range(0, len(boards), STRIP):
        part = boards[start : start + STRIP]
        rows = [heads[start : start + STRIP]]
        rows += [[" ".join(board[row : row + 3]) for board in part] for row in (0, 3, 6)]
        yield "\n".join("  " + "".join(f"{cell:9}" for cell in row).rstrip() for row in rows)
    yield from _turned(turn.position, turn.square, told)


def _turned(position: Position, square: Square, told: Told) -> Iterator[str]:
    """Yield how a move gave the game away: the value, and the values of all moves."""
    mark, values = position.turn, analyse(position)
    side = 1 if mark == X else -1
    truth = {n: side * sign(value) for n, value in values.items()}
    best = [SQUARE_NAMES[n] for n in holding_moves(values)]
    own = told["values"].get(str(position))
    keeps = (
        ("wins" if len(best) == 1 else "win")
        if score(position) > 0
        else ("keeps the draw" if len(best) == 1 else "keep the draw")
    )
    only = "only " * (len(best) == 1)
    yield _fill(
        f"Move {position.ply + 1} was wrong. +1 is a win for X, -1 a win for O, 0 a draw;"
        f" {mark} needs the {'highest' if mark == X else 'lowest'}. Your program took"
        f" {SQUARE_NAMES[square]} [ ]; {only}{_list(best)} {keeps}."
    )
    shown = _values(position, truth, [square] if not own else holding_moves(values))
    if own:
        mine = _values(position, {int(n): value for n, value in own.items()}, [square])
        head = ["your program", "the truth"]
        rows = [f"  {a:15}{b}".rstrip() for a, b in zip(mine, shown, strict=True)]
        yield "\n".join([f"  {head[0]:15}{head[1]}", *rows])
    else:
        yield "\n".join(["  the truth", *(f"  {row}".rstrip() for row in shown)])


def _values(
    position: Position, values: Mapping[Square, float], chosen: Sequence[Square]
) -> list[str]:
    """Return three rows of marks and values, those chosen in brackets."""
    cells = []
    for n in range(9):
        text = position.mark_at(n) or signed(values[n]).replace("−", "-")
        cells.append(f"[{text:>2}]" if n in chosen else f" {text:>2} ")
    return ["".join(cells[start : start + 3]) for start in (0, 3, 6)]


def _next() -> str:
    of = cost(Position(), "depth")
    return _fill(
        "Next: how many boards does it enter for its first move as X? Minimax enters"
        f" {of.plain:,}, alpha-beta in the order of the squares {of.alpha_beta:,}, best first"
        f" {of.best_first:,}."
    )


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.3g} ms"
