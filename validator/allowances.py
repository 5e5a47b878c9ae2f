"""Allowances: how many copies of one card a deck may hold on a day, by region and format, and which rules say so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from validator.calendar import Calendar
from validator.cards import Card, Catalogue
from validator.deck import MOST_COPIES, Deck, Line
from validator.findings import AT_MOST, ERROR, Finding
from validator.judge import Judge, Verdict
from validator.legalities import calendars
from validator.rulesets import Ruleset


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
    """Return how many copies of a card of a catalogue may be played on a day, for every region and format."""
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
    """Yield what limits the copies of the card; only where nothing does, what limits its section."""
    found = [finding for finding in verdict.found if finding.limit is not None]
    about = [finding for finding in found if finding.kind.asks == AT_MOST and _names(finding, card)]
    if not any(finding.severity == ERROR for finding in about):
        about += [finding for finding in found if finding.section == section and not finding.cards]
    yield from about


def _names(finding: Finding, card: Card) -> bool:
    return any((one.number, one.name) == (card.number, card.name) for one in finding.cards)
