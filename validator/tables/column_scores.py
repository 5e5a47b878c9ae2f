"""Column scores: the points of each column of a table for each role.

The points of a column come from its heading, from its cells, and from the columns beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from validator.tables import cell_kinds, headings, section_counts
from validator.tables.cell_kinds import is_card_number
from validator.tables.column_samples import ASKED, CALLED, RANK, Column, IsCard, RowSample, Sample
from validator.tables.headings import (
    APELIDO,
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

LEAST = 1.0  # points that a column needs for a role
_AMBIGUOUS = 3.0  # a wording with several meanings: "Name", "ID", "Deck"
_HELD = 3.0  # cells of the kind that the role has
_NEARLY_ALL = 0.9
_REFUTED = 8.0  # less for cells of another kind, if another column has the right ones


class Scores:
    """The points of each column of one table for each role. The other columns influence the points of a column.

    `counts` has the section by position of each column that counts one section. `totals` are the positions of columns
    that count all sections. `open` are all other columns. `named` are the roles that headings name, with COUNT for
    `counts` and `totals`. `certain` is the number of roles that `open` and `totals` have, plus 1 for `counts`.
    `asked_cards` are columns of questions that were answered with card names, beside a heading for card numbers.
    `halves` has the positions of FIRST and LAST, or is empty.
    """

    def __init__(self, titles: Sequence[str], sample: Sample, is_card: IsCard, row_sample: RowSample) -> None:
        """Parse the headings `titles`, and read those cells that decide which columns count copies.

        `sample` returns the cells of a position without blank ones, and `row_sample` has their rows. `is_card` tests
        the name of a card.
        """
        self.columns = [Column(at, title, sample) for at, title in enumerate(titles)]
        self.is_card = is_card
        self._row_sample = row_sample
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
        """Return True if a form's question for a name, such as "English Name", has mostly card names as answers."""
        return column.heading.asked == PLAYER and self._has_card_names(column)

    def _has_card_names(self, column: Column) -> bool:
        """Return True if most cells of a column are names of cards, and not of other cards than those in their rows."""
        return column.share(self.is_card) > 0.5 and not self._has_other_names(column)

    def _has_other_names(self, column: Column) -> bool:
        """Return True if most cells of a column neither name nor describe the card that has its number in the row.

        So a player is no card, though a card has the same name. False if no row has the number of a known card.
        """
        share = self._row_sample.share_of_card(column.position)
        return share is not None and share < 0.5

    def _find_named_role(self, column: Column) -> str | None:
        """Return the role that a column's heading names. CARD for a form's question answered with card names.

        None if the heading names no role, or if the column only numbers the rows.
        """
        if self._numbers_rows(column):
            return None
        return CARD if column in self.asked_cards else column.heading.role

    def _numbers_rows(self, column: Column) -> bool:
        """Return True if a column probably numbers the rows, though its heading is one of card numbers ("No").

        All its cells are digits, and another column has the numbers or names of cards.
        """
        if column.heading.role != NUMBER or not column.size or column.share(str.isdigit) < 1:
            return False
        others = (other for other in self.open if other is not column and other.heading.role in (None, CARD, NUMBER))
        return any(map(self._is_of_cards, others))

    def _find_section_counts(self, titles: Sequence[str], sample: Sample) -> tuple[dict[int, str], list[int]]:
        """Return `(sections, totals)`: the section of columns that count one section, and the positions of totals.

        `sections` has the positions as keys. `totals` is empty if a heading such as "Qty" names a plain count in
        another column. That column is scored like others. If only the main deck is counted, its columns are the totals
        and `sections` is empty.
        """
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
        """Return the role by position of the columns with a known wording.

        For each role, only the best wordings are included.
        """
        ranks: dict[str, int] = {}
        called = [(column.position, column.heading.called, column.heading.rank) for column in self.columns]
        for _, role, rank in called:
            if role:
                ranks[role] = min(rank, ranks.get(role, rank))
        return {at: role for at, role, rank in called if role and rank == ranks[role]}

    def _find_halves(self) -> Mapping[str, int]:
        """Return `{FIRST: position, LAST: position}` if a name is in two columns. Else empty.

        It is empty if a column is called that of the player. A column "Name" can be the half that no heading names. The
        Portuguese "Apelido", which is also a nickname, has last names beside first names or a column of one-word names.
        """
        if any(column.heading.called == PLAYER for column in self.open):
            return {}
        halves: dict[str, int] = {}
        for half in (FIRST, LAST):
            of_half = [c for c in self.open if half in (c.heading.called, None if c.heading.called else c.heading.half)]
            if of_half:
                halves[half] = min(of_half, key=lambda c: (not c.heading.called, c.heading.rank)).position
        if LAST not in halves and (FIRST in halves or not any(map(self._has_full_names, self.open))):
            halves |= [(LAST, column.position) for column in self.open if APELIDO in words(column.heading.title)]
        if len(halves) == 1:
            others = (c.position for c in self.open if c.position not in halves.values() and self._is_other_half(c))
            halves |= dict(zip({FIRST, LAST} - {*halves}, others, strict=False))
        return halves if len(halves) == 2 else {}

    def _has_full_names(self, column: Column) -> bool:
        """Return True if a column "Name" has mostly several words in a cell, as first and last names together."""
        heading = column.heading
        return heading.is_half and not heading.called and column.share(lambda cell: len(cell.split()) > 1) > 0.5

    def _is_other_half(self, column: Column) -> bool:
        """Return True if a column "Name" beside a first or a last name has the other half, not counts or cards.

        Names of cards are possible if each row is a card and no column with a heading for cards has them. The table
        must also show decks or cards elsewhere, or this column must have at most half as many different texts as cells.
        """
        if column.heading.called or not column.heading.is_half or column.share(section_counts.is_count) > 0.5:
            return False
        of_cards = [other for other in self.open if other is not column and other.heading.role == CARD]
        is_of_decks = self.deck_points() > self.card_points()
        if self._has_card_names(column) and not is_of_decks and not any(map(self._has_card_names, of_cards)):
            return False
        has_cards = bool(of_cards) or self._has_other_names(column)
        return has_cards or self.deck_points() > 0 or not column.is_varied

    def deck_points(self) -> float:
        """Return the evidence that each row is a deck: the highest points of a column, 0 for none."""
        return max(map(self._deck_points, self.open), default=0.0)

    def _deck_points(self, column: Column) -> float:
        """Return the points of one column as evidence that each row is a deck.

        They are half the points of its heading as a deck list's, plus 4 for deck lists in the cells below a fitting
        heading.
        """
        points = self._score_list_heading(column) / 2
        return points + 4.0 if column.holds_lists and column.heading.title and column.heading.is_main else points

    def card_points(self) -> float:
        """Return the evidence that each row is a card: the best column of cards plus the best column of counts.

        0 without a column of cards.
        """
        cards = max(map(self._card_points, self.open), default=0.0)
        counts = 3.0 if self.counts or self.totals else max(map(self._count_points, self.open), default=0.0)
        return cards + counts if cards else 0.0

    def _card_points(self, column: Column) -> float:
        """Return the points of one column as evidence that each row is a card: 3, 1.5, 1 or 0.

        A heading of cards or their numbers gives 3. Cards below another heading without a role give 1.5. "Name" beside
        a count gives 1 if no heading is for deck lists.
        """
        if column.heading.role in (NUMBER, CARD):
            return 3.0
        if column.heading.role is None and column.heading.title and self._is_of_cards(column):
            return 1.5
        is_counted = COUNT in self.named and not any(map(self._score_list_heading, self.open))
        return 1.0 if column.heading.is_name and is_counted else 0.0

    def _is_of_cards(self, column: Column) -> bool:
        """Return True if at least half of a column's cells are card numbers, or known card names.

        Numbers need a fitting heading. Names are ignored if no catalogue is known.
        """
        return column.holds_numbers or (self.is_card is not any_name and column.share(self.is_card) >= 0.5)

    def _count_points(self, column: Column) -> float:
        """Return the points of a heading of counts as evidence that each row is a card. 0 for other headings.

        They are 3 if half of the cells are from 1 to 10, or if there are no cells. Else they are 1.
        """
        if column.heading.role != COUNT:
            return 0.0
        return 3.0 if column.share(cell_kinds.is_copies) >= 0.5 or not column.size else 1.0

    def score(self, column: Column, role: str, rows_are_decks: bool) -> tuple[float, float]:
        """Return `(heading_points, cell_points)` of a column for a role.

        Cells that contradict the role give negative points. `rows_are_decks` is True if each row of the table is a
        deck, False if each row is a card. Only the role PLAYER uses it.
        """
        heading = column.heading
        heading_points = heading.points if heading.role == role else 0.0
        if role == DECKLIST:
            return self._score_list_heading(column), self._score_list_cells(column)
        if role == NUMBER:
            return self._score_number(column, heading_points)
        if role == CARD:
            return self._score_card(column, heading_points)
        if role == COUNT:
            return self._score_count(column, heading_points), 0.0
        if role == SECTION:
            return heading_points, self._score_section_cells(column)
        if role == PLAYER_ID:
            return self._score_player_id(column, heading_points)
        if role in (FIRST, LAST):
            is_half = self.halves.get(role) == column.position
            return (CALLED if is_half else heading_points if heading.called and not self.halves else 0.0), 0.0
        if role == PLAYER:
            return self._score_player(column, heading_points, rows_are_decks)
        return heading_points, 0.0

    def _score_list_heading(self, column: Column) -> float:
        """Return the points of a column's heading for the role DECKLIST.

        They are those of a wording or question for deck lists. If no heading is for lists or cards, a heading "Deck"
        has 3.3, and one that names the main deck has 3, unless all cells are digits. Else they are 0.
        """
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

    def _score_list_cells(self, column: Column) -> float:
        """Return the points of a column's cells for the role DECKLIST: -8, 0, or 3 to 4.5.

        They are 0 if less than half of the cells are deck lists. They are also 0 for a heading that is blank or names
        another section than the main deck. They are -8 for links beside another column with lists as text. A heading of
        the main deck and cells of several lines add points.
        """
        if not column.heading.title or not column.heading.is_main or not column.holds_lists:
            return 0.0
        is_text = column.share(cell_kinds.has_lines)
        is_link = not is_text and column.share(cell_kinds.is_link) > 0
        if is_link and any(c is not column and c.holds_lists and c.share(cell_kinds.has_lines) for c in self.open):
            return -_REFUTED
        return _HELD + (column.heading.part == "main") + is_text / 2

    def _score_number(self, column: Column, heading_points: float) -> tuple[float, float]:
        """Return `(heading_points, cell_points)` of a column for the role NUMBER, the numbers of cards.

        `heading_points` as an argument are those of a wording for this role, 0 for other headings. A heading "ID" and
        card numbers in the cells also give points. If cells only number the rows, the cell points are -8.
        """
        if heading_points:
            return heading_points, -_REFUTED if self._numbers_rows(column) else 0.0
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

    def _score_card(self, column: Column, heading_points: float) -> tuple[float, float]:
        """Return `(heading_points, cell_points)` of a column for the role CARD, the names of cards.

        `heading_points` as an argument are those of a wording for this role, 0 for other headings. Questions answered
        with card names, and a heading "Name" for cards, also give points. Cells count only if no column has card
        numbers and no heading names cards.
        """
        if heading_points:
            return heading_points, 0.0
        cards = column.share(self.is_card)
        if column in self.asked_cards:
            return ASKED + _HELD, 0.0
        if column.heading.is_name:
            return self._score_name_heading(column)[1], 0.0
        if self.named & {NUMBER, CARD} or any(other.holds_numbers for other in self.open):
            return 0.0, 0.0
        is_of_counts = len(self.counts) > 1
        if is_of_counts and column.share(self.is_any_card) > 0.5:
            return 0.0, _HELD
        is_card = column.heading.title and self.is_card is not any_name and cards >= 0.5
        return 0.0, _HELD * cards if is_card else 0.0

    def is_any_card(self, cell: str) -> bool:
        """Return True if a cell contains a card number or is a card name."""
        return cell_kinds.has_card_number(cell) or self.is_card(cell)

    def _score_name_heading(self, column: Column) -> tuple[float, float]:
        """Return `(player_points, card_points)` of a heading "Name". One of them is 3 and the other is 0.

        The player gets them if another heading names cards, unless that column has numbers and this one has card names.
        The player also gets them for names of other cards than those in the rows. Else card names, headings of card
        numbers or counts, and another column of players are evidence for cards. IDs of players, and a heading for
        events, are evidence for players.
        """
        has_cards = self._has_card_names(column)
        is_of_others = column.share(self.is_card) > 0.5 and not has_cards
        if is_of_others or (CARD in self.named and not (has_cards and self._are_numbers_called_cards())):
            return _AMBIGUOUS, 0.0
        is_counted = bool(self.named & {NUMBER, COUNT}) or bool(self.counts)
        is_full = 2 * column.size > max(other.size for other in self.open)  # players can be once above their cards
        is_of_each_row = column.is_varied and is_full and is_counted
        card = 2.0 * has_cards + 1.5 * self.names_somebody + is_of_each_row
        has_ids = bool(self.named & {PLAYER_ID, EVENT}) or any(map(self._names_ids, self.open))
        player = 0.8 + 0.5 * has_ids
        return (_AMBIGUOUS, 0.0) if player > card else (0.0, _AMBIGUOUS)

    def _are_numbers_called_cards(self) -> bool:
        """Return True if each column with a heading for cards contains card numbers.

        True if there is no such column.
        """
        return all(c.holds_numbers for c in self.open if self._find_named_role(c) == CARD)

    def _is_untitled_number(self, column: Column) -> bool:
        """Return True if a column without a heading has card numbers in nearly all rows, and is the only such column.

        "Nearly all" is nine in ten cells. No heading may name card numbers, and no other column may have them in half
        its cells.
        """
        if column.heading.title or NUMBER in self.named or column.share(is_card_number) < _NEARLY_ALL:
            return False
        is_full = column.size >= _NEARLY_ALL * max(other.size for other in self.open)
        return is_full and not any(o.share(is_card_number) >= 0.5 for o in self.open if o is not column)

    def _is_called_card(self, column: Column) -> bool:
        """Return True if a column that is called one of cards has their numbers, and another column has their names.

        The other column is called one of cards too, or "Name" with mostly known cards. False if a heading names card
        numbers.
        """
        if column.heading.called != CARD or not column.holds_numbers or NUMBER in self.named:
            return False
        others = [other for other in self.open if other is not column and not other.holds_numbers]
        return any(c.heading.called == CARD or (c.heading.is_name and 2 * c.share(self.is_card) > 1) for c in others)

    @property
    def names_somebody(self) -> bool:
        """True if a heading names players, first names or last names. "Name" and nicknames do not count."""
        return bool(self.named & {*SOMEBODY}) or bool(self.halves)

    def _score_count(self, column: Column, heading_points: float) -> float:
        """Return the points of a column's heading for the role COUNT, the copies of a card. Its cells have no points.

        `heading_points` are those of a wording for this role, 0 for other headings. Counts below "Nombre", and words
        such as "Qty" in the heading also give points.
        """
        if heading_points:
            return heading_points
        if column.heading.key == NOMBRE and column.share(section_counts.is_count) > 0.5:
            is_alone = all(c.heading.role != COUNT or c.heading.key == NOMBRE for c in self.open)
            return CALLED if is_alone else 0.0
        if COUNT in self.named or self.counts or column.heading.role or not column.heading.counts_copies:
            return 0.0
        others = [c for c in self.open if c.heading.counts_copies and not c.heading.role]
        of_deck = [c for c in others if not section_counts.MAIN_WORDS.isdisjoint(words(c.heading.title))]
        return _AMBIGUOUS if len(of_deck) != 1 or column is of_deck[0] else 0.0

    def _score_section_cells(self, column: Column) -> float:
        """Return the points of a column's cells for the role SECTION: 9 below a heading "Type", else 3.

        They are 0 if a heading names the section, if a cell names none, or if no cell names the main or the side deck.
        """
        if self.named & {SECTION, SIDE}:
            return 0.0
        found = column.sections
        points = CALLED + _HELD if column.heading.called == TYPE else _HELD
        return points if found & {"main", "side"} else 0.0

    def _score_player_id(self, column: Column, heading_points: float) -> tuple[float, float]:
        """Return `(heading_points, cell_points)` of a column for the role PLAYER_ID.

        `heading_points` as an argument are those of a wording for this role, 0 for other headings. "ID" gives 3, unless
        the cells are card numbers that no other heading names. Below a heading with points, the cell points are -3 if
        only another column has the IDs, else 0. Below other headings, they are up to 3 for IDs.
        """
        if not heading_points and column.heading.key == ID:
            heading_points = (
                _AMBIGUOUS if not (column.share(is_card_number) >= 0.5 and NUMBER not in self.named) else 0.0
            )
        held = column.share(cell_kinds.is_player_id)
        if heading_points:
            is_refuted = column.size and held < 0.5 and any(self._holds_ids(c) for c in self.open if c is not column)
            return heading_points, -CALLED / 2 if is_refuted else 0.0
        is_free = not column.heading.role or column.heading.role == PLAYER
        return 0.0, _HELD * held if is_free and self._holds_ids(column) else 0.0

    def _names_ids(self, column: Column) -> bool:
        """Return True if a column has IDs of players in its cells, or has the heading "ID" and no card numbers.

        The result for other headings of IDs depends only on the cells.
        """
        return self._holds_ids(column) or self._score_player_id(column, 0.0)[0] > 0

    def _holds_ids(self, column: Column) -> bool:
        """Return True if a column has a heading, and at least 80 % of its cells are IDs of players."""
        return bool(column.heading.title) and column.share(cell_kinds.is_player_id) >= 0.8

    def _score_player(self, column: Column, heading_points: float, rows_are_decks: bool) -> tuple[float, float]:
        """Return `(heading_points, cell_points)` of a column for the role PLAYER, the names of players.

        `heading_points` as an argument are those of a wording or question for this role, 0 for others. "Name" and
        nicknames also give points. Cells that are no names make the points of a heading smaller. Names of persons give
        points below other headings. Both are 0 if first and last names have columns of their own, or if card names
        answer the question.
        """
        heading = column.heading
        if self.halves or (heading.asked and self.named & {FIRST, LAST}) or column in self.asked_cards:
            return 0.0, 0.0
        heading_points = heading_points or self._score_name_or_nickname(column, rows_are_decks)
        hint = 2.0 if heading.is_name or heading.asked == PLAYER else 0.5 if heading.is_nickname else 0.0
        fits = column.share(cell_kinds.is_person) + column.share(cell_kinds.is_full_name)
        if not heading_points:
            return 0.0, hint + fits if self._may_hold_players(column, rows_are_decks) else 0.0
        are_names = column.share(cell_kinds.is_wording) >= 0.5 and not self._are_handles(column, rows_are_decks)
        if are_names or not self.has_cells:
            return heading_points, 0.0
        return heading_points, -heading_points + (max(LEAST, hint + fits) if column.size else LEAST)

    def _score_name_or_nickname(self, column: Column, rows_are_decks: bool) -> float:
        """Return the points of a heading "Name" or for nicknames as that of the players.

        0 for other headings, and if another heading names the players.
        """
        if self.names_somebody:
            return 0.0
        if column.heading.is_name:
            points = _AMBIGUOUS if rows_are_decks else self._score_name_heading(column)[0]
            if points:
                return points
        return _AMBIGUOUS - 0.5 if column.heading.is_nickname else 0.0

    def _may_hold_players(self, column: Column, rows_are_decks: bool) -> bool:
        """Return True if a column has names of persons below a heading without a role that does not exclude players."""
        heading = column.heading
        is_part = (rows_are_decks and heading.part is not None) or headings.describes_card(heading.title)
        if heading.role or is_part or not heading.title or self.named & {FIRST, LAST}:
            return False
        if not rows_are_decks and heading.is_name and self._score_name_heading(column)[1]:
            return False
        if not column.share(cell_kinds.is_person) >= 0.5 > column.share(self.is_card):
            return False
        has_players = rows_are_decks or bool(self.named & {PLAYER_ID, PLAYER}) or any(map(self._names_ids, self.open))
        return has_players and (column.is_varied if rows_are_decks else self._may_be_of_ids(column))

    def _may_be_of_ids(self, column: Column) -> bool:
        """Return True if the texts of a column, with a card in each row, may be the names to the IDs of the players.

        Each ID needs a name of its own. Facts printed on the cards, such as their traits, are no names. True if no
        column has IDs.
        """
        share = self._row_sample.share_of_card(column.position)
        ids = [other for other in self.open if other.heading.role == PLAYER_ID or self._names_ids(other)]
        are_pairs = all(self._row_sample.are_pairs(column.position, other.position) for other in ids)
        return are_pairs and (share is None or share < 0.5)

    def _are_handles(self, column: Column, rows_are_decks: bool) -> bool:
        """Return True if a column has login names: few full names, while another column "Name" has mostly full names.

        If `rows_are_decks` is False, a column "Name" for the names of cards is ignored.
        """
        names = [other for other in self.open if other is not column and other.heading.is_name]
        others = [other for other in names if rows_are_decks or not self._score_name_heading(other)[1]]
        full = cell_kinds.is_full_name
        return column.share(full) < 0.2 and any(other.share(full) >= 0.5 for other in others)


def any_name(name: str) -> bool:
    """Return True for each name. Used as the test for names of cards if no catalogue is known."""
    return True


def _counts_all(title: str) -> bool:
    """Return True if a heading contains a word for a count and names no section: "Deck Qty"."""
    return headings.has_count_word(words(title)) and section_counts.counted_section(title) is None
