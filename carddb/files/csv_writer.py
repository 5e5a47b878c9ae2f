"""The CSV of tables that spreadsheet programs open: no cell becomes a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from validator.formulas import guard_formula


def write_csv(rows: Iterable[Iterable[object]], line_end: str = "\r\n") -> str:
    """Return rows as CSV text. Excel expects the default line end. None is an empty cell.

    A text that looks like a formula is guarded by an apostrophe.
    """
    text = StringIO(newline="")
    csv.writer(text, lineterminator=line_end).writerows(map(_guard_row, rows))
    return text.getvalue()


def _guard_row(row: Iterable[object]) -> list[object]:
    """Return the cells of a row, with texts that look like formulas guarded."""
    return [guard_formula(cell) if isinstance(cell, str) else cell for cell in row]
