"""The log of syncs: the result of each, in the database, and whether the next one is due."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import orm

from carddb.bounds import LONGEST_SYNC_ERROR, MOST_SYNC_TRIES
from carddb.database import Base, Database
from carddb.errors import CardDataError, SyncBusy

if TYPE_CHECKING:
    from carddb.snapshot_store import Snapshot
    from carddb.sync.diff import Diff

RUNNING, OK, REFUSED, FAILED = "running", "ok", "refused", "failed"
AGAIN_AFTER = timedelta(hours=1)  # longer than any sync takes
_KILLED = "It was killed."

_log = logging.getLogger(__name__)


class SyncRow(Base):
    """One sync. `begun` and `ended` are ISO 8601, UTC; one that was killed has no end."""

    __tablename__ = "sync"
    __table_args__ = (sa.Index("sync_of_a_game", "game", "begun"),)

    id: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True)
    game: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    begun: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    ended: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    result: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    why: orm.Mapped[str] = orm.mapped_column(sa.Text)
    snapshot_id: orm.Mapped[str | None] = orm.mapped_column(sa.String(80), sa.ForeignKey("snapshot.id"))


@dataclass(frozen=True, slots=True)
class Sync:
    """One sync: `result` is running, ok, refused (what was found looks wrong) or failed; `why` says more.

    One that has run for longer than any does was killed: it has failed, and has no end.
    """

    game: str
    begun: datetime
    ended: datetime | None
    result: str
    why: str
    snapshot: str | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sync found and did.

    With `doubts` the snapshot is kept aside and is not the current one; after a dry run there is none.
    `warnings` keep nothing aside: they name cards whose facts somebody should look up. `diff` is against
    the cards that were current before.
    """

    cards: int
    pages: int
    diff: Diff
    notices: tuple[str, ...]
    doubts: tuple[str, ...]
    warnings: tuple[str, ...]
    snapshot: Snapshot | None

    @property
    def refused(self) -> bool:
        """Whether the cards look wrong and are not judged with; somebody may have taken them all the same."""
        return bool(self.doubts) and not (self.snapshot and self.snapshot.current)


class SyncLog:
    """The log of the syncs in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def last(self, game: str) -> Sync | None:
        """Return the latest sync of a game, None if there was none."""
        return self._newest(SyncRow.game == game)

    def last_good(self, game: str) -> Sync | None:
        """Return the latest sync of a game whose cards were used, None if there was none."""
        return self._newest(SyncRow.game == game, SyncRow.result == OK)

    def recorded(self, game: str, work: Callable[[], Outcome]) -> Outcome:
        """Run a sync, log its result or its error, and return its result."""
        with self._database.writing("syncs") as connection:
            begun = _begin(connection, game, datetime.now(UTC))
        return self._kept(begun, work)

    def recorded_if_due(
        self, game: str, at: time, work: Callable[[], Outcome], now: datetime | None = None
    ) -> Outcome | None:
        """Do the same if the sync of the night is due that is to be made at a time of day, in UTC; else None.

        Whoever asks first makes it: others find that it is running.
        """
        now = now or datetime.now(UTC)
        night = last_night(at, now)
        # A sync that begins in days was noted by a wrong clock.
        since_then = SyncRow.begun.between(night.isoformat(), (night + timedelta(days=2)).isoformat())
        tries = sa.select(SyncRow).where(SyncRow.game == game, since_then)
        with self._database.writing("syncs") as connection:
            if not is_due(now, [_sync(row) for row in connection.execute(tries.order_by(SyncRow.begun))]):
                return None
            begun = _begin(connection, game, now)
        return self._kept(begun, work)

    def _kept(self, begun: int, work: Callable[[], Outcome]) -> Outcome:
        try:
            outcome = work()
        except SyncBusy:
            self._change(sa.delete(SyncRow).where(SyncRow.id == begun))  # the other one tells what comes of it
            raise
        except BaseException as error:
            self._end(begun, FAILED, str(error) or f"It was stopped ({type(error).__name__}).")
            raise
        result = REFUSED if outcome.refused else OK
        self._end(begun, result, "\n".join(outcome.doubts), outcome.snapshot.id if outcome.snapshot else None)
        return outcome

    def _end(self, begun: int, result: str, why: str, snapshot: str | None = None) -> None:
        ended = datetime.now(UTC).isoformat()
        row = {"ended": ended, "result": result, "why": why[:LONGEST_SYNC_ERROR], "snapshot_id": snapshot}
        self._change(sa.update(SyncRow).where(SyncRow.id == begun).values(row))

    def _change(self, statement: sa.Delete | sa.Update) -> None:
        """Note something; a sync does not fail, nor succeed, for want of a note."""
        try:
            with self._database.writing("syncs") as connection:
                connection.execute(statement)
        except CardDataError as error:
            _log.warning("What came of a sync could not be noted: %s", error)

    def _newest(self, *which: sa.ColumnElement[bool]) -> Sync | None:
        query = sa.select(SyncRow).where(*which).order_by(SyncRow.begun.desc(), SyncRow.id.desc()).limit(1)
        return next(map(_sync, self._database.rows(query)), None)


def last_night(at: time, now: datetime) -> datetime:
    """Return the last moment, not after now, at which it was a time of day in UTC."""
    now = now.astimezone(UTC)
    tonight = datetime.combine(now.date(), at, UTC)
    return tonight if tonight <= now else tonight - timedelta(days=1)


def is_due(now: datetime, tries: Sequence[Sync]) -> bool:
    """Return True if the sync of a night is due, after these tries since, the oldest first.

    One that failed or was killed is tried again after a while; one that looks wrong waits for somebody to
    look at it. So a night that was missed is made up for as soon as somebody works again.
    """
    if any(sync.result in (OK, REFUSED) for sync in tries) or len(tries) >= MOST_SYNC_TRIES:
        return False
    return not tries or now - tries[-1].begun >= AGAIN_AFTER


def _begin(connection: sa.Connection, game: str, now: datetime) -> int:
    made = connection.execute(
        sa.insert(SyncRow), {"game": game, "begun": now.astimezone(UTC).isoformat(), "result": RUNNING, "why": ""}
    )
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0])


def _sync(row: sa.Row[Any]) -> Sync:
    begun, ended = datetime.fromisoformat(row.begun), datetime.fromisoformat(row.ended) if row.ended else None
    if row.result == RUNNING and abs(datetime.now(UTC) - begun) >= AGAIN_AFTER:
        return Sync(row.game, begun, None, FAILED, _KILLED, None)
    return Sync(row.game, begun, ended, row.result, row.why, row.snapshot_id)
