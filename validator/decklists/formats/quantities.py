"""Quantities: a JSON array of `{"Qty": 4, "cardnum": "OP01-016"}`."""

from __future__ import annotations

import json
from typing import Any

from validator.cards import Catalogue
from validator.deck import Deck
from validator.decklists import entries
from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import number


def _fits(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(card, dict) for card in value)


def _write(deck: Deck, catalogue: Catalogue | None) -> str:
    lines = [line for section in BY_TYPE for line in deck.section(section)]
    return json.dumps([{"Qty": line.count, "cardnum": number(line, catalogue)} for line in lines])


FORMATS = (
    Format(
        "qty-cardnum-json",
        'JSON array of {"Qty": 4, "cardnum": "OP01-016"}',
        carries=BY_TYPE,
        read=entries.reader("qty-cardnum-json", _fits),
        write=_write,
    ),
)
