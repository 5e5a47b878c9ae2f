"""XLSX: files from strangers, proven harmless and then read as text."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from carddb.errors import WorkbookError
from carddb.files.archives import Odd, checked

MOST_SHEETS = 50
UNCOMPUTED = "#FORMULA!"  # what is read of a formula that no program has computed


class ExcelSheet(NamedTuple):
    """One sheet of a workbook: its name, and its rows of cells as text (row 1 first)."""

    name: str
    rows: Sequence[Sequence[str]]


def sheets(data: bytes) -> Iterator[ExcelSheet]:
    """Yield the sheets of an XLSX file that have cells; a WorkbookError says why it is refused."""
    import python_calamine as calamine

    archive = checked(data)
    try:
        with calamine.CalamineWorkbook.from_filelike(BytesIO(archive.data)) as book:
            for name in book.sheet_names[:MOST_SHEETS]:
                rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
                if rows:
                    cells = [list(map(cell_text, row)) for row in rows]
                    yield ExcelSheet(name, _with_odd(cells, archive.odd.get(name, ())))
    except (calamine.CalamineError, calamine.XmlError, calamine.ZipError) as error:
        raise WorkbookError(f"is a damaged workbook ({error})") from None


def _with_odd(rows: list[list[str]], odd: Sequence[Odd]) -> list[list[str]]:
    """Put in what calamine leaves blank: errors, and formulas without a value, which are no empty cells."""
    for cell in odd:
        rows.extend([] for _ in range(cell.row - len(rows)))
        row = rows[cell.row - 1]
        row.extend([""] * (cell.column - len(row)))
        row[cell.column - 1] = cell.value or UNCOMPUTED
    return rows


def cell_text(value: Any) -> str:
    """Return a cell as one would have typed it: 4, not 4.0; a day, not a moment."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)
