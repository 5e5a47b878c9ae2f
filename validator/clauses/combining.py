"""Matches put together: what several phrases mean as one (see `validator.matching`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Match = dict[str, Any]


def both(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that all of these mean."""
    tests: dict[str, list[Any]] = {}
    for part in parts:
        for key, value in part.items():
            tests.setdefault(key, []).append(value)
    barred = tests.pop("not", [])
    repeated = [{key: value} for key, values in tests.items() if len(values) > 1 for value in values]
    found: Match = {key: values[0] for key, values in tests.items() if len(values) == 1}
    if repeated:
        found["all"] = [*found.get("all", []), *repeated]
    if barred:
        found["not"] = either(barred)
    return found


def either(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that any of these mean."""
    found = list(parts)
    if len(found) == 1:
        return found[0]
    keys = {key for part in found for key in part}
    if len(keys) == 1 and keys <= _LISTS:
        (key,) = keys
        return {key: list(dict.fromkeys(value for part in found for value in part[key]))}
    return {"any": found}


_LISTS = {"type", "color", "trait", "character", "name", "keyword", "trait_part", "character_part", "name_part"}


def negated(match: Match) -> Match:
    """Return the match of every other card."""
    return match["not"] if set(match) == {"not"} else {"not": match}
