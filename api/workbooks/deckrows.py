"""Deck rows: a sheet with a row for each deck, its list in one cell, in any format that lists are read in."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any

from api.workbooks import cells
from api.workbooks import headings
from api.workbooks.cells import Cell
from api.workbooks.cells import is_blank
from api.workbooks.cells import text
from api.workbooks.entries import Entry
from api.workbooks.entries import Part
from api.workbooks.faults import ERROR
from api.workbooks.faults import NOTICE
from api.workbooks.faults import address
from api.workbooks.faults import quoted
from api.workbooks.tables import Named
from api.workbooks.tables import Table
from validator import decklists
from validator.deck import MOST_LINES
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import Line
from validator.deck import Unread
from validator.decklists.formulas import unguarded

_NOTHING = frozenset(("", "-", "–", "—", "no", "none", "n/a", "na", "nil", "0", "false"))


class DeckRows:
    """The reader of one such sheet."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._list = table.columns.roles[headings.DECKLIST][0]
        # Those of one section after the list, in which the same Leader may stand again.
        self._parts: list[tuple[int, str]] = [*table.columns.parts.items()]

    def read(self) -> None:
        """Read the sheet into the book."""
        for at, row in self._table.body():
            if self._table.is_heading(row):
                self._table.book.rows.headings += 1
            else:
                self._read(at, row)

    def _read(self, at: int, row: Sequence[Cell]) -> None:
        book = self._table.book
        who, faults = self._table.who(at, row)
        if not (who.name or who.id):
            faults.append(self._table.fault(at, None, "no player is named", severity=NOTICE))
        faults += self._table.odd(at)
        entry = Entry(who, self._table.grid.sheet, at, aside=self._table.aside(row))
        lists = {address(at, column) for column in (self._list, *self._table.columns.parts)}
        if not any(fault.severity == ERROR and fault.cell in lists for fault in faults):
            found = self._deck(row[self._list])
            if isinstance(found, Deck):
                found = _bounded(self._whole(entry, found, row))
            if isinstance(found, Deck):
                entry.deck = found
            else:
                faults.append(self._table.fault(at, self._list, found, row))
        book.faults += faults
        book.entries.append(entry)
        if entry.deck is None:
            book.rows.unread += 1
        else:
            book.rows.in_decks += 1

    def _whole(self, entry: Entry, deck: Deck, row: Sequence[Cell]) -> Deck:
        """Return a deck with what the columns of its other sections say, its lines counted through all the cells."""
        parts = [Part(0, self._table.title(self._list))]
        for column, section in self._parts:
            written = text(row[column])
            if section == "leader" and deck.leader:
                entry.aside = {**entry.aside, self._table.title(column): cells.note(row[column])}
            elif written.casefold() not in _NOTHING:
                before = max(_numbers(deck), default=0)
                parts.append(Part(before, self._table.title(column)))
                deck = _joined(deck, self._part(row[column], section, before))
        entry.parts = parts
        return deck

    def _part(self, cell: Cell, section: str, before: int) -> Deck:
        """Return a cell's part of a deck, all of it in one section; what cannot be read is unread."""
        if section == "leader" and isinstance(named := self._table.cards.counted(cell), Named):
            return Deck(leader=(Line(named.number, named.copies, named.name, before + 1),))
        found = self._deck(cell)
        if isinstance(found, str):
            return Deck(unread=(Unread(before + 1, text(cell)[:200], found),))
        lines = [line._replace(at=(line.at or 1) + before) for _, line in found.lines()]
        unread = [line._replace(at=line.at + before) for line in found.unread]
        return Deck(**{section: tuple(lines)}, unread=tuple(unread))

    def _deck(self, cell: Cell) -> Deck | str:
        """Return the deck that a cell holds, or why it holds none."""
        if is_blank(cell):
            return "there is no deck list"
        written = unguarded(text(cell)).replace("_x000D_", "")
        if len(written) > cells.LONGEST_TEXT:
            return cells.too_long(written)
        return listed(written, self._table)


def _numbers(deck: Deck) -> Iterator[int]:
    yield from (line.at for _, line in deck.lines() if line.at)
    yield from (line.at for line in deck.unread)


def _joined(deck: Deck, part: Deck) -> Deck:
    sections: dict[str, Any] = {section: deck.section(section) + part.section(section) for section in SECTIONS}
    return Deck(**sections, unread=deck.unread + part.unread)


def listed(written: str, table: Table) -> Deck | str:
    """Return the deck that a text is, or why it is none."""
    try:
        deck = decklists.parse(written, table.cards.game, table.cards.catalogue).deck
    except ValueError as error:
        return str(error)
    return _bounded(deck) if any(deck.lines()) else f"there is no card in {quoted(written)}"


def _bounded(deck: Deck) -> Deck | str:
    """Return a deck, or that it has too many lines."""
    lines = sum(1 for _ in deck.lines())
    return deck if lines <= MOST_LINES else f"a deck has at most {MOST_LINES:,} lines, and this has {lines:,}"
