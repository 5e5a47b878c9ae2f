"""Release: a card number is legal from its release day in the region, or some days later if an event adds a delay.

A card without a known day has bounds. It is not legal before the first possible day, and may be legal between the
bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import ClassVar, NamedTuple

from validator import words
from validator.cards import Card
from validator.deck import DeckFacts
from validator.findings import AT_MOST, ERROR, WARNING, Citation, Code, Finding, NamedCard
from validator.language import Language, phrase
from validator.limits import DayLimit, GameLists
from validator.rules.base import PLAYED, Rule, Scope


def _release_message(finding: Finding, translate: Language) -> str:
    """Return the message on cards that are not legal before a day, with the reason.

    For a warning: that they may not be released yet, and between which days the unknown day is.
    """
    details = finding.details
    if finding.severity == WARNING and details["not_before"]:
        return words.by_card_count(
            "{cards} may not be released yet. The first day is not known, but is between {first} and {last}.",
            "{count} cards may not be released yet. Their first day is not known, but is between "
            "{first} and {last}: {cards}.",
            finding,
            translate,
            first=details["not_before"],
            last=details["no_later_than"],
        )
    if finding.severity == WARNING:
        return words.by_card_count(
            "{cards} may not be released yet. The first day is not known, but is {last} at the latest.",
            "{count} cards may not be released yet. Their first day is not known, but is {last} at "
            "the latest: {cards}.",
            finding,
            translate,
            last=details["no_later_than"],
        )
    sentence = words.by_card_count(
        "{cards} is not legal before {day}.",
        "{count} cards are not legal before {day}: {cards}.",
        finding,
        translate,
        day=details["legal_from"],
    )
    if not details["reasons"]:
        return sentence
    reason = "; ".join(map(translate.text, details["reasons"]))
    return translate("{sentence} The reason: {reason}.", sentence=sentence, reason=reason)


def _fix(finding: Finding, translate: Language) -> str:
    """Return the fix of `card.unreleased`: to remove the card, or for a warning to look up its day."""
    if finding.severity == WARNING:
        return translate("Look up the day of release, or ask the organiser.")
    return words.fix_text(finding, translate)


UNRELEASED = Code(
    "card.unreleased",
    "The card is not yet legal on the day; as a warning, it may not be released yet, and its day is not known.",
    _release_message,
    _fix,
    {
        "legal_from": (str, "The card's first day at this event, ISO; of a warning, the day on which it ends."),
        "released": (str, "The day of its release, ISO; null if it is not known."),
        "delay_days": (int, "The days that the event adds."),
        "not_before": (str, "The first possible day of a release that no list gives, ISO; else null."),
        "no_later_than": (str, "The last possible day of a release that no list gives, ISO; else null."),
        "reasons": (list, "Why the release lies within these days; empty if it is known."),
    },
    together=("legal_from", "reasons"),
    asks=AT_MOST,
)


class Wait(NamedTuple):
    """The days before `until` on which a card is not legal (error) or may not be legal (warning).

    `until` includes the event's delay, the other days do not. A warning begins where the error before it ends.
    `released` is the release day (ISO), None if unknown. `not_before` and `no_later_than` are the days that limit an
    unknown one, with `reasons` for people. They are None, and `reasons` is (), if a list has the day.
    """

    until: date
    severity: str
    cite: Citation
    released: str | None = None
    not_before: DayLimit | None = None
    no_later_than: DayLimit | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Released(Rule):
    """The rule that a card's release day in the region, plus the event's delay, is not after the day.

    `lists` has the known release days, and the days that limit unknown ones. `known_to` is the day on which the
    catalogue's cards were collected: all of them are released by then. None if that day is unknown. Cards without a
    known day and without any bound are legal.
    """

    day: date
    region: str
    lists: GameLists = field(repr=False)
    delay_days: int = 0
    known_to: date | None = None

    codes: ClassVar[tuple[Code, ...]] = (UNRELEASED,)

    def scope(self) -> Scope:
        """Return the scope of the rule: decks with a card that is not legal yet, or may not be."""
        return Scope(PLAYED, listed=self._first_legal_day)

    def _first_legal_day(self, card: Card) -> tuple[date, str] | None:
        """Return the day on which the card's finding ends, and its severity.

        None if the card has no finding on the rule's day.
        """
        wait = self._current_wait(card)
        return (wait.until, wait.severity) if wait else None

    def check(self, facts: DeckFacts) -> Iterator[Finding]:
        """Yield one finding for each card that is not legal yet, and a warning for each that may not be.

        The DON!! and resource decks are not checked.
        """
        for card, copies in facts.count_over(PLAYED).items():
            if wait := self._current_wait(card):
                yield self._make_finding(card, copies, wait, facts.first_section(card))

    def spans(self, facts: DeckFacts) -> Iterator[tuple[date, date, Finding]]:
        """Yield `(first day, day after the last, finding)` for the findings on the rule's day and on later days.

        A card can have two findings in succession. The first day is `date.min` for the first of them, else the end of
        the one before.
        """
        for card, copies in facts.count_over(PLAYED).items():
            since = date.min
            for wait in self.waits(card):
                if wait.until > self.day:
                    yield since, wait.until, self._make_finding(card, copies, wait, facts.first_section(card))
                since = wait.until

    def waits(self, card: Card) -> Iterator[Wait]:
        """Yield the periods before a card is surely legal, in order, with the event's delay.

        An error is before a warning. A known release day is one period. Of an unknown one, the first period ends with
        the first possible day. The second ends with the expected or the last possible day, if that is earlier. It is
        missing without a last possible day, which is never later than `known_to`. Nothing for a card without any such
        day.
        """
        if release := self.lists.sets.release(card.number, self.region, card.released):
            yield Wait(self._add_delay(date.fromisoformat(release.day)), ERROR, release.cite, release.day)
            return
        first, expected, last = self.lists.bounds(self.region).find_bounds(card)
        exact = first.day.isoformat() if first and last and first.day == last.day else None
        if self._collected and (last is None or self._collected.day < last.day):
            last = self._collected
        if first:
            yield Wait(self._add_delay(first.day), ERROR, first.cite, exact, first, last, (first.reason,))
        until = min([limit for limit in (expected, last and last.day) if limit], default=None)
        if last and until and (first is None or until > first.day):
            reasons = tuple(limit.reason for limit in (first, last) if limit)
            yield Wait(self._add_delay(until), WARNING, (first or last).cite, None, first, last, reasons)

    def _current_wait(self, card: Card) -> Wait | None:
        """Return the period of `waits` that contains the rule's day, None if the card is surely legal by then."""
        return next((wait for wait in self.waits(card) if wait.until > self.day), None)

    @cached_property
    def _collected(self) -> DayLimit | None:
        """The day `known_to` as the latest possible release day of every card of the catalogue.

        None if `known_to` is None.
        """
        day = self.known_to
        return DayLimit(day, phrase("the catalogue of {day} has the card", day=day), self.cite) if day else None

    def _add_delay(self, day: date) -> date:
        """Return a day, later by the days that the event adds to each release."""
        return day + timedelta(days=self.delay_days)

    def _make_finding(self, card: Card, copies: int, wait: Wait, section: str) -> Finding:
        """Return the finding on the copies of a card that is in this period before its release.

        `section` is its first section.
        """
        return Finding(
            UNRELEASED,
            wait.cite,
            section,
            wait.severity,
            cards=(NamedCard.from_card(card, copies),),
            count=copies,
            limit=0,
            details={
                "legal_from": wait.until.isoformat(),
                "released": wait.released,
                "delay_days": self.delay_days,
                "not_before": wait.not_before.day.isoformat() if wait.not_before else None,
                "no_later_than": wait.no_later_than.day.isoformat() if wait.no_later_than else None,
                "reasons": wait.reasons,
            },
        )
