"""The store: snapshots of cards in a database, and which snapshot of each game is the current one.

A snapshot never changes. An import adds a new one and makes it current in one transaction: whoever
reads meanwhile sees the old one, and an import that breaks off has done nothing.
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
from carddb.corrections import settled
from carddb.data_day import IMPORTED, DataDay
from carddb.database import Base, Database
from carddb.errors import CardDataError, DamagedDatabase, DamagedSnapshot, NoDatabase, NoSnapshot
from carddb.serialization import PackedCards
from validator.cards import Card


class SnapshotRow(Base):
    """One import. `content` is a hash of the facts as the source gave them; `created` is ISO 8601, UTC.

    `as_of` is the day of which the cards are, ISO 8601, and `as_of_basis` what that is known from (see
    `carddb.data_day`); both are null if nothing tells.
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
    """Which snapshot of a game is asked when none is named."""

    __tablename__ = "current"

    game: orm.Mapped[str] = orm.mapped_column(sa.String(20), primary_key=True)
    snapshot_id: orm.Mapped[str] = orm.mapped_column(sa.String(80), sa.ForeignKey("snapshot.id"))


class CardsRow(Base):
    """The cards of a snapshot in one piece, with its checksum (see `carddb.packed_cards`)."""

    __tablename__ = "snapshot_cards"

    snapshot_id: orm.Mapped[str] = orm.mapped_column(sa.String(80), sa.ForeignKey("snapshot.id"), primary_key=True)
    checksum: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    data: orm.Mapped[bytes] = orm.mapped_column(sa.LargeBinary)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One import of a game's cards. `new` is false where an import found that it had these facts.

    `doubts` say what looks wrong with one that is kept aside. `data_day` is the day of which its cards are, None if
    nothing tells.
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
        """The day of which its cards are, None if nothing tells."""
        return self.data_day.day if self.data_day else None

    @property
    def as_of_basis(self) -> str | None:
        """What the day is known from, None if nothing tells."""
        return self.data_day.basis if self.data_day else None


class Store:
    """Snapshots of cards in the database of a URL; safe to share between threads and processes.

    A SQLite file is made by the first import. Every failure is a CardDataError with a sentence for the user:
    `NoDatabase` if nothing was ever imported, `DatabaseBusy` if another program holds the database for longer than
    `patience` seconds.
    """

    def __init__(self, url: str, patience: float = DATABASE_TIMEOUT) -> None:
        self.database = Database(url, patience)

    def snapshots(self, game: str | None = None) -> list[Snapshot]:
        """Return the snapshots of a game, or of all, the newest first."""
        with self.database.reading() as connection:
            return list_snapshots(connection, game)

    def current(self, game: str) -> Snapshot | None:
        """Return the snapshot that a game's cards are taken from; None where there is none."""
        with self.database.reading() as connection:
            row = connection.execute(_SNAPSHOTS.where(CurrentRow.game == game)).first()
        return _snapshot(row) if row else None

    def snapshot(self, snapshot_id: str) -> Snapshot:
        """Return a snapshot by its id, or raise NoSnapshot."""
        with self.database.reading() as connection:
            return _named(connection, snapshot_id)

    def cards(self, snapshot_id: str) -> list[Card]:
        """Return the cards of a snapshot, in the source's order.

        Raises NoSnapshot if there is no such snapshot, and DamagedSnapshot if its stored cards are not those that were
        imported. Texts that were read by an older reader are read again, and facts that the source has wrong are
        corrected, for this call only.
        """
        with _naming_damage(snapshot_id), self.database.reading() as connection:
            snapshot = _named(connection, snapshot_id)
            cards = serialization.unpack(snapshot.game, _stored_cards(connection, snapshot_id))
        if snapshot.reader_version != construction.VERSION:
            cards = [construction.read(card) for card in cards]
        return settled(cards)

    def current_cards(self, game: str) -> list[Card]:
        """Return the cards of a game's current snapshot, or of its last good one if that is damaged.

        The list is empty if nothing was imported, or nothing else is good.
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
        """Yield the snapshots of a game that are neither damaged nor kept aside with their cards, the newest first."""
        for snapshot in self.snapshots(game):
            with suppress(DamagedSnapshot):
                if not snapshot.doubts:
                    yield snapshot, self.cards(snapshot.id)

    def damaged_snapshots(self, game: str | None = None) -> list[str]:
        """Return the ids of the snapshots of a game, or of all games, whose stored cards are damaged."""
        damaged = []
        for snapshot in self.snapshots(game):
            try:
                with _naming_damage(snapshot.id), self.database.reading() as connection:
                    _stored_cards(connection, snapshot.id)
            except DamagedSnapshot:
                damaged.append(snapshot.id)
        return damaged

    def import_cards(
        self,
        game: str,
        cards: Iterable[ReadCard],
        source: str,
        now: datetime | None = None,
        doubts: Sequence[str] = (),
        data_day: DataDay | None = None,
    ) -> Snapshot:
        """Keep cards as a snapshot and make it current, in one transaction; one with doubts is only kept.

        The same facts are the same snapshot: nothing is added, and `new` is false. Its stored cards are written again
        if they were damaged. `data_day` is the day of which the
        cards are; it replaces the one that the snapshot has only if it is known better.
        """
        cards = list(cards)
        if not cards:
            raise CardDataError(f"There are no {game} cards to import; the catalogue stays as it is.")
        content = serialization.content_hash(game, cards)
        with self.database.writing("cards") as connection:
            known = connection.scalar(
                sa.select(SnapshotRow.id).where(SnapshotRow.game == game, SnapshotRow.content == content)
            )
            kept = known or _add(connection, game, content, source, len(cards), now or datetime.now(UTC))
            if not known or _is_damaged(connection, kept):
                _write_cards(connection, kept, content, cards)
            if data_day and data_day.replaces(_named(connection, kept).data_day):
                _date(connection, kept, data_day)
            if doubts:
                _doubt(connection, kept, doubts)
            else:
                _point(connection, game, kept)
            snapshot = _named(connection, kept)
        return replace(snapshot, new=not known)

    def use(self, snapshot_id: str) -> Snapshot:
        """Make a snapshot its game's current one, or raise NoSnapshot."""
        with self.database.writing("cards") as connection:
            _point(connection, _named(connection, snapshot_id).game, snapshot_id)
            return _named(connection, snapshot_id)


_SNAPSHOTS = sa.select(SnapshotRow.__table__, CurrentRow.snapshot_id.is_not(None).label("current")).outerjoin(
    CurrentRow, CurrentRow.snapshot_id == SnapshotRow.id
)


_STORED = sa.select(
    SnapshotRow.content,
    SnapshotRow.cards,
    CardsRow.checksum,
    sa.cast(CardsRow.data, sa.LargeBinary).label("data"),  # SQLite would decode damaged ones that it takes for text
).outerjoin(CardsRow, CardsRow.snapshot_id == SnapshotRow.id)


def _snapshot(row: sa.Row[Any]) -> Snapshot:
    created = datetime.fromisoformat(row.created)
    known = row.id, row.game, created, row.source, row.reader_version, row.cards
    data_day = DataDay(date.fromisoformat(row.as_of), row.as_of_basis or IMPORTED) if row.as_of else None
    return Snapshot(*known, bool(row.current), tuple(row.doubts), data_day)


def list_snapshots(connection: sa.Connection, game: str | None = None) -> list[Snapshot]:
    """Return the snapshots of a game, or of all games, the newest first."""
    query = _SNAPSHOTS.order_by(SnapshotRow.created.desc(), SnapshotRow.id)
    return list(map(_snapshot, connection.execute(query if game is None else query.where(SnapshotRow.game == game))))


def _named(connection: sa.Connection, snapshot_id: str) -> Snapshot:
    row = connection.execute(_SNAPSHOTS.where(SnapshotRow.id == snapshot_id)).first()
    if row is None:
        raise NoSnapshot(f"There is no snapshot {snapshot_id[:80]!r}; `deckproof cards snapshots` shows all.")
    return _snapshot(row)


def _stored_cards(connection: sa.Connection, snapshot_id: str) -> PackedCards:
    """Return the packed cards of a snapshot. Raises ValueError if they are not those that were imported."""
    row = connection.execute(_STORED.where(SnapshotRow.id == snapshot_id)).one()
    packed = PackedCards(row.data, row.checksum) if row.data else None
    return serialization.verify(row.content, row.cards, packed)


@contextmanager
def _naming_damage(snapshot_id: str) -> Iterator[None]:
    """Raise the errors of packed cards, and of a damaged file, as a DamagedSnapshot that names the snapshot."""
    try:
        yield
    except ValueError as error:
        if isinstance(error, CardDataError) and not isinstance(error, DamagedDatabase):
            raise
        reason = "the file of the database is damaged" if isinstance(error, DamagedDatabase) else error
        raise DamagedSnapshot(
            f"The snapshot {snapshot_id} is damaged: {reason}. Import its cards again, or choose another snapshot with "
            f"`deckproof cards use`."
        ) from error


def _is_damaged(connection: sa.Connection, snapshot_id: str) -> bool:
    try:
        serialization.unpack(_named(connection, snapshot_id).game, _stored_cards(connection, snapshot_id))
    except ValueError:
        return True
    return False


def _add(connection: sa.Connection, game: str, content: str, source: str, count: int, now: datetime) -> str:
    now = now.astimezone(UTC)
    snapshot_id = f"{game}-{now:%Y%m%d}-{content[:8]}"
    kept = {"id": snapshot_id, "game": game, "content": content, "created": now.isoformat(), "source": source}
    connection.execute(sa.insert(SnapshotRow), {**kept, "reader_version": construction.VERSION, "cards": count})
    return snapshot_id


def _write_cards(connection: sa.Connection, snapshot_id: str, content: str, cards: Sequence[ReadCard]) -> None:
    """Store the cards of a snapshot as this reader has read them, in place of those that were stored."""
    data, checksum = serialization.pack(content, cards)
    connection.execute(sa.delete(CardsRow).where(CardsRow.snapshot_id == snapshot_id))
    connection.execute(sa.insert(CardsRow), {"snapshot_id": snapshot_id, "checksum": checksum, "data": data})
    version = {"reader_version": construction.VERSION, "cards": len(cards)}
    connection.execute(sa.update(SnapshotRow).where(SnapshotRow.id == snapshot_id).values(version))


def _point(connection: sa.Connection, game: str, snapshot_id: str) -> None:
    connection.execute(sa.delete(CurrentRow).where(CurrentRow.game == game))
    connection.execute(sa.insert(CurrentRow), {"game": game, "snapshot_id": snapshot_id})
    _doubt(connection, snapshot_id, ())  # whoever takes it has seen them


def _date(connection: sa.Connection, snapshot_id: str, data_day: DataDay) -> None:
    values = {"as_of": data_day.day.isoformat(), "as_of_basis": data_day.basis}
    connection.execute(sa.update(SnapshotRow).where(SnapshotRow.id == snapshot_id).values(values))


def _doubt(connection: sa.Connection, snapshot_id: str, doubts: Sequence[str]) -> None:
    connection.execute(sa.update(SnapshotRow).where(SnapshotRow.id == snapshot_id).values(doubts=list(doubts)))
