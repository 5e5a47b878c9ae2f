"""Card tables: cards from a spreadsheet with the columns of `printed_facts.COLUMNS`, in any order."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from carddb.bounds import LARGEST_CARD_FILE
from carddb.errors import CardDataError, RowError, source_problems_error
from carddb.files import spreadsheets
from carddb.files.spreadsheets import Sheet
from carddb.sources import printed_facts, printings
from carddb.sources.printings import CardList, PrintedCard
from validator.decklists.delimiter import declared_delimiter, find_delimiter
from validator.errors import error_text
from validator.formulas import unguard_formula
from validator.games import game_of
from validator.language import phrase
from validator.numbers import normal

_UNCOMPUTED = "#FORMULA!"  # the text of a formula that no program has computed
_REQUIRED = "name"  # the column that the header of every card table has
_SIMILARITY = 0.8  # of 1, from which an unknown column is taken for a misspelled one


class _TableRow(NamedTuple):
    """One row that is not blank: its number as a spreadsheet program shows it (from 1), and its cells by column.

    `cells` has texts by the normalised name of the column, unknown columns too. Missing cells at the end have no entry.
    """

    number: int
    cells: dict[str, str]


class _Table(NamedTuple):
    """A header, the rows under it that are not blank, and notices.

    `header` has the normalised names of the columns (`Back name` → `back_name`), "" for a blank one between others.
    `notices` has one sentence if the encoding of the file was guessed, else none.
    """

    header: tuple[str, ...]
    rows: Sequence[_TableRow]
    notices: tuple[str, ...] = ()


def read(data: bytes, name: str, game: str) -> CardList:
    """Return the cards of a spreadsheet (CSV, XLSX or ODS). `name` is the name of the file.

    Unknown columns are ignored with a notice, and refused if they look like a misspelled one. Rows of the same card
    become one card (see `printings.merge_by_card`). Raises CardDataError with the wrong rows and columns, for a missing
    column, and without cards. Raises UnknownGame.
    """
    needed = ("type",) if game_of(game).told_by_name else ("type", "number")
    table = _read_card_table(data, name)
    notices = (*table.notices, *_check_unknown_columns(table.header, name))
    missing = [column for column in needed if column not in table.header]
    if missing:
        raise CardDataError(
            phrase("{file} has no column `{column}`, which {game} cards need.", file=name, column=missing[0], game=game)
        )
    if not table.rows:
        raise CardDataError(phrase("{file} has a header and no cards.", file=name))
    return CardList(printings.merge_by_card(game, _read_printings(table, name, game)), name, notices)


def _read_printings(table: _Table, name: str, game: str) -> list[PrintedCard]:
    """Return the printing of each row of a table, in order.

    Raises CardDataError with the problems of all rows. `name` is the name of the file in the message.
    """
    cards: list[PrintedCard] = []
    problems: list[str] = []
    for row in table.rows:
        try:
            cards.append(_read_row(row, game))
        except RowError as error:
            problems.append(phrase("row {row}, {problem}", row=row.number, problem=error_text(error)))
    if problems:
        raise source_problems_error(name, problems)
    return cards


def _read_row(row: _TableRow, game: str) -> PrintedCard:
    """Return the printing of a row. Unknown columns are ignored. Raises RowError with the problem of each cell.

    A number without the suffix of a printing is the base printing.
    """
    cells = {column: cell for column, cell in row.cells.items() if column in printed_facts.COLUMNS}
    spelled = cells.get("number", "").strip()
    is_base = not normal(spelled, game)[1]
    return PrintedCard(printed_facts.read_card(game, cells), spelled, is_base, phrase("row {row}", row=row.number))


def _check_unknown_columns(header: Collection[str], name: str) -> tuple[str, ...]:
    """Return one notice that names all unknown columns, () if there are none.

    Raises CardDataError if one of them looks like a misspelled column that the header lacks.
    """
    unknown = [column[:40] for column in header if column and column not in printed_facts.COLUMNS]
    missing = [column for column in printed_facts.COLUMNS if column not in header]
    for column in unknown:
        if meant := difflib.get_close_matches(column, missing, 1, _SIMILARITY):
            raise CardDataError(
                phrase("{file} has a column `{column}`; is `{meant}` meant?", file=name, column=column, meant=meant[0])
            )
    return (
        (phrase("{file}: not used are the columns {columns}.", file=name, columns=", ".join(unknown)),)
        if unknown
        else ()
    )


def _read_card_table(data: bytes, name: str) -> _Table:
    """Return the table of a spreadsheet. `name` is the name of the file in messages.

    The table of a workbook is the first sheet that has the column "name" in its first filled row. The delimiter of a
    text file is found by its lines. A first line `sep=;` is skipped, and escapes of formulas are removed. Raises
    CardDataError if the file cannot be read or has no such table.
    """
    spreadsheets.check_size(data, name, LARGEST_CARD_FILE)
    if not spreadsheets.is_workbook(data):
        text, notices = spreadsheets.read_text(data, name)
        delimiter = find_delimiter(text, lambda lines: sum(_REQUIRED in _column_names(line) for line in lines))
        lines = enumerate(spreadsheets.parse_rows(text, delimiter, name), 1)
        cells = (
            (number, list(map(unguard_formula, row)))
            for number, row in lines
            if number > 1 or not declared_delimiter(text)
        )
        return _make_table(name, cells)._replace(notices=notices)
    refusal: str = phrase("{file} has no cells.", file=name)
    for sheet in spreadsheets.read_workbook(data, name):
        try:
            return _make_table(
                phrase("{file}, sheet {sheet}", file=name, sheet=sheet.name), enumerate(_text_rows(sheet), 1)
            )
        except _NoHeader as error:
            refusal = error_text(error)
    raise CardDataError(refusal)


def _text_rows(sheet: Sheet) -> Iterator[list[str]]:
    """Yield the rows of a sheet as texts. A cell with an error has its text, an uncomputed formula "#FORMULA!"."""
    for number, row in enumerate(sheet.rows, 1):
        cells = list(map(spreadsheets.cell_text, row))
        for column, error in sheet.odd.get(number, ()):
            cells.extend([""] * (column + 1 - len(cells)))
            cells[column] = error or _UNCOMPUTED
        yield cells


class _NoHeader(CardDataError):
    """The first row of a table lacks the required column `name`."""


def _make_table(name: str, rows: Iterable[tuple[int, Sequence[str]]]) -> _Table:
    """Return the table of `(row number, cells)` pairs. The first row that is not blank is the header.

    Blank rows are left out. `name` is the file, and its sheet if any, in messages. Raises _NoHeader if the header has
    no column "name". Raises CardDataError for two equal columns, and for a row with more cells than the header.
    """
    filled = ((number, cells) for number, cells in rows if any(cell.strip() for cell in cells))
    _, first = next(filled, (0, ()))
    header = _column_names(first)
    if _REQUIRED not in header:
        raise _NoHeader(
            phrase(
                "{file} has no column `{column}` in its first row; see the README for the columns.",
                file=name,
                column=_REQUIRED,
            )
        )
    if twice := [column for column in header if column and header.count(column) > 1]:
        raise CardDataError(
            phrase("{file} has two columns `{column}`; which one counts?", file=name, column=twice[0][:40])
        )
    return _Table(header, list(_map_rows(name, header, filled)))


def _column_names(cells: Iterable[str]) -> tuple[str, ...]:
    """Return the normalised names of the columns in the cells of a header: `Back name` → `back_name`.

    Blank columns at the end are dropped.
    """
    header = ["_".join(cell.casefold().replace("_", " ").split()) for cell in cells]
    while header and not header[-1]:
        header.pop()
    return tuple(header)


def _map_rows(name: str, header: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[_TableRow]:
    """Yield the `(row number, cells)` pairs as rows with cells by column.

    Missing cells at the end of a row have no entry. Raises CardDataError if a row has more cells than the header. Blank
    ones do not count. `name` is for the message.
    """
    for number, cells in rows:
        if any(cell.strip() for cell in cells[len(header) :]):
            raise CardDataError(
                phrase("{file}, row {number}: has more cells than the header has columns.", file=name, number=number)
            )
        yield _TableRow(number, dict(zip(header, cells, strict=False)))
