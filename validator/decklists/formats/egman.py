"""Egman Events: text lines `4 OP01-016 Nami`, and links with `?deck=OP01-016:4,…`."""

from __future__ import annotations

import re

from validator.decklists import links
from validator.decklists.format import BY_TYPE
from validator.decklists.format import Format
from validator.decklists.format import joined
from validator.decklists.format import named
from validator.decklists.format import numbered
from validator.decklists.format import written_as
from validator.decklists.links import Link

_CARD = re.compile(r"([^:,]+):([0-9]+)")
_LINK = "https://deckbuilder.egmanevents.com/?deck={}&type=optcg"


def _decode(link: Link) -> list[tuple[str, str]] | None:
    cards = [_CARD.fullmatch(card) for card in link.fields.get("deck", "").rstrip(",").split(",")]
    return [(card[2], card[1]) for card in cards if card] if all(cards) else None


_cards = joined(numbered("{number}:{count}"), ",")

FORMATS = (
    Format(
        "egman-url",
        "link of the Egman Events deck builder: ?deck=OP01-001:1,OP01-016:4",
        carries=BY_TYPE,
        read=links.reader("egman-url", _decode),
        write=lambda deck, catalogue: _LINK.format(_cards(deck, catalogue)),
    ),
    Format(
        "egman",
        "Egman Events text: 4 OP01-016 Nami",
        carries=BY_TYPE,
        fits=written_as("4 NUM NAME", "4 NUM"),
        write=joined(named("{count} {number} {name}")),
    ),
)
