"""Connections: clients have to get on, so that who does not keeps nobody else waiting.

A thread of gunicorn waits for its client as long as that one stays connected; a few that send half a request, or
never take their answers, would hold all of them. So requests are waited for without a thread until they have come,
few threads are for those that are too large for that, and no client may be too far behind.
"""

from __future__ import annotations

import errno
import re
import select
import selectors
import socket
import time
from collections import deque
from functools import partial
from typing import Any

from gunicorn.util import close_graceful
from gunicorn.workers.gthread import ThreadWorker

PATIENCE = 30.0  # seconds that a client may be behind
SLOWEST = 5_000  # bytes a second; who is slower than that falls behind
PROMPT = 10.0  # seconds in which a request comes whole, or as much of it as is waited for without a thread
MOST_HELD = 32_768  # bytes of a request that are waited for so
MOST_STREAMED = 24  # requests that threads of one process read from their clients at a time

_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*\r\n", re.IGNORECASE)
# What comes while its answer is awaited: chunks may end at any time, and who expects word sends nothing before it.
_STREAMED = re.compile(rb"\r\n(?:transfer-encoding|expect):", re.IGNORECASE)


class Connection(socket.socket):
    """The socket of a client. One that is too far behind has hung up, for all that anyone here can tell."""

    def __init__(self, accepted: socket.socket) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        self._hung_up = False
        self._until = time.monotonic() + PATIENCE
        self._held = bytearray()
        self.is_whole = False  # whether a request was, when it was last looked at

    def setblocking(self, flag: bool, /) -> None:
        """Make reading wait, which begins a request, or not."""
        if self.fileno() != -1:
            super().setblocking(flag)
        self._be_patient()

    def has_come(self) -> bool:
        """Hold what the client has sent, without waiting; tell whether it is enough for a thread to go on with.

        It is if a request is whole, too large to be held or one that is streamed, and if the client sends no more.
        """
        self.setblocking(False)
        try:
            data = super().recv(MOST_HELD)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        self._held += data
        self.is_whole, is_streamed = _come(bytes(self._held))
        return not data or self.is_whole or is_streamed or len(self._held) >= MOST_HELD

    def left(self) -> bytes:
        """Return, and hold no longer, what came beyond what was read."""
        beyond = bytes(self._held)
        self._held.clear()
        return beyond

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Return what the client sends, b"" from when it sends no more or is too far behind."""
        if self._held:
            data = bytes(self._held[:size])
            del self._held[:size]
            return data
        if (limit := self.gettimeout()) is not None and limit < self._left:
            return super().recv(size, flags)  # gunicorn waits for less, such as for a client to close
        self._hung_up = self._hung_up or not self._ready()
        if self._hung_up:
            return b""
        data = super().recv(size, flags)
        self._until = min(self._until + len(data) / SLOWEST, time.monotonic() + PATIENCE)
        return data

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send everything; a ConnectionResetError where the client does not take it."""
        self.settimeout(PATIENCE + len(data) / SLOWEST)
        try:
            super().sendall(data, flags)
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, "the client does not take its answer") from None
        finally:
            self.settimeout(None)
        self._be_patient()

    def _be_patient(self) -> None:
        self._until = time.monotonic() + PATIENCE

    @property
    def _left(self) -> float:
        """The seconds until the client is too far behind."""
        return max(0.0, self._until - time.monotonic())

    def _ready(self) -> bool:
        """Wait until there is something to read; tell whether there is."""
        poll = select.poll()
        poll.register(self, select.POLLIN)
        return bool(poll.poll(self._left * 1000))


class PatientWorker(ThreadWorker):
    """gunicorn's worker, with connections of ours, which wait for their requests together in its poller."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._streamed: set[Any] = set()
        self._waiting: deque[Any] = deque()  # for one of those to end

    def set_accept_enabled(self, enabled: bool) -> None:
        """Take new connections or not; a worker that ends leaves the port at once."""
        super().set_accept_enabled(enabled)
        if not self.alive or not self.is_parent_alive():
            for listener in self.sockets:
                listener.close()

    def enqueue_req(self, conn: Any) -> None:
        """Let a thread answer a connection when its request has come."""
        if not isinstance(conn.sock, Connection):
            conn.sock = Connection(conn.sock)
        conn.data_ready = True
        if _begun(conn) or conn.sock.has_come():
            self._answer(conn)
            return
        conn.timeout = time.monotonic() + PROMPT
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._on_more, conn))

    def _on_more(self, conn: Any, sock: Connection) -> None:
        if sock.has_come():
            self.poller.unregister(sock)
            self.pending_conns.remove(conn)
            self._answer(conn)

    def _answer(self, conn: Any) -> None:
        if conn.sock.is_whole and not _begun(conn):
            super().enqueue_req(conn)
        elif len(self._streamed) < MOST_STREAMED:
            self._streamed.add(conn)
            super().enqueue_req(conn)
        else:
            self._waiting.append(conn)

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Keep a connection or not, once its request is answered; the next that waits has its turn."""
        if conn in self._streamed:
            self._streamed.remove(conn)
            if self._waiting:
                self._answer(self._waiting.popleft())
        super().finish_request(conn, fs)

    def handle(self, conn: Any) -> Any:
        """Answer a request; tell whether the connection is kept.

        One that is not is closed here: where the client may still be sending that takes up to two seconds, which cost
        one thread alone.
        """
        kept = super().handle(conn)
        if kept:
            unreader = conn.parser.unreader
            unreader.unread(unreader.take_buffered() + conn.sock.left())
        elif conn.sock.is_whole:
            conn.sock.close()
        else:
            close_graceful(conn.sock)
        return kept


def _come(held: bytes) -> tuple[bool, bool]:
    """Tell of the beginning of a request whether it is all of it, and whether the rest is streamed."""
    head, end, body = held.partition(b"\r\n\r\n")
    if not end or _STREAMED.search(head):
        return False, bool(end)
    length = _LENGTH.search(head + b"\r\n")
    return len(body) >= int(length[1] if length else 0), False


def _begun(conn: Any) -> bool:
    """Tell whether some of the next request was read along with the one before it."""
    return conn.parser is not None and bool(conn.parser.unreader.buf.getvalue())
