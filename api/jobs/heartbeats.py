"""Heartbeats: each worker records every few seconds that it is running, for itself and for its jobs."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import orm

from carddb.database import Base, Database

EVERY = 2.0  # seconds between two heartbeats
MISSED_AFTER = 20.0  # seconds without a heartbeat


class WorkerRow(Base):
    """One worker. `seen` is ISO 8601, UTC."""

    __tablename__ = "worker"

    host: orm.Mapped[str] = orm.mapped_column(sa.String(255), primary_key=True)
    pid: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    seen: orm.Mapped[str] = orm.mapped_column(sa.String(40))


class WorkerName(NamedTuple):
    """The name of a worker: its machine, and its process id there."""

    host: str
    pid: int


def here(pid: int | None = None) -> WorkerName:
    """Return the name of a process of this machine; default: this one."""
    return WorkerName(socket.gethostname()[:255], os.getpid() if pid is None else pid)


def _is_present() -> sa.ColumnElement[bool]:
    """Return the SQL condition for a running worker. A heartbeat far in the future is from before a clock went back.

    When the clock jumps, workers are absent until their next heartbeat.
    """
    now, patience = datetime.now(UTC), timedelta(seconds=MISSED_AFTER)
    return WorkerRow.seen.between((now - patience).isoformat(), (now + patience).isoformat())


class Heartbeats:
    """The heartbeats of the workers of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def beat(self, name: WorkerName) -> None:
        """Record that a worker is running now, and delete the workers whose last heartbeat is too old."""
        seen = datetime.now(UTC).isoformat()
        with self._database.writing("workers") as connection:
            connection.execute(sa.delete(WorkerRow).where(sa.or_(_is(name), sa.not_(_is_present()))))
            connection.execute(sa.insert(WorkerRow), {**name._asdict(), "seen": seen})

    def leave(self, name: WorkerName) -> None:
        """Record that a worker has ended."""
        with self._database.writing("workers") as connection:
            connection.execute(sa.delete(WorkerRow).where(_is(name)))

    def present(self) -> list[WorkerName]:
        """Return the running workers."""
        query = sa.select(WorkerRow.host, WorkerRow.pid).where(_is_present())
        return [WorkerName(*row) for row in self._database.rows(query)]


def _is(name: WorkerName) -> sa.ColumnElement[bool]:
    return sa.and_(WorkerRow.host == name.host, WorkerRow.pid == name.pid)


class _Sign(NamedTuple):
    """A sign of life of a job, and when this process saw the sign first, by its monotonic clock."""

    sign: str
    since: float


class MissedSigns:
    """Finds the jobs whose worker was killed. Used by the store of jobs.

    It compares signs of life by the monotonic clock of this process. So a wall clock that jumps takes no job from a
    live worker, and leaves no job with a dead one.
    """

    def __init__(self) -> None:
        self._signs: dict[str, _Sign] = {}

    def find_missed(self, signs: Mapping[str, str]) -> list[str]:
        """Return the ids of the jobs whose sign has been the same for too long. `signs` are those of all jobs now."""
        now = time.monotonic()
        known = self._signs
        self._signs = {
            id: known[id] if id in known and known[id].sign == sign else _Sign(sign, now) for id, sign in signs.items()
        }
        return [id for id, one in self._signs.items() if now - one.since >= MISSED_AFTER]
