"""Whatever stands in a table, nothing breaks and every row that is not blank is accounted for."""

import csv
import datetime
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.service.errors import Refused
from api.workbooks.intake.grids import grids
from tests.api.workbooks.files import HEAD, book_of, judged, written, xlsx

pytestmark = pytest.mark.slow

HEADINGS = ["Player", "Name", "ID", "Player ID", "Event", "Section", "Sideboard", "Number", "Card", "Count", "Qty"]
HEADINGS += ["Decklist", "Deck", "Table", "", "First name", "Last name"]
HEADINGS += ["Side deck", "Deck list (side)", "Leader", "Main deck", "Main", "Maybeboard", "Where"]
WORDS = [
    "Zoro",
    "Nami",
    "0001",
    "main",
    "leader",
    "bench",
    "OP01-016",
    "ST01-011",
    "4",
    "four",
    "",
    " ",
    "=1+1",
    "#REF!",
]
WORDS += ["4 OP01-016\n1 OP01-001", "TRUE", "x", "Player: Zoro", "Total", "4 Nami", "'=x", "＝", "\u202e"]
WORDS += ["Maybeboard", "Side deck", "side", "Total 51", "10 DON!!", "Character", "none", "Last name", "Findings"]
# What a row may say alone that is neither a card nor wrong.
NO_CARDS = ("Total", "Total 51", "Side deck", "side", "main", "leader", "Maybeboard")

texts = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
cells = st.one_of(
    texts,
    st.sampled_from([None, True, False, 0, 1, 4, 4.0, 4.5, 255, 256, -1, 1e300, 12345678901234567890]),
    st.dates(datetime.date(1990, 1, 1), datetime.date(2100, 1, 1)),
)
headings = st.lists(st.sampled_from(HEADINGS), min_size=1, max_size=8)
tables = st.builds(
    lambda above, head, below: [*above, head, *below],
    st.lists(st.lists(cells, max_size=4), max_size=3),
    headings,
    st.lists(st.lists(cells, max_size=8), max_size=12),
)


def filled(data, name):
    """How many rows are not blank, counted without reading anything."""
    return sum(grid.filled_count for grid in grids(data, name, lambda name: False))


def accounted(data, name):
    found = judged(data, name)
    book, rows = found.book, found.book.rows
    assert rows.filled_count == filled(data, name)
    assert min(rows.in_decks, rows.headings, rows.unread) >= 0
    assert rows.unread == 0 or any(fault.severity == "error" for fault in book.faults)
    decks = [entry.deck for entry in book.entries if entry.deck]
    kept = [line for deck in decks for line in (*deck.lines(), *(one for one in deck.unread if one.aside))]
    assert bool(kept) == bool(rows.in_decks)
    for fault in book.faults:
        assert fault.message
        assert len(fault.message) < 500
    return found


@settings(max_examples=40, deadline=None)
@given(tables)
def test_any_workbook(rows):
    found = accounted(xlsx(rows), "decks.xlsx")
    book = written(found, deck_sheets=True)
    for sheet in book:
        assert not [cell for row in sheet.iter_rows() for cell in row if cell.data_type in "fe"]


@settings(max_examples=100, deadline=None)
@given(tables, st.sampled_from(",;\t|"))
def test_any_csv(rows, delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([["" if cell is None else cell for cell in row] for row in rows])
    data = out.getvalue().encode()
    if data.strip():
        accounted(data, "decks.csv")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400) | st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes(data):
    try:
        accounted(data, "decks")
    except Refused:
        return


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(cells.filter(lambda cell: cell not in NO_CARDS), min_size=6, max_size=6), max_size=20))
def test_rows_a_card_are_in_decks_or_told(rows):
    book = book_of(xlsx([HEAD, *rows]))
    told = {fault.row for fault in book.faults if fault.severity == "error"}
    decks = [entry.deck for entry in book.entries]
    there = {line.at for deck in decks for line in (*(line for _, line in deck.lines()), *deck.unread)}
    for at, row in enumerate(rows, 2):
        blank = all(cell is None or (isinstance(cell, str) and not cell.strip()) for cell in row)
        assert blank or at in told or at in there
