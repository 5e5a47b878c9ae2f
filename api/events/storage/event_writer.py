"""The event writer: changes of one event, each with an entry in its audit. `event_store` makes it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import chain, repeat
from typing import Any, TypedDict

import sqlalchemy as sa

from api.events.bounds import MOST_IDS, MOST_NOTED
from api.events.judging.deck_checks import CheckNotes, CheckRecord
from api.events.players.entrant import (
    NOWHERE,
    Entrant,
    EntrantSettings,
    ExpectedPlayer,
    RegistrationContent,
    Whereabouts,
    deck_text,
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
from api.events.storage.import_history import Import, ImportedState, KeptImport
from api.events.tournament import Tournament
from api.service.errors import LimitReached, NoAccess
from validator.deck import Deck
from validator.language import phrase

_SALT_BYTES = 16
_LONGEST_WAIT = timedelta(seconds=30)  # of a request for its turn, with room to spare
# A long audit prevents no backup and no deletion.
_ALWAYS_ADDED = (
    event_audit.EXPORTED,
    event_audit.IMPORTED_UNVERIFIED,
    event_audit.EVENT_DELETED,
    event_audit.EVENT_RESTORED,
)
_NO_WRITES = frozenset((event_audit.EXPORTED, event_audit.EVENT_DELETED))  # the retention does not start again


class KeyColumns(TypedDict):
    """The database columns of a new key. `registration_id` is None for the key of a judge or an organiser."""

    id: str
    event_id: str
    hash: str
    role: str
    name: str
    registration_id: str | None
    created: str


class RevisionColumns(TypedDict):
    """The database columns of a revision: the fields of RegistrationContent, number, author, time, reason and salt."""

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
    """Writes one event at a moment, with an entry in its audit for every change. `finish` saves these entries.

    `now` is that moment: the arrival of the request. If the last audit entry is later by more than 30 seconds, the
    clock went back. Then the time of that entry is used, so that no clock opens an event again. `removes` is True after
    a deletion of personal data. In all methods `signature` is the author, as `Caller.signature` has it.
    """

    def __init__(self, connection: sa.Connection, event_id: str, arrival: datetime) -> None:
        """Prepare to write an event, and read its state. The event need not exist yet.

        `now` becomes `arrival`, or the time of the last audit entry if that is more than 30 seconds later.
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
        """Return the row with `at` (time of the last audit entry), `written` (day of the last write) and `deleted_on`.

        None if there is no such event. `at` is None without an entry. `deleted_on` is the day on which the event is
        removed, "" if it is not marked as deleted.
        """
        last = sa.and_(AuditRow.event_id == EventRow.id, AuditRow.number == EventRow.audited)
        query = sa.select(AuditRow.at, EventRow.written, EventRow.deleted_on).select_from(EventRow)
        return self.connection.execute(query.outerjoin(AuditRow, last).where(EventRow.id == self._event_id)).first()

    @property
    def today(self) -> date:
        """The day of the writing, in UTC."""
        return self.now.astimezone(UTC).date()

    def check_access(self, caller: Caller, includes_deleted: bool = False) -> None:
        """Raise NoAccess if the event is gone, or the caller's key was revoked or removed since the request arrived.

        An event that is marked as deleted counts as gone, unless `includes_deleted`. A caller without a key is not
        checked.
        """
        if not self._exists or (self._is_deleted and not includes_deleted):
            raise NoAccess
        is_valid_key = (KeyRow.id == caller.key_id, KeyRow.event_id == self._event_id, KeyRow.revoked.is_(None))
        if caller.key_id and self.connection.scalar(sa.select(KeyRow.id).where(*is_valid_key)) is None:
            raise NoAccess

    @property
    def has_noted(self) -> bool:
        """Return True if any change has been noted for the audit."""
        return bool(self._noted)

    def size(self, event_id: str) -> int:
        """Return the total size in bytes of the lists of an event, with the unsaved bytes of this writer."""
        return super().size(event_id) + self._grown

    def finish(self) -> None:
        """Save the new entries of the audit, its head, the size and the retention of the event.

        Nothing if there are none. Raises LimitReached if the audit has no room for more entries.
        """
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
        """Return the columns `written` and `purged` that this write changes: today, and the end of the retention.

        Both are ISO days. Empty if the event was written today already, or if its entries are only exports and the
        event's own deletion.
        """
        today = self.today
        if self._written >= today.isoformat() or all(entry.action in _NO_WRITES for entry in self._noted):
            return {}
        event = self.event(self._event_id).with_settings({"written": today})
        return {"written": today.isoformat(), "purged": event.retention_end.isoformat()}

    def _check_room(self) -> None:
        """Raise LimitReached if the audit has MOST_NOTED entries. Players and strangers may fill only half of it.

        So judges can go on. A deletion of personal data, an export, the import of an unverified archive, and the
        deletion or restoring of the event always have room.
        """
        last = self._noted[-1]
        most = MOST_NOTED if last.by.partition(" ")[0] in STAFF else MOST_NOTED // 2
        if last.number > most and not self.removes and last.action not in _ALWAYS_ADDED:
            raise LimitReached(
                phrase(
                    "The audit of this event has no room for more than {most:,} entries. Ask the organiser.", most=most
                )
            )

    def add_event(self, event: Tournament, signature: str) -> None:
        """Store a new event, and begin its audit. From now on this writer writes that event."""
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
        """Save the new settings of an event, and add an entry with `action` and `reason` to its audit."""
        values = {"version": event.version, "purged": event.retention_end.isoformat(), "details": event.details()}
        self.connection.execute(sa.update(EventRow).where(EventRow.id == event.id).values(**values))
        self._note(signature, action, "", [event.details(), reason])

    def add_export(self, digest: str, signature: str) -> AuditEntry:
        """Add an entry for an export with a digest of its content to the audit, and return the entry."""
        self._note(signature, event_audit.EXPORTED, "", digest)
        return self._noted[-1]

    def remove_event(self) -> None:
        """Delete the event with all its rows, its audit included. It cannot be restored.

        Entries that this writer has not saved yet are dropped.
        """
        self.removes = True
        remove_events(self.connection, [self._event_id])
        self._noted.clear()

    def mark_deleted(self, day: date, signature: str) -> None:
        """Mark the event as deleted, to be removed on a day, and add an entry to its audit.

        Its data stays until then.
        """
        self._set_deletion(day.isoformat())
        self._note(signature, event_audit.EVENT_DELETED, "", day.isoformat())

    def restore_event(self, signature: str) -> None:
        """Restore an event that is marked as deleted, and add an entry to its audit. Its retention starts again."""
        self._set_deletion("")
        self._note(signature, event_audit.EVENT_RESTORED, "", "")

    def _set_deletion(self, day: str) -> None:
        """Store the ISO day on which the event is removed, "" if it is not deleted."""
        self.connection.execute(sa.update(EventRow).where(EventRow.id == self._event_id).values(deleted_on=day))

    def add_key(self, role: str, name: str, signature: str) -> tuple[str, str]:
        """Add a key for the `role` JUDGE or ORGANISER. Returns (id, key in plain text).

        Only a hash of the key is stored, and an entry is added to the audit. `name` is a label.
        """
        id, secret = new_id(), new_secret()
        row = self._key(id, secret, role, name, None)
        self.connection.execute(sa.insert(KeyRow), row)
        self._note(signature, event_audit.new_key_action(role), id, key_content(row))
        return id, secret

    def add_player_keys(self, registration_ids: Iterable[str], signature: str) -> list[str]:
        """Add a key for each of some registrations. Returns the keys in plain text, in the order of the registrations.

        Only hashes of the keys are stored, and an entry for each is added to the audit. Earlier keys stay valid.
        """
        rows, made = [], []
        for registration_id in registration_ids:
            made.append(new_secret())
            rows.append(self._key(new_id(), made[-1], PLAYER, "", registration_id))
            self._note(signature, event_audit.new_key_action(PLAYER), registration_id, key_content(rows[-1]))
        if rows:
            self.connection.execute(sa.insert(KeyRow), rows)
        return made

    def _key(self, id: str, secret: str, role: str, name: str, registration_id: str | None) -> KeyColumns:
        """Return the database columns of a new key, with only a hash of the secret. `name` is a label, "" for none."""
        return {
            "id": id,
            "event_id": self._event_id,
            "hash": hash_key(secret),
            "role": role,
            "name": name,
            "registration_id": registration_id,
            "created": self._now,
        }

    def revoke(self, condition: sa.ColumnElement[bool], signature: str, subject: str) -> int:
        """Revoke the valid keys of the event that meet an SQL condition, and return their number.

        If any was revoked, one entry about the id `subject` is added to the audit.
        """
        is_valid_key = sa.and_(KeyRow.event_id == self._event_id, KeyRow.revoked.is_(None), condition)
        count = self.connection.execute(sa.update(KeyRow).where(is_valid_key).values(revoked=self._now)).rowcount
        if count:
            self._note(signature, event_audit.KEY_REVOKED, subject, subject)
        return count

    def add_entrants(
        self,
        all_written: Iterable[RegistrationContent],
        signature: str,
        reason: str = "",
        wheres: Iterable[Whereabouts] = (),
    ) -> list[str]:
        """Register players with a first revision each, and return the ids of the registrations in order.

        `all_written` are the contents, `reason` is that of the revisions. `wheres` are tables and e-mail addresses in
        the same order. Missing ones at the end are empty. The audit gets an entry for each. No keys are made.
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
        """Add a revision with new content to each registration, at the moment `now` and with one `reason`.

        If the list is unchanged, the revision keeps the salt and so the commitment to the list. Else it gets a new
        salt. The audit gets an entry for each.
        """
        revisions = []
        for entrant, written in revised:
            number, before = entrant.revision.number + 1, entrant.revision
            is_same_list = written.list_text == deck_text(before.deck)
            salt = before.salt if is_same_list else secrets.token_hex(_SALT_BYTES)
            revisions.append(self._revision(entrant.id, number, written, signature, reason, salt))
            self._change_entrant(entrant, latest=number)
            self._note(signature, event_audit.REVISED, entrant.id, revision_content(revisions[-1]))
        if revisions:
            self._add_revisions(revisions)

    def change_settings(self, entrant: Entrant, values: EntrantSettings, signature: str, reason: str) -> None:
        """Change some values of a registration that are not in its revisions, and add an entry to the audit.

        If all are equal to the present ones, nothing is written. An empty `email` also deletes the player's addresses
        from the history of imports. The version of the registration increases. The audit has only a salted digest of
        the values and the `reason`.
        """
        if entrant.settings == {**entrant.settings, **values}:
            return
        if values.get("email") == "":
            import_history.forget_addresses(self.connection, entrant.id)
        self._change_entrant(entrant, **values)
        # Salted, so that nobody guesses an address.
        self._note(signature, event_audit.SETTLED, entrant.id, [secrets.token_hex(16), dict(values), reason])

    def change_whereabouts(self, moved: Iterable[tuple[Entrant, Whereabouts]], signature: str) -> None:
        """Store the tables and e-mail addresses of some registrations, each with an entry in the audit.

        Equal ones are not written. An empty address also deletes the player's addresses from the history of imports.
        """
        for entrant, where in moved:
            if where != entrant.where:
                self.change_settings(entrant, {"table": where.table, "email": where.email}, signature, "")

    def replace_expected(self, players: Sequence[ExpectedPlayer], signature: str) -> None:
        """Replace the list of expected players, and add an entry to the audit, also for an equal list.

        An empty list is allowed.
        """
        self.connection.execute(sa.delete(ExpectedRow).where(ExpectedRow.event_id == self._event_id))
        rows = [{"event_id": self._event_id, "place": at, **one._asdict()} for at, one in enumerate(players)]
        if rows:
            self.connection.execute(sa.insert(ExpectedRow), rows)
        self._note(
            signature, event_audit.PLAYERS_EXPECTED, "", [secrets.token_hex(16), [tuple(one) for one in players]]
        )

    def add_import(self, import_: Import, states: Sequence[ImportedState], signature: str) -> str:
        """Add an import to the history of the event and its audit, and return its id.

        Its changes must be written already. `states` are the registrations as they were before it. The oldest imports
        beyond MOST_IMPORTS are deleted.
        """
        id, entry = new_id(), self._noted[-1].number
        record = KeptImport(id, self._now, signature, undone=None, entry=entry, **import_._asdict())
        import_history.add(self.connection, self._event_id, record, states)
        self._note(signature, event_audit.PLAYERS_IMPORTED, id, [secrets.token_hex(16), import_.kind, import_.name])
        return id

    def mark_import_undone(self, import_id: str, signature: str, reason: str) -> None:
        """Mark an import as undone, and add an entry to the audit. Its registrations are not restored here.

        The states and the expected players that were stored from before the import are deleted. The audit has only a
        salted digest of the `reason`.
        """
        import_history.mark_undone(self.connection, import_id, self._now)
        self._note(signature, event_audit.IMPORT_UNDONE, import_id, [secrets.token_hex(16), reason])

    def add_checks(self, checked: Iterable[Entrant], notes: CheckNotes, signature: str) -> list[str]:
        """Add a deck check with the same notes for each of some registrations. Returns the ids of the checks in order.

        Each is compared with the newest revision of its registration. No box is counted yet. The audit gets an entry
        for each.
        """
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
        """Replace the notes, the counted box (None: not counted) and the compared revision of a deck check.

        Adds an entry to the audit, and increases the version of the check.
        """
        encoded_box = None if box is None else encode_deck(box)
        values = {"version": record.version + 1, "revision": revision, "notes": notes.details(), "box": encoded_box}
        self.connection.execute(sa.update(CheckRow).where(CheckRow.id == record.id).values(**values))
        # Salted, so that nobody guesses what was counted.
        content = [secrets.token_hex(16), record.id, revision, notes.details(), (encoded_box or b"").decode()]
        self._note(signature, event_audit.CHECK_CHANGED, record.registration, content)

    def remove_entrant(self, entrant: Entrant, signature: str) -> None:
        """Delete a registration with all data of the player, also in the list of expected players and in its history.

        The audit still shows that there was a registration.
        """
        self._forget_expected(entrant, signature)
        import_history.forget_expected(self.connection, self._event_id, entrant)
        self.remove_entrants([entrant], signature)

    def merge_entrant(self, entrant: Entrant, remaining: Entrant, content: Sequence[str], signature: str) -> None:
        """Move the valid keys of a registration to another one of the same player, then delete the former.

        `entrant` is deleted with all its revisions, `remaining` stays. The merge, each moved key and the deletion are
        noted in the audit. `content` describes the merge. The audit has only its digest, with a salt.
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
        """Delete registrations with their revisions, deck checks, keys and states before imports.

        Nothing if there are none. Also deletes all stored answers of the event, because they may show a player. The
        list of expected players stays as it is. The audit gets an entry for each registration.
        """
        if not entrants:
            return
        self.removes = True
        freed = 0
        for start in range(0, len(entrants), MOST_IDS):
            ids = [one.id for one in entrants[start : start + MOST_IDS]]
            lists = sa.select(RevisionRow.deck, RevisionRow.decklist).where(RevisionRow.registration_id.in_(ids))
            freed += sum(_bytes_of(*row) for row in self.connection.execute(lists))
            for table in (CheckRow, RevisionRow, ImportedRow, KeyRow):
                self.connection.execute(sa.delete(table).where(table.registration_id.in_(ids)))
            self.connection.execute(sa.delete(RegistrationRow).where(RegistrationRow.id.in_(ids)))
        # An answer that is kept may show the player.
        idempotency.forget_answers(self.connection, self._event_id)
        self._grow(-freed)
        for one in entrants:
            self._note(signature, event_audit.REMOVED, one.id, one.id)

    def _forget_expected(self, entrant: Entrant, signature: str) -> None:
        """Remove the player of a registration from the list of expected players.

        Nothing is written if it lacks the player.
        """
        expected = self.expected_players(self._event_id)
        others = find_absent(expected, [entrant])
        if len(others) < len(expected):
            self.replace_expected(others, signature)

    def _revision(
        self, id: str, number: int, content: RegistrationContent, signature: str, reason: str, salt: str
    ) -> RevisionColumns:
        """Return the database columns of a new revision of the registration `id`, at the moment `now`."""
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
        """Store the rows of revisions, and count the bytes of their decks and texts."""
        self.connection.execute(sa.insert(RevisionRow), rows)
        self._grow(sum(_bytes_of(row["deck"], row["decklist"]) for row in rows))

    def _grow(self, size: int) -> None:
        """Add bytes (below 0: subtract them) to the size of the event, which `finish` stores."""
        self._grown += size

    def _change_entrant(self, entrant: Entrant, **values: Any) -> None:
        """Store new values for columns of a registration, and increase its version by one.

        Nothing is noted in the audit.
        """
        changed = sa.update(RegistrationRow).where(RegistrationRow.id == entrant.id)
        self.connection.execute(changed.values(version=entrant.version + 1, **values))

    def _note(self, signature: str, action: str, subject: str, content: object) -> None:
        """Append an entry to the audit, chained to the entry before it. `finish` stores it.

        `action` is one of event_audit's actions. `subject` is the id that it is about, "" for the event. `content` is
        any JSON value, of which only a digest is kept.
        """
        length, head = (
            (self._noted[-1].number, self._noted[-1].hash) if self._noted else self.audit_head(self._event_id)
        )
        texts = (self._now, signature, action, subject, event_audit.digest(content))
        made = event_audit.chain_hash(head, self._event_id, length + 1, *texts)
        self._noted.append(AuditEntry(length + 1, *texts, made))


def remove_events(connection: sa.Connection, ids: list[str]) -> None:
    """Delete events by id with all rows of all tables that belong to them."""
    registered = sa.select(RegistrationRow.id).where(RegistrationRow.event_id.in_(ids))
    connection.execute(sa.delete(RevisionRow).where(RevisionRow.registration_id.in_(registered)))
    for table in (CheckRow, RegistrationRow, ExpectedRow, ImportedRow, ImportRow, KeyRow, AuditRow, AnswerRow):
        connection.execute(sa.delete(table).where(table.event_id.in_(ids)))
    connection.execute(sa.delete(EventRow).where(EventRow.id.in_(ids)))


def _bytes_of(deck: bytes | None, decklist: str | None) -> int:
    """Return the size in bytes of an encoded deck and its text together. None counts as 0."""
    return len(deck or b"") + len((decklist or "").encode())


def revision_content(revision: Mapping[str, object]) -> list[str]:
    """Return the values of a revision for its digest in the audit, as texts: salt, number, content and reason.

    The salt prevents guesses of the content.
    """
    return [str(revision[name]) for name in ("salt", "number", *RegistrationContent._fields, "reason")]


def key_content(key: Mapping[str, Any]) -> list[str]:
    """Return the values of a key for its digest in the audit: its id and its hash."""
    return [key["id"], key["hash"]]
