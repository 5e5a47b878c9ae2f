"""Timelines: the intervals of days on which a deck has the same findings, and the changes between them.

`outlook_sentence` returns a sentence on the outlook of a deck on a day: how long it is legal, and what ends that.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby, pairwise
from typing import Annotated, TypedDict

from validator.arguments import check_day, check_deck, check_type, wrong_type
from validator.calendar import ROTATION, Breakpoint, Calendar, Change, ChangeJSON, compare_findings, finding_key
from validator.deck import Deck, DeckFacts
from validator.field_docs import DayText, doc
from validator.findings import ERROR, Finding
from validator.judge import Judge, Terms, Verdict, finding_sort_key, release_rules
from validator.language import ENGLISH, Language
from validator.unresolved import Suggestions

_DAY = timedelta(days=1)


_IntervalDays = TypedDict(
    "_IntervalDays",
    {"from": Annotated[DayText, doc("The first day.")], "until": Annotated[DayText, doc("The last day, included.")]},
)


class IntervalJSON(_IntervalDays):
    """Successive days (`from` to `until`, both included) with the same findings of a deck, as JSON.

    `changes` is empty for the first interval. Without findings, `because` of the first interval is "".
    """

    legal: bool
    codes: Annotated[list[str], doc("The codes of all findings, each once.")]
    because: Annotated[
        str,
        doc("The reason for the beginning of the interval. For the first interval, the findings from the beginning."),
    ]
    changes: Annotated[list[ChangeJSON], doc("The changes on its first day.")]


@dataclass(frozen=True, slots=True)
class Interval:
    """Days on which a deck has the same findings, as compared by `finding_key`, from `first` to `last`, both included.

    `findings` are those of the first of these days, sorted. `changes` are the changes on that day, () for the first
    interval of a timeline.
    """

    first: date
    last: date
    legal: bool
    findings: tuple[Finding, ...]
    changes: tuple[Change, ...] = ()

    @property
    def codes(self) -> list[str]:
        """The codes of the findings, without duplicates, in the order of the findings."""
        return list(dict.fromkeys(finding.code for finding in self.findings))

    @property
    def reason(self) -> str:
        """The reason why the interval begins, as an English sentence. See `render`."""
        return self.render(ENGLISH)

    def render(self, translate: Language) -> str:
        """Return the reason why the interval begins: its changes as a sentence of a language.

        Without changes it is `state`.
        """
        because = "; ".join(change.render(translate) for change in self.changes)
        return translate("{text}.", text=because) if because else self.state(translate)

    def state(self, translate: Language) -> str:
        """Return the message of the first finding, with "And N more." for further ones, in a language.

        "" without findings.
        """
        if not self.findings:
            return ""
        first, more = self.findings[0], len(self.findings) - 1
        return first.kind.message(first, translate) + (translate(" And {more} more.", more=more) if more else "")

    def as_dict(self, translate: Language = ENGLISH) -> IntervalJSON:
        """Return the interval as JSON, with its sentences in a language."""
        return {
            "from": self.first.isoformat(),
            "until": self.last.isoformat(),
            "legal": self.legal,
            "codes": self.codes,
            "because": self.render(translate),
            "changes": [change.as_dict(translate) for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class Timeline:
    """The findings of a deck over a range of days, as one or more intervals without a gap. Neighbours always differ."""

    calendar: Calendar
    intervals: tuple[Interval, ...]

    def on(self, day: date) -> Interval | None:
        """Return the interval that contains a day, None outside of the range."""
        if not self.intervals[0].first <= day <= self.intervals[-1].last:
            return None
        return self.intervals[bisect_right(self.intervals, day, key=lambda interval: interval.first) - 1]

    def ahead(self, day: date) -> list[Interval]:
        """Return the intervals that begin after a day, in order. The interval that contains the day is left out."""
        return [interval for interval in self.intervals if interval.first > day]

    def spells(self) -> list[tuple[Interval, ...]]:
        """Return the intervals in groups of neighbours that are all legal or all illegal."""
        return [tuple(group) for _, group in groupby(self.intervals, key=lambda interval: interval.legal)]


def timeline(deck: Deck, calendar: Calendar, judge_on: Callable[[date], Judge], first: date, last: date) -> Timeline:
    """Return the findings of a deck on each day from `first` to `last`. Raises ValueError if that range is empty.

    `judge_on` returns the Judge of `calendar.of_lists` for a day. It is only called with `calendar.since` of the days
    on which something changes, so a cache of Judges can be small. Raises TypeError if an argument has a wrong type.
    """
    check_deck("deck", deck)
    check_type("calendar", calendar, Calendar, "Write Calendar('optcg')")
    if isinstance(judge_on, Judge) or not callable(judge_on):
        hint = "Write a function of a day: lambda day: Judge(calendar.of_lists.terms(day), catalogue)"
        raise wrong_type("judge_on", judge_on, hint)
    check_day("first", first)
    check_day("last", last)
    if first > last:
        raise ValueError(f"the first day, {first}, is after the last, {last}")
    groups: list[list[Interval]] = []
    for interval in _judge_intervals(deck, calendar, judge_on, first, last):
        if groups and _is_same(groups[-1][-1], interval):
            groups[-1].append(interval)
        else:
            groups.append([interval])
    merged = [replace(group[0], last=group[-1].last) for group in groups]
    following = (_add_changes(before, interval, calendar) for before, interval in pairwise(merged))
    return Timeline(calendar, (merged[0], *following))


def _is_same(first: Interval, second: Interval) -> bool:
    """Return True if two intervals have the same findings in the same order, as compared by `finding_key`."""
    pairs = zip(first.findings, second.findings, strict=False)
    return len(first.findings) == len(second.findings) and all(
        a is b or finding_key(a) == finding_key(b) for a, b in pairs
    )


def _add_changes(before: Interval, interval: Interval, calendar: Calendar) -> Interval:
    """Return a copy of an interval with the changes since the interval `before` it."""
    events = calendar.events(before.last, interval.first)
    return replace(
        interval, changes=tuple(compare_findings(interval.first, before.findings, interval.findings, events))
    )


def _judge_intervals(
    deck: Deck, calendar: Calendar, judge_on: Callable[[date], Judge], first: date, last: date
) -> Iterator[Interval]:
    """Yield the intervals of a range of days, divided at events and at the releases of the deck's cards.

    Neighbours may have the same findings. The deck is judged for the first day, and again after events that may affect
    it.
    """
    released = _Releases(calendar.terms(first))
    suggestions = Suggestions(0)  # suggestions are only in verdicts
    events = calendar.events(first, last)
    verdict: Verdict | None = None
    for start, end in _split_days(first, last, (event.day for event in events)):
        if verdict is None or _is_affected(verdict.facts, (event for event in events if event.day == start)):
            verdict = judge_on(calendar.since(start))(deck, suggestions)
        yield from _split_at_releases(verdict, released, start, end)


def _is_affected(facts: DeckFacts, events: Iterable[Breakpoint]) -> bool:
    """Return True if an event may change the findings of a deck.

    It is about one of the deck's cards, or about any card.
    """
    number_sets = [event.numbers for event in events]
    own_numbers = {card.number for counts in facts.counts.values() for card in counts}
    return any(numbers is None or not own_numbers.isdisjoint(numbers) for numbers in number_sets)


def _split_days(first: date, last: date, changing: Iterable[date]) -> Iterator[tuple[date, date]]:
    """Yield the first and the last day of each period of a range. A new period begins on each `changing` day.

    The changing days must be within the range. They may be repeated and in any order.
    """
    starts = sorted({first, *changing})
    for start, following in pairwise(starts):
        yield start, following - _DAY
    yield starts[-1], last


class _Releases:
    """The findings on unreleased cards of one deck, with the days on which they hold.

    They are cached by sections, because a deck has the same sections on all days unless an edition removes one.
    """

    def __init__(self, terms: Terms) -> None:
        """Store the terms of the first day of the range."""
        self._terms = terms
        self._found: dict[tuple[str, ...], list[tuple[date, date, Finding]]] = {}

    def find_spans(self, facts: DeckFacts) -> list[tuple[date, date, Finding]]:
        """Return `(first day, day after the last, finding)` for each finding on the release of a card of the deck.

        The result is cached by the deck's sections.
        """
        sections = tuple(facts.counts)
        if sections not in self._found:
            rules = release_rules(self._terms, facts.catalogue.as_of)
            self._found[sections] = [span for rule in rules for span in rule.spans(facts)]
        return self._found[sections]


def _split_at_releases(verdict: Verdict, released: _Releases, start: date, end: date) -> Iterator[Interval]:
    """Yield the intervals of a period from `start` to `end`, divided on the days on which a finding on a release ends.

    `verdict` is the same on all these days, without releases. The findings on releases of each interval are added to
    it.
    """
    ahead = [span for span in released.find_spans(verdict.facts) if span[1] > start]
    for begin, until in _split_days(start, end, (day for _, day, _ in ahead if day <= end)):
        early = [finding for first, after, finding in ahead if first <= begin < after]
        findings = sorted([*verdict.found, *early], key=finding_sort_key) if early else verdict.found
        legal = verdict.legal and all(finding.severity != ERROR for finding in early)
        yield Interval(begin, until, legal, tuple(findings))


_Spell = tuple[Interval, ...]


def outlook_sentence(timeline: Timeline, day: date, translate: Language = ENGLISH) -> str:
    """Return the outlook of a deck on a day as a sentence: until or from which day it is legal, and the reason.

    The future is more important than the past. For a deck that is no longer legal, the sentence has the last legal day.
    A day outside of the range counts as the nearest day inside.
    """
    spells = timeline.spells()
    index = next((index for index, spell in enumerate(spells) if day <= spell[-1].last), len(spells) - 1)
    if spells[index][0].legal:
        return _legal_outlook(spells, index, translate)
    return (
        _future_outlook(spells, index, translate)
        if index + 1 < len(spells)
        else _past_outlook(spells, index, day, translate)
    )


def _legal_outlook(spells: list[_Spell], index: int, translate: Language) -> str:
    """Return the outlook of a deck that is legal on the day, in one of four forms.

    It is legal on all days, since a day without an end, until a day and again from a later day, or until a day with
    `_describe_end`. An end has its reason. `index` is the place in `spells`, the result of `Timeline.spells`, of the
    group that contains the day.
    """
    if index + 1 == len(spells):
        if not index:
            return translate("Legal. No announced change ends that.")
        return translate("Legal since {day}. No announced change ends that.", day=spells[index][0].first)
    end, last = spells[index + 1], spells[index][-1].last
    if index + 2 < len(spells):
        again = spells[index + 2][0].first
        return translate(
            "Legal until {day}, and again from {again}: {why}.",
            day=last,
            again=again,
            why=_describe_reason(end, translate),
        )
    return translate("Legal until {day}, {end}.", day=last, end=_describe_end(end, translate))


def _future_outlook(spells: list[_Spell], index: int, translate: Language) -> str:
    """Return the outlook of a deck that is not legal on the day but later: "Not legal yet. Legal from DAY: REASON."

    If that also ends, it has the last legal day. `index` is the place in `spells`, the result of `Timeline.spells`, of
    the group that contains the day.
    """
    begin = spells[index + 1]
    first, last, why = begin[0].first, begin[-1].last, _describe_reason(begin, translate)
    if index + 2 < len(spells):
        return translate("Not legal yet. Legal from {first} until {last}: {why}.", first=first, last=last, why=why)
    return translate("Not legal yet. Legal from {first}: {why}.", first=first, why=why)


def _past_outlook(spells: list[_Spell], index: int, day: date, translate: Language) -> str:
    """Return the outlook of a deck that is not legal and will not be legal again.

    It is the last legal day before and the reason. Without one it is the range of days and the message of the first
    finding on the day. `index` is the place in `spells`, the result of `Timeline.spells`, of the group that contains
    the day.
    """
    if index:
        return translate(
            "Legal until {day}, {end}.", day=spells[index - 1][-1].last, end=_describe_end(spells[index], translate)
        )
    spell = spells[index]
    then = next((interval for interval in spell if day <= interval.last), spell[-1])
    first, last = spell[0].first, spell[-1].last
    return translate(
        "Not legal on any day from {first} to {last}: {why}", first=first, last=last, why=then.state(translate)
    )


def _describe_end(spell: _Spell, translate: Language) -> str:
    """Return the end of a sentence on a deck that is not legal again: "no return announced: REASON".

    REASON is the decisive changes on the first day of `spell`, the last intervals of a timeline. If a change of the
    spell is a rotation, it is "never again: REASON", because only a rotation is final. A rotation after the first day
    is added: ", and from DAY ROTATION".
    """
    rotated = next((change for interval in spell for change in interval.changes if _is_rotation(change)), None)
    why = _describe_reason(spell, translate)
    if rotated is None:
        return translate("no return announced: {why}", why=why)
    if rotated in spell[0].changes:
        return translate("never again: {why}", why=why)
    return translate(
        "never again: {why}, and from {day} {later}", why=why, day=rotated.event.day, later=rotated.render(translate)
    )


def _is_rotation(change: Change) -> bool:
    """Return True if a change begins because a block leaves the format."""
    return change.event.cause == ROTATION and change.begins


def _describe_reason(spell: _Spell, translate: Language) -> str:
    """Return the decisive changes at the beginning of a spell, as a text joined with semicolons."""
    return "; ".join(change.render(translate) for change in _decisive_changes(spell[0]))


def _decisive_changes(interval: Interval) -> list[Change]:
    """Return the changes that make the deck of an interval legal or illegal.

    They are those with errors: that end if the deck is legal, that begin if it is not. If there are none, return all
    changes of the interval.
    """
    begin = not interval.legal
    return [
        change
        for change in interval.changes
        if change.begins is begin and any(finding.severity == ERROR for finding in change.findings)
    ] or list(interval.changes)
