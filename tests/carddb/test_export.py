"""What is exported can be imported again and is the same."""

import csv
import json
from dataclasses import replace
from io import BytesIO

import openpyxl
import pytest

from carddb import construction, export
from carddb.errors import CardDataError
from carddb.sources import read
from carddb.sync.diff import compare_cards
from tests.carddb import real
from tests.carddb.cards import card


def export_and_read(cards, form, game, folder):
    """Return cards after they were written to a file in a format and read again. Asserts that there are no notices."""
    file = folder / f"cards.{form}"
    file.write_bytes(export.write(cards, form))
    reading = read(file, game)
    assert reading.notices == ()
    return reading.cards


def in_columns(card):
    """Return the card without what a table has no column for."""
    return replace(card, attributes=(), printings=(card.number,))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize("game", ["optcg", "dbs"])
def test_the_real_cards_come_back_the_same(form, game, tmp_path):
    cards = [in_columns(card) for card in real.cards(game)]
    assert not compare_cards(cards, export_and_read(cards, form, game, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize(
    "text",
    [
        "=HYPERLINK(1)",
        "+1000 power",
        "-x",
        "@x",
        "'=x",
        "''+x",
        "'90s",
        'a "b", c;\td',
        "[One]\n[Two]",
        "Ünïcode 《ﾄ》",
    ],
)
def test_texts_that_spreadsheets_take_for_something_else(form, text, tmp_path):
    one = card(text=text, name=" ".join(text.split()), colors=("Red", "Blue"), cost=0, cost_text="-")
    one = in_columns(replace(one, released="2026-01-01"))
    assert not compare_cards([one], export_and_read([one], form, "optcg", tmp_path))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "'=1+1"])
def test_a_table_holds_no_formula(text):
    one = card(name=text, text=text, cost_text="-(BX)")
    rows = csv.DictReader(export.write([one], "csv").decode("utf-8-sig").splitlines())
    assert [(row["name"], row["text"], row["cost"]) for row in rows] == [(f"'{text}", f"'{text}", "'-(BX)")]


def test_a_dash_is_no_formula():
    rows = csv.DictReader(export.write([card(cost_text="-")], "csv").decode("utf-8-sig").splitlines())
    assert next(rows)["cost"] == "-"


def test_a_workbook_holds_no_formula():
    sheet = openpyxl.load_workbook(BytesIO(export.write([card(name="=1+1")], "xlsx"))).active
    assert sheet["B2"].data_type == "s"
    assert sheet["B2"].value == "=1+1"


def test_control_characters_do_not_spoil_a_workbook(tmp_path):
    (found,) = export_and_read([card(name="Na\x00\x0bmi")], "xlsx", "optcg", tmp_path)
    assert found.name == "Nami"


@pytest.mark.slow
def test_lines_of_json():
    cards = [construction.read(one) for one in real.cards("dbs")[:50]]
    lines = export.write(cards, "ndjson").decode().splitlines()
    assert len(lines) == 50
    first = json.loads(lines[0])
    assert (first["game"], first["number"], first["name"]) == ("dbs", cards[0].number, cards[0].name)
    assert first["back_name"] == cards[0].back_name


def test_another_form_is_refused():
    with pytest.raises(CardDataError, match="csv, xlsx, ndjson"):
        export.write([replace(card())], "pdf")
