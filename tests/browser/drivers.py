"""One window each in Chromium, Firefox and WebKit, and the same few verbs for all of them.

Each speaks through the library that is made for it. Where something is, is said in XPath, the one
language that knows a button by its words and that all three libraries take.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import playwright.sync_api
from selenium.webdriver import ActionChains, Keys, WebKitGTK, WebKitGTKOptions
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.webkitgtk.service import Service

from tests.serving import end_with_this_process

# What WebDriver calls the keys that have no character; Playwright calls them as the web does.
KEYS = {"Tab": Keys.TAB, "Enter": Keys.ENTER, "ArrowDown": Keys.DOWN, "ArrowRight": Keys.RIGHT}


class Window(ABC):
    """What a person does in the window of a browser, and sees there."""

    @abstractmethod
    def open(self, url: str) -> None: ...

    @abstractmethod
    def reload(self) -> None: ...

    @abstractmethod
    def back(self) -> None: ...

    @abstractmethod
    def url(self) -> str: ...

    @abstractmethod
    def click(self, xpath: str) -> None: ...

    @abstractmethod
    def double_click(self, xpath: str) -> None: ...

    @abstractmethod
    def press(self, key: str) -> None:
        """Press a key, by its name in `KEYS` or by its character."""

    @abstractmethod
    def look(self, script: str) -> Any:
        """Return what an expression in JavaScript says of the page."""

    @abstractmethod
    def forget(self) -> None:
        """Lose all cookies of the site that is open."""

    @abstractmethod
    def close(self) -> None: ...

    def until(self, come: Callable[[], bool], seconds: float = 5) -> None:
        """Wait until that has come true, and fail where it does not in time."""
        limit = time.monotonic() + seconds
        while not come():
            assert time.monotonic() < limit, f"{self.url()} shows {self.look(TEXT)!r}"
            time.sleep(0.02)


TEXT = "document.body.innerText"


class Chromium(Window):
    def __init__(self, browser: playwright.sync_api.Browser) -> None:
        self.context = browser.new_context()
        self.context.set_default_timeout(5000)
        self.page = self.context.new_page()

    def open(self, url: str) -> None:
        self.page.goto(url)

    def reload(self) -> None:
        self.page.reload()

    def back(self) -> None:
        self.page.go_back()

    def url(self) -> str:
        return self.page.url

    def click(self, xpath: str) -> None:
        self.page.locator(xpath).first.click()

    def double_click(self, xpath: str) -> None:
        self.page.locator(xpath).first.dblclick()

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def look(self, script: str) -> Any:
        return self.page.evaluate(script)

    def forget(self) -> None:
        self.context.clear_cookies()

    def close(self) -> None:
        self.context.close()


class Firefox(Window):
    def __init__(self, folder: Path) -> None:
        """Start Firefox with a new profile; `folder` is for the profile and the log."""
        with old_ways():
            from marionette_driver.marionette import Marionette

            self.marionette = Marionette(
                port=0,
                bin=shutil.which("firefox-esr"),
                headless=True,
                workspace=str(folder),
                gecko_log=str(folder / "firefox.log"),
                startup_timeout=60,
            )
            self.marionette.start_session()

    def open(self, url: str) -> None:
        self.marionette.navigate(url)

    def reload(self) -> None:
        self.marionette.refresh()

    def back(self) -> None:
        self.marionette.go_back()

    def url(self) -> str:
        return str(self.marionette.get_url())

    def click(self, xpath: str) -> None:
        self.marionette.find_element(By.XPATH, xpath).click()

    def double_click(self, xpath: str) -> None:
        mouse = self.marionette.actions.sequence("pointer", "mouse", {"pointerType": "mouse"})
        mouse.click(self.marionette.find_element(By.XPATH, xpath)).click().perform()

    def press(self, key: str) -> None:
        keyboard = self.marionette.actions.sequence("key", "keyboard")
        keyboard.send_keys(KEYS.get(key, key)).perform()

    def look(self, script: str) -> Any:
        return self.marionette.execute_script(f"return {script}")

    def forget(self) -> None:
        self.marionette.delete_all_cookies()

    def close(self) -> None:
        self.marionette.cleanup()


class WebKit(Window):
    def __init__(self) -> None:
        """Start WebKit's MiniBrowser, which needs a screen, on one that nobody sees."""
        listening, telling = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(telling), "-screen", "0", "1280x800x24"],
            pass_fds=[telling],
            stderr=subprocess.DEVNULL,
            preexec_fn=end_with_this_process,
        )
        os.close(telling)
        with open(listening) as told:
            display = f":{told.readline().strip()}"
        x11 = {"DISPLAY": display, "GDK_BACKEND": "x11"}
        with old_ways():
            self.driver = WebKitGTK(WebKitGTKOptions(), Service(env={**os.environ, **x11}))

    def open(self, url: str) -> None:
        self.driver.get(url)

    def reload(self) -> None:
        self.driver.refresh()

    def back(self) -> None:
        self.driver.back()

    def url(self) -> str:
        return self.driver.current_url

    def click(self, xpath: str) -> None:
        self._find(xpath).click()

    def double_click(self, xpath: str) -> None:
        ActionChains(self.driver, duration=0).double_click(self._find(xpath)).perform()

    def press(self, key: str) -> None:
        ActionChains(self.driver).send_keys(KEYS.get(key, key)).perform()

    def look(self, script: str) -> Any:
        return self.driver.execute_script(f"return {script}")

    def forget(self) -> None:
        for cookie in self.driver.get_cookies():
            self.driver.delete_cookie(cookie["name"])  # deleting all does not wait until it is done

    def close(self) -> None:
        self.driver.quit()
        self.screen.terminate()
        self.screen.wait()

    def _find(self, xpath: str) -> WebElement:
        return self.driver.find_element(By.XPATH, xpath)


@contextmanager
def old_ways() -> Iterator[None]:
    """Let the two libraries start in ways that Python warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
