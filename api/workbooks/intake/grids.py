"""Grids: the sheets of a workbook, or the one table of a CSV file, as rows of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from api.service.errors import Large, Refused
from api.workbooks import column_roles
from api.workbooks.intake import json_table
from api.workbooks.intake.cells import ERROR, NOTICE, Cell, SheetFault, is_blank, shorten_value
from carddb import bounds
from carddb.errors import CardDataError, WorkbookError
from carddb.files import packed_files, spreadsheets
from carddb.files.packed_files import PackedFile
from carddb.files.spreadsheets import Range, Sheet
from validator.decklists.delimiter import declared_delimiter, find_delimiter
from validator.decklists.encoding import LAST_RESORT
from validator.errors import error_text
from validator.language import phrase
from validator.tables.column_samples import IsCard

LARGEST_FILE = 32 << 20  # bytes; 75,000 rows have under 3 MB as XLSX and under 6 MB as CSV
MOST_ROWS = bounds.MOST_ROWS  # of all sheets together
_OF_A_ROW = 10  # characters that it takes as long to read
_LISTS = (".txt", ".deck", ".dek", ".md")  # how the names of files of lists end


@dataclass
class Grid:
    """One sheet: its title, its rows (of any length, the first is row 1), merged ranges and notices.

    `sheet` is its name in faults, "" for the table of a CSV file. `odd` has, by row, the columns (from 0) of cells that
    were read as blank although they are not: with their error, or "" for a formula without value. `merged` ranges count
    from 0. A part of a sheet begins below its row `top`, and `places` are its columns in the sheet.
    """

    title: str
    sheet: str
    rows: Sequence[Sequence[Cell]]
    odd: Mapping[int, Sequence[tuple[int, str]]] = field(default_factory=dict)
    merged: Sequence[Range] = ()
    notices: list[SheetFault] = field(default_factory=list)
    top: int = 0
    places: Sequence[int] = ()

    def is_blank(self, row_number: int) -> bool:
        """Return True if a row, counted from 1, is blank."""
        return row_number not in self.odd and all(map(is_blank, self.rows[row_number - 1 - self.top]))

    def place(self, column: int) -> int:
        """Return the column of the sheet for a column of this part."""
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
    """Yield the sheets of an XLSX or CSV file that are not empty. Raises Refused if the file cannot be read.

    `name` is the name of the file in messages. Without its suffix it is the title of a CSV file's only table.
    """
    try:
        spreadsheets.check_size(data, name, LARGEST_FILE)
    except CardDataError as error:
        raise Refused(error_text(error)) from None
    if packed_files.is_packed(data):
        yield from _packed_sheets(data, name, is_card)
    else:
        yield from map(_repair_text, _grids_of_file(data, name, is_card))


def _grids_of_file(data: bytes, name: str, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of a file that is not packed. Raises Refused if it cannot be read."""
    try:
        if spreadsheets.is_workbook(data):
            yield from map(_grid, spreadsheets.read_workbook(data, name))
        else:
            yield _read_table(data, name, is_card)
    except CardDataError as error:
        raise Refused(error_text(error)) from None


def _grid(sheet: Sheet) -> Grid:
    hidden = SheetFault(sheet.name, None, None, "", phrase("this sheet is hidden; it was read like the others"), NOTICE)
    return Grid(sheet.name, sheet.name, sheet.rows, sheet.odd, sheet.merged, [hidden] if sheet.is_hidden else [])


def _repair_text(grid: Grid) -> Grid:
    """Return a sheet with repaired mojibake, and with a notice about the repair."""
    rows, told = repair_mojibake(grid.rows)
    notice = SheetFault(grid.sheet, None, None, "", told, NOTICE)
    return replace(grid, rows=rows, notices=[*grid.notices, notice]) if told else grid


# Mojibake: cells in UTF-8 that a program read as Windows-1252 before it saved them, "JÃ¼rgen" for "Jürgen".
_MARK = "ï»¿"  # the mark at the beginning of UTF-8, so misread
_FEWEST = 3  # characters that are evidence enough where all that is not ASCII can be mended
# Windows-1252 has no character for five bytes; programs keep them as control characters or as private ones.
_UNNAMED = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
_BYTES = {ord(bytes([byte]).decode(LAST_RESORT)): byte for byte in range(0x80, 0xA0) if byte not in _UNNAMED}
_BYTES |= {0xF100 + byte: byte for byte in _UNNAMED}


def repair_mojibake(rows: Sequence[Sequence[Cell]]) -> tuple[Sequence[Sequence[Cell]], str]:
    """Return the rows of a sheet with repaired texts, and the message about the repair, "" if nothing was repaired.

    Texts are repaired if one begins with a misread byte order mark, or if all texts beyond ASCII are UTF-8 read with
    the wrong encoding.
    """
    foreign = {cell for cell in chain.from_iterable(rows) if type(cell) is str and not cell.isascii()}
    read = {cell: text for cell in foreign if (text := _decode_mojibake(cell))}
    if not any(cell.startswith(_MARK) for cell in read) and not _is_proven(foreign, read):
        return rows, ""
    texts: Mapping[Cell, Cell] = {cell: text.removeprefix("\ufeff") for cell, text in read.items()}
    return [[texts.get(cell, cell) for cell in row] for row in rows], _describe_repair(read, len(foreign) - len(read))


def _is_proven(foreign: set[str], read: Mapping[str, str]) -> bool:
    """Return True if all texts beyond ASCII can be repaired, and enough characters prove the wrong encoding."""
    return len(read) == len(foreign) and sum(not one.isascii() for one in "".join(read.values())) >= _FEWEST


def _decode_mojibake(cell: str) -> str | None:
    """Return the UTF-8 text of a garbled cell, None if the cell cannot be mojibake."""
    try:
        return cell.translate(_BYTES).encode("latin-1").decode("utf-8")
    except ValueError:
        return None


def _describe_repair(read: Mapping[str, str], left: int) -> str:
    before = min(read, key=lambda cell: (cell.startswith(_MARK), cell))
    texts = {"before": shorten_value(before), "after": shorten_value(read[before])}
    if left:
        return phrase(
            "a program had saved this text with the wrong encoding (Windows-1252 for UTF-8). “{before}” is read as "
            "“{after}”; {count:,} other texts could not be repaired",
            count=left,
            **texts,
        )
    return phrase(
        "a program had saved this text with the wrong encoding (Windows-1252 for UTF-8). “{before}” is read as "
        "“{after}”",
        **texts,
    )


def _packed_sheets(data: bytes, name: str, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of all files in a zip. Raises Refused if the zip cannot be read."""
    try:
        for member in packed_files.members(data):
            yield from (_of_file(grid, member.name) for grid in _grids_of_member(member, is_card))
    except WorkbookError as error:
        raise Refused(phrase("{file} {problem}.", file=name, problem=error_text(error))) from None


def _grids_of_member(member: PackedFile, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of a file in an archive. A file that cannot be read is an empty sheet with a fault."""
    try:
        if packed_files.is_packed(member.data):
            raise Refused(phrase("{file} is a zip within a zip; unpack it.", file=member.name))
        yield from grids(member.data, member.name, is_card)
    except Refused as error:
        yield Grid(
            member.name, member.name, [], notices=[SheetFault(member.name, None, None, "", error_text(error), ERROR)]
        )


def _of_file(grid: Grid, name: str) -> Grid:
    """Return a sheet whose name includes the name of its file in a zip."""
    return replace(grid, sheet=f"{name}, {grid.sheet}" if grid.sheet not in ("", name) else name)


def _read_table(data: bytes, name: str, is_card: IsCard) -> Grid:
    """Return the table of a CSV or JSON text. Raises an error if the file is no text."""
    text, notices = spreadsheets.read_text(data, name)
    if "\0" in text:
        raise spreadsheets.not_text_error(name)
    rows: Sequence[Sequence[Cell]] = json_table.rows(text, name) or list(_rows_of_text(text, name, is_card))
    title = name.rpartition(".")[0] or name
    return Grid(title, "", rows, notices=[SheetFault("", None, None, "", notice, NOTICE) for notice in notices])


def _rows_of_text(text: str, name: str, is_card: IsCard) -> Iterator[list[str]]:
    """Yield the rows of a table, or the lines of a list that is one by its name."""
    if name.lower().endswith(_LISTS):
        yield from ([line] for line in text.splitlines()[:MOST_ROWS])
        return

    def count_headings(rows: Sequence[Sequence[str]]) -> int:
        """Return the number of known headings in the first rows, for the choice of the delimiter."""
        found = column_roles.find_header(rows, is_card)
        return found.columns.certain if found else 0

    delimiter = find_delimiter(text, count_headings)
    start = 1
    if declared_delimiter(text):
        hint, _, text = text.partition("\n")
        yield [hint.rstrip()]
        start = 2
    yield from spreadsheets.parse_rows(text, delimiter, name, start)


class SizeBudget(NamedTuple):
    """The most that a spreadsheet may hold to be judged at once: characters of its different cells, decks, findings."""

    text: int
    decks: int
    findings: int

    def require(self, *, text: int = 0, decks: int = 0, findings: int = 0) -> None:
        """Raise Large if a number is higher than the limit."""
        if text > self.text or decks > self.decks or findings > self.findings:
            raise Large


AT_ONCE = SizeBudget(text=500_000, decks=500, findings=5_000)
