"""Comparison: what an official list says on one day and not, or otherwise, on another."""

from __future__ import annotations

from typing import NamedTuple

from validator.limits.lists import Binding, InForce


class ListDifference(NamedTuple):
    """What a list says of a card, or of a pair, on two days; None where it says nothing of it."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    before: Binding | None
    after: Binding | None


def compared(before: InForce, after: InForce) -> list[ListDifference]:
    """Return of which cards and pairs two lists say different things, by their numbers, pairs last."""
    old, new = before.entries, after.entries
    numbers = sorted({*old, *new}, key=lambda one: (len(one), one))
    return [
        ListDifference(one, (new.get(one) or old[one]).names, old.get(one), new.get(one))
        for one in numbers
        if _binds(old.get(one)) != _binds(new.get(one))
    ]


def _binds(entry: Binding | None) -> tuple[int, str] | None:
    """Return how many copies an entry allows, and how surely."""
    return (entry.limit, entry.severity) if entry else None
