"""Backups of SQLite databases: a file gets its name only when it is complete and checked.

`deckproof db` uses it. PostgreSQL has tools of its own for this.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from carddb import migrations
from carddb.bounds import BACKUP_TIMEOUT, MOST_UPGRADE_COPIES
from carddb.database import Database
from carddb.errors import CardDataError, DatabaseBusy
from carddb.sqlite_file import make_private
from carddb.system_messages import system_reason
from carddb.temporary_folders import remove_leftover_folders, temporary_folder
from validator.language import phrase

_FOLDER = ".deckproof-copy-"  # the prefix of the folders for unfinished copies


def back_up(database: Database, copy: Path) -> None:
    """Write the SQLite database as of now into the new file `copy`. Other users of the database go on meanwhile.

    The file appears under its name only when it is complete, checked and on the disk. A backup that was killed leaves a
    hidden folder, which the next backup into the same folder removes. Raises CardDataError if the file exists or cannot
    be written, or if the database is not SQLite, missing or damaged.
    """
    _sqlite_file(database, "pg_dump")
    if copy.exists():
        raise CardDataError(phrase("There is a file {file} already; name a new one.", file=copy))
    with _failures_as_sentences(copy), _working_folder(copy.parent) as folder:
        part = folder / "copy.db"
        _copy_into(database, part, copy)
        _publish_file(part, copy)


def restore_copy(database: Database, copy: Path, force: bool = False) -> Path | None:
    """Replace the database with a copy of it. Return the file that keeps the old database, None if there was none.

    The copy itself stays. A copy of an older deckproof keeps its schema: call `upgrade` afterwards. Raises
    CardDataError if the copy is missing, damaged, no database of deckproof, of a newer one, or the database itself.
    Raises it also if the database is not SQLite, or if there is a database and `force` is False. Raises DatabaseBusy
    if another process has the database open. After an error the database is as before.
    """
    file = _sqlite_file(database, "pg_restore")
    if not copy.is_file():
        raise CardDataError(phrase("There is no file {file}.", file=copy))
    if file.exists() and copy.samefile(file):
        raise CardDataError(phrase("{file} is the database itself.", file=copy))
    if file.exists() and not force:
        raise CardDataError(
            phrase("There is a database {file} already; --force replaces it, and keeps its file.", file=file)
        )
    with _failures_as_sentences(file), _working_folder(file.parent) as folder:
        part = folder / "copy.db"
        _copy_files(copy, part)
        _check_copy(part, copy)
        with _lock_exclusively(file):
            kept = _keep_old_files(file)
            part.replace(file)
            _flush_to_disk(file.parent)
    return kept


def copy_before_upgrade(database: Database, revision: str) -> Path:
    """Write a copy of a SQLite database beside it, `NAME.before-REVISION`, and return its path.

    It replaces an older copy of that name. If the database no longer has this `revision`, the new copy is dropped and
    the older one stays. Of all such copies only the newest MOST_UPGRADE_COPIES stay. Raises CardDataError if the
    database is not SQLite, missing or damaged, or if the copy cannot be written.
    """
    file = _sqlite_file(database, "pg_dump")
    copy = file.with_name(f"{file.name}.before-{revision}")
    with _failures_as_sentences(copy), _working_folder(file.parent) as folder:
        part = folder / "copy.db"
        _copy_into(database, part, copy)
        if _file_revision(part) == revision:  # another upgrade may have been faster: its copy stays
            part.replace(copy)
            _flush_to_disk(copy.parent)
    copies = sorted(file.parent.glob(f"{file.name}.before-*"), key=lambda path: path.stat().st_mtime)
    for old in copies[:-MOST_UPGRADE_COPIES]:
        old.unlink(missing_ok=True)
    return copy


def _sqlite_file(database: Database, tool: str) -> Path:
    """Return the file of a SQLite database. Raises CardDataError for PostgreSQL, with the `tool` to use instead."""
    if database.file is None:
        raise CardDataError(
            phrase("Only a SQLite database is a file; for {name} use {tool}.", name=database.name, tool=tool)
        )
    return database.file


def _copy_into(database: Database, part: Path, copy: Path) -> None:
    """Write the database into a new file `part`, check that file, and wait until it is on the disk.

    `copy` is its name in messages. Raises CardDataError if the database is missing, without tables or damaged, or if
    the file cannot be written.
    """
    make_private(part)
    with database.reading_any_revision() as (connection, _), _failures_as_sentences(copy):
        source = cast("sqlite3.Connection", connection.connection.driver_connection)
        with closing(sqlite3.connect(part)) as made:
            made.execute("pragma journal_mode = off")
            made.execute("pragma synchronous = off")
            source.backup(made)
            _leave_out_free_pages(made)
    with closing(_open_unchanged(part)) as made:
        if problems := integrity_problems(made):
            raise CardDataError(
                phrase(
                    "The database {name} is damaged, no copy was made: {problem}.",
                    name=database.name,
                    problem=problems[0],
                )
            )
    _flush_to_disk(part)


def _leave_out_free_pages(copy: sqlite3.Connection) -> None:
    """Rewrite a copy without its free pages if more than half of its pages are free. The copy is then in WAL mode."""
    pages, free = (copy.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "freelist_count"))
    if 2 * free > pages:
        copy.execute("pragma journal_mode = delete")
        copy.execute("vacuum")
        copy.execute("pragma journal_mode = wal")


def integrity_problems(connection: sqlite3.Connection) -> list[str]:
    """Return the problems that SQLite finds in a file, at most 100. Empty if there are none."""
    found = [str(row[0]) for row in connection.execute("pragma integrity_check")]
    return [] if found == ["ok"] else [system_reason(problem) for problem in found]


def _copy_files(copy: Path, part: Path) -> None:
    """Copy a database file, and its `-wal` and `-journal` if they exist, to the path `part` with the same endings.

    Only their owner may read them.
    """
    make_private(part)
    for ending in ("", "-wal", "-journal"):
        source = copy.with_name(copy.name + ending)
        if source.exists():
            make_private(part.with_name(part.name + ending))
            shutil.copyfile(source, part.with_name(part.name + ending))


def _check_copy(part: Path, copy: Path) -> None:
    """Check the file `part`, which is to be restored, and switch it to WAL mode. Wait until it is on the disk.

    `copy` is its name in messages. Raises CardDataError if it is damaged, no database of deckproof, or of a newer one.
    """
    try:
        with closing(sqlite3.connect(part)) as connection:
            connection.execute("pragma journal_mode = wal")
            problems = integrity_problems(connection)
        revision = _file_revision(part)
    except sqlite3.DatabaseError as error:
        problems, revision = [system_reason(str(error))], None
    if problems:
        raise CardDataError(
            phrase("{file} is damaged and cannot be restored: {problem}.", file=copy, problem=problems[0])
        )
    if revision is None:
        raise CardDataError(phrase("{file} is not a database of deckproof.", file=copy))
    if revision not in migrations.REVISIONS:
        raise CardDataError(
            phrase(
                "{file} was made by a newer deckproof ({revision}); upgrade deckproof.", file=copy, revision=revision
            )
        )
    _flush_to_disk(part)


def _file_revision(file: Path) -> str | None:
    """Return the revision of the schema in a SQLite file, None if it has no tables of deckproof. Nothing is written.

    Raises sqlite3.DatabaseError if the file is damaged or no database.
    """
    with closing(_open_unchanged(file)) as connection:
        if not connection.execute("select 1 from sqlite_master where name = 'alembic_version'").fetchone():
            return None
        row = connection.execute("select version_num from alembic_version").fetchone()
    return str(row[0]) if row else None


def _open_unchanged(file: Path) -> sqlite3.Connection:
    """Open a SQLite file that no process writes. SQLite makes no log beside it."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?immutable=1", uri=True)


@contextmanager
def _lock_exclusively(file: Path) -> Iterator[None]:
    """Lock a SQLite file that no other process has open, for the block. Its log is first written into it.

    A missing file needs no lock. A damaged file, or one that is no database, is not locked either. Raises DatabaseBusy
    if another process has it open.
    """
    if not file.exists():
        yield
        return
    with closing(sqlite3.connect(file, timeout=BACKUP_TIMEOUT, isolation_level=None)) as connection:
        try:
            is_alone = connection.execute("pragma journal_mode = delete").fetchone() == ("delete",)
            connection.execute("begin exclusive")
        except sqlite3.DatabaseError as error:
            # What is no database, or is damaged, cannot be locked.
            is_alone = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
            if not is_alone and error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        if not is_alone:
            raise DatabaseBusy(
                phrase("The database {file} is in use; end the server and the workers first.", file=file)
            )
        yield


def _keep_old_files(file: Path) -> Path | None:
    """Give the files of a database a new name, to keep them. Return that of the database file, None if there was none.

    The database file also keeps its first name. A leftover `-wal` or `-journal` does not, and `-shm` is deleted.
    """
    kept = file.with_name(f"{file.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%S.%f}")
    if has_file := file.exists():
        try:
            kept.hardlink_to(file)
        except OSError:  # not every file system has links
            shutil.copy2(file, kept)
            _flush_to_disk(kept)
    for ending in ("-wal", "-journal"):  # SQLite would take them for those of the new file
        with suppress(FileNotFoundError):
            file.with_name(file.name + ending).rename(kept.with_name(kept.name + ending))
    file.with_name(f"{file.name}-shm").unlink(missing_ok=True)
    return kept if has_file else None


def _publish_file(part: Path, file: Path) -> None:
    """Give the complete file `part` its final name `file`, and wait until the name is on the disk.

    Raises FileExistsError if another file has that name by now.
    """
    try:
        file.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        if file.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file)) from None
        part.rename(file)
    _flush_to_disk(file.parent)


def _flush_to_disk(path: Path) -> None:
    """Wait until the content of a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _working_folder(parent: Path) -> Iterator[Path]:
    """Yield a new hidden folder in `parent`, which is made if missing, and remove the folder at the end.

    Such folders of killed processes are removed before.
    """
    parent.mkdir(parents=True, exist_ok=True)
    remove_leftover_folders(parent, _FOLDER)
    with temporary_folder("db", parent, _FOLDER) as folder:
        yield folder


@contextmanager
def _failures_as_sentences(file: Path) -> Iterator[None]:
    """Raise errors of files and of SQLite in the block as a CardDataError that names the file to be written."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        reason = system_reason(getattr(error, "strerror", None) or str(error))
        raise CardDataError(
            phrase("{file} could not be written, nothing was changed: {reason}.", file=file, reason=reason)
        ) from error
