"""JSON schemas of answers: each answer is described once, by the TypedDict that its maker returns.

The names of these types end in JSON: `CardJSON` is the component `Card` of the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Annotated, Any, get_args, get_type_hints, is_typeddict

import msgspec
from msgspec import Meta

JSONObject = dict[str, Any]  # a JSON object whose entries depend on its kind
JSONSchema = JSONObject

_REFERENCE = "#/components/schemas/"
_SUFFIX = "JSON"
_OPEN = {"ClauseJSON"}  # the entries of a clause depend on its kind

# A point in time with its offset, as orjson writes a datetime in UTC.
Moment = Annotated[datetime, Meta(tz=True)]
# A point in time, and a day, that their makers write as text.
MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
DayText = Annotated[str, Meta(extra_json_schema={"format": "date"})]


def doc(description: str = "", *, enum: Collection[str] = (), example: object = None, format: str = "") -> Meta:
    """Return the documentation of a field: its description, its values if they are few, an example, its format."""
    more = {"enum": list(enum), "example": example, "format": format}
    return Meta(
        description=description or None,
        extra_json_schema={key: value for key, value in more.items() if value} or None,
    )


ON_IN_TIMEZONE = doc("The time zone in which `on` is the current day, if the request has no day.")


def component_name(answer: type) -> str:
    """Return the name of an answer's type in the OpenAPI document."""
    return answer.__name__.removesuffix(_SUFFIX)


def reference(answer: type) -> JSONSchema:
    """Return the JSON schema that refers to the component of an answer's type."""
    return {"$ref": _REFERENCE + component_name(answer)}


def schema_components(answers: Iterable[type]) -> dict[str, JSONSchema]:
    """Return the JSON schemas of answers and of all types within them, by the names of their components.

    Entries are in the order of the type. Only an answer of `_OPEN` may have further entries.
    """
    types: dict[str, type] = {}
    for answer in answers:
        _collect(answer, types)
    _, schemas = msgspec.json.schema_components(types.values(), ref_template="{name}")
    return {name.removesuffix(_SUFFIX): _component(types[name], schema) for name, schema in schemas.items()}


def _collect(hint: Any, types: dict[str, type]) -> None:
    """Add a type and all TypedDicts within it to `types`, by their names. Raises ValueError if two have one name."""
    if not is_typeddict(hint):
        for inner in get_args(hint):
            _collect(inner, types)
    elif hint.__name__ not in types:
        types[hint.__name__] = hint
        for inner in get_type_hints(hint).values():
            _collect(inner, types)
    elif types[hint.__name__] is not hint:
        raise ValueError(f"Two answers are called {hint.__name__}. Rename one of them.")


def _component(answer: type, schema: JSONSchema) -> JSONSchema:
    """Return the schema of a type as a component of the document."""
    properties = {name: _with_references(schema["properties"][name]) for name in answer.__annotations__}
    return {
        "type": "object",
        "properties": properties,
        "required": schema["required"],
        "additionalProperties": answer.__name__ in _OPEN,
    }


def _with_references(schema: Any) -> Any:
    """Return a schema whose references have the names of components."""
    if isinstance(schema, list):
        return [_with_references(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return schema | {"$ref": _REFERENCE + schema["$ref"].removesuffix(_SUFFIX)}
    return {key: _with_references(value) for key, value in schema.items()}
