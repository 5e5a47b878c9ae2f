import pytest

from api.service.errors import Refused
from api.workbooks.intake import book_reader as reading
from api.workbooks.intake import grids
from carddb.files import spreadsheets
from tests.api.workbooks.files import HEAD, book_of, xlsx
from tests.carddb.raw_workbooks import pack_parts, raw_xlsx, sheet


def refusal(data, name="decks.xlsx"):
    with pytest.raises(Refused) as refused:
        book_of(data, name)
    assert str(refused.value).startswith(name)
    assert str(refused.value).endswith(".")
    return str(refused.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \r\n", "empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "old .xls or a password-protected"),
        (xlsx([HEAD])[:700], "damaged"),
        (pack_parts({"mimetype": "no workbook"}), "no .xlsx"),
        (raw_xlsx("<!DOCTYPE x>" + sheet("<row/>")), "DOCTYPE"),
        (raw_xlsx(sheet('<row r="1"><c r="XFD1048576"><v>1</v></c></row>')), "beyond row 100,000"),
        (raw_xlsx(sheet("<row/>" * 4_000_000)), "zip bomb"),
        (raw_xlsx(sheet('<row><c r="A1" t="n"><v>four</v></c></row>')), "damaged"),
        (raw_xlsx(sheet('<row><c r="A1" t="s"><v>99</v></c></row>')), "damaged"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), "neither text nor a spreadsheet"),
        (b"<!DOCTYPE html><table><tr><td>4 Nami</td></tr></table>", "web page"),
        (b"Player,Count\nZoro,\0", "neither text nor a spreadsheet"),
        (b"x" * (grids.LARGEST_FILE + 1), "32 MB"),
        (b'Player,Number,Count\nZoro,"OP01-016,4\n' + b"Nami,ST01-011,4\n" * 10, "row 2: a quotation mark opens"),
        (b'Player,Number,Count\nZoro,"' + b"x" * 140_000 + b'",4\n', "row 2: a cell has more than"),
        (b"a," * 300 + b"\n", "301 columns"),
    ],
)
def test_what_is_not_read_at_all_is_refused_in_a_sentence(data, said):
    assert said in refusal(data)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [100_001, 1_000_000])
def test_too_many_rows_are_refused(rows):
    data = "Player,Number,Count\n" + "Zoro,OP01-016,4\n" * rows
    assert "more than 100,000 rows" in refusal(data.encode(), "decks.csv")


@pytest.mark.slow
def test_a_million_rows_of_xlsx_are_refused_in_rows():
    head = '<worksheet><dimension ref="A1:C1000000"/><sheetData>'
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>Zoro</t></is></c></row>' * 1_000_000
    data = raw_xlsx(head + rows + "</sheetData></worksheet>")
    assert "1,000,000 rows; at most 100,000" in refusal(data)


@pytest.mark.slow
def test_rows_are_counted_over_all_sheets():
    far = [*[[]] * 59_999, ["x"]]
    assert "on its sheets together" in refusal(xlsx({"A": far, "B": far}))


def test_too_many_decks_are_refused(monkeypatch):
    monkeypatch.setattr(reading, "MOST_DECKS", 2)
    decks = "Player,Decklist\n" + "".join(f"P{at},4 OP01-016\n" for at in range(3))
    assert "more than 2 decks" in refusal(decks.encode(), "decks.csv")


def test_too_many_sheets_are_refused(monkeypatch):
    monkeypatch.setattr(spreadsheets, "MOST_SHEETS", 2)
    assert "3 sheets" in refusal(xlsx({"A": [], "B": [], "C": []}))


def test_files_without_a_deck_are_read_and_told():
    assert book_of(xlsx({"A": []})).entries == []
    book = book_of("hello, world\nhow do you do\n")
    assert (book.entries, book.rows.unread) == ([], 2)
    assert "neither the headings" in book.faults[0].message
