"""The store of lists: snapshots of imported list files in the database, and the current one of each game.

A list snapshot never changes. It has all files that are added to the lists that ship. Without a current snapshot the
lists that ship are used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import orm

from carddb.bounds import MOST_LIST_FILES
from carddb.database import Base, Database
from carddb.errors import CardDataError, DamagedSnapshot, NoDatabase, NoSnapshot
from carddb.list_files import ListFile, add_files, files_by_game
from validator.language import phrase
from validator.limits import GameLists

_WRITES = "lists"


class ListSnapshotRow(Base):
    """A stored list snapshot: the files of a game that an import left, those of earlier imports too.

    Files that a later one replaced are not in it. `content` is the SHA-256 of `files` in hexadecimal digits. `created`
    is the time of the first import of exactly these files, ISO 8601 in UTC. `source` has the file names, with commas
    between. `files` is a JSON array with `[game, kind, name, text]` for each file.
    """

    __tablename__ = "list_snapshot"
    __table_args__ = (sa.UniqueConstraint("game", "content", name="one_list_snapshot_of_the_same_files"),)

    id: orm.Mapped[str] = orm.mapped_column(sa.String(80), primary_key=True)
    game: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    content: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    source: orm.Mapped[str] = orm.mapped_column(sa.Text)
    files: orm.Mapped[bytes] = orm.mapped_column(sa.LargeBinary)


class CurrentListRow(Base):
    """The current list snapshot of a game. A game without a row uses the lists that ship."""

    __tablename__ = "current_list"

    game: orm.Mapped[str] = orm.mapped_column(sa.String(20), primary_key=True)
    snapshot_id: orm.Mapped[str] = orm.mapped_column(sa.String(80), sa.ForeignKey("list_snapshot.id"))


@dataclass(frozen=True, slots=True)
class ListSnapshot:
    """A snapshot of all imported list files of a game, without the files. `source` has their names, joined by ", ".

    `created` is the time of the first import of exactly these files. `current` is True if it is in use. `new` is True
    only in the result of the import that stored it.
    """

    id: str
    game: str
    created: datetime
    source: str
    current: bool
    new: bool = False


class ListStore:
    """The list snapshots in a database. Safe to share between threads and processes.

    Every failure is a CardDataError with a sentence for the user.
    """

    def __init__(self, database: Database) -> None:
        """Store the database, which may not exist yet. Nothing is opened."""
        self.database = database

    def snapshots(self, game: str | None = None) -> list[ListSnapshot]:
        """Return the list snapshots of a game, or of all games if it is None, the newest first.

        Empty without a database.
        """
        query = _SNAPSHOTS.order_by(ListSnapshotRow.created.desc(), ListSnapshotRow.id)
        rows = self.database.rows(query if game is None else query.where(ListSnapshotRow.game == game))
        return [_read_snapshot(row) for row in rows]

    def current(self, game: str) -> ListSnapshot | None:
        """Return the current list snapshot of a game.

        None if the lists that ship are used, or if there is no database.
        """
        rows = self.database.rows(_SNAPSHOTS.where(CurrentListRow.game == game))
        return _read_snapshot(rows[0]) if rows else None

    def files(self, snapshot_id: str) -> list[ListFile]:
        """Return the files of a list snapshot.

        Raises NoSnapshot if no list snapshot has the id, DamagedSnapshot if the hash of its files is wrong, and
        NoDatabase if nothing was ever stored.
        """
        with self.database.reading() as connection:
            return _read_files(connection, snapshot_id)

    def import_files(
        self, base_lists: Callable[[str], GameLists], files: Iterable[ListFile], moment: datetime | None = None
    ) -> list[ListSnapshot]:
        """Add files to the current lists of their games, store each game's files as a snapshot, and make it current.

        The result has a snapshot for each game. All games are changed in one transaction. `base_lists` returns the
        lists of a game to which the files of all snapshots are added. A file with `replaces = true` drops the earlier
        files of its kind. The same files are the same snapshot: `new` is then False. `moment` is the time of the
        import, None for now. Raises InvalidLists with the file and the correction if a list would be invalid, and
        CardDataError for more than MOST_LIST_FILES. Nothing is changed then.
        """
        with self.database.writing(_WRITES) as connection:
            moment = moment or datetime.now(UTC)
            return [
                _import_game(connection, base_lists(game), own_files, moment)
                for game, own_files in files_by_game(files)
            ]

    def use(self, snapshot_id: str) -> ListSnapshot:
        """Make a list snapshot the current one of its game, and return it.

        Raises NoSnapshot if no list snapshot has the id.
        """
        with self.database.writing(_WRITES) as connection:
            _make_current(connection, _find_snapshot(connection, snapshot_id).game, snapshot_id)
            return _find_snapshot(connection, snapshot_id)

    def use_shipped(self, game: str) -> None:
        """Use the lists of a game that ship again. The snapshots stay. Without a database nothing is done."""
        try:
            with self.database.reading():
                pass
        except NoDatabase:
            return
        with self.database.writing(_WRITES) as connection:
            connection.execute(sa.delete(CurrentListRow).where(CurrentListRow.game == game))


_SNAPSHOTS = sa.select(
    ListSnapshotRow.id,
    ListSnapshotRow.game,
    ListSnapshotRow.created,
    ListSnapshotRow.source,
    CurrentListRow.snapshot_id.is_not(None).label("current"),
).outerjoin(CurrentListRow, CurrentListRow.snapshot_id == ListSnapshotRow.id)


def _read_snapshot(row: Any) -> ListSnapshot:
    """Return the list snapshot of a database row of the query _SNAPSHOTS. `new` is False."""
    return ListSnapshot(row.id, row.game, datetime.fromisoformat(row.created), row.source, bool(row.current))


def _no_snapshot_error(snapshot_id: str) -> NoSnapshot:
    """Return the NoSnapshot about an id that no list snapshot has. The message has its first 80 characters."""
    return NoSnapshot(
        phrase("There is no list snapshot {id!r}; `deckproof limits list` shows all.", id=snapshot_id[:80])
    )


def _find_snapshot(connection: sa.Connection, snapshot_id: str) -> ListSnapshot:
    """Return a list snapshot (without its files) by its id. Raises NoSnapshot if none has it."""
    row = connection.execute(_SNAPSHOTS.where(ListSnapshotRow.id == snapshot_id)).first()
    if row is None:
        raise _no_snapshot_error(snapshot_id)
    return _read_snapshot(row)


def _read_files(connection: sa.Connection, snapshot_id: str) -> list[ListFile]:
    """Return the files of a list snapshot.

    Raises NoSnapshot if no list snapshot has the id, and DamagedSnapshot if its files are unreadable or have a wrong
    hash.
    """
    query = sa.select(ListSnapshotRow.content, ListSnapshotRow.files).where(ListSnapshotRow.id == snapshot_id)
    row = connection.execute(query).first()
    if row is None:
        raise _no_snapshot_error(snapshot_id)
    try:
        files = [ListFile(*values) for values in orjson.loads(row.files)]
        if _content_hash(files) == row.content:
            return files
    except (orjson.JSONDecodeError, TypeError):
        pass
    raise DamagedSnapshot(
        phrase(
            "The list snapshot {id} is damaged. Choose another one with `deckproof "
            "limits use`, and import its files again.",
            id=snapshot_id,
        )
    )


def _import_game(
    connection: sa.Connection, base: GameLists, added: Sequence[ListFile], moment: datetime
) -> ListSnapshot:
    """Store the imported files of a game together with `added` as a list snapshot, make it current, and return it.

    If a snapshot has exactly these files, it is used again. `moment` is the time of the import. `base` has the lists to
    which all files are added, for a check. Raises InvalidLists if the result would be invalid. Raises the errors of
    `_read_files` and `_join_files`.
    """
    row = connection.execute(_SNAPSHOTS.where(CurrentListRow.game == base.game)).first()
    files = _join_files(_read_files(connection, row.id) if row else [], added)
    add_files(base, files, "", "")
    content = _content_hash(files)
    query = sa.select(ListSnapshotRow.id).where(ListSnapshotRow.game == base.game, ListSnapshotRow.content == content)
    found = connection.scalar(query)
    snapshot_id = found or _insert_snapshot(connection, base.game, content, files, moment)
    _make_current(connection, base.game, snapshot_id)
    return replace(_find_snapshot(connection, snapshot_id), new=not found)


def _join_files(known_files: Sequence[ListFile], added: Sequence[ListFile]) -> list[ListFile]:
    """Return the known files followed by the added ones. A file of the same kind and text is not added twice.

    A file with `replaces = true` first removes all earlier files of its kind. Raises CardDataError if there are more
    than MOST_LIST_FILES, and DocumentError for a file that is no TOML.
    """
    joined = list(known_files)
    for file in added:
        if file.document().get("replaces") is True:
            joined = [known_file for known_file in joined if known_file.kind != file.kind]
        if not any((known_file.kind, known_file.text) == (file.kind, file.text) for known_file in joined):
            joined.append(file)
    if len(joined) > MOST_LIST_FILES:
        raise CardDataError(
            phrase(
                "More than {most} files are imported. Import one whole list with `replaces = true`.",
                most=MOST_LIST_FILES,
            )
        )
    return joined


def _content_hash(files: Sequence[ListFile]) -> str:
    """Return the SHA-256 of list files (game, kind, name and text) as hexadecimal digits. Their order counts."""
    return hashlib.sha256(_files_as_json(files)).hexdigest()


def _files_as_json(files: Sequence[ListFile]) -> bytes:
    """Return list files as a JSON array of arrays: game, kind, name, text. The database stores them so."""
    return orjson.dumps([tuple(file) for file in files])


def _insert_snapshot(
    connection: sa.Connection, game: str, content: str, files: Sequence[ListFile], moment: datetime
) -> str:
    """Insert a list snapshot that was imported at `moment`, and return its id. It is not made current.

    `content` is the hash of the files. An id is `optcg-lists-20260821-1a2b3c4d`.
    """
    moment = moment.astimezone(UTC)
    snapshot_id = f"{game}-lists-{moment:%Y%m%d}-{content[:8]}"
    source = ", ".join(file.name for file in files)
    values = {"id": snapshot_id, "game": game, "content": content, "created": moment.isoformat(), "source": source}
    connection.execute(sa.insert(ListSnapshotRow), {**values, "files": _files_as_json(files)})
    return snapshot_id


def _make_current(connection: sa.Connection, game: str, snapshot_id: str) -> None:
    """Make a list snapshot the current one of a game, in place of the one before."""
    connection.execute(sa.delete(CurrentListRow).where(CurrentListRow.game == game))
    connection.execute(sa.insert(CurrentListRow), {"game": game, "snapshot_id": snapshot_id})
