"""Facts: cards as they are judged with, apart from how their source has them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from carddb.corrections import corrected
from validator.cards import Card
from validator.games import GAMES

_NO_NUMBER = re.compile("[XＸ－-]", re.IGNORECASE)  # a printed cost that is told and has no number


def settled(cards: Iterable[Card]) -> list[Card]:
    """Return the cards with what is known to be wrong corrected, and what their source does not tell named."""
    return [replace(card, unknown=untold) if (untold := unknown(card)) else card for card in map(corrected, cards)]


def unknown(card: Card) -> tuple[str, ...]:
    """Return which facts ("type", "colors", "cost") a card has by its type, and its source does not tell.

    A card of no type that the game has may have any.
    """
    game = GAMES[card.game]
    if card.type not in game.types:
        return ("type",)
    return tuple(fact for fact, types in game.always.items() if card.type in types and not _told(card, fact))


def _told(card: Card, fact: str) -> bool:
    if fact == "cost":
        return card.cost is not None or bool(_NO_NUMBER.match(card.cost_text or ""))
    return bool(getattr(card, fact))
