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
    """A request that is waiting to be logged. `created` is the time of the entry in seconds since 1970.

    `level` is one of module `logging`. `method` is "other" if HTTP does not have it. `route` is the pattern of its
    path, or UNMATCHED. `status` is the HTTP status, `seconds` the duration, and `size` the bytes of the response.
    """

    created: float
    level: int
    method: str
    route: str
    status: int
    seconds: float
    size: int
    request_id: str


class RequestLog:
    """Writes log lines about requests to a file descriptor, by default standard error, in a thread of its own.

    The thread starts with the first line, so a RequestLog may be made before the process forks. `log_request` is to be
    called from one thread only.
    """

    def __init__(self, settings: Settings, descriptor: int = 2) -> None:
        self._compose = COMPOSERS[settings.log_format]
        self._descriptor = descriptor
        self._entries: SimpleQueue[_Entry | None] = SimpleQueue()  # None ends the thread
        self._dropped = 0
        self._closing = False
        self._thread: Thread | None = None

    def log_request(self, method: str, route: str, status: int, seconds: float, size: int, request_id: str) -> None:
        """Queue the log line of a request. Never waits.

        Does nothing if the log level is above INFO (DEBUG for health probes). `route` is the pattern of the path or
        UNMATCHED, never the path itself. `size` is in bytes. A method that HTTP does not have is written as "other". If
        10,000 lines are waiting, the line is dropped and counted. The first call starts the writing thread.
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
        """Write the waiting lines and end the thread. Waits for at most a second. Does nothing without a thread.

        Lines that are not written then are lost if the process ends. A later `log_request` starts a new thread.
        """
        self._closing = True
        if self._thread is not None:
            self._entries.put(None)
            self._thread.join(_LONGEST_END)
            if not self._thread.is_alive():
                self._thread = None  # a request that the server cuts off after this has a line too

    def _start_thread(self) -> None:
        """Start the daemon thread that writes the lines, and register `close` for the end of the process."""
        self._thread = Thread(target=self._write_entries, name="request log", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def _write_entries(self) -> None:
        """Write the queued entries until None is in the queue. Runs in the thread of the log.

        Lines are collected for 0.05 seconds, except while the log is closing, and written together. Logs a warning with
        the number of lines that were dropped since the last warning.
        """
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
        """Write the lines of entries, joined into pieces of at most _LARGEST_WRITE bytes.

        A longer line is a piece of its own.
        """
        piece = b""
        for entry in entries:
            line = self._compose_line(entry)
            if len(piece) + len(line) > _LARGEST_WRITE:
                self._write_piece(piece)
                piece = b""
            piece += line
        self._write_piece(piece)

    def _write_piece(self, piece: bytes) -> None:
        """Write all bytes of a piece to the descriptor. On an OSError the rest of the piece is dropped silently."""
        with suppress(OSError):  # there is no other place to report that the log cannot be written
            while piece:
                piece = piece[os.write(self._descriptor, piece) :]

    def _compose_line(self, entry: _Entry) -> bytes:
        """Return the log line of an entry in the format of the settings, encoded and with a line break.

        An unknown method is "other". The duration is the field `ms`, the size is the field `bytes`.
        """
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
