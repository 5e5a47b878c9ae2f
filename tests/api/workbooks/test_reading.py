import datetime
import json

import openpyxl
import pytest

from api.service.errors import Refused
from api.workbooks.intake.book import RowCounts
from api.workbooks.intake.book_reader import read
from api.workbooks.intake.grids import Grid
from api.workbooks.reporting import reports
from api.workbooks.reporting.results import JudgedEntry as Judged
from api.workbooks.reporting.results import Results
from api.workbooks.template import template
from carddb import facts
from carddb.catalogue import Catalogue
from tests.api.workbooks.files import HEAD, book_of, card_rows, counts, deck, example, judge, messages, saved, xlsx
from tests.carddb.raw_workbooks import raw_xlsx, sheet, texts
from tests.cost import time_limit
from validator.cards import Card
from validator.deck import MOST_LINES
from validator.tables import columns, headings

FULL = {"leader": 1, "main": 50, "side": 0}


def whos(book):
    return [(entry.who.name, entry.who.id) for entry in book.entries]


def csv(rows, delimiter=",", end="\r\n"):
    return "".join(delimiter.join(map(str, row)) + end for row in rows)


def test_a_row_a_card():
    book = book_of(xlsx([HEAD, *card_rows("Zoro", "0001"), *card_rows("Nami", "0002")]))
    assert whos(book) == [("Zoro", "0001"), ("Nami", "0002")]
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]
    assert judge()(book.entries[0].deck).legal
    assert judge()(book.entries[0].deck).deck_hash == judge()(deck()).deck_hash
    assert not book.faults


def test_a_row_a_card_keeps_the_row_of_each():
    entry = book_of(xlsx([["Regional"], HEAD, *card_rows()])).entries[0]
    assert (entry.row, entry.sheet) == (3, "Decks")
    assert [line.at for _, line in entry.deck.lines()] == list(range(3, 3 + len(card_rows())))


def test_rows_of_players_may_be_mixed():
    book = book_of(xlsx([HEAD, *(row for pair in zip(card_rows("A"), card_rows("B", 2), strict=True) for row in pair)]))
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]


def test_columns_in_any_order_and_without_sections():
    rows = [[row[5], row[4], "x", row[0], row[3]] for row in card_rows()]
    [entry] = book_of(xlsx([["Copies", "Card Name", "Table", "Name", "Card Number"], *rows])).entries
    assert counts(entry) == FULL
    assert entry.aside == {"Table": "x"}


def test_a_row_a_deck():
    rows = [["Name", "Member ID", "Deck list"], ["Zoro", "0001", example()], ["Nami", "0002", example()]]
    book = book_of(xlsx(rows))
    assert whos(book) == [("Zoro", "0001"), ("Nami", "0002")]
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]
    assert [(entry.row, entry.parts) for entry in book.entries] == [(2, [(0, "Deck list")]), (3, [(0, "Deck list")])]


def test_what_is_not_of_cards_beside_lists_comes_back():
    heads = ["Number", "Player", "Quantity", "Type", "Decklist"]
    [entry] = book_of(xlsx([heads, [7, "Ann Lee", 1, "Main event", example()]])).entries
    assert (entry.who.name, counts(entry)) == ("Ann Lee", FULL)
    assert entry.aside == {"Number": "7", "Quantity": "1", "Type": "Main event"}


def test_a_deck_in_another_format_of_list():
    [entry] = book_of("Player,Decklist\nZoro,1xOP01-001 4xOP01-016 4xST01-011\n").entries
    assert counts(entry) == {"leader": 1, "main": 8, "side": 0}


def test_a_sheet_a_player_with_a_table():
    table = [["Section", "Number", "Name", "Count"], *(row[2:] for row in card_rows())]
    book = book_of(xlsx({"Zoro": table, "Nami": [["Player ID", "0002"], [], *table]}))
    assert whos(book) == [("Zoro", ""), ("Nami", "0002")]
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]


def test_a_sheet_a_player_with_a_list_in_one_column():
    book = book_of(xlsx({"Zoro": [[line] for line in example().splitlines()], "Nami": [[example()]]}))
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]
    assert book.rows.unread == 0


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (1, 0, 2)])
def test_a_sheet_a_player_with_columns_and_no_headings(order):
    rows = [[cells[at] for at in order] for cells in ([row[5], row[3], row[4]] for row in card_rows())]
    [entry] = book_of(xlsx({"Zoro": [["Player:", "Roronoa"], ["Leader"], rows[0], ["Main"], *rows[1:]]})).entries
    assert (entry.who.name, counts(entry)) == ("Roronoa", FULL)
    assert [line.at for _, line in entry.deck.lines()][:3] == [3, 5, 6]


@pytest.mark.parametrize("title", [["Main deck"], ["Main deck", "", "", 50], ["Main deck", "(50)"], [50, "Main deck"]])
def test_a_sheet_a_player_with_headings_of_sections_between_the_cards(title):
    leader, *main = ([row[5], row[3], row[4]] for row in card_rows())
    rows = [["Qty", "Number", "Card"], ["Leader"], leader, title, *main, ["Side Deck"], main[0]]
    book = book_of(xlsx({"Zoro": rows}))
    [entry] = book.entries
    assert counts(entry) == {"leader": 1, "main": 50, "side": main[0][0]}
    assert (book.faults, book.rows.headings, book.rows.unread) == ([], 4, 0)


def test_a_card_that_is_called_like_a_section_is_a_card():
    known = Catalogue("bos", "test", [Card(game="bos", number="", name="Side", type="Warrior")])
    book = read(b"Count,Card\n4,Side\n,Side\n", "decks.csv", "bos", known)
    [entry] = book.entries
    assert [(line.name, line.count) for line in entry.deck.main] == [("Side", 4)]
    assert [fault.row for fault in book.faults] == [3]


@pytest.mark.slow
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_csv_in_any_delimiter_and_encoding(delimiter, encoding):
    text = csv([["Regional; of, 2026"], HEAD, *card_rows("Łukasz 山田")], delimiter)
    book = read(text.encode(encoding), "decks.csv", "optcg")
    assert (whos(book), counts(book.entries[0])) == ([("Łukasz 山田", "0001")], FULL)
    assert not [fault for fault in book.faults if "encod" in fault.detail]


def test_csv_in_windows_letters_is_read_with_a_notice():
    book = read(csv([HEAD, *card_rows("Müller")]).encode("cp1252"), "decks.csv", "optcg")
    assert whos(book) == [("Müller", "0001")]
    assert "Windows-1252" in messages(book)[0]


def test_csv_with_excels_own_hint_of_the_delimiter():
    book = book_of("sep=;\r\n" + csv([HEAD, *card_rows()], ";"))
    assert counts(book.entries[0]) == FULL
    assert (book.entries[0].row, book.rows.headings) == (3, 2)


def test_csv_of_decks():
    list_cell = '"' + example().replace('"', '""') + '"'
    [entry] = book_of(f"Player;Decklist\nZoro;{list_cell}\n").entries
    assert counts(entry) == FULL


def test_csv_of_one_deck_is_named_after_the_file():
    [entry] = book_of(csv([HEAD[2:], *(row[2:] for row in card_rows())])).entries
    assert (entry.who.name, entry.sheet, counts(entry)) == ("decks", "", FULL)


def test_the_count_may_stand_with_the_card():
    rows = [["Zoro", f"{row[5]} {row[3]} {row[4]}"] for row in card_rows()]
    [entry] = book_of(xlsx([["Player", "Card"], *rows])).entries
    assert counts(entry) == FULL


def test_number_and_name_in_one_cell():
    rows = [["Zoro", f"{row[4]} ({row[3]})", row[5]] for row in card_rows()]
    [entry] = book_of(xlsx([["Player", "Card", "Qty"], *rows])).entries
    assert judge()(entry.deck).legal


@pytest.mark.parametrize(
    ("yes", "no"), [(True, False), ("TRUE", ""), ("x", "-"), (1, 0), ("yes", "no"), ("side", "main")]
)
def test_a_column_that_says_yes_to_the_sideboard(yes, no):
    rows = [["Zoro", "OP01-016", 4, no], ["Zoro", "ST01-011", 2, yes]]
    [entry] = book_of(xlsx([["Player", "Number", "Qty", "Sideboard"], *rows])).entries
    assert counts(entry) == {"leader": 0, "main": 4, "side": 2}


def test_a_repeated_heading_is_a_heading():
    book = book_of(xlsx([HEAD, *card_rows(), HEAD, *card_rows("Nami", "0002")]))
    assert (len(book.entries), book.rows.headings, book.rows.unread) == (2, 2, 0)


def test_a_repeated_heading_above_lists_is_no_player():
    head = ["Player", "Decklist"]
    book = book_of(xlsx([head, ["Zoro", example()], head, ["Nami", example()]]))
    assert (whos(book), book.rows) == ([("Zoro", ""), ("Nami", "")], RowCounts(2, 2, 0))
    book = book_of(xlsx([head, ["Zoro", example()], ["Nami", "later"], ["Usopp", ""]]))
    assert ([entry.deck is not None for entry in book.entries], book.rows) == ([True, False, False], RowCounts(1, 1, 2))


def test_a_repeated_heading_may_be_in_capitals():
    rows = card_rows("Zoro")
    book = book_of(xlsx([HEAD, *rows[:5], list(map(str.upper, HEAD)), *rows[5:]]))
    assert ([counts(entry) for entry in book.entries], book.faults) == ([FULL], [])


@pytest.mark.parametrize("heads", [HEAD, ["Player", "Player ID", "Type", "Number", "Name", "Count"]])
def test_a_list_that_was_sent_in_again_is_another_deck(heads):
    rows = [[*row, "9:00"] for row in card_rows("Zoro", "1") + card_rows("Nami", "2")]
    rows += [[*row, "11:00"] for row in card_rows("Zoro", "1", "optcg-rotated-zoro.txt")]
    if "Type" in heads:
        rows = [[*row[:2], "", *row[3:]] for row in rows]
    book = book_of(xlsx([[*heads, "Sent"], *rows]))
    assert [(entry.who.id, entry.aside["Sent"], counts(entry)["leader"]) for entry in book.entries] == [
        ("1", "9:00", 1),
        ("1", "11:00", 1),
        ("2", "9:00", 1),
    ]
    assert [(fault.severity, "another deck in row 2" in fault.detail) for fault in book.faults] == [("notice", True)]


@pytest.mark.parametrize("at", [1, 5, 13])
@pytest.mark.parametrize("resent", [False, True])
def test_a_bad_row_is_in_the_one_of_two_lists_of_a_player_that_has_it(at, resent):
    first, second = card_rows("Zoro", "1"), card_rows("Zoro", "1")
    (second if resent else first)[at][5] = "four"
    [one, other, _] = book_of(xlsx([HEAD, *first, *card_rows("Nami", "2"), *second])).entries
    bad, whole = (other, one) if resent else (one, other)
    assert (whole.who.id, counts(whole), whole.deck.unread) == ("1", FULL, ())
    assert [line.at for line in bad.deck.unread] == [at + 2 + 2 * len(first) * resent]
    assert counts(bad)["main"] < FULL["main"]


def test_a_bad_row_apart_from_the_lists_of_a_player_splits_no_list():
    between, *rows = card_rows("Nami", "2")
    bad = ["Zoro", "1", "main", "OP01-016", "Nami", "four"]
    zoro = card_rows("Zoro", "1")
    entries = book_of(xlsx([HEAD, *zoro, between, *zoro, *rows, bad])).entries
    assert [(entry.who.id, counts(entry)["main"], len(entry.deck.unread)) for entry in entries[:2]] == [
        ("1", 50, 0),
        ("1", 50, 1),
    ]


def test_a_bad_row_stops_no_other():
    rows = card_rows()
    rows[4][5] = "four"
    book = book_of(xlsx([["Regional"], HEAD, *rows, *card_rows("Nami", "0002")]))
    assert messages(book) == ["sheet Decks, row 7, column Count: “four” is not a number from 1 to 255"]
    assert [fault.cell for fault in book.faults] == ["F7"]
    assert counts(book.entries[0])["main"] == 46
    assert judge()(book.entries[0].deck).codes == ["size", "line.unread"]
    assert counts(book.entries[1]) == FULL


def test_faults_of_a_csv_name_no_sheet():
    book = book_of("Player,Number,Count\nZoro,OP01-016,four\n")
    assert messages(book) == ["row 2, column Count: “four” is not a number from 1 to 255"]


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        (["Zoro", "1", "main", "OP01-016", "", True], ["Count"]),
        (["Zoro", "1", "main", "OP01-016", "", None], ["Count"]),
        (["Zoro", "1", "main", "OP01-016", "", datetime.date(2026, 1, 4)], ["Count"]),
        (["Zoro", "1", "main", "", "", 4], ["Number"]),
        (["Zoro", "1", "bench", "OP01-016", "", 4], ["Section"]),
        (["Zoro", "1", "bench", "", "", -1], ["Number", "Count", "Section"]),
        (["Zoro", "1", "bench", "OP01-016", "", 0], ["Section"]),
        ([None, None, "main", "OP01-016", "", 4], [None]),
        (["Zoro", "1", "main", "x" * 201, "", 4], ["Number"]),
    ],
)
def test_each_thing_wrong_with_a_row_is_told_by_its_column(row, columns):
    book = book_of(xlsx([HEAD, *card_rows("Zoro", "1"), row]))
    assert [fault.column for fault in book.faults] == columns
    assert (len(book.entries), book.rows.unread) == (1, 1)


def test_a_row_that_is_not_read_cannot_make_a_deck_legal():
    row = ["Zoro", "0001", "", "", "Nami", "many"]
    [entry] = book_of(xlsx([HEAD, *card_rows(), row])).entries
    assert not judge()(entry.deck).legal


def test_cells_merged_downwards_hold_for_all_their_rows():
    rows = card_rows()
    for row in rows[1:]:
        row[0] = row[1] = None
    last = len(rows) + 1
    book = book_of(xlsx([HEAD, *rows], f"A2:A{last}", f"B2:B{last}"))
    assert (whos(book), counts(book.entries[0]), book.faults) == ([("Zoro", "0001")], FULL, [])


def test_blank_rows_of_merged_cells_are_blank():
    rows = card_rows()
    for row in rows[1:]:
        row[0] = row[1] = None
    last = len(rows) + 3
    book = book_of(xlsx([HEAD, *rows[:5], [None] * 6, *rows[5:], []], f"A2:A{last}", f"B2:B{last}"))
    assert (whos(book), counts(book.entries[0]), book.faults) == ([("Zoro", "0001")], FULL, [])


def test_merged_cells_that_all_overlap_are_read_soon():
    head, named, blank = (
        '<c r="A{0}" t="s"><v>0</v></c><c r="B{0}" t="s"><v>1</v></c>',
        '<c r="A{0}" t="s"><v>2</v></c><c r="B{0}" t="s"><v>3</v></c>',
        '<c r="B{0}" t="s"><v>3</v></c>',
    )
    cells = [head, *(named, blank) * 1_500]
    rows = "".join(f'<row r="{at}">{cell.format(at)}</row>' for at, cell in enumerate(cells, 1))
    merges = "".join(f'<mergeCell ref="A{at}:A100000"/>' for at in range(2, len(cells), 2))
    merged = sheet(rows).replace("</worksheet>", f"<mergeCells>{merges}</mergeCells></worksheet>")
    with time_limit(2):
        assert read(raw_xlsx(merged, texts("Player", "Card", "Nami", "4 OP01-016")), "a.xlsx", "optcg").entries


def test_a_number_with_the_name_of_another_card_is_the_number_and_told():
    book = book_of(xlsx([HEAD, *card_rows(), ["Zoro", "0001", "main", "OP01-016", "Brook", 1]]))
    assert (book.rows.unread, book.faults) == (0, [])
    found = next(one for one in judge()(book.entries[0].deck).findings if one.code == "card.mismatch")
    assert (found.severity, found.cards[0].number, found.cards[0].count) == ("error", "OP01-016", 1)
    assert {other.name for other in found.suggestions} == {"Brook"}


def test_a_blank_player_that_is_not_merged_is_nobody():
    rows = card_rows()
    rows[5][0] = rows[5][1] = None
    book = book_of(xlsx([HEAD, *rows]))
    assert [(fault.row, fault.column) for fault in book.faults] == [(7, None)]


def test_a_player_is_known_by_the_id():
    book = book_of(xlsx([HEAD, ["Zoro", "1", "", "OP01-016", "", 4], ["Zorro", "1", "", "ST01-011", "", 4]]))
    assert len(book.entries) == 1
    assert "“Zoro” in row 2" in messages(book)[0]


def test_two_of_one_name_and_two_ids_are_two():
    rows = [
        ["Kim", "1", "", "OP01-016", "", 4],
        ["Kim", "2", "", "OP01-016", "", 4],
        ["Kim", "", "", "ST01-011", "", 4],
    ]
    book = book_of(xlsx([HEAD, *rows]))
    assert whos(book) == [("Kim", "1"), ("Kim", "2")]
    assert [(fault.row, fault.severity) for fault in book.faults] == [(4, "error")]


def test_an_id_in_the_first_row_of_a_player_is_enough():
    rows = card_rows()
    for row in rows[1:]:
        row[1] = None
    assert whos(book_of(xlsx([HEAD, *rows]))) == [("Zoro", "0001")]


@pytest.mark.parametrize(
    "later",
    [["Zoro", "0001"], ["Someone", "0001"], ["ZORO ", "0001"], ["zoro", ""]],
)
def test_a_player_with_two_decks_is_named(later):
    book = book_of(xlsx([["Player", "ID", "Decklist"], ["Zoro", "0001", example()], [*later, example()]]))
    assert len(book.entries) == 2
    assert [(fault.row, fault.severity) for fault in book.faults] == [(3, "notice")]
    assert "row 2" in messages(book)[0]


def test_a_player_on_two_sheets_is_named():
    table = [HEAD, *card_rows()]
    assert "sheet A" in messages(book_of(xlsx({"A": table, "B": table})))[0]


def test_one_player_may_have_a_deck_for_each_event():
    rows = [["Event", "Player", "Decklist"], ["Saturday", "Zoro", example()], ["Sunday", "Zoro", example()]]
    assert not book_of(xlsx(rows)).faults
    rows = [["Event", *HEAD], *(["Sat", *row] for row in card_rows()), *(["Sun", *row] for row in card_rows())]
    assert len(book_of(xlsx(rows)).entries) == 2


def test_a_player_without_a_list_is_kept():
    book = book_of(xlsx([["Player", "Decklist"], ["Zoro", example()], ["Nami", None], ["Usopp", "see you there"]]))
    assert [entry.deck is None for entry in book.entries] == [False, True, True]
    assert [(fault.row, fault.column) for fault in book.faults] == [(3, "Decklist"), (4, "Decklist")]


@pytest.mark.parametrize(
    "table",
    [
        [["Player", "Decklist"], [None, example()]],
        [["Player", "Player ID", "Decklist"], [None, "0001", example()]],
        [["Submitted", "Decklist"], ["yes", example()], ["yes", example()]],
    ],
)
def test_a_deck_of_nobody_is_judged_and_is_a_problem(table):
    book = book_of(xlsx(table))
    assert (len(book.entries), len(book.problems)) == (len(table) - 1, 1)


def test_a_leader_beside_a_list_that_has_another_is_told():
    rows = [["Player", "Leader", "Decklist"], ["Zoro", "OP01-001", example()], ["Nami", "Monkey.D.Luffy", example()]]
    book = book_of(xlsx(rows))
    assert [(fault.row, fault.column, fault.severity) for fault in book.faults] == [(2, "Leader", "notice")]
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]


@pytest.mark.parametrize(
    "heads",
    [["Player", "Decklist", "Updated decklist"], ["Player A", "Deck A", "Deck B"], ["Name", "Deck 1", "Deck 2"]],
)
def test_another_deck_in_the_same_row_is_told(heads):
    book = book_of(xlsx([heads, ["Ann Lee", example(), example("optcg-rotated-zoro.txt")], ["Bo Li", example(), ""]]))
    assert [entry.who.name for entry in book.entries] == ["Ann Lee", "Bo Li"]
    assert [(fault.row, fault.column) for fault in book.problems] == [(2, heads[2])]
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]


def test_the_same_deck_in_another_column_is_none_more():
    link = "https://deckbuilder.egmanevents.com/?deck=" + ",".join(
        f"{line.number}:{line.count}" for _, line in deck().lines()
    )
    numbers = "\n".join(f"{line.count}x{line.number}_p1" for _, line in deck().lines())
    rows = [["Player", "Decklist", "Deck link", "As numbers"], ["Zoro", example(), link, numbers]]
    book = book_of(xlsx(rows))
    assert (counts(book.entries[0]), book.problems) == (FULL, [])


def test_a_list_that_is_too_long_is_told():
    book = book_of(xlsx([["Player", "Decklist"], ["Zoro", "4 OP01-016\n" * 1000]]))
    assert "10,000" in messages(book)[0]
    book = book_of(xlsx([["Player", "Decklist"], ["Zoro", "4P-001 " * 1001]]))
    assert "1,000 lines" in messages(book)[0]


@pytest.mark.parametrize(
    ("card", "count"),
    [
        ("Card", "Qty"),
        ("Slot {}", "Slot {} copies"),
        ("Card {} number", "Card {} count"),
        ("Karte {}", "Karte {} Anzahl"),
    ],
)
def test_cards_across_under_any_heading(card, count):
    heads = [heading.format(at) for at in range(1, len(card_rows()) + 1) for heading in (card, count)]
    cells = [cell for row in card_rows() for cell in (row[3], row[5])]
    book = book_of(xlsx([["Player", "Player ID", *heads], ["Ann", "0001", *cells], ["Bo", "0002", *cells]]))
    assert (whos(book), book.faults) == ([("Ann", "0001"), ("Bo", "0002")], [])
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]


@pytest.mark.parametrize("question", ["Wie heißt du?", "プレイヤーネーム", "Who are you"])
def test_a_column_of_names_that_an_anonymous_form_left_empty_names_nobody(question):
    heads = ["ID", "Start time", "Email", "Name", question, "Bandai ID", "Deck list"]
    rows = [
        [at, "9:00", "anonymous", None, who, f"012345678{at}", example()] for at, who in enumerate(("Ann Lee", "Bo"))
    ]
    assert whos(book_of(xlsx([heads, *rows]))) == [("Ann Lee", "0123456780"), ("Bo", "0123456781")]


def test_lists_that_are_written_out_count_before_links():
    rows = [[name, f"https://example.org/deck/{name}", example()] for name in ("Ann", "Bo")]
    book = book_of(xlsx([["Player", "Decklist URL", "Deck"], *rows]))
    assert ([counts(entry) for entry in book.entries], book.problems) == ([FULL, FULL], [])
    assert [entry.aside["Decklist URL"] for entry in book.entries] == [row[1] for row in rows]


def test_a_deck_of_too_many_rows_is_told():
    book = book_of(csv([HEAD, *[["Zoro", "1", "", "OP01-016", "", 1]] * 1003]))
    assert sum(1 for _ in book.entries[0].deck.lines()) == 1000
    assert (book.rows.unread, messages(book)[0]) == (3, "row 1002: a deck has at most 1,000 lines")
    book = book_of(csv([HEAD, *[["Zoro", "1", "", "OP01-016", "", 1]] * 1000]))
    assert (sum(1 for _ in book.entries[0].deck.lines()), book.faults) == (1000, [])


@pytest.mark.parametrize("id", [datetime.date(2026, 1, 3), True, 12345678901234567890])
def test_an_id_that_is_none_leaves_the_player_to_the_name(id):
    book = book_of(xlsx([["Player", "Player ID", "Decklist"], ["Zoro", id, example()]]))
    assert whos(book) == [("Zoro", "")]
    assert [(fault.column, fault.severity) for fault in book.faults] == [("Player ID", "error")]
    book = book_of(xlsx([HEAD, *card_rows("Zoro", id)]))
    assert (whos(book), counts(book.entries[0])) == ([("Zoro", "")], FULL)
    assert [(fault.row, fault.column, fault.severity) for fault in book.faults] == [(2, "Player ID", "error")]


def test_numbers_as_ids_are_doubted_once():
    rows = [["Zoro", 1234567890, example()], ["Nami", 987654321.0, example()]]
    book = book_of(xlsx([["Player", "Player ID", "Decklist"], *rows]))
    assert whos(book) == [("Zoro", "1234567890"), ("Nami", "987654321")]
    assert [(fault.row, fault.severity) for fault in book.faults] == [(2, "notice")]


def test_two_columns_of_one_meaning_that_differ_are_both_named():
    rows = [["Player", "Card", "Qty", "Count"], ["Zoro", "Nami", 4, 4], ["Zoro", "Brook", 4, 3]]
    book = book_of(xlsx([*rows]))
    assert (book.entries, book.rows.unread) == ([], 3)
    assert "C “Qty” and D “Count”" in messages(book)[0]
    assert "row 3" in messages(book)[0]


def test_two_columns_of_one_meaning_that_agree_are_one():
    rows = [
        ["Player", "Card", "Qty", "Count"],
        ["Zoro", "Nami", 4, None],
        ["Zoro", "Brook", None, 3],
        ["Zoro", "Usopp", 2, 2],
    ]
    book = book_of(xlsx(rows))
    assert (counts(book.entries[0])["main"], book.faults) == (9, [])


def test_columns_of_no_known_meaning_are_named_and_kept():
    rows = [["Player", "Table", "Decklist", "Paid?"], ["Zoro", 12, example(), True]]
    book = book_of(xlsx(rows))
    assert book.unknown == [("Decks", "Table"), ("Decks", "Paid?")]
    assert book.entries[0].aside == {"Table": "12", "Paid?": "TRUE"}


def test_hidden_sheets_are_read_and_told():
    book = openpyxl.Workbook()
    for row in [HEAD, *card_rows()]:
        book.active.append(row)
    hidden = book.copy_worksheet(book.active)
    hidden.title, hidden.sheet_state = "Late", "veryHidden"
    found = book_of(saved(book))
    assert len(found.entries) == 2
    assert any("hidden" in message for message in messages(found))


def test_formulas_without_a_value_and_errors_are_told_by_their_address():
    rows = [HEAD, *card_rows()]
    rows[3][5] = "=2+2"
    rows[4][3] = "#REF!"
    rows[4][4] = None
    rows[5][4] = "#N/A"
    book = book_of(xlsx(rows))
    assert [(fault.cell, fault.severity) for fault in book.faults] == [
        ("F4", "error"),
        ("D5", "error"),
        ("E6", "error"),
    ]
    assert "never computed" in messages(book)[0]
    assert "#REF! is an error" in messages(book)[1]
    assert book.rows.unread == 3


def test_odd_cells_that_do_not_matter_stop_nothing():
    rows = [[*HEAD, "Table"], *([*row, "=1+1"] for row in card_rows())]
    book = book_of(xlsx(rows))
    assert {fault.severity for fault in book.faults} == {"notice"}
    assert (counts(book.entries[0]), book.rows.unread) == (FULL, 0)


def test_a_sheet_of_notes_is_told_and_stops_nothing():
    book = book_of(xlsx({"Decks": [HEAD, *card_rows()], "Notes": [["3 judges needed"], ["bring 2 pens"]]}))
    assert (len(book.entries), book.rows.unread) == (1, 2)
    assert messages(book)[0].startswith("sheet Notes: ")


def test_the_template_holds_no_deck_and_nothing_wrong():
    book = book_of(template())
    assert (book.entries, book.faults) == ([], [])


@pytest.mark.parametrize("sheet", ["Cards", "Decks"])
def test_the_template_filled_in_is_read(sheet, tmp_path):
    (tmp_path / "template.xlsx").write_bytes(template())
    book = openpyxl.load_workbook(tmp_path / "template.xlsx")
    filled = [["Zoro", "0001", None, *row[2:]] for row in card_rows()]
    for row in filled if sheet == "Cards" else [["Zoro", "0001", None, example()]]:
        book[sheet].append(row)
    found = book_of(saved(book))
    assert (whos(found), counts(found.entries[0]), found.faults) == ([("Zoro", "0001")], FULL, [])


MAIN = "\n".join(f"{line.count} {line.number}" for line in deck().main)
SIDE = "3 OP01-016\n2 ST01-011"


@pytest.mark.parametrize(
    ("heads", "cells"),
    [
        (["Decklist", "Sideboard"], [example(), SIDE]),
        (["Deck list (main)", "Deck list (side)"], [example(), SIDE]),
        (["Side deck", "Main deck"], [SIDE, example()]),
        (["Leader", "Your main deck", "Side"], ["ST21-001", MAIN, SIDE]),
        (["Leader card", "Deck", "Side deck list"], ["1x ST21-001", MAIN, SIDE]),
        (["Leader", "Decklist", "Sideboard"], ["ST21-001 Monkey.D.Luffy", example(), SIDE]),
    ],
)
def test_a_row_a_deck_with_a_column_for_each_part(heads, cells):
    book = book_of(xlsx([["Player", *heads], ["Zoro", *cells]]))
    [entry] = book.entries
    assert counts(entry) == FULL | {"side": 5}
    assert (book.faults, book.rows.unread) == ([], 0)


def test_what_is_wrong_with_a_part_stands_in_its_column():
    book = book_of(xlsx([["Player", "Decklist", "Side deck"], ["Zoro", example(), "3 OP01-016\n300 ST01-011"]]))
    [entry] = book.entries
    verdict = judge()(entry.deck)
    (unread,) = (finding for finding in verdict.findings if finding.code == "line.unread")
    place = entry.place(unread, verdict)
    assert (place.column, place.line, place.value, place.row) == ("Side deck", 2, "300 ST01-011", 2)
    (written,) = entry.deck.side
    assert written.at == entry.deck.unread[0].at - 1 > max(line.at for line in entry.deck.main)
    rows = reports.findings(Results(book, judge(), [Judged(entry, verdict)])).rows
    assert any(str(cell).startswith("Line 2 could not be read") for row in rows for cell in row)


@pytest.mark.slow
@pytest.mark.parametrize("heading", ["Side deck", "Nebendeck", "サイドデッキ"])
@pytest.mark.parametrize(
    "nothing",
    [
        *("", None, "-", "/", "--", "none", "None.", "N/A", "N.A.", "No", "no side deck", "0", "0 cards", "Keins"),
        *("kein Sidedeck", "ohne", "aucun", "Pas de side", "ninguno", "Sin side deck", "nessuno", "nenhum", "brak"),
        *("não", "なし", "無し", "特になし", "サイドデッキなし", "无", "沒有", "없음"),
    ],
)
def test_a_part_may_be_left_out(heading, nothing):
    book = book_of(xlsx([["Player", "Decklist", heading], ["Zoro", example(), nothing]]))
    assert (counts(book.entries[0]), book.entries[0].deck.unread, book.faults) == (FULL, (), [])


@pytest.mark.parametrize("said", ["yes", "see photo", "x", "?", "Nobody of note", "same as last time"])
def test_what_is_not_nothing_is_never_left_out(said):
    [entry] = book_of(xlsx([["Player", "Decklist", "Side deck"], ["Zoro", example(), said]])).entries
    assert [line.text for line in entry.deck.unread] == [said]


def test_a_leader_that_the_list_has_too_counts_once_and_is_kept():
    [entry] = book_of(xlsx([["Player", "Leader", "Decklist"], ["Zoro", "Red Zoro", example()]])).entries
    assert (counts(entry), entry.aside) == (FULL, {"Leader": "Red Zoro"})


@pytest.mark.parametrize("heading", ["Sektion", "Location", "Deck", "Where", "Section (main/side)"])
def test_a_column_of_sections_may_be_called_anything(heading):
    rows = [[*row[:2], "Side Deck" if at > 8 else row[2], *row[3:]] for at, row in enumerate(card_rows())]
    [entry] = book_of(xlsx([["Player", "Player ID", heading, *HEAD[3:]], *rows])).entries
    moved = sum(row[5] for row in card_rows()[9:])
    assert counts(entry) == {"leader": 1, "main": 50 - moved, "side": moved}


def test_a_column_of_kinds_of_card_is_none_of_sections():
    rows = [[*map(str, row), "Leader" if row[2] == "leader" else "Character"] for row in card_rows()]
    found = columns.infer_columns([*HEAD[:2], "x", *HEAD[3:], "Type"], lambda at: [row[at] for row in rows])
    assert found.first(headings.SECTION) == 2
    found = columns.infer_columns([*HEAD[:2], *HEAD[3:], "Type"], lambda at: [[*row[:2], *row[3:]][at] for row in rows])
    assert not found.has(headings.SECTION)


def test_where_no_column_says_how_many_it_is_said():
    book = book_of(xlsx([["Player", "Number", "Whatever"], ["Zoro", "OP01-016", 4], ["Zoro", "ST01-011", 4]]))
    assert sum(counts(book.entries[0]).values()) == 2
    assert [(fault.row, fault.severity) for fault in book.faults] == [(1, "notice")]


def test_counts_under_the_names_of_sections_are_those_of_each_section():
    book = book_of(xlsx([["Player", "Number", "Main", "Side"], ["Zoro", "OP01-016", 3, 1], ["Zoro", "ST01-011", 4, 0]]))
    [entry] = book.entries
    assert (counts(entry), book.rows.unread) == ({"leader": 0, "main": 7, "side": 1}, 0)


def test_a_name_in_two_columns_keeps_which_is_the_last():
    rows = [["First name", "Last name", "Decklist"], ["Anna", "van der Berg", example()], ["小明", "王", example()]]
    assert [name for name, _ in whos(book_of(xlsx(rows)))] == ["van der Berg, Anna", "王, 小明"]


@pytest.mark.parametrize("labels", [("Name", "Vorname"), ("Nom", "Prénom"), ("Apellidos", "Nombre")])
@pytest.mark.parametrize("rows", [[row[3:] for row in card_rows()], [[line] for line in example().splitlines()]])
def test_a_name_in_halves_above_a_list_is_whole(labels, rows):
    [entry] = book_of(xlsx([[labels[0], "Lee"], [labels[1], "Ann"], [], *rows])).entries
    assert entry.who.name == "Lee, Ann"


def test_what_stands_above_the_list_of_a_player_is_not_lost():
    above = [["Surname", "Lee"], ["Given name", "Bob"], ["ID", "0777"], ["Table", 7], ["Notes:", "late"]]
    lists = [[line] for line in example().splitlines()]
    table = [HEAD[2:], *(row[2:] for row in card_rows())]
    for entry in book_of(xlsx({"A": [*above, *lists], "B": [*above, *table]})).entries:
        assert entry.who == ("Lee, Bob", "0777", "")
        assert entry.aside == {"Table": "7", "Notes": "late"}
        assert counts(entry) == FULL


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (("Ann Lee", 123), ("Ann Lee", "0123"), True),
        (("Ann Lee", "0123"), ("Lee, Ann", None), True),
        (("Ann Lee", "0123"), ("Ann Lee", "0124"), False),
    ],
)
def test_a_player_with_two_decks_is_pointed_out(first, second, same):
    book = book_of(xlsx([["Player", "Player ID", "Decklist"], [*first, example()], [*second, example()]]))
    assert len(book.entries) == 2
    assert any("another deck" in message for message in messages(book)) is same


def test_a_total_under_the_cards_is_no_card():
    total = ["", "", "", "Total", "", sum(row[5] for row in card_rows())]
    book = book_of(xlsx([HEAD, *card_rows("Zoro"), total, *card_rows("Nami", "0002")]))
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]
    assert (book.faults, book.rows.unread, book.rows.headings) == ([], 0, 2)


@pytest.mark.parametrize("named", ["Total", "Zoro Total", "Total Zoro", "Zoro Ergebnis", "Grand Total", "合計"])
def test_a_sum_under_the_name_of_a_player_is_no_player(named):
    rows = [row[:2] + row[3:] for row in (HEAD, *card_rows(), [named, "", "", "", "", 51], *card_rows("Nami", "0002"))]
    book = book_of(xlsx(rows))
    assert whos(book) == [("Zoro", "0001"), ("Nami", "0002")]
    assert ([counts(entry) for entry in book.entries], book.faults) == ([FULL, FULL], [])


@pytest.mark.parametrize("titles", [["Total"], ["Cost", "Rarity", "Sum"], ["合計"], ["Gesamt"]])
def test_a_sum_over_the_players_of_a_matrix_is_nobody(titles):
    rows = [[row[3], row[5], row[5], *(2 * row[5] for _ in titles)] for row in card_rows()]
    assert whos(book_of(xlsx([["Number", "Ann", "Bo", *titles], *rows]))) == [("Ann", ""), ("Bo", "")]


@pytest.mark.parametrize("label", [["Player", "Ann"], ["Player:", "Ann"], ["Player ID:", "0001", "Player:", "Ann"]])
@pytest.mark.parametrize("title", ["No.", "Nr.", "#"])
def test_a_player_over_the_headings_is_no_heading(label, title):
    rows = [label, [title, "Card number", "Card name", "Quantity"]]
    rows += [[at, *row[3:]] for at, row in enumerate(card_rows(), 1)]
    [entry] = book_of(xlsx(rows)).entries
    assert (entry.who.name, counts(entry)) == ("Ann", FULL)


@pytest.mark.parametrize("over", [[], ["Main deck", "", "", "", "Side deck"]])
@pytest.mark.parametrize(
    "titles", [["Qty", "Card No.", "Card Name"], ["枚数", "カード番号", "カード名"], ["Number", "Name", "Copies"]]
)
def test_a_form_whose_cards_stand_in_two_halves(titles, over):
    order = [0, 1, 2] if titles[2] != "Copies" else [1, 2, 0]
    lines = [[[row[5], row[3], row[4]][at] for at in order] for row in card_rows()[1:]]
    left, right = lines[:8], [*lines[8:], *([""] * 3 for _ in lines)]
    rows = [["DECK REGISTRATION SHEET"], ["Name", "", "Ann Lee", "", "Player ID", "", "0012345678"], []]
    rows += [["Leader", "", card_rows()[0][3]], over, [*titles, "", *titles]]
    rows += [[*one, "", *other] for one, other in zip(left, right, strict=False)]
    book = book_of(xlsx({"Sheet1": [*rows, [], ["TOTAL", "", "", "", "", 50], ["Signature"]]}))
    side = sum(row[5] for row in card_rows()[9:]) if over else 0
    assert [counts(entry) for entry in book.entries] == [{"leader": 1, "main": 50 - side, "side": side}]
    assert (whos(book), book.problems) == ([("Ann Lee", "0012345678")], [])


def test_numbered_lines_that_nobody_filled_in_are_no_cards():
    rows = [["Player", "Ann"], ["No.", "Card number", "Card name", "Quantity"]]
    rows += [[at, *row[3:]] for at, row in enumerate(card_rows(), 1)]
    book = book_of(xlsx([*rows, *([at] for at in range(len(rows) - 1, 30))]))
    assert ([counts(entry) for entry in book.entries], book.faults, book.rows.unread) == ([FULL], [], 0)


def test_columns_of_sums_are_no_lists():
    row = ["Zoro", "ST21-001", "50", "0"]
    found = columns.infer_columns(["Player", "Leader", "Main deck", "Side deck"], lambda at: [row[at]])
    assert not found.has(headings.DECKLIST)
    assert not found.parts


def test_a_column_of_cards_that_are_no_part_of_the_deck_is_kept_as_it_is():
    [entry] = book_of(xlsx([["Player", "Decklist", "Maybeboard"], ["Zoro", example(), "4 OP01-016"]])).entries
    assert (counts(entry), entry.aside) == (FULL, {"Maybeboard": "4 OP01-016"})


@pytest.mark.parametrize("section", ["", "Main", "Main Deck"])
def test_resources_and_tokens_of_gundam_are_told_by_their_types(section):
    cards = [(section, "ST01-001", 4), (section, "R-001", 10), (section, "EXB-001", 1), ("Resource", "EXR-001", 1)]
    text = csv([HEAD, *(["Zoro", "0001", place, number, "", count] for place, number, count in cards)])
    book = read(text.encode(), "decks.csv", "gundam", facts.catalogue("gundam"))
    [entry] = book.entries
    assert [(place, line.number) for place, line in entry.deck.lines()] == [("main", "ST01-001"), ("resource", "R-001")]
    assert [(unread.at, unread.aside) for unread in entry.deck.unread] == [(4, True), (5, True)]
    assert not book.faults


@pytest.mark.parametrize("by_column", [True, False])
def test_cards_that_are_no_part_of_the_deck_do_not_spoil_it(by_column):
    if by_column:
        rows = [HEAD, *card_rows(), ["Zoro", "0001", "Maybeboard", "OP01-016", "Nami", 4]]
    else:
        rows = [HEAD[3:], *(row[3:] for row in card_rows()), ["Maybeboard"], ["OP01-016", "Nami", 4]]
    book = book_of(xlsx(rows))
    [entry] = book.entries
    verdict = judge()(entry.deck)
    assert (counts(entry), book.faults, book.rows.unread) == (FULL, [], 0)
    assert verdict.legal
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [("line.aside", "warning")]


def divided(player="Zoro", in_each=False):
    """The rows of a deck whose last cards are its side deck; each section is said in its first row, or in each."""
    rows = [[player, "main" if at else "leader", *row[3:]] for at, row in enumerate(card_rows())]
    rows[-3][1], *later = "side", rows[-2], rows[-1]
    for row in rows[2:-3] if not in_each else ():
        row[1] = ""
    for row in later:
        row[1] = "side" if in_each else ""
    return rows


@pytest.mark.parametrize("merged", [True, False])
def test_a_section_that_is_said_once_holds_for_the_cards_below_it(merged):
    head = ["Player", "Section", "Number", "Name", "Count"]
    rows = divided()
    last = len(rows) + 1
    ranges = (f"B3:B{last - 3}", f"B{last - 2}:B{last}") if merged else ()
    [wanted] = book_of(xlsx([head, *divided(in_each=True)])).entries
    book = book_of(xlsx([head, *rows, ["", "", "Total", "", 51], *divided("Nami")], *ranges))
    assert book.entries[0].deck == wanted.deck
    assert counts(book.entries[1]) == counts(wanted)
    assert counts(wanted)["side"] > 0
    assert not book.faults


def test_a_section_said_once_holds_though_the_id_or_the_player_is_not_said_again():
    [wanted] = book_of(xlsx([["Player", "Section", *HEAD[3:]], *divided(in_each=True)])).entries
    rows = [[*row[:1], "" if at else "0001", *row[1:]] for at, row in enumerate(divided())]
    [entry] = book_of(xlsx([["Player", "Player ID", "Section", *HEAD[3:]], *rows])).entries
    [alone] = book_of(xlsx({"Zoro": [["Section", *HEAD[3:]], *(row[1:] for row in divided())]})).entries
    assert entry.deck == alone.deck == wanted.deck


def test_a_blank_section_beside_cards_that_are_marked_as_side_is_left_to_the_type():
    rows = [["Zoro", "side", "ST01-011", 2], ["Zoro", "", "OP01-016", 4]]
    [entry] = book_of(xlsx([["Player", "Section", "Number", "Count"], *rows])).entries
    assert counts(entry) == {"leader": 0, "main": 4, "side": 2}


LEADER, *CARDS = [row[2:] for row in card_rows()]


@pytest.mark.slow
@pytest.mark.parametrize("leader", [LEADER[1], f"{LEADER[1]} {LEADER[2]}", f"1x {LEADER[1]}"])
@pytest.mark.parametrize("heading", ["Leader", "リーダー", "Your Leader card", "Anführer"])
@pytest.mark.parametrize("is_once", [False, True])
def test_a_column_has_the_leader_of_the_cards_beside_it(leader, heading, is_once):
    rows = [
        [player, "" if is_once and at else leader, number, count]
        for player in ("Ann", "Bo")
        for at, (_, number, _, count) in enumerate(CARDS)
    ]
    book = book_of(xlsx([["Player", heading, "Number", "Count"], *rows]))
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]
    assert (book.problems, book.unknown) == ([], [])
    one = book_of(xlsx({"Ann": [row[1:] for row in ([0, heading, "Number", "Count"], *rows[: len(CARDS)])]}))
    assert [counts(entry) for entry in one.entries] == [FULL]


def test_a_column_of_leaders_that_the_cards_have_too_is_kept():
    rows = [["Ann", "Monkey.D.Luffy", *row[1:]] for row in (LEADER, *CARDS)]
    [entry] = book_of(xlsx([["Player", "Leader", "Number", "Name", "Count"], *rows])).entries
    assert (counts(entry), entry.aside) == (FULL, {"Leader": "Monkey.D.Luffy"})


@pytest.mark.parametrize(
    "above", [["Leader", "ST21-001", "Monkey.D.Luffy"], ["Leader:", "ST21-001"], ["Leader: 1 ST21-001"]]
)
def test_a_leader_that_is_named_above_the_cards_is_in_the_deck(above):
    rows = [row[3:] for row in card_rows()]
    book = book_of(xlsx({"Zoro": [["Name", "Zoro"], above, HEAD[3:], *rows[1:]], "Nami": [above, HEAD[3:], *rows]}))
    assert [counts(entry) for entry in book.entries] == [FULL, FULL]
    assert (book.faults, book.rows.unread) == ([], 0)
    assert [line.at for line in book.entries[0].deck.leader] == [2]


def test_cards_above_the_headings_or_under_none_are_told():
    rows = [["OP01-017", 4], ["Number", "Count", ""], ["OP01-016", 4, ""], ["ST01-011", 4, "4 OP01-025"]]
    book = book_of(xlsx(rows))
    assert [(fault.row, fault.column, fault.cell) for fault in book.faults] == [(1, None, ""), (4, "C", "C4")]


def test_the_rest_of_a_list_that_runs_on_under_no_heading_is_told():
    book = book_of(xlsx([["Player", "Decklist"], ["Zoro", *example().splitlines()]]))
    assert "no heading" in messages(book)[0]


def test_a_cell_may_say_the_section_on_a_sheet_without_headings():
    rows = [row[2:] for row in card_rows()]
    rows[-1][0] = "Side"
    [entry] = book_of(xlsx({"Zoro": rows})).entries
    assert counts(entry) == {"leader": 1, "main": 50 - rows[-1][3], "side": rows[-1][3]}


def test_a_column_of_kinds_and_sections_has_the_sections():
    rows = [["Zoro", "Character", "OP01-016", 4], ["Zoro", "Side", "ST01-011", 2]]
    [entry] = book_of(xlsx([["Player", "Type", "Number", "Count"], *rows])).entries
    assert counts(entry) == {"leader": 0, "main": 4, "side": 2}


def test_headings_of_parts_may_explain_themselves():
    heads = ["Leader Card", "Main Deck (50 or 60 cards)", "Side Deck (optional)"]
    [entry] = book_of(xlsx([["Player", *heads], ["Zoro", "ST21-001", MAIN, SIDE]])).entries
    assert counts(entry) == FULL | {"side": 5}


def test_numbers_of_the_rows_on_a_sheet_without_headings_are_no_counts():
    rows = [[at, row[3], row[4], row[5]] for at, row in enumerate(card_rows(), 1)]
    [entry] = book_of(xlsx({"Zoro": [["Deck of Zoro"], *rows[:-1], ["Side Deck"], rows[-1]]})).entries
    assert counts(entry) == {"leader": 1, "main": 50 - rows[-1][3], "side": rows[-1][3]}


@pytest.mark.slow
def test_the_parts_of_a_deck_have_together_no_more_lines_than_a_deck():
    lists = "\n".join(["1 OP01-016"] * (MOST_LINES * 2 // 3))
    book = book_of(xlsx([["Player", "Decklist", "Side deck"], ["Zoro", lists, lists]]))
    assert (book.entries[0].deck, book.rows.unread) == (None, 1)
    assert f"at most {MOST_LINES:,} lines" in messages(book)[0]


def test_a_list_in_a_cell_may_have_bars_of_its_own():
    rows = ["| Qty | Card | No. |", "|---|---|---|", "| 1 | Zoro | ST21-001 |", "| 4 | Nami | OP01-016 |"]
    text = 'Player,Deck list\nAnn Lee,"{}"\n'.format("\n".join(rows))
    book = book_of(text)
    assert [(entry.who.name, [line.count for _, line in entry.deck.lines()]) for entry in book.entries] == [
        ("Ann Lee", [1, 4])
    ]


def test_an_id_of_two_names_is_a_notice_and_a_row_without_a_name_is_none():
    rows = card_rows("Zoro", "0001")
    rows[1][0], rows[2][0] = "", "ZORO"
    assert messages(book_of(xlsx([HEAD, *rows]))) == []
    rows[2][0] = "Nami"
    book = book_of(xlsx([HEAD, *rows]))
    assert [(fault.row, fault.severity) for fault in book.faults] == [(4, "notice")]
    assert "the id 0001 is that of “Zoro” in row 2, and of “Nami” here" in messages(book)[0]
    assert whos(book) == [("Zoro", "0001")]


def test_read_a_leader_above_the_cards():
    [entry] = book_of(xlsx([["Leader: Roronoa Zoro", ""], ["Card", "Qty"], ["Nami", 4], ["Usopp", 2]])).entries
    assert [(line.name, line.count) for line in entry.deck.leader] == [("Roronoa Zoro", 1)]
    assert [(line.name, line.count) for line in entry.deck.main] == [("Nami", 4), ("Usopp", 2)]


def test_a_part_of_a_sheet_keeps_the_error_values_of_its_rows():
    errors = {1: [(0, "#N/A")], 3: [(0, "")], 4: [(0, "#REF!")]}
    whole = Grid("Decks", "Decks", [["a"], ["b"], ["c"], ["d"]], errors)
    parts = [whole.part("Part", whole.rows[top:end], top).odd for top, end in ((0, 1), (1, 2), (2, 4))]
    assert parts == [{1: errors[1]}, {}, {3: errors[3], 4: errors[4]}]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[{"player": "Ann", "deck": {"main": {"OP01-016": 4, "OP01-016": 2}}}]', ""),
        ('{"player": "Ann", "deck": "4 OP01-016"}\n{"player": "Bo", "deck": "4 OP01-016", "player": "Cy"}', "line 2"),
    ],
)
def test_a_repeated_key_in_json_is_refused_by_name_and_line(text, place):
    with pytest.raises(Refused, match=f'"(OP01-016|player)".*{place}'):
        book_of(text, "players.json")


def test_players_in_json_keep_their_other_fields():
    text = "4 OP01-016\n2 OP01-017"
    players = [{"player": "Ann", "id": "0077", "deck": text}, {"player": "Bo", "id": "0078", "deck": text}]
    assert whos(book_of(json.dumps(players), "players.json")) == [("Ann", "0077"), ("Bo", "0078")]
