"""The log throttle: what is logged again and again while something is away, in one line a minute."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

_EVERY = 60.0  # seconds


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
