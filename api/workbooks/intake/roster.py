"""Rosters: the players of a sheet with a card in each row, with the cards met so far.

`shapes.card_per_row` gathers the decks of such a sheet with them.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise

from api.workbooks.intake.book import PlayerEntry, Who
from api.workbooks.intake.cells import NOTICE, Cell, shorten_value
from api.workbooks.intake.sheet_rows import SheetRows
from validator.deck import MOST_LINES, SECTIONS, Deck, Line, Unread
from validator.language import phrase
from validator.matching import fold_text
from validator.tables.headings import PLAYER_ID

LEADER_BY_TYPE = "a Leader by its type"  # lies in the main deck where another is said to be the Leader
_NOBODY = phrase("no player is named; write the player in every row, or merge the cells")


class GatheredDeck:
    """The deck of a player while its rows are read: the lines by section, and the rows that could not be read.

    `beside` is the row and the cell of a separate column of Leaders.
    """

    def __init__(self, entry: PlayerEntry) -> None:
        self.entry = entry
        self.unread: list[Unread] = []
        self.beside: tuple[int, Cell] | None = None
        self.lines: dict[str, list[Line]] = {section: [] for section in (*SECTIONS, LEADER_BY_TYPE)}

    @property
    def size(self) -> int:
        """The number of lines."""
        return sum(map(len, self.lines.values()))

    def surplus(self) -> list[Line]:
        """Remove the lines beyond MOST_LINES, the most that a deck may have, and return them."""
        if self.size <= MOST_LINES:
            return []
        surplus = sorted(chain.from_iterable(self.lines.values()), key=_row)[MOST_LINES:]
        for place, lines in self.lines.items():
            self.lines[place] = [line for line in lines if _row(line) < _row(surplus[0])]
        return surplus

    def deck(self) -> Deck:
        """Return the deck."""
        place = "main" if self.lines["leader"] else "leader"
        self.lines[place] += self.lines.pop(LEADER_BY_TYPE)
        return Deck(**{section: tuple(lines) for section, lines in self.lines.items()}, unread=tuple(self.unread))


def _row(line: Line) -> int:
    """Return the row of a line, 0 for none."""
    return line.at or 0


class Roster:
    """The players of one sheet with a card in each row, found by id, else by name."""

    def __init__(self, rows: SheetRows, heading: str) -> None:
        self.decks: list[GatheredDeck] = []
        self._rows = rows
        self._heading = heading
        self._by_id: dict[tuple[str, str], GatheredDeck] = {}
        self._by_name: dict[tuple[str, str], list[GatheredDeck]] = {}

    def add(self, who: Who, row_number: int | None) -> GatheredDeck:
        """Add a player who is first named in this row, or by the sheet (None)."""
        self.decks.append(GatheredDeck(PlayerEntry(who, self._rows.grid.sheet, row_number, heading=self._heading)))
        return self.decks[-1]

    def find_deck(self, row_number: int, row: Sequence[Cell]) -> GatheredDeck | str:
        """Return the deck of the player in a row, which is new for a new player. Else the reason as text."""
        who, faults = self._rows.who(row_number, row)
        self._rows.book.faults += faults
        if not (who.name or who.id):
            return _NOBODY
        key = fold_text(who.event), fold_text(who.id)
        met = self._by_id.get(key)
        deck = met or self._find_namesake(row_number, who)
        if isinstance(deck, str):
            return deck
        if met is not None:
            self._compare(row_number, who, met.entry)
        known = deck.entry.who
        deck.entry.who = Who(known.name or who.name, known.id or who.id, who.event)
        deck.entry.aside = deck.entry.aside or self._rows.aside(row)
        if who.id:
            self._by_id[key] = deck
        return deck

    def _find_namesake(self, row_number: int, who: Who) -> GatheredDeck | str:
        """Return the deck of a player whose id, if there is one, was not met before."""
        namesakes = self._by_name.setdefault((fold_text(who.event), fold_text(who.name)), []) if who.name else []
        if len(namesakes) > 1 and not who.id:
            return phrase("several players are called “{name}”; write the id too", name=shorten_value(who.name))
        if len(namesakes) == 1 and not (who.id and namesakes[0].entry.who.id):
            return namesakes[0]
        namesakes.append(self.add(who, row_number))
        return namesakes[-1]

    def _compare(self, row_number: int, who: Who, entry: PlayerEntry) -> None:
        """Add a notice to the book if one id has two names."""
        if who.name and entry.who.name and fold_text(who.name) != fold_text(entry.who.name):
            detail = phrase(
                "the id {id} is that of “{first}” in row {row}, and of “{second}” here",
                id=who.id,
                first=shorten_value(entry.who.name),
                row=entry.row,
                second=shorten_value(who.name),
            )
            fault = self._rows.fault(row_number, self._rows.columns.first(PLAYER_ID), detail, severity=NOTICE)
            self._rows.book.faults.append(fault)


def split_decks(deck: GatheredDeck) -> Sequence[GatheredDeck]:
    """Split the rows of a player into decks: one for each block of rows if each has one Leader, else a single deck."""
    starts = _block_starts(deck)
    leaders = Counter(bisect(starts, line.at or 0) for line in deck.lines["leader"] + deck.lines[LEADER_BY_TYPE])
    if len(starts) < 2 or len(leaders) < len(starts) or leaders.total() > len(starts):
        return [deck]
    parts = [GatheredDeck(replace(deck.entry, row=start)) for start in starts]
    for place, lines in deck.lines.items():
        for line in lines:
            parts[bisect(starts, line.at or 0) - 1].lines[place].append(line)
    for unread in deck.unread:
        parts[max(bisect(starts, unread.at) - 1, 0)].unread.append(unread)
    return parts


def _block_starts(deck: GatheredDeck) -> Sequence[int]:
    """Return the first row of each block of rows that follow one another."""
    rows = sorted({line.at or 0 for line in chain.from_iterable(deck.lines.values())})
    return [at for before, at in pairwise([-1, *rows]) if at > before + 1]
