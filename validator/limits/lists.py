"""Limits lists: what an official list bans and restricts, and on which days.

A list is a chronological file of changes. Each change bans, restricts or lifts from its first day on, in
one region; what it says of a card holds until the next change that names the card. Where the first day is
not known, two days are that it lies between: before them the change says nothing, from the second on it is certain.
Of a group only one card may be in a deck: a card that joins it is a banned pair with each that is in it already,
until one of the two leaves it. A change with `best_of` binds in matches of that many games only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from validator.findings import ERROR, WARNING, ListEntry
from validator.language import Language, Phrase


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
        return Phrase(_join_notes, self.notes)

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


class Step(NamedTuple):
    """What a change says of one card, or of a pair in the order of their numbers; None lifts."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    limit: int | None
    group: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """An entry of the list from the change that made it to the one that ended it."""

    change: ListChange
    step: Step
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
class Gap:
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
    partial: tuple[Gap, ...] = ()
    follows: Mapping[str, str] = field(default_factory=dict)
    timezones: Mapping[str, str] = field(default_factory=dict)
    _spans: tuple[Span, ...] = field(default=(), repr=False)

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

    def _binding(self, day: date, region: str, best_of: int | None) -> dict[tuple[str, ...], tuple[Span, str]]:
        """Return the entries that bind on a day and how, by their cards' numbers, sorted."""
        binding: dict[tuple[str, ...], tuple[Span, str]] = {}
        for span in self._spans:
            is_meant = span.change.region == self.region_of_days(region) and span.change.binds_in(best_of)
            severity = span.severity(day) if is_meant else None
            if severity and _is_stricter((span, severity), binding.get(span.step.numbers)):
                binding[span.step.numbers] = span, severity
        return dict(sorted(binding.items()))

    def _made(self, kind: type[_Bound], span: Span, severity: str) -> _Bound:
        numbers, names, limit, group = span.step
        change = span.change
        own = "restrict" if limit else "ban" if kind is Limit else "ban_pairs"
        section = self.sections[f"best_of_{change.best_of}" if change.best_of else own]
        spared = self.spared.get("+".join(numbers), "")
        remarks = change.note, change.stated, change.bounds, change.confidence, group, spared
        return kind(numbers, names, limit or 0, severity, span.entry, section, *remarks)


def _join_notes(notes: Iterable[str], say: Language) -> str:
    return " ".join(map(say.template, notes))


def _is_stricter(one: tuple[Span, str], other: tuple[Span, str] | None) -> bool:
    """Return True if an entry is to be cited and not another one of the same cards.

    What is certain goes before what may not have begun yet, and of two such entries the one that allows fewer copies.
    """
    if other is None:
        return True
    (span, severity), (known, its) = one, other
    if severity != its:
        return severity == ERROR
    return severity == ERROR and (span.step.limit or 0) <= (known.step.limit or 0)


def _rulings(spans: Iterable[Span]) -> Iterator[Ruling]:
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


class ListDifference(NamedTuple):
    """What a list says of a card, or of a pair, on two days; None where it says nothing of it."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    before: Binding | None
    after: Binding | None


def compared(before: InForce, after: InForce) -> list[ListDifference]:
    """Return of which cards and pairs two lists say different things, by their numbers, pairs last."""
    old, new = before.entries, after.entries
    numbers = sorted({*old, *new}, key=lambda one: (len(one), one))
    return [
        ListDifference(one, (new.get(one) or old[one]).names, old.get(one), new.get(one))
        for one in numbers
        if _binds(old.get(one)) != _binds(new.get(one))
    ]


def _binds(entry: Binding | None) -> tuple[int, str] | None:
    """Return how many copies an entry allows, and how surely."""
    return (entry.limit, entry.severity) if entry else None
