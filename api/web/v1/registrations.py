"""Registrations: a player's name and deck for an event, every revision of them, and many at once."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response, request

from api.events.base_desk import EventAccess
from api.events.player_json import (
    ImportedJSON,
    ImportsJSON,
    MergedJSON,
    PersonalLinksJSON,
    PlayerDataJSON,
    PlayerKeyJSON,
    RegisteredJSON,
    RegistrationsJSON,
    RevisionsJSON,
    SeparatedJSON,
    ShownRegistrationJSON,
    UndoneJSON,
)
from api.events.players import player_desk
from api.events.players.duplicate_desk import DuplicateDesk, DuplicatesJSON, MergeWish
from api.events.players.import_desk import ImportDesk
from api.events.players.player_desk import LinkDesk, PersonalLink
from api.events.rights import Permission
from api.sheets.sheet_files import KINDS
from api.web import event_downloads
from api.web import event_schemas as shapes
from api.web.blueprints import Blueprint
from api.web.components import ETAG
from api.web.event_fields import parse_event_fields, parse_registration
from api.web.language_choice import PARAMETER
from api.web.public_address import event_address
from api.web.responses import private_response
from api.web.services import services
from api.web.v1.event_requests import (
    BEARER,
    BEGUN,
    ID,
    IF_MATCH,
    IF_MATCH_REQUIRED,
    ONCE,
    REGISTRATION,
    book_doc,
    if_match,
    read_once,
    require_key_permission,
    sent_book,
)

blueprint = Blueprint(
    "registrations", __name__, url_prefix="/v1/events/<id>", description="Players and their decks, for an event."
)

_PLAYERS = shapes.PlayersQuery()
_CSV = {"schema": {"type": "string", "format": "binary"}}
_LINK_FILES = {200: {"content": {"application/json": {"schema": PersonalLinksJSON}, KINDS["csv"].media_type: _CSV}}}
_IMPORT = {"in": "path", "name": "iid", "schema": {"type": "string"}, "description": "The id of the import."}
_ALL, _ONE = "/registrations", "/registrations/<rid>"


@blueprint.route(_ALL, methods=["POST"], parameters=[ID], operation_id="registerDeck")
@blueprint.doc(parameters=[ONCE, PARAMETER])
@blueprint.arguments(shapes.RegistrationShape)
@blueprint.response(201, RegisteredJSON, headers=BEGUN)
@blueprint.problems(400, 403, 404, 409, 413, 415, 422)
@require_key_permission(Permission.REGISTER_PLAYER)
def register(access: EventAccess, **fields: Any) -> Response:
    """Register a player. Needs no key while registration is open.

    Any deck is saved, legal or not, and the answer has its verdict. The deck may also be sent later. The answer has the
    player's own `key` for changes of the registration. This key is only shown in this answer. After the deadline a
    judge can register a late player with a `reason`.
    """
    return private_response(
        services().desk.register(
            access, parse_registration(access, fields, needs_name=True), read_once(request.get_data())
        )
    )


@blueprint.route(_ALL, parameters=[ID], operation_id="listRegistrations")
@blueprint.response(200, RegistrationsJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.LIST_REGISTRATIONS)
def registrations(access: EventAccess) -> Response:
    """List the registrations by name, each with its current verdict.

    Judges get all registrations. Others get the lists that they may see, without IDs and notes. They get 404 while they
    may see no lists.
    """
    here = services()
    with here.turns:
        return private_response(here.desk.registrations(access))


@blueprint.route(_ONE, parameters=[ID, REGISTRATION], operation_id="showRegistration")
@blueprint.doc(parameters=[PARAMETER])
@blueprint.response(200, ShownRegistrationJSON, headers=ETAG)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.SHOW_REGISTRATION)
def registration(access: EventAccess, rid: str) -> Response:
    """Show a registration.

    Its player and staff get all of its data: the deadline and the number of changes left, the current revision, and a
    new verdict. Others get it without ID and notes, if they may see the list.
    """
    return private_response(services().desk.registration(access, rid))


@blueprint.route(_ONE, methods=["PUT"], parameters=[ID, REGISTRATION], operation_id="reviseRegistration")
@blueprint.doc(parameters=[IF_MATCH_REQUIRED, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.RevisionShape)
@blueprint.response(200, ShownRegistrationJSON, headers=ETAG)
@blueprint.problems(400, 403, 404, 409, 412, 413, 415, 422, 428)
@require_key_permission(Permission.REVISE_REGISTRATION)
def revise(access: EventAccess, rid: str, **fields: Any) -> Response:
    """Change a registration: the name of its player, its deck, or both.

    Fields that are left out keep their values. Every change is a revision, and the last one counts. Needs `If-Match`.
    After the deadline the answer is 403, unless the player has an individual deadline or a judge gives a `reason`.
    """
    return private_response(
        services().desk.revise(access, rid, parse_registration(access, fields, needs_name=False), if_match())
    )


@blueprint.route(_ONE, methods=["PATCH"], parameters=[ID, REGISTRATION], operation_id="settleRegistration")
@blueprint.doc(parameters=[IF_MATCH, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.SettlingShape)
@blueprint.response(200, ShownRegistrationJSON, headers=ETAG)
@blueprint.problems(400, 404, 409, 412, 413, 415, 422)
@require_key_permission(Permission.SETTLE_REGISTRATION)
def settle(access: EventAccess, rid: str, reason: str = "", **fields: Any) -> Response:
    """Set the individual deadline, the top cut status, the table or the e-mail address of a player. For judges.

    The player may change only `email`, at any time. "" deletes the address.
    """
    return private_response(
        services().desk.change_settings(access, rid, parse_event_fields(fields, access.event), reason, if_match())
    )


@blueprint.route(_ONE, methods=["DELETE"], parameters=[ID, REGISTRATION], operation_id="deleteRegistration")
@blueprint.doc(security=BEARER)
@blueprint.response(204)
@blueprint.problems(403, 404, 409)
@require_key_permission(Permission.WITHDRAW_REGISTRATION)
def withdraw(access: EventAccess, rid: str) -> Response:
    """Delete a registration with all data of the player.

    For the player until the deadline, and for the organiser.
    """
    return private_response(services().desk.withdraw(access, rid))


@blueprint.route(f"{_ONE}/revisions", parameters=[ID, REGISTRATION], operation_id="listRevisions")
@blueprint.doc(security=BEARER)
@blueprint.response(200, RevisionsJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.LIST_REVISIONS)
def revisions(access: EventAccess, rid: str) -> Response:
    """List the revisions of a registration. For the player and judges.

    Each revision has its time, its key, its reason, and the added and removed cards. The current revision and the one
    at the deadline are marked.
    """
    return private_response(services().desk.revisions(access, rid))


@blueprint.route(f"{_ONE}/data", parameters=[ID, REGISTRATION], operation_id="exportPlayerData")
@blueprint.doc(security=BEARER)
@blueprint.response(200, PlayerDataJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.EXPORT_PLAYER_DATA)
def player_data(access: EventAccess, rid: str) -> Response:
    """Export all data of one player. For the player and the organiser."""
    return private_response(services().desk.player_data(access, rid))


@blueprint.route(f"{_ONE}/key", methods=["POST"], parameters=[ID, REGISTRATION], operation_id="renewPlayerKey")
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.response(201, PlayerKeyJSON)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.RENEW_PLAYER_KEY)
def renew_key(access: EventAccess, rid: str) -> Response:
    """Make a new key for a player. For judges.

    The old key is not valid any more.
    """
    return private_response(services().desk.renew_key(access, rid, read_once(request.get_data())))


@blueprint.route("/duplicates", parameters=[ID], operation_id="listDuplicates")
@blueprint.doc(security=BEARER)
@blueprint.response(200, DuplicatesJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.LIST_DUPLICATES)
def duplicates(access: EventAccess) -> Response:
    """List pairs of registrations that seem to be of the same player, with the differences of their lists. For judges.

    Both have the same player id, or the same name with the same e-mail address or the same cards. Only one of a pair
    counts in sums, draws, sheets and reminders: the one with a list, then the one with the newer list.
    """
    return private_response(DuplicateDesk(services().desk).list_duplicates(access))


@blueprint.route(f"{_ONE}/merge", methods=["POST"], parameters=[ID, REGISTRATION], operation_id="mergeRegistrations")
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.MergeShape)
@blueprint.response(200, MergedJSON, headers=ETAG)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.MERGE_REGISTRATIONS)
def merge(access: EventAccess, rid: str, other: str, list: str, reason: str = "") -> Response:
    """Merge another registration of the same player into this one, and remove the other. For judges.

    The keys of both open this one then. Blank fields are filled with those of the other. The merge is a revision of
    this registration, with the time of the merge and the `reason`, also after the deadline. The other one's deck must
    not have been checked.
    """
    wish = MergeWish(other, list, reason)
    return private_response(DuplicateDesk(services().desk).merge(access, rid, wish, read_once(request.get_data())))


@blueprint.route(
    f"{_ONE}/separate", methods=["POST"], parameters=[ID, REGISTRATION], operation_id="separateRegistrations"
)
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.SeparationShape)
@blueprint.response(200, SeparatedJSON, headers=ETAG)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.SEPARATE_REGISTRATIONS)
def separate(access: EventAccess, rid: str, other: str, reason: str = "") -> Response:
    """Mark two registrations that look like duplicates as those of two players, so that both count. For judges."""
    desk = DuplicateDesk(services().desk)
    return private_response(desk.separate(access, rid, other, reason, read_once(request.get_data())))


@blueprint.route(f"{_ALL}:import", methods=["POST"], parameters=[ID])
@blueprint.doc(**book_doc(shapes.PlayersForm, shapes.PlayersQuery))
@blueprint.response(200, ImportedJSON)
@blueprint.problems(400, 403, 404, 409, 412, 413, 415, 422)
@require_key_permission(Permission.IMPORT_PLAYERS)
def import_players(access: EventAccess) -> Response:
    """Import a spreadsheet of players, with their lists or without. For the organiser.

    XLSX, ODS, CSV or TOM's `.tdf`, in any shape that `POST /v1/workbooks` reads. A player who is registered already,
    by id or else by name, gets a revision; the others are registered. The answer has their keys, now and never again,
    and names by row and column what could not be read. All of it is imported, or nothing.

    With `dry_run` the answer is that of the import, without ids and keys, and nothing is written.
    """
    sheet = sent_book(access, _PLAYERS)
    desk, reason = ImportDesk(services().desk), sheet.fields.get("reason", "")
    if sheet.fields.get("dry_run"):
        return private_response(desk.preview(access, sheet.book, reason))
    return private_response(
        desk.import_players(access, sheet.book, reason, read_once(sheet.content), sheet.fields.get("plan", ""))
    )


@blueprint.route("/imports", parameters=[ID], operation_id="listImports")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ImportsJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.LIST_IMPORTS)
def imports(access: EventAccess) -> Response:
    """List the spreadsheets that were imported, the newest first. For the organiser."""
    return private_response(ImportDesk(services().desk).imports(access))


@blueprint.route("/imports/<iid>:undo", methods=["POST"], parameters=[ID, _IMPORT])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.UndoShape)
@blueprint.response(200, UndoneJSON)
@blueprint.problems(400, 403, 404, 409, 413, 415, 422)
@require_key_permission(Permission.UNDO_IMPORT)
def undo_import(access: EventAccess, iid: str, reason: str = "") -> Response:
    """Undo an import. For the organiser.

    Added registrations are deleted, and changed registrations get a revision as they were before. The list of expected
    players is restored too, if the import changed it. Registrations that somebody changed since the import, or
    whose imported list has a deck check, are left as they are, and listed. After the deadline a `reason` is needed.
    """
    desk = ImportDesk(services().desk)
    return private_response(desk.undo_import(access, iid, reason, read_once(request.get_data())))


@blueprint.route("/links", methods=["POST"], parameters=[ID])
@blueprint.doc(parameters=[ONCE, PARAMETER], security=BEARER, responses=_LINK_FILES)
@blueprint.arguments(shapes.NewLinksShape)
@blueprint.response(200, description="The links.")
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.RENEW_LINKS)
def renew_links(access: EventAccess, whom: str | list[str], kind: str) -> Response:
    """Make new personal links for many players. For the organiser.

    Their old links are not valid any more. The links are only shown in this answer: as JSON, as `csv` with name, ID,
    e-mail and link, or as `mail-merge`, a CSV with a letter to each player.
    """
    start = event_address(access.event.id)
    reply = LinkDesk(services().desk).renew_links(access, whom, read_once(request.get_data()))
    personal_links = [PersonalLink(**link) for link in orjson.loads(reply.body)["links"]]
    if kind == "json":
        return private_response(reply._replace(body=orjson.dumps(player_desk.links_json(personal_links, start))))
    return event_downloads.links_response(access, kind, personal_links, start)
