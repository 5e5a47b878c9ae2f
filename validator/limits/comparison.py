"""Comparison: the differences between an official list on two days."""

from __future__ import annotations

from typing import NamedTuple

from validator.limits.lists import Binding, InForce


class ListDifference(NamedTuple):
    """The entries of a card, or of a pair, on two days. None if the list has no entry."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    before: Binding | None
    after: Binding | None


def compare_lists(before: InForce, after: InForce) -> list[ListDifference]:
    """Return the cards and pairs whose entries differ between two lists, sorted by number, pairs last."""
    old, new = before.entries, after.entries
    numbers = sorted({*old, *new}, key=lambda number_key: (len(number_key), number_key))
    return [
        ListDifference(
            number_key, (new.get(number_key) or old[number_key]).names, old.get(number_key), new.get(number_key)
        )
        for number_key in numbers
        if _limit_and_severity(old.get(number_key)) != _limit_and_severity(new.get(number_key))
    ]


def _limit_and_severity(entry: Binding | None) -> tuple[int, str] | None:
    """Return the limit and the severity of an entry, None without one."""
    return (entry.limit, entry.severity) if entry else None
