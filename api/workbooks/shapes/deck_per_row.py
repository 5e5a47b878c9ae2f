"""A deck per row: its list in one cell, or in a cell for each section, in any format that lists are read in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from api.workbooks.intake import cells
from api.workbooks.intake.book import Part, PlayerEntry, Who
from api.workbooks.intake.cells import (
    ERROR,
    NOTICE,
    BookCards,
    Cell,
    SheetFault,
    address,
    cell_in,
    check_line_count,
    is_blank,
    is_empty_answer,
    text,
)
from api.workbooks.intake.sheet_rows import SheetRows
from validator.deck import SECTIONS, Deck, Line, Unread
from validator.decklists.card_cells import WrittenCard
from validator.formulas import unguard_formula
from validator.language import phrase
from validator.tables import cell_kinds
from validator.tables.column_samples import parse_heading
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import DECKLIST, PLAYER_ID

_FEWEST = 10  # different cards of a whole deck: four of each are 40
_SHORTEST = 4 * _FEWEST  # characters in which so many can be named


_NO_PLAYERS = phrase("no column has the players; name one with --player-column or player_column")
_ANOTHER_DECK = phrase("this is another deck, which was not read; give each deck a row of its own")


class _DeckOfCells(NamedTuple):
    """The deck in the list cells of a row.

    `parts` has, for each cell that was read, its heading and the highest line number of the deck before it. `aside` has
    the texts of Leader columns by heading. It is empty if the list itself has no Leader.
    """

    deck: Deck
    parts: Sequence[Part]
    aside: Mapping[str, str]


def read(rows: SheetRows, cards: BookCards) -> None:
    """Add the players of a table with a deck in each row to the book of `rows`, with all faults.

    An error is added if no column has the players. Repeated headings are only counted.
    """
    reader = _DeckPerRow(rows, cards)
    if not rows.columns.has(*SOMEBODY, PLAYER_ID):
        rows.book.faults.append(rows.fault(rows.above, None, _NO_PLAYERS))
    for at, row in rows.filled_rows():
        if rows.is_heading(row):
            rows.book.rows.headings += 1
        else:
            reader.read_row(at, row)


class _DeckPerRow:
    """The reader of the rows of one table with a deck in each row.

    Results are cached, so equal cells are parsed once.
    """

    def __init__(self, rows: SheetRows, cards: BookCards) -> None:
        self._rows = rows
        self._cards = cards
        # The list, and then the columns of one section each, which may repeat the Leader.
        self._places = [rows.columns.roles[DECKLIST][0], *rows.columns.parts]
        self._build_cached_deck: Callable[[tuple[Cell, ...]], _DeckOfCells | str] = cache(self._build_deck)

    def read_row(self, row_number: int, row: Sequence[Cell]) -> None:
        """Add the player of a row to the book, with the deck or None, and with all faults of the row.

        The row is counted as in a deck or as unread.
        """
        book = self._rows.book
        who, faults = self._rows.find_player(row_number, row)
        faults += self._missing_player_faults(row_number, who)
        faults += self._rows.odd_cell_faults(row_number)
        entry = PlayerEntry(who, self._rows.grid.sheet, row_number, aside=self._rows.extra_texts(row))
        if not self._has_faulty_list(row_number, faults):
            held = self._build_cached_deck(tuple(row[column] for column in self._places))
            if isinstance(held, str):
                faults.append(self._rows.fault(row_number, self._places[0], held, row))
            else:
                entry.deck, entry.parts = held.deck, held.parts
                entry.aside = {**entry.aside, **held.aside}
                faults += self._other_leader_notices(row_number, row, held)
        faults += self._other_deck_faults(row_number, row, entry.deck)
        book.faults += faults
        book.entries.append(entry)
        if entry.deck is None:
            book.rows.unread += 1
        else:
            book.rows.in_decks += 1

    def _has_faulty_list(self, row_number: int, faults: Sequence[SheetFault]) -> bool:
        """Return True if one of `faults` is an error in a list cell of the row."""
        lost = {fault.cell for fault in faults if fault.severity == ERROR}
        return bool(lost) and not lost.isdisjoint(address(row_number, column) for column in self._places)

    def _missing_player_faults(self, row_number: int, player: Who) -> Iterator[SheetFault]:
        """Yield an error if a row has no player although a column has players, or an id and a blank name column."""
        if not player.name and not player.id and self._rows.columns.has(*SOMEBODY, PLAYER_ID):
            yield self._rows.fault(row_number, None, phrase("no player is named"))
        yield from self._rows.missing_name_faults(row_number, player)

    def _other_leader_notices(
        self, row_number: int, row: Sequence[Cell], deck_of_cells: _DeckOfCells
    ) -> Iterator[SheetFault]:
        """Yield a notice for each column of Leaders that has another Leader than the list.

        Cards are compared by name. Unknown cards are ignored. `deck_of_cells` is the deck of the row.
        """
        for column, section in self._rows.columns.parts.items():
            if section == "leader" and self._rows.title(column) in deck_of_cells.aside:
                named = self._cards.card_names(self._cards.cells.parse_counted_card(text(row[column])))
                leaders = {name for line in deck_of_cells.deck.leader for name in self._cards.card_names(line)}
                if leaders and named and not leaders & named:
                    detail = phrase(
                        "the list has another Leader, {leaders}; the list counts", leaders=", ".join(sorted(leaders))
                    )
                    yield self._rows.fault(row_number, column, detail, row, severity=NOTICE)

    def _other_deck_faults(self, row_number: int, row: Sequence[Cell], deck: Deck | None) -> Iterator[SheetFault]:
        """Yield an error for each column without a role that has another deck, because it is not read.

        Below a heading for deck lists, such as "Deck list 2", it may be a part of one. `deck` is the one that was read,
        None if none was. A column is no error if `deck` has all its cards and copies.
        """
        for column in self._rows.columns.unknown:
            cell = cell_in(row, column)
            is_of_lists = parse_heading(self._rows.title(column)).role == DECKLIST and not is_blank(cell)
            is_long = type(cell) is str and len(cell) >= _SHORTEST and cell_kinds.is_list(text(cell))
            other = self._parse_list(cell) if is_long or is_of_lists else ""
            least_count = 1 if is_of_lists else _FEWEST
            if isinstance(other, Deck) and self._has_others(other, deck or Deck(), least_count):
                yield self._rows.fault(row_number, column, _ANOTHER_DECK, row)

    def _has_others(self, other: Deck, deck: Deck, least_count: int) -> bool:
        """Return True if `other` has at least `least_count` different cards, and cards or copies that `deck` lacks.

        Cards are compared by number if all lines of both decks have one, else by name. Unknown cards are ignored.
        """
        are_numbered = all(line.number for one in (other, deck) for _, line in one.lines())
        copies = self._cards.count_copies(other, are_numbered)
        return len(copies) >= least_count and bool(copies - self._cards.count_copies(deck, are_numbered))

    def _build_deck(self, row: tuple[Cell, ...]) -> _DeckOfCells | str:
        """Return the deck in the list cells of a row, with line numbers that count through all cells.

        `row` has the cell of the deck list, then those of single sections, which are skipped if they only say "none".
        If the list has a Leader, a Leader cell is not read but kept as a text in `aside`. Return the reason as text if
        the first cell has no deck, or the deck has more than MOST_LINES lines.
        """
        deck = self._parse_list(row[0])
        if isinstance(deck, str):
            return deck
        parts = [Part(0, self._rows.title(self._places[0]))]
        aside = {}
        for (column, section), cell in zip(self._rows.columns.parts.items(), row[1:], strict=True):
            if section == "leader" and deck.leader:
                aside[self._rows.title(column)] = cells.note(cell)
            elif not is_empty_answer(text(cell)) or self._cards.is_card(text(cell)):
                before = max(_line_numbers(deck), default=0)
                parts.append(Part(before, self._rows.title(column)))
                deck = _join_decks(deck, self._parse_part(cell, section, before))
        whole = check_line_count(deck)
        return whole if isinstance(whole, str) else _DeckOfCells(whole, parts, aside)

    def _parse_part(self, cell: Cell, section: str, before: int) -> Deck:
        """Return a deck of the cards of a cell, all in one section. Line numbers begin at `before` + 1.

        `before` is the highest line number so far. If the cell cannot be read, the deck has only one unread line.
        """
        card = self._cards.cells.parse_counted_card(text(cell)) if section == "leader" else None
        if isinstance(card, WrittenCard):
            return Deck(leader=(Line(card.number, card.copies or 1, card.name, before + 1),))
        deck = self._parse_list(cell)
        if isinstance(deck, str):
            return Deck(unread=(Unread(before + 1, text(cell)[:200], deck),))
        lines = [Line.placed(line, (line.at or 1) + before) for _, line in deck.lines()]
        unread = [line._replace(at=line.at + before) for line in deck.unread]
        return Deck(**{section: tuple(lines)}, unread=tuple(unread))

    def _parse_list(self, cell: Cell) -> Deck | str:
        """Return the deck of a cell with a list, or the reason as text if the cell is blank or has no deck."""
        if is_blank(cell):
            return phrase("there is no deck list")
        written = unguard_formula(text(cell)).replace("_x000D_", "")
        return cells.doubt(written) or self._cards.parse_deck(written)


def _line_numbers(deck: Deck) -> Iterator[int]:
    """Yield the line numbers of the lines of a deck, also of the unread ones. Lines without a number are left out."""
    yield from (line.at for _, line in deck.lines() if line.at)
    yield from (line.at for line in deck.unread)


def _join_decks(deck: Deck, part: Deck) -> Deck:
    """Return a deck with the lines of both decks, section by section, and their unread lines."""
    joined = Deck.from_sections({section: deck.section(section) + part.section(section) for section in SECTIONS})
    return replace(joined, unread=deck.unread + part.unread)
