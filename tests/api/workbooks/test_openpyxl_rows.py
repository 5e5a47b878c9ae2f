"""What is used of openpyxl's private parts; where a release of it fails here, `openpyxl_rows` is what to change."""

import io
import tempfile

import openpyxl
import pytest
from openpyxl.styles import Font

from api.workbooks.reporting.openpyxl_rows import RowSheet, remove_temporary_files


def saved_rows(*rows, height=None):
    book, out = openpyxl.Workbook(write_only=True), io.BytesIO()
    sheet = RowSheet(book, "Rows")
    plain = sheet.style()
    for row in rows:
        sheet.add_row([(plain, value) for value in row], height)
    book.save(out)
    return openpyxl.load_workbook(out)["Rows"]


def test_rows_are_written_where_they_stand_and_as_text():
    [row] = saved_rows([None, "=1+1", "#REF!", "4", 4]).iter_rows()
    assert [(cell.value, cell.data_type) for cell in row] == [
        *((None, "n"), ("=1+1", "s"), ("#REF!", "s"), ("4", "s"), (4, "n"))
    ]


def test_texts_come_back_as_they_are():
    texts = [" a ", "a < b & c > d", "line\nline", "]]>", '"x"', "陽菜 山田", "😀"]
    assert [cell.value for cell in next(saved_rows(texts).iter_rows())] == texts


@pytest.mark.slow
def test_very_many_rows_are_kept_in_a_file_and_stand_in_their_order():
    rows = [
        cells[0] for cells in saved_rows(*([f"{at:09}" * 1_000] for at in range(1_200))).iter_rows(values_only=True)
    ]
    assert [text[:9] for text in rows] == [f"{at:09}" for at in range(1_200)]


def test_a_row_may_be_high_and_a_sheet_without_rows_is_one():
    assert saved_rows(["a"], height=30).row_dimensions[1].height == 30
    assert list(saved_rows().iter_rows()) == []


def test_a_style_is_told_by_its_looks():
    book, out = openpyxl.Workbook(write_only=True), io.BytesIO()
    sheet = RowSheet(book, "Rows")
    sheet.add_row([(sheet.style("@", is_text=True, font=Font(bold=True)), "=1"), (sheet.style(), "b")])
    book.save(out)
    bold, plain = next(openpyxl.load_workbook(out)["Rows"].iter_rows())
    assert [(one.font.bold, one.quotePrefix, one.number_format) for one in (bold, plain)] == [
        (True, True, "@"),
        (False, False, "General"),
    ]


def test_a_workbook_that_is_given_up_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    book = openpyxl.Workbook(write_only=True)
    sheet = RowSheet(book, "Rows")
    sheet.add_row([(0, "x")])
    sheet.close()
    assert list(tmp_path.iterdir())
    remove_temporary_files(book)
    assert not list(tmp_path.iterdir())
