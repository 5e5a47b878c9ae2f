"""Combination of the matches of several phrases into one match (see `validator.matching`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Match = dict[str, Any]


def combine_all(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that match all of these."""
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
        match["not"] = combine_any(barred)
    return match


def combine_any(parts: Iterable[Match]) -> Match:
    """Return the match of the cards that match any of these."""
    matches = list(parts)
    if len(matches) == 1:
        return matches[0]
    keys = {key for match in matches for key in match}
    if len(keys) == 1 and keys <= _LISTS:
        (key,) = keys
        return {key: list(dict.fromkeys(value for match in matches for value in match[key]))}
    return {"any": matches}


_LISTS = {"type", "color", "trait", "character", "name", "keyword", "trait_part", "character_part", "name_part"}


def negate_match(match: Match | None) -> Match | None:
    """Return the match of all other cards. None without a match, or if it is empty."""
    if not match:
        return None
    return match["not"] if set(match) == {"not"} else {"not": match}
