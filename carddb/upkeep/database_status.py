"""The status of the database: its revision and size, what fills it, its newest write, and its damage.

Only `deckproof db status`, `check` and `upgrade` use it. The status can be read of a database of any revision.
`deckproof db check` checks the audits of events as well.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import exc

from carddb import migrations
from carddb.database import Database
from carddb.errors import DamagedSnapshot
from carddb.snapshot_store import Store
from carddb.system_messages import system_reason
from carddb.upkeep.backups import integrity_problems
from validator.errors import error_text
from validator.language import plural_phrase

_KINDS = {  # by the beginning of a table's name
    "current_list": "lists",
    "list_snapshot": "lists",
    "snapshot": "cards",
    "card": "cards",
    "current": "cards",
    "sync": "syncs",
    "event": "events",
    "job": "jobs",
    "worker": "jobs",
    "webhook": "webhooks",  # before revision 0017
}
_WRITTEN = {  # columns with the time of a write; heartbeats of workers are no news
    "snapshot": "created",
    "list_snapshot": "created",
    "sync": "begun",
    "job": "created",
    "event": "created",
    "event_audit": "at",
    "webhook": "created",
}


class Usage(NamedTuple):
    """The number of rows and of bytes (with indexes) of the tables for one kind of data.

    `kind` is cards, lists, syncs, events, jobs, webhooks or other. `bytes` is None for every kind if this SQLite cannot
    count them.
    """

    kind: str
    rows: int
    bytes: int | None


class DatabaseStatus(NamedTuple):
    """The status of a database of any revision. `name` is its URL without the password.

    `revision` is that of its schema, `newest_revision` that of this deckproof. `bytes` is its size, for SQLite with its
    write-ahead log. `free` is the unused part of a SQLite file in bytes, None for PostgreSQL. `snapshots` and `events`
    are numbers of rows. `newest_write` is the newest time of a snapshot of cards or lists, beginning sync, job, event
    or audit entry in ISO 8601, None if there is none. Heartbeats do not count. `usage` has the kinds of data by name.
    """

    name: str
    revision: str
    newest_revision: str
    bytes: int
    free: int | None
    snapshots: int
    events: int
    newest_write: str | None
    usage: tuple[Usage, ...]


def read_status(database: Database) -> DatabaseStatus:
    """Return the status of a database of any revision. Raises NoDatabase if nothing was ever stored."""
    with database.reading_any_revision() as (connection, revision):
        tables = sa.inspect(connection).get_table_names()
        rows = {table: _count_rows(connection, table) for table in tables}
        if database.file:
            sizes, size, free = _table_sizes(connection), _file_size(database.file), _free_bytes(connection)
        else:
            sizes, free = {table: _relation_size(connection, table) for table in tables}, None
            size = int(connection.scalar(sa.text("select pg_database_size(current_database())")) or 0)
        return DatabaseStatus(
            database.name,
            revision,
            migrations.HEAD,
            size,
            free,
            rows.get("snapshot", 0),
            rows.get("event", 0),
            _newest_write(connection, tables),
            tuple(_usage_by_kind(rows, sizes)),
        )


def count_webhooks(database: Database) -> int:
    """Return the number of webhooks, which revision 0017 removes. 0 if the database has no table of webhooks.

    Raises NoDatabase if nothing was ever stored.
    """
    with database.reading_any_revision() as (connection, _):
        return _count_rows(connection, "webhook") if sa.inspect(connection).has_table("webhook") else 0


def _usage_by_kind(rows: Mapping[str, int], sizes: Mapping[str, int]) -> Iterator[Usage]:
    """Yield the rows and bytes of each kind of data, sorted by kind. Tables of no known kind are of the kind "other".

    `rows` and `sizes` have the number of rows and bytes by table. Without any `sizes` the bytes are None.
    """
    kinds: dict[str, list[str]] = {}
    for table in rows:
        kind = next((kind for beginning, kind in _KINDS.items() if table.startswith(beginning)), "other")
        kinds.setdefault(kind, []).append(table)
    for kind, tables in sorted(kinds.items()):
        size = sum(sizes.get(table, 0) for table in tables) if sizes else None
        yield Usage(kind, sum(rows[table] for table in tables), size)


def _count_rows(connection: sa.Connection, table: str) -> int:
    """Return the number of rows of a table, which must exist."""
    return connection.scalar(sa.select(sa.func.count()).select_from(sa.table(table))) or 0


def _table_sizes(connection: sa.Connection) -> dict[str, int]:
    """Return the bytes of each table of SQLite with its indexes. Empty if this SQLite was built without `dbstat`."""
    pages = "select tbl_name, sum(pgsize) from dbstat join sqlite_master using (name) group by tbl_name"
    try:
        return {table: int(size) for table, size in connection.execute(sa.text(pages))}
    except exc.OperationalError:
        return {}


def _free_bytes(connection: sa.Connection) -> int:
    """Return the bytes of the unused pages of a SQLite file, which deleted rows have left."""
    pages, size = (connection.scalar(sa.text(f"pragma {name}")) for name in ("freelist_count", "page_size"))
    return int(pages or 0) * int(size or 0)


def _file_size(file: Path) -> int:
    """Return the bytes of a SQLite file together with its write-ahead log, if there is one."""
    log = file.with_name(f"{file.name}-wal")
    return file.stat().st_size + (log.stat().st_size if log.exists() else 0)


def _relation_size(connection: sa.Connection, table: str) -> int:
    """Return the bytes of a PostgreSQL table with its indexes, 0 if it is missing."""
    query = sa.select(sa.func.pg_total_relation_size(sa.func.to_regclass(sa.func.quote_ident(table))))
    return connection.scalar(query) or 0


def _newest_write(connection: sa.Connection, tables: list[str]) -> str | None:
    """Return the time of the newest write in ISO 8601, None if there is none.

    Only those of `tables` count that have such a time (_WRITTEN): snapshots, lists, syncs, jobs, events and webhooks.
    """
    newest = [
        connection.scalar(sa.select(sa.func.max(sa.column(column))).select_from(sa.table(table)))
        for table, column in _WRITTEN.items()
        if table in tables
    ]
    return max(filter(None, newest), default=None)


def file_problems(file: Path | None) -> list[str]:
    """Return the damage that SQLite finds in a file, at most 100 entries. Empty if it is sound, missing or None.

    Raises sqlite3.DatabaseError if the file cannot be checked, such as a locked one.
    """
    if file is None or not file.exists():
        return []
    try:
        with closing(sqlite3.connect(file)) as connection:
            return integrity_problems(connection)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return [system_reason(str(error))]
        raise


def reference_problems(file: Path | None) -> list[str]:
    """Return a sentence with the number of rows for each table and parent table of which rows are missing.

    Empty if no row is missing, for a missing file, and for None (PostgreSQL). `file` is a SQLite file.
    """
    if file is None or not file.exists():
        return []
    with closing(sqlite3.connect(file)) as connection:
        missing = Counter((row[0], row[2]) for row in connection.execute("pragma foreign_key_check"))
    return [
        plural_phrase(
            "{count:,} row of {table} refers to a missing row of {parent}.",
            "{count:,} rows of {table} refer to missing rows of {parent}.",
            count,
            table=table,
            parent=parent,
        )
        for (table, parent), count in missing.items()
    ]


def snapshot_problems(store: Store) -> Iterator[str]:
    """Yield the message about each snapshot whose cards are damaged. All cards are loaded for it.

    Raises CardDataError for another schema, and NoDatabase if nothing was ever stored.
    """
    for snapshot in store.snapshots():
        try:
            store.cards(snapshot.id)
        except DamagedSnapshot as error:
            yield error_text(error)
