"""Start the server; the unit and the container of docs/deploy.md do so here."""

import multiprocessing
import os
import sys
from threading import Thread

from flask import Flask
from granian.cli import cli

from app import create_app

OPTIONS = [
    *("--interface", "wsgi", "--factory", "--no-ws"),
    # HTTP/1 alone. With HTTP/2 a connection that ends in the middle of a body leaves its thread
    # busy for good, and a request may have 16 MB of headers.
    *("--http", "1", "--http1-buffer-size", "16384"),
    # Each body still on its way takes a thread.
    *("--blocking-threads", "64"),
    "--respawn-failed-workers",
    # Told to stop, one worker in six waits for a connection that its browser keeps open.
    *("--workers-kill-timeout", "2"),
    *("--log-level", "error"),
]
WORKER = "tools.serve:create_worker"


def main() -> None:
    """Serve with the options above, and more of Granian's from the command line, until stopped.

    Builds the application before any worker does: a reason not to start is said once, in one
    sentence, and workers, being forks of this process where the system forks, find all solved.
    """
    try:
        create_app()
        cli([*OPTIONS, *sys.argv[1:], WORKER])
    except RuntimeError as error:
        sys.exit(f"The server cannot start: {str(error).splitlines()[0]}.")


def create_worker() -> Flask:
    """Build the application in a worker, which from now on ends with its server."""
    if server := multiprocessing.parent_process():
        Thread(target=end_after, args=[server], daemon=True).start()
    return create_app()


def end_after(server: multiprocessing.process.BaseProcess) -> None:
    """Wait until the server's main process is gone, then end this one at once.

    Else its workers would answer on, and share the port, by their old key, with the next server.
    """
    server.join()
    os._exit(1)


if __name__ == "__main__":
    main()
