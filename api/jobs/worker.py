"""The worker: runs waiting jobs, sends heartbeats, syncs card lists at night, and deletes old snapshots and events."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import count

from huey.consumer import Consumer

from api.events.storage.retention import ClockLook, RetentionClock, end_retention
from api.jobs import heartbeats
from api.jobs.executor import Executor
from api.jobs.heartbeats import Heartbeats, worker_name
from api.jobs.job_store import jobs
from api.jobs.queue import Queue
from api.service.settings import Settings
from carddb.errors import CardDataError
from carddb.library import Library
from carddb.snapshot_store import Store
from carddb.sync.card_sync import sync_if_due
from carddb.temporary_folders import remove_leftover_folders
from carddb.upkeep.pruning import prune

_THREADS = 2  # so that a sync keeps no job waiting
_TIDY_BEATS = 5  # heartbeats between two looks for jobs of killed workers
_POLL_INTERVAL = 1.0  # seconds, of a queue that cannot call
_GRACE = 5.0  # seconds for the current jobs when the worker is to end
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

_log = logging.getLogger(__name__)


class JobWorker:
    """A worker process with its settings. Several may run at the same time, on one machine or on many."""

    def __init__(self, settings: Settings) -> None:
        """Open the database and prepare the worker. No job is run before `run`."""
        self._settings = settings
        self._store = Store(settings.database)
        self._store.database.keep_open()
        self._heartbeats = Heartbeats(self._store.database)
        self._jobs = jobs(settings, self._store.database)
        self._executor = Executor(self._jobs, Library(settings.database, limits_dir=settings.limits_dir))
        self._queue = Queue(settings, self._when_woken, self._run_due_work)

    def run(self, web_pid: int | None = None) -> None:
        """Run jobs until SIGTERM, SIGINT or SIGHUP, or until the parent is not `web_pid` (None: any parent).

        At first leftover temporary folders are removed. At the end the current jobs have 5 seconds. Those that still
        run then are put back into the queue. A second signal ends the wait at once. Must run in the main thread. Raises
        QueueError if the queue cannot be used.
        """
        remove_leftover_folders()
        self._executor.start()
        consumer = Consumer(self._queue.huey, workers=_THREADS, max_delay=_POLL_INTERVAL, shutdown_timeout=_GRACE)
        self._heartbeats.beat(worker_name())
        _start(consumer)
        _log.info("A worker is at work, woken by %s.", self._queue.name)
        with suppress(KeyboardInterrupt):
            self._watch(consumer, web_pid)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        consumer.stop(graceful=True)
        with _errors_logged("Leaving"):
            self._executor.release_claims()
            self._heartbeats.leave(worker_name())
        _log.info("The worker has ended.")

    def _watch(self, consumer: Consumer, web_pid: int | None) -> None:
        """Send heartbeats and restart dead threads of the consumer every 2 seconds, until the parent is not `web_pid`.

        A signal raises KeyboardInterrupt, which is the only end if `web_pid` is None. Errors of the database are
        logged.
        """
        for beat in count():
            if web_pid not in (None, os.getppid()):
                return
            with _errors_logged("Sending a heartbeat"):
                self._beat(beat)
            consumer.check_worker_health()
            _rest()

    def _beat(self, beat: int) -> None:
        """Record heartbeats of this worker and of its current jobs. `beat` is the number of this heartbeat, from 0.

        Every fifth time, the jobs of killed workers are put back and expired ones deleted. Then a worker is woken if
        jobs wait.
        """
        self._heartbeats.beat(worker_name())
        self._executor.record_heartbeat()
        if beat % _TIDY_BEATS == 0 and self._jobs.tidy():
            self._queue.wake()

    def _when_woken(self) -> None:
        """Run the next job, if any waits. If one was run, wake a worker for the next.

        The queue calls this for each wake-up call. Errors of the database are logged.
        """
        with _errors_logged("Looking for a job"):
            if self._executor.do_next():
                self._queue.wake()

    def _run_due_work(self) -> None:
        """Delete ended events, sync card lists and prune snapshots, if due. Called every minute.

        An error of the database is logged, and the steps after it are left out. An error of a sync leaves out only its
        game.
        """
        with _errors_logged("Looking for what is due"):
            purge_events(self._settings, self._store)
            sync_all(self._settings, self._store)
            prune_snapshots(self._settings, self._store)


@contextmanager
def _errors_logged(action: str) -> Iterator[None]:
    """Log a CardDataError of the block as "`action` failed", and go on. The database may be available again later."""
    try:
        yield
    except CardDataError as error:
        _log.error("%s failed: %s", action, error)


def _start(consumer: Consumer) -> None:
    """Start the threads of a consumer, which never get signals. Only the main thread does, and only in `_rest`.

    There SIGTERM, SIGINT and SIGHUP raise KeyboardInterrupt, instead of the handlers of the consumer.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    consumer.start()
    for number in _SIGNALS:
        signal.signal(number, signal.default_int_handler)


def _rest() -> None:
    """Sleep for 2 seconds, until the next heartbeat. Raises KeyboardInterrupt at a signal.

    Signals are blocked everywhere else, because their exception might be lost there.
    """
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    try:
        time.sleep(heartbeats.HEARTBEAT_INTERVAL)
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)


def sync_all(settings: Settings, store: Store) -> None:
    """Sync the card list of each game in the settings whose nightly sync is due. An error is logged for its game only.

    Does nothing if the settings have no time of the sync.
    """
    for game in settings.sync_games if settings.sync_at else ():
        try:
            _sync_game(settings, store, game)
        except CardDataError as error:
            _log.error("The sync of %s failed: %s", game, error)


def purge_events(settings: Settings, store: Store) -> None:
    """Mark events as deleted whose retention has ended, and remove those whose days to restore are over.

    Logs the numbers. No event is deleted if the clock may be wrong, of which a warning is logged at times. Also empties
    the write-ahead log of a SQLite database, because it may contain data that players have deleted. Does nothing if
    there is no database.
    """
    now = datetime.now(UTC)
    state = RetentionClock(store.database).look(now)
    if state is None:
        return
    if state.look.is_trusted:
        ended = end_retention(store.database, now, timedelta(days=settings.restore_days))
        if any(ended):
            _log.info("Retention: %d events marked as deleted, %d events removed.", *ended)
    elif state.is_warning_due:
        _warn_of_clock(state.look)
    store.database.empty_log()


def _warn_of_clock(look: ClockLook) -> None:
    """Log a warning that no event is deleted, because the clock is far ahead of the last trusted time."""
    _log.warning(
        "No event is deleted: the clock (%s) is far ahead of the last time that was trusted (%s) or of the last "
        "write. Check the clock. If it is right, run `deckproof events purge --confirm-clock`, or wait until %s.",
        *(moment.isoformat(timespec="seconds") for moment in (look.seen, look.trusted, look.trusted_from)),
    )


def prune_snapshots(settings: Settings, store: Store) -> None:
    """Delete the old snapshots of card data of each game, and log their ids.

    These stay: the current snapshot, the newest ones (their number is in the settings), and the newest of each month.
    """
    if pruned := prune(store, settings.snapshots_kept):
        _log.info("Deleted %d old snapshots: %s.", len(pruned), ", ".join(snapshot.id for snapshot in pruned))


def _sync_game(settings: Settings, store: Store, game: str) -> None:
    """Sync the card list of a game if its nightly sync is due, and log the result.

    The settings must have a time of the sync. Raises CardDataError if the sync fails. A new list with doubts is not
    used, which is logged as an error.
    """
    assert settings.sync_at is not None
    outcome = sync_if_due(game, store, settings.site_access(game), settings.sync_at)
    if outcome is None:
        return
    if outcome.is_refused:
        _log.error("The new list of %s looks wrong and is not used: %s", game, " ".join(outcome.doubts))
    else:
        _log.info("Synced %s: %d cards from %d pages.", game, outcome.cards, outcome.pages)
