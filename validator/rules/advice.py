"""Advice: what is legal and still likely not meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import ADVICE
from validator.findings import Copies
from validator.findings import Finding
from validator.odds import at_most
from validator.rules.base import Rule


@dataclass(frozen=True)
class Sacrifice(Rule):
    """Cards of a class need cards of another class in the deck to be deployed."""

    code: str
    type: str
    needs: str

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card of the class in the deck."""
        return section == "main" and card.type == self.type

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one piece of advice that lists the cards when what they need is missing."""
        if any(card.type == self.needs for card in facts.main):
            return
        counted = [(card, copies) for card, copies in facts.main.items() if card.type == self.type]
        if counted:
            count = sum(copies for _, copies in counted)
            detail = (self.type, self.needs)
            yield Finding(
                self.code, self.cite, "main", ADVICE, cards=Copies.listed(counted), count=count, detail=detail
            )


@dataclass(frozen=True)
class Mulligan(Rule):
    """Fewer than `fewest` cards of a class in the first hand is a mulligan: is it the likelier case?"""

    type: str
    fewest: int
    hand: int

    @property
    def asked_by(self) -> frozenset[str]:
        """Every deck is asked."""
        return frozenset({"main"})

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one piece of advice with the exact chance when it is over a half."""
        deck = facts.sizes["main"]
        wanted = sum(copies for card, copies in facts.main.items() if card.type == self.type)
        if deck < self.hand:
            return
        chance = at_most(self.fewest - 1, wanted, deck, self.hand)
        if chance > 0.5:
            yield Finding(
                "advice.mulligan",
                self.cite,
                "main",
                ADVICE,
                count=wanted,
                detail=(str(self.fewest), self.type, f"{chance:.1%}", str(self.hand)),
            )
