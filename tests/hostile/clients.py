"""Clients over raw sockets: one for any HTTP bytes, a crowd that attacks, and honest ones."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import parse_headers
from typing import NamedTuple

from tests.cost import slowness_meanwhile

GIVE_UP = 30  # seconds after which an honest client takes the server for dead
ATTEMPTS = 3  # of which one has to find no honest request late
TICK = 0.2  # seconds between two turns of a crowd
DECK = b'{"game": "optcg", "on": "2026-11-01", "deck": {"leader": [{"number": "ST21-001", "count": 1}]}}'
LARGE_DECK = b" " * (40_000 - len(DECK)) + DECK


def make_request(path, body=None, method="POST", media_type="application/json", version="1.1", headers=()):
    """Return the bytes of a request. `headers` are further lines."""
    lines = [f"{method} {path} HTTP/{version}", "Host: deckproof.example", *headers]
    if body is not None:
        lines += [f"Content-Type: {media_type}", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


def upload_head(length, path="/v1/validate", media_type="application/json"):
    """Return the head of a request whose body of `length` bytes is sent later."""
    return make_request(path, b"", media_type=media_type).replace(b"Content-Length: 0", b"Content-Length: %d" % length)


VALIDATE = make_request("/v1/validate", DECK)
VALIDATE_LARGE = make_request("/v1/validate", LARGE_DECK)
HEALTH = make_request("/healthz", method="GET")


class Answer(NamedTuple):
    """An answer as it came: `headers` allows several values for each name."""

    status: int
    headers: object
    body: bytes

    def json(self):
        return json.loads(self.body)


class Client:
    """A connection that sends any bytes and reads one answer after the other."""

    def __init__(self, port, timeout=GIVE_UP, receive_buffer=0):
        self.socket = socket.socket()
        if receive_buffer:  # has to be set before the connection is made
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(("127.0.0.1", port))
        self._file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def answer(self, method="POST"):
        """Return the next answer. Raises ConnectionError if there is none."""
        version, _, rest = self._file.readline().partition(b" ")
        if not version:
            raise ConnectionError("the server closed the connection without an answer")
        assert version.startswith(b"HTTP/1."), version
        status = int(rest[:3])
        headers = parse_headers(self._file)
        has_body = method != "HEAD" and status >= 200 and status not in (204, 304)
        return Answer(status, headers, self._body(headers) if has_body else b"")

    def _body(self, headers):
        """Return the body of an answer with these headers."""
        if headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(self._chunks())
        return self._file.read(int(headers["Content-Length"]) if "Content-Length" in headers else -1)

    def _chunks(self):
        """Return the body of a chunked answer."""
        while size := int(self._file.readline(), 16):
            yield self._file.read(size)
            self._file.readline()
        self._file.readline()

    def rest(self):
        """Return the bytes until the server closes the connection. Raises TimeoutError if the server keeps it open."""
        with suppress(ConnectionResetError):
            return self._file.read()
        return b""


def ask(port, data, method="POST"):
    """Send a request on a new connection and return its answer."""
    with Client(port) as client:
        client.send(data)
        return client.answer(method)


class Attack(NamedTuple):
    """What each client of a crowd does: it sends `opening`, then every TICK sends `drip` and reads `taken` bytes."""

    clients: int
    opening: bytes
    drip: bytes = b""
    taken: int = 0
    receive_buffer: int = 0


class Crowd:
    """Clients that attack together. Each connects again as soon as the server has cut it off."""

    def __init__(self, port, *attacks):
        self._port, self._attacks = port, attacks
        self._clients = []
        self._poll = select.poll()
        self._stop = threading.Event()

    def __enter__(self):
        self._clients = [(attack, self._begin(attack)) for attack in self._attacks for _ in range(attack.clients)]
        self._thread = threading.Thread(target=self._go_on)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        for _, client in self._clients:
            client.close()

    def _begin(self, attack):
        client = Client(self._port, receive_buffer=attack.receive_buffer).socket
        client.setblocking(False)
        with suppress(OSError):  # what the server does not read at once is not sent
            client.send(attack.opening)
        self._poll.register(client, select.POLLRDHUP)
        return client

    def _go_on(self):
        while not self._stop.wait(TICK):
            closed = {descriptor for descriptor, _ in self._poll.poll(0)}
            for place, (attack, client) in enumerate(self._clients):
                if client.fileno() in closed or not self._act(attack, client):
                    self._poll.unregister(client)
                    client.close()
                    self._clients[place] = attack, self._begin(attack)

    @staticmethod
    def _act(attack, client):
        """Return False if the server cut the client off."""
        try:
            client.send(attack.drip)
            return not attack.taken or client.recv(attack.taken) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False


BOUNDS = {HEALTH: 1.0, VALIDATE: 1.0, VALIDATE_LARGE: 5.0}  # seconds in which an honest request is answered


def assert_honest_requests_are_answered(port, *attacks, seconds=3.0):
    """Attack for some seconds, and fail if an honest request is refused meanwhile, or late in each of ATTEMPTS.

    An attack that delays others does so every time. Another program is there only for a while.
    """
    for _ in range(ATTEMPTS):
        with slowness_meanwhile() as slowest:
            with Crowd(port, *attacks):
                times = honest_times(port, seconds)
            late = [_describe_lateness(sent, answers, slowest()) for sent, answers in times.items()]
        if not any(late):
            return
    raise AssertionError("; ".join(filter(None, late)))


def _describe_lateness(sent_request, answers, slower):
    """Return a sentence on the latest answer to a request, "" if none was late. Fails if a request was refused."""
    name = f"{sent_request.partition(b' HTTP')[0].decode()} of {len(sent_request):,} bytes"
    assert {status for status, _ in answers} == {200}, f"{name}: {answers}"
    longest = max(took for _, took in answers)
    if longest < BOUNDS[sent_request] * slower:
        return ""
    return f"{name}: {longest:.1f} s on a machine {slower:.1f} times slower"


def honest_times(port, seconds):
    """Send each honest request repeatedly for some seconds.

    Return (status or error, seconds) of each answer by request.
    """
    with ThreadPoolExecutor(len(BOUNDS)) as pool:
        times = pool.map(lambda sent: list(_ask_again(port, sent, seconds)), BOUNDS)
        return dict(zip(BOUNDS, times, strict=True))


def _ask_again(port, sent_request, seconds):
    """Yield the status or the error, and the seconds, of each request until the time is over."""
    until = time.monotonic() + seconds
    while (begun := time.monotonic()) < until:
        try:
            status = ask(port, sent_request).status
        except OSError as error:
            yield repr(error), time.monotonic() - begun
            return
        yield status, time.monotonic() - begun
        time.sleep(0.05)
