"""Firefox and WebKit, driven by Selenium through the same few methods."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import selenium.webdriver
from selenium.common.exceptions import JavascriptException, NoSuchFrameException
from selenium.webdriver import ActionChains, FirefoxOptions, Keys, WebKitGTK, WebKitGTKOptions
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.service import Service

from tests import positions
from tests.client import COOKIE
from tests.serving import end_with_parent, wait_until

# Marionette's names of the commands used here.
MARIONETTE = {
    Command.NEW_SESSION: "NewSession",
    Command.GET: "Navigate",
    Command.REFRESH: "Refresh",
    Command.GO_BACK: "Back",
    Command.GET_CURRENT_URL: "GetCurrentURL",
    Command.FIND_ELEMENT: "FindElement",
    Command.CLICK_ELEMENT: "ElementClick",
    Command.W3C_ACTIONS: "PerformActions",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
    Command.ADD_COOKIE: "AddCookie",
    Command.QUIT: "DeleteSession",
}


class Window:
    """A browser window driven by Selenium, with what a person does and sees there."""

    driver: selenium.webdriver.Remote
    helper: subprocess.Popen[bytes]  # Firefox itself, or the screen of WebKit

    def open(self, url: str) -> None:
        self.driver.get(url)

    def reload(self) -> None:
        self.driver.refresh()

    def back(self) -> None:
        self.driver.back()

    def url(self) -> str:
        return self.driver.current_url

    def click(self, css: str) -> None:
        self.driver.find_element("css selector", css).click()

    def double_click(self, css: str) -> None:
        target = self.driver.find_element("css selector", css)
        ActionChains(self.driver, duration=0).double_click(target).perform()

    def press(self, key: str, css: str = "") -> None:
        """Press a key, given by its name in `Keys` or its character.

        With a selector, first focus the first visible element that matches it.
        """
        if css:
            matches = f"[...document.querySelectorAll({css!r})]"
            self.evaluate(f"{matches}.find(element => element.checkVisibility()).focus()")
        ActionChains(self.driver).send_keys(getattr(Keys, key, key)).perform()

    def evaluate(self, script: str) -> Any:
        """Return the value of a JavaScript expression, once the page has loaded."""
        values: list[Any] = []

        def has_value() -> bool:
            with suppress(JavascriptException, NoSuchFrameException):  # the page may be loading
                values.append(self.driver.execute_script(f"return {script}"))
            return bool(values)

        wait_until(has_value)
        return values[0]

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition is true; otherwise fail with the text of the page."""
        try:
            wait_until(condition)
        except TimeoutError:
            text = self.evaluate("document.body.innerText")
            raise AssertionError(f"{self.url()} shows {text!r}") from None

    def set_session(self, cookie: str) -> None:
        """Set the session cookie of the open site."""
        self.driver.add_cookie({"name": COOKIE, "value": cookie, "path": "/"})

    def close(self) -> None:
        self.driver.quit()
        self.helper.terminate()
        self.helper.wait()

    def start_helper(self, command: list[str], **options: Any) -> None:
        """Start a helper program that runs as long as the window is open."""
        self.helper = subprocess.Popen(
            command, stderr=subprocess.DEVNULL, preexec_fn=end_with_parent, **options
        )


# Without motion a game takes a seventh less processor time; `make soak` has motion.
REDUCES_MOTION = not positions.is_soak

# The preferences of Firefox. Drawing 20 frames a second instead of 60 takes 15% less processor
# time. Opening no page of its own and no process in advance saves a quarter of its start; looking
# for no extensions saves a fifth of the rest.
PREFERENCES = {
    "marionette.port": 0,
    "layout.frame_rate": 20,
    "browser.startup.page": 0,
    "browser.newtabpage.enabled": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "extensions.enabledScopes": 0,
    "ui.prefersReducedMotion": int(REDUCES_MOTION),
    "network.http.speculative-parallel-limit": 0,
}


class Firefox(Window):
    def __init__(self, profile: Path) -> None:
        """Start Firefox with a new profile, a folder in which it writes the port it listens on."""
        lines = [
            f"user_pref({json.dumps(preference)[1:-1]});" for preference in PREFERENCES.items()
        ]
        (profile / "user.js").write_text("\n".join(lines))
        options = ["--headless", "--no-remote", "--profile", str(profile)]
        self.start_helper(["firefox-esr", "--marionette", *options], stdout=subprocess.DEVNULL)
        port_file = profile / "MarionetteActivePort"
        wait_until(lambda: port_file.exists() and port_file.read_text() != "")
        firefox = Marionette(int(port_file.read_text()))
        self.driver = selenium.webdriver.Remote(firefox, options=FirefoxOptions())


class Marionette(RemoteConnection):
    """A connection that sends Selenium's commands directly to Firefox, as JSON with a length.

    https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
    """

    def __init__(self, port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            self.stream = connection.makefile("rwb")
        self._receive()  # its greeting

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        message = json.dumps([0, 0, f"WebDriver:{MARIONETTE[command]}", params]).encode()
        self.stream.write(b"%d:%s" % (len(message), message))
        self.stream.flush()
        _, _, error, value = self._receive()
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        return {"value": value.get("value", value) if isinstance(value, dict) else value}

    def _receive(self) -> Any:
        length = b""
        while (byte := self.stream.read(1)) != b":":
            length += byte
        return json.loads(self.stream.read(int(length)))

    def close(self) -> None:
        self.stream.close()


class WebKit(Window):
    def __init__(self, folder: Path) -> None:
        """Start WebKit's MiniBrowser on a virtual screen, with its settings in `folder`."""
        (folder / "gtk-3.0").mkdir()
        settings = f"[Settings]\ngtk-enable-animations={int(not REDUCES_MOTION)}\n"
        (folder / "gtk-3.0/settings.ini").write_text(settings)
        read_end, write_end = os.pipe()  # to learn the number of the screen
        screen = ["-displayfd", str(write_end), "-screen", "0", "1280x800x24"]
        self.start_helper(["Xvfb", *screen], pass_fds=[write_end])
        os.close(write_end)
        with open(read_end) as display_pipe:
            display = f":{display_pipe.readline().strip()}"
        # Drawing as if there were a graphics card would take a quarter more processor time.
        x11 = {"DISPLAY": display, "GDK_BACKEND": "x11", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        environment = {**os.environ, **x11, "XDG_CONFIG_HOME": str(folder)}
        with warnings.catch_warnings(action="ignore"):  # Selenium uses a deprecated call of its own
            self.driver = WebKitGTK(WebKitGTKOptions(), Service(env=environment))
