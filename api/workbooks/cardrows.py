"""Card rows: a sheet with a row for each card, of many players or of one."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from api.workbooks import cells
from api.workbooks.cells import Cell
from api.workbooks.cells import is_blank
from api.workbooks.cells import text
from api.workbooks.entries import Entry
from api.workbooks.entries import Who
from api.workbooks.faults import ERROR
from api.workbooks.faults import NOTICE
from api.workbooks.faults import Fault
from api.workbooks.faults import quoted
from api.workbooks.tables import Doubt
from api.workbooks.tables import Named
from api.workbooks.tables import Table
from api.workbooks.tables import section
from validator.deck import MOST_LINES
from validator.deck import SECTIONS
from validator.deck import Deck
from validator.deck import Line
from validator.deck import Unread
from validator.decklists import columns
from validator.decklists.columns import WHO
from validator.decklists.headings import ASIDE
from validator.decklists.headings import heading as section_heading
from validator.decklists.headings import is_total
from validator.decklists.placing import placed_by_type
from validator.decklists.reading import NO_PART
from validator.decklists.reading import Reading
from validator.matching import folded

_PlacedLine = tuple[str, str | None, int, str | None]  # where it lies, number, count, name
_line = partial(tuple.__new__, Line)  # what Line() does, without its Python frame
_BY_TYPE = "a Leader by its type"  # lies in the main deck where another is said to be the Leader


class _Hand:
    """A player whose cards are being gathered: where each lies, and the rows that could not be read."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.unread: list[Unread] = []
        self.lines: dict[str, list[Line]] = {section: [] for section in (*SECTIONS, _BY_TYPE)}

    @property
    def size(self) -> int:
        """How many lines there are."""
        return sum(map(len, self.lines.values()))

    def surplus(self) -> list[Line]:
        """Take out the lines beyond as many as a deck may have, and return them."""
        if self.size <= MOST_LINES:
            return []
        ordered = sorted(chain.from_iterable(self.lines.values()), key=_row)
        surplus = ordered[MOST_LINES:]
        for place, lines in self.lines.items():
            self.lines[place] = [line for line in lines if _row(line) < _row(surplus[0])]
        return surplus

    def deck(self) -> Deck:
        """Return the deck."""
        place = "main" if self.lines["leader"] else "leader"
        self.lines[place] += self.lines.pop(_BY_TYPE)
        return Deck(**{section: tuple(lines) for section, lines in self.lines.items()}, unread=tuple(self.unread))


def _row(line: Line) -> int:
    return line.at or 0


class _Said(NamedTuple):
    """What the cells of a row say of its card; a Doubt, or None for the count, where they say nothing usable."""

    card: Named | Doubt
    place: str | Doubt | None
    copies: int | None


class _Row(NamedTuple):
    """A row, what its cells say, and the hand of its player or why there is none."""

    at: int
    cells: Sequence[Cell]
    hand: _Hand | str
    said: _Said


_OF_CARDS = (columns.NUMBER, columns.CARD, columns.COUNT, columns.SECTION, columns.SIDE, columns.TYPE)
_NOBODY = "no player is named; write the player in every row, or merge the cells"


class CardRows:
    """The reader of one such sheet."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._cards = table.cards
        places = map(table.columns.first, (columns.NUMBER, columns.CARD, columns.COUNT, columns.SECTION))
        self._number, self._card, self._count, self._section = places
        self._side, self._type = map(table.columns.first, (columns.SIDE, columns.TYPE))
        self._who = frozenset(table.columns.places(*WHO))
        self._under: str | None = None  # the section whose heading stands above, on a sheet of one player
        self._hands: list[_Hand] = []
        self._by_cells: dict[tuple[Cell, ...], _Hand] = {}
        self._nobody: dict[tuple[Cell, ...], str] = {}  # why there is no hand
        self._by_words: dict[tuple[Cell, ...], _PlacedLine] = {}
        self._by_id: dict[tuple[str, str], _Hand] = {}
        self._by_name: dict[tuple[str, str], _Hand | None] = {}  # None: several players of different ids

    def read(self) -> None:
        """Read the sheet into the book."""
        if self._count is None and (divided := list(self._counts_of_sections())):
            self._refuse_all(f"{quoted(divided[0])} is no heading beside cards; write columns Section and Count")
            return
        who, said, odd = self._picker(WHO), self._picker(_OF_CARDS), self._table.grid.odd
        if not self._table.columns.has(*WHO):
            self._by_cells[()] = self._new(self._table.sole(), None)
            self._by_cells[()].entry.aside = self._table.above()
        # Of 75,000 rows a few thousand differ, and a player's follow each other, so equal cells are understood once.
        whose: tuple[Cell, ...] | None = None
        hand: _Hand | str | None = None
        for at, row in self._table.rows():
            if (named := who(row)) != whose:
                whose, hand = named, self._by_cells.get(named)
            placed = self._by_words.get(said(row))
            if placed and not hand:
                hand = self._hand(at, row, named)
            if not placed or not isinstance(hand, _Hand) or at in odd:
                self._read_new(at, row, named, said(row))
                hand = self._by_cells.get(named)
            else:
                place, number, count, name = placed
                hand.lines[place].append(_line((number, count, name, at, None)))
        if not self._table.columns.has(*WHO):
            self._lead(self._by_cells[()])
        for hand in self._hands:
            self._close(hand)
        if self._count is None and self._by_words and not any(count > 1 for _, _, count, _ in self._by_words.values()):
            detail = "no column says how many copies; each row counts as one"
            self._table.book.faults.append(self._table.fault(self._table.start, None, detail, severity=NOTICE))

    def _lead(self, hand: _Hand) -> None:
        """Give a player whose cards have no Leader the one that is named above them."""
        found = None if hand.lines["leader"] or hand.lines[_BY_TYPE] else self._table.leader()
        if found is None:
            return
        at, words = found
        card = self._cards.counted(words)
        if isinstance(card, Named) and (card.number or self._cards.is_card(card.name or "")):
            hand.lines["leader"].append(Line(card.number, card.copies, card.name, at))
            self._table.book.rows.headings -= 1

    def _read_new(self, at: int, row: Sequence[Cell], who: tuple[Cell, ...], words: tuple[Cell, ...]) -> None:
        """Take in a row with a card that was not met before, or with something wrong."""
        if self._table.grid.is_blank(at):
            return
        if self._table.is_heading(row):
            self._table.book.rows.headings += 1
            return
        if self._opens(row) or self._is_total(row):
            self._table.book.rows.headings += 1
            return
        found = _Row(at, row, self._hand(at, row, who), self._said(row))
        if found.said.place == ASIDE and isinstance(found.hand, _Hand):
            found.hand.unread.append(Unread(at, _told(found), NO_PART, aside=True))
            self._table.book.rows.in_decks += 1
            return
        placed = self._placed_line(found.said)
        faults = [*self._table.odd(at), *self._faults(found)]
        if isinstance(placed, Doubt):
            faults.append(self._table.fault(at, self._number, placed.detail, row))
        self._table.book.faults += faults
        grave = next((fault for fault in faults if fault.severity == ERROR), None)
        if grave is not None:
            self._refuse(found, grave.detail)
        elif isinstance(found.hand, _Hand) and placed is not None and not isinstance(placed, Doubt):
            place, number, count, name = self._by_words[words] = placed
            found.hand.lines[place].append(Line(number, count, name, at))

    def _opens(self, row: Sequence[Cell]) -> bool:
        """Tell whether a row is the heading of a section, with or without its total, and take it in."""
        if self._section is not None or self._table.columns.has(*WHO):
            return False
        said = sorted((text(cell) for cell in row if not is_blank(cell)), key=str.isdigit)  # the total last
        found = section_heading(" ".join(said))
        if found is None or self._cards.is_card(said[0]):
            return False
        self._under = found.section
        self._by_words.clear()
        return True

    def _is_total(self, row: Sequence[Cell]) -> bool:
        """Tell whether a row has no card and says how many cards there are above it."""
        said = [text(cell) for at, cell in enumerate(row) if at not in self._who and not is_blank(cell)]
        return is_total(" ".join(said)) and not self._cards.is_card(said[0])

    def _counts_of_sections(self) -> Iterator[str]:
        """Yield the headings of columns such as "Main" that have numbers, one for each section."""
        for at in self._table.columns.unknown:
            cells = [text(row[at]) for _, row in self._table.body()]
            if columns.part_of(self._table.title(at)) and all(cell.isdigit() for cell in cells if cell):
                yield self._table.title(at)

    def _refuse_all(self, why: str) -> None:
        self._table.book.faults.append(self._table.fault(self._table.start, None, why))
        self._table.book.rows.unread += sum(1 for _ in self._table.body())

    def _refuse(self, row: _Row, why: str) -> None:
        self._table.book.rows.unread += 1
        if isinstance(row.hand, _Hand):
            row.hand.unread.append(Unread(row.at, _told(row), why))

    def _close(self, hand: _Hand) -> None:
        """Put the deck of a player who has any card into the book."""
        book = self._table.book
        for line in hand.surplus():
            detail = f"a deck has at most {MOST_LINES:,} lines"
            book.faults.append(self._table.fault(line.at or 0, None, detail))
            book.rows.unread += 1
            hand.unread.append(Unread(line.at or 0, f"{line.count} {line.written}", detail))
        book.rows.in_decks += hand.size
        if hand.size or hand.unread:
            hand.entry.deck = hand.deck()
            book.entries.append(hand.entry)

    def _hand(self, at: int, row: Sequence[Cell], who: tuple[Cell, ...]) -> _Hand | str:
        """Return the hand of the player whom a row names, or why there is none."""
        known = self._by_cells.get(who) or self._nobody.get(who)
        if known is not None:
            return known
        hand = self._meet(at, row)
        if isinstance(hand, _Hand):
            self._by_cells[who] = hand
        else:
            self._nobody[who] = hand
        return hand

    def _placed_line(self, said: _Said) -> _PlacedLine | Doubt | None:
        """Return the line that a row is and where it lies, or a doubt; None where something is not usable."""
        if isinstance(said.card, Doubt) or isinstance(said.place, Doubt) or said.copies is None:
            return None
        number, name, _ = said.card
        reading = Reading("workbook", [(said.place, Line(number, said.copies, name, 1))])
        deck = reading.deck(self._cards.catalogue)
        for unread in deck.unread:
            return Doubt(unread.reason)
        [(place, line)] = deck.lines()
        return _BY_TYPE if place == "leader" != said.place else place, number, line.count, name

    def _picker(self, roles: Sequence[str]) -> Callable[[Sequence[Cell]], tuple[Cell, ...]]:
        """Return what gives the cells of a row that say something of these."""
        places = [at for role in roles for at in self._table.columns.roles.get(role, ())[:1]]
        if len(places) > 1:
            return itemgetter(*places)
        return lambda row: tuple(row[at] for at in places)

    def _said(self, row: Sequence[Cell]) -> _Said:
        card = self._named(row)
        if self._count is not None:
            copies = cells.count(row[self._count])
        else:
            copies = None if isinstance(card, Doubt) else card.copies
        return _Said(card, self._placed(row), copies)

    def _named(self, row: Sequence[Cell]) -> Named | Doubt:
        number = "" if self._number is None else row[self._number]
        name = "" if self._card is None else row[self._card]
        if self._count is None and (is_blank(number) or is_blank(name)):
            return self._cards.counted(name if is_blank(number) else number)
        return self._cards.named(number, name)

    def _placed(self, row: Sequence[Cell]) -> str | Doubt | None:
        said, side, kind = ("" if at is None else row[at] for at in (self._section, self._side, self._type))
        return section(said, side) or self._under or placed_by_type(text(kind))

    def _faults(self, row: _Row) -> Iterator[Fault]:
        """Yield each thing that is wrong with a row, but for cells that are odd: those are told already."""
        odd = {column for column, _ in self._table.grid.odd.get(row.at, ())}
        named = self._card if self._number is None else self._number
        if isinstance(row.hand, str):
            yield self._table.fault(row.at, None, row.hand)
        if isinstance(row.said.card, Doubt) and named not in odd:
            yield self._table.fault(row.at, named, row.said.card.detail, row.cells)
        if row.said.copies is None and self._count is not None and self._count not in odd:
            detail = cells.count_doubt(row.cells[self._count])
            yield self._table.fault(row.at, self._count, detail, row.cells)
        if isinstance(row.said.place, Doubt):
            yield self._table.fault(
                row.at, self._table.columns.first(row.said.place.role), row.said.place.detail, row.cells
            )

    def _meet(self, at: int, row: Sequence[Cell]) -> _Hand | str:
        """Return the hand of the player whom a row names, or why there is none."""
        who, faults = self._table.who(at, row)
        self._table.book.faults += faults
        hand = self._known(at, who) if who.name or who.id else _NOBODY
        if isinstance(hand, _Hand) and not hand.entry.aside:
            hand.entry.aside = self._table.aside(row)
        return hand

    def _known(self, at: int, who: Who) -> _Hand | str:
        """Return the hand of a player, a new one for a new player; an id counts before a name."""
        event, name, id = map(folded, (who.event, who.name, who.id))
        hand = self._by_id.get((event, id)) if id else None
        if hand is not None:
            self._compare(at, who, hand.entry)
        elif (event, name) in self._by_name:
            named = self._by_name[event, name]
            if named is None and not id:
                return f"several players are called {quoted(who.name)}; write the id too"
            hand = named if named is not None and not (id and named.entry.who.id) else None
        if hand is None:
            hand = self._new(who, at)
            self._by_name[event, name] = None if name and (event, name) in self._by_name else hand
        hand.entry.who = Who(hand.entry.who.name or who.name, hand.entry.who.id or who.id, who.event)
        if id:
            self._by_id[event, id] = hand
        return hand

    def _compare(self, at: int, who: Who, entry: Entry) -> None:
        """Say where one id has two names."""
        if who.name and entry.who.name and folded(who.name) != folded(entry.who.name):
            there = f"that of {quoted(entry.who.name)} in row {entry.row}"
            detail = f"the id {who.id} is {there}, and of {quoted(who.name)} here"
            column = self._table.columns.first(columns.PLAYER_ID)
            self._table.book.faults.append(self._table.fault(at, column, detail, severity=NOTICE))

    def _new(self, who: Who, row: int | None) -> _Hand:
        column = self._card if self._number is None else self._number
        heading = "" if column is None else self._table.title(column)
        hand = _Hand(Entry(who, self._table.grid.sheet, row, heading=heading))
        self._hands.append(hand)
        return hand


def _told(row: _Row) -> str:
    """Return a row as one line. It has a digit: a line without may be a remark, and this may be a card."""
    said = ", ".join(filter(None, map(text, row.cells)))[:200]
    return said if any(map(str.isdigit, said)) else f"row {row.at}: {said}"
