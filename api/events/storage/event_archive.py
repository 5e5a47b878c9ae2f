"""Event archives: one event as one file, to be kept elsewhere and imported by any database.

An archive has the rows of the event's tables, keys as hashes. Two things protect its content as a whole:

- A MAC (HMAC-SHA256) with a key of the server that exported it. Only this server can check the MAC.
- The last entry of the event's audit, which has a digest of the content. Whoever has the head of the audit from a
  source other than the file can check the digest on any server.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from importlib.metadata import version
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec.json import Decoder

from api.events.bounds import LARGEST_ARCHIVE, MOST_IDS
from api.events.storage import event_audit
from api.events.storage.archive_audit import check_audit
from api.events.storage.archive_rows import (
    FIRST_VERSION,
    FIRST_WITH_WRITER,
    TABLES,
    VERSION,
    WITHOUT_MAC,
    Row,
    Rows,
    check_rows,
    event_of,
    rows_form,
    rows_of,
)
from api.events.storage.decoder_messages import decoder_reason
from api.events.storage.event_audit import AuditEntry
from api.events.storage.event_keys import ADMIN
from api.events.storage.event_store import EventStore
from api.events.storage.event_tables import AuditRow, EventRow, RegistrationRow, RevisionRow
from api.service.errors import Unusable
from carddb.database import Base
from validator.language import phrase

FORMAT = "deckproof-event"
_REMOVE_FIRST = phrase("remove it first (`deckproof events delete --now`)")
_WRITTEN_BY_EXPORT = ("audited", "audit_head")  # columns of an event


class ArchiveKey:
    """The key with which a server signs archives of events. It is derived from the server's secret key."""

    def __init__(self, secret: str) -> None:
        self._key = hmac.digest(secret.encode(), b"deckproof event archive", "sha256")

    @property
    def server(self) -> str:
        """The name of the server in archives: 16 hex digits, which do not reveal the key."""
        return self._mac(b"server")[:16]

    def salt(self, content: bytes) -> str:
        """Return the secret salt for the digest of a content, in hex. The same content has the same salt."""
        return self._mac(b"salt" + content)

    def mac(self, archive: bytes) -> str:
        """Return the MAC (HMAC-SHA256, in hex) of an archive's canonical bytes, which do not include the MAC."""
        return self._mac(b"archive" + archive)

    def _mac(self, message: bytes) -> str:
        """Return the HMAC-SHA256 of a message in hex."""
        return hmac.digest(self._key, message, "sha256").hex()


class Export(NamedTuple):
    """An exported event: the bytes of its file (canonical JSON), and the hash of its last audit entry in hex.

    Whoever knows this hash can prove that the file was not changed.
    """

    data: bytes
    audit_head: str


class ParsedArchive(NamedTuple):
    """An archive whose content fits its own digests. Who wrote it is not verified.

    `archive` has the fields of the file by name, `rows` the rows by table, with defaults for what an old one lacks, and
    `entries` the audit.
    """

    archive: dict[str, Any]
    rows: Rows
    entries: list[AuditEntry]


class EventArchive(NamedTuple):
    """An archive that was parsed and checked. `rows` are its rows by table, with defaults for what an old one lacks.

    `is_verified` is True if the MAC or the given head of the audit proves that the content was not changed.
    """

    rows: Rows
    is_verified: bool


def export_event(store: EventStore, event_id: str, key: ArchiveKey, moment: datetime) -> Export:
    """Return an event as an archive. Raises NoAccess if there is no such event.

    Adds an entry with a digest of the content to the event's audit, unless the last entry is one of the same content.
    So an unchanged event gives the same archive again.
    """
    with store.reading() as reader:
        reader.event(event_id)
    archive: dict[str, Any] = {"format": FORMAT, "version": VERSION, "deckproof": version("deckproof")}
    with store.writing(event_id, moment) as writer:
        tables = {name: table for name, table in TABLES.items() if table is not AuditRow}
        rows: dict[str, Any] = {name: _rows(writer.connection, table, event_id) for name, table in tables.items()}
        archive |= {"server": key.server, "salt": key.salt(_encode(_content(rows))), "rows": rows}
        content_digest = _digest(archive)
        added = []
        if not _is_export(writer.last_entry(event_id), content_digest):
            added.append(writer.add_export(content_digest, ADMIN))
            rows["event"][0] |= {"audited": added[0].number, "audit_head": added[0].hash}
        rows["audit"] = _encode_audit(event_id, chain(writer.audit(event_id), added))
    archive["mac"] = key.mac(_encode(archive))
    return Export(_encode(archive) + b"\n", rows["event"][0]["audit_head"])


def _encode_audit(event_id: str, entries: Iterable[AuditEntry]) -> msgspec.Raw:
    """Return the rows of an audit as canonical JSON bytes. Half a million entries take four times the memory as rows.

    There must be at least one entry.
    """
    encoded = bytearray(b"[")
    for entry in entries:
        encoded += _encode({"event_id": event_id, **entry._asdict()}) + b","
    encoded[-1:] = b"]"  # in place of the last comma: an audit has entries
    return msgspec.Raw(encoded)


def _rows(connection: sa.Connection, table: type[Base], event_id: str) -> list[Row]:
    """Return the rows of an event in a table as dicts by column, sorted by primary key.

    They are sorted here, because each database sorts texts in its own way.
    """
    columns = table.__table__.columns
    query = sa.select(*columns)
    if table is RevisionRow:
        query = query.join(RegistrationRow, RegistrationRow.id == RevisionRow.registration_id)
        query = query.where(RegistrationRow.event_id == event_id)
    else:
        query = query.where(columns["id" if table is EventRow else "event_id"] == event_id)
    # Sorted here: each database sorts texts in its own way.
    primary = [column.name for column in table.__table__.primary_key]
    found = map(dict, connection.execute(query).mappings())
    return sorted(found, key=lambda row: [row[name] for name in primary])


def _encode(content: Any) -> bytes:
    """Return a value as canonical JSON: with sorted keys and no spaces."""
    return msgspec.json.encode(content, order="sorted")


def _content(rows: Rows) -> Rows:
    """Return all rows by table except what an export changes: the audit, and its length and head in the event's row.

    The chain of hashes protects the audit.
    """
    event = {name: value for name, value in rows["event"][0].items() if name not in _WRITTEN_BY_EXPORT}
    return {name: table for name, table in rows.items() if name != "audit"} | {"event": [event]}


def _digest(archive: dict[str, Any]) -> str:
    """Return the digest of an archive's content, without the MAC and the audit with its length and head.

    It has 64 hex digits. The digest includes the archive's salt, which keeps deleted names from being guessed.
    """
    bound = {name: value for name, value in archive.items() if name != "mac"}
    return hashlib.sha256(_encode(bound | {"rows": _content(archive["rows"])})).hexdigest()


def _is_export(entry: AuditEntry | None, content_digest: str) -> bool:
    """Return True if an audit entry (None: no entry) is that of an export with this digest of its content."""
    wanted = (event_audit.EXPORTED, event_audit.digest(content_digest))
    return entry is not None and (entry.action, entry.digest) == wanted


def read(data: bytes, key: ArchiveKey, head: str = "", allow_unverified: bool = False) -> EventArchive:
    """Parse and check the file of an archive. `head` is the hash of its last audit entry, as published, "" if unknown.

    Raises Unusable, with the place, if the file is no archive, its content was changed, or `head` is that of another
    entry. An archive is unverified if it is of version 1, or of another server and without `head`. It is refused too,
    unless `allow_unverified`.
    """
    return verify_archive(parse_archive(data), key, head, allow_unverified)


def parse_archive(data: bytes) -> ParsedArchive:
    """Parse the file of an archive, and check its content with what the file has itself: its audit and its digests.

    Raises Unusable, with the place, if the file is no archive or its content was changed.
    """
    archive = _decode(data)
    rows = check_rows(archive["rows"])
    entries = check_audit(rows)
    if archive["version"] == WITHOUT_MAC:
        if archive["sha256"] != hashlib.sha256(_encode(archive["rows"])).hexdigest():
            raise Unusable(phrase("sha256: the file was changed after the export"))
    elif not _is_export(entries[-1], _digest(archive)):
        raise Unusable(
            phrase("rows: the file was changed after the export; the last entry of its audit has another digest")
        )
    return ParsedArchive(archive, rows, entries)


def verify_archive(parsed: ParsedArchive, key: ArchiveKey, head: str, allow_unverified: bool) -> EventArchive:
    """Verify a parsed archive with the key of this server, and with the head of its audit, "" if unknown.

    Raises Unusable if the MAC of this server or `head` differs. Raises it too for an unverified archive, unless
    `allow_unverified`.
    """
    archive, rows, entries = parsed
    if head and head.strip().lower() != rows["event"][0]["audit_head"]:
        raise Unusable(_other_head(head, entries))
    is_verified = archive["version"] != WITHOUT_MAC and (_is_of_server(archive, key) or bool(head))
    if not (is_verified or allow_unverified):
        raise Unusable(
            phrase(
                "another server or an earlier version exported this file, so that a change cannot be "
                "found out here. Give the head of the audit that the export showed (--head), or "
                "import the event as unverified (--unverified)"
            )
        )
    return EventArchive(rows, is_verified)


def _decode(data: bytes) -> dict[str, Any]:
    """Parse the file of an archive into its fields by name. `rows` are by table.

    Raises Unusable if the file is too large, is no archive, is of an unknown version, or has a name twice in an object.
    """
    if len(data) > LARGEST_ARCHIVE:
        raise Unusable(phrase("it has more than {most:,} bytes", most=LARGEST_ARCHIVE))
    try:
        head = _HEAD.decode(data)
        if head.format != FORMAT:
            raise Unusable(
                phrase(
                    "its format is {format!r}, not {expected!r}; choose a file of `events export`",
                    format=head.format[:40],
                    expected=FORMAT,
                )
            )
        if head.version > VERSION:
            raise Unusable(_newer_version(head))
        if head.version < FIRST_VERSION:
            raise Unusable(phrase("there is no version {version} of such files", version=head.version))
        decoded = _file_decoder(head.version).decode(data)
        json.loads(data, object_pairs_hook=_check_names, parse_int=str, parse_float=str)
    except RecursionError:
        raise Unusable(phrase("it is nested too deeply")) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unusable(phrase("it is no exported event ({problem})", problem=decoder_reason(error))) from None
    return msgspec.structs.asdict(decoded) | {"rows": rows_of(decoded.rows)}


def _check_names(members: Sequence[tuple[str, object]]) -> None:
    """Raise Unusable if a JSON object has a name twice. Programs differ in which of the values counts.

    `members` are the (name, value) pairs of the object.
    """
    names = [name for name, _ in members]
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise Unusable(
            phrase("the file was changed after the export: {key!r} is twice in the same object", key=twice[:40])
        )


class _Head(msgspec.Struct):
    """The fields of an archive that determine its form. The other fields of the file are ignored.

    `deckproof` is the version of the program that wrote the file, "" if it is not given.
    """

    format: str
    version: int
    deckproof: str = ""


_HEAD = Decoder(_Head)


def _newer_version(head: _Head) -> str:
    """Return the message for a file of a newer version than this program knows, with the program to update to."""
    values = {"version": head.version, "deckproof": version("deckproof"), "newest": VERSION}
    if head.deckproof:
        return phrase(
            "its version is {version}, but deckproof {deckproof} reads versions up to {newest}. Update to deckproof "
            "{needed!r} or later",
            needed=head.deckproof[:40],
            **values,
        )
    return phrase(
        "its version is {version}, but deckproof {deckproof} reads versions up to {newest}. Update to a newer "
        "deckproof",
        **values,
    )


@lru_cache(maxsize=8)
def _file_decoder(file_version: int) -> Decoder[Any]:
    """Return the decoder of a whole file of a version, into a Struct with its fields as texts, and its rows.

    Version 1 has a plain hash (`sha256`), later ones have `server`, `salt` and `mac`. The decoder is cached. Unknown
    fields are forbidden.
    """
    seals = ["sha256"] if file_version == WITHOUT_MAC else ["server", "salt", "mac"]
    seals += ["deckproof"] * (file_version >= FIRST_WITH_WRITER)
    parts = [("format", str), ("version", int), *((name, str) for name in seals), ("rows", rows_form(file_version))]
    return Decoder(msgspec.defstruct("EventArchiveFile", parts, forbid_unknown_fields=True))


def _other_head(head: str, entries: list[AuditEntry]) -> str:
    """Return the message for a given head of the audit that is not the archive's. It may be an earlier entry's."""
    earlier = [entry.number for entry in entries if entry.hash == head.strip().lower()]
    if earlier:
        return phrase(
            "the given head is that of entry {entry} of its audit; give the head that the export showed",
            entry=earlier[0],
        )
    return phrase(
        "the head of its audit is {hash}, not the given one: it was changed, or is another file", hash=entries[-1].hash
    )


def _is_of_server(archive: dict[str, Any], key: ArchiveKey) -> bool:
    """Return True if the server with this key exported an archive. Raises Unusable if the archive was changed since."""
    if archive["server"] != key.server:
        return False
    sealed = {name: value for name, value in archive.items() if name != "mac"}
    if not hmac.compare_digest(archive["mac"].encode(), key.mac(_encode(sealed)).encode()):
        raise Unusable(phrase("mac: this server exported the file, and it was changed since"))
    return True


def import_event(store: EventStore, archive: EventArchive, moment: datetime) -> str:
    """Save the event of an archive in the database, and return its id. An unverified event is marked in its audit too.

    Raises Unusable if the event, or a part of it, is already in the database. Raises it too if its retention, or the
    time until its removal, has ended.
    """
    rows, event = archive.rows, archive.rows["event"][0]
    last_day = event.get("deleted_on") or event["purged"]
    if last_day <= moment.date().isoformat():
        raise Unusable(phrase("it was to be deleted on {day}", day=last_day))
    with store.writing(event["id"], moment) as writer:
        for name, table in TABLES.items():
            if table is not AuditRow:
                _check_are_new(writer.connection, name, rows[name])
            if rows[name]:
                writer.connection.execute(sa.insert(table), rows[name])
        if not archive.is_verified:
            marked = event_of(event).with_settings({"verified": False, "version": event["version"] + 1})
            writer.change_event(marked, ADMIN, action=event_audit.IMPORTED_UNVERIFIED)
    return str(event["id"])


def _check_are_new(connection: sa.Connection, name: str, rows: list[Row]) -> None:
    """Raise Unusable if the database already has the id or the hash of one of these rows of the table `name`."""
    for column in TABLES[name].__table__.columns:
        if column.name in ("id", "hash") and _is_taken(connection, column, [row[column.name] for row in rows]):
            raise Unusable(
                phrase(
                    "rows.{name}: this event, or a part of it, is here already; {advice}",
                    name=name,
                    advice=_REMOVE_FIRST,
                )
            )


def _is_taken(connection: sa.Connection, column: sa.ColumnElement[Any], values: Iterable[Any]) -> bool:
    """Return True if the database already has one of these values in a column."""
    wanted = list(values)
    parts = (wanted[at : at + MOST_IDS] for at in range(0, len(wanted), MOST_IDS))
    return any(connection.scalar(sa.select(column).where(column.in_(part)).limit(1)) for part in parts)
