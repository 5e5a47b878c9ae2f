"""Sheets: a deck registered for an event, as a file to print."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.service.errors import Invalid
from api.service.errors import Wrong
from api.service.requests import Validation
from api.service.shapes import loaded
from api.sheets import files
from api.sheets.registration import Registration
from api.sheets.sheet import Sheet
from api.sheets.sheet import sheet
from api.web import schemas
from api.web.bodies import Blueprint
from api.web.bodies import json_body
from api.web.downloads import accepted
from api.web.downloads import file_headers
from api.web.services import services

blueprint = Blueprint("sheets", __name__, url_prefix="/v1/sheets", description="Decks registered for an event.")

_SHAPE = schemas.SheetShape()
_FILE = {"schema": {"type": "string", "format": "binary"}}
_HEADERS = {
    "Deckproof-Legal": {"schema": {"type": "boolean"}, "description": "The verdict on the deck."},
    "Deckproof-Warning": {"schema": {"type": "string"}, "description": "What could not be drawn as it was written."},
}


@blueprint.route("", methods=["POST"])
@blueprint.doc(
    requestBody={"required": True, "content": {"application/json": {"schema": schemas.SheetShape}}},
    responses={200: {"content": {kind.media_type: _FILE for kind in files.KINDS.values()}}},
)
@blueprint.arguments(schemas.SheetQuery, location="query")
@blueprint.response(200, headers=_HEADERS, description="The sheet, of a legal and of an illegal deck alike.")
@blueprint.problems(400, 413, 415, 422)
def make(query: dict[str, Any]) -> Response:
    """Make a registration sheet.

    A validate request with the player and the event. An illegal deck gets a sheet that is plainly marked so and lists
    what is wrong. A character that no font has is written as its code point, and `Deckproof-Warning` names it.
    """
    wanted, person = _read(json_body())
    here = services()
    verdict = here.judges.verdict(wanted)
    here.metrics.judged(verdict)
    kind = query.get("kind") or accepted({of: kind.media_type for of, kind in files.KINDS.items()}, "pdf")
    with here.turns:
        return _answer(sheet(person, verdict), kind, query["paper"])


def _read(data: Any) -> tuple[Validation, Registration]:
    """Return what is to be judged, for the event's day where no other is named, and who brings it."""
    try:
        wanted: Validation = loaded(_SHAPE, data)
    except Invalid as error:
        raise Invalid([*error.errors, *_wrong(data)]) from None
    person = Registration.read(data)
    return wanted._replace(asked=wanted.asked._replace(on=wanted.asked.on or person.date)), person


def _wrong(data: Any) -> list[Wrong]:
    """Return what is wrong with the registration, of a request that is wrong already."""
    if isinstance(data, dict):
        try:
            Registration.read(data)
        except Invalid as error:
            return error.errors
    return []


def _answer(found: Sheet, kind: str, paper: str) -> Response:
    headers = file_headers(files.file_name(found, kind))
    headers["Deckproof-Legal"] = str(found.legal).lower()
    for warning in files.warnings(found, kind):
        headers.add("Deckproof-Warning", warning)
    headers["Vary"] = "Accept"
    written = files.KINDS[kind]
    return Response(written.write(found, paper), content_type=written.media_type, headers=headers)
