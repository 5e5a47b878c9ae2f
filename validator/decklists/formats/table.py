"""Tables: cards in rows of CSV or TSV, with a header row in any common wording or without one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from validator import sections
from validator.cards import Catalogue
from validator.deck import Deck, Total, Unread
from validator.decklists import cardline, counts, headlines, several
from validator.decklists.card_cells import parse_card_cells, parse_counted_cell
from validator.decklists.cardline import CountedCard
from validator.decklists.delimiter import declared_delimiter, split_cells
from validator.decklists.draft import ABOVE_TABLE, COMMENTED, OF_A_ROW, OF_NOBODY, Draft, card_type
from validator.decklists.format import Format, Write, card_name_of_line, known_number
from validator.decklists.formats import cards_by_section, players_apart
from validator.decklists.formats.unparted_cells import Rows, aligned_rows, is_aligned, tokens
from validator.decklists.formulas import guard_formula
from validator.decklists.listing import Listing
from validator.decklists.placing import Misplaced, parse_section, placed_by_type
from validator.decklists.source import Source, TextRow, row
from validator.decklists.totals import CONTRADICTED
from validator.language import phrase
from validator.tables import column_samples, column_scores, columns, headings
from validator.tables.cell_kinds import has_card_number
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, COUNT, NUMBER, SECTION, SIDE, TYPE
from validator.tables.section_counts import (
    NO_COUNT,
    TWO_SECTIONS,
    Copies,
    choose_section,
    contradicts,
    counted_section,
    is_count,
    parse_copies,
    read_copies,
    zero_copies,
)
from validator.tables.unnamed_players import add_players, find_possible_player
from validator.tables.untitled_columns import (
    A_NUMBER,
    add_counts,
    infer_deck_columns,
    infer_player_columns,
    is_counted_card,
)

_DIGIT = re.compile(r"[0-9]")
_MONEY = re.compile(r"[$€£¥]")

_MOST_COLUMNS = 200
_SAMPLE = 50  # rows that decide the role of an ambiguous column
_MOST_ROWS_APART = 2_000  # of players side by side or under each other, which take time to tell apart
_MOST_ABOVE = 10  # lines above a header: a title, the player, the day
_CSV_DELIMITERS = ",;|"
_TITLES = ("section", "count", "number", "name")

_BLANK = row(0, "")
_NO_GROUPS: Mapping[int, str] = MappingProxyType({})


class _Table(NamedTuple):
    """The rows of a table with their cells, the roles of its columns, the lines above the header, and the header.

    `groups` are the sections in a row above the header, by the first column of each: "Main,,Side,".
    """

    columns: Columns
    rows: Rows
    above: Sequence[TextRow] = ()
    header: TextRow = _BLANK
    groups: Mapping[int, str] = _NO_GROUPS

    def cell(self, cells: Sequence[str], role: str) -> TextRow:
        """Return the first text of a row in the columns of a role. Blank if there is none."""
        for at in self.columns.roles.get(role, ()):
            if at < len(cells) and cells[at]:
                return row(0, cells[at])
        return _BLANK

    def side_by_side(self) -> Sequence[_Table]:
        """Return the tables that are beside each other, "Qty, Card, Qty, Card". Nearly always only this one."""
        roles = self.columns.roles
        if not self.columns.counts and len(roles.get(COUNT, ())) < 2:
            return [self]
        counts: dict[str, list[int]] = {}
        for at, section in self.columns.counts.items():
            counts.setdefault(section, []).append(at)
        across = len(roles.get(COUNT, next(iter(counts.values()), ())))
        of_cards = [roles[role] for role in (NUMBER, CARD) if role in roles]
        if across < 2 or any(len(places) != across for places in (*of_cards, *counts.values())):
            return [self]
        each = [
            replace(
                self.columns,
                roles={
                    role: places[at : at + 1] if len(places) == across else places for role, places in roles.items()
                },
                counts={places[at]: section for section, places in counts.items()},
            )
            for at in range(across)
        ]
        return [self._replace(columns=columns) for columns in each]

    @property
    def group(self) -> str | None:
        """The section above the columns of this table, None if there is none."""
        first = min(self.columns.places(*self.columns.roles))
        return next((section for at, section in reversed([*self.groups.items()]) if at <= first), None)

    def copies(self, cells: Sequence[str]) -> Copies | str:
        """Return the copies in a row by section, or the reason why they are not clear."""
        columns = self.columns
        written = self.cell(cells, COUNT).plain
        if columns.counts:
            total = written if columns.has(COUNT) else None
            return read_copies(columns.counts, lambda at: cells[at] if at < len(cells) else "", total)
        if not columns.has(COUNT):
            return [(None, 1)]
        count = parse_copies(written)
        return [(None, count)] if count or (count == 0 and _DIGIT.search(written)) else NO_COUNT


def _read_deck_table(delimiters: str, format: str, source: Source) -> Draft | None:
    """Return the draft of a table with one of these delimiters. None if the text is no such table."""
    table = _find_headed_table(source, delimiters)
    if table is None:
        delimiters = "".join(delimiter for delimiter in delimiters if not _is_in_names(delimiter, source))
        table = _find_table_of_players(source, delimiters)
    may_be_apart = table is None or not (table.columns.is_list or table.columns.counts or table.columns.has(*WHO))
    if may_be_apart and len(source.rows) <= _MOST_ROWS_APART:
        for delimiter in delimiters:
            if _find_first_card(source, delimiter, _SAMPLE) is not None:
                rows = [(line, _split_cells(line, delimiter)[:_MOST_COLUMNS]) for line in source.rows]
                read = partial(_read_part, delimiter, format)
                if draft := players_apart.read_players(rows, delimiter, source, read):
                    return draft
    table = table or _find_headless_table(source, delimiters)
    if table is None:
        return None
    reader = _Reader(table, source, format)
    return reader.refuse_all() if table.columns.is_list else _note_possible_player(reader.read(), table, source)


def _note_possible_player(draft: Draft, table: _Table, source: Source) -> Draft:
    """Return the draft of one deck. If a column without a heading may have players, the draft says so."""
    if not table.columns.titles and not table.columns.has(*WHO):
        cards = [(line, cells) for line, cells in table.rows if len(cells) > 1]
        if player := find_possible_player([cells for _, cells in cards], table.columns, source):
            draft.note_possible_player(cards[0][0].at, cards[0][0].raw, player)
    return draft


def _is_in_names(delimiter: str, source: Source) -> bool:
    """Return True if most of the first lines with a delimiter have it in a card's name: "Cell, Unstoppable x4"."""
    lines = [line for line in source.rows if delimiter in line.plain][:_SAMPLE]
    names = 0
    for line in lines if delimiter in _CSV_DELIMITERS and source.catalogue else ():
        cards = [] if has_card_number(line.plain) else cardline.parse_cards(line, source)
        name = cards[0].name or "" if isinstance(cards, list) and len(cards) == 1 else ""
        names += delimiter in name and source.is_name(name)
    return 2 * names > len(lines) > 0


def _read_part(delimiter: str, format: str, part: Source) -> Draft:
    """Return the draft of one player's part of a table."""
    table = _find_headed_table(part, delimiter) or _find_headless_table(part, delimiter)
    return Listing(part).draft(format) if table is None else _Reader(table, part, format).read()


def _find_headed_table(source: Source, delimiters: str) -> _Table | None:
    """Return the table below a header row among the first lines. None if there is none."""
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        for delimiter in delimiters:
            titles = _split_cells(line, delimiter)[:_MOST_COLUMNS] if delimiter in line.raw else []
            if _may_be_titles(titles, source):
                rows = [(below, _split_cells(below, delimiter)) for below in source.rows[at + 1 :]]
                if delimiter == "\t":
                    (_, titles), *rows = _add_blank_cells([(line, titles), *rows])
                below_titles = next((cells for below, cells in rows if not _is_ruled(below)), [])
                if cards_by_section.find_sections(titles) and _may_be_titles(below_titles, source):
                    continue  # "Main,,Side," is over the headings
                found = _infer_columns(titles, rows, source)
                if found and (not found.is_list or _has_decks(found, rows)):
                    above = [row for row in source.rows[:at] if not _is_ruled(row)]
                    groups = cards_by_section.find_sections(_split_cells(above[-1], delimiter)) if above else _NO_GROUPS
                    return _Table(found, rows, above[:-1] if groups else above, line, groups)
    return None


def _is_ruled(line: TextRow) -> bool:
    """Return True if a row is the line under the headings of a Markdown table."""
    return not any(map(str.isalnum, line.raw))


def _may_be_titles(titles: Sequence[str], source: Source) -> bool:
    """Return True if two cells are known headings, or headings of counts, and the row is not of a card."""
    return sum(map(_may_be_title, titles)) > 1 and not column_samples.is_card_row(titles, source.is_name)


def _may_be_title(title: str) -> bool:
    """Return True if a cell is a known heading, or a heading of a count, a cost or the like."""
    is_counted = counted_section(title) is not None or headings.says_count(headings.words(title))
    return headings.is_known(title) or ((is_counted or headings.is_fact(title)) and not _DIGIT.match(title))


def _read_grid(source: Source) -> Draft | None:
    """Return the draft of a table with columns aligned by blanks, or with a column for each section. None for others.

    Aligned columns may count the copies in each section, or have the cards of several players.
    """
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        if is_aligned(line.raw) and _may_be_titles([token.text for token in tokens(line.raw, is_wide=False)], source):
            above = [(each, [each.shown]) for each in source.rows[:at]]
            if table := _below_titles([*above, *aligned_rows(source.rows, at, is_of_cards=False)], source):
                return _Reader(table, source, "table").read()
    table = _find_aligned_players(source)
    return cards_by_section.read(source, "table") if table is None else _Reader(table, source, "table").read()


def _find_aligned_players(source: Source) -> _Table | None:
    """Return the table of several players with columns aligned by blanks, with headings or without. None for none."""
    start = next((at for at, line in enumerate(source.rows[:_MOST_ABOVE]) if is_aligned(line.raw)), None)
    if start is None or "  " not in source.rows[start].raw:
        return None
    (header, titles), *rows = aligned_rows(source.rows, start, is_of_cards=False)
    above = source.rows[:start]
    if _may_be_titles(titles, source):
        columns = _infer_columns(titles, rows, source)
        return _Table(columns, rows, above, header) if columns and columns.has(*WHO) and columns.has_counts else None
    if _has_card(titles, source):
        columns = _infer_players([(header, titles), *rows], source)
        return _Table(columns, [(header, titles), *rows], above) if columns else None
    columns = _infer_players(rows, source)
    if columns is None or not _may_be_unknown_titles(header, titles, columns):
        return None
    return _Table(columns, rows, above, header)


def _below_titles(rows: Rows, source: Source) -> _Table | None:
    """Return the table below the first headings of rows, if it counts copies by section. None if it does not."""
    for at, (line, titles) in enumerate(rows[:_MOST_ABOVE]):
        if len(titles) > 1 and _may_be_titles(titles, source):
            found = _infer_columns(titles, rows[at + 1 :], source)
            if found and found.counts and found.has(NUMBER, CARD):
                return _Table(found, rows[at + 1 :], [each for each, _ in rows[:at]], line)
    return None


def _find_table_of_players(source: Source, delimiters: str) -> _Table | None:
    """Return the table of several players' cards that has no known headings. None if there is none."""
    for delimiter in delimiters:
        start = _find_first_card(source, delimiter, _MOST_ABOVE)
        if start is None:
            continue
        rows = [(line, _split_cells(line, delimiter)[:_MOST_COLUMNS]) for line in source.rows]
        if columns := _infer_players(rows[start:], source):
            above = [line for line, _ in rows[:start]]
            has_headings = start > 0 and _may_be_unknown_titles(*rows[start - 1], columns)
            header = above.pop() if has_headings else _BLANK
            return _Table(columns, rows[start:], above, header)
    return None


def _may_be_unknown_titles(line: TextRow, cells: Sequence[str], columns: Columns) -> bool:
    """Return True if a row above cards can be headings: words above the counts and the cards, and no digit."""
    titled = [at for at in columns.places(COUNT, NUMBER, CARD)[:2] if at < len(cells) and cells[at]]
    return len(titled) > 1 and len(cells) > 1 and not _DIGIT.search(line.plain)


def _infer_players(rows: Rows, source: Source) -> Columns | None:
    """Return the columns of several players' cards in rows without known headings. None if there are none."""
    roles = infer_player_columns([cells for _, cells in rows], source)
    found = {role: [at] for role, at in roles.items()}
    return Columns((), found) if NUMBER in roles or CARD in roles else None


def _find_first_card(source: Source, delimiter: str, most: int) -> int | None:
    """Return the index of the first of some rows that has a card in one of several cells. None if there is none."""
    rows = (_split_cells(line, delimiter) for line in source.rows[:most])
    return next((at for at, cells in enumerate(rows) if _has_card(cells, source)), None)


def _has_card(cells: Sequence[str], source: Source) -> bool:
    """Return True if one of several cells is the number or the name of a card, with its count or without."""
    return len(cells) > 1 and any(
        A_NUMBER.fullmatch(cell) or source.is_name(cell) or is_counted_card(cell, source) for cell in cells
    )


def _find_headless_table(source: Source, delimiters: str) -> _Table | None:
    """Return the table of a text with the same columns in each row, found by their contents. None if there is none.

    The first row may have unknown headings: no card, no count, and other contents than the rows below.
    """
    for delimiter in delimiters:
        rows = _find_even_rows(source, delimiter)
        if table := _find_table_of_rows(rows, source):
            return table
        may_be_titled = len(rows) > 2 and not _DIGIT.search(rows[0][0].plain) and not _has_card(rows[0][1], source)
        table = _find_table_of_rows(rows[1:], source) if may_be_titled else None
        is_sure = table is not None and (table.columns.has(NUMBER) or source.catalogue is not None)
        if table is not None and is_sure and _may_be_unknown_titles(*rows[0], table.columns):
            return table._replace(header=rows[0][0])
    return None


def _find_table_of_rows(rows: Rows, source: Source) -> _Table | None:
    """Return the table of one deck that rows without headings are. None if they are none."""
    cards = [cells for _, cells in rows if len(cells) > 1 and not headlines.row_heading(cells, source.is_name)]
    found = infer_deck_columns(cards, source) if cards else None
    if found and (found.has(NUMBER) or _are_names([cells[found.roles[CARD][0]] for cells in cards], source)):
        return _Table(found, rows)
    return None


def _are_names(cells: Sequence[str], source: Source) -> bool:
    """Return True if the cells beside counts can be names of cards: without a count or a price of their own."""
    lines = (row(0, cell) for cell in cells)
    return not any(
        _MONEY.search(line.plain) or (counts.likeliest_count(line.plain).digits and not source.is_name(line.shown))
        for line in lines
    )


def _find_even_rows(source: Source, delimiter: str) -> Rows:
    """Return the rows with their cells, if all have the same number of cells. Empty otherwise.

    Blank cells behind the last tab of a row may be missing, as in a copy from a spreadsheet. They are added. Headings
    of sections may be single cells. A Leader's heading covers one card, so a text with such a heading needs one for the
    main deck. A text in which the main deck begins again has several decks, and is no table.
    """
    rows: list[tuple[TextRow, Sequence[str]]] = []
    opened: set[str] = set()
    width = 0
    for line in source.rows:
        cells = _split_cells(line, delimiter)
        if len(cells) == 1 and (heading := headlines.heading(line.plain)):
            if heading.opens and not heading.kind and heading.section in opened:
                return []
            opened.add(heading.section)
        elif not 1 < len(cells) <= _MOST_COLUMNS or (delimiter != "\t" and width not in (0, len(cells))):
            return []
        else:
            width = max(width, len(cells))
        rows.append((line, cells))
    if not width or ("leader" in opened and "main" not in opened):
        return []
    return _add_blank_cells(rows)


def _add_blank_cells(rows: Rows) -> Rows:
    """Return rows of several cells with blank cells added, so that all have as many as the longest."""
    width = max(len(cells) for _, cells in rows)
    return [(line, [*cells, *[""] * (width - len(cells))] if len(cells) > 1 else cells) for line, cells in rows]


def _split_cells(row: TextRow, delimiter: str) -> Sequence[str]:
    """Return the cells of one line. A quote that is never closed spoils only its own line."""
    if delimiter not in row.raw:
        return [row.raw.strip()]
    return [cell.strip() for cell in split_cells(row.raw.lstrip(" \ufeff").rstrip(), delimiter)] or [row.raw]


def _infer_columns(titles: Sequence[str], rows: Rows, source: Source) -> Columns | None:
    """Return the columns of a header row over these rows. None if the row is no header."""
    below = [cells for _, cells in rows[:_SAMPLE]]
    found = columns.infer_columns(
        titles,
        lambda at: [cells[at] for cells in below if at < len(cells) and cells[at]],
        column_scores.any_name if source.catalogue is None else source.is_name,
        can_infer_counts=False,  # `add_counts` compares them with what is printed on the cards
    )
    if not found.is_list and not found.has_counts:
        add_counts(found, _find_full_rows(found, rows), source)
    if not found.is_list:
        add_players(found, [cells for _, cells in rows], source)
    has_facts = len(found.roles) > 1 or bool(found.counts) or any(map(headings.is_fact, titles))
    return found if found.is_list or (found.has(NUMBER, CARD) and has_facts) else None


def _find_full_rows(columns: Columns, rows: Rows) -> Sequence[tuple[str, Sequence[str]]]:
    """Return the rows with a cell in each column, each as its card and its cells."""
    table = _Table(columns, rows)
    role = NUMBER if columns.has(NUMBER) else CARD
    return [(table.cell(cells, role).plain, cells) for _, cells in rows if len(cells) == len(columns.titles)]


def _has_decks(columns: Columns, rows: Rows) -> bool:
    """Return True if a table with one deck per row has more than one row below its headings."""
    return columns.are_headings and sum(len(cells) >= len(columns.titles) for _, cells in rows) > 1


class _Reader:
    """Reads a table row by row. Headings between rows, and a section named once, apply to the rows below."""

    def __init__(self, table: _Table, source: Source, format: str) -> None:
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
        """Return the draft of the rows. Above the header, headings open sections, and other lines are unread."""
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
        """Add the card of a row, or apply the row as a title, a heading, a total or a new header."""
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
        """Begin a new draft below "Deck 2". Return False if the title is not that of the next deck."""
        following = {str(self._decks + 1), chr(ord("A") + self._decks)}
        if not self._draft.cards or several.find_order(title) not in following:
            return False
        self._drafts.setdefault((), self._draft)
        self._draft = self._drafts[(title,)] = Draft(self._draft.format, name=title)
        self._decks += 1
        self._section, self._is_divided, self._heading_section = "", False, None
        return True

    def _read_comment(self, line: TextRow, filled: Sequence[str]) -> None:
        """Keep a row with a card behind a comment mark as unread and aside. Drop other comments."""
        has_number = len(filled) > 1 and any(map(has_card_number, filled))
        if has_number or cardline.commented_cards(row(line.at, " ".join(filled)), self._source):
            self._draft.skip(line.at, line.raw, COMMENTED, is_aside=True)

    def _is_fact(self, cells: Sequence[str], filled: Sequence[str]) -> bool:
        """Return True if a row is a fact about the list, such as "Total, 51". "Deck, 4, Nami" is a card."""
        copies = self._table.cell(cells, COUNT).plain
        card = self._table.cell(cells, CARD).plain
        if is_count(copies) and card and not headlines.is_metadata(f"{card}: {copies}"):
            return False
        return headlines.is_metadata(": ".join(filled))

    def _is_totals_row(self, cells: Sequence[str]) -> bool:
        """Return True if a row has the totals of the count columns, and no card with the name of a total."""
        columns = self._table.columns
        counted = [*columns.counts, *columns.places(COUNT)]
        others = [cell for at, cell in enumerate(cells) if at not in counted]
        return bool(counted) and headlines.is_totals_row(others) and not any(map(self._source.is_name, others))

    def _compare_totals(self, line: TextRow, cells: Sequence[str]) -> None:
        """Report each total that the rows above contradict. It may count the Leader or leave the Leader out."""
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
        """Return the columns of a row that is another header, None for any other row. `row_index` counts from 1."""
        if _DIGIT.search(line.plain) or sum(map(headings.is_known, cells)) < 2:
            return None
        found = _infer_columns(cells, self._table.rows[row_index : row_index + _SAMPLE], self._source)
        return None if found and found.is_list else found

    def _switch_to_owner(self, cells: Sequence[str]) -> bool:
        """Switch to the draft of the row's player. Return False if the player is not clear.

        A row without a name belongs to the player above, unless several rows of that player have the name.
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
        """Add the card of a row, or the cards of several tables beside each other."""
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
        """Add the card of a row, or keep the row as unread."""
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
        """Return the card of a row whose only cell for the card has its count too, "4 Nami". None for other rows."""
        written = [cell for role in (NUMBER, CARD) if (cell := self._table.cell(cells, role)).plain]
        card = parse_counted_cell(written[0].raw, self._source) if len(written) == 1 else None
        return card if card and card.is_counted else None

    def _is_counted_twice(self, cells: Sequence[str]) -> bool:
        """Return True if several count columns of a row differ."""
        columns = self._table.columns.roles.get(COUNT, ())
        return len({parse_copies(cells[at]) for at in columns if at < len(cells) and cells[at]}) > 1

    def _section_of_row(self, cells: Sequence[str]) -> str | Misplaced | None:
        """Return the section of a row's card: that of the row, of a row above, or of the card's type.

        None if there is none.
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
    """Return True if a row of several cells begins with the number of a card behind "#"."""
    return len(cells) > 1 and cells[0].startswith("#") and A_NUMBER.fullmatch(cells[0][1:]) is not None


def _make_table_writer(delimiter: str) -> Write:
    """Return a writer of tables with this delimiter."""

    def write(deck: Deck, catalogue: Catalogue | None) -> str:
        """Return the deck as a table with a row for each line."""
        file = io.StringIO()
        rows = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        rows.writerow(_TITLES)
        for section, line in deck.lines():
            rows.writerow(
                [
                    section,
                    line.count,
                    known_number(line, catalogue) or "",
                    guard_formula(card_name_of_line(line, catalogue)),
                ]
            )
        return file.getvalue()

    return write


FORMATS = (
    Format(
        "tsv",
        "table with tabs between its cells, as copied from a spreadsheet",
        read=lambda source: _read_deck_table("\t", "tsv", source),
        write=_make_table_writer("\t"),
        marks=frozenset("\t<"),
    ),
    Format(
        "csv",
        "table with commas, semicolons or bars between its cells: section, count, number, name",
        read=lambda source: _read_deck_table(_CSV_DELIMITERS, "csv", source),
        write=_make_table_writer(","),
        marks=frozenset(_CSV_DELIMITERS),
    ),
    Format(
        "table",
        "table with columns that blanks align or that have a section's cards each",
        read=_read_grid,
        marks=frozenset(("  ", "\u3000", "\t", "<", *_CSV_DELIMITERS)),
    ),
)
