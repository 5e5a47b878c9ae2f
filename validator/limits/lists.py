"""Limits lists: the cards that an official list bans and restricts, and the days of these entries.

A list is a chronological file of changes. Each change bans, restricts or lifts from its first day on in one region. An
entry of a card is in force until the next change that names the card, and a card pool until the next card pool. If the
first day is not known, two days limit it: before the first one the change is not in force, from the second one on it is
certain.
Of a group only one card may be in a deck. A card that joins a group is a banned pair with each of its members, until
one of the two leaves the group. A change with `best_of` binds only in matches of that many games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from types import MappingProxyType
from typing import Annotated, NamedTuple, TypedDict

from validator.documents import Provisional
from validator.field_docs import DayText, doc
from validator.findings import ERROR, WARNING, ListEntry, NamedJSON
from validator.language import Language, Phrase, phrase


class ListChangeJSON(TypedDict):
    """A change of a list, with its source and its days, as JSON. The cards that it changes are not in it.

    `announced` is the day of the announcement, null if it is not known. `confidence` is `high`, `medium` or `low`.
    `stated`, `bounds` and `note` are texts for people, "" for none.
    """

    region: str
    source: Annotated[str, doc("The address of the list.")]
    announced: DayText | None
    effective_from: Annotated[DayText | None, doc("The first day. null if it is not known.")]
    not_before: Annotated[DayText | None, doc("If the first day is not known: this day or later.")]
    no_later_than: Annotated[DayText | None, doc("If the first day is not known: this day or earlier.")]
    stated: Annotated[str, doc("The first day in the list's own words.")]
    bounds: Annotated[str, doc("Why the first day, if not known, lies between those two.")]
    confidence: str
    note: str
    best_of: Annotated[int | None, doc("1 if it binds in best-of-one matches only.")]


@dataclass(frozen=True, slots=True)
class ListChange:
    """One change of a list in one region, with its first day, its web page `source`, and the certainty of the source.

    Either `effective_from` is known, or only that the day is from `not_before` to `no_later_than`. Then `bounds` is the
    reason for these days, else "". `stated` is the first day in the list's own words, or "". `announced` is the day of
    the announcement, None if unknown. `confidence` is "high", "medium" or "low". A change with `best_of` binds only in
    matches of that many games, and with None in all matches. `document` is the name of an organiser's list that
    findings cite, "" if they cite the official list.
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
    document: str = ""

    @property
    def day(self) -> date:
        """The day from which the change is certainly in force. date.max if none is known."""
        return self.effective_from or self.no_later_than or date.max

    @property
    def possible(self) -> date:
        """The first day on which the change may be in force. date.max if none is known."""
        return self.effective_from or self.not_before or date.max

    def as_dict(self) -> ListChangeJSON:
        """Return all fields except `document` as JSON."""
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
        """Return True if the change binds in matches of `best_of` games. None is a match of unknown length.

        A change for one length does not bind in matches of unknown length.
        """
        return self.best_of in (None, best_of)

    @property
    def place(self) -> str:
        """The name of the change in error messages about the file: "the en change of 2024-01-01"."""
        return phrase("the {region} change of {day}", region=self.region, day=self.day)


@dataclass(frozen=True, slots=True)
class Binding:
    """The entry of a card or a pair: at most `limit` copies (0: banned). `section` is its heading in the official list.

    `numbers` and `names` have one card, or the two of a banned pair by number. `severity` is "warning" as long as the
    entry may not be in force yet, else "error". `change` began the entry. `entry` is its form for citations. `group` is
    the title of the group of which only one card is allowed, "" without one. `spared` describes the exempt decks for
    people, "" for none.
    """

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    limit: int
    severity: str
    change: ListChange
    entry: ListEntry
    section: str
    group: str = ""
    spared: str = ""


@dataclass(frozen=True, slots=True)
class CardPool:
    """The only cards that a list allows: all cards of `sets`, and the single `cards`, which are names by number.

    A set is written as the part of a card number before the dash. `entry` and `document` are for citations.
    """

    sets: tuple[str, ...]
    cards: Mapping[str, str]
    entry: ListEntry
    document: str = ""

    def has_card(self, number: str, printings: Iterable[str] = ()) -> bool:
        """Return True if the pool allows a card by its number, or by the number of one of its `printings`."""
        return any(each in self.cards or each.partition("-")[0] in self.sets for each in (number, *printings))


@dataclass(frozen=True, slots=True, eq=False)
class InForce:
    """The list as it is in force on one day in one region, for one length of match.

    `singles` has the entries of single cards by number. `pairs` are the banned pairs. `title` is the list's name in
    citations. `effective_from` is the day of its newest change with a known first day, None before the first one.
    `known_to` is the last day whose announcements it contains. `sources` are the web pages of its entries, the oldest
    first. `notes` are sentences about unknown facts. `provisional` is that of the whole list. `pool` has the only cards
    that are allowed, None if all are.
    """

    game: str
    region: str
    day: date
    title: str
    effective_from: date | None
    known_to: date | None
    singles: Mapping[str, Binding]
    pairs: tuple[Binding, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...] = ()
    provisional: Provisional | None = None
    pool: CardPool | None = None

    @property
    def note(self) -> str:
        """The notes as one text, which can be translated. "" if there are none."""
        return Phrase(_join_notes, self.notes)

    @property
    def entries(self) -> Mapping[tuple[str, ...], Binding]:
        """All entries of single cards and pairs, by a tuple of the one or two card numbers."""
        return {entry.numbers: entry for entry in (*self.singles.values(), *self.pairs)}


class RulingJSON(TypedDict):
    """The effect of a change of a list on one card or pair, as JSON. For a pair, a limit of 0 means banned together."""

    cards: Annotated[list[NamedJSON], doc("The card, or the pair.")]
    before: Annotated[int | None, doc("The most copies before the change. null if the card was not on the list.")]
    limit: Annotated[int | None, doc("The most copies after the change. null if the card is unrestricted again.")]
    group: Annotated[str | None, doc("The group of both cards of the pair, if any two cards of it are a pair.")]


class Ruling(NamedTuple):
    """The effect of a change on one card, or on a pair sorted by number.

    `limit` is the number of copies allowed from then on (0: banned), `before` the number allowed until then. None means
    no entry. `group` is the title of the group that bans the pair, "" without one.
    """

    change: ListChange
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    before: int | None
    limit: int | None
    group: str = ""

    def as_dict(self) -> RulingJSON:
        """Return the effect as JSON. `change` is left out."""
        cards: list[NamedJSON] = [
            {"number": number, "name": name} for number, name in zip(self.numbers, self.names, strict=True)
        ]
        return {"cards": cards, "before": self.before, "limit": self.limit, "group": self.group or None}


class PoolStep(NamedTuple):
    """A card pool of a list: the only sets and single cards (names by number) that are allowed from `change` on."""

    change: ListChange
    sets: tuple[str, ...]
    cards: Mapping[str, str]


class Step(NamedTuple):
    """The new limit of one card, or of a pair sorted by number, in a change.

    `limit` is the number of copies (0: banned), and None lifts the entry. `group` is the title of the group that bans
    the pair, "" without one.
    """

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    limit: int | None
    group: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """An entry of the list from the change that began it to the change `end` that ended it. None if no change did."""

    change: ListChange
    step: Step
    end: ListChange | None = None

    def severity(self, day: date) -> str | None:
        """Return ERROR if the entry is certainly in force on a day, WARNING if it only may be.

        None if it is not in force. The entry begins between the first possible and the certain day of its change. It is
        not in force on the first day of the change that ended it.
        """
        if day < self.change.possible or (self.end and day >= self.end.day):
            return None
        return ERROR if day >= self.change.day else WARNING


@dataclass(frozen=True, slots=True)
class Gap:
    """A `note` for people on an unknown part of a region's list.

    It applies up to and including the day `until`, None for all days, in matches of `best_of` games, None for all
    matches.
    """

    region: str
    note: str
    until: date | None = None
    best_of: int | None = None

    def concerns(self, day: date, region: str, best_of: int | None) -> bool:
        """Return True if the note applies on a day, in a region, in matches of `best_of` games.

        None is an unknown length, in which only a note for all matches applies.
        """
        return self.region == region and day <= (self.until or date.max) and self.best_of in (None, best_of)


def _citable_entry(change: ListChange, end: ListChange | None) -> ListEntry:
    """Return the entry that a change began, in the form for citations in findings.

    Its last day is the day before the change `end`, which ended it. It is None if there is no such change, or if that
    day is unknown.
    """
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


def _iso(day: date | None) -> str | None:
    """Return a day in ISO format. None for None."""
    return day.isoformat() if day else None


@dataclass(frozen=True, slots=True, eq=False)
class LimitsList:
    """An official list with all its days and regions. A game without an official list has an empty list.

    `regions` has the places of each region code. `known_to` is the last day whose announcements are in the list, None
    if unknown. `sections` has headings by "ban", "restrict", "ban_pairs", "best_of_1". `changes`, of all regions, and
    `pools` are sorted by day. `spared` describes exempt decks by an entry's numbers joined with "+". `partial` are
    unknown parts. `follows` has the region whose changes count in a region without own ones. `timezones` are IANA names
    by region. `provisional` is set only for second-hand sources. `_spans` are all entries.
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
    provisional: Provisional | None = None
    pools: tuple[PoolStep, ...] = ()
    _spans: tuple[Span, ...] = field(default=(), repr=False)

    def in_force_on(self, day: date, region: str = "en", best_of: int | None = None) -> InForce:
        """Return the list as it is in force on a day, for matches of `best_of` games. None is an unknown length.

        Raises ValueError for an unknown region.
        """
        newest = self._newest_day(day, region, best_of)
        entries = [self._make_entry(*found) for found in self._find_binding(day, region, best_of).values()]
        changes = (entry.change for entry in entries)
        return InForce(
            game=self.game,
            region=region,
            day=day,
            title=phrase("{title}, in force from {day}", title=self.title, day=newest) if newest else self.title,
            effective_from=newest,
            known_to=self.known_to,
            singles=MappingProxyType({entry.numbers[0]: entry for entry in entries if len(entry.numbers) == 1}),
            pairs=tuple(entry for entry in entries if len(entry.numbers) == 2),
            sources=tuple(dict.fromkeys(change.source for change in sorted(changes, key=lambda change: change.day))),
            notes=tuple(gap.note for gap in self.partial if gap.concerns(day, region, best_of)),
            provisional=self.provisional,
            pool=self._find_pool(day, region),
        )

    def _find_pool(self, day: date, region: str) -> CardPool | None:
        """Return the card pool in force on a day: the only cards that are allowed. None if all cards are allowed."""
        pools = [pool for pool in self.pools if pool.change.region == self.region_of_days(region)]
        begun = [pool for pool in pools if pool.change.day <= day]
        if not begun:
            return None
        change, sets, cards = begun[-1]
        following = pools[len(begun)].change if len(begun) < len(pools) else None
        return CardPool(sets, cards, _citable_entry(change, following), change.document)

    def dates(self, region: str = "en") -> tuple[date, ...]:
        """Return each day on which the list changes in a region, in order.

        A change of unknown day has two: its first possible and its certain day. Raises ValueError for an unknown
        region.
        """
        return tuple(sorted({day for change in self.changes_of(region) for day in (change.possible, change.day)}))

    def rulings(self, region: str = "en") -> list[Ruling]:
        """Return the effects of all changes for a region on cards and pairs, sorted by day and number.

        If the region follows another one, they are those of the other region. Raises ValueError for an unknown region.
        """
        self.changes_of(region)
        source_region = self.region_of_days(region)
        found = _find_rulings([span for span in self._spans if span.change.region == source_region])
        return sorted(found, key=lambda ruling: (ruling.change.day, ruling.numbers))

    def cards(self) -> set[tuple[str, str]]:
        """Return `(number, name)` of all cards that the list has or had in any region, also those of card pools."""
        listed = {card for span in self._spans for card in zip(span.step.numbers, span.step.names, strict=True)}
        return listed.union(*(pool.cards.items() for pool in self.pools))

    @property
    def dated_regions(self) -> tuple[str, ...]:
        """The regions that do not follow another region, in the order of `regions`."""
        return tuple(region for region in self.regions if region not in self.follows)

    def region_of_days(self, region: str) -> str:
        """Return the region whose changes apply in a region: itself, or the one that it follows.

        An unknown region is returned unchanged.
        """
        return self.follows.get(region, region)

    def changes_of(self, region: str) -> list[ListChange]:
        """Return all changes for a region, of any day, sorted by day. Raises ValueError for an unknown region.

        If the region follows another one, they are those of the other region.
        """
        if region not in self.regions:
            places = "; ".join(f"{code} is {places}" for code, places in self.regions.items())
            raise ValueError(
                phrase(
                    "unknown region {region!r}; known are {regions} ({places})",
                    region=region,
                    regions=", ".join(self.regions),
                    places=places,
                )
            )
        return [change for change in self.changes if change.region == self.region_of_days(region)]

    def _newest_day(self, day: date, region: str, best_of: int | None) -> date | None:
        """Return the day of the newest change up to `day` whose first day is known. None if there is none.

        Changes for other lengths of match are ignored. Raises ValueError for an unknown region.
        """
        changes = (change for change in self.changes_of(region) if change.binds_in(best_of))
        known = (change.effective_from for change in changes if change.effective_from)
        return max((first for first in known if first <= day), default=None)

    def _find_binding(self, day: date, region: str, best_of: int | None) -> dict[tuple[str, ...], tuple[Span, str]]:
        """Return `(span, severity)` of the entries in force on a day, by their card numbers and sorted by them.

        If a card has an entry for all matches and one for this length of match, the stricter one is returned.
        """
        binding: dict[tuple[str, ...], tuple[Span, str]] = {}
        for span in self._spans:
            is_in_terms = span.change.region == self.region_of_days(region) and span.change.binds_in(best_of)
            severity = span.severity(day) if is_in_terms else None
            if severity and _is_stricter((span, severity), binding.get(span.step.numbers)):
                binding[span.step.numbers] = span, severity
        return dict(sorted(binding.items()))

    def _make_entry(self, span: Span, severity: str) -> Binding:
        """Return the entry of a span. Raises KeyError if the list has no heading for the entry."""
        numbers, names, limit, group = span.step
        own = "restrict" if limit else "ban" if len(numbers) == 1 else "ban_pairs"
        return Binding(
            numbers,
            names,
            limit or 0,
            severity,
            span.change,
            _citable_entry(span.change, span.end),
            section=self.sections[f"best_of_{span.change.best_of}" if span.change.best_of else own],
            group=group,
            spared=self.spared.get("+".join(numbers), ""),
        )


def _join_notes(notes: Iterable[str], translate: Language) -> str:
    """Return the notes in a language as one text, separated by blanks."""
    return " ".join(map(translate.template, notes))


def _is_stricter(entry: tuple[Span, str], other: tuple[Span, str] | None) -> bool:
    """Return True if the entry `(span, severity)` replaces another one of the same cards.

    True if the other one is None. A certain entry replaces an uncertain one. Of two certain ones, the later replaces
    one with the same or a higher limit. Of two uncertain ones, the first is kept.
    """
    if other is None:
        return True
    (span, severity), (known, known_severity) = entry, other
    if severity != known_severity:
        return severity == ERROR
    return severity == ERROR and (span.step.limit or 0) <= (known.step.limit or 0)


def _find_rulings(spans: Iterable[Span]) -> Iterator[Ruling]:
    """Yield the effect of the start of each entry, then of the end of each entry that a change only lifted.

    `spans` are those of one region.
    """
    spans = list(spans)
    ended = {(span.step.numbers, span.end): span.step for span in spans if span.end}
    for change, step in ((span.change, span.step) for span in spans):
        before = ended.pop((step.numbers, change), None)
        yield Ruling(change, step.numbers, step.names, before.limit if before else None, step.limit, step.group)
    for (_, end), step in ended.items():
        yield Ruling(end, step.numbers, step.names, step.limit, None, step.group)


class ListDifference(NamedTuple):
    """The entries of one card, or of a pair by number, in two lists whose limit or severity differs.

    `before` or `after` is None if that list has no entry.
    """

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    before: Binding | None
    after: Binding | None


def compare_lists(before: InForce, after: InForce) -> list[ListDifference]:
    """Return the cards and pairs whose limit or severity differs between two lists, sorted by number, pairs last.

    The names are those of `after`, if it has the entry.
    """
    old, new = before.entries, after.entries
    numbers = sorted({*old, *new}, key=lambda number_key: (len(number_key), number_key))
    return [
        ListDifference(
            number_key, (new.get(number_key) or old[number_key]).names, old.get(number_key), new.get(number_key)
        )
        for number_key in numbers
        if _limit_and_severity(old.get(number_key)) != _limit_and_severity(new.get(number_key))
    ]


def _limit_and_severity(entry: Binding | None) -> tuple[int, str] | None:
    """Return the limit and the severity ("warning" or "error") of an entry. None for None."""
    return (entry.limit, entry.severity) if entry else None
