"""Spreadsheets: cards from a CSV or XLSX table with the columns of `rows.PUBLIC`, in any order."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from carddb.errors import CardDataError
from carddb.errors import RowError
from carddb.files import tables
from carddb.problems import problems_in
from carddb.sources import printings
from carddb.sources import rows
from carddb.sources.reading import Reading
from validator.games import game_of
from validator.numbers import normal

_ALIKE = 0.8  # of 1, from which an unknown column is taken for a misspelled one


def read(data: bytes, name: str, game: str, columns: Collection[str] = rows.PUBLIC) -> Reading:
    """Return the cards of a spreadsheet; a CardDataError says in which rows and columns it is wrong.

    Other columns than `columns` are left out with a notice, unless they look like one misspelled. Rows
    of one card become one card (see `printings.one_each`).
    """
    needed = ("type",) if game_of(game).told_by_name else ("type", "number")
    table = tables.read(data, name, needs="name")
    notices = (*table.notices, *_unused(table.header, columns, name))
    missing = [column for column in needed if column not in table.header]
    if missing:
        raise CardDataError(f"{name} has no column `{missing[0]}`, which {game} cards need.")
    if not table.rows:
        raise CardDataError(f"{name} has a header and no cards.")
    return Reading(printings.one_each(game, _found(table, columns, name, game)), name, notices)


def _found(table: tables.Table, columns: Collection[str], name: str, game: str) -> list[printings.Found]:
    found: list[printings.Found] = []
    problems: list[str] = []
    for row in table.rows:
        try:
            found.append(_one(row, columns, game))
        except RowError as error:
            problems.append(f"row {row.number}, {error}")
    if problems:
        raise CardDataError(problems_in(name, problems))
    return found


def _one(row: tables.Row, columns: Collection[str], game: str) -> printings.Found:
    cells = {column: cell for column, cell in row.cells.items() if column in columns}
    spelled = cells.get("number", "").strip()
    is_base = not normal(spelled, game)[1]
    return printings.Found(rows.card(game, cells), spelled, is_base, f"row {row.number}")


def _unused(header: Collection[str], columns: Collection[str], name: str) -> tuple[str, ...]:
    unknown = [column for column in header if column and column not in columns]
    missing = [column for column in columns if column not in header]
    for column in unknown:
        if meant := difflib.get_close_matches(column[:40], missing, 1, _ALIKE):
            raise CardDataError(f"{name} has a column `{column[:40]}`; is `{meant[0]}` meant?")
    if not unknown:
        return ()
    return (f"{name}: not used are the columns {', '.join(column[:40] for column in unknown)}.",)
