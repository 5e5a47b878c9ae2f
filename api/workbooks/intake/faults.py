"""Faults: the cells and rows of a spreadsheet that could not be read or were read with a doubt."""

from __future__ import annotations

from typing import NamedTuple

ERROR = "error"
NOTICE = "notice"
_LONGEST = 60  # characters of a value in a sentence


class SheetFault(NamedTuple):
    """A fault of a spreadsheet: its place, the value of the cell, and the problem.

    `sheet` is "" in a CSV file. `row` counts from 1 as spreadsheet programs do, None for a whole sheet.
    `column` is the written heading, and `cell` the address ("D17"). `severity` is "error"
    if something was not read, "notice" if it was read with a doubt.
    """

    sheet: str
    row: int | None
    column: str | None
    value: str
    detail: str
    severity: str = ERROR
    cell: str = ""

    @property
    def message(self) -> str:
        """The whole sentence: row 17, column count: “four” is not a number from 1 to 255."""
        places = (
            f"sheet {self.sheet}" if self.sheet else "",
            f"row {self.row}" if self.row else "",
            f"column {self.column}" if self.column else "",
        )
        where = ", ".join(filter(None, places))
        return f"{where}: {self.detail}" if where else self.detail


def quoted(text: str) -> str:
    """Return a value in quotation marks for a sentence, on one line and shortened."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * _LONGEST]).split())
    return f"“{line[:_LONGEST]}…”" if len(line) > _LONGEST or len(text) > 4 * _LONGEST else f"“{line}”"


def letters(column: int) -> str:
    """Return the letters of a column, counted from 0: A, B, …, Z, AA."""
    name = ""
    while column >= 0:
        column, place = divmod(column, 26)
        name = chr(ord("A") + place) + name
        column -= 1
    return name


def address(row: int, column: int) -> str:
    """Return the address of a cell in a row from 1 and a column from 0: D17."""
    return f"{letters(column)}{row}"
