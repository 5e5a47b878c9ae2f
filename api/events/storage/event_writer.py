"""The event writer: changes of one event, each with an entry in its audit. `event_store` makes it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import chain, repeat
from typing import Any, TypedDict

import sqlalchemy as sa

from api.events.bounds import MOST_NOTED
from api.events.judging.deck_checks import CheckNotes, CheckRecord
from api.events.players.entrant import (
    NOWHERE,
    Entrant,
    EntrantSettings,
    ExpectedPlayer,
    RegistrationContent,
    Whereabouts,
    encode_deck,
    find_absent,
)
from api.events.storage import event_audit, idempotency, import_history
from api.events.storage.event_audit import AuditEntry
from api.events.storage.event_keys import PLAYER, STAFF, Caller, hash_key, new_id, new_secret
from api.events.storage.event_reader import EventReader
from api.events.storage.event_tables import (
    AnswerRow,
    AuditRow,
    CheckRow,
    EventRow,
    ExpectedRow,
    ImportedRow,
    ImportRow,
    KeyRow,
    RegistrationRow,
    RevisionRow,
)
from api.events.storage.import_history import Import, ImportedState
from api.events.tournament import Tournament
from api.service.errors import LimitReached, NoAccess
from validator.deck import Deck
from validator.language import phrase

_SALT_BYTES = 16
_LONGEST_WAIT = timedelta(seconds=30)  # of a request for its turn, with room to spare
_AT_ONCE = 500  # ids in one statement
# A long audit prevents no backup and no deletion.
_ALWAYS_ADDED = (
    event_audit.EXPORTED,
    event_audit.IMPORTED_UNVERIFIED,
    event_audit.EVENT_DELETED,
    event_audit.EVENT_RESTORED,
)
_NO_WRITES = frozenset((event_audit.EXPORTED, event_audit.EVENT_DELETED))  # the retention does not start again


class KeyColumns(TypedDict):
    """The row of a new key. `registration_id` is None for the key of a judge or an organiser."""

    id: str
    event_id: str
    hash: str
    role: str
    name: str
    registration_id: str | None
    created: str


class RevisionColumns(TypedDict):
    """The row of a revision: the fields of RegistrationContent, with number, author, time, reason and salt."""

    registration_id: str
    number: int
    at: str
    by: str
    reason: str
    player: str
    player_id: str
    team: str
    notes: str
    publish: bool
    stream: bool
    deck: bytes | None
    decklist: str | None
    salt: str


class EventWriter(EventReader):
    """Writes one event at a moment, with an entry in its audit for every change.

    `now` is that moment: the arrival of the request, by the clock. If the last audit entry is later by more than any
    request waits, the clock went back, and the time of that entry counts: no clock opens an event again.
    """

    def __init__(self, connection: sa.Connection, event_id: str, arrival: datetime) -> None:
        """Prepare to write an event.

        `now` is the arrival of the request, but not before the last entry of the audit.
        """
        super().__init__(connection)
        self._event_id = event_id
        state = self._state()
        last = datetime.fromisoformat(state.at) if state and state.at else arrival
        self.now = arrival if last - arrival <= _LONGEST_WAIT else last
        self._now = self.now.isoformat(timespec="microseconds")
        self._exists = state is not None
        self._written = state.written if state else ""
        self._is_deleted = bool(state and state.deleted_on)
        self._noted: list[AuditEntry] = []
        self._grown = 0  # bytes of lists, which `finish` adds to the event's
        self.removes = False  # personal data, which is never refused

    def _state(self) -> sa.Row[str, str, str] | None:
        """Return the times of the last audit entry and of the last write, and the day of deletion ("" if none).

        None if there is no such event.
        """
        last = sa.and_(AuditRow.event_id == EventRow.id, AuditRow.number == EventRow.audited)
        query = sa.select(AuditRow.at, EventRow.written, EventRow.deleted_on).select_from(EventRow)
        return self.connection.execute(query.outerjoin(AuditRow, last).where(EventRow.id == self._event_id)).first()

    @property
    def today(self) -> date:
        """The day of the writing, in UTC."""
        return self.now.astimezone(UTC).date()

    def check_access(self, caller: Caller, includes_deleted: bool = False) -> None:
        """Check within the lock that the event is there, and that the caller's key still holds.

        Raises NoAccess if the key was revoked or removed, or the event is gone. An event that is marked as deleted is
        gone too, unless `includes_deleted`.
        """
        if not self._exists or (self._is_deleted and not includes_deleted):
            raise NoAccess
        held = (KeyRow.id == caller.key_id, KeyRow.event_id == self._event_id, KeyRow.revoked.is_(None))
        if caller.key_id and self.connection.scalar(sa.select(KeyRow.id).where(*held)) is None:
            raise NoAccess

    @property
    def has_noted(self) -> bool:
        """Return True if anything was written."""
        return bool(self._noted)

    def size(self, event_id: str) -> int:
        """Return the total size in bytes of the lists of the event, with those that `finish` will add."""
        return super().size(event_id) + self._grown

    def finish(self) -> None:
        """Save the entries of the audit. Raises LimitReached if there is no room for more."""
        if self._noted:
            self._check_room()
            self.connection.execute(
                sa.insert(AuditRow), [{"event_id": self._event_id, **entry._asdict()} for entry in self._noted]
            )
            changed = sa.update(EventRow).where(EventRow.id == self._event_id)
            values = {"audited": self._noted[-1].number, "audit_head": self._noted[-1].hash}
            size = {"size": EventRow.size + self._grown} if self._grown else {}
            self.connection.execute(changed.values(**values, **size, **self._retention()))

    def _retention(self) -> dict[str, str]:
        """Return the columns of the retention that a write changes: the first one on each day starts it again."""
        today = self.today
        if self._written >= today.isoformat() or all(entry.action in _NO_WRITES for entry in self._noted):
            return {}
        event = self.event(self._event_id).with_settings({"written": today})
        return {"written": today.isoformat(), "purged": event.retention_end.isoformat()}

    def _check_room(self) -> None:
        """Raise LimitReached if the audit is full. Players and strangers may fill only half, so judges can go on."""
        last = self._noted[-1]
        most = MOST_NOTED if last.by.partition(" ")[0] in STAFF else MOST_NOTED // 2
        if last.number > most and not self.removes and last.action not in _ALWAYS_ADDED:
            raise LimitReached(
                phrase(
                    "The audit of this event has no room for more than {most:,} entries. Ask the organiser.", most=most
                )
            )

    def add_event(self, event: Tournament, signature: str) -> None:
        """Store a new event, and begin its audit."""
        row = {
            "id": event.id,
            "version": event.version,
            "created": self._now,
            "purged": event.retention_end.isoformat(),
        }
        start = {"size": 0, "audited": 0, "audit_head": event_audit.FIRST}
        self.connection.execute(sa.insert(EventRow), {**row, **start, "details": event.details()})
        self._event_id = event.id
        self._note(signature, event_audit.EVENT_BEGUN, "", event.details())

    def change_event(
        self, event: Tournament, signature: str, reason: str = "", action: str = event_audit.EVENT_CHANGED
    ) -> None:
        """Save the new settings of an event, and add an entry with `action` to its audit."""
        values = {"version": event.version, "purged": event.retention_end.isoformat(), "details": event.details()}
        self.connection.execute(sa.update(EventRow).where(EventRow.id == event.id).values(**values))
        self._note(signature, action, "", [event.details(), reason])

    def add_export(self, digest: str, signature: str) -> AuditEntry:
        """Add an entry to the audit for an export with a digest, and return the entry."""
        self._note(signature, event_audit.EXPORTED, "", digest)
        return self._noted[-1]

    def remove_event(self) -> None:
        """Delete the event with all its rows immediately. It cannot be restored."""
        self.removes = True
        remove_events(self.connection, [self._event_id])
        self._noted.clear()

    def mark_deleted(self, day: date, signature: str) -> None:
        """Mark the event as deleted, until it is removed on a day."""
        self._set_deletion(day.isoformat())
        self._note(signature, event_audit.EVENT_DELETED, "", day.isoformat())

    def restore_event(self, signature: str) -> None:
        """Restore an event that is marked as deleted. Its retention starts again."""
        self._set_deletion("")
        self._note(signature, event_audit.EVENT_RESTORED, "", "")

    def _set_deletion(self, day: str) -> None:
        """Store the day on which the event is removed, "" or None for none."""
        self.connection.execute(sa.update(EventRow).where(EventRow.id == self._event_id).values(deleted_on=day))

    def add_key(self, role: str, name: str, signature: str) -> tuple[str, str]:
        """Add a key of a judge or an organiser. Returns its id and the key, of which only a hash is stored."""
        id, secret = new_id(), new_secret()
        row = self._key(id, secret, role, name, None)
        self.connection.execute(sa.insert(KeyRow), row)
        self._note(signature, event_audit.new_key_action(role), id, key_content(row))
        return id, secret

    def add_player_keys(self, registration_ids: Iterable[str], signature: str) -> list[str]:
        """Make a key for each of some registrations, and return them in this order."""
        rows, made = [], []
        for registration_id in registration_ids:
            made.append(new_secret())
            rows.append(self._key(new_id(), made[-1], PLAYER, "", registration_id))
            self._note(signature, event_audit.new_key_action(PLAYER), registration_id, key_content(rows[-1]))
        if rows:
            self.connection.execute(sa.insert(KeyRow), rows)
        return made

    def _key(self, id: str, secret: str, role: str, name: str, registration_id: str | None) -> KeyColumns:
        """Return the row of a new key. Only the hash of the secret is stored."""
        return {
            "id": id,
            "event_id": self._event_id,
            "hash": hash_key(secret),
            "role": role,
            "name": name,
            "registration_id": registration_id,
            "created": self._now,
        }

    def revoke(self, key: sa.ColumnElement[bool], signature: str, subject: str) -> int:
        """Revoke the keys of the event that meet an SQL condition, and return their number."""
        held = sa.and_(KeyRow.event_id == self._event_id, KeyRow.revoked.is_(None), key)
        revoked = self.connection.execute(sa.update(KeyRow).where(held).values(revoked=self._now)).rowcount
        if revoked:
            self._note(signature, event_audit.KEY_REVOKED, subject, subject)
        return revoked

    def add_entrants(
        self,
        all_written: Iterable[RegistrationContent],
        signature: str,
        reason: str = "",
        wheres: Iterable[Whereabouts] = (),
    ) -> list[str]:
        """Register players and return the ids of their registrations.

        `wheres` are their tables and e-mails, in the same order.
        """
        ids: list[str] = []
        registrations: list[Mapping[str, object]] = []
        revisions: list[RevisionColumns] = []
        for written, where in zip(all_written, chain(wheres, repeat(NOWHERE)), strict=False):
            id = new_id()
            ids.append(id)
            row = {"id": id, "event_id": self._event_id, "version": 1, "latest": 1, "cut": False}
            registrations.append(row | {"until": None, "created": self._now} | where._asdict())
            revisions.append(self._revision(id, 1, written, signature, reason, secrets.token_hex(_SALT_BYTES)))
            self._note(signature, event_audit.REGISTERED, id, revision_content(revisions[-1]))
        if registrations:
            self.connection.execute(sa.insert(RegistrationRow), registrations)
            self._add_revisions(revisions)
        return ids

    def revise(self, revised: Iterable[tuple[Entrant, RegistrationContent]], signature: str, reason: str) -> None:
        """Add a revision to each registration. It keeps the salt, and so the commitment, if the list is unchanged."""
        revisions = []
        for entrant, written in revised:
            number, before = entrant.revision.number + 1, entrant.revision
            is_same_list = written.list_text == before.written.list_text
            salt = before.salt if is_same_list else secrets.token_hex(_SALT_BYTES)
            revisions.append(self._revision(entrant.id, number, written, signature, reason, salt))
            self._change_entrant(entrant, latest=number)
            self._note(signature, event_audit.REVISED, entrant.id, revision_content(revisions[-1]))
        if revisions:
            self._add_revisions(revisions)

    def change_settings(self, entrant: Entrant, values: EntrantSettings, signature: str, reason: str) -> None:
        """Change some values of a registration beside its revisions, and note them in the audit.

        Equal values write nothing. An empty e-mail address also deletes the player's addresses from the import history.
        """
        if entrant.settings == {**entrant.settings, **values}:
            return
        if values.get("email") == "":
            import_history.forget_addresses(self.connection, entrant.id)
        self._change_entrant(entrant, **values)
        # Salted, so that nobody guesses an address.
        self._note(signature, event_audit.SETTLED, entrant.id, [secrets.token_hex(16), dict(values), reason])

    def change_whereabouts(self, moved: Iterable[tuple[Entrant, Whereabouts]], signature: str) -> None:
        """Store the tables and e-mail addresses of players. Equal ones are not written."""
        for entrant, where in moved:
            if where != entrant.where:
                self.change_settings(entrant, {"table": where.table, "email": where.email}, signature, "")

    def replace_expected(self, players: Sequence[ExpectedPlayer], signature: str) -> None:
        """Replace the list of expected players."""
        self.connection.execute(sa.delete(ExpectedRow).where(ExpectedRow.event_id == self._event_id))
        rows = [{"event_id": self._event_id, "place": at, **one._asdict()} for at, one in enumerate(players)]
        if rows:
            self.connection.execute(sa.insert(ExpectedRow), rows)
        self._note(
            signature, event_audit.PLAYERS_EXPECTED, "", [secrets.token_hex(16), [tuple(one) for one in players]]
        )

    def add_import(self, import_: Import, states: Sequence[ImportedState], signature: str) -> str:
        """Add an import that was just done to the history of the event, and return its id."""
        id = new_id()
        row = {
            "id": id,
            "event_id": self._event_id,
            "created": self._now,
            "by": signature,
            "entry": self._noted[-1].number,
        }
        import_history.add(self.connection, row | import_.as_row(), states)
        self._note(signature, event_audit.PLAYERS_IMPORTED, id, [secrets.token_hex(16), import_.kind, import_.name])
        return id

    def mark_import_undone(self, import_id: str, signature: str, reason: str) -> None:
        """Mark an import as undone."""
        import_history.mark_undone(self.connection, import_id, self._now)
        self._note(signature, event_audit.IMPORT_UNDONE, import_id, [secrets.token_hex(16), reason])

    def add_checks(self, checked: Iterable[Entrant], notes: CheckNotes, signature: str) -> list[str]:
        """Add a deck check for each of some registrations, against the revision that counts. Returns their ids."""
        ids: list[str] = []
        rows: list[Mapping[str, object]] = []
        for entrant in checked:
            id = new_id()
            ids.append(id)
            row = {"id": id, "event_id": self._event_id, "registration_id": entrant.id, "version": 1, "box": None}
            rows.append(row | {"revision": entrant.revision.number, "created": self._now, "notes": notes.details()})
            self._note(signature, event_audit.CHECK_BEGUN, entrant.id, [id, secrets.token_hex(16)])
        if rows:
            self.connection.execute(sa.insert(CheckRow), rows)
        return ids

    def change_check(
        self, record: CheckRecord, revision: int, notes: CheckNotes, box: Deck | None, signature: str
    ) -> None:
        """Store the notes, the box and the compared revision of a deck check."""
        kept = None if box is None else encode_deck(box)
        values = {"version": record.version + 1, "revision": revision, "notes": notes.details(), "box": kept}
        self.connection.execute(sa.update(CheckRow).where(CheckRow.id == record.id).values(**values))
        # Salted, so that nobody guesses what was counted.
        content = [secrets.token_hex(16), record.id, revision, notes.details(), (kept or b"").decode()]
        self._note(signature, event_audit.CHECK_CHANGED, record.registration, content)

    def remove_entrant(self, entrant: Entrant, signature: str) -> None:
        """Delete a registration with all data of the player, also in the list of expected players.

        The audit shows that there was a registration.
        """
        self._forget_expected(entrant, signature)
        import_history.forget_expected(self.connection, self._event_id, entrant)
        self.remove_entrants([entrant], signature)

    def merge_entrant(self, entrant: Entrant, remaining: Entrant, content: Sequence[str], signature: str) -> None:
        """Move the keys of a registration to another one of the same player, then remove it with all its revisions.

        `content` describes the merge. The audit has its digest, with a salt.
        """
        self._note(signature, event_audit.MERGED, remaining.id, [secrets.token_hex(16), entrant.id, *content])
        is_valid = sa.and_(KeyRow.registration_id == entrant.id, KeyRow.revoked.is_(None))
        for id, secret_hash in self.connection.execute(sa.select(KeyRow.id, KeyRow.hash).where(is_valid)).all():
            self._note(
                signature,
                event_audit.new_key_action(PLAYER),
                remaining.id,
                key_content({"id": id, "hash": secret_hash}),
            )
        # `created` is the time of the entry above, which an archive is compared with.
        moved = sa.update(KeyRow).where(is_valid).values(registration_id=remaining.id, created=self._now)
        self.connection.execute(moved)
        self.remove_entrants([entrant], signature)

    def remove_entrants(self, entrants: Sequence[Entrant], signature: str) -> None:
        """Remove registrations with their revisions, checks and keys. The list of expected players stays as it is."""
        if not entrants:
            return
        self.removes = True
        freed = 0
        for start in range(0, len(entrants), _AT_ONCE):
            ids = [one.id for one in entrants[start : start + _AT_ONCE]]
            kept = sa.select(RevisionRow.deck, RevisionRow.decklist).where(RevisionRow.registration_id.in_(ids))
            freed += sum(_bytes_of(*row) for row in self.connection.execute(kept))
            for table in (CheckRow, RevisionRow, ImportedRow, KeyRow):
                self.connection.execute(sa.delete(table).where(table.registration_id.in_(ids)))
            self.connection.execute(sa.delete(RegistrationRow).where(RegistrationRow.id.in_(ids)))
        # An answer that is kept may show the player.
        idempotency.forget_answers(self.connection, self._event_id)
        self._grow(-freed)
        for one in entrants:
            self._note(signature, event_audit.REMOVED, one.id, one.id)

    def _forget_expected(self, entrant: Entrant, signature: str) -> None:
        """Remove a player from the list of expected players."""
        kept = find_absent(expected := self.expected_players(self._event_id), [entrant])
        if len(kept) < len(expected):
            self.replace_expected(kept, signature)

    def _revision(
        self, id: str, number: int, content: RegistrationContent, signature: str, reason: str, salt: str
    ) -> RevisionColumns:
        """Return the row of a new revision."""
        return {
            "registration_id": id,
            "number": number,
            "at": self._now,
            "by": signature,
            "reason": reason,
            "player": content.player,
            "player_id": content.player_id,
            "team": content.team,
            "notes": content.notes,
            "publish": content.publish,
            "stream": content.stream,
            "deck": content.deck,
            "decklist": content.decklist,
            "salt": salt,
        }

    def _add_revisions(self, rows: list[RevisionColumns]) -> None:
        """Store revisions, and count their bytes."""
        self.connection.execute(sa.insert(RevisionRow), rows)
        self._grow(sum(_bytes_of(row["deck"], row["decklist"]) for row in rows))

    def _grow(self, size: int) -> None:
        """Add bytes to the size of the event, which is stored at the end of the transaction."""
        self._grown += size

    def _change_entrant(self, entrant: Entrant, **values: Any) -> None:
        """Change the columns of a registration and increase its version."""
        changed = sa.update(RegistrationRow).where(RegistrationRow.id == entrant.id)
        self.connection.execute(changed.values(version=entrant.version + 1, **values))

    def _note(self, signature: str, action: str, subject: str, content: object) -> None:
        """Append an entry to the audit, chained to the one before.

        The entries are stored at the end of the transaction.
        """
        length, head = (
            (self._noted[-1].number, self._noted[-1].hash) if self._noted else self.audit_head(self._event_id)
        )
        texts = (self._now, signature, action, subject, event_audit.digest(content))
        made = event_audit.chain_hash(head, self._event_id, length + 1, *texts)
        self._noted.append(AuditEntry(length + 1, *texts, made))


def remove_events(connection: sa.Connection, ids: list[str]) -> None:
    """Delete events with all rows of all tables that belong to them."""
    registered = sa.select(RegistrationRow.id).where(RegistrationRow.event_id.in_(ids))
    connection.execute(sa.delete(RevisionRow).where(RevisionRow.registration_id.in_(registered)))
    for table in (CheckRow, RegistrationRow, ExpectedRow, ImportedRow, ImportRow, KeyRow, AuditRow, AnswerRow):
        connection.execute(sa.delete(table).where(table.event_id.in_(ids)))
    connection.execute(sa.delete(EventRow).where(EventRow.id.in_(ids)))


def _bytes_of(deck: bytes | None, decklist: str | None) -> int:
    """Return the size in bytes of a deck and its text, 0 for None."""
    return len(deck or b"") + len((decklist or "").encode())


def revision_content(revision: Mapping[str, Any]) -> list[str]:
    """Return the values of a revision for its digest in the audit. The salt prevents guesses."""
    return [str(revision[name]) for name in ("salt", "number", *RegistrationContent._fields, "reason")]


def key_content(key: Mapping[str, Any]) -> list[str]:
    """Return the values of a key that its digest in the audit is made of."""
    return [key["id"], key["hash"]]
