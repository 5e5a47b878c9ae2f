"""Unnamed players: the column with the players of a table of cards, if no heading names it.

Called for the columns of a table that have no other role. A column of sets, types, notes or places divides the cards of
one deck too. So a column counts as the players' only if the cards of each value are a deck of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from validator import sections
from validator.cards import Card
from validator.games import GAMES
from validator.tables import cell_kinds, headings
from validator.tables.columns import Columns
from validator.tables.headings import CARD, COUNT, NUMBER, PLAYER, PLAYER_ID

_MOST = 0.8  # of the cells of a column, which have to be of its kind
_OF_ONE = 100  # cards, which one player's deck does not have with all beside it
_FEWEST = 35  # cards, which are more than half of any legal deck
_COLOURS = frozenset(color.casefold() for game in GAMES.values() for color in game.colors)


class CardLookup(Protocol):
    """The interface of a lookup of known cards by the texts of cells."""

    def card(self, number: str | None) -> Card | None:
        """Return the card of a number. None if the number is None or unknown."""

    def find_cards(self, text: str) -> Sequence[Card]:
        """Return the card of a number, or all cards of a name. Empty if neither is known."""

    def is_of(self, number: str, name: str) -> bool:
        """Return True if `name` is a name of the card with this number."""

    def is_name(self, name: str) -> bool:
        """Return True if a known card has this name."""

    def is_leader(self, card: str) -> bool:
        """Return True if `card` is the number or the name of a Leader."""


class CardRow(NamedTuple):
    """One row of a table with a card. `card` is the text of its number or name, `cells` are all texts of the row.

    `copies` is the sum of the row's counts, 0 if they are blank, and 1 in a table without a count column.
    """

    card: str
    copies: int
    cells: Sequence[str]


class Block(NamedTuple):
    """The totals of one player's cards: the number of rows with a Leader, and the number of copies of all cards.

    A row with several copies of a Leader is one in `leaders`.
    """

    leaders: int
    copies: int


def add_players(layout: Columns, rows: Sequence[Sequence[str]], cards: CardLookup) -> bool:
    """Give the roles PLAYER and PLAYER_ID to columns without a role, if they divide the cards into decks.

    Changes `roles`, `from_cells` and `unknown` of `layout`. Returns True if a column got a role. Returns False if
    `layout` has no column of cards, or already has one of players. Columns with headings such as "Cost" are skipped.
    """
    if not layout.has(NUMBER, CARD) or layout.has(*_OF_PLAYERS):
        return False
    card_at, count_at = layout.places(NUMBER, CARD)[0], layout.first(COUNT)
    counts = [count_at] if count_at is not None else [*layout.counts]
    each = list(card_rows(rows, card_at, counts, cards))
    taken = {*layout.places(*(role for role in layout.roles if role != headings.TYPE)), *layout.counts, *layout.parts}
    width = max((len(row.cells) for row in each), default=0)
    facts = {at for at, title in enumerate(layout.titles) if headings.is_fact(title) or headings.describes_card(title)}
    free = [at for at in range(width) if at not in taken | facts]
    players = find_player_columns(each, free, cards)
    for role, at in players.items():
        layout.roles[role] = [at]
        layout.from_cells.add(at)
    layout.unknown = [at for at in layout.unknown if at not in players.values()]
    return bool(players)


_OF_PLAYERS = (PLAYER, PLAYER_ID, headings.FIRST, headings.LAST)


def card_rows(
    rows: Sequence[Sequence[str]], card_at: int, counts: Sequence[int], cards: CardLookup
) -> Iterator[CardRow]:
    """Yield the rows whose cell in the column `card_at` is a card number or a known card name.

    `counts` are the columns of counts, whose copies are added. Without such columns each row has 1 copy.
    """
    for cells in rows:
        if card_at < len(cells) and (cell_kinds.is_card_number(cells[card_at]) or cards.is_name(cells[card_at])):
            copies = sum(cell_kinds.copies_in(cells[at]) for at in counts if at < len(cells))
            yield CardRow(cells[card_at], copies if counts else 1, cells)


def find_player_columns(rows: Sequence[CardRow], columns: Iterable[int], cards: CardLookup) -> dict[str, int]:
    """Return the columns of PLAYER and PLAYER_ID among `columns`, by role. A role without a column is left out.

    A column of names and a column of IDs are chosen if each name has one ID and each ID one name. Else, for each of
    both roles, the first column is chosen whose values divide the rows into decks. Columns with values in successive
    rows come first. Without one name for each ID, only the IDs are chosen. Columns of card facts such as rarities are
    no names.
    """
    table = _Rows(rows, cards)
    free = [at for at in columns if table.may_hold_players(at)]
    ids = [at for at in free if table.share(at, cell_kinds.is_player_id) >= _MOST]
    names = [at for at in free if at not in ids and not table.has_card_facts(at)]
    pair = next(((name, id) for id in ids for name in names if table.are_pairs(name, id)), None)
    if pair is not None:
        return {PLAYER: pair[0], PLAYER_ID: pair[1]}
    # Rarities can divide the cards of several decks too, but are not in successive rows.
    name, id = (
        next(filter(table.divides_decks, sorted(each, key=table.is_in_runs, reverse=True)), None)
        for each in (names, ids)
    )
    if name is not None and id is not None and not table.has_one_name_per_id(name, id):
        name = None  # such as languages or notes
    found = {PLAYER: name, PLAYER_ID: id}
    return {role: at for role, at in found.items() if at is not None}


def find_possible_player(rows: Sequence[Sequence[str]], columns: Columns, cards: CardLookup) -> str:
    """Return the first text of a column that may have the names of players. "" if there is no such column.

    `columns` must include one of cards. Columns with a role are skipped. At least 80 % of the texts are full names, or
    are names in successive rows. The cards of each name are not checked. Some notes are returned too.
    """
    each = list(card_rows(rows, columns.places(NUMBER, CARD)[0], columns.places(COUNT), cards))
    table = _Rows(each, cards)
    width = max((len(row.cells) for row in each), default=0)
    for at in set(range(width)).difference(columns.places(*columns.roles)):
        is_of_names = table.may_hold_players(at) and not table.has_card_facts(at)
        are_whole = table.share(at, cell_kinds.is_full_name) >= _MOST
        if is_of_names and (are_whole or (table.share(at, cell_kinds.is_person) >= _MOST and table.is_in_runs(at))):
            return each[0].cells[at]
    return ""


class _Rows:
    """The rows of a table that have cards, with tests of their columns.

    `column` is a position in the cells of each row.
    """

    def __init__(self, rows: Sequence[CardRow], cards: CardLookup) -> None:
        """Store the rows. Leaders are looked up at first use and cached."""
        self._rows = rows
        self._cards = cards
        self._are_leaders: Sequence[bool] | None = None

    def _cell(self, row: CardRow, column: int) -> str:
        """Return the text of a row in a column. "" if the row is shorter."""
        return row.cells[column] if column < len(row.cells) else ""

    def _filled_cells(self, column: int) -> Sequence[str]:
        """Return the texts of a column from top to bottom, without empty ones."""
        return [cell for row in self._rows if (cell := self._cell(row, column))]

    def share(self, column: int, is_kind: Callable[[str], bool]) -> float:
        """Return the share, from 0 to 1, of the filled cells of a column that pass the test `is_kind`.

        0 if there are none.
        """
        filled = self._filled_cells(column)
        return sum(map(is_kind, filled)) / len(filled) if filled else 0.0

    def may_hold_players(self, column: int) -> bool:
        """Return True if the texts of a column may be players: each is repeated in two rows on average, or in more.

        The first cell must be filled, and there must be at least two different texts. Each text is a word or a player's
        ID, and no word for yes or no. At most half of the different texts are colours or sections. Upper and lower case
        are equal.
        """
        values = Counter(map(str.casefold, self._filled_cells(column)))
        if not self._rows or not self._cell(self._rows[0], column) or not 1 < len(values) <= len(self._rows) / 2:
            return False
        return 2 * sum(map(_is_colour_or_section, values)) <= len(values) and all(map(_may_be_player, values))

    def has_card_facts(self, column: int) -> bool:
        """Return True if at least 80 % of the texts in a column, such as types, are printed on the card of their row.

        Rows without a known card and empty cells are ignored. False if there are no others.
        """
        known = [
            (cell.casefold(), card)
            for row in self._rows
            if (cell := self._cell(row, column)) and (card := self._cards.card(row.card))
        ]
        return bool(known) and sum(cell in printed_facts(card) for cell, card in known) >= _MOST * len(known)

    def are_pairs(self, name: int, id: int) -> bool:
        """Return True if each text of the column `name` has one text in the column `id`, and the reverse.

        Rows in which both are empty are ignored.
        """
        pairs = {(self._cell(row, name), self._cell(row, id)) for row in self._rows} - {("", "")}
        return len(pairs) == len({each for each, _ in pairs}) == len({each for _, each in pairs})

    def has_one_name_per_id(self, name: int, id: int) -> bool:
        """Return True if the rows of each ID have one text in the column `name`. An empty ID repeats the one above."""
        names: dict[str, set[str]] = {}
        last = ""
        for row in self._rows:
            last = self._cell(row, id) or last
            names.setdefault(last, set()).add(self._cell(row, name))
        return all(len(each - {""}) < 2 for each in names.values())

    def divides_decks(self, column: int) -> bool:
        """Return True if the cards of each text in a column are probably one deck (`are_decks`)."""
        blocks, are_runs = self._blocks(column)
        return are_decks([*blocks.values()], are_runs and self.share(column, cell_kinds.is_person) >= _MOST)

    def is_in_runs(self, column: int) -> bool:
        """Return True if the rows of each text in a column follow each other. An empty cell repeats the text above."""
        return self._blocks(column)[1]

    def _blocks(self, column: int) -> tuple[Mapping[str, Block], bool]:
        """Return `(blocks, are_runs)`: the totals of cards by text of a column, and True if no text comes again later.

        The texts are in small letters. An empty cell repeats the text above. Leaders are looked up at first use and
        cached.
        """
        if self._are_leaders is None:
            self._are_leaders = [self._cards.is_leader(row.card) for row in self._rows]
        blocks: dict[str, Block] = {}
        value, runs = "", 0
        for row, is_leader in zip(self._rows, self._are_leaders, strict=True):
            named = self._cell(row, column).casefold()
            runs += bool(named) and named != value
            value = named or value
            before = blocks.get(value, Block(0, 0))
            blocks[value] = Block(before.leaders + is_leader, before.copies + row.copies)
        return blocks, runs == len(blocks)


def are_decks(blocks: Sequence[Block], are_people: bool) -> bool:
    """Return True if blocks of cards are probably one deck each.

    They are if two blocks or more, and most of all blocks, have one Leader, and no block has several. Else each block
    must have 35 copies. If the only Leader is in one block, there must also be more than 100 copies in all. If there
    are more than 100 copies and not exactly one Leader, `are_people` is sufficient. It is True if the blocks have names
    that may be those of players, and each block is in successive rows.
    """
    leaders, copies = sum(block.leaders for block in blocks), sum(block.copies for block in blocks)
    led = sum(block.leaders == 1 for block in blocks)
    if led == leaders > 1 and 2 * led > len(blocks):
        return True
    are_large = all(block.copies >= _FEWEST for block in blocks)
    if copies <= _OF_ONE or leaders == 1:
        return are_large and (leaders != 1 or copies > _OF_ONE)
    return are_large or are_people


def printed_facts(card: Card) -> set[str]:
    """Return the texts in small letters that a cell about a card may have: its name, type, set, cost, colours, traits.

    Lists such as the colours are included by item, and joined by blanks, commas or slashes.
    """
    lists = (card.colors, card.traits, card.back_traits, card.characters, card.back_characters, card.attributes)
    printed = [card.type, card.set, card.rarity, card.block, card.name, card.back_name]
    printed += [str(fact) for fact in (card.cost, card.power, card.life) if fact is not None]
    for each in lists:
        printed += [*each, *(mark.join(each) for mark in ("/", ", ", " / ", " "))]
    return {fact.casefold() for fact in printed if fact}


def _may_be_player(word: str) -> bool:
    """Return True if a text can be a player: a player's ID, or a text with a letter.

    Card numbers, deck lists, and words for yes and no are not accepted.
    """
    if cell_kinds.is_yes(word) or cell_kinds.is_no(word) or cell_kinds.is_card_number(word):
        return False
    return cell_kinds.is_wording(word) or cell_kinds.is_player_id(word)


def _is_colour_or_section(word: str) -> bool:
    """Return True if a text in small letters is a colour of any game, or a section of a deck."""
    return word in _COLOURS or sections.section(word) is not None
