"""A matrix of cards by players: a row a card, a column a player, and how many where they cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from api.workbooks.column_roles.header import Header
from api.workbooks.intake.cells import Cell, cell_in, count, is_blank, text
from api.workbooks.intake.grids import Grid
from validator.decklists.headlines import is_total, names_fact
from validator.tables import cell_kinds
from validator.tables.cell_kinds import is_card_number
from validator.tables.column_samples import IsCard
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, NUMBER, called

_SEARCHED = 6  # rows in which the names are looked for
_LOOKED_AT = 50  # rows that tell


class Matrix(NamedTuple):
    """The row of the names, from 0, the columns of the cards by what they hold, and those of the players."""

    names: int
    cards: dict[str, int]
    players: Sequence[int]


def recognised(grid: Grid, is_card: IsCard) -> Matrix | None:
    """Return the matrix of cards by players of a sheet. None if there is none."""
    for at, row in enumerate(grid.rows[:_SEARCHED]):
        below = grid.rows[at + 1 : at + 1 + _LOOKED_AT]
        cards = _cards(row, below, is_card)
        players = [column for column in range(len(row)) if column not in cards.values() and _is_player(row, column)]
        if (
            not cards
            or len({text(row[at]) for at in players}) < max(2, len(players))
            or _names_cards(row, cards, is_card)
        ):
            continue  # what is above several columns alike is no player's name
        if all(_holds_counts(below, column) for column in players):
            return Matrix(at, cards, players)
    return None


def parts(grid: Grid, found: Matrix) -> Iterator[tuple[Grid, Header]]:
    """Yield the cards of each player as a sheet of that player's own, with its headings."""
    names, below = grid.rows[found.names], grid.rows[found.names + 1 :]
    titles = [*(cell_in(names, column) for column in found.cards.values()), "Count"]
    roles = {role: [at] for at, role in enumerate((*found.cards, COUNT))}
    header = Header(Columns([text(title) for title in titles], roles), 0, 0)
    for player in found.players:
        places = [*found.cards.values(), player]
        rows = [[cell_in(row, at) for at in places] if not _is_none(cell_in(row, player)) else [] for row in below]
        yield grid.part(text(names[player]), rows, grid.top + found.names + 1, places), header


def _cards(titles: Sequence[Cell], rows: Sequence[Sequence[Cell]], is_card: IsCard) -> dict[str, int]:
    """Return the first column of card numbers and the first of names of cards."""
    found: dict[str, int] = {}
    for column in range(min(len(titles), 6)):
        cells = [text(cell) for row in rows if not is_blank(cell := cell_in(row, column))]
        for role, is_so in ((NUMBER, is_card_number), (CARD, is_card)):
            if cells and 2 * sum(map(is_so, cells)) > len(cells):
                found.setdefault(role, column)
                break
    return found


def _is_player(titles: Sequence[Cell], column: int) -> bool:
    title = text(titles[column])
    return cell_kinds.is_wording(title) and called(title) is None and not (is_total(title) or names_fact(title))


def _names_cards(row: Sequence[Cell], cards: dict[str, int], is_card: IsCard) -> bool:
    """Return True if a row is of a card. A player may have the name of a card."""
    return any(is_card_number(text(cell)) for cell in row) or any(is_card(text(row[at])) for at in cards.values())


def _holds_counts(rows: Sequence[Sequence[Cell]], column: int) -> bool:
    return all(_is_none(cell) or count(cell) is not None for row in rows for cell in row[column : column + 1])


def _is_none(cell: Cell) -> bool:
    return is_blank(cell) or cell == 0 or text(cell) in ("0", "-", "–")
