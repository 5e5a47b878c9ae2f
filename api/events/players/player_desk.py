"""The player desk: the players who are expected at an event, and those who are missing.

Called by the interface `/v1/events` and by the pages of events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from api.events.bounds import MOST_ENTRANTS
from api.events.look_turns import limited_concurrency
from api.events.players import attendance
from api.events.players.expected_players import ExpectedPlayer, each_once
from api.events.registration_desk import EventAccess, RegistrationDesk, reply
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import Once, Reply
from api.service.errors import LimitReached


class PlayerDesk:
    """The expected and missing players of the events of a registration desk."""

    def __init__(self, desk: RegistrationDesk) -> None:
        self._desk = desk
        self.looks = desk.looks

    @limited_concurrency
    def missing(self, at: EventAccess, address: str = "") -> Reply:
        """Return the players who registered without a list, and those who are expected and have not registered.

        `address` is that of the event's page, for the reminder.
        """
        with self._desk.store.reading() as reader:
            duplicates, expected = self._desk.duplicates(reader, at.event), reader.expected(at.event.id)
        return reply(200, attendance.without_list(at.event, duplicates, expected, self._desk.now(), at.say, address))

    @limited_concurrency
    def compare(self, at: EventAccess, expected: Iterable[str], once: Once | None, address: str = "") -> Reply:
        """Return the players of a list who are missing; the list is not kept."""
        with self._desk.store.reading() as reader:
            entrants = self._desk.duplicates(reader, at.event).counted
        found = reply(200, attendance.compared(at.event, entrants, expected, self._desk.now(), at.say, address))
        # Other writers do not wait while names are compared.
        return self._desk.answered_once(at, once, lambda _: found) if once else found

    @limited_concurrency
    def expected(self, at: EventAccess) -> Reply:
        """Return the players who are expected, each with whether the player has registered."""
        with self._desk.store.reading() as reader:
            return reply(200, attendance.listed(reader.expected(at.event.id), reader.entrants(at.event.id)))

    def expect(
        self,
        at: EventAccess,
        players: Iterable[ExpectedPlayer],
        once: Once | None = None,
        unread: Mapping[str, Any] = {},
        note: Callable[[EventWriter, Sequence[ExpectedPlayer]], object] = lambda writer, before: None,
    ) -> Reply:
        """Keep a list of expected players in place of the list before, which is given to `note` afterwards."""
        kept = list(each_once(players))
        if len(kept) > MOST_ENTRANTS:
            raise LimitReached(f"At most {MOST_ENTRANTS:,} players are expected at an event.")

        def keep(writer: EventWriter) -> Reply:
            writer.event(at.event.id)
            before = writer.expected(at.event.id)
            writer.expect(kept, at.caller.signature)
            note(writer, before)
            return reply(200, attendance.listed(kept, writer.entrants(at.event.id)) | dict(unread))

        return self._desk.answered_once(at, once, keep)
