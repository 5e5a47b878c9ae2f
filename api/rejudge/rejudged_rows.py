"""Rejudged rows: what is found of each stored deck, collected and made columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from api.rejudge.stored_decks import Places
from api.rejudge.stored_verdicts import ILLEGAL, LEGAL, UNKNOWN, Legality
from validator.judge import Judge

_TEXTS = pa.list_(pa.string())
_MADE_WITH = {
    "ruleset": pa.string(),
    "limits": pa.date32(),
    "snapshot": pa.string(),
    "on": pa.date32(),
    "judge": pa.string(),
}


def schema(id: pa.DataType) -> pa.Schema:
    """Return the columns of what comes of stored decks with such an id."""
    own = {"id": id, "legal": pa.bool_(), "before": pa.bool_(), "codes": _TEXTS, "cards": _TEXTS}
    return pa.schema(list((own | _MADE_WITH).items()))


class RejudgedRows:
    """The rows of a batch while they are answered: each is legal, was legal, and is judged by one Judge."""

    def __init__(self, count: int) -> None:
        self.legal: Legality = np.full(count, UNKNOWN, np.int8)
        self.before: Legality = np.full(count, UNKNOWN, np.int8)
        self._codes, self._cards = _Texts(count), _Texts(count)
        self._by = np.zeros(count, np.int32)
        self._made_with: list[tuple[object, ...]] = [(None,) * len(_MADE_WITH)]

    def tell(self, row: int, codes: Sequence[str], cards: Sequence[str] = ()) -> None:
        """Say what is found of a row."""
        self._codes.tell(row, codes)
        self._cards.tell(row, cards)

    def keep(self, rows: Places, codes: pa.Array | None, cards: pa.Array | None) -> None:
        """Say of rows what was said of them before, in columns of all rows; None where there is no such column."""
        self._codes.keep(rows, codes)
        self._cards.keep(rows, cards)

    def judged_by(self, rows: Places, judge: Judge, mark: str) -> None:
        """Say what rows are judged by; `mark` is the Judge's fingerprint."""
        self._by[rows] = len(self._made_with)
        terms, official = judge.terms, judge.terms.in_force
        since = official.effective_from if official else None
        self._made_with.append((terms.ruleset.id, since, judge.catalogue.snapshot, terms.on, mark))

    def counted(self) -> Counter[str]:
        """Return how many rows there are of each kind."""
        was, now = self.before, self.legal
        kinds = {
            "rows": np.ones(len(now), bool),
            "legal": now == LEGAL,
            "illegal": now == ILLEGAL,
            "unusable": now == UNKNOWN,
            "no_more": (was == LEGAL) & (now == ILLEGAL),
            "again": (was == ILLEGAL) & (now == LEGAL),
        }
        return Counter({kind: int(marks.sum()) for kind, marks in kinds.items()})

    def written(self, ids: pa.Array) -> pa.RecordBatch:
        """Return the rows as columns, beside their ids."""
        columns = [
            ids,
            _legality(self.legal),
            _legality(self.before),
            self._codes.column(),
            self._cards.column(),
        ]
        by = pa.array(self._by)
        made_with = zip(*self._made_with, strict=True)
        columns += [pa.array(one, type).take(by) for one, type in zip(made_with, _MADE_WITH.values(), strict=True)]
        return pa.RecordBatch.from_arrays(columns, schema=schema(ids.type))


class _Texts:
    """A column of lists of texts, filled in row by row or taken from another; a row that nobody fills in is empty."""

    def __init__(self, count: int) -> None:
        self._parts: list[pa.Array] = [pa.array([[]], _TEXTS)]
        self._at = np.zeros(count, np.int64)  # where each row is among the parts
        self._held = 1
        self._told: dict[int, Sequence[str]] = {}

    def tell(self, row: int, texts: Sequence[str]) -> None:
        """Fill in a row."""
        self._told[row] = texts

    def keep(self, rows: Places, column: pa.Array | None) -> None:
        """Fill in rows with what a column of all rows has for them."""
        if column is None or pa.types.is_null(column.type):
            return
        lengths = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        having = rows[lengths[rows] > 0]
        self._add(having, column.take(pa.array(having)).cast(_TEXTS))

    def column(self) -> pa.Array:
        """Return the column."""
        rows = np.fromiter(self._told, np.int64, len(self._told))
        self._add(rows, pa.array(self._told.values(), _TEXTS))
        self._told.clear()
        return pa.concat_arrays(self._parts).take(pa.array(self._at))

    def _add(self, rows: Places, lists: pa.Array) -> None:
        self._at[rows] = np.arange(self._held, self._held + len(rows))
        self._held += len(rows)
        self._parts.append(lists)


def _legality(of: Legality) -> pa.Array:
    return pa.array(of == LEGAL, mask=of == UNKNOWN)
