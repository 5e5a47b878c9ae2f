"""Stored verdicts: what was said of decks before, as columns, and what each deck is to be judged by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from api.rejudge.stored_decks import Numbers, Places, check, encoded, is_text
from api.service.errors import Unusable

UNKNOWN, ILLEGAL, LEGAL = -1, 0, 1
Legality = NDArray[np.int8]
TERMS = ("ruleset", "game", "region", "format")
_MADE_WITH = ("on", "snapshot", "judge")
_LISTS = ("codes", "cards")


class MadeWith(NamedTuple):
    """What a stored verdict says that it was made with: the day, the cards and the Judge."""

    on: str
    snapshot: str
    judge: str


class Alike(NamedTuple):
    """Rows that say the same terms, in the order of TERMS, and have verdicts made with the same, None for none."""

    rows: Places
    terms: tuple[str | None, ...]
    made_with: MadeWith | None


class StoredVerdicts(NamedTuple):
    """What was said of each deck of a batch: whether it was legal, by which codes and of which cards."""

    legal: Legality
    codes: pa.Array | None
    cards: pa.Array | None

    @classmethod
    def read(cls, batch: pa.RecordBatch) -> StoredVerdicts:
        """Read the verdicts of a batch, in which all or some rows may have none."""
        own = _parts(batch, "stored")
        legal = np.full(len(batch), UNKNOWN, np.int8)
        if "legal" in own:
            legal = own["legal"].cast(pa.int8()).fill_null(UNKNOWN).to_numpy(zero_copy_only=False)
        return cls(legal, own.get("codes"), own.get("cards"))


def check_columns(schema: pa.Schema) -> None:
    """Raise Unusable where columns are none of stored decks."""
    for name in ("id", "deck"):
        if schema.get_field_index(name) < 0:
            raise Unusable(f"there is no column `{name}`, or there are several")
    if not (is_text(schema.field("id").type) or pa.types.is_integer(schema.field("id").type)):
        raise Unusable(f"`id` is of the type {schema.field('id').type}; write a string or a whole number")
    check(schema.field("deck").type)
    _check_parts(schema, "terms", dict.fromkeys(TERMS, pa.string()))
    _check_parts(schema, "stored", STORED)


STORED = {
    "legal": pa.bool_(),
    **dict.fromkeys(_LISTS, pa.list_(pa.string())),
    "on": pa.date32(),
    **dict.fromkeys(_MADE_WITH[1:], pa.string()),
}


def _check_parts(schema: pa.Schema, name: str, kinds: dict[str, pa.DataType]) -> None:
    if schema.get_field_index(name) < 0:
        return
    type = schema.field(name).type
    if not pa.types.is_struct(type):
        raise Unusable(f"`{name}` is of the type {str(type)[:200]}; write a struct of {', '.join(kinds)}")
    for part in type:
        kind = kinds.get(part.name, part.type)
        if part.type not in (kind, pa.null()) and not (is_text(part.type) and (is_text(kind) or part.name == "on")):
            raise Unusable(f"`{part.name}` of `{name}` is of the type {str(part.type)[:200]}; write {kind}")


def alike(batch: pa.RecordBatch, rows: Places) -> Iterator[Alike]:
    """Yield some rows of a batch in groups of those that are judged by the same."""
    terms, stored = _parts(batch, "terms"), _parts(batch, "stored")
    columns = [terms.get(name) for name in TERMS]
    columns += [stored.get(name) for name in _MADE_WITH]
    values, keys = zip(*(_texts(column, len(batch)) for column in columns), strict=True)
    together = np.stack(keys, axis=1)[rows]
    if not len(rows):
        return
    for key, places in _grouped(together):
        said = [each[place] if place >= 0 else None for each, place in zip(values, key, strict=True)]
        on, snapshot, judge = said[len(TERMS) :]
        made_with = MadeWith(on, snapshot, judge) if on and snapshot and judge else None
        yield Alike(rows[places], tuple(said[: len(TERMS)]), made_with)


def _grouped(together: Numbers) -> Iterator[tuple[list[int], Places]]:
    if (together == together[0]).all():
        yield together[0].tolist(), np.arange(len(together))
        return
    kinds, of = np.unique(together, axis=0, return_inverse=True)
    order = np.argsort(of, kind="stable")
    ends = np.cumsum(np.bincount(of, minlength=len(kinds)))
    yield from zip(kinds.tolist(), np.split(order, ends[:-1]), strict=True)


def _parts(batch: pa.RecordBatch, name: str) -> dict[str, pa.Array]:
    """Return the parts of a column of structs, none where there is no such column."""
    if batch.schema.get_field_index(name) < 0:
        return {}
    column = batch.column(name)
    return dict(zip((part.name for part in column.type), column.flatten(), strict=True))


def _texts(column: pa.Array | None, rows: int) -> tuple[Sequence[str | None], Numbers]:
    if column is None or column.null_count == rows:
        return (), np.full(rows, -1, np.int32)
    return encoded(column if is_text(column.type) else column.cast(pa.string()))
