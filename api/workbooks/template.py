"""The template: a workbook to fill in, with both shapes that decks may have and a sheet that explains them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.worksheet.datavalidation import DataValidation

from api.workbooks.intake.book_reader import HELP, MOST_DECKS
from api.workbooks.intake.cells import letters
from api.workbooks.intake.grids import MOST_ROWS
from api.workbooks.reporting.report_table import ID, LONG, NUMBER, WORD, Column
from api.workbooks.reporting.results_xlsx import FACE, fit_page
from validator.deck import MOST_COPIES, SECTIONS
from validator.texts import LONGEST_CELL

_PREPARED = 20_000  # rows in which sections and counts are checked while they are typed
_BLUE, _PALE, _INK = "FF1E3A5F", "FFF3F6FA", "FF1F2937"
_WHO = (Column("Player", width=28), Column("Player ID", ID, 16), Column("Event", width=24))
_CARD = (Column("Section", WORD, 12), Column("Number", ID, 14), Column("Name", width=36), Column("Count", NUMBER, 9))
_CARDS = (*_WHO, *_CARD)
_DECKS = (*_WHO, Column("Decklist", LONG, 60))

_EXPLAINED = (
    ("Player", "The player's name, in every row."),
    ("Player ID", "The membership number; the column is text, so that zeros in front of it stay."),
    ("Event", "Needed only where one workbook is for several events."),
    ("Section", f"One of {', '.join(SECTIONS)}. Left blank, the card's type tells."),
    ("Number", "The card's number; enough without the name."),
    ("Name", "The card's name; enough where only one card has it."),
    ("Count", f"How many copies: a number from 1 to {MOST_COPIES}."),
    ("Decklist", "The whole list in one cell, one card a line, in any form that deck builders export."),
)
_GOOD_TO_KNOW = (
    "Columns may stand in any order. Columns of your own (table, seat, team) are kept and come back with the results.",
    "A player with an id is known by it, others by their name. A player who is there twice is pointed out.",
    "A row that cannot be read stops no other; the results name it with its sheet, row, column and value.",
    "A sheet for each player works too: give it the player's name as its title and put the list on it.",
    f"At most {MOST_ROWS:,} rows, {MOST_DECKS:,} decks, and {LONGEST_CELL:,} characters in one cell.",
    "Save as .xlsx, without password and macros, or as CSV.",
)


@cache
def template() -> bytes:
    """Return the workbook to fill in, as XLSX in English, with the sheets "Help", "Cards" and "Decks".

    If it is read unchanged, it has no deck and no fault. The result is cached.
    """
    book = Workbook()
    _draw_help(book.active)
    cards = _draw_table(book.create_sheet("Cards"), _CARDS)
    sections = DataValidation("list", formula1=f'"{",".join(SECTIONS)}"', allow_blank=True)
    sections.error = f"Write {', '.join(SECTIONS)}, or leave the cell blank."
    counts = DataValidation("whole", operator="between", formula1="1", formula2=str(MOST_COPIES), allow_blank=True)
    counts.error = f"Write a number from 1 to {MOST_COPIES}."
    for validation, place in ((sections, "D"), (counts, "G")):
        validation.errorTitle = "deckproof"
        validation.showErrorMessage = True
        validation.add(f"{place}2:{place}{_PREPARED}")
        cards.add_data_validation(validation)
    _draw_table(book.create_sheet("Decks"), _DECKS)
    book.properties.creator = "deckproof"
    packed = BytesIO()
    book.save(packed)
    return packed.getvalue()


def _draw_table(sheet: Any, columns: Sequence[Column]) -> Any:
    """Draw the headings of an empty openpyxl sheet in row 1, and format its columns and pages. Return the sheet.

    Cells of all columns but those of numbers are text, so that zeros at the beginning of ids are kept.
    """
    _draw_headings(sheet, 1, columns)
    for at, column in enumerate(columns):
        dimension = sheet.column_dimensions[letters(at)]
        dimension.width = column.width
        dimension.number_format = "General" if column.kind == NUMBER else "@"
        place = "center" if column.kind == NUMBER else None
        dimension.alignment = Alignment(vertical="top", horizontal=place, wrap_text=column.kind == LONG)
    sheet.freeze_panes = "B2"
    sheet.sheet_properties.tabColor = _BLUE[2:]
    fit_page(sheet)
    return sheet


def _draw_headings(sheet: Any, row: int, columns: Sequence[Column]) -> None:
    """Write the headings of columns into a row of an openpyxl sheet, in white on blue."""
    for at, column in enumerate(columns, 1):
        cell = sheet.cell(row, at, column.title)
        cell.font = Font(FACE, bold=True, color="FFFFFFFF")
        cell.fill = PatternFill("solid", fgColor=_BLUE)
        cell.alignment = Alignment(vertical="center", horizontal="center" if column.kind == NUMBER else None)
    sheet.row_dimensions[row].height = 20


def _draw_help(sheet: Any) -> None:
    """Draw the help on an empty openpyxl sheet, titled "Help". Its first cell, HELP, marks it as without decks."""
    sheet.title = "Help"
    sheet.sheet_view.showGridLines = False
    for at, column in enumerate(_CARDS):
        sheet.column_dimensions[letters(at)].width = column.width
    sheet["A1"] = HELP
    sheet["A1"].font = Font(FACE, 16, bold=True, color=_BLUE)
    row = _draw_example(
        sheet,
        3,
        "Sheet “Cards”: one row for each card of each deck",
        _CARDS,
        [
            ("Name of the player", "0000123456", "", "leader", "AB01-001", "", 1),
            ("Name of the player", "0000123456", "", "main", "AB01-016", "", 4),
            ("Name of the player", "0000123456", "", "main", "", "Name of the card", 2),
        ],
    )
    row = _draw_example(
        sheet,
        row + 1,
        "Or sheet “Decks”: one row for each deck",
        _DECKS,
        [("Name of the player", "0000123456", "", "1 AB01-001\n4 AB01-016\n2 Name of the card")],
    )
    for at in (row - 2, row - 1):
        sheet.merge_cells(start_row=at, end_row=at, start_column=4, end_column=5)
    row = _draw_lines(sheet, row + 1, "The columns", _EXPLAINED)
    _draw_lines(sheet, row + 1, "Good to know", [(line, "") for line in _GOOD_TO_KNOW])
    fit_page(sheet)


def _draw_example(sheet: Any, row: int, title: str, columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> int:
    """Draw a subtitle and a small example table, with headings, from this row on. Return the row after it."""
    _draw_subtitle(sheet, row, title)
    _draw_headings(sheet, row + 1, columns)
    line = Side("thin", color="FFD5DCE6")
    for row_at, values in enumerate(rows, row + 2):
        for at, value in enumerate(values, 1):
            cell = sheet.cell(row_at, at, value)
            cell.fill = PatternFill("solid", fgColor=_PALE)
            cell.border = Border(bottom=line)
            place = "center" if isinstance(value, int) else None
            cell.alignment = Alignment(vertical="top", horizontal=place, wrap_text="\n" in str(value))
            cell.font = Font(FACE, color=_INK)
            if "\n" in str(value):
                sheet.row_dimensions[row_at].height = 15.5 * (1 + str(value).count("\n"))
    return row + 2 + len(rows)


def _draw_lines(sheet: Any, row: int, title: str, lines: Sequence[tuple[str, str]]) -> int:
    """Draw pairs of texts in two columns under the subtitle `title`, from this row on. Return the row after them.

    The first text is bold unless the second is "".
    """
    _draw_subtitle(sheet, row, title)
    for row_at, (first, second) in enumerate(lines, row + 1):
        sheet.cell(row_at, 1, first).font = Font(FACE, bold=bool(second), color=_INK)
        sheet.cell(row_at, 2, second or None).font = Font(FACE, color=_INK)
    return row + 1 + len(lines)


def _draw_subtitle(sheet: Any, row: int, title: str) -> None:
    """Write a subtitle into the first cell of a row."""
    sheet.cell(row, 1, title).font = Font(FACE, 12, bold=True, color=_BLUE)
