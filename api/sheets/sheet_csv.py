"""CSV files of registration sheets: a row for each line of the deck. Spreadsheet programs and deckproof read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.sheets.sheet import Sheet
from carddb.files.csv_writer import write_csv

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
    rows = (row for sheet in sheets for row in _sheet_rows(sheet))
    return write_csv((COLUMNS, *rows)).encode("utf-8-sig")


def _sheet_rows(sheet: Sheet) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each line of a sheet's deck. A deck without cards has one row, without the cells of a card."""
    about = _common_cells(sheet)
    lines: list[tuple[str | int, ...]] = [
        (section.key, entry.count, entry.number, entry.name) for section in sheet.sections for entry in section.entries
    ]
    for line in lines or [_NO_LINE]:
        yield *line, *about


def _common_cells(sheet: Sheet) -> list[str]:
    """Return the cells about player, event and verdict, which are the same in each row of a sheet.

    The cell of findings has the codes of the printed ones, each once, joined by blanks.
    """
    person = sheet.registration
    return [
        *person.player,
        *(person.player_id, person.event, person.day, person.place, person.table, person.notes),
        sheet.verdict.lower(),
        " ".join(dict.fromkeys(problem.code for problem in sheet.problems)),
        sheet.ruleset,
        sheet.on.isoformat(),
        sheet.deck_hash,
    ]
