"""The site deployed as in docs/deploy.md, on loopback: nginx in front of two instances."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import NamedTuple

from tests.client import Connection
from tests.serving import ROOT, Server, free_port
from tools.browsers import find_program

# A `tree` is the checkout whose files a function reads: this one, or one of an earlier version.


def code_blocks(language: str, tree: Path = ROOT) -> list[str]:
    """Return the code blocks of docs/deploy.md in a language."""
    text = (tree / "docs/deploy.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def nginx_config(tree: Path = ROOT) -> str:
    """Return the configuration of nginx. Earlier versions have it in docs/deploy.md."""
    file = tree / "deploy/nginx.conf"
    return file.read_text() if file.exists() else code_blocks("nginx", tree)[0]


def unit_text(tree: Path = ROOT) -> str:
    """Return the systemd unit. Earlier versions have it in docs/deploy.md."""
    file = tree / "deploy/tic-tac-toe@.service"
    return file.read_text() if file.exists() else code_blocks("ini", tree)[0]


NGINX_CONFIG, UNIT = nginx_config(), unit_text()
SHELL_BLOCKS = code_blocks("sh")
INSTANCE_PORTS = re.findall(r"127\.0\.0\.1:(\d+) max_fails=0;", NGINX_CONFIG)


class DeployedSite(NamedTuple):
    """A running site: nginx and the instances behind it."""

    http_port: int
    https_port: int
    log_file: Path
    instances: dict[int, ExitStack]  # by port; closing the stack stops the instance

    def request(
        self, method: str, path: str, body: str = "", host: str = "localhost", **headers: str
    ) -> HTTPResponse:
        """Send a request to nginx over HTTPS and return the response."""
        https = HTTPSConnection(host, self.https_port, timeout=30, context=UNVERIFIED_TLS)
        with closing(https) as connection:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            response.read()
        return response


@contextmanager
def running_site(folder: Path, *options: str, tree: Path = ROOT) -> Iterator[DeployedSite]:
    """Run nginx in front of as many instances as deploy/nginx.conf lists, with extra `options`.

    The certificate, the log and the page cache go into `folder`.
    """
    with ExitStack() as stack:
        instances = {free_port(): stack.enter_context(ExitStack()) for _ in INSTANCE_PORTS}
        for port, instance in instances.items():
            instance.enter_context(running_unit(port, *options, tree=tree))
        site = stack.enter_context(nginx_in_front_of([*instances], folder, tree=tree))
        yield site._replace(instances=instances)


@contextmanager
def nginx_in_front_of(
    ports: Sequence[int], folder: Path, extra_config: str = "", tree: Path = ROOT
) -> Iterator[DeployedSite]:
    """Run nginx as docs/deploy.md sets it up, in front of servers on these ports."""
    nginx = find_program("nginx")
    assert nginx
    create_certificate(folder)
    http_port, https_port = free_port(), free_port()
    site_config = localized_nginx_config(folder, http_port, https_port, ports, tree)
    modules = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary_paths = "".join(f"{module}_temp_path {folder}/{module};" for module in modules)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; worker_processes auto;"  # worker_processes as on Debian
        f"{'user root;' if os.geteuid() == 0 else ''}"
        f"events {{}} http {{ access_log off; {temporary_paths} {extra_config}\n{site_config}}}"
    )
    command = [nginx, "-e", "stderr", "-p", str(folder), "-c", "nginx.conf"]
    with Server(command, http_port, {}):  # nginx opens this port last
        yield DeployedSite(http_port, https_port, folder / "tic-tac-toe.log", {})


def create_certificate(folder: Path) -> None:
    """Create a self-signed certificate for localhost, with its key."""
    arguments = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost"
    files = ["-keyout", "privkey.pem", "-out", "fullchain.pem"]
    subprocess.run(
        ["openssl", *arguments.split(), *files], cwd=folder, check=True, capture_output=True
    )


def localized_nginx_config(
    folder: Path, http_port: int, https_port: int, instance_ports: Sequence[int], tree: Path
) -> str:
    """Return the configuration of nginx adapted to loopback, these ports and this folder."""
    config = nginx_config(tree).replace("tic-tac-toe.example", "localhost")
    for original_folder in ("/etc/ssl/tic-tac-toe/", "/var/log/nginx/", "/var/cache/"):
        config = config.replace(original_folder, f"{folder}/")
    config = re.sub(r"listen (?=\d)", "listen 127.0.0.1:", config).replace("[::]:", "[::1]:")
    config = config.replace(":80;", f":{http_port};").replace(":443 ", f":{https_port} ")
    for original_port, port in zip(INSTANCE_PORTS, instance_ports, strict=True):
        assert config.count(f"127.0.0.1:{original_port} ") == 1
        config = config.replace(f"127.0.0.1:{original_port} ", f"127.0.0.1:{port} ")
    return config


def unit_service(tree: Path = ROOT) -> configparser.SectionProxy:
    """Return the [Service] section of the systemd unit."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(unit_text(tree))
    return parser["Service"]


@contextmanager
def running_unit(port: int, *options: str, tree: Path = ROOT) -> Iterator[Server]:
    """Run an instance on `port`, with the command and the environment of the systemd unit."""
    service = unit_service(tree)
    assert not service["EnvironmentFile"].startswith("-"), "it must not start without a key"
    settings: dict[str, str] = dict(pair.split("=") for pair in service["Environment"].split())
    command = shlex.split(service["ExecStart"].replace("%i", str(port)))
    python = sys.executable if tree == ROOT else str(tree / ".venv/bin/python")
    command = [python, *localize(command, port)[1:], *options]
    with Server(command, port, settings, tree) as server:
        yield server
        server.process.terminate()
        server.process.wait(timeout=30)


def localize(command: list[str], port: int) -> list[str]:
    """Return a deployment command adapted to this Python, this port and loopback."""
    replacements = {"8000": str(port), "0.0.0.0": "127.0.0.1", command[0]: sys.executable}
    return [replacements.get(word, word) for word in command]


UNVERIFIED_TLS = ssl._create_unverified_context()  # the certificate is self-signed


def wrap_in_tls(client: socket.socket) -> ssl.SSLSocket:
    """Return a connection to nginx over TLS, given one to its HTTPS port."""
    return UNVERIFIED_TLS.wrap_socket(client, server_hostname="localhost")


class HttpsConnection(Connection):
    """One connection to nginx that stays open, as a browser's does."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.host = "localhost"

    def connect(self) -> None:
        super().connect()
        self.sock = wrap_in_tls(self.sock)
