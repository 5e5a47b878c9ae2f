"""The visitor of an event's pages: the key of their cookie, their forms and the pages that they get.

A link contains its key after the "#", which no browser sends. The page posts the key once and gets a cookie for the
pages of this event only. The key is checked for every page, so a revoked key has no effect.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

import orjson
from flask import Blueprint, Flask, Response, g, request
from flask.sansio.blueprints import BlueprintSetupState
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import TooManyRequests

from api.events.base_desk import EventAccess
from api.events.rights import Permission
from api.events.storage.event_keys import ANYONE, JUDGE, is_id
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.events.tournament import CLOSED, Tournament
from api.service.errors import NoAccess
from api.service.secret_key import secret_key
from api.web.edge.middleware import PathSessions
from api.web.edge.offload import SMALL, answer_by_child
from api.web.event_permissions import View, mark_unrestricted, require
from api.web.pages.rendering import current_visit, link, render_response
from api.web.public_address import is_plain_beside_https, reach
from api.web.services import services
from validator.language import phrase

ROOT = "/events"  # under which all pages of events are
TOKEN = "csrf_token"  # the field of a form that has it

_csrf = CSRFProtect()
token: Callable[[], str] = generate_csrf


def protect(state: BlueprintSetupState) -> None:
    """Configure an application for the forms of events: session cookies below /events, and CSRF protection.

    Flask calls it when the blueprint is registered. The CSRF check itself is called in `check`.
    """
    app = cast("Flask", state.app)
    app.config.update(
        SESSION_COOKIE_NAME="deckproof_form",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",  # a page that another site leads to shall not take the token of those open
        WTF_CSRF_CHECK_DEFAULT=False,
        WTF_CSRF_TIME_LIMIT=None,
        WTF_CSRF_SSL_STRICT=False,  # it looks at the Referer, which our pages do not let browsers send
    )
    app.session_interface = PathSessions(ROOT, _secret, scoped_name)
    _csrf.init_app(app)


def scoped_name(cookie: str) -> str:
    """Return the name of a cookie for the current request: `cookie`, or `cookie` + "_plain".

    The latter is for http if the same host also serves https. So neither replaces the other's cookie.
    """
    return f"{cookie}_plain" if is_plain_beside_https() else cookie


def _secret() -> str:
    """Return the key that signs session cookies and CSRF tokens. If there is none yet, it is created and stored.

    Raises OSError if it cannot be stored.
    """
    return secret_key(services().settings)


def check() -> Response | None:
    """Check the CSRF token of a POST request. Return a page to send the form again if the token is wrong.

    Return None if the view has to answer. A form over 16,384 bytes with a right token is answered by a child process,
    if `answer_by_child` does so.
    """
    if request.method != "POST":
        return None
    size = len(request.get_data())  # flask caches the body for the next reader
    try:
        _csrf.protect()
    except CSRFError:
        return _send_again_page()
    return answer_by_child() if size > SMALL else None


def _send_again_page() -> Response:
    """Return a page (400) that contains all typed values of the form with a new CSRF token, to be sent again.

    Files cannot be contained. The page says so if there was one.
    """
    typed = [(name, text) for name, text in request.form.items(multi=True) if name != TOKEN]
    return render_response(
        "events/again.html", 400, typed=typed, had_file=bool(request.files), action=_address(), token=token
    )


def _address() -> str:
    """Return the path of the current request with its query, if it has one."""
    return request.full_path if request.query_string else request.path


blueprint = Blueprint("event_pages", __name__)
blueprint.before_request(check)
blueprint.record_once(protect)

COOKIE = "deckproof_key"
ONCE = "once"  # the field of a form that is answered once, however often it is sent
_REST = re.compile(r"(?:/[a-z0-9]{1,40}){0,4}", re.ASCII)  # of a path under that of an event
_REGISTRATION = re.compile("/registrations/([0-9a-f]+)")
_KEPT_AFTER = timedelta(days=7)  # after the day of the event, by a player's own device
_NOT_TYPED = (TOKEN, ONCE)
_NO_KEY = phrase("This key does not open the event. Check the key, or ask the organiser for a new one.")


@blueprint.url_value_preprocessor
def _check_event_id(_: str | None, values: dict[str, Any] | None) -> None:
    """Raise NoAccess if the `id` in the path does not have the form of an event id, because some headers contain it."""
    if values and "id" in values and not is_id(values["id"]):
        raise NoAccess


def cookie_name() -> str:
    """Return the name of the cookie with the visitor's key, by `scoped_name`."""
    return scoped_name(COOKIE)


def visitor_access(permission: Permission, event_id: str, registration_id: str = "") -> EventAccess:
    """Return the access of the key in the cookie to an event, without a cookie that of a stranger.

    Raises NoAccess if there is no such event or the permission is missing. Raises TooManyRequests after too many wrong
    keys. The cookie of a key that is not valid any more is deleted with the answer.
    """
    key = request.cookies.get(cookie_name(), "")
    if not key:
        return access_with_key("", permission, event_id, registration_id)
    try:
        at = access_with_key(key, permission, event_id, registration_id)
    except (NoAccess, TooManyRequests):
        _mark_invalid_key(event_id, services().desk.is_event_key(event_id, key))
        raise
    _mark_invalid_key(event_id, at.caller.role != ANYONE)
    return at


def require_visitor_permission(
    permission: Permission, refuse: Callable[[], Response] | None = None
) -> Callable[[View], View]:
    """Return a decorator for an event view that only visitors with `permission` may use, by the key in their cookie.

    Without a cookie a visitor has the permissions of a stranger. If the path has a registration `rid`, the permission
    is for it. The view gets the EventAccess in place of the event id. `refuse` returns the answer to visitors without
    the permission (None: NoAccess is raised, which becomes a page that demands a key). TooManyRequests is raised after
    too many wrong keys.
    """
    return require(permission, visitor_access, refuse)


def _mark_invalid_key(event_id: str, is_valid: bool) -> None:
    """Mark the visitor's cookie for this event for deletion at the end of the request, unless its key `is_valid`."""
    if not is_valid:
        g.useless_key_of = event_id


@blueprint.after_request
def _delete_invalid_cookie(answer: Response) -> Response:
    """Return the answer. If `_mark_invalid_key` marked the cookie, the answer deletes it.

    Each further page with the cookie would count as a wrong key.
    """
    event_id = g.pop("useless_key_of", "")
    return set_key_cookie(answer, event_id, "") if event_id else answer


def access_with_key(key: str, permission: Permission, event_id: str, registration_id: str = "") -> EventAccess:
    """Return the access of a key to an event, in the visitor's language. `key` "" is a stranger.

    Raises NoAccess if there is no such event or the permission is missing. A wrong key counts for the limit of wrong
    keys, over which TooManyRequests is raised.
    """
    return (
        services()
        .desk.authorize(permission, event_id, key, registration_id)
        ._replace(translate=current_visit().translate)
    )


def form_request() -> RepeatableRequest | None:
    """Return the identity of the current form, by which the desk gives a repeated form the first answer.

    None if the form lacks the field `once`, a random text of its page. The same page with other contents is another
    request. Browsers repeat a form if somebody clicks twice or goes back a page.
    """
    if not (key := request.form.get(ONCE, "")[:100]):
        return None
    typed = sorted(pair for pair in request.form.items(multi=True) if pair[0] not in _NOT_TYPED)
    content = orjson.dumps(typed) + b"".join(map(_file_content, request.files.values()))
    # What was changed before it was sent again is another request; who registers has a key by then.
    return RepeatableRequest.from_request(
        f"{key} {hashlib.sha256(content).hexdigest()}", "", f"page {request.path}", content
    )


def _file_content(file: FileStorage) -> bytes:
    """Return the content of an uploaded file. Views can read the file again."""
    file.seek(0)
    content: bytes = file.read()
    file.seek(0)
    return content


def data_of(reply: Reply) -> Any:
    """Return the parsed JSON of a desk's reply."""
    return orjson.loads(reply.body)


def render_page(template: str, status: int = 200, **values: Any) -> Response:
    """Return a rendered page of an event, which no cache may store.

    The template also gets a CSRF token, a random `once` (see `form_request`), empty `faults`, the path and `reach`.
    `values` override them.
    """
    plain = {"token": token, "once": secrets.token_urlsafe(18), "faults": {}, "here": request.path}
    plain |= {"reach": reach()}
    answer = render_response(template, status, **(plain | values))
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def redirect_to(path: str) -> Response:
    """Return a redirect (303, not cached) to a page. `path` gets the language of the visit if its address names it."""
    answer = Response(status=303, headers={"Location": link(path), "Cache-Control": "private, no-store"})
    del answer.headers["Content-Type"]
    return answer


def set_key_cookie(answer: Response, event_id: str, key: str, seconds: int | None = None) -> Response:
    """Set the cookie with the key for the pages of one event, and return the answer. `key` "" deletes the cookie.

    `seconds` None keeps it until the browser is closed. A deletion planned by `_mark_invalid_key` is cancelled.
    """
    g.pop("useless_key_of", None)  # another key takes its place
    where = f"{request.script_root}{ROOT}/{event_id}"
    if key:
        answer.set_cookie(
            cookie_name(), key, max_age=seconds, path=where, secure=request.is_secure, httponly=True, samesite="Strict"
        )
    else:
        answer.delete_cookie(cookie_name(), path=where, secure=request.is_secure, httponly=True, samesite="Strict")
    return answer


def player_seconds(event: Tournament) -> int | None:
    """Return the seconds for which a player's device keeps the key: until 7 days after the event or until its deletion.

    The earlier of both counts, in the event's time zone. None if that time is over, which means until the browser is
    closed.
    """
    last = min(event.on + _KEPT_AFTER, event.retention_end)
    end = datetime.combine(last, time(), ZoneInfo(event.timezone))
    return max(0, int((end - services().desk.now()).total_seconds())) or None


@blueprint.post("/events/<id>/key")
@mark_unrestricted  # it checks the key of the form
def enter(id: str) -> Response:
    """Store the key of the form in a cookie, and redirect to the page `to` of the form.

    Without a valid `to` redirect to the first page for this key. A wrong key returns the page that demands a key. The
    field may also have a whole link with the key. Raises NoAccess if there is no such event, TooManyRequests after too
    many wrong keys.
    """
    key = request.form.get("key", "").strip().rpartition("#key=")[2]  # of a whole link, too
    at = access_with_key(key, Permission.SHOW_EVENT, id)
    if at.caller.role == ANYONE:
        return _key_needed_page(id, {"key": _NO_KEY})
    to = request.form.get("to", "")
    if not (to and _REST.fullmatch(to)) or _is_gone(at, to):
        to = _landing_path(at)
    seconds = player_seconds(at.event) if at.caller.registration_id else None
    return set_key_cookie(redirect_to(f"/events/{id}{to}"), id, key, seconds)


def _is_gone(access: EventAccess, path: str) -> bool:
    """Return True if the path is of a registration that this player cannot see, such as one that was merged.

    False for all other paths, and for callers who are not players.
    """
    found = _REGISTRATION.match(path)
    if not (found and access.caller.registration_id):
        return False
    try:
        services().desk.registration(access._replace(caller=access.caller.for_registration(found[1])), found[1])
    except NoAccess:
        return True
    return False


def _landing_path(access: EventAccess) -> str:
    """Return the path, after that of the event, of the first page for a key: a player's registration, else "".

    A judge gets "/table", the judge's table, unless judges may not see the lists yet.
    """
    if access.caller.registration_id:
        return f"/registrations/{access.caller.registration_id}"
    return "/table" if access.caller.role == JUDGE and access.stage(services().desk.now()) != CLOSED else ""


@blueprint.post("/events/<id>/leave")
@mark_unrestricted
def leave(id: str) -> Response:
    """Delete the cookie with the visitor's key, and redirect to the event."""
    return set_key_cookie(redirect_to(f"/events/{id}"), id, "")


@blueprint.errorhandler(NoAccess)
def _not_found_page(_: NoAccess) -> Response:
    """Return the page that demands a key, when a view of event pages has raised NoAccess."""
    return _key_needed_page((request.view_args or {}).get("id", ""))


def _key_needed_page(event_id: str, faults: dict[str, str] | None = None) -> Response:
    """Return the page (404) that demands a key for an event. `faults` are error messages by field.

    Its form has the path to return to: that of a GET request, else the field `to`.
    """
    to = request.path.removeprefix(f"/events/{event_id}") if request.method == "GET" else request.form.get("to", "")
    return render_page("events/door.html", 404, event_id=event_id, to=to, faults=faults or {})
