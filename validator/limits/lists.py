"""Limits lists: the cards that an official list bans and restricts, and the days of these entries.

A list is a chronological file of changes. Each change bans, restricts or lifts from its first day on in one region. An
entry of a card is in force until the next change that names the card. If the first day is not known, two days limit it:
before the first one the change is not in force, from the second one on it is certain.
Of a group only one card may be in a deck. A card that joins a group is a banned pair with each of its members, until
one of the two leaves the group. A change with `best_of` binds only in matches of that many games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from validator.documents import (
    CONFIDENCES,
    check_keys,
    check_kind,
    check_number,
    check_source,
    check_texts,
    check_titles,
    check_word,
)
from validator.errors import DocumentError
from validator.findings import ERROR, WARNING, ListEntry
from validator.language import Language, Phrase

_HEAD = {
    "game": str,
    "title": str,
    "formats": list,
    "known_to": date,
    "notes": list,
    "regions": dict,
    "sections": dict,
    "change": list,
}
_SECTIONS = {"ban": str, "restrict": str}
_MORE_HEAD = {"groups": dict, "spared": dict, "partial": list, "follows": dict, "timezones": dict}
_MORE_SECTIONS = {"ban_pairs": str, "best_of_1": str}
_PARTIAL = {"region": str, "note": str}
_MORE_PARTIAL = {"until": date, "best_of": int}
_WORDS = {
    "ban": dict,
    "restrict": dict,
    "ban_pairs": list,
    "ban_among": dict,
    "lift": dict,
    "lift_pairs": list,
    "lift_among": dict,
}
_LIFTS = ("lift", "lift_pairs", "lift_among")
_NEEDED = {"region": str, "source": str}
_OPTIONAL = {
    "effective_from": date,
    "not_before": date,
    "no_later_than": date,
    "bounds": str,
    "announced": date,
    "stated": str,
    "confidence": str,
    "note": str,
    "best_of": int,
    **_WORDS,
}
_BOUNDED = ("not_before", "no_later_than", "bounds")
# The rules allow 4 copies anyway, and 0 is a ban.
_RESTRICTIONS = (1, 2, 3)
# The lengths of a match for which a list may have its own entries.
_BEST_OF = (1,)


@dataclass(frozen=True, slots=True)
class ListChange:
    """One change of a list, with its first day, its region, its source and its certainty.

    Either `effective_from` is known, or only that the day is from `not_before` to `no_later_than`. Then `bounds` is the
    reason for these days. `stated` is the first day in the list's own words. A change with `best_of` binds only in
    matches of that many games, and with None in all matches.
    """

    region: str
    source: str
    effective_from: date | None = None
    not_before: date | None = None
    no_later_than: date | None = None
    bounds: str = ""
    announced: date | None = None
    stated: str = ""
    confidence: str = "high"
    note: str = ""
    best_of: int | None = None

    @property
    def day(self) -> date:
        """The day from which the change is certain. date.max if there is none."""
        return self.effective_from or self.no_later_than or date.max

    @property
    def possible(self) -> date:
        """The day from which the change may be in force. date.max if there is none."""
        return self.effective_from or self.not_before or date.max

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "region": self.region,
            "source": self.source,
            "announced": _iso(self.announced),
            "effective_from": _iso(self.effective_from),
            "not_before": _iso(self.not_before),
            "no_later_than": _iso(self.no_later_than),
            "stated": self.stated,
            "bounds": self.bounds,
            "confidence": self.confidence,
            "note": self.note,
            "best_of": self.best_of,
        }

    def binds_in(self, best_of: int | None) -> bool:
        """Return True if the change binds in matches of `best_of` games. None is a match of unknown length."""
        return self.best_of in (None, best_of)

    @property
    def place(self) -> str:
        """The name of the change in messages about the file."""
        return f"the {self.region} change of {self.day}"


@dataclass(frozen=True, slots=True)
class Binding:
    """The entry of a card, or of a pair: at most `limit` copies (0: banned), in the list's `section`.

    `severity` is "warning" as long as the entry may not be in force yet, else "error". `group` is the group whose cards
    are pairs with one another. `spared` describes the decks that are exempt from the entry.
    """

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    limit: int
    severity: str
    entry: ListEntry
    section: str
    note: str = ""
    stated: str = ""
    bounds: str = ""
    confidence: str = "high"
    group: str = ""
    spared: str = ""


class Limit(Binding):
    """The entry of one card on the list."""

    @property
    def number(self) -> str:
        """The card's number."""
        return self.numbers[0]

    @property
    def name(self) -> str:
        """The card's name."""
        return self.names[0]


class PairBan(Binding):
    """Two cards, `a` and `b`, that may not be in one deck."""

    @property
    def a(self) -> str:
        """The number of the first."""
        return self.numbers[0]

    @property
    def b(self) -> str:
        """The number of the second."""
        return self.numbers[1]

    @property
    def a_name(self) -> str:
        """The name of the first."""
        return self.names[0]

    @property
    def b_name(self) -> str:
        """The name of the second."""
        return self.names[1]


_Bound = TypeVar("_Bound", Limit, PairBan)


@dataclass(frozen=True, slots=True, eq=False)
class InForce:
    """The list as it is in force on one day in one region.

    `title` is its name in citations. `effective_from` is the day of its newest change with a known first day, None
    before the first one. `known_to` is the last day whose announcements it contains. `sources` are its web pages, the
    oldest first. `notes` are sentences about unknown facts of the region's list on that day.
    """

    game: str
    region: str
    day: date
    title: str
    effective_from: date | None
    known_to: date | None
    singles: Mapping[str, Limit]
    pairs: tuple[PairBan, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """The notes as one translatable text. "" if nothing is unknown."""
        return Phrase(_join_notes, self.notes)

    @property
    def entries(self) -> Mapping[tuple[str, ...], Binding]:
        """All entries of the list, by the numbers of the card or the pair."""
        return {entry.numbers: entry for entry in (*self.singles.values(), *self.pairs)}


class Ruling(NamedTuple):
    """The effect of a change on one card, or on a pair sorted by number.

    `limit` is the number of copies allowed from then on (0: banned), `before` the number allowed until then. None is no
    entry.
    """

    change: ListChange
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    before: int | None
    limit: int | None
    group: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON form, without the change."""
        cards = [{"number": number, "name": name} for number, name in zip(self.numbers, self.names, strict=True)]
        return {"cards": cards, "before": self.before, "limit": self.limit, "group": self.group or None}


class _Step(NamedTuple):
    """The new limit of one card, or of a pair sorted by number, in a change. None lifts the entry."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    limit: int | None
    group: str = ""


@dataclass(frozen=True, slots=True)
class _Span:
    """An entry of the list from the change that made it to the change that ended it, None if nothing did."""

    change: ListChange
    step: _Step
    end: ListChange | None = None

    def severity(self, day: date) -> str | None:
        """Return the severity of the entry on a day, None if it is not in force."""
        if day < self.change.possible or (self.end and day >= self.end.day):
            return None
        return ERROR if day >= self.change.day else WARNING

    @property
    def entry(self) -> ListEntry:
        """The entry in the form for citations in findings."""
        change, end = self.change, self.end
        last = end.effective_from - timedelta(days=1) if end and end.effective_from else None
        return ListEntry(
            source=change.source,
            announced=_iso(change.announced),
            effective_from=_iso(change.effective_from),
            effective_to=_iso(last),
            not_before=_iso(change.not_before),
            no_later_than=_iso(change.no_later_than),
            confidence=change.confidence,
            note=change.note,
        )


@dataclass(frozen=True, slots=True)
class _Gap:
    """A `note` on an unknown part of a region's list, up to the day `until`, in matches of `best_of` games.

    None is every day, or every match.
    """

    region: str
    note: str
    until: date | None = None
    best_of: int | None = None

    def concerns(self, day: date, region: str, best_of: int | None) -> bool:
        """Return True if a verdict by these terms must have the note."""
        return self.region == region and day <= (self.until or date.max) and self.best_of in (None, best_of)


def _iso(day: date | None) -> str | None:
    """Return a day in ISO format, None for None."""
    return day.isoformat() if day else None


@dataclass(frozen=True, slots=True, eq=False)
class LimitsList:
    """An official list with all its days and regions. The list of a game without an official list is empty.

    `regions` are the places of each region code. `known_to` is the last day whose announcements are in the list.
    `spared` describes the decks that are exempt from an entry, by the numbers of the entry joined with "+". `partial`
    are the unknown parts of regions' lists. A region that `follows` another one has no days of its own: the changes of
    the other region are in force there. `timezones` has the IANA name for each region within one time zone.
    """

    game: str
    title: str = ""
    formats: tuple[str, ...] = ("standard",)
    known_to: date | None = None
    notes: tuple[str, ...] = ()
    regions: Mapping[str, str] = field(default_factory=lambda: {"en": "English-language play"})
    sections: Mapping[str, str] = field(default_factory=dict)
    changes: tuple[ListChange, ...] = ()
    spared: Mapping[str, str] = field(default_factory=dict)
    partial: tuple[_Gap, ...] = ()
    follows: Mapping[str, str] = field(default_factory=dict)
    timezones: Mapping[str, str] = field(default_factory=dict)
    _spans: tuple[_Span, ...] = field(default=(), repr=False)

    def on(self, day: date, region: str = "en", best_of: int | None = None) -> InForce:
        """Return the list in force on a day for matches of `best_of` games. Raises ValueError for an unknown region."""
        newest, binding = self._newest_day(day, region, best_of), self._find_binding(day, region, best_of)
        return InForce(
            game=self.game,
            region=region,
            day=day,
            title=f"{self.title}, in force from {newest}" if newest else self.title,
            effective_from=newest,
            known_to=self.known_to,
            singles=MappingProxyType(
                {numbers[0]: self._make_entry(Limit, *binding[numbers]) for numbers in binding if len(numbers) == 1}
            ),
            pairs=tuple(self._make_entry(PairBan, *binding[numbers]) for numbers in binding if len(numbers) == 2),
            sources=_sources(span.change for span, _ in binding.values()),
            notes=tuple(gap.note for gap in self.partial if gap.concerns(day, region, best_of)),
        )

    def dates(self, region: str = "en") -> tuple[date, ...]:
        """Return every day on which the list changes, in order."""
        return tuple(sorted({day for change in self.changes_of(region) for day in (change.possible, change.day)}))

    def rulings(self, region: str = "en") -> list[Ruling]:
        """Return the effects of all changes on all cards, sorted by day and number. Raises ValueError."""
        self.changes_of(region)
        source_region = self.region_of_days(region)
        found = _find_rulings([span for span in self._spans if span.change.region == source_region])
        return sorted(found, key=lambda ruling: (ruling.change.day, ruling.numbers))

    @property
    def dated_regions(self) -> tuple[str, ...]:
        """The regions with days of their own."""
        return tuple(region for region in self.regions if region not in self.follows)

    def region_of_days(self, region: str) -> str:
        """Return the region whose changes are in force in a region: itself, or the one that it follows."""
        return self.follows.get(region, region)

    def changes_of(self, region: str) -> list[ListChange]:
        """Return the changes in force in a region. Raises ValueError, with the known regions, for an unknown one."""
        if region not in self.regions:
            places = "; ".join(f"{code} is {places}" for code, places in self.regions.items())
            raise ValueError(f"unknown region {region!r}; known are {', '.join(self.regions)} ({places})")
        return [change for change in self.changes if change.region == self.region_of_days(region)]

    def _newest_day(self, day: date, region: str, best_of: int | None) -> date | None:
        """Return the first day of the newest change with a known day, None if there is none yet."""
        changes = (change for change in self.changes_of(region) if change.binds_in(best_of))
        known = (change.effective_from for change in changes if change.effective_from)
        return max((first for first in known if first <= day), default=None)

    def _find_binding(self, day: date, region: str, best_of: int | None) -> dict[tuple[str, ...], tuple[_Span, str]]:
        """Return the entries in force on a day with their severity, by their cards' numbers, sorted."""
        binding: dict[tuple[str, ...], tuple[_Span, str]] = {}
        for span in self._spans:
            is_in_terms = span.change.region == self.region_of_days(region) and span.change.binds_in(best_of)
            severity = span.severity(day) if is_in_terms else None
            if severity and _is_stricter((span, severity), binding.get(span.step.numbers)):
                binding[span.step.numbers] = span, severity
        return dict(sorted(binding.items()))

    def _make_entry(self, kind: type[_Bound], span: _Span, severity: str) -> _Bound:
        """Return the Limit or PairBan of an entry."""
        numbers, names, limit, group = span.step
        change = span.change
        own = "restrict" if limit else "ban" if kind is Limit else "ban_pairs"
        section = self.sections[f"best_of_{change.best_of}" if change.best_of else own]
        spared = self.spared.get("+".join(numbers), "")
        remarks = change.note, change.stated, change.bounds, change.confidence, group, spared
        return kind(numbers, names, limit or 0, severity, span.entry, section, *remarks)


def _join_notes(notes: Iterable[str], say: Language) -> str:
    """Return the notes in a language as one text."""
    return " ".join(map(say.template, notes))


def _is_stricter(entry: tuple[_Span, str], other: tuple[_Span, str] | None) -> bool:
    """Return True if an entry replaces another one of the same cards in citations.

    Certain entries come before uncertain ones. Of two certain entries the one with fewer copies comes first.
    """
    if other is None:
        return True
    (span, severity), (known, known_severity) = entry, other
    if severity != known_severity:
        return severity == ERROR
    return severity == ERROR and (span.step.limit or 0) <= (known.step.limit or 0)


def _find_rulings(spans: Iterable[_Span]) -> Iterator[Ruling]:
    """Yield the effect of the start of each entry, and of the end of each entry that no other one replaced."""
    spans = list(spans)
    ended = {(span.step.numbers, span.end): span.step for span in spans if span.end}
    for change, step in ((span.change, span.step) for span in spans):
        before = ended.pop((step.numbers, change), None)
        yield Ruling(change, step.numbers, step.names, before.limit if before else None, step.limit, step.group)
    for (_, end), step in ended.items():
        yield Ruling(end, step.numbers, step.names, step.limit, None, step.group)


def _sources(changes: Iterable[ListChange]) -> tuple[str, ...]:
    """Return the sources of changes, the oldest first, each once."""
    ordered = sorted(changes, key=lambda change: change.day)
    return tuple(dict.fromkeys(change.source for change in ordered))


def parse(document: Mapping[str, Any]) -> LimitsList:
    """Return the list of a parsed file. Raises DocumentError with the correction."""
    check_keys(document, "head", _HEAD, _MORE_HEAD)
    groups, spared = document.get("groups", {}), document.get("spared", {})
    for where, table in (("groups", groups), ("spared", spared)):
        check_texts(list(table.values()), where)
    check_titles(document["regions"], "regions")
    for region, followed in document.get("follows", {}).items():
        for code in (region, followed):
            check_word(code, "follows", document["regions"])
    timezones = document.get("timezones", {})
    check_texts(list(timezones.values()), "timezones")
    for region in timezones:
        check_word(region, "timezones", document["regions"])
    check_keys(document["sections"], "sections", _SECTIONS, _MORE_SECTIONS)
    members = _Groups(groups)
    changes = [
        _parse_change(table, f"change {index}", document, members)
        for index, table in enumerate(document["change"], start=1)
    ]
    for (before, _), (after, _) in pairwise(changes):
        if after.day < before.day:
            raise DocumentError(f"{after.place} stands after {before.place}; sort the changes by day")
    return LimitsList(
        game=document["game"],
        title=document["title"],
        formats=check_texts(document["formats"], "formats"),
        known_to=document["known_to"],
        notes=check_texts(document["notes"], "notes"),
        regions=MappingProxyType(document["regions"]),
        sections=MappingProxyType(document["sections"]),
        changes=tuple(change for change, _ in changes),
        spared=MappingProxyType(spared),
        partial=tuple(_parse_gaps(document)),
        follows=MappingProxyType(document.get("follows", {})),
        timezones=MappingProxyType(timezones),
        _spans=tuple(_spans(changes)),
    )


def _parse_gaps(document: Mapping[str, Any]) -> Iterator[_Gap]:
    """Yield the unknown parts in a document. Raises DocumentError if one is invalid."""
    for index, table in enumerate(document.get("partial", []), start=1):
        where = f"partial {index}"
        check_keys(table, where, _PARTIAL, _MORE_PARTIAL)
        check_word(table["region"], f"{where}, region", document["regions"])
        _check_best_of(table, where)
        yield _Gap(**table)


def _check_best_of(table: Mapping[str, Any], where: str) -> None:
    """Raise DocumentError if a table has a length of match that no list uses."""
    if table.get("best_of", _BEST_OF[0]) not in _BEST_OF:
        raise DocumentError(f"{where}: best_of {table['best_of']} should be 1; leave it out for all matches")


class _Groups:
    """The current members of each group, by region."""

    def __init__(self, groups: Mapping[str, str]) -> None:
        self._groups = groups
        self._members: dict[tuple[str, str], dict[str, str]] = {}

    def steps(self, table: Mapping[str, Any], where: str) -> Iterator[_Step]:
        """Yield the lifts of pairs with cards that leave groups, and the bans of pairs with cards that join them."""
        for word, move in (("lift_among", self._leave_group), ("ban_among", self._join_group)):
            for group, cards in table.get(word, {}).items():
                place = f"{where}, {word}"
                check_word(group, place, self._groups)
                check_kind(cards, f"{place} {group}", dict)
                members = self._members.setdefault((table["region"], group), {})
                for number, name in cards.items():
                    for pair in move(members, number, name, f"{place} {group}"):
                        yield pair._replace(group=self._groups[group])

    def _join_group(self, members: dict[str, str], number: str, name: str, where: str) -> Iterator[_Step]:
        """Add a card to a group, and yield the bans of its pairs. Raises DocumentError if it is a member."""
        if number in members:
            raise DocumentError(f"{where}: {number} is in the group already; take it out")
        yield from (
            _make_pair_step({number: name, other: other_name}, 0, where) for other, other_name in members.items()
        )
        members[number] = name

    def _leave_group(self, members: dict[str, str], number: str, name: str, where: str) -> Iterator[_Step]:
        """Remove a card from a group, and yield the lifts of its pairs. Raises DocumentError if it is no member."""
        if number not in members:
            raise DocumentError(f"{where}: {number} is not in the group; take it out")
        del members[number]
        yield from (
            _make_pair_step({number: name, other: other_name}, None, where) for other, other_name in members.items()
        )


def _parse_change(
    table: Any, where: str, document: Mapping[str, Any], members: _Groups
) -> tuple[ListChange, tuple[_Step, ...]]:
    """Return a change and its steps. Raises DocumentError if the table is invalid."""
    check_keys(table, where, _NEEDED, _OPTIONAL)
    check_word(table["region"], f"{where}, region", document["regions"])
    if followed := document.get("follows", {}).get(table["region"]):
        raise DocumentError(f"{where}: {table['region']} follows {followed}; write the change there, or drop follows")
    _check_best_of(table, where)
    check_source(table["source"], where)
    check_word(table.get("confidence", "high"), f"{where}, confidence", CONFIDENCES)
    _check_days(table, where)
    change = ListChange(**{key: value for key, value in table.items() if key not in _WORDS})
    steps = (*_parse_steps(table, change.place), *members.steps(table, change.place))
    if ("ban_pairs" in table or "ban_among" in table) and "ban_pairs" not in document["sections"]:
        raise DocumentError(f'{change.place} bans pairs; write ban_pairs = "…", their heading, in [sections]')
    if change.best_of and "best_of_1" not in document["sections"]:
        raise DocumentError(f'{change.place} is for best of one; write best_of_1 = "…", its heading, in [sections]')
    if not steps:
        raise DocumentError(f"{change.place} names no card; write one of {', '.join(_WORDS)}, or take it out")
    return change, steps


def _check_days(table: Mapping[str, Any], where: str) -> None:
    """Raise DocumentError for a change with no or two first days, crossed bounds, or a late announcement."""
    bounded = tuple(key for key in _BOUNDED if key in table)
    if bounded != (() if "effective_from" in table else _BOUNDED):
        raise DocumentError(
            f"{where}: write effective_from where the first day is known, else not_before and no_later_than, the two "
            "days it lies between, and bounds, where these are from"
        )
    if bounded:
        _check_bounds(table, where)
    first = table.get("effective_from") or table["not_before"]
    if table.get("announced", first) > first:
        raise DocumentError(f"{where}: announced {table['announced']}, but in effect from {first}; correct one of them")


def _check_bounds(table: Mapping[str, Any], where: str) -> None:
    """Raise DocumentError if the bounds are crossed, or if a lift has bounds."""
    if any(word in table for word in _LIFTS):
        raise DocumentError(f"{where}: an entry ends on a known day; give the lift its effective_from")
    first, last = table["not_before"], table["no_later_than"]
    if first > last:
        raise DocumentError(f"{where}: not_before {first} is after no_later_than {last}; correct one")


def _parse_steps(table: Mapping[str, Any], where: str) -> Iterator[_Step]:
    """Yield the steps of a change, card by card."""
    for number, name in table.get("ban", {}).items():
        yield _make_step({number: name}, 0, f"{where}, ban")
    for number, restriction in table.get("restrict", {}).items():
        check_keys(restriction, f"{where}, restrict {number}", {"limit": int, "name": str})
        if restriction["limit"] not in _RESTRICTIONS:
            raise DocumentError(
                f"{where}, restrict {number}: limit {restriction['limit']} should be 1, 2 or 3; 0 is a ban, 4 a lift"
            )
        yield _make_step({number: restriction["name"]}, restriction["limit"], f"{where}, restrict")
    for pair in table.get("ban_pairs", []):
        yield _make_pair_step(pair, 0, f"{where}, ban_pairs")
    for number, name in table.get("lift", {}).items():
        yield _make_step({number: name}, None, f"{where}, lift")
    for pair in table.get("lift_pairs", []):
        yield _make_pair_step(pair, None, f"{where}, lift_pairs")


def _make_pair_step(pair: Any, limit: int | None, where: str) -> _Step:
    """Return the step of a pair. Raises DocumentError if it does not have two cards."""
    check_kind(pair, where, dict)
    if len(pair) != 2:
        raise DocumentError(f"{where}: a pair is two different cards, {{AB01-001 = ..., AB01-002 = ...}}")
    return _make_step(pair, limit, where)


def _make_step(cards: Mapping[str, Any], limit: int | None, where: str) -> _Step:
    """Return the step of cards, sorted by number. Raises DocumentError for an invalid number or name."""
    for number, name in cards.items():
        check_number(number, where)
        check_kind(name, f"{where} {number}", str)
    numbers, names = zip(*sorted(cards.items()), strict=True)
    return _Step(numbers, names, limit)


def _spans(changes: Iterable[tuple[ListChange, tuple[_Step, ...]]]) -> Iterator[_Span]:
    """Yield the entries of the list with their ends."""
    current: dict[tuple[object, ...], _Span] = {}
    last_days: dict[tuple[object, ...], date] = {}
    for change, steps in changes:
        for step in steps:
            card = change.region, change.best_of, step.numbers
            before = current.pop(card, None)
            _check_step(step, change, before, last_days.get(card, date.min))
            if before:
                yield replace(before, end=change)
            if step.limit is not None:
                current[card] = _Span(change, step)
            last_days[card] = change.day
    yield from current.values()


def _check_step(step: _Step, change: ListChange, before: _Span | None, last: date) -> None:
    """Raise DocumentError for a step that repeats an entry, has no effect, or contradicts an earlier change."""
    card = " and ".join(step.numbers)
    if last == change.day:
        raise DocumentError(f"{change.place} names {card} again; leave one of the two entries")
    if last > change.possible:
        raise DocumentError(f"{change.place} may begin before the last change of {card}; write not_before = {last}")
    if before is None and step.limit is None:
        raise DocumentError(f"{change.place} lifts {card}, which is not on the list; take the lift out")
    if before and before.step.limit == step.limit:
        raise DocumentError(
            f"{change.place} says of {card} what {before.change.place} said; take it out, or lift it between"
        )
    if before and before.step.names != step.names:
        raise DocumentError(
            f"{change.place} calls {card} {' and '.join(step.names)}, {before.change.place} "
            f"{' and '.join(before.step.names)}; correct the number or the name"
        )
