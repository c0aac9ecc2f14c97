"""The screens with a large board: the learner plays, and the opponent replies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from engine.position import LINES, SQUARE_NAMES, Position, Square
from engine.results import principal_variation, results, sound_moves
from engine.search import analyze, best_moves, score, sign
from teach.lesson.screen import (
    WORDS,
    BoardScreen,
    BoardSquare,
    Card,
    Link,
    SmallBoard,
    SquareRole,
    State,
)
from teach.markings import RESULT_CHIPS, Chip, score_chip
from teach.trees import value

ROWS = ("the top row", "the middle row", "the bottom row")
COLUMNS = ("the left column", "the middle column", "the right column")
LINE_NAMES = dict(zip(LINES, (*ROWS, *COLUMNS, "a diagonal", "a diagonal"), strict=True))


class BoardTask(NamedTuple):
    """A board to play on, and its sentences.

    Each press is a square. The key of an answer is the squares pressed, in order (`32`); without
    such an answer, it is the number of presses and whether the last one kept the best result
    (`2 right`). An answer may say that play `continues`, or that a `strip` of boards shows best
    play to the end.
    """

    words: Mapping[str, Any]  # a table of words.toml, with the request and the answers
    root: Position
    replies: Mapping[str, Square] = {}  # by the squares pressed; otherwise the first best move
    is_stepwise: bool = False  # whether Undo takes back only the last press, not all of them
    make_chip: Callable[[int], Chip] = RESULT_CHIPS.__getitem__  # from a result for X

    @property
    def right_first_presses(self) -> set[str]:
        """The first presses that keep the best result."""
        return {str(square) for square in sound_moves(analyze(self.root))}


class Exchange(NamedTuple):
    """A press and the reply to it."""

    before: Position
    square: Square | None  # the one pressed, or None before the first press
    reply: Square | None  # None if there was no press yet, or the press ended the game
    position: Position  # after the reply

    @property
    def keeps_result(self) -> bool:
        """Whether the press kept the best result; False if there was no press yet."""
        return self.square in sound_moves(analyze(self.before))

    @property
    def is_right(self) -> bool:
        """Whether the press kept the best result, and that is a win or a draw."""
        return self.keeps_result and score(self.before) >= 0


def board_screen(task: BoardTask, state: State) -> BoardScreen:
    """Return a screen with a board to play on."""
    words, last_exchange = task.words, play_out(task, state.kept_presses)
    answer = _answer(words["answers"], state.kept_presses, last_exchange.keeps_result)
    continues = "continues" in answer
    finished_presses = {*state.seen_presses}
    if last_exchange.keeps_result and not continues:
        finished_presses |= {*state.kept_presses[:1]}
    intro = words.get("later", words["intro"]) if state.kept_presses else words["intro"]
    return BoardScreen(
        words={**words, "intro": intro},
        board=_board_squares(task, state, last_exchange, is_pressable=continues),
        cards=(_card(task, state, last_exchange, answer),) if state.kept_presses else (),
        note="" if state.kept_presses or state.seen_presses else words.get("note", ""),
        is_solved=bool(finished_presses & task.right_first_presses),
    )


def _answer(
    answers: Mapping[str, Mapping[str, Any]], presses: tuple[str, ...], keeps_result: bool
) -> Mapping[str, Any]:
    """Return the answer to these presses or to their number; before the first, play continues.

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
    """Return the card that answers the last press; a `strip` adds the boards of best play.

    After Undo, the first press taken back is one of those seen, unless play continues: then the
    result of that press is not known yet.
    """
    continues = "continues" in answer
    kept_count = len(state.kept_presses) - 1 if task.is_stepwise else 0
    back: State | None = state.take_back(state.kept_presses[kept_count], kept_count)
    if task.is_stepwise and exchange.keeps_result:
        back = None
    elif continues:
        back = state._replace(kept_presses=())
    winner, turns = results(exchange.before)[int(state.kept_presses[-1])]
    outcome = exchange.position.outcome()
    facts = {
        "reply": "" if exchange.reply is None else SQUARE_NAMES[exchange.reply],
        "line": LINE_NAMES[outcome.lines[0]] if outcome and outcome.lines else "",
        "turns": turns,
    }
    return Card(
        title=answer["title"].format(**facts),
        text=answer["text"].format(**facts),
        winner="" if continues or exchange.is_right else winner or "",
        is_right=exchange.is_right,
        back=back,
        boards=play_to_end(exchange.position) if "strip" in answer else (),
    )


def play_to_end(position: Position, first_turn_number: int | None = None) -> tuple[SmallBoard, ...]:
    """Return the boards of best play to the end, each captioned with its turn.

    Without the number of the first turn, each caption is the side that moved.
    """
    boards = []
    for turn_number, square in enumerate(principal_variation(position), first_turn_number or 0):
        caption = f"turn {turn_number}" if first_turn_number else position.turn
        position = position.play(square)
        boards.append(SmallBoard(position, square, caption))
    return tuple(boards)


def _board_squares(
    task: BoardTask, state: State, exchange: Exchange, is_pressable: bool
) -> tuple[BoardSquare, ...]:
    """Return the squares of the board; those whose result the learner has seen show it."""
    position = exchange.position
    winning_squares = position.winning_squares()
    free_squares = position.legal_moves() if is_pressable else ()
    chips = _chips(task, exchange, is_pressable)
    right_squares = sound_moves(analyze(position)) if task.is_stepwise else ()
    board_squares = []
    for square in range(9):
        is_free, is_winning = square in free_squares, square in winning_squares
        # The winning line is drawn after the reply if the reply completes it.
        comes_later = square == exchange.reply or (is_winning and exchange.reply in winning_squares)
        # Unless a board is stepwise, its chips are results of first presses, not of the next one.
        has_chip = task.is_stepwise or not (is_free and state.kept_presses)
        # On a stepwise board, the presses seen belong to one choice, so a right press clears them.
        next_state = state._replace(seen_presses=()) if square in right_squares else state
        board_squares.append(
            BoardSquare(
                mark=position.mark_at(square),
                side_to_move=position.turn,
                is_only=is_free and len(free_squares) == 1,
                role=_role(square, exchange, winning_squares),
                is_new=is_winning or comes_later,  # the learner's own mark is there at once
                comes_later=comes_later,
                is_reply=square == exchange.reply,
                chip=chips.get(square) if has_chip and str(square) in state.seen_presses else None,
                next_state=next_state.press(str(square)) if is_free else None,
                badge="✓" if exchange.is_right and square == exchange.square else None,
            )
        )
    return tuple(board_squares)


def _role(square: Square, exchange: Exchange, winning_squares: Collection[Square]) -> SquareRole:
    """Return the role of a square after an exchange."""
    if square in winning_squares:
        return "wins"
    if square in (exchange.square, exchange.reply):
        return "last"
    return "past" if winning_squares else ""


def _chips(task: BoardTask, exchange: Exchange, is_pressable: bool) -> dict[Square, Chip]:
    """Return the chip of each move's result.

    On a stepwise board these are the moves at the learner's current choice if the board is
    pressable, otherwise at the last one; on any other board, they are the first moves.
    """
    position = task.root
    if task.is_stepwise:
        position = exchange.position if is_pressable else exchange.before
    return {
        square: task.make_chip(value(child, child.ply, "flat"))
        for square, child in position.children().items()
    }


# Screens 1 to 3: a move, a reply to it, a move as the other side

# The board of screens 2 to 5, 10, 12 and 13. Of X's moves, 3 draws, 2 loses, and 5 loses after
# making two threats.
MAIN_BOARD = Position.parse("OX--X-OOX")
TASK_1 = BoardTask(WORDS["1"], Position.parse("O-XX--XOO"))
TASK_2 = BoardTask(WORDS["2"], MAIN_BOARD)
TASK_3_FIRST = BoardTask(WORDS["3"], MAIN_BOARD.play(5))
TASK_3_SECOND = BoardTask(WORDS["3"]["suppose"], MAIN_BOARD.play(3))


def no_win_yet(state: State) -> BoardScreen:
    """Return screen 2. After the draw, a link leads to a square not tried yet."""
    screen, link_texts = board_screen(TASK_2, state), TASK_2.words["again"]
    untried_squares = [square for square in link_texts if square not in state.seen_presses]
    has_drawn = state.kept_presses == ("3", "2")
    if not has_drawn or not untried_squares:
        return screen
    next_square = untried_squares[0]
    link = Link(link_texts[next_square], state.take_back("3").press(next_square))
    return replace(screen, links=(link,))


def switch_sides(state: State) -> BoardScreen:
    """Return screen 3: first one board, then a second."""
    if state.view:
        return board_screen(TASK_3_SECOND, state)
    screen = board_screen(TASK_3_FIRST, state)
    onward = Link(screen.words["onward"], State(view="2")) if screen.is_solved else None
    return replace(screen, is_solved=False, onward=onward)


# Screens 7 and 8: what counts

TASK_7 = BoardTask(WORDS["7"], Position.parse("---X-O-X-"))
TEMPTING_SQUARE = "2"  # on screen 7, the one that wins most often if both sides play at random
TASK_8 = BoardTask(WORDS["8"], Position.parse("--XXO-OOX"), make_chip=score_chip)
SLOW_WIN = "1"  # on screen 8, the square that wins, but only with X's next move


def luck_is_not_a_plan(state: State) -> BoardScreen:
    """Return screen 7. It is solved once the draw is found and the tempting square has lost."""
    screen = board_screen(TASK_7, state)
    if not state.kept_presses and TEMPTING_SQUARE in state.seen_presses:
        screen = replace(screen, words={**screen.words, "intro": screen.words["again"]})
    has_found_draw = screen.is_solved
    if not has_found_draw or TEMPTING_SQUARE in state.seen_presses:
        return screen
    if state.kept_presses[:1] == (TEMPTING_SQUARE,):
        is_over = not any(board_square.next_state for board_square in screen.board)
        return replace(screen, is_solved=is_over)
    back = state.take_back(state.kept_presses[0]) if state.kept_presses else state
    onward = Link(screen.words["onward"], back.press(TEMPTING_SQUARE))
    return replace(screen, is_solved=False, onward=onward)


def sooner_is_better(state: State) -> BoardScreen:
    """Return screen 8. Once both wins are found, their scores are compared, flat or with turns."""
    screen = board_screen(TASK_8, state)
    if TASK_8.right_first_presses <= {*state.seen_presses}:
        return _comparison_screen(screen, state)
    screen = replace(screen, is_solved=False)
    has_won = (
        bool(screen.cards)
        and screen.cards[0].is_right
        and state.kept_presses != (SLOW_WIN,)  # play continues
    )
    if not has_won:
        return screen
    back = state.take_back(state.kept_presses[0])
    has_found_both = TASK_8.right_first_presses <= {*back.seen_presses}
    text = screen.words["onward" if has_found_both else "other"]
    return replace(screen, onward=Link(text, back))


def _comparison_screen(screen: BoardScreen, state: State) -> BoardScreen:
    """Return screen 8 with the scores of both wins, and a switch between the two ways to score."""
    words, counts_turns = screen.words, state.view == "turns"
    # No square is pressable, because a comparison needs no click on the board.
    board = _board_squares(
        TASK_8, State(), play_out(TASK_8, state.kept_presses), is_pressable=False
    )
    card = words["counted" if counts_turns else "card"]
    screen = replace(
        screen,
        words={**words, "intro": words["both"], "card": card},
        board=_with_scores(board, counts_turns),
        is_solved=counts_turns,
    )
    if not counts_turns:
        return replace(screen, onward=Link(words["turn"], state._replace(view="turns")))
    flat_link = Link(words["flat"], state._replace(view=""))
    return replace(screen, links=(flat_link, Link(words["turns"], state, is_current=True)))


def _with_scores(board: tuple[BoardSquare, ...], counts_turns: bool) -> tuple[BoardSquare, ...]:
    """Return the squares of screen 8 with the scores of both wins.

    A star marks the win that a program picks: the first, or the sooner one if it counts turns.
    """
    scores = analyze(TASK_8.root)
    starred_squares = best_moves(TASK_8.root) if counts_turns else sound_moves(scores)[:1]
    board_squares = list(board)
    for square in sound_moves(scores):
        chip = score_chip(scores[square] if counts_turns else sign(scores[square]))
        text = chip.text.lstrip("+") if counts_turns else chip.text
        if square in starred_squares:
            text = f"★ {text}"
        board_squares[square] = board_squares[square]._replace(chip=chip._replace(text=text))
    return tuple(board_squares)


# Screen 14: the machine's side

TASK_14 = BoardTask(WORDS["14"], Position.parse("X--------"), replies={"4": 8}, is_stepwise=True)
