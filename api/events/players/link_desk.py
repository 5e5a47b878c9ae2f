"""The link desk: the personal links of many players, which exist only in the moment in which their keys are made.

Called by the interface `/v1/events` and by the pages `/events/…/links` and `/events/…/import`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple, Self

from api.events.player_json import PersonalLinkJSON, PersonalLinksJSON
from api.events.players.entrant import Entrant
from api.events.registration_desk import EventAccess, RegistrationDesk, reply
from api.events.storage.event_tables import KeyRow
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import Once, Reply
from api.service.errors import Invalid, Wrong

MISSING, ALL = GROUPS = ("missing", "all")  # the players who get new links: those without a list, or everybody


class PersonalLink(NamedTuple):
    """A player with the key of the own registration."""

    registration: str
    player: str
    player_id: str
    email: str
    key: str

    @classmethod
    def of(cls, one: Entrant, key: str) -> Self:
        """Return the link of a registration."""
        return cls(one.id, one.player, one.revision.written.player_id, one.where.email, key)

    def address(self, start: str) -> str:
        """Return the address to open. `start` is the address of the event's page."""
        return f"{start}/registrations/{self.registration}#key={self.key}"


class LinkDesk:
    """The personal links of the players of the events of a registration desk."""

    def __init__(self, desk: RegistrationDesk) -> None:
        self._desk = desk

    def find_links(self, at: EventAccess, keys: Iterable[str]) -> list[PersonalLink]:
        """Return the links of the keys that open a registration of the event. Other keys are ignored."""
        with self._desk.store.reading() as reader:
            owners = reader.registrations_by_key(at.event.id, keys)
            entrants = reader.entrants(at.event.id)
        return [PersonalLink.of(one, owners[one.id]) for one in entrants if one.id in owners]

    def renew_links(self, at: EventAccess, group: str | Collection[str], once: Once | None) -> Reply:
        """Make a new key for each player of a group, or of some ids. The players' old keys end."""

        def renew(writer: EventWriter) -> Reply:
            is_missing = group == MISSING  # a player with two registrations and one list is not missing
            entrants = self._desk.duplicates(writer, at.event).counted if is_missing else writer.entrants(at.event.id)
            chosen = _chosen(group, entrants)
            by = at.caller.signature
            for one in chosen:
                writer.revoke(KeyRow.registration_id == one.id, by, one.id)
            keys = writer.add_player_keys([one.id for one in chosen], by)
            made = [PersonalLink.of(one, key) for one, key in zip(chosen, keys, strict=True)]
            return reply(200, {"links": [one._asdict() for one in made]})

        return self._desk.answered_once(at, once, renew)


def _chosen(group: str | Collection[str], entrants: list[Entrant]) -> list[Entrant]:
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
