"""The list desk: lists that others may see, of a table in a stream or of all players, and the commitments to lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC

from api.events import commitments, rights
from api.events.base_desk import EventAccess, PartDesk, limited_concurrency, reply, verdict_on
from api.events.bounds import MOST_STREAMED
from api.events.event_answers import commitment_terms, opened_list
from api.events.event_json import (
    AuditHeadJSON,
    CommitmentFileJSON,
    CommitmentJSON,
    CommitmentsJSON,
    OpenedListJSON,
    OpenedListsJSON,
)
from api.events.exports.event_files import SHOWN_LISTS, ExportKind
from api.events.exports.event_record import EventRecord, Participant
from api.events.players.entrant import Entrant
from api.events.storage.event_reader import EventReader
from api.events.storage.idempotency import Reply
from api.events.tournament import Tournament
from api.service.errors import Invalid, NoAccess, Wrong
from api.sheets.registration import Event
from validator.language import phrase

ListFile = tuple[ExportKind, bytes]


class ListDesk(PartDesk):
    """The lists of events that others than their players and judges see."""

    def lists(self, access: EventAccess, kind: str) -> ListFile:
        """Return the lists of other players that the caller may see, without ids. Raises NoAccess if there are none.

        If the event asks for consent, only the lists with consent are returned, also to staff.
        """
        now = self._desk.now()
        if not rights.sees_any_list(access.caller, access.stage(now)):
            raise NoAccess
        free = not access.event.consent
        seen = self._entrants(access, lambda one: (free or one.revision.written.publish) and access.sees_list(one, now))
        return self._file(access, seen, kind)

    @limited_concurrency
    def stream(self, access: EventAccess, players: Sequence[str], table: str, kind: str) -> ListFile:
        """Return the lists of some players, or of a table. Raises Invalid if a player does not consent to a stream."""
        self._check_streams(access)
        wanted = frozenset(players)
        found = self._entrants(access, lambda one: one.where.table == table if table else one.id in wanted)
        _check_stream(found, wanted, "/table" if table else "/players")
        return self._file(access, found, kind)

    @limited_concurrency
    def consenting_players(self, access: EventAccess) -> list[Entrant]:
        """Return the players with consent to a stream, by name."""
        self._check_streams(access)
        return self._entrants(access, lambda one: one.revision.written.stream)

    def _check_streams(self, access: EventAccess) -> None:
        """Raise NoAccess if the caller may not see lists yet."""
        if not rights.sees_list(access.caller, access.stage(self._desk.now()), False, False):
            raise NoAccess

    def _entrants(self, access: EventAccess, is_included: Callable[[Entrant], bool]) -> list[Entrant]:
        """Return the registrations with a list that `is_included` accepts. Of duplicates, only the one that counts."""
        with self._desk.store.reading() as reader:
            counted = self._desk.duplicates(reader, access.event).counted_registrations
        return [one for one in counted if one.has_list and is_included(one)]

    def _file(self, access: EventAccess, entrants: list[Entrant], kind: str) -> ListFile:
        """Return the kind of a file with published lists, and its content."""
        event, judge, made = access.event, self._desk.judge(access.event), SHOWN_LISTS[kind]
        printed = Event(event.name, event.on.isoformat(), event.place)
        players = [Participant.from_registration(event, one, verdict_on(one, judge)) for one in entrants]
        return made, made.write(EventRecord(printed, judge, players))


def _check_stream(entrants: Sequence[Entrant], ids: frozenset[str], pointer: str) -> None:
    """Raise Invalid if the lists cannot be shown in a stream: none, too many, or without consent."""
    silent = [one.player for one in entrants if not one.revision.written.stream]
    if not entrants or len(entrants) < len(ids):
        says = phrase("There is no list of each of these players, or of any player at this table.")
    elif len(entrants) > MOST_STREAMED:
        says = phrase("At most {most} lists are shown in a stream at once.", most=MOST_STREAMED)
    elif silent:
        says = phrase("These players have not agreed to be shown in a stream: {players}.", players="; ".join(silent))
    else:
        return
    raise Invalid([Wrong(pointer, says)])


class CommitmentDesk(PartDesk):
    """Makes the two files of commitments for the events of a registration desk."""

    @limited_concurrency
    def commitments(self, access: EventAccess) -> Reply:
        """Return the commitments to all lists and the head of the audit, the same for everybody."""
        with self._desk.store.reading() as reader:
            entrants, (length, head) = _committed_entrants(reader, access), reader.audit_head(access.event.id)
        now = self._desk.now().astimezone(UTC).isoformat(timespec="seconds")
        audit: AuditHeadJSON = {"entries": length, "head": head, "at": now}
        return reply(200, _published_commitments(access.event, entrants, audit))

    @limited_concurrency
    def opened_lists(self, access: EventAccess) -> Reply:
        """Return the lists that the caller may see, with the salts that open their commitments."""
        now = self._desk.now()
        with self._desk.store.reading() as reader:
            seen = [entrant for entrant in _committed_entrants(reader, access) if access.sees_list(entrant, now)]
        return reply(200, _opened_lists(access.event, seen))


def _committed_entrants(reader: EventReader, access: EventAccess) -> list[Entrant]:
    """Return the registrations with a list, sorted by id: an order by name would show whose list is whose."""
    return sorted((one for one in reader.entrants(access.event.id) if one.has_list), key=lambda one: one.id)


def _published_commitments(event: Tournament, entrants: Iterable[Entrant], audit: AuditHeadJSON) -> CommitmentsJSON:
    """Return the commitments to the lists of an event and the head of its audit. Nothing in it opens a list."""
    return {
        **_file_head(commitments.COMMITMENTS, event),
        "commitments": [_commitment_json(event, entrant) for entrant in entrants],
        "audit": audit,
    }


def _opened_lists(event: Tournament, entrants: Iterable[Entrant]) -> OpenedListsJSON:
    """Return lists with their salts and players, which open the commitments to them."""
    rows: list[OpenedListJSON] = []
    for entrant in entrants:
        opened = opened_list(entrant.id, entrant.revision)
        made = _commitment_json(event, entrant)
        rows.append({**made, "salt": opened.salt, "player": entrant.player, "list": opened.text})
    return {**_file_head(commitments.OPENED_LISTS, event), "lists": rows}


def _file_head(kind: str, event: Tournament) -> CommitmentFileJSON:
    """Return the head of a commitment file: kind, version, algorithm and terms."""
    terms = commitment_terms(event)
    return {
        "kind": kind,
        "version": commitments.VERSION,
        "hash": commitments.ALGORITHM,
        "event": terms.event,
        "game": terms.game,
        "format": terms.format,
    }


def _commitment_json(event: Tournament, entrant: Entrant) -> CommitmentJSON:
    """Return the commitments to a player's list and name as JSON."""
    made = commitments.commit(commitment_terms(event), opened_list(entrant.id, entrant.revision))
    return {
        "registration": entrant.id,
        "revision": entrant.revision.number,
        "commitment": made.list_hash,
        "player_commitment": made.player_hash or "",  # None only of a file of version 1
    }
