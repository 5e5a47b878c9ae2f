"""The number of colours of a deck, in games without a Leader that decides the colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import FEW_COLORS, Citation, Code, Finding, NamedCard
from validator.rules import unknown_facts
from validator.rules.base import Rule, Scope

TOO_MANY = Code(
    "color.too_many",
    "The deck has cards of more colours than allowed.",
    lambda f, translate: translate(
        "The deck has cards of {count} colours ({colors}), but at most {limit} are allowed.",
        count=f.count,
        colors=words.join_with_commas(
            [f"{translate.template(color)} {held}" for color, held in f.details["colors"].items()], translate
        ),
        limit=f.limit,
    ),
    words.fix_text,
    {
        "colors": (dict, "How many cards of each colour there are."),
        "kept": (list, "The colours of the deck, or of the most cards, as many as are allowed."),
        "sections": (dict, "How many of the cards of the other colours stand in each section that counts."),
    },
    asks=FEW_COLORS,
)


@dataclass(frozen=True)
class ColorCount(Rule):
    """The rule that the cards of these sections together have at most `most` colours.

    Cards without a colour do not count. If the deck without its side deck is within the limit, its colours are kept and
    `with_side`, if given, is cited.
    """

    sections: tuple[str, ...]
    most: int
    with_side: Citation | None = None

    codes: ClassVar[tuple[Code, ...]] = (TOO_MANY, unknown_facts.UNKNOWN)

    def scope(self) -> Scope:
        """Return the scope of the rule: it reads only the colours of the cards in its sections.

        Unknown colours are a group of their own.
        """
        return Scope(self.sections, group_key=lambda card: (card.colors, "colors" in card.unknown))

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield a warning for each card of unknown colours in each section, then one finding on too many colours.

        Too many are more than `most` in all sections together. Cards in a wrong section are ignored.
        """
        copies_by_color: dict[str, int] = {}
        for section in self.sections:
            for card, copies in facts.fitting_cards(section):
                if "colors" in card.unknown:
                    yield unknown_facts.unknown_facts_finding(card, section, self.cite, ("colors",))
                for color in card.colors:
                    copies_by_color[color] = copies_by_color.get(color, 0) + copies
        if len(copies_by_color) > self.most:
            yield self._make_finding(facts, dict(sorted(copies_by_color.items(), key=lambda pair: (-pair[1], pair[0]))))

    def _make_finding(self, facts: DeckFacts, copies_by_color: dict[str, int]) -> Finding:
        """Return the finding on too many colours, with the cards that have another colour than those kept.

        `copies_by_color` has the most frequent colour first. The `most` first colours are kept. If the deck without its
        side deck is within the limit, its own colours come first, and `with_side` is cited.
        """
        deck = [card for section in self.sections if section != "side" for card, _ in facts.fitting_cards(section)]
        own = {color for card in deck for color in card.colors}
        is_by_side = len(own) <= self.most
        kept = tuple(sorted(copies_by_color, key=lambda color: is_by_side and color not in own))[: self.most]
        others = [
            (section, *pair)
            for section in self.sections
            for pair in facts.fitting_cards(section)
            if _has_other_color(pair[0], kept)
        ]
        sections = dict.fromkeys(self.sections, 0)
        cards: dict[Card, int] = {}
        for section, card, copies in others:
            sections[section] += copies
            cards[card] = cards.get(card, 0) + copies
        return Finding(
            TOO_MANY,
            self.with_side if self.with_side and is_by_side else self.cite,
            others[0][0],
            cards=NamedCard.from_counts(cards.items()),
            count=len(copies_by_color),
            limit=self.most,
            details={"colors": copies_by_color, "kept": kept, "sections": sections},
        )


def _has_other_color(card: Card, colors: tuple[str, ...]) -> bool:
    """Return True if a card has a colour that is not among `colors`. False for a card without colours."""
    return not set(card.colors) <= set(colors)
