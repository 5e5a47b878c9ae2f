"""Card pool: the only sets and cards that an organiser's list allows on the day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import AT_MOST, Code, Finding, NamedCard
from validator.language import Language
from validator.limits.lists import CardPool
from validator.rules.base import Rule, Scope

_PLAYED = ("leader", "main", "side", "z")
_MOST_NAMED_SETS = 8


def _describe_pool(finding: Finding, translate: Language) -> str:
    """Return the sets and the number of single cards that the pool allows: "OP01 and OP02; 3 single cards".

    Of more than 8 sets, there is only the number. An empty part is left out.
    """
    sets, cards = finding.details["sets"], finding.details["cards"]
    parts = []
    if len(sets) > _MOST_NAMED_SETS:
        parts.append(translate.plural("{count} set", "{count} sets", len(sets)))
    elif sets:
        parts.append(words.join_with_and(sets, translate))
    if cards:
        parts.append(translate.plural("{count} single card", "{count} single cards", cards))
    return "; ".join(parts)


NOT_IN_POOL = Code(
    "card.not_in_pool",
    "The organiser's list allows only certain sets or cards, and this card is not among them.",
    lambda f, translate: words.by_card_count(
        "{cards} is not in the card pool ({pool}).",
        "{count} cards are not in the card pool ({pool}): {cards}.",
        f,
        translate,
        pool=_describe_pool(f, translate),
    ),
    words.fix_text,
    {
        "sets": (list, "The sets of the pool: the part of their card numbers before the dash."),
        "cards": (int, "How many single cards the pool has besides these sets."),
    },
    together=("cards",),
    asks=AT_MOST,
)


@dataclass(frozen=True)
class InPool(Rule):
    """The rule that each card is in the card pool.

    The DON!! and resource decks are not checked.
    """

    pool: CardPool = field(repr=False)

    codes: ClassVar[tuple[Code, ...]] = (NOT_IN_POOL,)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card outside the pool.

        The DON!! and resource decks are not checked.
        """
        return Scope(_PLAYED, listed=self._foreign_set, fit=lambda leader: {"pool": (self.cite.document,)})

    def _foreign_set(self, card: Card) -> str | None:
        """Return the set code in the number of a card outside the pool, None for a card of the pool.

        A printing in the pool is enough.
        """
        return None if self.pool.has_card(card.number, card.printings) else card.number.partition("-")[0]

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each card outside the pool, with all its copies.

        DON!! and resource decks are not checked.
        """
        details = {"sets": self.pool.sets, "cards": len(self.pool.cards)}
        for card, copies in facts.count_over(_PLAYED).items():
            if self._foreign_set(card) is not None:
                yield Finding(
                    NOT_IN_POOL,
                    self.cite,
                    facts.first_section(card),
                    cards=(NamedCard.from_card(card, copies),),
                    count=copies,
                    limit=0,
                    limits=self.pool.entry,
                    details=details,
                )
