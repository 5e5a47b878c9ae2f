import io
import struct
import zipfile

import openpyxl
import pytest

from api.service.languages import language
from carddb.errors import WorkbookError
from carddb.files import archives
from carddb.files.archives import Odd, check_archive
from carddb.files.spreadsheets import cell_text, read_workbook
from tests.carddb.raw_workbooks import pack_parts, raw_xlsx, sheet, texts
from tests.cost import time_limit
from validator.errors import error_text

ONE = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'


def cell(reference, value="1"):
    return sheet(f'<row r="1"><c r="{reference}"><v>{value}</v></c></row>')


def refusal(data):
    with pytest.raises(WorkbookError) as refused:
        check_archive(data)
    return str(refused.value)


def rows(data):
    return [[list(map(cell_text, row)) for row in one.rows] for one in read_workbook(data, "x.xlsx")]


def test_a_small_workbook_is_read():
    assert rows(raw_xlsx(sheet(ONE))) == [[["one"]]]


def test_what_openpyxl_writes_is_plain():
    book = openpyxl.Workbook()
    book.active.append(["Player", "Count", 4, 4.5, True, "=1+1" and "text", "a < b & \"c\" 'd'"])
    book.active["A1"].font = openpyxl.styles.Font(bold=True)
    out = io.BytesIO()
    book.save(out)
    parts = zipfile.ZipFile(io.BytesIO(out.getvalue()))
    assert all(archives._is_plain(parts.read(name)) for name in parts.namelist())
    assert rows(out.getvalue())[0][0][:4] == ["Player", "Count", "4", "4.5"]


@pytest.mark.parametrize(
    "reference",
    ["XFD1048576", "A100001", "XFD1", "GS1", "Z100001", "GR100000", "AAAA1", "A99999999", "a1048576", "A0001048576"],
)
def test_a_cell_far_away_is_refused_before_anything_is_laid_out(reference):
    assert refusal(raw_xlsx(cell(reference)))


@pytest.mark.parametrize(
    "rows",
    [
        "<row r='1048576'><c><v>1</v></c></row>",
        "<row r='1'><c r='XFD1048576'><v>1</v></c></row>",
        '<row r="1"><c  r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c\tr="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c s="1" r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c r="A1" r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c r="A1"r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c r="A1" s="1" r = "XFD1048576"><v>1</v></c></row>',
        '<row r="1"><x:c xmlns:x="y" r="XFD1048576"><v>1</v></x:c></row>',
        '<row r="1"><!-- --><c r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c r="XFD1048576" t="inlineStr"><is/></c></row>',
        '<row r="1"><c r="XFD1048576" t="str"><f>1</f><v></v></c></row>',
    ],
)
def test_a_far_cell_is_found_however_it_is_written(rows):
    assert refusal(raw_xlsx(sheet(rows)))


def test_a_far_cell_that_holds_nothing_is_passed_over():
    far = '<c r="XFD1048576" s="3"/>'
    assert rows(raw_xlsx(sheet(ONE + f'<row r="1048576">{far}</row>'))) == [[["one"]]]
    assert rows(raw_xlsx(sheet("<!-- -->" + ONE + f'<row r="1048576">{far}</row>'))) == [[["one"]]]


@pytest.mark.parametrize("reference", ["Z100000", "GR20000"])
def test_the_last_cells_that_are_read(reference):
    assert check_archive(raw_xlsx(cell(reference)))


@pytest.mark.parametrize("part", ["xl__worksheets__sheet1.xml", "xl__sharedStrings.xml", "docProps__app.xml"])
@pytest.mark.parametrize("kind", ['<!DOCTYPE x [<!ENTITY a "b">]>', '<!DOCTYPE x SYSTEM "file:///etc/passwd">'])
def test_a_doctype_is_refused_in_every_part(part, kind):
    assert "DOCTYPE" in refusal(raw_xlsx(sheet(ONE), **{part: f"{kind}<x/>"}))


def test_entities_that_grow_are_refused():
    lol = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    assert "DOCTYPE" in refusal(raw_xlsx(sheet("<row><c><v>&b;</v></c></row>", head=lol)))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_parts_in_another_encoding_are_refused(encoding):
    assert refusal(raw_xlsx(cell("XFD1048576").encode(encoding)))


def test_a_long_text_that_many_cells_share_is_refused():
    cells = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(1, 2001))
    assert "text" in refusal(raw_xlsx(sheet(cells), texts("x" * 60_000)))


def test_a_long_text_that_few_cells_share_is_read():
    cells = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>1</v></c></row>' for row in range(1, 2001))
    assert check_archive(raw_xlsx(sheet(cells), texts("x" * 60_000, "short")))


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    assert "zip bomb" in refusal(raw_xlsx(sheet("<row/>" * 4_000_000)))


@pytest.mark.parametrize("limit", ["LARGEST_PART", "LARGEST_WORKBOOK"])
def test_more_than_can_be_needed_is_refused_before_it_is_unpacked(limit, monkeypatch):
    monkeypatch.setattr(archives, limit, 1000)
    assert "at most" in refusal(raw_xlsx(sheet(ONE + " " * 1000)))


def test_the_reason_of_the_damage_is_translated():
    with pytest.raises(WorkbookError) as refused:
        check_archive(b"PK\x03\x04 no archive")
    german = language("de").text(error_text(refused.value))
    assert german == "ist eine beschädigte Arbeitsmappe (die Datei ist kein ZIP-Archiv)"


@pytest.mark.slow
def test_a_million_rows_are_refused_in_rows():
    head = '<worksheet><dimension ref="A1:F1000001"/>'
    assert "1,000,001 rows" in refusal(raw_xlsx(head + " " * (archives.LARGEST_PART + 1)))


def test_too_many_parts_are_refused():
    assert "2,00" in refusal(raw_xlsx(sheet(ONE), **{f"a{at}": "" for at in range(archives.MOST_PARTS)}))


def test_a_size_that_lies_is_no_way_in():
    whole = raw_xlsx(sheet(ONE + " " * 100_000))
    lying = whole.replace(struct.pack("<I", len(sheet(ONE + " " * 100_000))), struct.pack("<I", 10))
    assert lying != whole
    assert "damaged" in refusal(lying)


def test_two_parts_of_one_name_are_refused():
    out = io.BytesIO(raw_xlsx(sheet(ONE)))
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("xl/worksheets/sheet1.xml", cell("XFD1048576"))
    assert "one name" in refusal(out.getvalue())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
        (raw_xlsx(sheet(ONE))[:300], "damaged"),
        (b"PK\x03\x04", "damaged"),
        (pack_parts({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>"}), "no .xlsx"),
        (pack_parts({}) + b"PK\x03\x04", "no .xlsx"),
        (raw_xlsx(sheet(ONE), **{"xl__workbook.bin": b"x"}), "no .xlsx"),
        (
            raw_xlsx(sheet(ONE), **{"[Content_Types].xml": "<Types>x.macroEnabled.main+xml</Types>"}),
            "macros",
        ),
        (raw_xlsx("<worksheet><row>" + "<!-- -->"), "damaged"),
    ],
)
def test_what_is_no_workbook_is_refused_in_words(data, said):
    assert said in refusal(data)


def test_a_protected_archive_is_refused():
    data = bytearray(raw_xlsx(sheet(ONE)))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    assert "password" in refusal(bytes(data))


def test_errors_and_formulas_without_a_value_are_told_by_their_place():
    odd = sheet(
        '<row r="2"><c r="B2" t="e"><v>#REF!</v></c><c r="C2"><f>1+1</f></c><c r="D2"><f>1+1</f><v>2</v></c>'
        '<c r="E2"><f t="shared" si="0"/><v/></c><c r="F2" t="str"><f>""</f><v></v></c></row>'
    )
    assert check_archive(raw_xlsx(odd)).odd == {"Decks": [Odd(2, 2, "#REF!"), Odd(2, 3, ""), Odd(2, 5, "")]}


@pytest.mark.parametrize(
    ("odd", "value"),
    [
        ('<c r="B2" t="e"><v>#REF!</v></c>', "#REF!"),
        ('<c r="B2" s="1" t="e"><v>#N/A</v></c>', "#N/A"),
        ('<c r="B2"><f>1+1</f></c>', ""),
        ('<c r="B2"><f t="shared" si="0"/></c>', ""),
    ],
)
def test_one_odd_cell_among_others_is_told(odd, value):
    others = "".join(f'<c r="{letter}2"><v>1</v></c>' for letter in "CDE")
    assert check_archive(raw_xlsx(sheet(f'<row r="2">{odd}{others}</row>'))).odd == {"Decks": [Odd(2, 2, value)]}


def test_formulas_that_never_end_are_looked_through_once():
    with time_limit(1):
        check_archive(raw_xlsx(sheet("<f " * 1_000_000)))  # what reads it next says that it is damaged


def test_formulas_with_values_are_not_odd():
    assert not check_archive(raw_xlsx(sheet('<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>'))).odd


def test_too_many_odd_cells_are_refused():
    cells = "".join(f'<c r="A{row}" t="e"><v>#N/A</v></c>' for row in range(1, archives.MOST_ODD + 2))
    assert "errors" in refusal(raw_xlsx(sheet(f"<row>{cells}</row>")))
