"""Cards across: a row a deck, its cards in columns such as Card 1, Qty 1, Card 2, Qty 2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from api.workbooks.intake.cells import Cell, cell_in, count, is_blank, text
from api.workbooks.intake.grids import Grid
from validator.decklists.header import TOP_ROWS
from validator.tables.cell_kinds import has_card_number, is_card_number, is_list
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import CARD, COUNT, NAME_KEYS, NUMBER, PLAYER_ID, find_wording, key

_LOOKED_AT = 50  # rows that show the contents below a heading
_NUMBERED = re.compile(
    r"(?<![\s#._-])[\s#._-]*[0-9]{1,3}[\s.]*\Z|\A(?=.*[0-9])(?:[0-9]{1,3}[\s._-]*)"
    r"|(?<=[^\W\d_])[ #_]{1,2}[0-9]{1,3}(?=[ _:-]{1,3}[^\W\d_])",
    re.ASCII,
)
_OFTEN = 3  # times that a heading is in a row with a heading for each card
LIST = "Deck list"


def stack_cards(grid: Grid) -> Grid:
    """Return a sheet that has more than two cards in each row with these as one list in one cell.

    Other sheets are returned unchanged.
    """
    row = _find_headings(grid)
    return grid if row is None else _join_cards(grid, row)


def _find_headings(grid: Grid) -> int | None:
    """Return the row, from 0, of headings with more than two columns of cards and another column.

    None if there is none in the first 40 rows.
    """
    for at in range(min(len(grid.rows), TOP_ROWS)):
        roles = _card_roles(grid, at)
        if max(roles.count(NUMBER), roles.count(CARD)) > 2 and None in roles:
            return at
    return None


def _join_cards(grid: Grid, heading_row: int) -> Grid:
    """Return the table below the headings with the cards of each row as a list in one more column, "Deck list".

    The columns of the cards and the rows above the headings are removed, and merged ranges are dropped.
    """
    titles = grid.rows[heading_row]
    roles = {column: role for column, role in enumerate(_card_roles(grid, heading_row)) if role}
    others = [column for column in range(len(titles)) if column not in roles]
    rows: list[Sequence[Cell]] = [[*(titles[column] for column in others), LIST]]
    for row in grid.rows[heading_row + 1 :]:
        lines = "\n".join(_list_lines(row, roles))
        rows.append([*(cell_in(row, column) for column in others), lines])
    places = [*others, min(roles)]
    return replace(grid.part(grid.title, rows, grid.top + heading_row, places), merged=())


def _card_roles(grid: Grid, heading_row: int) -> list[str | None]:
    """Return NUMBER, CARD or COUNT for each numbered heading of a row ("Card 1", "Qty #2"), None for other headings.

    For unknown words the first 50 cells below decide. A heading that a row has three times or more needs no number if
    the row has a heading of players, too.
    """
    titles = list(map(text, grid.rows[heading_row]))
    often = _repeated_headings(titles)
    words = [title if title in often else _strip_number(title) for title in titles]
    meant: dict[str | None, str] = {word: found[0] for word in filter(None, words) if (found := find_wording(word))}
    for column, word in enumerate(words):
        if word and word not in meant and (held := _infer_role(grid, heading_row, column)) not in meant.values():
            meant[word] = held or ""
    return [role if role in (NUMBER, CARD, COUNT) else None for role in map(meant.get, words)]


def _repeated_headings(titles: Sequence[str]) -> Collection[str]:
    """Return the headings that a row has three times or more. Empty if no heading of players is in the row once."""
    times = Counter(titles)
    has_players = any(times[title] == 1 and _is_of_players(title) for title in titles)
    return {title for title in titles if times[title] >= _OFTEN} if has_players else ()


def _is_of_players(title: str) -> bool:
    """Return True if a heading is for the name or the ID of a player."""
    return (find_wording(title) or [""])[0] in (*SOMEBODY, PLAYER_ID) or key(title) in NAME_KEYS


def _strip_number(title: str) -> str | None:
    """Return a heading without its number: "Card 1" → "Card", "#1" → "#". None if it has none, or nothing else."""
    word = title if has_card_number(title) else _NUMBERED.sub("", title, count=1)
    return None if word == title else word or ("#" if "#" in title else None)


def _infer_role(grid: Grid, heading_row: int, column: int) -> str | None:
    """Return NUMBER if all filled cells in the first 50 rows under a heading are card numbers, COUNT if all are counts.

    CARD if all have a card number beside other text: "4x OP01-016". None if none of these, if all are blank, or for
    whole lists.
    """
    rows = grid.rows[heading_row + 1 : heading_row + 1 + _LOOKED_AT]
    cells = [cell for row in rows if not is_blank(cell := cell_in(row, column))]
    if cells and all(is_card_number(text(cell)) for cell in cells):
        return NUMBER
    if cells and all(has_card_number(text(cell)) and not is_list(text(cell)) for cell in cells):
        return CARD
    return COUNT if cells and all(count(cell) for cell in cells) else None


def _list_lines(row: Sequence[Cell], roles: dict[int, str]) -> Iterator[str]:
    """Yield a line of a deck list for each card of a row. `roles` are those of the card columns, in order.

    A card ends before the first column whose role the card already has.
    """
    card: dict[str, str] = {}
    for column, role in roles.items():
        if role in card:
            yield from _card_line(card)
            card = {}
        cell = cell_in(row, column)
        card[role] = str(count(cell) or text(cell)) if role == COUNT else text(cell)
    yield from _card_line(card)


def _card_line(card: dict[str, str]) -> Iterator[str]:
    """Yield the line of one card, given by role: "4 OP01-016 Nami". "?" stands for a blank count or a missing card.

    Without a count column the line has no count. Yield nothing if all cells are blank, or if only the count is filled
    and 0.
    """
    named = " ".join(" ".join(filter(None, (card.get(NUMBER), card.get(CARD)))).split())
    if named:
        yield f"{card.get(COUNT) or '?'} {named}" if COUNT in card else named
    elif card.get(COUNT, "").strip("0"):
        yield f"{card[COUNT]} ?"
