"""Window counts: how often each of many names came within its time, in memory that forked processes share.

It has room for so many names and no more: each may stand in a few places, and where these are all taken, the name that
came least gives way to it.
"""

from __future__ import annotations

import fcntl
import hashlib
import mmap
import secrets
import struct
import time
from collections.abc import Callable
from tempfile import TemporaryFile
from threading import Lock
from typing import NamedTuple

from api.service.processes.temporary_folders import shared_memory

_ENTRY = struct.Struct("<QdQ")  # a hash of the name, when its window ends, how often it came
_PLACES = 8  # of a row
_ROW = _ENTRY.size * _PLACES
ROWS = 8192


class Counted(NamedTuple):
    """How often a name came in its window, and when that ends, in seconds since 1970."""

    times: int
    ends: float


class WindowCounts:
    """The counts of a process and of all that are forked from it; safe to share between their threads."""

    def __init__(self, rows: int = ROWS, clock: Callable[[], float] = time.time) -> None:
        self._rows = rows
        self._clock = clock
        self._memory = mmap.mmap(-1, rows * _ROW)
        self._salt = secrets.token_bytes(16)  # nobody outside says which names share a row, and no name is kept
        self._here = Lock()
        # Nothing is in it: what is locked of it are rows, and a lock ends with the process that holds it.
        self._empty = TemporaryFile(dir=shared_memory())  # noqa: SIM115  # as long as the counts
        self._locks = self._empty.fileno()

    def add(self, name: str, seconds: int, amount: int = 1) -> Counted:
        """Count a name, whose window begins with the first time that it comes; `amount` 0 looks only."""
        digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8, key=self._salt).digest()
        known = int.from_bytes(digest, "little") or 1
        row, now = known % self._rows, self._clock()
        with self._here:  # the lock of a file keeps out other processes, not other threads
            fcntl.lockf(self._locks, fcntl.LOCK_EX, 1, row)
            try:
                place, times, ends = self._place(row * _ROW, known, now)
                counted = Counted(times + amount, ends if times else now + seconds)
                if amount:
                    _ENTRY.pack_into(self._memory, place, known, counted.ends, counted.times)
            finally:
                fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, row)
        return counted

    def _place(self, row: int, known: int, now: float) -> tuple[int, int, float]:
        """Return where a name stands, or else may stand, how often it came, and until when that counts."""
        free, least, place = row, -1, row
        for name, ends, times in _ENTRY.iter_unpack(self._memory[row : row + _ROW]):
            if name == known and ends > now:
                return place, times, ends
            weight = times if ends > now else 0
            if least < 0 or weight < least:
                free, least = place, weight
            place += _ENTRY.size
        return free, 0, 0.0
