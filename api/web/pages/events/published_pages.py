"""The pages of published lists: as files, side by side in a stream, and the commitments to compare them with."""

from __future__ import annotations

import orjson
from flask import Response, request

from api.events import commitments
from api.events.base_desk import EventAccess
from api.events.commitments import COMMITMENTS, OPENED_LISTS, CommitmentFile, Verification
from api.events.players.list_desk import CommitmentDesk, ListDesk
from api.events.rights import Permission
from api.events.tournament import PUBLIC
from api.service.errors import Invalid, Unusable, Wrong
from api.service.shapes import load_with
from api.sheets import qrcode
from api.web import event_downloads
from api.web.event_permissions import mark_unrestricted
from api.web.event_schemas import ListsQuery, StreamQuery
from api.web.pages.events.event_pages import render_event_page
from api.web.pages.events.event_visitor import blueprint, data_of, render_page, require_visitor_permission
from api.web.pages.rendering import faults_by_field, is_unsubmitted
from api.web.public_address import event_address
from api.web.services import services
from validator.errors import error_text
from validator.language import phrase

_LISTS, _STREAM = ListsQuery(), StreamQuery()


@blueprint.get("/events/<id>/lists")
@require_visitor_permission(Permission.DOWNLOAD_LISTS)
def lists(access: EventAccess) -> Response:
    """Return the players' lists that the visitor may see as a download. `as` in the query is the kind of file.

    Raises Invalid for an unknown kind, and the errors of `lists_response`.
    """
    return event_downloads.lists_response(access, **load_with(_LISTS, _query_fields("as")))


@blueprint.get("/events/<id>/stream")
@require_visitor_permission(Permission.STREAM_LISTS)
def stream(access: EventAccess) -> Response:
    """Return the page with the lists of chosen players or of a table side by side, and the form to choose them.

    Only players with consent to a stream are offered. Errors of the choice are shown in the form. Raises NoAccess if
    the visitor may not see lists yet, Busy if too many such pages are being made.
    """
    asked = _query_fields("players", "table")
    shown_lists, error = None, None
    try:
        if asked:
            _, data = event_downloads.stream_lists(access, **load_with(_STREAM, asked))
            shown_lists = orjson.loads(data)["lists"]
    except Invalid as refused:
        error = refused
    return render_event_page(
        "events/stream.html",
        access,
        error,
        players=ListDesk(services().desk).consenting_players(access),
        chosen=request.args.getlist("players"),
        table=asked.get("table", ""),
        asked=asked,
        lists=shown_lists,
    )


@blueprint.get("/events/<id>/stream/file")
@require_visitor_permission(Permission.STREAM_LISTS)
def stream_file(access: EventAccess) -> Response:
    """Return the lists of the chosen players or of a table as a download for a stream.

    Raises Invalid for a wrong choice, NoAccess if the visitor may not see lists yet.
    """
    return event_downloads.stream_response(access, **load_with(_STREAM, _query_fields("players", "table", "as")))


def _query_fields(*names: str) -> dict[str, str]:
    """Return the named query fields that are not empty. Several values of a field are joined by commas."""
    asked = {name: ",".join(filter(None, request.args.getlist(name))) for name in names}
    return {name: text for name, text in asked.items() if text}


_MOST_LISTED = 10  # registrations of each result
_NO_FILE = phrase("Choose the file.")


@blueprint.get("/events/<id>/commitments")
@require_visitor_permission(Permission.READ_COMMITMENTS)
def event_commitments(access: EventAccess) -> Response:
    """Return the page with the number of committed lists (salted hashes), the audit's head, and files to download.

    Everyone may see it until the event is deleted. Raises Busy if too many requests wait.
    """
    desk = services().desk
    found, now = data_of(CommitmentDesk(desk).commitments(access)), desk.now()
    return render_event_page(
        "events/commitments.html",
        access,
        moment=now,
        count=len(found["commitments"]),
        audit=found["audit"],
        is_public=access.stage(now) == PUBLIC,
        code=qrcode.path(event_address(access.event.id, "/commitments")),
    )


@blueprint.get("/events/verify")
@mark_unrestricted
def verification() -> Response:
    """Return the page with the form for the two files to compare: opened lists and published commitments."""
    return render_page("events/verify.html", found=None, most=_MOST_LISTED)


@blueprint.post("/events/verify")
@mark_unrestricted
def verify() -> Response:
    """Compare the two files of the form, opened lists and published commitments, and return the page with the result.

    Nothing is stored. Errors of the files are shown in the form (422). Raises Busy if too many files are being
    compared. A form that was sent only to change the language returns the empty form.
    """
    if is_unsubmitted():
        return verification()
    try:
        with services().turns:  # strangers send files of megabytes
            found = _compare_files()
    except Unusable as error:
        faults = {"opened": phrase("The files cannot be compared: {reason}.", reason=error_text(error))}
        return render_page("events/verify.html", 422, found=None, faults=faults, most=_MOST_LISTED)
    except Invalid as error:
        return render_page("events/verify.html", 422, found=None, faults=faults_by_field(error), most=_MOST_LISTED)
    return render_page("events/verify.html", found=found, most=_MOST_LISTED)


def _compare_files() -> Verification:
    """Return the comparison of the two files of the form. They may be swapped.

    Raises Invalid for a missing or unreadable file. Raises Unusable if no list is opened, both files are of the same
    kind, they are of different events, or the lists are of an older version than the commitments.
    """
    opened, published = _read_file("opened"), _read_file("published")
    if (opened.kind, published.kind) == (COMMITMENTS, OPENED_LISTS):
        opened, published = published, opened
    return commitments.verify(opened, published)


def _read_file(name: str) -> CommitmentFile:
    """Return the parsed commitment file in a form field. Raises Invalid at the field if it is missing or unusable."""
    file = request.files.get(name)
    data = file.read() if file else b""
    if not data:
        raise Invalid([Wrong(f"/{name}", _NO_FILE)])
    try:
        return commitments.read(data)
    except Unusable as error:
        reason = phrase("The file cannot be used: {reason}.", reason=error_text(error))
        raise Invalid([Wrong(f"/{name}", reason)]) from None
