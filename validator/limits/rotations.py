"""Rotations: the blocks that are legal in a format on a day, and the block of each card number."""

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
    HEAD,
    Document,
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
from validator.language import phrase
from validator.limits.cardsets import Sets

# The icon of a card that is legal in every format.
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
    """A card that official lists treat as if it had another block than its set, from `legal_from` to `legal_to`.

    Both days are included, and by default there is no limit. `block` is a number as a text, or "X", which is always
    legal. `section` is the heading in the official list, and `list_updated` is the day of that list. `confidence` and
    `note` are about the certainty of the source, a web page.
    """

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
        """Return True if the exception is in force on a day. Its first and last day are included."""
        return self.legal_from <= day <= self.legal_to


class LastLegal(NamedTuple):
    """The last day before some day on which a card was legal in the rotating format, None if there was none.

    `treated_as` is the block that an official exception gave the card until then, None without an exception.
    """

    day: date | None
    treated_as: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Rotation:
    """The block rotation of one game. A block is a number printed on cards, for a year of sets.

    Each year one block leaves and the next joins. `formats` are the official titles of the formats by name. Only the
    format `rotates` excludes blocks. `first_day` is the day of the first rotation, and `blocks` are the legal blocks
    from then on for a year. `exceptions` has all exceptions of a card by its number, in force or not. `sets` has the
    blocks of card numbers. `default_format` is that of decks without one. `source` is the web page of the announcement,
    of the day `announced`.
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
    default_format: str
    notes: tuple[str, ...] = ()

    def legal_blocks(self, format: str, day: date) -> frozenset[str] | None:
        """Return the legal blocks of a format on a day, with "X", the icon of cards that are always legal.

        None if all blocks are legal: in other formats, and before the first rotation. Raises ValueError for an unknown
        format.
        """
        if format not in self.formats:
            raise ValueError(
                phrase("unknown format {format!r}; known are {formats}", format=format, formats=", ".join(self.formats))
            )
        if format != self.rotates or day < self.first_day:
            return None
        return frozenset([ANY_BLOCK, *map(str, self._legal_blocks(day))])

    def block_of(self, number: str, icon: str | None, day: date) -> str | None:
        """Return the block of a card on a day. None if it is not known. `icon` is the printed block, None without one.

        The icon "X" comes first, then an exception in force, then the block of the set, then an icon that is a number.
        """
        if icon == ANY_BLOCK:
            return ANY_BLOCK
        for exception in self.exceptions.get(number, ()):
            if exception.holds(day):
                return exception.block
        # A promo has no set. "-" is the official list's sign for no icon.
        return self.sets.block(number) or (icon if icon and icon.isdecimal() else None)

    def last_day(self, block: str) -> date | None:
        """Return the last day on which a block is legal in the rotating format.

        None for "X", which is always legal, and for any other block that is no number. For a block older than all legal
        ones, it is the day before the first rotation.
        """
        if not block.isdecimal():
            return None
        years = max(0, int(block) - self.blocks[0] + 1)
        return self.first_day.replace(year=self.first_day.year + years) - timedelta(days=1)

    def last_legal(self, number: str, block: str, before: date) -> LastLegal:
        """Return the last day, before another day, on which a card of this block was legal in the rotating format.

        Exceptions of its number are included. The day is None if there was none.
        """
        own = self.last_day(block)
        found = [LastLegal(own)] if own and own < before else []
        for exception in self.exceptions.get(number, ()):
            last = min(exception.legal_to, self.last_day(exception.block) or date.max)
            if exception.legal_from <= last < before:
                found.append(LastLegal(last, exception.block))
        return max(found, key=lambda each: each.day or date.min, default=LastLegal(None))

    def citation(self, day: date) -> Citation:
        """Return the citation of the legal blocks on a day. Raises ValueError before the first rotation."""
        taken = ", ".join(map(str, self._legal_blocks(day)))
        document = phrase("{title}, in force from {day}", title=self.title, day=self._rotation_start(day))
        return Citation(document, f"{self.formats[self.rotates]}: blocks {taken}")

    def entry(self, day: date) -> ListEntry:
        """Return the rotation year of a day in the form for findings: the announcement, and the first and the last day.

        Raises ValueError before the first rotation.
        """
        since = self._rotation_start(day)
        last = since.replace(year=since.year + 1) - timedelta(days=1) if since.year < MAXYEAR else None
        return ListEntry(self.source, self.announced.isoformat(), since.isoformat(), last.isoformat() if last else None)

    def dates(self, until: date) -> tuple[date, ...]:
        """Return each day up to `until` on which the legal blocks or the block of a card change, in order."""
        years = (self.first_day.replace(year=year) for year in range(self.first_day.year, until.year + 1))
        return tuple(sorted(day for day in {*years, *self._exception_days()} if day <= until))

    def _exception_days(self) -> Iterator[date]:
        """Yield the first day of each exception, and the day after its last day. A missing day is skipped."""
        for exceptions in self.exceptions.values():
            for exception in exceptions:
                if exception.legal_from > date.min:
                    yield exception.legal_from
                if exception.legal_to < date.max:
                    yield exception.legal_to + timedelta(days=1)

    def _rotation_start(self, day: date) -> date:
        """Return the first day of the rotation year that contains a day.

        Raises ValueError before the first rotation.
        """
        if day < self.first_day:
            raise ValueError(f"no block rotates before {self.first_day}")
        start = self.first_day.replace(year=day.year)
        return start if start <= day else self.first_day.replace(year=day.year - 1)

    def _legal_blocks(self, day: date) -> list[int]:
        """Return the numbers of the legal blocks on a day. Each year one leaves and the next joins.

        Raises ValueError before the first rotation.
        """
        years = self._rotation_start(day).year - self.first_day.year
        return [block + years for block in self.blocks]


def parse(document: Document, sets: Sets) -> Rotation:
    """Return the rotation of a parsed file. `sets` has the blocks of card numbers.

    Raises DocumentError with the place of a mistake and its correction.
    """
    check_keys(document, HEAD, _HEAD)
    check_titles(document["formats"], "formats")
    for key in ("default", "rotates"):
        check_word(document[key], key, document["formats"])
    for source in (document["source"], *check_texts(document["sources"], "sources")):
        check_source(source, HEAD)
    _check_blocks(document["blocks"])
    if document["announced"] > document["first_day"]:
        raise DocumentError(phrase("head: announced after first_day; correct one of the two days"))
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
        exceptions=MappingProxyType(_group_by_number(_parse_exceptions(document["exceptions"]))),
        sets=sets,
        default_format=document["default"],
        notes=check_texts(document["notes"], "notes"),
    )


def _check_blocks(blocks: list[Any]) -> None:
    """Raise DocumentError unless the blocks are consecutive whole numbers from 1 or more.

    An empty list is wrong too.
    """
    for block in blocks:
        check_kind(block, "blocks", int)
    if not blocks or blocks != list(range(blocks[0], blocks[0] + len(blocks))) or blocks[0] < 1:
        raise DocumentError(
            phrase("blocks: {blocks} should be one block after the other, such as [2, 3, 4, 5]", blocks=blocks)
        )


def _parse_exceptions(groups: list[Any]) -> Iterator[BlockException]:
    """Yield an exception for each card in the tables of a file. Raises DocumentError if one is invalid."""
    for index, table in enumerate(groups, start=1):
        where = phrase("exceptions {index}", index=index)
        check_keys(table, where, _NEEDED, _OPTIONAL)
        check_source(table["source"], where)
        check_word(table.get("confidence", "high"), where, CONFIDENCES, "confidence")
        if not _BLOCK.fullmatch(table["block"]):
            raise DocumentError(
                phrase(
                    '{where}: block {block!r} should be "X" or a number in quotes', where=where, block=table["block"]
                )
            )
        if table.get("legal_from", date.min) > table.get("legal_to", date.max):
            raise DocumentError(
                phrase("{where}: legal_from is after legal_to; correct one of the two days", where=where)
            )
        facts = {key: value for key, value in table.items() if key != "cards"}
        for number, name in table["cards"].items():
            check_number(number, where)
            check_kind(name, where, str, number)
            yield BlockException(number=number, name=name, **facts)


def _group_by_number(exceptions: Iterable[BlockException]) -> dict[str, tuple[BlockException, ...]]:
    """Return the exceptions by card number, in the order of the file.

    Raises DocumentError if two of a number contradict each other (`_check_agreement`).
    """
    found: dict[str, tuple[BlockException, ...]] = {}
    for exception in exceptions:
        found[exception.number] = (*found.get(exception.number, ()), exception)
    for several in found.values():
        for first, second in combinations(several, 2):
            _check_agreement(first, second)
    return found


def _check_agreement(first: BlockException, second: BlockException) -> None:
    """Raise DocumentError if two exceptions of a card are in one section, or give it two blocks on the same day.

    Two sections may have the same entry, as on the official page.
    """
    if first.section == second.section:
        raise DocumentError(
            phrase(
                '{number} is in "{section}" twice; remove one of the two', number=first.number, section=first.section
            )
        )
    together = max(first.legal_from, second.legal_from) <= min(first.legal_to, second.legal_to)
    if together and first.block != second.block:
        raise DocumentError(
            phrase(
                '{number} has block {block} in "{section}" and {other_block} in "{other_section}" on the '
                "same days; correct one of them",
                number=first.number,
                block=first.block,
                section=first.section,
                other_block=second.block,
                other_section=second.section,
            )
        )
