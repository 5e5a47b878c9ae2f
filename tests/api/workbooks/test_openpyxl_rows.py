"""What is used of openpyxl's private parts; where a release of it fails here, `openpyxl_rows` is what to change."""

import io
import tempfile

import openpyxl
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font

from api.workbooks.openpyxl_rows import RowSheet, alike, forget, set_text


def filled(book, *values):
    sheet = RowSheet(book, "Rows")
    cells = [WriteOnlyCell(sheet) for _ in values]
    for cell, value in zip(cells, values, strict=True):
        set_text(cell, value)
    sheet.append([None, *cells])
    return cells


def test_rows_are_written_where_they_stand_and_as_text():
    book, out = openpyxl.Workbook(write_only=True), io.BytesIO()
    filled(book, "=1+1", "#REF!", "4")
    book.save(out)
    [row] = openpyxl.load_workbook(out)["Rows"].iter_rows()
    assert [(cell.value, cell.data_type) for cell in row] == [(None, "n"), ("=1+1", "s"), ("#REF!", "s"), ("4", "s")]


def test_a_cell_of_the_same_style_is_one_of_its_own():
    cell = WriteOnlyCell(RowSheet(openpyxl.Workbook(write_only=True), "Rows"))
    cell.font = Font(bold=True)
    own = alike(cell)
    own.quotePrefix = True
    assert (own.font.bold, own.quotePrefix, cell.quotePrefix) == (True, True, False)


def test_a_workbook_that_is_given_up_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    book = openpyxl.Workbook(write_only=True)
    filled(book, "x")
    assert list(tmp_path.iterdir())
    forget(book)
    assert not list(tmp_path.iterdir())
