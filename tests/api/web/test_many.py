"""Two webs and two workers behind a proxy: each may go and come back while others ask, and nobody is refused.

`DECKPROOF_MANY=60` asks for a minute, by 64 clients.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
import requests

from tests.api.jobs.test_survival import ids, send, until
from tests.api.processes import Process, Running, hasty, wait_for
from tests.postgres import own_schema

pytestmark = pytest.mark.slow

CONFIGURED = Path(__file__).resolve().parents[3] / "docs" / "haproxy.cfg"
SECONDS = float(os.environ.get("DECKPROOF_MANY", "0"))  # beyond those in which each process goes and comes back
CLIENTS = 64 if SECONDS else 8
PLAYERS = 20


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


@contextmanager
def proxied(folder, ports):
    """Run the proxy as its configuration that is shown says, before webs at other ports; yield its address."""
    if not shutil.which("haproxy"):
        pytest.skip("needs haproxy")
    (own,) = free_ports(1)
    text = CONFIGURED.read_text()
    for shown, port in zip(("8000", "8001", "8002"), (own, *ports), strict=True):
        text = text.replace(f"127.0.0.1:{shown}", f"127.0.0.1:{port}")
    (folder / "haproxy.cfg").write_text(text)
    process = subprocess.Popen(["haproxy", "-db", "-f", str(folder / "haproxy.cfg")], stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{own}"
    finally:
        process.kill()
        process.wait()


def worker(folder, **settings):
    """Start a worker that is not in so much of a hurry that it takes its fellow for dead beside so many clients."""
    return hasty(folder, missed_after=6, **settings)


class Web(Running):
    """A server at a port of its choice."""

    def __init__(self, folder, port, **settings):
        super().__init__(folder, ("serve", "--port", str(port), "--workers", "1"), **settings)


class Clients:
    """Clients that ask for verdicts until they are told to stop, each on a connection of its own, and what they got."""

    def __init__(self, url, deck):
        self._url, self._asked = url, {"game": "optcg", "on": "2026-11-01", "deck": deck}
        self._over = Event()
        self.answers = []

    def __enter__(self):
        self._pool = ThreadPoolExecutor(CLIENTS)
        self._done = [self._pool.submit(self._ask) for _ in range(CLIENTS)]
        return self

    def __exit__(self, *_):
        self._over.set()
        self._pool.shutdown()
        for one in self._done:
            one.result()

    def _ask(self):
        with requests.Session() as session:
            while not self._over.wait(0.02):
                answer = session.post(f"{self._url}/v1/validate", json=self._asked, timeout=30)
                self.answers.append(answer.status_code)


def is_up(url, count):
    """Tell whether the proxy's requests are all answered, and by so many workers."""
    answer = requests.get(f"{url}/readyz", timeout=10)
    return answer.ok and answer.json()["workers"] == count


def test_each_process_may_go_and_come_back(tmp_path, zoro):
    ports = free_ports(2)
    with own_schema() as database, proxied(tmp_path, ports) as url:
        settings = {"DECKPROOF_DATABASE_URL": database, "DECKPROOF_REDIS_URL": "redis://127.0.0.1:6379/9"}
        upgrade = Process(tmp_path / "release", ("db", "upgrade"), **settings)
        assert upgrade.process.wait(30) == 0
        webs = [Web(tmp_path / f"web{at}", port, **settings) for at, port in enumerate(ports)]
        workers = [worker(tmp_path / f"worker{at}", **settings) for at in range(2)]
        every, proxy = [*webs, *workers], SimpleNamespace(url=url)
        try:
            wait_for(lambda: is_up(url, 2))
            with Clients(url, zoro) as clients:
                jobs = [send(proxy, PLAYERS) for _ in range(3)]
                for at in range(2):
                    every[2 + at].kill()
                    every[2 + at] = worker(tmp_path / f"worker{at}", **settings)
                    jobs.append(send(proxy, PLAYERS))
                for at, go in ((0, Process.end), (1, Process.kill)):
                    go(every[at])
                    every[at] = Web(tmp_path / f"web{at}", ports[at], **settings)
                    time.sleep(2)  # until the proxy has seen that it is back
                time.sleep(SECONDS)  # in which what a worker that was killed had begun is begun anew
            assert set(clients.answers) == {200}
            assert len(clients.answers) > 100
            for path in jobs:
                until(proxy, path, "done")
                assert ids(proxy, path) == [f"{at:06d}" for at in range(PLAYERS)]
            counted = requests.get(f"{url}/readyz", timeout=10).json()["jobs"]
            assert counted["done"] == len(jobs) == sum(counted.values())
        finally:
            for one in every:
                one.kill()
