"""The systemd units in deploy/systemd, and a service manager for tests that obeys their options."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from tests.api.processes import START, wait_for
from tests.deploy.proxies import DEPLOY, replaced

UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PROGRAMS = Path(sys.executable).parent
INSTALLED = "/opt/deckproof/bin"


def read_unit(path: Path) -> dict[str, list[str]]:
    """Return the values of a unit by option."""
    options = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            options[name].append(value)
    return options


def read_variables(path: Path) -> dict[str, str]:
    """Return the variables of an EnvironmentFile."""
    lines = path.read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


class Service:
    """A unit that runs: ready when it says so, and restarted when it ends, as its options say.

    `port` replaces the instance of a template. `log` has what all its processes wrote.
    """

    def __init__(
        self, name: str, folder: Path, variables: Mapping[str, str], port: int = 0, other_port: int = 0
    ) -> None:
        self.options = read_unit(DEPLOY / "systemd" / name)
        assert self.options["Restart"] == ["always"]
        assert self.options["KillMode"] == ["mixed"]
        folder.mkdir(exist_ok=True)
        self.log = folder / f"{name}-{port}.log"
        (command,) = self.options["ExecStart"]
        self._command = shlex.split(replaced(command, {INSTALLED: str(PROGRAMS)}).replace("%i", str(port)))
        set_here = " ".join(self.options["Environment"]).replace("127.0.0.1:1%i", f"127.0.0.1:{other_port}")
        kept = {key: value for key, value in os.environ.items() if not key.startswith("DECKPROOF_")}
        self._environment = kept | dict(pair.split("=", 1) for pair in set_here.split()) | variables
        self.process: subprocess.Popen[bytes] | None = None
        self._socket = folder / f"{port}.sock"
        self._starts, self._ended = 0, False
        self._thread = threading.Thread(target=self._keep_running, daemon=True)
        self._thread.start()

    @property
    def ready(self) -> int:
        """The number of times that the service has become ready."""
        return self._starts

    def _keep_running(self) -> None:
        while not self._ended:
            with self.log.open("ab") as log, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
                self._socket.unlink(missing_ok=True)
                listener.bind(str(self._socket))
                listener.settimeout(0.1)
                environment = self._environment | {"NOTIFY_SOCKET": str(self._socket)}
                self.process = process = subprocess.Popen(
                    self._command, stdout=log, stderr=log, env=environment, start_new_session=True
                )
                self._wait_until_ready(process, listener)
                process.wait()
            _kill_group(process.pid)
            if not self._ended:
                time.sleep(float(self.options["RestartSec"][0]))

    def _wait_until_ready(self, process: subprocess.Popen[bytes], listener: socket.socket) -> None:
        is_ready = self.options["Type"] != ["notify"]
        while not is_ready and process.poll() is None:
            try:
                is_ready = b"READY=1" in listener.recv(4096)
            except TimeoutError:
                continue
        self._starts += is_ready

    def wait_until_ready(self, starts: int = 1) -> None:
        """Wait until the service has become ready for this many times."""
        wait_for(lambda: self._starts >= starts, START)

    def restart(self) -> None:
        """End the service as `systemctl restart` does, and wait until it is ready again."""
        starts = self._starts
        self._terminate()
        self.wait_until_ready(starts + 1)

    def kill(self) -> None:
        """Kill the main process, and wait until the service is ready again."""
        starts = self._starts
        self.process.kill()
        self.wait_until_ready(starts + 1)

    def stop(self) -> None:
        """End the service for good. Does nothing if it has ended."""
        self._ended = True
        while self._thread.is_alive():
            if self.process:
                self._terminate()
            self._thread.join(0.1)

    def _terminate(self) -> None:
        process = self.process
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=float(self.options["TimeoutStopSec"][0]))
        except subprocess.TimeoutExpired:
            process.kill()


def _kill_group(group: int) -> None:
    """Kill what is left of a group of processes."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
