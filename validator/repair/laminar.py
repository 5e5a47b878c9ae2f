"""Laminar families: sets of which any two are apart or one within the other, and so a tree."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

_Leaf = TypeVar("_Leaf", bound=Hashable)


class Nested(NamedTuple, Generic[_Leaf]):
    """The sets of a family as a tree, each with the place of the one around it, None at the top."""

    around: list[int | None]
    inmost: dict[_Leaf, int]


class Crossing(NamedTuple):
    """Two sets, by their places, that have something in common and neither is within the other."""

    one: int
    other: int


def nested(sets: list[frozenset[_Leaf]]) -> Nested[_Leaf] | Crossing:
    """Return the tree of a family, or the first two sets that cross; the work grows with the sizes of the sets."""
    around: list[int | None] = [None] * len(sets)
    inmost: dict[_Leaf, int] = {}
    for at in sorted(range(len(sets)), key=lambda at: -len(sets[at])):
        found = {inmost.get(leaf) for leaf in sets[at]}
        if len(found) > 1:
            return Crossing(min(one for one in found if one is not None and not sets[at] <= sets[one]), at)
        around[at] = next(iter(found), None)
        inmost |= dict.fromkeys(sets[at], at)
    return Nested(around, inmost)
