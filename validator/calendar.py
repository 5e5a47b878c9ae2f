"""Calendars: the terms by which decks are judged over the years, the days on which they change, and what changes then.

A Breakpoint is such a day, with its source. A Change is what begins or ends to be wrong with one deck on a day;
`validator.timeline` compares the verdicts of two days by it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from validator import limits, words
from validator.bounds import MOST_CALENDARS, MOST_CHANGED_CARDS
from validator.findings import WARNING, Citation, Finding, NamedCard
from validator.judge import Terms
from validator.language import ENGLISH, Language, Sayable
from validator.limits import InForce
from validator.rules import Policy
from validator.rules.official_list import BANNED, PAIR_BANNED, RESTRICTED
from validator.rules.release import UNRELEASED
from validator.rules.rotation import ROTATED
from validator.rulesets import Ruleset, of_game, rulesets, successive
from validator.rulesets.ruleset import stated

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


_CAUSE_OF = {
    BANNED.name: LIMITS,
    RESTRICTED.name: LIMITS,
    PAIR_BANNED.name: LIMITS,
    ROTATED.name: ROTATION,
    UNRELEASED.name: RELEASE,
}


@dataclass(frozen=True, slots=True)
class Change(Sayable):
    """Findings of one code that all begin on a day, or all end, for one of the calendar's CAUSES."""

    event: Breakpoint
    findings: tuple[Finding, ...]
    begins: bool

    @property
    def code(self) -> str:
        """The code of the findings."""
        return self.findings[0].code

    @property
    def cards(self) -> tuple[NamedCard, ...]:
        """The cards that the findings are about, each once."""
        return tuple(dict.fromkeys(card for finding in self.findings for card in finding.cards))

    def said(self, say: Language) -> str:
        """Return the change in a sentence of a language, without its full stop."""
        made = _BEGINS if self.begins else _ENDS
        return made[self.event.cause](self, say)

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form."""
        event = self.event
        return {
            "on": event.day.isoformat(),
            "cause": event.cause,
            "code": self.code,
            "begins": self.begins,
            "says": say("{text}.", text=self.said(say)),
            "cards": [{"number": card.number, "name": card.name} for card in self.cards],
            "rule": event.cite.as_dict(),
            "source": event.source or None,
            "announced": event.announced.isoformat() if event.announced else None,
        }


def same(finding: Finding) -> tuple[object, ...]:
    """Return what two findings of different days have in common if they say the same of a deck."""
    numbers = finding.count, finding.limit, finding.minimum
    return finding.code, finding.severity, finding.section, finding.cards, finding.keyword, finding.line, numbers


def changes(
    day: date, before: Sequence[Finding], after: Sequence[Finding], events: Sequence[Breakpoint]
) -> list[Change]:
    """Return what is said of a deck from a day on and was not before, and the other way round.

    `events` are those of the day, but for releases, which the findings themselves tell.
    """
    was, now = _apart(before, after), _apart(after, before)
    begun = [one for key, one in now.items() if key not in was]
    replaced = {(one.code, one.cards) for one in begun}
    ended = [one for key, one in was.items() if key not in now and (one.code, one.cards) not in replaced]
    return [*_grouped(day, begun, True, events), *_grouped(day, ended, False, events)]


def _apart(findings: Iterable[Finding], others: Iterable[Finding]) -> dict[object, Finding]:
    """Return the findings by what they say, without those that are the very ones of the others."""
    told = set(map(id, others))
    return {same(one): one for one in findings if id(one) not in told}


def _grouped(day: date, findings: Iterable[Finding], begins: bool, events: Sequence[Breakpoint]) -> Iterator[Change]:
    groups: dict[tuple[str, str, object], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.severity, finding.limit), []).append(finding)
    for group in groups.values():
        yield Change(_event(day, group[0], begins, events), tuple(group), begins)


def _event(day: date, finding: Finding, begins: bool, events: Sequence[Breakpoint]) -> Breakpoint:
    """Return what of a day's events a finding is owed to: the kind it belongs to, else the first."""
    cause = _CAUSE_OF.get(finding.code, EDITION)
    if cause == RELEASE:
        return Breakpoint(day, RELEASE, finding.rule)
    event = next((one for one in events if one.cause == cause), events[0])
    entry = finding.limits
    if begins and entry and cause == LIMITS:
        announced = date.fromisoformat(entry.announced) if entry.announced else None
        return event._replace(cite=finding.rule, source=entry.source, announced=announced)
    return event


def _cards(of: Change, say: Language) -> str:
    """Return the cards in words, as many as can be taken in."""
    named = [card.label for card in of.cards]
    if len(named) > MOST_CHANGED_CARDS + 1:
        more = len(named) - MOST_CHANGED_CARDS
        named = [*named[:MOST_CHANGED_CARDS], say.plural("{count} more card", "{count} more cards", more)]
    return words.joined(named, say)


def _of_cards(one: str, many: str, of: Change, say: Language, /, **values: object) -> str:
    """Return the sentence of a change of one card, or of several."""
    return say.plural(one, many, len(of.cards), cards=_cards(of, say), **values)


def _limits_begin(of: Change, say: Language) -> str:
    made = _MAY_BEGIN if of.findings[0].severity == WARNING else _LISTED
    return made[of.code](of, say) if of.code in made else _without_stop(of.findings[0], say)


def _limits_end(of: Change, say: Language) -> str:
    return _UNLISTED[of.code](of, say) if of.code in _UNLISTED else _no_longer(of, say)


_Telling = Mapping[str, Callable[[Change, Language], str]]
_LISTED: _Telling = {
    BANNED.name: lambda of, say: _of_cards("{cards} is banned", "{cards} are banned", of, say),
    RESTRICTED.name: lambda of, say: _of_cards(
        "{cards} is restricted to {limit}", "{cards} are restricted to {limit}", of, say, limit=of.findings[0].limit
    ),
    PAIR_BANNED.name: lambda of, say: say("{cards} are banned from one deck", cards=_cards(of, say)),
}
_MAY_BEGIN: _Telling = {
    BANNED.name: lambda of, say: say("{cards} may already be banned", cards=_cards(of, say)),
    RESTRICTED.name: lambda of, say: say(
        "{cards} may already be restricted to {limit}", cards=_cards(of, say), limit=of.findings[0].limit
    ),
    PAIR_BANNED.name: lambda of, say: say("{cards} may already be banned from one deck", cards=_cards(of, say)),
}
_UNLISTED: _Telling = {
    BANNED.name: lambda of, say: _of_cards("{cards} is no longer banned", "{cards} are no longer banned", of, say),
    RESTRICTED.name: lambda of, say: _of_cards(
        "{cards} is no longer restricted", "{cards} are no longer restricted", of, say
    ),
    PAIR_BANNED.name: lambda of, say: say("{cards} are no longer banned from one deck", cards=_cards(of, say)),
}


def _rotation_begins(of: Change, say: Language) -> str:
    blocks = sorted({str(finding.details["block"]) for finding in of.findings if "block" in finding.details})
    called = say.plural("block {blocks}", "blocks {blocks}", len(blocks), blocks=words.joined(blocks, say))
    return _of_cards("{cards} rotates ({blocks})", "{cards} rotate ({blocks})", of, say, blocks=called)


def _rotation_ends(of: Change, say: Language) -> str:
    return _of_cards("{cards} is of a block that is taken again", "{cards} are of a block that is taken again", of, say)


def _released(of: Change, say: Language) -> str:
    if of.findings[0].severity == WARNING:
        return _of_cards("{cards} counts as released", "{cards} count as released", of, say)
    if any(finding.details.get("delay_days") for finding in of.findings):
        return _of_cards("{cards} becomes legal", "{cards} become legal", of, say)
    return _of_cards("{cards} is released", "{cards} are released", of, say)


def _unreleased(of: Change, say: Language) -> str:
    if of.findings[0].severity == WARNING:
        return _of_cards(
            "{cards} may be released from this day on", "{cards} may be released from this day on", of, say
        )
    return _of_cards("{cards} is not released yet", "{cards} are not released yet", of, say)


def _edition_begins(of: Change, say: Language) -> str:
    return say("{document} comes into force: {first}", document=of.event.cite.document, first=_first(of, say))


def _no_longer(of: Change, say: Language) -> str:
    return say(
        "{document} comes into force, by which this no longer holds: {first}",
        document=of.event.cite.document,
        first=_first(of, say),
    )


def _first(of: Change, say: Language) -> str:
    more, first = len(of.findings) - 1, _without_stop(of.findings[0], say)
    return say("{first}, and {more} more like it", first=first, more=more) if more else first


def _without_stop(finding: Finding, say: Language) -> str:
    return finding.kind.message(finding, say).rstrip(".。")


_BEGINS = {EDITION: _edition_begins, LIMITS: _limits_begin, ROTATION: _rotation_begins, RELEASE: _unreleased}
_ENDS = {EDITION: _no_longer, LIMITS: _limits_end, ROTATION: _rotation_ends, RELEASE: _released}
