"""Event archives: one event as one file, to be kept elsewhere and taken in again, by any database.

A file has the rows of the event's tables as they are, keys as hashes. What is taken in is looked at first: whether it
is whole, whether its audit still stands, and whether its lists are those that the audit was written of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from types import GenericAlias
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from msgspec import Meta

from api.events.entrant import read_kept
from api.events.judging.check_record import CheckNotes
from api.events.judging.deck_checks import OUTCOMES
from api.events.judging.penalties import INFRACTIONS, LADDER
from api.events.storage import event_audit
from api.events.storage.event_audit import AuditEntry
from api.events.storage.event_keys import ANYONE, JUDGE, ORGANISER, PLAYER, ROLES, is_id
from api.events.storage.event_store import REVOKED, EventReader, EventStore, key_made, said_of, said_of_key
from api.events.storage.event_tables import (
    AuditRow,
    CheckRow,
    EventRow,
    ExpectedRow,
    KeyRow,
    RegistrationRow,
    RevisionRow,
)
from api.events.tournament import MOST_DAYS_KEPT, ROSTERS, STAGES, Tournament, timezones
from api.events.whereabouts import email
from api.service.errors import Unusable
from carddb.database import Base
from validator.deck import SECTIONS, Deck
from validator.games import GAMES

LARGEST = 500_000_000  # bytes of a file
FORMAT, VERSION = "deckproof-event", 1
_HIGHEST = 2**31 - 1  # that every database keeps as a whole number
_LONGEST = 10_000_000  # characters of a text
_AT_ONCE = 500  # ids in one question to a database

# In the order in which they are written, each after those whose ids it has.
_TABLES: Mapping[str, type[Base]] = {
    "event": EventRow,
    "keys": KeyRow,
    "registrations": RegistrationRow,
    "revisions": RevisionRow,
    "checks": CheckRow,
    "expected": ExpectedRow,
    "audit": AuditRow,
}
_MOMENTS = ("created", "at", "until", "revoked")
Row = dict[str, Any]
Rows = Mapping[str, list[Row]]


def export(store: EventStore, event_id: str) -> bytes:
    """Return an event as a file, the same for the same event; Hidden where there is none."""
    with store.reading() as reader:
        reader.event(event_id)
        rows = {name: _rows(reader, table, event_id) for name, table in _TABLES.items()}
    sealed = {"format": FORMAT, "version": VERSION, "sha256": _seal(rows), "rows": rows}
    return msgspec.json.encode(sealed, order="sorted") + b"\n"


def _rows(reader: EventReader, table: type[Base], event_id: str) -> list[Row]:
    columns = table.__table__.columns
    query = sa.select(*columns)
    if table is RevisionRow:
        query = query.join(RegistrationRow, RegistrationRow.id == RevisionRow.registration_id)
        query = query.where(RegistrationRow.event_id == event_id)
    else:
        query = query.where(columns["id" if table is EventRow else "event_id"] == event_id)
    # Sorted here: each database sorts texts in its own way.
    primary = [column.name for column in table.__table__.primary_key]
    found = (dict(row._mapping) for row in reader.connection.execute(query))
    return sorted(found, key=lambda row: [row[name] for name in primary])


def _seal(rows: Rows) -> str:
    return hashlib.sha256(msgspec.json.encode(rows, order="sorted")).hexdigest()


def read(data: bytes) -> Rows:
    """Return the rows of a file; Unusable says where it is not what was exported."""
    if len(data) > LARGEST:
        raise Unusable(f"it has more than {LARGEST:,} bytes")
    try:
        said = msgspec.json.decode(data, type=_file())
    except RecursionError:
        raise Unusable("it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unusable(f"it is no exported event of this version ({error})") from None
    if (said.format, said.version) != (FORMAT, VERSION):
        raise Unusable(f"it is no exported event of version {VERSION}; take it in with the deckproof that wrote it")
    rows = {name: [msgspec.structs.asdict(row) for row in getattr(said.rows, name)] for name in _TABLES}
    _check_form(rows)
    _check_event(rows)
    _check_ids(rows)
    _check_audit(rows)
    if said.sha256 != _seal(rows):
        raise Unusable("sha256: it was changed after it had been exported")
    return rows


@cache
def _file() -> Any:
    """Return what a file is, by the tables."""
    parts = [(name, GenericAlias(list, _row(table))) for name, table in _TABLES.items()]
    rows = msgspec.defstruct("Rows", parts, forbid_unknown_fields=True)
    head = [("format", str), ("version", int), ("sha256", str), ("rows", rows)]
    return msgspec.defstruct("EventArchive", head, forbid_unknown_fields=True)


def _row(table: type[Base]) -> Any:
    columns = [(column.name, _type(column, bool(column.nullable))) for column in table.__table__.columns]
    return msgspec.defstruct(table.__name__, columns, forbid_unknown_fields=True)


def _type(column: sa.ColumnElement[Any], nullable: bool) -> Any:
    kind: Any = column.type.python_type
    if kind is str:
        kind = Annotated[str, Meta(max_length=getattr(column.type, "length", None) or _LONGEST)]
    elif kind is int:
        kind = Annotated[int, Meta(ge=0, le=_HIGHEST)]
    return kind | None if nullable else kind


def _check_form(rows: Rows) -> None:
    """Refuse texts that no database keeps, moments that are none, and decks that cannot be read."""
    for name, each in rows.items():
        for place, row in enumerate(each):
            try:
                _check_row(row)
            except (ValueError, TypeError, KeyError, AttributeError, msgspec.MsgspecError) as error:
                raise Unusable(f"rows.{name}[{place}]: {error}") from None


def _check_row(row: Row) -> None:
    if b"\\u0000" in msgspec.json.encode(row):
        raise ValueError("a text has a character that no database keeps")
    for name in _MOMENTS:
        if row.get(name):
            _check_moment(name, datetime.fromisoformat(row[name]))
    if row.get("email"):
        email(row["email"])
    if row.get("by", ANYONE).partition(" ")[0] not in ROLES:
        raise ValueError("by is nobody who may do anything at an event")
    for name in ("deck", "box"):
        if row.get(name) is not None:
            _check_counts(read_kept(row[name]))
    if "notes" in row and isinstance(row["notes"], dict):
        _check_notes(CheckNotes.of(row["notes"]))


def _check_counts(deck: Deck) -> None:
    """Refuse counts that nobody can write down."""
    for _, line in deck.lines():
        if not 0 < line.count <= _HIGHEST:
            raise ValueError(f"a line of a deck has {line.count} copies")


def _check_notes(said: CheckNotes) -> None:
    """Refuse notes of a check that no judge can have written."""
    notes = msgspec.convert(tuple(said), CheckNotes, strict=True)
    for name in ("started", "ended", "given"):
        _check_moment(name, getattr(notes, name))
    known = ("", *OUTCOMES), ("", *INFRACTIONS), ("", *LADDER)
    for name, there_are in zip(("outcome", "infraction", "penalty"), known, strict=True):
        if getattr(notes, name) not in there_are:
            raise ValueError(f"{name} is none that there is")
    if not 0 <= notes.grace <= _HIGHEST:
        raise ValueError("grace is a number that no database keeps")
    if not frozenset(SECTIONS).issuperset(notes.looked_at):
        raise ValueError("a section that was looked at is none that there is")


def _check_moment(name: str, at: datetime | None) -> None:
    """Refuse a moment that is none in some zone."""
    if at is None:
        return
    if at.utcoffset() is None:
        raise ValueError(f"{name} has no offset")
    if not 1 < at.year < 9999:
        raise ValueError(f"{name} is in a year that not every clock reaches")


def _check_event(rows: Rows) -> None:
    if len(rows["event"]) != 1:
        raise Unusable("rows.event: there is not one event in it")
    row = rows["event"][0]
    where = "rows.event[0].details"
    try:
        said = {"id": row["id"], "version": row["version"], **row["details"]}
        event = msgspec.convert(said, Tournament, strict=True)
    except msgspec.ValidationError as error:
        raise Unusable(f"{where}: {error}") from None
    known = event.game in GAMES and event.timezone in timezones() and 0 < event.purge_days <= MOST_DAYS_KEPT
    if not (known and event.visibility.lists in STAGES and event.visibility.roster in ROSTERS):
        raise Unusable(f"{where}: the game, the time zone, the days or the visibility are none that there are")
    if event.details() != row["details"] or event.purged.isoformat() != row["purged"]:
        raise Unusable(f"{where}: it is not as it is written")


def _check_ids(rows: Rows) -> None:
    """Refuse rows of another event, twice the same, or of registrations and revisions that are not there."""
    event_id = rows["event"][0]["id"]
    registered = {row["id"]: row["latest"] for row in rows["registrations"]}
    revised = {(row["registration_id"], row["number"]) for row in rows["revisions"]}
    for name, table in _TABLES.items():
        if _repeats(rows[name], [column.name for column in table.__table__.primary_key]):
            raise Unusable(f"rows.{name}: a row is there twice")
        for place, row in enumerate(rows[name]):
            _check_belongs(row, f"rows.{name}[{place}]", event_id, registered)
    if any(mark not in revised for mark in registered.items()):
        raise Unusable("rows.registrations: one has no revision that counts")
    if any((row["registration_id"], row["revision"]) not in revised for row in rows["checks"]):
        raise Unusable("rows.checks: one is of a revision that is not there")
    _check_keys(rows["keys"])


def _repeats(rows: list[Row], columns: list[str]) -> bool:
    return len({tuple(row[column] for column in columns) for row in rows}) < len(rows)


def _check_belongs(row: Row, where: str, event_id: str, registered: Collection[str]) -> None:
    if row.get("event_id", event_id) != event_id or not is_id(str(row.get("id", event_id))):
        raise Unusable(f"{where}: it is of another event")
    if row.get("registration_id") is not None and row["registration_id"] not in registered:
        raise Unusable(f"{where}: there is no such registration")


def _check_keys(keys: list[Row]) -> None:
    for place, row in enumerate(keys):
        known = row["role"] in (JUDGE, ORGANISER) or (row["role"] == PLAYER and row["registration_id"])
        if not known or len(row["hash"]) != len(event_audit.FIRST):
            raise Unusable(f"rows.keys[{place}]: it is no key of an event")


def _check_audit(rows: Rows) -> None:
    """Refuse an audit that does not stand, and keys and revisions that it was not written of."""
    event = rows["event"][0]
    entries = [AuditEntry(*(row[name] for name in AuditEntry._fields)) for row in rows["audit"]]
    broken = event_audit.first_broken(event["id"], entries, event["audited"], event["audit_head"])
    if broken is not None:
        raise Unusable(f"rows.audit: entry {broken} is not what was written")
    noted = {(entry.about, entry.digest) for entry in entries}
    for place, row in enumerate(rows["revisions"]):
        if (row["registration_id"], event_audit.digest(said_of(row))) not in noted:
            raise Unusable(f"rows.revisions[{place}]: it is not what the audit was written of")
    _check_noted_keys(rows["keys"], entries)


def _check_noted_keys(keys: list[Row], entries: Sequence[AuditEntry]) -> None:
    """Refuse keys that the audit was not written of, or that hold and do not where it says otherwise."""
    noted = {(entry.about, entry.action, entry.digest): entry.number for entry in entries}
    revoked = {entry.about: entry.number for entry in entries if entry.action == REVOKED}
    for place, row in enumerate(keys):
        about = row["registration_id"] or row["id"]
        # Those of an earlier version were noted by their ids alone.
        digests = (event_audit.digest(said) for said in (said_of_key(row), row["id"]))
        numbers = [noted[mark] for one in digests if (mark := (about, key_made(row["role"]), one)) in noted]
        if not numbers:
            raise Unusable(f"rows.keys[{place}]: the audit knows of no such key")
        if (row["revoked"] is None) != (revoked.get(about, 0) < numbers[0]):
            raise Unusable(f"rows.keys[{place}]: the audit knows otherwise whether it was revoked")


def take_in(store: EventStore, rows: Rows, now: datetime) -> str:
    """Write an event down that was read from a file, and return its id; Unusable where it, or a part, is here already.

    An event whose time is over is not taken in: it was to be deleted.
    """
    event = rows["event"][0]
    if event["purged"] <= now.date().isoformat():
        raise Unusable(f"it was to be deleted on {event['purged']}")
    with store.writing(event["id"], now) as writer:
        for name, table in _TABLES.items():
            columns = table.__table__.columns
            for unique in (column for column in columns if column.name in ("id", "hash") and table is not AuditRow):
                if _is_taken(writer.connection, unique, [row[unique.name] for row in rows[name]]):
                    raise Unusable(f"rows.{name}: this event, or a part of it, is here already; delete it first")
            if rows[name]:
                writer.connection.execute(sa.insert(table), rows[name])
    return str(event["id"])


def _is_taken(connection: sa.Connection, column: sa.ColumnElement[Any], values: Iterable[Any]) -> bool:
    wanted = list(values)
    parts = (wanted[at : at + _AT_ONCE] for at in range(0, len(wanted), _AT_ONCE))
    return any(connection.scalar(sa.select(column).where(column.in_(part)).limit(1)) for part in parts)
