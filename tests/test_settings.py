"""The settings and the secret key: invalid ones stop the start with one sentence."""

from __future__ import annotations

import os
import resource
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from app import create_app
from tests.conftest import KEY
from web.http.settings import StartupError

GOOD_KEY = "a string of at least 64 characters, at least 8 of them different"
HEX = "0123456789abcdef" * 4


INVALID = {
    "TRUSTED_PROXIES": ["two", '""1""', "true", "-1", "1.5", "", "10", "1_0", "٣"],
    "PUBLIC_URL": ["", "example.org", "ftp://a.example", "https://", "https://a.example/b", "a b"],
    "SECRET_KEY": [
        *("", "changeme", "a" * 64, "abcdefg" * 10, HEX[1:], f" {HEX[1:]} ", f"'{HEX[1:]}'"),
        f"{HEX}\udcff",  # as Python reads a byte that is not UTF-8
    ],
    "SECRET_KEY_FALLBACKS": [
        *(HEX, f'"{HEX}"', f'{{"{HEX}": 1}}', "[1]", '["', '["hunter2"]', f'["{HEX}", ""]'),
        f'["{HEX}\\ud800"]',
    ],
    **{name: ["1"] for name in ("ACCESS_LOG", "SESSION_COOKIE_SAMESITE", "RUN", "app", "")},
}
REASONS = {
    "TRUSTED_PROXIES": "has to be a number from 0 to 9.",
    "PUBLIC_URL": "has to be an address such as https://example.org, without a path.",
    "SECRET_KEY": f"has to be {GOOD_KEY}; make one with: python3 -c 'import secrets",
    "SECRET_KEY_FALLBACKS": f'has to be a list such as ["the old key"], each {GOOD_KEY}',
}
NO_SETTING = (
    "is not a setting. The settings are FLASK_SECRET_KEY, FLASK_SECRET_KEY_FALLBACKS, FLASK_PUBLIC"
)


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in INVALID for value in INVALID[name]]
)
def test_an_invalid_setting_stops_the_start_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"FLASK_{name}", value)
    with pytest.raises(StartupError) as refused:
        create_app({"SECRET_KEY": KEY})
    reason = REASONS.get(name, NO_SETTING)
    assert str(refused.value).startswith(f"The server cannot start: FLASK_{name} {reason}")
    assert "hunter2" not in str(refused.value)


def test_settings_from_the_environment_are_accepted_up_to_their_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name_of_flask in ("APP", "DEBUG", "ENV", "ENV_FILE", "SKIP_DOTENV", "RUN_PORT"):
        monkeypatch.setenv(f"FLASK_{name_of_flask}", "0")
    # Container engines leave the quotes around a value.
    for quote, key, proxies in (("", HEX, 0), ("'", "abcdefgh" * 8, 9), ('"', HEX + "0", 2)):
        monkeypatch.setenv("FLASK_SECRET_KEY", f"{quote}{key}{quote}")
        monkeypatch.setenv("FLASK_SECRET_KEY_FALLBACKS", f'{quote}["{key[::-1]}"]{quote}')
        monkeypatch.setenv("FLASK_TRUSTED_PROXIES", f"{quote}{proxies}{quote}")
        app = create_app()
        assert (app.secret_key, app.config["SECRET_KEY_FALLBACKS"]) == (key, [key[::-1]])
        assert app.config["TRUSTED_PROXIES"] == proxies


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which an application without a configured key keeps one."""
    monkeypatch.delenv("FLASK_SECRET_KEY", raising=False)
    monkeypatch.setattr(Flask, "auto_find_instance_path", lambda self: str(tmp_path / "var"))
    return tmp_path / "var" / "secret-key"


def test_a_missing_key_is_created_and_only_its_owner_can_read_it(
    key_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = create_app().secret_key
    assert key == key_file.read_text() and len(key) == 64
    assert key_file.stat().st_mode & 0o777 == 0o600
    key_file.write_text(f"{key}\n")  # an editor may add a newline
    assert create_app().secret_key == key
    assert capsys.readouterr().err == ""
    key_file.chmod(0o644)
    assert create_app().secret_key == key
    warning = f"Other users can read the secret key. Run: chmod 600 {key_file}\n"
    assert capsys.readouterr().err == warning


def test_two_servers_that_create_a_key_at_once_use_the_same_one(
    key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[object] = []

    def other_first(size: int) -> str:
        """Create the key of another server first, then return one for this server."""
        monkeypatch.undo()
        monkeypatch.setattr(Flask, "auto_find_instance_path", lambda _: str(key_file.parent))
        keys.append(create_app().secret_key)
        return "f" * 2 * size

    monkeypatch.setattr(secrets, "token_hex", other_first)
    assert [create_app().secret_key] == keys
    assert os.listdir(key_file.parent) == [key_file.name]


def test_a_full_disk_leaves_no_key_file(key_file: Path) -> None:
    old_limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, old_limit[1]))
    try:
        with pytest.raises(StartupError, match=r"File too large|No space left"):
            create_app()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old_limit)
    assert os.listdir(key_file.parent) == []


@pytest.mark.parametrize(
    ("make_obstacle", "why"),
    [
        (lambda path: path.write_bytes(b""), "damaged"),
        (lambda path: path.write_bytes(b"a" * 64), "damaged"),
        (lambda path: path.write_bytes(b"\xff" * 64), "damaged"),
        (os.mkfifo, "damaged"),
        (lambda path: path.mkdir(), "damaged"),
        (lambda path: path.parent.rmdir() or path.parent.touch(), "File exists"),
    ],
    ids=["empty", "weak", "no UTF-8", "a pipe", "a folder", "nowhere to write"],
)
def test_if_no_key_can_be_created_one_sentence_says_why(
    key_file: Path, make_obstacle: Callable[[Path], object], why: str
) -> None:
    key_file.parent.mkdir()
    make_obstacle(key_file)
    with pytest.raises(StartupError) as refused:
        create_app()
    assert str(refused.value) == (
        f"The server cannot start: no secret key in {key_file} ({why}): set FLASK_SECRET_KEY."
    )
