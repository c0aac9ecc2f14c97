"""The screens with a large board: the learner plays, and the opponent answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from engine.position import LINES, SQUARE_NAMES, Position, Square, X
from engine.results import holding_moves, principal_variation, results
from engine.search import analyse, best_moves, sign
from teach.lesson.screen import RESULT, WORDS, Card, Cell, Chip, Link, Screen, State, number

ROWS = ("the top row", "the middle row", "the bottom row")
COLUMNS = ("the left column", "the middle column", "the right column")
LINE_NAMES = dict(zip(LINES, (*ROWS, *COLUMNS, "a diagonal", "a diagonal"), strict=True))


class Row(NamedTuple):
    """Hold the answer to a press. Play `goes_on`, or runs to the end as a `strip` of boards."""

    title: str
    text: str
    goes_on: bool = False
    strip: bool = False


class Play(NamedTuple):
    """Hold a board to play on.

    `words` has the request and the `rows`: by the squares pressed (`"32"`), else by the count of
    presses, "right" if the last keeps the best result (`"1 right"`). `replies` are answers settled
    beforehand, by the squares pressed. If `stepwise`, Take back undoes one press, else all. `needs`
    counts the moves to find; with `numbers`, results are +1, 0 and −1.
    """

    words: Mapping[str, Any]
    root: Position
    replies: Mapping[str, Square] = {}
    stepwise: bool = False
    needs: int = 1
    numbers: bool = False


class Played(NamedTuple):
    """Hold the squares played in order, the position after, and `before` the last press.

    The last press `kept` the best result, or not; if every press did, all is `right`.
    """

    squares: tuple[Square, ...]
    position: Position
    before: Position
    kept: bool = True
    right: bool = True


def playing(play: Play, state: State) -> Screen:
    """Return a screen with a board to play on."""
    now = played(play, state.p)
    row = _row(play, state, now) if state.p else None
    met = {*state.seen}
    if row and not row.goes_on and now.right:
        met.add(state.p[0])
    to_find = {str(square) for square in holding_moves(analyse(play.root))}
    return Screen(
        say=play.words.get("later" if state.p else "say", play.words["say"]),
        board=_cells(play, state, now, not row or row.goes_on),
        cards=(_card(play, state, now, row),) if row else (),
        note="" if state.p or state.seen else play.words.get("note", ""),
        done=len(met & to_find) >= play.needs,
    )


def played(play: Play, presses: tuple[str, ...]) -> Played:
    """Play each press, and the opponent's answer while the game goes on."""
    done = Played((), play.root, play.root)
    for n, press in enumerate(presses, 1):
        square, before = int(press), done.position
        squares, position = (*done.squares, square), before.play(square)
        if not position.outcome():
            reply = play.replies.get("".join(presses[:n]), best_moves(position)[0])
            squares, position = (*squares, reply), position.play(reply)
        kept = square in holding_moves(analyse(before))
        done = Played(squares, position, before, kept, done.right and kept)
    return done


def _row(play: Play, state: State, now: Played) -> Row:
    kind = f"{len(state.p)} {'right' if now.kept else 'wrong'}"
    rows, outcome = play.words["rows"], now.position.outcome()
    row = Row(**rows.get("".join(state.p)) or rows[kind])
    told = {
        "reply": SQUARE_NAMES[now.squares[-1]],
        "line": LINE_NAMES[outcome.lines[0]] if outcome and outcome.lines else "",
        "turns": results(now.before)[int(state.p[-1])].turns,
    }
    return row._replace(title=row.title.format(**told), text=row.text.format(**told))


def _card(play: Play, state: State, now: Played, row: Row) -> Card:
    boards, position = [], now.position
    for square in principal_variation(position) if row.strip else ():
        caption = f"{position.turn} {SQUARE_NAMES[square]}"
        position = position.play(square)
        boards.append((position, square, caption))
    winner = results(now.before)[int(state.p[-1])].winner
    return Card(
        title=row.title,
        text=row.text,
        look="" if row.goes_on else winner or "",
        back=_back(play, state, now, row),
        boards=tuple(boards),
    )


def _back(play: Play, state: State, now: Played, row: Row) -> State | None:
    """Return the state after Take back: a move played to the end leaves a result on its square."""
    if play.stepwise and now.kept:
        return None
    keep = len(state.p) - 1 if play.stepwise else 0
    return state._replace(p=()) if row.goes_on else state.take_back(state.p[keep], keep)


def _cells(play: Play, state: State, now: Played, asks: bool) -> tuple[Cell, ...]:
    """Return the squares of the board: to press, if play goes on, or tried with a result."""
    position, outcome = now.position, now.position.outcome()
    lines = {square for line in outcome.lines for square in line} if outcome else set()
    own, reply = (*now.squares[2 * len(state.p) - 2 :], None)[:2] if state.p else (None, None)
    seen_on = (position if asks else now.before) if play.stepwise else play.root
    chips = _chips(seen_on, play.numbers)
    cells = []
    for square, name in enumerate(SQUARE_NAMES):
        mark, asked = position.mark_at(square), asks and square in position.legal_moves()
        later = square == reply or (square in lines and reply in lines)
        pulse = asked and len(position.legal_moves()) == 1
        looks = {
            "ask": asked,
            "pulse": pulse,
            "wins": square in lines,
            "last": square in (own, reply) and square not in lines,
            "past": bool(lines) and square not in (*lines, own, reply),
            "new": square in (own, reply) or later or pulse,
            "later": later,
        }
        tried = str(square) in state.seen and (play.stepwise or not (asked and state.p))
        fresh = play.stepwise and square in holding_moves(analyse(position))
        cells.append(
            Cell(
                name=name,
                mark=mark,
                look=" ".join(look for look, so in looks.items() if so),
                chip=chips.get(square) if tried and not mark else None,
                press=state._replace(seen=() if fresh else state.seen).press(str(square))
                if asked
                else None,
            )
        )
    return tuple(cells)


def _chips(position: Position, numbers: bool) -> dict[Square, Chip]:
    """Return the result of each move, in words or as +1, 0 and −1, plus being good for X."""
    plus = 1 if position.turn == X else -1
    won = {square: plus * sign(score) for square, score in analyse(position).items()}
    return {square: number(n) if numbers else RESULT[n] for square, n in won.items()}


# 1 to 3: play, be answered, answer

HEART = Position.parse("OX--X-OOX")  # carries the lesson: one draw, one plain loss, two threats
ONE = Play(WORDS["1"], Position.parse("O-XX--XOO"))
TWO = Play(WORDS["2"], HEART)
THREE = Play(WORDS["3"], HEART.play(5))
SUPPOSE = Play(WORDS["3"]["suppose"], HEART.play(3))


one_square_wins = partial(playing, ONE)


def no_win_yet(state: State) -> Screen:
    """Return screen 2; the draw has a link to a square not tried yet."""
    screen, again = playing(TWO, state), TWO.words["again"]
    untried = [square for square in again if square not in state.seen]
    if state.p != ("3", "2") or not untried:
        return screen
    link = Link(again[untried[0]], state.take_back("3").press(untried[0]))
    return screen._replace(cards=(screen.cards[0]._replace(links=(link,)),))


def be_the_other_side(state: State) -> Screen:
    """Return screen 3: first one board, then a second."""
    if state.at:
        return playing(SUPPOSE, state)
    screen = playing(THREE, state)
    on = Link(THREE.words["on"], State(at="2")) if screen.done else None
    return screen._replace(done=False, on=on)


# 7 and 8: what counts

SEVEN = Play(WORDS["7"], Position.parse("X---O---X"))
EIGHT = Play(WORDS["8"], Position.parse("--XXO-OOX"), needs=2, numbers=True)


not_the_odds = partial(playing, SEVEN)


def sooner_is_better(state: State) -> Screen:
    """Return screen 8: once both wins are found, their numbers, flat or with turns counted."""
    screen, words = playing(EIGHT, state), EIGHT.words
    wins = holding_moves(analyse(EIGHT.root))
    if not screen.done:
        on = Link(words["other"], state.take_back(state.p[0])) if _found(state) else None
        return screen._replace(on=on)
    if not {*map(str, wins)} <= {*state.seen}:
        return screen._replace(done=False, on=Link(words["on"], state.take_back(state.p[0])))
    if state.p:
        return screen
    turns = state.at == "turns"
    cells = [_counted(cell, square, turns) for square, cell in enumerate(screen.board)]
    card = Card(
        title=words["told"] if turns else words["card"]["title"],
        text=words["card"]["text"],
        links=(
            Link(words["flat"], state._replace(at=""), look="" if turns else "on"),
            Link(words["turns"], state._replace(at="turns"), look="on" if turns else ""),
        ),
    )
    return screen._replace(board=tuple(cells), cards=(card,), note=_notes(words, turns))


def _found(state: State) -> bool:
    """Say whether a win of screen 8 has just been played to its end."""
    now = played(EIGHT, state.p)
    return bool(state.p and now.right and now.position.outcome())


def _notes(words: Mapping[str, str], turns: bool) -> str:
    """Return the small print of screen 8: the star, the sum for a loss, the programmers' word."""
    return " ".join(words[note] for note in ("star", *(("loss",) if turns else ()), "depth"))


def _counted(cell: Cell, square: Square, turns: bool) -> Cell:
    """Return a square of screen 8 with its number, and a star where a program would play."""
    value, chip = analyse(EIGHT.root).get(square, 0), cell.chip
    if chip is None:
        return cell
    text = chip.text if not turns else number(value).text.lstrip("+")
    starred = best_moves(EIGHT.root) if turns else holding_moves(analyse(EIGHT.root))[:1]
    return cell._replace(chip=Chip(f"★ {text}" if square in starred else text, chip.look))


# 14: the other way round

FOURTEEN = Play(WORDS["14"], Position.parse("X--------"), replies={"4": 8}, stepwise=True)


def answer_for_the_machine(state: State) -> Screen:
    """Return screen 14, played to the end."""
    screen, words = playing(FOURTEEN, state), FOURTEEN.words
    if not screen.done:
        return screen
    links = tuple(Link(words[place], place=place) for place in ("practise", "watch"))
    return screen._replace(cards=(screen.cards[0]._replace(links=links),))
