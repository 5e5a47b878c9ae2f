"""The pages of a registration: to register, and the receipt with its verdict, its revisions and what may be changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from api.events.registration_desk import Registered, Standing
from api.events.storage.event_keys import OWNER
from api.service.errors import Changed, Declined, Invalid, Wrong
from api.web.pages.events import event_form
from api.web.pages.events.event_pages import address, event_page, refusal, standing_words
from api.web.pages.events.event_visitor import as_with, blueprint, data_of, led_to, once, remember, shown, visiting
from api.web.pages.events.player_form import PlayerForm
from api.web.pages.rendering import here, is_opened
from api.web.services import services
from validator.language import phrase

_NOT_SURE = phrase("Tick that you are sure; nothing was deleted.")
_PLAIN = "text"  # the format of lists that anybody reads


@blueprint.post("/events/<id>")
def register(id: str) -> Response:
    """Register a player with the list of the form, and show what is wrong with it and the player's own key."""
    at, form = visiting("register", id), PlayerForm.read()
    if is_opened():
        return event_page(at, form)
    try:
        made = data_of(services().desk.register(at, form.wish(at), once()))
    except (Invalid, Declined) as error:
        return event_page(at, form, error)
    key = made["key"]
    answer = receipt_page(as_with(key, "registration", id, made["id"]), made["id"], 201, key=key)
    return answer if at.caller.is_staff else remember(answer, id, key)


@blueprint.get("/events/<id>/registrations/<rid>")
def registration(id: str, rid: str) -> Response:
    """Get the receipt of a registration, or its list, for those who see only that."""
    return receipt_page(visiting("registration", id, rid), rid)


@blueprint.post("/events/<id>/registrations/<rid>")
def revise(id: str, rid: str) -> Response:
    """Change a registration as the form says; what was typed comes back with whatever is wrong with it."""
    at, form, desk = visiting("revise", id, rid), PlayerForm.read(), services().desk
    if is_opened():
        return receipt_page(at, rid, form=form)
    try:
        before = _standing(at, desk.registered(at, rid))
        desk.revise(at, rid, form.wish(at, before), lambda version: version == form.etag)
    except (Invalid, Declined) as error:
        return receipt_page(at, rid, form=form, error=error)
    return led_to(f"/events/{id}/registrations/{rid}")


@blueprint.post("/events/<id>/registrations/<rid>/withdraw")
def withdraw(id: str, rid: str) -> Response:
    """Delete a registration with all that is known of its player."""
    at = visiting("withdraw", id, rid)
    if request.form.get("sure") != "true":
        return receipt_page(at, rid, error=Invalid([Wrong("/sure", _NOT_SURE)]))
    try:
        services().desk.withdraw(at, rid)
    except Declined as error:
        return receipt_page(at, rid, error=error)
    answer = led_to(f"/events/{id}")
    return answer if at.caller.is_staff else remember(answer, id, "")


@blueprint.get("/events/<id>/registrations/<rid>/data")
def player_data(id: str, rid: str) -> Response:
    """Get all that is known of one player, as a file."""
    found = services().desk.player_data(visiting("player_data", id, rid), rid)
    answer = Response(found.body, found.status, mimetype="application/json")
    answer.headers["Content-Disposition"] = 'attachment; filename="my-data.json"'
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def receipt_page(
    at: Standing,
    id: str,
    status: int = 200,
    form: PlayerForm | None = None,
    error: Invalid | Declined | None = None,
    key: str = "",
    settled: Mapping[str, str] | None = None,
) -> Response:
    """Return the page of a registration, with forms as they were filled in, or as what stands."""
    desk = services().desk
    found, now = desk.registered(at, id), desk.now()
    words = standing_words(at, now) | {"one": found.entrant, "found": found.shown, "verdict": found.verdict}
    words["deck"] = _understood(found)
    if not (at.caller.is_staff or at.caller.role == OWNER):
        return shown("events/list.html", status, **words)
    stands = _standing(at, found)
    refused, faults = refusal(error)
    conflict = isinstance(error, Changed)
    # What was typed is a change of what stands now, once its writer has seen that.
    fields = form._replace(etag=stands.etag) if form and conflict else form or stands
    words |= {
        "account": found.verdict.told(here().say) if found.verdict else None,
        "is_open": at.event.is_open(now, found.entrant.until),
        "fields": fields,
        "stands": stands if conflict else None,
        "faults": faults,
        "revisions": data_of(desk.revisions(at, id))["revisions"],
        "settled": {"until": event_form.field_of(at.event, found.entrant.until), **found.entrant.where._asdict()}
        | dict(settled or {}),
        "deadline": found.shown["deadline"],
        "address": f"/events/{at.event.id}/registrations/{id}",
        "own_link": f"{address(at.event.id, f'/registrations/{id}')}#key={key}" if key else "",
    }
    return shown("events/receipt.html", refused if error else status, **words)


def _understood(found: Registered) -> dict[str, list[dict[str, Any]]]:
    """Return the deck as it was understood, by section."""
    verdict = found.verdict
    return {section: verdict.section(section) for section in verdict.facts.used} if verdict else {}


def _standing(at: Standing, found: Registered) -> PlayerForm:
    """Return the form as it says what stands, with the list as the player wrote it."""
    written, deck = found.entrant.revision.written, found.entrant.revision.deck
    text = written.decklist or ""
    if deck and not text:
        text = services().judges.write(deck, _PLAIN, at.event.game)
    return PlayerForm.of(written, text, found.entrant.version)
