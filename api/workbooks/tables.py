"""Tables: one sheet under its headings, row by row, and what cells say of cards, each read once."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from api.workbooks import cells
from api.workbooks import headings
from api.workbooks.cells import Cell
from api.workbooks.cells import Text
from api.workbooks.cells import is_blank
from api.workbooks.cells import text
from api.workbooks.entries import Book
from api.workbooks.entries import Who
from api.workbooks.faults import ERROR
from api.workbooks.faults import NOTICE
from api.workbooks.faults import Fault
from api.workbooks.faults import address
from api.workbooks.faults import letters
from api.workbooks.faults import quoted
from api.workbooks.grids import MOST_ROWS
from api.workbooks.grids import Grid
from api.workbooks.headings import Header
from validator import decklists
from validator.cards import Catalogue
from validator.deck import MOST_LINES
from validator.deck import Deck
from validator.deck import DeckLine
from validator.decklists import columns
from validator.decklists.columns import WHO
from validator.decklists.formulas import unguarded
from validator.decklists.headings import is_total
from validator.decklists.headings import section as section_meant
from validator.decklists.placing import Misplaced
from validator.decklists.placing import placed
from validator.numbers import SHAPE
from validator.texts import LONGEST_NAME
from validator.texts import doubt

_SHAPE = re.compile(SHAPE, re.IGNORECASE | re.ASCII)
_PLACED = (columns.SECTION, columns.SIDE)
LABELLED = 12  # rows at the top of a sheet without headings that may name the player
UNCOMPUTED = "this formula was never computed; open the file in a spreadsheet program and save it"


class Doubt(NamedTuple):
    """Why a cell cannot be used, as a part of a sentence, and in which column it stands."""

    detail: str
    role: str = columns.CARD


class Named(NamedTuple):
    """A card as a row names it, and how many, where that stands in the same cell."""

    number: str | None
    name: str | None
    copies: int = 1


class Cards:
    """What cells say of cards; equal cells are read once."""

    def __init__(self, game: str | None, catalogue: Catalogue | None) -> None:
        self.game = game
        self.catalogue = catalogue
        self.named: Callable[[Cell, Cell], Named | Doubt] = cache(self._named)
        self.counted: Callable[[Cell], Named | Doubt] = cache(self._counted)
        self.listed: Callable[[str], Deck | str] = cache(self._listed)

    def is_card(self, name: str) -> bool:
        """Tell whether the catalogue has a card of this name."""
        return self.catalogue is not None and bool(name) and bool(self.catalogue.by_name(name[:LONGEST_NAME]))

    def _named(self, number: Cell, name: Cell) -> Named | Doubt:
        """Return the card that a number and a name mean; either may be blank, or hold both."""
        written = unguarded(text(number) or text(name))
        if not written:
            return Doubt("there is no card in this row")
        if wrong := doubt(written, LONGEST_NAME):
            return Doubt(f"{quoted(written)} {wrong}")
        known_by = written if is_blank(number) else text(name) or None
        if not is_blank(number) and _SHAPE.fullmatch(written):
            return Named(written, known_by)
        found = self._lines(f"1 {written}") if any(map(str.isdigit, written)) else []
        if len(found) == 1 and found[0].number:
            return Named(found[0].number, text(name) if text(name) and not is_blank(number) else found[0].name)
        return Named(None, written) if is_blank(number) else Named(written, known_by)

    def _counted(self, cell: Cell) -> Named | Doubt:
        """Return the card of a cell that may have its count too: "4 Nami", "OP01-016 x4"."""
        written = unguarded(text(cell))
        if not written or doubt(written, LONGEST_NAME):
            return self._named("", cell)
        found = self._lines(written)
        if len(found) == 1:
            return Named(found[0].number, found[0].name, found[0].count)
        if found or any(map(str.isdigit, written)):
            return Doubt(f"{quoted(written)} is not one card with its count")
        return Named(None, written)

    def _listed(self, written: str) -> Deck | str:
        """Return the deck that a text is, or why it is none."""
        try:
            deck = decklists.parse(written, self.game, self.catalogue).deck
        except ValueError as error:
            return str(error)
        return bounded(deck) if any(deck.lines()) else f"there is no card in {quoted(written)}"

    def _lines(self, written: str) -> list[DeckLine]:
        return [line for _, line in decklists.parse(written, self.game, self.catalogue).deck.lines()]


def bounded(deck: Deck) -> Deck | str:
    """Return a deck, or that it has too many lines."""
    lines = sum(1 for _ in deck.lines())
    return deck if lines <= MOST_LINES else f"a deck has at most {MOST_LINES:,} lines, and this has {lines:,}"


def section(cell: Cell, side: Cell) -> str | Doubt | None:
    """Return the section that a row names, None where it names none, as `placed` has it."""
    named = placed(text(cell), text(side))
    if isinstance(named, Misplaced):
        return Doubt(f"{quoted(text(side if named.role == columns.SIDE else cell))} {named.detail}", named.role)
    return named


def _full(last: str, first: str) -> str:
    """Return a name told in two parts, so that which is the last name is not lost."""
    return ", ".join(filter(None, (last, first)))


def _reader(role: str) -> Callable[[Cell], Text]:
    return cells.identity if role == columns.PLAYER_ID else cells.name


class Table:
    """A sheet that is being read: its rows under the headings, and its part of the book."""

    def __init__(self, grid: Grid, book: Book, cards: Cards, header: Header | None) -> None:
        self.grid = grid
        self.book = book
        self.cards = cards
        self.start = header.end if header else 0
        self._above = header.start if header else LABELLED
        self.columns = header.columns if header else columns.Columns(())
        self._used = {at for places in self.columns.roles.values() for at in places} | self.columns.parts.keys()
        self._of_cards = self._used.difference(self.columns.places(*WHO))
        self._titles = dict(enumerate(self.columns.titles))
        self._merged = self._filled_down()
        self._doubted: set[int] = set()
        places = ((role, self.columns.first(role)) for role in WHO)
        self._who = [(role, column, cache(_reader(role))) for role, column in places if column is not None]
        self._note: Callable[[Cell], str] = cache(cells.note)
        book.unknown += [(grid.sheet, self._titles[at]) for at in self.columns.unknown]
        book.rows.headings += sum(not grid.is_blank(at) for at in range(1, self.start + 1))

    def rows(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        """Yield the rows under the headings with their numbers, at least as wide as those."""
        rows = self.grid.rows[self.start :]
        width = len(self.columns.titles)
        twice = [places for places in self.columns.roles.values() if len(places) > 1]
        if not (twice or self._merged) and min(map(len, rows), default=width) >= width:
            return enumerate(rows, self.start + 1)
        return ((at, self._mended(at, list(row), width, twice)) for at, row in enumerate(rows, self.start + 1))

    def body(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        """Yield the rows under the headings that are not blank."""
        return ((at, row) for at, row in self.rows() if not self.grid.is_blank(at))

    def _mended(self, at: int, row: list[Cell], width: int, twice: Sequence[Sequence[int]]) -> list[Cell]:
        row += [""] * (width - len(row))
        for column, value in self._merged.get(at, ()):
            row[column] = value
        for first, *others in twice:
            row[first] = next((row[column] for column in (first, *others) if not is_blank(row[column])), "")
        return row

    def _filled_down(self) -> Mapping[int, list[tuple[int, Cell]]]:
        """Return, by row, what is said once for several: in cells merged downwards, or of the first of a section."""
        found: dict[int, list[tuple[int, Cell]]] = {}
        holding = set(self.columns.places(*WHO, *_PLACED))
        room = MOST_ROWS * len((*WHO, *_PLACED))  # ranges that overlap, which no spreadsheet program makes, end here
        for (top, left), (bottom, right) in self.grid.merged:
            room -= bottom - top
            if left == right and left in holding and self.start <= top < len(self.grid.rows) and room > 0:
                for row in range(top + 1, min(bottom + 1, len(self.grid.rows))):
                    found.setdefault(row + 1, []).append((left, self.grid.rows[top][left]))
        for row, told in self._told_above():
            found.setdefault(row, []).append(told)
        return found

    def _told_above(self) -> Iterator[tuple[int, tuple[int, Cell]]]:
        """Yield, by row, the section that an earlier row of the player says, where "Main" stands once above its cards.

        Who marks nothing but the side deck never writes "Main"; there a blank leaves it to the card's type.
        """
        column = self.columns.first(columns.SECTION)
        if column is None or not self._has_blanks(column):
            return
        told_by = self.columns.places(*WHO)
        whose: Sequence[Cell] = [""] * len(told_by)
        said: Cell = ""
        is_divided = False
        for at, row in enumerate(self.grid.rows[self.start :], self.start + 1):
            who = [row[at] if at < len(row) else "" for at in told_by]
            if any(new != old and not is_blank(new) for new, old in zip(who, whose, strict=True)):
                whose, said, is_divided = who, "", False
            place = row[column] if column < len(row) else ""
            if not is_blank(place):
                said = place
                is_divided = is_divided or section_meant(text(place)) == "main"
            elif is_divided and self._has_card(row):
                yield at, (column, said)

    def _has_blanks(self, column: int) -> bool:
        rows = self.grid.rows[self.start :]
        return min(map(len, rows), default=0) <= column or any(map(is_blank, set(map(itemgetter(column), rows))))

    def _has_card(self, row: Sequence[Cell]) -> bool:
        named = (self.columns.first(role) for role in (columns.NUMBER, columns.CARD))
        return any(at is not None and at < len(row) and not is_blank(row[at]) for at in named) and not is_total(
            " ".join(filter(None, map(text, row)))
        )

    def is_heading(self, row: Sequence[Cell]) -> bool:
        """Tell whether a row repeats the headings, as pages put together do."""
        return all(text(row[at]) == self._titles[at] for at in self._used)

    def sole(self) -> Who:
        """Return the player of a sheet that has one: named above the cards, or by the sheet's title."""
        said: dict[str, str] = {}
        for role, _, cell in self._labelled():
            said.setdefault(role, _reader(role)(cell).text)
        both = _full(said.get(columns.LAST, ""), said.get(columns.FIRST, ""))
        name = said.get(columns.PLAYER) or both or cells.name(self.grid.title).text
        return Who(name, said.get(columns.PLAYER_ID, ""), said.get(columns.EVENT, ""))

    def title(self, column: int) -> str:
        """Return what a column is called: its heading, else its letters."""
        return self._titles.get(column) or letters(column)

    def above(self) -> dict[str, str]:
        """Return what else is said above the cards of a sheet that has one player: the table, the place, a note."""
        return {label: cells.note(cell) for role, label, cell in self._labelled() if role == headings.MORE}

    def leader(self) -> tuple[int, str] | None:
        """Return the row and the words of a Leader that is named above the cards of a sheet that has one player."""
        for at, row in enumerate(self.grid.rows[: self._above], 1):
            if words := headings.leader(row):
                return at, words
        return None

    def _labelled(self) -> Iterator[tuple[str, str, Cell]]:
        return chain.from_iterable(map(headings.labelled, self.grid.rows[: self._above]))

    def fault(self, at: int, column: int | None, detail: str, row: Sequence[Cell] = (), **more: str) -> Fault:
        """Return what is wrong with a cell (or with a row, where `column` is None)."""
        if column is None:
            return Fault(self.grid.sheet, at, None, "", detail, **more)
        value = text(row[column]) if column < len(row) else ""
        return Fault(self.grid.sheet, at, self.title(column), value[:100], detail, cell=address(at, column), **more)

    def odd(self, at: int) -> list[Fault]:
        """Return what is wrong with the odd cells of a row: errors where a card is named, notices elsewhere."""
        return [
            self.fault(
                at,
                column,
                f"{value} is an error, not a value" if value else UNCOMPUTED,
                severity=ERROR if column in self._of_cards else NOTICE,
            )._replace(value=value)
            for column, value in self.grid.odd.get(at, ())
        ]

    def who(self, at: int, row: Sequence[Cell]) -> tuple[Who, list[Fault]]:
        """Return the player whom a row names, and what is wrong with how it does."""
        texts: dict[str, str] = {}
        faults: list[Fault] = []
        for role, column, read in self._who:
            found = read(row[column])
            texts[role] = found.text
            if found.doubt:
                faults += self._doubts(at, column, found, row)
        name = texts.get(columns.PLAYER) or _full(texts.get(columns.LAST, ""), texts.get(columns.FIRST, ""))
        return Who(name, texts.get(columns.PLAYER_ID, ""), texts.get(columns.EVENT, "")), faults

    def _doubts(self, at: int, column: int, found: Text, row: Sequence[Cell]) -> Iterator[Fault]:
        """Yield what is wrong with a text; what holds for a whole column is said once."""
        if not found.usable:
            yield self.fault(at, column, found.doubt, row)
        elif column not in self._doubted:
            self._doubted.add(column)
            yield self.fault(at, column, f"{found.doubt} (and so may be others below)", row, severity=NOTICE)

    def aside(self, row: Sequence[Cell]) -> dict[str, str]:
        """Return what the columns of no known meaning say."""
        unknown = ((self._titles[at], row[at]) for at in self.columns.unknown if at < len(row))
        return {title: self._note(cell) for title, cell in unknown if not is_blank(cell)}
