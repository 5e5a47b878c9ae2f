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
    """Returns the lists of several players as files, for a stream or for everyone who may see them."""

    def lists(self, access: EventAccess, kind: str) -> ListFile:
        """Return the kind of a file and its bytes, with the lists that the caller may see.

        It has no ids and no verdicts. `kind` is one of SHOWN_LISTS. If the event asks for consent, only lists with
        consent to publish are included, also for staff. Of duplicates only the one that counts is included. Raises
        NoAccess if the caller may see no other player's list now.
        """
        now = self._desk.now()
        if not rights.sees_any_list(access.caller, access.stage(now)):
            raise NoAccess
        free = not access.event.consent
        seen = self._entrants(access, lambda one: (free or one.revision.written.publish) and access.sees_list(one, now))
        return self._file(access, seen, kind)

    @limited_concurrency
    def stream(self, access: EventAccess, players: Sequence[str], table: str, kind: str) -> ListFile:
        """Return the kind of a file and its bytes, with the lists of the players with some ids, or at a table.

        `kind` is one of SHOWN_LISTS. If `table` is "", the ids in `players` are used, otherwise pass no ids. Raises
        Invalid if a player does not consent to a stream, an id has no list or is a duplicate that does not count, no
        list is found, or there are more than MOST_STREAMED. Raises NoAccess if the caller may not see all lists now.
        Raises Busy if too many requests wait.
        """
        self._check_sees_lists(access)
        wanted = frozenset(players)
        found = self._entrants(access, lambda one: one.where.table == table if table else one.id in wanted)
        _check_stream(found, wanted, "/table" if table else "/players")
        return self._file(access, found, kind)

    @limited_concurrency
    def consenting_players(self, access: EventAccess) -> list[Entrant]:
        """Return the registrations with a list whose player consents to a stream, by name.

        Of duplicates only the one that counts is included. Raises NoAccess if the caller may not see all lists now.
        Raises Busy if too many requests wait.
        """
        self._check_sees_lists(access)
        return self._entrants(access, lambda one: one.revision.written.stream)

    def _entrants(self, access: EventAccess, is_included: Callable[[Entrant], bool]) -> list[Entrant]:
        """Return the registrations with a list for which `is_included` returns True, by name.

        Of duplicates only the one that counts is included.
        """
        with self._desk.store.reading() as reader:
            counted = self._desk.duplicates(reader, access.event).counted_registrations
        return [one for one in counted if one.has_list and is_included(one)]

    def _file(self, access: EventAccess, entrants: list[Entrant], kind: str) -> ListFile:
        """Return the kind of a file and its bytes, with the lists of some registrations.

        `kind` is one of SHOWN_LISTS.
        """
        event, judge, made = access.event, self._desk.judge(access.event), SHOWN_LISTS[kind]
        printed = Event(event.name, event.on.isoformat(), event.place)
        players = [Participant.from_registration(event, one, verdict_on(one, judge)) for one in entrants]
        return made, made.write(EventRecord(printed, judge, players))


def _check_stream(entrants: Sequence[Entrant], ids: frozenset[str], pointer: str) -> None:
    """Raise Invalid if lists cannot be shown in a stream: none, fewer than `ids`, or one without consent to a stream.

    Raised too if there are more than MOST_STREAMED. `pointer` is the place of the error in the request.
    """
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
    """Makes the file of commitments (hashes of all lists) of an event, and the file of lists that open them."""

    @limited_concurrency
    def commitments(self, access: EventAccess) -> Reply:
        """Answer with the commitments to all lists of an event and the head of its audit, the same for everybody.

        Duplicates are included. No list can be read from the answer. Raises Busy if too many requests wait.
        """
        with self._desk.store.reading() as reader:
            entrants, (length, head) = _committed_entrants(reader, access), reader.audit_head(access.event.id)
        now = self._desk.now().astimezone(UTC).isoformat(timespec="seconds")
        audit: AuditHeadJSON = {"entries": length, "head": head, "at": now}
        return reply(200, _published_commitments(access.event, entrants, audit))

    @limited_concurrency
    def opened_lists(self, access: EventAccess) -> Reply:
        """Answer with the newest lists that the caller may see now, with the salts that open their commitments.

        Raises Busy if too many requests wait.
        """
        now = self._desk.now()
        with self._desk.store.reading() as reader:
            seen = [entrant for entrant in _committed_entrants(reader, access) if access.sees_list(entrant, now)]
        return reply(200, _opened_lists(access.event, seen))


def _committed_entrants(reader: EventReader, access: EventAccess) -> list[Entrant]:
    """Return the registrations with a list, sorted by id: an order by name would show whose list is whose."""
    return sorted((one for one in reader.entrants(access.event.id) if one.has_list), key=lambda one: one.id)


def _published_commitments(event: Tournament, entrants: Iterable[Entrant], audit: AuditHeadJSON) -> CommitmentsJSON:
    """Return the file of commitments to the lists of registrations, with the head of the audit.

    Nothing in it opens a list.
    """
    return {
        **_file_head(commitments.COMMITMENTS, event),
        "commitments": [_commitment_json(event, entrant) for entrant in entrants],
        "audit": audit,
    }


def _opened_lists(event: Tournament, entrants: Iterable[Entrant]) -> OpenedListsJSON:
    """Return the file of the lists of registrations in plain text, with salts and players.

    These open the commitments to the lists.
    """
    rows: list[OpenedListJSON] = []
    for entrant in entrants:
        opened = opened_list(entrant.id, entrant.revision)
        made = _commitment_json(event, entrant)
        rows.append({**made, "salt": opened.salt, "player": entrant.player, "list": opened.text})
    return {**_file_head(commitments.OPENED_LISTS, event), "lists": rows}


def _file_head(kind: str, event: Tournament) -> CommitmentFileJSON:
    """Return the head of a commitment file: kind, version, hash algorithm, and the event's id, game and format."""
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
    """Return the commitments to the newest list of a registration and to its player's name as JSON."""
    made = commitments.commit(commitment_terms(event), opened_list(entrant.id, entrant.revision))
    return {
        "registration": entrant.id,
        "revision": entrant.revision.number,
        "commitment": made.list_hash,
        "player_commitment": made.player_hash or "",  # None only of a file of version 1
    }
