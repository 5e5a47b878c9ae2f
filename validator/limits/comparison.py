"""Comparison: what an official list says on one day and not, or otherwise, on another."""

from __future__ import annotations

from typing import NamedTuple

from validator.limits.lists import InForce, Limit, PairBan


class ListDifference(NamedTuple):
    """What a list says of a card, or of a pair, on two days; None where it says nothing of it."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    before: Limit | PairBan | None
    after: Limit | PairBan | None


def compared(before: InForce, after: InForce) -> list[ListDifference]:
    """Return of which cards and pairs two lists say different things, by their numbers, pairs last."""
    old, new = before.entries, after.entries
    numbers = sorted({*old, *new}, key=lambda one: (len(one), one))
    return [
        ListDifference(one, _names(new.get(one) or old[one]), old.get(one), new.get(one))
        for one in numbers
        if _binds(old.get(one)) != _binds(new.get(one))
    ]


def _names(entry: Limit | PairBan) -> tuple[str, ...]:
    return (entry.a_name, entry.b_name) if isinstance(entry, PairBan) else (entry.name,)


def _binds(entry: Limit | PairBan | None) -> tuple[int, str] | None:
    """Return how many copies an entry allows, and how surely."""
    if entry is None:
        return None
    return (0 if isinstance(entry, PairBan) else entry.limit), entry.severity
