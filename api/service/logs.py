"""Logs: what is written of what happens, in which nobody outside can write a line."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

_EVERY = 60.0  # seconds between two lines that say the same of something that is away
_FORM = "[%(asctime)s] [%(process)d] [%(levelname)s] %(message)s"


class Formatter(logging.Formatter):
    """Writes what cannot be seen as an escape, and indents all lines of an entry but its first.

    Messages and tracebacks quote what was sent; a line of it is never taken for an entry of its own.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return an entry as it is written."""
        return "\n    ".join(map(_shown, super().format(record).split("\n")))


class LogThrottle(logging.Filter):
    """Lets a complaint through in one line, and the same one not again for a minute; other loggers' records always."""

    def __init__(self, name: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(name)
        self._clock = clock
        self._next: dict[object, float] = {}  # by the sentence, of which the code has few

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a record is to be written."""
        if not super().filter(record):
            return True
        now = self._clock()
        if now < self._next.get(record.msg, now):
            return False
        self._next[record.msg] = now + _EVERY
        if record.exc_info:
            record.msg = f"{record.getMessage()}: {record.exc_info[1]}"
            record.args, record.exc_info = (), None
        return True


def begin() -> None:
    """Write the log of this process to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter(_FORM))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)


def _shown(line: str) -> str:
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
