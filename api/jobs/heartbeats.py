"""Heartbeats: the workers that are at work, each of which says every few seconds that it still is."""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import orm

from carddb.database import Base, Database

EVERY = 2.0  # seconds between two signs of life
MISSED_AFTER = 20.0  # seconds without one


class WorkerRow(Base):
    """One worker. `seen` is ISO 8601, UTC."""

    __tablename__ = "worker"

    host: orm.Mapped[str] = orm.mapped_column(sa.String(255), primary_key=True)
    pid: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    seen: orm.Mapped[str] = orm.mapped_column(sa.String(40))


class WorkerName(NamedTuple):
    """What a worker is called: its machine and its process there."""

    host: str
    pid: int


def here(pid: int | None = None) -> WorkerName:
    """Return the name of a process of this machine; default: this one."""
    return WorkerName(socket.gethostname()[:255], os.getpid() if pid is None else pid)


def missed_since() -> str:
    """Return the moment since which whoever is at work has given a sign of life."""
    return (datetime.now(UTC) - timedelta(seconds=MISSED_AFTER)).isoformat()


class Heartbeats:
    """The heartbeats of the workers of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def beat(self, name: WorkerName) -> None:
        """Say that a worker is at work now; forget those of whom nothing was heard for long."""
        seen = datetime.now(UTC).isoformat()
        with self._database.writing("workers") as connection:
            connection.execute(sa.delete(WorkerRow).where(sa.or_(_is(name), WorkerRow.seen < missed_since())))
            connection.execute(sa.insert(WorkerRow), {**name._asdict(), "seen": seen})

    def leave(self, name: WorkerName) -> None:
        """Say that a worker has ended."""
        with self._database.writing("workers") as connection:
            connection.execute(sa.delete(WorkerRow).where(_is(name)))

    def present(self) -> list[WorkerName]:
        """Return the workers that are at work."""
        query = sa.select(WorkerRow.host, WorkerRow.pid).where(WorkerRow.seen >= missed_since())
        return [WorkerName(*row) for row in self._database.rows(query)]


def _is(name: WorkerName) -> sa.ColumnElement[bool]:
    return sa.and_(WorkerRow.host == name.host, WorkerRow.pid == name.pid)
