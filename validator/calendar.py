"""Calendars: the terms by which decks are judged over the years, and the days on which they change, with sources."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from validator import limits
from validator.bounds import MOST_CALENDARS
from validator.findings import Citation
from validator.judge import Terms
from validator.limits import InForce
from validator.rules import Policy
from validator.rulesets import Ruleset, of_game, rulesets, successive
from validator.rulesets.amendments import stated

EDITION, LIMITS, ROTATION, RELEASE = CAUSES = ("edition", "limits", "rotation", "release")
LAST_DAY = date(2049, 12, 31)  # rotation has no end, but later rules are unknown
_DAY = timedelta(days=1)


class Breakpoint(NamedTuple):
    """A day on which the terms change, with its cause (one of CAUSES) and its citation.

    `source` is the address of the announcement, "" if it has none. `announced` is the day of the announcement, None if
    unknown. `numbers` are the cards that may be affected, None if all may be.
    """

    day: date
    cause: str
    cite: Citation
    source: str = ""
    announced: date | None = None
    numbers: frozenset[str] | None = None


@dataclass(frozen=True)
class Calendar:
    """All terms by which decks of a game are judged in one region, format and length of match under one policy.

    `edition` is the id of a ruleset that is used on every day. If it is None, each ruleset is used on its own days. The
    release of cards is no event of a calendar, because it depends on the cards of a deck.
    """

    game: str
    region: str = "en"
    format: str = "standard"
    policy: Policy = field(default_factory=Policy)
    edition: str | None = None
    best_of: int | None = None

    def terms(self, day: date) -> Terms:
        """Return the terms of a day. Raises ValueError if the region or format does not exist."""
        ruleset = rulesets()[self.edition] if self.edition else of_game(self.game, day)
        return Terms(ruleset, day, self.region, self.format, self.policy, self.best_of)

    @property
    def of_lists(self) -> Calendar:
        """The same calendar without the release of cards, so that nothing changes between its events."""
        return replace(self, policy=replace(self.policy, release=False, release_delay_days=0))

    def since(self, day: date) -> date:
        """Return the day of the last event up to a day, `date.min` before the first event."""
        days = _event_days(self)
        found = bisect_right(days, day)
        return days[found - 1] if found else date.min

    def events(self, first: date, last: date) -> list[Breakpoint]:
        """Return the events after the first day up to the last day, in order."""
        return [event for event in _find_events(self) if first < event.day <= last]

    @property
    def first_day(self) -> date | None:
        """The first known day of the game's editions, lists and sets. None if there is none."""
        days = [one.in_force_from for one in successive(self.game) if one.in_force_from]
        days += limits.load(self.game).dates(self.region)
        region = limits.load(self.game).region_of_days(self.region)
        released = (one.released.get(region) for one in limits.sets(self.game).by_code.values())
        days += (date.fromisoformat(release.day) for release in released if release)
        return min(days, default=None)


@lru_cache(MOST_CALENDARS)
def _find_events(calendar: Calendar) -> list[Breakpoint]:
    """Return all events of a calendar, in order. The result is cached."""
    found = [
        *_edition_events(calendar),
        *_side_deck_events(calendar),
        *_limits_events(calendar),
        *_rotation_events(calendar),
    ]
    return sorted(found, key=lambda event: (event.day, CAUSES.index(event.cause)))


@lru_cache(MOST_CALENDARS)
def _event_days(calendar: Calendar) -> list[date]:
    """Return the days of a calendar's events, in order. The result is cached."""
    return sorted({event.day for event in _find_events(calendar)})


def _edition_events(calendar: Calendar) -> Iterator[Breakpoint]:
    """Yield an event for each new edition with other rules than the one before it.

    The first edition is no event. There is no event if the calendar has a fixed edition.
    """
    for before, after in pairwise(successive(calendar.game) if calendar.edition is None else ()):
        if after.in_force_from and _comparable_rules(before) != _comparable_rules(after):
            cite = Citation(after.document, f"in force from {after.in_force_from}")
            yield Breakpoint(after.in_force_from, EDITION, cite)


def _side_deck_events(calendar: Calendar) -> Iterator[Breakpoint]:
    """Yield the days from which the length of a match allows a side deck in the edition in force."""
    editions = [rulesets()[calendar.edition]] if calendar.edition else successive(calendar.game)
    for index, ruleset in enumerate(editions):
        rule = ruleset.match_side_deck
        later = next((edition.in_force_from for edition in editions[index + 1 :]), None)
        is_within = rule and (ruleset.in_force_from or date.min) <= rule.since < (later or date.max)
        if rule and (is_within or calendar.edition) and rule.allows(rule.since, calendar.best_of):
            yield Breakpoint(rule.since, EDITION, rule.cite)


def _comparable_rules(ruleset: Ruleset) -> list[object]:
    """Return the rules of an edition without their sentences and citations, for comparison."""
    rules = (*ruleset.rules.values(), *ruleset.with_side_deck.values())
    return [(kind, values | {"says": ""}) for kind, values in map(stated, rules)]


def _limits_events(calendar: Calendar) -> Iterator[Breakpoint]:
    """Yield the events of the official list.

    A change without a known first day is two events: the first possible day and the first certain one.
    """
    listed = limits.load(calendar.game)
    for change in listed.changes_of(calendar.region) if calendar.policy.limits else ():
        if change.binds_in(calendar.best_of):
            for day in sorted({change.possible, change.day} - {date.max}):
                cite = Citation(listed.title, change.stated or f"from {day}")
                numbers = _changed_numbers(
                    *(listed.on(list_day, calendar.region, calendar.best_of) for list_day in (day - _DAY, day))
                )
                yield Breakpoint(day, LIMITS, cite, change.source, change.announced, numbers)


def _changed_numbers(before: InForce, after: InForce) -> frozenset[str]:
    """Return the numbers whose entries differ between two lists."""
    changed = before.entries.items() ^ after.entries.items()
    return frozenset(number for numbers, _ in changed for number in numbers)


def _rotation_events(calendar: Calendar) -> Iterator[Breakpoint]:
    """Yield the days on which a block leaves the format."""
    rotation = limits.rotation(calendar.game)
    for day in rotation.dates(LAST_DAY) if rotation else ():
        if rotation and rotation.allowed(calendar.format, day) is not None:
            yield Breakpoint(day, ROTATION, rotation.citation(day), rotation.source, rotation.announced)
