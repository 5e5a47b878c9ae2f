"""What the OpenAPI document says of an answer: its status, its media type and its shape."""

from __future__ import annotations

import json
import re
from functools import cache

import jsonschema_rs

from api.web.openapi import openapi_document

_NAMED = {"ETag", "Location", "Retry-After"}


def assert_documented(answer, method, path):
    """Assert that an answer is one that the document has for its path; what a path does not take is 405 everywhere."""
    operation = _operation(method.lower(), path.partition("?")[0])
    if operation is None or answer.status_code == 405:
        return
    said = f"{method} {path}: {answer.status_code} {answer.content_type}"
    assert str(answer.status_code) in operation, said
    described = operation[str(answer.status_code)]
    if "$ref" in described:
        described = openapi_document()["components"]["responses"][described["$ref"].rpartition("/")[2]]
    assert _NAMED & set(answer.headers.keys()) <= described.get("headers", {}).keys(), said
    content = described.get("content", {})
    assert answer.content_type in content or not (content or answer.data), said
    if answer.is_json and answer.data:
        found = _shape(json.dumps(content[answer.content_type]["schema"])).iter_errors(answer.json)
        assert not (wrong := [f"{one.instance_path}: {one.message[:200]}" for one in found]), f"{said}: {wrong}"


@cache
def _operation(method, path):
    """Return the answers that a path has in the document, None where the document has no such path."""
    fitting = (answers for pattern, answers in _paths() if pattern.fullmatch(path))
    return next((answers[method] for answers in fitting if method in answers), None)


@cache
def _paths():
    """Return the answers of each path by method, those without a place for an id first."""
    described = sorted(openapi_document()["paths"].items(), key=lambda path: path[0].count("{"))
    return [
        (
            re.compile(re.sub(r"\\{\w+\\}", "[^/:]+", re.escape(path))),
            {method: one["responses"] for method, one in operations.items() if method != "parameters"},
        )
        for path, operations in described
    ]


@cache
def _shape(schema):
    components = openapi_document()["components"]
    return jsonschema_rs.Draft202012Validator(json.loads(schema) | {"components": components})
