"""Tables: cards in rows of CSV or TSV, with a header row in any common wording or none."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from validator.cards import Catalogue
from validator.deck import Deck
from validator.decklists import counts
from validator.decklists import headings
from validator.decklists.format import Format
from validator.decklists.format import Write
from validator.decklists.format import name
from validator.decklists.formulas import guarded
from validator.decklists.formulas import unguarded
from validator.decklists.naming import named
from validator.decklists.reading import Reading
from validator.decklists.source import Row
from validator.decklists.source import Source
from validator.decklists.source import row
from validator.numbers import SHAPE

# What columns are called, small and without marks; where several could be meant, the first.
_COLUMNS: Mapping[str, Sequence[str]] = {
    "count": (
        *("qty", "quantity", "count", "copies", "amount", "numberofcopies"),
        *("anzahl", "menge", "quantite", "cantidad", "quantita", "quantidade", "nombre", "枚数", "数量", "수량"),
    ),
    "number": (
        *("number", "cardnumber", "cardid", "cardnum", "cardno", "cardcode", "code", "id"),
        *("nummer", "kartennummer", "numero", "codigo", "カード番号", "番号", "卡号", "카드번호"),
    ),
    "name": (
        *("name", "cardname", "card"),
        *("kartenname", "karte", "nom", "carte", "nombre", "carta", "nome", "カード名", "名前", "卡名", "카드명"),
    ),
    "section": ("section", "board", "zone", "bereich", "zona", "seccion", "secao", "sezione", "セクション", "区分"),
    "side": ("sideboard", "side", "sidedeck"),
    "type": ("type", "cardtype", "category", "typ", "tipo", "種類"),
    "player": ("player", "playername", "playerid", "spieler", "joueur", "jugador", "giocatore"),
}
# Folded as the titles will be: Japanese loses its small marks.
_TITLES_OF = {column: [headings.folded(title) for title in titles] for column, titles in _COLUMNS.items()}
_TITLES_KNOWN = frozenset(chain.from_iterable(_TITLES_OF.values()))
_YES = ("true", "yes", "y", "1", "x", "sideboard", "side")

_COUNT = re.compile(r"x?\s*([0-9]+)(?:\.0+)?\s*x?", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(rf"({SHAPE})(?:#[A-Z0-9]*)?", re.IGNORECASE | re.ASCII)

_MARKS = re.compile(r"[\W_]+")
_DIGIT = re.compile(r"[0-9]")
_MONEY = re.compile(r"[$€£¥]")

_MOST_COLUMNS = 200
_MOST_ABOVE = 10  # lines above a header: a title, the player, the day
_TITLES = ("section", "count", "number", "name")


class _Table(NamedTuple):
    """Rows of cells, in which column of them to find what, and what stands above the header."""

    columns: Mapping[str, int]
    rows: Sequence[tuple[Row, Sequence[str]]]
    above: Sequence[Row] = ()

    def cell(self, cells: Sequence[str], column: str) -> Row:
        """Return the text of a row in a column, blank where there is none."""
        at = self.columns.get(column, len(cells))
        return row(0, cells[at] if at < len(cells) else "")


def _read(delimiters: str, format: str, source: Source) -> Reading | None:
    table = _headed(source, delimiters) or _headless(source, delimiters)
    return None if table is None else _reading(table, source, Reading(format))


def _headed(source: Source, delimiters: str) -> _Table | None:
    """Return the table below a header row, which stands first or below a few lines."""
    for at, line in enumerate(source.rows[:_MOST_ABOVE]):
        for delimiter in delimiters:
            if delimiter in line.raw and (columns := _titled(_cells(line, delimiter)[:_MOST_COLUMNS])):
                rows = [(below, _cells(below, delimiter)) for below in source.rows[at + 1 :]]
                return _Table(_sectioned(columns, rows), rows, source.rows[:at])
    return None


def _sectioned(columns: dict[str, int], rows: Sequence[tuple[Row, Sequence[str]]]) -> dict[str, int]:
    """Add the column of the sections where it is called by another name: nothing else stands in it."""
    if columns.keys() & {"section", "side"}:
        return columns
    widest = min(_MOST_COLUMNS, max((len(cells) for _, cells in rows), default=0))
    for at in set(range(widest)).difference(columns.values()):
        words = [cells[at] for _, cells in rows if at < len(cells) and cells[at]]
        if words and all(headings.section(word) and not headings.is_kind(word) for word in words):
            return columns | {"section": at}
    return columns


def _headless(source: Source, delimiters: str) -> _Table | None:
    """Return the table of a text whose every row has the same columns, told by what is in them."""
    for delimiter in delimiters:
        rows = _even(source, delimiter)
        if rows and (columns := _guessed([cells for _, cells in rows], source)):
            return _Table(columns, rows)
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
    try:
        return [cell.strip() for cell in next(csv.reader([row.raw.lstrip(" \ufeff").rstrip()], delimiter=delimiter))]
    except csv.Error:
        return [row.raw]


def _titled(cells: Sequence[str]) -> dict[str, int]:
    """Return the columns of a header row; none where this is not one."""
    titles = [_MARKS.sub("", headings.folded(cell)) for cell in cells]
    if len(_TITLES_KNOWN.intersection(titles)) < 2:
        return {}
    found = {
        column: titles.index(title)
        for column, wanted in _TITLES_OF.items()
        if (title := next((word for word in wanted if word in titles), None))
    }
    return found if len(found) > 1 and ("number" in found or "name" in found) else {}


def _guessed(rows: Sequence[Sequence[str]], source: Source) -> dict[str, int]:
    """Tell the columns of a table without a header by what is in them: counts, and numbers or names.

    Of two columns that could both be counts nobody knows which it is, unless one numbers the rows.
    """
    columns = list(zip(*rows, strict=True))
    kinds = {
        "count": [at for at, cells in enumerate(columns) if all(map(_COUNT.fullmatch, cells)) and not _numbers(cells)],
        "number": [at for at, cells in enumerate(columns) if all(map(_NUMBER.fullmatch, cells))],
    }
    kinds["name"] = [
        at for at, cells in enumerate(columns) if at not in kinds["count"] + kinds["number"] and any(cells)
    ]
    if len(kinds["count"]) != 1 or not (kinds["number"] or _are_names(columns, kinds["name"], source)):
        return {}
    return {column: found[0] for column, found in kinds.items() if found}


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
    section: str | None = None
    player: str | None = None
    for line in table.above:
        if heading := headings.heading(line.plain):
            section = heading.section
        elif not (headings.is_comment(line.plain) or headings.is_metadata(line.plain)):
            reading.skip(line.at, line.raw, "this stands above the table")
    for line, cells in table.rows:
        filled = [cell for cell in cells if cell]
        if len(filled) == 1 and (heading := headings.heading(filled[0])):
            section = heading.section
            continue
        if headings.is_comment(line.plain) or headings.is_metadata(": ".join(filled)):
            continue
        if not _DIGIT.search(line.plain) and (columns := _titled(cells)):
            table = table._replace(columns=columns)  # each section has a header of its own
            continue
        owner = table.cell(cells, "player").plain
        player = owner if player is None else player
        if owner != player:
            reading.skip(line.at, line.raw, "another player's deck; only the first is read")
        else:
            _add(reading, table, line, cells, section, source)
    return reading


def _add(reading: Reading, table: _Table, row: Row, cells: Sequence[str], section: str | None, source: Source) -> None:
    place = table.cell(cells, "section").plain
    found = headings.section(place) if place else _implied(table, cells) or section
    count = _COUNT.fullmatch(table.cell(cells, "count").plain or ("" if "count" in table.columns else "1"))
    number, name = _card(table, cells, source)
    if place and found is None:
        reading.skip(row.at, row.raw, f"{place!r} is no section of a deck")
    elif count is None:
        reading.skip(row.at, row.raw, "there is no count")
    elif number is None and name is None:
        reading.skip(row.at, row.raw, "there is no card")
    else:
        reading.add(found, count[1], number, name, row.at, row.raw)


def _implied(table: _Table, cells: Sequence[str]) -> str | None:
    """Return the section that a mark for the side deck or a card's type means, if they mean one."""
    if table.cell(cells, "side").plain.casefold() in _YES:
        return "side"
    kind = headings.section(table.cell(cells, "type").plain)
    return kind if kind in ("leader", "z", "don") else None


def _card(table: _Table, cells: Sequence[str], source: Source) -> tuple[str | None, str | None]:
    number = table.cell(cells, "number").plain
    written = table.cell(cells, "name")
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
