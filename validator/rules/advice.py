"""Advice: findings on legal decks that are probably not as intended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from validator import words
from validator.deck import DeckFacts
from validator.findings import ADVICE, Code, Finding, NamedCard
from validator.rules.base import Rule, Scope


def _sacrifice_code(name: str, means: str) -> Code:
    """Return a new code of advice with this name and meaning.

    The advice is on cards of a class that need another class.
    """
    return Code(
        name,
        means,
        lambda f, translate: translate(
            "{cards} of the class {kind}, but no {needs} to sacrifice.",
            cards=words.cards_text(f.count, translate),
            kind=f.details["class"],
            needs=f.details["needs"],
        ),
        lambda f, translate: translate(
            "Add {one}, or leave the {kind} out.",
            one=words.with_article(f.details["needs"], translate),
            kind=f.details["class"],
        ),
        {"class": (str, "The class of the cards."), "needs": (str, "The class that they need.")},
    )


@dataclass(frozen=True)
class Sacrifice(Rule):
    """Advice on cards of the class `type` if the main deck has no card of the class `needs`, which they need.

    `code` is the name of one of `codes`.
    """

    code: str
    type: str
    needs: str

    codes: ClassVar[tuple[Code, ...]] = (
        _sacrifice_code("advice.elite_without_warrior", "Elite Warriors, and no Warrior to sacrifice."),
        _sacrifice_code("advice.warlord_without_elite", "Warlords, and no Elite Warrior to sacrifice."),
        _sacrifice_code("advice.legendary_without_warlord", "Legendary Warriors, and no Warlord to sacrifice."),
    )

    def __post_init__(self) -> None:
        """Raise ValueError for a code that is not one of `codes`."""
        if self.code not in (names := [code.name for code in self.codes]):
            raise ValueError(f"unknown code {self.code!r}; write one of {', '.join(names)}")

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card of the class `type` in the main deck."""
        return Scope(("main",), cards=lambda card, section, leader: card.type == self.type)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one piece of advice with all cards of the class `type` in the main deck.

        Nothing if the main deck has a card of the class `needs`.
        """
        if any(card.type == self.needs for card in facts.main):
            return
        counted = [(card, copies) for card, copies in facts.main.items() if card.type == self.type]
        if counted:
            yield Finding(
                next(code for code in self.codes if code.name == self.code),
                self.cite,
                "main",
                ADVICE,
                cards=NamedCard.from_counts(counted),
                count=sum(copies for _, copies in counted),
                details={"class": self.type, "needs": self.needs},
            )


MULLIGAN = Code(
    "advice.mulligan",
    "Fewer than 2 Warriors are likely in the first hand.",
    lambda f, translate: translate(
        "With {count} {kind} cards, a first hand of {hand} has fewer than {fewest} of these cards in "
        "{chance:.1%} of games.",
        count=f.count,
        kind=f.details["class"],
        hand=f.details["hand"],
        fewest=f.details["fewest"],
        chance=f.details["chance"],
    ),
    lambda f, translate: translate("Add {kind} cards.", kind=f.details["class"]),
    {
        "class": (str, "The class of the cards."),
        "fewest": (int, "How many a hand must have."),
        "hand": (int, "The cards of a first hand."),
        "chance": (float, "The exact chance of fewer, from 0 to 1."),
    },
)


@dataclass(frozen=True)
class Mulligan(Rule):
    """Advice if a first hand has fewer than `fewest` cards of the class `type` with a chance of more than a half.

    `hand` is the number of cards of a first hand.
    """

    type: str
    fewest: int
    hand: int

    codes: ClassVar[tuple[Code, ...]] = (MULLIGAN,)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one piece of advice if the chance of a first hand with too few of these cards is more than a half.

        It contains the exact chance. Nothing if the main deck has fewer cards than a hand.
        """
        from validator.hypergeometric import at_most  # fractions are slow to import, and few ask for them

        deck = facts.sizes["main"]
        wanted = sum(copies for card, copies in facts.main.items() if card.type == self.type)
        if deck < self.hand:
            return
        chance = float(at_most(self.fewest - 1, wanted, deck, self.hand))
        if chance > 0.5:
            details = {"class": self.type, "fewest": self.fewest, "hand": self.hand, "chance": chance}
            yield Finding(MULLIGAN, self.cite, "main", ADVICE, count=wanted, details=details)
