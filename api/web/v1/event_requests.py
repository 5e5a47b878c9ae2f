"""Event requests: the caller and the permission, conditions, repeated requests, and private responses.

Called by the v1 views of events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import orjson
from flask import Response, request

from api.events.base_desk import EventAccess, IfMatch
from api.events.bounds import LONGEST_KEY, LONGEST_ONCE, SHORTEST_ONCE
from api.events.exports.event_files import ExportKind
from api.events.moments import parse_moment
from api.events.players import player_import
from api.events.players.entrant import Whereabouts
from api.events.players.player_import import ImportedBook
from api.events.registration_desk import RegistrationChange
from api.events.rights import Permission
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.events.tournament import Tournament, Visibility
from api.service.clock import timezones
from api.service.errors import Invalid, Wrong
from api.service.shapes import Loaded, Shape, load_with
from api.sheets.person_names import clean_text
from api.sheets.registration import Registration
from api.web.bodies import FORM, SPREADSHEET_TYPES, plain_name, read_upload
from api.web.components import ETAG, LOCATION, Document, QueryParameters, SharedParameter
from api.web.event_permissions import View, require
from api.web.language_choice import request_language
from api.web.responses import file_headers
from api.web.services import services
from api.workbooks.column_roles import CHOICES
from validator.errors import error_text
from validator.language import phrase

_MOMENTS = ("opens", "closes", "until", "started", "ended")
_WHO = ("player", "last_name", "first_name", "player_id", "notes")

ID = SharedParameter(
    "EventId", {"in": "path", "name": "id", "schema": {"type": "string"}, "description": "The id of the event."}
)
REGISTRATION = SharedParameter(
    "RegistrationId",
    {"in": "path", "name": "rid", "schema": {"type": "string"}, "description": "The id of the registration."},
)
ONCE = SharedParameter(
    "IdempotencyKey",
    {
        "in": "header",
        "name": "Idempotency-Key",
        "schema": {"type": "string", "minLength": SHORTEST_ONCE, "maxLength": LONGEST_ONCE, "pattern": "^[!-~]+$"},
        "description": "A random text of your own: the same request with it again gets the first answer, for a day.",
    },
)
IF_MATCH = SharedParameter(
    "IfMatch",
    {
        "in": "header",
        "name": "If-Match",
        "schema": {"type": "string"},
        "description": "The `ETag` of the state that is changed; 412 where it is another by now.",
    },
)
IF_MATCH_REQUIRED = SharedParameter("RequiredIfMatch", {**IF_MATCH.document, "required": True})
BEGUN = ETAG | LOCATION
BEARER: list[dict[str, list[str]]] = [{"bearer": []}, {}]  # of the OpenAPI document; without it is 404, never 401

_FILE = {"schema": {"type": "string", "format": "binary"}}


def files_doc(kinds: Mapping[str, ExportKind], answer: type) -> dict[int, Document]:
    """Return OpenAPI responses by status, here only 200: a file of any of `kinds`, by its media type.

    `answer` is the TypedDict of the JSON file. All other files are binary.
    """
    content = {kind.media_type: {"schema": answer} if kind.suffix == "json" else _FILE for kind in kinds.values()}
    return {200: {"content": content}}


class SentBook(NamedTuple):
    """An uploaded spreadsheet of players, parsed. `fields`: the loaded values beside the file, by field.

    `content`: the bytes of file and fields as sent, by which a repeated request is recognised.
    """

    book: ImportedBook
    fields: Loaded
    content: bytes


def book_doc(form: type[Shape], query: type[Shape]) -> Document:
    """Return OpenAPI fields for an operation with an uploaded spreadsheet, for `Blueprint.doc`.

    They are the parameters, the body and the bearer key. `form` describes the form, `query` the query beside a plain
    file.
    """
    description = "A form with the part `file`, or the file by itself."
    content = {FORM: {"schema": form}, **dict.fromkeys(SPREADSHEET_TYPES, _FILE)}
    body = {"required": True, "description": description, "content": content}
    return {"parameters": [ONCE, QueryParameters(query)], "requestBody": body, "security": BEARER}


def sent_book(access: EventAccess, query: Shape) -> SentBook:
    """Return the spreadsheet of players in the current request, with its fields loaded by `query`.

    Raises Invalid if it cannot be read, or a field is wrong. Raises RequestEntityTooLarge or UnsupportedMediaType like
    `read_upload`.
    """
    here = services()
    upload = read_upload(min(here.settings.max_workbook, here.settings.max_body))
    fields = load_with(query, upload.fields)
    choices = {choice: fields[choice] for choice in CHOICES if choice in fields}
    catalogue = here.library.catalogue(access.event.game)
    book = player_import.read(upload.data, plain_name(upload.name), catalogue, choices)
    return SentBook(book, fields, upload.data + orjson.dumps(sorted(upload.fields.items())))


def bearer() -> str:
    """Return the bearer token (the secret key) of the current request, "" if it has none."""
    authorization = request.authorization
    token = authorization.token if authorization is not None and authorization.type == "bearer" else None
    return token or ""


def authorize(permission: Permission, event_id: str, registration_id: str = "") -> EventAccess:
    """Return the access of the current request's key to an event, with the request's language.

    Raises NoAccess if there is no such event, or the key lacks the permission. Raises Invalid for an unknown language.
    A wrong key counts for the limit of wrong keys, over which TooManyRequests is raised.
    """
    return (
        services()
        .desk.authorize(permission, event_id, bearer(), registration_id)
        ._replace(translate=request_language())
    )


def require_key_permission(permission: Permission) -> Callable[[View], View]:
    """Return a decorator for an event view that only callers whose bearer key has `permission` may use.

    The view gets the EventAccess in place of the event id. For other callers the decorated view raises NoAccess, and
    the other errors of `authorize`.
    """
    return require(permission, authorize)


def read_once(content: bytes) -> RepeatableRequest | None:
    """Return the identity of the current request by its Idempotency-Key, None if it has none.

    With it the desks answer a repeated request with the first answer. `content` is the whole content of the request.
    Raises Invalid if the key has a wrong length or other characters.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not (SHORTEST_ONCE <= len(key) <= LONGEST_ONCE and key.isascii() and key.isprintable()):
        wanted = phrase(
            "Write {least} to {most} random letters, digits and signs, such as a UUID.",
            least=SHORTEST_ONCE,
            most=LONGEST_ONCE,
        )
        raise Invalid([Wrong("/Idempotency-Key", wanted)])
    return RepeatableRequest.from_request(key, bearer()[:LONGEST_KEY], f"{request.method} {request.path}", content)


def if_match() -> IfMatch:
    """Return a function that takes an ETag, and returns True if the If-Match header of the request has it or is `*`.

    None if the request has no If-Match.
    """
    return request.if_match.contains if "If-Match" in request.headers else None


def private_response(reply: Reply) -> Response:
    """Return a desk's reply (JSON) as a response that neither browsers nor proxies cache.

    A reply without a body gets no Content-Type.
    """
    response = Response(reply.body, reply.status, reply.headers, mimetype="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    if not reply.body:
        del response.headers["Content-Type"]
    return response


def private_download(name: str, reply: Reply) -> Response:
    """Return a desk's reply as an uncached response that browsers save as a file with the name `name`."""
    response = private_response(reply)
    response.headers.update(file_headers(name))
    return response


def parse_event_fields(data: Mapping[str, Any], before: Tournament | None = None) -> Loaded:
    """Return a copy of the fields of an event or a deck check, with its times parsed. Unknown fields are kept.

    Times without an offset are in the event's time zone: `timezone` of the fields, else that of `before`, else UTC.
    `before` is the event before a change, None for a new event. Its visibility is the default of missing details in
    `visibility`. Raises Invalid with all wrong times, or for an unknown zone.
    """
    values = dict(data)
    zone = values.get("timezone", before.timezone if before else "UTC")
    if zone not in timezones():
        raise Invalid([Wrong("/timezone", phrase("There is no such time zone; write one as Europe/Berlin, or UTC."))])
    wrong: list[Wrong] = []
    for name in _MOMENTS:
        if values.get(name) is not None:
            values[name] = _parse_moment(values[name], zone, f"/{name}", wrong)
    if "visibility" in values:
        seen = before.visibility if before else Visibility()
        values["visibility"] = replace(seen, **_parse_visibility(values["visibility"], zone, wrong))
    if wrong:
        raise Invalid(wrong)
    return values


def _parse_moment(text: str, zone: str, pointer: str, wrong: list[Wrong]) -> Any:
    """Return the moment in a text, in time zone `zone` if the text has no offset.

    If the text is no moment, return None and add an error at `pointer` to `wrong`.
    """
    try:
        return parse_moment(text, zone)
    except ValueError as error:
        wrong.append(Wrong(pointer, error_text(error)))
        return None


def _parse_visibility(fields: Mapping[str, Any], zone: str, wrong: list[Wrong]) -> Loaded:
    """Return a copy of the fields of a visibility, with `public_from` parsed.

    Adds an error to `wrong` if that is no moment.
    """
    values = dict(fields)
    if values.get("public_from") is not None:
        values["public_from"] = _parse_moment(values["public_from"], zone, "/visibility/public_from", wrong)
    return values


def parse_registration(access: EventAccess, data: Mapping[str, Any], needs_name: bool) -> RegistrationChange:
    """Return the change of a registration from the loaded fields of a request, with the deck parsed.

    Only fields in `data` are changed. With `needs_name` a name is required: for a new registration, and for a page's
    form, which always has all fields. Raises Invalid if the player's data or the deck is wrong.
    """
    fields = _person_fields(data, needs_name)
    fields |= data.get("consent", {})
    if "team" in data:
        fields["team"] = data["team"]
    deck = services().desk.read_deck(access, data.get("deck"), data.get("decklist"))
    whereabouts = {key: data[key] for key in Whereabouts._fields if key in data}
    return RegistrationChange(fields, deck, data.get("decklist"), data.get("reason", ""), whereabouts)


def _person_fields(data: Mapping[str, Any], needs_name: bool) -> Loaded:
    """Return the cleaned `player` (full name), `player_id` and `notes`, each only if it is in `data`.

    `player` is also made of `last_name` and `first_name`. With `needs_name` it is always there. Raises Invalid with all
    errors.
    """
    fields = {key: data[key] for key in _WHO if key in data}
    has_name = needs_name or any(key in fields for key in ("player", "last_name", "first_name"))
    person = Registration.read(fields if has_name else {"player": "-", **fields})
    cleaned_fields: Loaded = {key: getattr(person, key) for key in ("player_id", "notes") if key in fields}
    player = clean_text(fields.get("player") or "") or person.player.full_name
    return cleaned_fields | ({"player": player} if has_name else {})
