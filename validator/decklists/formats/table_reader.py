"""Table reader: the draft of a table, row by row: cards, headings of sections, totals, comments, players and decks.

Called by `table`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from validator.decklists import headlines, several
from validator.decklists.card_cells import CardCells
from validator.decklists.delimiter import declared_delimiter
from validator.decklists.draft import ABOVE_TABLE, COMMENTED, NO_PART, OF_A_ROW, OF_NOBODY, Draft
from validator.decklists.formats.table_finder import Table, infer_headed_columns
from validator.decklists.headlines import Heading
from validator.decklists.source import Source, TextRow, row
from validator.decklists.table_rows import Aside, RowDoubts, SectionsAbove, TableRows, skip_line_above
from validator.decklists.titled_columns import SAMPLE_ROWS
from validator.decklists.totals import compare_table_totals
from validator.tables import headings
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, COUNT, NUMBER, SECTION
from validator.tables.section_counts import zero_copies

_DIGIT = re.compile(r"[0-9]")


class TableReader:
    """Reads a table row by row into drafts, one for each player or deck.

    Headings between rows, and a section named once, apply to the rows below.
    """

    def __init__(self, table: Table, source: Source, format: str) -> None:
        """Prepare an empty draft for the cards of a table. `format` is the format's name in FORMATS."""
        self._draft = Draft(format)
        self._source = source
        self._cards = CardCells(source)
        self._use_columns(table)
        self._above = SectionsAbove()
        self._zero_rows: list[TextRow] = []  # rows with 0 copies
        self._header_without_counts: TextRow | None = None  # the headings of the first cards without a count column
        self._drafts: dict[Sequence[str], Draft] = {}  # by the names of their players
        self._decks = 1  # decks that began with titles
        marked = sum(len(cells) > 1 and cells[0].startswith("#") for _, cells in table.rows)
        self._has_marked_rows = 2 * marked > len(table.rows)  # "#" is no comment mark

    def _use_columns(self, table: Table) -> None:
        """Parse the next rows by the columns of `table`, which may be several tables beside each other."""
        self._table = table
        self._rows = self._parser_of(table)
        self._tables_beside = [(each, self._parser_of(each)) for each in table.side_by_side()]

    def _parser_of(self, table: Table) -> TableRows:
        """Return the parser for the rows of a table by its columns."""
        return TableRows(table.columns, self._cards, lambda: [cells for _, cells in table.rows])

    def refuse_all(self) -> Draft:
        """Return the draft of a table with a whole deck in each row. All rows are unread."""
        for line, _ in self._table.rows:
            self._draft.skip(line.at, line.raw, OF_A_ROW)
        return self._draft

    def read(self) -> Draft:
        """Return the draft of the first player or deck, with those of the others in `others`.

        Above the header, headings open sections, and a title such as "Deck 1" is the name. Comments and facts there are
        ignored, and other lines are unread. Unread lines of the first draft also note the first row whose counts are
        all 0, a missing count column, marks in a column without a heading, and a header of unknown words.
        """
        for line in self._table.above:
            self._draft.name = self._draft.name or (line.shown if several.find_order(line.plain) else "")
            if heading := headlines.heading(line.plain):
                self._above.begin_heading(heading.section)
            elif not (
                declared_delimiter(line.raw) or headlines.is_comment(line.plain) or headlines.is_metadata(line.plain)
            ):
                skip_line_above(line, self._draft, self._source)
        if self._table.header.raw and not self._table.columns.titles:
            self._draft.skip(self._table.header.at, self._table.header.raw, ABOVE_TABLE, is_aside=True)
        mark = self._rows.find_mark()
        for at, (line, cells) in enumerate(self._table.rows, 1):
            self._read_row(at, line, cells)
        first, *others = self._drafts.values() or [self._draft]
        first.others += others
        if self._zero_rows:
            zero = self._zero_rows[0]
            first.skip(zero.at, zero.raw, zero_copies(len(self._zero_rows)), is_aside=True)
        if mark:
            line = self._table.header if self._table.header.raw else self._table.rows[0][0]
            first.note_marks(line.at, line.raw, mark)
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
        aside = self._rows.find_aside(cells, self._has_marked_rows)
        if isinstance(aside, Heading):
            self._above.begin_heading(aside.section)
        elif aside is Aside.COMMENT:
            if self._rows.has_commented_card(cells):
                self._draft.skip(line.at, line.raw, COMMENTED, is_aside=True)
        elif aside is Aside.TOTAL:
            self._compare_totals(line, cells)
        elif aside is Aside.NOTE:
            return
        elif found := self._find_repeated_header(row_index, line, cells):
            self._use_columns(self._table._replace(columns=found, header=line))  # a new section with its own header
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
        self._above.begin_deck()
        return True

    def _compare_totals(self, line: TextRow, cells: Sequence[str]) -> None:
        """Add a remark for each total of a row that the cards above contradict."""
        table_copies = sum(draft.copies for draft in self._drafts.values())
        totals = self._rows.find_totals(cells)
        for total in compare_table_totals(self._draft, totals, table_copies, self._source.catalogue):
            self._draft.note_wrong_total(line.at, line.raw, total)

    def _find_repeated_header(self, row_index: int, line: TextRow, cells: Sequence[str]) -> Columns | None:
        """Return the column roles of a row that is another header, with two or more known headings and no digit.

        None for any other row, and for the header of a table with a whole deck in each row. `row_index` is the index of
        the next row.
        """
        if _DIGIT.search(line.plain) or sum(map(headings.is_known, cells)) < 2:
            return None
        found = infer_headed_columns(cells, self._table.rows[row_index : row_index + SAMPLE_ROWS], self._source)
        return None if found and found.is_list else found

    def _switch_to_owner(self, cells: Sequence[str]) -> bool:
        """Switch to the draft of the row's player, or begin one. Return False if the player is not clear.

        A row without a name belongs to the player above, unless the table names players in each row. A heading above
        the rows of another player no longer applies if each player has headings of one's own.
        """
        owner = tuple(row(0, cells[at]).plain for at in self._table.columns.places(*WHO) if at < len(cells))
        if self._drafts and not self._rows.has_player(cells):
            return not self._rows.repeats_players
        if not self._drafts:
            self._drafts[owner] = self._draft
            self._draft.name = ", ".join(filter(None, owner))
        elif self._drafts.get(owner) is not self._draft:
            name = ", ".join(filter(None, owner))
            self._draft = self._drafts.setdefault(owner, Draft(self._draft.format, name=name))
            self._above.begin_player(self._rows.has_own_headings)
        return True

    def _add_row(self, line: TextRow, cells: Sequence[str]) -> None:
        """Add the card of a row, or the cards of several tables beside each other.

        A section over such a table has priority over a heading between the rows.
        """
        self._above.begin_card()
        if len(self._tables_beside) == 1:
            self._add_card(self._rows, self._above.heading, line, cells)
            return
        for table, rows in self._tables_beside:
            if any(rows.cell(cells, role) for role in (COUNT, NUMBER, CARD)):
                self._add_card(rows, table.group or self._above.heading, line, cells)

    def _add_card(self, rows: TableRows, heading: str | None, line: TextRow, cells: Sequence[str]) -> None:
        """Add the card of a row to the draft, once for each section with copies.

        `rows` is the parser for the columns of the card, and `heading` the section of the heading above. Add an unclear
        row to the unread lines. A row whose counts are all 0 is kept for a remark. A card without a count is one copy.
        """
        section_text = self._above.carry_down(row(0, rows.cell(cells, SECTION)).plain)
        cards = rows.read_cards(cells, section_text, heading)
        if isinstance(cards, RowDoubts):
            reason = NO_PART if cards.is_aside else cards.doubts[0].detail
            self._draft.skip(line.at, line.raw, reason, is_aside=cards.is_aside)
            return
        if not cards:
            self._zero_rows.append(line)
        for section, copies, number, name in cards:
            if copies is None:
                self._header_without_counts = self._header_without_counts or self._table.header
            self._draft.add(section, str(copies or 1), number, name, line.at, line.raw)
