"""Load: requests sent over many connections by one thread.

It is cheap, because it shares the cores with the server that it measures: about 30 µs for each answer.
"""

from __future__ import annotations

import re
import select
import socket
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from statistics import quantiles
from typing import NamedTuple

_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
_CLOSE = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
_LAST_CHUNK = b"0\r\n\r\n"
_CHUNK_SIZE = re.compile(rb"\r\n[0-9a-fA-F]+\r\n")
_LEGAL = b'"legal":true'
_TIMEOUT = 30  # seconds without any answer after which a server counts as dead


class Rate(NamedTuple):
    """Answers for each second, and the milliseconds within which 50 and 99 of 100 of them came."""

    answers: int
    seconds: float
    p50: float
    p99: float

    @property
    def per_second(self) -> float:
        """Return the number of answers for each second."""
        return self.answers / self.seconds


def measure(port: int, requests: Sequence[bytes], connections: int, decks: int, seconds: float) -> Rate:
    """Send the requests in turn over each connection, the next as soon as an answer is there.

    A connection that the server closes is opened again. The next answer's time includes the time for that. Raises
    AssertionError for any answer but 200 with `decks` legal decks.
    """
    times: list[float] = []
    poll, clients = select.epoll(), {}
    for place in range(connections):
        client = _Connection(port, islice(cycle(requests), place % len(requests), None), decks)
        clients[client.open(poll)] = client
    begun = now = time.monotonic()
    while now < begun + seconds:
        ready = poll.poll(_TIMEOUT)
        assert ready, f"no answer in {_TIMEOUT} s"
        for descriptor, _ in ready:
            client = clients[descriptor]
            if client.receive():
                now = time.monotonic()
                times.append(now - client.begun)
                if client.is_closed:
                    del clients[descriptor]
                    clients[client.open(poll)] = client
                else:
                    client.send()
    for client in clients.values():
        client.close()
    poll.close()
    cuts = quantiles(times, n=100)
    return Rate(len(times), now - begun, cuts[49] * 1000, cuts[98] * 1000)


class _Connection:
    """A connection that sends one request after the other."""

    def __init__(self, port: int, requests: Iterator[bytes], decks: int) -> None:
        self._port, self._requests, self._decks = port, requests, decks
        self._received = b""
        self.begun = 0.0  # when the last request was sent
        self.is_closed = False

    def open(self, poll: select.epoll) -> int:
        """Connect, send the next request and return the descriptor."""
        self.begun = time.monotonic()
        self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=_TIMEOUT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.is_closed = False
        self._socket.sendall(next(self._requests))
        poll.register(self._socket, select.EPOLLIN)
        return self._socket.fileno()

    def send(self) -> None:
        """Send the next request."""
        self.begun = time.monotonic()
        self._socket.sendall(next(self._requests))

    def receive(self) -> bool:
        """Read the received bytes. Return True if the answer is complete."""
        piece = self._socket.recv(1 << 18)
        self._received += piece
        head, end, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if piece and not (end and (len(body) >= int(length[1]) if length else body.endswith(_LAST_CHUNK))):
            return False
        assert head[9:12] == b"200", self._received or "the server closed the connection without an answer"
        decks = _CHUNK_SIZE.sub(b"", b"\r\n" + body) if not length else body
        assert decks.count(_LEGAL) == self._decks, f"{decks.count(_LEGAL)} of {self._decks} verdicts, {decks[:300]!r}"
        self._received = b""
        if not piece or _CLOSE.search(head):
            self.close()
        return True

    def close(self) -> None:
        """Close the connection."""
        self.is_closed = True
        self._socket.close()
