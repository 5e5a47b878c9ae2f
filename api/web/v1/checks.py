"""Deck checks at an event: whom to check, what lies in the box, what came of it; and the event as files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from api.events.base_desk import EventAccess
from api.events.check_json import BegunChecksJSON, ChecksJSON, NextCheckJSON, SeedJSON, ShownCheckJSON
from api.events.exports.event_files import EXPORTS, ExportedEventJSON
from api.events.judging.check_desk import CheckDesk, WantedNotes
from api.events.judging.draws import WantedDraw
from api.events.rights import Permission
from api.web import event_downloads
from api.web import event_schemas as shapes
from api.web.blueprints import Blueprint
from api.web.components import ETAG, SharedParameter
from api.web.services import services
from api.web.v1.event_requests import (
    BEARER,
    BEGUN,
    ID,
    IF_MATCH_REQUIRED,
    ONCE,
    allowed,
    described,
    files_doc,
    if_match,
    private_response,
    read_once,
)

blueprint = Blueprint(
    "checks", __name__, url_prefix="/v1/events/<id>", description="Deck checks at an event, and its files."
)

_CHECK = SharedParameter(
    "CheckId", {"in": "path", "name": "cid", "schema": {"type": "string"}, "description": "The id of the check."}
)
_WHOM = ("draw", "registration", "code")
_FILES = files_doc(EXPORTS, ExportedEventJSON)


def _desk() -> CheckDesk:
    return CheckDesk(services().desk)


@blueprint.route("/checks", methods=["POST"], parameters=[ID])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.NewChecksShape)
@blueprint.response(201, BegunChecksJSON, headers=BEGUN)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@allowed(Permission.BEGIN_CHECKS)
def begin_checks(
    access: EventAccess, draw: Mapping[str, Any] | None = None, registration: str = "", code: str = "", **fields: Any
) -> Response:
    """Begin the deck check of a player, by id or by the code of a sheet, or draw whose decks to check. For judges.

    A draw takes those first whose SHA-256 of `seed:registration` is lowest, so that everybody can draw again; each of
    them gets a check that begins when something is written of it.
    """
    notes = described(fields, access.event)
    again = read_once(request.get_data())
    if draw is not None:
        return private_response(_desk().draw(access, WantedDraw(**draw), notes, again))
    return private_response(_desk().begin(access, registration or _desk().scanned(access, code), notes, again))


@blueprint.route("/checks", parameters=[ID], operation_id="listChecks")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ChecksJSON)
@blueprint.problems(404)
@allowed(Permission.READ_CHECKS)
def checks(access: EventAccess) -> Response:
    """List the deck checks, the first one first, and how many are owed for a tenth of all decks. For judges."""
    return private_response(_desk().checks(access))


@blueprint.route("/checks:next", parameters=[ID], operation_id="showNextCheck")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.NextCheckQuery, location="query")
@blueprint.response(200, NextCheckJSON)
@blueprint.problems(404, 422)
@allowed(Permission.READ_CHECKS)
def next_check(access: EventAccess, among: str, seed: str = "", lang: str = "") -> Response:
    """Recommend whose deck to check next, and say why; the same for all who ask. For judges.

    First who was drawn and waits, then of those checked least often the first by the seed. In the `top-half` are those
    at the first half of the tables.
    """
    return private_response(_desk().next_check(access, among, seed))


@blueprint.route("/checks:seed", methods=["POST"], parameters=[ID])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.NewSeedShape)
@blueprint.response(200, SeedJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@allowed(Permission.SET_CHECK_SEED)
def set_check_seed(access: EventAccess, seed: str) -> Response:
    """Set a new seed for the order of deck checks, for all judges. For judges.

    The audit has who set the seed and when. Without a call, the event has a seed of its own. Publish the seed after the
    event: everybody can then compute the order.
    """
    return private_response(_desk().change_seed(access, seed, read_once(request.get_data())))


@blueprint.route("/checks/<cid>", parameters=[ID, _CHECK], operation_id="showCheck")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ShownCheckJSON, headers=ETAG)
@blueprint.problems(404)
@allowed(Permission.READ_CHECKS)
def check(access: EventAccess, cid: str) -> Response:
    """Show a deck check, with the cards of the registered list to be counted. For judges."""
    return private_response(_desk().check(access, cid))


@blueprint.route("/checks/<cid>", methods=["PUT"], parameters=[ID, _CHECK])
@blueprint.doc(parameters=[IF_MATCH_REQUIRED, ONCE], security=BEARER)
@blueprint.arguments(shapes.CheckedBoxShape)
@blueprint.response(200, ShownCheckJSON, headers=ETAG)
@blueprint.problems(400, 404, 409, 412, 413, 415, 422, 428)
@allowed(Permission.RECORD_CHECK)
def record_check(
    access: EventAccess,
    cid: str,
    tally: Mapping[str, Mapping[str, int]] | None = None,
    decklist: str | None = None,
    **fields: Any,
) -> Response:
    """Write what lies in the box, what came of it and when. For judges.

    What is left out stays as it is. The answer says by section what is missing and what is extra, and neither that the
    list nor that the deck is wrong; the minutes to give back; and what penalty the policy suggests, which a judge
    decides. Needs `If-Match`.
    """
    notes = WantedNotes(described(fields, access.event), tally, decklist)
    return private_response(_desk().record(access, cid, notes, if_match(), read_once(request.get_data())))


@blueprint.route("/export", parameters=[ID], operation_id="exportEvent")
@blueprint.doc(security=BEARER, responses=_FILES)
@blueprint.arguments(shapes.ExportQuery, location="query")
@blueprint.response(200, description="The file.")
@blueprint.problems(404, 422)
@allowed(Permission.EXPORT_EVENT)
def export(access: EventAccess, kind: str, paper: str, order: str, lang: str = "") -> Response:
    """Export an event, with all players, lists, deck checks and penalties as they stand. For judges."""
    return event_downloads.export(access, kind, paper, order)
