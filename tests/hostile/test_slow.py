"""Many who send slowly keep nobody waiting who does not."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

import pytest
import requests

from tests.api.processes import Running
from tests.cost import slowness

pytestmark = pytest.mark.slow

CLIENTS = 300
SECONDS = 1.5  # to begin to ask in; who is kept waiting is so from the first request on
_POST = b"POST /v1/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
KINDS = {
    "nothing": b"",
    "half a head": b"POST /v1/validate HTTP/1.1\r\nHost: x\r\nX-X: ",
    "half a body": _POST + b"Content-Length: 1000\r\n\r\n{",
    "half a large body": _POST + b"Content-Length: 100000\r\n\r\n" + b" " * 50_000,
    "half a chunk": _POST + b"Transfer-Encoding: chunked\r\n\r\n9",
    "half a batch": _POST.replace(b"/json", b"/x-ndjson").replace(b"date", b"date/batch")
    + b"Transfer-Encoding: chunked\r\n\r\n9",
    "no good-bye": b"GET /nowhere HTTP/1.0\r\n\r\n",
    "no taking": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 20,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("server"))
    with running.ended():
        yield running


class Crowd:
    """Clients that send something and wait, and come again as soon as they are cut off."""

    def __init__(self, port, sent):
        self._port, self._sent = port, sent
        self._clients = []
        self._stop = threading.Event()

    def __enter__(self):
        self._clients = [self._begun() for _ in range(CLIENTS)]
        self._thread = threading.Thread(target=self._come_again)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        for client in self._clients:
            client.close()

    def _begun(self):
        client = socket.create_connection(("127.0.0.1", self._port), timeout=20)
        with suppress(OSError):
            client.sendall(self._sent)
        client.setblocking(False)
        return client

    def _come_again(self):
        while not self._stop.wait(0.2):
            self._clients = [client if self._lasts(client) else self._begun() for client in self._clients]

    @staticmethod
    def _lasts(client):
        try:
            if client.recv(1, socket.MSG_PEEK):
                return True
        except BlockingIOError:
            return True
        except OSError:
            pass
        client.close()
        return False


@pytest.mark.parametrize("sent", KINDS.values(), ids=KINDS)
def test_honest_requests_are_answered_beside_slow_ones(server, sent):
    seconds, slower = [], slowness(time.monotonic)  # by others; what the crowd costs is what is measured
    with Crowd(server.port, sent):
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            begun = time.monotonic()
            answer = requests.post(f"{server.url}/v1/validate", json={"game": "optcg", "deck": {}}, timeout=30)
            assert answer.status_code == 200
            seconds.append(time.monotonic() - begun)
            time.sleep(0.1)
    slower = max(slower, slowness(time.monotonic))
    assert max(seconds) < 3 * slower
    assert sorted(seconds)[len(seconds) // 2] < 1 * slower
