"""Filled down: what a table says once for several rows, by merged cells or over the cards of a section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter

from api.workbooks.intake.cells import Cell, cell_in, is_blank, text
from api.workbooks.intake.grids import MOST_ROWS, Grid
from validator.decklists.headlines import is_total
from validator.decklists.sections import section as section_meant
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, NUMBER, PLAYER_ID, SECTION, SIDE

_FILLED = (*WHO, SECTION, SIDE)
_Filled = Iterator[tuple[int, int, Cell]]  # a row from 1, a column and what is said there


def filled_down(grid: Grid, columns: Columns, start: int) -> dict[int, list[tuple[int, Cell]]]:
    """Return, by row, the columns that an earlier row fills, and with what; `start` is the first row of the table."""
    filled: dict[int, list[tuple[int, Cell]]] = {}
    sections = _sections(grid.rows[start:], columns, grid.top + start)
    for row, column, value in chain(_merged(grid, columns, start), sections):
        filled.setdefault(row, []).append((column, value))
    return filled


def _merged(grid: Grid, columns: Columns, start: int) -> _Filled:
    fillable = set(columns.places(*_FILLED))
    room = MOST_ROWS * len(_FILLED)  # ranges that overlap, which no spreadsheet program makes, end here
    for (top, left), (bottom, right) in grid.merged:
        room -= bottom - top
        first, last = top - grid.top, bottom - grid.top
        if left == right and left in fillable and start <= first < len(grid.rows) and room > 0:
            for row in range(first + 1, min(last + 1, len(grid.rows))):
                yield grid.top + row + 1, left, grid.rows[first][left]


def players_filled_down(grid: Grid, columns: Columns, start: int) -> Mapping[int, list[tuple[int, Cell]]]:
    """Return, by row, who the player of a row is that names none, where players are written once, over their cards.

    Who writes a player in two rows that follow each other writes them in all, and has forgotten one.
    """
    rows, places = grid.rows[start:], columns.places(*WHO)
    if not (named := _player_columns(rows, columns)):
        return {}
    filled: dict[int, list[tuple[int, Cell]]] = {}
    merged = _merged_rows(grid)
    player: list[tuple[int, Cell]] = []
    was_named = False
    for at, row in enumerate(rows, grid.top + start + 1):
        if _says_any(row, named):
            before, player = player, [(column, cell_in(row, column)) for column in places]
            if was_named and player == before:
                return {}
            was_named = True
        elif player and at not in merged and _has_card(row, columns):
            filled[at], was_named = player, False
    return filled


def _player_columns(rows: Sequence[Sequence[Cell]], columns: Columns) -> Sequence[int]:
    """Return the columns that name the player of a card, none where one of them has no blanks."""
    named = columns.places(*SOMEBODY, PLAYER_ID)
    return named if not columns.is_list and all(_has_blanks(rows, column) for column in named) else ()


def _says_any(row: Sequence[Cell], columns: Iterable[int]) -> bool:
    return any(not is_blank(cell_in(row, column)) for column in columns)


def _merged_rows(grid: Grid) -> set[int]:
    """Return the rows, from 1, that a merged cell of an earlier row reaches into."""
    rows: set[int] = set()
    covered = 0  # each row is added once: ranges of a hostile file may all overlap
    for (top, _), (bottom, _) in sorted(grid.merged):
        end = min(bottom, MOST_ROWS) + 2
        rows.update(range(max(top + 2, covered), end))
        covered = max(covered, end)
    return rows


def _sections(rows: Sequence[Sequence[Cell]], columns: Columns, start: int) -> _Filled:
    """Yield the section that an earlier row of the player says, where "Main" stands once above its cards.

    Who marks nothing but the side deck never writes "Main"; there a blank leaves it to the card's type.
    """
    column = columns.first(SECTION)
    if column is None or not _has_blanks(rows, column):
        return
    places = columns.places(*WHO)
    player: Sequence[Cell] = [""] * len(places)
    section, is_divided = "", False
    for at, row in enumerate(rows, start + 1):
        named = [cell_in(row, place) for place in places]
        if _is_another(named, player):
            player, section, is_divided = named, "", False
        if not is_blank(cell_in(row, column)):
            section = text(cell_in(row, column))
            is_divided = is_divided or section_meant(section) == "main"
        elif is_divided and _has_card(row, columns):
            yield at, column, section


def _is_another(named: Sequence[Cell], player: Sequence[Cell]) -> bool:
    return any(new != old and not is_blank(new) for new, old in zip(named, player, strict=True))


def _has_blanks(rows: Sequence[Sequence[Cell]], column: int) -> bool:
    return min(map(len, rows), default=0) <= column or any(map(is_blank, set(map(itemgetter(column), rows))))


def _has_card(row: Sequence[Cell], columns: Columns) -> bool:
    named = (columns.first(role) for role in (NUMBER, CARD))
    if all(column is None or is_blank(cell_in(row, column)) for column in named):
        return False
    return not is_total(" ".join(filter(None, map(text, row))))
