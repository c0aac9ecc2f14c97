"""The screens with a large board: the learner plays, and the opponent replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from engine.position import LINES, SQUARE_NAMES, Position, Square
from engine.results import principal_variation, results, sound_moves
from engine.search import analyze, best_moves, score, sign
from teach.lesson.screen import WORDS, BoardScreen, BoardSquare, Card, Link, SmallBoard, State
from teach.markings import RESULT_CHIPS, Chip, score_chip
from teach.trees import value

ROWS = ("the top row", "the middle row", "the bottom row")
COLUMNS = ("the left column", "the middle column", "the right column")
LINE_NAMES = dict(zip(LINES, (*ROWS, *COLUMNS, "a diagonal", "a diagonal"), strict=True))


class BoardTask(NamedTuple):
    """A board to play on, and its sentences.

    An answer's key is the squares clicked, in order (`32`); failing that, the number of clicks and
    whether the last one kept the best result (`2 right`). An answer may say that play `continues`,
    or show best play to the end as a `strip` of boards.
    """

    words: Mapping[str, Any]  # the request and the answers
    root: Position
    replies: Mapping[str, Square] = {}  # by the squares clicked; otherwise the first best move
    is_stepwise: bool = False  # whether Undo undoes only the last click
    chip: Callable[[int], Chip] = RESULT_CHIPS.__getitem__  # makes the chip of a result for X

    @property
    def right_presses(self) -> set[str]:
        """The first presses that keep the best result."""
        return {str(square) for square in sound_moves(analyze(self.root))}


class Exchange(NamedTuple):
    """A press and the reply to it."""

    before: Position
    square: Square | None  # pressed; None before the first press
    reply: Square | None  # None if the game is over
    position: Position

    @property
    def keeps_result(self) -> bool:
        """Whether the press kept the best result."""
        return self.square in sound_moves(analyze(self.before))

    @property
    def is_right(self) -> bool:
        """Whether the press kept a win or a draw."""
        return self.keeps_result and score(self.before) >= 0


def board_screen(task: BoardTask, state: State) -> BoardScreen:
    """Return a screen with a board to play on."""
    words, last_exchange = task.words, play_out(task, state.kept)
    answer = _answer(words["answers"], state.kept, last_exchange.keeps_result)
    continues = "continues" in answer
    has_ended_well = last_exchange.keeps_result and not continues
    finished_presses = {*state.seen, *(state.kept[:1] if has_ended_well else ())}
    intro = words.get("later", words["intro"]) if state.kept else words["intro"]
    return BoardScreen(
        words={**words, "intro": intro},
        board=_cells(task, state, last_exchange, is_pressable=continues),
        cards=(_card(task, state, last_exchange, answer),) if state.kept else (),
        note="" if state.kept or state.seen else words.get("note", ""),
        is_solved=not finished_presses.isdisjoint(task.right_presses),
    )


def _answer(
    answers: Mapping[str, Mapping[str, Any]], presses: tuple[str, ...], keeps_result: bool
) -> Mapping[str, Any]:
    """Return the answer for these presses, or for their number; otherwise one that continues play.

    >>> _answer({"32": {"title": "A draw."}, "2 right": {"title": "X wins."}}, ("5", "2"), True)
    {'title': 'X wins.'}
    """
    by_count = f"{len(presses)} {'right' if keeps_result else 'wrong'}"
    return answers.get("".join(presses)) or answers.get(by_count, {"continues": True})


def play_out(task: BoardTask, presses: tuple[str, ...]) -> Exchange:
    """Play each press with the opponent's reply, and return the last exchange."""
    exchange = Exchange(task.root, None, None, task.root)
    for n, press in enumerate(presses, 1):
        square, before = int(press), exchange.position
        position, reply = before.play(square), None
        if not position.outcome():
            reply = task.replies.get("".join(presses[:n]), best_moves(position)[0])
            position = position.play(reply)
        exchange = Exchange(before, square, reply, position)
    return exchange


def _card(task: BoardTask, state: State, exchange: Exchange, answer: Mapping[str, Any]) -> Card:
    """Return the card that answers a press, with the boards to the end if it has a strip."""
    continues = "continues" in answer
    kept_count = len(state.kept) - 1 if task.is_stepwise else 0
    taken_back = state.take_back(state.kept[kept_count], kept_count)
    back = state._replace(kept=()) if continues else taken_back
    winner, turns = results(exchange.before)[int(state.kept[-1])]
    outcome = exchange.position.outcome()
    facts = {
        "reply": "" if exchange.reply is None else SQUARE_NAMES[exchange.reply],
        "line": LINE_NAMES[outcome.lines[0]] if outcome and outcome.lines else "",
        "turns": turns,
    }
    return Card(
        title=answer["title"].format(**facts),
        text=answer["text"].format(**facts),
        look="" if continues or exchange.is_right else winner or "",
        is_right=exchange.is_right,
        back=None if task.is_stepwise and exchange.keeps_result else back,
        boards=play_to_end(exchange.position) if "strip" in answer else (),
    )


def play_to_end(position: Position, turn: int | None = None) -> tuple[SmallBoard, ...]:
    """Return the boards of best play to the end, each captioned with its turn or its side.

    `turn` is the number of the first turn shown; without it, captions name the side that moved.
    """
    boards = []
    for n, square in enumerate(principal_variation(position), turn or 0):
        caption = f"turn {n}" if turn else position.turn
        position = position.play(square)
        boards.append(SmallBoard(position, square, caption))
    return tuple(boards)


def _cells(
    task: BoardTask, state: State, exchange: Exchange, is_pressable: bool
) -> tuple[BoardSquare, ...]:
    """Return the squares of the board; those that the learner has tried show their results."""
    position, last = exchange.position, (exchange.square, exchange.reply)
    winning = position.winning_squares()
    free = position.legal_moves() if is_pressable else ()
    chips = _chips(task, exchange, is_pressable)
    right_squares = sound_moves(analyze(position)) if task.is_stepwise else ()
    cells = []
    for square in range(9):
        can_press = square in free
        comes_later = square == exchange.reply or (square in winning and exchange.reply in winning)
        shows_chip = str(square) in state.seen and (
            task.is_stepwise or not (can_press and state.kept)
        )
        next_state = state._replace(seen=()) if square in right_squares else state
        cells.append(
            BoardSquare(
                mark=position.mark_at(square),
                side=position.turn,
                is_only=can_press and len(free) == 1,
                role="wins"
                if square in winning
                else "last"
                if square in last
                else "past"
                if winning
                else "",
                is_new=square in winning or comes_later,  # the learner's own mark is there at once
                comes_later=comes_later,
                is_reply=square == exchange.reply,
                chip=chips.get(square) if shows_chip else None,
                press=next_state.press(str(square)) if can_press else None,
                badge="✓" if exchange.is_right and square == exchange.square else None,
            )
        )
    return tuple(cells)


def _chips(task: BoardTask, exchange: Exchange, is_pressable: bool) -> dict[Square, Chip]:
    """Return the chip of each move's result."""
    current = exchange.position if is_pressable else exchange.before
    position = current if task.is_stepwise else task.root
    children = position.children().items()
    return {to: task.chip(value(child, child.ply, "flat")) for to, child in children}


# 1 to 3: a move, a reply to it, a move as the other side

# The board of most screens: X's moves draw, lose plainly, or make two threats and still lose.
MAIN_BOARD = Position.parse("OX--X-OOX")
ONE = BoardTask(WORDS["1"], Position.parse("O-XX--XOO"))
TWO = BoardTask(WORDS["2"], MAIN_BOARD)
THREE = BoardTask(WORDS["3"], MAIN_BOARD.play(5))
SUPPOSE = BoardTask(WORDS["3"]["suppose"], MAIN_BOARD.play(3))


def no_win_yet(state: State) -> BoardScreen:
    """Return screen 2. After the draw, a link leads to a square not tried yet."""
    screen, link_texts = board_screen(TWO, state), TWO.words["again"]
    untried = [square for square in link_texts if square not in state.seen]
    if state.kept != ("3", "2") or not untried:
        return screen
    link = Link(link_texts[untried[0]], state.take_back("3").press(untried[0]))
    return replace(screen, links=(link,))


def be_the_other_side(state: State) -> BoardScreen:
    """Return screen 3: first one board, then a second."""
    if state.at:
        return board_screen(SUPPOSE, state)
    screen = board_screen(THREE, state)
    onward = Link(THREE.words["onward"], State(at="2")) if screen.is_solved else None
    return replace(screen, is_solved=False, onward=onward)


# 7 and 8: what counts

SEVEN = BoardTask(WORDS["7"], Position.parse("---X-O-X-"))
TEMPTING = "2"  # on screen 7, the square that wins most often if both sides play at random
EIGHT = BoardTask(WORDS["8"], Position.parse("--XXO-OOX"), chip=score_chip)


def luck_is_no_plan(state: State) -> BoardScreen:
    """Return screen 7. After the draw is found, the tempting square is played out as well."""
    screen = board_screen(SEVEN, state)
    if not state.kept and TEMPTING in state.seen:
        screen = replace(screen, words={**screen.words, "intro": screen.words["again"]})
    if not screen.is_solved or TEMPTING in state.seen:
        return screen
    if state.kept[:1] == (TEMPTING,):
        return replace(screen, is_solved=not any(cell.press for cell in screen.board))
    back = state.take_back(state.kept[0]) if state.kept else state
    return replace(
        screen, is_solved=False, onward=Link(screen.words["onward"], back.press(TEMPTING))
    )


def sooner_is_better(state: State) -> BoardScreen:
    """Return screen 8. Once both wins are found, it compares their scores, flat or with turns."""
    screen = replace(board_screen(EIGHT, state), is_solved=EIGHT.right_presses <= {*state.seen})
    if screen.is_solved:
        # A comparison needs no click on the board, so no square can be clicked.
        unpressable = _cells(EIGHT, State(), play_out(EIGHT, state.kept), is_pressable=False)
        return _comparison_screen(replace(screen, board=_with_scores(unpressable, state)), state)
    if not (screen.cards and screen.cards[0].is_right) or state.kept == ("1",):
        return screen  # no win has just been played to its end
    back = state.take_back(state.kept[0])
    text = "onward" if EIGHT.right_presses <= {*back.seen} else "other"
    return replace(screen, onward=Link(screen.words[text], back))


def _with_scores(board: tuple[BoardSquare, ...], state: State) -> tuple[BoardSquare, ...]:
    """Return the squares of screen 8 with the scores of both wins, a star on a program's choice."""
    scores, counts_turns = analyze(EIGHT.root), state.at == "turns"
    starred = best_moves(EIGHT.root) if counts_turns else sound_moves(scores)[:1]
    cells = list(board)
    for square in sound_moves(scores):
        text, look = score_chip(scores[square] if counts_turns else sign(scores[square]))
        star = "★ " if square in starred else ""
        chip = Chip(star + (text.lstrip("+") if counts_turns else text), look)
        cells[square] = cells[square]._replace(chip=chip)
    return tuple(cells)


def _comparison_screen(screen: BoardScreen, state: State) -> BoardScreen:
    """Return screen 8 with its comparison, and the switch between both ways to score."""
    words, counts_turns = screen.words, state.at == "turns"
    card = words["counted" if counts_turns else "card"]
    return replace(
        screen,
        words={**words, "intro": words["both"], "card": card},
        is_solved=counts_turns,
        onward=None if counts_turns else Link(words["turn"], state._replace(at="turns")),
        links=(
            Link(words["flat"], state._replace(at="")),
            Link(words["turns"], state, is_current=True),
        )
        if counts_turns
        else (),
    )


# 14: the machine's side

FOURTEEN = BoardTask(WORDS["14"], Position.parse("X--------"), replies={"4": 8}, is_stepwise=True)
