"""The number of copies of one card in a deck, of cards with one keyword, and of cards of one class.

Only this module decides on these numbers. A class is a card type such as Legendary Warrior.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from validator import paraphrase, words
from validator.cards import Card, Clause
from validator.deck import DeckFacts, sum_without_side
from validator.findings import AT_MOST, Citation, Code, Finding, NamedCard
from validator.matching import fold_text, holds
from validator.rules.base import UNKNOWN_FACTS, Policy, Rule, Scope, unknown_facts_finding

COPIES_EXCEEDED = Code(
    "copies.exceeded",
    "There are more copies of one card than allowed.",
    words.marked_reading(
        lambda f, translate: translate.plural(
            "{copies} of {card}{places}, but at most {count} is allowed.",
            "{copies} of {card}{places}, but at most {count} are allowed.",
            f.limit or 0,
            copies=words.copies_text(f.count, translate),
            card=words.card_text(f, translate),
            places=words.section_counts_text(f.details["sections"], translate),
        )
    ),
    words.fix_text,
    {"sections": (dict, "How many copies stand in each of the sections counted together.")},
    asks=AT_MOST,
)


class CopyBound(NamedTuple):
    """The copy limit of a card, counted over `sections` together, with the rule that the limit comes from.

    `limit` is None if the number is unlimited.
    """

    sections: tuple[str, ...]
    limit: int | None
    cite: Citation


@dataclass(frozen=True)
class CopyLimit(Rule):
    """At most `limit` copies of one card, unless the card's own text sets another number.

    `sections` are counted together if `across`, else each one separately. `with_side` is cited if only the side deck's
    copies exceed the limit. `side_reading` is cited for the side deck if the rules are only interpreted to limit it by
    itself. Cards with one of the `exempt` keywords have no limit of this kind. `restricted` are the official list's
    limits above 0 by number: a deck that exceeds them gets the finding of the list. If `free`, the organiser allows any
    number of copies, and only limits in a card's own text count.
    """

    limit: int
    sections: tuple[str, ...]
    across: bool = True
    exempt: tuple[str, ...] = ()
    with_side: Citation | None = None
    side_reading: Citation | None = None
    restricted: Mapping[str, int] = field(default_factory=dict, compare=False)
    free: bool = field(default=False, compare=False, repr=False)

    codes: ClassVar[tuple[Code, ...]] = (COPIES_EXCEEDED, UNKNOWN_FACTS)

    def bounds(self, card: Card, leader: Card | None = None) -> Iterator[CopyBound]:
        """Yield the copy limits of a card under a Leader. Each is for other sections.

        A number in the card's own text replaces `limit` for "your deck" (if `across`, all `sections` together) or for
        "your Z-Deck". If the organiser allows any number, only a number in the text that is lower than `limit` counts.
        A limit is None if the card may have any number.
        """
        is_free = self.free or any(has_keyword(card, keyword, leader) for keyword in self.exempt)
        limit = None if is_free else self.limit
        own = self._find_text_limit(card, leader)
        if own is None or (self.free and (own.limit is None or own.limit >= self.limit)):
            yield from self._general_bounds(self.sections, limit)
            return
        # "In your Z-Deck" is only the Z-Deck. "In your deck" is the deck with all sections counted together.
        counted = self.sections if self.across and own.section == "main" else (own.section,)
        yield CopyBound(counted, own.limit, paraphrase.cite(card, own))
        yield from self._general_bounds(tuple(section for section in self.sections if section not in counted), limit)

    def _find_text_limit(self, card: Card, leader: Card | None) -> Clause | None:
        """Return the first `copies` clause of a card whose condition on the Leader is met, None without one.

        It replaces the manual's limit (dbs 5-1-3-2, 6-1-5-2, optcg 5-1-2-4).
        """
        return next((clause for clause in card.construction if clause.kind == "copies" and holds(clause, leader)), None)

    def _general_bounds(self, sections: tuple[str, ...], limit: int | None) -> Iterator[CopyBound]:
        """Yield this limit with the rule's citation: one for all `sections` together if `across`, else one for each.

        Nothing without sections.
        """
        pools = (sections,) if self.across and sections else ((section,) for section in sections)
        return (CopyBound(pool, limit, self.cite) for pool in pools)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with more copies of a card than `limit`, or a lower limit in its text."""
        return Scope(self.sections, cards=self._has_lower_limit, most_copies=self.limit)

    def _has_lower_limit(self, card: Card, section: str, leader: Card | None) -> bool:
        """Return True if a number of copies in the card's text is lower than `limit`.

        Section and Leader are ignored.
        """
        limits = (clause.limit for clause in card.construction if clause.kind == "copies")
        return any(limit is not None and limit < self.limit for limit in limits)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each card and limit with too many copies, and a warning after it if its text is unread.

        Copies over the restriction of the official list give no finding here, because that list's rule has one.
        """
        for card, copies in facts.count_over(self.sections).items():
            if copies > self.limit or card.construction:
                for bound in self.bounds(card, facts.leader):
                    for finding in self._exceeded_findings(card, bound, facts.copies_by_section(card, bound.sections)):
                        yield finding
                        if card.unseen:
                            yield unknown_facts_finding(card, facts.first_section(card), self.cite, ("text",))

    def _exceeded_findings(
        self, card: Card, copy_bound: CopyBound, copies_by_section: Mapping[str, int]
    ) -> Iterator[Finding]:
        """Yield one finding if the copies of a card, added up over `copies_by_section`, exceed a limit.

        Its section is the first one. Nothing if they also exceed the restriction of the official list, which makes a
        finding of its own.
        """
        copies = sum(copies_by_section.values())
        if copy_bound.limit is None or copies <= copy_bound.limit or copies > self.restricted.get(card.number, copies):
            return
        cite = copy_bound.cite
        if self.with_side and cite is self.cite and sum_without_side(copies_by_section) <= copy_bound.limit:
            cite = self.with_side
        is_reading = bool(self.side_reading) and cite is self.cite and copy_bound.sections == ("side",)
        yield Finding(
            COPIES_EXCEEDED,
            self.side_reading if self.side_reading and is_reading else cite,
            next(iter(copies_by_section)),
            cards=(NamedCard.from_card(card, copies),),
            count=copies,
            limit=copy_bound.limit,
            details={"sections": copies_by_section},
        )

    def with_policy(self, policy: Policy) -> Rule:
        """Return the rule with the policy on copies in the side deck (`copies_across_side`) and on unlimited `copies`.

        It is the same rule if the policy changes neither.
        """
        if policy.copies_across_side in (None, self.across) and policy.copies:
            return self
        across = self.across if policy.copies_across_side is None else policy.copies_across_side
        return replace(self, across=across, free=not policy.copies)


KEYWORD_EXCEEDED = Code(
    "keyword.exceeded",
    "There are more cards with one keyword than allowed.",
    lambda f, translate: translate(
        "{cards} with [{keyword}]{places}, but at most {limit} in total: {listed}.",
        cards=words.cards_text(f.count, translate),
        keyword=f.keyword,
        places=words.section_counts_text(f.details["sections"], translate),
        limit=f.limit,
        listed=words.list_cards(f.cards, translate),
    ),
    words.fix_text,
    {"sections": (dict, "How many cards with the keyword stand in each section.")},
    asks=AT_MOST,
)


def has_keyword(card: Card, keyword: str, leader: Card | None) -> bool:
    """Return True if a card has a keyword under this Leader, printed or gained by its own text. Case is ignored.

    If clauses of the card add the keyword, the condition of one must surely be met, even if it is printed. Clauses
    about other cards or of an unread text are ignored.
    """
    if not card.keywords and not card.construction:
        return False
    wanted = fold_text(keyword)
    read = (clause for clause in card.construction if clause.kind != "unseen" and clause.match is None)
    gains = [clause for clause in read if wanted in map(fold_text, (clause.keyword or "", *clause.keywords))]
    if gains:
        return any(holds(clause, leader) for clause in gains)
    return wanted in map(fold_text, card.keywords)


@dataclass(frozen=True)
class Keyword(Rule):
    """The rule that these sections together have at most `limit` cards with a keyword.

    `with_side` is cited if only the side deck's cards exceed the limit. Cards with an unread text may have the keyword.
    They get a warning if they decide the result.
    """

    keyword: str
    limit: int
    sections: tuple[str, ...]
    with_side: Citation | None = None

    codes: ClassVar[tuple[Code, ...]] = (KEYWORD_EXCEEDED, UNKNOWN_FACTS)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card that has or may have the keyword.

        `limit` of them are never wrong.
        """
        return Scope(self.sections, cards=self._can_have_keyword, limit=self.limit)

    def _can_have_keyword(self, card: Card, section: str = "", leader: Card | None = None) -> bool:
        """Return True if the keyword is among a card's keywords or in any of its clauses, even with an unmet condition.

        Section and Leader are ignored.
        """
        wanted = fold_text(self.keyword)
        gained = (own for clause in card.construction for own in (clause.keyword or "", *clause.keywords))
        return any(fold_text(own) == wanted for own in (*card.keywords, *gained))

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding if the sections have more than `limit` cards with the keyword. It lists the cards.

        Yield a warning for each card of unread text that may have the keyword, if the limit is exceeded only with such
        cards. Beside a finding, only the cards that it lists get a warning.
        """
        pooled = facts.count_over(self.sections).items()
        counted = {card: copies for card, copies in pooled if has_keyword(card, self.keyword, facts.leader)}
        unseen = {card: copies for card, copies in pooled if card.unseen and self._can_have_keyword(card)}
        if is_exceeded := sum(counted.values()) > self.limit:
            yield self._make_finding(list(counted.items()), facts)
        surely = sum(copies for card, copies in counted.items() if card not in unseen)
        if surely <= self.limit < sum({**counted, **unseen}.values()):
            for card in unseen:
                if card in counted or not is_exceeded:
                    yield unknown_facts_finding(card, facts.first_section(card), self.cite, ("text",))

    def _make_finding(self, counted: list[tuple[Card, int]], facts: DeckFacts) -> Finding:
        """Return the finding on too many cards with the keyword. `counted` are all these cards with their copies.

        `with_side`, if given, is cited if the cards outside of the side deck are within the limit.
        """
        sections: dict[str, int] = {}
        for section in self.sections:
            copies = facts.counts.get(section, {})
            if total := sum(copies.get(card, 0) for card, _ in counted):
                sections[section] = total
        return Finding(
            KEYWORD_EXCEEDED,
            self.with_side if self.with_side and sum_without_side(sections) <= self.limit else self.cite,
            next(iter(sections)),
            cards=NamedCard.from_counts(counted),
            count=sum(sections.values()),
            limit=self.limit,
            keyword=self.keyword,
            details={"sections": sections},
        )


CLASS_EXCEEDED = Code(
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

    codes: ClassVar[tuple[Code, ...]] = (CLASS_EXCEEDED,)

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
                    CLASS_EXCEEDED,
                    reading or self.cite,
                    section,
                    cards=NamedCard.from_counts(counted),
                    count=total,
                    limit=self.limit,
                    details={"class": self.type},
                )
