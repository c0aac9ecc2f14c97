"""Serve the game to a person on this machine, until Ctrl+C or until the terminal closes."""

import logging
import os
import select
import socket
import sys
from contextlib import suppress
from threading import Thread

from werkzeug.serving import make_server

from app import create_app

HOST = "127.0.0.1"


def main(port: str) -> None:
    """Serve on a port of this machine only. Exits with a message if it cannot."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # without a line for each request
    with listen(port) as server_socket:
        server = make_server(HOST, 0, create_app(), threaded=True, fd=server_socket.fileno())
    print(f"Tic-tac-toe: http://{HOST}:{server.port}  (Ctrl+C ends it)", flush=True)
    if os.isatty(0):
        Thread(target=exit_with_terminal, daemon=True).start()
    with suppress(KeyboardInterrupt):
        server.serve_forever()


def listen(port: str) -> socket.socket:
    """Return a socket that listens on the port. Exits with a message if it cannot."""
    reason = "a port is a number from 1 to 65535"
    if port.isdecimal() and 1 <= int(port) <= 65535:
        try:
            return socket.create_server((HOST, int(port)))
        except OSError as error:
            reason = os.strerror(error.errno or 0)
    sys.exit(f"PORT={port}: {reason}. Try another: make play PORT=8001")


def exit_with_terminal() -> None:
    """End this process once the terminal is closed, because make does not pass the hang-up on."""
    terminal_poll = select.poll()
    terminal_poll.register(0, 0)  # a mask of 0 reports only hang-ups and errors
    terminal_poll.poll()
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
