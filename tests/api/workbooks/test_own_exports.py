"""Returned: what is printed as a registration sheet can be judged from the sheet, whatever is added to it."""

import io

import openpyxl
import pytest

from api.sheets import sheet_xlsx as xlsx
from api.sheets.registration import Registration
from api.sheets.sheet import sheet
from api.workbooks.intake.book_reader import read
from carddb import facts
from tests.api.workbooks.files import EXAMPLES, book_of, deck, judge, saved
from validator import Judge, Terms, decklists, rulesets
from validator.deck import Deck, Line

PLAYER = {"player": "Last, First", "player_id": "0012", "event": "Regional", "date": "2026-11-01", "notes": "4 byes"}


def printed(verdict, player=PLAYER):
    return xlsx.write(sheet(Registration.read(player), verdict))


def edited(data, **cells):
    book = openpyxl.load_workbook(io.BytesIO(data))
    for place, value in cells.items():
        book["Registration"][place].value = value
    return saved(book)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ruleset"),
    [
        ("optcg-red-zoro.txt", "optcg-1.1.9"),
        ("optcg-five-copies.txt", "optcg-1.1.9"),
        ("dbs-broly.txt", "dbs-4.00"),
        ("dbs-forbidden.txt", "dbs-4.00"),
        ("bos-short.txt", "bos-1.3"),
    ],
)
def test_a_sheet_that_comes_back_is_the_deck_of_its_player(name, ruleset):
    edition = rulesets()[ruleset]
    catalogue = facts.catalogue(edition.game)
    verdict = Judge(Terms(edition, judge().terms.on), catalogue)(
        decklists.parse((EXAMPLES / name).read_text("utf-8"), edition.game, catalogue).deck
    )
    book = read(printed(verdict), "sheet.xlsx", edition.game, catalogue)
    [entry] = book.entries
    assert entry.who == ("Last, First", "0012", "Regional")
    assert verdict.judge(entry.deck).deck_hash == verdict.deck_hash
    assert (book.faults, book.rows.unread) == ([], 0)


def test_a_card_that_the_catalogue_does_not_have_comes_back_as_it_was_written():
    verdict = judge()(Deck(main=(Line("OP99-999", 4, "Nobody"), Line(None, 1, "Somebody else"))))
    [entry] = book_of(printed(verdict)).entries
    assert [(line.number, line.name, line.count) for line in entry.deck.main] == [
        ("OP99-999", "Nobody", 4),
        (None, "Somebody else", 1),
    ]


def test_what_a_player_changes_on_the_sheet_counts():
    data = printed(judge()(deck()))
    rows = openpyxl.load_workbook(io.BytesIO(data))["Registration"].iter_rows(min_col=2, max_col=2)
    (at,) = (cell.row for (cell,) in rows if cell.value == "OP01-016")
    [entry] = book_of(edited(data, **{f"A{at}": 3, "C3": "Final"})).entries
    assert [line.count for line in entry.deck.main if line.number == "OP01-016"] == [3]
    assert [line.at for line in entry.deck.main if line.number == "OP01-016"] == [at]
    assert entry.who.event == "Final"


def test_a_field_left_empty_is_not_filled_with_the_next_label():
    [entry] = book_of(printed(judge()(deck()), PLAYER | {"player_id": "", "event": ""})).entries
    assert entry.who == ("Last, First", "", "")


def test_a_sheet_that_only_looks_alike_is_read_like_any_other():
    rows = [["x"], ["Player ID", "0012"], ["Qty", "Number", "Card name"], [4, "OP01-016", "Nami"]]
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    [entry] = book_of(saved(book)).entries
    assert (entry.who.id, len(entry.deck.main)) == ("0012", 1)
