"""Stored decks and their verdicts as columns, as Parquet has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from api.service.errors import Unusable
from api.service.shapes import unwritable
from validator.deck import MOST_COPIES, MOST_LINES, SECTION_ORDER, SECTIONS, Deck, Line
from validator.language import phrase

Numbers = NDArray[np.int32]
Places = NDArray[np.int64]
Marks = NDArray[np.bool_]
Legality = NDArray[np.int8]


def _is_text(type: pa.DataType) -> bool:
    """Return True if a column's type is text, also dictionary-encoded."""
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


@dataclass(frozen=True)
class StoredDecks:
    """Decks as columns of lines. `starts` has the index of the first line of each deck, and the number of all lines.

    `spelled` has the index in `spellings` of each line's card number, -1 if the line has none. `counts` are copies (0
    if invalid), and `sections` indices in SECTIONS (`len(SECTIONS)` if invalid). `names` is None if no line has a name.
    `unreadable` has True for each deck that cannot be read.
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
        """Return the decks of a column of lists of lines. Raises Unusable if the column has another type.

        A deck is unreadable if it is null, has more than MOST_LINES lines, or has a line with an invalid count, section
        or text, or with neither a number nor a name.
        """
        offsets = column.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
        lines = column.values.slice(offsets[0], offsets[-1] - offsets[0])
        own = dict(zip((field.name for field in _check_deck_type(column.type)), lines.flatten(), strict=True))
        spellings, spelled = _encode_texts(own["number"])
        names = own.get("name")
        names = None if names is None or names.null_count == len(names) else names
        counts, sections = _to_counts(own["count"]), _to_section_indices(own["section"])
        starts = offsets - offsets[0]
        bad = (counts == 0) | (sections == _NONE) | _find_unfit_lines(spellings, spelled, names)
        unreadable = _find_marked_spans(starts, bad) | (np.diff(starts) > MOST_LINES)
        if column.null_count:
            unreadable |= _to_marks(column.is_null())
        return cls(starts, spellings, spelled, counts, sections, names, unreadable)

    @cached_property
    def lines(self) -> Places:
        """The number of lines of each deck, as an array."""
        return np.diff(self.starts)

    @cached_property
    def with_names(self) -> Marks:
        """An array with True for each deck that has a card name on a line."""
        if self.names is None:
            return np.zeros(len(self), bool)
        return self.find_decks_with(_to_marks(self.names.is_valid()))

    def find_decks_with(self, marked_lines: Marks) -> Marks:
        """Return an array with True for each deck that has a line for which `marked_lines` is True."""
        return _find_marked_spans(self.starts, marked_lines)

    def map_numbers(self, function: Callable[[str | None], int]) -> Numbers:
        """Return an array with the function's value for the card number of each line (None: no number).

        The function is called once for each spelling that a line has.
        """
        spellings, found = (*self.spellings, None), np.zeros(len(self.spellings) + 1, np.int32)
        met = np.zeros(len(found), bool)
        met[self.spelled] = True  # decks that are taken from others have few of all their spellings
        found[met] = [function(spellings[place]) for place in np.flatnonzero(met).tolist()]
        return found[self.spelled]

    def select_decks(self, rows: Places) -> StoredDecks:
        """Return the decks with these row indices, in this order."""
        lines = self.lines[rows]
        starts = np.concatenate(([0], np.cumsum(lines)))
        places = np.repeat(self.starts[:-1][rows] - starts[:-1], lines) + np.arange(starts[-1])
        names = None if self.names is None else self.names.take(pa.array(places))
        each = self.spelled[places], self.counts[places], self.sections[places]
        return StoredDecks(starts, self.spellings, *each, names, self.unreadable[rows])

    def deck(self, row: int) -> Deck:
        """Return the deck of a row. `unreadable` must be False for the row."""
        first, end = int(self.starts[row]), int(self.starts[row + 1])
        sections: dict[str, list[Line]] = {}
        each = (part[first:end].tolist() for part in (self.spelled, self.counts, self.sections))
        names = [None] * (end - first) if self.names is None else self.names[first:end].to_pylist()
        for place, count, section, name in zip(*each, names, strict=True):
            number = self.spellings[place] if place >= 0 else None
            sections.setdefault(SECTIONS[section], []).append(Line(number, count, name))
        return Deck.from_sections(sections)


def _check_deck_type(type: pa.DataType) -> pa.DataType:
    """Return the type of the lines in a column of decks. Raises Unusable if the column is no list of such lines."""
    if not (pa.types.is_list(type) or pa.types.is_large_list(type)) or not pa.types.is_struct(type.value_type):
        raise Unusable(
            phrase(
                "`deck` is of the type {type}; write a list of lines, each {shape}",
                type=str(type)[:200],
                shape=_SHAPE,
            )
        )
    kinds = {field.name: field.type for field in type.value_type}
    for name, is_kind in _NEEDED.items():
        if name not in kinds or not is_kind(kinds[name]):
            raise Unusable(phrase("the lines of `deck` have no such `{name}` as {shape}", name=name, shape=_SHAPE))
    if "name" in kinds and not _is_text(kinds["name"]):
        raise Unusable(phrase("the `name` of the lines of `deck` is no string"))
    return type.value_type


def _encode_texts(texts: pa.Array) -> tuple[list[str | None], Numbers]:
    """Return `(different texts, index of each row's text in them)`. The index is -1 for null."""
    if not pa.types.is_dictionary(texts.type):
        texts = pc.dictionary_encode(texts)
    places = texts.indices.cast(pa.int32())
    if places.null_count:
        places = places.fill_null(-1)
    numbers: Numbers = places.to_numpy(zero_copy_only=False)
    return texts.dictionary.to_pylist(), numbers


def _find_marked_spans(starts: Places, marked_lines: Marks) -> Marks:
    """Return an array with True for each span between two `starts` that has a marked line."""
    found = np.zeros(len(starts) - 1, bool)
    places = np.flatnonzero(marked_lines)
    if len(places):
        found[np.searchsorted(starts, places, "right") - 1] = True
    return found


def _to_marks(column: pa.Array) -> Marks:
    """Return a column of booleans as an array."""
    marks: Marks = column.to_numpy(zero_copy_only=False)
    return marks


def _to_counts(column: pa.Array) -> Numbers:
    """Return the copies of each line as an array, 0 if they are null, below 1 or above MOST_COPIES."""
    counts = (column.fill_null(0) if column.null_count else column).to_numpy(zero_copy_only=False)
    if len(counts) and (counts.min() < 1 or counts.max() > MOST_COPIES):
        counts = np.where((counts < 1) | (counts > MOST_COPIES), 0, counts)
    numbers: Numbers = counts.astype(np.int32)
    return numbers


def _to_section_indices(column: pa.Array) -> NDArray[np.uint8]:
    """Return the section of each line as its index in SECTIONS, `_NONE` for an unknown section."""
    texts, places = _encode_texts(column)
    return np.array([*(SECTION_ORDER.get(text, _NONE) for text in texts), _NONE], np.uint8)[places]


def _find_unfit_lines(spellings: Sequence[str | None], spelled: Numbers, names: pa.Array | None) -> Marks:
    """Return an array with True for each line with neither a number nor a name, or with a text that `_is_unfit`.

    `spelled` are the indices of the numbers in `spellings`, -1 for none. `names` is None if no line has a name.
    """
    unfit: Marks = np.array([*(one is None or _is_unfit(one) for one in spellings), True])[spelled]
    if names is None:
        return unfit
    texts, places = _encode_texts(names)
    faulty = np.array([*(one is None or _is_unfit(one) for one in texts), False])[places]
    unfit = np.where(spelled == -1, (places == -1) | faulty, unfit | faulty)
    return unfit


def _is_unfit(text: str) -> bool:
    """Return True if a text has characters that must not be written, such as control characters."""
    return bool(unwritable(text))


class MadeWith(NamedTuple):
    """The origin of a stored verdict: the day (ISO 8601), the id of the card snapshot, and the Judge's fingerprint.

    The fingerprint is a hash of the code, cards, rules and lists that the Judge decides by.
    """

    on: str
    snapshot: str
    judge: str


class SameTerms(NamedTuple):
    """The indices of rows with the same terms, and with earlier verdicts of the same origin.

    `terms` are (ruleset, game, region, format), each None if the rows have none. `made_with` is None if the rows have
    no verdicts, or a part of their origin is missing.
    """

    rows: Places
    terms: tuple[str | None, ...]
    made_with: MadeWith | None


class StoredVerdicts(NamedTuple):
    """The earlier verdicts of a batch, by row: LEGAL, ILLEGAL or UNKNOWN, and the codes and the cards of the findings.

    `codes` and `cards` are None if the batch has no such column.
    """

    legal: Legality
    codes: pa.Array | None
    cards: pa.Array | None

    @classmethod
    def read(cls, batch: pa.RecordBatch) -> StoredVerdicts:
        """Return the earlier verdicts of a batch, in its column "stored". Rows without one are UNKNOWN."""
        own = _columns_of(batch, "stored")
        legal = np.full(len(batch), UNKNOWN, np.int8)
        if "legal" in own:
            legal = own["legal"].cast(pa.int8()).fill_null(UNKNOWN).to_numpy(zero_copy_only=False)
        return cls(legal, own.get("codes"), own.get("cards"))


def check_columns(schema: pa.Schema) -> None:
    """Check the columns of stored decks. Raises Unusable if "id" or "deck" is missing or exists twice.

    Also if one of them, "terms" or "stored" has a wrong type. "terms" and "stored" may be missing, and other columns
    are ignored.
    """
    for name in ("id", "deck"):
        if schema.get_field_index(name) < 0:
            raise Unusable(phrase("there is no column `{name}`, or there are several", name=name))
    if not (_is_text(schema.field("id").type) or pa.types.is_integer(schema.field("id").type)):
        raise Unusable(
            phrase(
                "`id` is of the type {type}; write a string or a whole number", type=str(schema.field("id").type)[:200]
            )
        )
    _check_deck_type(schema.field("deck").type)
    _check_struct(schema, "terms", dict.fromkeys(TERMS, pa.string()))
    _check_struct(schema, "stored", STORED)


def _check_struct(schema: pa.Schema, name: str, kinds: dict[str, pa.DataType]) -> None:
    """Raise Unusable if a struct column has another type, or a field of another type. A missing column is accepted.

    `kinds` are the types by field name. Other fields, missing fields and fields of nulls are accepted. So are texts of
    any kind, also for the day `on`.
    """
    if schema.get_field_index(name) < 0:
        return
    type = schema.field(name).type
    if not pa.types.is_struct(type):
        raise Unusable(
            phrase(
                "`{name}` is of the type {type}; write a struct of {fields}",
                name=name,
                type=str(type)[:200],
                fields=", ".join(kinds),
            )
        )
    for part in type:
        kind = kinds.get(part.name, part.type)
        if part.type not in (kind, pa.null()) and not (_is_text(part.type) and (_is_text(kind) or part.name == "on")):
            raise Unusable(
                phrase(
                    "`{field}` of `{name}` is of the type {type}; write {kind}",
                    field=part.name,
                    name=name,
                    type=str(part.type)[:200],
                    kind=str(kind),
                )
            )


def group_by_terms(batch: pa.RecordBatch, rows: Places) -> Iterator[SameTerms]:
    """Yield the rows of a batch with the indices `rows`, in groups with the same terms and the same origin of verdicts.

    Each index is in one group. Nothing is yielded without rows.
    """
    terms, stored = _columns_of(batch, "terms"), _columns_of(batch, "stored")
    columns = [terms.get(name) for name in TERMS]
    columns += [stored.get(name) for name in _MADE_WITH]
    values, keys = zip(*(_encode_column(column, len(batch)) for column in columns), strict=True)
    together = np.stack(keys, axis=1)[rows]
    if not len(rows):
        return
    for key, places in _group_equal(together):
        texts = [each[place] if place >= 0 else None for each, place in zip(values, key, strict=True)]
        on, snapshot, judge = texts[len(TERMS) :]
        made_with = MadeWith(on, snapshot, judge) if on and snapshot and judge else None
        yield SameTerms(rows[places], tuple(texts[: len(TERMS)]), made_with)


def _group_equal(keys: Numbers) -> Iterator[tuple[list[int], Places]]:
    """Yield `(row, positions)` for each different row of a table of keys, with the positions of the rows equal to it.

    The table must have a row.
    """
    if (keys == keys[0]).all():
        yield keys[0].tolist(), np.arange(len(keys))
        return
    kinds, of = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(of, kind="stable")
    ends = np.cumsum(np.bincount(of, minlength=len(kinds)))
    yield from zip(kinds.tolist(), np.split(order, ends[:-1]), strict=True)


def _columns_of(batch: pa.RecordBatch, name: str) -> dict[str, pa.Array]:
    """Return the fields of a struct column by name, empty if there is no such column."""
    if batch.schema.get_field_index(name) < 0:
        return {}
    column = batch.column(name)
    return dict(zip((part.name for part in column.type), column.flatten(), strict=True))


def _encode_column(column: pa.Array | None, rows: int) -> tuple[Sequence[str | None], Numbers]:
    """Return `(different texts, index of each row's text in them)` of a column, -1 for null.

    No column is a column of nulls. `rows` is the number of rows. Other types than text are converted.
    """
    if column is None or column.null_count == rows:
        return (), np.full(rows, -1, np.int32)
    return _encode_texts(column if _is_text(column.type) else column.cast(pa.string()))
