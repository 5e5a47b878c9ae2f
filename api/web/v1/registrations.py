"""Registrations: a player's name and deck for an event, every revision of them, and many at once."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from api.web import event_schemas as shapes
from api.web.blueprints import Blueprint
from api.web.bodies import ETAG
from api.web.language_choice import PARAMETER
from api.web.services import services
from api.web.v1.event_requests import (
    BEARER,
    BEGUN,
    ID,
    IF_MATCH,
    ONCE,
    REGISTRATION,
    asking,
    book_doc,
    described,
    if_match,
    once,
    sent,
    sent_book,
    wished,
)

blueprint = Blueprint(
    "registrations", __name__, url_prefix="/v1/events/<id>", description="Players and their decks, for an event."
)

_PLAYERS = shapes.PlayersQuery()
_ALL, _ONE = "/registrations", "/registrations/<rid>"


@blueprint.route(_ALL, methods=["POST"], parameters=[ID])
@blueprint.doc(parameters=[ONCE, PARAMETER])
@blueprint.arguments(shapes.RegistrationShape)
@blueprint.response(201, shapes.RegisteredShape, headers=BEGUN)
@blueprint.problems(400, 403, 404, 409, 413, 415, 422)
def register(data: dict[str, Any], id: str) -> Response:
    """Register a player. Needs no key while registration is open.

    Any deck is saved, legal or not, and the verdict says at once what is wrong with it; one may be sent later, too. The
    answer has the player's own `key`, now and never again, with which the registration is changed. After the deadline
    a judge registers who comes late, with a `reason`.
    """
    at = asking(id)
    return sent(services().desk.register(at, wished(at, data, needs_name=True), once(request.get_data())))


@blueprint.route(_ALL, parameters=[ID])
@blueprint.response(200, shapes.RegistrationsShape)
@blueprint.problems(404)
def registrations(id: str) -> Response:
    """List the registrations, by name, each with its verdict as it is today.

    For judges; for others the lists that they may see, without ids and notes, and 404 as long as there may be none.
    """
    here, at = services(), asking(id)
    with here.turns:
        return sent(here.desk.registrations(at))


@blueprint.route(_ONE, parameters=[ID, REGISTRATION])
@blueprint.doc(parameters=[PARAMETER])
@blueprint.response(200, shapes.ShownRegistrationShape, headers=ETAG)
@blueprint.problems(404, 422)
def registration(id: str, rid: str) -> Response:
    """Show a registration.

    To its player and to those who run the event with all that belongs to it: until when and how often it may be
    changed, which revision counts, and the verdict, made anew. To others, if they see the list, without ids and notes.
    """
    return sent(services().desk.registration(asking(id, rid), rid))


@blueprint.route(_ONE, methods=["PUT"], parameters=[ID, REGISTRATION])
@blueprint.doc(parameters=[IF_MATCH | {"required": True}, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.RevisionShape)
@blueprint.response(200, shapes.ShownRegistrationShape, headers=ETAG)
@blueprint.problems(400, 403, 404, 409, 412, 413, 415, 422, 428)
def revise(data: dict[str, Any], id: str, rid: str) -> Response:
    """Change a registration: its player's name, its deck or both; what is left out stays.

    Every change is a revision, and the last one counts. Needs `If-Match`. After the deadline it is 403, unless the
    player has a deadline of the own, or a judge gives a `reason`.
    """
    at = asking(id, rid)
    return sent(services().desk.revise(at, rid, wished(at, data, needs_name=False), if_match()))


@blueprint.route(_ONE, methods=["PATCH"], parameters=[ID, REGISTRATION])
@blueprint.doc(parameters=[IF_MATCH, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.SettlingShape)
@blueprint.response(200, shapes.ShownRegistrationShape, headers=ETAG)
@blueprint.problems(400, 404, 409, 412, 413, 415, 422)
def settle(data: dict[str, Any], id: str, rid: str) -> Response:
    """Let one player in late, by a deadline of the own, or say who is in the top cut and sits where. For judges.

    The player alone may change the own `email` so, at any time; "" deletes it.
    """
    at = asking(id, rid)
    said = described({key: value for key, value in data.items() if key != "reason"}, at.event)
    return sent(services().desk.settle(at, rid, said, data.get("reason", ""), if_match()))


@blueprint.route(_ONE, methods=["DELETE"], parameters=[ID, REGISTRATION])
@blueprint.doc(security=BEARER)
@blueprint.response(204)
@blueprint.problems(403, 404)
def withdraw(id: str, rid: str) -> Response:
    """Delete a registration with all that is known of the player.

    For the player until the deadline, and for the organiser.
    """
    return sent(services().desk.withdraw(asking(id, rid), rid))


@blueprint.route(f"{_ONE}/revisions", parameters=[ID, REGISTRATION])
@blueprint.doc(security=BEARER)
@blueprint.response(200, shapes.RevisionsShape)
@blueprint.problems(404)
def revisions(id: str, rid: str) -> Response:
    """Show every revision: when, by whom, why, and which cards came in and went out. For the player and judges.

    Marked are the one that counts and the one that stood at the deadline.
    """
    return sent(services().desk.revisions(asking(id, rid), rid))


@blueprint.route(f"{_ONE}/data", parameters=[ID, REGISTRATION])
@blueprint.doc(security=BEARER)
@blueprint.response(200, shapes.PlayerDataShape)
@blueprint.problems(404)
def player_data(id: str, rid: str) -> Response:
    """Export all that is known of one player. For the player and the organiser."""
    return sent(services().desk.player_data(asking(id, rid), rid))


@blueprint.route(f"{_ONE}/key", methods=["POST"], parameters=[ID, REGISTRATION])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.response(201, shapes.PlayerKeyShape)
@blueprint.problems(404, 409, 422)
def renew_key(id: str, rid: str) -> Response:
    """Make a new key for a player; the old one holds no longer. For judges."""
    return sent(services().desk.renew_key(asking(id, rid), rid, once(request.get_data())))


@blueprint.route(f"{_ALL}:import", methods=["POST"], parameters=[ID])
@blueprint.doc(**book_doc(shapes.PlayersForm, shapes.PlayersQuery))
@blueprint.response(200, shapes.ImportedShape)
@blueprint.problems(400, 403, 404, 409, 413, 415, 422)
def import_players(id: str) -> Response:
    """Take in a spreadsheet of players, with their lists or without. For the organiser.

    XLSX, ODS or CSV in any shape that `POST /v1/workbooks` reads. Who is registered already, by id or else by name,
    gets a revision, and who is not is registered; the answer has their keys, now and never again, and names by row and
    column what could not be read. All of it is taken in, or nothing.
    """
    at = asking(id)
    sheet = sent_book(at, _PLAYERS)
    return sent(services().desk.import_players(at, sheet.book, sheet.fields.get("reason", ""), once(sheet.content)))
