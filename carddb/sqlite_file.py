"""SQLite files: finding and making the file of a database URL, and preparing its connections.

`carddb.database` uses it for SQLite. `make_private` is also used for other files of one owner.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import sqlalchemy as sa
from sqlalchemy import exc

from carddb.bounds import CHECKPOINT_TIMEOUT
from carddb.database_waits import seconds_left
from carddb.errors import CardDataError
from validator.language import phrase

_LOOKS = 10  # milliseconds for which SQLite itself looks again, before we do


class SqliteFile:
    """The file of a SQLite URL: making it, preparing its connections, and emptying its log.

    `path` is None if the database is in memory.
    """

    def __init__(self, url: sa.URL, timeout: float) -> None:
        """Store the URL of the file. `timeout` is the number of seconds to wait for a lock. Nothing is opened."""
        self._url = url
        self._timeout = timeout
        self.path = _file_path(url)

    @property
    def is_missing(self) -> bool:
        """Return True if there is no file yet, or if the database is in memory.

        False if the URL forbids making a file (`mode=ro` or `mode=rw`). SQLite reports a missing file then.
        """
        return self.path is None or not (self.path.exists() or self._must_exist)

    @property
    def _must_exist(self) -> bool:
        """Return True if the URL forbids making a missing file: it has `mode=ro` or `mode=rw`."""
        return self._url.query.get("mode") in ("ro", "rw")

    @property
    def _wal_file(self) -> Path | None:
        """The path of the file's write-ahead log, None in memory. The log may be missing."""
        return self.path.with_name(f"{self.path.name}-wal") if self.path else None

    def make(self) -> None:
        """Make an empty database file in WAL mode, and its folders, if there is none. Only its owner may read the file.

        Nothing is done if the URL forbids making a file. In WAL mode writers do not block readers. Raises CardDataError
        if the database is in memory.
        """
        if self.path is None:
            raise CardDataError(phrase("A database in memory stores nothing permanently; give the URL of a file."))
        if self.path.exists() or self._must_exist:
            return
        part = self.path.with_name(f".{self.path.name[:40]}.{token_hex(4)}")
        make_private(part)
        try:
            with closing(sqlite3.connect(part)) as connection:
                connection.execute("pragma journal_mode = wal")
            with suppress(FileExistsError):  # another process has made one meanwhile
                self.path.hardlink_to(part)
        finally:
            part.unlink()

    def prepare(self, engine: sa.Engine) -> None:
        """Add listeners to an engine that open, set up, begin, check and close its connections."""
        sa.event.listen(engine, "do_connect", self._open_read_only)
        sa.event.listen(engine, "connect", self._prepare_connection)
        sa.event.listen(engine, "begin", self._begin_transaction)
        sa.event.listen(engine, "checkout", self._check_file)
        sa.event.listen(engine, "checkin", self._close_immutable)

    def empty_log(self) -> bool:
        """Write the write-ahead log into the file and empty it. Return False if that cannot be done now, else True.

        True also if there is no log. A reader may need the log still, another program may hold the file, or the disk
        may be full.
        """
        try:
            if (
                self.path is None
                or self._wal_file is None
                or not self._wal_file.exists()
                or not self._wal_file.stat().st_size
            ):
                return True
            with closing(sqlite3.connect(self.path, timeout=CHECKPOINT_TIMEOUT)) as connection:
                is_busy, _, _ = connection.execute("pragma wal_checkpoint(truncate)").fetchone()
        except (OSError, sqlite3.OperationalError):
            return False
        return not is_busy

    def _open_read_only(self, _: object, __: object, arguments: list[Any], options: dict[str, Any]) -> None:
        """Make SQLite open a file as immutable if this process cannot change it. Changes `arguments` and `options`.

        Otherwise even a reader writes beside a file in WAL mode. A log that exists must be read with its file. A
        listener of the engine, called before each new connection.
        """
        if self.path is not None and self._is_immutable():
            arguments[0] = f"{self.path.absolute().as_uri()}?immutable=1"
            options["uri"] = True

    def _is_immutable(self) -> bool:
        """Return True if this process can change neither the file nor its folder, and there is no write-ahead log.

        False if there is no file.
        """
        file = self.path
        if file is None or not file.exists() or os.access(file, os.W_OK) or os.access(file.parent, os.W_OK):
            return False
        return self._wal_file is None or not self._wal_file.exists()

    def _prepare_connection(self, connection: Any, record: sa.pool.ConnectionPoolEntry) -> None:
        """Prepare a new connection: no transactions of the driver's own, deleted data is overwritten.

        A listener of the engine. The identity of its file is noted in `record`, None if the file was opened as
        immutable.
        """
        # Otherwise sqlite3 begins no transaction for DDL, and a migration that breaks off would stay half done.
        connection.isolation_level = None
        connection.execute("pragma secure_delete = on")  # not every SQLite is built to overwrite what is deleted
        record.info["file"] = None if self._is_immutable() else self._identity()

    def _check_file(self, _: object, record: sa.pool.ConnectionPoolEntry, __: object) -> None:
        """Raise DisconnectionError if the path now has another file than the one that the connection opened.

        The pool then opens a new connection. Files opened as immutable are not compared. A listener of the engine.
        """
        if record.info["file"] not in (None, self._identity()):
            raise exc.DisconnectionError("Another file is there now.")

    def _close_immutable(self, _: object, record: sa.pool.ConnectionPoolEntry) -> None:
        """Close a connection that was opened as immutable when it returns to the pool. A listener of the engine."""
        if record.info.get("file") is None:  # another machine may change the file nevertheless
            record.invalidate()

    def _identity(self) -> tuple[int, int] | None:
        """Return the device and inode of the file, None if there is none or it cannot be looked at."""
        try:
            found = self.path.stat() if self.path else None
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found else None

    def _begin_transaction(self, connection: sa.Connection) -> None:
        """Begin a transaction. One that writes waits for other writers. A listener of the engine.

        The options `writes` and `migrates` of the connection are read. Foreign keys are checked in a transaction that
        writes, but not in a migration. Raises OperationalError ("database is locked") if the wait budget is spent.
        Without a budget it waits without end.
        """
        driver = cast("sqlite3.Connection", connection.connection.driver_connection)
        if not connection.get_execution_options().get("writes"):
            driver.execute("BEGIN")
            return
        # Migrations copy tables and drop the old ones, to which others refer.
        migrates = connection.get_execution_options().get("migrates")
        driver.execute(f"pragma foreign_keys = {'off' if migrates else 'on'}")
        # SQLite itself looks again after ever longer breaks, so that of many processes some would never find it free.
        driver.execute(f"pragma busy_timeout = {_LOOKS}")
        try:
            while not _begin_immediate(driver):
                if not seconds_left(self._timeout):
                    raise sqlite3.OperationalError("database is locked")
        finally:
            driver.execute(f"pragma busy_timeout = {int(self._timeout * 1000)}")


def _begin_immediate(connection: sqlite3.Connection) -> bool:
    """Begin a transaction that writes, and return True. Return False if another connection holds the lock.

    Raises OperationalError for any other reason.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _file_path(url: sa.URL) -> Path | None:
    """Return the file of a SQLite URL, which may contain it as a `file:` URI. None if the database is in memory."""
    name = url.database or ""
    if name.startswith("file:") and sa.util.asbool(url.query.get("uri", False)):
        name = "" if url.query.get("mode") == "memory" else unquote(urlsplit(name).path)
    return Path(name) if name not in ("", ":memory:") else None


def make_private(file: Path) -> None:
    """Make an empty file that only its owner may read and write, and its folders. An existing file is not changed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_RDONLY, 0o600))
