"""Listings: a text read line by line, whatever program or hand it came from.

No form of list is standard, so each line is read on its own, and the format is named after what was met.
Blank lines mean nothing: Arena's rule that the side deck follows one would tear apart Limitless lists,
which part Leader, Characters and Events with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from validator.deck import Unread
from validator.decklists import cardline
from validator.decklists import headings
from validator.decklists.cardline import Entry
from validator.decklists.headings import Heading
from validator.decklists.reading import Reading
from validator.decklists.source import Row
from validator.decklists.source import Source

_SAID = re.compile(r" ?[\[(]([a-z][a-z -]{1,12})[\])]$", re.IGNORECASE)
_NO_DECK = "this link holds no cards; copy the list as text from the site"


class Noted(NamedTuple):
    """A card met in a list, the line it stands in and the section that this line alone says it is in."""

    entry: Entry
    row: Row
    section: str | None = None


class Listing:
    """A text taken apart: its cards and headings in order, and for each line what it was.

    `kinds` holds, by line, one of "cards", "heading", "comment", "metadata", "unread".
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parts: list[Noted | Heading] = []
        self.kinds: dict[int, str] = {}
        self._unread: list[Unread] = []
        self._links: list[Row] = []
        self._awaits_leader = False
        self._is_aside = False
        for row in source.rows:
            self.kinds[row.at] = self._read(row)
        for row in self._links:
            self.kinds[row.at] = "metadata" if self.forms else self._skip(row, _NO_DECK)

    @cached_property
    def forms(self) -> set[str]:
        """The ways in which cards are written: "4xNUM", "4 NAME (NUM)", …"""
        return {part.entry.form for part in self.parts if isinstance(part, Noted)}

    @cached_property
    def styles(self) -> set[str]:
        """The ways in which headings are decorated (`Heading.style`)."""
        return {part.style for part in self.parts if isinstance(part, Heading)}

    @cached_property
    def crowded(self) -> bool:
        """Whether some line has several cards."""
        lines = [part.row.at for part in self.parts if isinstance(part, Noted)]
        return len(lines) > len(set(lines))

    def reading(self, format: str) -> Reading:
        """Return the cards with the section of the heading they stand under, as a reading of this format."""
        reading = Reading(format)
        reading.unread += self._unread
        for section, (entry, row, _) in self._placed():
            reading.add(section, entry.digits, entry.number, entry.name, row.at, row.raw)
        return reading

    def _placed(self) -> Iterator[tuple[str | None, Noted]]:
        # A Leader heading covers one card, unless the main deck has a heading of its own, and no mere total.
        last = max((at for at, part in enumerate(self.parts) if isinstance(part, Noted)), default=0)
        headed = any(isinstance(part, Heading) and part.opens for part in self.parts[:last])
        section: str | None = None
        for part in self.parts:
            if isinstance(part, Heading):
                section = part.section
                continue
            yield part.section or section, part
            if section == "leader" and not headed and part.section is None:
                section = None

    def _read(self, row: Row) -> str:
        if row.plain[0].isdigit() and not headings.is_metadata(row.plain):
            return self._read_cards(row)
        if heading := headings.heading(row.plain):
            return self._open(heading)
        if headings.is_comment(row.plain):
            return "comment"
        if (heading := headings.inline(row.plain)) and self._read_after(heading, row):
            return "cards"
        if headings.is_metadata(row.plain):
            return "metadata"
        if headings.is_link(row.plain):
            return self._read_link(row)
        return self._read_cards(row)

    def _read_link(self, row: Row) -> str:
        """Read the card that stands before an address on its line, if one does."""
        end = row.plain.partition("://")[0].rfind(" ") + 1
        before = row._replace(shown=row.shown[:end].strip(), plain=row.plain[:end].strip())
        cards = cardline.read(before, self.source) if before.plain else ""
        if isinstance(cards, list):
            return self._note(row, cards)
        self._links.append(row)
        return "unread"

    def _read_cards(self, row: Row) -> str:
        cards = cardline.read(row, self.source, bare=self._awaits_leader)
        if isinstance(cards, str):
            return self._skip(row, cards)
        if heading := self._counted_heading(cards):
            return self._open(heading)
        return self._note(row, cards)

    def _counted_heading(self, cards: Sequence[Entry]) -> Heading | None:
        """Return the heading that was read as copies of a card, if one was: "50 Main Deck", "2. Side Deck"."""
        name = cards[0].name
        if len(cards) > 1 or cards[0].number or name is None or cards[0].form == cardline.DON:
            return None
        return None if self.source.is_name(name) else headings.heading(name)

    def _read_after(self, heading: Heading, row: Row) -> bool:
        """Read the card that follows a heading on its own line, if one does."""
        rest = row._replace(shown=row.shown[heading.rest :], plain=row.plain[heading.rest :])
        cards = cardline.read(rest, self.source, bare=heading.section == "leader")
        if isinstance(cards, str):
            return False
        if heading.style == "SB:" or heading.section in ("leader", headings.ASIDE):
            self._note(row, cards, heading.section)
        else:
            self._open(heading)
            self._note(row, cards)
        return True

    def _open(self, heading: Heading) -> str:
        self.parts.append(heading)
        self._is_aside = heading.section == headings.ASIDE
        self._awaits_leader = heading.section == "leader"
        return "heading"

    def _note(self, row: Row, entries: Iterable[Entry], section: str | None = None) -> str:
        for entry in entries:
            # DON!! cards are told by their name wherever they stand.
            place = "don" if entry.form == cardline.DON else section
            self._keep(self._said(Noted(entry, row, place)))
        self._awaits_leader = False
        return "cards"

    def _said(self, noted: Noted) -> Noted:
        """Return a card in the section that its line ends with, if it does: "2 Nami (side)"."""
        name = noted.entry.name or ""
        found = _SAID.search(name) if name[-1:] in ("]", ")") else None
        section = headings.section(found[1]) if found else None
        if found is None or section not in ("leader", "side") or self.source.is_name(name):
            return noted
        return noted._replace(entry=noted.entry._replace(name=name[: found.start()] or None), section=section)

    def _keep(self, noted: Noted) -> None:
        """Keep a card; a name and a number of one card on two lines, as web pages have them, are one."""
        last = self.parts[-1] if self.parts else None
        whole = self._whole(last.entry, noted.entry) if isinstance(last, Noted) else None
        if whole:
            self.parts[-1] = noted._replace(entry=whole)
        else:
            self.parts.append(noted)

    def _whole(self, one: Entry, other: Entry) -> Entry | None:
        if bool(one.number) is bool(other.number) or (one.is_counted and other.is_counted):
            return None
        numbered, named = (one, other) if one.number else (other, one)
        if numbered.name or not named.name or not self.source.is_of(numbered.number, named.name):
            return None
        counted = one if one.is_counted else other
        return counted._replace(number=numbered.number, name=named.name)

    def _skip(self, row: Row, reason: str) -> str:
        self._unread.append(Unread(row.at, row.raw, reason, self._is_aside))
        return "unread"
