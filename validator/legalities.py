"""Legalities and allowances, for every region and format of a game on a day.

A legality is the result for a deck. An allowance is the number of copies of a card that a deck may contain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import Annotated, NamedTuple, TypedDict

from validator.calendar import Calendar
from validator.cards import Card, Catalogue
from validator.codes import finding_codes
from validator.deck import MOST_COPIES, Deck, Line
from validator.field_docs import doc
from validator.findings import AT_MOST, ERROR, CitationJSON, Finding
from validator.judge import Judge, Verdict
from validator.limits import GameLists
from validator.rules import Policy
from validator.rulesets import Ruleset, of_game
from validator.rulesets.ruleset import RulesetNameJSON
from validator.timeline import Interval, timeline


class LegalityJSON(TypedDict):
    """The legality of a deck in a region and format on one day, as JSON.

    `codes` are those of all its findings, each once.
    """

    region: str
    format: str
    ruleset: RulesetNameJSON
    legal: bool
    codes: list[str]
    note: Annotated[str | None, doc("The gaps in the official list of the region. null if nothing is missing.")]


class Legality(NamedTuple):
    """The result for a deck in one region and format on a day.

    `codes` are those of its findings, of warnings and advice too, each once in their order. `note` is a sentence for
    people about unknown parts of the region's official list, None if there are none or the policy ignores the list.
    `interval` is that day with its findings.
    """

    region: str
    format: str
    ruleset: Ruleset
    legal: bool
    codes: list[str]
    note: str | None
    interval: Interval

    def as_dict(self) -> LegalityJSON:
        """Return the legality as JSON. The interval is left out."""
        return {
            "region": self.region,
            "format": self.format,
            "ruleset": {"id": self.ruleset.id, "title": self.ruleset.title},
            "legal": self.legal,
            "codes": self.codes,
            "note": self.note,
        }


def calendars(
    lists: GameLists, day: date, policy: Policy | None = None, best_of: int | None = None
) -> Iterator[Calendar]:
    """Yield a calendar for each region of the lists and each format that their game has on a day.

    They are sorted by the lists' order of regions, then by format. Without a policy it is `Policy()`.
    """
    for region in lists.listed.regions:
        for format in of_game(lists.game, day).formats:
            yield Calendar(lists.game, region, format, policy or Policy(), best_of=best_of, lists=lists)


def legalities(
    deck: Deck,
    lists: GameLists,
    day: date,
    judge_on: Callable[[Calendar, date], Judge],
    policy: Policy | None = None,
    best_of: int | None = None,
) -> list[Legality]:
    """Return the legality of a deck on a day for every region and format of the lists' game.

    `judge_on` returns the Judge of `calendar.of_lists` for a day. See `timeline`.
    """
    found = []
    for calendar in calendars(lists, day, policy, best_of):
        (interval,) = timeline(deck, calendar, partial(judge_on, calendar), day, day).intervals
        terms = calendar.terms(day)
        note = terms.in_force.note if terms.in_force else ""
        legality = Legality(
            calendar.region, calendar.format, terms.ruleset, interval.legal, interval.codes, note or None, interval
        )
        found.append(legality)
    return found


class AllowanceRuleJSON(TypedDict):
    """A rule that limits the copies of a card, or may do so soon (severity `warning`), as JSON."""

    code: Annotated[str, doc("Of the finding that a deck with more copies has.", enum=tuple(finding_codes()))]
    limit: Annotated[int, doc("The most copies by this rule.")]
    severity: Annotated[str, doc("`warning`: the rule may not be in force yet, and is ignored in `most`.")]
    rule: CitationJSON
    source: Annotated[str | None, doc("The page of the official list, if the rule is from a list.")]


class AllowanceJSON(TypedDict):
    """The most copies of a card that a deck may have in one region and format, as JSON.

    `most` is 0 if no section takes the card. `because` also has rules of severity `warning`, which do not lower `most`.
    """

    region: str
    format: str
    ruleset: RulesetNameJSON
    section: Annotated[str | None, doc("The section for the card. null if no section takes it.")]
    most: Annotated[int, doc("The most copies.")]
    because: Annotated[list[AllowanceRuleJSON], doc("The rules that more copies would break.")]


class Allowance(NamedTuple):
    """The most copies of a card in one region and format, counted in `section`, the first that takes cards of its type.

    `section` is None and `most` is 0 if no section takes cards of its type. `findings` are those of a Judge on more
    copies than any deck has, () without a section. Warnings among them may not be in force yet and do not lower `most`.
    """

    region: str
    format: str
    ruleset: Ruleset
    section: str | None
    most: int
    findings: tuple[Finding, ...]

    def as_dict(self) -> AllowanceJSON:
        """Return the allowance as JSON."""
        return {
            "region": self.region,
            "format": self.format,
            "ruleset": {"id": self.ruleset.id, "title": self.ruleset.title},
            "section": self.section,
            "most": self.most,
            "because": [_reason_json(finding) for finding in self.findings],
        }


def _reason_json(finding: Finding) -> AllowanceRuleJSON:
    """Return a rule that limits a card as JSON. The counts and cards of the finding are left out."""
    source = finding.limits.source if finding.limits else None
    return {
        "code": finding.code,
        "limit": finding.limit or 0,
        "severity": finding.severity,
        "rule": finding.rule.as_dict(),
        "source": source,
    }


def allowances(card: Card, day: date, catalogue: Catalogue, lists: GameLists) -> list[Allowance]:
    """Return the allowance of a card on a day for every region and format: the most copies, with the rules behind them.

    A Judge is made for each of them.
    """
    return [_find_allowance(card, calendar, day, catalogue) for calendar in calendars(lists, day)]


def _find_allowance(card: Card, calendar: Calendar, day: date, catalogue: Catalogue) -> Allowance:
    """Return the allowance of a card in one calendar on a day, from the findings on a deck of MOST_COPIES copies.

    The copies are in the first section that takes cards of its type. `most` is the lowest limit of the errors. Raises
    ValueError if no error limits the card.
    """
    terms = calendar.terms(day)
    section = next((name for name, types in terms.ruleset.types.items() if card.type in types), None)
    if section is None:
        return Allowance(calendar.region, calendar.format, terms.ruleset, None, 0, ())
    verdict = Judge(terms, catalogue)(_deck_with_copies(card, section))
    findings = tuple(_limits_on_card(card, section, verdict))
    most = min(finding.limit or 0 for finding in findings if finding.severity == ERROR)
    return Allowance(calendar.region, calendar.format, terms.ruleset, section, most, findings)


def _deck_with_copies(card: Card, section: str) -> Deck:
    """Return a deck of MOST_COPIES copies of one card in a section, more than any deck may have."""
    line = Line(card.number or None, MOST_COPIES, None if card.number else card.name)
    return Deck.from_sections({section: [line]})


def _limits_on_card(card: Card, section: str, verdict: Verdict) -> Iterator[Finding]:
    """Yield the findings that limit the copies of the card.

    Without an error among them, also those on its section's size.
    """
    found = [finding for finding in verdict.found if finding.limit is not None]
    about = [finding for finding in found if finding.kind.asks == AT_MOST and finding.has_card(card.number, card.name)]
    if not any(finding.severity == ERROR for finding in about):
        about += [finding for finding in found if finding.section == section and not finding.cards]
    yield from about
