"""The database tables of events. Times are ISO 8601 in UTC, so that their texts sort by time."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import orm

from carddb.database import Base

_ID = sa.String(40)


class EventRow(Base):
    """The table of events. `details` are the settings as JSON, `version` is theirs, `created` an ISO moment.

    `size` is the bytes of the decks of all revisions and of their texts. `purged` is the ISO day on which its retention
    ends, `written` that of its last write other than exports and its own deletion, "" if it is not known. `audited` and
    `audit_head` are the number of entries of its audit and the hash of the last one. `deleted_on` is the ISO day on
    which an event that is marked as deleted is removed, "" if it is not marked.
    """

    __tablename__ = "event"

    id: orm.Mapped[str] = orm.mapped_column(_ID, primary_key=True)
    version: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    purged: orm.Mapped[str] = orm.mapped_column(sa.String(10), index=True)
    details: orm.Mapped[dict[str, Any]] = orm.mapped_column(sa.JSON)
    size: orm.Mapped[int] = orm.mapped_column(sa.BigInteger)
    audited: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    audit_head: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    written: orm.Mapped[str] = orm.mapped_column(sa.String(10), server_default="")
    deleted_on: orm.Mapped[str] = orm.mapped_column(sa.String(10), server_default="")


class KeyRow(Base):
    """The table of keys. `hash` is the SHA-256 of a key, which is not stored itself.

    `revoked` is the moment, None if valid. `registration_id` is that of a player's key, None for judges and organisers.
    `name` is a label.
    """

    __tablename__ = "event_key"

    id: orm.Mapped[str] = orm.mapped_column(_ID, primary_key=True)
    event_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event.id"), index=True)
    hash: orm.Mapped[str] = orm.mapped_column(sa.String(64), unique=True)
    role: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    name: orm.Mapped[str] = orm.mapped_column(sa.String(100))
    registration_id: orm.Mapped[str | None] = orm.mapped_column(_ID, index=True)
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    revoked: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))


class RegistrationRow(Base):
    """The table of registrations. `version` counts every change, `latest` is the number of the newest revision.

    `until` is the player's own deadline, None without one. `cut`: the player is in the top cut. `table` and `email` are
    the seat and the address of the player, "" if not known. `distinct_from` has the ids of registrations, with spaces
    between, that a judge marked as those of other players.
    """

    __tablename__ = "event_registration"

    id: orm.Mapped[str] = orm.mapped_column(_ID, primary_key=True)
    event_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event.id"), index=True)
    version: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    latest: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    until: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    cut: orm.Mapped[bool] = orm.mapped_column(sa.Boolean)
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    table: orm.Mapped[str] = orm.mapped_column(sa.Text, server_default="")
    email: orm.Mapped[str] = orm.mapped_column(sa.Text, server_default="")
    distinct_from: orm.Mapped[str] = orm.mapped_column(sa.Text, server_default="")


class ExpectedRow(Base):
    """The table of expected players. `place` is the place in the organiser's list, from 0."""

    __tablename__ = "event_expected"

    event_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event.id"), primary_key=True)
    place: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    player: orm.Mapped[str] = orm.mapped_column(sa.Text)
    player_id: orm.Mapped[str] = orm.mapped_column(sa.Text)
    email: orm.Mapped[str] = orm.mapped_column(sa.Text)


class ImportRow(Base):
    """The table of imported spreadsheets. `kind` is "players" or "expected", `name` the name of the file.

    `added` and `changed` are numbers of registrations. `before` has, under "players", the list of expected players
    before an import of such: name, player ID, address. `entry` is the number of the audit entry before that of the
    import. `undone` is the moment of the undo, None if there was none.
    """

    __tablename__ = "event_import"

    id: orm.Mapped[str] = orm.mapped_column(_ID, primary_key=True)
    event_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event.id"), index=True)
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    by: orm.Mapped[str] = orm.mapped_column(sa.String(120))
    kind: orm.Mapped[str] = orm.mapped_column(sa.String(20))
    name: orm.Mapped[str] = orm.mapped_column(sa.Text)
    added: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    changed: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    entry: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    before: orm.Mapped[dict[str, list[list[str]]]] = orm.mapped_column(sa.JSON)
    undone: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))


class ImportedRow(Base):
    """The table of registrations that an import added or changed, as they were before it.

    `revision` is 0 if the import added the registration. `table` and `email` are those before the import. `version` is
    that of the registration after the import, or after the undo of a later one. If the registration has another version
    now, it was changed since.
    """

    __tablename__ = "event_imported"

    import_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event_import.id"), primary_key=True)
    registration_id: orm.Mapped[str] = orm.mapped_column(_ID, primary_key=True, index=True)
    event_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event.id"), index=True)
    revision: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    version_before: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    version: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    table: orm.Mapped[str] = orm.mapped_column(sa.Text)
    email: orm.Mapped[str] = orm.mapped_column(sa.Text)


class RevisionRow(Base):
    """The table of the versions of a registration. The player and the deck are as written, from the moment `at` on.

    `by` is the author: a role and the id of a key. `publish` and `stream` are consents. `deck` is an encoded deck, None
    without a list. `decklist` is the text that the deck came as. `salt` is that of the commitment to the list.
    """

    __tablename__ = "event_revision"
    # Duplicates are looked for at each registration: by this index no deck is read for it.
    __table_args__ = (sa.Index("event_revision_player", "registration_id", "number", "player", "player_id"),)

    registration_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event_registration.id"), primary_key=True)
    number: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    at: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    by: orm.Mapped[str] = orm.mapped_column(sa.String(120))
    reason: orm.Mapped[str] = orm.mapped_column(sa.Text)
    player: orm.Mapped[str] = orm.mapped_column(sa.Text)
    player_id: orm.Mapped[str] = orm.mapped_column(sa.Text)
    team: orm.Mapped[str] = orm.mapped_column(sa.Text)
    notes: orm.Mapped[str] = orm.mapped_column(sa.Text)
    publish: orm.Mapped[bool] = orm.mapped_column(sa.Boolean)
    stream: orm.Mapped[bool] = orm.mapped_column(sa.Boolean)
    deck: orm.Mapped[bytes | None] = orm.mapped_column(sa.LargeBinary)
    decklist: orm.Mapped[str | None] = orm.mapped_column(sa.Text)
    salt: orm.Mapped[str] = orm.mapped_column(sa.String(64))


class CheckRow(Base):
    """The table of deck checks. `revision` is the number of the revision that the deck box is compared with.

    `notes` are the judge's notes as JSON. `box` is the counted deck, encoded, None before it is counted. `version`
    counts the changes from 1.
    """

    __tablename__ = "event_check"

    id: orm.Mapped[str] = orm.mapped_column(_ID, primary_key=True)
    event_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event.id"), index=True)
    registration_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event_registration.id"), index=True)
    version: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    revision: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    notes: orm.Mapped[dict[str, Any]] = orm.mapped_column(sa.JSON)
    box: orm.Mapped[bytes | None] = orm.mapped_column(sa.LargeBinary)


class AuditRow(Base):
    """The table of audit entries, with the fields of AuditEntry."""

    __tablename__ = "event_audit"

    event_id: orm.Mapped[str] = orm.mapped_column(_ID, sa.ForeignKey("event.id"), primary_key=True)
    number: orm.Mapped[int] = orm.mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    at: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    by: orm.Mapped[str] = orm.mapped_column(sa.String(120))
    action: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    about: orm.Mapped[str] = orm.mapped_column(_ID)
    digest: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    hash: orm.Mapped[str] = orm.mapped_column(sa.String(64))


class AnswerRow(Base):
    """The table of encrypted answers to requests, which are sent again if a request is repeated.

    `id` is a hash of the request's key, sender, method and path. `content` is the hash of its body. `sealed` is the
    encrypted answer, b"" if it was deleted. Then `content` and `salt` are "".
    """

    __tablename__ = "event_answer"

    id: orm.Mapped[str] = orm.mapped_column(sa.String(64), primary_key=True)
    event_id: orm.Mapped[str] = orm.mapped_column(_ID, index=True)
    at: orm.Mapped[str] = orm.mapped_column(sa.String(40), index=True)
    content: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    salt: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    sealed: orm.Mapped[bytes] = orm.mapped_column(sa.LargeBinary)


UNUSED_UNTIL = EventRow.details["unused_until"].as_string()  # null of all events but strangers'
IS_NEWEST = sa.and_(RevisionRow.registration_id == RegistrationRow.id, RevisionRow.number == RegistrationRow.latest)
