"""The server closes connections whose requests do not come, and leaves those open whose requests do."""

from __future__ import annotations

import threading
import time

import pytest

from tests.hostile.clients import VALIDATE, Client, upload_head

pytestmark = pytest.mark.slow

LONGEST = 40  # seconds until the server closes a connection whose request does not come
EACH = 10  # connections of a kind
HEAD = b"POST /v1/validate HTTP/1.1\r\nHost: x\r\n"
STALLED = {
    "half a head": (HEAD, b""),
    "a header each two seconds": (HEAD, b"X-X: y\r\n"),
    "a byte of a header each two seconds": (HEAD + b"X-X: ", b"y"),
    "a body that stops": (upload_head(1_000) + b"{", b""),
    "idle after an answer": (VALIDATE, b""),
}


@pytest.fixture(scope="module")
def stalled(server):
    """Return the connections of each kind, all opened at the same time, and when; some get a drip meanwhile."""
    connections = {name: [Client(server.port) for _ in range(EACH)] for name in STALLED}
    begun, end = time.monotonic(), threading.Event()
    for name, clients in connections.items():
        for client in clients:
            client.send(STALLED[name][0])
    dripping = threading.Thread(target=_drip, args=(connections, end))
    dripping.start()
    yield connections, begun
    end.set()
    dripping.join()
    for clients in connections.values():
        for client in clients:
            client.__exit__()


def _drip(connections, end):
    while not end.wait(2):
        for name, clients in connections.items():
            for client in clients:
                try:
                    client.send(STALLED[name][1])
                except OSError:  # the server closed this one
                    continue


@pytest.mark.parametrize("kind", STALLED)
def test_a_connection_whose_request_does_not_come_is_closed(stalled, kind):
    connections, begun = stalled
    for client in connections[kind]:
        client.socket.settimeout(max(1.0, begun + LONGEST - time.monotonic()))
        answered = client.rest()  # a TimeoutError if the connection stays open
        assert not answered or answered.startswith((b"HTTP/1.1 200", b"HTTP/1.1 400", b"HTTP/1.1 408")), answered


def test_a_client_that_pauses_for_less_is_answered(server):
    with Client(server.port) as client:
        for part in (VALIDATE[:20], VALIDATE[20:90], VALIDATE[90:]):
            client.send(part)
            time.sleep(2)
        assert client.answer().status == 200
