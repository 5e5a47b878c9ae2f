"""Logs: what is written of what happens, in which nobody outside can write a line."""

from __future__ import annotations

import logging

_FORM = "[%(asctime)s] [%(process)d] [%(levelname)s] %(message)s"


class Formatter(logging.Formatter):
    """Writes what cannot be seen as an escape, and indents all lines of an entry but its first.

    Messages and tracebacks quote what was sent; a line of it is never taken for an entry of its own.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return an entry as it is written."""
        return "\n    ".join(map(_shown, super().format(record).split("\n")))


def begin() -> None:
    """Write the log of this process to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter(_FORM))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)


def _shown(line: str) -> str:
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
