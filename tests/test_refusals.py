"""Refused requests: the status, the sentence, and that no game changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from tests.conftest import Resume, game_of, parse
from web.http.forms import get_capped_number, get_choice, get_number, get_single


def test_posts_from_this_site_and_links_from_others_are_accepted(client: FlaskClient) -> None:
    for headers in (
        {},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://localhost"},
        {"Origin": "http://tic_tac_toe.example", "Host": "tic_tac_toe.example"},
        {"Origin": "http://tic_tac_toe.example:8000", "Host": "tic_tac_toe.example:8000"},
    ):
        assert client.post("/move", data=MOVE, headers=headers).status_code == 303, headers
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


BOARD = "X---O----"
MOVE = {"square": "1", "position": BOARD}
NO_SQUARE = "square must be a number from 0 to 8."
NO_POSITION = "A position is nine characters, each X, O or -."
ELSEWHERE = "This came from another site, so I ignored it."
NOT_FOUND = "The page you asked for is not one of them."
NOT_ALLOWED = "That address does not take that kind of request."

# For each reason, addresses that no page links to.
REFUSED_ADDRESSES = {
    "A move is a digit from 0 to 8.": """
        /study/99 /study/04?game=zz /challenge/9 /learn/write/play?l4=0&moves=x
    """,
    "Top left is taken.": "/study/00 /challenge/00",
    "was must be one of: lost, held.": "/challenge/0?was=won",
    "nine must be a number from 0 to 511.": "/challenge/04?nine=512",
    "A blank is still empty: choose a piece.": "/learn/write/play?level=2&l5=0",
    "l8 isn’t a blank at level 1.": "/learn/write?level=1&l8=0",
    "run must be one of: on, loss.": "/learn/write?run=1",
    "Center is taken.": "/learn/write/play?l4=0&moves=44",
    "X goes first and the sides take turns": "/study/XX-------",
    "cannot have 2 X’s and 0 O’s": "/picture/X---X----.png",
    "A position is nine characters, each X, O or -.": "/study/X---O--- /practise/moves/XXX",
    "at must be a number": "/study/0?at=-1 /study/0?at=x /study/0?at=",
    "at was given 2 times": "/study/04?at=1&at=2",
    "answer needs the parameter at": "/study/42170835?at=4&answer= /study?view=moves&answer=",
    "line must be one of: 1, 2, 3, 5, 6, 7, 8.": "/study/04?view=squares&line=0",
    "set must be nine characters": "/study?set=XO /study?set=O---------",
    "squares that may still be tried": """
        /study/42170835?answer=0 /study/42170835?answer=33 /study/42170835?answer=83
        /study/42170835?answer=shown""",
    "No press on this screen leads to this address.": """
        /learn/1?p=0 /learn/1?p=9 /learn/1?seen=1&seen=1 /learn/1?seen=5&seen=1 /learn/2?p=3&p=5
        /learn/3?at=3 /learn/4?p=25 /learn/4?p=3 /learn/5?try=3.0 /learn/8?at=turns /learn/9?at=2
        /learn/9?seen=0&at=01 /learn/10?p=3 /learn/11?p=6 /learn/12?p=cut /learn/14?p=4&p=0""",
    "try was given 2 times": "/learn/4?try=2&try=3",
    "to must be one of: 7, 8,": "/learn/7?to=6",
    "l5 must be a number from 0 to 2.": "/learn/write?l5=3",
    "l7 must be a number from 0 to 1.": "/learn/write?l7=2",
    "l4 must be a number from 0 to 2.": "/learn/write?l4=max",
    "l5 was given 2 times: give it once.": "/learn/write?l5=0&l5=1",
    "Question must be one of the puzzles, with the presses there.": """
        /study/OX--X-OOX?question=//a.example /study/OX--X-OOX?question=moves?x%3D1
        /study/((3,5),(2,7))?question=cuts/../../new /study/OX--X-OOX?question=moves?p%3D1%23x""",
    "seed must be a number from 0 to 999.": "/practise/cuts?seed=1000 /study/random?seed=x",
    "seed is missing.": "/study/random /study/random?levels=3",
    "done is at most 10 characters, each 0 or f.": """
        /practise/moves?round=1&done=fffffffffff /practise/moves?round=1&done=1""",
    "Nothing on this page leads there.": """
        /practise/moves/XX-OO----?p=0 /practise/moves/XX-OO----?p=55 /practise/moves/XX-OO----?p=25
        /practise/moves/XX-OO----?p=2s /practise/values/OX--X-OOX?p=3x
        /practise/values/OX--X-OOX?p=4 /practise/values/OX--X-OOX?p=0y
        /practise/values/OX--X-OOX?p=0x0x /practise/values/OX--X-OOX?p=0o0
        /practise/cuts?tree=((3,5),(2,7))&p=c /practise/cuts?tree=((3,5),(2,7))&p=ucc
        /practise/cuts?tree=((3,5),(2,7))&p=ux /practise/cuts?tree=((3,5),(2,7))&p=uuucu
        /practise/values?tree=(3,5)&p=05 /practise/values?tree=(3,5)&p=1
        /practise/cuts?tree=((3,12,8),(2,4,6),(14,5,2))&p=q
        /practise/values?tree=((3,12,8),(2,4,6),(14,5,2))&p=q""",
    "No move here keeps a win or a draw that another gives away.": """
        /practise/moves/--------- /practise/moves/XXXOO----""",
    "That tree cannot be filled in.": "/practise/values/XX-OO---- /practise/values/XXXOO----",
    "Only values and cuts take a tree.": "/practise/moves?tree=(3,5) /practise/moves?seed=1",
    "step must be a number": "/study/O-XX--XOO?view=search&step=-1",
    "at the last step": "/study/O-XX--XOO?view=search&path=1",
    "path must lead to": """
        /study/O-XX--XOO?view=search&step=last&path=0 /study/O-XX--XOO?view=search&step=last&path=x
        /study/((3,12,8),(2,4,6),(14,5,2))?view=search&step=last&path=23""",
    "depth": "/study/O-XX--XOO?view=search&depth=0",
    "depth 1 or 2 can be drawn": "/study/---------?view=search&depth=3",
}

REFUSED: list[tuple[str, str, dict[str, Any], int, str]] = [
    *[("POST", "/move", {"data": {**MOVE, "square": square}}, 400, NO_SQUARE)
      for square in ("9", "-1", "99", "x", "4.0", "", " 4", "\N{FULLWIDTH DIGIT FOUR}")],
    ("POST", "/move", {"data": {"position": BOARD}}, 400, "square is missing."),
    ("POST", "/move", {"data": {"square": "1"}}, 400, "position is missing."),
    ("POST", "/move", {"data": {"square": "1", "position": "XX-------"}}, 400, "2 X’s and 0 O’s"),
    ("POST", "/move", {"data": {"square": "1", "position": "hello"}}, 400, NO_POSITION),
    ("POST", "/undo", {"data": {"position": "hello"}}, 400, NO_POSITION),
    ("POST", "/new", {"data": {"position": "hello"}}, 400, NO_POSITION),
    ("POST", "/new", {"data": {"position": "hello", "stamp": "00000000"}}, 400, NO_POSITION),
    ("POST", "/new", {"data": {"difficulty": "godlike"}}, 400,
     "difficulty must be one of: perfect, hasty, random."),
    ("POST", "/new", {"data": {"mark": "Z"}}, 400, "mark must be one of: X, O."),
    ("POST", "/new", {"data": {"mark": ""}}, 400, "mark must be one of: X, O."),
    ("POST", "/new", {"data": {"moves": "8x"}}, 400, "A move is a digit from 0 to 8."),
    ("POST", "/new", {"data": {"moves": "03142"}}, 400, "That game is already over."),
    ("POST", "/new", {"data": {"moves": "0", "square": "0"}}, 400, "Top left is taken."),
    ("POST", "/new", {"data": {"moves": "0", "square": "9"}}, 400, NO_SQUARE),
    ("POST", "/new", {"data": {"moves": "01", "square": "5"}}, 400, "No challenge starts there."),
    ("POST", "/new", {"data": {"moves": "0", "square": "4", "was": "won"}}, 400,
     "was must be one of"),
    ("GET", "/today?day=tomorrow", {}, 400, "day must be a date such as 2026-11-23."),
    ("POST", "/today", {"data": {"square": "8"}}, 400, "day is missing."),
    ("POST", "/today", {"data": {"day": "2026-11-28"}}, 400, "square is missing."),
    ("POST", "/today", {"data": {"day": "2026-11-28", "square": "9"}}, 400,
     "square must be one of: 0, "),
    ("POST", "/practise/moves/done", {"data": {"round": "1", "done": "f"}}, 400,
     "done is 10 characters, the outcomes of a round."),
    ("GET", f"/study/{'(' * 10_000}?view=search", {}, 400, "At most 600 characters"),
    ("GET", f"/study/({'9' * 400},1)?view=search", {}, 400, "Numbers go from −99 to 99"),
    ("POST", "/hint", {}, 400, "hint is missing."),
    ("POST", "/hint", {"data": {"hint": "x"}}, 400, "hint must be one of"),
    ("GET", "/proof?" + "a=b&" * 101, {}, 400, "at most 100 values may follow the ?."),
    ("GET", "/nowhere?" + "a&" * 101, {}, 400, "at most 100 values may follow the ?."),
    ("POST", "/move?" + "x" * 2001, {"data": MOVE}, 400, "2000 characters may follow the ?."),
    *[("POST", url, {"data": MOVE, "headers": headers}, 403, ELSEWHERE)
      for url in ("/move", "/new", "/undo")
      for headers in (
          {"Sec-Fetch-Site": "cross-site"},
          {"Sec-Fetch-Site": "same-site"},
          {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
          {"Origin": "http://elsewhere.example"},
          {"Origin": "http://localhost.elsewhere.example"},
          {"Origin": "https://localhost"},
          {"Origin": "ftp://localhost"},
          {"Origin": "null"},
          {"Origin": "null", "Host": "tic_tac_toe.example"},
          {"Origin": "null", "Host": ""},
          {"Origin": "http://elsewhere.example", "Host": "tic_tac_toe.example"},
          {"Origin": ""},
          {"Origin": "http://"},
          {"Origin": "http://["},
      )],
    *[("GET", f"/study/{junk}{query}", {}, 400, "")
      for junk in ("00", "048048", "031425", "0123456780", "x", "%00x", "9", "-1", "٣",
                   "0" * 1_900, "..x", "'x")
      for query in ("", "?view=squares", "?view=tree", "?game=0")],
    *[("GET", url, {}, 404, NOT_FOUND)
      for url in ("/nowhere", "/static/nothing.css", "/static/htmx-2.min.js", "/static/board.css",
                  "/static/../app.py", "/static/..%2fapp.py", "/%00x", "/practise/cuts/XX-OO----",
                  "/learn/0", "/learn/15")],
    *[("POST", f"/learn/{screen}/done", {}, 404, NOT_FOUND) for screen in (0, 15)],
    *[(method, url, {}, 405, NOT_ALLOWED)
      for method, url in (("GET", "/move"), ("GET", "/new"), ("DELETE", "/"), ("POST", "/"))],
    ("POST", "/move", {"data": {"square": "1" * 5000}}, 413, "so I did not read it."),
    *[("GET", url, {}, 400, reason)
      for reason, urls in REFUSED_ADDRESSES.items() for url in urls.split()],
]  # fmt: skip


def test_a_refusal_has_a_status_a_sentence_and_no_effect(
    client: FlaskClient, resume: Resume
) -> None:
    resume("04")
    for method, url, options, code, sentence in REFUSED:
        response = client.open(url, method=method, **options)
        page = parse(response)
        assert (response.status_code, sentence in page.get_text()) == (code, True), (url, options)
        assert len(page.select("h1")) == 1
        links = page.select("a" if "/study/(" in url else "main a")  # that page has a form instead
        assert {"/", "/learn"} <= {link.get("href") for link in links}
        assert ("Allow" in response.headers) == (code == 405)
        assert game_of(client).moves == (0, 4)


def test_the_lowest_and_highest_numbers_are_accepted() -> None:
    for given in ("0", "9"):
        assert get_number(MultiDict({"tick": given}), "tick", maximum=9) == int(given)
    for given in ("10", "-1", "09", "x"):
        with pytest.raises(BadRequest, match="tick"):
            get_number(MultiDict({"tick": given}), "tick", maximum=9)
    assert get_capped_number(MultiDict({"tick": "12"}), "tick", 9, 0) == 9
    with pytest.raises(BadRequest, match=r"tick must be a number, 0 or more\."):
        get_capped_number(MultiDict({"tick": "x"}), "tick", 9, 0)


def test_the_longest_allowed_address_is_not_too_long(client: FlaskClient) -> None:
    for query in ("at=&" * 99 + "at", f"at={'x' * 1997}"):
        page = client.get(f"/proof?{query}").text
        assert "I cannot make sense of that." in page
        assert "That address is too long" not in page


@pytest.mark.parametrize(
    "reader", [get_single, partial(get_choice, allowed="ab"), partial(get_number, maximum=9)]
)
def test_a_single_value_given_twice_is_refused(reader: Callable[..., object]) -> None:
    with pytest.raises(BadRequest, match=r"tick was given 2 times: give it once\."):
        reader(MultiDict([("tick", "a"), ("tick", "a")]), "tick")
