"""How many cards with one keyword a deck may hold, all such cards together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import Copies
from validator.findings import Finding
from validator.matching import folded
from validator.matching import holds
from validator.rules.base import Rule


def has_keyword(card: Card, keyword: str, leader: Card | None) -> bool:
    """Tell whether a card has a keyword, printed or gained for construction, under this Leader."""
    if not card.keywords and not card.construction:
        return False
    wanted = folded(keyword)
    gains = [
        clause
        for clause in card.construction
        if clause.match is None and wanted in map(folded, (clause.keyword or "", *clause.keywords))
    ]
    if gains:
        return any(holds(clause, leader) for clause in gains)
    return wanted in map(folded, card.keywords)


@dataclass(frozen=True)
class Keyword(Rule):
    """At most `limit` cards with a keyword over these sections together."""

    keyword: str
    limit: int
    sections: tuple[str, ...]

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card that has the keyword, or has it under some Leader."""
        wanted = folded(self.keyword)
        gained = (own for clause in card.construction for own in (clause.keyword or "", *clause.keywords))
        return section in self.sections and any(folded(own) == wanted for own in (*card.keywords, *gained))

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding that lists the cards with the keyword when there are too many."""
        counted = [
            (card, copies)
            for card, copies in facts.pooled(self.sections).items()
            if has_keyword(card, self.keyword, facts.leader)
        ]
        total = sum(copies for _, copies in counted)
        if total > self.limit:
            yield Finding(
                "keyword.exceeded",
                self.cite,
                self._first(facts, {card for card, _ in counted}),
                cards=Copies.listed(counted),
                count=total,
                limit=self.limit,
                keyword=self.keyword,
            )

    def _first(self, facts: DeckFacts, cards: set[Card]) -> str:
        """Return the first of the sections that holds one of the cards."""
        return next(section for section in self.sections if not cards.isdisjoint(facts.counts.get(section, ())))
