"""Stored decks: many of them as columns, a place for each line, as Parquet has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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


def is_text(type: pa.DataType) -> bool:
    """Tell whether a column holds texts."""
    return bool(
        pa.types.is_string(type)
        or pa.types.is_large_string(type)
        or (pa.types.is_dictionary(type) and is_text(type.value_type))
    )


_SHAPE = "{number: string, count: int, section: string}"
_NEEDED: Mapping[str, Callable[[pa.DataType], bool]] = {
    "number": is_text,
    "count": pa.types.is_integer,
    "section": is_text,
}
_NONE = len(SECTIONS)  # of a line that stands in no section
_PLACES: Mapping[str | None, int] = {section: place for place, section in enumerate(SECTIONS)}


@dataclass(frozen=True)
class StoredDecks:
    """Decks whose lines stand one after the other, those of a deck from its place in `starts` to the next.

    `spelled` leads from a line to its number among `spellings`, -1 where it has none; `names` are there where any
    line has a name. `unreadable` are the decks that cannot be read.
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
        """Read a column of decks, each a list of lines; Unusable where it is another."""
        offsets = column.offsets.to_numpy(zero_copy_only=False).astype(np.int64)
        lines = column.values.slice(offsets[0], offsets[-1] - offsets[0])
        own = dict(zip((field.name for field in check(column.type)), lines.flatten(), strict=True))
        spellings, spelled = encoded(own["number"])
        names = own.get("name")
        names = None if names is None or names.null_count == len(names) else names
        counts, sections = _counts(own["count"]), _sections(own["section"])
        starts = offsets - offsets[0]
        bad = (counts == 0) | (sections == _NONE) | _unfit(spellings, spelled, names)
        unreadable = holding(starts, bad) | (np.diff(starts) > MOST_LINES)
        if column.null_count:
            unreadable |= _marks(column.is_null())
        return cls(starts, spellings, spelled, counts, sections, names, unreadable)

    @cached_property
    def lines(self) -> Places:
        """How many lines each deck has."""
        return np.diff(self.starts)

    @cached_property
    def named(self) -> Marks:
        """The decks of which a line has a name."""
        if self.names is None:
            return np.zeros(len(self), bool)
        return self.holding(_marks(self.names.is_valid()))

    def holding(self, marked: Marks) -> Marks:
        """Return the decks that hold any of the lines that are marked."""
        return holding(self.starts, marked)

    def each(self, of: Callable[[str | None], int]) -> Numbers:
        """Return for each line what its number comes to, asked once of each spelling; None where it has none."""
        spellings, found = (*self.spellings, None), np.zeros(len(self.spellings) + 1, np.int32)
        met = np.zeros(len(found), bool)
        met[self.spelled] = True  # decks that are taken from others have few of all their spellings
        found[met] = [of(spellings[place]) for place in np.flatnonzero(met).tolist()]
        return found[self.spelled]

    def taken(self, rows: Places) -> StoredDecks:
        """Return some of the decks alone."""
        lines = self.lines[rows]
        starts = np.concatenate(([0], np.cumsum(lines)))
        places = np.repeat(self.starts[:-1][rows] - starts[:-1], lines) + np.arange(starts[-1])
        names = None if self.names is None else self.names.take(pa.array(places))
        each = self.spelled[places], self.counts[places], self.sections[places]
        return StoredDecks(starts, self.spellings, *each, names, self.unreadable[rows])

    def deck(self, row: int) -> Deck:
        """Return a deck that can be read, as a Judge takes it."""
        first, end = int(self.starts[row]), int(self.starts[row + 1])
        sections: dict[str, Any] = dict.fromkeys(SECTIONS, ())
        each = (part[first:end].tolist() for part in (self.spelled, self.counts, self.sections))
        names = [None] * (end - first) if self.names is None else self.names[first:end].to_pylist()
        for place, count, section, name in zip(*each, names, strict=True):
            number = self.spellings[place] if place >= 0 else None
            sections[SECTIONS[section]] += (Line(number, count, name),)
        return Deck(**sections)


def check(type: pa.DataType) -> pa.DataType:
    """Return what the lines of a column of decks are; Unusable says where it holds none."""
    if not (pa.types.is_list(type) or pa.types.is_large_list(type)) or not pa.types.is_struct(type.value_type):
        raise Unusable(f"`deck` is of the type {str(type)[:200]}; write a list of lines, each {_SHAPE}")
    kinds = {field.name: field.type for field in type.value_type}
    for name, is_kind in _NEEDED.items():
        if name not in kinds or not is_kind(kinds[name]):
            raise Unusable(f"the lines of `deck` have no such `{name}` as {_SHAPE}")
    if "name" in kinds and not is_text(kinds["name"]):
        raise Unusable("the `name` of the lines of `deck` is no string")
    return type.value_type


def encoded(texts: pa.Array) -> tuple[list[str | None], Numbers]:
    """Return the texts of a column, each once or more, and where each of its rows finds its own; -1 for none."""
    if not pa.types.is_dictionary(texts.type):
        texts = pc.dictionary_encode(texts)
    places = texts.indices.cast(pa.int32())
    if places.null_count:
        places = places.fill_null(-1)
    numbers: Numbers = places.to_numpy(zero_copy_only=False)
    return texts.dictionary.to_pylist(), numbers


def holding(starts: Places, marked: Marks) -> Marks:
    """Return which of the spans between two starts hold anything that is marked."""
    found = np.zeros(len(starts) - 1, bool)
    places = np.flatnonzero(marked)
    if len(places):
        found[np.searchsorted(starts, places, "right") - 1] = True
    return found


def _marks(column: pa.Array) -> Marks:
    marks: Marks = column.to_numpy(zero_copy_only=False)
    return marks


def _counts(column: pa.Array) -> Numbers:
    """Return the copies of each line, 0 where there are none or too many."""
    counts = (column.fill_null(0) if column.null_count else column).to_numpy(zero_copy_only=False)
    if len(counts) and (counts.min() < 1 or counts.max() > MOST_COPIES):
        counts = np.where((counts < 1) | (counts > MOST_COPIES), 0, counts)
    numbers: Numbers = counts.astype(np.int32)
    return numbers


def _sections(column: pa.Array) -> NDArray[np.uint8]:
    texts, places = encoded(column)
    return np.array([*(_PLACES.get(text, _NONE) for text in texts), _NONE], np.uint8)[places]


def _unfit(spellings: Sequence[str | None], spelled: Numbers, names: pa.Array | None) -> Marks:
    """Return the lines without a number and a name, or with what is none."""
    unfit: Marks = np.array([*(one is None or _is_unfit(one) for one in spellings), True])[spelled]
    if names is None:
        return unfit
    texts, places = encoded(names)
    faulty = np.array([*(one is None or _is_unfit(one) for one in texts), False])[places]
    unfit = np.where(spelled == -1, (places == -1) | faulty, unfit | faulty)
    return unfit


def _is_unfit(text: str) -> bool:
    return bool(unwritable(text))
