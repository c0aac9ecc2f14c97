"""What docs/deploy.md and the Containerfile say, tried: a real nginx before the server."""

from __future__ import annotations

import json
import re
import select
import shutil
import socket
import ssl
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from threading import Barrier, Event, Thread
from urllib.parse import quote

import pytest
from werkzeug.serving import make_server

from app import create_app
from tests.client import COOKIE, Connection, Player, spelled
from tests.deployed import (
    NGINX,
    SHELL,
    UNIT,
    OverHttps,
    Site,
    behind_nginx,
    here,
    nginx_before,
    secured,
    unit,
    unit_service,
)
from tests.pages import PAGES
from tests.serving import KEY, ROOT, Server, free_port, wait_until

# A page of each kind that takes the server some milliseconds.
DEAR = (
    "/study/-X---XOOX?view=search",
    "/practise/values?seed=7",
    "/learn/write",
    "/proof",
)
CONTAINER = (ROOT / "Containerfile").read_text()


def on_the_site(test: Callable[[Site], None]) -> Callable[[Site], None]:
    return pytest.mark.soak(pytest.mark.needs("nginx")(test))


@on_the_site
def test_behind_nginx_all_is_https_and_a_click_counts(site: Site) -> None:
    with closing(HTTPConnection("localhost", site.http, timeout=30)) as connection:
        connection.request("GET", "/study/04")
        moved = connection.getresponse()
    assert (moved.status, moved.headers["Location"]) == (301, "https://localhost/study/04")
    page = site.ask("GET", "/")
    assert page.status == 200
    assert "Strict-Transport-Security" in page.headers
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    # Players find nginx on port 443, which no address names.
    for origin, status in (("https://localhost", 303), ("https://elsewhere.example", 403)):
        response = site.ask("POST", "/new", "mark=O", Origin=origin, **form)
        assert response.status == status
        assert status == 403 or response.headers["Set-Cookie"].startswith(f"__Host-{COOKIE}=")
    response = site.ask("POST", "/new", "x" * 5000)
    assert response.status == 413
    assert {one.headers["Server"] for one in (moved, page, response)} == {"nginx"}  # no version


@on_the_site
def test_nginx_writes_a_line_of_json_for_a_request_and_nothing_about_who_asked(site: Site) -> None:
    path = '/"\\%0a{é}?<x>&"'.encode()
    with socket.create_connection(("127.0.0.1", site.http)) as client:
        client.sendall(b"GET %b HTTP/1.1\r\nHost: x\r\nUser-Agent: someone\r\n\r\n" % path)
        assert client.recv(12) == b"HTTP/1.1 301"
    wait_until(lambda: "<x>" in site.log.read_text())  # it comes after the answer
    (line,) = (line for line in site.log.read_text().splitlines() if "<x>" in line)
    entry = json.loads(line)
    assert entry.keys() == {"time", "method", "path", "status", "seconds"}
    assert (entry["method"], entry["path"], entry["status"]) == ("GET", path.decode(), "301")


@on_the_site
def test_nginx_keeps_slow_clients_away_and_silent_ones_not_for_long(site: Site) -> None:
    """Of each more than the server's workers, which have two threads each here, could serve."""
    with ExitStack() as stack:

        def client() -> socket.socket:
            address = ("127.0.0.1", site.https)
            return stack.enter_context(socket.create_connection(address, timeout=30))

        silent = [client() for _ in range(10)]
        slow = [stack.enter_context(secured(client())) for _ in range(10)]
        for half in slow:
            half.sendall(b"POST /new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nm")
        assert site.ask("GET", "/").status == 200
        assert select.select([*silent, *slow], [], [], 0)[0] == [], "it waited for their end"
        for one in (*silent, *slow):
            assert one.recv(100)[:13] in (b"", b"HTTP/1.1 408 "), "or TimeoutError"


@on_the_site
def test_nginx_keeps_public_pages_for_one_name_alone_and_never_the_game(site: Site) -> None:
    assert {"no-store"} == {site.ask("GET", "/").headers["Cache-Control"]}
    for path in ("/learn/words", "/study/04"):
        first = site.ask("GET", path)
        assert first.headers["Cache-Control"] == "public, max-age=3600"
    cache = site.log.parent / "tic-tac-toe"
    kept = {path.name for path in cache.rglob("*") if path.is_file()}
    for path in ("/learn/words", "/study/04", "/", "/learn"):
        site.ask("GET", path)
    assert {path.name for path in cache.rglob("*") if path.is_file()} == kept != set()
    with pytest.raises((ssl.SSLError, ConnectionError)):  # for that name there is no certificate
        site.ask("GET", "/", name="127.0.0.1")
    for path in ("/", "/learn/words"):
        with pytest.raises(ConnectionError):  # no response: one would be kept
            site.ask("GET", path, Host="elsewhere.example")


@on_the_site
def test_a_flood_of_what_is_dear_is_refused_and_a_player_at_its_address_never_is(
    site: Site,
) -> None:
    def ask(first: int) -> Counter[tuple[str, int]]:
        with OverHttps(site.https) as connection:
            pages = ((DEAR[number % len(DEAR)], number) for number in range(first, 1000, 4))
            return Counter(
                (page, connection.get(spelled(page, number)).status) for page, number in pages
            )

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask, first) for first in range(4)]
        played = play(site, 1, lambda: all(one.done() for one in asked))
        answered = sum((one.result() for one in asked), Counter[tuple[str, int]]())
    assert played == {200}
    assert {status for _, status in answered} <= {200, 429}
    assert all(answered[page, 200] and answered[page, 429] for page in DEAR)
    # A class of 40 opens five pages each.
    assert sum(times for (_, status), times in answered.items() if status != 429) >= 200
    # A line of the error log for each that was refused would name who asked.
    assert "client:" not in (site.log.parent / "error.log").read_text()


@pytest.mark.soak
@pytest.mark.needs("nginx")
def test_no_page_waits_for_another(tmp_path: Path) -> None:
    """Here a page is made only once as many as ask for it have come through nginx.

    With proxy_cache_lock, one would come and the others wait for it, if it may be kept or not.
    """
    visitors = 8
    come = Barrier(visitors)
    app = create_app({"SECRET_KEY": KEY})

    @app.before_request
    def wait_for_all() -> None:
        come.wait(30)

    server = make_server("127.0.0.1", 0, app, threaded=True)
    with ExitStack() as stack:
        stack.callback(server.shutdown)
        Thread(target=server.serve_forever).start()
        # A lock would be kept for longer than nginx waits for an answer.
        longer = "proxy_cache_lock_timeout 60s; proxy_cache_lock_age 60s;"
        site = stack.enter_context(nginx_before([server.port] * 2, tmp_path, longer))
        pool = stack.enter_context(ThreadPoolExecutor(visitors))
        for url in PAGES.values():
            path = quote(url, safe="/?&=(),;-")
            found = pool.map(lambda _, path=path: site.ask("GET", path).status, range(visitors))
            assert {*found} <= {200, 400, 404}, url


@pytest.mark.soak
@pytest.mark.needs("nginx")
def test_all_addresses_of_one_ipv6_network_have_one_limit_and_others_their_own(
    site: Site, tmp_path: Path
) -> None:
    """Networks with a zero byte and with one that ends a line, too, which a pattern may stop at."""
    told = "set_real_ip_from 127.0.0.1; real_ip_header X-Visitor;"
    with nginx_before([*site.instances], tmp_path, told) as here, OverHttps(here.https) as visitor:

        def refused(addresses: Iterable[str]) -> bool:
            return 429 in {visitor.get("/proof", **{"X-Visitor": one}).status for one in addresses}

        for network in ("2001:db8:1:2", "2001:db8:0:0", "a0a:a0a:a0a:a0a", "fe80:1:a:d0a"):
            assert refused(f"{network}:{n:x}:a0a:{n * n % 7919:x}:a" for n in range(300)), network
        assert not refused(f"2001:db8:{n:x}:a::1" for n in range(3, 303))
        assert not refused(f"a0a:0:0:{n:x}:a:a:a:a" for n in range(300))
        assert not refused(f"10.10.{n % 10}.{n // 10}" for n in range(300))


def test_whatever_is_dear_is_limited_by_one_name_and_the_game_is_not() -> None:
    (zone,) = re.findall(r"limit_req_zone \S+ zone=(\w+):", NGINX)
    (place,) = re.findall(r"location ~ (\S+) \{\s+limit_req zone=(\w+) ", NGINX)
    assert place[1] == zone
    assert all(re.match(place[0], page) for page in DEAR)
    for cheap in ("/", "/move", "/new", "/learn", "/learn/1", "/static/play.css", "/today"):
        assert not re.match(place[0], cheap)


def test_the_unit_and_the_container_have_few_places_for_memory() -> None:
    """Otherwise each of 64 threads keeps some of its own: twice as much in all."""
    assert "MALLOC_ARENA_MAX=2" in unit_service()["Environment"].split()
    assert "ENV MALLOC_ARENA_MAX=2\n" in CONTAINER


@on_the_site
def test_an_upgrade_of_one_instance_after_the_other_costs_no_click(site: Site) -> None:
    done = Event()
    with ThreadPoolExecutor(4) as pool:
        games = [pool.submit(play, site, seed, done.is_set) for seed in range(4)]
        for port, instance in site.instances.items():
            instance.close()
            wait_until(instance.enter_context(unit(port, *FEW_THREADS)).healthy)
        done.set()
    assert all(game.result() == {200} for game in games)


@pytest.mark.needs("systemd-analyze")
def test_the_unit_makes_sense_and_gives_the_server_no_more_than_it_needs(tmp_path: Path) -> None:
    if "--offline" not in said("systemd-analyze", "--help"):
        return  # too old to judge a unit not installed
    unit = tmp_path / "tic-tac-toe.service"
    unit.write_text(UNIT.replace("/srv/tic-tac-toe/.venv/bin/python", sys.executable))
    assert unit.name not in said("systemd-analyze", "verify", str(unit))
    judged = said("systemd-analyze", "security", "--offline=true", "--no-pager", str(unit))
    exposed = re.search(r"Overall exposure level .*: ([0-9.]+)", judged)
    assert exposed
    assert float(exposed[1]) <= 1.5, judged


def test_a_call_that_the_unit_refuses_is_an_error_and_not_the_end() -> None:
    """Debian 13's Python calls setfsuid as it imports pdb, and was killed at each start."""
    service = unit_service()
    assert "SystemCallFilter" in service
    assert service["SystemCallErrorNumber"] == "EPERM"


def test_the_key_that_is_made_is_for_its_owner_alone(tmp_path: Path) -> None:
    (make,) = (text for text in SHELL if "secrets" in text)
    file = tmp_path / "env"
    subprocess.run(["sh", "-c", make.replace("/etc/tic-tac-toe.env", str(file))], check=True)
    assert re.fullmatch(r"FLASK_SECRET_KEY=[0-9a-f]{64}\n", file.read_text())
    assert file.stat().st_mode & 0o777 == 0o600


# For the server of the container: it writes down each file that it opens.
NOTE_FILES = """
import os, sys
notes = os.open({!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def note(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        os.write(notes, (os.path.abspath(arguments[0]) + "\\n").encode())
sys.addaudithook(note)
"""


def test_the_container_has_what_the_server_needs_and_reads_and_is_not_written_to(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    noting = tmp_path_factory.mktemp("noting")
    notes = noting / "opened"
    (noting / "sitecustomize.py").write_text(NOTE_FILES.format(str(notes)))
    copied = re.findall(r"^COPY (.+) (\S+)$", CONTAINER, re.MULTILINE)
    for sources, target in copied:
        for source in (path for pattern in sources.split() for path in ROOT.glob(pattern)):
            if source.is_dir():
                shutil.copytree(source, tmp_path / target)
            else:
                (tmp_path / target).mkdir(exist_ok=True)
                shutil.copy(source, tmp_path / target)
    before = {*tmp_path.rglob("*")}
    port = free_port()
    command, check = (json.loads(words) for words in re.findall(r"CMD (\[.*\])", CONTAINER)[::-1])
    check[-1] = check[-1].replace("8000", str(port))
    writing = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(noting)}
    with Server(here(command, port), port, writing, tmp_path):
        subprocess.run([sys.executable, *check[1:]], check=True)
        with Connection(port, 30) as connection:
            for path in ("/learn/check", "/learn/teach/guide"):  # what shows judge/ and docs/
                assert connection.get(path).status == 200
    assert {*tmp_path.rglob("*")} == before
    opened = {Path(line) for line in notes.read_text().splitlines()}
    for path in (source for sources, _ in copied for source in sources.split()):
        read = [one for one in opened if one.is_relative_to(tmp_path / path)]
        assert read or "*" in path or path == "requirements.txt", f"{path} is not read"
    with pytest.raises(subprocess.CalledProcessError):  # for there is no server
        subprocess.run([sys.executable, *check[1:]], check=True, stderr=subprocess.DEVNULL)


# How it is tried

FEW_THREADS = ("--blocking-threads", "2")  # so that few clients could take them all


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with behind_nginx(tmp_path_factory.mktemp("site"), *FEW_THREADS) as site:
        yield site


def said(*command: str) -> str:
    """Return what a command prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def play(site: Site, seed: int, is_over: Callable[[], bool]) -> set[int]:
    """Play over one connection to nginx until then, and return the statuses of all answers."""
    with OverHttps(site.https) as connection:
        player, statuses = Player(connection, Random(seed)), set[int]()
        while not is_over():
            statuses.add(player.press().status)
        return statuses
