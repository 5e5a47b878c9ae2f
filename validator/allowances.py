"""Allowances: how many copies of one card a deck may hold on a day, by region and format, and which rules say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple

from validator.calendar import Calendar
from validator.cards import Card
from validator.deck import MOST_COPIES, Deck, Line
from validator.findings import AT_MOST, ERROR, Finding
from validator.judge import Judge, Verdict, release
from validator.legalities import calendars
from validator.rules.release import Released
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


def allowances(card: Card, on: date, judge_on: Callable[[Calendar, date], Judge]) -> list[Allowance]:
    """Return how many copies of a card may be played, for every region and format; `judge_on` as for `legalities`."""
    return [_allowance(card, calendar, on, judge_on(calendar, on)) for calendar in calendars(card.game, on)]


def _allowance(card: Card, calendar: Calendar, on: date, judge: Judge) -> Allowance:
    terms = calendar.terms(on)
    section = next((name for name, types in terms.ruleset.types.items() if card.type in types), None)
    if section is None:
        return Allowance(calendar.region, calendar.format, terms.ruleset, None, 0, ())
    verdict = judge(_too_many(card, section))
    said = tuple(_about(card, section, verdict, next(release(terms), None)))
    most = min(finding.limit or 0 for finding in said if finding.severity == ERROR)
    return Allowance(calendar.region, calendar.format, terms.ruleset, section, most, said)


def _too_many(card: Card, section: str) -> Deck:
    line = Line(card.number or None, MOST_COPIES, None if card.number else card.name)
    return Deck(**{section: (line,)}, unread=())


def _about(card: Card, section: str, verdict: Verdict, released: Released | None) -> Iterator[Finding]:
    """Yield what limits the copies of the card; only where nothing does, what limits its section."""
    early = released.check(verdict.facts) if released else ()
    found = [finding for finding in (*verdict.findings, *early) if finding.limit is not None]
    about = [finding for finding in found if finding.kind.asks == AT_MOST and _names(finding, card)]
    if not any(finding.severity == ERROR for finding in about):
        about += [finding for finding in found if finding.section == section and not finding.cards]
    yield from about


def _names(finding: Finding, card: Card) -> bool:
    return any((one.number, one.name) == (card.number, card.name) for one in finding.cards)
