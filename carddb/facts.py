"""Facts: cards as they are judged with, apart from how their source has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from carddb.corrections import corrected
from carddb.sources.vocabulary import unknown
from validator.cards import Card


def settled(cards: Iterable[Card]) -> list[Card]:
    """Return the cards with what is known to be wrong corrected, and what their source does not tell named."""
    return [replace(card, unknown=untold) if (untold := unknown(card)) else card for card in map(corrected, cards)]
