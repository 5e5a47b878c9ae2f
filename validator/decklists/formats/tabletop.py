"""Tabletop Simulator: a JSON array of numbers, one for each copy, behind a line of who exported it."""

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
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


def _write(deck: Deck, catalogue: Catalogue | None) -> str:
    lines = [line for section in BY_TYPE for line in deck.section(section)]
    copies = [number(line, catalogue) for line in lines for _ in range(line.count)]
    return json.dumps(["Exported from deckproof", *copies], separators=(",", ":"))


FORMATS = (
    Format(
        "tts",
        "Tabletop Simulator array: a JSON array with a number for each copy",
        carries=BY_TYPE,
        read=entries.reader("tts", _fits),
        write=_write,
    ),
)
