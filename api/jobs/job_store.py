"""The store of jobs: their states and files, in the database that the server and the workers share.

A job has one file: the upload until the job is done, then the result. Its owner has a secret. The database has only a
hash of that secret.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, BinaryIO, NamedTuple

import sqlalchemy as sa
from sqlalchemy import orm

from api.jobs import workers
from api.jobs.task import TaskJSON
from api.service.answers.problem_details import ProblemJSON, problem
from api.service.errors import Full, Gone
from api.service.settings import Settings
from carddb.database import Base, Database
from validator.language import phrase

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
STATUSES = (QUEUED, RUNNING, DONE, FAILED, CANCELLED)
MOST_TRIES = 3
_KILLED = f"The worker was killed {MOST_TRIES} times while it did this job; it may be too much for the server."
_PIECE = 1_000_000  # bytes


class JobRow(Base):
    """One job. `id` is the hash of its secret, `seen` the last heartbeat of its worker. Times are ISO 8601, UTC."""

    __tablename__ = "job"
    __table_args__ = (sa.Index("jobs_by_status", "status", "created"),)

    id: orm.Mapped[str] = orm.mapped_column(sa.String(64), primary_key=True)
    status: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    task: orm.Mapped[TaskJSON] = orm.mapped_column(sa.JSON)
    done: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    of: orm.Mapped[int | None] = orm.mapped_column(sa.Integer)
    tries: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    seen: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    started: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    ended: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    expires: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    problem: orm.Mapped[ProblemJSON | None] = orm.mapped_column(sa.JSON(none_as_null=True))
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
    """The state of a job. `task` is a Task as JSON, `problem` the reason of a failure, `size` the bytes of its file.

    `problems` is the number of rows and cells that could not be read. It is None until the job is done.
    """

    status: str
    task: TaskJSON
    done: int
    of: int | None
    created: str
    started: str | None
    ended: str | None
    expires: str | None
    problem: ProblemJSON | None
    size: int
    problems: int | None


class Claim(NamedTuple):
    """A job that a worker has taken. `tries` counts how often workers have taken it, this time included."""

    id: str
    started: str
    tries: int
    task: TaskJSON


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a store: the jobs that may wait, the bytes of all files, and how long a result is kept."""

    waiting: int
    space: int
    kept: timedelta


class _Heartbeat(NamedTuple):
    """The last heartbeat of a job, and when this process saw it first, by its monotonic clock."""

    moment: str
    since: float


class _MissedHeartbeats:
    """Finds the jobs whose worker was killed.

    It compares heartbeats by the monotonic clock of this process. So a wall clock that jumps takes no job from a
    live worker, and leaves no job with a dead one.
    """

    def __init__(self) -> None:
        self._last: dict[str, _Heartbeat] = {}

    def find_missed(self, moments: Mapping[str, str]) -> list[str]:
        """Return the ids of the jobs whose heartbeat has been the same for too long.

        `moments` are the last heartbeats of all jobs that run now, by id.
        """
        now = time.monotonic()
        known = self._last
        self._last = {
            id: known[id] if id in known and known[id].moment == moment else _Heartbeat(moment, now)
            for id, moment in moments.items()
        }
        return [id for id, heartbeat in self._last.items() if now - heartbeat.since >= workers.MISSED_AFTER]


class Jobs:
    """The jobs of a database. Safe to share between threads and processes."""

    def __init__(self, database: Database, bounds: Bounds) -> None:
        self._database = database
        self._bounds = bounds
        self._missed_heartbeats = _MissedHeartbeats()

    def add(self, task: TaskJSON, data: bytes) -> str:
        """Add a job with its file, and return its secret. Raises Full if there is no room."""
        secret = secrets.token_urlsafe(32)
        id = _hash(secret)
        row = {"id": id, "status": QUEUED, "task": task, "done": 0, "tries": 0, "size": len(data)}
        with self._database.writing("jobs") as connection:
            if _count(connection, QUEUED) >= self._bounds.waiting:
                raise Full(phrase("Too many jobs are waiting already. Try again later."))
            self._check_room(connection, len(data))
            connection.execute(sa.insert(JobRow), {**row, "created": _current_moment()})
            _insert_pieces(connection, id, (data[start : start + _PIECE] for start in range(0, len(data), _PIECE)))
        return secret

    def find(self, secret: str) -> Job | None:
        """Return the job with this secret, None if there is none or it has expired."""
        # The columns of a Job, by name: a row has more.
        query = sa.select(*(getattr(JobRow, name) for name in Job.__slots__)).where(_has_secret(secret))
        return next((Job(*row) for row in self._database.rows(query)), None)

    def cancel(self, secret: str) -> Job | None:
        """Cancel a job, or delete its result, and delete its file. Return the job, None if there is none."""
        with self._database.writing("jobs") as connection:
            id = connection.scalar(sa.select(JobRow.id).where(_has_secret(secret)))
            if id is not None:
                connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == id))
                values = {"status": CANCELLED, "task": {}, "size": 0, "problem": None}
                connection.execute(sa.update(JobRow).where(JobRow.id == id).values(**values, **self._end_times()))
        return self.find(secret)

    def pieces(self, secret: str) -> Iterator[bytes]:
        """Yield the file of a job piece by piece. The file ends early if the job is cancelled meanwhile."""
        query = sa.select(PieceRow.data).join(JobRow, JobRow.id == PieceRow.job_id).where(_has_secret(secret))
        position = 0
        while True:
            with self._database.reading() as connection:
                data = connection.scalar(query.where(PieceRow.position == position))
            if data is None:
                return
            yield data
            position += 1

    def take(self) -> Claim | None:
        """Claim the job that has waited longest, and return the claim. None if no job waits."""
        oldest = sa.select(JobRow.id, JobRow.tries, JobRow.task).where(JobRow.status == QUEUED)
        with self._database.writing("jobs") as connection:
            row = connection.execute(oldest.order_by(JobRow.created, JobRow.id).limit(1)).first()
            if row is None:
                return None
            claim = Claim(row.id, _current_moment(), row.tries + 1, row.task)
            values = {"status": RUNNING, "tries": claim.tries, "started": claim.started, "seen": claim.started}
            connection.execute(sa.update(JobRow).where(JobRow.id == row.id).values(done=0, of=None, **values))
        return claim

    def uploaded_file(self, claim: Claim) -> bytes:
        """Return the uploaded file of a job."""
        query = sa.select(PieceRow.data).where(PieceRow.job_id == claim.id).order_by(PieceRow.position)
        with self._database.reading() as connection:
            return b"".join(connection.scalars(query))

    def record_progress(self, claim: Claim, done_count: int, total: int) -> None:
        """Record that `done_count` of `total` steps of a job are done. Raises Gone if the worker has lost the job."""
        with self._database.writing("jobs") as connection:
            _change(connection, claim, done=done_count, of=total, seen=_current_moment())

    def record_heartbeat(self, claims: Iterable[Claim]) -> None:
        """Record that the worker of these jobs still runs."""
        ids = [claim.id for claim in claims]
        if ids:
            with self._database.writing("jobs") as connection:
                running = sa.and_(JobRow.id.in_(ids), JobRow.status == RUNNING)
                connection.execute(sa.update(JobRow).where(running).values(seen=_current_moment()))

    def finish(self, claim: Claim, result: BinaryIO, size: int, problems: int) -> None:
        """Replace the file of a job by its result.

        Raises Gone if the worker has lost the job, and Full if there is no room.
        """
        total = sa.func.coalesce(JobRow.of, 0)
        with self._database.writing("jobs") as connection:
            outcome = {"status": DONE, "done": total, "size": size, "problems": problems}
            _change(connection, claim, **outcome, seen=None, **self._end_times())
            self._check_room(connection, 0)
            connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == claim.id))
            _insert_pieces(connection, claim.id, iter(lambda: result.read(_PIECE), b""))

    def fail(self, claim: Claim, cause: ProblemJSON) -> None:
        """Record why a job failed, and delete its file. Raises Gone if the worker has lost the job."""
        with self._database.writing("jobs") as connection:
            self._mark_failed(connection, claim, cause)

    def give_back(self, claim: Claim, cause: ProblemJSON | None = None) -> None:
        """Put a job back into the queue. Raises Gone if the worker has lost the job.

        If `cause` is given, a job that was tried often enough fails with it. If not, this try does not count.
        """
        with self._database.writing("jobs") as connection:
            self._requeue(connection, claim, cause)

    def tidy(self) -> int:
        """Put the jobs of killed workers back into the queue, delete expired jobs, and return the number that wait.

        Call it periodically: a worker counts as killed if its heartbeat stays the same. A job that expires later than
        a new one would was ended by a wrong clock. It then expires when a new one would.
        """
        running = sa.select(JobRow.id, JobRow.started, JobRow.tries, JobRow.task, JobRow.seen)
        now, last = _current_moment(), self._end_times()["expires"]
        old = sa.select(JobRow.id).where(JobRow.expires < now)
        with self._database.writing("jobs") as connection:
            rows = {row.id: row for row in connection.execute(running.where(JobRow.status == RUNNING)).all()}
            for id in self._missed_heartbeats.find_missed({id: row.seen or "" for id, row in rows.items()}):
                self._requeue(connection, Claim(*rows[id][:4]), problem(500, _KILLED))
            connection.execute(sa.update(JobRow).where(JobRow.expires > last).values(expires=last))
            connection.execute(sa.delete(PieceRow).where(PieceRow.job_id.in_(old)))
            connection.execute(sa.delete(JobRow).where(JobRow.expires < now))
            return _count(connection, QUEUED)

    def counts(self) -> dict[str, int]:
        """Return the number of jobs by status."""
        query = sa.select(JobRow.status, sa.func.count()).group_by(JobRow.status)
        return dict.fromkeys(STATUSES, 0) | dict(self._database.rows(query))

    def _check_room(self, connection: sa.Connection, size: int) -> None:
        """Raise Full if the files of all jobs would need more space than allowed."""
        used = connection.scalar(sa.select(sa.func.coalesce(sa.func.sum(JobRow.size), 0)))
        if int(used or 0) + size > self._bounds.space:
            raise Full(phrase("There is no room for more files. Try again later."))

    def _mark_failed(self, connection: sa.Connection, claim: Claim, cause: ProblemJSON) -> None:
        """Mark a claimed job as failed, and delete its file."""
        _change(connection, claim, status=FAILED, problem=cause, size=0, seen=None, **self._end_times())
        connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == claim.id))

    def _requeue(self, connection: sa.Connection, claim: Claim, cause: ProblemJSON | None) -> None:
        """Return a claimed job to the queue. It fails if it was tried too often.

        Without a cause, the try is not counted: the worker ends, and the job is not to blame.
        """
        if cause is not None and claim.tries >= MOST_TRIES:
            self._mark_failed(connection, claim, cause)
        else:
            tries = claim.tries if cause is not None else claim.tries - 1
            _change(connection, claim, status=QUEUED, tries=tries, done=0, of=None, seen=None, started=None)

    def _end_times(self) -> dict[str, str]:
        """Return the end of a job, now, and the time at which its result is deleted."""
        now = datetime.now(UTC)
        return {"ended": now.isoformat(), "expires": (now + self._bounds.kept).isoformat()}


def _change(connection: sa.Connection, claim: Claim, **values: Any) -> None:
    """Change a job. Raises Gone if another worker has it by now, or if it was cancelled."""
    is_claimed = sa.and_(JobRow.id == claim.id, JobRow.status == RUNNING, JobRow.started == claim.started)
    if connection.execute(sa.update(JobRow).where(is_claimed).values(**values)).rowcount != 1:
        raise Gone


def _insert_pieces(connection: sa.Connection, id: str, pieces: Iterable[bytes]) -> None:
    """Store the pieces of a job's file in their order."""
    for position, data in enumerate(pieces):
        connection.execute(sa.insert(PieceRow), {"job_id": id, "position": position, "data": data})


def _count(connection: sa.Connection, status: str) -> int:
    """Return the number of jobs with a status."""
    return int(connection.scalar(sa.select(sa.func.count()).where(JobRow.status == status)) or 0)


def _hash(secret: str) -> str:
    """Return the hash under which a secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _has_secret(secret: str) -> sa.ColumnElement[bool]:
    """Return the SQL condition for the job of a secret. The time to look up a hash reveals nothing of the secret."""
    is_kept = sa.or_(JobRow.expires.is_(None), JobRow.expires >= _current_moment())
    return sa.and_(JobRow.id == _hash(secret), is_kept)


def _current_moment() -> str:
    """Return the current time in UTC as ISO text."""
    return datetime.now(UTC).isoformat()


def jobs(settings: Settings, database: Database) -> Jobs:
    """Return the jobs of a database, with the limits that the settings contain."""
    return Jobs(database, Bounds(settings.max_jobs, settings.job_space, timedelta(hours=settings.job_hours)))
