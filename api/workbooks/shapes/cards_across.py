"""Cards across: a row a deck, its cards in columns such as Card 1, Qty 1, Card 2, Qty 2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from api.workbooks.cells import Cell, count, is_blank, text
from api.workbooks.grids import Grid
from validator.decklists.headings import CARD, COUNT, NUMBER, called

_SEARCHED = 10  # rows in which the headings are looked for
_NUMBERED = re.compile(r"(?<![\s#._-])[\s#._-]*[0-9]{1,3}[\s.]*\Z|\A(?=.*[0-9])(?:[0-9]{1,3}[\s._-]*)", re.ASCII)
LIST = "Deck list"


def recognised(grid: Grid) -> int | None:
    """Return the row, from 0, of headings that have a column or two for each card; None where there are none."""
    for at, row in enumerate(grid.rows[:_SEARCHED]):
        roles = [_role(cell) for cell in row]
        if max(roles.count(NUMBER), roles.count(CARD)) > 2 and None in roles:
            return at
    return None


def as_lists(grid: Grid, at: int) -> Grid:
    """Return the sheet with the cards of each row as one list behind its other columns, above which nothing stands."""
    titles = grid.rows[at]
    roles = {column: role for column, cell in enumerate(titles) if (role := _role(cell))}
    others = [column for column in range(len(titles)) if column not in roles]
    rows: list[Sequence[Cell]] = [[*(titles[column] for column in others), LIST]]
    for row in grid.rows[at + 1 :]:
        lines = "\n".join(_lines(row, roles))
        rows.append([*(row[column] if column < len(row) else "" for column in others), lines])
    places = [*others, min(roles)]
    return replace(grid.part(grid.title, rows, grid.top + at, places), merged=())


def _role(cell: Cell) -> str | None:
    """Return what of a card a numbered heading says: "Card 1", "Qty #2", "3. Number"."""
    title = text(cell)
    bare = _NUMBERED.sub("", title, count=1)
    meant = called(bare) if bare != title else None
    return meant[0] if meant and meant[0] in (NUMBER, CARD, COUNT) else None


def _lines(row: Sequence[Cell], roles: dict[int, str]) -> Iterator[str]:
    """Yield a line for each card of a row: a card ends where what it already has comes again."""
    card: dict[str, str] = {}
    for column, role in roles.items():
        if role in card:
            yield from _line(card)
            card = {}
        cell = row[column] if column < len(row) else ""
        if not is_blank(cell):
            card[role] = str(count(cell) or text(cell)) if role == COUNT else text(cell)
        else:
            card[role] = ""
    yield from _line(card)


def _line(card: dict[str, str]) -> Iterator[str]:
    named = " ".join(" ".join(filter(None, (card.get(NUMBER), card.get(CARD)))).split())
    if named:
        yield f"{card.get(COUNT) or '?'} {named}" if COUNT in card else named
    elif card.get(COUNT, "").strip("0"):
        yield f"{card[COUNT]} ?"
