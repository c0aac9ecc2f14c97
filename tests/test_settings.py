"""The settings and the key: what makes no sense stops the start, with one sentence."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader, TemplateNotFound

from app import create_app
from tests.conftest import KEY, board_of, parse
from web.site.session import kept_key
from web.site.settings import NoStart

EMPTY = "---------"
LONG = "9" * 64


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRUSTED_PROXIES", "two"),
        ("TRUSTED_PROXIES", '"1"'),
        ("TRUSTED_PROXIES", "true"),
        ("TRUSTED_PROXIES", "-1"),
        ("TRUSTED_PROXIES", "1.5"),
        ("SECRET_KEY_FALLBACKS", "hunter2"),  # a key for each of its letters
        ("SECRET_KEY_FALLBACKS", '{"old": 1}'),
        ("MAX_CONTENT_LENGTH", "x"),
        ("MAX_CONTENT_LENGTH", "-1"),
        ("MAX_FORM_PARTS", "many"),
        ("COMPRESS_MIN_SIZE", "2 kB"),
        ("SESSION_COOKIE_SECURE", "yes"),
        ("PERMANENT_SESSION_LIFETIME", "a year"),
    ],
)
def test_a_setting_that_makes_no_sense_stops_the_server_before_it_starts(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"FLASK_{name}", value)
    with pytest.raises(NoStart, match=f"FLASK_{name} has to be") as refused:
        create_app({"SECRET_KEY": KEY})
    assert "hunter2" not in str(refused.value)


FOLDER = Path(__file__).parent.parent / "templates"
TEMPLATES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.html"))


@pytest.mark.parametrize(
    "gone",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name != "site/error.html"))
        for name in TEMPLATES
    ],
)
def test_a_missing_template_stops_the_server_before_it_starts(
    monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    find = FileSystemLoader.get_source

    def lose(self: FileSystemLoader, environment: Environment, name: str) -> Any:
        if name == gone:
            raise TemplateNotFound(name)
        return find(self, environment, name)

    monkeypatch.setattr(FileSystemLoader, "get_source", lose)
    with pytest.raises(NoStart, match=f"TemplateNotFound: {gone}"):
        create_app({"SECRET_KEY": KEY})


def test_a_start_that_fails_prints_one_sentence() -> None:
    environment = {**os.environ, "FLASK_SECRET_KEY": "changeme"}
    done = subprocess.run(
        [sys.executable, "-c", "import app; app.create_app()"],
        capture_output=True,
        cwd=Path(__file__).parents[1],
        env=environment,
        text=True,
    )
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("The server cannot start: FLASK_SECRET_KEY has to be")


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
        target.write_text("beef" * 16)
        raise FileExistsError

    monkeypatch.setattr("os.link", theirs_comes_first)
    assert kept_key(tmp_path) == "beef" * 16


@pytest.mark.parametrize(
    "left", [b"", b"short", b"a" * 63, b"a" * 65, b"\0" * 64, b" " * 64, b"\xff" * 64, b"x" * 64]
)
def test_a_damaged_key_is_refused(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "secret-key"
    path.write_bytes(left)
    with pytest.raises(NoStart) as refused:
        kept_key(tmp_path)
    assert str(refused.value) == (
        f"The server cannot start: the secret key in {path} is damaged:"
        " delete it, or set FLASK_SECRET_KEY."
    )


def test_a_key_that_somebody_put_there_may_end_its_line(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("beef" * 16 + "\n")
    assert kept_key(tmp_path) == "beef" * 16


def test_nobody_waits_for_a_key_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "secret-key")
    with pytest.raises(NoStart, match="is damaged"):
        kept_key(tmp_path)


def test_a_folder_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoStart, match="set FLASK_SECRET_KEY"):
        kept_key(tmp_path / "file")


def test_the_environment_gives_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in (KEY, LONG):  # that of digits alone reads as JSON: a number
        monkeypatch.setenv("FLASK_SECRET_KEY", key)
        assert create_app().secret_key == key


@pytest.mark.parametrize(
    "key", ["", "a", " ", "changeme", "...", "1e400", "a" * 63, " " * 80, "null", "[1]", "true"]
)
def test_a_given_key_has_to_be_as_long_as_a_made_one(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    if key != "null":  # which is to say: no key is given
        monkeypatch.setenv("FLASK_SECRET_KEY", key)
        with pytest.raises(NoStart, match="FLASK_SECRET_KEY has to be a text of 64 characters"):
            create_app()
    monkeypatch.setenv("FLASK_SECRET_KEY", KEY)
    monkeypatch.setenv("FLASK_SECRET_KEY_FALLBACKS", json.dumps([KEY, key]))
    with pytest.raises(NoStart, match="each of FLASK_SECRET_KEY_FALLBACKS has to be a text of 64"):
        create_app()


def test_the_environment_gives_the_keys_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLASK_SECRET_KEY", KEY)
    monkeypatch.setenv("FLASK_SECRET_KEY_FALLBACKS", f'["{"old" * 22}", {LONG}]')
    app = create_app()
    for key, board in (("old" * 22, "X---O----"), (LONG, "X---O----"), ("o" * 64, EMPTY)):
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
    monkeypatch.setattr("web.site.session.kept_key", lambda folder: f"key in {folder.name}")
    assert create_app().secret_key == "key in instance"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_takes_no_key_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(code, "no")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", refuse)
    with pytest.raises(NoStart, match="set FLASK_SECRET_KEY"):
        kept_key(tmp_path)
    assert not list(tmp_path.iterdir())
