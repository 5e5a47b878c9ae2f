"""The worker: does the jobs that wait, syncs card lists at night, and says that it is at work."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count

from huey.consumer import Consumer

from api.jobs import heartbeats, jobs, nightly
from api.jobs.executor import Executor
from api.jobs.heartbeats import Heartbeats, here
from api.jobs.queue import Queue
from api.service.settings import Settings
from carddb.errors import CardDataError
from carddb.library import Library
from carddb.snapshot_store import Store
from carddb.temporary_folders import remove_leftover_folders

_THREADS = 2  # so that a sync keeps no job waiting
_TIDIES = 5  # signs of life between two looks for what was left behind
_LOOKS = 1.0  # seconds between two looks into a queue that cannot call
_GRACE = 5.0  # seconds for what is being done when the worker is to end
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

_log = logging.getLogger(__name__)


class JobWorker:
    """A worker by the settings; several may work side by side, on one machine or on many."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store = Store(settings.database)
        self._store.database.keep_open()
        self._heartbeats = Heartbeats(self._store.database)
        self._jobs = jobs(settings, self._store.database)
        self._executor = Executor(self._jobs, Library(settings.database))
        self._queue = Queue(settings, self._when_woken, self._minutely)

    def run(self, beside: int | None = None) -> None:
        """Work until SIGTERM or SIGINT, or until the process is gone that it is to work beside.

        What is being done then has a few seconds to end. A second signal ends it at once.
        """
        remove_leftover_folders()
        self._executor.start()
        consumer = Consumer(self._queue.huey, workers=_THREADS, max_delay=_LOOKS, shutdown_timeout=_GRACE)
        self._heartbeats.beat(here())
        _start(consumer)
        _log.info("A worker is at work, woken by %s.", self._queue.name)
        with suppress(KeyboardInterrupt):
            self._look_after(consumer, beside)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        consumer.stop(graceful=True)
        with _logged("Leaving"):
            self._executor.leave()
            self._heartbeats.leave(here())
        _log.info("The worker has ended.")

    def _look_after(self, consumer: Consumer, beside: int | None) -> None:
        """See to it that all threads work, and that others see it, until there is no reason to any more."""
        for beat in count():
            if beside not in (None, os.getppid()):
                return
            with _logged("Giving a sign of life"):
                self._beat(beat)
            consumer.check_worker_health()
            _rest()

    def _beat(self, beat: int) -> None:
        """Give a sign of life; now and then look for what was left behind, and for words that were lost."""
        self._heartbeats.beat(here())
        self._executor.sign()
        if beat % _TIDIES == 0 and self._jobs.tidy():
            self._queue.wake()

    def _when_woken(self) -> None:
        """Do a job; if there was one there may be another."""
        with _logged("Looking for a job"):
            if self._executor.do_next():
                self._queue.wake()

    def _minutely(self) -> None:
        with _logged("Looking for what is due"):
            nightly.purge_events(self._settings, self._store)
            nightly.sync_all(self._settings, self._store)
            nightly.prune_snapshots(self._settings, self._store)


@contextmanager
def _logged(what: str) -> Iterator[None]:
    """Log where the database fails: it may be there again when it is next asked."""
    try:
        yield
    except CardDataError as error:
        _log.error("%s failed: %s", what, error)


def _start(consumer: Consumer) -> None:
    """Start a consumer, with signals that interrupt this thread in place of its own, once it rests."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    consumer.start()
    for each in _SIGNALS:
        signal.signal(each, signal.default_int_handler)


def _rest() -> None:
    """Wait until the next beat. Signals wait for this: anywhere else what they raise might be lost."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    try:
        time.sleep(heartbeats.EVERY)
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
