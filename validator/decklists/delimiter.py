"""Delimiters: what parts the cells in a line of a table."""

from __future__ import annotations

import csv

DELIMITERS = ",;\t|"
_HINT = "sep="  # Excel's own way to say the delimiter, in a first line


def hinted(text: str) -> str | None:
    """Return the delimiter that the first line of a table says, None where it says none."""
    mark = text[len(_HINT) : len(_HINT) + 1]
    return mark if mark and mark in DELIMITERS and text[: len(_HINT)].lower() == _HINT else None


def split(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line, none where it is not well-formed."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []
