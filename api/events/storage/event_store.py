"""The store of events: reading, and writing one event at a time, in the database that everything is kept in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from api.events.players.entrant import id_key
from api.events.storage.event_reader import EventReader
from api.events.storage.event_tables import IS_NEWEST, CheckRow, EventRow, RegistrationRow, RevisionRow
from api.events.storage.event_writer import EventWriter
from api.service.errors import NoAccess
from carddb.database import Database
from carddb.errors import NoDatabase

ALL_EVENTS = "events"  # what is written by who begins one


class ListedEvent(NamedTuple):
    """An event in a list of all events. `players` is the number of registrations, with duplicates.

    `on`, `purged` and `deleted_on` are ISO days: of the event, of the end of its retention, and of its removal.
    `deleted_on` is "" unless the event is marked as deleted. `created` is an ISO moment.
    """

    id: str
    name: str
    on: str
    players: int
    purged: str
    created: str
    deleted_on: str


class PastCheck(NamedTuple):
    """A deck check in the history of a player, perhaps one that was drawn and has not begun.

    `outcome` is one of OUTCOMES, `infraction` a key of INFRACTIONS, `penalty` one of LADDER. Fields that the judge left
    out are "".
    """

    round: str
    outcome: str
    infraction: str
    penalty: str


class PastRegistration(NamedTuple):
    """A registration in the history of a player, with its deck checks in the order of their creation.

    `event` is the name of the event, `day` its ISO day, `game` the id of its game. `player` and `player_id` are as
    written in the newest revision, and `has_list` is about that.
    """

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
    """The events in a database, for reading and for writing one event at a time. Threads and processes may share it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def reading(self) -> Iterator[EventReader]:
        """Yield a reader that sees one unchanging state of the database. Raises NoAccess if there is no database."""
        try:
            with self._database.reading() as connection:
                yield EventReader(connection)
        except NoDatabase:
            raise NoAccess from None

    def list_events(self) -> list[ListedEvent]:
        """Return all events, also those that are marked as deleted, sorted by day and name."""
        players = sa.select(sa.func.count()).where(RegistrationRow.event_id == EventRow.id).scalar_subquery()
        kept = (EventRow.purged, EventRow.created, EventRow.deleted_on)
        query = sa.select(EventRow.id, EventRow.details, players, *kept)
        rows = self._database.rows(query)
        found = (
            ListedEvent(id, str(details.get("name")), str(details.get("on")), *known) for id, details, *known in rows
        )
        return sorted(found, key=lambda one: (one.on, one.name, one.id))

    def find_registrations(self, player_id: str) -> list[PastRegistration]:
        """Return the registrations with a player's id at all events that are not marked as deleted, sorted by day.

        Spaces and case of the id do not matter, nor leading zeros of an id of digits. The newest revision of a
        registration counts. Empty for an id that is blank or only zeros.
        """
        if not (key := id_key(player_id)):
            return []
        event = EventRow.id, EventRow.details
        revision = RevisionRow.player, RevisionRow.player_id, RevisionRow.deck.is_not(None)
        query = (
            sa.select(*event, RegistrationRow.id, *revision)
            .join(RegistrationRow, RegistrationRow.event_id == EventRow.id)
            .join(RevisionRow, IS_NEWEST)
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
        """Return the deck checks of some registrations by the registration's id, each in the order of creation.

        Registrations without a check are left out.
        """
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
        """Yield a writer of one event within a transaction.

        Its changes are saved together, or none of them if it raises. Other writers of the event wait. `moment` is the
        arrival of the request. At the end the entries of the audit are saved, which may raise LimitReached. After a
        deletion of personal data the database's log is emptied too. ALL_EVENTS as the id locks the creation of events.
        """
        with self._database.writing(f"event {event_id}") as connection:
            writer = EventWriter(connection, event_id, moment)
            yield writer
            writer.finish()
        if writer.removes:
            self._database.empty_log()  # if a reader needs the log still, the next purge empties it
