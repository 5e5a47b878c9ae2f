"""Stored lines: decks stored as NDJSON, decoded into the columns that Parquet has.

Called by the shards. `pyarrow.json` refuses a whole file for one bad line, which here is a row that is unusable.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import pyarrow as pa
from msgspec import Meta, MsgspecError, Struct, defstruct, structs
from msgspec.json import Decoder

from api.rejudge.stored_decks import STORED, TERMS
from api.service.bounds import LONGEST_LINE
from validator.deck import MOST_COPIES, SECTIONS


class _Line(Struct, gc=False):
    """A line of a stored deck. Number, name or both may be given."""

    count: Annotated[int, Meta(ge=1, le=MOST_COPIES)]
    number: str | None = None
    name: str | None = None


if TYPE_CHECKING:
    _Deck = Struct
else:
    _DECK = [(name, list[_Line], []) for name in SECTIONS]
    _Deck = defstruct("_Deck", _DECK, forbid_unknown_fields=True, gc=False)


class _Terms(Struct, gc=False):
    """The terms of a stored deck, as ids. A term that is None is that of the question to all decks.

    But if the deck has a ruleset or a game, neither of the question's is used.
    """

    ruleset: str | None = None
    game: str | None = None
    region: str | None = None
    format: str | None = None


class _Verdict(Struct, gc=False):
    """The stored verdict on a deck: its legality, the codes and cards of its findings, and its origin.

    `cards` are numbers, or names of cards without one. The origin is the day (`on`, ISO 8601), the id of the card
    snapshot and the Judge's fingerprint (`judge`). None is not known.
    """

    legal: bool | None = None
    codes: list[str] = []
    cards: list[str] = []
    on: str | None = None
    snapshot: str | None = None
    judge: str | None = None


class _Row(Struct, gc=False):
    """A line of NDJSON: a deck with its id. `terms` and `stored` may be missing."""

    id: str | int
    deck: _Deck
    terms: _Terms | None = None
    stored: _Verdict | None = None


class _Named(Struct, gc=False):
    """The id of a line that has no readable deck, None if it cannot be read either."""

    id: str | int | None = None


_ROW, _NAMED = Decoder(_Row), Decoder(_Named)
_LINE = pa.struct({"number": pa.string(), "count": pa.int64(), "section": pa.string(), "name": pa.string()})
_COLUMNS = pa.schema(
    {
        "id": pa.string(),
        "deck": pa.list_(_LINE),
        "terms": pa.struct(dict.fromkeys(TERMS, pa.string())),
        "stored": pa.struct(STORED | {"on": pa.string()}),
    }
)
_BESIDE = ("terms", "stored")


def read_lines(lines: Sequence[bytes]) -> pa.RecordBatch:
    """Return the columns `id`, `deck`, `terms` and `stored` of NDJSON lines, a row for each line.

    A line that cannot be read has no deck, and an id only if that can be read. Whole numbers as ids become texts.
    """
    rows = [_decode(line) for line in lines]
    ids = [None if row.id is None else str(row.id) for row in rows]
    parts = [_to_structs([getattr(row, name, None) for row in rows], _COLUMNS.field(name).type) for name in _BESIDE]
    columns = [pa.array(ids, pa.string()), _to_lists([getattr(row, "deck", None) for row in rows]), *parts]
    return pa.RecordBatch.from_arrays(columns, schema=_COLUMNS)


def _decode(line: bytes) -> _Row | _Named:
    """Return the row of a line. An invalid line is a _Named without a deck, with the id if that can be read.

    A line of more than LONGEST_LINE bytes has no id either.
    """
    for decoder in (_ROW, _NAMED) if len(line) <= LONGEST_LINE else ():
        with suppress(MsgspecError, UnicodeDecodeError, RecursionError):
            return decoder.decode(line)
    return _Named()


def _to_lists(decks: Sequence[_Deck | None]) -> pa.Array:
    """Return the column of decks, each a list of lines with their sections. A deck that is None is null."""
    lines: list[_Line] = []
    sections: list[int] = []
    ends = [0]
    for deck in decks:
        for place, section in enumerate(SECTIONS) if deck else ():
            own = getattr(deck, section)
            lines += own
            sections += [place] * len(own)
        ends.append(len(lines))
    parts = [
        pa.array([line.number for line in lines], pa.string()),
        pa.array([line.count for line in lines], pa.int64()),
        pa.array(SECTIONS).take(pa.array(sections, pa.int8())),
        pa.array([line.name for line in lines], pa.string()),
    ]
    missing = pa.array([deck is None for deck in decks], pa.bool_())
    each = pa.StructArray.from_arrays(parts, fields=list(_LINE))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), each, type=_COLUMNS.field("deck").type, mask=missing)


def _to_structs(values: Sequence[Struct | None], type: pa.DataType) -> pa.Array:
    """Return values as a struct column of this type. A value that is None is null."""
    if not any(values):
        return pa.nulls(len(values), type)
    return pa.array([value and structs.asdict(value) for value in values], type)
