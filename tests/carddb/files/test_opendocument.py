"""OpenDocument spreadsheets from strangers: read, or refused in a sentence, in little time and memory."""

import io
import random
import tracemalloc
import zipfile

import pytest

from carddb.bounds import MOST_ROWS
from carddb.errors import WorkbookError
from carddb.files import packed_files, spreadsheets
from tests.cost import time_limit

HEAD = (
    '<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet>'
    '<table:table table:name="Decks">'
)
TAIL = "</table:table></office:spreadsheet></office:body></office:document-content>"
CELL = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
ROW = f"<table:table-row>{CELL.format('Nami')}</table:table-row>"


def ods(content, media_type=spreadsheets.MEDIA_TYPE, name="content.xml"):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", media_type, zipfile.ZIP_STORED)
        archive.writestr(name, content)
    return out.getvalue()


def rows(content):
    [sheet] = spreadsheets.read_open_document(ods(HEAD + content + TAIL))
    return sheet.rows


def refusal(data):
    """Why a file is refused: soon, and without taking more than a few times what it may unpack to."""
    with time_limit(5):  # whose yardstick is not traced
        tracemalloc.start()
        try:
            with pytest.raises(WorkbookError) as refused:
                spreadsheets.read_open_document(data)
            assert tracemalloc.get_traced_memory()[1] < 300 << 20
        finally:
            tracemalloc.stop()
    return str(refused.value)


def test_what_is_repeated_is_there_as_often_and_what_is_blank_takes_no_room():
    repeated = '<table:table-row table:number-rows-repeated="2">' + CELL.format("4") + "</table:table-row>"
    blank = '<table:table-row table:number-rows-repeated="1048576"><table:table-cell/></table:table-row>'
    wide = '<table:table-row><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    assert rows(ROW + repeated + wide + blank) == [["Nami"], ["4"], ["4"]]


def test_blank_rows_and_cells_between_others_keep_their_places():
    blank = '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>'
    apart = '<table:table-row><table:table-cell table:number-columns-repeated="2"/>' + CELL.format("4")
    assert rows(ROW + blank + apart + "</table:table-row>" + blank) == [["Nami"], [], [], [], ["", "", "4"]]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("<text:p>1 Zoro</text:p><text:p>4 Nami</text:p>", "1 Zoro\n4 Nami"),
        ("<text:p>1 Zoro<text:line-break/>4 Nami</text:p>", "1 Zoro\n4 Nami"),
        ('<text:p>4<text:s text:c="2"/>Nami<text:s/>x<text:tab/>y</text:p>', "4  Nami x y"),
        ("<office:annotation><text:p>late</text:p></office:annotation><text:p>Nami</text:p>", "Nami"),
        ("<text:p>4 Na<office:annotation><text:p>late</text:p></office:annotation>mi</text:p>", "4 Nami"),
        ("<text:p><text:span>Na</text:span>mi</text:p>", "Nami"),
    ],
)
def test_the_text_of_a_cell_has_its_lines_and_blanks_and_no_comment(cell, text):
    content = f"<table:table-row><table:table-cell>{cell}</table:table-cell></table:table-row>"
    assert rows(content) == [[text]]


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ('office:value-type="float" office:value="4.0"', "4"),
        ('office:value-type="float" office:value="4.5"', "4.5"),
        ('office:value-type="date" office:date-value="2026-11-21T00:00:00"', "2026-11-21"),
        ('office:value-type="string"', "written"),
    ],
)
def test_a_number_or_a_day_is_its_value_and_not_its_text(attributes, text):
    cell = f"<table:table-cell {attributes}><text:p>written</text:p></table:table-cell>"
    assert rows(f"<table:table-row>{cell}</table:table-row>") == [[text]]


def test_errors_and_uncomputed_formulas_are_odd_and_have_no_text():
    cells = (CELL.format(text) for text in ("Nami", "#N/A", "Err:502", "4 #1"))
    formulas = '<table:table-cell table:formula="=1"/><table:table-cell table:formula="=1" office:value-type="string"/>'
    blank = '<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>'
    content = f"{blank}<table:table-row>{''.join(cells)}{formulas}</table:table-row>"
    [sheet] = spreadsheets.read_open_document(ods(HEAD + content + TAIL))
    assert sheet.rows == [[], [], ["Nami", "", "", "4 #1"]]
    assert sheet.odd == {3: [(1, "#N/A"), (2, "Err:502"), (4, "")]}


def test_merged_ranges_are_where_their_first_cells_are():
    spanned = 'table:number-rows-spanned="{}" table:number-columns-spanned="{}"'
    covered = "<table:covered-table-cell/>"
    down, right = (merged_cell(spanned.format(*cells)) for cells in ((3, 1), (1, 2)))
    first = f"<table:table-row>{CELL.format('x')}{down}{right}{covered}"
    blank = "<table:table-row><table:table-cell/></table:table-row>"
    last = f"<table:table-row>{merged_cell(spanned.format(2, 2))}{covered}</table:table-row>"
    [sheet] = spreadsheets.read_open_document(ods(f"{HEAD}{blank}{first}</table:table-row>{blank}{last}{TAIL}"))
    assert sheet.merged == [((1, 1), (3, 1)), ((1, 2), (1, 3)), ((3, 0), (4, 1))]


def merged_cell(attributes):
    return CELL.format("Nami").replace("table:table-cell>", f"table:table-cell {attributes}>", 1)


@pytest.mark.parametrize("count", ["4294967295", "99999999999999999999", "0000100001"])
@pytest.mark.parametrize(
    "row",
    [
        '<table:table-row table:number-rows-repeated="{}">' + CELL.format("Nami") + "</table:table-row>",
        '<table:table-row table:number-rows-repeated="{}"><table:table-cell/></table:table-row>' + ROW,
        '<table:table-row><table:table-cell table:number-columns-repeated="{}"><text:p>Nami</text:p>'
        "</table:table-cell></table:table-row>",
        '<table:table-row><table:table-cell table:number-columns-repeated="{}"/>'
        + CELL.format("Nami")
        + "</table:table-row>",
    ],
    ids=["rows", "blank rows above one", "columns", "blank columns before one"],
)
def test_cells_repeated_beyond_the_bounds_are_refused(row, count):
    assert "beyond row" in refusal(ods(HEAD + row.format(count) + TAIL))


@pytest.mark.parametrize("count", ["4294967295", "99999999999999999999"])
def test_blank_cells_repeated_to_the_end_of_a_sheet_take_no_room(count):
    blank_row = f'<table:table-row table:number-rows-repeated="{count}"><table:table-cell/></table:table-row>'
    blank_cell = f'<table:table-cell table:number-columns-repeated="{count}"/>'
    assert rows(f"<table:table-row>{CELL.format('Nami')}{blank_cell}</table:table-row>{blank_row}") == [["Nami"]]


@pytest.mark.parametrize("attribute", ["number-rows-repeated", "number-columns-repeated", "number-rows-spanned"])
@pytest.mark.parametrize("count", ["-1", "0", "", "two", "1.5", "²"])
def test_a_count_that_is_none_is_refused_with_its_name(attribute, count):
    element = "table:table-row" if attribute == "number-rows-repeated" else "table:table-cell"
    content = ROW.replace(f"<{element}>", f'<{element} table:{attribute}="{count}">')
    assert attribute in refusal(ods(HEAD + content + TAIL))


def test_a_cell_that_spans_more_rows_than_a_sheet_has_ends_with_the_sheet():
    spanning = '<table:table-row><table:table-cell table:number-rows-spanned="4294967295"><text:p>Nami</text:p>'
    [sheet] = spreadsheets.read_open_document(ods(HEAD + spanning + "</table:table-cell></table:table-row>" + TAIL))
    assert sheet.merged == [((0, 0), (MOST_ROWS - 1, 0))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        f'<table:table-row table:number-rows-repeated="1048576">{CELL.format("a")}</table:table-row>',
        f'<table:table-row table:number-rows-repeated="9999999"/>{ROW}',
        '<table:table-row><table:table-cell table:number-columns-repeated="9999999"/>'
        f"{CELL.format('a')}</table:table-row>",
        '<table:table-row><table:table-cell table:number-columns-repeated="201"><text:p>a</text:p></table:table-cell>'
        "</table:table-row>",
        f'<table:table-row table:number-rows-repeated="90000">{CELL.format("a" * 400)}</table:table-row>',
        f'<table:table-row table:number-rows-repeated="90000">{CELL.format("a") * 60}</table:table-row>',
        f"<table:table-row>{CELL.format('<text:s text:c=' + chr(34) + '99' + chr(34) + '/>') * 9}</table:table-row>"
        * 50_000,
        f'<table:table-row table:number-rows-repeated="90000"/>{ROW}</table:table><table:table>' * 40,
        "</table:table><table:table>" * 3_000,
        '<table:table-row><table:table-cell table:formula="=1"/></table:table-row>' * 11_000,
        "<text:span>" * 100_000 + "</text:span>" * 100_000,
    ],
    ids=[
        *("rows of a text", "blank rows above one", "blank columns before one", "columns of a text", "characters"),
        *("cells", "blanks in a text", "blank rows of many sheets", "sheets", "uncomputed formulas", "depth"),
    ],
)
def test_what_is_made_to_hurt_is_refused_soon(content):
    assert refusal(ods(HEAD + content + TAIL))


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]>',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE a SYSTEM "a.dtd">',
    ],
)
def test_a_doctype_is_refused(declaration):
    assert "DOCTYPE" in refusal(ods(declaration + HEAD + ROW + TAIL))


@pytest.mark.slow
def test_more_sheets_than_a_workbook_may_have_are_refused(monkeypatch):
    monkeypatch.setattr(spreadsheets, "MOST_SHEETS", 2)
    next_sheet = '</table:table><table:table table:name="{}">'
    two = HEAD + next_sheet.format("B") + ROW
    assert len(spreadsheets.read_open_document(ods(two + TAIL))) == 2
    with pytest.raises(WorkbookError, match="has more than 2 sheets"):
        spreadsheets.read_open_document(ods(two + next_sheet.format("C") + TAIL))


@pytest.mark.slow
def test_a_zip_bomb_is_refused():
    assert "zip bomb" in refusal(ods(HEAD + ROW * 300_000 + TAIL))


@pytest.mark.parametrize("content", ["", "<a>", "no XML", HEAD, HEAD + TAIL + TAIL, "\0"])
def test_content_that_is_none_is_damaged(content):
    assert "damaged" in refusal(ods(content))


def test_a_file_without_content_is_damaged():
    assert "no content" in refusal(ods("<a/>", name="other.xml"))


def test_a_file_with_a_password_is_refused():
    out = io.BytesIO(ods("encrypted"))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(MANIFEST[0], "<manifest><file-entry><encryption-data/></file-entry></manifest>")
    assert "password" in refusal(out.getvalue())


def test_a_file_of_another_media_type_is_no_spreadsheet():
    assert not spreadsheets.is_open_document(ods("<a/>", b"application/vnd.oasis.opendocument.text"))
    assert spreadsheets.is_open_document(ods("<a/>"))


MIMETYPE = ("mimetype", spreadsheets.MEDIA_TYPE)
CONTENT = ("content.xml", HEAD + ROW + TAIL)
MANIFEST = (
    "META-INF/manifest.xml",
    f'<manifest><file-entry media-type="{spreadsheets.MEDIA_TYPE.decode()}"/></manifest>',
)


@pytest.mark.parametrize(
    "parts",
    [(CONTENT, MIMETYPE), (("styles.xml", "<a/>" * 200), CONTENT, MIMETYPE), (CONTENT, MANIFEST), (MANIFEST, CONTENT)],
    ids=["type last", "type after the styles", "manifest last", "manifest first"],
)
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_spreadsheet_stored_in_another_order_is_read(parts, compression):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, part in parts:
            archive.writestr(name, part)
    assert spreadsheets.is_open_document(out.getvalue())
    assert not packed_files.is_packed(out.getvalue())
    assert [sheet.rows for sheet in spreadsheets.read_open_document(out.getvalue())] == [[["Nami"]]]


@pytest.mark.parametrize("content", [f"<a>{ROW}</a>", f"<a>{CELL.format('4')}</a>", "<a><annotation/></a>"])
def test_cells_outside_of_any_sheet_are_none(content):
    named = content.replace("<a>", '<a xmlns:table="t" xmlns:text="x">', 1)
    assert spreadsheets.read_open_document(ods(named)) == []


def test_a_file_damaged_anywhere_is_read_or_refused():
    chance, whole = random.Random(7), ods(HEAD + ROW * 20 + TAIL)
    for _ in range(600):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 80, 255, chance.randrange(256)))
        data = data[: chance.choice((len(data), chance.randrange(len(data))))]
        try:
            spreadsheets.read_open_document(bytes(data))
        except WorkbookError:
            continue
