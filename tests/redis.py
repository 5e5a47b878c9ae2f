"""A Redis server of one's own, which may be killed."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory

import pytest

from tests.api.processes import wait_for


class RedisServer:
    """A Redis server without files. It is empty after a kill and a new start."""

    def __init__(self, folder: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}/0"
        where = ["--port", str(self._port), "--bind", "127.0.0.1", "--dir", folder]
        self._command = ["redis-server", *where, "--save", ""]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        wait_for(self._answers)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), timeout=1) as client:
            client.sendall(b"PING\r\n")
            return client.recv(100) == b"+PONG\r\n"
        return False


@contextmanager
def own_redis() -> Iterator[RedisServer]:
    """Yield an own server that answers. The test is skipped if none can be started."""
    if not shutil.which("redis-server"):
        pytest.skip("needs redis-server")
    with TemporaryDirectory() as folder:
        made = RedisServer(folder)
        try:
            yield made
        finally:
            made.kill()
