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
from validator.decklists.cardline import CountedCard
from validator.decklists.delimiter import declared_delimiter, split_cells
from validator.decklists.draft import ABOVE_TABLE, COMMENTED, OF_A_ROW, OF_NOBODY, Draft, card_type
from validator.decklists.format import Format, Write, card_name_of_line, known_number
from validator.decklists.formats import cards_by_section, players_apart
from validator.decklists.formats.unparted_cells import Rows, aligned_rows, is_aligned, tokens
from validator.decklists.formulas import guard_formula, unguard_formula
from validator.decklists.listing import Listing
from validator.decklists.naming import parse_name
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
    """A table with its rows and the roles of its columns.

    `columns` are the roles. `rows` are the lines below the header with their cells. `above` are the lines above the
    header. `header` is the line of the headings, blank without one. `groups` are the sections in a row above the
    header, by the first column of each: "Main,,Side,".
    """

    columns: Columns
    rows: Rows
    above: Sequence[TextRow] = ()
    header: TextRow = _BLANK
    groups: Mapping[int, str] = _NO_GROUPS

    def cell(self, cells: Sequence[str], role: str) -> TextRow:
        """Return the first text that is not blank in a row's columns of a role, as a TextRow with the line number 0.

        A blank TextRow if there is none.
        """
        for at in self.columns.roles.get(role, ()):
            if at < len(cells) and cells[at]:
                return row(0, cells[at])
        return _BLANK

    def side_by_side(self) -> Sequence[_Table]:
        """Return the tables that are beside each other, one for each group of columns "Qty, Card".

        Nearly always only this one. Their number is that of the count columns, if each role of a card has as many.
        """
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
        """Return the copies in a row as pairs of section and count, or as a str the reason why they are not clear.

        The section is None if the column does not name one. A table without a count column has one copy per row.
        """
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
    """Return the draft of a table with one of these delimiters. None if the text is no such table.

    `format` is the name of the draft's format. A table of several players has one draft for each, in `others`. Each row
    is unread in a table with one deck per row.
    """
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
    """Return the draft of one deck. A remark is added to it if a column without a heading may have players.

    Tables with headings or with columns for players get no remark.
    """
    if not table.columns.titles and not table.columns.has(*WHO):
        cards = [(line, cells) for line, cells in table.rows if len(cells) > 1]
        if player := find_possible_player([cells for _, cells in cards], table.columns, source):
            draft.note_possible_player(cards[0][0].at, cards[0][0].raw, player)
    return draft


def _is_in_names(delimiter: str, source: Source) -> bool:
    """Return True if most of the first lines with a delimiter have it in a card's name: "Cell, Unstoppable x4".

    False without a catalogue, and for a tab.
    """
    lines = [line for line in source.rows if delimiter in line.plain][:_SAMPLE]
    names = 0
    for line in lines if delimiter in _CSV_DELIMITERS and source.catalogue else ():
        cards = [] if has_card_number(line.plain) else cardline.parse_cards(line, source)
        name = cards[0].name or "" if isinstance(cards, list) and len(cards) == 1 else ""
        names += delimiter in name and source.is_name(name)
    return 2 * names > len(lines) > 0


def _read_part(delimiter: str, format: str, part: Source) -> Draft:
    """Return the draft of one player's part of a table. A part that is no table is parsed as a list."""
    table = _find_headed_table(part, delimiter) or _find_headless_table(part, delimiter)
    return Listing(part).draft(format) if table is None else _Reader(table, part, format).read()


def _find_headed_table(source: Source, delimiters: str) -> _Table | None:
    """Return the table below a header row among the first 10 lines. None if there is none.

    A row of sections over the headings, "Main,,Side,", is kept in `groups`. A table with a whole deck in each row needs
    two decks. Lines above the header are kept in `above`, without ruled lines.
    """
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
    """Return True if a row has no letter or digit, as the line under the headings of a Markdown table."""
    return not any(map(str.isalnum, line.raw))


def _may_be_titles(titles: Sequence[str], source: Source) -> bool:
    """Return True if at least two cells are known headings, and the row is not that of a card."""
    return sum(map(_may_be_title, titles)) > 1 and not column_samples.is_card_row(titles, source.is_name)


def _may_be_title(title: str) -> bool:
    """Return True if a cell is a known heading, or a heading of a count, a cost or the like.

    A leading digit is no heading.
    """
    is_counted = counted_section(title) is not None or headings.says_count(headings.words(title))
    return headings.is_known(title) or ((is_counted or headings.is_fact(title)) and not _DIGIT.match(title))


def _read_grid(source: Source) -> Draft | None:
    """Return the draft of a table with columns that blanks align, or with a column for each section.

    None for other texts. Aligned columns are read if they count the copies in each section, or if they have the cards
    of several players.
    """
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        if is_aligned(line.raw) and _may_be_titles([token.text for token in tokens(line.raw, is_wide=False)], source):
            above = [(each, [each.shown]) for each in source.rows[:at]]
            if table := _below_titles([*above, *aligned_rows(source.rows, at, is_of_cards=False)], source):
                return _Reader(table, source, "table").read()
    table = _find_aligned_players(source)
    return cards_by_section.read(source, "table") if table is None else _Reader(table, source, "table").read()


def _find_aligned_players(source: Source) -> _Table | None:
    """Return the table of several players with columns that blanks align, with headings or without.

    None if there is none.
    """
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
    """Return the table below the first headings, if it counts copies by section and has a column of cards.

    Otherwise None.
    """
    for at, (line, titles) in enumerate(rows[:_MOST_ABOVE]):
        if len(titles) > 1 and _may_be_titles(titles, source):
            found = _infer_columns(titles, rows[at + 1 :], source)
            if found and found.counts and found.has(NUMBER, CARD):
                return _Table(found, rows[at + 1 :], [each for each, _ in rows[:at]], line)
    return None


def _find_table_of_players(source: Source, delimiters: str) -> _Table | None:
    """Return the table of several players' cards that has no known headings. None if there is none.

    A row of unknown words directly above the first card becomes its header.
    """
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
    """Return True if a row above cards can be headings: words above the counts and the cards, and no digit.

    `cells` are the row's cells, and `columns` the roles of the table below.
    """
    titled = [at for at in columns.places(COUNT, NUMBER, CARD)[:2] if at < len(cells) and cells[at]]
    return len(titled) > 1 and len(cells) > 1 and not _DIGIT.search(line.plain)


def _infer_players(rows: Rows, source: Source) -> Columns | None:
    """Return the column roles of several players' cards in rows without known headings.

    None if there are no such columns.
    """
    roles = infer_player_columns([cells for _, cells in rows], source)
    found = {role: [at] for role, at in roles.items()}
    return Columns((), found) if NUMBER in roles or CARD in roles else None


def _find_first_card(source: Source, delimiter: str, most: int) -> int | None:
    """Return the index of the first row with two or more cells, one of which is a card. None if there is none.

    Only the first `most` rows are split and examined.
    """
    rows = (_split_cells(line, delimiter) for line in source.rows[:most])
    return next((at for at, cells in enumerate(rows) if _has_card(cells, source)), None)


def _has_card(cells: Sequence[str], source: Source) -> bool:
    """Return True if there are two or more cells, and one is a card: a card number or a known name.

    A count in the same cell is allowed.
    """
    return len(cells) > 1 and any(
        A_NUMBER.fullmatch(cell) or source.is_name(cell) or is_counted_card(cell, source) for cell in cells
    )


def _find_headless_table(source: Source, delimiters: str) -> _Table | None:
    """Return the table of a text with the same columns in each row, found by their contents. None if there is none.

    Each delimiter is tried in turn. The first row may be unknown headings, if the rows with it are no table. Such a row
    has no digit and no card, and has words above the counts and the cards. It needs a column of card numbers below or a
    catalogue.
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
    """Return the table of one deck that these rows are, without headings. None if they are no table.

    There must be a column of card numbers, or a column whose cells can be names of cards.
    """
    cards = [cells for _, cells in rows if len(cells) > 1 and not _find_heading(list(filter(None, cells)), source)]
    found = infer_deck_columns(cards, source) if cards else None
    if found and (found.has(NUMBER) or _are_names([cells[found.roles[CARD][0]] for cells in cards], source)):
        return _Table(found, rows)
    return None


def _find_heading(filled: Sequence[str], source: Source) -> headlines.Heading | None:
    """Return the heading of a section in a row's filled cells: "Side Deck", or "Side Deck" and its total "15".

    None for other rows.
    """
    words = sorted(filled, key=str.isdigit)  # the total last
    if len(words) != 1 and not (len(words) == 2 and words[1].isdigit() and not source.is_name(words[0])):
        return None
    return headlines.heading(" ".join(words))


def _are_names(cells: Sequence[str], source: Source) -> bool:
    """Return True if all cells can be names of cards: none has a price, or a count beside words.

    A name of the catalogue may have digits. An empty sequence returns True.
    """
    lines = (row(0, cell) for cell in cells)
    return not any(
        _MONEY.search(line.plain) or (counts.likeliest_count(line.plain).digits and not source.is_name(line.shown))
        for line in lines
    )


def _find_even_rows(source: Source, delimiter: str) -> Rows:
    """Return the lines with their cells, if all have the same number of cells. Empty otherwise.

    Missing cells at the end of a row are added in a table with tabs. Headings of sections may be single cells. A
    Leader's heading covers one card, so a text with such a heading needs one for the main deck. A second heading that
    begins a main deck makes the result empty, because the text has several decks.
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
    """Return the rows with blank cells added, so that all have as many cells as the longest.

    Rows of one cell are unchanged.
    """
    width = max(len(cells) for _, cells in rows)
    return [(line, [*cells, *[""] * (width - len(cells))] if len(cells) > 1 else cells) for line, cells in rows]


def _split_cells(row: TextRow, delimiter: str) -> Sequence[str]:
    """Return the cells of one line without blanks around them. A line that is not well-formed CSV is one cell."""
    if delimiter not in row.raw:
        return [row.raw.strip()]
    return [cell.strip() for cell in split_cells(row.raw.lstrip(" \ufeff").rstrip(), delimiter)] or [row.raw]


def _infer_columns(titles: Sequence[str], rows: Rows, source: Source) -> Columns | None:
    """Return the column roles of a header row, confirmed by the rows below. None if the row is no header.

    Counts and players may also be found in columns without a known heading. A header needs a column of card numbers or
    names and another fact, or a column of whole decks.
    """
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
    """Return `(card, cells)` for each row with as many cells as the header.

    `card` is its number or, without such a column, name.
    """
    table = _Table(columns, rows)
    role = NUMBER if columns.has(NUMBER) else CARD
    return [(table.cell(cells, role).plain, cells) for _, cells in rows if len(cells) == len(columns.titles)]


def _has_decks(columns: Columns, rows: Rows) -> bool:
    """Return True if at least two rows below the headings have a cell in each column, and the headings are known.

    The columns are those of a table with one deck per row.
    """
    return columns.are_headings and sum(len(cells) >= len(columns.titles) for _, cells in rows) > 1


class _Reader:
    """Reads a table row by row into drafts, one for each player or deck.

    Headings between rows, and a section named once, apply to the rows below.
    """

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

    def refuse_all(self) -> Draft:
        """Return the draft of a table with a whole deck in each row. All rows are unread."""
        for line, _ in self._table.rows:
            self._draft.skip(line.at, line.raw, OF_A_ROW)
        return self._draft

    def read(self) -> Draft:
        """Return the draft of the first player or deck, with those of the others in `others`.

        Above the header, headings open sections, and a title such as "Deck 1" is the name. Other lines there are
        unread. A row with 0 copies, and a missing count column, are remarks in the first draft.
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
        """Add the card of a row to a draft, or apply the row as a title, a heading, a total or a new header.

        `row_index` counts the rows from 1. A row whose player is not clear becomes unread.
        """
        filled = [cell for cell in cells if cell]
        if len(filled) == 1 and self._begin_deck(filled[0]):
            return
        if heading := _find_heading(filled, self._source):
            self._heading_section = heading.section
        elif headlines.is_comment(line.plain):
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
        """Add a row to the unread lines if there are cards with counts behind its comment mark.

        The row is no part of the deck. `filled` are the cells that are not blank.
        """
        if cardline.commented_cards(row(line.at, " ".join(filled)), self._source):
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

        A total may count the Leader or leave the Leader out.
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
        """Return the column roles of a row that is another header. None for any other row.

        `row_index` is that of the next row.
        """
        if _DIGIT.search(line.plain) or sum(map(headings.is_known, cells)) < 2:
            return None
        found = _infer_columns(cells, self._table.rows[row_index : row_index + _SAMPLE], self._source)
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

        A section over such a table has priority.
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

        Add an unclear row to the unread lines. A row with 0 copies is kept for a remark. Without a count column, a card
        is one copy unless its cell has a count.
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
        found = cardline.parse_cards(written[0], self._source) if len(written) == 1 else ""
        return found[0] if isinstance(found, list) and len(found) == 1 and found[0].is_counted else None

    def _is_counted_twice(self, cells: Sequence[str]) -> bool:
        """Return True if a row has different counts in several columns of the role COUNT. Blank cells are ignored."""
        columns = self._table.columns.roles.get(COUNT, ())
        return len({parse_copies(cells[at]) for at in columns if at < len(cells) and cells[at]}) > 1

    def _section_of_row(self, cells: Sequence[str]) -> str | Misplaced | None:
        """Return the section of a row's card: that of the row, of a row or heading above, or of the card's type.

        None if there is none, and a Misplaced if a cell is not understood. A blank cell has the section above only if
        some row named "Main".
        """
        named, side = (self._table.cell(cells, role).plain for role in (SECTION, SIDE))
        self._section = named or self._section
        self._is_divided = self._is_divided or sections.section(named) == "main"
        place = parse_section(self._section if self._is_divided else named, side)
        return place or self._heading_section or placed_by_type(self._table.cell(cells, TYPE).plain)

    def _card_of_row(self, cells: Sequence[str]) -> tuple[str | None, str | None]:
        """Return `(number, name)` of a row's card, None for each that is missing.

        If the cell for the number has no card number, the cell for the name is parsed for both. If only the cell for
        the number is filled, it may be the name. Apostrophes before formulas are removed.
        """
        number = self._table.cell(cells, NUMBER).plain
        written = self._table.cell(cells, CARD)
        if found := A_NUMBER.fullmatch(number):
            return found[1], unguard_formula(written.shown) or None
        if not written.plain and self._source.is_name(number):
            return None, number
        if not written.plain or self._source.is_number(number):
            return number or None, unguard_formula(written.shown) or None
        card = parse_name(written.shown, written.plain, self._source)
        return card.number, unguard_formula(card.name or "") or None


def _make_table_writer(delimiter: str) -> Write:
    """Return a function that writes a deck as a table with this delimiter and a header row."""

    def write(deck: Deck, catalogue: Catalogue | None) -> str:
        """Return the deck as a table with the columns section, count, number and name, and a row for each line.

        A number or name that is not known is blank. A name that a spreadsheet program would run as a formula is
        guarded.
        """
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
