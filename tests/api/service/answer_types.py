"""Values compared with the types that describe them in the OpenAPI document."""

from __future__ import annotations

from functools import cache
from typing import get_args, get_type_hints, is_typeddict

import msgspec


@cache
def described_entries(kind):
    """Return the types of a described object's entries by name, and the names of those that are required."""
    return get_type_hints(kind), set(msgspec.json.schema_components([kind])[1][kind.__name__]["required"])


def differences(value, kind, place=""):
    """Yield the places where a value has an entry that its type lacks, or lacks one that is required."""
    if is_typeddict(kind):
        hints, required = described_entries(kind)
        yield from (f"{place}/{name} is not described" for name in value.keys() - hints.keys())
        yield from (f"{place}/{name} is missing" for name in required - value.keys())
        for name in value.keys() & hints.keys():
            yield from differences(value[name], hints[name], f"{place}/{name}")
    elif isinstance(value, list):
        for inner in get_args(kind):
            for one in value:
                yield from differences(one, inner, f"{place}/*")
    elif isinstance(value, dict):
        for inner in filter(is_typeddict, get_args(kind)):  # one that may be None
            yield from differences(value, inner, place)


def assert_described(value, kind):
    """Assert that a JSON value has the entries of its type, and their types."""
    assert list(differences(value, kind)) == []
    msgspec.convert(value, kind)
