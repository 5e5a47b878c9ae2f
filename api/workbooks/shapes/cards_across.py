"""Cards across: a row a deck, its cards in columns such as Card 1, Qty 1, Card 2, Qty 2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from api.workbooks.intake.cells import Cell, cell_in, count, is_blank, text
from api.workbooks.intake.grids import Grid
from validator.tables.cell_kinds import has_card_number, is_card_number
from validator.tables.column_scores import SOMEBODY
from validator.tables.headings import CARD, COUNT, NAME_KEYS, NUMBER, PLAYER_ID, called, key

_SEARCHED = 10  # rows in which the headings are looked for
_LOOKED_AT = 50  # rows that tell what stands under a heading
_NUMBERED = re.compile(
    r"(?<![\s#._-])[\s#._-]*[0-9]{1,3}[\s.]*\Z|\A(?=.*[0-9])(?:[0-9]{1,3}[\s._-]*)"
    r"|(?<=[^\W\d_])[ #_]{1,2}[0-9]{1,3}(?=[ _:-]{1,3}[^\W\d_])",
    re.ASCII,
)
_OFTEN = 3  # times a heading stands in a row that has one for each card
LIST = "Deck list"


def stack_cards(grid: Grid) -> Grid:
    """Return a sheet with the cards of each row as one list in one cell. Without cards across it is unchanged."""
    row = _find_headings(grid)
    return grid if row is None else _as_lists(grid, row)


def _find_headings(grid: Grid) -> int | None:
    """Return the row, from 0, of headings that have a column or two for each card. None if there is none."""
    for at in range(min(len(grid.rows), _SEARCHED)):
        roles = _roles(grid, at)
        if max(roles.count(NUMBER), roles.count(CARD)) > 2 and None in roles:
            return at
    return None


def _as_lists(grid: Grid, heading_row: int) -> Grid:
    """Return the sheet with the cards of each row joined to one list, in a column without a title behind the others."""
    titles = grid.rows[heading_row]
    roles = {column: role for column, role in enumerate(_roles(grid, heading_row)) if role}
    others = [column for column in range(len(titles)) if column not in roles]
    rows: list[Sequence[Cell]] = [[*(titles[column] for column in others), LIST]]
    for row in grid.rows[heading_row + 1 :]:
        lines = "\n".join(_lines(row, roles))
        rows.append([*(cell_in(row, column) for column in others), lines])
    places = [*others, min(roles)]
    return replace(grid.part(grid.title, rows, grid.top + heading_row, places), merged=())


def _roles(grid: Grid, heading_row: int) -> list[str | None]:
    """Return the card role of each heading of a row, "Card 1", "Qty #2". For unknown words the cells below decide."""
    titles = list(map(text, grid.rows[heading_row]))
    often = _repeated_headings(titles)
    words = [title if title in often else _strip_number(title) for title in titles]
    meant: dict[str | None, str] = {word: found[0] for word in filter(None, words) if (found := called(word))}
    for column, word in enumerate(words):
        if word and word not in meant and (held := _infer_role(grid, heading_row, column)) not in meant.values():
            meant[word] = held or ""
    return [role if role in (NUMBER, CARD, COUNT) else None for role in map(meant.get, words)]


def _repeated_headings(titles: Sequence[str]) -> Collection[str]:
    """Return the headings that come again and again beside those of players, which come once."""
    times = Counter(titles)
    has_players = any(times[title] == 1 and _is_of_players(title) for title in titles)
    return {title for title in titles if times[title] >= _OFTEN} if has_players else ()


def _is_of_players(title: str) -> bool:
    """Return True if a heading is for the name or the ID of a player."""
    return (called(title) or [""])[0] in (*SOMEBODY, PLAYER_ID) or key(title) in NAME_KEYS


def _strip_number(title: str) -> str | None:
    """Return a heading without its number. None if it has none."""
    word = title if has_card_number(title) else _NUMBERED.sub("", title, count=1)
    return None if word == title else word or ("#" if "#" in title else None)


def _infer_role(grid: Grid, heading_row: int, column: int) -> str | None:
    """Return NUMBER or COUNT if all cells under a heading are such, else None."""
    rows = grid.rows[heading_row + 1 : heading_row + 1 + _LOOKED_AT]
    cells = [cell for row in rows if not is_blank(cell := cell_in(row, column))]
    if cells and all(is_card_number(text(cell)) for cell in cells):
        return NUMBER
    return COUNT if cells and all(count(cell) for cell in cells) else None


def _lines(row: Sequence[Cell], roles: dict[int, str]) -> Iterator[str]:
    """Yield a line for each card of a row. A card ends before the first column whose role the card already has."""
    card: dict[str, str] = {}
    for column, role in roles.items():
        if role in card:
            yield from _line(card)
            card = {}
        cell = cell_in(row, column)
        card[role] = str(count(cell) or text(cell)) if role == COUNT else text(cell)
    yield from _line(card)


def _line(card: dict[str, str]) -> Iterator[str]:
    """Yield the card as a line of a list, with "?" for a missing count or card. Nothing for blank cells."""
    named = " ".join(" ".join(filter(None, (card.get(NUMBER), card.get(CARD)))).split())
    if named:
        yield f"{card.get(COUNT) or '?'} {named}" if COUNT in card else named
    elif card.get(COUNT, "").strip("0"):
        yield f"{card[COUNT]} ?"
