"""Recipes: JSON with `leader` and `mainDeck`, each card by `cardId`, `name` and `count`."""

from __future__ import annotations

import json
from typing import Any

from validator.cards import Catalogue
from validator.deck import Deck
from validator.deck import DeckLine
from validator.decklists import entries
from validator.decklists.format import Format
from validator.decklists.format import name
from validator.decklists.format import number


def _write(deck: Deck, catalogue: Catalogue | None) -> str:
    leaders = [_card(line, catalogue) for line in deck.leader]
    recipe = {
        "leader": leaders[0] if len(leaders) == 1 else leaders,
        "mainDeck": [_card(line, catalogue) for line in deck.main],
        "totalCards": sum(line.count for line in deck.main),
    }
    return json.dumps(recipe, ensure_ascii=False, indent=1)


def _card(line: DeckLine, catalogue: Catalogue | None) -> dict[str, Any]:
    return {"cardId": number(line, catalogue), "name": name(line, catalogue), "count": line.count}


FORMATS = (
    Format(
        "recipe-json",
        "recipe in JSON: leader and mainDeck, each card with cardId, name and count",
        carries=("leader", "main"),
        read=entries.reader("recipe-json", lambda value: isinstance(value, dict) and "mainDeck" in value),
        write=_write,
    ),
)
