"""Release: a card number is legal from its day, or some days after where an event says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from datetime import timedelta
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import Code
from validator.findings import Copies
from validator.findings import Finding
from validator.rules.base import Rule

UNRELEASED = Code(
    "card.unreleased",
    "The card is not yet legal on the day.",
    lambda f: f"{words.card(f)} is not legal before {f.details['legal_from']}.",
    words.remove,
    {
        "legal_from": (str, "The card's first day at this event, ISO."),
        "released": (str, "The day of its release, ISO."),
        "delay_days": (int, "The days that the event adds."),
    },
)


@dataclass(frozen=True)
class Released(Rule):
    """A card of a known release date is out, and the event's delay is over."""

    day: date
    delay_days: int = 0

    codes: ClassVar[tuple[Code, ...]] = (UNRELEASED,)
    asked_by: ClassVar[frozenset[str] | None] = frozenset()

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
                    UNRELEASED,
                    self.cite,
                    facts.where(card),
                    cards=(Copies.of(card, copies),),
                    count=copies,
                    limit=0,
                    details={
                        "legal_from": first.isoformat(),
                        "released": card.released,
                        "delay_days": self.delay_days,
                    },
                )
