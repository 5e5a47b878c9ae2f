"""Events with long audits, made without as many requests."""

from itertools import islice

import sqlalchemy as sa

from api.events.storage import event_audit
from api.events.storage.event_tables import AuditRow, EventRow

_AT_ONCE = 10_000


def lengthen_audit(database, event_id, length):
    """Add entries of invented changes to the audit of an event until it has this length."""
    with database.writing(f"event {event_id}") as connection:
        begun, head = connection.execute(sa.select(EventRow.audited, EventRow.audit_head)).one()
        rows = _rows(event_id, begun, head, length)
        while part := list(islice(rows, _AT_ONCE)):
            connection.execute(sa.insert(AuditRow), part)
            head = part[-1]["hash"]
        connection.execute(sa.update(EventRow).values(audited=length, audit_head=head))


def _rows(event_id, begun, head, length):
    for number in range(begun + 1, length + 1):
        said = ("2026-10-20T10:00:00.000000+00:00", f"judge {number:030x}", "settled", f"{number:030x}", "0" * 64)
        head = event_audit.chain_hash(head, event_id, number, *said)
        yield {"event_id": event_id, "number": number, "hash": head} | dict(
            zip(("at", "by", "action", "about", "digest"), said, strict=True)
        )
