"""A game in the session: what was saved is restored, anything else is refused."""

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


PLAYED = {
    name: to_dict(Game((0, 4), "random"))[name]
    for name in ("moves", "opponent", "human", "set_up", "helped", "link", "was", "before", "nine")
}
# For a game with the moves 0, 4: values that no legal game has, by name.
INVALID_VALUES: dict[str, list[Any]] = {
    "version": [0, 4, 6, "5", None, []],
    # The reasons of the first three: a square taken, no reply yet, a move after the end.
    "moves": ["044", "0", "031425", "9", [0, 4], None],
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
    # An incomplete game, one that is not started, one that is over, one with only a set-up.
    "unfinished": [
        *({"moves": "04"}, {**PLAYED, "moves": ""}, {**PLAYED, "moves": "03142"}),
        {**PLAYED, "set_up": 2},
    ],
}
FINISHED: list[dict[str, Any]] = [{"set_up": 5}, {"hint": "danger"}, {"hint": "results"}]


@pytest.mark.parametrize(
    "values",
    [
        *(
            None,
            3,
            [],
            {},
            "hidden told 0 0 0 0 0 0 perfect X 0 ",
        ),  # the format of an early version
        *(
            to_dict(Game((0, 4))) | {name: value}
            for name in INVALID_VALUES
            for value in INVALID_VALUES[name]
        ),
        *(to_dict(Game((0, 4), "random")) | {"moves": "03142"} | more for more in FINISHED),
    ],
)
def test_values_of_an_impossible_game_are_refused(values: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        from_dict(values)


def test_a_game_in_which_perfect_blundered_is_refused_but_random_may_blunder() -> None:
    blunders = [Game((0, 1)), Game((0, 4, 8, 2)), Game((0, 4, 1, 8)), Game((4, 1, 7), human="O")]
    for game in (*blunders, Game((0, 4), unfinished=blunders[0])):
        with pytest.raises(ValueError, match="Perfect did not play one of its best moves"):
            from_dict(to_dict(game))
    for game in blunders:
        for legal in (
            replace(game, opponent_name="random"),
            replace(game, setup_length=len(game.moves)),
        ):
            assert from_dict(to_dict(legal)) == legal


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("048XO", max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner),
)


@given(
    st.sampled_from([Game(), FROM_SET_UP, FULL, LINKED]),
    st.sampled_from(sorted(to_dict(Game()))),
    ANY,
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
