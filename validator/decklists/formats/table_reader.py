"""Table reader: the draft of a table, row by row: cards, headings of sections, totals, comments, players and decks.

Called by `table`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from validator import sections
from validator.deck import Total, Unread
from validator.decklists import cardline, headlines, several
from validator.decklists.card_cells import parse_card_cells, parse_counted_cell
from validator.decklists.cardline import CountedCard
from validator.decklists.delimiter import declared_delimiter
from validator.decklists.draft import ABOVE_TABLE, COMMENTED, OF_A_ROW, OF_NOBODY, Draft, card_type
from validator.decklists.formats.table_finder import SAMPLE_ROWS, Table, infer_titled_columns
from validator.decklists.placing import Misplaced, parse_section, placed_by_type
from validator.decklists.source import Source, TextRow, row
from validator.decklists.totals import CONTRADICTED
from validator.language import phrase
from validator.tables import headings
from validator.tables.cell_kinds import has_card_number
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, COUNT, NUMBER, SECTION, SIDE, TYPE
from validator.tables.section_counts import (
    TWO_SECTIONS,
    choose_section,
    contradicts,
    is_count,
    parse_copies,
    zero_copies,
)
from validator.tables.untitled_columns import A_NUMBER

_DIGIT = re.compile(r"[0-9]")


class TableReader:
    """Reads a table row by row into drafts, one for each player or deck.

    Headings between rows, and a section named once, apply to the rows below.
    """

    def __init__(self, table: Table, source: Source, format: str) -> None:
        """Prepare an empty draft for the cards of a table. `format` is the format's name in FORMATS."""
        self._draft = Draft(format)
        self._table = table
        self._source = source
        self._heading_section: str | None = None
        self._section = ""  # the last section that a row named
        self._is_divided = False  # True after one row named "Main", so that blank cells below mean the same
        self._zero_rows: list[TextRow] = []  # rows with 0 copies
        self._header_without_counts: TextRow | None = None  # the headings of the first cards without a count column
        self._drafts: dict[Sequence[str], Draft] = {}  # by the names of their players
        self._decks = 1  # decks that began with titles
        self._named = 0  # consecutive rows with the name of the current player
        marked = sum(_is_marked(cells) for _, cells in table.rows)
        self._has_marked_cells = 2 * marked > len(table.rows)  # "#OP01-016" is a number, and no comment

    def refuse_all(self) -> Draft:
        """Return the draft of a table with a whole deck in each row. All rows are unread."""
        for line, _ in self._table.rows:
            self._draft.skip(line.at, line.raw, OF_A_ROW)
        return self._draft

    def read(self) -> Draft:
        """Return the draft of the first player or deck, with those of the others in `others`.

        Above the header, headings open sections, and a title such as "Deck 1" is the name. Comments and facts there are
        ignored, and other lines are unread. Unread lines of the first draft also note the first row whose section
        counts are all 0, a missing count column, and a header of unknown words.
        """
        for line in self._table.above:
            self._draft.name = self._draft.name or (line.shown if several.find_order(line.plain) else "")
            if heading := headlines.heading(line.plain):
                self._heading_section = heading.section
            elif not (
                declared_delimiter(line.raw) or headlines.is_comment(line.plain) or headlines.is_metadata(line.plain)
            ):
                self._draft.skip(line.at, line.raw, ABOVE_TABLE)
        if self._table.header.raw and not self._table.columns.titles:
            self._draft.skip(self._table.header.at, self._table.header.raw, ABOVE_TABLE, is_aside=True)
        for at, (line, cells) in enumerate(self._table.rows, 1):
            self._read_row(at, line, cells)
        first, *others = self._drafts.values() or [self._draft]
        first.others += others
        if self._zero_rows:
            zero = self._zero_rows[0]
            first.skip(zero.at, zero.raw, zero_copies(len(self._zero_rows)), is_aside=True)
        if self._header_without_counts is not None:
            first.note_no_counts(self._header_without_counts.at, self._header_without_counts.raw)
        return first

    def _read_row(self, row_index: int, line: TextRow, cells: Sequence[str]) -> None:
        """Add the card of a row to a draft, or apply the row as a title, a heading, a comment, a total or a new header.

        `row_index` counts the rows from 1. A fact about the list is ignored. A row whose player is not clear becomes
        unread.
        """
        filled = [cell for cell in cells if cell]
        if len(filled) == 1 and self._begin_deck(filled[0]):
            return
        if heading := headlines.row_heading(filled, self._source.is_name):
            self._heading_section = heading.section
        elif headlines.is_comment(line.plain) and not (self._has_marked_cells and _is_marked(cells)):
            self._read_comment(line, filled)
        elif self._is_totals_row(cells):
            self._compare_totals(line, cells)
        elif self._is_fact(cells, filled):
            return
        elif found := self._find_repeated_header(row_index, line, cells):
            self._table = self._table._replace(columns=found, header=line)  # a new section with its own header
        elif self._switch_to_owner(cells):
            self._add_row(line, cells)
        else:
            self._draft.skip(line.at, line.raw, OF_NOBODY)

    def _begin_deck(self, title: str) -> bool:
        """Begin a new draft below a title such as "Deck 2". Return False if the title is not that of the next deck.

        False also if no card was read before. The sections named above no longer apply.
        """
        following = {str(self._decks + 1), chr(ord("A") + self._decks)}
        if not self._draft.cards or several.find_order(title) not in following:
            return False
        self._drafts.setdefault((), self._draft)
        self._draft = self._drafts[(title,)] = Draft(self._draft.format, name=title)
        self._decks += 1
        self._section, self._is_divided, self._heading_section = "", False, None
        return True

    def _read_comment(self, line: TextRow, filled: Sequence[str]) -> None:
        """Add a row with a card behind its comment mark to the unread lines. It is no part of the deck.

        Other comments are dropped. `filled` are the cells that are not blank. A card number in one of several cells is
        a card, also without a count.
        """
        has_number = len(filled) > 1 and any(map(has_card_number, filled))
        if has_number or cardline.commented_cards(row(line.at, " ".join(filled)), self._source):
            self._draft.skip(line.at, line.raw, COMMENTED, is_aside=True)

    def _is_fact(self, cells: Sequence[str], filled: Sequence[str]) -> bool:
        """Return True if a row is a fact about the list, such as "Total, 51". "Deck, 4, Nami" is a card.

        `filled` are the cells that are not blank.
        """
        copies = self._table.cell(cells, COUNT).plain
        card = self._table.cell(cells, CARD).plain
        if is_count(copies) and card and not headlines.is_metadata(f"{card}: {copies}"):
            return False
        return headlines.is_metadata(": ".join(filled))

    def _is_totals_row(self, cells: Sequence[str]) -> bool:
        """Return True if a row has the totals of the count columns, and no card with the name of a total.

        False for a table without a count column.
        """
        columns = self._table.columns
        counted = [*columns.counts, *columns.places(COUNT)]
        others = [cell for at, cell in enumerate(cells) if at not in counted]
        return bool(counted) and headlines.is_totals_row(others) and not any(map(self._source.is_name, others))

    def _compare_totals(self, line: TextRow, cells: Sequence[str]) -> None:
        """Add an unread line for each total that the cards above contradict.

        A total may count the Leader or leave the Leader out. The only count column may also have the total of one
        section. Cells without a number are ignored.
        """
        columns = self._table.columns
        copies = dict.fromkeys(("main", "leader"), 0)
        catalogue = self._source.catalogue
        for place, card in self._draft.cards:
            leads = place in (None, "main") and catalogue and card_type(card, catalogue) == "Leader"
            section = "leader" if leads else place or "main"
            copies[section] = copies.get(section, 0) + card.count
        whole, leaders = sum(copies.values()), copies["leader"]
        for at in columns.counts or columns.places(COUNT):
            counted = copies.get(columns.counts[at], 0) if columns.counts else whole
            agreed = {counted, counted + leaders, counted - leaders, *(() if columns.counts else copies.values())}
            stated = parse_copies(cells[at]) if at < len(cells) else None
            if stated and stated not in agreed | {copies["main"] + leaders}:
                total = Total(stated, counted)
                self._draft.unread.append(Unread(line.at, line.raw, CONTRADICTED, aside=True, total=total))

    def _find_repeated_header(self, row_index: int, line: TextRow, cells: Sequence[str]) -> Columns | None:
        """Return the column roles of a row that is another header, with two or more known headings and no digit.

        None for any other row, and for the header of a table with a whole deck in each row. `row_index` is the index of
        the next row.
        """
        if _DIGIT.search(line.plain) or sum(map(headings.is_known, cells)) < 2:
            return None
        found = infer_titled_columns(cells, self._table.rows[row_index : row_index + SAMPLE_ROWS], self._source)
        return None if found and found.is_list else found

    def _switch_to_owner(self, cells: Sequence[str]) -> bool:
        """Switch to the draft of the row's player, or begin one. Return False if the player is not clear.

        A row without a name belongs to the player above, unless two or more consecutive rows of that player have the
        name.
        """
        owner = tuple(row(0, cells[at]).plain for at in self._table.columns.places(*WHO) if at < len(cells))
        if self._drafts and not any(owner):
            return self._named < 2
        is_same = self._drafts.get(owner) is self._draft
        self._named = self._named + 1 if is_same else 1
        if not self._drafts:
            self._drafts[owner] = self._draft
            self._draft.name = ", ".join(filter(None, owner))
        elif not is_same:
            name = ", ".join(filter(None, owner))
            self._draft = self._drafts.setdefault(owner, Draft(self._draft.format, name=name))
            self._section, self._is_divided = "", False
        return True

    def _add_row(self, line: TextRow, cells: Sequence[str]) -> None:
        """Add the card of a row, or the cards of several tables beside each other.

        A section over such a table has priority over a heading between the rows.
        """
        whole = self._table
        if len(each := whole.side_by_side()) == 1:
            self._add_card(line, cells)
            return
        under = self._heading_section
        for self._table in each:
            if any(self._table.cell(cells, role).plain for role in (COUNT, NUMBER, CARD)):
                self._heading_section = self._table.group or under
                self._add_card(line, cells)
        self._table, self._heading_section = whole, under

    def _add_card(self, line: TextRow, cells: Sequence[str]) -> None:
        """Add the card of a row to the draft, once for each section with copies.

        Add an unclear row to the unread lines, and also one with 0 in the only count column. A row whose counts of
        sections are all 0 is kept for a remark. Without a count column, a card is one copy unless its cell has a count.
        """
        place = self._section_of_row(cells)
        copies = self._table.copies(cells)
        number, name = self._card_of_row(cells)
        if isinstance(place, Misplaced):
            reason = phrase("{cell!r} {wrong}", cell=self._table.cell(cells, place.role).plain, wrong=place.detail)
            self._draft.skip(line.at, line.raw, reason)
        elif isinstance(copies, str):
            self._draft.skip(line.at, line.raw, copies)
        elif self._is_counted_twice(cells):
            self._draft.skip(line.at, line.raw, phrase("several columns may be the count, and their values differ"))
        elif copies and not (number or name):
            self._draft.skip(line.at, line.raw, phrase("no card found"))
        elif place == "side" and any(contradicts(section, place) for section, _ in copies):
            self._draft.skip(line.at, line.raw, TWO_SECTIONS)
        elif not copies:
            self._zero_rows.append(line)
        elif not self._table.columns.has_counts and (card := self._counted_in_cell(cells)):
            self._draft.add(place, card.digits, card.number, card.name, line.at, line.raw)
        else:
            if not self._table.columns.has_counts:
                self._header_without_counts = self._header_without_counts or self._table.header
            for section, count in copies:
                self._draft.add(choose_section(section, place), str(count), number, name, line.at, line.raw)

    def _counted_in_cell(self, cells: Sequence[str]) -> CountedCard | None:
        """Return the card of a row whose only cell for the card has its count too: "4 Nami". None for other rows."""
        written = [cell for role in (NUMBER, CARD) if (cell := self._table.cell(cells, role)).plain]
        card = parse_counted_cell(written[0].raw, self._source) if len(written) == 1 else None
        return card if card and card.is_counted else None

    def _is_counted_twice(self, cells: Sequence[str]) -> bool:
        """Return True if a row has different counts in several columns of the role COUNT. Blank cells are ignored."""
        columns = self._table.columns.roles.get(COUNT, ())
        return len({parse_copies(cells[at]) for at in columns if at < len(cells) and cells[at]}) > 1

    def _section_of_row(self, cells: Sequence[str]) -> str | Misplaced | None:
        """Return the section of a row's card: that of the row, of a row or heading above, or of the card's type.

        None if there is none, and a Misplaced if a cell is not understood. A blank cell has the section above only
        after some row named "Main". The section of this row is kept for the rows below.
        """
        named, side = (self._table.cell(cells, role).plain for role in (SECTION, SIDE))
        self._section = named or self._section
        self._is_divided = self._is_divided or sections.section(named) == "main"
        place = parse_section(self._section if self._is_divided else named, side)
        return place or self._heading_section or placed_by_type(self._table.cell(cells, TYPE).plain)

    def _card_of_row(self, cells: Sequence[str]) -> tuple[str | None, str | None]:
        """Return the number and the name of a row's card, None for each that is missing."""
        number, name = (self._table.cell(cells, role).raw for role in (NUMBER, CARD))
        return parse_card_cells(number, name, self._source)


def _is_marked(cells: Sequence[str]) -> bool:
    """Return True if a row has several cells, and the first is "#" and the number of a card: "#OP01-016"."""
    return len(cells) > 1 and cells[0].startswith("#") and A_NUMBER.fullmatch(cells[0][1:]) is not None
