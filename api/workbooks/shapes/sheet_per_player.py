"""A sheet per player: one without headings that is a deck list, in one column or in several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.workbooks.intake.book import PlayerEntry
from api.workbooks.intake.cells import ERROR, NOTICE, CardCells, Cell, SheetFault, is_blank, text
from api.workbooks.intake.sheet_rows import LABELLED, NO_COUNTS, SheetRows
from api.workbooks.shapes import list_columns
from validator.deck import SECTIONS, Deck, DeckLine, Line
from validator.language import phrase
from validator.tables.column_scores import SOMEBODY
from validator.tables.columns import infer_columns
from validator.tables.headings import CARD, DECKLIST, NUMBER, PLAYER_ID
from validator.tables.labels import find_labels

_NO_DECK = phrase("here are neither the headings of a table of decks nor a deck list; nothing of it was read")
_ROSTER = phrase("this looks like a list of players or standings and has no deck; add a column with the deck lists")
_EMPTY = phrase(
    "this looks like a table of decks with no card in it that could be read; write numbers of cards and counts"
)


def read(rows: SheetRows, cards: CardCells) -> None:
    """Read such a sheet into the book."""
    lines = list(_lines(rows))
    deck = cards.parse_deck("\n".join(line for _, line in lines))
    if isinstance(deck, Deck) and _is_deck(deck, cards):
        _take(rows, _with_rows(deck, [0, *(at for at, _ in lines)]))
        if all(line.count == 1 for _, line in deck.lines()) and (at := _countless(rows)):
            rows.book.faults.append(rows.fault(at, None, NO_COUNTS, severity=NOTICE))
    else:
        rows.refuse(None, deck if isinstance(deck, str) and "at most" in deck else _no_deck(rows))


def _countless(rows: SheetRows) -> int | None:
    """Return the row of headings of card numbers and names without one of counts, None if there is none."""
    for at, row in enumerate(rows.grid.rows[:LABELLED], rows.grid.top + 1):
        found = infer_columns([text(cell) for cell in row])
        if found.has(NUMBER) and len(found.roles) > 1 and not found.has_counts:
            return at
    return None


def _no_deck(rows: SheetRows) -> str:
    """Return the reason why a sheet has no deck, as a sentence with the likely content of the sheet."""
    for row in rows.grid.rows[:LABELLED]:
        found = infer_columns([text(cell) for cell in row])
        if found.has(*SOMEBODY, PLAYER_ID) and len(found.titles) > 1:
            return _ROSTER
        if found.has(NUMBER, CARD) or found.has(DECKLIST):
            return _EMPTY
    return _NO_DECK


def _lines(rows: SheetRows) -> Iterator[tuple[int, str]]:
    """Yield the rows as lines of a deck list, with their row numbers. Rows with the player are left out."""
    for at, row in _in_turn(rows):
        if not (at <= rows.above + LABELLED and any(find_labels(row))):
            for line in _row_lines(row):
                yield at, line


def _in_turn(rows: SheetRows) -> Iterator[tuple[int, Sequence[Cell]]]:
    """Yield the rows with their row numbers. Columns side by side are stacked."""
    if (halves := list_columns.find_groups(rows.grid.rows)) is not None:
        yield from list_columns.stack_groups([*rows.all()], halves)
        return
    filled = list(rows.filled_rows())
    start = list_columns.find_sections([row for _, row in filled])
    yield from filled if start is None else list_columns.stack_sections(filled, start)


def _row_lines(row: Sequence[Cell]) -> Sequence[str]:
    """Return the lines of a list in a row: those of its only filled cell, or its cells with tabs between them."""
    filled = [cell for cell in row if not is_blank(cell)]
    if len(filled) == 1:
        return text(filled[0]).splitlines()
    return ["\t".join(" ".join(text(cell).split()) for cell in row)]


def _is_deck(deck: Deck, cards: CardCells) -> bool:
    """Return True if a card of the deck is known. Notes such as "3 judges" look like cards, too."""
    return any(line.number or cards.catalogue is None or cards.is_card(line.name or "") for _, line in deck.lines())


def _with_rows(deck: Deck, rows: Sequence[int]) -> Deck:
    """Return a deck with the rows of the sheet for the lines of the text, and blanks for the tabs between its cells."""

    def place_lines(lines: Sequence[DeckLine]) -> tuple[Line, ...]:
        """Return the lines with the rows of the sheet as line numbers."""
        return tuple(
            Line(line.number, line.count, line.name, rows[line.at or 0], " ".join((line.raw or "").split()))
            for line in lines
        )

    unread = tuple(line._replace(at=rows[line.at], text=" ".join(line.text.split())) for line in deck.unread)
    return Deck(**{section: place_lines(deck.section(section)) for section in SECTIONS}, unread=unread)


def _take(rows: SheetRows, deck: Deck) -> None:
    """Add the deck of a sheet to the book, with its faults and the sums of its rows."""
    book, sheet = rows.book, rows.grid.sheet
    book.entries.append(PlayerEntry(rows.sole(), sheet, None, deck, aside=rows.notes_above()))
    missed = [line for line in deck.unread if not line.total]  # a wrong total is a finding, and its row a heading
    book.faults += [
        SheetFault(sheet, line.at, None, line.text[:100], line.reason, NOTICE if line.code else ERROR)
        for line in missed
    ]
    in_deck = {line.at for _, line in deck.lines()}
    unread = {line.at for line in missed} - in_deck
    book.rows.in_decks += len(in_deck)
    book.rows.unread += len(unread)
    book.rows.headings += sum(1 for _ in rows.filled_rows()) - len(in_deck) - len(unread)
