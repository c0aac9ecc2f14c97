"""What is said at an end, and on the page Why: all of it is true, and short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, get_args

import pytest
from flask import Flask

from engine.position import SQUARE_NAMES, Mark
from tests import positions, textbook
from tests.games import boards, games_at_random, one_game_to_each_board
from tests.positions import one_in
from tests.sentences import NUMBERS, assert_as_last_read
from web.play import words
from web.play.ends import End, end_of
from web.play.game import Game
from web.play.opponents import OPPONENTS, OpponentName
from web.play.page import Page
from web.play.record import Record
from web.play.squares import NINE
from web.play.why import why_page

MOST = 60  # letters
SQUARE = "(?:the )?(" + "|".join(sorted(SQUARE_NAMES, key=len, reverse=True)) + ")"

OF_ALL = "-of-all" if positions.all_images else ""


@cache
def against_perfect() -> list[Game]:
    """Return each game against Perfect from the empty board."""
    return [
        Game(moves, human=human)
        for human in get_args(Mark)
        for moves in textbook.games_against_perfect(human)
    ]


@cache
def at_random() -> list[Game]:
    """Return games against Random that are over, each from both sides."""
    ended = [moves for moves in games_at_random(1200) if textbook.over(boards(moves)[-1])]
    return [Game(moves, "random", human) for moves in ended for human in get_args(Mark)]


@cache
def from_boards_set_up() -> list[Game]:
    """Return games against both from boards that were set up, in which the human has moved.

    Of boards with few marks more, as of these few games are alike.
    """
    found = []
    all_boards = [*one_game_to_each_board()]
    few = [placed for placed in all_boards if len(placed) in (1, 2)]
    for placed in (*few, *one_in(8, [placed for placed in all_boards if len(placed) > 2])):
        board = boards(placed)[-1]
        if textbook.over(board):
            continue
        for human in get_args(Mark):
            for moves in one_in(7, [*textbook.games_against_perfect(human, board)]):
                found += [
                    Game((*placed, *moves), opponent, human, setup_length=len(placed))
                    for opponent in OPPONENTS
                ]
    return [game for game in found if game.has_moved]


class Told:
    """What the textbook knows of a finished game."""

    def __init__(self, game: Game) -> None:
        self.game, self.moves, self.human = game, game.moves, game.human
        self.foe = textbook.other(game.human)
        self.way = boards(game.moves)
        self.winner = textbook.winner(self.way[-1])
        self.scores = [textbook.move_scores(board) for board in self.way[:-1]]
        self.lowering = [
            n
            for n in range(game.setup_length, len(self.moves))
            if self.sign_of(n) < self.sign_before(n)
        ]
        self.own = [
            n
            for n in range(game.setup_length, len(self.moves))
            if textbook.turn(self.way[n]) == self.human
        ]
        turn = self.lowering[-1:]
        self.blunder = turn[0] if turn and turn[0] in self.own else None

    def sign_of(self, n: int) -> int:
        return textbook.sign(self.scores[n][self.moves[n]])

    def sign_before(self, n: int) -> int:
        return textbook.sign(max(self.scores[n].values()))

    def losing(self, n: int) -> int:
        return sum(score < 0 for score in self.scores[n].values())

    @property
    def only(self) -> list[int]:
        """The human's moves for which any other would have lost."""
        return [n for n in self.own if 0 < self.losing(n) == len(self.scores[n]) - 1]


def at(name: str) -> int:
    return SQUARE_NAMES.index(name.lower())


def said_of_a_loss(told: Told, said: str) -> bool:
    """Return whether the sentence is true of a game that the human lost."""
    blunder, way, moves = told.blunder, told.way, told.moves
    if said == "From that board I could not lose.":
        return not told.lowering and told.sign_before(told.own[0]) < 0
    if said == "I was not looking.":
        return blunder is None
    if blunder is None:
        return False
    before, answered = way[blunder], way[blunder + 2]
    if found := re.fullmatch(f"(?:I was not looking. )?You left {SQUARE} open.", said):
        square = at(found[1])
        was_open = square in textbook.wins_at(before, told.foe)
        return was_open and square == moves[blunder + 1] and textbook.winner(answered) == told.foe
    if found := re.fullmatch(rf"{SQUARE} made (\w+) threats. You had one move.", said, re.I):
        threats = textbook.wins_at(answered, told.foe)
        helpless = not textbook.wins_at(answered, told.human)
        count = NUMBERS.index(found[2])
        return at(found[1]) == moves[blunder + 1] and len(threats) == count > 1 and helpless
    if found := re.fullmatch(rf"At move (\d) only {SQUARE} was safe.", said):
        safe = [square for square, score in told.scores[blunder].items() if score >= 0]
        return int(found[1]) == blunder + 1 and safe == [at(found[2])]
    if found := re.fullmatch(rf"Move (\d), {SQUARE}, let me in.", said):
        is_it = int(found[1]) == blunder + 1 and at(found[2]) == moves[blunder]
        return is_it and told.sign_of(blunder) < 0 <= told.sign_before(blunder)
    found = re.fullmatch(r"I was not looking. Nor were you, at move (\d).", said)
    return found is not None and int(found[1]) == blunder + 1 and told.sign_of(blunder) < 0


def said_of_a_draw(told: Told, said: str) -> bool:
    """Return whether the sentence is true of a game that was drawn."""
    if found := re.fullmatch(r"You were winning until move (\d).", said):
        blunder = int(found[1]) - 1
        return blunder == told.blunder and told.sign_before(blunder) > 0 == told.sign_of(blunder)
    if said == "No squares left. I did not notice.":
        return told.blunder is None
    if said == "And you went second. That is harder.":
        return told.human == "O" and not told.lowering
    if said == "Not from the first move, so no square is filled.":
        return told.game.setup_length > 0
    if told.lowering:
        return False
    if found := re.fullmatch(r"At move (\d) one square lost. You took another.", said):
        n = int(found[1]) - 1
        return n in told.own and not told.only and told.losing(n) == 1
    count = {
        "Once only one square was safe. You took it.": 1,
        "Twice only one square was safe. Both times yours.": 2,
    }.get(said)
    return len(told.only) == count


def is_true_at_end(game: Game, verdict: str, said: str) -> bool:
    told = Told(game)
    how = "won" if told.winner == game.human else "lost" if told.winner else "drawn"
    verdicts = {
        "won": {"You win.", "You beat me."},
        "lost": {"I win.", "I won?"},
        "drawn": {"A draw.", "You held me."},
    }
    if verdict not in verdicts[how]:
        return False
    if how == "won":
        return said == (
            "It was there to be taken."
            if game.opponent_name == "perfect"
            else "I was not looking. Perfect always is."
        )
    return (said_of_a_loss if how == "lost" else said_of_a_draw)(told, said)


def spoken(game: Game) -> tuple[End, str, str]:
    end = end_of(game)
    assert end
    return end, words.verdict(end), words.explanation(end)


@pytest.mark.long
def test_each_sentence_at_an_end_is_true_and_short() -> None:
    """All 2,416 games against Perfect, after one that earned a square, and many others."""
    kinds, told = Counter[tuple[str, str]](), list[tuple[str, str]]()
    games = [*against_perfect(), *at_random(), *from_boards_set_up()]
    assert len(against_perfect()) == 2416
    for game in games:
        before = Record(earned=1 << (game.moves[0] + 1) % 9)
        where = "set up" if game.setup_length else game.opponent_name
        end, verdict, said = spoken(replace(game, record=before))
        if not end.is_stopped or end.kind in ("narrow", "tempted", "second"):
            assert is_true_at_end(game, verdict, said), (game.moves, game.human, where, said)
        assert len(said) <= MOST, said
        kinds[where, f"{end.ending} {end.kind}"] += 1
        told.append((f"{where} {''.join(map(str, game.moves))} {game.human}", f"{verdict} {said}"))
    assert_as_last_read(f"ends{OF_ALL}", told)
    others = {kind: count for kind, count in kinds.items() if kind[0] != "perfect"}
    assert min(others.values()) >= 20, kinds
    assert len(kinds) == 21


X_HELD, O_HELD = (0, 4, 8, 1, 7, 6, 2, 5, 3), (0, 4, 8, 2, 6, 3, 5, 7, 1)


@pytest.mark.parametrize(
    ("moves", "human", "more", "verdict", "said"),
    [
        (X_HELD, "X", {}, "You held me.", "Top left is yours. Eight to go."),
        (X_HELD, "X", {"earned": 0b110},
         "You held me.", "Twice only one square was safe. Both times yours."),
        (X_HELD, "X", {"earned": 0b111},
         "You held me.", "You hold top left already. Six are left."),
        (X_HELD, "X", {"earned": NINE - 2},
         "You held me.", "You hold top left already. One is left."),
        (X_HELD, "X", {"earned": NINE},
         "You held me.", "You hold top left already. All nine are yours."),
        (X_HELD, "X", {"earned": NINE - 1},
         "All nine.", "You have held me from every square there is."),
        (X_HELD, "X", {"help_used": "hint"}, "You held me.", "With a hint, so it does not count."),
        (X_HELD, "X", {"help_used": "back"},
         "You held me.", "With a move taken back, so it does not count."),
        (X_HELD, "X", {"friend_result": "lost"},
         "You held me.", "Your friend lost here. You did not."),
        (X_HELD, "X", {"friend_result": "held", "earned": 1},
         "You held me.", "Your friend held me here. Now so do you."),
        (X_HELD, "X", {"friend_result": "held", "earned": NINE - 1},
         "All nine.", "You have held me from every square there is."),
        (X_HELD, "X", {"friend_result": "held", "help_used": "hint"},
         "You held me.", "With a hint, so it does not count."),
        (O_HELD, "O", {}, "You held me.", "And you went second. That is harder."),
        (O_HELD, "O", {"earned": NINE}, "You held me.", "And you went second. That is harder."),
        (O_HELD, "O", {"help_used": "hint"}, "You held me.", "With a hint, so it does not count."),
        (O_HELD, "O", {"friend_result": "lost"},
         "You held me.", "Your friend lost here. You did not."),
        ((4, 0, 1, 7, 3, 5, 2, 6, 8), "X", {"earned": 0b101},
         "You held me.", "At move 5 one square lost. You took another."),
        # After a reply, top left, that Perfect does not choose.
        ((1, 0, 6, 7, 3, 2, 4, 5, 8), "X", {"earned": 0b1},
         "You held me.", "Top center is yours. Seven to go."),
        ((0, 4, 8, 1, 3, 7), "X", {"losing_streak": 1},
         "That is twice.", "Shall we look together?"),
        ((0, 4, 8, 1, 3, 7), "X", {"losing_streak": 2}, "I win.", "You left bottom center open."),
        ((0, 4, 8, 1, 3, 7), "X", {"losing_streak": 1, "friend_result": "lost"},
         "I win.", "Your friend lost here, too."),
        ((0, 4, 8, 1, 3, 7), "X", {"friend_result": "held"}, "I win.", "Your friend held me here."),
    ],
)  # fmt: skip
def test_what_an_end_says_after_earlier_games_help_or_a_friends_link(
    moves: tuple[int, ...],
    human: Mark,
    more: dict[str, Any],
    verdict: str,
    said: str,
) -> None:
    record = Record(
        **{name: more.pop(name) for name in ("earned", "losing_streak") if name in more}
    )
    link = (2 if human == "X" else 1) if "friend_result" in more else 0
    game = Game(moves, human=human, record=record, link_length=link, **more)
    assert spoken(game)[1:] == (verdict, said)


@pytest.mark.parametrize(
    ("moves", "human", "more", "verdict", "said"),
    [
        ((3, 6, 7, 5, 2, 0, 8, 1, 4), "X", {"opponent_name": "random"},
         "A draw.", "No squares left. I did not notice."),
        ((6, 2, 8, 3, 4, 0, 5, 7, 1), "O", {"opponent_name": "random"},
         "A draw.", "You were winning until move 8."),
        ((0, 1, 4, 8, 2, 6, 7, 5, 3), "X", {"setup_length": 2},
         "A draw.", "You were winning until move 5."),
        ((0, 1, 3, 2, 6), "O", {"setup_length": 1},
         "I win.", "At move 2 only the center was safe."),
        ((1, 4, 7, 0, 8, 6, 5, 2), "X", {"setup_length": 1},
         "I win.", "Move 3, bottom center, let me in."),
    ],
)  # fmt: skip
def test_examples_of_rare_sentences_at_an_end(
    moves: tuple[int, ...], human: Mark, more: dict[str, Any], verdict: str, said: str
) -> None:
    assert spoken(Game(moves, human=human, **more))[1:] == (verdict, said)


# The page Why


def said_why(app: Flask, game: Game) -> str:
    with app.test_request_context():
        said: str = why_page(game, "")["said"]
        return said


def is_true_of(game: Game, said: str) -> bool:
    """Return whether a sentence is true of a finished game."""
    told = Told(game)
    blunder, foe = told.blunder, told.foe
    if said == "From that board I could not lose.":
        return not told.lowering and told.winner == foe
    if said == "You were winning from the start.":
        return not told.lowering and told.winner == game.human
    if found := re.fullmatch(r"At move (\d) I let (you win|a win slip).", said):
        n = int(found[1]) - 1
        won = told.winner == game.human
        return n == told.lowering[-1] and n not in told.own and won == (found[2] == "you win")
    if said.startswith("A draw all the way."):
        named = [int(digit) - 1 for digit in re.findall(r"\d", said)]
        tempted = [n for n in told.own if told.losing(n)]
        if told.lowering or told.winner:
            return False
        if "One safe" in said:
            return named == told.only
        return named == tempted and not told.only
    if blunder is None:
        return False
    after = told.way[blunder + 1]
    if found := re.fullmatch(r"Here you could have (.+).", said):
        top = max(told.scores[blunder].values())
        how = {9: "won at once", 7: "made two threats at once"}.get(top, "forced a win")
        return told.sign_of(blunder) == 0 < top and found[1] == how
    if told.sign_of(blunder) >= 0:
        return False
    wins = textbook.wins_at(after, foe)
    if found := re.fullmatch(
        rf"I had two (in a row|in a column|on a diagonal). You went {SQUARE}.", said
    ):
        lines = ["in a row"] * 3 + ["in a column"] * 3 + ["on a diagonal"] * 2
        full = [way for row, way in zip(textbook.ROWS, lines, strict=True)
                if sorted(after[int(s)] for s in row) == ["-", foe, foe]]  # fmt: skip
        return found[1] in full and at(found[2]) == told.moves[blunder]
    if wins:
        return False
    best = textbook.best(after)
    if found := re.fullmatch(rf"{SQUARE} makes (\w+) threats. You can block one.", said, re.I):
        child = textbook.children(after)[at(found[1])]
        return at(found[1]) in best and len(textbook.wins_at(child, foe)) == NUMBERS.index(found[2])
    played = (
        textbook.children(after)[told.moves[blunder + 1]] if len(told.moves) > blunder + 1 else ""
    )
    if found := re.fullmatch(rf"You must block {SQUARE}. Then I make (\w+) threats.", said):
        return (at(found[1]),) in {textbook.wins_at(textbook.children(after)[s], foe) for s in best}
    found = re.fullmatch(r"Whatever you answer, I make (\w+) threats.", said)
    return bool(found and played) and max(textbook.move_scores(after).values()) > 0


@pytest.mark.parametrize(
    ("moves", "human", "opponent", "said"),
    [
        ((0, 1, 2, 4, 3, 8, 5, 6, 7), "O", "random", "Here you could have won at once."),
        (
            (0, 1, 2, 6, 4, 8, 7, 3, 5),
            "X",
            "random",
            "Here you could have made two threats at once.",
        ),
        ((4, 0, 8, 2), "X", "random", "I take any square. There is no why."),
        ((0, 1, 3), "O", "perfect", "You must block bottom left. Then I make two threats."),
        ((0, 1, 3, 6, 4), "O", "perfect", "I can win at two squares. You can block one."),
        ((7, 3, 5, 6, 0, 8, 1, 4, 2), "O", "random", "Whatever you answer, I make two threats."),
    ],
)
def test_examples_of_rare_sentences_on_the_page_why(
    app: Flask, moves: tuple[int, ...], human: Mark, opponent: OpponentName, said: str
) -> None:
    assert said_why(app, Game(moves, opponent, human)) == said


def test_the_page_why_says_if_no_square_could_lose(app: Flask) -> None:
    game = Game((1, 7, 6, 0, 8, 2, 5, 4, 3), setup_length=2)
    assert said_why(app, game) == "A draw all the way. Nothing you could take lost."


@pytest.mark.long
def test_what_the_page_why_says_of_a_finished_game_is_true_and_short(app: Flask) -> None:
    told = list[tuple[str, str]]()
    for game in (
        *one_in(2, against_perfect()),
        *one_in(2, at_random()),
        *one_in(2, from_boards_set_up()),
    ):
        said = said_why(app, game)
        assert is_true_of(game, said), (game, said)
        assert len(said) <= MOST, said
        told.append((f"{''.join(map(str, game.moves))} {game.human}", said))
    assert_as_last_read(f"why-said{OF_ALL}", told)


def replies() -> Iterator[Game]:
    """Yield each game against Perfect, up to each of its replies."""
    ways = {
        (game.moves[:n], game.human)
        for game in against_perfect()
        for n in range(2 + (game.human == "O"), len(game.moves), 2)
    }
    return (Game(moves, human=human) for moves, human in sorted(ways))


@pytest.mark.long
def test_what_the_page_why_says_of_a_reply_is_true_and_short(app: Flask) -> None:
    told = list[tuple[str, str]]()
    for game in replies():
        if game.outcome:
            continue
        said, way, foe = said_why(app, game), boards(game.moves), textbook.other(game.human)
        before, after, square = way[-2], way[-1], game.moves[-1]
        scores = textbook.move_scores(before)
        if found := re.fullmatch(f"You had two (.+). I had to go {SQUARE}.", said):
            assert at(found[2]) == square in textbook.wins_at(before, game.human)
        elif found := re.fullmatch(f"At {SQUARE} I would lose. The pencil shows how.", said):
            assert scores[at(found[1])] < 0 <= scores[square]
        elif found := re.fullmatch(r"I can win at (\w+) squares. You can block one.", said):
            assert len(textbook.wins_at(after, foe)) == NUMBERS.index(found[1]) > 1
        elif found := re.fullmatch(rf"You must block {SQUARE}. Then I make (\w+) threats.", said):
            assert textbook.wins_at(after, foe) == (at(found[1]),)
            assert max(textbook.move_scores(after).values()) < 0
        elif found := re.fullmatch(r"(\w+) of my squares held the draw. The others lost.", said):
            holding = [s for s in scores if scores[s] == 0 == max(scores.values())]
            assert len(holding) == NUMBERS.index(found[1].lower()) < len(scores)
        elif said == "All my squares held the draw.":
            assert {*scores.values()} == {0}
        else:
            assert said.startswith("Whatever you answer")
            assert max(textbook.move_scores(after).values()) < 0
        assert len(said) <= MOST, said
        told.append((f"{''.join(map(str, game.moves))} {game.human}", said))
    assert_as_last_read("why-said-in-play", told)


def test_a_second_winning_square_is_shown_beside_the_winning_line() -> None:
    for game in against_perfect():
        cells = Page(game).cells
        also = [cell.square for cell in cells if cell.caption]
        last, foe = boards(game.moves)[-2], textbook.other(game.human)
        wins = textbook.wins_at(last, foe) if textbook.winner(boards(game.moves)[-1]) == foe else ()
        assert also == [square for square in wins if square != game.moves[-1]]
