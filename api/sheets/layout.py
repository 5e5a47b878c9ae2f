"""Layouts: a sheet's lines set into the two columns of as many pages as they need. Lengths are in points."""

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
BODY = 104.0  # where what stands under the head begins
FIELDS = 38.0  # how high event, date and place are
BAND = 28.0  # and the verdict
SMALL = 10.5  # and a line of small type
JUDGES = 122.0  # and the signature with the judges' box
FOOT = 42.0  # from the bottom edge
GAP = 8.0
COUNT = 25.0  # how wide a row's count is
TICK = 14.0  # and its box to tick
AIR = 8.0  # between two columns of a row


class Paper(NamedTuple):
    """A size of paper."""

    width: float
    height: float

    @property
    def inner(self) -> float:
        """How wide it is between the margins."""
        return self.width - 2 * MARGIN

    @property
    def column(self) -> float:
        """How wide a column is."""
        return (self.inner - GUTTER) / 2


PAPERS: Mapping[str, Paper] = {"a4": Paper(595.28, 841.89), "letter": Paper(612.0, 792.0)}


class Density(NamedTuple):
    """How large a sheet is set: the size of its type, from line to line, and the air in a row."""

    size: float
    pitch: float
    air: float

    @property
    def drop(self) -> float:
        """How far under the upper edge of its row a text begins."""
        return (self.pitch - self.size + self.air) / 2


_HEADING = 24.0  # how high a section's heading is

# The first that brings everything on one page is taken, else the last.
DENSITIES = (
    Density(12, 15.2, 8.8),
    Density(11, 14, 7),
    Density(10.5, 13.2, 5.6),
    Density(10, 12.6, 4.6),
    Density(9.5, 12, 4),
    Density(9.5, 12, 2.5),
)


class PrintedRow(NamedTuple):
    """A row of a column: how it is drawn, how high it is, what it says; `keep` holds it to the next row."""

    kind: str
    height: float
    said: tuple[Any, ...]
    keep: bool = False


class PrintedPage(NamedTuple):
    """A page: where its columns begin, and the rows of both."""

    top: float
    left: Sequence[PrintedRow]
    right: Sequence[PrintedRow]


@dataclass(frozen=True, slots=True)
class Layout:
    """A sheet, laid out: `number` is how wide its rows' card numbers are, `small` what is said under the verdict."""

    density: Density
    number: float
    small: tuple[str, ...]
    pages: tuple[PrintedPage, ...]


def layout(sheet: Sheet, paper: Paper) -> Layout:
    """Lay a sheet out, in the largest type that brings it on one page."""
    small = tuple(_small(sheet, paper.inner))
    top = BODY + FIELDS + BAND + (len(small) + 0.5) * SMALL
    for density in DENSITIES:
        rows = _Rows(sheet, paper.column, density)
        pages = tuple(_pages(list(rows), paper, top))
        if len(pages) == 1:
            break
    return Layout(density, rows.number, small, pages)


def _small(sheet: Sheet, room: float) -> Iterator[str]:
    """Yield the lines under the verdict: what it was made with, and the notes."""
    yield from fonts.wrapped(sheet.made_with, room, 8)
    if sheet.registration.notes:
        yield from fonts.wrapped(f"Notes: {sheet.registration.notes}", room, 8)


class _Rows:
    """The rows of a sheet, in a column and a type of a size."""

    def __init__(self, sheet: Sheet, width: float, density: Density) -> None:
        entries = [entry for section in sheet.sections for entry in section.entries if entry.known]
        self._sheet = sheet
        self._width = width
        self._density = density
        self.number = _widest({entry.number for entry in entries}, density.size)
        self._cost = _widest({entry.cost for entry in entries}, 9)

    def __iter__(self) -> Iterator[PrintedRow]:
        for section in self._sheet.sections:
            yield _heading(section.title, section.total)
            for group in section.groups:
                if group.title != section.title:
                    priced = any(entry.cost for entry in group.entries)
                    yield PrintedRow("group", 16, (group.title, str(group.total), "Cost" if priced else ""), keep=True)
                yield from map(self._entry, group.entries)
        if self._sheet.found:
            yield _heading(FINDINGS, self._sheet.found)
            yield from self._problems()
        if absent := fonts.missing(self._sheet.text):
            yield _heading("Printed as code points", len(absent))
            yield self._text(fonts.warning(absent))

    def _entry(self, entry: CardEntry) -> PrintedRow:
        room, said = self._width - COUNT - TICK, (str(entry.count or ""), entry.number, entry.cost)
        kind, name = "card", entry.name
        if entry.known:
            room -= self.number + self._cost
        else:
            kind, name, said = "unknown", entry.written, (str(entry.count), "", "")
        lines = fonts.wrapped(name, room, self._density.size)
        return PrintedRow(kind, len(lines) * self._density.pitch + self._density.air, (*said, lines))

    def _problems(self) -> Iterator[PrintedRow]:
        problems, room = self._sheet.problems, self._width - COUNT
        for place, problem in enumerate(problems, 1):
            message = fonts.wrapped(problem.message, room / fonts.BOLD, 9)
            citation = fonts.wrapped(problem.citation, room, 8)
            fix = fonts.wrapped(problem.fix, room, 9)
            height = (len(message) + len(fix)) * 11.5 + len(citation) * SMALL + 6
            yield PrintedRow("problem", height, (str(place), *map("\n".join, (message, citation, fix))))
        if more := self._sheet.found - len(problems):
            yield self._text(f"and {more} more")

    def _text(self, text: str) -> PrintedRow:
        lines = fonts.wrapped(text, self._width, 9)
        return PrintedRow("text", len(lines) * 11.5 + 5, ("\n".join(lines),))


def _widest(texts: set[str], size: float) -> float:
    """Return the width of a column that has these texts, nothing where they are all empty."""
    widest = max((fonts.width(text, size) for text in texts), default=0.0)
    return widest + AIR if widest else 0.0


def _heading(title: str, total: int) -> PrintedRow:
    return PrintedRow("heading", _HEADING, (title, str(total or "")), keep=True)


def _pages(rows: Sequence[PrintedRow], paper: Paper, top: float) -> Iterator[PrintedPage]:
    """Yield the pages of some rows, the first with the verdict above them and the judges' box below."""
    room = paper.height - FOOT - GAP - JUDGES - top
    at = 0
    while at < len(rows) or not at:
        left, middle = _column(rows, at, room)
        right, end = _column(rows, middle, room)
        if end == len(rows):
            left, right = _balanced(rows, at, room) or (left, right)
        yield PrintedPage(top, left, right)
        if not (at := end):
            return
        top, room = BODY, paper.height - FOOT - GAP - BODY


def _column(rows: Sequence[PrintedRow], at: int, room: float) -> tuple[list[PrintedRow], int]:
    """Return a column's rows from a place on, and the place where the next column begins."""
    column = _continued(rows, at)
    room -= _height(column)
    begun = False
    while at < len(rows):
        end = _kept(rows, at)
        room -= _height(rows[at:end])
        if begun and room < 0:
            break
        column += rows[at:end]
        at, begun = end, True
    return column, at


def _kept(rows: Sequence[PrintedRow], at: int) -> int:
    """Return the end of the rows that may not be parted from the one at a place."""
    while rows[at].keep and at + 1 < len(rows):
        at += 1
    return at + 1


def _continued(rows: Sequence[PrintedRow], at: int) -> list[PrintedRow]:
    """Return the heading of a column that begins within a section."""
    if _begins(rows, at):
        return []
    heading = next(row for row in reversed(rows[:at]) if row.kind == "heading")
    return [heading._replace(said=(f"{heading.said[0]}, continued", ""))]


def _begins(rows: Sequence[PrintedRow], at: int) -> bool:
    return at >= len(rows) or rows[at].kind == "heading"


def _balanced(rows: Sequence[PrintedRow], at: int, room: float) -> tuple[list[PrintedRow], list[PrintedRow]] | None:
    """Return two columns as equal in height as can be, None where that is more than the room."""
    first = _continued(rows, at)
    best, middle = room, at
    left, right = _height(first), _height(rows[at:])
    for place, row in enumerate(rows[at:], at + 1):
        left, right = left + row.height, right - row.height
        higher = max(left, right if _begins(rows, place) else right + _HEADING)
        if higher <= best and not row.keep:
            best, middle = higher, place
    return ([*first, *rows[at:middle]], [*_continued(rows, middle), *rows[middle:]]) if middle > at else None


def _height(rows: Sequence[PrintedRow]) -> float:
    return sum(row.height for row in rows)
