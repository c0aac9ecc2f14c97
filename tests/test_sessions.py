"""The signed cookie and its key: whatever happens to clocks, keys and disks, no game is lost."""

from __future__ import annotations

import errno
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner

from app import create_app
from tests.conftest import board_of, parse
from web.session import kept_key

EMPTY = "---------"


def test_the_cookie_is_hidden_from_scripts_and_other_sites(client: FlaskClient) -> None:
    cookie = client.post("/new").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Expires" in cookie


def test_caches_are_told_which_answers_depend_on_the_session(client: FlaskClient) -> None:
    for answer in (client.get("/"), client.post("/new"), client.post("/undo")):
        assert "Cookie" in answer.headers["Vary"]
    for url in ("/proof", "/why/04", "/static/style.css", "/healthz"):
        assert "Cookie" not in client.get(url).headers.get("Vary", "")


def test_over_https_the_cookie_stays_with_it(client: FlaskClient) -> None:
    for site, secure in (("http://localhost", False), ("https://localhost", True)):
        client.delete_cookie("session")
        answer = client.post("/new", base_url=site, data={"mark": "O"})
        assert ("Secure" in answer.headers["Set-Cookie"]) == secure


def test_a_site_that_knows_it_is_behind_https_can_say_so() -> None:
    app = create_app({"SECRET_KEY": "key" * 20, "SESSION_COOKIE_SECURE": True})
    assert "Secure" in app.test_client().post("/new").headers["Set-Cookie"]


@pytest.mark.parametrize("cookie", ["", ".", "a.b.c", "e30.AAAAAA.AAAA", "é", "x" * 4000])
def test_what_nobody_here_signed_is_a_new_game(client: FlaskClient, cookie: str) -> None:
    client.set_cookie("session", cookie)
    assert board_of(parse(client.get("/"))) == EMPTY


@pytest.mark.parametrize("years", [-30, 30])
def test_a_clock_that_was_wrong_ends_no_game(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, years: int
) -> None:
    then = int(time.time()) + years * 365 * 24 * 3600
    with monkeypatch.context() as wrong:
        wrong.setattr(TimestampSigner, "get_timestamp", lambda self: then)
        client.post("/move", data={"square": "0", "position": EMPTY})
    board = board_of(parse(client.get("/")))
    assert board.count("X") == board.count("O") == 1


def test_a_game_goes_on_while_machines_change_their_key_one_after_the_other() -> None:
    steps = [("old", []), ("old", ["new"]), ("new", ["old"]), ("new", [])]
    machines = [
        create_app({"SECRET_KEY": key, "SECRET_KEY_FALLBACKS": others}).test_client()
        for key, others in steps
    ]
    machines[0].post("/move", data={"square": "0", "position": EMPTY})
    for earlier, later in pairwise(machines):  # while some are a step behind the others
        for here, there, show in ((earlier, later, "yes"), (later, earlier, "no")):
            here.post("/results", data={"show": show})
            cookie = here.get_cookie("session")
            assert cookie
            there.set_cookie("session", cookie.value)
            assert board_of(parse(there.get("/"))) == "X---O----"


def test_a_game_signed_with_another_key_is_not_taken() -> None:
    client = create_app({"SECRET_KEY": "one" * 20}).test_client()
    client.post("/move", data={"square": "0", "position": "---------"})
    cookie = client.get_cookie("session")
    assert cookie
    other = create_app({"SECRET_KEY": "another" * 10}).test_client()
    other.set_cookie("session", cookie.value)
    assert board_of(parse(other.get("/"))) == EMPTY


# The secret key


def test_a_key_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var" / "instance"
    key = kept_key(folder)
    assert len(key) == 64
    assert kept_key(folder) == key
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_key_made_at_the_same_moment_by_another_process_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def theirs_comes_first(source: str, target: Path) -> None:
        assert Path(source).parent == target.parent  # no link leads to another disk
        assert len(Path(source).read_text()) == 64  # all there before anybody can read it
        target.write_text("theirs" * 16)
        raise FileExistsError

    monkeypatch.setattr("os.link", theirs_comes_first)
    assert kept_key(tmp_path) == "theirs" * 16


@pytest.mark.parametrize("left", ["", "short", "x" * 63])
def test_a_damaged_key_is_refused(tmp_path: Path, left: str) -> None:
    path = tmp_path / "secret-key"
    path.write_text(left)
    with pytest.raises(RuntimeError) as refused:
        kept_key(tmp_path)
    assert str(refused.value) == (
        f"The secret key in {path} is damaged: delete it, or set FLASK_SECRET_KEY"
    )


def test_a_folder_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RuntimeError, match="set FLASK_SECRET_KEY"):
        kept_key(tmp_path / "file")


def test_the_environment_gives_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLASK_SECRET_KEY", "1234567890")  # reads as JSON: a number
    assert create_app().secret_key == "1234567890"


def test_the_environment_gives_the_keys_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLASK_SECRET_KEY", "new")
    monkeypatch.setenv("FLASK_SECRET_KEY_FALLBACKS", '["old", 1234567890]')
    app = create_app()
    for key, board in (("old", "X---O----"), ("1234567890", "X---O----"), ("o", EMPTY)):
        before = create_app({"SECRET_KEY": key, "SECRET_KEY_FALLBACKS": []}).test_client()
        before.post("/move", data={"square": "0", "position": EMPTY})
        cookie = before.get_cookie("session")
        assert cookie
        client = app.test_client()
        client.set_cookie("session", cookie.value)
        assert board_of(parse(client.get("/"))) == board


def test_without_one_the_key_of_the_instance_folder_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FLASK_SECRET_KEY", raising=False)
    monkeypatch.setattr("app.kept_key", lambda folder: f"key in {folder.name}")
    assert create_app().secret_key == "key in instance"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_takes_no_key_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(code, "no")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", refuse)
    with pytest.raises(RuntimeError, match="set FLASK_SECRET_KEY"):
        kept_key(tmp_path)
    assert not list(tmp_path.iterdir())
