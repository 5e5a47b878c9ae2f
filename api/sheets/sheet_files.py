"""Files of sheets: their kinds, names and warnings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from api.sheets.sheet import Sheet

PAPERS = ("a4", "letter")
ORDERS = ("name", "table")  # of the sheets of many players
_LONGEST = 60  # characters of a name within a file's name
_UNSAFE = re.compile(r"[\W_]+")


class FileKind(NamedTuple):
    """A kind of file: its media type, and the dotted name of the module whose function `write` makes it."""

    media_type: str
    module: str

    def write(self, sheet: Sheet, paper: str) -> bytes:
        """Return a sheet as a file of this kind, for one of PAPERS. CSV files ignore the paper."""
        content: bytes = import_module(self.module).write(sheet, paper)  # loads fonts and drawing only if needed
        return content


KINDS: Mapping[str, FileKind] = {
    "pdf": FileKind("application/pdf", "api.sheets.sheet_pdf"),
    "xlsx": FileKind("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "api.sheets.sheet_xlsx"),
    "csv": FileKind("text/csv; charset=utf-8", "api.sheets.sheet_csv"),
}
BLANK = ("pdf", "xlsx")  # kinds of blank sheets


def file_name(sheet: Sheet, kind: str) -> str:
    """Return the name of a sheet's file with the player's name: `deck-Lee-Ann.pdf`. `deck-sheet.pdf` without a name.

    Only letters of any script, digits and hyphens are used, and at most 60 characters of the name.
    """
    player = _UNSAFE.sub("-", " ".join(sheet.registration.player))[:_LONGEST].strip("-")
    return f"deck-{player or 'sheet'}.{kind}"


def warnings(sheet: Sheet, kind: str) -> list[str]:
    """Return a list with one warning about the characters of a sheet that no font has.

    Empty if there are none, or `kind` is not "pdf".
    """
    if kind != "pdf":
        return []
    from api.sheets import fonts

    absent = fonts.missing_characters(sheet.text)
    return [fonts.missing_warning(absent)] if absent else []
