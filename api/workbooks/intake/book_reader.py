"""Book reader: read the players and decks of a spreadsheet in any shape, with a fault for each unread cell.

`layouts` finds the tables of each sheet. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from api.service.errors import Refused
from api.workbooks.column_roles.header import Header, leader
from api.workbooks.column_roles.roles import NO_CHOICES, SheetReading, TakenColumn, describe_columns
from api.workbooks.intake import own_exports
from api.workbooks.intake.book import Book, PlayerEntry, duplicates
from api.workbooks.intake.cells import CardCells, cell_in, is_blank, text
from api.workbooks.intake.faults import ERROR, NOTICE, SheetFault, address, letters
from api.workbooks.intake.grids import MOST_ROWS, Grid, SizeBudget, grids
from api.workbooks.intake.sheet_rows import SheetRows
from api.workbooks.reporting import reports
from api.workbooks.shapes import cards_across
from api.workbooks.shapes.layouts import Layout, Table, find_layout
from validator.cards import Catalogue
from validator.language import phrase
from validator.tables.cell_kinds import has_card_number, is_card_number

MOST_DECKS = 10_000
_LOOKED_AT = 1_000  # rows in which cards under no heading are looked for
_OPENING = 2_000  # cells that tell the game, and
_LONGEST_OPENING = 2_000  # characters of each
FindGame = Callable[[str], tuple[str, Catalogue] | None]
HELP = "How to fill in this workbook"  # begins the sheet of the template that holds no decks


def read(
    data: bytes,
    name: str,
    game: str | None = None,
    catalogue: Catalogue | None = None,
    budget: SizeBudget | None = None,
    choices: Mapping[str, str] = NO_CHOICES,
    find_game: FindGame | None = None,
) -> Book:
    """Read the decks of an XLSX or CSV file. Raises Refused if the whole file cannot be read.

    `name` is the name of the file in messages. The catalogue distinguishes names of cards from names of players, and
    finds Leaders and Z-Cards by their types if no section is written. Raises Large as soon as the file exceeds
    `budget`. `choices` are the columns that a user chose, by the names in `roles.CHOICES`. If `game` is None,
    `find_game` is called with the first texts of each sheet until it returns a game and its cards.
    """
    book = Book(name)
    cards = CardCells(game, catalogue)
    counted = _SizeCounter(name, budget)
    are_results = False
    for grid in grids(data, name, cards.is_card):
        if find_game is not None and cards.game is None and (known := find_game(_first_texts(grid))) is not None:
            cards.set_game(*known)
        counted.take(grid)
        are_results = are_results or own_exports.is_summary(grid)
        if not grid.rows:
            book.faults += grid.notices
        elif are_results and grid.title in reports.NAMES:
            book.rows.headings += grid.filled
        else:
            _read_sheet(grid, book, cards, choices)
        if len(book.entries) > MOST_DECKS:
            raise Refused(f"{name} has more than {MOST_DECKS:,} decks. Split it.")
    if budget is not None:
        budget.require(decks=len(book.entries))
    book.faults += (_second_deck(first, later) for first, later in duplicates(book.entries))
    return book


class _SizeCounter:
    """The size of the sheets so far. Raises Refused for too many rows, and Large if the budget is exceeded."""

    def __init__(self, name: str, budget: SizeBudget | None) -> None:
        self._name, self._budget = name, budget
        self._height = self._size = 0

    def take(self, grid: Grid) -> None:
        """Add a sheet to the size."""
        self._height += len(grid.rows)
        if self._height > MOST_ROWS:
            raise Refused(f"{self._name} has more than {MOST_ROWS:,} rows on its sheets together. Split it.")
        if self._budget is not None:
            self._size += grid.size
            self._budget.require(text=self._size)


def _first_texts(grid: Grid) -> str:
    """Return the first texts of a sheet, one on each line."""
    filled = (cell for row in grid.rows for cell in row if type(cell) is str and cell)
    return "\n".join(cell[:_LONGEST_OPENING] for cell in islice(filled, _OPENING))


def _read_sheet(grid: Grid, book: Book, cards: CardCells, choices: Mapping[str, str]) -> None:
    book.faults += grid.notices
    if _is_help(grid) or own_exports.is_curve(grid):
        book.rows.headings += grid.filled
        return
    if own_exports.is_registration(grid):
        printed, grid = grid, own_exports.without_findings(grid)
        book.rows.headings += printed.filled - grid.filled
    grid = cards_across.stack_cards(grid)
    layout = find_layout(grid, cards.is_card, choices)
    if layout.name:
        _read_player_tables(grid, layout, book, cards)
    else:
        for table in layout.tables:
            _read_table(table, book, cards)


def _read_table(table: Table, book: Book, cards: CardCells) -> None:
    """Read a sheet that is one table, unless two columns of it contradict each other."""
    grid, header = table
    if header is not None:
        if contradiction := _find_contradiction(grid, header):
            book.faults.append(contradiction)
            book.rows.unread += grid.filled
            return
        book.faults += _find_stray_cards(grid, header)
    book.readings.append(SheetReading(grid.sheet, table.name, _columns(header)))
    table.read(SheetRows(grid, book, header), cards)


def _columns(header: Header | None) -> tuple[TakenColumn, ...]:
    return tuple(describe_columns(header)) if header else ()


def _read_player_tables(grid: Grid, layout: Layout, book: Book, cards: CardCells) -> None:
    """Read a sheet with a table for each player. A row that several players share is counted once."""
    before, entries, faults = replace(book.rows), len(book.entries), len(book.faults)
    headers = []
    for table in layout.tables:
        headers.append(table.header)
        table.read(SheetRows(table.grid, book, table.header), cards)
    columns = _columns(headers[0]) if headers else ()
    name = phrase("{shape} ({count} players)", shape=layout.name, count=f"{len(headers):,}")
    book.readings.append(SheetReading(grid.sheet, name, columns))
    book.rows = before.plus(*_count_rows(grid, book.entries[entries:], book.faults[faults:]))


def _count_rows(grid: Grid, entries: Sequence[PlayerEntry], faults: Sequence[SheetFault]) -> tuple[int, int, int]:
    """Return the number of rows of a sheet in decks, of headings, and of unread rows, each row counted once."""
    filled = {at for at in range(grid.top + 1, grid.top + len(grid.rows) + 1) if not grid.is_blank(at)}
    decks = [entry.deck for entry in entries if entry.deck]
    kept = filled & {line.at for deck in decks for _, line in deck.lines() if line.at}
    unread = filled & {fault.row for fault in faults if fault.severity == ERROR and fault.row} - kept
    return len(kept), len(filled) - len(kept) - len(unread), len(unread)


def _is_help(grid: Grid) -> bool:
    return any(cell == HELP for row in grid.rows[:1] for cell in row)


def _find_contradiction(grid: Grid, header: Header) -> SheetFault | None:
    """Return the fault of a row with different values in two columns of one role. None if there is none."""
    for role, places in header.columns.roles.items():
        if len(places) < 2:
            continue
        for at, row in enumerate(grid.rows[header.end :], header.end + 1):
            values = {text(cell) for column in places if not is_blank(cell := cell_in(row, column))}
            if len(values) > 1:
                both = " and ".join(f"{letters(column)} “{header.columns.titles[column]}”" for column in places)
                detail = f"the columns {both} both say the {role} and differ in row {at}; rename or delete one"
                return SheetFault(grid.sheet, None, None, "", detail)
    return None


def _find_stray_cards(grid: Grid, header: Header) -> Iterator[SheetFault]:
    """Yield a fault for cards above the headings or in a column without one. No deck contains these cards."""
    for at, row in enumerate(grid.rows[: header.start], 1):
        if any(map(is_card_number, map(text, row))) and not leader(row):
            yield SheetFault(grid.sheet, at, None, "", "a card stands here above the headings; it was not read")
    below = grid.rows[header.end : header.end + _LOOKED_AT]
    for column in range(max(map(len, below), default=0)):
        if column in header.columns.places(*header.columns.roles):
            continue
        if column < len(header.columns.titles) and header.columns.titles[column]:
            continue
        for at, row in enumerate(below, header.end + 1):
            if has_card_number(value := text(cell_in(row, column))):
                detail = "cards stand in this column without a heading; it was not read"
                yield SheetFault(grid.sheet, at, letters(column), value[:100], detail, cell=address(at, column))
                break


def _second_deck(first: PlayerEntry, later: PlayerEntry) -> SheetFault:
    """Return the notice that a player has another deck."""
    label = later.who.label
    detail = f"{label} has another deck in {_where(first, later)}; both were judged"
    return SheetFault(later.sheet, later.row, None, label, detail, NOTICE)


def _where(entry: PlayerEntry, seen_from: PlayerEntry) -> str:
    row = f"row {entry.row}" if entry.row else ""
    sheet = f"sheet {entry.sheet}" if entry.sheet != seen_from.sheet or not row else ""
    return ", ".join(filter(None, (sheet, row)))
