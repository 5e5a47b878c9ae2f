"""App maps: JSON with `leader_number`, and main and side deck as mappings of numbers to counts."""

from __future__ import annotations

import json

from validator.cards import Catalogue
from validator.deck import Deck
from validator.deck import DeckLine
from validator.decklists import entries
from validator.decklists.format import Format
from validator.decklists.format import number


def _write(deck: Deck, catalogue: Catalogue | None) -> str:
    if [line.count for line in deck.leader] != [1]:
        raise ValueError("this format has exactly one Leader")
    return json.dumps(
        {
            "leader_number": number(deck.leader[0], catalogue),
            "main_deck_cards": _counts(deck.main, catalogue),
            "side_deck_cards": _counts(deck.side, catalogue),
        },
        indent=1,
    )


def _counts(lines: tuple[DeckLine, ...], catalogue: Catalogue | None) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in lines:
        key = number(line, catalogue)
        found[key] = found.get(key, 0) + line.count
    return found


FORMATS = (
    Format(
        "app-json",
        "app's JSON map: leader_number, main_deck_cards and side_deck_cards with number and count",
        carries=("leader", "main", "side"),
        read=entries.reader("app-json", lambda value: isinstance(value, dict) and "leader_number" in value),
        write=_write,
    ),
)
