"""Books: the players of a spreadsheet with their decks, the place of each deck, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from api.workbooks.intake.cells import ERROR, SheetFault
from api.workbooks.readings import SheetReading
from validator.deck import Deck
from validator.findings import Finding
from validator.judge import Verdict
from validator.language import Phrase, phrase
from validator.matching import fold_text


class Who(NamedTuple):
    """The name, the id and the event's title of a player in a spreadsheet, each "" if it is not given."""

    name: str
    id: str = ""
    event: str = ""

    @property
    def label(self) -> str:
        """The name and id for a sentence, `Ann Lee (0012)`.

        Only one of them if the other is missing, "" without both.
        """
        return f"{self.name} ({self.id})" if self.name and self.id else self.name or self.id


class Place(NamedTuple):
    """A cell of a sheet: a row from 1 (None: the whole sheet) and the heading of a column ("": the whole row).

    `sheet` is the sheet's name, "" in a CSV file. `line` counts from 1 within a cell that holds a whole list, else
    None. `value` is the text of the cell or the line.
    """

    sheet: str
    row: int | None
    column: str = ""
    line: int | None = None
    value: str = ""


class Part(NamedTuple):
    """A cell that holds a list or a part of one. `heading` is that of its column.

    `before` is the highest line number of the deck in earlier cells. With `before` 3, line 5 of the deck is line 2 of
    the cell.
    """

    before: int
    heading: str


@dataclass(slots=True)
class PlayerEntry:
    """A player of a spreadsheet with a deck. `deck` is None if there is none, or none that can be read.

    `row` is where the player is first named, None if the whole sheet is the player's. Line numbers of the deck are rows
    of the sheet, and `heading` is that of the cards' column. If the deck is in cells of one row, line numbers count
    through all `parts`, and `heading` is "". `aside` has texts by heading or label: of columns without a known role, of
    labels above the cards, and of Leader cells that were not read. `address` is opened by the QR code on the player's
    registration sheet, "" for none.
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
        """Return the cell or line that a finding of `verdict` is about: that of the finding, else of its first card.

        The first card is the uppermost in the sheet of those that the finding names, within the finding's section if it
        has one. Without any line the result is the row of the player, or the sheet if `row` is None.
        """
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
    """Return the text of each line of the judged deck by line number: a card, or a line that could not be read.

    If several lines have one number, the first card counts, else the first unread line. The results for the last 8
    verdicts are cached.
    """
    deck = verdict.facts.deck
    unread = {line.at: line.text for line in reversed(deck.unread)}
    return unread | {line.at: line.raw or line.written for _, line in reversed([*deck.lines()]) if line.at}


@lru_cache(_AT_HAND)
def _first_lines(verdict: Verdict) -> Mapping[tuple[str | None, str, str], tuple[int, str]]:
    """Return the first `(line number, text)` of each card by (section, card number, card name).

    The section None means all sections. Unknown cards and lines without a number are left out. The results for the last
    8 verdicts are cached.
    """
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
    """Yield `(first, later)` for each later entry of a player of the same event. `first` is the player's first entry.

    Players are equal by id, else by name, which may be "Last, First". Letter case is ignored. Equal names with
    different ids are two players, unless the ids differ only in leading zeros. Entries without name and id are never
    equal.
    """
    by_id: dict[tuple[str, str], PlayerEntry] = {}
    by_name: dict[tuple[str, str], PlayerEntry] = {}
    for entry in entries:
        event, name, id = map(fold_text, (entry.who.event, _reorder_name(entry.who.name), entry.who.id))
        namesake = by_name.get((event, name))
        if first := by_id.get((event, id)) or (namesake if namesake and _may_have_id(namesake, id) else None):
            yield first, entry
        if id:
            by_id.setdefault((event, id), entry)
        if name:
            by_name.setdefault((event, name), entry)


def _reorder_name(name: str) -> str:
    """Return a name with the first name first: "Last, First" → "First Last". Other names are returned unchanged."""
    last, _, first = name.partition(", ")
    return f"{first} {last}" if first else name


def _may_have_id(namesake: PlayerEntry, id: str) -> bool:
    """Return True if `namesake`, a player of the same name, may have the id `id`, too.

    That is if either has no id, or if the ids differ only in leading zeros and letter case. `id` is in lower case.
    """
    return not (id and namesake.who.id) or _strip_zeros(fold_text(namesake.who.id)) == _strip_zeros(id)


def _strip_zeros(id: str) -> str:
    """Return an id of digits without its leading zeros. Other ids are returned unchanged."""
    return id.lstrip("0") if id.isdigit() else id


@dataclass(slots=True)
class RowCounts:
    """The numbers of rows of a spreadsheet that are not blank: in decks, in other roles, and unread.

    `headings` counts the second kind: headings, titles, totals, labels, and results that are not read again.
    `in_decks` has also rows with a card that is no part of a deck, such as a token. `unread` are rows that could not be
    read, and all rows of a table that was refused.
    """

    in_decks: int = 0
    headings: int = 0
    unread: int = 0

    @property
    def filled_count(self) -> int:
        """The number of all rows that are not blank."""
        return self.in_decks + self.headings + self.unread

    def plus(self, in_decks: int, headings: int, unread_count: int) -> RowCounts:
        """Return new counts with these numbers added. The object itself is not changed."""
        return RowCounts(self.in_decks + in_decks, self.headings + headings, self.unread + unread_count)


@dataclass
class Book:
    """A spreadsheet as it was read: its players in order, its errors and notices, and the numbers of its rows.

    `entries` has also players without a deck, and each mention of a repeated player. `name` is the file name.
    `readings` has the interpretation of each sheet that was read. `unknown` has the columns without a known role, as
    (sheet, heading or letters). Their contents are in `aside` of each player.
    """

    name: str
    entries: list[PlayerEntry] = field(default_factory=list)
    faults: list[SheetFault] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)
    rows: RowCounts = field(default_factory=RowCounts)
    readings: list[SheetReading] = field(default_factory=list)

    @property
    def problems(self) -> list[SheetFault]:
        """The faults that are errors: something was not read. The other faults are notices."""
        return [fault for fault in self.faults if fault.severity == ERROR]

    @property
    def why_empty(self) -> str:
        """The likely reason why a book has no deck, as the end of a sentence: its first fault.

        Without any fault the reason is that there are only headings. The property does not test for decks.
        """
        return (
            Phrase(SheetFault.render, self.faults[0])
            if self.faults
            else phrase("it has headings, and no deck under them")
        )

    @property
    def extra_headings(self) -> list[str]:
        """The headings and labels of the texts in `aside` of all players, each once."""
        return list(dict.fromkeys(heading for entry in self.entries for heading in entry.aside))
