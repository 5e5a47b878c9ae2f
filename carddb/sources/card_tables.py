"""Card tables: cards from a CSV or XLSX table with the columns of `rows.COLUMNS`, in any order."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from carddb.errors import CardDataError, RowError, problems_in
from carddb.files import tables
from carddb.sources import printings, rows
from carddb.sources.printings import CardList, PrintedCard
from validator.games import game_of
from validator.numbers import normal

_ALIKE = 0.8  # of 1, from which an unknown column is taken for a misspelled one


def read(data: bytes, name: str, game: str) -> CardList:
    """Return the cards of a spreadsheet; a CardDataError says in which rows and columns it is wrong.

    Other columns are left out with a notice, unless they look like one misspelled. Rows
    of one card become one card (see `printings.one_each`).
    """
    needed = ("type",) if game_of(game).told_by_name else ("type", "number")
    table = tables.read(data, name, needs="name")
    notices = (*table.notices, *_unused(table.header, name))
    missing = [column for column in needed if column not in table.header]
    if missing:
        raise CardDataError(f"{name} has no column `{missing[0]}`, which {game} cards need.")
    if not table.rows:
        raise CardDataError(f"{name} has a header and no cards.")
    return CardList(printings.one_each(game, _printings(table, name, game)), name, notices)


def _printings(table: tables.Table, name: str, game: str) -> list[PrintedCard]:
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


def _one(row: tables.TableRow, game: str) -> PrintedCard:
    cells = {column: cell for column, cell in row.cells.items() if column in rows.COLUMNS}
    spelled = cells.get("number", "").strip()
    is_base = not normal(spelled, game)[1]
    return PrintedCard(rows.card(game, cells), spelled, is_base, f"row {row.number}")


def _unused(header: Collection[str], name: str) -> tuple[str, ...]:
    unknown = [column[:40] for column in header if column and column not in rows.COLUMNS]
    missing = [column for column in rows.COLUMNS if column not in header]
    for column in unknown:
        if meant := difflib.get_close_matches(column, missing, 1, _ALIKE):
            raise CardDataError(f"{name} has a column `{column}`; is `{meant[0]}` meant?")
    return (f"{name}: not used are the columns {', '.join(unknown)}.",) if unknown else ()
