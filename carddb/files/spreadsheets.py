"""Spreadsheets: the bytes of an XLSX, ODS, CSV or TSV file from strangers, read as sheets of cells.

The one reader of card tables (`carddb.sources.card_tables`) and of decks (`api.workbooks.intake.grids`). Every refusal
is a CardDataError: a whole sentence that begins with the name of the file.
"""

from __future__ import annotations

import csv
import datetime
from collections.abc import Iterator, Sequence
from io import BytesIO, StringIO
from itertools import chain
from typing import TYPE_CHECKING, Any

from carddb.bounds import MOST_COLUMNS, MOST_ROWS, MOST_SHEETS
from carddb.errors import CardDataError, WorkbookError
from carddb.files import archives, opendocument
from carddb.files.archives import Odd
from carddb.files.sheet import Cell, Sheet
from validator.decklists import encoding

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_OPENING = 20  # characters in which a web page declares itself


def check_size(data: bytes, name: str, largest: int) -> None:
    """Raise CardDataError if a file is empty or has more than `largest` bytes."""
    if len(data) > largest:
        raise CardDataError(f"{name} has {len(data) >> 20} MB; at most {largest >> 20} MB are read.")
    if not data.strip():
        raise CardDataError(f"{name} is empty.")


def is_workbook(data: bytes) -> bool:
    """Return True if a file begins like a workbook (XLSX, ODS, old or protected Excel), so that it is no text."""
    return data.startswith((archives.ZIP, archives.OLD_EXCEL))


def read_workbook(data: bytes, name: str) -> Iterator[Sheet]:
    """Yield the sheets of an XLSX or ODS file that have cells. Raises CardDataError if it may not be read."""
    try:
        read = opendocument.sheets if opendocument.is_open_document(data) else _read_xlsx
        yield from (sheet for sheet in read(data) if sheet.rows)
    except WorkbookError as error:
        raise CardDataError(f"{name} {error}.") from None


def _read_xlsx(data: bytes) -> Iterator[Sheet]:
    import python_calamine as calamine

    archive = archives.checked(data)
    try:
        with calamine.CalamineWorkbook.from_filelike(BytesIO(archive.data)) as book:
            if len(book.sheet_names) > MOST_SHEETS:
                raise WorkbookError(f"has {len(book.sheet_names):,} sheets; at most {MOST_SHEETS:,} are read")
            for about in book.sheets_metadata:
                is_hidden = about.visible != calamine.SheetVisibleEnum.Visible
                yield _read_sheet(book.get_sheet_by_name(about.name), archive.odd.get(about.name, ()), is_hidden)
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError) as error:
        raise WorkbookError(f"is a damaged workbook ({error})") from None


def _read_sheet(sheet: CalamineSheet, odd_cells: Sequence[Odd], is_hidden: bool) -> Sheet:
    odd: dict[int, list[tuple[int, str]]] = {}
    for cell in odd_cells:
        odd.setdefault(cell.row, []).append((cell.column - 1, cell.value))
    rows = _with_words_for_truths(sheet.to_python(skip_empty_area=False))
    rows += [[] for _ in range(max(odd, default=0) - len(rows))]  # calamine ends at the last value
    return Sheet(sheet.name, rows, odd, sheet.merged_cell_ranges or [], is_hidden)


def _with_words_for_truths(rows: list[list[Any]]) -> list[list[Cell]]:
    """Return rows with TRUE and FALSE as text, because Python counts True and False as 1 and 0."""
    if bool not in set(map(type, chain.from_iterable(rows))):
        return rows
    return [[str(cell).upper() if type(cell) is bool else cell for cell in row] for row in rows]


def cell_text(value: Any) -> str:
    """Return a cell as one would have typed it: 4, not 4.0; a day, not a moment."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)


def read_text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file, and a notice if its encoding was guessed. Raises CardDataError if it is no text."""
    decoding = encoding.decoded(data)
    is_guessed = decoding.encoding in encoding.REGIONAL
    if decoding.is_damaged or (is_guessed and "\0" in decoding.text):
        raise not_text(name)
    text = decoding.text.removeprefix("\ufeff")
    if text.lstrip()[:_OPENING].lower().startswith(("<!doctype html", "<html")):
        raise CardDataError(f"{name} is a web page, whatever it is called; save its table as CSV (UTF-8) or .xlsx.")
    if is_guessed:
        return text, (f"{name} is not UTF-8; it was read as {encoding.REGIONAL[decoding.encoding]}.",)
    return text, ()


def not_text(name: str) -> CardDataError:
    """Return the error of a file of bytes that are no text."""
    return CardDataError(f"{name} is neither text nor a spreadsheet; save it as CSV (UTF-8) or .xlsx.")


def parse_rows(text: str, delimiter: str, name: str, start: int = 1) -> Iterator[list[str]]:
    """Yield the rows of CSV, the first of which is row `start`. Raises CardDataError for one that is malformed."""
    number = start
    try:
        for number, row in enumerate(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True), start):
            if number > MOST_ROWS:
                raise CardDataError(
                    f"{name} has more than {MOST_ROWS:,} rows; at most {MOST_ROWS:,} are read. Split it."
                )
            if len(row) > MOST_COLUMNS:
                raise CardDataError(f"{name}, row {number}: has {len(row):,} columns; at most {MOST_COLUMNS} are read.")
            yield row
            number += 1
    except csv.Error as error:
        raise CardDataError(f"{name}, row {number}: {_explain(error)}.") from None


# What the module csv says of a table that is none, and what a person should know.
_EXPLANATIONS = {
    "unexpected end": "a quotation mark opens a cell here and none closes it",
    "field limit": "a cell has more than 131,072 characters; perhaps a quotation mark was never closed",
    "expected after": "a cell goes on after its closing quotation mark; write marks within a cell twice",
}


def _explain(error: csv.Error) -> str:
    message = str(error)
    return next(
        (words for part, words in _EXPLANATIONS.items() if part in message), f"this is no CSV ({message[:100]})"
    )
