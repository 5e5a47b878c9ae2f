"""Header: the headings of a sheet, also of one whose columns a user chooses, or that has no headings.

`validator.decklists.header` finds headings by their words and by the cells below them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from api.workbooks.intake.cells import Cell, cell_in, is_blank, letters, text
from validator.decklists import header as headers
from validator.decklists.header import LOOKED_AT, TOP_ROWS, Header, is_counted_row, reasons_from_cells
from validator.decklists.source import Source
from validator.tables import cell_kinds
from validator.tables.column_samples import IsCard
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import Columns
from validator.tables.headings import DECKLIST, PLAYER_ID
from validator.tables.labels import heading_text
from validator.tables.unnamed_players import CardLookup, add_players
from validator.tables.untitled_columns import infer_player_columns, is_counted_card

NO_CARDS = Source("", None)  # the lookup without a catalogue


def find_header(
    rows: Sequence[Sequence[Cell]], is_card: IsCard = lambda name: False, cards: CardLookup = NO_CARDS
) -> Header | None:
    """Return the headings of the cells of a sheet, as `headers.find_header` finds them. None if there are none."""
    return headers.find_header([list(map(text, row)) for row in rows[: TOP_ROWS + LOOKED_AT]], is_card, cards)


def add_player_columns(header: Header, rows: Sequence[Sequence[Cell]], cards: CardLookup) -> Header:
    """Return the headings of a sheet with columns of players that no heading names, found by the cells.

    The same headings are returned if there are none, if a heading names players, or if each row is a deck. The columns
    of `header` are changed.
    """
    columns = header.columns
    if columns.is_list or columns.has(*SOMEBODY, PLAYER_ID):
        return header
    table = [list(map(text, row)) for row in rows[header.end : header.end + LOOKED_AT]]
    return replace(header, why=reasons_from_cells(columns)) if add_players(columns, table, cards) else header


def first_row_header(rows: Sequence[Sequence[Cell]]) -> Header:
    """Return the first row that is not blank as headings without roles, for columns that a user chooses.

    It is the first row if all are blank. `rows` must not be empty.
    """
    start = next((at for at, row in enumerate(rows) if not all(map(is_blank, row))), 0)
    return Header(Columns(list(map(heading_text, rows[start]))), start, start + 1)


def find_untitled_header(rows: Sequence[Sequence[Cell]], cards: CardLookup) -> Header | None:
    """Return the columns of a table of several players without headings, by their cells.

    None if there is no such table in the first 40 rows. The headings are the letters of the columns. `start` and `end`
    are both the table's first row.
    """
    start = next((at for at, row in enumerate(rows[:TOP_ROWS]) if _is_table_row(row, cards)), None)
    if start is None:
        return None
    table = [words for row in rows[start : start + LOOKED_AT] if any(words := list(map(text, row)))]
    roles = infer_player_columns(table, cards)
    if not roles:
        return None
    width = max(map(len, table))
    layout = Columns(list(map(letters, range(width))), {role: [at] for role, at in roles.items()})
    layout.from_cells = set(roles.values())
    layout.unknown = [at for at in layout.free() if any(at < len(row) and row[at] for row in table)]
    if DECKLIST in roles:
        start = _first_list(rows[: start + 1], roles[DECKLIST])
    return Header(layout, start, start, reasons_from_cells(layout))


def _is_table_row(row: Sequence[Cell], cards: CardLookup) -> bool:
    """Return True if a row has several filled cells, any of them a card number, a card with its count, or a list.

    The name of a card with a count in another cell is one, too.
    """
    filled = [text(cell) for cell in row if not is_blank(cell)]
    is_of_table = is_counted_row(filled, cards.is_name) or any(
        cell_kinds.is_card_number(cell) or cell_kinds.is_list(cell) or is_counted_card(cell, cards) for cell in filled
    )
    return len(filled) > 1 and is_of_table


def _first_list(rows: Sequence[Sequence[Cell]], column: int) -> int:
    """Return the index of the first row with a list in a column, else of the last row.

    So a list without a player's name is read, and the missing name is reported.
    """
    lists = (at for at, row in enumerate(rows) if cell_kinds.is_list(text(cell_in(row, column))))
    return next(lists, len(rows) - 1)
