"""Event requests: the caller and the permission, conditions, repeated requests, uploads and downloads.

Called by the v1 views of events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import orjson
from flask import Response, request

from api.events.base_desk import EventAccess, IfMatch
from api.events.bounds import LONGEST_KEY, LONGEST_ONCE, SHORTEST_ONCE
from api.events.exports.event_files import ExportKind
from api.events.players import player_import
from api.events.players.player_import import ImportedBook
from api.events.rights import Permission
from api.events.storage.idempotency import RepeatableRequest, Reply
from api.service.errors import Invalid, Wrong
from api.service.shapes import Loaded, Shape, load_with
from api.web.bodies import FORM, SPREADSHEET_TYPES, plain_name, read_upload
from api.web.components import BINARY_FILE, ETAG, LOCATION, Document, QueryParameters, SharedParameter
from api.web.event_permissions import View, require
from api.web.language_choice import request_language
from api.web.responses import file_headers, private_response
from api.web.services import services
from api.workbooks.readings import CHOICES
from validator.language import phrase

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


def files_doc(kinds: Mapping[str, ExportKind], answer: type) -> dict[int, Document]:
    """Return OpenAPI responses by status, here only 200: a file of any of `kinds`, by its media type.

    `answer` is the TypedDict of the JSON file. All other files are binary.
    """
    content = {kind.media_type: {"schema": answer} if kind.suffix == "json" else BINARY_FILE for kind in kinds.values()}
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
    content = {FORM: {"schema": form}, **dict.fromkeys(SPREADSHEET_TYPES, BINARY_FILE)}
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


def private_download(name: str, reply: Reply) -> Response:
    """Return a desk's reply as an uncached response that browsers save as a file with the name `name`."""
    response = private_response(reply)
    response.headers.update(file_headers(name))
    return response
