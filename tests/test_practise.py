"""Practice: the positions there are, every answer to each, and a round of ten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from flask.testing import FlaskClient

from engine.position import SQUARE_NAMES, Position
from engine.symmetry import canonical
from teach.practice import Hardness, to_practise
from tests import textbook
from tests.conftest import Scripted, assert_refused, parse
from web.learn.practice import ROUND


def kept(board: str) -> list[int]:
    """Return the moves that keep a win or a draw that others give away, by the textbook."""
    results = {square: textbook.sign(v) for square, v in textbook.move_scores(board).items()}
    best = max(results.values(), default=-1)
    keep = [square for square in results if results[square] == best]
    return keep if best >= 0 and len(keep) < len(results) else []


def only_moves() -> Iterator[str]:
    """Yield each board, up to symmetry, where one of three moves or more keeps a win or a draw."""
    for board in {min(textbook.images(board)) for board in textbook.every_board()}:
        if len(kept(board)) == 1 and len(textbook.children(board)) >= 3:
            yield board


def by_hardness(board: str) -> Hardness:
    (square,) = kept(board)
    child = textbook.children(board)[square]
    if textbook.winner(child):
        return "completes"
    mark, other = textbook.turn(board), textbook.turn(child)
    blocked = board[:square] + other + board[square + 1 :]
    if textbook.winner(blocked) and all(
        v < 0 for s, v in textbook.move_scores(board).items() if s != square
    ):
        return "blocks"
    wins = [
        s for s in textbook.children(child) if textbook.winner(child[:s] + mark + child[s + 1 :])
    ]
    return "forks" if len(wins) > 1 and textbook.move_scores(board)[square] == 7 else "quiet"


def texts(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def test_there_are_166_wins_and_63_draws_to_find() -> None:
    boards = list(only_moves())
    wins = [board for board in boards if max(textbook.move_scores(board).values()) > 0]
    assert (len(wins), len(boards) - len(wins)) == (166, 63)
    offered = [str(position) for positions in to_practise().values() for position in positions]
    assert sorted(min(textbook.images(board)) for board in offered) == sorted(boards)


def test_they_are_sorted_by_how_hard_they_are_to_see() -> None:
    for hardness, positions in to_practise().items():
        assert {by_hardness(str(position)) for position in positions} == {hardness}
    assert {hardness: len(p) for hardness, p in to_practise().items()} == {
        "completes": 115, "blocks": 89, "forks": 17, "quiet": 8,
    }  # fmt: skip


@pytest.mark.long
def test_every_answer_to_every_position_is_judged(client: FlaskClient) -> None:
    for position in (p for positions in to_practise().values() for p in positions):
        board = str(position)
        (right,) = kept(board)
        moves = textbook.move_scores(board)
        goal = "the win" if moves[right] > 0 else "the draw"
        for square, value in moves.items():
            page = client.get(f"/practise/{board}?answer={square}").text
            # Pictures are two thirds of it, and CSS twice as slow as what is asked for here.
            soup = BeautifulSoup(re.sub("<svg.*?</svg>", "", page), "html.parser")
            (said,) = soup.find_all(id="said")
            (quiz,) = soup.find_all(class_="quiz")
            if square == right:
                assert texts(said).startswith(
                    f"Right: {textbook.turn(board)} {SQUARE_NAMES[right]}"
                )
                assert len(quiz.find_all(class_="chip")) == len(moves) - 1
                continue
            assert texts(said).startswith(
                f"{SQUARE_NAMES[square].capitalize()} gives {goal} away. "
            )
            (strip,) = ([texts(li) for li in ol.find_all("li")] for ol in soup.find_all("ol"))
            assert strip[0] == f"{textbook.turn(board)} {SQUARE_NAMES[square]}"
            assert len(strip) == (10 - abs(value) if value else board.count("-"))
            assert len(quiz.find_all("a")) == len(moves) - 1
            assert not soup.find_all(class_=["played", "next"])


def test_before_an_answer_every_free_square_can_be_chosen(client: FlaskClient) -> None:
    soup = parse(client.get("/practise/X---O---X"))
    links = soup.select(".quiz a")
    assert [parse_qs(urlsplit(str(a["href"])).query)["answer"] for a in links] == [
        [s] for s in "123567"
    ]
    assert not soup.select("#said, .chip, .strip")
    assert "4 of 6 moves keep the draw. Find one." in soup.get_text()


def test_the_solution_can_be_shown_and_is_not_counted(client: FlaskClient) -> None:
    soup = parse(client.get("/practise/XX-OO----?at=2&right=1&answer=show"))
    (said,) = soup.select("#said")
    assert texts(said) == "X top right. X completes the top row now."
    (on,) = soup.select(".answer .action")
    assert on["href"] == "/practise?at=3&right=1&after=XX-OO----"


@pytest.mark.parametrize(
    ("query", "right"), [("right=1", "&right=2"), ("right=1&missed=on", "&right=1")]
)
def test_only_what_is_found_at_the_first_try_counts(
    client: FlaskClient, query: str, right: str
) -> None:
    soup = parse(client.get(f"/practise/XX-OO----?at=2&{query}&answer=2"))
    (on,) = soup.select(".answer .action")
    assert on["href"] == f"/practise?at=3{right}&after=XX-OO----"
    soup = parse(client.get(f"/practise/XX-OO----?at=2&{query}&answer=5"))
    links = [str(a["href"]) for a in soup.select(".quiz a")]
    assert len(links) == 4 and all("missed=on" in link for link in links)


@pytest.mark.parametrize(
    ("query", "so_far"),
    [
        ("", "1 of 10 · 0 found so far"),
        ("?answer=2", "1 of 10 · 1 found so far"),
        ("?at=2", "3 of 10 · 0 found so far"),
        ("?at=2&right=2&answer=5", "3 of 10 · 2 found so far"),
    ],
)
def test_what_is_found_so_far_begins_at_nothing(
    client: FlaskClient, query: str, so_far: str
) -> None:
    assert so_far in parse(client.get(f"/practise/XX-OO----{query}")).get_text()


def test_of_several_moves_that_hold_the_first_is_shown(client: FlaskClient) -> None:
    board = "X---O---X"
    first, *others = kept(board)
    assert others
    said = parse(client.get(f"/practise/{board}?answer=show")).get_text()
    assert f"O {SQUARE_NAMES[first]}" in said
    assert f"O {SQUARE_NAMES[others[-1]]}" not in said


def test_what_nothing_is_said_of_is_the_beginning(client: FlaskClient, rng: Scripted) -> None:
    rng.pick = 0
    first = urlsplit(client.get("/practise").headers["Location"])
    assert (by_hardness(first.path.removeprefix("/practise/")), first.query) == (ROUND[0], "")
    assert urlsplit(client.get("/practise?at=9").headers["Location"]).query == "at=9"
    assert "0 of 10 found at the first try" in client.get("/practise?at=10").text


def test_a_round_of_ten_begins_easy_and_turns_hard(client: FlaskClient, rng: Scripted) -> None:
    for at, hardness in enumerate(ROUND):
        for pick in (0, -1):
            rng.pick = pick
            response = client.get(f"/practise?at={at}&right={at}")
            assert response.status_code == 302
            assert response.headers["Cache-Control"] == "no-store"
            there = urlsplit(response.headers["Location"])
            board = there.path.removeprefix("/practise/")
            assert by_hardness(board) == hardness
            assert parse_qs(there.query) == ({"at": [str(at)], "right": [str(at)]} if at else {})
            assert client.get(response.headers["Location"]).status_code == 200
    assert len(ROUND) == 10


def test_the_same_position_does_not_come_twice_in_a_row(client: FlaskClient, rng: Scripted) -> None:
    quiet = to_practise()["quiet"]
    for image in textbook.images(str(quiet[0])):
        rng.pick = 0
        location = client.get(f"/practise?at=9&after={image}").headers["Location"]
        board = urlsplit(location).path.removeprefix("/practise/")
        assert canonical(Position.parse(board)) == quiet[1]
    rng.pick = -2  # any other may
    at_the_end = client.get(f"/practise?at=9&after={quiet[-1]}").headers["Location"]
    board = urlsplit(at_the_end).path.removeprefix("/practise/")
    assert canonical(Position.parse(board)) == quiet[-3]


def test_it_comes_turned_and_mirrored_too(client: FlaskClient, rng: Scripted) -> None:
    rng.pick = 0
    client.get("/practise?at=9")
    assert len(rng.offered) == 8


def test_the_end_of_a_round_says_how_many_were_found(client: FlaskClient) -> None:
    page = client.get("/practise?at=10&right=7")
    assert "7 of 10 found at the first try" in page.text
    assert "What you missed" in page.text
    assert "All of them" in client.get("/practise?at=10&right=10").text


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("/practise?at=11", "at is a number from 0 to 10."),
        ("/practise?at=3&right=4", "right is a number from 0 to 3."),
        ("/practise?at=3&after=XXX", "A position is nine characters, each X, O or -."),
        ("/practise/XX-OO----?at=10", "at is a number from 0 to 9."),
        ("/practise/XX-OO----?answer=0", "answer is one of 2, 5, 6, 7, 8, show."),
        ("/practise/XX-OO----?missed=yes", "missed is one of on."),
        ("/practise/---------", "No move here keeps a win or a draw that another gives away."),
        ("/practise/XXXOO----", "No move here keeps a win or a draw that another gives away."),
    ],
)
def test_what_cannot_be_meant_is_refused(client: FlaskClient, url: str, reason: str) -> None:
    assert_refused(client, url, reason)
