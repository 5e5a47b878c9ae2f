"""Layouts: how a sheet lays out players and their cards, as a list of recognisers in the order in which they are tried.

`book_reader` asks for the layout of each sheet. The result of any recogniser is tables: cells with their headings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from api.workbooks.column_roles.header import Header, find, find_untitled, first_row
from api.workbooks.column_roles.roles import apply_choices
from api.workbooks.intake.cells import CardCells
from api.workbooks.intake.grids import Grid
from api.workbooks.intake.sheet_rows import SheetRows
from api.workbooks.shapes import (
    card_matrix,
    card_per_row,
    deck_per_row,
    list_columns,
    players_side_by_side,
    players_stacked,
    sheet_per_player,
)
from validator.language import phrase
from validator.tables.column_samples import IsCard
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import COUNT


class Table(NamedTuple):
    """A part of a sheet that is read by itself: its cells and its headings. Without headings it is a deck list."""

    grid: Grid
    header: Header | None

    @property
    def name(self) -> str:
        """The name of the kind of table, for people."""
        if self.header is None:
            return phrase("a list of one player")
        return phrase("one row per deck") if self.header.columns.is_list else phrase("one row per card")

    def read(self, rows: SheetRows, cards: CardCells) -> None:
        """Read the table into the book of `rows`."""
        if self.header is None:
            sheet_per_player.read(rows, cards)
        elif self.header.columns.is_list:
            deck_per_row.read(rows, cards)
        else:
            card_per_row.read(rows, cards)


class Layout(NamedTuple):
    """The tables of a sheet: one of all players, or (`name` says how they are arranged) one for each player."""

    tables: Iterable[Table]
    name: str = ""


class _Sheet(NamedTuple):
    """A sheet with its headings, if it has any, and the test for names of cards."""

    grid: Grid
    header: Header | None
    is_card: IsCard
    sections: int | None  # the row of the sections under which one deck's cards are

    @property
    def names_players(self) -> bool:
        """True if a column has the players. Count columns that are repeated have each player's cards."""
        if self.header is None:
            return False
        columns = self.header.columns
        return columns.is_list or (columns.has(*SOMEBODY) and len(columns.roles.get(COUNT, ())) < 2)

    @property
    def has_sections(self) -> bool:
        """True if sections are side by side, so that players are not."""
        return self.sections is not None or (self.header is not None and bool(self.header.columns.counts))


def find_layout(grid: Grid, is_card: IsCard, choices: Mapping[str, str]) -> Layout:
    """Return the layout of a sheet. If the user chose columns, it is one table with these columns."""
    sections = list_columns.find_sections(grid.rows)
    header = find(grid.rows, is_card) if sections is None else None
    if choices:
        header = apply_choices(header or first_row(grid.rows), choices)
    sheet = _Sheet(grid, header, is_card, sections)
    recognisers = LAYOUTS_OF_CHOSEN_COLUMNS if choices else LAYOUTS
    return next(layout for recognise in recognisers if (layout := recognise(sheet)) is not None)


def _matrix(sheet: _Sheet) -> Layout | None:
    """A row for each card and a column for each player."""
    if sheet.names_players or sheet.has_sections:
        return None
    matrix = card_matrix.recognised(sheet.grid, sheet.is_card)
    if matrix is None:
        return None
    tables = (Table(part, header) for part, header in card_matrix.parts(sheet.grid, matrix))
    return Layout(tables, phrase("one row per card, one column per player"))


def _side_by_side(sheet: _Sheet) -> Layout | None:
    """Players side by side, each with one column of cards or several."""
    if sheet.names_players or sheet.has_sections:
        return None
    found = players_side_by_side.recognised(sheet.grid, sheet.is_card)
    if found is None:
        return None
    parts = players_side_by_side.parts(sheet.grid, found)
    return Layout((Table(part, find(part.rows, sheet.is_card)) for part in parts), phrase("players side by side"))


def _stacked(sheet: _Sheet) -> Layout | None:
    """Players under each other, each with the name above the cards."""
    if sheet.names_players:
        return None
    starts = players_stacked.recognised(sheet.grid, sheet.header, sheet.is_card)
    if not starts:
        return None
    parts = players_stacked.parts(sheet.grid, starts)
    tables = (Table(part, players_stacked.of_part(part, sheet.header)) for part in parts)
    return Layout(tables, phrase("players under each other"))


def _list_in_columns(sheet: _Sheet) -> Layout | None:
    """One player's cards in several groups of columns, although they have headings."""
    is_list = list_columns.find_groups(sheet.grid.rows) is not None
    return Layout([Table(sheet.grid, None)]) if is_list else None


def _titled(sheet: _Sheet) -> Layout | None:
    """One table under headings."""
    return None if sheet.header is None else Layout([Table(sheet.grid, sheet.header)])


def _untitled(sheet: _Sheet) -> Layout | None:
    """One table of several players without headings."""
    header = find_untitled(sheet.grid.rows, sheet.is_card)
    return None if header is None else Layout([Table(sheet.grid, header)])


def _one_list(sheet: _Sheet) -> Layout:
    """One player's list: what every other sheet is read as."""
    return Layout([Table(sheet.grid, None)])


_Recogniser = Callable[[_Sheet], Layout | None]
LAYOUTS_OF_CHOSEN_COLUMNS: Sequence[_Recogniser] = (_list_in_columns, _titled)
# The first that recognises a sheet counts: a table of one kind can look like a part of a later one.
LAYOUTS: Sequence[_Recogniser] = (
    _matrix,
    _side_by_side,
    _stacked,
    _list_in_columns,
    _titled,
    _untitled,
    _one_list,
)
