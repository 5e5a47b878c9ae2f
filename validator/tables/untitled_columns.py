"""Untitled columns: the role of each column of a table without headings, from its cells alone.

Workbooks ask for tables of several players, texts for the table of one deck. Texts also ask for the counts of a table
whose headings name none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

from validator import sections
from validator.cards import Card
from validator.deck import MOST_COPIES
from validator.numbers import SHAPE
from validator.tables import cell_kinds, headings
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, COUNT, DECKLIST, NUMBER, PLAYER, PLAYER_ID, SECTION, TYPE
from validator.tables.section_counts import is_count
from validator.tables.unnamed_players import CardLookup, CardRow, card_rows, find_player_columns

_MOST = 0.8  # of the cells of a column in a table of several players are of its kind

A_NUMBER = re.compile(rf"({SHAPE})(?:#[A-Z0-9]*)?", re.IGNORECASE | re.ASCII)
_MOST_OF = 10  # all but one of so many
_MOST_ASCENDING = 5  # counts of different cards that become larger from each row to the next
_FEW = 3  # rows from which on a column without a known heading shows its kind


def infer_player_columns(rows: Sequence[Sequence[str]], cards: CardLookup) -> dict[str, int]:
    """Return the column of each role in a table of several players' decks or cards. Empty if it is none."""
    found = _PlayerTable(rows)
    return found.of_decks() or found.of_cards(cards) or found.of_counted_cards(cards)


class _PlayerTable:
    """The columns of some rows, blank cells too."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._rows = rows
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

    def of_cards(self, cards: CardLookup) -> dict[str, int]:
        """Return the columns if each row has a card, and the cards of each player are a deck."""
        number, count = next(self._holding(cell_kinds.is_card_number), None), next(self._holding(_is_copies), None)
        names = list(self._holding(cards.is_name))
        card = next(iter(names), None) if number is None else number
        if card is None or count is None:
            return {}
        part = next(self._holding(_is_section, has_gaps=True), None)
        free = [at for at in range(len(self._columns)) if at not in (card, count, part)]
        players = find_player_columns([*card_rows(self._rows, card, [count], cards)], free, cards)
        if not players:
            return {}
        name = next((at for at in names if at not in (card, *players.values())), None)
        return _drop_missing(
            {**players, NUMBER: number, COUNT: count, CARD: card if number is None else name, SECTION: part}
        )

    def of_counted_cards(self, cards: CardLookup) -> dict[str, int]:
        """Return the columns of players and of their cards, CARD, if each cell of the latter has a card and its count.

        Empty if two columns have such cells: they may be of two sections.
        """
        column = next(self._holding(lambda cell: is_counted_card(cell, cards)), None)
        if column is None:
            return {}
        counted = [at for at, cells in enumerate(self._columns) if any(is_counted_card(cell, cards) for cell in cells)]
        if counted != [column]:
            return {}
        pairs = zip(self._columns[counted[0]], self._rows, strict=True)
        each = [CardRow(*cell_kinds.split_count(cell), row) for cell, row in pairs if cell]
        players = find_player_columns(each, [at for at in range(len(self._columns)) if at not in counted], cards)
        return {**players, CARD: counted[0]} if players else {}

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


def is_counted_card(cell: str, cards: CardLookup) -> bool:
    """Return True if a cell has a card's number or its name, and its count."""
    card, _ = cell_kinds.split_count(cell)
    return cell_kinds.is_card_number(card) or (bool(card) and cards.is_name(card))


def _is_section(cell: str) -> bool:
    """Return True if a cell names a section."""
    return sections.section(cell) is not None


def _is_copies(cell: str) -> bool:
    """Return True if a cell is a possible count of copies."""
    return 1 <= cell_kinds.copies_in(cell) <= MOST_COPIES


def _drop_missing(roles: Mapping[str, int | None]) -> dict[str, int]:
    """Return the roles that have a column."""
    return {role: at for role, at in roles.items() if at is not None}


def infer_deck_columns(rows: Sequence[Sequence[str]], cards: CardLookup) -> Columns | None:
    """Return the columns of one deck's table: counts, and numbers or names of cards. None if it is none.

    It is none if two columns have numbers of cards. If several columns can be the counts, it is none, unless only one
    is left without those that number the rows, have what is printed on the cards, or lack the mark that another column
    has ("4x").
    """
    places: dict[str, list[int]] = {}
    held = list(zip(*rows, strict=True))
    for at, cells in enumerate(held):
        places.setdefault(_find_role(cells), []).append(at)
    if NUMBER not in places:
        places[CARD] = _find_names(places.get(CARD, ()), held, cards)
    named = [*places.get(NUMBER, ()), *places.get(CARD, ())]
    if named and len(places.get(COUNT, ())) > 1:
        places[COUNT] = _sole_counts({at: held[at] for at in places[COUNT]}, held[named[0]], cards)
    if NUMBER in places:
        places[CARD] = _sort_names(places.get(CARD, ()), held, held[places[NUMBER][0]], cards)
    others = [cells for at, cells in enumerate(held) if at not in places.get(NUMBER, ())[:1]]
    has_other_cards = any(A_NUMBER.fullmatch(cell) for cells in others for cell in cells)
    if len(places.get(COUNT, ())) != 1 or not named or has_other_cards:
        return None
    return Columns((), {role: places[role][:1] for role in (COUNT, NUMBER, CARD, SECTION, TYPE) if places.get(role)})


def _find_names(columns: Sequence[int], cells: Sequence[Sequence[str]], cards: CardLookup) -> list[int]:
    """Return the column of the names of cards: the only column of words, or the only one with names that are known.

    There is none if another column may have the names of players.
    """
    if sum(map(any, cells)) <= 2:
        return list(columns)
    known = [at for at in columns if sum(map(cards.is_name, cells[at])) >= _MOST * len(cells[at])]
    has_players = any(_may_name_players(cells[at]) for at in columns if at not in known)
    return known if len(known) == 1 and not has_players else []


def _may_name_players(cells: Sequence[str]) -> bool:
    """Return True if the first cell of a column is filled, and several names are repeated in the column."""
    names = set(filter(None, cells))
    return bool(cells[0]) and 1 < len(names) <= len(cells) / 2 and any(map(cell_kinds.is_person, names))


def _sole_counts(columns: Mapping[int, Sequence[str]], card_texts: Sequence[str], cards: CardLookup) -> list[int]:
    """Return the columns of numbers that can be counts: without those that number the rows or are printed on the cards.

    Of several, those with a mark, "4x" or "x4", are the counts.
    """
    if marked := [at for at, cells in columns.items() if not any(map(str.isdigit, cells))]:
        return marked
    numbered = [at for at, cells in columns.items() if not _numbers_rows(cells)]
    return _not_printed({at: columns[at] for at in numbered}, card_texts, cards) if len(numbered) > 1 else numbered


def _sort_names(
    columns: Sequence[int], cells: Sequence[Sequence[str]], numbers: Sequence[str], cards: CardLookup
) -> list[int]:
    """Return the columns that may have the names of the numbers, that with the most of them first.

    A text that is repeated in most rows and is the name of none of their cards is a set, a note or a place.
    """
    columns = [at for at in columns if 2 * sum(map(cell_kinds.is_wording, cells[at])) > len(cells[at])]
    names = {at: _count_names(cells[at], numbers, cards) for at in columns}
    found = [at for at in columns if names[at] or 2 * len(set(cells[at])) > len(cells[at])]
    return sorted(found, key=lambda at: -names[at])


def add_counts(found: Columns, rows: Sequence[tuple[str, Sequence[str]]], cards: CardLookup) -> None:
    """Use columns without a role as counts if they can only be counts, and if no player has a card in two rows.

    `rows` are the cells of each row, behind the card that it names.
    """
    named = [card for card, _ in rows]
    if len(rows) < _FEW or len(set(_find_owned(found, rows))) < len(rows):
        return
    held = {at: [cells[at] for _, cells in rows] for at in found.free() if not headings.is_fact(found.titles[at])}
    if counted := _not_printed({at: cells for at, cells in held.items() if _are_counts(cells)}, named, cards):
        found.roles[COUNT] = counted


def _find_owned(layout: Columns, rows: Sequence[tuple[str, Sequence[str]]]) -> Iterator[tuple[str, ...]]:
    """Yield the card of each row with its player. A row without a player belongs to the player above."""
    player: tuple[str, ...] = ()
    for card, cells in rows:
        named = tuple(cells[at] for at in layout.places(*WHO))
        player = named if any(named) else player
        yield (card, *player)


def _are_counts(cells: Sequence[str]) -> bool:
    """Return True if cells can be counts of copies: whole numbers, none too large, and not those of the rows."""
    return _find_role(cells) == COUNT and all(map(_is_copies, cells))


def _count_names(cells: Sequence[str], numbers: Sequence[str], cards: CardLookup) -> int:
    """Return the number of cells in a column that are the names of the numbers in another column."""
    return sum(bool(cell) and cards.is_of(number, cell) for cell, number in zip(cells, numbers, strict=True))


def _find_role(cells: Sequence[str]) -> str:
    """Return the role that all cells of a column have, "" if they are blank or number the rows."""
    if all(map(is_count, cells)):
        return "" if len(cells) > 2 and _numbers_rows(cells) else COUNT
    if all(map(A_NUMBER.fullmatch, cells)):
        return NUMBER
    return (_find_place_role(cells) or CARD) if any(cells) else ""


def _numbers_rows(cells: Sequence[str]) -> bool:
    """Return True if cells are 1, 2, 3 and on. Numbers may be left out if there are more rows than usual counts."""
    if all(cell == str(at) for at, cell in enumerate(cells, 1)):
        return True
    numbers = [int(cell) for cell in cells if cell.isdecimal()]
    return len(numbers) == len(cells) > _MOST_ASCENDING and all(low < high for low, high in pairwise(numbers))


def _find_place_role(cells: Sequence[str]) -> str:
    """Return SECTION if all cells name sections, TYPE if they name only types of cards, "" for other cells."""
    if not all(map(sections.section, cells)):
        return ""
    own = [cell for cell in cells if not sections.is_kind(cell)]
    return SECTION if any(sections.section(cell) == "side" or sections.begins_main(cell) for cell in own) else TYPE


def _not_printed(columns: Mapping[int, Sequence[str]], named: Sequence[str], cards: CardLookup) -> list[int]:
    """Return the columns whose numbers are not those printed on the cards of their rows."""
    printed = list(map(cards.card, named))
    return [at for at, cells in columns.items() if not _is_printed(cells, printed)]


def _is_printed(cells: Sequence[str], cards: Sequence[Card | None]) -> bool:
    """Return True if nine in ten cells are the cost, the power or the Life of the card in their row.

    0 stands for a value that a card does not have. Rows without a known card are ignored. False if there are no others.
    """
    printed = [
        cell in {str(fact or 0) for fact in (card.cost, card.power, card.life)}
        for cell, card in zip(cells, cards, strict=True)
        if card
    ]
    return _MOST_OF * sum(printed) >= (_MOST_OF - 1) * len(printed) > 0
