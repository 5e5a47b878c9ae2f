"""The pages of an event: to begin one, and what it is, with the form by which players register."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any

from flask import Response, request

from api.events import rights
from api.events.attendance import said_time
from api.events.entrant import MOST_REVISIONS
from api.events.event_answers import deadline
from api.events.registration_desk import Standing
from api.events.storage.event_keys import PLAYER
from api.service.errors import Changed, Closed, Declined, Full, Hidden, Invalid
from api.sheets import qrcode
from api.web.pages.deck_form import choices
from api.web.pages.events import event_form
from api.web.pages.events.event_visitor import blueprint, data_of, faults_of, led_to, once, remember, shown, visiting
from api.web.pages.events.player_form import NOTHING, PlayerForm
from api.web.pages.rendering import Page, here, is_opened
from api.web.services import services
from validator.language import Language, phrase

PAGE = Page(blueprint, "/events", lambda say: say("Events"))

_SAYS: Mapping[type, str] = {
    Closed: phrase("Registration is not open now, so nothing was written."),
    Changed: phrase("This was changed meanwhile, so nothing of yours was written yet. Compare both, then send again."),
}
_LONGEST_TYPED = 100
_NO_CODE = phrase("No event has this code. Type the two or three words of the flyer, such as lusab-babad.")
_NO_ADMIN = phrase("This is not the key of this server's admin.")


@blueprint.get("/events")
def events() -> Response:
    """Get the form that begins an event; the code of one that there is leads to its page."""
    if not (code := request.args.get("code", "").strip()[:_LONGEST_TYPED]):
        return _beginning(event_form.typed())
    try:
        return led_to(f"/events/{services().desk.find_event(code)}")
    except Hidden:
        return _beginning(event_form.typed(), HTTPStatus.NOT_FOUND, {"code": _NO_CODE}, code)


@blueprint.post("/events")
def begin() -> Response:
    """Begin an event, and show its keys once."""
    fields = event_form.typed()
    if is_opened():
        return _beginning(fields)
    key = request.form.get("admin_key", "").strip()
    try:
        made = data_of(services().desk.create(event_form.begun(fields), key, once()))
    except Invalid as error:
        return _beginning(fields, 422, faults_of(error))
    except Hidden:
        return _beginning(fields, 422, {"admin_key": _NO_ADMIN})
    except Full as error:
        return _beginning(fields, 503, {"": str(error)})
    join, keys = address(made["id"]), made["keys"]
    links = {role: f"{join}#key={keys[role]}" for role in ("organiser", "judge")}
    answer = shown(
        "events/begun.html", 201, name=made["name"], event_id=made["id"], join=join, code=qrcode.path(join), **links
    )
    return remember(answer, made["id"], keys["organiser"])


def _beginning(
    fields: dict[str, str], status: int = 200, faults: dict[str, str] | None = None, code: str = ""
) -> Response:
    demands = bool(services().settings.admin_key)
    known = {"choices": choices(here().say), "zones": event_form.zones(), "demands_key": demands, "code": code}
    return shown("events/events.html", status, fields=fields, faults=faults or {}, **known)


@blueprint.get("/events/<id>")
def event(id: str) -> Response:
    """Get the page of an event."""
    return event_page(visiting("show", id), NOTHING)


def address(event_id: str, rest: str = "") -> str:
    """Return the whole address of an event's page, as it is handed on."""
    return f"{request.host_url.rstrip('/')}{request.script_root}/events/{event_id}{rest}"


def event_page(at: Standing, form: PlayerForm, error: Invalid | Declined | None = None) -> Response:
    """Return the page of an event, with the form as it was filled in."""
    status, faults = refusal(error)
    now = services().desk.now()
    known = standing_words(at, now) | {
        "fields": form,
        "faults": faults,
        "is_open": at.event.is_open(now),
        "may_register": at.caller.is_staff or (at.event.is_open(now) and at.caller.role != PLAYER),
        "most": MOST_REVISIONS,
        "seconds": deadline(at.event, None, now, 0)["seconds_left"],
        "own": at.caller.registration_id,
        "code": at.event.code,
    }
    return shown("events/event.html", status, **known)


def refusal(error: Invalid | Declined | None) -> tuple[int, dict[str, str]]:
    """Return with which status a form comes back, and what is wrong with it by field."""
    if error is None:
        return HTTPStatus.OK, {}
    if isinstance(error, Hidden):
        raise error
    if isinstance(error, Invalid):
        return HTTPStatus.UNPROCESSABLE_ENTITY, faults_of(error)
    return error.status, {"": _SAYS.get(type(error), str(error))}


def standing_words(at: Standing, now: datetime) -> dict[str, Any]:
    """Return what every page of an event knows of it and of its visitor."""
    judge = services().desk.judge(at.event)
    made = judge.made_with
    return {
        "event": at.event,
        "role": at.caller.role,
        "staff": at.caller.is_staff,
        "now": now,
        "stage": at.stage(now),
        "time": partial(said_time, at.event),
        "terms": {
            "title": made["ruleset"]["title"],
            "ruleset": made["ruleset"]["id"],
            "format": made["format"],
            "region": made["region"],
        },
        "may": lambda operation: rights.may(operation, at.caller),
        "ways": _ways(at, now, here().say),
    }


def _ways(at: Standing, now: datetime, say: Language) -> list[tuple[str, str]]:
    """Return where the visitor of an event may go, each with its title."""
    start, caller = f"/events/{at.event.id}", at.caller
    everyone = [
        ("", say("Event"), True),
        ("/roster", say("Roster"), rights.sees_roster(caller, at.event.visibility.roster)),
    ]
    lists = rights.sees_any_list(caller, at.stage(now)) and not caller.is_staff
    ways = [
        *everyone,
        ("/registrations", say("Lists"), lists),
        ("/missing", say("Missing"), rights.may("missing", caller)),
        ("/expected", say("Expected"), rights.may("expected", caller)),
        ("/table", say("Judge's table"), rights.may("checks", caller)),
        ("/import", say("Spreadsheet"), rights.may("import_players", caller)),
        ("/impact", say("Impact"), rights.may("impact", caller)),
        ("/stream", say("Stream"), rights.may("stream", caller)),
        ("/files", say("Files"), rights.may("export", caller)),
        ("/keys", say("Keys"), rights.may("keys", caller)),
        ("/settings", say("Change"), rights.may("change", caller)),
        ("/audit", say("Audit"), rights.may("audit", caller)),
    ]
    return [(start + path, title) for path, title, may in ways if may]
