"""Timelines: the intervals of days on which the same is said of a deck, and what begins or ends each.

`headline` has what a timeline means on a day, in a sentence: how long a deck is legal, and what ends that.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby, pairwise
from typing import Any

from validator.calendar import ROTATION, Breakpoint, Calendar, Change, changes, same
from validator.deck import Deck, DeckFacts
from validator.findings import ERROR, Finding
from validator.judge import Judge, Terms, Verdict, order, release
from validator.language import ENGLISH, Language
from validator.unresolved import Suggestions

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Interval:
    """Days, both included, on each of which the same is said of a deck, and what changed on the first of them."""

    first: date
    last: date
    legal: bool
    findings: tuple[Finding, ...]
    changes: tuple[Change, ...] = ()

    @property
    def codes(self) -> list[str]:
        """The codes of the findings, each once"""
        return list(dict.fromkeys(finding.code for finding in self.findings))

    @property
    def because(self) -> str:
        """Why the interval begins, in a sentence; of the first one, what is wrong from the beginning."""
        return self.said(ENGLISH)

    def said(self, say: Language) -> str:
        """Return why the interval begins, in a sentence of a language."""
        because = "; ".join(change.said(say) for change in self.changes)
        return say("{text}.", text=because) if because else self.state(say)

    def state(self, say: Language) -> str:
        """Return the first of what is wrong, as a verdict says it, and how much more there is; "" where nothing is."""
        if not self.findings:
            return ""
        first, more = self.findings[0], len(self.findings) - 1
        return first.kind.message(first, say) + (say(" And {more} more.", more=more) if more else "")

    def as_dict(self, say: Language = ENGLISH) -> dict[str, Any]:
        """Return the public form (CONTRACT `POST /v1/timeline`)."""
        return {
            "from": self.first.isoformat(),
            "until": self.last.isoformat(),
            "legal": self.legal,
            "codes": self.codes,
            "because": self.said(say),
            "changes": [change.as_dict(say) for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class Timeline:
    """What is said of a deck over a range of days: intervals without a gap, each unlike the one before it."""

    calendar: Calendar
    intervals: tuple[Interval, ...]

    def on(self, day: date) -> Interval | None:
        """Return the interval that holds a day, None outside of the range."""
        if not self.intervals[0].first <= day <= self.intervals[-1].last:
            return None
        return self.intervals[bisect_right(self.intervals, day, key=lambda one: one.first) - 1]

    def ahead(self, day: date) -> list[Interval]:
        """Return the intervals that begin after a day: what is announced and not yet in force."""
        return [one for one in self.intervals if one.first > day]

    def spells(self) -> list[tuple[Interval, ...]]:
        """Return the intervals in groups of those that follow each other and are all legal, or none is."""
        return [tuple(group) for _, group in groupby(self.intervals, key=lambda one: one.legal)]


def timeline(deck: Deck, calendar: Calendar, judge_on: Callable[[date], Judge], first: date, last: date) -> Timeline:
    """Return what is said of a deck on each day of a range.

    `judge_on` gives the Judge of `calendar.of_lists` for a day; it is asked for `calendar.since` of the days on
    which something changes, and no others, so that whoever keeps its Judges has few to keep.
    """
    if first > last:
        raise ValueError(f"the first day, {first}, is after the last, {last}")
    alike: list[list[Interval]] = []
    for one in _judged(deck, calendar, judge_on, first, last):
        if alike and _is_same(alike[-1][-1], one):
            alike[-1].append(one)
        else:
            alike.append([one])
    whole = [replace(several[0], last=several[-1].last) for several in alike]
    begun = (_begun(before, one, calendar) for before, one in pairwise(whole))
    return Timeline(calendar, (whole[0], *begun))


def _is_same(one: Interval, other: Interval) -> bool:
    both = zip(one.findings, other.findings, strict=False)
    return len(one.findings) == len(other.findings) and all(a is b or same(a) == same(b) for a, b in both)


def _begun(before: Interval, one: Interval, calendar: Calendar) -> Interval:
    """Return an interval with what makes it differ from the one before it."""
    events = calendar.events(before.last, one.first)
    return replace(one, changes=tuple(changes(one.first, before.findings, one.findings, events)))


def _judged(
    deck: Deck, calendar: Calendar, judge_on: Callable[[date], Judge], first: date, last: date
) -> Iterator[Interval]:
    """Yield one judgement for each span between two events, parted where cards of the deck are released."""
    released = _Releases(calendar.terms(first))
    suggestions = Suggestions(0)  # a verdict says what may have been meant
    events = calendar.events(first, last)
    verdict: Verdict | None = None
    for start, end in _spans(first, last, (event.day for event in events)):
        if verdict is None or _concerned(verdict.facts, (event for event in events if event.day == start)):
            verdict = judge_on(calendar.since(start))(deck, suggestions)
        yield from _parted(verdict, released, start, end)


def _concerned(facts: DeckFacts, events: Iterable[Breakpoint]) -> bool:
    """Tell whether some of a day's events may change what is said of a deck."""
    about = [event.numbers for event in events]
    held = {card.number for counts in facts.counts.values() for card in counts}
    return any(numbers is None or not held.isdisjoint(numbers) for numbers in about)


def _spans(first: date, last: date, changing: Iterable[date]) -> Iterator[tuple[date, date]]:
    """Yield the first and the last day of each span in which nothing changes."""
    starts = sorted({first, *changing})
    for start, following in pairwise(starts):
        yield start, following - _DAY
    yield starts[-1], last


class _Releases:
    """The cards of a deck that come out in a range of days, each with the days on which it is not legal or may not be.

    A deck has the same sections on all days, unless an edition takes one that another does not.
    """

    def __init__(self, terms: Terms) -> None:
        """Take the terms of the first day of the range."""
        self._terms = terms
        self._found: dict[tuple[str, ...], list[tuple[date, date, Finding]]] = {}

    def of(self, facts: DeckFacts) -> list[tuple[date, date, Finding]]:
        """Return the findings, each with its first day and the day after its last"""
        sections = tuple(facts.counts)
        if sections not in self._found:
            rules = release(self._terms, facts.catalogue.as_of)
            self._found[sections] = [span for rule in rules for span in rule.spans(facts)]
        return self._found[sections]


def _parted(verdict: Verdict, released: _Releases, start: date, end: date) -> Iterator[Interval]:
    """Yield the parts of a span between the releases of the deck's cards."""
    ahead = [span for span in released.of(verdict.facts) if span[1] > start]
    for begin, until in _spans(start, end, (day for _, day, _ in ahead if day <= end)):
        early = [finding for first, after, finding in ahead if first <= begin < after]
        findings = sorted([*verdict.found, *early], key=order) if early else verdict.found
        legal = verdict.legal and all(finding.severity != ERROR for finding in early)
        yield Interval(begin, until, legal, tuple(findings))


_Spell = tuple[Interval, ...]


def headline(timeline: Timeline, day: date, say: Language = ENGLISH) -> str:
    """Return the outlook of a deck on a day: what is to come goes before what has been.

    A deck that is not legal any more is told when it was; a day outside of the range is the nearest one inside.
    """
    spells = timeline.spells()
    at = next((at for at, spell in enumerate(spells) if day <= spell[-1].last), len(spells) - 1)
    if spells[at][0].legal:
        return _legal(spells, at, say)
    return _to_come(spells, at, say) if at + 1 < len(spells) else _over(spells, at, day, say)


def _legal(spells: list[_Spell], at: int, say: Language) -> str:
    if at + 1 == len(spells):
        if not at:
            return say("Legal; nothing that is announced ends it.")
        return say("Legal since {day}; nothing that is announced ends it.", day=spells[at][0].first)
    end, last = spells[at + 1], spells[at][-1].last
    if at + 2 < len(spells):
        again = spells[at + 2][0].first
        return say("Legal until {day}, and again from {again}: {why}.", day=last, again=again, why=_why(end, say))
    return say("Legal until {day}; {end}.", day=last, end=_ended(end, say))


def _to_come(spells: list[_Spell], at: int, say: Language) -> str:
    """The deck is not legal, and will be."""
    begin = spells[at + 1]
    first, last, why = begin[0].first, begin[-1].last, _why(begin, say)
    if at + 2 < len(spells):
        return say("Not legal yet; legal from {first} until {last}: {why}.", first=first, last=last, why=why)
    return say("Not legal yet; legal from {first}: {why}.", first=first, why=why)


def _over(spells: list[_Spell], at: int, day: date, say: Language) -> str:
    """The deck is not legal on a day, and will not be as far as is known."""
    if at:
        return say("Legal until {day}; {end}.", day=spells[at - 1][-1].last, end=_ended(spells[at], say))
    spell = spells[at]
    then = next((interval for interval in spell if day <= interval.last), spell[-1])
    first, last = spell[0].first, spell[-1].last
    return say("Not legal on any day from {first} to {last}: {why}", first=first, last=last, why=then.state(say))


def _ended(spell: _Spell, say: Language) -> str:
    """Tell that a deck is not legal again, and why: a block that has left stays away, a ban may be lifted some day."""
    rotated = next((change for one in spell for change in one.changes if _rotates(change)), None)
    why = _why(spell, say)
    if rotated is None:
        return say("not again as far as is announced: {why}", why=why)
    if rotated in spell[0].changes:
        return say("never again: {why}", why=why)
    return say("never again: {why}; from {day} {later}", why=why, day=rotated.event.day, later=rotated.said(say))


def _rotates(change: Change) -> bool:
    return change.event.cause == ROTATION and change.begins


def _why(spell: _Spell, say: Language) -> str:
    """Return the change that begins a spell."""
    return "; ".join(change.said(say) for change in _telling(spell[0]))


def _telling(interval: Interval) -> list[Change]:
    """Return the changes that make a deck legal or illegal, not those that merely come with them."""
    begin = not interval.legal
    return [
        change
        for change in interval.changes
        if change.begins is begin and any(finding.severity == ERROR for finding in change.findings)
    ] or list(interval.changes)
