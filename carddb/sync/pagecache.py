"""Page cache: the pages of a site on disk, so that a sync that broke off goes on where it stopped.

requests-cache 1.3 was tried instead. It reads the whole body before it returns, with `stream=True` too. So nothing
bounds a page that drips in (20 s with a timeout of 1 s) or does not end (200 MB were stored). It stores a page before
its reader has accepted it, has no runs that are resumed or deleted as a whole, and lets two programs use one file. With
these parts added, the cache would not be smaller.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from carddb.errors import CardDataError, SyncBusy
from carddb.system_messages import system_reason
from validator.language import phrase

RESUMED_FOR = timedelta(hours=24)  # after which a run that broke off is not resumed
_VERSION = 1
_TABLES = """
    create table run (id integer primary key, begun text not null, finished text);
    create table page (url text primary key, run integer not null, etag text, modified text, body blob not null);
"""


class CachedPage(NamedTuple):
    """A page as it was fetched: its unpacked bytes, and its validators for conditional requests.

    `etag` and `modified` are the headers ETag and Last-Modified as sent, None if the response had none.
    `is_of_this_run` is True if the current run of the sync fetched it, also before an interruption, False if an earlier
    one did.
    """

    body: bytes
    etag: str | None
    modified: str | None
    is_of_this_run: bool


class PageCache:
    """The pages of one site in a file, so that an interrupted sync can be resumed. Pages are stored only if complete.

    Opening resumes the last run if it broke off within a day. Otherwise a new run begins. `begun` is the time at which
    the run began. Use it as a context manager. Every method raises CardDataError if the file is no cache or is damaged.
    Opening raises SyncBusy while another program has it open. The lock ends with that program, even if it is killed.
    """

    def __init__(self, file: Path, moment: datetime | None = None) -> None:
        """Open and lock the file, made if it is missing, and resume its last run or begin a new one.

        `moment` is the time of the call, None for now.
        """
        self._file = file
        self._now = moment or datetime.now(UTC)
        with self._errors_as_sentences():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(file, timeout=0, isolation_level=None)
            try:
                self._open()
                self._run, self.begun = self._resume_or_begin()
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> PageCache:
        """Return the page cache itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file, which unlocks it for other programs. A run that is not finished can be resumed."""
        self._database.close()

    def get(self, url: str) -> CachedPage | None:
        """Return the page with an address that this run or an earlier one fetched, None if there is none."""
        with self._errors_as_sentences():
            row = self._database.execute("select body, etag, modified, run from page where url = ?", (url,)).fetchone()
            return CachedPage(zlib.decompress(row[0]), row[1], row[2], row[3] == self._run) if row else None

    def put(self, url: str, body: bytes, etag: str | None, modified: str | None) -> None:
        """Store the unpacked body of a page as one of this run, with its validators `etag` and `modified` (or None).

        An older page of the same address is replaced.
        """
        with self._errors_as_sentences():
            row = (url, self._run, etag, modified, zlib.compress(body, 1))
            self._database.execute("insert or replace into page values (?, ?, ?, ?, ?)", row)

    def finish(self) -> None:
        """End this run, so that the next one begins from the start. Deletes the pages that this run did not fetch.

        Its own pages stay, for conditional requests.
        """
        with self._errors_as_sentences():
            self._database.execute("begin")
            self._database.execute("delete from page where run <> ?", (self._run,))
            self._database.execute("update run set finished = ? where id = ?", (self._now.isoformat(), self._run))
            self._database.execute("commit")

    def _open(self) -> None:
        """Lock the file and make its tables if it is new. Raises CardDataError for a file of another version.

        The lock lasts until the connection is closed.
        """
        # SQLite keeps the lock until the connection closes, so a killed program leaves none behind.
        self._database.execute("pragma locking_mode = exclusive")
        self._database.execute("begin exclusive")
        (version,) = self._database.execute("pragma user_version").fetchone()
        if version == 0:
            for statement in filter(str.strip, _TABLES.split(";")):
                self._database.execute(statement)
            self._database.execute(f"pragma user_version = {_VERSION}")
        self._database.execute("commit")
        if version not in (0, _VERSION):
            raise CardDataError(
                phrase("{file} is of another version of deckproof; delete it, it is only a cache.", file=self._file)
            )

    def _resume_or_begin(self) -> tuple[int, datetime]:
        """Return `(id, begin)` of the last run if it can be resumed, else of a new run, which is stored.

        A run is resumed if it has not finished and began less than RESUMED_FOR ago. A new run deletes no pages.
        """
        row = self._database.execute("select id, begun, finished from run order by id desc limit 1").fetchone()
        if row and row[2] is None and self._now - (begun := datetime.fromisoformat(row[1])) < RESUMED_FOR:
            return int(row[0]), begun
        made = self._database.execute("insert into run (begun) values (?)", (self._now.isoformat(),))
        return made.lastrowid or 0, self._now

    @contextmanager
    def _errors_as_sentences(self) -> Iterator[None]:
        """Raise errors of SQLite and files in the block as a CardDataError, and as SyncBusy if the file is locked."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise SyncBusy(
                    phrase("Another sync with {file} is running; wait until it has ended.", file=self._file)
                ) from None
            raise self._unusable_error(str(error)) from None
        except (sqlite3.DatabaseError, zlib.error, ValueError) as error:
            raise CardDataError(
                phrase(
                    "{file} is damaged ({problem}); delete it, it is only a cache.",
                    file=self._file,
                    problem=system_reason(str(error)),
                )
            ) from None
        except OSError as error:
            raise self._unusable_error(str(error.strerror or error)) from None

    def _unusable_error(self, reason: str) -> CardDataError:
        """Return the error of a cache that cannot be used, with the reason."""
        return CardDataError(
            phrase("The page cache {file} cannot be used: {problem}.", file=self._file, problem=system_reason(reason))
        )
