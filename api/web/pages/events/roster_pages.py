"""The pages of who plays: the roster, who is missing, a spreadsheet of players, and what judges settle for one."""

from __future__ import annotations

from typing import Any
from unicodedata import combining

from flask import Response, request

from api.events.registration_desk import MOST_ENTRANTS, Standing
from api.service.errors import Declined, Invalid
from api.service.shapes import loaded
from api.sheets.person_names import cleaned
from api.web.event_schemas import SettlingShape
from api.web.pages.events import event_form
from api.web.pages.events.event_pages import address, refusal, standing_words
from api.web.pages.events.event_visitor import blueprint, data_of, led_to, once, shown, visiting
from api.web.pages.events.pasted_players import pasted_names, pasted_text, sent_players
from api.web.pages.events.registration_pages import receipt_page
from api.web.pages.rendering import is_opened
from api.web.services import services
from api.web.v1.event_requests import described
from validator.language import phrase
from validator.matching import folded
from validator.texts import nfkd

MOST_SHOWN = 500  # players on a page
_LONGEST_SEARCH = 100
STATES = ("all", "received", "missing", "illegal")
_SETTLING = SettlingShape()


@blueprint.route("/events/<id>/roster", methods=["GET", "POST"])
def roster(id: str) -> Response:
    """Show who registered and whose list is there; a search comes by POST, for no address shall have a name."""
    at = visiting("roster", id)
    found = data_of(services().desk.roster(at))
    text = cleaned(request.form.get("q", "")[:_LONGEST_SEARCH])
    state = request.form.get("state", "")
    players = _searched(found["players"], text, state)
    start = _whole(request.form.get("from", ""))
    words = standing_words(at, services().desk.now()) | {
        "sums": found,
        "players": players[start : start + MOST_SHOWN],
        "start": start,
        "after": start + MOST_SHOWN if start + MOST_SHOWN < len(players) else None,
        "found": len(players),
        "q": text,
        "state": state if state in STATES else STATES[0],
    }
    return shown("events/roster.html", **words)


def _searched(players: list[dict[str, Any]], text: str, state: str) -> list[dict[str, Any]]:
    """Return the players in a state whose name or team has a text, however it is written."""
    wanted = _bare(text)
    kept = [one for one in players if wanted in _bare(f"{one['player']} {one['team']}")] if wanted else players
    if state == "illegal":
        return [one for one in kept if one.get("legal") is False]
    if state in ("received", "missing"):
        return [one for one in kept if one["received"] == (state == "received")]
    return kept


def _bare(text: str) -> str:
    """Return a text as it is searched: whoever is in a hurry types no accents."""
    return "".join(char for char in nfkd(folded(text)) if not combining(char))


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


@blueprint.get("/events/<id>/registrations")
def registrations(id: str) -> Response:
    """List the lists that the visitor may see."""
    at = visiting("registrations", id)
    if at.caller.is_staff:
        return led_to(f"/events/{id}/roster")
    here = services()
    with here.turns:
        lists = data_of(here.desk.registrations(at))["registrations"]
    return shown("events/lists.html", **standing_words(at, here.desk.now()), lists=lists)


@blueprint.get("/events/<id>/missing")
def missing(id: str) -> Response:
    """Show who has sent no list and who has not registered, a reminder to both, and a form to paste other names."""
    at = visiting("missing", id)
    found = data_of(services().desk.missing(at))
    known = {"listless": found["missing"], "away": found["not_registered"], "reminder": found["reminder"]}
    return shown("events/missing.html", **_missing_words(at), **known)


@blueprint.post("/events/<id>/missing")
def compare(id: str) -> Response:
    """Compare who registered with the players that were pasted, a line a name."""
    at, pasted = visiting("compare", id), pasted_text()
    names = pasted_names(pasted)
    words = _missing_words(at) | {"pasted": pasted}
    if is_opened():
        return shown("events/missing.html", **words)
    if not 0 < len(names) <= MOST_ENTRANTS:
        fault = phrase("Write 1 to {most} names.", most=MOST_ENTRANTS)
        return shown("events/missing.html", 422, **(words | {"faults": {"players": fault}}))
    found = data_of(services().desk.compare(at, names, None))
    return shown("events/missing.html", **words, compared=found, reminder=found["reminder"])


def _missing_words(at: Standing) -> dict[str, Any]:
    return standing_words(at, services().desk.now()) | {"pasted": "", "faults": {}}


@blueprint.route("/events/<id>/import", methods=["GET", "POST"])
def import_players(id: str) -> Response:
    """Take in a spreadsheet of players; show what came of each row, and the new players' links once."""
    at, here = visiting("import_players", id), services()
    words = standing_words(at, here.desk.now()) | {
        "taken": None,
        "start": address(id),
        "reason": request.form.get("reason", ""),
    }
    if is_opened():
        return shown("events/import.html", **words)
    try:
        taken = data_of(here.desk.import_players(at, sent_players(at), cleaned(words["reason"]), once()))
    except (Invalid, Declined) as error:
        status, faults = refusal(error)
        return shown("events/import.html", status, **(words | {"faults": faults}))
    return shown("events/import.html", **(words | {"taken": taken}))


@blueprint.post("/events/<id>/registrations/<rid>/settle")
def settle(id: str, rid: str) -> Response:
    """Let a player in late, say who is in the top cut, who sits at which table and is written to where.

    Players say of themselves where they are written to, and nothing else.
    """
    at, desk = visiting("settle", id, rid), services().desk
    said: dict[str, Any] = {name: request.form[name] for name in ("table", "email") if name in request.form}
    if at.caller.is_staff:
        said |= _decided(event_form.field_of(at.event, desk.registered(at, rid).entrant.until))
    else:
        said.pop("table", None)
    try:
        data = described(loaded(_SETTLING, said), at.event)
        desk.settle(at, rid, data, data.pop("reason", ""), None)
    except (Invalid, Declined) as error:
        return receipt_page(at, rid, error=error, settled=request.form)
    return receipt_page(at, rid)


def _decided(until_before: str) -> dict[str, Any]:
    """Return what judges alone settle, as the form says it."""
    until, reason = (request.form.get(name, "").strip() for name in ("until", "settled_because"))
    said = {"cut": request.form.get("cut") == "true", "reason": reason}
    # What stands as it stood is left alone: the field does not say which of two that clocks strike it is.
    return said if until == until_before else said | {"until": until or None}


@blueprint.post("/events/<id>/registrations/<rid>/key")
def renew_key(id: str, rid: str) -> Response:
    """Make a new key for a player who has lost the old one, and show its link once."""
    at = visiting("renew_key", id, rid)
    return receipt_page(at, rid, key=data_of(services().desk.renew_key(at, rid, once()))["key"])
