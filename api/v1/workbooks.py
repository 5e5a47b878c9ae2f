"""Workbooks: spreadsheets of many decks."""

from __future__ import annotations

from flask import Response

from api.bodies import Blueprint
from api.sheets.files import KINDS
from api.workbooks import template

blueprint = Blueprint("workbooks", __name__, url_prefix="/v1/workbooks", description="Spreadsheets of many decks.")

_XLSX = KINDS["xlsx"].media_type


@blueprint.route("/template.xlsx")
@blueprint.response(
    200, {"type": "string", "format": "binary"}, content_type=_XLSX, description="A workbook with headings and help."
)
def get_template() -> Response:
    """Download the workbook to fill in.

    It has both shapes that a workbook of decks may have, a row a card and a row a deck, and a sheet that explains
    them. Any other spreadsheet with the usual headings is read as well.
    """
    named = {"Content-Disposition": 'attachment; filename="deckproof-template.xlsx"'}
    return Response(template.template(), mimetype=_XLSX, headers=named)
