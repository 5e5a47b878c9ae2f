"""XLSX: read back cell by cell; nothing in it is ever a formula."""

import io
import zipfile
from dataclasses import replace

import pytest

from api.sheets import sheet_xlsx as xlsx
from tests.api.sheets.desk import filled, has_part, scanned, texts, workbook

DANGEROUS = ["=cmd|' /C calc'!A0", "=1+1", "@SUM(A1)", "+1", "-1", "#N/A", "\t=1", "\r=1", '=HYPERLINK("http://x")']


def registration(found, paper="a4"):
    return workbook(xlsx.write(found, paper))["Registration"]


def cells(page):
    return [cell for row in page.iter_rows() for cell in row if cell.value is not None]


def test_the_player_the_event_and_the_verdict_stand_above():
    above = texts(registration(filled()))
    assert above[0] == ["L", "Last, First"]
    assert above[1] == ["Player ID", "0012345678", "Table 42"]
    assert above[2:5] == [["Event", "Winter Regional 2026"], ["Date", "2026-11-21"], ["Place", "Cologne"]]
    assert ["LEGAL", "Leader 1     Main deck 50"] in above


def test_every_card_stands_in_a_row_with_its_number_as_text():
    page = registration(filled())
    rows = [row for row in page.iter_rows() if row[-1].value == "☐"]
    assert len(rows) == 14
    count, number, name, type, cost, _ = rows[1]
    assert (count.value, number.value, name.value, type.value, cost.value) == (
        4,
        "C-11",
        "Pirate C-11",
        "Character",
        "0",
    )
    assert (count.data_type, number.data_type, number.number_format) == ("n", "s", "@")
    assert ["Main deck", 50] in texts(page)


def test_every_page_says_whose_it_is_and_of_which_event():
    with zipfile.ZipFile(io.BytesIO(xlsx.write(filled({"event": "Winter & Spring"})))) as file:
        pages = [file.read(f"xl/worksheets/sheet{at}.xml").decode() for at in (1, 2)]
    assert all("ONE PIECE · Winter &amp;&amp; Spring · 2026-11-21</oddHeader>" in page for page in pages)
    assert "Last, First · 0012345678" in pages[1]
    assert xlsx.head_text("&" * 500).count("&") == 2 * 99


def test_ids_keep_their_zeros():
    (cell,) = (cell for cell in cells(registration(filled())) if cell.value == "0012345678")
    assert (cell.data_type, cell.number_format) == ("s", "@")


@pytest.mark.slow
@pytest.mark.parametrize("text", DANGEROUS)
def test_no_cell_is_ever_a_formula(text):
    fields = {"player": None, "last_name": text, "event": text, "place": text, "notes": text, "table": text[:8]}
    data = xlsx.write(filled(fields, main={"C-01": 5, text: 1}))
    for page in workbook(data).worksheets:
        assert {cell.data_type for cell in cells(page)} <= {"s", "n"}
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert all(b"<f>" not in file.read(name) for name in file.namelist() if "worksheets/" in name)
    assert text.strip() in [cell.value for cell in cells(workbook(data)["Registration"])]


def test_a_text_like_a_formula_stays_one_when_the_cell_is_edited():
    page = registration(filled({"event": "=1+1"}))
    quoted = {cell.value for cell in cells(page) if cell.quotePrefix}
    assert quoted == {"=1+1"}


def test_an_illegal_deck_is_marked_and_says_why():
    page = registration(filled(main={"C-01": 5, "XX-404": 45}))
    said = [text for row in texts(page) for text in row]
    for text in ("NOT LEGAL", "Findings", "XX-404", "Not in the catalogue"):
        assert text in said
    assert any("5-1-2-3" in str(text) for text in said)
    assert not any("copies.exceeded" in str(text) for text in said)  # the code of a rule is for programs
    banner = next(cell for cell in cells(page) if cell.value == "NOT LEGAL")
    assert banner.fill.fgColor.rgb == "FF000000"


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "size"), [("a4", 9), ("letter", 1)])
def test_it_is_ready_to_print(paper, size):
    page = registration(filled(distinct=90), paper)
    assert (page.page_setup.paperSize, page.page_setup.orientation) == (size, "portrait")
    assert page.sheet_properties.pageSetUpPr.fitToPage
    assert (page.page_setup.fitToWidth or 1, page.page_setup.fitToHeight) == (1, 0)
    assert page.print_title_rows == "$1:$2"
    assert page.print_area == f"'Registration'!$A$1:$F${page.max_row}"
    assert "&P" in page.oddFooter.right.text
    assert [text for row in texts(page) for text in row].count("☐") == 91


def test_there_are_two_slots_for_judges_and_a_line_to_sign_on():
    said = [text for row in texts(registration(filled())) for text in row]
    assert [text for text in said if str(text).startswith("For judges")] == [
        "For judges:\ndeck check 1",
        "For judges:\ndeck check 2",
    ]
    assert "Player's signature" in said


def test_the_code_on_it_is_the_decks_hash():
    found = filled()
    with zipfile.ZipFile(io.BytesIO(xlsx.write(found))) as file:
        (picture,) = (name for name in file.namelist() if name.endswith(".png"))
        assert scanned(file.read(picture)) == found.deck_hash


def test_the_code_leads_to_where_the_deck_is_checked():
    at = replace(filled().registration, address="https://decks.example/events/e1/checks/r1")
    with zipfile.ZipFile(io.BytesIO(xlsx.write(replace(filled(), registration=at)))) as file:
        (picture,) = (name for name in file.namelist() if name.endswith(".png"))
        assert scanned(file.read(picture)) == at.address


def test_the_curve_is_drawn_where_cards_have_costs():
    written = xlsx.write(filled())
    book = workbook(written)
    assert book.sheetnames == ["Registration", "Cost curve"]
    page = book["Cost curve"]
    assert texts(page)[0] == ["Cost", "Cards"]
    assert sum(row[1] for row in texts(page)[1:]) == 50
    assert has_part(written, "xl/charts/")
    assert workbook(xlsx.write(filled(main={"XX": 1}))).sheetnames == ["Registration"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["山田 太郎", "محمد علي", "Łukasz", "สมชาย", "Zoë 🎉", "-kai-", "@handle"])
def test_a_name_in_any_script_is_kept(name):
    page = registration(filled({"player": None, "last_name": name}))
    assert page["C1"].value == name


def test_rows_are_high_enough_for_what_they_say():
    page = registration(filled(main={"A" * 200: 1}))
    (row,) = (row for row in page.iter_rows() if str(row[2].value).startswith("AAA"))
    assert page.row_dimensions[row[2].row].height > 60
