"""Heartbeats: when each worker was last seen, and the supervisor that keeps a worker running beside the server."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import orm

from api.service.settings import Settings
from carddb.database import Base, Database
from carddb.errors import CardDataError
from carddb.temporary_folders import temporary_folder

HEARTBEAT_INTERVAL = 2.0  # seconds
MISSED_AFTER = 20.0  # seconds without a heartbeat after which a worker counts as killed
_COMMAND = (sys.executable, "-c", "from api.cli import main; main()", "worker", "--beside")
_POLL_INTERVAL = 1.0  # seconds between two checks of the worker
_GRACE_AT_START = 2.5  # seconds in which a worker that was started together with the server can send its heartbeat
_LONGEST_DELAY = 60.0  # seconds before a worker that fails is started again
_HEALTHY_AFTER = 30.0  # seconds that a worker must run so that the delay is reset
_STOP_TIMEOUT = 15.0  # seconds for a worker to end

_log = logging.getLogger(__name__)


class WorkerRow(Base):
    """The database row of a running worker. `seen` is its last heartbeat, ISO 8601 in UTC."""

    __tablename__ = "worker"

    host: orm.Mapped[str] = orm.mapped_column(sa.String(255), primary_key=True)
    pid: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    seen: orm.Mapped[str] = orm.mapped_column(sa.String(40))


class WorkerName(NamedTuple):
    """The name of a worker process: the host name of its machine, and its process id there."""

    host: str
    pid: int


def worker_name(pid: int | None = None) -> WorkerName:
    """Return the name of a process of this machine, by default of the current process.

    Host names are cut to 255 characters.
    """
    return WorkerName(socket.gethostname()[:255], os.getpid() if pid is None else pid)


def _is_running() -> sa.ColumnElement[bool]:
    """Return the SQL condition for workers whose heartbeat is at most 20 seconds from now, in the past or the future.

    A heartbeat further in the future is from before the clock was set back. After a jump of the clock, workers count as
    absent until their next heartbeat.
    """
    now, tolerance = datetime.now(UTC), timedelta(seconds=MISSED_AFTER)
    return WorkerRow.seen.between((now - tolerance).isoformat(), (now + tolerance).isoformat())


class Heartbeats:
    """The last heartbeats of all workers in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def beat(self, name: WorkerName) -> None:
        """Record that a worker is running now, and delete the workers that count as killed.

        Those are the workers whose last heartbeat is more than 20 seconds from now, in the past or the future.
        """
        seen = datetime.now(UTC).isoformat()
        with self._database.writing("workers") as connection:
            connection.execute(sa.delete(WorkerRow).where(sa.or_(_has_name(name), sa.not_(_is_running()))))
            connection.execute(sa.insert(WorkerRow), {**name._asdict(), "seen": seen})

    def leave(self, name: WorkerName) -> None:
        """Delete the heartbeat of a worker that has ended. Does nothing if there is none."""
        with self._database.writing("workers") as connection:
            connection.execute(sa.delete(WorkerRow).where(_has_name(name)))

    def present(self) -> list[WorkerName]:
        """Return the names of the workers whose last heartbeat is at most 20 seconds from now, before or after.

        Empty if there is no database.
        """
        query = sa.select(WorkerRow.host, WorkerRow.pid).where(_is_running())
        return [WorkerName(*row) for row in self._database.rows(query)]


def _has_name(name: WorkerName) -> sa.ColumnElement[bool]:
    """Return the SQL condition for the row of the worker with this name."""
    return sa.and_(WorkerRow.host == name.host, WorkerRow.pid == name.pid)


class Supervisor:
    """A thread of the server that starts a worker process, and starts another if that one dies.

    If the setting `worker` is not "on", no worker is started while others send heartbeats. A worker also ends by itself
    after the end of this process, even if it was killed.
    """

    def __init__(self, settings: Settings) -> None:
        """Prepare the thread that keeps a worker running. `start` starts it."""
        self._always = settings.worker == "on"
        self._heartbeats = Heartbeats(Database(settings.database))
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = ExitStack()
        self._delay = _POLL_INTERVAL
        self._started_at = 0.0
        self._is_ending = threading.Event()
        self._thread = threading.Thread(target=self._keep_worker_running, name="supervisor", daemon=True)

    def start(self) -> None:
        """Start the thread that starts and watches the worker. Returns at once."""
        self._thread.start()

    def end(self) -> None:
        """End the thread and the worker, and remove the worker's temporary folder. Waits until the worker has ended.

        The worker gets SIGTERM, and SIGKILL if it has not ended after 15 seconds.
        """
        self._is_ending.set()
        self._thread.join()
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.close()

    def _keep_worker_running(self) -> None:
        """Start a worker if there is none, and start it again if it has died, until `end` is called.

        Runs in the thread. Without the setting "on", the first start is delayed by 2.5 seconds, and no worker is
        started while others run.
        """
        wait = 0.0 if self._always else _GRACE_AT_START
        while not self._is_ending.wait(wait):
            if self._process is not None and self._process.poll() is not None:
                self._schedule_restart(self._process)
            elif self._process is None and (self._always or not self._has_other_workers()):
                self._start_worker()
            wait = _POLL_INTERVAL if self._process else self._delay

    def _has_other_workers(self) -> bool:
        """Return True if any worker sends heartbeats. Return False, and log a warning, if the database fails."""
        try:
            return bool(self._heartbeats.present())
        except CardDataError as error:
            _log.warning("The running workers are unknown: %s", error)
            return False

    def _start_worker(self) -> None:
        """Start a worker process with its own folder for temporary files. A failure is logged and leaves no process."""
        self._started_at = time.monotonic()
        command = [*_COMMAND, str(os.getpid())]
        try:
            # The worker's temporary files: a worker that is killed cannot remove them.
            environment = os.environ | {"TMPDIR": str(self._folder.enter_context(temporary_folder("worker")))}
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, env=environment)
        except OSError as error:
            _log.error("No worker could be started; this is tried again: %s", error)

    def _schedule_restart(self, process: subprocess.Popen[bytes]) -> None:
        """Forget a worker that died, and set the delay until the next start. Logs an error.

        The delay is doubled, up to 60 seconds, if the worker ran for at most 30 seconds. Else it is 1 second. Also
        removes the worker's temporary folder and its heartbeat.
        """
        lifetime = time.monotonic() - self._started_at
        self._delay = _POLL_INTERVAL if lifetime > _HEALTHY_AFTER else min(2 * self._delay, _LONGEST_DELAY)
        self._process = None
        self._folder.close()
        try:
            self._heartbeats.leave(worker_name(process.pid))
        except CardDataError as error:
            _log.warning("The heartbeat of the dead worker could not be removed: %s", error)
        _log.error("The worker (pid %d) died; the next is started in %.0f seconds.", process.pid, self._delay)


@contextmanager
def supervise_worker(settings: Settings) -> Iterator[None]:
    """Keep a worker running beside this process during the block, unless the setting `worker` is "off".

    The worker is ended after the block. A process that was forked from this one leaves the worker running.
    """
    if settings.worker == "off":
        yield
        return
    server, supervisor = os.getpid(), Supervisor(settings)
    supervisor.start()
    try:
        yield
    finally:
        if os.getpid() == server:
            supervisor.end()
