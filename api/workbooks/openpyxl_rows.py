"""Rows as openpyxl writes them, without what costs more than the cell: all that we use of its private parts.

By its public interface alone 340,000 cells take a fifth longer, and a workbook that is given up leaves files behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet._writer import ALL_TEMP_FILES


class RowSheet(WriteOnlyWorksheet):
    """A sheet whose rows are cells, None for a blank one.

    openpyxl would take each for a value first, and find out by an exception that costs more than the cell.
    """

    def __init__(self, book: Workbook, title: str) -> None:
        super().__init__(book, title)
        book._add_sheet(self)

    def _values_to_row(self, values: Sequence[Any], row_idx: int) -> Iterator[Any]:
        for column, cell in enumerate(values, 1):
            if cell is not None:
                cell.row, cell.column = row_idx, column
                yield cell


def set_text(cell: Any, text: str) -> None:
    """Put a text into a cell; as its value, openpyxl would guess what the text might be."""
    cell._value, cell.data_type = text, "s"


def alike(cell: Any) -> Any:
    """Return a new cell of the same style."""
    own = WriteOnlyCell(cell.parent)
    own._style = copy(cell._style)
    return own


def forget(book: Workbook) -> None:
    """Remove the files that openpyxl keeps a workbook's rows in until it is saved; it would at the process's end."""
    for sheet in book.worksheets:
        if sheet._writer is not None and sheet._writer.out in ALL_TEMP_FILES:
            for open_part in (sheet._rows, sheet._writer.xf):
                with suppress(OSError):  # what could not be written is written once more
                    open_part.close()
            sheet._writer.cleanup()
