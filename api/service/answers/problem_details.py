"""Problem details: the errors of requests in the format of RFC 9457, and the register of their types."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Annotated, NamedTuple, NotRequired, TypedDict

from api.service.errors import Invalid, NotJson, Wrong
from api.service.logs import LogThrottle, request_id
from carddb.system_messages import system_reason
from validator.errors import error_text
from validator.field_docs import doc
from validator.language import Language, phrase

_log = logging.getLogger(__name__)
_log.addFilter(LogThrottle())

MEDIA_TYPE = "application/problem+json"


class ProblemType(NamedTuple):
    """A type of problem for API clients: its stable name (a key), its title, and an explanation for readers (`says`).

    `title` can be translated, `says` is in English.
    """

    name: str
    title: str
    says: str

    @property
    def uri(self) -> str:
        """The URI in the `type` entry of a problem document: "urn:deckproof:problem:" and the name."""
        return f"urn:deckproof:problem:{self.name}"


# The types by HTTP status, stable for ever: programs distinguish problems by `type`.
PROBLEM_TYPES: Mapping[int, ProblemType] = {
    400: ProblemType(
        "malformed", phrase("Malformed request"), "The body is not JSON, or the request itself cannot be read."
    ),
    403: ProblemType("event/closed", phrase("Closed"), "Registration for the event is not open, or not any more."),
    404: ProblemType("not-found", phrase("Not found"), "There is no such page, card, ruleset, list, job or event."),
    405: ProblemType(
        "method-not-allowed", phrase("Method not allowed"), "This path takes other methods; `Allow` names them."
    ),
    408: ProblemType("too-slow", phrase("Too slow"), "The body came too slowly, or stopped coming; send it again."),
    409: ProblemType("conflict", phrase("Conflict"), "The request does not fit what is stored by now."),
    412: ProblemType(
        "changed", phrase("Changed meanwhile"), "Somebody else was first; nothing was written, nothing is lost."
    ),
    413: ProblemType("too-large", phrase("Too large"), "The body is larger than this server takes."),
    415: ProblemType(
        "media-type", phrase("Wrong media type"), "The body is of a media type that this path does not take."
    ),
    422: ProblemType(
        "invalid", phrase("Well-formed but wrong"), "The request can be read, but says something that cannot be."
    ),
    428: ProblemType("unconditional", phrase("If-Match is missing"), "Send the `ETag` that you got as `If-Match`."),
    429: ProblemType("too-many-requests", phrase("Too many requests"), "Wait as long as `Retry-After` says."),
    500: ProblemType("internal", phrase("Internal error"), "A mistake of the server; its log has more."),
    503: ProblemType("unavailable", phrase("Not available"), "Something that the server needs is not there right now."),
}


class WrongJSON(TypedDict):
    """One error of a request as JSON."""

    pointer: Annotated[str, doc("Where: a JSON pointer.", example="/deck/main/0/count")]
    detail: Annotated[str, doc("What is wrong, in a sentence.")]


class ProblemJSON(TypedDict):
    """A problem document of RFC 9457 as JSON. `status` is the HTTP status. `title` and `detail` are for people.

    `type` is "about:blank" for a status without a type of its own. `request_id` is missing in lines of a batch.
    """

    type: Annotated[str, doc("Stable for ever.", example="urn:deckproof:problem:invalid")]
    title: Annotated[str, doc(example="Well-formed but wrong")]
    status: Annotated[int, doc(example=422)]
    detail: Annotated[str, doc("What happened, in a sentence.")]
    errors: NotRequired[Annotated[list[WrongJSON], doc("The bad fields, the first 50.")]]
    instance: NotRequired[Annotated[str, doc("What the server's log calls this one problem.", format="uri")]]
    request_id: NotRequired[
        Annotated[str, doc("The `X-Request-Id` of the response, which entries of the log have too.")]
    ]


def problem(status: int, detail: str, errors: Iterable[Wrong] = (), instance: str = "") -> ProblemJSON:
    """Return the problem document of an HTTP status, with a sentence `detail` and the errors of single fields.

    A status that is not in PROBLEM_TYPES has the type "about:blank" and the HTTP phrase as title. Without errors the
    entry `errors` is left out. `instance` is a URI that identifies this problem in the log. "" leaves that entry out.
    """
    problem_type = PROBLEM_TYPES.get(status)
    # "about:blank" is the type of a status without a type of its own (RFC 9457, 4.2.1).
    uri, title = (problem_type.uri, problem_type.title) if problem_type else ("about:blank", _status_phrase(status))
    document: ProblemJSON = {"type": uri, "title": title, "status": status, "detail": detail}
    if listed := [WrongJSON(pointer=wrong.pointer, detail=wrong.detail) for wrong in errors]:
        document["errors"] = listed
    if instance:
        document["instance"] = instance
    return document


def translate_problem(document: ProblemJSON, translate: Language) -> ProblemJSON:
    """Return a copy of a problem document with title, detail and errors in a language.

    Only texts made by `phrase` are translated. Other texts, `type` and pointers do not change.
    """
    translated: ProblemJSON = {
        **document,
        "title": translate.text(document["title"]),
        "detail": translate.text(document["detail"]),
    }
    if "errors" in document:
        translated["errors"] = [
            WrongJSON(pointer=wrong["pointer"], detail=translate.text(wrong["detail"])) for wrong in document["errors"]
        ]
    return translated


def with_request_id(document: ProblemJSON) -> ProblemJSON:
    """Return a copy of a problem document with the id of the current request as `request_id`.

    Outside requests it is returned unchanged. Only for the problem of a whole response, not for a line of a batch.
    """
    current = request_id.get()
    return {**document, "request_id": current} if current else document


def unavailable_problem(error: Exception) -> ProblemJSON:
    """Return the problem (503) of a card database that cannot be used, and log its error.

    The error is not in the problem. It is logged at most once a minute, later errors within that time are not logged.
    """
    _log.error("The card database cannot be used: %s", error)
    return problem(503, phrase("The card database cannot be used right now. The server's log has the reason."))


def no_room_problem(error: OSError) -> ProblemJSON:
    """Return the problem (503) of a server without disk space or file descriptors, with the system's reason.

    Also logs the reason, at most once a minute.
    """
    reason = error.strerror or str(error)
    _log.error("A file that is needed for a moment cannot be had: %s", reason)
    text = phrase("The server cannot write a file that it needs for this: {reason}.", reason=system_reason(reason))
    return problem(503, text)


def _status_phrase(status: int) -> str:
    """Return the standard English phrase of an HTTP status ("Gone"), "Request failed" if the status is not standard."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Request failed"


def error_problem(error: Invalid | NotJson) -> ProblemJSON:
    """Return the problem document of a wrong body or line: 422 with the errors for Invalid, 400 for NotJson.

    An Invalid has its first MOST_ERRORS (50) errors.
    """
    if isinstance(error, Invalid):
        return problem(422, error.detail, error.errors)
    return problem(400, error_text(error))
