"""Serve style sheets, scripts, icons and htmx; set how long caches may keep a response."""

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

# The machine's own list of types can be wrong: on some Windows machines scripts are text/plain, and
# with nosniff none of them would run.
MIME_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}

# A string, which is kept, or what browsers do not need: comments, indents, line ends. We remove
# these ourselves, because existing minifiers either drop the space of ".a :hover" within a nested
# rule, which changes its meaning, or do not expand the names of media queries.
REMOVABLE = re.compile(
    rb"""("[^"]*"|'[^']*')|/\*.*?\*/\s*|(?<=[{};,:>])\s+|;?\s+(?=})|\s+(?={)""", re.DOTALL
)
CUSTOM_MEDIA = re.compile(rb"@custom-media (--\w+) (.+);\n")

# Each sheet consists of components from static/css/, joined in this order. A page requests
# play.css, then end.css or learn.css, which have many components in common. A game requests end.css
# only once it has started, so that the first page does not wait for styles it does not need.
BASE_COMPONENTS = "reset tokens base frame"
SHEETS = {
    "play.css": f"{BASE_COMPONENTS} board face you onward button switch mini game utilities forced",
    "end.css": "told quiet chip share story end motion run answer print",
    "learn.css": "page told quiet chip share story end motion run card moves foot"
    " values bubble code slider tree study search plant lesson screens index field write puzzles"
    " proof check error print worksheet",
}

# Apart from htmx, a page requests one script: its own, joined with what it shares with others. A
# game imports share.js once there is something to share.
SCRIPTS = {"study.js": ("study.js", "share.js")}

# Browsers, phones and crawlers request these at the root, although no page links to them.
ROOT_FILES = {
    "favicon.ico": "icon.png",
    "apple-touch-icon.png": "icon.png",
    "robots.txt": "robots.txt",
}


def serve_files(app: Flask) -> None:
    """Serve style sheets, scripts, icons and htmx, each with a checksum as its version."""
    files = read_files(Path(app.root_path) / "static")
    versions = {name: f"{zlib.crc32(content):08x}" for name, content in files.items()}
    for content in files.values():
        compressed_variants(content)  # now, so that no request waits for it

    @app.get("/static/<name>")
    @takes("v")
    def static(name: str) -> Response:
        content = files.get(name) or abort(404)
        response = Response(content, mimetype=MIME_TYPES[Path(name).suffix])
        coding = coding_for(request.headers.get("Accept-Encoding", ""))
        if compressed := compressed_variants(content).get(coding):
            response.data, response.content_encoding = compressed, coding
        return cache_by_version(response, versions[name])

    for root_name, name in ROOT_FILES.items():
        app.add_url_rule(f"/{root_name}", root_name, static, defaults={"name": name})

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["v"] = versions[values["name"]]


@cache
def compressed_variants(content: bytes) -> Mapping[str, bytes]:
    """Return a file in each coding that makes it at least a tenth smaller, by coding.

    The highest quality takes 0.1 s at startup for all files, and makes them 5% smaller than the
    quality of pages would.
    """
    variants = {"br": brotli.compress(content), "gzip": gzip.compress(content, mtime=0)}
    return {coding: data for coding, data in variants.items() if len(data) < 0.9 * len(content)}


def cache_by_version(response: Response, version: str) -> Response:
    """Let caches keep a file for a year if its address names the version served.

    During an update of several machines, a page from one may request a newer file than another
    has. That response must not be cached.
    """
    # The whole query is compared: with other parameters allowed, anyone could fill the caches.
    is_current = request.query_string == f"v={version}".encode()
    max_age = 365 * 24 * 60 * 60 if is_current else 0  # seconds
    response.headers["Cache-Control"] = f"public, max-age={max_age}"
    response.cache_control.immutable = is_current
    return response


def allow_caching(response: Response) -> Response:
    """Let any cache keep a page for an hour, which is right if it does not depend on a session."""
    if response.status_code == 200:
        response.headers.setdefault("Cache-Control", "public, max-age=3600")
    return response


def read_files(folder: Path) -> dict[str, bytes]:
    """Return all files to serve, by name: those in `folder`, the joined ones, and htmx.

    Raises OSError or ImportError if one is missing.
    """
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in MIME_TYPES}
    scripts = {name: jsmin(text) for name, text in files.items() if name.endswith(".js")}
    joined = {name: b"\n".join(scripts[part] for part in parts) for name, parts in SCRIPTS.items()}
    sheets = {name: join_css(folder / "css", parts.split()) for name, parts in SHEETS.items()}
    htmx = Path(str(distribution("django-htmx").locate_file(HTMX)))
    return {**files, **scripts, **joined, **sheets, "htmx.js": htmx.read_bytes()}


def join_css(folder: Path, names: list[str]) -> bytes:
    """Return the components with these names, joined and minified.

    The names of media queries, which tokens.css defines by `@custom-media`, are replaced with their
    queries, because no browser supports them yet.
    """
    queries = dict(CUSTOM_MEDIA.findall((folder / "tokens.css").read_bytes()))
    text = b"".join((folder / f"{name}.css").read_bytes() for name in names)

    def expand(rule_start: re.Match[bytes]) -> bytes:
        return re.sub(rb"\((--\w+)\)", lambda name: queries[name[1]], rule_start[0])

    text = re.sub(rb"@media[^{]*", expand, CUSTOM_MEDIA.sub(b"", text))
    return REMOVABLE.sub(lambda match: match[1] or b"", text)
