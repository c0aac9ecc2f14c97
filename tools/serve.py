"""Start the server, as the systemd unit and the container in docs/deploy.md do."""

import gc
import multiprocessing
import os
import sys
from argparse import ArgumentParser
from functools import cache
from threading import Thread

from flask import Flask
from granian.cli import cli

from app import create_app

OPTIONS = [
    *("--interface", "wsgi", "--factory", "--no-ws"),
    # HTTP/1 only. With HTTP/2 a connection that ends in the middle of a body keeps its thread busy
    # forever, and a request can have 16 MB of headers.
    *("--http", "1", "--http1-buffer-size", "16384"),
    # Each body that is still arriving occupies a thread.
    *("--blocking-threads", "64"),
    "--respawn-failed-workers",
    # On shutdown, one worker in six would wait for a connection that a browser keeps open.
    *("--workers-kill-timeout", "2"),
    *("--log-level", "error"),
]
WORKER = "tools.serve:create_worker_app"

# Pages and clicks that are slow the first time. They are requested before any visitor comes.
PAGES = """/ /study /study/42170835?you=X /study/-X---XOOX?view=squares
    /study/---------?view=search&depth=2 /study/-X---XOOX?view=search /proof /proof?whole=on
    /proof?side=O&whole=on /learn /learn/4 /learn/9 /learn/12 /learn/words
    /learn/teach /learn/write /practise /practise/moves/X---O---X /practise/values/OX--X-OOX
    /practise/cuts?tree=((3,5),(2,7)) /practise/moves?round=1&done=ffffffffff /challenge/04
    /challenge/0 /today /nowhere /picture/---------.png /picture/X---O----.png""".split()
CLICKS = {
    "/move": {"square": "0", "position": "---------"},
    "/hint": {"hint": "danger"},
    "/undo": {},
}


def main() -> None:
    """Serve until stopped, with OPTIONS and any Granian options on the command line.

    The application is built before any worker starts: an error is reported once, in one sentence,
    and workers inherit the application on systems that fork.
    """
    if sys.platform == "linux":
        multiprocessing.set_start_method("fork")  # as Python did before 3.14
    try:
        warm_app()
        cli([*OPTIONS, *sys.argv[1:], WORKER])
    except RuntimeError as error:
        sys.exit(f"The server cannot start: {str(error).splitlines()[0]}.")


@cache
def warm_app() -> Flask:
    """Return the application, with its templates compiled and each of PAGES and CLICKS requested.

    The first page of a cold application took 280 ms, and the last of eight requested at once took
    860 ms, because each thread compiled the same templates.
    """
    gc.disable()  # nothing that is built now is ever freed
    app = create_app()
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
    client, base_url = app.test_client(), f"http://localhost{url_path_prefix()}/"
    for page in PAGES:
        client.get(page, base_url=base_url)
    for address, form in CLICKS.items():
        client.post(address, data=form, headers={"HX-Request": "true"}, base_url=base_url)
    # Otherwise each worker would copy all of these objects, and pause 100 ms to collect them.
    gc.freeze()
    # This collects garbage every 160 clicks instead of every 12, which saves 7% of processor time.
    gc.set_threshold(10_000)
    gc.enable()
    return app


def url_path_prefix() -> str:
    """Return the path prefix of the site, an option of Granian on the command line.

    The warm-up needs it, because cached parts of pages contain addresses, which start with it.
    """
    options = ArgumentParser(add_help=False, allow_abbrev=False)
    options.add_argument("--url-path-prefix", default="")
    return str(options.parse_known_args()[0].url_path_prefix)


def create_worker_app() -> Flask:
    """Return the application for a worker, and make the worker exit when its server does."""
    if server_process := multiprocessing.parent_process():
        Thread(target=exit_after, args=[server_process], daemon=True).start()
    app = warm_app()
    app.config["RNG"].seed()  # otherwise all forks would make the same random choices
    return app


def exit_after(server_process: multiprocessing.process.BaseProcess) -> None:
    """Wait until the server's main process has ended, then exit at once.

    If it was killed, its workers would otherwise go on answering on the port of the next server,
    with their old key.
    """
    server_process.join()
    os._exit(1)


if __name__ == "__main__":
    # Workers import this module by its name, so the application has to be cached there, not in
    # `__main__`, which is another copy.
    from tools import serve

    serve.main()
