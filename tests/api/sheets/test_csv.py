"""CSV: opened by Excel, safe in it, and read back as it was."""

import csv as table
import io

import pytest

from api.sheets import sheet_csv as csv
from tests.api.sheets.desk import cards, filled
from tests.validator.table import Table
from validator import decklists

DANGEROUS = ["=cmd|' /C calc'!A0", "@SUM(A1:A9)", "+1+1", "-2+3", "=1", "-kai-", "@handle"]


def rows(data):
    return list(table.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_a_row_a_line_with_all_of_the_registration():
    first, *rest = rows(csv.write(filled()))
    assert (first["section"], first["number"]) == ("leader", "X-LEADER")
    assert len(rest) == 13
    assert {row["player_id"] for row in rest} == {"0012345678"}
    assert (rest[0]["count"], rest[0]["section"], rest[0]["name"]) == ("4", "main", "Pirate C-11")
    assert (rest[0]["last_name"], rest[0]["first_name"], rest[0]["date"]) == ("Last", "First", "2026-11-21")
    assert (rest[0]["verdict"], rest[0]["ruleset"]) == ("legal", "optcg-1.1.9")
    assert sum(int(row["count"]) for row in rest) == 50


def test_excel_opens_it_with_its_letters_and_lines():
    data = csv.write(filled({"player": "山田 太郎"}))
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\r\n") == data.count(b"\n") == 15
    assert "山田".encode() in data


@pytest.mark.parametrize("text", DANGEROUS)
def test_no_cell_is_a_formula_and_every_text_comes_back(text):
    found = filled({"player": None, "last_name": text, "event": text, "notes": text}, main={"C-01": 4, text: 1})
    data = rows(csv.write(found))
    for row in data:
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())
        assert {row[column].removeprefix("'") for column in ("last_name", "event", "notes")} == {text}
    assert data[-1]["number"].removeprefix("'") == text


def test_a_tab_or_a_line_end_is_no_way_in():
    (row, *_) = rows(csv.write(filled({"player": "\t=1\r\n+2", "event": "\r@x"})))
    assert (row["last_name"], row["first_name"], row["event"]) == ("'+2", "'=1", "'@x")


def test_the_deck_is_read_again_as_a_deck():
    written = filled()
    deck = decklists.parse(csv.write(written), "optcg").deck
    assert deck.unread == ()
    assert Table("optcg-1.1.9", *cards(13)).judge(deck).deck_hash == written.deck_hash


def test_an_illegal_deck_says_what_was_found_and_an_empty_one_has_a_row():
    assert {row["findings"] for row in rows(csv.write(filled(main={"C-01": 5})))} == {"copies.exceeded size"}
    (row,) = rows(csv.write(filled(main={}, leader={})))
    assert (row["number"], row["last_name"], row["verdict"]) == ("", "Last", "not legal")


def test_many_sheets_are_one_table():
    data = rows(csv.write_sheets([filled(), filled({"player": "Bo"})]))
    assert [row["last_name"] for row in data] == ["Last"] * 14 + ["Bo"] * 14
