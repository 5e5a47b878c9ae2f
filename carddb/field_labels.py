"""Field labels: the names of a card's fields in messages. Called by syncs and corrections."""

from __future__ import annotations

from validator.language import phrase

_LABELS = {
    "name": phrase("name"),
    "type": phrase("type"),
    "back_name": phrase("back name"),
    "colors": phrase("colors"),
    "cost": phrase("cost"),
    "cost_text": phrase("cost text"),
    "life": phrase("life"),
    "power": phrase("power"),
    "back_power": phrase("back power"),
    "traits": phrase("traits"),
    "back_traits": phrase("back traits"),
    "characters": phrase("characters"),
    "back_characters": phrase("back characters"),
    "attributes": phrase("attributes"),
    "keywords": phrase("keywords"),
    "text": phrase("text"),
    "back_text": phrase("back text"),
    "rarity": phrase("rarity"),
    "set": phrase("set"),
    "block": phrase("block"),
    "released": phrase("release day"),
    "printings": phrase("printings"),
    "construction": phrase("clauses on deck construction"),
}


def field_label(field: str) -> str:
    """Return the name of a field of Card, to be translated later. A field without a name is returned unchanged."""
    return _LABELS.get(field, field)
