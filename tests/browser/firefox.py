"""Firefox: the browser of the machine, driven by Marionette, the protocol that every Firefox speaks by itself.

Playwright drives its own build of Firefox only, and Debian has no geckodriver.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("firefox-esr", "firefox")
_START = 90  # seconds, on a machine that is busy
_WAIT = 60  # seconds until a page shows something
_SCRIPT = 10  # seconds for a script: one whose page is left meanwhile may never answer
_WHY = "needs Firefox (`apt-get install firefox-esr`), and there is none"
# The browser requests nothing but what a page requests, and takes any free port.
_SETTINGS: dict[str, Any] = {
    "marionette.port": 0,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}


class FirefoxError(Exception):
    """An error that Firefox answered."""


class Firefox:
    """A running Firefox with one tab. Each method sends one command and waits for its answer."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_START)
        self._stream = self._socket.makefile("rb")
        self._count = 0
        self._read()  # Firefox introduces itself
        self._send("WebDriver:NewSession", {})
        self._send("WebDriver:SetTimeouts", {"script": 1000 * _SCRIPT})

    def open_page(self, address: str) -> None:
        """Open an address. Raises FirefoxError if the page cannot be loaded."""
        self._send("WebDriver:Navigate", {"url": address})

    def reload(self) -> None:
        """Load the page again, as a person does. Marionette's own command goes past service workers."""
        self.evaluate("(document.documentElement.dataset.old = '', setTimeout(() => location.reload(), 0), null)")
        self.wait_for("document.documentElement?.dataset.old === undefined")

    def click(self, selector: str) -> None:
        """Click the first element that matches a CSS selector."""
        found = self._send("WebDriver:FindElement", {"using": "css selector", "value": selector})
        (element,) = found["value"].values()
        self._send("WebDriver:ElementClick", {"id": element})

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript, of a promise the value that it resolves to."""
        script = f"const [done] = arguments; Promise.resolve({expression}).then(done, (error) => done(String(error)));"
        return self._send("WebDriver:ExecuteAsyncScript", {"script": script, "args": []})["value"]

    def wait_for(self, expression: str) -> None:
        """Wait until an expression of JavaScript is true, through changes of the page. Fails after a while."""
        until = time.monotonic() + _WAIT
        while not self._is_true(expression):
            assert time.monotonic() < until, f"{expression}: never true"
            time.sleep(0.1)

    def _is_true(self, expression: str) -> bool:
        try:
            return self.evaluate(expression) is True
        except FirefoxError:  # the page changed meanwhile
            return False

    def close(self) -> None:
        """End the session and the connection."""
        self._send("WebDriver:DeleteSession", {})
        self._stream.close()
        self._socket.close()

    def _send(self, command: str, parameters: dict[str, Any]) -> dict[str, Any]:
        self._count += 1
        text = json.dumps([0, self._count, command, parameters])
        self._socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._read()
        if error:
            raise FirefoxError(f"{command}: {error['error']}: {error['message']}")
        return result

    def _read(self) -> Any:
        """Return the next message: its length, a colon, and JSON."""
        digits = b""
        while (byte := self._stream.read(1)) != b":":
            assert byte, "Firefox closed the connection"
            digits += byte
        return json.loads(self._stream.read(int(digits)))


@contextmanager
def start_firefox(folder: Path, languages: str = "en") -> Iterator[Firefox]:
    """Yield a Firefox with a new profile in a folder. Without a Firefox the test is skipped."""
    path = os.environ.get("DECKPROOF_TEST_FIREFOX") or next(filter(None, map(shutil.which, _NAMES)), None)
    if not path:
        pytest.skip(_WHY)
    settings = _SETTINGS | {"intl.accept_languages": languages}
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items())
    (folder / "user.js").write_text("".join(lines))
    command = [path, "--marionette", "--headless", "--no-remote", "--profile", str(folder)]
    environment = os.environ | {"HOME": str(folder), "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "3000"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        firefox = Firefox(_port(folder, process))
        yield firefox
        firefox.close()
    finally:
        process.kill()
        process.wait()


def _port(folder: Path, process: subprocess.Popen[bytes]) -> int:
    """Return the port that Firefox writes to its profile."""
    until = time.monotonic() + _START
    while not (port := (folder / "MarionetteActivePort")).exists() or not port.read_text():
        assert process.poll() is None, (folder / "log").read_text()
        assert time.monotonic() < until, "Firefox does not start"
        time.sleep(0.1)
    return int(port.read_text())
