"""Column scores: the points of each column of a table for each role.

The points of a column come from its heading, from its cells, and from the columns beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from validator.tables import cell_kinds, headings, section_counts
from validator.tables.cell_kinds import is_card_number
from validator.tables.column_samples import ASKED, CALLED, RANK, Column, IsCard, Sample
from validator.tables.headings import (
    CARD,
    COUNT,
    DECK,
    DECKLIST,
    EVENT,
    FIRST,
    ID,
    LAST,
    NOMBRE,
    NUMBER,
    PLAYER,
    PLAYER_ID,
    SECTION,
    SIDE,
    TYPE,
    words,
)

SOMEBODY = (PLAYER, FIRST, LAST)
_OF_DECK = frozenset(("deck", "main", "played"))

LEAST = 1.0  # points that a column needs for a role
_AMBIGUOUS = 3.0  # a wording with several meanings: "Name", "ID", "Deck"
_HELD = 3.0  # cells of the kind that the role has
_WEAK = 1.5  # cells that can be of the role and of others
_NEARLY_ALL = 0.9
_REFUTED = 8.0  # less for cells of another kind, if another column has the right ones


class Scores:
    """The scores of the columns of one table for each role. The headings of all other columns influence each score."""

    def __init__(self, titles: Sequence[str], sample: Sample, is_card: IsCard, can_infer_counts: bool) -> None:
        """Read the headings and samples of all columns, which the scores depend on."""
        self.can_infer_counts = can_infer_counts
        self.columns = [Column(at, title, sample) for at, title in enumerate(titles)]
        self.is_card = is_card
        self.counts, self.totals = self._find_section_counts(titles, sample)
        taken = {*self.counts, *self.totals}
        self.open = [column for column in self.columns if column.position not in taken]
        named = {column.heading.role for column in self.open}
        self.asked_cards = [column for column in self.open if NUMBER in named and self._asks_for_card(column)]
        self.named = {self._find_named_role(column) for column in self.open} - {None}
        self.certain = len(self.named | {COUNT} if self.totals else self.named) + bool(self.counts)
        if taken:
            self.named.add(COUNT)
        self.has_cells = any(column.size for column in self.columns)
        self.halves = self._find_halves()

    def _asks_for_card(self, column: Column) -> bool:
        """Return True if a question such as "English Name" is over names of cards."""
        return column.heading.asked == PLAYER and column.share(self.is_card) > 0.5

    def _find_named_role(self, column: Column) -> str | None:
        """Return the role that a column's heading names. A form's question for cards is CARD. Row numbers have none."""
        if self._numbers_rows(column):
            return None
        return CARD if column in self.asked_cards else column.heading.role

    def _numbers_rows(self, column: Column) -> bool:
        """Return True if a column that is called a number has only digits, and another column has cards."""
        if column.heading.role != NUMBER or not column.size or column.share(str.isdigit) < 1:
            return False
        others = (other for other in self.open if other is not column and other.heading.role in (None, CARD, NUMBER))
        return any(map(self._is_of_cards, others))

    def _find_section_counts(self, titles: Sequence[str], sample: Sample) -> tuple[dict[int, str], list[int]]:
        """Return the columns that count one section with the section, and those that count all of them."""
        called = self._find_called()
        free = [at for at in range(len(titles)) if called.get(at) in (None, SIDE, DECKLIST, TYPE)]
        counted = [at for at, role in called.items() if role == COUNT]
        found = section_counts.find_section_counts(
            titles, free, counted or [at for at in free if _counts_all(titles[at])], sample
        )
        if not found or (counted and found.keys().isdisjoint(counted)):
            return found, []
        if set(found.values()) == {"main"}:
            return {}, list(found)
        if "main" in found.values():
            counted = [at for at in free if section_counts.is_total(titles[at])]
        elif not counted:
            counted = [at for at in free if _counts_all(titles[at])]
        return found, [at for at in counted if at not in found]

    def _find_called(self) -> dict[int, str]:
        """Return the columns with a known wording and its role, of each role those with the first wordings."""
        ranks: dict[str, int] = {}
        called = [(column.position, column.heading.called, column.heading.rank) for column in self.columns]
        for _, role, rank in called:
            if role:
                ranks[role] = min(rank, ranks.get(role, rank))
        return {at: role for at, role, rank in called if role and rank == ranks[role]}

    def _find_halves(self) -> Mapping[str, int]:
        """Return the columns of the first and the last name, if a name is in two columns. Else empty."""
        if any(column.heading.called == PLAYER for column in self.open):
            return {}
        halves: dict[str, int] = {}
        for half in (FIRST, LAST):
            of_half = [c for c in self.open if half in (c.heading.called, None if c.heading.called else c.heading.half)]
            if of_half:
                halves[half] = min(of_half, key=lambda c: (not c.heading.called, c.heading.rank)).position
        if len(halves) == 1:
            others = (c.position for c in self.open if c.position not in halves.values() and self._is_other_half(c))
            halves |= dict(zip({FIRST, LAST} - {*halves}, others, strict=False))
        return halves if len(halves) == 2 else {}

    def _is_other_half(self, column: Column) -> bool:
        """Return True if a column "Name" beside half a name has the other half, and not names of cards."""
        if column.heading.called or not column.heading.is_half or 2 * column.share(self.is_card) > 1:
            return False
        has_cards = any(other is not column and other.heading.role == CARD for other in self.open)
        return has_cards or bool(self.named & {DECKLIST}) or self.deck_points() > 0 or not column.is_varied

    def deck_points(self) -> float:
        """Return the evidence that each row is a deck."""
        return max(map(self._deck_points, self.open), default=0.0)

    def _deck_points(self, column: Column) -> float:
        """Return the points of one column as evidence that each row is a deck."""
        points = self._list_heading(column) / 2
        return points + 4.0 if column.holds_lists and column.heading.title and column.heading.is_main else points

    def card_points(self) -> float:
        """Return the evidence that each row is a card: a column of cards, and one of their counts."""
        cards = max(map(self._card_points, self.open), default=0.0)
        counts = 3.0 if self.counts or self.totals else max(map(self._count_points, self.open), default=0.0)
        return cards + counts if cards else 0.0

    def _card_points(self, column: Column) -> float:
        """Return the points of one column as evidence that each row is a card."""
        if column.heading.role in (NUMBER, CARD):
            return 3.0
        if column.heading.role is None and column.heading.title and self._is_of_cards(column):
            return 1.5
        is_counted = COUNT in self.named and not any(map(self._list_heading, self.open))
        return 1.0 if column.heading.is_name and is_counted else 0.0

    def _is_of_cards(self, column: Column) -> bool:
        """Return True if the column's cells are card numbers or known card names."""
        return column.holds_numbers or (self.is_card is not any_name and column.share(self.is_card) >= 0.5)

    def _count_points(self, column: Column) -> float:
        """Return the points of a heading of counts as evidence that each row is a card.

        Cells that are counts add points.
        """
        if column.heading.role != COUNT:
            return 0.0
        return 3.0 if column.share(cell_kinds.is_copies) >= 0.5 or not column.size else 1.0

    def score(self, column: Column, role: str, rows_are_decks: bool) -> tuple[float, float]:
        """Return the points of a heading and of the cells of a column for a role."""
        heading = column.heading
        named = heading.points if heading.role == role else 0.0
        if role == DECKLIST:
            return self._list_heading(column), self._list_cells(column)
        if role == NUMBER:
            return self._number(column, named)
        if role == CARD:
            return self._card(column, named)
        if role == COUNT:
            return self._count(column, named)
        if role == SECTION:
            return named, self._section_cells(column)
        if role == PLAYER_ID:
            return self._player_id(column, named)
        if role in (FIRST, LAST):
            is_half = self.halves.get(role) == column.position
            return (CALLED if is_half else named if heading.called and not self.halves else 0.0), 0.0
        if role == PLAYER:
            return self._player(column, named, rows_are_decks)
        return named, 0.0

    def _list_heading(self, column: Column) -> float:
        """Return the points of a column's heading for the role DECKLIST."""
        heading = column.heading
        if heading.role == DECKLIST:
            return heading.points
        if heading.role is not None and heading.called != SIDE:
            return 0.0
        is_deck = heading.key == DECK and not self.named & {DECKLIST, NUMBER, CARD}
        is_main = heading.part == "main" and not (column.size and column.share(str.isdigit) == 1)
        if is_deck:
            return _AMBIGUOUS + RANK
        return _AMBIGUOUS if is_main and not self.named & {DECKLIST, NUMBER, CARD} else 0.0

    def _list_cells(self, column: Column) -> float:
        """Return the points of a column's cells for the role DECKLIST. Negative for links beside a column of texts."""
        if not column.heading.title or not column.heading.is_main or not column.holds_lists:
            return 0.0
        is_text = column.share(cell_kinds.has_lines)
        is_link = not is_text and column.share(cell_kinds.is_link) > 0
        if is_link and any(c is not column and c.holds_lists and c.share(cell_kinds.has_lines) for c in self.open):
            return -_REFUTED
        return _HELD + (column.heading.part == "main") + is_text / 2

    def _number(self, column: Column, named: float) -> tuple[float, float]:
        """Return the points of a column for the role NUMBER: those of its heading, and those of its cells.

        `named` are the points of a heading with a known wording.
        """
        if named:
            return named, -_REFUTED if self._numbers_rows(column) else 0.0
        if self._is_called_card(column):
            return 0.0, CALLED + _HELD
        if column.heading.key == ID:
            is_number = column.share(is_card_number) >= 0.5 and NUMBER not in self.named
            return (_AMBIGUOUS if is_number else 0.0), 0.0
        if self._is_untitled_number(column):
            return 0.0, _HELD
        if column.holds_numbers or (len(self.counts) > 1 and column.share(is_card_number) >= 0.5):
            return 0.0, _HELD * column.share(is_card_number)
        return 0.0, 0.0

    def _card(self, column: Column, named: float) -> tuple[float, float]:
        """Return the points of a column for the role CARD: those of its heading, and those of its cells.

        `named` are the points of a heading with a known wording.
        """
        if named:
            return named, 0.0
        cards = column.share(self.is_card)
        if column in self.asked_cards:
            return ASKED + _HELD, 0.0
        if column.heading.is_name:
            return self._name_points(column)[1], 0.0
        if self.named & {NUMBER, CARD} or any(other.holds_numbers for other in self.open):
            return 0.0, 0.0
        is_of_counts = len(self.counts) > 1
        if is_of_counts and column.share(self.is_any_card) > 0.5:
            return 0.0, _HELD
        is_card = column.heading.title and self.is_card is not any_name and cards >= 0.5
        return 0.0, _HELD * cards if is_card else 0.0

    def is_any_card(self, cell: str) -> bool:
        """Return True if a cell has a card number or is a card name."""
        return cell_kinds.has_card_number(cell) or self.is_card(cell)

    def _name_points(self, column: Column) -> tuple[float, float]:
        """Return the points of a heading "Name" for the player and for the card. One of them is 0."""
        has_cards = 2 * column.share(self.is_card) > 1
        if CARD in self.named and not (has_cards and self._are_numbers_called_cards()):
            return _AMBIGUOUS, 0.0
        is_counted = bool(self.named & {NUMBER, COUNT}) or bool(self.counts)
        is_full = 2 * column.size > max(other.size for other in self.open)  # players can be once above their cards
        is_of_each_row = column.is_varied and is_full and is_counted
        card = 2.0 * has_cards + 1.5 * self.names_somebody + is_of_each_row
        has_ids = bool(self.named & {PLAYER_ID, EVENT}) or any(map(self._names_ids, self.open))
        player = 0.8 + 0.5 * has_ids
        return (_AMBIGUOUS, 0.0) if player > card else (0.0, _AMBIGUOUS)

    def _are_numbers_called_cards(self) -> bool:
        """Return True if each column that is called one of cards has their numbers."""
        return all(c.holds_numbers for c in self.open if self._find_named_role(c) == CARD)

    def _is_untitled_number(self, column: Column) -> bool:
        """Return True if the card numbers of nearly all rows are in this column without a heading, and in no other."""
        if column.heading.title or NUMBER in self.named or column.share(is_card_number) < _NEARLY_ALL:
            return False
        is_full = column.size >= _NEARLY_ALL * max(other.size for other in self.open)
        return is_full and not any(o.share(is_card_number) >= 0.5 for o in self.open if o is not column)

    def _is_called_card(self, column: Column) -> bool:
        """Return True if card numbers are in a column that is called one of cards, and their names in another."""
        if column.heading.called != CARD or not column.holds_numbers or NUMBER in self.named:
            return False
        others = [other for other in self.open if other is not column and not other.holds_numbers]
        return any(c.heading.called == CARD or (c.heading.is_name and 2 * c.share(self.is_card) > 1) for c in others)

    @property
    def names_somebody(self) -> bool:
        """True if a heading other than "Name" or a nickname is that of a player's name."""
        return bool(self.named & {*SOMEBODY}) or bool(self.halves)

    def _count(self, column: Column, named: float) -> tuple[float, float]:
        """Return the points of a column for the role COUNT: those of its heading, and those of its cells.

        `named` are the points of a heading with a known wording.
        """
        if named:
            return named, 0.0
        if column.heading.key == NOMBRE and column.share(str.isdigit) > 0.5:
            is_alone = all(c.heading.role != COUNT or c.heading.key == NOMBRE for c in self.open)
            return (CALLED if is_alone else 0.0), 0.0
        if COUNT in self.named or self.counts or column.heading.role:
            return 0.0, 0.0
        if column.heading.counts_copies:
            said = [c for c in self.open if c.heading.counts_copies and not c.heading.role]
            of_deck = [c for c in said if not _OF_DECK.isdisjoint(words(c.heading.title))]
            return (_AMBIGUOUS if len(of_deck) != 1 or column is of_deck[0] else 0.0), 0.0
        may_count = self.can_infer_counts and self._may_count(column)
        return 0.0, _WEAK if may_count and not self._other_counts(column) else 0.0

    def _may_count(self, column: Column) -> bool:
        """Return True if small numbers can be copies: they vary, as a player's table does not, and name no section."""
        heading = column.heading
        if not heading.title or heading.part is not None or heading.role or headings.says_fact(words(heading.title)):
            return False
        is_usual = column.share(cell_kinds.is_usual_copies) >= 0.8
        return column.values > 1 and column.share(cell_kinds.is_copies) == 1 and is_usual

    def _other_counts(self, column: Column) -> bool:
        """Return True if another column can count copies too, or if no column has cards."""
        if any(other is not column and self._may_count(other) for other in self.open):
            return True
        return not (
            self.named & {NUMBER, CARD}
            or any(self._is_of_cards(other) or self._is_untitled_number(other) for other in self.open)
        )

    def _section_cells(self, column: Column) -> float:
        """Return the points of a column's cells for the role SECTION."""
        if self.named & {SECTION, SIDE}:
            return 0.0
        found = column.sections
        points = CALLED + _HELD if column.heading.called == TYPE else _HELD
        return points if found & {"main", "side"} and None not in found else 0.0

    def _player_id(self, column: Column, named: float) -> tuple[float, float]:
        """Return the points of a column for the role PLAYER_ID: those of its heading, and those of its cells.

        `named` are the points of a heading with a known wording.
        """
        if not named and column.heading.key == ID:
            named = _AMBIGUOUS if not (column.share(is_card_number) >= 0.5 and NUMBER not in self.named) else 0.0
        held = column.share(cell_kinds.is_player_id)
        if named:
            is_refuted = column.size and held < 0.5 and any(self._holds_ids(c) for c in self.open if c is not column)
            return named, -CALLED / 2 if is_refuted else 0.0
        is_free = not column.heading.role or column.heading.role == PLAYER
        return 0.0, _HELD * held if is_free and self._holds_ids(column) else 0.0

    def _names_ids(self, column: Column) -> bool:
        """Return True if a column has the IDs of players, by its cells or by its heading."""
        return self._holds_ids(column) or self._player_id(column, 0.0)[0] > 0

    def _holds_ids(self, column: Column) -> bool:
        """Return True if nearly all cells of a titled column are IDs of players."""
        return bool(column.heading.title) and column.share(cell_kinds.is_player_id) >= 0.8

    def _player(self, column: Column, named: float, rows_are_decks: bool) -> tuple[float, float]:
        """Return the points of a column for the role PLAYER: those of its heading, and those of its cells.

        `named` are the points of a heading with a known wording.
        """
        heading = column.heading
        if self.halves or (heading.asked and self.named & {FIRST, LAST}):
            return 0.0, 0.0
        if column in self.asked_cards:
            return 0.0, 0.0
        if not named and heading.is_name and not self.names_somebody:
            named = self._name_points(column)[0] if not rows_are_decks else _AMBIGUOUS
        if not named and heading.is_nickname and not self.names_somebody:
            named = _AMBIGUOUS - 0.5
        hint = 2.0 if heading.is_name or heading.asked == PLAYER else 0.5 if heading.is_nickname else 0.0
        fits = column.share(cell_kinds.is_person) + column.share(cell_kinds.is_full_name)
        if named:
            if not self.has_cells or (
                column.share(cell_kinds.is_wording) >= 0.5 and not self._are_handles(column, rows_are_decks)
            ):
                return named, 0.0
            return named, -named + (max(LEAST, hint + fits) if column.size else LEAST)
        is_part = rows_are_decks and heading.part is not None
        if heading.role or is_part or not heading.title or self.named & {FIRST, LAST}:
            return 0.0, 0.0
        if not rows_are_decks and heading.is_name and self._name_points(column)[1]:
            return 0.0, 0.0
        may_be = rows_are_decks or bool(self.named & {PLAYER_ID, PLAYER}) or any(map(self._names_ids, self.open))
        is_varied = column.is_varied or not rows_are_decks
        is_person = column.share(cell_kinds.is_person) >= 0.5 > column.share(self.is_card)
        return 0.0, hint + fits if may_be and is_varied and is_person else 0.0

    def _are_handles(self, column: Column, rows_are_decks: bool) -> bool:
        """Return True if a column has login names, and the heading of another column is for names."""
        names = [other for other in self.open if other is not column and other.heading.is_name]
        others = [other for other in names if rows_are_decks or not self._name_points(other)[1]]
        full = cell_kinds.is_full_name
        return column.share(full) < 0.2 and any(other.share(full) >= 0.5 for other in others)


def any_name(name: str) -> bool:
    """Return True for each name: the test for names of cards if no catalogue is known."""
    return True


def _counts_all(title: str) -> bool:
    """Return True if a heading is that of a count, among other words, and names no section: "Deck Qty"."""
    return headings.says_count(words(title)) and section_counts.counted_section(title) is None
