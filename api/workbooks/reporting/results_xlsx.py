"""XLSX: reports drawn as a workbook in which no cell is ever taken for a formula."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import count
from typing import IO, Any, NamedTuple

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.chart.label import DataLabelList
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.pagebreak import Break

from api.service.errors import Refused
from api.sheets.registration import NO_EVENT, Event
from api.sheets.sheet_xlsx import PAPERS, head_text
from api.workbooks.intake.cells import NOTICE, letters
from api.workbooks.reporting import reports, results
from api.workbooks.reporting.openpyxl_rows import RowSheet, remove_temporary_files
from api.workbooks.reporting.report_table import ID, LONG, NUMBER, WORD, Chart, Column, Report, Value, writable
from api.workbooks.reporting.report_texts import word
from api.workbooks.reporting.results import Progress, Results, ignore_progress
from validator.findings import ADVICE, ERROR, WARNING
from validator.formulas import is_formula
from validator.games import GAMES
from validator.language import ENGLISH, Language, phrase

LONGEST_TITLE = 31  # characters of a sheet's title, by Excel's own limit
_BEFORE_NUMBER = LONGEST_TITLE - len(" (2)")
LONGEST_TEXT = 32_767  # characters of a cell, likewise
_UNTITLED = re.compile(r"[\\/?*:\[\]]")
FACE = "Calibri"
_LINE = 15  # points
_MOST_LINES = 27  # of a cell, as high as a row may be; the rest is there all the same
_INK, _BLUE, _BAND = "FF1F2937", "FF1E3A5F", "FFF3F6FA"
_COLOURS = {
    results.LEGAL: ("FFDCF5E3", "FF14532D"),
    results.ILLEGAL: ("FFFBD9D7", "FF8A1C14"),
    results.NO_DECK: ("FFFDEFC8", "FF6B4A00"),
    ERROR: ("FFFBD9D7", "FF8A1C14"),
    WARNING: ("FFFDEFC8", "FF6B4A00"),
    ADVICE: ("FFE1ECF9", "FF1E3A5F"),
    NOTICE: ("FFE1ECF9", "FF1E3A5F"),
}
_ACROSS = 75  # % of its size; programs differ by a quarter in how wide they draw a column
MOST_DECK_SHEETS = 500


class BookPage(NamedTuple):
    """The properties that all printed pages of a workbook share: the paper ("a4" or "letter") and the language.

    `left` and `right` are the texts at the head of each page: the file or event, and the game with the event.
    """

    paper: str
    left: str
    right: str
    translate: Language = ENGLISH


def write(
    outcome: Results,
    target: IO[bytes],
    deck_sheets: bool = False,
    progress: Progress = ignore_progress,
    event: Event = NO_EVENT,
    paper: str = "a4",
    translate: Language = ENGLISH,
) -> None:
    """Write the results as an XLSX workbook to `target`, in a language.

    With `deck_sheets` each player also has an own sheet. Players are sorted by last name. Printed pages are for `paper`
    and name the event. `progress` is called after each row, with its share of the number of players, and that number.
    An exception that it raises stops the work. Raises Refused if `deck_sheets` is set and there are more than 500
    players.
    """
    outcome, players = outcome.sorted_by_name, len(outcome.judged)
    if deck_sheets and players > MOST_DECK_SHEETS:
        raise Refused(
            phrase(
                "A sheet for each deck is made for at most {most:,} decks, and here are {count:,}.",
                most=MOST_DECK_SHEETS,
                count=players,
            )
        )
    tables = list(reports.reports(outcome, translate))
    tables += (reports.deck(one, translate) for one in outcome.judged) if deck_sheets else ()
    page = BookPage(paper, outcome.book.name, occasion(outcome, event), translate)
    draw(tables, target, page, players, progress)


def draw(
    tables: Sequence[Report], target: IO[bytes], page: BookPage, players: int, progress: Progress = ignore_progress
) -> None:
    """Write reports as sheets of an XLSX workbook to `target`, which is only written when all is complete.

    `progress` is called after each row, with its share of `players` and with `players`. After an error no temporary
    file is left.
    """
    rows, written = sum(len(table.rows) for table in tables), count(1)
    book = Workbook(write_only=True)
    book.properties.creator = "deckproof"
    titles = Titles()
    try:
        for table in tables:
            _Sheet(book, titles, table, page).draw(lambda: progress(players * next(written) // rows, players))
        packed = BytesIO()  # of a file that is full an archive would write the end again and again
        book.save(packed)
    except BaseException:
        remove_temporary_files(book)
        raise
    target.write(packed.getvalue())


def occasion(outcome: Results, event: Event) -> str:
    """Return the game's title with format, name, date and place of the event, for the head of pages: "Game · Event".

    If `event` has no name, that in the spreadsheet is used, provided that all players have the same.
    """
    said = {entry.who.event for entry in outcome.book.entries}
    if len(said) == 1 and not event.event:
        event = event._replace(event=said.pop())
    return " · ".join(filter(None, (GAMES[outcome.judge.terms.ruleset.game].title, event.headline)))


def fit_page(sheet: Any, paper: str = "a4", translate: Language = ENGLISH) -> None:
    """Set an openpyxl sheet up to be printed in landscape, as wide as the paper.

    Pages are numbered and have the sheet's title.
    """
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = PAPERS[paper]
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.page_margins = PageMargins(0.4, 0.4, 0.6, 0.6, 0.3, 0.3)
    sheet.oddFooter.left.text = "&A"  # the title of the sheet
    sheet.oddFooter.right.text = translate("Page {page} of {pages}", page="&P", pages="&N")


class _Style(NamedTuple):
    """The id of a cell style (`usual`), and that of the same style for texts that look like formulas (`of_texts`)."""

    usual: int
    of_texts: int


class Titles:
    """The titles of a workbook's sheets so far, as Excel allows them, without duplicates."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()  # the last one that each title has got, which many may share

    def new(self, proposal: str) -> str:
        """Return a title like `proposal` that no sheet has yet, and remember it. Letter case is ignored.

        At most 31 characters, without those that Excel forbids. Duplicates, and "History", which Excel reserves, end
        with " (2)" and so on. "" becomes "Sheet".
        """
        clean = " ".join(_UNTITLED.sub(" ", writable(proposal)).split()).strip("' ") or "Sheet"
        title, key = clean[:LONGEST_TITLE].strip("' "), clean[:_BEFORE_NUMBER].casefold()
        while title.casefold() in self._taken or title.casefold() == "history":
            self._numbers[key] += 1
            mark = f" ({self._numbers[key] + 1})"
            title = clean[: LONGEST_TITLE - len(mark)].rstrip() + mark
        self._taken.add(title.casefold())
        return title


class _Sheet:
    """A report on a sheet, written row by row. Each column has one style for single lines and one for several."""

    def __init__(self, book: Workbook, titles: Titles, report: Report, page: BookPage) -> None:
        """Add an empty sheet for the report to the workbook, with a new title of `titles`. `draw` fills it."""
        self._report, self._page = report, page
        self._sheet = RowSheet(book, titles.new(report.title))
        self._row = 0
        headings = [column.title for column in report.columns]
        # Of the columns that are printed.
        self._last = headings.index(report.printed) if report.printed else len(headings) - 1
        indented = set(_indented_columns(report.columns))
        self._looks = [(column.kind, at in indented) for at, column in enumerate(report.columns)]
        self._styles = {is_high: self._map_columns(partial(self._style, is_high)) for is_high in (False, True)}
        self._long = [(at, column.width) for at, column in enumerate(report.columns) if column.kind == LONG]

    def _map_columns(self, styled: Callable[[str, bool], _Style]) -> list[_Style]:
        """Return the style of each column of the report.

        `styled` makes it from (kind, is indented). It is called once for all columns that are equal in both.
        """
        made = {look: styled(*look) for look in dict.fromkeys(self._looks)}
        return [made[look] for look in self._looks]

    def _style(self, is_high: bool, kind: str, is_indented: bool) -> _Style:
        """Return the style of the cells of a column of this kind. `is_high` is True for rows of several lines.

        Texts of kind LONG are wrapped if the row is high or the column indented.
        """
        alignment = Alignment(
            horizontal="left" if is_indented else None,
            vertical="top" if is_high else None,
            wrap_text=True if kind == LONG and (is_high or is_indented) else None,
            indent=int(is_indented),
        )
        return self._make_style("@" if kind == ID else "General", alignment=alignment)

    def _make_style(self, number_format: str = "General", **looks: Any) -> _Style:
        """Return the style with a number format and other looks, such as `font` and `fill`."""
        return _Style(*(self._sheet.style(number_format, is_text, **looks) for is_text in (False, True)))

    def draw(self, report_row: Callable[[], None]) -> None:
        """Write the whole sheet with filters, colours, chart and print area. Call this once.

        `report_row` is called after each row of the report.
        """
        head = len(self._report.above) + 1
        self._set_up(head)
        self._write_head()
        for row in self._report.rows:
            self._write_row(row)
            report_row()
        end = letters(len(self._report.columns) - 1)
        if not self._report.across:
            self._sheet.auto_filter.ref = f"A{head}:{end}{self._row}"
        if self._row > head:
            self._colour(head + 1, self._row, end)
        if self._report.chart:
            self._chart(self._report.chart, head)
        if self._report.printed:
            self._sheet.print_area = f"A1:{letters(self._last)}{self._row}"

    def _set_up(self, head: int) -> None:
        """Set the widths of the columns, the printed pages and the frozen panes. `head` is the row of the headings."""
        sheet = self._sheet
        sheet.freeze_panes = f"{'A' if self._report.across else 'B'}{head + 1}"
        sheet.sheet_view.zoomScale = 90
        fit_page(sheet, self._page.paper, self._page.translate)
        if self._report.across:
            self._break_pages(self._report.across)
        sheet.oddHeader.left.text, sheet.oddHeader.right.text = map(head_text, (self._page.left, self._page.right))
        sheet.print_title_rows = f"{head}:{head}"
        for at, column in enumerate(self._report.columns):
            sheet.column_dimensions[letters(at)].width = max(column.width, _heading_width(column.title))
            sheet.column_dimensions[letters(at)].hidden = column.hidden

    def _break_pages(self, columns_per_page: int) -> None:
        """Set a page break after each `columns_per_page` columns of the table, instead of fitting all on one page.

        The pages are printed at 75 % of their size, those of the same rows after each other.
        """
        self._sheet.sheet_properties.pageSetUpPr.fitToPage = False
        self._sheet.page_setup.pageOrder = "overThenDown"
        self._sheet.page_setup.scale = _ACROSS
        for last in range(columns_per_page, len(self._report.columns), columns_per_page):
            self._sheet.col_breaks.append(Break(last))

    def _write_head(self) -> None:
        """Write the lines above the table and the row of headings. The first line is large.

        Other lines that are longer than the printed columns are wrapped.
        """
        first = self._make_style(font=Font(FACE, 14, bold=True, color=_BLUE))
        others = self._make_style(font=Font(FACE, 11, color=_INK))
        wrapped = self._make_style(font=Font(FACE, 11, color=_INK), alignment=Alignment(vertical="top", wrap_text=True))
        shown = [column.width for column in self._report.columns[: self._last + 1] if not column.hidden]
        for at, line in enumerate(self._report.above):
            lines = _lines(line, sum(shown))
            style = first if at == 0 else wrapped if lines > 1 else others
            self._append([_style_value(style, line)], 1.4 if at == 0 else lines)
            if style is wrapped:
                self._sheet.merged_cells.add(f"A{self._row}:{letters(self._last)}{self._row}")
        titles = (column.title or " " for column in self._report.columns)  # those without one are coloured, too
        self._append(map(_style_value, self._map_columns(self._heading), titles), 2)

    def _heading(self, kind: str, is_indented: bool) -> _Style:
        """Return the style of the heading of a column of this kind."""
        place = "right" if kind == NUMBER else "left"
        alignment = Alignment(vertical="center", horizontal=place, indent=int(is_indented), wrap_text=True)
        looks = {"font": Font(FACE, 11, bold=True, color="FFFFFFFF"), "fill": PatternFill("solid", fgColor=_BLUE)}
        return self._make_style(**looks, alignment=alignment)

    def _write_row(self, row: Sequence[Value]) -> None:
        """Write a row of the report, as high as its longest text in a column of kind LONG needs."""
        lines = 1
        for at, width in self._long:
            value = row[at]
            if isinstance(value, str) and (len(value) > width or "\n" in value):
                lines = max(lines, _lines(value, width))
        self._append(map(_style_value, self._styles[lines > 1], row), lines)

    def _append(self, cells: Iterable[tuple[int, Value]], lines: float) -> None:
        """Write pairs of style and value as the next row, with the height of `lines` lines.

        The height is written, because programs do not compute that of wrapped text.
        """
        self._row += 1
        self._sheet.add_row(cells, None if lines == 1 else _LINE * lines)

    def _colour(self, first: int, last: int, end: str) -> None:
        """Add rules that colour the words of WORD columns by their meaning, and the ground of every other row.

        The rows are `first` to `last`. `end` are the letters of the last column.
        """
        rules = self._sheet.conditional_formatting
        for at, column in enumerate(self._report.columns):
            if column.kind == WORD:
                place = letters(at)
                for code, (ground, ink) in _COLOURS.items():
                    shown = word(code, self._page.translate)
                    rule = FormulaRule(
                        [f'${place}{first}="{shown}"'], fill=_ground(ground), font=Font(color=ink, bold=True)
                    )
                    rules.add(f"{place}{first}:{place}{last}", rule)
        rules.add(f"A{first}:{end}{last}", FormulaRule(["MOD(ROW(),2)=0"], fill=_ground(_BAND)))

    def _chart(self, chart: Chart, head: int) -> None:
        """Draw a bar chart at the right of the table. `head` is the row of the headings."""
        drawn = BarChart()
        drawn.type, drawn.style, drawn.legend = "bar", 10, None
        drawn.title = chart.title
        last = head + chart.rows
        drawn.add_data(Reference(self._sheet, min_col=chart.values + 1, min_row=head + 1, max_row=last))
        drawn.set_categories(Reference(self._sheet, min_col=chart.labels + 1, min_row=head + 1, max_row=last))
        drawn.y_axis.majorGridlines = None
        drawn.y_axis.delete = True
        drawn.x_axis.delete = False
        drawn.x_axis.scaling.orientation = "maxMin"  # the first row is the uppermost bar
        drawn.gapWidth = 40
        drawn.series[0].graphicalProperties.solidFill = _BLUE[2:]
        drawn.series[0].dLbls = DataLabelList(showVal=True, showSerName=False, showCatName=False, showLegendKey=False)
        drawn.width, drawn.height = 14, 2.5 + 0.7 * chart.rows
        self._sheet.add_chart(drawn, f"{letters(len(self._report.columns) + 1)}{head + 1}")


def _heading_width(title: str) -> int:
    """Return the number of characters of the longest word of a heading, 0 for "".

    A narrower column would break the word.
    """
    return max(map(len, title.split()), default=0)


def _indented_columns(columns: Sequence[Column]) -> Iterator[int]:
    """Yield the positions, from 0, of the columns that need an indent.

    These are the columns of ids, and those right after a column of numbers that are not numbers themselves.
    """
    for at, column in enumerate(columns):
        after_number = at > 0 and columns[at - 1].kind == NUMBER
        if column.kind == ID or (after_number and column.kind != NUMBER):
            yield at


def _lines(text: str, width: int) -> int:
    """Return the estimated number of lines of a text in a column of `width` characters, at most 27."""
    return min(sum(1 + len(line) * 9 // (8 * width) for line in text.split("\n")), _MOST_LINES)


def _style_value(style: _Style, value: Value) -> tuple[int, Value]:
    """Return `(style id, value)`. Texts are cut to 32,767 characters, without those that a workbook cannot have.

    "" becomes None. A text that looks like a formula has a style with which it stays a text if somebody edits it.
    """
    if not isinstance(value, str):
        return style.usual, value
    text = writable(value)[:LONGEST_TEXT]
    return style.of_texts if is_formula(text) else style.usual, text or None


def _ground(colour: str) -> PatternFill:
    """Return the fill with a colour."""
    return PatternFill("solid", bgColor=colour, fgColor=colour)
