"""Release: a card number is legal from its day, or some days after where an event says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from datetime import timedelta

from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import Copies
from validator.findings import Finding
from validator.rules.base import Rule


@dataclass(frozen=True)
class Released(Rule):
    """A card of a known release date is out, and the event's delay is over."""

    day: date
    delay_days: int = 0

    def _legal_from(self, card: Card) -> date | None:
        """Return the first day of a card that is not legal yet, else None."""
        if card.released is None:
            return None
        first = date.fromisoformat(card.released) + timedelta(days=self.delay_days)
        return first if first > self.day else None

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card that is not legal yet."""
        return self._legal_from(card) is not None

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each such card."""
        for card, copies in facts.pooled(("leader", "main", "side", "z")).items():
            if first := self._legal_from(card):
                yield Finding(
                    "card.unreleased",
                    self.cite,
                    facts.where(card),
                    cards=(Copies.of(card, copies),),
                    count=copies,
                    limit=0,
                    detail=(first.isoformat(),),
                )
