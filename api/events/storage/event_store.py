"""The store of events: reading, and writing one event at a time, in the database that everything is kept in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from api.events.storage.event_reader import EventReader
from api.events.storage.event_tables import EventRow, RegistrationRow
from api.events.storage.event_writer import EventWriter
from api.service.errors import NoAccess
from carddb.database import Database
from carddb.errors import NoDatabase

ALL_EVENTS = "events"  # what is written by who begins one


class ListedEvent(NamedTuple):
    """An event in a list of all."""

    id: str
    name: str
    on: str
    players: int
    purged: str
    created: str
    deleted_on: str


class EventStore:
    """The events of a database. Threads and processes may share it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def reading(self) -> Iterator[EventReader]:
        """Yield a reader of one state of the database. Raises NoAccess if there is no database."""
        try:
            with self._database.reading() as connection:
                yield EventReader(connection)
        except NoDatabase:
            raise NoAccess from None

    def listed(self) -> list[ListedEvent]:
        """Return all events, by their days."""
        players = sa.select(sa.func.count()).where(RegistrationRow.event_id == EventRow.id).scalar_subquery()
        kept = (EventRow.purged, EventRow.created, EventRow.deleted_on)
        query = sa.select(EventRow.id, EventRow.details, players, *kept)
        rows = self._database.rows(query)
        found = (ListedEvent(id, details["name"], details["on"], *known) for id, details, *known in rows)
        return sorted(found, key=lambda one: (one.on, one.name, one.id))

    @contextmanager
    def writing(self, event_id: str, now: datetime) -> Iterator[EventWriter]:
        """Yield a writer of one event. Its changes are saved together or not at all. Other writers of it wait."""
        with self._database.writing(f"event {event_id}") as connection:
            writer = EventWriter(connection, event_id, now)
            yield writer
            writer.finish()
        if writer.removes:
            self._database.empty_log()  # if a reader needs the log still, the next purge empties it
