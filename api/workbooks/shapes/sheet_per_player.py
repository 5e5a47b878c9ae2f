"""A sheet per player: one without headings that is a deck list, in one column or in several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from api.workbooks.intake.book import PlayerEntry
from api.workbooks.intake.cells import ERROR, NOTICE, BookCards, Cell, SheetFault, is_blank, text
from api.workbooks.intake.sheet_rows import LABELLED, NO_COUNTS, SheetRows
from api.workbooks.shapes.list_columns import ListRow
from validator.deck import SECTIONS, Deck, DeckLine, Line
from validator.language import phrase
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import infer_columns
from validator.tables.headings import CARD, DECKLIST, NUMBER, PLAYER_ID
from validator.tables.labels import find_labels

_NO_DECK = phrase("this has neither the headings of a table of decks nor a deck list; nothing was read")
_ROSTER = phrase("this looks like a list of players or standings and has no deck; add a column with the deck lists")
_EMPTY = phrase(
    "this looks like a table of decks with no card in it that could be read; write numbers of cards and counts"
)


def read(rows: SheetRows, list_rows: Iterable[ListRow], cards: BookCards) -> None:
    """Add the only player of a sheet to the book of `rows`, with the deck list that the sheet is.

    `list_rows` are the rows of the list in its order, each with its number. Blank rows are left out. If the sheet has
    no deck, only an error with the likely reason is added. A notice is added if each line counts as one copy because
    the headings have no count.
    """
    lines = list(_list_lines(rows, list_rows))
    deck = cards.parse_deck("\n".join(line for _, line in lines))
    if isinstance(deck, Deck) and _is_deck(deck, cards):
        _add_deck(rows, _set_row_numbers(deck, [0, *(at for at, _ in lines)]))
        if all(line.count == 1 for _, line in deck.lines()) and (at := _find_countless_headings(rows)):
            rows.book.faults.append(rows.fault(at, None, NO_COUNTS, severity=NOTICE))
    else:
        rows.add_sheet_error(None, deck if isinstance(deck, str) and "at most" in deck else _explain_missing_deck(rows))


def _find_countless_headings(rows: SheetRows) -> int | None:
    """Return the row number, from 1, of headings that have a card number and another role but no count.

    None if there are none in the first 12 rows of the table.
    """
    for at, row in enumerate(rows.grid.rows[:LABELLED], rows.grid.top + 1):
        found = infer_columns([text(cell) for cell in row])
        if found.has(NUMBER) and len(found.roles) > 1 and not found.has_counts:
            return at
    return None


def _explain_missing_deck(rows: SheetRows) -> str:
    """Return the likely reason why a sheet has no deck: it is a list of players, a table without cards, or neither.

    The headings in the first 12 rows decide.
    """
    for row in rows.grid.rows[:LABELLED]:
        found = infer_columns([text(cell) for cell in row])
        if found.has(*SOMEBODY, PLAYER_ID) and len(found.titles) > 1:
            return _ROSTER
        if found.has(NUMBER, CARD) or found.has(DECKLIST):
            return _EMPTY
    return _NO_DECK


def _list_lines(rows: SheetRows, list_rows: Iterable[ListRow]) -> Iterator[tuple[int, str]]:
    """Yield `(row number, line)` for the lines of the deck list.

    Rows with a label, such as "Player" or "Table", are left out if they are among the first 12.
    """
    for at, row in list_rows:
        is_label = at <= rows.above + LABELLED and any(find_labels(row))
        if not is_label and not all(map(is_blank, row)):
            for line in _row_lines(row):
                yield at, line


def _row_lines(row: Sequence[Cell]) -> Sequence[str]:
    """Return the lines of a deck list in a row. If only one cell is filled, they are the lines of its text.

    Else the row is one line of all cells with tabs between them.
    """
    filled = [cell for cell in row if not is_blank(cell)]
    if len(filled) == 1:
        return text(filled[0]).splitlines()
    return ["\t".join(" ".join(text(cell).split()) for cell in row)]


def _is_deck(deck: Deck, cards: BookCards) -> bool:
    """Return True if any line has a card number or the name of a known card.

    Notes such as "3 judges" look like cards too. Without a catalogue, any line with a card is enough.
    """
    return any(line.number or cards.catalogue is None or cards.is_card(line.name or "") for _, line in deck.lines())


def _set_row_numbers(deck: Deck, rows: Sequence[int]) -> Deck:
    """Return a deck with rows of the sheet as line numbers, and blanks for the tabs between cells.

    `rows[n]` is the row of line `n` of the text. `rows[0]` is that of lines without a number.
    """

    def place_lines(lines: Sequence[DeckLine]) -> tuple[Line, ...]:
        """Return the lines of a section with the rows of the sheet as line numbers."""
        return tuple(
            Line(line.number, line.count, line.name, rows[line.at or 0], " ".join((line.raw or "").split()))
            for line in lines
        )

    unread = tuple(line._replace(at=rows[line.at], text=" ".join(line.text.split())) for line in deck.unread)
    return Deck(**{section: place_lines(deck.section(section)) for section in SECTIONS}, unread=unread)


def _add_deck(rows: SheetRows, deck: Deck) -> None:
    """Add the player and the deck of a sheet to the book, and count the rows of the sheet.

    Each unread line is a fault: an error, or a notice if it is a remark. Wrong totals of a section are no faults.
    """
    book, sheet = rows.book, rows.grid.sheet
    book.entries.append(PlayerEntry(rows.find_sole_player(), sheet, None, deck, aside=rows.notes_above()))
    missed = [line for line in deck.unread if not line.total]  # a wrong total is a finding, and its row a heading
    book.faults += [
        SheetFault(sheet, line.at, None, line.text[:100], line.reason, NOTICE if line.code or line.aside else ERROR)
        for line in missed
    ]
    in_deck = {line.at for _, line in deck.lines()}
    unread = {line.at for line in missed if not line.aside} - in_deck
    book.rows.in_decks += len(in_deck)
    book.rows.unread += len(unread)
    book.rows.headings += sum(1 for _ in rows.filled_rows()) - len(in_deck) - len(unread)
