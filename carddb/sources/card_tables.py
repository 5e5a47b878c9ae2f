"""Card tables: cards from a spreadsheet with the columns of `printed_facts.COLUMNS`, in any order."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from carddb.bounds import LARGEST_CARD_FILE
from carddb.errors import CardDataError, RowError, problems_in
from carddb.files import spreadsheets
from carddb.files.spreadsheets import Sheet
from carddb.sources import printed_facts, printings
from carddb.sources.printings import CardList, PrintedCard
from validator.decklists.delimiter import find_delimiter, hinted
from validator.decklists.formulas import unguarded
from validator.games import game_of
from validator.numbers import normal

_UNCOMPUTED = "#FORMULA!"  # the text of a formula that no program has computed
_NEEDED = "name"  # the column that the header of every card table has
_ALIKE = 0.8  # of 1, from which an unknown column is taken for a misspelled one


class _TableRow(NamedTuple):
    """One row: its number as a spreadsheet program shows it (the header is 1), and its cells by column."""

    number: int
    cells: dict[str, str]


class _Table(NamedTuple):
    """A header, the rows under it, and a notice if the encoding of the file was guessed."""

    header: tuple[str, ...]
    rows: Sequence[_TableRow]
    notices: tuple[str, ...] = ()


def read(data: bytes, name: str, game: str) -> CardList:
    """Return the cards of a spreadsheet. Raises CardDataError that names the wrong rows and columns.

    Unknown columns are ignored with a notice, and refused if they look like a misspelled one. Rows of the same card
    become one card (see `printings.one_each`).
    """
    needed = ("type",) if game_of(game).told_by_name else ("type", "number")
    table = _read_table(data, name)
    notices = (*table.notices, *_unused(table.header, name))
    missing = [column for column in needed if column not in table.header]
    if missing:
        raise CardDataError(f"{name} has no column `{missing[0]}`, which {game} cards need.")
    if not table.rows:
        raise CardDataError(f"{name} has a header and no cards.")
    return CardList(printings.one_each(game, _printings(table, name, game)), name, notices)


def _printings(table: _Table, name: str, game: str) -> list[PrintedCard]:
    cards: list[PrintedCard] = []
    problems: list[str] = []
    for row in table.rows:
        try:
            cards.append(_one(row, game))
        except RowError as error:
            problems.append(f"row {row.number}, {error}")
    if problems:
        raise problems_in(name, problems)
    return cards


def _one(row: _TableRow, game: str) -> PrintedCard:
    cells = {column: cell for column, cell in row.cells.items() if column in printed_facts.COLUMNS}
    spelled = cells.get("number", "").strip()
    is_base = not normal(spelled, game)[1]
    return PrintedCard(printed_facts.read_card(game, cells), spelled, is_base, f"row {row.number}")


def _unused(header: Collection[str], name: str) -> tuple[str, ...]:
    unknown = [column[:40] for column in header if column and column not in printed_facts.COLUMNS]
    missing = [column for column in printed_facts.COLUMNS if column not in header]
    for column in unknown:
        if meant := difflib.get_close_matches(column, missing, 1, _ALIKE):
            raise CardDataError(f"{name} has a column `{column}`; is `{meant[0]}` meant?")
    return (f"{name}: not used are the columns {', '.join(unknown)}.",) if unknown else ()


def _read_table(data: bytes, name: str) -> _Table:
    """Return the table of a spreadsheet: of a workbook, the first sheet with a header. Raises CardDataError if none."""
    spreadsheets.check_size(data, name, LARGEST_CARD_FILE)
    if not spreadsheets.is_workbook(data):
        text, notices = spreadsheets.read_text(data, name)
        delimiter = find_delimiter(text, lambda lines: sum(_NEEDED in _header(line) for line in lines))
        lines = enumerate(spreadsheets.parse_rows(text, delimiter, name), 1)
        cells = ((number, list(map(unguarded, row))) for number, row in lines if number > 1 or not hinted(text))
        return _table(name, cells)._replace(notices=notices)
    refusal = f"{name} has no cells."
    for sheet in spreadsheets.read_workbook(data, name):
        try:
            return _table(f"{name}, sheet {sheet.name}", enumerate(_text_rows(sheet), 1))
        except _NoHeader as error:
            refusal = str(error)
    raise CardDataError(refusal)


def _text_rows(sheet: Sheet) -> Iterator[list[str]]:
    """Yield the rows of a sheet as text, with its errors and formulas without a value, which are no empty cells."""
    for number, row in enumerate(sheet.rows, 1):
        cells = list(map(spreadsheets.cell_text, row))
        for column, error in sheet.odd.get(number, ()):
            cells.extend([""] * (column + 1 - len(cells)))
            cells[column] = error or _UNCOMPUTED
        yield cells


class _NoHeader(CardDataError):
    """The first row of a table does not name the column that is needed."""


def _table(name: str, rows: Iterable[tuple[int, Sequence[str]]]) -> _Table:
    filled = ((number, cells) for number, cells in rows if any(cell.strip() for cell in cells))
    _, first = next(filled, (0, ()))
    header = _header(first)
    if _NEEDED not in header:
        raise _NoHeader(f"{name} has no column `{_NEEDED}` in its first row; see the README for the columns.")
    if twice := [column for column in header if column and header.count(column) > 1]:
        raise CardDataError(f"{name} has two columns `{twice[0][:40]}`; which one counts?")
    return _Table(header, list(_rows(name, header, filled)))


def _header(cells: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the columns, `Back name` as `back_name`, without the blank ones at the end."""
    header = ["_".join(cell.casefold().replace("_", " ").split()) for cell in cells]
    while header and not header[-1]:
        header.pop()
    return tuple(header)


def _rows(name: str, header: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[_TableRow]:
    for number, cells in rows:
        if any(cell.strip() for cell in cells[len(header) :]):
            raise CardDataError(f"{name}, row {number}: has more cells than the header has columns.")
        yield _TableRow(number, dict(zip(header, cells, strict=False)))
