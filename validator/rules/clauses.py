"""What the cards' own texts say of the deck: cards barred, groups limited, texts not understood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validator.cards import Card
from validator.cards import Clause
from validator.deck import DeckFacts
from validator.findings import WARNING
from validator.findings import Citation
from validator.findings import Copies
from validator.findings import Finding
from validator.matching import Profile
from validator.matching import holds
from validator.matching import matches
from validator.matching import profile
from validator.rules.base import Rule


def gained(card: Card, leader: Card | None, reaching: tuple[Clause, ...] = ()) -> tuple[Clause, ...]:
    """Return the clauses that add something to a card: its own, and those of others that reach it.

    A condition on the Leader is known during construction and is applied (dbs 6-1-5-2-2).
    """
    own = [
        clause
        for clause in card.construction
        if clause.kind in ("alias", "keyword") and clause.match is None and holds(clause, leader)
    ]
    bare = profile(card, own)
    return (*own, *(clause for clause in reaching if clause.match and matches(clause.match, bare)))


@dataclass(frozen=True)
class Clauses(Rule):
    """What card texts bar or limit: the Leader's text, and that of every card in these sections."""

    sections: tuple[str, ...]

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card that speaks of others, or one that the Leader's text speaks of."""
        # What the Leader bars or limits concerns the cards meant, not the Leader.
        speaking = ("unread", "alias") if section == "leader" else ("unread", "alias", "forbid", "pool")
        if any(clause.kind in speaking and (clause.match or clause.kind == "unread") for clause in card.construction):
            return True
        spoken_of = [clause for clause in leader.construction if clause.kind in ("forbid", "pool")] if leader else []
        if not spoken_of:
            return False
        meant = profile(card, gained(card, leader))
        return any(clause.section == section and matches(clause.match or {}, meant) for clause in spoken_of)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each card barred, each clause exceeded, each text not understood."""
        speakers = self._speakers(facts)
        spoken = [(card, clause) for card in speakers for clause in card.construction if holds(clause, facts.leader)]
        reaching = tuple(clause for _, clause in spoken if clause.kind == "alias" and clause.match)
        barred: set[Card] = set()
        for card, clause in spoken:
            if clause.kind == "unread":
                yield Finding(
                    "clause.unread", _cite(card, clause), facts.where(card), WARNING, cards=(Copies.of(card),)
                )
            elif clause.kind in ("forbid", "pool"):
                meant = list(self._meant(clause, facts, reaching))
                yield from (
                    _forbidden(card, clause, meant, barred)
                    if clause.kind == "forbid"
                    else _exceeded(card, clause, meant)
                )

    def _speakers(self, facts: DeckFacts) -> list[Card]:
        """The cards whose texts hold: the one rightful Leader first, then the deck's."""
        cards = [facts.leader] if facts.leader else []
        for section in self.sections:
            cards += [card for card, _ in facts.placed(section) if card.construction and card not in cards]
        return cards

    def _meant(self, clause: Clause, facts: DeckFacts, reaching: tuple[Clause, ...]) -> Iterator[tuple[Card, int]]:
        """Yield the cards of the clause's section that it speaks of; misplaced cards are left out."""
        for card, copies in facts.placed(clause.section):
            if matches(clause.match or {}, self._seen(card, facts, reaching)):
                yield card, copies

    def _seen(self, card: Card, facts: DeckFacts, reaching: tuple[Clause, ...]) -> Profile:
        return profile(card, gained(card, facts.leader, reaching))


def _cite(card: Card, clause: Clause) -> Citation:
    return Citation(card.label, clause.text)


def _forbidden(speaker: Card, clause: Clause, meant: list[tuple[Card, int]], barred: set[Card]) -> Iterator[Finding]:
    for card, copies in meant:
        if card not in barred:
            barred.add(card)
            yield Finding(
                "effect.forbidden",
                _cite(speaker, clause),
                clause.section,
                cards=(Copies.of(card, copies),),
                count=copies,
                limit=0,
            )


def _exceeded(speaker: Card, clause: Clause, meant: list[tuple[Card, int]]) -> Iterator[Finding]:
    total = sum(copies for _, copies in meant)
    if clause.limit is not None and total > clause.limit:
        yield Finding(
            "effect.exceeded",
            _cite(speaker, clause),
            clause.section,
            cards=Copies.listed(meant),
            count=total,
            limit=clause.limit,
        )
