"""The files that pages are made with, styles, scripts, icons and htmx; how long all are kept."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import brotli
from flask import Flask, Response, abort, request
from rjsmin import jsmin

from web.http.addresses import takes
from web.http.compression import coding_for

HTMX = "django_htmx/static/django_htmx/htmx-2.min.js"  # in the wheel of django-htmx

# The machine's own list of types can be wrong: on some Windows a script is text/plain there, and
# under nosniff none would run.
TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}

# A string, which stays, or what browsers need not be sent: comments, indents, ends of lines. The
# minifiers to be had join ".a :hover", a descendant within a nested rule, or leave --wide as it is.
SPARE = re.compile(
    rb"""("[^"]*"|'[^']*')|/\*.*?\*/\s*|(?<=[{};,:>])\s+|;?\s+(?=})|\s+(?={)""", re.DOTALL
)
WINDOW = re.compile(rb"@custom-media (--\w+) (.+);\n")

# Each sheet is its components from static/css/, joined in this order. A game asks for end.css when
# it has begun, so that no first page waits for what only its end needs; other pages have the same
# in learn.css.
FRAME = "reset tokens base frame"
SHEETS = {
    "play.css": f"{FRAME} board face you onward button switch game utilities forced",
    "end.css": "told quiet mini chip share story end motion run answer challenge print",
    "learn.css": "page told quiet mini chip share story end motion run card moves foot"
    " values bubble code slider tree study search plant lesson screens index field write puzzles"
    " proof check error print",
}

# A page asks for a single script: its own, with what several do. A game imports share.js when there
# is something to share.
SCRIPTS = {"study.js": ("study.js", "share.js")}

# Asked for at the root by whoever knows no page: browsers, phones and crawlers.
AT_ROOT = {
    "favicon.ico": "icon.png",
    "apple-touch-icon.png": "icon.png",
    "robots.txt": "robots.txt",
}


def serve_files(app: Flask) -> None:
    """Serve styles, scripts, icons and htmx, each under a version that its content decides."""
    files = read_files(Path(app.root_path) / "static")
    versions = {name: f"{zlib.crc32(content):08x}" for name, content in files.items()}
    for content in files.values():
        packed(content)

    @app.get("/static/<name>")
    @takes("v")
    def static(name: str) -> Response:
        content = files.get(name) or abort(404)
        response = Response(content, mimetype=TYPES[Path(name).suffix])
        coding = coding_for(request.headers.get("Accept-Encoding", ""))
        if smaller := packed(content).get(coding):
            response.data, response.content_encoding = smaller, coding
        return keep_by_version(response, versions[name])

    for address, name in AT_ROOT.items():
        app.add_url_rule(f"/{address}", address, static, defaults={"name": name})

    @app.url_defaults
    def name_the_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["v"] = versions[values["name"]]


@cache
def packed(content: bytes) -> Mapping[str, bytes]:
    """Return a file compressed as far as can be, where that saves a tenth; the smallest first.

    Done at the start, this takes 0.1 s for all files, and makes them 5 % smaller than pages are.
    """
    codings = {"br": brotli.compress(content), "gzip": gzip.compress(content, mtime=0)}
    return {coding: less for coding, less in codings.items() if len(less) < 0.9 * len(content)}


def keep_by_version(response: Response, version: str) -> Response:
    """Let a file be kept for good where its address names the version served.

    While machines are brought up to date, a page of one may ask another for a newer file than it
    has. What is sent then must not be kept.
    """
    for_good = request.query_string == f"v={version}".encode()  # with more, caches would fill
    response.headers["Cache-Control"] = f"public, max-age={31536000 if for_good else 0}"
    response.cache_control.immutable = for_good
    return response


def allow_caching(response: Response) -> Response:
    """Let any cache keep a page for an hour, where a session decides nothing in the page."""
    if response.status_code == 200:
        response.headers.setdefault("Cache-Control", "public, max-age=3600")
    return response


def read_files(folder: Path) -> dict[str, bytes]:
    """Return by name what is served: the files of `folder`, the sheets and htmx.

    Raises OSError or ImportError for what is missing.
    """
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in TYPES}
    scripts = {name: jsmin(text) for name, text in files.items() if name.endswith(".js")}
    joined = {name: b"\n".join(scripts[part] for part in parts) for name, parts in SCRIPTS.items()}
    sheets = {name: join_css(folder / "css", parts.split()) for name, parts in SHEETS.items()}
    htmx = Path(str(distribution("django-htmx").locate_file(HTMX)))
    return {**files, **scripts, **joined, **sheets, "htmx.js": htmx.read_bytes()}


def join_css(folder: Path, names: list[str]) -> bytes:
    """Return the components in `folder` one after the other, without comments and indents.

    Each `@custom-media` of the tokens, by which components name a window, is written out, as no
    browser knows such names yet.
    """
    windows = dict(WINDOW.findall((folder / "tokens.css").read_bytes()))
    text = b"".join((folder / f"{name}.css").read_bytes() for name in names)

    def written_out(media: re.Match[bytes]) -> bytes:
        return re.sub(rb"\((--\w+)\)", lambda name: windows[name[1]], media[0])

    text = re.sub(rb"@media[^{]*", written_out, WINDOW.sub(b"", text))
    return SPARE.sub(lambda found: found[1] or b"", text)
