"""XLSX: a registration sheet as a workbook, ready to be printed, with the deck's cost curve on a second sheet."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.chart import BarChart, Reference
from openpyxl.chart.label import DataLabelList
from openpyxl.drawing.image import Image
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.worksheet import Worksheet

from api.sheets import fonts, qrcode
from api.sheets.person_names import cut
from api.sheets.sheet import COLUMNS, CURVE, CURVE_TITLES, DECK_HASH, FINDINGS, PLAYER_ID, Section, Sheet
from validator.formulas import is_formula

PAPERS = {"a4": "9", "letter": "1"}  # as workbooks number them
_FACE = "Calibri"
_WIDTHS = {"A": 6, "B": 13, "C": 44, "D": 15, "E": 8, "F": 7}  # in characters
_POINTS = 5.4  # a character of a column's width
_FIRST, _LAST = 1, len(_WIDTHS)
_COUNT, _NUMBER, _NAME, _TYPE, _COST, _TICK = range(_FIRST, _LAST + 1)
_LINE = 15.0  # points a line of 11 point type takes
_CODE = 84  # pixels
_LONGEST_HEAD = 100  # characters of one part of a page's head; all of it may have 255, with each & twice
_BLACK, _WHITE, _GREY = "FF000000", "FFFFFFFF", "FF666666"
_HAIR, _FIRM = Side("thin", color="FFAAAAAA"), Side("medium", color=_BLACK)


def write(sheet: Sheet, paper: str = "a4") -> bytes:
    """Return a sheet as an XLSX workbook, set up for "a4" or "letter" paper. Raises KeyError for another paper.

    The cost curve is a second worksheet, if any card has a cost.
    """
    book = Workbook()
    book.properties.creator = "deckproof"
    book.properties.title = "Deck registration"
    page = book.active
    page.title = "Registration"
    _RegistrationPage(page, paper).draw(sheet)
    page.oddHeader.left.text = head_text(sheet.headline)
    if any(count for _, count in sheet.curve):
        _draw_curve(book.create_sheet(CURVE), sheet, paper)
    written = BytesIO()
    book.save(written)
    return written.getvalue()


class _RegistrationPage:
    """The worksheet of a registration sheet that is drawn row by row. `draw` writes all rows."""

    def __init__(self, page: Worksheet, paper: str) -> None:
        self._page = page
        self._row = 0
        _set_up(page, paper)
        for letter, width in _WIDTHS.items():
            page.column_dimensions[letter].width = width
        page.sheet_view.showGridLines = False

    def draw(self, sheet: Sheet) -> None:
        """Write a sheet into the worksheet from top to bottom, and set the print area."""
        self._write_head(sheet)
        self._write_fields(sheet)
        self._write_verdict(sheet)
        self._write_judge_boxes()
        self._write_column_titles()
        for section in sheet.sections:
            self._write_section(section)
        self._write_problems(sheet)
        self._page.print_area = f"A1:F{self._row}"

    def _add_row(self, height: float = 18) -> None:
        """Begin the next row, with a height in points. The other methods write into this row."""
        self._row += 1
        self._page.row_dimensions[self._row].height = height

    def _write_cell(self, column: int, value: str | int, last: int = 0, **style: Any) -> Cell:
        """Write a value into a cell of the current row, and return the cell. A text is never a formula.

        The cell is merged up to the column `last`, 0 for none. `style` has the arguments of `_fill_cell`.
        """
        if last:
            self._page.merge_cells(start_row=self._row, end_row=self._row, start_column=column, end_column=last)
        cell = self._page.cell(self._row, column)
        _fill_cell(cell, value, **style)
        return cell

    def _underline(self, bottom: Side) -> None:
        """Draw a line under all columns of the current row."""
        for column in range(_FIRST, _LAST + 1):
            cell = self._page.cell(self._row, column)
            cell.border = Border(bottom=bottom, left=cell.border.left, right=cell.border.right, top=cell.border.top)

    def _write_head(self, sheet: Sheet) -> None:
        """Write the rows that every page repeats: the initial in its box, the name, the id and the table.

        Draw the QR code too, if the sheet has a text for it.
        """
        person = sheet.registration
        self._add_row(44)
        self._draw_box(_NUMBER)
        self._write_cell(_COUNT, person.player.initial, _NUMBER, size=30, bold=True, alignment="center")
        size, _ = fonts.fit_text(person.player.full_name, 270, 44, 24)
        self._write_cell(_NAME, person.player.full_name, _TYPE, size=size, bold=True, wrap=True, indent=1)
        self._add_row(22)
        self._write_cell(_COUNT, PLAYER_ID, _NUMBER, size=9, color=_GREY)
        self._write_cell(_NAME, person.player_id, size=14, bold=True, indent=1, shrink=True)
        self._write_cell(_TYPE, f"Table {person.table}".strip(), size=14, bold=True, shrink=True)
        self._underline(_HAIR)
        self._page.print_title_rows = "1:2"
        if sheet.code_text:
            self._page.add_image(_PngImage(qrcode.png(sheet.code_text), _CODE), "E1")

    def _write_fields(self, sheet: Sheet) -> None:
        """Write a row for each field of the event. The notes are left out if there are none."""
        person = sheet.registration
        filled = {"Event": person.event, "Date": person.day, "Place": person.place, "Notes": person.notes}
        for name, text in filled.items():
            if text or name != "Notes":
                self._add_row(max(20, self._text_height(text, _NAME, _TYPE, 12)))
                self._write_cell(_COUNT, name, _NUMBER, size=9, color=_GREY)
                self._write_cell(_NAME, text, _TYPE if name == "Event" else _LAST, size=12, wrap=True, indent=1)
                self._underline(_HAIR)

    def _write_verdict(self, sheet: Sheet) -> None:
        """Write the row with verdict and totals.

        Below it are the ruleset, the deck hash and the day of the card data.
        """
        self._add_row(8)
        self._add_row(30)
        totals = "     ".join(f"{title} {total}" for title, total in sheet.totals)
        ground = None if sheet.legal else _BLACK
        ink = _BLACK if sheet.legal else _WHITE
        self._write_cell(_COUNT, sheet.verdict, _NUMBER, size=14, bold=True, color=ink, ground=ground, indent=1)
        self._write_cell(_NAME, totals, _LAST, size=13, color=ink, ground=ground, alignment="right", indent=1)
        self._draw_box()
        self._write_small(sheet.made_with)
        # A blank sheet has the words, too, because the reader of workbooks recognises a sheet by them.
        self._write_small(" · ".join(filter(None, (f"{DECK_HASH} {sheet.deck_hash}", sheet.cards_as_of))))

    def _write_small(self, text: str) -> None:
        """Write a row of small grey text."""
        self._add_row(self._text_height(text, _COUNT, _LAST, 9))
        self._write_cell(_COUNT, text, _LAST, size=9, color=_GREY, wrap=True)

    def _write_judge_boxes(self) -> None:
        """Write the line for the signature, and the boxes for two deck checks."""
        self._add_row(26)
        self._write_cell(_COUNT, "Player's signature", _NUMBER, size=9, color=_GREY, down="bottom")
        self._page.cell(self._row, _NAME).border = Border(bottom=_HAIR)
        self._add_row(8)
        for check in (1, 2):
            self._add_row(34)
            self._write_cell(
                _COUNT, f"For judges:\ndeck check {check}", _NUMBER, size=9, bold=True, wrap=True, indent=1
            )
            lines = f"Round {'_' * 7}   Table {'_' * 7}   Judge {'_' * 18}"
            self._write_cell(_NAME, lines, size=9, indent=1)
            status = "☐ OK   ☐ Marked cards\n☐ Deck differs   ☐ List differs"
            self._write_cell(_TYPE, status, _LAST, size=9, wrap=True)
            self._draw_box()

    def _draw_box(self, last: int = _LAST) -> None:
        """Draw a box around the current row, up to the column `last`."""
        for column in range(_FIRST, last + 1):
            left, right = _FIRM if column == _FIRST else None, _FIRM if column == last else None
            self._page.cell(self._row, column).border = Border(top=_FIRM, bottom=_FIRM, left=left, right=right)

    def _write_column_titles(self) -> None:
        """Write the row with the titles of the columns."""
        self._add_row(8)
        self._add_row(20)
        for column, title in enumerate(COLUMNS, _FIRST):
            alignment = "center" if column in (_COUNT, _COST, _TICK) else None
            indent = 1 if column == _NAME else 0
            self._write_cell(column, title, size=9, bold=True, color=_GREY, alignment=alignment, indent=indent)

    def _write_section(self, section: Section) -> None:
        """Write the heading of a section and a row for each card, with a box to tick.

        A card that is not in the catalogue has its number and name together in the column of names.
        """
        self._write_heading(section.title, section.total)
        for entry in section.entries:
            name = entry.name if entry.known else entry.text
            self._add_row(max(18, self._text_height(name, _NAME, _NAME, 11)))
            self._write_cell(_COUNT, entry.count or "", bold=True, alignment="center")
            if entry.known:
                self._write_cell(_NUMBER, entry.number)
            self._write_cell(_NAME, name, wrap=True, indent=1)
            self._write_cell(_TYPE, entry.type if entry.count else "", size=9, color=_GREY, wrap=True)
            self._write_cell(_COST, entry.cost, size=9, color=_GREY, alignment="center")
            self._write_cell(_TICK, "☐", size=14, alignment="center")
            self._underline(_HAIR)

    def _write_heading(self, title: str, total: int) -> None:
        """Write the heading of a section with its number of cards, which is left out if 0."""
        self._add_row(26)
        self._write_cell(_COUNT, title, _TYPE, size=13, bold=True, down="bottom")
        self._write_cell(_COST, total or "", _TICK, size=13, bold=True, alignment="right", down="bottom")
        self._underline(_FIRM)

    def _write_problems(self, sheet: Sheet) -> None:
        """Write the problems of the sheet with message, citation and fix, then the number of findings left out.

        Nothing is written if there are none.
        """
        if sheet.found:
            self._write_heading(FINDINGS, sheet.found)
        for place, problem in enumerate(sheet.problems, 1):
            for text, size, is_bold, color in (
                (problem.message, 11, True, _BLACK),
                (problem.citation, 9, False, _GREY),
                (problem.fix, 11, False, _BLACK),
            ):
                self._add_row(self._text_height(text, _NUMBER, _LAST, 11))
                self._write_cell(_NUMBER, text, _LAST, wrap=True, size=size, bold=is_bold, color=color)
                if text is problem.message:
                    self._write_cell(_COUNT, place, bold=True, alignment="center")
            self._underline(_HAIR)
        if more := sheet.found - len(sheet.problems):
            self._add_row()
            self._write_cell(_NUMBER, f"and {more} more", _LAST)

    def _text_height(self, text: str, first: int, last: int, size: float) -> float:
        """Return the height of a row, in points, for a text in the columns `first` to `last`.

        Spreadsheet programs do not compute it.
        """
        room = sum(list(_WIDTHS.values())[first - 1 : last]) * _POINTS - 12
        return len(fonts.wrap_text(text, room, size)) * _LINE * size / 11 + 3


class _PngImage(Image):
    """A square PNG picture. openpyxl's class reads pictures with Pillow, which this does not need.

    `side` is in pixels.
    """

    def __init__(self, png: bytes, side: int) -> None:
        self.ref = png
        self.format = "png"
        self.width = self.height = side

    def _data(self) -> bytes:
        """Return the bytes of the picture, for openpyxl."""
        return self.ref


def _fill_cell(
    cell: Cell,
    value: str | int,
    *,
    size: float = 11,
    bold: bool = False,
    color: str = _BLACK,
    ground: str | None = None,
    alignment: str | None = None,
    down: str = "center",
    wrap: bool = False,
    indent: int = 0,
    shrink: bool = False,
) -> None:
    """Set the value, font, alignment and colour of a cell. "" leaves it empty.

    A text is marked as text, so that no program reads a formula or a number. `alignment` is horizontal, `down`
    vertical, and `ground` the colour behind the text.
    """
    if value != "":
        cell.value = value
    if isinstance(value, str) and value:
        cell.data_type = "s"
        cell.number_format = "@"
        cell.quotePrefix = is_formula(value)  # it stays text when somebody edits the cell
    cell.font = Font(_FACE, size, bold=bold, color=color)
    alignment = alignment or ("left" if indent else None)
    cell.alignment = Alignment(alignment, down, wrap_text=wrap, shrink_to_fit=shrink, indent=indent)
    if ground:
        cell.fill = PatternFill("solid", fgColor=ground)


def _set_up(page: Worksheet, paper: str) -> None:
    """Set a worksheet up for printing: as wide as the paper, on any number of pages."""
    page.page_setup.paperSize = PAPERS[paper]
    page.page_setup.orientation = "portrait"
    page.page_setup.fitToHeight = 0
    page.sheet_properties.pageSetUpPr.fitToPage = True
    page.print_options.horizontalCentered = True
    page.page_margins = PageMargins(0.5, 0.5, 0.5, 0.6, 0.3, 0.3)
    page.oddFooter.right.text = "Page &P of &N"
    page.oddFooter.left.text = "Deck registration"


def head_text(text: str) -> str:
    """Return a text for the head of a printed page, cut to 100 characters, with each & doubled.

    A single & begins a command there, and a head of more than 255 characters breaks the file.
    """
    return cut(text, _LONGEST_HEAD).replace("&", "&&")


def _draw_curve(page: Worksheet, sheet: Sheet, paper: str) -> None:
    """Draw the number of cards of each cost in the main deck, as a table and a chart.

    The head has the player's name.
    """
    _set_up(page, paper)
    person = sheet.registration
    page.oddHeader.left.text = head_text(" · ".join(filter(None, (person.player.full_name, person.player_id))))
    page.oddHeader.right.text = head_text(sheet.headline)
    for column, title in enumerate(CURVE_TITLES, 1):
        _fill_cell(page.cell(1, column), title, bold=True)
    for row, (cost, count) in enumerate(sheet.curve, 2):
        _fill_cell(page.cell(row, 1), cost, alignment="left")
        _fill_cell(page.cell(row, 2), count)
    last = len(sheet.curve) + 1
    chart = BarChart()
    chart.title, chart.legend, chart.gapWidth = "Main deck by cost", None, 40
    chart.add_data(Reference(page, min_col=2, min_row=2, max_row=last))
    chart.set_categories(Reference(page, min_col=1, min_row=2, max_row=last))
    chart.x_axis.title, chart.x_axis.delete = "Cost", False
    chart.y_axis.delete, chart.y_axis.majorGridlines = True, None
    chart.series[0].graphicalProperties.solidFill = "333333"
    chart.series[0].dLbls = DataLabelList(showVal=True, showSerName=False, showCatName=False, showLegendKey=False)
    chart.width, chart.height = 15, 8
    page.add_chart(chart, "D1")
