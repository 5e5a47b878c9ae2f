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
    """One sync in the database. `begun` and `ended` are ISO 8601 in UTC. Dry runs have no row.

    `ended` is null while the sync runs, and if it was killed. A killed sync still has the `result` "running" here.
    `result` and `why` are otherwise those of Sync. `snapshot_id` is null if no snapshot was stored, or if it was
    deleted.
    """

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
    """One sync in the log. `result` is running, ok, refused (its cards look wrong) or failed.

    `why` has the doubts, one on each line, or the message of the error, in English. It is "" without either. A sync
    that runs for longer than any sync takes counts as killed: it has failed, and `ended` is None. `snapshot` is the id
    of its snapshot, None if there is none. A refused sync has one, too.
    """

    game: str
    begun: datetime
    ended: datetime | None
    result: str
    why: str
    snapshot: str | None


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """The result of a sync. `cards` is the number of cards, `pages` that of the packs' pages, without the menu.

    `notices`, `doubts` and `warnings` are sentences for people. With `doubts` the snapshot is stored, and the current
    one stays as it is. `snapshot` is None after a dry run. `warnings` are about cards whose facts a person should
    check. They do not keep the snapshot from becoming current. `diff` compares the cards with those that were current
    before.
    """

    cards: int
    pages: int
    diff: Diff
    notices: tuple[str, ...]
    doubts: tuple[str, ...]
    warnings: tuple[str, ...]
    snapshot: Snapshot | None

    @property
    def is_refused(self) -> bool:
        """True if the cards look wrong and are not used. False if a user has made the snapshot current nevertheless.

        After a dry run with doubts it is True, too.
        """
        return bool(self.doubts) and not (self.snapshot and self.snapshot.current)


class SyncLog:
    """The log of the syncs in a database. Its methods raise CardDataError if the database fails.

    A failure to log the end of a sync is only a warning.
    """

    def __init__(self, database: Database) -> None:
        """Store the database whose syncs are logged. Nothing is read yet."""
        self._database = database

    def last(self, game: str) -> Sync | None:
        """Return the latest sync of a game, also a failed or running one. None if there was none."""
        return self._find_newest(SyncRow.game == game)

    def last_good(self, game: str) -> Sync | None:
        """Return the latest sync of a game with the result "ok", whose cards became current. None if there was none."""
        return self._find_newest(SyncRow.game == game, SyncRow.result == OK)

    def run(self, game: str, work: Callable[[], SyncOutcome]) -> SyncOutcome:
        """Run a sync (`work`), log its result or its error, and return its result. Raises the errors of `work`."""
        with self._database.writing("syncs") as connection:
            sync_id = _insert_running(connection, game, datetime.now(UTC))
        return self._run_and_log(sync_id, work)

    def run_if_due(
        self, game: str, night_time: time, work: Callable[[], SyncOutcome], moment: datetime | None = None
    ) -> SyncOutcome | None:
        """Run and log a sync (`work`) if the nightly sync of a game is due, and return its result.

        Return None if it is not. `night_time` is the time of the nightly sync in UTC. `moment` is the time of the call,
        None for now. The first caller runs the sync, and later callers find that it is running. Raises the errors of
        `work`.
        """
        moment = moment or datetime.now(UTC)
        night = last_night(night_time, moment)
        # A sync that begins in the future was logged by a wrong clock.
        since_then = SyncRow.begun.between(night.isoformat(), (night + timedelta(days=2)).isoformat())
        tries = sa.select(SyncRow).where(SyncRow.game == game, since_then)
        with self._database.writing("syncs") as connection:
            if not is_due(moment, [_read_sync(row) for row in connection.execute(tries.order_by(SyncRow.begun))]):
                return None
            sync_id = _insert_running(connection, game, moment)
        return self._run_and_log(sync_id, work)

    def _run_and_log(self, sync_id: int, work: Callable[[], SyncOutcome]) -> SyncOutcome:
        """Run a sync, store its result or its error in its row, and return its result. Raises the errors of `work`.

        A sync with doubts is stored as refused, an error as failed. The row is deleted on SyncBusy, because the other
        program logs its own sync.
        """
        try:
            outcome = work()
        except SyncBusy:
            self._try_to_write(sa.delete(SyncRow).where(SyncRow.id == sync_id))  # the other program logs its sync
            raise
        except BaseException as error:
            self._store_end(sync_id, FAILED, str(error) or f"It was stopped ({type(error).__name__}).")
            raise
        result = REFUSED if outcome.is_refused else OK
        self._store_end(sync_id, result, "\n".join(outcome.doubts), outcome.snapshot.id if outcome.snapshot else None)
        return outcome

    def _store_end(self, sync_id: int, result: str, reason: str, snapshot: str | None = None) -> None:
        """Store the present time as the end of a sync in its row, with its result, its reason, and its snapshot's id.

        The reason is cut to LONGEST_SYNC_ERROR characters. A failure of the database is only logged.
        """
        ended = datetime.now(UTC).isoformat()
        row = {"ended": ended, "result": result, "why": reason[:LONGEST_SYNC_ERROR], "snapshot_id": snapshot}
        self._try_to_write(sa.update(SyncRow).where(SyncRow.id == sync_id).values(row))

    def _try_to_write(self, statement: sa.Delete | sa.Update) -> None:
        """Change the log with a statement. A CardDataError becomes only a warning of `logging`."""
        try:
            with self._database.writing("syncs") as connection:
                connection.execute(statement)
        except CardDataError as error:
            _log.warning("What came of a sync could not be noted: %s", error)

    def _find_newest(self, *conditions: sa.ColumnElement[bool]) -> Sync | None:
        """Return the sync that began last of those that meet all conditions, None if there is none."""
        query = sa.select(SyncRow).where(*conditions).order_by(SyncRow.begun.desc(), SyncRow.id.desc()).limit(1)
        return next(map(_read_sync, self._database.rows(query)), None)


def last_night(night_time: time, moment: datetime) -> datetime:
    """Return the last moment before or at `moment` that has this time of day in UTC."""
    moment = moment.astimezone(UTC)
    tonight = datetime.combine(moment.date(), night_time, UTC)
    return tonight if tonight <= moment else tonight - timedelta(days=1)


def is_due(moment: datetime, tries: Sequence[Sync]) -> bool:
    """Return True if the sync of a night is due at a moment, after these `tries` in that night, oldest first.

    A sync that runs, failed or was killed is tried again AGAIN_AFTER after its beginning, at most MOST_SYNC_TRIES times
    in all. A sync that was ok or refused is not tried again.
    """
    if any(sync.result in (OK, REFUSED) for sync in tries) or len(tries) >= MOST_SYNC_TRIES:
        return False
    return not tries or moment - tries[-1].begun >= AGAIN_AFTER


def _insert_running(connection: sa.Connection, game: str, moment: datetime) -> int:
    """Insert the row of a sync that begins at `moment` and is running, and return its id."""
    made = connection.execute(
        sa.insert(SyncRow), {"game": game, "begun": moment.astimezone(UTC).isoformat(), "result": RUNNING, "why": ""}
    )
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0])


def _read_sync(row: sa.Row[Any]) -> Sync:
    """Return the sync of a database row.

    A row that is still "running" after AGAIN_AFTER is a failed sync that was killed. So is one that begins as far in
    the future, by a wrong clock.
    """
    begun, ended = datetime.fromisoformat(row.begun), datetime.fromisoformat(row.ended) if row.ended else None
    if row.result == RUNNING and abs(datetime.now(UTC) - begun) >= AGAIN_AFTER:
        return Sync(row.game, begun, None, FAILED, _KILLED, None)
    return Sync(row.game, begun, ended, row.result, row.why, row.snapshot_id)
