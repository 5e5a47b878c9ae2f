"""The workbook of an event: every table, every card again, nothing that a program takes for a formula."""

import io

import openpyxl
import pytest

from api.events.exports.event_files import EXPORTS
from api.workbooks.intake.book_reader import read
from tests.api.events.hall import EVENT, FIVE, player, record
from tests.api.workbooks.files import catalogue, deck, rows
from tests.cost import time_limit


def workbook(**changed):
    return openpyxl.load_workbook(io.BytesIO(EXPORTS["xlsx"].write(record(**changed))))


@pytest.fixture(scope="module")
def book():
    return workbook()


def test_the_tables_stand_as_a_head_judge_wants_them(book):
    assert book.sheetnames == [
        "Summary", "Missing", "Lists", "Leaders", "Cards", "Findings", "Checks", "Infractions", "Penalties"
    ]  # fmt: skip


def test_the_summary_has_every_player_by_last_name_with_table_and_time(book):
    summary = rows(book["Summary"])
    said = [(row["Player"], row["Player ID"], row["Legal"], row["Table"]) for row in summary]
    assert said == [
        ("=SUM(1)", "0000000004", "no deck", "4"),
        ("Zoë Ångström", "0000000003", "yes", "3"),
        ("Łukasz Żółć", "0000000001", "yes", "1"),
        ("山田 陽菜", "0000000002", "no", "2"),
    ]
    assert [row["Received"] for row in summary][2] == "2026-11-01 11:00"
    assert book["Summary"]["A1"].value == f"Deck check: {EVENT.event}"
    assert book["Summary"]["A3"].value == "4 players: 2 legal, 1 not legal, 1 without a deck."


def test_nobody_stands_in_a_row_of_another_spreadsheet(book):
    for sheet, column in ((book["Summary"], "T"), (book["Findings"], "E")):
        assert "Row" in [row[-1].value if column == "T" else row[4].value for row in sheet.iter_rows(max_row=4)]
        assert sheet.column_dimensions[column].hidden


def test_no_name_is_a_formula(book):
    names = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value == "=SUM(1)"]
    assert len(names) >= 2
    assert all(cell.data_type == "s" and cell.quotePrefix for cell in names)


def test_who_is_missing_has_no_list_or_is_not_registered(book):
    assert [(row["Player"], row["Player ID"], row["Missing"]) for row in rows(book["Missing"])] == [
        ("=SUM(1)", "0000000004", "no list"),
        ("First Last", "0000000009", "not registered"),
    ]


def test_the_lists_stand_in_two_columns_a_player(book):
    sheet = book["Lists"]
    table = list(sheet.iter_rows(values_only=True))
    assert table[0] == ("Zoë Ångström", " ", "Łukasz Żółć", " ", "山田 陽菜", " ")
    assert table[1] == ("0000000003", None, "0000000001", None, "0000000002", None)
    assert ("OP01-016 Nami", 4, "OP01-016 Nami", 4, "OP01-016 Nami", 5) in table
    assert sum(row[5] for row in table if row[4] and row[4][0:2] in ("OP", "ST", "EB")) == 52


def test_every_card_is_found_again_when_the_workbook_comes_back():
    again = read(EXPORTS["xlsx"].write(record()), "event.xlsx", "optcg", catalogue())
    assert again.faults == []
    decks = {
        entry.who: sorted((s, line.number, line.count) for s, line in entry.deck.lines()) for entry in again.entries
    }
    assert {(who.name, who.id) for who in decks} == {
        ("Zoë Ångström", "0000000003"), ("Łukasz Żółć", "0000000001"), ("山田 陽菜", "0000000002")
    }  # fmt: skip
    for who, cards in decks.items():
        written = deck(FIVE if who.name == "山田 陽菜" else "optcg-red-zoro.txt")
        assert cards == sorted((s, line.number, line.count) for s, line in written.lines())


def test_lists_of_many_players_are_printed_page_beside_page(book):
    sheet = workbook(participants=[player(n, f"First{n} Last{n}") for n in range(1, 11)])["Lists"]
    assert [one.id for one in sheet.col_breaks.brk] == [8, 16]
    assert not sheet.sheet_properties.pageSetUpPr.fitToPage
    assert book["Summary"].sheet_properties.pageSetUpPr.fitToPage


def test_the_totals_count_every_card_of_every_deck(book):
    nami = next(row for row in rows(book["Cards"]) if row["Number"] == "OP01-016")
    assert (nami["Decks"], nami["Copies"]) == (3, 13)


def test_checks_say_who_what_differs_and_how_long(book):
    early, late = rows(book["Checks"])
    assert (early["Player"], early["Outcome"], early["Extension"]) == ("Zoë Ångström", "open", None)
    assert (late["Player"], late["Judge"], late["Round"], late["Table"]) == ("Łukasz Żółć", "Judge 1", "3", "12")
    assert (late["Missing"], late["Extra"]) == ("1 OP01-016 Nami", None)
    assert (late["Minutes"], late["Extension"], late["Penalty"]) == (7, 0, "Game Loss")
    assert book["Checks"]["A1"].value == "2 deck checks; 2 of 4 decks checked (50%)."


def test_penalties_are_logged_in_bandais_order(book):
    sheet = book["Penalties"]
    assert [cell.value for cell in sheet[2]][:5] == ["Player", "Infraction", "Penalty", "Reason", "Judge"]
    assert [cell.value for cell in sheet[3]][:5] == [
        "Łukasz Żółć", "Deck and list differ", "Game Loss", "3 of 4 copies", "Judge 1"
    ]  # fmt: skip


def test_a_check_of_a_registration_that_is_gone_is_kept():
    [early, _] = rows(workbook(participants=[])["Checks"])
    assert early["Player"] == "r3"


def test_an_event_without_anybody_has_all_its_tables():
    assert len(workbook(participants=[], expected=[], checks=[], penalties=[]).sheetnames) == 9


@pytest.mark.slow
def test_two_thousand_registrations_are_a_workbook_in_less_than_ten_seconds():
    lists = ("optcg-red-zoro.txt", FIVE)
    many = record(participants=[player(n, f"First{n} Last{n}", lists[n % 2]) for n in range(2_000)])
    with time_limit(10):
        made = EXPORTS["xlsx"].write(many)
    book = openpyxl.load_workbook(io.BytesIO(made), read_only=True)
    assert sum(str(row[0]).startswith("First") for row in book["Summary"].iter_rows(values_only=True)) == 2_000
