"""The files that pages are made with."""

from __future__ import annotations

import errno
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from app import create_app
from tests.conftest import KEY, parse
from web.site.files import serve_files
from web.site.settings import NoStart


def test_the_page_asks_for_four_files_of_its_own_and_each_is_kept_for_good(
    client: FlaskClient,
) -> None:
    soup = parse(client.get("/"))
    urls = [str(tag.get("src") or tag.get("href")) for tag in soup.select("script, link")]
    assert len(urls) == 4
    kinds = {"css": "/css", "js": "/javascript", "svg": "/svg+xml"}
    for url in urls:
        assert url.startswith("/static/")
        response = client.get(url)
        assert response.status_code == 200
        assert str(response.mimetype).endswith(kinds[url.partition("?")[0].rpartition(".")[2]])
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        for version in ("", "?v", "?v=1", "?v=00000000"):
            other = client.get(url.partition("?")[0] + version)
            assert other.headers["Cache-Control"] == "public, max-age=0"
            assert other.headers["ETag"]


def test_any_other_file_is_not_found(client: FlaskClient) -> None:
    for name in ("nothing.css", "htmx-2.min.js", "..%2fapp.py"):
        assert client.get(f"/static/{name}").status_code == 404


def test_only_the_address_of_a_file_names_a_version() -> None:
    app = Flask(__name__, root_path=str(Path(__file__).parent.parent), static_folder=None)
    serve_files(app)
    with app.test_request_context():
        for endpoint in ("a", "z"):  # whatever it is called
            app.add_url_rule(f"/{endpoint}", endpoint)
            assert url_for(endpoint) == f"/{endpoint}"
        assert "?v=" in url_for("static", name="style.css")


@pytest.mark.parametrize("gone", ["style.css", "htmx-2.min.js"])
def test_a_missing_file_stops_the_server_before_it_starts(
    monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    read = Path.read_bytes

    def lose(self: Path) -> bytes:
        if self.name == gone:
            raise FileNotFoundError(errno.ENOENT, "No such file", str(self))
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", lose)
    with pytest.raises(NoStart, match=f"No such file.*{gone}"):
        create_app({"SECRET_KEY": KEY})


def test_a_missing_folder_or_package_stops_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoStart, match=r"No such file.*static"):
        serve_files(Flask(__name__, root_path=str(tmp_path), static_folder=None))

    def lose(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("web.site.files.distribution", lose)
    with pytest.raises(NoStart, match="django-htmx"):
        create_app({"SECRET_KEY": KEY})
