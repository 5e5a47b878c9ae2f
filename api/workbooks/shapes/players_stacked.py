"""Players under each other: each with the name above the cards, by a label or in a row alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from api.workbooks.column_roles.header import Header, labelled
from api.workbooks.intake.cells import Cell, count, is_blank, text
from api.workbooks.intake.grids import Grid
from validator.decklists.headlines import heading, is_total
from validator.tables import cell_kinds
from validator.tables.cell_kinds import has_card_number
from validator.tables.column_samples import IsCard
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import PLAYER_ID, called, is_known

_LONGEST_NAME = 4  # words, before a full stop that is not of "Jr."
_PLACE = re.compile(r"\A#?[0-9]{1,4}[.):] +")  # before a name: "1. Ann Lee"
_MOST_LABELLED = 4  # filled cells of a row that names a player


def recognised(grid: Grid, header: Header | None, is_card: IsCard) -> Sequence[int]:
    """Return the first row, from 0, of each of several players under each other. Empty if there are none."""
    if header is not None and (header.columns.is_list or header.columns.has(*SOMEBODY)):
        return ()
    labels = [_named_above(grid.rows, at, is_card) for at in _first_labels(grid.rows)]
    if len(labels) > 1:
        return labels
    alone = _name_rows(grid.rows, is_card) or _numbered_names(grid.rows, is_card)
    last = [at for at, after in pairwise([*alone, len(grid.rows)]) if after > at + 1]
    of_players = [at for at in last if _holds_cards(grid.rows[at + 1 : at + 5], is_card)]
    return of_players if len(of_players) > 1 else ()


def parts(grid: Grid, starts: Sequence[int]) -> Iterator[Grid]:
    """Yield the rows of each player as a sheet of that player's own."""
    for first, last in pairwise([*starts, len(grid.rows)]):
        row = grid.rows[first]
        if _labelled_roles(row):
            yield grid.part("", grid.rows[first:last], grid.top + first)
            continue
        name, *id = [text(cell) for cell in row if not (is_blank(cell) or count(cell))]
        rows = list(grid.rows[first:last])
        rows[0] = _label_id(id)
        below = next((at for at, row in enumerate(rows) if not _is_blank(row)), 0)
        rows[below] = _label_id([text(cell) for cell in rows[below] if not is_blank(cell)]) or rows[below]
        yield grid.part(_PLACE.sub("", name), rows, grid.top + first)


def _label_id(cells: Sequence[str]) -> list[Cell]:
    """Return a row that consists of a player's id with a label before it. Any other row becomes empty."""
    return [f"{PLAYER_ID}: {cells[0]}"] if len(cells) == 1 and cell_kinds.is_player_id(cells[0]) else []


def of_part(part: Grid, header: Header | None) -> Header | None:
    """Return the headings of a player's rows: repeated there, or those that stand once above all players."""
    if header is None:
        return None
    titles = header.columns.titles
    for at, row in enumerate(part.rows[: _MOST_LABELLED + 4]):
        if [text(cell) for cell in row[: len(titles)]] == list(titles):
            return Header(header.columns, at, at + 1, header.why)
    labels = next((at for at, row in enumerate(part.rows) if not (_is_blank(row) or any(labelled(row)))), 0)
    return Header(header.columns, labels, labels, header.why)


def _is_blank(row: Sequence[Cell]) -> bool:
    return all(map(is_blank, row))


def _first_labels(rows: Sequence[Sequence[Cell]]) -> Iterator[int]:
    """Yield the first row of the labels of each player. A repeated label belongs to the next player."""
    met: set[str] = set()
    for at, row in enumerate(rows):
        said = _labelled_roles(row)
        if said and (said & met or not met):
            met = set()
            yield at
        met |= said


def _named_above(rows: Sequence[Sequence[Cell]], label_row: int, is_card: IsCard) -> int:
    """Return the row of a name that stands without a label over the player's id, else the row of the label."""
    above = next((before for before in range(label_row - 1, -1, -1) if not _is_blank(rows[before])), None)
    is_name = (
        above is not None and _labelled_roles(rows[label_row]) == {PLAYER_ID} and _is_name_row(rows[above], is_card)
    )
    return above if above is not None and is_name else label_row


def _labelled_roles(row: Sequence[Cell]) -> set[str]:
    """Return the roles that a row has labels for, "Player: Ann Lee" in one cell or two."""
    filled = [cell for cell in row if not is_blank(cell)]
    if not 0 < len(filled) <= _MOST_LABELLED:
        return set()
    return {role for role, _, value in labelled(row) if role in (*SOMEBODY, PLAYER_ID) and called(text(value)) is None}


def _name_rows(rows: Sequence[Sequence[Cell]], is_card: IsCard) -> list[int]:
    return [at for at, row in enumerate(rows) if _is_name_row(row, is_card)]


def _is_name_row(row: Sequence[Cell], is_card: IsCard) -> bool:
    """Return True if a row has only a text that may be a name, with or without an id.

    A section, a total or a card is none.
    """
    filled = [cell for cell in row if not is_blank(cell)]
    if len(filled) == 2 and cell_kinds.is_player_id(text(filled[1])):
        filled.pop()
    return len(filled) == 1 and not count(filled[0]) and _may_be_name(text(filled[0]), is_card)


def _may_be_name(word: str, is_card: IsCard) -> bool:
    is_other = is_known(word) or heading(word) is not None or is_total(word) or has_card_number(word) or is_card(word)
    is_sentence = word.endswith(".") and len(word.split()) > _LONGEST_NAME
    return cell_kinds.is_wording(word) and not (is_other or is_sentence)


def _numbered_names(rows: Sequence[Sequence[Cell]], is_card: IsCard) -> Sequence[int]:
    """Return the rows with a name after 1, 2, 3 and on. Empty if the numbers may be counts."""
    named = [
        (at, row) for at, row in enumerate(rows) if _is_name_row([cell for cell in row if not count(cell)], is_card)
    ]
    numbers = [[count(cell) for cell in row if count(cell)] for _, row in named]
    return [at for at, _ in named] if len(named) > 2 and numbers == [[at + 1] for at in range(len(named))] else ()


def _holds_cards(rows: Sequence[Sequence[Cell]], is_card: IsCard) -> bool:
    return any(has_card_number(text(cell)) or is_card(text(cell)) for row in rows for cell in row)
