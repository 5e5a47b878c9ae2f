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

from api.jobs import heartbeats
from api.jobs.task import TaskJSON, results_language
from api.service.answers.problem_details import ProblemJSON, problem, translate_problem
from api.service.errors import Full, Gone
from api.service.settings import Settings
from carddb.database import Base, Database
from validator.language import phrase

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
STATUSES = (QUEUED, RUNNING, DONE, FAILED, CANCELLED)
MOST_TRIES = 3
_KILLED = phrase(
    "The worker was killed {count} times while it did this job. It may be too much for the server.", count=MOST_TRIES
)
_PIECE = 1_000_000  # bytes


class JobRow(Base):
    """The database row of one job. Times are ISO 8601 in UTC.

    `id` is the hash of the owner's secret. `done` of `of` steps are done (`of` is None before the first progress).
    `tries` counts how often workers have taken the job, without those that gave it back for no fault of the job. `seen`
    is the last heartbeat or progress of its worker, None before and after. It stays if a running job is cancelled.
    `started` is when the job was taken last, None if it waits. `ended` and `expires` are None until the job has ended.
    `size` is the number of bytes of its file, 0 if that was deleted. `problem` is why it failed, else None. `problems`
    counts the unread rows and cells, None until it is done.
    """

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
    """A piece of at most a megabyte of a job's file. `position` counts the pieces from 0."""

    __tablename__ = "job_piece"

    job_id: orm.Mapped[str] = orm.mapped_column(sa.String(64), sa.ForeignKey("job.id"), primary_key=True)
    position: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    data: orm.Mapped[bytes] = orm.mapped_column(sa.LargeBinary)


@dataclass(frozen=True, slots=True)
class Job:
    """The state of a job, as in JobRow. `status` is in STATUSES and `task` is a Task as JSON, empty if cancelled.

    `done` of `of` steps are done. `of` is None before the first progress. `started` is None while it waits, `ended` and
    `expires` until it has ended. `problem` is the reason of a failure, else None. `size` is the number of bytes of its
    file: the upload, or the result of a job that is done. Other jobs that have ended have none. `problems` is the
    number of rows and cells that could not be read, None until the job is done.
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
    """A job that a worker has taken. `id` is the hash of the job's secret and `started` the time at which it was taken.

    A claim is lost if the job was cancelled, or put back or taken again since. `tries` is that of JobRow, this time
    included.
    """

    id: str
    started: str
    tries: int
    task: TaskJSON


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a store of jobs.

    `waiting` is the most jobs that may wait, and `space` the most bytes of all files, uploads and results. `kept` is
    the time from the end of a job until it is deleted.
    """

    waiting: int
    space: int
    kept: timedelta


class _Heartbeat(NamedTuple):
    """The last heartbeat of a job. `moment` is its time by the worker, an ISO text.

    `since` is when this process first saw it, in seconds of the monotonic clock.
    """

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
        """Return the ids of the jobs whose heartbeat has been the same for 20 seconds, as seen in earlier calls.

        `moments` are the last heartbeats of all running jobs, by id. They are remembered for the next call. Other jobs
        are forgotten.
        """
        now = time.monotonic()
        known = self._last
        self._last = {
            id: known[id] if id in known and known[id].moment == moment else _Heartbeat(moment, now)
            for id, moment in moments.items()
        }
        return [id for id, heartbeat in self._last.items() if now - heartbeat.since >= heartbeats.MISSED_AFTER]


class Jobs:
    """The jobs of a database, with their files. Threads and processes may share it.

    Methods with a `claim` are for workers, those with a `secret` for the owner of a job.
    """

    def __init__(self, database: Database, bounds: Bounds) -> None:
        self._database = database
        self._bounds = bounds
        self._missed_heartbeats = _MissedHeartbeats()

    def add(self, task: TaskJSON, data: bytes) -> str:
        """Store a waiting job with its uploaded file, and return the new secret by which its owner finds it.

        No worker is woken. Raises Full if too many jobs wait, or if the files of all jobs would need too much space.
        """
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
        """Return the job with this secret, None if there is none, it has expired, or there is no database."""
        # The columns of a Job, by name: a row has more.
        query = sa.select(*(getattr(JobRow, name) for name in Job.__slots__)).where(_has_secret(secret))
        return next((Job(*row) for row in self._database.rows(query)), None)

    def cancel(self, secret: str) -> Job | None:
        """Mark a job as cancelled, in any state, and delete its file, task and problem. Return the job as it is then.

        A job that has ended is marked, too, so its result is gone. Return None if there is no such job or it has
        expired.
        """
        with self._database.writing("jobs") as connection:
            id = connection.scalar(sa.select(JobRow.id).where(_has_secret(secret)))
            if id is not None:
                connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == id))
                values = {"status": CANCELLED, "task": {}, "size": 0, "problem": None}
                connection.execute(sa.update(JobRow).where(JobRow.id == id).values(**values, **self._end_times()))
        return self.find(secret)

    def pieces(self, secret: str) -> Iterator[bytes]:
        """Yield the file of a job in pieces of at most a megabyte: the result if the job is done, else the upload.

        Each piece is read in its own transaction. The file ends early if the job is cancelled meanwhile. Nothing is
        yielded for an unknown secret, or an expired, failed or cancelled job.
        """
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
        """Mark the job that has waited longest as running, and return the claim. None if no job waits.

        Its progress is reset, the try is counted, and its first heartbeat recorded.
        """
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
        """Return the uploaded file of a claimed job, b"" if it was deleted since. A lost claim is not detected."""
        query = sa.select(PieceRow.data).where(PieceRow.job_id == claim.id).order_by(PieceRow.position)
        with self._database.reading() as connection:
            return b"".join(connection.scalars(query))

    def record_progress(self, claim: Claim, done_count: int, total: int) -> None:
        """Record that `done_count` of `total` steps of a job are done. This counts as a heartbeat, too.

        Raises Gone if the claim is lost.
        """
        with self._database.writing("jobs") as connection:
            _change(connection, claim, done=done_count, of=total, seen=_current_moment())

    def record_heartbeat(self, claims: Iterable[Claim]) -> None:
        """Record that the worker of these jobs is alive. Jobs that do not run any more are skipped."""
        ids = [claim.id for claim in claims]
        if ids:
            with self._database.writing("jobs") as connection:
                running = sa.and_(JobRow.id.in_(ids), JobRow.status == RUNNING)
                connection.execute(sa.update(JobRow).where(running).values(seen=_current_moment()))

    def finish(self, claim: Claim, result: BinaryIO, size: int, problems: int) -> None:
        """Mark a job as done and replace its upload by `result`, a file of `size` bytes.

        `result` is read from its current position. `problems` is the number of rows and cells that could not be read.
        Raises Gone if the claim is lost. Raises Full if the files of all jobs would need too much space. After an error
        nothing is changed.
        """
        total = sa.func.coalesce(JobRow.of, 0)
        with self._database.writing("jobs") as connection:
            outcome = {"status": DONE, "done": total, "size": size, "problems": problems}
            _change(connection, claim, **outcome, seen=None, **self._end_times())
            self._check_room(connection, 0)
            connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == claim.id))
            _insert_pieces(connection, claim.id, iter(lambda: result.read(_PIECE), b""))

    def fail(self, claim: Claim, cause: ProblemJSON) -> None:
        """Mark a job as failed because of `cause`, and delete its file. Raises Gone if the claim is lost."""
        with self._database.writing("jobs") as connection:
            self._mark_failed(connection, claim, cause)

    def give_back(self, claim: Claim, cause: ProblemJSON | None = None) -> None:
        """Put a claimed job back into the queue. Raises Gone if the claim is lost.

        Without a `cause` the try does not count. With a `cause`, the try counts, and a job that was tried three times
        fails with `cause` instead.
        """
        with self._database.writing("jobs") as connection:
            self._requeue(connection, claim, cause)

    def tidy(self) -> int:
        """Put the jobs of killed workers back into the queue, delete expired jobs, and return the number that wait.

        Call this periodically: a worker counts as killed if its heartbeat stays the same for 20 seconds. A job that was
        tried three times fails instead. An expiry later than that of a job that ends now was set by a wrong clock. It
        is moved to that time.
        """
        running = sa.select(JobRow.id, JobRow.started, JobRow.tries, JobRow.task, JobRow.seen)
        now, last = _current_moment(), self._end_times()["expires"]
        old = sa.select(JobRow.id).where(JobRow.expires < now)
        with self._database.writing("jobs") as connection:
            rows = {row.id: row for row in connection.execute(running.where(JobRow.status == RUNNING)).all()}
            for id in self._missed_heartbeats.find_missed({id: row.seen or "" for id, row in rows.items()}):
                claim = Claim(*rows[id][:4])
                cause = translate_problem(problem(500, _KILLED), results_language(claim.task))
                self._requeue(connection, claim, cause)
            connection.execute(sa.update(JobRow).where(JobRow.expires > last).values(expires=last))
            connection.execute(sa.delete(PieceRow).where(PieceRow.job_id.in_(old)))
            connection.execute(sa.delete(JobRow).where(JobRow.expires < now))
            return _count(connection, QUEUED)

    def counts(self) -> dict[str, int]:
        """Return the number of jobs by status, 0 included. Expired jobs that are not deleted yet count, too.

        All are 0 if there is no database.
        """
        query = sa.select(JobRow.status, sa.func.count()).group_by(JobRow.status)
        return dict.fromkeys(STATUSES, 0) | dict(self._database.rows(query))

    def _check_room(self, connection: sa.Connection, size: int) -> None:
        """Raise Full if the files of all jobs and `size` more bytes exceed the space that is allowed."""
        used = connection.scalar(sa.select(sa.func.coalesce(sa.func.sum(JobRow.size), 0)))
        if int(used or 0) + size > self._bounds.space:
            raise Full(phrase("There is no room for more files. Try again later."))

    def _mark_failed(self, connection: sa.Connection, claim: Claim, cause: ProblemJSON) -> None:
        """Mark a claimed job as failed because of `cause`, and delete its file. Raises Gone if the claim is lost."""
        _change(connection, claim, status=FAILED, problem=cause, size=0, seen=None, **self._end_times())
        connection.execute(sa.delete(PieceRow).where(PieceRow.job_id == claim.id))

    def _requeue(self, connection: sa.Connection, claim: Claim, cause: ProblemJSON | None) -> None:
        """Put a claimed job back into the queue, as `give_back` describes, and reset its progress.

        Raises Gone if the claim is lost.
        """
        if cause is not None and claim.tries >= MOST_TRIES:
            self._mark_failed(connection, claim, cause)
        else:
            tries = claim.tries if cause is not None else claim.tries - 1
            _change(connection, claim, status=QUEUED, tries=tries, done=0, of=None, seen=None, started=None)

    def _end_times(self) -> dict[str, str]:
        """Return the columns of a job that ends now: `ended`, and `expires`, after which the job is deleted.

        Both are times in UTC, ISO 8601.
        """
        now = datetime.now(UTC)
        return {"ended": now.isoformat(), "expires": (now + self._bounds.kept).isoformat()}


def _change(connection: sa.Connection, claim: Claim, **values: Any) -> None:
    """Set columns of a claimed job. Raises Gone if it was cancelled, or put back or taken again since the claim."""
    is_claimed = sa.and_(JobRow.id == claim.id, JobRow.status == RUNNING, JobRow.started == claim.started)
    if connection.execute(sa.update(JobRow).where(is_claimed).values(**values)).rowcount != 1:
        raise Gone


def _insert_pieces(connection: sa.Connection, id: str, pieces: Iterable[bytes]) -> None:
    """Store the pieces of a job's file, numbered from 0. The job must have no pieces yet."""
    for position, data in enumerate(pieces):
        connection.execute(sa.insert(PieceRow), {"job_id": id, "position": position, "data": data})


def _count(connection: sa.Connection, status: str) -> int:
    """Return the number of jobs with this status."""
    return int(connection.scalar(sa.select(sa.func.count()).where(JobRow.status == status)) or 0)


def _hash(secret: str) -> str:
    """Return the SHA-256 of a secret as hexadecimal text. It is the id of the job."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _has_secret(secret: str) -> sa.ColumnElement[bool]:
    """Return the SQL condition for the job with this secret, if it has not expired.

    The lookup is by hash, so its time reveals nothing about the secret.
    """
    is_kept = sa.or_(JobRow.expires.is_(None), JobRow.expires >= _current_moment())
    return sa.and_(JobRow.id == _hash(secret), is_kept)


def _current_moment() -> str:
    """Return the current time in UTC as ISO 8601 text."""
    return datetime.now(UTC).isoformat()


def jobs(settings: Settings, database: Database) -> Jobs:
    """Return the store of jobs in a database, with the limits of the settings. Nothing is read yet."""
    return Jobs(database, Bounds(settings.max_jobs, settings.job_space, timedelta(hours=settings.job_hours)))
