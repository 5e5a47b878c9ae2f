"""How many cards of one class (a card type such as Legendary Warrior) a deck may hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator import words
from validator.deck import DeckFacts
from validator.findings import AT_MOST, Citation, Code, Finding, NamedCard
from validator.rules.base import Rule, Scope

EXCEEDED = Code(
    "class.exceeded",
    "There are more cards of one class than allowed.",
    words.marked_reading(
        lambda f, translate: translate(
            "{cards} of the class {kind}, but at most {limit} are allowed: {listed}.",
            cards=words.cards_text(f.count, translate),
            kind=f.details["class"],
            limit=f.limit,
            listed=words.list_cards(f.cards, translate),
        )
    ),
    words.fix_text,
    {"class": (str, "The class of the cards.")},
    asks=AT_MOST,
)


@dataclass(frozen=True)
class ClassLimit(Rule):
    """The rule that each of these sections has at most `limit` cards of the class (card type) `type`.

    `side_reading` is cited for the side deck if the rules are only interpreted to limit the side deck too.
    """

    type: str
    limit: int
    sections: tuple[str, ...]
    side_reading: Citation | None = None

    codes: ClassVar[tuple[Code, ...]] = (EXCEEDED,)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card of the class in its sections.

        `limit` of them are never wrong.
        """
        return Scope(self.sections, cards=lambda card, section, leader: card.type == self.type, limit=self.limit)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each section with more than `limit` cards of the class. It lists all these cards."""
        for section in self.sections:
            counts = facts.counts.get(section, {})
            counted = [(card, copies) for card, copies in counts.items() if card.type == self.type]
            total = sum(copies for _, copies in counted)
            if total > self.limit:
                reading = self.side_reading if section == "side" else None
                yield Finding(
                    EXCEEDED,
                    reading or self.cite,
                    section,
                    cards=NamedCard.from_counts(counted),
                    count=total,
                    limit=self.limit,
                    details={"class": self.type},
                )
