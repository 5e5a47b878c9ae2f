"""Readings: how a sheet was read, by its columns with a role, and the columns that a user chose instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from api.service.errors import Refused
from api.workbooks.intake.cells import letters
from validator.decklists.header import Header
from validator.language import Language, Phrase, phrase
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
from validator.texts import shorten_value
from validator.words import join_with_and

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
    """A column of a table: its role as an English phrase ("Card name"), its letters (in `column`) and its heading.

    `why` is the reason for the role, an English phrase, if the cells decided or a user chose. `heading` and `why` are
    "" if there is none.
    """

    role: str
    column: str
    heading: str
    why: str = ""

    def describe(self, translate: Language) -> str:
        """Return the column as text: Player ← C “First and last name”. The reason, if any, is behind it in brackets."""
        told = f"{translate.text(self.role)} ← {self.label(translate)}"
        if not self.why:
            return told
        return translate("{text} ({reason})", text=told, reason=translate.text(self.why))

    def label(self, translate: Language) -> str:
        """Return the letters, with the heading if there is one: C “First and last name”."""
        return column_label(self.column, self.heading, translate)


class SheetReading(NamedTuple):
    """The interpretation of one sheet: its title ("" in a CSV file), its layout, and its columns that have a role.

    `shape` is the layout as an English phrase: "one row per card". `columns` is empty for a deck list without headings.
    For a sheet with a table for each player it has those of the first table.
    """

    sheet: str
    shape: str
    columns: Sequence[TakenColumn] = ()

    def describe(self, translate: Language) -> str:
        """Return the layout and the columns on one line, without the sheet. Only the layout if there are no columns."""
        shape = translate.text(self.shape)
        if not self.columns:
            return shape
        columns = "; ".join(column.describe(translate) for column in self.columns)
        return translate("{shape}: {columns}", shape=shape, columns=columns)


def column_label(letters: str, heading: str, translate: Language) -> str:
    """Return the letters of a column, with its heading in quotes if that is not "". Long headings are cut."""
    return translate("{letters} “{heading}”", letters=letters, heading=shorten_value(heading)) if heading else letters


def describe_columns(header: Header) -> Iterator[TakenColumn]:
    """Yield the columns of a table that have a role, in the order of ROLES.

    Behind them are the columns that count one section ("Count “Main”"), then those with the list of one section.
    """
    columns = header.columns
    for role, title in ROLES.items():
        for at in columns.roles.get(role, ()):
            yield TakenColumn(title, letters(at), columns.titles[at], header.why.get(at, ""))
    for at, section in columns.counts.items():
        yield TakenColumn(phrase("Count “{section}”", section=section), letters(at), columns.titles[at])
    for at, section in columns.parts.items():
        yield TakenColumn(phrase("Part “{section}”", section=section), letters(at), columns.titles[at])


def reading_lines(readings: Iterable[SheetReading], translate: Language) -> Iterator[str]:
    """Yield a line for each different interpretation, with its sheet or the number of sheets that have it.

    The line of a CSV file has no sheet. At most 10 lines are yielded, then one with the number of the others.
    """
    sheets: dict[str, list[str]] = {}
    for reading in readings:
        sheets.setdefault(reading.describe(translate), []).append(reading.sheet)
    for message, titles in list(sheets.items())[:_MOST_TOLD]:
        if len(titles) == 1:
            place = translate("sheet {sheet}", sheet=titles[0])
        else:
            place = translate.plural("{count:,} sheet", "{count:,} sheets", len(titles))
        yield translate("{place}: {problem}", place=place, problem=message) if titles[0] else message
    if len(sheets) > _MOST_TOLD:
        yield translate.plural("{count:,} more reading", "{count:,} more readings", len(sheets) - _MOST_TOLD)


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
CHOSEN = phrase("chosen by you")
_LETTERS = re.compile(r"[A-Za-z]{1,3}")


def apply_choices(header: Header, choices: Mapping[str, str]) -> Header:
    """Return the headings with the columns that a user chose. Raises Refused if there is no such column.

    `choices` is a heading or the letters of a column by role: `{"player_column": "C"}`. Its keys are those of CHOICES.
    If a list column is chosen, no column has card numbers or names. The columns of `header` are changed, too.
    """
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
    """Give a role to one column only, which loses its other roles, as other columns lose this role. Changes `layout`.

    A column of players replaces those of first and last names. A count column replaces the counts of single sections.
    """
    lost = SOMEBODY if role == PLAYER else (role,)
    kept = {one: [place for place in layout.roles[one] if place != column] for one in layout.roles if one not in lost}
    layout.roles = {one: places for one, places in kept.items() if places} | {role: [column]}
    layout.parts.pop(column, None)
    layout.counts.pop(column, None)
    if role == COUNT:
        layout.counts.clear()


def _find_column(titles: Sequence[str], choice: str) -> int:
    """Return the index of the first column with this heading, else of the one with these letters.

    Letter case is ignored. Raises Refused if there is none.
    """
    named = [at for at, title in enumerate(titles) if title and key(title) == key(choice)]
    if named:
        return named[0]
    at = _column_number(choice.strip()) - 1 if _LETTERS.fullmatch(choice.strip()) else -1
    if not 0 <= at < len(titles):
        there = Phrase(list_columns, [(letters(at), title) for at, title in enumerate(titles[:20]) if title])
        raise Refused(
            phrase("There is no column “{column}”; there are {columns}.", column=shorten_value(choice), columns=there)
        )
    return at


def list_columns(columns: Sequence[tuple[str, str]], translate: Language) -> str:
    """Return columns, given as (letters, heading), as a part of a sentence: A “Player” and C."""
    return join_with_and([column_label(letter, heading, translate) for letter, heading in columns], translate)


def _column_number(name: str) -> int:
    """Return the number of a column from 1 by its letters: A → 1, aa → 27. `name` must consist of A to Z."""
    number = 0
    for letter in name.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
