"""The visitor of an event's pages: who they are by the key of their cookie, and what they are shown where it is none.

A link with a key has it after its "#", which no browser sends. The page posts it once, for a cookie that goes to the
pages of this event alone; its key is looked at for every page, so that it is of no use once it is revoked.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

import orjson
from flask import Blueprint, Response, g, request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import TooManyRequests

from api.events.registration_desk import Standing
from api.events.storage.event_keys import ANYONE, is_id
from api.events.storage.idempotency import Once, Reply
from api.service.errors import Hidden, Invalid
from api.web.pages.events import form_guard
from api.web.pages.rendering import here, link, rendered
from api.web.services import services
from validator.language import phrase

blueprint = Blueprint("event_pages", __name__)
blueprint.before_request(form_guard.check)
blueprint.record_once(form_guard.protect)

COOKIE = "deckproof_key"
ONCE = "once"  # the field of a form that is answered once, however often it is sent
_REST = re.compile(r"(?:/[a-z0-9]{1,40}){0,4}", re.ASCII)  # of a path under that of an event
_NOT_TYPED = (form_guard.TOKEN, ONCE)
_NO_KEY = phrase("This opens nothing here: it is no key of this event, or it is one no longer.")


@blueprint.url_value_preprocessor
def _look_at_id(_: str | None, values: dict[str, Any] | None) -> None:
    """Let nothing be called an event that cannot be one: some answers have its id in a header."""
    if values and "id" in values and not is_id(values["id"]):
        raise Hidden


def visiting(operation: str, event_id: str, registration_id: str = "") -> Standing:
    """Return the event and who visits it; Hidden where they may not do this."""
    key = request.cookies.get(COOKIE, "")
    if not key:
        return as_with("", operation, event_id, registration_id)
    try:
        at = as_with(key, operation, event_id, registration_id)
    except (Hidden, TooManyRequests):
        _mark_useless(event_id, services().desk.holds(event_id, key))
        raise
    _mark_useless(event_id, at.caller.role != ANYONE)
    return at


def _mark_useless(event_id: str, holds: bool) -> None:
    if not holds:
        g.useless_key_of = event_id


@blueprint.after_request
def _forget(answer: Response) -> Response:
    """Take a key back that holds no longer: each page that it came with would count as one more that was tried."""
    event_id = g.pop("useless_key_of", "")
    return remember(answer, event_id, "") if event_id else answer


def as_with(key: str, operation: str, event_id: str, registration_id: str = "") -> Standing:
    """Return the event and whoever has a key of it; Hidden where they may not do this."""
    return services().desk.standing(operation, event_id, key, registration_id)._replace(say=here().say)


def once() -> Once | None:
    """Return the form as one that may come again, as it does where somebody is impatient or goes back a page."""
    if not (key := request.form.get(ONCE, "")[:100]):
        return None
    typed = sorted(pair for pair in request.form.items(multi=True) if pair[0] not in _NOT_TYPED)
    content = orjson.dumps(typed) + b"".join(map(_content, request.files.values()))
    # What was changed before it was sent again is another request; who registers has a key by then.
    return Once.of(f"{key} {hashlib.sha256(content).hexdigest()}", "", f"page {request.path}", content)


def _content(file: FileStorage) -> bytes:
    file.seek(0)
    content: bytes = file.read()
    file.seek(0)
    return content


def data_of(reply: Reply) -> Any:
    """Return what an answer of the desk says."""
    return orjson.loads(reply.body)


def faults_of(error: Invalid) -> dict[str, str]:
    """Return what is wrong with a form, by field."""
    return {one.pointer.rpartition("/")[2]: one.detail for one in error.errors}


def shown(template: str, status: int = 200, **values: Any) -> Response:
    """Return a page of an event, which nobody keeps."""
    plain = {"token": form_guard.token, "once": secrets.token_urlsafe(18), "faults": {}, "here": request.path}
    answer = rendered(template, status, **(plain | values))
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def led_to(path: str) -> Response:
    """Return what leads the browser to a page, after what it sent is done."""
    answer = Response(status=303, headers={"Location": link(path), "Cache-Control": "private, no-store"})
    del answer.headers["Content-Type"]
    return answer


def remember(answer: Response, event_id: str, key: str) -> Response:
    """Let the browser have a key for the pages of one event, until it is closed."""
    g.pop("useless_key_of", None)  # another key takes its place
    where = f"{request.script_root}{form_guard.ROOT}/{event_id}"
    if key:
        answer.set_cookie(COOKIE, key, path=where, secure=request.is_secure, httponly=True, samesite="Strict")
    else:
        answer.delete_cookie(COOKIE, path=where, secure=request.is_secure, httponly=True, samesite="Strict")
    return answer


@blueprint.post("/events/<id>/key")
def enter(id: str) -> Response:
    """Take a key for a cookie, and lead to what it opens."""
    key = request.form.get("key", "").strip().rpartition("#key=")[2]  # of a whole link, too
    caller = as_with(key, "show", id).caller
    if caller.role == ANYONE:
        return _closed_door(id, {"key": _NO_KEY})
    to = request.form.get("to", "")
    if not (to and _REST.fullmatch(to)):
        to = f"/registrations/{caller.registration_id}" if caller.registration_id else ""
    return remember(led_to(f"/events/{id}{to}"), id, key)


@blueprint.post("/events/<id>/leave")
def leave(id: str) -> Response:
    """Forget the key."""
    return remember(led_to(f"/events/{id}"), id, "")


@blueprint.errorhandler(Hidden)
def _hidden(_: Hidden) -> Response:
    return _closed_door((request.view_args or {}).get("id", ""))


def _closed_door(event_id: str, faults: dict[str, str] | None = None) -> Response:
    """Return the page of whatever is not there for this visitor, which asks for a key."""
    to = request.path.removeprefix(f"/events/{event_id}") if request.method == "GET" else request.form.get("to", "")
    return shown("events/door.html", 404, event_id=event_id, to=to, faults=faults or {})
