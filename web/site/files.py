"""The files that pages are made with: styles, scripts, icon and htmx."""

from __future__ import annotations

import zlib
from importlib.metadata import distribution
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, request

from web.site.settings import NoStart

HTMX = "django_htmx/static/django_htmx/htmx-2.min.js"  # in the wheel of django-htmx


def serve_files(app: Flask) -> None:
    """Serve styles, scripts, icon and htmx, read once, each under a version its content decides."""
    try:
        paths = {path.name: path for path in (Path(app.root_path) / "static").iterdir()}
        paths["htmx.js"] = Path(str(distribution("django-htmx").locate_file(HTMX)))
        files = {name: path.read_bytes() for name, path in paths.items()}
    except (OSError, ImportError) as error:
        raise NoStart(str(error)) from None
    versions = {name: f"{zlib.crc32(content):08x}" for name, content in files.items()}

    @app.get("/static/<name>")
    def static(name: str) -> Response:
        content = files.get(name) or abort(404)
        response = Response(content, mimetype=guess_type(name)[0])
        # Another version than this is asked for while machines are brought up to date.
        for_good = request.args.get("v") == versions[name]
        response.headers["Cache-Control"] = f"public, max-age={31536000 if for_good else 0}"
        response.cache_control.immutable = for_good
        return response

    @app.url_defaults
    def name_the_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["v"] = versions[values["name"]]
