"""Duplicates: registrations of an event that seem to be of the same player, and the one that counts until a merge.

Two registrations are duplicates if they have the same player id. They are also duplicates if they have the same name,
and the same e-mail address or the same cards. The same name and the same cards are not enough for two different ids:
many players play a popular list. A registration has no date of birth, so none is compared.

A judge merges duplicates, or marks them as those of two players. Until then only one of them counts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

import sqlalchemy as sa

from api.events.bounds import MOST_DUPLICATES, MOST_NAMESAKES
from api.events.players.entrant import Entrant, count_cards, id_key
from api.events.storage.event_reader import EventReader
from api.events.storage.event_tables import IS_NEWEST, RegistrationRow, RevisionRow
from api.sheets.person_names import PersonName
from validator.cards import Catalogue


def find_possible_duplicates(reader: EventReader, event_id: str, entrant: Entrant) -> list[Entrant]:
    """Return other registrations with the same player ID, e-mail address or name, the oldest first.

    At most MOST_NAMESAKES, the oldest ones. A name is equal as written, as "Last, First" or as "First Last", without
    case but with accents. Registrations that are no duplicates are included, also those that a judge separated. So the
    caller compares again.
    """
    others = RegistrationRow.event_id == event_id, RegistrationRow.id != entrant.id
    query = sa.select(RegistrationRow.id).join(RevisionRow, IS_NEWEST).where(*others, sa.or_(*_conditions(entrant)))
    oldest = query.order_by(RegistrationRow.created, RegistrationRow.id).limit(MOST_NAMESAKES)
    ids = list(reader.connection.scalars(oldest))
    return sorted(reader.entrants(event_id, ids), key=lambda one: (one.created, one.id)) if ids else []


def _conditions(entrant: Entrant) -> list[sa.ColumnElement[bool]]:
    """Return the SQL conditions for possible duplicates of a registration: an equal name, player ID or e-mail.

    A registration has to meet only one of them. Case does not matter, nor leading zeros and spaces of the ID. A missing
    ID or e-mail gives no condition.
    """
    name = PersonName.parse(entrant.player)
    spellings = {entrant.player, name.full_name, f"{name.first} {name.last}".strip()}
    lowered = sa.func.lower(RevisionRow.player)
    found: list[sa.ColumnElement[bool]] = [
        RevisionRow.player.in_(spellings),
        lowered.in_({one.lower() for one in spellings}),
    ]
    if player_id := id_key(entrant.revision.written.player_id):
        # As `id_key`, but without zeros before letters, too.
        written = sa.func.lower(sa.func.replace(RevisionRow.player_id, " ", ""))
        found.append(sa.func.ltrim(written, "0") == player_id.lstrip("0"))
    if entrant.where.email:
        found.append(sa.func.lower(RegistrationRow.email) == entrant.where.email.lower())
    return found


SAME_ID, SAME_EMAIL, SAME_LIST = "id", "email", "list"
_MOST_COMPARED = 100  # registrations with the same key

_Key = tuple[str, Hashable]  # SAME_ID, SAME_EMAIL or SAME_LIST, and the value


class Duplicate(NamedTuple):
    """Another registration that seems to be of the same player.

    `same` is what both have in common: SAME_ID, or the name and also SAME_EMAIL or SAME_LIST.
    """

    entrant: Entrant
    same: str


class Duplicates:
    """The registrations of an event, and which of them seem to be of the same player. Of these only one counts.

    `entrants` are all registrations in the given order. Pairs that a judge separated are no duplicates.
    """

    def __init__(self, entrants: Sequence[Entrant], catalogue: Catalogue) -> None:
        self.entrants = entrants
        self._keys = _keys_by_id(entrants, catalogue)
        self._by_key: dict[_Key, list[Entrant]] = {}
        for entrant in entrants:
            for key in self._keys[entrant.id]:
                self._by_key.setdefault(key, []).append(entrant)

    def find(self, entrant: Entrant) -> list[Duplicate]:
        """Return the duplicates of one of the registrations, each once, at most MOST_DUPLICATES.

        Those with the same player ID come first, then those with the same name and e-mail address, then those with the
        same name and list. Raises KeyError if `entrant` is none of the registrations.
        """
        found: dict[str, Duplicate] = {}
        for key, other in self._similar(entrant, self._by_key):
            found.setdefault(other.id, Duplicate(other, key[0]))
            if len(found) == MOST_DUPLICATES:
                break
        return list(found.values())

    @cached_property
    def left_out(self) -> dict[str, str]:
        """The id of the duplicate that counts, by the id of each registration that does not count.

        A registration with a list counts before one without, and one with a newer revision before an older one.
        """
        left_out: dict[str, str] = {}
        counted: dict[_Key, list[Entrant]] = {}
        for entrant in sorted(self.entrants, key=_rank, reverse=True):
            _, other = next(self._similar(entrant, counted), (None, None))
            if other:
                left_out[entrant.id] = other.id
                continue
            for key in self._keys[entrant.id]:
                counted.setdefault(key, []).append(entrant)
        return left_out

    @property
    def counted_registrations(self) -> list[Entrant]:
        """The registrations that count, one for each player, in the given order. Those without a list are included."""
        return [entrant for entrant in self.entrants if entrant.id not in self.left_out]

    @property
    def pairs(self) -> list[tuple[Entrant, Duplicate]]:
        """Pairs of a registration that counts and one that does not because of it, in the given order of the latter."""
        by_id = {entrant.id: entrant for entrant in self.entrants}
        found = ((by_id[self.left_out[one.id]], one) for one in self.entrants if one.id in self.left_out)
        return [(counted, Duplicate(one, self._shared_field(counted, one))) for counted, one in found]

    def _similar(self, entrant: Entrant, by_key: dict[_Key, list[Entrant]]) -> Iterator[tuple[_Key, Entrant]]:
        """Yield (key, registration) for each other registration that may be of the same player, and the shared key.

        `by_key` has the registrations to look in. A registration is yielded once for each shared key. At most 100 with
        the same key are compared. Left out are pairs that a judge separated, and different player IDs with equal lists.
        """
        for key in self._keys[entrant.id]:
            for other in by_key.get(key, ())[:_MOST_COMPARED]:
                if other.id != entrant.id and _may_be_one_player(entrant, other, key[0]):
                    yield key, other

    def _shared_field(self, entrant: Entrant, other: Entrant) -> str:
        """Return the first of SAME_ID, SAME_EMAIL and SAME_LIST that two registrations have in common.

        An equal e-mail address or list counts only with an equal name. Raises StopIteration if they share none.
        """
        return next(key[0] for key in self._keys[entrant.id] if key in self._keys[other.id])


def find_duplicates(reader: EventReader, event_id: str, entrant: Entrant, catalogue: Catalogue) -> list[Duplicate]:
    """Return the duplicates of one registration, at most MOST_DUPLICATES, without reading all lists of the event.

    Unlike `Duplicates.find` it misses a name with other accents. It compares only the MOST_NAMESAKES oldest candidates.
    """
    candidates = find_possible_duplicates(reader, event_id, entrant)
    return Duplicates([entrant, *candidates], catalogue).find(entrant) if candidates else []


def _keys_by_id(entrants: Sequence[Entrant], catalogue: Catalogue) -> dict[str, list[_Key]]:
    """Return the keys of each registration by its id. Two registrations with an equal key may be of the same player.

    A key is (SAME_ID, player ID), (SAME_EMAIL, (name, address)) or (SAME_LIST, (name, cards)), in this order. Missing
    ids, addresses and lists give no key. The last two are left out if no other registration has the name.
    """
    names = {entrant.id: entrant.sort_key for entrant in entrants}
    namesakes: dict[str, int] = {}
    for name in names.values():
        namesakes[name] = namesakes.get(name, 0) + 1
    keys: dict[str, list[_Key]] = {}
    for entrant in entrants:
        found = keys[entrant.id] = list[_Key]()
        name = names[entrant.id]
        if player_id := id_key(entrant.revision.written.player_id):
            found.append((SAME_ID, player_id))
        if namesakes[name] > 1:
            if entrant.where.email:
                found.append((SAME_EMAIL, (name, entrant.where.email.casefold())))
            if entrant.has_list:
                cards = frozenset(count_cards(entrant.revision.deck, catalogue).items())
                found += [(SAME_LIST, (name, cards))] if cards else []
    return keys


def _may_be_one_player(entrant: Entrant, other: Entrant, shared_field: str) -> bool:
    """Return False if a judge separated the two registrations, or if they have different player IDs and share a list.

    `shared_field` is what both have in common: SAME_ID, SAME_EMAIL or SAME_LIST. Otherwise return True.
    """
    if other.id in entrant.distinct_from or entrant.id in other.distinct_from:
        return False
    ids = {id_key(one.revision.written.player_id) for one in (entrant, other)} - {""}
    return shared_field != SAME_LIST or len(ids) < 2


def _rank(entrant: Entrant) -> tuple[bool, datetime, datetime, str]:
    """Return the sort key of duplicates.

    The registration that counts has the largest: with a list, then the latest revision, the latest creation, the id.
    """
    return entrant.has_list, entrant.revision.at, entrant.created, entrant.id
