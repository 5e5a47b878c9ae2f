"""The player desk: the expected and missing players of an event, and the personal links of many players.

Called by the interface `/v1/events` and by the pages of events. Links exist only while their keys are made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from api.events.base_desk import EventAccess, PartDesk, limited_concurrency, reply
from api.events.bounds import MOST_ENTRANTS
from api.events.player_json import PersonalLinkJSON, PersonalLinksJSON
from api.events.players import attendance
from api.events.players.entrant import Entrant, ExpectedPlayer, each_once
from api.events.storage.event_tables import KeyRow
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import Once, Reply
from api.service.errors import Invalid, LimitReached, Wrong


class PlayerDesk(PartDesk):
    """The expected and missing players of the events of a registration desk."""

    @limited_concurrency
    def missing(self, access: EventAccess, address: str = "") -> Reply:
        """Return the players who registered without a list, and those who are expected and have not registered.

        `address` is that of the event's page, for the reminder.
        """
        with self._desk.store.reading() as reader:
            duplicates, expected = self._desk.duplicates(reader, access.event), reader.expected(access.event.id)
        return reply(
            200, attendance.find_missing(access.event, duplicates, expected, self._desk.now(), access.say, address)
        )

    @limited_concurrency
    def compare(self, access: EventAccess, expected: Iterable[str], once: Once | None, address: str = "") -> Reply:
        """Return the players of a list who are missing. The list is not stored."""
        with self._desk.store.reading() as reader:
            entrants = self._desk.duplicates(reader, access.event).counted
        found = reply(
            200, attendance.compare_names(access.event, entrants, expected, self._desk.now(), access.say, address)
        )
        # Other writers do not wait while names are compared.
        return self._desk.write_once(access, once, lambda _: found) if once else found

    @limited_concurrency
    def expected(self, access: EventAccess) -> Reply:
        """Return the expected players, and whether each has registered."""
        with self._desk.store.reading() as reader:
            return reply(
                200, attendance.expected_json(reader.expected(access.event.id), reader.entrants(access.event.id))
            )

    def expect(
        self,
        access: EventAccess,
        players: Iterable[ExpectedPlayer],
        once: Once | None = None,
        unread: Mapping[str, Any] = {},
        note: Callable[[EventWriter, Sequence[ExpectedPlayer]], object] = lambda writer, before: None,
    ) -> Reply:
        """Replace the list of expected players. `note` is called with the list before."""
        kept = list(each_once(players))
        if len(kept) > MOST_ENTRANTS:
            raise LimitReached(f"At most {MOST_ENTRANTS:,} players are expected at an event.")

        def keep(writer: EventWriter) -> Reply:
            writer.event(access.event.id)
            before = writer.expected(access.event.id)
            writer.expect(kept, access.caller.signature)
            note(writer, before)
            return reply(200, attendance.expected_json(kept, writer.entrants(access.event.id)) | dict(unread))

        return self._desk.write_once(access, once, keep)


MISSING, ALL = GROUPS = ("missing", "all")  # the players who get new links: those without a list, or everybody


class PersonalLink(NamedTuple):
    """A player with the key of the own registration."""

    registration: str
    player: str
    player_id: str
    email: str
    key: str

    @classmethod
    def of(cls, entrant: Entrant, key: str) -> Self:
        """Return the link of a registration."""
        return cls(entrant.id, entrant.player, entrant.revision.written.player_id, entrant.where.email, key)

    def address(self, start: str) -> str:
        """Return the address to open. `start` is the address of the event's page."""
        return f"{start}/registrations/{self.registration}#key={self.key}"


class LinkDesk(PartDesk):
    """The personal links of the players of the events of a registration desk."""

    def find_links(self, access: EventAccess, keys: Iterable[str]) -> list[PersonalLink]:
        """Return the links of the keys that open a registration of the event. Other keys are ignored."""
        with self._desk.store.reading() as reader:
            owners = reader.registrations_by_key(access.event.id, keys)
            entrants = reader.entrants(access.event.id)
        return [PersonalLink.of(one, owners[one.id]) for one in entrants if one.id in owners]

    def renew_links(self, access: EventAccess, group: str | Collection[str], once: Once | None) -> Reply:
        """Make a new key for each player of a group, or of some ids. The players' old keys end."""

        def renew(writer: EventWriter) -> Reply:
            is_missing = group == MISSING  # a player with two registrations and one list is not missing
            entrants = (
                self._desk.duplicates(writer, access.event).counted if is_missing else writer.entrants(access.event.id)
            )
            chosen = _choose_entrants(group, entrants)
            by = access.caller.signature
            for one in chosen:
                writer.revoke(KeyRow.registration_id == one.id, by, one.id)
            keys = writer.add_player_keys([one.id for one in chosen], by)
            made = [PersonalLink.of(one, key) for one, key in zip(chosen, keys, strict=True)]
            return reply(200, {"links": [one._asdict() for one in made]})

        return self._desk.write_once(access, once, renew)


def _choose_entrants(group: str | Collection[str], entrants: list[Entrant]) -> list[Entrant]:
    """Return the registrations of a group or of ids. Raises Invalid if an id is not of the event."""
    if isinstance(group, str):
        wanted: Callable[[Entrant], bool] = (lambda one: not one.received) if group == MISSING else lambda one: True
        return [one for one in entrants if wanted(one)]
    ids = frozenset(group)
    if unknown := ids - {one.id for one in entrants}:
        says = f"The event has no registration {min(unknown)[:40]}. Write the ids of registrations of this event."
        raise Invalid([Wrong("/for", says)])
    return [one for one in entrants if one.id in ids]


def as_json(links: Iterable[PersonalLink], start: str) -> PersonalLinksJSON:
    """Return links as JSON, each with its address."""
    shown: list[PersonalLinkJSON] = [
        {
            "registration": one.registration,
            "player": one.player,
            "player_id": one.player_id,
            "email": one.email,
            "key": one.key,
            "link": one.address(start),
        }
        for one in links
    ]
    return {"links": shown}
