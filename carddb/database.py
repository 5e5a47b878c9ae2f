"""The database: one for everything that is kept, in SQLite or PostgreSQL.

A SQLite file is made, and brought up to date, by the first who writes. Every failure is
a CardDataError with a sentence for the user.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote, urlsplit
from weakref import WeakSet

import orjson
import sqlalchemy as sa
from sqlalchemy import exc, orm

from carddb import migrations
from carddb.errors import CardDataError, DatabaseBusy, NoDatabase

if TYPE_CHECKING:
    from carddb.turns import WriterTurns

PATIENCE = 5.0  # seconds to wait for a database that another program holds
_KEPT = 4  # connections to SQLite that a process keeps; more are closed after use


class Base(orm.DeclarativeBase):
    """The tables of the database."""


class Database:
    """The database of a URL; safe to share between threads and processes.

    Every failure is a CardDataError: `NoDatabase` where nothing was ever kept, `DatabaseBusy` where another
    program holds it for longer than `patience` seconds.
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self._url = _parsed(url)
        self._patience = patience
        with _failing_in_words(self.name):
            self._engine = _engine(self._url, patience)
        self._turns: WriterTurns | None = None

    def keep_open(self) -> None:
        """Keep connections to a SQLite file open and write it in turns, as a process should that is asked for much.

        SQLite reads the schema for each that is opened, and whoever closes the last writes the log into the file.
        """
        if file := _file(self._url) if _is_sqlite(self._url) else None:
            from carddb.turns import WriterTurns

            self._turns = WriterTurns(file, self._patience)
            self._engine = _engine(self._url, self._patience, sa.QueuePool, pool_size=_KEPT, max_overflow=-1)
            _watch_file(self._engine, self._url)
            _kept_open.add(self)

    def close(self) -> None:
        """Close the connections that are open and not in use."""
        self._engine.dispose()

    @property
    def name(self) -> str:
        """What messages call the database; without its password."""
        return self._url.render_as_string(hide_password=True)

    def upgrade(self) -> str | None:
        """Bring the schema up to date, and return the revision that it had (None: it was empty)."""
        with self._connected("cards") as connection:
            return self._migrate(connection)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield a connection to read with, all of it in one transaction."""
        if _is_missing(self._url):
            raise NoDatabase(f"There is no database {self.name} yet; import cards first.")
        with self._connected() as connection:
            revision = _revision(connection)
            if revision is None:
                raise NoDatabase(f"The database {self.name} is empty; import cards first.")
            _check_revision(revision, self.name)
            yield connection

    def rows(self, query: sa.Executable) -> Sequence[Any]:
        """Return the rows of a query, none where there is no database yet."""
        try:
            with self.reading() as connection:
                return connection.execute(query).all()
        except NoDatabase:
            return []

    def back_up(self, copy: Path) -> None:
        """Write what stands now into a new SQLite file; who uses the database meanwhile goes on."""
        if not _is_sqlite(self._url):
            raise CardDataError(f"{self.name} is backed up by the tools of its own; for PostgreSQL that is pg_dump.")
        if copy.exists():
            raise CardDataError(f"There is a file {copy} already; name a new one.")
        with self.reading() as connection:
            make_private(copy)
            with closing(sqlite3.connect(copy)) as made:
                cast("sqlite3.Connection", connection.connection.driver_connection).backup(made)

    @contextmanager
    def writing(self, what: str) -> Iterator[sa.Connection]:
        """Yield a connection in a transaction that nobody else who writes the same has at the same time.

        `what` names it: where the database can, who writes something else need not wait.
        """
        with self._connected(what) as connection:
            if _is_sqlite(self._url):
                self._migrate(connection)
            elif (revision := _revision(connection)) is None:
                raise CardDataError(f"The database {self.name} has no tables yet; run `deckproof db upgrade`.")
            else:
                _check_revision(revision, self.name)
            yield connection

    @contextmanager
    def _connected(self, writes: str = "") -> Iterator[sa.Connection]:
        """Yield a connection in a transaction; one that writes waits for others that write the same."""
        with _failing_in_words(self.name):
            if writes and _is_sqlite(self._url):
                _make_file(self._url)
            with self._turn(writes), self._engine.connect() as connection:
                connection = connection.execution_options(writes=bool(writes))
                with connection.begin():
                    if writes:
                        self._be_alone(connection, writes)
                    yield connection

    def _turn(self, writes: str) -> AbstractContextManager[None]:
        return self._turns.taken() if writes and self._turns else nullcontext()

    def _be_alone(self, connection: sa.Connection, what: str) -> None:
        # SQLite has one writer at a time: its transaction began with BEGIN IMMEDIATE.
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text(f"set local lock_timeout = {int(self._patience * 1000)}"))
            name = sa.func.concat(f"deckproof {what} of ", sa.func.current_schema())
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(name))))

    def _migrate(self, connection: sa.Connection) -> str | None:
        revision = _revision(connection)
        if revision != migrations.HEAD:
            if revision not in (None, *migrations.REVISIONS):
                _check_revision(revision, self.name)
            migrations.migrate(connection)
        return revision


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(sa.text("select version_num from alembic_version"))
    return revision


def _check_revision(revision: str, name: str) -> None:
    if revision not in migrations.REVISIONS:
        raise CardDataError(f"The database {name} was made by a newer deckproof ({revision}); upgrade deckproof.")
    if revision != migrations.HEAD:
        raise CardDataError(f"The database {name} is of an older deckproof; run `deckproof db upgrade`.")


def _parsed(text: str) -> sa.URL:
    """Return the URL; PostgreSQL without a driver gets the one that deckproof installs."""
    try:
        url = sa.make_url(text)
    except (exc.ArgumentError, ValueError):
        raise CardDataError(
            "This is no database URL; write sqlite:////srv/deckproof.db or postgresql://user@host/name."
        ) from None
    plain = url.drivername in ("postgresql", "postgres")
    return url.set(drivername="postgresql+psycopg") if plain else url


def _engine(url: sa.URL, patience: float, pool: type[sa.Pool] = sa.NullPool, **of_pool: int) -> sa.Engine:
    # No pool where nobody asks for one: the current snapshot is asked for once a second at most.
    engine = sa.create_engine(
        url,
        poolclass=pool,
        **of_pool,
        connect_args=_patient(url, patience),
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
    )
    if _is_sqlite(url):
        sa.event.listen(engine, "do_connect", lambda _, __, arguments, options: _open_still(url, arguments, options))
        sa.event.listen(engine, "connect", _leave_transactions_to_us)
        sa.event.listen(engine, "begin", _begin)
    return engine


def _watch_file(engine: sa.Engine, url: sa.URL) -> None:
    """Let a connection that is kept be used as long as its file is the one that is there, and may change."""

    def opened(_: object, record: sa.pool.ConnectionPoolEntry) -> None:
        record.info["file"] = None if _is_still(url) else _identity(url)

    def taken(_: object, record: sa.pool.ConnectionPoolEntry, __: object) -> None:
        if record.info["file"] not in (None, _identity(url)):
            raise exc.DisconnectionError("Another file is there now.")

    def given_back(_: object, record: sa.pool.ConnectionPoolEntry) -> None:
        if record.info.get("file") is None:
            record.invalidate()

    for name, listener in (("connect", opened), ("checkout", taken), ("checkin", given_back)):
        sa.event.listen(engine, name, listener)


# SQLite's locks are a process's own: what is open must not be there in another that is forked from it.
_kept_open: WeakSet[Database] = WeakSet()


def _close_all() -> None:
    for one in list(_kept_open):
        one.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_close_all)


def _patient(url: sa.URL, patience: float) -> dict[str, float]:
    """Return how the driver is told not to wait for ever; unknown drivers are not told."""
    if _is_sqlite(url):
        return {"timeout": patience}
    return {"connect_timeout": max(2, int(patience))} if url.get_driver_name() == "psycopg" else {}


def _leave_transactions_to_us(connection: Any, _: object) -> None:
    # Otherwise sqlite3 begins none for DDL, and a migration that breaks off would stay half done.
    connection.isolation_level = None


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _is_sqlite(url: sa.URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _file(url: sa.URL) -> Path | None:
    """Return the file of a SQLite database, which the URL may name by a URI; None where it has none."""
    named = url.database or ""
    if named.startswith("file:") and sa.util.asbool(url.query.get("uri", False)):
        named = "" if url.query.get("mode") == "memory" else unquote(urlsplit(named).path)
    return Path(named) if named not in ("", ":memory:") else None


def _is_missing(url: sa.URL) -> bool:
    """Tell whether there is no SQLite file yet; one that is not to be made must be there, and SQLite says if not."""
    file = _file(url) if _is_sqlite(url) else None
    return _is_sqlite(url) and (file is None or not (file.exists() or url.query.get("mode") in ("ro", "rw")))


def _make_file(url: sa.URL) -> None:
    """Make an empty SQLite file and the folders it is in; in WAL mode imports do not keep readers waiting."""
    file = _file(url)
    if file is None:
        raise CardDataError("A database in memory keeps nothing; give the URL of a file.")
    if not file.exists() and url.query.get("mode") not in ("ro", "rw"):
        part = file.with_name(f".{file.name[:40]}.{token_hex(4)}")
        make_private(part)
        try:
            with closing(sqlite3.connect(part)) as connection:
                connection.execute("pragma journal_mode = wal")
            with suppress(FileExistsError):  # somebody else has made one meanwhile
                file.hardlink_to(part)
        finally:
            part.unlink()


def make_private(file: Path) -> None:
    """Make an empty file that its owner alone may read, and the folders it is in, unless there is one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_RDONLY, 0o600))


def _open_still(url: sa.URL, arguments: list[Any], options: dict[str, Any]) -> None:
    """Let SQLite take a file that nobody here can change for one that stays as it is.

    Even to read one in WAL mode it would else write beside it. A log that is there already must be read with it.
    """
    file = _file(url)
    if file is not None and _is_still(url):
        arguments[0] = f"{file.absolute().as_uri()}?immutable=1"
        options["uri"] = True


def _is_still(url: sa.URL) -> bool:
    file = _file(url)
    if file is None or not file.exists() or os.access(file, os.W_OK) or os.access(file.parent, os.W_OK):
        return False
    return not file.with_name(f"{file.name}-wal").exists()


def _identity(url: sa.URL) -> tuple[int, int] | None:
    """Return what tells a SQLite file from another that takes its place."""
    file = _file(url)
    try:
        found = file.stat() if file else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


@contextmanager
def _failing_in_words(name: str) -> Iterator[None]:
    """Tell what the database or its driver says against it as a sentence."""
    try:
        yield
    except ImportError as error:
        hint = "in its checkout, pip install '.[postgres]'" if "psycopg" in str(error) else "install its driver"
        raise CardDataError(f"The database {name} needs a driver that is not installed: {hint}.") from error
    except exc.SQLAlchemyError as error:
        raise _failure(name, str(getattr(error, "orig", None) or error)) from error
    except (OSError, sqlite3.Error) as error:
        raise _failure(name, str(error)) from error


def _failure(name: str, reason: str) -> CardDataError:
    reason = reason.strip().partition("\n")[0]
    if "locked" in reason or "lock timeout" in reason:
        return DatabaseBusy(f"The database {name} is held by another program; try again in a moment.")
    return CardDataError(f"The database {name} cannot be used: {reason}.")
