"""Own exports: recognise registration sheets and results of deckproof, which `book_reader` reads again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from api.sheets.sheet import COLUMNS, CURVE, CURVE_TITLES, DECK_HASH, FINDINGS, PLAYER_ID
from api.workbooks.intake.cells import Cell, text
from api.workbooks.intake.grids import Grid
from api.workbooks.reporting import reports
from validator.tables import headings

_HEAD = 40  # rows, with room to spare, that end with the headings of the cards


def is_curve(grid: Grid) -> bool:
    """Return True if a sheet is the cost curve of a registration sheet."""
    return grid.title.startswith(CURVE) and tuple(_headline(grid)) == CURVE_TITLES


def is_summary(grid: Grid) -> bool:
    """Return True if a sheet is the summary of a workbook of results."""
    return grid.title in reports.NAMES and any(cell.startswith(reports.CHECKED) for cell in _headline(grid))


def is_registration(grid: Grid) -> bool:
    """Return True if a sheet is a registration sheet."""
    head = _firsts(grid.rows[: _heading_row(grid)])
    return head[1:2] == [PLAYER_ID] and any(cell.startswith(DECK_HASH) for cell in head)


def without_findings(grid: Grid) -> Grid:
    """Return a registration sheet without the findings that we printed, and all beside the labels that it is under."""
    name = _headline(grid)[-1:]  # after the letter that it is filed under
    start, firsts = _heading_row(grid), _firsts(grid.rows)
    labelled = [[*row[:1], *row[2:]] for row in grid.rows[1:start]]  # a label takes two columns
    end = firsts.index(FINDINGS) if FINDINGS in firsts else len(firsts)
    return replace(grid, rows=[[headings.PLAYER, *name], *labelled, *grid.rows[start:end]])


def _headline(grid: Grid) -> list[str]:
    return [cell for row in grid.rows[:1] for cell in _words(row)]


def _heading_row(grid: Grid) -> int:
    """Return the row of the headings of the cards, from 0. 0 if there is none."""
    return next((at for at, row in enumerate(grid.rows[:_HEAD]) if tuple(_words(row)) == COLUMNS), 0)


def _firsts(rows: Sequence[Sequence[Cell]]) -> list[str]:
    return [text(row[0]) if row else "" for row in rows]


def _words(row: Sequence[Cell]) -> list[str]:
    return list(filter(None, map(text, row)))
