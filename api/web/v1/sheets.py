"""Sheets: a deck registered for an event, as a file to print."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.service.errors import Invalid, Wrong
from api.service.requests import RequestedTerms, Validation
from api.service.shapes import load_with
from api.sheets import sheet_files
from api.sheets.registration import Event, Registration
from api.sheets.sheet import Sheet, blank, sheet
from api.web import schemas
from api.web.blueprints import Blueprint
from api.web.bodies import json_body
from api.web.components import BINARY_FILE
from api.web.responses import file_headers, preferred_kind
from api.web.services import services

blueprint = Blueprint("sheets", __name__, url_prefix="/v1/sheets", description="Decks registered for an event.")

_SHAPE = schemas.SheetShape()
_HEADERS = {
    "Deckproof-Legal": {"schema": {"type": "boolean"}, "description": "The verdict on the deck."},
    "Deckproof-Warning": {"schema": {"type": "string"}, "description": "What could not be drawn as it was written."},
}


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    requestBody={"required": True, "content": {"application/json": {"schema": schemas.SheetShape}}},
    responses={200: {"content": {kind.media_type: BINARY_FILE for kind in sheet_files.KINDS.values()}}},
)
@blueprint.arguments(schemas.FilledSheetQuery, location="query")
@blueprint.response(200, headers=_HEADERS, description="The sheet, of a legal and of an illegal deck alike.")
@blueprint.problems(400, 413, 415, 422)
def make_sheet(paper: str, names: str, kind: str = "") -> Response:
    """Make a registration sheet.

    The request is a validate request with the player and the event. The sheet of an illegal deck is clearly marked, and
    lists the findings. A character without a font is written as its code point, and `Deckproof-Warning` names it.
    """
    kind = kind or preferred_kind({name: file.media_type for name, file in sheet_files.KINDS.items()}, "pdf")
    return fill_sheet(*_read_request(json_body()), kind, paper, names)


def fill_sheet(validation: Validation, person: Registration, kind: str, paper: str, names: str = "") -> Response:
    """Judge a deck, and return its registration sheet as a download. Counts the verdict in the metrics.

    `kind` is one of KINDS, `paper` one of PAPERS. `names` is a language whose card names are printed too ("": none).
    The header Deckproof-Legal has the verdict. Raises Invalid for wrong terms or a too long deck, Busy if too many
    files are being made.
    """
    here = services()
    verdict = here.judges.verdict(validation)
    here.metrics.count_verdict(verdict)
    with here.turns:
        return _verdict_response(sheet(person, verdict, names), kind, paper)


@blueprint.route("/blank")
@blueprint.doc(
    responses={200: {"content": {sheet_files.KINDS[kind].media_type: BINARY_FILE for kind in sheet_files.BLANK}}}
)
@blueprint.arguments(schemas.BlankSheetQuery, location="query")
@blueprint.response(200, description="The sheet.")
@blueprint.problems(422)
def get_blank_sheet(game: str, paper: str, kind: str = "", **event: str) -> Response:
    """Download a sheet to fill in by hand.

    It has lines for each section of a game, and the event if the request has one. A filled-in `xlsx` can be read like
    any registration sheet.
    """
    kind = kind or preferred_kind({name: sheet_files.KINDS[name].media_type for name in sheet_files.BLANK}, "pdf")
    return blank_sheet(game, Event.read(event), kind, paper)


def blank_sheet(game: str, event: Event, kind: str, paper: str) -> Response:
    """Return a game's sheet to fill in by hand as a download. It has the sections of the ruleset on the event's day.

    An event without a day means today. `kind` is one of BLANK, `paper` one of PAPERS. Raises Busy if too many files are
    being made.
    """
    here = services()
    made = blank(here.judges.terms(RequestedTerms(game=game, on=event.day or here.judges.today().day)), event)
    with here.turns:
        return _file_response(made, kind, paper)


def _read_request(data: Any) -> tuple[Validation, Registration]:
    """Return `(validate request, registration)` of a JSON value. The event's day is the default of the day to judge by.

    Raises Invalid with the errors of both.
    """
    try:
        wanted: Validation = load_with(_SHAPE, data)
    except Invalid as error:
        raise Invalid([*error.errors, *_registration_errors(data)]) from None
    person = Registration.read(data)
    return wanted._replace(asked=wanted.asked._replace(on=wanted.asked.on or person.date)), person


def _registration_errors(data: Any) -> list[Wrong]:
    """Return the errors of the player and the event in a JSON value, empty if it has none or is no object."""
    if isinstance(data, dict):
        try:
            Registration.read(data)
        except Invalid as error:
            return error.errors
    return []


def _verdict_response(finished: Sheet, kind: str, paper: str) -> Response:
    """Return a sheet as a download. The header Deckproof-Legal is "true" or "false"."""
    answer = _file_response(finished, kind, paper)
    answer.headers["Deckproof-Legal"] = str(finished.legal).lower()
    return answer


def _file_response(finished: Sheet, kind: str, paper: str) -> Response:
    """Return a sheet as a download of a kind, with a Deckproof-Warning header for each of its warnings.

    A warning names characters that no font can draw.
    """
    headers = file_headers(sheet_files.file_name(finished, kind))
    for warning in sheet_files.warnings(finished, kind):
        headers.add("Deckproof-Warning", warning)
    headers["Vary"] = "Accept"
    written = sheet_files.KINDS[kind]
    return Response(written.write(finished, paper), content_type=written.media_type, headers=headers)
