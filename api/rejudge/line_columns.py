"""Lines as columns: stored decks that come as NDJSON, made what Parquet would have them as."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import pyarrow as pa
from msgspec import Meta, MsgspecError, Struct, defstruct, structs
from msgspec.json import Decoder

from api.rejudge.stored_verdicts import STORED, TERMS
from api.service.ndjson import LONGEST_LINE
from validator.deck import MOST_COPIES, SECTIONS


class _Line(Struct, gc=False):
    count: Annotated[int, Meta(ge=1, le=MOST_COPIES)]
    number: str | None = None
    name: str | None = None


if TYPE_CHECKING:
    _Deck = Struct
else:
    _DECK = [(name, list[_Line], []) for name in SECTIONS]
    _Deck = defstruct("_Deck", _DECK, forbid_unknown_fields=True, gc=False)


class _Terms(Struct, gc=False):
    ruleset: str | None = None
    game: str | None = None
    region: str | None = None
    format: str | None = None


class _Verdict(Struct, gc=False):
    legal: bool | None = None
    codes: list[str] = []
    cards: list[str] = []
    on: str | None = None
    snapshot: str | None = None
    judge: str | None = None


class _Row(Struct, gc=False):
    id: str | int
    deck: _Deck
    terms: _Terms | None = None
    stored: _Verdict | None = None


class _Named(Struct, gc=False):
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


def columns(lines: Sequence[bytes]) -> pa.RecordBatch:
    """Return lines as columns; of one that cannot be read there is only the id, if that can."""
    rows = [_read(line) for line in lines]
    ids = [None if row.id is None else str(row.id) for row in rows]
    parts = [_structs([getattr(row, name, None) for row in rows], _COLUMNS.field(name).type) for name in _BESIDE]
    columns = [pa.array(ids, pa.string()), _decks([getattr(row, "deck", None) for row in rows]), *parts]
    return pa.RecordBatch.from_arrays(columns, schema=_COLUMNS)


def _read(line: bytes) -> _Row | _Named:
    for decoder in (_ROW, _NAMED) if len(line) <= LONGEST_LINE else ():
        with suppress(MsgspecError, UnicodeDecodeError, RecursionError):
            return decoder.decode(line)
    return _Named()


def _decks(decks: Sequence[_Deck | None]) -> pa.Array:
    """Return the lines of all decks one after the other, and where each deck begins; None is unreadable."""
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


def _structs(values: Sequence[Struct | None], type: pa.DataType) -> pa.Array:
    if not any(values):
        return pa.nulls(len(values), type)
    return pa.array([one and structs.asdict(one) for one in values], type)
