"""Block rotation: which cards a format takes on the day."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from datetime import date
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import Code
from validator.findings import Copies
from validator.findings import Finding
from validator.limits import Rotation
from validator.rules.base import Rule

ROTATED = Code(
    "block.rotated",
    "The format does not take the card's block on the day.",
    lambda f: (
        f"{words.card(f)} is of block {f.details['block']}; the {f.details['format']} format takes "
        f"{', '.join(f.details['allowed'])}."
    ),
    words.remove,
    {
        "block": (str, "The card's block."),
        "format": (str, "The format."),
        "allowed": (list, "The blocks that the format takes on the day."),
    },
)


@dataclass(frozen=True)
class Blocks(Rule):
    """A card's block, as the set and the official exceptions give it, is one that the format takes."""

    format: str
    day: date
    allowed: Collection[str]
    rotation: Rotation = field(repr=False)

    codes: ClassVar[tuple[Code, ...]] = (ROTATED,)
    asked_by: ClassVar[frozenset[str] | None] = frozenset()

    def _rotated(self, card: Card) -> str | None:
        """Return the block of a card that the format does not take, else None."""
        block = self.rotation.block_of(card.number, card.block, self.day)
        return None if block is None or block in self.allowed else block

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card whose block the format does not take."""
        return self._rotated(card) is not None

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each such card."""
        allowed = tuple(sorted(self.allowed))
        for card, copies in facts.pooled(("leader", "main", "side", "z")).items():
            if block := self._rotated(card):
                yield Finding(
                    ROTATED,
                    self.cite,
                    facts.where(card),
                    cards=(Copies.of(card, copies),),
                    count=copies,
                    limit=0,
                    limits=self.rotation.entry(self.day),
                    details={"block": block, "format": self.format, "allowed": allowed},
                )

    def parameters(self) -> Mapping[str, object]:
        """Return the blocks that the format takes."""
        return {"format": self.format, "allowed": sorted(self.allowed)}
