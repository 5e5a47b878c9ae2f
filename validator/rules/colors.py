"""Colours: what the Leader lets into the deck."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import Copies
from validator.findings import Finding
from validator.rules.base import Rule


@dataclass(frozen=True)
class Colors(Rule):
    """Each colour of a card of these sections is a colour of the Leader."""

    sections: tuple[str, ...]

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card with a colour that the Leader lacks."""
        return leader is not None and section in self.sections and not set(card.colors) <= set(leader.colors)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each such card that may stand there at all."""
        leader = facts.leader
        if leader is None:
            return
        for section in self.sections:
            for card, copies in facts.placed(section):
                foreign = [color for color in card.colors if color not in leader.colors]
                if foreign:
                    yield Finding(
                        "color.mismatch",
                        self.cite,
                        section,
                        cards=(Copies.of(card, copies),),
                        count=copies,
                        detail=("/".join(foreign), leader.label, "/".join(leader.colors)),
                    )
