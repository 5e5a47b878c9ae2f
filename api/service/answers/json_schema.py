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
    types: dict[str, type] = {}
    for answer in answers:
        _collect(answer, types)
    _, schemas = msgspec.json.schema_components(types.values(), ref_template="{name}")
    return {name.removesuffix(_SUFFIX): _component(types[name], schema["required"]) for name, schema in schemas.items()}


def _collect(hint: Any, types: dict[str, type]) -> None:
    """Add the TypedDicts in a type hint to `types` by their names, recursively with those of their fields.

    A TypedDict that is already in `types` is skipped. Raises ValueError if `types` has another one of the same name.
    """
    if not is_typeddict(hint):
        for inner in get_args(hint):
            _collect(inner, types)
    elif hint.__name__ not in types:
        types[hint.__name__] = hint
        for inner in get_type_hints(hint).values():
            _collect(inner, types)
    elif types[hint.__name__] is not hint:
        raise ValueError(f"Two answers are called {hint.__name__}. Rename one of them.")


def _component(answer: type, required: list[str]) -> JSONSchema:
    """Return the OpenAPI component of the TypedDict `answer`, without title and description.

    Properties are in the order of the type, and references have the names of components. Undeclared entries are not
    allowed unless the type is in `_OPEN`.
    """
    hints = {name: _with_meta(hint) for name, hint in get_type_hints(answer, include_extras=True).items()}
    schemas, _ = msgspec.json.schema_components(hints.values(), ref_template="{name}")
    return {
        "type": "object",
        "properties": dict(zip(hints, map(_with_references, schemas), strict=True)),
        "required": required,
        "additionalProperties": answer.__name__ in _OPEN,
    }


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
