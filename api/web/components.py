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
    """A parameter of several operations: the name of its component, and the component itself."""

    component: str
    document: Mapping[str, Any]


class QueryParameters(NamedTuple):
    """The parameters of a query, described by a schema."""

    schema: type[Schema]


Parameter = SharedParameter | QueryParameters | Mapping[str, Any]
Parameters = Sequence[Parameter]

ETAG = {"ETag": {"$ref": "#/components/headers/ETag"}}
LOCATION = {"Location": {"$ref": "#/components/headers/Location"}}
_RETRY_AFTER = {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}}
HEADERS: Mapping[str, Document] = {
    "ETag": {"schema": {"type": "string"}, "description": "The name of what is answered, in this state."},
    "Location": {"schema": {"type": "string"}, "description": "Where what was begun is from now on."},
    "RetryAfter": {"schema": {"type": "integer"}, "description": "Seconds until it may be tried again."},
}
NOT_MODIFIED = "NotModified"
OTHER_PROBLEM = "Problem"  # for each status that an operation does not document
_ANY_REQUEST = (429, 500, 503)  # statuses of problems that each operation may answer with


def reference(kind: str, name: str) -> Document:
    """Return the reference to a component. `kind` is "parameters", "headers" or "responses"."""
    return {"$ref": f"#/components/{kind}/{name}"}


def problem_component(status: int) -> str:
    """Return the name of the component of a problem response: `media-type` is `MediaType`."""
    return "".join(word.capitalize() for word in re.split("[^a-z]", PROBLEM_TYPES[status].name))


def problem_reference(status: int) -> Document:
    """Return the reference to the component of a problem response."""
    return reference("responses", problem_component(status))


def any_request_responses() -> dict[str, Document]:
    """Return the responses that each operation may answer with, by status."""
    references = {str(status): problem_reference(status) for status in _ANY_REQUEST}
    return references | {"default": reference("responses", OTHER_PROBLEM)}


def responses() -> dict[str, Document]:
    """Return the components of responses: 304, a problem of each type, and any other problem."""
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
    """Return the documentation of a problem response."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}, **more}


def parameters_of(document: Document, item: Document) -> list[Document]:
    """Return the parameters of a path or an operation of the OpenAPI document. References are resolved."""
    shared = document["components"]["parameters"]
    return [
        shared[parameter["$ref"].rpartition("/")[2]] if "$ref" in parameter else parameter
        for parameter in item.get("parameters", ())
    ]
