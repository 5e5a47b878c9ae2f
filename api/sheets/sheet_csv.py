"""CSV files of registration sheets: a row for each line of the deck. Spreadsheet programs and deckproof read them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

from api.sheets.sheet import Sheet
from validator.formulas import guard_formula

COLUMNS = (
    *("section", "count", "number", "name"),
    *("last_name", "first_name", "player_id", "event", "date", "place", "table", "notes"),
    *("verdict", "findings", "ruleset", "judged_for", "deck_hash"),
)
_NO_LINE = ("", "", "", "")  # of a player whose deck has no card


def write(sheet: Sheet, paper: str = "") -> bytes:
    """Return a sheet as CSV, as `write_sheets` describes. `paper` is ignored."""
    return write_sheets([sheet])


def write_sheets(sheets: Sequence[Sheet]) -> bytes:
    """Return sheets as one CSV with a row for each card: UTF-8 with a byte order mark and CRLF, for Excel.

    The cells about the player are repeated in each row. A deck without cards has one row. Texts that look like formulas
    are guarded.
    """
    text = StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for sheet in sheets:
        about = _common_cells(sheet)
        lines: list[tuple[str | int, ...]] = [
            (section.key, entry.count, guard_formula(entry.number), guard_formula(entry.name))
            for section in sheet.sections
            for entry in section.entries
        ]
        table.writerows([*line, *about] for line in lines or [_NO_LINE])
    return text.getvalue().encode("utf-8-sig")


def _common_cells(sheet: Sheet) -> list[str]:
    """Return the cells about player, event and verdict, which are the same in each row of a sheet.

    The cell of findings has the codes of the printed ones, each once, joined by blanks.
    """
    person = sheet.registration
    return [
        *map(guard_formula, person.player),
        person.player_id,
        guard_formula(person.event),
        person.day,
        *map(guard_formula, (person.place, person.table, person.notes)),
        sheet.verdict.lower(),
        " ".join(dict.fromkeys(problem.code for problem in sheet.problems)),
        sheet.ruleset,
        sheet.on.isoformat(),
        sheet.deck_hash,
    ]
