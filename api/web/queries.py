"""Queries: a parameter that a path does not take is refused by name; the OpenAPI document says what each takes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from flask import request

from api.service.errors import Invalid, Wrong
from api.service.shapes import step

_VERSIONED = "/v1/"  # probes of the paths beside it add what they like
_PART = re.compile("<(?:[^<>:]+:)?([^<>]+)>")


def check_query(taken: Mapping[tuple[str, str], Collection[str]], route: str) -> None:
    """Refuse every parameter of the current request's query that is not among what its route takes."""
    names = taken.get((_path(route), request.method.replace("HEAD", "GET").lower()))
    if names is not None and (unknown := [name for name in request.args if name not in names]):
        raise Invalid(Wrong(step(name), _no_such(name, names)) for name in unknown)


def taken_by(paths: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return the names that each path takes in its query, by path and method."""
    return {
        (path, method): [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
        for path, item in paths.items()
        if path.startswith(_VERSIONED)
        for method, operation in item.items()
        if method != "parameters"
    }


@lru_cache(maxsize=256)  # there are some thirty routes
def _path(route: str) -> str:
    """Return what the document calls a route."""
    return _PART.sub(r"{\1}", route)


def _no_such(name: str, names: Collection[str]) -> str:
    if not names:
        return "This path takes no parameters in the query."
    near = get_close_matches(name[:40].lower(), names, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(names))}."
    return f"There is no such parameter here; {hint}"
