"""The settings and the key: nonsense in them stops the start, with one sentence."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app import create_app
from tests.conftest import KEY
from web.site.session import kept_key
from web.site.settings import NoStart

A_KEY = "a text of 64 characters or more, 8 of them different"
HEX = "0123456789abcdef" * 4


NONSENSE = {
    "TRUSTED_PROXIES": ["two", '"1"', "true", "-1", "1.5", "", "10", "1_0", "٣"],
    "PUBLIC_URL": ["", "example.org", "ftp://a.example", "https://", "https://a.example/b", "a b"],
    "SECRET_KEY": ["", "changeme", "a" * 64, "abcdefg" * 10, HEX[1:], f" {HEX[1:]} "],
    "SECRET_KEY_FALLBACKS": [
        *(HEX, f'"{HEX}"', f'{{"{HEX}": 1}}', "[1]", '["', '["hunter2"]', f'["{HEX}", ""]'),
    ],
    **{name: ["1"] for name in ("ACCESS_LOG", "SESSION_COOKIE_SAMESITE", "RUN", "app", "")},
}
REASONS = {
    "TRUSTED_PROXIES": "has to be a number from 0 to 9.",
    "PUBLIC_URL": "has to be an address such as https://example.org, without a path.",
    "SECRET_KEY": f"has to be {A_KEY}; make one with: python3 -c 'import secrets",
    "SECRET_KEY_FALLBACKS": f'has to be a list such as ["the old key"], each {A_KEY}',
}
NO_SETTING = "is no setting. There are FLASK_SECRET_KEY, FLASK_SECRET_KEY_FALLBACKS, FLASK_PUBLIC"


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in NONSENSE for value in NONSENSE[name]]
)
def test_a_setting_that_makes_no_sense_stops_the_start_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"FLASK_{name}", value)
    with pytest.raises(NoStart) as refused:
        create_app({"SECRET_KEY": KEY})
    reason = REASONS.get(name, NO_SETTING)
    assert str(refused.value).startswith(f"The server cannot start: FLASK_{name} {reason}")
    assert "hunter2" not in str(refused.value)


def test_the_environment_gives_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLASK_SECRET_KEY", HEX)
    monkeypatch.setenv("FLASK_SECRET_KEY_FALLBACKS", f'["{HEX[::-1]}"]')
    monkeypatch.setenv("FLASK_TRUSTED_PROXIES", "2")
    for of_flask in ("APP", "DEBUG", "ENV_FILE", "SKIP_DOTENV", "RUN_PORT"):
        monkeypatch.setenv(f"FLASK_{of_flask}", "0")
    app = create_app()
    assert (app.secret_key, app.config["SECRET_KEY_FALLBACKS"]) == (HEX, [HEX[::-1]])
    assert app.config["TRUSTED_PROXIES"] == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [("TRUSTED_PROXIES", "9"), ("SECRET_KEY", "abcdefgh" * 8), ("SECRET_KEY", HEX + "0")],
)
def test_the_least_and_the_most_that_make_sense_are_taken(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"FLASK_{name}", value)
    monkeypatch.setattr("web.site.session.kept_key", lambda folder: KEY)
    assert str(create_app().config[name]) == value


def test_a_start_that_fails_prints_one_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import app; app.create_app()"],
        capture_output=True,
        cwd=Path(__file__).parents[1],
        env={**os.environ, "FLASK_SECRET_KEY": "changeme"},
        text=True,
    )
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("The server cannot start: FLASK_SECRET_KEY has to be")


def test_without_one_the_key_of_the_instance_folder_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("FLASK_SECRET_KEY", raising=False)
    monkeypatch.setattr("web.site.session.kept_key", lambda folder: f"key in {folder.name}")
    assert create_app().secret_key == "key in instance"


def test_a_key_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var" / "instance"
    key = kept_key(folder)
    assert len(key) == 64
    assert kept_key(folder) == key
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text(f"{key}\n")  # as an editor ends a line
    assert kept_key(folder) == key


def test_a_key_made_at_the_same_moment_by_another_process_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def theirs_comes_first(source: str, target: Path) -> None:
        assert Path(source).parent == target.parent  # no link leads to another disk
        assert len(Path(source).read_text()) == 64  # all there before anybody can read it
        target.write_text(HEX)
        raise FileExistsError

    monkeypatch.setattr("os.link", theirs_comes_first)
    assert kept_key(tmp_path) == HEX


@pytest.mark.parametrize("left", [b"", b"short", b"a" * 64, b"\xff" * 64])
def test_a_damaged_key_is_refused(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "secret-key"
    path.write_bytes(left)
    with pytest.raises(NoStart) as refused:
        kept_key(tmp_path)
    assert str(refused.value) == (
        f"The server cannot start: the secret key in {path} is damaged:"
        " delete it, or set FLASK_SECRET_KEY."
    )


def test_a_place_that_takes_no_key_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoStart, match="set FLASK_SECRET_KEY, or let me write"):
        kept_key(tmp_path / "file")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    with pytest.raises(NoStart, match=r"set FLASK_SECRET_KEY, or .*\(No space left on device\)"):
        kept_key(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
