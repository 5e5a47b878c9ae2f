"""Tables: cards in rows of CSV or TSV, with a header row in any common wording or none."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from validator.cards import Catalogue
from validator.deck import Deck
from validator.decklists import columns, headings, headlines, sections
from validator.decklists.columns import WHO, Columns
from validator.decklists.delimiter import hinted, split
from validator.decklists.draft import OF_A_ROW, OF_ANOTHER, Draft
from validator.decklists.format import Format, Write, known_number, name
from validator.decklists.formats import table_contents
from validator.decklists.formats.table_contents import A_COUNT, A_NUMBER
from validator.decklists.formulas import guarded, unguarded
from validator.decklists.headings import CARD, COUNT, NUMBER, SECTION, SIDE, TYPE
from validator.decklists.naming import named
from validator.decklists.placing import Misplaced, placed, placed_by_type
from validator.decklists.source import Source, TextRow, row
from validator.language import phrase

_DIGIT = re.compile(r"[0-9]")

_MOST_COLUMNS = 200
_SAMPLE = 50  # rows that tell what an ambiguous column holds
_MOST_ABOVE = 10  # lines above a header: a title, the player, the day
_PARTING = ",;|"
_TITLES = ("section", "count", "number", "name")

_BLANK = row(0, "")
_Rows = Sequence[tuple[TextRow, Sequence[str]]]  # lines, each with its cells


class _Table(NamedTuple):
    """Rows of cells, in which columns of them to find what, and what stands above the header."""

    columns: Columns
    rows: _Rows
    above: Sequence[TextRow] = ()

    def cell(self, cells: Sequence[str], role: str) -> TextRow:
        """Return the text of a row in the columns of a role, blank where there is none."""
        for at in self.columns.roles.get(role, ()):
            if at < len(cells) and cells[at]:
                return row(0, cells[at])
        return _BLANK

    def side_by_side(self) -> Sequence[_Table]:
        """Return the tables that stand beside each other, "Qty, Card, Qty, Card": mostly this one alone."""
        roles = self.columns.roles
        across = len(roles.get(COUNT, ()))
        if across < 2 or any(len(roles[role]) != across for role in (NUMBER, CARD) if role in roles):
            return [self]
        each = [
            {role: places[at : at + 1] if len(places) == across else places for role, places in roles.items()}
            for at in range(across)
        ]
        return [self._replace(columns=replace(self.columns, roles=roles)) for roles in each]


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
            if sum(map(headings.is_known, titles)) > 1:
                rows = [(below, _cells(below, delimiter)) for below in source.rows[at + 1 :]]
                found = _titled(titles, rows, source)
                if found and (not found.is_list or _has_decks(found, rows)):
                    return _Table(found, rows, source.rows[:at])
    return None


def _headless(source: Source, delimiters: str) -> _Table | None:
    """Return the table of a text whose every row has the same columns, told by what is in them."""
    for delimiter in delimiters:
        rows = _even(source, delimiter)
        if rows and (found := table_contents.columns([cells for _, cells in rows if len(cells) > 1], source)):
            return _Table(found, rows)
    return None


def _even(source: Source, delimiter: str) -> _Rows:
    """Return the rows with their cells, if every one but headings of sections has as many and more than one.

    A Leader's heading covers one card: where nothing is said to be the main deck, lines are read one by one.
    """
    rows: list[tuple[TextRow, Sequence[str]]] = []
    opened: set[str] = set()
    width = 0
    for line in source.rows:
        cells = _cells(line, delimiter)
        if len(cells) == 1 and (heading := headlines.heading(line.plain)):
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


def _titled(titles: Sequence[str], rows: _Rows, source: Source) -> Columns | None:
    """Return the columns of a header row over these rows; None where it is not one."""
    below = [cells for _, cells in rows[:_SAMPLE]]
    found = columns.columns(
        titles,
        lambda at: [cells[at] for cells in below if at < len(cells) and cells[at]],
        lambda name: source.catalogue is None or source.is_name(name),
    )
    if not found.is_list and not found.has(COUNT):
        table_contents.tell_counts(found, _whole(found, rows), source)
    return found if found.is_list or (found.has(NUMBER, CARD) and len(found.roles) > 1) else None


def _whole(found: Columns, rows: _Rows) -> Sequence[tuple[str, Sequence[str]]]:
    """Return the rows that have a cell in each column, each behind the card that it names."""
    table = _Table(found, rows)
    role = NUMBER if found.has(NUMBER) else CARD
    return [(table.cell(cells, role).plain, cells) for _, cells in rows if len(cells) == len(found.titles)]


def _has_decks(found: Columns, rows: _Rows) -> bool:
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
        self._owner: Sequence[str] | None = None

    def refused(self) -> Draft:
        """Return a table that has a whole deck in each row, as one that is not read."""
        for line, _ in self._table.rows:
            self._draft.skip(line.at, line.raw, OF_A_ROW)
        return self._draft

    def read(self) -> Draft:
        """Return the cards of the rows; of what stands above the header, headings count and all else is unread."""
        for line in self._table.above:
            if heading := headlines.heading(line.plain):
                self._under = heading.section
            elif not (hinted(line.raw) or headlines.is_comment(line.plain) or headlines.is_metadata(line.plain)):
                self._draft.skip(line.at, line.raw, phrase("this stands above the table"))
        for at, (line, cells) in enumerate(self._table.rows, 1):
            self._read_row(at, line, cells)
        return self._draft

    def _read_row(self, at: int, line: TextRow, cells: Sequence[str]) -> None:
        filled = [cell for cell in cells if cell]
        if len(filled) == 1 and (heading := headlines.heading(filled[0])):
            self._under = heading.section
        elif headlines.is_comment(line.plain) or self._is_fact(cells, filled):
            return
        elif found := self._repeated(at, line, cells):
            self._table = self._table._replace(columns=found)  # each section has a header of its own
        elif self._is_of_another(cells):
            self._draft.skip(line.at, line.raw, OF_ANOTHER)
        else:
            self._add_each(line, cells)

    def _is_fact(self, cells: Sequence[str], filled: Sequence[str]) -> bool:
        """Return True if a row has a fact about the list, such as "Total, 51". "Deck, 4, Nami" is a card."""
        copies = self._table.cell(cells, COUNT).plain
        card = self._table.cell(cells, CARD).plain
        if A_COUNT.fullmatch(copies) and card and not headlines.is_metadata(f"{card}: {copies}"):
            return False
        return headlines.is_metadata(": ".join(filled))

    def _repeated(self, at: int, line: TextRow, cells: Sequence[str]) -> Columns | None:
        """Return the columns of a row that is a header again, None for any other; `at` counts the rows from 1."""
        if _DIGIT.search(line.plain) or sum(map(headings.is_known, cells)) < 2:
            return None
        found = _titled(cells, self._table.rows[at : at + _SAMPLE], self._source)
        return None if found and found.is_list else found

    def _is_of_another(self, cells: Sequence[str]) -> bool:
        """Tell whether the row is of another player than the first."""
        owner = [row(0, cells[at]).plain for at in self._table.columns.places(*WHO) if at < len(cells)]
        self._owner = owner if self._owner is None else self._owner
        return owner != self._owner

    def _add_each(self, line: TextRow, cells: Sequence[str]) -> None:
        """Read a row, or what stands in it of each of several tables beside each other."""
        whole = self._table
        if len(each := whole.side_by_side()) == 1:
            self._add(line, cells)
            return
        for self._table in each:
            if any(self._table.cell(cells, role).plain for role in (COUNT, NUMBER, CARD)):
                self._add(line, cells)
        self._table = whole

    def _add(self, line: TextRow, cells: Sequence[str]) -> None:
        place = self._place(cells)
        copies = self._table.cell(cells, COUNT).plain or ("" if self._table.columns.has(COUNT) else "1")
        count = A_COUNT.fullmatch(copies)
        number, name = self._card(cells)
        if isinstance(place, Misplaced):
            reason = phrase("{cell!r} {wrong}", cell=self._table.cell(cells, place.role).plain, wrong=place.detail)
            self._draft.skip(line.at, line.raw, reason)
        elif count is None:
            self._draft.skip(line.at, line.raw, phrase("there is no count"))
        elif self._is_counted_twice(cells):
            self._draft.skip(line.at, line.raw, phrase("several columns may be the count, and they differ"))
        elif number is None and name is None:
            self._draft.skip(line.at, line.raw, phrase("there is no card"))
        else:
            self._draft.add(place, count[1], number, name, line.at, line.raw)

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
        card = named(written.shown, written.plain, self._source)
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
)
