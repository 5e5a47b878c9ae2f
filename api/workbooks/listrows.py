"""List rows: a sheet without headings that is one player's deck list, in one column or in several."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence

from api.workbooks import cells
from api.workbooks import headings
from api.workbooks.cells import Cell
from api.workbooks.cells import is_blank
from api.workbooks.cells import text
from api.workbooks.entries import Entry
from api.workbooks.faults import Fault
from api.workbooks.tables import LABELLED
from api.workbooks.tables import Table
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import DeckLine
from validator.deck import Line
from validator.decklists.headings import is_kind
from validator.decklists.headings import section as section_meant

_NO_DECK = "here are neither the headings of a table of decks nor a deck list; nothing of it was read"
_COPIES = 4  # of a card in most decks; as many first cards could have one copy, two, three and four


class ListRows:
    """The reader of one such sheet."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows: list[int] = []  # the row of each line
        self._lines: list[str] = []

    def read(self) -> None:
        """Read the sheet into the book."""
        is_numbered = self._is_numbered()
        for at, row in self._table.body():
            for line in _lines(at, row[1:] if is_numbered and cells.count(row[0]) else row):
                self._rows.append(at)
                self._lines.append(line)
        deck = self._table.cards.listed("\n".join(self._lines))
        if isinstance(deck, str) or not self._is_deck(deck):
            self._refuse(deck if isinstance(deck, str) and "at most" in deck else _NO_DECK)
        else:
            self._take(self._placed(deck))

    def _is_numbered(self) -> bool:
        """Tell whether the first column numbers the rows that have a count besides: 1, 2, 3 and on, past any count."""
        counts = ([cells.count(cell) for cell in row] for _, row in self._table.body())
        numbers = [row[0] for row in counts if row and sum(map(bool, row)) > 1]
        return len(numbers) > _COPIES and numbers == [*range(1, len(numbers) + 1)]

    def _is_deck(self, deck: Deck) -> bool:
        """Tell a deck list from notes, in which "3 judges" looks like a card: one of its cards must be known."""
        cards = self._table.cards
        return any(line.number or cards.catalogue is None or cards.is_card(line.name or "") for _, line in deck.lines())

    def _refuse(self, why: str) -> None:
        book = self._table.book
        book.faults.append(Fault(self._table.grid.sheet, None, None, "", why))
        book.rows.unread += sum(1 for _ in self._table.body())

    def _take(self, deck: Deck) -> None:
        book, sheet = self._table.book, self._table.grid.sheet
        book.entries.append(Entry(self._table.sole(), sheet, None, deck, aside=self._table.above()))
        book.faults += [Fault(sheet, line.at, None, line.text[:100], line.reason) for line in deck.unread]
        in_deck = {line.at for _, line in deck.lines()}
        unread = {line.at for line in deck.unread} - in_deck
        book.rows.in_decks += len(in_deck)
        book.rows.unread += len(unread)
        book.rows.headings += sum(1 for _ in self._table.body()) - len(in_deck) - len(unread)

    def _placed(self, deck: Deck) -> Deck:
        """Return the deck with the rows of the sheet for the lines of the text."""
        rows = [0, *self._rows]

        def placed(lines: Sequence[DeckLine]) -> tuple[Line, ...]:
            return tuple(Line.placed(line, rows[line.at or 0]) for line in lines)

        unread = tuple(line._replace(at=rows[line.at]) for line in deck.unread)
        return Deck(**{section: placed(deck.section(section)) for section in SECTIONS}, unread=unread)


def _lines(at: int, row: Sequence[Cell]) -> Iterator[str]:
    """Yield what a row says as lines of a list, the count first; nothing of a row that names the player."""
    filled = [cell for cell in row if not is_blank(cell)]
    if at <= LABELLED and any(headings.labelled(row)):
        return
    if len(filled) == 1:
        yield from text(filled[0]).splitlines()
        return
    counts = [cell for cell in filled if cells.count(cell)]
    if len(counts) == 1:
        filled = [str(cells.count(counts[0])), *(cell for cell in filled if cell is not counts[0])]
    places = [cell for cell in filled if type(cell) is str and section_meant(cell) and not is_kind(cell)]
    if len(places) == 1 and len(filled) > 2:
        filled = [*(cell for cell in filled if cell is not places[0]), f"({text(places[0])})"]
    yield " ".join(" ".join(text(cell).split()) for cell in filled)
