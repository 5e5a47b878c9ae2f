"""Players under each other: each with the name above the cards, by a label or in a row alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from api.workbooks import contents
from api.workbooks.cells import Cell, count, is_blank, text
from api.workbooks.grids import Grid
from api.workbooks.header import Header, labelled
from validator.decklists.columns import SOMEBODY, IsCard, names_number
from validator.decklists.headings import PLAYER, called, is_known
from validator.decklists.headlines import heading, is_total

_LONGEST_NAME = 4  # words, before a full stop that is not of "Jr."
_MOST_LABELLED = 4  # filled cells of a row that names a player


def recognised(grid: Grid, header: Header | None, is_card: IsCard) -> Sequence[int]:
    """Return the rows, from 0, in which players begin where several stand under each other; none where not."""
    if header is not None and (header.columns.is_list or header.columns.has(*SOMEBODY)):
        return ()
    labels = [at for at, row in enumerate(grid.rows) if _names_player(row)]
    if len(labels) > 1:
        return labels
    alone = [at for at, row in enumerate(grid.rows) if _is_name_row(row, is_card)]
    last = [at for at, after in pairwise([*alone, len(grid.rows)]) if after > at + 1]
    of_players = [at for at in last if _holds_cards(grid.rows[at + 1 : at + 5], is_card)]
    return of_players if len(of_players) > 1 else ()


def parts(grid: Grid, starts: Sequence[int]) -> Iterator[Grid]:
    """Yield the rows of each player as a sheet of that player's own."""
    for first, last in pairwise([*starts, len(grid.rows)]):
        row = grid.rows[first]
        if _names_player(row):
            yield grid.part("", grid.rows[first:last], grid.top + first)
        else:
            [name] = [text(cell) for cell in row if not is_blank(cell)]
            yield grid.part(name, grid.rows[first + 1 : last], grid.top + first + 1)


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


def _names_player(row: Sequence[Cell]) -> bool:
    """Tell whether a row says "Player: Ann Lee", in one cell or in two."""
    filled = [cell for cell in row if not is_blank(cell)]
    if not 0 < len(filled) <= _MOST_LABELLED:
        return False
    return any(role == PLAYER and called(text(value)) is None for role, _, value in labelled(row))


def _is_name_row(row: Sequence[Cell], is_card: IsCard) -> bool:
    """Tell whether nothing stands in a row but a word that may be a name, and is no section, total or card."""
    filled = [cell for cell in row if not is_blank(cell)]
    if len(filled) != 1 or count(filled[0]):
        return False
    word = text(filled[0])
    is_other = is_known(word) or heading(word) is not None or is_total(word) or names_number(word) or is_card(word)
    is_sentence = word.endswith(".") and len(word.split()) > _LONGEST_NAME
    return contents.is_wording(word) and not (is_other or is_sentence)


def _holds_cards(rows: Sequence[Sequence[Cell]], is_card: IsCard) -> bool:
    return any(names_number(text(cell)) or is_card(text(cell)) for row in rows for cell in row)
