"""Book reader: read the players and decks of a spreadsheet in any shape, with a fault for each unread cell.

`layouts` finds the tables of each sheet. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from api.service.errors import Refused
from api.service.languages import LANGUAGES, language
from api.sheets.sheet import COLUMNS, CURVE, CURVE_TITLES, DECK_HASH, FINDINGS, PLAYER_ID
from api.workbooks.intake.book import Book, PlayerEntry, duplicates
from api.workbooks.intake.cells import (
    ERROR,
    NOTICE,
    BookCards,
    Cell,
    SheetFault,
    address,
    cell_in,
    is_blank,
    letters,
    text,
)
from api.workbooks.intake.grids import MOST_ROWS, Grid, SizeBudget, grids
from api.workbooks.intake.sheet_rows import SheetRows
from api.workbooks.readings import NO_CHOICES, ROLES, SheetReading, TakenColumn, describe_columns, list_columns
from api.workbooks.reporting import reports, summary
from api.workbooks.shapes.layouts import Layout, Table, find_layout
from validator.cards import Catalogue
from validator.decklists.header import Header, is_counted_row
from validator.language import Language, Phrase, phrase
from validator.tables import headings
from validator.tables.cell_kinds import has_card_number, is_card_number
from validator.tables.labels import leader_text
from validator.words import join_with_commas

MOST_DECKS = 10_000
_LOOKED_AT = 1_000  # rows in which cards under no heading are looked for
_OPENING = 2_000  # cells by which the game is recognised, and
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
    """Read the players and decks of an XLSX, CSV or JSON file, or of a zip of them, in any shape. Nothing is judged.

    `name` is the file name in messages. The `catalogue` distinguishes card names from player names, and finds Leaders
    and Z-Cards by their types if no section is written. If `game` is None, `find_game` is called with the first texts
    of each sheet until it returns a game and its cards. `choices` are the columns that a user chose, by the keys of
    `readings.CHOICES`. Cells that cannot be read, and players with two decks, are faults of the book. Raises
    Refused if the whole file cannot be read, lacks a chosen column, or has too many rows or more than 10,000 decks.
    Raises Large if the file exceeds `budget`.
    """
    book = Book(name)
    cards = BookCards(game, catalogue)
    counted = _SizeCounter(name, budget)
    translate: Language | None = None
    for grid in grids(data, name, cards.is_card):
        if find_game is not None and cards.game is None and (known := find_game(_first_texts(grid))) is not None:
            cards.set_game(*known)
        counted.add_sheet(grid)
        translate = translate or _find_result_language(grid)
        if not grid.rows:
            book.faults += grid.notices
        elif translate is not None and grid.title in reports.result_titles(translate):
            book.rows.headings += grid.filled_count
        else:
            read_grid = grid if translate is None else _without_lines_above(grid, translate)
            book.rows.headings += grid.filled_count - read_grid.filled_count
            _read_sheet(read_grid, book, cards, choices)
        if len(book.entries) > MOST_DECKS:
            raise Refused(phrase("{file} has more than {most:,} decks. Split it.", file=name, most=MOST_DECKS))
    if budget is not None:
        budget.require(decks=len(book.entries))
    book.faults += (_second_deck_notice(first, later) for first, later in duplicates(book.entries))
    return book


class _SizeCounter:
    """The rows and the size of the sheets so far, for the limits of a whole file.

    `name` is the file name in messages.
    """

    def __init__(self, name: str, budget: SizeBudget | None) -> None:
        self._name, self._budget = name, budget
        self._height = self._size = 0

    def add_sheet(self, grid: Grid) -> None:
        """Add a sheet to the size so far. Raises Large if the sheets together exceed the budget.

        Raises Refused if they have more than MOST_ROWS rows together.
        """
        self._height += len(grid.rows)
        if self._height > MOST_ROWS:
            raise Refused(
                phrase(
                    "{file} has more than {most:,} rows on its sheets together. Split it.",
                    file=self._name,
                    most=MOST_ROWS,
                )
            )
        if self._budget is not None:
            self._size += grid.size
            self._budget.require(text=self._size)


def _first_texts(grid: Grid) -> str:
    """Return the first 2,000 texts of a sheet, one on each line and each cut to 2,000 characters.

    Numbers are left out.
    """
    filled = (cell for row in grid.rows for cell in row if type(cell) is str and cell)
    return "\n".join(cell[:_LONGEST_OPENING] for cell in islice(filled, _OPENING))


def _read_sheet(grid: Grid, book: Book, cards: BookCards, choices: Mapping[str, str]) -> None:
    """Add the players and faults of a sheet to the book, by the first layout that is recognised.

    All rows of the template's help sheet and of a cost curve are counted as headings. So are the findings on our own
    registration sheets. Raises Refused if a chosen column does not exist.
    """
    book.faults += grid.notices
    if _is_help(grid) or _is_curve(grid):
        book.rows.headings += grid.filled_count
        return
    if _is_registration(grid):
        printed, grid = grid, _without_findings(grid)
        book.rows.headings += printed.filled_count - grid.filled_count
    layout = find_layout(grid, cards, choices)
    if layout.name:
        _read_player_tables(grid, layout, book, cards)
    else:
        for table in layout.tables:
            _read_table(table, book, cards)


def _read_table(table: Table, book: Book, cards: BookCards) -> None:
    """Add the players of one table to the book, with its column roles and an error for each card outside the table.

    If two columns of one role have different values in a row, add only an error, and count all rows as unread.
    """
    grid, header = table.grid, table.header
    if header is not None:
        if contradiction := _find_contradiction(grid, header):
            book.faults.append(contradiction)
            book.rows.unread += grid.filled_count
            return
        book.faults += _find_stray_cards(grid, header, cards)
    book.readings.append(SheetReading(grid.sheet, table.name, _list_taken_columns(header)))
    table.read(SheetRows(grid, book, header, cards.cells), cards)


def _list_taken_columns(header: Header | None) -> tuple[TakenColumn, ...]:
    """Return the columns of a header that have a role, () without a header."""
    return tuple(describe_columns(header)) if header else ()


def _read_player_tables(grid: Grid, layout: Layout, book: Book, cards: BookCards) -> None:
    """Add the players of a sheet that has a table for each player to the book.

    A row that several players share is counted once. The book gets one reading for the sheet, with the number of
    players and the columns of the first.
    """
    before, entries, faults = replace(book.rows), len(book.entries), len(book.faults)
    headers = []
    for table in layout.tables:
        headers.append(table.header)
        table.read(SheetRows(table.grid, book, table.header, cards.cells), cards)
    columns = _list_taken_columns(headers[0]) if headers else ()
    name = phrase("{shape} ({count:,} players)", shape=layout.name, count=len(headers))
    book.readings.append(SheetReading(grid.sheet, name, columns))
    book.rows = before.plus(*_count_rows(grid, book.entries[entries:], book.faults[faults:]))


def _count_rows(grid: Grid, entries: Sequence[PlayerEntry], faults: Sequence[SheetFault]) -> tuple[int, int, int]:
    """Return `(rows in decks, heading rows, unread rows)` of a sheet without its blank rows. Each row is counted once.

    `entries` are the players of the sheet, and `faults` its faults. Unread rows have an error and no line of a deck.
    Rows with only a notice are not unread. Headings are all other filled rows.
    """
    filled = {at for at in range(grid.top + 1, grid.top + len(grid.rows) + 1) if not grid.is_blank(at)}
    decks = [entry.deck for entry in entries if entry.deck]
    kept = filled & {line.at for deck in decks for _, line in deck.lines() if line.at}
    unread = filled & {fault.row for fault in faults if fault.severity == ERROR and fault.row} - kept
    return len(kept), len(filled) - len(kept) - len(unread), len(unread)


def _is_help(grid: Grid) -> bool:
    """Return True if a sheet is the explanation in our template: its first row has the text HELP."""
    return any(cell == HELP for row in grid.rows[:1] for cell in row)


def _find_contradiction(grid: Grid, header: Header) -> SheetFault | None:
    """Return an error for the whole sheet if a row has different values in two columns of one role.

    Blank cells are ignored. The error is for the first such row. None if there is none.
    """
    for role, places in header.columns.roles.items():
        if len(places) < 2:
            continue
        for at, row in enumerate(grid.rows[header.end :], header.end + 1):
            values = {text(cell) for column in places if not is_blank(cell := cell_in(row, column))}
            if len(values) > 1:
                detail = phrase(
                    "the columns {columns} both have the role “{role}” and differ in row {row}; rename or delete one",
                    columns=Phrase(list_columns, [(letters(one), header.columns.titles[one]) for one in places]),
                    role=ROLES[role],
                    row=at,
                )
                return SheetFault(grid.sheet, None, None, "", detail)
    return None


def _find_stray_cards(grid: Grid, header: Header, cards: BookCards) -> Iterator[SheetFault]:
    """Yield an error for each row above the headings with a card, unless it names a Leader.

    A row has a card if a cell is a card number, or it has the name of a card and a count. Also yield an error for the
    first card number in each column that has neither a heading nor a role, within 1,000 rows. These cards are in no
    deck.
    """
    for at, row in enumerate(grid.rows[: header.start], 1):
        texts = list(map(text, row))
        is_of_card = any(map(is_card_number, texts)) or is_counted_row(texts, cards.is_card)
        if is_of_card and not leader_text(texts):
            yield SheetFault(grid.sheet, at, None, "", _ABOVE_HEADINGS)
    below = grid.rows[header.end : header.end + _LOOKED_AT]
    for column in range(max(map(len, below), default=0)):
        if column in header.columns.places(*header.columns.roles):
            continue
        has_heading = header.start < header.end and column < len(header.columns.titles)
        if has_heading and header.columns.titles[column]:
            continue
        for at, row in enumerate(below, header.end + 1):
            if has_card_number(value := text(cell_in(row, column))):
                place = address(at, column)
                yield SheetFault(grid.sheet, at, letters(column), value[:100], _NO_HEADING, cell=place)
                break


_ABOVE_HEADINGS = phrase("this card is above the headings; it was not read")
_NO_HEADING = phrase("this column has cards but no heading; it was not read")


def _second_deck_notice(first: PlayerEntry, later: PlayerEntry) -> SheetFault:
    """Return the notice, at the place of `later`, that its player has another deck, the entry `first`."""
    label = later.who.label
    place = Phrase(_describe_place, first.row, first.sheet if first.sheet != later.sheet or not first.row else "")
    detail = phrase("{player} has another deck in {place}; both were judged", player=label, place=place)
    return SheetFault(later.sheet, later.row, None, label, detail, NOTICE)


def _describe_place(row: int | None, sheet: str, translate: Language) -> str:
    """Return "sheet X, row 5" in a language. With `row` None only the sheet, with `sheet` "" only the row."""
    places = [translate("sheet {sheet}", sheet=sheet)] if sheet else []
    return join_with_commas([*places, translate("row {row}", row=row)] if row else places, translate)


# Registration sheets and results of deckproof, which are read again.
_SUMMARY_LINES = 3  # above the headings of a summary: the file, the terms and the totals
_HEAD = 40  # rows, with room to spare, that end with the headings of the cards


def _is_curve(grid: Grid) -> bool:
    """Return True if a sheet is the cost curve of one of our registration sheets, by its title and first row."""
    return grid.title.startswith(CURVE) and tuple(_headline(grid)) == CURVE_TITLES


def _find_result_language(grid: Grid) -> Language | None:
    """Return the language of a workbook of our results by its summary sheet. None if the sheet is no summary.

    The sheet's title and first line must be those of a summary in that language. Only a sheet with one text in each of
    its first three rows is compared with the languages, because their catalogs take time to load.
    """
    if any(len(_filled_texts(row)) != 1 for row in grid.rows[:_SUMMARY_LINES]):
        return None
    first = _headline(grid)
    for translate in map(language, LANGUAGES):
        beginning = summary.summary_headline("", translate)
        if grid.title == summary.summary_title(translate) and first and first[0].startswith(beginning):
            return translate
    return None


def _without_lines_above(grid: Grid, translate: Language) -> Grid:
    """Return the sheet of one deck of our results without its verdict and findings, which are above the headings.

    A sheet without those headings is returned unchanged.
    """
    titles = reports.deck_headings(translate)
    at = next((at for at, row in enumerate(grid.rows) if tuple(_filled_texts(row)) == titles), 0)
    return grid.part(grid.title, grid.rows[at:], at) if at else grid


def _is_registration(grid: Grid) -> bool:
    """Return True if a sheet is one of our registration sheets, by the labels above its headings."""
    head = _first_cells(grid.rows[: _heading_row(grid)])
    return head[1:2] == [PLAYER_ID] and any(cell.startswith(DECK_HASH) for cell in head)


def _without_findings(grid: Grid) -> Grid:
    """Return one of our registration sheets without its printed findings, in a form that can be read again.

    The first row becomes the label "Player" and the name. The second cell of other rows above the headings is removed,
    because a label takes two columns there.
    """
    name = _headline(grid)[-1:]  # after the letter that it is filed under
    start, firsts = _heading_row(grid), _first_cells(grid.rows)
    labelled = [[*row[:1], *row[2:]] for row in grid.rows[1:start]]  # a label takes two columns
    end = firsts.index(FINDINGS) if FINDINGS in firsts else len(firsts)
    return replace(grid, rows=[[headings.PLAYER, *name], *labelled, *grid.rows[start:end]])


def _headline(grid: Grid) -> list[str]:
    """Return the texts of the filled cells in the first row."""
    return [cell for row in grid.rows[:1] for cell in _filled_texts(row)]


def _heading_row(grid: Grid) -> int:
    """Return the row, from 0, with the headings of a registration sheet's cards.

    0 if it is not in the first 40 rows.
    """
    return next((at for at, row in enumerate(grid.rows[:_HEAD]) if tuple(_filled_texts(row)) == COLUMNS), 0)


def _first_cells(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Return the text of the first cell of each row, "" for empty rows."""
    return [text(row[0]) if row else "" for row in rows]


def _filled_texts(row: Sequence[Cell]) -> list[str]:
    """Return the texts of the filled cells of a row."""
    return list(filter(None, map(text, row)))
