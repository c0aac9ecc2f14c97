"""The game in the session cookie: a saved game is restored, and anything else is refused."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.position import X
from web.play.cookie import from_dict, to_dict
from web.play.game import Game
from web.play.record import Record, Tally

FROM_SET_UP = Game((0, 4, 1, 2), setup_length=1)
FULL = Game(
    moves=(0, 4),
    opponent_name="random",
    human=X,
    record=Record((Tally("random", 1, 3),), 2, earned_bits=0b1_0000_0011),
    hint="results",
    setup_length=2,
    help_used="back",
    usual_settings=("perfect", "O"),
)
LINKED = Game((0, 4, 8, 1), link_length=2, friend_result="held", friend_bits=273)


@pytest.mark.parametrize(
    "game",
    [Game(), FROM_SET_UP, FULL, LINKED, Game((4,), human="O"), Game((), unfinished=Game((0, 4)))],
)
def test_a_saved_game_is_restored_unchanged(game: Game) -> None:
    assert from_dict(to_dict(game)) == game


def test_a_game_is_saved_as_plain_named_values() -> None:
    assert to_dict(FULL) == {
        "version": 5,
        "moves": "04",
        "opponent": "random",
        "human": "X",
        "set_up": 2,
        "helped": "back",
        "link": 0,
        "was": None,
        "before": ["perfect", "O"],
        "nine": None,
        "hint": "results",
        "record": [[["random", 1, 3]], 2, 0b1_0000_0011],
        "unfinished": None,
    }


UNFINISHED = {
    name: to_dict(Game((0, 4), "random"))[name]
    for name in ("moves", "opponent", "human", "set_up", "helped", "link", "was", "before", "nine")
}
# By name, values that no legal game with the moves 0, 4 has.
INVALID_VALUES: dict[str, list[Any]] = {
    "version": [0, 4, 6, "5", None, []],
    "moves": [
        "044",  # a square that is taken
        "0",  # without the reply
        "031425",  # a move after the end
        *("9", [0, 4], None),
    ],
    "human": ["O", "Z"],
    "opponent": ["godlike", {}],
    "set_up": [3, -1, True, "0"],  # more moves than there are
    "hint": ["yes"],
    "helped": [2, "much", "help", True],
    "link": [1, 3, -1, True, None],
    "was": ["won", 0],
    "nine": [-1, 512, "3", True],
    "before": [3, ["perfect"], ["perfect", "Z"], ["godlike", "X"]],
    "record": [
        *([], [[], 0], [[], 0, 0, 3], [[], -1, 0], [[], 1.5, 0], [3, 0, 0]),
        *([[], 0, 1 << 13], [[], 0, True], {}, None),
        *([[["random", 1]], 0, 0], [[["random", -1, 0]], 0, 0]),
        [[["godlike", 1, 0]], 0, 0],
    ],
    "unfinished": [
        {"moves": "04"},  # without the other values of a game
        {**UNFINISHED, "moves": ""},
        {**UNFINISHED, "moves": "03142"},  # over
        {**UNFINISHED, "set_up": 2},  # set up, but not played
    ],
}
# Values that no finished game has.
INVALID_AT_THE_END: list[dict[str, Any]] = [{"set_up": 5}, {"hint": "danger"}, {"hint": "results"}]


@pytest.mark.parametrize(
    "values",
    [
        *(None, 3, [], {}),
        "hidden told 0 0 0 0 0 0 perfect X 0 ",  # the format of an early version
        *(
            to_dict(Game((0, 4))) | {name: value}
            for name in INVALID_VALUES
            for value in INVALID_VALUES[name]
        ),
        *(
            to_dict(Game((0, 4), "random")) | {"moves": "03142"} | values
            for values in INVALID_AT_THE_END
        ),
    ],
)
def test_values_of_an_impossible_game_are_refused(values: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_dict(values)


# In each, the last move of Perfect is not one of its best.
PERFECT_BLUNDERS = [
    Game((0, 1)),
    Game((0, 4, 8, 2)),
    Game((0, 4, 1, 8)),
    Game((4, 1, 7), human="O"),
]


@pytest.mark.parametrize("game", [*PERFECT_BLUNDERS, Game((0, 4), unfinished=PERFECT_BLUNDERS[0])])
def test_a_game_in_which_perfect_blundered_is_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="Perfect did not play one of its best moves"):
        from_dict(to_dict(game))


@pytest.mark.parametrize("game", PERFECT_BLUNDERS)
def test_the_same_moves_are_accepted_from_random_or_as_a_set_up_board(game: Game) -> None:
    random_game = replace(game, opponent_name="random")
    assert from_dict(to_dict(random_game)) == random_game
    set_up_game = replace(game, setup_length=len(game.moves))
    assert from_dict(to_dict(set_up_game)) == set_up_game


ANY_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("048XO", max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner),
)


@given(
    st.sampled_from([Game(), FROM_SET_UP, FULL, LINKED]),
    st.sampled_from(sorted(to_dict(Game()))),
    ANY_VALUE,
)
def test_a_tampered_value_is_refused_or_gives_a_legal_game(
    game: Game, name: str, value: Any
) -> None:
    try:
        parsed = from_dict(to_dict(game) | {name: value})
    except (ValueError, TypeError, KeyError):
        return
    assert parsed.outcome or parsed.position.turn == parsed.human
    assert from_dict(to_dict(parsed)) == parsed
