"""Grids: the sheets of a workbook, or the one table of a CSV file, as rows of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from api.service.errors import Large, Refused
from api.workbooks.intake import json_table
from api.workbooks.intake.cells import ERROR, NOTICE, Cell, SheetFault, is_blank
from api.workbooks.intake.header import find_header
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
from validator.texts import shorten_value

LARGEST_FILE = 32 << 20  # bytes; 75,000 rows have under 3 MB as XLSX and under 6 MB as CSV
MOST_ROWS = bounds.MOST_ROWS  # of all sheets together
_OF_A_ROW = 10  # characters that it takes as long to read
_LISTS = (".txt", ".deck", ".dek", ".md")  # how the names of files of lists end


@dataclass
class Grid:
    """One sheet of a file as rows of cells, or a part of a sheet. `title` is its title in the workbook.

    `sheet` is its name in faults, "" for the table of a CSV file. `rows` may have any length. `odd` has, by row number
    from 1 in the whole sheet, the cells that were read as blank although they are not: (column from 0 in `rows`,
    error), or (column, "") for a formula without value. `merged` ranges count from 0 in the whole sheet. `notices` are
    the faults found so far. A part of a sheet begins below the sheet's row `top` (0: at the first row), and `places`
    are its columns in the sheet from 0 (empty: all).
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
        """Return True if a row of the sheet, counted from 1, is blank.

        A row with an error value or a formula without value is not.
        """
        return row_number not in self.odd and all(map(is_blank, self.rows[row_number - 1 - self.top]))

    def place(self, column: int) -> int:
        """Return the column of the whole sheet, from 0, for a column of this part: itself if `places` has none."""
        return self.places[column] if column < len(self.places) else column

    def part(self, title: str, rows: Sequence[Sequence[Cell]], top: int, places: Sequence[int] = ()) -> Grid:
        """Return these rows of the sheet as a grid of their own.

        They begin below the sheet's row `top`, in the columns `places`. Entries of `odd` are kept if they are in these
        rows and columns. Merged ranges and notices are not kept.
        """
        own = {column: at for at, column in enumerate(places)}
        odd: dict[int, list[tuple[int, str]]] = {}
        for at in self.odd.keys() & set(range(top + 1, top + 1 + len(rows))) if self.odd else ():
            cells = [(own.get(column, column), value) for column, value in self.odd[at] if not own or column in own]
            odd |= {at: cells} if cells else {}
        return Grid(title, self.sheet, rows, odd, top=top, places=places)

    @property
    def size(self) -> int:
        """The measure of what there is to read: the characters of the different text cells, and 10 for each row."""
        different = set(chain.from_iterable(self.rows))
        return _OF_A_ROW * len(self.rows) + sum(len(cell) for cell in different if type(cell) is str)

    @property
    def filled_count(self) -> int:
        """The number of rows that are not blank, as by `is_blank`."""
        return sum(not self.is_blank(at) for at in range(self.top + 1, self.top + len(self.rows) + 1))


def grids(data: bytes, name: str, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of an XLSX, CSV or JSON file, or of all files in a zip.

    Raises Refused if the file cannot be read or has more than 32 MB. `name` is the name of the file in messages.
    Without its ending it is the title of a table that is no workbook. `is_card` tests the name of a card, and helps to
    find the delimiter. Garbled text of a wrong encoding is repaired, with a notice. A file in a zip that cannot be read
    is an empty sheet with an error.
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
            yield from map(_make_grid, spreadsheets.read_workbook(data, name))
        else:
            yield _read_table(data, name, is_card)
    except CardDataError as error:
        raise Refused(error_text(error)) from None


def _make_grid(sheet: Sheet) -> Grid:
    """Return the grid of a workbook's sheet, with a notice if the sheet is hidden."""
    hidden = SheetFault(sheet.name, None, None, "", phrase("this sheet is hidden; it was read like the others"), NOTICE)
    return Grid(sheet.name, sheet.name, sheet.rows, sheet.odd, sheet.merged, [hidden] if sheet.is_hidden else [])


def _repair_text(grid: Grid) -> Grid:
    """Return a sheet with repaired mojibake, and with a notice about the repair.

    It is returned unchanged if `repair_mojibake` repairs nothing.
    """
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
    """Return `(rows, message)`: the rows of a sheet with repaired texts, and the message about the repair.

    Mojibake are texts in UTF-8 that were read as Windows-1252: "JÃ¼rgen". All that can be repaired are, if one of them
    begins with a misread byte order mark, or if `_is_proven`. Otherwise the rows are unchanged and the message is "".
    """
    foreign = {cell for cell in chain.from_iterable(rows) if type(cell) is str and not cell.isascii()}
    read = {cell: text for cell in foreign if (text := _decode_mojibake(cell))}
    if not any(cell.startswith(_MARK) for cell in read) and not _is_proven(foreign, read):
        return rows, ""
    texts: Mapping[Cell, Cell] = {cell: text.removeprefix("\ufeff") for cell, text in read.items()}
    return [[texts.get(cell, cell) for cell in row] for row in rows], _describe_repair(read, len(foreign) - len(read))


def _is_proven(foreign: set[str], read: Mapping[str, str]) -> bool:
    """Return True if all texts beyond ASCII can be repaired, and then have at least 3 characters beyond ASCII together.

    `foreign` are the texts beyond ASCII. `read` has the repaired text of each that can be repaired.
    """
    return len(read) == len(foreign) and sum(not one.isascii() for one in "".join(read.values())) >= _FEWEST


def _decode_mojibake(cell: str) -> str | None:
    """Return the repaired text of a cell, None if it is not UTF-8 that was read as Windows-1252. ASCII is unchanged."""
    try:
        return cell.translate(_BYTES).encode("latin-1").decode("utf-8")
    except ValueError:
        return None


def _describe_repair(read: Mapping[str, str], unrepaired_count: int) -> str:
    """Return the message about a repair, with one text before and after as an example.

    `read` has the repaired texts by the texts before, and must not be empty. `unrepaired_count` is the number of other
    texts beyond ASCII, which could not be repaired. It is only mentioned if it is not 0.
    """
    before = min(read, key=lambda cell: (cell.startswith(_MARK), cell))
    texts = {"before": shorten_value(before), "after": shorten_value(read[before])}
    if unrepaired_count:
        return phrase(
            "a program had saved this text with the wrong encoding (Windows-1252 for UTF-8). “{before}” is read as "
            "“{after}”; {count:,} other texts could not be repaired",
            count=unrepaired_count,
            **texts,
        )
    return phrase(
        "a program had saved this text with the wrong encoding (Windows-1252 for UTF-8). “{before}” is read as "
        "“{after}”",
        **texts,
    )


def _packed_sheets(data: bytes, name: str, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of all files in a zip, by path. Raises Refused if the zip is damaged, locked or too large."""
    try:
        for member in packed_files.members(data):
            yield from (_add_file_name(grid, member.name) for grid in _grids_of_member(member, is_card))
    except WorkbookError as error:
        raise Refused(phrase("{file} {problem}.", file=name, problem=error_text(error))) from None


def _grids_of_member(member: PackedFile, is_card: IsCard) -> Iterator[Grid]:
    """Yield the sheets of a file in a zip. A file that cannot be read, or is a zip, is an empty sheet with an error."""
    try:
        if packed_files.is_packed(member.data):
            raise Refused(phrase("{file} is a zip within a zip; unpack it.", file=member.name))
        yield from grids(member.data, member.name, is_card)
    except Refused as error:
        yield Grid(
            member.name, member.name, [], notices=[SheetFault(member.name, None, None, "", error_text(error), ERROR)]
        )


def _add_file_name(grid: Grid, name: str) -> Grid:
    """Return a sheet whose name in faults is "FILE, SHEET", for the file `name` in a zip.

    It is only "FILE" for a CSV file.
    """
    return replace(grid, sheet=f"{name}, {grid.sheet}" if grid.sheet not in ("", name) else name)


def _read_table(data: bytes, name: str, is_card: IsCard) -> Grid:
    """Return the table of a CSV or JSON text, with notices about its encoding.

    Raises CardDataError if the file is no text, or a CSV row is malformed or beyond the limits. Raises Refused for JSON
    that is nested too deeply.
    """
    text, notices = spreadsheets.read_text(data, name)
    if "\0" in text:
        raise spreadsheets.not_text_error(name)
    rows: Sequence[Sequence[Cell]] = json_table.rows(text, name) or list(_rows_of_text(text, name, is_card))
    title = name.rpartition(".")[0] or name
    return Grid(title, "", rows, notices=[SheetFault("", None, None, "", notice, NOTICE) for notice in notices])


def _rows_of_text(text: str, name: str, is_card: IsCard) -> Iterator[list[str]]:
    """Yield the rows of a table, with the delimiter found from its text.

    A file called .txt, .deck, .dek or .md is a list. Each line of a list is a row of one cell, and lines beyond
    MOST_ROWS are left out. A first line such as `sep=;` is yielded as a row, too. Raises the errors of
    `spreadsheets.parse_rows` for other files.
    """
    if name.lower().endswith(_LISTS):
        yield from ([line] for line in text.splitlines()[:MOST_ROWS])
        return

    def count_headings(rows: Sequence[Sequence[str]]) -> int:
        """Return the number of known headings in the first rows, for the choice of the delimiter.

        0 if there are none.
        """
        found = find_header(rows, is_card)
        return found.columns.certain if found else 0

    delimiter = find_delimiter(text, count_headings)
    start = 1
    if declared_delimiter(text):
        hint, _, text = text.partition("\n")
        yield [hint.rstrip()]
        start = 2
    yield from spreadsheets.parse_rows(text, delimiter, name, start)


class SizeBudget(NamedTuple):
    """The most that a spreadsheet may hold to be judged at once: characters of text, decks, and findings.

    `text` counts the characters of the different text cells of each sheet, and 10 for each row. `decks` counts all
    players, also those without a readable deck. `findings` are those of all verdicts together.
    """

    text: int
    decks: int
    findings: int

    def require(self, *, text: int = 0, decks: int = 0, findings: int = 0) -> None:
        """Raise Large if any of these numbers is higher than its limit. A number that is not given is not checked."""
        if text > self.text or decks > self.decks or findings > self.findings:
            raise Large


AT_ONCE = SizeBudget(text=500_000, decks=500, findings=5_000)
