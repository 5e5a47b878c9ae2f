"""Tables: a CSV or XLSX file as a header and rows of text, whatever its encoding and delimiter."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import NamedTuple

from carddb.errors import CardDataError, WorkbookError
from validator.decklists import encoding
from validator.decklists.delimiter import DELIMITERS
from validator.decklists.formulas import unguarded

LARGEST_FILE = 64 << 20  # bytes
MOST_ROWS = 100_000
MOST_COLUMNS = 256
WORKBOOK = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how XLSX, and old or protected Excel files, begin


class TableRow(NamedTuple):
    """One row: its number as a spreadsheet program shows it (the header is 1), and its cells by column."""

    number: int
    cells: dict[str, str]


class Table(NamedTuple):
    """A header, the rows under it, and what should be said of how the file was read."""

    header: tuple[str, ...]
    rows: Sequence[TableRow]
    notices: tuple[str, ...] = ()


def read(data: bytes, name: str, needs: str) -> Table:
    """Return the table in a CSV or XLSX file; a CardDataError says why there is none.

    `name` is what messages call the file. The header is the first row that is not blank; it must have
    the column `needs`. In a workbook the first sheet with such a header is taken.
    """
    if len(data) > LARGEST_FILE:
        raise CardDataError(f"{name} has {len(data) >> 20} MB; at most {LARGEST_FILE >> 20} MB are read.")
    if not data.strip():
        raise CardDataError(f"{name} is empty.")
    if data.startswith(WORKBOOK):
        return _workbook_table(data, name, needs)
    text, notices = decoded(data, name)
    return _table(name, _csv_rows(text, name), needs)._replace(notices=notices)


def _workbook_table(data: bytes, name: str, needs: str) -> Table:
    from carddb.files import excel

    refusal = f"{name} has no cells."
    try:
        for sheet in excel.sheets(data):
            try:
                return _table(f"{name}, sheet {sheet.name}", enumerate(sheet.rows, 1), needs)
            except _NoHeader as error:
                refusal = str(error)
    except WorkbookError as error:
        raise CardDataError(f"{name} {error}.") from None
    raise CardDataError(refusal)


def decoded(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file and what should be said of how it was read; a CardDataError says it is none."""
    decoding = encoding.decoded(data)
    is_guessed = decoding.encoding in encoding.REGIONAL
    if decoding.is_damaged or (is_guessed and "\0" in decoding.text):
        raise CardDataError(f"{name} is neither text nor a spreadsheet; save it as CSV (UTF-8) or .xlsx.")
    if is_guessed:
        return decoding.text, (f"{name} is not UTF-8; it was read as {encoding.REGIONAL[decoding.encoding]}.",)
    return decoding.text.removeprefix("\ufeff"), ()


def _csv_rows(text: str, name: str) -> Iterator[tuple[int, Sequence[str]]]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            if number > MOST_ROWS:
                raise CardDataError(f"{name} has more than {MOST_ROWS} rows.")
            yield number, list(map(unguarded, cells))
    except csv.Error as error:
        raise CardDataError(f"{name}, row {number + 1}: is no CSV ({error}).") from None


def _delimiter(text: str) -> str:
    header = next((line for line in text[:10_000].splitlines() if line.strip()), "")
    return max(DELIMITERS, key=header.count)


class _NoHeader(CardDataError):
    """No row of the table names the column that is needed."""


def _table(name: str, rows: Iterable[tuple[int, Sequence[str]]], needs: str) -> Table:
    filled = ((number, cells) for number, cells in rows if any(cell.strip() for cell in cells))
    _, first = next(filled, (0, ()))
    header = _header(first)
    if needs not in header:
        raise _NoHeader(f"{name} has no column `{needs}` in its first row; see the README for the columns.")
    if len(header) > MOST_COLUMNS:
        raise CardDataError(f"{name} has more than {MOST_COLUMNS} columns.")
    if twice := [column for column in header if column and header.count(column) > 1]:
        raise CardDataError(f"{name} has two columns `{twice[0][:40]}`; which one counts?")
    return Table(header, list(_rows(name, header, filled)))


def _header(cells: Iterable[str]) -> tuple[str, ...]:
    """Return the columns' names, `Back name` as `back_name`, without the blank ones at the end."""
    header = ["_".join(cell.casefold().replace("_", " ").split()) for cell in cells]
    while header and not header[-1]:
        header.pop()
    return tuple(header)


def _rows(name: str, header: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[TableRow]:
    for number, cells in rows:
        if any(cell.strip() for cell in cells[len(header) :]):
            raise CardDataError(f"{name}, row {number}: has more cells than the header has columns.")
        yield TableRow(number, dict(zip(header, cells, strict=False)))
