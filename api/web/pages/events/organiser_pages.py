"""The organiser's pages: to change, copy and delete an event, its keys, its files and its audit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import groupby

from flask import Response, request

from api.events import rights
from api.events.base_desk import EventAccess
from api.events.event_desk import AuditDesk
from api.events.event_json import AuditEntryJSON, MadeKeyJSON
from api.events.rights import Permission
from api.events.storage.event_keys import ADMIN
from api.events.storage.idempotency import Reply
from api.service.errors import Changed, Declined, Invalid, Wrong
from api.service.shapes import load_with
from api.sheets.sheet_files import ORDERS
from api.web import event_downloads
from api.web.event_fields import parse_event_fields
from api.web.event_schemas import EventCopyShape, ExportQuery, NewKeyShape
from api.web.pages.events import event_forms
from api.web.pages.events.event_pages import created_page, deleted_page, render_event_page
from api.web.pages.events.event_visitor import (
    blueprint,
    cookie_name,
    data_of,
    form_request,
    redirect_to,
    require_visitor_permission,
    set_key_cookie,
    visitor_access,
)
from api.web.pages.rendering import current_visit, is_unsubmitted
from api.web.public_address import event_address
from api.web.services import services

_ENTRIES_SHOWN = 250  # on a page of the audit
_ENTRIES_UNFOLDED = 100  # of a run
_NEW_KEY, _EXPORT = NewKeyShape(), ExportQuery()


@blueprint.get("/events/<id>/settings")
@require_visitor_permission(Permission.CHANGE_EVENT)
def settings(access: EventAccess) -> Response:
    """Return the page with the form that changes an event, filled with its current settings."""
    return _settings_page(access, event_forms.event_fields(access.event))


@blueprint.post("/events/<id>/settings")
@require_visitor_permission(Permission.CHANGE_EVENT)
def change(access: EventAccess) -> Response:
    """Change the event to the settings of the form, and redirect to it. Errors return the form as typed.

    The change is refused if another organiser has changed the event after the form's page was made. A form that was
    sent only to change the language is shown again, and changes nothing.
    """
    fields = event_forms.read_event_fields()
    if is_unsubmitted():
        return _settings_page(access, fields)
    try:
        changes = event_forms.parse_event_change(fields, access.event)
        version = request.form.get("etag", "")
        services().events.change(access, changes, "", lambda stands: stands == version, event_forms.is_past_confirmed())
    except (Invalid, Declined) as error:
        now = visitor_access(Permission.CHANGE_EVENT, access.event.id)  # what another organiser wrote meanwhile
        return _settings_page(now, fields, error)
    return redirect_to(f"/events/{access.event.id}")


@blueprint.post("/events/<id>/delete")
@require_visitor_permission(Permission.DELETE_EVENT)
def delete(access: EventAccess) -> Response:
    """Delete an event, or with `now` remove it for ever, if the box `sure` of the form is ticked.

    A deleted event can be restored for some days. Without the box return the page with an error. Removing also deletes
    the key's cookie.
    """
    is_immediate = request.form.get("now") == "true"
    if request.form.get("sure") != "true":
        error = Invalid([Wrong("/sure", event_forms.NOTHING_DELETED)])
        if access.event.deleted_on:
            return deleted_page(access, error)
        return _settings_page(access, event_forms.event_fields(access.event), error)
    services().events.delete(access, is_immediate)
    return (
        set_key_cookie(redirect_to("/events"), access.event.id, "")
        if is_immediate
        else redirect_to(f"/events/{access.event.id}")
    )


@blueprint.post("/events/<id>/restore")
@require_visitor_permission(Permission.RESTORE_EVENT)
def restore(access: EventAccess) -> Response:
    """Restore a deleted event, and redirect to it. Nothing changes if it is not deleted."""
    services().events.restore(access)
    return redirect_to(f"/events/{access.event.id}")


def _settings_page(access: EventAccess, fields: dict[str, str], error: Invalid | Declined | None = None) -> Response:
    """Return the page with the form of an event's settings as typed. `error` is shown at its fields.

    If `error` is Changed (another organiser changed the event meanwhile), the page also has the current settings.
    Raises `error` if it is NoAccess.
    """
    return render_event_page(
        "events/settings.html",
        access,
        error,
        fields=fields,
        choices=event_forms.game_choices(access.event.game, current_visit().translate),
        rulesets=event_forms.ruleset_choices(access.event.game),
        zones=event_forms.offered_timezones(),
        stands=event_forms.event_fields(access.event) if isinstance(error, Changed) else None,
        restore_days=services().desk.bounds.restore_days,
    )


@blueprint.get("/events/<id>/keys")
@require_visitor_permission(Permission.LIST_KEYS)
def keys(access: EventAccess) -> Response:
    """Return the page with the keys of an event's staff, without their secrets."""
    return _keys_page(access)


@blueprint.post("/events/<id>/keys")
@require_visitor_permission(Permission.ADD_KEY)
def add_key(access: EventAccess) -> Response:
    """Make the key of the form for another judge or organiser, and return the page that shows its link once.

    Errors return the page with the form as typed. So does a form that was sent only to change the language.
    """
    typed = {"name": request.form.get("name", ""), "role": request.form.get("role", "")}
    if is_unsubmitted():
        return _keys_page(access, typed)
    try:
        data = load_with(_NEW_KEY, typed)
        made = data_of(services().events.add_key(access, data["role"], data["name"], form_request()))
    except (Invalid, Declined) as error:
        return _keys_page(access, typed, error)
    return _keys_page(access, key=made)


@blueprint.post("/events/<id>/keys/<kid>/revoke")
@require_visitor_permission(Permission.REVOKE_KEY)
def revoke_key(access: EventAccess, kid: str) -> Response:
    """Revoke a key at once, and redirect to the keys. If that is refused (the last organiser's key), show the error."""
    try:
        services().events.revoke_key(access, kid)
    except Declined as error:
        return _keys_page(access, error=error)
    return redirect_to(f"/events/{access.event.id}/keys")


def _keys_page(
    access: EventAccess,
    typed: dict[str, str] | None = None,
    error: Invalid | Declined | None = None,
    key: MadeKeyJSON | None = None,
) -> Response:
    """Return the page of the keys. `key` is a new key, whose link is shown (status 201), None for none.

    `typed` are the values of the form to show again. `error` is shown at its fields. Raises `error` if it is NoAccess.
    """
    return render_event_page(
        "events/keys.html",
        access,
        error,
        status=201 if key else 200,
        fields=typed or {"name": "", "role": ""},
        keys=data_of(services().events.keys(access))["keys"],
        made=key,
        own_link=f"{event_address(access.event.id, for_staff=True)}#key={key['key']}" if key else "",
    )


@blueprint.get("/events/<id>/audit")
@require_visitor_permission(Permission.READ_AUDIT)
def audit(access: EventAccess) -> Response:
    """Return a page of the audit: actions with their keys, the newest first, and whether the audit is intact.

    `page` of the query is its number. Anything else than a number is page 1.
    """
    typed = request.args.get("page", "")
    page = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 7 else 1
    found = data_of(AuditDesk(services().desk).audit_page(access, page, _ENTRIES_SHOWN))
    return render_event_page(
        "events/audit.html",
        access,
        audit=found,
        runs=_fold_entries(reversed(found["entries"])),
        page=found["page"],
        last=found["last"],
        most=_ENTRIES_UNFOLDED,
    )


def _fold_entries(entries: Iterable[AuditEntryJSON]) -> list[list[AuditEntryJSON]]:
    """Return neighbouring audit entries with the same action by the same key as one list, in their order."""
    return [list(run) for _, run in groupby(entries, key=lambda entry: (entry["action"], entry["by"]))]


@blueprint.get("/events/<id>/files")
@require_visitor_permission(Permission.EXPORT_EVENT)
def files(access: EventAccess) -> Response:
    """Return the page with the files that can be made of an event."""
    translate = current_visit().translate
    orders = tuple(zip(ORDERS, (translate("last name"), translate("table number")), strict=True))
    now = services().desk.now()
    return render_event_page(
        "events/files.html",
        access,
        moment=now,
        sheet_orders=orders,
        shows_lists=rights.sees_any_list(access.caller, access.stage(now)),
        fields={"paper": ""},
    )


@blueprint.get("/events/<id>/export")
@require_visitor_permission(Permission.EXPORT_EVENT)
def export(access: EventAccess) -> Response:
    """Return a file of an event as a download. The query has its kind, paper and order.

    Raises Invalid for wrong values, and the errors of `export_response`.
    """
    asked = load_with(_EXPORT, {name: value for name, value in request.args.items() if name != "lang"})
    return event_downloads.export_response(access, **asked)


_COPY = EventCopyShape()
_FIELDS = ("name", "on", "closes")


@blueprint.get("/events/<id>/copy")
@require_visitor_permission(Permission.COPY_EVENT)
def copy_form(access: EventAccess) -> Response:
    """Return the page with the form for a copy of the event. The name is filled in, and players are to be copied."""
    return _copy_page(access, {"name": access.event.name, "on": "", "closes": "", "players": "true"})


@blueprint.post("/events/<id>/copy")
@require_visitor_permission(Permission.COPY_EVENT)
def copy_event(access: EventAccess) -> Response:
    """Create a copy of the event with the values of the form, and return the page that shows its keys once.

    The admin key is that of the form, else that of the cookie if it is the admin's. Errors return the form as typed.
    """
    fields = {name: request.form.get(name, "").strip() for name in (*_FIELDS, "players")}
    admin_key = request.form.get("admin_key", "").strip()
    if not admin_key and access.caller.role == ADMIN:
        admin_key = request.cookies.get(cookie_name(), "")
    wanted = fields["players"] == "true"

    def create() -> Reply:
        """Create the copy, and return the desk's reply with its keys.

        Raises Invalid for wrong fields, and the errors of `EventDesk.copy_event`.
        """
        settings = load_with(_COPY, {name: fields[name] for name in _FIELDS if fields[name]})
        settings.pop("players")
        return services().events.copy_event(
            access, parse_event_fields(settings, access.event), wanted, admin_key, form_request()
        )

    return created_page(create, partial(_copy_page, access, fields))


def _copy_page(
    access: EventAccess, fields: dict[str, str], status: int = 200, faults: dict[str, str] | None = None
) -> Response:
    """Return the page with the form for a copy of the event as typed. `faults` are error messages by field."""
    with services().desk.store.reading() as reader:
        count = reader.count_entrants(access.event.id)
    return render_event_page(
        "events/copy.html",
        access,
        status=status,
        fields=fields,
        faults=faults or {},
        count=count,
        demands_key=bool(services().settings.admin_key),
    )
