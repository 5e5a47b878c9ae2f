"""The pages of a registration: to register, and the receipt with its verdict, its revisions and what may be changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from api.events.base_desk import EventAccess
from api.events.registration_desk import JudgedRegistration
from api.events.rights import Permission
from api.events.storage.event_keys import OWNER
from api.service.errors import Changed, Declined, Invalid, NoAccess, Wrong
from api.sheets import qrcode
from api.web.pages.deck_form import PLAIN_TEXT
from api.web.pages.events import event_forms
from api.web.pages.events.event_forms import PlayerForm
from api.web.pages.events.event_pages import event_page, render_event_page
from api.web.pages.events.event_visitor import (
    access_with_key,
    blueprint,
    cookie_name,
    data_of,
    form_request,
    player_seconds,
    redirect_to,
    require_visitor_permission,
    set_key_cookie,
)
from api.web.pages.rendering import current_visit, is_unsubmitted
from api.web.public_address import event_address
from api.web.services import services
from validator.account import group_findings
from validator.deck import LineJSON


@blueprint.post("/events/<id>")
@require_visitor_permission(Permission.REGISTER_PLAYER)
def register(access: EventAccess) -> Response:
    """Register the player of the form. Redirect to the player's page, with the new key in the cookie.

    Staff get the page at once with the player's link, because their browser keeps their own key. Errors return the
    event page with the form as typed. So does a form that was sent only to change the language, without registering
    anybody.
    """
    form = PlayerForm.read()
    if is_unsubmitted():
        return event_page(access, form)
    try:
        made = data_of(services().desk.register(access, form.parse_change(access), form_request()))
    except (Invalid, Declined) as error:
        return event_page(access, form, error)
    rid, key = made["id"], made["key"]
    if access.caller.is_staff:
        return receipt_page(access_with_key(key, Permission.SHOW_REGISTRATION, access.event.id, rid), rid, 201, key=key)
    return set_key_cookie(
        redirect_to(f"/events/{access.event.id}/registrations/{rid}"),
        access.event.id,
        key,
        player_seconds(access.event),
    )


@blueprint.get("/events/<id>/registrations/<rid>")
@require_visitor_permission(Permission.SHOW_REGISTRATION)
def registration(access: EventAccess, rid: str) -> Response:
    """Return the page of a registration, for callers other than its player and staff only the list.

    If the registration was removed, for example by a merge, a player is redirected to the own registration. Raises
    NoAccess if the caller does not see it.
    """
    try:
        return receipt_page(access, rid)
    except NoAccess:
        if not (own := access.caller.registration_id) or not _is_removed(access, rid):
            raise
        return redirect_to(f"/events/{access.event.id}/registrations/{own}")


def _is_removed(access: EventAccess, rid: str) -> bool:
    """Return True if the event has no registration with the id `rid`."""
    try:
        with services().desk.store.reading() as reader:
            reader.entrant(access.event.id, rid)
    except NoAccess:
        return True
    return False


@blueprint.post("/events/<id>/registrations/<rid>")
@require_visitor_permission(Permission.REVISE_REGISTRATION)
def revise(access: EventAccess, rid: str) -> Response:
    """Change a registration to the form's values, and redirect to its page. Errors return the page with the form.

    The change is refused if the registration was changed after the form's page was made. A form that was sent only to
    change the language is shown again, and changes nothing.
    """
    form, desk = PlayerForm.read(), services().desk
    if is_unsubmitted():
        return receipt_page(access, rid, form=form)
    try:
        before = _current_form(access, desk.judged_registration(access, rid))
        desk.revise(access, rid, form.parse_change(access, before), lambda version: version == form.etag)
    except (Invalid, Declined) as error:
        return receipt_page(access, rid, form=form, error=error)
    return redirect_to(f"/events/{access.event.id}/registrations/{rid}")


@blueprint.post("/events/<id>/registrations/<rid>/withdraw")
@require_visitor_permission(Permission.WITHDRAW_REGISTRATION)
def withdraw(access: EventAccess, rid: str) -> Response:
    """Delete a registration with all data of its player, if the box `sure` of the form is ticked.

    Redirects to the event. A player's cookie is deleted. Errors return the page of the registration.
    """
    if request.form.get("sure") != "true":
        return receipt_page(access, rid, error=Invalid([Wrong("/sure", event_forms.NOTHING_DELETED)]))
    try:
        services().desk.withdraw(access, rid)
    except Declined as error:
        return receipt_page(access, rid, error=error)
    answer = redirect_to(f"/events/{access.event.id}")
    return answer if access.caller.is_staff else set_key_cookie(answer, access.event.id, "")


@blueprint.get("/events/<id>/registrations/<rid>/data")
@require_visitor_permission(Permission.EXPORT_PLAYER_DATA)
def player_data(access: EventAccess, rid: str) -> Response:
    """Return all data of a player as a JSON download, which is not cached."""
    found = services().desk.player_data(access, rid)
    answer = Response(found.body, found.status, mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="my-data.json"'
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def receipt_page(
    access: EventAccess,
    id: str,
    status: int = 200,
    form: PlayerForm | None = None,
    error: Invalid | Declined | None = None,
    key: str = "",
    settled: Mapping[str, str] | None = None,
) -> Response:
    """Return the page of the registration `id`, with its verdict and revisions, for its player and staff.

    Other callers get a page with the list only, which ignores all arguments after `status`. `form` has typed values to
    show again (None: the current content). `settled` has those of the staff's form, which replace the current ones.

    `error` is shown, and its status replaces `status`. If it is Changed, the form gets the current version, and the
    page also shows the current content. `key` is a new key of the player, which staff hand on. Players see the link
    with the key of their cookie. Raises NoAccess if the caller does not see the registration, or if `error` is
    NoAccess.
    """
    desk = services().desk
    found = desk.judged_registration(access, id)
    words: dict[str, Any] = {"one": found.entrant, "found": found.shown, "verdict": found.verdict, "moment": desk.now()}
    words["deck"] = _deck_rows(found)
    if not (access.caller.is_staff or access.caller.role == OWNER):
        return render_event_page("events/list.html", access, status=status, **words)
    stands = _current_form(access, found)
    conflict = isinstance(error, Changed)
    # The page shows the current list. If the same form is sent again, it changes that list.
    fields = form._replace(etag=stands.etag) if form and conflict else form or stands
    words |= {
        "account": group_findings(found.verdict, current_visit().translate) if found.verdict else None,
        "is_open": access.event.is_open(words["moment"], found.entrant.until),
        "fields": fields,
        "stands": stands if conflict else None,
        "revisions": data_of(desk.revisions(access, id))["revisions"],
        "settled": {
            "until": event_forms.moment_field(access.event, found.entrant.until),
            **found.entrant.where._asdict(),
        }
        | dict(settled or {}),
        "deadline": found.shown["deadline"],
        "address": f"/events/{access.event.id}/registrations/{id}",
        "own_link": "",
        "hands_on": bool(key),
    }
    if key := key or (request.cookies.get(cookie_name(), "") if access.caller.role == OWNER else ""):
        link = f"{event_address(access.event.id, f'/registrations/{id}')}#key={key}"
        words |= {"own_link": link, "code": qrcode.path(link)}
    return render_event_page("events/receipt.html", access, error, status, **words)


def _deck_rows(judged: JudgedRegistration) -> dict[str, list[LineJSON]]:
    """Return the cards of a registered deck by section, without empty sections. Empty if it has no list."""
    verdict = judged.verdict
    return {section: verdict.section(section) for section in verdict.facts.used} if verdict else {}


def _current_form(access: EventAccess, judged: JudgedRegistration) -> PlayerForm:
    """Return the registration form with the current content and version.

    The list is as the player wrote it. A list that was sent as data is written as plain text.
    """
    written, deck = judged.entrant.revision.written, judged.entrant.revision.deck
    text = written.decklist or ""
    if deck and not text:
        text = services().judges.write(deck, PLAIN_TEXT, access.event.game)
    return PlayerForm.from_content(written, text, judged.entrant.version)
