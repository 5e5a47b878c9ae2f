"""Card Kaizoku: links with `deck=1xOP14-080|4xOP14-104`, and older ones with a mapping in base64."""

from __future__ import annotations

import base64
import binascii
import json

from validator.cards import Catalogue
from validator.deck import Deck
from validator.decklists import links
from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import joined
from validator.decklists.format import number
from validator.decklists.format import numbered
from validator.decklists.links import Link
from validator.decklists.source import read_json

_LINK = "https://www.cardkaizoku.com/deckbuilder?view=deck&game=onepiece&deck={}"
_OLD_LINK = "https://deckbuilder.cardkaizoku.com/?deck={}"
_cards = joined(numbered("{count}x{number}"), "%7C")


def _decode(link: Link) -> list[tuple[str, str]] | None:
    packed = link.fields.get("deck", "")
    try:
        text = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars="-_", validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    cards = read_json(text).value
    if not isinstance(cards, dict) or not all(type(count) is int for count in cards.values()):
        return None
    return [(str(count), number) for number, count in cards.items()]


def _write_old(deck: Deck, catalogue: Catalogue | None) -> str:
    cards: dict[str, int] = {}
    for section in BY_TYPE:
        for line in deck.section(section):
            key = number(line, catalogue)
            cards[key] = cards.get(key, 0) + line.count
    packed = json.dumps(cards, separators=(",", ":"))
    return _OLD_LINK.format(base64.b64encode(packed.encode()).decode())


FORMATS = (
    Format(
        "cardkaizoku-url",
        "link of cardkaizoku.com: deck=1xOP14-080|4xOP14-104",
        carries=BY_TYPE,
        read=links.reader("cardkaizoku-url", links.items("deck", "|")),
        write=lambda deck, catalogue: _LINK.format(_cards(deck, catalogue)),
    ),
    Format(
        "cardkaizoku-base64-url",
        "older link of cardkaizoku.com: a mapping of numbers to counts in base64",
        carries=BY_TYPE,
        read=links.reader("cardkaizoku-base64-url", _decode),
        write=_write_old,
    ),
)
