"""The store: snapshots of cards in a database, and which snapshot of each game is the current one.

A snapshot never changes. An import adds a new one and makes it current in one transaction: whoever
reads meanwhile sees the old one, and an import that breaks off has done nothing.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import closing
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace
from datetime import UTC
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy import orm

from carddb import construction
from carddb import documents
from carddb import migrations
from carddb.errors import CardDataError
from carddb.errors import DatabaseBusy
from carddb.errors import NoDatabase
from carddb.errors import NoSnapshot
from validator.cards import Card

PATIENCE = 5.0  # seconds to wait for a database that another program holds
_BATCH = 1000  # cards written at once


class Base(orm.DeclarativeBase):
    """The tables of the card database."""


class SnapshotRow(Base):
    """One import. `content` is a hash of the facts as the source gave them; `created` is ISO 8601, UTC."""

    __tablename__ = "snapshot"
    __table_args__ = (sa.UniqueConstraint("game", "content", name="one_snapshot_of_the_same_facts"),)

    id: orm.Mapped[str] = orm.mapped_column(sa.String(80), primary_key=True)
    game: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    content: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    source: orm.Mapped[str] = orm.mapped_column(sa.Text)
    reader_version: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    cards: orm.Mapped[int] = orm.mapped_column(sa.Integer)


class CurrentRow(Base):
    """Which snapshot of a game is asked when none is named."""

    __tablename__ = "current"

    game: orm.Mapped[str] = orm.mapped_column(sa.String(20), primary_key=True)
    snapshot_id: orm.Mapped[str] = orm.mapped_column(sa.String(80), sa.ForeignKey("snapshot.id"))


class CardRow(Base):
    """One card of a snapshot; `facts` is its document (see `carddb.documents`)."""

    __tablename__ = "card"

    snapshot_id: orm.Mapped[str] = orm.mapped_column(sa.String(80), sa.ForeignKey("snapshot.id"), primary_key=True)
    position: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    number: orm.Mapped[str] = orm.mapped_column(sa.String(60))
    name: orm.Mapped[str] = orm.mapped_column(sa.Text)
    type: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    facts: orm.Mapped[dict[str, Any]] = orm.mapped_column(sa.JSON)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One import of a game's cards. `new` is false where an import found that it had these facts."""

    id: str
    game: str
    created: datetime
    source: str
    reader_version: int
    cards: int
    current: bool
    new: bool = False


class Store:
    """Snapshots of cards in the database of a URL; safe to share between threads and processes.

    A SQLite file is made, and brought up to date, by the first import. Every failure is a
    CardDataError with a sentence for the user: `NoDatabase` where nothing was ever imported,
    `DatabaseBusy` where another program holds the database for longer than `patience` seconds.
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self._url = _parsed(url)
        self._patience = patience
        with _told(self.name):
            self._engine = _engine(self._url, patience)

    @property
    def name(self) -> str:
        """What messages call the database; without its password."""
        return self._url.render_as_string(hide_password=True)

    def snapshots(self, game: str | None = None) -> list[Snapshot]:
        """Return the snapshots of a game, or of all, the newest first."""
        query = _SNAPSHOTS.order_by(SnapshotRow.created.desc(), SnapshotRow.id)
        with self._reading() as connection:
            rows = connection.execute(query if game is None else query.where(SnapshotRow.game == game))
            return [_snapshot(row) for row in rows]

    def current(self, game: str) -> Snapshot | None:
        """Return the snapshot that a game's cards are taken from; None where there is none."""
        with self._reading() as connection:
            row = connection.execute(_SNAPSHOTS.where(CurrentRow.game == game)).first()
        return _snapshot(row) if row else None

    def snapshot(self, snapshot_id: str) -> Snapshot:
        """Return a snapshot by its id, or raise NoSnapshot."""
        with self._reading() as connection:
            return _named(connection, snapshot_id)

    def cards(self, snapshot_id: str) -> list[Card]:
        """Return the cards of a snapshot, in the source's order, or raise NoSnapshot.

        Texts that were read by an older reader are read again, for this call alone.
        """
        query = sa.select(CardRow.number, CardRow.name, CardRow.type, CardRow.facts)
        query = query.where(CardRow.snapshot_id == snapshot_id).order_by(CardRow.position)
        with self._reading() as connection:
            snapshot = _named(connection, snapshot_id)
            make = documents.Maker(snapshot.game).card
            cards = [make(*row) for row in connection.execute(query)]
        if snapshot.reader_version != construction.VERSION:
            cards = [construction.read(card) for card in cards]
        return cards

    def current_cards(self, game: str) -> list[Card]:
        """Return the cards that a game's current snapshot has, none where nothing was imported."""
        try:
            found = self.current(game)
        except NoDatabase:
            return []
        return self.cards(found.id) if found else []

    def import_cards(
        self, game: str, cards: Iterable[Card], source: str, now: datetime | None = None, aside: bool = False
    ) -> Snapshot:
        """Keep cards as a snapshot and make it current, in one transaction; `aside` only keeps it.

        The same facts are the same snapshot: it is made current, nothing is added, and `new` is false.
        """
        found = list(cards)
        if not found:
            raise CardDataError(f"There are no {game} cards to import; the catalogue stays as it is.")
        content = _content(game, found)
        with self._writing() as connection:
            known = connection.scalar(
                sa.select(SnapshotRow.id).where(SnapshotRow.game == game, SnapshotRow.content == content)
            )
            kept = known or _add(connection, game, content, found, source, now or datetime.now(UTC))
            if not aside:
                _point(connection, game, kept)
            snapshot = _named(connection, kept)
        return replace(snapshot, new=not known)

    def use(self, snapshot_id: str) -> Snapshot:
        """Make a snapshot its game's current one, or raise NoSnapshot."""
        with self._writing() as connection:
            _point(connection, _named(connection, snapshot_id).game, snapshot_id)
            return _named(connection, snapshot_id)

    def upgrade(self) -> str | None:
        """Bring the schema up to date, and return the revision that it had (None: it was empty)."""
        with self._connected(writes=True) as connection:
            return self._migrate(connection)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        if _is_missing(self._url):
            raise NoDatabase(f"There is no database {self.name} yet; import cards first.")
        with self._connected() as connection:
            revision = _revision(connection)
            if revision is None:
                raise NoDatabase(f"The database {self.name} is empty; import cards first.")
            _check_revision(revision, self.name)
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with self._connected(writes=True) as connection:
            if _is_sqlite(self._url):
                self._migrate(connection)
            elif (revision := _revision(connection)) is None:
                raise CardDataError(f"The database {self.name} has no tables yet; run `deckproof db upgrade`.")
            else:
                _check_revision(revision, self.name)
            yield connection

    @contextmanager
    def _connected(self, writes: bool = False) -> Iterator[sa.Connection]:
        """Yield a connection in a transaction; one that writes has the database to itself."""
        with _told(self.name):
            if writes and _is_sqlite(self._url):
                _make_file(self._url)
            with self._engine.connect() as connection:
                connection = connection.execution_options(writes=writes)
                with connection.begin():
                    if writes:
                        self._be_alone(connection)
                    yield connection

    def _be_alone(self, connection: sa.Connection) -> None:
        # SQLite has one writer at a time: its transaction began with BEGIN IMMEDIATE.
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text(f"set local lock_timeout = {int(self._patience * 1000)}"))
            connection.execute(sa.text("select pg_advisory_xact_lock(hashtext('deckproof'))"))

    def _migrate(self, connection: sa.Connection) -> str | None:
        revision = _revision(connection)
        if revision != migrations.HEAD:
            if revision not in (None, *migrations.REVISIONS):
                _check_revision(revision, self.name)
            migrations.migrate(connection)
        return revision


_SNAPSHOTS = sa.select(SnapshotRow.__table__, CurrentRow.snapshot_id.is_not(None).label("current")).outerjoin(
    CurrentRow, CurrentRow.snapshot_id == SnapshotRow.id
)


def _snapshot(row: sa.Row[Any]) -> Snapshot:
    created = datetime.fromisoformat(row.created)
    return Snapshot(row.id, row.game, created, row.source, row.reader_version, row.cards, bool(row.current))


def _named(connection: sa.Connection, snapshot_id: str) -> Snapshot:
    row = connection.execute(_SNAPSHOTS.where(SnapshotRow.id == snapshot_id)).first()
    if row is None:
        raise NoSnapshot(f"There is no snapshot {snapshot_id[:80]!r}; `deckproof cards list` shows those there are.")
    return _snapshot(row)


def _content(game: str, cards: Iterable[Card]) -> str:
    facts = sorted(map(documents.canonical, cards))
    return hashlib.sha256(b"\n".join([game.encode(), *facts])).hexdigest()


def _add(connection: sa.Connection, game: str, content: str, cards: Sequence[Card], source: str, now: datetime) -> str:
    now = now.astimezone(UTC)
    snapshot_id = f"{game}-{now:%Y%m%d}-{content[:8]}"
    kept = {"id": snapshot_id, "game": game, "content": content, "created": now.isoformat(), "source": source}
    connection.execute(sa.insert(SnapshotRow), {**kept, "reader_version": construction.VERSION, "cards": len(cards)})
    for start in range(0, len(cards), _BATCH):
        batch = enumerate(cards[start : start + _BATCH], start)
        connection.execute(sa.insert(CardRow), [_row(snapshot_id, at, construction.read(card)) for at, card in batch])
    return snapshot_id


def _row(snapshot_id: str, position: int, card: Card) -> dict[str, Any]:
    return {
        "snapshot_id": snapshot_id,
        "position": position,
        "number": card.number,
        "name": card.name,
        "type": card.type,
        "facts": documents.document(card),
    }


def _point(connection: sa.Connection, game: str, snapshot_id: str) -> None:
    connection.execute(sa.delete(CurrentRow).where(CurrentRow.game == game))
    connection.execute(sa.insert(CurrentRow), {"game": game, "snapshot_id": snapshot_id})


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(sa.text("select version_num from alembic_version"))
    return found


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


def _engine(url: sa.URL, patience: float) -> sa.Engine:
    # No pool: the current snapshot is asked for once a second at most, and a connection that is
    # never kept is never shared with a forked worker.
    engine = sa.create_engine(
        url,
        poolclass=sa.NullPool,
        connect_args=_patient(url, patience),
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
    )
    if _is_sqlite(url):
        sa.event.listen(engine, "connect", _leave_transactions_to_us)
        sa.event.listen(engine, "begin", _begin)
    return engine


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


def _is_missing(url: sa.URL) -> bool:
    return _is_sqlite(url) and not (url.database and Path(url.database).exists())


def _make_file(url: sa.URL) -> None:
    """Make an empty SQLite file and the folders it is in; in WAL mode imports do not keep readers waiting."""
    if not url.database or url.database == ":memory:":
        raise CardDataError("A database in memory keeps nothing; give the URL of a file.")
    file = Path(url.database)
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("pragma journal_mode = wal")


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Tell what the database or its driver says against it as a sentence."""
    try:
        yield
    except ImportError as error:
        hint = "pip install 'deckproof[postgres]'" if "psycopg" in str(error) else "install its driver"
        raise CardDataError(f"The database {name} needs a driver that is not installed: {hint}.") from error
    except exc.SQLAlchemyError as error:
        raise _failure(name, str(getattr(error, "orig", None) or error)) from error
    except (OSError, sqlite3.Error) as error:
        raise _failure(name, str(error)) from error


def _failure(name: str, said: str) -> CardDataError:
    said = said.strip().partition("\n")[0]
    if "locked" in said or "lock timeout" in said:
        return DatabaseBusy(f"The database {name} is held by another program; try again in a moment.")
    return CardDataError(f"The database {name} cannot be used: {said}.")
