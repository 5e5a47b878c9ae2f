"""Which card types a section takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validator.cards import Card
from validator.deck import SECTIONS
from validator.deck import DeckFacts
from validator.findings import Copies
from validator.findings import Finding
from validator.rules.base import Rule


@dataclass(frozen=True)
class Types(Rule):
    """A section takes cards of these types."""

    section: str
    types: tuple[str, ...]

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card of another type in this section."""
        return section == self.section and card.type not in self.types

    @property
    def asked_by(self) -> frozenset[str]:
        """Lines of a DON!! deck are asked always: they seldom name a card of the catalogue."""
        return frozenset({"don"}) & {self.section}

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each card of another type; a card misplaced twice is found once."""
        for card, copies in facts.counts.get(self.section, {}).items():
            if card.type in self.types or self._found_before(card, facts):
                continue
            yield Finding(
                "type.misplaced",
                self.cite,
                self.section,
                cards=(Copies.of(card, copies),),
                count=copies,
                detail=(card.type, ", ".join(self.types)),
            )

    def _found_before(self, card: Card, facts: DeckFacts) -> bool:
        earlier = SECTIONS[: SECTIONS.index(self.section)]
        return any(card in facts.counts.get(section, ()) and not facts.fits(card, section) for section in earlier)
