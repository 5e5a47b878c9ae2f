"""The event reader: what is known of events, read by one connection. `event_store` makes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from api.events.judging.deck_checks import CheckNotes, CheckRecord
from api.events.players.entrant import Entrant, ExpectedPlayer, RegistrationContent, Revision, Whereabouts, decode_deck
from api.events.storage import event_audit
from api.events.storage.decoder_messages import decoder_reason
from api.events.storage.event_audit import AuditEntry
from api.events.storage.event_keys import ORGANISER, PLAYER, Caller, hash_key, is_id
from api.events.storage.event_tables import (
    IS_NEWEST,
    UNUSED_UNTIL,
    AuditRow,
    CheckRow,
    EventRow,
    ExpectedRow,
    KeyRow,
    RegistrationRow,
    RevisionRow,
)
from api.events.tournament import Tournament
from api.service.errors import NoAccess, UnreadableRow
from carddb.database import Base

_SEED = 16  # digits of a seed that nobody chose
_ENTRIES_AT_ONCE = 2_000  # of an audit, in one part of an answer of the database
_ENTRY = [getattr(AuditRow, name) for name in AuditEntry._fields]
_EVENT = (
    EventRow.id,
    EventRow.version,
    EventRow.created,
    EventRow.details,
    EventRow.written,
    EventRow.deleted_on,
)


class EventKey(NamedTuple):
    """A stored key without its secret. `role` is JUDGE, ORGANISER or PLAYER, `name` a label ("" for none).

    `created` and `revoked` are ISO moments. `revoked` is None if the key is valid.
    """

    id: str
    role: str
    name: str
    created: str
    revoked: str | None


class EventReader:
    """Reads all data of events with one database connection. It writes nothing."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    def event(self, event_id: str) -> Tournament:
        """Return the settings of an event, also of one that is marked as deleted.

        Raises NoAccess if there is none, UnreadableRow if a setting is missing or has the wrong type.
        """
        query = sa.select(*_EVENT).where(EventRow.id == event_id)
        row = self.connection.execute(query).first() if is_id(event_id) else None
        if row is None:
            raise NoAccess
        return _event(row)

    def event_by_prefix(self, prefix: str) -> Tournament | None:
        """Return the event with the smallest id that begins with these hexadecimal digits, also a deleted one.

        None if there is none or `prefix` is "". Raises UnreadableRow as `event` does.
        """
        if not prefix:
            return None
        # A range of ids, which the primary key's index finds; "g" sorts after all hexadecimal digits.
        in_range = (EventRow.id >= prefix, EventRow.id < prefix + "g")
        row = self.connection.execute(sa.select(*_EVENT).where(*in_range).order_by(EventRow.id).limit(1)).first()
        return _event(row) if row else None

    def count_events(self) -> int:
        """Return the number of all events in the database, also of those that are marked as deleted."""
        return self._count(EventRow)

    def count_strangers_events(self) -> int:
        """Return the number of events that callers without the admin key created, on a server that has one."""
        return self._count(EventRow, UNUSED_UNTIL.is_not(None))

    def caller(self, event_id: str, secret: str) -> Caller:
        """Return the caller who holds a key of an event: the role, the id of the key and the registration.

        A caller with the role ANYONE is returned if the key is wrong or revoked. `secret` is the key in plain text.
        """
        known = (KeyRow.event_id == event_id, KeyRow.hash == hash_key(secret), KeyRow.revoked.is_(None))
        query = sa.select(KeyRow.role, KeyRow.id, KeyRow.registration_id, RegistrationRow.cut)
        query = query.outerjoin(RegistrationRow, RegistrationRow.id == KeyRow.registration_id)
        row = self.connection.execute(query.where(*known)).first()
        return Caller(row[0], row[1], row[2] or "", bool(row[3])) if row else Caller()

    def registrations_by_key(self, event_id: str, secrets: Iterable[str]) -> dict[str, str]:
        """Return those of the keys `secrets`, in plain text, that open a registration, by the registration's id.

        Revoked keys, and those of staff or of other events, are left out. One key is returned for each registration.
        """
        by_hash = {hash_key(secret): secret for secret in secrets}
        known = (KeyRow.event_id == event_id, KeyRow.registration_id.is_not(None), KeyRow.revoked.is_(None))
        rows = self.connection.execute(sa.select(KeyRow.hash, KeyRow.registration_id).where(*known))
        return {id: by_hash[hash] for hash, id in rows if id and hash in by_hash}

    def keys(self, event_id: str, registration_id: str | None = None) -> list[EventKey]:
        """Return the keys of an event's staff, or all keys of one registration.

        The oldest is first, revoked ones are included. `registration_id` None is for the staff.
        """
        columns = (getattr(KeyRow, name) for name in EventKey._fields)
        whose = KeyRow.role != PLAYER if registration_id is None else KeyRow.registration_id == registration_id
        query = sa.select(*columns).where(KeyRow.event_id == event_id, whose).order_by(KeyRow.created, KeyRow.id)
        return [EventKey(*row) for row in self.connection.execute(query)]

    def count_entrants(self, event_id: str) -> int:
        """Return the number of registrations of an event, with duplicates and those without a list."""
        return self._count(RegistrationRow, RegistrationRow.event_id == event_id)

    def entrants(self, event_id: str, ids: Sequence[str] | None = None) -> list[Entrant]:
        """Return the registrations of an event, sorted by the player's name.

        `ids` limits them to some ids, None is for all.
        """
        query = _ENTRANTS.where(RegistrationRow.event_id == event_id)
        rows = self.connection.execute(query if ids is None else query.where(RegistrationRow.id.in_(ids)))
        return sorted((_entrant(tuple(row)) for row in rows), key=lambda one: (one.sort_key, one.created, one.id))

    def entrant(self, event_id: str, registration_id: str) -> Entrant:
        """Return a registration with its newest revision. Raises NoAccess if the event does not have it."""
        only = (RegistrationRow.event_id == event_id, RegistrationRow.id == registration_id)
        row = self.connection.execute(_ENTRANTS.where(*only)).first() if is_id(registration_id) else None
        if row is None:
            raise NoAccess
        return _entrant(tuple(row))

    def revisions(self, registration_id: str) -> list[Revision]:
        """Return all revisions of a registration, the oldest first. Empty if there is no such registration."""
        of = RevisionRow.registration_id == registration_id
        query = sa.select(*_REVISION).where(of).order_by(RevisionRow.number)
        return [_revision(tuple(row)) for row in self.connection.execute(query)]

    def count_deck_bytes(self, registration_id: str) -> int:
        """Return the total size in bytes of the encoded decks of all revisions of a registration, without the texts."""
        summed = sa.select(sa.func.sum(sa.func.length(RevisionRow.deck)))
        return int(self.connection.scalar(summed.where(RevisionRow.registration_id == registration_id)) or 0)

    def expected_players(self, event_id: str) -> list[ExpectedPlayer]:
        """Return the players whom the organiser of an event expects, in the order of the organiser's list."""
        columns = (getattr(ExpectedRow, name) for name in ExpectedPlayer._fields)
        query = sa.select(*columns).where(ExpectedRow.event_id == event_id).order_by(ExpectedRow.place)
        return [ExpectedPlayer(*row) for row in self.connection.execute(query)]

    def checks(self, event_id: str, registration_id: str | None = None) -> list[CheckRecord]:
        """Return the deck checks of an event, or of one registration of it, in the order in which they were created.

        `registration_id` None is for all. Each check has the registered deck of the revision that it is compared with.
        """
        whose = [CheckRow.event_id == event_id]
        if registration_id is not None:
            whose.append(CheckRow.registration_id == registration_id)
        query = _CHECKS.where(*whose).order_by(CheckRow.created, CheckRow.id)
        return [_check(tuple(row)) for row in self.connection.execute(query)]

    def check(self, event_id: str, check_id: str) -> CheckRecord:
        """Return a deck check with the registered deck. Raises NoAccess if the event does not have it."""
        only = (CheckRow.event_id == event_id, CheckRow.id == check_id)
        row = self.connection.execute(_CHECKS.where(*only)).first() if is_id(check_id) else None
        if row is None:
            raise NoAccess
        return _check(tuple(row))

    def count_checks(self, event_id: str) -> int:
        """Return the number of deck checks of an event, also of those that have not begun."""
        return self._count(CheckRow, CheckRow.event_id == event_id)

    def _count(self, table: type[Base], *conditions: sa.ColumnElement[bool]) -> int:
        """Return the number of rows of a table that meet all conditions."""
        query = sa.select(sa.func.count()).select_from(table).where(*conditions)
        return int(self.connection.scalar(query) or 0)

    def key_name(self, key_id: str) -> str:
        """Return the label of a key by the key's id. "" if there is no such key or it has no label."""
        return self.connection.scalar(sa.select(KeyRow.name).where(KeyRow.id == key_id)) or ""

    def seed(self, event: Tournament) -> str:
        """Return the seed that orders an event's deck checks: the one that a judge set, else a permanent one.

        The permanent seed has 16 hex digits, derived from the audit entry of the first organiser's key. The caller must
        show it to staff only. A player with the seed could register so as to be drawn last.
        """
        if event.check_seed:
            return event.check_seed
        first = (AuditRow.event_id == event.id, AuditRow.action == event_audit.new_key_action(ORGANISER))
        digest = self.connection.scalar(sa.select(AuditRow.digest).where(*first).order_by(AuditRow.number).limit(1))
        return hash_key(f"seed {digest}")[:_SEED]

    def find_revision_at(self, registration_id: str, deadline: datetime) -> int | None:
        """Return the number of the last revision of a registration before a deadline, None if there was none."""
        before = RevisionRow.at < deadline.isoformat(timespec="microseconds")
        query = sa.select(sa.func.max(RevisionRow.number)).where(RevisionRow.registration_id == registration_id, before)
        found: int | None = self.connection.scalar(query)
        return found

    def audit(self, event_id: str, subject: str = "", after: int = 0, limit: int | None = None) -> Iterator[AuditEntry]:
        """Return an iterator over the audit of an event, the oldest entry first.

        It can only be used within the transaction. `subject` limits it to the entries about the id of a registration,
        key or import. "" is for all entries. At most `limit` entries (None: all) with a number above `after` are
        included. The database sends them in parts, so that they do not take memory all at once.
        """
        wanted = [AuditRow.event_id == event_id, *([AuditRow.about == subject] if subject else [])]
        wanted += [AuditRow.number > after] if after else []
        query = sa.select(*_ENTRY).where(*wanted).order_by(AuditRow.number).limit(limit)
        query = query.execution_options(yield_per=_ENTRIES_AT_ONCE)
        return (AuditEntry(*row) for row in self.connection.execute(query))

    def last_entry(self, event_id: str, action: str = "") -> AuditEntry | None:
        """Return the last entry of the audit of an event, None if there is none.

        `action` limits it to entries with this action. "" is for any action.
        """
        wanted = [AuditRow.event_id == event_id, *([AuditRow.action == action] if action else [])]
        query = sa.select(*_ENTRY).where(*wanted).order_by(AuditRow.number.desc()).limit(1)
        row = self.connection.execute(query).first()
        return AuditEntry(*row) if row else None

    def audit_head(self, event_id: str) -> tuple[int, str]:
        """Return (number of entries, hash of the last entry) of the audit of an event, which must exist."""
        query = sa.select(EventRow.audited, EventRow.audit_head).where(EventRow.id == event_id)
        row = self.connection.execute(query).one()
        return row[0], row[1]

    def size(self, event_id: str) -> int:
        """Return the total size in bytes of all revisions of the lists of an event. 0 if there is no such event."""
        return int(self.connection.scalar(sa.select(EventRow.size).where(EventRow.id == event_id)) or 0)


_OWN = [
    getattr(RegistrationRow, name)
    for name in ("id", "version", "until", "cut", "created", "distinct_from", "table", "email")
]


_REVISION = [
    getattr(RevisionRow, name) for name in ("number", "at", "by", "reason", "salt", *RegistrationContent._fields)
]


_ENTRANTS = sa.select(*_OWN, *_REVISION).join(RevisionRow, IS_NEWEST)


_CHECKS = sa.select(
    *(getattr(CheckRow, name) for name in ("id", "version", "registration_id", "revision", "created", "box", "notes")),
    RevisionRow.player,
    RevisionRow.deck,
).join(
    RevisionRow,
    sa.and_(RevisionRow.registration_id == CheckRow.registration_id, RevisionRow.number == CheckRow.revision),
)


@contextmanager
def _decoding(table: type[Base], row_id: str) -> Iterator[None]:
    """Raise UnreadableRow, with the table and the id of the row, for an error of the decoding within the block."""
    try:
        yield
    except KeyError as error:
        missing = f"Object missing required field `{error.args[0]}`"
        raise UnreadableRow(table.__tablename__, row_id, decoder_reason(ValueError(missing))) from error
    except (msgspec.MsgspecError, ValueError, TypeError, AttributeError) as error:
        raise UnreadableRow(table.__tablename__, row_id, decoder_reason(error)) from error


def _event(row: Sequence[Any]) -> Tournament:
    """Return the settings of a row with the columns _EVENT. Raises UnreadableRow."""
    with _decoding(EventRow, row[0]):
        return Tournament.from_row(*row)


def _check(row: Sequence[Any]) -> CheckRecord:
    """Return the deck check of a row of the query _CHECKS, with its decks decoded. Raises UnreadableRow."""
    id, version, registration, revision, created, box, notes, player, deck = row
    with _decoding(CheckRow, id):
        registered, found = (None if kept is None else decode_deck(kept) for kept in (deck, box))
        at, read_notes = datetime.fromisoformat(created), CheckNotes.from_json(notes)
        return CheckRecord(id, version, registration, player, revision, at, registered, found, read_notes)


def _entrant(row: Sequence[Any]) -> Entrant:
    """Return the registration of a row of the query _ENTRANTS, with its newest revision. Raises UnreadableRow."""
    (id, version, until, cut, created, distinct_from, *where), revision = row[:8], row[8:]
    with _decoding(RegistrationRow, id):
        own = datetime.fromisoformat(until) if until else None
        others = frozenset(distinct_from.split())
        parts = _revision(revision), Whereabouts(*where), others
        return Entrant(id, version, own, cut, datetime.fromisoformat(created), *parts)


def _revision(row: Sequence[Any]) -> Revision:
    """Return the revision of a row with the columns _REVISION."""
    (number, at, by, reason, salt), written = row[:5], row[5:]
    return Revision(number, datetime.fromisoformat(at), by, reason, RegistrationContent(*written), salt)
