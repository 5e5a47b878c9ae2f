"""The number of cards with one keyword in a deck, all such cards together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts, sum_without_side
from validator.findings import AT_MOST, Citation, Code, Finding, NamedCard
from validator.matching import fold_text, holds
from validator.rules import unknown_facts
from validator.rules.base import Rule, Scope

EXCEEDED = Code(
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

    codes: ClassVar[tuple[Code, ...]] = (EXCEEDED, unknown_facts.UNKNOWN)

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
                    yield unknown_facts.unknown_facts_finding(card, facts.first_section(card), self.cite, ("text",))

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
            EXCEEDED,
            self.with_side if self.with_side and sum_without_side(sections) <= self.limit else self.cite,
            next(iter(sections)),
            cards=NamedCard.from_counts(counted),
            count=sum(sections.values()),
            limit=self.limit,
            keyword=self.keyword,
            details={"sections": sections},
        )
