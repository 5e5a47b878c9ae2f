"""The pages of the players: the roster, who is missing, what judges settle for one player, and duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining

from flask import Response, request

from api.events.base_desk import EventAccess
from api.events.bounds import MOST_ENTRANTS
from api.events.player_json import RosteredJSON
from api.events.players.attendance import SORTS, STATES, RosterOrder
from api.events.players.duplicate_desk import OTHER, OWN, DuplicateDesk, MergeWish
from api.events.players.player_desk import PlayerDesk
from api.events.rights import Permission
from api.events.storage.event_keys import is_id
from api.service.errors import Declined, Invalid, NoAccess, Wrong
from api.service.shapes import load_with
from api.sheets.person_names import clean_text
from api.web.event_fields import parse_event_fields
from api.web.event_schemas import SettlingShape
from api.web.pages.events import event_forms
from api.web.pages.events.event_pages import render_event_page
from api.web.pages.events.event_visitor import blueprint, data_of, form_request, redirect_to, require_visitor_permission
from api.web.pages.events.import_pages import pasted_names, pasted_text
from api.web.pages.events.registration_pages import receipt_page
from api.web.pages.rendering import is_unsubmitted
from api.web.public_address import event_address
from api.web.services import services
from validator.language import phrase
from validator.matching import fold_text
from validator.texts import nfkd

MOST_SHOWN = 500  # players on a page
_LONGEST_SEARCH = 100
_SETTLING = SettlingShape()


@blueprint.route("/events/<id>/roster", methods=["GET", "POST"])
@require_visitor_permission(Permission.SHOW_ROSTER)
def roster(access: EventAccess) -> Response:
    """Return a page of up to 500 players of the roster, filtered, sorted and searched.

    The search and the first row come by POST, because an address must not contain a name. Unknown values of a field
    count as its default.
    """
    order = RosterOrder(_choice("sort", SORTS, ""), _choice("state", STATES, STATES[0]))
    found = data_of(services().desk.roster(access, order))
    text = clean_text(request.form.get("q", "")[:_LONGEST_SEARCH])
    players = _search_players(found["players"], text)
    start = _parse_number(request.form.get("from", ""))
    return render_event_page(
        "events/roster.html",
        access,
        sums=found,
        players=players[start : start + MOST_SHOWN],
        start=start,
        after=start + MOST_SHOWN if start + MOST_SHOWN < len(players) else None,
        found=len(players),
        q=text,
        order=order,
    )


def _choice(name: str, allowed: Sequence[str], default: str) -> str:
    """Return the value of a field in the form or else the query, `default` if it is not in `allowed`."""
    value = request.form.get(name) or request.args.get(name, "")
    return value if value in allowed else default


def _search_players(players: list[RosteredJSON], text: str) -> list[RosteredJSON]:
    """Return the players whose name or team contains a text, without case and accents. All for a blank text."""
    wanted = _plain_text(text)
    return [one for one in players if wanted in _plain_text(f"{one['player']} {one['team']}")] if wanted else players


def _plain_text(text: str) -> str:
    """Return a text without case and accents, to be compared in a search."""
    return "".join(char for char in nfkd(fold_text(text)) if not combining(char))


def _parse_number(text: str) -> int:
    """Return the number in a field of fewer than 7 digits, 0 for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


@blueprint.get("/events/<id>/registrations")
@require_visitor_permission(Permission.LIST_REGISTRATIONS)
def registrations(access: EventAccess) -> Response:
    """Return the page with the lists that the visitor may see. Staff are redirected to the roster.

    Raises Busy if too many such pages are being made.
    """
    if access.caller.is_staff:
        return redirect_to(f"/events/{access.event.id}/roster")
    here = services()
    with here.turns:
        lists = data_of(here.desk.registrations(access))["registrations"]
    return render_event_page("events/lists.html", access, lists=lists)


@blueprint.get("/events/<id>/missing")
@require_visitor_permission(Permission.LIST_MISSING)
def missing(access: EventAccess) -> Response:
    """Return the page of missing players: registered ones without a list, and expected ones without a registration.

    It has a reminder to both, and a form to compare with pasted names.
    """
    found = data_of(PlayerDesk(services().desk).list_missing(access, event_address(access.event.id)))
    return render_event_page(
        "events/missing.html",
        access,
        pasted="",
        listless=found["missing"],
        away=found["not_registered"],
        reminder=found["reminder"],
    )


@blueprint.post("/events/<id>/missing")
@require_visitor_permission(Permission.COMPARE_PLAYERS)
def compare(access: EventAccess) -> Response:
    """Return the page that compares the registered players with pasted names, one per line. The names are not stored.

    No names or too many are an error of the form (422). A form that was sent only to change the language is shown
    again.
    """
    pasted = pasted_text()
    names = pasted_names(pasted)
    if is_unsubmitted():
        return render_event_page("events/missing.html", access, pasted=pasted)
    if not 0 < len(names) <= MOST_ENTRANTS:
        error = Invalid([Wrong("/players", phrase("Write 1 to {most} names.", most=MOST_ENTRANTS))])
        return render_event_page("events/missing.html", access, error, pasted=pasted)
    found = data_of(PlayerDesk(services().desk).compare(access, names, None, event_address(access.event.id)))
    return render_event_page("events/missing.html", access, pasted=pasted, compared=found, reminder=found["reminder"])


@blueprint.post("/events/<id>/registrations/<rid>/settle")
@require_visitor_permission(Permission.SETTLE_REGISTRATION)
def settle(access: EventAccess, rid: str) -> Response:
    """Change the player's deadline, top cut, table and e-mail address, and return the page of the registration.

    Staff may change all of them, players only their own address. Errors return the page with the typed values.
    """
    desk = services().desk
    fields: dict[str, object] = {name: request.form[name] for name in ("table", "email") if name in request.form}
    if access.caller.is_staff:
        fields |= _judge_fields(
            event_forms.moment_field(access.event, desk.judged_registration(access, rid).entrant.until)
        )
    else:
        fields.pop("table", None)
    try:
        data = parse_event_fields(load_with(_SETTLING, fields), access.event)
        desk.change_settings(access, rid, data, data.pop("reason", ""), None)
    except (Invalid, Declined) as error:
        return receipt_page(access, rid, error=error, settled=request.form)
    return receipt_page(access, rid)


def _judge_fields(until_before: str) -> dict[str, object]:
    """Return the form fields that only staff may change: `cut`, `reason`, and the player's own deadline `until`.

    An empty deadline is None. `until` is left out if its text is still `until_before`.
    """
    until, reason = (request.form.get(name, "").strip() for name in ("until", "settled_because"))
    fields = {"cut": request.form.get("cut") == "true", "reason": reason}
    # If clocks show a time twice, the field does not say which of the two it is. So an equal time is not sent.
    return fields if until == until_before else fields | {"until": until or None}


@blueprint.post("/events/<id>/registrations/<rid>/key")
@require_visitor_permission(Permission.RENEW_PLAYER_KEY)
def renew_key(access: EventAccess, rid: str) -> Response:
    """Make a new key for a player, and return the page that shows its link once. The old key is not valid any more."""
    return receipt_page(access, rid, key=data_of(services().desk.renew_key(access, rid, form_request()))["key"])


@blueprint.get("/events/<id>/duplicates")
@require_visitor_permission(Permission.LIST_DUPLICATES)
def duplicates(access: EventAccess) -> Response:
    """Return the page that shows each pair of registrations that seem to be of one player side by side."""
    return _duplicates_page(access)


@blueprint.post("/events/<id>/duplicates/merge")
@require_visitor_permission(Permission.MERGE_REGISTRATIONS)
def merge(access: EventAccess) -> Response:
    """Merge the two registrations of the form, and redirect to the duplicates. The chosen one's list is kept.

    The registration that stays is that of `_find_merge_target`. Errors return the page. Raises NoAccess if the form has
    no such pair.
    """
    desk = _desk()
    chosen, other = _parse_pair(request.form.get("list", ""))
    try:
        reason = event_forms.read_reason()
        if _find_merge_target(access, chosen, other) == chosen:
            desk.merge(access, chosen, MergeWish(other, OWN, reason), form_request())
        else:
            desk.merge(access, other, MergeWish(chosen, OTHER, reason), form_request())
    except (Invalid, Declined) as error:
        return _duplicates_page(access, error)
    return redirect_to(f"/events/{access.event.id}/duplicates")


@blueprint.post("/events/<id>/duplicates/separate")
@require_visitor_permission(Permission.SEPARATE_REGISTRATIONS)
def separate(access: EventAccess) -> Response:
    """Mark the two registrations of the form as those of different players, and redirect to the duplicates.

    Errors return the page. Raises NoAccess if the form has no such pair.
    """
    first, second = _parse_pair(request.form.get("first", ""))
    try:
        _desk().separate(access, first, second, "", form_request())
    except (Invalid, Declined) as error:
        return _duplicates_page(access, error)
    return redirect_to(f"/events/{access.event.id}/duplicates")


def _desk() -> DuplicateDesk:
    """Return a new desk that finds, merges and separates duplicate registrations."""
    return DuplicateDesk(services().desk)


def _parse_pair(value: str) -> tuple[str, str]:
    """Return the two registration ids of the form, `value` first. Raises NoAccess if either is no id.

    Also raises NoAccess if `value` is neither of them.
    """
    pair = [request.form.get(name, "") for name in ("first", "second")]
    if value not in pair or not all(map(is_id, pair)):
        raise NoAccess
    return value, pair[1] if value == pair[0] else pair[0]


def _find_merge_target(access: EventAccess, *pair: str) -> str:
    """Return the id in `pair` of the registration that a merge keeps, with its revisions.

    It is the one whose deck was checked, else the older one: the list at the deadline stays known. If neither exists
    any more, it is the first id.
    """
    with services().desk.store.reading() as reader:
        checked = {check.registration for check in reader.checks(access.event.id)}
        entrants = reader.entrants(access.event.id, pair)
    found = min(entrants, key=lambda one: (one.id not in checked, one.created, pair.index(one.id)), default=None)
    return found.id if found else pair[0]


def _duplicates_page(access: EventAccess, error: Invalid | Declined | None = None) -> Response:
    """Return the page with the pairs of duplicates. `error` is shown in it. Raises `error` if it is NoAccess."""
    found = data_of(_desk().list_duplicates(access))
    return render_event_page("events/duplicates.html", access, error, found=found)
