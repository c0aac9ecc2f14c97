"""A log of requests that no request can forge."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class AccessLog:
    """Print a line of JSON for each request: what was asked, never by whom.

    JSON escapes whatever could end a line. Granian's own log writes a path as it came, line
    breaks and all.
    """

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()

        def log(status: str, headers: list[tuple[str, str]], error: Any = None) -> Any:
            line = {
                "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "method": environ["REQUEST_METHOD"],
                # The bytes of the path come as Latin-1, whatever they are (PEP 3333).
                "path": environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),
                "status": int(status[:3]),
                "ms": round((time.perf_counter() - began) * 1000, 2),
            }
            print(json.dumps(line), flush=True)
            return start_response(status, headers, error)

        return self.app(environ, log)
