"""Tables: cards in rows of CSV or TSV, with a header row in any common wording or none."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from validator.cards import Catalogue
from validator.deck import Deck
from validator.decklists import columns
from validator.decklists import counts
from validator.decklists import headings
from validator.decklists.columns import Columns
from validator.decklists.delimiter import hinted
from validator.decklists.delimiter import split
from validator.decklists.format import Format
from validator.decklists.format import Write
from validator.decklists.format import name
from validator.decklists.formulas import guarded
from validator.decklists.formulas import unguarded
from validator.decklists.naming import named
from validator.decklists.placing import Misplaced
from validator.decklists.placing import placed
from validator.decklists.placing import placed_by_type
from validator.decklists.reading import OF_A_ROW
from validator.decklists.reading import OF_ANOTHER
from validator.decklists.reading import Reading
from validator.decklists.source import Row
from validator.decklists.source import Source
from validator.decklists.source import row
from validator.numbers import SHAPE

_COUNT = re.compile(r"x?\s*([0-9]+)(?:\.0+)?\s*x?", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(rf"({SHAPE})(?:#[A-Z0-9]*)?", re.IGNORECASE | re.ASCII)

_DIGIT = re.compile(r"[0-9]")
_MONEY = re.compile(r"[$€£¥]")

_MOST_COLUMNS = 200
_SAMPLE = 50  # rows that tell what an ambiguous column holds
_MOST_ABOVE = 10  # lines above a header: a title, the player, the day
_TITLES = ("section", "count", "number", "name")


class _Table(NamedTuple):
    """Rows of cells, in which columns of them to find what, and what stands above the header."""

    columns: Columns
    rows: Sequence[tuple[Row, Sequence[str]]]
    above: Sequence[Row] = ()

    def cell(self, cells: Sequence[str], role: str) -> Row:
        """Return the text of a row in the columns of a role, blank where there is none."""
        return row(0, next((cells[at] for at in self.columns.places(role) if at < len(cells) and cells[at]), ""))

    def owner(self, cells: Sequence[str]) -> Sequence[str]:
        """Return what the row says of the player whose card it is."""
        return [row(0, cells[at]).plain for at in self.columns.places(*columns.WHO) if at < len(cells)]


def _read(delimiters: str, format: str, source: Source) -> Reading | None:
    table = _headed(source, delimiters) or _headless(source, delimiters)
    if table is None:
        return None
    reading = Reading(format)
    return _refused(table, reading) if table.columns.is_list else _reading(table, source, reading)


def _refused(table: _Table, reading: Reading) -> Reading:
    for line, _ in table.rows:
        reading.skip(line.at, line.raw, OF_A_ROW)
    return reading


def _headed(source: Source, delimiters: str) -> _Table | None:
    """Return the table below a header row, which stands first or below a few lines."""
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        for delimiter in delimiters:
            titles = _cells(line, delimiter)[:_MOST_COLUMNS] if delimiter in line.raw else []
            if sum(map(columns.is_known, titles)) > 1:
                rows = [(below, _cells(below, delimiter)) for below in source.rows[at + 1 :]]
                found = _titled(titles, rows, source)
                if found and (not found.is_list or _has_decks(found, rows)):
                    return _Table(found, rows, source.rows[:at])
    return None


def _headless(source: Source, delimiters: str) -> _Table | None:
    """Return the table of a text whose every row has the same columns, told by what is in them."""
    for delimiter in delimiters:
        rows = _even(source, delimiter)
        if rows and (found := _guessed([cells for _, cells in rows], source)):
            return _Table(found, rows)
    return None


def _even(source: Source, delimiter: str) -> list[tuple[Row, Sequence[str]]]:
    """Return the rows with their cells, if every row has as many and more than one."""
    rows: list[tuple[Row, Sequence[str]]] = []
    for line in source.rows:
        cells = _cells(line, delimiter)
        if not 1 < len(cells) <= _MOST_COLUMNS or (rows and len(cells) != len(rows[0][1])):
            return []
        rows.append((line, cells))
    return rows


def _cells(row: Row, delimiter: str) -> Sequence[str]:
    """Split one line. A quote that is never closed spoils its own line and swallows no other."""
    if delimiter not in row.raw:
        return [row.raw.strip()]
    return [cell.strip() for cell in split(row.raw.lstrip(" \ufeff").rstrip(), delimiter)] or [row.raw]


def _titled(titles: Sequence[str], rows: Sequence[tuple[Row, Sequence[str]]], source: Source) -> Columns | None:
    """Return the columns of a header row over these rows; None where it is not one."""
    if sum(map(columns.is_known, titles)) < 2:
        return None
    below = [cells for _, cells in rows[:_SAMPLE]]
    found = columns.columns(
        titles,
        lambda at: [cells[at] for cells in below if at < len(cells) and cells[at]],
        lambda name: source.catalogue is None or source.is_name(name),
    )
    return found if found.is_list or (found.has(columns.NUMBER, columns.CARD) and len(found.roles) > 1) else None


def _has_decks(found: Columns, rows: Sequence[tuple[Row, Sequence[str]]]) -> bool:
    """Tell whether below the headings of a table with a row for each deck there are several rows."""
    return found.are_headings and sum(len(cells) >= len(found.titles) for _, cells in rows) > 1


def _guessed(rows: Sequence[Sequence[str]], source: Source) -> Columns | None:
    """Tell the columns of a table without a header by what is in them: counts, and numbers or names.

    Of two columns that could both be counts nobody knows which it is, unless one numbers the rows.
    """
    each = list(zip(*rows, strict=True))
    counts = [at for at, cells in enumerate(each) if all(map(_COUNT.fullmatch, cells)) and not _numbers(cells)]
    numbers = [at for at, cells in enumerate(each) if all(map(_NUMBER.fullmatch, cells))]
    names = [at for at, cells in enumerate(each) if at not in counts + numbers and any(cells)]
    if len(counts) != 1 or not (numbers or _are_names(each, names, source)):
        return None
    kinds = {columns.COUNT: counts, columns.NUMBER: numbers[:1], columns.CARD: names[:1]}
    return Columns((), {role: places for role, places in kinds.items() if places})


def _numbers(cells: Sequence[str]) -> bool:
    """Tell whether cells number the rows: 1, 2, 3, …"""
    return len(cells) > 2 and all(cell == str(at) for at, cell in enumerate(cells, 1))


def _are_names(columns: Sequence[Sequence[str]], found: Sequence[int], source: Source) -> bool:
    """Tell whether the one column beside the counts has cards and no lines with a count or a price of their own."""
    if len(columns) != 2 or not found:
        return False
    lines = [row(0, cell) for cell in columns[found[0]]]
    return not any(
        _MONEY.search(line.plain) or (counts.likeliest(line.plain).digits and not source.is_name(line.shown))
        for line in lines
    )


def _reading(table: _Table, source: Source, reading: Reading) -> Reading:
    under = _above(table, reading)
    told = _Told()
    owner: Sequence[str] | None = None
    for at, (line, cells) in enumerate(table.rows, 1):
        filled = [cell for cell in cells if cell]
        if len(filled) == 1 and (heading := headings.heading(filled[0])):
            under = heading.section
        elif headings.is_comment(line.plain) or headings.is_metadata(": ".join(filled)):
            continue
        elif found := _repeated(table, at, source):
            table = table._replace(columns=found)  # each section has a header of its own
        elif (owner := table.owner(cells) if owner is None else owner) != table.owner(cells):
            reading.skip(line.at, line.raw, OF_ANOTHER)
        else:
            kind = placed_by_type(table.cell(cells, columns.TYPE).plain)
            _add(reading, table, line, cells, told.placed(table, cells) or under or kind, source)
    return reading


def _repeated(table: _Table, at: int, source: Source) -> Columns | None:
    """Return the columns of a row that is a header again, None for any other; `at` counts the rows from 1."""
    line, cells = table.rows[at - 1]
    found = None if _DIGIT.search(line.plain) else _titled(cells, table.rows[at:], source)
    return None if found and found.is_list else found


def _above(table: _Table, reading: Reading) -> str | None:
    """Return the section whose heading stands last above the header; what else stands there is unread."""
    section = None
    for line in table.above:
        if heading := headings.heading(line.plain):
            section = heading.section
        elif not (hinted(line.raw) or headings.is_comment(line.plain) or headings.is_metadata(line.plain)):
            reading.skip(line.at, line.raw, "this stands above the table")
    return section


@dataclass
class _Told:
    """What the rows so far said of sections: where "Main" stands once above its cards, blanks below mean the same."""

    last: str = ""
    is_divided: bool = False

    def placed(self, table: _Table, cells: Sequence[str]) -> str | Misplaced | None:
        """Return the section that a row names, itself or by a row above it."""
        said, side = (table.cell(cells, role).plain for role in (columns.SECTION, columns.SIDE))
        self.last = said or self.last
        self.is_divided = self.is_divided or headings.section(said) == "main"
        return placed(self.last if self.is_divided else said, side)


def _add(
    reading: Reading,
    table: _Table,
    row: Row,
    cells: Sequence[str],
    place: str | Misplaced | None,
    source: Source,
) -> None:
    count = _COUNT.fullmatch(
        table.cell(cells, columns.COUNT).plain or ("" if table.columns.has(columns.COUNT) else "1")
    )
    number, name = _card(table, cells, source)
    if isinstance(place, Misplaced):
        reading.skip(row.at, row.raw, f"{table.cell(cells, place.role).plain!r} {place.detail}")
    elif count is None:
        reading.skip(row.at, row.raw, "there is no count")
    elif number is None and name is None:
        reading.skip(row.at, row.raw, "there is no card")
    else:
        reading.add(place, count[1], number, name, row.at, row.raw)


def _card(table: _Table, cells: Sequence[str], source: Source) -> tuple[str | None, str | None]:
    number = table.cell(cells, columns.NUMBER).plain
    written = table.cell(cells, columns.CARD)
    if found := _NUMBER.fullmatch(number):
        return found[1], unguarded(written.shown) or None
    if not written.plain or source.is_number(number):
        return number or None, unguarded(written.shown) or None
    card = named(written.shown, written.plain, source)
    return card.number, unguarded(card.name or "") or None


def _writer(delimiter: str) -> Write:
    def write(deck: Deck, catalogue: Catalogue | None) -> str:
        file = io.StringIO()
        rows = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        rows.writerow(_TITLES)
        for section, line in deck.lines():
            rows.writerow([section, line.count, line.number or "", guarded(name(line, catalogue))])
        return file.getvalue()

    return write


FORMATS = (
    Format(
        "tsv",
        "table with tabs between its cells, as copied from a spreadsheet",
        read=lambda source: _read("\t", "tsv", source),
        write=_writer("\t"),
    ),
    Format(
        "csv",
        "table with commas, semicolons or bars between its cells: section, count, number, name",
        read=lambda source: _read(",;|", "csv", source),
        write=_writer(","),
    ),
)
