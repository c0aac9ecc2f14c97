"""The sentences about a challenge, for titles, previews and an opponent's greeting."""

from __future__ import annotations

from typing import assert_never

from teach.challenge import Challenge
from web.view.words import capitalized, ending_sentence, number


def title(challenge: Challenge) -> str:
    """Return the title of a board: who is to move, and what there is to find.

    The title of the empty board is a boast; that of a finished game says how it ended.
    """
    if challenge.task == "start":
        return "I have never lost."
    if outcome := challenge.position.outcome():
        return ending_sentence(outcome)
    ending = "can you stop me?" if challenge.is_linked else fact(challenge)
    return f"{challenge.mark} to move: {ending}"


def fact(challenge: Challenge) -> str:
    """Return how many squares keep the result, as the end of a sentence."""
    is_win = challenge.value > 0
    keep, keeps = ("win", "wins") if is_win else ("keep the draw", "keeps the draw")
    match challenge.task:
        case "none":
            return "every square loses."
        case "only":
            return f"one square {keeps}."
        case "all but one":
            return f"one square {'gives the win away' if is_win else 'loses'}."
        case "some":
            sound_count, choice_count = challenge.sound_count, challenge.choice_count
            return f"{number(sound_count)} of {number(choice_count)} squares {keep}."
        case "all" if challenge.choice_count == 1:
            return f"one square is left, and it {keeps}."
        case "all" | "start" | "over":
            return f"every square {keeps}."
        case _:
            assert_never(challenge.task)


def request(challenge: Challenge) -> str:
    """Return what the board asks the reader to do; empty if the game is over."""
    match challenge.task:
        case "only":
            return "Can you find it?"
        case "start":
            return "A draw is the best you can do."
        case "none":
            return "Last as long as you can."
        case "over":
            return ""
        case "some" | "all but one" | "all":
            return "Go on from here."
        case _:
            assert_never(challenge.task)


def sentences(challenge: Challenge) -> str:
    """Return the fact and the request, as an opponent says them."""
    return f"{capitalized(fact(challenge))} {request(challenge)}"


def subtitle(challenge: Challenge) -> str:
    """Return the text below the title of a picture."""
    return "I have never lost." if challenge.is_linked else request(challenge)
