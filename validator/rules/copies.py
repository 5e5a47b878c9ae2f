"""How many copies of one card a deck may hold: the one place that decides it."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace

from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import Citation
from validator.findings import Copies as Named
from validator.findings import Finding
from validator.matching import holds
from validator.rules.base import Policy
from validator.rules.base import Rule
from validator.rules.keywords import has_keyword


@dataclass(frozen=True)
class Copies(Rule):
    """At most `limit` copies of one card, unless its own text sets another number.

    `sections` are counted together where `across`, else each for itself. Cards with one of the
    `exempt` keywords have no limit of this kind. `restricted` are the numbers that an official list
    limits for sure: over that, the list's finding is the one to make.
    """

    limit: int
    sections: tuple[str, ...]
    across: bool = True
    exempt: tuple[str, ...] = ()
    restricted: Mapping[str, int] = field(default_factory=dict, compare=False)

    def allowed(self, card: Card, leader: Card | None = None) -> tuple[int | None, Citation]:
        """Return how many copies of a card a deck may hold (None: any number), and where that is written."""
        for clause in card.construction:
            if clause.kind == "copies" and holds(clause, leader):
                # dbs 5-1-3-2, 6-1-5-2, optcg 5-1-2-4: what the card says replaces the manual's limit.
                return clause.limit, Citation(card.label, clause.text)
        if any(has_keyword(card, keyword, leader) for keyword in self.exempt):
            return None, self.cite
        return self.limit, self.cite

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card whose own text allows fewer."""
        limits = (clause.limit for clause in card.construction if clause.kind == "copies")
        return any(limit is not None and limit < self.limit for limit in limits)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each card with too many copies."""
        pools = (self.sections,) if self.across else tuple((section,) for section in self.sections)
        for pool in pools:
            for card, copies in facts.pooled(pool).items():
                limit, cite = self.allowed(card, facts.leader)
                if limit is None or copies <= limit or copies > self.restricted.get(card.number, copies):
                    continue
                yield Finding(
                    "copies.exceeded",
                    cite,
                    next(section for section in pool if card in facts.counts.get(section, ())),
                    cards=(Named.of(card, copies),),
                    count=copies,
                    limit=limit,
                )

    def under(self, policy: Policy) -> Rule:
        """Let the organiser say whether the side deck counts with the main deck."""
        if policy.copies_across_side in (None, self.across):
            return self
        return replace(self, across=policy.copies_across_side)
