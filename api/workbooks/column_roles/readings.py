"""Readings: how each sheet of a spreadsheet was taken: its shape, and which column for what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from api.workbooks.column_roles.header import Header
from api.workbooks.intake.faults import letters, quoted
from validator.language import phrase
from validator.tables.headings import (
    CARD,
    COUNT,
    DECKLIST,
    EVENT,
    FIRST,
    LAST,
    NUMBER,
    PLAYER,
    PLAYER_ID,
    SECTION,
    SIDE,
    TYPE,
)

ROLES: Mapping[str, str] = {
    PLAYER: phrase("Player"),
    LAST: phrase("Last name"),
    FIRST: phrase("First name"),
    PLAYER_ID: phrase("Player ID"),
    EVENT: phrase("Event"),
    DECKLIST: phrase("Deck list"),
    NUMBER: phrase("Number"),
    CARD: phrase("Card name"),
    COUNT: phrase("Count"),
    SECTION: phrase("Section"),
    SIDE: phrase("Side deck"),
    TYPE: phrase("Type"),
}
_MOST_TOLD = 10  # different readings that are told


class TakenColumn(NamedTuple):
    """What a column was taken for: the role, the letters and the heading, and why, where the cells told it."""

    role: str
    column: str
    heading: str
    why: str = ""

    @property
    def message(self) -> str:
        """The whole of it: Player ← C “First and last name”."""
        told = f"{self.role} ← {self.named}"
        return f"{told} ({self.why})" if self.why else told

    @property
    def named(self) -> str:
        """The letters, with the heading if there is one: C “First and last name”."""
        return f"{self.column} {quoted(self.heading)}" if self.heading else self.column


class SheetReading(NamedTuple):
    """How one sheet was read: what it is called ("" in a CSV file), its shape, and its columns."""

    sheet: str
    shape: str
    columns: Sequence[TakenColumn] = ()

    @property
    def message(self) -> str:
        """The whole of it on one line, without the sheet."""
        return ": ".join(filter(None, (self.shape, "; ".join(column.message for column in self.columns))))


def taken(header: Header) -> Iterator[TakenColumn]:
    """Yield what the columns under a heading were taken for."""
    columns = header.columns
    for role, title in ROLES.items():
        for at in columns.roles.get(role, ()):
            yield TakenColumn(title, letters(at), columns.titles[at], header.why.get(at, ""))
    for at, section in columns.counts.items():
        yield TakenColumn(phrase("Count “{section}”", section=section), letters(at), columns.titles[at])
    for at, section in columns.parts.items():
        yield TakenColumn(phrase("Part “{section}”", section=section), letters(at), columns.titles[at])


def lines(readings: Iterable[SheetReading]) -> Iterator[str]:
    """Yield a line for each different reading, with the sheets that were read so."""
    sheets: dict[str, list[str]] = {}
    for reading in readings:
        sheets.setdefault(reading.message, []).append(reading.sheet)
    for message, titles in list(sheets.items())[:_MOST_TOLD]:
        where = f"sheet {titles[0]}" if len(titles) == 1 else f"{len(titles):,} sheets"
        yield f"{where}: {message}" if titles[0] else message
    if len(sheets) > _MOST_TOLD:
        yield f"{len(sheets) - _MOST_TOLD:,} more readings"
