"""The database: one for everything that is kept, in SQLite or PostgreSQL.

A SQLite file and its tables are made by the first who writes. Only `upgrade` changes the tables of a database that
exists. Every failure is a CardDataError with a sentence for the user.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Semaphore
from typing import Any, NamedTuple, cast
from weakref import WeakSet

import orjson
import sqlalchemy as sa
from sqlalchemy import exc, orm

from carddb import migrations, postgres
from carddb.bounds import DATABASE_TIMEOUT, MOST_CONNECTIONS, MOST_IDLE_CONNECTIONS, MOST_WRITERS
from carddb.database_waits import WaitBudget, WriterQueue, wait_budget
from carddb.errors import CardDataError, DamagedDatabase, DatabaseBusy, NoDatabase
from carddb.sqlite_file import SqliteFile
from carddb.system_messages import system_reason
from validator.language import phrase


class Base(orm.DeclarativeBase):
    """The base class of all tables of the database."""


class ConnectionCounts(NamedTuple):
    """The connections of this process to one database. `most` is the number that may be open at once.

    `open` includes those in use (`in_use`). It has idle connections only if they are kept open (`Database.keep_open`).
    """

    open: int
    in_use: int
    most: int


class Database:
    """The SQLite or PostgreSQL database of a URL. Safe to share between threads and processes.

    A transaction waits for its connection and for all its locks together for at most `patience` seconds, or as long as
    `carddb.database_waits.shared_budget` allows. Every failure is a CardDataError: `NoDatabase` if nothing was ever
    stored, `DatabaseBusy` if that time is over or too many transactions wait already.
    """

    def __init__(self, url: str, patience: float = DATABASE_TIMEOUT) -> None:
        """Prepare the connections. Nothing is opened before the first use.

        `patience` is the longest wait in seconds. Raises CardDataError for an invalid URL or a missing driver.
        """
        self._url = _parse_url(url)
        self._patience = patience
        self._file = SqliteFile(self._url, patience) if self._url.get_backend_name() == "sqlite" else None
        self._keeps_open = False
        with _failures_as_sentences(self.name):
            self._engine = self._make_engine()
        self._make_queues()
        _databases.add(self)

    def keep_open(self) -> None:
        """Keep connections open after each transaction from now on, for the next one.

        By default each is closed after use. Opening one costs a handshake with PostgreSQL. In SQLite the schema is read
        for each, and the last one that is closed writes the log into the file.
        """
        self._keeps_open = True

    def close(self) -> None:
        """Close the connections that are open and not in use. The next transaction opens new ones."""
        self._engine.dispose()

    def connection_counts(self) -> ConnectionCounts:
        """Return the numbers of connections that this process has open, has in use, and may have."""
        pool = cast("sa.QueuePool", self._engine.pool)
        in_use = pool.checkedout()
        return ConnectionCounts(in_use + (pool.checkedin() if self._keeps_open else 0), in_use, MOST_CONNECTIONS)

    @property
    def name(self) -> str:
        """The name of the database in messages: its URL with "***" instead of the password."""
        return self._url.render_as_string(hide_password=True)

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database. None for PostgreSQL and for a database in memory."""
        return self._file.path if self._file else None

    def revision(self) -> str | None:
        """Return the revision of the schema, such as "0018", also if it is older or newer than this deckproof.

        None if the database is missing or has no tables.
        """
        try:
            with self.reading_any_revision() as (_, revision):
                return revision
        except NoDatabase:
            return None

    def upgrade(self) -> str | None:
        """Migrate the schema to the newest revision. Return the revision before, None if the database was empty.

        A missing SQLite file is made. A schema of the newest revision is not changed. Raises CardDataError for a schema
        that is newer than this deckproof.
        """
        with self._begin_transaction("cards", migrates=True) as connection:
            if connection.dialect.name == "postgresql":
                postgres.lift_statement_timeout(connection)
            revision = _schema_revision(connection)
            if revision is not None and revision not in migrations.REVISIONS:
                _check_revision(revision, self.name)
            if revision != migrations.HEAD:
                migrations.migrate(connection)
            return revision

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield a connection for reading, in one transaction.

        Raises NoDatabase if the database is missing or has no tables. Raises CardDataError for an older or newer
        schema.
        """
        with self.reading_any_revision() as (connection, revision):
            _check_revision(revision, self.name)
            yield connection

    @contextmanager
    def reading_any_revision(self) -> Iterator[tuple[sa.Connection, str]]:
        """Yield `(connection, revision)` in one transaction for reading.

        The schema may be older or newer than this deckproof. Raises NoDatabase if the database is missing or has no
        tables.
        """
        if self._file and self._file.is_missing:
            raise NoDatabase(phrase("There is no database {name} yet; import cards first.", name=self.name))
        with self._begin_transaction() as connection:
            revision = _schema_revision(connection)
            if revision is None:
                raise NoDatabase(phrase("The database {name} is empty; import cards first.", name=self.name))
            yield connection, revision

    def rows(self, query: sa.Executable) -> Sequence[Any]:
        """Return all rows of a query, empty if the database is missing or has no tables.

        Raises CardDataError for an older or newer schema.
        """
        try:
            with self.reading() as connection:
                return connection.execute(query).all()
        except NoDatabase:
            return []

    @contextmanager
    def writing(self, subject: str) -> Iterator[sa.Connection]:
        """Yield a connection in a transaction. No other transaction of the same `subject` runs at the same time.

        The transaction is committed at the end of the block and rolled back after an error. In PostgreSQL, transactions
        of different `subject` run side by side. In SQLite only one transaction writes. The tables of a new SQLite file
        are made. Raises CardDataError for PostgreSQL without tables, and for an older or newer schema. Neither is
        changed.
        """
        with self._begin_transaction(subject) as connection:
            revision = _schema_revision(connection)
            if revision is not None:
                _check_revision(revision, self.name)
            elif self._file:
                migrations.migrate(connection)
            else:
                raise CardDataError(
                    phrase("The database {name} has no tables yet; run `deckproof db upgrade`.", name=self.name)
                )
            yield connection

    def empty_log(self) -> bool:
        """Empty the write-ahead log of a SQLite file, from which deleted rows can still be read.

        Return True if it is empty. Return False if that cannot be done now: call again later. For PostgreSQL and a
        database in memory nothing is done and True is returned.
        """
        return self._file is None or self._file.empty_log()

    @contextmanager
    def _begin_transaction(self, writes: str = "", migrates: bool = False) -> Iterator[sa.Connection]:
        """Yield a connection in a transaction, which is committed at the end, or rolled back after an error.

        `writes` names the data that is written, "" for a transaction that only reads. `migrates` switches off the
        foreign keys of SQLite. Errors of the database, and those of files in the block, are raised as CardDataError.
        """
        with _failures_as_sentences(self.name), ExitStack() as resources:
            with wait_budget(self._patience) as budget:
                connection = self._open_transaction(writes, migrates, budget, resources)
            yield connection

    def _open_transaction(self, writes: str, migrates: bool, budget: WaitBudget, resources: ExitStack) -> sa.Connection:
        """Begin a transaction that has every lock it needs. Raises DatabaseBusy if the budget ends before.

        `writes` names the data that is written, "" for none. A transaction that writes makes a missing SQLite file and
        waits for its turn. `migrates` is only passed on to the listener that begins it. Closing `resources` commits the
        transaction, or rolls it back after an error, and releases the connection and the locks.
        """
        if writes:
            if self._file:
                self._file.make()
            resources.enter_context(self._writers.turn(writes, budget))
        resources.enter_context(self._reserve_connection(budget))
        connection = resources.enter_context(self._engine.connect())
        connection = connection.execution_options(writes=bool(writes), migrates=migrates)
        resources.enter_context(connection.begin())
        if writes:
            if connection.dialect.name == "postgresql":
                postgres.lock_writers(connection, writes, budget)
            self._writers.record_progress()
        return connection

    @contextmanager
    def _reserve_connection(self, budget: WaitBudget) -> Iterator[None]:
        """Take one of the MOST_CONNECTIONS places of this process for the block, and give it back at the end.

        Raises DatabaseBusy if no place is free before the budget ends. The connection pool itself cannot wait for the
        rest of a wait budget.
        """
        if not self._free_connections.acquire(timeout=budget.seconds_left):
            raise DatabaseBusy(
                phrase("Too many use the database {name} at once; try again in a moment.", name=self.name)
            )
        try:
            yield
        finally:
            self._free_connections.release()

    def _make_queues(self) -> None:
        """Make a new queue of writers and a new semaphore of connections.

        One thread writes to SQLite at a time, MOST_WRITERS to PostgreSQL.
        """
        self._writers = WriterQueue(1 if self._file else MOST_WRITERS)
        self._free_connections = Semaphore(MOST_CONNECTIONS)

    def _make_engine(self) -> sa.Engine:
        """Return an SQLAlchemy engine for the URL. Its connections are closed after use until `keep_open` is called.

        The pool keeps at most MOST_IDLE_CONNECTIONS idle ones. JSON columns use orjson. Nothing is opened yet.
        """
        is_psycopg = self._url.get_driver_name() == "psycopg"
        arguments = {"timeout": self._patience} if self._file else {}
        engine = sa.create_engine(
            self._url,
            poolclass=sa.QueuePool,
            pool_size=MOST_IDLE_CONNECTIONS,
            max_overflow=MOST_CONNECTIONS - MOST_IDLE_CONNECTIONS,
            pool_pre_ping=not (self._file or is_psycopg),  # which are checked in ways of their own
            connect_args=postgres.connect_arguments(self._url, self._patience) if is_psycopg else arguments,
            json_serializer=lambda value: orjson.dumps(value).decode(),
            json_deserializer=orjson.loads,
        )
        sa.event.listen(engine, "checkin", self._close_after_use)
        if self._file:
            self._file.prepare(engine)
        elif is_psycopg:
            postgres.prepare(engine, self._patience)
        return engine

    def _close_after_use(self, _: object, record: sa.pool.ConnectionPoolEntry) -> None:
        """Close a connection when it returns to the pool, unless connections are kept open.

        An event listener of the pool.
        """
        if not self._keeps_open:
            record.invalidate()

    def _replace_after_fork(self) -> None:
        """Replace the pool, without closing its connections, and the queues. Called in a forked process.

        The connections and locks of the parent process must not be used.
        """
        self._engine.dispose(close=False)
        self._make_queues()


def _schema_revision(connection: sa.Connection) -> str | None:
    """Return the revision of the schema, None if there are no tables yet.

    A connection on which the table of revisions was found once is not searched for that table again: nothing drops it.
    """
    if "has_revision" not in connection.info:
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        connection.info["has_revision"] = True
    revision: str | None = connection.scalar(sa.text("select version_num from alembic_version"))
    return revision


def _check_revision(revision: str, name: str) -> None:
    """Raise CardDataError if the schema revision is not the newest. `name` is the database in the message."""
    if revision not in migrations.REVISIONS:
        raise CardDataError(
            phrase(
                "The database {name} was made by a newer deckproof ({revision}); upgrade deckproof.",
                name=name,
                revision=revision,
            )
        )
    if revision != migrations.HEAD:
        raise CardDataError(
            phrase("The database {name} is of an older deckproof; run `deckproof db upgrade`.", name=name)
        )


def _parse_url(text: str) -> sa.URL:
    """Parse a database URL. PostgreSQL without a driver gets psycopg.

    Raises CardDataError for a text that is no URL.
    """
    try:
        url = sa.make_url(text)
    except (exc.ArgumentError, ValueError):
        raise CardDataError(
            phrase("This is no database URL; write sqlite:////srv/deckproof.db or postgresql://user@host/name.")
        ) from None
    lacks_driver = url.drivername in ("postgresql", "postgres")
    return url.set(drivername="postgresql+psycopg") if lacks_driver else url


_databases: WeakSet[Database] = WeakSet()


def _close_before_fork() -> None:
    """Close the idle connections of all databases of this process before it forks."""
    # A connection to SQLite must not be there in another process, not even to be closed: its locks are those of one.
    for database in list(_databases):
        database.close()


def _replace_pools_after_fork() -> None:
    """Replace the connection pools, queues and semaphores of all databases in a forked process."""
    for database in list(_databases):
        database._replace_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_close_before_fork, after_in_child=_replace_pools_after_fork)


@contextmanager
def _failures_as_sentences(name: str) -> Iterator[None]:
    """Raise errors of SQLAlchemy, SQLite, files and missing drivers in the block as CardDataError, with a sentence.

    `name` is the database in the messages. Locks become DatabaseBusy, damage becomes DamagedDatabase.
    """
    try:
        yield
    except ImportError as error:
        is_known = "psycopg" in str(error)
        hint = phrase("in its checkout, pip install '.[postgres]'") if is_known else phrase("install its driver")
        raise CardDataError(
            phrase("The database {name} needs a driver that is not installed: {hint}.", name=name, hint=hint)
        ) from error
    except exc.SQLAlchemyError as error:
        raise _make_error(name, str(getattr(error, "orig", None) or error)) from error
    except (OSError, sqlite3.Error) as error:
        raise _make_error(name, str(error)) from error


def _make_error(name: str, reason: str) -> CardDataError:
    """Return the error for the reason that a driver gives, as a sentence with the database's `name`.

    DatabaseBusy for a lock, lock timeout or deadlock, DamagedDatabase for a "malformed" file, else CardDataError. Only
    the first line of the reason is used.
    """
    reason = system_reason(reason.strip().partition("\n")[0])
    if any(word in reason for word in ("locked", "lock timeout", "deadlock detected")):
        return DatabaseBusy(phrase("Another program has locked the database {name}. Try again in a moment.", name=name))
    if "malformed" in reason:
        return DamagedDatabase(
            phrase(
                "The database {name} is damaged: {reason}. Restore a backup with `deckproof db restore`.",
                name=name,
                reason=reason,
            )
        )
    return CardDataError(phrase("The database {name} cannot be used: {reason}.", name=name, reason=reason))
