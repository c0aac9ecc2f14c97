"""Start the server: `make play`, and the unit and the container of docs/deploy.md, do so here."""

import sys

from granian.cli import cli

from app import create_app

OPTIONS = [
    *("--interface", "wsgi", "--factory", "--no-ws"),
    # HTTP/1 alone. With HTTP/2 a connection that ends in the middle of a body leaves its thread
    # busy for good, and a request may have 16 MB of headers.
    *("--http", "1", "--http1-buffer-size", "16384"),
    # Each body that is still coming takes a thread.
    *("--blocking-threads", "64"),
    "--respawn-failed-workers",
    # Told to stop, one worker in six waits for a connection that its browser keeps open.
    *("--workers-kill-timeout", "2"),
    # Stdout is the log's.
    *("--log-level", "error"),
]


def main() -> None:
    """Serve with these options of Granian's, and those of the command line, until told to stop.

    Builds the application before the workers do: what keeps it from starting is said once, in one
    sentence, and workers, being forks of this process where the system forks, have it all solved.
    """
    try:
        create_app()
        cli([*OPTIONS, *sys.argv[1:], "app:create_app"])
    except RuntimeError as error:
        sys.exit(f"The server cannot start: {str(error).splitlines()[0]}.")


if __name__ == "__main__":
    main()
