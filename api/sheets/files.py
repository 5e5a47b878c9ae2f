"""Files: a sheet in each kind of file that it can be had as, and what the file is called."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping
from typing import NamedTuple

from api.sheets.sheet import Sheet

PAPERS = ("a4", "letter")
_LONGEST = 60  # characters of a name within a file's name
_UNSAFE = re.compile(r"[\W_]+")


class Kind(NamedTuple):
    """A kind of file: its media type, and how a sheet is written as one on a paper."""

    media_type: str
    write: Callable[[Sheet, str], bytes]


def _pdf(sheet: Sheet, paper: str) -> bytes:
    from api.sheets import pdf  # fonts and drawing are loaded by who draws

    return pdf.one(sheet, paper)


def _xlsx(sheet: Sheet, paper: str) -> bytes:
    from api.sheets import xlsx

    return xlsx.one(sheet, paper)


def _csv(sheet: Sheet, paper: str) -> bytes:
    from api.sheets import csv

    return csv.one(sheet)


KINDS: Mapping[str, Kind] = {
    "pdf": Kind("application/pdf", _pdf),
    "xlsx": Kind("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _xlsx),
    "csv": Kind("text/csv; charset=utf-8", _csv),
}


def file_name(sheet: Sheet, kind: str) -> str:
    """Return what a sheet's file is called: safe on every system, and found by the player's last name."""
    player = _UNSAFE.sub("-", " ".join(sheet.registration.player))[:_LONGEST].strip("-")
    return f"deck-{player or 'sheet'}.{kind}"


def warnings(sheet: Sheet, kind: str) -> list[str]:
    """Return what could not be drawn as it was written."""
    if kind != "pdf":
        return []
    from api.sheets import fonts

    absent = fonts.missing(sheet.text)
    return [fonts.warning(absent)] if absent else []
