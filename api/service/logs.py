"""The log of a process: entries as text or JSON, in which no client can forge a line.

All of it goes to standard error, which leaves standard output to what a command prints.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache

import orjson

from api.service.settings import Settings

# The X-Request-Id of the request that is being answered, "" outside requests.
request_id: ContextVar[str] = ContextVar("request_id", default="")

Compose = Callable[[float, str, str, str, Mapping[str, object]], str]

_OUR_LOGGERS = ("api", "carddb", "validator")
_REPEAT_AFTER = 60.0  # seconds until the same complaint is written again


class EntryFormatter(logging.Formatter):
    """Formats log records as text or JSON, with the id of the current request.

    `log_format` is "text" or "json". Raises KeyError for another one.
    """

    def __init__(self, log_format: str) -> None:
        super().__init__()
        self._compose = COMPOSERS[log_format]

    def format(self, record: logging.LogRecord) -> str:
        """Return the log entry of a record, with its traceback if there is one, and the request id inside requests."""
        fields = {"request_id": request_id.get()} if request_id.get() else {}
        return self._compose(record.created, record.levelname, record.name, super().format(record), fields)


def compose_text(created: float, level: str, logger: str, message: str, fields: Mapping[str, object]) -> str:
    """Return a log entry as text, which begins with `[time] [process id] [level] [request id] message`.

    ` key=value` follows for each other field, with the value as it is. `created` is in seconds since 1970. `fields` may
    have `request_id`, else that is "-". Further lines of the message are indented and its unprintable characters
    escaped, so that no message can be mistaken for an entry. `logger` is ignored.
    """
    first, *further = _escape_lines(message)
    pairs = "".join(f" {name}={value}" for name, value in fields.items() if name != "request_id")
    head = f"[{format_time(created)}] [{os.getpid()}] [{level}] [{fields.get('request_id', '-')}] {first}{pairs}"
    return "\n    ".join((head, *further))


def compose_json(created: float, level: str, logger: str, message: str, fields: Mapping[str, object]) -> str:
    """Return a log entry as one line of JSON: time, level, logger, process, message, and the `fields` as further keys.

    `created` is in seconds since 1970. The key `message` has the first line of the message. The key `details` has its
    further lines, such as a traceback, if there are any. Unprintable characters of the message are escaped. `level` is
    written in small letters.
    """
    first, *further = _escape_lines(message)
    entry = {"time": format_time(created), "level": level.lower(), "logger": logger, "process": os.getpid()}
    details = {"details": "\n".join(further)} if further else {}
    return orjson.dumps({**entry, "message": first, **fields, **details}).decode()


COMPOSERS: Mapping[str, Compose] = {"text": compose_text, "json": compose_json}


def format_time(seconds: float) -> str:
    """Return seconds since 1970 as ISO 8601 in UTC, such as `2026-01-15T12:00:00.123Z`.

    Milliseconds are cut, not rounded.
    """
    return f"{_format_second(int(seconds))}.{int(seconds % 1 * 1000):03}Z"


@lru_cache(maxsize=2)  # most entries are of the second of the entry before
def _format_second(second: int) -> str:
    """Return whole seconds since 1970 as ISO 8601 in UTC, without an offset. The last two results are cached."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _escape_lines(message: str) -> list[str]:
    r"""Return the lines of a message, split at line feeds only.

    Unprintable characters in each are replaced by their Python escapes, such as a tab by `\t`.
    """
    if message.isprintable():
        return [message]
    return ["".join(char if char.isprintable() else ascii(char)[1:-1] for char in line) for line in message.split("\n")]


class LogThrottle(logging.Filter):
    """A log filter that lets each message of a logger through at most once in 60 seconds, without its traceback.

    `name` is the name of the logger, which includes its child loggers. "" is all loggers. Messages are the same if
    their texts are equal before arguments are filled in. Records of other loggers always pass.
    """

    def __init__(self, name: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(name)
        self._clock = clock
        self._next: dict[object, float] = {}  # by message text; the code has few

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if a record is to be written, and note the time of its message.

        If such a record has an exception, its message becomes "message: exception" and its traceback is removed. The
        record is changed for that. Records of loggers outside `name` are not noted and not changed.
        """
        if not super().filter(record):
            return True
        now = self._clock()
        if now < self._next.get(record.msg, now):
            return False
        self._next[record.msg] = now + _REPEAT_AFTER
        if record.exc_info:
            record.msg = f"{record.getMessage()}: {record.exc_info[1]}"
            record.args, record.exc_info = (), None
        return True


def configure_logs(settings: Settings) -> None:
    """Write the log of this process to standard error, in the format and from the level of the settings.

    Replaces all handlers of the root logger. Loggers of libraries write nothing below WARNING at any level of the
    settings, because that may contain names and keys.
    """
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    handler = logging.StreamHandler()
    handler.setLevel(level)
    handler.setFormatter(EntryFormatter(settings.log_format))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in _OUR_LOGGERS:
        logging.getLogger(name).setLevel(level)
