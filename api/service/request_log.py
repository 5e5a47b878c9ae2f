"""The request log: one line per request, written by a thread so that a full pipe delays no answer.

Used by the ASGI application. A line costs the event loop 1 µs and the thread 5 µs. A StreamHandler costs the event loop
11 µs and waits for the pipe. A QueueHandler with its QueueListener costs 24 µs. A process that is killed loses the
lines of its last 50 ms.
"""

from __future__ import annotations

import atexit
import logging
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from api.service.logs import COMPOSERS
from api.service.settings import Settings

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
PROBES = frozenset({"/healthz", "/readyz"})  # requested every few seconds: their lines are of level debug
UNMATCHED = "unmatched"

_MOST_WAITING = 10_000  # lines; further ones are dropped and counted
_DELAY = 0.05  # seconds for which lines are collected, so that one write takes many
_LARGEST_WRITE = 4096  # bytes: up to these, the system never mixes the writes of several processes to a pipe
_LONGEST_END = 1.0  # seconds that the end of the process waits for a pipe that is full

_log = logging.getLogger(__name__)


class _Entry(NamedTuple):
    """A request in the log. `route` is the pattern of its path."""

    created: float
    level: int
    method: str
    route: str
    status: int
    seconds: float
    size: int
    request_id: str


class RequestLog:
    """Writes lines about requests to a file descriptor, by default standard error.

    The thread begins with the first line, so a RequestLog may be made before the process forks. `log_request` is to be
    called from one thread.
    """

    def __init__(self, settings: Settings, descriptor: int = 2) -> None:
        self._compose = COMPOSERS[settings.log_format]
        self._descriptor = descriptor
        self._entries: SimpleQueue[_Entry | None] = SimpleQueue()  # None ends the thread
        self._dropped = 0
        self._closing = False
        self._thread: Thread | None = None

    def log_request(self, method: str, route: str, status: int, seconds: float, size: int, request_id: str) -> None:
        """Add the line of a request, unless the log level leaves it out. Never waits.

        `route` is the pattern of the path or UNMATCHED, never the path itself. `size` is in bytes. A method that HTTP
        does not have is written as "other". If too many lines are waiting, the line is dropped.
        """
        level = logging.DEBUG if route in PROBES else logging.INFO
        if not _log.isEnabledFor(level):
            return
        if self._entries.qsize() >= _MOST_WAITING:
            self._dropped += 1
            return
        if self._thread is None:
            self._start_thread()
        self._entries.put(_Entry(time.time(), level, method, route, status, seconds, size, request_id))

    def close(self) -> None:
        """Write the waiting lines and end the thread. Lines that are not written after a second are lost."""
        self._closing = True
        if self._thread is not None:
            self._entries.put(None)
            self._thread.join(_LONGEST_END)
            if not self._thread.is_alive():
                self._thread = None  # a request that the server cuts off after this has a line too

    def _start_thread(self) -> None:
        """Start the thread, and close the log at the end of the process."""
        self._thread = Thread(target=self._write_entries, name="request log", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def _write_entries(self) -> None:
        """Write the entries of the queue until it contains None. Reports dropped lines."""
        reported, is_last = 0, False
        while not is_last:
            entries = [self._entries.get()]
            if not self._closing:
                time.sleep(_DELAY)
            with suppress(Empty):
                while True:
                    entries.append(self._entries.get_nowait())
            self._write_lines(filter(None, entries))
            is_last = None in entries
            if dropped := self._dropped - reported:
                reported += dropped
                _log.warning("%d lines about requests were dropped, because the log is read too slowly.", dropped)

    def _write_lines(self, entries: Iterable[_Entry]) -> None:
        """Write the lines of entries in pieces of at most _LARGEST_WRITE bytes."""
        piece = b""
        for entry in entries:
            line = self._compose_line(entry)
            if len(piece) + len(line) > _LARGEST_WRITE:
                self._write_piece(piece)
                piece = b""
            piece += line
        self._write_piece(piece)

    def _write_piece(self, piece: bytes) -> None:
        """Write a piece to the descriptor. Errors are ignored."""
        with suppress(OSError):  # there is no other place to report that the log cannot be written
            while piece:
                piece = piece[os.write(self._descriptor, piece) :]

    def _compose_line(self, entry: _Entry) -> bytes:
        """Return the line of an entry."""
        fields = {
            "request_id": entry.request_id,
            "method": entry.method if entry.method in METHODS else "other",
            "route": entry.route,
            "status": entry.status,
            "ms": round(entry.seconds * 1000, 2),
            "bytes": entry.size,
        }
        level = logging.getLevelName(entry.level)
        return f"{self._compose(entry.created, level, __name__, 'request', fields)}\n".encode()
