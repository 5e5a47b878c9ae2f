"""Grids: the sheets of a workbook, or the one table of a CSV file, as rows of cells."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from io import BytesIO
from io import StringIO
from itertools import chain
from typing import Any

from api.service.errors import Refused
from api.workbooks import headings
from api.workbooks.cells import Cell
from api.workbooks.cells import is_blank
from api.workbooks.faults import NOTICE
from api.workbooks.faults import Fault
from carddb.errors import CardDataError
from carddb.errors import WorkbookError
from carddb.files import archives
from carddb.files.archives import Odd
from carddb.files.tables import decoded
from validator.decklists.columns import IsCard
from validator.decklists.delimiter import DELIMITERS
from validator.decklists.delimiter import hinted
from validator.decklists.delimiter import split

LARGEST_FILE = 32 << 20  # bytes; 75,000 rows have under 3 MB as XLSX and under 6 MB as CSV
MOST_ROWS = archives.MOST_ROWS  # of all sheets together
MOST_COLUMNS = archives.MOST_COLUMNS
MOST_SHEETS = 2_000
_OF_A_ROW = 10  # characters that it takes as long to read
_OPENING = 20_000  # characters that tell the delimiter
_OPENS = 20  # characters in which a web page says so

Range = tuple[tuple[int, int], tuple[int, int]]


@dataclass
class Grid:
    """One sheet: its title, its rows (the first is row 1; of any length), and what else is to be known of it.

    `sheet` is what faults call it, "" for the table of a CSV file. `odd` has, by row, the columns (from 0) of
    cells read as blank that are not, with their error or "" for a formula that was never computed. `merged`
    ranges count from 0.
    """

    title: str
    sheet: str
    rows: Sequence[Sequence[Cell]]
    odd: Mapping[int, Sequence[tuple[int, str]]] = field(default_factory=dict)
    merged: Sequence[Range] = ()
    notices: list[Fault] = field(default_factory=list)

    def is_blank(self, at: int) -> bool:
        """Tell whether nothing stands in a row, counted from 1."""
        return at not in self.odd and all(map(is_blank, self.rows[at - 1]))

    @property
    def size(self) -> int:
        """How much there is to read: the characters of its different cells, and something for each row."""
        different = set(chain.from_iterable(self.rows))
        return _OF_A_ROW * len(self.rows) + sum(len(cell) for cell in different if type(cell) is str)

    @property
    def filled(self) -> int:
        """The number of rows that are not blank."""
        return sum(not self.is_blank(at) for at in range(1, len(self.rows) + 1))


def grids(data: bytes, name: str, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of an XLSX or CSV file that hold anything; Refused says why it is not read.

    `name` is what messages call the file; without its suffix it is the title of a CSV file's one table.
    """
    if len(data) > LARGEST_FILE:
        raise Refused(f"{name} has {len(data) >> 20} MB; at most {LARGEST_FILE >> 20} MB are read.")
    if not data.strip():
        raise Refused(f"{name} is empty.")
    if data.startswith((archives.ZIP, archives.OLD_EXCEL)):
        yield from _sheets(data, name)
    else:
        yield _table(data, name, is_card)


def _sheets(data: bytes, name: str) -> Iterator[Grid]:
    import python_calamine as calamine

    try:
        archive = archives.checked(data)
        with calamine.CalamineWorkbook.from_filelike(BytesIO(archive.data)) as book:
            if len(book.sheet_names) > MOST_SHEETS:
                raise Refused(f"{name} has {len(book.sheet_names):,} sheets; at most {MOST_SHEETS:,} are read.")
            hidden = [one.name for one in book.sheets_metadata if one.visible != calamine.SheetVisibleEnum.Visible]
            for title in book.sheet_names:
                sheet = book.get_sheet_by_name(title)
                odd = _by_row(archive.odd.get(title, ()))
                notices = [_hidden(title)] if title in hidden else []
                rows = _worded(sheet.to_python(skip_empty_area=False))
                if rows or odd:
                    yield Grid(title, title, _with_room(rows, odd), odd, sheet.merged_cell_ranges or (), notices)
    except WorkbookError as error:
        raise Refused(f"{name} {error}.") from None
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError) as error:
        raise Refused(f"{name} is a damaged workbook ({error}).") from None


def _worded(rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Cell]]:
    """Write true and false as they are shown, for to Python they are one and nought."""
    if bool not in set(map(type, chain.from_iterable(rows))):
        return rows
    return [[str(cell).upper() if type(cell) is bool else cell for cell in row] for row in rows]


def _by_row(odd: Sequence[Odd]) -> dict[int, list[tuple[int, str]]]:
    found: dict[int, list[tuple[int, str]]] = {}
    for cell in odd:
        found.setdefault(cell.row, []).append((cell.column - 1, cell.value))
    return found


def _with_room(rows: Sequence[Sequence[Cell]], odd: Mapping[int, object]) -> Sequence[Sequence[Cell]]:
    """Add rows for odd cells below the last that is not: they are given as nothing at all."""
    missing = max(odd, default=0) - len(rows)
    return [*rows, *[[]] * missing] if missing > 0 else rows


def _hidden(title: str) -> Fault:
    return Fault(title, None, None, "", "this sheet is hidden; it was read like the others", NOTICE)


def _table(data: bytes, name: str, is_card: IsCard) -> Grid:
    try:
        text, notices = decoded(data, name)
    except CardDataError as error:
        raise Refused(str(error)) from None
    if "\0" in text:
        raise Refused(f"{name} is neither text nor a spreadsheet; save it as CSV (UTF-8) or .xlsx.")
    if text.lstrip()[:_OPENS].lower().startswith(("<!doctype html", "<html")):
        raise Refused(f"{name} is a web page, whatever it is called; save its table as CSV (UTF-8) or .xlsx.")
    rows = list(_rows(text, _delimiter(text, is_card), name))
    title = name.rpartition(".")[0] or name
    return Grid(title, "", rows, notices=[Fault("", None, None, "", notice, NOTICE) for notice in notices])


def _rows(text: str, delimiter: str, name: str) -> Iterator[list[str]]:
    start = 1
    if hinted(text):
        hint, _, text = text.partition("\n")
        yield [hint.rstrip()]
        start = 2
    number = start
    try:
        for number, row in enumerate(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True), start):
            if number > MOST_ROWS:
                raise Refused(f"{name} has more than {MOST_ROWS:,} rows; at most {MOST_ROWS:,} are read. Split it.")
            if len(row) > MOST_COLUMNS:
                raise Refused(f"{name}, row {number}: has {len(row):,} columns; at most {MOST_COLUMNS} are read.")
            yield row
            number += 1
    except csv.Error as error:
        raise Refused(f"{name}, row {number}: {_said(error)}.") from None


def _said(error: csv.Error) -> str:
    said = str(error)
    if "unexpected end" in said:
        return "a quotation mark opens a cell here and none closes it"
    if "field limit" in said:
        return "a cell has more than 131,072 characters; perhaps a quotation mark was never closed"
    if "expected after" in said:
        return "a cell goes on after its closing quotation mark; write marks within a cell twice"
    return f"this is no CSV ({said[:100]})"


def _delimiter(text: str, is_card: IsCard) -> str:
    """Return the delimiter under which the most headings can be read; else the one that is met most."""
    if said := hinted(text):
        return said
    opening = text[:_OPENING].splitlines()[:30]

    def fitness(delimiter: str) -> tuple[int, int]:
        rows = [split(line, delimiter) for line in opening]
        header = headings.find(rows, is_card)
        return header.columns.certain if header else 0, sum(len(row) > 1 for row in rows)

    return max(DELIMITERS, key=fitness)
