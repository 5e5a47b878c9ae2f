"""The pages of an event: the form that creates one, and its overview with the form by which players register."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from flask import Response, request
from werkzeug.exceptions import TooManyRequests

from api.events import rights
from api.events.base_desk import EventAccess
from api.events.bounds import MOST_REVISIONS
from api.events.event_answers import deadline
from api.events.event_desk import RETRY_AFTER, OverviewDesk
from api.events.event_json import BegunEventJSON
from api.events.players.attendance import format_time
from api.events.rights import Permission
from api.events.storage.event_keys import PLAYER
from api.events.storage.idempotency import Reply
from api.service.errors import AdminNeeded, Changed, Closed, Declined, Full, Invalid, NoAccess, Rationed
from api.sheets import qrcode
from api.web.event_permissions import mark_unrestricted
from api.web.pages.events import event_forms
from api.web.pages.events.event_forms import NOTHING, PlayerForm
from api.web.pages.events.event_visitor import (
    blueprint,
    data_of,
    form_request,
    redirect_to,
    render_page,
    require_visitor_permission,
    set_key_cookie,
)
from api.web.pages.rendering import Page, current_visit, faults_by_field, is_unsubmitted
from api.web.public_address import event_address
from api.web.services import services
from validator.errors import error_text
from validator.language import phrase
from validator.words import region_name

PAGE = Page(blueprint, "/events", lambda translate: translate("Events"))

_SAYS: Mapping[type, str] = {
    Closed: phrase("Registration is not open now, so nothing was saved."),
    Changed: phrase(
        "Somebody changed these entries meanwhile, so yours were not saved yet. Compare both, then send yours again."
    ),
}
_LONGEST_TYPED = 100
_NO_CODE = phrase("No event has this code. Type the two or three words of the flyer, such as lusab-babad.")
_NO_ADMIN = phrase("This is not the admin key of this server. Enter the admin key.")
_NO_MORE_OF_STRANGERS = phrase("Without the admin key, no more events can be created here. Enter the admin key.")


@blueprint.get("/events")
@mark_unrestricted
def events() -> Response:
    """Return the page with the form of a new event. A join code in the query redirects to its event instead.

    An unknown code returns the page with status 404. Raises TooManyRequests after too many wrong codes.
    """
    if not (code := request.args.get("code", "").strip()[:_LONGEST_TYPED]):
        return _new_event_page(event_forms.read_event_fields())
    try:
        return redirect_to(f"/events/{services().events.find_event(code)}")
    except NoAccess:
        return _new_event_page(event_forms.read_event_fields(), HTTPStatus.NOT_FOUND, {"code": _NO_CODE}, code)


@blueprint.post("/events")
@mark_unrestricted  # the desk checks the key of the creator
def begin() -> Response:
    """Create the event of the form, and return the page that shows its keys once. Errors return the form as typed.

    So does a form that was sent only to change the language, without creating an event.
    """
    fields = event_forms.read_event_fields()
    if is_unsubmitted():
        return _new_event_page(fields)
    key = request.form.get("admin_key", "").strip()

    def create() -> Reply:
        """Create the event of the form, and return the desk's reply with its keys.

        Raises Invalid for wrong fields, and the errors of `EventDesk.create`.
        """
        return services().events.create(
            event_forms.parse_new_event(fields), key, form_request(), confirmed=event_forms.is_past_confirmed()
        )

    return created_page(create, partial(_new_event_page, fields))


def created_page(create: Callable[[], Reply], form: Callable[[int, dict[str, str]], Response]) -> Response:
    """Call `create`, and return the page of the new event with its keys.

    If it raises one of these errors, return `form(status, error messages by field)`: Invalid and AdminNeeded (422),
    TooManyRequests and Rationed (429), Full (503). 429 and 503 also get Retry-After. Other errors are raised.
    """
    try:
        made = data_of(create())
    except Invalid as error:
        return form(422, faults_by_field(error))
    except AdminNeeded:
        return form(422, {"admin_key": _NO_ADMIN})
    except TooManyRequests as error:
        return _add_retry_after(form(429, {"": str(error.description)}), error.retry_after)
    except Rationed:
        return _add_retry_after(form(429, {"": _NO_MORE_OF_STRANGERS}))
    except Full as error:
        return _add_retry_after(form(503, {"": error_text(error)}))
    return _begun_page(made)


def _begun_page(event: BegunEventJSON) -> Response:
    """Return the page (201) of a new event, which shows its keys as links once.

    The organiser's key also becomes the visitor's cookie.
    """
    join, keys = event_address(event["id"]), event["keys"]
    links = {role: f"{event_address(event['id'], for_staff=True)}#key={keys[role]}" for role in ("organiser", "judge")}
    known = {"name": event["name"], "event_id": event["id"], "unused_until": event["unused_until"], **links}
    answer = render_page("events/begun.html", 201, join=join, code=qrcode.path(join), **known)
    return set_key_cookie(answer, event["id"], keys["organiser"])


def _add_retry_after(answer: Response, retry_after: object = RETRY_AFTER) -> Response:
    """Return the answer with the header Retry-After, in seconds."""
    answer.headers["Retry-After"] = str(retry_after)
    return answer


def _new_event_page(
    fields: dict[str, str], status: int = 200, faults: dict[str, str] | None = None, code: str = ""
) -> Response:
    """Return the page with the form for a new event as filled in. `faults` are error messages by field.

    `code` is the typed join code of another event, whose form is on the same page.
    """
    settings = services().settings
    return render_page(
        "events/events.html",
        status,
        fields=fields,
        faults=faults or {},
        choices=event_forms.game_choices(fields["game"], current_visit().translate),
        rulesets=event_forms.ruleset_choices(fields["game"]),
        zones=event_forms.offered_timezones(),
        needs_key=bool(settings.admin_key),
        are_open=bool(settings.open_events),
        unused_days=settings.unused_event_days,
        code=code,
    )


@blueprint.get("/events/<id>")
@require_visitor_permission(Permission.SHOW_EVENT)
def event(access: EventAccess) -> Response:
    """Return the page of an event. If the event is deleted, return the page on which it can be restored."""
    return deleted_page(access) if access.event.deleted_on else event_page(access, NOTHING)


def deleted_page(access: EventAccess, error: Invalid | None = None) -> Response:
    """Return the page of a deleted event, for callers who may restore it. Shows the errors of its form."""
    status, faults = _refusal(error)
    return render_page("events/deleted.html", status, event=access.event, faults=faults)


def event_page(access: EventAccess, form: PlayerForm, error: Invalid | Declined | None = None) -> Response:
    """Return the page of an event with the registration form as filled in. Staff also see the overview, unless `error`.

    `error` is shown at the form's fields. Raises `error` if it is NoAccess.
    """
    now = services().desk.now()
    shows_overview = access.caller.is_staff and error is None
    return render_event_page(
        "events/event.html",
        access,
        error,
        moment=now,
        overview=data_of(OverviewDesk(services().desk).overview(access)) if shows_overview else None,
        fields=form,
        is_open=access.event.is_open(now),
        may_register=access.caller.is_staff or (access.event.is_open(now) and access.caller.role != PLAYER),
        most=MOST_REVISIONS,
        seconds=deadline(access.event, None, now, 0)["seconds_left"],
        own=access.caller.registration_id,
        code=access.event.code,
    )


def _refusal(error: Invalid | Declined | None) -> tuple[int, dict[str, str]]:
    """Return `(status, error messages by field)` for a form that is shown again. None: (200, {}).

    The message of a Declined is under "". Raises the error if it is NoAccess.
    """
    if error is None:
        return HTTPStatus.OK, {}
    if isinstance(error, NoAccess):
        raise error
    if isinstance(error, Invalid):
        return HTTPStatus.UNPROCESSABLE_ENTITY, faults_by_field(error)
    return error.status, {"": _SAYS.get(type(error), error_text(error))}


def render_event_page(
    template: str,
    access: EventAccess,
    error: Invalid | Declined | None = None,
    /,
    status: int = 200,
    moment: datetime | None = None,
    **values: Any,
) -> Response:
    """Return a page of an event. `error` is shown at the fields of its form, and its status replaces `status`.

    Besides `values`, the template gets the event, its terms and the navigation. `role` is the caller's, and `staff`
    True for staff. `now` is `moment`, the present for None, and `stage` who sees the lists then. `may` is
    a function that returns True if the caller has the permission of that name. `time` is one that writes a moment in
    the event's time zone. `own_list` describes the organiser's own limits list, None without one. Raises `error` if it
    is NoAccess.
    """
    refused, faults = _refusal(error)
    desk, translate = services().desk, current_visit().translate
    now, made = moment or desk.now(), desk.judge(access.event).made_with
    known = {
        "event": access.event,
        "role": access.caller.role,
        "staff": access.caller.is_staff,
        "now": now,
        "stage": access.stage(now),
        "time": partial(format_time, access.event, translate=translate),
        "terms": {
            "title": made["ruleset"]["title"],
            "format": made["format"],
            "region": region_name(access.event.game, made["region"], translate),
        },
        "own_list": desk.own_list(access.event, access.caller.is_staff, translate),
        "may": lambda name: rights.has_permission(Permission(name), access.caller),
        "navigation": build_navigation(access, now, request.path),
        "faults": faults,
    }
    return render_page(template, refused if error else status, **(known | values))


class EventPage(NamedTuple):
    """A page of an event: its path after that of the event, its title, and the permission that its visitor needs.

    `path` is "" for the event's own page. `title` is an English phrase to translate. `has_navigation` is False for a
    page without the navigation of the event. A group's link leads to its first page that has it.
    """

    path: str
    title: str
    permission: Permission
    has_navigation: bool = True


# To add a page, add a line to its group.
_STAFF_GROUPS: Sequence[tuple[str, Sequence[EventPage]]] = (
    (phrase("Overview"), (EventPage("", phrase("Overview"), Permission.SHOW_EVENT),)),
    (
        phrase("Players"),
        (
            EventPage("/roster", phrase("Roster"), Permission.SHOW_ROSTER),
            EventPage("/missing", phrase("Missing"), Permission.LIST_MISSING),
            EventPage("/expected", phrase("Expected"), Permission.LIST_EXPECTED),
            EventPage("/import", phrase("Import"), Permission.IMPORT_PLAYERS),
            EventPage("/duplicates", phrase("Duplicates"), Permission.LIST_DUPLICATES),
        ),
    ),
    (
        phrase("Judging"),
        (
            EventPage("/table", phrase("Judge's table"), Permission.READ_CHECKS, has_navigation=False),
            EventPage("/impact", phrase("Impact"), Permission.SHOW_IMPACT),
        ),
    ),
    (
        phrase("Output"),
        (
            EventPage("/files", phrase("Files"), Permission.EXPORT_EVENT),
            EventPage("/stream", phrase("Stream"), Permission.STREAM_LISTS),
            EventPage("/commitments", phrase("Commitments"), Permission.READ_COMMITMENTS),
        ),
    ),
    (
        phrase("Settings"),
        (
            EventPage("/settings", phrase("Event"), Permission.CHANGE_EVENT),
            EventPage("/keys", phrase("Keys"), Permission.LIST_KEYS),
            EventPage("/audit", phrase("Audit"), Permission.READ_AUDIT),
        ),
    ),
)


class PageLink(NamedTuple):
    """A link of the navigation. `current` is its aria-current: "page", "true" (its group has the page) or "".

    `path` is the whole path, `/events/ID/…`. `title` is an English phrase to translate.
    """

    path: str
    title: str
    current: str


class Navigation(NamedTuple):
    """The two rows of links on an event's pages.

    `groups` are those of staff, empty for others. `pages` are the pages of the current group, for others all their
    pages. A group with one page has no `pages`.
    """

    groups: list[PageLink]
    pages: list[PageLink]


def build_navigation(access: EventAccess, moment: datetime, path: str) -> Navigation:
    """Return the navigation of an event for a caller on the page `path`. It has only pages that the caller may open.

    `moment` is the current time, on which the open lists depend.
    """
    start = f"/events/{access.event.id}"
    rest = path.removeprefix(start)
    if not access.caller.is_staff:
        open_pages = [EventPage("", phrase("Event"), Permission.SHOW_EVENT), *_open_pages(access, moment)]
        return Navigation([], _link_pages(start, open_pages, rest))
    groups: list[PageLink] = []
    shown: list[EventPage] = []
    for title, pages in _STAFF_GROUPS:
        allowed = [page for page in pages if rights.has_permission(page.permission, access.caller)]
        if not allowed:
            continue
        is_here = any(_is_current(page, rest) for page in allowed)
        current = "" if not is_here else "page" if len(allowed) == 1 else "true"
        first = next(page for page in allowed if page.has_navigation)
        groups.append(PageLink(start + first.path, title, current))
        shown = allowed if is_here and len(allowed) > 1 else shown
    return Navigation(groups, _link_pages(start, shown, rest))


def _open_pages(access: EventAccess, moment: datetime) -> Iterator[EventPage]:
    """Yield the pages besides the event's that a player or stranger may open: the roster and the lists.

    Neither is yielded if the event does not show it to this caller at this moment.
    """
    if rights.sees_roster(access.caller, access.event.visibility.roster):
        yield EventPage("/roster", phrase("Roster"), Permission.SHOW_ROSTER)
    if rights.sees_any_list(access.caller, access.stage(moment)):
        yield EventPage("/registrations", phrase("Lists"), Permission.LIST_REGISTRATIONS)


def _link_pages(start: str, pages: Sequence[EventPage], rest: str) -> list[PageLink]:
    """Return the links to pages of an event.

    `start` is the path of the event, `rest` that of the current page after it.
    """
    return [PageLink(start + page.path, page.title, "page" if _is_current(page, rest) else "") for page in pages]


def _is_current(page: EventPage, rest: str) -> bool:
    """Return True if the current page is `page` or below it. `rest` is its path after that of the event.

    The event's own page, with the path "", matches only itself.
    """
    return rest == page.path or (bool(page.path) and rest.startswith(f"{page.path}/"))
