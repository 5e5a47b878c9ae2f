"""The player desk: the expected and missing players of an event, and the personal links of many players.

Called by the interface `/v1/events` and by the pages of events. Links exist only while their keys are made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, Self

from api.events.base_desk import EventAccess, PartDesk, limited_concurrency, reply
from api.events.bounds import MOST_ENTRANTS
from api.events.player_json import PersonalLinkJSON, PersonalLinksJSON, UnreadRowsJSON
from api.events.players import attendance
from api.events.players.entrant import Entrant, ExpectedPlayer, drop_repeated
from api.events.storage.event_tables import KeyRow
from api.events.storage.event_writer import EventWriter
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.service.errors import Invalid, LimitReached, Wrong
from validator.language import phrase


class PlayerDesk(PartDesk):
    """Lists, compares and replaces the expected players of an event, and lists the missing ones."""

    @limited_concurrency
    def list_missing(self, access: EventAccess, address: str = "") -> Reply:
        """Answer with the registered players without a list, the expected players who have not registered, and a text.

        The text is a reminder to both. `address` is that of the event's page, for the reminder, "" for none. Raises
        Busy if too many requests wait.
        """
        with self._desk.store.reading() as reader:
            duplicates, expected = self._desk.duplicates(reader, access.event), reader.expected_players(access.event.id)
        return reply(
            200,
            attendance.find_missing(access.event, duplicates, expected, self._desk.now(), access.translate, address),
        )

    @limited_concurrency
    def compare(
        self, access: EventAccess, expected: Iterable[str], request: RepeatableRequest | None, address: str = ""
    ) -> Reply:
        """Compare the names `expected` with the registered players, and answer with who is missing.

        The names are not stored. Of duplicates only the registration that counts is compared. `address` is that of the
        event's page, for the reminder, "" for none. A `request` stores the answer, and a repeated one gets it. Raises
        Busy if too many requests wait.
        """
        with self._desk.store.reading() as reader:
            entrants = self._desk.duplicates(reader, access.event).counted_registrations
        found = reply(
            200, attendance.compare_names(access.event, entrants, expected, self._desk.now(), access.translate, address)
        )
        # Other writers do not wait while names are compared.
        return self._desk.write_once(access, request, lambda _: found) if request else found

    @limited_concurrency
    def list_expected(self, access: EventAccess) -> Reply:
        """Answer with the expected players, each with `registered`: True if the player has a registration.

        Raises Busy if too many requests wait.
        """
        with self._desk.store.reading() as reader:
            return reply(
                200,
                attendance.expected_json(reader.expected_players(access.event.id), reader.entrants(access.event.id)),
            )

    def expect(
        self,
        access: EventAccess,
        players: Iterable[ExpectedPlayer],
        request: RepeatableRequest | None = None,
        unread_rows: UnreadRowsJSON | None = None,
        note: Callable[[EventWriter, Sequence[ExpectedPlayer]], object] = lambda writer, before: None,
    ) -> Reply:
        """Replace the list of expected players, each player once, and answer with the new list.

        A player with an equal name and id counts once. `note` is called with the writer and the list before, after the
        new one was stored. `unread_rows` are added to the answer. A repeated `request` gets the stored answer.
        Raises LimitReached if there are more than MOST_ENTRANTS.
        """
        kept = list(drop_repeated(players))
        if len(kept) > MOST_ENTRANTS:
            raise LimitReached(phrase("At most {most:,} players are expected at an event.", most=MOST_ENTRANTS))

        def keep(writer: EventWriter) -> Reply:
            """Store the list of expected players, call `note` with the list before, and answer with the new list."""
            writer.event(access.event.id)
            before = writer.expected_players(access.event.id)
            writer.replace_expected(kept, access.caller.signature)
            note(writer, before)
            shown = attendance.expected_json(kept, writer.entrants(access.event.id))
            return reply(200, {**shown, **unread_rows} if unread_rows else shown)

        return self._desk.write_once(access, request, keep)


MISSING, ALL = GROUPS = ("missing", "all")  # the players who get new links: those without a list, or everybody


class PersonalLink(NamedTuple):
    """A player with the id of the own registration and a key in plain text that opens it.

    `player` is the name. `player_id` and `email` are "" if not known.
    """

    registration: str
    player: str
    player_id: str
    email: str
    key: str

    @classmethod
    def from_registration(cls, entrant: Entrant, key: str) -> Self:
        """Return the link of a registration with one of its keys."""
        return cls(entrant.id, entrant.player, entrant.revision.written.player_id, entrant.where.email, key)

    def address(self, start: str) -> str:
        """Return the address to open, with the key in its fragment. `start` is the address of the event's page."""
        return f"{start}/registrations/{self.registration}#key={self.key}"


class LinkDesk(PartDesk):
    """Finds and renews the personal links of players: addresses with a key in them."""

    def find_links(self, access: EventAccess, keys: Iterable[str]) -> list[PersonalLink]:
        """Return the personal links of those keys that open a registration of the event, by name.

        Other keys are ignored.
        """
        with self._desk.store.reading() as reader:
            owners = reader.registrations_by_key(access.event.id, keys)
            entrants = reader.entrants(access.event.id)
        return [PersonalLink.from_registration(one, owners[one.id]) for one in entrants if one.id in owners]

    def renew_links(
        self, access: EventAccess, group: str | Collection[str], request: RepeatableRequest | None
    ) -> Reply:
        """Revoke the keys of some players, make a new key for each, and answer with the new keys.

        `group` is MISSING, ALL, or ids of registrations. MISSING are the players whose registration that counts has no
        list. The answer has `links`, by name, with the fields of PersonalLink: no addresses. Raises Invalid if an id is
        not of the event. A repeated `request` gets the stored answer.
        """

        def renew(writer: EventWriter) -> Reply:
            """Revoke the keys of the chosen players, make new ones, and answer with them.

            Each revoked key and each new one is noted in the audit. Raises Invalid for an unknown id.
            """
            is_missing = group == MISSING  # a player with two registrations and one list is not missing
            entrants = (
                self._desk.duplicates(writer, access.event).counted_registrations
                if is_missing
                else writer.entrants(access.event.id)
            )
            chosen = _choose_entrants(group, entrants)
            by = access.caller.signature
            for one in chosen:
                writer.revoke(KeyRow.registration_id == one.id, by, one.id)
            keys = writer.add_player_keys([one.id for one in chosen], by)
            made = [PersonalLink.from_registration(one, key) for one, key in zip(chosen, keys, strict=True)]
            return reply(200, {"links": [one._asdict() for one in made]})

        return self._desk.write_once(access, request, renew)


def _choose_entrants(group: str | Collection[str], entrants: list[Entrant]) -> list[Entrant]:
    """Return the registrations of a group, or those with some ids, in the order of `entrants`.

    The group MISSING is those without a list, any other group is all. Raises Invalid if an id is not among `entrants`.
    """
    if isinstance(group, str):
        wanted: Callable[[Entrant], bool] = (lambda one: not one.has_list) if group == MISSING else lambda one: True
        return [one for one in entrants if wanted(one)]
    ids = frozenset(group)
    if unknown := ids - {one.id for one in entrants}:
        says = phrase(
            "The event has no registration {id}. Write the ids of registrations of this event.", id=min(unknown)[:40]
        )
        raise Invalid([Wrong("/for", says)])
    return [one for one in entrants if one.id in ids]


def links_json(links: Iterable[PersonalLink], start: str) -> PersonalLinksJSON:
    """Return personal links as JSON, each with its key and its address. `start` is the address of the event's page."""
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
