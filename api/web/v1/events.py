"""Events: their settings, staff and players as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from flask import Response, request
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from api.events.base_desk import EventAccess
from api.events.event_desk import RETRY_AFTER, AuditDesk, OverviewDesk, OverviewJSON
from api.events.event_json import (
    AuditJSON,
    BegunEventJSON,
    CommitmentsJSON,
    ImpactJSON,
    KeysJSON,
    MadeKeyJSON,
    OpenedListsJSON,
    ProposalImpactJSON,
    ShownEventJSON,
)
from api.events.exports.event_files import SHOWN_LISTS
from api.events.exports.flyer import FLYERS, FlyerKind
from api.events.exports.player_lists import PublishedListsJSON
from api.events.impact import ImpactDesk, Proposal
from api.events.player_json import ComparedJSON, ExpectedBookJSON, ExpectedJSON, MissingJSON, RosterJSON
from api.events.players.attendance import RosterOrder
from api.events.players.entrant import ExpectedPlayer
from api.events.players.import_desk import ImportDesk
from api.events.players.list_desk import CommitmentDesk
from api.events.players.player_desk import PlayerDesk
from api.events.rights import Permission
from api.events.storage.event_keys import ADMIN
from api.events.tournament import PUBLIC
from api.service.errors import Full, Rationed
from api.sheets.person_names import clean_text
from api.web import event_downloads
from api.web import event_schemas as shapes
from api.web.blueprints import Blueprint
from api.web.components import ETAG
from api.web.event_fields import parse_event_fields
from api.web.event_permissions import mark_unrestricted
from api.web.language_choice import PARAMETER, request_language
from api.web.public_address import event_address
from api.web.responses import private_response
from api.web.services import services
from api.web.v1.event_requests import (
    BEARER,
    BEGUN,
    ID,
    IF_MATCH,
    ONCE,
    authorize,
    bearer,
    book_doc,
    files_doc,
    if_match,
    private_download,
    read_once,
    require_key_permission,
    sent_book,
)
from validator.errors import error_text

blueprint = Blueprint("events", __name__, url_prefix="/v1/events", description="Events, and who registers for them.")

_BOOK = shapes.BookQuery()
_FILES = files_doc(SHOWN_LISTS, PublishedListsJSON)
_BINARY = {"type": "string", "format": "binary"}
_NEXT = {"Link": {"schema": {"type": "string"}, "description": "The following entries, if there are more: rel=next."}}
_KEY_ID = {"in": "path", "name": "kid", "schema": {"type": "string"}, "description": "The id of the key."}


@blueprint.route("", methods=["POST"], operation_id="createEvent")
@blueprint.doc(parameters=[ONCE, PARAMETER])
@blueprint.arguments(shapes.EventShape)
@blueprint.response(201, BegunEventJSON, headers=BEGUN)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@mark_unrestricted  # the desk checks the key of the creator
def create(confirm: bool = False, **settings: Any) -> Response:
    """Create an event.

    The answer has the keys of its organiser and of a judge, now and never again; send them from then on as
    `Authorization: Bearer KEY`. Whoever knows the `id` may register, so give it to the players and to nobody else.
    The day is at most two years ahead. A day in the past needs `confirm`. If the server needs its admin key for this,
    send it as the key. Without it the answer is 404, or 429 after too many events of strangers.
    """
    with _limiting_creation():
        sending = read_once(request.get_data())
        return private_response(
            services().events.create(parse_event_fields(settings), bearer(), sending, request_language(), confirm)
        )


@contextmanager
def _limiting_creation() -> Iterator[None]:
    """Return a context in which full limits of events raise HTTP errors with Retry-After.

    Rationed (clients without the admin key have created all events that they may) becomes TooManyRequests, Full becomes
    ServiceUnavailable.
    """
    try:
        yield
    except Rationed as error:
        raise TooManyRequests(error_text(error), retry_after=RETRY_AFTER) from None
    except Full as error:
        raise ServiceUnavailable(error_text(error), retry_after=RETRY_AFTER) from None


@blueprint.route("/<id>/copies", methods=["POST"], parameters=[ID])
@blueprint.doc(parameters=[ONCE, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.EventCopyShape)
@blueprint.response(201, BegunEventJSON, headers=BEGUN)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.COPY_EVENT)
def copy_event(
    access: EventAccess, players: bool, admin_key: str = "", confirm: bool = False, **settings: Any
) -> Response:
    """Create the next event from an earlier one, with its settings and optionally its players. For the organiser.

    Day, deadlines and keys are those of the new event. The players become expected players, with ID and e-mail. No
    registration and no list is copied. If the server requires the admin key for new events, send it as `admin_key`.
    """
    admin_key = admin_key or (bearer() if access.caller.role == ADMIN else "")
    changes = parse_event_fields(settings, access.event)
    with _limiting_creation():
        sending = read_once(request.get_data())
        return private_response(services().events.copy_event(access, changes, players, admin_key, sending, confirm))


@blueprint.route("", operation_id="findEvent")
@blueprint.arguments(shapes.CodeQuery, location="query")
@blueprint.response(200, ShownEventJSON, headers=ETAG)
@blueprint.problems(404, 409, 422)
@mark_unrestricted  # the event is known only after its code
def join(code: str, lang: str = "") -> Response:
    """Show the event with a join code. Needs no key.

    The flyer has this code for players who cannot scan. After too many wrong codes and keys from an address, every code
    is 429, also a correct one.
    """
    here = services().events
    return private_response(here.show(authorize(Permission.FIND_EVENT, here.find_event(code))))


@blueprint.route("/<id>/flyer", parameters=[ID], operation_id="getFlyer")
@blueprint.doc(responses={200: {"content": {kind: {"schema": _BINARY} for kind in FLYERS.values()}}})
@blueprint.arguments(shapes.FlyerQuery, location="query")
@blueprint.response(200, description="The flyer.")
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.PRINT_FLYER)
def flyer(access: EventAccess, kind: FlyerKind, paper: str, lang: str = "") -> Response:
    """Draw the flyer of an event with its deadline and a code to scan for registration. Needs no key."""
    return event_downloads.flyer_response(access, kind, paper)


@blueprint.route("/<id>", parameters=[ID], operation_id="showEvent")
@blueprint.doc(parameters=[PARAMETER])
@blueprint.response(200, ShownEventJSON, headers=ETAG)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.SHOW_EVENT)
def show(access: EventAccess) -> Response:
    """Show an event: the game, the day, the deadline for lists, and the visibility of lists. Needs no key."""
    return private_response(services().events.show(access))


@blueprint.route("/<id>", methods=["PATCH"], operation_id="changeEvent")
@blueprint.doc(parameters=[IF_MATCH, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.EventChangeShape)
@blueprint.response(200, ShownEventJSON, headers=ETAG)
@blueprint.problems(400, 404, 409, 412, 413, 415, 422)
@require_key_permission(Permission.CHANGE_EVENT)
def change(access: EventAccess, reason: str = "", confirm: bool = False, **settings: Any) -> Response:
    """Change an event. For the organiser.

    Settings that are left out keep their values. A later `closes` opens registration again. All verdicts are computed
    again with the new terms. A new day is at most two years ahead.
    """
    return private_response(
        services().events.change(access, parse_event_fields(settings, access.event), reason, if_match(), confirm)
    )


@blueprint.route("/<id>", methods=["DELETE"], operation_id="deleteEvent")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.DeletionQuery, location="query")
@blueprint.response(204)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.DELETE_EVENT)
def delete(access: EventAccess, now: str) -> Response:
    """Delete an event with all data of the event and its players. For the organiser.

    From then on the event is 404, except for the keys of its organiser and the admin. For these keys, GET shows the day
    of its removal as `deleted_on`, and `POST …/restore` restores the event until that day. With `now=true` the event is
    removed at once, and cannot be restored.
    """
    return private_response(services().events.delete(access, now == "true"))


@blueprint.route("/<id>/restore", methods=["POST"], parameters=[ID], operation_id="restoreEvent")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ShownEventJSON, headers=ETAG)
@blueprint.problems(404, 409)
@require_key_permission(Permission.RESTORE_EVENT)
def restore(access: EventAccess) -> Response:
    """Restore a deleted event that is not removed yet, with all its data. For the organiser.

    The days until its deletion begin again. If the event is not deleted, nothing changes.
    """
    return private_response(services().events.restore(access))


@blueprint.route("/<id>/overview", parameters=[ID], operation_id="showOverview")
@blueprint.doc(parameters=[PARAMETER], security=BEARER)
@blueprint.response(200, OverviewJSON)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.SHOW_OVERVIEW)
def overview(access: EventAccess) -> Response:
    """Show the numbers of an event, the time to its deadline and the next step of its staff. For judges."""
    return private_response(OverviewDesk(services().desk).overview(access))


@blueprint.route("/<id>/missing", parameters=[ID], operation_id="listMissingPlayers")
@blueprint.doc(parameters=[PARAMETER], security=BEARER)
@blueprint.response(200, MissingJSON)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.LIST_MISSING)
def missing(access: EventAccess) -> Response:
    """Show registered players without a list, expected players without a registration, and a reminder. For judges."""
    return private_response(PlayerDesk(services().desk).list_missing(access, event_address(access.event.id)))


@blueprint.route("/<id>/missing", methods=["POST"], operation_id="comparePlayers")
@blueprint.doc(parameters=[ONCE, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.ComparisonShape)
@blueprint.response(200, ComparedJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.COMPARE_PLAYERS)
def compare(access: EventAccess, players: list[str]) -> Response:
    """Compare the registered players with a list of players. For judges.

    Names match in any order of first and last name. The answer has the players with a list, the registered players
    without a list, the players who did not register, the players who were not expected, and a reminder for the missing
    players. The list is not stored. Only the answer to a repeatable request is stored for a day.
    """
    desk, page = PlayerDesk(services().desk), event_address(access.event.id)
    return private_response(desk.compare(access, players, read_once(request.get_data()), page))


@blueprint.route("/<id>/expected", parameters=[ID], operation_id="listExpectedPlayers")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ExpectedJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.LIST_EXPECTED)
def expected(access: EventAccess) -> Response:
    """Show the expected players, and which of them have registered. For judges."""
    return private_response(PlayerDesk(services().desk).list_expected(access))


@blueprint.route("/<id>/expected", methods=["PUT"], parameters=[ID], operation_id="setExpectedPlayers")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.ExpectingShape)
@blueprint.response(200, ExpectedJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.CHANGE_EXPECTED)
def expect(access: EventAccess, players: list[str]) -> Response:
    """Set the list of expected players. For the organiser.

    The new list replaces the list before. An empty list deletes it. Each line names a player, in the form of a pasted
    list. A player on the list is missing until the player registers.
    """
    names = (clean_text(name) for name in players)
    return private_response(
        PlayerDesk(services().desk).expect(access, [ExpectedPlayer(name) for name in names if name])
    )


@blueprint.route("/<id>/expected:import", methods=["POST"], parameters=[ID], operation_id="importExpectedPlayers")
@blueprint.doc(**book_doc(shapes.BookForm, shapes.BookQuery))
@blueprint.response(200, ExpectedBookJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.CHANGE_EXPECTED)
def expect_book(access: EventAccess) -> Response:
    """Set the list of expected players by a spreadsheet, with IDs and e-mail addresses. For the organiser.

    No player is registered. The new list replaces the list before. The answer names the parts that could not be read.
    """
    sheet = sent_book(access, _BOOK)
    return private_response(ImportDesk(services().desk).expect_book(access, sheet.book, read_once(sheet.content)))


@blueprint.route("/<id>/roster", parameters=[ID], operation_id="showRoster")
@blueprint.arguments(shapes.RosterQuery, location="query")
@blueprint.response(200, RosterJSON)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.SHOW_ROSTER)
def roster(access: EventAccess, sort: str = "", state: str = "all") -> Response:
    """Show the registered players and the times at which their lists were received, without the lists.

    For the group in `visibility.roster` of the event, by default everyone with a key of the event. The counts are of
    all players, also with a `state`.
    """
    return private_response(services().desk.roster(access, RosterOrder(sort, state)))


@blueprint.route("/<id>/lists", parameters=[ID], operation_id="getLists")
@blueprint.doc(responses=_FILES)
@blueprint.arguments(shapes.ListsQuery, location="query")
@blueprint.response(200, description="The lists.")
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.DOWNLOAD_LISTS)
def lists(access: EventAccess, kind: str) -> Response:
    """Show the published lists: names and decks, without IDs and verdicts. Needs no key once the lists are public.

    Before that the answer is 404, except for players of the top cut during that stage, and for staff. Staff get the
    lists that others would get. If the event asks players for consent, only lists with consent are in the answer.
    """
    return event_downloads.lists_response(access, kind)


@blueprint.route("/<id>/stream", parameters=[ID], operation_id="getStreamLists")
@blueprint.doc(security=BEARER, responses=_FILES)
@blueprint.arguments(shapes.StreamQuery, location="query")
@blueprint.response(200, description="The lists.")
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.STREAM_LISTS)
def stream(access: EventAccess, kind: str, players: str = "", table: str = "") -> Response:
    """Show the lists of some players, or of the players at a table, for a stream. For judges.

    Each of these players must have consented. The answer has names and decks, without IDs and verdicts.
    """
    return event_downloads.stream_response(access, kind, players, table)


@blueprint.route("/<id>/impact", parameters=[ID], operation_id="compareDays")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.ImpactQuery, location="query")
@blueprint.response(200, ImpactJSON)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.SHOW_IMPACT)
def impact(access: EventAccess, before: date | None = None, after: date | None = None, lang: str = "") -> Response:
    """Show the decks that are legal on only one of two days. For judges.

    Decks that become illegal have their errors as reasons. Registrations without a list, duplicates and lists that you
    may not see are left out. By default the days are today and the day of the event. The answer then shows the effect
    of the changes of lists, rules and rotation until the event.
    """
    here = services()
    return private_response(ImpactDesk(here.desk, here.judges).compare_days(access, before, after))


@blueprint.route("/<id>/impact", methods=["POST"])
@blueprint.doc(parameters=[PARAMETER], security=BEARER)
@blueprint.arguments(shapes.ProposalShape)
@blueprint.response(200, ProposalImpactJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.SHOW_IMPACT)
def try_proposal(
    access: EventAccess, lines: str = "", file: str = "", first_day: date | None = None, on: date | None = None
) -> Response:
    """Show the decks that an unpublished limits list would make illegal or legal. For judges.

    Send `lines`, such as `OP01-001 banned`, `OP02-002 2` (copies), `OP01-001 + OP02-002` (a pair) and `OP03-003 free`.
    Or send `file`, the text of a TOML file in the format of the lists that ship. It may have only its `[[change]]`
    tables. The decks are compared on one day, by the list that ships and by the proposed list. Nothing is stored.
    """
    here = services()
    return private_response(
        ImpactDesk(here.desk, here.judges).try_proposal(access, Proposal(lines, file, first_day), on)
    )


@blueprint.route("/<id>/commitments", parameters=[ID], operation_id="listCommitments")
@blueprint.response(200, CommitmentsJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.READ_COMMITMENTS)
def commitments(access: EventAccess) -> Response:
    """Show a salted hash of each current list. Needs no key.

    Publish the answer before the event. It reveals no list. A corrected name or other details keep the commitment. Only
    a changed list gets a new one. `commitment` is the SHA-256 of these lines as UTF-8, with a line feed between them:
    `deckproof-commitment/2`, salt, event, registration, game, format ("" if the event has none), list.
    `player_commitment` is that of `deckproof-player/2`, salt, event, registration, player.
    """
    return private_download(f"commitments-{access.event.id}.json", CommitmentDesk(services().desk).commitments(access))


@blueprint.route("/<id>/opened-lists", parameters=[ID], operation_id="listOpenedLists")
@blueprint.response(200, OpenedListsJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.OPEN_LISTS)
def opened_lists(access: EventAccess) -> Response:
    """Show the lists that the caller may see, with the salts that open their commitments.

    Publish the answer only after the event, because it has the lists and the names of the players. Without a key it has
    the public lists. `deckproof verify` compares the answer with the commitments.
    """
    desk = services().desk
    name = "opened-lists" if access.stage(desk.now()) == PUBLIC else "opened-lists-SECRET-until-public"
    return private_download(f"{name}-{access.event.id}.json", CommitmentDesk(desk).opened_lists(access))


@blueprint.route("/<id>/audit", parameters=[ID], operation_id="showAudit")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.AuditQuery, location="query")
@blueprint.response(200, AuditJSON, headers=_NEXT)
@blueprint.problems(404, 409, 422)
@require_key_permission(Permission.READ_AUDIT)
def audit(access: EventAccess, after: int, limit: int) -> Response:
    """Show the actions at an event with their keys, and if the whole audit is intact. For the organiser.

    Each entry is hashed with the entry before. If you keep `head`, no earlier entry can be changed without notice.
    Entries have neither names nor lists. An answer has 10,000 entries at most. If there are more, `next` is the number
    for `after` in the next request, and the header `Link` has its address with `rel="next"`. `intact` is about all
    entries, also those outside the answer.
    """
    return private_response(AuditDesk(services().desk).audit(access, after, limit))


@blueprint.route("/<id>/keys", parameters=[ID], operation_id="listKeys")
@blueprint.doc(security=BEARER)
@blueprint.response(200, KeysJSON)
@blueprint.problems(404, 409)
@require_key_permission(Permission.LIST_KEYS)
def keys(access: EventAccess) -> Response:
    """List the keys of the staff of an event, without their secrets. For the organiser."""
    return private_response(services().events.keys(access))


@blueprint.route("/<id>/keys", methods=["POST"])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.NewKeyShape)
@blueprint.response(201, MadeKeyJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@require_key_permission(Permission.ADD_KEY)
def add_key(access: EventAccess, role: str, name: str) -> Response:
    """Make a key for another judge or organiser. For the organiser.

    The key is only shown in this answer.
    """
    return private_response(services().events.add_key(access, role, name, read_once(request.get_data())))


@blueprint.route("/<id>/keys/<kid>", methods=["DELETE"], parameters=[ID, _KEY_ID])
@blueprint.doc(security=BEARER)
@blueprint.response(204)
@blueprint.problems(404, 409)
@require_key_permission(Permission.REVOKE_KEY)
def revoke_key(access: EventAccess, kid: str) -> Response:
    """Revoke a key at once. For the organiser.

    The last key of an organiser cannot be revoked.
    """
    return private_response(services().events.revoke_key(access, kid))
