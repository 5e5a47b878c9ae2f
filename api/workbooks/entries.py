"""Entries: the players of a spreadsheet with their decks, and where in it each stands."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from functools import lru_cache
from typing import NamedTuple

from api.workbooks.faults import Fault
from validator.deck import Deck
from validator.findings import Finding
from validator.judge import Verdict
from validator.matching import folded


class Who(NamedTuple):
    """A player as a spreadsheet names one."""

    name: str
    id: str = ""
    event: str = ""

    @property
    def label(self) -> str:
        """What a sentence calls the player."""
        return f"{self.name} ({self.id})" if self.name and self.id else self.name or self.id


class Place(NamedTuple):
    """Where a deck, or the cause of a finding, stands: a row from 1 (None: the whole sheet) and a column's heading.

    `line` counts within a cell that holds a whole list; `value` is what was written there.
    """

    sheet: str
    row: int | None
    column: str = ""
    line: int | None = None
    value: str = ""


class Part(NamedTuple):
    """A cell that holds a list or a part of one: how many lines stand before it, and what its column is called."""

    before: int
    heading: str


@dataclass(slots=True)
class Entry:
    """A player with a deck; `deck` is None where the spreadsheet has none for them.

    The lines of the deck count the rows of the sheet, and `heading` is what the column of the cards is called; or
    they count the lines within `parts`, cells of one row. `aside` has what other columns say.
    """

    who: Who
    sheet: str
    row: int | None
    deck: Deck | None = None
    heading: str = ""
    parts: Sequence[Part] = ()
    aside: Mapping[str, str] = field(default_factory=dict)

    def place(self, finding: Finding, verdict: Verdict) -> Place:
        """Return where the cause of a finding stands, as far as it stands anywhere."""
        if finding.line is not None:
            line, value = finding.line, _written(verdict).get(finding.line, "")
        elif found := _first_line(finding, verdict):
            line, value = found
        else:
            return Place(self.sheet, self.row)
        if not self.parts:
            return Place(self.sheet, line, self.heading, value=value)
        part = max((part for part in self.parts if part.before < line), default=self.parts[0])
        return Place(self.sheet, self.row, part.heading, line - part.before, value)


def _first_line(finding: Finding, verdict: Verdict) -> tuple[int, str] | None:
    """Return the line of the first card that a finding is about, in the finding's section if it has one."""
    lines = _lines(verdict)
    about = ((finding.section, card.number, card.name) for card in finding.cards)
    return min((lines[card] for card in about if card in lines), default=None)


# Findings of a deck are asked for one after the other, and equal decks have one verdict.
_AT_HAND = 8


@lru_cache(_AT_HAND)
def _written(verdict: Verdict) -> Mapping[int, str]:
    """Return what was written in each line: a card, or what could not be read."""
    deck = verdict.facts.deck
    found = {line.at: line.text for line in reversed(deck.unread)}
    return found | {line.at: line.raw or line.written for _, line in reversed([*deck.lines()]) if line.at}


@lru_cache(_AT_HAND)
def _lines(verdict: Verdict) -> Mapping[tuple[str | None, str, str], tuple[int, str]]:
    """Return the first line of each card in each section, and (section None) in all of them."""
    found: dict[tuple[str | None, str, str], tuple[int, str]] = {}
    for section, lines in verdict.facts.understood.items():
        for line, card in lines:
            if card is None or line.at is None:
                continue
            at = line.at, line.raw or line.written
            for place in (section, None):
                key = place, card.number, card.name
                found[key] = min(at, found.get(key, at))
    return found


@dataclass(slots=True)
class Rows:
    """What became of every row that is not blank: it is in a deck, it is a heading, or it was not read."""

    in_decks: int = 0
    headings: int = 0
    unread: int = 0

    @property
    def filled(self) -> int:
        """All of them."""
        return self.in_decks + self.headings + self.unread


@dataclass
class Book:
    """All that was read of a spreadsheet: the players in its order, what could not be read, and the sums.

    `unknown` are the columns of no known meaning, as (sheet, heading); what they say is kept aside.
    """

    name: str
    entries: list[Entry] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)
    rows: Rows = field(default_factory=Rows)

    @property
    def aside(self) -> list[str]:
        """The headings of what is kept aside, each once."""
        return list(dict.fromkeys(heading for entry in self.entries for heading in entry.aside))


class Same(NamedTuple):
    """Two entries that are one player's."""

    first: Entry
    later: Entry


def duplicates(entries: Sequence[Entry]) -> Iterator[Same]:
    """Yield each entry of a player who was met before in the event: of the same id, else of the same name.

    Two of one name and different ids are two players; zeros that an id began with may have been lost.
    """
    by_id: dict[tuple[str, str], Entry] = {}
    by_name: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        event, name, id = (folded(part) for part in (entry.who.event, _spoken(entry.who.name), entry.who.id))
        first = by_id.get((event, id)) if id else None
        if first is None and name and (named := by_name.get((event, name))):
            first = named if not (id and named.who.id) or _unpadded(folded(named.who.id)) == _unpadded(id) else None
        if first is not None:
            yield Same(first, entry)
        if id:
            by_id.setdefault((event, id), entry)
        if name:
            by_name.setdefault((event, name), entry)


def _spoken(name: str) -> str:
    last, _, first = name.partition(", ")
    return f"{first} {last}" if first else name


def _unpadded(id: str) -> str:
    return id.lstrip("0") if id.isdigit() else id
