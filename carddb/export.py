"""Export: cards as a table that can be imported again (CSV, XLSX), or as lines of JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from typing import Any

import orjson

from carddb import serialization
from carddb.errors import CardDataError
from carddb.files.csv_writer import write_csv
from carddb.sources.printed_facts import COLUMNS
from validator.cards import Card
from validator.language import phrase

# Characters that XML 1.0 does not allow.
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write(cards: Iterable[Card], form: str) -> bytes:
    """Return cards as a file in a format: csv, xlsx or ndjson. Raises CardDataError for any other format.

    A table (csv, xlsx) has the columns of an import, and importing the table gives the same cards without their
    attributes and other printings, for which it has no column. Lines of JSON have every fact.
    """
    writer = _FORMS.get(form)
    if writer is None:
        raise CardDataError(
            phrase("Cards are exported as {forms}, not as {form!r}.", forms=", ".join(_FORMS), form=form[:20])
        )
    return writer(cards)


def _write_csv(cards: Iterable[Card]) -> bytes:
    """Return the cards as CSV in UTF-8 with a byte order mark, after a row of headings.

    Cells like formulas are escaped.
    """
    rows = ([cells[column] for column in COLUMNS] for cells in map(_cells_by_column, cards))
    # Spreadsheet programs recognise the encoding by the mark.
    return write_csv((COLUMNS, *rows), "\n").encode("utf-8-sig")


def _write_xlsx(cards: Iterable[Card]) -> bytes:
    """Return the bytes of an XLSX workbook with a frozen row of headings and a row for each card.

    No cell is a formula.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("cards")
    sheet.freeze_panes = "A2"
    sheet.append(COLUMNS)
    for cells in map(_cells_by_column, cards):
        sheet.append([_safe_cell(sheet, cells[column]) for column in COLUMNS])
    packed = BytesIO()
    book.save(packed)
    return packed.getvalue()


def _safe_cell(sheet: Any, text: str) -> Any:
    """Return a text for a cell of an openpyxl sheet: without characters that XML forbids, and never a formula.

    A text that begins with "=" becomes a cell of type text.
    """
    text = _NOT_IN_XML.sub("", text)
    if not text.startswith("="):
        return text
    from openpyxl.cell import WriteOnlyCell

    # As a text it cannot be a formula that a card list has slipped in.
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    return cell


def _write_ndjson(cards: Iterable[Card]) -> bytes:
    """Return the cards as JSON, one card on each line, with the game and all facts that are not empty."""
    records = ({"game": card.game, **serialization.to_record(card)} for card in cards)
    return b"".join(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE) for record in records)


_FORMS: Mapping[str, Callable[[Iterable[Card]], bytes]] = {
    "csv": _write_csv,
    "xlsx": _write_xlsx,
    "ndjson": _write_ndjson,
}


def _cells_by_column(card: Card) -> dict[str, str]:
    """Return the texts of a card's row by column (COLUMNS of an import).

    `cost` is the printed text. "" if a fact is missing.
    """
    facts = {column: getattr(card, column) for column in COLUMNS} | {"cost": card.cost_text}
    return {column: serialization.to_cell(value) for column, value in facts.items()}
