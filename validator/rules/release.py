"""Release: a card number is legal from its day in the region, or some days after where an event says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import ClassVar

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import AT_MOST, Code, Finding, NamedCard
from validator.limits import Release, Sets
from validator.rules.base import Rule

UNRELEASED = Code(
    "card.unreleased",
    "The card is not yet legal on the day.",
    lambda f, say: words.being(
        "{cards} is not legal before {day}.",
        "{count} cards are not legal before {day}: {cards}.",
        f,
        say,
        day=f.details["legal_from"],
    ),
    words.fix,
    {
        "legal_from": (str, "The card's first day at this event, ISO."),
        "released": (str, "The day of its release, ISO."),
        "delay_days": (int, "The days that the event adds."),
    },
    together=("legal_from",),
    asks=AT_MOST,
)


@dataclass(frozen=True)
class Released(Rule):
    """A card whose first day in the region is known is out, and the event's delay is over."""

    day: date
    region: str
    sets: Sets = field(repr=False)
    delay_days: int = 0

    codes: ClassVar[tuple[Code, ...]] = (UNRELEASED,)
    asked_by: ClassVar[frozenset[str] | None] = frozenset()

    def concerns(self, card: Card, section: str, leader: Card | None) -> bool:
        """A card that is not legal yet."""
        return self._too_early(card) is not None

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each such card, citing where its day is from."""
        for card, copies in facts.pooled(("leader", "main", "side", "z")).items():
            if found := self._too_early(card):
                release, legal_from = found
                yield Finding(
                    UNRELEASED,
                    release.cite,
                    facts.where(card),
                    cards=(NamedCard.of(card, copies),),
                    count=copies,
                    limit=0,
                    details={
                        "legal_from": legal_from.isoformat(),
                        "released": release.day,
                        "delay_days": self.delay_days,
                    },
                )

    def by_number(self, cards: Iterable[Card]) -> Mapping[str, object]:
        """Return the first legal days of the cards that are not legal yet."""
        return {card.number: found[1] for card in cards if (found := self._too_early(card))}

    def _too_early(self, card: Card) -> tuple[Release, date] | None:
        """Return the release and the first legal day of a card that is not legal yet, else None."""
        release = self.sets.release(card.number, self.region, card.released)
        if release is None:
            return None
        legal_from = date.fromisoformat(release.day) + timedelta(days=self.delay_days)
        return (release, legal_from) if legal_from > self.day else None
