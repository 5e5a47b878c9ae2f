"""The queue: wakes workers, through a file in the data folder or through Redis.

What there is to do stands in the database; the queue only carries the word that there is something. A
word that is lost costs some seconds, and one too many nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Semaphore, Thread

from huey import Huey, RedisHuey, SqliteHuey, crontab
from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.retry import Retry

from api.service.errors import QueueError
from api.service.logs import LogThrottle
from api.service.settings import Settings
from carddb.sqlite_file import make_private

_NAME = "deckproof"
_PATIENCE = 1.0  # seconds to wait for Redis
_LISTENS = 1  # seconds for which a worker waits for a word each time
_CALLS = 4  # at a time; a word that is left out while a queue hangs is no more than one that is lost
_log = logging.getLogger(__name__)
_log.addFilter(LogThrottle())


class Queue:
    """The queue that the settings name; a worker gives it what is done when it is woken, and every minute."""

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
        """What messages call the queue; without the password of a URL."""
        address = self._settings.redis_url.rpartition("@")[2]
        return f"Redis at {address}" if address else str(self._file)

    @property
    def _file(self) -> Path:
        return self._settings.data_dir / "queue.db"

    @cached_property
    def huey(self) -> Huey:
        """The queue itself, opened when it is first asked for: a connection must not be shared by forked processes."""
        try:
            queue = self._opened()
            queue.storage.queue_size()
        except Exception as error:  # each storage has a family of errors of its own
            raise QueueError(f"The queue {self.name} cannot be used: {str(error).rstrip('.')}.") from error
        # Tasks are known by the module of their function, which must be the same for all processes.
        self._wake = queue.task(name="wake")(lambda: self._when_woken())
        queue.periodic_task(crontab(), name="minutely")(lambda: self._minutely())
        return queue

    def wake(self) -> None:
        """Wake a worker, while whoever asks for it goes on.

        If the queue fails the word goes no further than this process, and others look for themselves soon.
        """
        if self._calls.acquire(blocking=False):
            Thread(target=self._call, name="queue", daemon=True).start()

    def _call(self) -> None:
        try:
            self.huey  # noqa: B018  opens it
            self._wake()
        except Exception as error:
            _log.warning("No worker could be woken, they look by themselves soon: %s", error)
            self._when_woken()
        finally:
            self._calls.release()

    def _opened(self) -> Huey:
        if self._settings.redis_url:
            return RedisHuey(_NAME, connection_pool=self._pool(), read_timeout=_LISTENS, results=False)
        make_private(self._file)
        return SqliteHuey(_NAME, filename=str(self._file), results=False)

    def _pool(self) -> ConnectionPool:
        """Return the connections to Redis: one that hangs is given up after a moment, and not tried anew."""
        patience = {"socket_connect_timeout": _PATIENCE, "socket_timeout": _LISTENS + _PATIENCE}
        return ConnectionPool.from_url(self._settings.redis_url, retry=Retry(NoBackoff(), 0), **patience)
