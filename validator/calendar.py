"""Calendars: what decks are judged by over the years, and the days on which that changes, each with its source."""

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
LAST_DAY = date(2049, 12, 31)  # blocks rotate for ever; nobody knows what is played then
_DAY = timedelta(days=1)


class Breakpoint(NamedTuple):
    """A day on which what decks are judged by changes: for which of the CAUSES, and where that is written.

    `source` is the address of the announcement, "" where it has none; `announced` its day, where it is known.
    `numbers` are the cards that it is about, None where it may be about any.
    """

    day: date
    cause: str
    cite: Citation
    source: str = ""
    announced: date | None = None
    numbers: frozenset[str] | None = None


@dataclass(frozen=True)
class Calendar:
    """All by which decks of a game are judged in one region, format and length of match under one policy.

    `edition` is the id of a ruleset that is to hold on every day; without it each holds on its own days. The
    release of cards changes nothing here: it is asked of the cards themselves.
    """

    game: str
    region: str = "en"
    format: str = "standard"
    policy: Policy = field(default_factory=Policy)
    edition: str | None = None
    best_of: int | None = None

    def terms(self, on: date) -> Terms:
        """Return what decks are judged by on a day; a ValueError says what there is not."""
        ruleset = rulesets()[self.edition] if self.edition else of_game(self.game, on)
        return Terms(ruleset, on, self.region, self.format, self.policy, self.best_of)

    @property
    def of_lists(self) -> Calendar:
        """The same without the release of cards, so that between its events nothing changes."""
        return replace(self, policy=replace(self.policy, release=False, release_delay_days=0))

    def since(self, on: date) -> date:
        """Return the first day of what holds on a day, `date.min` before the first event."""
        days = _days(self)
        found = bisect_right(days, on)
        return days[found - 1] if found else date.min

    def events(self, first: date, last: date) -> list[Breakpoint]:
        """Return what happens after the first day and to the last, in order."""
        return [event for event in _events(self) if first < event.day <= last]

    @property
    def first_day(self) -> date | None:
        """The first day that anything is known of: of the game's editions, lists and sets; None without any."""
        days = [one.in_force_from for one in successive(self.game) if one.in_force_from]
        days += limits.load(self.game).dates(self.region)
        region = limits.load(self.game).region_of_days(self.region)
        released = (one.released.get(region) for one in limits.sets(self.game).by_code.values())
        days += (date.fromisoformat(release.day) for release in released if release)
        return min(days, default=None)


@lru_cache(MOST_CALENDARS)
def _events(of: Calendar) -> list[Breakpoint]:
    found = [*_editions(of), *_side_decks(of), *_limits(of), *_rotations(of)]
    return sorted(found, key=lambda event: (event.day, CAUSES.index(event.cause)))


@lru_cache(MOST_CALENDARS)
def _days(of: Calendar) -> list[date]:
    return sorted({event.day for event in _events(of)})


def _editions(of: Calendar) -> Iterator[Breakpoint]:
    """The first one holds before its first day, too; one that only repeats the one before it changes nothing."""
    for before, after in pairwise(successive(of.game) if of.edition is None else ()):
        if after.in_force_from and _demands(before) != _demands(after):
            cite = Citation(after.document, f"in force from {after.in_force_from}")
            yield Breakpoint(after.in_force_from, EDITION, cite)


def _side_decks(of: Calendar) -> Iterator[Breakpoint]:
    """Yield the days from which the length of a match gives an edition in force a side deck."""
    editions = [rulesets()[of.edition]] if of.edition else successive(of.game)
    for at, ruleset in enumerate(editions):
        rule = ruleset.match_side_deck
        later = next((one.in_force_from for one in editions[at + 1 :]), None)
        is_within = rule and (ruleset.in_force_from or date.min) <= rule.since < (later or date.max)
        if rule and (is_within or of.edition) and rule.allows(rule.since, of.best_of):
            yield Breakpoint(rule.since, EDITION, rule.cite)


def _demands(ruleset: Ruleset) -> list[object]:
    """Return what an edition demands of decks, wherever that is written in it."""
    rules = (*ruleset.rules.values(), *ruleset.with_side_deck.values())
    return [(kind, values | {"says": ""}) for kind, values in map(stated, rules)]


def _limits(of: Calendar) -> Iterator[Breakpoint]:
    """A change whose first day is not known happens twice: when it may begin, and when it has begun for sure."""
    listed = limits.load(of.game)
    for change in listed.changes_of(of.region) if of.policy.limits else ():
        if change.binds_in(of.best_of):
            for day in sorted({change.possible, change.day} - {date.max}):
                cite = Citation(listed.title, change.stated or f"from {day}")
                numbers = _changed(*(listed.on(one, of.region, of.best_of) for one in (day - _DAY, day)))
                yield Breakpoint(day, LIMITS, cite, change.source, change.announced, numbers)


def _changed(before: InForce, after: InForce) -> frozenset[str]:
    """Return the numbers of which a list says something else than it did."""
    changed = before.entries.items() ^ after.entries.items()
    return frozenset(number for numbers, _ in changed for number in numbers)


def _rotations(of: Calendar) -> Iterator[Breakpoint]:
    rotation = limits.rotation(of.game)
    for day in rotation.dates(LAST_DAY) if rotation else ():
        if rotation and rotation.allowed(of.format, day) is not None:
            yield Breakpoint(day, ROTATION, rotation.citation(day), rotation.source, rotation.announced)
