"""The store of events: reading, and writing one event at a time, in the database that everything is kept in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from api.events.players.entrant import id_key
from api.events.storage.event_reader import EventReader
from api.events.storage.event_tables import CheckRow, EventRow, RegistrationRow, RevisionRow
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


class PastCheck(NamedTuple):
    """A deck check in the history of a player. Fields that the judge left out are ""."""

    round: str
    outcome: str
    infraction: str
    penalty: str


class PastRegistration(NamedTuple):
    """A registration in the history of a player, with its deck checks in the order in which they began."""

    event_id: str
    event: str
    day: str
    game: str
    registration_id: str
    player: str
    player_id: str
    has_list: bool
    checks: list[PastCheck]


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

    def list_events(self) -> list[ListedEvent]:
        """Return all events, by their days."""
        players = sa.select(sa.func.count()).where(RegistrationRow.event_id == EventRow.id).scalar_subquery()
        kept = (EventRow.purged, EventRow.created, EventRow.deleted_on)
        query = sa.select(EventRow.id, EventRow.details, players, *kept)
        rows = self._database.rows(query)
        found = (ListedEvent(id, details["name"], details["on"], *known) for id, details, *known in rows)
        return sorted(found, key=lambda one: (one.on, one.name, one.id))

    def find_registrations(self, player_id: str) -> list[PastRegistration]:
        """Return the registrations with a player's id at all events that are not deleted, by day.

        Spaces, case and leading zeros of the id do not matter. The newest revision of a registration counts. Empty for
        an id without letters and digits.
        """
        if not (key := id_key(player_id)):
            return []
        newest = sa.and_(
            RevisionRow.registration_id == RegistrationRow.id, RevisionRow.number == RegistrationRow.latest
        )
        event = EventRow.id, EventRow.details
        revision = RevisionRow.player, RevisionRow.player_id, RevisionRow.deck.is_not(None)
        query = (
            sa.select(*event, RegistrationRow.id, *revision)
            .join(RegistrationRow, RegistrationRow.event_id == EventRow.id)
            .join(RevisionRow, newest)
            .where(EventRow.deleted_on == "", RevisionRow.player_id != "")
        )
        rows = [row for row in self._database.rows(query) if id_key(row[4]) == key]
        checks = self._checks_of([row[2] for row in rows])
        found = [
            PastRegistration(
                event_id,
                event["name"],
                event["on"],
                event["game"],
                id,
                player,
                written_id,
                has_list,
                checks.get(id, []),
            )
            for event_id, event, id, player, written_id, has_list in rows
        ]
        return sorted(found, key=lambda registration: (registration.day, registration.event, registration.event_id))

    def _checks_of(self, registration_ids: Sequence[str]) -> dict[str, list[PastCheck]]:
        """Return the deck checks of some registrations, by registration."""
        query = sa.select(CheckRow.registration_id, CheckRow.notes).where(
            CheckRow.registration_id.in_(registration_ids)
        )
        found: dict[str, list[PastCheck]] = {}
        for registration_id, notes in self._database.rows(query.order_by(CheckRow.created, CheckRow.id)):
            check = PastCheck(notes["round"], notes["outcome"], notes["infraction"], notes["penalty"])
            found.setdefault(registration_id, []).append(check)
        return found

    @contextmanager
    def writing(self, event_id: str, moment: datetime) -> Iterator[EventWriter]:
        """Yield a writer of one event. Its changes are saved together or not at all. Other writers of it wait."""
        with self._database.writing(f"event {event_id}") as connection:
            writer = EventWriter(connection, event_id, moment)
            yield writer
            writer.finish()
        if writer.removes:
            self._database.empty_log()  # if a reader needs the log still, the next purge empties it
