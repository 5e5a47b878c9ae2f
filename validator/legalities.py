"""Legalities and allowances, for every region and format of a game on a day.

A legality has whether a deck is legal and what is wrong; an allowance has how many copies of a card a deck may hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from validator import limits
from validator.calendar import Calendar
from validator.cards import Card, Catalogue
from validator.deck import MOST_COPIES, Deck, Line
from validator.findings import AT_MOST, ERROR, Finding
from validator.judge import Judge, Verdict
from validator.rules import Policy
from validator.rulesets import Ruleset, of_game
from validator.timeline import timeline


class Legality(NamedTuple):
    """Whether a deck is legal in one region and format on a day; `codes` of what is said of it, each once.

    `note` says what is not known of the region's official list.
    """

    region: str
    format: str
    ruleset: Ruleset
    legal: bool
    codes: list[str]
    note: str | None

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "region": self.region,
            "format": self.format,
            "ruleset": {"id": self.ruleset.id, "title": self.ruleset.title},
            "legal": self.legal,
            "codes": self.codes,
            "note": self.note,
        }


def calendars(game: str, on: date, policy: Policy | None = None, best_of: int | None = None) -> Iterator[Calendar]:
    """Yield the calendars of every region and format that a game has on a day."""
    for region in limits.load(game).regions:
        for format in of_game(game, on).formats:
            yield Calendar(game, region, format, policy or Policy(), best_of=best_of)


def legalities(
    deck: Deck,
    game: str,
    on: date,
    judge_on: Callable[[Calendar, date], Judge],
    policy: Policy | None = None,
    best_of: int | None = None,
) -> list[Legality]:
    """Return whether a deck is legal, for every region and format; `judge_on` is asked as `timeline` does."""
    found = []
    for calendar in calendars(game, on, policy, best_of):
        (interval,) = timeline(deck, calendar, partial(judge_on, calendar), on, on).intervals
        terms = calendar.terms(on)
        note = terms.in_force.note if terms.in_force else ""
        legality = Legality(
            calendar.region, calendar.format, terms.ruleset, interval.legal, interval.codes, note or None
        )
        found.append(legality)
    return found


class Allowance(NamedTuple):
    """The most copies of a card in one region and format, counted where `section` says.

    `section` is None and the most 0 where no section takes cards of its type. `findings` are what a Judge says of
    more copies than any deck has; those of a warning may not hold yet and do not count.
    """

    region: str
    format: str
    ruleset: Ruleset
    section: str | None
    most: int
    findings: tuple[Finding, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        return {
            "region": self.region,
            "format": self.format,
            "ruleset": {"id": self.ruleset.id, "title": self.ruleset.title},
            "section": self.section,
            "most": self.most,
            "because": [_reason(finding) for finding in self.findings],
        }


def _reason(of: Finding) -> dict[str, Any]:
    """Return the public form of a rule that limits a card: what a finding says of it, and nothing of a deck."""
    source = of.limits.source if of.limits else None
    return {"code": of.code, "limit": of.limit, "severity": of.severity, "rule": of.rule.as_dict(), "source": source}


def allowances(card: Card, on: date, catalogue: Catalogue) -> list[Allowance]:
    """Return the number of copies of a card that may be played on a day, for every region and format."""
    return [_allowance(card, calendar, on, catalogue) for calendar in calendars(card.game, on)]


def _allowance(card: Card, calendar: Calendar, on: date, catalogue: Catalogue) -> Allowance:
    terms = calendar.terms(on)
    section = next((name for name, types in terms.ruleset.types.items() if card.type in types), None)
    if section is None:
        return Allowance(calendar.region, calendar.format, terms.ruleset, None, 0, ())
    verdict = Judge(terms, catalogue)(_too_many(card, section))
    said = tuple(_about(card, section, verdict))
    most = min(finding.limit or 0 for finding in said if finding.severity == ERROR)
    return Allowance(calendar.region, calendar.format, terms.ruleset, section, most, said)


def _too_many(card: Card, section: str) -> Deck:
    line = Line(card.number or None, MOST_COPIES, None if card.number else card.name)
    return Deck(**{section: (line,)}, unread=())


def _about(card: Card, section: str, verdict: Verdict) -> Iterator[Finding]:
    """Yield the limits of the copies of the card. If there are none, yield the limits of its section."""
    found = [finding for finding in verdict.found if finding.limit is not None]
    about = [finding for finding in found if finding.kind.asks == AT_MOST and _names(finding, card)]
    if not any(finding.severity == ERROR for finding in about):
        about += [finding for finding in found if finding.section == section and not finding.cards]
    yield from about


def _names(finding: Finding, card: Card) -> bool:
    return any((one.number, one.name) == (card.number, card.name) for one in finding.cards)
