"""Layouts: how a sheet lays out players and their cards, as a list of recognisers in the order in which they are tried.

`book_reader` asks for the layout of each sheet. The result of any recogniser is tables: cells with their headings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from api.workbooks.intake.cells import BookCards, Cell, cell_in, text
from api.workbooks.intake.grids import Grid
from api.workbooks.intake.header import add_player_columns, find_header, find_untitled_header, first_row_header
from api.workbooks.intake.sheet_rows import SheetRows
from api.workbooks.readings import apply_choices
from api.workbooks.shapes import card_per_row, cards_across, deck_per_row, list_columns, sheet_per_player
from api.workbooks.shapes.list_columns import ListRow
from validator.decklists import player_parts
from validator.decklists.header import Header
from validator.decklists.player_parts import PlayerPart
from validator.language import phrase
from validator.tables.column_samples import IsCard
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import Columns
from validator.tables.headings import COUNT, PLAYER_ID


class Table(NamedTuple):
    """A part of a sheet, or a whole one, that is read by itself: its cells and its headings.

    `header` None means one player's deck list. `list_rows` are the rows of that list in its order.
    """

    grid: Grid
    header: Header | None
    list_rows: Iterable[ListRow] = ()

    @property
    def name(self) -> str:
        """The kind of table as an English phrase: a list of one player, one row per deck, or one row per card."""
        if self.header is None:
            return phrase("a list of one player")
        return phrase("one row per deck") if self.header.columns.is_list else phrase("one row per card")

    def read(self, rows: SheetRows, cards: BookCards) -> None:
        """Add the players and the faults of the table to the book of `rows`, by the reader for its kind."""
        if self.header is None:
            sheet_per_player.read(rows, self.list_rows, cards)
        elif self.header.columns.is_list:
            deck_per_row.read(rows, cards)
        else:
            card_per_row.read(rows, cards)


class Layout(NamedTuple):
    """The tables of a sheet: a single table, or one table for each player.

    `name` describes the arrangement of the players in the second case: "players side by side". It is "" in the first.
    """

    tables: Iterable[Table]
    name: str = ""


@dataclass
class _Sheet:
    """A sheet with its headings, if it has any, and the known cards. Recognisers of layouts get it.

    `section_rows` are the rows of one deck that has a column for each section, in the order of the list. None for other
    sheets. If there are any, `header` is None, unless a user chose columns.
    """

    grid: Grid
    header: Header | None
    cards: BookCards
    section_rows: Iterable[ListRow] | None

    @cached_property
    def texts(self) -> Sequence[Sequence[str]]:
        """The cells of all rows as texts."""
        return [list(map(text, row)) for row in self.grid.rows]

    @property
    def is_card(self) -> IsCard:
        """The function that tests the name of a card."""
        return self.cards.is_card

    @property
    def names_players(self) -> bool:
        """True if the table has a deck in each row, or a column of players' names and at most one heading of counts.

        If headings of counts are repeated, each may be of one player.
        """
        if self.header is None:
            return False
        columns = self.header.columns
        counts = set(columns.places(COUNT)) - columns.from_cells
        return columns.is_list or (columns.has(*SOMEBODY) and len(counts) < 2)

    @property
    def has_sections(self) -> bool:
        """True if headings or count columns are those of sections, so columns side by side are not players."""
        return self.section_rows is not None or (self.header is not None and bool(self.header.columns.counts))


def find_layout(grid: Grid, cards: BookCards, choices: Mapping[str, str]) -> Layout:
    """Return the layout of a sheet, by the first recogniser that returns one. The last one takes any sheet.

    Cards in several columns of a row are joined into a list in one cell before. `choices` are the columns that the user
    chose, by the keys of CHOICES. With any, the layout is a single table. Raises Refused if a chosen column does not
    exist.
    """
    grid = cards_across.stack_cards(grid)
    section_rows = list_columns.order_sections(_number_rows(grid))
    header = find_header(grid.rows, cards.is_card, cards.lookup) if section_rows is None else None
    if header is not None:
        header = add_player_columns(header, grid.rows, cards.lookup)
    if choices:
        header = apply_choices(header or first_row_header(grid.rows), choices)
    sheet = _Sheet(grid, header, cards, section_rows)
    recognisers = LAYOUTS_OF_CHOSEN_COLUMNS if choices else LAYOUTS
    return next(layout for recognise in recognisers if (layout := recognise(sheet)) is not None)


def _find_matrix(sheet: _Sheet) -> Layout | None:
    """Return the layout of a sheet with a row for each card and a column of counts for each player.

    It has a table for each player. None for other sheets.
    """
    if sheet.names_players or sheet.has_sections:
        return None
    matrix = player_parts.find_matrix(sheet.texts, sheet.is_card, sheet.cards.lookup)
    if matrix is None:
        return None
    titles = [*(text(cell_in(sheet.grid.rows[matrix.names], at)) for at in matrix.cards.values()), "Count"]
    roles = {role: [at] for at, role in enumerate((*matrix.cards, COUNT))}
    header = Header(Columns(titles, roles), 0, 0)
    parts = player_parts.matrix_parts(sheet.texts, matrix)
    tables = (Table(_without_other_cards(_cut_part(sheet.grid, part), sheet.is_card), header) for part in parts)
    return Layout(tables, phrase("one row per card, one column per player"))


def _find_side_by_side(sheet: _Sheet) -> Layout | None:
    """Return the layout of players side by side, each with one column of cards or several. None for other sheets."""
    if sheet.names_players or sheet.has_sections:
        return None
    found = player_parts.find_side_by_side(sheet.texts, sheet.is_card)
    if found is None:
        return None
    parts = (_cut_part(sheet.grid, part) for part in player_parts.side_by_side_parts(sheet.texts, found))
    return Layout(
        (_make_part_table(part, find_header(part.rows, sheet.is_card, sheet.cards.lookup)) for part in parts),
        phrase("players side by side"),
    )


def _find_stacked(sheet: _Sheet) -> Layout | None:
    """Return the layout of players under each other, each with the name above the cards. None for other sheets."""
    if sheet.header is not None and (sheet.header.columns.is_list or sheet.header.columns.has(*SOMEBODY)):
        return None
    starts = player_parts.find_stacked(sheet.texts, sheet.is_card)
    if not starts:
        return None
    parts = (_cut_part(sheet.grid, part) for part in player_parts.stacked_parts(sheet.texts, starts))
    tables = (_make_part_table(part, _find_part_header(part, sheet.header)) for part in parts)
    return Layout(tables, phrase("players under each other"))


def _make_part_table(part: Grid, header: Header | None) -> Table:
    """Return the table of a player's part. Without a header it is a list, which may be in columns side by side."""
    if header is not None:
        return Table(part, header)
    rows = _number_rows(part)
    return Table(part, None, list_columns.order_groups(rows) or list_columns.order_sections(rows) or rows)


def _number_rows(grid: Grid) -> Sequence[ListRow]:
    """Return all rows of a sheet or a part of one, each with its number in the whole sheet, from 1."""
    return list(enumerate(grid.rows, grid.top + 1))


def _cut_part(grid: Grid, part: PlayerPart) -> Grid:
    """Return the part of a player as a grid of its own, with the player's name as title.

    The row that only has the name becomes blank. If the part has an id, the row of the id becomes one cell with a label
    and the id.
    """
    places = part.columns
    rows: list[Sequence[Cell]] = [
        [cell_in(grid.rows[at], column) for column in places] if places else grid.rows[at] for at in part.rows
    ]
    if part.name_row >= 0:
        rows[part.name_row - part.rows.start] = []
    if part.id:
        rows[part.id_row - part.rows.start] = [f"{PLAYER_ID}: {part.id}"]
    return grid.part(part.name, rows, grid.top + part.rows.start, places)


def _without_other_cards(part: Grid, is_card: IsCard) -> Grid:
    """Return the part of a player in a matrix with blank rows for the cards that the player has no copy of.

    The last cell of each row is the count.
    """
    rows = [[] if player_parts.is_other_card(list(map(text, row)), is_card) else row for row in part.rows]
    return replace(part, rows=rows)


def _find_part_header(part: Grid, header: Header | None) -> Header | None:
    """Return the headings of a player's part: those that are repeated in it, else those above all players.

    In the second case `start` and `end` are equal, because the part has no row of headings. None if the sheet has no
    headings. `header` is that of the sheet.
    """
    if header is None:
        return None
    rows = [list(map(text, row)) for row in part.rows]
    start, end = player_parts.find_part_headings(rows, header.columns.titles)
    return Header(header.columns, start, end, header.why)


def _find_list_in_columns(sheet: _Sheet) -> Layout | None:
    """Return the layout of one player's cards in several groups of columns with headings. None for other sheets."""
    rows = list_columns.order_groups(_number_rows(sheet.grid))
    return None if rows is None else Layout([Table(sheet.grid, None, rows)])


def _find_titled_table(sheet: _Sheet) -> Layout | None:
    """Return the layout of one table under headings. None for a sheet without headings."""
    return None if sheet.header is None else Layout([Table(sheet.grid, sheet.header)])


def _find_untitled_table(sheet: _Sheet) -> Layout | None:
    """Return the layout of one table of several players without headings. None for other sheets."""
    header = find_untitled_header(sheet.grid.rows, sheet.cards.lookup)
    return None if header is None else Layout([Table(sheet.grid, header)])


def _make_single_list(sheet: _Sheet) -> Layout:
    """Return the layout of one player's deck list. The last recogniser: it takes every sheet."""
    return Layout([Table(sheet.grid, None, sheet.section_rows or _number_rows(sheet.grid))])


_Recogniser = Callable[[_Sheet], Layout | None]
LAYOUTS_OF_CHOSEN_COLUMNS: Sequence[_Recogniser] = (_find_list_in_columns, _find_titled_table)
# The first that recognises a sheet counts: a table of one kind can look like a part of a later one.
LAYOUTS: Sequence[_Recogniser] = (
    _find_matrix,
    _find_side_by_side,
    _find_stacked,
    _find_list_in_columns,
    _find_titled_table,
    _find_untitled_table,
    _make_single_list,
)
