"""JSON schemas of answers: each answer is described once, by the TypedDict that its maker returns.

The names of these types end in JSON: `CardJSON` is the component `Card` of the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from types import UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
from msgspec import Meta

from validator.field_docs import Doc

JSONObject = dict[str, Any]  # a JSON object whose entries depend on its kind
JSONSchema = JSONObject

_REFERENCE = "#/components/schemas/"
_SUFFIX = "JSON"
_OPEN = {"ClauseJSON"}  # the entries of a clause depend on its kind

# A point in time with its offset, as orjson writes a datetime in UTC.
Moment = Annotated[datetime, Meta(tz=True)]


def component_name(answer: type) -> str:
    """Return the name of a TypedDict in the OpenAPI document: its own name without the ending "JSON"."""
    return answer.__name__.removesuffix(_SUFFIX)


def reference(answer: type) -> JSONSchema:
    """Return the JSON schema `{"$ref": …}` that refers to the OpenAPI component of a TypedDict."""
    return {"$ref": _REFERENCE + component_name(answer)}


def schema_components(answers: Iterable[type]) -> dict[str, JSONSchema]:
    """Return the JSON schemas of TypedDicts and of all TypedDicts within them, by the names of their components.

    Properties are in the order of the type. Objects may have no other entries, except those of types in `_OPEN`. Raises
    ValueError if two different types have the same name.
    """
    fields: dict[type, dict[str, Any]] = {}
    for answer in answers:
        _collect(answer, fields)
    names = {answer.__name__: answer for answer in fields}
    if twice := next((answer.__name__ for answer in fields if names[answer.__name__] is not answer), ""):
        raise ValueError(f"Two answers are called {twice}. Rename one of them.")
    # One call for all: msgspec evaluates the types within a type again in each call.
    hints = [_with_meta(hint) for hints in fields.values() for hint in hints.values()]
    shown, schemas = msgspec.json.schema_components([*fields, *hints], ref_template="{name}")
    properties = map(_with_references, shown[len(fields) :])
    described = {answer: {name: next(properties) for name in hints} for answer, hints in fields.items()}
    return {
        name.removesuffix(_SUFFIX): {
            "type": "object",
            "properties": described[names[name]],
            "required": schema["required"],
            "additionalProperties": name in _OPEN,
        }
        for name, schema in schemas.items()
    }


def _collect(hint: Any, fields: dict[type, dict[str, Any]]) -> None:
    """Add the TypedDicts in a type hint to `fields`, each with the hints of its fields, and those within them."""
    if not is_typeddict(hint):
        for inner in get_args(hint):
            _collect(inner, fields)
    elif hint not in fields:
        fields[hint] = get_type_hints(hint, include_extras=True)
        for inner in fields[hint].values():
            _collect(inner, fields)


def _with_meta(hint: Any) -> Any:
    """Return a type hint for msgspec: without NotRequired, and with a Meta for each Doc, at all depths."""
    if isinstance(hint, Doc):
        return Meta(extra_json_schema=dict(hint.keywords))
    origin, parts = get_origin(hint), get_args(hint)
    if not parts:
        return hint
    if origin is NotRequired:
        return _with_meta(parts[0])
    return (Union if origin is UnionType else origin)[tuple(map(_with_meta, parts))]


def _with_references(schema: Any) -> Any:
    """Return a copy of a JSON schema.

    Each `$ref` to a type (`CardJSON`) becomes one to its component, at all depths.
    """
    if isinstance(schema, list):
        return [_with_references(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return schema | {"$ref": _REFERENCE + schema["$ref"].removesuffix(_SUFFIX)}
    return {key: _with_references(value) for key, value in schema.items()}
