"""Workbooks over HTTP."""

import io

import openpyxl

from api.sheets.files import KINDS


def test_the_template_is_a_workbook_to_fill_in(client):
    answer = client.get("/v1/workbooks/template.xlsx")
    assert (answer.status_code, answer.mimetype) == (200, KINDS["xlsx"].media_type)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="deckproof-template.xlsx"'
    assert openpyxl.load_workbook(io.BytesIO(answer.data)).sheetnames == ["Help", "Cards", "Decks"]
