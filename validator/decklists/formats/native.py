"""Native JSON: a deck as the public interface takes it, alone or under `deck`; and any other JSON with cards."""

from __future__ import annotations

import json
from typing import Any

from validator.cards import Catalogue
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import DeckLine
from validator.decklists import entries
from validator.decklists.format import Format
from validator.decklists.reading import Reading
from validator.decklists.source import Source


def _read(source: Source) -> Reading | None:
    value, error = source.json
    if value is None and not error:
        return None
    if value is not None:
        return entries.read(source, "json")
    reading = Reading("json")
    for row in source.rows:
        reading.skip(row.at, row.raw, error)
    return reading


def _write(deck: Deck, catalogue: Catalogue | None) -> str:
    sections = {section: [_card(line) for line in deck.section(section)] for section in SECTIONS}
    return json.dumps(sections, ensure_ascii=False, indent=1)


def _card(line: DeckLine) -> dict[str, Any]:
    card = {"number": line.number, "name": line.name, "count": line.count}
    return {key: value for key, value in card.items() if value is not None}


FORMATS = (
    Format(
        "json",
        'JSON deck: {"leader": [{"number": "OP01-001", "count": 1}], "main": [...]}, alone or under "deck"',
        read=_read,
        write=_write,
    ),
)
