"""Deck checks at an event: the order of players, the counted decks, the outcome, and the event as files."""

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
from api.web.event_fields import parse_event_fields
from api.web.responses import private_response
from api.web.services import services
from api.web.v1.event_requests import (
    BEARER,
    BEGUN,
    ID,
    IF_MATCH_REQUIRED,
    ONCE,
    files_doc,
    if_match,
    read_once,
    require_key_permission,
)

blueprint = Blueprint(
    "checks", __name__, url_prefix="/v1/events/<id>", description="Deck checks at an event, and its files."
)

_CHECK = SharedParameter(
    "CheckId", {"in": "path", "name": "cid", "schema": {"type": "string"}, "description": "The id of the check."}
)
_FILES = files_doc(EXPORTS, ExportedEventJSON)


def _desk() -> CheckDesk:
    """Return a new desk for deck checks on the event data of the current application."""
    return CheckDesk(services().desk)


@blueprint.route("/checks", methods=["POST"], parameters=[ID])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.NewChecksShape)
@blueprint.response(201, BegunChecksJSON, headers=BEGUN)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.BEGIN_CHECKS)
def begin_checks(
    access: EventAccess, draw: Mapping[str, Any] | None = None, registration: str = "", code: str = "", **fields: Any
) -> Response:
    """Begin the deck check of a player, by id or by the code of a sheet, or draw players for deck checks.

    For judges. A draw takes the players with the lowest SHA-256 of `seed:registration`, so that everyone can repeat the
    draw. The check of a drawn player begins with its first record.
    """
    notes = parse_event_fields(fields, access.event)
    again = read_once(request.get_data())
    if draw is not None:
        return private_response(_desk().begin(access, WantedDraw(**draw), notes, again))
    return private_response(_desk().begin(access, registration or _desk().find_scanned(access, code), notes, again))


@blueprint.route("/checks", parameters=[ID], operation_id="listChecks")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ChecksJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.READ_CHECKS)
def checks(access: EventAccess) -> Response:
    """List the deck checks in order of their begin, and the number still owed for a tenth of all decks. For judges."""
    return private_response(_desk().checks(access))


@blueprint.route("/checks:next", parameters=[ID], operation_id="showNextCheck")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.NextCheckQuery, location="query")
@blueprint.response(200, NextCheckJSON)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.READ_CHECKS)
def next_check(access: EventAccess, among: str, seed: str = "", lang: str = "") -> Response:
    """Recommend the next player for a deck check, with the reason. For judges.

    Each judge gets the same answer. Drawn players who wait come first. Then come the players with the fewest checks, in
    the order of the seed. `top-half` is the players at the first half of the tables.
    """
    return private_response(_desk().next_check(access, among, seed))


@blueprint.route("/checks:seed", methods=["POST"], parameters=[ID])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.NewSeedShape)
@blueprint.response(200, SeedJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.SET_CHECK_SEED)
def set_check_seed(access: EventAccess, seed: str) -> Response:
    """Set a new seed for the order of deck checks, for all judges. For judges.

    The audit contains the key and the time of the change. By default the event has a random seed. Publish the seed
    after the event, so that everyone can compute the order.
    """
    return private_response(_desk().change_seed(access, seed, read_once(request.get_data())))


@blueprint.route("/checks/<cid>", parameters=[ID, _CHECK], operation_id="showCheck")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ShownCheckJSON, headers=ETAG)
@blueprint.problems(404, 409)
@require_key_permission(Permission.READ_CHECKS)
def check(access: EventAccess, cid: str) -> Response:
    """Show a deck check, with the cards of the registered list for counting. For judges."""
    return private_response(_desk().check(access, cid))


@blueprint.route("/checks/<cid>", methods=["PUT"], parameters=[ID, _CHECK])
@blueprint.doc(parameters=[IF_MATCH_REQUIRED, ONCE], security=BEARER)
@blueprint.arguments(shapes.CheckedBoxShape)
@blueprint.response(200, ShownCheckJSON, headers=ETAG)
@blueprint.problems(400, 404, 409, 412, 413, 415, 422, 428)
@require_key_permission(Permission.RECORD_CHECK)
def record_check(
    access: EventAccess,
    cid: str,
    tally: Mapping[str, Mapping[str, int]] | None = None,
    decklist: str | None = None,
    **fields: Any,
) -> Response:
    """Record the counted deck, the outcome and the times of a deck check. For judges.

    A field that is left out keeps its value. The answer lists by section the missing and the extra cards. It does not
    say if the list or the deck is wrong. It also has the minutes of extra time, and the penalty that the policy
    suggests. A judge decides on the penalty. Needs `If-Match`.
    """
    notes = WantedNotes(parse_event_fields(fields, access.event), tally, decklist)
    return private_response(_desk().record(access, cid, notes, if_match(), read_once(request.get_data())))


@blueprint.route("/export", parameters=[ID], operation_id="exportEvent")
@blueprint.doc(security=BEARER, responses=_FILES)
@blueprint.arguments(shapes.ExportQuery, location="query")
@blueprint.response(200, description="The file.")
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.EXPORT_EVENT)
def export(access: EventAccess, kind: str, paper: str, order: str, lang: str = "") -> Response:
    """Export an event with all players, lists, deck checks and penalties as of now. For judges."""
    return event_downloads.export_response(access, kind, paper, order)
