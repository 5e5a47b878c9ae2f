"""The organiser's pages: to change an event, its keys, what a change of lists does to it, its files and its audit."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from api.events import rights
from api.events.registration_desk import Standing
from api.service.errors import Changed, Declined, Invalid, Wrong
from api.service.shapes import loaded
from api.sheets.sheet_files import ORDERS
from api.web import event_downloads
from api.web.event_schemas import ExportQuery, ImpactQuery, NewKeyShape
from api.web.pages.deck_form import choices
from api.web.pages.events import event_form
from api.web.pages.events.event_pages import address, refusal, standing_words
from api.web.pages.events.event_visitor import blueprint, data_of, led_to, once, remember, shown, visiting
from api.web.pages.rendering import here, is_opened
from api.web.services import services
from validator.language import phrase

_NOT_SURE = phrase("Tick that you are sure; nothing was deleted.")
_MOST_ENTRIES = 1000  # of an audit, on its page
_NEW_KEY, _IMPACT, _EXPORT = NewKeyShape(), ImpactQuery(), ExportQuery()


@blueprint.get("/events/<id>/settings")
def settings(id: str) -> Response:
    """Get the form that changes an event."""
    at = visiting("change", id)
    return _settings_page(at, event_form.of_event(at.event))


@blueprint.post("/events/<id>/settings")
def change(id: str) -> Response:
    """Change an event as the form says."""
    at, fields = visiting("change", id), event_form.typed()
    if is_opened():
        return _settings_page(at, fields)
    try:
        said = event_form.changed(fields, at.event)
        version = request.form.get("etag", "")
        services().desk.change(at, said, "", lambda stands: stands == version)
    except (Invalid, Declined) as error:
        return _settings_page(visiting("change", id), fields, error)
    return led_to(f"/events/{id}")


@blueprint.post("/events/<id>/delete")
def delete(id: str) -> Response:
    """Delete an event with all that is known of it."""
    at = visiting("delete", id)
    if request.form.get("sure") != "true":
        error = Invalid([Wrong("/sure", _NOT_SURE)])
        return _settings_page(at, event_form.of_event(at.event), error)
    services().desk.delete(at)
    return remember(led_to("/events"), id, "")


def _settings_page(at: Standing, fields: dict[str, str], error: Invalid | Declined | None = None) -> Response:
    status, faults = refusal(error)
    words = standing_words(at, services().desk.now()) | {
        "fields": fields,
        "faults": faults,
        "choices": choices(here().say),
        "zones": event_form.zones(),
        "stands": event_form.of_event(at.event) if isinstance(error, Changed) else None,
    }
    return shown("events/settings.html", status, **words)


@blueprint.get("/events/<id>/keys")
def keys(id: str) -> Response:
    """List the keys of those who run an event."""
    return _keys_page(visiting("keys", id))


@blueprint.post("/events/<id>/keys")
def add_key(id: str) -> Response:
    """Make a key for one more of those who run an event, and show its link once."""
    at = visiting("add_key", id)
    typed = {"name": request.form.get("name", ""), "role": request.form.get("role", "")}
    if is_opened():
        return _keys_page(at, typed)
    try:
        data = loaded(_NEW_KEY, typed)
        made = data_of(services().desk.add_key(at, data["role"], data["name"], once()))
    except (Invalid, Declined) as error:
        return _keys_page(at, typed, error)
    return _keys_page(at, made=made)


@blueprint.post("/events/<id>/keys/<kid>/revoke")
def revoke_key(id: str, kid: str) -> Response:
    """Revoke a key, at once."""
    at = visiting("revoke_key", id)
    try:
        services().desk.revoke_key(at, kid)
    except Declined as error:
        return _keys_page(at, error=error)
    return led_to(f"/events/{id}/keys")


def _keys_page(
    at: Standing,
    typed: dict[str, str] | None = None,
    error: Invalid | Declined | None = None,
    made: dict[str, Any] | None = None,
) -> Response:
    status, faults = refusal(error)
    words = standing_words(at, services().desk.now()) | {
        "fields": typed or {"name": "", "role": ""},
        "faults": faults,
        "keys": data_of(services().desk.keys(at))["keys"],
        "made": made,
        "own_link": f"{address(at.event.id)}#key={made['key']}" if made else "",
    }
    return shown("events/keys.html", 201 if made else status, **words)


@blueprint.get("/events/<id>/impact")
def impact(id: str) -> Response:
    """Show whose decks are legal on one day and not on another."""
    at = visiting("impact", id)
    days = {name: request.args.get(name, "").strip() for name in ("before", "after")}
    words = standing_words(at, services().desk.now()) | {"fields": days, "faults": {}, "impact": None}
    try:
        asked = loaded(_IMPACT, {name: day for name, day in days.items() if day})
        found = data_of(services().desk.impact(at, asked.get("before"), asked.get("after")))
    except Invalid as error:
        status, faults = refusal(error)
        return shown("events/impact.html", status, **(words | {"faults": faults}))
    return shown("events/impact.html", **(words | {"impact": found}))


@blueprint.get("/events/<id>/audit")
def audit(id: str) -> Response:
    """Show what was done by which key, and whether it stands as it was written."""
    at = visiting("audit", id)
    found = data_of(services().desk.audit(at))
    return shown("events/audit.html", **standing_words(at, services().desk.now()), audit=found, most=_MOST_ENTRIES)


@blueprint.get("/events/<id>/files")
def files(id: str) -> Response:
    """List the files that are made of an event."""
    at = visiting("export", id)
    say = here().say
    orders = tuple(zip(ORDERS, (say("last names"), say("the tables")), strict=True))
    now = services().desk.now()
    known: dict[str, Any] = {"sheet_orders": orders, "shows_lists": rights.sees_any_list(at.caller, at.stage(now))}
    return shown("events/files.html", **standing_words(at, now), **known, fields={"paper": ""})


@blueprint.get("/events/<id>/export")
def export(id: str) -> Response:
    """Get a file of an event, with all players and lists."""
    at = visiting("export", id)
    asked = loaded(_EXPORT, {name: value for name, value in request.args.items() if name != "lang"})
    return event_downloads.export(at, asked)
