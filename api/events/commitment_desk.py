"""The commitment desk: the commitments to the lists of an event, and the lists that open them."""

from __future__ import annotations

from datetime import UTC

from api.events import event_answers
from api.events.event_json import AuditHeadJSON
from api.events.look_turns import limited_concurrency
from api.events.players.entrant import Entrant
from api.events.registration_desk import EventAccess, RegistrationDesk, reply
from api.events.storage.event_reader import EventReader
from api.events.storage.idempotency import Reply


class CommitmentDesk:
    """Makes the two files of commitments for the events of a registration desk."""

    def __init__(self, desk: RegistrationDesk) -> None:
        self._desk = desk
        self.looks = desk.looks

    @limited_concurrency
    def commitments(self, at: EventAccess) -> Reply:
        """Return the commitments to all lists and the head of the audit, the same for everybody."""
        with self._desk.store.reading() as reader:
            entrants, (length, head) = _committed_entrants(reader, at), reader.audit_head(at.event.id)
        now = self._desk.now().astimezone(UTC).isoformat(timespec="seconds")
        audit: AuditHeadJSON = {"entries": length, "head": head, "at": now}
        return reply(200, event_answers.published_commitments(at.event, entrants, audit))

    @limited_concurrency
    def opened_lists(self, at: EventAccess) -> Reply:
        """Return the lists that the caller may see, with the salts that open their commitments."""
        now = self._desk.now()
        with self._desk.store.reading() as reader:
            seen = [entrant for entrant in _committed_entrants(reader, at) if at.sees(entrant, now)]
        return reply(200, event_answers.opened_lists(at.event, seen))


def _committed_entrants(reader: EventReader, at: EventAccess) -> list[Entrant]:
    """Return the registrations with a list, sorted by id: an order by name would show whose list is whose."""
    return sorted((one for one in reader.entrants(at.event.id) if one.received), key=lambda one: one.id)
