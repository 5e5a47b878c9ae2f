"""Report tables: a table with headings, lines above and perhaps a chart, before it is written to any file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeVar

_WORD_ENDS = re.compile(r"[\s-]+")  # where headings are wrapped
# What XML cannot hold: control characters, halves of characters, and the two that are none.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# What a column holds: free text, an id or card number (always text), a number, one of a few words, or a
# text that may need several lines.
TEXT, ID, NUMBER, WORD, LONG = "text", "id", "number", "word", "long"
Value = str | int | None


def writable(text: str) -> str:
    """Return a text without what a workbook cannot hold."""
    return text if text.isprintable() else _UNWRITABLE.sub("", text)


class Column(NamedTuple):
    """A column of a table: its heading, what it holds, how wide it is drawn (in characters), and whether at all."""

    title: str
    kind: str = TEXT
    width: int = 12
    hidden: bool = False


Item = TypeVar("Item")
Field = tuple[Column, Callable[[Item], Value]]  # a column and its value for an item


class Chart(NamedTuple):
    """A bar chart of the first rows of a table: which columns (from 0) name the bars and say how long they are."""

    title: str
    labels: int
    values: int
    rows: int


@dataclass
class Report:
    """A table of the results: a title, lines over the headings, and rows as wide as the columns.

    `printed` is the last column that goes on paper, "" for all. A table that is wider than any paper says how many
    columns go `across` a page. 0 fits all of them on one.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    above: Sequence[str] = ()
    printed: str = ""
    across: int = 0
    chart: Chart | None = None

    @classmethod
    def build(cls, title: str, fields: Iterable[Field[Item]], items: Iterable[Item], **more: Any) -> Self:
        """Return a report with a row for each item. `more` are the other attributes of a report."""
        columns, values = zip(*fields, strict=True)
        columns = tuple(map(_fit_heading, columns))
        return cls(title, columns, [[value(item) for value in values] for item in items], **more)


def _fit_heading(column: Column) -> Column:
    """Return a narrow column wide enough for the longest word of its heading, which differs between languages."""
    if column.kind not in (NUMBER, WORD):
        return column
    return column._replace(width=max(column.width, *map(len, _WORD_ENDS.split(column.title))))
