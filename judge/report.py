"""What is told of a program, in words."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby, zip_longest
from operator import itemgetter
from pathlib import Path
from textwrap import fill, wrap
from typing import Any

from engine.notation import digits, signed
from engine.position import SQUARE_NAMES, O, Position, Square, X
from engine.results import holding_moves
from engine.review import review, turning_point
from engine.search import analyse, score, sign
from judge.mistakes import look
from judge.verdict import FAULTS, TROUBLES
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
AWAY = {
    "missed_wins": "{} let{} a win go",
    "lost_draws": "{} give{} a draw away",
    "slow_wins": "{} win{} later than could be",
    "early_losses": "{} lose{} sooner than must be",
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
        lenient = [f"result accepts {told['accepts']}"] * bool(told["accepts"])
        started = [one for one in things if "was started" in one]
        things = lenient or [*_mistakes(told)] or started or [_slower(told)]
    if not things and told["compared_with_ways"]:
        return "its moves tell of no single mistake"
    return things[0] if things else _given_away(told)


def in_words(name: str, told: Told) -> str:
    """Return the whole report."""
    return "\n\n".join(_paragraphs(name, told))


def _paragraphs(name: str, told: Told) -> Iterator[str]:
    yield _fill(f"{name}: {_called(told)}" if told["called"] else f"{name}: asked by lines.")
    yield from _functions(told)
    if not told["counts_from_1"]:
        yield _fill(f"{_games('It', told)}.{_sides(told)}")
    if not told["lost"] and not any(told[key] for key in TROUBLES):
        yield _fill(_upper(_slower(told)))
    elif any(told[key] for key in FAULTS) and not told["counts_from_1"]:
        yield _fill(_given_away(told))
    yield from _found(TROUBLES, told)
    mistakes = [*_mistakes(told)]
    for remark in _remarks(told):
        yield _fill(_upper(remark))
    yield from map(_fill, mistakes)
    for sentence in told["seen"] if not mistakes else ():
        yield _fill(sentence)
    faults = told["lost"] and not told["counts_from_1"]
    nothing = not (told["wrong"] or mistakes or told["seen"])
    if faults and nothing and told["compared_with_ways"]:
        yield "Its moves tell of no single mistake: go by the boards below, and by docs/check.md."
    if not told["counts_from_1"]:  # else no square below is the one meant
        if told["shortest_loss"]:
            yield from _shortest(told)
        elif any(told[kind] for kind in FAULTS):
            yield from _found(FAULTS, told)
    yield from map(_fill, _look(told))
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


def _called(told: Told) -> str:
    """Say how a file was asked, and where it was left while loading."""
    said = [told["called"]]
    loaded = told["loaded"]
    if "asks" in loaded:
        said.append(
            f"It asks its user in line {loaded['asks']} while it loads: it was left there, and its"
            " definitions were judged."
        )
    if loaded.get("how") == "defines":
        said.append("It never ends loading: its definitions alone were judged.")
    if "stopped" in loaded:
        said.append(f"While it loads: {loaded['stopped']}. Its definitions alone were judged.")
    return " ".join(said)


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
    if told["accepts"]:
        said.append(
            f"result accepts {told['accepts']}, too: that loses no game. Raise an error where the"
            " action is not among the actions."
        )
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


def _given_away(told: Told) -> str:
    """Return how many answers fall short, of a program that loses games."""
    said = [AWAY[kind].format(told[kind], "s" * (told[kind] == 1)) for kind in AWAY if told[kind]]
    return f"Of its answers, each board once, {_list(said)}."


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
    yield from _turned(turn.position, turn.square)


def _turned(position: Position, square: Square) -> Iterator[str]:
    """Yield how a move gave the game away: the value, and the values of all moves."""
    mark, values = position.turn, analyse(position)
    side = 1 if mark == X else -1
    truth = {n: side * sign(value) for n, value in values.items()}
    best = [SQUARE_NAMES[n] for n in holding_moves(values)]
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
    yield "\n".join(
        ["  the truth", *(f"  {row}".rstrip() for row in _values(position, truth, square))]
    )


def _values(position: Position, values: Mapping[Square, float], chosen: Square) -> list[str]:
    """Return three rows of marks and values, those chosen in brackets."""
    cells = []
    for n in range(9):
        text = position.mark_at(n) or signed(values[n]).replace("−", "-")
        cells.append(f"[{text:>2}]" if n == chosen else f" {text:>2} ")
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


# What cannot be asked

NO_CALL = {
    "no such function": "it has no {call}",
    "two ways": "{call} can be asked in two ways, which answer otherwise:\n- {came}\n- {board}",
    "unknown": "{call} wants {came}, and nothing says what that is",
    "score": "{call} returned {came}: a score, not a move? Return the move that brought it",
    "late": "{call} ended, or did not answer in time, on boards with four free squares or fewer",
    "no board": "{call} takes no board, and none was found in a global or in self",
    "raised": "{call} raised {came}, on {board}",
    "illegal": "{call} returned {came}, on {board}: no move there",
    "closed": "{call} is a method of {came}, which is not made without arguments",
    "unmade": "{call} is a method of {board}, which raised {came} when it was made",
    "no function": "none of its functions has a name that says it picks a move",
    "own object": "{call} wants an object of the class {came}, not a board",
    "other object": "{call} wants an object with {came}, of a class that lies in another file",
    "empty": "it holds no code",
    "notebook": "it is a notebook: save it as a script, such as by `jupyter nbconvert --to script`",
    "window": "it opens a window with {came}, and has no function that picks a move on a board",
    "fill in": "complete each FILL_IN first: {came}",
    "never loads": "it does not load in {came} s",
    "unread": "{came}",
    "no python": "{came}",
}
RUNS = {".js": "node", ".mjs": "node", ".ts": "npx tsx", ".java": "java", ".go": "go run",
        ".rb": "ruby", ".php": "php", ".lua": "lua", ".pl": "perl", ".jl": "julia"}  # fmt: skip
COMPILED = {".c", ".cpp", ".cc", ".rs", ".cs", ".kt", ".swift", ".hs", ".pas"}
BY_LINES = "By lines a program reads each board from its input, and prints a square"


def not_asked(path: str, told: Told) -> str:
    """Return why a file cannot be asked, what else was seen, and what to do."""
    why = told["why"]
    lines = [NO_CALL[why].format_map(defaultdict(str, told))]
    if "asks" in told:
        lines.append(
            f"It asks its user in line {told['asks']} while it loads: a game loop belongs under"
            ' `if __name__ == "__main__":`.'
        )
    if "stopped" in told:
        stopped = told["stopped"]
        lines.append(f"While it loads: {stopped}.")
        if "ModuleNotFoundError" in stopped:
            lines[-1] += " Its definitions alone were looked at: install that module, if need be."
    if told.get("how") == "defines":
        lines.append("It never ends loading: its definitions alone were looked at.")
    if why == "no python":
        lines += [*_other_language(path)]
    if told.get("call") and why not in ("no such function", "two ways"):
        lines.append('If another call picks the move: --call "NAME", or a whole call, such as')
        lines[-1] += ' --call "best_move(board, mark)".'
    if why == "two ways":
        lines.append('Say which by a whole call, such as --call "best_move(board, mark)".')
    if told.get("adapter"):
        lines.append(f"Or --adapter writes {Path(path).stem}_adapter.py beside it, to complete.")
    return "\n".join(lines)


def _other_language(path: str) -> Iterator[str]:
    """Yield how a file of another language is judged."""
    ending = Path(path).suffix.lower()
    if ending in COMPILED:
        yield f'No Python? Compile it, then: --run "./{Path(path).stem}". {BY_LINES}.'
    elif ending in RUNS:
        yield f"No Python? Then: --run {shlex.quote(f'{RUNS[ending]} {path}')}. {BY_LINES}."
    elif ending != ".py":
        yield f'No Python? Then by lines: --run "COMMAND". {BY_LINES}.'
