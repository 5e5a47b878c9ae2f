"""A card per row: the cards of many players, or of the one whose sheet it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter

from api.workbooks.intake import cells
from api.workbooks.intake.cells import (
    ERROR,
    NOTICE,
    CardCells,
    CardInCell,
    Cell,
    CellDoubt,
    SheetFault,
    is_blank,
    section,
    text,
)
from api.workbooks.intake.roster import LEADER_BY_TYPE, GatheredDeck, Roster, split_decks
from api.workbooks.intake.sheet_rows import NO_COUNTS, SheetRows
from validator.deck import MOST_LINES, Line, Unread
from validator.decklists.draft import NO_PART, Draft
from validator.decklists.headlines import is_total, is_totals_row, names_sum, row_heading
from validator.decklists.placing import placed_by_type
from validator.language import phrase
from validator.sections import ASIDE
from validator.sections import section as section_meant
from validator.tables.columns import WHO
from validator.tables.headings import CARD, COUNT, NUMBER, SECTION, SIDE, TYPE
from validator.tables.section_counts import TWO_SECTIONS, contradicts, read_copies, zero_copies

_OF_CARDS = (NUMBER, CARD, COUNT, SECTION, SIDE, TYPE)
_PlacedLine = tuple[str, str | None, int, str | None]  # where it lies, number, count, name
_line = partial(tuple.__new__, Line)  # what Line() does, without its Python frame


def read(rows: SheetRows, cards: CardCells) -> None:
    """Read a sheet with a card in each row into the book."""
    _CardPerRow(rows, cards).read_sheet()


class _CardPerRow:
    """The reader of one such sheet: of 75,000 rows a few thousand differ, so equal cells are understood once."""

    def __init__(self, rows: SheetRows, cards: CardCells) -> None:
        self._rows = rows
        self._cards = cards
        self._places = {role: rows.columns.first(role) for role in _OF_CARDS}
        if rows.columns.counts:  # each row is read as one for each section, with these two cells at its end
            self._places |= {SECTION: len(rows.columns.titles), COUNT: len(rows.columns.titles) + 1}
        self._card_at = self._places[CARD] if self._places[NUMBER] is None else self._places[NUMBER]
        self._roster = Roster(rows, "" if self._card_at is None else rows.title(self._card_at))
        self._decks: dict[tuple[Cell, ...], GatheredDeck | str] = {}  # by the cells that name the player
        self._lines: dict[tuple[Cell, ...], _PlacedLine] = {}  # by the cells that say something of the card
        self._who = self._picker(rows.columns.roles[role][0] for role in WHO if rows.columns.has(role))
        self._of_cards = self._picker(at for role in _OF_CARDS if (at := self._places[role]) is not None)
        self._leader_at = next((at for at, part in rows.columns.parts.items() if part == "leader"), None)
        self._under: str | None = None  # the section whose heading stands above, on a sheet of one player
        self._more_lines = 0  # that rows have beyond one each
        self._zero_rows: list[int] = []
        self._sole = None if rows.columns.has(*WHO) else self._roster.add(rows.sole(), None)

    def read_sheet(self) -> None:
        """Read the sheet into the book."""
        if self._sole is not None:
            self._sole.entry.aside = self._rows.notes_above()
            self._decks[()] = self._sole
        self._gather()
        if self._sole is not None and (named := self._rows.leader()) is not None:
            self._rows.book.rows.headings -= self._lead(self._sole, *named)
        for deck in self._roster.decks:
            self._close_all(deck)
        if self._places[COUNT] is None and self._lines and all(count == 1 for _, _, count, _ in self._lines.values()):
            self._rows.book.faults.append(self._rows.fault(self._rows.above, None, NO_COUNTS, severity=NOTICE))
        self._rows.book.rows.in_decks -= self._more_lines
        self._rows.book.rows.headings += len(self._zero_rows)
        if self._zero_rows:
            detail = zero_copies(len(self._zero_rows))
            self._rows.book.faults.append(self._rows.fault(self._zero_rows[0], None, detail, severity=NOTICE))

    @staticmethod
    def _picker(columns: Iterable[int]) -> Callable[[Sequence[Cell]], tuple[Cell, ...]]:
        """Return a function that returns the cells of a row in these columns."""
        places = list(columns)
        if len(places) > 1:
            return itemgetter(*places)
        return lambda row: tuple(row[at] for at in places)

    def _gather(self) -> None:
        """Put the card of every row into the deck of its player."""
        lines, who, of_cards, odd = self._lines, self._who, self._of_cards, self._rows.grid.odd
        whose: tuple[Cell, ...] | None = None
        deck: GatheredDeck | str = ""
        for at, row in self._by_section() if self._rows.columns.counts else self._rows.all():
            line = lines.get(of_cards(row))
            if line is None or at in odd:
                self._take(at, row)
                continue
            if (named := who(row)) != whose:  # a player's rows follow each other
                whose, deck = named, self._deck(at, row)
            if isinstance(deck, str):
                self._take(at, row)
            else:
                place, number, count, name = line
                deck.lines[place].append(_line((number, count, name, at, None)))

    def _by_section(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        """Yield each row once for each section that it has copies in, which it ends with, and with their number."""
        columns = self._rows.columns
        width, total_at, section_at = len(columns.titles), columns.first(COUNT), columns.first(SECTION)
        for at, written in self._rows.all():
            row = [*written[:width], "", ""]
            if at in self._rows.grid.odd or not self._may_have_copies(row):
                yield at, row
                continue
            total = None if total_at is None else text(row[total_at])
            copies = read_copies(columns.counts, [text(cell) for cell in row].__getitem__, total)
            place = "" if section_at is None else text(row[section_at])
            if isinstance(copies, str) or any(contradicts(counted, section_meant(place)) for counted, _ in copies):
                self._refuse(at, row, copies if isinstance(copies, str) else TWO_SECTIONS)
                continue
            if not copies:
                self._zero_rows.append(at)
            if isinstance(self._card(row), CellDoubt) or isinstance(self._deck(at, row), str):
                copies = copies[:1]  # what is wrong with the row is reported once
            self._more_lines += max(0, len(copies) - 1)
            for counted, count in copies:
                named = place if counted in (None, "main") and place else counted or ""
                yield at, [*row[:width], named, count]

    def _may_have_copies(self, row: Sequence[Cell]) -> bool:
        """Return True if a row of a table is of a card: neither headings, nor a total, nor blank."""
        is_other = self._rows.is_heading(row) or self._opens(row) or self._is_total(row)
        return not is_other and not all(map(is_blank, row))

    def _refuse(self, row_number: int, row: Sequence[Cell], reason: str) -> None:
        """Keep a row whose copies are not clear as one that could not be read."""
        deck = self._deck(row_number, row)
        self._rows.book.faults.append(self._rows.fault(row_number, None, reason))
        self._rows.book.rows.unread += 1
        if isinstance(deck, GatheredDeck):
            deck.unread.append(Unread(row_number, _as_line(row_number, row), reason))

    def _deck(self, row_number: int, row: Sequence[Cell]) -> GatheredDeck | str:
        """Return the deck of the player in a row, or the reason why the row has no player."""
        who = self._who(row)
        if who not in self._decks:
            self._decks[who] = self._roster.find_deck(row_number, row)
        deck = self._decks[who]
        if self._leader_at is not None and isinstance(deck, GatheredDeck) and deck.beside is None:
            deck.beside = None if is_blank(row[self._leader_at]) else (row_number, row[self._leader_at])
        return deck

    def _take(self, row_number: int, row: Sequence[Cell]) -> None:
        """Take in a row with a card that was not met before, or with something wrong."""
        if self._rows.grid.is_blank(row_number):
            return
        if self._rows.is_heading(row) or self._opens(row) or self._is_total(row):
            self._rows.book.rows.headings += 1
        else:
            self._take_card(row_number, row)

    def _take_card(self, row_number: int, row: Sequence[Cell]) -> None:
        """Add the card of a row to its player's deck, and the faults of the row to the book.

        A row with an error becomes an unread line of the deck. So does a card outside of the deck, which is no fault.
        The counts of the book's rows change too.
        """
        deck, section = self._deck(row_number, row), self._section(row)
        line = self._understood(row, section)
        beside = NO_PART if section == ASIDE else line.reason if isinstance(line, Unread) else ""
        if beside and isinstance(deck, GatheredDeck):
            deck.unread.append(Unread(row_number, _as_line(row_number, row), beside, aside=True))
            self._rows.book.rows.in_decks += 1
            return
        faults = list(self._faults(row_number, row, deck, line))
        self._rows.book.faults += faults
        grave = next((fault for fault in faults if fault.severity == ERROR), None)
        if grave is not None:
            self._rows.book.rows.unread += 1
        if isinstance(deck, str):
            return
        if grave is not None:
            deck.unread.append(Unread(row_number, _as_line(row_number, row), grave.detail))
        elif not isinstance(line, list | Unread):
            place, number, count, name = self._lines[self._of_cards(row)] = line
            deck.lines[place].append(Line(number, count, name, row_number))

    def _faults(
        self,
        row_number: int,
        row: Sequence[Cell],
        deck: GatheredDeck | str,
        line: _PlacedLine | Unread | list[CellDoubt],
    ) -> Iterator[SheetFault]:
        """Yield the faults of a row. An odd cell has only one."""
        yield from self._rows.odd(row_number)
        if isinstance(deck, str):
            yield self._rows.fault(row_number, None, deck)
        odd = {column for column, _ in self._rows.grid.odd.get(row_number, ())}
        for doubt in line if isinstance(line, list) else ():
            column = self._card_at if doubt.role == CARD else self._places[doubt.role]
            if column not in odd:
                yield self._rows.fault(row_number, column, doubt.detail, row)

    def _opens(self, row: Sequence[Cell]) -> bool:
        """Return True if a row is the heading of a section, with or without its total. Sets the current section."""
        if self._sole is None or self._places[SECTION] is not None:
            return False
        heading = row_heading(list(map(text, row)), self._cards.is_card)
        if heading is None:
            return False
        self._under = heading.section
        self._lines.clear()
        return True

    def _is_total(self, row: Sequence[Cell]) -> bool:
        """Return True if a row without a card has the total of the cards above, or is an empty line of a form."""
        of_players = self._rows.columns.places(*WHO)
        words = [text(cell) for at, cell in enumerate(row) if at not in of_players and not is_blank(cell)]
        if is_total(" ".join(words)) or self._has_totals(row):
            return not self._cards.is_card(words[0])
        named = (text(row[at]) for at in of_players)
        return self._has_no_card(row) and (any(map(names_sum, named)) or self._is_only_numbered(row))

    def _has_totals(self, row: Sequence[Cell]) -> bool:
        """Return True if a row is of the totals of several sections."""
        columns = self._rows.columns
        counted = [*columns.counts, *columns.places(COUNT)]
        return bool(columns.counts) and is_totals_row([text(cell) for at, cell in enumerate(row) if at not in counted])

    def _has_no_card(self, row: Sequence[Cell]) -> bool:
        """Return True if the cells for number and name of the card are blank."""
        return all(at is None or is_blank(row[at]) for at in (self._places[NUMBER], self._places[CARD]))

    def _is_only_numbered(self, row: Sequence[Cell]) -> bool:
        """Return True if a row has only a number in a column without a role: an empty line of a form."""
        known = [*self._rows.columns.places(*self._rows.columns.roles), *self._rows.columns.counts]
        return all(is_blank(cell) or (at not in known and text(cell).isdigit()) for at, cell in enumerate(row))

    def _section(self, row: Sequence[Cell]) -> str | CellDoubt | None:
        """Return the section of a row: from its cells, else from the heading above, else from the card's type."""
        named, side, type = ("" if (at := self._places[role]) is None else row[at] for role in (SECTION, SIDE, TYPE))
        return section(named, side) or self._under or placed_by_type(text(type))

    def _understood(
        self, row: Sequence[Cell], section: str | CellDoubt | None
    ) -> _PlacedLine | Unread | list[CellDoubt]:
        """Return the line of a row with its section. An Unread is a card outside of the deck, a list has the doubts."""
        card = self._card(row)
        copies = self._copies(row, card)
        if isinstance(card, CellDoubt) or isinstance(copies, CellDoubt) or isinstance(section, CellDoubt):
            return [doubt for doubt in (card, copies, section) if isinstance(doubt, CellDoubt)]
        deck = Draft("workbook", [(section, Line(card.number, copies, card.name, 1))]).deck(self._cards.catalogue)
        if deck.unread:
            (unread,) = deck.unread
            return unread if unread.aside else [CellDoubt(unread.reason, NUMBER)]
        [(place, line)] = deck.lines()
        return LEADER_BY_TYPE if place == "leader" != section else place, card.number, line.count, card.name

    def _card(self, row: Sequence[Cell]) -> CardInCell | CellDoubt:
        """Return the card in the cells for number and name, or the doubt about them."""
        number, name = ("" if (at := self._places[role]) is None else row[at] for role in (NUMBER, CARD))
        if self._places[COUNT] is None and (is_blank(number) or is_blank(name)):
            return self._cards.parse_counted_card(name if is_blank(number) else number)
        return self._cards.parse_card(number, name)

    def _copies(self, row: Sequence[Cell], card: CardInCell | CellDoubt) -> int | CellDoubt:
        """Return the copies of a row's card, or the doubt about the cell. 1 without a column of counts."""
        at = self._places[COUNT]
        if at is None:
            return card.copies if isinstance(card, CardInCell) else 1
        return cells.count(row[at]) or CellDoubt(cells.count_doubt(row[at]), COUNT)

    def _lead(self, deck: GatheredDeck, row_number: int, words: Cell) -> bool:
        """Add the Leader named above or beside the cards to a deck without one. Return True if the text is a card."""
        if deck.lines["leader"] or deck.lines[LEADER_BY_TYPE]:
            return False
        card = self._cards.parse_counted_card(words)
        is_card = isinstance(card, CardInCell) and bool(card.number or self._cards.is_card(card.name or ""))
        if isinstance(card, CardInCell) and is_card:
            deck.lines["leader"].append(Line(card.number, card.copies, card.name, row_number))
        return is_card

    def _close_all(self, deck: GatheredDeck) -> None:
        """Put the deck of a player into the book, and those that were sent in again."""
        first, *later = [deck] if deck is self._sole else split_decks(deck)
        self._close(first)
        for one in later:
            at = one.entry.row or 0
            one.entry.aside = self._rows.aside(self._rows.grid.rows[at - 1 - self._rows.grid.top])
            self._close(one)

    def _close(self, deck: GatheredDeck) -> None:
        """Put the deck of a player who has any card into the book."""
        book = self._rows.book
        if self._leader_at is not None and deck.beside is not None and not self._lead(deck, *deck.beside):
            remark = {self._rows.title(self._leader_at): cells.note(deck.beside[1])}
            deck.entry.aside = {**deck.entry.aside, **remark}
        for line in deck.surplus():
            detail = phrase("a deck has at most {most:,} lines", most=MOST_LINES)
            book.faults.append(self._rows.fault(line.at or 0, None, detail))
            book.rows.unread += 1
            deck.unread.append(Unread(line.at or 0, f"{line.count} {line.written}", detail))
        book.rows.in_decks += deck.size
        if deck.size or deck.unread:
            deck.entry.deck = deck.deck()
            book.faults += self._rows.nameless(deck.entry.row or 0, deck.entry.who)
            book.entries.append(deck.entry)


def _as_line(row_number: int, row: Sequence[Cell]) -> str:
    """Return a row as one line. It has a digit: a line without may be a remark, and this may be a card."""
    line = ", ".join(filter(None, map(text, row)))[:200]
    return line if any(map(str.isdigit, line)) else f"row {row_number}: {line}"
