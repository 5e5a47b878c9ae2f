"""A deck per row: its list in one cell, or in a cell for each section, in any format that lists are read in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from api.workbooks.intake import cells
from api.workbooks.intake.book import Part, PlayerEntry, Who
from api.workbooks.intake.cells import (
    ERROR,
    NOTICE,
    CardCells,
    CardInCell,
    Cell,
    SheetFault,
    address,
    bounded,
    cell_in,
    is_blank,
    is_empty_answer,
    text,
)
from api.workbooks.intake.sheet_rows import SheetRows
from validator.deck import SECTIONS, Deck, Line, Unread
from validator.decklists.formulas import unguard_formula
from validator.language import phrase
from validator.tables import cell_kinds
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import DECKLIST, PLAYER_ID

_FEWEST = 10  # different cards of a whole deck: four of each are 40
_SHORTEST = 4 * _FEWEST  # characters in which so many can be named


_NO_PLAYERS = phrase("no column has the players; name one with --player-column or player_column")
_ANOTHER_DECK = phrase("another deck stands here and was not read; give each deck a row of its own")


class _DeckOfCells(NamedTuple):
    """The deck that the cells of a row hold, what each has of it, and what other cells of the same Leader say."""

    deck: Deck
    parts: Sequence[Part]
    aside: Mapping[str, str]


def read(rows: SheetRows, cards: CardCells) -> None:
    """Read such a sheet into the book."""
    reader = _DeckPerRow(rows, cards)
    if not rows.columns.has(*SOMEBODY, PLAYER_ID):
        rows.book.faults.append(rows.fault(rows.above, None, _NO_PLAYERS))
    for at, row in rows.filled_rows():
        if rows.is_heading(row):
            rows.book.rows.headings += 1
        else:
            reader.read_row(at, row)


class _DeckPerRow:
    """The reader of the rows of one sheet. Equal cells are parsed once."""

    def __init__(self, rows: SheetRows, cards: CardCells) -> None:
        self._rows = rows
        self._cards = cards
        # The list, and behind it the columns of one section each, in which the same Leader may stand again.
        self._places = [rows.columns.roles[DECKLIST][0], *rows.columns.parts]
        self._of_cells: Callable[[tuple[Cell, ...]], _DeckOfCells | str] = cache(self._deck_of)

    def read_row(self, row_number: int, row: Sequence[Cell]) -> None:
        """Read a row into the book."""
        book = self._rows.book
        who, faults = self._rows.who(row_number, row)
        faults += self._nameless(row_number, who)
        faults += self._rows.odd(row_number)
        entry = PlayerEntry(who, self._rows.grid.sheet, row_number, aside=self._rows.aside(row))
        if not self._are_lost(row_number, faults):
            held = self._of_cells(tuple(row[column] for column in self._places))
            if isinstance(held, str):
                faults.append(self._rows.fault(row_number, self._places[0], held, row))
            else:
                entry.deck, entry.parts = held.deck, held.parts
                entry.aside = {**entry.aside, **held.aside}
                faults += self._other_leaders(row_number, row, held)
        faults += self._other_lists(row_number, row, entry.deck)
        book.faults += faults
        book.entries.append(entry)
        if entry.deck is None:
            book.rows.unread += 1
        else:
            book.rows.in_decks += 1

    def _are_lost(self, row_number: int, faults: Sequence[SheetFault]) -> bool:
        """Return True if a cell with a list has an error."""
        lost = {fault.cell for fault in faults if fault.severity == ERROR}
        return bool(lost) and not lost.isdisjoint(address(row_number, column) for column in self._places)

    def _nameless(self, row_number: int, who: Who) -> Iterator[SheetFault]:
        """Yield a fault if a row has no player, although there is a column for players."""
        if not who.name and not who.id and self._rows.columns.has(*SOMEBODY, PLAYER_ID):
            yield self._rows.fault(row_number, None, phrase("no player is named"))
        yield from self._rows.nameless(row_number, who)

    def _other_leaders(self, row_number: int, row: Sequence[Cell], held: _DeckOfCells) -> Iterator[SheetFault]:
        """Yield a notice if a column of Leaders has another Leader than the list."""
        for column, section in self._rows.columns.parts.items():
            if section == "leader" and self._rows.title(column) in held.aside:
                named = self._cards.card_names(self._cards.parse_counted_card(row[column]))
                leaders = {name for line in held.deck.leader for name in self._cards.card_names(line)}
                if leaders and named and not leaders & named:
                    detail = phrase(
                        "the list has another Leader, {leaders}; the list counts", leaders=", ".join(sorted(leaders))
                    )
                    yield self._rows.fault(row_number, column, detail, row, severity=NOTICE)

    def _other_lists(self, row_number: int, row: Sequence[Cell], deck: Deck | None) -> Iterator[SheetFault]:
        """Yield a fault for each column without a role that contains another whole deck."""
        for column in self._rows.columns.unknown:
            cell = cell_in(row, column)
            is_long = type(cell) is str and len(cell) >= _SHORTEST
            other = self._parse_list(cell) if is_long and cell_kinds.is_list(text(cell)) else ""
            if isinstance(other, Deck) and self._has_others(other, deck or Deck()):
                yield self._rows.fault(row_number, column, _ANOTHER_DECK, row)

    def _has_others(self, other: Deck, deck: Deck) -> bool:
        """Return True if `other` is a whole deck with cards that `deck` lacks, by number or else by name."""
        are_numbered = all(line.number for one in (other, deck) for _, line in one.lines())
        copies = self._cards.count_copies(other, are_numbered)
        return len(copies) >= _FEWEST and bool(copies - self._cards.count_copies(deck, are_numbered))

    def _deck_of(self, row: tuple[Cell, ...]) -> _DeckOfCells | str:
        """Return the deck that the cells of a row hold, its lines counted through them all, or why they hold none."""
        deck = self._parse_list(row[0])
        if isinstance(deck, str):
            return deck
        parts = [Part(0, self._rows.title(self._places[0]))]
        aside = {}
        for (column, section), cell in zip(self._rows.columns.parts.items(), row[1:], strict=True):
            if section == "leader" and deck.leader:
                aside[self._rows.title(column)] = cells.note(cell)
            elif not is_empty_answer(text(cell)) or self._cards.is_card(text(cell)):
                before = max(_numbers(deck), default=0)
                parts.append(Part(before, self._rows.title(column)))
                deck = _join_decks(deck, self._part(cell, section, before))
        whole = bounded(deck)
        return whole if isinstance(whole, str) else _DeckOfCells(whole, parts, aside)

    def _part(self, cell: Cell, section: str, before: int) -> Deck:
        """Return the cards of a cell in one section of a deck. Lines that cannot be read are unread."""
        if section == "leader" and isinstance(card := self._cards.parse_counted_card(cell), CardInCell):
            return Deck(leader=(Line(card.number, card.copies, card.name, before + 1),))
        deck = self._parse_list(cell)
        if isinstance(deck, str):
            return Deck(unread=(Unread(before + 1, text(cell)[:200], deck),))
        lines = [Line.placed(line, (line.at or 1) + before) for _, line in deck.lines()]
        unread = [line._replace(at=line.at + before) for line in deck.unread]
        return Deck(**{section: tuple(lines)}, unread=tuple(unread))

    def _parse_list(self, cell: Cell) -> Deck | str:
        """Return the deck of a cell, or the reason why there is none."""
        if is_blank(cell):
            return phrase("there is no deck list")
        written = unguard_formula(text(cell)).replace("_x000D_", "")
        return cells.doubt(written) or self._cards.parse_deck(written)


def _numbers(deck: Deck) -> Iterator[int]:
    """Yield the line numbers of all lines of a deck, also of the unread ones."""
    yield from (line.at for _, line in deck.lines() if line.at)
    yield from (line.at for line in deck.unread)


def _join_decks(deck: Deck, part: Deck) -> Deck:
    """Return a deck with the lines of a further part added."""
    sections: dict[str, Any] = {section: deck.section(section) + part.section(section) for section in SECTIONS}
    return Deck(**sections, unread=deck.unread + part.unread)
