"""Records: cards whose number, name and count stand under each other, each behind what it is called.

So have YAML, TOML and JSON that is not well-formed or has prose around it: "number: OP01-016", "count: 4".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from validator.decklists import headings, jsonkeys
from validator.decklists.source import TextRow, plain
from validator.texts import LONGEST_LINE

_FIELD = re.compile(r"[\"']?([^\W\d_][\w -]{0,30}?)[\"']? ?[:=] ?([^ ].*)")
_AROUND = "\"', {}"
_PARTS = frozenset(("number", "name", "count"))
# What else is said of a card between these.
_FACTS = frozenset(("color", "colour", "colors", "rarity", "set", "type", "category", "attribute", "traits", "effect"))


class _Field(NamedTuple):
    role: str
    value: str
    row: TextRow


def joined(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """Return the lines of a list, those of each record as one line, where there are several records."""
    whole = [record for record in _records(rows) if "count" in record and len(record.keys() & _PARTS) > 1]
    if len(whole) < 2:
        return rows
    merged = {next(iter(record.values())).row: _merged(record) for record in whole}
    gone = {field.row for record in whole for field in record.values()}
    return [merged.get(row, row) for row in rows if row in merged or row not in gone]


def _records(rows: Iterable[TextRow]) -> Iterator[dict[str, _Field]]:
    """Yield the fields of each record; it ends where one comes again, or a line that is none."""
    record: dict[str, _Field] = {}
    for row in rows:
        field = _field(row)
        if record and (field is None or field.role in record):
            yield record
            record = {}
        if field and (record or field.role in _PARTS):
            record[field.role] = field
    yield record


def _field(row: TextRow) -> _Field | None:
    may_be = len(row.shown) <= LONGEST_LINE and (":" in row.shown or "=" in row.shown)
    found = _FIELD.fullmatch(row.shown) if may_be else None
    role = _role(found[1]) if found else None
    value = found[2].strip(_AROUND) if found else ""
    if role is None or not value or (role == "count" and not value.isdecimal()):
        return None
    return _Field(role, value, row)


def _role(key: str) -> str | None:
    said = jsonkeys.role(key)
    if said is None and (key.casefold() in _FACTS or headings.says_fact(headings.words(key))):
        return key.casefold()
    return said


def _merged(record: dict[str, _Field]) -> TextRow:
    """Return a record as one line, which stands where the first of its lines stood."""
    texts = " ".join(record[role].value for role in ("count", "number", "name") if role in record)
    first, *_ = record.values()
    return TextRow(first.row.at, "\n".join(field.row.raw for field in record.values()), texts, plain(texts))
