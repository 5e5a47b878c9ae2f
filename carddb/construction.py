"""Construction: parses the deck-building clauses in a card's text, once, when the card is imported."""

from __future__ import annotations

from dataclasses import replace
from typing import NewType

from validator.cards import Card

ReadCard = NewType("ReadCard", Card)  # a card with what its text says


def read(card: Card) -> ReadCard:
    """Return the card with its clauses and keywords replaced by those parsed from its texts (front and back).

    A card without any text is returned unchanged.
    """
    if not (card.text or card.back_text):
        return ReadCard(card)
    from validator import clauses  # the grammars are slow to build, and the facts that ship have no texts

    read_clauses = clauses.read(card.game, card.type, card.text, card.back_text)
    return ReadCard(replace(card, construction=read_clauses, keywords=clauses.keywords(read_clauses)))
