"""Start the server; the unit and the container of docs/deploy.md do so here."""

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

# What takes longer when it is asked first, and is asked before anybody else can.
PAGES = """/ /study /study/42170835?you=X /study/-X---XOOX?view=squares
    /study/---------?view=search&depth=2 /study/-X---XOOX?view=search /proof /proof?whole=on
    /proof?side=O&whole=on /learn /learn/4 /learn/9 /learn/12 /learn/words
    /learn/teach /learn/write /practise /practise/moves/X---O---X /practise/values/OX--X-OOX
    /practise/cuts?tree=((3,5),(2,7)) /practise/moves?round=1&done=ffffffffff /challenge/04
    /challenge/0 /today /nowhere /picture/---------.png /picture/X---O----.png""".split()
PRESSES = {
    "/move": {"square": "0", "position": "---------"},
    "/hint": {"hint": "danger"},
    "/undo": {},
}


def main() -> None:
    """Serve with the options above, and more of Granian's from the command line, until stopped.

    Builds the application before any worker does: a reason not to start is said once, in one
    sentence, and workers, being forks of this process where the system forks, inherit all of it.
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
    """Build the application, compile its templates, ask for pages and press what a player presses.

    The first page of a cold application took 280 ms, and of eight asked for at once the last came
    after 860 ms, as each thread compiled the same templates.
    """
    gc.disable()  # nothing that is built now is ever thrown away
    app = create_app()
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
    browser, base = app.test_client(), f"http://localhost{url_path_prefix()}/"
    for page in PAGES:
        browser.get(page, base_url=base)
    for address, form in PRESSES.items():
        browser.post(address, data=form, headers={"HX-Request": "true"}, base_url=base)
    gc.freeze()  # else each worker copies all of it, and stops for 100 ms to look through it
    gc.set_threshold(10_000)  # one look for leftovers in 160 clicks, not in 12: 7 % of a click
    gc.enable()
    return app


def url_path_prefix() -> str:
    """Return the path below which the site is, an option of Granian's; "" if it has its own name.

    Every address in the parts that are kept from the start begins with it.
    """
    options = ArgumentParser(add_help=False, allow_abbrev=False)
    options.add_argument("--url-path-prefix", default="")
    return str(options.parse_known_args()[0].url_path_prefix)


def create_worker() -> Flask:
    """Return the application for a worker, which from now on ends with its server."""
    if server := multiprocessing.parent_process():
        Thread(target=end_after, args=[server], daemon=True).start()
    app = warm_app()
    app.config["RNG"].seed()  # else forks of one process would all choose alike
    return app


def end_after(server: multiprocessing.process.BaseProcess) -> None:
    """Wait until the server's main process is gone, then end this one at once.

    Else its workers would answer on, and share the port, by their old key, with the next server.
    """
    server.join()
    os._exit(1)


if __name__ == "__main__":
    # Not the functions above: workers import this module under its name, and look there.
    from tools import serve

    serve.main()
