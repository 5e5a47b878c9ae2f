"""Cells: what the value of one cell says, whatever type a spreadsheet program made of it."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from api.sheets.person_names import cleaned
from api.workbooks.intake.faults import quoted
from carddb.files.spreadsheets import cell_text
from validator import texts
from validator.deck import MOST_COPIES
from validator.decklists.formulas import unguarded
from validator.decklists.section_counts import parse_copies
from validator.texts import LONGEST_CELL, LONGEST_NAME

Cell: TypeAlias = str | int | float | datetime.date | datetime.time | datetime.timedelta

_MOST_DIGITS = 15  # of a number; further ones a spreadsheet program has made noughts of
_TRUTHS = ("TRUE", "FALSE")


class Text(NamedTuple):
    """A text read from a cell; `doubt` says what is wrong with it, `usable` whether it may be used all the same."""

    text: str
    doubt: str = ""
    usable: bool = True


def cell_in(row: Sequence[Cell], column: int) -> Cell:
    """Return what a row has in a column, nothing where it ends before that."""
    return row[column] if column < len(row) else ""


def is_blank(cell: Cell) -> bool:
    """Tell whether a cell holds nothing that can be seen."""
    return cell == "" or (type(cell) is str and not cell.strip())


def text(cell: Cell) -> str:
    """Return what a cell says, as one would have typed it."""
    return cell.strip() if type(cell) is str else cell_text(cell)


def count(cell: Cell) -> int | None:
    """Return how many copies a cell says, None where it says no number from 1 to 255.

    4, 4.0, "4,0", "04", " 4 ", "4x", "×4", "4枚", "4 pcs" and full-width digits are four; TRUE, 4.5 and a date nothing.
    """
    if isinstance(cell, int | float):
        whole = int(cell) if math.isfinite(cell) and cell == int(cell) else 0
    else:
        whole = (parse_copies(cell) or 0) if type(cell) is str else 0
    return whole if 1 <= whole <= MOST_COPIES else None


def count_doubt(cell: Cell) -> str:
    """Return what is wrong with a cell that says no count."""
    if is_blank(cell):
        return f"the count is missing; write a number from 1 to {MOST_COPIES}"
    return f"{quoted(text(cell))} is not a number from 1 to {MOST_COPIES}"


def name(cell: Cell) -> Text:
    """Return a name, of a player or an event, cleaned of what nobody sees."""
    written = unguarded(text(cell))
    if len(written) > LONGEST_CELL:
        return Text("", doubt(written), usable=False)
    read = cleaned(written)
    if len(read) > LONGEST_NAME:
        return Text("", f"{quoted(read)} has {len(read)} characters; a name has at most {LONGEST_NAME}", usable=False)
    return Text(read)


def identity(cell: Cell) -> Text:
    """Return a player's id as text; a cell that a spreadsheet program has made something else of is doubted."""
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta) or cell in _TRUTHS:
        kind = "true or false" if cell in _TRUTHS else "a date or time"
        return Text("", f"{quoted(text(cell))} is {kind}, not an id; format the column as text", usable=False)
    if isinstance(cell, float) and abs(cell) >= 10**_MOST_DIGITS:
        detail = f"a number keeps {_MOST_DIGITS} digits, so this id has lost some; format the column as text"
        return Text("", f"{quoted(f'{cell:.15g}')}: {detail}", usable=False)
    if isinstance(cell, int | float):
        doubt = "is a number: zeros that it began with are lost; format the column as text"
        return Text(text(cell), f"{quoted(text(cell))} {doubt}")
    return name(cell)


def note(cell: Cell) -> str:
    """Return what a cell that is only kept says, on one line; at most LONGEST_CELL characters."""
    return cleaned(unguarded(text(cell))[:LONGEST_CELL])


def doubt(written: str) -> str:
    """Return why the text of a cell is not read, "" where it is."""
    wrong = texts.doubt(written, LONGEST_CELL)
    return wrong and f"this {wrong}"
