"""Findings: what a rule has to say of a deck, as values; and the verdict they add up to."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from validator.cards import Card

ERROR = "error"
WARNING = "warning"
ADVICE = "advice"

# Every code a finding may have and what it means in a sentence: stable for ever (CONTRACT "Codes").
CODES: Mapping[str, str] = {
    "leader.count": "The leader section does not hold the number of Leaders the rules ask for.",
    "size": "A section has more or fewer cards than the rules allow.",
    "section.not_allowed": "The ruleset has no such section.",
    "type.misplaced": "A card stands in a section that its type may not be in.",
    "copies.exceeded": "There are more copies of one card than allowed.",
    "keyword.exceeded": "There are more cards with one keyword than allowed.",
    "class.exceeded": "There are more cards of one class than allowed.",
    "color.mismatch": "A card has a colour that the Leader does not have.",
    "effect.forbidden": "A card's text bars this card from the deck.",
    "effect.exceeded": "A card's text limits a group of cards, and there are more of them.",
    "card.unknown": "The catalogue asked holds no such card.",
    "card.ambiguous": "Several cards have this name; only a number tells which is meant.",
    "card.banned": "The official list bans this card on the day.",
    "card.restricted": "The official list allows fewer copies of this card on the day.",
    "pair.banned": "The official list bans these two cards from one deck.",
    "card.unreleased": "The card is not yet legal on the day.",
    "block.rotated": "The format does not take the card's block on the day.",
    "clause.unread": "The card's text says something of construction that could not be read.",
    "line.aside": "A line of the list is no part of the deck.",
    "line.unread": "A line of the list could not be read.",
    "swap.cards_changed": "After swapping, main and side deck together are not the same cards.",
    "swap.side_size": "After swapping, the side deck has not as many cards as before.",
    "advice.elite_without_warrior": "Elite Warriors, and no Warrior to sacrifice.",
    "advice.warlord_without_elite": "Warlords, and no Elite Warrior to sacrifice.",
    "advice.legendary_without_warlord": "Legendary Warriors, and no Warlord to sacrifice.",
    "advice.mulligan": "Fewer than 2 Warriors are likely in the first hand.",
}


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule is written: a document (a manual, an official list, a card) and a place in it."""

    document: str
    section: str

    def as_dict(self) -> dict[str, str]:
        """Return the public form."""
        return {"document": self.document, "section": self.section}


@dataclass(frozen=True, slots=True)
class Copies:
    """A card that a finding is about, and how many of it there are (None where it does not matter)."""

    number: str
    name: str
    count: int | None = None

    @classmethod
    def of(cls, card: Card, count: int | None = None) -> Copies:
        """Name a card of the catalogue."""
        return cls(card.number, card.name, count)

    @classmethod
    def listed(cls, counted: Iterable[tuple[Card, int]]) -> tuple[Copies, ...]:
        """Name several cards, by number whatever their order in the deck."""
        return tuple(sorted((cls.of(*pair) for pair in counted), key=lambda named: (named.number, named.name)))

    @property
    def label(self) -> str:
        """What a sentence calls the card."""
        return f"{self.number} {self.name}".strip()

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {"number": self.number, "name": self.name, "count": self.count}


@dataclass(frozen=True, slots=True)
class ListEntry:
    """The entry of an official limits list that a finding rests on; dates are ISO, None if unknown."""

    source: str
    announced: str | None
    effective_from: str | None
    effective_to: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "source": self.source,
            "announced": self.announced,
            "effective_from": self.effective_from,
            "effective_to": self.effective_to,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with (or worth saying of) a deck: code and details; `words` makes sentences of it.

    `count` is what the deck has; `limit` and `minimum` what the rule allows. `detail` holds what only
    the sentence needs (the types a section takes, a colour, a day).
    """

    code: str
    rule: Citation
    section: str | None = None
    severity: str = ERROR
    cards: tuple[Copies, ...] = ()
    count: int | None = None
    limit: int | None = None
    minimum: int | None = None
    keyword: str | None = None
    limits: ListEntry | None = None
    suggestions: tuple[Copies, ...] = ()
    line: int | None = None
    detail: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"{self.code!r} is no finding code; register it in validator.findings.CODES")
