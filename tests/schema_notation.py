"""The short notation of types in docs/reference/interface.md: `string(1..200) or null`, `list(..1000) of Line`.

`tests/interface.py` writes it into the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


def describe_fields(schema: Schema) -> str:
    """Return the fields of an object with their types. `?` marks an optional field."""
    required = schema.get("required", ())
    fields = schema.get("properties", {}).items()
    return ", ".join(f"`{name}`{'' if name in required else '?'} {describe_type(field)}" for name, field in fields)


def describe_choices(schema: Schema) -> str:
    """Return the fields of which an object needs one, in words, or "" if there are no such fields."""
    choices = [schema, *schema.get("allOf", ())]
    texts = [
        f"{words} {', '.join(f'`{name}`' for option in choice[key] for name in option['required'])}"
        for choice in choices
        for key, words in (("oneOf", "exactly one of"), ("anyOf", "at least one of"))
        if key in choice
    ]
    if "not" in schema:
        texts.append(f"not both {', '.join(f'`{name}`' for name in schema['not']['required'])}")
    return "; ".join(texts)


def describe_type(schema: Schema) -> str:
    """Return the type of a schema: a component by its name, values of an enumeration, else the type and its limits."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(describe_type(option) for option in schema["anyOf"]))
    if "enum" in schema:
        values = "/".join(str(value) for value in schema["enum"] if value is not None)
        return f"`{values}`" + (" or null" if None in schema["enum"] else "")
    types = schema.get("type", "any")
    names = [types] if isinstance(types, str) else types
    return " or ".join(_describe_one(name, schema) for name in names)


def _describe_one(name: str, schema: Schema) -> str:
    """Return one of the types that a schema allows, with its limits."""
    match name:
        case "array":
            return f"list{_bounds(schema, 'minItems', 'maxItems')} of {describe_type(schema.get('items', {}))}"
        case "object" if "properties" in schema:
            return f"object({describe_fields(schema)})"
        case "object" if isinstance(schema.get("additionalProperties"), Mapping):
            return f"map to {describe_type(schema['additionalProperties'])}"
        case "string":
            return str(schema.get("format", name)) + _bounds(schema, "minLength", "maxLength")
    return name + _bounds(schema, "minimum", "maximum")


def _bounds(schema: Schema, least: str, most: str) -> str:
    """Return the bounds of a value, length or number of items, "" if it has none."""
    low, high = schema.get(least, ""), schema.get(most, "")
    return f"({low}..{high})" if least in schema or most in schema else ""
