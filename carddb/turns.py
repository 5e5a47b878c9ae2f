"""Turns at a SQLite file: whoever writes it comes in as they came, in all threads and processes that take turns.

SQLite itself lets those who wait look again after ever longer breaks, so that of many some hardly ever come in.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from carddb.errors import DatabaseBusy


class WriterTurns:
    """The turns of a process at a file, by the lock of another file beside it, which ends with whoever holds it."""

    def __init__(self, file: Path, patience: float) -> None:
        self._name = file.name
        self._beside = file.with_name(f"{file.name}-turn")
        self._patience = patience
        self._here = Lock()  # one thread alone waits for other processes, which cannot be given up

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Have a turn; DatabaseBusy where this process is not done with the others' for too long."""
        if not self._here.acquire(timeout=self._patience):
            raise DatabaseBusy(f"Too many write to {self._name} at once; try again in a moment.")
        try:
            descriptor = os.open(self._beside, os.O_CREAT | os.O_RDONLY, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                yield
            finally:
                fcntl.flock(descriptor, fcntl.LOCK_UN)  # also of those who were forked meanwhile
                os.close(descriptor)
        finally:
            self._here.release()
