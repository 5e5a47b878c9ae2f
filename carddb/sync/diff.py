"""Differences: what one set of cards has that another has not, card by card and field by field."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import fields
from typing import Any
from typing import NamedTuple

from carddb.sources.printings import identity
from validator.cards import Card
from validator.matching import folded

# What a card is told by, what is told apart from the rest, and what follows from it.
_APART = frozenset({"game", "number", "construction", "unknown"})
_FIELDS = tuple(field.name for field in fields(Card) if field.name not in _APART)


class Change(NamedTuple):
    """One field of a card, before and after; in `construction`, one clause in its public form, None for none."""

    field: str
    old: Any
    new: Any


class Changed(NamedTuple):
    """A card that both have, and what differs: its facts, then what its text says of construction."""

    old: Card
    new: Card
    facts: tuple[Change, ...]
    construction: tuple[Change, ...]


class Diff(NamedTuple):
    """Cards that only the new has, that only the old has, and that differ, each in their own order."""

    added: tuple[Card, ...]
    removed: tuple[Card, ...]
    changed: tuple[Changed, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def diff(old: Iterable[Card], new: Iterable[Card]) -> Diff:
    """Compare the cards of one game: each by its number, or by its name where the game does."""
    before = {identity(card): card for card in old}
    after = {identity(card): card for card in new}
    both = ((before[key], card) for key, card in after.items() if key in before)
    return Diff(
        tuple(card for key, card in after.items() if key not in before),
        tuple(card for key, card in before.items() if key not in after),
        tuple(found for one, other in both if (found := _compared(one, other))),
    )


def _compared(old: Card, new: Card) -> Changed | None:
    facts = tuple(Change(name, getattr(old, name), getattr(new, name)) for name in _FIELDS if _differ(name, old, new))
    construction = tuple(_clauses(old, new))
    return Changed(old, new, facts, construction) if facts or construction else None


def _differ(name: str, old: Card, new: Card) -> bool:
    before, after = getattr(old, name), getattr(new, name)
    # Printings are in the order of the packs that have them, in which a source may list them otherwise.
    return set(before) != set(after) if name == "printings" else before != after


def _clauses(old: Card, new: Card) -> Iterator[Change]:
    before = [clause.as_dict() for clause in old.construction]
    after = [clause.as_dict() for clause in new.construction]
    for clause in before:
        if clause not in after:
            yield Change("construction", clause, None)
    for clause in after:
        if clause not in before:
            yield Change("construction", None, clause)


# What two sources of one game cannot both be right about.
_IDENTITY = ("name", "back_name", "type", "colors")


def conflicts(found: Diff) -> Iterator[str]:
    """Yield a sentence for each card that the new source calls, or classes, otherwise than the old one."""
    for one in found.changed:
        for change in one.facts:
            if change.field in _IDENTITY and change.old and change.new and not _is_same_name(change):
                what = change.field.replace("_", " ")
                yield f"{one.new.label}: {what} was {_said(change.old)}, is {_said(change.new)}."


def _is_same_name(change: Change) -> bool:
    return isinstance(change.old, str) and isinstance(change.new, str) and folded(change.old) == folded(change.new)


def _said(value: Any) -> str:
    return "/".join(value) if isinstance(value, tuple) else str(value)


def as_dict(found: Diff) -> dict[str, Any]:
    """Return the differences as JSON has them."""
    return {
        "added": [_named(card) for card in found.added],
        "removed": [_named(card) for card in found.removed],
        "changed": [
            _named(one.new) | {"changes": [change._asdict() for change in (*one.facts, *one.construction)]}
            for one in found.changed
        ],
    }


def _named(card: Card) -> dict[str, Any]:
    return {"number": card.number, "name": card.name}
