"""The store of jobs: who waits, who runs, what came of it, and the files, in the database that web and workers share.

A job has one file: what was sent in, until it is done, and then its result. It is known by a secret that
only its owner has; the database holds a hash of it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, BinaryIO, NamedTuple

import sqlalchemy as sa
from sqlalchemy import orm

from api.jobs.heartbeats import MissedSigns
from api.service.answers.problem_details import problem
from api.service.errors import Full, Gone
from carddb.database import Base, Database

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
STATUSES = (QUEUED, RUNNING, DONE, FAILED, CANCELLED)
MOST_TRIES = 3
_KILLED = f"The worker was killed {MOST_TRIES} times while it did this job; it may be too much for the server."
_PIECE = 1_000_000  # bytes


class JobRow(Base):
    """One job. `id` is a hash of its secret, `seen` the last sign of life of its worker; times are ISO 8601, UTC."""

    __tablename__ = "job"
    __table_args__ = (sa.Index("jobs_by_status", "status", "created"),)

    id: orm.Mapped[str] = orm.mapped_column(sa.String(64), primary_key=True)
    status: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    task: orm.Mapped[dict[str, Any]] = orm.mapped_column(sa.JSON)
    done: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    of: orm.Mapped[int | None] = orm.mapped_column(sa.Integer)
    tries: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    seen: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    started: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    ended: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    expires: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    problem: orm.Mapped[dict[str, Any] | None] = orm.mapped_column(sa.JSON(none_as_null=True))
    size: orm.Mapped[int] = orm.mapped_column(sa.BigInteger)
    problems: orm.Mapped[int | None] = orm.mapped_column(sa.Integer)


class PieceRow(Base):
    """A piece of a job's file."""

    __tablename__ = "job_piece"

    job_id: orm.Mapped[str] = orm.mapped_column(sa.String(64), sa.ForeignKey("job.id"), primary_key=True)
    position: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    data: orm.Mapped[bytes] = orm.mapped_column(sa.LargeBinary)


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it stands. `task` is what to do, as JSON; `problem` why it failed; `size` that of its file in bytes.

    `problems` is how many things of what was sent in were not read, once it is done.
    """

    status: str
    task: Mapping[str, Any]
    done: int
    of: int | None
    created: str
    started: str | None
    ended: str | None
    expires: str | None
    problem: Mapping[str, Any] | None
    size: int
    problems: int | None


class Claim(NamedTuple):
    """A job that a worker has taken: when, for the how manieth time, and what to do."""

    id: str
    started: str
    tries: int
    task: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many jobs may wait, how many bytes all files may have, and how long what came of a job is kept."""

    waiting: int
    space: int
    kept: timedelta


class Jobs:
    """The jobs of a database; safe to share between threads and processes."""

    def __init__(self, database: Database, bounds: Bounds) -> None:
        self._database = database
        self._bounds = bounds
        self._missed_signs = MissedSigns()

    def add(self, task: Mapping[str, Any], data: bytes) -> str:
        """Take in a job with its file, and return the secret that it is known by; Full where there is no room."""
        secret = secrets.token_urlsafe(32)
        id = _hashed(secret)
        row = {"id": id, "status": QUEUED, "task": task, "done": 0, "tries": 0, "size": len(data)}
        with self._database.writing("jobs") as connection:
            if _count(connection, QUEUED) >= self._bounds.waiting:
                raise Full("Too many jobs wait already.")
            self._make_room(connection, len(data))
            connection.execute(sa.insert(JobRow), {**row, "created": _now()})
            _keep(connection, id, (data[at : at + _PIECE] for at in range(0, len(data), _PIECE)))
        return secret

    def find(self, secret: str) -> Job | None:
        """Return a job by its secret, None where there is none or it is kept no longer."""
        # The columns of a Job, by name: a row has more.
        query = sa.select(*(getattr(JobRow, name) for name in Job.__slots__)).where(_known_by(secret))
        return next((Job(*row) for row in self._database.rows(query)), None)

    def cancel(self, secret: str) -> Job | None:
        """Cancel a job, or remove what came of it, with all that was sent in; return it, None where there is none."""
        with self._database.writing("jobs") as connection:
            id = connection.scalar(sa.select(JobRow.id).where(_known_by(secret)))
            if id is not None:
                connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == id))
                gone = {"status": CANCELLED, "task": {}, "size": 0, "problem": None}
                connection.execute(sa.update(JobRow).where(JobRow.id == id).values(**gone, **self._ended()))
        return self.find(secret)

    def pieces(self, secret: str) -> Iterator[bytes]:
        """Yield the file of a job piece by piece; it ends before its time if the job is cancelled meanwhile."""
        query = sa.select(PieceRow.data).join(JobRow, JobRow.id == PieceRow.job_id).where(_known_by(secret))
        position = 0
        while True:
            with self._database.reading() as connection:
                data = connection.scalar(query.where(PieceRow.position == position))
            if data is None:
                return
            yield data
            position += 1

    def take(self) -> Claim | None:
        """Claim the job that has waited longest, None where none waits."""
        oldest = sa.select(JobRow.id, JobRow.tries, JobRow.task).where(JobRow.status == QUEUED)
        with self._database.writing("jobs") as connection:
            row = connection.execute(oldest.order_by(JobRow.created, JobRow.id).limit(1)).first()
            if row is None:
                return None
            claim = Claim(row.id, _now(), row.tries + 1, row.task)
            begun = {"status": RUNNING, "tries": claim.tries, "started": claim.started, "seen": claim.started}
            connection.execute(sa.update(JobRow).where(JobRow.id == row.id).values(done=0, of=None, **begun))
        return claim

    def given(self, claim: Claim) -> bytes:
        """Return the file that came with a job."""
        query = sa.select(PieceRow.data).where(PieceRow.job_id == claim.id).order_by(PieceRow.position)
        with self._database.reading() as connection:
            return b"".join(connection.scalars(query))

    def progress(self, claim: Claim, done: int, of: int) -> None:
        """Say how much of a job is done, or raise Gone."""
        with self._database.writing("jobs") as connection:
            _change(connection, claim, done=done, of=of, seen=_now())

    def sign(self, claims: Iterable[Claim]) -> None:
        """Say that jobs are still being done."""
        ids = [claim.id for claim in claims]
        if ids:
            with self._database.writing("jobs") as connection:
                running = sa.and_(JobRow.id.in_(ids), JobRow.status == RUNNING)
                connection.execute(sa.update(JobRow).where(running).values(seen=_now()))

    def finish(self, claim: Claim, result: BinaryIO, size: int, problems: int) -> None:
        """Keep the result of a job in place of what was sent in, or raise Gone, or Full where there is no room."""
        whole = sa.func.coalesce(JobRow.of, 0)
        with self._database.writing("jobs") as connection:
            outcome = {"status": DONE, "done": whole, "size": size, "problems": problems}
            _change(connection, claim, **outcome, seen=None, **self._ended())
            self._make_room(connection, 0)
            connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == claim.id))
            _keep(connection, claim.id, iter(lambda: result.read(_PIECE), b""))

    def fail(self, claim: Claim, cause: Mapping[str, Any]) -> None:
        """Say of a job why it cannot be done, or raise Gone."""
        with self._database.writing("jobs") as connection:
            self._fail(connection, claim, cause)

    def give_back(self, claim: Claim, cause: Mapping[str, Any] | None = None) -> None:
        """Let a job wait again, or raise Gone; with a problem it fails with that if it was tried often enough.

        Without one this time does not count.
        """
        with self._database.writing("jobs") as connection:
            self._give_back(connection, claim, cause)

    def tidy(self) -> int:
        """Give back the jobs of workers that were killed, remove what is kept no longer; return how many wait.

        Call it again and again: a worker is missed if its sign of life stays the same. Results that are kept longer
        than any new one, as they were made by a wrong clock, are kept as long as a new one.
        """
        running = sa.select(JobRow.id, JobRow.started, JobRow.tries, JobRow.task, JobRow.seen)
        now, last = _now(), self._ended()["expires"]
        old = sa.select(JobRow.id).where(JobRow.expires < now)
        with self._database.writing("jobs") as connection:
            rows = {row.id: row for row in connection.execute(running.where(JobRow.status == RUNNING)).all()}
            for id in self._missed_signs.find_missed({id: row.seen or "" for id, row in rows.items()}):
                self._give_back(connection, Claim(*rows[id][:4]), problem(500, _KILLED))
            connection.execute(sa.update(JobRow).where(JobRow.expires > last).values(expires=last))
            connection.execute(sa.delete(PieceRow).where(PieceRow.job_id.in_(old)))
            connection.execute(sa.delete(JobRow).where(JobRow.expires < now))
            return _count(connection, QUEUED)

    def counts(self) -> dict[str, int]:
        """Return how many jobs there are of each status."""
        query = sa.select(JobRow.status, sa.func.count()).group_by(JobRow.status)
        return dict.fromkeys(STATUSES, 0) | dict(self._database.rows(query))

    def _make_room(self, connection: sa.Connection, size: int) -> None:
        taken = connection.scalar(sa.select(sa.func.coalesce(sa.func.sum(JobRow.size), 0)))
        if int(taken or 0) + size > self._bounds.space:
            raise Full("There is no room for more files.")

    def _fail(self, connection: sa.Connection, claim: Claim, cause: Mapping[str, Any]) -> None:
        _change(connection, claim, status=FAILED, problem=dict(cause), size=0, seen=None, **self._ended())
        connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == claim.id))

    def _give_back(self, connection: sa.Connection, claim: Claim, cause: Mapping[str, Any] | None) -> None:
        if cause is not None and claim.tries >= MOST_TRIES:
            self._fail(connection, claim, cause)
        else:
            tries = claim.tries if cause is not None else claim.tries - 1
            _change(connection, claim, status=QUEUED, tries=tries, done=0, of=None, seen=None, started=None)

    def _ended(self) -> dict[str, str]:
        now = datetime.now(UTC)
        return {"ended": now.isoformat(), "expires": (now + self._bounds.kept).isoformat()}


def _change(connection: sa.Connection, claim: Claim, **values: Any) -> None:
    """Change a job that is still its worker's, else raise Gone."""
    still = sa.and_(JobRow.id == claim.id, JobRow.status == RUNNING, JobRow.started == claim.started)
    if connection.execute(sa.update(JobRow).where(still).values(**values)).rowcount != 1:
        raise Gone


def _keep(connection: sa.Connection, id: str, pieces: Iterable[bytes]) -> None:
    for position, data in enumerate(pieces):
        connection.execute(sa.insert(PieceRow), {"job_id": id, "position": position, "data": data})


def _count(connection: sa.Connection, status: str) -> int:
    return int(connection.scalar(sa.select(sa.func.count()).where(JobRow.status == status)) or 0)


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _known_by(secret: str) -> sa.ColumnElement[bool]:
    """Say which job a secret is that of; a hash looked up tells nothing by the time that it takes."""
    kept = sa.or_(JobRow.expires.is_(None), JobRow.expires >= _now())
    return sa.and_(JobRow.id == _hashed(secret), kept)


def _now() -> str:
    return datetime.now(UTC).isoformat()
