"""Books: the players of a spreadsheet with their decks, the place of each deck, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from api.workbooks.column_roles import SheetReading
from api.workbooks.intake.cells import ERROR, SheetFault
from validator.deck import Deck
from validator.findings import Finding
from validator.judge import Verdict
from validator.language import Phrase, phrase
from validator.matching import fold_text


class Who(NamedTuple):
    """The name, id and event of a player in a spreadsheet."""

    name: str
    id: str = ""
    event: str = ""

    @property
    def label(self) -> str:
        """The name and id for a sentence."""
        return f"{self.name} ({self.id})" if self.name and self.id else self.name or self.id


class Place(NamedTuple):
    """The place of a deck or of the cause of a finding: a row from 1 (None: the whole sheet) and a column's heading.

    `line` counts within a cell that holds a whole list. `value` is the content of the cell.
    """

    sheet: str
    row: int | None
    column: str = ""
    line: int | None = None
    value: str = ""


class Part(NamedTuple):
    """A cell that holds a list or a part of a list: the number of lines before it, and the heading of its column."""

    before: int
    heading: str


@dataclass(slots=True)
class PlayerEntry:
    """A player with a deck. `deck` is None if the spreadsheet has none for the player.

    The line numbers of the deck are rows of the sheet, and `heading` is the heading of the cards' column. If the deck
    is in cells of one row, they are lines within `parts`. `aside` has the contents of other columns by heading.
    `address` is opened by the QR code on the player's sheet, "" for none.
    """

    who: Who
    sheet: str
    row: int | None
    deck: Deck | None = None
    heading: str = ""
    parts: Sequence[Part] = ()
    aside: Mapping[str, str] = field(default_factory=dict)
    address: str = ""

    def place(self, finding: Finding, verdict: Verdict) -> Place:
        """Return the place of the cause of a finding. If the cause has no line, the place is the row of the player."""
        if finding.line is not None:
            line, value = finding.line, _texts_by_line(verdict).get(finding.line, "")
        else:
            # The first card that it is about, in its section if it has one.
            lines = _first_lines(verdict)
            about = ((finding.section, card.number, card.name) for card in finding.cards)
            line, value = min((lines[card] for card in about if card in lines), default=(0, ""))
        if not line:
            return Place(self.sheet, self.row)
        if not self.parts:
            return Place(self.sheet, line, self.heading, value=value)
        part = max((part for part in self.parts if part.before < line), default=self.parts[0])
        return Place(self.sheet, self.row, part.heading, line - part.before, value)


# Findings of a deck are asked for one after the other, and equal decks have one verdict.
_AT_HAND = 8


@lru_cache(_AT_HAND)
def _texts_by_line(verdict: Verdict) -> Mapping[int, str]:
    """Return the text of each line: a card, or a line that could not be read."""
    deck = verdict.facts.deck
    unread = {line.at: line.text for line in reversed(deck.unread)}
    return unread | {line.at: line.raw or line.written for _, line in reversed([*deck.lines()]) if line.at}


@lru_cache(_AT_HAND)
def _first_lines(verdict: Verdict) -> Mapping[tuple[str | None, str, str], tuple[int, str]]:
    """Return the first line of each card in each section, and (section None) in all of them."""
    firsts: dict[tuple[str | None, str, str], tuple[int, str]] = {}
    for section, lines in verdict.facts.resolved_lines.items():
        for line, card in lines:
            if card is not None and line.at is not None:
                at = line.at, line.raw or line.written
                for place in (section, None):
                    key = place, card.number, card.name
                    firsts[key] = min(at, firsts.get(key, at))
    return firsts


def duplicates(entries: Iterable[PlayerEntry]) -> Iterator[tuple[PlayerEntry, PlayerEntry]]:
    """Yield each later entry of a player of the same event with the first one, as (first, later).

    Players are equal by id, else by name. Equal names with different ids are two players. Leading zeros of an id may
    have been lost.
    """
    by_id: dict[tuple[str, str], PlayerEntry] = {}
    by_name: dict[tuple[str, str], PlayerEntry] = {}
    for entry in entries:
        event, name, id = map(fold_text, (entry.who.event, _spoken(entry.who.name), entry.who.id))
        namesake = by_name.get((event, name))
        if first := by_id.get((event, id)) or (namesake if namesake and _may_be(namesake, id) else None):
            yield first, entry
        if id:
            by_id.setdefault((event, id), entry)
        if name:
            by_name.setdefault((event, name), entry)


def _spoken(name: str) -> str:
    """Return a name with the first name first. "Last, First" becomes "First Last"."""
    last, _, first = name.partition(", ")
    return f"{first} {last}" if first else name


def _may_be(namesake: PlayerEntry, id: str) -> bool:
    """Return True if a player of the same name may have this id.

    One of both has no id, or the ids differ only in leading zeros.
    """
    return not (id and namesake.who.id) or _unpadded(fold_text(namesake.who.id)) == _unpadded(id)


def _unpadded(id: str) -> str:
    """Return an id of digits without leading zeros."""
    return id.lstrip("0") if id.isdigit() else id


@dataclass(slots=True)
class RowCounts:
    """The rows that are not blank, counted: rows in decks, headings, and rows that were not read."""

    in_decks: int = 0
    headings: int = 0
    unread: int = 0

    @property
    def filled(self) -> int:
        """The number of rows that are not blank."""
        return self.in_decks + self.headings + self.unread

    def plus(self, in_decks: int, headings: int, unread: int) -> RowCounts:
        """Return the counts with these numbers added."""
        return RowCounts(self.in_decks + in_decks, self.headings + headings, self.unread + unread)


@dataclass
class Book:
    """The players of a spreadsheet in its order, its faults, and the sums of its rows.

    `readings` are the interpretations of its sheets. `unknown` are the columns without a known role, as (sheet,
    heading). Their contents are in `aside` of each player.
    """

    name: str
    entries: list[PlayerEntry] = field(default_factory=list)
    faults: list[SheetFault] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)
    rows: RowCounts = field(default_factory=RowCounts)
    readings: list[SheetReading] = field(default_factory=list)

    @property
    def problems(self) -> list[SheetFault]:
        """The faults that are errors. The other faults are notices."""
        return [fault for fault in self.faults if fault.severity == ERROR]

    @property
    def why_empty(self) -> str:
        """The reason why the book has no deck, as the end of a sentence."""
        return (
            Phrase(SheetFault.render, self.faults[0])
            if self.faults
            else phrase("it has headings, and no deck under them")
        )

    @property
    def aside(self) -> list[str]:
        """The headings of the columns without a role, each once."""
        return list(dict.fromkeys(heading for entry in self.entries for heading in entry.aside))
