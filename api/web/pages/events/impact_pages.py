"""The impact page: whose decks a change of ban list, rules or rotation makes illegal, from one day to another.

Judges can also try a ban list that is not published yet, typed or as a file. Nothing of it is stored.
"""

from __future__ import annotations

from flask import Response, request

from api.events.base_desk import EventAccess
from api.events.event_json import ImpactJSON
from api.events.impact import ImpactDesk, Proposal
from api.events.rights import Permission
from api.service.errors import Invalid, Wrong
from api.service.shapes import load_with
from api.web.event_schemas import ImpactQuery, ProposalShape
from api.web.pages.events.event_forms import read_list_file
from api.web.pages.events.event_pages import render_event_page
from api.web.pages.events.event_visitor import blueprint, data_of, require_visitor_permission
from api.web.pages.rendering import is_unsubmitted
from api.web.services import services
from validator.language import phrase

_IMPACT, _PROPOSAL = ImpactQuery(), ProposalShape()
_FIELDS = ("before", "after", "lines", "first_day", "on")
_LONGEST_TYPED = 30_000  # characters that a form comes back with
_NOT_BOTH = phrase("Write the changes or choose a file, not both.")


@blueprint.get("/events/<id>/impact")
@require_visitor_permission(Permission.SHOW_IMPACT)
def impact(access: EventAccess) -> Response:
    """Return the page with the players whose decks are legal on only one of the two days in the query.

    By default the days are today and the event's day. Wrong days are shown as errors of the form.
    """
    typed = {name: request.args.get(name, "").strip() for name in ("before", "after")}
    try:
        asked = load_with(_IMPACT, _filled_fields(typed))
        found = data_of(_desk().compare_days(access, asked.get("before"), asked.get("after")))
    except Invalid as error:
        return _impact_page(access, typed, error=error)
    return _impact_page(access, typed, found)


@blueprint.post("/events/<id>/impact")
@require_visitor_permission(Permission.SHOW_IMPACT)
def try_proposal(access: EventAccess) -> Response:
    """Return the page with the players whose decks the form's unpublished ban list would make illegal or legal.

    The list is typed or uploaded, not both. Nothing is stored. Errors are shown in the form. A form that was sent only
    to change the language is shown again without a result.
    """
    typed = {name: request.form.get(name, "")[:_LONGEST_TYPED].strip() for name in ("lines", "first_day", "on")}
    if is_unsubmitted():
        return _impact_page(access, typed)
    try:
        file = read_list_file("file")
        if bool(file) == bool(typed["lines"]):
            raise Invalid([Wrong("/lines", _NOT_BOTH)])
        data = load_with(_PROPOSAL, _filled_fields(typed | {"file": file}))
        proposal = Proposal(data.get("lines", ""), data.get("file", ""), data.get("first_day"))
        found = data_of(_desk().try_proposal(access, proposal, data.get("on")))
    except Invalid as error:
        return _impact_page(access, typed, error=error)
    return _impact_page(access, typed, found)


def _desk() -> ImpactDesk:
    """Return a new desk that compares the legality of an event's decks between days or lists."""
    here = services()
    return ImpactDesk(here.desk, here.judges)


def _filled_fields(typed: dict[str, str]) -> dict[str, str]:
    """Return the fields that are not ""."""
    return {name: text for name, text in typed.items() if text}


def _impact_page(
    access: EventAccess, typed: dict[str, str], impact: ImpactJSON | None = None, error: Invalid | None = None
) -> Response:
    """Return the impact page with the form as typed. `impact` is the result, None for none.

    `error` is shown at its fields.
    """
    fields = dict.fromkeys(_FIELDS, "") | typed
    return render_event_page("events/impact.html", access, error, fields=fields, impact=impact)
