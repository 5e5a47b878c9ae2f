"""Untitled columns: the role of each column of a table without headings, from its cells alone.

Workbooks ask for tables of several players, texts for the table of one deck. Texts also ask for the counts of a table
whose headings name none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest

from validator.cards import Card
from validator.deck import MOST_COPIES
from validator.decklists import counts, sections
from validator.decklists.section_counts import parse_copies
from validator.decklists.source import Source, row
from validator.games import GAMES
from validator.numbers import SHAPE
from validator.tables import cell_kinds, headings
from validator.tables.column_samples import IsCard
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, DECKLIST, NUMBER, PLAYER, PLAYER_ID, SECTION, TYPE

_MOST = 0.8  # of the cells of a column in a table of several players are of its kind
_OF_ONE = 100  # cards, which one player's deck does not have with all beside it
_COLOURS = frozenset(color.casefold() for game in GAMES.values() for color in game.colors)

A_COUNT = re.compile(r"x?\s*([0-9]+)(?:\.0+)?\s*x?", re.IGNORECASE | re.ASCII)
A_NUMBER = re.compile(rf"({SHAPE})(?:#[A-Z0-9]*)?", re.IGNORECASE | re.ASCII)
_MONEY = re.compile(r"[$€£¥]")
_MOST_OF = 10  # all but one of so many
_FEW = 3  # rows from which on a column without a known heading shows its kind
_WIDEST = 3  # digits of a count


def infer_player_columns(rows: Sequence[Sequence[str]], is_card: IsCard) -> dict[str, int]:
    """Return the column of each role in a table of several players' decks or cards. Empty if it is none."""
    found = _PlayerTable(rows)
    return found.of_decks() or found.of_cards(is_card)


class _PlayerTable:
    """The columns of some rows, blank cells too."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._columns = list(zip_longest(*rows, fillvalue=""))

    def of_decks(self) -> dict[str, int]:
        """Return the columns if each row has a player and a list."""
        lists = next(self._holding(cell_kinds.is_list), None)
        people = [at for at in self._holding(cell_kinds.is_person) if self._is_varied(at)]
        player = max(people, key=lambda at: sum(map(cell_kinds.is_full_name, self._columns[at])), default=None)
        id = next(self._holding(cell_kinds.is_player_id), None)
        has_player = bool(people) or id is not None
        return (
            _drop_missing({DECKLIST: lists, PLAYER: player, PLAYER_ID: id}) if lists is not None and has_player else {}
        )

    def of_cards(self, is_card: IsCard) -> dict[str, int]:
        """Return the columns if each row has a card, and the rows of a player follow each other."""
        number, count = next(self._holding(cell_kinds.is_card_number), None), next(self._holding(_is_copies), None)
        player = next(filter(self._has_runs, self._holding(cell_kinds.is_person, has_gaps=True)), None)
        id = next(filter(self._has_runs, self._holding(cell_kinds.is_player_id, has_gaps=True)), None)
        if number is None or count is None or (player is None and id is None):
            return {}
        if self._sum_copies(count) <= _OF_ONE and not self._are_pairs(player, id):
            return {}
        name = next((at for at in self._holding(is_card) if at != player), None)
        part = next(self._holding(_is_section, has_gaps=True), None)
        return _drop_missing({PLAYER: player, PLAYER_ID: id, NUMBER: number, COUNT: count, CARD: name, SECTION: part})

    def _holding(self, is_kind: Callable[[str], bool], has_gaps: bool = False) -> Iterator[int]:
        """Yield the columns nearly all of whose cells are of a kind. With `has_gaps` some may be blank."""
        for at, cells in enumerate(self._columns):
            filled = list(filter(None, cells))
            is_full = bool(filled) and (has_gaps or len(filled) >= _MOST * len(cells))
            if is_full and sum(map(is_kind, filled)) >= _MOST * len(filled):
                yield at

    def _is_varied(self, column: int) -> bool:
        """Return True if more than half of a column's cells are different."""
        return 2 * len({*self._columns[column]}) > len(self._columns[column])

    def _are_pairs(self, player: int | None, id: int | None) -> bool:
        """Return True if each name has an ID of its own, as only players have."""
        if player is None or id is None:
            return False
        pairs = {pair for pair in zip(self._columns[player], self._columns[id], strict=True) if any(pair)}
        return len(pairs) == len({name for name, _ in pairs}) == len({each for _, each in pairs})

    def _sum_copies(self, column: int) -> int:
        """Return the sum of the counts in a column."""
        return sum(parse_copies(cell) or 0 for cell in self._columns[column] if _is_copies(cell))

    def _has_runs(self, column: int) -> bool:
        """Return True if a column names several, each in rows that follow each other or once above them."""
        cells = self._columns[column]
        met = [cell for cell, before in zip(cells, ["", *cells], strict=False) if cell and cell != before]
        words = {cell.casefold() for cell in met}
        is_each_once = len(words) == len(met) > 1 and bool(cells[0])
        return is_each_once and 2 * len(met) <= len(cells) and not any(map(_is_no_name, words))


def _is_section(cell: str) -> bool:
    """Return True if a cell names a section."""
    return sections.section(cell) is not None


def _is_copies(cell: str) -> bool:
    """Return True if a cell is a possible count of copies."""
    return len(cell) <= _WIDEST and 1 <= (parse_copies(cell) or 0) <= MOST_COPIES


def _is_no_name(word: str) -> bool:
    """Return True if a word is a colour or a section."""
    return word in _COLOURS or _is_section(word)


def _drop_missing(roles: Mapping[str, int | None]) -> dict[str, int]:
    """Return the roles that have a column."""
    return {role: at for role, at in roles.items() if at is not None}


def infer_deck_columns(rows: Sequence[Sequence[str]], source: Source) -> Columns | None:
    """Return the columns of one deck's table: counts, and numbers or names of cards. None if it is none.

    If two columns can be the counts, it is none, unless one of them numbers the rows or has numbers that are printed on
    the cards.
    """
    places: dict[str, list[int]] = {}
    held = list(zip(*rows, strict=True))
    for at, cells in enumerate(held):
        places.setdefault(_find_role(cells), []).append(at)
    if NUMBER in places and len(places.get(COUNT, ())) > 1:
        places[COUNT] = _not_printed({at: held[at] for at in places[COUNT]}, held[places[NUMBER][0]], source)
    if len(places.get(COUNT, ())) != 1 or not (NUMBER in places or _are_names(rows, places.get(CARD, ()), source)):
        return None
    if NUMBER in places and CARD in places:
        places[CARD].sort(key=lambda at: -_count_names(held[at], held[places[NUMBER][0]], source))
    return Columns((), {role: places[role][:1] for role in (COUNT, NUMBER, CARD, SECTION, TYPE) if role in places})


def add_counts(found: Columns, rows: Sequence[tuple[str, Sequence[str]]], source: Source) -> None:
    """Take unnamed columns that can only be counts for the counts, if no card is in two rows.

    `rows` are the cells of each row, behind the card that it names.
    """
    named = [card for card, _ in rows]
    if len(rows) < _FEW or len(set(named)) < len(rows):
        return
    held = {at: [cells[at] for _, cells in rows] for at in found.free() if not _is_fact(found.titles[at])}
    if counted := _not_printed({at: cells for at, cells in held.items() if _are_counts(cells)}, named, source):
        found.roles[COUNT] = counted


def _is_fact(title: str) -> bool:
    """Return True if a heading is of a fact about cards."""
    return headings.says_fact(headings.words(title))


def _are_counts(cells: Sequence[str]) -> bool:
    """Return True if cells can be counts of copies: whole numbers, none too large, and not those of the rows."""
    digits = (found[1] for cell in cells if (found := A_COUNT.fullmatch(cell)))
    return _find_role(cells) == COUNT and all(len(one) <= _WIDEST and 0 < int(one) <= MOST_COPIES for one in digits)


def _count_names(cells: Sequence[str], numbers: Sequence[str], source: Source) -> int:
    """Return the number of cells in a column that are the names of the numbers in another column."""
    return sum(bool(cell) and source.is_of(number, cell) for cell, number in zip(cells, numbers, strict=True))


def _find_role(cells: Sequence[str]) -> str:
    """Return the role that all cells of a column have, "" if they are blank or number the rows."""
    if all(map(A_COUNT.fullmatch, cells)):
        numbers_rows = len(cells) > 2 and all(cell == str(at) for at, cell in enumerate(cells, 1))
        return "" if numbers_rows else COUNT
    if all(map(A_NUMBER.fullmatch, cells)):
        return NUMBER
    return (_find_place_role(cells) or CARD) if any(cells) else ""


def _find_place_role(cells: Sequence[str]) -> str:
    """Return SECTION if all cells name sections, TYPE if they name only types of cards, "" for other cells."""
    if not all(map(sections.section, cells)):
        return ""
    own = [cell for cell in cells if not sections.is_kind(cell)]
    return SECTION if any(sections.section(cell) == "side" or sections.begins_main(cell) for cell in own) else TYPE


def _not_printed(columns: Mapping[int, Sequence[str]], named: Sequence[str], source: Source) -> list[int]:
    """Return the columns whose numbers are not those printed on the cards of their rows."""
    cards = list(map(source.card, named))
    return [at for at, cells in columns.items() if not _is_printed(cells, cards)]


def _is_printed(cells: Sequence[str], cards: Sequence[Card | None]) -> bool:
    """Return True if a column has the cost, the power or the Life of the cards. 0 is used for none."""
    printed = [
        cell in {str(fact or 0) for fact in (card.cost, card.power, card.life)}
        for cell, card in zip(cells, cards, strict=True)
        if card
    ]
    return _MOST_OF * sum(printed) >= (_MOST_OF - 1) * len(printed) > 0


def _are_names(rows: Sequence[Sequence[str]], places: Sequence[int], source: Source) -> bool:
    """Return True if the one column beside the counts has cards, and no lines with a count or a price of their own."""
    if len(rows[0]) != 2 or not places:
        return False
    lines = (row(0, cells[places[0]]) for cells in rows)
    return not any(
        _MONEY.search(line.plain) or (counts.likeliest_count(line.plain).digits and not source.is_name(line.shown))
        for line in lines
    )
