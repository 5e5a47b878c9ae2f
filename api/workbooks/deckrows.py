"""Deck rows: a sheet with a row for each deck, its list in one cell, in any format that lists are read in."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from functools import cache
from typing import Any
from typing import NamedTuple

from api.workbooks import cells
from api.workbooks.cells import Cell
from api.workbooks.cells import is_blank
from api.workbooks.cells import text
from api.workbooks.entries import Entry
from api.workbooks.entries import Part
from api.workbooks.faults import ERROR
from api.workbooks.faults import NOTICE
from api.workbooks.faults import address
from api.workbooks.tables import Named
from api.workbooks.tables import Table
from api.workbooks.tables import bounded
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import Line
from validator.deck import Unread
from validator.decklists import columns
from validator.decklists.formulas import unguarded

_NOTHING = frozenset(("", "-", "–", "—", "no", "none", "n/a", "na", "nil", "0", "false"))


class _Told(NamedTuple):
    """The deck that the cells of a row hold, what each has of it, and what other cells of the same Leader say."""

    deck: Deck
    parts: Sequence[Part]
    aside: Mapping[str, str]


class DeckRows:
    """The reader of one such sheet."""

    def __init__(self, table: Table) -> None:
        self._table = table
        # The list, and behind it the columns of one section each, in which the same Leader may stand again.
        self._list = table.columns.roles[columns.DECKLIST][0]
        self._parts: list[tuple[int, str]] = [*table.columns.parts.items()]
        self._of_cells: Callable[[tuple[Cell, ...]], _Told | str] = cache(self._told)

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
            told = self._of_cells((row[self._list], *(row[column] for column, _ in self._parts)))
            if isinstance(told, str):
                faults.append(self._table.fault(at, self._list, told, row))
            else:
                entry.deck, entry.parts = told.deck, told.parts
                entry.aside = {**entry.aside, **told.aside}
        book.faults += faults
        book.entries.append(entry)
        if entry.deck is None:
            book.rows.unread += 1
        else:
            book.rows.in_decks += 1

    def _told(self, of: tuple[Cell, ...]) -> _Told | str:
        """Return the deck that the cells of a row hold, its lines counted through them all, or why they hold none."""
        deck = self._deck(of[0])
        if isinstance(deck, str):
            return deck
        parts = [Part(0, self._table.title(self._list))]
        aside = {}
        for (column, section), cell in zip(self._parts, of[1:], strict=True):
            if section == "leader" and deck.leader:
                aside[self._table.title(column)] = cells.note(cell)
            elif text(cell).casefold() not in _NOTHING:
                before = max(_numbers(deck), default=0)
                parts.append(Part(before, self._table.title(column)))
                deck = _joined(deck, self._part(cell, section, before))
        whole = bounded(deck)
        return whole if isinstance(whole, str) else _Told(whole, parts, aside)

    def _part(self, cell: Cell, section: str, before: int) -> Deck:
        """Return a cell's part of a deck, all of it in one section; what cannot be read is unread."""
        if section == "leader" and isinstance(named := self._table.cards.counted(cell), Named):
            return Deck(leader=(Line(named.number, named.copies, named.name, before + 1),))
        found = self._deck(cell)
        if isinstance(found, str):
            return Deck(unread=(Unread(before + 1, text(cell)[:200], found),))
        lines = [Line.placed(line, (line.at or 1) + before) for _, line in found.lines()]
        unread = [line._replace(at=line.at + before) for line in found.unread]
        return Deck(**{section: tuple(lines)}, unread=tuple(unread))

    def _deck(self, cell: Cell) -> Deck | str:
        """Return the deck that a cell holds, or why it holds none."""
        if is_blank(cell):
            return "there is no deck list"
        written = unguarded(text(cell)).replace("_x000D_", "")
        return cells.doubt(written) or self._table.cards.listed(written)


def _numbers(deck: Deck) -> Iterator[int]:
    yield from (line.at for _, line in deck.lines() if line.at)
    yield from (line.at for line in deck.unread)


def _joined(deck: Deck, part: Deck) -> Deck:
    sections: dict[str, Any] = {section: deck.section(section) + part.section(section) for section in SECTIONS}
    return Deck(**sections, unread=deck.unread + part.unread)
