"""The impact page: whose decks a change of ban list, rules or rotation makes illegal, from one day to another.

Judges can also try a ban list that is not published yet, typed or as a file. Nothing of it is stored.
"""

from __future__ import annotations

from flask import Response, request

from api.events.base_desk import EventAccess
from api.events.bounds import LONGEST_FILE
from api.events.event_json import ImpactJSON
from api.events.impact import ImpactDesk, Proposal
from api.events.rights import Permission
from api.service.errors import Invalid, Wrong
from api.service.shapes import loaded
from api.web.event_schemas import ImpactQuery, ProposalShape
from api.web.pages.events.event_pages import page_values, refusal
from api.web.pages.events.event_visitor import allowed, blueprint, data_of, render_page
from api.web.pages.rendering import is_unsubmitted
from api.web.services import services
from validator.language import phrase

_IMPACT, _PROPOSAL = ImpactQuery(), ProposalShape()
_FIELDS = ("before", "after", "lines", "first_day", "on")
_LONGEST_TYPED = 30_000  # characters that a form comes back with
_NOT_UTF8 = phrase("This file is no text. Choose a TOML file in UTF-8.")
_NOT_BOTH = phrase("Write the changes or choose a file, not both.")
_TOO_LARGE = phrase("This file is too large. Leave some changes out.")


@blueprint.get("/events/<id>/impact")
@allowed(Permission.SHOW_IMPACT)
def impact(access: EventAccess) -> Response:
    """Show whose decks are legal on only one of two days."""
    typed = {name: request.args.get(name, "").strip() for name in ("before", "after")}
    try:
        asked = loaded(_IMPACT, _filled(typed))
        found = data_of(_desk().compare_days(access, asked.get("before"), asked.get("after")))
    except Invalid as error:
        return _impact_page(access, typed, error=error)
    return _impact_page(access, typed, found)


@blueprint.post("/events/<id>/impact")
@allowed(Permission.SHOW_IMPACT)
def try_proposal(access: EventAccess) -> Response:
    """Show whose decks a ban list would make illegal that is not published yet."""
    typed = {name: request.form.get(name, "")[:_LONGEST_TYPED].strip() for name in ("lines", "first_day", "on")}
    if is_unsubmitted():
        return _impact_page(access, typed)
    try:
        file = _sent_file()
        if bool(file) == bool(typed["lines"]):
            raise Invalid([Wrong("/lines", _NOT_BOTH)])
        data = loaded(_PROPOSAL, _filled(typed | {"file": file}))
        proposal = Proposal(data.get("lines", ""), data.get("file", ""), data.get("first_day"))
        found = data_of(_desk().try_proposal(access, proposal, data.get("on")))
    except Invalid as error:
        return _impact_page(access, typed, error=error)
    return _impact_page(access, typed, found)


def _desk() -> ImpactDesk:
    here = services()
    return ImpactDesk(here.desk, here.judges)


def _filled(typed: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in typed.items() if text}


def _sent_file() -> str:
    """Return the text of the form's file, "" without a file. Raises Invalid if it is too large or no text."""
    file = request.files.get("file")
    data = file.read(LONGEST_FILE + 1) if file else b""
    if len(data) > LONGEST_FILE:
        raise Invalid([Wrong("/file", _TOO_LARGE)])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid([Wrong("/file", _NOT_UTF8)]) from None


def _impact_page(
    access: EventAccess, typed: dict[str, str], found: ImpactJSON | None = None, error: Invalid | None = None
) -> Response:
    status, faults = refusal(error)
    words = page_values(access, services().desk.now())
    fields = dict.fromkeys(_FIELDS, "") | typed
    return render_page("events/impact.html", status, **words, fields=fields, faults=faults, impact=found)
