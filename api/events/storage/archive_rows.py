"""The rows of an event archive: their form, and what can be checked without the audit.

Called by `event_archive` only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import partial
from types import GenericAlias
from typing import Annotated, Any, NamedTuple

import msgspec
import sqlalchemy as sa
from msgspec import Meta
from msgspec.json import Decoder

from api.events.bounds import MOST_DAYS_KEPT
from api.events.judging.deck_checks import OUTCOMES, CheckNotes
from api.events.judging.draws import is_seed
from api.events.judging.penalties import INFRACTIONS, LADDER
from api.events.players.entrant import ExpectedPlayer, decode_deck, parse_email
from api.events.storage import event_audit
from api.events.storage.decoder_messages import decoder_reason
from api.events.storage.event_keys import JUDGE, ORGANISER, PLAYER, ROLES, is_id
from api.events.storage.event_tables import (
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
from api.events.storage.import_history import KINDS
from api.events.tournament import ROSTERS, STAGES, Tournament
from api.service.bounds import LONGEST_LIMITS_LIST
from api.service.clock import timezones
from api.service.errors import Unusable
from carddb.database import Base
from validator.deck import SECTIONS
from validator.errors import DocumentError, error_text
from validator.games import GAMES
from validator.language import phrase
from validator.limits import LIMITS, proposals, shipped_lists

Row = dict[str, Any]
Rows = Mapping[str, list[Row]]

FIRST_VERSION, VERSION = 1, 3
WITHOUT_MAC = 1  # the version that has a plain hash
FIRST_WITH_WRITER = 3  # the first version that has the version of the deckproof that wrote it


class AddedColumn(NamedTuple):
    """A column that archives have from a version of their format on. `table` is a name of TABLES, `name` the column.

    Rows of earlier archives get `default`.
    """

    version: int
    table: str
    name: str
    default: Any


# Version 1 was written without the columns that are added in version 2, and with them.
ADDED_COLUMNS = (
    AddedColumn(2, "registrations", "table", ""),
    AddedColumn(2, "registrations", "email", ""),
    AddedColumn(2, "expected", "email", ""),
    AddedColumn(3, "registrations", "distinct_from", ""),
    AddedColumn(3, "event", "written", ""),
    AddedColumn(3, "event", "deleted_on", ""),
)
# Tables by the version that added them. Earlier archives have no rows of them.
ADDED_TABLES: Mapping[str, int] = {"imports": 3, "imported": 3}


def is_optional(version: int, table: str, column: str = "") -> bool:
    """Return True if archives of a version may lack a column of a table. `column` "" asks for the table as a whole."""
    if not column:
        return ADDED_TABLES.get(table, FIRST_VERSION) > version
    return any(added.version > version for added in ADDED_COLUMNS if (added.table, added.name) == (table, column))


def complete_rows(rows: Rows) -> Rows:
    """Return the rows of an archive by table, for each of TABLES, with defaults for columns that the archive lacks.

    A table that the archive lacks has no rows. The given rows are not changed.
    """
    complete = {}
    for table in TABLES:
        defaults = {added.name: added.default for added in ADDED_COLUMNS if added.table == table}
        written = rows.get(table, [])
        complete[table] = [defaults | row for row in written] if defaults else written
    return complete


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
    "imports": ImportRow,
    "imported": ImportedRow,
    "audit": AuditRow,
}
_MOMENTS = ("created", "at", "until", "revoked", "undone")


# Described before threads meet it, as `Tournament` is.
Decoder(CheckNotes)


def rows_form(version: int) -> Any:
    """Return a new msgspec type of all rows in an archive of a version: a Struct with a list for each of TABLES.

    It is made from the database tables. Unknown fields are forbidden.
    """
    parts: list[Any] = []
    for name, table in TABLES.items():
        kind = GenericAlias(list, _row_form(version, name, table))
        parts.append((name, kind | msgspec.UnsetType, msgspec.UNSET) if is_optional(version, name) else (name, kind))
    return msgspec.defstruct("Rows", parts, forbid_unknown_fields=True, kw_only=True)


def rows_of(decoded: Any) -> Rows:
    """Return decoded rows by table, each a dict of only the columns that the archive has.

    The digest of the archive is computed from these rows.
    """
    return {name: [_members(row) for row in table] for name, table in _members(decoded).items()}


def _members(decoded: Any) -> dict[str, Any]:
    """Return the fields of a msgspec Struct by name, without those that are UNSET because the archive lacks them."""
    return {name: value for name, value in msgspec.structs.asdict(decoded).items() if value is not msgspec.UNSET}


def check_rows(stored_rows: Rows) -> Rows:
    """Return the rows of an archive by table, with defaults for missing columns and tables.

    Raises Unusable, with the place, if a row is invalid by itself or does not fit the others. The audit is not
    compared.
    """
    rows = complete_rows(stored_rows)
    _check_form(rows)
    _check_event(rows)
    _check_ids(rows)
    return rows


def row_error(place: str, problem: str) -> Unusable:
    """Return the error of an archive with a problem at a place, such as `rows.keys[0]`."""
    return Unusable(phrase("{place}: {problem}", place=place, problem=problem))


def event_of(row: Row) -> Tournament:
    """Return the event of a row of the table "event".

    Raises msgspec.ValidationError if a setting has the wrong type.
    """
    columns = ("id", "version", "created", "details", "written", "deleted_on")
    return Tournament.from_row(*(row[name] for name in columns))


def _row_form(version: int, name: str, table: type[Base]) -> Any:
    """Return the msgspec type of the rows of a table in an archive of a version: a Struct with a field for each column.

    `name` is the table's name in archives. Columns of later versions may be missing.
    """
    columns: list[Any] = []
    for column in table.__table__.columns:
        kind = _type(column, bool(column.nullable))
        is_later = is_optional(version, name, column.name)
        columns.append((column.name, kind | msgspec.UnsetType, msgspec.UNSET) if is_later else (column.name, kind))
    return msgspec.defstruct(table.__name__, columns, forbid_unknown_fields=True, kw_only=True)


def _type(column: sa.ColumnElement[Any], nullable: bool) -> Any:
    """Return the msgspec type of a column, with the bounds of its values. `nullable` allows None too.

    Texts have at most the column's length, or 10 million characters. Numbers are from 0 to 2³¹ − 1.
    """
    kind: Any = column.type.python_type
    if kind is str:
        kind = Annotated[str, Meta(max_length=getattr(column.type, "length", None) or _LONGEST)]
    elif kind is int:
        kind = Annotated[int, Meta(ge=0, le=_HIGHEST)]
    return kind | None if nullable else kind


def _check_form(rows: Rows) -> None:
    """Raise Unusable, with the place, for the first row that has an invalid value by itself."""
    for name, table in rows.items():
        for place, row in enumerate(table):
            try:
                _check_row(row)
            except KeyError as error:
                missing = phrase("Object missing required field `{field}`", field=error.args[0])
                raise row_error(f"rows.{name}[{place}]", missing) from None
            except (ValueError, TypeError, AttributeError, msgspec.MsgspecError) as error:
                raise row_error(f"rows.{name}[{place}]", decoder_reason(error)) from None


def _check_row(row: Row) -> None:
    """Raise ValueError if a row of any table has an invalid value.

    Checked are null characters, moments, authors, e-mails, ids in `distinct_from`, imports, counts in decks and notes
    of checks. Values of a wrong type or missing keys may raise TypeError, KeyError, AttributeError or a MsgspecError.
    """
    if b"\\u0000" in msgspec.json.encode(row):
        raise ValueError(phrase("a text has a character that no database keeps"))
    for name in _MOMENTS:
        if row.get(name):
            _check_moment(name, datetime.fromisoformat(row[name]))
    for name, check in _CHECKS_OF_COLUMNS.items():
        if name in row:
            check(row)


def _check_author(row: Row) -> None:
    """Raise ValueError if the column `by` of a row does not begin with a role."""
    if row["by"].partition(" ")[0] not in ROLES:
        raise ValueError(phrase("by is not a known role of an event"))


def _check_email(row: Row) -> None:
    """Raise ValueError if the column `email` of a row is not "" and no valid e-mail address."""
    if row["email"]:
        parse_email(row["email"])


def _check_distinct(row: Row) -> None:
    """Raise ValueError if the column `distinct_from` of a row has a word that has not the form of an id."""
    if not all(map(is_id, row["distinct_from"].split())):
        raise ValueError(phrase("distinct_from has a text that is no id of a registration"))


def _check_import(row: Row) -> None:
    """Raise ValueError for an import of an unknown kind, or with an invalid address of an earlier expected player.

    A list of players in the wrong form raises a msgspec.ValidationError or KeyError.
    """
    if row["kind"] not in KINDS:
        raise ValueError(phrase("{field} is none that there is", field="kind"))
    players = msgspec.convert(row["before"], dict[str, list[tuple[str, str, str]]])["players"]
    for one in map(ExpectedPlayer._make, players):
        parse_email(one.email)


def _check_counts(column: str, row: Row) -> None:
    """Raise ValueError if a line of the deck in a column has fewer than 1 or more than 2³¹ − 1 copies.

    The column may be None.
    """
    if row[column] is None:
        return
    for _, line in decode_deck(row[column]).lines():
        if not 0 < line.count <= _HIGHEST:
            raise ValueError(phrase("a line of a deck has {count} copies", count=line.count))


def _check_notes(row: Row) -> None:
    """Raise ValueError for notes of a deck check that no judge can have written. Notes of a player are a text."""
    if isinstance(row["notes"], dict):
        _check_note_values(_parse_notes(row["notes"]))


# In the order in which they are checked.
_CHECKS_OF_COLUMNS: Mapping[str, Callable[[Row], None]] = {
    "by": _check_author,
    "email": _check_email,
    "distinct_from": _check_distinct,
    "kind": _check_import,
    "deck": partial(_check_counts, "deck"),
    "box": partial(_check_counts, "box"),
    "notes": _check_notes,
}


def _parse_notes(details: Mapping[str, Any]) -> CheckNotes:
    """Return the notes of a deck check from their JSON.

    Raises ValueError for an unknown field, KeyError for a missing one.
    """
    if unknown := sorted(details.keys() - set(CheckNotes._fields)):
        raise ValueError(phrase("Object contains unknown field `{field}`", field=unknown[0]))
    return CheckNotes.from_json(details)


def _check_note_values(decoded: CheckNotes) -> None:
    """Raise ValueError for notes of a deck check that no judge can have written, such as an unknown outcome or section.

    Values of a wrong type raise a msgspec.ValidationError, which is a ValueError too.
    """
    notes = msgspec.convert(tuple(decoded), CheckNotes, strict=True)
    for name in ("started", "ended", "given"):
        _check_moment(name, getattr(notes, name))
    known = ("", *OUTCOMES), ("", *INFRACTIONS), ("", *LADDER)
    for name, there_are in zip(("outcome", "infraction", "penalty"), known, strict=True):
        if getattr(notes, name) not in there_are:
            raise ValueError(phrase("{field} is none that there is", field=name))
    if not 0 <= notes.grace <= _HIGHEST:
        raise ValueError(phrase("grace is a number that no database keeps"))
    if not frozenset(SECTIONS).issuperset(notes.looked_at):
        raise ValueError(phrase("a section that was looked at is none that there is"))


def _check_moment(name: str, moment: datetime | None) -> None:
    """Raise ValueError for a moment without an offset, or outside of the years 2 to 9998. None is valid.

    `name` is the column, for the message.
    """
    if moment is None:
        return
    if moment.utcoffset() is None:
        raise ValueError(phrase("{field} has no offset", field=name))
    if not 1 < moment.year < 9999:
        raise ValueError(phrase("{field} is in a year that not every clock reaches", field=name))


def _check_event(rows: Rows) -> None:
    """Raise Unusable unless there is exactly one event, with valid settings, stored as this release stores them.

    Game, time zone, days kept and visibility must be known values, and the day of deletion must follow from the
    settings. An own limits list and a seed of deck checks must be valid.
    """
    if len(rows["event"]) != 1:
        raise row_error("rows.event", phrase("there is not one event in it"))
    row = rows["event"][0]
    where = "rows.event[0].details"
    try:
        event = event_of(row)
    except msgspec.ValidationError as error:
        raise row_error(where, decoder_reason(error)) from None
    known = event.game in GAMES and event.timezone in timezones() and 0 < event.purge_days <= MOST_DAYS_KEPT
    if not (known and event.visibility.lists in STAGES and event.visibility.roster in ROSTERS):
        raise row_error(where, phrase("the game, the time zone, the days or the visibility are none that there are"))
    if event.limits_list is not None:
        _check_limits_list(event, event.limits_list)
    if event.check_seed and not is_seed(event.check_seed):
        raise row_error(where, phrase("the seed of the deck checks is no seed"))
    # In archives of version 1 the creation does not count for the day of deletion.
    deletions = {one.retention_end.isoformat() for one in (event, event.with_settings({"created": None}))}
    if not _has_values_of(event.details(), row["details"]) or row["purged"] not in deletions:
        raise row_error(where, phrase("a setting or the day of deletion is not written as deckproof writes it"))


def _check_limits_list(event: Tournament, text: str) -> None:
    """Raise Unusable for an own limits list that is invalid by itself. Its entries need not fit official lists.

    Raised too if it is empty or longer than LONGEST_LIMITS_LIST, or if the policy of the event ignores limits lists.
    `text` is the list as TOML.
    """
    place = "rows.event[0].details: limits_list"
    if not 0 < len(text) <= LONGEST_LIMITS_LIST:
        raise row_error(place, phrase("it has not 1 to {most:,} characters", most=LONGEST_LIMITS_LIST))
    if event.policy is not None and event.policy.limits is False:
        raise row_error(place, phrase("there is a list, but the policy ignores limits lists"))
    try:
        official = shipped_lists(event.game).documents.get(LIMITS)
        proposals.own_list(event.game, official, proposals.parse_file(text), is_stored=True)
    except DocumentError as error:
        raise row_error(place, error_text(error)) from None


def _has_values_of(details: Any, stored: Any) -> bool:
    """Return True if each stored setting is equal in `details`, also within nested mappings.

    `details` may have settings that are not stored.
    """
    if isinstance(details, dict) and isinstance(stored, dict):
        return all(name in details and _has_values_of(details[name], value) for name, value in stored.items())
    return bool(details == stored)


def _check_ids(rows: Rows) -> None:
    """Raise Unusable for rows of another event, repeated ids, invalid keys, or rows that refer to missing rows.

    References are to registrations, revisions and imports.
    """
    event_id = rows["event"][0]["id"]
    registered = {row["id"]: row["latest"] for row in rows["registrations"]}
    revised = {(row["registration_id"], row["number"]) for row in rows["revisions"]}
    for name, table in TABLES.items():
        if _repeats(rows[name], [column.name for column in table.__table__.primary_key]):
            raise row_error(f"rows.{name}", phrase("a row is there twice"))
        for place, row in enumerate(rows[name]):
            _check_belongs(row, f"rows.{name}[{place}]", event_id, registered)
    if any((row["registration_id"], row["revision"]) not in revised for row in rows["checks"]):
        raise row_error("rows.checks", phrase("one is of a revision that is not there"))
    if any(row["revision"] and (row["registration_id"], row["revision"]) not in revised for row in rows["imported"]):
        raise row_error("rows.imported", phrase("one is of a revision that is not there"))
    imports = {row["id"] for row in rows["imports"]}
    if any(row["import_id"] not in imports for row in rows["imported"]):
        raise row_error("rows.imported", phrase("one is of an import that is not there"))
    _check_keys(rows["keys"])


def _repeats(rows: list[Row], columns: list[str]) -> bool:
    """Return True if two rows have equal values in all of these columns."""
    return len({tuple(row[column] for column in columns) for row in rows}) < len(rows)


def _check_belongs(row: Row, location: str, event_id: str, registered: Collection[str]) -> None:
    """Raise Unusable if a row is of another event, has an invalid id, or is of a registration that the archive lacks.

    `location` is the place of the row, for the message. `registered` has the ids of the archive's registrations.
    """
    if row.get("event_id", event_id) != event_id or not is_id(str(row.get("id", event_id))):
        raise row_error(location, phrase("it is of another event"))
    if row.get("registration_id") is not None and row["registration_id"] not in registered:
        raise row_error(location, phrase("there is no such registration"))


def _check_keys(keys: list[Row]) -> None:
    """Raise Unusable if a key has an unknown role or a hash of the wrong length, or a player's has no registration."""
    for place, row in enumerate(keys):
        known = row["role"] in (JUDGE, ORGANISER) or (row["role"] == PLAYER and row["registration_id"])
        if not known or len(row["hash"]) != len(event_audit.FIRST):
            raise row_error(f"rows.keys[{place}]", phrase("it is no key of an event"))
