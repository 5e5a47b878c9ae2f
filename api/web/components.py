"""Components of the OpenAPI document: parameters, headers and problem responses that several operations share.

The component of an answer is derived from its TypedDict, see `api.service.answers.json_schema`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from marshmallow import Schema

from api.service.answers.problem_details import MEDIA_TYPE, PROBLEM_TYPES

Document = dict[str, Any]  # the OpenAPI document, or an object within it


class SharedParameter(NamedTuple):
    """An OpenAPI parameter that several operations share. `component` is its name among the components.

    `document` is the OpenAPI parameter itself.
    """

    component: str
    document: Document


class QueryParameters(NamedTuple):
    """The query parameters of an operation: one for each field of a marshmallow schema."""

    schema: type[Schema]


Parameter = SharedParameter | QueryParameters | Document
Parameters = Sequence[Parameter]

ETAG = {"ETag": {"$ref": "#/components/headers/ETag"}}
LOCATION = {"Location": {"$ref": "#/components/headers/Location"}}
_RETRY_AFTER = {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}}
HEADERS: Mapping[str, Document] = {
    "ETag": {"schema": {"type": "string"}, "description": "The name of what is answered, in this state."},
    "Location": {"schema": {"type": "string"}, "description": "Where what was begun is from now on."},
    "RetryAfter": {"schema": {"type": "integer"}, "description": "Seconds until it may be tried again."},
}
BINARY_FILE: Document = {"schema": {"type": "string", "format": "binary"}}  # the content of a request or an answer
NOT_MODIFIED = "NotModified"
OTHER_PROBLEM = "Problem"  # for each status that an operation does not document
_ANY_REQUEST = (429, 500, 503)  # statuses of problems that each operation may answer with


def reference(kind: str, name: str) -> Document:
    """Return an OpenAPI reference `{"$ref": "#/components/KIND/NAME"}`.

    `kind` is "parameters", "headers" or "responses".
    """
    return {"$ref": f"#/components/{kind}/{name}"}


def problem_component(status: int) -> str:
    """Return the name of the response component for a problem of a status: type `media-type` (415) is `MediaType`.

    Raises KeyError for a status without a problem type.
    """
    return "".join(word.capitalize() for word in re.split("[^a-z]", PROBLEM_TYPES[status].name))


def problem_reference(status: int) -> Document:
    """Return the OpenAPI reference to the response component for a problem of a status, one of PROBLEM_TYPES."""
    return reference("responses", problem_component(status))


def any_request_responses() -> dict[str, Document]:
    """Return references to the responses that all operations have: 429, 500, 503 and "default" (any other problem)."""
    references = {str(status): problem_reference(status) for status in _ANY_REQUEST}
    return references | {"default": reference("responses", OTHER_PROBLEM)}


def responses() -> dict[str, Document]:
    """Return the response components of the OpenAPI document by name.

    They are `NotModified` (304), one for each problem type, and `Problem` for any other problem. 429 and 503 have the
    header Retry-After.
    """
    problems = {
        problem_component(status): _problem_response(
            str(kind.title), {"headers": _RETRY_AFTER} if status in (429, 503) else {}
        )
        for status, kind in PROBLEM_TYPES.items()
    }
    return {
        NOT_MODIFIED: {"description": "It is what the client has.", "headers": ETAG},
        **problems,
        OTHER_PROBLEM: _problem_response("A problem (RFC 9457).", {}),
    }


def _problem_response(description: str, more: Document) -> Document:
    """Return an OpenAPI response with a problem document as its content.

    `more` has its further fields, such as `headers`.
    """
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}, **more}


def parameters_of(document: Document, item: Document) -> list[Document]:
    """Return the parameters of `item`, a path or an operation of the OpenAPI document. References are resolved.

    Empty if the item has none. Parameters of the path are not added to those of its operation.
    """
    shared = document["components"]["parameters"]
    return [
        shared[parameter["$ref"].rpartition("/")[2]] if "$ref" in parameter else parameter
        for parameter in item.get("parameters", ())
    ]
