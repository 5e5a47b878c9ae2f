"""Sheet: one sheet of a spreadsheet, in whatever format its file is."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import TypeAlias

Cell: TypeAlias = str | int | float | datetime.date | datetime.time | datetime.timedelta
Range: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


@dataclass
class Sheet:
    """One sheet: its name, and its rows of cells (row 1 first, of any length).

    `odd` has, by row, the columns (from 0) of cells that the rows have as blank and that are not, with their error, or
    "" for a formula that was never computed. `merged` ranges count from 0.
    """

    name: str
    rows: list[list[Cell]] = field(default_factory=list)
    odd: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    merged: list[Range] = field(default_factory=list)
    is_hidden: bool = False
