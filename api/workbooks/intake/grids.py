"""Grids: the sheets of a workbook, or the one table of a CSV file, as rows of cells."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO, StringIO
from itertools import chain
from typing import TYPE_CHECKING, Any

from api.service.errors import Refused
from api.workbooks.column_roles import header
from api.workbooks.intake import misread
from api.workbooks.intake.cells import Cell, is_blank
from api.workbooks.intake.faults import ERROR, NOTICE, SheetFault
from api.workbooks.shapes import json_table
from carddb.errors import CardDataError, WorkbookError
from carddb.files import archives, opendocument, packed_files
from carddb.files.archives import Odd
from carddb.files.packed_files import PackedFile
from carddb.files.tables import decoded
from validator.decklists.columns import IsCard
from validator.decklists.delimiter import DELIMITERS, hinted, split

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

LARGEST_FILE = 32 << 20  # bytes; 75,000 rows have under 3 MB as XLSX and under 6 MB as CSV
MOST_ROWS = archives.MOST_ROWS  # of all sheets together
MOST_COLUMNS = archives.MOST_COLUMNS
MOST_SHEETS = 2_000
_OF_A_ROW = 10  # characters that it takes as long to read
_OPENING = 20_000  # characters that tell the delimiter
_LISTS = (".txt", ".deck", ".dek", ".md")  # how the names of files of lists end
_OPENS = 20  # characters in which a web page says so

Range = tuple[tuple[int, int], tuple[int, int]]


@dataclass
class Grid:
    """One sheet: its title, its rows (the first is row 1; of any length), and what else is to be known of it.

    `sheet` is what faults call it, "" for the table of a CSV file. `odd` has, by row, the columns (from 0) of
    cells read as blank that are not, with their error or "" for a formula that was never computed. `merged`
    ranges count from 0. A part of a sheet begins below its row `top`, and `places` says which columns it has.
    """

    title: str
    sheet: str
    rows: Sequence[Sequence[Cell]]
    odd: Mapping[int, Sequence[tuple[int, str]]] = field(default_factory=dict)
    merged: Sequence[Range] = ()
    notices: list[SheetFault] = field(default_factory=list)
    top: int = 0
    places: Sequence[int] = ()

    def is_blank(self, at: int) -> bool:
        """Tell whether nothing stands in a row, counted from 1."""
        return at not in self.odd and all(map(is_blank, self.rows[at - 1 - self.top]))

    def place(self, column: int) -> int:
        """Return which column of the sheet a column is."""
        return self.places[column] if column < len(self.places) else column

    def part(self, title: str, rows: Sequence[Sequence[Cell]], top: int, places: Sequence[int] = ()) -> Grid:
        """Return these rows as a grid of their own, which begin below a row of the sheet."""
        own = {column: at for at, column in enumerate(places)}
        odd: dict[int, list[tuple[int, str]]] = {}
        for at in self.odd.keys() & set(range(top + 1, top + 1 + len(rows))) if self.odd else ():
            cells = [(own.get(column, column), value) for column, value in self.odd[at] if not own or column in own]
            odd |= {at: cells} if cells else {}
        return Grid(title, self.sheet, rows, odd, top=top, places=places)

    @property
    def size(self) -> int:
        """How much there is to read: the characters of its different cells, and something for each row."""
        different = set(chain.from_iterable(self.rows))
        return _OF_A_ROW * len(self.rows) + sum(len(cell) for cell in different if type(cell) is str)

    @property
    def filled(self) -> int:
        """The number of rows that are not blank."""
        return sum(not self.is_blank(at) for at in range(self.top + 1, self.top + len(self.rows) + 1))


def grids(data: bytes, name: str, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of an XLSX or CSV file that hold anything; Refused says why it is not read.

    `name` is what messages call the file; without its suffix it is the title of a CSV file's one table.
    """
    if len(data) > LARGEST_FILE:
        raise Refused(f"{name} has {len(data) >> 20} MB; at most {LARGEST_FILE >> 20} MB are read.")
    if not data.strip():
        raise Refused(f"{name} is empty.")
    if packed_files.is_packed(data):
        yield from _packed_sheets(data, name, is_card)
    else:
        yield from map(_mended, _grids_of_file(data, name, is_card))


def _grids_of_file(data: bytes, name: str, is_card: IsCard) -> Iterator[Grid]:
    if opendocument.is_open_document(data):
        yield from _open_sheets(data, name)
    elif data.startswith((archives.ZIP, archives.OLD_EXCEL)):
        yield from _sheets(data, name)
    else:
        yield _table(data, name, is_card)


def _mended(grid: Grid) -> Grid:
    """Return a sheet as it was before a program misread and saved it, with a notice that says so."""
    rows, told = misread.mended(grid.rows)
    notice = SheetFault(grid.sheet, None, None, "", told, NOTICE)
    return replace(grid, rows=rows, notices=[*grid.notices, notice]) if told else grid


def _packed_sheets(data: bytes, name: str, is_card: IsCard) -> Iterator[Grid]:
    try:
        for member in packed_files.members(data):
            yield from (_of_file(grid, member.name) for grid in _grids_of_member(member, is_card))
    except WorkbookError as error:
        raise Refused(f"{name} {error}.") from None


def _grids_of_member(member: PackedFile, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of a file among others; one that cannot be read is told by an empty sheet."""
    try:
        if packed_files.is_packed(member.data):
            raise Refused(f"{member.name} is a zip within a zip; unpack it.")
        yield from grids(member.data, member.name, is_card)
    except Refused as error:
        yield Grid(member.name, member.name, [], notices=[SheetFault(member.name, None, None, "", str(error), ERROR)])


def _of_file(grid: Grid, name: str) -> Grid:
    """Return a sheet that says which of several files it is of."""
    return replace(grid, sheet=f"{name}, {grid.sheet}" if grid.sheet not in ("", name) else name)


def _open_sheets(data: bytes, name: str) -> Iterator[Grid]:
    try:
        for sheet in opendocument.sheets(data):
            if sheet.rows:
                yield Grid(sheet.name, sheet.name, sheet.rows, sheet.odd, sheet.merged)
    except WorkbookError as error:
        raise Refused(f"{name} {error}.") from None


def _sheets(data: bytes, name: str) -> Iterator[Grid]:
    import python_calamine as calamine

    try:
        archive = archives.checked(data)
        with calamine.CalamineWorkbook.from_filelike(BytesIO(archive.data)) as book:
            if len(book.sheet_names) > MOST_SHEETS:
                raise Refused(f"{name} has {len(book.sheet_names):,} sheets; at most {MOST_SHEETS:,} are read.")
            for about in book.sheets_metadata:
                is_hidden = about.visible != calamine.SheetVisibleEnum.Visible
                grid = _sheet(book.get_sheet_by_name(about.name), archive.odd.get(about.name, ()), is_hidden)
                if grid.rows:
                    yield grid
    except WorkbookError as error:
        raise Refused(f"{name} {error}.") from None
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError) as error:
        raise Refused(f"{name} is a damaged workbook ({error}).") from None


def _sheet(sheet: CalamineSheet, odd_cells: Sequence[Odd], is_hidden: bool) -> Grid:
    title = sheet.name
    odd: dict[int, list[tuple[int, str]]] = {}
    for cell in odd_cells:
        odd.setdefault(cell.row, []).append((cell.column - 1, cell.value))
    rows = _worded(sheet.to_python(skip_empty_area=False))
    below: list[list[Cell]] = [[] for _ in range(max(odd, default=0) - len(rows))]  # calamine ends at the last value
    hidden = SheetFault(title, None, None, "", "this sheet is hidden; it was read like the others", NOTICE)
    rows = [*rows, *below] if below else rows
    return Grid(title, title, rows, odd, sheet.merged_cell_ranges or (), [hidden] if is_hidden else [])


def _worded(rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Cell]]:
    """Write true and false as they are shown, for to Python they are one and nought."""
    if bool not in set(map(type, chain.from_iterable(rows))):
        return rows
    return [[str(cell).upper() if type(cell) is bool else cell for cell in row] for row in rows]


def _table(data: bytes, name: str, is_card: IsCard) -> Grid:
    try:
        text, notices = decoded(data, name)
    except CardDataError as error:
        raise Refused(str(error)) from None
    if "\0" in text:
        raise Refused(f"{name} is neither text nor a spreadsheet; save it as CSV (UTF-8) or .xlsx.")
    if text.lstrip()[:_OPENS].lower().startswith(("<!doctype html", "<html")):
        raise Refused(f"{name} is a web page, whatever it is called; save its table as CSV (UTF-8) or .xlsx.")
    rows: Sequence[Sequence[Cell]] = json_table.rows(text, name) or list(_rows_of_text(text, name, is_card))
    title = name.rpartition(".")[0] or name
    return Grid(title, "", rows, notices=[SheetFault("", None, None, "", notice, NOTICE) for notice in notices])


def _rows_of_text(text: str, name: str, is_card: IsCard) -> Iterator[list[str]]:
    """Yield the rows of a table, or the lines of a list that is one by its name."""
    if name.lower().endswith(_LISTS):
        yield from ([line] for line in text.splitlines()[:MOST_ROWS])
    else:
        yield from _rows(text, _delimiter(text, is_card), name)


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
        raise Refused(f"{name}, row {number}: {_worded_error(error)}.") from None


# What the module csv says of a table that is none, and what a person should know.
_NO_CSV = {
    "unexpected end": "a quotation mark opens a cell here and none closes it",
    "field limit": "a cell has more than 131,072 characters; perhaps a quotation mark was never closed",
    "expected after": "a cell goes on after its closing quotation mark; write marks within a cell twice",
}


def _worded_error(error: csv.Error) -> str:
    message = str(error)
    return next((words for part, words in _NO_CSV.items() if part in message), f"this is no CSV ({message[:100]})")


def _delimiter(text: str, is_card: IsCard) -> str:
    """Return the delimiter under which the most headings can be read; else the one that is met most.

    A deck list in a cell may be a table with a delimiter of its own. Only under the right one its quotes are quotes.
    """
    if hint := hinted(text):
        return hint
    opening = text[:_OPENING].splitlines()[:30]

    def fitness(delimiter: str) -> tuple[bool, int, int]:
        rows = [split(line, delimiter) for line in opening]
        titled = header.find(rows, is_card)
        certain = titled.columns.certain if titled else 0
        return _has_long_cell(text[:_OPENING], delimiter), certain, sum(len(row) > 1 for row in rows)

    return max(DELIMITERS, key=fitness)


def _has_long_cell(text: str, delimiter: str) -> bool:
    """Return True if a cell in quotes has several lines."""
    try:
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return any("\n" in cell for row in rows for cell in row)
    except csv.Error:
        return False
