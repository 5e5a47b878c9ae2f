"""Temporary folders. They are removed after use, or later by another process if theirs was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "deckproof-"
_SHARED_MEMORY = Path("/dev/shm")


@contextmanager
def temporary_folder(purpose: str, parent: Path | None = None, prefix: str = PREFIX) -> Iterator[Path]:
    """Yield a new folder with `purpose` in its name, and remove it with its content at the end.

    `parent` is the existing folder that contains it, None for the system's folder for temporary files. `prefix` is the
    start of its name, by which `remove_leftover_folders` finds it. A process forked inside the block does not remove
    it.
    """
    owner = os.getpid()
    path, lock = _make_locked_folder(f"{prefix}{purpose}-", parent)
    try:
        yield path
    finally:
        if os.getpid() == owner:  # a process that was forked inside the block ends here too
            shutil.rmtree(path, ignore_errors=True)
            os.close(lock)


def shared_memory() -> Path | None:
    """Return `/dev/shm`, a folder of files in memory, which a full disk cannot harm.

    None if it is missing or read-only.
    """
    return _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else None


def remove_leftover_folders(parent: Path | None = None, prefix: str = PREFIX) -> None:
    """Remove the temporary folders whose processes have all ended, also those that were forked inside the block.

    Only folders whose names begin with `prefix` are removed. `parent` contains them. None stands for the system's
    folder for temporary files and shared memory. Folders that cannot be removed are left.
    """
    for folder in (parent,) if parent else filter(None, (Path(tempfile.gettempdir()), shared_memory())):
        for leftover in folder.glob(f"{prefix}*"):
            with suppress(OSError):
                _remove_unlocked(leftover)


def _make_locked_folder(prefix: str, parent: Path | None) -> tuple[Path, int]:
    """Return `(folder, lock)`: a new folder in `parent`, and the file descriptor of its lock.

    `prefix` is the start of its name. Without a `parent` it is in the system's folder for temporary files. The lock
    lasts as long as a process has the descriptor open.
    """
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():  # no other process has removed it before it was locked
            return path, lock
        os.close(lock)


def _remove_unlocked(leftover: Path) -> None:
    """Remove the folder `leftover` with its content.

    Raises BlockingIOError if a process has its lock, and other OSErrors.
    """
    lock = os.open(leftover, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(leftover)
    finally:
        os.close(lock)
