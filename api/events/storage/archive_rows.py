"""The rows of an event archive: their form, and what can be checked without the audit.

Called by `event_archive` only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
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
from api.events.storage.event_keys import ANYONE, JUDGE, ORGANISER, PLAYER, ROLES, is_id
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

_HIGHEST = 2**31 - 1  # that every database keeps as a whole number
_LONGEST = 10_000_000  # characters of a text

# In the order in which they are written, each after those whose ids it has.
TABLES: Mapping[str, type[Base]] = {
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


@cache
def rows_form() -> Any:
    """Return the msgspec type of the rows of an archive, made from the tables."""
    parts = [(name, GenericAlias(list, _row(table))) for name, table in TABLES.items()]
    return msgspec.defstruct("Rows", parts, forbid_unknown_fields=True)


def rows_of(decoded: Any) -> Rows:
    """Return decoded rows by table. Raises Unusable with the place if a row is not valid in itself or among others."""
    rows = {name: [msgspec.structs.asdict(row) for row in getattr(decoded, name)] for name in TABLES}
    _check_form(rows)
    _check_event(rows)
    _check_ids(rows)
    return rows


def event_of(row: Row) -> Tournament:
    """Return the event of a row of its table. Raises msgspec.ValidationError if a setting has the wrong type."""
    return msgspec.convert({"id": row["id"], "version": row["version"], **row["details"]}, Tournament, strict=True)


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
        event = event_of(row)
    except msgspec.ValidationError as error:
        raise Unusable(f"{where}: {error}") from None
    known = event.game in GAMES and event.timezone in timezones() and 0 < event.purge_days <= MOST_DAYS_KEPT
    if not (known and event.visibility.lists in STAGES and event.visibility.roster in ROSTERS):
        raise Unusable(f"{where}: the game, the time zone, the days or the visibility are none that there are")
    # Events of the version before have no `verified`.
    if event.details() != {"verified": True} | row["details"] or event.purged.isoformat() != row["purged"]:
        raise Unusable(f"{where}: a setting or the day of deletion is not written as deckproof writes it")


def _check_ids(rows: Rows) -> None:
    """Refuse rows of another event, twice the same, or of registrations and revisions that are not there."""
    event_id = rows["event"][0]["id"]
    registered = {row["id"]: row["latest"] for row in rows["registrations"]}
    revised = {(row["registration_id"], row["number"]) for row in rows["revisions"]}
    for name, table in TABLES.items():
        if _repeats(rows[name], [column.name for column in table.__table__.primary_key]):
            raise Unusable(f"rows.{name}: a row is there twice")
        for place, row in enumerate(rows[name]):
            _check_belongs(row, f"rows.{name}[{place}]", event_id, registered)
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
