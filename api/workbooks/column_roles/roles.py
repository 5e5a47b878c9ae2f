"""Column roles: the role of each column of a sheet, as it was found or as a user chose it, and the sheet's shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from api.service.errors import Refused
from api.workbooks.column_roles.header import Header
from api.workbooks.intake.faults import letters, quoted
from validator.language import phrase
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import Columns
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
    key,
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
        told = f"{self.role} ← {self.label}"
        return f"{told} ({self.why})" if self.why else told

    @property
    def label(self) -> str:
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


def describe_columns(header: Header) -> Iterator[TakenColumn]:
    """Yield the role of each column of a table, with the reason."""
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


# What may be chosen, by the name of the option and of the query parameter.
CHOICES: Mapping[str, str] = {
    "player_column": PLAYER,
    "id_column": PLAYER_ID,
    "list_column": DECKLIST,
    "number_column": NUMBER,
    "count_column": COUNT,
    "name_column": CARD,
}
NO_CHOICES: Mapping[str, str] = {}
CHOSEN = phrase("it was chosen")
_LETTERS = re.compile(r"[A-Za-z]{1,3}")


def apply_choices(header: Header, choices: Mapping[str, str]) -> Header:
    """Return the headings with the columns that a user chose. Raises Refused if there is no such column."""
    layout, why = header.columns, dict(header.why)
    for choice, wanted in choices.items():
        at = _find_column(layout.titles, wanted)
        _assign_role(layout, CHOICES[choice], at)
        why[at] = CHOSEN
    if "list_column" in choices:
        layout.roles.pop(NUMBER, None)
        layout.roles.pop(CARD, None)
    layout.unknown = [at for at in layout.free() if layout.titles[at]]
    return Header(layout, header.start, header.end, why)


def _assign_role(layout: Columns, role: str, column: int) -> None:
    """Give a role to one column only. The column loses its other roles."""
    lost = SOMEBODY if role == PLAYER else (role,)
    kept = {one: [place for place in layout.roles[one] if place != column] for one in layout.roles if one not in lost}
    layout.roles = {one: places for one, places in kept.items() if places} | {role: [column]}
    layout.parts.pop(column, None)
    layout.counts.pop(column, None)
    if role == COUNT:
        layout.counts.clear()


def _find_column(titles: Sequence[str], wanted: str) -> int:
    """Return the index of the column with this heading or these letters. Raises Refused if there is none."""
    named = [at for at, title in enumerate(titles) if title and key(title) == key(wanted)]
    if named:
        return named[0]
    at = _column_number(wanted.strip()) - 1 if _LETTERS.fullmatch(wanted.strip()) else -1
    if not 0 <= at < len(titles):
        there = ", ".join(f"{letters(at)} {quoted(title)}" for at, title in enumerate(titles[:20]) if title)
        raise Refused(f"There is no column {quoted(wanted)}; there are {there}.")
    return at


def _column_number(name: str) -> int:
    number = 0
    for letter in name.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
