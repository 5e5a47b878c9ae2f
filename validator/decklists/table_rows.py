"""Table rows: what a row of a table of cards is, and the section, the copies and the card of a row.

Called by the reader of pasted tables, and by `api.workbooks` for sheets. So both read a row in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from validator import sections
from validator.bounds import MOST_COPIES
from validator.decklists import cardline, headlines
from validator.decklists.card_cells import CardCells, CellDoubt, WrittenCard
from validator.decklists.draft import ABOVE_TABLE, Draft
from validator.decklists.headlines import Heading
from validator.decklists.placing import Misplaced, parse_section, placed_by_type
from validator.decklists.source import Source, TextRow, row
from validator.language import phrase
from validator.sections import ASIDE
from validator.tables.cell_kinds import NUMBER_CELL, has_card_number, is_no, is_usual_copies, is_yes
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, COUNT, NUMBER, PLAYER_ID, SECTION, SIDE, TYPE
from validator.tables.section_counts import (
    TWO_SECTIONS,
    Copies,
    choose_section,
    contradicts,
    count_doubt,
    is_count,
    parse_copies,
    read_copies,
)
from validator.texts import shorten_value

_MOST_SAMPLED = 500  # rows in which marks are looked for
_MOST_OF_FACT = 3  # cells of a row with a fact about the list
_NUMBER = re.compile(r"[0-9]{1,4}")
_ROW_NUMBER = re.compile(r"#[0-9]{1,4}")


class Aside(Enum):
    """What a row of a table is that has no card and is no heading of a section."""

    COMMENT = "comment"
    TOTAL = "total"
    NOTE = "note"


class CardOfRow(NamedTuple):
    """A card of a row with its copies in one section.

    `section` is None if the row names none. `copies` is None if the table has no count for the row.
    """

    section: str | None
    copies: int | None
    number: str | None
    name: str | None


class RowDoubts(NamedTuple):
    """The reasons why the card of a row cannot be used, at least one.

    `is_aside` is True if the row is of a section outside the deck, such as a maybeboard.
    """

    doubts: Sequence[CellDoubt]
    is_aside: bool = False


class SectionsAbove:
    """The sections that headings and earlier rows give to the rows of a table below them.

    `heading` is the section of the last heading, None without one. A table may also name a section only in its first
    row. Blank cells have the section above only after some row named "Main". So a table that marks only the side deck
    leaves its other rows to the types of their cards.
    """

    def __init__(self) -> None:
        """Begin without a section."""
        self.begin_deck()

    def begin_deck(self) -> None:
        """Forget all sections: another deck begins."""
        self.heading: str | None = None
        self._is_below_heading = False  # True from a heading to the next card
        self._forget_rows()

    def begin_heading(self, section: str | None) -> None:
        """Use the section of a heading for the rows below."""
        self.heading, self._is_below_heading = section, True
        self._forget_rows()

    def begin_player(self, have_own_headings: bool) -> None:
        """Forget the sections of the rows so far: another player begins.

        The heading above no longer applies either if the players have headings of their own, unless it is directly
        above the player.
        """
        if have_own_headings and not self._is_below_heading:
            self.heading = None
        self._forget_rows()

    def begin_card(self) -> None:
        """Note that a card is below the last heading, which so is a heading of its player."""
        self._is_below_heading = False

    def _forget_rows(self) -> None:
        """Forget the sections in the cells of earlier rows."""
        self._section = ""
        self._has_main = False

    def carry_down(self, section_text: str) -> str:
        """Return the text of a row's section, for a blank `section_text` that of an earlier row. "" if there is none.

        The text is kept for the rows below.
        """
        self._section = section_text or self._section
        self._has_main = self._has_main or sections.section(section_text) == "main"
        return self._section if self._has_main else section_text


class TableRows:
    """The parser for the rows of one table with a card in each row.

    `columns` are the roles of the table's columns, and `cards` has the known cards. `rows` returns all rows. The cells
    of a row are texts without blanks around them, "" for a blank cell. A row may be shorter than the headings.
    """

    def __init__(self, columns: Columns, cards: CardCells, rows: Callable[[], Iterable[Sequence[str]]]) -> None:
        self._cards = cards
        self._source = cards.source
        self._find_rows = rows
        self._columns = columns
        self._players = frozenset(columns.places(*WHO))
        self._names = columns.places(*SOMEBODY, PLAYER_ID) or columns.places(*WHO)
        self._counted = frozenset((*columns.counts, *columns.places(COUNT)))

    def cell(self, cells: Sequence[str], role: str) -> str:
        """Return the first text that is not blank in a row's columns of a role, "" if there is none."""
        for at in self._columns.roles.get(role, ()):
            if at < len(cells) and cells[at]:
                return cells[at]
        return ""

    def _heading(self, cells: Sequence[str]) -> Heading | None:
        """Return the heading of a section that a row is, with or without its total. None for other rows.

        If the cards have their section or type in its own column, such a cell with a usual number of copies is a row
        whose card is missing: "Side, 2".
        """
        if self._place(cells) and is_usual_copies(self.cell(cells, COUNT)) and self._have_places:
            return None
        return headlines.row_heading(cells, self._source.is_name)

    def _place(self, cells: Sequence[str]) -> str:
        """Return the text in a row's column of sections, else in that of types, "" if both are blank."""
        return self.cell(cells, SECTION) or self.cell(cells, TYPE)

    @cached_property
    def _have_places(self) -> bool:
        """True if most rows with a card have a section or a type."""
        with_place = [bool(self._place(cells)) for cells in self._find_rows() if self._has_card(cells)]
        return 2 * sum(with_place) > len(with_place)

    @cached_property
    def has_own_headings(self) -> bool:
        """True if headings of sections are each player's own: no player comes back below another one.

        If all players share the headings, each player has rows below several of them.
        """
        met: set[tuple[str, ...]] = set()
        last: tuple[str, ...] = ()
        for cells in self._find_rows():
            player = tuple(cells[at] for at in self._players if at < len(cells))
            if any(player) and player != last and self._has_card(cells):
                if player in met:
                    return False
                met.add(player)
                last = player
        return True

    def has_player(self, cells: Sequence[str]) -> bool:
        """Return True if a row has the name or the id of a player. An event counts only if no column has players."""
        return any(cells[at] for at in self._names if at < len(cells))

    @cached_property
    def repeats_players(self) -> bool:
        """True if a player is repeated in two successive rows with a card: a row without a player has no player then.

        If no player is, a table names each player once, and the rows below are of the same player.
        """
        last: Sequence[str] = ()
        for cells in self._find_rows():
            player = [cells[at] if at < len(cells) else "" for at in self._names]
            if self._has_card(cells):
                if any(player) and player == last:
                    return True
                last = player
        return False

    def find_mark(self) -> str:
        """Return the first mark for yes, such as "x", in a column without a heading and without a role.

        "" if there is none. All other cells of such a column beside cards are marks or blank, and the rows differ. A
        number is no mark. Only the first 500 rows are examined.
        """
        titles, known = self._columns.titles, {*self._columns.places(*self._columns.roles), *self._columns.parts}
        rows = [cells for cells in islice(self._find_rows(), _MOST_SAMPLED) if self._has_card(cells)]
        for at in range(max(map(len, rows), default=0)):
            if at in known or at in self._columns.counts or (at < len(titles) and titles[at]):
                continue
            held = {cells[at] if at < len(cells) else "" for cells in rows}
            if len(held) > 1 and all(not cell or is_yes(cell) or is_no(cell) for cell in held):
                marks = (cells[at] for cells in rows if at < len(cells) and is_yes(cells[at]))
                if (mark := next(marks, "")) and not mark.isdigit():
                    return mark
        return ""

    def find_aside(self, cells: Sequence[str], has_marked_rows: bool) -> Heading | Aside | None:
        """Return the kind of a row without a card: heading, comment, total or note. None for the row of a card.

        A note is a fact about the list or an empty line of a form. `has_marked_rows` is that of `_is_comment`.
        """
        if heading := self._heading(cells):
            return heading
        if self._is_comment(cells, has_marked_rows):
            return Aside.COMMENT
        if self._is_total(cells):
            return Aside.TOTAL
        return Aside.NOTE if self._is_fact(cells) or self._is_empty_line(cells) else None

    def _is_comment(self, cells: Sequence[str], has_marked_rows: bool) -> bool:
        """Return True if a row begins with a comment mark, or has no letter or digit.

        "#" before other cells is no comment if `has_marked_rows` is True, and "#1" before other cells numbers the row.
        """
        first, *others = [cell for cell in cells if cell] or [""]
        if others and first.startswith("#") and (has_marked_rows or _ROW_NUMBER.fullmatch(first)):
            return False
        if first[:1].isalnum():
            return False
        return headlines.is_comment(row(0, " ".join((first, *others))).plain)

    def has_commented_card(self, cells: Sequence[str]) -> bool:
        """Return True if there is a card behind the comment mark of a row.

        A card number in one of several cells is a card, also without a count. So is any text in a column of cards.
        """
        filled = [cell for cell in cells if cell]
        named = self.cell(cells, NUMBER) + self.cell(cells, CARD)
        has_card = len(filled) > 1 and (any(map(str.isalnum, named)) or any(map(has_card_number, filled)))
        return has_card or bool(cardline.commented_cards(row(0, " ".join(filled)), self._source))

    def _is_total(self, cells: Sequence[str]) -> bool:
        """Return True if a row has only a total of the cards: "Total, 51", "51 cards", "Ann Lee Total, 51".

        A card's name that looks like a total is none.
        """
        if NUMBER_CELL.fullmatch(self.cell(cells, NUMBER)):
            return False
        words = [cell for at, cell in enumerate(cells) if cell and at not in self._players]
        names = [cell for at, cell in enumerate(cells) if cell and at not in self._players | self._counted]
        if headlines.is_total(" ".join(words)) or (self._counted and headlines.is_totals_row(names)):
            return not any(map(self._source.is_name, names))
        players = (cells[at] for at in self._players if at < len(cells))
        return not self._has_card(cells) and any(map(headlines.names_sum, players))

    def find_totals(self, cells: Sequence[str]) -> Sequence[tuple[str | None, int]]:
        """Return the totals in a row as pairs of section and number. The section is None for a total of all sections.

        If a row has one cell with words and a number, the number is the total: "Total 51". Cells without a number are
        ignored.
        """
        places = self._columns.counts or dict.fromkeys(self._columns.places(COUNT))
        counted = [(section, parse_copies(cells[at])) for at, section in places.items() if at < len(cells)]
        if totals := [(section, stated) for section, stated in counted if stated]:
            return totals
        filled = [cell for cell in cells if cell]
        numbers = _NUMBER.findall(filled[0]) if len(filled) == 1 else []
        return [(None, int(numbers[0]))] if len(numbers) == 1 else []

    def _is_empty_line(self, cells: Sequence[str]) -> bool:
        """Return True if a row has only numbers in columns without a role, or is blank: an empty line of a form."""
        known = self._counted.union(self._columns.places(*self._columns.roles))
        return all(not cell or (at not in known and cell.isdigit()) for at, cell in enumerate(cells))

    def _is_fact(self, cells: Sequence[str]) -> bool:
        """Return True if a row is a fact about the list, such as "Date, 5 April", or an address of a page.

        A fact has at most three cells. A row with a known card or with a card and its count is none. Neither is a row
        with a section or a type of card and another cell.
        """
        filled = [cell for cell in cells if cell]
        named = [cell for role in (NUMBER, CARD) if (cell := self.cell(cells, role))]
        if any(NUMBER_CELL.fullmatch(cell) or self._source.is_name(cell) for cell in named):
            return False
        if named and is_count(self.cell(cells, COUNT)):
            return False
        if len(filled) == 1 and headlines.is_link(filled[0]) and not has_card_number(filled[0]):
            return True
        if len(filled) > _MOST_OF_FACT or (len(filled) > 1 and sections.section(self._place(cells)) is not None):
            return False
        return headlines.is_metadata(row(0, ": ".join(filled)).plain)

    def _has_card(self, cells: Sequence[str]) -> bool:
        """Return True if the cell for the number or the name of the card is filled."""
        return any(self.cell(cells, role) for role in (NUMBER, CARD))

    def read_cards(
        self, cells: Sequence[str], section_text: str, heading: str | None
    ) -> Sequence[CardOfRow] | RowDoubts:
        """Return the card of a row, once for each section with copies, or the reasons why it cannot be used.

        `section_text` is the text of the row's section, which an earlier row may have. `heading` is the section of the
        heading above. The result is empty if all counts of the row are a written 0.
        """
        section = self._find_section(cells, section_text, heading)
        card = self._find_card(cells)
        copies = self._find_copies(cells)
        if isinstance(copies, CellDoubt) and not copies.role:
            return RowDoubts([copies], section == ASIDE)
        if copies == [] and not isinstance(section, CellDoubt):
            return []
        if isinstance(card, CellDoubt) or isinstance(copies, CellDoubt) or isinstance(section, CellDoubt):
            doubts = [doubt for doubt in (card, copies, section) if isinstance(doubt, CellDoubt)]
            return RowDoubts(doubts, section == ASIDE)
        if any(contradicts(counted, section) for counted, _ in copies):
            return RowDoubts([CellDoubt(TWO_SECTIONS, "")])
        return [
            CardOfRow(choose_section(counted, section), count or card.copies, card.number, card.name)
            for counted, count in copies
        ]

    def _find_section(self, cells: Sequence[str], section_text: str, heading: str | None) -> str | CellDoubt | None:
        """Return the section of a row's card: that of the row, of the heading above, or of the card's type.

        A type of card such as "Battle" is no section below a heading, and a type only names sections other than the
        main deck. None if there is no section, and a CellDoubt if a cell is not understood.
        """
        if heading and sections.is_kind(section_text):
            section_text = ""
        place = parse_section(_to_plain(section_text), self.cell(cells, SIDE))
        if isinstance(place, Misplaced):
            value = shorten_value(section_text if place.role == SECTION else self.cell(cells, place.role))
            return CellDoubt(phrase("“{value}” {wrong}", value=value, wrong=place.detail), place.role)
        return place or heading or placed_by_type(_to_plain(self.cell(cells, TYPE)))

    def _find_card(self, cells: Sequence[str]) -> WrittenCard | CellDoubt:
        """Return the card in the cells for number and name, or the doubt about them. It need not be in the catalogue.

        Without a count column, a cell that is the only one for the card may have the count too.
        """
        number, name = self.cell(cells, NUMBER), self.cell(cells, CARD)
        if not (self._columns.has_counts or (number and name)):
            card = self._cards.parse_counted_card(number or name)
            if isinstance(card, CellDoubt) or card.copies:
                return card
        return self._cards.parse_card(number, name)

    def _find_copies(self, cells: Sequence[str]) -> Sequence[tuple[str | None, int | None]] | CellDoubt:
        """Return the copies in a row as pairs of section and count, or the doubt about them.

        The section is None if the column does not name one, the count if no column has counts. If all counts of a row
        are a written 0, there are no pairs. The doubt has no role if several cells contradict each other.
        """
        columns = self._columns
        if not columns.has_counts:
            return [(None, None)]
        written = self.cell(cells, COUNT)
        copies: Copies | str
        if columns.counts:
            total = _to_plain(written) if columns.has(COUNT) else None
            copies = read_copies(columns.counts, lambda at: cells[at] if at < len(cells) else "", total)
        elif self._has_different_counts(cells):
            copies = phrase("several columns may be the count, and their values differ")
        elif (count := parse_copies(_to_plain(written))) or is_count(written):
            copies = [(None, count)] if count else []
        else:
            return CellDoubt(count_doubt(written), COUNT)
        if isinstance(copies, str):
            return CellDoubt(copies, "")
        too_many = (count for _, count in copies if count > MOST_COPIES)
        return next((CellDoubt(count_doubt(str(count)), "" if columns.counts else COUNT) for count in too_many), copies)

    def _has_different_counts(self, cells: Sequence[str]) -> bool:
        """Return True if a row has different counts in several columns of the role COUNT. Blank cells are ignored."""
        columns = self._columns.roles.get(COUNT, ())
        return len({parse_copies(cells[at]) for at in columns if at < len(cells) and cells[at]}) > 1


def _to_plain(cell: str) -> str:
    """Return the text of a cell without markup and decoration."""
    return row(0, cell).plain if cell else ""


def skip_line_above(line: TextRow, draft: Draft, source: Source) -> None:
    """Add a line above a table to the unread lines. It is a remark if it has no card, such as "Regional 2026"."""
    draft.skip(line.at, line.raw, ABOVE_TABLE, is_aside=cardline.is_without_card(line, source))
