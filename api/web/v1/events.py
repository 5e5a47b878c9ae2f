"""Events: what they are, who runs them, and what is to be known of them as a whole."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from werkzeug.exceptions import ServiceUnavailable

from api.events.expected_players import ExpectedPlayer
from api.events.exports.event_files import SHOWN_LISTS
from api.events.exports.flyer import FLYERS
from api.service.errors import Full
from api.sheets.person_names import cleaned
from api.web import event_downloads
from api.web import event_schemas as shapes
from api.web.blueprints import Blueprint
from api.web.bodies import ETAG
from api.web.language_choice import PARAMETER
from api.web.services import services, spoken
from api.web.v1.event_requests import (
    BEARER,
    BEGUN,
    ID,
    IF_MATCH,
    ONCE,
    asking,
    bearer,
    book_doc,
    described,
    files_doc,
    if_match,
    once,
    sent,
    sent_as,
    sent_book,
)

blueprint = Blueprint("events", __name__, url_prefix="/v1/events", description="Events, and who registers for them.")

_BOOK = shapes.BookQuery()
_AGAIN_AFTER = 3600  # seconds until there may be room for another event
_FILES = files_doc(SHOWN_LISTS, shapes.PublishedListsShape)
_BINARY = {"type": "string", "format": "binary"}
_KEY_ID = {"in": "path", "name": "kid", "schema": {"type": "string"}, "description": "The id of the key."}


@blueprint.route("", methods=["POST"])
@blueprint.doc(parameters=[ONCE, PARAMETER])
@blueprint.arguments(shapes.EventShape)
@blueprint.response(201, shapes.BegunEventShape, headers=BEGUN)
@blueprint.problems(400, 404, 409, 413, 415, 422)
def create(data: dict[str, Any]) -> Response:
    """Begin an event.

    The answer has the keys of its organiser and of a judge, now and never again; send them from then on as
    `Authorization: Bearer KEY`. Whoever knows the `id` may register, so give it to the players and to nobody else.
    Where the server demands its admin's key for this, it is 404 without it.
    """
    try:
        return sent(services().desk.create(described(data), bearer(), once(request.get_data()), spoken()))
    except Full as error:
        raise ServiceUnavailable(str(error), retry_after=_AGAIN_AFTER) from None


@blueprint.route("")
@blueprint.arguments(shapes.CodeQuery, location="query")
@blueprint.response(200, shapes.ShownEventShape, headers=ETAG)
@blueprint.problems(404, 422)
def join(query: dict[str, Any]) -> Response:
    """Show the event with a join code, which its flyer has for players who cannot scan. Needs no key.

    After too many wrong codes and keys from an address, every code is 429, the right one too.
    """
    here = services().desk
    return sent(here.show(asking(here.find_event(query["code"]))))


@blueprint.route("/<id>/flyer", parameters=[ID])
@blueprint.doc(responses={200: {"content": {kind: {"schema": _BINARY} for kind in FLYERS.values()}}})
@blueprint.arguments(shapes.FlyerQuery, location="query")
@blueprint.response(200, description="The flyer.")
@blueprint.problems(404, 422)
def flyer(query: dict[str, Any], id: str) -> Response:
    """Draw the flyer to hang up: which event, until when and where to register, by a code to scan. Needs no key."""
    return event_downloads.flyer(asking(id), query)


@blueprint.route("/<id>", parameters=[ID])
@blueprint.doc(parameters=[PARAMETER])
@blueprint.response(200, shapes.ShownEventShape, headers=ETAG)
@blueprint.problems(404, 422)
def show(id: str) -> Response:
    """Show an event: what is played, when, until when lists may be changed, and who sees them. Needs no key."""
    return sent(services().desk.show(asking(id)))


@blueprint.route("/<id>", methods=["PATCH"])
@blueprint.doc(parameters=[IF_MATCH, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.EventChangeShape)
@blueprint.response(200, shapes.ShownEventShape, headers=ETAG)
@blueprint.problems(400, 404, 409, 412, 413, 415, 422)
def change(data: dict[str, Any], id: str) -> Response:
    """Change an event; what is left out stays. For the organiser.

    A later `closes` opens registration again. All verdicts are made anew by what is said then.
    """
    at = asking(id)
    said = described({key: value for key, value in data.items() if key != "reason"}, at.event)
    return sent(services().desk.change(at, said, data.get("reason", ""), if_match()))


@blueprint.route("/<id>", methods=["DELETE"])
@blueprint.doc(security=BEARER)
@blueprint.response(204)
@blueprint.problems(404)
def delete(id: str) -> Response:
    """Delete an event with all that is known of it and of its players, at once. For the organiser."""
    return sent(services().desk.delete(asking(id)))


@blueprint.route("/<id>/missing", parameters=[ID])
@blueprint.doc(parameters=[PARAMETER], security=BEARER)
@blueprint.response(200, shapes.MissingShape)
@blueprint.problems(404, 422)
def missing(id: str) -> Response:
    """Show who registered and has sent no list, who is expected and has not registered, and a reminder. For judges."""
    return sent(services().desk.missing(asking(id)))


@blueprint.route("/<id>/missing", methods=["POST"])
@blueprint.doc(parameters=[ONCE, PARAMETER], security=BEARER)
@blueprint.arguments(shapes.ComparisonShape)
@blueprint.response(200, shapes.ComparedShape)
@blueprint.problems(400, 404, 409, 413, 415, 422)
def compare(data: dict[str, Any], id: str) -> Response:
    """Compare who registered with a list of players. For judges.

    Names are compared whichever part stands first. Says whose list is there, who registered without one, who did not
    register, who was not expected, and what to remind those of who are missing. Nothing of this is kept, but for an
    answer that may be asked for again.
    """
    return sent(services().desk.compare(asking(id), data["players"], once(request.get_data())))


@blueprint.route("/<id>/expected", parameters=[ID])
@blueprint.doc(security=BEARER)
@blueprint.response(200, shapes.ExpectedShape)
@blueprint.problems(404)
def expected(id: str) -> Response:
    """Show the players who are expected, and who of them has registered. For judges."""
    return sent(services().desk.expected(asking(id)))


@blueprint.route("/<id>/expected", methods=["PUT"], parameters=[ID])
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.ExpectingShape)
@blueprint.response(200, shapes.ExpectedShape)
@blueprint.problems(400, 404, 409, 413, 415, 422)
def expect(data: dict[str, Any], id: str) -> Response:
    """Say which players are expected; the list is kept in place of the one before, an empty one deletes it.

    For the organiser. A line of it names a player, as a list that is pasted does. Who is on it and has not registered
    is missing until then.
    """
    at = asking(id)
    names = (cleaned(name) for name in data["players"])
    return sent(services().desk.expect(at, [ExpectedPlayer(name) for name in names if name]))


@blueprint.route("/<id>/expected:import", methods=["POST"], parameters=[ID])
@blueprint.doc(**book_doc(shapes.BookForm, shapes.BookQuery))
@blueprint.response(200, shapes.ExpectedBookShape)
@blueprint.problems(400, 404, 409, 413, 415, 422)
def expect_book(id: str) -> Response:
    """Say which players are expected by a spreadsheet of them, with ids and e-mail addresses. For the organiser.

    Nobody is registered by it. The list is kept in place of the one before; the answer names what was not read of it.
    """
    at = asking(id)
    sheet = sent_book(at, _BOOK)
    return sent(services().desk.expect_book(at, sheet.book, once(sheet.content)))


@blueprint.route("/<id>/roster", parameters=[ID])
@blueprint.response(200, shapes.RosterShape)
@blueprint.problems(404)
def roster(id: str) -> Response:
    """Show who registered and whose list was received when, without the lists.

    For those whom the event's `visibility.roster` names: by default everyone with a key of it.
    """
    return sent(services().desk.roster(asking(id)))


@blueprint.route("/<id>/lists", parameters=[ID])
@blueprint.doc(responses=_FILES)
@blueprint.arguments(shapes.ListsQuery, location="query")
@blueprint.response(200, description="The lists.")
@blueprint.problems(404, 422)
def lists(query: dict[str, Any], id: str) -> Response:
    """Show the lists that are shown to others: names and decks, no ids, no verdicts. Needs no key once they are public.

    Before that it is 404, but to the players of the top cut while that is open, and to those who run the event, who get
    what others would. Where players are asked for their consent, the lists of those alone who gave it are in it.
    """
    return event_downloads.lists(asking(id), query)


@blueprint.route("/<id>/stream", parameters=[ID])
@blueprint.doc(security=BEARER, responses=_FILES)
@blueprint.arguments(shapes.StreamQuery, location="query")
@blueprint.response(200, description="The lists.")
@blueprint.problems(404, 422)
def stream(query: dict[str, Any], id: str) -> Response:
    """Show the lists of two players, or of those at a table, for a stream. For judges.

    Each of them must have consented to it. Names and decks, no ids and no verdicts.
    """
    return event_downloads.stream(asking(id), query)


@blueprint.route("/<id>/impact", parameters=[ID])
@blueprint.doc(security=BEARER)
@blueprint.arguments(shapes.ImpactQuery, location="query")
@blueprint.response(200, shapes.ImpactShape)
@blueprint.problems(404, 422)
def impact(query: dict[str, Any], id: str) -> Response:
    """Show whose decks are legal on one day and not on another, and why. For judges.

    By default today and the day of the event: what the changes of lists, rules and rotation do that come until then.
    """
    return sent(services().desk.impact(asking(id), query.get("before"), query.get("after")))


@blueprint.route("/<id>/commitments", parameters=[ID])
@blueprint.response(200, shapes.CommitmentsShape)
@blueprint.problems(404)
def commitments(id: str) -> Response:
    """Show a salted hash of every list that counts. Needs no key.

    Publish the answer before the event. It opens no list, whichever key asks. A corrected name or other details keep
    the commitment, only a changed list has a new one. `commitment` is the SHA-256 of these lines as UTF-8, with a line
    feed between them: `deckproof-commitment/2`, salt, event, registration, game, format ("" if the event has none),
    list. `player_commitment` is that of `deckproof-player/2`, salt, event, registration, player.
    """
    return sent_as(f"commitments-{id}.json", services().desk.commitments(asking(id)))


@blueprint.route("/<id>/opened-lists", parameters=[ID])
@blueprint.response(200, shapes.OpenedListsShape)
@blueprint.problems(404)
def opened_lists(id: str) -> Response:
    """Show the lists that the caller may see, with the salts that open their commitments.

    Publish the answer after the event only: it has the lists and the players' names. Without a key it has the lists
    that are public. `deckproof verify` compares it with the commitments.
    """
    return sent_as(f"opened-lists-{id}.json", services().desk.opened_lists(asking(id)))


@blueprint.route("/<id>/audit", parameters=[ID])
@blueprint.doc(security=BEARER)
@blueprint.response(200, shapes.AuditShape)
@blueprint.problems(404)
def audit(id: str) -> Response:
    """Show what was done by which key, and whether all of that still stands as it was written. For the organiser.

    Each entry is hashed with the one before it; note `head`, and no entry before it can be changed unseen. Entries
    have neither names nor lists.
    """
    return sent(services().desk.audit(asking(id)))


@blueprint.route("/<id>/keys", parameters=[ID])
@blueprint.doc(security=BEARER)
@blueprint.response(200, shapes.KeysShape)
@blueprint.problems(404)
def keys(id: str) -> Response:
    """Show the keys of those who run an event, without the keys themselves. For the organiser."""
    return sent(services().desk.keys(asking(id)))


@blueprint.route("/<id>/keys", methods=["POST"])
@blueprint.doc(parameters=[ONCE], security=BEARER)
@blueprint.arguments(shapes.NewKeyShape)
@blueprint.response(201, shapes.MadeKeyShape)
@blueprint.problems(400, 404, 409, 413, 415, 422)
def add_key(data: dict[str, Any], id: str) -> Response:
    """Make a key for one more judge, or organiser; it is shown now and never again. For the organiser."""
    return sent(services().desk.add_key(asking(id), data["role"], data["name"], once(request.get_data())))


@blueprint.route("/<id>/keys/<kid>", methods=["DELETE"], parameters=[ID, _KEY_ID])
@blueprint.doc(security=BEARER)
@blueprint.response(204)
@blueprint.problems(404, 409)
def revoke_key(id: str, kid: str) -> Response:
    """Revoke a key, at once. For the organiser; the last organiser's key stays."""
    return sent(services().desk.revoke_key(asking(id), kid))
