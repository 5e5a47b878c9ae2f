"""Stored decks and their verdicts as columns, as Parquet has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from api.service.errors import Unusable
from api.service.shapes import unwritable
from validator.deck import MOST_COPIES, MOST_LINES, SECTIONS, Deck, Line

Numbers = NDArray[np.int32]
Places = NDArray[np.int64]
Marks = NDArray[np.bool_]
Legality = NDArray[np.int8]


def _is_text(type: pa.DataType) -> bool:
    """Return True if a column has texts."""
    return bool(
        pa.types.is_string(type)
        or pa.types.is_large_string(type)
        or (pa.types.is_dictionary(type) and _is_text(type.value_type))
    )


_SHAPE = "{number: string, count: int, section: string}"
_NEEDED: Mapping[str, Callable[[pa.DataType], bool]] = {
    "number": _is_text,
    "count": pa.types.is_integer,
    "section": _is_text,
}
_NONE = len(SECTIONS)  # the section of a line without one
UNKNOWN, ILLEGAL, LEGAL = -1, 0, 1
TERMS = ("ruleset", "game", "region", "format")
_MADE_WITH = ("on", "snapshot", "judge")
_LISTS = ("codes", "cards")
STORED = {
    "legal": pa.bool_(),
    **dict.fromkeys(_LISTS, pa.list_(pa.string())),
    "on": pa.date32(),
    **dict.fromkeys(_MADE_WITH[1:], pa.string()),
}
_PLACES: Mapping[str | None, int] = {section: place for place, section in enumerate(SECTIONS)}


@dataclass(frozen=True)
class StoredDecks:
    """Decks as columns of lines. `starts` has the index of the first line of each deck, and the end.

    `spelled` has the index in `spellings` of each line's card number, -1 if the line has none. `names` is None if
    no line has a name. `unreadable` marks the decks that cannot be read.
    """

    starts: Places
    spellings: Sequence[str | None]
    spelled: Numbers
    counts: Numbers
    sections: NDArray[np.uint8]
    names: pa.Array | None
    unreadable: Marks

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def read(cls, column: pa.Array) -> StoredDecks:
        """Return the decks of a column of lists of lines. Raises Unusable if the column has another type."""
        offsets = column.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
        lines = column.values.slice(offsets[0], offsets[-1] - offsets[0])
        own = dict(zip((field.name for field in _check_decks(column.type)), lines.flatten(), strict=True))
        spellings, spelled = _encode_texts(own["number"])
        names = own.get("name")
        names = None if names is None or names.null_count == len(names) else names
        counts, sections = _counts(own["count"]), _sections(own["section"])
        starts = offsets - offsets[0]
        bad = (counts == 0) | (sections == _NONE) | _unfit(spellings, spelled, names)
        unreadable = _spans_having(starts, bad) | (np.diff(starts) > MOST_LINES)
        if column.null_count:
            unreadable |= _marks(column.is_null())
        return cls(starts, spellings, spelled, counts, sections, names, unreadable)

    @cached_property
    def lines(self) -> Places:
        """The number of lines of each deck."""
        return np.diff(self.starts)

    @cached_property
    def with_names(self) -> Marks:
        """The decks with a name on a line."""
        if self.names is None:
            return np.zeros(len(self), bool)
        return self.find_decks_with(_marks(self.names.is_valid()))

    def find_decks_with(self, marked: Marks) -> Marks:
        """Return the decks that have a marked line."""
        return _spans_having(self.starts, marked)

    def map_numbers(self, function: Callable[[str | None], int]) -> Numbers:
        """Return the function's value for the card number of each line (None: no number).

        It is called once for each spelling.
        """
        spellings, found = (*self.spellings, None), np.zeros(len(self.spellings) + 1, np.int32)
        met = np.zeros(len(found), bool)
        met[self.spelled] = True  # decks that are taken from others have few of all their spellings
        found[met] = [function(spellings[place]) for place in np.flatnonzero(met).tolist()]
        return found[self.spelled]

    def take(self, rows: Places) -> StoredDecks:
        """Return some of the decks."""
        lines = self.lines[rows]
        starts = np.concatenate(([0], np.cumsum(lines)))
        places = np.repeat(self.starts[:-1][rows] - starts[:-1], lines) + np.arange(starts[-1])
        names = None if self.names is None else self.names.take(pa.array(places))
        each = self.spelled[places], self.counts[places], self.sections[places]
        return StoredDecks(starts, self.spellings, *each, names, self.unreadable[rows])

    def deck(self, row: int) -> Deck:
        """Return the deck of a row that is not unreadable."""
        first, end = int(self.starts[row]), int(self.starts[row + 1])
        sections: dict[str, Any] = dict.fromkeys(SECTIONS, ())
        each = (part[first:end].tolist() for part in (self.spelled, self.counts, self.sections))
        names = [None] * (end - first) if self.names is None else self.names[first:end].to_pylist()
        for place, count, section, name in zip(*each, names, strict=True):
            number = self.spellings[place] if place >= 0 else None
            sections[SECTIONS[section]] += (Line(number, count, name),)
        return Deck(**sections)


def _check_decks(type: pa.DataType) -> pa.DataType:
    """Return the type of the lines in a column of decks. Raises Unusable if the column has none."""
    if not (pa.types.is_list(type) or pa.types.is_large_list(type)) or not pa.types.is_struct(type.value_type):
        raise Unusable(f"`deck` is of the type {str(type)[:200]}; write a list of lines, each {_SHAPE}")
    kinds = {field.name: field.type for field in type.value_type}
    for name, is_kind in _NEEDED.items():
        if name not in kinds or not is_kind(kinds[name]):
            raise Unusable(f"the lines of `deck` have no such `{name}` as {_SHAPE}")
    if "name" in kinds and not _is_text(kinds["name"]):
        raise Unusable("the `name` of the lines of `deck` is no string")
    return type.value_type


def _encode_texts(texts: pa.Array) -> tuple[list[str | None], Numbers]:
    """Return the different texts of a column, and the index of each row's text in them (-1: none)."""
    if not pa.types.is_dictionary(texts.type):
        texts = pc.dictionary_encode(texts)
    places = texts.indices.cast(pa.int32())
    if places.null_count:
        places = places.fill_null(-1)
    numbers: Numbers = places.to_numpy(zero_copy_only=False)
    return texts.dictionary.to_pylist(), numbers


def _spans_having(starts: Places, marked: Marks) -> Marks:
    """Return the spans between two starts that have anything marked."""
    found = np.zeros(len(starts) - 1, bool)
    places = np.flatnonzero(marked)
    if len(places):
        found[np.searchsorted(starts, places, "right") - 1] = True
    return found


def _marks(column: pa.Array) -> Marks:
    """Return a column of booleans as an array."""
    marks: Marks = column.to_numpy(zero_copy_only=False)
    return marks


def _counts(column: pa.Array) -> Numbers:
    """Return the copies of each line, 0 if there are none or too many."""
    counts = (column.fill_null(0) if column.null_count else column).to_numpy(zero_copy_only=False)
    if len(counts) and (counts.min() < 1 or counts.max() > MOST_COPIES):
        counts = np.where((counts < 1) | (counts > MOST_COPIES), 0, counts)
    numbers: Numbers = counts.astype(np.int32)
    return numbers


def _sections(column: pa.Array) -> NDArray[np.uint8]:
    """Return the section of each line as its index in SECTIONS, `_NONE` for an unknown section."""
    texts, places = _encode_texts(column)
    return np.array([*(_PLACES.get(text, _NONE) for text in texts), _NONE], np.uint8)[places]


def _unfit(spellings: Sequence[str | None], spelled: Numbers, names: pa.Array | None) -> Marks:
    """Return the lines with neither a number nor a name, or with characters that no card has in them."""
    unfit: Marks = np.array([*(one is None or _is_unfit(one) for one in spellings), True])[spelled]
    if names is None:
        return unfit
    texts, places = _encode_texts(names)
    faulty = np.array([*(one is None or _is_unfit(one) for one in texts), False])[places]
    unfit = np.where(spelled == -1, (places == -1) | faulty, unfit | faulty)
    return unfit


def _is_unfit(text: str) -> bool:
    """Return True if a text has characters that must not be written."""
    return bool(unwritable(text))


class MadeWith(NamedTuple):
    """What a stored verdict was made with: the day, the cards and the Judge."""

    on: str
    snapshot: str
    judge: str


class SameTerms(NamedTuple):
    """Rows with the same terms, in the order of TERMS, and with verdicts made with the same (None: no verdicts)."""

    rows: Places
    terms: tuple[str | None, ...]
    made_with: MadeWith | None


class StoredVerdicts(NamedTuple):
    """The verdicts before of a batch: the legality, and the codes and the cards of the findings."""

    legal: Legality
    codes: pa.Array | None
    cards: pa.Array | None

    @classmethod
    def read(cls, batch: pa.RecordBatch) -> StoredVerdicts:
        """Return the verdicts of a batch. Rows may have none."""
        own = _columns_of(batch, "stored")
        legal = np.full(len(batch), UNKNOWN, np.int8)
        if "legal" in own:
            legal = own["legal"].cast(pa.int8()).fill_null(UNKNOWN).to_numpy(zero_copy_only=False)
        return cls(legal, own.get("codes"), own.get("cards"))


def check_columns(schema: pa.Schema) -> None:
    """Check the columns of stored decks. Raises Unusable if one is missing or has another type."""
    for name in ("id", "deck"):
        if schema.get_field_index(name) < 0:
            raise Unusable(f"there is no column `{name}`, or there are several")
    if not (_is_text(schema.field("id").type) or pa.types.is_integer(schema.field("id").type)):
        raise Unusable(f"`id` is of the type {schema.field('id').type}; write a string or a whole number")
    _check_decks(schema.field("deck").type)
    _check_struct(schema, "terms", dict.fromkeys(TERMS, pa.string()))
    _check_struct(schema, "stored", STORED)


def _check_struct(schema: pa.Schema, name: str, kinds: dict[str, pa.DataType]) -> None:
    """Raise Unusable if a struct column has another type, or a field of another type. A missing column is accepted."""
    if schema.get_field_index(name) < 0:
        return
    type = schema.field(name).type
    if not pa.types.is_struct(type):
        raise Unusable(f"`{name}` is of the type {str(type)[:200]}; write a struct of {', '.join(kinds)}")
    for part in type:
        kind = kinds.get(part.name, part.type)
        if part.type not in (kind, pa.null()) and not (_is_text(part.type) and (_is_text(kind) or part.name == "on")):
            raise Unusable(f"`{part.name}` of `{name}` is of the type {str(part.type)[:200]}; write {kind}")


def group_by_terms(batch: pa.RecordBatch, rows: Places) -> Iterator[SameTerms]:
    """Yield some rows of a batch in groups with the same terms and kinds of verdicts."""
    terms, stored = _columns_of(batch, "terms"), _columns_of(batch, "stored")
    columns = [terms.get(name) for name in TERMS]
    columns += [stored.get(name) for name in _MADE_WITH]
    values, keys = zip(*(_texts(column, len(batch)) for column in columns), strict=True)
    together = np.stack(keys, axis=1)[rows]
    if not len(rows):
        return
    for key, places in _group_equal(together):
        texts = [each[place] if place >= 0 else None for each, place in zip(values, key, strict=True)]
        on, snapshot, judge = texts[len(TERMS) :]
        made_with = MadeWith(on, snapshot, judge) if on and snapshot and judge else None
        yield SameTerms(rows[places], tuple(texts[: len(TERMS)]), made_with)


def _group_equal(keys: Numbers) -> Iterator[tuple[list[int], Places]]:
    """Yield each different row of a table of keys, with the positions of the rows that are equal to it."""
    if (keys == keys[0]).all():
        yield keys[0].tolist(), np.arange(len(keys))
        return
    kinds, of = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(of, kind="stable")
    ends = np.cumsum(np.bincount(of, minlength=len(kinds)))
    yield from zip(kinds.tolist(), np.split(order, ends[:-1]), strict=True)


def _columns_of(batch: pa.RecordBatch, name: str) -> dict[str, pa.Array]:
    """Return the fields of a column of structs, none if there is no such column."""
    if batch.schema.get_field_index(name) < 0:
        return {}
    column = batch.column(name)
    return dict(zip((part.name for part in column.type), column.flatten(), strict=True))


def _texts(column: pa.Array | None, rows: int) -> tuple[Sequence[str | None], Numbers]:
    """Return the different texts of a column, and the index of the text in each row. -1 is null."""
    if column is None or column.null_count == rows:
        return (), np.full(rows, -1, np.int32)
    return _encode_texts(column if _is_text(column.type) else column.cast(pa.string()))
