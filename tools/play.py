"""Serve the site on one port of this machine until Ctrl+C, or until the terminal is closed."""

import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

HOST = "127.0.0.1"
ADVICE = "Try another: make play PORT=8001"


def main(text: str) -> None:
    """Serve on the port that `text` names. Exits with a sentence where that cannot be."""
    port = port_in(text)
    with hold(port):
        over = listen()
        # In a session of its own no signal of the terminal reaches it: SIGHUP means to Granian that
        # it should start new workers, and Ctrl+C may take it two seconds.
        server = subprocess.Popen(
            [sys.executable, "-m", "tools.serve", "--port", str(port)],
            cwd=Path(__file__).parents[1],
            start_new_session=True,
        )
        try:
            while not over.poll(20):  # milliseconds
                if answers(port):
                    print(f"Tic-tac-toe: http://{HOST}:{port}  (Ctrl+C ends it)", flush=True)
                    over.poll()
            code = server.poll()
        finally:
            end(server)
    sys.exit(code)


def port_in(text: str) -> int:
    """Return the port that `text` names. Exits with a sentence where it names none."""
    port = int(text) if text.isdecimal() else 0
    if not 1 <= port <= 65535:
        sys.exit(f"PORT has to be a number from 1 to 65535, not {text or 'nothing'}. {ADVICE}")
    return port


def hold(port: int) -> socket.socket:
    """Take the port for the server to come. Exits with a sentence where that cannot be.

    Granian shares a port with whoever shares it too. So this one is taken without sharing, which
    fails where anybody has it, and only then shared, with the server; nobody listens here.
    """
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of before don't count
    try:
        held.bind((HOST, port))
    except OSError as error:
        held.close()
        rights = isinstance(error, PermissionError)
        why = "needs an administrator's rights, as any below 1024" if rights else "is not free"
        sys.exit(f"Port {port} {why}. {ADVICE}")
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return held


def listen() -> select.poll:
    """Return what tells from now on that it is over: by a signal, or as the terminal is gone."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` asks
            signal.signal(number, lambda *_: None)
    over = select.poll()
    over.register(reader, select.POLLIN)
    # A terminal that runs `make play` itself, no shell, tells make alone, which tells nobody.
    over.register(0, 0)
    if over.poll(0) or not os.isatty(0):
        over.unregister(0)
    return over


def answers(port: int) -> bool:
    """Ask the server whether it is there."""
    with suppress(OSError), closing(HTTPConnection(HOST, port, timeout=1)) as connection:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    return False


def end(server: subprocess.Popen[bytes]) -> None:
    """End the server: in peace where that takes 0.3 s at most, else by force."""
    server.terminate()
    with suppress(subprocess.TimeoutExpired):
        server.wait(0.3)
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()


if __name__ == "__main__":
    main(sys.argv[1])
