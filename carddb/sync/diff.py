"""Differences: what one set of cards has that another has not, card by card and field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from carddb.serialization import to_cell
from carddb.sources.printings import identity
from validator.cards import Card
from validator.matching import folded

# What a card is told by, what is told apart from the rest, and what follows from it.
_APART = frozenset({"game", "number", "construction", "unknown"})
_FIELDS = tuple(field.name for field in fields(Card) if field.name not in _APART)


class FieldChange(NamedTuple):
    """One field of a card, before and after; in `construction`, one clause in its public form, None for none."""

    field: str
    old: Any
    new: Any


class CardChange(NamedTuple):
    """A card that both have, and what differs: its facts, then what its text says of construction."""

    old: Card
    new: Card
    facts: tuple[FieldChange, ...]
    construction: tuple[FieldChange, ...]


class Diff(NamedTuple):
    """Cards that only the new has, that only the old has, and that differ, each in their own order."""

    added: tuple[Card, ...]
    removed: tuple[Card, ...]
    changed: tuple[CardChange, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def diff(old: Iterable[Card], new: Iterable[Card]) -> Diff:
    """Compare the cards of one game: each by its number, or by its name where the game does."""
    before = {identity(card): card for card in old}
    after = {identity(card): card for card in new}
    both = [CardChange(before[key], card, *_changes(before[key], card)) for key, card in after.items() if key in before]
    changed = tuple(one for one in both if one.facts or one.construction)
    return Diff(_only(after, before), _only(before, after), changed)


def _only(cards: Mapping[str, Card], others: Mapping[str, Card]) -> tuple[Card, ...]:
    return tuple(card for key, card in cards.items() if key not in others)


def _changes(old: Card, new: Card) -> tuple[tuple[FieldChange, ...], tuple[FieldChange, ...]]:
    """Return what differs in the facts, and in what the texts say of construction."""
    facts = (FieldChange(name, getattr(old, name), getattr(new, name)) for name in _FIELDS)
    before, after = ([clause.as_dict() for clause in card.construction] for card in (old, new))
    gone = (FieldChange("construction", clause, None) for clause in before if clause not in after)
    come = (FieldChange("construction", None, clause) for clause in after if clause not in before)
    return tuple(filter(_differs, facts)), (*gone, *come)


def _differs(change: FieldChange) -> bool:
    # Printings are in the order of the packs that have them, in which a source may list them otherwise.
    if change.field == "printings":
        return set(change.old) != set(change.new)
    return bool(change.old != change.new)


# What two sources of one game cannot both be right about.
_IDENTITY = ("name", "back_name", "type", "colors")


def conflicts(differences: Diff) -> Iterator[str]:
    """Yield a sentence for each card that the new source calls, or classes, otherwise than the old one."""
    for one in differences.changed:
        for change in one.facts:
            if change.field in _IDENTITY and change.old and change.new and not _is_same_name(change):
                what = change.field.replace("_", " ")
                yield f"{one.new.label}: {what} was {to_cell(change.old)}, is {to_cell(change.new)}."


def _is_same_name(change: FieldChange) -> bool:
    return isinstance(change.old, str) and isinstance(change.new, str) and folded(change.old) == folded(change.new)


def as_dict(differences: Diff) -> dict[str, Any]:
    """Return the differences as JSON has them."""
    return {
        "added": [_named(card) for card in differences.added],
        "removed": [_named(card) for card in differences.removed],
        "changed": [
            _named(one.new) | {"changes": [change._asdict() for change in (*one.facts, *one.construction)]}
            for one in differences.changed
        ],
    }


def _named(card: Card) -> dict[str, Any]:
    return {"number": card.number, "name": card.name}
