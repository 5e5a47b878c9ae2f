"""Tables: cards in rows of CSV or TSV, with a header row in any common wording or none."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from validator.cards import Catalogue
from validator.deck import Deck, Total, Unread
from validator.decklists import cardline, headlines, sections, several
from validator.decklists.cardline import CountedCard
from validator.decklists.delimiter import hinted, split
from validator.decklists.draft import COMMENTED, OF_A_ROW, OF_NOBODY, Draft, card_type
from validator.decklists.format import Format, Write, known_number, name
from validator.decklists.formats import cards_by_section
from validator.decklists.formats.unparted_cells import Rows, aligned_rows, is_aligned, tokens
from validator.decklists.formulas import guarded, unguarded
from validator.decklists.naming import parse_name
from validator.decklists.placing import Misplaced, placed, placed_by_type
from validator.decklists.section_counts import (
    NO_COUNT,
    TWO_SECTIONS,
    Copies,
    choose_section,
    contradicts,
    counted_section,
    is_totals_row,
    parse_copies,
    read_copies,
    zero_copies,
)
from validator.decklists.source import Source, TextRow, row
from validator.decklists.totals import CONTRADICTED
from validator.language import phrase
from validator.tables import column_scores, columns, headings
from validator.tables.columns import WHO, Columns
from validator.tables.headings import CARD, COUNT, NUMBER, SECTION, SIDE, TYPE
from validator.tables.untitled_columns import A_COUNT, A_NUMBER, add_counts, infer_deck_columns

_DIGIT = re.compile(r"[0-9]")

_MOST_COLUMNS = 200
_SAMPLE = 50  # rows that tell what an ambiguous column holds
_MOST_ABOVE = 10  # lines above a header: a title, the player, the day
_PARTING = ",;|"
_TITLES = ("section", "count", "number", "name")

_BLANK = row(0, "")
_NO_GROUPS: Mapping[int, str] = MappingProxyType({})


class _Table(NamedTuple):
    """Rows of cells, in which columns of them to find what, what stands above the header, and the header.

    `groups` are the sections that a row above the header names, by the first column of each: "Main,,Side,".
    """

    columns: Columns
    rows: Rows
    above: Sequence[TextRow] = ()
    header: TextRow = _BLANK
    groups: Mapping[int, str] = _NO_GROUPS

    def cell(self, cells: Sequence[str], role: str) -> TextRow:
        """Return the text of a row in the columns of a role, blank where there is none."""
        for at in self.columns.roles.get(role, ()):
            if at < len(cells) and cells[at]:
                return row(0, cells[at])
        return _BLANK

    def side_by_side(self) -> Sequence[_Table]:
        """Return the tables that stand beside each other, "Qty, Card, Qty, Card": mostly this one alone."""
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
        """The section that is named above the columns of this table, None if there is none."""
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


def _read(delimiters: str, format: str, source: Source) -> Draft | None:
    table = _headed(source, delimiters) or _headless(source, delimiters)
    if table is None:
        return None
    reader = _Reader(table, source, format)
    return reader.refused() if table.columns.is_list else reader.read()


def _headed(source: Source, delimiters: str) -> _Table | None:
    """Return the table below a header row, which stands first or below a few lines."""
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        for delimiter in delimiters:
            titles = _cells(line, delimiter)[:_MOST_COLUMNS] if delimiter in line.raw else []
            if _may_be_titles(titles):
                rows = [(below, _cells(below, delimiter)) for below in source.rows[at + 1 :]]
                below_titles = next((cells for below, cells in rows if not _is_ruled(below)), [])
                if cards_by_section.find_sections(titles) and _may_be_titles(below_titles):
                    continue  # "Main,,Side," is over the headings
                found = _titled(titles, rows, source)
                if found and (not found.is_list or _has_decks(found, rows)):
                    above = [row for row in source.rows[:at] if not _is_ruled(row)]
                    groups = cards_by_section.find_sections(_cells(above[-1], delimiter)) if above else _NO_GROUPS
                    return _Table(found, rows, above[:-1] if groups else above, line, groups)
    return None


def _is_ruled(line: TextRow) -> bool:
    """Return True if a row is the line under the headings of a Markdown table."""
    return not any(map(str.isalnum, line.raw))


def _may_be_titles(titles: Sequence[str]) -> bool:
    """Return True if two cells are known headings, or headings of counts."""
    return sum(map(_may_be_title, titles)) > 1


def _may_be_title(title: str) -> bool:
    is_counted = counted_section(title) is not None or headings.says_count(headings.words(title))
    return headings.is_known(title) or (is_counted and not _DIGIT.match(title))


def _read_grid(source: Source) -> Draft | None:
    """Read a table with counts of sections in columns that blanks align, or a column of cards a section."""
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        if is_aligned(line.raw) and _may_be_titles([token.text for token in tokens(line.raw, is_wide=False)]):
            above = [(each, [each.shown]) for each in source.rows[:at]]
            if table := _below_titles([*above, *aligned_rows(source.rows, at, is_of_cards=False)], source):
                return _Reader(table, source, "table").read()
    return cards_by_section.read(source, "table")


def _below_titles(rows: Rows, source: Source) -> _Table | None:
    """Return the table below the first headings of rows, if it counts copies by section. None if it does not."""
    for at, (line, titles) in enumerate(rows[:_MOST_ABOVE]):
        if len(titles) > 1 and _may_be_titles(titles):
            found = _titled(titles, rows[at + 1 :], source)
            if found and found.counts and found.has(NUMBER, CARD):
                return _Table(found, rows[at + 1 :], [each for each, _ in rows[:at]], line)
    return None


def _headless(source: Source, delimiters: str) -> _Table | None:
    """Return the table of a text whose every row has the same columns, told by what is in them."""
    for delimiter in delimiters:
        rows = _even(source, delimiter)
        if rows and (found := infer_deck_columns([cells for _, cells in rows if len(cells) > 1], source)):
            return _Table(found, rows)
    return None


def _even(source: Source, delimiter: str) -> Rows:
    """Return the rows with their cells, if every one but headings of sections has as many and more than one.

    A Leader's heading covers one card: where nothing is said to be the main deck, lines are read one by one. So they
    are if the main deck begins again, as in a text of several decks.
    """
    rows: list[tuple[TextRow, Sequence[str]]] = []
    opened: set[str] = set()
    width = 0
    for line in source.rows:
        cells = _cells(line, delimiter)
        if len(cells) == 1 and (heading := headlines.heading(line.plain)):
            if heading.opens and not heading.kind and heading.section in opened:
                return []
            opened.add(heading.section)
        elif not 1 < len(cells) <= _MOST_COLUMNS or width not in (0, len(cells)):
            return []
        else:
            width = len(cells)
        rows.append((line, cells))
    return [] if not width or ("leader" in opened and "main" not in opened) else rows


def _cells(row: TextRow, delimiter: str) -> Sequence[str]:
    """Split one line. A quote that is never closed spoils its own line and swallows no other."""
    if delimiter not in row.raw:
        return [row.raw.strip()]
    return [cell.strip() for cell in split(row.raw.lstrip(" \ufeff").rstrip(), delimiter)] or [row.raw]


def _titled(titles: Sequence[str], rows: Rows, source: Source) -> Columns | None:
    """Return the columns of a header row over these rows; None where it is not one."""
    below = [cells for _, cells in rows[:_SAMPLE]]
    found = columns.infer_columns(
        titles,
        lambda at: [cells[at] for cells in below if at < len(cells) and cells[at]],
        column_scores.any_name if source.catalogue is None else source.is_name,
        can_infer_counts=False,  # `add_counts` compares them with what is printed on the cards
    )
    if not found.is_list and not found.has_counts:
        add_counts(found, _whole(found, rows), source)
    is_of_cards = found.has(NUMBER, CARD) and (len(found.roles) > 1 or bool(found.counts))
    return found if found.is_list or is_of_cards else None


def _whole(found: Columns, rows: Rows) -> Sequence[tuple[str, Sequence[str]]]:
    """Return the rows that have a cell in each column, each behind the card that it names."""
    table = _Table(found, rows)
    role = NUMBER if found.has(NUMBER) else CARD
    return [(table.cell(cells, role).plain, cells) for _, cells in rows if len(cells) == len(found.titles)]


def _has_decks(found: Columns, rows: Rows) -> bool:
    """Tell whether below the headings of a table with a row for each deck there are several rows."""
    return found.are_headings and sum(len(cells) >= len(found.titles) for _, cells in rows) > 1


class _Reader:
    """Reads a table row by row: headings between the rows, and a section that is said once, hold for those below."""

    def __init__(self, table: _Table, source: Source, format: str) -> None:
        self._draft = Draft(format)
        self._table = table
        self._source = source
        self._under: str | None = None
        self._section = ""  # the last that a row named
        self._is_divided = False  # "Main" stood once above its cards, so that blanks below mean the same
        self._uncounted: list[TextRow] = []  # rows that say 0 copies
        self._countless: TextRow | None = None  # the headings of the first cards without a count column
        self._drafts: dict[Sequence[str], Draft] = {}  # by whose they are
        self._decks = 1  # those that titles begin
        self._named = 0  # rows in turn that have the name of whose draft this is

    def refused(self) -> Draft:
        """Return a table that has a whole deck in each row, as one that is not read."""
        for line, _ in self._table.rows:
            self._draft.skip(line.at, line.raw, OF_A_ROW)
        return self._draft

    def read(self) -> Draft:
        """Return the cards of the rows; of what stands above the header, headings count and all else is unread."""
        for line in self._table.above:
            self._draft.name = self._draft.name or (line.shown if several.find_order(line.plain) else "")
            if heading := headlines.heading(line.plain):
                self._under = heading.section
            elif not (hinted(line.raw) or headlines.is_comment(line.plain) or headlines.is_metadata(line.plain)):
                self._draft.skip(line.at, line.raw, phrase("this stands above the table"))
        for at, (line, cells) in enumerate(self._table.rows, 1):
            self._read_row(at, line, cells)
        first, *others = self._drafts.values() or [self._draft]
        first.others += others
        if self._uncounted:
            zero = self._uncounted[0]
            first.skip(zero.at, zero.raw, zero_copies(len(self._uncounted)), aside=True)
        if self._countless is not None:
            first.note_no_counts(self._countless.at, self._countless.raw)
        return first

    def _read_row(self, at: int, line: TextRow, cells: Sequence[str]) -> None:
        filled = [cell for cell in cells if cell]
        if len(filled) == 1 and self._begin_deck(filled[0]):
            return
        if len(filled) == 1 and (heading := headlines.heading(filled[0])):
            self._under = heading.section
        elif headlines.is_comment(line.plain):
            self._read_comment(line, filled)
        elif self._is_of_totals(cells):
            self._compare_totals(line, cells)
        elif self._is_fact(cells, filled):
            return
        elif found := self._repeated(at, line, cells):
            self._table = self._table._replace(columns=found, header=line)  # each section has a header of its own
        elif self._turn_to_owner(cells):
            self._add_each(line, cells)
        else:
            self._draft.skip(line.at, line.raw, OF_NOBODY)

    def _begin_deck(self, title: str) -> bool:
        """Go on with a draft of its own below "Deck 2"; return False if the title is not that of the next deck."""
        following = {str(self._decks + 1), chr(ord("A") + self._decks)}
        if not self._draft.cards or several.find_order(title) not in following:
            return False
        self._drafts.setdefault((), self._draft)
        self._draft = self._drafts[(title,)] = Draft(self._draft.format, name=title)
        self._decks += 1
        self._section, self._is_divided, self._under = "", False, None
        return True

    def _read_comment(self, line: TextRow, filled: Sequence[str]) -> None:
        """Keep a card behind a comment mark as one that the table leaves aside."""
        if cardline.commented_cards(row(line.at, " ".join(filled)), self._source):
            self._draft.skip(line.at, line.raw, COMMENTED, aside=True)

    def _is_fact(self, cells: Sequence[str], filled: Sequence[str]) -> bool:
        """Return True if a row has a fact about the list, such as "Total, 51". "Deck, 4, Nami" is a card."""
        copies = self._table.cell(cells, COUNT).plain
        card = self._table.cell(cells, CARD).plain
        if A_COUNT.fullmatch(copies) and card and not headlines.is_metadata(f"{card}: {copies}"):
            return False
        return headlines.is_metadata(": ".join(filled))

    def _is_of_totals(self, cells: Sequence[str]) -> bool:
        """Return True if a row is of the totals of the count columns, and of no card that is called so."""
        columns = self._table.columns
        counted = [*columns.counts, *columns.places(COUNT)]
        others = [cell for at, cell in enumerate(cells) if at not in counted]
        return bool(counted) and is_totals_row(others) and not any(map(self._source.is_name, others))

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

    def _repeated(self, at: int, line: TextRow, cells: Sequence[str]) -> Columns | None:
        """Return the columns of a row that is a header again, None for any other; `at` counts the rows from 1."""
        if _DIGIT.search(line.plain) or sum(map(headings.is_known, cells)) < 2:
            return None
        found = _titled(cells, self._table.rows[at : at + _SAMPLE], self._source)
        return None if found and found.is_list else found

    def _turn_to_owner(self, cells: Sequence[str]) -> bool:
        """Go on with the draft of the player whose row this is; return False if the row does not tell whose it is.

        A row without a name is of the player above it, if only that player's first row has the name.
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

    def _add_each(self, line: TextRow, cells: Sequence[str]) -> None:
        """Read a row, or what stands in it of each of several tables beside each other."""
        whole = self._table
        if len(each := whole.side_by_side()) == 1:
            self._add(line, cells)
            return
        under = self._under
        for self._table in each:
            if any(self._table.cell(cells, role).plain for role in (COUNT, NUMBER, CARD)):
                self._under = self._table.group or under
                self._add(line, cells)
        self._table, self._under = whole, under

    def _add(self, line: TextRow, cells: Sequence[str]) -> None:
        place = self._place(cells)
        copies = self._table.copies(cells)
        number, name = self._card(cells)
        if isinstance(place, Misplaced):
            reason = phrase("{cell!r} {wrong}", cell=self._table.cell(cells, place.role).plain, wrong=place.detail)
            self._draft.skip(line.at, line.raw, reason)
        elif isinstance(copies, str):
            self._draft.skip(line.at, line.raw, copies)
        elif self._is_counted_twice(cells):
            self._draft.skip(line.at, line.raw, phrase("several columns may be the count, and they differ"))
        elif copies and not (number or name):
            self._draft.skip(line.at, line.raw, phrase("there is no card"))
        elif place == "side" and any(contradicts(section, place) for section, _ in copies):
            self._draft.skip(line.at, line.raw, TWO_SECTIONS)
        elif not copies:
            self._uncounted.append(line)
        elif not self._table.columns.has_counts and (card := self._counted_in_cell(cells)):
            self._draft.add(place, card.digits, card.number, card.name, line.at, line.raw)
        else:
            if not self._table.columns.has_counts:
                self._countless = self._countless or self._table.header
            for section, count in copies:
                self._draft.add(choose_section(section, place), str(count), number, name, line.at, line.raw)

    def _counted_in_cell(self, cells: Sequence[str]) -> CountedCard | None:
        """Return the card of a row whose only cell for the card has its count too, "4 Nami". None for other rows."""
        written = [cell for role in (NUMBER, CARD) if (cell := self._table.cell(cells, role)).plain]
        found = cardline.read(written[0], self._source) if len(written) == 1 else ""
        return found[0] if isinstance(found, list) and len(found) == 1 and found[0].is_counted else None

    def _is_counted_twice(self, cells: Sequence[str]) -> bool:
        """Tell whether columns that say how many say it differently."""
        columns = self._table.columns.roles.get(COUNT, ())
        said = (cells[at] for at in columns if at < len(cells) and cells[at])
        return len({found[1] if (found := A_COUNT.fullmatch(cell)) else cell for cell in said}) > 1

    def _place(self, cells: Sequence[str]) -> str | Misplaced | None:
        """Return the section of a row's card: named by the row or one above it, or told by its type."""
        named, side = (self._table.cell(cells, role).plain for role in (SECTION, SIDE))
        self._section = named or self._section
        self._is_divided = self._is_divided or sections.section(named) == "main"
        place = placed(self._section if self._is_divided else named, side)
        return place or self._under or placed_by_type(self._table.cell(cells, TYPE).plain)

    def _card(self, cells: Sequence[str]) -> tuple[str | None, str | None]:
        """Return the number and the name of a row's card."""
        number = self._table.cell(cells, NUMBER).plain
        written = self._table.cell(cells, CARD)
        if found := A_NUMBER.fullmatch(number):
            return found[1], unguarded(written.shown) or None
        if not written.plain or self._source.is_number(number):
            return number or None, unguarded(written.shown) or None
        card = parse_name(written.shown, written.plain, self._source)
        return card.number, unguarded(card.name or "") or None


def _writer(delimiter: str) -> Write:
    def write(deck: Deck, catalogue: Catalogue | None) -> str:
        file = io.StringIO()
        rows = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        rows.writerow(_TITLES)
        for section, line in deck.lines():
            rows.writerow([section, line.count, known_number(line, catalogue) or "", guarded(name(line, catalogue))])
        return file.getvalue()

    return write


FORMATS = (
    Format(
        "tsv",
        "table with tabs between its cells, as copied from a spreadsheet",
        read=lambda source: _read("\t", "tsv", source),
        write=_writer("\t"),
        marks=frozenset("\t<"),
    ),
    Format(
        "csv",
        "table with commas, semicolons or bars between its cells: section, count, number, name",
        read=lambda source: _read(_PARTING, "csv", source),
        write=_writer(","),
        marks=frozenset(_PARTING),
    ),
    Format(
        "table",
        "table with columns that blanks align or that have a section's cards each",
        read=_read_grid,
        marks=frozenset(("  ", "\u3000", "\t", "<", *_PARTING)),
    ),
)
