"""Rotations: which blocks a format takes on a day, and which block a card number belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, date, timedelta
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

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
from validator.findings import Citation, ListEntry
from validator.limits.cardsets import Sets

# The icon of a card that every format takes.
ANY_BLOCK = "X"

_HEAD = {
    "game": str,
    "title": str,
    "notes": list,
    "formats": dict,
    "default": str,
    "rotates": str,
    "first_day": date,
    "blocks": list,
    "announced": date,
    "source": str,
    "sources": list,
    "exceptions": list,
}
_NEEDED = {"section": str, "block": str, "list_updated": date, "source": str, "cards": dict}
_OPTIONAL = {"legal_from": date, "legal_to": date, "confidence": str, "note": str}
_BLOCK = re.compile(r"X|[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class BlockException:
    """A card number that the official lists give another block than its set's, and from when to when."""

    number: str
    name: str
    block: str
    section: str
    list_updated: date
    source: str
    legal_from: date = date.min
    legal_to: date = date.max
    confidence: str = "high"
    note: str = ""

    def holds(self, day: date) -> bool:
        """Tell whether the exception is in force on a day."""
        return self.legal_from <= day <= self.legal_to


class LastLegal(NamedTuple):
    """The last day on which the rotating format took a card, None if it never did.

    `treated_as` is the block that an official exception gave the card until then, None without an exception.
    """

    day: date | None
    treated_as: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Rotation:
    """The block rotation of one game: a new year of blocks on the same day each year.

    `formats` has the official title of each format; only the format that `rotates` leaves blocks out.
    """

    game: str
    title: str
    formats: Mapping[str, str]
    rotates: str
    first_day: date
    blocks: tuple[int, ...]
    announced: date
    source: str
    sources: tuple[str, ...]
    exceptions: Mapping[str, tuple[BlockException, ...]]
    sets: Sets
    notes: tuple[str, ...] = ()
    _default: str = ""

    def default_format(self, on: date) -> str:
        """Return the format that is meant where none is named, whatever the day."""
        return self._default

    def allowed(self, format: str, on: date) -> frozenset[str] | None:
        """Return the blocks that a format takes, None for all; a ValueError names the known formats."""
        if format not in self.formats:
            raise ValueError(f"unknown format {format!r}; known are {', '.join(self.formats)}")
        if format != self.rotates or on < self.first_day:
            return None
        return frozenset([ANY_BLOCK, *map(str, self._taken(on))])

    def block_of(self, number: str, icon: str | None, on: date) -> str | None:
        """Return the block of a card: by exception, else by set, else as printed; None if not known."""
        if icon == ANY_BLOCK:
            return ANY_BLOCK
        for exception in self.exceptions.get(number, ()):
            if exception.holds(on):
                return exception.block
        # A promo has no set to go by; "-" is the official list's sign for no icon.
        return self.sets.block(number) or (icon if icon and icon.isdecimal() else None)

    def last_day(self, block: str) -> date | None:
        """Return the last day on which the rotating format takes a block, None for one that never leaves."""
        if not block.isdecimal():
            return None
        years = max(0, int(block) - self.blocks[0] + 1)
        return self.first_day.replace(year=self.first_day.year + years) - timedelta(days=1)

    def last_legal(self, number: str, block: str, before: date) -> LastLegal:
        """Return the last day before another one on which the format took a card that is of a block by then."""
        own = self.last_day(block)
        found = [LastLegal(own)] if own and own < before else []
        for exception in self.exceptions.get(number, ()):
            last = min(exception.legal_to, self.last_day(exception.block) or date.max)
            if exception.legal_from <= last < before:
                found.append(LastLegal(last, exception.block))
        return max(found, key=_last_day, default=LastLegal(None))

    def citation(self, on: date) -> Citation:
        """Return where it is written what the rotating format takes on a day of the rotation."""
        taken = ", ".join(map(str, self._taken(on)))
        document = f"{self.title}, in force from {self._since(on)}"
        return Citation(document, f"{self.formats[self.rotates]}: blocks {taken}")

    def entry(self, on: date) -> ListEntry:
        """Return the announcement that a finding on a day of the rotation rests on."""
        since = self._since(on)
        last = since.replace(year=since.year + 1) - timedelta(days=1) if since.year < MAXYEAR else None
        return ListEntry(self.source, self.announced.isoformat(), since.isoformat(), last.isoformat() if last else None)

    def dates(self, until: date) -> tuple[date, ...]:
        """Return every day, to `until`, on which a block or a card's block changes, in order."""
        years = (self.first_day.replace(year=year) for year in range(self.first_day.year, until.year + 1))
        return tuple(sorted(day for day in {*years, *self._exception_days()} if day <= until))

    def _exception_days(self) -> Iterator[date]:
        for exceptions in self.exceptions.values():
            for exception in exceptions:
                if exception.legal_from > date.min:
                    yield exception.legal_from
                if exception.legal_to < date.max:
                    yield exception.legal_to + timedelta(days=1)

    def _since(self, on: date) -> date:
        """Return the first day of the rotation year that holds a day."""
        if on < self.first_day:
            raise ValueError(f"no block rotates before {self.first_day}")
        start = self.first_day.replace(year=on.year)
        return start if start <= on else self.first_day.replace(year=on.year - 1)

    def _taken(self, on: date) -> list[int]:
        """Return the blocks of a rotation year: each year one leaves and the next joins."""
        years = self._since(on).year - self.first_day.year
        return [block + years for block in self.blocks]


def _last_day(of: LastLegal) -> date:
    return of.day or date.min


def parse(document: Mapping[str, Any], sets: Sets) -> Rotation:
    """Return the rotation that a parsed file stands for; a DocumentError says how to mend the file."""
    check_keys(document, "head", _HEAD)
    check_titles(document["formats"], "formats")
    for key in ("default", "rotates"):
        check_word(document[key], key, document["formats"])
    for source in (document["source"], *check_texts(document["sources"], "sources")):
        check_source(source, "head")
    _check_blocks(document["blocks"])
    if document["announced"] > document["first_day"]:
        raise DocumentError("head: announced after first_day; correct one of the two days")
    return Rotation(
        game=document["game"],
        title=document["title"],
        formats=MappingProxyType(document["formats"]),
        rotates=document["rotates"],
        first_day=document["first_day"],
        blocks=tuple(document["blocks"]),
        announced=document["announced"],
        source=document["source"],
        sources=tuple(document["sources"]),
        exceptions=MappingProxyType(_by_number(_exceptions(document["exceptions"]))),
        sets=sets,
        notes=check_texts(document["notes"], "notes"),
        _default=document["default"],
    )


def _check_blocks(blocks: list[Any]) -> None:
    for block in blocks:
        check_kind(block, "blocks", int)
    if not blocks or blocks != list(range(blocks[0], blocks[0] + len(blocks))) or blocks[0] < 1:
        raise DocumentError(f"blocks: {blocks} should be one block after the other, such as [2, 3, 4, 5]")


def _exceptions(groups: list[Any]) -> Iterator[BlockException]:
    for at, table in enumerate(groups, start=1):
        where = f"exceptions {at}"
        check_keys(table, where, _NEEDED, _OPTIONAL)
        check_source(table["source"], where)
        check_word(table.get("confidence", "high"), f"{where}, confidence", CONFIDENCES)
        if not _BLOCK.fullmatch(table["block"]):
            raise DocumentError(f'{where}: block {table["block"]!r} should be "X" or a number in quotes')
        if table.get("legal_from", date.min) > table.get("legal_to", date.max):
            raise DocumentError(f"{where}: legal_from is after legal_to; correct one of the two days")
        facts = {key: value for key, value in table.items() if key != "cards"}
        for number, name in table["cards"].items():
            check_number(number, where)
            check_kind(name, f"{where}, {number}", str)
            yield BlockException(number=number, name=name, **facts)


def _by_number(exceptions: Iterable[BlockException]) -> dict[str, tuple[BlockException, ...]]:
    found: dict[str, tuple[BlockException, ...]] = {}
    for exception in exceptions:
        found[exception.number] = (*found.get(exception.number, ()), exception)
    for several in found.values():
        for one, other in combinations(several, 2):
            _check_agreement(one, other)
    return found


def _check_agreement(one: BlockException, other: BlockException) -> None:
    """Refuse a number listed twice in one section, or at one time with two blocks.

    Two sections may say the same of a number, as the official page does.
    """
    if one.section == other.section:
        raise DocumentError(f'{one.number} stands twice in "{one.section}"; leave one of the two')
    together = max(one.legal_from, other.legal_from) <= min(one.legal_to, other.legal_to)
    if together and one.block != other.block:
        raise DocumentError(
            f'{one.number} has block {one.block} in "{one.section}" and {other.block} in "{other.section}" '
            "on the same days; correct one of them"
        )
