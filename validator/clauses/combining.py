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
    match: Match = {key: values[0] for key, values in tests.items() if len(values) == 1}
    if repeated:
        match["all"] = [*match.get("all", []), *repeated]
    if barred:
        match["not"] = either(barred)
    return match


def either(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that any of these mean."""
    matches = list(parts)
    if len(matches) == 1:
        return matches[0]
    keys = {key for match in matches for key in match}
    if len(keys) == 1 and keys <= _LISTS:
        (key,) = keys
        return {key: list(dict.fromkeys(value for match in matches for value in match[key]))}
    return {"any": matches}


_LISTS = {"type", "color", "trait", "character", "name", "keyword", "trait_part", "character_part", "name_part"}


def negated(match: Match | None) -> Match | None:
    """Return the match of every other card; of none, none."""
    if not match:
        return None
    return match["not"] if set(match) == {"not"} else {"not": match}
