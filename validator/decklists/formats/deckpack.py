"""OPTCGSim deck packs: JSON with the texts of one or more decks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from validator.cards import Catalogue
from validator.deck import Deck
from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import joined
from validator.decklists.format import numbered
from validator.decklists.listing import Listing
from validator.decklists.reading import Reading
from validator.decklists.source import Source
from validator.decklists.source import sound

_ANOTHER = "another deck of the pack, of which only the first is read"
_cards = joined(numbered("{count}x{number}"))


def _read(source: Source) -> Reading | None:
    decks = _decks(source.json.value)
    if not decks:
        return None
    first, *others = decks
    reading = Listing(Source(sound(first["text"]), source.catalogue)).reading("optcgsim-deckpack")
    for deck in others:
        reading.skip(1, sound(str(deck.get("name", "a deck with no name"))), _ANOTHER, aside=True)
    return reading


def _decks(value: Any) -> list[Mapping[str, Any]]:
    decks = value.get("decks") if isinstance(value, dict) else None
    if not isinstance(decks, list):
        return []
    fit = all(isinstance(deck, dict) and isinstance(deck.get("text"), str) for deck in decks)
    return decks if fit else []


def _write(deck: Deck, catalogue: Catalogue | None) -> str:
    pack = {"schema_version": 1, "name": "", "decks": [{"name": "", "text": _cards(deck, catalogue)}]}
    return json.dumps(pack, indent=2)


FORMATS = (
    Format(
        "optcgsim-deckpack",
        "OPTCGSim deck pack: JSON with the text of each deck, of which the first is read",
        carries=BY_TYPE,
        read=_read,
        write=_write,
    ),
)
