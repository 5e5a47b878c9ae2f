"""Layouts: the rows of a sheet in two columns on one or more pages. Lengths are in points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from api.sheets import fonts
from api.sheets.sheet import FINDINGS, CardEntry, Sheet

MARGIN = 34.0
GUTTER = 22.0
HEAD = 34.0  # from the top edge to the initial's box, the name and the code
SIDE = 56.0  # of that box and of the code
BODY = 104.0  # from the top edge to what is below the head
FIELDS = 38.0  # height of event, date and place
BAND = 28.0  # of the verdict
SMALL = 10.5  # of a line of small type
JUDGES = 122.0  # of the signature and the judges' box
FOOT = 42.0  # from the bottom edge
GAP = 8.0
COUNT = 25.0  # width of a row's count
TICK = 14.0  # of its box to tick
AIR = 8.0  # between two columns of a row


class Paper(NamedTuple):
    """A size of paper in points."""

    width: float
    height: float

    @property
    def inner(self) -> float:
        """The width between the margins, in points."""
        return self.width - 2 * MARGIN

    @property
    def column(self) -> float:
        """The width of one of the two columns, in points."""
        return (self.inner - GUTTER) / 2


PAPERS: Mapping[str, Paper] = {"a4": Paper(595.28, 841.89), "letter": Paper(612.0, 792.0)}


class Density(NamedTuple):
    """The density of a sheet, in points: font size, `pitch` (height of a line), and `air`.

    `air` is the space above and below the text of a row, together.
    """

    size: float
    pitch: float
    air: float

    @property
    def drop(self) -> float:
        """The distance from the upper edge of a row to its text, in points."""
        return (self.pitch - self.size + self.air) / 2


_HEADING = 24.0  # height of a section's heading

# The first with which everything fits on one page is used, else the last.
DENSITIES = (
    Density(12, 15.2, 8.8),
    Density(11, 14, 7),
    Density(10.5, 13.2, 5.6),
    Density(10, 12.6, 4.6),
    Density(9.5, 12, 4),
    Density(9.5, 12, 2.5),
)


class PrintedRow(NamedTuple):
    """A row of a column: its kind, its height in points, and the contents of its cells.

    `kind` is "heading", "group", "card", "unknown", "problem" or "text". The cells of a known or unknown card are
    count, number and cost as texts, and the lines of the name. Those of other rows are texts with line ends. `keep` is
    True if the row must stay in the same column as the next row.
    """

    kind: str
    height: float
    cells: tuple[Any, ...]
    keep: bool = False


class PrintedPage(NamedTuple):
    """A page: the distance of its columns from the top edge in points, and the rows of both columns."""

    top: float
    left: Sequence[PrintedRow]
    right: Sequence[PrintedRow]


@dataclass(frozen=True, slots=True)
class Layout:
    """The pages of a sheet, at least one.

    `number` is the width of the column of card numbers in points, 0 without any, `small` the lines under the verdict.
    """

    density: Density
    number: float
    small: tuple[str, ...]
    pages: tuple[PrintedPage, ...]


def layout(sheet: Sheet, paper: Paper) -> Layout:
    """Return the layout of a sheet in the least dense of DENSITIES with which it fits on one page.

    If none does, it is in the densest, on several pages.
    """
    small = tuple(_small_lines(sheet, paper.inner))
    top = BODY + FIELDS + BAND + (len(small) + 0.5) * SMALL
    for density in DENSITIES:
        rows = _Rows(sheet, paper.column, density)
        pages = tuple(_pages(list(rows), paper, top))
        if len(pages) == 1:
            break
    return Layout(density, rows.number, small, pages)


def _small_lines(sheet: Sheet, room: float) -> Iterator[str]:
    """Yield the lines under the verdict, wrapped to the width `room`: the sheet's `made_with`, then any notes."""
    yield from fonts.wrap_text(sheet.made_with, room, 8)
    if sheet.registration.notes:
        yield from fonts.wrap_text(f"Notes: {sheet.registration.notes}", room, 8)


class _Rows:
    """The rows of a sheet for a column width and a density, made again in each iteration.

    `number` is the width of the column of card numbers, in points, 0 without any.
    """

    def __init__(self, sheet: Sheet, width: float, density: Density) -> None:
        entries = [entry for section in sheet.sections for entry in section.entries if entry.known]
        self._sheet = sheet
        self._width = width
        self._density = density
        self.number = _widest({entry.number for entry in entries}, density.size)
        self._cost = _widest({entry.cost for entry in entries}, 9)

    def __iter__(self) -> Iterator[PrintedRow]:
        """Yield the rows of the sheet: sections with their cards, findings, and notes on characters without a font."""
        for section in self._sheet.sections:
            yield _heading_row(section.title, section.total)
            for group in section.groups:
                if group.title != section.title:
                    priced = any(entry.cost for entry in group.entries)
                    yield PrintedRow("group", 16, (group.title, str(group.total), "Cost" if priced else ""), keep=True)
                yield from map(self._card_row, group.entries)
        if self._sheet.found:
            yield _heading_row(FINDINGS, self._sheet.found)
            yield from self._problem_rows()
        if absent := fonts.missing_characters(self._sheet.text):
            yield _heading_row("Printed as code points", len(absent))
            yield self._text_row(fonts.missing_warning(absent))

    def _card_row(self, entry: CardEntry) -> PrintedRow:
        """Return the row of a card, with its name wrapped to the column. A count of 0 (a blank sheet) is left out.

        An unknown card is printed as the player wrote it, without a cost.
        """
        room, cells = self._width - COUNT - TICK, (str(entry.count or ""), entry.number, entry.cost)
        kind, name = "card", entry.name
        if entry.known:
            room -= self.number + self._cost
        else:
            kind, name, cells = "unknown", entry.text, (str(entry.count), "", "")
        lines = fonts.wrap_text(name, room, self._density.size)
        return PrintedRow(kind, len(lines) * self._density.pitch + self._density.air, (*cells, lines))

    def _problem_rows(self) -> Iterator[PrintedRow]:
        """Yield a row for each problem of the sheet, then one with the number of findings left out, if any."""
        problems, room = self._sheet.problems, self._width - COUNT
        for place, problem in enumerate(problems, 1):
            message = fonts.wrap_text(problem.message, room / fonts.BOLD, 9)
            citation = fonts.wrap_text(problem.citation, room, 8)
            fix = fonts.wrap_text(problem.fix, room, 9)
            height = (len(message) + len(fix)) * 11.5 + len(citation) * SMALL + 6
            yield PrintedRow("problem", height, (str(place), *map("\n".join, (message, citation, fix))))
        if more := self._sheet.found - len(problems):
            yield self._text_row(f"and {more} more")

    def _text_row(self, text: str) -> PrintedRow:
        """Return a row of text that is wrapped to the column."""
        lines = fonts.wrap_text(text, self._width, 9)
        return PrintedRow("text", len(lines) * 11.5 + 5, ("\n".join(lines),))


def _widest(texts: set[str], size: float) -> float:
    """Return the width of a column with these texts and some space, in points.

    0 if there are none, or all are empty.
    """
    widest = max((fonts.width(text, size) for text in texts), default=0.0)
    return widest + AIR if widest else 0.0


def _heading_row(title: str, total: int) -> PrintedRow:
    """Return the heading row of a section with its total, which is left out if 0. It stays with the row below."""
    return PrintedRow("heading", _HEADING, (title, str(total or "")), keep=True)


def _pages(rows: Sequence[PrintedRow], paper: Paper, top: float) -> Iterator[PrintedPage]:
    """Yield the pages of a sheet's rows. The first has the verdict above its columns, which begin at `top`.

    The last page has columns of nearly equal height, if these fit. At least one page is yielded. Space for the judges'
    box is kept on the first page only.
    """
    room = paper.height - FOOT - GAP - JUDGES - top
    start = 0
    while start < len(rows) or not start:
        left, middle = _fill_column(rows, start, room)
        right, end = _fill_column(rows, middle, room)
        if end == len(rows):
            left, right = _balance_columns(rows, start, room) or (left, right)
        yield PrintedPage(top, left, right)
        if not (start := end):
            return
        top, room = BODY, paper.height - FOOT - GAP - BODY


def _fill_column(rows: Sequence[PrintedRow], start: int, room: float) -> tuple[list[PrintedRow], int]:
    """Return `(rows of a column, index of the next column's first row)`. The column is filled up to the height `room`.

    A column within a section begins with the repeated heading. At least one group of rows that stay together is in it,
    even if it is too high.
    """
    column = _continued_heading(rows, start)
    room -= _total_height(column)
    has_rows = False
    while start < len(rows):
        end = _unbroken_end(rows, start)
        room -= _total_height(rows[start:end])
        if has_rows and room < 0:
            break
        column += rows[start:end]
        start, has_rows = end, True
    return column, start


def _unbroken_end(rows: Sequence[PrintedRow], start: int) -> int:
    """Return the end index of the rows that must stay together with the row at `start`."""
    end = start + 1
    while rows[end - 1].keep and end < len(rows):
        end += 1
    return end


def _continued_heading(rows: Sequence[PrintedRow], start: int) -> list[PrintedRow]:
    """Return a list with the repeated heading of a column that begins within a section: "…, continued".

    The list is empty if a section begins at `start`.
    """
    if _is_section_start(rows, start):
        return []
    heading = next(row for row in reversed(rows[:start]) if row.kind == "heading")
    return [heading._replace(cells=(f"{heading.cells[0]}, continued", ""))]


def _is_section_start(rows: Sequence[PrintedRow], index: int) -> bool:
    """Return True if a section begins at this row, or if the rows end here."""
    return index >= len(rows) or rows[index].kind == "heading"


def _balance_columns(
    rows: Sequence[PrintedRow], start: int, room: float
) -> tuple[list[PrintedRow], list[PrintedRow]] | None:
    """Return the rows from `start` on in two columns of nearly equal height. None if one is higher than `room`."""
    first = _continued_heading(rows, start)
    best, middle = room, start
    left, right = _total_height(first), _total_height(rows[start:])
    for place, row in enumerate(rows[start:], start + 1):
        left, right = left + row.height, right - row.height
        higher = max(left, right if _is_section_start(rows, place) else right + _HEADING)
        if higher <= best and not row.keep:
            best, middle = higher, place
    return (
        ([*first, *rows[start:middle]], [*_continued_heading(rows, middle), *rows[middle:]]) if middle > start else None
    )


def _total_height(rows: Sequence[PrintedRow]) -> float:
    """Return the height of these rows together, in points."""
    return sum(row.height for row in rows)
