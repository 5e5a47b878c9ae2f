"""Temporary folders, which are removed after use, or later if their process was killed.

Each folder is locked by its process, so that another process recognises the folder of a killed one.
"""

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
def temporary_folder(purpose: str, within: Path | None = None) -> Iterator[Path]:
    """Yield a new folder with `purpose` in its name, and remove it at the end.

    `within` is the folder that contains it. Default: the system's folder for temporary files.
    """
    with _locked_folder(f"{_PREFIX}{purpose}-", within) as folder:
        yield folder


@contextmanager
def hidden_folder(purpose: str, within: Path) -> Iterator[Path]:
    """Yield a new hidden folder in `within`, and remove it at the end.

    First removes the hidden folders for the same purpose whose processes have ended. Makes `within` if it is missing.
    """
    prefix = f".{_PREFIX}{purpose}-"
    within.mkdir(parents=True, exist_ok=True)
    _remove_unlocked(within, prefix)
    with _locked_folder(prefix, within) as folder:
        yield folder


def shared_memory() -> Path | None:
    """Return the folder of files that are in memory, which a full disk cannot harm. None if there is no such folder."""
    return _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else None


def remove_leftover_folders() -> None:
    """Remove the temporary folders whose processes have ended, including all that were forked from them."""
    for parent in filter(None, (Path(tempfile.gettempdir()), shared_memory())):
        _remove_unlocked(parent, _PREFIX)


@contextmanager
def _locked_folder(prefix: str, within: Path | None) -> Iterator[Path]:
    owner = os.getpid()
    folder, lock = _make_locked(prefix, within)
    try:
        yield folder
    finally:
        if os.getpid() == owner:  # a process that was forked inside the block ends here too
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _make_locked(prefix: str, within: Path | None) -> tuple[Path, int]:
    """Return a new folder and the descriptor of its lock, which lasts as long as a process has it open."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=within))
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():  # no other process has removed it before it was locked
            return folder, lock
        os.close(lock)


def _remove_unlocked(parent: Path, prefix: str) -> None:
    """Remove the folders with a prefix that no process has locked."""
    for leftover in parent.glob(f"{prefix}*"):
        with suppress(OSError):
            lock = os.open(leftover, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises BlockingIOError if a process has the lock
                shutil.rmtree(leftover)
            finally:
                os.close(lock)
