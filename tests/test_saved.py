"""A game as plain values in the session: what was written is read, anything else is refused."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.position import X
from web.play.game import Game, Tally
from web.play.saved import from_values, to_values

LEFT = Game((0, 4, 1, 5), set_up=1)
FULL = Game(
    moves=(0, 4),
    opponent="random",
    human=X,
    earlier={"random": Tally(1, 2, 3, 1), "perfect": Tally(0, 10, 400, 7)},
    voice=False,
    hint="results",
    set_up=2,
    helped=True,
    held=0b1010_000000011,
    beaten=True,
    before=("perfect", "O"),
)


@pytest.mark.parametrize(
    "game", [Game(), LEFT, FULL, Game((4,), human="O"), Game((), unfinished=Game((0, 4)))]
)
def test_what_was_written_is_read(game: Game) -> None:
    assert from_values(to_values(game)) == game


def test_the_values_are_plain_and_name_what_they_are() -> None:
    assert to_values(FULL) == {
        "moves": "04",
        "opponent": "random",
        "human": "X",
        "set_up": 2,
        "helped": True,
        "before": ["perfect", "O"],
        "held": 0b1010_000000011,
        "voice": False,
        "hint": "results",
        "beaten": True,
        "tallies": {"random": [1, 2, 3, 1], "perfect": [0, 10, 400, 7]},
        "unfinished": None,
    }


def test_a_cookie_of_before_is_read_and_may_have_been_helped_where_moves_were_made() -> None:
    for game, helped in ((FULL, True), (Game(), False), (Game((0, 4)), True)):
        values = to_values(game)
        for later in ("beaten", "held", "helped", "before"):
            del values[later]
        read = replace(game, beaten=False, held=0, helped=helped, before=None)
        assert from_values(values) == read


def changed(**values: Any) -> dict[str, Any]:
    return to_values(Game((0, 4))) | values


PLAYED = {"moves": "04", "opponent": "perfect", "human": "X", "set_up": 0}


@pytest.mark.parametrize(
    "values",
    [
        None,
        3,
        "hidden told 0 0 0 0 0 0 perfect X 0 ",  # as it was written once
        [],
        {},
        changed(moves="044"),  # a square taken
        changed(moves="0"),  # the opponent has not replied
        changed(moves="031425"),  # a move after the end
        changed(moves="9"),
        changed(moves=[0, 4]),
        changed(moves=None),
        changed(human="O"),
        changed(human="Z"),
        changed(opponent="godlike"),
        changed(opponent={}),
        changed(set_up=3),  # more than there are
        changed(set_up=-1),
        changed(set_up=True),
        changed(set_up="0"),
        changed(moves="03142", set_up=5),  # set up, and over
        changed(moves="03142", hint="danger"),  # a hint for no move
        changed(moves="03142", hint="results"),
        changed(hint="yes"),
        changed(voice="on"),
        changed(beaten=3),
        changed(helped=2),
        changed(before=["perfect"]),
        changed(before=["perfect", "Z"]),
        changed(before=["godlike", "X"]),
        changed(held=-1),
        changed(held=True),
        changed(held=1 << 13),
        changed(tallies={}),
        changed(tallies={"random": [0, 0, 0, 0]}),
        changed(tallies={"random": [0, 0, 0, 0], "perfect": [0, 0, 0, -1]}),
        changed(tallies={"random": [0, 0, 0, 0], "perfect": [0, 2, 3, 3]}),
        changed(tallies={"random": [0, 0, 0, 0], "perfect": [0, 2, 3, -4]}),
        changed(tallies={"random": [0, 0, 0, 0], "perfect": [0, 0, 0, 0, 0]}),
        changed(tallies={"random": [0, 0, 0, 0], "perfect": [0, 0, 0, 1.5]}),
        changed(unfinished={}) | {"unfinished": {"moves": "04"}},
        changed(unfinished={**PLAYED, "moves": ""}),  # not begun
        changed(unfinished={**PLAYED, "moves": "03142"}),  # finished
        changed(unfinished={**PLAYED, "set_up": 2}),
    ],
)
def test_what_no_legal_game_could_have_written_is_refused(values: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_values(values)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("048XO", max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner),
)


@given(st.sampled_from([Game(), LEFT, FULL]), st.sampled_from(sorted(to_values(Game()))), ANY)
def test_any_value_anywhere_reads_as_a_legal_game_or_not(game: Game, name: str, value: Any) -> None:
    try:
        read = from_values(to_values(game) | {name: value})
    except (ValueError, TypeError, KeyError):
        return
    assert read.outcome or read.position.turn == read.human
    assert from_values(to_values(read)) == read
