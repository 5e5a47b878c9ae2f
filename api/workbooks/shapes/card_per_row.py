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
    """Add the players of a table with a card in each row to the book of `rows`, with their decks and all faults.

    If no column has players, the sheet is one player's.
    """
    _CardPerRow(rows, cards).read_sheet()


class _CardPerRow:
    """The reader of one table with a card in each row, for all players or for the only one.

    Results for equal cells are cached, because most of many thousand rows are equal.
    """

    def __init__(self, rows: SheetRows, cards: CardCells) -> None:
        """If no column has players, the only player of the sheet is created from its labels or its title."""
        self._rows = rows
        self._cards = cards
        self._places = {role: rows.columns.first(role) for role in _OF_CARDS}
        if rows.columns.counts:  # each row is read as one for each section, with these two cells at its end
            self._places |= {SECTION: len(rows.columns.titles), COUNT: len(rows.columns.titles) + 1}
        self._card_at = self._places[CARD] if self._places[NUMBER] is None else self._places[NUMBER]
        self._roster = Roster(rows, "" if self._card_at is None else rows.title(self._card_at))
        self._decks: dict[tuple[Cell, ...], GatheredDeck | str] = {}  # by the cells that name the player
        self._lines: dict[tuple[Cell, ...], _PlacedLine] = {}  # by the cells that say something of the card
        self._who = self._cell_picker(rows.columns.roles[role][0] for role in WHO if rows.columns.has(role))
        self._of_cards = self._cell_picker(at for role in _OF_CARDS if (at := self._places[role]) is not None)
        self._leader_at = next((at for at, part in rows.columns.parts.items() if part == "leader"), None)
        self._under: str | None = None  # the section whose heading stands above, on a sheet of one player
        self._more_lines = 0  # that rows have beyond one each
        self._zero_rows: list[int] = []
        self._sole = None if rows.columns.has(*WHO) else self._roster.add(rows.find_sole_player(), None)

    def read_sheet(self) -> None:
        """Add all players of the table with their decks, its faults and its row counts to the book.

        A Leader named above the cards is added if no column has players and no row has a Leader. A notice is added if
        there is no count, so that each row is one copy. Another is added for rows whose counts by section are all 0. In
        a table with one count column, a count of 0 is an error.
        """
        if self._sole is not None:
            self._sole.entry.aside = self._rows.notes_above()
            self._decks[()] = self._sole
        self._gather_cards()
        if self._sole is not None and (named := self._rows.find_leader_text()) is not None:
            self._rows.book.rows.headings -= self._add_leader(self._sole, *named)
        for deck in self._roster.decks:
            self._add_decks(deck)
        if self._places[COUNT] is None and self._lines and all(count == 1 for _, _, count, _ in self._lines.values()):
            self._rows.book.faults.append(self._rows.fault(self._rows.above, None, NO_COUNTS, severity=NOTICE))
        self._rows.book.rows.in_decks -= self._more_lines
        self._rows.book.rows.headings += len(self._zero_rows)
        if self._zero_rows:
            detail = zero_copies(len(self._zero_rows))
            self._rows.book.faults.append(self._rows.fault(self._zero_rows[0], None, detail, severity=NOTICE))

    @staticmethod
    def _cell_picker(columns: Iterable[int]) -> Callable[[Sequence[Cell]], tuple[Cell, ...]]:
        """Return a function that returns the cells of a row in these columns as a tuple."""
        places = list(columns)
        if len(places) > 1:
            return itemgetter(*places)
        return lambda row: tuple(row[at] for at in places)

    def _gather_cards(self) -> None:
        """Add the card of each row to the deck of its player. Faults and row counts are added to the book.

        A row whose card cells are equal to those of an earlier row is added without parsing them again.
        """
        lines, who, of_cards, odd = self._lines, self._who, self._of_cards, self._rows.grid.odd
        whose: tuple[Cell, ...] | None = None
        deck: GatheredDeck | str = ""
        for at, row in self._split_by_section() if self._rows.columns.counts else self._rows.rows_below_headings():
            line = lines.get(of_cards(row))
            if line is None or at in odd:
                self._read_row(at, row)
                continue
            if (named := who(row)) != whose:  # a player's rows follow each other
                whose, deck = named, self._find_deck(at, row)
            if isinstance(deck, str):
                self._read_row(at, row)
            else:
                place, number, count, name = line
                deck.lines[place].append(_line((number, count, name, at, None)))

    def _split_by_section(self) -> Iterator[tuple[int, Sequence[Cell]]]:
        """Yield `(row number, cells)` once for each section in which a row has copies.

        The section and the count are the last two cells. For tables with a column of counts for each section. A row
        whose counts are not clear is not yielded: it gets an error and is counted as unread. A row without copies is
        only remembered. Headings, totals, blank rows, and rows with error values, a faulty card or a missing player are
        yielded once.
        """
        columns = self._rows.columns
        width, total_at, section_at = len(columns.titles), columns.first(COUNT), columns.first(SECTION)
        for at, written in self._rows.rows_below_headings():
            row = [*written[:width], "", ""]
            if at in self._rows.grid.odd or not self._may_have_copies(row):
                yield at, row
                continue
            total = None if total_at is None else text(row[total_at])
            copies = read_copies(columns.counts, [text(cell) for cell in row].__getitem__, total)
            place = "" if section_at is None else text(row[section_at])
            if isinstance(copies, str) or any(contradicts(counted, section_meant(place)) for counted, _ in copies):
                self._mark_unread(at, row, copies if isinstance(copies, str) else TWO_SECTIONS)
                continue
            if not copies:
                self._zero_rows.append(at)
            if isinstance(self._parse_card(row), CellDoubt) or isinstance(self._find_deck(at, row), str):
                copies = copies[:1]  # what is wrong with the row is reported once
            self._more_lines += max(0, len(copies) - 1)
            for counted, count in copies:
                named = place if counted in (None, "main") and place else counted or ""
                yield at, [*row[:width], named, count]

    def _may_have_copies(self, row: Sequence[Cell]) -> bool:
        """Return True if a row is of a card: neither a heading, nor a total, nor blank.

        If the row is the heading of a section, the section is set for the rows below, as by `_enter_section`.
        """
        is_other = self._rows.is_heading(row) or self._enter_section(row) or self._is_total(row)
        return not is_other and not all(map(is_blank, row))

    def _mark_unread(self, row_number: int, row: Sequence[Cell], reason: str) -> None:
        """Count a row as unread, with an error in the book and an unread line in its player's deck, for this reason.

        If the row has no player, there is no unread line.
        """
        deck = self._find_deck(row_number, row)
        self._rows.book.faults.append(self._rows.fault(row_number, None, reason))
        self._rows.book.rows.unread += 1
        if isinstance(deck, GatheredDeck):
            deck.unread.append(Unread(row_number, _as_line(row_number, row), reason))

    def _find_deck(self, row_number: int, row: Sequence[Cell]) -> GatheredDeck | str:
        """Return the deck of the player in a row, or the reason as text why the row has no player.

        A new player gets a new deck. The faults of the player's cells are added to the book, once for equal cells. The
        first filled cell of a Leader column is remembered in the deck.
        """
        who = self._who(row)
        if who not in self._decks:
            self._decks[who] = self._roster.find_deck(row_number, row)
        deck = self._decks[who]
        if self._leader_at is not None and isinstance(deck, GatheredDeck) and deck.beside is None:
            deck.beside = None if is_blank(row[self._leader_at]) else (row_number, row[self._leader_at])
        return deck

    def _read_row(self, row_number: int, row: Sequence[Cell]) -> None:
        """Read a row that is not like one before. Blank rows are skipped, and headings and totals counted as headings.

        Any other row is read as a card by `_read_card`.
        """
        if self._rows.grid.is_blank(row_number):
            return
        if self._rows.is_heading(row) or self._enter_section(row) or self._is_total(row):
            self._rows.book.rows.headings += 1
        else:
            self._read_card(row_number, row)

    def _read_card(self, row_number: int, row: Sequence[Cell]) -> None:
        """Add the card of a row to its player's deck, and the faults of the row to the book.

        A row with an error becomes an unread line of the deck and is counted as unread. A card that is no part of the
        deck, such as a token or a maybeboard, becomes an unread line too, without a fault. A card without any error is
        cached for equal rows. Without a player, only the faults are added.
        """
        deck, section = self._find_deck(row_number, row), self._find_section(row)
        line = self._parse_row(row, section)
        beside = NO_PART if section == ASIDE else line.reason if isinstance(line, Unread) else ""
        if beside and isinstance(deck, GatheredDeck):
            deck.unread.append(Unread(row_number, _as_line(row_number, row), beside, aside=True))
            self._rows.book.rows.in_decks += 1
            return
        faults = list(self._find_faults(row_number, row, deck, line))
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

    def _find_faults(
        self,
        row_number: int,
        row: Sequence[Cell],
        deck: GatheredDeck | str,
        line: _PlacedLine | Unread | list[CellDoubt],
    ) -> Iterator[SheetFault]:
        """Yield the faults of a row: of cells with an error value, of a missing player, and of the card.

        A cell with an error value has no second fault. `deck` is the reason as text if the player is missing. `line` is
        the result of `_parse_row`: only a list of doubts has faults.
        """
        yield from self._rows.odd_cell_faults(row_number)
        if isinstance(deck, str):
            yield self._rows.fault(row_number, None, deck)
        odd = {column for column, _ in self._rows.grid.odd.get(row_number, ())}
        for doubt in line if isinstance(line, list) else ():
            column = self._card_at if doubt.role == CARD else self._places[doubt.role]
            if column not in odd:
                yield self._rows.fault(row_number, column, doubt.detail, row)

    def _enter_section(self, row: Sequence[Cell]) -> bool:
        """Return True if a row is the heading of a section, with or without its total.

        Then the section is set for the rows below, and the cached lines are cleared. Always False for a table of
        several players, or one with a section column.
        """
        if self._sole is None or self._places[SECTION] is not None:
            return False
        heading = row_heading(list(map(text, row)), self._cards.is_card)
        if heading is None:
            return False
        self._under = heading.section
        self._lines.clear()
        return True

    def _is_total(self, row: Sequence[Cell]) -> bool:
        """Return True if a row has only a total of the cards above, or is an empty line of a form.

        True for a blank row, too. A card's name that looks like a total is none.
        """
        of_players = self._rows.columns.places(*WHO)
        words = [text(cell) for at, cell in enumerate(row) if at not in of_players and not is_blank(cell)]
        if is_total(" ".join(words)) or self._has_totals(row):
            return not self._cards.is_card(words[0])
        named = (text(row[at]) for at in of_players)
        return self._has_no_card(row) and (any(map(names_sum, named)) or self._is_only_numbered(row))

    def _has_totals(self, row: Sequence[Cell]) -> bool:
        """Return True if a row has the totals of several sections, in the columns of their counts."""
        columns = self._rows.columns
        counted = [*columns.counts, *columns.places(COUNT)]
        return bool(columns.counts) and is_totals_row([text(cell) for at, cell in enumerate(row) if at not in counted])

    def _has_no_card(self, row: Sequence[Cell]) -> bool:
        """Return True if the cells for number and name of the card are blank."""
        return all(at is None or is_blank(row[at]) for at in (self._places[NUMBER], self._places[CARD]))

    def _is_only_numbered(self, row: Sequence[Cell]) -> bool:
        """Return True if a row has only numbers in columns without a role, or is blank: an empty line of a form."""
        known = [*self._rows.columns.places(*self._rows.columns.roles), *self._rows.columns.counts]
        return all(is_blank(cell) or (at not in known and text(cell).isdigit()) for at, cell in enumerate(row))

    def _find_section(self, row: Sequence[Cell]) -> str | CellDoubt | None:
        """Return the section of a row: from its section cells, else the heading above, else its card type cell.

        None if none of these names a section. The type only names sections other than the main deck. Return a CellDoubt
        if a section cell has words that name no section.
        """
        named, side, type = ("" if (at := self._places[role]) is None else row[at] for role in (SECTION, SIDE, TYPE))
        return section(named, side) or self._under or placed_by_type(text(type))

    def _parse_row(
        self, row: Sequence[Cell], section: str | CellDoubt | None
    ) -> _PlacedLine | Unread | list[CellDoubt]:
        """Return the card of a row as `(section, number, count, name)`, or the reasons why it cannot be used.

        `section` is the result of `_find_section`. An Unread is a card that is no part of the deck, such as a token. A
        list has the doubts about cells. The section LEADER_BY_TYPE is for a Leader in a row of another or no section.
        """
        card = self._parse_card(row)
        copies = self._parse_copies(row, card)
        if isinstance(card, CellDoubt) or isinstance(copies, CellDoubt) or isinstance(section, CellDoubt):
            return [doubt for doubt in (card, copies, section) if isinstance(doubt, CellDoubt)]
        deck = Draft("workbook", [(section, Line(card.number, copies, card.name, 1))]).deck(self._cards.catalogue)
        if deck.unread:
            (unread,) = deck.unread
            return unread if unread.aside else [CellDoubt(unread.reason, NUMBER)]
        [(place, line)] = deck.lines()
        return LEADER_BY_TYPE if place == "leader" != section else place, card.number, line.count, card.name

    def _parse_card(self, row: Sequence[Cell]) -> CardInCell | CellDoubt:
        """Return the card in the cells for number and name, or the doubt about them. It need not be in the catalogue.

        Without a count column the cell may have the count too.
        """
        number, name = ("" if (at := self._places[role]) is None else row[at] for role in (NUMBER, CARD))
        if self._places[COUNT] is None and (is_blank(number) or is_blank(name)):
            return self._cards.parse_counted_card(name if is_blank(number) else number)
        return self._cards.parse_card(number, name)

    def _parse_copies(self, row: Sequence[Cell], card: CardInCell | CellDoubt) -> int | CellDoubt:
        """Return the copies of a row's card, or the doubt about the count cell.

        Without a count column they are those of `card`, and 1 if `card` is a doubt.
        """
        at = self._places[COUNT]
        if at is None:
            return card.copies if isinstance(card, CardInCell) else 1
        return cells.count(row[at]) or CellDoubt(cells.count_doubt(row[at]), COUNT)

    def _add_leader(self, deck: GatheredDeck, row_number: int, words: Cell) -> bool:
        """Add the Leader named above or beside the cards to a deck. Return True if it was added.

        False if the deck has a Leader or the text is no card. A text is a card if it has a number or is a name in the
        catalogue.
        """
        if deck.lines["leader"] or deck.lines[LEADER_BY_TYPE]:
            return False
        card = self._cards.parse_counted_card(words)
        is_card = isinstance(card, CardInCell) and bool(card.number or self._cards.is_card(card.name or ""))
        if isinstance(card, CardInCell) and is_card:
            deck.lines["leader"].append(Line(card.number, card.copies, card.name, row_number))
        return is_card

    def _add_decks(self, deck: GatheredDeck) -> None:
        """Add the deck of a player to the book.

        If the rows have several decks of the player, each is added with its own entry and the texts of its first row.
        """
        first, *later = [deck] if deck is self._sole else split_decks(deck)
        self._add_deck(first)
        for one in later:
            at = one.entry.row or 0
            one.entry.aside = self._rows.extra_texts(self._rows.grid.rows[at - 1 - self._rows.grid.top])
            self._add_deck(one)

    def _add_deck(self, deck: GatheredDeck) -> None:
        """Add the deck of a player to the book, unless it has neither cards nor unread lines.

        The cell of a Leader column is its Leader, else a note of the player. Lines beyond MOST_LINES become errors and
        unread lines. The deck's lines are counted as rows in decks.
        """
        book = self._rows.book
        if self._leader_at is not None and deck.beside is not None and not self._add_leader(deck, *deck.beside):
            remark = {self._rows.title(self._leader_at): cells.note(deck.beside[1])}
            deck.entry.aside = {**deck.entry.aside, **remark}
        for line in deck.remove_surplus():
            detail = phrase("a deck has at most {most:,} lines", most=MOST_LINES)
            book.faults.append(self._rows.fault(line.at or 0, None, detail))
            book.rows.unread += 1
            deck.unread.append(Unread(line.at or 0, f"{line.count} {line.written}", detail))
        book.rows.in_decks += deck.size
        if deck.size or deck.unread:
            deck.entry.deck = deck.build_deck()
            book.faults += self._rows.missing_name_faults(deck.entry.row or 0, deck.entry.who)
            book.entries.append(deck.entry)


def _as_line(row_number: int, row: Sequence[Cell]) -> str:
    """Return the cells of a row as one line, joined by commas and cut to 200 characters.

    "row 7: " is in front of a line without a digit, so that it is not taken for a remark.
    """
    line = ", ".join(filter(None, map(text, row)))[:200]
    return line if any(map(str.isdigit, line)) else f"row {row_number}: {line}"
