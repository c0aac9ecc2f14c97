"""What docs/deploy.md and the Containerfile say, tried: a real nginx before the server."""

from __future__ import annotations

import configparser
import json
import os
import re
import select
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from random import Random
from threading import Event
from typing import NamedTuple

import pytest

from tests.client import Connection, Player
from tests.serving import ROOT, Server, free_port, wait_until
from tools.browsers import where

BLOCKS: list[tuple[str, str]] = re.findall(
    r"^```(\w+)\n(.*?)^```", (ROOT / "docs/deploy.md").read_text(), re.MULTILINE | re.DOTALL
)
(NGINX,) = (text for language, text in BLOCKS if language == "nginx")
(UNIT,) = (text for language, text in BLOCKS if language == "ini")
SHELL = [text for language, text in BLOCKS if language == "sh"]
INSTANCES = re.findall(r"127\.0\.0\.1:(\d+) max_fails=0;", NGINX)
CONTAINER = (ROOT / "Containerfile").read_text()


def behind_nginx(test: Callable[[Site], None]) -> Callable[[Site], None]:
    return pytest.mark.soak(pytest.mark.needs("nginx")(test))


class Site(NamedTuple):
    """Name the two ports of nginx, the file of its log, and the ports of the instances."""

    http: int
    https: int
    log: Path
    instances: dict[int, ExitStack]

    def ask(
        self, method: str, path: str, body: str = "", name: str = "localhost", **headers: str
    ) -> HTTPResponse:
        """Ask nginx over HTTPS."""
        https = HTTPSConnection(name, self.https, timeout=30, context=NOT_VERIFIED)
        with closing(https) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
        return answer


@behind_nginx
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
        answer = site.ask("POST", "/new", "mark=O", Origin=origin, **form)
        assert answer.status == status
        assert status == 403 or answer.headers["Set-Cookie"].startswith("__Host-session=")
    answer = site.ask("POST", "/new", "x" * 5000)
    assert answer.status == 413
    assert {one.headers["Server"] for one in (moved, page, answer)} == {"nginx"}  # no version


@behind_nginx
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


@behind_nginx
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


@behind_nginx
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
        with pytest.raises(ConnectionError):  # no answer, where one came it would be kept
            site.ask("GET", path, Host="elsewhere.example")


@behind_nginx
def test_a_flood_of_searches_is_refused_and_a_player_at_its_address_never_is(site: Site) -> None:
    def search(seed: int) -> int:
        path = f"/study/-X---XOOX?view=search&seed={seed}"
        return site.ask("GET", path).status

    with ThreadPoolExecutor(4) as pool:
        searches = [pool.submit(search, seed) for seed in range(500)]
        played = play(site, 1, lambda: all(one.done() for one in searches))
        answered = Counter(one.result() for one in searches)
    assert played == {200}
    assert answered.keys() == {200, 429}
    assert answered[200] >= 200  # a class of 40 that opens five searches at once
    # A line of the error log for each that was refused would name who asked.
    assert "client:" not in (site.log.parent / "error.log").read_text()


@behind_nginx
def test_an_upgrade_of_one_instance_after_the_other_costs_no_click(site: Site) -> None:
    done = Event()
    with ThreadPoolExecutor(4) as pool:
        games = [pool.submit(play, site, seed, done.is_set) for seed in range(4)]
        for port, instance in site.instances.items():
            instance.close()
            wait_until(instance.enter_context(unit(port)).healthy)
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


def test_the_container_holds_what_the_server_needs_and_is_not_written_to(tmp_path: Path) -> None:
    for sources, target in re.findall(r"^COPY (.+) (\S+)$", CONTAINER, re.MULTILINE):
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
    writing = {"PYTHONDONTWRITEBYTECODE": "1"}
    with Server(here(command, port), port, writing, tmp_path):
        subprocess.run([sys.executable, *check[1:]], check=True)
        with Connection(port, 30) as connection:
            assert connection.get("/learn/check").status == 200  # it shows docs/ and judge/
    assert {*tmp_path.rglob("*")} == before
    with pytest.raises(subprocess.CalledProcessError):  # for there is no server
        subprocess.run([sys.executable, *check[1:]], check=True, stderr=subprocess.DEVNULL)


# How it is tried


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start nginx before the server."""
    folder = tmp_path_factory.mktemp("site")
    nginx = where("nginx")
    assert nginx
    make = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost"
    files = ["-keyout", "privkey.pem", "-out", "fullchain.pem"]
    subprocess.run(["openssl", *make.split(), *files], cwd=folder, check=True, capture_output=True)
    http, https = free_port(), free_port()
    with ExitStack() as stack:
        instances = {free_port(): stack.enter_context(ExitStack()) for _ in INSTANCES}
        for port, instance in instances.items():
            instance.enter_context(unit(port))
        text = NGINX.replace("tic-tac-toe.example", "localhost")
        for theirs in ("/etc/ssl/tic-tac-toe/", "/var/log/nginx/", "/var/cache/"):
            text = text.replace(theirs, f"{folder}/")
        text = re.sub(r"listen (?=\d)", "listen 127.0.0.1:", text).replace("[::]:", "[::1]:")
        text = text.replace(":80;", f":{http};").replace(":443 ", f":{https} ")
        for theirs, port in zip(INSTANCES, instances, strict=True):
            assert text.count(f"127.0.0.1:{theirs} ") == 1
            text = text.replace(f"127.0.0.1:{theirs} ", f"127.0.0.1:{port} ")
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; {'user root;' if os.geteuid() == 0 else ''}"
            f"events {{}} http {{ access_log off; {paths}\n{text}}}"
        )
        command = [nginx, "-e", "stderr", "-p", str(folder), "-c", "nginx.conf"]
        with Server(command, http, {}):  # where it listens last
            yield Site(http, https, folder / "tic-tac-toe.log", instances)


def unit_service() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(UNIT)
    return parser["Service"]


@contextmanager
def unit(port: int) -> Iterator[Server]:
    """Run an instance as the unit does, with two threads, on a port of its own."""
    service = unit_service()
    assert not service["EnvironmentFile"].startswith("-"), "it would start without a key"
    settings: dict[str, str] = dict(pair.split("=") for pair in service["Environment"].split())
    command = shlex.split(service["ExecStart"].replace("%i", str(port)))
    with Server([*here(command, port), "--blocking-threads", "2"], port, settings) as server:
        yield server
        server.process.terminate()
        server.process.wait(timeout=30)


def said(*command: str) -> str:
    """Return what a command prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def here(command: list[str], port: int) -> list[str]:
    """Return a command of a machine's or container's for this Python, this port and loopback."""
    ours = {"8000": str(port), "0.0.0.0": "127.0.0.1", command[0]: sys.executable}
    return [ours.get(word, word) for word in command]


NOT_VERIFIED = ssl._create_unverified_context()  # the certificate is made here


def secured(client: socket.socket) -> ssl.SSLSocket:
    return NOT_VERIFIED.wrap_socket(client, server_hostname="localhost")


class OverHttps(Connection):
    """Keep one connection to nginx open, as a browser does."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.host = "localhost"

    def connect(self) -> None:
        super().connect()
        self.sock = secured(self.sock)


def play(site: Site, seed: int, is_over: Callable[[], bool]) -> set[int]:
    """Play over one connection to nginx until then, and return the statuses of all answers."""
    with OverHttps(site.https) as connection:
        player, statuses = Player(connection, Random(seed)), set[int]()
        while not is_over():
            statuses.add(player.press().status)
        return statuses
