"""Replacement of a file: a reader finds the old content or the whole new content."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import IO

ANYBODY, ONLY_OWNER = 0o666, 0o600  # permissions of a new file; the umask reduces them


@contextmanager
def replace_file(target: Path, mode: int = ANYBODY) -> Iterator[IO[bytes]]:
    """Yield a new file that replaces `target` if the block ends without an error. Else `target` stays as it was.

    The content is on the disk before the replacement, so that a power cut leaves either the old content or the new. Any
    OSError, also one of the block, is raised again with the path of `target`. No other file is left behind.
    """
    part = target.with_name(f".{target.name[:40]}.{token_hex(4)}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(target)) from error
    finally:
        part.unlink(missing_ok=True)
