"""Reading: a spreadsheet of many decks, in whatever shape, taken in with everything that is wrong with it.

A sheet has a row for each card, a row for each deck, or the cards of one player; headings tell which.
Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Iterator

from api.service.errors import Refused
from api.workbooks import headings
from api.workbooks import reports
from api.workbooks import returned
from api.workbooks.cardrows import CardRows
from api.workbooks.cells import is_blank
from api.workbooks.cells import text
from api.workbooks.deckrows import DeckRows
from api.workbooks.entries import Book
from api.workbooks.entries import Entry
from api.workbooks.entries import duplicates
from api.workbooks.faults import NOTICE
from api.workbooks.faults import Fault
from api.workbooks.faults import address
from api.workbooks.faults import letters
from api.workbooks.grids import MOST_ROWS
from api.workbooks.grids import Grid
from api.workbooks.grids import grids
from api.workbooks.headings import Header
from api.workbooks.listrows import ListRows
from api.workbooks.room import Room
from api.workbooks.tables import Cards
from api.workbooks.tables import Table
from validator.cards import Catalogue
from validator.decklists import columns

MOST_DECKS = 10_000
_LOOKED_AT = 1_000  # rows in which cards under no heading are looked for
HELP = "How to fill in this workbook"  # begins the sheet of the template that holds no decks


def read(
    data: bytes, name: str, game: str | None = None, catalogue: Catalogue | None = None, room: Room | None = None
) -> Book:
    """Read the decks of an XLSX or CSV file; Refused says why the whole file is not read.

    `name` is what messages call the file. The catalogue tells names of cards from names of players, and
    Leaders and Z-Cards by their types where no section says so. Large says that there is more than `room` for it,
    before all of it is read.
    """
    book = Book(name)
    cards = Cards(game, catalogue)
    height = size = 0
    are_results = False
    for grid in grids(data, name, cards.is_card):
        height += len(grid.rows)
        if height > MOST_ROWS:
            raise Refused(f"{name} has more than {MOST_ROWS:,} rows on its sheets together. Split it.")
        if room is not None:
            room.hold(text=(size := size + grid.size))
        are_results = are_results or returned.is_summary(grid)
        if are_results and grid.title in reports.NAMES:
            book.rows.headings += grid.filled
        else:
            _read(grid, book, cards)
        if len(book.entries) > MOST_DECKS:
            raise Refused(f"{name} has more than {MOST_DECKS:,} decks. Split it.")
    if room is not None:
        room.hold(decks=len(book.entries))
    book.faults += _told_twice(book)
    return book


def _read(grid: Grid, book: Book, cards: Cards) -> None:
    book.faults += grid.notices
    if _is_help(grid) or returned.is_curve(grid):
        book.rows.headings += grid.filled
        return
    if returned.is_registration(grid):
        printed, grid = grid, returned.as_written(grid)
        book.rows.headings += printed.filled - grid.filled
    header = headings.find(grid.rows, cards.is_card)
    if header is not None and (contradiction := _contradiction(grid, header)):
        book.faults.append(contradiction)
        book.rows.unread += grid.filled
        return
    if header is not None:
        book.faults += _beside(grid, header)
    table = Table(grid, book, cards, header)
    if header is None:
        ListRows(table).read()
    elif header.columns.is_list:
        DeckRows(table).read()
    else:
        CardRows(table).read()


def _is_help(grid: Grid) -> bool:
    return any(cell == HELP for row in grid.rows[:1] for cell in row)


def _contradiction(grid: Grid, header: Header) -> Fault | None:
    """Say where two columns that mean the same say different things in one row."""
    for role, places in header.columns.roles.items():
        if len(places) < 2:
            continue
        for at, row in enumerate(grid.rows[header.end :], header.end + 1):
            said = {text(row[column]) for column in places if column < len(row) and not is_blank(row[column])}
            if len(said) > 1:
                both = " and ".join(f"{letters(column)} “{header.columns.titles[column]}”" for column in places)
                detail = f"the columns {both} both say the {role} and differ in row {at}; rename or delete one"
                return Fault(grid.sheet, None, None, "", detail)
    return None


def _beside(grid: Grid, header: Header) -> Iterator[Fault]:
    """Say where cards stand above the headings or under none: they are in no deck."""
    for at, row in enumerate(grid.rows[: header.start], 1):
        if any(map(columns.is_card_number, map(text, row))) and not headings.leader(row):
            yield Fault(grid.sheet, at, None, "", "a card stands here above the headings; it was not read")
    below = grid.rows[header.end : header.end + _LOOKED_AT]
    for column in range(max(map(len, below), default=0)):
        if column < len(header.columns.titles) and header.columns.titles[column]:
            continue
        for at, row in enumerate(below, header.end + 1):
            if column < len(row) and columns.names_number(text(row[column])):
                value = text(row[column])[:100]
                detail = "cards stand in this column without a heading; it was not read"
                yield Fault(grid.sheet, at, letters(column), value, detail, cell=address(at, column))
                break


def _told_twice(book: Book) -> list[Fault]:
    """Say which decks are of a player who has another."""
    return [
        Fault(
            same.later.sheet,
            same.later.row,
            None,
            same.later.who.label,
            f"{same.later.who.label} has another deck in {_where(same.first, same.later)}; both were judged",
            NOTICE,
        )
        for same in duplicates(book.entries)
    ]


def _where(entry: Entry, seen_from: Entry) -> str:
    row = f"row {entry.row}" if entry.row else ""
    sheet = f"sheet {entry.sheet}" if entry.sheet != seen_from.sheet or not row else ""
    return ", ".join(filter(None, (sheet, row)))
