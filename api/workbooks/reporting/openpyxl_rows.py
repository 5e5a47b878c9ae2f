"""Rows written as text into what openpyxl writes around them: all that we use of its private parts.

By openpyxl a cell costs several times as much, for each is an object, then an element, then text. A workbook that
is given up leaves files behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Any
from xml.sax.saxutils import escape

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet._writer import ALL_TEMP_FILES

_IN_MEMORY = 8 << 20  # bytes of a sheet's rows; 5,000 decks have some three
_NO_ROWS = re.compile(rb"<sheetData ?/>|<sheetData></sheetData>")

_letters = cache(get_column_letter)


class RowSheet(WriteOnlyWorksheet):
    """A sheet of an openpyxl workbook whose rows are written as XML text, much faster than openpyxl's cells.

    A text never becomes a formula, a number or an error. Rows are kept in memory up to 8 MB, else in a temporary file.
    """

    def __init__(self, book: Workbook, title: str) -> None:
        """Add the empty sheet to the workbook."""
        super().__init__(book, title)
        book._add_sheet(self)
        self._kept = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  # removes itself, however this ends
        self._last = 0

    def style(self, number_format: str = "General", is_text: bool = False, **looks: Any) -> int:
        """Return the id of a style for `add_row`. With `is_text`, an edited text stays a text.

        `looks` are attributes of an openpyxl cell, such as `font`, `fill` and `alignment`.
        """
        cell = WriteOnlyCell(self)
        cell.number_format, cell.quotePrefix = number_format, is_text
        for look, value in looks.items():
            setattr(cell, look, value)
        return int(cell.style_id)

    def add_row(self, cells: Iterable[tuple[int, str | int | None]], height: float | None = None) -> None:
        """Write the next row: pairs of style id and value, from the first column on. None leaves the cell out.

        A text must not have characters that XML forbids. `height` is in points, None for the default.
        """
        self._last = row = self._last + 1
        high = f' ht="{height:g}" customHeight="1"' if height is not None else ""
        drawn = (
            _cell_xml(f"{_letters(column)}{row}", style, value)
            for column, (style, value) in enumerate(cells, 1)
            if value is not None
        )
        self._kept.write(f'<row r="{row}"{high}>{"".join(drawn)}</row>'.encode())

    def close(self) -> None:
        """Write the sheet to openpyxl's temporary file, with the rows. openpyxl calls this when the book is saved."""
        super().close()
        file = Path(self._writer.out)
        around = file.read_bytes()
        place = _NO_ROWS.search(around)
        assert place is not None, "openpyxl writes a place for rows"
        with file.open("wb") as out, self._kept as kept:
            out.write(around[: place.start()] + b"<sheetData>")
            kept.seek(0)
            copyfileobj(kept, out)
            out.write(b"</sheetData>" + around[place.end() :])


def _cell_xml(place: str, style: int, value: str | int) -> str:
    """Return a cell as XML. `place` is its address.

    A text is an inline string, in which special characters are escaped.
    """
    if not isinstance(value, str):
        return f'<c r="{place}" s="{style}"><v>{value}</v></c>'
    space = ' xml:space="preserve"' if value != value.strip() else ""
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t{space}>{escape(value)}</t></is></c>'


def remove_temporary_files(book: Workbook) -> None:
    """Remove openpyxl's temporary files of a workbook that is given up, and not saved.

    Else openpyxl removes them at the end of the process.
    """
    for sheet in book.worksheets:
        if sheet._writer is not None and sheet._writer.out in ALL_TEMP_FILES:
            with suppress(OSError):  # what could not be written is written once more
                sheet._writer.xf.close()
            sheet._writer.cleanup()
