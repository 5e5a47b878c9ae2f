"""The number of cards with one keyword in a deck, all such cards together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts, besides_side
from validator.findings import AT_MOST, Citation, Code, Finding, NamedCard
from validator.matching import folded, holds
from validator.rules.base import Rule, Scope

EXCEEDED = Code(
    "keyword.exceeded",
    "There are more cards with one keyword than allowed.",
    lambda f, say: say(
        "{cards} with [{keyword}]{places}; at most {limit} in total: {listed}.",
        cards=words.cards(f.count, say),
        keyword=f.keyword,
        places=words.apart(f.details["sections"], say),
        limit=f.limit,
        listed=words.listed(f.cards, say),
    ),
    words.fix,
    {"sections": (dict, "How many cards with the keyword stand in each section.")},
    asks=AT_MOST,
)


def has_keyword(card: Card, keyword: str, leader: Card | None) -> bool:
    """Return True if a card has a keyword under this Leader, printed or gained for construction."""
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
    """At most `limit` cards with a keyword over these sections together.

    `with_side` is cited if only the side deck's cards exceed the limit.
    """

    keyword: str
    limit: int
    sections: tuple[str, ...]
    with_side: Citation | None = None

    codes: ClassVar[tuple[Code, ...]] = (EXCEEDED,)

    def scope(self) -> Scope:
        """Return the cards that have the keyword under any Leader."""
        return Scope(self.sections, cards=self._can_have_keyword, limit=self.limit)

    def _can_have_keyword(self, card: Card, section: str, leader: Card | None) -> bool:
        """Return True if a card has or can gain the keyword."""
        wanted = folded(self.keyword)
        gained = (own for clause in card.construction for own in (clause.keyword or "", *clause.keywords))
        return any(folded(own) == wanted for own in (*card.keywords, *gained))

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding if there are too many cards with the keyword. It lists the cards."""
        counted = [
            (card, copies)
            for card, copies in facts.pooled(self.sections).items()
            if has_keyword(card, self.keyword, facts.leader)
        ]
        if sum(copies for _, copies in counted) > self.limit:
            yield self._make_finding(counted, facts)

    def _make_finding(self, counted: list[tuple[Card, int]], facts: DeckFacts) -> Finding:
        """Return the finding on too many cards with the keyword."""
        sections: dict[str, int] = {}
        for section in self.sections:
            held = facts.counts.get(section, {})
            if total := sum(held.get(card, 0) for card, _ in counted):
                sections[section] = total
        return Finding(
            EXCEEDED,
            self.with_side if self.with_side and besides_side(sections) <= self.limit else self.cite,
            next(iter(sections)),
            cards=NamedCard.listed(counted),
            count=sum(sections.values()),
            limit=self.limit,
            keyword=self.keyword,
            details={"sections": sections},
        )
