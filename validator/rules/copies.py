"""How many copies of one card a deck may hold: the one place that decides it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from validator import paraphrase, words
from validator.cards import Card, Clause
from validator.deck import DeckFacts, besides_side
from validator.findings import AT_MOST, Citation, Code, Finding, NamedCard
from validator.matching import holds
from validator.rules.base import Policy, Rule, Scope
from validator.rules.keywords import has_keyword

EXCEEDED = Code(
    "copies.exceeded",
    "There are more copies of one card than allowed.",
    words.marked_reading(
        lambda f, say: say.plural(
            "{copies} of {card}{places}; at most {count} is allowed.",
            "{copies} of {card}{places}; at most {count} are allowed.",
            f.limit or 0,
            copies=words.copies(f.count, say),
            card=words.card(f, say),
            places=words.apart(f.details["sections"], say),
        )
    ),
    words.fix,
    {"sections": (dict, "How many copies stand in each of the sections counted together.")},
    asks=AT_MOST,
)


class Bound(NamedTuple):
    """At most `limit` copies of a card (None: any number) over some sections together, and where that is written."""

    sections: tuple[str, ...]
    limit: int | None
    cite: Citation


@dataclass(frozen=True)
class CopyLimit(Rule):
    """At most `limit` copies of one card, unless its own text sets another number.

    `sections` are counted together where `across`, else each for itself. Where the side deck makes the
    difference, `with_side` is cited. If `side_reading` is given, that the limit holds in the side deck by itself is
    only a reading of the rules, which is cited. Cards with one of the `exempt` keywords have no limit of this kind.
    `restricted` are the numbers that an official list limits for sure: over that, the list's finding is the one to
    make. If `free`, the organiser has freed the number of copies, and only what a card's own text forbids holds.
    """

    limit: int
    sections: tuple[str, ...]
    across: bool = True
    exempt: tuple[str, ...] = ()
    with_side: Citation | None = None
    side_reading: Citation | None = None
    restricted: Mapping[str, int] = field(default_factory=dict, compare=False)
    free: bool = field(default=False, compare=False, repr=False)

    codes: ClassVar[tuple[Code, ...]] = (EXCEEDED,)

    def bounds(self, card: Card, leader: Card | None = None) -> Iterator[Bound]:
        """Yield how many copies of a card a deck may hold, for all of its sections or for some of them."""
        is_free = self.free or any(has_keyword(card, keyword, leader) for keyword in self.exempt)
        limit = None if is_free else self.limit
        own = self._own(card, leader)
        if own is None or (self.free and (own.limit is None or own.limit >= self.limit)):
            yield from self._general(self.sections, limit)
            return
        # "In your Z-Deck" is said of the Z-Deck alone, "in your deck" of the deck, with which policy counts the rest.
        counted = self.sections if self.across and own.section == "main" else (own.section,)
        yield Bound(counted, own.limit, paraphrase.cite(card, own))
        yield from self._general(tuple(one for one in self.sections if one not in counted), limit)

    def _own(self, card: Card, leader: Card | None) -> Clause | None:
        """Return what a card's own text says: it replaces the manual's limit (dbs 5-1-3-2, 6-1-5-2, optcg 5-1-2-4)."""
        return next((one for one in card.construction if one.kind == "copies" and holds(one, leader)), None)

    def _general(self, sections: tuple[str, ...], limit: int | None) -> Iterator[Bound]:
        pools = (sections,) if self.across and sections else ((section,) for section in sections)
        return (Bound(pool, limit, self.cite) for pool in pools)

    def scope(self) -> Scope:
        """Return the cards whose own text allows fewer copies, and all cards of which there are more than the limit."""
        return Scope(self.sections, cards=self._has_lower_limit, most_copies=self.limit)

    def _has_lower_limit(self, card: Card, section: str, leader: Card | None) -> bool:
        limits = (clause.limit for clause in card.construction if clause.kind == "copies")
        return any(limit is not None and limit < self.limit for limit in limits)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each card with too many copies."""
        for card, copies in facts.pooled(self.sections).items():
            if copies > self.limit or card.construction:
                for bound in self.bounds(card, facts.leader):
                    yield from self._exceeded(card, bound, facts.held(card, bound.sections))

    def _exceeded(self, card: Card, bound: Bound, held: Mapping[str, int]) -> Iterator[Finding]:
        copies = sum(held.values())
        if bound.limit is None or copies <= bound.limit or copies > self.restricted.get(card.number, copies):
            return
        cite = bound.cite
        if self.with_side and cite is self.cite and besides_side(held) <= bound.limit:
            cite = self.with_side
        is_reading = bool(self.side_reading) and cite is self.cite and bound.sections == ("side",)
        yield Finding(
            EXCEEDED,
            self.side_reading if self.side_reading and is_reading else cite,
            next(iter(held)),
            cards=(NamedCard.of(card, copies),),
            count=copies,
            limit=bound.limit,
            details={"sections": held},
        )

    def with_policy(self, policy: Policy) -> Rule:
        """Let the organiser say whether the side deck counts with the main deck, and free the number of copies."""
        if policy.copies_across_side in (None, self.across) and policy.copies:
            return self
        across = self.across if policy.copies_across_side is None else policy.copies_across_side
        return replace(self, across=across, free=not policy.copies)
