"""The store: snapshots of cards in a database, and the current snapshot of each game.

A snapshot never changes. An import adds a new snapshot and makes it current in one transaction. Concurrent readers see
the old one, and an import that fails changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import orm

from carddb import construction, serialization
from carddb.bounds import DATABASE_TIMEOUT
from carddb.construction import ReadCard
from carddb.corrections import correct_cards
from carddb.data_day import IMPORTED, DataDay
from carddb.database import Base, Database
from carddb.errors import CardDataError, DamagedDatabase, DamagedSnapshot, NoDatabase, NoSnapshot
from carddb.serialization import PackedCards
from validator import clauses
from validator.cards import Card
from validator.errors import error_text
from validator.language import phrase


class SnapshotRow(Base):
    """One import of a game's cards, without the cards. A later import of the same facts adds no row.

    `content` is the SHA-256 of the facts in the source. `created` is the time of the first import, ISO 8601 in UTC.
    `as_of` is the day on which the cards were collected, ISO 8601, and `as_of_basis` its basis (see `carddb.data_day`).
    Both are null if unknown. `source` is the name of the file or site. `reader_version` is the version of the parser of
    card texts. `cards` is the number of cards. `doubts` are sentences on suspicious cards.
    """

    __tablename__ = "snapshot"
    __table_args__ = (sa.UniqueConstraint("game", "content", name="one_snapshot_of_the_same_facts"),)

    id: orm.Mapped[str] = orm.mapped_column(sa.String(80), primary_key=True)
    game: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    content: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    source: orm.Mapped[str] = orm.mapped_column(sa.Text)
    reader_version: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    cards: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    doubts: orm.Mapped[list[str]] = orm.mapped_column(sa.JSON, server_default="[]")
    as_of: orm.Mapped[str | None] = orm.mapped_column(sa.String(10))
    as_of_basis: orm.Mapped[str | None] = orm.mapped_column(sa.String(20))


class CurrentRow(Base):
    """The current snapshot of a game. A game without a row has no current snapshot."""

    __tablename__ = "current"

    game: orm.Mapped[str] = orm.mapped_column(sa.String(20), primary_key=True)
    snapshot_id: orm.Mapped[str] = orm.mapped_column(sa.String(80), sa.ForeignKey("snapshot.id"))


class CardsRow(Base):
    """The packed cards of a snapshot in the database. `data` and `checksum` are those of `PackedCards`."""

    __tablename__ = "snapshot_cards"

    snapshot_id: orm.Mapped[str] = orm.mapped_column(sa.String(80), sa.ForeignKey("snapshot.id"), primary_key=True)
    checksum: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    data: orm.Mapped[bytes] = orm.mapped_column(sa.LargeBinary)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One import of a game's cards, without the cards. `cards` is their number, `source` the name of the file or site.

    `created` is the time of the first import of these facts. `doubts` are sentences on suspicious cards, () after a
    user has made it current. An import with doubts leaves the current snapshot as it is. `data_day` is the day on which
    its cards were collected, None if unknown. `new` is True only in the result of the import that stored it.
    `reader_version` is the version of the parser of card texts.
    """

    id: str
    game: str
    created: datetime
    source: str
    reader_version: int
    cards: int
    current: bool
    doubts: tuple[str, ...] = ()
    data_day: DataDay | None = None
    new: bool = False

    @property
    def as_of(self) -> date | None:
        """The day on which the cards were collected, None if unknown."""
        return self.data_day.day if self.data_day else None

    @property
    def as_of_basis(self) -> str | None:
        """The basis of the day in `as_of`, such as "fetched" (see `carddb.data_day`). None if the day is unknown."""
        return self.data_day.basis if self.data_day else None


class Store:
    """The snapshots of cards in the database of a URL. Safe to share between threads and processes.

    The first import makes a SQLite file. Every failure is a CardDataError with a sentence for the user: `NoDatabase` if
    nothing was ever imported, `DatabaseBusy` if another program holds the database for longer than `patience` seconds.
    """

    def __init__(self, url: str, patience: float = DATABASE_TIMEOUT) -> None:
        """Store the URL of the database, without opening it.

        `patience` is the longest wait for other programs in seconds.
        """
        self.database = Database(url, patience)

    def snapshots(self, game: str | None = None) -> list[Snapshot]:
        """Return the snapshots of a game, or of all games if it is None, newest first.

        Raises NoDatabase if nothing was ever stored.
        """
        with self.database.reading() as connection:
            return list_snapshots(connection, game)

    def current(self, game: str) -> Snapshot | None:
        """Return the current snapshot of a game, None if the game has none.

        Raises NoDatabase if nothing was ever stored.
        """
        with self.database.reading() as connection:
            row = connection.execute(_SNAPSHOTS.where(CurrentRow.game == game)).first()
        return _read_snapshot(row) if row else None

    def snapshot(self, snapshot_id: str) -> Snapshot:
        """Return a snapshot (without its cards) by its id.

        Raises NoSnapshot if no snapshot has the id, and NoDatabase if nothing was ever stored.
        """
        with self.database.reading() as connection:
            return _find_snapshot(connection, snapshot_id)

    def cards(self, snapshot_id: str) -> list[Card]:
        """Return the cards of a snapshot, in the source's order, with the corrections that ship applied.

        Raises NoSnapshot if there is no such snapshot, and DamagedSnapshot if its stored cards differ from the imported
        cards. Texts that an older parser has parsed are parsed again. The stored cards stay unchanged.
        """
        with _raise_damage_with_id(snapshot_id), self.database.reading() as connection:
            snapshot = _find_snapshot(connection, snapshot_id)
            cards = serialization.unpack(snapshot.game, _stored_cards(connection, snapshot_id))
        if snapshot.reader_version != clauses.VERSION:
            cards = [construction.read(card) for card in cards]
        return correct_cards(cards)

    def current_cards(self, game: str) -> list[Card]:
        """Return the cards of a game's current snapshot, or of the newest good snapshot if that is damaged.

        A good snapshot has no damage and no doubts. The corrections that ship are applied. The list is empty if the
        game has no current snapshot, if there is no database, or if no snapshot is good.
        """
        try:
            snapshot = self.current(game)
        except NoDatabase:
            return []
        if snapshot is None:
            return []
        try:
            return self.cards(snapshot.id)
        except DamagedSnapshot:
            return next((cards for _, cards in self.good_snapshots(game)), [])

    def good_snapshots(self, game: str) -> Iterator[tuple[Snapshot, list[Card]]]:
        """Yield `(snapshot, cards)` for each snapshot of a game that has no damage and no doubts, newest first.

        The corrections that ship are applied to the cards. Raises NoDatabase if nothing was ever stored.
        """
        for snapshot in self.snapshots(game):
            with suppress(DamagedSnapshot):
                if not snapshot.doubts:
                    yield snapshot, self.cards(snapshot.id)

    def damaged_snapshots(self, game: str | None = None) -> list[str]:
        """Return the ids of a game's snapshots with stored cards that are missing, unreadable or have a wrong checksum.

        Without a game those of all games are returned. The cards are not unpacked. Raises NoDatabase if nothing was
        ever stored.
        """
        damaged = []
        for snapshot in self.snapshots(game):
            try:
                with _raise_damage_with_id(snapshot.id), self.database.reading() as connection:
                    _stored_cards(connection, snapshot.id)
            except DamagedSnapshot:
                damaged.append(snapshot.id)
        return damaged

    def import_cards(
        self,
        game: str,
        cards: Iterable[ReadCard],
        source: str,
        moment: datetime | None = None,
        doubts: Sequence[str] = (),
        data_day: DataDay | None = None,
    ) -> Snapshot:
        """Store cards as a snapshot and make it current, in one transaction. With doubts it is not made current.

        The same facts are the same snapshot: nothing is added, and `new` is False. Its stored cards are written again
        if they were damaged. Its doubts become `doubts`. `source` is the name of the source, `moment` the time of the
        import (None: now). `data_day` is the day on which the cards were collected. It replaces the stored day only if
        it is better (`DataDay.replaces`). Raises CardDataError if `cards` is empty.
        """
        cards = list(cards)
        if not cards:
            raise CardDataError(phrase("There are no {game} cards to import; the catalogue stays as it is.", game=game))
        content = serialization.content_hash(game, cards)
        with self.database.writing("cards") as connection:
            known = connection.scalar(
                sa.select(SnapshotRow.id).where(SnapshotRow.game == game, SnapshotRow.content == content)
            )
            snapshot_id = known or _insert_snapshot(
                connection, game, content, source, len(cards), moment or datetime.now(UTC)
            )
            if not known or _is_damaged(connection, snapshot_id):
                _write_cards(connection, snapshot_id, content, cards)
            if data_day and data_day.replaces(_find_snapshot(connection, snapshot_id).data_day):
                _store_data_day(connection, snapshot_id, data_day)
            if doubts:
                _store_doubts(connection, snapshot_id, doubts)
            else:
                _make_current(connection, game, snapshot_id)
            snapshot = _find_snapshot(connection, snapshot_id)
        return replace(snapshot, new=not known)

    def use(self, snapshot_id: str) -> Snapshot:
        """Make a snapshot the current one of its game, delete its doubts, and return it.

        Raises NoSnapshot if no snapshot has the id.
        """
        with self.database.writing("cards") as connection:
            _make_current(connection, _find_snapshot(connection, snapshot_id).game, snapshot_id)
            return _find_snapshot(connection, snapshot_id)


_SNAPSHOTS = sa.select(SnapshotRow.__table__, CurrentRow.snapshot_id.is_not(None).label("current")).outerjoin(
    CurrentRow, CurrentRow.snapshot_id == SnapshotRow.id
)


_STORED = sa.select(
    SnapshotRow.content,
    SnapshotRow.cards,
    CardsRow.checksum,
    sa.cast(CardsRow.data, sa.LargeBinary).label("data"),  # SQLite would decode damaged ones that it takes for text
).outerjoin(CardsRow, CardsRow.snapshot_id == SnapshotRow.id)


def _read_snapshot(row: sa.Row[Any]) -> Snapshot:
    """Return the Snapshot of a database row of the query _SNAPSHOTS. `new` is False.

    A stored day without a basis has the basis IMPORTED.
    """
    created = datetime.fromisoformat(row.created)
    values = row.id, row.game, created, row.source, row.reader_version, row.cards
    data_day = DataDay(date.fromisoformat(row.as_of), row.as_of_basis or IMPORTED) if row.as_of else None
    return Snapshot(*values, bool(row.current), tuple(row.doubts), data_day)


def list_snapshots(connection: sa.Connection, game: str | None = None) -> list[Snapshot]:
    """Return the snapshots of a game, or of all games if it is None, the newest first."""
    query = _SNAPSHOTS.order_by(SnapshotRow.created.desc(), SnapshotRow.id)
    return list(
        map(_read_snapshot, connection.execute(query if game is None else query.where(SnapshotRow.game == game)))
    )


def _find_snapshot(connection: sa.Connection, snapshot_id: str) -> Snapshot:
    """Return a snapshot (without its cards) by its id. Raises NoSnapshot if none has it."""
    row = connection.execute(_SNAPSHOTS.where(SnapshotRow.id == snapshot_id)).first()
    if row is None:
        raise NoSnapshot(
            phrase("There is no snapshot {id!r}; `deckproof cards snapshots` shows all.", id=snapshot_id[:80])
        )
    return _read_snapshot(row)


def _stored_cards(connection: sa.Connection, snapshot_id: str) -> PackedCards:
    """Return the packed cards of an existing snapshot.

    Raises ValueError if they are missing or have a wrong checksum.
    """
    row = connection.execute(_STORED.where(SnapshotRow.id == snapshot_id)).one()
    packed = PackedCards(row.data, row.checksum) if row.data else None
    return serialization.verify_content(row.content, row.cards, packed)


@contextmanager
def _raise_damage_with_id(snapshot_id: str) -> Iterator[None]:
    """Raise a ValueError or DamagedDatabase of the block as a DamagedSnapshot, whose message has the snapshot's id.

    Every other CardDataError passes unchanged, although it is a ValueError.
    """
    try:
        yield
    except ValueError as error:
        if isinstance(error, CardDataError) and not isinstance(error, DamagedDatabase):
            raise
        is_file = isinstance(error, DamagedDatabase)
        reason = phrase("the file of the database is damaged") if is_file else error_text(error)
        raise DamagedSnapshot(
            phrase(
                "The snapshot {id} is damaged: {reason}. Import its cards again, or choose "
                "another snapshot with `deckproof cards use`.",
                id=snapshot_id,
                reason=reason,
            )
        ) from error


def _is_damaged(connection: sa.Connection, snapshot_id: str) -> bool:
    """Return True if the stored cards of a snapshot are missing, have a wrong checksum, or cannot be unpacked."""
    try:
        serialization.unpack(_find_snapshot(connection, snapshot_id).game, _stored_cards(connection, snapshot_id))
    except ValueError:
        return True
    return False


def _insert_snapshot(
    connection: sa.Connection, game: str, content: str, source: str, count: int, moment: datetime
) -> str:
    """Insert the row of a new snapshot without its cards, and return its id: `optcg-20260821-1a2b3c4d`.

    `content` is the hash of its facts, `count` the number of its cards, and `moment` the time of the import.
    """
    moment = moment.astimezone(UTC)
    snapshot_id = f"{game}-{moment:%Y%m%d}-{content[:8]}"
    values = {"id": snapshot_id, "game": game, "content": content, "created": moment.isoformat(), "source": source}
    connection.execute(sa.insert(SnapshotRow), {**values, "reader_version": clauses.VERSION, "cards": count})
    return snapshot_id


def _write_cards(connection: sa.Connection, snapshot_id: str, content: str, cards: Sequence[ReadCard]) -> None:
    """Store the packed cards of a snapshot, their number and the parser's version, in place of those before.

    `content` is the hash of the snapshot's facts.
    """
    data, checksum = serialization.pack(content, cards)
    connection.execute(sa.delete(CardsRow).where(CardsRow.snapshot_id == snapshot_id))
    connection.execute(sa.insert(CardsRow), {"snapshot_id": snapshot_id, "checksum": checksum, "data": data})
    version = {"reader_version": clauses.VERSION, "cards": len(cards)}
    connection.execute(sa.update(SnapshotRow).where(SnapshotRow.id == snapshot_id).values(version))


def _make_current(connection: sa.Connection, game: str, snapshot_id: str) -> None:
    """Make a snapshot the current one of a game, in place of the one before, and delete the doubts about its cards."""
    connection.execute(sa.delete(CurrentRow).where(CurrentRow.game == game))
    connection.execute(sa.insert(CurrentRow), {"game": game, "snapshot_id": snapshot_id})
    _store_doubts(connection, snapshot_id, ())  # the user who makes it current has seen them


def _store_data_day(connection: sa.Connection, snapshot_id: str, data_day: DataDay) -> None:
    """Store the day on which the cards of a snapshot were collected, and its basis, in place of the day before."""
    values = {"as_of": data_day.day.isoformat(), "as_of_basis": data_day.basis}
    connection.execute(sa.update(SnapshotRow).where(SnapshotRow.id == snapshot_id).values(values))


def _store_doubts(connection: sa.Connection, snapshot_id: str, doubts: Sequence[str]) -> None:
    """Store the doubts about the cards of a snapshot, in place of those stored before. () deletes them."""
    connection.execute(sa.update(SnapshotRow).where(SnapshotRow.id == snapshot_id).values(doubts=list(doubts)))
