"""Events: what they are, who runs them, and what is to be known of them as a whole."""

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
from api.sheets.person_names import cleaned
from api.web import event_downloads
from api.web import event_schemas as shapes
from api.web.blueprints import Blueprint
from api.web.components import ETAG
from api.web.event_permissions import unrestricted
from api.web.language_choice import PARAMETER
from api.web.public_address import event_address
from api.web.services import request_language, services
from api.web.v1.event_requests import (
    BEARER,
    BEGUN,
    ID,
    IF_MATCH,
    ONCE,
    allowed,
    authorize,
    bearer,
    book_doc,
    described,
    files_doc,
    if_match,
    private_download,
    private_response,
    read_once,
    sent_book,
)

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
@unrestricted  # the desk checks the key of the creator
def create(confirm: bool = False, **settings: Any) -> Response:
    """Create an event.

    The answer has the keys of its organiser and of a judge, now and never again; send them from then on as
    `Authorization: Bearer KEY`. Whoever knows the `id` may register, so give it to the players and to nobody else.
    The day is at most two years ahead. If the server needs its admin key for this, the answer without the key is 404,
    or 429 after too many events of strangers.
    """
    with _limiting_creation():
        sending = read_once(request.get_data())
        return private_response(
            services().events.create(described(settings), bearer(), sending, request_language(), confirm)
        )


@contextmanager
def _limiting_creation() -> Iterator[None]:
    """Answer 429 if strangers create no more events, and 503 if nobody does."""
    try:
        yield
    except Rationed as error:
        raise TooManyRequests(str(error), retry_after=RETRY_AFTER) from None
    except Full as error:
        raise ServiceUnavailable(str(error), retry_after=RETRY_AFTER) from None


@blueprint.route("/<id>/copies", methods=["POST"], parameters=[ID])
@blueprint.doc(parameters=[ONCE, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.EventCopyShape)
@blueprint.response(201, BegunEventJSON, headers=BEGUN)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@allowed(Permission.COPY_EVENT)
def copy_event(
    access: EventAccess, players: bool, admin_key: str = "", confirm: bool = False, **settings: Any
) -> Response:
    """Create the next event from an earlier one: with its settings and, if wanted, its players. For the organiser.

    Day, deadlines and keys are those of the new event. Its players are expected, with ID and e-mail; no registration
    and no list is copied. On a server that requires the admin's key for new events, send it as `admin_key`.
    """
    admin_key = admin_key or (bearer() if access.caller.role == ADMIN else "")
    changes = described(settings, access.event)
    with _limiting_creation():
        sending = read_once(request.get_data())
        return private_response(services().events.copy_event(access, changes, players, admin_key, sending, confirm))


@blueprint.route("", operation_id="findEvent")
@blueprint.arguments(shapes.CodeQuery, location="query")
@blueprint.response(200, ShownEventJSON, headers=ETAG)
@blueprint.problems(404, 422)
@unrestricted  # the event is known only after its code
def join(code: str, lang: str = "") -> Response:
    """Show the event with a join code, which its flyer has for players who cannot scan. Needs no key.

    After too many wrong codes and keys from an address, every code is 429, the right one too.
    """
    here = services().events
    return private_response(here.show(authorize(Permission.FIND_EVENT, here.find_event(code))))


@blueprint.route("/<id>/flyer", parameters=[ID], operation_id="getFlyer")
@blueprint.doc(responses={200: {"content": {kind: {"schema": _BINARY} for kind in FLYERS.values()}}})
@blueprint.arguments(shapes.FlyerQuery, location="query")
@blueprint.response(200, description="The flyer.")
@blueprint.problems(404, 422)
@allowed(Permission.PRINT_FLYER)
def flyer(access: EventAccess, kind: FlyerKind, paper: str, lang: str = "") -> Response:
    """Draw the flyer to hang up: which event, until when and where to register, by a code to scan. Needs no key."""
    return event_downloads.flyer(access, kind, paper)


@blueprint.route("/<id>", parameters=[ID], operation_id="showEvent")
@blueprint.doc(parameters=[PARAMETER])
@blueprint.response(200, ShownEventJSON, headers=ETAG)
@blueprint.problems(404, 422)
@allowed(Permission.SHOW_EVENT)
def show(access: EventAccess) -> Response:
    """Show an event: what is played, when, until when lists may be changed, and who sees them. Needs no key."""
    return private_response(services().events.show(access))


@blueprint.route("/<id>", methods=["PATCH"], operation_id="changeEvent")
@blueprint.doc(parameters=[IF_MATCH, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.EventChangeShape)
@blueprint.response(200, ShownEventJSON, headers=ETAG)
@blueprint.problems(400, 404, 409, 412, 413, 415, 422)
@allowed(Permission.CHANGE_EVENT)
def change(access: EventAccess, reason: str = "", confirm: bool = False, **settings: Any) -> Response:
    """Change an event; what is left out stays. For the organiser.

    A later `closes` opens registration again. All verdicts are made anew by what is said then. A new day is at most
    two years ahead.
    """
    return private_response(
        services().events.change(access, described(settings, access.event), reason, if_match(), confirm)
    )


@blueprint.route("/<id>", methods=["DELETE"], operation_id="deleteEvent")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.DeletionQuery, location="query")
@blueprint.response(204)
@blueprint.problems(404, 422)
@allowed(Permission.DELETE_EVENT)
def delete(access: EventAccess, now: str) -> Response:
    """Delete an event with all that is known of it and of its players. For the organiser.

    It is 404 from then on to everybody, but to its organiser's key and the admin's. With these, GET shows as
    `deleted_on` when it is removed, and `POST …/restore` brings it back until then. With `now=true` it is removed at
    once, and nothing brings it back.
    """
    return private_response(services().events.delete(access, now == "true"))


@blueprint.route("/<id>/restore", methods=["POST"], parameters=[ID], operation_id="restoreEvent")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ShownEventJSON, headers=ETAG)
@blueprint.problems(404)
@allowed(Permission.RESTORE_EVENT)
def restore(access: EventAccess) -> Response:
    """Restore a deleted event that is not removed yet, with all that is known of it. For the organiser.

    The days until its deletion begin again. Nothing changes if the event is not deleted.
    """
    return private_response(services().events.restore(access))


@blueprint.route("/<id>/overview", parameters=[ID], operation_id="showOverview")
@blueprint.doc(parameters=[PARAMETER], security=BEARER)
@blueprint.response(200, OverviewJSON)
@blueprint.problems(404, 422)
@allowed(Permission.SHOW_OVERVIEW)
def overview(access: EventAccess) -> Response:
    """Show the numbers of an event, the time to its deadline and the next step of its staff. For judges."""
    return private_response(OverviewDesk(services().desk).overview(access))


@blueprint.route("/<id>/missing", parameters=[ID], operation_id="listMissingPlayers")
@blueprint.doc(parameters=[PARAMETER], security=BEARER)
@blueprint.response(200, MissingJSON)
@blueprint.problems(404, 422)
@allowed(Permission.LIST_MISSING)
def missing(access: EventAccess) -> Response:
    """Show who registered and has sent no list, who is expected and has not registered, and a reminder. For judges."""
    return private_response(PlayerDesk(services().desk).missing(access, event_address(access.event.id)))


@blueprint.route("/<id>/missing", methods=["POST"], operation_id="comparePlayers")
@blueprint.doc(parameters=[ONCE, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.ComparisonShape)
@blueprint.response(200, ComparedJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@allowed(Permission.COMPARE_PLAYERS)
def compare(access: EventAccess, players: list[str]) -> Response:
    """Compare who registered with a list of players. For judges.

    Names are compared whichever part stands first. Says whose list is there, who registered without one, who did not
    register, who was not expected, and what to remind those of who are missing. Nothing of this is kept, but for an
    answer that may be asked for again.
    """
    desk, page = PlayerDesk(services().desk), event_address(access.event.id)
    return private_response(desk.compare(access, players, read_once(request.get_data()), page))


@blueprint.route("/<id>/expected", parameters=[ID], operation_id="listExpectedPlayers")
@blueprint.doc(security=BEARER)
@blueprint.response(200, ExpectedJSON)
@blueprint.problems(404)
@allowed(Permission.LIST_EXPECTED)
def expected(access: EventAccess) -> Response:
    """Show the players who are expected, and who of them has registered. For judges."""
    return private_response(PlayerDesk(services().desk).expected(access))


@blueprint.route("/<id>/expected", methods=["PUT"], parameters=[ID], operation_id="setExpectedPlayers")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.ExpectingShape)
@blueprint.response(200, ExpectedJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@allowed(Permission.CHANGE_EXPECTED)
def expect(access: EventAccess, players: list[str]) -> Response:
    """Say which players are expected; the list is kept in place of the one before, an empty one deletes it.

    For the organiser. A line of it names a player, as a list that is pasted does. Who is on it and has not registered
    is missing until then.
    """
    names = (cleaned(name) for name in players)
    return private_response(
        PlayerDesk(services().desk).expect(access, [ExpectedPlayer(name) for name in names if name])
    )


@blueprint.route("/<id>/expected:import", methods=["POST"], parameters=[ID], operation_id="importExpectedPlayers")
@blueprint.doc(**book_doc(shapes.BookForm, shapes.BookQuery))
@blueprint.response(200, ExpectedBookJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@allowed(Permission.CHANGE_EXPECTED)
def expect_book(access: EventAccess) -> Response:
    """Say which players are expected by a spreadsheet of them, with ids and e-mail addresses. For the organiser.

    Nobody is registered by it. The list is kept in place of the one before; the answer names what was not read of it.
    """
    sheet = sent_book(access, _BOOK)
    return private_response(ImportDesk(services().desk).expect_book(access, sheet.book, read_once(sheet.content)))


@blueprint.route("/<id>/roster", parameters=[ID], operation_id="showRoster")
@blueprint.arguments(shapes.RosterQuery, location="query")
@blueprint.response(200, RosterJSON)
@blueprint.problems(404, 422)
@allowed(Permission.SHOW_ROSTER)
def roster(access: EventAccess, sort: str = "", state: str = "all") -> Response:
    """Show who registered and whose list was received when, without the lists.

    For those whom the event's `visibility.roster` names: by default everyone with a key of it. The counts are of all
    players, whatever `state` lists.
    """
    return private_response(services().desk.roster(access, RosterOrder(sort, state)))


@blueprint.route("/<id>/lists", parameters=[ID], operation_id="getLists")
@blueprint.doc(responses=_FILES)
@blueprint.arguments(shapes.ListsQuery, location="query")
@blueprint.response(200, description="The lists.")
@blueprint.problems(404, 422)
@allowed(Permission.DOWNLOAD_LISTS)
def lists(access: EventAccess, kind: str) -> Response:
    """Show the lists that are shown to others: names and decks, no ids, no verdicts. Needs no key once they are public.

    Before that it is 404, but to the players of the top cut while that is open, and to those who run the event, who get
    what others would. Where players are asked for their consent, the lists of those alone who gave it are in it.
    """
    return event_downloads.lists(access, kind)


@blueprint.route("/<id>/stream", parameters=[ID], operation_id="getStreamLists")
@blueprint.doc(security=BEARER, responses=_FILES)
@blueprint.arguments(shapes.StreamQuery, location="query")
@blueprint.response(200, description="The lists.")
@blueprint.problems(404, 422)
@allowed(Permission.STREAM_LISTS)
def stream(access: EventAccess, kind: str, players: str = "", table: str = "") -> Response:
    """Show the lists of two players, or of those at a table, for a stream. For judges.

    Each of them must have consented to it. Names and decks, no ids and no verdicts.
    """
    return event_downloads.stream(access, kind, players, table)


@blueprint.route("/<id>/impact", parameters=[ID], operation_id="compareDays")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.ImpactQuery, location="query")
@blueprint.response(200, ImpactJSON)
@blueprint.problems(404, 422)
@allowed(Permission.SHOW_IMPACT)
def impact(access: EventAccess, before: date | None = None, after: date | None = None, lang: str = "") -> Response:
    """Show whose decks are legal on one day and not on another, and why. For judges.

    By default today and the day of the event: what the changes of lists, rules and rotation do that come until then.
    """
    here = services()
    return private_response(ImpactDesk(here.desk, here.judges).compare_days(access, before, after))


@blueprint.route("/<id>/impact", methods=["POST"])
@blueprint.doc(parameters=[PARAMETER], security=BEARER)
@blueprint.arguments(shapes.ProposalShape)
@blueprint.response(200, ProposalImpactJSON)
@blueprint.problems(400, 404, 413, 415, 422)
@allowed(Permission.SHOW_IMPACT)
def try_proposal(
    access: EventAccess, lines: str = "", file: str = "", first_day: date | None = None, on: date | None = None
) -> Response:
    """Show whose decks a limits list that is not published yet would make illegal, or legal. For judges.

    Give `lines`, such as `OP01-001 banned`, `OP02-002 2` (copies), `OP01-001 + OP02-002` (a pair) and `OP03-003 free`,
    or `file`, the text of a TOML file in the format of the lists that ship, whole or only its `[[change]]` tables.
    The decks are compared on one day, by the list that ships and by the proposed one. Nothing is stored.
    """
    here = services()
    return private_response(
        ImpactDesk(here.desk, here.judges).try_proposal(access, Proposal(lines, file, first_day), on)
    )


@blueprint.route("/<id>/commitments", parameters=[ID], operation_id="listCommitments")
@blueprint.response(200, CommitmentsJSON)
@blueprint.problems(404)
@allowed(Permission.READ_COMMITMENTS)
def commitments(access: EventAccess) -> Response:
    """Show a salted hash of every list that counts. Needs no key.

    Publish the answer before the event. It opens no list, whichever key asks. A corrected name or other details keep
    the commitment, only a changed list has a new one. `commitment` is the SHA-256 of these lines as UTF-8, with a line
    feed between them: `deckproof-commitment/2`, salt, event, registration, game, format ("" if the event has none),
    list. `player_commitment` is that of `deckproof-player/2`, salt, event, registration, player.
    """
    return private_download(f"commitments-{access.event.id}.json", CommitmentDesk(services().desk).commitments(access))


@blueprint.route("/<id>/opened-lists", parameters=[ID], operation_id="listOpenedLists")
@blueprint.response(200, OpenedListsJSON)
@blueprint.problems(404)
@allowed(Permission.OPEN_LISTS)
def opened_lists(access: EventAccess) -> Response:
    """Show the lists that the caller may see, with the salts that open their commitments.

    Publish the answer after the event only: it has the lists and the players' names. Without a key it has the lists
    that are public. `deckproof verify` compares it with the commitments.
    """
    desk = services().desk
    name = "opened-lists" if access.stage(desk.now()) == PUBLIC else "opened-lists-SECRET-until-public"
    return private_download(f"{name}-{access.event.id}.json", CommitmentDesk(desk).opened_lists(access))


@blueprint.route("/<id>/audit", parameters=[ID], operation_id="showAudit")
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.AuditQuery, location="query")
@blueprint.response(200, AuditJSON, headers=_NEXT)
@blueprint.problems(404, 422)
@allowed(Permission.READ_AUDIT)
def audit(access: EventAccess, after: int, limit: int) -> Response:
    """Show what was done by which key, and whether the whole audit is intact. For the organiser.

    Each entry is hashed with the entry before it: if you keep `head`, no earlier entry can be changed without notice.
    Entries have neither names nor lists. An answer has 10,000 entries at most. If there are more, `next` is the number
    for `after` in the next request, and the header `Link` has its address with `rel="next"`. `intact` is about all
    entries, also those that the answer does not have.
    """
    return private_response(AuditDesk(services().desk).audit(access, after, limit))


@blueprint.route("/<id>/keys", parameters=[ID], operation_id="listKeys")
@blueprint.doc(security=BEARER)
@blueprint.response(200, KeysJSON)
@blueprint.problems(404)
@allowed(Permission.LIST_KEYS)
def keys(access: EventAccess) -> Response:
    """Show the keys of those who run an event, without the keys themselves. For the organiser."""
    return private_response(services().events.keys(access))


@blueprint.route("/<id>/keys", methods=["POST"])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.NewKeyShape)
@blueprint.response(201, MadeKeyJSON)
@blueprint.problems(400, 404, 409, 413, 415, 422)
@allowed(Permission.ADD_KEY)
def add_key(access: EventAccess, role: str, name: str) -> Response:
    """Make a key for one more judge, or organiser; it is shown now and never again. For the organiser."""
    return private_response(services().events.add_key(access, role, name, read_once(request.get_data())))


@blueprint.route("/<id>/keys/<kid>", methods=["DELETE"], parameters=[ID, _KEY_ID])
@blueprint.doc(security=BEARER)
@blueprint.response(204)
@blueprint.problems(404, 409)
@allowed(Permission.REVOKE_KEY)
def revoke_key(access: EventAccess, kid: str) -> Response:
    """Revoke a key, at once. For the organiser; the last organiser's key stays."""
    return private_response(services().events.revoke_key(access, kid))
