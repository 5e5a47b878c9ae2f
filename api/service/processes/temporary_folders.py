"""Temporary folders: where something is written for the moment; those of processes that were killed are cleared."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "deckproof-"
_SHARED_MEMORY = Path("/dev/shm")


@contextmanager
def folder(purpose: str, within: Path | None = None) -> Iterator[Path]:
    """Yield a new folder for a purpose, which is removed in the end; default: within the system's for such things."""
    here = os.getpid()
    made, lock = _made(purpose, within)
    try:
        yield made
    finally:
        if os.getpid() == here:  # a process that was forked from this one ends here too
            shutil.rmtree(made, ignore_errors=True)
            os.close(lock)


def shared_memory() -> Path | None:
    """Return where files are kept in memory, which no disk that is full can hurt; None where there is no such place."""
    return _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else None


def clear() -> None:
    """Remove the folders whose processes, with all that were forked from them, have ended."""
    for place in filter(None, (Path(tempfile.gettempdir()), shared_memory())):
        for leftover in place.glob(f"{_PREFIX}*"):
            with suppress(OSError):
                _clear(leftover)


def _made(purpose: str, within: Path | None) -> tuple[Path, int]:
    """Return a new folder, and the lock that says that it is in use: it ends with the processes that hold it."""
    while True:
        made = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{purpose}-", dir=within))
        lock = os.open(made, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if made.exists():  # and was not cleared before it was locked
            return made, lock
        os.close(lock)


def _clear(leftover: Path) -> None:
    lock = os.open(leftover, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(leftover)
    finally:
        os.close(lock)
