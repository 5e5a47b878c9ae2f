"""Colours: the cards of the deck must have the colours of the Leader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import AT_MOST, Code, Finding, NamedCard
from validator.rules import unknown_facts
from validator.rules.base import Rule, Scope

MISMATCH = Code(
    "color.mismatch",
    "A card has a colour that the Leader does not have.",
    lambda f, translate: words.by_card_count(
        "{cards} is {colors}, but the Leader {leader} is {leader_colors}.",
        "{count} cards are {colors}, but the Leader {leader} is {leader_colors}: {cards}.",
        f,
        translate,
        colors="/".join(words.fact_names(f.details["colors"], translate)),
        leader=f"{f.details['leader']} {f.details['leader_name']}",
        leader_colors="/".join(words.fact_names(f.details["leader_colors"], translate)),
    ),
    words.fix_text,
    {
        "colors": (list, "The card's colours that the Leader lacks."),
        "leader": (str, "The Leader's number."),
        "leader_name": (str, "The Leader's name."),
        "leader_colors": (list, "The Leader's colours."),
    },
    together=("colors", "leader"),
    asks=AT_MOST,
)


@dataclass(frozen=True)
class Colors(Rule):
    """The rule that each colour of a card in these sections is a colour of the Leader."""

    sections: tuple[str, ...]

    codes: ClassVar[tuple[Code, ...]] = (MISMATCH, unknown_facts.UNKNOWN)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card that has a colour the Leader lacks, or unknown colours."""
        return Scope(
            ("leader", *self.sections),
            cards=self._is_foreign,
            fit=lambda leader: {"colors": leader.colors} if leader else {},
        )

    def _is_foreign(self, card: Card, section: str, leader: Card | None) -> bool:
        """Return True if a card has a colour that the Leader lacks, or if its colours are unknown.

        Without a Leader, or outside of the rule's sections, only unknown colours count.
        """
        if "colors" in card.unknown:
            return True
        return leader is not None and section in self.sections and not set(card.colors) <= set(leader.colors)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a finding for each card with a colour that the Leader lacks, and a warning for each of unknown colours.

        A card in two sections has two of them. Cards in a wrong section are ignored. If the Leader's colours are
        unknown, there is only a warning on the Leader. Nothing without a Leader.
        """
        leader = facts.leader
        if leader is None:
            return
        if "colors" in leader.unknown:
            yield unknown_facts.unknown_facts_finding(leader, "leader", self.cite, ("colors",))
            return
        for section in self.sections:
            for card, copies in facts.fitting_cards(section):
                if "colors" in card.unknown:
                    yield unknown_facts.unknown_facts_finding(card, section, self.cite, ("colors",))
                elif foreign := tuple(color for color in card.colors if color not in leader.colors):
                    yield self._make_finding(card, copies, section, foreign, leader)

    def _make_finding(self, card: Card, copies: int, section: str, foreign: tuple[str, ...], leader: Card) -> Finding:
        """Return the finding on the copies of a card in a section. `foreign` are its colours that the Leader lacks."""
        return Finding(
            MISMATCH,
            self.cite,
            section,
            cards=(NamedCard.from_card(card, copies),),
            count=copies,
            details={
                "colors": foreign,
                "leader": leader.number,
                "leader_name": leader.name,
                "leader_colors": leader.colors,
            },
        )
