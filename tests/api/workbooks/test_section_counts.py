"""Workbooks whose tables count the copies of each card by section."""

import json
from functools import cache
from itertools import cycle, product

import pytest

from api.workbooks.intake.book_reader import read
from carddb import facts
from tests.api.workbooks.files import xlsx
from tests.section_tables import BLANKS, LANGUAGES, copies_of, laid_out, real_decks, rows_of


@cache
def catalogue():
    return facts.catalogue("dbs")


def book_of(data, name="decks.csv"):
    return read(data.encode() if isinstance(data, str) else data, name, "dbs", catalogue())


def lines(book):
    return [
        (entry.who.name, " ".join(f"{section}:{line.count}x{line.written}" for section, line in entry.deck.lines()))
        for entry in book.entries
    ]


def errors(book):
    return [fault.row for fault in book.faults if fault.severity == "error"]


# Each language and each blank once; the slow tests have every pair.
QUICK_PAIRS = set(zip(LANGUAGES, cycle(BLANKS)))
PAIRS = [
    pytest.param(*pair, marks=() if pair in QUICK_PAIRS else pytest.mark.slow) for pair in product(LANGUAGES, BLANKS)
]


@pytest.mark.parametrize(("language", "blank"), PAIRS)
def test_a_deck_of_one_player(language, blank):
    for deck, delimiter in zip(real_decks(), (",", ";", "\t"), strict=False):
        rows = rows_of(deck, language, blank)
        for data, name in ((laid_out(rows, delimiter), "Ann.csv"), (xlsx({"Ann": rows}), "decks.xlsx")):
            book = book_of(data, name)
            assert [copies_of(entry.deck) for entry in book.entries] == [deck]
            assert book.faults == []
            assert book.rows.in_decks == len(rows) - 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_decks_of_several_players(language):
    decks = {f"Player {at}": deck for at, deck in enumerate(real_decks()[:6])}
    every = ("leader", "main", "side", "z")
    number, *_ = rows_of(decks["Player 0"], language, "")[0]
    head = ["Player", number, *LANGUAGES[language]]
    rows = [
        [player, card, *(deck[section, card] or blank for section in every)]
        for (player, deck), blank in zip(decks.items(), cycle((None, 0, "-")), strict=False)
        for card in dict.fromkeys(card for _, card in deck)
    ]
    book = book_of(xlsx({"All": [head, *rows]}), "decks.xlsx")
    assert {entry.who.name: copies_of(entry.deck) for entry in book.entries} == decks
    assert (book.faults, book.rows.filled_count) == ([], len(rows) + 1)


def test_json_entries():
    deck = real_decks()[0]
    entries = [
        {"number": card} | {section: deck[section, card] for section in ("leader", "main", "side", "z")}
        for card in dict.fromkeys(card for _, card in deck)
    ]
    book = book_of(json.dumps(entries), "Ann.json")
    assert [copies_of(entry.deck) for entry in book.entries] == [deck]


def test_a_leader_column_names_leaders_or_counts_copies():
    named = "Player,Leader,Number,Main,Side\nAnn,BT1-001,BT1-004,4,1\nBob,BT1-030,BT1-006,3,"
    assert lines(book_of(named)) == [
        ("Ann", "leader:1xBT1-001 main:4xBT1-004 side:1xBT1-004"),
        ("Bob", "leader:1xBT1-030 main:3xBT1-006"),
    ]
    counted = "Player,Number,Leader,Main,Side\nAnn,BT1-001,1,,\nAnn,BT1-004,,4,1\nBob,BT1-030,1,,\nBob,BT1-006,0,3,"
    assert lines(book_of(counted)) == lines(book_of(named))


@pytest.mark.parametrize(
    ("text", "found", "unread"),
    [
        ("Number,Main,Side\nBT1-004,4,?\nBT1-006,3,1", "main:3xBT1-006 side:1xBT1-006", [2]),
        ("Number,Main,Side\nBT1-004,,\nBT1-006,3,1", "main:3xBT1-006 side:1xBT1-006", [2]),
        ("Number,Count,Main,Side\nBT1-004,4,2,1\nBT1-006,4,3,1", "main:3xBT1-006 side:1xBT1-006", [2]),
        ("Number,Count,Side\nBT1-004,4,2\nBT1-006,4,0", "main:4xBT1-006", [2]),
        ("Number,Section,Main,Side\nBT1-004,side,3,1\nBT1-006,main,3,1", "main:3xBT1-006 side:1xBT1-006", [2]),
        ("Number,Main,Side\n,4,1\nBT1-006,3,1", "main:3xBT1-006 side:1xBT1-006", [2]),
        ("Number,Main,Side\nBT1-006,3,1\nTotal,3,1", "main:3xBT1-006 side:1xBT1-006", []),
        (",Main,Side\nBT1-006,3,1\nBT1-004,2,", "main:3xBT1-006 main:2xBT1-004 side:1xBT1-006", []),
    ],
)
def test_rows_that_are_not_clear_are_errors(text, found, unread):
    book = book_of(text)
    assert [deck for _, deck in lines(book)] == [found]
    assert sorted({*errors(book)}) == unread
    assert len({*errors(book)}) == book.rows.unread


def test_rows_with_no_copies_are_noted_once():
    book = book_of("Player,Number,Main,Side\nAnn,BT1-004,0,0\nAnn,BT1-006,3,1\nAnn,BT1-007,0,0")
    assert lines(book) == [("Ann", "main:3xBT1-006 side:1xBT1-006")]
    assert [(fault.row, fault.severity) for fault in book.faults] == [(2, "notice")]
    assert (book.rows.in_decks, book.rows.headings, book.rows.unread) == (1, 3, 0)


def test_a_table_without_a_count_column_is_noted():
    book = book_of("Player,Number,Name\nAnn,BT1-004,x\nAnn,BT1-006,y")
    assert [fault.severity for fault in book.faults] == ["notice"]
    assert lines(book) == [("Ann", "main:1xBT1-004 main:1xBT1-006")]
