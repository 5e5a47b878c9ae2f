"""Spreadsheets: the bytes of an XLSX, ODS, CSV or TSV file from strangers, read as sheets of cells.

The one reader of card tables (`carddb.sources.card_tables`) and of decks (`api.workbooks.intake.grids`). Every refusal
is a CardDataError: a whole sentence that begins with the name of the file.
"""

from __future__ import annotations

import csv
import datetime
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from carddb.bounds import (
    LARGEST_PART,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ODD,
    MOST_PARTS,
    MOST_ROWS,
    MOST_SHEETS,
    MOST_TEXT,
)
from carddb.errors import CardDataError, WorkbookError
from carddb.files import archives
from carddb.files.archives import ZIP, Odd, check_sizes, open_archive
from carddb.system_messages import system_reason
from validator.decklists import encoding
from validator.errors import error_text
from validator.language import phrase

if TYPE_CHECKING:
    from python_calamine import CalamineSheet


Cell: TypeAlias = str | int | float | datetime.date | datetime.time | datetime.timedelta
Range: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


@dataclass
class Sheet:
    """One sheet: its name, and its rows of cells (row 1 first, of any length). A blank row is an empty list or blanks.

    Cells of ODS are all texts, blank ones are "". `odd` has the cells that are blank in `rows` although they have an
    error or an uncomputed formula. Its keys are row numbers (from 1). Its values are pairs of a column (from 0) and the
    error, "" for a formula. A repeated cell of ODS is in it only once. `merged` has pairs of the first and the last
    cell, each `(row, column)` from 0. `is_hidden` is always False for ODS.
    """

    name: str
    rows: list[list[Cell]] = field(default_factory=list)
    odd: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    merged: list[Range] = field(default_factory=list)
    is_hidden: bool = False


MEDIA_TYPE = b"application/vnd.oasis.opendocument.spreadsheet"
_CONTENT = "content.xml"
_MEDIA_TYPE_PART = "mimetype"
_MANIFEST = "META-INF/manifest.xml"
_MANIFEST_HEAD = 4096  # bytes of a manifest, in which it has the media type of the document
_ENDLESS = 10**9  # replaces any higher count, because a sheet ends long before
_ERRORS = ("#", "Err:")
_LONGEST_TITLE = 200  # characters of a sheet's
_BEYOND = phrase(
    "has a cell beyond row {row:,} or column {column}, where no cell is read", row=MOST_ROWS, column=MOST_COLUMNS
)
_TOO_MUCH = phrase("holds more than a table of cards can need")


def is_open_document(data: bytes) -> bool:
    """Return True if a file is an OpenDocument spreadsheet (.ods). Its parts may be stored in any order.

    Its media type is at its beginning, as spreadsheet programs write it, or in its part `mimetype` or its manifest.
    """
    if not data.startswith(ZIP):
        return False
    if MEDIA_TYPE in data[:200]:
        return True
    try:
        with open_archive(data) as archive:
            parts = [part for part in archive.infolist() if part.filename in (_MEDIA_TYPE_PART, _MANIFEST)]
            return any(MEDIA_TYPE in _read_head(archive, part) for part in parts)
    except WorkbookError:
        return False


def _read_head(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """Return the first _MANIFEST_HEAD bytes of a part of a zip archive. The rest is not unpacked."""
    with archive.open(part) as stream:
        return stream.read(_MANIFEST_HEAD)


def read_open_document(data: bytes) -> Sequence[Sheet]:
    """Return the sheets of an .ods file.

    Raises WorkbookError if it is damaged, has a password, or exceeds the bounds.
    """
    with open_archive(data) as archive:
        members = archive.infolist()
        if len(members) > MOST_PARTS:
            raise WorkbookError(
                phrase("has {count:,} parts; at most {most:,} are read", count=len(members), most=MOST_PARTS)
            )
        check_sizes(archive, members)
        if _MANIFEST in archive.namelist() and b"encryption-data" in archive.read(_MANIFEST):
            raise WorkbookError(phrase("is protected by a password; save it without"))
        if _CONTENT not in archive.namelist():
            raise WorkbookError(phrase("is a damaged workbook (it has no content)"))
        part = archive.read(_CONTENT)
    return _OpenDocumentContent(part[: LARGEST_PART + 1]).sheets


class _OpenDocumentContent:
    """The content of an .ods file, parsed into `sheets`: all of them in the order of the file, also empty ones.

    A row or a cell may claim to be repeated a million times. Repeated blanks are skipped, and other repeated cells are
    counted before they are made.
    """

    def __init__(self, part: bytes) -> None:
        """Parse the content of an .ods file (XML) into `sheets`.

        Raises WorkbookError if it is malformed or too large.
        """
        self.sheets: list[Sheet] = []
        self._row: list[str] = []
        self._text: list[str] = []
        self._repeated = self._row_repeated = 1
        self._blank_rows = self._rows = self._cells = self._characters_kept = self._odd = 0
        self._is_odd = self._within = False
        self._value: str | None = None
        self._span = (1, 1)
        archives.parse_xml(part, self._start, self._end, self._characters)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an XML element: a sheet, a row, a cell, or text within a cell.

        Elements before a sheet are ignored. Raises WorkbookError for too many sheets or characters, and for a wrong
        number of repetitions, spanned cells or blanks.
        """
        values = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        if name == "table":
            self._open_sheet(values.get("name", f"Sheet {len(self.sheets) + 1}"))
        elif not self.sheets:
            return
        elif name == "table-row":
            self._row, self._row_repeated = [], _parse_count(values, "number-rows-repeated")
        elif name in ("table-cell", "covered-table-cell"):
            self._open_cell(values)
        elif self._within:
            self._open_text(name, values)

    def _open_sheet(self, name: str) -> None:
        """Begin a sheet of this name. Raises WorkbookError if the file has MOST_SHEETS sheets already."""
        if len(self.sheets) >= MOST_SHEETS:
            raise WorkbookError(phrase("has more than {most:,} sheets; at most {most:,} are read", most=MOST_SHEETS))
        self.sheets.append(Sheet(name[:_LONGEST_TITLE]))
        self._blank_rows = 0

    def _open_cell(self, values: Mapping[str, str]) -> None:
        """Begin a cell: store its value, its repetitions and its span, and begin to collect its text.

        `values` are the attributes of the cell. A formula without a type of value was never computed: the cell is odd.
        Raises WorkbookError for a repetition or span that is no number.
        """
        kind = values.get("value-type", "")
        self._repeated = _parse_count(values, "number-columns-repeated")
        spans = _parse_count(values, "number-rows-spanned"), _parse_count(values, "number-columns-spanned")
        self._span = min(spans[0], MOST_ROWS), min(spans[1], MOST_COLUMNS)
        self._text, self._within = [], True
        self._value = values.get("value") if kind == "float" else values.get("date-value", "").removesuffix("T00:00:00")
        self._is_odd = "formula" in values and not kind

    def _open_text(self, name: str, values: Mapping[str, str]) -> None:
        """Handle the start of an element `name` within a cell, whose attributes are `values`.

        A second paragraph and a `line-break` add a line break, `tab` adds a blank. `s` adds as many blanks as its
        attribute `c` says, at most 100. An annotation interrupts the text. Other elements are ignored. Raises
        WorkbookError for more than MOST_TEXT characters, or if `c` is no number.
        """
        if name == "p" and self._text:
            self._text.append("\n")
        elif name in ("s", "tab", "line-break"):
            self._characters("\n" if name == "line-break" else " " * min(_parse_count(values, "c", least=0), 100))
        elif name == "annotation":
            self._within = False

    def _characters(self, text: str) -> None:
        """Add characters to the text of the open cell, and count them.

        Those outside of cells and in annotations are ignored. Raises WorkbookError if the file has more than MOST_TEXT
        characters.
        """
        if self._within:
            self._text.append(text)
            self._count_characters(len(text))

    def _count_characters(self, characters: int) -> None:
        """Add to the number of characters that are kept in memory. Raises WorkbookError if it exceeds MOST_TEXT."""
        self._characters_kept += characters
        if self._characters_kept > MOST_TEXT:
            raise WorkbookError(_TOO_MUCH)

    def _end(self, name: str) -> None:
        """Handle the end of an XML element: add a cell to its row, or a row to its sheet.

        After an annotation, the text of the cell goes on. Raises the errors of `_close_cell` and `_close_row`.
        """
        if not self.sheets:
            return
        if name in ("table-cell", "covered-table-cell"):
            self._close_cell()
        elif name == "table-row":
            self._close_row()
        elif name == "annotation":
            self._within = True

    def _close_cell(self) -> None:
        """Add the cell to the row, with its repetitions, and its merged range to the sheet.

        A number is written without ".0", any other value as its text. A cell with an error ("#" or "Err:" at its
        beginning), or with an uncomputed formula, is stored as odd and becomes blank. Raises WorkbookError for more
        than MOST_COLUMNS columns and for too many odd cells. Blank cells may be beyond them.
        """
        self._within = False
        text = _plain_number(self._value) or "".join(self._text)
        if not text and not self._is_odd:
            self._row += [""] * min(self._repeated, MOST_COLUMNS + 1 - len(self._row))
            return
        if len(self._row) + self._repeated > MOST_COLUMNS:
            raise WorkbookError(_BEYOND)
        sheet, at, column = self.sheets[-1], len(self.sheets[-1].rows) + self._blank_rows + 1, len(self._row)
        if self._is_odd or text.startswith(_ERRORS):
            self._note_odd(at, column, "" if self._is_odd else text[:20])
            text = ""
        if self._span != (1, 1):
            sheet.merged.append(((at - 1, column), (at + self._span[0] - 2, column + self._span[1] - 1)))
        self._row += [text] * self._repeated

    def _note_odd(self, row: int, column: int, error: str) -> None:
        """Store a cell with an error, or with a formula without value ("") in `odd` of the last sheet.

        `row` counts from 1, `column` from 0. Raises WorkbookError for more than MOST_ODD such cells.
        """
        self._odd += 1
        if self._odd > MOST_ODD:
            raise WorkbookError(
                phrase("has more than {most:,} cells that are errors or were never computed", most=MOST_ODD)
            )
        self.sheets[-1].odd.setdefault(row, []).append((column, error))

    def _close_row(self) -> None:
        """Add the row to the sheet, with its repetitions and the blank rows before it.

        Blank cells at its end are dropped. A blank row is only counted. Raises WorkbookError for too many rows, cells
        or characters in all sheets together.
        """
        while self._row and not self._row[-1]:
            self._row.pop()
        sheet = self.sheets[-1]
        at = len(sheet.rows) + self._blank_rows + 1
        if not self._row and at not in sheet.odd:
            self._blank_rows += self._row_repeated
            return
        rows = self._blank_rows + self._row_repeated
        self._rows += rows
        if self._rows > MOST_ROWS:  # of all sheets together: each is made before any is read
            raise WorkbookError(_BEYOND)
        self._cells += rows * len(self._row)
        self._count_characters(self._row_repeated * sum(map(len, self._row)))
        if self._cells > MOST_CELLS:
            raise WorkbookError(_TOO_MUCH)
        sheet.rows += [[] for _ in range(self._blank_rows)]
        self._blank_rows = 0
        sheet.rows += [[*self._row] for _ in range(self._row_repeated)]


def _parse_count(attributes: Mapping[str, str], name: str, least: int = 1) -> int:
    """Return the whole number in an attribute, 1 if the attribute is missing, and at most _ENDLESS.

    Raises WorkbookError if it is no number or less than `least`.
    """
    text = attributes.get(name, "1")
    digits = text.strip().removeprefix("+")
    if not (digits.isascii() and digits.isdigit()) or (significant := digits.lstrip("0") or "0") < str(least):
        raise WorkbookError(phrase("is a damaged workbook ({name} is {text!r})", name=name, text=text[:20]))
    return int(significant) if len(significant) < len(str(_ENDLESS)) else _ENDLESS


def _plain_number(text: str | None) -> str:
    """Return the text of a number without ".0" at its end: "4" for "4.0". "" for None."""
    return text.removesuffix(".0") if text else ""


_PAGE_HEAD = 20  # characters in which a web page declares itself


def check_size(data: bytes, name: str, largest: int) -> None:
    """Raise CardDataError if a file is blank or has more than `largest` bytes. `name` is its name in the message."""
    if len(data) > largest:
        raise CardDataError(
            phrase(
                "{file} has {size} MB; at most {most} MB are read.", file=name, size=len(data) >> 20, most=largest >> 20
            )
        )
    if not data.strip():
        raise CardDataError(phrase("{file} is empty.", file=name))


def is_workbook(data: bytes) -> bool:
    """Return True if a file begins like a workbook (XLSX, ODS or another zip, old or protected Excel)."""
    return data.startswith((archives.ZIP, archives.OLD_EXCEL))


def read_workbook(data: bytes, name: str) -> Iterator[Sheet]:
    """Yield the sheets of an XLSX or ODS file that have rows, also hidden ones.

    Raises CardDataError for any other file (old Excel), for one with a password, and for a damaged, unsafe or too large
    one. `name` is the name of the file in the message.
    """
    try:
        read = read_open_document if is_open_document(data) else _read_xlsx
        yield from (sheet for sheet in read(data) if sheet.rows)
    except WorkbookError as error:
        raise CardDataError(phrase("{file} {problem}.", file=name, problem=error_text(error))) from None


def _read_xlsx(data: bytes) -> Iterator[Sheet]:
    """Yield all sheets of an XLSX file. Raises WorkbookError if it is unsafe, damaged, or has too many sheets."""
    import python_calamine as calamine

    archive = archives.check_archive(data)
    try:
        with calamine.CalamineWorkbook.from_filelike(BytesIO(archive.data)) as book:
            if len(book.sheet_names) > MOST_SHEETS:
                raise WorkbookError(
                    phrase(
                        "has {count:,} sheets; at most {most:,} are read", count=len(book.sheet_names), most=MOST_SHEETS
                    )
                )
            for about in book.sheets_metadata:
                is_hidden = about.visible != calamine.SheetVisibleEnum.Visible
                yield _read_sheet(book.get_sheet_by_name(about.name), archive.odd.get(about.name, ()), is_hidden)
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError) as error:
        raise WorkbookError(phrase("is a damaged workbook ({problem})", problem=system_reason(str(error)))) from None


def _read_sheet(sheet: CalamineSheet, odd_cells: Sequence[Odd], is_hidden: bool) -> Sheet:
    """Return a sheet of calamine as a Sheet, with its odd cells by row. Bools become text.

    Blank rows are added up to the last odd cell, because calamine ends at the last value.
    """
    odd: dict[int, list[tuple[int, str]]] = {}
    for cell in odd_cells:
        odd.setdefault(cell.row, []).append((cell.column - 1, cell.value))
    rows = _with_bools_as_text(sheet.to_python(skip_empty_area=False))
    rows += [[] for _ in range(max(odd, default=0) - len(rows))]  # calamine ends at the last value
    return Sheet(sheet.name, rows, odd, sheet.merged_cell_ranges or [], is_hidden)


def _with_bools_as_text(rows: list[list[Any]]) -> list[list[Cell]]:
    """Return rows with the texts "TRUE" and "FALSE" for bools, because Python counts True and False as 1 and 0."""
    if bool not in set(map(type, chain.from_iterable(rows))):
        return rows
    return [[str(cell).upper() if type(cell) is bool else cell for cell in row] for row in rows]


def cell_text(value: Any) -> str:
    """Return the text of a cell as a user would type it: "4" for 4.0, and a date without a time of midnight."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)


def read_text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return `(text, notices)` of a file: one notice if its encoding was guessed, else none.

    A byte order mark is removed. Raises CardDataError if the file is no text, or is a web page.
    """
    decoding = encoding.decode_text(data)
    is_guessed = decoding.encoding in encoding.REGIONAL
    if decoding.is_damaged or (is_guessed and "\0" in decoding.text):
        raise not_text_error(name)
    text = decoding.text.removeprefix("\ufeff")
    if text.lstrip()[:_PAGE_HEAD].lower().startswith(("<!doctype html", "<html")):
        raise CardDataError(phrase("{file} is a web page. Save its table as CSV (UTF-8) or .xlsx.", file=name))
    if is_guessed:
        return text, (
            phrase(
                "{file} is not UTF-8; it was read as {encoding}.",
                file=name,
                encoding=encoding.REGIONAL[decoding.encoding],
            ),
        )
    return text, ()


def not_text_error(name: str) -> CardDataError:
    """Return the CardDataError about a file of bytes that are no text. `name` is the name of the file."""
    return CardDataError(
        phrase("{file} is neither text nor a spreadsheet; save it as CSV (UTF-8) or .xlsx.", file=name)
    )


def parse_rows(text: str, delimiter: str, name: str, start: int = 1) -> Iterator[list[str]]:
    """Yield the rows of a CSV text as lists of cells, separated by `delimiter`. Blank rows are empty lists.

    The first row has the number `start`. Raises CardDataError for a malformed row, a row number above MOST_ROWS, and
    more than MOST_COLUMNS columns. `name` is the name of the file in messages.
    """
    number = start
    try:
        for number, row in enumerate(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True), start):
            if number > MOST_ROWS:
                raise CardDataError(
                    phrase(
                        "{file} has more than {most:,} rows; at most {most:,} are read. Split it.",
                        file=name,
                        most=MOST_ROWS,
                    )
                )
            if len(row) > MOST_COLUMNS:
                raise CardDataError(
                    phrase(
                        "{file}, row {number}: has {count:,} columns; at most {most} are read.",
                        file=name,
                        number=number,
                        count=len(row),
                        most=MOST_COLUMNS,
                    )
                )
            yield row
            number += 1
    except csv.Error as error:
        raise CardDataError(
            phrase("{file}, row {number}: {problem}.", file=name, number=number, problem=_explain(error))
        ) from None


# What the module csv says of a table that is none, and what a person should know.
_EXPLANATIONS = {
    "unexpected end": phrase("a quotation mark opens a cell here and none closes it"),
    "field limit": phrase("a cell has more than 131,072 characters; perhaps a quotation mark was never closed"),
    "expected after": phrase(
        "a cell has text after its closing quotation mark; write each quotation mark within a cell twice"
    ),
}


def _explain(error: csv.Error) -> str:
    """Return the reason of an error of the module csv in words for users, as a part of a sentence."""
    message = str(error)
    return next(
        (words for part, words in _EXPLANATIONS.items() if part in message),
        phrase("this is no CSV ({problem})", problem=message[:100]),
    )
