"""The audit desk: the audit of an event in parts, and whether all of it is intact."""

from __future__ import annotations

from api.events.bounds import MOST_ENTRIES
from api.events.event_json import AuditJSON, AuditStateJSON
from api.events.look_turns import limited_concurrency
from api.events.registration_desk import EventAccess, RegistrationDesk, reply
from api.events.storage.event_audit import first_broken
from api.events.storage.event_reader import EventReader
from api.events.storage.idempotency import Reply


class AuditDesk:
    """Reads the audits of the events of a registration desk. No audit is in memory as a whole."""

    def __init__(self, desk: RegistrationDesk) -> None:
        self._desk = desk
        self.looks = desk.looks

    @limited_concurrency
    def audit(self, at: EventAccess, after: int = 0, limit: int = MOST_ENTRIES) -> Reply:
        """Return at most `limit` entries after a number, and whether the whole audit is intact.

        `next` is the number to go on after. It is None, and there is no Link, after the last entry.
        """
        with self._desk.store.reading() as reader:
            state = _audit_state(reader, at)
            entries = [entry.as_json() for entry in reader.audit(at.event.id, after=after, limit=limit + 1)]
        following = entries[limit - 1]["number"] if len(entries) > limit else None
        headers = {} if following is None else {"Link": f'<?after={following}&limit={limit}>; rel="next"'}
        shown: AuditJSON = {**state, "next": following, "entries": entries[:limit]}
        return reply(200, shown, **headers)

    @limited_concurrency
    def audit_page(self, at: EventAccess, page: int, size: int) -> Reply:
        """Return a page of `size` entries, the oldest of them first. Page 1 has the newest entries of the audit.

        A number that is too low or too high is that of the first or the last page.
        """
        with self._desk.store.reading() as reader:
            state = _audit_state(reader, at)
            total = state["entries_total"]
            last = max(1, -(-total // size))
            page = min(max(1, page), last)
            end = total - (page - 1) * size
            start = max(0, end - size)
            entries = [entry.as_json() for entry in reader.audit(at.event.id, after=start, limit=end - start)]
        return reply(200, {**state, "page": page, "last": last, "entries": entries})


def _audit_state(reader: EventReader, at: EventAccess) -> AuditStateJSON:
    """Return the length and the head of an audit, and whether each entry is as it was written."""
    length, head = reader.audit_head(at.event.id)
    broken = first_broken(at.event.id, reader.audit(at.event.id), length, head)
    return {
        "intact": broken is None,
        "verified": at.event.verified,
        "broken_at": broken,
        "head": head,
        "entries_total": length,
    }
