"""Players side by side: each has a column of cards, or two or three, under the name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from api.workbooks.column_roles.header import labelled
from api.workbooks.intake.cells import Cell, cell_in, count, is_blank, text
from api.workbooks.intake.grids import Grid
from validator.decklists.headlines import names_fact
from validator.decklists.sections import section
from validator.tables import cell_kinds
from validator.tables.cell_kinds import has_card_number
from validator.tables.column_samples import IsCard
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import called, is_known

_SEARCHED = 6  # rows in which the names are looked for
_LOOKED_AT = 50  # rows that tell
_WIDEST = 6  # columns of one player


class SideBySide(NamedTuple):
    """The rows of the names, from 0, and the columns of each player. Other players may be below the first."""

    names: Sequence[int]
    columns: Sequence[Sequence[int]]


def recognised(grid: Grid, is_card: IsCard) -> SideBySide | None:
    """Return the rows and columns of players side by side. None if there are none."""
    for at, row in enumerate(grid.rows[:_SEARCHED]):
        starts = [column for column, cell in enumerate(row) if not is_blank(cell)]
        if len(starts) < 2 or not all(_is_player(row[column], is_card) for column in starts):
            continue
        below = grid.rows[at + 1 : at + 1 + _LOOKED_AT]
        width = max(map(len, below), default=0)
        groups = [range(first, last) for first, last in pairwise([*starts, max(width, starts[-1] + 1)])]
        if all(0 < len(group) <= _WIDEST and _holds_cards(below, group, is_card) for group in groups):
            return SideBySide([at, *_below(grid.rows, at, groups, is_card)], groups)
    return None


def _below(rows: Sequence[Sequence[Cell]], first: int, groups: Sequence[range], is_card: IsCard) -> Iterator[int]:
    """Yield the rows of further names, each under a blank row and where names stand above."""
    for at in range(first + 2, len(rows) - 1):
        filled = [column for column, cell in enumerate(rows[at]) if not is_blank(cell)]
        of_filled = groups[: len(filled)]
        if not filled or filled != [group[0] for group in of_filled] or not all(map(is_blank, rows[at - 1])):
            continue
        cards = rows[at + 1 : at + 1 + _LOOKED_AT]
        are_names = all(_is_other_player(rows[at][column], is_card) for column in filled)
        if are_names and all(_holds_cards(cards, group, is_card) for group in of_filled):
            yield at


def _is_other_player(cell: Cell, is_card: IsCard) -> bool:
    """Return True if a cell below cards is a player's name: no count before its words, and no total."""
    return _is_player(cell, is_card) and not (text(cell)[:1].isdigit() or names_fact(text(cell)))


def parts(grid: Grid, found: SideBySide) -> Iterator[Grid]:
    """Yield the columns of each player as a sheet of that player's own."""
    for at, end in pairwise([*found.names, len(grid.rows)]):
        for columns in found.columns:
            named = cell_in(grid.rows[at], columns[0])
            if is_blank(named):
                continue
            rows = [row[columns[0] : columns[-1] + 1] for row in grid.rows[at + 1 : end]]
            id = next((text(cell) for row in rows[:1] for cell in row if not is_blank(cell)), "")
            if cell_kinds.is_player_id(id):
                rows[0] = [f"Player ID: {id}"]
            labels = (value for role, _, value in labelled([named]) if role in SOMEBODY)
            yield grid.part(text(next(labels, named)), rows, grid.top + at + 1, columns)


def _is_player(cell: Cell, is_card: IsCard) -> bool:
    word = text(cell)
    known = is_known(word) or called(word) is not None or section(word) is not None
    return (
        cell_kinds.is_wording(word)
        and not known
        and not has_card_number(word)
        and not is_card(word)
        and not count(cell)
    )


def _holds_cards(rows: Sequence[Sequence[Cell]], columns: Sequence[int], is_card: IsCard) -> bool:
    """Return True if most filled rows of some columns are cards, with or without a count."""
    lines = [[text(cell) for cell in row[columns[0] : columns[-1] + 1] if not is_blank(cell)] for row in rows]
    filled = [line for line in lines if line]
    cards = sum(any(has_card_number(cell) or is_card(cell) for cell in line) for line in filled)
    return cards > 0 and 2 * cards > len(filled)
