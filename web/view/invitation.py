"""The sentences about a challenge, for titles, previews and an opponent's greeting."""

from __future__ import annotations

from typing import assert_never

from teach.challenge import Challenge
from web.view.words import capitalized, ending_sentence, number


def title(it: Challenge) -> str:
    """Return who is to move, and how many squares keep the result."""
    if it.task == "start":
        return "I have never lost."
    if outcome := it.position.outcome():
        return ending_sentence(outcome)
    return f"{it.mark} to move: {'can you stop me?' if it.is_linked else fact(it)}"


def fact(it: Challenge) -> str:
    """Return how many squares keep the result, as the end of a sentence."""
    wins = it.value > 0
    keep, keeps = ("win", "wins") if wins else ("keep the draw", "keeps the draw")
    match it.task:
        case "none":
            return "every square loses."
        case "only":
            return f"one square {keeps}."
        case "all but one":
            return f"one square {'gives the win away' if wins else 'loses'}."
        case "some":
            return f"{number(it.sound_count)} of {number(it.choice_count)} squares {keep}."
        case "all" if it.choice_count == 1:
            return f"one square is left, and it {keeps}."
        case "all" | "start" | "over":
            return f"every square {keeps}."
        case _:
            assert_never(it.task)


def request(it: Challenge) -> str:
    """Return what the board asks the reader to do; empty if the game is over."""
    match it.task:
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
            assert_never(it.task)


def sentences(it: Challenge) -> str:
    """Return the fact and the request, as an opponent says them."""
    return f"{capitalized(fact(it))} {request(it)}"


def subtitle(it: Challenge) -> str:
    """Return the text below the title of a picture."""
    return "I have never lost." if it.is_linked else request(it)
