"""Export: cards as a table that can be imported again (CSV, XLSX), or as lines of JSON."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO, StringIO
from typing import Any

import orjson

from carddb import serialization
from carddb.errors import CardDataError
from carddb.sources.card_tables import COLUMNS
from validator.cards import Card
from validator.decklists.formulas import guarded

# What XML 1.0 cannot hold.
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write(cards: Iterable[Card], form: str) -> bytes:
    """Return cards as a file; a CardDataError names the forms: csv, xlsx, ndjson.

    A table has the columns that an import takes, and importing it gives the same cards, but for attributes
    and other printings, for which it has no column; lines of JSON have every fact.
    """
    writer = _FORMS.get(form)
    if writer is None:
        raise CardDataError(f"Cards are exported as {', '.join(_FORMS)}, not as {form[:20]!r}.")
    return writer(cards)


def _csv(cards: Iterable[Card]) -> bytes:
    text = StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([guarded(cells[column]) for column in COLUMNS] for cells in map(_cells, cards))
    # The mark tells spreadsheet programs the encoding.
    return text.getvalue().encode("utf-8-sig")


def _xlsx(cards: Iterable[Card]) -> bytes:
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("cards")
    sheet.freeze_panes = "A2"
    sheet.append(COLUMNS)
    for cells in map(_cells, cards):
        sheet.append([_cell(sheet, cells[column]) for column in COLUMNS])
    packed = BytesIO()
    book.save(packed)
    return packed.getvalue()


def _cell(sheet: Any, text: str) -> Any:
    text = _NOT_IN_XML.sub("", text)
    if not text.startswith("="):
        return text
    from openpyxl.cell import WriteOnlyCell

    # It stays a text, and is no formula that a card list could slip in.
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    return cell


def _ndjson(cards: Iterable[Card]) -> bytes:
    records = ({"game": card.game, **serialization.to_record(card)} for card in cards)
    return b"".join(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE) for record in records)


_FORMS: Mapping[str, Callable[[Iterable[Card]], bytes]] = {"csv": _csv, "xlsx": _xlsx, "ndjson": _ndjson}


def _cells(card: Card) -> dict[str, str]:
    facts = {column: getattr(card, column) for column in COLUMNS} | {"cost": card.cost_text}
    return {column: serialization.to_cell(value) for column, value in facts.items()}
