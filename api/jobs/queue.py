"""The queue: wakes workers, through a file in the data folder or through Redis.

The jobs themselves are in the database. The queue carries only wake-up calls. A lost call costs some seconds, and a
superfluous call costs nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Semaphore, Thread
from typing import TYPE_CHECKING

from huey import Huey, RedisHuey, SqliteHuey, crontab

from api.service.errors import QueueError
from api.service.logs import LogThrottle
from api.service.settings import Settings
from carddb.sqlite_file import make_private
from validator.language import phrase

if TYPE_CHECKING:
    from redis import ConnectionPool

_NAME = "deckproof"
_REDIS_TIMEOUT = 1.0  # seconds
_LISTEN_TIMEOUT = 1  # seconds for which a worker waits for a call each time
_CALLS = 4  # at a time; while a queue hangs, further calls are lost
_log = logging.getLogger(__name__)
_log.addFilter(LogThrottle())


class Queue:
    """The wake-up calls to workers, through Redis if the settings have its URL, else through a file in the data folder.

    A worker that runs the consumer of `huey` calls `when_woken` for each wake-up call, and `minutely` every minute. A
    server passes neither, because it only wakes workers.
    """

    def __init__(
        self,
        settings: Settings,
        when_woken: Callable[[], None] = lambda: None,
        minutely: Callable[[], None] = lambda: None,
    ) -> None:
        self._settings = settings
        self._when_woken = when_woken
        self._minutely = minutely
        self._calls = Semaphore(_CALLS)

    @property
    def name(self) -> str:
        """The Redis address without its password, or the path of the file. For messages."""
        address = self._settings.redis_url.rpartition("@")[2]
        return f"Redis at {address}" if address else str(self._file)

    @property
    def _file(self) -> Path:
        """The path of the file through which workers are woken if there is no Redis."""
        return self._settings.data_dir / "queue.db"

    @cached_property
    def huey(self) -> Huey:
        """The queue of the library huey, with its two tasks. It is opened at first use, then cached.

        Forked processes must not share its connection, so open it after the fork. Raises QueueError if it cannot be
        used.
        """
        try:
            queue = self._open()
            queue.storage.queue_size()
        except Exception as error:  # each storage has a family of errors of its own
            raise QueueError(
                phrase("The queue {name} cannot be used: {problem}.", name=self.name, problem=str(error).rstrip("."))
            ) from error
        # huey names tasks by the module of their function, which must be the same in all processes.
        self._wake = queue.task(name="wake")(lambda: self._when_woken())
        queue.periodic_task(crontab(), name="minutely")(lambda: self._minutely())
        return queue

    def wake(self) -> None:
        """Send a wake-up call that one worker, of any process, will get. Returns at once: a thread sends the call.

        The call is dropped if four calls of this process are still being sent. If the queue fails, `when_woken` is run
        in this process instead. A lost call does no harm: workers look into the database every 10 seconds.
        """
        if self._calls.acquire(blocking=False):
            Thread(target=self._wake_worker, name="queue", daemon=True).start()

    def _wake_worker(self) -> None:
        """Send the wake-up call, and release its place in `_calls`. Runs in a thread of its own.

        If the queue fails, the failure is logged as a warning and `when_woken` is run in this process. Its errors are
        raised in the thread.
        """
        try:
            self.huey  # noqa: B018  opens it
            self._wake()
        except Exception as error:
            _log.warning("No worker could be woken, they look by themselves soon: %s", error)
            self._when_woken()
        finally:
            self._calls.release()

    def _open(self) -> Huey:
        """Return the queue in Redis, or in a file that only its owner may read. Creates the file if it is missing."""
        if self._settings.redis_url:
            return RedisHuey(_NAME, connection_pool=self._pool(), read_timeout=_LISTEN_TIMEOUT, results=False)
        make_private(self._file)
        return SqliteHuey(_NAME, filename=str(self._file), results=False)

    def _pool(self) -> ConnectionPool:
        """Return the pool of connections to Redis.

        A connection that hangs fails after a timeout of 1 to 2 seconds, without a retry.
        """
        from redis import ConnectionPool  # only needed with a Redis database
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        timeouts = {"socket_connect_timeout": _REDIS_TIMEOUT, "socket_timeout": _LISTEN_TIMEOUT + _REDIS_TIMEOUT}
        return ConnectionPool.from_url(self._settings.redis_url, retry=Retry(NoBackoff(), 0), **timeouts)
