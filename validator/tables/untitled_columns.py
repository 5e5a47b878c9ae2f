"""Untitled columns: the role of each column of a table without headings, only from its cells.

Workbooks ask for tables of several players, texts for the table of one deck.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

from validator import sections
from validator.cards import Card
from validator.tables import cell_kinds
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, DECKLIST, NUMBER, PLAYER, PLAYER_ID, SECTION, TYPE
from validator.tables.section_counts import is_count, parse_copies
from validator.tables.unnamed_players import CardLookup, CardRow, card_rows, find_player_columns

_KIND_SHARE = 0.8  # of the cells of a column in a table of several players are of its kind

_ONE_IN_UNPRINTED = 10  # in a column of printed values, at most one in ten cells is none
_MOST_ASCENDING = 5  # counts of different cards that become larger from each row to the next


def infer_player_columns(rows: Sequence[Sequence[str]], cards: CardLookup) -> dict[str, int]:
    """Return the columns of several players' decks or cards in a table without headings, by role.

    Empty if the rows are no such table. Lists are tried first, then cards with counts in two columns, then in one.
    """
    found = _PlayerTable(rows)
    return found.find_list_columns() or found.find_card_columns(cards) or found.find_counted_card_columns(cards)


class _PlayerTable:
    """The rows and columns of a table without headings. Short rows are extended with empty cells."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        """Store the rows, and their columns of equal length."""
        self._rows = rows
        self._columns = list(zip_longest(*rows, fillvalue=""))

    def find_list_columns(self) -> dict[str, int]:
        """Return the columns DECKLIST, PLAYER and PLAYER_ID by role, if nearly all rows have a list and a player.

        Else empty. PLAYER or PLAYER_ID may be missing. Of several columns of names, that with the most full names is
        the player's.
        """
        lists = next(self._find_columns(cell_kinds.is_list), None)
        people = [at for at in self._find_columns(cell_kinds.is_person) if self._is_varied(at)]
        player = max(people, key=lambda at: sum(map(cell_kinds.is_full_name, self._columns[at])), default=None)
        id = next(self._find_columns(cell_kinds.is_player_id), None)
        has_player = bool(people) or id is not None
        return (
            _drop_missing_roles({DECKLIST: lists, PLAYER: player, PLAYER_ID: id})
            if lists is not None and has_player
            else {}
        )

    def find_card_columns(self, cards: CardLookup) -> dict[str, int]:
        """Return the columns by role if nearly all rows have a card and a count, and each player's cards are a deck.

        Else the result is empty. Roles are PLAYER, PLAYER_ID, NUMBER, COUNT, CARD and SECTION, as far as the table has
        them.
        """
        number = next(self._find_columns(cell_kinds.is_card_number), None)
        names = list(self._find_columns(cards.is_name))
        card = next(iter(names), None) if number is None else number
        if card is None:
            return {}
        parts = sorted(self._find_columns(_is_section, has_gaps=True), key=self._has_only_types)
        part = next(iter(parts), None)
        count, players = self._find_counts_of_players(card, part, cards)
        if count is None:
            return {}
        name = next((at for at in names if at not in (card, *players.values())), None)
        return _drop_missing_roles(
            {**players, NUMBER: number, COUNT: count, CARD: card if number is None else name, SECTION: part}
        )

    def _find_counts_of_players(
        self, card: int, section: int | None, cards: CardLookup
    ) -> tuple[int | None, dict[str, int]]:
        """Return the column of counts, and the columns PLAYER and PLAYER_ID by role. `(None, {})` if they are unclear.

        `card` and `section` are the columns of the cards and of their sections. Numbers of the rows, printed values and
        facts about a player, such as the table, are no counts. It is unclear if several columns are left.
        """
        possible = {at: self._columns[at] for at in self._find_columns(cell_kinds.is_possible_count)}
        found = []
        for count in _sole_counts(possible, self._columns[card], cards):
            free = [at for at in range(len(self._columns)) if at not in (card, count, section)]
            players = find_player_columns([*card_rows(self._rows, card, [count], cards)], free, cards)
            if players:
                found.append((count, players))
        if len(found) > 1:
            rows = self._rows
            found = [(count, players) for count, players in found if not is_of_players(rows, count, players.values())]
        return found[0] if len(found) == 1 else (None, {})

    def find_counted_card_columns(self, cards: CardLookup) -> dict[str, int]:
        """Return the columns PLAYER, PLAYER_ID and CARD by role, if a column has cards with counts ("4 OP01-016").

        Empty if two columns have such cells, which may be two sections, or if the cards of each player are no deck.
        """
        column = next(self._find_columns(lambda cell: is_counted_card(cell, cards)), None)
        if column is None:
            return {}
        counted = [at for at, cells in enumerate(self._columns) if any(is_counted_card(cell, cards) for cell in cells)]
        if counted != [column]:
            return {}
        pairs = zip(self._columns[counted[0]], self._rows, strict=True)
        each = [CardRow(*cell_kinds.split_count(cell), row) for cell, row in pairs if cell]
        players = find_player_columns(each, [at for at in range(len(self._columns)) if at not in counted], cards)
        return {**players, CARD: counted[0]} if players else {}

    def _find_columns(self, is_kind: Callable[[str], bool], has_gaps: bool = False) -> Iterator[int]:
        """Yield the columns of which at least 80 % of the filled cells pass the test `is_kind`.

        At least 80 % of the cells must be filled. With `has_gaps`, one filled cell is sufficient.
        """
        for at, cells in enumerate(self._columns):
            filled = list(filter(None, cells))
            is_full = bool(filled) and (has_gaps or len(filled) >= _KIND_SHARE * len(cells))
            if is_full and sum(map(is_kind, filled)) >= _KIND_SHARE * len(filled):
                yield at

    def _has_only_types(self, column: int) -> bool:
        """Return True if no cell of a column names the main or the side deck. Types such as "Battle" do not."""
        named = [cell for cell in self._columns[column] if not sections.is_kind(cell)]
        return {"main", "side"}.isdisjoint(map(sections.section, named))

    def _is_varied(self, column: int) -> bool:
        """Return True if a column has more different texts than half the number of its cells."""
        return 2 * len({*self._columns[column]}) > len(self._columns[column])


def is_of_players(rows: Sequence[Sequence[str]], column: int, players: Collection[int]) -> bool:
    """Return True if a column has one number for each player, such as the table, or numbers each player's rows.

    `players` are the columns of players. A row without a player belongs to the player above. Blank cells are ignored.
    """
    numbers: dict[tuple[str, ...], list[str]] = {}
    player: tuple[str, ...] = ()
    for cells in rows:
        named = tuple(cells[at] if at < len(cells) else "" for at in players)
        player = named if any(named) else player
        if column < len(cells) and cells[column]:
            numbers.setdefault(player, []).append(cells[column])
    return all(len(set(each)) == 1 for each in numbers.values()) or all(map(numbers_rows, numbers.values()))


def is_counted_card(cell: str, cards: CardLookup) -> bool:
    """Return True if a cell has a count and a card: a number by its shape, or a known name."""
    card, _ = cell_kinds.split_count(cell)
    return cell_kinds.is_card_number(card) or (bool(card) and cards.is_name(card))


def _is_section(cell: str) -> bool:
    """Return True if a cell is a word for a section of a deck, a type of card, or cards beside the deck."""
    return sections.section(cell) is not None


def _drop_missing_roles(roles: Mapping[str, int | None]) -> dict[str, int]:
    """Return the roles whose column is not None."""
    return {role: at for role, at in roles.items() if at is not None}


def infer_deck_columns(rows: Sequence[Sequence[str]], cards: CardLookup) -> Columns | None:
    """Return the columns of one deck's table without headings: COUNT, NUMBER, CARD, SECTION, TYPE, each at most once.

    None if there is not exactly one possible column of counts, no column of cards, or a card number in a second column.
    Columns that number the rows or have printed values are no counts. If one column has marks ("4x"), the others are no
    counts. All rows must have the same length.
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
    has_other_cards = any(cell_kinds.NUMBER_CELL.fullmatch(cell) for cells in others for cell in cells)
    if len(places.get(COUNT, ())) != 1 or not named or has_other_cards:
        return None
    return Columns((), {role: places[role][:1] for role in (COUNT, NUMBER, CARD, SECTION, TYPE) if places.get(role)})


def _find_names(columns: Sequence[int], cells: Sequence[Sequence[str]], cards: CardLookup) -> list[int]:
    """Return the column of card names among `columns`, as a list. Empty if it is unclear.

    `cells` are the texts of each column of the table. With at most two filled columns, all of `columns` are returned.
    Else 80 % of the names in exactly one column must be known, and no other column may have names of players.
    """
    if sum(map(any, cells)) <= 2:
        return list(columns)
    known = [at for at in columns if sum(map(cards.is_name, cells[at])) >= _KIND_SHARE * len(cells[at])]
    has_players = any(_may_name_players(cells[at]) for at in columns if at not in known)
    return known if len(known) == 1 and not has_players else []


def _may_name_players(cells: Sequence[str]) -> bool:
    """Return True if a column has two different texts or more, each in two rows on average, and one can be a name.

    False if the first cell is empty.
    """
    names = set(filter(None, cells))
    return bool(cells[0]) and 1 < len(names) <= len(cells) / 2 and any(map(cell_kinds.is_person, names))


def _sole_counts(columns: Mapping[int, Sequence[str]], card_texts: Sequence[str], cards: CardLookup) -> list[int]:
    """Return the columns of numbers that can be counts, one or several.

    `columns` has the cells of each column by position. If all cells of some columns have a mark, "4x" or "x4", only
    these columns are returned. Else columns are left out that number the rows. If several are left, those that have
    values printed on the cards in `card_texts` are left out too, and those with a 0 if others have none: a list seldom
    has cards without copies, but an owner lacks some.
    """
    if marked := [at for at, cells in columns.items() if not any(map(str.isdigit, cells))]:
        return marked
    numbered = [at for at, cells in columns.items() if not numbers_rows(list(filter(None, cells)))]
    if len(numbered) < 2:
        return numbered
    unprinted = find_unprinted({at: columns[at] for at in numbered}, card_texts, cards)
    return [at for at in unprinted if all(map(parse_copies, filter(None, columns[at])))] or unprinted


def _sort_names(
    columns: Sequence[int], cells: Sequence[Sequence[str]], numbers: Sequence[str], cards: CardLookup
) -> list[int]:
    """Return the columns that may have the names of the card numbers in `numbers`, that with the most names first.

    `cells` are the texts of each column of the table. A column needs letters in most rows. One without a name of its
    row's card must have different texts in most rows: else it is a set, a note or a place.
    """
    columns = [at for at in columns if 2 * sum(map(cell_kinds.is_wording, cells[at])) > len(cells[at])]
    names = {at: _count_names(cells[at], numbers, cards) for at in columns}
    found = [at for at in columns if names[at] or 2 * len(set(cells[at])) > len(cells[at])]
    return sorted(found, key=lambda at: -names[at])


def _count_names(cells: Sequence[str], numbers: Sequence[str], cards: CardLookup) -> int:
    """Return the number of rows in which the text of `cells` is a name of the card with the number in `numbers`."""
    return sum(bool(cell) and cards.is_of(number, cell) for cell, number in zip(cells, numbers, strict=True))


def _find_role(cells: Sequence[str]) -> str:
    """Return the role of a column by all its cells: COUNT, NUMBER, SECTION, TYPE, or CARD for any other texts.

    "" if all cells are blank, or if at least three cells number the rows. A column of sections or types may have blank
    cells.
    """
    if all(map(is_count, cells)):
        return "" if len(cells) > 2 and numbers_rows(cells) else COUNT
    if all(map(cell_kinds.NUMBER_CELL.fullmatch, cells)):
        return NUMBER
    return (_find_place_role(list(filter(None, cells))) or CARD) if any(cells) else ""


def numbers_rows(cells: Sequence[str]) -> bool:
    """Return True if cells are 1, 2, 3 and so on. More than five ascending whole numbers with gaps are accepted too."""
    if all(cell == str(at) for at, cell in enumerate(cells, 1)):
        return True
    numbers = [int(cell) for cell in cells if cell.isdecimal()]
    return len(numbers) == len(cells) > _MOST_ASCENDING and all(low < high for low, high in pairwise(numbers))


def _find_place_role(cells: Sequence[str]) -> str:
    """Return SECTION if all cells name sections of a deck, TYPE if they name only types of cards, "" for other cells.

    SECTION requires a word for the side deck or for the beginning of the main deck. "Leader" may be in both.
    """
    if not all(map(sections.section, cells)):
        return ""
    own = [cell for cell in cells if not sections.is_kind(cell)]
    return SECTION if any(sections.section(cell) == "side" or sections.begins_main(cell) for cell in own) else TYPE


def find_unprinted(columns: Mapping[int, Sequence[str]], card_texts: Sequence[str], cards: CardLookup) -> list[int]:
    """Return the columns whose numbers are not printed on the cards of their rows.

    `columns` has the cells of each column by position. `card_texts` are the numbers or the names of the rows' cards.
    """
    printed = [_printed_values(cards.find_cards(card)) for card in card_texts]
    return [at for at, cells in columns.items() if not _is_printed(cells, printed)]


def _printed_values(cards: Sequence[Card]) -> set[str]:
    """Return the cost, the power and the Life of cards as texts. 0 is the value of a card without such a value."""
    return {str(value or 0) for card in cards for value in (card.cost, card.power, card.life)}


def _is_printed(cells: Sequence[str], printed_values: Sequence[set[str]]) -> bool:
    """Return True if at least 90 % of the cells with a number above 0 are a value printed on the card in their row.

    At least 80 % of the cells must be filled, because nearly every card has a cost. At least half of the filled cells
    must not be 0, because a card without Life has 0 Life, and a player has 0 copies of most cards of the others. Rows
    without a known card are ignored. False if there are no others.
    """
    known = [(cell, values) for cell, values in zip(cells, printed_values, strict=True) if values]
    filled = [(cell, values) for cell, values in known if cell]
    are_printed = [cell in values for cell, values in filled if parse_copies(cell) != 0]
    is_full = len(filled) >= _KIND_SHARE * len(known) and 2 * len(are_printed) >= len(filled)
    return is_full and _ONE_IN_UNPRINTED * sum(are_printed) >= (_ONE_IN_UNPRINTED - 1) * len(are_printed) > 0
