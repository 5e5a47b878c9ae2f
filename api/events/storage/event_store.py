"""The store of events: reading, and writing one event at a time, in the database that everything is kept in."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, repeat
from typing import Any, NamedTuple

import sqlalchemy as sa

from api.events.entrant import Entrant, Revision, Written, kept_deck, read_kept
from api.events.expected_players import ExpectedPlayer, absent
from api.events.judging.check_record import CheckNotes, CheckRecord
from api.events.storage import event_audit, idempotency
from api.events.storage.event_audit import AuditEntry
from api.events.storage.event_keys import ORGANISER, PLAYER, STAFF, Caller, hashed, is_id, new_id, new_secret
from api.events.storage.event_tables import (
    AnswerRow,
    AuditRow,
    CheckRow,
    EventRow,
    ExpectedRow,
    KeyRow,
    RegistrationRow,
    RevisionRow,
)
from api.events.tournament import Tournament
from api.events.whereabouts import NOWHERE, Whereabouts
from api.service.errors import Crowded, Hidden
from carddb.database import Database
from carddb.errors import NoDatabase
from validator.deck import Deck

ALL_EVENTS = "events"  # what is written by who begins one
MOST_NOTED = 500_000  # entries of the audit of one event
_SEED = 16  # digits of a seed that nobody chose
_SALT_BYTES = 16
_ALWAYS_ADDED = (event_audit.EXPORTED, event_audit.IMPORTED_UNVERIFIED)  # a long audit prevents no backup


class EventKey(NamedTuple):
    """A key as it is listed: everything but the key."""

    id: str
    role: str
    name: str
    registration_id: str | None
    created: str
    revoked: str | None


class ListedEvent(NamedTuple):
    """An event in a list of all."""

    id: str
    name: str
    on: str
    players: int
    purged: str


class EventStore:
    """The events of a database; safe to share between threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def reading(self) -> Iterator[EventReader]:
        """Yield a reader of what stands at one moment; Hidden where nothing was ever kept."""
        try:
            with self._database.reading() as connection:
                yield EventReader(connection)
        except NoDatabase:
            raise Hidden from None

    def listed(self) -> list[ListedEvent]:
        """Return all events, by their days."""
        players = sa.select(sa.func.count()).where(RegistrationRow.event_id == EventRow.id).scalar_subquery()
        query = sa.select(EventRow.id, EventRow.details, players, EventRow.purged)
        rows = self._database.rows(query)
        found = (ListedEvent(id, said["name"], said["on"], count, purged) for id, said, count, purged in rows)
        return sorted(found, key=lambda one: (one.on, one.name, one.id))

    @contextmanager
    def writing(self, event_id: str, now: datetime) -> Iterator[EventWriter]:
        """Yield a writer of one event, whose changes are saved together or not at all; other writers of it wait."""
        with self._database.writing(f"event {event_id}") as connection:
            writer = EventWriter(connection, event_id, now)
            yield writer
            writer.finish()
        if writer.removes:
            self._database.empty_log()  # if a reader needs the log still, the next purge empties it


class EventReader:
    """What is known of events, read by one connection."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    def event(self, event_id: str) -> Tournament:
        """Return an event; Hidden where there is none."""
        query = sa.select(EventRow.version, EventRow.details).where(EventRow.id == event_id)
        row = self.connection.execute(query).first() if is_id(event_id) else None
        if row is None:
            raise Hidden
        return Tournament.of(event_id, row.version, row.details)

    def event_by_prefix(self, prefix: str) -> Tournament | None:
        """Return the event whose id begins with these hexadecimal digits. None if there is none, or `prefix` is ""."""
        if not prefix:
            return None
        # A range of ids, which the primary key's index finds; "g" sorts after all hexadecimal digits.
        in_range = (EventRow.id >= prefix, EventRow.id < prefix + "g")
        query = sa.select(EventRow.id, EventRow.version, EventRow.details).where(*in_range)
        row = self.connection.execute(query.order_by(EventRow.id).limit(1)).first()
        return Tournament.of(row.id, row.version, row.details) if row else None

    def count_events(self) -> int:
        """Return how many events there are."""
        return int(self.connection.scalar(sa.select(sa.func.count()).select_from(EventRow)) or 0)

    def caller(self, event_id: str, secret: str) -> Caller:
        """Return who has a key of an event; anyone where it is none, or revoked."""
        known = (KeyRow.event_id == event_id, KeyRow.hash == hashed(secret), KeyRow.revoked.is_(None))
        query = sa.select(KeyRow.role, KeyRow.id, KeyRow.registration_id, RegistrationRow.cut)
        query = query.outerjoin(RegistrationRow, RegistrationRow.id == KeyRow.registration_id)
        row = self.connection.execute(query.where(*known)).first()
        return Caller(row[0], row[1], row[2] or "", bool(row[3])) if row else Caller()

    def keys(self, event_id: str, registration_id: str | None = None) -> list[EventKey]:
        """Return the keys of an event, the oldest first: of those who run it, or of a registration."""
        columns = (getattr(KeyRow, name) for name in EventKey._fields)
        whose = KeyRow.role != PLAYER if registration_id is None else KeyRow.registration_id == registration_id
        query = sa.select(*columns).where(KeyRow.event_id == event_id, whose).order_by(KeyRow.created, KeyRow.id)
        return [EventKey(*row) for row in self.connection.execute(query)]

    def count_entrants(self, event_id: str) -> int:
        """Return how many registered."""
        counted = sa.select(sa.func.count()).select_from(RegistrationRow)
        return int(self.connection.scalar(counted.where(RegistrationRow.event_id == event_id)) or 0)

    def entrants(self, event_id: str) -> list[Entrant]:
        """Return all who registered, by name."""
        rows = self.connection.execute(_ENTRANTS.where(RegistrationRow.event_id == event_id))
        return sorted((_entrant(tuple(row)) for row in rows), key=lambda one: (one.filed, one.created, one.id))

    def entrant(self, event_id: str, registration_id: str) -> Entrant:
        """Return a registration; Hidden where the event has none of this id."""
        only = (RegistrationRow.event_id == event_id, RegistrationRow.id == registration_id)
        row = self.connection.execute(_ENTRANTS.where(*only)).first() if is_id(registration_id) else None
        if row is None:
            raise Hidden
        return _entrant(tuple(row))

    def revisions(self, registration_id: str) -> list[Revision]:
        """Return all revisions of a registration, the first one first."""
        of = RevisionRow.registration_id == registration_id
        query = sa.select(*_REVISION).where(of).order_by(RevisionRow.number)
        return [_revision(tuple(row)) for row in self.connection.execute(query)]

    def length(self, registration_id: str) -> int:
        """Return how many bytes the decks of all revisions of a registration have."""
        summed = sa.select(sa.func.sum(sa.func.length(RevisionRow.deck)))
        return int(self.connection.scalar(summed.where(RevisionRow.registration_id == registration_id)) or 0)

    def expected(self, event_id: str) -> list[ExpectedPlayer]:
        """Return the players who are expected, as the organiser's list has them."""
        columns = (getattr(ExpectedRow, name) for name in ExpectedPlayer._fields)
        query = sa.select(*columns).where(ExpectedRow.event_id == event_id).order_by(ExpectedRow.place)
        return [ExpectedPlayer(*row) for row in self.connection.execute(query)]

    def checks(self, event_id: str, registration_id: str | None = None) -> list[CheckRecord]:
        """Return the deck checks of an event, or of one registration of it, the first one first."""
        whose = [CheckRow.event_id == event_id]
        if registration_id is not None:
            whose.append(CheckRow.registration_id == registration_id)
        query = _CHECKS.where(*whose).order_by(CheckRow.created, CheckRow.id)
        return [_check(tuple(row)) for row in self.connection.execute(query)]

    def check(self, event_id: str, check_id: str) -> CheckRecord:
        """Return a deck check; Hidden where the event has none of this id."""
        only = (CheckRow.event_id == event_id, CheckRow.id == check_id)
        row = self.connection.execute(_CHECKS.where(*only)).first() if is_id(check_id) else None
        if row is None:
            raise Hidden
        return _check(tuple(row))

    def count_checks(self, event_id: str) -> int:
        """Return how many deck checks there are."""
        counted = sa.select(sa.func.count()).select_from(CheckRow).where(CheckRow.event_id == event_id)
        return int(self.connection.scalar(counted) or 0)

    def key_name(self, key_id: str) -> str:
        """Return what a key is called, "" where there is none."""
        return self.connection.scalar(sa.select(KeyRow.name).where(KeyRow.id == key_id)) or ""

    def seed(self, event_id: str) -> str:
        """Return what is drawn by where nobody says: the same for all who ask, and for none who do not run the event.

        Players who knew it could register again and again until they are drawn last.
        """
        first = (AuditRow.event_id == event_id, AuditRow.action == key_made(ORGANISER))
        digest = self.connection.scalar(sa.select(AuditRow.digest).where(*first).order_by(AuditRow.number).limit(1))
        return hashed(f"seed {digest}")[:_SEED]

    def stood_at(self, registration_id: str, deadline: datetime) -> int | None:
        """Return the number of the revision that stood at a deadline."""
        before = RevisionRow.at < deadline.isoformat(timespec="microseconds")
        query = sa.select(sa.func.max(RevisionRow.number)).where(RevisionRow.registration_id == registration_id, before)
        found: int | None = self.connection.scalar(query)
        return found

    def audit(self, event_id: str, about: str = "") -> list[AuditEntry]:
        """Return the audit of an event, or what of it is about one registration or key, the first entry first."""
        wanted = [AuditRow.event_id == event_id, *([AuditRow.about == about] if about else [])]
        query = sa.select(*(getattr(AuditRow, name) for name in AuditEntry._fields))
        return [AuditEntry(*row) for row in self.connection.execute(query.where(*wanted).order_by(AuditRow.number))]

    def audit_head(self, event_id: str) -> tuple[int, str]:
        """Return how long the audit of an event is, and the hash of its last entry."""
        query = sa.select(EventRow.audited, EventRow.audit_head).where(EventRow.id == event_id)
        row = self.connection.execute(query).one()
        return row[0], row[1]

    def size(self, event_id: str) -> int:
        """Return how many bytes the lists of an event have."""
        return int(self.connection.scalar(sa.select(EventRow.size).where(EventRow.id == event_id)) or 0)


class EventWriter(EventReader):
    """Writes one event at a moment; every change is noted in its audit."""

    def __init__(self, connection: sa.Connection, event_id: str, now: datetime) -> None:
        super().__init__(connection)
        self._event_id = event_id
        self._now = now.isoformat(timespec="microseconds")
        self._noted: list[AuditEntry] = []
        self.removes = False  # personal data, which is never refused

    @property
    def has_noted(self) -> bool:
        """Whether anything was done."""
        return bool(self._noted)

    def finish(self) -> None:
        """Write down what was noted; Crowded where there is no room for more of it."""
        if self._noted:
            self._check_room()
            self.connection.execute(
                sa.insert(AuditRow), [{"event_id": self._event_id, **entry._asdict()} for entry in self._noted]
            )
            grown = sa.update(EventRow).where(EventRow.id == self._event_id)
            last = self._noted[-1]
            self.connection.execute(grown.values(audited=last.number, audit_head=last.hash))

    def _check_room(self) -> None:
        """Keep of what players and strangers do at most half of what there is room for: they lock out no judge."""
        last = self._noted[-1]
        most = MOST_NOTED if last.by.partition(" ")[0] in STAFF else MOST_NOTED // 2
        if last.number > most and not self.removes and last.action not in _ALWAYS_ADDED:
            raise Crowded(f"More was done at this event than {most:,} entries of its audit say; see who runs it.")

    def add_event(self, event: Tournament, by: str) -> None:
        """Begin an event."""
        row = {"id": event.id, "version": event.version, "created": self._now, "purged": event.purged.isoformat()}
        start = {"size": 0, "audited": 0, "audit_head": event_audit.FIRST}
        self.connection.execute(sa.insert(EventRow), {**row, **start, "details": event.details()})
        self._event_id = event.id
        self._note(by, event_audit.EVENT_BEGUN, "", event.details())

    def change_event(
        self, event: Tournament, by: str, reason: str = "", action: str = event_audit.EVENT_CHANGED
    ) -> None:
        """Save the new settings of an event, and add an entry with `action` to its audit."""
        values = {"version": event.version, "purged": event.purged.isoformat(), "details": event.details()}
        self.connection.execute(sa.update(EventRow).where(EventRow.id == event.id).values(**values))
        self._note(by, action, "", [event.details(), reason])

    def add_export(self, digest: str, by: str) -> AuditEntry:
        """Add an entry to the audit for an export with a digest, and return the entry."""
        self._note(by, event_audit.EXPORTED, "", digest)
        return self._noted[-1]

    def remove_event(self) -> None:
        """Remove an event with all that is known of it."""
        self.removes = True
        remove_events(self.connection, [self._event_id])
        self._noted.clear()

    def add_key(self, role: str, name: str, by: str) -> tuple[str, str]:
        """Make a key for one of those who run the event; return its id, and the key, which is kept as a hash."""
        id, secret = new_id(), new_secret()
        row = self._key(id, secret, role, name, None)
        self.connection.execute(sa.insert(KeyRow), row)
        self._note(by, key_made(role), id, key_content(row))
        return id, secret

    def add_player_keys(self, registration_ids: Iterable[str], by: str) -> list[str]:
        """Make a key for each of some registrations, and return them in this order."""
        rows, made = [], []
        for registration_id in registration_ids:
            made.append(new_secret())
            rows.append(self._key(new_id(), made[-1], PLAYER, "", registration_id))
            self._note(by, key_made(PLAYER), registration_id, key_content(rows[-1]))
        if rows:
            self.connection.execute(sa.insert(KeyRow), rows)
        return made

    def _key(self, id: str, secret: str, role: str, name: str, registration_id: str | None) -> dict[str, Any]:
        row = {"id": id, "event_id": self._event_id, "hash": hashed(secret), "role": role, "name": name}
        return row | {"registration_id": registration_id, "created": self._now}

    def revoke(self, key: sa.ColumnElement[bool], by: str, about: str) -> int:
        """Revoke the keys of the event that a condition holds for, and return how many."""
        held = sa.and_(KeyRow.event_id == self._event_id, KeyRow.revoked.is_(None), key)
        revoked = self.connection.execute(sa.update(KeyRow).where(held).values(revoked=self._now)).rowcount
        if revoked:
            self._note(by, event_audit.KEY_REVOKED, about, about)
        return revoked

    def add_entrants(
        self, all_written: Iterable[Written], by: str, reason: str = "", wheres: Iterable[Whereabouts] = ()
    ) -> list[str]:
        """Register players, who are at `wheres` in the same order, and return the ids of their registrations."""
        registrations: list[dict[str, Any]] = []
        revisions: list[dict[str, Any]] = []
        for written, where in zip(all_written, chain(wheres, repeat(NOWHERE)), strict=False):
            id = new_id()
            row = {"id": id, "event_id": self._event_id, "version": 1, "latest": 1, "cut": False}
            registrations.append(row | {"until": None, "created": self._now} | where._asdict())
            revisions.append(self._revision(id, 1, written, by, reason, secrets.token_hex(_SALT_BYTES)))
            self._note(by, event_audit.REGISTERED, id, revision_content(revisions[-1]))
        if registrations:
            self.connection.execute(sa.insert(RegistrationRow), registrations)
            self._add_revisions(revisions)
        return [row["id"] for row in registrations]

    def revise(self, revised: Iterable[tuple[Entrant, Written]], by: str, reason: str) -> None:
        """Add a revision to each registration. It keeps the salt, and so the commitment, if the list is unchanged."""
        revisions = []
        for entrant, written in revised:
            number, before = entrant.revision.number + 1, entrant.revision
            is_same_list = written.list_text == before.written.list_text
            salt = before.salt if is_same_list else secrets.token_hex(_SALT_BYTES)
            revisions.append(self._revision(entrant.id, number, written, by, reason, salt))
            self._change_entrant(entrant, latest=number)
            self._note(by, event_audit.REVISED, entrant.id, revision_content(revisions[-1]))
        if revisions:
            self._add_revisions(revisions)

    def settle(self, entrant: Entrant, values: Mapping[str, Any], by: str, reason: str) -> None:
        """Change what stands beside the revisions: the own deadline, the top cut, the whereabouts."""
        if entrant.settled == {**entrant.settled, **values}:
            return
        self._change_entrant(entrant, **values)
        # Salted, so that nobody guesses an address.
        self._note(by, event_audit.SETTLED, entrant.id, [secrets.token_hex(16), dict(values), reason])

    def move(self, moved: Iterable[tuple[Entrant, Whereabouts]], by: str) -> None:
        """Write down where players are who were elsewhere."""
        for entrant, where in moved:
            if where != entrant.where:
                self.settle(entrant, where._asdict(), by, "")

    def expect(self, players: Sequence[ExpectedPlayer], by: str) -> None:
        """Keep a list of expected players in place of the one that there was."""
        self.connection.execute(sa.delete(ExpectedRow).where(ExpectedRow.event_id == self._event_id))
        rows = [{"event_id": self._event_id, "place": at, **one._asdict()} for at, one in enumerate(players)]
        if rows:
            self.connection.execute(sa.insert(ExpectedRow), rows)
        self._note(by, event_audit.PLAYERS_EXPECTED, "", [secrets.token_hex(16), [tuple(one) for one in players]])

    def add_checks(self, checked: Iterable[Entrant], notes: CheckNotes, by: str) -> list[str]:
        """Begin a deck check of each of some registrations, against the revision that counts; return their ids."""
        rows: list[dict[str, Any]] = []
        for one in checked:
            row = {"id": new_id(), "event_id": self._event_id, "registration_id": one.id, "version": 1, "box": None}
            rows.append(row | {"revision": one.revision.number, "created": self._now, "notes": notes.details()})
            self._note(by, event_audit.CHECK_BEGUN, one.id, [row["id"], secrets.token_hex(16)])
        if rows:
            self.connection.execute(sa.insert(CheckRow), rows)
        return [row["id"] for row in rows]

    def change_check(self, one: CheckRecord, revision: int, notes: CheckNotes, box: Deck | None, by: str) -> None:
        """Write a deck check anew, against a revision."""
        kept = None if box is None else kept_deck(box)
        values = {"version": one.version + 1, "revision": revision, "notes": notes.details(), "box": kept}
        self.connection.execute(sa.update(CheckRow).where(CheckRow.id == one.id).values(**values))
        # Salted, so that nobody guesses what was counted.
        said = [secrets.token_hex(16), one.id, revision, notes.details(), (kept or b"").decode()]
        self._note(by, event_audit.CHECK_CHANGED, one.registration, said)

    def remove_entrant(self, entrant: Entrant, by: str) -> None:
        """Remove a registration with all its revisions and keys; the audit says that it was there."""
        self.removes = True
        freed = sum(revision.written.size for revision in self.revisions(entrant.id))
        for table in (CheckRow, RevisionRow):
            self.connection.execute(sa.delete(table).where(table.registration_id == entrant.id))
        self.connection.execute(sa.delete(KeyRow).where(KeyRow.registration_id == entrant.id))
        self.connection.execute(sa.delete(RegistrationRow).where(RegistrationRow.id == entrant.id))
        self._forget_expected(entrant, by)
        # An answer that is kept may show the player.
        idempotency.forget_answers(self.connection, self._event_id)
        self._grow(-freed)
        self._note(by, event_audit.REMOVED, entrant.id, entrant.id)

    def _forget_expected(self, entrant: Entrant, by: str) -> None:
        """Take a player off the list of those expected."""
        kept = absent(expected := self.expected(self._event_id), [entrant])
        if len(kept) < len(expected):
            self.expect(kept, by)

    def _revision(self, id: str, number: int, written: Written, by: str, reason: str, salt: str) -> dict[str, Any]:
        row = {"registration_id": id, "number": number, "at": self._now, "by": by, "reason": reason}
        return row | written._asdict() | {"salt": salt}

    def _add_revisions(self, rows: list[dict[str, Any]]) -> None:
        self.connection.execute(sa.insert(RevisionRow), rows)
        self._grow(sum(len(row["deck"] or b"") + len((row["decklist"] or "").encode()) for row in rows))

    def _grow(self, by: int) -> None:
        changed = sa.update(EventRow).where(EventRow.id == self._event_id).values(size=EventRow.size + by)
        self.connection.execute(changed)

    def _change_entrant(self, entrant: Entrant, **values: Any) -> None:
        changed = sa.update(RegistrationRow).where(RegistrationRow.id == entrant.id)
        self.connection.execute(changed.values(version=entrant.version + 1, **values))

    def _note(self, by: str, action: str, about: str, content: object) -> None:
        length, head = (
            (self._noted[-1].number, self._noted[-1].hash) if self._noted else self.audit_head(self._event_id)
        )
        said = (self._now, by, action, about, event_audit.digest(content))
        made = event_audit.chained(head, self._event_id, length + 1, *said)
        self._noted.append(AuditEntry(length + 1, *said, made))


def purge(database: Database, now: datetime) -> int:
    """Remove the events whose retention period is over, and expired answers; return the number of events.

    The log of a SQLite database is emptied each time: what was deleted since the last purge may still be in it.
    """
    try:
        removed = _remove_expired(database, now)
    except NoDatabase:
        return 0
    database.empty_log()
    return removed


def _remove_expired(database: Database, now: datetime) -> int:
    expired = sa.select(EventRow.id).where(EventRow.purged <= now.date().isoformat())
    expired_answer = sa.select(AnswerRow.id).where(AnswerRow.at < (now - idempotency.KEPT).isoformat()).limit(1)
    with database.reading() as connection:
        ids = list(connection.scalars(expired))
        if not ids and connection.scalar(expired_answer) is None:
            return 0
    with database.writing(ALL_EVENTS) as connection:
        remove_events(connection, ids)
        idempotency.forget(connection, now)
    return len(ids)


def remove_events(connection: sa.Connection, ids: list[str]) -> None:
    """Remove events with all that is known of them."""
    registered = sa.select(RegistrationRow.id).where(RegistrationRow.event_id.in_(ids))
    connection.execute(sa.delete(RevisionRow).where(RevisionRow.registration_id.in_(registered)))
    for table in (CheckRow, RegistrationRow, ExpectedRow, KeyRow, AuditRow, AnswerRow):
        connection.execute(sa.delete(table).where(table.event_id.in_(ids)))
    connection.execute(sa.delete(EventRow).where(EventRow.id.in_(ids)))


_OWN = [getattr(RegistrationRow, name) for name in ("id", "version", "until", "cut", "created", "table", "email")]
_REVISION = [getattr(RevisionRow, name) for name in ("number", "at", "by", "reason", "salt", *Written._fields)]
_ENTRANTS = sa.select(*_OWN, *_REVISION).join(
    RevisionRow,
    sa.and_(RevisionRow.registration_id == RegistrationRow.id, RevisionRow.number == RegistrationRow.latest),
)


_CHECKS = sa.select(
    *(getattr(CheckRow, name) for name in ("id", "version", "registration_id", "revision", "created", "box", "notes")),
    RevisionRow.player,
    RevisionRow.deck,
).join(
    RevisionRow,
    sa.and_(RevisionRow.registration_id == CheckRow.registration_id, RevisionRow.number == CheckRow.revision),
)


def _check(row: Sequence[Any]) -> CheckRecord:
    id, version, registration, revision, created, box, notes, player, deck = row
    registered, found = (None if kept is None else read_kept(kept) for kept in (deck, box))
    at = datetime.fromisoformat(created)
    return CheckRecord(id, version, registration, player, revision, at, registered, found, CheckNotes.of(notes))


def _entrant(row: Sequence[Any]) -> Entrant:
    (id, version, until, cut, created, *where), revision = row[:7], row[7:]
    own = datetime.fromisoformat(until) if until else None
    return Entrant(id, version, own, cut, datetime.fromisoformat(created), _revision(revision), Whereabouts(*where))


def _revision(row: Sequence[Any]) -> Revision:
    (number, at, by, reason, salt), written = row[:5], row[5:]
    return Revision(number, datetime.fromisoformat(at), by, reason, Written(*written), salt)


def revision_content(revision: Mapping[str, Any]) -> list[str]:
    """Return the values of a revision that its digest in the audit is made of; the salt prevents guesses."""
    return [str(revision[name]) for name in ("salt", "number", *Written._fields, "reason")]


def key_content(key: Mapping[str, Any]) -> list[str]:
    """Return the values of a key that its digest in the audit is made of."""
    return [key["id"], key["hash"]]


def key_made(role: str) -> str:
    """Return how an audit says that a key was made."""
    return f"{role} key made"
