"""Page caches: the pages of a site on disk, so that a run that broke off goes on where it stopped."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from carddb.errors import CardDataError, SyncBusy

RESUMED_FOR = timedelta(hours=24)  # after which a run that broke off is begun anew
_VERSION = 1
_TABLES = """
    create table run (id integer primary key, begun text not null, finished text);
    create table page (url text primary key, run integer not null, etag text, modified text, body blob not null);
"""


class Kept(NamedTuple):
    """A page as it was fetched: its bytes, what to ask the server with whether it changed, and if it is of this run."""

    body: bytes
    etag: str | None
    modified: str | None
    is_of_this_run: bool


class PageCache:
    """The pages of one site. Whoever has it open has it alone; a page is in it whole or not at all.

    Opening goes on with the last run if that broke off within a day, else it begins a new one; `begun` is when the
    run began. Use it as a context manager. A file that is no cache, or a damaged one, is a CardDataError; `SyncBusy`
    says that another program has it open, and ends with that program however it ends.
    """

    def __init__(self, file: Path, now: datetime | None = None) -> None:
        self._file = file
        self._now = now or datetime.now(UTC)
        with self._failing_in_words():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(file, timeout=0, isolation_level=None)
            try:
                self._open()
                self._run, self.begun = self._found_run()
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> PageCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def get(self, url: str) -> Kept | None:
        """Return a page that was fetched, in this run or in an earlier one."""
        with self._failing_in_words():
            row = self._database.execute("select body, etag, modified, run from page where url = ?", (url,)).fetchone()
            return Kept(zlib.decompress(row[0]), row[1], row[2], row[3] == self._run) if row else None

    def put(self, url: str, body: bytes, etag: str | None, modified: str | None) -> None:
        """Keep a page of this run."""
        with self._failing_in_words():
            row = (url, self._run, etag, modified, zlib.compress(body, 1))
            self._database.execute("insert or replace into page values (?, ?, ?, ?, ?)", row)

    def finish(self) -> None:
        """End this run, so that the next begins anew; pages that it did not meet are dropped."""
        with self._failing_in_words():
            self._database.execute("begin")
            self._database.execute("delete from page where run <> ?", (self._run,))
            self._database.execute("update run set finished = ? where id = ?", (self._now.isoformat(), self._run))
            self._database.execute("commit")

    def _open(self) -> None:
        # The lock is the file's own and is kept until the connection closes: a killed program leaves none behind.
        self._database.execute("pragma locking_mode = exclusive")
        self._database.execute("begin exclusive")
        (version,) = self._database.execute("pragma user_version").fetchone()
        if version == 0:
            for statement in filter(str.strip, _TABLES.split(";")):
                self._database.execute(statement)
            self._database.execute(f"pragma user_version = {_VERSION}")
        self._database.execute("commit")
        if version not in (0, _VERSION):
            raise CardDataError(f"{self._file} is of another version of deckproof; delete it, it is only a cache.")

    def _found_run(self) -> tuple[int, datetime]:
        """Return the run that is gone on with, or a new one, and when it began."""
        row = self._database.execute("select id, begun, finished from run order by id desc limit 1").fetchone()
        if row and row[2] is None and self._now - (begun := datetime.fromisoformat(row[1])) < RESUMED_FOR:
            return int(row[0]), begun
        made = self._database.execute("insert into run (begun) values (?)", (self._now.isoformat(),))
        return made.lastrowid or 0, self._now

    @contextmanager
    def _failing_in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise SyncBusy(f"Another sync with {self._file} is running; wait until it has ended.") from None
            raise CardDataError(f"The page cache {self._file} cannot be used: {error}.") from None
        except (sqlite3.DatabaseError, zlib.error, ValueError) as error:
            raise CardDataError(f"{self._file} is damaged ({error}); delete it, it is only a cache.") from None
        except OSError as error:
            raise CardDataError(f"The page cache {self._file} cannot be used: {error.strerror or error}.") from None
