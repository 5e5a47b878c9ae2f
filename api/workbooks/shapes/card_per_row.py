"""A card per row: the cards of many players, or of the one whose sheet it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter

from api.workbooks.intake import cells
from api.workbooks.intake.cells import ERROR, NOTICE, BookCards, Cell, SheetFault, is_blank, text
from api.workbooks.intake.roster import GatheredDeck, Roster, split_decks
from api.workbooks.intake.sheet_rows import NO_COUNTS, SheetRows, is_marked
from validator.deck import MOST_LINES, Line
from validator.decklists.card_cells import CellDoubt
from validator.decklists.draft import COMMENTED, NO_PART, marks_ignored
from validator.decklists.headlines import Heading
from validator.decklists.table_rows import Aside, CardOfRow, RowDoubts, SectionsAbove
from validator.decklists.totals import compare_table_totals
from validator.language import phrase
from validator.sections import ASIDE
from validator.tables.columns import WHO
from validator.tables.headings import CARD, COUNT, NUMBER, SECTION, SIDE, TYPE
from validator.tables.section_counts import zero_copies

_OF_CARDS = (NUMBER, CARD, COUNT, SECTION, SIDE, TYPE)
_line = partial(tuple.__new__, Line)  # what Line() does, without its Python frame


def read(rows: SheetRows, cards: BookCards) -> None:
    """Add the players of a table with a card in each row to the book of `rows`, with their decks and all faults.

    If no column has players, the sheet is one player's.
    """
    _CardPerRow(rows, cards).read_sheet()


class _CardPerRow:
    """The reader of one table with a card in each row, for all players or for the only one.

    Results for equal cells are cached, because most of many thousand rows are equal.
    """

    def __init__(self, rows: SheetRows, cards: BookCards) -> None:
        """If no column has players, the only player of the sheet is created from its labels or its title."""
        columns = rows.columns
        self._rows = rows
        self._cards = cards
        self._parser = rows.parser
        self._places = {role: columns.first(role) for role in _OF_CARDS}
        self._card_at = self._places[CARD] if self._places[NUMBER] is None else self._places[NUMBER]
        self._roster = Roster(rows, "" if self._card_at is None else rows.title(self._card_at))
        self._decks: dict[tuple[Cell, ...], GatheredDeck | str] = {}  # by the cells that name the player
        self._lines: dict[tuple[Cell, ...], Sequence[CardOfRow]] = {}  # below one heading, by the cells of the card
        self._row_copies: set[int] = set()  # of all rows of the decks
        self._who = self._cell_picker(columns.roles[role][0] for role in WHO if columns.has(role))
        self._of_cards = self._cell_picker(
            [*(at for role in _OF_CARDS if (at := self._places[role]) is not None), *columns.counts]
        )
        self._leader_at = next((at for at, part in columns.parts.items() if part == "leader"), None)
        self._player: tuple[Cell, ...] = ()  # the cells that name the player of the last card
        self._above = SectionsAbove()
        self._last_deck: GatheredDeck | None = None  # of the last card
        self._copies = 0  # in all decks so far
        self._more_lines = 0  # that rows have beyond one each
        self._zero_rows: list[int] = []
        self._sole = None if columns.has(*WHO) else self._roster.add(rows.find_sole_player(), None)
        self._named_leader = rows.find_leader_text()  # above the cards, for the only player

    def read_sheet(self) -> None:
        """Add all players of the table with their decks, its faults and its row counts to the book.

        A Leader named above the cards is added if no column has players and no row has a Leader. A notice is added if
        there is no count, so that each row is one copy. Others are added for rows whose counts are all 0, and for marks
        in a column without a heading.
        """
        if self._sole is not None:
            self._sole.entry.aside = self._rows.notes_above()
            self._decks[()] = self._sole
        self._gather_cards()
        if self._sole is not None and self._named_leader is not None:
            self._rows.book.rows.headings -= self._add_leader(self._sole, *self._named_leader)
        for deck in self._roster.decks:
            self._add_decks(deck)
        if not self._rows.columns.has_counts and self._row_copies == {1}:
            self._rows.book.faults.append(self._rows.fault(self._rows.above, None, NO_COUNTS, severity=NOTICE))
        if mark := self._parser.find_mark():
            self._rows.book.faults.append(
                self._rows.fault(self._rows.above, None, marks_ignored(mark), severity=NOTICE)
            )
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
        """Add the cards of each row to the deck of its player. Faults and row counts are added to the book.

        A row whose card cells are equal to those of an earlier row is added without parsing them again.
        """
        lines, who, of_cards, odd = self._lines, self._who, self._of_cards, self._rows.grid.odd
        deck: GatheredDeck | str = ""
        found: tuple[Cell, ...] | None = None  # the cells that name the player of `deck`
        for at, row in self._rows.rows_below_headings():
            named = who(row)
            placed = None if is_marked(row) else lines.get(of_cards(row))
            if placed is not None:
                self._switch_player(named)
                placed = lines.get(of_cards(row))
            if placed is None or at in odd:
                self._read_row(at, row)
                continue
            if named != found:  # a player's rows follow each other
                found, deck = named, self._find_deck(at, row)
            if isinstance(deck, str):
                self._read_row(at, row)
            else:
                self._add_lines(deck, at, placed)

    def _switch_player(self, player_cells: tuple[Cell, ...]) -> None:
        """Remember the cells that name the player of a card. Blank cells are ignored.

        A heading above another player's cards no longer applies if each player has headings of one's own.
        """
        if player_cells == self._player or all(map(is_blank, player_cells)):
            return
        self._player = player_cells
        if (heading := self._above.heading) is not None:
            self._above.begin_player(self._parser.has_own_headings)
            if self._above.heading != heading:
                self._lines.clear()

    def _add_lines(self, deck: GatheredDeck, row_number: int, cards: Sequence[CardOfRow]) -> None:
        """Add the lines of a row to a deck: one, or one for each section with copies. A card without a count is one.

        A row without copies is only remembered.
        """
        self._above.begin_card()
        self._last_deck = deck
        for section, copies, number, name in cards:
            count = copies or 1
            self._copies += count
            deck.draft.cards.append((section, _line((number, count, name, row_number, None))))
        if len(cards) != 1:
            self._more_lines += max(0, len(cards) - 1)
            self._zero_rows += [] if cards else [row_number]

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
        """Read a row that is not like one before. Blank rows are skipped, and rows without a card counted as headings.

        Those are headings, totals, comments, facts about the list and empty lines of a form. A heading sets the section
        for the rows below. Any other row is read as a card by `_read_card`.
        """
        if self._rows.grid.is_blank(row_number):
            return
        texts = list(map(text, row))
        if self._rows.is_heading(row):
            self._rows.book.rows.headings += 1
        elif (aside := self._parser.find_aside(texts, has_marked_rows=True)) is None:
            self._read_card(row_number, row, texts)
        elif aside is Aside.COMMENT:
            self._read_comment(row_number, row, texts)
        else:
            self._rows.book.rows.headings += 1
            if isinstance(aside, Heading):
                self._above.begin_heading(aside.section)
                self._lines.clear()
            elif aside is Aside.TOTAL:
                self._compare_totals(row_number, row, texts)

    def _compare_totals(self, row_number: int, row: Sequence[Cell], texts: Sequence[str]) -> None:
        """Add a remark to the deck of the last card for each total of a row that its cards so far contradict."""
        deck = self._last_deck
        if deck is None:
            return
        totals = self._parser.find_totals(texts)
        is_led = deck.beside is not None or (deck is self._sole and self._named_leader is not None)
        for total in compare_table_totals(
            deck.draft, totals, self._copies, self._cards.catalogue, has_leader_outside=is_led
        ):
            deck.draft.note_wrong_total(row_number, _as_line(row_number, row), total)

    def _read_comment(self, row_number: int, row: Sequence[Cell], texts: Sequence[str]) -> None:
        """Count a row with a comment as a heading. A card behind its comment mark is reported, and in no deck."""
        self._rows.book.rows.headings += 1
        if not self._parser.has_commented_card(texts):
            return
        if self._sole is None:
            self._rows.book.faults.append(self._rows.fault(row_number, None, COMMENTED, severity=NOTICE))
        else:
            self._sole.draft.skip(row_number, _as_line(row_number, row), COMMENTED, is_aside=True)

    def _read_card(self, row_number: int, row: Sequence[Cell], texts: Sequence[str]) -> None:
        """Add the cards of a row to its player's deck, and the faults of the row to the book.

        A row with an error becomes an unread line of the deck and is counted as unread. A row of a section outside the
        deck that is not clear becomes a remark. Cards without any error are cached for equal rows. Without a player,
        only the faults are added.
        """
        self._switch_player(self._who(row))
        deck = self._find_deck(row_number, row)
        cards = self._parser.read_cards(texts, self._parser.cell(texts, SECTION), self._above.heading)
        faults = list(self._find_faults(row_number, row, deck, cards))
        self._rows.book.faults += faults
        grave = next((fault for fault in faults if fault.severity == ERROR), None)
        if grave is not None:
            self._rows.book.rows.unread += 1
        if isinstance(deck, str):
            return
        if grave is not None:
            deck.draft.skip(row_number, _as_line(row_number, row), grave.detail)
        elif isinstance(cards, RowDoubts):
            deck.draft.skip(row_number, _as_line(row_number, row), NO_PART, is_aside=True)
            self._rows.book.rows.in_decks += 1
        else:
            self._lines[self._of_cards(row)] = cards
            self._row_copies.update(card.copies or 1 for card in cards if card.section != ASIDE)
            self._add_lines(deck, row_number, cards)

    def _find_faults(
        self,
        row_number: int,
        row: Sequence[Cell],
        deck: GatheredDeck | str,
        cards: Sequence[CardOfRow] | RowDoubts,
    ) -> Iterator[SheetFault]:
        """Yield the faults of a row: of cells with an error value, of a missing player, and of the card.

        A cell with an error value has no second fault, and a doubt about a card outside the deck is none. `deck` is the
        reason as text if the player is missing. `cards` are those of the row, or the doubts about them.
        """
        yield from self._rows.odd_cell_faults(row_number)
        if isinstance(deck, str):
            yield self._rows.fault(row_number, None, deck)
        if not isinstance(cards, RowDoubts) or cards.is_aside:
            return
        odd = {column for column, _ in self._rows.grid.odd.get(row_number, ())}
        for doubt in cards.doubts:
            column = self._card_at if doubt.role == CARD else self._places.get(doubt.role)
            if column not in odd:
                yield self._rows.fault(row_number, column, doubt.detail, row)

    def _add_leader(self, deck: GatheredDeck, row_number: int, words: Cell) -> bool:
        """Add the Leader named above or beside the cards to a deck. Return True if it was added.

        False if the deck has a Leader or the text is no card. A text is a card if it has a number or is a name in the
        catalogue.
        """
        if deck.draft.find_leaders(self._cards.catalogue):
            return False
        card = self._cards.cells.parse_counted_card(text(words))
        if isinstance(card, CellDoubt) or not (card.number or self._cards.is_card(card.name or "")):
            return False
        deck.draft.cards.append(("leader", Line(card.number, card.copies or 1, card.name, row_number)))
        return True

    def _add_decks(self, deck: GatheredDeck) -> None:
        """Add the deck of a player to the book.

        If the rows have several decks of the player, each is added with its own entry and the texts of its first row.
        """
        first, *later = [deck] if deck is self._sole else split_decks(deck, self._cards.catalogue)
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
            deck.draft.skip(line.at or 0, f"{line.count} {line.written}", detail)
        book.rows.in_decks += len(deck.draft.cards)
        if deck.draft.cards or deck.draft.unread:
            deck.entry.deck = deck.draft.deck(self._cards.catalogue)
            book.faults += self._rows.missing_name_faults(deck.entry.row or 0, deck.entry.who)
            book.entries.append(deck.entry)


def _as_line(row_number: int, row: Sequence[Cell]) -> str:
    """Return the cells of a row as one line, joined by commas and cut to 200 characters.

    "row 7: " is in front of a line without a digit, so that it is not taken for a remark.
    """
    line = ", ".join(filter(None, map(text, row)))[:200]
    return line if any(map(str.isdigit, line)) else f"row {row_number}: {line}"
