"""Connections: clients have to get on, so that who does not keeps nobody else waiting.

A thread of gunicorn waits for its client as long as that one stays connected; a few that send half a request, or
never take their answers, would hold all of them.
"""

from __future__ import annotations

import errno
import select
import socket
import time
from typing import Any

from gunicorn.util import close_graceful
from gunicorn.workers.gthread import ThreadWorker

PATIENCE = 30.0  # seconds that a client may be behind
SLOWEST = 5_000  # bytes a second; who is slower than that falls behind


class Connection(socket.socket):
    """The socket of a client. One that is too far behind has hung up, for all that anyone here can tell."""

    def __init__(self, accepted: socket.socket) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        self._hung_up = False
        self._until = time.monotonic() + PATIENCE

    def setblocking(self, flag: bool, /) -> None:
        """Make reading wait, which begins a request, or not."""
        super().setblocking(flag)
        self._be_patient()

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Return what the client sends, b"" from when it sends no more or is too far behind."""
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


class Worker(ThreadWorker):
    """gunicorn's worker, with connections of ours."""

    def set_accept_enabled(self, enabled: bool) -> None:
        """Take new connections or not; a worker that ends leaves the port at once."""
        super().set_accept_enabled(enabled)
        if not self.alive or not self.is_parent_alive():
            for listener in self.sockets:
                listener.close()

    def enqueue_req(self, conn: Any) -> None:
        """Let a thread answer a connection that a request may be waiting on."""
        if not isinstance(conn.sock, Connection):
            conn.sock = Connection(conn.sock)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        """Answer a request; tell whether the connection is kept.

        One that is not is closed here: that takes up to two seconds, which cost this client's thread alone.
        """
        kept = super().handle(conn)
        if not kept:
            close_graceful(conn.sock)
        return kept
