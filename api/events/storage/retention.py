"""Retention: events whose time is over are marked as deleted, and removed some days later, by a clock that is trusted.

Called by the worker each minute, by the command `deckproof events purge` and by `/readyz`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import orm

from api.events.storage import idempotency
from api.events.storage.event_keys import ADMIN
from api.events.storage.event_reader import EventReader
from api.events.storage.event_store import ALL_EVENTS, EventStore
from api.events.storage.event_tables import UNUSED_UNTIL, AnswerRow, EventRow
from api.events.tournament import Tournament
from api.service.errors import NoAccess, UnreadableRow
from carddb.database import Base, Database
from carddb.errors import NoDatabase

_log = logging.getLogger(__name__)

_UNUSED_ENTRIES = 3  # of an audit after the creation: the event, the organiser's key and a judge's key


class EndedRetention(NamedTuple):
    """The numbers of events that were marked as deleted, and of those that were removed for good.

    `removed` has also unused events of strangers, which are removed without a mark.
    """

    marked: int = 0
    removed: int = 0


def end_retention(database: Database, moment: datetime, grace: timedelta) -> EndedRetention:
    """Mark the events whose retention has ended as deleted, and remove those whose day of removal has come.

    An event that is marked now is removed after the time `grace`. Also removes unused events of strangers at once, and
    answers to requests that are older than a day. Returns the numbers of marked and of all removed events, (0, 0)
    without a database. Call this only if the clock is trusted.
    """
    try:
        with database.reading() as connection:
            ended, gone = _find_ended(connection, moment), _find_gone(connection, moment)
            has_expired_answers = connection.scalar(_expired_answer(moment)) is not None
    except NoDatabase:
        return EndedRetention()
    store = EventStore(database)
    removed = sum([_remove(store, event_id, moment) for event_id in gone])
    marked = sum([_mark(store, event_id, moment, grace) for event_id in ended])
    if has_expired_answers:
        with database.writing(ALL_EVENTS) as connection:
            idempotency.forget(connection, moment)
    return EndedRetention(marked, removed)


def _find_ended(connection: sa.Connection, moment: datetime) -> list[str]:
    """Return the ids of events whose retention ends by the day of a moment, and that are not marked as deleted."""
    is_ended = (EventRow.purged <= _day(moment), EventRow.deleted_on == "")
    return list(connection.scalars(sa.select(EventRow.id).where(*is_ended)))


def _find_gone(connection: sa.Connection, moment: datetime) -> Iterable[str]:
    """Return the ids of events to remove: those whose day of removal has come, and unused events of strangers.

    An event is unused if its day `unused_until` has come and its audit has no entry after those of its creation.
    """
    is_over = sa.and_(EventRow.deleted_on != "", EventRow.deleted_on <= _day(moment))
    is_unused = sa.and_(_day(moment) >= UNUSED_UNTIL, EventRow.audited <= _UNUSED_ENTRIES)
    return list(connection.scalars(sa.select(EventRow.id).where(sa.or_(is_over, is_unused))))


def _expired_answer(moment: datetime) -> sa.Select[str]:
    """Return the SQL query for the id of one answer to a repeatable request that is older than a day at a moment."""
    return sa.select(AnswerRow.id).where(AnswerRow.at < (moment - idempotency.KEPT).isoformat()).limit(1)


def _remove(store: EventStore, event_id: str, moment: datetime) -> bool:
    """Remove an event for good, and return True. False if it was restored or used meanwhile, or is gone already.

    An event whose settings cannot be read is left, with a warning in the log.
    """
    try:
        with store.writing(event_id, moment) as writer:
            event = writer.event(event_id)
            is_over = event.deleted_on is not None and event.deleted_on.isoformat() <= _day(moment)
            if not (is_over or _is_unused(writer, event, moment)):
                return False
            writer.remove_event()
    except NoAccess:
        return False
    except UnreadableRow as error:
        _log.warning("Event %s is not removed: %s", event_id, error)
        return False
    return True


def _is_unused(reader: EventReader, event: Tournament, moment: datetime) -> bool:
    """Return True if a stranger created the event, its day `unused_until` has come and nothing was done with it.

    Then its audit has no entry after those of its creation.
    """
    is_late = event.unused_until is not None and event.unused_until.isoformat() <= _day(moment)
    return is_late and reader.audit_head(event.id)[0] <= _UNUSED_ENTRIES


def _mark(store: EventStore, event_id: str, moment: datetime, grace: timedelta) -> bool:
    """Mark an event as deleted, to be removed after `grace`, and return True.

    False if it is marked or gone already, or if somebody wrote meanwhile, so that its retention has not ended. An event
    whose settings cannot be read is left, with a warning in the log.
    """
    try:
        with store.writing(event_id, moment) as writer:
            event = writer.event(event_id)
            if event.deleted_on is not None or event.retention_end.isoformat() > _day(moment):
                return False
            writer.mark_deleted((moment + grace).astimezone(UTC).date(), ADMIN)
    except NoAccess:
        return False
    except UnreadableRow as error:
        _log.warning("Event %s is not marked as deleted: %s", event_id, error)
        return False
    return True


def _day(moment: datetime) -> str:
    """Return the day of a moment in UTC, as ISO text."""
    return moment.astimezone(UTC).date().isoformat()


FAR = timedelta(days=30)  # ahead of the last look that was trusted, or of the newest write
STEADY = timedelta(days=7)  # without a jump, after which a clock is trusted all the same
_BACK = timedelta(hours=1)  # a larger step back is a jump
_ID = "retention"


class ClockRow(Base):
    """The table with the last look at the clock, in its only row. Its moments are ISO texts of those of ClockLook.

    `warned` is the ISO day of the last warning, "" if there is none since the time was last confirmed.
    """

    __tablename__ = "retention_clock"

    id: orm.Mapped[str] = orm.mapped_column(sa.String(20), primary_key=True)
    seen: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    trusted: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    steady_since: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    warned: orm.Mapped[str] = orm.mapped_column(sa.String(10))


class ClockLook(NamedTuple):
    """A look at the clock of the machine: `seen` is the time that it showed.

    `trusted` is the last shown time that was trusted, equal to `seen` if this one is. Before any it is the end of the
    day of the newest write. `steady_since` is the time of the last jump, or of the first look. After an administrator
    has confirmed the time it is 7 days before that.
    """

    seen: datetime
    trusted: datetime
    steady_since: datetime

    @property
    def is_trusted(self) -> bool:
        """Return True if the time of this look is trusted, so that events may be deleted by this clock."""
        return self.trusted == self.seen

    @property
    def trusted_from(self) -> datetime:
        """The moment from which the clock is trusted, if it makes no jump until then: 7 days after the last jump."""
        return self.steady_since + STEADY

    def advance(self, moment: datetime, newest_write: datetime | None) -> ClockLook:
        """Return the next look, at `moment`. This look is not changed.

        The clock jumped if it went back by more than an hour or ahead by more than 30 days since this look. It is
        trusted if it made no jump for 7 days. It is also trusted if it is at most 30 days after the last trusted time
        and `newest_write`. `newest_write` is that of all events, None if there is none.
        """
        is_jump = not -_BACK <= moment - self.seen <= FAR
        steady_since = moment if is_jump else self.steady_since
        is_far = moment - self.trusted > FAR or (newest_write is not None and moment - newest_write > FAR)
        is_trusted = not is_far or moment - steady_since >= STEADY
        return ClockLook(moment, moment if is_trusted else self.trusted, steady_since)


class ClockState(NamedTuple):
    """A look at the clock.

    `is_warning_due`: it is the first untrusted look of its day (UTC), at which to warn the operator.
    """

    look: ClockLook
    is_warning_due: bool


class RetentionClock:
    """The clock by which events are deleted. Its last look is stored in the database for all workers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def last_look(self) -> ClockLook | None:
        """Return the last stored look, None if there was none."""
        rows = self._database.rows(sa.select(ClockRow.seen, ClockRow.trusted, ClockRow.steady_since))
        return ClockLook(*map(datetime.fromisoformat, rows[0])) if rows else None

    def look(self, moment: datetime) -> ClockState | None:
        """Compare `moment` with the last look at the clock, store the new look in its place, and return it.

        At the first look the newest write of all events, else `moment`, counts as the last trusted time. A warning is
        due once a day while the clock is not trusted, and its day is stored. Returns None, and stores nothing, if there
        is no database.
        """
        try:
            with self._database.reading() as connection:
                newest_write = _newest_write(connection)
        except NoDatabase:
            return None
        with self._database.writing("retention clock") as connection:
            row = connection.execute(sa.select(ClockRow.__table__)).first()
            before = ClockLook(moment, newest_write or moment, moment) if row is None else _look_of(row)
            look = before.advance(moment, newest_write)
            today = moment.astimezone(UTC).date().isoformat()
            is_warning_due = not look.is_trusted and (row is None or row.warned != today)
            _keep(connection, look, today if is_warning_due else row.warned if row else "")
        return ClockState(look, is_warning_due)

    def confirm(self, moment: datetime) -> None:
        """Store a look that trusts the clock from `moment` on, because an administrator has confirmed the time."""
        with self._database.writing("retention clock") as connection:
            _keep(connection, ClockLook(moment, moment, moment - STEADY), "")


def _newest_write(connection: sa.Connection) -> datetime | None:
    """Return the end of the day of the newest write of all events, in UTC. None if no event has such a day."""
    day: str | None = connection.scalar(sa.select(sa.func.max(EventRow.written)))
    return datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1) if day else None


def _look_of(row: sa.Row[Any]) -> ClockLook:
    """Return the look at the clock that a row has stored."""
    return ClockLook(*(datetime.fromisoformat(getattr(row, name)) for name in ClockLook._fields))


def _keep(connection: sa.Connection, look: ClockLook, warned: str) -> None:
    """Store a look at the clock in place of the last one. `warned` is the ISO day of the last warning, "" for none."""
    connection.execute(sa.delete(ClockRow))
    times = {name: moment.isoformat() for name, moment in look._asdict().items()}
    connection.execute(sa.insert(ClockRow), {"id": _ID, "warned": warned, **times})
