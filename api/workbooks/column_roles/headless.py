"""Headless tables: what the columns of a table without headings hold, by what stands in them alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from api.workbooks.column_roles.header import Header
from api.workbooks.intake import cells
from api.workbooks.intake.cells import Cell, is_blank, text
from api.workbooks.intake.faults import letters
from validator.decklists.sections import section
from validator.games import GAMES
from validator.tables import cell_kinds
from validator.tables.cell_kinds import is_card_number
from validator.tables.column_samples import IsCard
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, DECKLIST, NUMBER, PLAYER, PLAYER_ID, SECTION

_SEARCHED = 40  # rows in which the table is looked for
_LOOKED_AT = 500  # rows that tell
_MOST = 0.8  # of the cells of a column are of its kind
_OF_ONE = 100  # cards, which one player's deck does not have with all beside it
_COLOURS = frozenset(color.casefold() for game in GAMES.values() for color in game.colors)


def find(rows: Sequence[Sequence[Cell]], is_card: IsCard) -> Header | None:
    """Return the columns of a table of several players' cards or of decks, None where no such table stands here."""
    start = next((at for at, row in enumerate(rows[:_SEARCHED]) if _is_of_table(row)), None)
    if start is None:
        return None
    told = _Told([words for row in rows[start : start + _LOOKED_AT] if any(words := list(map(text, row)))])
    roles = told.of_decks() or told.of_cards(is_card)
    if not roles:
        return None
    layout = Columns(list(map(letters, range(told.width))), {role: [at] for role, at in roles.items()})
    layout.unknown = [at for at in layout.free() if any(told.column(at))]
    if DECKLIST in roles:
        start = _first_list(rows[: start + 1], roles[DECKLIST])
    return Header(layout, start, start, dict.fromkeys(roles.values(), "as its cells tell"))


def _is_of_table(row: Sequence[Cell]) -> bool:
    """Tell whether a row has a card or a list, and something beside it."""
    filled = [text(cell) for cell in row if not is_blank(cell)]
    return len(filled) > 1 and any(is_card_number(cell) or cell_kinds.is_list(cell) for cell in filled)


def _first_list(rows: Sequence[Sequence[Cell]], at: int) -> int:
    """Return the first of some rows with a list in a column, else the last: a list without a name must be told."""
    lists = (row for row, cells_of in enumerate(rows) if cell_kinds.is_list(text(cells.cell_in(cells_of, at))))
    return next(lists, len(rows) - 1)


class _Told:
    """What the columns of some rows tell."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._columns = list(zip_longest(*rows, fillvalue=""))
        self.width = len(self._columns)

    def column(self, at: int) -> Sequence[str]:
        """Return the cells of a column, blank ones too."""
        return self._columns[at]

    def of_decks(self) -> dict[str, int]:
        """Return which column has what where each row has a player and a list."""
        lists = next(self._of(cell_kinds.is_list), None)
        people = [at for at in self._of(cell_kinds.is_person) if 2 * len({*self.column(at)}) > len(self.column(at))]
        player = max(people, key=lambda at: sum(map(cell_kinds.is_full_name, self.column(at))), default=None)
        id = next(self._of(cell_kinds.is_player_id), None)
        return (
            _taken({DECKLIST: lists, PLAYER: player, PLAYER_ID: id})
            if lists is not None and (people or id is not None)
            else {}
        )

    def of_cards(self, is_card: IsCard) -> dict[str, int]:
        """Return which column has what where each row has a card, and the players' rows follow each other."""
        number, count = next(self._of(is_card_number), None), next(self._of(_is_count), None)
        if number is None or count is None:
            return {}
        player = next(filter(self._runs, self._of(cell_kinds.is_person, gaps=True)), None)
        id = next(filter(self._runs, self._of(cell_kinds.is_player_id, gaps=True)), None)
        if self._copies(count) <= _OF_ONE and not self._are_one(player, id):
            return {}
        if player is None and id is None:
            return {}
        name = next((at for at in self._of(is_card) if at != player), None)
        part = next(self._of(_is_section, gaps=True), None)
        return _taken({PLAYER: player, PLAYER_ID: id, NUMBER: number, COUNT: count, CARD: name, SECTION: part})

    def _of(self, is_so: Callable[[str], bool], gaps: bool = False) -> Iterator[int]:
        """Yield the columns nearly all of whose cells are of a kind; with `gaps` some may be blank."""
        for at in range(self.width):
            found = self.column(at)
            filled = list(filter(None, found))
            is_full = bool(filled) and (gaps or len(filled) >= _MOST * len(found))
            if is_full and sum(map(is_so, filled)) >= _MOST * len(filled):
                yield at

    def _are_one(self, player: int | None, id: int | None) -> bool:
        """Tell whether each name has an id of its own, as nothing but players has."""
        if player is None or id is None:
            return False
        pairs = {pair for pair in zip(self.column(player), self.column(id), strict=True) if any(pair)}
        return len(pairs) == len({name for name, _ in pairs}) == len({one for _, one in pairs})

    def _copies(self, at: int) -> int:
        return sum(cells.count(cell) or 0 for cell in self.column(at))

    def _runs(self, at: int) -> bool:
        """Tell whether a column names several, each in rows that follow each other or once above them."""
        found = self.column(at)
        met = [cell for cell, before in zip(found, ["", *found], strict=False) if cell and cell != before]
        words = {cell.casefold() for cell in met}
        is_each_once = len(words) == len(met) > 1 and bool(found[0])
        return is_each_once and 2 * len(met) <= len(found) and not any(map(_is_no_name, words))


def _is_section(cell: str) -> bool:
    return section(cell) is not None


def _is_count(cell: str) -> bool:
    return cells.count(cell) is not None and len(cell) < 4


def _is_no_name(word: str) -> bool:
    return word in _COLOURS or section(word) is not None


def _taken(roles: dict[str, int | None]) -> dict[str, int]:
    return {role: at for role, at in roles.items() if at is not None}
