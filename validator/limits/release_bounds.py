"""Release bounds: the first and last possible release day of cards whose own release day is not known.

The rule on releases and the card pages use them. A known release day of a card always takes precedence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any, NamedTuple

from validator.bounds import MOST_DATED_CARDS
from validator.cards import Card
from validator.documents import HEAD, Document, check_keys, check_texts, check_word
from validator.errors import DocumentError
from validator.findings import Citation
from validator.language import Phrase, phrase
from validator.limits.cardsets import ENGLISH, Sets
from validator.limits.lists import LimitsList
from validator.numbers import OFFICIAL

_HEAD = {"game": str, "notes": list, "series": list, "reasons": dict, "sources": dict, "bound": list}
_SOURCE = {"region": str, "title": str}
_NEEDED = {"reason": str, "source": str}
_SELECTORS = ("sets", "numbers", "types", "colors", "blocks")
_DAYS = ("not_before", "expected", "no_later_than")
_OPTIONAL = {**dict.fromkeys(_SELECTORS, list), **dict.fromkeys(_DAYS, date)}
_NO_NUMBER = re.compile("(?!)")
_IN_SERIES = re.compile(r"([A-Z]+)([0-9]+)")
_DAY = attrgetter("day")


class DayLimit(NamedTuple):
    """A day that limits a release: the `reason` as a part of a sentence, and `cite`, the document with the day."""

    day: date
    reason: Phrase
    cite: Citation


class ReleaseBounds(NamedTuple):
    """The limits of an unknown release day: the first and the last possible one. None if a limit is not known.

    `expected` is an estimate. From that day on a card counts as released, even if `no_later_than` is later.
    """

    not_before: DayLimit | None = None
    expected: date | None = None
    no_later_than: DayLimit | None = None


@dataclass(frozen=True, slots=True)
class BoundsEntry:
    """An entry of a bounds file, with the bounds of some cards in a region.

    It applies to cards that match each field that is not empty. `sets` are set codes, and `numbers` the first and the
    last number of a range. Of `types`, `colors` and `blocks`, one value each is sufficient.
    """

    region: str
    bounds: ReleaseBounds
    sets: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()

    def applies_to(self, card: Card) -> bool:
        """Return True if the card matches each filled field, except `sets`, which is ignored here."""
        return (
            (not self.numbers or _is_between(card.number, self.numbers))
            and (not self.types or card.type in self.types)
            and (not self.colors or not set(self.colors).isdisjoint(card.colors))
            and (not self.blocks or card.block in self.blocks)
        )


@dataclass(frozen=True, slots=True)
class BoundsFile:
    """The content of a bounds file. `series` are the prefixes of sets that come out in the order of their numbers.

    `reasons` are the sentences for citations by key, and `notes` are remarks on the file.
    """

    notes: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    entries: tuple[BoundsEntry, ...] = ()


class BoundsTable:
    """The release bounds of the cards of one game in one region, from its sets, its limits list and its bounds file."""

    def __init__(self, file: BoundsFile, sets: Sets, limits_list: LimitsList, region: str = ENGLISH) -> None:
        """Collect the limits by set and by card number. Entries of other regions are ignored.

        Limits that follow from other sets are computed later, when a set is looked up.
        """
        entries = [entry for entry in file.entries if entry.region == region]
        self._official = OFFICIAL.get(sets.game, _NO_NUMBER)
        self._series = file.series
        self._entries = [entry for entry in entries if not entry.sets and not entry.numbers]
        self._of_numbers: dict[str, list[BoundsEntry]] = {}
        for entry in entries:
            if entry.numbers:
                self._of_numbers.setdefault(_set_code(entry.numbers[0]), []).append(entry)
        self._listed = dict(_limits_from_list(limits_list, region))
        collected: dict[str, list[ReleaseBounds]] = {}
        for entry in entries:
            for code in entry.sets:
                collected.setdefault(code, []).append(entry.bounds)
        for code, card_set in sets.by_code.items():
            if release := card_set.released.get(region):
                day = DayLimit(date.fromisoformat(release.day), _SET_DAY, release.cite)
                collected.setdefault(code, []).append(ReleaseBounds(day, None, day))
        self._own = {code: _narrow_bounds(found) for code, found in collected.items()}
        self._of_sets: dict[str, ReleaseBounds] = {}
        self._of_cards: dict[tuple[object, ...], ReleaseBounds] = {}

    def find_bounds(self, card: Card) -> ReleaseBounds:
        """Return the narrowest bounds of a card. The result is cached, for `MOST_DATED_CARDS` cards at most.

        The last possible day is never before the first possible one. A card without an official number of the game,
        such as an invented one, has no bounds.
        """
        facts = card.number, card.type, card.colors, card.block
        if facts not in self._of_cards:
            if len(self._of_cards) >= MOST_DATED_CARDS:
                self._of_cards.clear()
            self._of_cards[facts] = self._narrowest_of(card)
        return self._of_cards[facts]

    def _narrowest_of(self, card: Card) -> ReleaseBounds:
        """Return the narrowest bounds of a card, without the cache.

        Empty bounds if its number is not an official one.
        """
        if not self._official.fullmatch(card.number):
            return ReleaseBounds()
        code = _set_code(card.number)
        entries = (*self._entries, *self._of_numbers.get(code, ()))
        found = [self.of_set(code), *(entry.bounds for entry in entries if entry.applies_to(card))]
        if card.number in self._listed:
            found.append(ReleaseBounds(no_later_than=self._listed[card.number]))
        return _narrow_bounds(found)

    def of_set(self, code: str) -> ReleaseBounds:
        """Return the bounds of all cards of a set. They include those that follow from the other sets of its series.

        Bounds of only some of its cards are not included. The result is cached by code. An unknown set has only the
        bounds from its series, empty ones without a series.
        """
        if code not in self._of_sets:
            own = [self._own[code]] if code in self._own else []
            self._of_sets[code] = _narrow_bounds([*own, *self._of_neighbours(code)])
        return self._of_sets[code]

    def _of_neighbours(self, code: str) -> Iterator[ReleaseBounds]:
        """Yield the bounds of a set that follow from the earlier and later sets of its series.

        Nothing is yielded if the prefix of the code is not among the series that come out in order.
        """
        prefix, number = _split_code(code)
        for other, known in self._own.items() if prefix in self._series else ():
            its_prefix, its_number = _split_code(other)
            if its_prefix == prefix and its_number < number and known.not_before:
                yield ReleaseBounds(not_before=_limit_from_earlier(other, known.not_before))
            if its_prefix == prefix and its_number > number and known.no_later_than:
                yield ReleaseBounds(None, known.expected, _limit_from_later(other, known.no_later_than))


def parse(document: Document) -> BoundsFile:
    """Return the content of a parsed bounds file.

    Raises DocumentError with the place of a mistake and its correction.
    """
    check_keys(document, HEAD, _HEAD)
    for key, source in document["sources"].items():
        check_keys(source, phrase("source {key}", key=key), _SOURCE)
    check_texts(list(document["reasons"].values()), "reasons")
    return BoundsFile(
        check_texts(document["notes"], "notes"),
        check_texts(document["series"], "series"),
        document["reasons"],
        tuple(_parse_entry(table, document, place) for place, table in enumerate(document["bound"], 1)),
    )


def _parse_entry(table: Any, document: Document, place: int) -> BoundsEntry:
    """Return the entry of a table of `document`. `place` is its number from 1, for error messages.

    Raises DocumentError if the table is invalid, has no day, or has days in the wrong order.
    """
    where = phrase("bound {index}", index=place)
    check_keys(table, where, _NEEDED, _OPTIONAL)
    check_word(table["reason"], where, document["reasons"], "reason")
    check_word(table["source"], where, document["sources"], "source")
    selectors = {key: check_texts(table[key], where, key) for key in _SELECTORS if key in table}
    _check_selectors(selectors, where)
    days = [table[key] for key in _DAYS if key in table]
    if not days or days != sorted(days):
        raise DocumentError(
            phrase("{where}: write not_before, expected or no_later_than, in this order of days", where=where)
        )
    source = document["sources"][table["source"]]
    about = _describe_selectors(selectors)
    reason = phrase(document["reasons"][table["reason"]], cards=about, **{key: table.get(key) for key in _DAYS})
    first, last = (
        DayLimit(table[key], reason, Citation(source["title"], about)) if key in table else None
        for key in ("not_before", "no_later_than")
    )
    return BoundsEntry(source["region"], ReleaseBounds(first, table.get("expected"), last), **selectors)


def _check_selectors(selectors: Mapping[str, tuple[str, ...]], place: str) -> None:
    """Raise DocumentError if a selector is empty, if `sets` is beside another one, or if `numbers` are no range.

    A selector is a key of an entry with the cards to which it applies, such as `types`. A range is within one set.
    """
    if "sets" in selectors and len(selectors) > 1:
        raise DocumentError(
            phrase(
                "{place}: sets allows no other selectors beside it; write the others in an entry of their own",
                place=place,
            )
        )
    if any(not values for values in selectors.values()):
        raise DocumentError(phrase("{place}: a selector is empty; write its values or take it out", place=place))
    if "numbers" in selectors:
        numbers = selectors["numbers"]
        if len(numbers) != 2 or not _is_between(numbers[0], numbers) or not _is_between(numbers[1], numbers):
            raise DocumentError(
                phrase(
                    "{place}: numbers {value} should be the first and the last of one series",
                    place=place,
                    value=list(numbers),
                )
            )


def _describe_selectors(selectors: Mapping[str, tuple[str, ...]]) -> str:
    """Return the cards of an entry as text for citations: "OP01-001–OP01-016, Leader".

    "Release" if there are no selectors.
    """
    numbers = "–".join(dict.fromkeys(selectors.get("numbers", ())))
    others = [", ".join(values) for key, values in selectors.items() if key != "numbers"]
    return ", ".join(filter(None, [numbers, *others])) or "Release"


def _limits_from_list(limits_list: LimitsList, region: str) -> Iterator[tuple[str, DayLimit]]:
    """Yield `(number, limit)` of the cards that the limits list has or had, the newest change first.

    A card must be out by the day of a change that names it. So of several limits of a card the last is the earliest.
    Nothing is yielded for a region without a list.
    """
    rulings = limits_list.rulings(region) if region in limits_list.regions else []
    for ruling in sorted(rulings, key=lambda ruling: ruling.change.day, reverse=True):
        if ruling.change.day < date.max:
            day = ruling.change.day
            reason = phrase("the official list has the card since {day}", day=day)
            for number in ruling.numbers:
                yield (
                    number,
                    DayLimit(
                        day, reason, Citation(limits_list.title, ruling.change.stated or phrase("from {day}", day=day))
                    ),
                )


_SET_DAY = phrase("the cards of a set come out together")


def _limit_from_earlier(other: str, limit: DayLimit) -> DayLimit:
    """Return the first possible day that follows for later sets of a series: that of `other`, with its source.

    `limit` is the first possible day of the set `other`. The reason is that sets come out in order.
    """
    reason = phrase(
        "the sets of a series come out in order, and {set} did not come out before {day}", set=other, day=limit.day
    )
    return DayLimit(limit.day, reason, limit.cite)


def _limit_from_later(other: str, limit: DayLimit) -> DayLimit:
    """Return the last possible day that follows for earlier sets of a series: that of `other`, with its source.

    `limit` is the last possible day of the set `other`. The reason is that sets come out in order.
    """
    reason = phrase("the sets of a series come out in order, and {set} was out by {day}", set=other, day=limit.day)
    return DayLimit(limit.day, reason, limit.cite)


def _narrow_bounds(all_bounds: Iterable[ReleaseBounds]) -> ReleaseBounds:
    """Return the narrowest of several bounds: the latest first day, and the earliest last and expected days.

    A last or an expected day before the first day is replaced by the first day. A day is None if no bounds have it.
    """
    found = list(all_bounds)
    first = max((bounds.not_before for bounds in found if bounds.not_before), key=_DAY, default=None)
    last = min((bounds.no_later_than for bounds in found if bounds.no_later_than), key=_DAY, default=None)
    expected = min((bounds.expected for bounds in found if bounds.expected), default=None)
    if first and last and last.day < first.day:
        last = first
    if first and expected:
        expected = max(expected, first.day)
    return ReleaseBounds(first, expected, last)


def _set_code(number: str) -> str:
    """Return the set code of a card number: the part before the dash."""
    return number.partition("-")[0]


def _split_code(code: str) -> tuple[str, int]:
    """Return the prefix and the number of a set code: ("OP", 1) for "OP01". ("", 0) if it has no number."""
    found = _IN_SERIES.fullmatch(code)
    return (found[1], int(found[2])) if found else ("", 0)


def _is_between(number: str, ends: tuple[str, ...]) -> bool:
    """Return True if a card number has the set of both `ends`, and its own part is from the first to the last.

    Its own part is after the dash. False if such a part is not all digits.
    """
    (code, _, own), *parts = (text.partition("-") for text in (number, *ends))
    digits = [own, *(part[2] for part in parts)]
    if any(part[0] != code for part in parts) or not all(text.isdecimal() for text in digits):
        return False
    return int(digits[1]) <= int(own) <= int(digits[2])
