"""Deck rows: a sheet with a row for each deck, its list in one cell, in any format that lists are read in."""

from __future__ import annotations

from collections.abc import Sequence

from api.workbooks import cells
from api.workbooks import headings
from api.workbooks.cells import Cell
from api.workbooks.cells import is_blank
from api.workbooks.cells import text
from api.workbooks.entries import Entry
from api.workbooks.faults import ERROR
from api.workbooks.faults import NOTICE
from api.workbooks.faults import address
from api.workbooks.faults import quoted
from api.workbooks.tables import Table
from validator import decklists
from validator.deck import MOST_LINES
from validator.deck import Deck
from validator.decklists.formulas import unguarded


class DeckRows:
    """The reader of one such sheet."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._list = table.columns.roles[headings.DECKLIST][0]

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
        entry = Entry(who, self._table.grid.sheet, at, None, False, self._list, self._table.columns.titles[self._list])
        entry.aside = self._table.aside(row)
        if not any(fault.severity == ERROR and fault.cell == address(at, self._list) for fault in faults):
            found = self._deck(row[self._list])
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

    def _deck(self, cell: Cell) -> Deck | str:
        """Return the deck that a cell holds, or why it holds none."""
        if is_blank(cell):
            return "there is no deck list"
        written = unguarded(text(cell)).replace("_x000D_", "")
        if len(written) > cells.LONGEST_TEXT:
            return cells.too_long(written)
        return listed(written, self._table)


def listed(written: str, table: Table) -> Deck | str:
    """Return the deck that a text is, or why it is none."""
    try:
        deck = decklists.parse(written, table.cards.game, table.cards.catalogue).deck
    except ValueError as error:
        return str(error)
    lines = sum(1 for _ in deck.lines())
    if lines > MOST_LINES:
        return f"a deck has at most {MOST_LINES:,} lines, and this has {lines:,}"
    return deck if lines else f"there is no card in {quoted(written)}"
