"""The official limits list in force on the day: cards banned, cards restricted, pairs banned."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import SECTIONS
from validator.deck import DeckFacts
from validator.findings import WARNING
from validator.findings import Citation
from validator.findings import Code
from validator.findings import Copies
from validator.findings import Finding
from validator.limits import Limit
from validator.limits import PairBan
from validator.rules.base import Rule

# A limits list counts the Leader, the deck, the side deck and the Z-Deck together (dbs: "between your
# deck and side deck"; optcg: "the Leader counts").
_LISTED = ("leader", "main", "side", "z")


def _since(finding: Finding) -> str:
    entry = finding.limits
    if entry is None:
        return ""
    since = f" since {entry.effective_from}" if entry.effective_from else ""
    doubt = ""
    if finding.severity == WARNING:
        doubt = " (the first day of this entry is not known: it may not have been in force yet)"
    return since + doubt


_HELD: Mapping[str, tuple[type, str]] = {"sections": (dict, "How many copies stand in each section.")}
BANNED = Code(
    "card.banned",
    "The official list bans this card on the day.",
    lambda f: f"{words.card(f)} is banned{_since(f)}.",
    words.remove,
    _HELD,
)
RESTRICTED = Code(
    "card.restricted",
    "The official list allows fewer copies of this card on the day.",
    lambda f: (
        f"{words.copies(f.count)} of {words.card(f)}{words.apart(f.details['sections'])}; "
        f"it is restricted to {f.limit}{_since(f)}."
    ),
    words.remove_surplus,
    _HELD,
)
PAIR_BANNED = Code(
    "pair.banned",
    "The official list bans these two cards from one deck.",
    lambda f: f"{words.joined([card.label for card in f.cards])} may not be in one deck{_since(f)}.",
    lambda f: f"Remove {words.joined([card.label for card in f.cards], 'or')}.",
)


@dataclass(frozen=True)
class Listed(Rule):
    """No more of a card than the list allows, by number, whatever the printing."""

    day: str
    singles: Mapping[str, Limit] = field(repr=False)

    codes: ClassVar[tuple[Code, ...]] = (BANNED, RESTRICTED)
    asked_by: ClassVar[frozenset[str] | None] = frozenset()

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card on the list."""
        return card.number in self.singles

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each card over its limit, in however many sections it stands."""
        held = [cards for section in _LISTED if (cards := facts.counts.get(section))]
        for card in dict.fromkeys([card for cards in held for card in cards if card.number in self.singles]):
            copies, limit = sum([cards.get(card, 0) for cards in held]), self.singles[card.number]
            if copies <= limit.limit or _not_yet(card, limit.severity, self.day):
                continue
            yield Finding(
                RESTRICTED if limit.limit else BANNED,
                Citation(self.cite.document, limit.section),
                facts.where(card),
                limit.severity,
                cards=(Copies.of(card, copies),),
                count=copies,
                limit=limit.limit,
                limits=limit.entry,
                details={"sections": facts.held(card, _LISTED)},
            )

    def parameters(self) -> Mapping[str, object]:
        """Return how long the list is; the list itself has an endpoint of its own."""
        return {"cards": len(self.singles)}


@dataclass(frozen=True)
class Pairs(Rule):
    """No two cards together that the list bans as a pair; the Leader counts."""

    day: str
    pairs: tuple[PairBan, ...] = field(repr=False)

    codes: ClassVar[tuple[Code, ...]] = (PAIR_BANNED,)
    asked_by: ClassVar[frozenset[str] | None] = frozenset()

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card of a banned pair."""
        return any(card.number in (pair.a, pair.b) for pair in self.pairs)

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each pair, naming both cards."""
        found = {card.number: (card, copies) for card, copies in facts.pooled(_LISTED).items()}
        for pair in self.pairs:
            if pair.a in found and pair.b in found:
                both = found[pair.a], found[pair.b]
                yield Finding(
                    PAIR_BANNED,
                    Citation(self.cite.document, pair.section),
                    min((facts.where(card) for card, _ in both), key=SECTIONS.index),
                    pair.severity,
                    cards=tuple(Copies.of(card, copies) for card, copies in both),
                    limits=pair.entry,
                )

    def parameters(self) -> Mapping[str, object]:
        """Return how many pairs there are; the list itself has an endpoint of its own."""
        return {"pairs": len(self.pairs)}


def _not_yet(card: Card, severity: str, day: str) -> bool:
    """Tell whether an entry of unknown first day cannot bind yet: its card was not out on the day."""
    return severity == WARNING and card.released is not None and card.released > day
