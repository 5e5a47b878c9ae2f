"""Colours: those of the Leader, or their number in games without a Leader that decides the colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import AT_MOST, FEW_COLORS, Citation, Code, Finding, NamedCard
from validator.rules.base import UNKNOWN_FACTS, Rule, Scope, unknown_facts_finding

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

    codes: ClassVar[tuple[Code, ...]] = (MISMATCH, UNKNOWN_FACTS)

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
            yield unknown_facts_finding(leader, "leader", self.cite, ("colors",))
            return
        for section in self.sections:
            for card, copies in facts.fitting_cards(section):
                if "colors" in card.unknown:
                    yield unknown_facts_finding(card, section, self.cite, ("colors",))
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

    codes: ClassVar[tuple[Code, ...]] = (TOO_MANY, UNKNOWN_FACTS)

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
                    yield unknown_facts_finding(card, section, self.cite, ("colors",))
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
            if not set(pair[0].colors) <= set(kept)
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
