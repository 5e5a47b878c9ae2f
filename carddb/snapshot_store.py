"""The store: snapshots of cards in a database, and which snapshot of each game is the current one.

A snapshot never changes. An import adds a new one and makes it current in one transaction: whoever
reads meanwhile sees the old one, and an import that breaks off has done nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import orm

from carddb import construction, serialization
from carddb.construction import ReadCard
from carddb.corrections import settled
from carddb.data_day import IMPORTED, DataDay
from carddb.database import PATIENCE, Base, Database
from carddb.errors import CardDataError, NoDatabase, NoSnapshot
from validator.cards import Card

_BATCH = 1000  # cards written at once


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


class CardRow(Base):
    """One card of a snapshot; `facts` is its document (see `carddb.serialization`)."""

    __tablename__ = "card"

    snapshot_id: orm.Mapped[str] = orm.mapped_column(sa.String(80), sa.ForeignKey("snapshot.id"), primary_key=True)
    position: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    number: orm.Mapped[str] = orm.mapped_column(sa.String(60))
    name: orm.Mapped[str] = orm.mapped_column(sa.Text)
    type: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    facts: orm.Mapped[dict[str, Any]] = orm.mapped_column(sa.JSON)


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

    A SQLite file is made, and brought up to date, by the first import. Every failure is a
    CardDataError with a sentence for the user: `NoDatabase` where nothing was ever imported,
    `DatabaseBusy` where another program holds the database for longer than `patience` seconds.
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self.database = Database(url, patience)

    def snapshots(self, game: str | None = None) -> list[Snapshot]:
        """Return the snapshots of a game, or of all, the newest first."""
        query = _SNAPSHOTS.order_by(SnapshotRow.created.desc(), SnapshotRow.id)
        with self.database.reading() as connection:
            rows = connection.execute(query if game is None else query.where(SnapshotRow.game == game))
            return [_snapshot(row) for row in rows]

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
        """Return the cards of a snapshot, in the source's order, or raise NoSnapshot.

        Texts that were read by an older reader are read again, and facts that the source has wrong are
        corrected, for this call alone.
        """
        query = sa.select(CardRow.number, CardRow.name, CardRow.type, CardRow.facts)
        query = query.where(CardRow.snapshot_id == snapshot_id).order_by(CardRow.position)
        with self.database.reading() as connection:
            snapshot = _named(connection, snapshot_id)
            make = serialization.Maker(snapshot.game).card
            cards = [make(*row) for row in connection.execute(query)]
        if snapshot.reader_version != construction.VERSION:
            cards = [construction.read(card) for card in cards]
        return settled(cards)

    def current_cards(self, game: str) -> list[Card]:
        """Return the cards that a game's current snapshot has, none where nothing was imported."""
        try:
            snapshot = self.current(game)
        except NoDatabase:
            return []
        return self.cards(snapshot.id) if snapshot else []

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

        The same facts are the same snapshot: nothing is added, and `new` is false. `data_day` is the day of which the
        cards are; it replaces the one that the snapshot has only if it is known better.
        """
        cards = list(cards)
        if not cards:
            raise CardDataError(f"There are no {game} cards to import; the catalogue stays as it is.")
        content = _content(game, cards)
        with self.database.writing("cards") as connection:
            known = connection.scalar(
                sa.select(SnapshotRow.id).where(SnapshotRow.game == game, SnapshotRow.content == content)
            )
            kept = known or _add(connection, game, content, cards, source, now or datetime.now(UTC))
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


def _snapshot(row: sa.Row[Any]) -> Snapshot:
    created = datetime.fromisoformat(row.created)
    known = row.id, row.game, created, row.source, row.reader_version, row.cards
    data_day = DataDay(date.fromisoformat(row.as_of), row.as_of_basis or IMPORTED) if row.as_of else None
    return Snapshot(*known, bool(row.current), tuple(row.doubts), data_day)


def _named(connection: sa.Connection, snapshot_id: str) -> Snapshot:
    row = connection.execute(_SNAPSHOTS.where(SnapshotRow.id == snapshot_id)).first()
    if row is None:
        raise NoSnapshot(f"There is no snapshot {snapshot_id[:80]!r}; `deckproof cards snapshots` shows all.")
    return _snapshot(row)


def _content(game: str, cards: Iterable[Card]) -> str:
    facts = sorted(map(serialization.canonical, cards))
    return hashlib.sha256(b"\n".join([game.encode(), *facts])).hexdigest()


def _add(
    connection: sa.Connection, game: str, content: str, cards: Sequence[ReadCard], source: str, now: datetime
) -> str:
    now = now.astimezone(UTC)
    snapshot_id = f"{game}-{now:%Y%m%d}-{content[:8]}"
    kept = {"id": snapshot_id, "game": game, "content": content, "created": now.isoformat(), "source": source}
    connection.execute(sa.insert(SnapshotRow), {**kept, "reader_version": construction.VERSION, "cards": len(cards)})
    for start in range(0, len(cards), _BATCH):
        batch = enumerate(cards[start : start + _BATCH], start)
        connection.execute(sa.insert(CardRow), [_row(snapshot_id, at, card) for at, card in batch])
    return snapshot_id


def _row(snapshot_id: str, position: int, card: Card) -> dict[str, Any]:
    return {
        "snapshot_id": snapshot_id,
        "position": position,
        "number": card.number,
        "name": card.name,
        "type": card.type,
        "facts": serialization.document(card),
    }


def _point(connection: sa.Connection, game: str, snapshot_id: str) -> None:
    connection.execute(sa.delete(CurrentRow).where(CurrentRow.game == game))
    connection.execute(sa.insert(CurrentRow), {"game": game, "snapshot_id": snapshot_id})
    _doubt(connection, snapshot_id, ())  # whoever takes it has seen them


def _date(connection: sa.Connection, snapshot_id: str, data_day: DataDay) -> None:
    values = {"as_of": data_day.day.isoformat(), "as_of_basis": data_day.basis}
    connection.execute(sa.update(SnapshotRow).where(SnapshotRow.id == snapshot_id).values(values))


def _doubt(connection: sa.Connection, snapshot_id: str, doubts: Sequence[str]) -> None:
    connection.execute(sa.update(SnapshotRow).where(SnapshotRow.id == snapshot_id).values(doubts=list(doubts)))
