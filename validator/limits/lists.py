"""Limits lists: what an official list bans and restricts, and on which days.

A list is a chronological file of changes. Each change bans, restricts or lifts from its first day on, in
one region; what it says of a card holds until the next change that names the card. Where the first day is
not known, two days are that it lies between: before them the change says nothing, from the second on it is certain.
Of a group only one card may be in a deck: a card that joins it is a banned pair with each that is in it already,
until one of the two leaves it. A change with `best_of` binds in matches of that many games only.
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
# The rules give 4 copies anyway, and 0 is a ban.
_RESTRICTIONS = (1, 2, 3)
# The lengths of a match for which a list may say something of its own.
_BEST_OF = (1,)


@dataclass(frozen=True, slots=True)
class ListChange:
    """One change of a list: since when, where, by whose word, and how sure that is.

    Either `effective_from` is known, or only that it lies from `not_before` to `no_later_than`, which
    `bounds` says the reason of; `stated` is the first day in the list's own words. A change with `best_of` binds in
    matches of that many games only; None: in all.
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
        """The day from which the change is certain."""
        return self.effective_from or self.no_later_than or date.max

    @property
    def possible(self) -> date:
        """The day from which the change may hold."""
        return self.effective_from or self.not_before or date.max

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
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
        """Return True if the change binds in matches of `best_of` games; None is a match of unknown length."""
        return self.best_of in (None, best_of)

    @property
    def place(self) -> str:
        """What a sentence about the file calls the change."""
        return f"the {self.region} change of {self.day}"


@dataclass(frozen=True, slots=True)
class Binding:
    """What the list says of a card, or of two by number: at most `limit` copies (0: banned), in the list's `section`.

    `severity` is "warning" while it is not certain that the entry was in force yet, else "error". `group` says which
    cards are pairs with one another, `spared` which deck may be played all the same.
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
    """A card's place on the list."""

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

    `title` names it for a citation; `effective_from` is the day of its newest change whose first day is
    known, None before the first; `known_to` the last day whose announcements it has; `sources` are the pages
    it rests on, the oldest first. `notes` are sentences on what is not known of the region's list on that day.
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
        """The notes in one text that can be said in another language, too; "" if nothing is missing."""
        return Phrase(_joined, self.notes)

    @property
    def entries(self) -> Mapping[tuple[str, ...], Binding]:
        """All that the list says, by the numbers of the card or the pair."""
        return {one.numbers: one for one in (*self.singles.values(), *self.pairs)}


class Ruling(NamedTuple):
    """What a change makes of one card, or of a pair in the order of their numbers.

    `limit` is how many copies may be played from then on (0: banned), `before` how many it was; None is no word of it.
    """

    change: ListChange
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    before: int | None
    limit: int | None
    group: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the public form, without the change."""
        cards = [{"number": number, "name": name} for number, name in zip(self.numbers, self.names, strict=True)]
        return {"cards": cards, "before": self.before, "limit": self.limit, "group": self.group or None}


class _Step(NamedTuple):
    """What a change says of one card, or of a pair in the order of their numbers; None lifts."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    limit: int | None
    group: str = ""


@dataclass(frozen=True, slots=True)
class _Span:
    """An entry of the list from the change that made it to the one that ended it."""

    change: ListChange
    step: _Step
    end: ListChange | None = None

    def severity(self, day: date) -> str | None:
        """Return how the entry binds on a day, None where it does not."""
        if day < self.change.possible or (self.end and day >= self.end.day):
            return None
        return ERROR if day >= self.change.day else WARNING

    @property
    def entry(self) -> ListEntry:
        """The entry as a finding cites it."""
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
    """A `note` on what is not known of a region's list, up to the day `until`, in matches of `best_of` games.

    None is every day, and every match.
    """

    region: str
    note: str
    until: date | None = None
    best_of: int | None = None

    def concerns(self, day: date, region: str, best_of: int | None) -> bool:
        """Return True if a verdict by these terms must have the note."""
        return self.region == region and day <= (self.until or date.max) and self.best_of in (None, best_of)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


@dataclass(frozen=True, slots=True, eq=False)
class LimitsList:
    """An official list over all its days and regions; a game that has none has an empty one.

    `regions` has for each code the places it stands for; `known_to` is the last day whose announcements
    are in the list. `spared` says, by the numbers of an entry joined with "+", which deck may break it; `partial`
    what is not known of a region's list, and on which days. A region that `follows` another one has no days of its
    own: it is judged by the changes of the other. `timezones` has the IANA name for each region that lies in one zone.
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
        """Return the list in force on a day for matches of `best_of` games; a ValueError names the known regions."""
        newest, binding = self._newest(day, region, best_of), self._binding(day, region, best_of)
        return InForce(
            game=self.game,
            region=region,
            day=day,
            title=f"{self.title}, in force from {newest}" if newest else self.title,
            effective_from=newest,
            known_to=self.known_to,
            singles=MappingProxyType({at[0]: self._made(Limit, *binding[at]) for at in binding if len(at) == 1}),
            pairs=tuple(self._made(PairBan, *binding[at]) for at in binding if len(at) == 2),
            sources=_sources(span.change for span, _ in binding.values()),
            notes=tuple(one.note for one in self.partial if one.concerns(day, region, best_of)),
        )

    def dates(self, region: str = "en") -> tuple[date, ...]:
        """Return every day on which the list changes, in order; between them it stays as it is."""
        return tuple(sorted({day for change in self.changes_of(region) for day in (change.possible, change.day)}))

    def rulings(self, region: str = "en") -> list[Ruling]:
        """Return what each change has made of each card, by their days and the cards' numbers."""
        self.changes_of(region)
        whose = self.region_of_days(region)
        found = _rulings([span for span in self._spans if span.change.region == whose])
        return sorted(found, key=lambda ruling: (ruling.change.day, ruling.numbers))

    @property
    def dated_regions(self) -> tuple[str, ...]:
        """The regions whose own days are known."""
        return tuple(region for region in self.regions if region not in self.follows)

    def region_of_days(self, region: str) -> str:
        """Return the region whose days a region is judged by: itself, or the one that it follows."""
        return self.follows.get(region, region)

    def changes_of(self, region: str) -> list[ListChange]:
        """Return the changes that a region is judged by; a ValueError names the known regions."""
        if region not in self.regions:
            places = "; ".join(f"{code} is {places}" for code, places in self.regions.items())
            raise ValueError(f"unknown region {region!r}; known are {', '.join(self.regions)} ({places})")
        return [change for change in self.changes if change.region == self.region_of_days(region)]

    def _newest(self, day: date, region: str, best_of: int | None) -> date | None:
        changes = (change for change in self.changes_of(region) if change.binds_in(best_of))
        known = (change.effective_from for change in changes if change.effective_from)
        return max((first for first in known if first <= day), default=None)

    def _binding(self, day: date, region: str, best_of: int | None) -> dict[tuple[str, ...], tuple[_Span, str]]:
        """Return the entries that bind on a day and how, by their cards' numbers, sorted."""
        binding: dict[tuple[str, ...], tuple[_Span, str]] = {}
        for span in self._spans:
            is_meant = span.change.region == self.region_of_days(region) and span.change.binds_in(best_of)
            severity = span.severity(day) if is_meant else None
            if severity and _is_stricter((span, severity), binding.get(span.step.numbers)):
                binding[span.step.numbers] = span, severity
        return dict(sorted(binding.items()))

    def _made(self, kind: type[_Bound], span: _Span, severity: str) -> _Bound:
        numbers, names, limit, group = span.step
        change = span.change
        own = "restrict" if limit else "ban" if kind is Limit else "ban_pairs"
        section = self.sections[f"best_of_{change.best_of}" if change.best_of else own]
        spared = self.spared.get("+".join(numbers), "")
        remarks = change.note, change.stated, change.bounds, change.confidence, group, spared
        return kind(numbers, names, limit or 0, severity, span.entry, section, *remarks)


def _joined(notes: Iterable[str], say: Language) -> str:
    return " ".join(map(say.template, notes))


def _is_stricter(one: tuple[_Span, str], other: tuple[_Span, str] | None) -> bool:
    """Return True if an entry is to be cited and not another one of the same cards.

    What is certain goes before what may not have begun yet, and of two such entries the one that allows fewer copies.
    """
    if other is None:
        return True
    (span, severity), (known, its) = one, other
    if severity != its:
        return severity == ERROR
    return severity == ERROR and (span.step.limit or 0) <= (known.step.limit or 0)


def _rulings(spans: Iterable[_Span]) -> Iterator[Ruling]:
    """Yield how each entry began, and how those ended that no other took the place of."""
    spans = list(spans)
    ended = {(span.step.numbers, span.end): span.step for span in spans if span.end}
    for change, step in ((span.change, span.step) for span in spans):
        before = ended.pop((step.numbers, change), None)
        yield Ruling(change, step.numbers, step.names, before.limit if before else None, step.limit, step.group)
    for (_, end), step in ended.items():
        yield Ruling(end, step.numbers, step.names, step.limit, None, step.group)


def _sources(changes: Iterable[ListChange]) -> tuple[str, ...]:
    ordered = sorted(changes, key=lambda change: change.day)
    return tuple(dict.fromkeys(change.source for change in ordered))


def parse(document: Mapping[str, Any]) -> LimitsList:
    """Return the list that a parsed file stands for; a DocumentError says how to mend the file."""
    check_keys(document, "head", _HEAD, _MORE_HEAD)
    groups, spared = document.get("groups", {}), document.get("spared", {})
    for where, table in (("groups", groups), ("spared", spared)):
        check_texts(list(table.values()), where)
    check_titles(document["regions"], "regions")
    for region, followed in document.get("follows", {}).items():
        for one in (region, followed):
            check_word(one, "follows", document["regions"])
    timezones = document.get("timezones", {})
    check_texts(list(timezones.values()), "timezones")
    for region in timezones:
        check_word(region, "timezones", document["regions"])
    check_keys(document["sections"], "sections", _SECTIONS, _MORE_SECTIONS)
    joined = _Joined(groups)
    made = [_change(table, f"change {at}", document, joined) for at, table in enumerate(document["change"], start=1)]
    for (before, _), (after, _) in pairwise(made):
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
        changes=tuple(change for change, _ in made),
        spared=MappingProxyType(spared),
        partial=tuple(_gaps(document)),
        follows=MappingProxyType(document.get("follows", {})),
        timezones=MappingProxyType(timezones),
        _spans=tuple(_spans(made)),
    )


def _gaps(document: Mapping[str, Any]) -> Iterator[_Gap]:
    for at, table in enumerate(document.get("partial", []), start=1):
        where = f"partial {at}"
        check_keys(table, where, _PARTIAL, _MORE_PARTIAL)
        check_word(table["region"], f"{where}, region", document["regions"])
        _check_best_of(table, where)
        yield _Gap(**table)


def _check_best_of(table: Mapping[str, Any], where: str) -> None:
    if table.get("best_of", _BEST_OF[0]) not in _BEST_OF:
        raise DocumentError(f"{where}: best_of {table['best_of']} should be 1; leave it out for all matches")


class _Joined:
    """Who has joined each group so far, by region."""

    def __init__(self, groups: Mapping[str, str]) -> None:
        self._groups = groups
        self._members: dict[tuple[str, str], dict[str, str]] = {}

    def steps(self, table: Mapping[str, Any], where: str) -> Iterator[_Step]:
        """Yield the pairs that those who leave made with those who stay, and that those who join make with all."""
        for word, move in (("lift_among", self._leave), ("ban_among", self._join)):
            for group, cards in table.get(word, {}).items():
                at = f"{where}, {word}"
                check_word(group, at, self._groups)
                check_kind(cards, f"{at} {group}", dict)
                members = self._members.setdefault((table["region"], group), {})
                for number, name in cards.items():
                    for pair in move(members, number, name, f"{at} {group}"):
                        yield pair._replace(group=self._groups[group])

    def _join(self, members: dict[str, str], number: str, name: str, where: str) -> Iterator[_Step]:
        if number in members:
            raise DocumentError(f"{where}: {number} is in the group already; take it out")
        yield from (_pair_step({number: name, other: its}, 0, where) for other, its in members.items())
        members[number] = name

    def _leave(self, members: dict[str, str], number: str, name: str, where: str) -> Iterator[_Step]:
        if number not in members:
            raise DocumentError(f"{where}: {number} is not in the group; take it out")
        del members[number]
        yield from (_pair_step({number: name, other: its}, None, where) for other, its in members.items())


def _change(
    table: Any, where: str, document: Mapping[str, Any], joined: _Joined
) -> tuple[ListChange, tuple[_Step, ...]]:
    """Return a change and what it says of each card."""
    check_keys(table, where, _NEEDED, _OPTIONAL)
    check_word(table["region"], f"{where}, region", document["regions"])
    if followed := document.get("follows", {}).get(table["region"]):
        raise DocumentError(f"{where}: {table['region']} follows {followed}; write the change there, or drop follows")
    _check_best_of(table, where)
    check_source(table["source"], where)
    check_word(table.get("confidence", "high"), f"{where}, confidence", CONFIDENCES)
    _check_days(table, where)
    change = ListChange(**{key: value for key, value in table.items() if key not in _WORDS})
    steps = (*_steps(table, change.place), *joined.steps(table, change.place))
    if ("ban_pairs" in table or "ban_among" in table) and "ban_pairs" not in document["sections"]:
        raise DocumentError(f'{change.place} bans pairs; write ban_pairs = "…", their heading, in [sections]')
    if change.best_of and "best_of_1" not in document["sections"]:
        raise DocumentError(f'{change.place} is for best of one; write best_of_1 = "…", its heading, in [sections]')
    if not steps:
        raise DocumentError(f"{change.place} names no card; write one of {', '.join(_WORDS)}, or take it out")
    return change, steps


def _check_days(table: Mapping[str, Any], where: str) -> None:
    """Refuse a change with no first day, with two, with crossed bounds, or announced after it may take effect."""
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
    if any(word in table for word in _LIFTS):
        raise DocumentError(f"{where}: an entry ends on a known day; give the lift its effective_from")
    first, last = table["not_before"], table["no_later_than"]
    if first > last:
        raise DocumentError(f"{where}: not_before {first} is after no_later_than {last}; correct one")


def _steps(table: Mapping[str, Any], where: str) -> Iterator[_Step]:
    """Yield what a change says, card by card."""
    for number, name in table.get("ban", {}).items():
        yield _step({number: name}, 0, f"{where}, ban")
    for number, at in table.get("restrict", {}).items():
        check_keys(at, f"{where}, restrict {number}", {"limit": int, "name": str})
        if at["limit"] not in _RESTRICTIONS:
            raise DocumentError(
                f"{where}, restrict {number}: limit {at['limit']} should be 1, 2 or 3; 0 is a ban, 4 a lift"
            )
        yield _step({number: at["name"]}, at["limit"], f"{where}, restrict")
    for pair in table.get("ban_pairs", []):
        yield _pair_step(pair, 0, f"{where}, ban_pairs")
    for number, name in table.get("lift", {}).items():
        yield _step({number: name}, None, f"{where}, lift")
    for pair in table.get("lift_pairs", []):
        yield _pair_step(pair, None, f"{where}, lift_pairs")


def _pair_step(pair: Any, limit: int | None, where: str) -> _Step:
    check_kind(pair, where, dict)
    if len(pair) != 2:
        raise DocumentError(f"{where}: a pair is two different cards, {{AB01-001 = ..., AB01-002 = ...}}")
    return _step(pair, limit, where)


def _step(cards: Mapping[str, Any], limit: int | None, where: str) -> _Step:
    for number, name in cards.items():
        check_number(number, where)
        check_kind(name, f"{where} {number}", str)
    numbers, names = zip(*sorted(cards.items()), strict=True)
    return _Step(numbers, names, limit)


def _spans(changes: Iterable[tuple[ListChange, tuple[_Step, ...]]]) -> Iterator[_Span]:
    """Yield the entries of the list, following each card from change to change."""
    standing: dict[tuple[object, ...], _Span] = {}
    touched: dict[tuple[object, ...], date] = {}
    for change, steps in changes:
        for step in steps:
            card = change.region, change.best_of, step.numbers
            before = standing.pop(card, None)
            _check_step(step, change, before, touched.get(card, date.min))
            if before:
                yield replace(before, end=change)
            if step.limit is not None:
                standing[card] = _Span(change, step)
            touched[card] = change.day
    yield from standing.values()


def _check_step(step: _Step, change: ListChange, before: _Span | None, last: date) -> None:
    """Refuse what repeats, undoes or does nothing."""
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
