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
    """Return a text without the characters that a workbook cannot have.

    These are control characters but tabs and line ends, lone surrogates, U+FFFE and U+FFFF.
    """
    return text if text.isprintable() else _UNWRITABLE.sub("", text)


class Column(NamedTuple):
    """A column of a table, `width` characters wide. Hidden columns are in the workbook but not shown.

    `kind` is TEXT, ID (always text), NUMBER, WORD (one of a few coloured words) or LONG (a text of perhaps several
    lines).
    """

    title: str
    kind: str = TEXT
    width: int = 12
    hidden: bool = False


Item = TypeVar("Item")
Field = tuple[Column, Callable[[Item], Value]]  # a column and its value for an item


class Chart(NamedTuple):
    """A bar chart of the first `rows` rows of a table, without its headings.

    `labels` and `values` are the columns, from 0, with the names and the lengths of the bars.
    """

    title: str
    labels: int
    values: int
    rows: int


@dataclass
class Report:
    """A table of the results: a title, lines above the headings, and rows as wide as the columns.

    `printed` is the heading of the last column that is printed, "" for all. `across` is the number of columns on a
    printed page, for a table that is wider than any paper. 0 fits all printed columns on one page.
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
        """Return a report with a row for each item. `fields` are the columns, each with the function for its value.

        `fields` must not be empty. `more` are other attributes of a report. Columns of kind NUMBER and WORD are widened
        to the longest word of their heading.
        """
        columns, values = zip(*fields, strict=True)
        columns = tuple(map(_fit_heading, columns))
        return cls(title, columns, [[value(item) for value in values] for item in items], **more)


def _fit_heading(column: Column) -> Column:
    """Return a column of kind NUMBER or WORD, widened to the longest word of its heading. Others are unchanged."""
    if column.kind not in (NUMBER, WORD):
        return column
    return column._replace(width=max(column.width, *map(len, _WORD_ENDS.split(column.title))))
