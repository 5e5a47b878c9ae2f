"""Table finder: the table in a pasted text, with its rows, the roles of its columns, and its header if there is one.

Called by `table` and by `table_reader`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from validator.decklists import cardline, counts, headlines
from validator.decklists.delimiter import declared_delimiter, split_cells
from validator.decklists.formats import cards_by_section
from validator.decklists.formats.unparted_cells import Rows, aligned_rows, is_aligned, tokens
from validator.decklists.header import LOOKED_AT, TOP_ROWS, find_known_header
from validator.decklists.source import Source, TextRow, row
from validator.decklists.titled_columns import infer_titled_columns
from validator.tables import column_samples, column_scores, headings
from validator.tables.cell_kinds import NUMBER_CELL
from validator.tables.column_samples import IsCard
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, COUNT, NUMBER
from validator.tables.unnamed_players import add_players
from validator.tables.untitled_columns import infer_deck_columns, infer_player_columns, is_counted_card

_DIGIT = re.compile(r"[0-9]")
_MONEY = re.compile(r"[$€£¥]")
MOST_COLUMNS = 200
_ALIGNED_TOP_ROWS = 10  # in which aligned headings are looked for: each takes time for all lines
BLANK = row(0, "")
_NO_GROUPS: Mapping[int, str] = MappingProxyType({})


class Table(NamedTuple):
    """A table with its rows and the roles of its columns.

    `columns` are the roles. `rows` are the lines below the header, each as `(line, cells)`. `above` are the lines above
    the header. `header` is the line of the headings, blank without one. `groups` are the sections in a row above the
    header, by the first column of each, from 0: "Main,,Side,".
    """

    columns: Columns
    rows: Rows
    above: Sequence[TextRow] = ()
    header: TextRow = BLANK
    groups: Mapping[int, str] = _NO_GROUPS

    def side_by_side(self) -> Sequence[Table]:
        """Return the tables that are beside each other, one for each group of columns "Qty, Card".

        Nearly always only this one. There are several only if each section has equally many count columns, and as many
        columns of numbers and of names, if there are such columns.
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


def find_headed_table(source: Source, delimiters: str) -> Table | None:
    """Return the table below a header row among the first 40 lines. None if there is none.

    A row of sections over the headings, "Main,,Side,", is kept in `groups`. A table with a whole deck in each row needs
    two decks. Lines above the header are kept in `above`, without ruled lines.
    """
    for delimiter in delimiters:
        top = (split_row(line, delimiter) for line in source.rows[:TOP_ROWS] if delimiter in line.raw)
        if not any(column_samples.may_be_heading(cell) for cells in top for cell in cells[:MOST_COLUMNS]):
            continue
        split_rows = [(line, split_row(line, delimiter)) for line in source.rows]
        rows = _add_blank_cells(split_rows) if delimiter == "\t" else split_rows
        texts = [cells[:MOST_COLUMNS] for _, cells in rows[: TOP_ROWS + LOOKED_AT]]
        header = find_known_header(texts, _find_card_test(source), source, _has_cards)
        if header is None:
            continue
        columns, below = header.columns, rows[header.end :]
        if not columns.is_list or _has_decks(columns, below):
            _add_players(columns, below, source)
            above = [line for line in source.rows[: header.start] if not _is_ruled(line)]
            groups = cards_by_section.find_sections(split_row(above[-1], delimiter)) if above else _NO_GROUPS
            above = [_parse_title(line, split_row(line, delimiter)) or line for line in above]
            return Table(columns, below, above[:-1] if groups else above, source.rows[header.end - 1], groups)
    return None


def _is_ruled(line: TextRow) -> bool:
    """Return True if a row has no letter or digit, as the line under the headings of a Markdown table."""
    return not any(map(str.isalnum, line.raw))


def _may_be_titles(titles: Sequence[str], source: Source) -> bool:
    """Return True if at least two cells are known headings, and the row is not that of a card."""
    return sum(map(column_samples.may_be_heading, titles)) > 1 and not column_samples.is_card_row(
        titles, source.is_name
    )


def find_aligned_counts(source: Source) -> Table | None:
    """Return the table whose columns are aligned by blanks and count the copies of each card by section.

    None if there is none.
    """
    for at, line in enumerate(source.rows[:_ALIGNED_TOP_ROWS]):
        if is_aligned(line.raw) and _may_be_titles([token.text for token in tokens(line.raw, is_wide=False)], source):
            above = [(each, [each.shown]) for each in source.rows[:at]]
            if table := _find_counting_table([*above, *aligned_rows(source.rows, at, is_of_cards=False)], source):
                return table
    return None


def find_aligned_players(source: Source) -> Table | None:
    """Return the table of several players with columns that blanks align, with headings or without.

    It begins at the first of the first 10 lines with aligned texts. None if it has no column of players or, with known
    headings, no counts.
    """
    start = next((at for at, line in enumerate(source.rows[:_ALIGNED_TOP_ROWS]) if is_aligned(line.raw)), None)
    if start is None or "  " not in source.rows[start].raw:
        return None
    (header, titles), *rows = aligned_rows(source.rows, start, is_of_cards=False)
    above = source.rows[:start]
    if _may_be_titles(titles, source):
        columns = infer_headed_columns(titles, rows, source)
        return Table(columns, rows, above, header) if columns and columns.has(*WHO) and columns.has_counts else None
    if _has_card(titles, source):
        columns = _infer_players([(header, titles), *rows], source)
        return Table(columns, [(header, titles), *rows], above) if columns else None
    columns = _infer_players(rows, source)
    if columns is None or not _may_be_unknown_titles(header, titles, columns):
        return None
    return Table(columns, rows, above, header)


def _find_counting_table(rows: Rows, source: Source) -> Table | None:
    """Return the first table below headings that counts copies by section and has a column of cards.

    Its headings are among the first 40 rows. None if there is no such table.
    """
    for at, (line, titles) in enumerate(rows[:TOP_ROWS]):
        if len(titles) > 1 and _may_be_titles(titles, source):
            found = infer_headed_columns(titles, rows[at + 1 :], source)
            if found and found.counts and found.has(NUMBER, CARD):
                return Table(found, rows[at + 1 :], [each for each, _ in rows[:at]], line)
    return None


def find_table_of_players(source: Source, delimiters: str) -> Table | None:
    """Return the table of several players' cards that has no known headings. None if there is none.

    Its first card is among the first 40 rows. A row of unknown words directly above the first card becomes its header.
    """
    for delimiter in delimiters:
        start = find_first_card(source, delimiter, TOP_ROWS)
        if start is None:
            continue
        rows = [(line, split_row(line, delimiter)[:MOST_COLUMNS]) for line in source.rows]
        if columns := _infer_players(rows[start:], source):
            above = [line for line, _ in rows[:start]]
            has_headings = start > 0 and _may_be_unknown_titles(*rows[start - 1], columns)
            header = above.pop() if has_headings else BLANK
            return Table(columns, rows[start:], above, header)
    return None


def _may_be_unknown_titles(line: TextRow, cells: Sequence[str], columns: Columns) -> bool:
    """Return True if a row above cards can be headings: words above the counts and the cards, and no digit.

    `cells` are the row's cells, and `columns` the roles of the table below.
    """
    titled = [at for at in columns.places(COUNT, NUMBER, CARD)[:2] if at < len(cells) and cells[at]]
    return len(titled) > 1 and len(cells) > 1 and not _DIGIT.search(line.plain)


def _infer_players(rows: Rows, source: Source) -> Columns | None:
    """Return the column roles of several players' cards in rows without known headings, by the first 500 rows.

    None if there are no such columns.
    """
    roles = infer_player_columns([cells for _, cells in rows[:LOOKED_AT]], source)
    found = {role: [at] for role, at in roles.items()}
    return Columns((), found) if NUMBER in roles or CARD in roles else None


def find_first_card(source: Source, delimiter: str, most: int) -> int | None:
    """Return the index of the first row with two or more cells, one of which is a card. None if there is none.

    Only the first `most` rows are split and examined.
    """
    rows = (split_row(line, delimiter) for line in source.rows[:most])
    return next((at for at, cells in enumerate(rows) if _has_card(cells, source)), None)


def _has_card(cells: Sequence[str], source: Source) -> bool:
    """Return True if there are two or more cells, and one is a card: a card number or a known name.

    A count in the same cell is allowed.
    """
    return len(cells) > 1 and any(
        NUMBER_CELL.fullmatch(cell) or source.is_name(cell) or is_counted_card(cell, source) for cell in cells
    )


def find_headless_table(source: Source, delimiters: str) -> Table | None:
    """Return the table of a text with the same columns in each row, found by their contents. None if there is none.

    Each delimiter is tried in turn. The first row may be unknown headings, if the rows with it are no table. Such a row
    has no digit and no card, and has words above the counts and the cards. It needs a column of card numbers below or a
    catalogue.
    """
    for delimiter in delimiters:
        above, rows = _find_even_rows(source, delimiter)
        cards = [cells for _, cells in rows if len(cells) > 1 and not _is_aside(cells, source)]
        if columns := _find_card_columns(cards, source):
            return Table(columns, rows, above)
        if len(rows) <= 2 or _DIGIT.search(rows[0][0].plain) or _has_card(rows[0][1], source):
            continue
        below = cards[1:] if cards[:1] == [rows[0][1]] else cards
        columns = _find_card_columns(below, source)
        is_sure = columns is not None and (columns.has(NUMBER) or source.catalogue is not None)
        if columns is not None and is_sure and _may_be_unknown_titles(*rows[0], columns):
            return Table(columns, rows[1:], above, rows[0][0])
    return None


def _find_card_columns(cards: Sequence[Sequence[str]], source: Source) -> Columns | None:
    """Return the columns of one deck's cards in a table without headings. None if the rows are no cards.

    `cards` are the cells of the rows that have a card each. There must be exactly one possible column of counts, and a
    column of card numbers or of possible names of cards.
    """
    found = infer_deck_columns(cards, source) if cards else None
    if found and (found.has(NUMBER) or _are_names([cells[found.roles[CARD][0]] for cells in cards], source)):
        return found
    return None


def _are_names(cells: Sequence[str], source: Source) -> bool:
    """Return True if all cells can be names of cards: none has a price, or a count beside words.

    A name of the catalogue may have digits. An empty sequence returns True.
    """
    lines = (row(0, cell) for cell in cells)
    return not any(
        _MONEY.search(line.plain) or (counts.likeliest_count(line.plain).digits and not source.is_name(line.shown))
        for line in lines
    )


def _find_even_rows(source: Source, delimiter: str) -> tuple[Sequence[TextRow], Rows]:
    """Return `(above, rows)`: the lines of a text with their cells, if all rows of cards have equally many, 2 to 200.

    Both are empty otherwise. `above` are lines at the top that have no card, such as a title. Missing cells at the end
    of a row are added in a table with tabs. Headings of sections, totals, comments and facts may have fewer cells. A
    Leader's heading covers one card, so a text with such a heading needs one for the main deck. A second heading that
    begins a main deck makes the result empty, because the text has several decks.
    """
    above: list[TextRow] = []
    rows: list[tuple[TextRow, Sequence[str]]] = []
    opened: set[str] = set()
    width = 0
    for line in source.rows:
        cells = split_row(line, delimiter)
        title = _parse_title(line, cells)
        if title is not None and (heading := headlines.heading(title.plain)):
            if heading.opens and not heading.kind and heading.section in opened:
                return (), ()
            opened.add(heading.section)
        elif not rows and title and len(above) < TOP_ROWS and cardline.is_without_card(title, source):
            above.append(title)
            continue
        elif not 1 < len(cells) <= MOST_COLUMNS or (delimiter != "\t" and width not in (0, len(cells))):
            if not (rows and _is_aside(cells, source)):
                return (), ()
        elif not headlines.row_heading(cells, source.is_name):
            width = max(width, len(cells))
        rows.append((line, cells))
    if not width or ("leader" in opened and "main" not in opened):
        return (), ()
    return above, _add_blank_cells(rows)


def _parse_title(line: TextRow, cells: Sequence[str]) -> TextRow | None:
    """Return the only filled cell of a line as a line. None if several cells are filled, or none.

    Spreadsheet programs fill the line of a title up with blank cells: "Regional 2026;;;". A line "sep=;" is returned
    unchanged.
    """
    if len(cells) == 1 or declared_delimiter(line.raw):
        return line
    filled = [cell for cell in cells if cell]
    return row(line.at, filled[0]) if len(filled) == 1 else None


def _is_aside(cells: Sequence[str], source: Source) -> bool:
    """Return True if a row of a table is a heading of a section, a total, a comment or a single fact about the list."""
    if headlines.row_heading(cells, source.is_name) or headlines.states_total(cells):
        return True
    filled = [cell for cell in cells if cell]
    line = row(0, " ".join(filled)).plain
    return headlines.is_comment(line) or headlines.is_total(line) or (len(filled) == 1 and headlines.is_metadata(line))


def _add_blank_cells(rows: Rows) -> Rows:
    """Return the rows, `(line, cells)`, with blank cells added at the end, so that all have as many as the longest.

    Rows of one cell are unchanged.
    """
    width = max((len(cells) for _, cells in rows), default=0)
    return [(line, [*cells, *[""] * (width - len(cells))] if len(cells) > 1 else cells) for line, cells in rows]


def split_row(row: TextRow, delimiter: str) -> Sequence[str]:
    """Return the cells of one line without blanks around them. A line that is not well-formed CSV is one cell."""
    if delimiter not in row.raw:
        return [row.raw.strip()]
    return [cell.strip() for cell in split_cells(row.raw.lstrip(" \ufeff").rstrip(), delimiter)] or [row.raw]


def infer_headed_columns(titles: Sequence[str], rows: Rows, source: Source) -> Columns | None:
    """Return the column roles of a header row, confirmed by the rows below. None if the row is no header.

    Counts and players may also be found in columns without a known heading. A header needs a column of card numbers or
    names and another fact, or a column of whole decks.
    """
    below = [cells for _, cells in rows[:LOOKED_AT] if cells != titles]
    found = infer_titled_columns(titles, below, _find_card_test(source), source)
    _add_players(found, rows, source)
    return found if _has_cards(found) else None


def _add_players(columns: Columns, rows: Rows, source: Source) -> None:
    """Give the roles of players to columns that no heading names, by the rows below. Changes `columns`.

    Nothing changes for a table with a deck in each row.
    """
    if not columns.is_list:
        below = [cells for _, cells in rows[:LOOKED_AT] if cells != columns.titles]
        add_players(columns, [cells for cells in below if not headlines.states_total(cells)], source)


def _find_card_test(source: Source) -> IsCard:
    """Return the function that tests the name of a card. Without a catalogue any name may be one."""
    return column_scores.any_name if source.catalogue is None else source.is_name


def _has_cards(columns: Columns) -> bool:
    """Return True for columns of whole decks, or of cards with another fact, such as a count or a cost."""
    has_facts = len(columns.roles) > 1 or bool(columns.counts) or any(map(headings.is_fact, columns.titles))
    return columns.is_list or (columns.has(NUMBER, CARD) and has_facts)


def _has_decks(columns: Columns, rows: Rows) -> bool:
    """Return True if at least two rows below the headings have a cell in each column, and the headings are known.

    The columns are those of a table with one deck per row.
    """
    return columns.are_headings and sum(len(cells) >= len(columns.titles) for _, cells in rows) > 1
