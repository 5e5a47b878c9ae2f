"""The card types that may be in a section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import SECTIONS, DeckFacts
from validator.findings import AT_MOST, Citation, Code, Finding, NamedCard
from validator.rules.base import UNKNOWN_FACTS, Rule, Scope, unknown_facts_finding

MISPLACED = Code(
    "type.misplaced",
    "A card stands in a section that its type may not be in.",
    lambda f, translate: words.by_card_count(
        "{cards} is of the type {type}, but the {section} allows {allowed}.",
        "{count} cards are of the type {type}, but the {section} allows {allowed}: {cards}.",
        f,
        translate,
        type=translate.template(f.details["type"]),
        section=words.section_name(f.section, translate),
        allowed=words.join_with_commas(words.fact_names(f.details["allowed"], translate), translate),
    ),
    words.fix_text,
    {"type": (str, "The card's type."), "allowed": (list, "The types that the section takes.")},
    together=("type",),
    asks=AT_MOST,
)


@dataclass(frozen=True)
class Types(Rule):
    """The rule that a section has only cards of these types.

    `z_cards`, if given, is cited for Z-Cards that the section does not allow.
    """

    section: str
    types: tuple[str, ...]
    z_cards: Citation | None = None

    codes: ClassVar[tuple[Code, ...]] = (MISPLACED, UNKNOWN_FACTS)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card of another type in this section."""
        return Scope(
            (self.section,),
            cards=lambda card, section, leader: card.type not in self.types,
            fit=lambda leader: {"types": self.types},
        )

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each card of another type, or a warning if its type is unknown.

        A card that is in two wrong sections has a finding only in the first.
        """
        for card, copies in facts.counts.get(self.section, {}).items():
            if card.type in self.types or self._is_found_before(card, facts):
                continue
            if "type" in card.unknown:
                yield unknown_facts_finding(card, self.section, self.cite, ("type",))
                continue
            yield Finding(
                MISPLACED,
                self._choose_citation(card),
                self.section,
                cards=(NamedCard.from_card(card, copies),),
                count=copies,
                details={"type": card.type, "allowed": self.types},
            )

    def _choose_citation(self, card: Card) -> Citation:
        """Return the citation for a misplaced card: `z_cards` for Z-Cards if the rule has it, else that of the rule."""
        return self.z_cards if self.z_cards and card.type.startswith("Z-") else self.cite

    def _is_found_before(self, card: Card, facts: DeckFacts) -> bool:
        """Return True if the card is also in an earlier section that its type may not be in."""
        earlier = SECTIONS[: SECTIONS.index(self.section)]
        return any(card in facts.counts.get(section, ()) and not facts.fits(card, section) for section in earlier)
