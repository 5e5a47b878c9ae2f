"""Delimiter: the character that separates the cells of a CSV table, of cards or of decks."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from io import StringIO

DELIMITERS = ",;\t|"
_HINT = "sep="  # Excel's own way to name the delimiter, in a first line
_OPENING = 20_000  # characters that are searched for the delimiter
_OPENING_LINES = 30


def declared_delimiter(text: str) -> str | None:
    """Return the delimiter in the "sep=" line at the head of a table: "," for "sep=,". None if there is no such line.

    None also if the character is not in DELIMITERS.
    """
    mark = text[len(_HINT) : len(_HINT) + 1]
    return mark if mark and mark in DELIMITERS and text[: len(_HINT)].lower() == _HINT else None


def split_cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line of a CSV table. Empty if the line is not well-formed.

    Quotes around a whole cell are removed. Quotes around a part of a cell belong to its text: "Buddha" Sengoku.
    """
    if _is_quoted_in_part(line, delimiter):
        return line.split(delimiter)
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _is_quoted_in_part(line: str, delimiter: str) -> bool:
    """Return True if a cell begins with a quoted part and goes on, and no cell is quoted as a whole.

    False for a line without quotes.
    """
    cells = line.split(delimiter) if '"' in line else ()
    quoted = [cell.strip() for cell in cells if cell.lstrip()[:1] == '"']
    return bool(quoted) and all(cell.count('"') == 2 and cell[-1] != '"' for cell in quoted)


def find_delimiter(text: str, count_headings: Callable[[Sequence[Sequence[str]]], int]) -> str:
    """Return the delimiter of a table, one of DELIMITERS, a comma if nothing decides. A "sep=" line has priority.

    Otherwise the first 20,000 characters and 30 lines are examined. A delimiter under which a quoted cell has several
    lines comes first, because such a cell is a deck list with delimiters of its own. Then the most headings decide,
    then the most lines with two cells or more. `count_headings` returns the number of known headings in rows of cells.
    """
    if hint := declared_delimiter(text):
        return hint
    opening = text[:_OPENING]
    lines = opening.splitlines()[:_OPENING_LINES]

    def fitness(delimiter: str) -> tuple[bool, int, int]:
        """Return the sort key of a delimiter, in which the best delimiter has the largest key.

        The parts are: a quoted cell has several lines, the number of headings, the number of lines with two cells or
        more.
        """
        rows = [split_cells(line, delimiter) for line in lines]
        return _has_long_cell(opening, delimiter), count_headings(rows), sum(len(row) > 1 for row in rows)

    return max(DELIMITERS, key=fitness)


def _has_long_cell(text: str, delimiter: str) -> bool:
    """Return True if a quoted cell of the text contains a line break. False if the text is not well-formed CSV."""
    try:
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return any("\n" in cell for row in rows for cell in row)
    except csv.Error:
        return False
